//! The formats of quantised checkpoints.

use std::sync::Arc;

use maat_base::{Fault, Text};
use serde_json::{Map, Value};

use super::pattern::{Path, Patterns};
use super::{fp8, is_linear};
use crate::precision::encoding;
use crate::{Encoding, Part, Role, Scale, Weight};

/// Modules by name with what they are stored in; `None` keeps the type of the model.
type Named = Vec<(String, Option<Arc<Encoding>>)>;

/// One scale for the whole tensor.
const WHOLE: Scale = Scale { rows: 0, cols: 0, bits: 32 };

/// How weights are stored: the first rule that knows a weight decides.
pub(super) struct Scheme {
    /// Modules that are named one by one; `None` is what they keep.
    named: Patterns<Option<Arc<Encoding>>>,
    /// All other matrices; `None` leaves them alone.
    rest: Option<Arc<Encoding>>,
    /// Which of them.
    reach: Reach,
    /// Whether towers are quantised too.
    pub towers: bool,
    /// Storage of the cache that the checkpoint asks for.
    pub cache: Option<Arc<Encoding>>,
}

/// Which matrices are quantised that no list names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// All in the layers.
    Linear,
    /// Those of routed experts.
    Experts,
}

impl Scheme {
    /// Re-encodes a weight as the scheme says.
    pub(super) fn encode(&self, weight: &mut Weight, path: &Path) {
        let named = self.named.find(path);
        let reached = match self.reach {
            Reach::Linear => is_linear(weight),
            Reach::Experts => weight.part == Part::RoutedExperts,
        };
        let encoding = match named {
            Some(None) => None,
            // A head may be named; what is no matrix never is.
            Some(Some(encoding)) if is_linear(weight) || weight.role == Role::Head => Some(encoding),
            _ => self.rest.clone().filter(|_| reached),
        };
        if let Some(encoding) = encoding {
            weight.encoding = encoding;
        }
    }

    /// Reads a `quantization_config`, or the `quantization` of an `hf_quant_config.json`.
    pub(super) fn read(config: &Map<String, Value>, dtype: &Encoding) -> Result<Self, Fault> {
        let stated = config.get("quant_method").and_then(Value::as_str);
        let by_algorithm = config.contains_key("quant_algo").then_some("modelopt");
        let by_groups = config.contains_key("config_groups").then_some("compressed-tensors");
        let method = stated.or(by_algorithm).or(by_groups).unwrap_or("none");
        let quantised = config.get("quantized_layers").and_then(Value::as_object);
        let mut scheme = match (method, quantised) {
            ("fp8" | "fbgemm_fp8", quantised) => Self::float8(config, method, quantised)?,
            ("modelopt" | "modelopt_fp4" | "modelopt_mixed", Some(layers)) => Self::mixed(config, layers)?,
            ("modelopt" | "modelopt_fp4", None) => Self::modelopt(config)?,
            ("compressed-tensors", _) => Self::compressed(config, dtype)?,
            ("awq" | "gptq" | "gptqmodel", _) => Self::grouped(config, method),
            ("mxfp4", _) => Self::one("mxfp4", Reach::Experts, keeps(config, "modules_to_not_convert")),
            ("bitsandbytes", _) => Self::bitsandbytes(config),
            ("bitnet" | "none", _) => Self { rest: None, ..Self::one("fp8", Reach::Linear, Vec::new()) },
            _ => return Err(unknown(method)),
        };
        scheme.cache = cache(config);
        Ok(scheme)
    }

    fn of(rest: Option<Encoding>, reach: Reach, named: Named) -> Self {
        let named = Patterns::new(named.into_iter());
        Self { named, rest: rest.map(Arc::new), reach, towers: true, cache: None }
    }

    fn one(name: &str, reach: Reach, kept: Named) -> Self {
        Self::of(Some((*encoding(name)).clone()), reach, kept)
    }

    /// Blocks with a scale each (DeepSeek-V3 and after), rows, or whole tensors.
    fn float8(
        config: &Map<String, Value>,
        method: &str,
        quantised: Option<&Map<String, Value>>,
    ) -> Result<Self, Fault> {
        let scales = match config.get("weight_block_size").and_then(Value::as_array) {
            Some(block) => {
                let side = |at: usize| block.get(at).and_then(Value::as_u64).filter(|n| *n > 0);
                let (rows, cols) = side(0).zip(side(1)).ok_or_else(|| unknown("weight_block_size"))?;
                vec![Scale { rows, cols, bits: 32 }]
            }
            None if method == "fbgemm_fp8" => vec![Scale { rows: 1, cols: 0, bits: 32 }],
            None if is_static(config) => vec![WHOLE, WHOLE],
            None => vec![WHOLE],
        };
        let mut named = keeps(config, "modules_to_not_convert");
        // Where experts are in four bits, the lists of what is not concern these only.
        named.extend(quantised.into_iter().flat_map(of_layers).collect::<Result<Vec<_>, _>>()?);
        if config.get("expert_dtype").and_then(Value::as_str) == Some("fp4") {
            named.push(("experts".to_owned(), Some(encoding("mxfp4"))));
        }
        Ok(Self::of(Some(fp8(scales)), Reach::Linear, named))
    }

