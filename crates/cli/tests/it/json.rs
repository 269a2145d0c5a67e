//! The contract of the JSON: fields present and typed.

use serde_json::Value;

use crate::context::TestContext;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Text,
    Count,
    Number,
    Bool,
    List,
    Object,
}

fn holds(value: &Value, kind: Kind) -> bool {
    match kind {
        Kind::Text => value.is_string(),
        Kind::Count => value.is_u64(),
        Kind::Number => value.is_number(),
        Kind::Bool => value.is_boolean(),
        Kind::List => value.is_array(),
        Kind::Object => value.is_object(),
    }
}

/// Every field is there and holds its kind; those with `null` may be null.
fn check(place: &str, value: &Value, fields: &[(&str, Kind)], nullable: &[&str]) {
    for (field, kind) in fields {
        let found = value.get(field).unwrap_or_else(|| panic!("{place}.{field} is missing"));
        let fine = holds(found, *kind) || (found.is_null() && nullable.contains(field));
        assert!(fine, "{place}.{field} is not {kind:?}: {found}");
    }
}

fn check_envelope(answer: &Value, verb: &str) {
    use Kind::{Bool, Count, List, Object, Text};
    let fields = [
        ("schema_version", Count),
        ("verb", Text),
        ("verdict", Object),
        ("assumed", List),
        ("findings", List),
        ("sources", List),
    ];
    check(verb, answer, &fields, &[]);
    assert_eq!(answer["schema_version"], 1);
    assert_eq!(answer["verb"], verb);
    check("verdict", &answer["verdict"], &[("ok", Bool), ("code", Text), ("text", Text)], &["ok"]);
    for assumed in answer["assumed"].as_array().unwrap() {
        check("assumed", assumed, &[("name", Text), ("why", Text), ("text", Text)], &[]);
        assert!(assumed.get("value").is_some());
    }
    for finding in answer["findings"].as_array().unwrap() {
        check_finding(finding);
    }
    no_text_is_left_unsaid(answer);
}

fn check_finding(finding: &Value) {
    use Kind::{List, Object, Text};
    let fields = [
        ("code", Text),
        ("severity", Text),
        ("subject", Text),
        ("message", Text),
        ("evidence", List),
        ("refuted_by", List),
        ("fix", Text),
        ("commands", List),
        ("gain", Object),
        ("source", Text),
    ];
    check("finding", finding, &fields, &["fix", "gain", "source"]);
    let code = finding["code"].as_str().unwrap();
    assert!(code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{code}");
    assert!(["error", "warning", "info"].contains(&finding["severity"].as_str().unwrap()));
}

/// No serialised text and no identifier of a message stands where a sentence should.
fn no_text_is_left_unsaid(value: &Value) {
    match value {
        Value::Object(fields) => {
            assert!(!fields.contains_key("$text"), "{value}");
            fields.values().for_each(no_text_is_left_unsaid);
        }
        Value::Array(items) => items.iter().for_each(no_text_is_left_unsaid),
        _ => {}
    }
}

fn check_model(model: &Value) {
    use Kind::{Count, List, Object, Text};
    let fields = [
        ("name", Text),
        ("architecture", Text),
        ("family", Text),
        ("params_total", Count),
        ("params_mtp", Count),
        ("params_active", Count),
        ("params_by_part", Object),
        ("weights_bytes", Count),
        ("precision", Text),
        ("layers", Count),
        ("hidden", Count),
        ("heads", Count),
        ("kv_heads", Count),
        ("head_dim", Count),
        ("vocabulary", Count),
        ("context_max", Count),
        ("kv_kinds", List),
    ];
    check(
        "model",
        model,
        &fields,
        &["layers", "hidden", "heads", "kv_heads", "head_dim", "vocabulary", "context_max", "kv_kinds"],
    );
    let parts = [
        "embedding",
        "attention",
        "mlp",
        "routed_experts",
        "shared_experts",
        "router",
        "norm",
        "head",
        "towers",
        "state_space",
        "other",
    ];
    check("params_by_part", &model["params_by_part"], &parts.map(|part| (part, Count)), &[]);
    for kind in model["kv_kinds"].as_array().into_iter().flatten() {
        let fields = [
            ("kind", Text),
            ("layers", Count),
            ("bytes_per_token", Kind::Number),
            ("window", Count),
            ("state_bytes", Count),
        ];
        check("kv_kind", kind, &fields, &["bytes_per_token", "window", "state_bytes"]);
    }
}

#[test]
fn model() {
    let answer = TestContext::new().run(&["model", "llama-3.1-8b", "--json"]).json();
    check_envelope(&answer, "model");
    check_model(&answer["model"]);
    assert_eq!(answer["verdict"]["ok"], true);
}

#[test]
fn only_sentences_follow_the_language() {
    let context = TestContext::new();
    let english = context.run(&["model", "llama-3.1-8b", "--json"]).json();
    let dutch = context.run(&["model", "llama-3.1-8b", "--json", "--lang", "nl"]).json();
    assert_ne!(english["verdict"]["text"], dutch["verdict"]["text"]);
    assert_eq!(without_sentences(english), without_sentences(dutch));
}

/// The answer without what follows `--lang`.
fn without_sentences(mut value: Value) -> Value {
    const SENTENCES: [&str; 6] = ["text", "message", "fix", "because", "why", "reasons"];
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !SENTENCES.contains(&name.as_str()));
            for field in fields.values_mut() {
                *field = without_sentences(field.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_sentences(item.take());
            }
        }
        _ => {}
    }
    value
}
