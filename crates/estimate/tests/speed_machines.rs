//! Speeds and needs on machines of several kinds: links, hosts, power.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

mod common;

use common::{Case, accelerator};
use maat_catalogue::{Link, Network, StorageKind};
use maat_estimate::{Bound, Engine, Memory, needs};
use maat_model::{Options, open};

fn pcie() -> Link {
    Link { name: "PCIe 4.0 x16".into(), bytes_per_s: 31.5e9, switched: false, peer_to_peer: false }
}

/// Four cards on PCIe without peer access: four copies give more tokens than one copy on four cards, as measured on four
/// RTX 3090 (3,425 against 1,007 tokens/s); one user gets an answer sooner from the split copy.
#[test]
fn replicas_win_throughput_and_splits_win_latency() {
    let at = |tp, replicas, users| {
        let mut case = Case::new(accelerator("Ampere", "GDDR6X", 936e9, 71e12));
        case.machine.slots[0].count = 4;
        case.machine.link = Some(pcie());
        case.plan.parallel.tp = tp;
        case.plan.parallel.replicas = replicas;
        case.work.users = users;
        case.speed().unwrap()
    };
    let copies = at(1, 4, 64).throughput_tokens_per_s.unwrap().likely;
    let split = at(4, 1, 64).throughput_tokens_per_s.unwrap().likely;
    assert!(copies > 1.5 * split, "{copies} {split}");
    assert!(at(4, 1, 1).tpot_s.unwrap().likely < at(1, 4, 1).tpot_s.unwrap().likely);
}

/// One user keeps one of eight copies busy: the seven others draw as idle cards do (at most 20 % of 700 W each).
#[test]
fn copies_without_a_user_draw_as_idle_cards() {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.plan.parallel.replicas = 8;
    case.machine.slots[0].count = 8;
    let power = |case: &Case| {
        let needs = needs(&case.job(), &Memory::default(), &case.speed().unwrap());
        (needs.power.node_w.unwrap(), needs.host.cpu_cores_needed.unwrap())
    };
    let (one, cores) = power(&case);
    assert!(one.low > 8.0 * 0.06 * 700.0 && one.likely < 700.0 + 7.0 * 0.2 * 700.0 + 200.0, "{one:?}");
    // Each copy has its engine, whether anybody uses it or not.
    assert_eq!(cores, 10.0);
    case.work.users = 8;
    assert!(power(&case).0.likely > 2.0 * one.likely);
}

fn four_ranks(nodes: u32, bytes_per_s: Option<f64>) -> Case {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.plan.parallel.tp = 4;
    case.machine.slots[0].count = 4 / nodes;
    case.machine.nodes = nodes;
    case.machine.network = bytes_per_s.map(|bytes_per_s| Network { name: "network".into(), bytes_per_s });
    case
}

/// Ranks in two nodes that nothing joins cannot share matrices; over a network they wait for it. By hand: 65 all-reduces
/// of one token's 8,192 bytes and one gathering of logits over two nodes take 131 hops of 20 microseconds, and save as
/// many of about one microsecond within a node.
#[test]
fn ranks_of_several_nodes_wait_for_the_network() {
    assert_eq!(four_ranks(2, None).speed(), None);
    let tpot = |case: Case| case.speed().unwrap().tpot_s.unwrap().likely;
    let inside = tpot(four_ranks(1, None));
    assert_eq!(inside, tpot(four_ranks(1, Some(50e9))));
    let fast = tpot(four_ranks(2, Some(50e9)));
    assert!(fast > inside + 131.0 * (20e-6 - 2e-6), "{inside} {fast}");
    let slow = tpot(four_ranks(2, Some(0.1e9)));
    // Each rank's half of a token's row goes over both ways: 8,192 bytes over 0.1e9 / 2 bytes/s, 65 times.
    assert!(slow > fast + 65.0 * 4_096.0 / 0.05e9, "{fast} {slow}");
}

/// With stages in nodes of their own only what passes between stages goes over the network.
#[test]
fn stages_in_nodes_of_their_own_share_matrices_by_the_link() {
    let mut case = four_ranks(2, Some(50e9));
    (case.plan.parallel.tp, case.plan.parallel.pp) = (2, 2);
    let stages = case.speed().unwrap();
    assert!(
        stages.tpot_s.unwrap().likely < 2.0 * four_ranks(1, None).speed().unwrap().tpot_s.unwrap().likely
    );
    let network = needs(&case.job(), &Memory::default(), &stages).network;
    assert!(network.between_bytes_per_s_needed.unwrap() < 0.05 * network.inside_bytes_per_s_needed.unwrap());
    case.machine.network = None;
    assert_eq!(case.speed(), None);
}

/// Half of the layers on a host of 40e9 bytes/s take far longer than on a card of 936e9.
#[test]
fn layers_on_the_host_run_at_the_hosts_speed() {
    let at = |layers| {
        let mut case = Case::new(accelerator("Ampere", "GDDR6X", 936e9, 71e12));
        case.plan.serve.engine = Engine::Llamacpp;
        case.plan.serve.gpu_layers = layers;
        case.machine.host.processor = Some(common::processor(8, 4e9, 40e9));
        case.speed().unwrap().tpot_s.unwrap().likely
    };
    // 16 layers of 218,103,808 weights x 2 bytes, read at the host's full bandwidth.
    let floor = 16.0 * 218_103_808.0 * 2.0 / 40e9;
    assert!(at(Some(16)) > floor, "{} {floor}", at(Some(16)));
    assert!(at(None) < at(Some(24)) && at(Some(24)) < at(Some(16)) && at(Some(16)) < at(Some(0)));
}

