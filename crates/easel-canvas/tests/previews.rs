//! Previews of files that are no pictures, of this crate's making and of other hands.

use std::io::{Cursor, Write};

use easel_canvas::{Brief, Category, Document, FileFormat, Format, RenderRequest, compose, preview, render, thumbnail};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const RED: [u8; 4] = [200, 16, 46, 255];

fn picture(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let picture = DynamicImage::from(RgbaImage::from_pixel(width, height, Rgba(RED)));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(picture.to_rgb8()).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

fn package(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a part");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("a package").into_inner()
}

fn seen(bytes: &[u8]) -> RgbaImage {
    let drawn = preview(bytes, 1).expect("a preview");
    image::load_from_memory_with_format(&drawn.png, ImageFormat::Png).expect("a PNG").to_rgba8()
}

fn deck() -> Document {
    let text = "Harbour festival, 12 June, 18:00, Pier 4. Live music, food and boats. Deep blue.";
    compose(&Brief::new(text, Format::of(Category::Slides), 5), &mut |_| {}).expect("a design").document
}

/// How far two pictures differ, from 0 to 255, once both have one size.
fn difference(one: &RgbaImage, other: &RgbaImage) -> f64 {
    let size = (48, 48);
    let small =
        |picture: &RgbaImage| image::imageops::resize(picture, size.0, size.1, image::imageops::FilterType::Triangle);
    let (one, other) = (small(one), small(other));
    let all = one.as_raw().iter().zip(other.as_raw());
    all.map(|(one, other)| f64::from(one.abs_diff(*other))).sum::<f64>() / f64::from(size.0 * size.1 * 4)
}

#[test]
fn a_pdf_and_a_presentation_are_seen_by_their_first_page() {
    let document = deck();
    let drawn = image::load_from_memory(&thumbnail(&document, 1_000).expect("a thumbnail")).expect("a PNG").to_rgba8();
    for format in [FileFormat::Pdf, FileFormat::Pptx] {
        let request = RenderRequest { format, page: None, pixel_ratio: 1, flatten: false };
        let file = render(&document, &request).expect("a file");
        let seen = seen(&file.bytes);
        let ratio = |picture: &RgbaImage| f64::from(picture.width()) / f64::from(picture.height());
        assert!((ratio(&seen) - ratio(&drawn)).abs() < 0.02, "{format:?}: {:?}", seen.dimensions());
        assert!(seen.width().max(seen.height()) <= 1_400, "{format:?}: {:?}", seen.dimensions());
        let off = difference(&seen, &drawn);
        assert!(off < 4.0, "{format:?}: {off} off what the page itself looks like");
    }
}

#[test]
fn each_page_of_a_pdf_can_be_looked_at_and_none_beyond() {
    let text = "4 slides: the harbour, the boats, the music, the way there.\n\nThe harbour: Pier 4 is open again after two years.\n\
        The boats: twelve tall ships and a ferry.\nThe music: two stages, from noon to midnight.\nThe way there: tram 7, every ten minutes.";
    let document = compose(&Brief::new(text, Format::of(Category::Slides), 4), &mut |_| {}).expect("a design").document;
    let pages = u32::try_from(document.pages.len()).expect("a few");
    assert!(pages > 2, "{pages}");
    let of = |format, page| {
        render(&document, &RenderRequest { format, page, pixel_ratio: 1, flatten: false }).expect("a file").bytes
    };
    let file = of(FileFormat::Pdf, None);
    for page in 1..=pages {
        let drawn = preview(&file, page).expect("a page");
        assert_eq!(drawn.page_count, pages);
        let seen = image::load_from_memory(&drawn.png).expect("a PNG").to_rgba8();
        let itself = image::load_from_memory(&of(FileFormat::Png, Some(page))).expect("a PNG").to_rgba8();
        let off = difference(&seen, &itself);
        assert!(off < 4.0, "{page}: {off} off what the page itself looks like");
    }
    for none in [0, pages + 1, u32::MAX] {
        assert_eq!(preview(&file, none), None, "{none}");
    }
    let carried = package(&[("preview.png", &picture(ImageFormat::Png, 12, 8))]);
    assert_eq!(preview(&carried, 1).map(|drawn| drawn.page_count), Some(1));
    assert_eq!(preview(&carried, 2), None);
}

#[test]
fn what_a_file_carries_of_itself_is_shown() {
    let jpeg = picture(ImageFormat::Jpeg, 120, 80);
    let png = picture(ImageFormat::Png, 120, 80);
    let large = picture(ImageFormat::Png, 2_800, 1_400);
    for (name, part, expected) in [
        ("Thumbnails/thumbnail.png", &png, (120, 80)),
        ("docProps/thumbnail.jpeg", &jpeg, (120, 80)),
        ("preview.jpg", &jpeg, (120, 80)),
        ("mergedimage.png", &large, (1_400, 700)),
    ] {
        let seen = seen(&package(&[("content.xml", b"<content/>"), (name, part)]));
        assert_eq!(seen.dimensions(), expected, "{name}");
        assert!(seen.pixels().all(|pixel| pixel[0] > 180 && pixel[1] < 40), "{name}");
    }
    // The larger of two goes first.
    let both = package(&[("docProps/thumbnail.jpeg", &picture(ImageFormat::Jpeg, 30, 20)), ("preview.jpg", &jpeg)]);
    assert_eq!(seen(&both).dimensions(), (120, 80));
}

/// A Photoshop file with these image resources, without layers and pixels.
fn photoshop(resources: &[(u16, &[u8], &[u8])]) -> Vec<u8> {
    let mut all = Vec::new();
    for (id, name, data) in resources {
        all.extend_from_slice(b"8BIM");
        all.extend_from_slice(&id.to_be_bytes());
        all.push(u8::try_from(name.len()).expect("a short name"));
        all.extend_from_slice(name);
        if name.len() % 2 == 0 {
            all.push(0);
        }
        all.extend_from_slice(&u32::try_from(data.len()).expect("a length").to_be_bytes());
        all.extend_from_slice(data);
        if data.len() % 2 == 1 {
            all.push(0);
        }
    }
    let mut file = b"8BPS\x00\x01\0\0\0\0\0\0\x00\x03".to_vec();
    file.extend_from_slice(&[0, 0, 0, 80, 0, 0, 0, 120, 0, 8, 0, 3]);
    // No colour mode data.
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&u32::try_from(all.len()).expect("a length").to_be_bytes());
    file.extend_from_slice(&all);
    file
}

