//! `hardware/accelerators/*.csv`: identity, memory, clocks, power and links of each part.

use std::collections::HashMap;

use maat_base::{Basis, Bytes, Sourced};

use super::shared::{SharedMemory, usable};
use crate::accelerator::{Accelerator, FormFactor, NumberType, PeerLink, TensorRate, Topology};
use crate::machine::Link;
use crate::pcie;
use crate::table::{File, Loaded, Row, columns, date, read};

columns!(Columns {
    vendor,
    id,
    name,
    architecture,
    isa,
    released,
    form,
    form_words,
    slots,
    devices,
    memory_gb,
    memory_type,
    unified,
    memory_bus_bits,
    memory_gbps_per_pin,
    bandwidth_gb_s,
    driver_memory_mib,
    driver_memory_source,
    units,
    boost_clock_mhz,
    low_clock_mhz,
    tensor_clock_mhz,
    tensor_row,
    cache_mb,
    power_w,
    power_min_w,
    power_max_w,
    pcie_generation,
    pcie_lanes,
    pcie_p2p,
    peer_link,
    peer_link_gb_s,
    peer_topology,
    peer_most,
    peer_built_in,
    host_link,
    host_link_gb_s,
    mig_slices,
    sources,
    unsure,
    note,
});

/// What the lint needs to recompute a part's figures and no plan does.
#[derive(Clone, Debug)]
pub(crate) struct PartFigures {
    /// Width of the memory bus.
    pub bus_bits: Option<f64>,
    /// Data rate of one pin in Gbit/s.
    pub gbps_per_pin: Option<f64>,
    /// Clock at which tensor rates are printed, in MHz.
    pub tensor_clock_mhz: Option<f64>,
    /// Row of `tensor_rates.csv`.
    pub tensor_row: Option<String>,
    /// Remarks.
    pub note: Option<String>,
    /// Where the row stands.
    pub place: String,
    /// Where rows with the same identifier stand that this one replaced.
    pub also: Vec<String>,
}

impl PartFigures {
    /// The file that the row stands in.
    pub fn path(&self) -> &str {
        self.place.rsplit_once(':').map_or("", |(path, _)| path)
    }
}

/// What is marked as not certain: `figure: words | figure: words`.
pub(super) struct Unsure<'a>(pub Option<&'a str>);

