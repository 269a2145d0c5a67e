//! Xids and row remapping: which hardware fault it is, and whether a reset is enough or the card must go.

use std::collections::BTreeSet;

use maat_base::Finding;
use maat_readings::Key;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::xid;

pub const RULE: Rule = Rule {
    name: "xids",
    codes: &[
        "xid-79-off-bus",
        "xid-64-remap-failed",
        "xid-ecc-uncorrectable",
        "xid-74-nvlink",
        "xid-119-gsp-timeout",
        "gpu-remap-pending",
        "xid-app-fault",
    ],
    judge,
};

/// Which code an Xid means. The numbers are NVIDIA's; 154 only repeats what another Xid asks for.
const MEANING: &[(&str, &[u32])] = &[
    ("xid-79-off-bus", &[79]),
    ("xid-64-remap-failed", &[64]),
    ("xid-ecc-uncorrectable", &[48, 94, 95, 140, 171, 172]),
    ("xid-74-nvlink", &[74, 144, 145, 146, 147, 148, 149, 150, 155]),
    ("xid-119-gsp-timeout", &[119, 120]),
    ("gpu-remap-pending", &[63]),
];
/// Says which recovery another Xid asks for, never why.
const RECOVERY_ACTION: u32 = 154;
/// Classes of the table that are the program's.
const OF_PROGRAMS: &[&str] = &["app", "follow-on"];

fn judge(case: &Case) -> Vec<Hit> {
    let numbers = case.xids();
    let mut codes_found: BTreeSet<&'static str> = BTreeSet::new();
    for (code, of_code) in MEANING {
        if numbers.iter().any(|number| of_code.contains(number)) {
            codes_found.insert(code);
        }
    }
    let remap = case.value(Key::Remap);
    let by_other_words = [
        ("xid-64-remap-failed", remap == Some("failed") || case.has("remap-failed")),
        ("xid-ecc-uncorrectable", case.has("ecc-error") || case.has("ecc-volatile-uncorrected")),
        ("gpu-remap-pending", case.has("remap-pending") || case.has("remap-marked")),
    ];
    codes_found.extend(by_other_words.into_iter().filter(|(_, said)| *said).map(|(code, _)| code));
    let of_program =
        |number: &u32| xid::xid(*number).is_some_and(|row| OF_PROGRAMS.contains(&row.class.as_str()));
    let mut causes = numbers.iter().filter(|number| **number != RECOVERY_ACTION).peekable();
    if codes_found.is_empty() && causes.peek().is_some() && causes.all(of_program) {
        codes_found.insert("xid-app-fault");
    }
    codes_found.into_iter().map(|code| Hit::proven(finding(case, code))).collect()
}

fn finding(case: &Case, code: &'static str) -> Finding {
    let of_code = MEANING.iter().find(|(name, _)| *name == code).map(|(_, numbers)| *numbers);
    let lines = case.signs("xid").filter(|sign| {
        let number: Option<u32> = sign.value.as_deref().and_then(|value| value.parse().ok());
        number.is_some_and(|number| of_code.is_none_or(|numbers| numbers.contains(&number)))
    });
    let mut finding = codes::finding(code)
        .with("xids", case.xids().iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    for sign in lines.take(5) {
        finding = finding.because("xid", sign.line.as_str(), sign.place.to_string());
    }
    finding = case.show(finding, &["remap-failed", "ecc-error", "ecc-volatile-uncorrected", "remap-pending"]);
    finding = case.prove(finding, &[Key::Gpu, Key::Driver, Key::RemappedUncorrectable, Key::Remap]);
    finding.commands = commands(code, case);
    finding
}

fn commands(code: &str, case: &Case) -> Vec<String> {
    let list: &[&str] = match code {
        "xid-79-off-bus" => &["nvidia-smi -q -d TEMPERATURE,POWER", "sudo nvidia-smi -lgc 300,1500"],
        "xid-ecc-uncorrectable" | "xid-64-remap-failed" => &["nvidia-smi -q -d ECC,ROW_REMAPPER"],
        "xid-74-nvlink" => &["nvidia-smi nvlink -e"],
        "xid-119-gsp-timeout" if case.has("proprietary-kernel-module") => {
            &["echo 'options nvidia NVreg_EnableGpuFirmware=0' | sudo tee /etc/modprobe.d/nvidia-gsp.conf"]
        }
        "xid-app-fault" => &["compute-sanitizer python your_program.py"],
        _ => &[],
    };
    if code == "gpu-remap-pending" {
        let card = case.signs("xid").find_map(|sign| pci_address(&sign.line));
        let one = card.map_or_else(String::new, |address| format!(" -i {address}"));
        return vec![format!("sudo nvidia-smi --gpu-reset{one}")];
    }
    list.iter().map(|command| (*command).to_owned()).collect()
}

/// `0000:9c:00.0` of `Xid (PCI:0000:9c:00): 63`, as `nvidia-smi -i` takes it.
fn pci_address(line: &str) -> Option<String> {
    let address: String = line
        .split_once("(PCI:")?
        .1
        .chars()
        .take_while(|c| c.is_ascii_hexdigit() || matches!(c, ':' | '.'))
        .collect();
    (address.split(':').count() == 3).then(|| if address.contains('.') { address } else { address + ".0" })
}
