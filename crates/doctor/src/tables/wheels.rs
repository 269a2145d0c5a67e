//! PyTorch's wheels: which variants there are, what is compiled in, what the registry's default is.

use std::sync::LazyLock;

use maat_readings::stack::versions;
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    release: Vec<Release>,
    #[serde(default)]
    arch: Vec<Arch>,
}

/// A minor release of PyTorch.
#[derive(Debug, Deserialize)]
pub struct Release {
    /// `major.minor`.
    pub torch: String,
    /// CUDA version of the wheel that a plain `pip install torch` takes on Linux x86_64.
    pub pypi_cuda: String,
    /// Which builds there are: `cpu`, `cu128`, …; a `?` marks one that was not verified.
    pub variants: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Arch {
    torch: Vec<String>,
    cuda: String,
    #[serde(default)]
    platform: Vec<String>,
    sm: Vec<String>,
    ptx: Option<toml::Value>,
}

/// What is compiled into a wheel.
#[derive(Debug, PartialEq, Eq)]
pub struct Compiled {
    /// SM numbers such as `86` or `90a`.
    pub sm: &'static [String],
    /// Whether PTX of the last one is in it: `None` when the table does not say.
    pub ptx: Option<bool>,
}

static FILE: LazyLock<File> =
    LazyLock::new(|| toml::from_str(super::text("pytorch.toml")).unwrap_or_default());

/// A release by a version such as `2.8.0`.
pub fn release(torch: &str) -> Option<&'static Release> {
    let wanted = versions::major_minor(torch)?;
    FILE.release.iter().find(|release| release.torch == wanted)
}

/// All releases, the newest first.
pub fn releases() -> &'static [Release] {
    &FILE.release
}

impl Release {
    /// The CUDA builds that were verified to exist, as versions, the newest first.
    pub fn cuda_variants(&self) -> Vec<(String, String)> {
        let mut variants: Vec<(String, String)> = self
            .variants
            .iter()
            .filter(|tag| tag.starts_with("cu") && !tag.ends_with('?'))
            .filter_map(|tag| Some((tag.clone(), versions::of_cu_tag(tag)?)))
            .collect();
        variants.sort_by(|a, b| versions::compare(&b.1, &a.1));
        variants
    }
}

/// What is compiled into PyTorch's wheel for Linux x86_64.
pub fn compiled(torch: &str, cuda: &str) -> Option<Compiled> {
    let (torch, cuda) = (versions::major_minor(torch)?, versions::major_minor(cuda)?);
    let row = FILE.arch.iter().find(|row| {
        let here = row.platform.is_empty() || row.platform.iter().any(|platform| platform == "linux-x86_64");
        here && row.cuda == cuda && row.torch.contains(&torch)
    })?;
    let ptx = row.ptx.as_ref().map(|ptx| match ptx {
        toml::Value::Boolean(has) => *has,
        other => other.as_str().is_some_and(|text| text.contains("linux")),
    });
    Some(Compiled { sm: &row.sm, ptx })
}

/// Why a card's code is not in a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The card came after everything that is compiled in.
    Newer,
    /// The card is older than everything that is compiled in.
    Older,
}

/// Whether code for these architectures runs on a capability: a cubin runs on the same major with the same or a higher
/// minor; `a` variants on exactly theirs; PTX (`compute_80`) on everything later.
/// Source: `architectures.toml`, rules `sass` and `ptx`.
pub fn misfit<'a>(archs: impl Iterator<Item = &'a str> + Clone, cc: &str) -> Option<Misfit> {
    let wanted = number(cc)?;
    let runs = archs.clone().any(|arch| match arch.strip_prefix("compute_") {
        Some(ptx) => sm_number(ptx).is_some_and(|base| base <= wanted),
        None => match sm_number(arch) {
            Some(sm) if arch.ends_with('a') => sm == wanted,
            Some(sm) => sm / 10 == wanted / 10 && sm <= wanted,
            None => false,
        },
    });
    if runs {
        return None;
    }
    let lowest = archs.filter_map(|arch| sm_number(arch.trim_start_matches("compute_"))).min()?;
    Some(if wanted < lowest { Misfit::Older } else { Misfit::Newer })
}

/// `8.6` is 86.
fn number(cc: &str) -> Option<u32> {
    let (major, minor) = cc.split_once('.')?;
    Some(major.parse::<u32>().ok()? * 10 + minor.parse::<u32>().ok()?)
}

fn sm_number(arch: &str) -> Option<u32> {
    arch.trim_start_matches("sm_").trim_end_matches(['a', 'f']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_read() {
        assert!(FILE.release.len() >= 15 && FILE.arch.len() >= 10);
        assert_eq!(release("2.11.0").map(|release| release.pypi_cuda.as_str()), Some("13.0"));
        assert_eq!(compiled("2.8.0", "12.8").unwrap().sm[0], "70");
        assert_eq!(compiled("2.13.0", "13.0").unwrap().ptx, Some(true));
    }

    /// Rules `sass` and `ptx` of architectures.toml.
    #[test]
    fn code_runs_within_its_major_only() {
        let fits = |archs: &[&str], cc: &str| misfit(archs.iter().copied(), cc);
        assert_eq!(fits(&["50", "60", "70", "75", "80", "86", "90"], "12.0"), Some(Misfit::Newer));
        assert_eq!(fits(&["70", "75", "80", "86", "90", "100", "120"], "6.0"), Some(Misfit::Older));
        assert_eq!(fits(&["80"], "8.9"), None);
        assert_eq!(fits(&["86"], "8.0"), Some(Misfit::Older));
        assert_eq!(fits(&["120"], "12.1"), None);
        assert_eq!(fits(&["90a"], "9.0"), None);
        assert_eq!(fits(&["90", "compute_90"], "12.0"), None);
        assert_eq!(fits(&["50", "60"], "6.1"), None);
        assert_eq!(fits(&[], "6.1"), None);
    }
}
