//! From bytes to a [`Timeline`]: one pass, one event at a time.

mod event;
mod header;
mod names;
mod timeline;

use std::io::Read;

pub(crate) use header::Header;
pub(crate) use names::{NameId, Names};
pub use timeline::Container;
pub(crate) use timeline::{Call, DeviceKind, DeviceSpan, Marked, Timeline};

use crate::scan::{Cause, Scanner, Source, Trouble};
use event::Event;
pub(crate) use event::TEXT_IDS_BELOW;
use timeline::Collector;

/// Bounds on what a file from a stranger may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Text after decompression, in bytes.
    pub text_bytes: u64,
    /// Events that are kept in memory, about 32 bytes each: kernels, copies, calls to the accelerator.
    pub kept_events: usize,
}

impl Default for Limits {
    /// 32 GiB of text, 1 GiB of events.
    fn default() -> Self {
        Self { text_bytes: 32 << 30, kept_events: 32 << 20 }
    }
}

/// Reads a trace. One that is damaged after its first events gives those before the damage, and what was wrong.
pub(crate) fn read<'a>(reader: impl Read + 'a, limits: &Limits) -> Result<Timeline, Trouble> {
    let mut scanner = Scanner::new(Source::new(reader, limits.text_bytes)?);
    let mut collector = Collector::new(*limits);
    let mut header = Header::default();
    let container = match scanner.peek()? {
        Some(b'[') => Container::Array,
        Some(b'{') => Container::Object,
        Some(_) => return Err(scanner.trouble(Cause::Syntax)),
        None => return Err(scanner.trouble(Cause::Empty)),
    };
    let damage = match content(container, &mut scanner, &mut collector, &mut header) {
        Ok(()) => None,
        Err(trouble) if collector.has_events() && trouble.cause != Cause::TwoArrays => Some(trouble),
        Err(trouble) => return Err(trouble),
    };
    Ok(collector.finish(container, header, damage))
}

fn content(
    container: Container,
    scanner: &mut Scanner<'_>,
    collector: &mut Collector,
    header: &mut Header,
) -> Result<(), Trouble> {
    match container {
        Container::Array => events(scanner, collector)?,
        Container::Object => object(scanner, collector, header)?,
    }
    match scanner.peek()? {
        Some(_) => Err(scanner.trouble(Cause::Syntax)),
        None => Ok(()),
    }
}

enum TopKey {
    Events,
    Devices,
    Distributed,
    Other,
}

fn object(scanner: &mut Scanner<'_>, collector: &mut Collector, header: &mut Header) -> Result<(), Trouble> {
    let mut seen = false;
    let mut more = scanner.open(b'{', b'}')?;
    while more {
        let key = scanner.key(|key| match key {
            b"traceEvents" => TopKey::Events,
            b"deviceProperties" => TopKey::Devices,
            b"distributedInfo" => TopKey::Distributed,
            _ => TopKey::Other,
        })?;
        match key {
            TopKey::Events if seen => return Err(scanner.trouble(Cause::TwoArrays)),
            TopKey::Events => {
                seen = true;
                events(scanner, collector)?;
            }
            TopKey::Devices => header.read_devices(scanner)?,
            TopKey::Distributed => header.read_distributed(scanner)?,
            TopKey::Other => scanner.skip()?,
        }
        more = scanner.another(b'}')?;
    }
    if seen { Ok(()) } else { Err(scanner.trouble(Cause::NoEvents)) }
}

fn events(scanner: &mut Scanner<'_>, collector: &mut Collector) -> Result<(), Trouble> {
    let mut event = Event::default();
    let mut more = scanner.open(b'[', b']')?;
    while more {
        if scanner.next()? == b'{' {
            event.read(scanner)?;
            if collector.add(&event).is_none() {
                return Err(scanner.trouble(Cause::TooMany));
            }
        } else {
            scanner.skip()?;
            collector.count_other();
        }
        more = scanner.another(b']')?;
    }
    Ok(())
}
