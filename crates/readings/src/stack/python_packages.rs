//! Python distributions: `pip list`, `pip freeze`, `conda list`, `uv pip list`, the package lines of `collect_env`,
//! wheel file names, and names with versions in a person's words.

use super::{Found, Manager, Package, canonical_name};
use crate::{Input, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "python-packages", recognises, read };

/// Packages that a sentence may name with a version after a space: `ctranslate2 4.3`.
const KNOWN: &[&str] = &[
    "vllm",
    "sglang",
    "flash-attn",
    "flashinfer-python",
    "xformers",
    "bitsandbytes",
    "onnxruntime-gpu",
    "onnxruntime",
    "ctranslate2",
    "faster-whisper",
    "tensorflow",
    "tensorflow-gpu",
    "tf-nightly-gpu",
    "tf-nightly",
    "jax",
    "jaxlib",
    "jax-cuda12-plugin",
    "jax-cuda13-plugin",
    "torchvision",
    "torchaudio",
    "transformers",
    "deepspeed",
    "accelerate",
    "triton",
    "pytorch-triton",
    "pytorch-triton-rocm",
    "llama-cpp-python",
    "tensorrt",
    "tensorrt-llm",
    "cupy",
    "auto-gptq",
    "autoawq",
    "nvidia-nccl-cu11",
    "nvidia-nccl-cu12",
    "nvidia-nccl-cu13",
    "nvidia-cudnn-cu11",
    "nvidia-cudnn-cu12",
    "nvidia-cudnn-cu13",
    "ollama",
    "sgl-kernel",
    "apex",
    "torch-scatter",
    "paddlepaddle-gpu",
    "numba",
];

fn recognises(input: &Input) -> bool {
    let text = input.text();
    text.contains("==")
        || text.contains("[pip3]")
        || text.contains("[conda]")
        || text.contains("Package    ")
        || text.contains("packages in environment")
        || told_anywhere(text)
}

fn told_anywhere(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    KNOWN.iter().any(|name| lower.contains(name))
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut in_table = false;
    for (place, line) in input.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("Package ") && trimmed.contains("Version")
            || trimmed.contains("packages in environment at")
        {
            in_table = true;
            continue;
        }
        if in_table && (trimmed.is_empty() || trimmed.starts_with('$')) {
            in_table = false;
        }
        if is_about_requirements(trimmed) {
            continue;
        }
        let row = in_table.then(|| columns(trimmed)).flatten();
        match row.or_else(|| collect_env(trimmed)) {
            Some((name, version)) => push(&mut found, (name, version), Manager::Python, &place),
            None => pinned(trimmed, &place, &mut found),
        }
        if row.is_none() {
            told(trimmed, &place, &mut found);
        }
    }
    Reading::Stack(found)
}

/// `vllm 0.11.0 requires torch==2.8.0, but you have …`: what is asked for is not what is there.
fn is_about_requirements(line: &str) -> bool {
    line.contains(" requires ") || line.contains("has requirement") || line.contains("Collecting ")
}

fn push(found: &mut Found, row: (&str, &str), manager: Manager, place: &Place) {
    let (name, version) = (canonical_name(row.0), row.1.trim_end_matches(['.', ',', ';', ':', ')']));
    let known = |package: &Package| package.name == name && package.version == version;
    if !found.packages.iter().any(known) {
        found.packages.push(Package { name, version: version.to_owned(), manager, place: place.clone() });
    }
}

fn is_name(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || ".+_-!".contains(c))
}

/// `name    1.2.3` and, of conda, what follows.
fn columns(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    let (name, version) = (words.next()?, words.next()?);
    (is_name(name) && is_version(version)).then_some((name, version))
}

/// `[pip3] torch==2.8.0` and `[conda] torch  2.8.0  pypi_0  pypi`.
fn collect_env(line: &str) -> Option<(&str, &str)> {
    let rest = line
        .strip_prefix("[pip3]")
        .or_else(|| line.strip_prefix("[pip]"))
        .or_else(|| line.strip_prefix("[conda]"))?;
    let rest = rest.trim();
    rest.split_once("==")
        .filter(|(name, version)| is_name(name) && is_version(version))
        .or_else(|| columns(rest))
}

