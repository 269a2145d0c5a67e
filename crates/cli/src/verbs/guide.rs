//! `maat guide`.

use clap::Args;
use maat_guide::{GuideRequest, guide};

use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "guide",
    about: "What buyer's guides say, recomputed: right, wrong, doubtful, dated",
    examples: &[
        "maat guide --only wrong",
        "maat guide --id RB06 --explain",
        "maat guide --checklist --model 70B --hours-per-month 500 --years 2",
    ],
    args: GuideRequest::augment_args,
    run: |matches, session| {
        let request: GuideRequest = flags(matches)?;
        let facts = session.facts()?;
        session.reply(guide(&request, &facts.world(session))?)
    },
    ..Verb::PLAIN
};
