//! `/proc/pressure/*` and the same files of a control group.

use super::{Block, Format, Line, Observation, Part, Samples, Signal, value};

/// Pressure stall information.
pub const FORMAT: Format = Format {
    kind: "pressure",
    begins: |lines, at| figures(lines[at].text).is_some(),
    length: None,
    read,
    holds_logs: true,
};

/// The `avg10` of a line, with whether all tasks stalled.
fn figures(line: &str) -> Option<(bool, f64, f64)> {
    let at = line.find("some avg10=").or_else(|| line.find("full avg10="))?;
    let rest = line.get(at..)?;
    let number =
        |name: &str| rest.split_whitespace().find_map(|word| word.strip_prefix(name)).and_then(value::number);
    Some((rest.starts_with("full"), number("avg10=")?, number("total=").unwrap_or(1.0)))
}

/// What a line or a file's name says of the resource.
fn resource(text: &str) -> Option<Resource> {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let has = |word: &str| words.contains(&word);
    match () {
        () if has("cpu") => Some(Resource::Cpu),
        () if has("memory") || has("mem") => Some(Resource::Memory),
        () if has("io") => Some(Resource::Io),
        () => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Resource {
    Cpu,
    Io,
    Memory,
}

impl Resource {
    fn signal(self, full: bool) -> Signal {
        match (self, full) {
            (Self::Cpu, false) => Signal::PressureCpuSome,
            (Self::Cpu, true) => Signal::PressureCpuFull,
            (Self::Io, false) => Signal::PressureIoSome,
            (Self::Io, true) => Signal::PressureIoFull,
            (Self::Memory, false) => Signal::PressureMemorySome,
            (Self::Memory, true) => Signal::PressureMemoryFull,
        }
    }
}

struct Pair<'a> {
    line: Line<'a>,
    named: Option<Resource>,
    some: Option<(f64, f64)>,
    full: Option<(f64, f64)>,
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    let mut named = block.before.and_then(resource).or_else(|| resource(block.file));
    for &line in block.lines {
        let Some((full, average, total)) = figures(line.text) else {
            if !line.text.trim().is_empty() {
                named = resource(line.text);
            }
            continue;
        };
        let prefix = line.text.split("avg10").next().and_then(resource);
        if full && let Some(last) = pairs.last_mut().filter(|pair| pair.full.is_none()) {
            last.full = Some((average, total));
            continue;
        }
        let own = prefix.or(named.take());
        let values = Some((average, total));
        pairs.push(if full {
            Pair { line, named: own, some: None, full: values }
        } else {
            Pair { line, named: own, some: values, full: None }
        });
    }
    name_the_rest(&mut pairs);
    for pair in &pairs {
        let Some(resource) = pair.named else { continue };
        let mut row: Observation = block.row(Part::Host, "", pair.line);
        for (full, values) in [(false, pair.some), (true, pair.full)] {
            if let Some((average, _)) = values {
                row.set(resource.signal(full), average / 100.0);
            }
        }
        samples.push(row);
    }
}

/// `cat` of the three files prints no names. The machine's processor line is the only one whose `full` is always zero
/// while `some` has a total; `cat *` then gives cpu, io, memory.
fn name_the_rest(pairs: &mut [Pair<'_>]) {
    if pairs.iter().any(|pair| pair.named.is_some()) {
        return;
    }
    let is_cpu = |pair: &Pair<'_>| {
        pair.some.is_some_and(|(_, total)| total > 0.0) && pair.full.is_none_or(|(_, total)| total == 0.0)
    };
    let found: Vec<usize> = (0..pairs.len()).filter(|&at| is_cpu(&pairs[at])).collect();
    if let &[cpu] = found.as_slice() {
        pairs[cpu].named = Some(Resource::Cpu);
        if cpu == 0 && pairs.len() == 3 {
            pairs[1].named = Some(Resource::Io);
            pairs[2].named = Some(Resource::Memory);
        }
    }
}
