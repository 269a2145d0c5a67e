//! Gemma 3n and 4: embeddings for each layer, layers that share keys and values, two geometries of attention.

use maat_base::Fault;

use super::plain::attention;
use super::windows::kinds;
use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Mlp, Moe, QkNorm, mlp};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Role, Split, Stack};

/// The kind of each layer; every `period`-th sees all tokens where the file does not say.
fn full_layers(config: &Config, layers: u64, period: u64) -> Result<Vec<bool>, Fault> {
    Ok(match kinds(config, "layer_types", layers)? {
        Some(kinds) => kinds.iter().map(|kind| kind == "full_attention").collect(),
        None => (0..layers).map(|layer| (layer + 1) % period == 0).collect(),
    })
}

/// For each layer, whether it has keys and values of its own: all but the last `shared`. Where more share than there
/// are layers, the library counts the excess from the end, and the last layer of each kind before it keeps its own.
fn own_keys(full: &[bool], shared: u64) -> Vec<bool> {
    let layers = full.len();
    let shared = usize::try_from(shared).unwrap_or(usize::MAX);
    if shared <= layers {
        return (0..layers).map(|layer| layer < layers - shared).collect();
    }
    let cut = (2 * layers).saturating_sub(shared);
    let last = |kind: bool| full[..cut].iter().rposition(|full| *full == kind);
    let owners = [last(true), last(false)];
    (0..layers).map(|layer| owners.contains(&Some(layer))).collect()
}

/// Norms that stand around both blocks of a layer.
const FOUR: [&str; 4] = [
    "input_layernorm",
    "post_attention_layernorm",
    "pre_feedforward_layernorm",
    "post_feedforward_layernorm",
];

/// What feeds each layer an embedding of its own.
struct PerLayer {
    width: u64,
    rows: u64,
}

impl PerLayer {
    fn read(config: &Config) -> Result<Option<Self>, Fault> {
        let width = config.whole("hidden_size_per_layer_input", 0)?;
        let rows = config.whole("vocab_size_per_layer_input", 0)?;
        Ok(Some(Self { width, rows }).filter(|inputs| inputs.width > 0))
    }

    fn before(&self, parts: &mut Parts, hidden: u64, layers: u64) {
        let all = layers * self.width;
        parts.table("model.embed_tokens_per_layer", self.rows, all).split(Split::Replicated);
        parts.matmul(Role::Other, "model.per_layer_model_projection", hidden, all);
        parts.norm(Norm::Rms, "model.per_layer_projection_norm", self.width);
    }

    fn layer(&self, parts: &mut Parts, hidden: u64) {
        parts.matmul(Role::Other, "per_layer_input_gate", hidden, self.width);
        parts.matmul(Role::Other, "per_layer_projection", self.width, hidden);
        parts.norm(Norm::Rms, "post_per_layer_input_norm", hidden);
    }
}

