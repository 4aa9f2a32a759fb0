//! The colour that a text stands on, for whoever shows other words in its place before they are drawn.
//!
//! Deliberately not here: whether words can be read on it (`audit`).

use crate::chart_drawing;
use crate::color::Rgb;
use crate::document::{Fill, Node, Page};
use crate::geometry::Frame;
use crate::theme::{Paint, Role, Theme};

/// The one colour below `ink`, as far as what is drawn before the node `path` decides; `None` where there are several, or a picture.
pub fn ground(theme: &Theme, page: &Page, path: &[usize], ink: Frame) -> Option<Rgb> {
    let mut below = Below { theme, page, ink, color: Some(theme.color(page.ground, Role::Ground.into())) };
    below.walk(&page.nodes, Some(path));
    below.color
}

struct Below<'d> {
    theme: &'d Theme,
    page: &'d Page,
    ink: Frame,
    color: Option<Rgb>,
}

impl Below<'_> {
    /// Goes through nodes up to `until`, where that is among them; all of them else.
    fn walk(&mut self, nodes: &[Node], until: Option<&[usize]>) {
        let (last, rest) = match until.and_then(<[usize]>::split_first) {
            Some((last, rest)) => (Some(*last), rest),
            None => (None, [].as_slice()),
        };
        for (at, node) in nodes.iter().enumerate() {
            let is_last = last == Some(at);
            match node {
                Node::Group(group) => self.walk(&group.nodes, is_last.then_some(rest)),
                _ if is_last => {}
                Node::Chart(chart) => self.walk(&chart_drawing::draw_chart(chart, self.theme), None),
                Node::Table(table) => self.walk(&chart_drawing::draw_table(table, self.theme), None),
                node => self.cover(node),
            }
            if is_last {
                return;
            }
        }
    }

    fn cover(&mut self, node: &Node) {
        let fill = match node {
            Node::Rectangle(shape) => shape.fill,
            // What is not straight may leave a corner free.
            Node::Ellipse(shape) if shape.fill.is_some() => return self.disturb(shape.frame),
            Node::Path(path) if path.fill.is_some() => return self.disturb(path.frame),
            Node::Image(image) => return self.disturb(image.frame),
            _ => return,
        };
        let (Some(fill), frame) = (fill, node.frame()) else { return };
        if !frame.overlaps(&self.ink, 0.5) {
            return;
        }
        let color = |paint: Paint| self.theme.color(self.page.ground, paint);
        self.color = match fill {
            _ if !frame.contains(&self.ink, 0.5) => None,
            Fill::Solid(paint) => Some(color(paint)),
            Fill::Veil { paint, opacity } => self.color.map(|below| below.under(color(paint), opacity)),
        };
    }

    fn disturb(&mut self, frame: Frame) {
        if frame.overlaps(&self.ink, 0.5) {
            self.color = None;
        }
    }
}
