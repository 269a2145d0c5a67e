//! A symbol that could not be resolved, or two packages that own one file: whose copy was loaded?
//!
//! NCCL's symbols mean an older NCCL; mangled PyTorch symbols mean an extension of another PyTorch or C++ ABI; symbols
//! of CUDA's own libraries mean that a system copy stands before the wheel's.

use maat_base::Finding;
use maat_readings::stack::versions;
use maat_readings::{Key, Place};

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::frameworks;

pub const RULE: Rule = Rule {
    name: "symbols",
    codes: &["nccl-conflict", "cuda-major-mix", "library-path-shadow", "extension-abi-mismatch"],
    judge,
};

/// Which C++ ABI of the standard library a mangled name belongs to. In the Itanium mangling `Ss` stands for the old
/// `std::string`; the new one is spelt out with the inline namespace `__cxx11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abi {
    /// Before GCC 5: `_GLIBCXX_USE_CXX11_ABI=0`.
    Old,
    /// `_GLIBCXX_USE_CXX11_ABI=1`.
    New,
}

/// The ABI of a mangled name, when a string stands in it.
pub fn abi(symbol: &str) -> Option<Abi> {
    if !symbol.starts_with("_Z") {
        None
    } else if symbol.contains("__cxx11") {
        Some(Abi::New)
    } else if symbol.contains("Ss") || symbol.contains("RKSs") {
        Some(Abi::Old)
    } else {
        None
    }
}

fn judge(case: &Case) -> Vec<Hit> {
    let Some(symbol) = case.value(Key::UndefinedSymbol) else {
        return by_other_words(case).into_iter().collect();
    };
    let hit = if symbol.starts_with("nccl") {
        Some(nccl(case, symbol))
    } else if is_of_torch(symbol) {
        Some(extension(case, symbol))
    } else {
        shadow(case, symbol)
    };
    hit.into_iter().collect()
}

/// Names in the namespaces of PyTorch, mangled, or its C interface.
fn is_of_torch(symbol: &str) -> bool {
    const NAMESPACES: &[&str] = &["3c10", "2at", "5torch", "8c10_cuda", "4c10d"];
    let mangled =
        symbol.strip_prefix("_Z").is_some_and(|rest| NAMESPACES.iter().any(|space| rest.contains(space)));
    mangled || symbol.starts_with("aoti_torch") || symbol.starts_with("THP")
}

fn nccl(case: &Case, symbol: &str) -> Hit {
    let mut finding = codes::finding("nccl-conflict").with("symbol", symbol);
    finding = case.show(finding, &["undefined-symbol", "library-path-cuda"]);
    let packages: Vec<_> = case.packages().iter().filter(|p| p.name.starts_with("nvidia-nccl-cu")).collect();
    for package in &packages {
        finding = finding.because(package.name.as_str(), package.version.as_str(), package.place.to_string());
    }
    if let Some(library) = case.libraries("libnccl.so").next() {
        let path = library.path.as_deref().unwrap_or("unknown");
        finding = finding.because(library.name.as_str(), path, library.place.to_string());
    }
    finding = case.prove(finding, &[Key::Torch, Key::Nccl]);
    finding.commands = nccl_commands(case, &packages);
    Hit::proven(finding)
}

/// Two packages that own one file: the other major's goes, the own one is put back.
fn nccl_commands(case: &Case, packages: &[&maat_readings::stack::Package]) -> Vec<String> {
    let torch_major = case.value(Key::TorchCuda).and_then(versions::major).unwrap_or(12);
    let own = format!("nvidia-nccl-cu{torch_major}");
    let others: Vec<&str> = packages.iter().map(|p| p.name.as_str()).filter(|name| *name != own).collect();
    let pinned = case.value(Key::Torch).and_then(frameworks::torch_pins).map(|pins| pins.nccl.clone());
    let there = packages.iter().find(|p| p.name == own).map(|p| p.version.clone());
    let mut commands = Vec::new();
    if !others.is_empty() {
        commands.push(format!("pip uninstall -y {}", others.join(" ")));
    }
    let version = pinned.or(there).map_or(String::new(), |version| format!("=={version}"));
    commands.push(format!("pip install --force-reinstall {own}{version}"));
    commands
}

