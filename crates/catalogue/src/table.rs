//! Tables of facts: CSV text to rows of fields, without copies where a field needs none.
//!
//! The files are ours or the user's own, small, and read on every start; so this reader does what RFC 4180 asks and
//! nothing else, and columns are found once per file.

use std::borrow::Cow;
use std::str::FromStr;

use maat_base::{Date, Decimal, Fault};

/// Code of the fault of a field whose value should be above 0 and is not.
pub(crate) const NOT_POSITIVE: &str = "facts-value-not-positive";

/// One file of facts.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// Path below the facts folder, with `/`.
    pub path: Cow<'static, str>,
    /// Its text.
    pub text: Cow<'static, str>,
}

/// A row with its place.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    fields: &'a [Cow<'a, str>],
    path: &'a Cow<'static, str>,
    /// Line of the file where the row begins, from 1.
    pub line: usize,
}

/// What was read, and what could not be.
#[derive(Debug)]
pub(crate) struct Loaded<T> {
    /// The rows that could be read, in order.
    pub items: Vec<T>,
    /// One fault for each row or file that could not.
    pub problems: Vec<Fault>,
}

impl<T> Default for Loaded<T> {
    fn default() -> Self {
        Self { items: Vec::new(), problems: Vec::new() }
    }
}

/// Splits off one record; gives its fields, the rest, and how many lines it took. `None` at the end.
fn record<'a>(text: &'a str, fields: &mut Vec<Cow<'a, str>>) -> Option<(&'a str, usize)> {
    record_by(text, b',', fields)
}

/// The same with another sign between fields.
#[inline]
pub(crate) fn record_by<'a>(
    text: &'a str,
    delimiter: u8,
    fields: &mut Vec<Cow<'a, str>>,
) -> Option<(&'a str, usize)> {
    fields.clear();
    if text.is_empty() {
        return None;
    }
    let mut rest = text;
    let mut lines = 1;
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (field, after, inside) = quoted_field(quoted);
            lines += inside;
            fields.push(field);
            rest = after;
        } else {
            let end =
                rest.bytes().position(|b| b == delimiter || matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
            fields.push(Cow::Borrowed(&rest[..end]));
            rest = &rest[end..];
        }
        match rest.as_bytes().first() {
            Some(&b) if b == delimiter => rest = &rest[1..],
            Some(b'\r') => {
                let after = &rest[1..];
                return Some((after.strip_prefix('\n').unwrap_or(after), lines));
            }
            Some(b'\n') => return Some((&rest[1..], lines)),
            // Text after a closing quote is malformed; it ends the field as the next one would.
            Some(_) => {}
            None => return Some(("", lines)),
        }
    }
}

/// The field after an opening quote, what follows its closing quote, and how many lines it spans beyond the first.
fn quoted_field(text: &str) -> (Cow<'_, str>, &str, usize) {
    let mut at = 0;
    let mut doubled = false;
    while let Some(found) = text[at..].find('"') {
        at += found + 1;
        if text[at..].starts_with('"') {
            doubled = true;
            at += 1;
        } else {
            let field = &text[..at - 1];
            let lines = field.bytes().filter(|&b| b == b'\n').count();
            let field = if doubled { Cow::Owned(field.replace("\"\"", "\"")) } else { Cow::Borrowed(field) };
            return (field, &text[at..], lines);
        }
    }
    (Cow::Borrowed(text), "", text.bytes().filter(|&b| b == b'\n').count())
}

