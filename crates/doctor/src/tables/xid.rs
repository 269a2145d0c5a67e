//! Classes of Xids: `xid.csv`.

use std::sync::LazyLock;

use serde::Deserialize;

/// A row of NVIDIA's Xid catalogue.
#[derive(Debug, Deserialize)]
pub struct Xid {
    /// The number.
    pub xid: u32,
    /// The maker's name for it.
    pub mnemonic: String,
    /// What the maker says to do first.
    pub immediate_action: String,
    /// What kind of fault it is: `app`, `hw-memory`, …; empty where nobody has said.
    pub class: String,
}

static ROWS: LazyLock<Vec<Xid>> = LazyLock::new(|| super::rows("xid.csv"));

/// What is known of an Xid.
pub fn xid(number: u32) -> Option<&'static Xid> {
    ROWS.iter().find(|row| row.xid == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogue() {
        assert!(ROWS.len() > 150, "{}", ROWS.len());
        assert_eq!(xid(79).map(|xid| xid.class.as_str()), Some("hw-bus-power"));
        assert_eq!(xid(31).map(|xid| xid.class.as_str()), Some("app"));
    }
}
