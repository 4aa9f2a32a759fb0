//! Pictures that came with a brief: checked before they are opened, made no larger than a page can use, and the colours
//! that one lends.
//!
//! An SVG is read in full and written anew, so that nothing it refers to and no script in it is left.

mod drawing;

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use sha2::{Digest, Sha256};

use crate::brief::Attachment;
use crate::color::{Oklch, Rgb};
use crate::document::Asset;
use crate::error::Error;
use crate::render::{picture_png, sealed_options};

/// No larger side is opened: what claims more is refused before memory is taken for it.
const MAX_SIDE: u32 = 12_000;

/// Memory that opening a picture may take.
const MAX_ALLOC_BYTES: u64 = 400_000_000;

/// The longer side that a picture is kept at.
const KEPT_SIDE: u32 = 2400;

/// A picture of more bytes is not opened.
pub const MAX_FILE_BYTES: usize = 60_000_000;

const MAX_SVG_BYTES: usize = 4_000_000;

/// Whether a file is a picture, by its first bytes.
pub fn is_picture(attachment: &Attachment) -> bool {
    image::guess_format(&attachment.bytes).is_ok_and(|format| {
        matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP)
    }) || is_svg(&attachment.bytes)
}

fn is_svg(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]);
    head.trim_start_matches('\u{feff}').trim_start().starts_with('<') && head.contains("<svg")
}

/// The picture as an asset.
pub fn read(attachment: &Attachment) -> Result<Asset, Error> {
    read_bytes(&attachment.name, &attachment.bytes)
}

/// The picture of these bytes as an asset.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Result<Asset, Error> {
    let unreadable = |reason: &str| Error::AttachmentUnreadable { name: name.to_owned(), reason: reason.to_owned() };
    let alt = super::source::title_of_file(name);
    if is_svg(bytes) {
        if bytes.len() > MAX_SVG_BYTES {
            return Err(unreadable("the drawing is too large"));
        }
        drawing::check(bytes).map_err(unreadable)?;
        let tree = usvg::Tree::from_data(bytes, &sealed_options()).map_err(|_| unreadable("the drawing is broken"))?;
        drawing::check_layers(&tree).map_err(unreadable)?;
        let size = tree.size();
        let bytes = tree.to_string(&usvg::WriteOptions::default()).into_bytes();
        let side = |side: f32| side.ceil().clamp(1.0, 100_000.0) as u32;
        return Ok(asset("image/svg+xml", side(size.width()), side(size.height()), alt, bytes));
    }
    if bytes.len() > MAX_FILE_BYTES {
        return Err(unreadable("the picture is too large"));
    }
    let picture = open(bytes).map_err(|reason| unreadable(&reason))?;
    let (width, height) = (picture.width(), picture.height());
    let is_large = width.max(height) > KEPT_SIDE;
    let picture =
        if is_large { picture.resize(KEPT_SIDE, KEPT_SIDE, image::imageops::FilterType::Triangle) } else { picture };
    let is_jpeg = image::guess_format(bytes).is_ok_and(|format| format == ImageFormat::Jpeg);
    let is_kept = !is_large && (is_jpeg || image::guess_format(bytes).is_ok_and(|format| format == ImageFormat::Png));
    let mime = if is_jpeg { "image/jpeg" } else { "image/png" };
    let kept = if is_kept {
        bytes.to_vec()
    } else {
        let mut out = Cursor::new(Vec::new());
        let (picture, format) = if is_jpeg {
            (DynamicImage::from(picture.to_rgb8()), ImageFormat::Jpeg)
        } else {
            (DynamicImage::from(picture.to_rgba8()), ImageFormat::Png)
        };
        picture.write_to(&mut out, format).map_err(Error::drawing)?;
        out.into_inner()
    };
    let (width, height) = (picture.width(), picture.height());
    Ok(asset(mime, width, height, alt, kept))
}

/// A small picture of one that was read, as PNG, its longer side at most `side_px` pixels. What is clear stays clear.
pub fn preview(picture: &Asset, side_px: u32) -> Result<Vec<u8>, Error> {
    if picture.mime == "image/svg+xml" {
        return picture_png(&picture.bytes, side_px);
    }
    let small = image::load_from_memory(&picture.bytes).map_err(Error::drawing)?;
    let mut out = Cursor::new(Vec::new());
    let small = if small.width().max(small.height()) > side_px { small.thumbnail(side_px, side_px) } else { small };
    DynamicImage::from(small.to_rgba8()).write_to(&mut out, ImageFormat::Png).map_err(Error::drawing)?;
    Ok(out.into_inner())
}

