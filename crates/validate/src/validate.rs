//! `validate`: the rows predicted, errors by group.

use std::collections::BTreeMap;

use maat_base::{Answer, Arg, Code, Fault, Range, Text, Verdict};
use maat_catalogue::Catalogue;
use maat_estimate::{Efficiencies, Rules};

use crate::answer::{LeftOutGroups, Point, SkippedRows, ValidateBody};
use crate::case::{Case, Quantity, Skip};
use crate::files::ROWS;
use crate::fit::{self, Fit, LeftOut, Refit};
use crate::group::{Fate, Group, Scored, group, groups};
use crate::reader::Reader;
use crate::row::Sheet;
use crate::{naive, predict};

/// An answer with the rows as they are to be written.
#[derive(Debug)]
pub struct Validated {
    /// The answer.
    pub answer: Answer<ValidateBody>,
    /// The fitted tables with their names, where a fit was asked for.
    pub tables: Vec<(&'static str, String)>,
    /// Each row in its order with `predicted_low, predicted, predicted_high, skip_reason`, as CSV.
    pub rows: Vec<u8>,
}

/// A row that was predicted or not.
type Outcome<'a> = Result<(&'a Case, Range), Skip>;

/// Predicts the rows of a table, or the built-in ones; with `fit` by parameters and ranges that are first fitted to them,
/// and beside by fits that left each row's model or machine out.
///
/// # Errors
/// A table without the needed columns, or too large.
pub fn validate(
    table: Option<&[u8]>,
    fit: bool,
    catalogue: &Catalogue,
    rules: &Rules,
) -> Result<Validated, Fault> {
    let sheet = match table {
        Some(text) => Sheet::read(text)?,
        None => built_in()?,
    };
    let cases = |rules: &Rules| -> Vec<Result<Case, Skip>> {
        let mut reader = Reader::new(catalogue, rules);
        sheet.rows().map(|row| reader.case(&row)).collect()
    };
    // What a row leaves open is chosen as the expectations have it, so that no fit hangs on the one before.
    let fitted = fit.then(|| refit(&cases(&fit::at_priors(rules)), rules));
    let rules = fitted.as_ref().map_or(rules, |fitted| &fitted.rules);
    let cases = cases(rules);
    let outcomes: Vec<Outcome> = cases
        .iter()
        .map(|case| {
            let case = case.as_ref().map_err(|why| *why)?;
            Ok((case, predict::predicted(case, rules)?))
        })
        .collect();
    let mut body = body(&sheet, &outcomes);
    body.left_out = fitted.as_ref().map(|fitted| fitted.left_out.clone()).unwrap_or_default();
    let verdict = verdict(&body);
    let rows = written(&sheet, &outcomes);
    let tables = fitted.map(|fitted| fitted.tables).unwrap_or_default();
    Ok(Validated { answer: Answer::new("validate", verdict, body), tables, rows })
}

