//! Input that means harm: every piece of it is drawn or refused with a word, in bounded time and memory, and nothing is
//! read but what was given.
//!
//! Memory is what the process takes beyond what it had, as the system counts it; so each case is a test of its own, and
//! each runs in a process of its own (nextest).

use std::fs;
use std::time::{Duration, Instant};

use easel_canvas::audit::audit;
use easel_canvas::{
    Attachment, AttachmentRole, Brief, Category, Composed, Error, FileFormat, Format, RenderRequest, compose, render,
};

/// No case takes longer, in a build without optimisation on a machine with other work.
const LONGEST: Duration = Duration::from_secs(60);

/// No case takes more memory than this beyond what was given.
const MOST_BYTES: u64 = 400 << 20;

fn wish(prompt: &str, category: Category) -> Brief {
    Brief::new(prompt, Format::of(category), 3)
}

fn with(role: AttachmentRole, name: &str, bytes: Vec<u8>) -> Brief {
    let mut brief = wish("Report", Category::Slides);
    brief.attachments.push(Attachment { role, name: name.to_owned(), mime: String::new(), bytes });
    brief
}

/// A number that the system keeps of this process, in bytes.
fn of_process(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the state of the process");
    let line = status.lines().find(|line| line.starts_with(name)).expect("a number");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("kilobytes") << 10
}

/// Draws within bounds; what comes out is looked at for faults.
fn draw(brief: &Brief) -> Result<Composed, Error> {
    // The highest mark begins anew at what is taken now.
    fs::write("/proc/self/clear_refs", "5").expect("a new mark");
    let (before, start) = (of_process("VmRSS"), Instant::now());
    let composed = compose(brief, &mut |_| {});
    if let Ok(design) = &composed {
        let request = RenderRequest { format: FileFormat::Png, page: Some(1), pixel_ratio: 1, flatten: false };
        render(&design.document, &request).expect("a picture");
    }
    let taken = of_process("VmHWM").saturating_sub(before);
    assert!(start.elapsed() < LONGEST, "{:?}", start.elapsed());
    assert!(taken < MOST_BYTES, "{} MB", taken >> 20);
    if let Ok(design) = &composed {
        let findings = audit(&design.document);
        assert!(findings.is_empty(), "{findings:#?}");
        assert!(design.document.page_count() <= 200);
    }
    composed
}

#[track_caller]
fn is_refused(brief: &Brief, words: &str) {
    match draw(brief) {
        Err(Error::AttachmentUnreadable { reason, .. }) => assert!(reason.contains(words), "{reason}"),
        other => panic!("{:?}", other.map(|design| design.name)),
    }
}

#[test]
fn a_hundred_megabytes_of_text_are_read_as_far_as_pages_go_and_said_to_be_cut() {
    let text = b"word and another of a text that has no end. ".repeat(100_000_000 / 44);
    let design = draw(&with(AttachmentRole::Source, "large.txt", text)).expect("a design");
    assert!(design.warnings.iter().any(|warning| warning.code == "source_cut"), "{:?}", design.warnings);
}

