//! The words of a PDF, line by line, with the size that each line is set in.
//!
//! A PDF is a program from a stranger. It is read on a thread of its own, so that whatever breaks while it is read ends
//! here; no stream is unpacked beyond [`MAX_STREAM_BYTES`], all streams of objects together not beyond
//! [`MAX_OBJECT_BYTES`], all that draws pages and the forms in them not beyond [`MAX_CONTENT_BYTES`]; and the parts of its
//! objects, pages and fonts are counted. Nothing that it refers to is followed. Not here: what the
//! lines are (`lines`), pictures, and words that are drawn as shapes.

mod font;

use std::cell::Cell;
use std::collections::BTreeMap;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};

use super::lines::Line;
use font::Font;

/// A larger file is not opened: its objects would take many times their bytes.
const MAX_FILE_BYTES: usize = 24_000_000;

/// What one stream may unpack to.
pub const MAX_STREAM_BYTES: usize = 2_000_000;

/// What all streams that hold objects may unpack to together.
const MAX_OBJECT_BYTES: usize = 8_000_000;

/// What all streams that draw, those of forms as often as they are drawn, may unpack to together.
const MAX_CONTENT_BYTES: usize = 6_000_000;

/// Words, numbers and brackets of all objects that are not in streams: each takes a hundred times its bytes.
const MAX_PARTS: usize = 1_000_000;

/// What the tables of a page's fonts may unpack to together.
const MAX_FONT_BYTES: usize = 2_000_000;

const MAX_PAGES: usize = 80;

const MAX_FONTS_OF_PAGE: usize = 48;

/// Forms within forms are read so deep.
const MAX_DEPTH: usize = 4;

/// Forms that one page may draw.
const MAX_FORMS_OF_PAGE: usize = 60;

/// Letters of all lines together.
const MAX_LETTERS: usize = 200_000;

/// What a thread that reads may use of its stack.
const STACK_BYTES: usize = 16 << 20;

thread_local! {
    /// What streams of objects may still unpack to, on the thread that reads.
    static OBJECT_BYTES_LEFT: Cell<usize> = const { Cell::new(0) };
}

/// The words of a file and whether it held more than is read.
#[derive(Debug)]
pub struct PdfText {
    /// In the order in which they are drawn.
    pub lines: Vec<Line>,
    /// Whether pages, or parts of them, were left out.
    pub was_cut: bool,
}

const BROKEN: &str = "it is a broken PDF";

/// Reads the words of a PDF.
///
/// # Errors
/// What is wrong with the file, to stand behind “could not be read:”.
pub fn read(bytes: &[u8]) -> Result<PdfText, &'static str> {
    let text = with_document(bytes, read_pages)?;
    if text.lines.is_empty() {
        return Err("it holds no words that can be read; if it is a scan, attach it as a picture");
    }
    Ok(text)
}

/// Opens a PDF and reads something of it, on a thread of its own.
///
/// # Errors
/// What is wrong with the file, to stand behind “could not be read:”.
pub fn with_document<T: Send>(bytes: &[u8], look: impl FnOnce(&Document) -> T + Send) -> Result<T, &'static str> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err("it is a PDF of more than 24 MB; attach its text or the pages that matter");
    }
    if count_parts(bytes) > MAX_PARTS {
        return Err("it has more parts than can be read; attach its text or the pages that matter");
    }
    if is_locked(bytes) {
        return Err("it is locked with a password");
    }
    let read = std::thread::scope(|scope| {
        let reading =
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || load(bytes).map(|it| look(&it)));
        reading.ok().and_then(|reading| reading.join().ok())
    });
    read.unwrap_or(Err(BROKEN))
}

/// How many parts the objects of a file have, what is in streams left out.
fn count_parts(bytes: &[u8]) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"[]<>()/".contains(byte);
    let (mut count, mut rest) = (0, bytes);
    // Looked for in what is left once more only where it was found: a file of many beginnings without an end takes no longer.
    let mut has_ends = true;
    while let Some((first, behind)) = rest.split_first() {
        if is_end(first) {
            count += usize::from(b"[</(".contains(first));
            rest = behind;
            continue;
        }
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        count += 1;
        let is_stream = &rest[..end] == b"stream";
        rest = &rest[end..];
        if is_stream && has_ends {
            match find(rest, b"endstream") {
                Some(at) => rest = &rest[at..],
                None => has_ends = false,
            }
        }
    }
    count
}

