//! What an SVG may hold before it is opened: a drawing from a stranger is a program that could copy itself without end.
//!
//! Counted here, on its elements: what copies come to (those that a reference of a clip, a mask, a pattern or a marker makes
//! among them), how deep it goes, what its pictures unpack to, and effects whose cost grows with a number that the drawing
//! names; and once it is read, what its layers come to ([`layers`]). Scripts and addresses need no rule: what opens drawings
//! knows neither. Not here: what a style sheet makes of elements while it is read; that is left to the limits of the process.

mod layers;

use std::collections::HashMap;
use std::io::Cursor;

use data_encoding::BASE64;
use image::{ImageFormat, ImageReader};
use usvg::roxmltree::{self, Document, Node, NodeId, ParsingOptions};

/// Elements that a drawing has as it is written.
const MAX_ELEMENTS: u32 = 120_000;

/// Elements that it comes to when every copy is made.
const MAX_DRAWN: u64 = 200_000;

/// Elements within elements.
const MAX_DEPTH: usize = 80;

/// Masks, patterns and the like, each of which is drawn on a page of its own.
const MAX_LAYERS: usize = 60;

/// Steps of all effects.
const MAX_EFFECT_STEPS: usize = 200;

/// Rules of a style sheet times the elements that each is compared with.
const MAX_STYLE_LOOKS: u64 = 6_000_000;

/// What a marker at a point of a line counts beyond its own elements: it is drawn on a layer of its own.
const MARK_WEIGHT: u64 = 32;

/// Pixels of all pictures within the drawing.
const MAX_PIXELS: u64 = 40_000_000;

/// Effects and the attribute that their cost grows with, and how large that may be.
const COSTLY: &[(&str, &str, f64)] =
    &[("feTurbulence", "numOctaves", 8.0), ("feMorphology", "radius", 40.0), ("feConvolveMatrix", "order", 9.0)];

pub use layers::check as check_layers;

/// Refuses a drawing that would take more than a page is worth.
///
/// # Errors
/// What is wrong with it, to stand behind “could not be read:”.
pub fn check(source: &[u8]) -> Result<(), &'static str> {
    let text = std::str::from_utf8(source).map_err(|_| "the drawing is broken")?;
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => "the drawing has more parts than can be drawn",
        _ => "the drawing is broken",
    })?;
    let mut parts = Parts::default();
    for node in document.root().descendants().filter(Node::is_element) {
        parts.take(node)?;
    }
    let looks = parts.style_rules.saturating_mul(parts.elements);
    if parts.effect_steps > MAX_EFFECT_STEPS || looks > MAX_STYLE_LOOKS {
        return Err("the drawing has effects that take too long to draw");
    }
    if parts.layers > MAX_LAYERS || parts.pixels > MAX_PIXELS {
        return Err("the drawing has more layers or larger pictures than can be drawn");
    }
    if !parts.markers.is_empty() {
        parts.find_marks(document.root());
        let mut largest = 1;
        let mut known = HashMap::new();
        for marker in parts.markers.clone() {
            largest = largest.max(count(marker, &parts, &mut known, 0)?);
        }
        parts.mark_weight = largest.saturating_add(MARK_WEIGHT);
    }
    let drawn = count(document.root_element(), &parts, &mut HashMap::new(), 0)?;
    if drawn > MAX_DRAWN { Err("the drawing copies its parts too often") } else { Ok(()) }
}

/// What a drawing is made of, counted once.
#[derive(Default)]
struct Parts<'a, 'i> {
    named: HashMap<&'a str, Node<'a, 'i>>,
    markers: Vec<Node<'a, 'i>>,
    /// Points of lines at which a marker may stand.
    marks: HashMap<NodeId, u64>,
    /// Elements that a marker comes to.
    mark_weight: u64,
    elements: u64,
    effect_steps: usize,
    layers: usize,
    pixels: u64,
    style_rules: u64,
    styles_mention_markers: bool,
}

