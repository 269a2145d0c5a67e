//! From what was read to a machine: names through the catalogue's aliases, and what it does not know from the readings.

use std::sync::Arc;

use maat_base::{Assumed, Basis, Bytes, Fault, Sourced, Text};
use maat_catalogue::{
    Accelerator, Catalogue, HardwareRequest, Host, Machine, MeasuredProcessor, Processor, Slot, StorageKind,
    ThisMachine,
};
use maat_probe::machine::{AcceleratorSeen, ProcessorSeen, Seen};

use crate::bench::Record;
use crate::tables::isa_rates;

/// Tag of figures that were read from the machine.
const READ: &str = "this machine";
/// Clock of cores that say none, in Hz.
const USUAL_CLOCK_HZ: f64 = 3e9;
/// A device that the catalogue does not know and that has less is a display: graphics within processors set aside half a
/// gigabyte or two of the host's memory.
const LEAST_CARD_BYTES: u64 = 4 << 30;

/// The machine that was read. `record` counts where it was measured on such a machine.
///
/// # Errors
/// Own facts that cannot be read.
pub fn this_machine(
    seen: &Seen,
    record: Option<&Record>,
    catalogue: &Catalogue,
) -> Result<ThisMachine, Fault> {
    let mut assumed = Vec::new();
    let record = record.filter(|record| record.is_of(seen));
    let processor = processor(seen, record, catalogue, &mut assumed)?;
    let slots = slots(seen, catalogue, &mut assumed);
    let name = name(&slots, processor.as_ref());
    let storage = record.and_then(|record| record.disk.as_ref()?.read_bytes_per_s).map(StorageKind::Rate);
    let mut machine = catalogue.machine_of_slots(name, &slots);
    machine.slice = seen.accelerators.iter().find_map(|one| one.mig.as_ref()?.first().cloned());
    machine.power_limit_w = seen.accelerators.iter().find_map(|one| one.power_limit_w);
    machine.host = Host {
        processor,
        ram: usable_memory(seen).map(Bytes),
        storage: storage.or_else(|| storage_kind(seen)),
        // How much of the disks is free was not read.
        disk: None,
        ..Host::default()
    };
    Ok(ThisMachine { machine, assumed })
}

/// Memory that may be used: the machine's, within the control group's limit.
pub(crate) fn usable_memory(seen: &Seen) -> Option<u64> {
    [seen.memory.total_bytes, seen.limits.memory_bytes].into_iter().flatten().min()
}

/// Cores' worth of time that may be used: those that there are, those that the process may run on, the quota.
pub(crate) fn usable_cores(seen: &Seen) -> Option<f64> {
    let processor = &seen.processor;
    let cores = f64::from(processor.cores?);
    let per_core = processor.threads.map_or(1.0, |threads| (f64::from(threads) / cores).max(1.0));
    let allowed = processor.allowed_threads.map(|threads| (f64::from(threads) / per_core).ceil());
    Some([allowed, seen.limits.cpus].into_iter().flatten().fold(cores, f64::min))
}

fn storage_kind(seen: &Seen) -> Option<StorageKind> {
    let kinds = seen.disks.iter().filter_map(|disk| match disk.kind.as_deref()? {
        "nvme" => Some(StorageKind::Nvme),
        "ssd" => Some(StorageKind::Ssd),
        "hdd" => Some(StorageKind::Hdd),
        _ => None,
    });
    // Which disk will hold the files is not known: of several kinds none is claimed.
    let kinds: Vec<StorageKind> = kinds.collect();
    let first = *kinds.first()?;
    kinds.iter().all(|kind| *kind == first).then_some(first)
}

fn name(slots: &[Slot], processor: Option<&Processor>) -> String {
    if slots.is_empty() {
        return processor.map_or_else(String::new, |processor| processor.name.clone());
    }
    let named = |slot: &Slot| match slot.count {
        1 => slot.accelerator.name.clone(),
        count => format!("{count}x {}", slot.accelerator.name),
    };
    slots.iter().map(named).collect::<Vec<_>>().join(" + ")
}

fn note(
    assumed: &mut Vec<Assumed>,
    name: &'static str,
    value: impl Into<serde_json::Value>,
    text: Text,
    why: Text,
) {
    assumed.push(Assumed { name, value: value.into(), text, why });
}

