//! Words in a box: which break into which lines, where each piece stands, and at what size they fit.
//!
//! The same lines are drawn in every format, because they are found here and nowhere else, with the widths that the fonts
//! themselves give. A text is never cut: what does not fit says so, and the layout has to give it more room.

mod bidi;
mod breaks;
mod font;
mod lines;
mod placed;
pub mod quotes;
mod tokens;

pub use bidi::is_right_to_left;
pub use font::{base_font, bolder, font_choice};
use lines::Line;
pub use placed::PlacedRun;

use crate::document::{Align, Anchor, Bullet, TextBox};
use crate::fonts::{self, FaceId};
use crate::geometry::Frame;
use crate::theme::Theme;

/// A text with its lines found and placed.
#[derive(Debug, Clone)]
pub struct TextLayout {
    /// From top to bottom.
    pub lines: Vec<PlacedLine>,
    /// Of all lines together, in pixels.
    pub height: f32,
    /// Of the longest line, in pixels.
    pub width: f32,
    /// Whether everything is inside the box and no word had to be broken.
    pub fits: bool,
    /// What the text covers of the page.
    pub ink: Frame,
}

/// A line of text on the page.
#[derive(Debug, Clone)]
pub struct PlacedLine {
    /// Where the letters stand, from the page's top.
    pub baseline: f32,
    /// From left to right.
    pub runs: Vec<PlacedRun>,
}

/// The indent of a list, of the size.
const LIST_INDENT: f32 = 1.25;

/// What a text takes when it is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// How many lines there are.
    pub lines: usize,
    /// Of all lines together, in pixels.
    pub height: f32,
    /// Of the longest line, in pixels.
    pub width: f32,
    /// Whether everything is inside the box and no word had to be broken.
    pub fits: bool,
}

/// A text with its lines found, which have no places yet.
struct Set {
    /// The lines of each paragraph.
    paragraphs: Vec<Vec<Line>>,
    extent: Extent,
    /// Before each line of a list.
    indent: f32,
    /// From baseline to baseline.
    pitch: f32,
    /// Between paragraphs.
    gap: f32,
}

fn set(text: &TextBox, theme: &Theme) -> Set {
    let style = &text.style;
    let pitch = line_pitch(text, theme);
    let has_list = text.paragraphs.iter().any(|paragraph| paragraph.bullet.is_some());
    let numbers = text.paragraphs.iter().any(|paragraph| matches!(paragraph.bullet, Some(Bullet::Number(10..))));
    let indent = if has_list { style.size * if numbers { LIST_INDENT * 1.35 } else { LIST_INDENT } } else { 0.0 };
    let room = (text.frame.width - indent).max(1.0);

    let mut broken_word = false;
    let mut paragraphs = Vec::with_capacity(text.paragraphs.len());
    for paragraph in &text.paragraphs {
        let broken = lines::break_paragraph(paragraph, text, theme, room);
        broken_word |= broken.broke_a_word;
        paragraphs.push(broken.lines);
    }
    let gap = style.paragraph_gap * style.size;
    let lines: usize = paragraphs.iter().map(Vec::len).sum();
    let height = lines as f32 * pitch + gap * paragraphs.len().saturating_sub(1) as f32;
    let width = paragraphs.iter().flatten().map(|line| line.width + indent).fold(0.0_f32, f32::max);
    let fits = !broken_word && height <= text.frame.height + 0.5 && width <= text.frame.width + 0.5;
    Set { paragraphs, extent: Extent { lines, height, width, fits }, indent, pitch, gap }
}

/// What a text takes, for whoever looks for the size at which it fits.
pub fn measure(text: &TextBox, theme: &Theme) -> Extent {
    set(text, theme).extent
}

