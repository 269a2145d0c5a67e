//! Names for answers: as they are, or such that nothing of a host, a user, a path or a token is in them.

use std::collections::HashMap;

use crate::tables::{CopyClass, Family, vocabulary};

/// Hands out the names that an answer may show. The same name gets the same stand-in in all traces of an answer, so
/// that they can be compared.
#[derive(Debug)]
pub(crate) struct Namer {
    redact: bool,
    used: HashMap<&'static str, HashMap<String, usize>>,
}

impl Namer {
    pub(crate) fn new(redact: bool) -> Self {
        Self { redact, used: HashMap::new() }
    }

    /// A kernel's name, or its family and a number.
    pub(crate) fn kernel(&mut self, name: &str, family: Family) -> String {
        self.shown(name, family.word())
    }

    /// A copy's name, or its direction and a number.
    pub(crate) fn copy(&mut self, name: &str, class: Option<CopyClass>) -> String {
        let kind = match class.unwrap_or_default() {
            CopyClass { to_device: true, .. } => "copy to device",
            CopyClass { to_host: true, .. } => "copy to host",
            _ => "copy",
        };
        self.shown(name, kind)
    }

    /// An accelerator's name, or nothing.
    pub(crate) fn device(&self, name: &str) -> Option<String> {
        (!self.redact || is_plain(name)).then(|| name.to_owned())
    }

    /// The name that an input goes by: its label, or a number where the label may say something.
    pub(crate) fn input(&self, label: &str, index: usize) -> String {
        if !self.redact || is_plain(label) { label.to_owned() } else { format!("trace-{}", index + 1) }
    }

    fn shown(&mut self, name: &str, kind: &'static str) -> String {
        if !self.redact || is_plain(name) {
            return name.to_owned();
        }
        let used = self.used.entry(kind).or_default();
        let next = used.len() + 1;
        let number = *used.entry(name.to_owned()).or_insert(next);
        format!("{kind} #{number}")
    }
}

/// Whether a name is made of known words, short numbers and the signs of C++ only.
fn is_plain(name: &str) -> bool {
    const SIGNS: &str = " _<>(),:*&{}#~[]->+;";
    name.chars().all(|c| c.is_ascii_alphanumeric() || SIGNS.contains(c))
        && name.split(|c: char| !c.is_ascii_alphanumeric()).all(is_plain_word)
}

/// A run of letters and digits: a number, a size such as `128x64`, a part's number such as `H100` or `80GB`, or known
/// words one after the other.
fn is_plain_word(word: &str) -> bool {
    if word.len() <= 1 || vocabulary().contains(&word.to_ascii_lowercase()) {
        return true;
    }
    let pieces = pieces(word);
    let numbers = pieces.iter().filter(|piece| piece.starts_with(|c: char| c.is_ascii_digit()));
    let short_numbers = numbers.clone().all(|number| number.len() <= 4);
    let numbers = numbers.count();
    let letters: Vec<&str> =
        pieces.iter().copied().filter(|piece| piece.starts_with(|c: char| c.is_ascii_alphabetic())).collect();
    if !short_numbers {
        return false;
    }
    let size = numbers >= 1 && letters.iter().all(|piece| *piece == "x");
    let part_number = numbers == 1 && pieces.len() <= 3 && letters.iter().all(|piece| piece.len() <= 2);
    let words =
        numbers <= 2 && letters.iter().all(|piece| vocabulary().contains(&piece.to_ascii_lowercase()));
    size || part_number || words
}

/// Splits where digits begin or end, and where a capital begins a word.
fn pieces(word: &str) -> Vec<&str> {
    let bytes = word.as_bytes();
    let mut starts = vec![0];
    for at in 1..bytes.len() {
        let (before, here) = (bytes[at - 1], bytes[at]);
        let next_small = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let digit = before.is_ascii_digit() != here.is_ascii_digit();
        let capital = here.is_ascii_uppercase() && (before.is_ascii_lowercase() || next_small);
        if digit || capital {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts.iter().zip(ends).map(|(start, end)| &word[*start..end]).filter(|piece| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kernels_and_parts_are_plain() {
        for name in [
            "volta_sgemm_64x64_nt",
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
            "Memcpy HtoD (Pageable -> Device)",
            "NVIDIA H100 80GB HBM3",
            "AMD Instinct MI300X",
            "Tesla V100-SXM2-32GB",
        ] {
            assert!(is_plain(name), "{name}");
        }
    }

    #[test]
    fn what_says_who_or_where_is_not() {
        for name in [
            "gemm_alice",
            "/home/kernel",
            "add@host",
            "hf_aB3dE5fG7hI9jK1",
            "sk-AbCd1234efGH",
            "node17",
            "10.0.0.7",
            "kernel_555123456",
            "ghp_16C7e42F292c6912E7",
            "bob",
        ] {
            assert!(!is_plain(name), "{name}");
        }
        let mut namer = Namer::new(true);
        assert_eq!(namer.kernel("gemm_alice", Family::Gemm), "gemm #1");
        assert_eq!(namer.kernel("gemm_bob", Family::Gemm), "gemm #2");
        assert_eq!(namer.kernel("gemm_alice", Family::Gemm), "gemm #1");
        assert_eq!(namer.device("H100 of alice"), None);
        assert_eq!(namer.input("/home/alice/x.json", 2), "trace-3");
        assert_eq!(namer.input("input-2", 2), "input-2");
        assert_eq!(Namer::new(false).input("/home/alice/x.json", 2), "/home/alice/x.json");
    }
}
