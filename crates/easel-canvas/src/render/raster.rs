//! A page as a picture.
//!
//! The text of the SVG is shaped with the fonts of that page and no others, and nothing outside of the SVG is read.

use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use tiny_skia::{Pixmap, Transform};

use super::svg;
use crate::document::{Document, Page};
use crate::error::Error;
use crate::fonts;

/// Pixels that a picture may have: a page of 4000 by 4000 at twice its size.
pub const MAX_PIXELS: u64 = 64_000_000;

/// How good a JPEG is, of 100.
const JPEG_QUALITY: u8 = 90;

/// Reads our own SVG into what draws it.
pub fn parse(source: &str, faces: &[fonts::FaceId]) -> Result<usvg::Tree, Error> {
    let options = usvg::Options { fontdb: fonts::database(faces), ..sealed_options() };
    usvg::Tree::from_str(source, &options).map_err(Error::drawing)
}

/// Options under which an SVG can reach nothing but itself.
pub fn sealed_options() -> usvg::Options<'static> {
    usvg::Options {
        resources_dir: None,
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_data: usvg::ImageHrefResolver::default_data_resolver(),
            resolve_string: Box::new(|_, _| None),
        },
        fontdb: Arc::new(fontdb::Database::new()),
        ..usvg::Options::default()
    }
}

/// The page as what draws it.
pub fn tree(document: &Document, page: &Page) -> Result<usvg::Tree, Error> {
    let faces: Vec<fonts::FaceId> = svg::faces_of(document, page).into_iter().collect();
    parse(&svg::page(document, page), &faces)
}

fn draw(document: &Document, page: &Page, scale: f32) -> Result<Pixmap, Error> {
    let width = ((page.width as f32 * scale).round() as u32).max(1);
    let height = ((page.height as f32 * scale).round() as u32).max(1);
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        return Err(Error::TooManyPixels { pixels, max: MAX_PIXELS });
    }
    let mut pixmap = Pixmap::new(width, height).ok_or_else(|| Error::drawing("a picture without pixels"))?;
    let tree = tree(document, page)?;
    let across = width as f32 / page.width as f32;
    let down = height as f32 / page.height as f32;
    resvg::render(&tree, Transform::from_scale(across, down), &mut pixmap.as_mut());
    Ok(pixmap)
}

/// The page as PNG.
pub fn png(document: &Document, page: &Page, ratio: u32) -> Result<Vec<u8>, Error> {
    encode_png(draw(document, page, ratio as f32)?)
}

/// A page's pixels without their alpha: every page stands on an opaque ground, so that nothing shows through. In the memory that
/// they are in, because two threads that ask the system for as much again, page after page, wait for each other there.
fn opaque_pixels(pixmap: Pixmap) -> Vec<u8> {
    let mut pixels = pixmap.take();
    let count = pixels.len() / 4;
    for at in 0..count {
        pixels.copy_within(at * 4..at * 4 + 3, at * 3);
    }
    pixels.truncate(count * 3);
    pixels
}

fn encode_png(pixmap: Pixmap) -> Result<Vec<u8>, Error> {
    let (width, height) = (pixmap.width(), pixmap.height());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(Error::drawing)?;
    writer.write_image_data(&opaque_pixels(pixmap)).map_err(Error::drawing)?;
    writer.finish().map_err(Error::drawing)?;
    Ok(bytes)
}

/// The page as JPEG.
pub fn jpeg(document: &Document, page: &Page, ratio: u32) -> Result<Vec<u8>, Error> {
    encode_jpeg(draw(document, page, ratio as f32)?)
}

fn encode_jpeg(pixmap: Pixmap) -> Result<Vec<u8>, Error> {
    let (width, height) = (pixmap.width(), pixmap.height());
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
        .write_image(&opaque_pixels(pixmap), width, height, ExtendedColorType::Rgb8)
        .map_err(Error::drawing)?;
    Ok(bytes)
}

/// The first page as a small PNG whose longer side has at most `max_side_px` pixels.
///
/// # Errors
/// [`Error::Drawing`] where the page cannot be drawn.
pub fn thumbnail(document: &Document, max_side_px: u32) -> Result<Vec<u8>, Error> {
    let page = document.pages.first().ok_or(Error::PageMissing { page: 1, page_count: 0 })?;
    thumbnail_of(document, page, max_side_px)
}

/// A page as a small PNG whose longer side has at most `max_side_px` pixels.
pub fn thumbnail_of(document: &Document, page: &Page, max_side_px: u32) -> Result<Vec<u8>, Error> {
    encode_png(draw_small(document, page, max_side_px)?)
}

/// The same as JPEG, which every program reads that shows what a file carries of itself.
pub fn thumbnail_jpeg(document: &Document, page: &Page, max_side_px: u32) -> Result<Vec<u8>, Error> {
    encode_jpeg(draw_small(document, page, max_side_px)?)
}

fn draw_small(document: &Document, page: &Page, max_side_px: u32) -> Result<Pixmap, Error> {
    let longer = page.width.max(page.height) as f32;
    let scale = (max_side_px.clamp(16, 4096) as f32 / longer).min(1.0);
    draw(document, page, scale)
}

/// A picture in SVG as PNG, its longer side `side_px` pixels.
pub fn picture_png(source: &[u8], side_px: u32) -> Result<Vec<u8>, Error> {
    let tree = usvg::Tree::from_data(source, &sealed_options()).map_err(Error::drawing)?;
    let size = tree.size();
    let scale = side_px as f32 / size.width().max(size.height());
    let (width, height) = ((size.width() * scale).ceil() as u32, (size.height() * scale).ceil() as u32);
    let mut pixmap =
        Pixmap::new(width.max(1), height.max(1)).ok_or_else(|| Error::drawing("a picture without pixels"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(Error::drawing)
}
