//! The rules: what a combination of facts and signs means. Simple ones are rows of `facts/doctor/rules.csv`; those
//! with real logic are one file each and one line in [`RULES`].

mod architectures;
mod compat;
mod cpu_build;
mod cuda_libraries;
mod cudnn;
mod driver_family;
mod driver_state;
mod fabric;
mod gpu_absent;
mod mig;
mod pins;
mod rocm;
pub mod rows;
mod symbols;
mod system;
mod toolchain;
mod wsl;
mod xids;

use maat_base::Finding;

pub use architectures::{is_unlisted, misfit};
pub use symbols::shadow_path;

use crate::case::Case;

/// A finding and how sure it is.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The finding.
    pub finding: Finding,
    /// Whether the input itself reports the trouble. What only follows from tables comes after what was reported.
    pub proven: bool,
}

impl Hit {
    /// What the input itself reports.
    pub fn proven(finding: Finding) -> Self {
        Self { finding, proven: true }
    }

    /// What follows from tables.
    pub fn inferred(finding: Finding) -> Self {
        Self { finding, proven: false }
    }
}

/// A rule with logic of its own.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name: the file's.
    pub name: &'static str,
    /// The codes that it can give.
    pub codes: &'static [&'static str],
    /// Judges a case.
    pub judge: fn(&Case) -> Vec<Hit>,
}

/// All rules with logic.
#[rustfmt::skip] // one a line, so that additions do not collide
pub const RULES: &[Rule] = &[
    architectures::RULE,
    compat::RULE,
    cpu_build::RULE,
    cuda_libraries::RULE,
    cudnn::RULE,
    driver_family::RULE,
    driver_state::RULE,
    fabric::RULE,
    gpu_absent::RULE,
    mig::RULE,
    pins::RULE,
    rocm::RULE,
    symbols::RULE,
    system::RULE,
    toolchain::RULE,
    wsl::RULE,
    xids::RULE,
];

/// Everything that the rules find, in no order yet.
pub fn judge(case: &Case) -> Vec<Hit> {
    let mut hits = rows::judge(case);
    hits.extend(RULES.iter().flat_map(|rule| (rule.judge)(case)));
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_forgotten() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap().replace(".rs", ""))
            .filter(|name| name != "mod" && name != "rows")
            .collect();
        files.sort();
        let listed: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(files, listed);
    }

    #[test]
    fn every_code_has_a_rule() {
        for code in crate::codes::codes() {
            let by_logic = RULES.iter().any(|rule| rule.codes.contains(&code.code.as_str()));
            let by_row = rows::rows().iter().any(|row| row.code == code.code);
            assert!(by_logic || by_row, "no rule gives {}", code.code);
        }
        for rule in RULES {
            for code in rule.codes {
                assert!(crate::codes::code(code).is_some(), "{} gives the unknown {code}", rule.name);
            }
        }
    }
}
