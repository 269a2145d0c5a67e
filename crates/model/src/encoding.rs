//! How numbers are stored.

use maat_base::Bytes;
use serde::Serialize;

/// A storage format of weights or caches: so many bits for a block of so many elements, scales and zero points
/// included. `bf16` is 16 bits for 1 element, `q8_0` 272 bits for 32, FP8 with 128 x 128 block scales 131,104 bits
/// for 16,384.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Encoding {
    /// Name as in the contract: `bf16`, `q4_K`, `nvfp4`.
    pub name: &'static str,
    /// Elements in a block.
    pub block_elements: u64,
    /// Bits of a block.
    pub block_bits: u64,
}

impl Encoding {
    /// IEEE single precision.
    pub const FP32: Self = Self::plain("fp32", 32);
    /// IEEE half precision.
    pub const FP16: Self = Self::plain("fp16", 16);
    /// bfloat16.
    pub const BF16: Self = Self::plain("bf16", 16);

    /// A format without blocks.
    pub const fn plain(name: &'static str, bits: u64) -> Self {
        Self { name, block_elements: 1, block_bits: bits }
    }

    /// Bytes of so many elements; a started block is a whole one.
    pub fn bytes(self, elements: u64) -> Bytes {
        let bits = u128::from(elements.div_ceil(self.block_elements)) * u128::from(self.block_bits);
        Bytes(u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX))
    }

    /// Mean bits of an element.
    pub fn bits_per_element(self) -> f64 {
        self.block_bits as f64 / self.block_elements as f64
    }
}
