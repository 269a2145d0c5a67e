//! Newest host compiler of each nvcc: `nvcc_host_compilers.csv`.

use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Row {
    cuda: String,
    gcc_max: Option<u32>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| super::rows("nvcc_host_compilers.csv"));

/// The newest major version of gcc that an nvcc accepts.
pub fn newest_gcc(nvcc: &str) -> Option<u32> {
    ROWS.iter().find(|row| row.cuda == nvcc)?.gcc_max
}

/// The oldest CUDA of the table that accepts a major version of gcc.
pub fn first_cuda_for_gcc(gcc: u32) -> Option<&'static str> {
    let accepts = ROWS.iter().filter(|row| row.gcc_max.is_some_and(|most| most >= gcc));
    accepts
        .min_by(|a, b| maat_readings::stack::versions::compare(&a.cuda, &b.cuda))
        .map(|row| row.cuda.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert_eq!(newest_gcc("12.1"), Some(12));
        assert_eq!(first_cuda_for_gcc(13), Some("12.4"));
        assert_eq!(newest_gcc("13.2"), None, "not found in any source");
    }
}
