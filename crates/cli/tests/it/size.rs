//! `maat size` and `maat advise`: whole answers in both languages.

use insta::assert_snapshot;

use crate::context::TestContext;

const LLAMA: &str = "meta-llama/Llama-3.1-8B";

#[test]
fn fits() {
    let context = TestContext::new();
    let args = ["size", LLAMA, "--gpu", "RTX 4090", "--users", "8", "--context", "8192"];
    assert_snapshot!("size-fits", context.run(&args));
    assert_snapshot!("size-fits-nl", context.run(&[args.as_slice(), &["--lang", "nl"]].concat()));
}

#[test]
fn does_not_fit() {
    let context = TestContext::new();
    let args = ["size", LLAMA, "--gpu", "RTX 3060", "--lang", "nl"];
    assert_snapshot!("size-does-not-fit-nl", context.run(&args));
}

#[test]
fn the_first_answer_is_short() {
    let context = TestContext::new();
    let is_detail =
        |line: &str| ["Assumed:", "  note:", "  warning:"].iter().any(|label| line.starts_with(label));
    for args in [vec!["size", LLAMA, "--gpu", "RTX 4090"], vec!["advise", LLAMA, "--users", "20"]] {
        let outcome = context.run(&args);
        let details = outcome.stdout.lines().position(is_detail).unwrap();
        assert!(details <= 28, "{args:?}: {details} lines before findings and what was assumed");
        assert!(outcome.stdout.contains("Next:\n"), "{args:?}");
        let widest = outcome.stdout.lines().skip(1).map(|line| line.chars().count()).max().unwrap();
        let commands = |line: &&str| !line.starts_with("    maat ");
        let widest_text =
            outcome.stdout.lines().skip(1).filter(commands).map(|line| line.chars().count()).max();
        assert!(widest_text.unwrap() <= 80, "{args:?}: a line of {widest}");
    }
}

#[test]
fn a_plan_that_cannot_be_is_a_usage_error_that_says_what_to_do() {
    let context = TestContext::new();
    for (args, code) in [
        (vec!["size", LLAMA, "--task", "vision-train"], "task-not-available"),
        (vec!["size", LLAMA, "--users", "0"], "count-zero"),
        (vec!["size", LLAMA, "--users", "-3"], "number-negative"),
        (vec!["size", LLAMA, "--users", "many"], "value-invalid"),
        (vec!["size", LLAMA, "--users", "1", "--users", "2"], "flag-repeated"),
        (vec!["catalogue", "list", "--supports", "fp9"], "number-type-unknown"),
        (vec!["catalogue", "offers", "--kind", "free"], "offer-kind-unknown"),
        (vec!["size", LLAMA, "--engine", "tgi"], "engine-unknown"),
        (vec!["size", LLAMA, "--precision", "int3"], "precision-unknown"),
        (vec!["size", LLAMA, "--ram", "1,5GB"], "number-decimal-comma"),
        (vec!["size", LLAMA, "--optimizer", "adamw"], "flag-of-training"),
        (vec!["size"], "model-missing"),
    ] {
        let outcome = context.run(&[args.as_slice(), &["--json"]].concat());
        assert_eq!(outcome.exit, 2, "{args:?}: {outcome}");
        let json = outcome.json();
        assert_eq!(json["error"]["code"], code, "{args:?}");
        assert!(json["error"]["hint"].is_string(), "{args:?}: {outcome}");
    }
}

