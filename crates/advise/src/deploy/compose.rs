//! A Compose file around a server (docs.docker.com/reference/compose-file; GPU support by device reservations).

use maat_base::Fault;

use super::{Deploy, DeployFile, Server};
use crate::case::{Case, Judged};

pub(super) fn wrap(case: &Case, judged: &Judged, server: &Server) -> Result<Deploy, Fault> {
    let no_image = || {
        let fault = Fault::usage("deploy-no-image").with("program", server.program.as_str());
        fault.with("maker", super::maker(case).unwrap_or("CPU")).at("--deploy")
    };
    let image = server.image.as_deref().ok_or_else(no_image)?;
    let parallel = &judged.plan.parallel;
    let copies = super::vllm::copies_of_node(case, judged);
    let cards =
        parallel.tp.saturating_mul(parallel.pp).saturating_mul(parallel.dp.max(1)).saturating_mul(copies);
    let per_node = case.machine.as_ref().map_or(0, maat_catalogue::Machine::per_node);
    let words = server.words.iter().skip(server.entry).map(|word| format!("      - {}\n", quoted(word)));
    let port = server.port;
    let mut content = format!(
        "services:\n  model:\n    image: {image}\n    restart: unless-stopped\n    ipc: host\n    ports:\n      - \"{port}:{port}\"\n    volumes:\n",
    );
    content += "      - ${HF_HOME:-${HOME}/.cache/huggingface}:/huggingface\n";
    if server.program.starts_with("llama.cpp") {
        content += "      - .:/models\n    working_dir: /models\n";
    } else {
        content += "    environment:\n      - HF_TOKEN\n      - HF_HOME=/huggingface\n";
    }
    content += "    command:\n";
    content.extend(words);
    match super::maker(case) {
        Some("NVIDIA") => content += &reservation(cards.min(per_node)),
        Some("AMD") => content += ROCM,
        Some(_) => content += RENDER,
        None => {}
    }
    let mut lines = server.before.clone();
    lines.push("docker compose up --detach && docker compose logs --follow".to_owned());
    Ok(Deploy {
        command: lines.join("\n"),
        files: vec![DeployFile { name: "compose.yaml".to_owned(), content }],
        program: server.program.clone(),
        confirm: Vec::new(),
    })
}

/// What a container with AMD's cards needs (docs.vllm.ai, installation on ROCm).
const ROCM: &str = "    devices:\n      - /dev/kfd\n      - /dev/dri\n    group_add:\n      - video\n    cap_add:\n      - SYS_PTRACE\n    security_opt:\n      - seccomp=unconfined\n";

/// What a container with another maker's cards needs.
const RENDER: &str = "    devices:\n      - /dev/dri\n";

/// So many of NVIDIA's cards (docs.docker.com/compose/how-tos/gpu-support).
fn reservation(cards: u32) -> String {
    format!(
        "    deploy:\n      resources:\n        reservations:\n          devices:\n            - driver: nvidia\n              count: {cards}\n              capabilities: [gpu]\n"
    )
}

/// A word as YAML takes it: always as text.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}
