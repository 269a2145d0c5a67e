//! Reads the tables of `facts/engines`.

use std::str::FromStr;

use csv::StringRecord;
use maat_base::{Basis, Fault, Sourced};

use super::condition::{Targets, Test, Version};
use super::settings::{Setting, SettingRow, SettingValue};
use super::support::{ClassRow, Support, SupportRow};
use super::{Engines, Retired};
use crate::Engine;

/// Every file of `facts/engines` by name.
pub(super) const FILES: [(&str, &str); 9] = [
    ("versions.csv", include_str!("../../../../facts/engines/versions.csv")),
    ("settings.csv", include_str!("../../../../facts/engines/settings.csv")),
    ("parts.csv", include_str!("../../../../facts/engines/parts.csv")),
    ("formats.csv", include_str!("../../../../facts/engines/formats.csv")),
    ("caches.csv", include_str!("../../../../facts/engines/caches.csv")),
    ("classes.csv", include_str!("../../../../facts/engines/classes.csv")),
    ("retired.csv", include_str!("../../../../facts/engines/retired.csv")),
    ("programs.csv", include_str!("../../../../facts/engines/programs.csv")),
    ("megatron.csv", include_str!("../../../../facts/engines/megatron.csv")),
];

/// Reads all files.
pub(super) fn read(files: &[(&str, &str)]) -> Result<Engines, Fault> {
    let mut engines = Engines { settings: vec![Vec::new(); Setting::ALL.len()], ..Engines::default() };
    for (name, text) in files {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headers = reader.headers().map_err(|error| unreadable(name, 1, &error.to_string()))?.clone();
        for record in reader.records() {
            let record = record.map_err(|error| unreadable(name, 0, &error.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = Row { headers: &headers, record: &record };
            add(&mut engines, name, row).map_err(|what| unreadable(name, line, &what))?;
        }
    }
    Ok(engines)
}

fn unreadable(file: &str, line: u64, what: &str) -> Fault {
    Fault::content("engine-table").with("what", what).at(format!("facts/engines/{file}:{line}"))
}

fn add(engines: &mut Engines, file: &str, row: Row) -> Result<(), String> {
    match file {
        "versions.csv" => {
            let version = row.text("version");
            let parsed = Version::parse(version).ok_or_else(|| version.to_owned())?;
            let mut sourced = Sourced::new(version.to_owned(), Basis::Measured, row.text("source"));
            sourced.date = row.text("date").parse().ok();
            engines.versions.push((row.engine()?, sourced, parsed));
        }
        "settings.csv" => {
            let name = row.text("name");
            let known = Setting::ALL.into_iter().find(|(_, known)| *known == name);
            let (setting, _) = known.ok_or_else(|| name.to_owned())?;
            engines.settings[setting as usize].push(setting_row(row)?);
        }
        "parts.csv" => engines.parts.push(support_row(row)?),
        "formats.csv" => engines.formats.push(support_row(row)?),
        "caches.csv" => engines.caches.push(support_row(row)?),
        "programs.csv" => {
            let version = row.text("version").to_owned();
            let mut sourced = Sourced::new(version, Basis::Measured, row.text("source"));
            sourced.date = row.text("date").parse().ok();
            engines.programs.push((row.text("program").to_owned(), sourced));
        }
        "retired.csv" => engines.retired.push(Retired {
            vendor: row.text("vendor").to_owned(),
            isa: row.text("isa").to_owned(),
            last: row.text("last").to_owned(),
            driver: row.text("driver").to_owned(),
            source: row.text("source").to_owned(),
        }),
        "megatron.csv" => {
            engines.megatron.push((row.text("family").to_owned(), row.text("flags").to_owned()));
        }
        _ => engines
            .classes
            .push(ClassRow { class: row.text("class").to_owned(), member: row.text("member").to_owned() }),
    }
    Ok(())
}

fn setting_row(row: Row) -> Result<SettingRow, String> {
    let value: f64 = row.number("value")?.ok_or("value")?;
    let low = row.number("low")?.unwrap_or(value);
    let high = row.number("high")?.unwrap_or(value);
    Ok(SettingRow {
        engine: if row.text("engine") == "*" { None } else { Some(row.engine()?) },
        from: Version::parse(row.text("from")),
        before: Version::parse(row.text("before")),
        device: Test::parse_all(row.text("device"))?,
        value: SettingValue { value, low: low.min(value), high: high.max(value) },
        source: row.text("source").to_owned(),
    })
}

fn support_row(row: Row) -> Result<SupportRow, String> {
    let support = match row.text("support") {
        "native" | "yes" => Support::Native,
        "weight_only" => Support::WeightOnly,
        "no" => Support::No,
        other => return Err(other.to_owned()),
    };
    let vendor = row.text("vendor");
    Ok(SupportRow {
        engine: row.engine()?,
        formats: row.text("precision").split_whitespace().map(str::to_owned).collect(),
        vendor: (vendor != "*").then(|| vendor.to_owned()),
        targets: Targets::parse(row.text("isa"))?,
        from: Version::parse(row.text("from")),
        support,
    })
}

/// A record with its column names.
#[derive(Clone, Copy)]
struct Row<'a> {
    headers: &'a StringRecord,
    record: &'a StringRecord,
}

impl<'a> Row<'a> {
    fn text(&self, column: &str) -> &'a str {
        let index = self.headers.iter().position(|header| header == column);
        index.and_then(|index| self.record.get(index)).unwrap_or("").trim()
    }

    fn number(&self, column: &str) -> Result<Option<f64>, String> {
        let text = self.text(column);
        if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(|_| text.to_owned()) }
    }

    fn engine(&self) -> Result<Engine, String> {
        Engine::from_str(self.text("engine")).map_err(|_| self.text("engine").to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn every_file_is_registered() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts/engines");
        let mut found: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        let mut listed: Vec<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        listed.sort();
        assert_eq!(found, listed);
    }

    #[test]
    fn a_wrong_cell_is_named_with_its_place() {
        let text = "engine,from,before,device,name,value,low,high,unit,source,note\nvllm,,,memory>70,ubatch,1,,,,,\n";
        let fault = read(&[("settings.csv", text)]).unwrap_err();
        assert_eq!(fault.code, "engine-table");
        assert_eq!(fault.place.as_deref(), Some("facts/engines/settings.csv:2"));
    }

    #[test]
    fn every_setting_and_engine_has_rows() {
        let engines = Rules::built_in().unwrap().engines;
        for (rows, (_, name)) in engines.settings.iter().zip(Setting::ALL) {
            assert!(!rows.is_empty(), "{name}");
        }
        for engine in Engine::ALL {
            assert!(engines.default_version(engine).is_some(), "{engine}");
            assert!(engines.parts.iter().any(|row| row.engine == engine), "{engine}");
            assert!(engines.formats.iter().any(|row| row.engine == engine), "{engine}");
            assert!(engines.caches.iter().any(|row| row.engine == engine), "{engine}");
        }
    }

    /// A precision that no engine is said to run could never fit anywhere.
    #[test]
    fn every_precision_that_may_be_asked_for_has_an_engine() {
        let engines = Rules::built_in().unwrap().engines;
        let table = include_str!("../../../../facts/models/precisions.csv");
        for row in table.lines().skip(1).filter(|row| row.split(',').nth(1) != Some("stored")) {
            let name = row.split(',').next().unwrap();
            let part = maat_catalogue::Accelerator {
                vendor: "NVIDIA".to_owned(),
                isa: "9.0".to_owned(),
                ..maat_catalogue::Accelerator::of_memory("card".to_owned(), maat_base::Bytes::gib(80))
            };
            let runs = |engine| engines.format_support(engine, None, Some(&part), name) != Support::No;
            assert!(Engine::ALL.into_iter().any(runs), "{name}");
        }
    }
}
