//! AMD targets: `rocminfo`, the targets in a library (`roc-obj-ls`), and a target in a sentence.

use super::Found;
use crate::fact::Strength;
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "rocm", recognises, read };

fn recognises(input: &Input) -> bool {
    input.text().contains("gfx") || input.text().contains("rocminfo") || input.text().contains("ROCk")
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut targets: Vec<(String, Place)> = Vec::new();
    let mut listing = false;
    for (place, line) in input.lines() {
        // rocBLAS lists its own files: neither the card nor what the framework holds.
        if line.contains("TensileLibrary") && !line.contains("GPU arch") {
            continue;
        }
        let names = targets_in(line);
        if line.contains("roc-obj-ls")
            || line.contains("get_arch_list")
            || line.contains("PYTORCH_ROCM_ARCH")
            || line.contains("AMDGPU_TARGETS")
            || line.contains("GPU_TARGETS")
        {
            listing = true;
        }
        match names.as_slice() {
            [] => {
                listing = listing && line.trim().is_empty();
            }
            [one] if !listing => {
                let strength = if line.contains("Name:") { Strength::Exact } else { Strength::Told };
                if !line.contains("OVERRIDE") {
                    found.fact(Key::Gfx, one.as_str(), &place, strength);
                }
            }
            many if listing || many.len() >= 3 => {
                targets.extend(many.iter().map(|name| (name.clone(), place.clone())));
            }
            two => {
                if !line.contains("OVERRIDE") {
                    found.fact(Key::Gfx, two[0].as_str(), &place, Strength::Told);
                }
            }
        }
        if line.contains("*** Done ***") {
            found.sign("rocminfo-complete", line, &place);
        }
    }
    if let Some((_, place)) = targets.first().cloned() {
        let mut unique: Vec<String> = Vec::new();
        for (name, _) in targets {
            if !unique.contains(&name) {
                unique.push(name);
            }
        }
        found.printed(Key::WheelArchs, unique.join(","), &place);
    }
    Reading::Stack(found)
}

/// The targets that a line names, each once.
fn targets_in(line: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, _) in line.match_indices("gfx") {
        let rest = &line[at + 3..];
        let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
        let name = format!("gfx{}", &rest[..end]);
        let digits_first = rest.starts_with(|c: char| c.is_ascii_digit());
        if (3..=4).contains(&end)
            && digits_first
            && !rest[end..].starts_with(|c: char| c.is_ascii_alphanumeric())
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, key: Key) -> Option<String> {
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        found.facts.iter().find(|fact| fact.key == key).map(|fact| fact.value.clone())
    }

    #[test]
    fn the_card_and_the_library() {
        let text = "RX 5700 XT\n$ roc-obj-ls libtorch_hip.so | grep -o 'gfx[0-9a-f]*' | sort -u\ngfx1030 gfx900 gfx90a\n";
        assert_eq!(value(text, Key::WheelArchs).as_deref(), Some("gfx1030,gfx900,gfx90a"));
        assert_eq!(value(text, Key::Gfx), None);
        assert_eq!(value("  Name:                    gfx1151\n", Key::Gfx).as_deref(), Some("gfx1151"));
        assert_eq!(value("HSA_OVERRIDE_GFX_VERSION for gfx1103", Key::Gfx), None);
    }
}
