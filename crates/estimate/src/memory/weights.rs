//! Bytes of a weight on one rank.

use maat_base::Bytes;
use maat_model::{Part, Role, Split, Weight};

use crate::{Job, Setting, Settings};

/// How weights are divided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shards {
    /// Ranks that share each matrix.
    pub tp: u64,
    /// Ranks that share the experts of a layer.
    pub ep: u64,
    /// Ranks that share the matrices of one expert: without expert parallelism, all of tensor and data parallelism.
    pub expert_tp: u64,
    /// Rows to which the engine pads the vocabulary.
    pub vocabulary_multiple: u64,
    /// Rows to which the engine pads the width of an expert in MXFP4.
    pub expert_multiple: u64,
}

impl Shards {
    pub(crate) fn of(job: &Job, settings: &Settings) -> Self {
        let parallel = &job.plan.parallel;
        let [tp, dp, ep] = [parallel.tp, parallel.dp, parallel.ep].map(|n| u64::from(n.max(1)));
        let expert_tp = (tp.saturating_mul(dp) / ep).max(1);
        let multiple = |setting| settings.count(setting, 1).max(1);
        let vocabulary_multiple = multiple(Setting::VocabularyMultiple);
        let expert_multiple = multiple(Setting::Mxfp4ExpertMultiple);
        Self { tp, ep, expert_tp, vocabulary_multiple, expert_multiple }
    }

    /// Of training: without expert parallelism experts divide as the other matrices do, with it each lies whole on a rank.
    pub(crate) fn of_training(parallel: &crate::Parallel) -> Self {
        let [tp, ep] = [parallel.tp, parallel.ep].map(|n| u64::from(n.max(1)));
        Self { tp, ep, expert_tp: if ep > 1 { 1 } else { tp }, vocabulary_multiple: 1, expert_multiple: 1 }
    }

    /// Ranks that share one copy of a weight.
    pub(crate) fn ranks_of(&self, weight: &Weight) -> u64 {
        if is_routed(weight) { self.expert_tp } else { self.tp }
    }

    /// Bytes that the fullest rank stores of all copies of a weight, whoever owns the storage.
    pub(crate) fn bytes(&self, weight: &Weight) -> Bytes {
        let copies = if is_routed(weight) { weight.copies.div_ceil(self.ep) } else { weight.copies };
        self.copy_bytes(weight, self.ranks_of(weight)) * copies
    }

    fn copy_bytes(&self, weight: &Weight, ranks: u64) -> Bytes {
        let (rows, cols, bias) = self.copy_shape(weight, ranks);
        let (rows, cols) = self.padded(weight, rows, cols);
        weight.encoding.bytes(rows, cols) + weight.bias_encoding.bytes(1, bias)
    }

    /// Elements that the fullest rank holds of all copies of a weight, whoever owns the storage.
    pub(crate) fn elements(&self, weight: &Weight) -> u64 {
        let copies = if is_routed(weight) { weight.copies.div_ceil(self.ep) } else { weight.copies };
        let (rows, cols, bias) = self.copy_shape(weight, self.ranks_of(weight));
        rows.saturating_mul(cols).saturating_add(bias).saturating_mul(copies)
    }

    /// Rows, columns and bias of a copy on one of `ranks`.
    pub(crate) fn copy_shape(&self, weight: &Weight, ranks: u64) -> (u64, u64, u64) {
        let (rows, cols) = weight.rows_cols();
        let bias = weight.bias_elements();
        match weight.split {
            Split::Replicated => (rows, cols, bias),
            Split::Column => {
                (rows.div_ceil(ranks), cols.div_ceil(vector_ranks(rows, ranks)), bias.div_ceil(ranks))
            }
            Split::Row => (rows, cols.div_ceil(ranks), bias),
            Split::KvHeads(heads) => (kv_share(rows, heads, ranks), cols, kv_share(bias, heads, ranks)),
            Split::Mixed { divided, kv, kv_heads, copied } => {
                let share = divided.div_ceil(ranks) + kv_share(kv, kv_heads, ranks) + copied;
                (share, cols, if bias > 0 { share } else { 0 })
            }
            Split::Vocabulary => {
                let padded = rows.checked_next_multiple_of(self.vocabulary_multiple).unwrap_or(rows);
                (padded.div_ceil(ranks), cols, bias.div_ceil(ranks))
            }
        }
    }

    /// Whether the engine deals the blocks of a weight out unevenly and fills up the last ranks with empty ones.
    pub(crate) fn pads(&self, weight: &Weight) -> bool {
        self.expert_multiple > 1 && is_routed(weight) && weight.encoding.name == "mxfp4"
    }

    /// Kernels for MXFP4 want the width of an expert in whole tiles; gate and up are padded each.
    fn padded(&self, weight: &Weight, rows: u64, cols: u64) -> (u64, u64) {
        if !self.pads(weight) {
            return (rows, cols);
        }
        let whole = |n: u64| n.checked_next_multiple_of(self.expert_multiple).unwrap_or(n);
        match weight.role {
            Role::GateUp => (whole(rows.div_ceil(2)).saturating_mul(2), cols),
            Role::Gate | Role::Up => (whole(rows), cols),
            Role::Down => (rows, whole(cols)),
            _ => (rows, cols),
        }
    }
}

/// Whether expert parallelism spreads a weight's copies.
pub(crate) fn is_routed(weight: &Weight) -> bool {
    weight.part == Part::RoutedExperts && weight.copies > 1
}

/// A vector that divides does so along its only axis.
fn vector_ranks(rows: u64, ranks: u64) -> u64 {
    if rows == 1 { ranks } else { 1 }
}

/// The part of `elements` that belongs to a rank's key-value heads; heads are copied when there are fewer than ranks.
fn kv_share(elements: u64, heads: u64, ranks: u64) -> u64 {
    let heads = heads.max(1);
    (elements / heads).saturating_mul(heads.div_ceil(ranks)).min(elements)
}
