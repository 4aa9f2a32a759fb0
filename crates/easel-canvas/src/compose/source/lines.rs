//! Lines of a file that knows only lines, as blocks: what is set larger is a heading, what begins with a mark is a list,
//! and lines that run on are one paragraph.

use std::collections::BTreeMap;

use super::block::{Block, MAX_BLOCKS, open_up};
use crate::run::Run;

/// A line and how it is set.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its words.
    pub text: String,
    /// The size of its letters.
    pub size: f32,
    /// Where it ends on the page.
    pub end: f32,
    /// Its height on the page; larger is higher.
    pub y: f32,
    /// Its page, from 0.
    pub page: usize,
}

/// A line that stands on so many pages is at their head or foot.
const REPEATED_ON_PAGES: usize = 3;

/// A heading is larger than reading text by this.
const HEADING_SIZE: f32 = 1.16;

const MAX_HEADING_LETTERS: usize = 140;

/// The lines as blocks.
pub fn read(mut lines: Vec<Line>) -> Vec<Block> {
    drop_what_repeats(&mut lines);
    let body = body_size(&lines);
    let longest = lines.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);
    let largest = lines.iter().map(|line| line.size).fold(0.0, f32::max);
    let mut reader = Reader { blocks: Vec::new(), paragraph: String::new(), heading: None };
    let mut before: Option<&Line> = None;
    for line in &lines {
        if reader.blocks.len() >= MAX_BLOCKS {
            break;
        }
        let letters = line.text.chars().count();
        let is_heading = line.size > body * HEADING_SIZE && letters <= MAX_HEADING_LETTERS;
        if is_heading {
            reader.end_paragraph();
            let goes_on =
                before.is_some_and(|before| (before.size - line.size).abs() < 0.5 && before.page == line.page);
            let level = if line.size > largest * 0.97 && reader.has_no_title() { 1 } else { 2 };
            reader.take_heading(&line.text, level, goes_on);
        } else {
            reader.end_heading();
            let (mark, words) = split_mark(&line.text);
            let is_apart = before.is_some_and(|before| is_apart(before, line, longest));
            if let Some(is_ordered) = mark {
                reader.end_paragraph();
                reader.take_item(is_ordered, words);
            } else if is_apart {
                reader.end_paragraph();
                reader.paragraph.push_str(&line.text);
            } else {
                reader.go_on(&line.text);
            }
        }
        before = Some(line);
    }
    reader.end_heading();
    reader.end_paragraph();
    reader.blocks
}

/// Heads, feet and page numbers say nothing of their own.
fn drop_what_repeats(lines: &mut Vec<Line>) {
    let mut pages: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for line in lines.iter() {
        let on = pages.entry(line.text.clone()).or_default();
        if on.last() != Some(&line.page) {
            on.push(line.page);
        }
    }
    let is_number = |text: &str| text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let page_count = lines.iter().map(|line| line.page + 1).max().unwrap_or(0);
    lines.retain(|line| {
        let repeats = pages.get(&line.text).is_some_and(|on| on.len() >= REPEATED_ON_PAGES);
        let is_its_number = page_count > 1 && is_number(&line.text) && line.text == (line.page + 1).to_string();
        !repeats && !is_its_number
    });
}

/// The size that most letters are set in.
fn body_size(lines: &[Line]) -> f32 {
    let mut letters: BTreeMap<i64, usize> = BTreeMap::new();
    for line in lines {
        *letters.entry((line.size * 2.0).round() as i64).or_default() += line.text.len();
    }
    let most = letters.into_iter().max_by_key(|(size, letters)| (*letters, -*size));
    most.map_or(1.0, |(size, _)| size as f32 / 2.0)
}

/// Whether a line begins a paragraph: after a gap, or after a line that ended early with the end of a sentence.
fn is_apart(before: &Line, line: &Line, longest: usize) -> bool {
    let ends = before.text.ends_with(['.', '!', '?', ':', '。', '”', '"']);
    let is_short = before.text.chars().count() * 10 < longest * 8;
    if before.page != line.page {
        return ends;
    }
    let gap = (before.y - line.y).abs();
    gap > 1.75 * before.size.max(line.size) || (ends && is_short) || (before.size - line.size).abs() > 1.0
}

