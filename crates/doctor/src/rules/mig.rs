//! MIG: on, and no instance is chosen or the choice names none; or several are chosen and one is seen by design.

use maat_readings::Key;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;

pub const RULE: Rule =
    Rule { name: "mig", codes: &["mig-device-not-selected", "mig-single-instance"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    let on = case.value(Key::Mig) == Some("on");
    if !on {
        return Vec::new();
    }
    [not_selected(case), single(case)].into_iter().flatten().collect()
}

/// The list that the process saw, when one is shown.
fn visible(case: &Case) -> Option<String> {
    let value = case.sign("visible-devices")?.value.clone()?;
    Some(value.split_whitespace().next()?.trim_matches(['"', '\'', ',']).to_owned())
}

fn not_selected(case: &Case) -> Option<Hit> {
    let trouble = ["device-assert", "no-cuda-device", "invalid-ordinal", "cuda-unavailable"];
    let failed = trouble.iter().find(|sign| case.has(sign))?;
    let list = visible(case);
    let names_instance = list.as_deref().is_some_and(|list| list.starts_with("MIG-"));
    // A chosen instance that the list of `nvidia-smi -L` has is no wrong choice.
    let listed = names_instance
        && case.signs("mig-device").any(|sign| list.as_deref().is_some_and(|l| sign.line.contains(l)));
    if listed || names_instance && !case.has("mig-device") {
        return None;
    }
    let finding = case.show(
        codes::finding("mig-device-not-selected"),
        &[failed, "visible-unset", "visible-devices", "mig-device", "mig-none"],
    );
    let finding = case.prove(finding, &[Key::Gpu, Key::Mig]);
    let command = if case.has("mig-none") && !case.has("mig-device") {
        "sudo nvidia-smi mig -lgip"
    } else {
        "nvidia-smi -L"
    };
    Some(Hit::proven(finding.command(command).command("export CUDA_VISIBLE_DEVICES=MIG-<uuid>")))
}

fn single(case: &Case) -> Option<Hit> {
    let several = visible(case).is_some_and(|list| list.matches("MIG-").count() > 1);
    if !(several || case.has("one-device-seen") && case.signs("mig-device").count() > 1) {
        return None;
    }
    let finding = case
        .show(codes::finding("mig-single-instance"), &["visible-devices", "one-device-seen", "mig-device"]);
    Some(Hit::proven(finding))
}
