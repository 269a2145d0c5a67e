//! How long a live look takes.

fn main() {
    divan::main();
}

#[divan::bench]
fn live() -> maat_readings::stack::Live {
    maat_probe::live(maat_probe::Options::default())
}
