//! The contract's hardware syntax.

use maat_base::{Basis, Bytes, GIB};
use serde_json::json;

use super::*;
use crate::accelerator::NumberType;
use crate::machine::StorageKind;

fn read(request: serde_json::Value) -> Result<(Option<MachineSpec>, Vec<Assumed>), Fault> {
    let request: HardwareRequest = serde_json::from_value(request).unwrap();
    machine(&request, &Catalogue::builtin())
}

fn one(request: serde_json::Value) -> (Machine, Vec<Assumed>) {
    let (spec, assumed) = read(request).unwrap_or_else(|fault| panic!("{fault}"));
    let machines: Vec<Machine> = spec.unwrap().machines().collect();
    assert_eq!(machines.len(), 1);
    (machines.into_iter().next().unwrap(), assumed)
}

fn code(request: serde_json::Value) -> &'static str {
    match read(request) {
        Err(fault) => fault.code,
        Ok(found) => panic!("{found:?}"),
    }
}

fn noted<'a>(assumed: &'a [Assumed], name: &str) -> Option<&'a serde_json::Value> {
    assumed.iter().find(|note| note.name == name).map(|note| &note.value)
}

#[test]
fn nothing_named_is_no_machine() {
    assert!(read(json!({})).unwrap().0.is_none());
    assert!(read(json!({"ram": "64GB", "nodes": 2})).unwrap().0.is_none());
}

#[test]
fn capacity_is_what_the_driver_reports() {
    // nvidia-smi totals in MiB: RTX 4090 24,564; H100 SXM 81,559; H200 143,771; L40S 46,068; T4 15,360.
    for (name, mib) in
        [("RTX 4090", 24_564), ("H100 SXM", 81_559), ("H200", 143_771), ("L40S", 46_068), ("T4", 15_360)]
    {
        let (machine, _) = one(json!({"gpu": [name]}));
        let capacity = &machine.slots[0].accelerator.capacity;
        assert_eq!((capacity.value, capacity.basis), (Bytes::mib(mib), Basis::Measured), "{name}");
    }
    let (machine, _) = one(json!({"gpu": ["MI300X"]}));
    assert_eq!(machine.slots[0].accelerator.capacity.value, Bytes::gib(192));
    // A Mac with 128 GB lets three quarters be used, one with 16 GB two thirds.
    let (machine, _) = one(json!({"gpu": ["M4 Max"]}));
    assert_eq!(machine.slots[0].accelerator.capacity.value, Bytes::gib(96));
    let (machine, _) = one(json!({"gpu": ["M1"]}));
    let share = machine.slots[0].accelerator.capacity.value.as_gib() / 16.0;
    assert!((share - 2.0 / 3.0).abs() < 1e-4);
}

#[test]
fn counts_and_the_choice_among_several() {
    let (machine, assumed) = one(json!({"gpu": ["8x H100"], "nodes": 2, "network": "8x400Gb"}));
    assert_eq!((machine.per_node(), machine.accelerators(), machine.nodes), (8, 16, 2));
    assert_eq!(machine.slots[0].accelerator.id, "nvidia-h100-sxm-80gb");
    assert_eq!(noted(&assumed, "gpu"), Some(&json!("H100 SXM 80GB")));
    let link = machine.link.unwrap();
    assert_eq!((link.name.as_str(), link.bytes_per_s, link.switched), ("NVLink 4", 450e9, true));
    assert_eq!(machine.network.unwrap().bytes_per_s, 400e9);
}

#[test]
fn an_open_count_gives_machines_upwards() {
    let (spec, _) = read(json!({"gpu": ["?x A100 80GB"]})).unwrap();
    let spec = spec.unwrap();
    assert!(spec.count_is_open());
    let counts: Vec<u32> = spec.machines().map(|machine| machine.per_node()).collect();
    assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(code(json!({"gpu": ["?x A100 + RTX 4090"]})), "gpu-open-and-mixed");
}

#[test]
fn mixed_machines() {
    let (machine, _) = one(json!({"gpu": ["RTX 3090 + 2x RTX 2060"]}));
    let counts: Vec<_> =
        machine.slots.iter().map(|slot| (slot.accelerator.name.as_str(), slot.count)).collect();
    assert_eq!(counts, [("GeForce RTX 3090", 1), ("GeForce RTX 2060", 2)]);
    let link = machine.link.unwrap();
    assert_eq!((link.name.as_str(), link.peer_to_peer), ("PCIe 3.0 x16", false));
    let (again, _) = one(json!({"gpu": ["RTX 3090", "2x RTX 2060"]}));
    assert_eq!(again.slots, machine.slots);
}

