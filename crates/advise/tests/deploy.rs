//! The commands that start a plan, word by word as the programs' documentation has their flags.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use maat_advise::{
    AdviseRequest, Deploy, DeployTarget, EngineChoice, LimitRequest, WorkRequest, World, advise,
};
use maat_catalogue::{Catalogue, HardwareRequest};
use maat_estimate::{Engine, Rules};

fn deploy(model: &str, gpu: &str, target: DeployTarget, work: WorkRequest) -> Result<Deploy, String> {
    let (catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
    let world = World {
        catalogue: &catalogue,
        rules: &rules,
        as_of: None,
        currency: None,
        explain: false,
        eur_per_usd: None,
    };
    let request = AdviseRequest {
        model: Some(model.into()),
        work,
        hardware: HardwareRequest { gpu: vec![gpu.into()], ..HardwareRequest::default() },
        limits: LimitRequest { deploy: Some(target), ..LimitRequest::default() },
    };
    let answer = advise(&request, &world).map_err(|fault| fault.code.to_string())?;
    Ok(answer.body.deploy.unwrap())
}

#[test]
fn vllm_has_the_plan_in_its_flags() {
    let work = WorkRequest {
        context: Some(4096),
        kv_precision: Some("fp8".into()),
        tp: Some(4),
        ..WorkRequest::default()
    };
    let deploy = deploy("meta-llama/Llama-3.1-70B", "H100 SXM", DeployTarget::Vllm, work).unwrap();
    for part in [
        "vllm serve meta-llama/Llama-3.1-70B \\",
        "--tensor-parallel-size 4",
        "--max-model-len 4096",
        "--kv-cache-dtype fp8",
    ] {
        assert!(deploy.command.contains(part), "{part}: {}", deploy.command);
    }
    assert!(deploy.confirm.iter().any(|text| text.id == "deploy-confirm-pool-vllm"));
}

/// llama.cpp's context is that of all slots together, and a model that is no GGUF is converted first.
#[test]
fn llamacpp_counts_the_context_of_all_slots() {
    let work = WorkRequest {
        users: Some(4),
        context: Some(2048),
        precision: Some("q4_K_M".into()),
        ..WorkRequest::default()
    };
    let deploy = deploy("meta-llama/Llama-3.1-8B", "RTX 4090", DeployTarget::Llamacpp, work).unwrap();
    for part in [
        "llama-quantize Llama-3.1-8B-bf16.gguf Llama-3.1-8B-Q4_K_M.gguf Q4_K_M",
        "--ctx-size 8192",
        "--parallel 4",
        "--n-gpu-layers all",
    ] {
        assert!(deploy.command.contains(part), "{part}: {}", deploy.command);
    }
}

#[test]
fn compose_reserves_the_cards_of_the_plan() {
    let work = WorkRequest {
        engine: Some(EngineChoice { engine: Engine::Sglang, version: None }),
        tp: Some(2),
        ..WorkRequest::default()
    };
    let deploy = deploy("Qwen/Qwen3-32B", "H100 SXM", DeployTarget::Compose, work).unwrap();
    assert_eq!(deploy.files.len(), 1);
    let content = &deploy.files[0].content;
    for part in ["image: lmsysorg/sglang:v", "- \"--tp-size\"\n      - \"2\"", "count: 2", "\"30000:30000\""]
    {
        assert!(content.contains(part), "{part}: {content}");
    }
}

#[test]
fn what_cannot_be_started_is_refused() {
    let none = WorkRequest::default;
    assert_eq!(deploy("7B", "RTX 4090", DeployTarget::Vllm, none()).unwrap_err(), "deploy-bare-size");
    let other = WorkRequest {
        engine: Some(EngineChoice { engine: Engine::Llamacpp, version: None }),
        precision: Some("q8_0".into()),
        ..none()
    };
    let refused = deploy("meta-llama/Llama-3.1-8B", "RTX 4090", DeployTarget::Vllm, other);
    assert_eq!(refused.unwrap_err(), "deploy-other-engine");
}
