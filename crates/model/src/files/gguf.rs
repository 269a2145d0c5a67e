//! GGUF files: metadata and tensors to a model, as llama.cpp understands them
//! (<https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>).

mod layers;
mod reader;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use maat_base::{Basis, Bytes, Fault};

use self::layers::Shapes;
use self::reader::{Contents, Meta, TensorInfo};
use crate::precision::encoding;
use crate::{Encoding, Length, Model, Stack, StackKind};

/// Most files that a split may have.
const MOST_SPLITS: u64 = 512;

/// The types of tensors by ggml's number.
const TYPES: &[(u32, &str)] = &[
    (0, "f32"),
    (1, "f16"),
    (2, "q4_0"),
    (3, "q4_1"),
    (6, "q5_0"),
    (7, "q5_1"),
    (8, "q8_0"),
    (9, "q8_1"),
    (10, "q2_K"),
    (11, "q3_K"),
    (12, "q4_K"),
    (13, "q5_K"),
    (14, "q6_K"),
    (15, "q8_K"),
    (16, "iq2_xxs"),
    (17, "iq2_xs"),
    (18, "iq3_xxs"),
    (19, "iq1_s"),
    (20, "iq4_nl"),
    (21, "iq3_s"),
    (22, "iq2_s"),
    (23, "iq4_xs"),
    (24, "int8"),
    (25, "int16"),
    (26, "int32"),
    (27, "int64"),
    (28, "fp64"),
    (29, "iq1_m"),
    (30, "bf16"),
    (34, "tq1_0"),
    (35, "tq2_0"),
    (39, "mxfp4_gguf"),
    (40, "nvfp4_gguf"),
];

/// Names of `general.file_type`.
const FILE_TYPES: &[(u64, &str)] = &[
    (0, "f32"),
    (1, "f16"),
    (2, "q4_0"),
    (3, "q4_1"),
    (7, "q8_0"),
    (8, "q5_0"),
    (9, "q5_1"),
    (10, "q2_K"),
    (11, "q3_K_S"),
    (12, "q3_K_M"),
    (13, "q3_K_L"),
    (14, "q4_K_S"),
    (15, "q4_K_M"),
    (16, "q5_K_S"),
    (17, "q5_K_M"),
    (18, "q6_K"),
    (19, "iq2_xxs"),
    (20, "iq2_xs"),
    (21, "q2_K_S"),
    (22, "iq3_xs"),
    (23, "iq3_xxs"),
    (24, "iq1_s"),
    (25, "iq4_nl"),
    (26, "iq3_s"),
    (27, "iq3_m"),
    (28, "iq2_s"),
    (29, "iq2_m"),
    (30, "iq4_xs"),
    (31, "iq1_m"),
    (32, "bf16"),
    (36, "tq1_0"),
    (37, "tq2_0"),
    (38, "mxfp4"),
];

/// The first GGUF file of a folder, the first of a split before others; projectors of images are left.
pub(crate) fn first_of(folder: &Path) -> Result<Option<PathBuf>, Fault> {
    let unreadable = |error: std::io::Error| {
        Fault::content("file-unreadable").with("why", error.to_string()).at(folder.display().to_string())
    };
    let files = std::fs::read_dir(folder).map_err(unreadable)?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_model = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        file.extension().is_some_and(|ending| ending == "gguf") && !name.starts_with("mmproj")
    };
    let mut files: Vec<PathBuf> = files.filter(is_model).take(4096).collect();
    files.sort();
    Ok(files.into_iter().next())
}

/// The model of a file, or of a split of which it is the first.
pub(crate) fn model(path: &Path, name: &str) -> Result<Model, Fault> {
    let mut contents = reader::read(path)?;
    let splits = contents.int("split.count").unwrap_or(1);
    if splits > MOST_SPLITS {
        return Err(Fault::content("gguf-value").with("key", "split.count").at(path.display().to_string()));
    }
    for index in 1..splits {
        let next = split_name(path, index, splits)?;
        contents.tensors.extend(reader::read(&next)?.tensors);
    }
    let place = path.display().to_string();
    build(name, &place, &contents)
}

