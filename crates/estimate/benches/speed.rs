//! One estimate of speed: the budget is 50 microseconds with memory.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot be set up fails")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Case, accelerator};
use divan::{Bencher, black_box};
use maat_estimate::{Memory, Profile, speed_of};
use maat_model::{Options, open};

fn main() {
    divan::main();
}

fn case(model: &str) -> Case {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.model = open(model, &Options::default()).unwrap();
    case.work.users = 64;
    case.plan.parallel.tp = 8;
    case.machine.slots[0].count = 8;
    case
}

#[divan::bench(args = ["meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-70B"])]
fn estimate(bencher: Bencher, model: &str) {
    let case = case(model);
    let profile = Profile::new(&case.model, &case.rules.efficiencies);
    let memory = Memory::default();
    bencher.bench_local(|| speed_of(black_box(&profile), &case.job(), &memory));
}

#[divan::bench(args = ["meta-llama/Llama-3.1-8B"])]
fn profile(bencher: Bencher, model: &str) {
    let case = case(model);
    bencher.bench_local(|| Profile::new(black_box(&case.model), &case.rules.efficiencies));
}
