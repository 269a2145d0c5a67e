//! The verbs. One more is one file and one line in [`VERBS`].

mod advise;
mod bench;
mod catalogue;
mod completion;
mod cost;
mod diagnose;
mod doctor;
mod guide;
mod here;
mod man;
mod model;
mod size;
mod validate;

use crate::verb::Verb;

pub use validate::table as measurements;

/// All verbs, in the order of help.
#[rustfmt::skip] // one a line, so that additions do not collide
pub const VERBS: &[&Verb] = &[
    &advise::VERB,
    &size::VERB,
    &model::VERB,
    &catalogue::VERB,
    &diagnose::VERB,
    &doctor::VERB,
    &cost::VERB,
    &validate::VERB,
    &here::VERB,
    &bench::VERB,
    &guide::VERB,
    &completion::VERB,
    &man::VERB,
];

/// The verb of a path such as `catalogue show`.
pub fn find(path: &[String]) -> Option<&'static Verb> {
    let (first, rest) = path.split_first()?;
    let verb = VERBS.iter().copied().find(|verb| verb.name == first)?;
    rest.iter()
        .try_fold(verb, |verb, name| verb.children.iter().find(|child| child.name == name))
        .filter(|verb| verb.children.is_empty())
}
