//! Precisions of caches by name.

use std::sync::Arc;

use maat_base::{Fault, Text};

use crate::precision::{self, Covers};
use crate::{Encoding, Model};

/// Cache types without blocks, and their bits. Scales are one a tensor, too few to count.
const PLAIN: [(&str, u64); 4] = [("bf16", 16), ("fp16", 16), ("fp8", 8), ("int8", 8)];
/// Cache types of llama.cpp, packed in blocks along a head.
const BLOCKS: [&str; 5] = ["q8_0", "q5_1", "q5_0", "q4_1", "q4_0"];

/// Storage of keys or values by the contract's name, in any case.
///
/// # Errors
/// `kv-precision-unknown`, a usage fault.
pub fn cache_encoding(name: &str) -> Result<Arc<Encoding>, Fault> {
    if let Some((name, bits)) = PLAIN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Ok(Arc::new(Encoding::plain(name, *bits)));
    }
    if let Some(known) = BLOCKS.iter().find(|known| known.eq_ignore_ascii_case(name)) {
        return Ok(precision::encoding(known));
    }
    let known = PLAIN.iter().map(|(name, _)| *name).chain(BLOCKS).collect::<Vec<_>>().join(" ");
    let hint = Text::new("hint-kv-precision-unknown").with("names", format!("auto {known}"));
    Err(Fault::usage("kv-precision-unknown").with("name", name).hint(hint))
}

impl Model {
    /// Whether its weights are stored as GGUF's tensor types.
    pub fn is_gguf(&self) -> bool {
        precision::find(&self.precision).is_some_and(|precision| precision.covers == Covers::Gguf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ggml's q8_0: 34 bytes for 32 elements; vLLM's fp8 cache: a byte an element.
    #[test]
    fn sizes_of_cache_types() {
        assert_eq!(cache_encoding("Q8_0").unwrap().bits_per_element(), 8.5);
        assert_eq!(cache_encoding("fp8").unwrap().bits_per_element(), 8.0);
        assert_eq!(cache_encoding("q4_0").unwrap().bits_per_element(), 4.5);
        assert_eq!(cache_encoding("fp3").unwrap_err().code, "kv-precision-unknown");
    }
}
