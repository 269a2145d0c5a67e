//! The innermost kernels, one for each type and instruction set, chosen by what the processor says at run time.
//!
//! A kernel takes a packed panel of the left matrix (`rows` words a step), one of the right (`columns` words a step) and
//! a tile of the result (`rows` x `columns` words), to which it adds.
#![expect(unsafe_code, reason = "vector instructions, each behind a check of the processor")]

/// Adds the product of two packed panels to a tile.
type Run = fn(&[u32], &[u32], &mut [u32]);

/// A kernel.
pub(super) struct Kernel {
    /// Number type.
    pub number: &'static str,
    /// Its instructions.
    pub name: &'static str,
    /// Rows of a tile.
    pub rows: usize,
    /// Columns of a tile.
    pub columns: usize,
    /// Numbers in a word.
    pub per_word: usize,
    /// Words of depth of the left matrix that lie behind each other for a row: 1 for all rows of a step together.
    pub left_steps: usize,
    /// What is done before and after a product, on the thread that does it.
    pub begin: Option<fn()>,
    /// What is done after it.
    pub end: Option<fn()>,
    /// The code.
    pub run: Run,
}

/// Words of depth that a tile of AMX holds.
#[cfg(target_arch = "x86_64")]
pub(super) const TILE_STEPS: usize = 16;

impl Kernel {
    /// A kernel of 4 x 16 words that needs nothing before it.
    pub(super) const fn plain(number: &'static str, name: &'static str, per_word: usize, run: Run) -> Self {
        Self { number, name, rows: 4, columns: 16, per_word, left_steps: 1, begin: None, end: None, run }
    }

    /// Where a word of the left panel lies, by row and step.
    pub(super) const fn left_at(&self, row: usize, step: usize) -> usize {
        step / self.left_steps * self.rows * self.left_steps + row * self.left_steps + step % self.left_steps
    }

    /// Whether a small product comes out as the sum of its products says. A kernel that does not is not measured.
    pub(super) fn is_right(&self) -> bool {
        const STEPS: usize = 32;
        let left_of = |row: usize, step: usize| ((row * 5 + step * 3) % 7) as u8;
        let right_of = |step: usize, column: usize| ((step * 2 + column * 3) % 5) as u8;
        let (mut left, mut right) = (vec![0; self.rows * STEPS], vec![0; self.columns * STEPS]);
        for step in 0..STEPS {
            for row in 0..self.rows {
                left[self.left_at(row, step)] = self.word(left_of(row, step));
            }
            for column in 0..self.columns {
                right[step * self.columns + column] = self.word(right_of(step, column));
            }
        }
        let mut out = vec![0; self.rows * self.columns];
        self.begin.inspect(|begin| begin());
        (self.run)(&left, &right, &mut out);
        self.end.inspect(|end| end());
        out.iter().enumerate().all(|(i, got)| {
            let (row, column) = (i / self.columns, i % self.columns);
            let sum: usize = (0..STEPS)
                .map(|step| usize::from(left_of(row, step)) * usize::from(right_of(step, column)))
                .sum();
            self.number_of(*got) == (sum * self.per_word) as f64
        })
    }

    /// A small number in all places of a word.
    pub(super) fn word(&self, small: u8) -> u32 {
        let bits = f32::from(small).to_bits();
        match self.number {
            "fp32" => bits,
            // The upper half of an FP32 number is the same in BF16, exactly for numbers this small.
            "bf16" => bits & 0xffff_0000 | bits >> 16,
            _ => u32::from_le_bytes([small; 4]),
        }
    }

    /// The number in a word of the result.
    pub(super) fn number_of(&self, word: u32) -> f64 {
        if self.number == "int8" { f64::from(word.cast_signed()) } else { f64::from(f32::from_bits(word)) }
    }
}

/// The fastest kernel of each type that this processor has, of those that are right.
pub(super) fn kernels() -> Vec<Kernel> {
    let mut found: Vec<Kernel> = Vec::new();
    for kernel in candidates() {
        if found.iter().all(|known| known.number != kernel.number) && kernel.is_right() {
            found.push(kernel);
        }
    }
    found
}

/// All kernels that this processor can run, the fastest first.
pub(super) fn candidates() -> Vec<Kernel> {
    let mut all = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        all.extend(super::amx::available());
        all.extend(x86::available());
    }
    all.push(Kernel::plain("fp32", "portable", 1, portable_fp32));
    all.push(Kernel::plain("int8", "portable", 4, portable_int8));
    all
}

