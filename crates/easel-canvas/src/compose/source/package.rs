//! The words of a presentation or a text document: zips of XML, read part by part, each bounded.
//!
//! A title is what says that it is one, else what is set largest on its slide. Lists stay lists and tables tables. Nothing
//! that a part refers to is followed.

use std::io::{Cursor, Read};

use quick_xml::events::{BytesStart, Event as Xml};
use zip::ZipArchive;

use super::block::{Block, MAX_BLOCKS, MAX_CELL_LETTERS, MAX_COLUMNS, MAX_ROWS, Source, open_up};
use crate::chart::TableData;
use crate::run::Run;

/// No more of a part is unpacked than this.
const MAX_PART_BYTES: u64 = 4_000_000;

/// No more of all parts together is unpacked than this.
const MAX_BYTES: u64 = 24_000_000;

/// No more parts are read than this.
const MAX_PARTS: usize = 100;

/// A larger package is not opened.
const MAX_FILE_BYTES: usize = 100_000_000;

/// A package that lists more files is not opened: each entry of its list takes memory before anything is read.
const MAX_LISTED: usize = 10_000;

const BROKEN: &str = "it is a broken package";

/// Opens a package, unless it lists or holds more than is read.
///
/// # Errors
/// What is wrong with the file, to stand behind “could not be read:”.
pub fn open(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, &'static str> {
    if bytes.len() > MAX_FILE_BYTES || bytes.windows(4).filter(|at| at == b"PK\x01\x02").count() > MAX_LISTED {
        return Err("it is a package of more than can be read; attach its text");
    }
    ZipArchive::new(Cursor::new(bytes)).map_err(|_| BROKEN)
}

/// Reads a package.
///
/// # Errors
/// What is wrong with the file, to stand behind “could not be read:”.
pub fn read(bytes: &[u8]) -> Result<Source, &'static str> {
    let mut zip = open(bytes)?;
    let is_slide = |name: &str| name.starts_with("ppt/slides/slide") && name.ends_with(".xml");
    let mut names: Vec<String> =
        zip.file_names().filter(|name| is_slide(name) || *name == "word/document.xml").map(str::to_owned).collect();
    if names.is_empty() {
        return Err("it is neither a presentation nor a text document");
    }
    let number = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u32>().unwrap_or(0);
    names.sort_by_key(|name| number(name));
    let mut source = Source { blocks: Vec::new(), was_cut: names.len() > MAX_PARTS };
    let mut left = MAX_BYTES;
    for name in names.into_iter().take(MAX_PARTS) {
        let Ok(part) = zip.by_name(&name) else { continue };
        let (mut xml, most) = (Vec::new(), left.min(MAX_PART_BYTES));
        part.take(most).read_to_end(&mut xml).map_err(|_| BROKEN)?;
        left -= xml.len() as u64;
        source.was_cut |= xml.len() as u64 == most;
        let mut pieces = pieces_of(&xml);
        if is_slide(&name) {
            lift_title(&mut pieces, source.blocks.is_empty());
        }
        take_pieces(pieces, &mut source);
        if source.blocks.len() >= MAX_BLOCKS || left == 0 {
            source.was_cut = true;
            return Ok(source);
        }
    }
    Ok(source)
}

/// A paragraph or a table as its part has it.
#[derive(Debug)]
enum Piece {
    Words {
        text: String,
        /// The level of a heading, from 1.
        heading: Option<u8>,
        /// Whether it has a mark before it.
        in_list: bool,
        /// In hundredths of a point; 0 where nothing is said.
        size: u32,
        /// Which shape of its slide it stands in.
        shape: usize,
    },
    Table(TableData),
}

/// Where the reader is.
#[derive(Default)]
struct Reader {
    pieces: Vec<Piece>,
    shape: usize,
    is_title: bool,
    is_text: bool,
    text: String,
    heading: Option<u8>,
    in_list: bool,
    size: u32,
    /// Rows of the table that is read; a table within a cell is part of the cell.
    table: Option<Vec<Vec<String>>>,
    table_depth: usize,
    cell: String,
}

fn pieces_of(xml: &[u8]) -> Vec<Piece> {
    let mut xml_reader = quick_xml::Reader::from_reader(xml);
    let mut reader = Reader::default();
    while let Ok(event) = xml_reader.read_event() {
        match event {
            Xml::Eof => break,
            Xml::Start(tag) => {
                reader.open(&tag);
                reader.is_text |= tag.local_name().as_ref() == "t";
            }
            Xml::Empty(tag) => {
                reader.open(&tag);
                if matches!(tag.local_name().as_ref(), "br" | "tab") {
                    reader.text.push(' ');
                }
            }
            Xml::End(tag) => reader.close(tag.local_name().as_ref()),
            Xml::Text(words) if reader.is_text => reader.text.push_str(words.as_ref()),
            Xml::GeneralRef(name) if reader.is_text => reader.text.push_str(letter_of(name.as_ref())),
            _ => {}
        }
        if reader.pieces.len() >= MAX_BLOCKS {
            break;
        }
    }
    reader.pieces
}

