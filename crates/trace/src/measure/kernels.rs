//! Tables of kernels, their families, copies and streams.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cover::Cover;
use crate::read::{DeviceKind, NameId, TEXT_IDS_BELOW, Timeline};
use crate::redact::Namer;
use crate::tables::{Bound, Collective, Family, TensorUse, Vendor, tables};
use crate::{Micros, Thresholds};

/// All launches of one kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelRow {
    /// The kernel's name.
    pub name: String,
    /// Its family.
    pub family: Family,
    /// What the family usually runs against.
    pub bound: Bound,
    /// Whether the name says that it uses tensor or matrix cores; `None` where it cannot say.
    pub tensor_cores: Option<bool>,
    /// How often it ran.
    pub count: u64,
    /// Sum of its durations.
    pub total_us: Micros,
    /// Mean duration.
    pub mean_us: Micros,
    /// Longest duration.
    pub max_us: Micros,
    /// Share of all kernels' time, 0 to 1.
    pub share: f64,
}

/// All kernels of one family.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FamilyRow {
    /// The family.
    pub family: Family,
    /// How many kernels ran.
    pub count: u64,
    /// Sum of their durations.
    pub total_us: Micros,
    /// Share of all kernels' time, 0 to 1.
    pub share: f64,
}

/// All communication of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CollectiveRow {
    /// The kind.
    pub kind: Collective,
    /// How many kernels ran.
    pub count: u64,
    /// Sum of their durations.
    pub total_us: Micros,
    /// Share of all communication kernels' time, 0 to 1.
    pub share: f64,
}

/// All copies of one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CopyRow {
    /// The copy's name: direction and kinds of memory.
    pub name: String,
    /// How many.
    pub count: u64,
    /// Sum of durations.
    pub total_us: Micros,
    /// Sum of sizes; `None` where no event states one.
    pub size_bytes: Option<u64>,
    /// Size over time of those that state one.
    pub bytes_per_s: Option<f64>,
}

/// One stream of one accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StreamRow {
    /// The accelerator's number; negative where the file has words for it.
    pub device: i64,
    /// The stream's number; negative where the file has words for it.
    pub stream: i64,
    /// Kernels, copies and fills on it.
    pub count: u64,
    /// Union of its work.
    pub busy_us: Micros,
}

/// Use of tensor or matrix cores, by the names of products, convolutions and attention.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TensorCores {
    /// Time of kernels that could use them and whose names tell.
    pub eligible_us: Micros,
    /// The part that does.
    pub used_us: Micros,
    /// `used_us` over `eligible_us`; `None` without eligible kernels.
    pub used_share: Option<f64>,
    /// `eligible_us` over all kernels' time without communication.
    pub eligible_share: f64,
    /// Time of kernels that move data rather than compute, over the same.
    pub memory_bound_share: f64,
    /// Compute capability times ten, from the device's properties or a kernel's name; NVIDIA only.
    pub capability: Option<i64>,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    total: i64,
    max: i64,
}

impl Tally {
    fn add(&mut self, count: u64, total: i64, max: i64) {
        self.count += count;
        self.total = self.total.saturating_add(total);
        self.max = self.max.max(max);
    }
}

fn tallies(line: &Timeline) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); line.kernels.len()];
    for span in &line.device {
        if matches!(span.kind, DeviceKind::Compute | DeviceKind::Communication)
            && let Some(tally) = tallies.get_mut(span.name as usize)
        {
            tally.add(1, span.end - span.start, span.end - span.start);
        }
    }
    tallies
}

/// The kernels and their families, most time first.
pub(crate) fn kernels(line: &Timeline, namer: &mut Namer) -> (Vec<KernelRow>, Vec<FamilyRow>) {
    let tallies = tallies(line);
    let whole = tallies.iter().fold(0_i64, |sum, tally| sum.saturating_add(tally.total));
    let share = |time: i64| Micros::from_ns(time).share_of(Micros::from_ns(whole));
    let mut families: BTreeMap<Family, Tally> = BTreeMap::new();
    let mut order: Vec<usize> = (0..tallies.len()).collect();
    order.sort_by_key(|&id| std::cmp::Reverse(tallies[id].total));
    let mut rows = Vec::with_capacity(order.len());
    for id in order {
        let (tally, Some(class)) = (tallies[id], line.kernels.class(id as NameId)) else { continue };
        families.entry(class.family).or_default().add(tally.count, tally.total, tally.max);
        rows.push(KernelRow {
            name: namer.kernel(line.kernels.text(id as NameId), class.family),
            family: class.family,
            bound: class.bound,
            tensor_cores: eligible(class.family).then_some(class.tensor).and_then(|tensor| match tensor {
                TensorUse::Yes => Some(true),
                TensorUse::No => Some(false),
                TensorUse::Unknown => None,
            }),
            count: tally.count,
            total_us: Micros::from_ns(tally.total),
            mean_us: Micros::from_ns(tally.total / i64::try_from(tally.count.max(1)).unwrap_or(i64::MAX)),
            max_us: Micros::from_ns(tally.max),
            share: share(tally.total),
        });
    }
    let mut families: Vec<FamilyRow> = families
        .into_iter()
        .map(|(family, tally)| FamilyRow {
            family,
            count: tally.count,
            total_us: Micros::from_ns(tally.total),
            share: share(tally.total),
        })
        .collect();
    families.sort_by_key(|row| std::cmp::Reverse(row.total_us));
    (rows, families)
}

