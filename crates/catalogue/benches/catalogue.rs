//! Loading the built-in facts, and finding a part in them.

use divan::{Bencher, black_box};
use maat_catalogue::{Catalogue, HardwareRequest, OffersRequest, Terms, machine, offers};

fn main() {
    divan::main();
}

/// What `size --gpu` needs on a cold start: the part by its name, and the machine.
#[divan::bench]
fn machine_from_nothing() {
    let request = HardwareRequest { gpu: vec!["8x H100 SXM".into()], ..HardwareRequest::default() };
    let catalogue = Catalogue::builtin();
    let (found, _) = machine(black_box(&request), &catalogue).unwrap();
    black_box(found);
}

/// All accelerators with their rates.
#[divan::bench]
fn accelerators_from_nothing() {
    black_box(Catalogue::builtin().accelerators().len());
}

/// All offers with their names resolved, as `advise` needs them.
#[divan::bench]
fn offers_from_nothing() {
    black_box(Catalogue::builtin().offers().len());
}

/// A name in a catalogue that is loaded.
#[divan::bench(args = ["RTX 4090", "NVIDIA A100-SXM4-80GB", "10de:2330", "RTX 4091"])]
fn resolve(bencher: Bencher, name: &str) {
    let catalogue = Catalogue::builtin();
    let _ = catalogue.resolve_accelerator(name);
    bencher.bench_local(|| catalogue.resolve_accelerator(black_box(name)).is_ok());
}

/// A query over the loaded offers.
#[divan::bench]
fn query_offers(bencher: Bencher) {
    let catalogue = Catalogue::builtin();
    let request = OffersRequest { gpu: Some("H100 SXM".into()), ..OffersRequest::default() };
    let terms = Terms::default();
    let _ = offers(&request, &catalogue, &terms);
    bencher.bench_local(|| offers(black_box(&request), &catalogue, &terms).unwrap().body.offers.len());
}
