//! The driver itself: module and libraries of different versions, a card that the branch dropped or that needs the
//! other flavour of modules, and a driver that is not loaded for no more precise reason.

use maat_base::{Finding, Text};
use maat_readings::Key;
use maat_readings::fact::Strength;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::drivers;

pub const RULE: Rule = Rule {
    name: "driver_state",
    codes: &[
        "driver-lib-mismatch",
        "gpu-dropped-by-driver",
        "open-module-required",
        "driver-module-not-built",
        "driver-not-loaded",
    ],
    judge,
};

fn judge(case: &Case) -> Vec<Hit> {
    [mismatch(case), dropped(case), wrong_flavour(case), other_kernel(case), not_loaded(case)]
        .into_iter()
        .flatten()
        .collect()
}

fn works(case: &Case) -> bool {
    case.has("nvidia-smi-card") || case.has("cuda-available")
}

/// Whether the table of `nvidia-smi` stands below the last sighting of a trouble in the same text: it is over.
fn works_since(case: &Case, trouble: &str) -> bool {
    let last = case.signs(trouble).last().map(|sign| &sign.place);
    let table = case.signs("nvidia-smi-card").last().map(|sign| &sign.place);
    matches!((last, table), (Some(last), Some(table)) if last.file == table.file && last.line < table.line)
}

/// Two versions of the driver at once. In WSL the two always differ, and mean nothing.
fn mismatch(case: &Case) -> Option<Hit> {
    let reported = case.has("driver-library-mismatch") && !works_since(case, "driver-library-mismatch");
    let loaded = case.fact(Key::Driver);
    let on_disk = case.fact(Key::DriverUserland);
    let exact = |fact: &maat_readings::Fact| fact.strength == Strength::Exact;
    let differ = match (loaded, on_disk) {
        (Some(loaded), Some(on_disk)) => {
            // `570.124` of NVML is a short form of `570.124.06`.
            let short = loaded.value.starts_with(&format!("{}.", on_disk.value));
            versions::compare(&loaded.value, &on_disk.value).is_ne() && !short
        }
        _ => false,
    };
    let seen_on_machine =
        differ && loaded.is_some_and(exact) && on_disk.is_some_and(exact) && case.fact(Key::Wsl).is_none();
    let by_803 = differ && case.has("error-803") && !case.has("compat-path");
    if !(reported || seen_on_machine || by_803) {
        return None;
    }
    let value = |key: Key| case.value(key).unwrap_or("unknown").to_owned();
    let finding = codes::finding("driver-lib-mismatch")
        .with("driver", value(Key::Driver))
        .with("userland", value(Key::DriverUserland))
        .command("sudo reboot");
    let finding = case.prove(finding, &[Key::Driver, Key::DriverUserland]);
    Some(Hit::proven(case.show(finding, &["driver-library-mismatch", "error-803"])))
}

/// The kernel's own line decides; without it, the last branch of the table and a card that nobody sees.
fn dropped(case: &Case) -> Option<Hit> {
    let said = case.has("legacy-driver-line")
        || case.has("driver-ignores-gpu")
        || case.has("gpu-unsupported-by-driver") && !case.has("open-module-needed");
    let unseen = case.has("no-devices-found") || case.has("nvidia-smi-failed") || case.has("no-cuda-device");
    let driver = case.value(Key::Driver);
    let capability = case.value(Key::Cc).and_then(drivers::capability);
    let last = capability.and_then(|capability| capability.last_driver);
    let beyond =
        matches!((driver.and_then(versions::major), last), (Some(driver), Some(last)) if driver > last);
    // "not supported by this release" also comes when the driver is too old for a new card.
    let too_old_for_card =
        case.has("gpu-unsupported-by-driver") && !case.has("legacy-driver-line") && !beyond;
    if works(case) || too_old_for_card || !(said || unseen && beyond) {
        return None;
    }
    let line = case.sign("legacy-driver-line").and_then(|sign| sign.value.clone());
    let branch =
        line.or_else(|| last.map(|last| format!("{last}.xx"))).unwrap_or_else(|| "unknown".to_owned());
    let finding = codes::finding("gpu-dropped-by-driver")
        .with("gpu", case.value(Key::Gpu).unwrap_or("unknown"))
        .with("driver", driver.unwrap_or("unknown"))
        .with("branch", branch.as_str())
        .fix(Text::new("fix-gpu-dropped-by-driver").with("branch", branch));
    let finding = case.prove(finding, &[Key::Gpu, Key::Driver, Key::Cc]);
    Some(Hit::proven(
        case.show(finding, &["legacy-driver-line", "gpu-unsupported-by-driver", "no-devices-found"]),
    ))
}

