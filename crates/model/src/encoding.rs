//! How numbers are stored.

use maat_base::Bytes;
use serde::Serialize;

/// Scales (or zero points) of a quantised matrix: one of so many bits for each block of `rows` x `cols` elements.
/// A started block has a whole scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Scale {
    /// Rows (outputs) of a block; 0 for all of them.
    pub rows: u64,
    /// Columns (inputs) of a block; 0 for all of them.
    pub cols: u64,
    /// Bits of one scale.
    pub bits: u64,
}

/// A storage format of weights or caches.
///
/// `bf16` has 16 bits an element; GGUF's `q8_0` packs rows in blocks of 32 elements of 272 bits; FP8 with 128 x 128
/// block scales has 8 bits an element and a 32-bit [`Scale`] for each block.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Encoding {
    /// Name as in the contract: `bf16`, `q4_K`, `nvfp4`.
    pub name: String,
    /// Elements of a row that are packed together, 1 for plain formats.
    pub block_elements: u64,
    /// Bits of such a block.
    pub block_bits: u64,
    /// Scales beside the elements.
    pub scales: Vec<Scale>,
}

impl Encoding {
    /// A format without blocks or scales.
    pub fn plain(name: &str, bits: u64) -> Self {
        Self { name: name.to_owned(), block_elements: 1, block_bits: bits, scales: Vec::new() }
    }

    /// Bytes of a matrix of `rows` x `cols` elements with its scales. A vector is one row.
    pub fn bytes(&self, rows: u64, cols: u64) -> Bytes {
        let row_bits = u128::from(cols.div_ceil(self.block_elements.max(1))) * u128::from(self.block_bits);
        let payload = row_bits.saturating_mul(u128::from(rows)).div_ceil(8);
        let scales: u128 = self.scales.iter().map(|scale| scale.bits_of(rows, cols).div_ceil(8)).sum();
        Bytes(u64::try_from(payload.saturating_add(scales)).unwrap_or(u64::MAX))
    }

    /// Mean bits of an element of a large matrix.
    pub fn bits_per_element(&self) -> f64 {
        let scales: f64 = self
            .scales
            .iter()
            .filter(|scale| scale.rows > 0 && scale.cols > 0)
            .map(|scale| scale.bits as f64 / (scale.rows as f64 * scale.cols as f64))
            .sum();
        self.block_bits as f64 / self.block_elements.max(1) as f64 + scales
    }
}

impl Scale {
    fn bits_of(self, rows: u64, cols: u64) -> u128 {
        let blocks = |n: u64, block: u64| u128::from(if block == 0 { 1 } else { n.div_ceil(block) });
        blocks(rows, self.rows) * blocks(cols, self.cols) * u128::from(self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DeepSeek-V3's `kv_a_proj_with_mqa`, 576 x 7168 in blocks of 128 x 128: 5 x 56 scales of 4 bytes.
    #[test]
    fn started_blocks_have_a_scale() {
        let fp8 =
            Encoding { scales: vec![Scale { rows: 128, cols: 128, bits: 32 }], ..Encoding::plain("fp8", 8) };
        assert_eq!(fp8.bytes(576, 7168), Bytes(576 * 7168 + 5 * 56 * 4));
    }

    /// GGML's q8_0: 32 int8 and one fp16 scale.
    #[test]
    fn blocks_lie_along_rows() {
        let q8_0 =
            Encoding { name: "q8_0".to_owned(), block_elements: 32, block_bits: 272, scales: Vec::new() };
        assert_eq!(q8_0.bytes(3, 64), Bytes(3 * 2 * 34));
        assert_eq!(q8_0.bits_per_element(), 8.5);
    }
}
