//! Words of a page, so that they can be marked, searched and read aloud.
//!
//! What is drawn by one call reads as one piece: the glyphs of a line in one font, with the text that they stand for. A PDF
//! knows by that which glyphs are one syllable, which the scripts of India, Thai and Arabic need: drawn one by one, each glyph
//! would say the syllable again.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use krilla::geom::Point;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph, Tag};
use rustybuzz::ttf_parser;
use usvg::layout::{PositionedGlyph, Span};

use super::shapes;
use crate::text::is_right_to_left;

/// Draws words, and keeps the fonts of a file so that each is opened once.
pub struct Words {
    flatten: bool,
    database: Arc<fontdb::Database>,
    fonts: HashMap<FontKey, Option<Font>>,
}

/// Begins and ends a text that reads from right to left. It stays among the words: by it readers tell where a number in such a
/// line ends.
const RIGHT_TO_LEFT_MARK: char = '\u{200f}';

/// How far from the right edge of a ligature a letter of it is put, of one em: less than what parts two words.
const NEXT_TO_EDGE: f32 = 0.05;

/// A font file by the place of its bytes in memory, the font in it, and its optical size where it has one.
type FontKey = (usize, u32, Option<u32>);

/// A glyph and the span of the text that it is of.
type Drawn<'a> = (&'a Span, &'a PositionedGlyph);

/// A glyph with its place along the line and above it, in units of its font, and its part of the text.
#[derive(Clone)]
struct Placed {
    id: ttf_parser::GlyphId,
    place: (f32, f32),
    range: Range<usize>,
}

impl Words {
    /// With `flatten`, words are drawn as shapes.
    pub fn new(flatten: bool) -> Self {
        Self { flatten, database: Arc::default(), fonts: HashMap::new() }
    }

    /// Whether words are drawn as shapes.
    pub fn are_shapes(&self) -> bool {
        self.flatten
    }

    /// Takes the fonts of the texts to come from here.
    pub fn take_fonts(&mut self, database: &Arc<fontdb::Database>) {
        self.database = Arc::clone(database);
    }

    /// Draws a text.
    pub fn draw(&mut self, text: &usvg::Text, surface: &mut Surface) {
        let spans: Vec<&Span> = text.layouted().iter().filter(|span| span.visible).collect();
        for path in spans.iter().flat_map(|span| [&span.overline, &span.underline]).flatten() {
            shapes::draw_path(path, surface);
        }
        // Each syllable of some scripts is a span of its own, because its place is written out; they are of one line.
        let glyphs: Vec<Drawn> =
            spans.iter().flat_map(|span| span.positioned_glyphs.iter().map(|glyph| (*span, glyph))).collect();
        let is_reversed = glyphs.iter().flat_map(|(_, glyph)| glyph.text.chars()).any(reads_from_right);
        for run in glyphs.chunk_by(|one, next| is_one_run(*one, *next)) {
            self.draw_run(run, is_reversed, surface);
        }
        for path in spans.iter().filter_map(|span| span.line_through.as_ref()) {
            shapes::draw_path(path, surface);
        }
    }

    fn draw_run(&mut self, run: &[Drawn], is_reversed: bool, surface: &mut Surface) {
        let Some((span, first)) = run.first() else { return };
        let size = span.font_size.get();
        let Some(font) = self.font(first.font, span) else { return };
        surface.set_fill(span.fill.as_ref().and_then(shapes::fill));
        surface.set_stroke(span.stroke.as_ref().and_then(shapes::stroke));
        if self.flatten {
            return draw_outlines(run, &font, size, surface);
        }
        let origin = unscaled(first, &font, size);
        let Some(from_page) = origin.invert() else { return };
        let (text, ranges) = words_of(run, is_reversed);
        let units = font.units_per_em();
        // Places are whole units of the font: finer than can be seen, and most are then what the font itself has.
        let place = |(_, glyph): &Drawn| {
            let place = from_page.pre_concat(unscaled(glyph, &font, size));
            ((place.tx / size * units).round(), (-place.ty / size * units).round())
        };
        let mut placed: Vec<Placed> = run
            .iter()
            .zip(ranges)
            .map(|(drawn, range)| Placed { id: drawn.1.id, place: place(drawn), range })
            .collect();
        if is_reversed && let Some(face) = self.face(first.font) {
            placed = part_ligatures(placed, &text, &face);
        }
        let ends = placed.iter().skip(1).map(|next| next.place.0).chain(placed.last().map(|last| last.place.0));
        let glyphs: Vec<KrillaGlyph> = placed
            .iter()
            .zip(ends)
            .map(|(glyph, end)| {
                let (advance, rise) = ((end - glyph.place.0) / units, glyph.place.1 / units);
                KrillaGlyph::new(
                    GlyphId::new(u32::from(glyph.id.0)),
                    advance,
                    0.0,
                    rise,
                    0.0,
                    glyph.range.clone(),
                    None,
                )
            })
            .collect();
        surface.push_transform(&shapes::transform(origin));
        surface.draw_glyphs(Point::default(), &glyphs, font, &text, size, false);
        surface.pop();
    }

