//! Reads the header of a GGUF file: little-endian, versions 2 and 3, bounded in memory and time.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Take};
use std::path::Path;

use maat_base::{Bytes, Fault};

use crate::files::bounded;

/// Longest header that is read; vocabularies of 260,000 words take some 10 MB.
const LONGEST: u64 = 64 << 20;
/// Longest text that is kept; longer ones, such as chat templates, are skipped.
const LONGEST_TEXT: u64 = 4096;
/// Longest list of numbers that is kept.
const LONGEST_LIST: u64 = 4096;
/// Most entries of metadata, and most tensors.
const MOST: u64 = 200_000;
/// Most bytes of names, texts and lists that are kept: names of 200,000 tensors take some 8 MB.
const MOST_KEPT: u64 = 24 << 20;
/// Deepest nesting of lists.
const DEEPEST: u32 = 4;

/// A value of the metadata.
pub(super) enum Meta {
    /// A whole number that is not negative, or a yes or no.
    Int(u64),
    Text(String),
    /// Whole numbers that are not negative.
    Ints(Vec<u64>),
    /// Anything that is not needed.
    Other,
}

/// A tensor as the header states it: the first side is the width of a row.
pub(super) struct TensorInfo {
    pub name: String,
    pub sides: Vec<u64>,
    pub kind: u32,
}

/// What a header holds.
pub(super) struct Contents {
    pub metadata: HashMap<String, Meta>,
    pub tensors: Vec<TensorInfo>,
}

/// Reads a file's header.
pub(super) fn read(path: &Path) -> Result<Contents, Fault> {
    let (file, length) = bounded::open(path)?;
    let limit = length.min(LONGEST);
    let mut reader = Reader {
        from: BufReader::with_capacity(1 << 16, file.take(limit)),
        at: 0,
        kept: 0,
        length,
        place: path.display().to_string(),
    };
    if reader.bytes::<4>()? != *b"GGUF" {
        return Err(Fault::content("gguf-magic").at(format!("{}: byte 0", reader.place)));
    }
    let version = reader.u32()?;
    if !(2..=3).contains(&version) {
        return Err(reader.fault("gguf-version").with("version", version));
    }
    let (tensors, entries) = (reader.count()?, reader.count()?);
    let mut metadata = HashMap::new();
    for _ in 0..entries {
        let key = reader.text(LONGEST_TEXT)?.ok_or_else(|| reader.fault("gguf-value").with("key", "…"))?;
        let kind = reader.u32()?;
        let value = reader.value(kind, 0)?;
        let text = if let Meta::Text(text) = &value { text.len() } else { 0 };
        reader.keep(key.len() + text)?;
        metadata.insert(key, value);
    }
    let tensors = (0..tensors).map(|_| reader.tensor()).collect::<Result<_, _>>()?;
    Ok(Contents { metadata, tensors })
}

struct Reader {
    from: BufReader<Take<std::fs::File>>,
    at: u64,
    /// Bytes of names, texts and lists so far.
    kept: u64,
    length: u64,
    place: String,
}

impl Reader {
    fn fault(&self, code: &'static str) -> Fault {
        Fault::content(code).at(format!("{}: byte {}", self.place, self.at))
    }

    /// The file or the limit ends here.
    fn ended(&self) -> Fault {
        if self.length > LONGEST && self.at >= LONGEST / 2 {
            self.fault("gguf-header-too-long").with("limit", Bytes(LONGEST))
        } else {
            self.fault("file-truncated").with("byte", self.at)
        }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes).map_err(|_| self.ended())?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    /// A number of entries or tensors.
    fn count(&mut self) -> Result<u64, Fault> {
        let n = self.u64()?;
        if n > MOST { Err(self.fault("gguf-count").with("count", n).with("limit", MOST)) } else { Ok(n) }
    }

    fn skip(&mut self, mut n: u64) -> Result<(), Fault> {
        if n > LONGEST {
            return Err(self.ended());
        }
        while n > 0 {
            let ready = self.from.fill_buf().map_or(0, <[u8]>::len) as u64;
            if ready == 0 {
                return Err(self.ended());
            }
            let step = ready.min(n);
            self.from.consume(step as usize);
            self.at += step;
            n -= step;
        }
        Ok(())
    }

