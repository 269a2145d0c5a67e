//! What a person may want to correct: `facts/diagnose/*.csv`.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;

use maat_base::{Severity, Source};

macro_rules! facts {
    ($($name:ident = $file:literal,)*) => {
        /// Every table of this crate, with its file's name.
        pub const FILES: &[(&str, &str)] = &[$(($file, $name),)*];
        $(const $name: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $file));)*
    };
}

facts! {
    THRESHOLDS = "facts/diagnose/thresholds.csv",
    RULES = "facts/diagnose/rules.csv",
    SOURCES = "facts/diagnose/sources.csv",
    COMMANDS = "facts/diagnose/commands.csv",
    ASKS = "facts/diagnose/asks.csv",
    PROCESSES = "facts/diagnose/processes.csv",
    XIDS = "facts/diagnose/xid.csv",
    LANES = "facts/diagnose/pcie_lanes.csv",
    BOARDS = "facts/diagnose/pcie_boards.csv",
}

fn rows(text: &'static str) -> Vec<Vec<String>> {
    csv::Reader::from_reader(text.as_bytes())
        .records()
        .filter_map(Result::ok)
        .map(|row| row.iter().map(ToOwned::to_owned).collect())
        .collect()
}

fn cell(row: &[String], at: usize) -> &str {
    row.get(at).map_or("", String::as_str)
}

fn figure<T: FromStr>(row: &[String], at: usize) -> Option<T> {
    cell(row, at).parse().ok()
}

static LIMITS: LazyLock<HashMap<String, f64>> = LazyLock::new(|| {
    rows(THRESHOLDS).iter().filter_map(|row| Some((cell(row, 0).to_owned(), figure(row, 1)?))).collect()
});

/// A threshold by its name; not a number for a name that is not there, so that nothing compares with it. A test holds
/// the names of the code against the table.
pub fn limit(name: &str) -> f64 {
    LIMITS.get(name).copied().unwrap_or(f64::NAN)
}

/// What is known of a class before any data.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its code.
    pub code: String,
    /// Which kind of cause it is.
    pub family: String,
    /// When it is judged: lower comes first.
    pub stage: u32,
    /// How much it matters.
    pub severity: Severity,
    /// Tag of the source of its rule.
    pub source: String,
}

static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    rows(RULES)
        .iter()
        .filter_map(|row| {
            Some(Class {
                code: cell(row, 0).to_owned(),
                family: cell(row, 1).to_owned(),
                stage: figure(row, 2)?,
                severity: match cell(row, 3) {
                    "error" => Severity::Error,
                    "warning" => Severity::Warning,
                    _ => Severity::Info,
                },
                source: cell(row, 4).to_owned(),
            })
        })
        .collect()
});

/// All classes, in the order in which they are judged.
pub fn classes() -> &'static [Class] {
    &CLASSES
}

/// A class by its code.
pub fn class(code: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|class| class.code == code)
}

/// Whose accelerators a machine has; it decides which tools there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vendor {
    /// NVIDIA, also where nothing says otherwise.
    #[default]
    Nvidia,
    /// AMD.
    Amd,
}

impl Vendor {
    fn has(self, word: &str) -> bool {
        word == "any" || word == if self == Self::Amd { "amd" } else { "nvidia" }
    }
}

/// The commands that fix or settle a class.
pub fn commands(code: &str, vendor: Vendor) -> Vec<String> {
    static TABLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows(COMMANDS));
    TABLE
        .iter()
        .filter(|row| cell(row, 0) == code && vendor.has(cell(row, 1)))
        .map(|row| cell(row, 2).to_owned())
        .collect()
}

/// The command that gives the data of a need.
pub fn ask(need: &str, vendor: Vendor) -> String {
    static TABLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows(ASKS));
    let fits = |row: &&Vec<String>| cell(row, 0) == need && vendor.has(cell(row, 1));
    TABLE.iter().find(fits).map_or_else(String::new, |row| cell(row, 2).to_owned())
}

