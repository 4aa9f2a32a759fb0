//! A page while it is laid out: its measures, and the ways in which a layout puts words and shapes on it.
//!
//! A layout states sizes and places; whether the words fit is found here with the fonts' own widths. Words that do not
//! fit mark the sheet as failed, and the caller tries smaller ones, another layout, or two pages. So nothing is ever cut.

use super::setting::{PageShape, Scale, Setting};
use super::sizes;
use super::words::Words;
use crate::dice::Dice;
use crate::document::{Anchor, Asset, Fill, Fit, Image, Line, Node, PathShape, Piece, Shape, Stroke, TextBox};
use crate::geometry::Frame;
use crate::text::{self, Extent};
use crate::theme::{Background, Paint};

/// A page while it is laid out.
pub struct Sheet<'a> {
    /// What every page shares.
    pub setting: Setting<'a>,
    /// The whole page.
    pub page: Frame,
    /// A hundredth of the page's shorter side, in pixels.
    pub unit: f32,
    /// What stays empty at every side, in pixels.
    pub margin: f32,
    /// Sizes of type.
    pub scale: Scale,
    /// What the page stands on.
    pub ground: Background,
    /// By how much words other than titles are larger or smaller than the scale says.
    pub zoom: f32,
    /// Chance.
    pub dice: Dice,
    /// From the back to the front.
    pub nodes: Vec<Node>,
    /// Whether something did not fit.
    pub failed: bool,
}

impl<'a> Sheet<'a> {
    /// An empty page.
    pub fn new(setting: Setting<'a>, ground: Background, zoom: f32, dice: Dice) -> Self {
        let unit = setting.unit();
        Self {
            page: Frame::new(0.0, 0.0, setting.width, setting.height),
            unit,
            margin: setting.margin_units() * unit,
            scale: setting.scale(),
            setting,
            ground,
            zoom,
            dice,
            nodes: Vec::new(),
            failed: false,
        }
    }

    /// Whether the page is broad, square or high.
    pub fn shape(&self) -> PageShape {
        self.setting.shape()
    }

    /// The page without its margins.
    pub fn body(&self) -> Frame {
        self.page.inset(self.margin)
    }

    /// The page without its margins and the line at its foot.
    pub fn content(&self) -> Frame {
        let body = self.body();
        let foot = if self.setting.foot.is_empty() { 0.0 } else { self.scale.label * 1.2 };
        Frame::new(body.x, body.y, body.width, body.height - foot)
    }

    fn make_box(&self, words: &Words, frame: Frame) -> TextBox {
        let size = words.size_px(&self.scale) * words.zoomed(self.zoom);
        words.text_box(frame, size, &self.setting)
    }

    /// How high the words are when they are `width` pixels wide.
    pub fn height_of(&self, words: &Words, width: f32) -> f32 {
        let text = self.make_box(words, Frame::new(0.0, 0.0, width, 1e7));
        self.fitted(text, 1e7, words).1
    }

    /// How high the words are when they have this frame, and are made smaller to fit it.
    pub fn height_within(&self, words: &Words, frame: Frame) -> f32 {
        if words.is_empty() {
            return 0.0;
        }
        self.fitted(self.make_box(words, frame), frame.height, words).1
    }

    /// How wide the words are on one line.
    pub fn width_of(&self, words: &Words) -> f32 {
        text::measure(&self.make_box(words, Frame::new(0.0, 0.0, 1e6, 1e6)), self.setting.theme).width
    }

    /// The box at its largest size that fits, how high its words are then, and whether they do fit.
    fn fitted(&self, mut text: TextBox, room: f32, words: &Words) -> (TextBox, f32, bool) {
        let least = text.style.size * words.least;
        // A box of no bounded height: what cannot fit then is a word that is wider than the box.
        text.frame.height = room.min(1e7);
        let (size, extent) = sizes::find_largest(text.style.size, least, |size| {
            text.style.size = size;
            self.try_out(&text, words)
        });
        text.style.size = size;
        (text, extent.height, extent.fits)
    }

    /// What a box of words takes, and whether that is inside of it and of few enough lines.
    fn try_out(&self, text: &TextBox, words: &Words) -> (Extent, bool) {
        let extent = text::measure(text, self.setting.theme);
        let is_few = words.most_lines.is_none_or(|most| extent.lines <= most);
        (extent, extent.fits && is_few)
    }

    /// Puts words into a frame; what is left of the frame below them is the caller's. Returns the height used.
    pub fn put(&mut self, words: &Words, frame: Frame) -> f32 {
        if words.is_empty() {
            return 0.0;
        }
        let (mut text, height, fits) = self.fitted(self.make_box(words, frame), frame.height, words);
        if !fits {
            self.failed = true;
        }
        if matches!(text.style.anchor, Anchor::Top) {
            text.frame.height = height;
        }
        self.nodes.push(Node::Text(text));
        height
    }

    /// Puts words into a frame and returns what is left below them and a gap.
    pub fn put_top(&mut self, words: &Words, frame: Frame, gap: f32) -> Frame {
        if words.is_empty() {
            return frame;
        }
        let used = self.put(words, frame) + gap;
        frame.split_top(used).1
    }

