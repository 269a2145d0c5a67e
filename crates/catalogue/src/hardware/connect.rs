//! Links of a machine, and its power.

use maat_base::{Fault, Rate, Text};

use super::Notes;
use crate::build::peer_link;
use crate::machine::{Link, Machine, Network};
use crate::pcie;
use crate::request::HardwareRequest;

/// Sets links, network and power as the request says; the link between accelerators that nobody gave is noted.
pub(super) fn connect(
    request: &HardwareRequest,
    machine: &mut Machine,
    notes: &mut Notes,
) -> Result<(), Fault> {
    let given = request.link.as_deref().map(str::trim).filter(|text| !text.eq_ignore_ascii_case("auto"));
    match given {
        Some(text) => set_link(text, machine)?,
        None => note_link(machine, notes),
    }
    machine.network = request.network.as_deref().map(network).transpose()?;
    machine.psu_w = request.psu.map(|psu| psu.0);
    if let Some(limit) = request.power_limit {
        check_limit(limit.0, machine)?;
        machine.power_limit_w = Some(limit.0);
    }
    Ok(())
}

fn note_link(machine: &Machine, notes: &mut Notes) {
    let Some(link) = &machine.link else { return };
    let bridge = match machine.slots.as_slice() {
        [one] => one.accelerator.peer_link.as_ref().filter(|peer| !peer.built_in),
        _ => None,
    };
    let why = match bridge {
        Some(peer) => Text::new("why-link-bridge").with("bridge", peer.name.as_str()),
        None => Text::new("why-link-own"),
    };
    let text = Text::new("assumed-link").with("link", link.name.as_str());
    notes.add("link", link.name.clone(), text, why);
}

/// A link by name: the parts' own (`nvlink`), PCIe of a width, or a rate.
fn set_link(text: &str, machine: &mut Machine) -> Result<(), Fault> {
    let count = machine.per_node();
    let name = machine.name.clone();
    let unavailable =
        || Fault::usage("link-unavailable").with("link", text).with("machine", name).at("--link");
    if let Some((generation, lanes)) = pcie::parse(text) {
        let peers = machine.slots.iter().all(|slot| slot.accelerator.pcie_peer_to_peer == Some(true));
        let link = pcie::link_of(generation, lanes, peers);
        machine.link = link.clone().filter(|_| count > 1);
        machine.host_link = link;
        return Ok(());
    }
    if let Ok(rate) = text.parse::<Rate>()
        && rate.0 > 0.0
    {
        let link = Link { name: text.to_owned(), bytes_per_s: rate.0, switched: false, peer_to_peer: true };
        machine.link = (count > 1).then_some(link);
        return Ok(());
    }
    let own = match machine.slots.as_slice() {
        [one] => one.accelerator.peer_link.as_ref(),
        _ => None,
    };
    let first = |name: &str| name.split([' ', '-']).next().unwrap_or_default().to_ascii_lowercase();
    let wanted = first(text);
    match own {
        Some(peer) if first(&peer.name) == wanted || wanted == "fabric" => {
            machine.link = (count > 1).then(|| peer_link(peer, count));
            Ok(())
        }
        _ => Err(unavailable()),
    }
}

/// Reads `8x400Gb`, `40GbE`, `2x 25 Gb/s`; a small `b` is bits.
pub(super) fn network(text: &str) -> Result<Network, Fault> {
    let bad = || Fault::usage("network-unknown").with("given", text).at("--network");
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (ports, port) = match compact.split_once(['x', 'X', '×']) {
        Some((ports, port)) => (ports.parse::<u32>().map_err(|_| bad())?, port),
        None => (1, compact.as_str()),
    };
    let end = port.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(port.len());
    let number: f64 = port[..end].parse().map_err(|_| bad())?;
    let bytes_per_s = match &port[end..] {
        "Gb" | "GbE" | "gbe" | "gb" | "Gbe" | "Gb/s" | "Gbit" | "Gbit/s" | "Gbps" | "gbps" | "G" | "g" => {
            number * 1e9 / 8.0
        }
        "Mb" | "Mb/s" | "Mbit/s" | "Mbps" => number * 1e6 / 8.0,
        "GB/s" => number * 1e9,
        _ => return Err(bad()),
    };
    if !(number > 0.0 && (1..=1024).contains(&ports)) {
        return Err(bad());
    }
    Ok(Network { name: text.to_owned(), bytes_per_s: bytes_per_s * f64::from(ports) })
}

/// A limit must be one that every part can be set to.
fn check_limit(watts: f64, machine: &Machine) -> Result<(), Fault> {
    for slot in &machine.slots {
        let part = &slot.accelerator;
        let Some((low, high)) = part.power_limits_w else {
            if let Some(high) = part.power_max_w.filter(|high| watts > *high) {
                return Err(Fault::usage("power-limit-above")
                    .with("part", part.name.as_str())
                    .with("high", maat_base::Arg::Watts(high))
                    .at("--power-limit"));
            }
            continue;
        };
        if watts < low || watts > high {
            return Err(Fault::usage("power-limit-range")
                .with("part", slot.accelerator.name.as_str())
                .with("low", maat_base::Arg::Watts(low))
                .with("high", maat_base::Arg::Watts(high))
                .at("--power-limit"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn ports() {
        for (text, gb) in
            [("8x400Gb", 400.0), ("40GbE", 5.0), ("2x 25 Gb/s", 6.25), ("10G", 1.25), ("50GB/s", 50.0)]
        {
            let rate = network(text).unwrap().bytes_per_s / 1e9;
            assert!((rate - gb).abs() < 1e-9, "{text} {rate}");
        }
        for bad in ["", "fast", "0x400Gb", "x", "400", "8x", "-1Gb"] {
            assert!(network(bad).is_err(), "{bad}");
        }
    }
}
