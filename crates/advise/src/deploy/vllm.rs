//! vLLM: `vllm serve` (docs.vllm.ai, cli/serve).

use super::{Server, flag};
use crate::case::{Case, Judged};

pub(super) fn server(case: &Case, judged: &Judged) -> Server {
    let plan = &judged.plan;
    let version = plan.serve.version.clone().unwrap_or_default();
    let mut words = vec!["vllm".to_owned(), "serve".to_owned(), case.model.name.clone()];
    for (name, ranks) in [
        ("--tensor-parallel-size", plan.parallel.tp),
        ("--pipeline-parallel-size", plan.parallel.pp),
        ("--data-parallel-size", plan.parallel.dp.max(1) * copies_of_node(case, judged)),
    ] {
        if ranks > 1 {
            words.extend(flag(name, ranks));
        }
    }
    if plan.parallel.ep > 1 {
        words.push("--enable-expert-parallel".to_owned());
    }
    words.extend(flag("--max-model-len", case.work.context));
    let serve = &plan.serve;
    if let Some(sequences) = serve.max_num_seqs {
        words.extend(flag("--max-num-seqs", sequences));
    }
    if let Some(tokens) = serve.max_batched_tokens {
        words.extend(flag("--max-num-batched-tokens", tokens));
    }
    if let Some(share) = serve.memory_fraction {
        words.extend(flag("--gpu-memory-utilization", share));
    }
    if serve.kv_precision.keys.name == "fp8" {
        words.extend(flag("--kv-cache-dtype", "fp8"));
    }
    if case.requantised {
        words.extend(quantised(&plan.precision));
    }
    let nodes = super::nodes_of_copy(case, judged);
    if nodes > 1 {
        words.extend(flag("--distributed-executor-backend", "mp"));
        words.extend(flag("--nnodes", nodes));
        words.extend(flag("--node-rank", "NODE_RANK"));
        words.extend(flag("--master-addr", "FIRST_NODE"));
    }
    Server {
        program: format!("vLLM {version}"),
        before: Vec::new(),
        words,
        image: match super::maker(case) {
            Some("NVIDIA") => Some(format!("vllm/vllm-openai:v{version}")),
            Some("AMD") => Some(format!("vllm/vllm-openai-rocm:v{version}")),
            _ => None,
        },
        nodes,
        headless: Some("--headless"),
        entry: 2,
        port: 8000,
        pool_line: "deploy-confirm-pool-vllm",
    }
}

/// Copies that one node runs: vLLM's data parallelism spreads requests over them.
pub(super) fn copies_of_node(case: &Case, judged: &Judged) -> u32 {
    let nodes = case.machine.as_ref().map_or(1, |machine| machine.nodes.max(1));
    (judged.plan.parallel.replicas.max(1) / nodes).max(1)
}

/// What the engine quantises by itself while it loads; the others want a checkpoint that is stored so.
fn quantised(precision: &str) -> Vec<String> {
    match precision {
        "fp8" => flag("--quantization", "fp8").to_vec(),
        "nf4" => flag("--quantization", "bitsandbytes").to_vec(),
        "fp16" => flag("--dtype", "float16").to_vec(),
        "bf16" => flag("--dtype", "bfloat16").to_vec(),
        "fp32" => flag("--dtype", "float32").to_vec(),
        _ => Vec::new(),
    }
}
