//! From reading order to places: a line that holds Hebrew or Arabic is divided into pieces of one direction (UAX #9) and
//! each gets its own place from left to right.

use unicode_bidi::{BidiInfo, Level};

use super::lines::Line;
use super::placed::PlacedRun;
use super::tokens::Piece;
use crate::document::TextStyle;
use crate::fonts;

/// Gives the pieces of a line their places, beginning at `x`.
pub fn place(line: Line, x: f32, style: &TextStyle) -> Vec<PlacedRun> {
    let is_plain = !style.right_to_left && !line.pieces.iter().any(|piece| piece.text.chars().any(is_right_to_left));
    if is_plain {
        let mut at = x;
        return line.pieces.into_iter().map(|piece| put(piece, &mut at, false)).collect();
    }
    let whole: String = line.pieces.iter().map(|piece| piece.text.as_str()).collect();
    let base = if style.right_to_left { Level::rtl() } else { Level::ltr() };
    let info = BidiInfo::new(&whole, Some(base));
    let Some(paragraph) = info.paragraphs.first() else { return Vec::new() };
    let (levels, visual) = info.visual_runs(paragraph, paragraph.range.clone());
    let mut placed = Vec::new();
    let mut at = x;
    for range in visual {
        let right_to_left = levels.get(range.start).is_some_and(Level::is_rtl);
        let mut pieces = Vec::new();
        let mut begin = 0;
        for piece in &line.pieces {
            let end = begin + piece.text.len();
            let (lo, hi) = (begin.max(range.start), end.min(range.end));
            if lo < hi {
                let text = whole[lo..hi].to_owned();
                let width = fonts::measure(piece.face, &text, style.tracking) * style.size;
                pieces.push(Piece { text, face: piece.face, width, link: piece.link.clone() });
            }
            begin = end;
        }
        if right_to_left {
            pieces.reverse();
        }
        placed.extend(pieces.into_iter().map(|piece| put(piece, &mut at, right_to_left)));
    }
    placed
}

fn put(piece: Piece, at: &mut f32, right_to_left: bool) -> PlacedRun {
    let x = *at;
    *at += piece.width;
    PlacedRun {
        x,
        width: piece.width,
        text: piece.text,
        face: piece.face,
        link: piece.link,
        right_to_left,
        is_bullet: false,
    }
}

/// Whether a letter is of a script that reads from right to left.
pub fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
}
