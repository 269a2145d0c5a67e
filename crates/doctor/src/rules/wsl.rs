//! `wsl-linux-driver-installed`: a Linux driver package inside WSL 2 puts its own libcuda before the one that Windows
//! provides.

use maat_readings::Key;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;

pub const RULE: Rule = Rule { name: "wsl", codes: &["wsl-linux-driver-installed"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    if case.value(Key::Wsl) != Some("2") || case.has("cuda-available") {
        return Vec::new();
    }
    let package = case.has("linux-driver-package");
    let first = case.libraries("libcuda.so").next().and_then(|library| library.path.as_deref());
    let shadowed =
        first.is_some_and(|path| !path.contains("/wsl/")) && case.libraries("libcuda.so").count() > 1;
    let trouble = [
        "no-cuda-device",
        "nvidia-smi-failed",
        "driver-library-mismatch",
        "cuda-unavailable",
        "cuda-error-999",
        "no-nvidia-driver-text",
    ];
    let failed = trouble.iter().any(|sign| case.has(sign));
    if !(package && failed || shadowed && (package || failed)) {
        return Vec::new();
    }
    let mut finding = case.show(codes::finding("wsl-linux-driver-installed"), &["linux-driver-package"]);
    finding = case.show(finding, &trouble);
    if let Some(library) = case.libraries("libcuda.so").next() {
        let path = library.path.as_deref().unwrap_or("unknown");
        finding = finding.because(library.name.as_str(), path, library.place.to_string());
    }
    vec![Hit::proven(
        finding.command("sudo apt purge 'libnvidia-compute-*' 'nvidia-driver-*' 'nvidia-utils-*'"),
    )]
}