/// Finds the lines of a text and their places.
pub fn lay_out(text: &TextBox, theme: &Theme) -> TextLayout {
    let style = &text.style;
    let (family, weight, italic) = base_font(text, theme);
    let primary = fonts::face(fonts::find_face(family, weight, italic));
    let Set { paragraphs, extent, indent, pitch, gap } = set(text, theme);
    let Extent { lines: line_count, height, width, fits } = extent;
    let spare = text.frame.height - height;
    let top = text.frame.y
        + match style.anchor {
            Anchor::Top => 0.0,
            Anchor::Middle => spare / 2.0,
            Anchor::Bottom => spare,
        };
    let rise = (pitch - (primary.ascent + primary.descent) * style.size) / 2.0 + primary.ascent * style.size;

    let mut placed = Vec::with_capacity(line_count);
    let (mut left, mut right) = (f32::MAX, f32::MIN);
    let mut y = top;
    for (paragraph, lines) in text.paragraphs.iter().zip(paragraphs) {
        for (at, line) in lines.into_iter().enumerate() {
            let line_width = line.width;
            let align = match (style.align, style.right_to_left) {
                (Align::Center, _) => Align::Center,
                (Align::Start, false) | (Align::End, true) => Align::Start,
                (Align::End, false) | (Align::Start, true) => Align::End,
            };
            // Right to left, the list's indent stands at the right.
            let x = match align {
                Align::Start => text.frame.x + if style.right_to_left { 0.0 } else { indent },
                Align::Center => text.frame.x + (text.frame.width - line_width) / 2.0,
                Align::End => text.frame.right() - line_width - if style.right_to_left { indent } else { 0.0 },
            };
            let mut runs = bidi::place(line, x, style);
            if let (0, Some(bullet)) = (at, paragraph.bullet) {
                runs.insert(0, place_bullet(bullet, text, theme, indent));
            }
            for run in &runs {
                left = left.min(run.x);
                right = right.max(run.x + run.width);
            }
            placed.push(PlacedLine { baseline: y + rise, runs });
            y += pitch;
        }
        y += gap;
    }
    let ink = if left < right {
        Frame::new(left, top, right - left, height)
    } else {
        Frame::new(text.frame.x, top, 0.0, height)
    };
    TextLayout { lines: placed, height, width, fits, ink }
}

/// From baseline to baseline, in pixels: as the style asks, but never so little that letters of two lines meet.
pub fn line_pitch(text: &TextBox, theme: &Theme) -> f32 {
    let (family, weight, italic) = base_font(text, theme);
    let primary = fonts::face(fonts::find_face(family, weight, italic));
    let letters = text.paragraphs.iter().flat_map(|paragraph| &paragraph.runs).flat_map(|run| run.text.chars());
    let tallest = letters.map(script_height).fold(0.0, f32::max);
    text.style.size * text.style.line_height.max(0.72 * (primary.ascent + primary.descent)).max(tallest)
}

/// Whether a text holds syllables that are drawn with several signs each: Devanagari and its kin, Thai, Lao, Burmese, Khmer.
pub fn is_syllabic(text: &str) -> bool {
    text.chars().any(|letter| matches!(letter, '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'))
}

/// The syllables of a text, each with the width of what stands before it, of one em.
pub fn syllables(text: &str, face: FaceId) -> Vec<(&str, f32)> {
    let mut begin = 0;
    breaks::clusters(text)
        .map(|syllable| {
            let before = fonts::measure(face, &text[..begin], 0.0);
            begin += syllable.len();
            (syllable, before)
        })
        .collect()
}

/// What a line of a script takes, of its size: marks stand above and below the letters of some, and letters without descenders
/// fill the whole height of others.
fn script_height(letter: char) -> f32 {
    match letter {
        '\u{0}'..='\u{5ff}' => 0.0,
        '\u{600}'..='\u{8ff}' => 1.4,
        '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => 1.42,
        '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}' => 1.24,
        _ => 0.0,
    }
}

/// By how much the letters of a line would stand lower if all of its spare were above them and none below, in pixels;
/// less than nothing where lines are set tighter than their font asks.
pub fn spare_below(text: &TextBox, theme: &Theme) -> f32 {
    let (family, weight, italic) = base_font(text, theme);
    let primary = fonts::face(fonts::find_face(family, weight, italic));
    ((primary.ascent + primary.descent) * text.style.size - line_pitch(text, theme)) / 2.0
}

fn place_bullet(bullet: Bullet, text: &TextBox, theme: &Theme, indent: f32) -> PlacedRun {
    let (family, weight, _) = base_font(text, theme);
    let mark = match bullet {
        Bullet::Dot => "•".to_owned(),
        Bullet::Number(number) => format!("{number}."),
    };
    let face = fonts::split_by_face(&mark, family, weight, false, theme.fonts.han)
        .first()
        .map_or_else(|| fonts::find_face(family, weight, false), |(face, _)| *face);
    let width = fonts::measure(face, &mark, 0.0) * text.style.size;
    let x = if text.style.right_to_left { text.frame.right() - width } else { text.frame.x };
    debug_assert!(width <= indent + text.style.size);
    PlacedRun { x, width, text: mark, face, link: None, right_to_left: false, is_bullet: true }
}

#[cfg(test)]
mod tests;
