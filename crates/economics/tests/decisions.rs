//! Decisions: figures that can be worked out by hand, and what must hold.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use maat_catalogue::{Catalogue, Terms};
use maat_economics::{CommitRequest, DecisionBody, ReplaceRequest, WaitRequest, commit, replace, wait};
use serde_json::{Value, json};

fn total(body: &DecisionBody, way: &str) -> f64 {
    body.ways.iter().find(|one| one.way == way).unwrap().total.as_f64()
}

#[expect(clippy::needless_pass_by_value, reason = "literals read best so")]
fn ask_wait(more: Value) -> DecisionBody {
    let mut request = json!({"bare": true, "rent": 2, "buy": 40_000, "utilisation": 1, "years": 4,
        "wait_months": 12, "next_speed": 2, "next_buy": 50_000, "next_power": 1});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let request: WaitRequest = serde_json::from_value(request).unwrap();
    wait(&request, &Catalogue::builtin(), &Terms::default()).unwrap().body
}

#[test]
fn waiting_is_a_year_of_rent_and_half_of_the_next_machine() {
    // Bare: 12 months x 730 h x 2 = 17,520, and 50,000 / 2 for the same work.
    let body = ask_wait(json!({}));
    assert!((total(&body, "wait-and-buy") - (17_520.0 + 25_000.0)).abs() < 1e-6);
    assert!((total(&body, "buy-now") - 40_000.0).abs() < 1e-6);
    assert!((total(&body, "rent-throughout") - 4.0 * 17_520.0).abs() < 1e-6);
    assert_eq!(body.ways[0].way, "buy-now");
    // Even where half of the next costs 40,000 - 17,520: at 44,960, 1.124 times today's.
    let turn = body.turns.unwrap().at;
    assert!((turn - 1.124).abs() < 1e-9, "{turn}");
    let even = ask_wait(json!({"next_buy": 44_960}));
    assert!((total(&even, "wait-and-buy") - total(&even, "buy-now")).abs() < 1e-6);
}

#[test]
fn a_commitment_pays_from_the_ratio_of_the_prices_on() {
    let ask = |utilisation: f64| {
        let request: CommitRequest = serde_json::from_value(
            json!({"rent": 3, "committed": 1.8, "utilisation": utilisation, "years": 1}),
        )
        .unwrap();
        commit(&request, &Catalogue::builtin(), &Terms::default()).unwrap().body
    };
    assert!((ask(0.5).turns.unwrap().at - 0.6).abs() < 1e-9);
    assert_eq!(ask(0.59).ways[0].way, "on-demand");
    assert_eq!(ask(0.61).ways[0].way, "commit");
    assert!((total(&ask(0.61), "commit") - 8760.0 * 1.8).abs() < 1e-6);
}

#[test]
fn a_replacement_works_fewer_hours() {
    let request: ReplaceRequest =
        serde_json::from_value(json!({"gpu": ["V100 SXM2 32GB"], "buy": 1000, "bare": true,
        "power": "1000W", "idle_power": "0W", "tariff": 0.2, "utilisation": 0.8, "years": 1,
        "with": ["L4"], "new_buy": 2000, "speed": 2}))
        .unwrap();
    let body = replace(&request, &Catalogue::builtin(), &Terms::default()).unwrap().body;
    // Old: 1,000 + 8,760 h x 80 % x 1 kW x 0.20.
    assert!((total(&body, "keep") - (1000.0 + 8760.0 * 0.8 * 0.2)).abs() < 1e-6);
    // New: its own power (an L4 of 72 W and what stands around it) for half of the hours, so less than a tenth.
    let energy = total(&body, "replace") - 2000.0;
    assert!(energy > 0.0 && energy < 0.1 * 8760.0 * 0.8 * 0.2, "{energy}");
}
