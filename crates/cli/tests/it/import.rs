//! `maat catalogue import`.

use crate::context::TestContext;

const LIST: &str = "provider,gpu,price_per_hour\nneo,L4,0.10\n";
const DAY: [&str; 2] = ["--as-of", "2026-11-30"];

fn cheapest(context: &TestContext) -> (String, f64) {
    let json = context.run(&["catalogue", "offers", "--gpu", "L4", "--json"]).json();
    let first = &json["offers"][0];
    (first["provider"].as_str().unwrap().to_owned(), first["hourly"].as_f64().unwrap())
}

#[test]
fn imported_prices_are_used_from_then_on() {
    let context = TestContext::new();
    context.file("list.csv", LIST);
    let before = cheapest(&context);
    let outcome = context.run(&["catalogue", "import", "list.csv", DAY[0], DAY[1]]);
    assert_eq!(outcome.exit, 0, "{outcome}");
    assert_ne!(cheapest(&context), before);
    assert_eq!(cheapest(&context), ("neo".to_owned(), 0.10));
    let newer = LIST.replace("0.10", "0.05");
    let again =
        context.run_with_input(&["catalogue", "import", "-", "--as-of", "2026-12-01"], newer.as_bytes());
    assert_eq!(again.exit, 0, "{again}");
    assert_eq!(cheapest(&context).1, 0.05);
    // History keeps both days.
    for (day, price) in [("2026-11-30", "0.1"), ("2026-12-01", "0.05")] {
        let path = context.path(&format!(".local/share/maatwerk/history/{day}/offers/neo.csv"));
        assert!(std::fs::read_to_string(path).unwrap().contains(price), "{day}");
    }
}

#[test]
fn a_broken_import_changes_nothing() {
    let context = TestContext::new();
    context.file("list.csv", LIST);
    assert_eq!(context.run(&["catalogue", "import", "list.csv", DAY[0], DAY[1]]).exit, 0);
    for broken in ["", "a,b\n1,2\n", "provider,gpu,price_per_hour\nneo,L4,timeout\n"] {
        let outcome = context.run_with_input(&["catalogue", "import", "-"], broken.as_bytes());
        assert_eq!(outcome.exit, 1, "{outcome}");
        assert_eq!(cheapest(&context), ("neo".to_owned(), 0.10));
    }
    let dry = LIST.replace("0.10", "0.01");
    assert_eq!(context.run_with_input(&["catalogue", "import", "-", "--dry-run"], dry.as_bytes()).exit, 0);
    assert_eq!(cheapest(&context).1, 0.10);
    assert_eq!(context.run(&["catalogue", "import", "missing.csv"]).exit, 1);
    let left: Vec<_> = std::fs::read_dir(context.path(".local/share/maatwerk")).unwrap().collect();
    assert_eq!(left.len(), 2, "facts and history, and nothing half done");
}

/// The price of a provider that imports kept on two days, beside the built-in ones; a folder that cannot be read is
/// named and left out.
#[test]
fn what_imports_kept_is_shown_over_time() {
    let context = TestContext::new();
    for (day, price) in [("2026-09-01", "2.00"), ("2026-11-30", "1.50")] {
        let list = format!("provider,gpu,price_per_hour,date\nneo,H100 SXM,{price},{day}\n");
        let outcome = context.run_with_input(&["catalogue", "import", "-", "--as-of", day], list.as_bytes());
        assert_eq!(outcome.exit, 0, "{outcome}");
    }
    let ask = ["catalogue", "history", "H100 SXM", "--provider", "neo", "--json"];
    let json = context.run(&ask).json();
    let series = json["series"].as_array().unwrap();
    assert_eq!(series.len(), 1, "{json}");
    let medians: Vec<_> =
        series[0]["points"].as_array().unwrap().iter().map(|point| &point["median"]).collect();
    assert_eq!(medians, [2.0, 1.5]);
    assert_eq!(series[0]["same_providers_change"], -0.25);
    std::fs::create_dir_all(context.path(".local/share/maatwerk/history/2026-10-01")).unwrap();
    let json = context.run(&ask).json();
    assert_eq!(json["findings"][0]["code"], "history-unreadable");
    assert_eq!(json["series"].as_array().unwrap().len(), 1);
    let since = context.run(&[ask.as_slice(), &["--since", "2026-11-01"]].concat()).json();
    assert_eq!(since["series"][0]["points"].as_array().unwrap().len(), 1);
    assert_eq!(context.run(&["catalogue", "history", "H100", "--since", "autumn"]).exit, 2);
    assert_eq!(context.run(&["catalogue", "history", "no such part"]).exit, 1);
    let html = context.run(&["catalogue", "history", "RTX 4090", "--format", "html"]).stdout;
    assert!(html.contains("<polyline"), "a course over time");
}
