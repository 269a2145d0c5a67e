//! A CUDA library that could not be opened: which of several causes it is depends on what else is there.
//!
//! ONNX Runtime built for another major; an environment of two majors; or the library is nowhere at all. cuDNN has its
//! own rule.

use maat_base::Finding;
use maat_readings::Key;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::frameworks;

pub const RULE: Rule = Rule {
    name: "cuda_libraries",
    codes: &["ort-cuda-mismatch", "cuda-major-mix", "cuda-runtime-missing"],
    judge,
};

/// Libraries whose number is the CUDA major, as their sonames begin.
const OF_THE_MAJOR: &[&str] =
    &["libcudart", "libcublas", "libcublasLt", "libnvrtc", "libnvJitLink", "libcusparse", "libcupti"];

fn judge(case: &Case) -> Vec<Hit> {
    let missing =
        case.facts(Key::MissingLibrary).find_map(|fact| Some((fact.value.clone(), major_of(&fact.value)?)));
    if let Some((library, major)) = missing {
        return missing_library(case, &library, major).into_iter().collect();
    }
    mixed_packages(case).into_iter().collect()
}

/// `libcudart.so.11.0` is 11, `libcublasLt.so.12` is 12, `cudart64_110.dll` and `cublas64_12.dll` likewise.
fn major_of(library: &str) -> Option<u64> {
    if let Some((name, version)) = library.split_once(".so.") {
        return OF_THE_MAJOR.contains(&name).then(|| versions::major(version)).flatten();
    }
    let (name, number) = library.strip_suffix(".dll")?.split_once("64_")?;
    let number: u64 = number.parse().ok()?;
    ["cudart", "cublas", "cublasLt"].contains(&name).then_some(if number >= 90 {
        number / 10
    } else {
        number
    })
}

/// The majors that the rest of the case speaks of.
fn other_majors(case: &Case, missing: u64) -> Vec<u64> {
    let keys = [Key::TorchCuda, Key::Cuda, Key::Nvcc, Key::ImageCuda];
    let stated = keys.iter().filter_map(|key| case.value(*key)).filter_map(versions::major);
    let wheels = case.packages().iter().filter_map(|package| wheel_major(&package.name));
    stated.chain(wheels).filter(|major| *major != missing).collect()
}

/// `nvidia-cublas-cu12` is 12.
fn wheel_major(package: &str) -> Option<u64> {
    package.strip_prefix("nvidia-")?.rsplit_once("-cu")?.1.parse().ok()
}

fn missing_library(case: &Case, library: &str, major: u64) -> Option<Hit> {
    if case.has("bnb-not-found") {
        return None;
    }
    let others = other_majors(case, major);
    let same_torch = case.value(Key::TorchCuda).and_then(versions::major) == Some(major);
    if case.has("ort-load-failed") && !others.is_empty() {
        return Some(Hit::proven(onnxruntime(case, library, major)));
    }
    if case.has("ort-load-failed") && !onnxruntime_wants(case, major) {
        return None; // the installed CUDA is not shown: it may be of another major
    }
    let in_python = case.value(Key::TorchCuda).is_some_and(|cuda| cuda != "none");
    let code = if in_python && !same_torch { "cuda-major-mix" } else { "cuda-runtime-missing" };
    if code == "cuda-runtime-missing" && !was_looked_for(case, major) {
        return None;
    }
    let mut finding = codes::finding(code).with("library", library).with("major", major);
    finding = finding.with("other", case.value(Key::TorchCuda).unwrap_or("unknown"));
    finding = case.show(finding, &["missing-library"]);
    finding = case.prove(
        finding,
        &[Key::TorchCuda, Key::Torch, Key::Packages, Key::Cuda, Key::Driver, Key::DriverCuda],
    );
    finding.commands = mix_commands(case, code);
    Some(Hit::proven(finding))
}

