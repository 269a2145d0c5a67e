//! Which build to install for a card and a driver.

use maat_readings::stack::versions;

use crate::tables::{drivers, wheels};

/// The newest PyTorch with a CUDA build that has code for a capability and that a driver runs: its `major.minor` and the
/// index's tag. An unknown driver runs everything.
pub fn newest_torch(cc: &str, driver: Option<&str>, windows: bool) -> Option<(String, String)> {
    wheels::releases().iter().find_map(|release| {
        let variant = release
            .cuda_variants()
            .into_iter()
            .find(|(_, cuda)| runs(driver, cuda, windows) && has_code(&release.torch, cuda, cc));
        variant.map(|(tag, _)| (release.torch.clone(), tag))
    })
}

/// Whether a driver meets the family minimum of a CUDA version; an unknown driver does.
pub fn runs(driver: Option<&str>, cuda: &str, windows: bool) -> bool {
    driver.is_none_or(|driver| {
        drivers::minimum(cuda, windows).is_some_and(|least| versions::at_least(driver, least))
    })
}

/// Whether the wheel has code for a capability: by the table, else by the toolkit's limits.
pub fn has_code(torch: &str, cuda: &str, cc: &str) -> bool {
    match wheels::compiled(torch, cuda) {
        Some(compiled) => wheels::misfit(compiled.sm.iter().map(String::as_str), cc).is_none(),
        None => drivers::capability(cc)
            .is_some_and(|row| !row.is_newer_than_toolkit(cuda) && !row.is_dropped_by_toolkit(cuda)),
    }
}

/// The command that installs the newest PyTorch that works.
pub fn torch_command(cc: Option<&str>, driver: Option<&str>, windows: bool) -> Option<String> {
    let (release, tag) = match cc {
        Some(cc) => newest_torch(cc, driver, windows)?,
        None => wheels::releases().iter().find_map(|release| {
            let variant = release.cuda_variants().into_iter().find(|(_, cuda)| runs(driver, cuda, windows));
            variant.map(|(tag, _)| (release.torch.clone(), tag))
        })?,
    };
    Some(format!(
        "pip install --upgrade \"torch=={release}.*\" --index-url https://download.pytorch.org/whl/{tag}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newest(cc: &str, driver: &str) -> String {
        newest_torch(cc, Some(driver), false)
            .map_or_else(String::new, |(torch, tag)| format!("{torch} {tag}"))
    }

    /// pytorch.toml: cu128 ended with 2.11; cu126 has no sm_120; 13.x needs driver 580.
    #[test]
    fn the_newest_that_works() {
        assert_eq!(newest("12.0", "570.86.10"), "2.11 cu129");
        assert_eq!(newest("12.0", "590.48.01"), "2.15 cu132");
        assert_eq!(newest("6.1", "580.65.06"), "2.14 cu126");
        assert_eq!(newest("8.0", "550.54.14"), "2.14 cu126");
        assert_eq!(newest("12.0", "440.33"), "");
    }
}
