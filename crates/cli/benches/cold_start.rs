//! How long a whole command takes, from start to exit: `cargo bench -p maat-cli`.

use std::process::{Command, Stdio};

fn main() {
    divan::main();
}

/// Commands that people begin with.
const COMMANDS: &[&str] = &[
    "--version",
    "model llama-3.1-8b",
    "size llama-3.1-8b --gpu RTX-4090",
    "size llama-3.1-8b --gpu RTX-4090 --json --lang nl",
    "advise llama-3.1-8b --users 20",
    "catalogue show H100",
    "catalogue lint",
];

#[divan::bench(args = COMMANDS, sample_count = 50)]
fn cold(bencher: divan::Bencher, command: &str) {
    bencher.bench_local(|| {
        Command::new(env!("CARGO_BIN_EXE_maat"))
            .args(command.split(' '))
            .env_clear()
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
    });
}
