//! `maat diagnose`.

use insta::assert_snapshot;
use serde_json::Value;

use crate::context::TestContext;

/// An own input of the diagnosis.
macro_rules! own {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../diagnose/tests/classes/", $name))
    };
}

#[test]
fn a_cause_with_its_proofs_in_both_languages() {
    let context = TestContext::new();
    context.file("paste.txt", own!("cpu-oversubscription/proves.txt"));
    assert_snapshot!(context.run(&["diagnose", "paste.txt"]));
    assert_snapshot!(context.run(&["diagnose", "paste.txt", "--lang", "nl"]));
}

#[test]
fn errors_are_exit_5_and_say_where_they_were_read() {
    let context = TestContext::new();
    let outcome = context.run_with_input(
        &["diagnose", "-", "--json"],
        own!("vram-insufficient-offload/proves.txt").as_bytes(),
    );
    assert_eq!(outcome.exit, 5);
    let json = outcome.json();
    assert_eq!(json["verdict"]["code"], "vram-insufficient-offload");
    assert_eq!(json["verdict"]["ok"], false);
    let finding = &json["findings"][0];
    assert_eq!(finding["severity"], "error");
    let places: Vec<&str> =
        finding["evidence"].as_array().unwrap().iter().filter_map(|one| one["where"].as_str()).collect();
    assert!(places.contains(&"-:5"), "{places:?}");
    for field in ["subject", "message", "refuted_by", "fix", "commands", "source"] {
        assert!(!finding[field].is_null(), "{field}");
    }
    assert_eq!(
        context
            .run_with_input(
                &["diagnose", "-", "--fail-on", "never"],
                own!("vram-insufficient-offload/proves.txt").as_bytes()
            )
            .exit,
        0
    );
}

#[test]
fn too_little_data_is_exit_0_and_says_what_to_run() {
    let context = TestContext::new();
    context.file("numactl.txt", "available: 1 nodes (0)\nnode 0 cpus: 0 1\nnode 0 size: 21209 MB\n");
    let outcome = context.run(&["diagnose", "numactl.txt", "--json"]);
    assert_eq!(outcome.exit, 0);
    let json = outcome.json();
    assert_eq!(json["verdict"]["code"], "not-enough-data");
    assert_eq!(json["verdict"]["ok"], Value::Null);
    let commands: Vec<&str> =
        json["ask"].as_array().unwrap().iter().filter_map(|ask| ask["command"].as_str()).collect();
    assert!(commands.iter().any(|command| command.starts_with("nvidia-smi --query-gpu=")), "{commands:?}");
    assert!(commands.iter().any(|command| command.starts_with("vmstat")), "{commands:?}");
}

#[test]
fn nothing_wrong_is_healthy_and_silent() {
    let context = TestContext::new();
    context.file("idle.txt", own!("healthy/idle-p8-gen1.txt"));
    let json = context.run(&["diagnose", "idle.txt", "--json"]).json();
    assert_eq!(json["verdict"]["code"], "healthy");
    assert_eq!(json["verdict"]["ok"], true);
    assert_eq!(json["findings"], Value::Array(Vec::new()));
    // An info finding does not make the verdict.
    context.file("decode.txt", own!("memory-bandwidth/proves.txt"));
    let json = context.run(&["diagnose", "decode.txt", "--json"]).json();
    assert_eq!(
        (json["verdict"]["code"].as_str(), json["findings"][0]["code"].as_str()),
        (Some("healthy"), Some("memory-bandwidth"))
    );
}

#[test]
fn unknown_content_is_exit_1_and_no_file_is_exit_2() {
    let context = TestContext::new();
    context.file("noise", [0u8, 159, 146, 150, 1, 2, 3]);
    let outcome = context.run(&["diagnose", "noise", "--json"]);
    assert_eq!(outcome.exit, 1);
    assert_eq!(outcome.json()["error"]["code"], "input-not-recognised");
    assert_eq!(context.run(&["diagnose"]).exit, 2);
    assert_eq!(context.run(&["diagnose", "--kind", "nonsense", "noise"]).exit, 2);
    assert_eq!(context.run(&["diagnose", "missing.txt"]).exit, 1);
}

