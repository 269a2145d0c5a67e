//! `maat catalogue …`.

use clap::Args;
use maat_base::Fault;
use maat_catalogue::{
    CompareRequest, ExportRequest, HistoryRequest, ImportRequest, LintRequest, ListRequest, OffersRequest,
    ShowRequest,
};

use crate::session::standard_input;
use crate::store;
use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "catalogue",
    about: "What hardware and prices there are",
    examples: &[
        "maat catalogue list --supports fp8",
        "maat catalogue show H100",
        "maat catalogue compare \"H100 SXM\" \"MI300X\" \"L40S\"",
    ],
    children: &[LIST, SHOW, COMPARE, OFFERS, HISTORY, LINT, IMPORT, EXPORT],
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

const HISTORY: Verb = Verb {
    name: "history",
    about: "What a part cost over time, to rent and to buy",
    examples: &[
        "maat catalogue history H100",
        "maat catalogue history \"RTX 4090\" --kind purchase --since 2024-01-01 --currency EUR",
        "maat catalogue history H100 --kind on-demand --format html",
    ],
    args: HistoryRequest::augment_args,
    run: |matches, session| {
        let request: HistoryRequest = flags(matches)?;
        let past = session.data.as_deref().map(store::past).unwrap_or_default();
        let catalogue = session.catalogue()?;
        session.reply(maat_catalogue::history(&request, &past, &catalogue, &session.terms())?)
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

/// Largest price list that is read, in bytes: 2 million rows of 200.
const LARGEST_LIST: u64 = 400 << 20;

const IMPORT: Verb = Verb {
    name: "import",
    about: "Keeps a price list: of gpuhunt, of SkyPilot, or a quote of a seller",
    examples: &[
        "maat catalogue import aws.csv --from skypilot",
        "maat catalogue import runpod.csv --from gpuhunt --observed 2026-11-09",
        "maat catalogue import quote.csv --provider jansen --dry-run",
    ],
    args: ImportRequest::augment_args,
    run: |matches, session| {
        let request: ImportRequest = flags(matches)?;
        let text = list_of(&request.file)?;
        let today = session.as_of.unwrap_or_else(store::today);
        let answer = maat_catalogue::import(&request, &request.file, &text, today, &session.catalogue()?)?;
        if !request.dry_run {
            let data = session.data.as_deref().ok_or_else(|| Fault::content("import-no-folder"))?;
            store::facts(data, &answer.body.files, today)?;
        }
        session.reply(answer)
    },
    ..Verb::PLAIN
};

/// The text of a price list.
fn list_of(path: &str) -> Result<String, Fault> {
    let unreadable = |what: String| Fault::content("import-unreadable").with("given", what).at(path);
    if path == "-" {
        let bytes = standard_input(LARGEST_LIST)?;
        return String::from_utf8(bytes).map_err(|error| unreadable(error.to_string()));
    }
    let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
    if size > LARGEST_LIST {
        return Err(unreadable(format!("{size} bytes")));
    }
    std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))
}

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
