//! Bombs: small files that take much time or memory, of each kind one for every number, the same for the same number.
//!
//! Somebody would upload them who wants a service to stop. Not here: what becomes of them.

use std::io::{Cursor, Write};

use crate::samples::Noise;

/// What grows without end in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mark at each of many points of one line.
    Markers,
    /// Patterns that are made of patterns.
    Patterns,
    /// Clips that are clipped by clips.
    Clips,
    /// Masks that are masked by masks.
    Masks,
    /// Patterns within patterns, named by a style sheet.
    Styles,
    /// Steps of one effect.
    Effects,
    /// Forms of a PDF that draw forms.
    Forms,
    /// Numbers of one array of a PDF.
    Array,
    /// Beginnings of a PDF's streams that never end.
    Streams,
    /// One heading of a text.
    Heading,
    /// What a document in a package unpacks to.
    Package,
}

/// A file of a kind: its name and its bytes.
#[must_use]
pub fn bomb(kind: Kind, seed: u64) -> (String, Vec<u8>) {
    let mut noise = Noise::new(seed + 1);
    // From half to one and a half times as many.
    let mut about = |many: u64| usize::try_from(many / 2 + noise.draw() % many).expect("a number");
    let (ending, bytes) = match kind {
        Kind::Markers => ("svg", markers(about(20_000), about(4))),
        Kind::Patterns => ("svg", layers("pattern", "fill", about(10), about(12))),
        Kind::Clips => ("svg", layers("clipPath", "clip-path", about(10), about(12))),
        Kind::Masks => ("svg", layers("mask", "mask", about(10), about(12))),
        Kind::Styles => ("svg", styles(about(10), about(12))),
        Kind::Effects => ("svg", effects(about(50_000))),
        Kind::Forms => ("pdf", forms(about(60), about(6), about(20_000))),
        Kind::Array => ("pdf", array(about(10_000_000))),
        Kind::Streams => ("pdf", pdf(&[b"stream ".repeat(about(2_000_000))])),
        Kind::Heading => ("md", format!("# {}\n\nWords.\n", "word and ".repeat(about(20_000))).into_bytes()),
        Kind::Package => ("docx", package(about(30), about(2_000_000))),
    };
    (format!("{kind:?}-{seed}.{ending}").to_lowercase(), bytes)
}

fn svg(body: &str) -> Vec<u8> {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">{body}</svg>"#).into_bytes()
}

fn markers(points: usize, shapes: usize) -> Vec<u8> {
    let line: String = (0..points).map(|at| format!("{} {} ", at % 997, at * 7 % 991)).collect();
    let mark = r#"<rect width="3" height="3"/>"#.repeat(shapes.max(1));
    let marker = format!(r#"<marker id="m" markerWidth="9" markerHeight="9">{mark}</marker>"#);
    svg(&format!(r##"{marker}<polyline fill="none" stroke="red" marker-mid="url(#m)" points="{line}"/>"##))
}

fn layers(kind: &str, reference: &str, levels: usize, each: usize) -> Vec<u8> {
    let shape = |at: usize| format!(r##"<rect width="900" height="900" {reference}="url(#l{at})"/>"##);
    let place = r#"width="1" height="1""#;
    let first = format!(r#"<{kind} id="l0" {place}><rect width="900" height="900" fill="red"/></{kind}>"#);
    let level = |at: usize| format!(r#"<{kind} id="l{at}" {place}>{}</{kind}>"#, shape(at - 1).repeat(each.max(2)));
    let levels = levels.max(4);
    let all: String = (1..=levels).map(level).collect();
    svg(&format!("{first}{all}{}", shape(levels)))
}

fn styles(levels: usize, each: usize) -> Vec<u8> {
    let levels = levels.max(4);
    let rules: String = (0..=levels).map(|at| format!(".c{at}{{fill:url(#l{at})}}")).collect();
    let shape = |at: usize| format!(r#"<rect class="c{at}" width="900" height="900"/>"#);
    let place = r#"width="90%" height="90%""#;
    let first = format!(r#"<pattern id="l0" {place}><rect width="900" height="900" fill="red"/></pattern>"#);
    let level = |at: usize| format!(r#"<pattern id="l{at}" {place}>{}</pattern>"#, shape(at - 1).repeat(each.max(2)));
    let all: String = (1..=levels).map(level).collect();
    svg(&format!("<style>{rules}</style>{first}{all}{}", shape(levels)))
}

fn effects(steps: usize) -> Vec<u8> {
    let steps = r#"<feGaussianBlur stdDeviation="20"/>"#.repeat(steps);
    svg(&format!(r##"<filter id="f">{steps}</filter><rect width="900" height="900" filter="url(#f)"/>"##))
}

/// A PDF of these objects, the first of which is its catalogue.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", at + 1).bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).bytes());
    places.iter().for_each(|place| file.extend(format!("{place:010} 00000 n \n").bytes()));
    let end = format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", places.len() + 1);
    file.extend(end.bytes());
    file
}

fn stream(words: &str, content: &str) -> Vec<u8> {
    format!("<< {words} /Length {} >>\nstream\n{content}\nendstream", content.len()).into_bytes()
}

/// Pages that each draw a form many times, which draws the next one many times, which holds many steps.
fn forms(each: usize, levels: usize, steps: usize) -> Vec<u8> {
    let (each, levels) = (each.max(2), levels.clamp(2, 8));
    let own = |next: usize| format!("/Resources << /XObject << /F {next} 0 R >> >>");
    let draw = "/F Do ".repeat(each);
    let kids: String = (0..60).map(|_| "3 0 R ").collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count 60 >>").into_bytes(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R {} >>", own(5)).into_bytes(),
        stream("", &draw),
    ];
    for level in 0..levels {
        let next = 5 + level + 1;
        let content = if level + 1 == levels { "q 1 0 0 1 0 0 cm Q ".repeat(steps) } else { draw.clone() };
        objects.push(stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] {}", own(next)), &content));
    }
    pdf(&objects)
}

fn array(numbers: usize) -> Vec<u8> {
    let mut numbers = b"0 ".repeat(numbers);
    numbers.insert(0, b'[');
    numbers.push(b']');
    let page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>".to_vec();
    let pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec();
    pdf(&[b"<< /Type /Catalog /Pages 2 0 R /Numbers 4 0 R >>".to_vec(), pages, page, numbers])
}

/// A presentation whose every slide unpacks to so many bytes.
fn package(slides: usize, bytes: usize) -> Vec<u8> {
    let mut package = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for slide in 0..=slides {
        let options = zip::write::SimpleFileOptions::default();
        package.start_file(format!("ppt/slides/slide{slide}.xml"), options).expect("a part");
        let part = "<p:sp><a:p><a:r><a:rPr a='1' b='2'/><a:t>x</a:t></a:r></a:p></p:sp>".repeat(bytes / 64);
        package.write_all(format!("<p:sld>{part}</p:sld>").as_bytes()).expect("bytes");
    }
    package.finish().expect("a package").into_inner()
}
