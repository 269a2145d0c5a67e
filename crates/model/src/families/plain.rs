//! Decoders that are an attention and a feed-forward block a layer: a row of data each.

use maat_base::Fault;

use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Mlp, Moe, QkNorm, mlp};
use crate::config::Config;
use crate::families::windows::{self, Windows};
use crate::parts::{Norm, Parts};
use crate::{Mixer, Role, Stack};

/// Whether something is there, and which key of the configuration says so.
#[derive(Clone, Copy)]
pub(super) enum Switch {
    No,
    Yes,
    /// A key, and what holds where it is absent.
    Key(&'static str, bool),
}

impl Switch {
    pub(super) fn on(self, config: &Config) -> Result<bool, Fault> {
        match self {
            Self::No => Ok(false),
            Self::Yes => Ok(true),
            Self::Key(key, default) => config.flag(key, default),
        }
    }
}

/// What a layer has in place of a dense feed-forward block.
pub(super) struct Sparse {
    pub experts: Moe,
    /// For each layer, whether it has experts.
    pub layers: Vec<bool>,
    /// Key of the width of the layers without.
    pub dense: &'static str,
}

/// Reads which layers have experts, and what they are.
type ReadSparse = fn(&Config) -> Result<Sparse, Fault>;
/// Adds to a layer what only one family has.
type AddMore = fn(&Config, &mut Parts) -> Result<(), Fault>;

/// How a family differs from Llama.
#[expect(clippy::struct_excessive_bools, reason = "independent features of a family, named one by one")]
#[derive(Clone, Copy)]
pub(super) struct Plain {
    pub norm: Norm,
    /// Norms of a layer over the residual stream, as the checkpoint names them.
    pub norms: &'static [&'static str],
    pub qkv_bias: Switch,
    pub out_bias: Switch,
    pub mlp_bias: Switch,
    pub qk_norm: (Switch, QkNorm),
    pub fused_qkv: bool,
    pub sinks: bool,
    /// Whether the output matrix is as wide as the stream, whatever the heads are.
    pub square_out: bool,
    pub gated: Switch,
    pub windows: Windows,
    pub head_bias: Switch,
    /// Whether checkpoints hold layers of multi-token prediction as DeepSeek-V3's do.
    pub predicts: bool,
    /// Experts in some layers.
    pub sparse: Option<ReadSparse>,
    /// Anything more in a layer.
    pub more: Option<AddMore>,
}

const BOTH: &[&str] = &["input_layernorm", "post_attention_layernorm"];
const AFTER: &[&str] = &["post_attention_layernorm", "post_feedforward_layernorm"];
const ONE: &[&str] = &["input_layernorm"];
const FOUR: &[&str] = &[
    "input_layernorm",
    "post_attention_layernorm",
    "pre_feedforward_layernorm",
    "post_feedforward_layernorm",
];

const ATTENTION_BIAS: Switch = Switch::Key("attention_bias", false);
const MLP_BIAS: Switch = Switch::Key("mlp_bias", false);

/// No bias anywhere, RMS norms before both blocks, a gated MLP.
pub(super) const BASE: Plain = Plain {
    norm: Norm::Rms,
    norms: BOTH,
    qkv_bias: Switch::No,
    out_bias: Switch::No,
    mlp_bias: Switch::No,
    qk_norm: (Switch::No, QkNorm::None),
    fused_qkv: false,
    sinks: false,
    square_out: false,
    gated: Switch::Yes,
    windows: Windows::Stated,
    head_bias: Switch::No,
    predicts: false,
    sparse: None,
    more: None,
};

/// The same with biases in attention where `attention_bias` says so.
pub(super) const BIASED: Plain = Plain { qkv_bias: ATTENTION_BIAS, out_bias: ATTENTION_BIAS, ..BASE };
const HEAD_NORM: (Switch, QkNorm) = (Switch::Yes, QkNorm::Head(Norm::Rms));
const WHOLE_NORM: (Switch, QkNorm) = (Switch::Yes, QkNorm::Whole(Norm::Rms));

