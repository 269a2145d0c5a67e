//! Machines by the names that measurements use.

use std::collections::HashMap;
use std::sync::Arc;

use maat_catalogue::{Accelerator, Catalogue, Cpu, Machine, Network, Slot};

use crate::Skip;
use crate::files::reading;
use crate::published;
use crate::row::Row;

/// Accelerators of a node without a switch of their own.
const PER_NODE: u32 = 8;
/// Bytes per second of a training cluster's port for one accelerator, where the row does not say: 400 Gb/s, and 200 in
/// the first clusters of parts that came out before 2022.
const PORT: (f64, f64) = (50e9, 25e9);

/// What a name means.
#[derive(Clone, Debug)]
enum Part {
    Accelerators(Vec<Arc<Accelerator>>),
    Processor(Arc<Cpu>),
}

/// The catalogue, with the names of measured machines.
#[derive(Debug)]
pub struct Parts<'a> {
    catalogue: &'a Catalogue,
    measured: HashMap<String, String>,
    found: HashMap<(String, String), Option<Part>>,
}

impl<'a> Parts<'a> {
    /// With the table of measured names.
    pub fn new(catalogue: &'a Catalogue) -> Self {
        let pair = |row: csv::StringRecord| Some((row.get(0)?.to_owned(), row.get(1)?.to_owned()));
        Self {
            catalogue,
            measured: reading("parts").into_iter().filter_map(pair).collect(),
            found: HashMap::new(),
        }
    }

    /// The machine of a row.
    pub fn machine(&mut self, row: &Row) -> Result<Machine, Skip> {
        let key = (row.text("hardware").to_owned(), row.text("hardware_as_reported").to_owned());
        let part = if let Some(part) = self.found.get(&key) {
            part.clone()
        } else {
            let part = self.part(&key.0, &key.1);
            self.found.insert(key.clone(), part.clone());
            part
        };
        let count = published::accelerators(row);
        let mut machine = match part.ok_or(Skip::HardwareUnknown)? {
            Part::Processor(cpu) => Machine::of_processor(&cpu, count.min(8)),
            Part::Accelerators(parts) => of_accelerators(&parts, count * of_board(&parts[0], &key.1), row),
        };
        if let Some(host) = machine.host.processor.as_mut() {
            host.threads = threads(&key.1);
        } else if machine.slots.is_empty() {
            return Err(Skip::HardwareUnknown);
        }
        machine.power_limit_w = power_limit(&key.1);
        Ok(machine)
    }

    /// Whether the row names a card in brackets behind a processor of the catalogue: a board that carries it.
    pub fn in_board(&self, row: &Row) -> bool {
        let reported = row.text("hardware_as_reported");
        let Some((board, inside)) = reported.split_once('(') else { return false };
        let board = board.split(" - ").next().unwrap_or(board).trim();
        !reported.contains("[CPU]")
            && !inside.starts_with(|c: char| c.is_ascii_digit())
            && self.catalogue.resolve_cpu(board).is_ok()
    }

    /// By the table, as a part, or by the longest end or beginning of the name that is a part: boards with a card in a
    /// slot name the card last, variants their limits.
    fn part(&self, name: &str, reported: &str) -> Option<Part> {
        if let Some(known) = self.measured.get(name) {
            return known
                .split(" + ")
                .map(|one| self.exact(one.trim()))
                .collect::<Option<Vec<_>>>()
                .and_then(joined);
        }
        if let Some((first, second)) = name.split_once('+')
            && let (Some(first), Some(second)) = (self.exact(first), self.exact(second))
            && let Some(both) = joined(vec![first, second])
        {
            return Some(both);
        }
        let says = |side: &str| reported.contains(side);
        let fits = |part: &Part| match part {
            Part::Processor(_) => !says("[GPU]"),
            Part::Accelerators(_) => !says("[CPU]"),
        };
        let whole = |text: &str| self.exact(text).filter(fits);
        whole(name).or_else(|| whole(reported)).or_else(|| {
            let words = words(name);
            let reported = words_of_reported(reported);
            [words, reported].iter().find_map(|words| self.piece(words).filter(fits))
        })
    }

    fn exact(&self, name: &str) -> Option<Part> {
        let accelerator = |name: &str| {
            self.catalogue.resolve_accelerator(name).ok().map(|found| Part::Accelerators(vec![found.part]))
        };
        let processor =
            |name: &str| self.catalogue.resolve_cpu(name).ok().map(|found| Part::Processor(found.part));
        match name.strip_prefix("cpu:") {
            Some(name) => processor(name),
            None => accelerator(name).or_else(|| processor(name)),
        }
    }

    /// The longest run of words that is a part: one that ends the name before one that begins it.
    fn piece(&self, words: &[String]) -> Option<Part> {
        let tells = |words: &[String]| {
            words.iter().any(|word| word.bytes().any(|b| b.is_ascii_digit())) && words.concat().len() >= 3
        };
        (1..words.len()).rev().find_map(|length| {
            let runs = words.windows(length).rev().filter(|run| tells(run));
            runs.map(|run| run.join(" ")).find_map(|name| self.exact(&name))
        })
    }
}

/// Several kinds of accelerators, or one processor.
fn joined(parts: Vec<Part>) -> Option<Part> {
    if let [one] = parts.as_slice() {
        return Some(one.clone());
    }
    let accelerators = parts.into_iter().map(|part| match part {
        Part::Accelerators(parts) => parts.into_iter().next(),
        Part::Processor(_) => None,
    });
    accelerators.collect::<Option<Vec<_>>>().map(Part::Accelerators)
}

