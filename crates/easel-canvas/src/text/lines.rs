//! Where the lines of a paragraph end.
//!
//! Breaks are where `breaks` allows them. Where a single word is wider than the box it is broken between letters,
//! and the result says so, so that a smaller size is tried first.

use super::breaks;
use super::tokens::{self, Piece, Token};
use crate::document::{Paragraph, TextBox};
use crate::fonts;
use crate::theme::Theme;

/// A line: its pieces in reading order, and its width without spaces at the end.
#[derive(Debug, Clone, Default)]
pub struct Line {
    pub pieces: Vec<Piece>,
    pub width: f32,
}

pub struct Broken {
    pub lines: Vec<Line>,
    pub broke_a_word: bool,
}

/// The widths of a token at a size, in pixels.
struct Sized {
    /// With the spaces at its end.
    full: f32,
    /// Without them.
    width: f32,
    ends_line: bool,
}

pub fn break_paragraph(paragraph: &Paragraph, text: &TextBox, theme: &Theme, room: f32) -> Broken {
    let tokens = tokens::of_paragraph(paragraph, text, theme);
    let sized: Vec<Sized> = tokens.iter().map(|token| scale(token, text.style.size)).collect();
    let (ends, broke_a_word) = fill(&sized, room);
    let ends = if text.style.balanced && !broke_a_word { balance(&sized, room, ends) } else { ends };
    let mut lines = Vec::with_capacity(ends.len());
    let mut from = 0;
    for end in ends {
        lines.extend(build_lines(&tokens[from..end], room, text));
        from = end;
    }
    if lines.is_empty() {
        lines.push(Line::default());
    }
    Broken { lines, broke_a_word }
}

fn scale(token: &Token, size: f32) -> Sized {
    let full = token.pieces.iter().map(|piece| piece.width * size).sum::<f32>();
    Sized { full, width: full - token.spaces * size, ends_line: token.ends_line }
}

/// The indexes after the last token of each line.
fn fill(tokens: &[Sized], room: f32) -> (Vec<usize>, bool) {
    let mut ends = Vec::new();
    let mut broke = false;
    let mut used = 0.0;
    let mut is_empty = true;
    for (at, token) in tokens.iter().enumerate() {
        if !is_empty && used + token.width > room + 0.01 {
            ends.push(at);
            used = 0.0;
        }
        broke |= token.width > room + 0.01;
        used += token.full;
        is_empty = false;
        if token.ends_line {
            ends.push(at + 1);
            used = 0.0;
            is_empty = true;
        }
    }
    if ends.last() != Some(&tokens.len()) && !tokens.is_empty() {
        ends.push(tokens.len());
    }
    (ends, broke)
}

/// Makes the lines as even as they can be without there being more of them.
fn balance(tokens: &[Sized], room: f32, ends: Vec<usize>) -> Vec<usize> {
    if ends.len() < 2 || ends.len() > 8 {
        return ends;
    }
    let (mut low, mut high) = (room / 3.0, room);
    let mut best = ends;
    for _ in 0..12 {
        let middle = (low + high) / 2.0;
        let (trial, broke) = fill(tokens, middle);
        if trial.len() <= best.len() && !broke {
            best = trial;
            high = middle;
        } else {
            low = middle;
        }
    }
    best
}

/// One line of these tokens, or several where a word is wider than the room.
fn build_lines(tokens: &[Token], room: f32, text: &TextBox) -> Vec<Line> {
    let mut pieces: Vec<Piece> = Vec::new();
    for piece in tokens.iter().flat_map(|token| &token.pieces) {
        match pieces.last_mut() {
            Some(last) if last.face == piece.face && last.link == piece.link => {
                last.text.push_str(&piece.text);
                last.width += piece.width * text.style.size;
            }
            _ => pieces.push(Piece { width: piece.width * text.style.size, ..piece.clone() }),
        }
    }
    trim_end(&mut pieces, text);
    let width: f32 = pieces.iter().map(|piece| piece.width).sum();
    if width <= room + 0.5 || pieces.is_empty() {
        return vec![Line { pieces, width }];
    }
    break_letters(&pieces, room, text)
}

fn trim_end(pieces: &mut Vec<Piece>, text: &TextBox) {
    while let Some(last) = pieces.last_mut() {
        let kept = last.text.trim_end().len();
        if kept == last.text.len() {
            return;
        }
        last.text.truncate(kept);
        if kept > 0 {
            last.width = fonts::measure(last.face, &last.text, text.style.tracking) * text.style.size;
            return;
        }
        pieces.pop();
    }
}

fn break_letters(pieces: &[Piece], room: f32, text: &TextBox) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    for piece in pieces {
        for letters in breaks::clusters(&piece.text) {
            let width = fonts::measure(piece.face, letters, text.style.tracking) * text.style.size;
            let is_full = lines.last().is_some_and(|line| !line.pieces.is_empty() && line.width + width > room);
            if is_full {
                lines.push(Line::default());
            }
            let Some(line) = lines.last_mut() else { continue };
            line.width += width;
            match line.pieces.last_mut() {
                Some(last) if last.face == piece.face && last.link == piece.link => {
                    last.text.push_str(letters);
                    last.width += width;
                }
                _ => line.pieces.push(Piece {
                    text: letters.to_owned(),
                    face: piece.face,
                    width,
                    link: piece.link.clone(),
                }),
            }
        }
    }
    lines
}
