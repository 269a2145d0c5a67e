//! Checks of the repository itself: `cargo xtask tidy`.
#![expect(clippy::print_stderr, clippy::print_stdout, reason = "a tool for the terminal")]

mod refresh_wheels;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["tidy"] {
        return tidy::run();
    }
    if let Some(("refresh-wheels", files @ [_, ..])) =
        args.split_first().map(|(verb, files)| (verb.as_str(), files))
    {
        return refresh_wheels::run(files);
    }
    eprintln!("usage: cargo xtask tidy | refresh-wheels METADATA…");
    ExitCode::from(2)
}
