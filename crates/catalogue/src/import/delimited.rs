//! A sheet of strangers: rows of fields, whatever stands between them.

use std::borrow::Cow;

use crate::table::record_by;

/// A sheet with its header.
pub struct Sheet<'a> {
    header: Vec<String>,
    rows: Vec<Line<'a>>,
    /// Whether numbers have a decimal comma, as where fields are parted by semicolons.
    pub decimal_comma: bool,
}

/// A row.
pub struct Line<'a> {
    fields: Vec<Cow<'a, str>>,
    /// Line of the file, from 1.
    pub number: usize,
}

/// A column's name without case, spaces and signs.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

impl<'a> Sheet<'a> {
    /// Reads a text; `None` where there is no header.
    pub fn of(text: &'a str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let delimiter = [',', ';', '\t']
            .into_iter()
            .max_by_key(|&delimiter| text.lines().next().map_or(0, |line| line.matches(delimiter).count()))?;
        let mut fields = Vec::new();
        let (mut rest, mut taken) = record_by(text, delimiter as u8, &mut fields)?;
        let header: Vec<String> = fields.iter().map(|field| plain(field)).collect();
        if header.iter().all(String::is_empty) {
            return None;
        }
        let mut rows = Vec::new();
        let mut line = 1 + taken;
        while let Some((after, lines)) = record_by(rest, delimiter as u8, &mut fields) {
            if fields.iter().any(|field| !field.trim().is_empty()) {
                rows.push(Line { fields: std::mem::take(&mut fields), number: line });
            }
            (rest, taken) = (after, lines);
            line += taken;
        }
        Some(Self { header, rows, decimal_comma: delimiter == ';' })
    }

    /// Whether there is a column of this name.
    pub fn has(&self, name: &str) -> bool {
        self.column(&[name]).is_some()
    }

    /// The first column that has one of these names.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| {
            let wanted = plain(name);
            self.header.iter().position(|column| *column == wanted)
        })
    }

    /// The rows.
    pub fn rows(&self) -> &[Line<'a>] {
        &self.rows
    }

    /// The columns' names, for messages.
    pub fn header_words(&self) -> String {
        self.header
            .iter()
            .take(12)
            .map(|name| name.chars().take(24).collect::<String>())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl Line<'_> {
    /// A field, trimmed; `None` where it is empty, and for what Python and pandas write for nothing.
    pub fn get(&self, column: Option<usize>) -> Option<&str> {
        let text = self.fields.get(column?)?.trim();
        (!text.is_empty()
            && !["nan", "none", "null", "n/a", "-"].iter().any(|no| text.eq_ignore_ascii_case(no)))
        .then_some(text)
    }
}
