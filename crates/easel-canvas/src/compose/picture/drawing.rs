//! What an SVG may hold before it is opened: a drawing from a stranger is a program that could copy itself without end.
//!
//! Counted here, on its elements: what copies come to, how deep it goes, what its pictures unpack to, and effects whose
//! cost grows with a number that the drawing names. Scripts and addresses need no rule: what opens drawings knows neither.

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

/// Pixels of all pictures within the drawing.
const MAX_PIXELS: u64 = 40_000_000;

/// Effects and the attribute that their cost grows with, and how large that may be.
const COSTLY: &[(&str, &str, f64)] =
    &[("feTurbulence", "numOctaves", 8.0), ("feMorphology", "radius", 40.0), ("feConvolveMatrix", "order", 9.0)];

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
    let mut named: HashMap<&str, Node<'_, '_>> = HashMap::new();
    let (mut layers, mut pixels) = (0, 0);
    for node in document.root().descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            named.entry(id).or_insert(node);
        }
        match node.tag_name().name() {
            "mask" | "pattern" | "filter" | "clipPath" | "marker" => layers += 1,
            "image" => pixels += pixels_of(node)?,
            name => {
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
        }
    }
    if layers > MAX_LAYERS || pixels > MAX_PIXELS {
        return Err("the drawing has more layers or larger pictures than can be drawn");
    }
    let mut known = HashMap::new();
    let drawn = count(document.root_element(), &named, &mut known, 0)?;
    if drawn > MAX_DRAWN { Err("the drawing copies its parts too often") } else { Ok(()) }
}

/// The elements that a node comes to, its copies counted as often as they are made.
fn count<'a, 'i>(
    node: Node<'a, 'i>,
    named: &HashMap<&str, Node<'a, 'i>>,
    known: &mut HashMap<NodeId, u64>,
    depth: usize,
) -> Result<u64, &'static str> {
    if depth > MAX_DEPTH {
        return Err("the drawing goes too deep");
    }
    if let Some(known) = known.get(&node.id()) {
        return Ok(*known);
    }
    let mut sum = 1_u64;
    for child in node.children().filter(Node::is_element) {
        sum = sum.saturating_add(count(child, named, known, depth + 1)?);
    }
    if let Some(copied) = copied_by(node).and_then(|id| named.get(id)) {
        sum = sum.saturating_add(count(*copied, named, known, depth + 1)?);
    }
    known.insert(node.id(), sum);
    Ok(sum)
}

fn copied_by<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let link = |name: &str| node.attributes().find(|attribute| attribute.name() == name).map(|link| link.value());
    if node.tag_name().name() != "use" {
        return None;
    }
    link("href")?.strip_prefix('#')
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
            ("broken", "<svg".to_owned(), false),
        ] {
            assert_eq!(check(source.as_bytes()).is_ok(), is_fine, "{name}: {:?}", check(source.as_bytes()));
        }
    }
}