pub(super) const LLAMA: Plain = Plain { mlp_bias: MLP_BIAS, windows: Windows::None, ..BIASED };
pub(super) const MISTRAL: Plain = BASE;
pub(super) const QWEN2: Plain = Plain { qkv_bias: Switch::Yes, windows: Windows::Switched, ..BASE };
pub(super) const QWEN2_MOE: Plain =
    Plain { qkv_bias: Switch::Key("qkv_bias", true), sparse: Some(super::moe::qwen), ..QWEN2 };
pub(super) const QWEN3: Plain = Plain { qk_norm: HEAD_NORM, windows: Windows::Switched, ..BIASED };
pub(super) const QWEN3_MOE: Plain = Plain { sparse: Some(super::moe::qwen), ..QWEN3 };
pub(super) const MIXTRAL: Plain = Plain { sparse: Some(super::moe::mixtral), ..BASE };
pub(super) const MINIMAX_M2: Plain = Plain {
    qk_norm: (Switch::Key("use_qk_norm", true), QkNorm::Whole(Norm::Rms)),
    sparse: Some(super::moe::minimax_m2),
    windows: Windows::None,
    ..BASE
};
pub(super) const PHI3: Plain = Plain { fused_qkv: true, ..BASE };
pub(super) const PHIMOE: Plain = Plain {
    norm: Norm::Layer,
    head_bias: Switch::Key("lm_head_bias", false),
    sparse: Some(super::moe::phimoe),
    ..BIASED
};
pub(super) const GEMMA: Plain = Plain { windows: Windows::None, ..BIASED };
pub(super) const GEMMA2: Plain = Plain { norms: FOUR, windows: Windows::FullEvery(2, None), ..BIASED };
pub(super) const GEMMA3: Plain = Plain {
    norms: FOUR,
    qk_norm: HEAD_NORM,
    windows: Windows::FullEvery(6, Some("sliding_window_pattern")),
    ..BIASED
};
pub(super) const VAULTGEMMA: Plain =
    Plain { norms: &["input_layernorm", "pre_feedforward_layernorm"], ..GEMMA2 };
pub(super) const OLMO: Plain = Plain { norm: Norm::Bare, windows: Windows::None, ..BIASED };
pub(super) const OLMO2: Plain = Plain { norms: AFTER, qk_norm: WHOLE_NORM, windows: Windows::None, ..BIASED };
pub(super) const OLMO3: Plain = Plain { windows: Windows::FullEvery(4, None), ..OLMO2 };
pub(super) const OLMOE: Plain =
    Plain { qk_norm: WHOLE_NORM, sparse: Some(super::moe::olmoe), windows: Windows::None, ..BIASED };
pub(super) const COHERE: Plain = Plain {
    norms: ONE,
    qk_norm: (Switch::Key("use_qk_norm", false), QkNorm::EachHead(Norm::Rms)),
    windows: Windows::None,
    ..BIASED
};
pub(super) const COHERE2: Plain =
    Plain { norms: ONE, windows: Windows::FullEvery(4, Some("sliding_window_pattern")), ..BIASED };

pub(super) const GRANITEMOE: Plain =
    Plain { sparse: Some(super::moe::granite), windows: Windows::None, ..BIASED };
pub(super) const GLM: Plain = Plain { qkv_bias: ATTENTION_BIAS, windows: Windows::None, ..BASE };
pub(super) const GLM4: Plain = Plain {
    norms: &["input_layernorm", "post_attention_layernorm", "post_self_attn_layernorm", "post_mlp_layernorm"],
    ..GLM
};
pub(super) const GLM4_MOE: Plain = Plain {
    qk_norm: (Switch::Key("use_qk_norm", false), QkNorm::Head(Norm::Rms)),
    predicts: true,
    sparse: Some(super::moe::glm4),
    ..GLM
};
const USE_BIAS: Switch = Switch::Key("use_bias", false);
pub(super) const ERNIE: Plain =
    Plain { qkv_bias: USE_BIAS, out_bias: USE_BIAS, mlp_bias: USE_BIAS, windows: Windows::None, ..BASE };
