//! What tools print, to facts (`stack`, for the doctor) and samples (`monitor`, for the diagnosis).
//!
//! One reader is one file and one line in [`READERS`]. Readers are total functions: any bytes give a reading or
//! nothing, never a panic, and what a reader has found says in which file and line it stood. Nothing here touches the
//! machine; `maat-probe` hands over the same facts from files that it read.

pub mod fact;
mod input;
pub mod monitor;
pub mod redact;
mod registry;
pub mod stack;

pub use fact::{Fact, Key, Place};
pub use input::{INPUT_LIMIT_BYTES, Input};
pub use registry::{READERS, Reader, Reading, kinds, not_recognised, recognise};
