//! What a file is looked at as without being opened: its picture, the beginning of its text, or neither.

use std::io::{Cursor, Write};

use easel_tests::samples;
use easel_tests::studio::{Options, Studio};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::stage::Stage;

/// The path of an address of the app's own protocol.
fn path_of(address: &str) -> &str {
    address.trim_start_matches("easel-media://localhost")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_looked_at_by_its_picture_or_by_the_beginning_of_its_text() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;

    let note = stage.put("oven.md", b"# Lit at four", None).await;
    let look = stage.app.drive().look_at_file(note.id.clone()).await.unwrap();
    let text = look.text.unwrap();
    assert_eq!((text.text.as_str(), text.is_cut, look.picture), ("# Lit at four", false, None));
    assert_eq!((look.file_id, look.size_bytes.map(|bytes| bytes.get())), (note.id, Some(13)));

    let long = stage.put("log.txt", "so long a line\n".repeat(20_000).as_bytes(), None).await;
    let text = stage.app.drive().look_at_file(long.id).await.unwrap().text.unwrap();
    assert_eq!((text.text.len(), text.is_cut), (64 * 1024, true));

    let drawn = stage.folder.path().join("drawn.png");
    samples::write_picture(&drawn);
    let bytes = std::fs::read(&drawn).unwrap();
    let picture = stage.put("logo.png", &bytes, None).await;
    let look = stage.app.drive().look_at_file(picture.id).await.unwrap();
    assert!(look.text.is_none());
    let address = look.picture.unwrap();
    let shown = stage.app.media().get_media(address.trim_start_matches("easel-media://localhost")).await.unwrap();
    assert_eq!((shown.mime_type.as_str(), shown.bytes.as_ref()), ("image/png", bytes.as_slice()));

    let other = stage.put("sounds.txt", b"\x00\x01\xff", None).await;
    let look = stage.app.drive().look_at_file(other.id).await.unwrap();
    assert_eq!((look.text, look.picture), (None, None), "it is only called a text");
    let gone = stage.app.drive().look_at_file("file_00000000000000000000000001".to_owned()).await.unwrap_err();
    assert_eq!(gone.code, "file_not_found");
}

/// A package with one part.
fn package(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_looked_at_by_its_first_page_or_by_the_picture_that_it_carries() {
    let mut studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;

    // Red, on a page of 200 by 100 points.
    let page = stage.put("Offer.pdf", &samples::pdf("0 0 200 100", "0.8 0.1 0.1 rg 0 0 200 100 re f"), None).await;
    let address = page.thumbnail.clone().expect("a picture in lists");
    assert_eq!(stage.app.drive().look_at_file(page.id).await.unwrap().picture.as_ref(), Some(&address));
    let shown = stage.app.media().get_media(path_of(&address)).await.unwrap();
    assert_eq!(shown.mime_type, "image/png");
    let mut reader = png::Decoder::new(Cursor::new(&shown.bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let picture = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(picture.width, 2 * picture.height);
    let middle = &pixels[pixels.len() / 2 + picture.line_size / 2..][..3];
    assert!(middle[0] > 190 && middle[1] < 40 && middle[2] < 40, "{middle:?}");

    assert_eq!(stage.app.media().list_document_pages(&address).await.unwrap(), std::slice::from_ref(&address));

    let drawn = stage.folder.path().join("drawn.png");
    samples::write_picture(&drawn);
    let carried = package("Thumbnails/thumbnail.png", &std::fs::read(&drawn).unwrap());
    let slides = stage.put("Talk.odp", &carried, None).await;
    let slides_address = slides.thumbnail.unwrap();
    assert!(stage.app.media().get_media(path_of(&slides_address)).await.is_some());

    // Of some there is none: what is only called a PDF, what carries nothing, and a page that has no size.
    for (name, bytes) in [
        ("Words.pdf", b"no PDF at all".to_vec()),
        ("Plain.docx", package("word/document.xml", b"<document/>")),
        ("Huge.pdf", samples::pdf("0 0 1e30 1e-30", "0 0 9 9 re f")),
    ] {
        let file = stage.put(name, &bytes, None).await;
        let address = file.thumbnail.unwrap();
        assert!(stage.app.media().get_media(path_of(&address)).await.is_none(), "{name}");
        assert!(stage.app.media().list_document_pages(&address).await.unwrap().is_empty(), "{name}");
    }

    // What was drawn once is kept.
    studio.stop();
    assert_eq!(stage.app.media().get_media(path_of(&address)).await, Some(shown));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_page_of_a_document_is_looked_at_and_none_beyond() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let wide = [("0 0 200 100", "0.8 0.1 0.1 rg 0 0 200 100 re f"), ("0 0 90 30", "0 0 9 9 re f"), ("0 0 50 50", "")];
    let file = stage.put("Offer.pdf", &samples::pdf_of(&wide), None).await;
    let address = file.thumbnail.unwrap();
    // Its first page was drawn before the program was started anew, so nobody has counted the others.
    assert!(stage.app.media().get_media(path_of(&address)).await.is_some());
    let stage = stage.start_again().await;
    let media = stage.app.media();
    let pages = media.list_document_pages(&address).await.unwrap();
    assert_eq!(pages, [address.clone(), format!("{address}/2"), format!("{address}/3")]);
    for (page, expected) in pages.iter().zip([2.0, 3.0, 1.0]) {
        let picture = media.get_media(path_of(page)).await.unwrap();
        let reader = png::Decoder::new(Cursor::new(&picture.bytes)).read_info().unwrap();
        let shape = f64::from(reader.info().width) / f64::from(reader.info().height);
        assert!((shape - expected).abs() < 0.02, "{page}: {shape}");
    }
    assert!(media.get_media(path_of(&format!("{address}/4"))).await.is_none(), "there is no such page");
    assert!(media.get_media(path_of(&address)).await.is_some(), "and the others are there all the same");
    let plain = stage.put("notes.txt", b"notes", None).await;
    assert_eq!(plain.thumbnail, None);
    assert!(media.list_document_pages("easel-media://localhost/file/c-1/a/0").await.unwrap().is_empty());
}