/// The processors; `None` where not even the number of cores is known.
fn processor(
    seen: &Seen,
    record: Option<&Record>,
    catalogue: &Catalogue,
    assumed: &mut Vec<Assumed>,
) -> Result<Option<Processor>, Fault> {
    let Some(usable) = usable_cores(seen) else { return Ok(None) };
    let read = &seen.processor;
    let sockets = read.sockets.unwrap_or(1);
    let known = read.model.as_deref().and_then(|model| known_processor(model, sockets, catalogue));
    let mut processor = match known {
        Some(known) => known,
        None => from_readings(read, sockets, assumed)?,
    };
    // A share of a processor's time is as many cores at a lower clock.
    let cores = usable.ceil().max(1.0);
    processor.cores = cores as u32;
    processor.clock_hz.value *= usable / cores;
    if let Some(bandwidth) = seen.memory.bandwidth() {
        processor.bandwidth = Some(Sourced::new(bandwidth, Basis::Computed, READ));
    }
    if let Some(bytes) = read.last_cache_bytes() {
        processor.cache_bytes = Some(Bytes(bytes));
    }
    processor.measured = record.and_then(Record::processor);
    if let Some(MeasuredProcessor { read_bytes_per_s, .. }) = processor.measured {
        processor.bandwidth = Some(Sourced::new(read_bytes_per_s, Basis::Measured, READ));
    }
    Ok(Some(processor))
}

/// The catalogue's processor of a name such as `Intel(R) Xeon(R) Platinum 8480+ CPU @ 2.00GHz`. A name without a number
/// is a family's, and no part's.
pub(crate) fn known_processor(model: &str, sockets: u32, catalogue: &Catalogue) -> Option<Processor> {
    let short = short_name(model);
    if !short.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Boards say their revision behind their name.
    let before = |mark: &str| model.split_once(mark).map(|(name, _)| name.trim());
    let names = [Some(model.trim()), Some(short.as_str()), before(" Rev "), before(" Model ")];
    let found = names.into_iter().flatten().find_map(|name| catalogue.resolve_cpu(name).ok())?;
    Processor::of(&found.part, sockets)
}

/// A processor's name without marks, clock and words that every processor has.
pub(crate) fn short_name(model: &str) -> String {
    let before_clock = model.split('@').next().unwrap_or(model);
    let plain = ["(R)", "(r)", "(TM)", "(tm)", "(C)"]
        .iter()
        .fold(before_clock.to_owned(), |text, mark| text.replace(mark, " "));
    let word = |word: &&str| {
        let cores = word.strip_suffix("-Core").is_some_and(|n| n.parse::<u32>().is_ok());
        !(cores || matches!(*word, "CPU" | "Processor" | "processor"))
    };
    let with = plain.find(" with ").map_or(plain.as_str(), |at| &plain[..at]);
    with.split_ascii_whitespace().filter(word).collect::<Vec<_>>().join(" ")
}

/// A processor that the catalogue does not know: rates by its instruction sets, clock as it says it.
fn from_readings(read: &ProcessorSeen, sockets: u32, assumed: &mut Vec<Assumed>) -> Result<Processor, Fault> {
    let name = read.model.as_deref().map(short_name).filter(|name| !name.is_empty());
    let rates = isa_rates(read)?;
    let clock = read.max_clock_hz.or(read.base_clock_hz);
    let simd = rates.as_ref().map_or_else(String::new, |rates| rates.simd.clone());
    let text = Text::new("assumed-here-rates")
        .with("simd", if simd.is_empty() { "?" } else { simd.as_str() })
        .with("ghz", maat_base::Arg::Number(clock.unwrap_or(USUAL_CLOCK_HZ) / 1e9));
    note(assumed, "cpu", name.clone(), text, Text::new("why-here-unknown"));
    let fp32 = rates.as_ref().map_or(8.0, |rates| rates.fp32_flop_per_clock);
    Ok(Processor {
        name: name.unwrap_or_else(|| String::from("CPU")),
        sockets,
        cores: read.cores.unwrap_or(1),
        threads: None,
        simd,
        clock_hz: Sourced {
            unsure: clock.is_none().then(|| String::from("a usual clock, not this machine's")),
            ..Sourced::new(clock.unwrap_or(USUAL_CLOCK_HZ), Basis::Estimated, READ)
        },
        fp32_flop_per_clock: fp32,
        bf16_flop_per_clock: rates.as_ref().map_or(fp32, |rates| rates.bf16_flop_per_clock),
        int8_op_per_clock: rates.as_ref().map_or(fp32, |rates| rates.int8_op_per_clock),
        bandwidth: None,
        cache_bytes: None,
        power_w: None,
        measured: None,
    })
}