/// "Nowhere" needs more than a name: a list of what is there, a toolkit, a framework that opened its other libraries, or
/// the machine; and a driver that could run the major at all.
fn was_looked_for(case: &Case, major: u64) -> bool {
    if case.value(Key::DriverCuda).and_then(versions::major).is_some_and(|driver| driver < major) {
        return false;
    }
    let looked =
        ["looked-for-libraries", "tf-skips-gpu", "tf-opens-libraries"].iter().any(|sign| case.has(sign));
    let known =
        [Key::Cuda, Key::Nvcc, Key::Driver, Key::TorchCuda].iter().any(|key| case.fact(*key).is_some());
    looked || known || case.packages().len() > 1
}

fn mix_commands(case: &Case, code: &str) -> Vec<String> {
    let torch = case.value(Key::TorchCuda).map(|cuda| cuda.replace('.', ""));
    match (code, case.package("vllm"), torch) {
        ("cuda-major-mix", Some(vllm), Some(tag)) => {
            vec![format!(
                "pip install vllm=={v} --extra-index-url https://wheels.vllm.ai/{v}/cu{tag}",
                v = vllm.version
            )]
        }
        _ => Vec::new(),
    }
}

/// Whether the installed onnxruntime-gpu is known to be built for a major.
fn onnxruntime_wants(case: &Case, major: u64) -> bool {
    let need = case
        .package("onnxruntime-gpu")
        .and_then(|package| frameworks::need("onnxruntime-gpu", &package.version));
    need.and_then(|need| need.wheel_cuda.as_deref()).and_then(versions::major) == Some(major)
}

fn onnxruntime(case: &Case, library: &str, major: u64) -> Finding {
    let mut finding = codes::finding("ort-cuda-mismatch").with("library", library).with("major", major);
    finding = case.show(finding, &["ort-load-failed"]);
    finding = case.prove(finding, &[Key::Packages, Key::Cuda, Key::TorchCuda]);
    if let Some(package) = case.package("onnxruntime-gpu")
        && let Some(cuda) =
            frameworks::need("onnxruntime-gpu", &package.version).and_then(|need| need.wheel_cuda.as_deref())
    {
        finding = finding.because("onnxruntime-gpu", format!("CUDA {cuda}"), "facts/stack/frameworks.toml");
    }
    let has_12 = other_majors(case, major).contains(&12);
    finding.command(if has_12 {
        "pip install \"onnxruntime-gpu>=1.19,<1.27\""
    } else {
        "pip install --upgrade onnxruntime-gpu"
    })
}

/// Without an error: only what PyTorch says itself, or builds of its companions for another major.
fn mixed_packages(case: &Case) -> Option<Hit> {
    let said = case.has("different-cuda-majors");
    let local = |name: &str| {
        let version = &case.package(name)?.version;
        versions::major(&versions::of_cu_tag(version.split_once("+cu")?.1)?)
    };
    let companion =
        ["torchvision", "torchaudio"].into_iter().find(|name| match (local(name), local("torch")) {
            (Some(other), Some(torch)) => other != torch,
            _ => false,
        });
    if !said && companion.is_none() {
        return None;
    }
    let mut finding = codes::finding("cuda-major-mix")
        .with("library", companion.unwrap_or("torchvision"))
        .with("major", companion.and_then(local).unwrap_or(0))
        .with("other", case.value(Key::TorchCuda).unwrap_or("unknown"));
    for name in ["torch", "torchvision", "torchaudio"] {
        if let Some(package) = case.package(name) {
            finding = finding.because(name, package.version.as_str(), package.place.to_string());
        }
    }
    finding = case.show(finding, &["different-cuda-majors"]);
    Some(if said { Hit::proven(finding) } else { Hit::inferred(finding) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majors_of_library_names() {
        assert_eq!(major_of("libcudart.so.11.0"), Some(11));
        assert_eq!(major_of("libcublasLt.so.12"), Some(12));
        assert_eq!(major_of("cudart64_110.dll"), Some(11));
        assert_eq!(major_of("cublas64_12.dll"), Some(12));
        assert_eq!(major_of("libcudnn.so.8"), None);
        assert_eq!(major_of("libcuda.so.1"), None);
    }
}
