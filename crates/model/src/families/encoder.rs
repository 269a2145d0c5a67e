//! Encoders of text: BERT and its kin.

use maat_base::Fault;

use super::plain::positions;
use crate::assemble::{Context, Draft};
use crate::blocks::{Attention, Mlp, mlp};
use crate::class::Head;
use crate::config::{Config, MOST_LAYERS};
use crate::parts::{Norm, Parts};
use crate::{Length, Mixer, Part, Role, Split, Stack, StackKind, Storage};

/// How a family differs from BERT.
#[expect(clippy::struct_excessive_bools, reason = "independent features of a family, named one by one")]
#[derive(Clone, Copy)]
pub(super) struct Encoder {
    /// Whether the bare model ends in a dense layer over the first token.
    pub pooled: bool,
    /// Whether positions are learned.
    pub positions: bool,
    /// Whether embeddings are normalised.
    pub normed: bool,
    /// Norms of the layers and around them.
    pub norm: Norm,
    pub gated: bool,
    pub biased: bool,
    /// Whether the transformation before the scores works in the embedding's width.
    pub narrow_head: bool,
    /// Whether untying the scores' matrix leaves a second bias.
    pub two_biases: bool,
}

pub(super) const BERT: Encoder = Encoder {
    pooled: true,
    positions: true,
    normed: true,
    norm: Norm::Layer,
    gated: false,
    biased: true,
    narrow_head: false,
    two_biases: true,
};
const DISTILBERT: Encoder = Encoder { pooled: false, two_biases: false, ..BERT };
const NOMIC: Encoder = Encoder { positions: false, gated: true, biased: false, ..DISTILBERT };
const ELECTRA: Encoder = Encoder { narrow_head: true, ..DISTILBERT };
const ALBERT: Encoder = Encoder { narrow_head: true, ..BERT };

/// Widths of an encoder.
struct Sizes {
    hidden: u64,
    embedding: u64,
    vocabulary: u64,
    layers: u64,
    heads: u64,
    head_dim: u64,
    inner: u64,
}

impl Sizes {
    fn read(config: &Config) -> Result<Self, Fault> {
        let hidden = config.int("hidden_size")?;
        let heads = config.int("num_attention_heads")?;
        Ok(Self {
            hidden,
            embedding: config.int_or("embedding_size", hidden)?,
            vocabulary: config.int("vocab_size")?,
            layers: config.depth("num_hidden_layers")?,
            heads,
            head_dim: config.head_dim(hidden, heads)?,
            inner: config.int("intermediate_size")?,
        })
    }
}

impl Encoder {
    fn start(self, cx: &Context, sizes: &Sizes) -> Result<Draft, Fault> {
        let config = &cx.config;
        let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layer", sizes.hidden, Length::Tokens);
        let before = &mut draft.before;
        before.table("embeddings.word_embeddings", sizes.vocabulary, sizes.embedding);
        if self.positions {
            let rows = config.int("max_position_embeddings")?;
            positions(before, "embeddings.position_embeddings", rows, sizes.embedding);
        }
        let types = config.whole("type_vocab_size", 0)?;
        if types > 0 {
            positions(before, "embeddings.token_type_embeddings", types, sizes.embedding);
        }
        before.norm(
            if self.normed { self.norm } else { Norm::Bare },
            "embeddings.LayerNorm",
            sizes.embedding,
        );
        Ok(draft)
    }

    /// A layer with a norm after each block.
    fn layer(self, parts: &mut Parts, sizes: &Sizes) -> Mixer {
        let attention = Attention::encoder(sizes.hidden, sizes.heads);
        let attention = Attention {
            at: "attention",
            head_dim: sizes.head_dim,
            square_out: sizes.head_dim == sizes.hidden / sizes.heads,
            bias: [self.biased; 3],
            out_bias: self.biased,
            ..attention
        };
        let mixer = attention.describe(parts);
        parts.norm(self.norm, "attention.output.LayerNorm", sizes.hidden);
        let block = Mlp { hidden: sizes.hidden, inner: sizes.inner, gated: self.gated, bias: self.biased };
        mlp(parts, "mlp", block);
        parts.norm(self.norm, "output.LayerNorm", sizes.hidden);
        mixer
    }