/// Where a word first stands.
fn find(within: &[u8], word: &[u8]) -> Option<usize> {
    within.windows(word.len()).position(|at| at == word)
}

/// Whether a name in the file says that it is encrypted, however that name is written.
fn is_locked(bytes: &[u8]) -> bool {
    let hex = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').any(|(at, _)| {
        let mut rest = &bytes[at + 1..];
        b"Encrypt".iter().all(|wanted| match rest {
            [b'#', high, low, left @ ..] => {
                let letter = hex(Some(high)).zip(hex(Some(low))).map(|(high, low)| high * 16 + low);
                rest = left;
                letter == Some(u32::from(*wanted))
            }
            [letter, left @ ..] => {
                rest = left;
                letter == wanted
            }
            [] => false,
        })
    })
}

/// Keeps an object unless it is a stream of objects for which nothing is left.
fn keep_within_budget(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    if let Object::Stream(stream) = &*object
        && stream.dict.has_type(b"ObjStm")
    {
        let left = OBJECT_BYTES_LEFT.get();
        let size = stream.decompressed_content_with_limit(left.min(MAX_STREAM_BYTES)).ok()?.len();
        OBJECT_BYTES_LEFT.set(left.saturating_sub(size));
    }
    Some((id, object.clone()))
}

fn load(bytes: &[u8]) -> Result<Document, &'static str> {
    OBJECT_BYTES_LEFT.set(MAX_OBJECT_BYTES);
    let options = LoadOptions {
        max_decompressed_size: Some(MAX_STREAM_BYTES),
        filter: Some(keep_within_budget),
        ..LoadOptions::default()
    };
    Document::load_mem_with_options(bytes, options).map_err(|_| BROKEN)
}

fn read_pages(document: &Document) -> PdfText {
    let mut text = PdfText { lines: Vec::new(), was_cut: false };
    let (mut letters, mut left) = (0, MAX_CONTENT_BYTES);
    for (at, page) in document.page_iter().enumerate() {
        if at >= MAX_PAGES || letters > MAX_LETTERS || left == 0 {
            text.was_cut = true;
            break;
        }
        let mut reader = PageReader { document, page: at, forms: 0, left, lines: Vec::new(), was_cut: false };
        reader.read_page(page);
        left = reader.left;
        letters += reader.lines.iter().map(|line| line.text.len()).sum::<usize>();
        text.was_cut |= reader.was_cut;
        text.lines.extend(reader.lines);
    }
    text.lines.retain_mut(|line| {
        line.text = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
        !line.text.is_empty()
    });
    text
}

/// A matrix of six numbers, as the format writes them.
type Matrix = [f32; 6];

const PLAIN: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// `one` first, then `two`.
fn multiply(one: Matrix, two: Matrix) -> Matrix {
    [
        one[0] * two[0] + one[1] * two[2],
        one[0] * two[1] + one[1] * two[3],
        one[2] * two[0] + one[3] * two[2],
        one[2] * two[1] + one[3] * two[3],
        one[4] * two[0] + one[5] * two[2] + two[4],
        one[4] * two[1] + one[5] * two[3] + two[5],
    ]
}

struct PageReader<'d> {
    document: &'d Document,
    page: usize,
    forms: usize,
    /// What may still be unpacked of what draws.
    left: usize,
    lines: Vec<Line>,
    was_cut: bool,
}

/// Where and how words are set at the moment.
struct Pen<'e> {
    outer: Matrix,
    matrix: Matrix,
    line: Matrix,
    leading: f32,
    size: f32,
    font: Option<&'e Font<'e>>,
}