impl<'a, 'i> Parts<'a, 'i> {
    fn take(&mut self, node: Node<'a, 'i>) -> Result<(), &'static str> {
        self.elements += 1;
        if let Some(id) = node.attribute("id") {
            self.named.entry(id).or_insert(node);
        }
        match node.tag_name().name() {
            "mask" | "pattern" | "filter" | "clipPath" => self.layers += 1,
            "marker" => {
                self.layers += 1;
                self.markers.push(node);
            }
            "image" => self.pixels += pixels_of(node)?,
            "style" => {
                for text in node.children().filter_map(|child| child.text()) {
                    self.style_rules += text.bytes().filter(|byte| matches!(byte, b'{' | b',')).count() as u64;
                    self.styles_mention_markers |= text.contains("marker");
                }
            }
            name if name.starts_with("fe") => {
                self.effect_steps += 1;
                let grown = COSTLY.iter().find(|(effect, ..)| *effect == name);
                let is_costly = grown.is_some_and(|(_, attribute, most)| {
                    let numbers = node.attribute(*attribute).unwrap_or_default();
                    let mut numbers = numbers.split([' ', ',']).filter_map(|number| number.parse::<f64>().ok());
                    numbers.any(|number| number > *most)
                });
                if is_costly {
                    return Err("the drawing has effects that take too long to draw");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Counts the points at which markers stand: on lines that name one, or within what does. Where a style sheet or a copy
    /// may name them, every line is one of these.
    fn find_marks(&mut self, root: Node<'a, 'i>) {
        let names_marker = |node: Node<'_, '_>| {
            node.attributes().any(|attribute| {
                let (name, value) = (attribute.name(), attribute.value());
                (name.starts_with("marker") && value.contains('#')) || (name == "style" && value.contains("marker"))
            })
        };
        let within_marked = |node: Node<'_, '_>| node.ancestors().any(names_marker);
        let is_copy = |node: &Node<'_, '_>| node.tag_name().name() == "use";
        let are_all = self.styles_mention_markers || root.descendants().filter(is_copy).any(within_marked);
        for node in root.descendants().filter(Node::is_element) {
            let points = match node.tag_name().name() {
                "path" => node.attribute("d"),
                "polyline" | "polygon" => node.attribute("points"),
                "line" => Some("0 0 0 0"),
                _ => None,
            };
            if let Some(points) = points.filter(|_| are_all || within_marked(node)) {
                self.marks.insert(node.id(), count_numbers(points) / 2 + 1);
            }
        }
    }
}

/// How many numbers stand in the points of a line.
fn count_numbers(points: &str) -> u64 {
    let mut count = 0;
    let mut is_within = false;
    for byte in points.bytes() {
        let is_digit = byte.is_ascii_digit() || byte == b'.';
        count += u64::from(is_digit && !is_within);
        is_within = is_digit;
    }
    count
}

/// The elements that a node comes to, its copies counted as often as they are made.
fn count<'a, 'i>(
    node: Node<'a, 'i>,
    parts: &Parts<'a, 'i>,
    known: &mut HashMap<NodeId, u64>,
    depth: usize,
) -> Result<u64, &'static str> {
    if depth > MAX_DEPTH {
        return Err("the drawing goes too deep");
    }
    if let Some(known) = known.get(&node.id()) {
        return Ok(*known);
    }
    let marks = parts.marks.get(&node.id()).copied().unwrap_or(0);
    let mut sum = marks.saturating_mul(parts.mark_weight.max(1)).saturating_add(1);
    for child in node.children().filter(Node::is_element) {
        sum = sum.saturating_add(count(child, parts, known, depth + 1)?);
    }
    for id in copied_by(node) {
        if let Some(copied) = parts.named.get(id)
            && !matches!(copied.tag_name().name(), "linearGradient" | "radialGradient")
        {
            sum = sum.saturating_add(count(*copied, parts, known, depth + 1)?);
        }
    }
    known.insert(node.id(), sum);
    Ok(sum)
}

/// The ids of what is drawn again where this element stands. Markers are counted by the points of their lines.
fn copied_by<'a>(node: Node<'a, '_>) -> Vec<&'a str> {
    let copies = matches!(node.tag_name().name(), "use" | "pattern" | "feImage");
    let mut ids = Vec::new();
    for attribute in node.attributes() {
        let value = attribute.value();
        if attribute.name() == "href" {
            ids.extend(value.trim().strip_prefix('#').filter(|_| copies));
        } else if !attribute.name().starts_with("marker") {
            for reference in value.split("url(").skip(1) {
                let id = reference.split(')').next().unwrap_or_default().trim_matches([' ', '"', '\'']);
                ids.extend(id.strip_prefix('#'));
            }
        }
    }
    ids
}

/// The pixels of a picture that is part of the drawing; a picture elsewhere is not drawn and has none.
fn pixels_of(node: Node<'_, '_>) -> Result<u64, &'static str> {
    let link = node.attributes().find(|attribute| attribute.name() == "href").map(|link| link.value());
    let Some(data) = link.and_then(|link| link.trim().strip_prefix("data:")) else { return Ok(0) };
    let refused = "the drawing holds a picture that cannot be opened";
    let (_, packed) = data.split_once(";base64,").ok_or(refused)?;
    let packed: Vec<u8> = packed.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = BASE64.decode(&packed).map_err(|_| refused)?;
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| refused)?;
    let format = reader.format().ok_or(refused)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP) {
        return Err(refused);
    }
    let (width, height) = reader.into_dimensions().map_err(|_| refused)?;
    Ok(u64::from(width) * u64::from(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(body: &str) -> String {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">{body}</svg>"#
        )
    }

    fn arrows(points: usize) -> String {
        let line = "1 2 ".repeat(points);
        format!(r##"<marker id="m"><path d="M0 0L1 1"/></marker><polyline marker-mid="url(#m)" points="{line}"/>"##)
    }

    /// Twelve kinds of layer, each of which draws the one before it ten times.
    fn nested(kind: &str, reference: &str) -> String {
        let level = |at: usize| {
            let shapes = format!(r##"<rect {reference}="url(#l{})"/>"##, at.wrapping_sub(1)).repeat(10);
            format!(r#"<{kind} id="l{at}">{shapes}</{kind}>"#)
        };
        (0..12).map(level).chain([format!(r##"<rect {reference}="url(#l11)"/>"##)]).collect()
    }

    #[test]
    fn lets_drawings_through_and_refuses_what_grows_without_end() {
        let copies: String = (1..12)
            .map(|level| {
                let uses = format!(r##"<use xlink:href="#a{}"/>"##, level - 1).repeat(10);
                format!(r#"<g id="a{level}">{uses}</g>"#)
            })
            .collect();
        let mut png = Cursor::new(Vec::new());
        image::RgbImage::new(40, 40).write_to(&mut png, ImageFormat::Png).expect("a picture");
        let within =
            |png: &[u8]| svg(&format!(r#"<image xlink:href="data:image/png;base64,{}"/>"#, BASE64.encode(png)));
        let small = within(png.get_ref());
        // Its size stands at a fixed place: what it says there is not what it holds.
        png.get_mut()[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        let huge = within(png.get_ref());
        for (name, source, is_fine) in [
            ("a plain one", svg(r##"<defs><g id="a"><rect/></g></defs><use xlink:href="#a"/><use href="#a"/>"##), true),
            ("one that names itself", svg(r##"<g id="a"><use href="#a"/></g>"##), false),
            ("copies of copies", svg(&format!(r#"<rect id="a0"/>{copies}"#)), false),
            ("a deep one", svg(&format!("{}{}", "<g>".repeat(500), "</g>".repeat(500))), false),
            ("many parts", svg(&"<g/>".repeat(130_000)), false),
            ("a picture within", small, true),
            ("a huge picture within", huge, false),
            ("a drawing within", svg(r#"<image href="data:image/svg+xml;base64,PHN2Zy8+"/>"#), false),
            ("a picture elsewhere", svg(r#"<image href="/etc/hostname"/>"#), true),
            ("noise without end", svg(r#"<filter><feTurbulence numOctaves="900000000"/></filter>"#), false),
            ("masks upon masks", svg(&"<mask/>".repeat(61)), false),
            ("arrows", svg(&arrows(500)), true),
            ("a mark at each of many points", svg(&arrows(20_000)), false),
            ("patterns of patterns", svg(&nested("pattern", "fill")), false),
            ("clips of clips", svg(&nested("clipPath", "clip-path")), false),
            ("masks of masks", svg(&nested("mask", "mask")), false),
            (
                "one gradient for many",
                svg(&format!(
                    r#"<linearGradient id="a"><stop/></linearGradient>{}"#,
                    r#"<rect fill="url(#a)"/>"#.repeat(9_000)
                )),
                true,
            ),
            ("effects without end", svg(&format!("<filter>{}</filter>", "<feOffset/>".repeat(50_000))), false),
            (
                "a style sheet without end",
                svg(&format!("<style>{}</style>{}", ".a{}".repeat(9_000), "<g/>".repeat(9_000))),
                false,
            ),
            ("broken", "<svg".to_owned(), false),
        ] {
            assert_eq!(check(source.as_bytes()).is_ok(), is_fine, "{name}: {:?}", check(source.as_bytes()));
        }
    }
}
