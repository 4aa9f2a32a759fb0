//! A page as SVG, which every picture of it is made from.
//!
//! Words stay words. Each piece of a line has its place written out, so that whoever draws the file sets the same lines;
//! the standalone file brings its fonts with it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use data_encoding::BASE64;

use crate::chart_drawing;
use crate::document::{Asset, Document, Fill, Fit, Image, Line, Node, Page, PathShape, Piece, Shape, Stroke, TextBox};
use crate::fonts::{self, FaceId};
use crate::geometry::Frame;
use crate::text::{self, PlacedRun};
use crate::theme::{Paint, Role};

/// The page as SVG for our own renderers: without the fonts, which they are given.
pub fn page(document: &Document, page: &Page) -> String {
    write_page(document, page, "")
}

/// The page as a file that stands alone: the fonts are in it.
pub fn standalone(document: &Document, page: &Page) -> String {
    let mut style = String::new();
    for id in faces_of(document, page) {
        let face = fonts::face(id);
        if face.of_system {
            continue;
        }
        let slant = if face.italic { "italic" } else { "normal" };
        let _ = write!(
            style,
            "@font-face{{font-family:'{}';font-weight:{};font-style:{slant};src:url(data:font/ttf;base64,{}) format('truetype')}}",
            face.family,
            face.weight,
            BASE64.encode(face.bytes)
        );
    }
    write_page(document, page, &style)
}

/// Every face that a page's words are set in.
pub fn faces_of(document: &Document, page: &Page) -> BTreeSet<FaceId> {
    let mut faces = BTreeSet::new();
    visit_texts(document, page, &mut |text| {
        for line in text::lay_out(text, &document.theme).lines {
            faces.extend(line.runs.iter().map(|run| run.face));
        }
    });
    faces
}

/// Calls back for every text of a page, those that charts and tables are drawn with as well.
pub fn visit_texts(document: &Document, page: &Page, visit: &mut dyn FnMut(&TextBox)) {
    fn walk(document: &Document, nodes: &[Node], visit: &mut dyn FnMut(&TextBox)) {
        for node in nodes {
            match node {
                Node::Text(text) => visit(text),
                Node::Group(group) => walk(document, &group.nodes, visit),
                Node::Chart(chart) => walk(document, &chart_drawing::draw_chart(chart, &document.theme), visit),
                Node::Table(table) => walk(document, &chart_drawing::draw_table(table, &document.theme), visit),
                _ => {}
            }
        }
    }
    walk(document, &page.nodes, visit);
}

struct Writer<'a> {
    document: &'a Document,
    page: &'a Page,
    out: String,
    clips: usize,
}

