//! What every other crate speaks in: bytes and money as types, ranges, the basis of a figure, texts that are not yet
//! in a language, findings, verdicts, answers and faults.
//!
//! Nothing here knows hardware, models or prices, and nothing here touches the outside world.

mod answer;
mod basis;
mod bytes;
mod fault;
mod finding;
mod input;
mod money;
mod range;
mod text;

pub use answer::{Answer, Assumed, SCHEMA_VERSION, Source, Verdict};
pub use basis::{Basis, Sourced};
pub use bytes::{Bytes, GB, GIB, MIB};
pub use fault::{Fault, FaultKind};
pub use finding::{Code, Evidence, Finding, Gain, Severity};
pub use input::{Amount, ByteSize, Frequency, Growth, LabelSize, Period, Rate, Share, Watts};
pub use jiff::civil::Date;

/// So many days, to add to a date.
pub fn days(count: i64) -> jiff::Span {
    jiff::Span::new().try_days(count).unwrap_or_default()
}

pub use money::{Currency, ExchangeRate, Money};
pub use range::Range;
pub use rust_decimal::Decimal;
pub use text::{Arg, Text};
