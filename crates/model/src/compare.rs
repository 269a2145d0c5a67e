//! `model A B`: models side by side, figure by figure.

use maat_base::{Answer, Assumed, Bytes, Code, Fault, Finding, Text, Verdict};
use serde::Serialize;
use serde_json::Value;

use crate::{CacheAt, ModelBody, Options, Part, describe};

/// Most models that are compared at once.
const MOST: usize = 8;
/// Tokens of the sequences whose caches are compared.
const LENGTHS: [(u64, &str); 2] = [(8192, "kept_at_8192_bytes"), (32768, "kept_at_32768_bytes")];

/// Models side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelsBody {
    /// What `model` answers of each, in the order asked for.
    pub models: Vec<ModelBody>,
    /// One row a figure.
    pub rows: Vec<ModelRow>,
}

/// A figure of all models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelRow {
    /// Name of the figure, with its unit at the end.
    pub metric: String,
    /// Its label.
    pub label: Text,
    /// The figures or words; null where not known.
    pub values: Vec<Value>,
    /// Positions of the best, several for a draw; empty where no value is better than another, where all are the same,
    /// or where one is not known.
    pub best: Vec<usize>,
    /// Whether all are known and the same.
    pub same: bool,
}

/// Which of two values is better.
#[derive(Clone, Copy)]
enum Better {
    Neither,
    Less,
    More,
}

/// Opens models and sets them side by side.
///
/// # Errors
/// `compare-count` for fewer than two or more than eight names, and those of [`open`](crate::open).
pub fn compare(names: &[String], options: &Options) -> Result<Answer<ModelsBody>, Fault> {
    if !(2..=MOST).contains(&names.len()) {
        return Err(Fault::usage("compare-count")
            .with("most", MOST)
            .hint(Text::new("hint-model-compare-count")));
    }
    let mut models = Vec::new();
    let (mut assumed, mut findings): (Vec<Assumed>, Vec<Finding>) = (Vec::new(), Vec::new());
    for name in names {
        let answer = describe(name, options)?;
        for one in answer.assumed {
            if !assumed.contains(&one) {
                assumed.push(one);
            }
        }
        findings.extend(answer.findings);
        models.push(answer.body);
    }
    let rows = rows(&models);
    let verdict = Verdict { ok: Some(true), code: Code::Borrowed("compared"), text: sentence(&models) };
    let mut answer = Answer::new("model", verdict, ModelsBody { models, rows });
    (answer.assumed, answer.findings) = (assumed, findings);
    Ok(answer)
}

/// A whole number of a model.
type Figure = fn(&ModelBody) -> Option<u64>;

fn rows(models: &[ModelBody]) -> Vec<ModelRow> {
    let mut rows = Vec::new();
    let mut add = |metric: &str, label: Text, better: Better, value: &dyn Fn(&ModelBody) -> Value| {
        let values: Vec<Value> = models.iter().map(value).collect();
        if values.iter().any(|value| !value.is_null()) {
            rows.push(row(metric, label, better, values));
        }
    };
    let label = |metric: &str| Text::named(format!("model-row-{}", metric.replace('_', "-")));
    add("params_total", label("params_total"), Better::Neither, &|body| body.model.params_total.into());
    add("params_active", label("params_active"), Better::Neither, &|body| body.model.params_active.into());
    add("params_mtp", label("params_mtp"), Better::Neither, &|body| body.model.params_mtp.into());
    for part in Part::ALL {
        if models.iter().any(|body| body.model.params_by_part.get(&part).is_some_and(|n| *n > 0)) {
            let name = part_name(part);
            let label = Text::named(format!("part-{}", name.replace('_', "-")));
            add(&format!("params_{name}"), label, Better::Neither, &|body| {
                body.model.params_by_part.get(&part).copied().into()
            });
        }
    }
    add("weights_bytes", label("weights_bytes"), Better::Less, &|body| body.model.weights_bytes.0.into());
    add("precision", label("precision"), Better::Neither, &|body| body.model.precision.as_str().into());
    let shape: [(&str, Figure); 6] = [
        ("layers", |body| body.model.layers),
        ("hidden", |body| body.model.hidden),
        ("heads", |body| body.model.heads),
        ("kv_heads", |body| body.model.kv_heads),
        ("head_dim", |body| body.model.head_dim),
        ("vocabulary", |body| body.model.vocabulary),
    ];
    for (metric, value) in shape {
        add(metric, label(metric), Better::Neither, &|body| value(body).into());
    }
    add("context_max_tokens", label("context_max_tokens"), Better::More, &|body| {
        body.model.context_max.into()
    });
    add("kv_bytes_per_token", label("kv_bytes_per_token"), Better::Less, &|body| per_token(body).into());
    for (tokens, metric) in LENGTHS {
        add(metric, label(metric), Better::Less, &|body| kept(body, tokens).map(|bytes| bytes.0).into());
    }
    add("kept_at_most_bytes", label("kept_at_most_bytes"), Better::Neither, &|body| {
        let at = body.model.context_max.and_then(|most| kept(body, most));
        at.map(|bytes| bytes.0).into()
    });
    add("licence", label("licence"), Better::Neither, &|body| body.licence.clone().into());
    rows
}

