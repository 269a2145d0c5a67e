//! The measurements and the tables that they are read with, compiled in. A test fails when a file is forgotten here.
//!
//! Only `validate` touches these texts, so that other verbs do not pay for them.

/// Rows by source.
#[rustfmt::skip] // one a line, so that additions do not collide
pub const ROWS: &[(&str, &str)] = &[
    ("ai-dynamo-aiconfigurator", include_str!("../../../facts/measurements/ai-dynamo-aiconfigurator.csv")),
    ("alibaba-infersim", include_str!("../../../facts/measurements/alibaba-infersim.csv")),
    ("calculon-ai-calculon", include_str!("../../../facts/measurements/calculon-ai-calculon.csv")),
    ("casper-hansen-autoawq", include_str!("../../../facts/measurements/casper-hansen-autoawq.csv")),
    ("cli99-llm-analysis", include_str!("../../../facts/measurements/cli99-llm-analysis.csv")),
    ("deepseek-ai-deepseek-v3", include_str!("../../../facts/measurements/deepseek-ai-deepseek-v3.csv")),
    ("geerlingguy-ai-benchmarks", include_str!("../../../facts/measurements/geerlingguy-ai-benchmarks.csv")),
    ("ggml-org-llama-cpp", include_str!("../../../facts/measurements/ggml-org-llama-cpp.csv")),
    ("huggingface-peft", include_str!("../../../facts/measurements/huggingface-peft.csv")),
    ("ikawrakow-ik-llama-cpp", include_str!("../../../facts/measurements/ikawrakow-ik-llama-cpp.csv")),
    ("intel-intel-extension-for-pytorch", include_str!("../../../facts/measurements/intel-intel-extension-for-pytorch.csv")),
    ("jzhang38-tinyllama", include_str!("../../../facts/measurements/jzhang38-tinyllama.csv")),
    ("lambdal-deeplearning-benchmark", include_str!("../../../facts/measurements/lambdal-deeplearning-benchmark.csv")),
    ("lightning-ai-litgpt", include_str!("../../../facts/measurements/lightning-ai-litgpt.csv")),
    ("meta-llama-llama-models", include_str!("../../../facts/measurements/meta-llama-llama-models.csv")),
    ("mitchross-talos-argocd-proxmox", include_str!("../../../facts/measurements/mitchross-talos-argocd-proxmox.csv")),
    ("mlc-ai-llm-perf-bench", include_str!("../../../facts/measurements/mlc-ai-llm-perf-bench.csv")),
    ("mlcommons-inference-results-v4-1", include_str!("../../../facts/measurements/mlcommons-inference-results-v4-1.csv")),
    ("mlcommons-inference-results-v5-1", include_str!("../../../facts/measurements/mlcommons-inference-results-v5-1.csv")),
    ("mlcommons-training-results-v4-0", include_str!("../../../facts/measurements/mlcommons-training-results-v4-0.csv")),
    ("mlcommons-training-results-v4-1", include_str!("../../../facts/measurements/mlcommons-training-results-v4-1.csv")),
    ("mlcommons-training-results-v5-0", include_str!("../../../facts/measurements/mlcommons-training-results-v5-0.csv")),
    ("mlcommons-training-results-v5-1", include_str!("../../../facts/measurements/mlcommons-training-results-v5-1.csv")),
    ("mosaicml-llm-foundry", include_str!("../../../facts/measurements/mosaicml-llm-foundry.csv")),
    ("noonghunna-club-3090", include_str!("../../../facts/measurements/noonghunna-club-3090.csv")),
    ("nvidia-nccl", include_str!("../../../facts/measurements/nvidia-nccl.csv")),
    ("nvidia-nemo-megatron-bridge", include_str!("../../../facts/measurements/nvidia-nemo-megatron-bridge.csv")),
    ("nvidia-tensorrt-llm", include_str!("../../../facts/measurements/nvidia-tensorrt-llm.csv")),
    ("ollama-ollama", include_str!("../../../facts/measurements/ollama-ollama.csv")),
    ("pegainfer-project-pegainfer", include_str!("../../../facts/measurements/pegainfer-project-pegainfer.csv")),
    ("pytorch-labs-gpt-fast", include_str!("../../../facts/measurements/pytorch-labs-gpt-fast.csv")),
    ("pytorch-torchtitan", include_str!("../../../facts/measurements/pytorch-torchtitan.csv")),
    ("pytorch-torchtune", include_str!("../../../facts/measurements/pytorch-torchtune.csv")),
    ("qwenlm-qwen3", include_str!("../../../facts/measurements/qwenlm-qwen3.csv")),
    ("scisharp-llamasharp", include_str!("../../../facts/measurements/scisharp-llamasharp.csv")),
    ("semianalysisai-inferencex", include_str!("../../../facts/measurements/semianalysisai-inferencex.csv")),
    ("stas00-ml-engineering", include_str!("../../../facts/measurements/stas00-ml-engineering.csv")),
    ("turboderp-exllama", include_str!("../../../facts/measurements/turboderp-exllama.csv")),
    ("turboderp-org-exllamav2", include_str!("../../../facts/measurements/turboderp-org-exllamav2.csv")),
    ("vllm-project-vllm", include_str!("../../../facts/measurements/vllm-project-vllm.csv")),
    ("xiongjiedai-gpu-benchmarks-on-llm-inference", include_str!("../../../facts/measurements/xiongjiedai-gpu-benchmarks-on-llm-inference.csv")),
];

