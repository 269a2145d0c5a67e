//! What must hold of any answer, whatever the figures are.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use maat_advise::{AdviseRequest, SizeBody, SizeRequest, World, advise, size};
use maat_base::{Answer, Bytes};
use maat_catalogue::Catalogue;
use maat_estimate::Rules;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The built-in facts.
fn facts() -> (Catalogue, Rules) {
    (Catalogue::builtin(), Rules::built_in().unwrap())
}

fn world((catalogue, rules): &(Catalogue, Rules)) -> World<'_> {
    World { catalogue, rules, as_of: None, currency: None, explain: false, eur_per_usd: None }
}

fn request(fields: Value) -> SizeRequest {
    serde_json::from_value(fields).unwrap()
}

fn sized(facts: &(Catalogue, Rules), fields: Value) -> Answer<SizeBody> {
    size(&request(fields), &world(facts)).unwrap()
}

/// The request that a command fills: what the command line does, with one value for each flag.
fn request_of(argv: &[String]) -> SizeRequest {
    assert_eq!(argv[..2], ["maat", "size"]);
    let mut fields = serde_json::Map::new();
    fields.insert("model".to_owned(), argv[2].clone().into());
    for pair in argv[3..].chunks(2) {
        let name = pair[0].trim_start_matches("--").replace('-', "_");
        let value = match name.as_str() {
            "gpu" => json!([pair[1]]),
            _ => pair[1].parse::<u64>().map_or_else(|_| json!(pair[1]), |n| json!(n)),
        };
        fields.insert(name, value);
    }
    request(Value::Object(fields))
}

/// Every change that is offered fits when it is asked for.
#[test]
fn nearest_changes_fit() {
    let facts = facts();
    let hard = [
        json!({"model": "meta-llama/Llama-3.1-8B", "gpu": ["RTX 4090"], "users": 40, "context": 32768}),
        json!({"model": "meta-llama/Llama-3.1-70B", "gpu": ["2x RTX 4090"]}),
        json!({"model": "meta-llama/Llama-3.1-8B", "gpu": ["RTX 3060 12GB"], "engine": "llamacpp", "ram": "64GB"}),
        json!({"model": "meta-llama/Llama-3.1-70B", "gpu": ["H100 SXM"], "users": 16}),
    ];
    for fields in hard {
        let answer = sized(&facts, fields.clone());
        assert_eq!(answer.body.fits, Some(false), "{fields}");
        assert!(!answer.body.nearest.is_empty(), "nothing near {fields}");
        assert!(answer.body.nearest.len() <= 3);
        for nearest in &answer.body.nearest {
            let again = size(&request_of(&nearest.argv), &world(&facts)).unwrap();
            assert_eq!(again.body.fits, Some(true), "{:?} for {fields}", nearest.argv);
        }
    }
}

/// An open count is the smallest that fits: all smaller ones were tried and do not.
#[test]
fn an_open_count_is_the_smallest() {
    let facts = facts();
    let answer = sized(&facts, json!({"model": "meta-llama/Llama-3.1-70B", "gpu": ["?x A100 80GB"]}));
    let tried: Vec<_> = answer.body.tried.iter().map(|tried| (tried.count, tried.fits)).collect();
    assert_eq!(answer.body.fits, Some(true));
    assert_eq!(tried.last(), Some(&(2, true)), "{tried:?}");
    assert!(tried[..tried.len() - 1].iter().all(|(_, fits)| !fits), "{tried:?}");
}

/// No speed is given for what does not fit, nor for a card of which only the memory is known.
#[test]
fn no_speed_without_a_fit() {
    let facts = facts();
    let large = sized(&facts, json!({"model": "meta-llama/Llama-3.1-70B", "gpu": ["RTX 4090"]}));
    assert!(large.body.speed.is_none());
    let plain = sized(&facts, json!({"model": "meta-llama/Llama-3.1-8B", "gpu": ["24GB card"]}));
    assert_eq!(plain.body.fits, Some(true));
    assert!(plain.body.speed.is_none());
}

/// Without hardware there is memory, and the smallest cards that hold it, the least memory first.
#[test]
fn without_hardware_the_smallest_cards_are_named() {
    let facts = facts();
    let answer = sized(&facts, json!({"model": "meta-llama/Llama-3.1-8B"}));
    assert_eq!(answer.verdict.code, "no-hardware-given");
    assert!(answer.body.machine.is_none() && answer.body.fits.is_none() && answer.body.speed.is_none());
    let total = answer.body.memory.per_accelerator.total_bytes;
    let sizes: Vec<Bytes> =
        answer.body.smallest.iter().map(|card| card.capacity_bytes * u64::from(card.count)).collect();
    assert!(sizes.is_sorted() && sizes.iter().all(|size| *size > total), "{sizes:?}");
}

/// Parts that are only announced are never offered, whatever is asked.
#[test]
fn announced_parts_are_never_offered() {
    let facts = facts();
    let announced: Vec<_> =
        facts.0.accelerators().iter().filter(|part| part.announced).map(|part| part.name.clone()).collect();
    assert!(!announced.is_empty());
    let request: AdviseRequest = serde_json::from_value(
        json!({"model": "meta-llama/Llama-3.1-8B", "top": 10_000, "kind": ["on-demand", "spot", "purchase"]}),
    )
    .unwrap();
    let answer = advise(&request, &world(&facts)).unwrap();
    assert!(answer.body.candidates.len() > 50);
    for candidate in &answer.body.candidates {
        assert!(!announced.iter().any(|name| candidate.machine.name.ends_with(name)), "{candidate:?}");
    }
}

/// Every candidate keeps to every limit, is priced and dated, and ranks are by price.
#[test]
fn candidates_keep_to_the_limits() {
    let facts = facts();
    let request: AdviseRequest = serde_json::from_value(json!({
        "model": "meta-llama/Llama-3.1-70B", "users": 16, "max_ttft": "1s", "max_tpot": "50ms",
        "max_hourly": 20.0, "top": 1000
    }))
    .unwrap();
    let answer = advise(&request, &world(&facts)).unwrap();
    assert!(!answer.body.candidates.is_empty());
    let hourly = |one: &maat_advise::Candidate| one.cost.hourly.unwrap().as_f64();
    for candidate in &answer.body.candidates {
        assert!(candidate.speed.ttft_s.unwrap().likely <= 1.0);
        assert!(candidate.speed.tpot_s.unwrap().likely <= 0.05);
        assert!(hourly(candidate) <= 20.0);
        assert!(candidate.cost.price_date.is_some());
    }
    assert!(answer.body.candidates.is_sorted_by(|a, b| hourly(a) <= hourly(b)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// More users or more context never need less memory, and never free any.
    #[test]
    fn more_work_never_needs_less(users in 1u64..64, context in 1280u64..32_768, engine in 0usize..3) {
        let facts = facts();
        let engine = ["vllm", "llamacpp", "transformers"][engine];
        let of = |users: u64, context: u64| {
            let fields = json!({
                "model": "meta-llama/Llama-3.1-8B", "gpu": ["A100 80GB"], "engine": engine,
                "users": users, "context": context
            });
            sized(&facts, fields).body.memory.per_accelerator.total_bytes
        };
        let base = of(users, context);
        prop_assert!(of(users + 1, context) >= base);
        prop_assert!(of(users, context + 512) >= base);
    }
}
