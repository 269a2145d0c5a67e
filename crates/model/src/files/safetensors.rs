//! Headers of safetensors files, and indexes of several.
//!
//! The format: the header's length as a little-endian u64, the header as JSON, the tensors' bytes
//! (<https://github.com/huggingface/safetensors#format>).

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use maat_base::{Bytes, Fault};
use serde::Deserialize;
use serde_json::Value;

use super::bounded;

/// Longest header that is read; the library itself allows 100 MB, published ones have at most a few.
const LONGEST_HEADER: u64 = 24 << 20;
/// Most shards that an index may name.
const MOST_SHARDS: usize = 2048;

/// A tensor as a header states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tensor {
    /// Name of the type as the header writes it.
    pub dtype: String,
    pub shape: Vec<u64>,
    pub bytes: u64,
}

/// Tensors by name; one that several files hold is there once.
pub(crate) type Tensors = BTreeMap<String, Tensor>;

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    dtype: String,
    #[serde(default)]
    shape: Vec<u64>,
    #[serde(default)]
    data_offsets: Option<[u64; 2]>,
}

/// Bits of an element of each type.
const TYPES: [(&str, u64); 18] = [
    ("BOOL", 8),
    ("U8", 8),
    ("I8", 8),
    ("F4", 4),
    ("F6_E2M3", 6),
    ("F6_E3M2", 6),
    ("F8_E4M3", 8),
    ("F8_E5M2", 8),
    ("F8_E8M0", 8),
    ("F16", 16),
    ("BF16", 16),
    ("I16", 16),
    ("U16", 16),
    ("F32", 32),
    ("I32", 32),
    ("U32", 32),
    ("F64", 64),
    ("I64", 64),
];

/// Reads the header of one file.
pub(crate) fn header(path: &Path) -> Result<Tensors, Fault> {
    let place = path.display().to_string();
    let (mut file, length) = bounded::open(path)?;
    let short =
        |byte: u64| Fault::content("file-truncated").with("byte", byte).at(format!("{place}: byte {byte}"));
    let mut prefix = [0; 8];
    file.read_exact(&mut prefix).map_err(|_| short(length))?;
    let stated = u64::from_le_bytes(prefix);
    if stated > LONGEST_HEADER {
        let fault = Fault::content("safetensors-header").with("length", Bytes(stated));
        return Err(fault.with("limit", Bytes(LONGEST_HEADER)).at(format!("{place}: byte 0")));
    }
    if stated > length.saturating_sub(8) {
        return Err(short(length));
    }
    let mut bytes = vec![0; stated as usize];
    file.read_exact(&mut bytes).map_err(|_| short(length))?;
    bounded::check_values(&bytes, &format!("{place}: header"))?;
    let entries: BTreeMap<String, Entry> = serde_json::from_slice(&bytes).map_err(|error| {
        let place = format!("{place}: header, line {}, column {}", error.line(), error.column());
        Fault::content("file-not-json").with("why", error.to_string()).at(place)
    })?;
    let data = length - 8 - stated;
    let tensors = entries.into_iter().filter(|(name, _)| name != "__metadata__");
    tensors.map(|(name, entry)| tensor(&place, name, entry, data)).collect()
}

fn tensor(place: &str, name: String, entry: Entry, data: u64) -> Result<(String, Tensor), Fault> {
    let wrong = |what: &'static str| {
        Fault::content("safetensors-tensor")
            .with("tensor", name.as_str())
            .with("what", what)
            .at(place.to_owned())
    };
    let bits = TYPES.iter().find(|(known, _)| *known == entry.dtype || entry.dtype.starts_with("F8_"));
    let (_, bits) = bits.ok_or_else(|| wrong("dtype"))?;
    let [begin, end] = entry.data_offsets.ok_or_else(|| wrong("data_offsets"))?;
    let bytes = end.checked_sub(begin).ok_or_else(|| wrong("data_offsets"))?;
    let elements = entry.shape.iter().try_fold(1_u64, |product, side| product.checked_mul(*side));
    let needed = elements.and_then(|n| n.checked_mul(*bits)).ok_or_else(|| wrong("shape"))?.div_ceil(8);
    if needed != bytes {
        return Err(wrong("shape"));
    }
    if end > data {
        return Err(Fault::content("file-truncated").with("byte", data).at(format!("{place}: {name}")));
    }
    Ok((name, Tensor { dtype: entry.dtype, shape: entry.shape, bytes }))
}

/// What a folder's safetensors files hold.
pub(crate) struct Folder {
    /// Tensors of the files that are there.
    pub tensors: Tensors,
    /// Whether all files that the index names are there.
    pub complete: bool,
    /// Bytes that the index states for all.
    pub stated: Option<u64>,
}

/// Reads the headers of a folder's files, by its index where it has one. `None` where there are no such files.
pub(crate) fn folder(path: &Path) -> Result<Option<Folder>, Fault> {
    for name in ["model.safetensors.index.json", "diffusion_pytorch_model.safetensors.index.json"] {
        let index = path.join(name);
        if index.is_file() {
            return of_index(&index).map(Some);
        }
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(path)
        .map_err(|error| {
            Fault::content("file-unreadable").with("why", error.to_string()).at(path.display().to_string())
        })?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|ending| ending == "safetensors"))
        .take(MOST_SHARDS)
        .collect();
    files.sort();
    // `model.safetensors` is the model; other files beside it are other forms of it.
    let alone = ["model.safetensors", "diffusion_pytorch_model.safetensors"];
    if let Some(one) = files.iter().find(|file| alone.iter().any(|name| file.ends_with(name))) {
        files = vec![one.clone()];
    }
    if files.is_empty() {
        return Ok(None);
    }
    let tensors = merged(&files)?;
    Ok(Some(Folder { tensors, complete: true, stated: None }))
}

/// Reads the headers of the files that an index names.
pub(crate) fn of_index(path: &Path) -> Result<Folder, Fault> {
    let place = path.display().to_string();
    let index = bounded::json(path)?;
    let wrong =
        |key: &str| Fault::content("config-not-an-object").with("key", key).at(format!("{place}: {key}"));
    let map = index.get("weight_map").and_then(Value::as_object).ok_or_else(|| wrong("weight_map"))?;
    let mut names: Vec<&str> = map.values().filter_map(Value::as_str).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > MOST_SHARDS {
        return Err(wrong("weight_map"));
    }
    let parent = path.parent().unwrap_or(Path::new("."));
    // A shard is a file beside the index: a name that leads elsewhere is not followed.
    let beside = names.iter().filter(|name| Path::new(name).components().count() == 1 && **name != "..");
    let files: Vec<PathBuf> = beside.map(|name| parent.join(name)).filter(|file| file.is_file()).collect();
    let complete = files.len() == names.len() && !names.is_empty();
    let stated =
        index.get("metadata").and_then(|metadata| metadata.get("total_size")).and_then(Value::as_u64);
    Ok(Folder { tensors: merged(&files)?, complete, stated })
}

fn merged(files: &[PathBuf]) -> Result<Tensors, Fault> {
    let mut all = Tensors::new();
    for file in files {
        all.append(&mut header(file)?);
    }
    Ok(all)
}

/// Name of a type as this crate has it.
pub(crate) fn precision(dtype: &str) -> &'static str {
    match dtype {
        "F32" => "fp32",
        "F16" => "fp16",
        "BF16" => "bf16",
        "F64" => "fp64",
        "I64" => "int64",
        "I32" | "U32" => "int32",
        "I16" | "U16" => "int16",
        "I8" | "U8" | "BOOL" => "int8",
        _ => "fp8",
    }
}
