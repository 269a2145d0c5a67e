//! The families, each described once. One row of [`FAMILIES`] registers what a `model_type` is described by.

mod deepseek;
mod gpt_oss;
mod llama;

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

const EXPERTS: Aliases = &[("num_experts", "num_local_experts"), ("num_experts", "n_routed_experts")];

/// Every family.
const FAMILIES: &[Family] = &[
    family(&["llama", "mistral", "ministral3", "qwen2", "qwen3"], llama::plain),
    renamed(&["mixtral"], EXPERTS, llama::mixtral),
    renamed(&["gpt_oss"], EXPERTS, gpt_oss::describe),
    renamed(&["deepseek_v3"], EXPERTS, deepseek::v3),
];

/// The family of a `model_type`.
pub(crate) fn find(model_type: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.model_types.contains(&model_type))
}

/// Every `model_type` that is known.
pub(crate) fn model_types() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.model_types.iter().copied())
}
