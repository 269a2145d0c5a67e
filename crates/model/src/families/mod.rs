//! The families, each described once. One row of [`FAMILIES`] registers what a `model_type` is described by.

mod convolution;
mod deepseek;
mod diffusion;
mod encoder;
mod extra;
mod gemma;
mod hybrid;
mod moe;
mod multimodal;
mod nas;
mod nemotron;
mod newer;
mod older;
mod plain;
mod recent;
mod seq2seq;
mod speech;
mod towers;
mod video;
mod vision;
mod windows;
mod yolo;
mod zamba;

use maat_base::Fault;

use crate::Stack;
use crate::assemble::Context;

/// Makes the stacks of a model out of its configuration.
type Describe = fn(&Context) -> Result<Vec<Stack>, Fault>;

/// Other names for a key, as the library's `attribute_map` has them: the usual name, the family's.
type Aliases = &'static [(&'static str, &'static str)];

/// A family of models.
pub(crate) struct Family {
    /// The values of `model_type` that it describes.
    pub model_types: &'static [&'static str],
    /// Its own names for keys.
    pub aliases: Aliases,
    /// How it is described.
    pub describe: Describe,
}

const fn family(model_types: &'static [&'static str], describe: Describe) -> Family {
    Family { model_types, aliases: &[], describe }
}

const fn renamed(model_types: &'static [&'static str], aliases: Aliases, describe: Describe) -> Family {
    Family { model_types, aliases, describe }
}

/// Describes a plain decoder by its row.
macro_rules! plain {
    ($row:ident) => {
        |cx| plain::$row.describe(cx)
    };
}

/// The same for the rows of `newer`.
macro_rules! newer {
    ($row:ident) => {
        |cx| newer::$row.describe(cx)
    };
}

const EXAONE: Aliases = &[("num_hidden_layers", "num_layers")];
const SHARED_EXPERTS: Aliases = &[("n_shared_experts", "num_shared_experts")];
const HUNYUAN: Aliases = &[("num_experts_per_tok", "moe_topk"), ("num_experts", "num_local_experts")];
const SARVAM: Aliases = &[
    ("num_experts", "n_routed_experts"),
    ("n_shared_experts", "num_shared_experts"),
    ("attention_bias", "use_qkv_bias"),
];
const EXPERTS: Aliases = &[("num_experts", "num_local_experts"), ("num_experts", "n_routed_experts")];
const ERNIE: Aliases = &[("num_experts", "moe_num_experts"), ("num_experts_per_tok", "moe_k")];
const GPT2: Aliases = &[
    ("hidden_size", "n_embd"),
    ("max_position_embeddings", "n_positions"),
    ("num_attention_heads", "n_head"),
    ("num_hidden_layers", "n_layer"),
];
const GPT_NEO: Aliases = &[("num_attention_heads", "num_heads"), ("num_hidden_layers", "num_layers")];
const BLOOM: Aliases =
    &[("hidden_size", "n_embed"), ("num_attention_heads", "n_head"), ("num_hidden_layers", "n_layer")];
const MPT: Aliases = &[
    ("hidden_size", "d_model"),
    ("num_attention_heads", "n_heads"),
    ("num_hidden_layers", "n_layers"),
    ("max_position_embeddings", "max_seq_len"),
];
const FALCON: Aliases = &[
    ("hidden_size", "n_embed"),
    ("num_attention_heads", "n_head"),
    ("num_hidden_layers", "n_layer"),
    ("num_kv_heads", "n_head_kv"),
];
const DISTILBERT: Aliases = &[
    ("hidden_size", "dim"),
    ("num_hidden_layers", "n_layers"),
    ("num_attention_heads", "n_heads"),
    ("intermediate_size", "hidden_dim"),
];
const XGLM: Aliases = &[
    ("hidden_size", "d_model"),
    ("num_attention_heads", "attention_heads"),
    ("num_hidden_layers", "num_layers"),
];
const RWKV: Aliases = &[("max_position_embeddings", "context_length")];
const KIMI: Aliases = &[
    ("num_experts", "num_local_experts"),
    ("num_experts_per_tok", "num_experts_per_token"),
    ("n_shared_experts", "num_shared_experts"),
];
const STEP: Aliases = &[
    ("num_experts", "n_routed_experts"),
    ("num_experts", "moe_num_experts"),
    ("num_experts_per_tok", "moe_top_k"),
    ("num_key_value_heads", "num_attention_groups"),
];

