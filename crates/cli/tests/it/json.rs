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
        &[
            "params_mtp",
            "layers",
            "hidden",
            "heads",
            "kv_heads",
            "head_dim",
            "vocabulary",
            "context_max",
            "kv_kinds",
        ],
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

fn is_range(value: &Value) -> bool {
    let ends = ["low", "likely", "high"].map(|end| value[end].as_f64());
    matches!(ends, [Some(low), Some(likely), Some(high)] if low <= likely && likely <= high)
}

/// Every field is there and holds a range or null.
fn check_ranges(place: &str, value: &Value, fields: &[&str]) {
    for field in fields {
        let found = value.get(field).unwrap_or_else(|| panic!("{place}.{field} is missing"));
        assert!(found.is_null() || is_range(found), "{place}.{field}: {found}");
    }
}

fn check_plan(plan: &Value) {
    use Kind::{Count, Text};
    let fields = [
        ("engine", Text),
        ("engine_version", Text),
        ("precision", Text),
        ("kv_precision", Text),
        ("tp", Count),
        ("pp", Count),
        ("dp", Count),
        ("ep", Count),
        ("cp", Count),
        ("replicas", Count),
        ("zero", Count),
        ("recompute", Text),
        ("offload", Text),
        ("micro_batch", Count),
    ];
    check("plan", plan, &fields, &["engine_version", "zero", "recompute", "offload", "micro_batch"]);
}

const PARTS: [&str; 10] = [
    "weights_bytes",
    "kv_cache_bytes",
    "state_bytes",
    "activations_bytes",
    "gradients_bytes",
    "optimizer_bytes",
    "adapters_bytes",
    "reference_bytes",
    "workspace_bytes",
    "framework_bytes",
];

/// The parts sum to the total, and the total with what is free to the capacity.
fn check_memory(memory: &Value, capacity: Option<u64>) {
    use Kind::{Count, List, Number};
    let one = &memory["per_accelerator"];
    check("per_accelerator", one, &PARTS.map(|part| (part, Count)), &[]);
    check(
        "per_accelerator",
        one,
        &[("total_bytes", Count), ("free_bytes", Number), ("total_bytes_range", List)],
        &["free_bytes"],
    );
    let total = one["total_bytes"].as_u64().unwrap();
    assert_eq!(PARTS.iter().map(|part| one[part].as_u64().unwrap()).sum::<u64>(), total);
    if let Some(capacity) = capacity {
        assert_eq!(i128::from(total) + i128::from(one["free_bytes"].as_i64().unwrap()), i128::from(capacity));
    }
    let fields = [
        "host_ram_bytes",
        "disk_bytes",
        "reserved_bytes",
        "kv_pool_bytes",
        "kv_pool_tokens",
        "sequences_at_context",
        "kv_cache_bytes_per_token",
        "kv_cache_bytes_per_sequence",
        "state_bytes_per_sequence",
    ];
    check("memory", memory, &fields.map(|field| (field, Count)), &fields);
    check("memory", memory, &[("total_bytes", Count)], &[]);
}

fn check_speed(speed: &Value) {
    let ranges = [
        "ttft_s",
        "tpot_s",
        "decode_tokens_per_s",
        "prefill_tokens_per_s",
        "throughput_tokens_per_s",
        "requests_per_s",
        "train_tokens_per_s",
        "train_tokens_per_s_per_accelerator",
        "mfu",
        "step_s",
        "time_to_finish_s",
        "items_per_s",
        "item_s",
        "realtime_factor",
    ];
    check_ranges("speed", speed, &ranges);
    check("speed", speed, &[("bound", Kind::Object), ("definitions", Kind::Text)], &[]);
    let kinds = ["compute", "memory", "network", "launch", "cpu", "storage"];
    for phase in ["main", "prefill", "decode", "step"] {
        let bound = &speed["bound"][phase];
        assert!(bound.is_null() || kinds.contains(&bound.as_str().unwrap()), "{phase}: {bound}");
    }
    let (tpot, decode) = (&speed["tpot_s"]["likely"], &speed["decode_tokens_per_s"]["likely"]);
    let product = tpot.as_f64().unwrap() * decode.as_f64().unwrap();
    assert!((product - 1.0).abs() < 0.05, "decode_tokens_per_s is 1 / tpot_s: {product}");
}