/// What the compiler makes of plain code: NEON on Arm, SSE2 on x86.
fn portable_fp32(left: &[u32], right: &[u32], out: &mut [u32]) {
    let mut sums = [[0.0_f32; 16]; 4];
    for (l, r) in left.chunks_exact(4).zip(right.chunks_exact(16)) {
        for (sums, l) in sums.iter_mut().zip(l) {
            let l = f32::from_bits(*l);
            for (sum, r) in sums.iter_mut().zip(r) {
                let r = f32::from_bits(*r);
                // Fused where that is one instruction; elsewhere it would be a call.
                *sum = if cfg!(target_arch = "aarch64") { l.mul_add(r, *sum) } else { l * r + *sum };
            }
        }
    }
    for (out, sum) in out.iter_mut().zip(sums.as_flattened()) {
        *out = (f32::from_bits(*out) + sum).to_bits();
    }
}

fn portable_int8(left: &[u32], right: &[u32], out: &mut [u32]) {
    let mut sums = [[0_i32; 16]; 4];
    for (l, r) in left.chunks_exact(4).zip(right.chunks_exact(16)) {
        for (sums, l) in sums.iter_mut().zip(l) {
            let l = l.to_le_bytes();
            for (sum, r) in sums.iter_mut().zip(r) {
                let r = r.to_le_bytes();
                for (l, r) in l.iter().zip(r) {
                    *sum += i32::from(*l) * i32::from(r.cast_signed());
                }
            }
        }
    }
    for (out, sum) in out.iter_mut().zip(sums.as_flattened()) {
        *out = out.wrapping_add(sum.cast_unsigned());
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #[allow(
        clippy::wildcard_imports,
        reason = "intrinsics have names of their own; builds for tests do not complain"
    )]
    use std::arch::x86_64::*;

    use super::Kernel;

    /// A 512-bit kernel of 12 x 32 words: 24 sums, two registers of the right matrix, one of the left.
    macro_rules! wide {
        ($name:ident, $inner:ident, $features:literal, $zero:expr, $sum:ty, $step:expr, $add:expr) => {
            fn $name(left: &[u32], right: &[u32], out: &mut [u32]) {
                assert!(left.len() / 12 == right.len() / 32 && out.len() == 12 * 32);
                // SAFETY: the kernel is only listed where the processor has the features; lengths are checked above.
                unsafe { $inner(left, right, out) }
            }

            #[target_feature(enable = $features)]
            unsafe fn $inner(left: &[u32], right: &[u32], out: &mut [u32]) {
                let mut sums: [[$sum; 2]; 12] = [[$zero; 2]; 12];
                for (l, r) in left.chunks_exact(12).zip(right.chunks_exact(32)) {
                    // SAFETY: 32 words are two registers.
                    let (first, second) = unsafe {
                        (_mm512_loadu_si512(r.as_ptr().cast()), _mm512_loadu_si512(r.as_ptr().add(16).cast()))
                    };
                    for (sums, l) in sums.iter_mut().zip(l) {
                        let l = _mm512_set1_epi32(l.cast_signed());
                        sums[0] = $step(sums[0], l, first);
                        sums[1] = $step(sums[1], l, second);
                    }
                }
                for (out, sum) in out.chunks_exact_mut(16).zip(sums.as_flattened()) {
                    // SAFETY: 16 words are one register.
                    unsafe {
                        let before = _mm512_loadu_si512(out.as_ptr().cast());
                        _mm512_storeu_si512(out.as_mut_ptr().cast(), $add(before, *sum));
                    }
                }
            }
        };
    }

    /// A 256-bit kernel of 6 x 16 words: 12 sums, two registers of the right matrix, one of the left.
    macro_rules! narrow {
        ($name:ident, $inner:ident, $features:literal, $zero:expr, $sum:ty, $step:expr, $add:expr) => {
            fn $name(left: &[u32], right: &[u32], out: &mut [u32]) {
                assert!(left.len() / 6 == right.len() / 16 && out.len() == 6 * 16);
                // SAFETY: the kernel is only listed where the processor has the features; lengths are checked above.
                unsafe { $inner(left, right, out) }
            }

            #[target_feature(enable = $features)]
            unsafe fn $inner(left: &[u32], right: &[u32], out: &mut [u32]) {
                let mut sums: [[$sum; 2]; 6] = [[$zero; 2]; 6];
                for (l, r) in left.chunks_exact(6).zip(right.chunks_exact(16)) {
                    // SAFETY: 16 words are two registers.
                    let (first, second) = unsafe {
                        (_mm256_loadu_si256(r.as_ptr().cast()), _mm256_loadu_si256(r.as_ptr().add(8).cast()))
                    };
                    for (sums, l) in sums.iter_mut().zip(l) {
                        let l = _mm256_set1_epi32(l.cast_signed());
                        sums[0] = $step(sums[0], l, first);
                        sums[1] = $step(sums[1], l, second);
                    }
                }
                for (out, sum) in out.chunks_exact_mut(8).zip(sums.as_flattened()) {
                    // SAFETY: 8 words are one register.
                    unsafe {
                        let before = _mm256_loadu_si256(out.as_ptr().cast());
                        _mm256_storeu_si256(out.as_mut_ptr().cast(), $add(before, *sum));
                    }
                }
            }
        };
    }

    wide!(
        fp32_avx512,
        fp32_avx512_inner,
        "avx512f",
        _mm512_setzero_ps(),
        __m512,
        |sum, l, r| _mm512_fmadd_ps(_mm512_castsi512_ps(l), _mm512_castsi512_ps(r), sum),
        |before, sum| _mm512_castps_si512(_mm512_add_ps(_mm512_castsi512_ps(before), sum))
    );
    wide!(
        int8_vnni,
        int8_vnni_inner,
        "avx512f,avx512vnni",
        _mm512_setzero_si512(),
        __m512i,
        |sum, l, r| _mm512_dpbusd_epi32(sum, l, r),
        |before, sum| _mm512_add_epi32(before, sum)
    );
    narrow!(
        fp32_avx2,
        fp32_avx2_inner,
        "avx2,fma",
        _mm256_setzero_ps(),
        __m256,
        |sum, l, r| _mm256_fmadd_ps(_mm256_castsi256_ps(l), _mm256_castsi256_ps(r), sum),
        |before, sum| _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(before), sum))
    );
    narrow!(
        int8_avx_vnni,
        int8_avx_vnni_inner,
        "avx2,avxvnni",
        _mm256_setzero_si256(),
        __m256i,
        |sum, l, r| _mm256_dpbusd_avx_epi32(sum, l, r),
        |before, sum| _mm256_add_epi32(before, sum)
    );
    narrow!(
        int8_avx2,
        int8_avx2_inner,
        "avx2",
        _mm256_setzero_si256(),
        __m256i,
        // Pairs of products in 16 bits, then pairs of these in 32, as libraries without VNNI do.
        |sum, l, r| _mm256_add_epi32(
            sum,
            _mm256_madd_epi16(_mm256_maddubs_epi16(l, r), _mm256_set1_epi16(1))
        ),
        |before, sum| _mm256_add_epi32(before, sum)
    );

    /// BF16 by AVX512-BF16: the type of its registers has no conversion to integers that is stable, so it is written as
    /// an instruction.
    #[target_feature(enable = "avx512f")]
    fn dot_bf16(mut sum: __m512, l: __m512i, r: __m512i) -> __m512 {
        // SAFETY: the instruction reads and writes registers only; the kernel is listed where the processor has it.
        unsafe {
            std::arch::asm!(
                "vdpbf16ps {sum}, {l}, {r}",
                sum = inout(zmm_reg) sum,
                l = in(zmm_reg) l,
                r = in(zmm_reg) r,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        sum
    }
    wide!(
        bf16_avx512,
        bf16_avx512_inner,
        "avx512f",
        _mm512_setzero_ps(),
        __m512,
        |sum, l, r| dot_bf16(sum, l, r),
        |before, sum| _mm512_castps_si512(_mm512_add_ps(_mm512_castsi512_ps(before), sum))
    );

    /// The kernels of this processor, the fastest of each type first.
    pub(super) fn available() -> Vec<Kernel> {
        let sized = |rows, columns| {
            move |number, name, per_word, run| Kernel {
                rows,
                columns,
                ..Kernel::plain(number, name, per_word, run)
            }
        };
        let (wide, narrow) = (sized(12, 32), sized(6, 16));
        let mut all = Vec::new();
        if is_x86_feature_detected!("avx512f") {
            all.push(wide("fp32", "AVX-512", 1, fp32_avx512));
            if is_x86_feature_detected!("avx512bf16") {
                all.push(wide("bf16", "AVX512-BF16", 2, bf16_avx512));
            }
            if is_x86_feature_detected!("avx512vnni") {
                all.push(wide("int8", "AVX512-VNNI", 4, int8_vnni));
            }
        }
        if is_x86_feature_detected!("avx2") {
            if is_x86_feature_detected!("fma") {
                all.push(narrow("fp32", "AVX2", 1, fp32_avx2));
            }
            if is_x86_feature_detected!("avxvnni") {
                all.push(narrow("int8", "AVX-VNNI", 4, int8_avx_vnni));
            }
            all.push(narrow("int8", "AVX2", 4, int8_avx2));
        }
        all
    }
}
