//! Weights of so few bits that answers get worse.

use maat_base::{Finding, Severity};

use crate::case::{Case, Judged};
use crate::world::World;

/// Below five bits a weight the loss is measurable for most models; below four it is plain.
const FEW_BITS: f64 = 5.0;

/// The user asked for fewer bits than the checkpoint has.
pub fn lint(case: &Case, _: &Judged, _: &World) -> Option<Finding> {
    let params = case.model.params_total();
    if params == 0 || !case.requantised {
        return None;
    }
    let bits = case.model.weights_bytes().as_f64() * 8.0 / params as f64;
    (bits < FEW_BITS).then(|| {
        Finding::new("quantisation-loss", Severity::Warning, case.precision.clone())
            .with("precision", case.precision.as_str())
            .with("bits", maat_base::Arg::Number(bits))
            .because("bits_per_weight", format!("{bits:.2}"), "model")
            .fixable()
    })
}
