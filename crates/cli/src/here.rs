//! The running machine for verbs: looked at once, with what was measured of it before.

use std::path::{Path, PathBuf};

use maat_base::Fault;
use maat_here::{Record, this_machine};
use maat_probe::machine::{Root, Seen, machine};

use crate::facts::Facts;
use crate::session::Session;

/// File of the own measurement, in the folder of the user's data.
const RECORD: &str = "bench.json";

/// The machine as it was read, and its own measurement.
pub struct Here {
    /// What was read.
    pub seen: Seen,
    /// What `maat bench` kept, of whichever machine.
    pub record: Option<Record>,
}

impl Here {
    /// Looks at the machine, or at the tree of a folder.
    pub fn look(session: &Session, root: Option<&Path>) -> Self {
        let root = root.or(session.root.as_deref()).map_or_else(Root::default, Root::of);
        let text = record_file(session).and_then(|path| std::fs::read_to_string(path).ok());
        Self { seen: machine(&root), record: text.as_deref().and_then(Record::parse) }
    }

    /// The facts with this machine among them.
    pub fn facts(&self, session: &Session) -> Result<Facts, Fault> {
        let mut facts = session.facts()?;
        let this = this_machine(&self.seen, self.record.as_ref(), &facts.catalogue)?;
        facts.catalogue.set_this_machine(this);
        Ok(facts)
    }
}

/// Where the measurement is kept; `None` without a folder for the user's data.
pub fn record_file(session: &Session) -> Option<PathBuf> {
    session.data.as_ref().map(|folder| folder.join(RECORD))
}

impl Session {
    /// The facts, with this machine among them where the request means it.
    pub fn facts_for(&self, here: bool) -> Result<Facts, Fault> {
        if here { Here::look(self, None).facts(self) } else { self.facts() }
    }
}
