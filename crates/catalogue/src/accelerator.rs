//! An accelerator: one part, as it is sold and as a machine reports it.

use std::fmt;
use std::str::FromStr;

use maat_base::{Basis, Bytes, Date, Fault, Sourced};
use serde::{Deserialize, Serialize};

use crate::machine::Link;

/// A number format of arithmetic units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

impl NumberType {
    /// All of them, widest first.
    pub const ALL: [Self; 8] =
        [Self::Fp64, Self::Fp32, Self::Tf32, Self::Fp16, Self::Bf16, Self::Fp8, Self::Fp4, Self::Int8];

    /// The name as facts and requests write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp64 => "fp64",
            Self::Fp32 => "fp32",
            Self::Tf32 => "tf32",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
            Self::Fp4 => "fp4",
            Self::Int8 => "int8",
        }
    }

    /// The sum's type in the rate that speeds and ranks rest on: FP32, INT32 for integers, FP64 for FP64.
    pub const fn usual_accumulate(self) -> Accumulate {
        match self {
            Self::Fp64 => Accumulate::Fp64,
            Self::Int8 => Accumulate::Int32,
            _ => Accumulate::Fp32,
        }
    }
}

impl FromStr for NumberType {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let lower = text.trim().to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|number| number.name() == lower)
            .ok_or_else(|| Fault::usage("number-type-unknown").with("given", text))
    }
}

impl fmt::Display for NumberType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type that products are summed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the formats")]
pub enum Accumulate {
    Fp64,
    Fp32,
    Fp16,
    Int32,
}

impl Accumulate {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Fp64, Self::Fp32, Self::Fp16, Self::Int32];

    /// The name as facts write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp64 => "fp64",
            Self::Fp32 => "fp32",
            Self::Fp16 => "fp16",
            Self::Int32 => "int32",
        }
    }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormFactor {
    /// A card for a PCIe slot.
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
    /// A whole desktop computer around one chip.
    Desktop,
    /// Only to be rented.
    CloudOnly,
}

/// How the links between accelerators of a kind are wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topology {
    /// A switch: every pair has the whole rate at once.
    Switch,
    /// Every pair has its own part of the rate.
    Mesh,
    /// Neighbours in a ring or torus.
    Torus,
    /// A bridge on two (sometimes four) neighbouring cards, bought apart.
    Bridge,
    /// Cables between ports, bought apart.
    Cable,
}

/// How accelerators of this kind reach each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeerLink {
    /// Name, such as `NVLink 4`.
    pub name: String,
    /// Bytes per second in one direction, of one accelerator to all its peers together.
    pub bytes_per_s: f64,
    /// How it is wired.
    pub topology: Topology,
    /// Most accelerators that it joins.
    pub most: u32,
    /// Whether it is there by itself (a baseboard), or must be bought apart (a bridge).
    pub built_in: bool,
}

/// One part. What is not known is `None`.
///
/// Most parts are one device to a program. [`Accelerator::devices`] of them appear where a part holds several chips
/// that the machine reports apart; [`Accelerator::device`] is one of these, and machines are made of devices.
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
    /// When it came out, where known to the day; the first of the month or year otherwise.
    pub released: Option<Date>,
    /// Not yet to be had.
    pub announced: bool,
    /// Form.
    pub form: FormFactor,
    /// Form in the maker's words, such as `SXM5` or `PCIe dual-slot`.
    pub form_words: String,
    /// Slots that a card covers, where known.
    pub slots: Option<u32>,
    /// Devices that the machine reports for one part.
    pub devices: u32,
    /// Memory as its label says it.
    pub memory_label_bytes: Bytes,
    /// Memory as the driver reports it, else the label's; for memory shared with the host what the accelerator may use.
    pub capacity: Sourced<Bytes>,
    /// Kind of memory, such as `HBM3`.
    pub memory_type: String,
    /// Whether the memory is the host's too.
    pub unified: bool,
    /// Memory bandwidth in bytes per second; `None` for a card of which only the memory was given.
    pub bandwidth: Option<Sourced<f64>>,
    /// Peak rates, of each key the preferred claim.
    pub rates: Vec<TensorRate>,
    /// Number types that the units compute in; `None` where not known.
    pub number_types: Option<Vec<NumberType>>,
    /// Multiprocessors or compute units.
    pub units: Option<u32>,
    /// Boost clock of the vector units in Hz.
    pub clock_hz: Option<f64>,
    /// Clock of the vector units at the lowest power that it is built in with, in Hz, for laptops: the rates hold at
    /// [`Accelerator::clock_hz`] and fall with it.
    pub low_clock_hz: Option<f64>,
    /// Last-level cache.
    pub cache_bytes: Option<Bytes>,
    /// Power at full load, in watts.
    pub power_w: Option<f64>,
    /// Lowest and highest settable power limit.
    pub power_limits_w: Option<(f64, f64)>,
    /// Highest settable power limit, also where the lowest is not known.
    pub power_max_w: Option<f64>,
    /// Link to its peers beside PCIe.
    pub peer_link: Option<PeerLink>,
    /// Generation of PCIe, such as 4.
    pub pcie_generation: Option<u32>,
    /// Lanes of PCIe.
    pub pcie_lanes: Option<u32>,
    /// PCIe in one direction, bytes per second.
    pub pcie_bytes_per_s: Option<f64>,
    /// Link to the host's memory: PCIe, or the one inside a package.
    pub host_link: Option<Link>,
    /// Whether peers may read each other's memory over PCIe with the maker's driver.
    pub pcie_peer_to_peer: Option<bool>,
    /// Most MIG slices, 0 for none.
    pub mig_slices: u32,
    /// What is not certain, in the words of whoever entered it.
    pub unsure: Option<String>,
    /// Tags of its sources.
    pub sources: String,
}

