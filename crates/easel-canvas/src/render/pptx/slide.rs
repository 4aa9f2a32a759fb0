//! One slide: its nodes as the shapes of a presentation.

use std::fmt::Write as _;

use super::chart_part;
use super::package::{Package, relations};
use super::parts::{self, hex};
use crate::document::{
    Align, Anchor, Bullet, Document, Fill, FontRole, Image, Line, Node, Page, PathShape, Piece, Shape, Stroke, Table,
    TextBox, TextRole,
};
use crate::error::Error;
use crate::geometry::Frame;
use crate::render::svg::escape;
use crate::render::{raster, svg};
use crate::text;
use crate::theme::{Background, FontChoice, Paint, Role};

/// How a page's pixels become a slide's EMU.
#[derive(Clone, Copy)]
pub struct Placing {
    /// EMU for each pixel.
    pub emu: f32,
    /// Where the page begins, in EMU.
    pub left: f32,
    /// Where the page begins, in EMU.
    pub top: f32,
}

struct Slide<'a> {
    document: &'a Document,
    page: &'a Page,
    placing: Placing,
    out: String,
    next_id: usize,
    /// Whether the slide has its title already: it is known by it in outlines and to those who do not see it.
    has_title: bool,
    links: Vec<(String, &'static str, String, bool)>,
}

/// Adds the slide of a page and all that belongs to it.
pub fn add(
    package: &mut Package,
    document: &Document,
    page: &Page,
    number: usize,
    placing: Placing,
    has_notes: bool,
) -> Result<(), Error> {
    let mut slide =
        Slide { document, page, placing, out: String::new(), next_id: 2, has_title: false, links: Vec::new() };
    slide.relate("officeDocument/2006/relationships/slideLayout", "../slideLayouts/slideLayout1.xml".to_owned(), false);
    slide.nodes(&page.nodes, package)?;
    if has_notes {
        parts::add_notes(package, number, &page.notes);
        slide.relate(
            "officeDocument/2006/relationships/notesSlide",
            format!("../notesSlides/notesSlide{number}.xml"),
            false,
        );
    }
    let ground = slide.color(Role::Ground.into());
    let xml = format!(
        r#"{}<p:cSld name="{}"><p:bg><p:bgPr><a:solidFill>{ground}</a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree>{}{}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"#,
        parts::open("p:sld"),
        escape(&page.name.chars().take(200).collect::<String>()),
        parts::group_head(),
        slide.out
    );
    package.add(
        &format!("ppt/slides/slide{number}.xml"),
        Some("application/vnd.openxmlformats-officedocument.presentationml.slide+xml"),
        xml,
    );
    package.add(&format!("ppt/slides/_rels/slide{number}.xml.rels"), None, relations(&slide.links));
    Ok(())
}

