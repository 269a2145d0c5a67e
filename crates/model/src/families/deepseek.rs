//! DeepSeek: latent attention, shared and routed experts, dense first layers.

use maat_base::Fault;

use super::windows::kinds;
use crate::assemble::{Context, Draft, Trunk};
use crate::blocks::{Mla, Mlp, Moe, Shared, indexer_encoding, mlp, softmax};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{
    Cache, CacheKind, Compute, Indexer, Length, Mixer, Part, Role, Split, Stack, StackKind, Storage,
};

/// Latent attention under its usual names.
pub(crate) fn latent(config: &Config) -> Result<Mla, Fault> {
    Ok(Mla {
        hidden: config.int("hidden_size")?,
        heads: config.int("num_attention_heads")?,
        query_rank: config.maybe("q_lora_rank")?.filter(|n| *n > 0),
        latent: config.int("kv_lora_rank")?,
        plain: config.int("qk_nope_head_dim")?,
        rotary: config.int("qk_rope_head_dim")?,
        value: config
            .int_or("v_head_dim", config.int("hidden_size")? / config.int("num_attention_heads")?)?,
        bias: config.flag("attention_bias", false)?,
        query_width: None,
        indexer: None,
        reuses_selection: false,
    })
}

/// Routed and shared experts under DeepSeek's names.
pub(crate) fn experts(config: &Config) -> Result<Moe, Fault> {
    let inner = config.int("moe_intermediate_size")?;
    let shared = config.whole("n_shared_experts", 0)?;
    let shared = Shared { name: "shared_experts", inner: inner.saturating_mul(shared), weighed: false };
    Ok(Moe {
        shared: Some(shared).filter(|shared| shared.inner > 0),
        ..Moe::new(
            config.int("hidden_size")?,
            inner,
            config.int("num_experts")?,
            config.whole("num_experts_per_tok", 0)?,
        )
    })
}

/// How the members of the family differ.
#[derive(Clone, Copy)]
struct Member {
    /// Whether the router has the correction for load balance.
    correction: bool,
    /// Whether an indexer selects the tokens that are read.
    indexed: bool,
    /// Whether `mlp_bias` is heeded.
    biased: bool,
    /// First layers without experts, where nothing says how many.
    dense: u64,
}

pub(super) fn v2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    latent_decoder(cx, Member { correction: false, indexed: false, biased: true, dense: 0 })
}

/// DeepSeek-V3 and R1, Kimi K2.
pub(super) fn v3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    latent_decoder(cx, Member { correction: true, indexed: false, biased: false, dense: 0 })
}

/// Mistral 4: DeepSeek-V3's layers without the correction.
pub(super) fn mistral4(cx: &Context) -> Result<Vec<Stack>, Fault> {
    latent_decoder(cx, Member { correction: false, indexed: false, biased: false, dense: 0 })
}

/// GLM-4.7-Flash: DeepSeek-V3 with one dense layer.
pub(super) fn glm4_lite(cx: &Context) -> Result<Vec<Stack>, Fault> {
    latent_decoder(cx, Member { correction: true, indexed: false, biased: false, dense: 1 })
}

/// DeepSeek-V3.2 and GLM-5.
pub(super) fn v32(cx: &Context) -> Result<Vec<Stack>, Fault> {
    latent_decoder(cx, Member { correction: true, indexed: true, biased: false, dense: 0 })
}

fn indexer(config: &Config) -> Result<Indexer, Fault> {
    Ok(Indexer {
        heads: config.int("index_n_heads")?,
        dim: config.int("index_head_dim")?,
        top_k: config.int("index_topk")?,
    })
}

/// For each layer, whether it selects tokens anew; the others reuse the selection of the layer before.
fn selects(config: &Config, layers: u64) -> Result<Vec<bool>, Fault> {
    if let Some(kinds) = config.words("indexer_types")? {
        return Ok(kinds.iter().map(|kind| kind == "full").collect());
    }
    if let Some(pattern) = config.text("index_topk_pattern") {
        return Ok(pattern.chars().map(|letter| letter == 'F').collect());
    }
    let (period, offset) = (config.int_or("index_topk_freq", 1)?, config.whole("index_skip_topk_offset", 2)?);
    Ok((0..layers).map(|layer| (layer + 1).saturating_sub(offset) % period == 0).collect())
}

