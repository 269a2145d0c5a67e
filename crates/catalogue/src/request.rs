//! The hardware of a request. A field is a flag of the command line (feature `clap`), a query parameter of the server and
//! a keyword argument, all of the same name; its doc comment is the flag's help.

use maat_base::{ByteSize, LabelSize, Rate, Watts};
use serde::{Deserialize, Serialize};

/// The hardware that a request names. What is not given is assumed, and listed so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Hardware"))]
pub struct HardwareRequest {
    /// Accelerators of a node: "2x RTX 4090", "H100 SXM", "?x A100 80GB", "RTX 3090 + RTX 2060", "H100 NVL:1g.12gb",
    /// "24GB card"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PARTS"))]
    pub gpu: Vec<String>,
    /// Processors of a node: "2x Xeon Platinum 8592+", "8 cores"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PROCESSORS"))]
    pub cpu: Option<String>,
    /// Memory bandwidth of a node's processors, such as 20GB/s [default: the catalogue's]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE"))]
    pub cpu_bandwidth: Option<Rate>,
    /// Threads that may be used [default: one a core]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<u32>,
    /// Nodes of this kind [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub nodes: Option<u32>,
    /// Host memory of a node, such as 512GB
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    pub ram: Option<LabelSize>,
    /// What holds the files: nvme, ssd, hdd, network, or a rate such as 3GB/s
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND|RATE"))]
    pub storage: Option<String>,
    /// Room on the disks of a node, such as 2TB
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    pub disk: Option<ByteSize>,
    /// Link between the accelerators of a node: auto, nvlink, pcie5x16, pcie4x8, or a rate such as 50GB/s [default: auto]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LINK"))]
    pub link: Option<String>,
    /// Network of a node, such as 8x400Gb or 40GbE
    #[cfg_attr(feature = "clap", arg(long, value_name = "PORTS"))]
    pub network: Option<String>,
    /// Power limit of each accelerator, such as 280W
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub power_limit: Option<Watts>,
    /// What the power supplies of a node give, such as 1000W
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub psu: Option<Watts>,
    /// A part of one's own, like a known one: with --vram, --bandwidth, --tflops
    #[cfg_attr(feature = "clap", arg(long, value_name = "PART"))]
    pub gpu_like: Option<String>,
    /// Its memory, such as 20GB
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    pub vram: Option<LabelSize>,
    /// Its memory bandwidth, such as 760GB/s
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE"))]
    pub bandwidth: Option<Rate>,
    /// Its dense 16-bit rate in TFLOP/s
    #[cfg_attr(feature = "clap", arg(long, value_name = "TFLOPS"))]
    pub tflops: Option<f64>,
    /// This machine
    #[cfg_attr(feature = "clap", arg(long))]
    pub here: bool,
}

impl HardwareRequest {
    /// Whether it names anything to compute on.
    pub fn names_a_machine(&self) -> bool {
        !self.gpu.is_empty() || self.cpu.is_some() || self.gpu_like.is_some() || self.here
    }
}
