//! What a careful eye would object to, found by code: words cut or over one another, words that cannot be read on what
//! is below them, words at the edge, words too small.
//!
//! Layouts are made so that nothing is ever found; this is how that is known.

use crate::chart_drawing;
use crate::color::Rgb;
use crate::document::{Document, Fill, Node, Page, TextBox};
use crate::geometry::Frame;
use crate::text;
use crate::theme::{Paint, Role, TEXT_CONTRAST};

/// Something to object to.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The page, from 1.
    pub page: usize,
    /// The page's layout.
    pub layout: String,
    /// What is wrong.
    pub fault: Fault,
    /// The beginning of the words that it is about.
    pub words: String,
}

/// What can be wrong with words on a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// They do not fit their box.
    Overflow,
    /// They lie over the words given.
    Overlap(String),
    /// They stand out from what is below them by no more than this.
    Contrast(f32),
    /// They are too near to the edge of the page, or beyond it.
    Margin,
    /// They are smaller than can be read, in pixels.
    Tiny(f32),
}

/// What stays free at the edge, of the page's shorter side.
const LEAST_MARGIN: f32 = 0.02;

/// The smallest type, of the page's shorter side.
pub(crate) const LEAST_SIZE: f32 = 0.0105;

/// Everything to object to in a document.
pub fn audit(document: &Document) -> Vec<Finding> {
    document.pages.iter().enumerate().flat_map(|(at, page)| audit_page(document, page, at + 1)).collect()
}

/// Something opaque or see-through below words.
struct Painted {
    frame: Frame,
    /// `None` for a picture: nothing is known of its colours.
    color: Option<Rgb>,
    opacity: f32,
}

fn audit_page(document: &Document, page: &Page, number: usize) -> Vec<Finding> {
    let mut nodes = Vec::new();
    expand(document, &page.nodes, &mut nodes);
    let shorter = page.width.min(page.height) as f32;
    let safe = page.frame().inset(shorter * LEAST_MARGIN);
    let mut findings = Vec::new();
    let mut painted: Vec<Painted> = Vec::new();
    let mut words: Vec<(Frame, String)> = Vec::new();
    for node in &nodes {
        match node {
            Node::Text(text) => {
                let layout = text::lay_out(text, &document.theme);
                let said: String = text.text().chars().take(48).collect();
                let mut report = |fault| {
                    findings.push(Finding { page: number, layout: page.layout.clone(), fault, words: said.clone() });
                };
                if !layout.fits {
                    report(Fault::Overflow);
                }
                if text.style.size < shorter * LEAST_SIZE {
                    report(Fault::Tiny(text.style.size));
                }
                if !safe.contains(&layout.ink, 0.5) {
                    report(Fault::Margin);
                }
                let contrast = least_contrast(document, page, text, layout.ink, &painted);
                if contrast < TEXT_CONTRAST {
                    report(Fault::Contrast(contrast));
                }
                for (other, its_words) in &words {
                    if layout.ink.overlaps(other, 1.5) {
                        report(Fault::Overlap(its_words.clone()));
                    }
                }
                words.push((layout.ink, said));
            }
            node => painted.extend(paint_of(document, page, node)),
        }
    }
    findings
}

/// All nodes in the order in which they are drawn, groups, charts and tables taken apart.
fn expand(document: &Document, nodes: &[Node], out: &mut Vec<Node>) {
    for node in nodes {
        match node {
            Node::Group(group) => expand(document, &group.nodes, out),
            Node::Chart(chart) => out.extend(chart_drawing::draw_chart(chart, &document.theme)),
            Node::Table(table) => out.extend(chart_drawing::draw_table(table, &document.theme)),
            node => out.push(node.clone()),
        }
    }
}

fn paint_of(document: &Document, page: &Page, node: &Node) -> Option<Painted> {
    let fill = match node {
        Node::Rectangle(shape) | Node::Ellipse(shape) => shape.fill?,
        Node::Path(path) => path.fill?,
        Node::Image(image) => return Some(Painted { frame: image.frame, color: None, opacity: 1.0 }),
        _ => return None,
    };
    let (paint, opacity) = match fill {
        Fill::Solid(paint) => (paint, 1.0),
        Fill::Veil { paint, opacity } => (paint, opacity),
    };
    Some(Painted { frame: node.frame(), color: Some(document.theme.color(page.ground, paint)), opacity })
}

/// The least contrast between the words' colours and anything that shows below them.
fn least_contrast(document: &Document, page: &Page, text: &TextBox, ink: Frame, painted: &[Painted]) -> f32 {
    let mut inks = vec![document.theme.color(page.ground, text.style.paint)];
    let has_marks = text
        .paragraphs
        .iter()
        .any(|paragraph| paragraph.bullet.is_some() || paragraph.runs.iter().any(|run| run.link.is_some()));
    if has_marks && text.style.paint == Paint::Role(Role::Ink) {
        inks.push(document.theme.color(page.ground, Role::AccentText.into()));
    }
    let mut grounds: Vec<Rgb> = Vec::new();
    let mut is_covered = false;
    for shape in painted.iter().rev() {
        if !shape.frame.overlaps(&ink, 0.5) {
            continue;
        }
        let Some(color) = shape.color else { return 1.0 };
        let paper = document.theme.color(page.ground, Role::Ground.into());
        grounds.push(if shape.opacity < 1.0 { paper.under(color, shape.opacity) } else { color });
        if shape.opacity >= 1.0 && shape.frame.contains(&ink, 0.5) {
            is_covered = true;
            break;
        }
    }
    if !is_covered {
        grounds.push(document.theme.color(page.ground, Role::Ground.into()));
    }
    let pairs = inks.iter().flat_map(|ink| grounds.iter().map(|ground| ink.contrast(*ground)));
    pairs.fold(21.0, f32::min)
}
