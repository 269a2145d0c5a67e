//! One event: the few fields that matter, in buffers that the next event uses again.

use crate::scan::{Scanner, Trouble, integer, nanoseconds};
use crate::tables::{Category, tables};

/// A process or thread: a number, or a text made into one.
pub(crate) type Id = i64;

/// An event as it was written.
#[derive(Debug)]
pub(crate) struct Event {
    pub phase: u8,
    pub category: Category,
    pub name: Vec<u8>,
    pub process: Id,
    pub thread: Id,
    pub start_ns: Field,
    pub duration_ns: Field,
    pub correlation: Option<i64>,
    pub device: Option<i64>,
    pub stream: Option<i64>,
    pub bytes: Option<i64>,
    /// The category of the event before, as written: most events are like the one before.
    last_category: (Vec<u8>, Category),
}

/// A time that may be absent or unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Absent,
    Unreadable,
    Value(i64),
}

impl Default for Event {
    fn default() -> Self {
        Self {
            phase: 0,
            category: Category::Other,
            name: Vec::new(),
            process: 0,
            thread: 0,
            start_ns: Field::Absent,
            duration_ns: Field::Absent,
            correlation: None,
            device: None,
            stream: None,
            bytes: None,
            last_category: (Vec::new(), Category::Other),
        }
    }
}

#[derive(Clone, Copy)]
enum Key {
    Phase,
    Category,
    Name,
    Process,
    Thread,
    Start,
    Duration,
    Args,
    Other,
}

impl Key {
    #[inline]
    fn of(text: &[u8]) -> Self {
        match text {
            b"ph" => Self::Phase,
            b"cat" => Self::Category,
            b"name" => Self::Name,
            b"pid" => Self::Process,
            b"tid" => Self::Thread,
            b"ts" => Self::Start,
            b"dur" => Self::Duration,
            b"args" => Self::Args,
            _ => Self::Other,
        }
    }
}

enum ArgKey {
    Correlation,
    Device,
    Stream,
    Bytes,
    Other,
}

impl ArgKey {
    #[inline]
    fn of(text: &[u8]) -> Self {
        match text {
            b"correlation" | b"Correlation" => Self::Correlation,
            b"device" | b"Device" => Self::Device,
            b"stream" | b"Stream" => Self::Stream,
            b"bytes" | b"Bytes" | b"size" => Self::Bytes,
            _ => Self::Other,
        }
    }
}

impl Event {
    fn clear(&mut self) {
        self.phase = 0;
        self.category = Category::Other;
        self.name.clear();
        (self.process, self.thread) = (0, 0);
        (self.start_ns, self.duration_ns) = (Field::Absent, Field::Absent);
        (self.correlation, self.device, self.stream, self.bytes) = (None, None, None, None);
    }

    /// Reads the object that is next.
    pub(crate) fn read(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Trouble> {
        self.clear();
        let mut more = scanner.open(b'{', b'}')?;
        while more {
            let key = scanner.key(Key::of)?;
            self.member(key, scanner)?;
            more = scanner.another(b'}')?;
        }
        Ok(())
    }

    #[inline]
    fn member(&mut self, key: Key, scanner: &mut Scanner<'_>) -> Result<(), Trouble> {
        match key {
            Key::Phase => self.phase = scanner.scalar(|text| text.first().copied())?.flatten().unwrap_or(0),
            Key::Category => {
                let last = &mut self.last_category;
                if let Some(category) = scanner.scalar(|text| category(last, text))? {
                    self.category = category;
                }
            }
            Key::Name => {
                let name = &mut self.name;
                scanner.scalar(|text| {
                    name.clear();
                    name.extend_from_slice(text);
                })?;
            }
            Key::Process => self.process = scanner.scalar(id)?.unwrap_or(0),
            Key::Thread => self.thread = scanner.scalar(id)?.unwrap_or(0),
            Key::Start => self.start_ns = time(scanner)?,
            Key::Duration => self.duration_ns = time(scanner)?,
            Key::Args if self.wants_args() => self.args(scanner)?,
            Key::Args | Key::Other => scanner.skip()?,
        }
        Ok(())
    }

    /// Arguments matter for work of the accelerator and for calls to it; where the category comes later, they are
    /// read to be sure.
    fn wants_args(&self) -> bool {
        !matches!(self.category, Category::Op | Category::Annotation | Category::Python | Category::Overhead)
            && matches!(self.phase, b'X' | 0)
    }

    fn args(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Trouble> {
        if scanner.next()? != b'{' {
            return scanner.skip();
        }
        let mut more = scanner.open(b'{', b'}')?;
        while more {
            let target = match scanner.key(ArgKey::of)? {
                ArgKey::Correlation => Some(&mut self.correlation),
                ArgKey::Device => Some(&mut self.device),
                ArgKey::Stream => Some(&mut self.stream),
                ArgKey::Bytes => Some(&mut self.bytes),
                ArgKey::Other => None,
            };
            match target {
                Some(field) => *field = scanner.scalar(integer)?.flatten(),
                None => scanner.skip()?,
            }
            more = scanner.another(b'}')?;
        }
        Ok(())
    }
}

#[inline]
fn category(last: &mut (Vec<u8>, Category), text: &[u8]) -> Category {
    if last.0 != text {
        last.0.clear();
        last.0.extend_from_slice(text);
        last.1 = tables().category(text);
    }
    last.1
}

/// A number, or a string that holds one: exporters that fear for the digits of large numbers quote them.
#[inline]
fn time(scanner: &mut Scanner<'_>) -> Result<Field, Trouble> {
    let read = scanner.scalar(nanoseconds)?;
    Ok(read.flatten().map_or(Field::Unreadable, Field::Value))
}

/// Numbers of texts lie below this; a file's own are small.
pub(crate) const TEXT_IDS_BELOW: Id = -(1 << 61);

/// A number as it is; any other text as a number that hardly another text has (FNV-1a).
fn id(text: &[u8]) -> Id {
    integer(text).unwrap_or_else(|| {
        let hash = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        TEXT_IDS_BELOW - (hash >> 2).cast_signed() - 1
    })
}
