//! Unlike machines, each as what the catalogue says of its parts.

use std::fmt::Write;

use maat_probe::machine::{Board, Boards};

use crate::tree::{RAPTOR, Tree, ZEN4, desktop, matched};

/// EPYC 9654: 96 cores, twelve channels of DDR5-4800 = 460.8 GB/s a socket (AMD's product page).
#[test]
fn a_server_of_two_sockets() {
    let tree = Tree::new()
        .x86("AuthenticAMD", "AMD EPYC 9654 96-Core Processor", ZEN4, [2, 96, 2])
        .memory(1_584_000_000)
        .file("/sys/devices/system/node/node0/cpulist", "0-95,192-287\n")
        .file("/sys/devices/system/node/node1/cpulist", "96-191,288-383\n");
    let seen = tree.seen();
    assert_eq!((seen.processor.sockets, seen.processor.cores), (Some(2), Some(192)));
    assert_eq!((seen.processor.threads, seen.processor.numa_nodes), (Some(384), Some(2)));
    let processor = tree.machine().host.processor.unwrap();
    assert_eq!((processor.sockets, processor.cores), (2, 192));
    assert!(processor.name.contains("EPYC 9654"), "{}", processor.name);
    assert!((processor.bandwidth.unwrap().value - 2.0 * 460.8e9).abs() < 1e9);
}

/// Eight performance cores with two threads and sixteen efficient ones with one: 24 cores, 32 threads.
#[test]
fn cores_of_two_kinds() {
    let mut tree = Tree::new().memory(32_000_000).file("/sys/devices/system/cpu/online", "0-31\n");
    let mut info = String::new();
    for thread in 0..32_u32 {
        let (core, siblings) = if thread < 16 {
            let first = thread / 2 * 2;
            (thread / 2 * 4, format!("{first}-{}", first + 1))
        } else {
            (32 + thread - 16, thread.to_string())
        };
        write!(
            info,
            "processor\t: {thread}\nvendor_id\t: GenuineIntel\nmodel name\t: 13th Gen Intel(R) Core(TM) i9-13900K\n\
             flags\t\t: {RAPTOR}\n\n"
        )
        .unwrap();
        let at = |file: &str| format!("/sys/devices/system/cpu/cpu{thread}/{file}");
        tree = tree
            .file(&at("topology/physical_package_id"), "0\n")
            .file(&at("topology/core_id"), format!("{core}\n"))
            .file(&at("topology/thread_siblings_list"), siblings + "\n")
            .file(&at("cpufreq/cpuinfo_max_freq"), if thread < 16 { "5800000\n" } else { "4300000\n" });
    }
    let tree = tree.file("/proc/cpuinfo", info);
    let seen = tree.seen();
    assert_eq!((seen.processor.cores, seen.processor.threads), (Some(24), Some(32)));
    let processor = tree.machine().host.processor.unwrap();
    assert_eq!((processor.name.as_str(), processor.cores), ("Core i9-13900K", 24));
    // Efficient cores do half as much a clock: (8 x 32 + 16 x 16) / 24.
    assert!((processor.fp32_flop_per_clock - 512.0 / 24.0).abs() < 0.1, "{}", processor.fp32_flop_per_clock);
}

/// The board is named by the device tree, and by the last block of cpuinfo.
#[test]
fn a_raspberry_pi() {
    let block = |n: u32| {
        format!(
            "processor\t: {n}\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd evtstrm crc32 atomics asimdrdm asimddp\n\
             CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x4\nCPU part\t: 0xd0b\n\n"
        )
    };
    let info: String = (0..4).map(block).collect();
    let tree = Tree::new()
        .memory(8_254_000)
        .file("/proc/cpuinfo", info + "Revision\t: d04170\nModel\t\t: Raspberry Pi 5 Model B Rev 1.1\n")
        .file("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.1\0")
        .file("/sys/devices/system/cpu/online", "0-3\n")
        .file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "2400000\n");
    let processor = tree.machine().host.processor.unwrap();
    assert_eq!((processor.name.as_str(), processor.cores), ("Raspberry Pi 5 (BCM2712)", 4));
    assert!(tree.machine().slots.is_empty());
}

