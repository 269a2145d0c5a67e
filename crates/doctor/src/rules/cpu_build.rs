//! `torch-cpu-build`, `jax-cpu-build`: a framework without GPU code where a GPU is there or was asked for.

use maat_base::Finding;
use maat_readings::Key;

use super::{Hit, Rule};
use crate::case::Case;
use crate::tables::drivers;
use crate::{codes, install};

pub const RULE: Rule = Rule { name: "cpu_build", codes: &["torch-cpu-build", "jax-cpu-build"], judge };

fn judge(case: &Case) -> Vec<Hit> {
    [torch(case), jax(case)].into_iter().flatten().collect()
}

fn torch(case: &Case) -> Option<Hit> {
    let said = case.has("torch-without-cuda");
    let tagged = case.value(Key::TorchCuda) == Some("none") && case.fact(Key::Torch).is_some();
    let built = case.has("torch-cpu-tag") || tagged;
    if !(said || built) || case.has("torch-rocm-build") || case.has("cuda-available") {
        return None;
    }
    // A build for CPUs is right where nobody has or wants a GPU.
    let wanted = said
        || case.shows_nvidia()
        || case.fact(Key::Nvcc).is_some()
        || case.has("asks-for-cuda")
        || case.fact(Key::Gfx).is_some();
    if !wanted || case.value(Key::Os) == Some("macos") {
        return None;
    }
    let mut finding =
        codes::finding("torch-cpu-build").with("torch", case.value(Key::Torch).unwrap_or("unknown"));
    finding = case.show(finding, &["torch-cpu-tag", "torch-built-without", "torch-without-cuda"]);
    finding = case.prove(finding, &[Key::Torch, Key::TorchCuda, Key::Gpu, Key::Driver]);
    finding.commands =
        crate::install::torch_command(case.value(Key::Cc), case.value(Key::Driver), case.is_windows())
            .into_iter()
            .collect();
    Some(if said || case.has("cuda-unavailable") { Hit::proven(finding) } else { Hit::inferred(finding) })
}

/// JAX fell back although a GPU is there, and no plugin is installed. The plain text is a row of the rules.
fn jax(case: &Case) -> Option<Hit> {
    let installed = case.package("jax").is_some() || case.package("jaxlib").is_some();
    let bare = installed
        && !case.has("jax-plugin")
        && !case.packages().iter().any(|p| p.name.starts_with("jax-cuda"));
    if case.has("jax-cpu")
        || !case.has("jax-fallback")
        || !bare
        || !case.shows_nvidia()
        || case.has("nvidia-smi-failed")
    {
        return None;
    }
    let finding = case.show(codes::finding("jax-cpu-build"), &["jax-fallback"]);
    let finding = case.prove(finding, &[Key::Gpu, Key::Driver]);
    Some(Hit::proven(jax_command(case).into_iter().fold(finding, Finding::command)))
}

/// JAX's newest family of plugins that the driver runs; none where it runs neither.
pub fn jax_command(case: &Case) -> Option<String> {
    let runs = |cuda: &str| install::runs(case.value(Key::Driver), cuda, case.is_windows());
    let of_card = |cuda: &str| {
        let row = case.value(Key::Cc).and_then(drivers::capability);
        row.is_none_or(|row| !row.is_newer_than_toolkit(cuda) && !row.is_dropped_by_toolkit(cuda))
    };
    // An unknown driver is more likely to run the older family.
    let families: &[&str] = if case.fact(Key::Driver).is_some() { &["13.0", "12.9"] } else { &["12.9"] };
    let cuda = families.iter().find(|cuda| runs(cuda) && of_card(cuda))?;
    Some(format!("pip install -U \"jax[cuda{}]\"", &cuda[..2]))
}
