//! GPUs, through the CUDA driver and cuBLAS, loaded when they are there. UNTESTED: no GPU was at hand when this was
//! written; what a call does not answer is left out.
#![expect(unsafe_code, reason = "C libraries that are loaded at run time")]

use std::ffi::{c_int, c_uint, c_void};
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// What a GPU did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GpuResult {
    /// Its number.
    pub device: u32,
    /// BF16 product with FP32 sums, operations per second.
    pub bf16_flops_per_s: Option<f64>,
    /// Copying within its memory, bytes read and written per second.
    pub copy_bytes_per_s: Option<f64>,
    /// From the host's pageable memory.
    pub from_host_bytes_per_s: Option<f64>,
    /// From the next GPU.
    pub from_peer_bytes_per_s: Option<f64>,
    /// Whether this measurement has ever been tried on hardware of its kind.
    pub tested: bool,
}

/// Whoever can measure accelerators.
pub trait Accelerated {
    /// Measures all of them; none where there are none.
    fn measure(&self) -> Vec<GpuResult>;
}

/// CUDA's driver and cuBLAS.
pub struct Cuda {
    driver: libloading::Library,
    blas: Option<libloading::Library>,
}

/// Bytes that are copied.
const COPY: usize = 256 << 20;
/// Side of the product.
const SIDE: c_int = 8192;
const REPEATS: u32 = 10;

type Pointer = u64;

impl Cuda {
    /// Loads the libraries; `None` without a driver that starts.
    pub fn open() -> Option<Self> {
        let load = |names: &[&str]| {
            // SAFETY: these are the maker's libraries, which every program on a GPU loads.
            names.iter().find_map(|name| unsafe { libloading::Library::new(name) }.ok())
        };
        let driver = load(&["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"])?;
        let blas = load(&["libcublas.so.13", "libcublas.so.12", "libcublas.so.11"]);
        let this = Self { driver, blas };
        // SAFETY: cuInit(0) of cuda.h.
        let done = unsafe { this.driver.get::<unsafe extern "C" fn(c_uint) -> c_int>(b"cuInit\0").ok()?(0) };
        (done == 0).then_some(this)
    }

    fn call<T: Copy>(&self, name: &[u8]) -> Option<T> {
        // SAFETY: callers give the signature of cuda.h.
        unsafe { self.driver.get::<T>(name) }.ok().map(|symbol| *symbol)
    }

    fn allocate(&self, bytes: usize) -> Option<Pointer> {
        let mut pointer = 0;
        let get: unsafe extern "C" fn(*mut Pointer, usize) -> c_int = self.call(b"cuMemAlloc_v2\0")?;
        // SAFETY: writes one address.
        (unsafe { get(&raw mut pointer, bytes) } == 0).then_some(pointer)
    }

    fn free(&self, pointers: &[Pointer]) {
        if let Some(free) = self.call::<unsafe extern "C" fn(Pointer) -> c_int>(b"cuMemFree_v2\0") {
            for pointer in pointers {
                // SAFETY: the pointers came from `allocate`.
                unsafe { free(*pointer) };
            }
        }
    }

    fn wait(&self) -> Option<()> {
        let wait: unsafe extern "C" fn() -> c_int = self.call(b"cuCtxSynchronize\0")?;
        // SAFETY: takes nothing.
        (unsafe { wait() } == 0).then_some(())
    }

    /// Seconds of one call, the mean of several after a first.
    fn seconds(&self, mut work: impl FnMut() -> c_int) -> Option<f64> {
        (work() == 0).then_some(())?;
        self.wait()?;
        let start = Instant::now();
        for _ in 0..REPEATS {
            (work() == 0).then_some(())?;
        }
        self.wait()?;
        Some(start.elapsed().as_secs_f64() / f64::from(REPEATS))
    }

    fn use_device(&self, device: u32) -> Option<()> {
        let (mut handle, mut context): (c_int, *mut c_void) = (0, std::ptr::null_mut());
        let get: unsafe extern "C" fn(*mut c_int, c_int) -> c_int = self.call(b"cuDeviceGet\0")?;
        let retain: unsafe extern "C" fn(*mut *mut c_void, c_int) -> c_int =
            self.call(b"cuDevicePrimaryCtxRetain\0")?;
        let set: unsafe extern "C" fn(*mut c_void) -> c_int = self.call(b"cuCtxSetCurrent\0")?;
        // SAFETY: each writes one handle, and the last takes what the second gave.
        let done = unsafe {
            get(&raw mut handle, c_int::try_from(device).unwrap_or(c_int::MAX)) == 0
                && retain(&raw mut context, handle) == 0
                && set(context) == 0
        };
        done.then_some(())
    }

