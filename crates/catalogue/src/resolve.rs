//! From a name to a part.

use std::sync::Arc;

use maat_base::{Arg, Fault, Text};

use crate::accelerator::{Accelerator, FormFactor};
use crate::catalogue::Catalogue;
use crate::load::{Alias, Cpu, NoPart, Offer, Server, Stated};
use crate::names::{Described, described, key, processor_alone};

/// How far stated memory may lie from a part's, as a share: makers, clouds and drivers count in 10^9 and 2^30, with and
/// without what error correction takes (B200: 192 on the package, 180 sold; B300: 288, 270, 262).
const MEMORY_TOLERANCE: f64 = 0.08;

/// A part that a name means.
#[derive(Clone, Debug)]
pub struct Resolved<T> {
    /// The part.
    pub part: Arc<T>,
    /// Other parts that the name fits, commonest first.
    pub others: Vec<Arc<T>>,
    /// Why this one of several; `None` where there are no others.
    pub why: Option<Text>,
}

impl<T> Resolved<T> {
    fn of(mut parts: Vec<Arc<T>>, name: impl Fn(&T) -> &str) -> Option<Self> {
        if parts.is_empty() {
            return None;
        }
        let part = parts.remove(0);
        let why = (!parts.is_empty()).then(|| {
            let others: Vec<Arg> = parts.iter().map(|other| Arg::from(name(other))).collect();
            Text::new("why-commonest-of-name").with("others", Arg::List(others))
        });
        Some(Self { part, others: parts, why })
    }
}

/// Parts that a name fits, commonest first.
struct Candidates {
    parts: Vec<Arc<Accelerator>>,
    /// The name leaves the form open although only one is known here.
    unstated: bool,
}

impl Catalogue {
    /// The accelerator that a name means: any name of the alias tables, with or without maker, form and memory. Case,
    /// spaces and hyphens do not count.
    ///
    /// A name of several parts gives the commonest, as the tables' `preferred` mark says, and lists the others.
    ///
    /// # Errors
    /// `accelerator-unknown`, with the nearest names.
    pub fn resolve_accelerator(&self, name: &str) -> Result<Resolved<Accelerator>, Fault> {
        Resolved::of(self.candidates(name, false).parts, |part| &part.name).ok_or_else(|| {
            let wanted = described(name, self.words()).map_or_else(|| key(name, self.words()), |it| it.key);
            let near = self.accelerator_names().nearest(&wanted, self.words(), 3);
            Fault::content("accelerator-unknown")
                .with("name", name.chars().take(80).collect::<String>())
                .hint(Text::new("hint-accelerator-unknown").with("nearest", near))
        })
    }

    /// The processor that a name means, as for accelerators.
    ///
    /// # Errors
    /// `cpu-unknown`, with the nearest names.
    pub fn resolve_cpu(&self, name: &str) -> Result<Resolved<Cpu>, Fault> {
        let words = self.words();
        let lookup = |key: &str| Self::parts_of(&self.cpu_names().named(key, false), |id| self.cpu(id));
        let mut parts = Vec::new();
        let alone = processor_alone(name);
        for name in [name, alone.as_str()] {
            if parts.is_empty() {
                parts = lookup(&key(name, words));
            }
            if parts.is_empty()
                && let Some(found) = described(name, words)
            {
                parts = lookup(&found.key);
            }
        }
        Resolved::of(parts, |cpu| &cpu.name).ok_or_else(|| {
            let near = self.cpu_names().nearest(&key(name, words), words, 3);
            Fault::content("cpu-unknown")
                .with("name", name.chars().take(80).collect::<String>())
                .hint(Text::new("hint-cpu-unknown").with("nearest", near))
        })
    }

    /// The server or instance of this name; a cloud instance also without its provider's name.
    pub fn resolve_server(&self, name: &str) -> Option<Arc<Server>> {
        let wanted = key(name, self.words());
        self.servers()
            .iter()
            .find(|server| {
                let short =
                    server.name.split_once(' ').filter(|_| server.kind == "cloud").map(|(_, short)| short);
                [Some(server.name.as_str()), short]
                    .into_iter()
                    .flatten()
                    .any(|name| key(name, self.words()) == wanted)
                    || server.id == name
            })
            .cloned()
    }

