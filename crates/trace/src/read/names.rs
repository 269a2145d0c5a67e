//! Names, each kept once with what the tables say of it.

use std::borrow::Cow;
use std::collections::HashMap;

/// A name's number.
pub(crate) type NameId = u32;

/// More different names than any program has are kept as one.
const NAMES_LIMIT: usize = 1 << 17;

/// All names together.
const NAMES_BYTES_LIMIT: usize = 64 << 20;

/// What is kept of a name; the tables see all that was read of it.
const TEXT_LIMIT: usize = 1 << 10;

/// Names with a class each.
#[derive(Debug)]
pub(crate) struct Names<C> {
    known: HashMap<Box<[u8]>, NameId>,
    entries: Vec<(String, C)>,
    bytes: usize,
    full: bool,
}

impl<C: Copy> Names<C> {
    pub(crate) fn new() -> Self {
        Self { known: HashMap::new(), entries: Vec::new(), bytes: 0, full: false }
    }

    /// The number and class of a name; `classify` is asked once for each.
    pub(crate) fn look_up(&mut self, name: &[u8], classify: impl FnOnce(&[u8]) -> C) -> (NameId, C) {
        if let Some(&id) = self.known.get(name) {
            return (id, self.entries[id as usize].1);
        }
        let class = classify(name);
        if self.full {
            // Beyond the limit the class is still right; the text is that of the last name kept.
            return (self.entries.len() as NameId - 1, class);
        }
        self.bytes += name.len();
        self.full = self.entries.len() + 1 >= NAMES_LIMIT || self.bytes > NAMES_BYTES_LIMIT;
        let text = if self.full {
            Cow::Borrowed("(others)")
        } else {
            String::from_utf8_lossy(&name[..name.len().min(TEXT_LIMIT)])
        };
        let id = self.entries.len() as NameId;
        self.entries.push((text.into_owned(), class));
        self.known.insert(Box::from(name), id);
        (id, class)
    }

    /// The text of a name.
    pub(crate) fn text(&self, id: NameId) -> &str {
        self.entries.get(id as usize).map_or("", |(text, _)| text)
    }

    /// How many different names there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The class of a name.
    pub(crate) fn class(&self, id: NameId) -> Option<C> {
        self.entries.get(id as usize).map(|(_, class)| *class)
    }
}
