//! What is known of one machine: everything that the readers found, with the strongest statement for each key.

use maat_base::Finding;
use maat_readings::fact::Strength;
use maat_readings::stack::architecture::{Board, board_in};
use maat_readings::stack::{Found, Library, Manager, Package, Sign, versions};
use maat_readings::{Fact, Key, Place};

/// Packages that the key `packages` names when they are there: those that bring or need compiled GPU code.
const THAT_MATTER: &[&str] = &[
    "vllm",
    "sglang",
    "flash-attn",
    "flashinfer-python",
    "xformers",
    "bitsandbytes",
    "onnxruntime-gpu",
    "ctranslate2",
    "faster-whisper",
    "tensorflow",
    "jax",
    "jaxlib",
    "jax-cuda12-plugin",
    "jax-cuda13-plugin",
    "torchvision",
    "torchaudio",
    "triton",
    "llama-cpp-python",
    "deepspeed",
    "tensorrt",
    "tensorrt-llm",
];
/// Names under which a package goes elsewhere.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("pytorch-triton", "triton"),
    ("pytorch-triton-rocm", "triton"),
    ("tensorflow-gpu", "tensorflow"),
    ("tf-nightly-gpu", "tensorflow"),
    ("tf-nightly", "tensorflow"),
];

/// The facts of one machine.
#[derive(Clone, Debug, Default)]
pub struct Case {
    found: Found,
}

impl Case {
    /// Puts together what was found, and adds what follows from the words themselves.
    pub fn new(mut found: Found) -> Self {
        for package in &mut found.packages {
            if let Some((_, name)) = OTHER_NAMES.iter().find(|(other, _)| *other == package.name) {
                (*name).clone_into(&mut package.name);
            }
        }
        let mut case = Self { found };
        case.add_package_facts();
        case.add_capability();
        case.add_default_build();
        case.add_shadow();
        case
    }

    /// Everything that was found.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// The strongest statement on a key; of equals the first.
    pub fn fact(&self, key: Key) -> Option<&Fact> {
        let of_key = self.found.facts.iter().filter(|fact| fact.key == key);
        of_key.fold(None, |best: Option<&Fact>, fact| match best {
            Some(best) if best.strength >= fact.strength => Some(best),
            _ => Some(fact),
        })
    }

    /// Its value.
    pub fn value(&self, key: Key) -> Option<&str> {
        self.fact(key).map(|fact| fact.value.as_str())
    }

    /// Every statement on a key.
    pub fn facts(&self, key: Key) -> impl Iterator<Item = &Fact> {
        self.found.facts.iter().filter(move |fact| fact.key == key)
    }

    /// Whether a sign was seen.
    pub fn has(&self, sign: &str) -> bool {
        self.sign(sign).is_some()
    }

    /// The first sighting of a sign.
    pub fn sign(&self, sign: &str) -> Option<&Sign> {
        self.found.signs.iter().find(|seen| seen.id == sign)
    }

    /// Every sighting of a sign.
    pub fn signs(&self, sign: &str) -> impl Iterator<Item = &Sign> {
        self.found.signs.iter().filter(move |seen| seen.id == sign)
    }

