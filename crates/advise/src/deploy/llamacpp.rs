//! llama.cpp: `llama-server` (tools/server/README.md).

use maat_estimate::{KvPrecision, ServePlan};

use super::{Server, flag};
use crate::case::{Case, Judged};

pub(super) fn server(case: &Case, judged: &Judged) -> Server {
    let plan = &judged.plan;
    let version = plan.serve.version.clone().unwrap_or_default();
    let (file, before) = file(case, &plan.precision);
    let mut words = vec!["llama-server".to_owned()];
    words.extend(flag("--model", file));
    // The context is that of all slots together.
    let users = case.work.users.div_ceil(u64::from(plan.parallel.replicas.max(1))).max(1);
    words.extend(flag("--ctx-size", case.work.context.saturating_mul(users)));
    words.extend(flag("--parallel", users));
    let on_gpu = case.machine.as_ref().is_some_and(|machine| !machine.slots.is_empty());
    if on_gpu {
        // A number, which every version takes; the output counts as one more layer.
        let layers = case.model.decoder().map_or(999, |stack| stack.order.len() as u64 + 1);
        words.extend(flag("--n-gpu-layers", plan.serve.gpu_layers.unwrap_or(layers)));
    }
    placement(&plan.serve, &mut words);
    cache(&plan.serve.kv_precision, &mut words);
    words.extend(flag("--flash-attn", if plan.serve.flash_attention { "on" } else { "off" }));
    if let Some(ubatch) = plan.serve.ubatch {
        words.extend(flag("--ubatch-size", ubatch));
    }
    if let Some(threads) = case.machine.as_ref().and_then(|machine| machine.host.processor.as_ref()?.threads)
    {
        words.extend(flag("--threads", threads));
    }
    words.extend(flag("--port", 8080));
    Server {
        program: format!("llama.cpp {version}"),
        before,
        words,
        image: match super::maker(case) {
            None => Some("server"),
            Some("NVIDIA") => Some("server-cuda"),
            Some("AMD") => Some("server-rocm"),
            Some("Intel") => Some("server-intel"),
            Some(_) => None,
        }
        .map(|tag| format!("ghcr.io/ggml-org/llama.cpp:{tag}")),
        nodes: 1,
        headless: None,
        entry: 1,
        port: 8080,
        pool_line: "deploy-confirm-pool-llamacpp",
    }
}

fn placement(serve: &ServePlan, words: &mut Vec<String>) {
    if serve.experts_on_cpu {
        words.push("--cpu-moe".to_owned());
    }
    if serve.kv_on_cpu {
        words.push("--no-kv-offload".to_owned());
    }
}

fn cache(kv: &KvPrecision, words: &mut Vec<String>) {
    for (name, encoding) in [("--cache-type-k", &kv.keys), ("--cache-type-v", &kv.values)] {
        if !matches!(encoding.name.as_str(), "fp16" | "f16" | "bf16") {
            words.extend(flag(name, &encoding.name));
        }
    }
}

/// The GGUF file, and how it is made where the model is not one.
fn file(case: &Case, precision: &str) -> (String, Vec<String>) {
    let name = &case.model.name;
    if case.model.is_gguf() {
        return (name.clone(), Vec::new());
    }
    let short = name.rsplit('/').next().unwrap_or(name);
    let plain = matches!(precision, "bf16" | "fp16" | "fp32");
    let kind = if plain { precision.replace("fp", "f") } else { "bf16".to_owned() };
    let whole = format!("{short}-{kind}.gguf");
    let download = format!("hf download {name} --local-dir {short}");
    let convert = format!("python convert_hf_to_gguf.py {short} --outtype {kind} --outfile {whole}");
    if plain {
        return (whole, vec![download, convert]);
    }
    let kind = precision.to_ascii_uppercase();
    let file = format!("{short}-{kind}.gguf");
    let quantise = format!("llama-quantize {whole} {file} {kind}");
    (file, vec![download, convert, quantise])
}
