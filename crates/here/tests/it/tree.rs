//! Copies of `/proc` and `/sys` of machines, written by hand from what such machines show.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use maat_catalogue::{Catalogue, Machine, ThisMachine};
use maat_here::{Record, this_machine};
use maat_probe::machine::{Boards, Root, Seen, machine_with};

/// A tree in a temporary folder, which goes when it is dropped.
pub struct Tree(pub PathBuf);

impl Tree {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("maat-here-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.0.join(path.trim_start_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn files(self, files: &[(&str, &str)]) -> Self {
        files.iter().fold(self, |tree, (path, text)| tree.file(path, text))
    }

    /// Memory of so many KiB.
    pub fn memory(self, kib: u64) -> Self {
        self.file("/proc/meminfo", format!("MemTotal:       {kib} kB\nMemAvailable:   {} kB\n", kib / 4 * 3))
    }

    /// Processors in `/proc/cpuinfo` and in sysfs: `sockets` of `cores` with `per_core` threads, the second threads of all
    /// cores after the first ones, as Linux numbers them.
    pub fn x86(self, maker: &str, model: &str, flags: &str, [sockets, cores, per_core]: [u32; 3]) -> Self {
        let mut info = String::new();
        let all = sockets * cores;
        let mut tree = self.file("/sys/devices/system/cpu/online", format!("0-{}\n", all * per_core - 1));
        for thread in 0..all * per_core {
            let core = thread % all;
            let package = core / cores;
            let id = core % cores;
            write!(
                info,
                "processor\t: {thread}\nvendor_id\t: {maker}\nmodel name\t: {model}\ncpu MHz\t\t: 1500.000\n\
                 physical id\t: {package}\ncore id\t\t: {id}\nflags\t\t: {flags}\n\n"
            )
            .unwrap();
            let at = |file: &str| format!("/sys/devices/system/cpu/cpu{thread}/topology/{file}");
            let siblings: Vec<String> = (0..per_core).map(|n| (core + n * all).to_string()).collect();
            tree = tree
                .file(&at("physical_package_id"), format!("{package}\n"))
                .file(&at("core_id"), format!("{id}\n"))
                .file(&at("thread_siblings_list"), siblings.join(",") + "\n");
        }
        tree.file("/proc/cpuinfo", info)
    }

    /// A device on the PCI bus.
    pub fn pci(self, address: &str, class: &str, [vendor, device]: [&str; 2]) -> Self {
        let at = |file: &str| format!("/sys/bus/pci/devices/{address}/{file}");
        self.file(&at("class"), format!("{class}\n"))
            .file(&at("vendor"), format!("{vendor}\n"))
            .file(&at("device"), format!("{device}\n"))
    }

    pub fn seen(&self) -> Seen {
        self.seen_with(None)
    }

    pub fn seen_with(&self, boards: Option<&dyn Boards>) -> Seen {
        machine_with(&Root::of(&self.0), boards)
    }

    pub fn machine(&self) -> Machine {
        matched(&self.seen()).machine
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn matched(seen: &Seen) -> ThisMachine {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    this_machine(seen, None::<&Record>, CATALOGUE.get_or_init(Catalogue::builtin)).unwrap()
}

/// Instruction sets of an EPYC of the fourth generation.
pub const ZEN4: &str = "sse2 avx avx2 fma f16c avx512f avx512bw avx512_bf16 avx512_vnni";
/// Of a desktop processor of Intel's 13th generation.
pub const RAPTOR: &str = "sse2 avx avx2 fma f16c avx_vnni";

/// A computer with 64 GiB, as its kernel counts them.
pub fn desktop() -> Tree {
    Tree::new()
        .x86("AuthenticAMD", "AMD Ryzen 9 7950X 16-Core Processor", ZEN4, [1, 16, 2])
        .memory(65_000_000)
}
