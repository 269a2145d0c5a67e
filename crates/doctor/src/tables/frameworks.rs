//! What frameworks are built for and pin: `frameworks_pypi.csv`, `frameworks.toml` and `torch_pypi_linux_x86_64.csv`.

use std::sync::LazyLock;

use maat_readings::stack::versions;
use serde::Deserialize;

/// A version of a package with its pins.
#[derive(Debug, Deserialize)]
pub struct Pinned {
    /// The package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// The PyTorch it pins: exact (`2.8.0`) or a range (`<3,>=2.2`); empty when it pins none.
    pub torch_pin: String,
}

#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    need: Vec<Need>,
}

/// What a range of versions of a package needs.
#[derive(Debug, Deserialize)]
pub struct Need {
    /// The package.
    pub name: String,
    /// The range, as in `>=0.5.5,<0.20`; absent for all.
    pub versions: Option<String>,
    /// The CUDA version that its wheel is built for.
    pub wheel_cuda: Option<String>,
    /// The cuDNN major that it needs.
    pub cudnn_major: Option<u64>,
}

/// Pins of PyTorch's own wheels.
#[derive(Debug, Deserialize)]
pub struct TorchPins {
    /// The version.
    pub torch: String,
    /// NCCL's version.
    pub nccl: String,
    /// cuDNN's version.
    pub cudnn: String,
}

static PINS: LazyLock<Vec<Pinned>> = LazyLock::new(|| super::rows("frameworks_pypi.csv"));
static NEEDS: LazyLock<File> =
    LazyLock::new(|| toml::from_str(super::text("frameworks.toml")).unwrap_or_default());
static TORCH: LazyLock<Vec<TorchPins>> = LazyLock::new(|| super::rows("torch_pypi_linux_x86_64.csv"));

/// The pins of one version of a package.
pub fn pinned(package: &str, version: &str) -> Option<&'static Pinned> {
    PINS.iter().find(|row| row.package == package && versions::compare(&row.version, version).is_eq())
}

/// Every version of a package in the table, the newest first.
pub fn versions_of(package: &str) -> Vec<&'static Pinned> {
    let mut rows: Vec<_> = PINS.iter().filter(|row| row.package == package).collect();
    rows.sort_by(|a, b| versions::compare(&b.version, &a.version));
    rows
}

/// The needs of a package's version.
pub fn need(package: &str, version: &str) -> Option<&'static Need> {
    NEEDS.need.iter().find(|need| {
        need.name == package && need.versions.as_deref().is_none_or(|range| in_range(version, range))
    })
}

/// The pins of PyTorch's wheel on the registry.
pub fn torch_pins(version: &str) -> Option<&'static TorchPins> {
    TORCH.iter().find(|row| versions::compare(&row.torch, version).is_eq())
}

#[derive(Debug, Deserialize)]
struct Floor {
    package: String,
    version: String,
    glibc_min: String,
}

static FLOORS: LazyLock<Vec<Floor>> = LazyLock::new(|| super::rows("wheel_glibc.csv"));

/// The least glibc of a package's wheel, which its tag names: `manylinux_2_28` is 2.28.
pub fn glibc_floor(package: &str, version: &str) -> Option<String> {
    let row = FLOORS.iter().find(|row| row.package == package && in_span(version, &row.version))?;
    let number = row.glibc_min.split_whitespace().next()?;
    number.starts_with(|c: char| c.is_ascii_digit()).then(|| number.to_owned())
}

/// `0.12-0.19.1`, `>=2.7`, `0.21.0`.
fn in_span(version: &str, span: &str) -> bool {
    match span.split_once('-') {
        Some((low, high)) => versions::at_least(version, low) && versions::at_least(high, version),
        None if span.starts_with(['<', '>']) => in_range(version, span),
        None => versions::compare(version, span).is_eq(),
    }
}

/// Whether a version lies in a range such as `>=1.19,<1.27`; what is no range holds nothing.
pub fn in_range(version: &str, range: &str) -> bool {
    range.split(',').all(|part| {
        let part = part.trim();
        let number = part.trim_start_matches(['<', '>', '=']);
        let order = versions::compare(version, number);
        match &part[..part.len() - number.len()] {
            ">=" => order.is_ge(),
            "<=" => order.is_le(),
            "<" => order.is_lt(),
            ">" => order.is_gt(),
            "==" => order.is_eq(),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_and_needs() {
        assert_eq!(pinned("vllm", "0.11.0").map(|row| row.torch_pin.as_str()), Some("2.8.0"));
        assert_eq!(need("onnxruntime-gpu", "1.16").and_then(|need| need.wheel_cuda.as_deref()), Some("11.8"));
        assert_eq!(need("onnxruntime-gpu", "1.20.0").and_then(|need| need.cudnn_major), Some(9));
        assert_eq!(need("ctranslate2", "4.3").and_then(|need| need.cudnn_major), Some(8));
        assert_eq!(need("vllm", "0.22.0").and_then(|need| need.wheel_cuda.as_deref()), Some("13.0"));
        assert_eq!(torch_pins("2.8.0").map(|row| row.nccl.as_str()), Some("2.27.3"));
    }

    #[test]
    fn floors() {
        assert_eq!(glibc_floor("torch", "2.8.0").as_deref(), Some("2.28"));
        assert_eq!(glibc_floor("torch", "2.5.1").as_deref(), Some("2.17"));
        assert_eq!(glibc_floor("vllm", "0.13.0").as_deref(), Some("2.31"));
        assert_eq!(glibc_floor("vllm", "0.9.2"), None);
    }

    #[test]
    fn ranges() {
        assert!(in_range("0.22.0", ">=0.20"));
        assert!(!in_range("0.19.1", ">=0.20"));
        assert!(in_range("1.20", ">=1.19,<1.27"));
        assert!(!in_range("1.20", "0.50.x (docs of 2026-08-19)"));
    }
}
