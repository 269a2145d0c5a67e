//! Every name of the tables, and names as people type them.

use crate::accelerator::FormFactor;
use crate::catalogue::Catalogue;
use crate::load::NoPart;
use crate::names::key;

fn id(catalogue: &Catalogue, name: &str) -> String {
    match catalogue.resolve_accelerator(name) {
        Ok(found) => found.part.id.clone(),
        Err(fault) => panic!("{name}: {fault} {:?}", fault.hint),
    }
}

#[test]
fn the_facts_are_read_without_a_fault() {
    let catalogue = Catalogue::builtin();
    assert_eq!(catalogue.problems(), []);
    assert_eq!(catalogue.accelerators().len(), 477);
    assert_eq!(catalogue.cpus().len(), 493);
    assert_eq!(catalogue.servers().len(), 84);
    assert_eq!(catalogue.offers().len(), 604);
}

#[test]
fn every_alias_means_its_part_or_is_settled_by_a_mark() {
    let catalogue = Catalogue::builtin();
    let names = catalogue.accelerator_names();
    for alias in &names.aliases {
        let found = catalogue.resolve_accelerator(&alias.name).unwrap();
        if found.part.id == alias.part {
            continue;
        }
        assert!(!alias.preferred, "{alias:?} is preferred but gives {}", found.part.id);
        let others: Vec<_> = found.others.iter().map(|part| part.id.as_str()).collect();
        assert!(others.contains(&alias.part.as_str()), "{alias:?} is not even among the others of {found:?}");
        let settled = names
            .named(&key(&alias.name, catalogue.words()), false)
            .iter()
            .any(|other| other.preferred && other.part == found.part.id);
        assert!(settled, "{alias:?} is ambiguous without a preferred mark");
    }
}

#[test]
fn every_key_of_several_parts_has_one_preferred_part() {
    let catalogue = Catalogue::builtin();
    for (key, aliases) in catalogue.accelerator_names().shared() {
        let mut preferred: Vec<_> = aliases.iter().filter(|it| it.preferred).map(|it| &it.part).collect();
        preferred.dedup();
        assert_eq!(preferred.len(), 1, "{key}: {aliases:?}");
    }
    assert_eq!(catalogue.cpu_names().shared().count(), 0);
}

#[test]
fn every_cpu_alias_means_its_cpu() {
    let catalogue = Catalogue::builtin();
    for alias in &catalogue.cpu_names().aliases {
        assert_eq!(catalogue.resolve_cpu(&alias.name).unwrap().part.id, alias.part, "{alias:?}");
    }
}

