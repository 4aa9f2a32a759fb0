//! Blocks: what a file comes to, whichever reader reads it, and the bounds that all readers keep.
//!
//! Always true: a block says what its words are and not how they are set. Deliberately not here: how a file is read (`lines`,
//! `package`, `pdf`), and what comes of its blocks (`compose::plan`).

use crate::chart::TableData;
use crate::run::Run;

/// A piece of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading and its level, from 1.
    Heading(u8, String),
    /// A paragraph.
    Paragraph(Vec<Run>),
    /// A list and whether it is numbered.
    List(bool, Vec<Vec<Run>>),
    /// What someone said.
    Quote(String),
    /// A table.
    Table(TableData),
}

/// What a file came to.
#[derive(Debug, Default)]
pub struct Source {
    /// Its content.
    pub blocks: Vec<Block>,
    /// Whether it was too long to be read whole.
    pub was_cut: bool,
}

/// No more blocks of a file are read.
pub const MAX_BLOCKS: usize = 1500;

/// No more rows of a table are read.
pub const MAX_ROWS: usize = 240;

/// No more columns of a table are read.
pub const MAX_COLUMNS: usize = 12;

/// No more letters of a cell are read.
pub const MAX_CELL_LETTERS: usize = 160;

/// A word of more letters may be broken within.
const MAX_WORD_LETTERS: usize = 70;

/// The text with places to break within words that are longer than any word.
pub fn open_up(text: &str) -> String {
    if text.split_whitespace().all(|word| word.chars().count() <= MAX_WORD_LETTERS) {
        return text.to_owned();
    }
    let mut opened = String::with_capacity(text.len() + text.len() / 16);
    let mut length = 0;
    for letter in text.chars() {
        length = if letter.is_whitespace() { 0 } else { length + 1 };
        if length > MAX_WORD_LETTERS / 2 {
            opened.push('\u{200b}');
            length = 1;
        }
        opened.push(letter);
    }
    opened
}
