//! Values of signals as evidence shows them: figures and units, the same in every language.

use maat_readings::monitor::Signal;

/// Whether a signal without a unit in its name is a share.
fn is_share(signal: Signal) -> bool {
    let name = signal.name();
    name.ends_with("_utilization")
        || name.ends_with("_active")
        || name.starts_with("pressure_")
        || matches!(
            signal,
            Signal::CpuUser
                | Signal::CpuSystem
                | Signal::CpuNice
                | Signal::CpuIdle
                | Signal::CpuIowait
                | Signal::CpuSteal
                | Signal::CpuBusy
                | Signal::KvCacheUsage
                | Signal::ProcessSm
                | Signal::ProcessMemoryShare
                | Signal::OperatorHostShare
                | Signal::OperatorDeviceShare
        )
}

/// A value with its unit.
pub fn show(signal: Signal, value: f64) -> String {
    let name = signal.name();
    if is_share(signal) {
        percent(value)
    } else if name.ends_with("_bytes_per_s") {
        rate(value)
    } else if name.ends_with("_bytes") {
        bytes(value)
    } else if name.ends_with("_per_s") {
        format!("{}/s", plain(value))
    } else if name.ends_with("_mhz") {
        format!("{} MHz", plain(value))
    } else if name.ends_with("_w") {
        format!("{value:.1} W")
    } else if name.ends_with("_c") {
        format!("{} C", plain(value))
    } else if name.ends_with("_s") {
        if value < 1.0 { format!("{:.2} ms", value * 1e3) } else { format!("{value:.1} s") }
    } else {
        plain(value)
    }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Bytes per second.
pub fn rate(value: f64) -> String {
    if value >= 1e9 { format!("{:.2} GB/s", value / 1e9) } else { format!("{:.1} MB/s", value / 1e6) }
}

/// Bytes.
pub fn bytes(value: f64) -> String {
    match value {
        value if value >= 1_073_741_824.0 => format!("{:.1} GiB", value / 1_073_741_824.0),
        value if value >= 1_048_576.0 => format!("{:.1} MiB", value / 1_048_576.0),
        value => format!("{:.1} KiB", value / 1024.0),
    }
}

/// A plain number, without decimals that say nothing.
pub fn plain(value: f64) -> String {
    if value.abs() >= 100.0 || (value - value.round()).abs() < 1e-9 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}
