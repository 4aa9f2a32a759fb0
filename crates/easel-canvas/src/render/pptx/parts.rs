//! The parts of a presentation that are the same but for names, sizes, colours and fonts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::package::{Package, XML_HEAD, relations};
use crate::document::Document;
use crate::fonts;
use crate::render::svg::escape;

/// The picture of the first slide.
pub const THUMBNAIL: &str = "docProps/thumbnail.jpg";

const NAMES: &str = r#"xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main""#;

const GROUP_HEAD: &str = r#"<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>"#;

/// Where the master and the layout have a title; slides place their own.
const TITLE_HOLDER: &str = r#"<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title 1"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="914400" y="457200"/><a:ext cx="9144000" cy="1143000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="en-US"/><a:t>Title</a:t></a:r></a:p></p:txBody></p:sp>"#;

/// Where the layout has an open place; a slide that lacks content has it empty, and the program asks for words there.
const OPEN_HOLDER: &str = r#"<p:sp><p:nvSpPr><p:cNvPr id="3" name="Text Placeholder 2"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" idx="10"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="914400" y="1828800"/><a:ext cx="9144000" cy="3657600"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr anchor="ctr"/><a:lstStyle/><a:p><a:pPr algn="ctr"/><a:r><a:rPr lang="en-US"/><a:t>Add content</a:t></a:r></a:p></p:txBody></p:sp>"#;

/// Opens a part of a presentation: `p:sld` and the like.
pub fn open(element: &str) -> String {
    format!("{XML_HEAD}<{element} {NAMES}>")
}

/// The head of every tree of shapes.
pub fn group_head() -> &'static str {
    GROUP_HEAD
}

