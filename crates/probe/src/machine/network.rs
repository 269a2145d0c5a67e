//! Network ports of `/sys/class/net` and `/sys/class/infiniband`.

use serde::{Deserialize, Serialize};

use crate::root::Root;

/// A network port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortSeen {
    /// Name of the device.
    pub name: String,
    /// Bytes per second in one direction, where the link says it.
    pub bytes_per_s: Option<f64>,
    /// Driver.
    pub driver: Option<String>,
    /// Whether it is an InfiniBand or RoCE port.
    pub rdma: bool,
}

/// Reads them.
pub(super) fn read(root: &Root) -> Vec<PortSeen> {
    let mut ports: Vec<PortSeen> = root
        .entries("/sys/class/net")
        .into_iter()
        .filter(|name| root.has(&format!("/sys/class/net/{name}/device")))
        .map(|name| PortSeen {
            // A link that is down says -1 or nothing.
            bytes_per_s: root
                .number::<i64>(&format!("/sys/class/net/{name}/speed"))
                .filter(|&mb| mb > 0)
                .map(|mb| mb as f64 * 1e6 / 8.0),
            driver: root.link(&format!("/sys/class/net/{name}/device/driver")),
            rdma: false,
            name,
        })
        .collect();
    for card in root.entries("/sys/class/infiniband") {
        for port in root.entries(&format!("/sys/class/infiniband/{card}/ports")) {
            let rate = root.text(&format!("/sys/class/infiniband/{card}/ports/{port}/rate"));
            ports.push(PortSeen {
                name: format!("{card}/{port}"),
                bytes_per_s: rate.and_then(|rate| gigabits(&rate)),
                driver: root.link(&format!("/sys/class/infiniband/{card}/device/driver")),
                rdma: true,
            });
        }
    }
    ports
}

/// Reads `400 Gb/sec (4X NDR)`.
fn gigabits(text: &str) -> Option<f64> {
    let rate: f64 = text.split_once("Gb/sec")?.0.trim().parse().ok()?;
    (rate.is_finite() && rate > 0.0).then_some(rate * 1e9 / 8.0)
}
