//! NVIDIA's management library, loaded when it is there. The part that calls it has not been run on a GPU of every
//! generation; whatever it does not answer is unknown.
#![expect(unsafe_code, reason = "a C library that is loaded at run time")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};

use libloading::Symbol;

/// A board as a driver's library describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Name, such as `NVIDIA H100 80GB HBM3`.
    pub name: Option<String>,
    /// Place on the PCI bus.
    pub address: Option<String>,
    /// Vendor and device, as `10de:2330`.
    pub pci_id: Option<String>,
    /// Memory.
    pub memory_bytes: Option<u64>,
    /// Power limit in watts.
    pub power_limit_w: Option<f64>,
    /// MIG profiles in use, where it is cut.
    pub mig: Option<Vec<String>>,
}

/// Whoever can list boards: a driver's library, or a test.
pub trait Boards {
    /// All boards.
    fn list(&self) -> Vec<Board>;
}

/// Names under which the library stands.
const NAMES: &[&str] = &["libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"];
pub(super) const SUCCESS: c_int = 0;
/// More boards than these no machine has.
const LIMIT: c_uint = 64;
const TEXT: usize = 96;

/// The library, initialised.
pub struct Library(libloading::Library);

/// An opaque handle of a device.
pub(super) type Handle = *mut c_void;

/// `nvmlMemory_t`.
#[repr(C)]
#[derive(Default)]
pub(super) struct Memory {
    pub total: c_ulonglong,
    pub free: c_ulonglong,
    pub used: c_ulonglong,
}

/// `nvmlPciInfo_t` of version 3.
#[repr(C)]
#[expect(clippy::struct_field_names, reason = "the names are the header's")]
struct Pci {
    legacy: [c_char; 16],
    domain: c_uint,
    bus: c_uint,
    device: c_uint,
    pci_device_id: c_uint,
    pci_subsystem_id: c_uint,
    bus_id: [c_char; 32],
}

impl Library {
    /// Loads and initialises it; `None` where it is absent or refuses.
    pub fn open() -> Option<Self> {
        // SAFETY: loading runs the initialisers of the driver's own library, which every program on a GPU does.
        let library = NAMES.iter().find_map(|name| unsafe { libloading::Library::new(name) }.ok())?;
        let this = Self(library);
        // SAFETY: the signature is nvml.h's.
        let init: Symbol<'_, unsafe extern "C" fn() -> c_int> =
            unsafe { this.0.get(b"nvmlInit_v2\0") }.ok()?;
        // SAFETY: takes nothing.
        (unsafe { init() } == SUCCESS).then_some(())?;
        Some(this)
    }

