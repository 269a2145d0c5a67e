//! `no-nvidia-gpu` and `container-toolkit-missing`: Docker's error is the same for both; the hardware decides.

use maat_base::Severity;
use maat_readings::Key;
use maat_readings::stack::architecture::board_in;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;

pub const RULE: Rule =
    Rule { name: "gpu_absent", codes: &["no-nvidia-gpu", "container-toolkit-missing"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    if is_without_nvidia(case) {
        return no_gpu(case).into_iter().collect();
    }
    toolkit(case).into_iter().collect()
}

/// The input says which display hardware is there, and none of it is NVIDIA's.
fn is_without_nvidia(case: &Case) -> bool {
    let boards: Vec<_> = case.facts(Key::Gpu).filter_map(|fact| board_in(&fact.value)).collect();
    let others_named = !boards.is_empty() && boards.iter().all(|board| board.vendor != "nvidia");
    let others_listed = case.has("pci-other-display") && !case.has("pci-nvidia");
    let told = case.has("no-nvidia-told") || case.has("no-display-hardware");
    (others_named || others_listed || told) && !case.shows_nvidia()
}

fn no_gpu(case: &Case) -> Option<Hit> {
    let has_amd =
        case.fact(Key::Gfx).is_some() || case.fact(Key::Rocm).is_some() || case.has("torch-rocm-build");
    let asked =
        case.has("asks-for-cuda") || case.has("no-device-driver") || case.has("no-nvidia-driver-text");
    if has_amd && !asked {
        return None;
    }
    let mut finding = codes::finding("no-nvidia-gpu").with("gpu", case.value(Key::Gpu).unwrap_or("unknown"));
    if !asked {
        finding.severity = Severity::Info;
    }
    finding = case.prove(finding, &[Key::Gpu, Key::PciId]);
    finding = case.show(
        finding,
        &["pci-other-display", "no-display-hardware", "no-nvidia-told", "no-device-driver", "asks-for-cuda"],
    );
    Some(Hit::proven(finding))
}

fn toolkit(case: &Case) -> Option<Hit> {
    case.sign("no-device-driver")?;
    // The same text comes where there is no GPU: something must say that there is one, or that Docker lacks the runtime.
    let certain = ["runtime-unknown", "docker-snap", "nvidia-smi-fine", "nvidia-smi-works"]
        .iter()
        .any(|sign| case.has(sign));
    let listed = case.sign("docker-runtimes").is_some_and(|sign| !sign.line.contains("nvidia"));
    if !(certain || listed || case.shows_nvidia()) {
        return None;
    }
    let mut finding = codes::finding("container-toolkit-missing");
    finding = case.show(finding, &["no-device-driver", "docker-snap", "docker-runtimes"]);
    finding = case.prove(finding, &[Key::Gpu, Key::GpuCount, Key::Driver]);
    finding.commands = [
        "sudo apt install nvidia-container-toolkit",
        "sudo nvidia-ctk runtime configure --runtime=docker",
        "sudo systemctl restart docker",
    ]
    .map(str::to_owned)
    .to_vec();
    Some(Hit::proven(finding))
}
