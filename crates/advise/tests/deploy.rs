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
        "--n-gpu-layers 33",
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

fn train(task: maat_estimate::Task) -> WorkRequest {
    let training = maat_advise::TrainingRequest {
        tokens: Some(maat_economics::Tokens(1e9)),
        ..maat_advise::TrainingRequest::default()
    };
    WorkRequest { task: Some(task), training, ..WorkRequest::default() }
}

/// FSDP2's `reshard_after_forward` is false where only gradients and states are divided (ZeRO-2) and true where weights
/// are too (transformers, training_args.py); TRL computes activations again unless told not to.
#[test]
fn torchrun_has_the_plan_in_its_flags_and_settings() {
    for zero in [2, 3] {
        let mut work = train(maat_estimate::Task::Full);
        work.training.zero = Some(zero);
        work.training.global_batch = Some(64);
        let deploy = deploy("meta-llama/Llama-3.1-8B", "H100 SXM", DeployTarget::Torchrun, work).unwrap();
        let settings: serde_json::Value = serde_json::from_str(&deploy.files[0].content).unwrap();
        assert_eq!(settings["reshard_after_forward"], zero == 3);
        for part in [
            "-m trl.scripts.sft",
            "--dtype float32",
            "--gradient_checkpointing False",
            "--fsdp_config fsdp.json",
        ] {
            assert!(deploy.command.contains(part), "{part}: {}", deploy.command);
        }
        let number = |flag: &str| -> u64 {
            let rest = deploy.command.split(flag).nth(1).unwrap();
            rest.split_whitespace().next().unwrap().parse().unwrap()
        };
        assert_eq!(number("--nproc-per-node") * number("--gradient_accumulation_steps"), 64);
        // 10^9 tokens in steps of 64 sequences of 2,048.
        assert!(deploy.command.contains("--max_steps 7630"), "{}", deploy.command);
    }
}

#[test]
fn deepspeed_has_its_stage_in_its_json() {
    let mut work = train(maat_estimate::Task::Full);
    work.training.zero = Some(3);
    work.training.offload = Some(maat_estimate::Offload::All);
    let deploy = deploy("meta-llama/Llama-3.1-8B", "H100 SXM", DeployTarget::Deepspeed, work).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&deploy.files[0].content).unwrap();
    assert_eq!(settings["zero_optimization"]["stage"], 3);
    assert_eq!(settings["zero_optimization"]["offload_param"]["device"], "cpu");
    assert!(deploy.command.contains("--module trl.scripts.sft"), "{}", deploy.command);
}

/// Mixtral: 32 layers of 4,096, 32 heads over 8 of keys, 8 experts of 14,336 of which 2 run (config.json).
#[test]
fn megatron_has_the_sizes_of_the_model() {
    let work = train(maat_estimate::Task::Pretrain);
    let deploy = deploy("mistralai/Mixtral-8x7B-v0.1", "H200", DeployTarget::Megatron, work).unwrap();
    for part in [
        "pretrain_gpt.py",
        "--num-layers 32",
        "--hidden-size 4096",
        "--ffn-hidden-size 14336",
        "--num-query-groups 8",
        "--num-experts 8",
        "--moe-router-topk 2",
        "--use-distributed-optimizer",
        "--untie-embeddings-and-output-weights",
    ] {
        assert!(deploy.command.contains(part), "{part}: {}", deploy.command);
    }
}

#[test]
fn scripts_of_training_refuse_what_they_do_not_do() {
    let megatron = deploy(
        "meta-llama/Llama-3.1-8B",
        "H100 SXM",
        DeployTarget::Megatron,
        train(maat_estimate::Task::Lora),
    );
    assert_eq!(megatron.unwrap_err(), "deploy-other-task");
    let vllm =
        deploy("meta-llama/Llama-3.1-8B", "H100 SXM", DeployTarget::Vllm, train(maat_estimate::Task::Full));
    assert_eq!(vllm.unwrap_err(), "deploy-other-engine");
}

/// AMD's cards have an image and devices of their own.
#[test]
fn compose_follows_the_maker_of_the_cards() {
    let deploy = deploy("Qwen/Qwen3-32B", "MI300X", DeployTarget::Compose, WorkRequest::default()).unwrap();
    let content = &deploy.files[0].content;
    assert!(content.contains("image: vllm/vllm-openai-rocm:v") && content.contains("/dev/kfd"), "{content}");
    assert!(!content.contains("driver: nvidia"), "{content}");
}
