//! Where the lines of a paragraph end.
//!
//! Breaks are where `breaks` allows them. Where a single word is wider than the box it is broken between letters,
//! and the result says so, so that a smaller size is tried first.

use super::base_font;
use super::breaks;
use crate::document::{Paragraph, TextBox};
use crate::fonts::{self, FaceId};
use crate::theme::Theme;

/// A line: its pieces in reading order, and its width without spaces at the end.
#[derive(Debug, Clone, Default)]
pub struct Line {
    pub pieces: Vec<Piece>,
    pub width: f32,
}

/// Letters of one face.
#[derive(Debug, Clone)]
pub struct Piece {
    pub text: String,
    pub face: FaceId,
    pub width: f32,
    pub link: Option<String>,
}

pub struct Broken {
    pub lines: Vec<Line>,
    pub broke_a_word: bool,
}

/// What stands between two places where a line may end.
struct Token {
    pieces: Vec<Piece>,
    /// With the spaces at its end.
    full: f32,
    /// Without them.
    width: f32,
    ends_line: bool,
}

pub fn break_paragraph(paragraph: &Paragraph, text: &TextBox, theme: &Theme, room: f32) -> Broken {
    let tokens = tokenize(paragraph, text, theme);
    let (ends, broke_a_word) = fill(&tokens, room);
    let ends = if text.style.balanced && !broke_a_word { balance(&tokens, room, ends) } else { ends };
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

fn tokenize(paragraph: &Paragraph, text: &TextBox, theme: &Theme) -> Vec<Token> {
    let (family, weight, italic) = base_font(text, theme);
    let size = text.style.size;
    let words: Vec<String> = paragraph
        .runs
        .iter()
        .map(|run| if text.style.capitals { run.text.to_uppercase() } else { run.text.clone() })
        .collect();
    let whole: String = words.concat();
    let mut bounds = Vec::with_capacity(words.len());
    let mut from = 0;
    for (at, word) in words.iter().enumerate() {
        bounds.push((from, from + word.len(), at));
        from += word.len();
    }
    let mut tokens = Vec::new();
    let mut begin = 0;
    for (end, is_mandatory) in breaks::find(&whole) {
        let piece = &whole[begin..end];
        let is_last = end == whole.len();
        let ends_line = is_mandatory && !is_last;
        let mut pieces = Vec::new();
        for (run_from, run_to, at) in &bounds {
            let (lo, hi) = (begin.max(*run_from), end.min(*run_to));
            if lo >= hi {
                continue;
            }
            let run = &paragraph.runs[*at];
            let weight = if run.strong { bolder(weight) } else { weight };
            let part: String = whole[lo..hi].chars().filter(|character| !matches!(character, '\n' | '\r')).collect();
            for (face, letters) in fonts::split_by_face(&part, family, weight, italic || run.emphasis, theme.fonts.han)
            {
                let width = fonts::measure(face, &letters, text.style.tracking) * size;
                pieces.push(Piece { text: letters, face, width, link: run.link.clone() });
            }
        }
        let full = pieces.iter().map(|piece| piece.width).sum::<f32>();
        let spaces: String = piece.chars().rev().take_while(|character| character.is_whitespace()).collect();
        let spaces: String = spaces.chars().filter(|character| !matches!(character, '\n' | '\r')).collect();
        let width = match pieces.last() {
            Some(last) if !spaces.is_empty() => full - fonts::measure(last.face, &spaces, text.style.tracking) * size,
            _ => full,
        };
        tokens.push(Token { pieces, full, width, ends_line });
        begin = end;
    }
    tokens
}

/// The weight that words stand out with from words of `weight`.
pub fn bolder(weight: u16) -> u16 {
    if weight >= 600 { 900 } else { 700 }
}

/// The indexes after the last token of each line.
fn fill(tokens: &[Token], room: f32) -> (Vec<usize>, bool) {
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
fn balance(tokens: &[Token], room: f32, ends: Vec<usize>) -> Vec<usize> {
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
                last.width += piece.width;
            }
            _ => pieces.push(piece.clone()),
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