    /// The part of an offer, or why there is none. Only a name that states the form counts.
    pub(crate) fn part_of_offer(&self, offer: &Offer, stated: &Stated) -> Result<Arc<Accelerator>, NoPart> {
        let own = self.part_in_cloud(&offer.accelerator_words, stated.memory_gb);
        if own.is_ok() || stated.name == offer.accelerator_words {
            return own;
        }
        let normalised = self.part_in_cloud(&stated.name, stated.memory_gb);
        match (&own, &normalised) {
            (_, Ok(_)) | (Err(NoPart::NameUnknown), _) => normalised,
            _ => own,
        }
    }

    fn part_in_cloud(&self, name: &str, memory_gb: Option<f64>) -> Result<Arc<Accelerator>, NoPart> {
        let mut found = self.candidates(name, true);
        // Laptops are not for rent: a plain name is the desktop's there.
        if found.parts.iter().any(|part| part.form != FormFactor::Laptop) {
            found.parts.retain(|part| part.form != FormFactor::Laptop);
        }
        if found.parts.is_empty() {
            let known = described(name, self.words())
                .is_some_and(|it| !self.accelerator_names().named(&it.key, true).is_empty());
            return Err(if known { NoPart::MemoryMismatch } else { NoPart::NameUnknown });
        }
        if let Some(gb) = memory_gb {
            found.parts.retain(|part| has_memory(part, gb));
        }
        let Some(first) = found.parts.first() else { return Err(NoPart::MemoryMismatch) };
        let one_form = found.parts.iter().all(|part| part.form == first.form);
        if found.unstated || !one_form { Err(NoPart::FormUnknown) } else { Ok(Arc::clone(first)) }
    }

    fn candidates(&self, name: &str, cloud: bool) -> Candidates {
        let mut found = self.candidates_by_name(name, cloud);
        if found.parts.is_empty()
            && let Some(name) = self.words().without_driver(name)
        {
            found = self.candidates_by_name(name, cloud);
        }
        let makers = self.words().makers(name);
        if !makers.is_empty() {
            found.parts.retain(|part| makers.contains(&part.vendor.as_str()));
        }
        found
    }

    fn candidates_by_name(&self, name: &str, cloud: bool) -> Candidates {
        let words = self.words();
        let whole = key(name, words);
        for whole in [Some(whole.as_str()), words.without_vendor(&whole)].into_iter().flatten() {
            let names = self.accelerator_names().named(whole, cloud);
            if !names.is_empty() {
                return self.candidates_of(&names);
            }
        }
        let Some(found) = described(name, words) else {
            return Candidates { parts: Vec::new(), unstated: false };
        };
        let names = self.accelerator_names().named(&found.key, cloud);
        let mut candidates = self.candidates_of(&names);
        candidates.parts.retain(|part| agrees(part, &found));
        candidates.unstated &= found.form.is_none();
        candidates
    }

    fn candidates_of(&self, names: &[&Alias]) -> Candidates {
        Candidates {
            parts: Self::parts_of(names, |id| self.accelerator(id)),
            unstated: names.iter().any(|alias| alias.unstated),
        }
    }

    /// The parts of these names, each once.
    fn parts_of<T>(names: &[&Alias], part: impl Fn(&str) -> Option<Arc<T>>) -> Vec<Arc<T>> {
        let mut ids: Vec<&str> = Vec::new();
        for alias in names {
            if !ids.contains(&alias.part.as_str()) {
                ids.push(&alias.part);
            }
        }
        ids.into_iter().filter_map(part).collect()
    }
}

/// Whether a part has what its name says of form and memory.
fn agrees(part: &Accelerator, found: &Described) -> bool {
    let form = found.form.as_ref().is_none_or(|(form, exact)| {
        part.form == *form && exact.as_ref().is_none_or(|word| part.form_words.eq_ignore_ascii_case(word))
    });
    form && found.memory_gb.is_none_or(|gb| has_memory(part, gb))
}

/// Whether a stated number of gigabytes is the part's, by label or by what the driver reports.
pub(crate) fn has_memory(part: &Accelerator, gb: f64) -> bool {
    let near = |own: f64| (gb / own - 1.0).abs() <= MEMORY_TOLERANCE;
    near(part.memory_label_bytes.as_gib()) || near(part.capacity.value.as_gib())
}
