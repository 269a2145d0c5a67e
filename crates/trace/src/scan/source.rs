//! A buffer over a reader: plain or gzip, told apart by content.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;

use super::{Cause, Trouble};

const BUFFER_BYTES: usize = 256 << 10;
const HEAD_BYTES: usize = 6;

/// The text of a trace, a window of it at a time.
pub(crate) struct Source<'a> {
    reader: Box<dyn Read + 'a>,
    buffer: Box<[u8]>,
    position: usize,
    end: usize,
    /// Offset of the buffer's first byte.
    before: u64,
    limit: u64,
    finished: bool,
    /// What went wrong behind the bytes at hand.
    failed: Option<Cause>,
}

impl<'a> Source<'a> {
    /// Looks at the first bytes and unpacks gzip. `limit` bounds the unpacked text in bytes.
    pub(crate) fn new(mut reader: impl Read + 'a, limit: u64) -> Result<Self, Trouble> {
        let mut head = [0_u8; HEAD_BYTES];
        let (filled, failed) = fill(&mut reader, &mut head);
        if failed.is_some() {
            return Err(Trouble { cause: Cause::Unreadable, offset: 0 });
        }
        let head = &head[..filled];
        if other_compression(head) {
            return Err(Trouble { cause: Cause::OtherCompression, offset: 0 });
        }
        let whole = Cursor::new(head.to_vec()).chain(reader);
        let reader: Box<dyn Read + 'a> = if head.starts_with(&[0x1f, 0x8b]) {
            Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(64 << 10, whole)))
        } else {
            Box::new(whole)
        };
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        let mut source =
            Self { reader, buffer, position: 0, end: 0, before: 0, limit, finished: false, failed: None };
        if source.window()?.starts_with(&[0xef, 0xbb, 0xbf]) {
            source.advance(3);
        }
        Ok(source)
    }

    /// What is at hand and not yet consumed; empty only at the end of the text.
    #[inline]
    pub(crate) fn window(&mut self) -> Result<&[u8], Trouble> {
        if self.position == self.end {
            self.refill()?;
        }
        Ok(&self.buffer[self.position..self.end])
    }

    /// Consumes bytes of the window.
    #[inline]
    pub(crate) fn advance(&mut self, count: usize) {
        self.position = (self.position + count).min(self.end);
    }

    /// Offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.before + self.position as u64
    }

    /// Trouble at the next byte.
    #[cold]
    pub(crate) fn trouble(&self, cause: Cause) -> Trouble {
        Trouble { cause, offset: self.offset() }
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Trouble> {
        self.before += self.end as u64;
        self.position = 0;
        self.end = 0;
        if let Some(cause) = self.failed {
            return Err(self.trouble(cause));
        }
        if self.finished {
            return Ok(());
        }
        if self.before >= self.limit {
            return Err(self.trouble(Cause::TooLarge));
        }
        let (filled, error) = fill(&mut self.reader, &mut self.buffer);
        self.finished = filled < self.buffer.len();
        self.end = filled;
        self.failed = error.as_ref().map(cause_of);
        match self.failed {
            // What came before the failure is read first.
            Some(cause) if filled == 0 => Err(self.trouble(cause)),
            _ => Ok(()),
        }
    }
}

fn cause_of(error: &io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Cause::EndsEarly,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Cause::Compression,
        _ => Cause::Unreadable,
    }
}

/// Zstandard, xz, bzip2, zip.
fn other_compression(head: &[u8]) -> bool {
    const MAGIC: [&[u8]; 4] =
        [&[0x28, 0xb5, 0x2f, 0xfd], &[0xfd, b'7', b'z', b'X', b'Z'], b"BZh", b"PK\x03\x04"];
    MAGIC.iter().any(|magic| head.starts_with(magic))
}

/// Reads until the buffer is full, the text ends or the reader fails.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}