#[test]
fn a_photoshop_file_is_seen_by_its_thumbnail() {
    let mut thumbnail = vec![0; 28];
    thumbnail.extend_from_slice(&picture(ImageFormat::Jpeg, 160, 107));
    let file = photoshop(&[(1_005, b"", b"odd"), (1_050, b"slices", b"even"), (1_036, b"", &thumbnail)]);
    assert_eq!(seen(&file).dimensions(), (160, 107));
    assert!(preview(&photoshop(&[(1_005, b"", b"odd")]), 1).is_none());
    for end in (0..file.len()).step_by(7) {
        // Wherever it is cut off, it is no picture or a part of one, and nothing breaks.
        let _ = preview(&file[..end], 1);
    }
}

#[test]
fn what_shows_nothing_has_no_preview() {
    for (what, bytes) in [
        ("nothing", Vec::new()),
        ("a text", b"Plain words.".to_vec()),
        ("a PDF of nothing", b"%PDF-1.7\n".to_vec()),
        ("a package that carries none", package(&[("word/document.xml", b"<document/>")])),
        ("a package whose picture is none", package(&[("docProps/thumbnail.jpeg", b"no picture")])),
        ("a broken package", b"PK\x03\x04 and no more".to_vec()),
    ] {
        assert!(preview(&bytes, 1).is_none(), "{what}");
    }
}
