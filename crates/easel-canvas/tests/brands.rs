//! Brands found in files: logos, presentations and PDFs, of this crate's making and of other hands.

use std::io::{Cursor, Write};

use easel_canvas::color::Rgb;
use easel_canvas::{
    Attachment, AttachmentRole, Brand, BrandColor, Brief, Category, FileFormat, Format, FoundBrand, RenderRequest,
    compose, find_brand, render,
};
use image::{ImageFormat, Rgba, RgbaImage};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn found_in(name: &str, bytes: Vec<u8>) -> FoundBrand {
    let file = Attachment { role: AttachmentRole::Source, name: name.to_owned(), mime: String::new(), bytes };
    find_brand(&file).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// `role color` of each colour.
fn colors_of(found: &FoundBrand) -> Vec<String> {
    found.colors.iter().map(|color| format!("{} {}", color.role, color.color.hex()).trim().to_owned()).collect()
}

fn png(width: u32, height: u32, color_at: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let picture = RgbaImage::from_fn(width, height, |x, y| Rgba(color_at(x, y)));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

#[test]
fn a_logo_lends_the_colors_that_fill_it_and_not_its_paper() {
    // A red disc and a navy bar on white paper.
    let on_paper = png(400, 200, |x, y| {
        let (across, down) = (f64::from(x) - 100.0, f64::from(y) - 100.0);
        if across.hypot(down) < 70.0 {
            [200, 16, 46, 255]
        } else if x > 220 && (80..120).contains(&y) {
            [12, 35, 64, 255]
        } else {
            [255, 255, 255, 255]
        }
    });
    let found = found_in("harbor-logo_RGB.png", on_paper);
    assert_eq!(colors_of(&found), ["primary #c8102e", "secondary #0c2340"]);
    assert_eq!(found.name, "Harbor");
    let logo = found.logo.expect("the picture itself");
    assert_eq!(logo.extension, "png");
    let preview = image::load_from_memory(&logo.preview).expect("a picture");
    assert_eq!((preview.width(), preview.height()), (256, 128));

    // Clear where there is nothing, and black and white only.
    let clear = png(64, 64, |x, y| if (16..48).contains(&x) && y > 20 { [0, 0, 0, 255] } else { [0; 4] });
    assert_eq!(colors_of(&found_in("Mono.png", clear)), ["primary #000000"]);

    // On a coloured ground the ground is the paper.
    let badge = png(64, 64, |x, _| if (20..44).contains(&x) { [255, 205, 0, 255] } else { [0, 98, 65, 255] });
    assert_eq!(colors_of(&found_in("badge.png", badge)), ["primary #ffcd00"]);

    let drawing = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">
        <circle cx="25" cy="25" r="20" fill="#ff6f3c"/><rect x="50" y="15" width="40" height="20" fill="#155263"/></svg>"##;
    let found = found_in("Sun & Sea.svg", drawing.to_vec());
    assert_eq!(colors_of(&found), ["primary #ff6f3c", "secondary #155263"]);
    assert_eq!(found.logo.expect("the drawing itself").extension, "svg");
}

fn package(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a part");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("a package").into_inner()
}

fn theme(accent: &str, heading: &str, body: &str) -> String {
    format!(
        r#"<a:theme xmlns:a="a"><a:themeElements><a:clrScheme name="x">
        <a:dk1><a:sysClr val="windowText" lastClr="1A1A1A"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1>
        <a:dk2><a:srgbClr val="0C2340"/></a:dk2><a:lt2><a:srgbClr val="EEEEEE"/></a:lt2>
        <a:accent1><a:srgbClr val="{accent}"/></a:accent1><a:accent2><a:srgbClr val="006241"/></a:accent2>
        <a:accent5><a:srgbClr val="123456"/></a:accent5></a:clrScheme>
        <a:fontScheme name="x"><a:majorFont><a:latin typeface="{heading}"/><a:ea typeface=""/></a:majorFont>
        <a:minorFont><a:latin typeface="{body}"/></a:minorFont></a:fontScheme>
        <a:fmtScheme><a:srgbClr val="FF00FF"/></a:fmtScheme></a:themeElements></a:theme>"#
    )
}

#[test]
fn a_presentation_lends_its_theme_its_company_and_the_picture_of_its_master() {
    let logo = png(40, 20, |x, _| if x < 20 { [200, 16, 46, 255] } else { [0; 4] });
    let picture = png(30, 30, |_, _| [1, 2, 3, 255]);
    let theme = theme("C8102E", "Playfair Display", "inter");
    let master = br#"<p:sldMaster xmlns:p="p" xmlns:a="a" xmlns:r="r"><p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3"/></p:nvPicPr>
        <p:blipFill><a:blip r:embed="rId7"/></p:blipFill></p:pic></p:sldMaster>"#;
    let slide =
        br#"<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="r"><p:pic><p:nvPicPr><p:cNvPr id="4" name="Photo"/></p:nvPicPr>
        <p:blipFill><a:blip r:embed="rId1"/></p:blipFill></p:pic></p:sld>"#;
    let relations = br#"<Relationships><Relationship Id="rId1" Target="../theme/theme1.xml"/>
        <Relationship Id="rId7" Target="../media/image2.png"/></Relationships>"#;
    let outside = br#"<Relationships><Relationship Id="rId7" TargetMode="External" Target="file:///etc/passwd"/></Relationships>"#;
    let company = b"<Properties><Company>Harbor &amp; Sons</Company><AppVersion>16</AppVersion></Properties>";
    let deck = |relations: &[u8]| {
        package(&[
            ("ppt/theme/theme1.xml", theme.as_bytes()),
            ("ppt/slideMasters/slideMaster1.xml", master),
            ("ppt/slideMasters/_rels/slideMaster1.xml.rels", relations),
            ("ppt/slides/slide1.xml", slide),
            ("ppt/slides/_rels/slide1.xml.rels", br#"<R><Relationship Id="rId1" Target="../media/image1.png"/></R>"#),
            ("ppt/media/image1.png", &picture),
            ("ppt/media/image2.png", &logo),
            ("docProps/app.xml", company),
        ])
    };
    let found = found_in("Template 2026.pptx", deck(relations));
    assert_eq!(colors_of(&found), ["primary #c8102e", "secondary #006241", "text #1a1a1a", "background #ffffff"]);
    assert_eq!(found.name, "Harbor & Sons");
    assert_eq!((found.heading_font.as_deref(), found.body_font.as_deref()), (Some("Playfair Display"), Some("Inter")));
    let kept = image::load_from_memory(&found.logo.expect("the master's picture").bytes).expect("a picture");
    assert_eq!((kept.width(), kept.height()), (40, 20), "a photo on a slide is no logo");
    assert_eq!(found_in("Template 2026.pptx", deck(outside)).logo, None, "nothing outside of the package is read");
}

#[test]
fn a_theme_that_came_with_the_program_says_nothing_and_colors_set_by_hand_do() {
    let theme = theme("4472C4", "Calibri Light", "Calibri");
    let slide = br#"<p:sld><a:srgbClr val="FF6F3C"/><a:srgbClr val="FF6F3C"/><a:srgbClr val="155263"/></p:sld>"#;
    let deck = package(&[("ppt/theme/theme1.xml", theme.as_bytes()), ("ppt/slides/slide1.xml", slide)]);
    let found = found_in("deck.pptx", deck);
    assert_eq!(colors_of(&found), ["primary #ff6f3c", "secondary #155263"]);
    assert_eq!((found.heading_font, found.body_font, found.logo), (None, None, None));
}

fn branded(format: FileFormat) -> Vec<u8> {
    let color = |role: &str, color| BrandColor { role: role.to_owned(), color };
    let brand = Brand {
        name: "Harbor".to_owned(),
        colors: vec![color("primary", Rgb::new(0xc8, 0x10, 0x2e)), color("secondary", Rgb::new(0x0c, 0x23, 0x40))],
        heading_font: Some("Playfair Display".to_owned()),
        body_font: Some("Manrope".to_owned()),
        ..Brand::default()
    };
    let text = "# The harbour\n\n## Ships\n\nForty-two ships came in, and the largest of them stayed for eleven days because of the wind.\n\n## Plans\n\n- A quay of stone by autumn\n- An electric crane that is quieter\n";
    let source = Attachment {
        role: AttachmentRole::Source,
        name: "report.md".to_owned(),
        mime: String::new(),
        bytes: text.as_bytes().to_vec(),
    };
    let brief = Brief {
        brand: Some(brand),
        attachments: vec![source],
        ..Brief::new("Report", Format::of(Category::Slides), 5)
    };
    let design = compose(&brief, &mut |_| {}).expect("a design");
    render(&design.document, &RenderRequest { format, page: None, pixel_ratio: 1, flatten: false })
        .expect("a file")
        .bytes
}

#[test]
fn a_pdf_lends_the_typefaces_and_the_colors_that_it_is_drawn_with() {
    let found = found_in("Harbor report.pdf", branded(FileFormat::Pdf));
    assert_eq!(found.heading_font.as_deref(), Some("Playfair Display"));
    assert_eq!(found.body_font.as_deref(), Some("Manrope"));
    let reds = found.colors.iter().filter(|found| found.color.oklch().c > 0.1 && found.color.r > found.color.b);
    assert!(reds.count() > 0, "{:?}", colors_of(&found));
}

#[test]
fn files_of_other_hands_whole_and_broken_harm_nobody() {
    for (name, bytes) in [
        ("words.pdf", include_bytes!("corpus/words.pdf").as_slice()),
        ("slides.pptx", include_bytes!("corpus/slides.pptx")),
        ("words.docx", include_bytes!("corpus/words.docx")),
        ("sheet.xlsx", include_bytes!("corpus/sheet.xlsx")),
        ("small.jpg", include_bytes!("corpus/small.jpg")),
        ("small.webp", include_bytes!("corpus/small.webp")),
        ("drawing.svg", include_bytes!("corpus/drawing.svg")),
    ] {
        for length in [bytes.len(), bytes.len() / 2, bytes.len() / 3, 40.min(bytes.len()), 0] {
            let role = AttachmentRole::Source;
            let file = Attachment { role, name: name.to_owned(), mime: String::new(), bytes: bytes[..length].to_vec() };
            // What is found is bounded; what is not is said in words.
            match find_brand(&file) {
                Ok(found) => assert!(found.colors.len() <= 6, "{name}: {found:?}"),
                Err(error) => assert!(error.to_string().contains(name), "{name}: {error}"),
            }
        }
    }
}
