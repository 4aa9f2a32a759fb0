//! Pages as PPTX: words stay words that can be edited, tables stay tables, charts stay charts with their numbers.
//!
//! Deliberately not here: anything that only one program understands. Fonts are named, not embedded; a program without
//! them sets the same boxes in its own.

mod chart_part;
mod package;
mod parts;
mod slide;
mod workbook;

use super::archive::{Entry, write_zip};
use super::raster;
use super::warning::Warning;
use crate::document::{Document, Page};
use crate::error::Error;
use package::Package;

/// What a presentation program counts in: 1/914,400 of an inch.
const EMU_PER_PIXEL: f32 = 9525.0;

/// The smallest and largest side of a slide that the format allows, in EMU.
const SIDE_EMU: (f32, f32) = (914_400.0, 51_206_400.0);

/// The longer side of the picture of the first slide that file managers show, in pixels.
const THUMBNAIL_SIDE: u32 = 512;

/// The size of the slides, and how pages are brought to it.
#[derive(Clone, Copy)]
struct Canvas {
    width_emu: i64,
    height_emu: i64,
    page: (f32, f32),
    scale: f32,
}

impl Canvas {
    /// All slides of a file have one size: the first page's. A page of another size stands in the middle of it.
    fn of(pages: &[&Page]) -> Self {
        let (width, height) = pages.first().map_or((1920.0, 1080.0), |page| (page.width as f32, page.height as f32));
        let (longer, shorter) = (width.max(height) * EMU_PER_PIXEL, width.min(height) * EMU_PER_PIXEL);
        let mut scale = 1.0;
        if shorter < SIDE_EMU.0 {
            scale = SIDE_EMU.0 / shorter;
        }
        if longer * scale > SIDE_EMU.1 {
            scale = SIDE_EMU.1 / longer;
        }
        Self {
            width_emu: (width * EMU_PER_PIXEL * scale) as i64,
            height_emu: (height * EMU_PER_PIXEL * scale) as i64,
            page: (width, height),
            scale,
        }
    }

    /// For a page: the factor from its pixels to the slide's EMU, and where it begins.
    fn place(&self, page: &Page) -> slide::Placing {
        let (width, height) = (page.width as f32, page.height as f32);
        let fit = (self.page.0 / width).min(self.page.1 / height);
        let emu = fit * self.scale * EMU_PER_PIXEL;
        slide::Placing {
            emu,
            left: (self.width_emu as f32 - width * emu) / 2.0,
            top: (self.height_emu as f32 - height * emu) / 2.0,
        }
    }
}

/// The pages as one file.
pub fn write(document: &Document, pages: &[&Page], warnings: &mut Vec<Warning>) -> Result<Vec<u8>, Error> {
    let canvas = Canvas::of(pages);
    let mut package = Package::default();
    let has_notes = pages.iter().any(|page| !page.notes.trim().is_empty());
    let families = families_of(document);
    warnings.push(Warning {
        code: "fonts_named",
        message: format!(
            "The file names its fonts ({families}) and does not hold them: elsewhere they have to be installed."
        ),
    });
    let is_mixed = pages.iter().any(|page| (page.width as f32, page.height as f32) != canvas.page);
    if is_mixed {
        warnings.push(Warning {
            code: "pages_resized",
            message: "The slides of a PPTX have one size: pages of another size were brought to it.".to_owned(),
        });
    }
    let first = pages.first().ok_or(Error::PageMissing { page: 1, page_count: 0 })?;
    package.add(parts::THUMBNAIL, None, raster::thumbnail_jpeg(document, first, THUMBNAIL_SIDE)?);
    parts::add_frame(&mut package, document, pages.len(), (canvas.width_emu, canvas.height_emu), has_notes);
    for (at, page) in pages.iter().enumerate() {
        slide::add(&mut package, document, page, at + 1, canvas.place(page), has_notes)?;
    }
    let types = parts::content_types(&package.overrides);
    let mut entries = vec![Entry { name: "[Content_Types].xml", bytes: types.as_bytes() }];
    entries.extend(package.parts.iter().map(|(name, bytes)| Entry { name, bytes }));
    write_zip(&entries)
}

/// The families of a document's theme, each once.
fn families_of(document: &Document) -> String {
    let fonts = &document.theme.fonts;
    let mut families: Vec<&str> = Vec::new();
    for choice in [&fonts.heading, &fonts.body, &fonts.label] {
        if !families.contains(&choice.family.as_str()) {
            families.push(&choice.family);
        }
    }
    families.join(", ")
}
