//! The whole server: one scarce part, what is left of the others, until when it will do, and the common mistakes.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use maat_advise::{AdviseRequest, ServerView, SizeBody, SizeRequest, World, advise, size};
use maat_base::Answer;
use maat_catalogue::Catalogue;
use maat_estimate::Rules;
use serde_json::{Value, json};

fn with_world<T>(work: impl FnOnce(&World) -> T) -> T {
    let (catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
    work(&World {
        catalogue: &catalogue,
        rules: &rules,
        as_of: None,
        currency: None,
        explain: false,
        eur_per_usd: None,
    })
}

fn sized(mut request: Value) -> Answer<SizeBody> {
    if request.get("model").is_none() {
        request["model"] = json!("meta-llama/Llama-3.1-8B");
    }
    let request: SizeRequest = serde_json::from_value(request).unwrap();
    with_world(|world| size(&request, world).unwrap())
}

fn advised(request: Value) -> maat_advise::AdviseBody {
    let request: AdviseRequest = serde_json::from_value(request).unwrap();
    with_world(|world| advise(&request, world).unwrap().body)
}

fn codes(answer: &Answer<SizeBody>) -> Vec<&str> {
    answer.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

/// The limiting part has the least left, and stands apart from the others.
fn is_sound(view: &ServerView) {
    assert!(view.slack.iter().all(|slack| slack.part != view.limiting), "{view:?}");
    assert!(view.slack.iter().filter_map(|slack| slack.share).all(|share| share >= view.limiting_share));
}

/// Four cards at x16 and a drive at x4 use 68 lanes; a desktop's processor has 28 (AM5).
#[test]
fn lanes_of_a_desktop_are_scarce() {
    let answer = sized(json!({"gpu": ["4x RTX 4090"], "cpu": "Ryzen 9 7950X", "tp": 4}));
    let view = answer.body.server.as_ref().unwrap();
    is_sound(view);
    assert_eq!(view.limiting, "pcie_lanes");
    assert!((view.limiting_share - (1.0 - 68.0 / 28.0)).abs() < 1e-9);
    assert!(codes(&answer).contains(&"pcie-lanes-short"));
    // One copy on each card sends tokens only.
    let copies = sized(json!({"gpu": ["4x RTX 4090"], "cpu": "Ryzen 9 7950X", "replicas": 4, "users": 4}));
    assert!(!codes(&copies).contains(&"pcie-lanes-short"), "{:?}", codes(&copies));
}

/// Four RTX 4090 of 450 W and their host draw more than 1.6 kW, and one fits it.
#[test]
fn supplies_are_judged_by_what_the_node_takes() {
    let four = sized(json!({"gpu": ["4x RTX 4090"], "psu": "1600W"}));
    let finding = four.findings.iter().find(|finding| finding.code == "psu-too-small").unwrap();
    assert_eq!(finding.severity, maat_base::Severity::Error);
    assert!(!finding.evidence.is_empty() && finding.fix.is_some());
    assert!(!codes(&sized(json!({"gpu": ["RTX 4090"], "psu": "1000W"}))).contains(&"psu-too-small"));
    // MIC-DKFZ/nnUNet issue 527: a card of 350 W ran, one of 370 W crashed until it was fed from two rails.
    assert!(codes(&sized(json!({"gpu": ["RTX 3090 Ti"], "psu": "1400W"}))).contains(&"psu-rail-limit"));
    let limited = sized(json!({"gpu": ["RTX 3090"], "psu": "1400W", "power_limit": "300W"}));
    assert!(!codes(&limited).contains(&"psu-rail-limit"));
}

#[test]
fn disks_and_networks_are_judged_by_what_goes_through_them() {
    let small = sized(json!({"gpu": ["RTX 4090"], "disk": "20GB", "storage": "30MB/s"}));
    // 16.06 GB of weights: twice that is not there, and 30 MB/s take nine minutes.
    assert!(codes(&small).contains(&"storage-too-small") && codes(&small).contains(&"storage-too-slow"));
    let request = |network: &str| {
        sized(json!({"task": "full", "gpu": ["8x H100 SXM"], "nodes": 4, "network": network, "zero": 3}))
    };
    let slow = request("40GbE");
    assert_eq!(slow.body.server.as_ref().unwrap().limiting, "network");
    assert!(codes(&slow).contains(&"network-too-slow"));
    assert!(!codes(&request("8x400Gb")).contains(&"network-too-slow"));
    // Weights of 16.06 GB are gathered twice and as many gradients spread, in each of four micro-batches of 32 sequences:
    // 3/4 of that passes between four nodes.
    let rate = slow.body.network.as_ref().unwrap().between_bytes_per_s_needed.unwrap();
    let volume = 4.0 * 0.75 * 3.0 * 16.06e9;
    assert!((0.5..2.0).contains(&(volume / rate)), "{rate}: less than a second of work on each rank");
}

#[test]
fn too_little_memory_comes_with_a_way_out() {
    let answer = sized(json!({"model": "meta-llama/Llama-3.1-70B", "gpu": ["RTX 4090"]}));
    let finding = answer.findings.iter().find(|finding| finding.code == "vram-too-small").unwrap();
    assert!(finding.fix.is_some() && !finding.commands.is_empty());
    assert!(answer.body.server.is_none());
}

/// `ln(headroom) / ln(growth)` years; a faster growth ends sooner, and none never.
#[test]
fn growth_becomes_a_date() {
    let body = |growth: Option<&str>| {
        let mut request = json!({"model": "meta-llama/Llama-3.1-8B", "users": 10, "gpu": ["RTX 4090"]});
        if let Some(growth) = growth {
            request["growth"] = json!(growth);
        }
        advised(request).server.unwrap()
    };
    let (slow, fast) = (body(Some("1.5x/year")), body(Some("4x/year")));
    is_sound(&slow);
    assert!(slow.fits_until.unwrap() > fast.fits_until.unwrap());
    assert!(slow.headroom.unwrap() > 1.0);
    assert!(body(None).fits_until.is_none());
}

/// What nobody can buy yet is no reason to wait.
#[test]
fn announced_parts_are_not_waited_for() {
    let request: AdviseRequest =
        serde_json::from_value(json!({"model": "meta-llama/Llama-3.1-8B", "gpu": ["Rubin"]})).unwrap();
    let answer = with_world(|world| advise(&request, world).unwrap());
    let finding = answer.findings.iter().find(|finding| finding.code == "waiting-for-part").unwrap();
    assert!(finding.evidence.iter().any(|evidence| evidence.what == "candidate"));
}

#[test]
fn software_that_left_a_part_behind_is_said() {
    let old = sized(json!({"gpu": ["Tesla P40"], "precision": "q4_K_M", "engine": "llamacpp"}));
    assert!(codes(&old).contains(&"software-left-behind"));
    assert!(!codes(&sized(json!({"gpu": ["RTX 4090"]}))).contains(&"software-left-behind"));
}

/// What goes straight from card to card is never slower than what goes by host memory.
#[test]
fn a_bridge_between_cards_does_not_slow_them() {
    let decode = |link: &str| {
        let request = json!({"model": "Qwen/Qwen3-32B", "precision": "awq", "gpu": ["2x RTX 3090"], "tp": 2, "link": link});
        sized(request).body.speed.unwrap().decode_tokens_per_s.unwrap().likely
    };
    assert!(decode("nvlink") >= decode("pcie4x16"));
    assert!(decode("pcie4x16") >= decode("pcie3x8"));
}

/// A card against its slices, a mixed pair against its better half, a limit against none.
#[test]
fn what_competes_stands_beside_each_other() {
    let of = |request: Value, what: &str| {
        let body = sized(request).body;
        body.comparisons.into_iter().find(|one| one.what == what).unwrap()
    };
    let slices =
        of(json!({"model": "Qwen/Qwen2.5-3B", "gpu": ["H100 NVL:1g.12gb"], "users": 2}), "slices_or_card");
    assert!(slices.sides[0].name.starts_with("7x ") && slices.sides[1].users == 14);
    let mixed = of(
        json!({"model": "10.7B", "precision": "q4_0", "gpu": ["RTX 3090 + RTX 2060"], "engine": "llamacpp"}),
        "mixed_or_alone",
    );
    // ollama/ollama issue 1656: the 3090 alone is faster than with a 2060 beside it.
    assert_eq!(mixed.better, Some(1));
    let limit = of(json!({"gpu": ["RTX 3090"], "precision": "q4_K_M", "engine": "llamacpp"}), "power_limit");
    let rate = |side: usize| limit.sides[side].throughput_tokens_per_s.unwrap().likely;
    assert!(rate(0) <= rate(1) && rate(0) > 0.7 * rate(1));
}
