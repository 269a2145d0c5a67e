//! `maat diagnose FILE…`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use maat_base::{Fault, Period};
use maat_diagnose::{Content, DiagnoseRequest, diagnose_against};

use crate::outcome::Reply;
use crate::session::Session;
use crate::verb::{Verb, flags};

/// Files of a folder, beyond which it is no folder of outputs.
const FOLDER_LIMIT: usize = 10_000;
/// The longest watch, in seconds.
const WATCH_LIMIT_S: f64 = 3600.0;

pub const VERB: Verb = Verb {
    name: "diagnose",
    about: "What holds a machine back, from what its tools print, from traces, or from a look at it",
    examples: &[
        "maat diagnose gpu.csv iostat.txt top.txt trace.json.gz",
        "nvidia-smi -q | maat diagnose -",
        "maat diagnose after.json.gz --against before.json.gz",
        "maat diagnose --watch 30s",
    ],
    args: DiagnoseArgs::augment_args,
    run,
    ..Verb::PLAIN
};

#[derive(Args)]
struct DiagnoseArgs {
    /// Outputs of tools, logs and traces, in any mix, plain or gzip, or folders of them; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Earlier trace of the same work, or folder of its ranks: what became faster or slower, and why
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,
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
    let DiagnoseArgs { files, against, kind, redact, watch, record } = flags(matches)?;
    if files.is_empty() && watch.is_none() {
        return Err(Fault::usage("nothing-to-read"));
    }
    let watch = watch.as_deref().map(period).transpose()?;
    let (inputs, before) = (inputs(&files, redact)?, inputs(&against, redact)?);
    let watched = watch.map(maat_probe::watch::watch).unwrap_or_default();
    let request = DiagnoseRequest { kind, redact };
    let (answer, recording) = diagnose_against(&request, inputs, before, watched)?;
    if let Some(path) = record {
        fs::write(&path, recording).map_err(|error| {
            Fault::content("record-failed").with("problem", error.to_string()).at(path.display().to_string())
        })?;
    }
    session.reply(answer)
}

fn period(text: &str) -> Result<Duration, Fault> {
    let Period(seconds) = text.parse::<Period>().map_err(|fault| fault.at("--watch"))?;
    if seconds <= 0.0 {
        return Err(Fault::usage("watch-zero").at("--watch"));
    }
    Ok(Duration::from_secs_f64(seconds.clamp(0.2, WATCH_LIMIT_S)))
}

/// The inputs; a folder is all files in it. Where nothing may say who and where, trouble is told by number.
fn inputs(paths: &[PathBuf], redact: bool) -> Result<Vec<(String, Content)>, Fault> {
    let mut inputs = Vec::new();
    for (path, number) in paths.iter().zip(1..) {
        let opened =
            open(path).map_err(|fault| if redact { fault.at(format!("input-{number}")) } else { fault });
        inputs.extend(opened?);
    }
    Ok(inputs)
}

fn open(path: &Path) -> Result<Vec<(String, Content)>, Fault> {
    if path == Path::new("-") {
        return Ok(vec![("-".to_owned(), Content::Stream(Box::new(io::stdin())))]);
    }
    let files = if path.is_dir() { folder(path)? } else { vec![path.to_path_buf()] };
    files.iter().map(|file| input(file)).collect()
}

/// The files of a folder by name, without hidden ones.
fn folder(path: &Path) -> Result<Vec<PathBuf>, Fault> {
    let entries = fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let hidden = |path: &Path| path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    let mut files: Vec<PathBuf> = entries
        .take(FOLDER_LIMIT)
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && !hidden(path))
        .collect();
    if files.is_empty() {
        return Err(Fault::content("folder-empty").at(path.display().to_string()));
    }
    files.sort();
    Ok(files)
}

fn input(path: &Path) -> Result<(String, Content), Fault> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok((path.display().to_string(), Content::Stream(Box::new(file))))
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    Fault::content("file-unreadable").with("why", error.to_string()).at(path.display().to_string())
}
