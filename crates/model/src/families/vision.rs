//! Vision transformers: on their own, and as towers of models that see.

use maat_base::Fault;

use super::encoder::dense;
use super::plain::positions;
use crate::assemble::{Context, Draft};
use crate::blocks::{Attention, Mlp, mlp};
use crate::class::Head;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Mixer, Role, Split, Stack, StackKind};

/// A layer of a vision transformer: layer norms before both blocks, biases, a plain MLP.
#[derive(Clone, Copy)]
pub(super) struct VitLayer {
    pub attention: Attention,
    pub mlp: Mlp,
    pub norm: Norm,
    /// Norms over the stream.
    pub norms: u64,
    /// Vectors that scale what the blocks give.
    pub scales: u64,
}

impl VitLayer {
    pub(super) fn new(hidden: u64, heads: u64, inner: u64) -> Self {
        Self {
            attention: Attention::encoder(hidden, heads),
            mlp: Mlp { hidden, inner, gated: false, bias: true },
            norm: Norm::Layer,
            norms: 2,
            scales: 0,
        }
    }

    pub(super) fn qkv_bias(mut self, biased: bool) -> Self {
        self.attention.bias = [biased; 3];
        self
    }

    pub(super) fn describe(&self, parts: &mut Parts) -> Mixer {
        let hidden = self.mlp.hidden;
        for name in ["norm1", "norm2", "norm3", "norm4"].iter().take(self.norms as usize) {
            parts.norm(self.norm, *name, hidden);
        }
        let mixer = self.attention.describe(parts);
        mlp(parts, "mlp", self.mlp);
        if self.scales > 0 {
            parts.vector(Role::Other, "layer_scale", hidden * self.scales);
        }
        mixer
    }
}

/// Height and width under a key that holds one number for both, or two.
pub(super) fn pair(config: &Config, key: &str) -> Result<(u64, u64), Fault> {
    if !config.is_list(key) {
        return config.int(key).map(|side| (side, side));
    }
    match config.numbers(key)?.unwrap_or_default().as_slice() {
        [side] => Ok((*side, *side)),
        [height, width] => Ok((*height, *width)),
        _ => Err(config.fault(key, "config-not-a-size").with("value", "[…]")),
    }
}

/// How an image is cut: patches of `area` pixels, so many of them.
pub(super) struct Patches {
    pub area: u64,
    pub count: u64,
}

impl Patches {
    pub(super) fn read(config: &Config) -> Result<Self, Fault> {
        let (height, width) = pair(config, "image_size")?;
        let (patch_height, patch_width) = pair(config, "patch_size")?;
        if patch_height == 0 || patch_width == 0 {
            return Err(config.fault("patch_size", "config-not-a-size").with("value", "0"));
        }
        Ok(Self { area: patch_height * patch_width, count: (height / patch_height) * (width / patch_width) })
    }
}

fn layer_of(config: &Config) -> Result<VitLayer, Fault> {
    let inner = config.int("intermediate_size")?;
    Ok(VitLayer::new(config.int("hidden_size")?, config.int("num_attention_heads")?, inner))
}

/// What a family of vision transformers has before its layers.
#[derive(Clone, Copy)]
struct Start {
    /// Tokens that are learned: class, mask, distillation.
    tokens: u64,
    /// Positions beyond the patches.
    extra_positions: u64,
    patch_bias: bool,
    /// Whether the stream is normalised before the first layer.
    normed: bool,
}

fn start(cx: &Context, kind: StackKind, path: &'static str, start: Start) -> Result<Draft, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let patches = Patches::read(config)?;
    let rows = patches.count + start.extra_positions;
    let mut draft = Draft::other(cx, kind, path, hidden, Length::PerItem(rows));
    let before = &mut draft.before;
    let channels = config.int_or("num_channels", 3)?;
    before.conv("embeddings.patch_embedding", channels, hidden, patches.area).biased(start.patch_bias);
    if start.tokens > 0 {
        before.vector(Role::Other, "embeddings.tokens", hidden * start.tokens);
    }
    positions(before, "embeddings.position_embedding", rows, hidden);
    if start.normed {
        before.norm(Norm::Layer, "pre_layernorm", hidden);
    }
    Ok(draft)
}

/// Labels behind a vision model; none where there are none.
fn classify(cx: &Context, parts: &mut Parts, width: u64) -> Result<(), Fault> {
    if cx.head == Head::Sequence {
        let labels = cx.labels()?;
        if labels > 0 {
            dense(parts, "classifier", width, labels);
        }
    }
    Ok(())
}