/// Words of a name without the marks that operating systems add.
fn words(name: &str) -> Vec<String> {
    let words = name.split(['-', ' ', '_', '(', ')', ',']).filter(|word| !word.is_empty());
    words.filter(|word| !["R", "TM", "CPU", "Processor"].contains(word)).map(str::to_owned).collect()
}

/// Words in brackets name the card of a board; without any all words count.
fn words_of_reported(reported: &str) -> Vec<String> {
    let inside =
        reported.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(inside, _)| inside);
    words(inside.unwrap_or(reported))
}

fn of_accelerators(parts: &[Arc<Accelerator>], count: u32, row: &Row) -> Machine {
    let devices = |part: &Arc<Accelerator>| Arc::new(part.device());
    let [one] = parts else {
        let mut machine = Machine::of_part(&parts[0], 2);
        machine.slots = parts.iter().map(|part| Slot { accelerator: devices(part), count: 1 }).collect();
        return machine;
    };
    let one = devices(one);
    let switched = one.peer_link.as_ref().filter(|link| link.built_in).map_or(0, |link| link.most);
    let per_node = if count <= switched.max(PER_NODE) { count } else { switched.max(PER_NODE) };
    let noted =
        row.noted_count("nodes").map(|nodes| nodes as u32).filter(|nodes| count.is_multiple_of(*nodes));
    let per_node = noted.filter(|_| count > switched).map_or(per_node, |nodes| count / nodes);
    let nodes = count.div_ceil(per_node.max(1));
    let mut machine = Machine::of(&one, per_node, nodes);
    if row.text("note").contains("no NVLink") {
        let mut plain = (*one).clone();
        plain.peer_link = None;
        machine = Machine::of(&Arc::new(plain), per_node, nodes);
    }
    if nodes > 1 {
        let old = one.released.is_some_and(|date| date.year() < 2022);
        let port = if old { PORT.1 } else { PORT.0 };
        machine.network = Some(Network { name: String::new(), bytes_per_s: port * f64::from(per_node) });
    }
    machine
}

/// Accelerators of a board: two where it is called dual and has twice the memory of one.
fn of_board(part: &Accelerator, reported: &str) -> u32 {
    let twice = format!("{}G", 2 * part.capacity.value.0 / (1 << 30));
    let mut words = reported.split([' ', '-']);
    if words.clone().any(|word| word == "Dual") && words.any(|word| word.starts_with(&twice)) { 2 } else { 1 }
}

/// The number before ` threads`.
fn threads(reported: &str) -> Option<u32> {
    let at = reported.find(" threads")?;
    reported[..at].rsplit(' ').next()?.parse().ok()
}

/// The number before ` W cap`.
fn power_limit(reported: &str) -> Option<f64> {
    let at = reported.find(" W cap")?;
    reported[..at].rsplit(' ').next()?.parse().ok().filter(|watts: &f64| *watts > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(name: &str, reported: &str) -> String {
        let catalogue = Catalogue::builtin();
        match Parts::new(&catalogue).part(name, reported) {
            Some(Part::Processor(cpu)) => format!("cpu {}", cpu.name),
            Some(Part::Accelerators(parts)) => {
                parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>().join(" + ")
            }
            None => String::new(),
        }
    }

    /// Names as InferenceX, ollama users, MLPerf and operating systems write them.
    #[test]
    fn names_of_machines_are_known() {
        for (name, reported, part) in [
            ("H100-SXM", "", "H100 SXM 80GB"),
            ("RTX-4090+RTX-3090Ti", "", "GeForce RTX 4090 + GeForce RTX 3090 Ti"),
            ("Pi-5-8GB-AMD-RX-7600", "", "Radeon RX 7600"),
            ("H200-SXM-MaxQ", "", "H200 SXM 141GB"),
            ("AMD-Ryzen-9-7950X-16-Core-Processor", "", "cpu Ryzen 9 7950X"),
            ("INTEL-R-XEON-R-PLATINUM-8592+", "", "cpu Xeon Platinum 8592+"),
            ("Board", "Pi 500+ - 16GB (AMD RX 9070 XT) [GPU]", "Radeon RX 9070 XT"),
            ("unknown", "", ""),
        ] {
            assert_eq!(name_of(name, reported), part, "{name}");
        }
    }

    /// Intel's dual boards carry two Arc Pro B60 of 24 GB each.
    #[test]
    fn dual_boards_have_two() {
        let part = Catalogue::builtin().resolve_accelerator("Arc Pro B60").unwrap().part;
        assert_eq!(of_board(&part, "[MAXSUN] MS-Intel Arc Pro B60 Dual 48G Turbo"), 2);
        assert_eq!(of_board(&part, "Arc Pro B60 24G Dual Fan"), 1);
    }

    #[test]
    fn cards_in_boards_are_known() {
        let catalogue = Catalogue::builtin();
        let parts = Parts::new(&catalogue);
        let of = |reported: &str| {
            let text =
                format!("model,hardware,metric,value,unit,hardware_as_reported\n,,,,,\"{reported}\"\n");
            let sheet = crate::row::Sheet::read(text.as_bytes()).unwrap();
            parts.in_board(&sheet.rows().next().unwrap())
        };
        assert!(of("Pi 5 - 8GB (AMD RX 7600) [GPU]") && of("HiFive Premier P550 (AMD RX 580) [GPU]"));
        assert!(!of("H100 SXM") && !of("AmpereOne A192-32X (512GB) [CPU]") && !of("Ryzen 7950X, 16 threads"));
    }

    #[test]
    fn limits_are_read() {
        assert_eq!(threads("Ryzen 7950X, DDR5, 16 threads"), Some(16));
        assert_eq!(power_limit("H100 96GB, 500 W cap"), Some(500.0));
        assert_eq!(power_limit("H100"), None);
    }
}