fn open(bytes: &[u8]) -> Result<DynamicImage, String> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOC_BYTES);
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let (width, height) = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| error.to_string())?
        .into_dimensions()
        .map_err(|_| "the picture is broken".to_owned())?;
    if width > MAX_SIDE || height > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_ALLOC_BYTES / 4 {
        return Err(format!("it says that it has {width} by {height} pixels, more than can be opened"));
    }
    reader.limits(limits);
    reader.decode().map_err(|_| "the picture is broken".to_owned())
}

fn asset(mime: &str, width: u32, height: u32, alt: String, bytes: Vec<u8>) -> Asset {
    let id: String = Sha256::digest(&bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Asset { id, mime: mime.to_owned(), width, height, alt, bytes }
}

/// The colours that a picture is made of: the strongest first, then one that differs from it; its paper last.
pub fn palette_of(attachment: &Attachment) -> Vec<Rgb> {
    let Ok(picture) = open(&attachment.bytes) else { return Vec::new() };
    let small = picture.thumbnail(64, 64).to_rgb8();
    let pixels: Vec<[f32; 3]> = small.pixels().map(|pixel| Rgb::new(pixel[0], pixel[1], pixel[2]).oklab()).collect();
    let clusters = cluster(&pixels);
    let mut strong: Vec<(f32, Oklch)> = clusters
        .iter()
        .map(|(centre, share)| {
            let color = Oklch::new(
                centre[0],
                centre[1].hypot(centre[2]),
                centre[2].atan2(centre[1]).to_degrees().rem_euclid(360.0),
            );
            (color.c * share.sqrt() * if (0.25..0.9).contains(&color.l) { 1.0 } else { 0.3 }, color)
        })
        .collect();
    strong.sort_by(|one, two| two.0.total_cmp(&one.0));
    let Some((_, first)) = strong.first().copied() else { return Vec::new() };
    let turn = |hue: f32| (hue - first.h + 180.0).rem_euclid(360.0) - 180.0;
    let second = strong
        .iter()
        .skip(1)
        .map(|(_, color)| *color)
        .find(|color| turn(color.h).abs() > 25.0 || (color.l - first.l).abs() > 0.2);
    let mut colors = vec![first.rgb()];
    colors.extend(second.map(Oklch::rgb));
    colors
}

/// Six groups of colours and what share of the picture each has (k-means in OKLab, begun evenly over the lightness).
fn cluster(pixels: &[[f32; 3]]) -> Vec<([f32; 3], f32)> {
    const GROUPS: usize = 6;
    if pixels.is_empty() {
        return Vec::new();
    }
    let mut sorted = pixels.to_vec();
    sorted.sort_by(|one, two| one[0].total_cmp(&two[0]));
    let mut centres: Vec<[f32; 3]> = (0..GROUPS).map(|at| sorted[(sorted.len() - 1) * at / (GROUPS - 1)]).collect();
    let mut counts = [0_usize; GROUPS];
    for _ in 0..12 {
        let mut sums = [[0.0_f32; 3]; GROUPS];
        counts = [0; GROUPS];
        for pixel in pixels {
            let far = |centre: &[f32; 3]| centre.iter().zip(pixel).map(|(one, two)| (one - two).powi(2)).sum::<f32>();
            let nearest =
                (0..GROUPS).min_by(|one, two| far(&centres[*one]).total_cmp(&far(&centres[*two]))).unwrap_or(0);
            for part in 0..3 {
                sums[nearest][part] += pixel[part];
            }
            counts[nearest] += 1;
        }
        for at in 0..GROUPS {
            if counts[at] > 0 {
                centres[at] = sums[at].map(|sum| sum / counts[at] as f32);
            }
        }
    }
    centres
        .into_iter()
        .zip(counts)
        .filter(|(_, count)| *count > 0)
        .map(|(centre, count)| (centre, count as f32 / pixels.len() as f32))
        .collect()
}