/// ViT and DeiT: a class token (and one for distillation), a pooler on the bare model.
fn vit_like(cx: &Context, tokens: u64) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let layer = layer_of(config)?.qkv_bias(config.flag("qkv_bias", true)?);
    let begin = Start { tokens, extra_positions: tokens, patch_bias: true, normed: false };
    let mut draft = start(cx, StackKind::Encoder, "encoder.layer", begin)?;
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    let hidden = draft.hidden;
    draft.after.norm(Norm::Layer, "layernorm", hidden);
    if cx.head == Head::None {
        dense(&mut draft.after, "pooler.dense", hidden, config.int_or("pooler_output_size", hidden)?);
    }
    classify(cx, &mut draft.after, hidden)?;
    Ok(vec![draft.done()])
}

pub(super) fn vit(cx: &Context) -> Result<Vec<Stack>, Fault> {
    vit_like(cx, 1)
}

pub(super) fn deit(cx: &Context) -> Result<Vec<Stack>, Fault> {
    vit_like(cx, 2)
}

/// DINOv2: class and mask token, scaled blocks; labels read class token and mean.
pub(super) fn dinov2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let ratio = config.float("mlp_ratio", 4.0)?;
    let inner = ((hidden as f64 * ratio) as u64).min(1 << 32);
    let mut layer = VitLayer::new(hidden, config.int("num_attention_heads")?, inner);
    layer = layer.qkv_bias(config.flag("qkv_bias", true)?);
    layer.scales = 2;
    if config.flag("use_swiglu_ffn", false)? {
        layer.mlp = Mlp { inner: (inner * 2 / 3).div_ceil(8) * 8, gated: true, ..layer.mlp };
    }
    let mask = u64::from(config.flag("use_mask_token", true)?);
    let begin = Start { tokens: 1 + mask, extra_positions: 1, patch_bias: true, normed: false };
    let mut draft = start(cx, StackKind::Encoder, "encoder.layer", begin)?;
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    draft.after.norm(Norm::Layer, "layernorm", hidden);
    classify(cx, &mut draft.after, 2 * hidden)?;
    Ok(vec![draft.done()])
}

/// CLIP's vision side, also a tower.
pub(super) fn clip_vision(cx: &Context, kind: StackKind) -> Result<Draft, Fault> {
    let config = &cx.config;
    let layer = layer_of(config)?;
    let begin = Start { tokens: 1, extra_positions: 1, patch_bias: false, normed: true };
    let mut draft = start(cx, kind, "vision_model.encoder.layers", begin)?;
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    let hidden = draft.hidden;
    draft.after.norm(Norm::Layer, "vision_model.post_layernorm", hidden);
    Ok(draft)
}

/// SigLIP's vision side, also a tower; a head that pools by attention unless it is left out.
pub(super) fn siglip_vision(cx: &Context, kind: StackKind, headed: bool) -> Result<Draft, Fault> {
    let config = &cx.config;
    let layer = layer_of(config)?;
    let begin = Start { tokens: 0, extra_positions: 0, patch_bias: true, normed: false };
    let mut draft = start(cx, kind, "vision_model.encoder.layers", begin)?;
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    let hidden = draft.hidden;
    let after = &mut draft.after;
    after.norm(Norm::Layer, "vision_model.post_layernorm", hidden);
    if headed {
        after.vector(Role::Other, "vision_model.head.probe", hidden);
        Attention { at: "vision_model.head.attention", fused: true, ..layer.attention }.describe(after);
        after.norm(Norm::Layer, "vision_model.head.layernorm", hidden);
        mlp(after, "vision_model.head.mlp", layer.mlp);
    }
    Ok(draft)
}

/// The text side of CLIP or SigLIP.
fn contrastive_text(cx: &Context) -> Result<Draft, Fault> {
    let config = &cx.config;
    let mut layer = layer_of(config)?;
    layer.attention.causal = false;
    let hidden = config.int("hidden_size")?;
    let mut draft = Draft::other(cx, StackKind::Encoder, "text_model.encoder.layers", hidden, Length::Prompt);
    draft.before.table("text_model.embeddings.token_embedding", config.int("vocab_size")?, hidden);
    let rows = config.int("max_position_embeddings")?;
    positions(&mut draft.before, "text_model.embeddings.position_embedding", rows, hidden);
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    draft.after.norm(Norm::Layer, "text_model.final_layer_norm", hidden);
    Ok(draft)
}

/// A side of a two-sided model: its part of the configuration, or all of it when it stands alone.
fn side<'a>(cx: &Context<'a>, key: &str, model_type: &str) -> Result<Context<'a>, Fault> {
    let alone = cx.config.stated("hidden_size").is_some() && cx.config.stated(key).is_none();
    let config = if alone { cx.config.clone() } else { cx.config.inside(key)? };
    Ok(cx.of(config.of_family(model_type, &[])?, cx.head))
}

/// A projection without bias.
fn projection(parts: &mut Parts, name: &'static str, inputs: u64, outputs: u64) {
    parts.matmul(Role::Head, name, inputs, outputs).split(Split::Replicated);
}

