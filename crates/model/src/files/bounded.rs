//! Reading of files from strangers: regular files only, and no more than a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use maat_base::Fault;
use serde_json::Value;

/// Largest JSON file that is read: the largest published indexes have some 15 MB.
const LARGEST_JSON: u64 = 32 << 20;

/// Opens a regular file, and says how long it is. Pipes and devices are refused before they are opened: opening some
/// of them already waits.
pub(crate) fn open(path: &Path) -> Result<(File, u64), Fault> {
    let unreadable = |error: std::io::Error| {
        Fault::content("file-unreadable").with("why", error.to_string()).at(path.display().to_string())
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(Fault::content("file-not-regular").at(path.display().to_string()));
    }
    Ok((File::open(path).map_err(unreadable)?, about.len()))
}

/// Reads a JSON file.
pub(crate) fn json(path: &Path) -> Result<Value, Fault> {
    let (file, length) = open(path)?;
    let place = path.display().to_string();
    if length > LARGEST_JSON {
        return Err(Fault::content("file-too-large").with("limit", maat_base::Bytes(LARGEST_JSON)).at(place));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_JSON).read_to_end(&mut bytes).map_err(|error| {
        Fault::content("file-unreadable").with("why", error.to_string()).at(place.clone())
    })?;
    parse(&bytes, &place)
}

/// Parses JSON; nesting is limited by the parser to 128 levels.
pub(crate) fn parse(bytes: &[u8], place: &str) -> Result<Value, Fault> {
    serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("{place}: line {}, column {}", error.line(), error.column());
        Fault::content("file-not-json").with("why", error.to_string()).at(place)
    })
}
