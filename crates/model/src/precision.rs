//! Precisions by name, and a model stored in another precision than its own.

use std::sync::{Arc, LazyLock};

use maat_base::{Arg, Fault, Text};

use crate::{Encoding, Layer, Model, Part, Scale, Shape, Stack, Weight, mixture};

const TABLE: &str = include_str!("../../../facts/models/precisions.csv");

/// Which weights a precision is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Covers {
    /// All of them.
    All,
    /// The matrices in the layers; embeddings, heads, routers, norms, convolutions and towers keep their type.
    Linear,
    /// A type of GGUF tensors: see [`crate::gguf`].
    Gguf,
    /// Only found in files.
    Stored,
}

/// A row of facts/models/precisions.csv.
pub(crate) struct Precision {
    pub covers: Covers,
    pub encoding: Encoding,
}

/// The precision of a name, in any case.
pub(crate) fn find(name: &str) -> Option<Precision> {
    rows().find(|row| row[0].eq_ignore_ascii_case(name)).and_then(|row| read(&row))
}

/// Storage by a name that the table is known to have, such as `bf16`.
pub(crate) fn encoding(name: &str) -> Arc<Encoding> {
    // Asked for every weight of a mixture, so that the table is read once.
    static ALL: LazyLock<Vec<Arc<Encoding>>> =
        LazyLock::new(|| rows().filter_map(|row| Some(Arc::new(read(&row)?.encoding))).collect());
    let known = ALL.iter().find(|encoding| encoding.name.eq_ignore_ascii_case(name));
    known.cloned().unwrap_or_else(|| Arc::new(Encoding::plain(name, 16)))
}

fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    TABLE.lines().skip(1).map(|line| line.splitn(6, ',').collect::<Vec<_>>()).filter(|row| row.len() == 6)
}

fn read(row: &[&str]) -> Option<Precision> {
    let covers = match row[1] {
        "all" => Covers::All,
        "linear" => Covers::Linear,
        "gguf" => Covers::Gguf,
        _ => Covers::Stored,
    };
    let scales: Option<Vec<Scale>> = row[4].split(';').filter(|scale| !scale.is_empty()).map(scale).collect();
    let encoding = Encoding {
        name: row[0].to_owned(),
        block_elements: row[2].parse().ok()?,
        block_bits: row[3].parse().ok()?,
        scales: scales?,
    };
    Some(Precision { covers, encoding })
}

fn scale(text: &str) -> Option<Scale> {
    let mut numbers = text.split('x').map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some(Scale { rows: next()?, cols: next()?, bits: next()? })
}

/// Names that a user may ask for.
fn names() -> Vec<Arg> {
    let plain = rows().filter(|row| matches!(row[1], "all" | "linear")).map(|row| row[0]);
    plain.chain(mixture::names()).map(|name| Arg::Str(name.to_owned())).collect()
}

impl Model {
    /// The same model with its weights stored in another precision: `bf16`, `fp8`, `awq`, `q4_K_M` …
    ///
    /// # Errors
    /// `precision-unknown`.
    pub fn at_precision(&self, name: &str) -> Result<Self, Fault> {
        let unknown = || {
            let hint = Text::new("hint-precision-unknown").with("names", Arg::List(names()));
            Fault::usage("precision-unknown").with("name", name).hint(hint)
        };
        if let Some(mixture) = mixture::find(name) {
            return Ok(mixture::apply(self, mixture));
        }
        let precision = find(name).ok_or_else(unknown)?;
        let encoding = Arc::new(precision.encoding);
        let mut model = match precision.covers {
            Covers::Stored => return Err(unknown()),
            Covers::Gguf => {
                let kind = rows().map(|row| row[0]).find(|kind| *kind == encoding.name);
                return kind.map(|kind| mixture::apply_type(self, kind)).ok_or_else(unknown);
            }
            Covers::All => self.encoded(|_, weight| {
                weight.encoding = encoding.clone();
                weight.bias_encoding = encoding.clone();
            }),
            Covers::Linear => {
                let plain = self.unquantised();
                self.encoded(|inside, weight| {
                    let matrix = inside && is_linear(weight);
                    weight.encoding = if matrix { encoding.clone() } else { plain.clone() };
                    weight.bias_encoding = plain.clone();
                })
            }
        };
        if precision.covers == Covers::All {
            model.dtype = encoding.clone();
        }
        model.precision.clone_from(&encoding.name);
        Ok(model)
    }

    /// The type that weights have which a quantisation leaves alone.
    fn unquantised(&self) -> Arc<Encoding> {
        if self.dtype.block_bits == 16 { self.dtype.clone() } else { encoding("bf16") }
    }

    /// The same with every weight's storage as `change` sets it; `change` is told whether the weight is in a layer.
    pub(crate) fn encoded(&self, mut change: impl FnMut(bool, &mut Weight)) -> Self {
        let mut change_all = |inside: bool, weights: &[Weight]| -> Vec<Weight> {
            let mut weights = weights.to_vec();
            for weight in &mut weights {
                change(inside, weight);
            }
            weights
        };
        let stacks = self.stacks.iter().map(|stack| Stack {
            before: change_all(false, &stack.before),
            after: change_all(false, &stack.after),
            layers: stack
                .layers
                .iter()
                .map(|layer| Layer {
                    mixers: layer.mixers.clone(),
                    weights: change_all(true, &layer.weights),
                })
                .collect(),
            ..stack.clone()
        });
        Self { stacks: stacks.collect(), stored_bytes: None, ..self.clone() }
    }
}

/// Whether a weight of a layer is a matrix that quantisation takes.
pub(crate) fn is_linear(weight: &Weight) -> bool {
    matches!(weight.shape, Shape::MatMul { .. })
        && !matches!(weight.part, Part::Router | Part::Head | Part::Embedding | Part::Towers)
        && weight.role != crate::Role::Router
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_readable() {
        for row in rows() {
            assert!(find(row[0]).is_some(), "{row:?}");
            assert!(!row[5].is_empty(), "{row:?}");
        }
        assert_eq!(rows().count(), TABLE.lines().count() - 1);
    }

    /// OCP Microscaling: 4 + 8/32 bits.
    #[test]
    fn mxfp4_has_four_and_a_quarter_bits() {
        assert_eq!(find("MXFP4").unwrap().encoding.bits_per_element(), 4.25);
    }
}
