//! Prints what of a model is stored how: `cargo run -p maat-model --example encodings -- MODEL…`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example that prints")]

use std::collections::BTreeMap;

use maat_model::{Options, Stack, open};

fn main() {
    for name in std::env::args().skip(1) {
        match open(&name, &Options::default()) {
            Err(fault) => eprintln!("{name}: {fault}"),
            Ok(model) => print(&name, &model),
        }
    }
}

fn print(name: &str, model: &maat_model::Model) {
    let summary = model.summary();
    println!(
        "{name}: {} params, {} bytes, {}, cache {:?}",
        summary.params_total,
        summary.weights_bytes.0,
        summary.precision,
        model.kv_default.as_ref().map(|e| &e.name)
    );
    let mut rows: BTreeMap<(String, String, String), (u64, u64)> = BTreeMap::new();
    for (weight, n) in model.stacks.iter().flat_map(Stack::weights) {
        let part = format!("{:?}", weight.part);
        let row = rows.entry((weight.encoding.name.clone(), part, weight.name.to_string())).or_default();
        row.0 += n;
        row.1 += weight.bytes().0 * n;
    }
    for ((encoding, part, weight), (n, bytes)) in rows {
        println!("  {encoding:8} {part:14} {n:5} x {weight:50} {bytes:>16}");
    }
}
