//! How fast memory and fit are judged: a planner asks for thousands.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up fails")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Case, accelerator};
use maat_estimate::{Rules, fit, memory};

fn main() {
    divan::main();
}

#[divan::bench]
fn one_card(bencher: divan::Bencher) {
    let case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    let job = case.job();
    bencher.bench_local(|| {
        let memory = memory(divan::black_box(&job));
        fit(&job, &memory).is_none()
    });
}

#[divan::bench]
fn eight_ranks_in_two_stages(bencher: divan::Bencher) {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.machine.slots[0].count = 8;
    case.plan.parallel.tp = 4;
    case.plan.parallel.pp = 2;
    let job = case.job();
    bencher.bench_local(|| {
        let memory = memory(divan::black_box(&job));
        fit(&job, &memory).is_none()
    });
}

#[divan::bench]
fn rules() -> Rules {
    Rules::built_in().unwrap()
}