#[test]
fn links() {
    let link = |request| one(request).0.link.unwrap();
    let bridged = json!({"gpu": ["2x RTX 3090"]});
    assert_eq!(link(bridged.clone()).name, "PCIe 4.0 x16");
    let (_, assumed) = one(bridged);
    assert_eq!(noted(&assumed, "link"), Some(&json!("PCIe 4.0 x16")));
    assert_eq!(link(json!({"gpu": ["2x RTX 3090"], "link": "nvlink"})).bytes_per_s, 56.25e9);
    assert_eq!(link(json!({"gpu": ["2x RTX 4090"], "link": "pcie4x8"})).name, "PCIe 4.0 x8");
    assert_eq!(code(json!({"gpu": ["2x RTX 4090"], "link": "nvlink"})), "link-unavailable");
    // Eight in a full mesh of seven links of 64 GB/s each; two share one.
    assert_eq!(link(json!({"gpu": ["8x MI300X"]})).bytes_per_s, 448e9);
    assert_eq!(link(json!({"gpu": ["2x MI300X"]})).bytes_per_s, 64e9);
    assert!(one(json!({"gpu": ["RTX 4090"]})).0.link.is_none());
}

#[test]
fn slices() {
    let (machine, _) = one(json!({"gpu": ["H100 NVL:1g.12gb"]}));
    let slice = &machine.slots[0].accelerator;
    assert_eq!(machine.slice.as_deref(), Some("1g.12gb"));
    // nvidia-smi mig -lgip: 10.75 GiB, 16 of 132 multiprocessors.
    assert_eq!(slice.capacity.value, Bytes::mib(11_008));
    let whole = one(json!({"gpu": ["H100 NVL"]})).0;
    let share = slice.dense(NumberType::Bf16).unwrap().flop_per_s.value
        / whole.slots[0].accelerator.dense(NumberType::Bf16).unwrap().flop_per_s.value;
    assert!((share - 16.0 / 132.0).abs() < 1e-9);
    assert_eq!(code(json!({"gpu": ["H100 NVL:9g.12gb"]})), "slice-unknown");
    assert_eq!(code(json!({"gpu": ["RTX 4090:1g.12gb"]})), "slices-none");
}

#[test]
fn a_card_by_memory_alone_has_no_speed() {
    let (machine, _) = one(json!({"gpu": ["2x 24GB card"]}));
    let part = &machine.slots[0].accelerator;
    assert_eq!((part.capacity.value, machine.per_node()), (Bytes::gib(24), 2));
    assert!(part.bandwidth.is_none() && part.rates.is_empty() && machine.link.is_none());
}

#[test]
fn a_part_like_another() {
    let (machine, assumed) = one(json!({
        "gpu_like": "RTX 3080", "vram": "20GB", "bandwidth": "760GB/s", "tflops": 119.0
    }));
    let part = &machine.slots[0].accelerator;
    assert_eq!(part.name, "RTX 3080 (20 GB)");
    assert_eq!(part.capacity.value, Bytes::gib(20));
    assert_eq!(part.bandwidth.as_ref().unwrap().value, 760e9);
    // 119 is what the maker prints with FP16 accumulation, so the figures are those of the RTX 3080.
    let dense = part.dense(NumberType::Fp16).unwrap().flop_per_s.value;
    assert!((dense / 59.5e12 - 1.0).abs() < 0.01, "{dense}");
    assert_eq!(noted(&assumed, "vram"), Some(&json!(20 * GIB)));
    assert!(noted(&assumed, "tflops").is_some());
    assert_eq!(code(json!({"gpu": ["RTX 3080"], "vram": "20GB"})), "gpu-like-missing");
}

#[test]
fn macs_have_the_memory_that_is_said() {
    let sized = |request| one(request).0.slots[0].accelerator.capacity.value;
    assert_eq!(sized(json!({"gpu": ["M4 Max 64GB"]})), Bytes::gib(48));
    assert_eq!(sized(json!({"gpu": ["M4 Max"], "ram": "64GB"})), Bytes::gib(48));
    assert_eq!(code(json!({"gpu": ["RTX 4090 20GB"]})), "accelerator-unknown");
}

#[test]
fn boards_of_several_devices() {
    let (machine, assumed) = one(json!({"gpu": ["4x MI250X"]}));
    assert_eq!(machine.per_node(), 8);
    assert_eq!(machine.slots[0].accelerator.capacity.value, Bytes::gib(64));
    assert_eq!(noted(&assumed, "devices"), Some(&json!(2)));
}

