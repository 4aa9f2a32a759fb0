//! Attachments as content: Markdown, plain text, tables, presentations, documents and PDFs become blocks.
//!
//! What a file says it is counts less than what it is. Every reader is bounded: a file of any size costs no more than
//! what can be read on sixty pages.

mod block;
mod lines;
pub(super) mod package;
pub(super) mod pdf;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::brief::Attachment;
use crate::chart::TableData;
use crate::error::Error;
use crate::run::Run;
pub use block::{Block, Source};
use block::{MAX_BLOCKS, MAX_CELL_LETTERS, MAX_COLUMNS, MAX_ROWS, open_up};

/// No more of a text is read than this: what sixty full pages hold, several times over.
const MAX_TEXT_BYTES: usize = 200_000;

/// What is longer is no heading and nothing that someone said, whatever marks it has: it is set as reading text, which is laid
/// out line by line and not tried in many sizes.
const MAX_SHORT_LETTERS: usize = 600;

/// Reads a file whose words are the content.
pub fn read(attachment: &Attachment) -> Result<Source, Error> {
    let mut source = read_whole(attachment)?;
    source.blocks = source.blocks.into_iter().map(lengthen).collect();
    Ok(source)
}

/// A heading or a saying that is too long to be one is a paragraph.
fn lengthen(block: Block) -> Block {
    match block {
        Block::Heading(_, text) | Block::Quote(text) if text.chars().nth(MAX_SHORT_LETTERS).is_some() => {
            Block::Paragraph(vec![Run::plain(text)])
        }
        block => block,
    }
}

fn read_whole(attachment: &Attachment) -> Result<Source, Error> {
    let name = attachment.name.to_lowercase();
    let bytes = attachment.bytes.as_slice();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if bytes.starts_with(b"PK\x03\x04") {
        return package::read(bytes).map_err(|reason| unreadable(attachment, reason));
    }
    if bytes.starts_with(b"%PDF-") {
        let text = pdf::read(bytes).map_err(|reason| unreadable(attachment, reason))?;
        return Ok(Source { was_cut: text.was_cut, blocks: lines::read(text.lines) });
    }
    let was_cut = bytes.len() > MAX_TEXT_BYTES;
    let text =
        decode(&bytes[..bytes.len().min(MAX_TEXT_BYTES)]).ok_or_else(|| unreadable(attachment, "it holds no text"))?;
    let blocks = if ends(&[".csv", ".tsv", ".tab"])
        || matches!(attachment.mime.as_str(), "text/csv" | "text/tab-separated-values")
    {
        read_table(&text, &attachment.name)
    } else if ends(&[".txt"])
        && let Some(cards) = read_cards(&text)
    {
        cards
    } else {
        read_markdown(&text)
    };
    Ok(Source { blocks, was_cut })
}

/// Paragraphs of a plain text that are each a few short lines: the first is a heading, the others stand under it.
fn read_cards(text: &str) -> Option<Vec<Block>> {
    let paragraphs: Vec<Vec<&str>> = text
        .split("\n\n")
        .map(|paragraph| paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>())
        .filter(|lines| !lines.is_empty())
        .collect();
    let is_card = |lines: &Vec<&str>| {
        (2..=6).contains(&lines.len())
            && lines.iter().all(|line| line.chars().count() <= 80 && !line.starts_with(['#', '-', '*', '|', '>']))
    };
    if paragraphs.len() < 2 || !paragraphs.iter().all(is_card) {
        return None;
    }
    let blocks = paragraphs.iter().flat_map(|lines| {
        lines.iter().enumerate().map(|(at, line)| match at {
            0 => Block::Heading(2, (*line).to_owned()),
            _ => Block::Paragraph(vec![Run::plain(*line)]),
        })
    });
    Some(blocks.take(MAX_BLOCKS).collect())
}