pub(super) const ERNIE_MOE: Plain = Plain { head_bias: USE_BIAS, sparse: Some(super::moe::ernie), ..ERNIE };
pub(super) const EXAONE4: Plain = Plain {
    norms: AFTER,
    qk_norm: HEAD_NORM,
    windows: Windows::FullEvery(4, Some("sliding_window_pattern")),
    ..BASE
};
pub(super) const SMOLLM3: Plain = Plain { windows: Windows::Switched, ..LLAMA };
pub(super) const STABLELM: Plain = Plain {
    norm: Norm::Layer,
    qkv_bias: Switch::Key("use_qkv_bias", false),
    qk_norm: (Switch::Key("qk_layernorm", false), QkNorm::EachHead(Norm::Rms)),
    windows: Windows::None,
    ..BASE
};
pub(super) const STARCODER2: Plain =
    Plain { norm: Norm::Layer, gated: Switch::No, windows: Windows::Stated, ..ERNIE };
pub(super) const SEED_OSS: Plain = Plain {
    qkv_bias: Switch::Key("attention_bias", true),
    out_bias: Switch::Key("attention_out_bias", false),
    mlp_bias: MLP_BIAS,
    windows: Windows::None,
    ..BASE
};
pub(super) const BITNET: Plain = Plain { more: Some(bitnet_norms), windows: Windows::None, ..BIASED };
pub(super) const GPT_OSS: Plain = Plain {
    qkv_bias: Switch::Key("attention_bias", true),
    out_bias: Switch::Key("attention_bias", true),
    sinks: true,
    windows: Windows::FullEvery(2, None),
    sparse: Some(super::moe::gpt_oss),
    ..BASE
};
pub(super) const PHI: Plain = Plain {
    norm: Norm::Layer,
    norms: ONE,
    qkv_bias: Switch::Yes,
    out_bias: Switch::Yes,
    mlp_bias: Switch::Yes,
    qk_norm: (Switch::Key("qk_layernorm", false), QkNorm::Head(Norm::Layer)),
    gated: Switch::No,
    windows: Windows::None,
    head_bias: Switch::Yes,
    ..BASE
};
pub(super) const ARCEE: Plain = Plain { gated: Switch::No, ..LLAMA };
pub(super) const HELIUM: Plain = Plain { out_bias: Switch::No, square_out: true, ..LLAMA };
pub(super) const LLAMA4: Plain = Plain { sparse: Some(super::moe::llama4), windows: Windows::None, ..BIASED };

/// BitNet's norms inside both blocks.
fn bitnet_norms(config: &Config, parts: &mut Parts) -> Result<(), Fault> {
    parts.norm(Norm::Rms, "self_attn.attn_sub_norm", config.int("hidden_size")?);
    parts.norm(Norm::Rms, "mlp.ffn_sub_norm", config.int("intermediate_size")?);
    Ok(())
}

/// The width of dense feed-forward blocks; 1, and unused, where every layer has experts.
pub(super) fn dense_width(config: &Config, sparse: Option<&Sparse>) -> Result<u64, Fault> {
    match sparse {
        Some(sparse) if sparse.layers.iter().all(|sparse| *sparse) => Ok(1),
        Some(sparse) => config.int(sparse.dense),
        None => config.int("intermediate_size"),
    }
}

/// Head counts and widths under their usual names: a head is `head_dim` wide or `hidden / heads`, and there are as many
/// heads of keys as of queries where nothing else is said.
pub(crate) fn attention(config: &Config) -> Result<Attention, Fault> {
    let hidden = config.int("hidden_size")?;
    let heads = config.int("num_attention_heads")?;
    let kv_heads = config.int_or("num_key_value_heads", heads)?;
    let head_dim = config.head_dim(hidden, heads)?;
    Ok(Attention::new(hidden, heads, kv_heads, head_dim))
}