    /// What stands after the layers, by the class.
    fn finish(self, cx: &Context, sizes: &Sizes, mut draft: Draft) -> Result<Stack, Fault> {
        let after = &mut draft.after;
        match cx.head {
            Head::None if self.pooled => dense(after, "pooler.dense", sizes.hidden, sizes.hidden),
            Head::None => {}
            Head::Language => self.scores(cx, sizes, after)?,
            Head::Pretraining => {
                dense(after, "pooler.dense", sizes.hidden, sizes.hidden);
                self.scores(cx, sizes, after)?;
                dense(after, "cls.seq_relationship", sizes.hidden, 2);
            }
            Head::Sequence | Head::Choice => {
                dense(after, "pooler.dense", sizes.hidden, sizes.hidden);
                let labels = if cx.head == Head::Choice { 1 } else { cx.labels()? };
                dense(after, "classifier", sizes.hidden, labels);
            }
            Head::Token => dense(after, "classifier", sizes.hidden, cx.labels()?),
            Head::Question => dense(after, "qa_outputs", sizes.hidden, cx.labels()?),
        }
        Ok(draft.done())
    }

    fn scores(self, cx: &Context, sizes: &Sizes, parts: &mut Parts) -> Result<(), Fault> {
        let width = if self.narrow_head { sizes.embedding } else { sizes.hidden };
        dense(parts, "cls.predictions.transform.dense", sizes.hidden, width);
        parts.norm(self.norm, "cls.predictions.transform.LayerNorm", width);
        let tied = cx.config.flag("tie_word_embeddings", true)?;
        let head = parts.matmul(Role::Head, "cls.predictions.decoder", width, sizes.vocabulary);
        head.stored(if tied { Storage::Shared(0) } else { Storage::Own });
        head.biased(!tied && self.two_biases);
        parts.vector(Role::Head, "cls.predictions.bias", sizes.vocabulary).split(Split::Vocabulary);
        Ok(())
    }
}

/// A dense layer of a head.
pub(super) fn dense(parts: &mut Parts, name: &'static str, inputs: u64, outputs: u64) {
    parts.matmul(Role::Head, name, inputs, outputs).biased(true).split(Split::Replicated);
}

fn describe(cx: &Context, encoder: Encoder) -> Result<Vec<Stack>, Fault> {
    let sizes = Sizes::read(&cx.config)?;
    let mut draft = encoder.start(cx, &sizes)?;
    if sizes.embedding != sizes.hidden {
        let project = draft.before.matmul(Role::Other, "embeddings_project", sizes.embedding, sizes.hidden);
        project.biased(true).in_part(Part::Embedding);
    }
    draft.layers(cx, sizes.layers, |parts, _| Ok(vec![encoder.layer(parts, &sizes)]))?;
    Ok(vec![encoder.finish(cx, &sizes, draft)?])
}

pub(super) fn bert(cx: &Context) -> Result<Vec<Stack>, Fault> {
    describe(cx, BERT)
}

pub(super) fn distilbert(cx: &Context) -> Result<Vec<Stack>, Fault> {
    describe(cx, DISTILBERT)
}

/// ELECTRA: pretraining judges each token, and has no scores over the vocabulary.
pub(super) fn electra(cx: &Context) -> Result<Vec<Stack>, Fault> {
    if cx.head != Head::Pretraining {
        return describe(cx, ELECTRA);
    }
    let mut stacks = describe(&cx.of(cx.config.clone(), Head::None), ELECTRA)?;
    let hidden = cx.config.int("hidden_size")?;
    let mut parts = cx.parts();
    dense(&mut parts, "discriminator_predictions.dense", hidden, hidden);
    dense(&mut parts, "discriminator_predictions.dense_prediction", hidden, 1);
    stacks[0].after.extend(parts.done());
    Ok(stacks)
}

pub(super) fn nomic(cx: &Context) -> Result<Vec<Stack>, Fault> {
    describe(cx, NOMIC)
}

/// MPNet: BERT with one table of relative positions for all layers.
pub(super) fn mpnet(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let mut stacks = describe(cx, BERT)?;
    let buckets = cx.config.int("relative_attention_num_buckets")?;
    let heads = cx.config.int("num_attention_heads")?;
    let mut parts = cx.parts();
    positions(&mut parts, "encoder.relative_attention_bias", buckets, heads);
    stacks[0].before.extend(parts.done());
    Ok(stacks)
}

