//! `maat validate`.

use std::path::Path;

use clap::Args;
use maat_base::Fault;
use maat_estimate::Rules;
use maat_validate::ValidateRequest;

use crate::session::standard_input;
use crate::verb::{Verb, flags};

/// Largest table of measurements that is read, in bytes.
const LARGEST_TABLE: u64 = 64 << 20;

pub const VERB: Verb = Verb {
    name: "validate",
    about: "Can the predictions be trusted? Beside public measurements, or your own",
    examples: &[
        "maat validate",
        "maat validate --data my-runs.csv --rows predicted.csv",
        "maat validate --json",
    ],
    args: ValidateRequest::augment_args,
    run: |matches, session| {
        let request: ValidateRequest = flags(matches)?;
        let table = request.data.as_deref().map(table).transpose()?;
        let catalogue = session.catalogue()?;
        let validated =
            maat_validate::validate(table.as_deref(), request.fit, &catalogue, &Rules::built_in()?)?;
        if let Some(path) = &request.rows {
            write(path, &validated.rows)?;
        }
        let folder = Path::new("facts/speed");
        let folder = if folder.is_dir() { folder } else { Path::new(".") };
        for (name, text) in &validated.tables {
            write(&folder.join(name), text.as_bytes())?;
        }
        session.reply(validated.answer)
    },
    ..Verb::PLAIN
};

/// The bytes of a table of measurements; `-` is standard input.
pub fn table(path: &Path) -> Result<Vec<u8>, Fault> {
    if path.as_os_str() == "-" {
        return standard_input(LARGEST_TABLE);
    }
    let place = path.display().to_string();
    let unreadable =
        |what: String| Fault::content("measurements-unreadable").with("given", what).at(place.clone());
    let about = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if about.len() > LARGEST_TABLE {
        return Err(unreadable(format!("{} bytes", about.len())));
    }
    std::fs::read(path).map_err(|error| unreadable(error.to_string()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    std::fs::write(path, bytes).map_err(|error| {
        Fault::content("measurements-not-written")
            .with("given", error.to_string())
            .at(path.display().to_string())
    })
}
