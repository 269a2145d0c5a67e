//! What can be wrong with a file, small enough for the inner loops; a `Fault` is made of it at the edge.

use maat_base::{Fault, Text};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The text ends within a value.
    EndsEarly,
    /// The compressed stream is damaged.
    Compression,
    /// Compressed by something else than gzip.
    OtherCompression,
    /// The reader failed.
    Unreadable,
    /// A character that cannot stand here.
    Syntax,
    /// More levels than any profiler writes.
    TooDeep,
    /// More text than the limit.
    TooLarge,
    /// More events than the limit.
    TooMany,
    /// JSON, but without an array of events.
    NoEvents,
    /// Two arrays of events.
    TwoArrays,
    /// Nothing at all.
    Empty,
}

/// What is wrong and at which byte of the text (after decompression).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// What is wrong.
    pub cause: Cause,
    /// Offset in the text.
    pub offset: u64,
}

impl Cause {
    /// The code of the fault.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::EndsEarly => "trace-ends-early",
            Self::Compression => "trace-compression-damaged",
            Self::OtherCompression => "trace-compression-unknown",
            Self::Unreadable => "trace-unreadable",
            Self::Syntax => "trace-not-json",
            Self::TooDeep => "trace-nested-too-deep",
            Self::TooLarge => "trace-too-large",
            Self::TooMany => "trace-too-many-events",
            Self::NoEvents => "trace-without-events",
            Self::TwoArrays => "trace-two-event-arrays",
            Self::Empty => "trace-empty",
        }
    }

    /// The message that says what to do.
    pub(crate) const fn hint(self) -> &'static str {
        match self {
            Self::EndsEarly | Self::Compression | Self::Unreadable | Self::Empty => "hint-trace-copy-again",
            Self::OtherCompression => "hint-trace-decompress",
            Self::Syntax | Self::NoEvents | Self::TwoArrays | Self::TooDeep => "hint-trace-export-again",
            Self::TooLarge | Self::TooMany => "hint-trace-fewer-steps",
        }
    }
}

impl Trouble {
    /// The fault for people; `label` is the name that the input goes by.
    pub(crate) fn fault(self, label: &str) -> Fault {
        Fault::content(self.cause.code())
            .at(format!("{label}: byte {}", self.offset))
            .hint(Text::new(self.cause.hint()))
    }
}
