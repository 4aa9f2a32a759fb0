//! The bytes of exports and thumbnails: as small as each kind of file can be, and all of them real.

use std::io::{Cursor, Write};

use bytes::Bytes;
use data_encoding::BASE64;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const JPEG: &str = "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=";
const SVG: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080"><rect width="1920" height="1080" fill="#2a6"/></svg>"##;
const PDF: &str = "%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 960 540]>>endobj
trailer<</Root 1 0 R>>
%%EOF
";

/// One pixel.
pub(crate) fn png() -> Bytes {
    decode(PNG)
}

fn decode(text: &str) -> Bytes {
    // The constants above are what is decoded, and a test decodes them all.
    Bytes::from(BASE64.decode(text.as_bytes()).unwrap_or_default())
}

/// An export in one of the formats, its name and its media type; several pages as pictures are one archive.
pub(crate) fn export(format: &str, pages: u64) -> (Bytes, String, &'static str) {
    let (one, media_type) = match format {
        "jpeg" => (decode(JPEG), "image/jpeg"),
        "svg" => (Bytes::from_static(SVG.as_bytes()), "image/svg+xml"),
        "pdf" => return (Bytes::from_static(PDF.as_bytes()), format.to_owned(), "application/pdf"),
        "pptx" => {
            let archive = archive([("[Content_Types].xml".to_owned(), Bytes::from_static(b"<Types/>"))]);
            return (archive, format.to_owned(), crate::config::ACCEPTED_MEDIA_TYPES[4]);
        }
        _ => (png(), "image/png"),
    };
    if pages == 1 {
        return (one, format.to_owned(), media_type);
    }
    let entries = (1..=pages).map(|page| (format!("page-{page:02}.{format}"), one.clone()));
    (archive(entries), "zip".to_owned(), "application/zip")
}

fn archive(entries: impl IntoIterator<Item = (String, Bytes)>) -> Bytes {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in entries {
        // Writing to memory does not fail; a test opens what came of it.
        if archive.start_file(name, options).is_ok() {
            let _ = archive.write_all(&bytes);
        }
    }
    archive.finish().map(|cursor| Bytes::from(cursor.into_inner())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_begins_as_its_kind_does() {
        let cases: [(&str, u64, &[u8]); 6] = [
            ("png", 1, b"\x89PNG"),
            ("jpeg", 1, b"\xff\xd8\xff"),
            ("svg", 1, b"<svg"),
            ("pdf", 3, b"%PDF"),
            ("pptx", 3, b"PK\x03\x04"),
            ("png", 3, b"PK\x03\x04"),
        ];
        for (format, pages, begins) in cases {
            assert!(export(format, pages).0.starts_with(begins), "{format} of {pages}");
        }
    }

    #[test]
    fn an_archive_holds_every_page() {
        let (bytes, _, _) = export("svg", 3);
        let archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(archive.file_names().collect::<Vec<_>>(), ["page-01.svg", "page-02.svg", "page-03.svg"]);
    }
}
