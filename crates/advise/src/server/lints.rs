//! The common mistakes around accelerators: each with what proves it and what to do.

use maat_base::{Arg, Bytes, Finding, Severity, Text};
use maat_catalogue::FormFactor;
use maat_estimate::{Limit, LimitPart, PartUse, Rules, ServerPart, power_feed};

use super::view::{ServerView, Whole};
use crate::answer::{Candidate, Nearest};
use crate::argv::shell_line;
use crate::world::World;

/// A lint looks at a job on a whole server and finds something or nothing.
type Lint = fn(&Whole, &[PartUse], &World) -> Option<Finding>;

/// All of them.
const LINTS: [Lint; 14] = [
    power_supply,
    rail,
    power_feed_short,
    open_cards,
    storage_small,
    storage_slow,
    lanes,
    slots,
    cores,
    network,
    retired,
    sockets,
    instructions,
    channels,
];

/// Everything that is to be minded about a job on a whole server.
pub fn findings(whole: &Whole, world: &World) -> Vec<Finding> {
    let parts = whole.parts(world.rules);
    LINTS.iter().filter_map(|lint| lint(whole, &parts, world)).collect()
}

fn row(rules: &Rules, name: &str) -> f64 {
    rules.efficiencies.server(name).map_or(0.0, |range| range.likely)
}

fn of(parts: &[PartUse], part: ServerPart) -> Option<(f64, f64)> {
    let found = parts.iter().find(|one| one.part == part)?;
    Some((found.need?, found.have?))
}

fn most_w(whole: &Whole) -> Option<f64> {
    whole.machine.host.max_power_w.or_else(|| whole.power?.node_max_w)
}

/// Peaks of all cards above their limit, in watts.
fn peak_w(whole: &Whole, rules: &Rules) -> f64 {
    let slots = whole.machine.slots.iter();
    slots
        .map(|slot| {
            let card = slot.accelerator.form == FormFactor::Pcie;
            let factor = row(rules, if card { "transient_card" } else { "transient_other" });
            let most = slot.accelerator.power_w.unwrap_or(0.0);
            let most = whole.machine.power_limit_w.map_or(most, |limit| most.min(limit));
            most * (factor - 1.0) * f64::from(slot.count)
        })
        .sum()
}

/// Supplies that do not give what the node takes, or not its peaks.
fn power_supply(whole: &Whole, _: &[PartUse], world: &World) -> Option<Finding> {
    let (most, supply) = (most_w(whole)?, whole.machine.psu_w?);
    let load = row(world.rules, "psu_load_share");
    let peak = most + peak_w(whole, world.rules);
    let severity = if most > supply {
        Severity::Error
    } else if most > supply * load {
        Severity::Warning
    } else {
        return None;
    };
    Some(
        Finding::new("psu-too-small", severity, whole.machine.name.clone())
            .with("most", Arg::Watts(most))
            .with("supply", Arg::Watts(supply))
            .with("peak", Arg::Watts(peak))
            .because("node_max_w", format!("{most:.0}"), "power")
            .because("peak_w", format!("{peak:.0}"), "facts/speed/server.csv: transient_card")
            .because("psu_w", format!("{supply:.0}"), "machine")
            .fix(Text::new("fix-psu-too-small").with("wanted", Arg::Watts(most / load))),
    )
}

