//! The README shows what the command answers: each block that begins with `$ maat` is run.
//! `INSTA_UPDATE=always cargo test -p maat-cli readme` writes the answers anew.

use std::path::Path;

use crate::context::TestContext;

const START: &str = "```\n$ maat ";
const END: &str = "\n```\n";

#[test]
fn readme_shows_real_answers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let fresh = with_answers(&readme);
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(path, fresh).unwrap();
    } else {
        let stale = readme.lines().zip(fresh.lines()).find(|(old, new)| old != new);
        assert!(
            readme == fresh,
            "README.md is stale: INSTA_UPDATE=always cargo test -p maat-cli readme\n{stale:?}"
        );
    }
}

fn with_answers(readme: &str) -> String {
    let mut parts = readme.split(START);
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (block, rest) = part.split_once(END).unwrap();
        let command = block.lines().next().unwrap();
        let outcome = TestContext::new().run(&words(command));
        assert_eq!(outcome.exit, 0, "{command}: {outcome}");
        out.extend([START, command, "\n", outcome.stdout.trim_end(), END, rest]);
    }
    out
}

/// Words of a command, with double quotes around those with spaces.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (place, piece) in command.split('"').enumerate() {
        if place % 2 == 1 {
            words.push(piece);
        } else {
            words.extend(piece.split_whitespace());
        }
    }
    words
}
