//! SGLang: `python3 -m sglang.launch_server` (docs.sglang.ai, server arguments).

use super::{Server, flag};
use crate::case::{Case, Judged};

pub(super) fn server(case: &Case, judged: &Judged) -> Server {
    let plan = &judged.plan;
    let version = plan.serve.version.clone().unwrap_or_default();
    let mut words: Vec<String> = ["python3", "-m", "sglang.launch_server", "--model-path", &case.model.name]
        .map(str::to_owned)
        .to_vec();
    let copies = super::vllm::copies_of_node(case, judged);
    for (name, ranks) in [
        ("--tp-size", plan.parallel.tp.saturating_mul(plan.parallel.dp.max(1))),
        ("--pp-size", plan.parallel.pp),
        ("--dp-size", plan.parallel.dp.max(1) * copies),
        ("--ep-size", plan.parallel.ep),
    ] {
        if ranks > 1 {
            words.extend(flag(name, ranks));
        }
    }
    if plan.parallel.dp > 1 {
        words.push("--enable-dp-attention".to_owned());
    }
    words.extend(flag("--context-length", case.work.context));
    let serve = &plan.serve;
    if let Some(sequences) = serve.max_num_seqs {
        words.extend(flag("--max-running-requests", sequences));
    }
    if let Some(tokens) = serve.max_batched_tokens {
        words.extend(flag("--chunked-prefill-size", tokens));
    }
    if let Some(share) = serve.memory_fraction {
        words.extend(flag("--mem-fraction-static", share));
    }
    if serve.kv_precision.keys.name == "fp8" {
        words.extend(flag("--kv-cache-dtype", "fp8_e4m3"));
    }
    if case.requantised && plan.precision == "fp8" {
        words.extend(flag("--quantization", "fp8"));
    }
    let nodes = super::nodes_of_copy(case, judged);
    if nodes > 1 {
        words.extend(flag("--nnodes", nodes));
        words.extend(flag("--node-rank", "NODE_RANK"));
        words.extend(flag("--dist-init-addr", "FIRST_NODE:20000"));
    }
    // It listens on this machine alone unless told otherwise, and a container is another machine.
    words.extend(flag("--host", "0.0.0.0"));
    words.extend(flag("--port", 30000));
    Server {
        program: format!("SGLang {version}"),
        before: Vec::new(),
        words,
        image: (super::maker(case) == Some("NVIDIA")).then(|| format!("lmsysorg/sglang:v{version}")),
        nodes,
        headless: None,
        entry: 0,
        port: 30000,
        pool_line: "deploy-confirm-pool-sglang",
    }
}
