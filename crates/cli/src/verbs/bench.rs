//! `maat bench`.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use maat_base::Fault;
use maat_here::{Record, this_machine};
use maat_probe::bench::{Accelerated, Cuda, Effort, measure};

use crate::here::{Here, record_file};
use crate::outcome::Reply;
use crate::session::Session;
use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "bench",
    about: "How fast is this machine really? Kept for --here",
    examples: &["maat bench", "maat bench --quick", "maat bench --json --no-store"],
    args: BenchArgs::augment_args,
    run,
    ..Verb::PLAIN
};

#[derive(Args)]
struct BenchArgs {
    /// In a quarter of the time
    #[arg(long)]
    quick: bool,
    /// Leave the disk out
    #[arg(long)]
    no_disk: bool,
    /// Do not keep the figures for --here
    #[arg(long)]
    no_store: bool,
}

fn run(matches: &clap::ArgMatches, session: &Session) -> Result<Reply, Fault> {
    let args: BenchArgs = flags(matches)?;
    let here = Here::look(session, None);
    let mut facts = session.facts()?;
    // Beside the measurement stands what is known without one.
    let plain = this_machine(&here.seen, None, &facts.catalogue)?;
    let folder = session.cache.as_deref().filter(|_| !args.no_disk);
    let gpus = Cuda::open();
    let gpus = gpus.as_ref().map(|cuda| cuda as &dyn Accelerated);
    let measured = measure(&here.seen, &Effort { quick: args.quick, folder }, gpus);
    let stored =
        if args.no_store { None } else { store(session, &Record::new(&here.seen, measured.clone(), now()))? };
    let machine = plain.machine.clone();
    facts.catalogue.set_this_machine(plain);
    session.reply(maat_here::bench(&here.seen, &measured, &machine, stored, &facts.world(session))?)
}

/// Keeps a measurement; gives the file's name.
fn store(session: &Session, record: &Record) -> Result<Option<String>, Fault> {
    let Some(path) = record_file(session) else { return Ok(None) };
    // Without products and memory there is nothing to go by, and what was kept before stays.
    if record.processor().is_none() {
        return Ok(None);
    }
    let shown = path.display().to_string();
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, record.text())
    };
    match write() {
        Ok(()) => Ok(Some(shown)),
        Err(error) => Err(Fault::content("bench-not-stored")
            .with("why", error.to_string())
            .hint(maat_base::Text::new("hint-bench-not-stored"))
            .at(shown)),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