    /// ModelOpt with one algorithm for all.
    fn modelopt(config: &Map<String, Value>) -> Result<Self, Fault> {
        let algorithm = config.get("quant_algo").and_then(Value::as_str).unwrap_or("none");
        let mut kept = keeps(config, "exclude_modules");
        kept.extend(keeps(config, "ignore"));
        Ok(Self::of(algorithm_encoding(algorithm, config)?, Reach::Linear, kept))
    }

    /// ModelOpt with an algorithm for each module.
    fn mixed(config: &Map<String, Value>, layers: &Map<String, Value>) -> Result<Self, Fault> {
        let mut named = keeps(config, "exclude_modules");
        named.extend(keeps(config, "ignore"));
        named.extend(of_layers(layers).collect::<Result<Vec<_>, _>>()?);
        Ok(Self::of(None, Reach::Linear, named))
    }

    fn compressed(config: &Map<String, Value>, dtype: &Encoding) -> Result<Self, Fault> {
        let mut named = keeps(config, "ignore");
        let mut rest = None;
        let groups = config.get("config_groups").and_then(Value::as_object);
        for group in groups.into_iter().flat_map(Map::values) {
            let encoding = group_encoding(group, dtype)?;
            let targets = group.get("targets").and_then(Value::as_array);
            for target in targets.into_iter().flatten().filter_map(Value::as_str) {
                if target == "Linear" {
                    rest = Some(encoding.clone());
                } else {
                    named.push((target.to_owned(), Some(Arc::new(encoding.clone()))));
                }
            }
        }
        Ok(Self::of(rest, Reach::Linear, named))
    }

    /// AWQ and GPTQ: groups along the inputs, packed zero points, and for GPTQ an index an input.
    fn grouped(config: &Map<String, Value>, method: &str) -> Self {
        let bits = config.get("bits").or_else(|| config.get("w_bit")).and_then(Value::as_u64);
        let bits = bits.unwrap_or(4).clamp(1, 16);
        let group = config.get("group_size").or_else(|| config.get("q_group_size"));
        // A group of -1 is the whole row.
        let cols = group.and_then(Value::as_u64).unwrap_or(0);
        let has_zero = config.get("zero_point").and_then(Value::as_bool).unwrap_or(true);
        let mut scales = vec![Scale { rows: 1, cols, bits: 16 }];
        if has_zero || method != "awq" {
            scales.push(Scale { rows: 1, cols, bits });
        }
        if method != "awq" {
            scales.push(Scale { rows: 0, cols: 1, bits: 32 });
        }
        let name = if method == "awq" { "awq" } else { "gptq" };
        let packed = Encoding { scales, ..Encoding::plain(name, bits) };
        let kept = keeps(config, "modules_to_not_convert");
        Self { towers: false, ..Self::of(Some(packed), Reach::Linear, kept) }
    }

    fn bitsandbytes(config: &Map<String, Value>) -> Self {
        let flag = |key: &str| config.get(key).and_then(Value::as_bool).unwrap_or(false);
        let kept = keeps(config, "llm_int8_skip_modules");
        if !flag("load_in_4bit") && !flag("_load_in_4bit") {
            // A row's largest value in fp32.
            let int8 =
                Encoding { scales: vec![Scale { rows: 1, cols: 0, bits: 32 }], ..Encoding::plain("int8", 8) };
            return Self::of(Some(int8), Reach::Linear, kept);
        }
        let nf4 = (*encoding("nf4")).clone();
        let plain = vec![Scale { rows: 1, cols: 64, bits: 32 }];
        let scales = if flag("bnb_4bit_use_double_quant") { nf4.scales.clone() } else { plain };
        Self::of(Some(Encoding { scales, ..nf4 }), Reach::Linear, kept)
    }
}

/// Names under a key, which keep the type of the model.
fn keeps(config: &Map<String, Value>, key: &str) -> Named {
    let names = config.get(key).and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).map(|name| (name.to_owned(), None)).collect()
}

/// Modules with an algorithm each.
fn of_layers(
    layers: &Map<String, Value>,
) -> impl Iterator<Item = Result<(String, Option<Arc<Encoding>>), Fault>> + '_ {
    layers.iter().map(|(name, how)| {
        let how = how.as_object().ok_or_else(|| unknown(name))?;
        let algorithm = how.get("quant_algo").and_then(Value::as_str).unwrap_or("none");
        Ok((name.clone(), algorithm_encoding(algorithm, how)?.map(Arc::new)))
    })
}

