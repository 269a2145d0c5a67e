//! A candidate out of an answer of `advise`: what renting and buying the machine cost there.

use maat_base::{Currency, Decimal, Fault, Money};
use serde_json::Value;

/// What an answer of `advise` says of renting and of buying.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The machine, as it is named there.
    pub machine: Option<String>,
    /// Rent of the whole machine for an hour.
    pub rent: Option<Money>,
    /// Purchase of the whole machine.
    pub buy: Option<Money>,
}

/// Reads an answer of `advise`: the best rented candidate, and the purchase of the same machine where it is among the
/// candidates.
///
/// # Errors
/// `advise-answer-unreadable` for what is no such answer, `advise-answer-empty` for one without candidates.
pub fn candidate(text: &str) -> Result<Candidate, Fault> {
    let unreadable = || Fault::content("advise-answer-unreadable").at("--from");
    let answer: Value =
        serde_json::from_str(text).map_err(|error| unreadable().with("given", error.to_string()))?;
    let wrong = || unreadable().with("given", "candidates");
    let candidates = answer.get("candidates").and_then(Value::as_array).ok_or_else(wrong)?;
    let name = |value: &Value| value.pointer("/machine/name").and_then(Value::as_str).map(str::to_owned);
    let basis =
        |value: &&Value, wanted: &str| value.pointer("/cost/basis").and_then(Value::as_str) == Some(wanted);
    let rented = candidates.iter().find(|one| basis(one, "rent"));
    let first = rented
        .or_else(|| candidates.first())
        .ok_or_else(|| Fault::content("advise-answer-empty").at("--from"))?;
    let machine = name(first);
    let owned = candidates.iter().find(|one| basis(one, "own") && name(one) == machine);
    Ok(Candidate {
        rent: rented.and_then(|one| money(one, "hourly")),
        buy: owned.and_then(|one| money(one, "purchase")),
        machine,
    })
}

fn money(candidate: &Value, field: &str) -> Option<Money> {
    let cost = candidate.get("cost")?;
    let currency: Currency = cost.get("currency")?.as_str()?.parse().ok()?;
    let amount = Decimal::from_f64_retain(cost.get(field)?.as_f64()?)?.round_dp(9);
    (amount > Decimal::ZERO).then(|| Money::new(amount, currency))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_machine_rented_and_bought() {
        let text = r#"{"candidates": [
            {"machine": {"name": "RTX 4090"}, "cost": {"basis": "rent", "hourly": 0.35, "currency": "USD"}},
            {"machine": {"name": "L4"}, "cost": {"basis": "own", "purchase": 9, "currency": "USD"}},
            {"machine": {"name": "RTX 4090"}, "cost": {"basis": "own", "purchase": 4630, "currency": "USD"}}]}"#;
        let found = candidate(text).unwrap();
        assert_eq!(found.machine.as_deref(), Some("RTX 4090"));
        assert_eq!(found.rent.map(Money::as_f64), Some(0.35));
        assert_eq!(found.buy.map(Money::as_f64), Some(4630.0));
        assert_eq!(candidate("[]").unwrap_err().code, "advise-answer-unreadable");
        assert_eq!(candidate("{").unwrap_err().code, "advise-answer-unreadable");
        assert_eq!(candidate(r#"{"candidates": []}"#).unwrap_err().code, "advise-answer-empty");
    }
}