fn unreadable(attachment: &Attachment, reason: &str) -> Error {
    Error::AttachmentUnreadable { name: attachment.name.clone(), reason: reason.to_owned() }
}

/// The letters of a text file; `None` where it is none. A letter cut in two at the end is left out.
fn decode(bytes: &[u8]) -> Option<String> {
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        let units: Vec<u16> = rest.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        return Some(String::from_utf16_lossy(&units));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().take(4096).any(|byte| *byte == 0) {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok().map(str::to_owned)
        }
        // Latin letters of one byte each, as older programs write them.
        Err(_) => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

/// The blocks of a text in Markdown; a text without marks is paragraphs.
pub fn read_markdown(text: &str) -> Vec<Block> {
    let mut reader = MarkdownReader::default();
    for event in
        Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
    {
        reader.take(event);
        if reader.blocks.len() >= MAX_BLOCKS {
            break;
        }
    }
    reader.blocks.into_iter().map(lengthen).collect()
}

#[derive(Default)]
struct MarkdownReader {
    blocks: Vec<Block>,
    runs: Vec<Run>,
    strong: u32,
    emphasis: u32,
    link: Option<String>,
    lists: Vec<(bool, Vec<Vec<Run>>)>,
    quote_depth: u32,
    quote: Vec<String>,
    table: Option<TableData>,
    row: Vec<String>,
    is_hidden: bool,
}

impl MarkdownReader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(text) | Event::Code(text) if !self.is_hidden => self.push(&text),
            Event::SoftBreak => self.push(" "),
            Event::HardBreak => self.push("\n"),
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        let run =
            Run { text: open_up(text), strong: self.strong > 0, emphasis: self.emphasis > 0, link: self.link.clone() };
        match self.runs.last_mut() {
            Some(last) if last.strong == run.strong && last.emphasis == run.emphasis && last.link == run.link => {
                last.text.push_str(&run.text);
            }
            _ => self.runs.push(run),
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.strong += 1,
            Tag::Emphasis => self.emphasis += 1,
            Tag::Link { dest_url, .. } => self.link = Some(dest_url.into_string()),
            Tag::List(first) => {
                // An item that holds a list says its own words first.
                self.end_item();
                self.lists.push((first.is_some(), Vec::new()));
            }
            Tag::Item => self.runs.clear(),
            Tag::BlockQuote(_) => self.quote_depth += 1,
            Tag::Table(_) => self.table = Some(TableData::default()),
            Tag::TableHead | Tag::TableRow => self.row.clear(),
            Tag::MetadataBlock(_) | Tag::HtmlBlock => self.is_hidden = true,
            Tag::Paragraph | Tag::Heading { .. } | Tag::TableCell if self.lists.is_empty() || self.table.is_some() => {
                self.runs.clear();
            }
            Tag::Paragraph if !self.runs.is_empty() => self.push(" "),
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Link => self.link = None,
            TagEnd::Heading(level) => {
                let text = self.take_text();
                if !text.is_empty() {
                    self.blocks.push(Block::Heading(level_number(level), text));
                }
            }
            TagEnd::Paragraph if self.quote_depth > 0 => {
                let text = self.take_text();
                self.quote.push(text);
            }
            TagEnd::Paragraph if self.lists.is_empty() => self.end_paragraph(),
            TagEnd::CodeBlock => self.end_paragraph(),
            TagEnd::Item => self.end_item(),
            TagEnd::List(_) => self.end_list(),
            TagEnd::BlockQuote(_) => {
                self.quote_depth = self.quote_depth.saturating_sub(1);
                if self.quote_depth == 0 && !self.quote.is_empty() {
                    self.blocks.push(Block::Quote(std::mem::take(&mut self.quote).join("\n")));
                }
            }
            TagEnd::TableCell => {
                let text: String = self.take_text().chars().take(MAX_CELL_LETTERS).collect();
                if self.row.len() < MAX_COLUMNS {
                    self.row.push(text);
                }
            }
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.head = std::mem::take(&mut self.row);
                }
            }
            TagEnd::TableRow => {
                if let Some(table) = self.table.as_mut().filter(|table| table.rows.len() < MAX_ROWS) {
                    let mut row = std::mem::take(&mut self.row);
                    row.resize(table.head.len(), String::new());
                    table.rows.push(row);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take().filter(|table| !table.head.is_empty()) {
                    self.blocks.push(Block::Table(table));
                }
            }
            TagEnd::MetadataBlock(_) | TagEnd::HtmlBlock => self.is_hidden = false,
            _ => {}
        }
    }

    fn take_text(&mut self) -> String {
        std::mem::take(&mut self.runs).iter().map(|run| run.text.as_str()).collect::<String>().trim().to_owned()
    }

    fn end_paragraph(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        if runs.iter().any(|run| !run.text.trim().is_empty()) {
            self.blocks.push(Block::Paragraph(runs));
        }
    }

    fn end_item(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        if let Some((_, items)) = self.lists.last_mut().filter(|_| runs.iter().any(|run| !run.text.trim().is_empty())) {
            items.push(runs);
        }
    }

    fn end_list(&mut self) {
        self.end_item();
        let Some((ordered, items)) = self.lists.pop() else { return };
        match self.lists.last_mut() {
            // What is within an item stands after it.
            Some((_, outer)) => outer.extend(items),
            None if !items.is_empty() => self.blocks.push(Block::List(ordered, items)),
            None => {}
        }
    }
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        _ => 4,
    }
}

