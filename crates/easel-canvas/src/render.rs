//! From a document to files: SVG first, from it pictures and PDF, and PPTX from the nodes themselves.
//!
//! The SVG of a page is what every picture of it is made from, so that formats cannot drift apart. Nothing here reads
//! anything but the document: references to files or addresses inside of a picture are not followed.

mod archive;
mod parallel;
mod pdf;
mod pptx;
mod raster;
mod svg;
mod warning;

use crate::document::{Document, Page};
use crate::error::Error;
use crate::fonts;

pub(crate) use raster::thumbnail_of;
pub use raster::{MAX_PIXELS, thumbnail};
pub(crate) use raster::{picture_png, sealed_options};
pub use warning::Warning;

/// The kinds of file that a document is rendered to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// A picture without loss.
    Png,
    /// A picture for the web.
    Jpeg,
    /// A drawing that scales.
    Svg,
    /// For reading and printing.
    Pdf,
    /// To be worked on in a presentation program.
    Pptx,
}

/// What is to be rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderRequest {
    /// The kind of file.
    pub format: FileFormat,
    /// One page, from 1; all of them where absent.
    pub page: Option<u32>,
    /// Pixels of a picture for each pixel of the page, 1 to 4. Other numbers are brought into that range.
    pub pixel_ratio: u32,
    /// PDF only: pages as shapes, without text that can be marked.
    pub flatten: bool,
}

/// A rendered file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it is.
    pub mime_type: &'static str,
    /// How its name ends, without the dot.
    pub extension: &'static str,
    /// What the format cannot carry.
    pub warnings: Vec<Warning>,
}

/// Renders pages of a document. Several pages as pictures or SVG come as one zip.
///
/// # Errors
/// [`Error::PageMissing`] for a page that is not there, [`Error::TooManyPixels`] for a picture too large for memory,
/// [`Error::LettersMissing`] where no typeface has its letters.
pub fn render(document: &Document, request: &RenderRequest) -> Result<Rendered, Error> {
    let pages = select_pages(document, request.page)?;
    let ratio = request.pixel_ratio.clamp(1, 4);
    let mut warnings = check_letters(&words_of(&pages, document), document.theme.fonts.han)?;
    let (bytes, mime_type, extension) = match request.format {
        FileFormat::Png => draw_each(&pages, "png", "image/png", ratio, |page| raster::png(document, page, ratio))?,
        FileFormat::Jpeg => draw_each(&pages, "jpg", "image/jpeg", ratio, |page| raster::jpeg(document, page, ratio))?,
        FileFormat::Svg => {
            draw_each(&pages, "svg", "image/svg+xml", 1, |page| Ok(svg::standalone(document, page).into_bytes()))?
        }
        FileFormat::Pdf => (pdf::write(document, &pages, request.flatten)?, "application/pdf", "pdf"),
        FileFormat::Pptx => {
            let bytes = pptx::write(document, &pages, &mut warnings)?;
            (bytes, "application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx")
        }
    };
    Ok(Rendered { bytes, mime_type, extension, warnings })
}

fn select_pages(document: &Document, page: Option<u32>) -> Result<Vec<&Page>, Error> {
    let Some(number) = page else { return Ok(document.pages.iter().collect()) };
    let missing = || Error::PageMissing { page: number, page_count: document.pages.len() as u32 };
    let at = (number as usize).checked_sub(1).ok_or_else(missing)?;
    Ok(vec![document.pages.get(at).ok_or_else(missing)?])
}

fn draw_each(
    pages: &[&Page],
    extension: &'static str,
    mime_type: &'static str,
    ratio: u32,
    draw: impl Fn(&Page) -> Result<Vec<u8>, Error> + Sync,
) -> Result<(Vec<u8>, &'static str, &'static str), Error> {
    let largest_px = largest_px(pages, ratio);
    if let [page] = pages {
        return Ok((draw(page)?, mime_type, extension));
    }
    let files = parallel::for_each(pages, largest_px, |page| draw(page))?;
    Ok((archive::pack(&files, extension)?, "application/zip", "zip"))
}

/// Pixels of the largest page as a picture.
fn largest_px(pages: &[&Page], ratio: u32) -> u64 {
    let pixels = |page: &&Page| u64::from(page.width * ratio) * u64::from(page.height * ratio);
    pages.iter().map(pixels).max().unwrap_or(0)
}

fn words_of(pages: &[&Page], document: &Document) -> String {
    let mut words = String::new();
    for page in pages {
        svg::visit_texts(document, page, &mut |text| words.push_str(&text.text()));
    }
    words
}

/// What is to be said of letters that no shipped font has: which font of the system they are set in, and which signs are left out
/// because no font at all has them.
///
/// # Errors
/// [`Error::LettersMissing`] where a package has what is missing here: nothing is drawn as an empty box.
pub(crate) fn check_letters(words: &str, han: fonts::Han) -> Result<Vec<Warning>, Error> {
    let (lack, unknown) = fonts::find_lack(words, han);
    if let Some(fonts::Lack { script, package, letters }) = lack {
        return Err(Error::LettersMissing { letters, script, package });
    }
    let (families, _) = fonts::beyond_shipped(words, han);
    let mut warnings = Vec::new();
    if !families.is_empty() {
        let families = families.join("”, “");
        warnings.push(Warning {
            code: "system_font",
            message: format!(
                "Some letters are set in “{families}”, a font of the system: they may look otherwise elsewhere."
            ),
        });
    }
    if !unknown.is_empty() {
        let count = unknown.chars().count();
        warnings.push(Warning {
            code: "signs_left_out",
            message: format!("{count} signs that no font has were left out."),
        });
    }
    Ok(warnings)
}
