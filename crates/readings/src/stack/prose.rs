//! PyTorch's and CUDA's versions wherever they are mentioned: what stands around a number decides whose it is.

use super::{Found, versions};
use crate::fact::Strength;
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "versions", recognises, read };

fn recognises(input: &Input) -> bool {
    let lower = input.text().to_ascii_lowercase();
    lower.contains("torch") || lower.contains("cuda ") || lower.contains("+cu")
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    for (place, line) in input.lines() {
        let lower = line.to_ascii_lowercase();
        torch(line, &lower, &place, &mut found);
        lone_version(line, &place, &mut found);
        tags(line, &lower, &place, &mut found);
        cuda(line, &lower, &place, &mut found);
    }
    Reading::Stack(found)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Every `torch 2.7.0+cu128`, `PyTorch version: …`, `torch==…`.
fn torch(line: &str, lower: &str, place: &Place, found: &mut Found) {
    for (at, _) in lower.match_indices("torch") {
        let before = lower[..at].trim_end_matches("py");
        if before.ends_with(|c: char| is_word(c) || "-/.".contains(c)) {
            continue;
        }
        let after = &line[at + "torch".len()..];
        let Some((version, offset)) = version_after(after) else { continue };
        if is_anothers(before) || after[..offset].contains('>') {
            continue;
        }
        let strength = match () {
            () if before.contains("pip install")
                || before.contains("uv ")
                || before.contains("conda install") =>
            {
                Strength::Implied
            }
            () if after.starts_with(" version:")
                || after.starts_with("==")
                || before.ends_with("you have ") =>
            {
                Strength::Printed
            }
            () => Strength::Told,
        };
        take_torch(version, place, strength, found);
    }
}

/// Whether the words before say that the version is another's: what a wheel was built for, what a package asks for.
fn is_anothers(before: &str) -> bool {
    let before = before.trim_end();
    [
        "built for",
        "built for:",
        "built against",
        "compiled for",
        "for",
        "requires",
        "require",
        "against",
        "requirement",
        "needs",
        "until",
        "since",
        "from",
        "with",
    ]
    .iter()
    .any(|words| before.ends_with(words) && !before.ends_with("installed with"))
}

/// The version that follows, and where it begins, when only dividers and the word "version" stand between.
fn version_after(text: &str) -> Option<(&str, usize)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let between = text[..start].to_ascii_lowercase();
    let between = between.replace("__version__", "").replace("version", "");
    let plain = between.chars().all(|c| " \t=:-(v'\"`>|".contains(c)) && between.len() <= 40;
    let rest = &text[start..];
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || ".+_".contains(c))).unwrap_or(rest.len());
    let version = rest[..end].trim_end_matches('.');
    let major: u32 = version.split('.').next()?.parse().ok()?;
    (plain && start > 0 && version.contains('.') && major <= 3).then_some((version, start))
}

fn take_torch(version: &str, place: &Place, strength: Strength, found: &mut Found) {
    let (plain, local) = version.split_once('+').unwrap_or((version, ""));
    if let Some(cuda) = local.strip_prefix("cu").and_then(versions::of_cu_tag) {
        found.fact(Key::TorchCuda, cuda, place, strength.max(Strength::Printed));
    }
    if let Some(rocm) = local.strip_prefix("rocm") {
        found.fact(Key::Rocm, rocm, place, strength);
        found.sign_with("torch-rocm-build", Some(version.to_owned()), version, place);
    }
    if local == "cpu" {
        found.fact(Key::TorchCuda, "none", place, strength.max(Strength::Printed));
        found.sign_with("torch-cpu-tag", Some(version.to_owned()), version, place);
    }
    let shown = if local.is_empty() || local == "cpu" { version } else { plain };
    found.fact(Key::Torch, shown, place, strength);
}

/// `2.7.0+cu128` alone on its line, as `print(torch.__version__)` gives it.
fn lone_version(line: &str, place: &Place, found: &mut Found) {
    let word = line.trim().trim_matches(['\'', '"']);
    let Some((plain, local)) = word.split_once('+') else { return };
    let tagged = ["cu", "rocm", "cpu"].iter().any(|tag| local.starts_with(tag));
    if tagged && plain.len() < 24 && plain.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(' ') {
        take_torch(word, place, Strength::Told, found);
    }
}

