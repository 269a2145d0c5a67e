//! `nvidia-smi -q` (lines `name : value` under headings) and `nvidia-smi -q -x` (XML), read alike.

use super::{Found, versions};
use crate::fact::Strength;
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "nvidia-smi-query", recognises, read };

fn recognises(input: &Input) -> bool {
    let text = input.text();
    text.contains("NVSMI LOG") || text.contains("<nvidia_smi_log>") || text.contains("Remapped Rows")
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut section = String::new();
    let mut subsection = String::new();
    for (place, line) in input.lines() {
        if let Some((name, value)) = pair(line) {
            take(&section, &subsection, (&name, value), (line, &place), &mut found);
        } else if let Some(heading) = heading(line) {
            let depth = line.len() - line.trim_start().len();
            if depth <= 4 {
                section = heading;
                subsection.clear();
            } else {
                subsection = heading;
            }
        }
        if line.contains("</nvidia_smi_log>") || line.trim_start().starts_with("Processes") {
            found.sign("nvidia-smi-processes", line, &place);
        }
    }
    Reading::Stack(found)
}

/// A name and a value, of either form; the name in lower case with underscores.
fn pair(line: &str) -> Option<(String, &str)> {
    let trimmed = line.trim();
    if let Some(rest) = trimmed.strip_prefix('<') {
        let (name, rest) = rest.split_once('>')?;
        let (value, _) = rest.split_once("</")?;
        return Some((name.to_owned(), value));
    }
    let (name, value) = trimmed.split_once(" : ").or_else(|| {
        // `Remapped Rows  Uncorrectable Error: 12` in a person's copy.
        trimmed.split_once(": ").filter(|(name, _)| name.contains("Error") || name.contains("Pending"))
    })?;
    Some((plain(name), value.trim()))
}

fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

fn heading(line: &str) -> Option<String> {
    let trimmed = line.trim();
    if let Some(tag) = trimmed.strip_prefix('<') {
        return (!tag.starts_with('/')).then(|| tag.trim_end_matches('>').to_owned());
    }
    let short = !trimmed.is_empty() && trimmed.len() < 50 && !trimmed.contains(':');
    short.then(|| plain(trimmed))
}

fn take(section: &str, subsection: &str, pair: (&str, &str), at: (&str, &Place), found: &mut Found) {
    let (name, value) = pair;
    let (line, place) = at;
    let known = !value.is_empty() && value != "N/A" && value != "[N/A]";
    match name {
        "driver_version" if known => {
            found.fact(Key::Driver, value, place, Strength::Printed);
            found.sign("nvidia-smi-works", line, place);
        }
        "cuda_version" if known => {
            if let Some(version) = versions::major_minor(value) {
                found.printed(Key::DriverCuda, version, place);
            }
        }
        "attached_gpus" if known => found.printed(Key::GpuCount, value, place),
        "product_name" if known => {
            found.printed(Key::Gpu, value, place);
            found.sign("nvidia-smi-card", line, place);
        }
        "current" | "current_mig"
            if section.contains("mig") || subsection.contains("mig") || name == "current_mig" =>
        {
            mig(value, place, found);
        }
        "state" if section == "fabric" || subsection == "fabric" => {
            if value.eq_ignore_ascii_case("in progress") || value.eq_ignore_ascii_case("not started") {
                found.sign_with("fabric-not-ready", Some(value.to_owned()), line, place);
            }
        }
        _ => remapping(&format!("{section}/{subsection}"), (name, value), at, found),
    }
}

fn mig(value: &str, place: &Place, found: &mut Found) {
    match value {
        "Enabled" => found.printed(Key::Mig, "on", place),
        "Disabled" => found.printed(Key::Mig, "off", place),
        _ => {}
    }
}

/// Row remapping and the older page retirement.
fn remapping(section: &str, pair: (&str, &str), at: (&str, &Place), found: &mut Found) {
    let (name, value) = pair;
    let (line, place) = at;
    let name = name.rsplit("remapped_rows_").next().unwrap_or(name);
    let in_rows = section.contains("remapped_rows") || pair.0.contains("remapped_rows");
    let yes = value.eq_ignore_ascii_case("yes");
    match name {
        "uncorrectable_error" | "remapped_row_unc" if in_rows => {
            let count: String = value.chars().take_while(char::is_ascii_digit).collect();
            if !count.is_empty() {
                found.printed(Key::RemappedUncorrectable, count, place);
            }
        }
        "pending" | "remapped_row_pending" if in_rows => {
            found.printed(Key::Remap, if yes { "pending" } else { "none" }, place);
            if yes {
                found.sign("remap-pending", line, place);
            }
        }
        "remapping_failure_occurred" | "remapped_row_failure" if yes => {
            found.printed(Key::Remap, "failed", place);
            found.sign("remap-failed", line, place);
        }
        "pending_page_blacklist" | "pending_retirement" | "pending_blacklist" if yes => {
            found.printed(Key::Remap, "pending", place);
            found.sign("remap-pending", line, place);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_xml_agree() {
        let text = "==============NVSMI LOG==============\nDriver Version : 570.86.10\nCUDA Version : 12.8\nAttached GPUs : 1\nGPU 00000000:9C:00.0\n    Product Name : NVIDIA A100 80GB PCIe\n    Remapped Rows\n        Correctable Error : 0\n        Uncorrectable Error : 2\n        Pending : Yes\n        Remapping Failure Occurred : No\n";
        let xml = "<nvidia_smi_log>\n<driver_version>570.86.10</driver_version>\n<cuda_version>12.8</cuda_version>\n<attached_gpus>1</attached_gpus>\n<product_name>NVIDIA A100 80GB PCIe</product_name>\n<remapped_rows>\n<remapped_row_unc>2</remapped_row_unc>\n<remapped_row_pending>Yes</remapped_row_pending>\n<remapped_row_failure>No</remapped_row_failure>\n";
        let values = |text: &str| {
            let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
            found.facts.iter().map(|fact| (fact.key, fact.value.clone())).collect::<Vec<_>>()
        };
        assert_eq!(values(text), values(xml));
        assert!(values(text).contains(&(Key::Remap, "pending".to_owned())));
        assert!(values(text).contains(&(Key::RemappedUncorrectable, "2".to_owned())));
    }
}
