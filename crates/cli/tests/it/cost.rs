//! `maat cost`.

use insta::assert_snapshot;

use crate::context::TestContext;

/// A request with every input given, so that new prices in the facts do not change the answer.
const GIVEN: [&str; 28] = [
    "cost",
    "rent-or-buy",
    "--gpu",
    "8x H100 SXM",
    "--rent",
    "2.90/h",
    "--buy",
    "260000",
    "--utilisation",
    "60%",
    "--years",
    "3",
    "--power",
    "8kW",
    "--idle-power",
    "2500W",
    "--tariff",
    "0.20",
    "--pue",
    "1.3",
    "--residual",
    "25%",
    "--discount",
    "8%",
    "--staff",
    "0.2",
    "--staff-cost",
    "100000",
];

fn given<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let own =
        ["--maintenance", "5%", "--failures", "0%", "--colo", "150", "--rent-path", "0%", "--vat", "0%"];
    GIVEN.iter().chain(&own).chain(more).copied().collect()
}

#[test]
fn rent_or_buy_in_both_languages() {
    let context = TestContext::new();
    assert_snapshot!("cost-rent-or-buy", context.run(&given(&[])));
    assert_snapshot!("cost-rent-or-buy-nl", context.run(&given(&["--lang", "nl", "--currency", "EUR"])));
}

#[test]
fn with_every_input_given_nothing_is_assumed() {
    let json = TestContext::new().run(&given(&["--json"])).json();
    assert_eq!(json["assumed"].as_array().map(Vec::len), Some(0), "{}", json["assumed"]);
    assert_eq!(json["verb"], "cost rent-or-buy");
    assert_eq!(json["verdict"]["ok"], true);
    assert_eq!(json["rent_per_accelerator_hour"], 2.9);
    assert_eq!(json["used_hours"], 15768.0);
}

#[test]
fn the_smallest_question_is_answered_with_its_assumptions() {
    let context = TestContext::new();
    for args in [
        vec!["cost", "rent-or-buy", "--gpu", "8x H100 SXM"],
        vec!["cost", "rent-or-buy", "--gpu", "2x RTX 4090", "--lang", "nl", "--currency", "EUR"],
        vec!["cost", "rent-or-buy", "--gpu", "8x H100 SXM", "--nodes", "125", "--explain"],
    ] {
        let outcome = context.run(&args);
        assert_eq!(outcome.exit, 0, "{outcome}");
        for line in outcome.stdout.lines().skip(1) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        // No identifier of a message stands where a sentence should.
        assert!(!outcome.stdout.contains("-cost-") && !outcome.stdout.contains("cost-"), "{outcome}");
    }
}

/// A thousand accelerators draw more than 1 MW: three rules are named.
#[test]
fn thresholds_of_power_are_named() {
    let json = TestContext::new()
        .run(&["cost", "rent-or-buy", "--gpu", "8x H100 SXM", "--nodes", "125", "--json"])
        .json();
    let rules = json["findings"].as_array().unwrap().iter().filter(|one| one["code"] == "power-threshold");
    assert_eq!(rules.count(), 3);
}

#[test]
fn absurd_inputs_are_exit_2() {
    let context = TestContext::new();
    for more in [
        ["--rent", "-2.90/h"],
        ["--rent", "0"],
        ["--rent", "2,90"],
        ["--buy", "NaN"],
        ["--utilisation", "140%"],
        ["--utilisation", "-5%"],
        ["--years", "0"],
        ["--years", "-3"],
        ["--pue", "0.3"],
        ["--discount", "-1%"],
    ] {
        let mut args = vec!["cost", "rent-or-buy", "--gpu", "H100 SXM", "--json"];
        args.extend(more);
        let outcome = context.run(&args);
        assert_eq!(outcome.exit, 2, "{more:?}: {outcome}");
        let error = &outcome.json()["error"];
        assert_eq!(error["where"], more[0], "{error}");
        assert!(error["hint"].is_string(), "{error}");
    }
}

#[test]
fn from_an_answer_of_advise() {
    let context = TestContext::new();
    let advice = r#"{"candidates": [
        {"machine": {"name": "2x RTX 4090"}, "cost": {"basis": "rent", "hourly": 0.7, "currency": "USD"}},
        {"machine": {"name": "2x RTX 4090"}, "cost": {"basis": "own", "purchase": 7760, "currency": "USD"}}]}"#;
    let args = ["cost", "rent-or-buy", "--from", "-", "--utilisation", "100%", "--bare", "--json"];
    let piped = context.run_with_input(&args, advice.as_bytes());
    assert_eq!(piped.exit, 0, "{piped}");
    let json = piped.json();
    assert_eq!(json["accelerators"], 2);
    assert!((json["break_even"]["used_hours"].as_f64().unwrap() - 7760.0 / 0.7).abs() < 1e-6);
    let file = context.file("answer.json", advice);
    let args = args.map(|arg| if arg == "-" { file.to_str().unwrap() } else { arg });
    assert_eq!(context.run(&args).json(), json);
    let broken = context.run_with_input(&["cost", "rent-or-buy", "--from", "-"], b"{");
    assert_eq!(broken.exit, 1, "{broken}");
}

