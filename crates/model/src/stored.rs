//! How the parameters of each part are stored.

use std::collections::BTreeMap;

use maat_base::Bytes;
use serde::Serialize;

use crate::{Model, Part};

/// What of a part is stored in one precision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredPart {
    /// The part.
    pub part: Part,
    /// Name of the precision.
    pub precision: String,
    /// Parameters of the part that are stored so.
    pub params: u64,
    /// Bytes of these with their scales.
    pub bytes: Bytes,
}

/// A part of a pipeline: a text encoder, what removes the noise, what makes pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComponentSize {
    /// Its name in the pipeline.
    pub name: String,
    /// Its parameters.
    pub params: u64,
    /// Bytes of these, as the encodings give.
    pub bytes: Bytes,
}

impl Model {
    /// The parts of a pipeline in the order of its stacks; empty for a model that is no pipeline.
    pub fn components(&self) -> Vec<ComponentSize> {
        let mut sizes: Vec<ComponentSize> = Vec::new();
        for stack in &self.stacks {
            let Some((name, _)) = stack.path.split_once('/') else { continue };
            if sizes.last().is_none_or(|last| last.name != name) {
                sizes.push(ComponentSize { name: name.to_owned(), params: 0, bytes: Bytes::ZERO });
            }
            let Some(size) = sizes.last_mut() else { continue };
            for (weight, n) in stack.weights() {
                size.params = size.params.saturating_add(weight.params().saturating_mul(n));
                size.bytes += weight.bytes() * n;
            }
        }
        sizes
    }

    /// How each part is stored, by part and then the most bytes first; without multi-token prediction and buffers.
    pub fn stored_parts(&self) -> Vec<StoredPart> {
        let mut sums: BTreeMap<(Part, &str), (u64, Bytes)> = BTreeMap::new();
        for (weight, n) in self.weights().filter(|(weight, _)| weight.params() > 0) {
            let copies = weight.copies.saturating_mul(n);
            let (rows, cols) = weight.rows_cols();
            let matrix = (&weight.encoding, rows.saturating_mul(cols), weight.encoding.bytes(rows, cols));
            let bias = weight.bias_elements();
            let bias = (&weight.bias_encoding, bias, weight.bias_encoding.bytes(1, bias));
            for (encoding, params, bytes) in [matrix, bias].into_iter().filter(|(_, params, _)| *params > 0) {
                let sum = sums.entry((weight.part, &encoding.name)).or_default();
                sum.0 = sum.0.saturating_add(params.saturating_mul(copies));
                sum.1 += bytes * copies;
            }
        }
        let stored = |((part, precision), (params, bytes)): ((Part, &str), (u64, Bytes))| StoredPart {
            part,
            precision: precision.to_owned(),
            params,
            bytes,
        };
        let mut parts: Vec<StoredPart> = sums.into_iter().map(stored).collect();
        parts.sort_by_key(|stored| (stored.part, std::cmp::Reverse(stored.bytes)));
        parts
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Part, open};

    /// SDXL's U-Net has 2,567,463,684 parameters, its autoencoder 83,653,863 (Diffusers 0.42.1).
    #[test]
    fn a_pipeline_tells_its_components() {
        let model = open("sdxl", &Options::default()).unwrap();
        let sizes = model.components();
        let of = |name: &str| sizes.iter().find(|size| size.name == name).unwrap().params;
        assert_eq!((sizes[0].name.as_str(), of("unet"), of("vae")), ("unet", 2_567_463_684, 83_653_863));
        assert_eq!(sizes.iter().map(|size| size.params).sum::<u64>(), model.params_total());
        assert_eq!(model.params_by_part()[&Part::Towers], model.params_total() - 2_567_463_684);
        assert!(open("llama-3.1-8b", &Options::default()).unwrap().components().is_empty());
    }

    /// gpt-oss-20b: experts in MXFP4 (4 bits and 8 for 32 of them) with biases in bf16, all else in bf16.
    #[test]
    fn each_part_tells_its_precision() {
        let model = open("openai/gpt-oss-20b", &Options::default()).unwrap();
        let stored = model.stored_parts();
        let of = |part| stored.iter().filter(|stored| stored.part == part).collect::<Vec<_>>();
        let experts = of(Part::RoutedExperts);
        assert_eq!(experts[0].precision, "mxfp4");
        assert_eq!(experts[0].bytes.0, experts[0].params / 32 * 17);
        assert_eq!((experts[1].precision.as_str(), experts[1].bytes.0), ("bf16", 2 * experts[1].params));
        assert_eq!(of(Part::Attention)[0].precision, "bf16");
        assert_eq!(stored.iter().map(|stored| stored.params).sum::<u64>(), model.params_total());
    }
}
