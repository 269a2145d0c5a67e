//! Which driver runs which CUDA: `cuda_driver.toml` and `architectures.toml`.

use std::sync::LazyLock;

use maat_readings::stack::versions;
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
struct DriverFile {
    #[serde(default)]
    family: Vec<Family>,
    #[serde(default)]
    toolkit_min: Vec<ToolkitMinimum>,
    #[serde(default)]
    branch: Vec<Branch>,
}

/// From CUDA 11 on: the least driver that runs applications of any minor version of a major one.
#[derive(Debug, Deserialize)]
struct Family {
    cuda_major: u64,
    min_linux: String,
    min_windows: String,
}

/// Before CUDA 11: the least driver of each toolkit.
#[derive(Debug, Deserialize)]
struct ToolkitMinimum {
    cuda: String,
    linux: String,
    windows: String,
}

#[derive(Debug, Deserialize)]
struct Branch {
    driver: u64,
    cuda_max: String,
}

#[derive(Debug, Default, Deserialize)]
struct ArchitectureFile {
    #[serde(default)]
    cc: Vec<Capability>,
}

/// A compute capability and the toolkits and drivers that know it.
#[derive(Debug, Deserialize)]
pub struct Capability {
    /// `major.minor`.
    pub cc: String,
    /// Name of the architecture.
    pub arch: String,
    /// First toolkit that compiles for it.
    pub first_cuda: Option<String>,
    /// Last toolkit family that compiles for it, as `12.x`.
    pub last_cuda: Option<String>,
    /// Last driver branch that runs it.
    pub last_driver: Option<u64>,
    /// `open`, `proprietary` or `tegra`.
    pub kernel_modules: Option<String>,
}

static DRIVERS: LazyLock<DriverFile> =
    LazyLock::new(|| toml::from_str(super::text("cuda_driver.toml")).unwrap_or_default());
static ARCHITECTURES: LazyLock<ArchitectureFile> =
    LazyLock::new(|| toml::from_str(super::text("architectures.toml")).unwrap_or_default());

/// The least driver for applications of a CUDA version; `None` for versions that the table does not know.
pub fn minimum(cuda: &str, windows: bool) -> Option<&'static str> {
    let major = versions::major(cuda)?;
    let pick = |linux: &'static String, other: &'static String| {
        if windows { other.as_str() } else { linux.as_str() }
    };
    if let Some(family) = DRIVERS.family.iter().find(|family| family.cuda_major == major) {
        return Some(pick(&family.min_linux, &family.min_windows));
    }
    let same = |row: &&ToolkitMinimum| versions::compare(&row.cuda, cuda).is_eq();
    DRIVERS.toolkit_min.iter().find(same).map(|row| pick(&row.linux, &row.windows))
}

/// The newest CUDA that a driver's branch states, where the branch is in the table.
pub fn stated_cuda(driver: &str) -> Option<&'static str> {
    let branch = versions::major(driver)?;
    DRIVERS.branch.iter().find(|row| row.driver == branch).map(|row| row.cuda_max.as_str())
}

/// The oldest branch whose own CUDA is at least this.
pub fn branch_for(cuda: &str) -> Option<u64> {
    let knows = |row: &&Branch| versions::at_least(&row.cuda_max, cuda);
    DRIVERS.branch.iter().filter(knows).map(|row| row.driver).min()
}

/// The newest CUDA major whose family minimum a driver meets.
pub fn newest_major(driver: &str, windows: bool) -> Option<u64> {
    let meets = |family: &&Family| {
        versions::at_least(driver, if windows { &family.min_windows } else { &family.min_linux })
    };
    DRIVERS.family.iter().filter(meets).map(|family| family.cuda_major).max()
}

/// What is known of a compute capability.
pub fn capability(cc: &str) -> Option<&'static Capability> {
    ARCHITECTURES.cc.iter().find(|row| row.cc == cc)
}

impl Capability {
    /// Whether a toolkit cannot compile for it because it came before it.
    pub fn is_newer_than_toolkit(&self, cuda: &str) -> bool {
        self.first_cuda.as_deref().is_some_and(|first| !versions::at_least(cuda, first))
    }

    /// Whether a toolkit no longer compiles for it.
    pub fn is_dropped_by_toolkit(&self, cuda: &str) -> bool {
        let last = self.last_cuda.as_deref().and_then(versions::major);
        matches!((last, versions::major(cuda)), (Some(last), Some(major)) if major > last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NVIDIA, Minor Version Compatibility, table 1: 11.x from 450.80.02, 12.x from 525.60.13, 13.x from 580.
    #[test]
    fn family_minimums() {
        assert_eq!(minimum("12.8", false), Some("525.60.13"));
        assert_eq!(minimum("12.1", true), Some("528.33"));
        assert_eq!(minimum("13.2", false), Some("580"));
        assert_eq!(minimum("11.8", false), Some("450.80.02"));
        assert_eq!(minimum("10.2", false), Some("440.33"));
        assert_eq!(minimum("6.5", false), None);
    }

    #[test]
    fn branches_and_capabilities() {
        assert_eq!(stated_cuda("570.86.10"), Some("12.8"));
        assert_eq!(branch_for("12.8"), Some(570));
        assert_eq!(newest_major("570.86.10", false), Some(12));
        let blackwell = capability("12.0").unwrap();
        assert!(blackwell.is_newer_than_toolkit("12.6"));
        assert!(!blackwell.is_newer_than_toolkit("12.8"));
        assert!(capability("6.1").unwrap().is_dropped_by_toolkit("13.0"));
    }
}