    /// Notes that so many bytes are kept.
    fn keep(&mut self, bytes: usize) -> Result<(), Fault> {
        // What holds them takes room too.
        self.kept = self.kept.saturating_add(bytes as u64).saturating_add(48);
        if self.kept > MOST_KEPT {
            return Err(self.fault("gguf-header-too-long").with("limit", Bytes(MOST_KEPT)));
        }
        Ok(())
    }

    /// A text; `None` where it is longer than `longest`, and was skipped.
    fn text(&mut self, longest: u64) -> Result<Option<String>, Fault> {
        let length = self.u64()?;
        if length > longest {
            self.skip(length)?;
            return Ok(None);
        }
        let mut bytes = vec![0; length as usize];
        self.from.read_exact(&mut bytes).map_err(|_| self.ended())?;
        self.at += length;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn value(&mut self, kind: u32, depth: u32) -> Result<Meta, Fault> {
        Ok(match kind {
            0 | 7 => Meta::Int(u64::from(self.bytes::<1>()?[0])),
            1 => signed(i64::from(i8::from_le_bytes(self.bytes()?))),
            2 => Meta::Int(u64::from(u16::from_le_bytes(self.bytes()?))),
            3 => signed(i64::from(i16::from_le_bytes(self.bytes()?))),
            4 => Meta::Int(u64::from(self.u32()?)),
            5 => signed(i64::from(i32::from_le_bytes(self.bytes()?))),
            6 => {
                self.skip(4)?;
                Meta::Other
            }
            8 => self.text(LONGEST_TEXT)?.map_or(Meta::Other, Meta::Text),
            9 => self.list(depth)?,
            10 => Meta::Int(self.u64()?),
            11 => signed(i64::from_le_bytes(self.bytes()?)),
            12 => {
                self.skip(8)?;
                Meta::Other
            }
            _ => return Err(self.fault("gguf-value-type").with("type", kind)),
        })
    }

    fn list(&mut self, depth: u32) -> Result<Meta, Fault> {
        if depth >= DEEPEST {
            return Err(self.fault("gguf-nesting"));
        }
        let (kind, count) = (self.u32()?, self.u64()?);
        let size = match kind {
            0 | 1 | 7 => Some(1),
            2 | 3 => Some(2),
            4..=6 => Some(4),
            10..=12 => Some(8),
            _ => None,
        };
        if let Some(size) = size.filter(|_| count > LONGEST_LIST || kind == 6 || kind == 12) {
            self.skip(count.checked_mul(size).ok_or_else(|| self.ended())?)?;
            return Ok(Meta::Other);
        }
        let mut numbers = Vec::new();
        // Every element takes at least a byte, so that the limit of the header bounds the loop.
        for _ in 0..count {
            if let Meta::Int(n) = self.value(kind, depth + 1)? {
                numbers.push(n);
            }
        }
        if size.is_none() || numbers.len() as u64 != count {
            return Ok(Meta::Other);
        }
        self.keep(8 * numbers.len())?;
        Ok(Meta::Ints(numbers))
    }

    fn tensor(&mut self) -> Result<TensorInfo, Fault> {
        let name = self.text(LONGEST_TEXT)?.ok_or_else(|| self.fault("gguf-value").with("key", "…"))?;
        self.keep(name.len())?;
        let dimensions = self.u32()?;
        if dimensions > 8 {
            return Err(self.fault("gguf-dimensions").with("tensor", name).with("count", dimensions));
        }
        let sides = (0..dimensions).map(|_| self.u64()).collect::<Result<Vec<_>, _>>()?;
        let elements = sides.iter().try_fold(1_u64, |product, side| product.checked_mul(*side));
        if elements.is_none_or(|elements| elements > 1 << 50) {
            return Err(self.fault("gguf-shape").with("tensor", name).with("type", 0_u32));
        }
        let kind = self.u32()?;
        self.skip(8)?;
        Ok(TensorInfo { name, sides, kind })
    }
}

/// A number that may be negative; negative ones mean "none" in every key that is read.
fn signed(n: i64) -> Meta {
    u64::try_from(n).map_or(Meta::Other, Meta::Int)
}
