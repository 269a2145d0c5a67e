//! A fact: what an input says about a machine, and where it says so.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// Where something was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// The input's name: a file, `-`, or a path of the live machine.
    pub file: Arc<str>,
    /// The line, from 1; 0 where lines make no sense.
    pub line: u32,
}

impl Place {
    /// A place in a file that has no lines, such as a binary or a folder.
    pub fn whole(file: &str) -> Self {
        Self { file: Arc::from(file), line: 0 }
    }
}

/// `file:line`, as evidence names it.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { write!(f, "{}", self.file) } else { write!(f, "{}:{}", self.file, self.line) }
    }
}

/// How far a value may be trusted, least first; of two values for one key the stronger is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Follows from other words of the input, such as a package's default build.
    Implied,
    /// A person's own words.
    Told,
    /// A tool printed it.
    Printed,
    /// A tool whose subject it is printed it, or the running machine says so.
    Exact,
}

/// One statement of an input.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What it is about.
    pub key: Key,
    /// The value, written as [`Key`] says.
    pub value: String,
    /// Where it was read.
    #[serde(rename = "where")]
    pub place: Place,
    /// How far to trust it.
    pub strength: Strength,
}

impl Fact {
    /// A fact that a tool printed.
    pub fn printed(key: Key, value: impl Into<String>, place: Place) -> Self {
        Self { key, value: value.into(), place, strength: Strength::Printed }
    }

    /// The same with another strength.
    #[must_use]
    pub fn with_strength(mut self, strength: Strength) -> Self {
        self.strength = strength;
        self
    }
}

macro_rules! keys {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// The closed list of what facts are about. Every value is a string in the form that the key's description
        /// names; lists are divided by commas.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Key { $($(#[$doc])* $variant,)* }

        impl Key {
            /// Every key.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in JSON.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

keys! {
    /// Name of the GPU as printed; of several, the one it is about.
    Gpu = "gpu",
    /// Number of GPUs in the machine.
    GpuCount = "gpu_count",
    /// CUDA compute capability, `major.minor`.
    Cc = "cc",
    /// AMD target, `gfxNNN`.
    Gfx = "gfx",
    /// PCI vendor and device, `vvvv:dddd` in lower-case hex.
    PciId = "pci_id",
    /// Version of the loaded NVIDIA kernel module; the only driver version when one is named.
    Driver = "driver",
    /// Version of libcuda or NVML on disk, when it differs or is named apart.
    DriverUserland = "driver_userland",
    /// CUDA version that the driver states, `major.minor`.
    DriverCuda = "driver_cuda",
    /// `linux`, `windows` or `macos`.
    Os = "os",
    /// Version of WSL, `1` or `2`.
    Wsl = "wsl",
    /// Running kernel, as `uname -r` prints it.
    Kernel = "kernel",
    /// Kernel that the installed module was built for.
    ModuleKernel = "module_kernel",
    /// `enabled` or `disabled`.
    SecureBoot = "secure_boot",
    /// CPU model.
    Cpu = "cpu",
    /// Whether the CPU has AVX: `yes` or `no`.
    Avx = "avx",
    /// glibc of the system, `major.minor`.
    Glibc = "glibc",
    /// Highest GLIBC_ version that a binary asks for.
    GlibcNeeded = "glibc_needed",
    /// Host compiler's version.
    Gcc = "gcc",
    /// CUDA toolkit or runtime of the system, `major.minor`.
    Cuda = "cuda",
    /// Folder that CUDA_HOME or the build tool resolves to.
    CudaHome = "cuda_home",
    /// Version of the nvcc found, `major.minor`.
    Nvcc = "nvcc",
    /// PyTorch's version.
    Torch = "torch",
    /// CUDA version PyTorch was built for, `major.minor`; `none` for a build without.
    TorchCuda = "torch_cuda",
    /// ROCm version of the framework, else of the system.
    Rocm = "rocm",
    /// Architectures compiled into the wheel: SM numbers or gfx targets.
    WheelArchs = "wheel_archs",
    /// Other packages that matter: `name version`, divided by comma and space.
    Packages = "packages",
    /// cuDNN found or loaded.
    Cudnn = "cudnn",
    /// cuDNN that the framework was compiled against.
    CudnnBuiltWith = "cudnn_built_with",
    /// NCCL versions installed or loaded.
    Nccl = "nccl",
    /// Library that could not be opened.
    MissingLibrary = "missing_library",
    /// Symbol that could not be resolved.
    UndefinedSymbol = "undefined_symbol",
    /// Folder or file whose library came before the right one.
    ShadowPath = "shadow_path",
    /// CUDA error number, also when only its text is printed.
    CudaError = "cuda_error",
    /// Xid numbers in the kernel log, ascending, each once.
    Xids = "xids",
    /// Rows remapped for uncorrectable errors.
    RemappedUncorrectable = "remapped_uncorrectable",
    /// Row remapping: `none`, `pending` or `failed`.
    Remap = "remap",
    /// MIG mode, `on` or `off`.
    Mig = "mig",
    /// Whether ACS redirects peer traffic above the GPUs, `on` or `off`.
    Acs = "acs",
    /// IOMMU of the host: `on`, `off`, `pt`, or `no-pt` when `iommu=pt` is missing.
    Iommu = "iommu",
    /// Version of the NVIDIA container toolkit.
    ContainerToolkit = "container_toolkit",
    /// CUDA version that the container image asks for.
    ImageCuda = "image_cuda",
    /// Size of /dev/shm as printed.
    ShmSize = "shm_size",
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed list that scripts rely on, where it is at hand.
    #[test]
    fn keys_are_those_of_the_closed_list() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/samples/doctor/FACTS.toml");
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let listed: toml::Table = text.parse().unwrap();
        let listed: Vec<&str> =
            listed["fact"].as_array().unwrap().iter().map(|fact| fact["key"].as_str().unwrap()).collect();
        let own: Vec<&str> = Key::ALL.iter().map(|key| key.name()).collect();
        assert_eq!(own, listed);
    }

    #[test]
    fn a_place_reads_as_file_and_line() {
        assert_eq!(Place { file: Arc::from("a.txt"), line: 3 }.to_string(), "a.txt:3");
        assert_eq!(Place::whole("/dev/kfd").to_string(), "/dev/kfd");
    }
}
