//! PyTorch profiler (Kineto) traces: read as a stream, measured in whole nanoseconds, and judged.
//!
//! [`analyse`] reads one trace or those of many ranks and measures them; [`findings`] says what holds the work back.
//! A trace may be plain or gzip, an object or a bare list, old or new, of any vendor. Memory grows with the events that
//! matter (kernels, copies, calls), about a thirtieth of the text, and is bounded by [`Limits`].
//!
//! Nothing here opens files: an [`Input`] hands over bytes and the name they go by.

mod answer;
mod cover;
mod diff;
mod judge;
mod measure;
mod micros;
mod ranks;
mod read;
mod recognise;
mod redact;
mod report;
mod rules;
mod scan;
mod tables;

pub use answer::{TraceBody, answer};
pub use diff::{Change, KernelChange, NumberChange, PartChange, TraceDiff, compare};
pub use judge::{Confidence, Judgement, Lack, Ranked, findings, judge};
pub use measure::{
    CollectiveRow, CopyRow, FamilyRow, IdleKinds, KernelRow, Launches, Numbers, Resource, Split, Step,
    StreamRow, TensorCores, Waits,
};
pub use micros::Micros;
pub use ranks::{RankComparison, RankRow, rank_in_name};
pub use read::{Container, Limits};
pub use recognise::looks_like_trace;
pub use report::{Damage, Input, Marks, Options, Piece, RankReport, TraceReport, analyse, analyse_both};
pub use tables::{Bound, Collective, Family, Fix, FixKind, Thresholds, Vendor, fixes, thresholds};