    fn face(&self, id: fontdb::ID) -> Option<ttf_parser::Face<'_>> {
        let face = self.database.face(id)?;
        let fontdb::Source::Binary(bytes) = &face.source else { return None };
        ttf_parser::Face::parse(bytes.as_ref().as_ref(), face.index).ok()
    }

    /// The font of a glyph, at the optical size that it is shaped with.
    fn font(&mut self, id: fontdb::ID, span: &Span) -> Option<Font> {
        let face = self.database.face(id)?;
        let fontdb::Source::Binary(bytes) = &face.source else { return None };
        let data: &[u8] = bytes.as_ref().as_ref();
        let size = has_optical_size(data, face.index).then(|| span.font_size.get());
        let key = (data.as_ptr() as usize, face.index, size.map(f32::to_bits));
        let known = self.fonts.entry(key).or_insert_with(|| {
            let variations: Vec<(Tag, f32)> = size.map(|size| (Tag::new(b"opsz"), size)).into_iter().collect();
            Font::new_variable(Arc::clone(bytes).into(), face.index, &variations)
        });
        known.clone()
    }
}

/// Draws glyphs as shapes: each at its own place, so that the same letter has the same path everywhere and packs well.
fn draw_outlines(run: &[Drawn], font: &Font, size: f32, surface: &mut Surface) {
    for (_, glyph) in run {
        let id = GlyphId::new(u32::from(glyph.id.0));
        let alone = [KrillaGlyph::new(id, 0.0, 0.0, 0.0, 0.0, 0..0, None)];
        surface.push_transform(&shapes::transform(unscaled(glyph, font, size)));
        surface.draw_glyphs(Point::default(), &alone, font.clone(), "", size, true);
        surface.pop();
    }
}

fn has_optical_size(data: &[u8], index: u32) -> bool {
    let axes = ttf_parser::Face::parse(data, index).map(|face| face.variation_axes());
    axes.is_ok_and(|axes| axes.into_iter().any(|axis| axis.tag == ttf_parser::Tag::from_bytes(b"opsz")))
}

/// Where a glyph stands and how it is turned, without the size of its font, which krilla takes apart from it.
fn unscaled(glyph: &PositionedGlyph, font: &Font, size: f32) -> usvg::Transform {
    let scale = font.units_per_em() / size;
    glyph.transform().pre_scale(scale, scale)
}

/// Whether a glyph goes on with what is drawn by one call: in the same font and turned in the same way. A text has one style.
fn is_one_run((_, glyph): Drawn, (_, next): Drawn) -> bool {
    let (here, there) = (glyph.transform(), next.transform());
    glyph.font == next.font && (here.sx, here.kx, here.ky, here.sy) == (there.sx, there.kx, there.ky, there.sy)
}

fn reads_from_right(letter: char) -> bool {
    letter == RIGHT_TO_LEFT_MARK || is_right_to_left(letter)
}

/// The text of a run in reading order, and which part of it each glyph stands for. Glyphs of one syllable stand for all of it
/// together: usvg gives its letters to the one of them that comes last in reading order.
fn words_of(run: &[Drawn], is_reversed: bool) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut ranges = vec![0..0; run.len()];
    let mut syllable = Vec::new();
    for at in 0..run.len() {
        let at = if is_reversed { run.len() - 1 - at } else { at };
        syllable.push(at);
        let letters = &run[at].1.text;
        if !letters.is_empty() {
            let begin = text.len();
            text.push_str(letters);
            syllable.drain(..).for_each(|at| ranges[at] = begin..text.len());
        }
    }
    (text, ranges)
}

/// Gives each letter of a ligature that reads from right to left a place of its own. Readers of a PDF turn such a line around
/// letter by letter, and some do so within a ligature, whose letters then come out in the wrong order. The ligature stands for
/// its last letter, and blanks at its right edge for those before it.
fn part_ligatures(placed: Vec<Placed>, text: &str, face: &ttf_parser::Face) -> Vec<Placed> {
    let Some(blank) = face.glyph_index(' ') else { return placed };
    let mut parted = Vec::with_capacity(placed.len());
    for (at, glyph) in placed.iter().enumerate() {
        let is_alone = (at == 0 || placed[at - 1].range != glyph.range)
            && placed.get(at + 1).is_none_or(|next| next.range != glyph.range);
        let begins: Vec<usize> =
            text[glyph.range.clone()].char_indices().map(|(begin, _)| glyph.range.start + begin).collect();
        let Some((last, before)) = begins.split_last().filter(|(_, before)| is_alone && !before.is_empty()) else {
            parted.push(glyph.clone());
            continue;
        };
        parted.push(Placed { range: *last..glyph.range.end, ..glyph.clone() });
        let width = face.glyph_hor_advance(glyph.id).unwrap_or_default();
        let step = f32::from(face.units_per_em()) * NEXT_TO_EDGE;
        let mut end = *last;
        for (from_last, begin) in before.iter().rev().enumerate() {
            let back = step * (before.len() - from_last) as f32;
            let place = (glyph.place.0 + f32::from(width) - back.round(), glyph.place.1);
            parted.push(Placed { id: blank, place, range: *begin..end });
            end = *begin;
        }
    }
    parted
}
