//! Weights of a rank by hand. Llama-3.1-8B has 8,030,261,248 parameters: 525,336,576 in each of embedding and head,
//! 218,112,000 in each of 32 layers, 4096 in the last norm.

use maat_base::Bytes;
use maat_estimate::Engine;
use maat_model::{Part, Role, Shape, Split, Storage, Weight};

use crate::build::*;

const LAYER: u64 = 218112000;
const TABLE: u64 = 128256 * 4096;

#[test]
fn undivided_weights_are_the_models() {
    for engine in [Engine::Vllm, Engine::Transformers] {
        let mut one = case();
        one.plan.serve.engine = engine;
        assert_eq!(memory_of(&one).per_accelerator.weights_bytes, Bytes(2 * 8030261248), "{engine}");
    }
}

/// Of a layer, the two norms of 4096 are copied and all else divides.
#[test]
fn tensor_parallel_divides_matrices_and_copies_norms() {
    let mut split = case();
    on(&mut split, h100(), 4);
    split.plan.parallel.tp = 4;
    let layer = (LAYER - 2 * 4096) / 4 + 2 * 4096;
    let expected = 2 * (32 * layer + 2 * TABLE / 4 + 4096);
    let memory = memory_of(&split);
    assert_eq!(memory.per_accelerator.weights_bytes, Bytes(expected));
    assert_eq!(memory.total_bytes, memory.per_accelerator.total_bytes * 4);
}

/// Beyond 8 ranks keys and values are copied: two matrices of 4096 x 128 for each rank.
#[test]
fn few_key_value_heads_are_copied() {
    let mut split = case();
    on(&mut split, h100(), 16);
    split.plan.parallel.tp = 16;
    let kv = 2 * 4096 * 1024;
    let layer = (LAYER - kv - 2 * 4096) / 16 + kv / 8 + 2 * 4096;
    let expected = 2 * (32 * layer + 2 * TABLE / 16 + 4096);
    assert_eq!(memory_of(&split).per_accelerator.weights_bytes, Bytes(expected));
}

/// 32 layers in three stages: ten each, and the two that are left go to the stages before the last, backwards.
#[test]
fn stages_hold_their_layers_and_ends() {
    let mut split = case();
    on(&mut split, h100(), 3);
    split.plan.parallel.pp = 3;
    let memory = memory_of(&split);
    let weights: Vec<_> = memory.accelerators.iter().map(|rank| rank.weights_bytes).collect();
    let expected = [TABLE + 11 * LAYER, 11 * LAYER, 10 * LAYER + TABLE + 4096].map(|n| Bytes(2 * n));
    assert_eq!(weights, expected);
    assert_eq!(memory.total_bytes, memory.accelerators.iter().map(|rank| rank.total_bytes).sum());
    split.plan.parallel.stages = Some(vec![8, 12, 12]);
    assert_eq!(memory_of(&split).accelerators[0].weights_bytes, Bytes(2 * (TABLE + 8 * LAYER)));
}

/// A matrix in bf16 that divides by its outputs.
pub fn weight(name: &'static str, role: Role, rows: u64, cols: u64) -> Weight {
    Weight {
        name: name.into(),
        part: Part::Mlp,
        role,
        shape: Shape::MatMul { inputs: cols, outputs: rows, bias: false },
        copies: 1,
        active: 1,
        split: Split::Column,
        storage: Storage::Own,
        encoding: plain("bf16", 16),
        bias_encoding: plain("bf16", 16),
    }
}

/// vLLM pads a vocabulary of 50257 to 50304 rows, the others do not; a tied head is stored again only on another stage.
#[test]
fn vocabulary_padding_and_tied_heads() {
    let mut tied = case();
    let mut gpt2 = model(&[(2, full(12, 64))]);
    let table = |storage| Weight {
        part: Part::Embedding,
        split: Split::Vocabulary,
        shape: Shape::Table { rows: 50257, width: 768 },
        storage,
        ..weight("table", Role::Embed, 50257, 768)
    };
    gpt2.stacks[0].before.push(table(Storage::Own));
    gpt2.stacks[0].after.push(table(Storage::Shared(0)));
    tied.model = gpt2;
    assert_eq!(memory_of(&tied).per_accelerator.weights_bytes, Bytes(50304 * 768 * 2));
    tied.plan.serve.engine = Engine::Transformers;
    assert_eq!(memory_of(&tied).per_accelerator.weights_bytes, Bytes(50257 * 768 * 2));
    on(&mut tied, h100(), 2);
    tied.plan.parallel.pp = 2;
    assert_eq!(memory_of(&tied).per_accelerator.weights_bytes, Bytes(50257 * 768 * 2));
    assert_eq!(memory_of(&tied).total_bytes, memory_of(&tied).per_accelerator.total_bytes * 2);
    // llama.cpp keeps the embedding in host memory and a copy as the output on the accelerator.
    tied.plan.serve.engine = Engine::Llamacpp;
    tied.plan.parallel.pp = 1;
    assert_eq!(memory_of(&tied).per_accelerator.weights_bytes, Bytes(50257 * 768 * 2));
}