fn write_page(document: &Document, page: &Page, style: &str) -> String {
    let (width, height) = (page.width, page.height);
    let mut writer = Writer { document, page, out: String::with_capacity(8192), clips: 0 };
    let _ = write!(
        writer.out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    );
    let _ = write!(writer.out, "<title>{}</title>", escape(&page.name));
    if !style.is_empty() {
        let _ = write!(writer.out, "<style>{style}</style>");
    }
    let ground = writer.color(Role::Ground.into());
    let _ = write!(writer.out, r#"<rect width="{width}" height="{height}" fill="{ground}"/>"#);
    writer.nodes(&page.nodes);
    writer.out.push_str("</svg>");
    writer.out
}

impl Writer<'_> {
    fn color(&self, paint: Paint) -> String {
        self.document.theme.color(self.page.ground, paint).hex()
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Text(text) => self.text(text),
                Node::Rectangle(shape) => self.rectangle(shape),
                Node::Ellipse(shape) => self.ellipse(shape),
                Node::Line(line) => self.line(line),
                Node::Path(path) => self.path(path),
                Node::Image(image) => self.image(image),
                Node::Group(group) => {
                    self.out.push_str("<g>");
                    self.nodes(&group.nodes);
                    self.out.push_str("</g>");
                }
                Node::Chart(chart) => self.nodes(&chart_drawing::draw_chart(chart, &self.document.theme)),
                Node::Table(table) => self.nodes(&chart_drawing::draw_table(table, &self.document.theme)),
            }
        }
    }

    fn paint_attributes(&self, fill: Option<Fill>, stroke: Option<Stroke>) -> String {
        let mut attributes = match fill {
            None => r#" fill="none""#.to_owned(),
            Some(Fill::Solid(paint)) => format!(r#" fill="{}""#, self.color(paint)),
            Some(Fill::Veil { paint, opacity }) => {
                format!(r#" fill="{}" fill-opacity="{}""#, self.color(paint), number(opacity))
            }
        };
        if let Some(stroke) = stroke {
            let _ =
                write!(attributes, r#" stroke="{}" stroke-width="{}""#, self.color(stroke.paint), number(stroke.width));
        }
        attributes
    }

    fn rectangle(&mut self, shape: &Shape) {
        let attributes = self.paint_attributes(shape.fill, shape.stroke);
        let radius = shape.radius.min(shape.frame.width / 2.0).min(shape.frame.height / 2.0);
        let round = if radius > 0.0 { format!(r#" rx="{}""#, number(radius)) } else { String::new() };
        let _ = write!(self.out, "<rect{}{round}{attributes}/>", frame_attributes(shape.frame));
    }

    fn ellipse(&mut self, shape: &Shape) {
        let attributes = self.paint_attributes(shape.fill, shape.stroke);
        let frame = shape.frame;
        let _ = write!(
            self.out,
            r#"<ellipse cx="{}" cy="{}" rx="{}" ry="{}"{attributes}/>"#,
            number(frame.x + frame.width / 2.0),
            number(frame.y + frame.height / 2.0),
            number(frame.width / 2.0),
            number(frame.height / 2.0)
        );
    }

    fn line(&mut self, line: &Line) {
        let color = self.color(line.stroke.paint);
        let mut end = line.to;
        if line.arrow {
            let head = arrow_head(line);
            end = head.0;
            let _ = write!(self.out, r#"<path d="{}" fill="{color}"/>"#, head.1);
        }
        let _ = write!(
            self.out,
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{color}" stroke-width="{}"/>"#,
            number(line.from.0),
            number(line.from.1),
            number(end.0),
            number(end.1),
            number(line.stroke.width)
        );
    }

    fn path(&mut self, path: &PathShape) {
        let attributes = self.paint_attributes(path.fill, path.stroke);
        let mut data = String::new();
        for piece in &path.pieces {
            let _ = match *piece {
                Piece::Move(x, y) => write!(data, "M{} {}", number(x), number(y)),
                Piece::Line(x, y) => write!(data, "L{} {}", number(x), number(y)),
                Piece::Curve(a, b, c, d, x, y) => {
                    write!(data, "C{} {} {} {} {} {}", number(a), number(b), number(c), number(d), number(x), number(y))
                }
                Piece::Close => write!(data, "Z"),
            };
        }
        let _ = write!(self.out, r#"<path d="{data}"{attributes} stroke-linejoin="round" stroke-linecap="round"/>"#);
    }

    fn image(&mut self, image: &Image) {
        let Some(asset) = self.document.asset(&image.asset) else { return };
        let href = format!("data:{};base64,{}", asset.mime, BASE64.encode(&asset.bytes));
        let drawn = picture_frame(image, asset);
        let must_clip = image.radius > 0.0 || !image.frame.contains(&drawn, 0.5);
        if must_clip {
            self.clips += 1;
            let (id, frame) = (self.clips, image.frame);
            let radius = image.radius.min(frame.width / 2.0).min(frame.height / 2.0);
            let _ = write!(
                self.out,
                r##"<clipPath id="clip{id}"><rect{} rx="{}"/></clipPath><g clip-path="url(#clip{id})">"##,
                frame_attributes(frame),
                number(radius)
            );
        }
        let _ = write!(
            self.out,
            r#"<image{} preserveAspectRatio="none" xlink:href="{href}"><title>{}</title></image>"#,
            frame_attributes(drawn),
            escape(&asset.alt)
        );
        if must_clip {
            self.out.push_str("</g>");
        }
    }

    fn text(&mut self, text: &TextBox) {
        let layout = text::lay_out(text, &self.document.theme);
        let ink = self.color(text.style.paint);
        let accent = self.color(if text.style.paint == Paint::Role(Role::Ink) {
            Role::AccentText.into()
        } else {
            text.style.paint
        });
        for line in &layout.lines {
            for run in &line.runs {
                let color = if run.is_bullet || run.link.is_some() { &accent } else { &ink };
                self.run(run, line.baseline, text, color);
            }
        }
    }

    fn run(&mut self, run: &PlacedRun, baseline: f32, text: &TextBox, color: &str) {
        if run.text.trim().is_empty() {
            return;
        }
        let face = fonts::face(run.face);
        let generic = if fonts::is_serif(&face.family) { "serif" } else { "sans-serif" };
        let slant = if face.italic { r#" font-style="italic""# } else { "" };
        let spacing = if text.style.tracking == 0.0 {
            String::new()
        } else {
            format!(r#" letter-spacing="{}""#, number(text.style.tracking * text.style.size))
        };
        if let Some(link) = &run.link {
            let _ = write!(self.out, r#"<a xlink:href="{}">"#, escape(link));
        }
        // Marks of direction, so that a full stop at the end stays with the words that it ends.
        let mark = if run.right_to_left { "\u{200f}" } else { "" };
        let _ = write!(
            self.out,
            r#"<text x="{}" y="{}" font-family="'{}', {generic}" font-size="{}" font-weight="{}"{slant}{spacing} fill="{color}" xml:space="preserve">"#,
            number(run.x),
            number(baseline),
            face.family,
            number(text.style.size),
            face.weight,
        );
        if text::is_syllabic(&run.text) {
            // Programs disagree about how far a syllable of several signs reaches, so each has its place written out.
            for (syllable, before) in text::syllables(&run.text, run.face) {
                let x = number(run.x + before * text.style.size);
                let _ = write!(self.out, r#"<tspan x="{x}">{}</tspan>"#, escape(syllable));
            }
            self.out.push_str("</text>");
        } else {
            let _ = write!(self.out, "{mark}{}{mark}</text>", escape(&run.text));
        }
        if run.link.is_some() {
            self.out.push_str("</a>");
        }
    }
}

/// Where a picture is drawn, so that it covers its frame or is seen whole in it.
pub fn picture_frame(image: &Image, asset: &Asset) -> Frame {
    let frame = image.frame;
    let (width, height) = (asset.width.max(1) as f32, asset.height.max(1) as f32);
    let (across, down) = (frame.width / width, frame.height / height);
    let scale = match image.fit {
        Fit::Cover => across.max(down),
        Fit::Contain => across.min(down),
    };
    let (width, height) = (width * scale, height * scale);
    Frame::new(frame.x + (frame.width - width) / 2.0, frame.y + (frame.height - height) / 2.0, width, height)
}

/// Where the shaft of an arrow ends, and the path of its head.
fn arrow_head(line: &Line) -> ((f32, f32), String) {
    let (dx, dy) = (line.to.0 - line.from.0, line.to.1 - line.from.1);
    let length = dx.hypot(dy).max(0.001);
    let (ux, uy) = (dx / length, dy / length);
    let (long, half) = (line.stroke.width * 4.5, line.stroke.width * 2.2);
    let base = (line.to.0 - ux * long, line.to.1 - uy * long);
    let path = format!(
        "M{} {}L{} {}L{} {}Z",
        number(line.to.0),
        number(line.to.1),
        number(base.0 - uy * half),
        number(base.1 + ux * half),
        number(base.0 + uy * half),
        number(base.1 - ux * half)
    );
    (base, path)
}

fn frame_attributes(frame: Frame) -> String {
    format!(
        r#" x="{}" y="{}" width="{}" height="{}""#,
        number(frame.x),
        number(frame.y),
        number(frame.width),
        number(frame.height)
    )
}

/// A number as short as it can be without a change that could be seen.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text for XML: what has a meaning there is written otherwise, what XML forbids is left out.
pub fn escape(text: &str) -> String {
    let allowed: String = text
        .chars()
        .filter(|character| !character.is_control() || matches!(character, '\t' | '\n'))
        .filter(|character| !matches!(character, '\u{fffe}' | '\u{ffff}'))
        .collect();
    quick_xml::escape::escape(allowed.as_str()).into_owned()
}