impl Accelerator {
    /// The rate of exactly these keys; matrix units where both have it.
    pub fn rate(&self, number: NumberType, accumulate: Accumulate, sparse: bool) -> Option<&TensorRate> {
        let fits = |rate: &&TensorRate| {
            rate.number == number && rate.accumulate == accumulate && rate.sparse == sparse
        };
        self.rates.iter().filter(fits).max_by_key(|rate| rate.matrix)
    }

    /// The dense rate with the usual accumulate type (FP32; INT32 for INT8), which speeds and ranks rest on.
    pub fn dense(&self, number: NumberType) -> Option<&TensorRate> {
        self.rate(number, number.usual_accumulate(), false)
    }

    /// Whether it can be had: not only announced.
    pub const fn rankable(&self) -> bool {
        !self.announced
    }

    /// Whether its units compute in this type; `None` where not known.
    pub fn supports(&self, number: NumberType) -> Option<bool> {
        if self.rates.iter().any(|rate| rate.number == number) {
            return Some(true);
        }
        self.number_types.as_ref().map(|types| types.contains(&number))
    }

    /// One of the devices that the machine reports for the part: the part itself where it is one device, else its share
    /// of memory, bandwidth, rates, units and power.
    #[must_use]
    pub fn device(&self) -> Self {
        if self.devices <= 1 {
            return self.clone();
        }
        let share = 1.0 / f64::from(self.devices);
        let of = |sourced: &Sourced<f64>| Sourced { value: sourced.value * share, ..sourced.clone() };
        let mut one = self.clone();
        one.devices = 1;
        one.memory_label_bytes = self.memory_label_bytes / u64::from(self.devices);
        one.capacity.value = self.capacity.value / u64::from(self.devices);
        one.bandwidth = self.bandwidth.as_ref().map(of);
        for rate in &mut one.rates {
            rate.flop_per_s = of(&rate.flop_per_s);
        }
        one.units = self.units.map(|units| units / self.devices);
        one.cache_bytes = self.cache_bytes.map(|cache| cache / u64::from(self.devices));
        if let Some(peer) = &mut one.peer_link {
            peer.bytes_per_s *= share;
            peer.most = peer.most.saturating_mul(self.devices);
        }
        one.power_w = self.power_w.map(|watts| watts * share);
        one.power_max_w = self.power_max_w.map(|watts| watts * share);
        one.power_limits_w = self.power_limits_w.map(|(low, high)| (low * share, high * share));
        one
    }

    /// A card of which only the memory is known: no rates, no bandwidth, no speed.
    pub fn of_memory(name: String, memory: Bytes) -> Self {
        Self {
            id: String::new(),
            name,
            vendor: String::new(),
            architecture: String::new(),
            isa: String::new(),
            released: None,
            announced: false,
            form: FormFactor::Pcie,
            form_words: String::new(),
            slots: None,
            devices: 1,
            memory_label_bytes: memory,
            capacity: Sourced::new(memory, Basis::Computed, "given"),
            memory_type: String::new(),
            unified: false,
            bandwidth: None,
            rates: Vec::new(),
            number_types: None,
            units: None,
            clock_hz: None,
            low_clock_hz: None,
            cache_bytes: None,
            power_w: None,
            power_limits_w: None,
            power_max_w: None,
            peer_link: None,
            pcie_generation: None,
            pcie_lanes: None,
            pcie_bytes_per_s: None,
            host_link: None,
            pcie_peer_to_peer: None,
            mig_slices: 0,
            unsure: None,
            sources: String::from("given"),
        }
    }
}
