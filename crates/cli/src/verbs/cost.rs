//! `maat cost …`.

use std::path::Path;

use clap::Args;
use maat_advise::{JobRequest, OwnOrApiRequest};
use maat_base::Fault;
use maat_economics::rent_or_buy::{RentOrBuyRequest, rent_or_buy};
use maat_economics::{
    CarbonRequest, CommitRequest, ElectricityRequest, PerTflopRequest, ReplaceRequest, WaitRequest, carbon,
    commit, electricity, per_tflop, replace, wait,
};

use crate::session::standard_input;
use crate::verb::{Verb, flags};

/// Largest answer of `advise` that is read, in bytes.
const LARGEST_ANSWER: u64 = 64 << 20;

pub const VERB: Verb = Verb {
    name: "cost",
    about: "What it costs: rent or buy, a job, an API, electricity, carbon",
    examples: &[
        "maat cost rent-or-buy --gpu \"8x H100 SXM\" --years 3",
        "maat cost electricity --gpu B200 --utilisation 60% --tariff NL:IC",
        "maat cost per-tflop --preset guide",
    ],
    children: &[RENT_OR_BUY, JOB, OWN_OR_API, WAIT, REPLACE, COMMIT, ELECTRICITY, PER_TFLOP, CARBON],
    ..Verb::PLAIN
};

