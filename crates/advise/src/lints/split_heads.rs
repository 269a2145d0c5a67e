//! Tensor parallelism that does not divide the heads.

use maat_base::{Finding, Severity};

use crate::case::{Case, Judged};
use crate::plans::divides_heads;
use crate::world::World;

/// Engines refuse to start when the query heads do not divide over the ranks.
pub fn lint(case: &Case, judged: &Judged, _: &World) -> Option<Finding> {
    let tp = judged.plan.parallel.tp;
    let heads = case.model.summary().heads?;
    if divides_heads(&case.model, tp) {
        return None;
    }
    Some(
        Finding::new("tp-does-not-divide-heads", Severity::Error, format!("--tp {tp}"))
            .with("tp", tp)
            .with("heads", heads)
            .because("heads", heads.to_string(), "model")
            .because("tp", tp.to_string(), "plan")
            .fixable(),
    )
}