/// Models that make or read images: whole answers, and what cannot be.
#[test]
fn images() {
    let context = TestContext::new();
    assert_snapshot!("size-diffusion", context.run(&["size", "sdxl", "--gpu", "RTX 4090"]));
    let short = ["size", "flux.1-dev", "--gpu", "RTX 4090", "--steps", "20", "--lang", "nl"];
    assert_snapshot!("size-diffusion-short-nl", context.run(&short));
    let vision = ["size", "resnet50", "--gpu", "A100 SXM", "--batch", "64"];
    assert_snapshot!("size-vision", context.run(&vision));
    for (args, words) in [
        (["--image-size", "12x"], "12x is no size of an image"),
        (["--image-size", "99999"], "at most 65,536"),
        (["--steps", "0"], "0 is more or less"),
        (["--batch", "18446744073709551615"], "Give 1 to 1,000,000"),
    ] {
        let outcome = context.run(&[&["size", "sdxl", "--gpu", "T4"], args.as_slice()].concat());
        assert!(outcome.stderr.contains(words), "{args:?}: {}", outcome.stderr);
    }
    let unknown = context.run(&["size", "resnet18", "--cpu", "Raspberry Pi 5"]);
    assert!(unknown.stdout.contains("how much there is was not stated (--ram)"), "{}", unknown.stdout);
    let fixed = context.run(&["size", "resnet50", "--image-size", "300"]);
    assert!(fixed.stderr.contains("states its own image size"), "{}", fixed.stderr);
}

/// A larger batch never makes fewer images a second, more steps never more, and a part is held back by its own memory.
#[test]
fn images_follow_their_laws() {
    let context = TestContext::new();
    let rate = |args: &[&str]| -> f64 {
        let machine: &[&str] = if args.contains(&"--gpu") { &[] } else { &["--gpu", "H100 SXM"] };
        let all = [&["size", "sdxl", "--json"], machine, args].concat();
        let answer: serde_json::Value = serde_json::from_str(&context.run(&all).stdout).unwrap();
        answer["speed"]["items_per_s"]["likely"].as_f64().unwrap()
    };
    assert!(rate(&["--batch", "8"]) >= rate(&["--batch", "1"]));
    // Unlike cards make their own images beside each other.
    let of = |gpu: &str| rate(&["--gpu", gpu]);
    let sum = 2.0 * of("RTX 4090") + of("RTX 3060");
    assert!((of("2xRTX 4090+1xRTX 3060") / sum - 1.0).abs() < 1e-9);
    assert!(rate(&["--steps", "20"]) > 2.0 * rate(&["--steps", "50"]));
    assert!(rate(&["--image-size", "512"]) > 2.0 * rate(&[]));
}

/// Flux in 16 bits: 23.8 GB of denoiser and 0.2 of autoencoder; 9.8 GB of encoders wait in host memory. On 24 GB neither
/// fits, on 32 GB the first does, and the answer names that change with a command that fits.
#[test]
fn text_encoders_may_wait_in_host_memory() {
    let context = TestContext::new();
    let answer = |args: &[&str]| -> serde_json::Value {
        let outcome = context.run(&[&["size", "flux.1-dev", "--json"], args].concat());
        serde_json::from_str(&outcome.stdout).unwrap()
    };
    let kept = answer(&["--gpu", "RTX 5090"]);
    assert_eq!(kept["fits"], false);
    assert_eq!(kept["nearest"][0]["change"], "text_encoders");
    assert_eq!(answer(&[])["verdict"]["code"], "no-hardware-given");
    assert_eq!(answer(&["--gpu", "H100 SXM"])["verdict"]["code"], "fits");
    let moved = answer(&["--gpu", "RTX 5090", "--text-encoders", "offload"]);
    assert_eq!(moved["fits"], true);
    let gb = |value: &serde_json::Value| value.as_f64().unwrap() / 1e9;
    assert!((gb(&moved["memory"]["per_accelerator"]["weights_bytes"]) - 23.97).abs() < 0.05);
    assert!((gb(&moved["memory"]["host_ram_bytes"]) - 9.77).abs() < 0.05);
    // What is not loaded reads nothing, and no prompt waits for it.
    let rate = |value: &serde_json::Value| value["speed"]["items_per_s"]["likely"].as_f64().unwrap();
    assert!(rate(&answer(&["--gpu", "RTX 5090", "--text-encoders", "cached"])) > rate(&moved));
}
