//! Loading the built-in facts, and finding a part in them.

use std::fmt::Write as _;

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
    black_box(machine(black_box(&request), &catalogue).is_ok());
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
    bencher.bench_local(|| offers(black_box(&request), &catalogue, &terms).is_ok());
}

/// A folder of one's own with 100,000 offers, laid over the built-in facts; removed when the bench ends.
struct Folder(std::path::PathBuf);

impl Folder {
    fn with_offers(count: usize) -> std::io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("maat-bench-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("offers"))?;
        let mut text = String::from(
            "provider,offer,region,accelerator,accelerator_raw,memory_gb,count,vcpu,ram_gb,price_per_hour,\
             price_per_accelerator_hour,currency,pricing,commitment_months,observed,source,flags\n",
        );
        for at in 0..count {
            let (name, memory) = [("L40S", 48), ("H100 SXM", 80), ("RTX 4090", 24), ("B200", 180)][at % 4];
            let price = 1.0 + at as f64 / 1e5;
            let _ = writeln!(
                text,
                "p{},o{at},eu-{},{name},{name},{memory},1,8,64,{price},{price},USD,on-demand,0,2026-11-01,bench,",
                at % 40,
                at % 7
            );
        }
        std::fs::write(folder.join("offers/many.csv"), text)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Reads and checks a folder with 100,000 offers.
#[divan::bench(sample_count = 10)]
fn overlay_of_100_000_offers(bencher: Bencher) {
    let Ok(folder) = Folder::with_offers(100_000) else { return };
    bencher.bench_local(|| Catalogue::with_overlay(&folder.0).map(|catalogue| catalogue.offers().len()));
}

/// A query over 100,000 offers.
#[divan::bench(sample_count = 10)]
fn query_100_000_offers(bencher: Bencher) {
    let Ok(folder) = Folder::with_offers(100_000) else { return };
    let Ok(catalogue) = Catalogue::with_overlay(&folder.0) else { return };
    let request =
        OffersRequest { gpu: Some("H100 SXM".into()), max_price: Some(1.1), ..OffersRequest::default() };
    let terms = Terms::default();
    bencher.bench_local(|| offers(black_box(&request), &catalogue, &terms).is_ok());
}
