//! ROCm: targets in PyTorch's wheels, and which override is known to work on which target.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use maat_readings::stack::versions;
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    torch_wheel_gfx: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    therock: TheRock,
}

#[derive(Debug, Default, Deserialize)]
struct TheRock {
    #[serde(default)]
    release_ready: Vec<String>,
}

/// A value of `HSA_OVERRIDE_GFX_VERSION` that somebody tried on a target.
#[derive(Debug, Deserialize)]
pub struct Override {
    /// The target.
    pub gfx: String,
    /// The value.
    #[serde(rename = "override")]
    pub value: String,
    /// `works`, `fails` or `hangs`.
    pub outcome: String,
}

static FILE: LazyLock<File> = LazyLock::new(|| toml::from_str(super::text("rocm.toml")).unwrap_or_default());
static OVERRIDES: LazyLock<Vec<Override>> = LazyLock::new(|| super::rows("rocm_override.csv"));

/// The targets in PyTorch's wheel of a ROCm version such as `7.0` or `6.2.4`; of an unlisted patch, its minor's.
pub fn wheel_targets(rocm: &str) -> Option<&'static [String]> {
    let exact = FILE.torch_wheel_gfx.get(rocm);
    let minor = versions::major_minor(rocm).and_then(|minor| FILE.torch_wheel_gfx.get(&minor));
    exact.or(minor).map(Vec::as_slice)
}

/// The oldest ROCm index whose PyTorch wheel has a target.
pub fn first_index_with(gfx: &str) -> Option<&'static str> {
    let has = FILE.torch_wheel_gfx.iter().filter(|(_, targets)| targets.iter().any(|target| target == gfx));
    has.min_by(|a, b| versions::compare(a.0, b.0)).map(|(index, _)| index.as_str())
}

/// Whether TheRock releases builds for a target.
pub fn therock_has(gfx: &str) -> bool {
    FILE.therock.release_ready.iter().any(|target| target == gfx)
}

/// The override that is known to work on a target; others hang the machine or fail, and are never advised.
pub fn working_override(gfx: &str) -> Option<&'static str> {
    OVERRIDES.iter().find(|row| row.gfx == gfx && row.outcome == "works").map(|row| row.value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_that_harm_are_never_given() {
        assert_eq!(working_override("gfx1151"), Some("11.0.0"));
        assert_eq!(working_override("gfx1103"), None, "it hangs the machine");
        assert_eq!(working_override("gfx1150"), None);
        assert_eq!(working_override("gfx1010"), None, "nobody reported it");
    }

    #[test]
    fn targets_of_wheels() {
        assert!(wheel_targets("7.2").unwrap().contains(&"gfx1151".to_owned()));
        assert!(!wheel_targets("7.0").unwrap().contains(&"gfx1151".to_owned()));
        assert!(wheel_targets("6.2.1").is_some());
        assert_eq!(first_index_with("gfx1151"), Some("7.2"));
        assert!(therock_has("gfx1010"));
    }
}
