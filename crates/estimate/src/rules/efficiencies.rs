//! Efficiencies of hardware classes, engines and links, read from `facts/speed/`.
//!
//! The formulas of `speed` hold no constants: every parameter is a row that a person can read and correct, with its unit
//! and what it rests on. A key without a row of its own takes the group's `default`.

use std::collections::HashMap;

use maat_base::{Fault, Range};
use maat_catalogue::NumberType;
use serde::Deserialize;

use super::correction::Correction;
use super::groups::{
    EngineEfficiency, Group, HardwareEfficiency, LinkEfficiency, MemoryEfficiency, ProcessorEfficiency,
    RoutingEfficiency, TrainingEfficiency,
};

/// The files, as `(name, text)`. Every file of `facts/speed` stands here.
const FILES: [(&str, &str); 13] = [
    ("efficiencies.csv", include_str!("../../../../facts/speed/efficiencies.csv")),
    ("engines.csv", include_str!("../../../../facts/speed/engines.csv")),
    ("hardware.csv", include_str!("../../../../facts/speed/hardware.csv")),
    ("memory.csv", include_str!("../../../../facts/speed/memory.csv")),
    ("processors.csv", include_str!("../../../../facts/speed/processors.csv")),
    ("arithmetic.csv", include_str!("../../../../facts/speed/arithmetic.csv")),
    ("kernels.csv", include_str!("../../../../facts/speed/kernels.csv")),
    ("power.csv", include_str!("../../../../facts/speed/power.csv")),
    ("server.csv", include_str!("../../../../facts/speed/server.csv")),
    ("data.csv", include_str!("../../../../facts/speed/data.csv")),
    ("items.csv", include_str!("../../../../facts/speed/items.csv")),
    ("pipelines.csv", include_str!("../../../../facts/speed/pipelines.csv")),
    ("ranges.csv", include_str!("../../../../facts/speed/ranges.csv")),
];

/// Parameters by key.
#[derive(Clone, Debug, Default)]
pub struct Table<T> {
    default: T,
    keyed: HashMap<String, T>,
    /// Keys and parameters with rows of their own; the others follow the default.
    own: Vec<(String, String)>,
    /// Keys and those that they follow instead of the default.
    follows: Vec<(String, String)>,
}

impl<T> Table<T> {
    /// The parameters of a key, and whether the key has rows of its own.
    pub fn get(&self, key: &str) -> (&T, bool) {
        if let Some(own) = self.keyed.get(key) {
            return (own, true);
        }
        let other = self.followed(key).and_then(|other| self.keyed.get(other));
        (other.unwrap_or(&self.default), false)
    }

    /// The key that a key follows, if not the default.
    fn followed(&self, key: &str) -> Option<&str> {
        self.follows.iter().find(|(own, _)| own == key).map(|(_, other)| other.as_str())
    }
}

impl<T: Group> Table<T> {
    /// Sets a key's parameter; the default's reaches every key without its own. False where there is none of that name.
    fn put(&mut self, key: &str, parameter: &str, value: f64) -> bool {
        let set = |all: &mut T| all.parameter(parameter).map(|field| *field = value).is_some();
        if key == "default" {
            let own = &self.own;
            // What follows another key has the default's where that one has.
            let others = &self.follows;
            let has = |key: &str| own.iter().any(|(k, p)| k == key && p == parameter);
            let follows = |key: &String| !has(key) && !others.iter().any(|(k, other)| k == key && has(other));
            for (_, all) in self.keyed.iter_mut().filter(|(key, _)| follows(key)) {
                set(all);
            }
            return set(&mut self.default);
        }
        if !self.own.iter().any(|(k, p)| k == key && p == parameter) {
            self.own.push((key.to_owned(), parameter.to_owned()));
        }
        let first = self.get(key).0.clone();
        let known = set(self.keyed.entry(key.to_owned()).or_insert(first));
        let (own, follows) = (&self.own, &self.follows);
        let comes_along = |other: &String| {
            follows.iter().any(|(k, of)| k == other && of == key)
                && !own.iter().any(|(k, p)| k == other && p == parameter)
        };
        for (_, all) in self.keyed.iter_mut().filter(|(other, _)| comes_along(other)) {
            set(all);
        }
        known
    }
}

/// When weights are brought to another form before they are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expands {
    /// Never.
    No,
    /// Where the part has no units for the narrow numbers.
    Narrow,
    /// Always.
    Always,
}