/// Configurations of measured models that have no built-in name.
#[rustfmt::skip] // one a line, so that additions do not collide
pub const MODELS: &[(&str, &str)] = &[
    ("deepseek-33b", include_str!("../../../facts/measurements/models/deepseek-33b.json")),
    ("falcon-180b", include_str!("../../../facts/measurements/models/falcon-180b.json")),
    ("gpt-13b", include_str!("../../../facts/measurements/models/gpt-13b.json")),
    ("gpt3-175b", include_str!("../../../facts/measurements/models/gpt3-175b.json")),
    ("gpt3-20b", include_str!("../../../facts/measurements/models/gpt3-20b.json")),
    ("gpt3-5b", include_str!("../../../facts/measurements/models/gpt3-5b.json")),
    ("mpt-125m", include_str!("../../../facts/measurements/models/mpt-125m.json")),
    ("mpt-13b", include_str!("../../../facts/measurements/models/mpt-13b.json")),
    ("mpt-1b", include_str!("../../../facts/measurements/models/mpt-1b.json")),
    ("mpt-30b", include_str!("../../../facts/measurements/models/mpt-30b.json")),
    ("mpt-350m", include_str!("../../../facts/measurements/models/mpt-350m.json")),
    ("mpt-3b", include_str!("../../../facts/measurements/models/mpt-3b.json")),
    ("mpt-70b", include_str!("../../../facts/measurements/models/mpt-70b.json")),
    ("mpt-760m", include_str!("../../../facts/measurements/models/mpt-760m.json")),
    ("nemotron-22b", include_str!("../../../facts/measurements/models/nemotron-22b.json")),
    ("nemotron-340b", include_str!("../../../facts/measurements/models/nemotron-340b.json")),
    ("nemotron-8b", include_str!("../../../facts/measurements/models/nemotron-8b.json")),
    ("openllama-3b", include_str!("../../../facts/measurements/models/openllama-3b.json")),
    ("stablelm-3b", include_str!("../../../facts/measurements/models/stablelm-3b.json")),
];

/// What names and words of measurements mean.
#[rustfmt::skip] // one a line, so that additions do not collide
const READING: &[(&str, &str)] = &[
    ("benchmarks", include_str!("../../../facts/measurements/reading/benchmarks.csv")),
    ("convergence", include_str!("../../../facts/measurements/reading/convergence.csv")),
    ("datasets", include_str!("../../../facts/measurements/reading/datasets.csv")),
    ("models", include_str!("../../../facts/measurements/reading/models.csv")),
    ("parameters", include_str!("../../../facts/measurements/reading/parameters.csv")),
    ("parts", include_str!("../../../facts/measurements/reading/parts.csv")),
    ("software", include_str!("../../../facts/measurements/reading/software.csv")),
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

    /// What a row of measurements must have, so that nobody fits to a slip.
    #[test]
    fn rows_are_in_order() {
        let mut ids = std::collections::HashSet::new();
        let mut header: Option<Vec<String>> = None;
        let mut wrong = Vec::new();
        for (file, text) in ROWS {
            let sheet = crate::row::Sheet::read(text.as_bytes()).unwrap();
            assert_eq!(header.get_or_insert_with(|| sheet.header().to_vec()), sheet.header(), "{file}");
            let mut sources = std::collections::HashSet::new();
            for row in sheet.rows() {
                let id = row.text("id");
                sources.insert(row.text("source").to_owned());
                let sound = row.is_sound()
                    && ids.insert(id.to_owned())
                    && ["A", "B", "C"].contains(&row.text("trust"))
                    && row.number("value").is_some()
                    && !["family", "benchmark", "metric", "unit"]
                        .iter()
                        .any(|column| row.text(column).is_empty());
                if !sound {
                    wrong.push(format!("{file} {id}"));
                }
            }
            assert_eq!(sources.len(), 1, "{file}: one source a file");
        }
        assert_eq!(wrong, [""; 0]);
    }
}
