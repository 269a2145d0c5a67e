//! A Compose file around a server (docs.docker.com/reference/compose-file; GPU support by device reservations).

use super::{Deploy, DeployFile, Server};
use crate::case::{Case, Judged};

pub(super) fn wrap(case: &Case, judged: &Judged, server: &Server) -> Deploy {
    let parallel = &judged.plan.parallel;
    let copies = super::vllm::copies_of_node(case, judged);
    let cards =
        parallel.tp.saturating_mul(parallel.pp).saturating_mul(parallel.dp.max(1)).saturating_mul(copies);
    let per_node = case.machine.as_ref().map_or(0, maat_catalogue::Machine::per_node);
    let words = server.words.iter().skip(server.entry).map(|word| format!("      - {}\n", quoted(word)));
    let port = server.port;
    let mut content = format!(
        "services:\n  model:\n    image: {}\n    restart: unless-stopped\n    ipc: host\n    ports:\n      - \"{port}:{port}\"\n    volumes:\n",
        server.image
    );
    content += "      - ${HF_HOME:-~/.cache/huggingface}:/huggingface\n";
    if server.program.starts_with("llama.cpp") {
        content += "      - .:/models\n    working_dir: /models\n";
    } else {
        content += "    environment:\n      - HF_TOKEN\n      - HF_HOME=/huggingface\n";
    }
    content += "    command:\n";
    content.extend(words);
    if per_node > 0 {
        let reserved = format!(
            "    deploy:\n      resources:\n        reservations:\n          devices:\n            - driver: nvidia\n              count: {}\n              capabilities: [gpu]\n",
            cards.min(per_node)
        );
        content += &reserved;
    }
    let mut lines = server.before.clone();
    lines.push("docker compose up --detach && docker compose logs --follow".to_owned());
    Deploy {
        command: lines.join("\n"),
        files: vec![DeployFile { name: "compose.yaml".to_owned(), content }],
        program: server.program.clone(),
        confirm: Vec::new(),
    }
}

/// A word as YAML takes it: always as text.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}
