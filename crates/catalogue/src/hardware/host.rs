//! The rest of a node: processors, memory, storage.

use maat_base::{Basis, Fault, Rate, Sourced, Text};

use super::Notes;
use crate::build::named;
use crate::catalogue::Catalogue;
use crate::gpu::{self, Count};
use crate::machine::{Host, Processor, StorageKind};
use crate::request::HardwareRequest;

/// Clock of cores of which nothing is known, in Hz: what desktops and servers of the 2020s hold on all cores.
const USUAL_CLOCK_HZ: f64 = 3e9;
/// FP32 operations per clock of such a core: two AVX2 multiply-adds of eight numbers.
const USUAL_FLOP_PER_CLOCK: f64 = 32.0;

/// What a request says of the host.
pub(super) fn host(
    request: &HardwareRequest,
    catalogue: &Catalogue,
    notes: &mut Notes,
) -> Result<Host, Fault> {
    let processor = request.cpu.as_deref().map(|text| processor(text, catalogue, notes)).transpose();
    let processor = processor.map_err(|fault| super::placed(fault, "--cpu"))?;
    let this = catalogue.this_machine().filter(|_| request.here).map(|this| this.machine.host.clone());
    let mut host = this.unwrap_or_default();
    host.pcie_lanes = request.cpu.as_deref().and_then(|text| lanes(text, catalogue)).or(host.pcie_lanes);
    host.processor = processor.or(host.processor);
    if let Some(ram) = request.ram {
        host.ram = Some(ram.0);
        notes.add("ram", ram.0.0, Text::new("assumed-ram").with("bytes", ram.0), Text::new("why-label"));
    }
    host.disk = request.disk.map(|room| room.0).or(host.disk);
    host.storage = request.storage.as_deref().map(storage).transpose()?.or(host.storage);
    match &mut host.processor {
        Some(processor) => {
            if let Some(rate) = request.cpu_bandwidth {
                processor.bandwidth = Some(Sourced::new(rate.0, Basis::Computed, "given"));
                if let Some(measured) = &mut processor.measured {
                    measured.read_bytes_per_s = rate.0;
                }
            }
            if request.threads == Some(0) {
                return Err(Fault::usage("threads-zero").at("--threads"));
            }
            processor.threads = request.threads.or(processor.threads);
        }
        None if request.cpu_bandwidth.is_some() || request.threads.is_some() => {
            let flag = if request.threads.is_some() { "--threads" } else { "--cpu-bandwidth" };
            return Err(Fault::usage("cpu-missing").with("flag", flag).at(flag));
        }
        None => {}
    }
    Ok(host)
}

fn processor(text: &str, catalogue: &Catalogue, notes: &mut Notes) -> Result<Processor, Fault> {
    if let Some(cores) = bare_cores(text) {
        let processor = usual(text.trim(), cores);
        let why = Text::new("why-usual-cores");
        let text = Text::new("assumed-usual-cores").with("ghz", maat_base::Arg::Number(USUAL_CLOCK_HZ / 1e9));
        notes.add("cpu", processor.name.clone(), text, why);
        return Ok(processor);
    }
    let (sockets, name) = match gpu::count(text)? {
        (Count::Fixed(sockets), name) => (sockets.unwrap_or(1), name),
        (Count::Open, _) => return Err(Fault::usage("gpu-count").with("given", text).at("--cpu")),
    };
    let found = catalogue.resolve_cpu(name)?;
    if let Some(why) = found.why {
        let text = Text::new("assumed-part").with("given", name).with("part", found.part.name.as_str());
        notes.add("cpu", found.part.name.clone(), text, why);
    }
    let most = found.part.max_sockets;
    if sockets > most {
        return Err(Fault::usage("cpu-sockets")
            .with("cpu", found.part.name.as_str())
            .with("most", most)
            .at("--cpu"));
    }
    Processor::of(&found.part, sockets).ok_or_else(|| {
        Fault::content("cpu-clock-unknown").with("cpu", named(sockets, &found.part.name)).at("--cpu")
    })
}

/// PCIe lanes of the processors that are named; of two sockets of AMD's the links between them take some away.
fn lanes(text: &str, catalogue: &Catalogue) -> Option<u32> {
    let (count, name) = gpu::count(text).ok()?;
    let Count::Fixed(sockets) = count else { return None };
    let cpu = catalogue.resolve_cpu(name).ok()?.part;
    cpu.lanes_of(sockets.unwrap_or(1))
}

/// Reads `8 cores`, `16 vcpus`; two virtual processors or threads are one core.
fn bare_cores(text: &str) -> Option<u32> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    let number: u32 = lower[..digits].parse().ok().filter(|&n| n > 0)?;
    match lower[digits..].trim() {
        "core" | "cores" => Some(number),
        "thread" | "threads" | "vcpu" | "vcpus" => Some(number.div_ceil(2)),
        _ => None,
    }
}

/// Cores of which nothing is known.
fn usual(name: &str, cores: u32) -> Processor {
    let clock_hz = Sourced {
        unsure: Some(String::from("a usual clock, not this machine's")),
        ..Sourced::new(USUAL_CLOCK_HZ, Basis::Estimated, "usual")
    };
    Processor {
        name: name.to_owned(),
        sockets: 1,
        cores,
        threads: None,
        simd: String::from("AVX2"),
        clock_hz,
        fp32_flop_per_clock: USUAL_FLOP_PER_CLOCK,
        bf16_flop_per_clock: USUAL_FLOP_PER_CLOCK,
        int8_op_per_clock: USUAL_FLOP_PER_CLOCK * 2.0,
        bandwidth: None,
        cache_bytes: None,
        power_w: None,
        measured: None,
    }
}

fn storage(text: &str) -> Result<StorageKind, Fault> {
    Ok(match text.trim().to_ascii_lowercase().as_str() {
        "nvme" => StorageKind::Nvme,
        "ssd" => StorageKind::Ssd,
        "hdd" => StorageKind::Hdd,
        "network" => StorageKind::Network,
        _ => match text.parse::<Rate>() {
            Ok(rate) if rate.0 > 0.0 => StorageKind::Rate(rate.0),
            _ => return Err(Fault::usage("storage-unknown").with("given", text).at("--storage")),
        },
    })
}