/// A card that one rail of a supply with several may not feed: it switches off with watts to spare.
fn rail(whole: &Whole, _: &[PartUse], world: &World) -> Option<Finding> {
    let limit = row(world.rules, "rail_limit_w");
    whole.machine.psu_w?;
    let slots = whole.machine.slots.iter().filter(|slot| slot.accelerator.form == FormFactor::Pcie);
    let (card, watts) = slots
        .filter_map(|slot| {
            let most = slot.accelerator.power_w?;
            Some((&slot.accelerator, whole.machine.power_limit_w.map_or(most, |limit| most.min(limit))))
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    (watts > limit).then(|| {
        Finding::new("psu-rail-limit", Severity::Info, card.name.clone())
            .with("card", card.name.as_str())
            .with("watts", Arg::Watts(watts))
            .with("limit", Arg::Watts(limit))
            .because("power_w", format!("{watts:.0}"), format!("catalogue: {}", card.id))
            .because("rail_limit_w", format!("{limit:.0}"), "facts/speed/server.csv")
            .fixable()
    })
}

/// More than a socket, or an air-cooled rack, gives without end; all of it becomes heat.
fn power_feed_short(whole: &Whole, parts: &[PartUse], world: &World) -> Option<Finding> {
    let (most, feed) = of(parts, ServerPart::PowerFeed)?;
    let kind = power_feed(whole.machine, world.rules).kind;
    (most > feed).then(|| {
        Finding::new("power-and-cooling", Severity::Warning, whole.machine.name.clone())
            .with("kind", kind)
            .with("most", Arg::Watts(most))
            .with("feed", Arg::Watts(feed))
            .with("heat", Arg::Number(most * row(world.rules, "heat_btu_per_h_per_w")))
            .because("node_max_w", format!("{most:.0}"), "power")
            .because("feed_w", format!("{feed:.0}"), "facts/speed/server.csv")
            .fixable()
    })
}

/// Many cards with open fans in one case heat each other.
fn open_cards(whole: &Whole, _: &[PartUse], world: &World) -> Option<Finding> {
    let most = row(world.rules, "open_cards");
    if !matches!(whole.machine.host.class.as_deref(), None | Some("desktop" | "workstation")) {
        return None;
    }
    let hot = whole.machine.slots.iter().filter(|slot| {
        let part = &slot.accelerator;
        let limit = whole.machine.power_limit_w;
        let watts = part.power_w.map(|most| limit.map_or(most, |limit| most.min(limit)));
        part.form == FormFactor::Pcie
            && part.slots.is_some_and(|width| width > 2)
            && watts.is_some_and(|watts| watts >= row(world.rules, "rail_limit_w"))
    });
    let count: u32 = hot.map(|slot| slot.count).sum();
    (f64::from(count) > most).then(|| {
        Finding::new("cards-heat-each-other", Severity::Warning, whole.machine.name.clone())
            .with("count", count)
            .because("cards", count.to_string(), "machine")
            .fixable()
    })
}

/// Disks that do not hold the files twice.
fn storage_small(whole: &Whole, parts: &[PartUse], _: &World) -> Option<Finding> {
    let (need, have) = of(parts, ServerPart::StorageCapacity)?;
    let files = whole.memory.disk_bytes?;
    (need > have).then(|| {
        let severity = if files.as_f64() > have { Severity::Error } else { Severity::Warning };
        Finding::new("storage-too-small", severity, whole.machine.name.clone())
            .with("files", files)
            .with("have", Bytes::from_f64(have))
            .because("disk_bytes", files.0.to_string(), "memory")
            .because("disk", format!("{have:.0}"), "machine")
            .fix(Text::new("fix-storage-too-small").with("need", Bytes::from_f64(need)))
    })
}

/// Disks from which starting takes minutes, or that do not keep up.
fn storage_slow(whole: &Whole, parts: &[PartUse], world: &World) -> Option<Finding> {
    let load = whole.host.time_to_load_s.map(|time| time.likely);
    let slow = load.filter(|time| *time > row(world.rules, "load_slow_s"));
    let short = of(parts, ServerPart::StorageRead).filter(|(need, have)| need > have);
    if slow.is_none() && short.is_none() {
        return None;
    }
    let have = maat_estimate::storage_bytes_per_s(whole.machine, world.rules).unwrap_or(0.0);
    let need = short.map_or(0.0, |(need, _)| need);
    Some(
        Finding::new("storage-too-slow", Severity::Warning, whole.machine.name.clone())
            .with("why", if short.is_some() { "rate" } else { "load" })
            .with("time", Arg::Seconds(load.unwrap_or(0.0)))
            .with("need", Arg::BytesPerSecond(need))
            .with("have", Arg::BytesPerSecond(have))
            .because("storage_bytes_per_s", format!("{have:.0}"), "machine")
            .fixable(),
    )
}

fn lanes(whole: &Whole, parts: &[PartUse], _: &World) -> Option<Finding> {
    let (need, have) = of(parts, ServerPart::PcieLanes)?;
    (need > have).then(|| {
        Finding::new("pcie-lanes-short", Severity::Warning, whole.machine.name.clone())
            .with("need", need as u64)
            .with("have", have as u64)
            .because("pcie_lanes", format!("{have:.0}"), "catalogue: processor")
            .fixable()
    })
}

fn slots(whole: &Whole, parts: &[PartUse], _: &World) -> Option<Finding> {
    let (need, have) = of(parts, ServerPart::CardSlots)?;
    // A card more takes as many as each of these.
    let each = need / f64::from(whole.machine.per_node().max(1));
    let severity = if need > have {
        Severity::Warning
    } else if have - need < each {
        Severity::Info
    } else {
        return None;
    };
    Some(
        Finding::new("no-free-slots", severity, whole.machine.name.clone())
            .with("need", need as u64)
            .with("have", have as u64)
            .because("card_slots", format!("{have:.0}"), "machine")
            .fixable(),
    )
}

fn cores(whole: &Whole, parts: &[PartUse], _: &World) -> Option<Finding> {
    let (need, have) = of(parts, ServerPart::CpuCores).filter(|(need, have)| need > have && *have != 1.0)?;
    Some(
        Finding::new("cpu-cores-short", Severity::Warning, whole.machine.name.clone())
            .with("need", need.ceil() as u64)
            .with("have", have as u64)
            .because("cpu_cores_needed", format!("{need:.0}"), "host")
            .fixable(),
    )
}

fn network(whole: &Whole, parts: &[PartUse], _: &World) -> Option<Finding> {
    let (need, have) = of(parts, ServerPart::Network).filter(|(need, have)| need > have)?;
    Some(
        Finding::new("network-too-slow", Severity::Warning, whole.machine.name.clone())
            .with("need", Arg::Number(need * 8.0 / 1e9))
            .with("have", Arg::Number(have * 8.0 / 1e9))
            .because("between_bytes_per_s_needed", format!("{need:.0}"), "network")
            .because("network_bytes_per_s", format!("{have:.0}"), "machine")
            .fixable(),
    )
}

/// A part that today's software no longer supports.
fn retired(whole: &Whole, _: &[PartUse], world: &World) -> Option<Finding> {
    let engines = &world.rules.engines;
    let mut slots = whole.machine.slots.iter();
    let (part, retired) = slots.find_map(|slot| {
        Some((&slot.accelerator, engines.retired(&slot.accelerator.vendor, &slot.accelerator.isa)?))
    })?;
    Some(
        Finding::new("software-left-behind", Severity::Warning, part.name.clone())
            .with("part", part.name.as_str())
            .with("last", if retired.last.is_empty() { "none" } else { retired.last.as_str() })
            .with("driver", if retired.driver.is_empty() { "none" } else { retired.driver.as_str() })
            .because("isa", part.isa.clone(), format!("catalogue: {}", part.id))
            .because("last", retired.last.clone(), retired.source.clone())
            .fixable(),
    )
}

/// Memory of another socket is reached over a link between them.
fn sockets(whole: &Whole, _: &[PartUse], _: &World) -> Option<Finding> {
    let processor = whole.machine.host.processor.as_ref()?;
    (whole.machine.slots.is_empty() && processor.sockets > 1).then(|| {
        Finding::new("numa-several-sockets", Severity::Info, processor.name.clone())
            .with("sockets", processor.sockets)
            .because("sockets", processor.sockets.to_string(), "machine")
            .fixable()
            .command("numactl --interleave=all COMMAND".to_owned())
    })
}

/// Without units for matrices, arithmetic on a processor is that of its vectors.
fn instructions(whole: &Whole, _: &[PartUse], world: &World) -> Option<Finding> {
    let processor = whole.machine.host.processor.as_ref().filter(|_| whole.machine.slots.is_empty())?;
    let class = world.rules.efficiencies.processor_class(&processor.simd);
    // Doubling of what is used for matrices: BF16 over FP32.
    let gain = processor.bf16_flop_per_clock / processor.fp32_flop_per_clock.max(1.0);
    (class != "amx").then(|| {
        Finding::new("cpu-without-matrix-units", Severity::Info, processor.name.clone())
            .with("simd", processor.simd.as_str())
            .with("gain", Arg::Number(gain))
            .because("simd", processor.simd.clone(), "catalogue: processor")
            .because("bf16_flop_per_clock", processor.bf16_flop_per_clock.to_string(), "catalogue: processor")
            .fixable()
    })
}

/// A sheet's bandwidth is that of all channels; a machine with some of them empty has less.
fn channels(whole: &Whole, _: &[PartUse], world: &World) -> Option<Finding> {
    let processor = whole.machine.host.processor.as_ref().filter(|_| whole.machine.slots.is_empty())?;
    let rate = processor.bandwidth.as_ref().filter(|rate| rate.source != "given")?;
    if processor.measured.is_some() {
        return None;
    }
    let name = processor.name.split_once("x ").map_or(processor.name.as_str(), |(_, name)| name);
    let cpu = world.catalogue.resolve_cpu(name).ok()?.part;
    let transfers = cpu.memory_transfers_per_s?;
    Some(
        Finding::new("memory-channels-filled", Severity::Info, processor.name.clone())
            .with("channels", cpu.memory_channels.as_str())
            .with("sockets", processor.sockets)
            .with("memory", format!("{}-{:.0}", cpu.memory_type, transfers / 1e6).as_str())
            .with("rate", Arg::BytesPerSecond(rate.value))
            .because("memory_channels", cpu.memory_channels.clone(), format!("catalogue: {}", cpu.id))
            .fixable()
            .command("sudo dmidecode --type memory"),
    )
}

/// Memory of accelerators that does not hold the job: the first of the common mistakes.
pub fn too_little_memory(machine: &str, limit: Option<&Limit>, nearest: Option<&Nearest>) -> Option<Finding> {
    let limit = limit?;
    let of_memory =
        matches!(limit.part, LimitPart::Accelerator | LimitPart::KvPoolOneSequence | LimitPart::KvPoolUsers);
    let (need, have) = limit.need_bytes.zip(limit.have_bytes).filter(|_| of_memory)?;
    let finding = Finding::new("vram-too-small", Severity::Error, machine)
        .with("need", need)
        .with("have", have)
        .because("need_bytes", need.0.to_string(), "limit")
        .because("have_bytes", have.0.to_string(), "limit");
    Some(match nearest {
        Some(nearest) => finding.fix(nearest.text.clone()).command(shell_line(&nearest.argv)),
        None => finding.fixable(),
    })
}

/// A load that outgrows the machine within a year.
pub fn too_soon(view: Option<&ServerView>, today: maat_base::Date, world: &World) -> Option<Finding> {
    let (until, room) = view.and_then(|view| view.fits_until.zip(view.headroom))?;
    let days = f64::from(today.until(until).ok()?.get_days());
    let soon = row(world.rules, "growth_soon_years") * 365.25;
    (days < soon).then(|| {
        Finding::new("growth-outruns-machine", Severity::Warning, until.to_string())
            .with("until", until)
            .with("times", Arg::Number(room))
            .because("fits_until", until.to_string(), "server")
            .fixable()
    })
}

/// A part that is waited for, while another does the job today.
pub fn waiting(named: &[String], best: Option<&Candidate>, world: &World) -> Option<Finding> {
    let part = named.iter().find_map(|name| {
        let found = world.catalogue.resolve_accelerator(name).ok()?.part;
        found.announced.then_some(found)
    })?;
    let mut finding = Finding::new("waiting-for-part", Severity::Warning, part.name.clone())
        .with("part", part.name.as_str())
        .because("announced", "yes", format!("catalogue: {}", part.id));
    finding = match best {
        Some(best) => finding.with("instead", best.machine.name.as_str()).because(
            "candidate",
            best.machine.name.clone(),
            "candidates",
        ),
        None => finding.with("instead", "none"),
    };
    Some(finding.fixable())
}
