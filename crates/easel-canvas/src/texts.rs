//! The texts of a design and changing one in its place: which there are, where they stand, and other words for one of them.
//!
//! Always true: nothing but the box moves, and its frame stays; the words are set at the largest usual size that fits, never
//! larger than the layout had them, so that the words of before bring back the picture of before; a change that is refused
//! changes nothing. What a remix starts from is changed with the page where it can be told (`carried`). Deliberately not here:
//! words in charts and tables, which are drawn from their numbers and cells; colours, places and pictures.

mod carried;
mod ground;
mod runs;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::audit::LEAST_SIZE;
use crate::color::Rgb;
use crate::document::{Align, Anchor, Document, Node, Page, TextBox, TextRole};
use crate::error::Error;
use crate::fonts;
use crate::geometry::Frame;
use crate::layout::sizes;
use crate::text;
use crate::theme::Theme;

/// The longest words that a text is given, in letters.
pub const MAX_LETTERS: usize = 6_000;

/// The smallest that other words are set, of the size that the layout gave the first: below that they would be another rank.
const LEAST_PART: f32 = 0.45;

/// Groups within groups that a reference leads through at most.
pub(crate) const MAX_DEPTH: usize = 16;

/// Which text: its page, and its place among the nodes there. It stays the same as long as the design is not made anew.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextRef {
    /// The page, from 0.
    pub page: usize,
    /// The place of its node on the page, from 0; within groups, one place for each.
    pub path: Vec<usize>,
}

impl TextRef {
    /// Reads a path as [`fmt::Display`] writes it: places with dots between them. `None` where it is none.
    #[must_use]
    pub fn parse(page: usize, path: &str) -> Option<Self> {
        let place = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?;
        let path: Vec<usize> = path.split('.').map(place).collect::<Option<_>>()?;
        (path.len() <= MAX_DEPTH).then_some(Self { page, path })
    }
}

impl fmt::Display for TextRef {
    /// The path without the page.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, place) in self.path.iter().enumerate() {
            write!(f, "{}{place}", if at > 0 { "." } else { "" })?;
        }
        Ok(())
    }
}

/// A text where it stands, and how it is set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlacedText {
    /// The path of its [`TextRef`].
    pub path: String,
    /// What the words are.
    pub role: TextRole,
    /// Its words, a line for each paragraph.
    pub text: String,
    /// The room that it has, in pixels of the page.
    pub frame: Frame,
    /// What the words cover of it, in pixels of the page.
    pub ink: Frame,
    /// In pixels of the page.
    pub size: f32,
    /// The smallest that other words may be set, in pixels of the page.
    pub least_size: f32,
    /// From baseline to baseline, in pixels of the page.
    pub line_height: f32,
    /// From side to side.
    pub align: Align,
    /// From top to bottom.
    pub anchor: Anchor,
    /// As `#rrggbb`.
    pub color: String,
    /// The one colour below the words, as `#rrggbb`; `None` where there are several, or a picture.
    pub ground: Option<String>,
    /// The typeface's family.
    pub font_family: String,
    /// Whether its letters have serifs.
    pub is_serif: bool,
    /// 100 to 900.
    pub weight: u16,
    /// Whether slanted.
    pub italic: bool,
    /// Whether the words are shown in capitals, however they are written.
    pub capitals: bool,
    /// Whether it reads from right to left.
    pub right_to_left: bool,
}

impl Document {
    /// The texts of a page, from the back to the front; none where there is no such page. `page` counts from 0.
    #[must_use]
    pub fn texts(&self, page: usize) -> Vec<PlacedText> {
        let mut found = Vec::new();
        if let Some(page) = self.pages.get(page) {
            self.collect(page, &page.nodes, &mut Vec::new(), &mut found);
        }
        found
    }

    /// The text of a reference, where there is one.
    #[must_use]
    pub fn text(&self, at: &TextRef) -> Option<PlacedText> {
        let page = self.pages.get(at.page)?;
        Some(self.place(page, find(&page.nodes, &at.path)?, at))
    }

    fn collect(&self, page: &Page, nodes: &[Node], path: &mut Vec<usize>, found: &mut Vec<PlacedText>) {
        for (place, node) in nodes.iter().enumerate() {
            path.push(place);
            match node {
                Node::Text(text) if !text.text().trim().is_empty() => {
                    let at = TextRef { page: 0, path: path.clone() };
                    found.push(self.place(page, text, &at));
                }
                Node::Group(group) if path.len() < MAX_DEPTH => self.collect(page, &group.nodes, path, found),
                _ => {}
            }
            path.pop();
        }
    }

    fn place(&self, page: &Page, text: &TextBox, at: &TextRef) -> PlacedText {
        let (family, weight, italic) = text::base_font(text, &self.theme);
        let ink = text::lay_out(text, &self.theme).ink;
        PlacedText {
            ground: ground::ground(&self.theme, page, &at.path, ink).map(Rgb::hex),
            path: at.to_string(),
            role: text.role,
            text: text.text(),
            frame: text.frame,
            ink,
            size: text.style.size,
            least_size: least_size(text, page),
            line_height: text::line_pitch(text, &self.theme),
            align: text.style.align,
            anchor: text.style.anchor,
            color: self.theme.color(page.ground, text.style.paint).hex(),
            font_family: family.to_owned(),
            is_serif: fonts::is_serif(family),
            weight,
            italic,
            capitals: text.style.capitals,
            right_to_left: text.style.right_to_left,
        }
    }