/// CLIP: both sides, or the one that the class names.
pub(super) fn clip(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let text = side(cx, "text_config", "clip_text_model")?;
    let vision = side(cx, "vision_config", "clip_vision_model")?;
    let class = cx.class.as_str();
    let projected = class.ends_with("WithProjection");
    if class.starts_with("CLIPText") {
        let mut draft = contrastive_text(&text)?;
        if projected {
            let width = text.config.int("projection_dim")?;
            projection(&mut draft.after, "text_projection", draft.hidden, width);
        }
        return Ok(vec![draft.done()]);
    }
    let mut draft = clip_vision(&vision, StackKind::Encoder)?;
    let hidden = draft.hidden;
    if class.starts_with("CLIPVision") || cx.head == Head::Sequence {
        if projected {
            projection(&mut draft.after, "visual_projection", hidden, vision.config.int("projection_dim")?);
        }
        classify(cx, &mut draft.after, hidden)?;
        return Ok(vec![draft.done()]);
    }
    let width = cx.config.int_or("projection_dim", 512)?;
    projection(&mut draft.after, "visual_projection", hidden, width);
    let mut words = contrastive_text(&text)?;
    projection(&mut words.after, "text_projection", words.hidden, width);
    words.after.vector(Role::Other, "logit_scale", 1);
    Ok(vec![words.done(), draft.done()])
}

/// SigLIP: both sides, or the one that the class names.
pub(super) fn siglip(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let text = side(cx, "text_config", "siglip_text_model")?;
    let vision = side(cx, "vision_config", "siglip_vision_model")?;
    let class = cx.class.as_str();
    let mut stacks = Vec::new();
    if !class.starts_with("SiglipVision") && cx.head != Head::Sequence {
        let mut words = contrastive_text(&text)?;
        let width = text.config.int_or("projection_size", words.hidden)?;
        dense(&mut words.after, "text_model.head", words.hidden, width);
        if !class.starts_with("SiglipText") {
            words.after.vector(Role::Other, "logit_scale", 1);
            words.after.vector(Role::Other, "logit_bias", 1);
        }
        stacks.push(words.done());
    }
    if !class.starts_with("SiglipText") {
        let headed = vision.config.flag("vision_use_head", true)?;
        let mut draft = siglip_vision(&vision, StackKind::Encoder, headed)?;
        let hidden = draft.hidden;
        classify(cx, &mut draft.after, hidden)?;
        stacks.push(draft.done());
    }
    Ok(stacks)
}

/// Swin: windows that shift, four stages, each half as large and twice as wide.
pub(super) fn swin(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let first = config.int("embed_dim")?;
    let patches = Patches::read(config)?;
    let depths = config.numbers("depths")?.unwrap_or_default();
    let heads = config.numbers("num_heads")?.unwrap_or_default();
    let window = config.int("window_size")?;
    let ratio = config.float("mlp_ratio", 4.0)?;
    let bias = config.flag("qkv_bias", true)?;
    let stages = depths.len().min(8);
    let mut stacks = Vec::new();
    for (stage, depth) in depths.iter().enumerate().take(stages) {
        let width = first << stage;
        let positions_here = (patches.count >> (2 * stage)).max(1);
        let mut draft =
            Draft::other(cx, StackKind::Encoder, "encoder.layers", width, Length::PerItem(positions_here));
        if stage == 0 {
            let channels = config.int_or("num_channels", 3)?;
            draft.before.conv("embeddings.patch_embeddings", channels, width, patches.area).biased(true);
            draft.before.norm(Norm::Layer, "embeddings.norm", width);
            if config.flag("use_absolute_embeddings", false)? {
                positions(&mut draft.before, "embeddings.position_embeddings", patches.count, width);
            }
        }
        let count = heads.get(stage).copied().filter(|n| *n > 0);
        let count = count.ok_or_else(|| config.fault("num_heads", "config-key-missing"))?;
        let inner = ((width as f64 * ratio) as u64).min(1 << 32);
        let mut layer = VitLayer::new(width, count, inner).qkv_bias(bias);
        layer.attention.window = Some(window * window);
        draft.layers(cx, *depth, |parts, _| {
            let mixer = layer.describe(parts);
            positions(parts, "relative_position_bias_table", (2 * window - 1).pow(2), count);
            Ok(vec![mixer])
        })?;
        if stage + 1 < stages {
            draft.after.matmul(Role::Other, "downsample.reduction", 4 * width, 2 * width);
            draft.after.norm(Norm::Layer, "downsample.norm", 4 * width);
        } else {
            draft.after.norm(Norm::Layer, "layernorm", width);
            classify(cx, &mut draft.after, width)?;
        }
        stacks.push(draft.done());
    }
    Ok(stacks)
}
