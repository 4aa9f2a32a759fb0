//! PDFs through poppler: the words by `pdftotext`, the pages by `pdftoppm`, the links by `pdfinfo`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use easel_canvas::{FileFormat, RenderRequest, render};
use image::GrayImage;

use super::{Design, designs, likeness, words, write};

/// Pages of a PDF look like their pictures at least so much.
const LEAST_LIKENESS: f64 = 0.95;

/// Runs one of poppler's programs; what it writes to standard output is the result.
pub fn run(program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("`{program}` is missing (`cargo xtask test` installs poppler-utils): {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The words of one page of a PDF, in the order in which they were drawn.
pub fn text_of_page(file: &Path, page: usize) -> String {
    let (file, page) = (file.to_string_lossy(), page.to_string());
    let bytes = run("pdftotext", &["-raw", "-enc", "UTF-8", "-f", &page, "-l", &page, &file, "-"]);
    String::from_utf8(bytes).expect("text")
}

/// The pages of a PDF as pictures at half of the size that each page has: drawn at its full size and made smaller in the
/// same way as the pictures that they are held against.
pub fn pictures(file: &Path, sizes: &[(u32, u32)]) -> Vec<GrayImage> {
    let folder = tempfile::tempdir().expect("a folder");
    sizes
        .iter()
        .enumerate()
        .map(|(at, size)| {
            let (number, out) = ((at + 1).to_string(), folder.path().join(format!("page{at}")));
            let (width, height) = (size.0.to_string(), size.1.to_string());
            let (file, prefix) = (file.to_string_lossy(), out.to_string_lossy());
            let place = ["-f", &number, "-l", &number, "-scale-to-x", &width, "-scale-to-y", &height];
            run("pdftoppm", &[&["-gray", "-singlefile"], place.as_slice(), &[&file, &prefix]].concat());
            let picture = fs::read(out.with_extension("pgm")).expect("a picture");
            likeness::at_half_size(&picture)
        })
        .collect()
}

/// The sizes of a design's pages.
pub fn sizes(design: &Design) -> Vec<(u32, u32)> {
    design.document.pages.iter().map(|page| (page.width, page.height)).collect()
}

fn pdf_of(design: &Design, folder: &Path, flatten: bool) -> PathBuf {
    let request = RenderRequest { format: FileFormat::Pdf, page: None, pixel_ratio: 1, flatten };
    let file = folder.join(format!("{}.pdf", design.name));
    fs::write(&file, render(&design.document, &request).expect("a file").bytes).expect("a file");
    file
}

#[test]
fn finds_the_words_of_the_design_in_the_pdf() {
    let folder = tempfile::tempdir().expect("a folder");
    for design in designs() {
        let file = pdf_of(&design, folder.path(), false);
        for (at, page) in design.document.pages.iter().enumerate() {
            let text = words::fold(&text_of_page(&file, at + 1));
            let name = format!("{} page {}", design.name, at + 1);
            // Everything that is drawn as words, those of charts too, and nothing else.
            let svg =
                String::from_utf8(write(&design.document, FileFormat::Svg, Some(at as u32 + 1), 1)).expect("text");
            assert_eq!(words::sorted_letters(&text), words::sorted_letters(&words_of_svg(&svg)), "{name}");
            if words::is_right_to_left(&design.document) {
                continue;
            }
            for said in words::on_page(page) {
                let said = words::fold(&said);
                // A long word that is broken goes on in the next line.
                let is_there = text.contains(&said) || words::letters(&text).contains(&words::letters(&said));
                assert!(is_there, "{name}: “{said}” is not in “{text}”");
            }
        }
    }
}

/// The words of every `text` element of a drawing, in its order.
fn words_of_svg(svg: &str) -> String {
    let pieces = svg.split("<text ").skip(1).filter_map(|piece| {
        let (_, rest) = piece.split_once('>')?;
        rest.split_once("</text>").map(|(words, _)| words)
    });
    let words = pieces.collect::<Vec<_>>().join(" ");
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(words, |words, (name, letter)| words.replace(name, letter))
}

/// Every other design from `first` on: two halves, so that they run beside one another.
fn check_likeness(first: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut unlike = Vec::new();
    for design in designs().iter().skip(first).step_by(2) {
        let file = pdf_of(design, folder.path(), false);
        for (at, drawn) in pictures(&file, &sizes(design)).iter().enumerate() {
            let own = likeness::at_half_size(&write(&design.document, FileFormat::Png, Some(at as u32 + 1), 1));
            let alike = likeness::of(drawn, &own);
            if alike < LEAST_LIKENESS {
                let layout = &design.document.pages[at].layout;
                unlike.push(format!("{} page {} ({layout}): {alike:.3}", design.name, at + 1));
            }
        }
    }
    assert!(unlike.is_empty(), "{unlike:#?}");
}

#[test]
fn draws_the_pages_of_the_pdf_as_their_pictures_are() {
    check_likeness(0);
}

#[test]
fn draws_the_pages_of_the_other_pdfs_as_their_pictures_are() {
    check_likeness(1);
}

#[test]
fn keeps_links_and_flattens_words_to_shapes() {
    let folder = tempfile::tempdir().expect("a folder");
    let guide = designs().into_iter().find(|design| design.name == "paper-guide").expect("a design with a link");
    let file = pdf_of(&guide, folder.path(), false);
    let links = String::from_utf8(run("pdfinfo", &["-url", &file.to_string_lossy()])).expect("text");
    assert!(links.contains("mailto:"), "{links}");
    let flat = pdf_of(&guide, folder.path(), true);
    let sizes = sizes(&guide);
    let last = sizes.len();
    assert_eq!(words::fold(&text_of_page(&flat, last)), "");
    let own = likeness::at_half_size(&write(&guide.document, FileFormat::Png, u32::try_from(last).ok(), 1));
    assert!(likeness::of(pictures(&flat, &sizes).last().expect("a page"), &own) >= LEAST_LIKENESS);
}
