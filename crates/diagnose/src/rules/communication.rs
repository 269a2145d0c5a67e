//! Accelerators among themselves, inside a machine and between machines.

use std::collections::BTreeSet;

use maat_base::{Evidence, Severity};
use maat_readings::monitor::{Label, Observation, Part, Path, Signal};

use super::{add, has};
use crate::facts::limit;
use crate::found::Found;
use crate::show::rate;
use crate::view::View;

/// The best bus bandwidth of a benchmark, over sizes that show it.
fn bus_bandwidth<'a>(view: &View<'a>) -> Option<(f64, &'a Observation)> {
    view.samples
        .rows
        .iter()
        .filter(|row| row.part == Part::Collective)
        .filter(|row| {
            row.get(Signal::CollectiveBytes).is_some_and(|bytes| bytes >= limit("collective_large_bytes"))
        })
        .filter_map(|row| Some((row.get(Signal::BusBandwidthBytesPerS)?, row)))
        .max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Whether the work spans machines: by the hosts of a benchmark, of NCCL's log, or its channels.
fn spans_machines(view: &View<'_>) -> bool {
    let listed = view
        .samples
        .rows
        .iter()
        .filter(|row| row.part == Part::Collective)
        .any(|row| row.label(Label::Name).is_some_and(|count| count != "1" && count != "0"));
    let hosts: BTreeSet<&str> = view
        .samples
        .events
        .iter()
        .filter(|event| event.text.contains(" NCCL INFO "))
        .filter_map(|event| event.text.split(':').next())
        .collect();
    listed
        || hosts.len() > 1
        || view.has("nccl-net-channel")
        || view.events("nccl-ib").any(|event| event.text.contains("via NET/IB"))
}

/// Adapters that can do RDMA, as far as seen.
fn adapters(view: &View<'_>, new: &mut Found) {
    for topology in &view.samples.topologies {
        // The matrix lists only adapters of RDMA: their devices, or `NIC0` where the legend is missing.
        for adapter in &topology.adapters {
            let what = "rdma-device".to_owned();
            new.prove("device", Evidence { what, value: adapter.clone(), place: topology.place.to_string() });
        }
    }
    for event in view.events("rdma-device") {
        new.event("device", event);
    }
}

/// Whether some machine of NCCL's log talks over sockets and never over InfiniBand, whatever the others do.
fn uses_sockets_alone(view: &View<'_>) -> bool {
    let hosts = |kind: &'static str| -> BTreeSet<&str> {
        view.events(kind).map(|event| event.text.split(':').next().unwrap_or_default()).collect()
    };
    let (sockets, fast) = (hosts("nccl-socket"), hosts("nccl-ib"));
    sockets.difference(&fast).next().is_some()
}

/// NCCL over TCP beside an adapter that can do more.
pub fn tcp_fallback(view: &View<'_>, found: &mut Vec<Found>) {
    if !uses_sockets_alone(view) || view.has("nccl-other-net") || !spans_machines(view) {
        return;
    }
    let mut new = Found::new("network-tcp-fallback", "");
    for kind in ["nccl-socket", "nccl-no-ib", "nccl-ib-disabled"] {
        if let Some(event) = view.events(kind).next() {
            new.event("log", event);
        }
    }
    adapters(view, &mut new);
    if !new.has("device") {
        // Plain Ethernet may be all there is.
        new.severity = Some(Severity::Warning);
        new.asks = vec!["topology", "collectives"];
    }
    if let Some((_, row)) = bus_bandwidth(view).filter(|(speed, _)| *speed < limit("bus_bandwidth_good")) {
        new.value("bandwidth", row, Signal::BusBandwidthBytesPerS);
    }
    let used = view.highest(Part::Interface, Signal::InterfaceUtilization);
    if let Some(used) = used.filter(|used| used.median() > 0.0 && used.median() < 0.2) {
        new.series("line", &used);
    }
    add(found, new);
}

