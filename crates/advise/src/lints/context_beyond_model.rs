//! More context than the model was made for.

use maat_base::{Finding, Severity};

use crate::case::{Case, Judged};
use crate::world::World;

/// Beyond its trained length a model needs position scaling, and its answers get worse.
pub fn lint(case: &Case, _: &Judged, _: &World) -> Option<Finding> {
    let most = case.model.context_max?;
    (case.work.context > most).then(|| {
        Finding::new("context-beyond-model", Severity::Warning, case.model.name.clone())
            .with("asked", case.work.context)
            .with("most", most)
            .because("context_max", most.to_string(), "model")
            .fixable()
    })
}