#[test]
fn a_watch_can_be_kept_and_read_again() {
    let context = TestContext::new();
    let outcome = context.run(&[
        "diagnose",
        "--watch",
        "300ms",
        "--record",
        "kept.txt",
        "--json",
        "--fail-on",
        "never",
    ]);
    assert_eq!(outcome.exit, 0, "{}", outcome.stderr);
    assert_eq!(outcome.json()["files"][0]["kinds"][0], "watch");
    let again = context.run(&["diagnose", "kept.txt", "--json"]).json();
    assert_eq!(again["files"][0]["kinds"][0], "maat-samples");
}

/// A loop of steps of 100 kernels of 20 µs; before each, the loader takes `loader` µs.
fn steps(loader: u32) -> String {
    let mut events = Vec::new();
    let names = ["sm80_xmma_gemm_bf16bf16_bf16f32", "flash_fwd_kernel", "vectorized_elementwise_kernel"];
    let mut event = |category: &str, name: &str, (ts, dur): (u32, u32), number: u32| {
        events.push(format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":{dur},"args":{{"stream":7,"correlation":{number}}}}}"#
        ));
    };
    for step in 0..4 {
        let start = step * (2000 + loader);
        event("user_annotation", &format!("ProfilerStep#{step}"), (start, 2000 + loader), 0);
        event("user_annotation", "enumerate(DataLoader)#X.__next__", (start, loader), 0);
        for index in 0..100 {
            let number = step * 100 + index + 1;
            event("cuda_runtime", "cudaLaunchKernel", (start + loader + index * 4, 3), number);
            event("kernel", names[index as usize % 3], (start + loader + index * 20, 20), number);
        }
    }
    format!("{{\"schemaVersion\":1,\"traceEvents\":[{}]}}", events.join(","))
}

#[test]
fn a_trace_is_compared_with_an_earlier_one() {
    let context = TestContext::new();
    context.file("before.json", steps(1000));
    context.file("after.json", steps(200));
    let outcome = context.run(&["diagnose", "after.json", "--against", "before.json", "--json"]);
    assert_eq!(outcome.exit, 0, "{outcome}");
    let json = outcome.json();
    let diff = &json["diff"];
    assert_eq!(diff["outcome"], "faster");
    assert_eq!((diff["before_us"].as_f64(), diff["after_us"].as_f64()), (Some(3000.0), Some(2200.0)));
    assert!((diff["saved_share"].as_f64().unwrap() - 800.0 / 3000.0).abs() < 1e-9);
    assert_eq!(diff["common_share"], 1.0);
    let text = json["verdict"]["text"].as_str().unwrap();
    assert!(
        text.starts_with(
            "Faster: a step takes 2.20 ms instead of 3.00 ms (27% less), because waiting for the loader takes"
        ),
        "{text}"
    );
    assert_eq!(json["verdict"]["code"], "data-loader-wait", "the verdict is on what is now");
    let parts = diff["parts"].as_array().unwrap();
    let sum: f64 = parts.iter().map(|part| part["change_us"].as_f64().unwrap()).sum();
    assert!((sum + 800.0).abs() < 1e-6, "the parts add up to the change: {sum}");
    assert_snapshot!(context.run(&["diagnose", "after.json", "--against", "before.json"]));
    let back = context.run(&["diagnose", "before.json", "--against", "after.json", "--lang", "nl"]);
    assert!(
        back.stdout.starts_with("Trager: een stap duurt 3,00 ms in plaats van 2,20 ms (36% meer), doordat"),
        "{back}"
    );
    let same = context.run(&["diagnose", "after.json", "--against", "after.json", "--json"]).json();
    assert_eq!(same["diff"]["outcome"], "same");
    context.file("vmstat.txt", "procs\n");
    let wrong = context.run(&["diagnose", "after.json", "--against", "vmstat.txt", "--json"]);
    assert_eq!((wrong.exit, wrong.json()["error"]["code"].as_str()), (2, Some("against-needs-traces")));
}