/// 8 experts of 64 x 32: by expert or by matrix, a rank of four holds a quarter; data-parallel ranks share them too.
#[test]
fn experts_divide_by_expert_or_by_matrix() {
    let mut split = case();
    let experts =
        Weight { part: Part::RoutedExperts, copies: 8, active: 2, ..weight("up", Role::Up, 64, 32) };
    split.model = model_of(vec![(1, vec![full(4, 16)], vec![experts])]);
    on(&mut split, h100(), 4);
    split.plan.parallel.tp = 4;
    let quarter = Bytes(8 * 64 * 32 * 2 / 4);
    assert_eq!(memory_of(&split).per_accelerator.weights_bytes, quarter);
    split.plan.parallel.ep = 4;
    assert_eq!(memory_of(&split).per_accelerator.weights_bytes, quarter);
    split.plan.parallel.tp = 1;
    split.plan.parallel.dp = 4;
    assert_eq!(memory_of(&split).per_accelerator.weights_bytes, quarter);
    // Three ranks: the fullest holds three of eight experts.
    split.plan.parallel.dp = 3;
    split.plan.parallel.ep = 3;
    assert_eq!(memory_of(&split).per_accelerator.weights_bytes, Bytes(3 * 64 * 32 * 2));
}

/// llama.cpp with 16 of 33 layers on the card: the last 16 layers there; embedding, 16 layers and the output on the
/// host.
#[test]
fn layers_are_offloaded_from_the_end() {
    let mut half = case();
    half.plan.serve.engine = Engine::Llamacpp;
    half.plan.serve.gpu_layers = Some(16);
    let memory = memory_of(&half);
    assert_eq!(memory.per_accelerator.weights_bytes, Bytes(2 * 16 * LAYER));
    let host = memory.host_ram_bytes.unwrap_or_default();
    assert!(host >= Bytes(2 * (16 * LAYER + 2 * TABLE)), "{host:?}");
    half.plan.serve.gpu_layers = None;
    assert_eq!(memory_of(&half).per_accelerator.weights_bytes, Bytes(2 * (32 * LAYER + TABLE + 4096)));
    half.plan.serve.gpu_layers = Some(0);
    assert_eq!(memory_of(&half).per_accelerator.weights_bytes, Bytes(0));
}

/// A 24 GB and a 12 GB card: two thirds of 33 layers (22) on the first, 11 with the output on the second.
#[test]
fn unequal_cards_share_by_memory() {
    let mut mixed = case();
    on(&mut mixed, part("big", "NVIDIA", "8.6", Bytes::gib(24)), 1);
    beside(&mut mixed, part("small", "NVIDIA", "8.6", Bytes::gib(12)));
    mixed.plan.serve.engine = Engine::Llamacpp;
    mixed.plan.parallel.pp = 2;
    let memory = memory_of(&mixed);
    let weights: Vec<_> = memory.accelerators.iter().map(|rank| rank.weights_bytes).collect();
    assert_eq!(weights, [Bytes(2 * 22 * LAYER), Bytes(2 * (10 * LAYER + TABLE + 4096))]);
    assert_eq!(memory.accelerators[1].name.as_deref(), Some("small"));
    // Ranks of one stage hold the same, each on its own card.
    mixed.plan.serve.engine = Engine::Vllm;
    (mixed.plan.parallel.tp, mixed.plan.parallel.pp) = (2, 1);
    let names: Vec<_> = memory_of(&mixed).accelerators.into_iter().map(|rank| rank.name).collect();
    assert_eq!(names, [Some("big".to_owned()), Some("small".to_owned())]);
    (mixed.plan.parallel.tp, mixed.plan.parallel.pp) = (1, 2);
    mixed.plan.serve.engine = Engine::Transformers;
    assert_eq!(memory_of(&mixed).accelerators[0].weights_bytes, Bytes(2 * (21 * LAYER + TABLE)));
}

/// On a machine without accelerators all of it is in host memory, and host memory is not counted again.
#[test]
fn a_processor_holds_everything() {
    let mut host = case();
    cpu(&mut host, Bytes::gib(64));
    let memory = memory_of(&host);
    assert_eq!(memory.per_accelerator.weights_bytes, Bytes(2 * 8030261248));
    assert_eq!(memory.host_ram_bytes, None);
    let free = memory.per_accelerator.free_bytes;
    assert_eq!(free, Some((64 << 30) - i64::try_from(memory.per_accelerator.total_bytes.0).unwrap_or(0)));
}
