//! The values that the Transformers library takes where a configuration has no key: facts/models/defaults.tsv.

use maat_base::Fault;
use serde_json::{Map, Value};

const TABLE: &str = include_str!("../../../facts/models/defaults.tsv");

/// The defaults of a family; none for a family that the table does not have.
pub(crate) fn of(model_type: &str) -> Result<Map<String, Value>, Fault> {
    let rows = TABLE.lines().filter_map(|line| line.strip_prefix(model_type)?.strip_prefix('\t'));
    rows.map(|row| {
        let wrong = || Fault::content("facts-unreadable").at(format!("models/defaults.tsv: {model_type}"));
        let (key, value) = row.split_once('\t').ok_or_else(wrong)?;
        Ok((key.to_owned(), serde_json::from_str(value).map_err(|_| wrong())?))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_readable() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let model_type = line.split('\t').next().unwrap();
            assert!(!of(model_type).unwrap().is_empty(), "{line}");
        }
    }

    /// LlamaConfig of Transformers 5.24.
    #[test]
    fn llama_is_the_first_llama() {
        assert_eq!(of("llama").unwrap()["intermediate_size"], 11008);
    }
}