impl Unsure<'_> {
    /// The words on this figure (or on all).
    pub fn of(&self, figure: &str) -> Option<String> {
        let words: Vec<&str> = self
            .0
            .into_iter()
            .flat_map(|all| all.split(" | "))
            .filter_map(|item| item.split_once(": "))
            .filter(|(about, _)| *about == figure || *about == "all")
            .map(|(_, words)| words.trim())
            .collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// A figure with its basis: estimated as soon as its enterer was not sure.
pub(super) fn sourced<T>(value: T, basis: Basis, source: &str, unsure: Option<String>) -> Sourced<T> {
    let basis = if unsure.is_some() { Basis::Estimated } else { basis };
    Sourced { unsure, ..Sourced::new(value, basis, source) }
}

/// Reads every part, with the preferred rates and the number types that other tables give.
pub(crate) fn accelerators(
    files: &[File],
    mut rates: HashMap<String, Vec<TensorRate>>,
    types: &HashMap<String, Vec<NumberType>>,
    shared: &[SharedMemory],
) -> Loaded<(Accelerator, PartFigures)> {
    read(files, "hardware/accelerators", Columns::of, |row, c| {
        let mut part = identity(row, c)?;
        memory(row, c, &mut part, shared)?;
        compute(row, c, &mut part)?;
        links(row, c, &mut part)?;
        part.rates = rates.remove(&part.id).unwrap_or_default();
        part.number_types = types.get(&part.isa).cloned();
        let figures = PartFigures {
            bus_bits: row.positive(c.memory_bus_bits, "memory_bus_bits")?,
            gbps_per_pin: row.positive(c.memory_gbps_per_pin, "memory_gbps_per_pin")?,
            tensor_clock_mhz: row.positive(c.tensor_clock_mhz, "tensor_clock_mhz")?,
            tensor_row: row.owned(c.tensor_row),
            note: row.owned(c.note),
            place: row.place(),
            also: Vec::new(),
        };
        Ok((part, figures))
    })
}

fn identity(row: &Row<'_>, c: &Columns) -> Result<Accelerator, maat_base::Fault> {
    let mut part = Accelerator::of_memory(row.required(c.name, "name")?, Bytes::ZERO);
    part.id = row.required(c.id, "id")?;
    part.vendor = row.required(c.vendor, "vendor")?;
    row.text(c.architecture).clone_into(&mut part.architecture);
    row.text(c.isa).clone_into(&mut part.isa);
    part.announced = row.text(c.released) == "announced";
    part.released = date(row.text(c.released));
    part.form = row.one_of(c.form, "form", form)?;
    row.text(c.form_words).clone_into(&mut part.form_words);
    part.slots = row.parsed(c.slots, "slots")?;
    part.devices = row.count(c.devices, "devices")?.unwrap_or(1).max(1);
    part.unsure = row.owned(c.unsure);
    part.sources = row.required(c.sources, "sources")?;
    Ok(part)
}

fn form(word: &str) -> Option<FormFactor> {
    Some(match word {
        "pcie" => FormFactor::Pcie,
        "baseboard" => FormFactor::Baseboard,
        "laptop" => FormFactor::Laptop,
        "module" => FormFactor::Module,
        "soc" => FormFactor::Soc,
        "superchip" => FormFactor::Superchip,
        "desktop" => FormFactor::Desktop,
        "cloud-only" => FormFactor::CloudOnly,
        _ => return None,
    })
}

/// Capacity is what the driver reports; else the label (2^30), and of shared memory the share that the system allows.
fn memory(
    row: &Row<'_>,
    c: &Columns,
    part: &mut Accelerator,
    shared: &[SharedMemory],
) -> Result<(), maat_base::Fault> {
    let unsure = Unsure(row.given(c.unsure));
    let label = row.positive(c.memory_gb, "memory_gb")?.ok_or_else(|| row.fault("memory_gb", ""))?;
    part.memory_label_bytes = Bytes::from_f64(label * maat_base::GIB as f64);
    row.text(c.memory_type).clone_into(&mut part.memory_type);
    part.unified = row.yes(c.unified, "unified")?.unwrap_or(false);
    let driver = row.count(c.driver_memory_mib, "driver_memory_mib")?;
    part.capacity = match driver {
        Some(mib) => sourced(
            Bytes::mib(u64::from(mib)),
            Basis::Measured,
            row.text(c.driver_memory_source),
            unsure.of("memory"),
        ),
        None => usable(shared, part, unsure.of("memory")),
    };
    let bandwidth = row.positive(c.bandwidth_gb_s, "bandwidth_gb_s")?;
    part.bandwidth =
        bandwidth.map(|gb| sourced(gb * 1e9, Basis::Vendor, &part.sources, unsure.of("bandwidth")));
    Ok(())
}

fn compute(row: &Row<'_>, c: &Columns, part: &mut Accelerator) -> Result<(), maat_base::Fault> {
    part.units = row.count(c.units, "units")?;
    part.clock_hz = row.positive(c.boost_clock_mhz, "boost_clock_mhz")?.map(|mhz| mhz * 1e6);
    part.low_clock_hz = row.positive(c.low_clock_mhz, "low_clock_mhz")?.map(|mhz| mhz * 1e6);
    part.cache_bytes =
        row.positive(c.cache_mb, "cache_mb")?.map(|mb| Bytes::from_f64(mb * maat_base::MIB as f64));
    part.power_w = row.positive(c.power_w, "power_w")?;
    let low = row.positive(c.power_min_w, "power_min_w")?;
    let high = row.positive(c.power_max_w, "power_max_w")?;
    part.power_limits_w = low.zip(high);
    part.power_max_w = high;
    part.mig_slices = row.parsed(c.mig_slices, "mig_slices")?.unwrap_or(0);
    Ok(())
}

fn links(row: &Row<'_>, c: &Columns, part: &mut Accelerator) -> Result<(), maat_base::Fault> {
    part.pcie_generation = row.parsed(c.pcie_generation, "pcie_generation")?;
    part.pcie_lanes = row.parsed(c.pcie_lanes, "pcie_lanes")?;
    part.pcie_bytes_per_s = part
        .pcie_generation
        .zip(part.pcie_lanes)
        .and_then(|(generation, lanes)| pcie::bytes_per_s(generation, lanes));
    part.pcie_peer_to_peer = row.yes(c.pcie_p2p, "pcie_p2p")?;
    part.host_link = match (row.given(c.host_link), row.positive(c.host_link_gb_s, "host_link_gb_s")?) {
        (Some(name), Some(gb)) => {
            Some(Link { name: name.to_owned(), bytes_per_s: gb * 1e9, switched: false, peer_to_peer: true })
        }
        _ => pcie::link(part),
    };
    let Some(name) = row.given(c.peer_link) else { return Ok(()) };
    let Some(gb) = row.positive(c.peer_link_gb_s, "peer_link_gb_s")? else { return Ok(()) };
    part.peer_link = Some(PeerLink {
        name: name.to_owned(),
        bytes_per_s: gb * 1e9,
        topology: row.one_of(c.peer_topology, "peer_topology", topology)?,
        most: row.count(c.peer_most, "peer_most")?.unwrap_or(2),
        built_in: row.yes(c.peer_built_in, "peer_built_in")?.unwrap_or(false),
    });
    Ok(())
}

fn topology(word: &str) -> Option<Topology> {
    Some(match word {
        "switch" => Topology::Switch,
        "mesh" => Topology::Mesh,
        "torus" => Topology::Torus,
        "bridge" => Topology::Bridge,
        "cable" => Topology::Cable,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubt_is_kept_with_its_figure() {
        let unsure = Unsure(Some("power: a | bandwidth: b; c | all: d"));
        assert_eq!(unsure.of("bandwidth").as_deref(), Some("b; c; d"));
        assert_eq!(unsure.of("memory").as_deref(), Some("d"));
        assert_eq!(Unsure(None).of("memory"), None);
    }
}