/// The letter that a reference in XML stands for.
pub fn letter_of(name: &str) -> &'static str {
    match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    }
}

/// The value of a tag's attribute, whatever namespace it is written in.
pub fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    // Without the check that no name stands twice: it takes the square of how many there are.
    let attribute =
        tag.attributes().with_checks(false).flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(attribute.value.into_owned())
}

impl Reader {
    fn open(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            "sp" | "graphicFrame" => {
                self.shape += 1;
                self.is_title = false;
            }
            "ph" => {
                let kind = attribute(tag, "type");
                self.is_title = kind.is_some_and(|kind| matches!(kind.as_str(), "title" | "ctrTitle"));
            }
            "rPr" | "defRPr" => {
                if let Some(size) = attribute(tag, "sz").and_then(|size| size.parse().ok()) {
                    self.size = self.size.max(size);
                }
            }
            "buChar" | "buAutoNum" | "numPr" => self.in_list = true,
            "pStyle" => {
                let style = attribute(tag, "val").unwrap_or_default().to_lowercase();
                let level = style.strip_prefix("heading").or_else(|| style.strip_prefix("überschrift"));
                self.heading = match level.map(|level| level.trim().parse::<u8>().unwrap_or(2)) {
                    Some(level) => Some(level.clamp(1, 4)),
                    None if style == "title" => Some(1),
                    None => None,
                };
                self.in_list |= style.starts_with("list");
            }
            "tbl" => {
                self.table_depth += 1;
                self.table.get_or_insert_default();
            }
            "tr" if self.table_depth == 1 => {
                if let Some(rows) = self.table.as_mut().filter(|rows| rows.len() <= MAX_ROWS) {
                    rows.push(Vec::new());
                }
            }
            "tc" if self.table_depth == 1 => self.cell.clear(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.is_text = false,
            "p" => self.end_paragraph(),
            "tc" if self.table_depth == 1 => {
                let words: String = std::mem::take(&mut self.cell).trim().chars().take(MAX_CELL_LETTERS).collect();
                if let Some(row) =
                    self.table.as_mut().and_then(|rows| rows.last_mut()).filter(|row| row.len() < MAX_COLUMNS)
                {
                    row.push(words);
                }
            }
            "tbl" => {
                self.table_depth = self.table_depth.saturating_sub(1);
                if self.table_depth == 0 {
                    self.end_table();
                }
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let heading = self.heading.take().or(self.is_title.then_some(1));
        let (in_list, size) = (std::mem::take(&mut self.in_list), std::mem::take(&mut self.size));
        if text.is_empty() {
            return;
        }
        if self.table.is_some() {
            if !self.cell.is_empty() {
                self.cell.push(' ');
            }
            self.cell.push_str(&text);
            return;
        }
        self.pieces.push(Piece::Words { text: open_up(&text), heading, in_list, size, shape: self.shape });
    }

    fn end_table(&mut self) {
        let mut rows =
            self.table.take().unwrap_or_default().into_iter().filter(|row| row.iter().any(|cell| !cell.is_empty()));
        let Some(head) = rows.next() else { return };
        let rows = rows.map(|mut row| {
            row.resize(head.len(), String::new());
            row
        });
        let rows = rows.collect();
        self.pieces.push(Piece::Table(TableData { head, rows }));
    }
}

/// The title of a slide goes before everything else on it: what says that it is one, else what is set largest.
fn lift_title(pieces: &mut [Piece], is_first: bool) {
    let named = pieces.iter().position(|piece| matches!(piece, Piece::Words { heading: Some(_), .. }));
    let largest = || {
        let sizes = pieces.iter().enumerate().filter_map(|(at, piece)| match piece {
            Piece::Words { size, text, .. } if text.chars().count() <= 140 => Some((at, *size)),
            _ => None,
        });
        // The first of those that are largest.
        sizes.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
    };
    let Some(at) = named.or_else(largest) else { return };
    pieces[..=at].rotate_right(1);
    let title_shape = match &mut pieces[0] {
        Piece::Words { heading, shape, .. } => {
            *heading = Some(if is_first { 1 } else { 2 });
            *shape
        }
        Piece::Table(_) => return,
    };
    // Further paragraphs of a title's own shape are no titles of their own.
    for piece in &mut pieces[1..] {
        if let Piece::Words { heading, shape, .. } = piece
            && *shape == title_shape
        {
            *heading = None;
        }
    }
}

fn take_pieces(pieces: Vec<Piece>, source: &mut Source) {
    for piece in pieces {
        match piece {
            Piece::Table(table) => source.blocks.push(Block::Table(table)),
            Piece::Words { text, heading: Some(level), .. } => source.blocks.push(Block::Heading(level, text)),
            Piece::Words { text, in_list: true, .. } => match source.blocks.last_mut() {
                Some(Block::List(_, items)) => items.push(vec![Run::plain(text)]),
                _ => source.blocks.push(Block::List(false, vec![vec![Run::plain(text)]])),
            },
            Piece::Words { text, .. } => source.blocks.push(Block::Paragraph(vec![Run::plain(text)])),
        }
    }
}
