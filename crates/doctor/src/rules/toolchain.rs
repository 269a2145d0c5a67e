//! Building: nvcc against PyTorch, the host compiler against nvcc, ptxas against the card.

use maat_readings::Key;
use maat_readings::stack::versions;

use super::{Hit, Rule};
use crate::case::Case;
use crate::codes;
use crate::tables::{compilers, drivers};

pub const RULE: Rule = Rule {
    name: "toolchain",
    codes: &["nvcc-torch-mismatch", "nvcc-host-compiler-too-new", "ptxas-too-old"],
    judge,
};

fn judge(case: &Case) -> Vec<Hit> {
    [mismatch(case), host_compiler(case), ptxas(case)].into_iter().flatten().collect()
}

/// Other majors do not build; another minor is only a warning of PyTorch's.
fn mismatch(case: &Case) -> Option<Hit> {
    case.sign("nvcc-torch-mismatch")?;
    let (nvcc, torch) = (case.value(Key::Nvcc)?, case.value(Key::TorchCuda)?);
    if versions::major(nvcc) == versions::major(torch) {
        return None;
    }
    let finding = codes::finding("nvcc-torch-mismatch").with("nvcc", nvcc).with("torch_cuda", torch);
    let finding = case.show(finding, &["nvcc-torch-mismatch"]);
    let finding = case.prove(finding, &[Key::Nvcc, Key::TorchCuda, Key::CudaHome]);
    Some(Hit::proven(finding.command(format!("conda install cuda-nvcc={torch} -c nvidia"))))
}

fn host_compiler(case: &Case) -> Option<Hit> {
    let sign = case.sign("host-compiler-too-new")?;
    let printed = sign.value.as_deref().and_then(|limit| limit.parse::<u32>().ok());
    let toolkit = case.value(Key::Nvcc).or(case.value(Key::Cuda));
    let most = printed.or_else(|| toolkit.and_then(compilers::newest_gcc));
    let gcc = case.value(Key::Gcc);
    let mut finding = codes::finding("nvcc-host-compiler-too-new")
        .with("gcc", gcc.unwrap_or("unknown"))
        .with("cuda", toolkit.unwrap_or("unknown"))
        .with("most", most.map_or("unknown".to_owned(), |most| most.to_string()));
    finding = case.show(finding, &["host-compiler-too-new"]);
    finding = case.prove(finding, &[Key::Gcc, Key::Nvcc, Key::Cuda]);
    if let Some(most) = most.filter(|_| !case.is_windows()) {
        finding = finding
            .command(format!("sudo apt install gcc-{most} g++-{most}"))
            .command(format!("export CUDAHOSTCXX=/usr/bin/g++-{most} NVCC_CCBIN=/usr/bin/g++-{most}"));
    }
    let major = gcc.and_then(versions::major).and_then(|major| u32::try_from(major).ok());
    if let Some(first) = major.and_then(compilers::first_cuda_for_gcc) {
        finding = finding.because("first_cuda", first, "facts/stack/nvcc_host_compilers.csv");
    }
    Some(Hit::proven(finding))
}

fn ptxas(case: &Case) -> Option<Hit> {
    // nvcc says the same of a target that it dropped; only one that came after it makes the tool too old.
    let newer = case.signs("nvcc-unknown-target").any(|sign| {
        let cc = sign.value.as_deref().and_then(versions::capability_of_sm);
        let row = cc.as_deref().and_then(drivers::capability);
        let nvcc = case.value(Key::Nvcc).or(case.value(Key::Cuda)).unwrap_or("12.0");
        row.is_some_and(|row| row.is_newer_than_toolkit(nvcc))
    });
    if !case.has("ptxas-unknown-target") && !newer {
        return None;
    }
    let finding = codes::finding("ptxas-too-old").with("cc", case.value(Key::Cc).unwrap_or("unknown"));
    let finding = case.show(finding, &["ptxas-unknown-target", "nvcc-unknown-target"]);
    let finding = case.prove(finding, &[Key::Gpu, Key::Cc, Key::Packages, Key::Nvcc]);
    Some(Hit::proven(finding.command("export TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas")))
}
