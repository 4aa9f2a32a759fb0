//! A picture of a file that is none itself, for someone who looks for it in a list or through it: a page of a PDF, and the
//! picture of itself that a presentation, a document, a table or the file of a drawing program carries.
//!
//! Always true: the picture is a PNG, its longer side at most [`LONGEST_SIDE`] pixels; what carries no picture gets none;
//! nothing that the file refers to is followed, and every reader is bounded, as in `source`. Not here: pictures, which
//! show themselves.

use std::io::Read;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};

use super::picture;
use super::source::package;

/// The longer side of a preview, in pixels: a page on a screen.
const LONGEST_SIDE: u32 = 1_400;

/// A page of a PDF is drawn at no more than this many pixels a point: a stamp is not blown up.
const MOST_SCALE: f32 = 4.0;

/// Where packages carry a picture of themselves: the largest that a program writes goes first. In turn Apple's, Krita's
/// and OpenRaster's, Sketch's, Figma's, OpenDocument's and Microsoft's.
const CARRIED: [&str; 12] = [
    "preview.jpg",
    "QuickLook/Preview.jpg",
    "QuickLook/Thumbnail.jpg",
    "mergedimage.png",
    "preview.png",
    "previews/preview.png",
    "thumbnail.png",
    "Thumbnails/thumbnail.png",
    "docProps/thumbnail.jpeg",
    "docProps/thumbnail.jpg",
    "docProps/thumbnail.png",
    "docProps/thumbnail.webp",
];

/// No more of a carried picture is unpacked, in bytes.
const MOST_CARRIED_BYTES: u64 = 20_000_000;

/// The rest of a Photoshop file's header, after its signature and up to its colour mode data (Adobe Photoshop File Formats
/// Specification, "File Header Section").
const PSD_HEADER_BYTES: usize = 22;
/// The image resource that holds a preview as JPEG (the same, "Image Resource IDs").
const PSD_THUMBNAIL: u16 = 1_036;
/// What stands before that JPEG (the same, "Thumbnail resource format").
const PSD_THUMBNAIL_HEADER_BYTES: usize = 28;

/// What a page of a file looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The picture, as PNG.
    pub png: Vec<u8>,
    /// How many pages can be looked at: 1 where the file carries a picture of itself.
    pub page_count: u32,
}

/// What the page `page` of a file looks like, from 1; `None` where the file is of no kind that has a preview, carries none, has no
/// such page, or is broken.
#[must_use]
pub fn preview(bytes: &[u8], page: u32) -> Option<Preview> {
    if bytes.starts_with(b"%PDF-") {
        return draw_page(bytes, page);
    }
    if page != 1 {
        return None;
    }
    let carried = if bytes.starts_with(b"PK\x03\x04") {
        carried_in_package(bytes)
    } else {
        carried_in_psd(bytes).map(<[u8]>::to_vec)
    };
    let png = picture::preview(&picture::read_bytes("", &carried?).ok()?, LONGEST_SIDE).ok()?;
    Some(Preview { png, page_count: 1 })
}

/// A page of a PDF, from 1.
fn draw_page(bytes: &[u8], page: u32) -> Option<Preview> {
    let pdf = Pdf::new(bytes.to_vec()).ok()?;
    let page_count = u32::try_from(pdf.pages().len()).ok()?;
    let page = pdf.pages().get(usize::try_from(page.checked_sub(1)?).ok()?)?;
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    if !longer.is_finite() || width.min(height) < 1.0 {
        return None;
    }
    let scale = (LONGEST_SIDE as f32 / longer).min(MOST_SCALE);
    if width.min(height) * scale < 1.0 {
        return None;
    }
    let size = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let (cache, settings) = (RenderCache::new(), InterpreterSettings::default());
    let png = hayro::render(page, &cache, &settings, &RenderSettings::default(), &size).into_png().ok()?;
    Some(Preview { png, page_count })
}

/// The picture that a package carries of itself.
fn carried_in_package(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut package = package::open(bytes).ok()?;
    for name in CARRIED {
        let Ok(part) = package.by_name(name) else { continue };
        let mut picture = Vec::new();
        if part.take(MOST_CARRIED_BYTES).read_to_end(&mut picture).is_ok() && !picture.is_empty() {
            return Some(picture);
        }
    }
    None
}

/// The JPEG among the image resources of a Photoshop file.
fn carried_in_psd(bytes: &[u8]) -> Option<&[u8]> {
    let (_, rest) = split_section(bytes.strip_prefix(b"8BPS")?.get(PSD_HEADER_BYTES..)?)?;
    let (mut resources, _) = split_section(rest)?;
    while let Some(after) = resources.strip_prefix(b"8BIM") {
        let (id, after) = after.split_first_chunk()?;
        // A name has its length before it, and both together an even number of bytes.
        let name = (usize::from(*after.first()?) + 1).next_multiple_of(2);
        let (data, after) = split_section(after.get(name..)?)?;
        if u16::from_be_bytes(*id) == PSD_THUMBNAIL {
            return data.get(PSD_THUMBNAIL_HEADER_BYTES..);
        }
        resources = after.get(data.len() % 2..)?;
    }
    None
}

/// A section that has its length before it, and what follows it.
fn split_section(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
}
