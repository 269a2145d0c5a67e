//! `fabric-manager-down`: error 802 where NVSwitches join the GPUs, or the service's own words.

use maat_readings::Key;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;

pub const RULE: Rule = Rule { name: "fabric", codes: &["fabric-manager-down"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    let error = case.has("error-802");
    let service = case.has("fabric-manager-bad") || case.has("fabric-manager-version");
    let waiting = case.has("fabric-not-ready");
    let on_switch = may_have_switches(case);
    // A service that is not there means nothing on a machine without switches; the error alone could be another's.
    if !(error && on_switch
        || service && (error || waiting || case.has("no-cuda-device") || case.has("cuda-unavailable")))
    {
        return Vec::new();
    }
    let driver = case.value(Key::Driver);
    let mut finding = codes::finding("fabric-manager-down").with("driver", driver.unwrap_or("unknown"));
    finding = case
        .show(finding, &["error-802", "fabric-manager-bad", "fabric-manager-version", "fabric-not-ready"]);
    finding = case.prove(finding, &[Key::Gpu, Key::GpuCount, Key::Driver]);
    if let Some(branch) = driver.and_then(versions::major) {
        finding = finding
            .command(format!("sudo apt install nvidia-fabricmanager-{branch}={}-1", driver.unwrap_or("")));
    }
    vec![Hit::proven(finding.command("sudo systemctl enable --now nvidia-fabricmanager"))]
}

/// SXM boards stand on a switch; PCIe boards, workstation and GeForce cards never do. Unknown may.
fn may_have_switches(case: &Case) -> bool {
    let Some(board) = case.board() else { return case.facts(Key::Gpu).next().is_none() };
    let names: Vec<String> = case.facts(Key::Gpu).map(|fact| fact.value.to_ascii_uppercase()).collect();
    let by_slot = names.iter().any(|name| name.contains("PCIE") || name.contains("NVL"));
    let on_board = names.iter().any(|name| name.contains("SXM") || name.contains("HBM3"));
    board.class == "datacenter" && (on_board || !by_slot)
}