impl<'d> PageReader<'d> {
    fn read_page(&mut self, page: ObjectId) {
        let Ok(content) = self.document.get_page_content_with_limit(page, MAX_STREAM_BYTES) else {
            self.was_cut = true;
            return;
        };
        let mut resources: Vec<&'d Dictionary> = Vec::new();
        if let Ok((own, inherited)) = self.document.get_page_resources(page) {
            resources.extend(own);
            resources.extend(inherited.into_iter().filter_map(|id| self.document.get_dictionary(id).ok()));
        }
        self.read_content(&content, &resources, PLAIN, 0);
    }

    fn read_content(&mut self, content: &[u8], resources: &[&'d Dictionary], outer: Matrix, depth: usize) {
        let left = self.left.checked_sub(content.len());
        self.left = left.unwrap_or(0);
        let Some(content) = left.and_then(|_| Content::decode(content).ok()) else {
            self.was_cut = true;
            return;
        };
        let fonts = self.fonts(resources);
        let mut pen = Pen { outer, matrix: PLAIN, line: PLAIN, leading: 0.0, size: 1.0, font: None };
        let mut kept: Vec<Matrix> = Vec::new();
        for step in &content.operations {
            let number = |at: usize| step.operands.get(at).and_then(|value| value.as_float().ok()).unwrap_or(0.0);
            match step.operator.as_str() {
                "q" if kept.len() < 64 => kept.push(pen.outer),
                "Q" => pen.outer = kept.pop().unwrap_or(pen.outer),
                "cm" => pen.outer = multiply(matrix_of(&step.operands), pen.outer),
                "BT" => (pen.matrix, pen.line) = (PLAIN, PLAIN),
                "Tf" => {
                    pen.size = number(1);
                    let name = step.operands.first().and_then(|name| name.as_name().ok());
                    pen.font = name.and_then(|name| fonts.get(name));
                }
                "TL" => pen.leading = number(0),
                "Td" | "TD" => {
                    if step.operator == "TD" {
                        pen.leading = -number(1);
                    }
                    pen.go(number(0), number(1));
                }
                "Tm" => {
                    pen.line = matrix_of(&step.operands);
                    pen.matrix = pen.line;
                }
                "T*" => pen.go(0.0, -pen.leading),
                "Tj" => self.write(&mut pen, step.operands.first()),
                "'" => {
                    pen.go(0.0, -pen.leading);
                    self.write(&mut pen, step.operands.first());
                }
                "\"" => {
                    pen.go(0.0, -pen.leading);
                    self.write(&mut pen, step.operands.get(2));
                }
                "TJ" => self.write(&mut pen, step.operands.first()),
                "Do" => {
                    let name = step.operands.first().and_then(|name| name.as_name().ok());
                    if let Some(name) = name {
                        self.read_form(name, resources, pen.outer, depth);
                    }
                }
                _ => {}
            }
        }
    }

    fn fonts(&mut self, resources: &[&'d Dictionary]) -> BTreeMap<Vec<u8>, Font<'d>> {
        let mut known = BTreeMap::new();
        let mut left = MAX_FONT_BYTES;
        let found: Vec<&'d Dictionary> =
            resources.iter().filter_map(|resources| self.dictionary_in(resources, b"Font")).collect();
        for fonts in found {
            for (name, font) in fonts.iter() {
                if known.contains_key(name) {
                    continue;
                }
                let Some(font) = self.resolve(font).and_then(|font| font.as_dict().ok()) else { continue };
                let table = font.get(b"ToUnicode").ok().and_then(|table| self.resolve(table));
                let size = match table.and_then(|table| table.as_stream().ok()) {
                    Some(table) => table.decompressed_content_with_limit(left).map_or(usize::MAX, |table| table.len()),
                    None => 0,
                };
                if size > left || known.len() >= MAX_FONTS_OF_PAGE {
                    self.was_cut = true;
                    continue;
                }
                left -= size;
                if let Some(font) = Font::read(self.document, font, MAX_FONT_BYTES) {
                    known.insert(name.clone(), font);
                }
            }
        }
        known
    }

    fn read_form(&mut self, name: &[u8], resources: &[&'d Dictionary], outer: Matrix, depth: usize) {
        let drawn = resources.iter().find_map(|resources| self.dictionary_in(resources, b"XObject")?.get(name).ok());
        let Some(form) = drawn.and_then(|drawn| self.resolve(drawn)).and_then(|drawn| drawn.as_stream().ok()) else {
            return;
        };
        if form.dict.get(b"Subtype").and_then(Object::as_name).ok() != Some(b"Form".as_slice()) {
            return;
        }
        self.forms += 1;
        if depth >= MAX_DEPTH || self.forms > MAX_FORMS_OF_PAGE {
            self.was_cut = true;
            return;
        }
        let Ok(content) = form.get_plain_content_with_limit(MAX_STREAM_BYTES) else {
            self.was_cut = true;
            return;
        };
        let own = self.dictionary_in(&form.dict, b"Resources");
        let within = own.map_or_else(|| resources.to_vec(), |own| vec![own]);
        let placed = form.dict.get(b"Matrix").and_then(Object::as_array).map_or(PLAIN, |matrix| matrix_of(matrix));
        self.read_content(&content, &within, multiply(placed, outer), depth + 1);
    }

    fn resolve(&self, object: &'d Object) -> Option<&'d Object> {
        match object {
            Object::Reference(id) => self.document.get_object(*id).ok(),
            object => Some(object),
        }
    }

    fn dictionary_in(&self, of: &'d Dictionary, name: &[u8]) -> Option<&'d Dictionary> {
        of.get(name).ok().and_then(|found| self.resolve(found)).and_then(|found| found.as_dict().ok())
    }

    /// Writes a string, or an array of strings and gaps, at the pen, and moves the pen behind it.
    fn write(&mut self, pen: &mut Pen<'_>, words: Option<&Object>) {
        let (Some(font), Some(words)) = (pen.font, words) else { return };
        let single = std::slice::from_ref(words);
        let pieces = if let Object::Array(pieces) = words { pieces.as_slice() } else { single };
        for piece in pieces {
            let advance = match piece {
                Object::String(bytes, _) => {
                    let (mut text, width) = font.write(bytes);
                    text.retain(|letter| !letter.is_control() && letter != '\u{fffd}');
                    let at = multiply(pen.matrix, pen.outer);
                    let size = pen.size.abs() * at[2].hypot(at[3]);
                    let across = width * pen.size.abs() * at[0].hypot(at[1]);
                    if !text.is_empty() && [size, across, at[4], at[5]].iter().all(|number| number.is_finite()) {
                        self.put(&text, (at[4], at[5]), across, size);
                    }
                    width * pen.size
                }
                gap => -gap.as_float().unwrap_or(0.0) / 1000.0 * pen.size,
            };
            pen.matrix = multiply([1.0, 0.0, 0.0, 1.0, advance, 0.0], pen.matrix);
        }
    }

    /// Words on the same height go on with the line before, after a space where there is a gap; others begin a line.
    fn put(&mut self, text: &str, (x, y): (f32, f32), width: f32, size: f32) {
        if let Some(last) = self.lines.last_mut()
            && (last.y - y).abs() < 0.35 * last.size.max(size)
            && x > last.end - size * 2.0
        {
            let is_apart = x - last.end > 0.15 * size;
            if is_apart && !last.text.ends_with(char::is_whitespace) {
                last.text.push(' ');
            }
            last.text.push_str(text);
            last.size = last.size.max(size);
            last.end = x + width;
            return;
        }
        self.lines.push(Line { text: text.to_owned(), size, end: x + width, y, page: self.page });
    }
}

impl Pen<'_> {
    fn go(&mut self, x: f32, y: f32) {
        self.line = multiply([1.0, 0.0, 0.0, 1.0, x, y], self.line);
        self.matrix = self.line;
    }
}

fn matrix_of(operands: &[Object]) -> Matrix {
    let mut matrix = PLAIN;
    if operands.len() >= 6 {
        for (place, operand) in matrix.iter_mut().zip(operands) {
            *place = operand.as_float().unwrap_or(0.0);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_in_one_pass_whatever_ends_are_missing() {
        let name = b"/A stream 1 2 3 endstream [4 5]";
        assert_eq!(count_parts(name), 7, "of what is in a stream nothing counts");
        let many = 300_000;
        assert_eq!(count_parts(&b"stream ".repeat(many)), many);
    }
}
