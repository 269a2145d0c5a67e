//! Every rule finds what it is for, with its place, and the built-in facts have no errors.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::table::File;

fn findings(files: &[(&'static str, &str)]) -> Vec<Finding> {
    let above =
        files.iter().map(|(path, text)| File { path: (*path).into(), text: (*text).to_owned().into() });
    let catalogue = Catalogue::of_files(facts::laid_over(facts::builtin(), above.collect()));
    let day = "2026-11-09".parse().ok();
    let mut found = run(&Facts { catalogue: &catalogue, day });
    found.retain(|finding| {
        finding.evidence.iter().any(|it| files.iter().any(|(path, _)| path_of(&it.place) == *path))
    });
    found
}

fn codes(files: &[(&'static str, &str)]) -> Vec<(String, Severity)> {
    findings(files).into_iter().map(|finding| (finding.code.to_string(), finding.severity)).collect()
}

const OFFERS: &str = "provider,offer,region,accelerator,accelerator_raw,memory_gb,count,vcpu,ram_gb,price_per_hour,\
    price_per_accelerator_hour,currency,pricing,commitment_months,observed,source,flags\n";

fn offers(rows: &str) -> Vec<(String, Severity)> {
    codes(&[("offers/own.csv", &format!("{OFFERS}{rows}"))])
}

#[test]
fn the_built_in_facts_have_no_errors() {
    let catalogue = Catalogue::builtin();
    let answer = lint(&LintRequest::default(), &catalogue, &Terms::default()).unwrap();
    let errors: Vec<_> = answer.findings.iter().filter(|it| it.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert_eq!(answer.verdict.ok, Some(true));
    assert!(answer.findings.iter().all(|it| it.evidence.iter().all(|it| it.place.contains(".csv"))));
}

#[test]
fn what_the_source_marked_is_found() {
    let catalogue = Catalogue::builtin();
    let answer = lint(&LintRequest::default(), &catalogue, &Terms::default()).unwrap();
    let marked: Vec<String> = catalogue
        .offers()
        .iter()
        .filter(|offer| &*offer.flags == "spot-above-on-demand")
        .map(|offer| offer.place.to_string())
        .collect();
    assert_eq!(marked.len(), 10);
    let found: Vec<&str> = answer
        .findings
        .iter()
        .filter(|finding| finding.code == "spot-above-on-demand")
        .map(|finding| finding.evidence[0].place.as_str())
        .collect();
    for place in marked {
        assert!(found.contains(&place.as_str()), "{place} of {found:?}");
    }
}

#[test]
fn offers_that_cannot_be_right() {
    let one = "p,a,eu,L40S,L40S,48,1,8,64,1.00,1.00,USD,on-demand,0,2026-11-01,me,\n";
    assert_eq!(offers(one), []);
    let spot = format!("{one}p,b,eu,L40S,L40S,48,1,8,64,1.20,1.20,USD,spot,0,2026-11-01,me,\n");
    assert_eq!(offers(&spot), [("spot-above-on-demand".into(), Severity::Warning)]);
    let twice = format!("{one}{one}");
    assert_eq!(offers(&twice), [("offer-twice".into(), Severity::Warning)]);
    for (row, code, severity) in [
        (
            "p,a,eu,L40S,L40S,24,1,8,64,1,1,USD,on-demand,0,2026-11-01,me,\n",
            "offer-memory-mismatch",
            Severity::Warning,
        ),
        (
            "p,a,eu,L40S,L40S,48,4,8,64,4,2,USD,on-demand,0,2026-11-01,me,\n",
            "offer-price-inconsistent",
            Severity::Error,
        ),
        (
            "p,a,eu,L40S,L40S,48,1,8,64,0,0,USD,on-demand,0,2026-11-01,me,\n",
            "value-impossible",
            Severity::Error,
        ),
        ("p,a,eu,L40S,L40S,48,1,8,64,1,1,USD,on-demand,0,,me,\n", "price-without-date", Severity::Warning),
        (
            "p,a,eu,L40S,L40S,48,1,8,64,1,1,USD,on-demand,0,2026-11-01,,\n",
            "price-without-source",
            Severity::Error,
        ),
        ("p,a,eu,L40S,L40S,48,1,8,64,1,1,USD,on-demand,0,2026-01-01,me,\n", "prices-old", Severity::Warning),
        (
            "p,a,eu,L40S,L40S,48,1,8,64,1,1,USD,sometimes,0,2026-11-01,me,\n",
            "facts-unreadable",
            Severity::Error,
        ),
        ("p,a,eu,L40S\n", "facts-unreadable", Severity::Error),
    ] {
        assert_eq!(offers(row), [(code.to_owned(), severity)], "{row}");
    }
}

#[test]
fn the_place_is_file_and_line() {
    let rows = format!("{OFFERS}p,a,eu,L40S,L40S,48,1,8,64,1,1,USD,on-demand,0,2026-11-01,me,\np,a\n");
    let found = findings(&[("offers/own.csv", &rows)]);
    assert_eq!(found[0].evidence[0].place, "offers/own.csv:3");
}

const RATES: &str =
    "accelerator,number,accumulate,unit,sparsity,tflops,basis,source,preferred,unsure,reason\n";

#[test]
fn rates_that_do_not_follow() {
    // An RTX 4090 has 165.2 dense FP16 TFLOP/s with FP32 accumulation; 330.3 is the rate of FP16 accumulation.
    let row = format!("{RATES}nvidia-geforce-rtx-4090,fp16,fp32,matrix,dense,330.3,vendor,WP,yes,,\n");
    let catalogue = Catalogue::of_files(facts::laid_over(
        facts::builtin(),
        vec![File { path: "hardware/rates/own.csv".into(), text: row.into() }],
    ));
    let found = run(&Facts { catalogue: &catalogue, day: None });
    let wrong = found.iter().find(|it| it.code == "rate-does-not-follow" && it.subject == "GeForce RTX 4090");
    assert_eq!(wrong.map(|it| it.severity), Some(Severity::Error));
}

#[test]
fn rows_and_names_that_clash() {
    let alias = "accelerator,alias,kind,preferred,unstated\nnvidia-l4,RTX 4090,people,,\n";
    assert_eq!(codes(&[("hardware/aliases/own.csv", alias)]), []);
    let alias = "accelerator,alias,kind,preferred,unstated\nnvidia-l4,RTX 4090,people,yes,\n";
    assert_eq!(codes(&[("hardware/aliases/own.csv", alias)]), [("alias-clash".to_owned(), Severity::Error)]);
    let alias = "accelerator,alias,kind,preferred,unstated\nnobody,Nobody 1,people,,\n";
    assert_eq!(
        codes(&[("hardware/aliases/own.csv", alias)]),
        [("part-not-there".to_owned(), Severity::Error)]
    );
    let rates = format!(
        "{RATES}nvidia-l4,fp16,fp32,matrix,sparse,242,vendor,D,yes,,\nnvidia-l4,fp16,fp32,matrix,sparse,242,vendor,D,yes,,\n"
    );
    assert_eq!(
        codes(&[("hardware/rates/own.csv", &rates)]),
        [("claims-two-preferred".to_owned(), Severity::Error)]
    );
    let rates = format!("{RATES}nvidia-l4,fp16,fp32,matrix,dense,242,vendor,QQ,no,,\n");
    let found = codes(&[("hardware/rates/own.csv", &rates)]);
    assert_eq!(
        found,
        [
            ("claims-contradict".to_owned(), Severity::Warning),
            ("source-not-listed".to_owned(), Severity::Warning)
        ]
    );
}

fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("maat-lint-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("offers")).unwrap();
    folder
}

#[test]
fn a_folder_of_ones_own() {
    let folder = temporary("own");
    fs::write(
        folder.join("offers/own.csv"),
        format!("{OFFERS}p,a,eu,L40S,L40S,48,1,8,64,0,0,USD,spot,0,2026-11-01,me,\n"),
    )
    .unwrap();
    let request = LintRequest { data: Some(folder.clone()) };
    let catalogue = Catalogue::builtin();
    let answer = lint(&request, &catalogue, &Terms::default()).unwrap();
    assert_eq!((answer.body.errors, answer.body.warnings), (1, 0), "{:?}", answer.findings);
    assert_eq!(answer.verdict.ok, Some(false));
    assert_eq!(answer.findings[0].evidence[0].place, "offers/own.csv:2");
    let refused = Catalogue::with_overlay(&folder).unwrap_err();
    assert_eq!(
        (refused.code, refused.place.as_deref()),
        ("facts-value-not-positive", Some("offers/own.csv:2"))
    );
    for (price, count, memory) in [
        ("-5", "1", "48"),
        ("NaN", "1", "48"),
        ("1", "0", "48"),
        ("1", "-1", "48"),
        ("1", "1", "-48"),
        ("1", "1", "inf"),
        ("1e400", "1", "48"),
    ] {
        let row =
            format!("{OFFERS}p,a,eu,L40S,L40S,{memory},{count},8,64,{price},,USD,spot,0,2026-11-01,me,\n");
        fs::write(folder.join("offers/own.csv"), row).unwrap();
        let fault = Catalogue::with_overlay(&folder).unwrap_err();
        assert!(fault.code.starts_with("facts-value-"), "{fault}");
        assert_eq!(fault.place.as_deref(), Some("offers/own.csv:2"), "{price} {count} {memory}");
    }
    let row = format!("{OFFERS}p,a,eu,L40S,L40S,48,1,8,64,1,,USD,spot,0,2026-11-01,me,\n");
    fs::write(folder.join("offers/own.csv"), row).unwrap();
    assert_eq!(Catalogue::with_overlay(&folder).unwrap().offers().len(), 605);
    fs::write(folder.join("offers/own.csv"), "provider\nx\n").unwrap();
    let fault = Catalogue::with_overlay(&folder).unwrap_err();
    assert_eq!((fault.code, fault.place.as_deref()), ("facts-column-missing", Some("offers/own.csv:1")));
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(Catalogue::with_overlay(&folder).unwrap_err().code, "facts-folder-unreadable");
}
