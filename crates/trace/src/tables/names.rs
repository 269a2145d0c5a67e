//! What names mean.

use serde::Serialize;

use super::pattern::Pattern;
use super::rows;

macro_rules! words {
    ($(#[$doc:meta])* $vis:vis enum $name:ident { $($(#[$item_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "kebab-case")]
        $vis enum $name { $($(#[$item_doc])* $variant,)* }

        impl $name {
            /// Every word and what it stands for.
            pub(crate) const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)*];

            /// The word of tables and answers.
            #[allow(dead_code, reason = "not every kind of word is shown")]
            pub fn word(self) -> &'static str {
                Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
            }

            /// The meaning of a word of a table.
            pub(crate) fn parse(word: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
            }

        }
    };
}

words! {
    /// What an event's category makes of it.
    pub(crate) enum Category {
        Kernel = "kernel",
        Copy = "copy",
        Fill = "fill",
        Call = "call",
        Op = "op",
        Annotation = "annotation",
        Python = "python",
        Overhead = "overhead",
        OtherAccelerator = "other-accelerator",
        Other = "other",
    }
}

words! {
    /// A family of kernels.
    pub enum Family {
        /// Collectives of NCCL and RCCL: what counts as communication in the numbers.
        Communication = "communication",
        /// An engine's own all-reduce: communication by nature, computing in the numbers.
        Allreduce = "allreduce",
        /// Attention.
        Attention = "attention",
        /// Matrix products.
        Gemm = "gemm",
        /// Convolutions.
        Convolution = "convolution",
        /// Batch, layer and other normalisation, softmax.
        Normalisation = "normalisation",
        /// Pointwise work.
        Elementwise = "elementwise",
        /// Sums and the like.
        Reduction = "reduction",
        /// Table look-ups.
        Embedding = "embedding",
        /// Optimizer steps over many tensors.
        Optimizer = "optimizer",
        /// Rearranging memory.
        Layout = "layout",
        /// Sorting, scanning, choosing.
        Sorting = "sorting",
        /// To and from narrow number types.
        Quantisation = "quantisation",
        /// Random numbers.
        Random = "random",
        /// In no table.
        Other = "other",
    }
}

words! {
    /// What a family of kernels usually runs against.
    pub enum Bound {
        /// The arithmetic units.
        Compute = "compute",
        /// The memory's bandwidth.
        Memory = "memory",
        /// The links between accelerators.
        Network = "network",
        /// Not known.
        Unknown = "unknown",
    }
}

words! {
    /// A kind of communication.
    pub enum Collective {
        /// Sum over all ranks, to all.
        AllReduce = "all-reduce",
        /// Parts of all ranks, to all.
        AllGather = "all-gather",
        /// Sum over all ranks, a part to each.
        ReduceScatter = "reduce-scatter",
        /// From one to all.
        Broadcast = "broadcast",
        /// From one to one; all-to-all is made of these too.
        SendReceive = "send-receive",
        /// Sum over all ranks, to one.
        Reduce = "reduce",
        /// The name does not say.
        Other = "other",
    }
}

words! {
    /// Whose accelerator it is.
    pub enum Vendor {
        /// AMD.
        Amd = "amd",
        /// NVIDIA.
        Nvidia = "nvidia",
    }
}

words! {
    /// Whether a kernel uses tensor or matrix cores.
    pub(crate) enum TensorUse {
        Yes = "yes",
        No = "no",
        Unknown = "unknown",
    }
}

words! {
    /// What the host asks of the accelerator.
    pub(crate) enum CallClass {
        Sync = "sync",
        Launch = "launch",
        Graph = "graph",
        LaunchOther = "launch-other",
        Wait = "wait",
        Copy = "copy",
        Fill = "fill",
        Module = "module",
        Alloc = "alloc",
        Other = "other",
    }
}

words! {
    /// What a span of the host is about.
    pub(crate) enum SpanClass {
        Step = "step",
        Loader = "loader",
        Checkpoint = "checkpoint",
        Evaluation = "evaluation",
        Compile = "compile",
        Module = "module",
        Item = "item",
        Pipeline = "pipeline",
        Collector = "collector",
        Other = "other",
    }
}

words! {
    /// Which spans a row of the table of spans speaks of.
    pub(crate) enum SpanKind {
        Host = "host",
        Op = "op",
        Python = "python",
        Overhead = "overhead",
        Any = "any",
    }
}

impl SpanKind {
    fn covers(self, category: Category) -> bool {
        match self {
            Self::Host => matches!(category, Category::Op | Category::Annotation),
            Self::Op => category == Category::Op,
            Self::Python => category == Category::Python,
            Self::Overhead => category == Category::Overhead,
            Self::Any => category != Category::Overhead,
        }
    }
}

/// What is known of a kernel from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KernelClass {
    pub family: Family,
    pub bound: Bound,
    pub tensor: TensorUse,
}

