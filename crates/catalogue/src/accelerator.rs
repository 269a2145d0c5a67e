//! An accelerator: one part, as a machine reports it.

use maat_base::{Bytes, Date, Sourced};
use serde::Serialize;

/// A number format of arithmetic units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the formats")]
pub enum NumberType {
    Fp64,
    Fp32,
    Tf32,
    Fp16,
    Bf16,
    Fp8,
    Fp4,
    Int8,
}

/// The type that products are summed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the formats")]
pub enum Accumulate {
    Fp64,
    Fp32,
    Fp16,
    Int32,
}

/// A peak rate of arithmetic. Only like is compared with like: all four keys are part of the figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TensorRate {
    /// Format of the factors.
    pub number: NumberType,
    /// Format of the sum.
    pub accumulate: Accumulate,
    /// Whether it counts skipped zeros of 2:4 sparsity.
    pub sparse: bool,
    /// Whether matrix units do it (tensor cores, MFMA, XMX) or the vector units.
    pub matrix: bool,
    /// Operations per second, a multiply-add counting two.
    pub flop_per_s: Sourced<f64>,
}

/// What a part looks like; parts of different form are different parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormFactor {
    /// A card for a PCIe slot, of so many slots where known.
    Pcie,
    /// An SXM or OAM module on a baseboard.
    Baseboard,
    /// A laptop's chip.
    Laptop,
    /// A small computer's module.
    Module,
    /// Graphics on a processor, with its memory shared.
    Soc,
    /// Processor and accelerator in one package.
    Superchip,
    /// Only to be rented.
    CloudOnly,
}

/// How accelerators of this kind reach each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeerLink {
    /// Name, such as `NVLink 4`.
    pub name: String,
    /// Bytes per second in one direction.
    pub bytes_per_s: f64,
    /// Whether it joins any number of cards (a switch) or pairs only (a bridge).
    pub switched: bool,
}

/// One part, as a machine reports it: a board with two chips is two.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accelerator {
    /// Stable identifier, such as `nvidia-h100-sxm-80gb`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// The maker.
    pub vendor: String,
    /// Architecture, such as `Hopper`; `facts/speed` keys its hardware classes by it.
    pub architecture: String,
    /// Compute capability or target, such as `9.0`, `gfx942`.
    pub isa: String,
    /// When it came out; in the future or unknown-and-announced when not.
    pub released: Option<Date>,
    /// Not yet to be had.
    pub announced: bool,
    /// Form.
    pub form: FormFactor,
    /// Memory as its label says it.
    pub memory_label_bytes: Bytes,
    /// Memory as the driver reports it, else the label's.
    pub capacity: Sourced<Bytes>,
    /// Kind of memory, such as `HBM3`.
    pub memory_type: String,
    /// Whether the memory is the host's too.
    pub unified: bool,
    /// Memory bandwidth in bytes per second.
    pub bandwidth: Sourced<f64>,
    /// Peak rates.
    pub rates: Vec<TensorRate>,
    /// Multiprocessors or compute units.
    pub units: Option<u32>,
    /// Clock of the vector units in Hz.
    pub clock_hz: Option<f64>,
    /// Last-level cache.
    pub cache_bytes: Option<Bytes>,
    /// Power at full load, in watts.
    pub power_w: Option<f64>,
    /// Lowest and highest settable power limit.
    pub power_limits_w: Option<(f64, f64)>,
    /// Link to its peers beside PCIe.
    pub peer_link: Option<PeerLink>,
    /// PCIe in one direction, bytes per second.
    pub pcie_bytes_per_s: Option<f64>,
    /// Whether peers may read each other's memory over PCIe.
    pub pcie_peer_to_peer: bool,
    /// Most MIG slices, 0 for none.
    pub mig_slices: u32,
    /// What is not certain, in the words of whoever entered it.
    pub unsure: Option<String>,
    /// Tags of its sources.
    pub sources: String,
}
