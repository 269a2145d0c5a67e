//! `maat guide`.

use crate::context::TestContext;

#[test]
fn claims_are_sentences_in_both_languages() {
    let context = TestContext::new();
    for (lang, wrong) in [("en", "wrong: "), ("nl", "onjuist: ")] {
        let outcome = context.run(&["guide", "--claims", "b", "--lang", lang]);
        assert_eq!(outcome.exit, 0, "{outcome}");
        assert!(outcome.stdout.contains(&format!("RB06 {wrong}")), "{outcome}");
        // No identifier of a message stands where a sentence should.
        assert!(!outcome.stdout.contains("guide-rb"), "{outcome}");
        assert!(outcome.stdout.contains("maat cost per-tflop --preset guide"), "{outcome}");
    }
}

#[test]
fn json_as_the_contract_has_it() {
    let context = TestContext::new();
    let json = context.run(&["guide", "--only", "wrong", "--claims", "b", "--json"]).json();
    let claims = json["claims"].as_array().unwrap();
    assert!(claims.len() >= 10, "{}", claims.len());
    for claim in claims {
        assert_eq!(claim["verdict"], "wrong");
        assert!(claim["statement"].is_string() && claim["basis"].is_string(), "{claim}");
        assert!(claim["source"].is_string() && claim["why"].is_string(), "{claim}");
    }
    let table = claims.iter().find(|claim| claim["id"] == "RB05").unwrap();
    assert_eq!(table["computed"][0]["value"], 165.2);
    assert_eq!(table["computed"][0]["claimed"], 330);
}

#[test]
fn an_unknown_claim_is_a_usage_error() {
    let outcome = TestContext::new().run(&["guide", "--id", "RC01", "--json"]);
    assert_eq!(outcome.exit, 2);
    assert_eq!(outcome.json()["error"]["where"], "--id");
}