/// Storage by the name of one of ModelOpt's algorithms.
fn algorithm_encoding(algorithm: &str, config: &Map<String, Value>) -> Result<Option<Encoding>, Fault> {
    let group = config.get("group_size").and_then(Value::as_u64).unwrap_or(16);
    let four = |name: &str, bits, whole: usize| {
        let mut scales = vec![Scale { rows: 1, cols: group, bits }];
        scales.extend(std::iter::repeat_n(WHOLE, whole));
        Encoding { scales, ..Encoding::plain(name, 4) }
    };
    Ok(Some(match algorithm.to_ascii_uppercase().as_str() {
        "FP8" => fp8(vec![WHOLE, WHOLE]),
        "FP8_PER_CHANNEL_PER_TOKEN" => fp8(vec![Scale { rows: 1, cols: 0, bits: 32 }]),
        "FP8_PB_WO" => fp8(vec![Scale { rows: 128, cols: 128, bits: 32 }]),
        "NVFP4" => four("nvfp4", 8, 2),
        "W4A16_NVFP4" | "NVFP4_AWQ" => four("nvfp4", 8, 1),
        "W4A16_AWQ" | "INT4_AWQ" | "W4A8_AWQ" => four("int4", 16, 0),
        "W8A16" | "W8A8_SQ_PER_CHANNEL" | "INT8_SQ" => {
            Encoding { scales: vec![Scale { rows: 1, cols: 0, bits: 32 }], ..Encoding::plain("int8", 8) }
        }
        "MXFP4" | "W4A8_MXFP4_FP8" => (*encoding("mxfp4")).clone(),
        "NONE" => return Ok(None),
        other => return Err(unknown(other)),
    }))
}

/// Storage of a group of compressed-tensors.
fn group_encoding(group: &Value, dtype: &Encoding) -> Result<Encoding, Fault> {
    let weights = group.get("weights").ok_or_else(|| unknown("config_groups"))?;
    let text = |key: &str| weights.get(key).and_then(Value::as_str);
    let bits = weights.get("num_bits").and_then(Value::as_u64).unwrap_or(8);
    let size = weights.get("group_size").and_then(Value::as_u64);
    let scale = dtype.block_bits.clamp(16, 32);
    let scales = match (text("strategy"), size) {
        (Some("channel"), _) => vec![Scale { rows: 1, cols: 0, bits: scale }],
        (Some("block"), _) => vec![Scale { rows: 128, cols: 128, bits: scale }],
        (_, Some(cols)) if cols > 0 => vec![Scale { rows: 1, cols, bits: scale }],
        _ => vec![WHOLE],
    };
    let asymmetric = weights.get("symmetric").and_then(Value::as_bool) == Some(false);
    Ok(match (text("type"), bits) {
        (Some("float"), 8) => {
            let mut encoding = fp8(scales);
            let inputs = group.get("input_activations").filter(|inputs| !inputs.is_null());
            let fixed =
                inputs.and_then(|inputs| inputs.get("dynamic")).and_then(Value::as_bool) == Some(false);
            encoding.scales.extend(fixed.then_some(WHOLE));
            encoding
        }
        (Some("float"), 4) if size == Some(32) => (*encoding("mxfp4")).clone(),
        (Some("float"), 4) => (*encoding("nvfp4")).clone(),
        (_, 8) => Encoding { scales, ..Encoding::plain("int8", 8) },
        (_, 1..=7) => {
            let zero = scales.first().filter(|_| asymmetric).map(|scale| Scale { bits, ..*scale });
            let mut scales = scales;
            scales.extend(zero);
            // Beside the packed words stands the shape: two int64.
            scales.push(Scale { rows: 0, cols: 0, bits: 128 });
            Encoding { scales, ..Encoding::plain(&format!("int{bits}"), bits) }
        }
        _ => return Err(unknown("config_groups")),
    })
}

fn is_static(config: &Map<String, Value>) -> bool {
    config.get("activation_scheme").and_then(Value::as_str) == Some("static")
}

/// Storage of the cache that a checkpoint comes with scales for.
fn cache(config: &Map<String, Value>) -> Option<Arc<Encoding>> {
    let algorithm = config.get("kv_cache_quant_algo").and_then(Value::as_str);
    let scheme = config.get("kv_cache_scheme").filter(|scheme| !scheme.is_null());
    let named = algorithm.or_else(|| scheme?.as_str());
    let bits = scheme.and_then(|scheme| scheme.get("num_bits")).and_then(Value::as_u64);
    match (named, bits) {
        (Some("FP8"), _) | (_, Some(8)) => Some(Arc::new(Encoding::plain("fp8", 8))),
        (Some("NVFP4"), _) | (_, Some(4)) => Some(Arc::new(Encoding {
            scales: vec![Scale { rows: 1, cols: 16, bits: 8 }],
            ..Encoding::plain("nvfp4", 4)
        })),
        _ => None,
    }
}

fn unknown(what: &str) -> Fault {
    let hint = Text::new("hint-quantisation-unknown");
    Fault::content("quantisation-unknown").with("method", what).hint(hint)
}
