//! `arch-newer-than-wheel` and `arch-dropped-by-wheel`: the card's capability against what is compiled into the wheel.
//!
//! Code for `sm_80` runs on 8.x from 8.0 up and on no other major; PTX runs on everything later. The list is what the
//! wheel itself says, else the table's; where neither is known, the toolkit's own limits decide.

use maat_base::Finding;
use maat_readings::Key;
use maat_readings::fact::Strength;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::wheels::Misfit;
use crate::tables::{drivers, wheels};

pub const RULE: Rule =
    Rule { name: "architectures", codes: &["arch-newer-than-wheel", "arch-dropped-by-wheel"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    if case.has("needs-ampere") {
        return vec![Hit::proven(flash_attention(case))];
    }
    let Some(cc) = case.value(Key::Cc) else { return Vec::new() };
    if case.value(Key::TorchCuda) == Some("none") || case.fact(Key::Gfx).is_some() {
        return Vec::new();
    }
    let reported = is_reported(case);
    let Some(misfit) = misfit(case) else { return Vec::new() };
    let finding = finding(case, cc, misfit);
    if reported {
        vec![Hit::proven(finding)]
    } else if is_told_exactly(case) {
        vec![Hit::inferred(finding)]
    } else {
        Vec::new()
    }
}

fn is_reported(case: &Case) -> bool {
    case.has("no-kernel-image") || case.has("arch-incompatible") || below_range(case)
}

/// How the wheel's code misses the card, as far as both are known. That PyTorch sees the card says nothing on this:
/// `is_available` asks the driver for a device and runs no kernel.
pub fn misfit(case: &Case) -> Option<Misfit> {
    let cc = case.value(Key::Cc)?;
    if below_range(case) {
        return Some(Misfit::Older);
    }
    by_printed_list(case, cc)
        .or_else(|| by_table(case, cc, is_reported(case)))
        .or_else(|| by_toolkit(case, cc))?
}

/// Whether it is unknown what the build holds, for a card whose architecture NVIDIA has ended: builds leave such cards
/// out before the toolkit does.
pub fn is_unlisted(case: &Case) -> bool {
    let ended =
        case.value(Key::Cc).and_then(drivers::capability).is_some_and(|row| row.last_driver.is_some());
    let listed = match (case.value(Key::Torch), case.value(Key::TorchCuda)) {
        (Some(torch), Some(cuda)) => wheels::compiled(torch, cuda).is_some(),
        _ => false,
    };
    ended && !listed && case.fact(Key::WheelArchs).is_none()
}

/// PyTorch's warning names the lowest capability that it has code for. Its highest says less: code also runs on later
/// minors of the same major.
fn below_range(case: &Case) -> bool {
    let least = case.sign("arch-range").and_then(|sign| sign.value.as_deref());
    matches!((case.value(Key::Cc), least), (Some(cc), Some(least)) if !versions::at_least(cc, least))
}

/// Without a reported error both sides must be stated, not guessed.
fn is_told_exactly(case: &Case) -> bool {
    let firm = |key: Key| case.fact(key).is_some_and(|fact| fact.strength > Strength::Implied);
    firm(Key::WheelArchs) || firm(Key::TorchCuda)
}

/// `Some(None)`: judged, and it fits.
#[expect(clippy::option_option, reason = "whether it could be judged, and then whether it misfits")]
fn by_printed_list(case: &Case, cc: &str) -> Option<Option<Misfit>> {
    let archs: Vec<&str> = case
        .wheel_archs()?
        .into_iter()
        .filter(|arch| !arch.starts_with("compute_") || carries(case, arch, cc))
        .collect();
    let has_numbers = archs.iter().any(|arch| arch.starts_with(|c: char| c.is_ascii_digit()));
    has_numbers.then(|| wheels::misfit(archs.iter().copied(), cc))
}

/// Whether PTX in the wheel can carry a card: not when the error says that nothing ran, and not PTX from before Maxwell,
/// which drivers for today's cards no longer translate.
fn carries(case: &Case, ptx: &str, cc: &str) -> bool {
    let base = versions::capability_of_sm(ptx);
    let too_old = base.is_none_or(|base| !versions::at_least(&base, "5.0")) && versions::at_least(cc, "9.0");
    !case.has("no-kernel-image") && !too_old
}

#[expect(clippy::option_option, reason = "whether it could be judged, and then whether it misfits")]
fn by_table(case: &Case, cc: &str, reported: bool) -> Option<Option<Misfit>> {
    let compiled = wheels::compiled(case.value(Key::Torch)?, case.value(Key::TorchCuda)?)?;
    let misfit = wheels::misfit(compiled.sm.iter().map(String::as_str), cc);
    // PTX of the last one carries newer cards, unless the error says that it did not.
    let carried = misfit == Some(Misfit::Newer) && compiled.ptx == Some(true) && !reported;
    Some(if carried { None } else { misfit })
}

/// A toolkit cannot compile for a card that came after it, nor for one that it has dropped.
#[expect(clippy::option_option, reason = "whether it could be judged, and then whether it misfits")]
fn by_toolkit(case: &Case, cc: &str) -> Option<Option<Misfit>> {
    let (capability, cuda) = (drivers::capability(cc)?, case.value(Key::TorchCuda)?);
    if capability.is_newer_than_toolkit(cuda) {
        Some(Some(Misfit::Newer))
    } else if capability.is_dropped_by_toolkit(cuda) {
        Some(Some(Misfit::Older))
    } else {
        None
    }
}

fn finding(case: &Case, cc: &str, misfit: Misfit) -> Finding {
    let code = match misfit {
        Misfit::Newer => "arch-newer-than-wheel",
        Misfit::Older => "arch-dropped-by-wheel",
    };
    let subject = case.value(Key::Gpu).unwrap_or(cc);
    let mut finding = codes::finding(code).with("gpu", subject).with("cc", cc);
    finding = case.prove(finding, &[Key::Gpu, Key::Cc, Key::WheelArchs, Key::Torch, Key::TorchCuda]);
    finding = case.show(finding, &["arch-incompatible", "arch-range", "no-kernel-image"]);
    finding.commands = command(case, cc).into_iter().collect();
    finding
}

/// The newest wheel with code for the card that the driver runs.
fn command(case: &Case, cc: &str) -> Option<String> {
    let (release, tag) = crate::install::newest_torch(Some(cc), case.value(Key::Driver), case.is_windows())?;
    let range = if release == wheels::releases().first()?.torch {
        "torch".to_owned()
    } else {
        format!("torch=={release}.*")
    };
    Some(format!("pip install --upgrade \"{range}\" --index-url https://download.pytorch.org/whl/{tag}"))
}

fn flash_attention(case: &Case) -> Finding {
    let cc = case.value(Key::Cc).unwrap_or("unknown");
    let finding = codes::finding("arch-dropped-by-wheel")
        .with("gpu", case.value(Key::Gpu).unwrap_or("unknown"))
        .with("cc", cc);
    let finding = case.prove(finding, &[Key::Gpu, Key::Cc, Key::Packages]);
    case.show(finding, &["needs-ampere"])
}
