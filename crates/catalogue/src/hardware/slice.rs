//! Slices of a part (MIG).

use maat_base::{Basis, Fault, Text};

use crate::accelerator::Accelerator;
use crate::catalogue::Catalogue;

/// The part as a slice of it appears: its memory, and its share of bandwidth, rates, units, cache and power.
///
/// The share of arithmetic is that of the multiprocessors where known, else of the compute slices; the share of bandwidth
/// and cache that of the memory, which is cut along with its controllers (NVIDIA MIG user guide, "Partitioning").
pub(super) fn cut(part: &Accelerator, profile: &str, catalogue: &Catalogue) -> Result<Accelerator, Fault> {
    let wanted = profile.split('+').next().unwrap_or(profile);
    let known: Vec<_> = catalogue.mig_profiles_of(&part.id).collect();
    let Some(slice) = known.iter().find(|known| known.profile == wanted) else {
        let fault = Fault::content(if known.is_empty() { "slices-none" } else { "slice-unknown" })
            .with("part", part.name.as_str())
            .with("profile", profile);
        let names: Vec<String> = known.iter().map(|known| known.profile.clone()).collect();
        return Err(if names.is_empty() {
            fault
        } else {
            fault.hint(Text::new("hint-slice-unknown").with("profiles", names))
        });
    };
    let compute = match (slice.units, part.units) {
        (Some(some), Some(all)) if all > 0 => f64::from(some) / f64::from(all),
        _ => slice.compute_share,
    };
    let memory = slice.memory.value.share_of(part.capacity.value).min(1.0);
    let estimated = |sourced: &maat_base::Sourced<f64>, share: f64| maat_base::Sourced {
        value: sourced.value * share,
        basis: sourced.basis.and(Basis::Computed),
        ..sourced.clone()
    };
    let mut one = part.clone();
    one.name = format!("{} {}", part.name, slice.profile);
    one.capacity = slice.memory.clone();
    one.memory_label_bytes = slice.memory.value;
    one.bandwidth = part.bandwidth.as_ref().map(|all| estimated(all, memory));
    for rate in &mut one.rates {
        rate.flop_per_s = estimated(&rate.flop_per_s, compute);
    }
    one.units = slice.units.or_else(|| part.units.map(|all| (f64::from(all) * compute) as u32));
    one.cache_bytes = part.cache_bytes.map(|cache| cache * memory);
    one.power_w = part.power_w.map(|watts| watts * compute);
    one.power_limits_w = None;
    one.power_max_w = None;
    // Slices do not read each other's memory, neither over NVLink nor PCIe.
    one.peer_link = None;
    one.pcie_peer_to_peer = Some(false);
    Ok(one)
}
