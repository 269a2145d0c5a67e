//! To which versions and devices a row applies.

use maat_base::{Bytes, GIB};
use maat_catalogue::Accelerator;

use crate::Job;

/// A version as three numbers; llama.cpp's `b7000` is 7000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version([u32; 3]);

impl Version {
    /// Reads `0.11.2`, `v0.11`, `b7000`; `None` without a number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().trim_start_matches(|c: char| !c.is_ascii_digit());
        let mut parts = [0; 3];
        let numbers = digits.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse().ok());
        let mut found = false;
        for (slot, number) in parts.iter_mut().zip(numbers) {
            *slot = number;
            found = true;
        }
        found.then_some(Self(parts))
    }
}

/// A device as conditions see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device<'a> {
    /// Memory, where known.
    pub memory: Option<Bytes>,
    /// The maker; empty where not known.
    pub vendor: &'a str,
    /// Compute capability or target; empty where not known.
    pub isa: &'a str,
    /// Whether the host's processors do the work.
    pub cpu: bool,
}

impl<'a> Device<'a> {
    /// No hardware is given, or only its memory is known.
    pub(crate) const UNKNOWN: Device<'static> = Device { memory: None, vendor: "", isa: "", cpu: false };

    /// The device that decides a job's settings: the smallest accelerator, else the host.
    pub(crate) fn of_job(job: &Job<'a>) -> Self {
        let Some(machine) = job.machine else { return Device::UNKNOWN };
        let smallest =
            machine.slots.iter().map(|slot| &*slot.accelerator).min_by_key(|part| part.capacity.value);
        match smallest {
            Some(part) => Self::of(part),
            None => Device { memory: machine.host.ram, cpu: true, ..Device::UNKNOWN },
        }
    }

    /// An accelerator.
    pub(crate) fn of(part: &'a Accelerator) -> Self {
        Self { memory: Some(part.capacity.value), vendor: &part.vendor, isa: &part.isa, cpu: false }
    }
}

/// One test of a device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    Cpu,
    AtLeast(Bytes),
    Below(Bytes),
    Vendor(String),
    Isa(String),
    NotIsa(String),
}

impl Test {
    /// Reads a space-separated list such as `memory>=70 isa!=8.0`; memory in GiB.
    pub(crate) fn parse_all(text: &str) -> Result<Vec<Self>, String> {
        text.split_whitespace().map(Self::parse).collect()
    }

    fn parse(word: &str) -> Result<Self, String> {
        let gib = |text: &str| {
            text.parse::<f64>().map(|n| Bytes::from_f64(n * GIB as f64)).map_err(|_| word.to_owned())
        };
        if word == "cpu" {
            Ok(Self::Cpu)
        } else if let Some(n) = word.strip_prefix("memory>=") {
            gib(n).map(Self::AtLeast)
        } else if let Some(n) = word.strip_prefix("memory<") {
            gib(n).map(Self::Below)
        } else if let Some(name) = word.strip_prefix("vendor=") {
            Ok(Self::Vendor(name.to_owned()))
        } else if let Some(isa) = word.strip_prefix("isa!=") {
            Ok(Self::NotIsa(isa.to_owned()))
        } else if let Some(isa) = word.strip_prefix("isa=") {
            Ok(Self::Isa(isa.to_owned()))
        } else {
            Err(word.to_owned())
        }
    }

    /// Whether it is known to hold.
    pub(crate) fn holds(&self, device: Device) -> bool {
        match self {
            Self::Cpu => device.cpu,
            Self::AtLeast(memory) => device.memory.is_some_and(|has| has >= *memory),
            Self::Below(memory) => device.memory.is_some_and(|has| has < *memory),
            Self::Vendor(name) => device.vendor == name,
            Self::Isa(isa) => device.isa == isa,
            Self::NotIsa(isa) => device.isa != isa,
        }
    }
}

/// Targets: any, a list of names, or a span of compute capabilities with the upper end left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Targets {
    Any,
    Named(Vec<String>),
    Span(f64, f64),
}

impl Targets {
    /// Reads `*`, `gfx90a gfx942` or `7.5..8.9` with open ends.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let Some((from, to)) = text.split_once("..") else {
            return Ok(Self::Named(text.split_whitespace().map(str::to_owned).collect()));
        };
        let number = |text: &str, open: f64| {
            if text.is_empty() { Ok(open) } else { text.parse().map_err(|_| text.to_owned()) }
        };
        Ok(Self::Span(number(from, 0.0)?, number(to, f64::INFINITY)?))
    }

    pub(crate) fn include(&self, isa: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Named(names) => names.iter().any(|name| name == isa),
            Self::Span(from, to) => isa.parse::<f64>().is_ok_and(|number| number >= *from && number < *to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("0.9.2") < version("0.10"));
        assert!(version("v0.33.0") > version("0.20"));
        assert!(version("b7000") > version("b6999"));
        assert_eq!(Version::parse("newest"), None);
    }

    #[test]
    fn spans_leave_their_end_out() {
        let span = Targets::parse("7.5..8.9").unwrap();
        assert!(span.include("7.5") && span.include("8.6"));
        assert!(!span.include("8.9") && !span.include("gfx942"));
        assert!(Targets::parse("10.0..").unwrap().include("12.0"));
        assert!(Targets::parse("gfx90a gfx942").unwrap().include("gfx942"));
    }
}