/// How a storage format is computed in.
#[derive(Clone, Debug, PartialEq)]
pub struct Arithmetic {
    /// Name of the storage format.
    pub encoding: String,
    /// Number types, the first that a part supports is used.
    pub computes: Vec<NumberType>,
    /// Whether weights are expanded.
    pub expands: Expands,
    /// Effort of expanding an element, 1 for a plain four-bit format.
    pub effort: f64,
    /// The same of a processor, whose vector units have no tables to look up in.
    pub processor_effort: f64,
}

/// Kernels that an engine launches for one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the operations")]
pub struct KernelCounts {
    pub product: u32,
    pub norm: u32,
    pub attention: u32,
    pub latent_attention: u32,
    pub cross_attention: u32,
    pub indexer: u32,
    pub recurrence: u32,
    pub activation: u32,
    pub dispatch: u32,
    pub gather: u32,
    pub quantise: u32,
    pub collective: u32,
}

/// Factors that an 80 % range lies below and above the likely figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Width {
    /// The likely figure divided by the low one.
    pub below: f64,
    /// The high figure divided by the likely one.
    pub above: f64,
}

impl Width {
    /// The range about a figure.
    pub fn about(self, likely: f64) -> Range {
        Range::by_factors(likely, self.below, self.above)
    }
}

/// Everything that `speed` knows of classes.
#[derive(Clone, Debug, Default)]
pub struct Efficiencies {
    /// By class of accelerator.
    pub hardware: Table<HardwareEfficiency>,
    /// By kind of memory.
    pub memory: Table<MemoryEfficiency>,
    /// By class of processor.
    pub processors: Table<ProcessorEfficiency>,
    /// By engine.
    pub engines: Table<EngineEfficiency>,
    /// By kind of link.
    pub links: Table<LinkEfficiency>,
    /// Of all routers.
    pub routing: Table<RoutingEfficiency>,
    /// By training framework.
    pub training: Table<TrainingEfficiency>,
    /// Storage formats.
    pub arithmetic: Vec<Arithmetic>,
    /// Kernels of each operation.
    pub kernels: KernelCounts,
    classes: Vec<ClassRow>,
    memory_kinds: HashMap<String, String>,
    instructions: Vec<(String, String)>,
    widths: Vec<WidthRow>,
    power: Vec<PowerRow>,
    data: HashMap<String, Range>,
    server: HashMap<String, Range>,
    items: HashMap<String, Range>,
    pipelines: Vec<Pipeline>,
    /// Group, key and parameter of the rows that were fitted to measurements.
    fitted: Vec<[String; 3]>,
    /// What own measurements say; none are compiled in.
    pub corrections: Vec<Correction>,
}

