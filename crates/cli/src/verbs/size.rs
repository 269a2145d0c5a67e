//! `maat size MODEL`.

use clap::Args;
use maat_advise::SizeRequest;

use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "size",
    about: "Does it fit on this machine, and how fast?",
    examples: &[
        "maat size meta-llama/Llama-3.1-8B --gpu \"RTX 4090\"",
        "maat size ./my-model --gpu \"2x H100 SXM\" --users 32 --context 8192",
        "maat size gpt-oss-120b --gpu \"?x A100 80GB\"",
    ],
    args: SizeRequest::augment_args,
    run: |matches, session| {
        let request: SizeRequest = flags(matches)?;
        let facts =
            session.facts_for(request.hardware.here)?.calibrated(request.work.calibrate.as_deref())?;
        session.reply(maat_advise::size(&request, &facts.world(session))?)
    },
    ..Verb::PLAIN
};