/// A table in a text: its separator is the one that its first lines have most of.
fn read_table(text: &str, name: &str) -> Vec<Block> {
    let first: String = text.lines().take(5).map(|line| line.chars().take(4000).collect::<String>() + "\n").collect();
    let separator = [b'\t', b';', b',']
        .into_iter()
        .max_by_key(|separator| first.bytes().filter(|byte| byte == separator).count())
        .unwrap_or(b',');
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> = Vec::new();
    for record in reader.records() {
        let Ok(record) = record else { continue };
        let row: Vec<String> =
            record.iter().take(MAX_COLUMNS).map(|cell| cell.trim().chars().take(MAX_CELL_LETTERS).collect()).collect();
        if row.iter().any(|cell: &String| !cell.is_empty()) {
            rows.push(row);
        }
        if rows.len() > MAX_ROWS {
            break;
        }
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let head = rows.remove(0);
    let rows = rows
        .into_iter()
        .map(|mut row| {
            row.resize(head.len(), String::new());
            row
        })
        .collect();
    vec![Block::Heading(1, title_of_file(name)), Block::Table(TableData { head, rows })]
}

/// The name of a file as a title: `q3_sales.csv` is “Q3 sales”.
pub fn title_of_file(name: &str) -> String {
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let words = stem.replace(['_', '-'], " ");
    crate::read::text::capitalize(&words.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_markdown_as_blocks() {
        let blocks = read_markdown(
            "# Title\n\nWords **strong**.\n\n- one\n- two\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        );
        assert_eq!(blocks[0], Block::Heading(1, "Title".to_owned()));
        assert!(matches!(&blocks[1], Block::Paragraph(runs) if runs.len() == 3 && runs[1].strong));
        assert!(matches!(&blocks[2], Block::List(false, items) if items.len() == 2));
        assert_eq!(blocks[3], Block::Quote("said".to_owned()));
        assert!(matches!(&blocks[4], Block::Table(table) if table.rows.len() == 1));
    }

    #[test]
    fn bounds_a_table_of_a_million_columns() {
        let text = format!("{}\n{}\n", "a,".repeat(100_000), "1,".repeat(100_000));
        let blocks = read_table(&text, "wide.csv");
        assert!(matches!(&blocks[1], Block::Table(table) if table.head.len() == MAX_COLUMNS));
    }
}