/// Reads every row of every file whose path is under `folder` (or is it), with the columns that `columns` finds in each
/// header.
pub(crate) fn read<T, C>(
    files: &[File],
    folder: &str,
    columns: impl Fn(&[Cow<'_, str>]) -> Result<C, &'static str>,
    mut item: impl FnMut(&Row<'_>, &C) -> Result<T, Fault>,
) -> Loaded<T> {
    let mut loaded = Loaded::default();
    let mut fields = Vec::with_capacity(48);
    for file in files.iter().filter(|file| is_under(&file.path, folder)) {
        let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
        let Some((mut rest, mut lines)) = record(text, &mut fields) else { continue };
        let columns = match columns(&fields) {
            Ok(columns) => columns,
            Err(missing) => {
                let fault = Fault::content("facts-column-missing").with("column", missing);
                loaded.problems.push(fault.at(format!("{}:1", file.path)));
                continue;
            }
        };
        let width = fields.len();
        let mut line = 1 + lines;
        while let Some((after, taken)) = record(rest, &mut fields) {
            lines = taken;
            if !(fields.len() == 1 && fields[0].trim().is_empty()) {
                let row = Row { fields: &fields, path: &file.path, line };
                let read = if fields.len() == width { item(&row, &columns) } else { Err(row.uneven(width)) };
                match read {
                    Ok(value) => loaded.items.push(value),
                    Err(fault) => loaded.problems.push(fault),
                }
            }
            line += lines;
            rest = after;
        }
    }
    loaded
}

/// Whether a path is the file itself or lies below the folder.
pub(crate) fn is_under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Row<'_> {
    /// The field's text, trimmed; empty where there is none.
    pub fn text(&self, column: usize) -> &str {
        self.fields.get(column).map_or("", |field| field.trim())
    }

    /// The field's text, or `None` where it is empty.
    pub fn given(&self, column: usize) -> Option<&str> {
        Some(self.text(column)).filter(|text| !text.is_empty())
    }

    /// The field's text as its own string, or `None` where it is empty.
    pub fn owned(&self, column: usize) -> Option<String> {
        self.given(column).map(str::to_owned)
    }

    /// A field that must not be empty.
    pub fn required(&self, column: usize, name: &'static str) -> Result<String, Fault> {
        self.owned(column).ok_or_else(|| self.fault(name, ""))
    }

    /// A field read as something, or `None` where it is empty.
    pub fn parsed<T: FromStr>(&self, column: usize, name: &'static str) -> Result<Option<T>, Fault> {
        self.given(column).map(|text| text.parse().map_err(|_| self.fault(name, text))).transpose()
    }

    /// A finite number that is not negative, or `None` where it is empty.
    pub fn number(&self, column: usize, name: &'static str) -> Result<Option<f64>, Fault> {
        match self.parsed::<f64>(column, name)? {
            Some(number) if !number.is_finite() || number < 0.0 => Err(self.fault(name, self.text(column))),
            number => Ok(number),
        }
    }

    /// A finite number above 0, or `None` where it is empty: for what a part that is there has some of.
    pub fn positive(&self, column: usize, name: &'static str) -> Result<Option<f64>, Fault> {
        match self.number(column, name)? {
            Some(0.0) => Err(self.not_positive(name, column)),
            number => Ok(number),
        }
    }

    /// A whole number of at least 1, or `None` where it is empty.
    pub fn count(&self, column: usize, name: &'static str) -> Result<Option<u32>, Fault> {
        match self.parsed(column, name)? {
            Some(0) => Err(self.not_positive(name, column)),
            count => Ok(count),
        }
    }

    /// A price above 0, or `None` where it is empty.
    pub fn price(&self, column: usize, name: &'static str) -> Result<Option<Decimal>, Fault> {
        match self.parsed::<Decimal>(column, name)? {
            Some(price) if price <= Decimal::ZERO => Err(self.not_positive(name, column)),
            price => Ok(price),
        }
    }

    /// `yes` or `no`, or `None` where it is empty.
    pub fn yes(&self, column: usize, name: &'static str) -> Result<Option<bool>, Fault> {
        match self.text(column) {
            "" => Ok(None),
            "yes" => Ok(Some(true)),
            "no" => Ok(Some(false)),
            other => Err(self.fault(name, other)),
        }
    }

    /// A field that names one of a fixed set.
    pub fn one_of<T>(
        &self,
        column: usize,
        name: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let text = self.text(column);
        read(text).ok_or_else(|| self.fault(name, text))
    }

    /// The path of its file; no copy for the built-in ones.
    pub fn path(&self) -> Cow<'static, str> {
        self.path.clone()
    }

    /// The path of its file as text.
    pub fn path_words(&self) -> &str {
        self.path
    }

    /// Where the row stands, as `path:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.path, self.line)
    }

    fn not_positive(&self, field: &'static str, column: usize) -> Fault {
        let fault = Fault::content(NOT_POSITIVE).with("field", field).with("value", self.text(column));
        fault.at(self.place())
    }

    /// The fault of a field whose value makes no sense.
    pub fn fault(&self, field: &'static str, value: &str) -> Fault {
        if value.is_empty() {
            return Fault::content("facts-field-empty").with("field", field).at(self.place());
        }
        let value: String = value.chars().take(60).collect();
        Fault::content("facts-value-bad").with("field", field).with("value", value).at(self.place())
    }

    fn uneven(&self, width: usize) -> Fault {
        Fault::content("facts-row-uneven")
            .with("expected", width)
            .with("found", self.fields.len())
            .at(self.place())
    }
}

