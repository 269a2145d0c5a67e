//! `driver-too-old`: a driver is judged by the minimum of the CUDA family, not by the CUDA version that `nvidia-smi`
//! prints. 12.x runs from 525.60.13, 13.x from 580, 11.x from 450.80.02; before CUDA 11 each toolkit has its own.
//!
//! PTX is the exception (`ptx-toolchain-newer`): the family minimum lets cubins run, not newer PTX.

use maat_readings::fact::Strength;
use maat_readings::stack::versions;
use maat_readings::{Fact, Key};

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::install;
use crate::tables::{drivers, frameworks};

pub const RULE: Rule = Rule { name: "driver_family", codes: &["driver-too-old"], judge };

/// The least CUDA version that something in the case was built for, and where it says so.
struct Built {
    cuda: String,
    what: String,
    place: String,
    strength: Strength,
}

fn judge(case: &Case) -> Vec<Hit> {
    let reported = case.has("driver-too-old-text");
    // Error 222 is the PTX exception and says that the driver itself runs; a working GPU refutes.
    if case.has("error-222") || case.has("cuda-available") || case.has("error-803") || case.has("error-804") {
        return Vec::new();
    }
    let needs = newest_need(case);
    let driver = case.fact(Key::Driver);
    match (&needs, driver) {
        (Some(built), Some(driver)) => verdict(case, built, driver, reported).into_iter().collect(),
        _ if reported => reported_only(case, needs.as_ref()).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn newest_need(case: &Case) -> Option<Built> {
    let torch = case.fact(Key::TorchCuda).filter(|fact| fact.value != "none").map(|fact| Built {
        cuda: fact.value.clone(),
        what: "torch_cuda".to_owned(),
        place: fact.place.to_string(),
        strength: fact.strength,
    });
    let jax = case.sign("jax-plugin").and_then(|sign| {
        Some(Built {
            cuda: format!("{}.0", sign.value.as_deref()?),
            what: "jax".to_owned(),
            place: sign.place.to_string(),
            strength: Strength::Printed,
        })
    });
    // PyTorch decides for what imports it; its CUDA is more precise than a table row of a package.
    let packages = case.packages().iter().filter_map(|package| {
        let cuda = frameworks::need(&package.name, &package.version)?.wheel_cuda.clone()?;
        Some(Built {
            cuda,
            what: format!("{} {}", package.name, package.version),
            place: package.place.to_string(),
            strength: Strength::Implied,
        })
    });
    let candidates = torch.into_iter().chain(jax).chain(packages);
    candidates.max_by_key(|built| (versions::major(&built.cuda), built.strength))
}

fn verdict(case: &Case, built: &Built, driver: &Fact, reported: bool) -> Option<Hit> {
    let minimum = drivers::minimum(&built.cuda, case.is_windows())?;
    if versions::at_least(&driver.value, minimum) {
        return None; // the text, if any, has another cause: an older libcuda, or no driver in the container
    }
    // A guess of the build, or a version somebody told without trouble, is not enough to alarm.
    if !reported && (built.strength == Strength::Implied || driver.strength <= Strength::Implied) {
        return None;
    }
    let mut finding = codes::finding("driver-too-old")
        .with("driver", driver.value.as_str())
        .with("cuda", built.cuda.as_str())
        .with("needed", minimum)
        .because("driver", driver.value.as_str(), driver.place.to_string())
        .because(built.what.as_str(), built.cuda.as_str(), built.place.as_str());
    finding = case.show(finding, &["driver-too-old-text"]);
    finding.commands = commands(case, driver);
    let hit = if reported { Hit::proven(finding) } else { Hit::inferred(finding) };
    Some(hit)
}

/// The text alone: the number that it prints is the driver's own CUDA.
fn reported_only(case: &Case, built: Option<&Built>) -> Option<Hit> {
    let stated = case.value(Key::DriverCuda);
    if let (Some(built), Some(stated)) = (built, stated)
        && versions::major(stated) >= versions::major(&built.cuda)
    {
        return None; // same family: the driver is not what is wrong
    }
    if case.has("nvidia-smi-failed") || case.has("nvidia-smi-missing") || case.has("no-nvidia-told") {
        return None; // the text also comes when there is no driver at all
    }
    if stated.is_none() && built.is_none() {
        return None;
    }
    let finding = codes::finding("driver-too-old")
        .with("driver", case.value(Key::Driver).unwrap_or("unknown"))
        .with("cuda", built.map_or("unknown", |built| built.cuda.as_str()))
        .with(
            "needed",
            built.and_then(|b| drivers::minimum(&b.cuda, case.is_windows())).unwrap_or("unknown"),
        );
    let finding = case.prove(finding, &[Key::DriverCuda, Key::TorchCuda, Key::Torch]);
    Some(Hit::proven(case.show(finding, &["driver-too-old-text"])))
}

/// The wheel that this driver runs comes first: wheels are the user's own, the driver is often the site's.
fn commands(case: &Case, driver: &Fact) -> Vec<String> {
    let Some(torch) = case.fact(Key::Torch) else { return Vec::new() };
    let (cc, windows) = (case.value(Key::Cc), case.is_windows());
    install::same_torch_command(&torch.value, cc, Some(&driver.value), windows).into_iter().collect()
}
