//! `hardware/servers.csv`: whole machines, sold or rented.

use maat_base::{Bytes, Fault, GIB};
use serde::Serialize;

use crate::table::{File, Loaded, Row, columns, read};

columns!(Columns {
    id,
    name,
    kind,
    accelerators,
    accelerator_count,
    accelerator_link,
    cpu,
    cpu_cores_total,
    ram_gb,
    os_storage,
    data_storage,
    network,
    power_supply,
    max_power_kw,
    rack_units,
    cooling,
    source,
    unsure,
});

/// A machine as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Server {
    /// Stable identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// `server`, `cloud`, `workstation`, `desktop`, `rack` or `board`.
    pub kind: String,
    /// Its accelerators, in the words of its source, such as `8x H100 SXM`; `none` for none.
    pub accelerators: String,
    /// How many.
    pub accelerator_count: u32,
    /// How they are linked, in words.
    pub link: String,
    /// Its processors, in words.
    pub cpu: String,
    /// Cores of all processors (threads, where `unsure` says so).
    pub cores: Option<u32>,
    /// Memory; the smallest size where several are sold.
    pub ram: Option<Bytes>,
    /// Disks, in words.
    pub storage: String,
    /// Network for clusters, in words.
    pub network: String,
    /// Power supplies, in words.
    pub power_supply: String,
    /// Power at full load, in watts.
    pub max_power_w: Option<f64>,
    /// Height in rack units.
    pub rack_units: Option<f64>,
    /// `air` or `liquid`, in words.
    pub cooling: String,
    /// Tags of its sources.
    pub source: String,
    /// What is not certain.
    pub unsure: Option<String>,
    /// Where it stands, as `path:line`.
    pub place: String,
}

impl Server {
    /// What all power supplies give together, in watts, where their words say so.
    pub fn psu_w(&self) -> Option<f64> {
        times(&self.power_supply, "kW").map(|kw| kw * 1e3).or_else(|| times(&self.power_supply, "W"))
    }

    /// Room on the disks, where their words say so.
    pub fn data_bytes(&self) -> Option<Bytes> {
        let all: Option<Vec<f64>> = self.storage.split(" + ").map(|words| times(words, "TB")).collect();
        all.filter(|sizes| !sizes.is_empty()).map(|sizes| Bytes::from_f64(sizes.iter().sum::<f64>() * 1e12))
    }
}

/// The product of words such as `8x3.84 TB NVMe`, whose unit is the one that is asked for; a range counts from its low end.
fn times(words: &str, unit: &str) -> Option<f64> {
    let words = words.trim();
    let (count, rest) = match words.split_once('x') {
        Some((count, rest)) => (leading_number(count)?, rest.trim()),
        None => (1.0, words),
    };
    let amount = leading_number(rest)?;
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    (after.split_whitespace().next() == Some(unit)).then_some(count * amount)
}

/// Reads every machine.
pub(crate) fn servers(files: &[File]) -> Loaded<Server> {
    read(files, "hardware/servers.csv", Columns::of, server)
}

fn server(row: &Row<'_>, c: &Columns) -> Result<Server, Fault> {
    let disks = [row.text(c.os_storage), row.text(c.data_storage)];
    Ok(Server {
        id: row.required(c.id, "id")?,
        name: row.required(c.name, "name")?,
        kind: row.text(c.kind).to_owned(),
        accelerators: row.text(c.accelerators).to_owned(),
        accelerator_count: row.parsed(c.accelerator_count, "accelerator_count")?.unwrap_or(0),
        link: row.text(c.accelerator_link).to_owned(),
        cpu: row.text(c.cpu).to_owned(),
        cores: row.count(c.cpu_cores_total, "cpu_cores_total")?,
        ram: leading_number(row.text(c.ram_gb)).map(|gb| Bytes::from_f64(gb * GIB as f64)),
        storage: disks.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" + "),
        network: row.text(c.network).to_owned(),
        power_supply: row.text(c.power_supply).to_owned(),
        max_power_w: row.positive(c.max_power_kw, "max_power_kw")?.map(|kw| kw * 1e3),
        rack_units: row.positive(c.rack_units, "rack_units")?,
        cooling: row.text(c.cooling).to_owned(),
        source: row.required(c.source, "source")?,
        unsure: row.owned(c.unsure),
        place: row.place(),
    })
}

/// The number that words such as `2048 (to 4096)` or `1024-2048` begin with.
fn leading_number(words: &str) -> Option<f64> {
    let end = words.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(words.len());
    words[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{leading_number, times};

    #[test]
    fn products_in_words() {
        assert_eq!(times("6x 3.3 kW", "kW").map(f64::round), Some(20.0));
        assert_eq!(times("8x3.84 TB NVMe", "TB"), Some(30.72));
        assert_eq!(times("1x 240 W", "W"), Some(240.0));
        assert_eq!(times("1x 240 W", "kW"), None);
        assert_eq!(times("10 kW class", "kW"), Some(10.0));
        assert_eq!(times("", "TB"), None);
    }

    #[test]
    fn ram_in_words() {
        assert_eq!(leading_number("2048 (to 4096)"), Some(2048.0));
        assert_eq!(leading_number("1024-2048"), Some(1024.0));
        assert_eq!(leading_number("unknown"), None);
    }
}