#[test]
fn processors() {
    let (machine, _) = one(json!({"cpu": "2x Xeon Platinum 8592+", "ram": "512GB"}));
    let processor = machine.host.processor.unwrap();
    assert_eq!((processor.sockets, processor.cores), (2, 128));
    assert_eq!(machine.host.ram, Some(Bytes::gib(512)));
    // Eight channels of DDR5-5600, two sockets.
    assert!((processor.bandwidth.unwrap().value / (2.0 * 358.4e9) - 1.0).abs() < 1e-3);
    let (machine, assumed) = one(json!({"cpu": "8 cores", "cpu_bandwidth": "20GB/s", "threads": 6}));
    let processor = machine.host.processor.unwrap();
    assert_eq!((processor.cores, processor.threads), (8, Some(6)));
    assert_eq!(processor.bandwidth.unwrap().value, 20e9);
    assert!(noted(&assumed, "cpu").is_some());
    assert_eq!(code(json!({"cpu": "9x Xeon Platinum 8592+"})), "cpu-sockets");
    assert_eq!(code(json!({"cpu": "Pentium 3000"})), "cpu-unknown");
    assert_eq!(code(json!({"gpu": ["H100"], "threads": 3})), "cpu-missing");
}

#[test]
fn power_storage_and_mistakes() {
    let (machine, _) =
        one(json!({"gpu": ["RTX 2080 SUPER"], "power_limit": "200W", "psu": "1kW", "storage": "3GB/s"}));
    assert_eq!((machine.power_limit_w, machine.psu_w), (Some(200.0), Some(1000.0)));
    assert_eq!(machine.host.storage, Some(StorageKind::Rate(3e9)));
    assert_eq!(code(json!({"gpu": ["RTX 2080 SUPER"], "power_limit": "50W"})), "power-limit-range");
    assert_eq!(code(json!({"gpu": ["H100"], "storage": "tape"})), "storage-unknown");
    assert_eq!(code(json!({"gpu": ["H100"], "network": "fast"})), "network-unknown");
    assert_eq!(code(json!({"gpu": ["H100"], "nodes": 0})), "gpu-count");
    assert_eq!(code(json!({"gpu": [""]})), "gpu-empty");
    for flag in ["vram", "bandwidth", "tflops", "power_limit", "psu", "ram", "cpu_bandwidth"] {
        let mut request = json!({"gpu_like": "RTX 3080"});
        for amount in [0.0, -1.0] {
            request[flag] = json!(amount);
            let fault = read(request.clone()).unwrap_err();
            assert_eq!(fault.code, "hardware-amount-zero", "{flag} {amount}");
            assert_eq!(fault.place, Some(format!("--{}", flag.replace('_', "-"))), "{flag} {amount}");
        }
    }
    // The A100 SXM 80GB takes 400 W; its lowest limit is not known.
    assert_eq!(code(json!({"gpu": ["A100 SXM 80GB"], "power_limit": 500})), "power-limit-above");
    assert!(read(json!({"gpu": ["A100 SXM 80GB"], "power_limit": 400})).is_ok());
}

#[test]
fn most_servers_are_machines() {
    let catalogue = Catalogue::builtin();
    let known: Vec<_> =
        catalogue.servers().iter().filter(|server| catalogue.machine_of_server(server).is_some()).collect();
    assert!(known.len() >= 80, "{}", known.len());
    let server = catalogue.resolve_server("DGX H100").unwrap();
    let machine = catalogue.machine_of_server(&server).unwrap();
    assert_eq!((machine.per_node(), machine.host.ram), (8, Some(Bytes::gib(2048))));
    assert_eq!(machine.slots[0].accelerator.id, "nvidia-h100-sxm-80gb");
}

proptest::proptest! {
    #[test]
    fn any_request_is_a_machine_or_a_fault(
        gpu in ".{0,40}", cpu in ".{0,30}", link in ".{0,20}", network in ".{0,20}", storage in ".{0,20}"
    ) {
        thread_local!(static CATALOGUE: Catalogue = Catalogue::builtin());
        CATALOGUE.with(|catalogue| {
            let request = HardwareRequest {
                gpu: vec![gpu.clone()],
                ..HardwareRequest::default()
            };
            let _ = machine(&request, catalogue);
            let request = HardwareRequest {
                gpu: vec!["2x H100".into()],
                cpu: Some(cpu),
                link: Some(link),
                network: Some(network),
                storage: Some(storage),
                gpu_like: Some(gpu),
                ..HardwareRequest::default()
            };
            let _ = machine(&request, catalogue);
        });
    }
}
