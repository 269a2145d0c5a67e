//! Which layers look back on a window only.

use maat_base::Fault;

use crate::config::Config;

/// How a family says which layers have a window, where `layer_types` does not.
#[derive(Clone, Copy)]
pub(super) enum Windows {
    /// None has.
    None,
    /// All have the stated one.
    Stated,
    /// All but each so-many-th; the number may stand under a key.
    FullEvery(u64, Option<&'static str>),
    /// Those from `max_window_layers` on, where `use_sliding_window` is set.
    Switched,
}

/// The window of each layer.
pub(super) fn of(rule: Windows, config: &Config, layers: u64) -> Result<Vec<Option<u64>>, Fault> {
    let window = config.length("sliding_window")?.filter(|n| *n > 0);
    let none = vec![None; layers as usize];
    if matches!(rule, Windows::None) {
        return Ok(none);
    }
    if matches!(rule, Windows::Switched) && !config.flag("use_sliding_window", false)? {
        return Ok(none);
    }
    if let Some(kinds) = kinds(config, "layer_types", layers)? {
        let has = |kind: &String| window.filter(|_| kind == "sliding_attention" || kind == "hybrid_sliding");
        return Ok(kinds.iter().map(has).collect());
    }
    let each = |has: &dyn Fn(u64) -> bool| (0..layers).map(|layer| window.filter(|_| has(layer))).collect();
    Ok(match rule {
        Windows::None => none,
        Windows::Stated => each(&|_| true),
        Windows::FullEvery(usual, key) => {
            let period = key.map_or(Ok(usual), |key| config.whole(key, usual))?;
            each(&|layer| period > 0 && (layer + 1) % period != 0)
        }
        Windows::Switched => {
            let first = config.whole("max_window_layers", 28)?;
            each(&|layer| layer >= first)
        }
    })
}

/// A word for each layer under a key, where stated.
pub(super) fn kinds(config: &Config, key: &str, layers: u64) -> Result<Option<Vec<String>>, Fault> {
    match config.words(key)? {
        Some(mut kinds) => {
            // Some files go on with the layers of multi-token prediction.
            let padded = layers + config.layers("num_nextn_predict_layers")?;
            if kinds.len() as u64 == padded {
                kinds.truncate(layers as usize);
            }
            if kinds.len() as u64 == layers {
                return Ok(Some(kinds));
            }
            let fault = config.fault(key, "config-list-length");
            Err(fault.with("length", kinds.len()).with("layers", layers))
        }
        None => Ok(None),
    }
}
