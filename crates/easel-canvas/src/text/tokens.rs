//! What stands between two places where a line may end, and how wide it is.
//!
//! Always true: widths are of one em. Finding the places and shaping the letters is most of what setting a text costs, and it is the
//! same at every size, in every box and on every page that is tried. So a thread remembers the tokens of a paragraph, and whoever sets
//! it scales them. Deliberately not here: which token ends a line (`lines`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::{breaks, font};
use crate::document::{Paragraph, TextBox};
use crate::fonts::{self, FaceId, Han};
use crate::run::Run;
use crate::theme::Theme;

/// Letters of one face.
#[derive(Debug, Clone)]
pub struct Piece {
    pub text: String,
    pub face: FaceId,
    pub width: f32,
    pub link: Option<String>,
}

/// What stands between two places where a line may end.
#[derive(Debug)]
pub struct Token {
    /// With the spaces at its end.
    pub pieces: Vec<Piece>,
    /// The width of the spaces at its end.
    pub spaces: f32,
    /// Whether the line has to end behind it.
    pub ends_line: bool,
}

/// How many tokens a thread remembers.
const REMEMBERED: usize = 60_000;

/// All of a text's style that its tokens hang on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Font<'a> {
    family: &'a str,
    weight: u16,
    italic: bool,
    capitals: bool,
    tracking: f32,
    han: Han,
}

/// The tokens of a paragraph, in each font that it was set in.
type InFonts = Vec<(Font<'static>, Rc<[Token]>)>;

/// The tokens of paragraphs, by the words of each.
#[derive(Default)]
struct Known {
    count: usize,
    paragraphs: HashMap<Vec<Run>, InFonts>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// The tokens of a paragraph of a text.
pub fn of_paragraph(paragraph: &Paragraph, text: &TextBox, theme: &Theme) -> Rc<[Token]> {
    let (family, weight, italic) = font::base_font(text, theme);
    let style = &text.style;
    let font =
        Font { family, weight, italic, capitals: style.capitals, tracking: style.tracking, han: theme.fonts.han };
    let known = KNOWN.with_borrow(|known| {
        let fonts = known.paragraphs.get(paragraph.runs.as_slice())?;
        fonts.iter().find(|(known, _)| *known == font).map(|(_, tokens)| Rc::clone(tokens))
    });
    known.unwrap_or_else(|| {
        let tokens: Rc<[Token]> = find(paragraph, &font).into();
        // The name of a family that is not shipped would have to be copied: such a theme is not one of ours.
        if let Some(family) = fonts::canonical_family(family).filter(|canonical| *canonical == family) {
            remember(paragraph, Font { family, ..font }, &tokens);
        }
        tokens
    })
}

fn remember(paragraph: &Paragraph, font: Font<'static>, tokens: &Rc<[Token]>) {
    KNOWN.with_borrow_mut(|known| {
        if known.count + tokens.len() > REMEMBERED {
            *known = Known::default();
        }
        known.count += tokens.len();
        known.paragraphs.entry(paragraph.runs.clone()).or_default().push((font, Rc::clone(tokens)));
    });
}

fn find(paragraph: &Paragraph, font: &Font<'_>) -> Vec<Token> {
    let words: Vec<String> = paragraph
        .runs
        .iter()
        .map(|run| if font.capitals { run.text.to_uppercase() } else { run.text.clone() })
        .collect();
    let whole: String = words.concat();
    let mut bounds = Vec::with_capacity(words.len());
    let mut from = 0;
    for (word, run) in words.iter().zip(&paragraph.runs) {
        bounds.push((from, from + word.len(), run));
        from += word.len();
    }
    let mut tokens = Vec::new();
    let mut begin = 0;
    for (end, is_mandatory) in breaks::find(&whole) {
        let mut pieces = Vec::new();
        for (run_from, run_to, run) in &bounds {
            let (lo, hi) = (begin.max(*run_from), end.min(*run_to));
            if lo < hi {
                shape(&whole[lo..hi], run, font, &mut pieces);
            }
        }
        let spaces: String = whole[begin..end].chars().rev().take_while(|letter| letter.is_whitespace()).collect();
        let spaces: String = spaces.chars().filter(|letter| !is_line_end(*letter)).collect();
        let spaces = match pieces.last() {
            Some(last) if !spaces.is_empty() => fonts::measure(last.face, &spaces, font.tracking),
            _ => 0.0,
        };
        tokens.push(Token { pieces, spaces, ends_line: is_mandatory && end < whole.len() });
        begin = end;
    }
    tokens
}

fn shape(part: &str, run: &Run, font: &Font<'_>, pieces: &mut Vec<Piece>) {
    let weight = if run.strong { font::bolder(font.weight) } else { font.weight };
    let part: String = part.chars().filter(|letter| !is_line_end(*letter)).collect();
    for (face, text) in fonts::split_by_face(&part, font.family, weight, font.italic || run.emphasis, font.han) {
        let width = fonts::measure(face, &text, font.tracking);
        pieces.push(Piece { text, face, width, link: run.link.clone() });
    }
}

fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r')
}
