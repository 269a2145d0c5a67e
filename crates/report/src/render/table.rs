//! A table that is read by people and by programs.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, presets};
use serde_json::Value;

use super::Style;
use crate::argument::clean;

/// A column: its name for programs, ending in its unit, and its title for people. Without a title it is for programs
/// only, without a name for people only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in CSV.
    pub key: &'static str,
    /// Title in the language; may be of several lines.
    pub title: String,
    /// Whether it holds numbers and is aligned at the right.
    pub right: bool,
    /// Whether its words stay on their line however narrow the page.
    pub whole: bool,
}

impl Column {
    /// A column of words.
    pub fn left(key: &'static str, title: impl Into<String>) -> Self {
        Self { key, title: title.into(), right: false, whole: false }
    }

    /// A column of short words that are never broken.
    pub fn whole(key: &'static str, title: impl Into<String>) -> Self {
        Self { whole: true, ..Self::left(key, title) }
    }

    /// A column of numbers.
    pub fn right(key: &'static str, title: impl Into<String>) -> Self {
        Self { key, title: title.into(), right: true, whole: true }
    }
}

impl Column {
    /// A column for programs only.
    pub fn raw(key: &'static str) -> Self {
        Self { key, title: String::new(), right: true, whole: true }
    }

    fn for_people(&self) -> bool {
        !self.title.is_empty()
    }

    fn for_programs(&self) -> bool {
        !self.key.is_empty()
    }
}

/// A cell: as people read it and as programs do.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    shown: String,
    raw: Value,
}

impl Cell {
    /// Words, the same for people and programs.
    pub fn word(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { shown: clean(&text), raw: Value::String(text) }
    }

    /// A value with its words.
    pub fn new(raw: impl Into<Value>, shown: impl Into<String>) -> Self {
        Self { shown: clean(&shown.into()), raw: raw.into() }
    }

    /// Not known, or not asked.
    pub fn unknown() -> Self {
        Self { shown: "–".to_owned(), raw: Value::Null }
    }

    /// Whether there is a value.
    pub fn is_known(&self) -> bool {
        !self.raw.is_null()
    }

    /// The same with something more on the line below, for people only.
    #[must_use]
    pub fn below(mut self, text: &str) -> Self {
        self.shown.push('\n');
        self.shown.push_str(&clean(text));
        self
    }

    /// A value for programs.
    pub fn raw(raw: impl Into<Value>) -> Self {
        Self { shown: String::new(), raw: raw.into() }
    }

    /// Nothing to say.
    pub fn none() -> Self {
        Self { shown: String::new(), raw: Value::Null }
    }

    /// A value that may not be known.
    pub fn or_unknown(cell: Option<Self>) -> Self {
        cell.unwrap_or_else(Self::unknown)
    }
}

/// Rows under columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row, one cell a column; cells that are missing are not known.
    pub fn row(&mut self, mut cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        cells.resize(self.columns.len(), Cell::unknown());
        self.rows.push(cells);
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table with its first `n` rows.
    #[must_use]
    pub fn first(mut self, n: usize) -> Self {
        self.rows.truncate(n);
        self
    }

    /// For a terminal, within the width: words are broken, numbers never. Columns without any value are left out.
    pub fn text(&self, style: &Style) -> String {
        let used: Vec<usize> = (0..self.columns.len())
            .filter(|&place| self.columns[place].for_people())
            .filter(|&place| self.rows.iter().any(|row| !row[place].raw.is_null()))
            .collect();
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(style.width).unwrap_or(80));
        table.set_header(used.iter().map(|&place| &self.columns[place].title));
        for row in &self.rows {
            table.add_row(used.iter().map(|&place| &row[place].shown));
        }
        for (shown, &place) in used.iter().enumerate() {
            if let Some(column) = table.column_mut(shown) {
                column.set_padding((if shown == 0 { 2 } else { 1 }, 1));
                if self.columns[place].right {
                    column.set_cell_alignment(CellAlignment::Right);
                }
                if self.columns[place].whole {
                    column.set_constraint(ColumnConstraint::ContentWidth);
                }
            }
        }
        let mut out = String::new();
        for line in table.lines() {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// Comma-separated, a header of keys, numbers with a point, unknown empty.
    pub fn csv(&self) -> String {
        let mut out = String::new();
        let mut line = |fields: Vec<String>| {
            out.push_str(&fields.join(","));
            out.push('\n');
        };
        line(
            self.columns
                .iter()
                .filter(|column| column.for_programs())
                .map(|column| column.key.to_owned())
                .collect(),
        );
        for row in &self.rows {
            let cells = self.columns.iter().zip(row).filter(|(column, _)| column.for_programs());
            line(cells.map(|(_, cell)| csv_field(&cell.raw)).collect());
        }
        out
    }

    /// A Markdown table.
    pub fn markdown(&self) -> String {
        let mut out = String::from("|");
        for column in self.columns.iter().filter(|column| column.for_people()) {
            let _ = write!(out, " {} |", escape_markdown(&column.title.replace('\n', " ")));
        }
        out.push_str("\n|");
        for column in self.columns.iter().filter(|column| column.for_people()) {
            out.push_str(if column.right { " ---: |" } else { " --- |" });
        }
        out.push('\n');
        for row in &self.rows {
            out.push('|');
            for (_, cell) in self.columns.iter().zip(row).filter(|(column, _)| column.for_people()) {
                let _ = write!(out, " {} |", escape_markdown(&cell.shown.replace('\n', ", ")));
            }
            out.push('\n');
        }
        out
    }

    /// A table of HTML.
    pub fn html(&self) -> String {
        let class = |column: &Column| if column.right { " class=\"number\"" } else { "" };
        let mut out = String::from("<table>\n<thead><tr>");
        for column in self.columns.iter().filter(|column| column.for_people()) {
            let _ = write!(
                out,
                "<th scope=\"col\"{}>{}</th>",
                class(column),
                super::html::escape(&column.title.replace('\n', " "))
            );
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            out.push_str("<tr>");
            for (column, cell) in self.columns.iter().zip(row).filter(|(column, _)| column.for_people()) {
                let _ = write!(
                    out,
                    "<td{}>{}</td>",
                    class(column),
                    super::html::escape(&cell.shown.replace('\n', ", "))
                );
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n");
        out
    }
}

/// A field of CSV: quoted where it must be, and never read as a formula by a spreadsheet.
fn csv_field(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) => text.clone(),
        other => return other.to_string(),
    };
    let text = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

fn escape_markdown(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(vec![
            Column::left("name", "Name"),
            Column::right("memory_bytes", "Memory"),
            Column::right("nothing", "Nothing"),
        ]);
        table.row(vec![Cell::word("a, \"b\""), Cell::new(1_500, "1.5 kB"), Cell::unknown()]);
        table.row(vec![Cell::word("=c|d"), Cell::unknown(), Cell::unknown()]);
        table
    }

    #[test]
    fn csv_keeps_numbers_and_quotes_words() {
        assert_eq!(sample().csv(), "name,memory_bytes,nothing\n\"a, \"\"b\"\"\",1500,\n'=c|d,,\n");
    }

    #[test]
    fn markdown_escapes_bars() {
        assert!(sample().markdown().contains("| =c\\|d | – | – |"));
    }

    #[test]
    fn text_leaves_out_columns_without_a_value() {
        let text = sample().text(&Style::default());
        assert_eq!(text, "  Name    Memory\n  a, \"b\"  1.5 kB\n  =c|d         –\n");
    }
}