#[test]
fn electricity_and_per_tflop() {
    let context = TestContext::new();
    let args = ["cost", "electricity", "--gpu", "B200", "--utilisation", "60%", "--tariff", "0.10"];
    assert_snapshot!("cost-electricity", context.run(&args));
    assert_snapshot!(
        "cost-per-tflop-nl",
        context.run(&["cost", "per-tflop", "--preset", "guide", "--lang", "nl"])
    );
    let csv = context.run(&["cost", "per-tflop", "--preset", "guide", "--format", "csv"]).stdout;
    assert!(csv.starts_with("rank,name,price_per_hour,quantity,per_unit_hour,"), "{csv}");
}

/// 8 kW at 60 % and 2.5 kW else, PUE 1.3, 8,760 hours: 66,050 kWh; at 250 g that is 16,513 kg a year, and 1,500 kg of
/// making for two years.
#[test]
fn carbon_of_use_and_making() {
    let context = TestContext::new();
    let args = [
        "cost",
        "carbon",
        "--power",
        "8kW",
        "--idle-power",
        "2500W",
        "--utilisation",
        "60%",
        "--pue",
        "1.3",
        "--grid",
        "250",
        "--embodied",
        "1500",
        "--years",
        "2",
        "--json",
    ];
    let json = context.run(&args).json();
    let kwh = (8.0 * 0.6 + 2.5 * 0.4) * 1.3 * 8760.0;
    let close = |field: &str, expected: f64| {
        let found = json[field].as_f64().unwrap();
        assert!((found / expected - 1.0).abs() < 1e-9, "{field}: {found}, expected {expected}");
    };
    close("kwh_per_year", kwh);
    close("operation_kgco2e_per_year", kwh * 0.25);
    close("total_kgco2e", kwh * 0.25 * 2.0 + 1500.0);
    close("per_used_hour_kgco2e", (kwh * 0.25 * 2.0 + 1500.0) / (2.0 * 8760.0 * 0.6));
    assert_eq!(json["assumed"].as_array().map(Vec::len), Some(0));
    for country in ["NL", "nld", "Netherlands"] {
        let json =
            context.run(&["cost", "carbon", "--gpu", "H100 SXM", "--country", country, "--json"]).json();
        assert_eq!(json["country"], "Netherlands", "{json}");
    }
    assert_eq!(context.run(&["cost", "carbon", "--gpu", "H100", "--country", "Atlantis"]).exit, 2);
}

/// The same job on another machine takes its own time, so the cost is not the ratio of the rents.
#[test]
fn a_job_takes_its_own_time_on_each_machine() {
    let context = TestContext::new();
    let args = [
        "cost",
        "job",
        "llama-3.1-8b",
        "--task",
        "batch",
        "--tokens",
        "40M",
        "--gpu",
        "RTX 4090",
        "--versus",
        "H100 SXM",
        "--json",
    ];
    let json = context.run(&args).json();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let hours = row["time_s"]["likely"].as_f64().unwrap() / 3600.0;
        let cost = row["rent_per_hour"].as_f64().unwrap() * hours;
        assert!((row["rent"].as_f64().unwrap() / cost - 1.0).abs() < 1e-9, "{row}");
        assert!(row["rent_range"][0].as_f64() < row["rent"].as_f64(), "{row}");
    }
    assert_ne!(rows[0]["time_s"]["likely"], rows[1]["time_s"]["likely"]);
    for (more, flag) in [(vec!["--gpu", "L4"], "--tokens"), (vec!["--tokens", "1M"], "--gpu")] {
        let mut args = vec!["cost", "job", "llama-3.1-8b", "--json"];
        args.extend(more);
        let outcome = context.run(&args);
        assert_eq!(outcome.exit, 2, "{outcome}");
        assert_eq!(outcome.json()["error"]["where"], flag);
    }
}

/// 200 million tokens, four in five of them prompts, at 0.25 and 0.50 a million: 60 dollars a month.
#[test]
fn tokens_of_ones_own_against_an_api() {
    let context = TestContext::new();
    let ask = |tokens: &str| {
        let args = [
            "cost",
            "own-or-api",
            "llama-3.1-8b",
            "--gpu",
            "RTX 4090",
            "--users",
            "16",
            "--rent",
            "0.40/h",
            "--buy",
            "2500",
            "--api-input",
            "0.25/M",
            "--api-output",
            "0.50/M",
            "--tokens-per-month",
            tokens,
            "--json",
        ];
        context.run(&args).json()
    };
    let few = ask("200M");
    assert!((few["api"]["per_month"].as_f64().unwrap() - 60.0).abs() < 1e-9, "{few}");
    assert!((few["rent_per_month"].as_f64().unwrap() - 292.0).abs() < 1e-9, "{few}");
    assert_eq!(few["verdict"]["code"], "api");
    assert_eq!(few["machines"], 1);
    assert_ne!(ask("2B")["verdict"]["code"], "api");
}

/// A workbook is a ZIP that holds the inputs as numbers and the totals as formulas with their values.
#[test]
fn a_workbook_with_live_formulas() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_maat"))
        .args(given(&["--format", "xlsx"]))
        .env_clear()
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"PK\x03\x04"));
    let text = String::from_utf8_lossy(&output.stdout);
    let json = TestContext::new().run(&given(&["--json"])).json();
    assert!(text.contains("<f>SUM(Months!K2:K98)</f>"), "the rent of all months");
    assert!(text.contains(&format!("<v>{}</v>", json["total_own"])), "its value now");
    assert_eq!(
        TestContext::new().run(&["cost", "electricity", "--power", "1kW", "--format", "xlsx"]).exit,
        2
    );
}
