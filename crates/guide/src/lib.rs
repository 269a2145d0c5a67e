//! What two buyer's guides say, claim by claim, and whether it is so.
//!
//! A claim is a row of `facts/guides/claims.csv`; what can be computed of it stands in `facts/guides/checks.toml`: a verb
//! of `maat` with its request, where to look in the answer, and what the guide says it is. The verdict follows from these
//! answers each time, so that another price or another engine moves it.

mod ask;
mod check;
mod checklist;
mod facts;
mod guide;

pub use check::Probed;
pub use checklist::{Checked, ChecklistRequest};
pub use facts::{Claim, Judgement, Which, claims};
pub use guide::{ClaimView, Count, GuideBody, GuideRequest, guide};
