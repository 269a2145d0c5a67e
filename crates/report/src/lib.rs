//! Answers to text, charts and JSON, in Dutch and English.
//!
//! The only library that holds sentences for people. A message is a Fluent message in `messages/{en,nl}/*.ftl`; an
//! answer's body says how it is shown by implementing [`Present`].

mod argument;
mod fault;
mod json;
mod language;
mod localiser;
mod messages;
mod number;
pub mod render;

pub use fault::FaultView;
pub use json::json;
pub use language::Lang;
pub use localiser::Localiser;
pub use messages::{FILES, MessageFile};
pub use render::{Format, Page, Present, Style, Table, present};
