//! What a profiler's table of operators says without the order in time.

use maat_base::Evidence;
use maat_readings::monitor::{Observation, Part, Signal};

use super::add;
use crate::facts::limit;
use crate::found::Found;
use crate::show::percent;
use crate::view::View;

/// Operators in which the processor waits for the accelerator.
const SYNCHRONISING: [&str; 5] = [
    "aten::item",
    "aten::_local_scalar_dense",
    "cudaStreamSynchronize",
    "cudaDeviceSynchronize",
    "hipStreamSynchronize",
];

/// The loader, synchronisation and pageable copies. A table has no order in time: whether the accelerator stood still
/// follows from the sums of both sides alone.
pub fn operators(view: &View<'_>, found: &mut Vec<Found>) {
    let rows: Vec<&Observation> = view.samples.rows.iter().filter(|row| row.part == Part::Operator).collect();
    let used = device_use(&rows);
    if used.is_some_and(|(share, _)| share >= limit("gpu_busy")) {
        return;
    }
    let loader = |name: &str| name.starts_with("enumerate(DataLoader)");
    let waits = |name: &str| SYNCHRONISING.contains(&name);
    let pageable = |name: &str| name.contains("HtoD") && name.contains("Pageable");
    let host = Signal::OperatorHostShare;
    judge(&rows, used, "data-loader-wait", (host, limit("loader_share")), &loader, found);
    judge(&rows, used, "host-device-sync", (host, limit("sync_host_share")), &waits, found);
    let device = (Signal::OperatorDeviceShare, limit("pageable_device_share"));
    judge(&rows, used, "h2d-pageable", device, &pageable, found);
}

/// The device's time over the processor's, where both are printed.
fn device_use<'a>(rows: &[&'a Observation]) -> Option<(f64, &'a Observation)> {
    rows.iter().find_map(|row| {
        let (host, device) = (row.get(Signal::HostTotalS)?, row.get(Signal::DeviceTotalS)?);
        (host > 0.0).then_some((device / host, *row))
    })
}

fn judge(
    rows: &[&Observation],
    used: Option<(f64, &Observation)>,
    code: &'static str,
    (signal, least): (Signal, f64),
    is_meant: &dyn Fn(&str) -> bool,
    found: &mut Vec<Found>,
) {
    let meant: Vec<&&Observation> = rows.iter().filter(|row| is_meant(&row.name)).collect();
    let share: f64 = meant.iter().filter_map(|row| row.get(signal)).sum();
    if share < least {
        return;
    }
    let mut new = Found::new(code, "");
    for row in meant {
        new.value("table", row, signal);
    }
    if let Some((used, row)) = used.filter(|(used, _)| *used < limit("gpu_waiting")) {
        let value = percent(used);
        let what = "device_total_s / host_total_s".to_owned();
        new.prove("device", Evidence { what, value, place: row.place.to_string() });
    }
    new.asks = vec!["trace"];
    add(found, new);
}