/// A mark before the words of a list: whether it is a number, and the words behind it.
fn split_mark(text: &str) -> (Option<bool>, &str) {
    for mark in ["• ", "· ", "– ", "- ", "* ", "▪ ", "◦ ", "‣ ", "o "] {
        if let Some(words) = text.strip_prefix(mark) {
            return (Some(false), words);
        }
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=2).contains(&digits)
        && let Some(words) = text[digits..].strip_prefix(". ").or_else(|| text[digits..].strip_prefix(") "))
    {
        return (Some(true), words);
    }
    (None, text)
}

struct Reader {
    blocks: Vec<Block>,
    paragraph: String,
    heading: Option<(u8, String)>,
}

impl Reader {
    fn has_no_title(&self) -> bool {
        self.blocks.is_empty() && self.paragraph.is_empty()
    }

    fn take_heading(&mut self, text: &str, level: u8, goes_on: bool) {
        match &mut self.heading {
            Some((_, words)) if goes_on && words.len() + text.len() < MAX_HEADING_LETTERS * 2 => {
                words.push(' ');
                words.push_str(text);
            }
            _ => {
                self.end_heading();
                self.heading = Some((level, text.to_owned()));
            }
        }
    }

    fn end_heading(&mut self) {
        if let Some((level, text)) = self.heading.take() {
            self.blocks.push(Block::Heading(level, text));
        }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        if !text.trim().is_empty() {
            self.blocks.push(Block::Paragraph(vec![Run::plain(open_up(text.trim()))]));
        }
    }

    fn take_item(&mut self, is_ordered: bool, words: &str) {
        let item = vec![Run::plain(open_up(words.trim()))];
        match self.blocks.last_mut() {
            Some(Block::List(ordered, items)) if *ordered == is_ordered => items.push(item),
            _ => self.blocks.push(Block::List(is_ordered, vec![item])),
        }
    }

    /// A line that belongs to the paragraph, or the item of a list, before it. A word divided at its end is whole again.
    fn go_on(&mut self, text: &str) {
        let last_item = match self.blocks.last_mut() {
            Some(Block::List(_, items)) if self.paragraph.is_empty() => {
                items.last_mut().and_then(|item| item.last_mut()).map(|run| &mut run.text)
            }
            _ => None,
        };
        let onto = last_item.unwrap_or(&mut self.paragraph);
        if onto.ends_with('-') && text.starts_with(char::is_lowercase) {
            onto.pop();
        } else if !onto.is_empty() {
            onto.push(' ');
        }
        onto.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, size: f32, y: f32, page: usize) -> Line {
        Line { text: text.to_owned(), size, end: 0.0, y, page }
    }

    #[test]
    fn finds_headings_lists_and_paragraphs_in_lines() {
        let blocks = read(vec![
            line("The harbour", 24.0, 700.0, 0),
            line("A first line that is as long as the page is broad and ends with a divi-", 10.0, 660.0, 0),
            line("ded word.", 10.0, 648.0, 0),
            line("Another paragraph begins after the short line above.", 10.0, 636.0, 0),
            line("Plans", 14.0, 600.0, 0),
            line("• A quay", 10.0, 580.0, 0),
            line("of stone", 10.0, 568.0, 0),
            line("• A crane", 10.0, 556.0, 0),
            line("1", 10.0, 30.0, 0),
            line("2", 10.0, 30.0, 1),
        ]);
        assert_eq!(blocks[0], Block::Heading(1, "The harbour".to_owned()));
        assert!(
            matches!(&blocks[1], Block::Paragraph(runs) if runs[0].text.ends_with("a divided word.")),
            "{blocks:?}"
        );
        assert!(matches!(&blocks[2], Block::Paragraph(runs) if runs[0].text.starts_with("Another")));
        assert_eq!(blocks[3], Block::Heading(2, "Plans".to_owned()));
        assert!(
            matches!(&blocks[4], Block::List(false, items) if items.len() == 2 && items[0][0].text == "A quay of stone")
        );
        assert_eq!(blocks.len(), 5, "page numbers are no content: {blocks:?}");
    }
}
