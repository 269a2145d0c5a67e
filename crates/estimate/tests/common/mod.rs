//! A job put together from parts.
#![allow(dead_code, reason = "each test uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::sync::Arc;

use maat_base::{Basis, Bytes, Sourced};
use maat_catalogue::{Accelerator, Accumulate, Host, Link, Machine, NumberType, Processor, Slot, TensorRate};
use maat_estimate::{
    Engine, Job, KvPrecision, Memory, Parallel, Plan, Rules, ServePlan, Serving, Speed, Task, speed,
};
use maat_model::{Encoding, Model, Options, open};

/// An accelerator with 16-bit units only.
pub fn accelerator(architecture: &str, memory: &str, bandwidth: f64, flop_per_s: f64) -> Accelerator {
    let rate = |number, flop_per_s| TensorRate {
        number,
        accumulate: Accumulate::Fp32,
        sparse: false,
        matrix: number != NumberType::Fp32,
        flop_per_s: Sourced::new(flop_per_s, Basis::Vendor, "test"),
    };
    Accelerator {
        architecture: architecture.to_owned(),
        memory_type: memory.to_owned(),
        bandwidth: Some(Sourced::new(bandwidth, Basis::Vendor, "test")),
        rates: vec![
            rate(NumberType::Bf16, flop_per_s),
            rate(NumberType::Fp16, flop_per_s),
            rate(NumberType::Fp32, flop_per_s / 10.0),
        ],
        units: Some(132),
        clock_hz: Some(1.8e9),
        power_w: Some(700.0),
        ..Accelerator::of_memory("card".to_owned(), Bytes::gib(80))
    }
}

/// A job that can be varied.
pub struct Case {
    pub model: Model,
    pub work: Serving,
    pub machine: Machine,
    pub plan: Plan,
    pub rules: Rules,
}

impl Case {
    /// Llama-3.1-8B in bf16 for one user on one accelerator with vLLM.
    pub fn new(accelerator: Accelerator) -> Self {
        let bf16 = Arc::new(Encoding::plain("bf16", 16));
        Self {
            model: open("meta-llama/Llama-3.1-8B", &Options::default()).unwrap(),
            work: Serving { task: Task::Chat, users: 1, input: 1024, output: 256, context: 1280 },
            machine: machine(accelerator),
            plan: Plan {
                precision: "bf16".to_owned(),
                parallel: Parallel { tp: 1, pp: 1, dp: 1, ep: 1, cp: 1, replicas: 1, stages: None },
                serve: ServePlan {
                    engine: Engine::Vllm,
                    version: None,
                    kv_precision: KvPrecision { keys: bf16.clone(), values: bf16 },
                    memory_fraction: None,
                    max_batched_tokens: None,
                    max_num_seqs: None,
                    ubatch: None,
                    flash_attention: true,
                    gpu_layers: None,
                    experts_on_cpu: false,
                    kv_on_cpu: false,
                },
            },
            rules: Rules::built_in().unwrap(),
        }
    }

    pub fn job(&self) -> Job<'_> {
        Job {
            model: &self.model,
            work: &self.work,
            machine: Some(&self.machine),
            plan: &self.plan,
            rules: &self.rules,
        }
    }

    pub fn speed(&self) -> Option<Speed> {
        speed(&self.job(), &Memory::default())
    }
}

pub fn machine(accelerator: Accelerator) -> Machine {
    Machine {
        name: "test".to_owned(),
        slots: vec![Slot { accelerator: Arc::new(accelerator), count: 1 }],
        nodes: 1,
        slice: None,
        power_limit_w: None,
        link: Some(Link { name: "link".to_owned(), bytes_per_s: 450e9, switched: true, peer_to_peer: true }),
        host_link: None,
        network: None,
        psu_w: None,
        host: Host::default(),
    }
}

/// A processor with AVX2.
pub fn processor(cores: u32, clock_hz: f64, bandwidth: f64) -> Processor {
    Processor {
        name: "processor".to_owned(),
        sockets: 1,
        cores,
        threads: None,
        simd: "AVX2".to_owned(),
        clock_hz: Sourced::new(clock_hz, Basis::Vendor, "test"),
        fp32_flop_per_clock: 32.0,
        bf16_flop_per_clock: 0.0,
        int8_op_per_clock: 64.0,
        bandwidth: Some(Sourced::new(bandwidth, Basis::Vendor, "test")),
        cache_bytes: None,
        power_w: Some(100.0),
        measured: None,
    }
}