/// What a program is: `framework`, `server` or `worker`; by its whole name, without its folder.
pub fn role(command: &str) -> Option<&'static str> {
    static TABLE: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
        rows(PROCESSES)
            .iter()
            .map(|row| {
                let role = match cell(row, 1) {
                    "server" => "server",
                    "worker" => "worker",
                    _ => "framework",
                };
                (cell(row, 0).to_owned(), role)
            })
            .collect()
    });
    let program = command.split_whitespace().next()?;
    TABLE.get(program.rsplit('/').next()?).copied()
}

/// Whether an Xid comes from the hardware, a program, or follows from another.
pub fn xid(number: f64) -> Option<(String, String)> {
    static TABLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows(XIDS));
    let row = TABLE.iter().find(|row| figure::<f64>(row, 0) == Some(number))?;
    Some((cell(row, 1).to_owned(), cell(row, 2).to_owned()))
}

/// Bytes per second and direction of a PCIe link, after encoding (PCI-SIG).
pub fn link_rate(generation: f64, width: f64) -> Option<f64> {
    static TABLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows(LANES));
    let row = TABLE.iter().find(|row| figure::<f64>(row, 0) == Some(generation))?;
    Some(figure::<f64>(row, 1)? * width)
}

/// The generation of a PCIe speed in GT/s.
pub fn generation(speed: f64) -> Option<f64> {
    static TABLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows(LANES));
    TABLE.iter().find(|row| figure::<f64>(row, 2) == Some(speed)).and_then(|row| figure(row, 0))
}

/// The width and generation that are all there is on a board, where they are less than it reports.
pub fn board(name: &str) -> Option<(f64, f64)> {
    static TABLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows(BOARDS));
    let row = TABLE.iter().find(|row| cell(row, 0) == name)?;
    Some((figure(row, 1)?, figure(row, 2)?))
}

/// A source by its tag.
pub fn source(tag: &str) -> Option<Source> {
    static TABLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows(SOURCES));
    let row = TABLE.iter().find(|row| cell(row, 0) == tag)?;
    Some(Source {
        tag: tag.to_owned(),
        what: cell(row, 1).to_owned(),
        place: cell(row, 2).to_owned(),
        date: cell(row, 3).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_compiled_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts/diagnose");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let own = FILES.iter().any(|(file, _)| file.rsplit('/').next() == Some(name.as_str()));
            // These belong to the readers and to the crate of traces, which hold them themselves.
            let others =
                ["fields.csv", "log_patterns.csv"].contains(&name.as_str()) || name.starts_with("trace-");
            assert!(own || others, "{name} is not listed");
        }
    }

    #[test]
    fn every_name_of_a_threshold_in_the_code_is_in_the_table() {
        let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
        let mut used = std::collections::BTreeSet::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let mark = ["limit", "(\""].concat();
                for part in text.split(&mark).skip(1) {
                    used.insert(part.split('"').next().unwrap().to_owned());
                }
            }
        }
        let missing: Vec<&String> = used.iter().filter(|name| !LIMITS.contains_key(*name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        let unused: Vec<&String> = LIMITS.keys().filter(|name| !used.contains(*name)).collect();
        assert!(unused.is_empty(), "no rule uses {unused:?}");
    }

    #[test]
    fn each_threshold_has_one_row() {
        assert_eq!(rows(THRESHOLDS).len(), LIMITS.len(), "a name stands twice: the last row would win");
    }

    #[test]
    fn rows_name_known_classes_and_sources() {
        for row in rows(COMMANDS) {
            assert!(class(&row[0]).is_some(), "{row:?}");
        }
        for class in classes() {
            assert!(source(&class.source).is_some(), "{class:?}");
        }
        for row in rows(THRESHOLDS) {
            assert!(source(&row[4]).is_some(), "{row:?}");
        }
    }
}
