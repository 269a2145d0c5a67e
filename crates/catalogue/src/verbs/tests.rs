//! The verbs' answers on the built-in facts.

use maat_base::{Basis, Severity};
use serde_json::{Value, json};

use super::*;
use crate::accelerator::NumberType;
use crate::catalogue::Catalogue;
use crate::load::PriceKind;
use crate::terms::Terms;

fn request<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn names(answer: &maat_base::Answer<ListBody>) -> Vec<&str> {
    answer.body.accelerators.iter().map(|part| part.name.as_str()).collect()
}

#[test]
fn what_supports_a_type() {
    let catalogue = Catalogue::builtin();
    let answer = list(&request(json!({"supports": ["fp8", "bf16"]})), &catalogue).unwrap();
    let found = names(&answer);
    for name in ["H100 SXM 80GB", "GeForce RTX 4090", "Instinct MI300X", "Radeon RX 9070 XT", "Gaudi 3"] {
        assert!(found.contains(&name), "{name}");
    }
    for name in ["A100 SXM 80GB", "GeForce RTX 3090", "Instinct MI250X", "T4", "M3 Max (40-core GPU)"] {
        assert!(!found.contains(&name), "{name}");
    }
    assert!(list(&request(json!({"vendor": ["nobody"]})), &catalogue).is_err());
    let all = list(&ListRequest::default(), &catalogue).unwrap();
    assert_eq!(all.body.accelerators.len(), catalogue.accelerators().len());
    let cpus = list(&request(json!({"what": "cpus"})), &catalogue).unwrap().body.cpus;
    assert_eq!(cpus.len(), catalogue.cpus().len());
    assert_eq!(list(&request(json!({"what": "servers"})), &catalogue).unwrap().body.servers.len(), 84);
}

#[test]
fn everything_of_a_part() {
    let catalogue = Catalogue::builtin();
    let answer = show(&request(json!({"name": "B300"})), &catalogue, &Terms::default()).unwrap();
    let part = answer.body.accelerator.as_ref().unwrap();
    assert_eq!(part.part.name, "B300 SXM 288GB");
    let fp4: Vec<_> = part
        .rate_claims
        .iter()
        .filter(|claim| claim.rate.number == NumberType::Fp4 && !claim.rate.sparse)
        .collect();
    assert!(fp4.len() >= 5);
    assert_eq!(fp4.iter().filter(|claim| claim.preferred).count(), 1);
    // The sources disagree on this figure, so it is an estimate.
    assert_eq!(part.part.dense(NumberType::Fp4).unwrap().flop_per_s.basis, Basis::Estimated);
    assert!(!part.mig.is_empty() && !part.names.is_empty() && !answer.sources.is_empty());
    let answer = show(&request(json!({"name": "H100"})), &catalogue, &Terms::default()).unwrap();
    assert_eq!(answer.assumed.len(), 1);
    assert!(!answer.body.offers.is_empty() && !answer.body.purchase.is_empty());
    let answer = show(&request(json!({"name": "DGX H100"})), &catalogue, &Terms::default()).unwrap();
    assert_eq!(answer.body.server.unwrap().accelerator_id.as_deref(), Some("nvidia-h100-sxm-80gb"));
    let answer = show(&request(json!({"name": "EPYC 9654"})), &catalogue, &Terms::default()).unwrap();
    assert_eq!(answer.body.cpu.unwrap().cores, 96);
    let fault = show(&request(json!({"name": "Banana 9"})), &catalogue, &Terms::default()).unwrap_err();
    assert_eq!(fault.code, "part-unknown");
}

#[test]
fn who_wins_what() {
    let catalogue = Catalogue::builtin();
    let answer = compare(
        &request(json!({"names": ["H100 SXM", "MI300X", "RTX 4090"]})),
        &catalogue,
        &Terms::default(),
    )
    .unwrap();
    let row = |metric| answer.body.rows.iter().find(|row| row.metric == metric).unwrap();
    // Dense, FP32 accumulation: 989.4, 1307.4 and 165.2 TFLOP/s.
    let bf16 = row(Metric::Bf16FlopPerS);
    assert_eq!(bf16.best, [1]);
    let tera: Vec<f64> = bf16.values.iter().map(|value| (value.unwrap() / 1e11).round() / 10.0).collect();
    assert_eq!(tera, [989.4, 1307.4, 165.2]);
    assert_eq!(row(Metric::CapacityBytes).best, [1]);
    assert_eq!(row(Metric::PowerW).best, [2]);
    assert_eq!(answer.body.wins.len(), 3);
    assert!(compare(&request(json!({"names": ["H100"]})), &catalogue, &Terms::default()).is_err());
}

