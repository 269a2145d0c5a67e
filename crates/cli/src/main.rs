//! `maat`: which AI hardware, how fast, at what cost, and why.
//!
//! Parses, dispatches to a verb, writes the answer, exits as the contract says. All that the outside world has to say
//! (arguments, environment, standard streams) comes in here and in [`session`].

mod command;
mod common;
mod facts;
mod here;
mod outcome;
mod planned;
mod session;
mod store;
mod usage;
mod verb;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::common::Common;
use crate::outcome::Reply;
use crate::session::{Environment, Session};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let reply = reply(&args, &Environment::read());
    ExitCode::from(outcome::write(&reply))
}

/// The reply to a command line.
fn reply(args: &[OsString], environment: &Environment) -> Reply {
    let command = command::root();
    let matches = match command.try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Reply::help(&error, environment);
        }
        Err(error) => {
            // The flags are not known as a whole; what decides the form of the message is looked for one by one.
            let common = Common::glimpse(args);
            let fault = usage::fault(&error, args);
            return Reply::fault(&fault, &common, environment);
        }
    };
    let (path, matches) = command::innermost(&matches);
    let common = Common::of(matches);
    let done = Session::new(&common, environment).and_then(|session| {
        verbs::find(&path)
            .map_or_else(|| Err(usage::verb_missing(&path)), |verb| (verb.run)(matches, &session))
    });
    match done {
        Ok(reply) => reply,
        Err(fault) => Reply::fault(&fault, &common, environment),
    }
}