#[test]
fn a_host_that_is_not_known_gives_no_speed_to_layers_on_it() {
    let mut case = Case::new(accelerator("Ampere", "GDDR6X", 936e9, 71e12));
    case.plan.serve.engine = Engine::Llamacpp;
    case.plan.serve.gpu_layers = Some(10);
    assert_eq!(case.speed(), None);
}

/// Weights of four bits on a part without such units are read at a quarter of the bytes and expanded: faster than bf16,
/// and by less than four times.
#[test]
fn weights_are_expanded_where_units_are_missing() {
    let at = |precision: &str| {
        let mut case = Case::new(accelerator("Ampere", "HBM2e", 1.555e12, 312e12));
        let options = Options { precision: Some(precision.to_owned()) };
        case.model = open("meta-llama/Llama-3.1-8B", &options).unwrap();
        case.speed().unwrap().tpot_s.unwrap().likely
    };
    let gain = at("bf16") / at("nvfp4");
    assert!(gain > 1.2 && gain < 4.0, "{gain}");
}

/// Ranges are wider where no measurement of such a part stands behind the figures.
#[test]
fn parts_that_nobody_measured_have_wider_ranges() {
    let spread = |architecture: &str, memory: &str| {
        let speed = Case::new(accelerator(architecture, memory, 3e12, 900e12)).speed().unwrap();
        [speed.tpot_s, speed.ttft_s].map(|range| range.unwrap().high / range.unwrap().low)
    };
    let (measured, assumed) = (spread("Hopper", "HBM3"), spread("CDNA3", "HBM3"));
    assert!(assumed[0] > measured[0] && assumed[1] > measured[1], "{measured:?} {assumed:?}");
    // Arithmetic of RDNA was assumed, its reading measured.
    let partly = spread("RDNA3", "GDDR6");
    assert!((partly[0] / measured[0] - 1.0).abs() < 1e-9 && (partly[1] / assumed[1] - 1.0).abs() < 1e-9);
}

/// A limit of power slows arithmetic, not reading.
#[test]
fn a_power_limit_slows_prompts_only() {
    let at = |limit| {
        let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
        case.machine.power_limit_w = limit;
        case.work.input = 8192;
        case.speed().unwrap()
    };
    let (full, limited) = (at(None), at(Some(350.0)));
    assert!(limited.ttft_s.unwrap().likely > 1.2 * full.ttft_s.unwrap().likely);
    assert!(limited.tpot_s.unwrap().likely < 1.05 * full.tpot_s.unwrap().likely);
}

/// Decoding on a 700 W card is bound by memory: 50 to 78 % of its power; a token takes the node's power over the rate.
#[test]
fn power_follows_what_holds_the_work_back() {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.work.input = 16;
    let speed = case.speed().unwrap();
    assert_eq!(speed.bound.decode, Some(Bound::Memory));
    let power = needs(&case.job(), &Memory::default(), &speed).power;
    let card = power.accelerator_w.unwrap();
    assert!(card.low >= 0.25 * 700.0 && card.high <= 0.80 * 700.0 && card.is_sound(), "{card:?}");
    let node = power.node_w.unwrap();
    let energy = power.energy_per_token_j.unwrap();
    let by_hand = node.likely / speed.throughput_tokens_per_s.unwrap().likely;
    assert!((energy.likely / by_hand - 1.0).abs() < 1e-12 && energy.is_sound());
    assert!(power.node_max_w.unwrap() > node.likely);
    assert!(power.psu_w_recommended.unwrap() > power.node_max_w.unwrap());
}

/// 16.06e9 bytes at 3e9 bytes/s take 5.35 s.
#[test]
fn loading_takes_the_files_over_the_rate() {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.machine.host.storage = Some(StorageKind::Rate(3e9));
    let mut memory = Memory::default();
    memory.disk_bytes = Some(maat_base::Bytes(16_060_000_000));
    let needs = needs(&case.job(), &memory, &case.speed().unwrap());
    assert!((needs.host.time_to_load_s.unwrap().likely - 5.353).abs() < 0.01);
    assert_eq!(needs.host.cpu_cores_needed, Some(3.0));
    assert_eq!(needs.network.share_of_step, None);
}

/// Eight ranks send: 64 all-reduces of one token's 8,192 bytes, of the embedding and the logits.
#[test]
fn what_is_sent_is_counted() {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.machine.slots[0].count = 8;
    case.plan.parallel.tp = 8;
    let network = needs(&case.job(), &Memory::default(), &case.speed().unwrap()).network;
    let share = network.share_of_step.unwrap();
    assert!(share > 0.0 && share < 0.5, "{share}");
    assert_eq!(network.between_bytes_per_s_needed, None);
    // At least the 65 all-reduces of 8,192 bytes over a step that takes no longer than it does on one card.
    assert!(network.inside_bytes_per_s_needed.unwrap() > 65.0 * 8192.0 / 7e-3);
}
