//! `model`: what is in a model file.

use maat_base::{Answer, Arg, Basis, Bytes, Code, Fault, Text, Verdict};
use serde::Serialize;

use crate::{Model, ModelSummary, Options, open};

/// What `model` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelBody {
    /// The figures of the model.
    pub model: ModelSummary,
    /// What the figures rest on.
    pub basis: Basis,
}

/// Opens a model and says what it is.
///
/// # Errors
/// Those of [`open`].
pub fn describe(text: &str, options: &Options) -> Result<Answer<ModelBody>, Fault> {
    let model = open(text, options)?;
    let body = ModelBody { model: model.summary(), basis: model.basis };
    let verdict =
        Verdict { ok: Some(true), code: Code::Borrowed("read"), text: sentence(&model, &body.model) };
    let mut answer = Answer::new("model", verdict, body);
    answer.assumed = model.assumed;
    Ok(answer)
}

fn sentence(model: &Model, summary: &ModelSummary) -> Text {
    let sparse = summary.params_active < summary.params_by_part.values().sum::<u64>() / 2;
    let text = Text::new(if sparse { "model-verdict-sparse" } else { "model-verdict" })
        .with("name", summary.name.as_str())
        .with("params", params_text(summary.params_total))
        .with("bytes", summary.weights_bytes)
        .with("precision", summary.precision.as_str())
        .with("cache", cache_text(model));
    if sparse { text.with("active", params_text(summary.params_active)) } else { text }
}

/// A number of parameters in the unit that people count them in.
pub fn params_text(count: u64) -> Text {
    match count {
        0..1_000_000 => Text::new("params-plain").with("n", count),
        1_000_000..1_000_000_000 => Text::new("params-million").with("n", Arg::Number(count as f64 / 1e6)),
        _ => Text::new("params-billion").with("n", Arg::Number(count as f64 / 1e9)),
    }
}

/// What one more token, or else one sequence, adds to the caches.
fn cache_text(model: &Model) -> Text {
    if !model.caches_known {
        return Text::new("model-cache-unknown");
    }
    let kinds = model.kv_kinds();
    let per_token: f64 = kinds.iter().filter_map(|kind| kind.bytes_per_token).sum();
    let state: Bytes = kinds.iter().filter_map(|kind| kind.state_bytes).sum();
    match (per_token > 0.0, state > Bytes::ZERO) {
        (true, _) => Text::new("model-cache-per-token").with("bytes", Bytes::from_f64(per_token)),
        (false, true) => Text::new("model-cache-state").with("bytes", state),
        (false, false) => Text::new("model-cache-none"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_in_model_says_its_size() {
        let answer = describe("meta-llama/Llama-3.1-8B", &Options::default()).unwrap();
        assert_eq!(answer.verdict.text.id, "model-verdict");
        // 2 bytes each of 8,030,261,248 parameters, as its safetensors index states.
        assert_eq!(answer.body.model.weights_bytes, Bytes(16_060_522_496));
    }
}
