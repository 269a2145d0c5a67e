//! Models of caches and weights only, and jobs on named parts.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::sync::Arc;

use maat_base::{Basis, Bytes};
use maat_catalogue::{Accelerator, Slot};
use maat_estimate::{Engine, KvPrecision, Memory, memory};
use maat_model::{
    Cache, CacheKind, Compute, Encoding, Layer, Length, Mixer, Model, Stack, StackKind, State, Weight,
};

use crate::common::{Case, machine};

/// An H100 SXM as its driver reports it: 81,559 MiB.
pub fn h100() -> Accelerator {
    part("H100 SXM", "NVIDIA", "9.0", Bytes::mib(81559))
}

pub fn part(name: &str, vendor: &str, isa: &str, capacity: Bytes) -> Accelerator {
    Accelerator {
        vendor: vendor.to_owned(),
        isa: isa.to_owned(),
        ..Accelerator::of_memory(name.to_owned(), capacity)
    }
}

/// A job of Llama-3.1-8B in bf16 on one H100.
pub fn case() -> Case {
    Case::new(h100())
}

/// So many parts in one node.
pub fn on(case: &mut Case, part: Accelerator, count: u32) {
    case.machine = machine(part);
    case.machine.slots[0].count = count;
}

/// Another part beside those that are there.
pub fn beside(case: &mut Case, part: Accelerator) {
    case.machine.slots.push(Slot { accelerator: Arc::new(part), count: 1 });
}

/// A machine without accelerators.
pub fn cpu(case: &mut Case, ram: Bytes) {
    case.machine.slots.clear();
    case.machine.host.ram = Some(ram);
    case.plan.serve.engine = Engine::Llamacpp;
}

pub fn memory_of(case: &Case) -> Memory {
    memory(&case.job())
}

/// The memory without hardware.
pub fn anywhere(case: &Case) -> Memory {
    let mut job = case.job();
    job.machine = None;
    memory(&job)
}

pub fn plain(name: &str, bits: u64) -> Arc<Encoding> {
    Arc::new(Encoding::plain(name, bits))
}

/// A GGML block type: elements and bits of a block.
pub fn blocks(name: &str, elements: u64, bits: u64) -> Arc<Encoding> {
    Arc::new(Encoding {
        name: name.to_owned(),
        block_elements: elements,
        block_bits: bits,
        scales: Vec::new(),
    })
}

pub fn kv(keys: &Arc<Encoding>, values: &Arc<Encoding>) -> KvPrecision {
    KvPrecision { keys: keys.clone(), values: values.clone() }
}

pub fn cache(kind: CacheKind, heads: u64, key: u64, value: u64, window: Option<u64>) -> Mixer {
    let attention = Compute::Attention {
        heads,
        key_dim: key,
        value_dim: value,
        window,
        causal: true,
        indexer: None,
        prefill_dims: None,
    };
    let over = Length::Tokens;
    let caches = vec![Cache { kind, heads, key, value, every: 1, window, over, encoding: None }];
    Mixer { compute: attention, caches, state: None }
}

pub fn full(heads: u64, dim: u64) -> Mixer {
    cache(CacheKind::Full, heads, dim, dim, None)
}

pub fn window(heads: u64, dim: u64, tokens: u64) -> Mixer {
    cache(CacheKind::Window, heads, dim, dim, Some(tokens))
}

pub fn state(kind: CacheKind, heads: u64, elements: u64, conv: u64) -> Mixer {
    let state = Some(State { kind, heads, elements, conv, encoding: None });
    Mixer { compute: Compute::Recurrence { flops_per_token: 0 }, caches: Vec::new(), state }
}

/// Layers of given weights and mixers, so many of each.
pub fn model_of(kinds: Vec<(u64, Vec<Mixer>, Vec<Weight>)>) -> Model {
    let mut order = Vec::new();
    let mut layers = Vec::new();
    for (index, (count, mixers, weights)) in (0u16..).zip(kinds) {
        order.extend((0..count).map(|_| index));
        layers.push(Layer { mixers, weights });
    }
    Model {
        name: "test".to_owned(),
        architecture: "TestForCausalLM".to_owned(),
        family: "test".to_owned(),
        stacks: vec![Stack {
            kind: StackKind::Decoder,
            hidden: 64,
            over: Length::Tokens,
            path: "layers".into(),
            before: Vec::new(),
            layers,
            order,
            after: Vec::new(),
        }],
        vocabulary: Some(1000),
        context_max: None,
        dtype: plain("bf16", 16),
        precision: "bf16".to_owned(),
        kv_default: None,
        caches_known: true,
        mtp_known: true,
        licence: None,
        stored_bytes: None,
        basis: Basis::Computed,
        assumed: Vec::new(),
    }
}

/// Layers of one mixer each and no weights.
pub fn model(kinds: &[(u64, Mixer)]) -> Model {
    model_of(kinds.iter().map(|(count, mixer)| (*count, vec![mixer.clone()], Vec::new())).collect())
}

/// The cache of one sequence of so many tokens, by engine.
pub fn sequence(model: Model, engine: Engine, tokens: u64) -> Memory {
    let mut case = case();
    case.model = model;
    case.work.context = tokens;
    case.plan.serve.engine = engine;
    anywhere(&case)
}
