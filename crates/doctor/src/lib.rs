//! Is the software stack right? Facts and signs of inputs or of the running machine go in; what is wrong, what proves
//! it, what would refute it and what to do come out.
//!
//! Nothing here looks at the machine: `maat-probe` hands over what it read.

mod answer;
mod ask;
pub mod case;
mod codes;
mod health;
mod install;
mod question;
mod redaction;
pub mod rules;
pub mod tables;

pub use answer::{Ask, DoctorBody, DoctorRequest, FactRead, InputRead, Install, doctor};
pub use case::Case;
pub use codes::{Code, codes};