#[test]
fn names_as_people_type_them() {
    let catalogue = Catalogue::builtin();
    for (name, wanted) in [
        ("H100", "nvidia-h100-sxm-80gb"),
        ("A100", "nvidia-a100-sxm-80gb"),
        ("RTX 4090", "nvidia-geforce-rtx-4090"),
        ("rtx4090", "nvidia-geforce-rtx-4090"),
        ("NvidiaRTX4090", "nvidia-geforce-rtx-4090"),
        ("RTX 4090 Laptop", "nvidia-geforce-rtx-4090-laptop"),
        ("GeForce RTX 4090 mobile", "nvidia-geforce-rtx-4090-laptop"),
        ("A100 40GB", "nvidia-a100-sxm-40gb"),
        ("A100 PCIe 40 GB", "nvidia-a100-pcie-40gb"),
        ("H100-SXM5-80GB", "nvidia-h100-sxm-80gb"),
        ("H100 94GB", "nvidia-h100-nvl-94gb"),
        ("3090 Ti 24GB", "nvidia-geforce-rtx-3090-ti"),
        ("NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm-80gb"),
        ("NVIDIA H100 80GB HBM3", "nvidia-h100-sxm-80gb"),
        ("10DE:2330", "nvidia-h100-sxm-80gb"),
        ("4060 ti 8gb", "nvidia-geforce-rtx-4060-ti-8gb"),
        ("RTX 3080 12 GB", "nvidia-geforce-rtx-3080-12gb"),
        ("mi300x", "amd-instinct-mi300x"),
        ("AMD Instinct MI300X 192GB", "amd-instinct-mi300x"),
        ("Radeon RX 7900 XTX 24GB", "amd-radeon-rx-7900-xtx"),
        ("Apple M3 Max", "apple-m3-max-40-core-gpu"),
        ("M4 Max (32-core GPU)", "apple-m4-max-32-core-gpu"),
        ("Intel Arc B580", "intel-arc-b580"),
        ("B200", "nvidia-b200-sxm-180gb"),
        ("V100 32GB", "nvidia-v100-sxm2-32gb"),
        ("Tesla V100-PCIE-16GB", "nvidia-v100-pcie-16gb"),
        ("L40S PCIe 48GB", "nvidia-l40s"),
        ("nvidia-l4", "nvidia-l4"),
        ("AMD Radeon RX 7900 XTX (RADV NAVI31)", "amd-radeon-rx-7900-xtx"),
        ("AMD Radeon RX 580 Series (RADV POLARIS10)", "amd-radeon-rx-580-8gb"),
        ("Intel(R) Arc(tm) A770 Graphics (DG2)", "intel-arc-a770-16gb"),
        ("NVIDIA GeForce RTX 4070 Laptop GPU", "nvidia-geforce-rtx-4070-laptop"),
        ("NVIDIA GeForce RTX 3050 6GB Laptop GPU", "nvidia-geforce-rtx-3050-laptop-6gb"),
        ("NVIDIA RTX 2000 Ada Generation Laptop GPU", "nvidia-rtx-2000-ada-laptop"),
        ("NVIDIA RTX 2000E Ada Generation", "nvidia-rtx-2000e-ada"),
        ("Apple M4", "apple-m4-10-core-gpu"),
        ("Tesla M4", "nvidia-tesla-m4"),
        ("GTX 1060 6GB", "nvidia-geforce-gtx-1060-6gb"),
        ("GTX 1060 3GB", "nvidia-geforce-gtx-1060-3gb"),
        ("RTX 3080 10GB", "nvidia-geforce-rtx-3080"),
        ("4060 Ti 16GB", "nvidia-geforce-rtx-4060-ti-16gb"),
        ("RX 570 8GB", "amd-radeon-rx-570-8gb"),
        ("NVIDIA A100-PCIE-40GB", "nvidia-a100-pcie-40gb"),
        ("M2 Max 30-core", "apple-m2-max-30-core-gpu"),
        ("Apple M2 Max", "apple-m2-max-38-core-gpu"),
        ("M3 Ultra (60-core GPU)", "apple-m3-ultra-60-core-gpu"),
        ("MacBook Pro M4 Max", "apple-m4-max-40-core-gpu"),
        ("M2 Ultra", "apple-m2-ultra-76-core-gpu"),
        ("NVIDIA RTX A400", "nvidia-rtx-a400"),
        ("AMD Pro W7700", "amd-radeon-pro-w7700"),
        ("AMD Radeon VII", "amd-radeon-vii"),
        ("Titan X (Maxwell)", "nvidia-geforce-gtx-titan-x"),
        ("RTX 4090 48GB", "nvidia-geforce-rtx-4090-48gb-modified"),
    ] {
        assert_eq!(id(&catalogue, name), wanted, "{name}");
    }
}

#[test]
fn several_parts_are_listed_with_the_choice() {
    let catalogue = Catalogue::builtin();
    let found = catalogue.resolve_accelerator("H100").unwrap();
    let others: Vec<_> = found.others.iter().map(|part| part.id.as_str()).collect();
    assert_eq!(others, ["nvidia-h100-pcie-80gb", "nvidia-h100-nvl-94gb"]);
    assert!(found.why.is_some());
    let found = catalogue.resolve_accelerator("RTX 4090").unwrap();
    assert_eq!(
        found.others.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(),
        ["nvidia-geforce-rtx-4090-laptop"]
    );
    assert!(catalogue.resolve_accelerator("L40S").unwrap().why.is_none());
}

