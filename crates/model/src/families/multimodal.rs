//! Models that see or hear: a tower, a projector, and a decoder that is described elsewhere.

use maat_base::Fault;

use super::plain::positions;
use super::seq2seq::whisper_encoder;
use super::towers::{self, Tower};
use crate::Stack;
use crate::assemble::Context;
use crate::class::Head;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Role, StackKind};

/// The decoder inside, and its width. Where `text_config` is absent the keys stand beside those of the tower.
fn text(cx: &Context, usual: &str) -> Result<(Vec<Stack>, u64), Fault> {
    let config = if cx.config.stated("text_config").is_some() {
        cx.config.inside("text_config")?
    } else {
        cx.config.clone()
    };
    let nested = cx.config.stated("text_config").is_some();
    let model_type = config.text("model_type").filter(|_| nested).unwrap_or_else(|| usual.to_owned());
    let family = super::find(&model_type).ok_or_else(|| {
        let fault = config.fault("model_type", "architecture-unknown");
        fault.with("architecture", cx.class.as_str()).with("family", model_type.as_str())
    })?;
    let config = config.of_family(&model_type, family.aliases)?;
    let head = if text_only(cx) { Head::Language } else { cx.head };
    // In some families the decoder's configuration is heeded as well.
    let either = ["llava", "qwen2_vl", "qwen2_5_vl"];
    let nested_ties = cx.config.text("model_type").is_some_and(|own| either.contains(&own.as_str()));
    let tied = cx.config.flag("tie_word_embeddings", false)?
        || (nested_ties && config.flag("tie_word_embeddings", false)?);
    let mut inner = cx.of(config, head);
    inner.tied = Some(tied).filter(|_| !text_only(cx));
    let hidden = inner.config.int("hidden_size")?;
    Ok(((family.describe)(&inner)?, hidden))
}

/// Whether the class is the decoder alone.
fn text_only(cx: &Context) -> bool {
    cx.class.ends_with("ForCausalLM")
}

/// The configuration of a tower, with the library's defaults for its kind.
fn tower_config<'a>(cx: &Context<'a>, key: &str, usual: &str) -> Result<Context<'a>, Fault> {
    let config = cx.config.inside(key)?;
    let model_type = config.text("model_type").unwrap_or_else(|| usual.to_owned());
    // Some files give the tower the type of the whole model.
    let known = !crate::defaults::of(&model_type)?.is_empty()
        && (super::find(&model_type).is_none() || model_type.ends_with("_vision_model"));
    let model_type = if known { model_type } else { usual.to_owned() };
    Ok(cx.of(config.of_family(&model_type, &[])?, Head::None))
}

/// A decoder and what sees for it: `projector` is told the tower's width and the decoder's.
fn seeing(
    cx: &Context,
    usual: (&str, &str),
    tower: impl FnOnce(&Context) -> Result<Tower, Fault>,
    projector: impl FnOnce(&Context, &mut Parts, (u64, u64)) -> Result<(), Fault>,
) -> Result<Vec<Stack>, Fault> {
    let (mut stacks, hidden) = text(cx, usual.0)?;
    if text_only(cx) {
        return Ok(stacks);
    }
    let vision = tower_config(cx, "vision_config", usual.1)?;
    let mut tower = tower(&vision)?;
    if let Some(last) = tower.last_mut() {
        let width = last.hidden;
        projector(cx, &mut last.after, (width, hidden))?;
    }
    let mut all: Vec<Stack> = tower.into_iter().map(crate::assemble::Draft::done).collect();
    all.append(&mut stacks);
    Ok(all)
}

/// Two matrices with a bias each.
fn two_layers(parts: &mut Parts, from: u64, to: u64, bias: bool) {
    parts.matmul(Role::Other, "multi_modal_projector.linear_1", from, to).biased(bias);
    parts.matmul(Role::Other, "multi_modal_projector.linear_2", to, to).biased(bias);
}

pub(super) fn llava(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("llama", "clip_vision_model"), towers::by_type, |cx, parts, (from, to)| {
        let taken = match cx.config.stated("vision_feature_layer").and_then(serde_json::Value::as_array) {
            Some(layers) => layers.len() as u64,
            None => 1,
        };
        two_layers(parts, from * taken, to, cx.config.flag("multimodal_projector_bias", true)?);
        Ok(())
    })
}

pub(super) fn mistral3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("mistral", "pixtral"), towers::by_type, |cx, parts, (from, to)| {
        let merge = cx.config.int("spatial_merge_size")?;
        parts.norm(Norm::Rms, "multi_modal_projector.norm", from);
        let merged = from * merge * merge;
        parts.matmul(Role::Other, "multi_modal_projector.patch_merger.merging_layer", merged, from);
        let taken = match cx.config.stated("vision_feature_layer").and_then(serde_json::Value::as_array) {
            Some(layers) => layers.len() as u64,
            None => 1,
        };
        two_layers(parts, from * taken, to, cx.config.flag("multimodal_projector_bias", false)?);
        Ok(())
    })
}