/// ALBERT: all layers of a group use the same weights; embeddings are narrow.
pub(super) fn albert(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let sizes = Sizes::read(config)?;
    let mut draft = ALBERT.start(cx, &sizes)?;
    let project = draft.before.matmul(
        Role::Other,
        "encoder.embedding_hidden_mapping_in",
        sizes.embedding,
        sizes.hidden,
    );
    project.biased(true).in_part(Part::Embedding);
    let groups = config.depth("num_hidden_groups")?;
    let inside = config.depth("inner_group_num")?;
    let stored = groups.max(sizes.layers) * inside;
    if stored > MOST_LAYERS {
        return Err(config.fault("inner_group_num", "config-too-large").with("value", stored));
    }
    let mut seen = vec![false; groups as usize];
    for layer in 0..sizes.layers {
        let group = (layer * groups / sizes.layers.max(1)).min(groups - 1);
        let again = std::mem::replace(&mut seen[group as usize], true);
        for inner in 0..inside {
            let mut parts = cx.parts();
            let mixer = ALBERT.layer(&mut parts, &sizes);
            if again {
                parts.share((1 + group * inside + inner) as u16);
            }
            draft.layer(vec![mixer], parts);
        }
    }
    // Groups beyond the layers are stored all the same.
    for _ in seen.iter().filter(|seen| !**seen) {
        for _ in 0..inside {
            ALBERT.layer(&mut draft.after, &sizes);
        }
    }
    Ok(vec![ALBERT.finish(cx, &sizes, draft)?])
}

/// DeBERTa v2 and v3: relative positions in a table, with projections of their own unless keys are shared.
pub(super) fn deberta(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let sizes = Sizes::read(config)?;
    let (hidden, embedding) = (sizes.hidden, sizes.embedding);
    let encoder = Encoder {
        pooled: false,
        positions: config.flag("position_biased_input", true)?,
        narrow_head: true,
        ..BERT
    };
    let mut draft = encoder.start(cx, &sizes)?;
    if embedding != hidden {
        draft.before.matmul(Role::Other, "embeddings.embed_proj", embedding, hidden).in_part(Part::Embedding);
    }
    let relative = config.flag("relative_attention", false)?;
    let shared = config.flag("share_att_key", false)?;
    if relative {
        let stated = config.stated("position_buckets").and_then(serde_json::Value::as_i64).unwrap_or(-1);
        let most = config.stated("max_relative_positions").and_then(serde_json::Value::as_i64).unwrap_or(-1);
        let most = if most < 1 { config.int("max_position_embeddings")? } else { most as u64 };
        let rows = if stated > 0 { stated as u64 } else { most };
        positions(&mut draft.before, "encoder.rel_embeddings", 2 * rows.min(1 << 24), hidden);
    }
    if config.text("norm_rel_ebd").is_some_and(|norms| norms.contains("layer_norm")) {
        draft.before.norm(Norm::Layer, "encoder.LayerNorm", hidden);
    }
    let kernel = config.whole("conv_kernel_size", 0)?;
    if kernel > 0 {
        let groups = config.int_or("conv_groups", 1)?;
        draft.before.conv("encoder.conv.conv", hidden / groups, hidden, kernel).biased(true);
        draft.before.norm(Norm::Layer, "encoder.conv.LayerNorm", hidden);
    }
    let kinds = config.words_or_text("pos_att_type", '|')?;
    draft.layers(cx, sizes.layers, |parts, _| {
        let mixer = encoder.layer(parts, &sizes);
        for (kind, name) in [("c2p", "attention.pos_key_proj"), ("p2c", "attention.pos_query_proj")] {
            if relative && !shared && kinds.iter().any(|stated| stated == kind) {
                parts.matmul(Role::Query, name, hidden, hidden).biased(true);
            }
        }
        Ok(vec![mixer])
    })?;
    let pooler = config.int_or("pooler_hidden_size", hidden)?;
    if matches!(cx.head, Head::Sequence | Head::Choice) {
        dense(&mut draft.after, "pooler.dense", pooler, pooler);
        let labels = if cx.head == Head::Choice { 1 } else { cx.labels()? };
        dense(&mut draft.after, "classifier", pooler, labels);
        return Ok(vec![draft.done()]);
    }
    Ok(vec![encoder.finish(cx, &sizes, draft)?])
}

