//! What NVIDIA's management library says of running boards, as samples. Tested against a library of our own that has the
//! same functions, not on a GPU; whatever the library does not answer is left out.
#![expect(unsafe_code, reason = "a C library that is loaded at run time")]

use std::ffi::{c_int, c_uint, c_ulonglong};

use maat_readings::Place;
use maat_readings::monitor::{Label, Observation, Part, Samples, Signal, Span};

use super::nvml::{Handle, Library, Memory, SUCCESS};

/// The file that evidence names.
const PLACE: &str = "libnvidia-ml.so.1";

/// `nvmlUtilization_t`, in percent.
#[repr(C)]
#[derive(Default)]
struct Utilization {
    gpu: c_uint,
    memory: c_uint,
}

/// Functions that give one number, with its signal and the factor to its unit.
const NUMBERS: [(&[u8], Signal, f64); 9] = [
    (b"nvmlDeviceGetPowerUsage\0", Signal::PowerW, 1e-3),
    (b"nvmlDeviceGetEnforcedPowerLimit\0", Signal::PowerLimitW, 1e-3),
    (b"nvmlDeviceGetPowerManagementDefaultLimit\0", Signal::PowerLimitDefaultW, 1e-3),
    (b"nvmlDeviceGetPerformanceState\0", Signal::PerformanceState, 1.0),
    (b"nvmlDeviceGetCurrPcieLinkGeneration\0", Signal::PcieGen, 1.0),
    (b"nvmlDeviceGetCurrPcieLinkWidth\0", Signal::PcieWidth, 1.0),
    (b"nvmlDeviceGetMaxPcieLinkGeneration\0", Signal::PcieGenMax, 1.0),
    (b"nvmlDeviceGetMaxPcieLinkWidth\0", Signal::PcieWidthMax, 1.0),
    (b"nvmlDeviceGetPcieReplayCounter\0", Signal::PcieReplays, 1.0),
];
/// Functions that are asked for one of several things: `nvmlClockType_t` 1 is the SM clock, 2 memory;
/// `nvmlTemperatureSensors_t` 0 is the core.
const CHOICES: [(&[u8], c_uint, Signal); 5] = [
    (b"nvmlDeviceGetClockInfo\0", 1, Signal::SmClockMhz),
    (b"nvmlDeviceGetClockInfo\0", 2, Signal::MemoryClockMhz),
    (b"nvmlDeviceGetMaxClockInfo\0", 1, Signal::SmClockMaxMhz),
    (b"nvmlDeviceGetMaxClockInfo\0", 2, Signal::MemoryClockMaxMhz),
    (b"nvmlDeviceGetTemperature\0", 0, Signal::TemperatureC),
];
/// Both names of the function that gives the reasons for a low clock.
const REASONS: [&[u8]; 2] =
    [b"nvmlDeviceGetCurrentClocksEventReasons\0", b"nvmlDeviceGetCurrentClocksThrottleReasons\0"];

impl Library {
    /// Adds a row for each board; `block` is the part of the samples they belong to.
    pub(crate) fn sample(&self, at_s: f64, block: u32, samples: &mut Samples) {
        for index in 0..self.count() {
            if let Some(handle) = self.handle(index) {
                samples.push(self.row(handle, index, at_s, block));
            }
        }
    }

    fn row(&self, handle: Handle, index: c_uint, at_s: f64, block: u32) -> Observation {
        let mut row = Observation {
            part: Part::Gpu,
            name: index.to_string().into(),
            block,
            at_s: Some(at_s),
            span: Span::Moment,
            values: Vec::new(),
            labels: Vec::new(),
            place: Place::whole(PLACE),
        };
        if let Some(used) = self.number::<Utilization>(b"nvmlDeviceGetUtilizationRates\0", handle) {
            row.set(Signal::GpuUtilization, f64::from(used.gpu) / 100.0);
            row.set(Signal::MemoryUtilization, f64::from(used.memory) / 100.0);
        }
        if let Some(memory) = self.number::<Memory>(b"nvmlDeviceGetMemoryInfo\0", handle) {
            row.set(Signal::MemoryUsedBytes, memory.used as f64);
            row.set(Signal::MemoryTotalBytes, memory.total as f64);
        }
        for (symbol, signal, factor) in NUMBERS {
            if let Some(number) = self.number::<c_uint>(symbol, handle) {
                row.set(signal, f64::from(number) * factor);
            }
        }
        for (symbol, choice, signal) in CHOICES {
            if let Some(number) = self.choice(symbol, handle, choice) {
                row.set(signal, f64::from(number));
            }
        }
        if let Some(mask) = REASONS.iter().find_map(|name| self.number::<c_ulonglong>(name, handle)) {
            row.set(Signal::ReasonMask, mask as f64);
        }
        row.complete();
        if let Some(name) = self.name(handle) {
            row.tag(Label::Name, name);
        }
        row
    }

    fn choice(&self, symbol: &[u8], handle: Handle, choice: c_uint) -> Option<c_uint> {
        let mut value: c_uint = 0;
        let get = self.function::<unsafe extern "C" fn(Handle, c_uint, *mut c_uint) -> c_int>(symbol)?;
        // SAFETY: takes an enumerator and writes one number, as nvml.h states for these symbols.
        (unsafe { get(handle, choice, &raw mut value) } == SUCCESS).then_some(value)
    }
}