/// What a fit gives.
struct Fitted {
    rules: Rules,
    left_out: Vec<LeftOutGroups>,
    tables: Vec<(&'static str, String)>,
}

/// Fits parameters, leaves models and machines out, and sets the ranges by these errors.
fn refit(cases: &[Result<Case, Skip>], rules: &Rules) -> Fitted {
    let all: Vec<&Case> = cases.iter().filter_map(|case| case.as_ref().ok()).collect();
    let mut rules = rules.clone();
    let mut fit = Fit::new(&all, &rules);
    fit.run(&mut rules);
    fit.mark(&mut rules);
    let left = [LeftOut::Models, LeftOut::Machines].map(|what| (what, fit::leave_out(&all, &rules, what)));
    let refits: Vec<&[Option<Refit>]> = left.iter().map(|(_, refits)| refits.as_slice()).collect();
    let widths = fit::widths(&all, &refits, |_| true);
    let left_out = left.iter().map(|(what, refits)| left_out(*what, &all, refits, &left, &rules)).collect();
    fit::set_widths(&widths, &mut rules);
    let tables = vec![
        ("efficiencies.csv", fit::written(&fit, Efficiencies::text_of("efficiencies.csv"))),
        ("ranges.csv", fit::written_widths(&widths, Efficiencies::text_of("ranges.csv"))),
    ];
    Fitted { rules, left_out, tables }
}

/// Errors of left-out rows by group, within ranges that were set by the other half of the pairs of model and machine.
fn left_out(
    what: LeftOut,
    cases: &[&Case],
    refits: &[Option<Refit>],
    all: &[(LeftOut, Vec<Option<Refit>>)],
    rules: &Rules,
) -> LeftOutGroups {
    let both: Vec<&[Option<Refit>]> = all.iter().map(|(_, refits)| refits.as_slice()).collect();
    let halves = [false, true].map(|half| {
        let mut rules = rules.clone();
        rules.efficiencies.clear_widths();
        fit::set_widths(&fit::widths(cases, &both, |case| in_half(case) != half), &mut rules);
        rules
    });
    let fate = |case: &Case, refit: &Option<Refit>| match refit {
        None => Fate::Skipped,
        Some(_) if !case.scored => Fate::Unscored,
        Some(refit) => {
            let rules = &halves[usize::from(in_half(case))];
            let width = predict::width_where(case, rules, refit.seen);
            let inside = -refit.error >= -width.below.ln() && -refit.error <= width.above.ln();
            let naive = naive::likely(case).map(|naive| (naive / case.measured).ln());
            Fate::Scored(Scored { error: refit.error, naive, inside })
        }
    };
    let key = |case: &&'_ Case| -> [String; 3] { case.group.clone() };
    let rows: Vec<([String; 3], Fate)> =
        cases.iter().zip(refits).map(|(case, refit)| (key(case), fate(case, refit))).collect();
    let fates: Vec<Fate> = rows.iter().map(|(_, fate)| *fate).collect();
    let left = match what {
        LeftOut::Models => "models",
        LeftOut::Machines => "hardware",
    };
    let named =
        rows.iter().map(|([family, benchmark, metric], fate)| ([family.as_str(), benchmark, metric], *fate));
    LeftOutGroups { left, groups: groups(named), overall: group(["all", "", ""], &fates) }
}

/// One of two halves of the pairs of model and machine, by a hash of their names (FNV-1a).
fn in_half(case: &Case) -> bool {
    let names = case.opened.id.bytes().chain(case.hardware.bytes());
    let hash = names
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) & 1 == 1
}

/// The built-in rows, source by source.
pub fn built_in() -> Result<Sheet, Fault> {
    let mut all = Sheet::default();
    for (_, text) in ROWS {
        all.extend(Sheet::read(text.as_bytes())?);
    }
    Ok(all)
}

fn body(sheet: &Sheet, outcomes: &[Outcome]) -> ValidateBody {
    let mut skipped: BTreeMap<Skip, usize> = BTreeMap::new();
    let mut points = Vec::new();
    let mut rows = Vec::with_capacity(outcomes.len());
    for (row, outcome) in sheet.rows().zip(outcomes) {
        let key = ["family", "benchmark", "metric"].map(|column| row.text(column));
        let fate = match outcome {
            Err(why) => {
                *skipped.entry(*why).or_default() += 1;
                Fate::Skipped
            }
            Ok((case, _)) if !case.scored => Fate::Unscored,
            Ok((case, range)) => {
                points.push(point(case, range));
                Fate::Scored(scored(case, range))
            }
        };
        rows.push((key, fate));
    }
    let fates: Vec<Fate> = rows.iter().map(|(_, fate)| *fate).collect();
    ValidateBody {
        groups: groups(rows),
        overall: group(["all", "", ""], &fates),
        skipped: skipped.into_iter().map(|(why, rows)| SkippedRows { reason: why.code(), rows }).collect(),
        left_out: Vec::new(),
        points,
    }
}

fn scored(case: &Case, range: &Range) -> Scored {
    let measured = case.unit.number(case.measured);
    let inside = (range.low..=range.high).contains(&measured);
    let naive = naive::likely(case).map(|naive| (case.unit.number(naive) / measured).ln());
    Scored { error: (range.likely / measured).ln(), naive, inside }
}

fn point(case: &Case, range: &Range) -> Point {
    let kind = match case.quantity {
        Quantity::Tpot => "tpot",
        Quantity::Ttft | Quantity::Prompt | Quantity::Request => "ttft",
        Quantity::Throughput => "throughput",
        Quantity::Train => "train",
        Quantity::Memory => "memory",
    };
    Point { kind, measured: case.measured, predicted: case.unit.quantity(range.likely) }
}

