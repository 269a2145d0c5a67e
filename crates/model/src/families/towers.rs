//! Towers that see for a decoder.

use maat_base::Fault;

use super::plain::positions;
use super::vision::{Patches, VitLayer, clip_vision, pair, siglip_vision};
use crate::assemble::{Context, Draft};
use crate::blocks::{Attention, Mlp, QkNorm};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Role, StackKind};

/// The stacks of a tower; a projector is added behind the last.
pub(super) type Tower = Vec<Draft>;

fn tower(cx: &Context, path: &'static str, hidden: u64, patches: u64) -> Draft {
    Draft::other(cx, StackKind::Tower, path, hidden, Length::PerItem(patches))
}

fn fill(cx: &Context, draft: &mut Draft, layers: u64, layer: &VitLayer) -> Result<(), Fault> {
    draft.layers(cx, layers, |parts, _| Ok(vec![layer.describe(parts)]))
}

/// The tower that `model_type` names.
pub(super) fn by_type(cx: &Context) -> Result<Tower, Fault> {
    let model_type = cx.config.text("model_type").unwrap_or_default();
    match model_type.as_str() {
        "pixtral" => pixtral(cx),
        "siglip_vision_model" => {
            let headed = cx.config.flag("vision_use_head", true)?;
            Ok(vec![siglip_vision(cx, StackKind::Tower, headed)?])
        }
        "clip_vision_model" => Ok(vec![clip_vision(cx, StackKind::Tower)?]),
        _ if cx.config.text("feature_layer").is_some() => pixtral(cx),
        // A tower without a name is of the kind whose defaults it was given.
        "" if cx.config.maybe("projection_dim")?.is_some() => Ok(vec![clip_vision(cx, StackKind::Tower)?]),
        "" => Ok(vec![siglip_vision(cx, StackKind::Tower, cx.config.flag("vision_use_head", true)?)?]),
        other => {
            let fault = cx.config.fault("model_type", "architecture-unknown");
            Err(fault.with("architecture", other).with("family", other))
        }
    }
}

/// SigLIP without the head that pools.
pub(super) fn siglip_bare(cx: &Context) -> Result<Tower, Fault> {
    Ok(vec![siglip_vision(cx, StackKind::Tower, false)?])
}

fn pixtral(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let patches = Patches::read(config)?;
    let heads = config.int("num_attention_heads")?;
    let mut layer = VitLayer::new(hidden, heads, config.int("intermediate_size")?).qkv_bias(false);
    layer.attention.out_bias = false;
    layer.norm = Norm::Rms;
    layer.mlp = Mlp { gated: true, bias: false, ..layer.mlp };
    let mut draft = tower(cx, "vision_tower.transformer.layers", hidden, patches.count);
    draft.before.conv("vision_tower.patch_conv", config.int("num_channels")?, hidden, patches.area);
    draft.before.norm(Norm::Rms, "vision_tower.ln_pre", hidden);
    fill(cx, &mut draft, config.depth("num_hidden_layers")?, &layer)?;
    Ok(vec![draft])
}

pub(super) fn internvl(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let patches = Patches::read(config)?;
    let heads = config.int("num_attention_heads")?;
    let bias = config.flag("attention_bias", false)?;
    let mut layer = VitLayer::new(hidden, heads, config.int("intermediate_size")?).qkv_bias(bias);
    layer.scales = 2;
    if config.text("norm_type").is_some_and(|norm| norm == "rms_norm") {
        layer.norm = Norm::Rms;
    }
    if config.flag("use_qk_norm", false)? {
        layer.attention.qk_norm = QkNorm::Whole(Norm::Rms);
    }
    let mut draft = tower(cx, "vision_tower.encoder.layer", hidden, patches.count + 1);
    let before = &mut draft.before;
    before.vector(Role::Other, "embeddings.cls_token", hidden);
    if config.flag("use_mask_token", false)? {
        before.vector(Role::Other, "embeddings.mask_token", hidden);
    }
    if config.flag("use_absolute_position_embeddings", true)? {
        positions(before, "embeddings.position_embeddings", patches.count + 1, hidden);
    }
    let channels = config.int("num_channels")?;
    before.conv("embeddings.patch_embeddings", channels, hidden, patches.area).biased(true);
    fill(cx, &mut draft, config.depth("num_hidden_layers")?, &layer)?;
    if !config.flag("use_mean_pooling", true)? {
        draft.after.norm(Norm::Layer, "vision_tower.layernorm", hidden);
    }
    Ok(vec![draft])
}

/// What the towers of Qwen have in common.
struct Qwen {
    hidden: u64,
    heads: u64,
    layers: u64,
    /// Elements of a patch over time and channels.
    patch: u64,
    channels: u64,
    /// Patches that are merged to a token.
    merged: u64,
}

/// Patches of an image of 448 x 448, where the file fixes none.
const USUAL_PATCHES: u64 = 1024;

