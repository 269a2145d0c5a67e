//! The bit mask of clock event reasons.

use super::{Observation, Signal};

/// Bits as NVML defines them (nvml.h, `nvmlClocksEventReason…`).
const BITS: &[(u64, Signal)] = &[
    (0x01, Signal::ReasonIdle),
    (0x02, Signal::ReasonApplicationClocks),
    (0x04, Signal::ReasonPowerCap),
    (0x08, Signal::ReasonHwSlowdown),
    (0x10, Signal::ReasonSyncBoost),
    (0x20, Signal::ReasonSwThermal),
    (0x40, Signal::ReasonHwThermal),
    (0x80, Signal::ReasonPowerBrake),
];

/// Puts the single reasons of a mask beside it, and the numbers that follow from others.
pub fn expand(row: &mut Observation) {
    if let Some(mask) = row.get(Signal::ReasonMask) {
        let mask = mask as u64;
        for &(bit, signal) in BITS {
            row.set(signal, if mask & bit == 0 { 0.0 } else { 1.0 });
        }
    }
    // Older generations print the graphics clock only; the SM clock equals it.
    for (from, to) in [
        (Signal::GraphicsClockMhz, Signal::SmClockMhz),
        (Signal::GraphicsClockMaxMhz, Signal::SmClockMaxMhz),
        (Signal::PowerLimitEnforcedW, Signal::PowerLimitW),
        (Signal::PowerInstantW, Signal::PowerW),
    ] {
        if let Some(value) = row.get(from) {
            row.set(to, value);
        }
    }
    if let (Some(used), Some(free)) = (row.get(Signal::MemoryUsedBytes), row.get(Signal::MemoryFreeBytes)) {
        let reserved = row.get(Signal::MemoryReservedBytes).unwrap_or(0.0);
        row.set(Signal::MemoryTotalBytes, used + free + reserved);
    }
}