impl Plain {
    /// The stack of a model of this family.
    pub(super) fn describe(&self, cx: &Context) -> Result<Vec<Stack>, Fault> {
        let config = &cx.config;
        let head_bias = self.head_bias.on(config)?;
        let trunk = Trunk { norm: self.norm, head_bias, ..Trunk::of(config)? };
        let describe = self.layer(config, trunk.layers)?;
        let mut stacks = vec![trunk.build(cx, |parts, layer| describe(parts, layer))?];
        let predicted = config.layers("num_nextn_predict_layers")?;
        if self.predicts && predicted > 0 {
            // Such a layer is one with experts, as the last of the decoder is.
            let last = trunk.layers.saturating_sub(1);
            stacks
                .push(super::deepseek::prediction(cx, &trunk, predicted, |parts, _| describe(parts, last))?);
        }
        Ok(stacks)
    }

    /// A function that describes each layer.
    pub(super) fn layer<'c>(
        &self,
        config: &'c Config<'c>,
        layers: u64,
    ) -> Result<impl Fn(&mut Parts, u64) -> Result<Vec<Mixer>, Fault> + use<'c>, Fault> {
        let plain = *self;
        let base = self.attention(config)?;
        let sparse = self.sparse.map(|sparse| sparse(config)).transpose()?;
        let dense = Mlp {
            hidden: base.hidden,
            inner: dense_width(config, sparse.as_ref())?,
            gated: self.gated.on(config)?,
            bias: self.mlp_bias.on(config)?,
        };
        let windows = windows::of(self.windows, config, layers)?;
        Ok(move |parts: &mut Parts, layer: u64| {
            for name in plain.norms {
                parts.norm(plain.norm, *name, base.hidden);
            }
            let window = windows.get(layer as usize).copied().flatten();
            let mixer = Attention { window, ..base }.describe(parts);
            match &sparse {
                Some(sparse) if sparse.layers.get(layer as usize) == Some(&true) => {
                    sparse.experts.describe(parts);
                }
                _ => mlp(parts, "mlp", dense),
            }
            if let Some(more) = plain.more {
                more(config, parts)?;
            }
            Ok(vec![mixer])
        })
    }

    /// Its attention, all tokens.
    pub(super) fn attention(&self, config: &Config) -> Result<Attention, Fault> {
        let (switch, qk_norm) = self.qk_norm;
        Ok(Attention {
            bias: [self.qkv_bias.on(config)?; 3],
            out_bias: self.out_bias.on(config)?,
            qk_norm: if switch.on(config)? { qk_norm } else { QkNorm::None },
            fused: self.fused_qkv,
            sinks: self.sinks,
            square_out: self.square_out,
            ..attention(config)?
        })
    }
}

/// StableLM with parallel residuals has one norm a layer.
pub(super) fn stablelm(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let parallel = cx.config.flag("use_parallel_residual", false)?;
    Plain { norms: if parallel { ONE } else { BOTH }, ..STABLELM }.describe(cx)
}

/// Granite with a shared expert beside the routed ones.
pub(super) fn granite_shared(cx: &Context) -> Result<Vec<Stack>, Fault> {
    Plain { more: Some(granite_shared_mlp), ..GRANITEMOE }.describe(cx)
}

pub(super) fn granite_shared_mlp(config: &Config, parts: &mut Parts) -> Result<(), Fault> {
    let inner = config.whole("shared_intermediate_size", 0)?;
    if inner > 0 {
        let block = Mlp { hidden: config.int("hidden_size")?, inner, gated: true, bias: false };
        parts.within(crate::Part::SharedExperts, |parts| mlp(parts, "shared_mlp", block));
    }
    Ok(())
}

/// A table of learned positions.
pub(super) fn positions(parts: &mut Parts, name: &'static str, rows: u64, width: u64) {
    parts.table(name, rows, width).split(crate::Split::Replicated);
}

/// A matrix between two widths of the stream, where they differ.
pub(super) fn bridge(parts: &mut Parts, name: &'static str, from: u64, to: u64) {
    if from != to {
        parts.matmul(Role::Other, name, from, to);
    }
}
