//! Error 803 and 804: a `libcuda` of cuda-compat stands before the driver's own.
//!
//! Forward compatibility is for datacenter boards; on others the newer library gives 804. A compat library that is
//! older than the driver gives 803 on every board. A CUDA version that `nvidia-smi` prints and the driver's branch
//! cannot state shows that the library is not the driver's.

use maat_readings::Key;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::drivers;

pub const RULE: Rule =
    Rule { name: "compat", codes: &["compat-lib-stale", "compat-lib-unsupported-gpu"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    [stale(case), unsupported(case)].into_iter().flatten().collect()
}

/// The CUDA version that is shown against the one that the driver's branch states.
fn shown_against_branch(case: &Case) -> Option<std::cmp::Ordering> {
    let stated = drivers::stated_cuda(case.value(Key::Driver)?)?;
    Some(versions::compare(case.value(Key::DriverCuda)?, stated))
}

fn stale(case: &Case) -> Option<Hit> {
    if !case.has("error-803") {
        return None;
    }
    let first_is_compat = case.libraries("libcuda.so").next().and_then(|library| library.path.as_deref());
    let compat_first = case.has("compat-path") || first_is_compat.is_some_and(|path| path.contains("compat"));
    let image_is_older = match (case.value(Key::ImageCuda), case.value(Key::DriverCuda)) {
        (Some(image), Some(driver)) => versions::compare(image, driver).is_lt(),
        _ => false,
    };
    let impossible = shown_against_branch(case).is_some_and(std::cmp::Ordering::is_lt);
    if !(compat_first || image_is_older || impossible) {
        return None;
    }
    let mut finding = case.show(codes::finding("compat-lib-stale"), &["error-803", "compat-path"]);
    finding = case.prove(finding, &[Key::Driver, Key::DriverCuda, Key::ImageCuda]);
    if let Some(library) = case.libraries("libcuda.so").next() {
        let path = library.path.as_deref().unwrap_or("unknown");
        finding = finding.because(library.name.as_str(), path, library.place.to_string());
    }
    finding.commands = vec![
        "rm /etc/ld.so.conf.d/*compat*.conf && ldconfig".to_owned(),
        "ldconfig -p | grep libcuda".to_owned(),
    ];
    Some(Hit::proven(finding))
}

fn unsupported(case: &Case) -> Option<Hit> {
    if !case.has("error-804") {
        return None;
    }
    // On a datacenter board forward compatibility is supported: 804 has another cause there.
    if case.board().is_some_and(|board| board.class == "datacenter") {
        return None;
    }
    let finding = codes::finding("compat-lib-unsupported-gpu")
        .with("gpu", case.value(Key::Gpu).unwrap_or("unknown"))
        .with("driver", case.value(Key::Driver).unwrap_or("unknown"));
    let finding = case.show(finding, &["error-804", "compat-path"]);
    Some(Hit::proven(case.prove(finding, &[Key::Gpu, Key::Driver, Key::DriverCuda, Key::ImageCuda])))
}