#[test]
fn what_is_unknown_has_near_names() {
    let catalogue = Catalogue::builtin();
    for name in ["RTX 4095", "H1000", "RTX 4090 40GB", "", "banana", "80GB", "card"] {
        let fault = catalogue.resolve_accelerator(name).unwrap_err();
        assert_eq!(fault.code, "accelerator-unknown");
    }
    let fault = catalogue.resolve_accelerator("RTX 4091").unwrap_err();
    let hint = format!("{:?}", fault.hint);
    assert!(hint.contains("GeForce RTX 4090"), "{hint}");
}

#[test]
fn a_wrong_maker_or_laptop_is_not_taken() {
    let catalogue = Catalogue::builtin();
    for name in [
        "NVIDIA M2",
        "Radeon Graphics",
        "AMD Radeon Graphics (RADV RAPHAEL)",
        "M2 Max 24-core",
        "AMD RTX 4090",
        "Radeon RX 580 Laptop",
        "RTX A400 Laptop GPU",
    ] {
        assert!(catalogue.resolve_accelerator(name).is_err(), "{name}");
    }
}

#[test]
fn processors_as_systems_write_them() {
    let catalogue = Catalogue::builtin();
    for (name, wanted) in [
        ("12th Gen Intel(R) Core(TM) i7-12700K", "intel-core-i7-12700k"),
        ("Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz", "intel-core-i9-9900k"),
        ("AMD Ryzen 9 7950X 16-Core Processor", "amd-ryzen-9-7950x"),
        ("AMD Ryzen 5 5560U with Radeon Graphics", "amd-ryzen-5-5560u"),
        ("AMD Ryzen AI 5 340 w/ Radeon 840M", "amd-ryzen-ai-5-340"),
        ("Raspberry Pi 5 Model B Rev 1.1", "raspberry-pi-raspberry-pi-5-bcm2712"),
        ("Raspberry Pi Compute Module 4 Rev 1.0", "raspberry-pi-raspberry-pi-4-bcm2711"),
        ("Intel(R) N150", "intel-processor-n150"),
        ("Radxa Orion O6", "cix-cix-p1-cd8180"),
        ("Orange Pi 5 Plus", "rockchip-rk3588"),
        ("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "intel-xeon-e5-2680-v4"),
        ("Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz", "intel-xeon-e5-2680-v3"),
        ("13th Gen Intel(R) Core(TM) i7-13700", "intel-core-i7-13700"),
        ("13th Gen Intel(R) Core(TM) i7-13700KF", "intel-core-i7-13700k"),
        ("AMD EPYC 9554P 64-Core Processor", "amd-epyc-9554p"),
        ("AMD Ryzen 7 5800U with Radeon Graphics", "amd-ryzen-7-5800u"),
        ("Intel(R) Core(TM) Ultra 7 265", "intel-core-ultra-7-265"),
        ("Snapdragon 8 Gen 3", "qualcomm-snapdragon-8-gen-3"),
    ] {
        assert_eq!(catalogue.resolve_cpu(name).unwrap().part.id, wanted, "{name}");
    }
}

#[test]
fn offers_that_state_their_form_have_a_part() {
    let catalogue = Catalogue::builtin();
    let part = |words: &str, gb: Option<f64>| {
        let (offer, stated) = catalogue
            .stated_offers()
            .find(|(offer, stated)| {
                &*offer.accelerator_words == words && (gb.is_none() || stated.memory_gb == gb)
            })
            .unwrap();
        catalogue.part_of_offer(offer, stated).map(|part| part.id.clone())
    };
    for (words, gb, wanted) in [
        ("RTX 4060 Ti PCIe", 16.0, "nvidia-geforce-rtx-4060-ti-16gb"),
        ("NVIDIA H100 PCI", 80.0, "nvidia-h100-pcie-80gb"),
        ("A100-80G-PCIe-NVLink", 80.0, "nvidia-a100-pcie-80gb"),
        ("NVIDIA A100 PCIe", 40.0, "nvidia-a100-pcie-40gb"),
        ("RTX PRO 6000 SE PCIe", 96.0, "nvidia-rtx-pro-6000-blackwell-server"),
        ("RTX PRO 6000 WE PCIe", 96.0, "nvidia-rtx-pro-6000-blackwell"),
        ("H200", 141.0, "nvidia-h200-sxm-141gb"),
        ("B300", 262.0, "nvidia-b300-sxm-288gb"),
        ("Tesla V100 NVLink", 16.0, "nvidia-v100-sxm2-16gb"),
    ] {
        assert_eq!(part(words, Some(gb)).as_deref(), Ok(wanted), "{words}");
    }
    assert_eq!(part("NVIDIA H100", Some(80.0)), Err(NoPart::FormUnknown));
    assert_eq!(part("NVIDIA A100", Some(40.0)), Err(NoPart::FormUnknown));
    assert_eq!(part("Tesla V100", Some(16.0)), Err(NoPart::FormUnknown));
    assert_eq!(part("A800 80G", Some(80.0)), Err(NoPart::FormUnknown));
    assert_eq!(part("GTX 1080 Ti", Some(8.0)), Err(NoPart::MemoryMismatch));
    assert_eq!(part("RTX 4090 (48 GB mod) PCIe", Some(48.0)), Err(NoPart::MemoryMismatch));
    assert_eq!(part("RTX 3060", Some(8.0)), Err(NoPart::MemoryMismatch));
}

#[test]
fn offers_without_a_part_are_those_that_do_not_say_it() {
    let catalogue = Catalogue::builtin();
    let mut unknown: Vec<_> = catalogue
        .offers()
        .iter()
        .filter(|offer| offer.why_no_part == Some(NoPart::NameUnknown))
        .map(|offer| &*offer.accelerator_words)
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    for words in &unknown {
        // Instance names that state no accelerator, shares of one, and parts that are not in the catalogue.
        let known = [
            "RTX 4080 (32 GB mod)",
            "N1.",
            "N2.",
            "N3.",
            "RS ",
            "TPU v2",
            "TPU v3",
            "GTX 1050 Ti",
            "eg1.a100",
            "eg1.h100",
        ];
        assert!(known.iter().any(|start| words.starts_with(start)), "{words}");
    }
}

#[test]
fn most_offers_can_be_ranked() {
    let catalogue = Catalogue::builtin();
    let count = |why| catalogue.offers().iter().filter(|offer| offer.why_no_part == Some(why)).count();
    let (form, name, memory) =
        (count(NoPart::FormUnknown), count(NoPart::NameUnknown), count(NoPart::MemoryMismatch));
    let resolved = catalogue.offers().iter().filter(|offer| offer.part.is_some()).count();
    assert_eq!(resolved + form + name + memory, 604);
    assert!(resolved > 500, "{resolved} resolved; {form} form, {name} name, {memory} memory");
    assert_eq!(catalogue.as_of(), maat_base::Date::new(2026, 11, 9).ok());
    println!("{resolved} resolved; {form} form, {name} name, {memory} memory");
}

#[test]
fn laptop_and_desktop_and_forms_are_different_parts() {
    let catalogue = Catalogue::builtin();
    let form = |name: &str| catalogue.resolve_accelerator(name).unwrap().part.form;
    assert_eq!(form("RTX 4070"), FormFactor::Pcie);
    assert_eq!(form("RTX 4070 Laptop GPU"), FormFactor::Laptop);
    assert_eq!(form("H100 PCIe"), FormFactor::Pcie);
    assert_eq!(form("H100 SXM"), FormFactor::Baseboard);
}

#[test]
fn servers_by_name_and_instance() {
    let catalogue = Catalogue::builtin();
    assert_eq!(catalogue.resolve_server("dgx h100").unwrap().name, "DGX H100");
    assert_eq!(catalogue.resolve_server("p5.48xlarge").unwrap().name, "AWS p5.48xlarge");
    assert!(catalogue.resolve_server("p5").is_none());
}

proptest::proptest! {
    #[test]
    fn any_name_gives_a_part_or_a_fault(name in ".{0,60}") {
        thread_local!(static CATALOGUE: Catalogue = Catalogue::builtin());
        CATALOGUE.with(|catalogue| {
            let _ = catalogue.resolve_accelerator(&name);
            let _ = catalogue.resolve_cpu(&name);
            let _ = catalogue.resolve_server(&name);
        });
    }
}