#[test]
fn a_hundred_megabytes_that_are_no_text_are_refused() {
    let noise: Vec<u8> = (0..100_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    is_refused(&with(AttachmentRole::Source, "noise.txt", noise), "no text");
}

#[test]
fn a_line_without_end_is_broken_into_lines() {
    draw(&with(AttachmentRole::Source, "line.txt", b"x".repeat(100_000_000))).expect("a design");
}

#[test]
fn a_table_of_a_million_columns_keeps_its_first() {
    let row = |cell: &str| format!("{}\n", vec![cell; 1_000_000].join(","));
    let table = [row("name"), row("1"), row("2"), row("3")].concat().into_bytes();
    draw(&with(AttachmentRole::Source, "wide.csv", table)).expect("a design");
}

#[test]
fn quotes_within_quotes_are_read_as_one() {
    draw(&with(AttachmentRole::Source, "deep.md", b"> ".repeat(2_000_000))).expect("a design");
}

#[test]
fn pictures_that_claim_sixty_thousand_pixels_a_side_are_refused() {
    let side = 60_000_u32;
    let mut png = Vec::from(*b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    png.extend(side.to_be_bytes());
    png.extend(side.to_be_bytes());
    png.extend([8, 2, 0, 0, 0, 0x0f, 0xb0, 0xe2, 0x15]);
    // A little of what it claims to hold, packed, and its end.
    png.extend(b"\x00\x00\x00\x0b\x49\x44\x41\x54\x78\x9c\x63\x60\x80\x01\x00\x00\x0a\x00\x01\x7f\x80\x74\x5e\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82");
    let mut gif = Vec::from(*b"GIF89a");
    gif.extend((side as u16).to_le_bytes());
    gif.extend((side as u16).to_le_bytes());
    gif.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0]);
    let mut jpeg = Vec::from(*b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08");
    jpeg.extend((side as u16).to_be_bytes());
    jpeg.extend((side as u16).to_be_bytes());
    jpeg.extend(*b"\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xda\0\x0c\x03\x01\0\x02\x11\x03\x11\0\x3f\0");
    for (name, bytes) in [("claim.png", png), ("claim.gif", gif), ("claim.jpg", jpeg)] {
        is_refused(&with(AttachmentRole::Asset, name, bytes), "60000 by 60000 pixels");
    }
}

#[test]
fn a_drawing_reaches_neither_files_nor_addresses_and_runs_nothing() {
    let secret = tempfile::NamedTempFile::new().expect("a file");
    fs::write(secret.path(), "a secret of this machine").expect("a file");
    let path = secret.path().display();
    let drawing = format!(
        r##"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY file SYSTEM "file://{path}">]><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"><script>alert(1)</script><style>@import url("http://example.com/a.css");</style><image xlink:href="{path}" width="90" height="90"/><image href="http://example.com/a.png" width="9" height="9"/><use xlink:href="http://example.com/b.svg#c"/><rect width="50" height="50" fill="red" onclick="alert(2)"/></svg>"##
    );
    let design = draw(&with(AttachmentRole::Asset, "evil.svg", drawing.into_bytes())).expect("a design");
    let kept: Vec<u8> = design.document.assets.iter().flat_map(|asset| asset.bytes.clone()).collect();
    let kept = String::from_utf8(kept).expect("text");
    for trace in ["alert", "example.com", "secret", "file:", "script", &path.to_string()] {
        assert!(!kept.contains(trace), "{trace} is in {kept}");
    }
    assert!(kept.contains("#ff0000"), "what is drawn stays: {kept}");
}

#[test]
fn a_drawing_that_copies_itself_is_refused() {
    let levels: String = (1..12)
        .map(|level| {
            format!(r#"<g id="a{level}">{}</g>"#, format!(r##"<use xlink:href="#a{}"/>"##, level - 1).repeat(10))
        })
        .collect();
    let drawing = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><rect id="a0" width="1" height="1"/>{levels}</svg>"##
    );
    is_refused(&with(AttachmentRole::Asset, "copies.svg", drawing.into_bytes()), "copies its parts");
    let entities: String =
        (1..12).map(|level| format!(r#"<!ENTITY e{level} "{}">"#, format!("&e{};", level - 1).repeat(10))).collect();
    let laughs = format!(
        r#"<!DOCTYPE svg [<!ENTITY e0 "ha">{entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&e11;</text></svg>"#
    );
    is_refused(&with(AttachmentRole::Asset, "laughs.svg", laughs.into_bytes()), "broken");
}

#[test]
fn a_prompt_of_twenty_thousand_emoji_is_drawn_with_a_word_about_what_found_no_room() {
    let design = draw(&wish(&"😀".repeat(20_000), Category::Social)).expect("a design");
    let has = |code: &str| design.warnings.iter().any(|warning| warning.code == code);
    assert!(has("words_in_notes") && !has("letters_missing"), "{:?}", design.warnings);
}

#[test]
fn a_prompt_of_a_million_marks_of_direction_is_drawn() {
    draw(&wish(&"\u{202e}a\u{202d}\u{2066}ב".repeat(250_000), Category::Slides)).expect("a design");
}

/// A PDF of objects packed into streams, each of which unpacks to a thousand times its size.
#[test]
fn a_pdf_that_unpacks_without_end_is_refused_or_read_in_part() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    drop(zip.start_file("a", zip::write::SimpleFileOptions::default()));
    let numbers: String = (0..100).map(|at| format!("{at} {} ", at * 2)).collect();
    let mut content = numbers.clone().into_bytes();
    content.extend(b"0 ".repeat(900_000));
    std::io::Write::write_all(&mut zip, &content).expect("bytes");
    let packed = zip.finish().expect("a zip").into_inner();
    // What stands between the head of the zip and its list is the content, packed without a head of its own.
    let start = 30 + 1;
    let end = packed.windows(4).position(|at| at == b"PK\x01\x02").expect("a list");
    let mut stream = vec![0x78, 0x9c];
    stream.extend(&packed[start..end]);
    let mut pdf = b"%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n".to_vec();
    for number in 3..400 {
        let head = format!(
            "{number} 0 obj\n<< /Type /ObjStm /N 100 /First {} /Filter /FlateDecode /Length {} >>\nstream\n",
            numbers.len(),
            stream.len()
        );
        pdf.extend(head.bytes());
        pdf.extend(&stream);
        pdf.extend(b"\nendstream\nendobj\n");
    }
    pdf.extend(b"trailer\n<< /Size 400 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n");
    match draw(&with(AttachmentRole::Source, "bomb.pdf", pdf)) {
        Err(Error::AttachmentUnreadable { .. }) => {}
        other => panic!("{:?}", other.map(|design| design.name)),
    }
}
