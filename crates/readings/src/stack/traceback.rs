//! Error lines whose middle matters: libraries that could not be opened, symbols that were not found, and PyTorch's
//! warning that a card is not compatible.

use super::{Found, versions};
use crate::fact::Strength;
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "traceback", recognises, read };

fn recognises(input: &Input) -> bool {
    let text = input.text();
    [
        "cannot open shared object",
        "undefined symbol",
        "not defined in file",
        "Could not load",
        "with CUDA capability",
        "Configured CUDA binary",
    ]
    .iter()
    .any(|mark| text.contains(mark))
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    for (place, line) in input.lines() {
        missing(line, &place, &mut found);
        undefined(line, &place, &mut found);
        undefined_version(line, &place, &mut found);
        incompatible(line, &place, &mut found);
    }
    Reading::Stack(found)
}

/// The word that ends before an offset.
fn word_before(line: &str, at: usize) -> Option<&str> {
    let before = line[..at].trim_end_matches([':', ' ', '\'', '"']);
    let start = before.rfind(|c: char| c.is_whitespace() || "'\"(`".contains(c)).map_or(0, |at| at + 1);
    before.get(start..).filter(|word| !word.is_empty())
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `libcudart.so.13: cannot open shared object file`, `Could not load dynamic library 'libcudnn.so.8'`, and the like.
fn missing(line: &str, place: &Place, found: &mut Found) {
    let opened = line.find(": cannot open shared object file").and_then(|at| word_before(line, at));
    let named = [
        "Could not load dynamic library ",
        "Could not load library ",
        "Unable to load dynamic library ",
        "Unable to load any of ",
        "Could not locate ",
        "Error loading ",
        "Configured CUDA binary not found at ",
        "Library not found: ",
        "libcudnn not found: ",
    ]
    .iter()
    .find_map(|mark| {
        let rest = line[line.find(mark)? + mark.len()..].trim_start_matches(['\'', '"', '{']);
        let end = rest.find(|c: char| c.is_whitespace() || "'\",}".contains(c)).unwrap_or(rest.len());
        Some(rest[..end].trim_end_matches(['.', ':']))
    });
    let Some(library) = opened.or(named).map(file_name) else { return };
    if !(library.contains(".so") || library.contains(".dll")) || library.len() > 120 {
        return;
    }
    // The other half of the same line: what wanted it, or what is wrong with it when it was found.
    if opened.is_none() && line.contains("undefined symbol") {
        return;
    }
    found.printed(Key::MissingLibrary, library, place);
    found.sign_with("missing-library", Some(library.to_owned()), line, place);
}

/// `/path/libx.so: undefined symbol: NAME, version libY.so.12`
fn undefined(line: &str, place: &Place, found: &mut Found) {
    let Some(at) = line.find("undefined symbol") else { return };
    let rest = line[at + "undefined symbol".len()..].trim_start_matches([':', ' ', '\'', '"', '`']);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_@$".contains(c))).unwrap_or(rest.len());
    let symbol = &rest[..end];
    if symbol.len() < 3 {
        return;
    }
    found.printed(Key::UndefinedSymbol, symbol, place);
    found.sign_with("undefined-symbol", Some(symbol.to_owned()), line, place);
    if let Some(wanted_by) = word_before(line, at).filter(|file| file.contains(".so")) {
        found.sign_with("symbol-wanted-by", Some(wanted_by.to_owned()), line, place);
    }
}

/// `libcublas.so.11: symbol NAME version libcublasLt.so.11 not defined in file libcublasLt.so.11 with link time reference`
fn undefined_version(line: &str, place: &Place, found: &mut Found) {
    let Some((before, after)) = line.split_once(" not defined in file ") else { return };
    let Some(symbol) = before.split("symbol ").last().and_then(|rest| rest.split([' ', ',']).next()) else {
        return;
    };
    if symbol.len() < 3 || !after.contains("link time reference") {
        return;
    }
    found.printed(Key::UndefinedSymbol, symbol, place);
    found.sign_with("undefined-symbol", Some(symbol.to_owned()), line, place);
}

/// `NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.`
fn incompatible(line: &str, place: &Place, found: &mut Found) {
    const MARK: &str = " with CUDA capability ";
    let Some(at) = line.find(MARK) else { return };
    let word = line[at + MARK.len()..].split_whitespace().next().unwrap_or("");
    let Some(capability) = versions::capability_of_sm(word) else { return };
    found.fact(Key::Cc, capability, place, Strength::Exact);
    let name = line[..at].rsplit(": ").next().unwrap_or("").trim();
    if !name.is_empty() && name.len() < 80 {
        found.fact(Key::Gpu, name, place, Strength::Exact);
    }
    if line.contains("is not compatible") {
        found.sign("arch-incompatible", line, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, key: Key) -> Option<String> {
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        found.facts.into_iter().find(|fact| fact.key == key).map(|fact| fact.value)
    }

    #[test]
    fn libraries_that_are_missing() {
        for (line, library) in [
            (
                "ImportError: libcudart.so.13: cannot open shared object file: No such file or directory",
                "libcudart.so.13",
            ),
            (
                "Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file",
                "libcudnn.so.8",
            ),
            (
                "Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object file",
                "libcudnn_ops_infer.so.8",
            ),
            (
                "Failed to load library libonnxruntime_providers_cuda.so with error: libcublasLt.so.11: cannot open shared object file",
                "libcublasLt.so.11",
            ),
            (
                "Configured CUDA binary not found at site-packages/bitsandbytes/libbitsandbytes_cuda131.so",
                "libbitsandbytes_cuda131.so",
            ),
            ("Could not locate cudnn_ops64_9.dll. Please make sure", "cudnn_ops64_9.dll"),
        ] {
            assert_eq!(value(line, Key::MissingLibrary).as_deref(), Some(library), "{line}");
        }
        assert_eq!(value("Could not load model.", Key::MissingLibrary), None);
    }

    #[test]
    fn symbols_and_cards() {
        let line = "ImportError: a/torch/lib/libtorch_cuda.so: undefined symbol: ncclMemFree";
        assert_eq!(value(line, Key::UndefinedSymbol).as_deref(), Some("ncclMemFree"));
        let line = "UserWarning: Tesla P100-PCIE-16GB with CUDA capability sm_60 is not compatible with";
        assert_eq!(value(line, Key::Gpu).as_deref(), Some("Tesla P100-PCIE-16GB"));
        assert_eq!(value(line, Key::Cc).as_deref(), Some("6.0"));
    }
}