/// ModernBERT: no biases unless asked, gated MLP, windows in two of three layers.
pub(super) fn modernbert(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let sizes = Sizes::read(config)?;
    let hidden = sizes.hidden;
    let norm = if config.flag("norm_bias", false)? { Norm::Layer } else { Norm::Rms };
    let attention_bias = config.flag("attention_bias", false)?;
    let mlp_bias = config.flag("mlp_bias", false)?;
    let mut draft = Draft::other(cx, StackKind::Encoder, "model.layers", hidden, Length::Tokens);
    draft.before.table("model.embeddings.tok_embeddings", sizes.vocabulary, hidden);
    draft.before.norm(norm, "model.embeddings.norm", hidden);
    let period = config.int_or("global_attn_every_n_layers", 3)?;
    let kinds = super::windows::kinds(config, "layer_types", sizes.layers)?;
    let window = config.length("local_attention")?;
    draft.layers(cx, sizes.layers, |parts, layer| {
        if layer > 0 {
            parts.norm(norm, "attn_norm", hidden);
        }
        let local = match &kinds {
            Some(kinds) => kinds[layer as usize] == "sliding_attention",
            None => layer % period != 0,
        };
        let attention = Attention {
            at: "attn",
            fused: true,
            bias: [attention_bias; 3],
            out_bias: attention_bias,
            window: window.filter(|_| local),
            ..Attention::encoder(hidden, sizes.heads)
        };
        let mixer = attention.describe(parts);
        parts.norm(norm, "mlp_norm", hidden);
        mlp(parts, "mlp", Mlp { hidden, inner: sizes.inner, gated: true, bias: mlp_bias });
        Ok(vec![mixer])
    })?;
    draft.after.norm(norm, "model.final_norm", hidden);
    if cx.head != Head::None {
        let bias = config.flag("classifier_bias", false)?;
        draft.after.matmul(Role::Head, "head.dense", hidden, hidden).biased(bias);
        draft.after.norm(norm, "head.norm", hidden);
    }
    match cx.head {
        Head::None => {}
        Head::Language | Head::Pretraining => {
            let tied = config.flag("tie_word_embeddings", true)?;
            let head = draft.after.matmul(Role::Head, "decoder", hidden, sizes.vocabulary);
            head.stored(if tied { Storage::Shared(0) } else { Storage::Own });
            if config.flag("decoder_bias", true)? {
                draft.after.vector(Role::Head, "decoder.bias", sizes.vocabulary).split(Split::Vocabulary);
            }
        }
        Head::Choice => dense(&mut draft.after, "classifier", hidden, 1),
        _ => dense(&mut draft.after, "classifier", hidden, cx.labels()?),
    }
    Ok(vec![draft.done()])
}

/// XLNet: two streams over one set of weights, relative positions with weights and biases of their own.
pub(super) fn xlnet(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("d_model")?;
    let (heads, inner) = (config.int("n_head")?, config.int("d_inner")?);
    let head_dim = config.int_or("d_head", hidden / heads)?;
    let vocabulary = config.int("vocab_size")?;
    let mut draft = Draft::other(cx, StackKind::Encoder, "transformer.layer", hidden, Length::Tokens);
    draft.before.table("transformer.word_embedding", vocabulary, hidden);
    draft.before.vector(Role::Other, "transformer.mask_emb", hidden);
    let width = heads * head_dim;
    let block = Attention { at: "rel_attn", causal: false, ..Attention::new(hidden, heads, heads, head_dim) };
    draft.layers(cx, config.layers("n_layer")?, |parts, _| {
        let mixer = block.describe(parts);
        parts.matmul(Role::Other, "rel_attn.r", hidden, width).in_part(Part::Attention);
        // Three biases, and two segments.
        parts.vector(Role::Other, "rel_attn.biases", 5 * width).in_part(Part::Attention);
        parts.norm(Norm::Layer, "rel_attn.layer_norm", hidden);
        parts.norm(Norm::Layer, "ff.layer_norm", hidden);
        mlp(parts, "ff", Mlp { hidden, inner, gated: false, bias: true });
        Ok(vec![mixer])
    })?;
    let after = &mut draft.after;
    match cx.head {
        Head::None | Head::Pretraining => {}
        Head::Language => {
            let tied = config.flag("tie_word_embeddings", true)?;
            let head = after.matmul(Role::Head, "lm_loss", hidden, vocabulary);
            head.stored(if tied { Storage::Shared(0) } else { Storage::Own });
            after.vector(Role::Head, "lm_loss.bias", vocabulary).split(Split::Vocabulary);
        }
        Head::Sequence | Head::Choice => {
            dense(after, "sequence_summary.summary", hidden, hidden);
            let labels = if cx.head == Head::Choice { 1 } else { cx.labels()? };
            dense(after, "logits_proj", hidden, labels);
        }
        Head::Token => dense(after, "classifier", hidden, cx.labels()?),
        Head::Question => {
            dense(after, "start_logits.dense", hidden, 1);
            dense(after, "end_logits.dense_0", 2 * hidden, hidden);
            after.norm(Norm::Layer, "end_logits.LayerNorm", hidden);
            dense(after, "end_logits.dense_1", hidden, 1);
            dense(after, "answer_class.dense_0", 2 * hidden, hidden);
            after.matmul(Role::Head, "answer_class.dense_1", hidden, 1);
        }
    }
    Ok(vec![draft.done()])
}