    /// The largest part of their size at which all these words fit their frames, so that siblings look alike.
    pub fn common_factor(&self, all: &[(Words, Frame)], least: f32) -> f32 {
        let mut factor = 1.0_f32;
        for (words, frame) in all {
            (factor, _) = sizes::find_largest(factor, least, |factor| {
                let words = words.clone().sized(factor);
                self.try_out(&self.make_box(&words, *frame), &words)
            });
        }
        factor
    }

    /// A rectangle.
    pub fn rectangle(&mut self, frame: Frame, paint: impl Into<Paint>, radius: f32) {
        self.nodes.push(Node::Rectangle(Shape { frame, fill: Some(Fill::Solid(paint.into())), stroke: None, radius }));
    }

    /// A rectangle of which only the outline is seen.
    pub fn outline(&mut self, frame: Frame, paint: impl Into<Paint>, width: f32, radius: f32) {
        let stroke = Some(Stroke { paint: paint.into(), width });
        self.nodes.push(Node::Rectangle(Shape { frame, fill: None, stroke, radius }));
    }

    /// A circle around a point.
    pub fn circle(&mut self, x: f32, y: f32, radius: f32, paint: impl Into<Paint>) {
        let frame = Frame::new(x - radius, y - radius, radius * 2.0, radius * 2.0);
        self.nodes.push(Node::Ellipse(Shape {
            frame,
            fill: Some(Fill::Solid(paint.into())),
            stroke: None,
            radius: 0.0,
        }));
    }

    /// A line.
    pub fn rule(&mut self, from: (f32, f32), to: (f32, f32), paint: impl Into<Paint>, width: f32) {
        self.nodes.push(Node::Line(Line { from, to, stroke: Stroke { paint: paint.into(), width }, arrow: false }));
    }

    /// A line that ends in an arrow's head.
    pub fn arrow(&mut self, from: (f32, f32), to: (f32, f32), paint: impl Into<Paint>, width: f32) {
        self.nodes.push(Node::Line(Line { from, to, stroke: Stroke { paint: paint.into(), width }, arrow: true }));
    }

    /// A picture.
    pub fn image(&mut self, asset: &str, frame: Frame, fit: Fit, radius: f32) {
        self.nodes.push(Node::Image(Image { frame, asset: asset.to_owned(), fit, radius }));
    }

    /// The corners of cards, in pixels.
    pub fn radius(&self) -> f32 {
        self.setting.theme.radius * self.unit
    }

    /// The asset of a name, with its size.
    pub fn asset(&self, id: &str) -> Option<&'a Asset> {
        self.setting.assets.iter().find(|asset| asset.id == id)
    }
}

/// Moves everything by so many pixels downwards.
pub fn move_down(nodes: &mut [Node], by: f32) {
    for node in nodes {
        match node {
            Node::Text(text) => text.frame.y += by,
            Node::Rectangle(shape) | Node::Ellipse(shape) => shape.frame.y += by,
            Node::Line(line) => {
                line.from.1 += by;
                line.to.1 += by;
            }
            Node::Path(PathShape { frame, pieces, .. }) => {
                frame.y += by;
                for piece in pieces {
                    *piece = match *piece {
                        Piece::Move(x, y) => Piece::Move(x, y + by),
                        Piece::Line(x, y) => Piece::Line(x, y + by),
                        Piece::Curve(a, b, c, d, x, y) => Piece::Curve(a, b + by, c, d + by, x, y + by),
                        Piece::Close => Piece::Close,
                    };
                }
            }
            Node::Image(image) => image.frame.y += by,
            Node::Group(group) => move_down(&mut group.nodes, by),
            Node::Chart(chart) => chart.frame.y += by,
            Node::Table(table) => table.frame.y += by,
        }
    }
}

/// Turns everything on a page to the other side, for scripts that begin at the right.
pub fn mirror(nodes: &mut [Node], page_width: f32) {
    for node in nodes {
        match node {
            Node::Text(text) => text.frame = text.frame.mirrored(page_width),
            Node::Rectangle(shape) | Node::Ellipse(shape) => shape.frame = shape.frame.mirrored(page_width),
            Node::Line(line) => {
                line.from.0 = page_width - line.from.0;
                line.to.0 = page_width - line.to.0;
            }
            Node::Path(PathShape { frame, pieces, .. }) => {
                *frame = frame.mirrored(page_width);
                for piece in pieces {
                    *piece = match *piece {
                        Piece::Move(x, y) => Piece::Move(page_width - x, y),
                        Piece::Line(x, y) => Piece::Line(page_width - x, y),
                        Piece::Curve(a, b, c, d, x, y) => {
                            Piece::Curve(page_width - a, b, page_width - c, d, page_width - x, y)
                        }
                        Piece::Close => Piece::Close,
                    };
                }
            }
            Node::Image(image) => image.frame = image.frame.mirrored(page_width),
            Node::Group(group) => mirror(&mut group.nodes, page_width),
            Node::Chart(chart) => chart.frame = chart.frame.mirrored(page_width),
            Node::Table(table) => table.frame = table.frame.mirrored(page_width),
        }
    }
}
