//! How fast outputs become an answer.

use divan::Bencher;
use divan::counter::BytesCount;
use maat_diagnose::{DiagnoseRequest, diagnose};

fn main() {
    divan::main();
}

fn run(bencher: Bencher<'_, '_>, text: &str) {
    bencher.counter(BytesCount::of_str(text)).bench(|| {
        let _ = diagnose(&DiagnoseRequest::default(), vec![("input".to_owned(), text.as_bytes().to_vec())]);
    });
}

/// A paste of three tools, as people hand it over.
#[divan::bench]
fn paste(bencher: Bencher<'_, '_>) {
    run(bencher, include_str!("../tests/classes/cpu-oversubscription/proves.txt"));
}

/// A long log of NCCL.
#[divan::bench]
fn log(bencher: Bencher<'_, '_>) {
    let line = "n1:100:160 [0] NCCL INFO Channel 01/0 : 9[1] -> 0[0] [receive] via P2P/CUMEM/read\n";
    run(bencher, &line.repeat(60_000));
}

/// An hour of a query, once a second.
#[divan::bench]
fn query(bencher: Bencher<'_, '_>) {
    let head = "timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], power.limit [W]\n";
    let row = "2026/03/01 10:00:00.000, 0, 97 %, 41000 MiB, 81920 MiB, 640.00 W, 700.00 W\n";
    run(bencher, &format!("{head}{}", row.repeat(3_600)));
}
