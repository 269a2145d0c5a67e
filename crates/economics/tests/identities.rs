//! What must hold whatever the figures are.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::LazyLock;

use maat_base::{Currency, ExchangeRate, Fault, FaultKind};
use maat_catalogue::{Catalogue, Terms};
use maat_economics::rent_or_buy::{RentOrBuyBody, RentOrBuyRequest, rent_or_buy};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The built-in catalogue, read once for all tests.
fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::builtin);
    &CATALOGUE
}

fn try_ask(request: Value, terms: &Terms) -> Result<RentOrBuyBody, Fault> {
    let request: RentOrBuyRequest = serde_json::from_value(request).map_err(|error| {
        // What a field refuses is a usage fault on the command line too.
        Fault::usage("refused").with("given", error.to_string())
    })?;
    rent_or_buy(&request, None, catalogue(), terms).map(|answer| answer.body)
}

fn ask(request: Value) -> RentOrBuyBody {
    try_ask(request, &Terms::default()).unwrap()
}

#[expect(clippy::needless_pass_by_value, reason = "literals read best so")]
fn full(more: Value) -> Value {
    let mut request = json!({
        "gpu": ["8x H100 SXM"], "rent": "2.90/h", "buy": 260_000, "utilisation": 0.6, "years": 3, "tariff": "0.20",
        "pue": 1.3, "residual": 0.25, "discount": "8%/y", "maintenance": "5%/y", "failures": "1%/y", "staff": 0.2,
        "staff_cost": "100000/y", "colo": "150/kW-month",
    });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn sums(body: &RentOrBuyBody) {
    let rent: f64 = body.cash_flow.iter().map(|month| month.rent.as_f64()).sum();
    let own: f64 = body.cash_flow.iter().map(|month| month.own.as_f64()).sum();
    assert!(close(rent, body.total_rent.as_f64()), "{rent} {:?}", body.total_rent);
    assert!(close(own, body.total_own.as_f64()), "{own} {:?}", body.total_own);
    let lines = &body.own;
    let lines = lines.capital.as_f64()
        + lines.financing.as_f64()
        + lines.running.as_f64()
        + lines.energy_used.as_f64()
        + lines.energy_idle.as_f64()
        - lines.residual.as_f64();
    assert!(close(lines, body.total_own.as_f64()), "{lines} {:?}", body.total_own);
}

#[test]
fn cash_flow_and_lines_sum_to_the_totals() {
    for more in [
        json!({}),
        json!({"loan": "8%:36m"}),
        json!({"loan": "6%:5y", "years": 2.5}),
        json!({"discount": "0"}),
    ] {
        sums(&ask(full(more)));
    }
}

/// With a loan at the discount rate (a twelfth each month) paying later costs nothing at its worth of today; with none
/// it costs the interest: 36 payments of 260,000 x 0.0066667 / (1 - 1.0066667^-36) = 8,147.45, less 260,000.
#[test]
fn what_a_loan_costs() {
    let body = ask(full(json!({"loan": "8%:36m", "discount": "0"})));
    assert!((body.own.financing.as_f64() - 33_308.5).abs() < 1.0, "{:?}", body.own.financing);
    let yearly = (1.0f64 + 0.08 / 12.0).powi(12) - 1.0;
    let body = ask(full(json!({"loan": "8%:36m", "discount": format!("{}%/y", yearly * 100.0)})));
    assert!(body.own.financing.as_f64().abs() < 0.01, "{:?}", body.own.financing);
}

#[test]
fn eight_cards_are_eight_times_one() {
    let of = |count: u32| {
        ask(json!({
            "gpu": [format!("{count}x RTX 4090")], "rent": "0.60/h", "buy_each": 2_500, "utilisation": 0.5,
            "power": format!("{}W", count * 500), "idle_power": format!("{}W", count * 60), "tariff": "0.20",
            "discount": "8%", "residual": 0.3, "maintenance": "2%", "bare": true, "pue": 1.1,
        }))
    };
    let (one, eight) = (of(1), of(8));
    for (a, b) in [
        (one.total_rent, eight.total_rent),
        (one.total_own, eight.total_own),
        (one.buy_total, eight.buy_total),
        (one.own.energy_used, eight.own.energy_used),
    ] {
        assert!(close(8.0 * a.as_f64(), b.as_f64()));
    }
    assert!(close(one.break_even.months.unwrap(), eight.break_even.months.unwrap()));
    assert!(close(one.break_even.utilisation.unwrap(), eight.break_even.utilisation.unwrap()));
}

/// At the use of the break-even both totals are equal, and the months to the crossing are the years.
#[test]
fn at_the_break_even_both_cost_the_same() {
    let even = ask(full(json!({}))).break_even.utilisation.unwrap();
    let at = ask(full(json!({"utilisation": even})));
    assert!(close(at.total_rent.as_f64(), at.total_own.as_f64()));
    assert!((at.break_even.months.unwrap() - 36.0).abs() < 1e-6, "{:?}", at.break_even);
    assert!((at.break_even.hours_per_day.unwrap() - 24.0 * even).abs() < 1e-9);
}

/// Own fixed costs run all hours, the rent only the used ones.
#[test]
fn only_what_is_used_is_rented() {
    let half = ask(full(json!({"utilisation": 0.5, "idle_power": "0W", "discount": "0"})));
    let whole = ask(full(json!({"utilisation": 1.0, "idle_power": "0W", "discount": "0"})));
    assert!(close(2.0 * half.total_rent.as_f64(), whole.total_rent.as_f64()));
    assert!(close(2.0 * half.own.energy_used.as_f64(), whole.own.energy_used.as_f64()));
    assert!(close(half.own.running.as_f64(), whole.own.running.as_f64()));
    assert!(close(half.hourly_at_utilisation.rent.as_f64(), 23.2));
    let committed = ask(full(json!({"utilisation": 0.5, "all_hours": true, "discount": "0"})));
    assert!(close(committed.total_rent.as_f64(), whole.total_rent.as_f64()));
}

#[test]
fn owning_may_never_win() {
    let never =
        ask(json!({"rent_total": 1, "buy": 10_000, "running_cost": "2/h", "utilisation": 1.0, "bare": true}));
    assert_eq!(never.break_even.months, None);
    assert_eq!(never.break_even.used_hours, None);
    assert_eq!(never.break_even.payback_months, None);
    assert!(never.break_even.utilisation.unwrap() > 1.0);
    let committed = ask(json!({
        "rent_total": 1, "buy": 100_000, "utilisation": 1.0, "years": 1, "all_hours": true, "bare": true,
    }));
    assert_eq!(committed.break_even.utilisation, None);
}

/// 20 minutes billed as an hour are three hours for one; two interruptions a day with a checkpoint an hour and ten
/// minutes to start again lose (0.5 + 1/6) x 2/24 of the time.
#[test]
fn what_is_billed_beyond_the_work() {
    let rent = |more: Value| ask(full(more)).total_rent.as_f64();
    let plain = rent(json!({}));
    assert!(close(rent(json!({"minimum_billing": "1h", "session": "20m"})), 3.0 * plain));
    let lost = (2.0 / 24.0) * (0.5 + 1.0 / 6.0);
    let spot =
        rent(json!({"interruptions": format!("{}", 2.0 / 24.0), "checkpoint_every": "1h", "restart": "10m"}));
    assert!((spot / (plain / (1.0 - lost)) - 1.0).abs() < 1e-9);
    // 2,000 GB at 0.02 and 500 GB at 0.09 a month.
    let stored = json!({"storage": "2TB", "storage_price": "0.02", "egress": "500GB", "egress_price": "0.09", "discount": "0"});
    let without = rent(json!({"discount": "0"}));
    assert!(close(rent(stored), without + 36.0 * (40.0 + 45.0)));
}

/// A falling rent, in steps of a year: 1 + 0.9 + 0.81.
#[test]
fn value_added_tax_lies_on_prices_and_not_on_pay() {
    let (without, with) = (ask(full(json!({}))), ask(full(json!({"vat": "21%"}))));
    assert!(close(with.total_rent.as_f64(), 1.21 * without.total_rent.as_f64()));
    assert!(close(with.own.energy_used.as_f64(), 1.21 * without.own.energy_used.as_f64()));
    assert!(close(with.buy_total.as_f64(), 1.21 * 260_000.0));
    let no_staff = |vat: &str| ask(full(json!({"vat": vat, "staff": 0}))).own.running.as_f64();
    let pay = |vat: &str, body: &RentOrBuyBody| body.own.running.as_f64() - no_staff(vat);
    assert!(close(pay("21%", &with), pay("0%", &without)));
    let bare =
        |vat: &str| ask(json!({"rent": "3/h", "buy": 25_000, "bare": true, "utilisation": 1, "vat": vat}));
    let months = |vat: &str| bare(vat).break_even.months.unwrap();
    assert!(close(months("21%"), months("0%")));
    // Household prices of electricity hold it already.
    let home =
        |vat: &str| ask(json!({"gpu": ["RTX 4090"], "tariff": "NL:DC", "vat": vat})).own.energy_used.as_f64();
    assert!(close(home("21%"), home("0%")), "{} {}", home("21%"), home("0%"));
}

#[test]
fn the_rent_has_a_path() {
    let of = |path: &str| ask(full(json!({"rent_path": path, "discount": "0"}))).total_rent.as_f64();
    assert!(close(of("-10%/y") / of("0%"), 2.71 / 3.0));
}

#[test]
fn currencies_are_converted_at_the_stated_rate_only() {
    let rate = "0.8".parse().unwrap();
    let exchange = ExchangeRate { eur_per_usd: rate, date: None, source: "user".to_owned() };
    let terms = Terms { currency: Some(Currency::Eur), exchange: Some(exchange), ..Terms::default() };
    let request = json!({"rent_total": "$10/h", "buy": "€80000", "utilisation": 1.0, "bare": true});
    let body = try_ask(request, &terms).unwrap();
    assert_eq!(body.currency, Currency::Eur);
    assert!(close(body.rent_per_hour.as_f64(), 8.0));
    assert!(close(body.break_even.used_hours.unwrap(), 10_000.0));
}

#[test]
fn absurd_inputs_are_usage_faults() {
    for more in [
        json!({"rent": "-2.90/h"}),
        json!({"rent": "0/h"}),
        json!({"rent": 0}),
        json!({"rent": "2,90/h"}),
        json!({"rent": "NaN"}),
        json!({"rent": "2.90/y"}),
        json!({"buy": 0}),
        json!({"buy": "-1"}),
        json!({"buy": "260.000,00"}),
        json!({"buy": "inf"}),
        json!({"utilisation": "140%"}),
        json!({"utilisation": "0%"}),
        json!({"utilisation": "-10%"}),
        json!({"utilisation": 1.4}),
        json!({"utilisation": null, "hours_per_month": 800}),
        json!({"utilisation": null, "hours_per_day": 25}),
        json!({"years": 0}),
        json!({"years": "-3"}),
        json!({"years": 1000}),
        json!({"years": "3,5"}),
        json!({"pue": 0.5}),
        json!({"residual": "120%"}),
        json!({"discount": "-5%"}),
        json!({"maintenance": "-5%"}),
        json!({"staff": "-1"}),
        json!({"loan": "8%"}),
        json!({"tariff": "0,20"}),
        json!({"tariff": "XX:IC"}),
        json!({"rent_path": "-100%"}),
        json!({"hours_per_month_convention": 24}),
        json!({"minimum_billing": "1h"}),
        json!({"interruptions": 3, "checkpoint_every": "1h"}),
        json!({"running_cost": "6/h"}),
        json!({"gpu": ["?x H100"]}),
    ] {
        let fault = try_ask(full(more.clone()), &Terms::default()).expect_err(&more.to_string());
        assert_eq!(fault.kind, FaultKind::Usage, "{more}: {fault}");
    }
}

#[test]
fn every_default_is_listed_with_source_and_words() {
    let request: RentOrBuyRequest = serde_json::from_value(json!({"gpu": ["8x H100 SXM"]})).unwrap();
    let answer = rent_or_buy(&request, None, catalogue(), &Terms::default()).unwrap();
    let names: Vec<&str> = answer.assumed.iter().map(|note| note.name).collect();
    for name in [
        "rent",
        "buy",
        "utilisation",
        "years",
        "residual_decline",
        "discount",
        "maintenance",
        "failures",
        "staff",
        "staff_cost",
        "colo",
        "pue",
        "tariff",
        "fx",
        "rent_path",
        "work_share",
        "idle_share",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(answer.assumed.iter().all(|note| !note.why.id.is_empty() && !note.value.is_null()));
    sums(&answer.body);
    let body = &answer.body;
    let ends = [body.total_rent_range, body.total_own_range];
    for ([low, high], likely) in ends.into_iter().zip([body.total_rent, body.total_own]) {
        assert!(low.unwrap() <= likely.as_f64() && likely.as_f64() <= high.unwrap());
    }
    let effects: Vec<f64> = body.sensitivity.iter().map(|one| one.effect.as_f64()).collect();
    assert!(effects.len() > 8 && effects.windows(2).all(|pair| pair[0] >= pair[1]), "{effects:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Undiscounted, bare, at full use: the purchase over the rent.
    #[test]
    fn bare_is_price_over_rent(cents in 1u64..100_000, price in 1u64..10_000_000) {
        let rent = cents as f64 / 100.0;
        let body = ask(json!({"rent_total": rent, "buy": price, "utilisation": 1.0, "years": 3, "bare": true}));
        let hours = price as f64 / rent;
        match body.break_even.used_hours {
            Some(found) => prop_assert!((found / hours - 1.0).abs() < 1e-9, "{} {}", found, hours),
            None => prop_assert!(hours > 1200.0 * 730.0 * 0.999),
        }
        prop_assert!(close(body.total_rent.as_f64(), rent * 26_280.0));
        prop_assert!(close(body.total_own.as_f64(), price as f64));
    }

    /// More use never makes an hour of one's own dearer, and the rent of an hour stays.
    #[test]
    fn an_hour_of_ones_own_gets_cheaper_with_use(low in 5u32..99) {
        let at = |percent: u32| ask(full(json!({"utilisation": format!("{percent}%"), "idle_power": "0W"}))).hourly_at_utilisation;
        let (a, b) = (at(low), at(low + 1));
        prop_assert!(a.own.as_f64() >= b.own.as_f64());
        prop_assert!(close(a.rent.as_f64(), b.rent.as_f64()));
    }
}