/// Blackwell needs the open modules, Maxwell to Volta the proprietary ones.
fn wrong_flavour(case: &Case) -> Option<Hit> {
    let said_open = case.has("open-module-needed");
    let said_closed = case.has("open-module-unfit");
    let flavour =
        case.value(Key::Cc).and_then(drivers::capability).and_then(|row| row.kernel_modules.as_deref());
    let unseen = case.has("no-devices-found") || case.has("rm-init-failed") || case.has("probe-failed");
    let needs_open = case.value(Key::Cc).is_some_and(|cc| versions::at_least(cc, "10.0"));
    let wrong_closed = unseen && needs_open && case.has("proprietary-kernel-module");
    let wrong_open = unseen && flavour == Some("proprietary") && case.has("open-kernel-module");
    if works(case) || !(said_open || said_closed || wrong_closed || wrong_open) {
        return None;
    }
    let wanted = if said_closed || wrong_open { "proprietary" } else { "open" };
    let finding = codes::finding("open-module-required")
        .with("gpu", case.value(Key::Gpu).unwrap_or("unknown"))
        .with("wanted", wanted);
    let finding = case.prove(finding, &[Key::Gpu, Key::Cc, Key::PciId, Key::Driver]);
    let signs =
        ["open-module-needed", "open-module-unfit", "proprietary-kernel-module", "open-kernel-module"];
    Some(Hit::proven(case.show(finding, &signs)))
}

/// `dkms status` lists modules, and none for the running kernel.
fn other_kernel(case: &Case) -> Option<Hit> {
    let running = case.fact(Key::Kernel)?;
    let mut built = case.signs("module-built-for").peekable();
    let failed = case.has("nvidia-smi-failed") || case.has("module-not-found");
    built.peek()?;
    if !failed
        || works(case)
        || case.value(Key::Wsl) == Some("2")
        || built.any(|sign| sign.value.as_deref() == Some(&running.value))
    {
        return None;
    }
    let finding = codes::finding("driver-module-not-built").command("sudo dkms autoinstall");
    let finding = case.show(finding, &["module-built-for", "nvidia-smi-failed"]);
    Some(Hit::proven(case.prove(finding, &[Key::Kernel, Key::ModuleKernel, Key::Driver])))
}

/// No module answers, and nothing says why.
fn not_loaded(case: &Case) -> Option<Hit> {
    let failed = case.has("nvidia-smi-failed");
    let absent =
        case.has("no-nvidia-driver-text") || case.has("nvidia-smi-missing") || case.has("pci-without-driver");
    let has_card = case.has_nvidia_gpu();
    // A container without the GPU's libraries looks the same from inside.
    // Secure Boot that is on, without its refusal in the text, may be what is behind it.
    let known = has_card
        || [Key::Driver, Key::Kernel].iter().any(|key| case.fact(*key).is_some())
        || case.has("looked-for-modules");
    let hidden = case.value(Key::SecureBoot) == Some("enabled") || !known;
    let ambiguous = hidden || !failed && (!has_card || case.has("in-container"));
    // In WSL 2 the driver is the one of Windows: there is no Linux module to load.
    if works(case)
        || case.value(Key::Wsl) == Some("2")
        || case.has("nvidia-smi-fine")
        || case.has("nvidia-smi-works")
        || !(failed || absent)
        || ambiguous
    {
        return None;
    }
    let finding: Finding = if case.has("pci-vfio") {
        codes::finding("driver-not-loaded").fix(Text::new("fix-driver-not-loaded-vfio"))
    } else {
        codes::finding("driver-not-loaded").command("sudo modprobe nvidia; sudo dmesg | grep -i nvrm")
    };
    let finding = case.prove(finding, &[Key::Gpu, Key::PciId, Key::Driver, Key::Kernel]);
    Some(Hit::proven(case.show(
        finding,
        &[
            "nvidia-smi-failed",
            "no-nvidia-driver-text",
            "nvidia-smi-missing",
            "pci-vfio",
            "pci-without-driver",
        ],
    )))
}
