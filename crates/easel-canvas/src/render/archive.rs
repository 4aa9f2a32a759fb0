//! Several pages in one zip, the same bytes every time.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::error::Error;

/// One file of a zip.
pub struct Entry<'a> {
    /// Its name within the zip.
    pub name: &'a str,
    /// What it holds.
    pub bytes: &'a [u8],
}

/// Packs pages as `page-01.png` and so on. Pictures are packed already and are stored as they are.
pub fn pack(files: &[Vec<u8>], extension: &str) -> Result<Vec<u8>, Error> {
    let digits = files.len().to_string().len().max(2);
    let names: Vec<String> = (1..=files.len()).map(|number| format!("page-{number:0digits$}.{extension}")).collect();
    let entries: Vec<Entry<'_>> = names.iter().zip(files).map(|(name, bytes)| Entry { name, bytes }).collect();
    write_zip(&entries)
}

/// Writes a zip with these files in this order and a fixed time, so that the same content gives the same bytes.
pub fn write_zip(entries: &[Entry<'_>]) -> Result<Vec<u8>, Error> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let is_packed = [".png", ".jpg", ".jpeg"].iter().any(|end| entry.name.ends_with(end));
        let method = if is_packed { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        zip.start_file(entry.name, options).map_err(Error::drawing)?;
        zip.write_all(entry.bytes).map_err(Error::drawing)?;
    }
    Ok(zip.finish().map_err(Error::drawing)?.into_inner())
}