/// `cu128` of an index or a backend: what PyTorch was taken from.
fn tags(line: &str, lower: &str, place: &Place, found: &mut Found) {
    let about_torch = lower.contains("torch") && !lower.contains("wheels.vllm.ai");
    if !about_torch {
        return;
    }
    for (at, _) in lower.match_indices("cu1") {
        let before = &lower[..at];
        let rest = &line[at + 2..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let whole = end == 3 && !before.ends_with(is_word) && !rest[end..].starts_with(is_word);
        let introduced = ["/", "=", " ", "(", "+"].iter().any(|divider| before.ends_with(divider));
        if !whole
            || !introduced
            || before.ends_with('+')
            || before.contains("built for")
            || before.contains("flash")
        {
            continue;
        }
        if let Some(version) = versions::of_cu_tag(&rest[..end]) {
            let installs = before.contains("torch-backend")
                || before.contains("whl/")
                || before.ends_with("torch ")
                || lower[at..].contains("index");
            let strength = if installs { Strength::Told } else { Strength::Implied };
            found.fact(Key::TorchCuda, version, place, strength);
        }
    }
}

/// Every `CUDA 12.8`: the driver's, PyTorch's, an image's or the machine's.
fn cuda(line: &str, lower: &str, place: &Place, found: &mut Found) {
    for (at, _) in lower.match_indices("cuda") {
        let before = &lower[..at];
        let after = &lower[at + 4..];
        if before.ends_with(|c: char| is_word(c) || "-/.".contains(c))
            || lower.contains("nvidia-smi ") && lower.contains("driver version")
        {
            continue;
        }
        let Some(start) = after.find(|c: char| c.is_ascii_digit()) else { continue };
        let between = &after[..start];
        let versioned = between.contains("version");
        let plain = between.replace("toolkit", "").replace("version", "").replace("runtime", "");
        if start == 0 || !plain.chars().all(|c| " \t:=v(".contains(c)) {
            continue;
        }
        let number = &line[at + 4 + start..];
        let end = number.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(number.len());
        let Some(version) = versions::major_minor(&number[..end]) else { continue };
        if !(6..=30).contains(&versions::major(&version).unwrap_or(0)) {
            continue;
        }
        // The runtime is what is installed, whatever the driver could do.
        if between.contains("runtime") && versioned {
            found.fact(Key::Cuda, version, place, Strength::Told);
            continue;
        }
        let colon = versioned && between.contains(':');
        if let Some((key, strength)) = owner(before, colon) {
            found.fact(key, version, place, strength);
        }
    }
}

/// Whose CUDA version it is, by the words before; `None` when it is nobody's here.
fn owner(before: &str, version_with_colon: bool) -> Option<(Key, Strength)> {
    let before = before.trim_end();
    let clause = before.rsplit([';', '|']).next().unwrap_or(before);
    let last_comma = clause.rsplit(',').next().unwrap_or(clause);
    if before.ends_with('(') && clause.contains("driver")
        || last_comma.ends_with("nvidia-smi")
        || last_comma.ends_with("driver")
        || last_comma.contains("supports")
    {
        return Some((Key::DriverCuda, Strength::Told));
    }
    let made = [
        "built for",
        "built with",
        "compiled with",
        "compiled for",
        "build of",
        "build for",
        "based on",
        "compiled against",
    ];
    let is_made = made.iter().any(|words| last_comma.trim_end().ends_with(words));
    if clause.contains("image") || clause.contains("container") {
        return Some((Key::ImageCuda, Strength::Told));
    }
    if clause.contains("torch") && (is_made || before.ends_with('(')) {
        return Some((Key::TorchCuda, Strength::Told));
    }
    if is_made
        || [
            "requires",
            "needs",
            "need",
            "for",
            "than",
            "since",
            "until",
            "requirement:",
            "condition:",
            ">=",
            "before",
            "no",
        ]
        .iter()
        .any(|word| last_comma.ends_with(word))
    {
        return None;
    }
    if version_with_colon {
        return Some((Key::DriverCuda, Strength::Told));
    }
    Some((Key::Cuda, Strength::Told))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<(Key, String)> {
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        found.facts.into_iter().map(|fact| (fact.key, fact.value)).collect()
    }

    fn has(text: &str, key: Key, value: &str) -> bool {
        values(text).contains(&(key, value.to_owned()))
    }

    #[test]
    fn torch_in_every_notation() {
        assert!(has("Python 3.12 / PyTorch 2.8.0+cu128 / Ubuntu", Key::Torch, "2.8.0"));
        assert!(has("Python 3.12 / PyTorch 2.8.0+cu128 / Ubuntu", Key::TorchCuda, "12.8"));
        assert!(has("PyTorch version: 1.7.1+cpu", Key::Torch, "1.7.1+cpu"));
        assert!(has("PyTorch version: 1.7.1+cpu", Key::TorchCuda, "none"));
        assert!(has("torch==2.5.1 from the cu121 index", Key::TorchCuda, "12.1"));
        assert!(has("torch==2.10.0.dev20250929+rocm7.0 (nightly)", Key::Rocm, "7.0"));
        assert!(!has("(wheel built for torch 2.6 cu124)", Key::Torch, "2.6"));
        assert!(!has("torchvision 0.20.1 pytorch-triton 3.5.0", Key::Torch, "0.20.1"));
    }

    #[test]
    fn whose_cuda_it_is() {
        assert_eq!(values("driver 545.23.08 (dkms), CUDA 12.3."), [(Key::Cuda, "12.3".to_owned())]);
        assert_eq!(values("driver 580.105.08 (CUDA 13.0)"), [(Key::DriverCuda, "13.0".to_owned())]);
        assert_eq!(values("container image built for CUDA 12.9"), [(Key::ImageCuda, "12.9".to_owned())]);
        assert_eq!(values("torch built with CUDA 13.1"), [(Key::TorchCuda, "13.1".to_owned())]);
        assert_eq!(
            values("Driver: 570.86.10   nvidia-smi CUDA: 12.8"),
            [(Key::DriverCuda, "12.8".to_owned())]
        );
        assert_eq!(values("unsatisfied condition: cuda>=12.8"), []);
    }
}