pub(super) fn gemma3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("gemma3_text", "siglip_vision_model"), towers::by_type, |_, parts, (from, to)| {
        parts.matmul(Role::Other, "multi_modal_projector.mm_input_projection_weight", from, to);
        parts.norm(Norm::Rms, "multi_modal_projector.mm_soft_emb_norm", from);
        Ok(())
    })
}

pub(super) fn paligemma(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("gemma", "siglip_vision_model"), towers::by_type, |cx, parts, (from, to)| {
        let to = cx.config.int_or("projection_dim", to)?;
        parts.matmul(Role::Other, "multi_modal_projector.linear", from, to).biased(true);
        Ok(())
    })
}

/// Idefics3 and SmolVLM: pixels of a square are put side by side.
pub(super) fn idefics3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("llama", "idefics3_vision"), towers::siglip_bare, |cx, parts, (from, to)| {
        let scale = cx.config.int_or("scale_factor", 2)?;
        parts.matmul(Role::Other, "connector.modality_projection.proj", from * scale * scale, to);
        Ok(())
    })
}

pub(super) fn internvl(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("qwen2", "internvl_vision"), towers::internvl, |cx, parts, (from, to)| {
        let ratio = cx.config.float("downsample_ratio", 0.5)?;
        let scale = if ratio > 0.0 { (1.0 / ratio) as u64 } else { 1 };
        let wide = from * scale.min(64).pow(2);
        parts.norm(Norm::Layer, "multi_modal_projector.layer_norm", wide);
        two_layers(parts, wide, to, true);
        Ok(())
    })
}

pub(super) fn qwen2_vl(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("qwen2_vl_text", "qwen2_vl_vision"), towers::qwen2_vl, |_, _, _| Ok(()))
}

pub(super) fn qwen2_5_vl(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("qwen2_5_vl_text", "qwen2_5_vl_vision"), towers::qwen2_5_vl, |_, _, _| Ok(()))
}

pub(super) fn qwen3_vl(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("qwen3_vl_text", "qwen3_vl_vision"), towers::qwen3_vl, |_, _, _| Ok(()))
}

pub(super) fn qwen3_vl_moe(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("qwen3_vl_moe_text", "qwen3_vl_moe_vision"), towers::qwen3_vl, |_, _, _| Ok(()))
}

pub(super) fn qwen3_5(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("qwen3_5_text", "qwen3_5_vision"), towers::qwen3_vl, |_, _, _| Ok(()))
}

pub(super) fn qwen3_5_moe(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("qwen3_5_moe_text", "qwen3_5_moe_vision"), towers::qwen3_vl, |_, _, _| Ok(()))
}

pub(super) fn llama4(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let outer = cx;
    seeing(cx, ("llama4_text", "llama4_vision_model"), towers::llama4, |_, parts, (_, to)| {
        let vision = tower_config(outer, "vision_config", "llama4_vision_model")?;
        let from = vision.config.int("vision_output_dim")?;
        parts.matmul(Role::Other, "multi_modal_projector.linear_1", from, to);
        Ok(())
    })
}

pub(super) fn gemma4(cx: &Context) -> Result<Vec<Stack>, Fault> {
    if cx.config.stated("vision_config").is_none() {
        return Ok(text(cx, "gemma4_text")?.0);
    }
    seeing(cx, ("gemma4_text", "gemma4_vision"), towers::gemma4, |_, parts, (from, to)| {
        parts.matmul(Role::Other, "embed_vision.embedding_projection", from, to);
        Ok(())
    })
}

pub(super) fn kimi_k25(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("deepseek_v3", "kimi_k25_vision"), towers::kimi, |_, parts, (from, to)| {
        parts.norm(Norm::Layer, "mm_projector.pre_norm", from);
        parts.matmul(Role::Other, "mm_projector.in_proj", 4 * from, 4 * from).biased(true);
        parts.matmul(Role::Other, "mm_projector.out_proj", 4 * from, to).biased(true);
        Ok(())
    })
}

pub(super) fn step3p7(cx: &Context) -> Result<Vec<Stack>, Fault> {
    seeing(cx, ("step3p5", "step3p5_vision"), towers::step, |cx, parts, (from, to)| {
        let bias = cx.config.flag("projector_bias", false)?;
        parts.matmul(Role::Other, "multi_modal_projector", 4 * from, to).biased(bias);
        Ok(())
    })
}

pub(super) fn mllama(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let outer = cx;
    seeing(cx, ("mllama_text_model", "mllama_vision_model"), towers::mllama, |_, parts, (_, to)| {
        let vision = tower_config(outer, "vision_config", "mllama_vision_model")?;
        let from = vision.config.int("vision_output_dim")?;
        parts.matmul(Role::Other, "multi_modal_projector", from, to).biased(true);
        Ok(())
    })
}