fn check_power(power: &Value) {
    check_ranges("power", power, &["accelerator_w", "node_w", "energy_per_token_j", "energy_job_kwh"]);
    let plain = ["node_max_w", "psu_w_recommended"];
    check("power", power, &plain.map(|field| (field, Kind::Number)), &plain);
}

fn check_machine(machine: &Value) {
    use Kind::{Count, Text};
    let fields = [
        ("name", Text),
        ("accelerators", Count),
        ("nodes", Count),
        ("capacity_bytes", Count),
        ("slice", Text),
    ];
    check("machine", machine, &fields, &["capacity_bytes", "slice"]);
}

const LLAMA: &str = "meta-llama/Llama-3.1-8B";

#[test]
fn size_that_fits() {
    use Kind::{Bool, List, Number, Object};
    let outcome = TestContext::new().run(&["size", LLAMA, "--gpu", "RTX 4090", "--users", "4", "--json"]);
    assert_eq!(outcome.exit, 0);
    let answer = outcome.json();
    check_envelope(&answer, "size");
    check_model(&answer["model"]);
    check_plan(&answer["plan"]);
    check_machine(&answer["machine"]);
    check_memory(&answer["memory"], answer["machine"]["capacity_bytes"].as_u64());
    check_speed(&answer["speed"]);
    check_power(&answer["power"]);
    let fields = [
        ("fits", Bool),
        ("limit", Object),
        ("nearest", List),
        ("alternatives", List),
        ("host", Object),
        ("network", Object),
    ];
    check("size", &answer, &fields, &["limit", "network"]);
    check_ranges("host", &answer["host"], &["time_to_load_s"]);
    let host = ["cpu_cores_needed", "ram_bytes", "read_bytes_per_s_needed", "disk_bytes"];
    check("host", &answer["host"], &host.map(|field| (field, Number)), &host);
    assert_eq!(answer["fits"], true);
    assert_eq!(answer["verdict"]["ok"], true);
    assert!(["fits", "fits-tight"].contains(&answer["verdict"]["code"].as_str().unwrap()));
}