/// Every family.
const FAMILIES: &[Family] = &[
    family(&["llama", "internlm3", "granite"], plain!(LLAMA)),
    family(&["mistral", "ministral", "ministral3"], plain!(MISTRAL)),
    family(&["qwen2", "qwen2_vl_text", "qwen2_5_vl_text"], plain!(QWEN2)),
    family(&["qwen3", "qwen3_vl_text"], plain!(QWEN3)),
    renamed(&["qwen2_moe"], EXPERTS, plain!(QWEN2_MOE)),
    renamed(&["qwen3_moe", "qwen3_vl_moe_text"], EXPERTS, plain!(QWEN3_MOE)),
    renamed(&["qwen3_next"], EXPERTS, hybrid::qwen3_next),
    renamed(&["qwen3_5_text"], EXPERTS, hybrid::qwen3_5),
    renamed(&["qwen3_5_moe_text"], EXPERTS, hybrid::qwen3_5_moe),
    renamed(&["mixtral"], EXPERTS, plain!(MIXTRAL)),
    renamed(&["gpt_oss"], EXPERTS, plain!(GPT_OSS)),
    renamed(&["minimax"], EXPERTS, hybrid::minimax),
    renamed(&["minimax_m2"], EXPERTS, plain!(MINIMAX_M2)),
    family(&["phi"], plain!(PHI)),
    family(&["phi3"], plain!(PHI3)),
    renamed(&["phimoe"], EXPERTS, plain!(PHIMOE)),
    family(&["gemma"], plain!(GEMMA)),
    family(&["gemma2"], plain!(GEMMA2)),
    family(&["gemma3_text"], plain!(GEMMA3)),
    family(&["vaultgemma"], plain!(VAULTGEMMA)),
    family(&["gemma3n_text"], gemma::gemma3n),
    family(&["gemma4_text"], gemma::gemma4),
    family(&["olmo"], plain!(OLMO)),
    family(&["olmo2"], plain!(OLMO2)),
    family(&["olmo3"], plain!(OLMO3)),
    renamed(&["olmoe"], EXPERTS, plain!(OLMOE)),
    family(&["cohere"], plain!(COHERE)),
    family(&["cohere2"], plain!(COHERE2)),
    renamed(&["granitemoe"], EXPERTS, plain!(GRANITEMOE)),
    renamed(&["granitemoeshared"], EXPERTS, plain::granite_shared),
    renamed(&["granitemoehybrid"], EXPERTS, hybrid::granite_hybrid),
    family(&["glm"], plain!(GLM)),
    family(&["glm4"], plain!(GLM4)),
    renamed(&["glm4_moe"], EXPERTS, plain!(GLM4_MOE)),
    family(&["ernie4_5"], plain!(ERNIE)),
    renamed(&["ernie4_5_moe"], ERNIE, plain!(ERNIE_MOE)),
    family(&["exaone4"], plain!(EXAONE4)),
    family(&["smollm3"], plain!(SMOLLM3)),
    family(&["stablelm"], plain::stablelm),
    family(&["starcoder2"], plain!(STARCODER2)),
    family(&["seed_oss"], plain!(SEED_OSS)),
    family(&["bitnet"], plain!(BITNET)),
    family(&["arcee"], plain!(ARCEE)),
    family(&["helium"], plain!(HELIUM)),
    renamed(&["llama4_text"], EXPERTS, plain!(LLAMA4)),
    renamed(&["deepseek_v2"], EXPERTS, deepseek::v2),
    renamed(&["deepseek_v3", "kimi_k2"], EXPERTS, deepseek::v3),
    renamed(&["deepseek_v32", "glm_moe_dsa"], EXPERTS, deepseek::v32),
    renamed(&["deepseek_v4"], EXPERTS, deepseek::v4),
    family(&["minicpm3"], deepseek::minicpm3),
    renamed(&["mimo_v2_flash"], EXPERTS, recent::mimo_v2),
    renamed(&["step3p5", "step3p7_text"], STEP, recent::step),
    family(&["mamba", "falcon_mamba"], hybrid::mamba),
    family(&["mamba2"], hybrid::mamba2),
    renamed(&["jamba"], EXPERTS, hybrid::jamba),
    family(&["bamba"], hybrid::bamba),
    family(&["falcon_h1"], hybrid::falcon_h1),
    renamed(&["nemotron_h"], EXPERTS, nemotron::nemotron_h),
    family(&["lfm2"], hybrid::lfm2),
    renamed(&["exaone"], EXAONE, plain!(LLAMA)),
    family(&["iquestcoder"], plain!(LLAMA)),
    family(&["cwm"], newer!(CWM)),
    family(&["hyperclovax"], newer!(HYPERCLOVAX)),
    family(&["nemotron"], newer!(NEMOTRON)),
    family(&["nemotron-nas", "deci"], nas::decilm),
    renamed(&["exaone_moe"], SHARED_EXPERTS, newer!(EXAONE_MOE)),
    renamed(&["dots1"], EXPERTS, newer!(DOTS1)),
    family(&["hunyuan_v1_dense"], newer!(HUNYUAN)),
    renamed(&["hunyuan_v1_moe"], HUNYUAN, newer!(HUNYUAN_MOE)),
    renamed(&["flex_olmo"], EXPERTS, newer!(FLEX_OLMO)),
    renamed(&["mellum"], EXPERTS, newer!(MELLUM)),
    renamed(&["cohere2_moe"], EXPERTS, newer!(COHERE2_MOE)),
    renamed(&["afmoe"], SHARED_EXPERTS, newer!(AFMOE)),
    family(&["diffllama"], newer!(DIFFLLAMA)),
    renamed(&["sarvam_moe"], SARVAM, newer!(SARVAM_MOE)),
    renamed(&["glm4_moe_lite"], EXPERTS, deepseek::glm4_lite),
    renamed(&["sarvam_mla"], SARVAM, deepseek::v3),
    renamed(&["mistral4"], EXPERTS, deepseek::mistral4),
    family(&["youtu"], deepseek::minicpm3),
    renamed(&["lfm2_moe"], EXPERTS, hybrid::lfm2_moe),
    family(&["apertus"], |cx| extra::APERTUS.describe(cx)),
    family(&["nanochat"], |cx| extra::NANOCHAT.describe(cx)),
    family(&["jais2"], |cx| extra::JAIS2.describe(cx)),
    renamed(&["solar_open"], EXPERTS, |cx| extra::SOLAR.describe(cx)),
    family(&["eurobert"], extra::eurobert),
    renamed(&["hy_v3"], EXPERTS, extra::hy_v3),
    renamed(&["xglm"], XGLM, extra::xglm),
    family(&["persimmon"], extra::persimmon),
    renamed(&["jetmoe"], EXPERTS, extra::jetmoe),
    family(&["longcat_flash"], extra::longcat),
    renamed(&["bailing_hybrid"], KIMI, extra::bailing),
    family(&["olmo_hybrid"], extra::olmo_hybrid),
    family(&["xlstm"], extra::xlstm),
    renamed(&["rwkv"], RWKV, extra::rwkv),
    family(&["zamba"], zamba::zamba),
    family(&["modernbert-decoder"], extra::modernbert_decoder),
    renamed(&["kimi_linear"], KIMI, hybrid::kimi_linear),
    family(&["zamba2"], zamba::zamba2),
    family(&["recurrent_gemma"], hybrid::recurrent_gemma),
    family(&["bert", "roberta", "xlm-roberta", "camembert"], encoder::bert),
    renamed(&["distilbert"], DISTILBERT, encoder::distilbert),
    family(&["electra"], encoder::electra),
    family(&["nomic_bert"], encoder::nomic),
    family(&["mpnet"], encoder::mpnet),
    family(&["albert"], encoder::albert),
    family(&["deberta-v2"], encoder::deberta),
    family(&["modernbert"], encoder::modernbert),
    family(&["t5", "mt5"], seq2seq::t5),
    family(&["umt5"], seq2seq::umt5),
    family(&["bart"], seq2seq::bart),
    family(&["mbart"], seq2seq::mbart),
    family(&["pegasus"], seq2seq::pegasus),
    family(&["marian"], seq2seq::marian),
    family(&["whisper"], seq2seq::whisper),
    family(&["vit"], vision::vit),
    family(&["deit"], vision::deit),
    family(&["dinov2"], vision::dinov2),
    family(&["clip", "clip_vision_model", "clip_text_model"], vision::clip),
    family(&["siglip", "siglip_vision_model", "siglip_text_model"], vision::siglip),
    family(&["swin"], vision::swin),
    family(&["resnet"], convolution::resnet),
    family(&["convnext"], convolution::convnext),
    family(&["convnextv2"], convolution::convnextv2),
    family(&["wav2vec2", "hubert"], speech::wav2vec2),
    family(&["UNet2DConditionModel"], diffusion::unet),
    family(&["AutoencoderKL"], diffusion::autoencoder),
    family(&["FluxTransformer2DModel"], diffusion::flux),
    family(&["SD3Transformer2DModel"], diffusion::stable3),
    family(&["PixArtTransformer2DModel"], diffusion::pixart),
    family(&["WanTransformer3DModel"], diffusion::wan),
    family(&["LTXVideoTransformer3DModel"], diffusion::ltx),
    family(&["CogVideoXTransformer3DModel"], diffusion::cogvideo),
    family(&["yolov8"], yolo::yolov8),
    family(&["yolos"], video::yolos),
    renamed(&["videomae"], &[("qkv_bias", "qv_bias")], video::videomae),
    family(&["timesformer"], video::timesformer),
    family(&["segformer"], video::segformer),
    family(&["swinv2"], video::swinv2),
    family(&["sam"], video::sam),
    family(&["moonshine"], seq2seq::moonshine),
    family(&["t5gemma"], seq2seq::t5gemma),
    family(&["switch_transformers"], seq2seq::switch),
    family(&["xlnet"], encoder::xlnet),
    family(&["mobilebert"], encoder::mobilebert),
    family(&["parakeet_ctc", "parakeet_encoder"], speech::parakeet),
    family(&["speecht5"], speech::speecht5),
    family(&["qwen3_asr"], multimodal::qwen3_asr),
    family(&["llava"], multimodal::llava),
    family(&["mistral3"], multimodal::mistral3),
    family(&["gemma3"], multimodal::gemma3),
    family(&["gemma4"], multimodal::gemma4),
    family(&["paligemma"], multimodal::paligemma),
    family(&["idefics3", "smolvlm"], multimodal::idefics3),
    family(&["internvl"], multimodal::internvl),
    family(&["qwen2_vl"], multimodal::qwen2_vl),
    family(&["qwen2_5_vl"], multimodal::qwen2_5_vl),
    family(&["qwen3_vl"], multimodal::qwen3_vl),
    family(&["qwen3_vl_moe"], multimodal::qwen3_vl_moe),
    family(&["qwen3_5"], multimodal::qwen3_5),
    family(&["qwen3_5_moe"], multimodal::qwen3_5_moe),
    family(&["llama4"], multimodal::llama4),
    family(&["kimi_k25"], multimodal::kimi_k25),
    family(&["step3p7"], multimodal::step3p7),
    family(&["mllama"], multimodal::mllama),
    family(&["mllama_text_model"], multimodal::mllama_text),
    family(&["voxtral"], multimodal::voxtral),
    renamed(&["gpt2"], GPT2, older::gpt2),
    renamed(&["gpt_bigcode"], GPT2, older::gpt_bigcode),
    renamed(&["gpt_neo"], GPT_NEO, older::gpt_neo),
    family(&["gpt_neox"], older::gpt_neox),
    renamed(&["gptj"], GPT2, older::gptj),
    renamed(&["codegen"], GPT2, older::codegen),
    renamed(&["bloom"], BLOOM, older::bloom),
    family(&["opt"], older::opt),
    renamed(&["mpt"], MPT, older::mpt),
    renamed(&["falcon"], FALCON, older::falcon),
];

/// A `model_type` that is known, as the table has it.
pub(crate) fn known(model_type: &str) -> Option<&'static str> {
    model_types().find(|known| *known == model_type)
}

/// The family of a `model_type`.
pub(crate) fn find(model_type: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.model_types.contains(&model_type))
}

/// The `model_type` that a class of the library belongs to, for files that state none or one of their own.
pub(crate) fn of_class(class: &str) -> Option<&'static str> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let stem = plain(crate::class::stem(class));
    model_types().find(|model_type| !stem.is_empty() && plain(model_type) == stem)
}

/// Every `model_type` that is known.
pub(crate) fn model_types() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.model_types.iter().copied())
}
