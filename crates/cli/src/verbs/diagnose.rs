//! `maat diagnose FILE…`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use maat_base::{Fault, Period};
use maat_diagnose::{Content, DiagnoseRequest, diagnose_with};

use crate::outcome::Reply;
use crate::session::{Session, standard_input};
use crate::verb::{Verb, flags};

/// More of standard input than this is not read.
const FILE_LIMIT_BYTES: u64 = 4 << 30;
/// The longest watch, in seconds.
const WATCH_LIMIT_S: f64 = 3600.0;

pub const VERB: Verb = Verb {
    name: "diagnose",
    about: "What holds a machine back, from what its tools print, from traces, or from a look at it",
    examples: &[
        "maat diagnose gpu.csv iostat.txt top.txt trace.json.gz",
        "nvidia-smi -q | maat diagnose -",
        "maat diagnose --watch 30s",
    ],
    args: DiagnoseArgs::augment_args,
    run,
    ..Verb::PLAIN
};

#[derive(Args)]
struct DiagnoseArgs {
    /// Outputs of tools, logs and traces, in any mix, plain or gzip; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read all files as this kind instead of by their content
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Take hosts, users, paths, addresses and identifiers out of the answer
    #[arg(long)]
    redact: bool,
    /// Look at this machine for a time, such as 30s
    #[arg(long, value_name = "TIME")]
    watch: Option<String>,
    /// Keep the samples in a file that diagnose reads again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

fn run(matches: &clap::ArgMatches, session: &Session) -> Result<Reply, Fault> {
    let DiagnoseArgs { files, kind, redact, watch, record } = flags(matches)?;
    if files.is_empty() && watch.is_none() {
        return Err(Fault::usage("nothing-to-read"));
    }
    let watch = watch.as_deref().map(period).transpose()?;
    let inputs = files.iter().map(|path| input(path)).collect::<Result<Vec<_>, Fault>>()?;
    let watched = watch.map(maat_probe::watch::watch).unwrap_or_default();
    let (answer, recording) = diagnose_with(&DiagnoseRequest { kind, redact }, inputs, watched)?;
    if let Some(path) = record {
        fs::write(&path, recording).map_err(|error| {
            Fault::content("record-failed").with("problem", error.to_string()).at(path.display().to_string())
        })?;
    }
    session.reply(answer)
}

fn period(text: &str) -> Result<Duration, Fault> {
    let Period(seconds) = text.parse()?;
    Ok(Duration::from_secs_f64(seconds.clamp(0.2, WATCH_LIMIT_S)))
}

fn input(path: &Path) -> Result<(String, Content), Fault> {
    if path == Path::new("-") {
        return Ok(("-".to_owned(), standard_input(FILE_LIMIT_BYTES)?.into()));
    }
    let file = File::open(path).map_err(|error| {
        Fault::content("file-unreadable").with("why", error.to_string()).at(path.display().to_string())
    })?;
    Ok((path.display().to_string(), Content::Stream(Box::new(file))))
}