fn jetson(model: &str, kib: u64) -> Tree {
    let block = |n: u32| format!("processor\t: {n}\nFeatures\t: fp asimd asimddp\nCPU part\t: 0xd42\n\n");
    Tree::new()
        .memory(kib)
        .file("/proc/cpuinfo", (0..12).map(block).collect::<String>())
        .file("/proc/device-tree/model", format!("{model}\0"))
        .file("/sys/devices/system/cpu/online", "0-11\n")
}

/// What the device tree of JetPack says; the memory tells the modules of one name apart.
#[test]
fn modules_of_jetson() {
    for (model, kib, name) in [
        ("NVIDIA Jetson AGX Orin Developer Kit", 64_300_000, "Jetson AGX Orin 64GB"),
        ("NVIDIA Jetson AGX Orin Developer Kit", 30_700_000, "Jetson AGX Orin 32GB"),
        ("NVIDIA Jetson Orin NX Engineering Reference Developer Kit", 15_900_000, "Jetson Orin NX 16GB"),
        ("NVIDIA Jetson Orin Nano Developer Kit", 7_800_000, "Jetson Orin Nano 8GB"),
        (
            "NVIDIA Jetson Orin Nano Engineering Reference Developer Kit Super",
            7_800_000,
            "Jetson Orin Nano Super 8GB",
        ),
        ("NVIDIA Jetson AGX Thor Developer Kit", 128_800_000, "Jetson AGX Thor T5000"),
    ] {
        let machine = jetson(model, kib).machine();
        assert_eq!(machine.slots.len(), 1, "{model}");
        assert_eq!(machine.slots[0].accelerator.name, name, "{model}");
        assert_eq!(machine.slots[0].count, 1);
    }
}

/// What a driver's library would list.
struct Library(Vec<Board>);

impl Boards for Library {
    fn list(&self) -> Vec<Board> {
        self.0.clone()
    }
}

fn board(name: &str, bytes: u64) -> Board {
    Board { name: Some(name.to_owned()), memory_bytes: Some(bytes), ..Board::default() }
}

/// WSL shows a paravirtual display of Microsoft's on the bus; the card is known to the library alone.
#[test]
fn windows_subsystem_for_linux() {
    let tree = desktop().file("/proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n").pci(
        "1a2b:00:00.0",
        "0x030200",
        ["0x1414", "0x008e"],
    );
    let seen = tree.seen_with(Some(&Library(vec![board("NVIDIA GeForce RTX 4090", 25_757_220_864)])));
    assert_eq!(seen.surroundings.wsl, Some(2));
    let machine = matched(&seen).machine;
    assert_eq!(machine.slots.len(), 1);
    assert_eq!((machine.slots[0].accelerator.name.as_str(), machine.slots[0].count), ("GeForce RTX 4090", 1));
    assert_eq!(machine.slots[0].accelerator.capacity.value.0, 25_757_220_864);
}

/// A container that sees no bus and no library: the driver's own files name the cards.
#[test]
fn cards_that_only_the_driver_lists() {
    let information = "Model: \t\t NVIDIA A100-SXM4-80GB\nIRQ:   \t\t 233\nGPU UUID: \t GPU-????????\n";
    let tree = desktop()
        .file("/proc/driver/nvidia/gpus/0000:07:00.0/information", information)
        .file("/proc/driver/nvidia/gpus/0000:0f:00.0/information", information);
    let machine = tree.machine();
    assert_eq!((machine.slots.len(), machine.slots[0].count), (1, 2));
    assert_eq!(machine.slots[0].accelerator.name, "A100 SXM 80GB");
    assert_eq!(machine.name, "2x A100 SXM 80GB");
}

/// A card that is cut counts as its slices; one that may be cut and is not has none to offer.
#[test]
fn slices_of_a_card() {
    let cut = Board {
        mig: Some(vec!["3g.40gb".to_owned(), "3g.40gb".to_owned()]),
        ..board("NVIDIA H100 80GB HBM3", 85_520_809_984)
    };
    let machine = matched(&desktop().seen_with(Some(&Library(vec![cut])))).machine;
    assert_eq!((machine.slots.len(), machine.slots[0].count), (1, 2));
    let capacity = machine.slots[0].accelerator.capacity.value.as_gib();
    assert!((38.0..41.0).contains(&capacity), "{capacity}");
    assert_eq!(machine.slice.as_deref(), Some("3g.40gb"));
}