#[test]
fn size_that_does_not_fit_is_exit_3_with_its_limit_and_what_would() {
    use Kind::{Count, Text};
    let outcome = TestContext::new().run(&["size", LLAMA, "--gpu", "RTX 3060", "--json"]);
    assert_eq!(outcome.exit, 3);
    let answer = outcome.json();
    check_envelope(&answer, "size");
    assert_eq!(answer["fits"], false);
    assert_eq!(answer["verdict"]["ok"], false);
    assert!(answer["speed"].is_null(), "no speed for a plan that does not fit");
    let limit = &answer["limit"];
    check(
        "limit",
        limit,
        &[
            ("part", Text),
            ("need_bytes", Count),
            ("have_bytes", Count),
            ("short_bytes", Count),
            ("text", Text),
        ],
        &[],
    );
    let bytes = |name: &str| limit[name].as_u64().unwrap();
    assert_eq!(bytes("need_bytes") - bytes("have_bytes"), bytes("short_bytes"));
    let nearest = answer["nearest"].as_array().unwrap();
    assert!((1..=3).contains(&nearest.len()));
    for change in nearest {
        let argv: Vec<&str> =
            change["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(argv[0], "maat");
        assert!(change["change"].is_string() && change["text"].is_string());
        let again = TestContext::new().run(&argv[1..]);
        assert_eq!(again.exit, 0, "{argv:?} was said to fit");
    }
}

#[test]
fn size_without_hardware_lists_the_smallest_that_holds_it() {
    let outcome = TestContext::new().run(&["size", LLAMA, "--json"]);
    assert_eq!(outcome.exit, 0);
    let answer = outcome.json();
    check_envelope(&answer, "size");
    assert_eq!(answer["verdict"]["code"], "no-hardware-given");
    for field in ["machine", "fits", "speed", "power"] {
        assert!(answer[field].is_null(), "{field}");
    }
    check_memory(&answer["memory"], None);
    assert!(!answer["smallest"].as_array().unwrap().is_empty());
}

#[test]
fn advise() {
    use Kind::{Count, List, Object, Text};
    let outcome = TestContext::new().run(&["advise", LLAMA, "--users", "20", "--top", "3", "--json"]);
    assert_eq!(outcome.exit, 0);
    let answer = outcome.json();
    check_envelope(&answer, "advise");
    check(
        "advise",
        &answer,
        &[("candidates", List), ("pareto", List), ("rejected", List), ("cpu_or_gpu", Object)],
        &[],
    );
    let candidates = answer["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3);
    for (place, candidate) in candidates.iter().enumerate() {
        let fields = [
            ("rank", Count),
            ("kind", Text),
            ("provider", Text),
            ("offer", Text),
            ("region", Text),
            ("machine", Object),
            ("plan", Object),
            ("memory", Object),
            ("speed", Object),
            ("power", Object),
            ("cost", Object),
            ("reasons", List),
            ("findings", List),
        ];
        check("candidate", candidate, &fields, &["provider", "offer", "region", "power"]);
        assert_eq!(candidate["rank"], place + 1);
        check_machine(&candidate["machine"]);
        check_plan(&candidate["plan"]);
        check_memory(&candidate["memory"], candidate["machine"]["capacity_bytes"].as_u64());
        check_speed(&candidate["speed"]);
        check_cost(&candidate["cost"]);
        candidate["findings"].as_array().unwrap().iter().for_each(check_finding);
    }
    for place in answer["pareto"].as_array().unwrap() {
        assert!(place.as_u64().unwrap() < 3);
    }
    for rejected in answer["rejected"].as_array().unwrap() {
        check(
            "rejected",
            rejected,
            &[("machine", Text), ("why", Text), ("misses_by", Kind::Number)],
            &["misses_by"],
        );
    }
    let choice = &answer["cpu_or_gpu"];
    check(
        "cpu_or_gpu",
        choice,
        &[("answer", Text), ("because", List), ("crossing", Object), ("speed_ratio", Kind::Number)],
        &["crossing", "speed_ratio"],
    );
}

fn check_cost(cost: &Value) {
    use Kind::{Number, Text};
    let money = ["hourly", "monthly", "per_million_tokens", "per_job", "purchase"];
    check("cost", cost, &money.map(|field| (field, Number)), &money);
    check("cost", cost, &[("basis", Text), ("currency", Text), ("price_date", Text), ("source", Text)], &[]);
    assert!(["rent", "own"].contains(&cost["basis"].as_str().unwrap()));
    let (hourly, monthly) = (cost["hourly"].as_f64().unwrap(), cost["monthly"].as_f64().unwrap());
    assert!((monthly / hourly - 730.0).abs() < 0.5, "a month is 730 h");
}

#[test]
fn nothing_within_the_limits_is_exit_3() {
    let outcome = TestContext::new().run(&["advise", LLAMA, "--max-hourly", "0.05", "--json"]);
    assert_eq!(outcome.exit, 3);
    let answer = outcome.json();
    check_envelope(&answer, "advise");
    assert_eq!(answer["verdict"]["code"], "no-candidate");
    assert_eq!(answer["candidates"], serde_json::json!([]));
    let nearest = &answer["rejected"][0];
    assert!(nearest["why"].as_str().unwrap().contains("an hour, the limit is $"), "{nearest}");
}

#[test]
fn catalogue() {
    let context = TestContext::new();
    for (args, verb) in [
        (vec!["catalogue", "list"], "catalogue list"),
        (vec!["catalogue", "list", "cpus"], "catalogue list"),
        (vec!["catalogue", "show", "H100"], "catalogue show"),
        (vec!["catalogue", "compare", "H100", "MI300X"], "catalogue compare"),
        (vec!["catalogue", "offers", "--gpu", "H100"], "catalogue offers"),
        (vec!["catalogue", "history", "H100"], "catalogue history"),
        (vec!["catalogue", "lint"], "catalogue lint"),
        (vec!["catalogue", "export", "hardware/links.csv"], "catalogue export"),
    ] {
        let outcome = context.run(&[args.as_slice(), &["--json"]].concat());
        assert_eq!(outcome.exit, 0, "{args:?}");
        check_envelope(&outcome.json(), verb);
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
    for args in [
        vec!["model", LLAMA],
        vec!["size", LLAMA, "--gpu", "RTX 3060"],
        vec!["advise", LLAMA],
        vec!["catalogue", "offers", "--gpu", "H100"],
        vec!["catalogue", "history", "H100"],
    ] {
        let english = context.run(&[args.as_slice(), &["--json"]].concat()).json();
        let dutch = context.run(&[args.as_slice(), &["--json", "--lang", "nl"]].concat()).json();
        assert_ne!(english["verdict"]["text"], dutch["verdict"]["text"], "{args:?}");
        assert_eq!(without_sentences(english), without_sentences(dutch), "{args:?}");
    }
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