    /// A package by name.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.found.packages.iter().find(|package| package.name == name)
    }

    /// All packages.
    pub fn packages(&self) -> &[Package] {
        &self.found.packages
    }

    /// Which files a library's name leads to.
    pub fn libraries<'a>(&'a self, begins: &'a str) -> impl Iterator<Item = &'a Library> {
        self.found.libraries.iter().filter(move |library| library.name.starts_with(begins))
    }

    /// The board that the GPU's name stands for.
    pub fn board(&self) -> Option<&'static Board> {
        let named = self.facts(Key::Gpu).filter_map(|fact| board_in(&fact.value));
        named.fold(None, |best: Option<&'static Board>, board| match best {
            Some(best) if best.vendor == "nvidia" || board.vendor != "nvidia" => Some(best),
            _ => Some(board),
        })
    }

    /// Whether anything says that an NVIDIA GPU is in the machine.
    pub fn has_nvidia_gpu(&self) -> bool {
        let by_name = self.facts(Key::Gpu).any(|fact| {
            board_in(&fact.value)
                .map_or_else(|| fact.value.contains("NVIDIA"), |board| board.vendor == "nvidia")
        });
        let by_id = self.value(Key::PciId).is_some_and(|id| id.starts_with("10de:"));
        by_name
            || by_id
            || self.has("pci-nvidia")
            || self.has("nvidia-smi-card")
            || self.has("nvidia-smi-list")
    }

    /// Whether a driver or a GPU of NVIDIA shows in any way.
    pub fn shows_nvidia(&self) -> bool {
        self.has_nvidia_gpu() || self.fact(Key::Driver).is_some() || self.fact(Key::DriverCuda).is_some()
    }

    /// Whether the machine runs Windows.
    pub fn is_windows(&self) -> bool {
        self.value(Key::Os) == Some("windows") && self.fact(Key::Wsl).is_none()
    }

    /// Numbers of all Xids.
    pub fn xids(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self
            .facts(Key::Xids)
            .flat_map(|fact| fact.value.split(','))
            .filter_map(|n| n.parse().ok())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// What is compiled into the wheel, as printed.
    pub fn wheel_archs(&self) -> Option<Vec<&str>> {
        self.value(Key::WheelArchs).map(|list| list.split(',').collect())
    }

    /// Adds the statement on a key, where there is one, to a finding's evidence.
    pub fn prove(&self, finding: Finding, keys: &[Key]) -> Finding {
        keys.iter().filter_map(|key| self.fact(*key)).fold(finding, |finding, fact| {
            finding.because(fact.key.name(), fact.value.as_str(), fact.place.to_string())
        })
    }

    /// Adds the first line of each sign to a finding's evidence.
    pub fn show(&self, finding: Finding, signs: &[&str]) -> Finding {
        signs.iter().filter_map(|sign| self.sign(sign)).fold(finding, |finding, sign| {
            finding.because(sign.id, sign.line.as_str(), sign.place.to_string())
        })
    }

    /// The facts as the answer gives them: one value a key.
    pub fn values(&self) -> Vec<(Key, String)> {
        Key::ALL.iter().filter_map(|key| Some((*key, self.shown(*key)?))).collect()
    }

    fn shown(&self, key: Key) -> Option<String> {
        match key {
            Key::Packages => self.packages_shown(),
            Key::Nccl => {
                let mut list: Vec<&str> = self.facts(Key::Nccl).map(|fact| fact.value.as_str()).collect();
                list.sort_by(|a, b| versions::compare(a, b));
                list.dedup();
                (!list.is_empty()).then(|| list.join(","))
            }
            Key::GlibcNeeded => {
                let needed = self.facts(key).map(|fact| fact.value.as_str());
                needed.max_by(|a, b| versions::compare(a, b)).map(str::to_owned)
            }
            Key::Xids => {
                let list: Vec<String> = self.xids().iter().map(ToString::to_string).collect();
                (!list.is_empty()).then(|| list.join(","))
            }
            // The same version twice says nothing that `driver` does not say.
            Key::DriverUserland => {
                self.value(key).filter(|v| self.value(Key::Driver) != Some(*v)).map(str::to_owned)
            }
            _ => self.value(key).map(str::to_owned),
        }
    }

    fn packages_shown(&self) -> Option<String> {
        let named = self.facts(Key::Packages).map(|fact| fact.value.clone());
        let listed = self
            .packages()
            .iter()
            .filter(|package| THAT_MATTER.contains(&package.name.as_str()))
            .map(|package| format!("{} {}", package.name, package.version));
        let mut list: Vec<String> = named.chain(listed).collect();
        list.dedup();
        (!list.is_empty()).then(|| list.join(", "))
    }

    fn push(&mut self, key: Key, value: &str, place: &Place, strength: Strength) {
        self.found.facts.push(Fact { key, value: value.to_owned(), place: place.clone(), strength });
    }

    /// Versions that a package's own version gives.
    fn add_package_facts(&mut self) {
        for package in self.found.packages.clone() {
            let strength = if package.manager == Manager::Told { Strength::Told } else { Strength::Printed };
            let name = package.name.as_str();
            let (version, place) = (package.version.as_str(), &package.place);
            if name == "torch" {
                self.add_torch(version, place, strength);
            } else if name.starts_with("nvidia-nccl-cu") {
                self.push(Key::Nccl, version, place, strength);
            } else if name.starts_with("nvidia-cudnn-cu") {
                self.push(Key::Cudnn, version, place, Strength::Told);
            } else if let Some(major) =
                name.strip_prefix("jax-cuda").and_then(|rest| rest.strip_suffix("-plugin"))
            {
                self.found.signs.push(Sign {
                    id: "jax-plugin",
                    value: Some(major.to_owned()),
                    line: format!("{name} {version}"),
                    place: place.clone(),
                });
            }
        }
    }

    fn add_torch(&mut self, version: &str, place: &Place, strength: Strength) {
        let (plain, local) = version.split_once('+').unwrap_or((version, ""));
        if let Some(cuda) = local.strip_prefix("cu").and_then(versions::of_cu_tag) {
            self.push(Key::TorchCuda, &cuda, place, strength);
        } else if local == "cpu" {
            self.push(Key::TorchCuda, "none", place, strength);
        } else if let Some(rocm) = local.strip_prefix("rocm") {
            self.push(Key::Rocm, rocm, place, strength);
        }
        self.push(Key::Torch, if local == "cpu" { version } else { plain }, place, strength);
    }

    /// A known card's name gives its capability or target.
    fn add_capability(&mut self) {
        let Some(board) = self.board() else { return };
        let named = self.found.facts.iter().find(|fact| {
            fact.key == Key::Gpu && board_in(&fact.value).is_some_and(|other| other.name == board.name)
        });
        let Some(place) = named.map(|fact| fact.place.clone()) else { return };
        if let (None, Some(cc)) = (self.fact(Key::Cc), &board.capability) {
            self.push(Key::Cc, cc, &place, Strength::Implied);
        }
        if let (None, Some(gfx)) = (self.fact(Key::Gfx), &board.gfx) {
            self.push(Key::Gfx, gfx, &place, Strength::Implied);
        }
    }

    /// A symbol that is not found in a library, and a folder of CUDA that stands before the wheel's.
    fn add_shadow(&mut self) {
        if self.fact(Key::UndefinedSymbol).is_none() || self.fact(Key::ShadowPath).is_some() {
            return;
        }
        if let Some(shadow) = crate::rules::shadow_path(self) {
            self.push(Key::ShadowPath, &shadow.0, &shadow.1, Strength::Printed);
        }
    }

    /// PyTorch of a plain `pip install` on Linux is the registry's default build.
    fn add_default_build(&mut self) {
        let Some(torch) = self.fact(Key::Torch).cloned() else { return };
        if self.fact(Key::TorchCuda).is_some() || self.fact(Key::Rocm).is_some() || is_special(&torch.value) {
            return;
        }
        let foreign = matches!(self.value(Key::Os), Some("windows" | "macos"));
        let runtime = self.found.packages.iter().find(|p| p.name.starts_with("nvidia-cuda-runtime")).cloned();
        if let Some(runtime) = runtime {
            if let Some(cuda) = versions::major_minor(&runtime.version) {
                self.push(Key::TorchCuda, &cuda, &runtime.place, Strength::Told);
            }
        } else if !foreign && let Some(release) = crate::tables::wheels::release(&torch.value) {
            self.push(Key::TorchCuda, &release.pypi_cuda, &torch.place, Strength::Implied);
        }
    }
}

/// A development, source or vendor's build: its version says nothing on the registry's wheels.
fn is_special(version: &str) -> bool {
    version.contains('+') || ["dev", "git", "a0", "rc"].iter().any(|mark| version.contains(mark))
}