fn row(metric: &str, label: Text, better: Better, values: Vec<Value>) -> ModelRow {
    let known = values.iter().all(|value| !value.is_null());
    let same = known && values.windows(2).all(|pair| pair[0] == pair[1]);
    let figures: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
    let best = match better {
        Better::Less => figures.iter().copied().reduce(f64::min),
        Better::More => figures.iter().copied().reduce(f64::max),
        Better::Neither => None,
    };
    let at_best = |best: f64| (0..figures.len()).filter(|at| figures[*at].total_cmp(&best).is_eq()).collect();
    let best = best.filter(|_| known && !same).map(at_best).unwrap_or_default();
    ModelRow { metric: metric.to_owned(), label, values, best, same }
}

/// What one more token adds in the long run.
fn per_token(body: &ModelBody) -> Option<f64> {
    let kinds = body.model.kv_kinds.as_ref()?;
    Some(kinds.iter().filter(|kind| kind.window.is_none()).filter_map(|kind| kind.bytes_per_token).sum())
}

/// What one sequence keeps; `None` where it is longer than the model was made for, or caches are not known.
fn kept(body: &ModelBody, tokens: u64) -> Option<Bytes> {
    let at: &CacheAt = body.caches_at.as_ref()?.iter().find(|at| at.tokens == tokens)?;
    Some(at.growing_bytes + at.constant_bytes)
}

/// Which weighs least, and which keeps least of a sequence of the shorter of the lengths.
fn sentence(models: &[ModelBody]) -> Text {
    let mut lightest = None;
    let mut least = |sizes: Vec<(Bytes, &str)>, [one, too, draw]: [&'static str; 3]| {
        let (bytes, name) = sizes.iter().min_by_key(|(bytes, _)| *bytes).copied()?;
        let winner =
            (sizes.iter().filter(|(other, _)| *other == bytes).count() == 1).then(|| name.to_owned());
        let again = winner.is_some() && winner == lightest;
        let id = if winner.is_none() { draw } else { [one, too][usize::from(again)] };
        lightest = winner;
        Some(Text::new(id).with("name", name).with("bytes", bytes))
    };
    let weights = models.iter().map(|body| (body.model.weights_bytes, body.model.name.as_str())).collect();
    let weights =
        least(weights, ["model-compare-weights", "model-compare-weights", "model-compare-weights-draw"]);
    let tokens = LENGTHS[0].0;
    let caches: Option<Vec<_>> =
        models.iter().map(|body| Some((kept(body, tokens)?, body.model.name.as_str()))).collect();
    let some = |caches: &Vec<(Bytes, &str)>| caches.iter().any(|(bytes, _)| *bytes > Bytes::ZERO);
    let caches = caches.filter(some).and_then(|caches| {
        least(caches, ["model-compare-caches", "model-compare-caches-too", "model-compare-caches-draw"])
    });
    let weights = weights.unwrap_or_else(|| Text::new("model-cache-unknown"));
    match caches {
        Some(caches) => Text::new("model-compare-both")
            .with("weights", weights)
            .with("caches", caches.with("tokens", tokens)),
        None => Text::new("model-compare-one").with("weights", weights),
    }
}

fn part_name(part: Part) -> String {
    match serde_json::to_value(part) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side_by_side(names: [&str; 2]) -> ModelsBody {
        compare(&names.map(str::to_owned), &Options::default()).unwrap().body
    }

    fn find<'a>(body: &'a ModelsBody, metric: &str) -> &'a ModelRow {
        body.rows.iter().find(|row| row.metric == metric).unwrap()
    }

    /// Llama-3.1-8B keeps 32 x 8 x 128 x 2 x 2 B a token; Qwen3-8B 36 x 8 x 128 x 2 x 2 B, up to 40,960.
    #[test]
    fn the_better_is_marked_where_one_is_better() {
        let body = side_by_side(["Qwen/Qwen3-8B", "meta-llama/Llama-3.1-8B"]);
        let cache = find(&body, "kv_bytes_per_token");
        assert_eq!(cache.values, [147_456.0, 131_072.0].map(Value::from));
        assert_eq!((cache.best.as_slice(), cache.same), (&[1][..], false));
        assert_eq!(find(&body, "context_max_tokens").best, [1]);
        let params = find(&body, "params_total");
        assert_eq!(params.values, [8_190_735_360_u64, 8_030_261_248].map(Value::from));
        assert!(params.best.is_empty() && !params.same);
        assert!(find(&body, "precision").same);
    }

    #[test]
    fn equal_models_have_no_better() {
        let body = side_by_side(["llama-3.1-8b", "LLAMA-3.1-8B"]);
        assert!(body.rows.iter().all(|row| row.best.is_empty()));
        assert!(body.rows.iter().all(|row| row.same || row.values.iter().any(Value::is_null)));
        let one = compare(&["7B".to_owned()], &Options::default()).unwrap_err();
        assert_eq!(one.code, "compare-count");
    }
}