/// Kinds of communication, most time first.
pub(crate) fn collectives(line: &Timeline) -> Vec<CollectiveRow> {
    let mut kinds: BTreeMap<Collective, Tally> = BTreeMap::new();
    for (id, tally) in (0..).zip(tallies(line)) {
        if line.kernels.class(id).is_some_and(|class| class.family == Family::Communication) {
            let kind = tables().collective(line.kernels.text(id));
            kinds.entry(kind).or_default().add(tally.count, tally.total, tally.max);
        }
    }
    let whole = Micros::from_ns(kinds.values().fold(0_i64, |sum, tally| sum.saturating_add(tally.total)));
    let mut rows: Vec<CollectiveRow> = kinds
        .into_iter()
        .map(|(kind, tally)| {
            let total_us = Micros::from_ns(tally.total);
            CollectiveRow { kind, count: tally.count, total_us, share: total_us.share_of(whole) }
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.total_us));
    rows
}

fn eligible(family: Family) -> bool {
    matches!(family, Family::Gemm | Family::Convolution | Family::Attention)
}

/// Use of tensor cores.
pub(crate) fn tensor_cores(line: &Timeline, rows: &[KernelRow], limits: &Thresholds) -> TensorCores {
    let sum = |wanted: &dyn Fn(&KernelRow) -> bool| {
        rows.iter().filter(|row| wanted(row)).fold(0_i64, |sum, row| sum.saturating_add(row.total_us.ns()))
    };
    let whole = Micros::from_ns(sum(&|row| row.family != Family::Communication));
    let told = Micros::from_ns(sum(&|row| row.tensor_cores.is_some()));
    let used = Micros::from_ns(sum(&|row| row.tensor_cores == Some(true)));
    let memory = Micros::from_ns(sum(&|row| row.bound == Bound::Memory));
    let named = || {
        (0..line.kernels.len() as NameId)
            .find_map(|id| tables().capability(line.kernels.text(id)))
            .map(i64::from)
            .filter(|capability| *capability as f64 >= limits.tensor_capability)
    };
    TensorCores {
        eligible_us: told,
        used_us: used,
        used_share: (told.ns() > 0).then(|| used.share_of(told)),
        eligible_share: told.share_of(whole),
        memory_bound_share: memory.share_of(whole),
        capability: (line.vendor != Some(Vendor::Amd))
            .then(|| line.header.devices.first().and_then(|device| device.capability).or_else(named))
            .flatten(),
    }
}

/// The copies, most time first.
pub(crate) fn copies(line: &Timeline, namer: &mut Namer) -> Vec<CopyRow> {
    let mut rows: Vec<CopyRow> = line
        .copy_tallies
        .iter()
        .enumerate()
        .map(|(id, tally)| CopyRow {
            name: namer.copy(line.copies.text(id as NameId), line.copies.class(id as NameId)),
            count: tally.count,
            total_us: Micros::from_ns(tally.time_ns),
            size_bytes: (tally.sized > 0).then_some(tally.bytes),
            bytes_per_s: (tally.sized_time_ns > 0)
                .then(|| tally.bytes as f64 / Micros::from_ns(tally.sized_time_ns).seconds()),
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.total_us));
    rows
}

/// The streams, busiest first.
pub(crate) fn streams(line: &Timeline) -> Vec<StreamRow> {
    let mut covers: Vec<(u64, Cover)> = vec![(0, Cover::default()); line.lanes.len()];
    for span in &line.device {
        if let Some((count, cover)) = covers.get_mut(usize::from(span.lane)) {
            *count += 1;
            cover.add(span.start, span.end);
        }
    }
    let mut rows: Vec<StreamRow> = covers
        .into_iter()
        .zip(line.lanes.iter().zip(1..))
        .map(|((count, mut cover), (&(device, stream), place))| {
            cover.join();
            // What was made of a text says nothing to people, and could be used to guess the text.
            let shown = |id: i64| if id < TEXT_IDS_BELOW { -place } else { id };
            let (device, stream) = (shown(device), shown(stream));
            StreamRow { device, stream, count, busy_us: Micros::from_ns(cover.length()) }
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.busy_us));
    rows
}