#[test]
fn folders_and_standard_input_are_read_as_files_are() {
    let context = TestContext::new();
    for rank in 0..2 {
        let text = steps(200 + 600 * rank);
        let head = format!("{{\"distributedInfo\":{{\"rank\":{rank},\"world_size\":2}},");
        context.file(&format!("ranks/rank{rank}.json"), text.replacen('{', &head, 1));
    }
    context.file("ranks/.hidden", "x");
    let json = context.run(&["diagnose", "ranks", "--json"]).json();
    assert_eq!(json["files"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["comparison"]["slowest"], 1);
    let piped = context.run_with_input(&["diagnose", "-", "--json"], steps(1000).as_bytes()).json();
    assert_eq!(piped["trace"]["device_kernels"], 400);
    let mixed = context.run(&["diagnose", "ranks/rank1.json", "ranks/.hidden", "--json"]).json();
    assert_eq!((mixed["trace"]["steps"].as_u64(), mixed["files"][1]["items"].as_u64()), (Some(4), Some(0)));
    std::fs::create_dir_all(context.path("empty")).unwrap();
    assert_eq!(context.run(&["diagnose", "empty", "--json"]).json()["error"]["code"], "folder-empty");
}

#[test]
fn a_cut_trace_gives_what_came_before() {
    let context = TestContext::new();
    let text = steps(1000);
    context.file("cut.json", &text[..text.len() / 2]);
    let outcome = context.run(&["diagnose", "cut.json", "--json"]);
    assert_eq!(outcome.exit, 0, "{outcome}");
    let json = outcome.json();
    assert_eq!(json["verdict"]["code"], "trace-incomplete");
    assert_eq!(json["trace"]["damage"]["code"], "trace-ends-early");
    context.file("whole.json", &text);
    let diff = context.run(&["diagnose", "whole.json", "--against", "cut.json", "--json"]).json();
    assert_eq!(diff["diff"]["outcome"], "unknown", "a part is no measure of the whole");
    assert!((300..=500).contains(&json["trace"]["events"].as_u64().unwrap()), "{}", json["trace"]["events"]);
    context.file("stub.json", "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\"");
    assert_eq!(context.run(&["diagnose", "stub.json"]).exit, 1);
}

/// A secret in every field that a profiler or its user can fill, in names of files, and in each format.
#[test]
fn a_redacted_trace_says_neither_who_nor_where() {
    let context = TestContext::new();
    let secret = "alice_7fgpubox";
    let planted = |loader| {
        let text = steps(loader);
        let head = format!(
            r#"{{"host_name":"{secret}","username":"{secret}","{secret}":{{"HF_TOKEN":"{secret}"}},"traceName":"/home/{secret}/t.json",
            "deviceProperties":[{{"id":0,"name":"{secret}"}}],"distributedInfo":{{"rank":0,"backend":"{secret}","pg_config":["{secret}"]}},"#
        );
        text.replacen('{', &head, 1)
            .replace("sm80_xmma_gemm_bf16bf16_bf16f32", &format!("sm80_xmma_gemm_{secret}"))
            .replace("DataLoader)#X", &format!("DataLoader)#{secret}"))
            .replace("\"args\":{", &format!("\"args\":{{\"{secret}\":\"{secret}\",\"kernel_file\":\"/home/{secret}/k.py\","))
            .replacen("\"ph\":\"X\"", &format!("\"ph\":\"X\",\"{secret}\":\"{secret}\""), 40)
            .replacen("\"traceEvents\":[", &format!("\"traceEvents\":[{{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"{secret}\",\"ts\":0,\"dur\":9}},{{\"ph\":\"M\",\"name\":\"process_name\",\"args\":{{\"name\":\"{secret}\"}}}},"), 1)
    };
    let (after, before) = (format!("{secret}/after.json"), format!("{secret}-before.json"));
    context.file(&after, planted(200));
    context.file(&before, planted(1000));
    context.file(&format!("{secret}-cut.json"), &planted(200)[..20_000]);
    let cut = format!("{secret}-cut.json");
    let missing = format!("{secret}-missing.json");
    for format in ["table", "json", "csv", "md", "html"] {
        for args in [
            vec![after.as_str(), "--against", before.as_str()],
            vec![secret],
            vec![cut.as_str()],
            vec![missing.as_str()],
        ] {
            let args = [vec!["diagnose", "--redact", "--explain", "--format", format], args].concat();
            let outcome = context.run(&args);
            assert!(outcome.exit <= 1, "{outcome}");
            for word in [secret, "alice", "gpubox", "/home"] {
                assert!(!format!("{outcome}").contains(word), "{word} in {outcome}");
            }
        }
    }
    let json =
        context.run(&["diagnose", "--redact", after.as_str(), "--against", before.as_str(), "--json"]).json();
    assert_eq!(json["diff"]["outcome"], "faster", "{}", json["diff"]);
    assert_eq!(json["diff"]["common_share"], 1.0, "replaced names are the same in both traces");
}
