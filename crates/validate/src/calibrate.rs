//! `--calibrate`: own measurements move the predictions for the same model and machine, and less for others there.

use std::collections::BTreeMap;

use maat_base::{Fault, Text};
use maat_catalogue::Catalogue;
use maat_estimate::{Correction, Rules, part_of};

use crate::case::{Case, Job};
use crate::predict;
use crate::reader::Reader;
use crate::row::Sheet;

/// Rows of one pair of model and machine share most of their error: left-out residuals spread about three times as much
/// between pairs as within one. A mean of `n` rows is then trusted as `n / (n + OWN)`.
const OWN: f64 = 0.33;
/// Of what several models on a machine share, half holds for another; a mean of `n` models is trusted as
/// `OTHER x n / (n + 1)`.
const OTHER: f64 = 0.5;
/// Least that is left of a range's width: runs of the same settings spread too.
const LEAST: f64 = 0.4;

/// Errors of own rows by metric and machine, and there by model.
type Errors = BTreeMap<(String, String), BTreeMap<u64, Vec<f64>>>;

/// Sets what own measurements say into the rules.
///
/// # Errors
/// `measurements-empty` where no row can be predicted, and what reading a table gives.
pub fn calibrate(table: &[u8], catalogue: &Catalogue, rules: &mut Rules) -> Result<(), Fault> {
    let sheet = Sheet::read(table)?;
    let mut errors = Errors::new();
    {
        let mut reader = Reader::new(catalogue, rules);
        for row in sheet.rows() {
            let Ok(case) = reader.case(&row) else { continue };
            let Some(error) = predict::error(&case, rules) else { continue };
            let key = (part_of(&case.machine), metric(&case).to_owned());
            errors.entry(key).or_default().entry(case.opened.model.params_total()).or_default().push(-error);
        }
    }
    if errors.is_empty() {
        return Err(Fault::content("measurements-empty").hint(Text::new("hint-measurements-empty")));
    }
    rules.efficiencies.corrections =
        errors.iter().flat_map(|(key, models)| corrections(key, models)).collect();
    Ok(())
}

/// The metric of `ranges.csv` that a row tells about; what is only known per output token tells about the time of one.
fn metric(case: &Case) -> &'static str {
    match &case.job {
        Job::Serve(serve) => match predict::range_metric(case, serve) {
            "throughput" => "tpot",
            metric => metric,
        },
        Job::Train(_) => "train",
    }
}

fn corrections((part, metric): &(String, String), models: &BTreeMap<u64, Vec<f64>>) -> Vec<Correction> {
    let of = |params: Option<u64>, shift: f64, trust: f64| Correction {
        part: part.clone(),
        params,
        metric: metric.clone(),
        shift: trust * shift,
        narrowed: (1.0 - trust).sqrt().max(LEAST),
    };
    let mut all: Vec<Correction> = models
        .iter()
        .map(|(params, errors)| {
            let rows = errors.len() as f64;
            of(Some(*params), mean(errors), rows / (rows + OWN))
        })
        .collect();
    let means: Vec<f64> = models.values().map(|errors| mean(errors)).collect();
    let count = means.len() as f64;
    all.push(of(None, mean(&means), OTHER * count / (count + 1.0)));
    all
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "family,benchmark,model,precision,hardware,count,batch_or_concurrency,input_len,output_len,metric,value,unit,software,trust\n";

    fn shift(rows: &[&str], params: Option<u64>) -> f64 {
        let table = format!("{HEADER}{}\n", rows.join("\n"));
        let (catalogue, mut rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
        calibrate(table.as_bytes(), &catalogue, &mut rules).unwrap();
        let found =
            rules.efficiencies.corrections.iter().find(|own| own.params == params && own.metric == "tpot");
        found.unwrap().shift
    }

    /// A run that takes `e` times as long moves its own model by most of 1, other models by a quarter of it.
    #[test]
    fn own_runs_move_their_own_model_most() {
        let row = |ms: f64| {
            format!("A-inference,mine,meta-llama/Llama-3.1-8B,fp16,RTX 4090,1,1,128,128,tpot,{ms},ms,vllm,A")
        };
        let table = format!("{HEADER}{}\n", row(1.0));
        let (catalogue, mut rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
        calibrate(table.as_bytes(), &catalogue, &mut rules).unwrap();
        let own = rules.efficiencies.corrections.iter().find_map(|own| own.params).unwrap();
        let at_one = shift(&[&row(1.0)], Some(own));
        let slower = shift(&[&row(std::f64::consts::E)], Some(own));
        assert!((slower - at_one - 1.0 / 1.33).abs() < 1e-9, "{slower} {at_one}");
        let other = shift(&[&row(std::f64::consts::E)], None) - shift(&[&row(1.0)], None);
        assert!((other - 0.25).abs() < 1e-9, "{other}");
    }

    #[test]
    fn nothing_of_use_is_a_fault() {
        let (catalogue, mut rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
        let fault = calibrate(HEADER.as_bytes(), &catalogue, &mut rules).unwrap_err();
        assert_eq!(fault.code, "measurements-empty");
    }
}
