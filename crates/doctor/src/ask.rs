//! What to paste or run next when there is not enough to say.

use maat_base::Text;
use maat_readings::Key;

use crate::answer::Ask;
use crate::case::Case;

/// A question: its message, its command, and when it helps.
struct Question {
    id: &'static str,
    command: &'static str,
    helps: fn(&Case) -> bool,
}

#[rustfmt::skip] // one a line
const QUESTIONS: &[Question] = &[
    Question { id: "ask-nvidia-smi", command: "nvidia-smi", helps: |case| !is_amd(case) && !case.has("nvidia-smi-card") },
    Question { id: "ask-module", command: "cat /proc/driver/nvidia/version; lspci -nnk | grep -iA3 nvidia; mokutil --sb-state", helps: |case| case.has("nvidia-smi-failed") || case.has("no-devices-found") || case.has("no-nvidia-driver-text") },
    Question { id: "ask-kernel-log", command: "sudo dmesg | grep -iE 'nvrm|xid|nouveau|amdgpu|kfd'", helps: |case| case.fact(Key::Xids).is_none() && !case.has("cuda-available") },
    Question { id: "ask-collect-env", command: "python -m torch.utils.collect_env", helps: |case| case.fact(Key::TorchCuda).is_none() || case.fact(Key::Cc).is_none() },
    Question { id: "ask-arch-list", command: "python -c 'import torch; print(torch.cuda.get_arch_list())'", helps: |case| case.has("no-kernel-image") && case.fact(Key::WheelArchs).is_none() },
    Question { id: "ask-loader", command: "ldconfig -p | grep -E 'libcuda|libcudnn|libnccl'; echo \"$LD_LIBRARY_PATH\"", helps: |case| case.has("error-803") || case.has("undefined-symbol") || case.has("missing-library") },
    Question { id: "ask-packages", command: "pip list | grep -iE 'torch|nvidia|cuda|vllm|onnx|jax|tensorflow'", helps: |case| case.packages().is_empty() },
    Question { id: "ask-rocminfo", command: "rocminfo; ls -l /dev/kfd /dev/dri", helps: is_amd },
    Question { id: "ask-acs", command: "sudo lspci -vvv | grep ACSCtl; cat /proc/cmdline", helps: |case| case.has("p2p-disable-helps") || case.has("hang") },
    Question { id: "ask-error", command: "", helps: |_| true },
];

fn is_amd(case: &Case) -> bool {
    case.fact(Key::Gfx).is_some()
        || case.has("hip-no-code")
        || case.has("torch-rocm-build")
        || case.fact(Key::Rocm).is_some()
}

/// The questions that would help most, at most four.
pub fn next(case: &Case) -> Vec<Ask> {
    let helpful = QUESTIONS.iter().filter(|question| (question.helps)(case));
    helpful
        .take(4)
        .map(|question| Ask { text: Text::new(question.id), command: question.command.to_owned() })
        .collect()
}
