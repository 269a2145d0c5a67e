//! Nothing was found: is that health, or too little to say? Only a tool's whole output, a framework that says that it
//! sees its GPU, or a stack whose parts were all judged is health; and never a text that speaks of trouble.

use maat_base::Text;
use maat_readings::fact::Strength;
use maat_readings::{Input, Key};

use crate::case::Case;
use crate::install;
use crate::rules;

/// What no finding means.
pub enum Health {
    /// What was seen is right.
    Healthy(Text),
    /// It cannot be said.
    Unknown(Text),
}

/// Words of trouble, in lower case.
const TROUBLE: &[&str] = &[
    "error",
    "errors",
    "failed",
    "fails",
    "fail",
    "failure",
    "fatal",
    "traceback",
    "exception",
    "aborted",
    "abort",
    "segfault",
    "dumped",
    "cannot",
    "couldn't",
    "unable",
    "hang",
    "hangs",
    "stuck",
    "crash",
    "crashes",
    "crashed",
    "unsupported",
    "mismatch",
    "mismatched",
    "xid",
    "killed",
    "timeout",
    "timed",
    "denied",
    "missing",
    "undefined",
    "incompatible",
    "falls",
    "falling",
    "fallback",
    "corrupt",
    "invalid",
    "broken",
    "slow",
    "freezes",
    "lost",
];
/// Two words of trouble.
const TROUBLE_PAIRS: &[&str] = &[
    "could not",
    "not found",
    "not compatible",
    "not supported",
    "not available",
    "does not work",
    "doesn't work",
    "not working",
];
/// Lines that speak of trouble as a heading or a count of none.
const HARMLESS: &[&str] = &[
    "could not collect",
    "volatile uncorr",
    "ecc errors",
    "no running processes",
    "0 errors",
    "errors: 0",
    "error: none",
    "not affected",
    "no error",
    "without error",
    "[pip3]",
    "[conda]",
    "vulnerability",
    "clocks_event",
    "nccl_async_error",
    "warning: no blacklist",
    "acpi",
    "may be missing",
];
/// Lines of a kernel log count when they are about these.
const OF_GPUS: &[&str] = &["nvidia", "nvrm", "nouveau", "cuda", "amdgpu", "kfd", "gpu", "drm"];

/// Judges a case in which no rule found anything.
pub fn judge(case: &Case, inputs: &[Input], hardware_listed: bool) -> Health {
    let unavailable = case.has("cuda-unavailable") && !is_cpu_machine(case, hardware_listed);
    if unavailable || unanswered_signs(case) || inputs.iter().any(|input| speaks_of_trouble(case, input)) {
        return Health::Unknown(Text::new("verdict-doctor-trouble-unexplained"));
    }
    if is_cpu_machine(case, hardware_listed) {
        return Health::Healthy(Text::new("verdict-doctor-no-gpu"));
    }
    if card_has_code(case) || tool_is_whole(case) || stack_is_judged(case) {
        return Health::Healthy(Text::new("verdict-doctor-healthy"));
    }
    Health::Unknown(Text::new("verdict-doctor-not-enough-data"))
}

/// A framework sees the card, and it computes there, or both the card and the build are named and fit. To be seen is not
/// enough: the wheel may have no code for the card.
fn card_has_code(case: &Case) -> bool {
    let known = |keys: &[Key]| keys.iter().any(|key| case.fact(*key).is_some());
    let both = known(&[Key::Cc]) && known(&[Key::WheelArchs, Key::TorchCuda]);
    case.has("cuda-available")
        && (case.has("gpu-computes")
            || known(&[Key::Gfx])
            || both && !rules::is_unlisted(case) && rules::misfit(case).is_none())
}

/// `nvidia-smi` or `rocminfo` to its last block.
fn tool_is_whole(case: &Case) -> bool {
    let nvidia =
        case.has("nvidia-smi-card") && case.has("nvidia-smi-processes") && case.has("nvidia-smi-works");
    let amd = case.has("rocminfo-complete") && case.fact(Key::Gfx).is_some();
    nvidia || amd
}

