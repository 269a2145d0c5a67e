//! `maat catalogue …`.

use clap::Args;
use maat_catalogue::{CompareRequest, ExportRequest, LintRequest, ListRequest, OffersRequest, ShowRequest};

use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "catalogue",
    about: "What hardware and prices there are",
    examples: &[
        "maat catalogue list --supports fp8",
        "maat catalogue show H100",
        "maat catalogue compare \"H100 SXM\" \"MI300X\" \"L40S\"",
    ],
    children: &[LIST, SHOW, COMPARE, OFFERS, LINT, EXPORT],
    ..Verb::PLAIN
};

const LIST: Verb = Verb {
    name: "list",
    about: "Accelerators, processors or servers",
    examples: &[
        "maat catalogue list",
        "maat catalogue list --supports fp8,bf16 --min-memory 80GB",
        "maat catalogue list cpus --vendor amd",
    ],
    args: ListRequest::augment_args,
    run: |matches, session| {
        let request: ListRequest = flags(matches)?;
        session.reply(maat_catalogue::list(&request, &session.catalogue()?)?)
    },
    ..Verb::PLAIN
};

const SHOW: Verb = Verb {
    name: "show",
    about: "All that is known of a part, by any of its names",
    examples: &[
        "maat catalogue show H100",
        "maat catalogue show \"RTX 4090\"",
        "maat catalogue show p5.48xlarge",
    ],
    args: ShowRequest::augment_args,
    run: |matches, session| {
        let request: ShowRequest = flags(matches)?;
        session.reply(maat_catalogue::show(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const COMPARE: Verb = Verb {
    name: "compare",
    about: "Parts beside each other: who wins what",
    examples: &[
        "maat catalogue compare H100 MI300X",
        "maat catalogue compare \"RTX 4090\" \"RTX 5090\" \"RTX 6000 Ada\"",
        "maat catalogue compare H100 H200 B200 --format md",
    ],
    args: CompareRequest::augment_args,
    run: |matches, session| {
        let request: CompareRequest = flags(matches)?;
        session.reply(maat_catalogue::compare(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const OFFERS: Verb = Verb {
    name: "offers",
    about: "What can be rented, the cheapest first",
    examples: &[
        "maat catalogue offers --gpu H100",
        "maat catalogue offers --gpu \"A100 80GB\" --kind on-demand --region eu",
        "maat catalogue offers --max-price 1 --currency EUR",
    ],
    args: OffersRequest::augment_args,
    run: |matches, session| {
        let request: OffersRequest = flags(matches)?;
        session.reply(maat_catalogue::offers(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const LINT: Verb = Verb {
    name: "lint",
    about: "What in the facts is contradictory, impossible, old or without a source",
    examples: &[
        "maat catalogue lint",
        "maat catalogue lint --data ./my-facts --fail-on warning",
        "maat catalogue lint --json",
    ],
    args: LintRequest::augment_args,
    run: |matches, session| {
        let request: LintRequest = flags(matches)?;
        session.reply(maat_catalogue::lint(&request, &session.catalogue()?, &session.terms())?)
    },
    ..Verb::PLAIN
};

const EXPORT: Verb = Verb {
    name: "export",
    about: "The facts as files, to change and lay over with --facts",
    examples: &[
        "maat catalogue export",
        "maat catalogue export offers --json",
        "maat catalogue export hardware/links.csv -q",
    ],
    args: ExportRequest::augment_args,
    run: |matches, session| {
        let request: ExportRequest = flags(matches)?;
        session.reply(maat_catalogue::export(&request, &session.catalogue()?)?)
    },
    ..Verb::PLAIN
};