/// Eight MI300X with ROCm: names are not in sysfs, identifiers and memory are.
#[test]
fn accelerators_of_amd() {
    let mut tree = Tree::new()
        .x86("AuthenticAMD", "AMD EPYC 9534 64-Core Processor", ZEN4, [2, 64, 1])
        .memory(2_000_000_000);
    for n in 0..8_u32 {
        let address = format!("0000:{:02x}:00.0", 0x11 + 0x10 * n);
        tree = tree
            .pci(&address, "0x120000", ["0x1002", "0x74a1"])
            .file(&format!("/sys/bus/pci/devices/{address}/mem_info_vram_total"), "206141652992\n")
            .file(
                &format!("/sys/class/kfd/kfd/topology/nodes/{}/properties", n + 2),
                format!(
                    "simd_count 1216\ngfx_target_version 90402\nvendor_id 4098\ndevice_id 29857\nlocation_id {}\ndomain 0\n",
                    (0x11 + 0x10 * n) << 8
                ),
            );
    }
    let seen = tree.seen();
    assert_eq!(seen.accelerators.len(), 8);
    assert!(seen.accelerators.iter().all(|one| one.target.as_deref() == Some("gfx942")));
    let machine = tree.machine();
    assert_eq!(machine.name, "8x Instinct MI300X");
    assert_eq!(machine.slots[0].accelerator.capacity.value.0, 206_141_652_992);
    assert!(machine.link.is_some());
}

/// Graphics inside a processor and the display of a server's board are nothing to put a model on.
#[test]
fn displays_are_no_accelerators() {
    let tree = desktop()
        .pci("0000:6e:00.0", "0x030000", ["0x1002", "0x164e"])
        .file("/sys/bus/pci/devices/0000:6e:00.0/mem_info_vram_total", "536870912\n")
        .pci("0000:00:02.0", "0x030000", ["0x8086", "0xa780"])
        .pci("0000:05:00.0", "0x030000", ["0x1a03", "0x2000"]);
    let machine = tree.machine();
    assert!(machine.slots.is_empty(), "{:?}", machine.slots);
    assert!(machine.name.contains("7950X"), "{}", machine.name);
}

/// Arc B580: the driver's file tells its memory; without that file the catalogue does.
#[test]
fn a_card_of_intel() {
    let machine = desktop().pci("0000:03:00.0", "0x030000", ["0x8086", "0xe20b"]).machine();
    assert_eq!(machine.name, "Arc B580");
    assert!((11.0..13.0).contains(&machine.slots[0].accelerator.capacity.value.as_gib()));
}

/// Two kinds of cards stay apart, equal ones together.
#[test]
fn unlike_cards() {
    let tree = desktop()
        .pci("0000:01:00.0", "0x030000", ["0x10de", "0x2684"])
        .pci("0000:02:00.0", "0x030000", ["0x10de", "0x2204"])
        .pci("0000:03:00.0", "0x030000", ["0x10de", "0x2204"]);
    let machine = tree.machine();
    let counts: Vec<(&str, u32)> =
        machine.slots.iter().map(|slot| (slot.accelerator.name.as_str(), slot.count)).collect();
    assert_eq!(counts, [("GeForce RTX 4090", 1), ("GeForce RTX 3090", 2)]);
}

/// A processor that nobody has heard of works by what it says of itself.
#[test]
fn an_unknown_processor() {
    let tree =
        Tree::new().x86("GenuineIntel", "Foo Bar 9000", "sse2 avx avx2 fma", [1, 4, 2]).memory(16_000_000);
    let this = matched(&tree.seen());
    let processor = this.machine.host.processor.unwrap();
    assert_eq!((processor.name.as_str(), processor.cores), ("Foo Bar 9000", 4));
    // Two 256-bit multiply-adds of eight numbers a clock.
    assert!((processor.fp32_flop_per_clock - 32.0).abs() < f64::EPSILON);
    assert_eq!(processor.bandwidth, None);
    assert!(this.assumed.iter().any(|assumed| assumed.name == "cpu"));
}
