//! Products by AMX: tiles of 16 rows of 64 bytes, four sums of 16 x 16 words at once (Intel 64 and IA-32 Architectures
//! Software Developer's Manual, volume 1, chapter 18).
//!
//! The instructions are written as such, as the intrinsics are not stable. They run only where the processor states
//! them, the system keeps tiles (XCR0), and Linux has granted this process their use.
#![expect(unsafe_code, reason = "tile instructions, each behind a check of processor and system")]

use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count};

use super::kernels::{Kernel, TILE_STEPS};

/// Rows and columns of the result that a kernel works on.
const SIDE: usize = 32;
/// Bytes between rows of the right matrix and of the result: 32 words.
const STRIDE: usize = SIDE * 4;
/// Bytes of a row of a tile, and between rows of the packed left matrix.
const ROW: usize = 64;

/// Palette 1 with eight tiles of 16 rows of 64 bytes (manual, table 18-1).
#[repr(C, align(64))]
struct Configuration([u8; 64]);

static CONFIGURATION: Configuration = {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        bytes[16 + 2 * tile] = ROW as u8;
        bytes[48 + tile] = 16;
        tile += 1;
    }
    Configuration(bytes)
};

/// The kernels that processor and system allow.
pub(super) fn available() -> Vec<Kernel> {
    let [bf16, int8] = stated();
    if !(bf16 || int8) || !kept_by_system() || !granted() {
        return Vec::new();
    }
    let kernel = |number, name, per_word, run| Kernel {
        rows: SIDE,
        columns: SIDE,
        left_steps: TILE_STEPS,
        begin: Some(configure),
        end: Some(release),
        ..Kernel::plain(number, name, per_word, run)
    };
    let of_bf16 = bf16.then(|| kernel("bf16", "AMX-BF16", 2, run_bf16));
    let of_int8 = int8.then(|| kernel("int8", "AMX-INT8", 4, run_int8));
    of_bf16.into_iter().chain(of_int8).collect()
}

/// Whether the processor states BF16 and INT8 tiles: leaf 7, EDX bits 22, 24 (tiles themselves) and 25.
fn stated() -> [bool; 2] {
    if __cpuid(0).eax < 7 {
        return [false; 2];
    }
    let edx = __cpuid_count(7, 0).edx;
    let bit = |n: u32| edx >> n & 1 == 1;
    [bit(24) && bit(22), bit(24) && bit(25)]
}

/// Whether the system keeps tiles over a change of tasks: XCR0 bits 17 and 18.
fn kept_by_system() -> bool {
    // OSXSAVE: without it the register cannot be read.
    if __cpuid(1).ecx >> 27 & 1 == 0 {
        return false;
    }
    let low: u32;
    // SAFETY: reads a register that the bit above says is readable.
    unsafe { asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _, options(nomem, nostack)) };
    low >> 17 & 3 == 3
}

/// Asks Linux for tiles: `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)` of its Documentation/arch/x86/xstate.rst.
/// It is granted to the whole process, and refused where a stack for signals is too small.
#[cfg(target_os = "linux")]
fn granted() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let result: i64;
    // SAFETY: a system call that changes nothing but what the process may use.
    unsafe {
        asm!(
            "syscall",
            inout("rax") ARCH_PRCTL => result,
            in("rdi") REQUEST,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn granted() -> bool {
    false
}

/// Sets the shapes of this thread's tiles.
fn configure() {
    // SAFETY: only reached through a listed kernel; 64 bytes in the layout that the instruction reads.
    unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const CONFIGURATION, options(nostack, readonly)) };
}

/// Gives the tiles back, so that the system need not keep them.
fn release() {
    // SAFETY: only reached through a listed kernel.
    unsafe { asm!("tilerelease", options(nomem, nostack)) };
}