impl Qwen {
    fn read(config: &Config, width: &str) -> Result<Self, Fault> {
        let stated = |key: &'static str, other: &'static str| {
            if config.stated(key).is_none() && config.stated(other).is_some() { other } else { key }
        };
        let patch = config.int("patch_size")?;
        Ok(Self {
            hidden: config.int(width)?,
            heads: config.int("num_heads")?,
            layers: config.layers("depth")?,
            patch: patch * patch * config.int("temporal_patch_size")?,
            channels: config.int(stated("in_channels", "in_chans"))?,
            merged: config.int("spatial_merge_size")?.pow(2),
        })
    }

    fn start(&self, cx: &Context, bias: bool) -> Draft {
        let mut draft = tower(cx, "visual.blocks", self.hidden, USUAL_PATCHES);
        draft.before.conv("visual.patch_embed.proj", self.channels, self.hidden, self.patch).biased(bias);
        draft
    }

    fn layer(&self, inner: u64) -> VitLayer {
        let mut layer = VitLayer::new(self.hidden, self.heads, inner);
        layer.attention = Attention { at: "attn", fused: true, ..layer.attention };
        layer
    }

    /// Merges patches, through a width of all of them.
    fn merger(&self, parts: &mut Parts, name: &str, norm: (Norm, u64), out: u64) {
        let wide = self.hidden * self.merged;
        parts.norm(norm.0, format!("visual.{name}.norm"), norm.1);
        parts.matmul(Role::Other, format!("visual.{name}.linear_fc1"), wide, wide).biased(true);
        parts.matmul(Role::Other, format!("visual.{name}.linear_fc2"), wide, out).biased(true);
    }
}

pub(super) fn qwen2_vl(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let qwen = Qwen::read(config, "embed_dim")?;
    let ratio = config.float("mlp_ratio", 4.0)?;
    let layer = qwen.layer(((qwen.hidden as f64 * ratio) as u64).min(1 << 32));
    let mut draft = qwen.start(cx, false);
    fill(cx, &mut draft, qwen.layers, &layer)?;
    qwen.merger(&mut draft.after, "merger", (Norm::Layer, qwen.hidden), config.int("hidden_size")?);
    Ok(vec![draft])
}

pub(super) fn qwen2_5_vl(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let qwen = Qwen::read(config, "hidden_size")?;
    let mut layer = qwen.layer(config.int("intermediate_size")?);
    layer.norm = Norm::Rms;
    layer.mlp.gated = true;
    let mut draft = qwen.start(cx, false);
    fill(cx, &mut draft, qwen.layers, &layer)?;
    qwen.merger(&mut draft.after, "merger", (Norm::Rms, qwen.hidden), config.int("out_hidden_size")?);
    Ok(vec![draft])
}

/// Qwen3-VL and Qwen3.5: learned positions, and mergers for some layers in between.
pub(super) fn qwen3_vl(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let qwen = Qwen::read(config, "hidden_size")?;
    let layer = qwen.layer(config.int("intermediate_size")?);
    let out = config.int("out_hidden_size")?;
    let mut draft = qwen.start(cx, true);
    let rows = config.int("num_position_embeddings")?;
    positions(&mut draft.before, "visual.pos_embed", rows, qwen.hidden);
    fill(cx, &mut draft, qwen.layers, &layer)?;
    qwen.merger(&mut draft.after, "merger", (Norm::Layer, qwen.hidden), out);
    let deep = config.numbers("deepstack_visual_indexes")?.unwrap_or_default();
    for index in 0..deep.len() {
        let name = format!("deepstack_merger_list.{index}");
        qwen.merger(&mut draft.after, &name, (Norm::Layer, qwen.hidden * qwen.merged), out);
    }
    Ok(vec![draft])
}

pub(super) fn llama4(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let patches = Patches::read(config)?;
    let inner = config.int("intermediate_size")?;
    let layer = VitLayer::new(hidden, config.int("num_attention_heads")?, inner);
    let mut draft = tower(cx, "vision_model.model.layers", hidden, patches.count + 1);
    let channels = config.int("num_channels")?;
    draft.before.matmul(Role::Other, "patch_embedding.linear", channels * patches.area, hidden);
    draft.before.vector(Role::Other, "class_embedding", hidden);
    positions(&mut draft.before, "positional_embedding_vlm", patches.count + 1, hidden);
    draft.before.norm(Norm::Layer, "layernorm_pre", hidden);
    fill(cx, &mut draft, config.depth("num_hidden_layers")?, &layer)?;
    draft.after.norm(Norm::Layer, "layernorm_post", hidden);
    let (from, to) = (config.int("projector_input_dim")?, config.int("projector_output_dim")?);
    draft.after.matmul(Role::Other, "vision_adapter.mlp.fc1", inner, from);
    draft.after.matmul(Role::Other, "vision_adapter.mlp.fc2", from, to);
    Ok(vec![draft])
}