const RENT_OR_BUY: Verb = Verb {
    name: "rent-or-buy",
    about: "Is renting or buying cheaper, and from which use on?",
    examples: &[
        "maat cost rent-or-buy --gpu \"8x H100 SXM\" --years 3 --tariff NL:IC",
        "maat cost rent-or-buy --gpu \"8x H100 SXM\" --rent 2.90/h --buy 260000 --utilisation 60% --staff 0.2",
        "maat advise llama-3.1-8b --users 20 --json | maat cost rent-or-buy --from -",
    ],
    args: RentOrBuyRequest::augment_args,
    run: |matches, session| {
        let request: RentOrBuyRequest = flags(matches)?;
        let from = request.from.as_deref().map(text_of).transpose()?;
        session.reply(rent_or_buy(&request, from.as_deref(), &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const WAIT: Verb = Verb {
    name: "wait",
    about: "Buy now, or rent until the next generation and buy that?",
    examples: &[
        "maat cost wait --gpu \"8x H100 SXM\" --years 4 --utilisation 80%",
        "maat cost wait --gpu \"8x H100 SXM\" --years 4 --wait-months 12 --next-speed 2.2 --next-buy 450000",
        "maat cost wait --gpu \"4x RTX 4090\" --rent 0.35/h --years 4 --currency EUR",
    ],
    args: WaitRequest::augment_args,
    run: |matches, session| {
        let request: WaitRequest = flags(matches)?;
        session.reply(wait(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const REPLACE: Verb = Verb {
    name: "replace",
    about: "Keep the machine that there is, or replace it?",
    examples: &[
        "maat cost replace --gpu \"8x V100 SXM2 32GB\" --buy 12000 --with \"2x H100 PCIe\" --years 3",
        "maat cost replace --gpu \"8x A100 SXM 80GB\" --buy 70000 --with \"8x B200\" --new-buy 420000 --speed 4",
        "maat cost replace --gpu \"2x RTX 3090\" --buy 1200 --with \"1x RTX 5090\" --tariff NL:DC --currency EUR",
    ],
    args: ReplaceRequest::augment_args,
    run: |matches, session| {
        let request: ReplaceRequest = flags(matches)?;
        session.reply(replace(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const COMMIT: Verb = Verb {
    name: "commit",
    about: "Pay for the hours that are used, or commit to all?",
    examples: &[
        "maat cost commit --gpu \"8x H100 SXM\" --utilisation 60%",
        "maat cost commit --gpu \"8x H100 SXM\" --rent 2.90/h --committed 1.85/h --years 1 --hours-per-month 400",
        "maat cost commit --gpu A100 --committed 1.10/h --years 1 --utilisation 80% --currency EUR",
    ],
    args: CommitRequest::augment_args,
    run: |matches, session| {
        let request: CommitRequest = flags(matches)?;
        session.reply(commit(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const ELECTRICITY: Verb = Verb {
    name: "electricity",
    about: "What does its electricity cost?",
    examples: &[
        "maat cost electricity --gpu B200 --utilisation 60% --tariff 0.10",
        "maat cost electricity --power 1200W --idle-power 200W --utilisation 40% --tariff NL:DC --currency EUR",
        "maat cost electricity --gpu \"8x H100 SXM\" --pue 1.3 --tariff DE:IC",
    ],
    args: ElectricityRequest::augment_args,
    run: |matches, session| {
        let request: ElectricityRequest = flags(matches)?;
        session.reply(electricity(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const PER_TFLOP: Verb = Verb {
    name: "per-tflop",
    about: "What does a TFLOP, a GB/s or a GB cost, on a named basis?",
    examples: &[
        "maat cost per-tflop",
        "maat cost per-tflop --preset guide --basis vendor-headline",
        "maat cost per-tflop --basis bandwidth --kind spot",
    ],
    args: PerTflopRequest::augment_args,
    run: |matches, session| {
        let request: PerTflopRequest = flags(matches)?;
        session.reply(per_tflop(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const JOB: Verb = Verb {
    name: "job",
    about: "What does a job cost, by its own time on each machine?",
    examples: &[
        "maat cost job llama-3.1-8b --task batch --tokens 40M --gpu \"RTX 4090\"",
        "maat cost job llama-3.1-8b --task batch --tokens 1B --gpu \"RTX 4090\" --versus \"H100 SXM\"",
        "maat cost job qwen3-32b --users 16 --tokens 100M --gpu \"2x L40S\" --rent 1.20/h --currency EUR",
    ],
    args: JobRequest::augment_args,
    run: |matches, session| {
        let request: JobRequest = flags(matches)?;
        let facts = session.facts()?;
        session.reply(maat_advise::job(&request, &facts.world(session))?)
    },
    ..Verb::PLAIN
};

const OWN_OR_API: Verb = Verb {
    name: "own-or-api",
    about: "From how many tokens a month is a machine cheaper than an API?",
    examples: &[
        "maat cost own-or-api llama-3.1-8b --gpu L4 --api-input 0.05/M --api-output 0.08/M --tokens-per-month 200M",
        "maat cost own-or-api qwen3-32b --precision awq --gpu \"2x RTX 3090\" --buy 4000 --years 5 --api-input 0.25/M --api-output 0.50/M \
         --tokens-per-month 240M",
        "maat cost own-or-api gpt-oss-120b --gpu \"H100 SXM\" --users 32 --api-input 0.10/M --api-output 0.50/M \
         --tokens-per-month 2B",
    ],
    args: OwnOrApiRequest::augment_args,
    run: |matches, session| {
        let request: OwnOrApiRequest = flags(matches)?;
        let facts = session.facts()?;
        session.reply(maat_advise::own_or_api(&request, &facts.world(session))?)
    },
    ..Verb::PLAIN
};

const CARBON: Verb = Verb {
    name: "carbon",
    about: "What does it emit, in use and by its making?",
    examples: &[
        "maat cost carbon --gpu \"8x H100 SXM\" --utilisation 60% --country NL",
        "maat cost carbon --gpu \"RTX 4090\" --country Poland --years 4",
        "maat cost carbon --power 1200W --idle-power 200W --grid 30 --pue 1.2 --embodied 1500",
    ],
    args: CarbonRequest::augment_args,
    run: |matches, session| {
        let request: CarbonRequest = flags(matches)?;
        session.reply(carbon(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

/// The text of a file, or of standard input for `-`.
fn text_of(path: &str) -> Result<String, Fault> {
    let unreadable = |what: String| Fault::content("advise-answer-unreadable").with("given", what).at(path);
    let bytes = if path == "-" {
        standard_input(LARGEST_ANSWER)?
    } else {
        let size = std::fs::metadata(Path::new(path)).map_err(|error| unreadable(error.to_string()))?.len();
        if size > LARGEST_ANSWER {
            return Err(unreadable(format!("{size} bytes")));
        }
        std::fs::read(path).map_err(|error| unreadable(error.to_string()))?
    };
    String::from_utf8(bytes).map_err(|error| unreadable(error.to_string()))
}