/// A kernel of one instruction: two tiles of the left matrix by two of the right one, for every 16 words of depth.
macro_rules! kernel {
    ($name:ident, $instruction:literal) => {
        fn $name(left: &[u32], right: &[u32], out: &mut [u32]) {
            let steps = left.len() / (SIDE * TILE_STEPS);
            assert!(steps > 0 && left.len() == right.len() && left.len() == steps * SIDE * TILE_STEPS);
            assert!(out.len() == SIDE * SIDE);
            // SAFETY: only listed where the instructions run, and run between `configure` and `release`. Each step
            // reads 2 KiB of both panels, which hold `steps` of them; the result holds four tiles.
            unsafe {
                asm!(
                    "tileloadd tmm0, [{out} + {stride}]",
                    "tileloadd tmm1, [{out} + {stride} + 64]",
                    "tileloadd tmm2, [{out} + {stride} + 2048]",
                    "tileloadd tmm3, [{out} + {stride} + 2112]",
                    "2:",
                    "tileloadd tmm6, [{right} + {stride}]",
                    "tileloadd tmm4, [{left} + {row}]",
                    "tileloadd tmm7, [{right} + {stride} + 64]",
                    "tileloadd tmm5, [{left} + {row} + 1024]",
                    concat!($instruction, " tmm0, tmm4, tmm6"),
                    concat!($instruction, " tmm1, tmm4, tmm7"),
                    concat!($instruction, " tmm2, tmm5, tmm6"),
                    concat!($instruction, " tmm3, tmm5, tmm7"),
                    "add {left}, 2048",
                    "add {right}, 2048",
                    "dec {steps}",
                    "jnz 2b",
                    "tilestored [{out} + {stride}], tmm0",
                    "tilestored [{out} + {stride} + 64], tmm1",
                    "tilestored [{out} + {stride} + 2048], tmm2",
                    "tilestored [{out} + {stride} + 2112], tmm3",
                    left = inout(reg) left.as_ptr() => _,
                    right = inout(reg) right.as_ptr() => _,
                    steps = inout(reg) steps => _,
                    out = in(reg) out.as_mut_ptr(),
                    stride = in(reg) STRIDE,
                    row = in(reg) ROW,
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                    out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                    options(nostack),
                );
            }
        }
    };
}

kernel!(run_bf16, "tdpbf16ps");
kernel!(run_int8, "tdpbusd");

#[cfg(test)]
mod tests {
    use super::*;

    /// What the tile instruction does, written out (manual, TDPBUSD): a word of the result takes four products of
    /// unsigned bytes of the left and signed bytes of the right.
    fn model(left: &[u32], right: &[u32], out: &mut [u32]) {
        let steps = left.len() / (SIDE * TILE_STEPS);
        for step in 0..steps {
            for (i, j, k) in (0..SIDE * SIDE * TILE_STEPS)
                .map(|n| (n / SIDE / TILE_STEPS, n / TILE_STEPS % SIDE, n % TILE_STEPS))
            {
                // Rows of 64 bytes, and after 16 of them the next tile: the kernel's offset of 1,024 bytes.
                let l = left[step * 512 + i / 16 * 256 + i % 16 * (ROW / 4) + k].to_le_bytes();
                // Rows of 128 bytes, the second tile 64 bytes on.
                let r = right[step * 512 + k * (STRIDE / 4) + j / 16 * 16 + j % 16].to_le_bytes();
                let sum: i32 = l.iter().zip(r).map(|(l, r)| i32::from(*l) * i32::from(r.cast_signed())).sum();
                let at = i / 16 * 512 + i % 16 * (STRIDE / 4) + j / 16 * 16 + j % 16;
                out[at] = out[at].wrapping_add(sum.cast_unsigned());
            }
        }
    }

    /// The packing and the offsets of the kernel give the product, whichever processor this is.
    #[test]
    fn tiles_lie_where_the_kernel_reads_them() {
        let kernel = Kernel {
            rows: SIDE,
            columns: SIDE,
            left_steps: TILE_STEPS,
            ..Kernel::plain("int8", "model", 4, model)
        };
        assert!(kernel.is_right());
    }

    /// A processor without AMX lists none of it; one with it is right by `products_are_right`.
    #[test]
    fn nothing_is_listed_that_is_not_stated() {
        let [bf16, int8] = stated();
        let listed = available();
        assert!(bf16 || listed.iter().all(|kernel| kernel.number != "bf16"));
        assert!(int8 || listed.iter().all(|kernel| kernel.number != "int8"));
    }
}