#[test]
fn offers_are_cheapest_first_and_say_what_is_left_out() {
    let catalogue = Catalogue::builtin();
    let terms = Terms::default();
    let answer = offers(&OffersRequest::default(), &catalogue, &terms).unwrap();
    let prices: Vec<f64> = answer.body.offers.iter().map(|offer| offer.hourly_per_accelerator).collect();
    assert!(prices.is_sorted());
    assert_eq!(answer.body.offers.len() + answer.body.unranked.len() + answer.body.too_old, 604);
    assert!(answer.body.offers.iter().all(|offer| offer.kind != PriceKind::Average));
    assert_eq!(answer.findings[0].severity, Severity::Warning);
    let narrow = json!({"gpu": "H100 SXM", "kind": ["spot"], "max_price": 2.0, "max_price_age": "180d"});
    let answer = offers(&request(narrow), &catalogue, &terms).unwrap();
    assert!(!answer.body.offers.is_empty());
    for offer in &answer.body.offers {
        assert_eq!(offer.accelerator_id, "nvidia-h100-sxm-80gb");
        assert!(
            offer.kind == PriceKind::Spot && offer.hourly_per_accelerator <= 2.0 && offer.age_days <= 180
        );
    }
    let euro = Terms { currency: Some(maat_base::Currency::Eur), ..Terms::default() };
    let in_euro = offers(&request(json!({"gpu": "H100 SXM", "kind": ["spot"]})), &catalogue, &euro).unwrap();
    let in_dollar =
        offers(&request(json!({"gpu": "H100 SXM", "kind": ["spot"]})), &catalogue, &terms).unwrap();
    let share =
        in_euro.body.offers[0].hourly_per_accelerator / in_dollar.body.offers[0].hourly_per_accelerator;
    assert!((share - 0.92).abs() < 1e-9);
}

#[test]
fn makers_names_change_no_order() {
    let plain = Catalogue::builtin();
    let swapped = {
        let files = plain.files().iter().map(|file| {
            let text = if file.path.starts_with("hardware/accelerators/") {
                // Reverses the makers: the first column of each row.
                let rows: Vec<String> = file
                    .text
                    .lines()
                    .enumerate()
                    .map(|(at, line)| match line.split_once(',') {
                        Some((vendor, rest)) if at > 0 => {
                            format!("{},{rest}", vendor.chars().rev().collect::<String>())
                        }
                        _ => line.to_owned(),
                    })
                    .collect();
                rows.join("\n").into()
            } else if file.path == "hardware/name_words.csv" {
                let reversed = |line: &str| match line.rsplit_once(',') {
                    Some((word, maker)) if word.ends_with(",vendor") => {
                        format!("{word},{}", maker.chars().rev().collect::<String>())
                    }
                    _ => line.to_owned(),
                };
                file.text.lines().map(reversed).collect::<Vec<_>>().join("\n").into()
            } else {
                file.text.clone()
            };
            crate::table::File { path: file.path.clone(), text }
        });
        Catalogue::of_files(files.rev().collect())
    };
    let order = |catalogue: &Catalogue| -> Vec<String> {
        let answer = list(&ListRequest::default(), catalogue).unwrap();
        answer.body.accelerators.into_iter().map(|part| part.id).collect()
    };
    assert_eq!(order(&plain), order(&swapped));
    let order = |catalogue: &Catalogue| -> Vec<f64> {
        let answer = offers(&OffersRequest::default(), catalogue, &Terms::default()).unwrap();
        answer.body.offers.iter().map(|offer| offer.hourly_per_accelerator).collect()
    };
    assert_eq!(order(&plain), order(&swapped));
}

#[test]
fn exported_files_are_the_facts() {
    let catalogue = Catalogue::builtin();
    let answer = export(&request(json!({"path": "hardware/accelerators"})), &catalogue).unwrap();
    assert_eq!(answer.body.files.len(), 10);
    assert!(answer.body.files.iter().all(|file| file.text.starts_with("vendor,id,name")));
    assert_eq!(export(&request(json!({"path": "hard"})), &catalogue).unwrap_err().code, "facts-path-unknown");
}
