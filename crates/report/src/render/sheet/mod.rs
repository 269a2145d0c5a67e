//! A workbook in the Office Open XML format (ECMA-376): numbers, words and live formulas, nothing more. A workbook is a ZIP
//! of small XML files; both are written here, because that takes less than a library for all that spreadsheets can do.

mod zip;

use std::fmt::Write as _;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetCell {
    /// Words.
    Words(String),
    /// A number.
    Number(f64),
    /// A formula without its `=`, and its value now.
    Formula(String, f64),
    /// Nothing.
    Empty,
}

/// A sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Its name; formulas of other sheets use it.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Vec<SheetCell>>,
    /// Width of each column in letters.
    pub widths: Vec<u32>,
}

/// The bytes of a workbook.
pub fn workbook(sheets: &[Sheet]) -> Vec<u8> {
    let mut files = vec![
        ("[Content_Types].xml".to_owned(), content_types(sheets)),
        ("_rels/.rels".to_owned(), relations(&[("officeDocument", "xl/workbook.xml".to_owned())])),
        ("xl/workbook.xml".to_owned(), book(sheets)),
    ];
    let parts: Vec<(&str, String)> =
        (1..=sheets.len()).map(|n| ("worksheet", format!("worksheets/sheet{n}.xml"))).collect();
    files.push(("xl/_rels/workbook.xml.rels".to_owned(), relations(&parts)));
    for (n, sheet) in sheets.iter().enumerate() {
        files.push((format!("xl/worksheets/sheet{}.xml", n + 1), worksheet(sheet)));
    }
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    zip::stored(&files)
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";

fn content_types(sheets: &[Sheet]) -> String {
    const OF: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let mut out = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" \
         ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"{OF}.sheet.main+xml\"/>"
    );
    for n in 1..=sheets.len() {
        let _ = write!(
            out,
            "<Override PartName=\"/xl/worksheets/sheet{n}.xml\" ContentType=\"{OF}.worksheet+xml\"/>"
        );
    }
    out.push_str("</Types>");
    out
}

fn relations(targets: &[(&str, String)]) -> String {
    let mut out = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    for (n, (kind, target)) in targets.iter().enumerate() {
        let _ = write!(
            out,
            "<Relationship Id=\"rId{}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>",
            n + 1
        );
    }
    out.push_str("</Relationships>");
    out
}

fn book(sheets: &[Sheet]) -> String {
    let mut out = format!("{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>");
    for (n, sheet) in sheets.iter().enumerate() {
        let id = n + 1;
        let _ = write!(out, "<sheet name=\"{}\" sheetId=\"{id}\" r:id=\"rId{id}\"/>", escape(&sheet.name));
    }
    out.push_str("</sheets><calcPr fullCalcOnLoad=\"1\"/></workbook>");
    out
}

fn worksheet(sheet: &Sheet) -> String {
    let mut out = format!("{HEAD}<worksheet xmlns=\"{MAIN}\">");
    if !sheet.widths.is_empty() {
        out.push_str("<cols>");
        for (n, width) in sheet.widths.iter().enumerate() {
            let column = n + 1;
            let _ =
                write!(out, "<col min=\"{column}\" max=\"{column}\" width=\"{width}\" customWidth=\"1\"/>");
        }
        out.push_str("</cols>");
    }
    out.push_str("<sheetData>");
    for (row, cells) in sheet.rows.iter().enumerate() {
        let _ = write!(out, "<row r=\"{}\">", row + 1);
        for (column, cell) in cells.iter().enumerate() {
            let place = format!("{}{}", column_name(column), row + 1);
            let _ = match cell {
                SheetCell::Number(value) if value.is_finite() => {
                    write!(out, "<c r=\"{place}\"><v>{value}</v></c>")
                }
                SheetCell::Empty | SheetCell::Number(_) => Ok(()),
                SheetCell::Words(text) => write!(
                    out,
                    "<c r=\"{place}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
                    escape(text)
                ),
                SheetCell::Formula(formula, value) if value.is_finite() => {
                    write!(out, "<c r=\"{place}\"><f>{}</f><v>{value}</v></c>", escape(formula))
                }
                SheetCell::Formula(formula, _) => {
                    write!(out, "<c r=\"{place}\"><f>{}</f></c>", escape(formula))
                }
            };
        }
        out.push_str("</row>");
    }
    out.push_str("</sheetData></worksheet>");
    out
}

/// `A`, `B` … `Z`, `AA`.
fn column_name(column: usize) -> String {
    let mut name = String::new();
    let mut rest = column + 1;
    while rest > 0 {
        name.insert(0, char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    name
}

/// Text as XML takes it; characters that XML cannot hold are left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_as_in_spreadsheets() {
        assert_eq!([0, 25, 26, 701, 702].map(column_name), ["A", "Z", "AA", "ZZ", "AAA"]);
    }

    #[test]
    fn words_are_escaped_and_formulas_keep_their_value() {
        let sheet = Sheet {
            name: "A & B".to_owned(),
            rows: vec![vec![
                SheetCell::Words("<x>".to_owned()),
                SheetCell::Empty,
                SheetCell::Formula("A1*2".to_owned(), 4.0),
                SheetCell::Number(f64::NAN),
            ]],
            widths: vec![10],
        };
        let xml = worksheet(&sheet);
        assert!(xml.contains("&lt;x&gt;"), "{xml}");
        assert!(xml.contains("<c r=\"C1\"><f>A1*2</f><v>4</v></c>"), "{xml}");
        assert!(!xml.contains("NaN"), "{xml}");
        assert!(book(&[sheet]).contains("A &amp; B"));
    }
}
