//! What the layers of a drawing come to, once it is read and every style and copy in it is resolved.
//!
//! A layer is a picture of its own that is laid over the page: what is clipped, masked, filtered, faded or repeated as a
//! pattern. Its cost is its area, so it is counted in pages: small ones may be many, and large ones few.

use usvg::{Group, Node, Tree};

/// Pages that all layers come to.
const MAX_PAGES: f32 = 400.0;

/// Pages that layers within layers come to: so many are in memory at the same time.
const MAX_PAGES_DEEP: f32 = 12.0;

/// Layers, however small.
const MAX_LAYERS: usize = 20_000;

/// Shapes, each counted as often as it is drawn.
const MAX_SHAPES: usize = 250_000;

/// What draws layers makes none larger than so many pages.
const LARGEST_PAGES: f32 = 16.0;

/// Refuses a drawing whose layers take more than a page is worth.
///
/// # Errors
/// What is wrong with it, to stand behind “could not be read:”.
pub fn check(tree: &Tree) -> Result<(), &'static str> {
    let page = tree.size().width() * tree.size().height();
    let mut sum = Sum { page, pages: 0.0, layers: 0, shapes: 0 };
    if sum.add(tree.root(), 0.0, 0) { Ok(()) } else { Err("the drawing has more layers than can be drawn") }
}

struct Sum {
    /// In square pixels.
    page: f32,
    pages: f32,
    layers: usize,
    shapes: usize,
}

impl Sum {
    /// Adds a group and all that it draws; false as soon as it is too much.
    fn add(&mut self, group: &Group, above: f32, depth: usize) -> bool {
        let mut above = above;
        if group.should_isolate() {
            let steps: usize = group.filters().iter().map(|filter| filter.primitives().len()).sum();
            let further = usize::from(group.clip_path().is_some()) + 2 * usize::from(group.mask().is_some());
            let area = group.abs_layer_bounding_box();
            let pages = (area.width() * area.height() / self.page).clamp(0.0, LARGEST_PAGES);
            self.layers += 1;
            self.pages += pages * (1 + steps + further) as f32;
            above += pages;
        }
        self.is_bearable(above, depth) && group.children().iter().all(|node| self.add_node(node, above, depth))
    }

    fn add_node(&mut self, node: &Node, above: f32, depth: usize) -> bool {
        self.shapes += 1;
        let mut is_bearable = true;
        if let Node::Group(group) = node {
            is_bearable = self.add(group, above, depth + 1);
        }
        // Clips, masks and patterns: drawn again for each shape that has them, on a layer of their own.
        let area = node.abs_layer_bounding_box().map_or(0.0, |area| area.width() * area.height());
        let pages = (area / self.page).clamp(0.0, LARGEST_PAGES);
        node.subroots(|root| {
            self.layers += 1;
            self.pages += pages;
            is_bearable = is_bearable && self.add(root, above, depth + 1);
        });
        is_bearable && self.is_bearable(above, depth)
    }

    fn is_bearable(&self, above: f32, depth: usize) -> bool {
        self.pages <= MAX_PAGES
            && above <= MAX_PAGES_DEEP
            && self.layers <= MAX_LAYERS
            && self.shapes <= MAX_SHAPES
            && depth <= 200
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sealed_options;

    #[test]
    fn layers_are_counted_by_their_area() {
        let check = |name: &str, body: &str, is_fine: bool| {
            let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{body}</svg>"#);
            let tree = Tree::from_str(&svg, &sealed_options()).expect("a drawing");
            assert_eq!(check(&tree).is_ok(), is_fine, "{name}");
        };
        let faded = |side: u32| {
            format!(r#"<g opacity=".5"><path d="M0 0h{side}v{side}z"/><path d="M1 1h{side}v{side}z"/></g>"#)
        };
        check("a few", &faded(100).repeat(100), true);
        check("many small ones", &faded(5).repeat(5_000), true);
        check("many large ones", &faded(100).repeat(500), false);
        let deep =
            format!("{}{}{}", r#"<g opacity=".5"><rect width="100" height="100"/>"#.repeat(40), "", "</g>".repeat(40));
        check("layers within layers", &deep, false);
        let tile = r#"<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern>"#;
        let tiled =
            |count: usize| format!("{tile}{}", r#"<rect fill="url(#p)" width="40" height="40"/>"#.repeat(count));
        check("a pattern", &tiled(100), true);
        check("a pattern without end", &tiled(9_000), false);
        let styled = format!(
            r#"<style>.a{{clip-path:url(#c)}}</style><clipPath id="c"><rect width="99" height="99"/></clipPath>{}"#,
            r#"<rect class="a" width="99" height="99"/>"#.repeat(900)
        );
        check("clips by a style sheet", &styled, false);
    }
}