/// A date of which only the month or the year may be known; then its first day.
pub(crate) fn date(text: &str) -> Option<Date> {
    let mut parts = text.trim().splitn(3, '-');
    let year = parts.next()?.parse().ok()?;
    let month = match parts.next() {
        None | Some("Q1") => 1,
        Some("Q2") => 4,
        Some("Q3") => 7,
        Some("Q4") => 10,
        Some(month) => month.parse().ok()?,
    };
    let day = parts.next().map_or(Some(1), |day| day.parse().ok())?;
    Date::new(year, month, day).ok()
}

/// Makes a struct that holds the position of each named column.
macro_rules! columns {
    ($name:ident { $($field:ident),* $(,)? }) => {
        struct $name { $($field: usize),* }
        impl $name {
            fn of(header: &[std::borrow::Cow<'_, str>]) -> Result<Self, &'static str> {
                let find = |name: &'static str| {
                    header.iter().position(|column| column.trim() == name).ok_or(name)
                };
                Ok(Self { $($field: find(stringify!($field))?),* })
            }
        }
    };
}
pub(crate) use columns;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    columns!(Two { a, b });

    fn pairs(text: &str) -> Loaded<(String, String, usize)> {
        let files = [File { path: "t/x.csv".into(), text: text.to_owned().into() }];
        read(&files, "t", Two::of, |row, c| {
            Ok((row.text(c.a).to_owned(), row.text(c.b).to_owned(), row.line))
        })
    }

    #[test]
    fn quotes_commas_and_lines() {
        let loaded = pairs("b,a\r\n1,\"x, \"\"y\"\"\"\r\n\n\"two\nlines\",z\n3,w");
        let rows: Vec<_> = loaded.items.iter().map(|(a, b, line)| (a.as_str(), b.as_str(), *line)).collect();
        assert_eq!(rows, [("x, \"y\"", "1", 2), ("z", "two\nlines", 4), ("w", "3", 6)]);
        assert!(loaded.problems.is_empty());
    }

    #[test]
    fn says_where_a_row_is_wrong() {
        let loaded = pairs("a,b\n1,2\n3\n");
        assert_eq!(loaded.items.len(), 1);
        assert_eq!(loaded.problems[0].place.as_deref(), Some("t/x.csv:3"));
        assert_eq!(pairs("a,c\n1,2\n").problems[0].code, "facts-column-missing");
    }

    #[test]
    fn dates_of_a_month_or_quarter() {
        assert_eq!(date("2023-Q3"), Date::new(2023, 7, 1).ok());
        assert_eq!(date("2024-11"), Date::new(2024, 11, 1).ok());
        assert_eq!(date("undated@0082b04"), None);
        assert_eq!(date("2024-13-01"), None);
    }

    proptest! {
        #[test]
        fn any_text_gives_rows_or_problems(text in ".{0,200}") {
            let _ = pairs(&text);
            let _ = pairs(&format!("a,b\n{text}"));
            let _ = date(&text);
        }
    }
}
