//! `maat advise MODEL`.

use clap::Args;
use maat_advise::AdviseRequest;

use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "advise",
    about: "Which hardware does it best, at what price, and why?",
    examples: &[
        "maat advise meta-llama/Llama-3.1-8B --users 20",
        "maat advise mistralai/Mixtral-8x7B-v0.1 --users 50 --max-ttft 2s --currency EUR",
        "maat advise qwen3-32b --task batch --kind on-demand,spot --objective throughput",
    ],
    args: AdviseRequest::augment_args,
    run: |matches, session| {
        let request: AdviseRequest = flags(matches)?;
        let facts =
            session.facts_for(request.hardware.here)?.calibrated(request.work.calibrate.as_deref())?;
        session.reply(maat_advise::advise(&request, &facts.world(session))?)
    },
    ..Verb::PLAIN
};
