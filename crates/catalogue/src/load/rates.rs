//! `hardware/rates/*.csv`: peak rates by type, accumulate type, unit and sparsity; several claims a key.

use std::collections::HashMap;

use maat_base::{Basis, Fault, Sourced};
use serde::Serialize;

use super::accelerators::sourced;
use crate::accelerator::{Accumulate, NumberType, TensorRate};
use crate::table::{File, Loaded, Row, columns, read};

columns!(Columns {
    accelerator,
    number,
    accumulate,
    unit,
    sparsity,
    tflops,
    basis,
    source,
    preferred,
    unsure,
    reason
});

/// One claim of a rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RateClaim {
    /// The part's identifier.
    pub accelerator: String,
    /// The rate.
    pub rate: TensorRate,
    /// Whether it is the one that is used.
    pub preferred: bool,
    /// Why it is, or is not.
    pub reason: Option<String>,
    /// Where it stands, as `path:line`.
    pub place: String,
}

/// Reads every claim.
pub(crate) fn rates(files: &[File]) -> Loaded<RateClaim> {
    read(files, "hardware/rates", Columns::of, |row, c| {
        Ok(RateClaim {
            accelerator: row.required(c.accelerator, "accelerator")?,
            rate: rate(row, c)?,
            preferred: row.yes(c.preferred, "preferred")?.unwrap_or(false),
            reason: row.owned(c.reason),
            place: row.place(),
        })
    })
}

fn rate(row: &Row<'_>, c: &Columns) -> Result<TensorRate, Fault> {
    let basis = row.one_of(c.basis, "basis", basis)?;
    let tflops = row.positive(c.tflops, "tflops")?.ok_or_else(|| row.fault("tflops", ""))?;
    let flop_per_s: Sourced<f64> =
        sourced(tflops * 1e12, basis, &row.required(c.source, "source")?, row.owned(c.unsure));
    Ok(TensorRate {
        number: row.one_of(c.number, "number", |word| word.parse().ok())?,
        accumulate: row.one_of(c.accumulate, "accumulate", accumulate)?,
        sparse: row.one_of(c.sparsity, "sparsity", |word| either(word, "sparse", "dense"))?,
        matrix: row.one_of(c.unit, "unit", |word| either(word, "matrix", "vector"))?,
        flop_per_s,
    })
}

fn either(word: &str, yes: &str, no: &str) -> Option<bool> {
    if word == yes { Some(true) } else { (word == no).then_some(false) }
}

/// Reads the name of a basis.
pub(super) fn basis(word: &str) -> Option<Basis> {
    Some(match word {
        "measured" => Basis::Measured,
        "vendor" => Basis::Vendor,
        "computed" => Basis::Computed,
        "estimated" => Basis::Estimated,
        _ => return None,
    })
}

fn accumulate(word: &str) -> Option<Accumulate> {
    Accumulate::ALL.into_iter().find(|accumulate| accumulate.name() == word)
}

/// The key of a rate: what makes two claims speak of the same figure.
pub(crate) fn key(rate: &TensorRate) -> (NumberType, Accumulate, bool, bool) {
    (rate.number, rate.accumulate, rate.sparse, rate.matrix)
}

/// The preferred claims by part. Of two preferred claims of one figure the later wins: the user's own.
///
/// Reads the files anew: a start needs these and not the other claims.
pub(crate) fn preferred(files: &[File]) -> HashMap<String, Vec<TensorRate>> {
    let mut by_part: HashMap<String, Vec<TensorRate>> = HashMap::with_capacity(256);
    // Rows of a part stand together, so the map is asked once a part.
    let mut part = String::new();
    let mut own: Vec<TensorRate> = Vec::new();
    read(files, "hardware/rates", Columns::of, |row, c| {
        if row.text(c.preferred) != "yes" {
            return Ok(());
        }
        let rate = rate(row, c)?;
        if part != row.text(c.accelerator) {
            keep(&mut by_part, &mut part, &mut own);
            row.text(c.accelerator).clone_into(&mut part);
            own.extend(by_part.remove(&part).unwrap_or_default());
        }
        match own.iter_mut().find(|known| key(known) == key(&rate)) {
            Some(known) => *known = rate,
            None => own.push(rate),
        }
        Ok(())
    });
    keep(&mut by_part, &mut part, &mut own);
    by_part
}

fn keep(by_part: &mut HashMap<String, Vec<TensorRate>>, part: &mut String, own: &mut Vec<TensorRate>) {
    if !own.is_empty() {
        by_part.insert(std::mem::take(part), std::mem::take(own));
    }
}
