//! A part as lists show it.

use maat_base::{Basis, Bytes, Date};
use serde::Serialize;

use crate::accelerator::{Accelerator, FormFactor, NumberType};

/// A dense rate with the usual accumulate type (FP32; INT32 for INT8).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RateView {
    /// Number type.
    pub number: NumberType,
    /// Operations per second.
    pub flop_per_s: f64,
    /// What it rests on.
    pub basis: Basis,
}

/// An accelerator in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AcceleratorView {
    /// Identifier.
    pub id: String,
    /// Name.
    pub name: String,
    /// Maker.
    pub vendor: String,
    /// Architecture.
    pub architecture: String,
    /// Compute capability or target.
    pub isa: String,
    /// Form.
    pub form: FormFactor,
    /// Day of release, or its first day where only month or year are known.
    pub released: Option<Date>,
    /// Not yet to be had.
    pub announced: bool,
    /// Memory as the label says it.
    pub memory_label_bytes: Bytes,
    /// Memory that can be used.
    pub capacity_bytes: Bytes,
    /// What the capacity rests on.
    pub capacity_basis: Basis,
    /// Kind of memory.
    pub memory_type: String,
    /// Memory bandwidth.
    pub bandwidth_bytes_per_s: Option<f64>,
    /// What the bandwidth rests on.
    pub bandwidth_basis: Option<Basis>,
    /// Dense rates with the usual accumulate type.
    pub rates: Vec<RateView>,
    /// Power at full load.
    pub power_w: Option<f64>,
    /// Devices that the machine reports for the part.
    pub devices: u32,
}

impl From<&Accelerator> for AcceleratorView {
    fn from(part: &Accelerator) -> Self {
        let rate = |number| {
            part.dense(number).map(|rate| RateView {
                number,
                flop_per_s: rate.flop_per_s.value,
                basis: rate.flop_per_s.basis,
            })
        };
        Self {
            id: part.id.clone(),
            name: part.name.clone(),
            vendor: part.vendor.clone(),
            architecture: part.architecture.clone(),
            isa: part.isa.clone(),
            form: part.form,
            released: part.released,
            announced: part.announced,
            memory_label_bytes: part.memory_label_bytes,
            capacity_bytes: part.capacity.value,
            capacity_basis: part.capacity.basis,
            memory_type: part.memory_type.clone(),
            bandwidth_bytes_per_s: part.bandwidth.as_ref().map(|bandwidth| bandwidth.value),
            bandwidth_basis: part.bandwidth.as_ref().map(|bandwidth| bandwidth.basis),
            rates: NumberType::ALL.into_iter().filter_map(rate).collect(),
            power_w: part.power_w,
            devices: part.devices,
        }
    }
}
