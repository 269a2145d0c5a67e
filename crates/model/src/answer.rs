//! `model`: what is in a model file.

use maat_base::{Answer, Arg, Basis, Bytes, Code, Fault, Finding, Severity, Text, Verdict};
use serde::Serialize;

use crate::{ComponentSize, Model, ModelSummary, Options, StoredPart, open};

/// What `model` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelBody {
    /// The figures of the model.
    pub model: ModelSummary,
    /// What the figures rest on.
    pub basis: Basis,
    /// Share of the parameters that one token passes through (0 to 1).
    pub active_share: f64,
    /// What one sequence keeps at 8k and 32k tokens and at the most that the model was made for; `None` where caches
    /// are not known.
    pub caches_at: Option<Vec<CacheAt>>,
    /// How each part is stored.
    pub stored: Vec<StoredPart>,
    /// The parts of a pipeline; empty for a model that is none.
    pub components: Vec<ComponentSize>,
    /// The licence as the files or the publisher name it; `None` where neither is known.
    pub licence: Option<String>,
}

/// What one sequence of a length keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CacheAt {
    /// Tokens of the sequence.
    pub tokens: u64,
    /// Bytes of keys, values and latents that go on growing with the tokens.
    pub growing_bytes: Bytes,
    /// Bytes that grow no more (windows that are full) or never did (states).
    pub constant_bytes: Bytes,
}

/// The lengths of [`ModelBody::caches_at`], beside the model's own most.
const LENGTHS: [u64; 2] = [8192, 32768];

impl Model {
    /// What one sequence of so many tokens keeps, in the type that the checkpoint asks for or else its own; windows are
    /// capped, as engines with a cache for each kind of layer do.
    pub fn caches_at(&self, tokens: u64) -> CacheAt {
        let mut at = CacheAt { tokens, growing_bytes: Bytes::ZERO, constant_bytes: Bytes::ZERO };
        for kind in self.kv_kinds() {
            let kept = kind.window.map_or(tokens, |window| window.min(tokens));
            let bytes = Bytes::from_f64(kind.bytes_per_token.unwrap_or(0.0) * kept as f64);
            let full = kind.window.is_some_and(|window| window <= tokens);
            *(if full { &mut at.constant_bytes } else { &mut at.growing_bytes }) += bytes;
            at.constant_bytes += kind.state_bytes.unwrap_or(Bytes::ZERO);
        }
        at
    }

    fn usual_lengths(&self) -> Vec<CacheAt> {
        let most = self.context_max.unwrap_or(u64::MAX);
        let shorter = LENGTHS.into_iter().filter(|tokens| *tokens < most);
        shorter.chain(self.context_max).map(|tokens| self.caches_at(tokens)).collect()
    }
}

/// Opens a model and says what it is.
///
/// # Errors
/// Those of [`open`].
pub fn describe(text: &str, options: &Options) -> Result<Answer<ModelBody>, Fault> {
    let model = open(text, options)?;
    let summary = model.summary();
    let body = ModelBody {
        active_share: summary.params_active as f64 / summary.params_total.max(1) as f64,
        caches_at: model.caches_known.then(|| model.usual_lengths()),
        stored: model.stored_parts(),
        components: model.components(),
        licence: model.licence.clone(),
        model: summary,
        basis: model.basis,
    };
    let verdict =
        Verdict { ok: Some(true), code: Code::Borrowed("read"), text: sentence(&model, &body.model) };
    let mut answer = Answer::new("model", verdict, body);
    if let Err(fault) = model.check_heads() {
        let mut finding = Finding::new("heads-uneven", Severity::Error, model.name.as_str());
        finding.message.args.extend(fault.message.args);
        answer.findings.push(finding);
    }
    answer.assumed = model.assumed;
    Ok(answer)
}

fn sentence(model: &Model, summary: &ModelSummary) -> Text {
    let sparse =
        summary.params_active < summary.params_by_part.values().copied().fold(0, u64::saturating_add) / 2;
    let text = Text::new(if sparse { "model-verdict-sparse" } else { "model-verdict" })
        .with("name", summary.name.as_str())
        .with("params", params_text(summary.params_total))
        .with("bytes", summary.weights_bytes)
        .with("precision", summary.precision.as_str())
        .with("cache", cache_text(model));
    if sparse { text.with("active", quantity_text(summary.params_active)) } else { text }
}

/// A number of parameters in the unit that people count them in.
pub fn params_text(count: u64) -> Text {
    match count {
        0..1_000_000 => Text::new("params-plain").with("n", count),
        1_000_000..1_000_000_000 => Text::new("params-million").with("n", Arg::Number(count as f64 / 1e6)),
        _ => Text::new("params-billion").with("n", Arg::Number(count as f64 / 1e9)),
    }
}

/// The same where the sentence says already what is counted.
fn quantity_text(count: u64) -> Text {
    let mut text = params_text(count);
    text.id = match count {
        0..1_000_000 => "quantity-plain",
        1_000_000..1_000_000_000 => "quantity-million",
        _ => "quantity-billion",
    }
    .into();
    text
}

/// What one more token adds to the caches in the long run, and what windows hold; or else what one sequence has.
fn cache_text(model: &Model) -> Text {
    if !model.caches_known {
        return Text::new("model-cache-unknown");
    }
    let kinds = model.kv_kinds();
    let growing = kinds.iter().filter(|kind| kind.window.is_none());
    let per_token: f64 = growing.filter_map(|kind| kind.bytes_per_token).sum();
    let most = model.context_max.unwrap_or(u64::MAX);
    let full = kinds
        .iter()
        .filter_map(|kind| Some(kind.bytes_per_token? * kind.window.map(|window| window.min(most))? as f64));
    let windows = Bytes::from_f64(full.sum());
    let state: Bytes = kinds.iter().filter_map(|kind| kind.state_bytes).sum();
    let grows = per_token > 0.0;
    if windows > Bytes::ZERO {
        let text = Text::new(if grows { "model-cache-windows" } else { "model-cache-only-windows" });
        return text.with("bytes", Bytes::from_f64(per_token)).with("windows", windows);
    }
    match (grows, state > Bytes::ZERO) {
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

    /// gpt-oss-20b: 12 of its 24 layers keep all tokens, 12 keep a window of 128; a token is 2 x 8 x 64 values of 2 bytes.
    #[test]
    fn the_sentence_tells_the_long_run() {
        let answer = describe("gpt-oss-20b", &Options::default()).unwrap();
        let cache = &answer.verdict.text.args.iter().find(|(name, _)| name == "cache").unwrap().1;
        let expected = Text::new("model-cache-windows")
            .with("bytes", Bytes(12 * 2048))
            .with("windows", Bytes(12 * 2048 * 128));
        assert_eq!(*cache, Arg::from(expected));
        let active = &answer.verdict.text.args.iter().find(|(name, _)| name == "active").unwrap().1;
        assert!(matches!(active, Arg::Text(text) if text.id == "quantity-billion"), "{active:?}");
    }

    /// gpt-oss-120b at 131,072 tokens: the published figure of 4,836,556,800 bytes for capped windows.
    #[test]
    fn windows_stop_growing() {
        let answer = describe("gpt-oss-120b", &Options::default()).unwrap();
        let at = *answer.body.caches_at.unwrap().last().unwrap();
        assert_eq!(at.tokens, 131_072);
        assert_eq!(at.growing_bytes + at.constant_bytes, Bytes(4_836_556_800));
        assert_eq!(at.constant_bytes, Bytes(18 * 2048 * 128));
    }
}
