//! Logs: of the kernel, of NCCL, of engines and frameworks. What a line means is told by
//! `facts/diagnose/log_patterns.csv`.

use std::sync::{Arc, LazyLock};

use memchr::memmem;

use super::{Block, Event, Format, Line, Part, Samples, Signal, value};

/// The table, as people edit it.
pub const LOG_PATTERNS_CSV: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts/diagnose/log_patterns.csv"));

/// The kernel's log.
pub const KERNEL: Format = Format {
    kind: "kernel-log",
    begins: |lines, at| is_kernel(lines[at].text),
    length: None,
    read,
    holds_logs: true,
};

/// NCCL's log.
pub const NCCL: Format = Format {
    kind: "nccl-log",
    begins: |lines, at| lines[at].text.contains(" NCCL INFO ") || lines[at].text.starts_with("NCCL version "),
    length: None,
    read,
    holds_logs: true,
};

/// Any other log with a line that means something.
pub const OTHER: Format = Format {
    kind: "log",
    begins: |lines, at| {
        let pairs = Pairs::of(lines[at].text);
        PATTERNS.iter().any(|pattern| pattern.find(lines[at].text, &pairs).is_some())
    },
    length: None,
    read,
    holds_logs: true,
};

/// Whether a format is a log: logs mix, so one does not end another.
pub fn is_log(format: &Format) -> bool {
    matches!(format.kind, "kernel-log" | "nccl-log" | "log")
}

/// `[   14.203317] …`, or a line of the journal.
fn is_kernel(line: &str) -> bool {
    if line.contains(" kernel: ") {
        return true;
    }
    let Some((time, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) else { return false };
    let time = time.trim();
    time.contains('.') && time.len() < 20 && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

enum Step {
    Words(Box<memmem::Finder<'static>>),
    Number(Signal),
}

struct Pattern {
    event: Arc<str>,
    /// Pairs of bytes that its words hold: a line without them is not searched.
    pairs: Vec<usize>,
    steps: Vec<Step>,
    /// Whether a number must follow at once, without text in between.
    tight: Vec<bool>,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(LOG_PATTERNS_CSV.as_bytes());
    reader.records().filter_map(|row| Pattern::of(&row.ok()?)).collect()
});

/// Which pairs of neighbouring bytes a line holds, as bits by a hash: tells most patterns apart without searching.
struct Pairs([u64; 32]);

impl Pairs {
    fn of(line: &str) -> Self {
        let mut bits = [0; 32];
        for pair in line.as_bytes().windows(2) {
            let place = Self::place(pair);
            bits[place / 64] |= 1 << (place % 64);
        }
        Self(bits)
    }

    fn place(pair: &[u8]) -> usize {
        (usize::from(pair[0]) * 131 + usize::from(pair[1]) * 7) % 2048
    }

    fn has(&self, place: usize) -> bool {
        self.0[place / 64] & (1 << (place % 64)) != 0
    }
}

impl Pattern {
    /// Words divided by `*` (anything) and `{signal}` (a number).
    fn of(row: &csv::StringRecord) -> Option<Self> {
        let (event, text) = (row.get(0)?, row.get(1)?);
        let mut pattern =
            Self { event: Arc::from(event), pairs: Vec::new(), steps: Vec::new(), tight: Vec::new() };
        let mut rest = text;
        let mut tight = false;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('*') {
                tight = false;
                rest = after;
            } else if let Some(after) = rest.strip_prefix('{') {
                let (name, after) = after.split_once('}')?;
                let signal = *Signal::ALL.iter().find(|signal| signal.name() == name)?;
                pattern.steps.push(Step::Number(signal));
                pattern.tight.push(tight);
                (tight, rest) = (true, after);
            } else {
                let end = rest.find(['*', '{']).unwrap_or(rest.len());
                pattern.pairs.extend(rest.as_bytes()[..end].windows(2).map(Pairs::place));
                pattern.steps.push(Step::Words(Box::new(memmem::Finder::new(&rest[..end]).into_owned())));
                pattern.tight.push(tight);
                (tight, rest) = (true, &rest[end..]);
            }
        }
        Some(pattern)
    }

    /// The numbers of a line, when it matches; `pairs` are those of the line.
    fn find(&self, line: &str, pairs: &Pairs) -> Option<Vec<(Signal, f64)>> {
        self.pairs.iter().all(|place| pairs.has(*place)).then(|| self.matches(line)).flatten()
    }

    fn matches(&self, line: &str) -> Option<Vec<(Signal, f64)>> {
        let mut rest = line;
        let mut values = Vec::new();
        for (step, tight) in self.steps.iter().zip(&self.tight) {
            match step {
                Step::Words(words) => {
                    let at = words.find(rest.as_bytes())?;
                    if *tight && at != 0 {
                        return None;
                    }
                    rest = rest.get(at + words.needle().len()..)?;
                }
                Step::Number(signal) => {
                    let start = if *tight {
                        rest.len() - rest.trim_start().len()
                    } else {
                        rest.find(|c: char| c.is_ascii_digit())?
                    };
                    let number = rest.get(start..)?;
                    let end =
                        number.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(number.len());
                    values.push((*signal, value::number(number.get(..end)?.trim_end_matches('.'))?));
                    rest = number.get(end..)?;
                }
            }
        }
        Some(values)
    }
}

/// Reads the meaningful lines of a block.
pub fn read(block: &Block<'_>, samples: &mut Samples) {
    for &line in block.lines {
        if line.text.len() < 8 {
            continue;
        }
        let pairs = Pairs::of(line.text);
        for pattern in PATTERNS.iter() {
            if let Some(values) = pattern.find(line.text, &pairs) {
                note(block, line, pattern, values, samples);
            }
        }
    }
}

fn note(
    block: &Block<'_>,
    line: Line<'_>,
    pattern: &Pattern,
    values: Vec<(Signal, f64)>,
    samples: &mut Samples,
) {
    if &*pattern.event == "serving" {
        let mut row = block.row(Part::Server, "", line);
        for (signal, value) in &values {
            let percent = *signal == Signal::KvCacheUsage && line.text.contains("KV cache usage");
            row.set(*signal, if percent { value / 100.0 } else { *value });
        }
        samples.push(row);
        return;
    }
    samples.note(Event {
        kind: Arc::clone(&pattern.event),
        values,
        text: line.text.trim().chars().take(240).collect(),
        block: block.index,
        place: block.place(line),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(line: &str) -> Vec<(String, Vec<(Signal, f64)>)> {
        PATTERNS
            .iter()
            .filter_map(|pattern| Some((pattern.event.to_string(), pattern.find(line, &Pairs::of(line))?)))
            .collect()
    }

    #[test]
    fn every_pattern_is_understood() {
        let rows = csv::Reader::from_reader(LOG_PATTERNS_CSV.as_bytes()).into_records().count();
        assert_eq!(PATTERNS.len(), rows);
    }

    #[test]
    fn numbers_are_taken_from_their_places() {
        let line = "[ 5.1] NVRM: Xid (PCI:0000:41:00): 79, pid=1234, GPU has fallen off the bus.";
        assert_eq!(events(line)[0], ("xid".to_owned(), vec![(Signal::Xid, 79.0)]));
        assert_eq!(events(line)[1].0, "gpu-lost");
        let line = "load_tensors: offloaded 42/65 layers to GPU";
        assert_eq!(events(line)[0].1, vec![(Signal::LayersOffloaded, 42.0), (Signal::LayersTotal, 65.0)]);
        assert!(events("the GPU has eaten 42/65 layers").is_empty());
    }
}