impl Slide<'_> {
    fn relate(&mut self, kind: &'static str, target: String, is_external: bool) -> String {
        let known = self.links.iter().find(|(_, known_kind, known, _)| *known_kind == kind && *known == target);
        if let Some((id, ..)) = known {
            return id.clone();
        }
        let id = format!("rId{}", self.links.len() + 1);
        self.links.push((id.clone(), kind, target, is_external));
        id
    }

    /// A colour by the theme's name where it has one, so that a change of the theme reaches it.
    fn color(&self, paint: Paint) -> String {
        let named = match (self.page.ground, paint) {
            (Background::Base, Paint::Role(Role::Ink)) => Some("tx1"),
            (Background::Base, Paint::Role(Role::Ground)) => Some("bg1"),
            (Background::Base, Paint::Role(Role::Accent | Role::Series(0))) => Some("accent1"),
            (Background::Base, Paint::Role(Role::Second | Role::Series(1))) => Some("accent2"),
            (Background::Tint, Paint::Role(Role::Ground)) => Some("bg2"),
            (Background::Inverse, Paint::Role(Role::Ground)) => Some("tx2"),
            _ => None,
        };
        match named {
            Some(name) => format!(r#"<a:schemeClr val="{name}"/>"#),
            None => format!(r#"<a:srgbClr val="{}"/>"#, hex(self.document.theme.color(self.page.ground, paint))),
        }
    }

    fn emu(&self, pixels: f32) -> i64 {
        (pixels * self.placing.emu).round() as i64
    }

    fn points(&self, pixels: f32) -> i64 {
        // Hundredths of a point, of which an EMU has 1/127.
        (pixels * self.placing.emu / 127.0).round() as i64
    }

    fn transform(&self, frame: Frame) -> String {
        format!(
            r#"<a:off x="{}" y="{}"/><a:ext cx="{}" cy="{}"/>"#,
            self.emu(frame.x) + self.placing.left as i64,
            self.emu(frame.y) + self.placing.top as i64,
            self.emu(frame.width).max(0),
            self.emu(frame.height).max(0)
        )
    }

    fn fill(&self, fill: Option<Fill>) -> String {
        match fill {
            None => "<a:noFill/>".to_owned(),
            Some(Fill::Solid(paint)) => format!("<a:solidFill>{}</a:solidFill>", self.color(paint)),
            Some(Fill::Veil { paint, opacity }) => format!(
                r#"<a:solidFill><a:srgbClr val="{}"><a:alpha val="{}"/></a:srgbClr></a:solidFill>"#,
                hex(self.document.theme.color(self.page.ground, paint)),
                (opacity.clamp(0.0, 1.0) * 100_000.0) as i64
            ),
        }
    }

    fn stroke(&self, stroke: Option<Stroke>, arrow: bool) -> String {
        match stroke {
            None => "<a:ln><a:noFill/></a:ln>".to_owned(),
            Some(stroke) => format!(
                r#"<a:ln w="{}"><a:solidFill>{}</a:solidFill>{}</a:ln>"#,
                self.emu(stroke.width).max(1),
                self.color(stroke.paint),
                if arrow { r#"<a:tailEnd type="triangle"/>"# } else { "" }
            ),
        }
    }

    fn id(&mut self) -> usize {
        self.next_id += 1;
        self.next_id - 1
    }

    fn nodes(&mut self, nodes: &[Node], package: &mut Package) -> Result<(), Error> {
        for node in nodes {
            match node {
                Node::Text(text) => self.text(text),
                Node::Rectangle(shape) => self.shape(shape, if shape.radius > 0.0 { "roundRect" } else { "rect" }),
                Node::Ellipse(shape) => self.shape(shape, "ellipse"),
                Node::Line(line) => self.line(line),
                Node::Path(path) => self.path(path),
                Node::Image(image) => self.image(image, package)?,
                Node::Group(group) => self.nodes(&group.nodes, package)?,
                Node::Chart(chart) => {
                    let points_per_pixel = self.placing.emu / 12_700.0;
                    let number =
                        chart_part::add(package, chart, &self.document.theme, self.page.ground, points_per_pixel)?;
                    let relation = self.relate(
                        "officeDocument/2006/relationships/chart",
                        format!("../charts/chart{number}.xml"),
                        false,
                    );
                    let (id, place) = (self.id(), self.transform(chart.frame));
                    let _ = write!(
                        self.out,
                        r#"<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{id}" name="Chart {id}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>{place}</p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="{relation}"/></a:graphicData></a:graphic></p:graphicFrame>"#
                    );
                }
                Node::Table(table) => self.table(table),
            }
        }
        Ok(())
    }

    fn shape(&mut self, shape: &Shape, preset: &str) {
        let id = self.id();
        let shorter = shape.frame.width.min(shape.frame.height).max(1.0);
        let adjust = if preset == "roundRect" {
            format!(r#"<a:gd name="adj" fmla="val {}"/>"#, ((shape.radius / shorter).min(0.5) * 100_000.0) as i64)
        } else {
            String::new()
        };
        let xml = format!(
            r#"<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="Shape {id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>{}</a:xfrm><a:prstGeom prst="{preset}"><a:avLst>{adjust}</a:avLst></a:prstGeom>{}{}</p:spPr></p:sp>"#,
            self.transform(shape.frame),
            self.fill(shape.fill),
            self.stroke(shape.stroke, false)
        );
        self.out.push_str(&xml);
    }

    fn line(&mut self, line: &Line) {
        let id = self.id();
        let frame = Node::Line(*line).frame();
        let turned = if line.to.0 < line.from.0 { r#" flipH="1""# } else { "" };
        let upside = if line.to.1 < line.from.1 { r#" flipV="1""# } else { "" };
        let xml = format!(
            r#"<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{id}" name="Line {id}"/><p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr><p:spPr><a:xfrm{turned}{upside}>{}</a:xfrm><a:prstGeom prst="line"><a:avLst/></a:prstGeom>{}</p:spPr></p:cxnSp>"#,
            self.transform(frame),
            self.stroke(Some(line.stroke), line.arrow)
        );
        self.out.push_str(&xml);
    }

    fn path(&mut self, path: &PathShape) {
        let id = self.id();
        let frame = path.frame;
        let point = |x: f32, y: f32| format!(r#"<a:pt x="{}" y="{}"/>"#, self.emu(x - frame.x), self.emu(y - frame.y));
        let mut pieces = String::new();
        for piece in &path.pieces {
            let _ = match *piece {
                Piece::Move(x, y) => write!(pieces, "<a:moveTo>{}</a:moveTo>", point(x, y)),
                Piece::Line(x, y) => write!(pieces, "<a:lnTo>{}</a:lnTo>", point(x, y)),
                Piece::Curve(a, b, c, d, x, y) => {
                    write!(pieces, "<a:cubicBezTo>{}{}{}</a:cubicBezTo>", point(a, b), point(c, d), point(x, y))
                }
                Piece::Close => write!(pieces, "<a:close/>"),
            };
        }
        let xml = format!(
            r#"<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="Form {id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>{}</a:xfrm><a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/><a:rect l="0" t="0" r="r" b="b"/><a:pathLst><a:path w="{}" h="{}">{pieces}</a:path></a:pathLst></a:custGeom>{}{}</p:spPr></p:sp>"#,
            self.transform(frame),
            self.emu(frame.width).max(1),
            self.emu(frame.height).max(1),
            self.fill(path.fill),
            self.stroke(path.stroke, false)
        );
        self.out.push_str(&xml);
    }

    fn image(&mut self, image: &Image, package: &mut Package) -> Result<(), Error> {
        let Some(asset) = self.document.asset(&image.asset) else { return Ok(()) };
        let name = match package.media.get(&asset.id) {
            Some(name) => name.clone(),
            None => {
                let (bytes, extension) = match asset.mime.as_str() {
                    "image/jpeg" => (asset.bytes.clone(), "jpg"),
                    "image/svg+xml" => (raster::picture_png(&asset.bytes, 1600)?, "png"),
                    _ => (asset.bytes.clone(), "png"),
                };
                let name = format!("media/picture{}.{extension}", package.media.len() + 1);
                package.add(&format!("ppt/{name}"), None, bytes);
                package.media.insert(asset.id.clone(), name.clone());
                name
            }
        };
        let relation = self.relate("officeDocument/2006/relationships/image", format!("../{name}"), false);
        let drawn = svg::picture_frame(image, asset);
        let part = |inside: f32, whole: f32| ((inside / whole.max(0.01)).clamp(0.0, 1.0) * 100_000.0).round() as i64;
        // What reaches out of the frame is cropped; a picture seen whole takes no more than its own place.
        let frame = if image.frame.contains(&drawn, 0.5) { drawn } else { image.frame };
        let crop = format!(
            r#"<a:srcRect l="{}" t="{}" r="{}" b="{}"/>"#,
            part(frame.x - drawn.x, drawn.width),
            part(frame.y - drawn.y, drawn.height),
            part(drawn.right() - frame.right(), drawn.width),
            part(drawn.bottom() - frame.bottom(), drawn.height)
        );
        let radius = (image.radius / frame.width.min(frame.height).max(1.0)).min(0.5);
        let shape = if radius > 0.0 {
            format!(
                r#"<a:prstGeom prst="roundRect"><a:avLst><a:gd name="adj" fmla="val {}"/></a:avLst></a:prstGeom>"#,
                (radius * 100_000.0) as i64
            )
        } else {
            r#"<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>"#.to_owned()
        };
        let id = self.id();
        let xml = format!(
            r#"<p:pic><p:nvPicPr><p:cNvPr id="{id}" name="Picture {id}" descr="{}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="{relation}"/>{crop}<a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>{}</a:xfrm>{shape}</p:spPr></p:pic>"#,
            escape(&asset.alt),
            self.transform(frame)
        );
        self.out.push_str(&xml);
        Ok(())
    }

    fn text(&mut self, text: &TextBox) {
        let id = self.id();
        let anchor = match text.style.anchor {
            Anchor::Top => "t",
            Anchor::Middle => "ctr",
            Anchor::Bottom => "b",
        };
        let columns = if text.style.right_to_left { r#" rtlCol="1""# } else { "" };
        // The same face may come out a hair wider elsewhere: a box a little wider keeps its lines.
        let slack = text.style.size * 0.1;
        let wider = if text.style.align == Align::Start && !text.style.right_to_left { slack } else { 0.0 };
        // Room for a line's own spare, so that nothing is made smaller that fits.
        let pitch = text::line_pitch(text, &self.document.theme);
        let room = pitch * 0.4;
        let up = match text.style.anchor {
            Anchor::Top => 0.0,
            Anchor::Middle => room / 2.0,
            Anchor::Bottom => room,
        };
        // Presentation programs put all of a line's spare above its letters, here half of it is below.
        let down = text::spare_below(text, &self.document.theme);
        let place = self.transform(Frame::new(
            text.frame.x,
            text.frame.y - up + down,
            text.frame.width + wider,
            text.frame.height + room,
        ));
        if text.role == TextRole::Placeholder {
            let _ = write!(
                self.out,
                r#"<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="{}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" idx="10"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm>{place}</a:xfrm></p:spPr><p:txBody><a:bodyPr anchor="ctr"/><a:lstStyle/><a:p><a:endParaRPr lang="{}"/></a:p></p:txBody></p:sp>"#,
                escape(&text.text().chars().take(80).collect::<String>()),
                escape(&self.document.language)
            );
            return;
        }
        let paragraphs = self.paragraphs(text);
        let is_title = text.role == TextRole::Title && !self.has_title;
        self.has_title |= is_title;
        let (kind, holder) = if is_title {
            (r#"<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>"#, r#"<p:nvPr><p:ph type="title"/></p:nvPr>"#)
        } else {
            (r#"<p:cNvSpPr txBox="1"/>"#, "<p:nvPr/>")
        };
        let name = if is_title { "Title" } else { "Text" };
        let _ = write!(
            self.out,
            r#"<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="{name} {id}"/>{kind}{holder}</p:nvSpPr><p:spPr><a:xfrm>{place}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody><a:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" anchor="{anchor}"{columns}><a:normAutofit/></a:bodyPr><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"#
        );
    }

    fn paragraphs(&mut self, text: &TextBox) -> String {
        let style = &text.style;
        let pitch = self.points(text::line_pitch(text, &self.document.theme));
        let align = match (style.align, style.right_to_left) {
            (Align::Center, _) => "ctr",
            (Align::Start, false) | (Align::End, true) => "l",
            (Align::End, false) | (Align::Start, true) => "r",
        };
        let direction = if style.right_to_left { r#" rtl="1""# } else { "" };
        let mut xml = String::new();
        for (at, paragraph) in text.paragraphs.iter().enumerate() {
            let before = if at == 0 { 0 } else { self.points(style.paragraph_gap * style.size) };
            let indent = self.emu(style.size * 1.25);
            let (margin, bullet) = match paragraph.bullet {
                None => (String::new(), "<a:buNone/>".to_owned()),
                Some(bullet) => {
                    let mark = match bullet {
                        Bullet::Dot => r#"<a:buFont typeface="Arial"/><a:buChar char="•"/>"#.to_owned(),
                        Bullet::Number(number) => format!(
                            r#"<a:buFont typeface="+mj-lt"/><a:buAutoNum type="arabicPeriod" startAt="{number}"/>"#
                        ),
                    };
                    let color = self.color(Role::AccentText.into());
                    (format!(r#" marL="{indent}" indent="-{indent}""#), format!("<a:buClr>{color}</a:buClr>{mark}"))
                }
            };
            let _ = write!(
                xml,
                r#"<a:p><a:pPr algn="{align}"{direction}{margin}><a:lnSpc><a:spcPts val="{pitch}"/></a:lnSpc><a:spcBef><a:spcPts val="{before}"/></a:spcBef>{bullet}</a:pPr>"#
            );
            for run in &paragraph.runs {
                let properties = self.run_properties(text, run.strong, run.emphasis, run.link.as_deref());
                for (at, line) in run.text.split('\n').enumerate() {
                    if at > 0 {
                        xml.push_str("<a:br/>");
                    }
                    if !line.is_empty() {
                        let _ = write!(xml, "<a:r>{properties}<a:t>{}</a:t></a:r>", escape(line));
                    }
                }
            }
            xml.push_str("</a:p>");
        }
        if xml.is_empty() { "<a:p/>".to_owned() } else { xml }
    }

    fn run_properties(&mut self, text: &TextBox, strong: bool, emphasis: bool, link: Option<&str>) -> String {
        let style = &text.style;
        let theme = &self.document.theme;
        let (family, weight, italic) = text::base_font(text, theme);
        let weight = if strong { text::bolder(weight) } else { weight };
        let (face, bold) = parts::name_face(family, weight);
        let is_named = |choice: &FontChoice| parts::name_face(&choice.family, choice.weight) == (face.clone(), bold);
        let face = match style.font {
            FontRole::Heading if is_named(&theme.fonts.heading) => "+mj-lt".to_owned(),
            FontRole::Body if is_named(&theme.fonts.body) => "+mn-lt".to_owned(),
            _ => escape(&face),
        };
        let bold = u8::from(bold);
        let slant = u8::from(italic || emphasis);
        let capitals = if style.capitals { r#" cap="all""# } else { "" };
        let spacing = if style.tracking == 0.0 {
            String::new()
        } else {
            format!(r#" spc="{}""#, self.points(style.tracking * style.size))
        };
        let paint =
            if link.is_some() && style.paint == Paint::Role(Role::Ink) { Role::AccentText.into() } else { style.paint };
        let color = self.color(paint);
        let size = self.points(style.size).clamp(100, 400_000);
        let language = escape(&self.document.language);
        let click = match link {
            Some(target) if target.starts_with("http") || target.starts_with("mailto:") => {
                let id = self.relate("officeDocument/2006/relationships/hyperlink", target.to_owned(), true);
                format!(r#"<a:hlinkClick r:id="{id}"/>"#)
            }
            _ => String::new(),
        };
        format!(
            r#"<a:rPr lang="{language}" sz="{size}" b="{bold}" i="{slant}"{capitals}{spacing}><a:solidFill>{color}</a:solidFill><a:latin typeface="{face}"/><a:ea typeface="{face}"/><a:cs typeface="{face}"/>{click}</a:rPr>"#
        )
    }

    fn table(&mut self, table: &Table) {
        let id = self.id();
        let numeric = crate::chart_drawing::number_columns(&table.data);
        let mut rows = String::new();
        let all = std::iter::once(&table.data.head).chain(&table.data.rows);
        for (row_at, (row, height)) in all.zip(&table.row_heights).enumerate() {
            let _ = write!(rows, r#"<a:tr h="{}">"#, self.emu(*height));
            for column in 0..table.column_widths.len() {
                let words = row.get(column).map(String::as_str).unwrap_or_default();
                let align = if numeric.get(column).copied().unwrap_or(false) { "r" } else { "l" };
                let color = self.color(if row_at == 0 { Role::Muted.into() } else { Role::Ink.into() });
                let line = self.color(if row_at == 0 { Role::Accent.into() } else { Role::Line.into() });
                let bold = u8::from(row_at == 0 || column == 0);
                let side = self.emu(table.text_size * crate::chart_drawing::CELL_PADDING);
                let (left, right) = (
                    if column == 0 { 0 } else { side },
                    if column + 1 == table.column_widths.len() { 0 } else { side },
                );
                let none = |edge: &str| format!(r#"<a:{edge} w="0"><a:noFill/></a:{edge}>"#);
                let _ = write!(
                    rows,
                    r#"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:pPr algn="{align}"/><a:r><a:rPr lang="{}" sz="{}" b="{bold}"><a:solidFill>{color}</a:solidFill><a:latin typeface="+mn-lt"/></a:rPr><a:t>{}</a:t></a:r></a:p></a:txBody><a:tcPr marL="{left}" marR="{right}" marT="0" marB="0" anchor="ctr">{}{}{}<a:lnB w="{}"><a:solidFill>{line}</a:solidFill></a:lnB><a:noFill/></a:tcPr></a:tc>"#,
                    escape(&self.document.language),
                    self.points(table.text_size),
                    escape(words),
                    none("lnL"),
                    none("lnR"),
                    none("lnT"),
                    if row_at == 0 { 19_050 } else { 6_350 }
                );
            }
            rows.push_str("</a:tr>");
        }
        let columns: String =
            table.column_widths.iter().map(|width| format!(r#"<a:gridCol w="{}"/>"#, self.emu(*width))).collect();
        let place = self.transform(table.frame);
        let _ = write!(
            self.out,
            r#"<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{id}" name="Table {id}"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><p:xfrm>{place}</p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"#
        );
    }
}