/// Gemma 3n: four streams (AltUp), low-rank paths (LAuReL), embeddings for each layer.
pub(super) fn gemma3n(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let bias = config.flag("attention_bias", false)?;
    let base =
        Attention { bias: [bias; 3], out_bias: bias, qk_norm: QkNorm::Head(Norm::Rms), ..attention(config)? };
    let window = config.length("sliding_window")?;
    let full = full_layers(config, trunk.layers, 5)?;
    let inner = config.per_layer("intermediate_size", trunk.layers)?;
    let own_kv = own_keys(&full, config.whole("num_kv_shared_layers", 0)?);
    let inputs = PerLayer::read(config)?;
    let streams = config.int("altup_num_inputs")?;
    let rank = config.int("laurel_rank")?;
    let mut draft = trunk.start(cx);
    if let Some(inputs) = &inputs {
        inputs.before(&mut draft.before, hidden, trunk.layers);
    }
    for name in ["model.altup_projections", "model.altup_unembed_projections"] {
        draft.before.matmul(Role::Other, name, hidden, hidden).times(streams - 1, streams - 1);
    }
    draft.layers(cx, trunk.layers, |parts, layer| {
        let index = layer as usize;
        for name in FOUR {
            parts.norm(Norm::Rms, name, hidden);
        }
        let window = window.filter(|_| !full[index]);
        let mixer = Attention { window, shares_kv: !own_kv[index], ..base }.describe(parts);
        mlp(parts, "mlp", Mlp { hidden, inner: inner[index], gated: true, bias: false });
        parts.vector(Role::Other, "altup.correct_output_scale", hidden);
        parts.matmul(Role::Other, "altup.correction_coefs", streams, streams);
        parts.matmul(Role::Other, "altup.prediction_coefs", streams, streams * streams);
        parts.matmul(Role::Other, "altup.modality_router", hidden, streams);
        parts.norm(Norm::Rms, "altup.router_norm", hidden);
        parts.matmul(Role::Other, "laurel.linear_left", hidden, rank);
        parts.matmul(Role::Other, "laurel.linear_right", rank, hidden);
        parts.norm(Norm::Rms, "laurel.post_laurel_norm", hidden);
        if let Some(inputs) = &inputs {
            inputs.layer(parts, hidden);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![trunk.finish(cx, draft)?])
}

/// Gemma 4: windowed and full attention of different widths, experts beside the MLP in some models.
pub(super) fn gemma4(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let layers = trunk.layers;
    let mut full = full_layers(config, layers, 6)?;
    if let Some(last) = full.last_mut() {
        *last = true;
    }
    let geometry = Gemma4::read(config)?;
    let own_kv = own_keys(&full, config.whole("num_kv_shared_layers", 0)?);
    let inner = config.int("intermediate_size")?;
    let wide = config.flag("use_double_wide_mlp", false)?;
    let experts = gemma4_experts(config, hidden)?;
    let inputs = PerLayer::read(config)?;
    let mut draft = trunk.start(cx);
    if let Some(inputs) = &inputs {
        inputs.before(&mut draft.before, hidden, layers);
    }
    draft.layers(cx, layers, |parts, layer| {
        for name in FOUR {
            parts.norm(Norm::Rms, name, hidden);
        }
        let shares = !own_kv[layer as usize];
        let attention = geometry.of_layer(full[layer as usize], layer)?;
        let mixer = Attention { shares_kv: shares, ..attention }.describe(parts);
        let inner = if wide && shares { 2 * inner } else { inner };
        mlp(parts, "mlp", Mlp { hidden, inner, gated: true, bias: false });
        if let Some(experts) = &experts {
            experts.describe(parts);
            parts.vector(Role::Router, "router.scale", hidden);
            parts.vector(Role::Router, "router.per_expert_scale", experts.experts);
            for name in [
                "post_feedforward_layernorm_1",
                "post_feedforward_layernorm_2",
                "pre_feedforward_layernorm_2",
            ] {
                parts.norm(Norm::Rms, name, hidden);
            }
        }
        if let Some(inputs) = &inputs {
            inputs.layer(parts, hidden);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![trunk.finish(cx, draft)?])
}

fn gemma4_experts(config: &Config, hidden: u64) -> Result<Option<Moe>, Fault> {
    if !config.flag("enable_moe_block", false)? {
        return Ok(None);
    }
    let (inner, count) = (config.int("moe_intermediate_size")?, config.int("num_experts")?);
    let experts = Moe::new(hidden, inner, count, config.int("top_k_experts")?);
    Ok(Some(Moe { at: "moe", router: "router", ..experts }))
}

/// The two attentions of Gemma 4.
struct Gemma4<'c> {
    config: &'c Config<'c>,
    base: Attention,
    window: Option<u64>,
    /// Heads of keys and values, and width of a head, in layers that see all tokens.
    global: (u64, u64),
    /// Whether those use their keys as values.
    keys_are_values: bool,
}

impl<'c> Gemma4<'c> {
    fn read(config: &'c Config<'c>) -> Result<Self, Fault> {
        let bias = config.flag("attention_bias", false)?;
        let base = Attention {
            bias: [bias; 3],
            out_bias: bias,
            qk_norm: QkNorm::Head(Norm::Rms),
            ..attention(config)?
        };
        let keys_are_values = config.flag("attention_k_eq_v", false)?;
        let heads = config.int_or("num_global_key_value_heads", base.kv_heads)?;
        let heads = if keys_are_values { heads } else { base.kv_heads };
        Ok(Self {
            config,
            base,
            window: config.length("sliding_window")?,
            global: (heads, config.int_or("global_head_dim", 512)?),
            keys_are_values,
        })
    }

    /// The attention of a layer; `per_layer_config` overrides what the two geometries say.
    fn of_layer(&self, full: bool, layer: u64) -> Result<Attention, Fault> {
        let (mut kv_heads, mut head_dim) =
            if full { self.global } else { (self.base.kv_heads, self.base.head_dim) };
        if self.config.stated("per_layer_config").is_some() {
            let all = self.config.inside("per_layer_config")?;
            // The library pads the numbers of layers with zeros.
            let of_layer = |key: &&String| key.parse() == Ok(layer);
            let own = all.inside(all.map().keys().find(of_layer).map_or("", String::as_str))?;
            kv_heads = own.int_or("num_key_value_heads", self.base.kv_heads)?;
            head_dim = own.int_or("head_dim", self.base.head_dim)?;
        }
        Ok(Attention {
            kv_heads,
            head_dim,
            window: self.window.filter(|_| !full),
            keys_are_values: full && self.keys_are_values,
            ..self.base
        })
    }
}