    /// A function of type `T`, which the caller takes from nvml.h.
    pub(super) fn function<T>(&self, name: &[u8]) -> Option<Symbol<'_, T>> {
        // SAFETY: the caller gives the signature that nvml.h states for the name.
        unsafe { self.0.get(name) }.ok()
    }

    pub(super) fn count(&self) -> c_uint {
        let mut count = 0;
        let get = self.function::<unsafe extern "C" fn(*mut c_uint) -> c_int>(b"nvmlDeviceGetCount_v2\0");
        // SAFETY: writes one number.
        let done = get.is_some_and(|get| unsafe { get(&raw mut count) } == SUCCESS);
        if done { count.min(LIMIT) } else { 0 }
    }

    pub(super) fn handle(&self, index: c_uint) -> Option<Handle> {
        let mut handle: Handle = std::ptr::null_mut();
        let get = self.function::<unsafe extern "C" fn(c_uint, *mut Handle) -> c_int>(
            b"nvmlDeviceGetHandleByIndex_v2\0",
        )?;
        // SAFETY: writes one handle.
        (unsafe { get(index, &raw mut handle) } == SUCCESS && !handle.is_null()).then_some(handle)
    }

    pub(super) fn name(&self, handle: Handle) -> Option<String> {
        let mut text: [c_char; TEXT] = [0; TEXT];
        let get = self
            .function::<unsafe extern "C" fn(Handle, *mut c_char, c_uint) -> c_int>(b"nvmlDeviceGetName\0")?;
        // SAFETY: writes at most the length that it is told, and the buffer's last byte stays zero.
        let done = unsafe { get(handle, text.as_mut_ptr(), TEXT as c_uint - 1) } == SUCCESS;
        done.then(|| words(&text)).flatten()
    }

    pub(super) fn number<T: Default>(&self, symbol: &[u8], handle: Handle) -> Option<T> {
        let mut value = T::default();
        let get = self.function::<unsafe extern "C" fn(Handle, *mut T) -> c_int>(symbol)?;
        // SAFETY: writes one value of the type that nvml.h states for the symbol.
        (unsafe { get(handle, &raw mut value) } == SUCCESS).then_some(value)
    }

    fn pci(&self, handle: Handle) -> Option<Pci> {
        let mut pci = Pci {
            legacy: [0; 16],
            domain: 0,
            bus: 0,
            device: 0,
            pci_device_id: 0,
            pci_subsystem_id: 0,
            bus_id: [0; 32],
        };
        let get =
            self.function::<unsafe extern "C" fn(Handle, *mut Pci) -> c_int>(b"nvmlDeviceGetPciInfo_v3\0")?;
        // SAFETY: writes one structure of this layout.
        (unsafe { get(handle, &raw mut pci) } == SUCCESS).then_some(pci)
    }

    /// Names of MIG slices, `NVIDIA H100 80GB HBM3 MIG 1g.10gb` each.
    fn slices(&self, handle: Handle) -> Option<Vec<String>> {
        let (mut current, mut pending): (c_uint, c_uint) = (0, 0);
        let mode = self.function::<unsafe extern "C" fn(Handle, *mut c_uint, *mut c_uint) -> c_int>(
            b"nvmlDeviceGetMigMode\0",
        )?;
        // SAFETY: writes two numbers.
        let known = unsafe { mode(handle, &raw mut current, &raw mut pending) } == SUCCESS;
        if !known || current == 0 {
            return None;
        }
        let most = self.number::<c_uint>(b"nvmlDeviceGetMaxMigDeviceCount\0", handle)?.min(LIMIT);
        let get = self.function::<unsafe extern "C" fn(Handle, c_uint, *mut Handle) -> c_int>(
            b"nvmlDeviceGetMigDeviceHandleByIndex\0",
        )?;
        let slices = (0..most).filter_map(|index| {
            let mut slice: Handle = std::ptr::null_mut();
            // SAFETY: writes one handle.
            let found = unsafe { get(handle, index, &raw mut slice) } == SUCCESS && !slice.is_null();
            let name = found.then(|| self.name(slice)).flatten()?;
            Some(name.split_once(" MIG ")?.1.to_owned())
        });
        Some(slices.collect())
    }
}

impl Boards for Library {
    fn list(&self) -> Vec<Board> {
        let handles = (0..self.count()).filter_map(|index| self.handle(index));
        let board = |handle: Handle| {
            let pci = self.pci(handle);
            Board {
                name: self.name(handle),
                address: pci.as_ref().and_then(|pci| words(&pci.bus_id)),
                pci_id: pci
                    .map(|pci| format!("{:04x}:{:04x}", pci.pci_device_id & 0xffff, pci.pci_device_id >> 16)),
                memory_bytes: self
                    .number::<Memory>(b"nvmlDeviceGetMemoryInfo\0", handle)
                    .map(|memory| memory.total)
                    .filter(|&bytes| bytes > 0),
                power_limit_w: self
                    .number::<c_uint>(b"nvmlDeviceGetEnforcedPowerLimit\0", handle)
                    .filter(|&milliwatts| milliwatts > 0)
                    .map(|milliwatts| f64::from(milliwatts) / 1e3),
                mig: self.slices(handle),
            }
        };
        handles.map(board).collect()
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        if let Some(shutdown) = self.function::<unsafe extern "C" fn() -> c_int>(b"nvmlShutdown\0") {
            // SAFETY: takes nothing; the library was initialised by `open`.
            unsafe { shutdown() };
        }
    }
}

/// A C text that ends within its buffer.
fn words(buffer: &[c_char]) -> Option<String> {
    let bytes: Vec<u8> = buffer.iter().map(|c| c.to_ne_bytes()[0]).collect();
    let text = CStr::from_bytes_until_nul(&bytes).ok()?.to_string_lossy().trim().to_owned();
    (!text.is_empty()).then_some(text)
}
