//! `rocm-arch-not-in-wheel`: a target that is not compiled in. `HSA_OVERRIDE_GFX_VERSION` is offered only for targets on
//! which it is known to work; on one it hangs the machine.

use maat_readings::Key;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::rocm;

pub const RULE: Rule = Rule { name: "rocm", codes: &["rocm-arch-not-in-wheel"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    let reported = case.has("hip-no-code");
    let Some(gfx) = case.value(Key::Gfx) else { return Vec::new() };
    let printed = case.wheel_archs().filter(|archs| archs.iter().any(|arch| arch.starts_with("gfx")));
    let by_table = || case.value(Key::Rocm).and_then(rocm::wheel_targets);
    let contains = match &printed {
        Some(archs) => Some(archs.contains(&gfx)),
        None => by_table().map(|targets| targets.iter().any(|target| target == gfx)),
    };
    // Without an error a missing target still fails on first use, but only the wheel's own list is proof of it.
    let proven = reported && contains != Some(true);
    let lacking = contains == Some(false) && printed.is_some();
    if !(proven || lacking) || case.has("kfd-denied") {
        return Vec::new();
    }
    let mut finding = codes::finding("rocm-arch-not-in-wheel").with("gfx", gfx);
    finding = case.show(finding, &["hip-no-code"]);
    finding = case.prove(finding, &[Key::Gpu, Key::Gfx, Key::WheelArchs, Key::Rocm, Key::Torch]);
    if let Some(index) = rocm::first_index_with(gfx) {
        finding = finding.command(format!(
            "pip install --upgrade torch --index-url https://download.pytorch.org/whl/rocm{index}"
        ));
    }
    if let Some(value) = rocm::working_override(gfx) {
        finding = finding.command(format!("export HSA_OVERRIDE_GFX_VERSION={value}"));
    }
    let fix = match (rocm::first_index_with(gfx), rocm::therock_has(gfx)) {
        (Some(_), _) => "fix-rocm-arch-not-in-wheel",
        (None, true) => "fix-rocm-arch-therock",
        (None, false) => "fix-rocm-arch-nowhere",
    };
    let finding = finding.fix(maat_base::Text::new(fix).with("gfx", gfx));
    vec![if reported { Hit::proven(finding) } else { Hit::inferred(finding) }]
}
