//! The measurements and the tables that they are read with, compiled in. A test fails when a file is forgotten here.
//!
//! Only `validate` touches these texts, so that other verbs do not pay for them.

macro_rules! files {
    ($folder:literal, $ending:literal: $($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../facts/measurements/", $folder, $name, $ending))),)*]
    };
}

/// Rows by source.
#[rustfmt::skip] // one a line, so that additions do not collide
pub const ROWS: &[(&str, &str)] = files!["", ".csv":
    "ai-dynamo-aiconfigurator",
    "alibaba-infersim",
    "calculon-ai-calculon",
    "casper-hansen-autoawq",
    "cli99-llm-analysis",
    "deepseek-ai-deepseek-v3",
    "geerlingguy-ai-benchmarks",
    "ggml-org-llama-cpp",
    "huggingface-peft",
    "ikawrakow-ik-llama-cpp",
    "intel-intel-extension-for-pytorch",
    "jzhang38-tinyllama",
    "lambdal-deeplearning-benchmark",
    "lightning-ai-litgpt",
    "meta-llama-llama-models",
    "mitchross-talos-argocd-proxmox",
    "mlc-ai-llm-perf-bench",
    "mlcommons-inference-results-v4-1",
    "mlcommons-inference-results-v5-1",
    "mlcommons-training-results-v4-0",
    "mlcommons-training-results-v4-1",
    "mlcommons-training-results-v5-0",
    "mlcommons-training-results-v5-1",
    "mosaicml-llm-foundry",
    "noonghunna-club-3090",
    "nvidia-nccl",
    "nvidia-nemo-megatron-bridge",
    "nvidia-tensorrt-llm",
    "ollama-ollama",
    "pegainfer-project-pegainfer",
    "pytorch-labs-gpt-fast",
    "pytorch-torchtitan",
    "pytorch-torchtune",
    "qwenlm-qwen3",
    "scisharp-llamasharp",
    "semianalysisai-inferencex",
    "stas00-ml-engineering",
    "turboderp-exllama",
    "turboderp-org-exllamav2",
    "vllm-project-vllm",
    "xiongjiedai-gpu-benchmarks-on-llm-inference",
];

/// Configurations of measured models that have no built-in name.
#[rustfmt::skip]
pub const MODELS: &[(&str, &str)] = files!["models/", ".json":
    "deepseek-33b",
    "falcon-180b",
    "gpt-13b",
    "gpt3-175b",
    "gpt3-20b",
    "gpt3-5b",
    "mpt-125m",
    "mpt-13b",
    "mpt-1b",
    "mpt-30b",
    "mpt-350m",
    "mpt-3b",
    "mpt-70b",
    "mpt-760m",
    "nemotron-22b",
    "nemotron-340b",
    "nemotron-8b",
    "openllama-3b",
    "stablelm-3b",
];

/// What names and words of measurements mean.
const READING: &[(&str, &str)] = files!["reading/", ".csv":
    "benchmarks",
    "datasets",
    "models",
    "parameters",
    "parts",
    "software",
];

/// Rows of a table of `reading/`, without its header.
pub fn reading(name: &str) -> Vec<csv::StringRecord> {
    let text = READING.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text);
    csv::Reader::from_reader(text.as_bytes()).into_records().filter_map(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(folder: &str, ending: &str, known: &[(&str, &str)]) -> Vec<String> {
        let folder = format!("{}/../../facts/measurements/{folder}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(folder).unwrap();
        let names = files.filter_map(|file| file.unwrap().file_name().into_string().ok());
        let names = names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned));
        names.filter(|name| !known.iter().any(|(file, _)| file == name)).collect()
    }

    #[test]
    fn no_file_is_forgotten() {
        assert_eq!(missing("", ".csv", ROWS), [""; 0]);
        assert_eq!(missing("models", ".json", MODELS), [""; 0]);
        assert_eq!(missing("reading", ".csv", READING), [""; 0]);
    }
}
