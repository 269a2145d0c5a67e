//! `maat validate` and `--calibrate`.

use crate::context::TestContext;

const TABLE: &str = "family,benchmark,model,precision,hardware,count,batch_or_concurrency,input_len,output_len,metric,value,unit,software,trust
A-inference,mine,meta-llama/Llama-3.1-8B,fp16,RTX 4090,1,1,1024,256,tpot,60,ms,vllm,A
A-inference,mine,no such model,fp16,RTX 4090,1,1,1024,256,tpot,60,ms,vllm,A
";

#[test]
fn rows_are_written_with_their_predictions() {
    let context = TestContext::new();
    context.file("runs.csv", TABLE);
    let outcome = context.run(&["validate", "--data", "runs.csv", "--rows", "out.csv", "--json"]);
    assert_eq!(outcome.exit, 0, "{outcome}");
    let json = outcome.json();
    assert_eq!(json["overall"]["predicted"], 1);
    assert_eq!(json["skipped"][0]["reason"], "model-unknown");
    assert!(json["groups"][0]["median_abs_ln_ratio"].is_number());
    let rows = std::fs::read_to_string(context.path("out.csv")).unwrap();
    assert!(rows.lines().next().unwrap().ends_with("predicted_low,predicted,predicted_high,skip_reason"));
    assert!(rows.lines().nth(2).unwrap().ends_with(",,,model-unknown"), "{rows}");
}

#[test]
fn own_runs_move_the_prediction_and_narrow_its_range() {
    let context = TestContext::new();
    context.file("runs.csv", TABLE);
    let size = |more: &[&str]| {
        let own = ["size", "llama-3.1-8b", "--gpu", "RTX 4090", "--precision", "fp16", "--json"];
        let outcome = context.run(&[&own[..], more].concat());
        assert_eq!(outcome.exit, 0, "{outcome}");
        outcome.json()
    };
    let (before, after) = (size(&[]), size(&["--calibrate", "runs.csv"]));
    let likely = |json: &serde_json::Value| json["speed"]["tpot_s"]["likely"].as_f64().unwrap();
    let width = |json: &serde_json::Value| {
        json["speed"]["tpot_s"]["high"].as_f64().unwrap() / json["speed"]["tpot_s"]["low"].as_f64().unwrap()
    };
    // A run of 60 ms a token, well above the prediction: most of the way there, three quarters in the logarithm.
    assert!(
        likely(&after) > 1.5 * likely(&before) && likely(&after) < 0.060,
        "{} {}",
        likely(&before),
        likely(&after)
    );
    assert!(width(&after) < width(&before));
    let assumed = after["assumed"].as_array().unwrap();
    assert!(assumed.iter().any(|one| one["name"] == "calibrate"));
}

#[test]
fn a_table_of_something_else_is_refused() {
    let context = TestContext::new();
    context.file("other.csv", "a,b\n1,2\n");
    assert_eq!(context.run(&["validate", "--data", "other.csv"]).exit, 1);
    assert_eq!(context.run(&["validate", "--data", "missing.csv"]).exit, 1);
}