    fn copies(&self, result: &mut GpuResult) -> Option<()> {
        let (to, from) = (self.allocate(COPY)?, self.allocate(COPY)?);
        let inside: unsafe extern "C" fn(Pointer, Pointer, usize) -> c_int =
            self.call(b"cuMemcpyDtoD_v2\0")?;
        let host: unsafe extern "C" fn(Pointer, *const c_void, usize) -> c_int =
            self.call(b"cuMemcpyHtoD_v2\0")?;
        let bytes = vec![1_u8; COPY];
        // SAFETY: both ends hold so many bytes.
        let seconds = self.seconds(|| unsafe { inside(to, from, COPY) });
        result.copy_bytes_per_s = seconds.map(|s| 2.0 * COPY as f64 / s);
        // SAFETY: both ends hold so many bytes.
        let seconds = self.seconds(|| unsafe { host(to, bytes.as_ptr().cast(), COPY) });
        result.from_host_bytes_per_s = seconds.map(|s| COPY as f64 / s);
        self.free(&[to, from]);
        Some(())
    }

    fn product(&self) -> Option<f64> {
        type Gemm = unsafe extern "C" fn(
            *mut c_void,
            c_int,
            c_int,
            c_int,
            c_int,
            c_int,
            *const f32,
            *const c_void,
            c_int,
            c_int,
            *const c_void,
            c_int,
            c_int,
            *const f32,
            *mut c_void,
            c_int,
            c_int,
            c_int,
            c_int,
        ) -> c_int;
        // CUDA_R_16BF, CUBLAS_COMPUTE_32F and CUBLAS_GEMM_DEFAULT of the headers.
        const BF16: c_int = 14;
        const COMPUTE: c_int = 68;
        const DEFAULT: c_int = -1;
        let blas = self.blas.as_ref()?;
        let mut handle: *mut c_void = std::ptr::null_mut();
        // SAFETY: signatures of cublas_api.h.
        let (create, gemm) = unsafe {
            (
                *blas.get::<unsafe extern "C" fn(*mut *mut c_void) -> c_int>(b"cublasCreate_v2\0").ok()?,
                *blas.get::<Gemm>(b"cublasGemmEx\0").ok()?,
            )
        };
        // SAFETY: writes one handle.
        (unsafe { create(&raw mut handle) } == 0).then_some(())?;
        let bytes = SIDE as usize * SIDE as usize * 2;
        let (a, b, c) = (self.allocate(bytes)?, self.allocate(bytes)?, self.allocate(bytes)?);
        let (one, zero) = (1.0_f32, 0.0_f32);
        let at = |pointer: Pointer| pointer as *mut c_void;
        // SAFETY: three square matrices of this side in BF16.
        let seconds = self.seconds(|| unsafe {
            gemm(
                handle,
                0,
                0,
                SIDE,
                SIDE,
                SIDE,
                &raw const one,
                at(a),
                BF16,
                SIDE,
                at(b),
                BF16,
                SIDE,
                &raw const zero,
                at(c),
                BF16,
                SIDE,
                COMPUTE,
                DEFAULT,
            )
        });
        self.free(&[a, b, c]);
        Some(2.0 * f64::from(SIDE).powi(3) / seconds?)
    }

    /// From another device's memory to this one's.
    fn peer(&self, device: u32, other: u32) -> Option<f64> {
        self.use_device(other)?;
        let from = self.allocate(COPY)?;
        self.use_device(device)?;
        let to = self.allocate(COPY)?;
        // Without a context's own copy call the driver finds the devices by the addresses.
        let copy: unsafe extern "C" fn(Pointer, Pointer, usize) -> c_int = self.call(b"cuMemcpy\0")?;
        // SAFETY: both ends hold so many bytes.
        let seconds = self.seconds(|| unsafe { copy(to, from, COPY) });
        self.free(&[to, from]);
        seconds.map(|s| COPY as f64 / s)
    }
}

impl Accelerated for Cuda {
    fn measure(&self) -> Vec<GpuResult> {
        let mut count: c_int = 0;
        let Some(get) = self.call::<unsafe extern "C" fn(*mut c_int) -> c_int>(b"cuDeviceGetCount\0") else {
            return Vec::new();
        };
        // SAFETY: writes one number.
        if unsafe { get(&raw mut count) } != 0 {
            return Vec::new();
        }
        let count = u32::try_from(count).unwrap_or(0).min(64);
        let device = |device: u32| {
            let mut result = GpuResult { device, ..GpuResult::default() };
            self.use_device(device)?;
            self.copies(&mut result);
            result.bf16_flops_per_s = self.product();
            if count > 1 {
                result.from_peer_bytes_per_s = self.peer(device, (device + 1) % count);
            }
            Some(result)
        };
        (0..count).filter_map(device).collect()
    }
}