/// Peers inside a machine that reach each other more slowly directly than through the host.
pub fn peers(view: &View<'_>, found: &mut Vec<Found>) {
    let linked = view
        .samples
        .topologies
        .iter()
        .any(|topology| topology.paths.iter().flatten().any(|path| matches!(path, Path::Nvlink(_))));
    let mut new = Found::new("p2p-blocked-iommu-acs", "");
    let best = |direct: bool| {
        view.samples
            .peers
            .iter()
            .filter(|matrix| matrix.direct == direct && !matrix.both_ways)
            .find_map(|matrix| Some((matrix.between()?, matrix)))
    };
    if let (Some((direct, on)), Some((host, off))) = (best(true), best(false))
        && host > 0.0
        && direct / host < limit("peer_slow_ratio")
    {
        for (what, speed, place) in [("p2p=enabled", direct, &on.place), ("p2p=disabled", host, &off.place)] {
            new.prove(
                "peers",
                Evidence { what: what.to_owned(), value: rate(speed), place: place.to_string() },
            );
        }
    }
    let slow = bus_bandwidth(view).filter(|(speed, _)| *speed < limit("bus_bandwidth_slow"));
    if let Some((_, row)) = slow.filter(|_| !linked && !spans_machines(view)) {
        new.value("bandwidth", row, Signal::BusBandwidthBytesPerS);
    }
    if new.signals() == 0 {
        return;
    }
    for kind in ["nccl-p2p-disabled", "acs-on", "iommu-translated"] {
        if let Some(event) = view.events(kind).next() {
            new.event(if kind == "nccl-p2p-disabled" { "setting" } else { "iommu" }, event);
        }
    }
    if !view.has("nccl-p2p")
        && let Some(event) = view.events("nccl-shm").next()
    {
        new.event("shm", event);
    }
    for topology in view.samples.topologies.iter().filter(|_| !linked) {
        let across =
            topology.paths.iter().flatten().filter(|path| matches!(path, Path::Node | Path::Sys | Path::Phb));
        let value = format!(
            "{} of {} pairs through a host bridge",
            across.count(),
            topology.gpus.len() * (topology.gpus.len().max(1) - 1)
        );
        new.prove("topology", Evidence { what: "topo".to_owned(), value, place: topology.place.to_string() });
    }
    if new.has("peers") || new.has("iommu") || new.has("shm") || new.has("setting") {
        new.asks = vec!["topology", "collectives"];
        add(found, new);
    }
}

/// RDMA that is used and does not reach its rate.
pub fn fabric(view: &View<'_>, found: &mut Vec<Found>) {
    if !view.has("nccl-ib") && !view.has("ib-symbol-errors") && !view.has("ib-bandwidth") {
        return;
    }
    let mut new = Found::new("network-fabric", "");
    for event in view
        .events("ib-symbol-errors")
        .filter(|event| event.get(Signal::SymbolErrors).is_some_and(|n| n > 0.0))
    {
        new.event("errors", event);
    }
    for event in view.events("nccl-ib-error") {
        new.event("errors", event);
    }
    for event in
        view.events("pfc-pause").filter(|event| event.get(Signal::PauseFrames).is_some_and(|n| n > 10_000.0))
    {
        new.event("pauses", event);
    }
    slow_collective(view, &mut new);
    if new.signals() == 0 || has(found, "network-tcp-fallback") {
        return;
    }
    if let Some(event) = view.events("nccl-ib").next() {
        new.event("log", event);
    }
    new.asks = vec!["collectives"];
    add(found, new);
}

/// A collective between machines beside the rate of the adapters.
fn slow_collective(view: &View<'_>, new: &mut Found) {
    let Some((speed, row)) = bus_bandwidth(view).filter(|_| spans_machines(view)) else { return };
    let rates: Vec<f64> = view
        .events("rdma-rate")
        .filter_map(|event| event.get(Signal::InterfaceBitsPerS))
        .map(|gigabits| gigabits * 1e9 / 8.0)
        .collect();
    // `NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE`: one slash an adapter.
    let adapters = |text: &str| text.split_once(": Using").map_or(0, |(_, list)| list.matches(['/']).count());
    let used = view.events("nccl-ib").map(|event| adapters(&event.text)).max().unwrap_or(1).max(1);
    let Some(one) = rates.iter().copied().reduce(f64::max) else {
        // Without the rate: even one adapter of 100 Gb/s does more.
        if speed < limit("bus_bandwidth_good") * 0.75 {
            new.value("bandwidth", row, Signal::BusBandwidthBytesPerS);
        }
        return;
    };
    let line = one * used as f64;
    if speed < limit("fabric_rate_share") * line {
        new.value("bandwidth", row, Signal::BusBandwidthBytesPerS);
        let value = format!("{} = {} x {used}", rate(line), rate(one));
        let place = view.events("rdma-rate").next().map_or_else(String::new, |event| event.place.to_string());
        new.prove("rate", Evidence { what: "line rate".to_owned(), value, place });
        new.gain = Some(1.0 - speed / line);
    }
}