pub(super) fn gemma4(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let heads = config.int("num_attention_heads")?;
    let attention = Attention {
        kv_heads: config.int_or("num_key_value_heads", heads)?,
        head_dim: config.head_dim(hidden, heads)?,
        qk_norm: QkNorm::Head(Norm::Rms),
        bias: [false; 3],
        out_bias: false,
        ..Attention::encoder(hidden, heads)
    };
    let inner = config.int("intermediate_size")?;
    let layer = VitLayer {
        attention,
        mlp: Mlp { hidden, inner, gated: true, bias: false },
        norm: Norm::Rms,
        norms: 4,
        scales: 0,
    };
    let patch = config.int("patch_size")?;
    let mut draft = tower(cx, "vision_tower.encoder.layers", hidden, USUAL_PATCHES);
    draft.before.matmul(Role::Other, "patch_embedder.input_proj", 3 * patch * patch, hidden);
    let rows = 2 * config.int("position_embedding_size")?;
    positions(&mut draft.before, "patch_embedder.position_embedding_table", rows, hidden);
    fill(cx, &mut draft, config.depth("num_hidden_layers")?, &layer)?;
    Ok(vec![draft])
}

/// Kimi K2.5's MoonViT, whose file has names of its own.
pub(super) fn kimi(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let named = |own: &str, usual: &str| {
        if config.stated(own).is_some() { config.int(own) } else { config.int(usual) }
    };
    let hidden = named("vt_hidden_size", "hidden_size")?;
    let heads = named("vt_num_attention_heads", "num_attention_heads")?;
    let layer = VitLayer::new(hidden, heads, named("vt_intermediate_size", "intermediate_size")?);
    let (height, width) =
        (named("init_pos_emb_height", "pos_emb_height")?, named("init_pos_emb_width", "pos_emb_width")?);
    let patch = pair(config, "patch_size")?;
    let mut draft = tower(cx, "vision_tower.layers", hidden, height * width);
    draft.before.conv("patch_embed.proj", 3, hidden, patch.0 * patch.1).biased(true);
    positions(&mut draft.before, "patch_embed.pos_emb", height * width, hidden);
    let layers = if config.stated("vt_num_hidden_layers").is_some() {
        config.layers("vt_num_hidden_layers")?
    } else {
        config.depth("num_hidden_layers")?
    };
    fill(cx, &mut draft, layers, &layer)?;
    draft.after.norm(Norm::Layer, "final_layernorm", hidden);
    Ok(vec![draft])
}

pub(super) fn step(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let patches = Patches::read(config)?;
    let ratio = config.float("mlp_ratio", 4.0)?;
    let inner = ((hidden as f64 * ratio) as u64).min(1 << 32);
    let mut layer = VitLayer::new(hidden, config.int("num_attention_heads")?, inner);
    layer.scales = 2;
    let mut draft = tower(cx, "vision_model.layers", hidden, patches.count);
    let channels = config.int("num_channels")?;
    draft.before.conv("embeddings.patch_embedding", channels, hidden, patches.area);
    positions(&mut draft.before, "embeddings.position_embedding", patches.count, hidden);
    draft.before.norm(Norm::Layer, "pre_layernorm", hidden);
    fill(cx, &mut draft, config.depth("num_hidden_layers")?, &layer)?;
    draft.after.conv("downsampler1", hidden, 2 * hidden, 9).biased(true);
    draft.after.conv("downsampler2", 2 * hidden, 4 * hidden, 9).biased(true);
    Ok(vec![draft])
}

/// Llama 3.2's: tiles, gates, and a second stack over all tiles.
pub(super) fn mllama(cx: &Context) -> Result<Tower, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let patches = Patches::read(config)?;
    let tiles = config.int("max_num_tiles")?;
    let ratios = config.stated("supported_aspect_ratios").and_then(serde_json::Value::as_array);
    let ratios = ratios.map_or(8, Vec::len) as u64 + 1;
    let heads = match config.maybe("attention_heads")? {
        Some(_) => config.int("attention_heads")?,
        None => config.int("num_attention_heads")?,
    };
    let mut layer = VitLayer::new(hidden, heads, config.int("intermediate_size")?).qkv_bias(false);
    layer.attention.out_bias = false;
    let rows = patches.count + 1;
    let mut draft = tower(cx, "vision_model.transformer.layers", hidden, rows * tiles);
    let before = &mut draft.before;
    before.conv("patch_embedding", config.int("num_channels")?, hidden, patches.area);
    before.vector(Role::Other, "class_embedding", hidden);
    before.vector(Role::Other, "gates", 3);
    positions(before, "gated_positional_embedding.embedding", rows, hidden);
    positions(
        before,
        "gated_positional_embedding.tile_embedding",
        ratios,
        (tiles * rows).saturating_mul(hidden),
    );
    for name in ["pre_tile_positional_embedding", "post_tile_positional_embedding"] {
        positions(before, name, ratios, tiles * hidden);
    }
    before.norm(Norm::Layer, "layernorm_pre", hidden);
    before.norm(Norm::Layer, "layernorm_post", hidden);
    fill(cx, &mut draft, config.depth("num_hidden_layers")?, &layer)?;
    let mut global = tower(cx, "vision_model.global_transformer.layers", hidden, rows * tiles);
    global.layers(cx, config.layers("num_global_layers")?, |parts, _| {
        parts.vector(Role::Other, "gates", 2);
        Ok(vec![layer.describe(parts)])
    })?;
    Ok(vec![draft, global])
}
