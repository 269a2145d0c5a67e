//! Checks of the repository itself: `cargo xtask tidy`.
#![expect(clippy::print_stderr, clippy::print_stdout, reason = "a tool for the terminal")]

mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["tidy"] {
        return tidy::run();
    }
    eprintln!("usage: cargo xtask tidy");
    ExitCode::from(2)
}