fn latent_decoder(cx: &Context, member: Member) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let mut attention = latent(config)?;
    attention.indexer = if member.indexed { Some(indexer(config)?) } else { None };
    let selects = if member.indexed { selects(config, trunk.layers)? } else { Vec::new() };
    let bias = member.biased && config.flag("mlp_bias", false)?;
    let experts = Moe { correction: member.correction, bias, ..experts(config)? };
    let dense = Mlp { hidden: trunk.hidden, inner: config.int("intermediate_size")?, gated: true, bias };
    let first = config.whole("first_k_dense_replace", member.dense)?;
    let feeds = kinds(config, "mlp_layer_types", trunk.layers)?;
    let describe = |parts: &mut Parts, layer: u64| -> Result<Vec<Mixer>, Fault> {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let reuses = selects.get(layer as usize) == Some(&false);
        let mixer = Mla { reuses_selection: reuses, ..attention }.describe(parts);
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        let kind = feeds.as_ref().and_then(|feeds| feeds.get(layer as usize));
        let is_dense = kind.map_or(layer < first, |kind| kind == "dense");
        if is_dense {
            mlp(parts, "mlp", dense);
        } else {
            experts.describe(parts);
        }
        Ok(vec![mixer])
    };
    let mut stacks = vec![trunk.build(cx, describe)?];
    let predicted = config.layers("num_nextn_predict_layers")?;
    if predicted > 0 {
        let start = trunk.layers;
        stacks.push(prediction(cx, &trunk, predicted, |parts, layer| describe(parts, start + layer))?);
    }
    Ok(stacks)
}

/// Attention of DeepSeek-V4: one latent for all heads, a window, and behind it entries compressed by 4 (of which an
/// indexer selects) or by 128.
struct Compressed<'c> {
    config: &'c Config<'c>,
    hidden: u64,
    heads: u64,
    width: u64,
    window: Option<u64>,
    rates: (u64, u64),
}

impl<'c> Compressed<'c> {
    fn read(config: &'c Config<'c>, hidden: u64) -> Result<Self, Fault> {
        let rates = config.inside("compress_rates")?;
        let rate = |legacy: &str, key: &str, usual| {
            if config.stated(legacy).is_some() { config.int(legacy) } else { rates.int_or(key, usual) }
        };
        Ok(Self {
            config,
            hidden,
            heads: config.int("num_attention_heads")?,
            width: config.int("head_dim")?,
            window: config.length("sliding_window")?,
            rates: (
                rate("compress_rate_csa", "compressed_sparse_attention", 4)?,
                rate("compress_rate_hca", "heavily_compressed_attention", 128)?,
            ),
        })
    }

    fn describe(&self, parts: &mut Parts, kind: &str) -> Result<Mixer, Fault> {
        let Self { config, hidden, heads, width, .. } = *self;
        let (rank, groups) = (config.int("q_lora_rank")?, config.int("o_groups")?);
        let out = groups * config.int("o_lora_rank")?;
        parts.matmul(Role::LatentDown, "self_attn.q_a_proj", hidden, rank);
        parts.norm(Norm::Rms, "self_attn.q_a_norm", rank);
        parts.matmul(Role::LatentUp, "self_attn.q_b_proj", rank, heads * width);
        parts.matmul(Role::LatentDown, "self_attn.kv_proj", hidden, width);
        parts.norm(Norm::Rms, "self_attn.kv_norm", width);
        parts.matmul(Role::LatentUp, "self_attn.o_a_proj", heads * width / groups, out);
        parts.matmul(Role::AttentionOut, "self_attn.o_b_proj", out, hidden);
        parts.vector(Role::Other, "self_attn.sinks", heads).in_part(Part::Attention).split(Split::Column);
        let mut mixer = latent_mixer(heads, width, self.window);
        let (rate, span) = match kind {
            "compressed_sparse_attention" => (self.rates.0, 2 * width),
            "heavily_compressed_attention" => (self.rates.1, width),
            _ => return Ok(mixer),
        };
        compressor(parts, "self_attn.compressor", hidden, (rate, span, width));
        let entry = Cache { kind: CacheKind::Mla, every: rate, window: None, ..mixer.caches[0].clone() };
        mixer.caches.push(entry.clone());
        if let Compute::Attention { window, .. } = &mut mixer.compute {
            *window = None;
        }
        if kind == "compressed_sparse_attention" {
            let index = indexer(config)?;
            compressor(parts, "self_attn.compressor.indexer", hidden, (rate, 2 * index.dim, index.dim));
            parts.matmul(
                Role::Indexer,
                "self_attn.compressor.indexer.q_b_proj",
                rank,
                index.heads * index.dim,
            );
            parts.matmul(Role::Indexer, "self_attn.compressor.indexer.weights_proj", hidden, index.heads);
            mixer.caches.push(Cache { key: index.dim, encoding: Some(indexer_encoding()), ..entry });
            if let Compute::Attention { indexer, .. } = &mut mixer.compute {
                *indexer = Some(index);
            }
        }
        Ok(mixer)
    }
}

/// What compresses `rate` tokens to one entry of `width`, through `span` columns.
fn compressor(parts: &mut Parts, at: &str, hidden: u64, (rate, span, width): (u64, u64, u64)) {
    parts.matmul(Role::LatentDown, format!("{at}.kv_proj"), hidden, span);
    parts.matmul(Role::LatentDown, format!("{at}.gate_proj"), hidden, span);
    parts.vector(Role::Other, format!("{at}.position_bias"), rate * span).in_part(Part::Attention);
    parts.norm(Norm::Rms, format!("{at}.kv_norm"), width);
}

