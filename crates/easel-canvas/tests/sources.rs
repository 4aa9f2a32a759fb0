//! Files as sources, real ones: what this crate writes is read again, a PDF of another hand is read, and broken ones are
//! refused with a word, never with a panic.

use std::collections::BTreeSet;
use std::io::{Cursor, Write};

use easel_canvas::content::{Matter, Outline};
use easel_canvas::{
    Attachment, AttachmentRole, Brief, Category, Composed, Error, FileFormat, Format, RenderRequest, compose, render,
};

fn with_source(name: &str, bytes: Vec<u8>) -> Brief {
    let role = AttachmentRole::Source;
    Brief {
        attachments: vec![Attachment { role, name: name.to_owned(), mime: String::new(), bytes }],
        ..Brief::new("Report", Format::of(Category::Slides), 5)
    }
}

fn draw(brief: &Brief) -> Result<Composed, Error> {
    compose(brief, &mut |_| {})
}

fn words_of(outline: &Outline) -> BTreeSet<String> {
    let json = serde_json::to_string(outline).expect("json");
    json.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase).collect()
}

const REPORT: &str = "# The harbour in spring\n\nWhat changed at the quay.\n\n## Ships\n\nForty-two ships came in, and \
                      the largest of them stayed for eleven days because of the wind.\n\n## Plans\n\n- **Quay**: Of \
                      stone, by autumn\n- **Crane**: Electric, and quieter than the old one\n\n## Costs\n\n| Item | \
                      Euro |\n|---|---|\n| Stone | 84000 |\n| Crane | 31000 |\n| Wages | 12000 |\n";

fn report(format: FileFormat) -> Vec<u8> {
    let design = draw(&with_source("report.md", REPORT.as_bytes().to_vec())).expect("a design");
    render(&design.document, &RenderRequest { format, page: None, pixel_ratio: 1, flatten: false })
        .expect("a file")
        .bytes
}

#[test]
fn reads_what_it_wrote() {
    for (format, name) in [(FileFormat::Pdf, "report.pdf"), (FileFormat::Pptx, "report.pptx")] {
        let read = draw(&with_source(name, report(format))).unwrap_or_else(|error| panic!("{name}: {error}"));
        let outline = &read.document.origin.outline;
        assert_eq!(outline.title, "The harbour in spring", "{name}");
        let words = words_of(outline);
        for word in ["ships", "eleven", "wind", "quay", "stone", "crane", "84000", "31000", "quieter"] {
            assert!(words.contains(word), "{name}: “{word}” is missing in {outline:#?}");
        }
        let titles: Vec<&str> = outline.passages.iter().map(|passage| passage.title.as_str()).collect();
        for title in ["Ships", "Plans", "Costs"] {
            assert!(titles.contains(&title), "{name}: “{title}” is no heading among {titles:?}");
        }
    }
    let read = draw(&with_source("report.pptx", report(FileFormat::Pptx))).expect("a design");
    let has_table = read.document.origin.outline.passages.iter().any(
        |passage| matches!(&passage.matter, Matter::Table { table, .. } if table.head == ["Item", "Euro"] && table.rows.len() == 3),
    );
    assert!(has_table, "a table stays a table");
}

/// A PDF as an old typesetter writes it: one font without a table, lines set one below the other, a word divided.
fn plain_pdf(content: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    pdf_of(&objects)
}

fn pdf_of(objects: &[String]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", at + 1).bytes());
    }
    let start = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        bytes.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    bytes.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes());
    bytes
}

#[test]
fn reads_a_pdf_of_another_hand() {
    let content = "BT /F1 26 Tf 72 740 Td (Minutes of the board) Tj ET\nBT /F1 11 Tf 72 690 Td 14 TL (The board met on \
                   4 May and agreed to mend the roof before the win-) Tj T* (ter, and to ask three firms for what it \
                   costs.) Tj 0 -40 Td (\\225 Slates from the old \\(south\\) side) Tj T* (\\225 Gutters of zinc) Tj ET";
    let design = draw(&with_source("minutes.pdf", plain_pdf(content))).expect("a design");
    let outline = &design.document.origin.outline;
    assert_eq!(outline.title, "Minutes of the board");
    let text = serde_json::to_string(outline).expect("json");
    assert!(text.contains("before the winter, and to ask three firms"), "{text}");
    assert!(text.contains("Slates from the old (south) side"), "{text}");
    assert!(
        outline
            .passages
            .iter()
            .any(|passage| matches!(&passage.matter, Matter::Points { points, .. } if points.len() == 2))
    );
}

/// A zip with one part of so many blanks.
fn zip_of(name: &str, blanks: usize) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
    let piece = vec![b' '; 1 << 20];
    (0..blanks >> 20).for_each(|_| zip.write_all(&piece).expect("blanks"));
    zip.finish().expect("a zip").into_inner()
}

#[test]
fn refuses_broken_locked_and_empty_files_with_a_word() {
    let locked =
        String::from_utf8(plain_pdf("BT ET")).expect("text").replace("/Root 1 0 R", "/Root 1 0 R /Encr#79pt 9 0 R");
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("none.pdf", b"%PDF-1.7 and nothing more".to_vec(), "broken"),
        ("empty.pdf", plain_pdf("BT ET"), "no words"),
        ("locked.pdf", locked.into_bytes(), "password"),
        ("huge.pdf", [b"%PDF-1.4\n".to_vec(), vec![b'0'; 25_000_000]].concat(), "24 MB"),
        ("none.pptx", b"PK\x03\x04 nothing".to_vec(), "broken"),
        ("other.zip", zip_of("notes.txt", 0), "neither"),
    ];
    for (name, bytes, reason) in cases {
        match draw(&with_source(name, bytes)) {
            Err(Error::AttachmentUnreadable { reason: said, .. }) => assert!(said.contains(reason), "{name}: {said}"),
            other => panic!("{name}: {:?}", other.map(|design| design.name)),
        }
    }
    // Blanks without end in a small part: only their beginning is unpacked.
    let bomb = zip_of("ppt/slides/slide1.xml", 96 << 20);
    draw(&with_source("bomb.pptx", bomb)).expect("a design of its title");
}

#[test]
fn bears_a_pdf_with_any_byte_of_it_changed() {
    let original = report(FileFormat::Pdf);
    let mut chance = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |count: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        (chance % count as u64) as usize
    };
    for _ in 0..150 {
        let mut bytes = original.clone();
        for _ in 0..1 + below(12) {
            if bytes.is_empty() {
                break;
            }
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => bytes.truncate(at.max(32)),
                2 => {
                    let piece = bytes[at..(at + below(400)).min(bytes.len())].to_vec();
                    let to = below(bytes.len() + 1);
                    bytes.splice(to..to, piece);
                }
                _ => drop(bytes.drain(at..(at + below(60)).min(bytes.len()))),
            }
        }
        // Read or refused: either is right, anything else ends the test.
        match draw(&with_source("changed.pdf", bytes)) {
            Ok(_) | Err(Error::AttachmentUnreadable { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}
