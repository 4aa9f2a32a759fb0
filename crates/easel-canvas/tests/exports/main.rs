//! Every kind of file opened again by something that is not ours: PDFs by poppler, presentations by LibreOffice, pictures
//! and zips by libraries of their own. What is read has to be what the design says and look as its picture looks.
//!
//! The forty designs of the gallery go through all of it. LibreOffice takes minutes: `cargo xtask soak`.

#[path = "../briefs/mod.rs"]
mod briefs;
mod likeness;
mod pictures;
mod poppler;
mod presentations;
mod scripts;
mod words;

use easel_canvas::{Document, FileFormat, RenderRequest, compose, render};

/// A design of the gallery and its name.
struct Design {
    name: &'static str,
    document: Document,
}

/// All forty.
fn designs() -> Vec<Design> {
    let draw = |named: briefs::Named| {
        let composed = compose(&named.brief, &mut |_| {}).unwrap_or_else(|error| panic!("{}: {error}", named.name));
        Design { name: named.name, document: composed.document }
    };
    briefs::all().into_iter().map(draw).collect()
}

/// The document as a file.
fn write(document: &Document, format: FileFormat, page: Option<u32>, pixel_ratio: u32) -> Vec<u8> {
    render(document, &RenderRequest { format, page, pixel_ratio, flatten: false }).expect("a file").bytes
}