/// The file `index` of a split, whose first is `…-00001-of-00003.gguf`.
fn split_name(first: &Path, index: u64, count: u64) -> Result<PathBuf, Fault> {
    let name = first.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = name.strip_suffix(&format!("-00001-of-{count:05}.gguf"));
    let stem = stem.ok_or_else(|| Fault::content("gguf-not-first").at(first.display().to_string()))?;
    let next = first.with_file_name(format!("{stem}-{:05}-of-{count:05}.gguf", index + 1));
    if next.is_file() {
        Ok(next)
    } else {
        Err(Fault::content("file-missing").with("name", next.display().to_string()))
    }
}

fn build(name: &str, place: &str, contents: &Contents) -> Result<Model, Fault> {
    let architecture = contents.text("general.architecture").unwrap_or("gguf").to_owned();
    let tensors =
        contents.tensors.iter().map(|tensor| stored(place, tensor)).collect::<Result<Vec<_>, _>>()?;
    let bytes = tensors.iter().map(|(tensor, encoding)| tensor.bytes(encoding)).sum::<Bytes>();
    let shapes = Shapes::read(contents, &architecture);
    let stack = layers::stack(&shapes, &tensors);
    let vocabulary = tensors.iter().find(|(tensor, _)| tensor.name == "token_embd.weight");
    let caches_known = shapes.known();
    let mut model = Model {
        name: name.to_owned(),
        architecture: architecture.clone(),
        family: architecture.clone(),
        stacks: vec![stack],
        vocabulary: vocabulary.and_then(|(tensor, _)| tensor.sides.get(1).copied()),
        context_max: contents.int(&format!("{architecture}.context_length")),
        dtype: encoding("fp16"),
        precision: String::new(),
        kv_default: Some(encoding("fp16")),
        caches_known,
        mtp_known: true,
        stored_bytes: Some(bytes),
        licence: contents.text("general.license").and_then(crate::licence::clean),
        basis: Basis::Computed,
        assumed: Vec::new(),
    };
    let stated = contents.int("general.file_type");
    let named = FILE_TYPES.iter().find(|(number, _)| Some(*number) == stated).map(|(_, name)| *name);
    model.precision = named.map_or_else(|| crate::quantisation::most_used(&model), str::to_owned);
    Ok(model)
}

/// A tensor with its storage; a type that is not known is a fault, since its size is not.
fn stored<'a>(place: &str, tensor: &'a TensorInfo) -> Result<(&'a TensorInfo, Arc<Encoding>), Fault> {
    let known = TYPES.iter().find(|(number, _)| *number == tensor.kind).map(|(_, name)| *name);
    let wrong = |code| {
        let fault = Fault::content(code).with("tensor", tensor.name.as_str()).with("type", tensor.kind);
        fault.at(format!("{place}: {}", tensor.name))
    };
    let encoding = encoding(known.ok_or_else(|| wrong("gguf-type-unknown"))?);
    let row = tensor.sides.first().copied().unwrap_or(1);
    if row % encoding.block_elements.max(1) == 0 { Ok((tensor, encoding)) } else { Err(wrong("gguf-shape")) }
}

impl TensorInfo {
    /// Rows and width of a row.
    fn rows_cols(&self) -> (u64, u64) {
        let (first, rest) = self.sides.split_first().map_or((1, &[][..]), |(first, rest)| (*first, rest));
        (rest.iter().fold(1, |product: u64, side| product.saturating_mul(*side)), first)
    }

    fn bytes(&self, encoding: &Encoding) -> Bytes {
        let (rows, cols) = self.rows_cols();
        encoding.bytes(rows, cols)
    }
}

impl Contents {
    fn text(&self, key: &str) -> Option<&str> {
        match self.metadata.get(key)? {
            Meta::Text(text) => Some(text),
            _ => None,
        }
    }

    fn int(&self, key: &str) -> Option<u64> {
        match self.metadata.get(key)? {
            Meta::Int(n) => Some(*n),
            Meta::Ints(list) => list.first().copied(),
            _ => None,
        }
    }

    /// A number for each layer: one for all, or a list.
    fn ints(&self, key: &str, layers: usize) -> Option<Vec<u64>> {
        match self.metadata.get(key)? {
            Meta::Int(n) => Some(vec![*n; layers]),
            Meta::Ints(list) => Some(list.clone()),
            _ => None,
        }
    }
}

/// A stack over tokens without layers.
fn empty(hidden: u64) -> Stack {
    Stack {
        kind: StackKind::Decoder,
        path: "blk".into(),
        hidden,
        over: Length::Tokens,
        before: Vec::new(),
        layers: Vec::new(),
        order: Vec::new(),
        after: Vec::new(),
    }
}