impl Efficiencies {
    /// The text of one of the files that are compiled in; empty where there is none of that name.
    pub fn text_of(name: &str) -> &'static str {
        FILES.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text)
    }

    /// The rows that are compiled in.
    pub fn built_in() -> Result<Self, Fault> {
        let text = Self::text_of;
        let mut all = Self::default();
        all.engines.follows = rows::<(String, String, String)>("engines.csv", text("engines.csv"))?
            .into_iter()
            .map(|(key, other, _)| (key, other))
            .collect();
        let parameters = rows::<ParameterRow>("efficiencies.csv", text("efficiencies.csv"))?;
        all.set_all(&parameters)?;
        let fitted = parameters.into_iter().filter(|row| row.basis == "fitted");
        all.fitted = fitted.map(|row| [row.group, row.key, row.parameter]).collect();
        all.arithmetic = rows::<ArithmeticRow>("arithmetic.csv", text("arithmetic.csv"))?
            .into_iter()
            .map(ArithmeticRow::read)
            .collect::<Result<_, _>>()?;
        all.classes = rows("hardware.csv", text("hardware.csv"))?;
        all.memory_kinds = rows::<(String, String)>("memory.csv", text("memory.csv"))?.into_iter().collect();
        all.instructions = rows::<(String, String, String)>("processors.csv", text("processors.csv"))?
            .into_iter()
            .map(|(word, class, _)| (word, class))
            .collect();
        all.kernels = kernel_counts(&rows("kernels.csv", text("kernels.csv"))?)?;
        all.widths = rows("ranges.csv", text("ranges.csv"))?;
        all.power = rows("power.csv", text("power.csv"))?;
        all.data = ranges("data.csv", text("data.csv"))?;
        all.server = ranges("server.csv", text("server.csv"))?;
        all.items = ranges("items.csv", text("items.csv"))?;
        all.pipelines = rows("pipelines.csv", text("pipelines.csv"))?;
        Ok(all)
    }

    /// Class of an architecture with a kind of memory: the first row of `hardware.csv` that has both.
    pub fn hardware_class(&self, architecture: &str, memory_kind: &str) -> &str {
        let fits = |row: &&ClassRow| {
            row.architecture == architecture && (row.memory.is_empty() || row.memory == memory_kind)
        };
        self.classes.iter().find(fits).map_or("default", |row| row.class.as_str())
    }

    /// Kind of a memory type, as `memory.csv` has it.
    pub fn memory_kind(&self, memory_type: &str) -> &str {
        self.memory_kinds.get(memory_type).map_or("default", String::as_str)
    }

    /// Class of a processor by the words of its instruction sets.
    pub fn processor_class(&self, instructions: &str) -> &str {
        self.instructions
            .iter()
            .find(|(word, _)| instructions.split([' ', '(', ')']).any(|given| given == word))
            .map_or("default", |(_, class)| class.as_str())
    }

    /// How a storage format is computed in; by its width where it has no row.
    pub fn arithmetic_of(&self, encoding: &str, bits: f64) -> usize {
        let named =
            |name: &str| self.arithmetic.iter().position(|row| row.encoding.eq_ignore_ascii_case(name));
        let by_width = if bits >= 16.0 { "bf16" } else { "int4" };
        named(encoding).or_else(|| named(by_width)).unwrap_or(0)
    }

    /// A quantity of `power.csv` with its range.
    pub fn power(&self, quantity: &str) -> Option<Range> {
        let row = self.power.iter().find(|row| row.quantity == quantity)?;
        Some(Range::new(row.low, row.likely, row.high))
    }

    /// A quantity of `data.csv` with its range.
    pub fn data(&self, quantity: &str) -> Option<Range> {
        self.data.get(quantity).copied()
    }

    /// A quantity of `server.csv` with its range.
    pub fn server(&self, quantity: &str) -> Option<Range> {
        self.server.get(quantity).copied()
    }

    /// A quantity of `items.csv` with its range; nothing where there is no row, which a test rules out.
    pub fn item(&self, quantity: &str) -> Range {
        self.items.get(quantity).copied().unwrap_or(Range::exact(0.0))
    }

    /// What the first of these pipelines that has a row does when nothing is said.
    pub fn pipeline(&self, names: &[&str]) -> Option<&Pipeline> {
        let row_of = |key: &&str| self.pipelines.iter().find(|row| row.name.eq_ignore_ascii_case(key));
        names.iter().find_map(row_of)
    }

    /// Whether a key has a row of its own that was fitted to measurements: of that parameter, or of any that serving
    /// hangs on.
    pub fn fitted(&self, group: &str, key: &str, parameter: Option<&str>) -> bool {
        let asked = |name: &str| parameter.map_or(!name.starts_with("train_"), |asked| name == asked);
        self.fitted.iter().any(|row| row[0] == group && row[1] == key && asked(&row[2]))
    }

    /// Says that a key's parameter is not fitted: a fit that left out all rows that tell about it.
    pub fn forget(&mut self, group: &str, key: &str, parameter: &str) {
        self.fitted.retain(|row| row != &[group, key, parameter]);
    }

    /// Says that a key's parameter is fitted.
    pub fn remember(&mut self, group: &str, key: &str, parameter: &str) {
        if !self.fitted(group, key, Some(parameter)) {
            self.fitted.push([group, key, parameter].map(str::to_owned));
        }
    }

    /// Width of a metric's range in a class; the default's where it has no rows of its own.
    pub fn width(&self, class: &str, metric: &str, seen: bool) -> Width {
        let found = self.width_of(class, metric, seen).or_else(|| self.width_of("default", metric, seen));
        found.unwrap_or(Width { below: 3.0, above: 3.0 })
    }

    /// Width of a metric's range in a class that has rows of its own.
    pub fn width_of(&self, class: &str, metric: &str, seen: bool) -> Option<Width> {
        let is = |row: &&WidthRow| row.class == class && row.metric == metric && row.seen.is() == seen;
        self.widths.iter().find(is).map(|row| Width { below: row.below, above: row.above })
    }

    /// Takes all widths away: what is judged may not have set them.
    pub fn clear_widths(&mut self) {
        self.widths.clear();
    }

    /// Sets the width of a metric's range in a class.
    pub fn set_width(&mut self, class: &str, metric: &str, seen: bool, width: Width) {
        let seen = if seen { YesNo::Yes } else { YesNo::No };
        let is = |row: &&mut WidthRow| row.class == class && row.metric == metric && row.seen == seen;
        let Width { below, above } = width;
        match self.widths.iter_mut().find(is) {
            Some(row) => (row.below, row.above) = (below, above),
            None => {
                self.widths.push(WidthRow { class: class.into(), metric: metric.into(), seen, below, above });
            }
        }
    }

    /// One parameter, as its key has it or inherits it; `None` where there is none of that group and name.
    pub fn value(&self, group: &str, key: &str, parameter: &str) -> Option<f64> {
        fn of<T: Group>(table: &Table<T>, key: &str, parameter: &str) -> Option<f64> {
            table.get(key).0.clone().parameter(parameter).copied()
        }
        match group {
            "hardware" => of(&self.hardware, key, parameter),
            "memory" => of(&self.memory, key, parameter),
            "processor" => of(&self.processors, key, parameter),
            "engine" => of(&self.engines, key, parameter),
            "routing" => of(&self.routing, key, parameter),
            "link" => of(&self.links, key, parameter),
            "training" => of(&self.training, key, parameter),
            _ => None,
        }
    }

    /// Sets one parameter; false where there is none of that group and name. A fit varies parameters by this.
    pub fn set(&mut self, group: &str, key: &str, parameter: &str, value: f64) -> bool {
        match group {
            "hardware" => self.hardware.put(key, parameter, value),
            "memory" => self.memory.put(key, parameter, value),
            "processor" => self.processors.put(key, parameter, value),
            "engine" => self.engines.put(key, parameter, value),
            "routing" => self.routing.put(key, parameter, value),
            "link" => self.links.put(key, parameter, value),
            "training" => self.training.put(key, parameter, value),
            _ => false,
        }
    }

    fn set_all(&mut self, rows: &[ParameterRow]) -> Result<(), Fault> {
        for row in rows {
            if !row.value.is_finite() || !self.set(&row.group, &row.key, &row.parameter, row.value) {
                let name = format!("{} {} {}", row.group, row.key, row.parameter);
                return Err(Fault::content("speed-parameter-unknown").with("name", name));
            }
        }
        Ok(())
    }
}