words! {
    /// What a copy's name can say.
    pub(crate) enum CopyProperty {
        ToDevice = "to-device",
        ToHost = "to-host",
        Pageable = "pageable",
    }
}

/// What is known of a copy from its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CopyClass {
    pub to_device: bool,
    pub to_host: bool,
    pub pageable: bool,
}

/// The tables of names, parsed.
pub(crate) struct Tables {
    categories: Vec<(Box<[u8]>, Category)>,
    kernels: Vec<(Pattern, Family, Bound)>,
    tensor: Vec<(Pattern, TensorUse)>,
    architectures: Vec<(Pattern, u32)>,
    calls: Vec<(Pattern, CallClass)>,
    collectives: Vec<(Pattern, Collective)>,
    copies: Vec<(Pattern, CopyProperty)>,
    vendors: Vec<(Pattern, Vendor)>,
    spans: Vec<(Pattern, SpanKind, SpanClass)>,
}

/// The field of a row, empty where there is none.
fn field(row: &[String], index: usize) -> &str {
    row.get(index).map_or("", String::as_str)
}

fn parsed<T>(path: &str, parse: impl Fn(&[String]) -> Option<T>) -> Vec<T> {
    rows(path).iter().filter_map(|row| parse(row)).collect()
}

impl Tables {
    pub(super) fn read() -> Self {
        Self {
            categories: parsed("trace/categories.csv", |row| {
                Some((Box::from(field(row, 0).as_bytes()), Category::parse(field(row, 1))?))
            }),
            kernels: parsed("trace/kernels.csv", |row| {
                let pattern = Pattern::parse(field(row, 1), field(row, 2))?;
                Some((pattern, Family::parse(field(row, 0))?, Bound::parse(field(row, 3))?))
            }),
            tensor: parsed("trace/tensor-cores.csv", |row| {
                Some((Pattern::parse(field(row, 1), field(row, 2))?, TensorUse::parse(field(row, 0))?))
            }),
            architectures: parsed("trace/architectures.csv", |row| {
                Some((Pattern::parse(field(row, 0), field(row, 1))?, field(row, 2).parse().ok()?))
            }),
            calls: parsed("trace/calls.csv", |row| {
                Some((Pattern::parse(field(row, 1), field(row, 2))?, CallClass::parse(field(row, 0))?))
            }),
            collectives: parsed("trace/collectives.csv", |row| {
                Some((Pattern::parse(field(row, 1), field(row, 2))?, Collective::parse(field(row, 0))?))
            }),
            vendors: parsed("trace/vendors.csv", |row| {
                Some((Pattern::parse(field(row, 1), field(row, 2))?, Vendor::parse(field(row, 0))?))
            }),
            copies: parsed("trace/copies.csv", |row| {
                Some((Pattern::parse(field(row, 1), field(row, 2))?, CopyProperty::parse(field(row, 0))?))
            }),
            spans: parsed("trace/spans.csv", |row| {
                let pattern = Pattern::parse(field(row, 2), field(row, 3))?;
                Some((pattern, SpanKind::parse(field(row, 1))?, SpanClass::parse(field(row, 0))?))
            }),
        }
    }

    /// The meaning of a category, whatever its case.
    pub(crate) fn category(&self, text: &[u8]) -> Category {
        self.categories
            .iter()
            .find(|(name, _)| name.len() == text.len() && name.eq_ignore_ascii_case(text))
            .map_or(Category::Other, |(_, category)| *category)
    }

    /// What a kernel's name says.
    pub(crate) fn kernel(&self, name: &[u8]) -> KernelClass {
        let name = name.to_ascii_lowercase();
        let row = self.kernels.iter().find(|(pattern, ..)| pattern.matches(&name));
        let (family, bound) =
            row.map_or((Family::Other, Bound::Unknown), |(_, family, bound)| (*family, *bound));
        let tensor = self
            .tensor
            .iter()
            .find(|(pattern, _)| pattern.matches(&name))
            .map_or(TensorUse::No, |(_, tensor)| *tensor);
        KernelClass { family, bound, tensor }
    }

    /// The compute capability (times ten) that a kernel's name gives away.
    pub(crate) fn capability(&self, name: &str) -> Option<u32> {
        let name = name.to_ascii_lowercase();
        self.architectures
            .iter()
            .find(|(pattern, _)| pattern.matches(name.as_bytes()))
            .map(|(_, capability)| *capability)
    }