/// `name==1.2.3` anywhere, outside a command to install.
fn pinned(line: &str, place: &Place, found: &mut Found) {
    let installs = line.contains("pip install") || line.contains("conda install") || line.contains("uv add");
    if installs {
        return;
    }
    for word in line.split(|c: char| c.is_whitespace() || ",;()[]{}\"'`".contains(c)) {
        if let Some((name, version)) = word.split_once("==") {
            let version = version.trim_end_matches(['.', ':']);
            if is_name(name) && is_version(version) {
                push(found, (name, version), Manager::Python, place);
            }
        }
        if let Some((name, version)) = wheel(word) {
            push(found, (name, version), Manager::Told, place);
        }
    }
}

/// `torch-2.7.0+cu128-cp310-cp310-manylinux_2_28_x86_64.whl`
fn wheel(word: &str) -> Option<(&str, &str)> {
    let file = word.strip_suffix(".whl")?.rsplit('/').next()?;
    let mut parts = file.split('-');
    let (name, version) = (parts.next()?, parts.next()?);
    (is_name(name) && is_version(version)).then_some((name, version))
}

/// `vllm 0.22.0`, `ctranslate2 4.3`, `jaxlib v0.5.3`, `onnxruntime-gpu version 1.16`.
fn told(line: &str, place: &Place, found: &mut Found) {
    let words: Vec<&str> = line.split_whitespace().collect();
    for (index, word) in words.iter().enumerate() {
        let name = word.trim_matches(|c: char| "(),;:\"'`[]*".contains(c));
        let known = canonical_name(name);
        if !KNOWN.contains(&known.as_str()) || word.ends_with([',', ';', ')']) {
            continue;
        }
        let next = words[index + 1..].iter().find(|next| {
            !matches!(next.to_ascii_lowercase().as_str(), "version" | "version:" | "v" | "=" | ":")
        });
        let Some(next) = next else { continue };
        let version =
            next.trim_start_matches(['(', 'v', 'V']).trim_end_matches(|c: char| ",;:)('\"`".contains(c));
        let version = version.trim_end_matches('.');
        // "tensorflow 1.5 works" names a version; "vllm 2 GPUs" does not.
        if is_version(version)
            && version.contains('.')
            && !found.packages.iter().any(|package| package.name == known)
        {
            push(found, (name, version), Manager::Told, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        found.packages.iter().map(|p| format!("{} {}", p.name, p.version)).collect()
    }

    #[test]
    fn every_form_of_list() {
        assert_eq!(
            names(
                "Package            Version\n------- -----\ntorch   2.7.0+cu128\nflash_attn  2.7.4.post1\n\nx 1.0"
            ),
            ["torch 2.7.0+cu128", "flash-attn 2.7.4.post1"]
        );
        assert_eq!(
            names("[pip3] nvidia-nccl-cu12==2.27.3\n[conda] torch  2.8.0  pypi_0 pypi"),
            ["nvidia-nccl-cu12 2.27.3", "torch 2.8.0"]
        );
        assert_eq!(
            names(
                "# packages in environment at /opt:\n# Name  Version\ntorch  2.5.1  py3.11_cuda12.4  pytorch"
            ),
            ["torch 2.5.1"]
        );
        assert_eq!(
            names("faster-whisper 1.0.2, ctranslate2 4.3"),
            ["faster-whisper 1.0.2", "ctranslate2 4.3"]
        );
        assert_eq!(
            names("Downloading torch-2.7.0+cu128-cp310-cp310-manylinux_2_28_x86_64.whl"),
            ["torch 2.7.0+cu128"]
        );
    }

    #[test]
    fn what_is_asked_for_is_not_there() {
        assert!(names("vllm 0.11.0 requires torch==2.8.0, but you have torch 2.9.0").is_empty());
        assert!(names("pip install torch==2.11.0").is_empty());
    }
}
