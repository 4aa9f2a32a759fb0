//! What stands on the pages, read back from what is exported.

use std::fs;
use std::io::{Cursor, Read};
use std::process::Command;

use easel_canvas::document::{Document, Node};
use easel_canvas::{FileFormat, RenderRequest, render};

use super::words::tokens;

/// The words of each box of a page.
pub fn words_of_boxes(document: &Document, at: usize) -> Vec<Vec<String>> {
    fn walk(nodes: &[Node], words: &mut Vec<Vec<String>>) {
        for node in nodes {
            match node {
                Node::Text(text) => words.push(tokens(&text.text())),
                Node::Group(group) => walk(&group.nodes, words),
                Node::Table(table) => words.extend(
                    std::iter::once(&table.data.head).chain(&table.data.rows).flatten().map(|cell| tokens(cell)),
                ),
                _ => {}
            }
        }
    }
    let mut words = Vec::new();
    if let Some(page) = document.pages.get(at) {
        walk(&page.nodes, &mut words);
    }
    words
}

/// The words of each page, as poppler reads them.
pub fn pages_of_pdf(document: &Document) -> Vec<String> {
    let request = RenderRequest { format: FileFormat::Pdf, page: None, pixel_ratio: 1, flatten: false };
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), render(document, &request).expect("a PDF").bytes).expect("a file");
    let output =
        Command::new("pdftotext").arg("-q").arg(file.path()).arg("-").output().expect("pdftotext (poppler-utils)");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut pages: Vec<String> = text.split('\u{c}').map(str::to_owned).collect();
    pages.truncate(document.page_count());
    pages
}

/// The title of each slide, as a presentation program lists it.
pub fn titles_of_pptx(document: &Document) -> Vec<Vec<String>> {
    let request = RenderRequest { format: FileFormat::Pptx, page: None, pixel_ratio: 1, flatten: false };
    let mut zip =
        zip::ZipArchive::new(Cursor::new(render(document, &request).expect("a presentation").bytes)).expect("a zip");
    (1..=document.page_count())
        .map(|number| {
            let mut xml = String::new();
            zip.by_name(&format!("ppt/slides/slide{number}.xml"))
                .expect("a slide")
                .read_to_string(&mut xml)
                .expect("its text");
            let title = xml
                .split(r#"<p:ph type="title"/>"#)
                .nth(1)
                .and_then(|rest| rest.split("</p:sp>").next())
                .unwrap_or_default();
            let words: String =
                title.split("<a:t>").skip(1).filter_map(|run| run.split("</a:t>").next()).collect::<Vec<_>>().join(" ");
            tokens(&words.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'").replace("&apos;", "'"))
        })
        .collect()
}
