//! Speeds on a model whose figures are known, by hand.

mod common;

use common::{Case, accelerator};
use maat_estimate::{Bound, Engine};

/// Weights of Llama-3.1-8B without its embedding: 7.505e9 x 2 bytes at 3.35e12 bytes/s take 4.48 ms.
#[test]
fn one_user_reads_all_weights_for_each_token() {
    let speed = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12)).speed().unwrap();
    let tpot = speed.tpot_s.unwrap();
    assert!(tpot.likely > 4.48e-3 && tpot.likely < 1.8 * 4.48e-3, "{tpot:?}");
    assert_eq!(speed.bound.decode, Some(Bound::Memory));
}

/// 2 x 6.98e9 weights in the layers x 8192 tokens, and 2 x 32 heads x 256 x 8192^2 / 2 x 32 layers of attention:
/// 1.32e14 operations at 989e12 take 133 ms.
#[test]
fn a_long_prompt_is_bound_by_arithmetic() {
    let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
    case.work.input = 8192;
    let speed = case.speed().unwrap();
    let ttft = speed.ttft_s.unwrap();
    assert!(ttft.likely > 0.133 && ttft.likely < 3.0 * 0.133, "{ttft:?}");
    assert_eq!(speed.bound.prefill, Some(Bound::Compute));
}

/// In a closed loop each user gets `output` tokens in every `ttft + (output - 1) tpot`.
#[test]
fn throughput_is_users_over_their_cycle() {
    for users in [1, 7, 64] {
        let mut case = Case::new(accelerator("Hopper", "HBM3", 3.35e12, 989e12));
        case.work.users = users;
        let speed = case.speed().unwrap();
        let cycle = speed.ttft_s.unwrap().likely + 255.0 * speed.tpot_s.unwrap().likely;
        let expected = users as f64 * 256.0 / cycle;
        let throughput = speed.throughput_tokens_per_s.unwrap();
        assert!((throughput.likely / expected - 1.0).abs() < 1e-9, "{users}");
        assert!(throughput.is_sound());
    }
}

#[test]
fn a_card_of_which_only_the_memory_is_known_has_no_speed() {
    let card = maat_catalogue::Accelerator::of_memory("24GB card".into(), maat_base::Bytes::gib(24));
    assert_eq!(Case::new(card).speed(), None);
}

/// Layers on two cards run one after another in llama.cpp: no faster at one user.
#[test]
fn a_layer_split_is_no_faster_for_one_user() {
    let mut case = Case::new(accelerator("Ada", "GDDR6X", 1.008e12, 165e12));
    case.plan.serve.engine = Engine::Llamacpp;
    let one = case.speed().unwrap().tpot_s.unwrap().likely;
    case.plan.parallel.pp = 2;
    case.machine.slots[0].count = 2;
    let two = case.speed().unwrap().tpot_s.unwrap().likely;
    assert!(two >= one && two < 1.1 * one, "{one} {two}");
}
