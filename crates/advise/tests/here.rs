//! `--here` in `advise`: does this machine do the job, and what would one gain with the others?

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use maat_advise::{AdviseBody, AdviseRequest, LimitRequest, Objective, WorkRequest, World, advise};
use maat_base::{Answer, LabelSize};
use maat_catalogue::{Catalogue, HardwareRequest, ThisMachine, machine};
use maat_estimate::{Rules, Task};

/// The answer on a machine that a request describes.
fn on(own: &HardwareRequest, request: &AdviseRequest) -> Answer<AdviseBody> {
    let (mut catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
    let (spec, assumed) = machine(own, &catalogue).unwrap();
    let machine = spec.unwrap().machines().next().unwrap();
    catalogue.set_this_machine(ThisMachine { machine, assumed });
    let world = World {
        catalogue: &catalogue,
        rules: &rules,
        as_of: None,
        currency: None,
        explain: false,
        eur_per_usd: None,
    };
    advise(request, &world).unwrap()
}

fn processor(bandwidth: Option<&str>) -> HardwareRequest {
    HardwareRequest {
        cpu: Some("8 cores".to_owned()),
        cpu_bandwidth: bandwidth.map(|rate| rate.parse().unwrap()),
        ram: Some(LabelSize(maat_base::Bytes(32 << 30))),
        ..HardwareRequest::default()
    }
}

fn card() -> HardwareRequest {
    HardwareRequest { gpu: vec!["RTX 4090".to_owned()], ..processor(Some("60GB/s")) }
}

fn of(model: &str, task: Task) -> AdviseRequest {
    AdviseRequest {
        model: Some(model.to_owned()),
        work: WorkRequest { task: Some(task), ..WorkRequest::default() },
        hardware: HardwareRequest { here: true, ..HardwareRequest::default() },
        ..AdviseRequest::default()
    }
}

fn top(mut request: AdviseRequest, top: usize, objective: Objective) -> AdviseRequest {
    request.limits = LimitRequest { top: Some(top), objective: Some(objective), ..request.limits };
    request
}

/// Eight cores with 60 GB/s read 16 GB of weights in a quarter of a second: slower than the tenth of a second that a
/// conversation is given when nobody states a limit.
#[test]
fn a_machine_that_is_too_slow_does_not_do_it() {
    let answer = on(&processor(Some("60GB/s")), &of("meta-llama/Llama-3.1-8B", Task::Chat));
    let here = answer.body.here.as_ref().unwrap();
    assert!(!here.does);
    assert!(here.why.as_ref().unwrap().id.starts_with("miss-t"), "{:?}", here.why);
    assert!(here.speed.as_ref().unwrap().tpot_s.unwrap().likely > 0.1);
    assert!(answer.body.candidates.iter().all(|candidate| candidate.kind != "here"));
    // What is gained is said all the same.
    let (own, first) = (here.speed.as_ref().unwrap(), &answer.body.candidates[0]);
    let expected = first.speed.decode_tokens_per_s.unwrap().likely / own.decode_tokens_per_s.unwrap().likely;
    assert!((first.gain.unwrap().decode.unwrap() - expected).abs() < 1e-9);
    assert!(expected > 1.0);
}

/// The same machine without a limit on conversations writes for a batch.
#[test]
fn a_machine_that_does_it_stands_first_and_is_enough() {
    let answer = on(&processor(Some("60GB/s")), &top(of("qwen3-0.6b", Task::Edge), 1, Objective::Cost));
    let body = &answer.body;
    assert_eq!(body.candidates.len(), 1);
    assert_eq!((body.candidates[0].kind.as_str(), body.candidates[0].rank), ("here", 1));
    assert_eq!(answer.verdict.code, "cpu-is-enough");
    let choice = body.cpu_or_gpu.as_ref().unwrap();
    assert_eq!((choice.answer, choice.because[0].id.as_ref()), ("cpu", "cpu-here"));
}

/// Without a bandwidth there is no speed: nothing is claimed, and nothing compared.
#[test]
fn unknown_speed_is_unknown() {
    let answer = on(&processor(None), &of("qwen3-0.6b", Task::Edge));
    let here = answer.body.here.unwrap();
    assert_eq!(here.why.unwrap().id, "miss-here-speed");
    assert_eq!(here.speed, None);
    assert!(answer.body.candidates.iter().all(|candidate| candidate.gain.is_none()));
}

/// Ranked by throughput it stands where its throughput puts it, and stays in sight.
#[test]
fn another_objective_ranks_it_like_the_others() {
    let answer = on(&processor(Some("60GB/s")), &top(of("qwen3-0.6b", Task::Edge), 4, Objective::Throughput));
    let candidates = &answer.body.candidates;
    assert_eq!(candidates.len(), 4);
    let own = candidates.last().unwrap();
    assert_eq!(own.kind, "here");
    assert!(own.rank > 100, "{}", own.rank);
    let rate = |index: usize| candidates[index].speed.throughput_tokens_per_s.unwrap().likely;
    assert!(rate(0) >= rate(1) && rate(1) >= rate(2) && rate(2) > rate(3));
    assert_eq!(candidates[0].gain.unwrap().throughput, Some(rate(0) / rate(3)));
}

/// "What would I gain with that card?": the card in this machine is judged although nobody need sell it.
#[test]
fn a_named_card_takes_the_place_of_its_own() {
    let mut request = of("meta-llama/Llama-3.1-8B", Task::Chat);
    request.hardware.gpu = vec!["RTX 4090".to_owned()];
    let answer = on(&processor(Some("60GB/s")), &request);
    let here = answer.body.here.unwrap();
    let with = here.with.unwrap();
    assert!(with.does && !here.does);
    assert_eq!(with.machine.name, "GeForce RTX 4090");
    let gain = with.gain.unwrap().decode.unwrap();
    // A card of 1,008 GB/s against 60: at least ten times, and no more than the bandwidths' 17 and a half.
    assert!((8.0..30.0).contains(&gain), "{gain}");
    assert!(here.reasons.iter().any(|reason| reason.id == "here-with-gain"));
}

#[test]
fn training_counts_this_machine() {
    let mut request = of("qwen3-0.6b", Task::Lora);
    request.work.training.tokens = Some("1M".parse().unwrap());
    let on_card = on(&card(), &request);
    let first = &on_card.body.candidates[0];
    assert_eq!((first.kind.as_str(), first.machine.name.as_str()), ("here", "GeForce RTX 4090"));
    // Nothing is paid to have it; its electricity is.
    assert_eq!(first.cost.purchase, None);
    assert!(first.cost.hourly.unwrap().as_f64() > 0.0);
    let other = on_card.body.candidates.iter().find(|other| other.kind != "here").unwrap();
    assert!(other.gain.unwrap().train.is_some());

    let on_processor = on(&processor(Some("60GB/s")), &request);
    let here = on_processor.body.here.unwrap();
    assert!(!here.does);
    assert_eq!(here.why.unwrap().id, "miss-here-training");
    assert!(on_processor.body.candidates.iter().all(|candidate| candidate.kind != "here"));
}

#[test]
fn work_without_a_model_counts_this_machine() {
    let mut request = of("", Task::Tabular);
    request.model = None;
    request.work.data.rows = Some("1M".parse().unwrap());
    request.work.data.columns = Some("50".parse().unwrap());
    let answer = on(&processor(Some("60GB/s")), &request);
    assert_eq!(answer.body.candidates[0].kind, "here");
    assert_eq!(answer.verdict.code, "cpu-is-enough");
    assert!(answer.body.candidates[1].gain.is_some());
}

/// What is to be started is started on this machine, where it stands first.
#[test]
fn deploys_on_this_machine() {
    let mut request = of("meta-llama/Llama-3.1-8B", Task::Chat);
    request.limits.deploy = Some(maat_advise::DeployTarget::Vllm);
    let answer = on(&card(), &request);
    assert_eq!(answer.body.candidates[0].kind, "here");
    assert!(answer.body.deploy.unwrap().command.contains("vllm serve"));
    assert_eq!(answer.body.cpu_or_gpu.unwrap().because[0].id, "gpu-here");
}
