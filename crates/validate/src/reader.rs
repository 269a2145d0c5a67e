//! Rows to cases.

use std::sync::Arc;

use maat_catalogue::Catalogue;
use maat_estimate::Rules;

use crate::case::{Case, Job, Skip};
use crate::model::Models;
use crate::parts::Parts;
use crate::published::{self, Converged};
use crate::row::Row;
use crate::serve::Serves;
use crate::train;

/// Metrics that tables give beside another of the same run.
const RESTATED: [&str; 3] = ["achieved_weight_bandwidth", "mfu_percent", "model_tflops_per_gpu"];

/// What rows are read with.
#[derive(Debug)]
pub struct Reader<'a> {
    models: Models,
    parts: Parts<'a>,
    serves: Serves,
    converged: Vec<Converged>,
    rules: &'a Rules,
}

impl<'a> Reader<'a> {
    /// With the tables and the catalogue.
    pub fn new(catalogue: &'a Catalogue, rules: &'a Rules) -> Self {
        Self {
            models: Models::new(),
            parts: Parts::new(catalogue),
            serves: Serves::new(),
            converged: published::converged(),
            rules,
        }
    }

    /// The row as a job with what was measured, or why there is none.
    pub fn case(&mut self, row: &Row) -> Result<Case, Skip> {
        if !row.is_sound() {
            return Err(Skip::RowUnreadable);
        }
        let value = row.number("value").filter(|value| *value > 0.0);
        let training = train::is_training(row);
        if row.text("family").starts_with('D') || (row.text("family").starts_with('C') && !training) {
            return Err(Skip::MetricUnknown);
        }
        let machine = self.parts.machine(row)?;
        let (opened, job, quantity, unit) = if training {
            let opened = self.models.open(row, &train::base(row), self.rules)?;
            let (job, quantity, unit) = train::case(row, &opened, &machine, self.rules, &self.converged)?;
            (opened, Job::Train(job), quantity, unit)
        } else {
            let program = self.serves.program(row, &machine)?;
            let precisions = self.serves.precisions(row, &machine, &program);
            let opened = self.models.open(row, &precisions, self.rules)?;
            let (job, quantity, unit) = self.serves.case(row, &opened, &machine, &program, self.rules)?;
            (opened, Job::Serve(job), quantity, unit)
        };
        let measured = unit.quantity(value.ok_or(Skip::ValueMissing)?);
        Ok(Case {
            opened,
            machine: Arc::new(machine),
            hardware: row.text("hardware").to_owned(),
            group: ["family", "benchmark", "metric"].map(|column| row.text(column).to_owned()),
            quantity,
            unit,
            restated: RESTATED.contains(&row.text("metric")),
            measured,
            in_board: self.parts.in_board(row),
            scored: !row.text("trust").eq_ignore_ascii_case("c"),
            job,
        })
    }
}