/// Presentation, master, layout, theme and properties.
pub fn add_frame(
    package: &mut Package,
    document: &Document,
    page_count: usize,
    (width, height): (i64, i64),
    has_notes: bool,
) {
    add_properties(package, document);
    let mut slides = String::new();
    let mut list = vec![
        (
            "rId1".to_owned(),
            "officeDocument/2006/relationships/slideMaster",
            "slideMasters/slideMaster1.xml".to_owned(),
            false,
        ),
        ("rId2".to_owned(), "officeDocument/2006/relationships/theme", "theme/theme1.xml".to_owned(), false),
    ];
    if has_notes {
        list.push((
            "rId3".to_owned(),
            "officeDocument/2006/relationships/notesMaster",
            "notesMasters/notesMaster1.xml".to_owned(),
            false,
        ));
    }
    for number in 1..=page_count {
        let id = format!("rId{}", number + 10);
        let _ = write!(slides, r#"<p:sldId id="{}" r:id="{id}"/>"#, 255 + number);
        list.push((id, "officeDocument/2006/relationships/slide", format!("slides/slide{number}.xml"), false));
    }
    let notes_list =
        if has_notes { r#"<p:notesMasterIdLst><p:notesMasterId r:id="rId3"/></p:notesMasterIdLst>"# } else { "" };
    let presentation = format!(
        r#"{}<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>{notes_list}<p:sldIdLst>{slides}</p:sldIdLst><p:sldSz cx="{width}" cy="{height}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>"#,
        open("p:presentation")
    );
    package.add(
        "ppt/presentation.xml",
        Some("application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"),
        presentation,
    );
    package.add("ppt/_rels/presentation.xml.rels", None, relations(&list));
    add_master(package);
    let theme = theme_part(document);
    if has_notes {
        add_notes_master(package, &theme);
    }
    package.add("ppt/theme/theme1.xml", Some("application/vnd.openxmlformats-officedocument.theme+xml"), theme);
}

fn add_properties(package: &mut Package, document: &Document) {
    package.add(
        "_rels/.rels",
        None,
        relations(&[
            (
                "rId1".to_owned(),
                "officeDocument/2006/relationships/officeDocument",
                "ppt/presentation.xml".to_owned(),
                false,
            ),
            (
                "rId2".to_owned(),
                "package/2006/relationships/metadata/core-properties",
                "docProps/core.xml".to_owned(),
                false,
            ),
            (
                "rId3".to_owned(),
                "officeDocument/2006/relationships/extended-properties",
                "docProps/app.xml".to_owned(),
                false,
            ),
            ("rId4".to_owned(), "package/2006/relationships/metadata/thumbnail", THUMBNAIL.to_owned(), false),
        ]),
    );
    let core = format!(
        r#"{XML_HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>{}</dc:title><dc:creator>Easel</dc:creator><dc:language>{}</dc:language></cp:coreProperties>"#,
        escape(&document.name),
        escape(&document.language)
    );
    package.add("docProps/core.xml", Some("application/vnd.openxmlformats-package.core-properties+xml"), core);
    let app = format!(
        r#"{XML_HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Easel</Application></Properties>"#
    );
    package.add("docProps/app.xml", Some("application/vnd.openxmlformats-officedocument.extended-properties+xml"), app);
}

fn add_master(package: &mut Package) {
    let level = |number: usize| {
        format!(
            r#"<a:lvl{number}pPr marL="0" algn="l"><a:defRPr sz="1800"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr></a:lvl{number}pPr>"#
        )
    };
    let levels: String = (1..=9).map(level).collect();
    let master = format!(
        r#"{}<p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree>{GROUP_HEAD}{TITLE_HOLDER}</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle>{levels}</p:titleStyle><p:bodyStyle>{levels}</p:bodyStyle><p:otherStyle>{levels}</p:otherStyle></p:txStyles></p:sldMaster>"#,
        open("p:sldMaster")
    );
    package.add(
        "ppt/slideMasters/slideMaster1.xml",
        Some("application/vnd.openxmlformats-officedocument.presentationml.slideMaster+xml"),
        master,
    );
    package.add(
        "ppt/slideMasters/_rels/slideMaster1.xml.rels",
        None,
        relations(&[
            (
                "rId1".to_owned(),
                "officeDocument/2006/relationships/slideLayout",
                "../slideLayouts/slideLayout1.xml".to_owned(),
                false,
            ),
            ("rId2".to_owned(), "officeDocument/2006/relationships/theme", "../theme/theme1.xml".to_owned(), false),
        ]),
    );
    let layout = format!(
        r#"{}<p:cSld name="Title Only"><p:spTree>{GROUP_HEAD}{TITLE_HOLDER}{OPEN_HOLDER}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"#,
        open("p:sldLayout").replacen("<p:sldLayout ", r#"<p:sldLayout type="titleOnly" preserve="1" "#, 1)
    );
    package.add(
        "ppt/slideLayouts/slideLayout1.xml",
        Some("application/vnd.openxmlformats-officedocument.presentationml.slideLayout+xml"),
        layout,
    );
    package.add(
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels",
        None,
        relations(&[(
            "rId1".to_owned(),
            "officeDocument/2006/relationships/slideMaster",
            "../slideMasters/slideMaster1.xml".to_owned(),
            false,
        )]),
    );
}

fn add_notes_master(package: &mut Package, theme: &str) {
    let master = format!(
        r#"{}<p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree>{GROUP_HEAD}</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/></p:notesMaster>"#,
        open("p:notesMaster")
    );
    package.add(
        "ppt/notesMasters/notesMaster1.xml",
        Some("application/vnd.openxmlformats-officedocument.presentationml.notesMaster+xml"),
        master,
    );
    package.add(
        "ppt/notesMasters/_rels/notesMaster1.xml.rels",
        None,
        relations(&[(
            "rId1".to_owned(),
            "officeDocument/2006/relationships/theme",
            "../theme/theme2.xml".to_owned(),
            false,
        )]),
    );
    package.add("ppt/theme/theme2.xml", Some("application/vnd.openxmlformats-officedocument.theme+xml"), theme);
}

/// The notes of a slide.
pub fn add_notes(package: &mut Package, number: usize, notes: &str) {
    let paragraphs: String = notes
        .lines()
        .map(|line| format!("<a:p><a:r><a:rPr lang=\"en-US\"/><a:t>{}</a:t></a:r></a:p>", escape(line)))
        .collect();
    let paragraphs = if paragraphs.is_empty() { "<a:p/>".to_owned() } else { paragraphs };
    let part = format!(
        r#"{}<p:cSld><p:spTree>{GROUP_HEAD}<p:sp><p:nvSpPr><p:cNvPr id="2" name="Notes"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</p:txBody></p:sp></p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>"#,
        open("p:notes")
    );
    package.add(
        &format!("ppt/notesSlides/notesSlide{number}.xml"),
        Some("application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml"),
        part,
    );
    package.add(
        &format!("ppt/notesSlides/_rels/notesSlide{number}.xml.rels"),
        None,
        relations(&[
            (
                "rId1".to_owned(),
                "officeDocument/2006/relationships/notesMaster",
                "../notesMasters/notesMaster1.xml".to_owned(),
                false,
            ),
            (
                "rId2".to_owned(),
                "officeDocument/2006/relationships/slide",
                format!("../slides/slide{number}.xml"),
                false,
            ),
        ]),
    );
}

/// The name under which a face is listed where families have four styles, and whether it is the bold one of that name.
pub fn name_face(family: &str, weight: u16) -> (String, bool) {
    let face = fonts::face(fonts::find_face(family, weight, false));
    let is_own = face.listed_family != face.family;
    (face.listed_family.clone(), !is_own && face.weight >= 600)
}

fn theme_part(document: &Document) -> String {
    let theme = &document.theme;
    let base = &theme.base;
    let mut colors = String::new();
    let named = [
        ("dk1", base.ink),
        ("lt1", base.ground),
        ("dk2", theme.inverse.ground),
        ("lt2", theme.tint.ground),
        ("accent1", base.series[0]),
        ("accent2", base.series[1]),
        ("accent3", base.series[2]),
        ("accent4", base.series[3]),
        ("accent5", base.series[4]),
        ("accent6", base.series[5]),
        ("hlink", base.accent_text),
        ("folHlink", base.muted),
    ];
    for (name, color) in named {
        let _ = write!(colors, r#"<a:{name}><a:srgbClr val="{}"/></a:{name}>"#, hex(color));
    }
    let font =
        |family: &str| format!(r#"<a:latin typeface="{}"/><a:ea typeface=""/><a:cs typeface=""/>"#, escape(family));
    let fill = r#"<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>"#;
    let line = |width: u32| format!(r#"<a:ln w="{width}">{fill}</a:ln>"#);
    let effect = "<a:effectStyle><a:effectLst/></a:effectStyle>";
    format!(
        r#"{XML_HEAD}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="{name}"><a:themeElements><a:clrScheme name="{name}">{colors}</a:clrScheme><a:fontScheme name="{name}"><a:majorFont>{major}</a:majorFont><a:minorFont>{minor}</a:minorFont></a:fontScheme><a:fmtScheme name="{name}"><a:fillStyleLst>{fill}{fill}{fill}</a:fillStyleLst><a:lnStyleLst>{l1}{l2}{l3}</a:lnStyleLst><a:effectStyleLst>{effect}{effect}{effect}</a:effectStyleLst><a:bgFillStyleLst>{fill}{fill}{fill}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"#,
        name = escape(&theme.name),
        major = font(&name_face(&theme.fonts.heading.family, theme.fonts.heading.weight).0),
        minor = font(&name_face(&theme.fonts.body.family, theme.fonts.body.weight).0),
        l1 = line(6350),
        l2 = line(12700),
        l3 = line(19050),
    )
}

/// A colour as the format writes it.
pub fn hex(color: crate::color::Rgb) -> String {
    color.hex().trim_start_matches('#').to_uppercase()
}

/// What kind each part is.
pub fn content_types(overrides: &BTreeMap<String, &'static str>) -> String {
    let mut xml = format!(
        r#"{XML_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/><Default Extension="svg" ContentType="image/svg+xml"/><Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/>"#
    );
    for (name, content_type) in overrides {
        let _ = write!(xml, r#"<Override PartName="{name}" ContentType="{content_type}"/>"#);
    }
    xml.push_str("</Types>");
    xml
}
