//! Opening a model from nothing, as every command with a model does.

use divan::black_box;
use maat_model::{Options, open};

fn main() {
    divan::main();
}

/// A dense model, one whose layers are told apart by long lists, a bare size, and a file's mixture.
#[divan::bench(args = ["meta-llama/Llama-3.1-8B", "gpt-oss-120b", "DeepSeek-V3", "7B"])]
fn built_in(name: &str) -> u64 {
    black_box(open(black_box(name), &Options::default())).map_or(0, |model| model.params_total())
}

/// The same in a mixture, which looks at every tensor.
#[divan::bench]
fn in_a_mixture() -> u64 {
    let options = Options { precision: Some("Q4_K_M".to_owned()) };
    black_box(open("Qwen/Qwen2.5-72B", &options)).map_or(0, |model| model.weights_bytes().0)
}
