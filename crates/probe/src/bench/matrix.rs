//! Products of matrices: every thread multiplies matrices of its own, packed in blocks that stay in its caches.
//!
//! A step along the inner dimension is one 32-bit word for every type: one FP32, two BF16 or four INT8 numbers. So
//! packing and blocks are the same for all, and only the innermost kernel differs.

use std::time::Duration;

use super::kernels::{Kernel, kernels};
use super::{Reading, TypeResult, team};

/// Words along the inner dimension of a block: a panel of the right matrix stays in the first cache.
const DEPTH: usize = 256;
/// Blocks along the inner dimension.
const BLOCKS: usize = 4;
/// Rows and columns, about: rounded to the kernel's.
const SIDE: usize = 480;

/// Matrices of one thread, packed.
struct Matrices {
    rows: usize,
    columns: usize,
    left: Vec<u32>,
    right: Vec<u32>,
    out: Vec<u32>,
}

/// All types that the processor multiplies.
pub(super) fn measure(threads: u32, budget: Duration) -> Vec<TypeResult> {
    let of = |kernel: &Kernel| {
        let flops_per_s = product(kernel, threads, budget)?;
        Some(TypeResult { number: kernel.number.to_owned(), kernel: kernel.name.to_owned(), flops_per_s })
    };
    kernels().iter().filter_map(of).collect()
}

/// The FP32 product once more.
pub(super) fn again(threads: u32, budget: Duration) -> Option<Reading> {
    let kernels = kernels();
    product(kernels.iter().find(|kernel| kernel.number == "fp32")?, threads, budget)
}

fn product(kernel: &Kernel, threads: u32, budget: Duration) -> Option<Reading> {
    let seconds = team::repeats(
        threads,
        budget,
        |_| Matrices::of(kernel, |index| ordinary(kernel, index)),
        |matrices| {
            matrices.out.fill(0);
            matrices.multiply(kernel);
        },
    );
    let (rows, columns) = sides(kernel);
    let multiplies = (rows * columns * DEPTH * BLOCKS) as f64 * kernel.per_word as f64;
    Reading::of(2.0 * multiplies * f64::from(threads), &seconds)
}

/// Numbers that differ: zeros would draw less power than any real work, and let clocks rise.
fn ordinary(kernel: &Kernel, index: usize) -> u32 {
    kernel.word((index.wrapping_mul(0x9e37_79b9) >> 16 & 0x3f) as u8)
}

fn sides(kernel: &Kernel) -> (usize, usize) {
    (SIDE.next_multiple_of(kernel.rows), SIDE.next_multiple_of(kernel.columns))
}

impl Matrices {
    /// Matrices whose words a function of the index gives, packed in panels of the kernel's rows and columns.
    fn of(kernel: &Kernel, word: impl Fn(usize) -> u32) -> Self {
        let (rows, columns) = sides(kernel);
        let fill = |length: usize| (0..length).map(&word).collect();
        Self {
            rows,
            columns,
            left: fill(rows * DEPTH * BLOCKS),
            right: fill(columns * DEPTH * BLOCKS),
            out: vec![0; rows * columns],
        }
    }

    /// Adds the product to `out`, tile by tile (Goto and van de Geijn, 2008): a panel of the right matrix stays in the
    /// first cache while the left block passes by from the second.
    fn multiply(&mut self, kernel: &Kernel) {
        kernel.begin.inspect(|begin| begin());
        for block in 0..BLOCKS {
            let left = &self.left[block * self.rows * DEPTH..][..self.rows * DEPTH];
            let right = &self.right[block * self.columns * DEPTH..][..self.columns * DEPTH];
            for (j, right) in right.chunks_exact(kernel.columns * DEPTH).enumerate() {
                for (i, left) in left.chunks_exact(kernel.rows * DEPTH).enumerate() {
                    let tile = (j * (self.rows / kernel.rows) + i) * kernel.rows * kernel.columns;
                    let out = &mut self.out[tile..][..kernel.rows * kernel.columns];
                    (kernel.run)(left, right, out);
                }
            }
        }
        kernel.end.inspect(|end| end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::kernels::candidates;

    /// Every kernel of this processor gives what the sum of products says, not only the fastest of each type.
    #[test]
    fn products_are_right() {
        assert!(kernels().iter().any(|kernel| kernel.number == "fp32"));
        for kernel in candidates() {
            assert!(kernel.is_right(), "{} {}", kernel.number, kernel.name);
            let mut matrices = Matrices::of(&kernel, |index| kernel.word((index % 3) as u8));
            matrices.multiply(&kernel);
            let (rows, columns) = sides(&kernel);
            for (i, j) in [(0, 0), (1, 3), (rows - 1, columns - 1)] {
                let mut expected = 0.0;
                for k in 0..DEPTH * BLOCKS {
                    let (block, k) = (k / DEPTH, k % DEPTH);
                    let panel = |side: usize, index: usize, tile: usize| {
                        block * side * DEPTH + index / tile * tile * DEPTH
                    };
                    let left = (panel(rows, i, kernel.rows) + kernel.left_at(i % kernel.rows, k)) % 3;
                    let right =
                        (panel(columns, j, kernel.columns) + k * kernel.columns + j % kernel.columns) % 3;
                    expected += (left * right * kernel.per_word) as f64;
                }
                let (ti, tj) = (i / kernel.rows, j / kernel.columns);
                let tile = (tj * (rows / kernel.rows) + ti) * kernel.rows * kernel.columns;
                let word = matrices.out[tile + i % kernel.rows * kernel.columns + j % kernel.columns];
                assert_eq!(kernel.number_of(word), expected, "{} {}", kernel.number, kernel.name);
            }
        }
    }
}
