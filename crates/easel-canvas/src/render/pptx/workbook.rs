//! The workbook behind a chart: the numbers as a sheet, so that “Edit data” in a presentation program finds them.

use std::fmt::Write as _;

use super::package::XML_HEAD;
use crate::chart::ChartData;
use crate::error::Error;
use crate::render::archive::{Entry, write_zip};
use crate::render::svg::escape;

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"#;

const PACKAGE: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;

const BOOK: &str = r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#;

const BOOK_PARTS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#;

/// The numbers of a chart as a workbook of one sheet: names in its first column, a column for each series.
///
/// # Errors
/// [`Error::Drawing`] where the package cannot be written.
pub fn write(data: &ChartData) -> Result<Vec<u8>, Error> {
    let mut rows = String::from(r#"<row r="1">"#);
    for (at, series) in data.series.iter().enumerate() {
        push_words(&mut rows, at + 1, 1, &series.name);
    }
    rows.push_str("</row>");
    for (at, label) in data.labels.iter().enumerate() {
        let row = at + 2;
        let _ = write!(rows, r#"<row r="{row}">"#);
        push_words(&mut rows, 0, row, label);
        for (column, series) in data.series.iter().enumerate() {
            if let Some(value) = series.values.get(at).copied().flatten() {
                let _ = write!(rows, r#"<c r="{}{row}"><v>{value}</v></c>"#, column_name(column + 1));
            }
        }
        rows.push_str("</row>");
    }
    let sheet = format!(
        r#"{XML_HEAD}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
    );
    let parts = [
        ("[Content_Types].xml", format!("{XML_HEAD}{TYPES}")),
        ("_rels/.rels", format!("{XML_HEAD}{PACKAGE}")),
        ("xl/workbook.xml", format!("{XML_HEAD}{BOOK}")),
        ("xl/_rels/workbook.xml.rels", format!("{XML_HEAD}{BOOK_PARTS}")),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    let entries: Vec<Entry<'_>> = parts.iter().map(|(name, text)| Entry { name, bytes: text.as_bytes() }).collect();
    write_zip(&entries)
}

fn push_words(rows: &mut String, column: usize, row: usize, words: &str) {
    let _ = write!(
        rows,
        r#"<c r="{}{row}" t="inlineStr"><is><t xml:space="preserve">{}</t></is></c>"#,
        column_name(column),
        escape(words)
    );
}

/// The letter of a column, from 0; charts have no more than 26.
pub fn column_name(at: usize) -> char {
    char::from(b'A' + at.min(25) as u8)
}
