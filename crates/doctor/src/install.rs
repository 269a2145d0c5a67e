//! Which build to install for a card and a driver.

use maat_readings::stack::versions;

use crate::tables::wheels::Release;
use crate::tables::{drivers, wheels};

/// The newest PyTorch with a CUDA build that has code for a capability and that a driver runs: its `major.minor` and the
/// index's tag. An unknown driver runs everything, an unknown capability is in every build.
pub fn newest_torch(cc: Option<&str>, driver: Option<&str>, windows: bool) -> Option<(String, String)> {
    wheels::releases()
        .iter()
        .find_map(|release| Some((release.torch.clone(), best_tag(release, cc, driver, windows)?)))
}

/// The tag of the release's build that works and asks least of the driver.
pub fn best_tag(release: &Release, cc: Option<&str>, driver: Option<&str>, windows: bool) -> Option<String> {
    let works =
        |cuda: &str| runs(driver, cuda, windows) && cc.is_none_or(|cc| has_code(&release.torch, cuda, cc));
    variants_for(release, driver).into_iter().find(|(_, cuda)| works(cuda)).map(|(tag, _)| tag)
}

/// The builds of a release, best first for a driver: those no newer than the CUDA that the driver states itself, which
/// also run what is only PTX, before others of its family; the newest of each first.
pub fn variants_for(release: &Release, driver: Option<&str>) -> Vec<(String, String)> {
    let stated = driver.and_then(drivers::stated_cuda);
    let mut variants = release.cuda_variants();
    variants.sort_by_key(|(_, cuda)| stated.is_some_and(|stated| !versions::at_least(stated, cuda)));
    variants
}

/// Whether a driver meets the family minimum of a CUDA version; an unknown driver does.
pub fn runs(driver: Option<&str>, cuda: &str, windows: bool) -> bool {
    driver.is_none_or(|driver| {
        drivers::minimum(cuda, windows).is_some_and(|least| versions::at_least(driver, least))
    })
}

/// Whether the wheel has code for a capability: by the table, else by the toolkit's limits; but wheels leave out
/// architectures that NVIDIA has ended before the toolkit does, so of these only the table is believed.
pub fn has_code(torch: &str, cuda: &str, cc: &str) -> bool {
    match wheels::compiled(torch, cuda) {
        Some(compiled) => wheels::misfit(compiled.sm.iter().map(String::as_str), cc).is_none(),
        None => drivers::capability(cc)
            .filter(|row| row.last_driver.is_none())
            .is_some_and(|row| !row.is_newer_than_toolkit(cuda) && !row.is_dropped_by_toolkit(cuda)),
    }
}

/// The command that installs the newest PyTorch that works.
pub fn torch_command(cc: Option<&str>, driver: Option<&str>, windows: bool) -> Option<String> {
    let (release, tag) = newest_torch(cc, driver, windows)?;
    Some(format!(
        "pip install --upgrade \"torch=={release}.*\" --index-url https://download.pytorch.org/whl/{tag}"
    ))
}

/// The same PyTorch in a build that works; where there is none, the newest that does.
pub fn same_torch_command(
    torch: &str,
    cc: Option<&str>,
    driver: Option<&str>,
    windows: bool,
) -> Option<String> {
    let plain = torch.split('+').next().unwrap_or(torch);
    match wheels::release(plain).and_then(|release| best_tag(release, cc, driver, windows)) {
        Some(tag) => {
            Some(format!("pip install torch=={plain} --index-url https://download.pytorch.org/whl/{tag}"))
        }
        None => torch_command(cc, driver, windows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newest(cc: &str, driver: &str) -> String {
        newest_torch(Some(cc), Some(driver), false)
            .map_or_else(String::new, |(torch, tag)| format!("{torch} {tag}"))
    }

    /// pytorch.toml: cu128 ended with 2.11; cu126 has no sm_120; 13.x needs driver 580.
    #[test]
    fn the_newest_that_works() {
        assert_eq!(newest("12.0", "570.86.10"), "2.11 cu128");
        assert_eq!(newest("12.0", "590.48.01"), "2.15 cu132");
        assert_eq!(newest("6.1", "580.65.06"), "2.14 cu126");
        assert_eq!(newest("8.0", "550.54.14"), "2.14 cu126");
        assert_eq!(newest("12.0", "440.33"), "");
        // CUDA 11.8 still compiles for a K80, PyTorch's cu118 wheels of these releases do not.
        assert_eq!(newest("3.7", "470.256.02"), "");
    }

    /// CUDA 12.6 came before sm_120: the same version's cu126 build would not run on the card.
    #[test]
    fn a_build_without_code_for_the_card_is_not_advised() {
        let command = same_torch_command("2.13.0+cu130", Some("12.0"), Some("570.86.10"), false).unwrap();
        assert!(command.contains("2.11.*") && command.ends_with("cu128"), "{command}");
        let command = same_torch_command("2.13.0+cu130", Some("8.9"), Some("570.86.10"), false).unwrap();
        assert!(command.contains("2.13.0") && command.ends_with("cu126"), "{command}");
    }
}
