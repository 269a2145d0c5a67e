//! Names of tasks and engines as the contract has them.

use std::fmt;
use std::str::FromStr;

use maat_base::Fault;

use crate::{Engine, Task};

impl Task {
    /// All tasks in the contract's order.
    pub const ALL: [Self; 22] = [
        Self::Chat,
        Self::Batch,
        Self::Edge,
        Self::Embed,
        Self::Rerank,
        Self::Speech,
        Self::Diffusion,
        Self::VisionInfer,
        Self::Pretrain,
        Self::Full,
        Self::Lora,
        Self::Qlora,
        Self::Dpo,
        Self::Ppo,
        Self::Grpo,
        Self::VisionTrain,
        Self::Recommend,
        Self::Tabular,
        Self::Database,
        Self::VectorSearch,
        Self::Web,
        Self::Etl,
    ];

    /// The contract's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Batch => "batch",
            Self::Edge => "edge",
            Self::Embed => "embed",
            Self::Rerank => "rerank",
            Self::Speech => "speech",
            Self::Diffusion => "diffusion",
            Self::VisionInfer => "vision-infer",
            Self::Pretrain => "pretrain",
            Self::Full => "full",
            Self::Lora => "lora",
            Self::Qlora => "qlora",
            Self::Dpo => "dpo",
            Self::Ppo => "ppo",
            Self::Grpo => "grpo",
            Self::VisionTrain => "vision-train",
            Self::Recommend => "recommend",
            Self::Tabular => "tabular",
            Self::Database => "database",
            Self::VectorSearch => "vector-search",
            Self::Web => "web",
            Self::Etl => "etl",
        }
    }
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 6] =
        [Self::Vllm, Self::Sglang, Self::Trtllm, Self::Llamacpp, Self::Transformers, Self::Diffusers];

    /// The contract's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::Trtllm => "trtllm",
            Self::Llamacpp => "llamacpp",
            Self::Transformers => "transformers",
            Self::Diffusers => "diffusers",
        }
    }
}

impl FromStr for Task {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let given = text.trim().to_ascii_lowercase();
        Self::ALL.into_iter().find(|task| task.name() == given).ok_or_else(|| {
            Fault::usage("task-unknown").with("given", text).with("known", names(Self::ALL.map(Self::name)))
        })
    }
}

/// `ollama` runs llama.cpp and counts as it.
impl FromStr for Engine {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let given = text.trim().to_ascii_lowercase();
        if given == "ollama" || given == "llama.cpp" {
            return Ok(Self::Llamacpp);
        }
        Self::ALL.into_iter().find(|engine| engine.name() == given).ok_or_else(|| {
            Fault::usage("engine-unknown").with("given", text).with("known", names(Self::ALL.map(Self::name)))
        })
    }
}

fn names<const N: usize>(all: [&str; N]) -> String {
    all.join(" ")
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_serde_agree() {
        for task in Task::ALL {
            assert_eq!(serde_json::to_value(task).unwrap(), task.name());
            assert_eq!(task.name().parse(), Ok(task));
        }
        for engine in Engine::ALL {
            assert_eq!(serde_json::to_value(engine).unwrap(), engine.name());
        }
        assert_eq!("ollama".parse(), Ok(Engine::Llamacpp));
    }
}
