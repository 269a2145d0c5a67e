//! A table of measurements: rows as they are written, read cell by cell.
//!
//! A row that cannot be read is kept as it is and skipped with a reason: it never stops a run.

use csv::ByteRecord;
use maat_base::Fault;

/// Most rows of a table, and most bytes.
const MOST_ROWS: usize = 200_000;
const MOST_BYTES: usize = 64 << 20;

/// Columns without which no row says anything.
const NEEDED: [&str; 4] = ["model", "hardware", "metric", "value"];

/// A table with its header.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    header: Vec<String>,
    rows: Vec<ByteRecord>,
}

impl Sheet {
    /// Reads a table.
    ///
    /// # Errors
    /// `measurements-too-large`, `measurements-columns` where a needed column is missing.
    pub fn read(text: &[u8]) -> Result<Self, Fault> {
        if text.len() > MOST_BYTES {
            return Err(
                Fault::content("measurements-too-large").with("limit", maat_base::Bytes(MOST_BYTES as u64))
            );
        }
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
        let header: Vec<String> = reader
            .byte_headers()
            .map(|header| {
                header
                    .iter()
                    .map(|cell| {
                        String::from_utf8_lossy(cell).trim().trim_start_matches('\u{feff}').to_owned()
                    })
                    .collect()
            })
            .unwrap_or_default();
        if let Some(missing) = NEEDED.iter().find(|name| !header.iter().any(|own| own == *name)) {
            return Err(Fault::content("measurements-columns").with("column", *missing));
        }
        let mut rows: Vec<ByteRecord> =
            reader.byte_records().take(MOST_ROWS + 1).filter_map(Result::ok).collect();
        if rows.len() > MOST_ROWS {
            return Err(Fault::content("measurements-too-many-rows").with("most", MOST_ROWS));
        }
        rows.shrink_to_fit();
        Ok(Self { header, rows })
    }

    /// The rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        self.rows.iter().map(|record| Row { header: &self.header, record })
    }

    /// Names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Takes the rows of another table with the same columns in.
    pub fn extend(&mut self, other: Self) {
        if self.header.is_empty() {
            self.header = other.header;
        }
        self.rows.extend(other.rows);
    }
}

/// A row. Cells that are missing or not text are empty.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    header: &'a [String],
    record: &'a ByteRecord,
}

impl<'a> Row<'a> {
    /// The words of a column, trimmed.
    pub fn text(&self, column: &str) -> &'a str {
        let at = self.header.iter().position(|name| name == column);
        let cell = at.and_then(|at| self.record.get(at)).unwrap_or_default();
        std::str::from_utf8(cell).map_or("", str::trim)
    }

    /// The number of a column: the first word, so that `8 (7.9)` is 8.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).split_whitespace().next()?.parse().ok().filter(|n: &f64| n.is_finite())
    }

    /// A whole number of at least 1.
    pub fn count(&self, column: &str) -> Option<u32> {
        self.number(column).filter(|n| (1.0..=1e9).contains(n)).map(|n| n as u32)
    }

    /// The value of `key=value` in the note.
    pub fn noted(&self, key: &str) -> Option<&'a str> {
        let note = self.text("note");
        let mut from = 0;
        loop {
            let at = from + note[from..].find(key)?;
            let whole = note[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
            let rest = &note[at + key.len()..];
            if whole && let Some(value) = rest.strip_prefix('=') {
                return value.split([';', ',', ' ']).next().filter(|value| !value.is_empty());
            }
            from = at + key.len();
        }
    }

    /// A whole number in the note.
    pub fn noted_count(&self, key: &str) -> Option<u64> {
        self.noted(key)?.parse().ok().filter(|n| *n > 0)
    }

    /// Whether it has as many cells as the header, all of them text.
    pub fn is_sound(&self) -> bool {
        self.record.len() == self.header.len()
            && self.record.iter().all(|cell| std::str::from_utf8(cell).is_ok())
    }

    /// The cells as they are written.
    pub fn cells(&self) -> impl Iterator<Item = &'a [u8]> {
        self.record.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[u8] = b"id,model,hardware,metric,value,note\na,7B,H100,tpot,12 (ms),\"dp=1; attention_dp=8, x\"\nb,7B\n\xff,7B,H100,tpot,1,\n";

    #[test]
    fn cells_are_read_by_name() {
        let sheet = Sheet::read(TABLE).unwrap();
        let rows: Vec<Row> = sheet.rows().collect();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0].number("value"), Some(12.0));
        assert_eq!(rows[0].noted("attention_dp"), Some("8"));
        assert_eq!(rows[0].noted_count("dp"), Some(1));
        assert_eq!(rows[0].noted("tp"), None);
        assert_eq!(rows[0].text("nothing"), "");
        assert!(rows[0].is_sound() && !rows[1].is_sound() && !rows[2].is_sound());
    }

    #[test]
    fn a_missing_column_is_named() {
        let fault = Sheet::read(b"id,model\n1,2\n").unwrap_err();
        assert_eq!(fault.code, "measurements-columns");
        assert!(fault.to_string().contains("hardware"));
    }
}