/// Voxtral: Whisper's encoder, four frames to a token.
pub(super) fn voxtral(cx: &Context) -> Result<Vec<Stack>, Fault> {
    const ENCODER: super::Aliases = &[
        ("d_model", "hidden_size"),
        ("encoder_layers", "num_hidden_layers"),
        ("encoder_attention_heads", "num_attention_heads"),
        ("encoder_ffn_dim", "intermediate_size"),
    ];
    let (mut stacks, hidden) = text(cx, "llama")?;
    if text_only(cx) {
        return Ok(stacks);
    }
    let config = cx.config.inside("audio_config")?.of_family("voxtral_encoder", ENCODER)?;
    let audio = cx.of(config, Head::None);
    let mut tower = whisper_encoder(&audio, audio.config.int("d_model")?)?;
    let from = audio.config.int("encoder_ffn_dim")?;
    parts_of(&mut tower.after, from, hidden);
    stacks.insert(0, tower.into_tower());
    Ok(stacks)
}

/// Qwen3-ASR: convolutions over the spectrogram, an encoder, two matrices.
pub(super) fn qwen3_asr(cx: &Context) -> Result<Vec<Stack>, Fault> {
    use super::vision::VitLayer;
    use crate::assemble::Draft;
    let (mut stacks, _) = text(cx, "qwen3")?;
    if text_only(cx) {
        return Ok(stacks);
    }
    let config = cx.config.inside("audio_config")?.of_family("qwen3_asr_encoder", &[])?;
    let hidden = config.int("d_model")?;
    let mut tower = Draft::other(cx, StackKind::Tower, "audio_tower.layers", hidden, Length::PerItem(13));
    let channels = config.int("downsample_hidden_size")?;
    for (index, inputs) in [1, channels, channels].into_iter().enumerate() {
        tower.before.conv(format!("audio_tower.conv2d{}", index + 1), inputs, channels, 9).biased(true);
    }
    let bins = (0..3).fold(config.int("num_mel_bins")?, |bins, _| bins.div_ceil(2));
    tower.before.matmul(Role::Other, "audio_tower.conv_out", channels * bins, hidden);
    let heads = config.int("encoder_attention_heads")?;
    let layer = VitLayer::new(hidden, heads, config.int("encoder_ffn_dim")?);
    let layers = config.layers("encoder_layers")?;
    tower.layers(cx, layers, |parts, _| Ok(vec![layer.describe(parts)]))?;
    tower.after.norm(Norm::Layer, "audio_tower.ln_post", hidden);
    let out = config.int("output_dim")?;
    tower.after.matmul(Role::Other, "multi_modal_projector.linear_1", hidden, hidden).biased(true);
    tower.after.matmul(Role::Other, "multi_modal_projector.linear_2", hidden, out).biased(true);
    stacks.insert(0, tower.done());
    Ok(stacks)
}

fn parts_of(parts: &mut Parts, from: u64, to: u64) {
    parts.matmul(Role::Other, "multi_modal_projector.linear_1", from, to);
    parts.matmul(Role::Other, "multi_modal_projector.linear_2", to, to);
}

/// Mllama's decoder: some layers attend to the image in place of the text.
pub(super) fn mllama_text(cx: &Context) -> Result<Vec<Stack>, Fault> {
    use super::plain::{BASE, attention};
    use crate::assemble::Trunk;
    use crate::blocks::{Mlp, QkNorm, mlp};
    let config: &Config = &cx.config;
    // The head has fewer rows than the embedding, and never shares its storage.
    let trunk = Trunk { ties: false, ..Trunk::of(config)? };
    let base = BASE.attention(config)?;
    let dense =
        Mlp { hidden: trunk.hidden, inner: config.int("intermediate_size")?, gated: true, bias: false };
    let crossing = config.numbers("cross_attention_layers")?.unwrap_or_default();
    let mut draft = trunk.start(cx);
    // Eight rows more, for the image's token.
    positions(&mut draft.before, "model.embed_tokens.extra", 8, trunk.hidden);
    draft.layers(cx, trunk.layers, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = if crossing.contains(&layer) {
            let qk_norm = QkNorm::Head(Norm::Rms);
            let block = crate::blocks::Attention { at: "cross_attn", qk_norm, ..attention(config)? };
            parts.vector(Role::Other, "cross_attn_attn_gate", 1);
            parts.vector(Role::Other, "cross_attn_mlp_gate", 1);
            super::seq2seq::cross(parts, block, Length::PerItem(6404))
        } else {
            base.describe(parts)
        };
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        mlp(parts, "mlp", dense);
        Ok(vec![mixer])
    })?;
    Ok(vec![trunk.finish(cx, draft)?])
}

/// A stack that hears is a tower of the model that listens.
impl crate::assemble::Draft {
    fn into_tower(self) -> Stack {
        let mut stack = self.done();
        stack.kind = StackKind::Tower;
        let weights = stack.before.iter_mut().chain(&mut stack.after);
        let layers = stack.layers.iter_mut().flat_map(|layer| &mut layer.weights);
        weights.chain(layers).for_each(|weight| weight.part = crate::Part::Towers);
        stack
    }
}