/// Accelerators, those of one kind together. Displays of a server's board and what has no memory that is known are left
/// out.
fn slots(seen: &Seen, catalogue: &Catalogue, assumed: &mut Vec<Assumed>) -> Vec<Slot> {
    let mut slots: Vec<Slot> = Vec::new();
    let board =
        seen.surroundings.board.as_deref().and_then(|board| known_accelerator(board, seen, catalogue));
    let parts = seen.accelerators.iter().flat_map(|one| accelerator(one, seen, catalogue, assumed));
    let mut parts: Vec<Arc<Accelerator>> = parts.collect();
    if parts.is_empty() {
        parts.extend(board);
    }
    for part in parts {
        match slots.iter_mut().find(|slot| slot.accelerator.name == part.name) {
            Some(slot) => slot.count += 1,
            None => slots.push(Slot { accelerator: part, count: 1 }),
        }
    }
    slots
}

/// The part of a card, or of its slices; with the memory that the driver reports.
fn accelerator(
    one: &AcceleratorSeen,
    seen: &Seen,
    catalogue: &Catalogue,
    assumed: &mut Vec<Assumed>,
) -> Vec<Arc<Accelerator>> {
    let names = [&one.name, &one.pci_id].into_iter().flatten();
    let part = names.into_iter().find_map(|name| known_accelerator(name, seen, catalogue));
    let Some(part) = part else {
        // A card that the catalogue does not know still holds what its memory holds.
        let shown = one.name.clone().or_else(|| one.pci_id.clone());
        return match (shown, one.memory_bytes) {
            (Some(name), Some(bytes)) if bytes >= LEAST_CARD_BYTES => {
                let text = Text::new("assumed-here-card").with("card", name.as_str());
                note(assumed, "gpu", name.clone(), text, Text::new("why-here-unknown"));
                vec![Arc::new(Accelerator::of_memory(name, Bytes(bytes)))]
            }
            _ => Vec::new(),
        };
    };
    let slices = one.mig.as_ref().map(|profiles| {
        let cut = profiles.iter().filter_map(|profile| slice(&part, profile, catalogue));
        cut.collect::<Vec<_>>()
    });
    if let Some(slices) = slices {
        return slices;
    }
    let mut device = part.device();
    if let Some(bytes) = one.memory_bytes {
        device.capacity = Sourced::new(Bytes(bytes), Basis::Measured, READ);
    }
    vec![Arc::new(device)]
}

fn slice(part: &Accelerator, profile: &str, catalogue: &Catalogue) -> Option<Arc<Accelerator>> {
    let request =
        HardwareRequest { gpu: vec![format!("{}:{profile}", part.name)], ..HardwareRequest::default() };
    let (spec, _) = maat_catalogue::machine(&request, catalogue).ok()?;
    let machine: Machine = spec?.machines().next()?;
    machine.slots.first().map(|slot| Arc::clone(&slot.accelerator))
}

/// The part of a name or PCI id; where the memory is the machine's own, the one with as much as it has: boards and
/// systems on a chip of one name differ by that.
fn known_accelerator(name: &str, seen: &Seen, catalogue: &Catalogue) -> Option<Arc<Accelerator>> {
    let found = catalogue.resolve_accelerator(name).ok()?.part;
    let Some(total) = seen.memory.total_bytes.filter(|_| found.unified) else { return Some(found) };
    let label = round_to_label(total);
    let power = Bytes(total.checked_next_power_of_two().unwrap_or(total));
    let of_size = [label, power].into_iter().find_map(|bytes| {
        let part = catalogue.resolve_accelerator(&format!("{name} {}GB", bytes.0 >> 30)).ok()?.part;
        part.unified.then_some(part)
    });
    if of_size.is_some() {
        return of_size;
    }
    let sized = catalogue.sized_part(&found, label).map(Arc::new);
    Some(sized.unwrap_or(found))
}

/// The label of a memory of which the kernel keeps some: the next multiple of 4 GiB, or of 1 GiB below 8.
fn round_to_label(bytes: u64) -> Bytes {
    let step = if bytes > 8 << 30 { 4 << 30 } else { 1 << 30 };
    Bytes(bytes.div_ceil(step).saturating_mul(step))
}
