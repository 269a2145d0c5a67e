//! Figures that follow from others.

use maat_base::{Basis, Finding, Severity, Sourced};

use super::Facts;
use crate::accelerator::{Accelerator, NumberType, TensorRate};
use crate::load::{PartFigures, TensorRow};

/// How far a figure may lie from what follows, as a share: makers round clocks and rates to two or three digits.
const TOLERANCE: f64 = 0.03;
/// How far it may lie and still be the same figure at another clock; beyond it is another quantity (sparse for dense, both
/// directions for one, FP16 for FP32 accumulation).
const ANOTHER: f64 = 0.45;

fn severity(off: f64, figure: &Sourced<f64>) -> Severity {
    if figure.unsure.is_some() || figure.basis == Basis::Estimated {
        Severity::Info
    } else if off > ANOTHER {
        Severity::Error
    } else {
        Severity::Warning
    }
}

/// Dense rates against multiprocessors x operations per clock x clock.
pub(super) fn rates(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let rows = catalogue.tensor_rows();
    let mut found = Vec::new();
    for (part, figures) in catalogue.accelerators().iter().zip(catalogue.part_figures()) {
        let Some(row) = rows.iter().find(|row| Some(&row.row) == figures.tensor_row.as_ref()) else {
            continue;
        };
        for rate in part.rates.iter().filter(|rate| !rate.sparse) {
            let Some(computed) = computed(part, figures, row, rate) else { continue };
            found.extend(differs(
                "rate-does-not-follow",
                &part.name,
                rate_name(rate),
                computed,
                &rate.flop_per_s,
                &figures.place,
            ));
        }
    }
    found
}

fn rate_name(rate: &TensorRate) -> String {
    let unit = if rate.matrix { "matrix" } else { "vector" };
    format!("{}-{}-{unit}", rate.number, rate.accumulate.name())
}

/// Multiprocessors x operations per clock and multiprocessor x clock. Tensor units of data-centre parts are printed at
/// a lower clock than vector units and FP64.
fn computed(part: &Accelerator, figures: &PartFigures, row: &TensorRow, rate: &TensorRate) -> Option<f64> {
    let per_clock = row.of(rate.number, rate.accumulate, rate.matrix)?;
    let tensor = rate.matrix && rate.number != NumberType::Fp64;
    let clock = figures.tensor_clock_mhz.filter(|_| tensor).map(|mhz| mhz * 1e6).or(part.clock_hz)?;
    Some(f64::from(part.units?) * per_clock * clock)
}

/// Bandwidth against bus width x data rate of a pin.
pub(super) fn bandwidths(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let mut found = Vec::new();
    for (part, figures) in catalogue.accelerators().iter().zip(catalogue.part_figures()) {
        let Some((bits, gbps)) = figures.bus_bits.zip(figures.gbps_per_pin) else { continue };
        let Some(bandwidth) = &part.bandwidth else { continue };
        let computed = bits * gbps * 1e9 / 8.0;
        found.extend(differs(
            "bandwidth-does-not-follow",
            &part.name,
            "bandwidth".into(),
            computed,
            bandwidth,
            &figures.place,
        ));
    }
    found
}

/// Bandwidth of processors against channels x transfers x 8 bytes.
pub(super) fn cpu_bandwidths(facts: &Facts<'_>) -> Vec<Finding> {
    let cpus = facts.catalogue.cpus().iter();
    cpus.filter_map(|cpu| {
        let channels: f64 = cpu.memory_channels.parse().ok()?;
        let computed = channels * cpu.memory_transfers_per_s? * 8.0;
        let what = String::from("bandwidth");
        differs("bandwidth-does-not-follow", &cpu.name, what, computed, cpu.bandwidth.as_ref()?, &cpu.place)
    })
    .collect()
}

fn differs(
    code: &'static str,
    part: &str,
    what: String,
    computed: f64,
    figure: &Sourced<f64>,
    place: &str,
) -> Option<Finding> {
    let off = (figure.value / computed - 1.0).abs();
    (off > TOLERANCE).then(|| {
        Finding::new(code, severity(off, figure), part)
            .with("figure", what.as_str())
            .with("off", maat_base::Arg::Share(off))
            .because(what, format!("{:.4e}", figure.value), place)
            .because("computed", format!("{computed:.4e}"), place)
    })
}