fn latent_mixer(heads: u64, width: u64, window: Option<u64>) -> Mixer {
    let mut mixer = softmax(heads, 1, (width, width), window);
    mixer.caches[0].value = 0;
    mixer
}

/// DeepSeek-V4: hyper-connections (four streams), compressed attention, experts everywhere, the first few chosen by a
/// table of tokens.
pub(super) fn v4(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let attention = Compressed::read(config, hidden)?;
    let mut experts = Moe { bias: config.flag("mlp_bias", false)?, ..experts(config)? };
    // The library's class has one shared expert, whatever their number is said to be.
    experts.shared = Some(Shared { name: "shared_experts", inner: experts.inner, weighed: false });
    let chosen = experts.chosen;
    let streams = config.int("hc_mult")?;
    let types = v4_types(config, trunk.layers)?;
    let hashed = v4_hashed(config, trunk.layers)?;
    let describe = |parts: &mut Parts, layer: u64| -> Result<Vec<Mixer>, Fault> {
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let kind = types.get(layer as usize).map_or("sliding_attention", String::as_str);
        let mixer = attention.describe(parts, kind)?;
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        let hash = layer < hashed;
        Moe { correction: !hash, ..experts }.describe(parts);
        if hash {
            let int64 = crate::precision::encoding("int64");
            let table = parts.vector(Role::Router, "mlp.gate.tid2eid", trunk.vocabulary * chosen);
            table.in_part(Part::Router).stored(Storage::Buffer).encoded(&int64);
        }
        let entries = (2 + streams) * streams;
        for at in ["attn_hc", "ffn_hc"] {
            parts.matmul(Role::Other, format!("{at}.fn"), streams * hidden, entries);
            parts.vector(Role::Other, format!("{at}.base"), entries);
            parts.vector(Role::Other, format!("{at}.scale"), 3);
        }
        Ok(vec![mixer])
    };
    let mut draft = trunk.start(cx);
    draft.layers(cx, trunk.layers, describe)?;
    draft.after.matmul(Role::Other, "model.hc_head.hc_fn", streams * hidden, streams);
    draft.after.vector(Role::Other, "model.hc_head.hc_base", streams);
    draft.after.vector(Role::Other, "model.hc_head.hc_scale", 1);
    Ok(vec![trunk.finish(cx, draft)?])
}

/// The kind of attention of each layer; older files give the rates of compression instead.
fn v4_types(config: &Config, layers: u64) -> Result<Vec<String>, Fault> {
    let mut types = match (config.words("layer_types")?, config.numbers("compress_ratios")?) {
        (Some(types), _) => types,
        (None, Some(rates)) => rates
            .iter()
            .map(|rate| match rate {
                0 => "sliding_attention",
                4 => "compressed_sparse_attention",
                _ => "heavily_compressed_attention",
            })
            .map(str::to_owned)
            .collect(),
        (None, None) => (0..layers)
            .map(|layer| match layer {
                0 | 1 => "heavily_compressed_attention",
                layer if layer % 2 == 1 => "compressed_sparse_attention",
                _ => "heavily_compressed_attention",
            })
            .map(str::to_owned)
            .collect(),
    };
    types.truncate(layers as usize);
    Ok(types)
}

/// The number of first layers whose experts a table of tokens chooses.
fn v4_hashed(config: &Config, layers: u64) -> Result<u64, Fault> {
    match kinds(config, "mlp_layer_types", layers)? {
        Some(kinds) => Ok(kinds.iter().filter(|kind| *kind == "hash_moe").count() as u64),
        None => config.whole("num_hash_layers", 3),
    }
}

/// MiniCPM3: latent attention with dense layers.
pub(super) fn minicpm3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let attention = latent(config)?;
    let bias = config.flag("mlp_bias", false)?;
    let dense = Mlp { hidden: trunk.hidden, inner: config.int("intermediate_size")?, gated: true, bias };
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = attention.describe(parts);
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        mlp(parts, "mlp", dense);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Multi-token prediction as DeepSeek-V3 stores it: each layer joins the embedding of the next token to the stream
/// (arXiv 2412.19437 section 2.2), with copies of embedding and head of its own.
pub(crate) fn prediction(
    cx: &Context,
    trunk: &Trunk,
    count: u64,
    mut describe: impl FnMut(&mut Parts, u64) -> Result<Vec<Mixer>, Fault>,
) -> Result<Stack, Fault> {
    let hidden = trunk.hidden;
    let mut draft = Draft::other(cx, StackKind::Mtp, trunk.path, hidden, Length::Tokens);
    draft.layers(cx, count, |parts, layer| {
        parts.table("embed_tokens", trunk.vocabulary, hidden);
        parts.matmul(Role::Head, "shared_head.head", hidden, trunk.vocabulary);
        parts.norm(Norm::Rms, "enorm", hidden);
        parts.norm(Norm::Rms, "hnorm", hidden);
        parts.matmul(Role::Other, "eh_proj", 2 * hidden, hidden);
        parts.norm(Norm::Rms, "shared_head.norm", hidden);
        describe(parts, layer)
    })?;
    Ok(draft.done())
}