/// A row of `pipelines.csv`: what makes an item when nothing is said.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Pipeline {
    name: String,
    /// Pixels of a side.
    pub side: f64,
    /// Frames of a clip.
    pub frames: f64,
    /// Steps of a diffusion.
    pub steps: f64,
    /// Runs of the denoiser in a step.
    pub guides: f64,
    /// Tokens of a prompt.
    pub words: f64,
}

/// A row of `efficiencies.csv`.
#[derive(Clone, Debug, Deserialize)]
struct ParameterRow {
    group: String,
    key: String,
    parameter: String,
    value: f64,
    basis: String,
}

#[derive(Deserialize)]
struct ArithmeticRow {
    encoding: String,
    computes: String,
    expands: Expands,
    effort: f64,
    processor_effort: f64,
}

/// A row of `hardware.csv`.
#[derive(Clone, Debug, Deserialize)]
struct ClassRow {
    architecture: String,
    memory: String,
    class: String,
}

/// A row of `ranges.csv`.
#[derive(Clone, Debug, Deserialize)]
struct WidthRow {
    class: String,
    metric: String,
    seen: YesNo,
    below: f64,
    above: f64,
}

/// The quantities of a file with their ranges.
fn ranges(name: &str, text: &str) -> Result<HashMap<String, Range>, Fault> {
    let all = rows::<PowerRow>(name, text)?.into_iter();
    Ok(all.map(|row| (row.quantity, Range::new(row.low, row.likely, row.high))).collect())
}

/// A row of `power.csv`.
#[derive(Clone, Debug, Deserialize)]
struct PowerRow {
    quantity: String,
    low: f64,
    likely: f64,
    high: f64,
}

/// How facts write a truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum YesNo {
    Yes,
    No,
}

impl YesNo {
    fn is(self) -> bool {
        self == Self::Yes
    }
}

impl ArithmeticRow {
    fn read(self) -> Result<Arithmetic, Fault> {
        let computes = self
            .computes
            .split_whitespace()
            .map(|name| {
                name.parse()
                    .map_err(|why: Fault| Fault::content("speed-fact-malformed").with("why", why.message))
            })
            .collect::<Result<_, _>>()?;
        Ok(Arithmetic {
            encoding: self.encoding,
            computes,
            expands: self.expands,
            effort: self.effort,
            processor_effort: self.processor_effort,
        })
    }
}

fn rows<T: for<'de> Deserialize<'de>>(file: &str, text: &str) -> Result<Vec<T>, Fault> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|why| Fault::content("speed-fact-malformed").with("why", format!("{file}: {why}")))
}

