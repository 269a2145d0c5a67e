//! Which printed name means which signal: `facts/diagnose/fields.csv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Signal;

/// The table, as people edit it.
pub const FIELDS_CSV: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts/diagnose/fields.csv"));

/// What a field means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The signal.
    pub signal: Signal,
    /// Factor to base units of a value that is printed without a unit.
    pub scale: f64,
}

type Names = HashMap<&'static str, Field>;

static FIELDS: LazyLock<HashMap<&'static str, Names>> = LazyLock::new(|| rows(FIELDS_CSV));

fn rows(text: &'static str) -> HashMap<&'static str, Names> {
    let mut fields: HashMap<&'static str, Names> = HashMap::new();
    for line in text.lines().skip(1) {
        // Names hold no commas and no quotes; the test below keeps it so.
        let mut parts = line.split(',');
        let (Some(tool), Some(name), Some(signal), Some(scale)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let Some(&signal) = Signal::ALL.iter().find(|own| own.name() == signal) else { continue };
        let Ok(scale) = scale.parse() else { continue };
        fields.entry(tool).or_default().insert(name, Field { signal, scale });
    }
    fields
}

/// The meaning of a tool's field.
pub fn field(tool: &'static str, name: &str) -> Option<Field> {
    FIELDS.get(tool)?.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_names_its_signal() {
        let mut reader = csv::Reader::from_reader(FIELDS_CSV.as_bytes());
        let mut count = 0;
        for row in reader.records() {
            let row = row.unwrap();
            assert_eq!(row.len(), 4, "{row:?}");
            let known = rows_have(&row[0], &row[1]);
            assert!(known, "{row:?} has an unknown signal, a bad scale, or a comma in its name");
            count += 1;
        }
        assert_eq!(
            count,
            FIELDS.values().map(HashMap::len).sum::<usize>(),
            "two rows of one tool have the same name"
        );
    }

    fn rows_have(tool: &str, name: &str) -> bool {
        FIELDS.get(tool).is_some_and(|names| names.contains_key(name))
    }

    #[test]
    fn both_names_of_throttling_are_known() {
        for name in ["clocks_throttle_reasons.sw_power_cap", "clocks_event_reasons.sw_power_cap"] {
            assert_eq!(field("nvidia-smi-csv", name).map(|field| field.signal), Some(Signal::ReasonPowerCap));
        }
    }
}