    /// Gives a text other words, a paragraph a line. Words that stay keep how they are set; those that are new are set as what they
    /// take the place of, and as its first words where nothing stays. Blanks around them and signs that are none are left out.
    ///
    /// # Errors
    /// [`Error::TextNotFound`]; [`Error::TextEmpty`]; [`Error::TextTooLong`] where they do not fit at the smallest size;
    /// [`Error::LettersMissing`].
    pub fn set_text(&mut self, at: &TextRef, words: &str) -> Result<(), Error> {
        let words = clean(words);
        let not_found = || Error::TextNotFound { page: at.page + 1, path: at.to_string() };
        let page = self.pages.get(at.page).ok_or_else(not_found)?;
        let before = find(&page.nodes, &at.path).ok_or_else(not_found)?;
        if words.is_empty() {
            return Err(Error::TextEmpty);
        }
        if before.text() == words {
            return Ok(());
        }
        // Letters without a typeface first: their width would say nothing about whether they fit.
        crate::render::check_letters(&words, self.theme.fonts.han)?;
        let mut after = TextBox { paragraphs: runs::reword(&before.paragraphs, &words), ..before.clone() };
        if after.role == TextRole::Placeholder {
            after.role = TextRole::Body;
        }
        fit(&mut after, &self.theme, least_size(before, page), &words)?;
        let before = before.clone();
        carried::carry(&mut self.origin.outline, &before, &after);
        let page = self.pages.get_mut(at.page).ok_or_else(not_found)?;
        if page.name == in_a_line(&before.text()) {
            page.name = in_a_line(&words);
        }
        *find_mut(&mut page.nodes, &at.path).ok_or_else(not_found)? = after;
        Ok(())
    }
}

/// The size that the layout gave a text, in pixels, whatever size its words have now.
fn first_size(text: &TextBox) -> f32 {
    text.first_size.unwrap_or(text.style.size)
}

fn least_size(text: &TextBox, page: &Page) -> f32 {
    let first = first_size(text);
    let legible = page.width.min(page.height) as f32 * LEAST_SIZE;
    (first * LEAST_PART).max(legible).min(first)
}

/// Sets a text at the largest size at which it fits its frame.
fn fit(text: &mut TextBox, theme: &Theme, least: f32, words: &str) -> Result<(), Error> {
    let first = first_size(text);
    let (size, fits) = sizes::find_largest(first, least, |size| {
        text.style.size = size;
        let fits = text::measure(text, theme).fits;
        (fits, fits)
    });
    if !fits {
        let fitting = longest_that_fits(text, theme, least, words);
        return Err(Error::TextTooLong { letters: words.chars().count(), fitting });
    }
    text.style.size = size;
    text.first_size = (size < first).then_some(first);
    Ok(())
}

/// The longest beginning of the words that fits at a size, to the end of a word where one fits.
fn longest_that_fits(text: &TextBox, theme: &Theme, size: f32, words: &str) -> String {
    let mut trial = text.clone();
    trial.style.size = size;
    let mut fits = |end: usize| {
        trial.paragraphs = runs::reword(&text.paragraphs, words[..end].trim_end());
        text::measure(&trial, theme).fits
    };
    let gaps = words.char_indices().filter(|(_, letter)| letter.is_whitespace());
    let ends_of_words: Vec<usize> = gaps.map(|(at, _)| at).collect();
    let letters: Vec<usize> = words.char_indices().map(|(at, _)| at).skip(1).collect();
    let mut longest = |ends: &[usize]| ends.partition_point(|end| fits(*end)).checked_sub(1).map(|at| ends[at]);
    let end = longest(&ends_of_words).or_else(|| longest(&letters)).unwrap_or(0);
    words[..end].trim_end().to_owned()
}

/// Words without what is no letter, with one kind of line end, and without blanks around them.
fn clean(words: &str) -> String {
    let words = words.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n").replace('\t', " ");
    let kept: String = words.chars().filter(|letter| !letter.is_control() || *letter == '\n').collect();
    kept.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn in_a_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn find<'n>(nodes: &'n [Node], path: &[usize]) -> Option<&'n TextBox> {
    let (place, rest) = path.split_first()?;
    match (nodes.get(*place)?, rest) {
        (Node::Text(text), []) if !text.text().trim().is_empty() => Some(text),
        (Node::Group(group), rest) => find(&group.nodes, rest),
        _ => None,
    }
}

fn find_mut<'n>(nodes: &'n mut [Node], path: &[usize]) -> Option<&'n mut TextBox> {
    let (place, rest) = path.split_first()?;
    match (nodes.get_mut(*place)?, rest) {
        (Node::Text(text), []) => Some(text),
        (Node::Group(group), rest) => find_mut(&mut group.nodes, rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
