//! `hardware/cpus/*.csv`: processors.

use maat_base::{Basis, Bytes, Date, Fault, Sourced};
use serde::Serialize;

use super::accelerators::{Unsure, sourced};
use crate::table::{File, Loaded, Row, columns, date, read};

columns!(Columns {
    vendor,
    id,
    name,
    generation,
    released,
    cores,
    threads,
    base_ghz,
    allcore_ghz,
    max_ghz,
    simd,
    bandwidth_gb_s,
    memory_channels,
    memory_type,
    memory_mt_s,
    fp32_flop_per_clock,
    bf16_flop_per_clock,
    int8_op_per_clock,
    p_cores,
    e_cores,
    e_fp32_flop_per_clock,
    e_int8_op_per_clock,
    l3_mb,
    pcie_generation,
    pcie_lanes,
    max_sockets,
    power_w,
    segment,
    source,
    unsure,
});

/// A processor, of one socket.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cpu {
    /// Stable identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// The maker.
    pub vendor: String,
    /// Generation, such as `Genoa`.
    pub generation: String,
    /// When it came out.
    pub released: Option<Date>,
    /// Physical cores.
    pub cores: u32,
    /// Hardware threads.
    pub threads: Option<u32>,
    /// All-core boost clock in Hz, else the base clock; `None` where neither is published.
    pub clock_hz: Option<Sourced<f64>>,
    /// Highest clock of one core in Hz.
    pub max_clock_hz: Option<f64>,
    /// Instruction sets for vectors and matrices.
    pub simd: String,
    /// Memory bandwidth in bytes per second.
    pub bandwidth: Option<Sourced<f64>>,
    /// Memory channels, in the sheet's words.
    pub memory_channels: String,
    /// Kind of memory.
    pub memory_type: String,
    /// Transfers per second of a memory channel, of 8 bytes each; `None` where not stated.
    pub memory_transfers_per_s: Option<f64>,
    /// FP32 operations per clock and core, the mean over its cores.
    pub fp32_flop_per_clock: f64,
    /// BF16 operations per clock and core, the mean over its cores.
    pub bf16_flop_per_clock: f64,
    /// INT8 operations per clock and core, the mean over its cores.
    pub int8_op_per_clock: f64,
    /// Last-level cache.
    pub cache_bytes: Option<Bytes>,
    /// Generation of PCIe.
    pub pcie_generation: Option<u32>,
    /// Lanes of PCIe.
    pub pcie_lanes: Option<u32>,
    /// Most sockets that work together.
    pub max_sockets: u32,
    /// Power at full load, in watts.
    pub power_w: Option<f64>,
    /// Market, such as `server`.
    pub segment: String,
    /// Tags of its sources.
    pub source: String,
    /// What is not certain.
    pub unsure: Option<String>,
    /// Where it stands, as `path:line`.
    pub place: String,
}

/// Reads every processor.
pub(crate) fn cpus(files: &[File]) -> Loaded<Cpu> {
    read(files, "hardware/cpus", Columns::of, cpu)
}

fn cpu(row: &Row<'_>, c: &Columns) -> Result<Cpu, Fault> {
    let source = row.required(c.source, "source")?;
    let unsure = row.owned(c.unsure);
    let cores: u32 = row.count(c.cores, "cores")?.ok_or_else(|| row.fault("cores", ""))?;
    let base = row.positive(c.base_ghz, "base_ghz")?;
    let allcore = row.positive(c.allcore_ghz, "allcore_ghz")?;
    let doubt = Unsure(row.given(c.unsure));
    let doubt_of_clock = doubt.of("clock").or_else(|| allcore.is_none().then(|| BASE_CLOCK.to_owned()));
    let clock = allcore.or(base).map(|ghz| sourced(ghz * 1e9, Basis::Vendor, &source, doubt_of_clock));
    let mixed = Mixed::of(row, c, cores)?;
    let per_clock = |column, name| row.positive(column, name)?.ok_or_else(|| row.fault(name, ""));
    let fp32 = per_clock(c.fp32_flop_per_clock, "fp32_flop_per_clock")?;
    let bf16 = per_clock(c.bf16_flop_per_clock, "bf16_flop_per_clock")?;
    let int8 = per_clock(c.int8_op_per_clock, "int8_op_per_clock")?;
    let e_fp32 = row.positive(c.e_fp32_flop_per_clock, "e_fp32_flop_per_clock")?;
    let e_int8 = row.positive(c.e_int8_op_per_clock, "e_int8_op_per_clock")?;
    Ok(Cpu {
        id: row.required(c.id, "id")?,
        name: row.required(c.name, "name")?,
        vendor: row.required(c.vendor, "vendor")?,
        generation: row.text(c.generation).to_owned(),
        released: date(row.text(c.released)),
        cores,
        threads: row.count(c.threads, "threads")?,
        clock_hz: clock,
        max_clock_hz: row.positive(c.max_ghz, "max_ghz")?.map(|ghz| ghz * 1e9),
        simd: row.text(c.simd).to_owned(),
        bandwidth: row
            .positive(c.bandwidth_gb_s, "bandwidth_gb_s")?
            .map(|gb| sourced(gb * 1e9, Basis::Computed, &source, doubt.of("bandwidth"))),
        memory_channels: row.text(c.memory_channels).to_owned(),
        memory_type: row.text(c.memory_type).to_owned(),
        memory_transfers_per_s: row.positive(c.memory_mt_s, "memory_mt_s")?.map(|mt| mt * 1e6),
        fp32_flop_per_clock: mixed.mean(fp32, e_fp32),
        bf16_flop_per_clock: mixed.mean(bf16, e_fp32),
        int8_op_per_clock: mixed.mean(int8, e_int8),
        cache_bytes: row.positive(c.l3_mb, "l3_mb")?.map(|mb| Bytes::from_f64(mb * maat_base::MIB as f64)),
        pcie_generation: row.parsed(c.pcie_generation, "pcie_generation")?,
        pcie_lanes: row.parsed(c.pcie_lanes, "pcie_lanes")?,
        max_sockets: row.count(c.max_sockets, "max_sockets")?.unwrap_or(1),
        power_w: row.positive(c.power_w, "power_w")?,
        segment: row.text(c.segment).to_owned(),
        source,
        unsure,
        place: row.place(),
    })
}

/// Why a base clock stands for the all-core clock.
const BASE_CLOCK: &str = "the all-core clock is not published; this is the base clock";

/// Cores of two kinds.
struct Mixed {
    fast: f64,
    slow: f64,
}

impl Mixed {
    fn of(row: &Row<'_>, c: &Columns, cores: u32) -> Result<Self, Fault> {
        let slow = row.number(c.e_cores, "e_cores")?.unwrap_or(0.0);
        let fast = row.number(c.p_cores, "p_cores")?.unwrap_or(f64::from(cores) - slow);
        Ok(Self { fast, slow })
    }

    /// The mean of a rate over all cores.
    fn mean(&self, fast: f64, slow: Option<f64>) -> f64 {
        let total = self.fast + self.slow;
        if total > 0.0 { (self.fast * fast + self.slow * slow.unwrap_or(fast)) / total } else { fast }
    }
}
