//! Nemotron-H and Nemotron 3.

use maat_base::Fault;

use super::hybrid::is_attention;
use super::plain::attention;
use crate::assemble::{Context, Draft, Trunk};
use crate::blocks::{Attention, Mamba2, Mlp, Moe, Shared, mlp};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Mixer, Role, Stack, StackKind};

/// The layers of a Nemotron-H pattern: `M` Mamba-2, `*` attention, `-` MLP, `E` experts.
fn nemotron_kinds(config: &Config, list: &[&str], pattern: &str) -> Result<Option<Vec<String>>, Fault> {
    for key in list {
        if let Some(kinds) = config.words(key)? {
            return Ok(Some(kinds));
        }
    }
    let Some(pattern_text) = config.text(pattern) else { return Ok(None) };
    let kind = |letter| match letter {
        'M' => Ok("linear_attention".to_owned()),
        '*' => Ok("full_attention".to_owned()),
        '-' => Ok("mlp".to_owned()),
        'E' => Ok("moe".to_owned()),
        _ => Err(config.fault(pattern, "config-pattern").with("value", pattern_text.as_str())),
    };
    pattern_text.chars().map(kind).collect::<Result<Vec<_>, _>>().map(Some)
}

/// Nemotron-H and Nemotron 3: each layer is a Mamba-2, an attention, an MLP or experts.
pub(super) fn nemotron_h(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let usual = || ["linear_attention", "moe", "full_attention", "mlp"].map(str::to_owned).to_vec();
    let kinds = nemotron_kinds(config, &["layer_types", "layers_block_type"], "hybrid_override_pattern")?
        .unwrap_or_else(usual);
    let trunk = Trunk {
        hidden,
        vocabulary: config.int("vocab_size")?,
        layers: kinds.len() as u64,
        path: "backbone.layers",
        norm: Norm::Rms,
        head_bias: false,
        embedding: None,
        ties: false,
    };
    let blocks = Nemotron::read(config, hidden)?;
    let mut draft = trunk.start(cx);
    for kind in &kinds {
        let mut parts = cx.parts();
        let mixers = blocks.layer(kind, config, &mut parts)?;
        draft.layer(mixers, parts);
    }
    let mut stacks = vec![trunk.finish(cx, draft)?];
    let predicted = config.layers("num_nextn_predict_layers")?;
    let of_prediction = nemotron_kinds(config, &["mtp_layers_block_type"], "mtp_hybrid_override_pattern")?;
    if let (1.., Some(kinds)) = (predicted, of_prediction) {
        let mut draft = Draft::other(cx, StackKind::Mtp, "mtp.layers", hidden, Length::Tokens);
        draft.before.norm(Norm::Rms, "mtp.layers.0.enorm", hidden);
        draft.before.norm(Norm::Rms, "mtp.layers.0.hnorm", hidden);
        draft.before.matmul(Role::Other, "mtp.layers.0.eh_proj", 2 * hidden, hidden);
        for kind in kinds.iter().cycle().take(kinds.len() * predicted as usize) {
            let mut parts = cx.parts();
            let mixers = blocks.layer(kind, config, &mut parts)?;
            draft.layer(mixers, parts);
        }
        draft.after.norm(Norm::Rms, "mtp.layers.0.final_layernorm", hidden);
        stacks.push(draft.done());
    }
    Ok(stacks)
}

/// The blocks that a Nemotron-H layer may be.
struct Nemotron {
    state: Mamba2,
    attention: Attention,
    dense: Mlp,
    experts: Moe,
}

impl Nemotron {
    fn read(config: &Config, hidden: u64) -> Result<Self, Fault> {
        let bias = config.flag("use_bias", false)?;
        let heads = config.int("mamba_num_heads")?;
        let first = |keys: &[&str]| {
            let stated = keys.iter().find(|key| config.stated(key).is_some());
            config.int(stated.unwrap_or(&keys[0]))
        };
        let state = Mamba2 {
            at: "mixer",
            hidden,
            heads,
            inner: heads * config.int("mamba_head_dim")?,
            groups: first(&["n_groups", "mamba_n_groups"])?,
            state: config.int("ssm_state_size")?,
            kernel: first(&["conv_kernel", "mamba_d_conv"])?,
            bias,
            out_bias: bias,
            conv_bias: config.flag("use_conv_bias", true)?,
            normed: true,
        };
        let mlp_bias = config.flag("mlp_bias", false)?;
        let dense = Mlp { hidden, inner: config.int("intermediate_size")?, gated: false, bias: mlp_bias };
        let shared = config.whole("moe_shared_expert_intermediate_size", 0)?;
        let shared = if shared == 0 { dense.inner } else { shared };
        let experts = Moe {
            at: "mixer",
            gated: false,
            bias: mlp_bias,
            correction: true,
            latent: config.maybe("moe_latent_size")?.filter(|n| *n > 0),
            shared: Some(Shared { name: "shared_experts", inner: shared, weighed: false }),
            ..Moe::new(
                hidden,
                config.int_or("moe_intermediate_size", dense.inner)?,
                config.int_or("num_experts", 1)?,
                config.int_or("num_experts_per_tok", 1)?,
            )
        };
        let attention = Attention { at: "mixer", ..attention(config)? };
        Ok(Self { state, attention, dense, experts })
    }

    fn layer(&self, kind: &str, config: &Config, parts: &mut Parts) -> Result<Vec<Mixer>, Fault> {
        parts.norm(Norm::Rms, "norm", self.dense.hidden);
        match kind {
            "linear_attention" | "mamba" => return Ok(vec![self.state.describe(parts)]),
            "mlp" => mlp(parts, "mixer", self.dense),
            "moe" => self.experts.describe(parts),
            kind if is_attention(kind) => return Ok(vec![self.attention.describe(parts)]),
            _ => return Err(config.fault("layer_types", "config-pattern").with("value", kind)),
        }
        Ok(Vec::new())
    }
}