fn verdict(body: &ValidateBody) -> Verdict {
    let Group { rows, predicted, median_abs_ln_ratio, coverage_80, .. } = &body.overall;
    let text = match (median_abs_ln_ratio, coverage_80) {
        (Some(median), Some(coverage)) => Text::new("validate-verdict")
            .with("predicted", *predicted)
            .with("rows", *rows)
            .with("median", Arg::Share(median.exp_m1()))
            .with("coverage", Arg::Share(*coverage)),
        _ => Text::new("validate-verdict-nothing").with("rows", *rows),
    };
    let code = if median_abs_ln_ratio.is_some() { "validated" } else { "not-enough-data" };
    Verdict { ok: None, code: Code::Borrowed(code), text }
}

/// The rows in their order with what is predicted of them.
fn written(sheet: &Sheet, outcomes: &[Outcome]) -> Vec<u8> {
    let mut out = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let added = ["predicted_low", "predicted", "predicted_high", "skip_reason"];
    let header = sheet.header().iter().map(String::as_bytes).chain(added.map(str::as_bytes));
    let mut ok = out.write_record(header).is_ok();
    for (row, outcome) in sheet.rows().zip(outcomes) {
        let mut record: Vec<Vec<u8>> = row.cells().map(<[u8]>::to_vec).collect();
        // A row that lacks cells has its predictions where the others have theirs.
        record.resize(sheet.header().len().max(record.len()), Vec::new());
        let cells = match outcome {
            Ok((_, range)) => [shown(range.low), shown(range.likely), shown(range.high), String::new()],
            Err(why) => [String::new(), String::new(), String::new(), why.code().to_owned()],
        };
        record.extend(cells.map(String::into_bytes));
        ok &= out.write_record(record).is_ok();
    }
    debug_assert!(ok, "writing to memory does not fail");
    out.into_inner().unwrap_or_default()
}

/// Six significant digits.
fn shown(value: f64) -> String {
    let digits = (5 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "id,family,benchmark,model,precision,hardware,count,batch_or_concurrency,input_len,output_len,metric,value,unit,software,trust\n\
        a,A-inference,own,meta-llama/Llama-3.1-8B,fp16,H100-SXM,1,8,1024,256,tpot,VALUE,ms,vllm 0.12.0,A\n\
        b,A-inference,own,meta-llama/Llama-3.1-8B,fp16,H100-SXM,1,8,1024,256,tpot,VALUE,ms,vllm,C\n\
        c,A-inference,own,nothing,fp16,H100-SXM,1,8,1024,256,tpot,VALUE,ms,vllm,A\n\
        d,A-inference,own\n";

    fn of(value: &str) -> Validated {
        let table = TABLE.replace("VALUE", value);
        validate(Some(table.as_bytes()), false, &Catalogue::builtin(), &Rules::built_in().unwrap()).unwrap()
    }

    /// The lines without the column that was measured.
    fn predictions(validated: &Validated) -> Vec<String> {
        let text = String::from_utf8(validated.rows.clone()).unwrap();
        text.lines().skip(1).map(|line| line.split(',').skip(12).collect::<Vec<_>>().join(",")).collect()
    }

    #[test]
    fn a_prediction_never_looks_at_the_value() {
        assert_eq!(predictions(&of("10")), predictions(&of("1000")));
        assert!(predictions(&of("10"))[0].split(',').nth(4).unwrap().parse::<f64>().unwrap() > 1.0);
    }

    #[test]
    fn rows_keep_their_order_and_say_why_they_are_skipped() {
        let validated = of("10");
        let lines = predictions(&validated);
        assert_eq!(lines.len(), 4);
        assert!(lines[2].ends_with(",model-unknown") && lines[3].ends_with(",row-unreadable"), "{lines:?}");
        let group = &validated.answer.body.overall;
        assert_eq!((group.rows, group.predicted, group.skipped), (4, 2, 2));
        // Trust C is predicted, not scored.
        assert_eq!(validated.answer.body.points.len(), 1);
    }

    /// Errors and ranges are of the prediction that is written.
    #[test]
    fn what_was_measured_as_predicted_has_no_error() {
        let likely = predictions(&of("10"))[0].split(',').nth(4).unwrap().to_owned();
        let group = of(&likely).answer.body.overall;
        assert!(group.median_abs_ln_ratio.unwrap() < 1e-5 && group.coverage_80 == Some(1.0), "{group:?}");
        assert_eq!(of("1e9").answer.body.overall.coverage_80, Some(0.0));
    }

    #[test]
    fn digits_of_numbers() {
        assert_eq!(shown(1234567.8), "1234568");
        assert_eq!(shown(0.00123456789), "0.00123457");
        assert_eq!(shown(12.5), "12.5");
    }
}
