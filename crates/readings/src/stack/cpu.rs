//! The CPU: `/proc/cpuinfo`, `lscpu`, and a model's name in a sentence.

use super::Found;
use crate::fact::Strength;
use crate::{Input, Key, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "cpu", recognises, read };

fn recognises(input: &Input) -> bool {
    let text = input.text();
    text.contains("flags")
        || text.contains("Flags:")
        || text.contains("odel name")
        || text.contains("Intel(R)")
        || text.contains("AMD ")
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    for (place, line) in input.lines() {
        if let Some(flags) = flags(line) {
            let has = |name: &str| flags.split_whitespace().any(|flag| flag == name);
            found.fact(Key::Avx, if has("avx") { "yes" } else { "no" }, &place, Strength::Exact);
            for (flag, sign) in [("avx2", "cpu-without-avx2"), ("avx512f", "cpu-without-avx512")] {
                if !has(flag) {
                    found.sign(sign, line.get(..120.min(line.len())).unwrap_or(""), &place);
                }
            }
        }
        if let Some(name) = model(line) {
            found.printed(Key::Cpu, name, &place);
        }
        if found.facts.len() > 64 {
            break;
        }
    }
    Reading::Stack(found)
}

/// The flags of an x86 CPU, when the line holds them whole: a list without `fpu` or `sse2` is cut or another's.
fn flags(line: &str) -> Option<&str> {
    let at = line.to_ascii_lowercase().find("flags")?;
    let (label, flags) = line[at..].split_once(':')?;
    let is_flags = label.trim().len() == "flags".len() && !line[..at].ends_with("vmx ");
    let whole = flags.contains(" fpu") && flags.contains("sse2") && flags.split_whitespace().count() > 20;
    (is_flags && whole).then_some(flags)
}

fn model(line: &str) -> Option<&str> {
    if let Some((label, value)) = line.split_once(':') {
        let label = label.trim().to_ascii_lowercase();
        let value = value.trim();
        if matches!(label.as_str(), "model name" | "cpu" | "processor" | "cpu model")
            && value.chars().any(char::is_alphabetic)
            && value.len() > 3
        {
            return Some(value);
        }
    }
    let at = line.find("Intel(R) ").or_else(|| line.find("AMD Ryzen")).or_else(|| line.find("AMD EPYC"))?;
    let rest = &line[at..];
    let end = rest.find([',', ';', '|']).or_else(|| rest.find(" without ")).unwrap_or(rest.len());
    Some(rest[..end].trim()).filter(|name| {
        name.contains("CPU") || name.starts_with("AMD") || name.contains("Xeon") || name.contains("Core")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_in_list_and_sentence() {
        assert_eq!(
            model("model name\t: AMD EPYC 7763 64-Core Processor"),
            Some("AMD EPYC 7763 64-Core Processor")
        );
        assert_eq!(
            model("Intel(R) Core(TM) i3 CPU M 330 @ 2.13GHz, 8 GB, no GPU"),
            Some("Intel(R) Core(TM) i3 CPU M 330 @ 2.13GHz")
        );
    }

    #[test]
    fn a_cut_list_of_flags_says_nothing() {
        assert_eq!(flags("flags : fpu vme de pse"), None);
        let whole = "flags: fpu vme de pse tsc msr sse sse2 ht syscall nx lm constant_tsc nopl pni dtes64 monitor vmx est tm2 ssse3 cx16";
        assert!(flags(whole).is_some_and(|flags| !flags.contains(" avx ")));
    }
}