    /// What a call is for.
    pub(crate) fn call(&self, name: &[u8]) -> CallClass {
        self.calls
            .iter()
            .find(|(pattern, _)| pattern.matches(name))
            .map_or(CallClass::Other, |(_, class)| *class)
    }

    /// The kind of a communication kernel.
    pub(crate) fn collective(&self, name: &str) -> Collective {
        let name = name.to_ascii_lowercase();
        self.collectives
            .iter()
            .find(|(pattern, _)| pattern.matches(name.as_bytes()))
            .map_or(Collective::Other, |(_, kind)| *kind)
    }

    /// Whose accelerator a call is made to.
    pub(crate) fn vendor(&self, call: &str) -> Option<Vendor> {
        self.vendors.iter().find(|(pattern, _)| pattern.matches(call.as_bytes())).map(|(_, vendor)| *vendor)
    }

    /// What a copy's name says.
    pub(crate) fn copy(&self, name: &[u8]) -> CopyClass {
        let says =
            |property| self.copies.iter().any(|(pattern, row)| *row == property && pattern.matches(name));
        CopyClass {
            to_device: says(CopyProperty::ToDevice),
            to_host: says(CopyProperty::ToHost),
            pageable: says(CopyProperty::Pageable),
        }
    }

    /// What a span is about.
    pub(crate) fn span(&self, category: Category, name: &[u8]) -> SpanClass {
        self.spans
            .iter()
            .find(|(pattern, kind, _)| kind.covers(category) && pattern.matches(name))
            .map_or(SpanClass::Other, |(.., class)| *class)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables;
    use super::*;

    #[test]
    fn every_row_of_every_table_is_understood() {
        let tables = tables();
        for (path, count) in [
            ("trace/categories.csv", tables.categories.len()),
            ("trace/kernels.csv", tables.kernels.len()),
            ("trace/tensor-cores.csv", tables.tensor.len()),
            ("trace/architectures.csv", tables.architectures.len()),
            ("trace/calls.csv", tables.calls.len()),
            ("trace/collectives.csv", tables.collectives.len()),
            ("trace/copies.csv", tables.copies.len()),
            ("trace/vendors.csv", tables.vendors.len()),
            ("trace/spans.csv", tables.spans.len()),
        ] {
            assert_eq!(rows(path).len(), count, "{path}");
            assert!(count > 0, "{path}");
        }
    }

    #[test]
    fn old_and_new_categories_are_the_same() {
        let tables = tables();
        for (old, new) in [
            ("Kernel", "kernel"),
            ("Memcpy", "gpu_memcpy"),
            ("Runtime", "cuda_runtime"),
            ("Operator", "cpu_op"),
        ] {
            assert_ne!(tables.category(new.as_bytes()), Category::Other);
            let (old, new) = (tables.category(old.as_bytes()), tables.category(new.as_bytes()));
            assert_eq!(old, new);
        }
    }

    #[test]
    fn communication_is_nccl_and_rccl_only() {
        // Definition of the numbers: lower-case name contains `nccl` or `rccl`; an engine's own kernels are not.
        let family = |name: &str| tables().kernel(name.as_bytes()).family;
        assert_eq!(family("ncclDevKernel_AllReduce_Sum_f32_RING_LL"), Family::Communication);
        assert_eq!(family("RCCL_generic"), Family::Communication);
        assert_eq!(family("multimem_all_reduce_kernel<c10::BFloat16>"), Family::Allreduce);
        assert_eq!(family("volta_sgemm_64x64_nt"), Family::Gemm);
    }

    #[test]
    fn calls_follow_the_definition() {
        let class = |name: &str| tables().call(name.as_bytes());
        assert_eq!(class("cudaMemcpy"), CallClass::Sync);
        assert_eq!(class("cudaMemcpyAsync"), CallClass::Copy);
        assert_eq!(class("hipMemcpyWithStream"), CallClass::Wait);
        assert_eq!(class("cuLaunchKernelEx"), CallClass::Launch);
        assert_eq!(class("hipExtModuleLaunchKernel"), CallClass::Launch);
        assert_eq!(class("cudaGraphLaunch"), CallClass::Graph);
    }

    #[test]
    fn tensor_cores_by_name() {
        let tensor = |name: &str| tables().kernel(name.as_bytes()).tensor;
        assert_eq!(tensor("volta_sgemm_64x64_nt"), TensorUse::No);
        assert_eq!(tensor("volta_s884gemm_fp16_128x128_ldg8_f2f_nn"), TensorUse::Yes);
        assert_eq!(tensor("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n"), TensorUse::Yes);
        assert_eq!(tensor("_matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1"), TensorUse::Unknown);
        assert_eq!(tensor("Cijk_Alik_Bljk_BBS_BH_MT256x32x64_MI16x16x1_SN"), TensorUse::Yes);
    }
}
