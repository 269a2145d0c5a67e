//! `pin-violation`: an installed version breaks an exact pin of another package: by pip's own words, or by the table.

use maat_readings::stack::{Manager, versions};

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::frameworks;

pub const RULE: Rule = Rule { name: "pins", codes: &["pin-violation"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    if let Some(sign) = case.signs("pin-broken").find(|sign| is_exact(&sign.line)) {
        let finding = codes::finding("pin-violation").with("pin", sign.line.as_str());
        return vec![Hit::proven(case.show(finding, &["pin-broken"]))];
    }
    by_table(case).into_iter().collect()
}

/// `requires torch==2.8.0, but you have torch 2.9.0`; ranges are no exact pins.
fn is_exact(line: &str) -> bool {
    let asked = line.split("but you have").next().unwrap_or(line);
    asked.contains("==")
}

fn by_table(case: &Case) -> Option<Hit> {
    let torch = case.package("torch").filter(|torch| torch.manager == Manager::Python)?;
    let installed = torch.version.split('+').next().unwrap_or(&torch.version);
    let breaks = case.packages().iter().filter(|p| p.manager == Manager::Python).find_map(|package| {
        let row = frameworks::pinned(&package.name, &package.version)?;
        let exact = row.torch_pin.starts_with(|c: char| c.is_ascii_digit());
        (exact && versions::compare(&row.torch_pin, installed).is_ne()).then_some((package, row))
    });
    let (package, row) = breaks?;
    let pin = format!("{} {} → torch=={}", package.name, package.version, row.torch_pin);
    let mut finding = codes::finding("pin-violation").with("pin", pin.as_str());
    finding.subject.clone_from(&package.name);
    let finding = finding
        .because(package.name.as_str(), package.version.as_str(), package.place.to_string())
        .because("torch", torch.version.as_str(), torch.place.to_string())
        .because("torch_pin", row.torch_pin.as_str(), "facts/stack/frameworks_pypi.csv")
        .command(format!("pip install {}=={} torch=={}", package.name, package.version, row.torch_pin));
    Some(Hit::inferred(finding))
}