/// MobileBERT: wide between the layers, narrow inside, several feed-forward blocks a layer.
pub(super) fn mobilebert(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let (hidden, embedding) = (config.int("hidden_size")?, config.int("embedding_size")?);
    let vocabulary = config.int("vocab_size")?;
    let mut draft = Draft::other(cx, StackKind::Encoder, "mobilebert.encoder.layer", hidden, Length::Tokens);
    let before = &mut draft.before;
    before.table("embeddings.word_embeddings", vocabulary, embedding);
    positions(before, "embeddings.position_embeddings", config.int("max_position_embeddings")?, hidden);
    positions(before, "embeddings.token_type_embeddings", config.int("type_vocab_size")?, hidden);
    let joined = if config.flag("trigram_input", true)? { 3 * embedding } else { embedding };
    let transform = before.matmul(Role::Other, "embeddings.embedding_transformation", joined, hidden);
    transform.biased(true).in_part(Part::Embedding);
    before.norm(Norm::Layer, "embeddings.LayerNorm", hidden);
    let layer = MobileLayer::read(config, hidden)?;
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    let after = &mut draft.after;
    let pooled = matches!(cx.head, Head::None | Head::Pretraining | Head::Sequence | Head::Choice);
    if pooled && config.flag("classifier_activation", true)? {
        dense(after, "pooler.dense", hidden, hidden);
    }
    match cx.head {
        Head::None => {}
        Head::Language | Head::Pretraining => {
            dense(after, "cls.predictions.transform.dense", hidden, hidden);
            after.norm(Norm::Layer, "cls.predictions.transform.LayerNorm", hidden);
            let rest = hidden.saturating_sub(embedding);
            after.matmul(Role::Head, "cls.predictions.dense", vocabulary, rest);
            let tied = config.flag("tie_word_embeddings", true)?;
            let head = after.matmul(Role::Head, "cls.predictions.decoder", embedding, vocabulary);
            head.stored(if tied { Storage::Shared(0) } else { Storage::Own }).biased(!tied);
            after.vector(Role::Head, "cls.predictions.bias", vocabulary).split(Split::Vocabulary);
            if cx.head == Head::Pretraining {
                dense(after, "cls.seq_relationship", hidden, 2);
            }
        }
        Head::Choice => dense(after, "classifier", hidden, 1),
        _ => dense(after, "classifier", hidden, cx.labels()?),
    }
    Ok(vec![draft.done()])
}

/// A layer of MobileBERT.
struct MobileLayer {
    hidden: u64,
    narrow: u64,
    bottleneck: Option<u64>,
    shared: bool,
    attention: Attention,
    mlp: Mlp,
    blocks: u64,
}

impl MobileLayer {
    fn read(config: &Config, hidden: u64) -> Result<Self, Fault> {
        let squeezes = config.flag("use_bottleneck", true)?;
        let inner_width = config.int("intra_bottleneck_size")?;
        let narrow = config.int_or("true_hidden_size", if squeezes { inner_width } else { hidden })?;
        let wide_values = !config.flag("use_bottleneck_attention", false)?;
        let attention = Attention {
            at: "attention",
            value_width: Some(hidden).filter(|_| wide_values),
            ..Attention::encoder(narrow, config.int("num_attention_heads")?)
        };
        Ok(Self {
            hidden,
            narrow,
            bottleneck: Some(inner_width).filter(|_| squeezes),
            shared: config.flag("key_query_shared_bottleneck", true)?,
            attention,
            mlp: Mlp { hidden: narrow, inner: config.int("intermediate_size")?, gated: false, bias: true },
            blocks: config.int("num_feedforward_networks")?,
        })
    }

    fn describe(&self, parts: &mut Parts) -> Mixer {
        let mixer = self.attention.describe(parts);
        parts.norm(Norm::Layer, "attention.output.LayerNorm", self.narrow);
        for _ in 0..self.blocks.min(64) {
            mlp(parts, "ffn", self.mlp);
            parts.norm(Norm::Layer, "ffn.output.LayerNorm", self.narrow);
        }
        let bridges = [
            ("output.bottleneck", self.bottleneck.map(|_| (self.narrow, self.hidden))),
            ("bottleneck.input", self.bottleneck.map(|narrow| (self.hidden, narrow))),
            (
                "bottleneck.attention",
                self.bottleneck.filter(|_| self.shared).map(|narrow| (self.hidden, narrow)),
            ),
        ];
        for (name, (from, to)) in bridges.into_iter().filter_map(|(name, sizes)| Some((name, sizes?))) {
            parts.matmul(Role::Other, format!("{name}.dense"), from, to).biased(true);
            parts.norm(Norm::Layer, format!("{name}.LayerNorm"), to);
        }
        mixer
    }
}
