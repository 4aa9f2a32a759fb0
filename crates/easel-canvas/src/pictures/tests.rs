//! Designs with pictures, one of which is exchanged.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;
use crate::document::Category;
use crate::{Attachment, AttachmentRole, Brand, Brief, FileFormat, Format, RenderRequest, compose, edit, render};

const DECK: &str = "# Bread of the week\n\n## Why rye\n\nRye keeps longer than wheat, and tastes of more.\n\n## What it costs\n\n\
                    A loaf is 4 euros.";

fn picture(width: u32, height: u32, color: [u8; 3]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = RgbImage::from_pixel(width, height, Rgb(color));
    DynamicImage::from(picture).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn attached(name: &str, bytes: Vec<u8>) -> Attachment {
    Attachment { role: AttachmentRole::Asset, name: name.to_owned(), mime: "image/png".to_owned(), bytes }
}

fn deck() -> Document {
    let mut brief = Brief::new(DECK, Format::of(Category::Slides), 7);
    brief.attachments = vec![
        attached("oven.png", picture(80, 60, [200, 40, 40])),
        attached("loaf.png", picture(60, 80, [40, 160, 40])),
    ];
    compose(&brief, &mut |_| {}).unwrap().document
}

fn all(document: &Document) -> Vec<PlacedPicture> {
    (0..document.page_count()).flat_map(|page| document.pictures(page)).collect()
}

fn named(document: &Document, description: &str) -> PlacedPicture {
    let found = all(document).into_iter().find(|picture| picture.description.eq_ignore_ascii_case(description));
    found.unwrap_or_else(|| panic!("no {description}: {:?}", all(document)))
}

fn svg(document: &Document) -> String {
    let page = |page| {
        let request = RenderRequest { format: FileFormat::Svg, page: Some(page), pixel_ratio: 1, flatten: false };
        String::from_utf8(render(document, &request).unwrap().bytes).unwrap()
    };
    (1..).take(document.page_count()).map(page).collect()
}

#[test]
fn a_picture_is_exchanged_in_its_frame_and_nothing_else_changes() {
    let before = deck();
    let oven = named(&before, "oven");
    let mut after = before.clone();
    after.replace_picture(&oven.reference, "harvest.png", &picture(40, 90, [20, 60, 200])).unwrap();
    let harvest = named(&after, "harvest");
    assert_eq!(harvest.frame, oven.frame);
    assert_eq!(named(&after, "loaf"), named(&before, "loaf"));
    assert_eq!(after.assets.len(), before.assets.len());
    assert_ne!(svg(&after), svg(&before));
    let mut back = after.clone();
    back.replace_picture(&harvest.reference, "oven.png", &picture(80, 60, [200, 40, 40])).unwrap();
    assert_eq!(back, before, "the picture of before brings back the design of before");
}

#[test]
fn a_remix_shows_the_picture_that_was_exchanged() {
    let mut document = deck();
    let oven = named(&document, "oven").reference;
    document.replace_picture(&oven, "harvest.png", &picture(40, 90, [20, 60, 200])).unwrap();
    let harvest = named(&document, "harvest").reference;
    let remixed = edit(&document, "Make it dark", None, 3, &mut |_| {}).unwrap().document;
    let shown: Vec<String> = all(&remixed).into_iter().map(|picture| picture.reference).collect();
    assert!(shown.contains(&harvest) && !shown.contains(&oven), "{shown:?}");
}

#[test]
fn a_logo_is_exchanged_wherever_it_stands() {
    let mut brief = Brief::new(DECK, Format::of(Category::Slides), 7);
    let logo = picture(64, 64, [10, 10, 10]);
    brief.brand = Some(Brand { name: "Mill".to_owned(), logo: Some(logo), ..Brand::default() });
    let mut document = compose(&brief, &mut |_| {}).unwrap().document;
    let before = all(&document);
    let reference = before[0].reference.clone();
    document.replace_picture(&reference, "new.png", &picture(64, 64, [90, 90, 10])).unwrap();
    let after = all(&document);
    assert_eq!(after.len(), before.len());
    assert!(after.iter().all(|picture| picture.reference != reference), "{after:?}");
    assert_eq!(document.origin.look.brand.unwrap().logo_asset, Some(after[0].reference.clone()));
}

#[test]
fn a_picture_that_the_design_has_already_is_kept_once() {
    let mut document = deck();
    let oven = named(&document, "oven").reference;
    document.replace_picture(&oven, "loaf.png", &picture(60, 80, [40, 160, 40])).unwrap();
    assert_eq!((document.assets.len(), all(&document).len()), (1, 2));
    assert!(svg(&document).contains("<svg"));
}

#[test]
fn what_is_no_picture_changes_nothing() {
    let before = deck();
    let oven = named(&before, "oven").reference;
    let mut document = before.clone();
    for bytes in [b"".as_slice(), b"a letter", b"<svg", &picture(9, 9, [0, 0, 0])[..40]] {
        let refused = document.replace_picture(&oven, "letter.png", bytes);
        assert!(matches!(refused, Err(Error::AttachmentUnreadable { .. })), "{refused:?}");
    }
    let unknown = document.replace_picture("00ff", "harvest.png", &picture(9, 9, [0, 0, 0]));
    assert!(matches!(unknown, Err(Error::PictureNotFound { .. })), "{unknown:?}");
    assert_eq!(document, before);
}