fn extension(case: &Case, symbol: &str) -> Hit {
    let abi = abi(symbol);
    let which = match abi {
        Some(Abi::Old) => "old",
        Some(Abi::New) => "new",
        None => "other",
    };
    let wanted_by = case.sign("symbol-wanted-by").and_then(|sign| sign.value.clone());
    let file = wanted_by.as_deref().unwrap_or("unknown").rsplit('/').next().unwrap_or("unknown");
    let mut finding = codes::finding("extension-abi-mismatch")
        .with("symbol", symbol)
        .with("file", file)
        .with("abi", which)
        .with("torch", case.value(Key::Torch).unwrap_or("unknown"));
    finding = case.show(finding, &["undefined-symbol"]);
    finding = case.prove(finding, &[Key::Torch, Key::TorchCuda, Key::Packages]);
    if file.contains("flash_attn") {
        finding = finding.command("pip install flash-attn --no-build-isolation --no-binary flash-attn");
    }
    Hit::proven(finding)
}

/// A system copy before the wheel's: a path must show it, or there is nothing to unset.
fn shadow(case: &Case, symbol: &str) -> Option<Hit> {
    let path = shadow_path(case)?;
    let finding = codes::finding("library-path-shadow").with("path", path.0.as_str()).with("symbol", symbol);
    let finding = case.show(finding, &["undefined-symbol", "library-path-cuda"]);
    let finding = finding.because("shadow_path", path.0, path.1.to_string()).command("unset LD_LIBRARY_PATH");
    Some(Hit::proven(finding))
}

/// Libraries that CUDA wheels bring.
const OF_WHEELS: &[&str] = &[
    "libnvJitLink",
    "libcublas",
    "libcusparse",
    "libcudnn",
    "libcudart",
    "libnccl",
    "libcusolver",
    "libnvrtc",
    "libcufft",
];

/// The folder or file outside the environment from which the library came, and where the input says so.
pub fn shadow_path(case: &Case) -> Option<(String, Place)> {
    if let Some(sign) = case.sign("library-path-cuda") {
        return Some((sign.value.clone()?, sign.place.clone()));
    }
    let outside = |path: &str| {
        path.starts_with('/')
            && !path.contains("-packages")
            && (path.contains("cuda") || path.contains("/lib"))
    };
    let library = case.found().libraries.iter().find(|library| {
        OF_WHEELS.iter().any(|name| library.name.starts_with(name))
            && library.path.as_deref().is_some_and(outside)
    });
    if let Some(library) = library {
        return Some((library.path.clone()?, library.place.clone()));
    }
    let wanted_by = case.sign("symbol-wanted-by")?;
    let file = wanted_by.value.clone()?;
    let name = file.rsplit('/').next().unwrap_or("");
    let is_library = OF_WHEELS.iter().any(|known| name.starts_with(known));
    (is_library && outside(&file)).then(|| (file, wanted_by.place.clone()))
}

/// NCCL's own message of two versions; or two packages that write one file, whichever came last.
fn by_other_words(case: &Case) -> Option<Hit> {
    if !case.has("nccl-mismatch") {
        return two_owners(case);
    }
    let finding: Finding =
        case.show(codes::finding("nccl-conflict").with("symbol", "NCCL"), &["nccl-mismatch"]);
    Some(Hit::proven(case.prove(finding, &[Key::Nccl, Key::Torch])))
}

/// `nvidia-nccl-cu11` and `-cu12` both own `nvidia/nccl/lib/libnccl.so.2`: the name has no CUDA major in it.
fn two_owners(case: &Case) -> Option<Hit> {
    let packages = case.packages().iter().filter(|package| package.name.starts_with("nvidia-nccl-cu"));
    let mut names: Vec<&str> = packages.map(|package| package.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let of_nccl = case.signs("two-owners").any(|sign| sign.line.contains("nccl")) || names.len() > 1;
    let other = case.sign("two-owners");
    if case.has("cuda-available") || !of_nccl && other.is_none() {
        return None;
    }
    let hit = if of_nccl {
        nccl(case, "libnccl.so.2")
    } else {
        let file = other.and_then(|sign| sign.value.clone()).unwrap_or_default();
        let finding = codes::finding("cuda-major-mix")
            .with("library", file)
            .with("major", "two packages")
            .with("other", case.value(Key::TorchCuda).unwrap_or("unknown"));
        Hit::inferred(finding)
    };
    let finding = case.show(hit.finding, &["two-owners"]);
    Some(Hit::inferred(finding))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Itanium C++ ABI, section 5.1.8: `Ss` abbreviates the old `std::string`.
    #[test]
    fn abi_out_of_mangled_names() {
        assert_eq!(abi("_ZN3c105ErrorC2ENS_14SourceLocationESs"), Some(Abi::Old));
        let new = "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
        assert_eq!(abi(new), Some(Abi::New));
        assert_eq!(abi("_ZN2at4_ops5zeros4callEv"), None);
        assert_eq!(abi("ncclMemFree"), None);
    }
}
