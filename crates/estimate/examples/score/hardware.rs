//! Machines by the names that measurements use.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use maat_base::Sourced;
use maat_catalogue::{Catalogue, Cpu, Host, Link, Machine, Processor, Slot, Topology};

/// The catalogue, with the names of measured parts.
pub struct Parts {
    catalogue: Catalogue,
    names: HashMap<String, String>,
}

pub fn table(path: &Path) -> Vec<HashMap<String, String>> {
    csv::Reader::from_path(path)
        .map(|mut reader| reader.deserialize().filter_map(Result::ok).collect())
        .unwrap_or_default()
}

impl Parts {
    pub fn read(names: &Path) -> Self {
        let pair = |mut row: HashMap<String, String>| Some((row.remove("measured")?, row.remove("part")?));
        Self { catalogue: Catalogue::builtin(), names: table(names).into_iter().filter_map(pair).collect() }
    }

    /// A machine of so many parts; `peers` allows links other than PCIe.
    pub fn machine(&self, hardware: &str, count: u32, peers: bool) -> Option<Machine> {
        let part = self.names.get(hardware)?;
        let mut machine = Machine {
            name: part.clone(),
            slots: Vec::new(),
            nodes: 1,
            slice: None,
            power_limit_w: None,
            link: None,
            host_link: None,
            network: None,
            psu_w: None,
            host: Host::default(),
        };
        if let Some(name) = part.strip_prefix("cpu:") {
            machine.host.processor = Some(processor(&self.catalogue.resolve_cpu(name).ok()?.part, count)?);
            return Some(machine);
        }
        let several = part.contains('+');
        for name in part.split('+') {
            let one = self.catalogue.resolve_accelerator(name).ok()?.part;
            let pcie = one.pcie_bytes_per_s.unwrap_or(15.75e9);
            let link = one.peer_link.as_ref().filter(|link| peers && link.built_in);
            machine.link = Some(match link {
                Some(link) => Link {
                    name: link.name.clone(),
                    bytes_per_s: link.bytes_per_s,
                    switched: link.topology == Topology::Switch,
                    peer_to_peer: true,
                },
                None => Link {
                    name: "PCIe".into(),
                    bytes_per_s: pcie,
                    switched: false,
                    peer_to_peer: one.pcie_peer_to_peer == Some(true),
                },
            });
            machine
                .slots
                .push(Slot { accelerator: Arc::new(one.device()), count: if several { 1 } else { count } });
        }
        Some(machine)
    }
}

fn processor(cpu: &Cpu, sockets: u32) -> Option<Processor> {
    let times =
        |figure: &Sourced<f64>| Sourced { value: figure.value * f64::from(sockets), ..figure.clone() };
    Some(Processor {
        name: cpu.name.clone(),
        sockets,
        cores: cpu.cores * sockets,
        threads: None,
        simd: cpu.simd.clone(),
        clock_hz: cpu.clock_hz.clone()?,
        fp32_flop_per_clock: cpu.fp32_flop_per_clock,
        bf16_flop_per_clock: cpu.bf16_flop_per_clock,
        int8_op_per_clock: cpu.int8_op_per_clock,
        bandwidth: cpu.bandwidth.as_ref().map(times),
        cache_bytes: cpu.cache_bytes,
        power_w: cpu.power_w,
        measured: None,
    })
}