/// Driver, card and build are all printed, and fit.
fn stack_is_judged(case: &Case) -> bool {
    let printed = |key: Key| case.fact(key).filter(|fact| fact.strength >= Strength::Printed);
    let (Some(driver), Some(torch), Some(cuda)) =
        (printed(Key::Driver), printed(Key::Torch), case.fact(Key::TorchCuda))
    else {
        return false;
    };
    let Some(cc) = case.value(Key::Cc) else { return false };
    cuda.strength > Strength::Implied
        && install::runs(Some(&driver.value), &cuda.value, case.is_windows())
        && install::has_code(&torch.value, &cuda.value, cc)
}

/// The input or the machine itself says that there is no GPU, and nothing asks for one.
fn is_cpu_machine(case: &Case, hardware_listed: bool) -> bool {
    let no_gpu = hardware_listed || case.has("no-cuda-gpu-reported");
    no_gpu && !case.shows_nvidia() && case.fact(Key::Gfx).is_none() && !case.has("asks-for-cuda")
}

/// Signs that always mean trouble, though no rule could say which.
fn unanswered_signs(case: &Case) -> bool {
    [
        "nvidia-smi-failed",
        "no-devices-found",
        "nvml-unknown-error",
        "driver-too-old-text",
        "no-kernel-image",
        "cuda-error-999",
        "error-802",
        "error-803",
        "error-804",
        "no-cuda-device",
        "hip-no-code",
        "rm-init-failed",
        "illegal-instruction",
        "missing-library",
        "no-device-driver",
        "undefined-symbol",
        "no-nvidia-driver-text",
        "nvidia-smi-missing",
        "kfd-absent",
    ]
    .iter()
    .any(|sign| case.has(sign))
}

fn speaks_of_trouble(case: &Case, input: &Input) -> bool {
    // A fabric manager that is not there means nothing where there are no switches.
    let without_switches = case.board().is_some_and(|board| board.class != "datacenter");
    let is_query = input.text().contains("NVSMI LOG") || input.text().contains("<nvidia_smi_log>");
    input.lines().any(|(_, line)| {
        let indented_query = is_query && line.starts_with([' ', '\t', '<']);
        let of_switches = without_switches && line.to_lowercase().contains("fabricmanager");
        !indented_query && !of_switches && !is_report(case, line) && is_trouble(line)
    })
}

/// What a program reports of itself without complaint; and its warnings, where it then sees the GPU all the same.
fn is_report(case: &Case, line: &str) -> bool {
    let level = line.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    matches!(level, "INFO" | "DEBUG" | "I") || matches!(level, "WARNING" | "W") && case.has("cuda-available")
}

fn is_trouble(line: &str) -> bool {
    let lower = line.to_lowercase();
    if HARMLESS.iter().any(|words| lower.contains(words)) || is_package_row(&lower) {
        return false;
    }
    let kernel_time = lower.trim_start().starts_with('[') && lower.contains(']') || lower.contains("kernel:");
    if kernel_time && !OF_GPUS.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let is_word = |c: char| c.is_alphanumeric() || "_'-.".contains(c);
    let mut words = line.split(|c: char| !is_word(c)).map(|word| word.trim_matches(['.', '\'', '-']));
    words.any(|word| {
        TROUBLE.contains(&word.to_lowercase().as_str()) || word.ends_with("Error") && word.len() > 5
    }) || TROUBLE_PAIRS.iter().any(|pair| lower.contains(pair))
}

/// `exceptiongroup 1.2.0`
fn is_package_row(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (Some(name), Some(version)) = (words.next(), words.next()) else { return false };
    words.next().is_none() && version.starts_with(|c: char| c.is_ascii_digit()) && !name.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_trouble() {
        for line in [
            "RuntimeError: CUDA error",
            "the job hangs",
            "ValueError: bad",
            "could not open x",
            "NVRM: Xid (PCI): 62",
        ] {
            assert!(is_trouble(line), "{line}");
        }
        for line in [
            "Nvidia driver version: Could not collect",
            "exceptiongroup 1.2.0",
            "[pip3] torch==2.8.0",
            "| N/A 34C | Volatile Uncorr. ECC |",
            "[    0.5] ACPI Error: bad table",
            "NCCL_ASYNC_ERROR_HANDLING=1",
        ] {
            assert!(!is_trouble(line), "{line}");
        }
    }
}
