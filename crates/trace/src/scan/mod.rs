//! The bytes of a trace: where they come from, and the little JSON that is needed, read as a stream.
//!
//! The scanner is lenient where profilers are sloppy (`NaN`, control characters in strings) and strict where a file
//! may be damaged (it ends early, brackets do not match). It keeps one buffer, whatever the size of the file or of a
//! string in it, and does not recurse.

mod decimal;
mod json;
mod source;
mod trouble;

pub(crate) use decimal::{integer, nanoseconds};
pub(crate) use json::Scanner;
pub(crate) use source::Source;
pub(crate) use trouble::{Cause, Trouble};
