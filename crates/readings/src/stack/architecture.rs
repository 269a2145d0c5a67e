//! Boards by name: which compute capability or AMD target they have, and what kind of board they are.

use std::sync::LazyLock;

/// The table's text; one row a board.
const BOARDS: &str = include_str!("../../../../facts/stack/boards.csv");

/// A row of `facts/stack/boards.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The name without the maker.
    pub name: String,
    /// `nvidia`, `amd` or `intel`.
    pub vendor: String,
    /// CUDA compute capability, where there is one.
    pub capability: Option<String>,
    /// AMD target, where there is one.
    pub gfx: Option<String>,
    /// `datacenter`, `workstation`, `geforce`, `jetson`, `radeon` or `integrated`.
    pub class: String,
    /// Name in lower case with single spaces and no dashes.
    key: String,
}

static TABLE: LazyLock<Vec<Board>> = LazyLock::new(|| parse(BOARDS));

/// All boards, the longest name first, so that `RTX 4070 Ti` is tried before `RTX 4070`.
pub fn boards() -> &'static [Board] {
    &TABLE
}

fn parse(text: &str) -> Vec<Board> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let some = |value: &str| (!value.is_empty()).then(|| value.to_owned());
    let mut boards: Vec<Board> = reader
        .records()
        .filter_map(Result::ok)
        .filter_map(|row| {
            Some(Board {
                name: row.get(0)?.to_owned(),
                vendor: row.get(1)?.to_owned(),
                capability: some(row.get(2)?),
                gfx: some(row.get(3)?),
                class: row.get(4)?.to_owned(),
                key: key(row.get(0)?),
            })
        })
        .collect();
    boards.sort_by_key(|board| std::cmp::Reverse(board.key.len()));
    boards
}

/// How names are compared.
fn key(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c == '-' || c == '_' { ' ' } else { c.to_ascii_lowercase() }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The board whose name stands in a text as whole words, the longest first.
pub fn board_in(text: &str) -> Option<&'static Board> {
    let text = format!(" {} ", key(text).replace(['(', ')', ',', ';', ':', '[', ']', '/', '|'], " "));
    boards().iter().find(|board| {
        text.match_indices(&board.key).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + board.key.len()..].chars().next();
            before == Some(' ') && after == Some(' ')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        assert_eq!(boards().len(), BOARDS.lines().count() - 1);
        for board in boards() {
            assert!(
                board.vendor == "intel" || board.capability.is_some() != board.gfx.is_some(),
                "{}",
                board.name
            );
        }
    }

    #[test]
    fn names_as_tools_print_them() {
        let capability = |name: &str| board_in(name).and_then(|board| board.capability.clone());
        assert_eq!(capability("NVIDIA GeForce RTX 5090").as_deref(), Some("12.0"));
        assert_eq!(capability("Tesla P100-PCIE-16GB").as_deref(), Some("6.0"));
        assert_eq!(capability("NVIDIA A100-SXM4-80GB").as_deref(), Some("8.0"));
        assert_eq!(capability("NVIDIA RTX 6000 Ada Generation").as_deref(), Some("8.9"));
        assert_eq!(capability("Quadro RTX 6000").as_deref(), Some("7.5"));
        assert_eq!(capability("NVIDIA GeForce GTX 1660 Ti").as_deref(), Some("7.5"));
        assert_eq!(capability("NVIDIA RTX PRO 6000 Blackwell Server Edition").as_deref(), Some("12.0"));
        assert_eq!(capability("RTX 50900"), None);
        assert_eq!(
            board_in("AMD Instinct MI300X").and_then(|board| board.gfx.clone()).as_deref(),
            Some("gfx942")
        );
    }
}