fn kernel_counts(rows: &[(String, u32, String)]) -> Result<KernelCounts, Fault> {
    let mut counts = KernelCounts::default();
    for (kind, kernels, _) in rows {
        let field = match kind.as_str() {
            "product" => &mut counts.product,
            "norm" => &mut counts.norm,
            "attention" => &mut counts.attention,
            "latent_attention" => &mut counts.latent_attention,
            "cross_attention" => &mut counts.cross_attention,
            "indexer" => &mut counts.indexer,
            "recurrence" => &mut counts.recurrence,
            "activation" => &mut counts.activation,
            "dispatch" => &mut counts.dispatch,
            "gather" => &mut counts.gather,
            "quantise" => &mut counts.quantise,
            "collective" => &mut counts.collective,
            _ => return Err(Fault::content("speed-parameter-unknown").with("name", kind.clone())),
        };
        *field = *kernels;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_registered() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts/speed");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(FILES.iter().any(|(file, _)| *file == name), "{name} is not compiled in");
        }
    }

    #[test]
    fn items_have_all_their_rows() {
        let all = Efficiencies::built_in().unwrap();
        assert_eq!(all.item("live_tensors").likely, 6.0);
        assert_eq!(all.item("tile_px").likely, 512.0);
        for name in ["default", "vision", "fluxpipeline"] {
            assert!(all.pipeline(&["nothing", name]).is_some(), "{name}");
        }
    }

    #[test]
    fn keys_inherit_from_the_default() {
        let all = Efficiencies::built_in().unwrap();
        let (default, _) = all.hardware.get("default");
        let (hopper, own) = all.hardware.get("hopper");
        assert!(own);
        assert_eq!(hopper.tile, default.tile);
        assert!(!all.hardware.get("abacus").1);
    }

    /// What follows another key changes with it until it has a row of its own.
    #[test]
    fn engines_follow_each_other() {
        let mut all = Efficiencies::built_in().unwrap();
        let of = |all: &Efficiencies, key: &str| all.engines.get(key).0.overlap;
        assert_eq!(of(&all, "ik-llamacpp"), of(&all, "llamacpp"));
        assert!(all.set("engine", "llamacpp", "overlap", 0.5));
        assert_eq!(of(&all, "ik-llamacpp"), 0.5);
        assert!(all.set("engine", "ik-llamacpp", "overlap", 0.25));
        assert!(all.set("engine", "llamacpp", "overlap", 0.75));
        assert_eq!(of(&all, "ik-llamacpp"), 0.25);
        assert_eq!(of(&all, "vllm"), all.engines.get("default").0.overlap);
    }

    /// A class that only assumptions describe was not seen, though it has rows of its own.
    #[test]
    fn only_fitted_rows_count_as_seen() {
        let all = Efficiencies::built_in().unwrap();
        assert!(all.fitted("hardware", "hopper", Some("matmul_share")));
        // Training on it was measured, serving was not.
        assert!(all.fitted("hardware", "cdna", Some("train_matmul_share")));
        assert!(all.hardware.get("cdna").1 && !all.fitted("hardware", "cdna", None));
        assert!(
            all.fitted("hardware", "rdna", None) && !all.fitted("hardware", "rdna", Some("matmul_share"))
        );
        assert!(!all.fitted("engine", "diffusers", None));
    }

    #[test]
    fn classes_go_by_whole_words() {
        let all = Efficiencies::built_in().unwrap();
        assert_eq!(all.processor_class("AVX2 AVX-512 AMX"), "amx");
        assert_eq!(all.processor_class("AVX2 (2x128)"), "avx2");
        assert_eq!(all.processor_class("NEON SVE2 4x128"), "neon");
        assert_eq!(all.processor_class("AVX3000"), "default");
        assert_eq!(all.hardware_class("Blackwell Ultra", "hbm"), "blackwell");
        assert_eq!(all.hardware_class("Blackwell", "gddr"), "blackwell-rtx");
        assert_eq!(all.hardware_class("Blackwell", "hbm"), "blackwell");
        assert_eq!(all.memory_kind("GDDR6X"), "gddr");
    }

    #[test]
    fn shares_are_shares() {
        let text = FILES[0].1;
        for row in rows::<ParameterRow>("efficiencies.csv", text).unwrap() {
            assert!(row.value >= 0.0, "{row:?}");
            assert!(!row.parameter.ends_with("_share") || row.value <= 2.0, "{row:?}");
        }
    }
}
