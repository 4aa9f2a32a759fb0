//! Pictures of the pages of an opened design. A service has a thumbnail of the first page only, so they come from an
//! export of the whole design as PNG: one for all of its pages, cached like every other picture.
//!
//! Always true: one export a design and version, however many pages the screen asks for at once; a few exports of each
//! minute are left to the person, and a person's export goes first; the archive's size is checked before it is
//! unpacked. Not here: the exports that a person asks for ([`crate::exports`]).

use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use easel_client::{Client, Error as ClientError, Picture};
use easel_wire::CanvasId;
use easel_wire::canvases::{Export, ExportStatus};
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;

use super::addresses::MOST_BYTES;

/// The most pages of a design that are taken, many times as many as a service makes (contract: 60).
pub(super) const MOST_PAGES: u32 = 500;
/// The largest result of an export that is fetched for its pictures.
pub(super) const MOST_ARCHIVE_BYTES: usize = 128 * 1024 * 1024;
/// How long a page waits for its picture before the screen says that there is none.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);
/// Between two looks at an export where the service did not say when (contract: 2 s).
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);

/// The state of page pictures.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// Held while the pages of a design are fetched, by the name of the first one.
    fetching: Mutex<HashMap<String, Arc<AsyncMutex<bool>>>>,
}

impl Pages {
    /// The lock for fetching the pages of one version of a design; `true` once they were fetched.
    pub(super) fn gate(&self, first: String) -> Arc<AsyncMutex<bool>> {
        let mut fetching = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        fetching.retain(|_, gate| Arc::strong_count(gate) > 1);
        Arc::clone(fetching.entry(first).or_default())
    }
}

/// Looks at an export until it is done.
pub(super) async fn wait_for_result(
    client: &Client,
    canvas: CanvasId,
    mut export: Export,
) -> Result<Export, ClientError> {
    let task = export.task_id;
    loop {
        match (export.end(), task) {
            (Some(ExportStatus::Completed), _) => return Ok(export),
            (Some(_), _) | (None, None) => return Err(ClientError::TimedOut),
            (None, Some(task)) => {
                let pause = export.retry_after_seconds.map_or(BETWEEN_LOOKS, Duration::from_secs);
                tokio::time::sleep_until(Instant::now() + pause).await;
                export = client.get_export_status(canvas, task).await?;
            }
        }
    }
}

/// The pictures of a zip in the order of their names, which is that of the pages. Nothing where it is none, or one of
/// them is too large.
pub(super) fn unpack(archive: &Bytes) -> Vec<Picture> {
    let Ok(mut zip) = zip::ZipArchive::new(Cursor::new(archive)) else { return Vec::new() };
    let mut names: Vec<String> =
        zip.file_names().filter(|name| name.to_ascii_lowercase().ends_with(".png")).map(str::to_owned).collect();
    names.sort_by_key(|name| (number_in(name), name.clone()));
    names.truncate(usize::try_from(MOST_PAGES).unwrap_or(usize::MAX));
    let mut pictures = Vec::with_capacity(names.len());
    for name in names {
        let Ok(entry) = zip.by_name(&name) else { return Vec::new() };
        let mut bytes = Vec::new();
        let most = MOST_BYTES as u64 + 1;
        if entry.take(most).read_to_end(&mut bytes).is_err() || bytes.len() > MOST_BYTES {
            return Vec::new();
        }
        pictures.push(Picture { mime_type: "image/png".to_owned(), bytes: bytes.into() });
    }
    pictures
}

/// The last number in a name, such as 7 of `page-07.png`.
fn number_in(name: &str) -> u64 {
    let digits = name.rsplit(|sign: char| !sign.is_ascii_digit()).find(|part| !part.is_empty());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn pages_come_in_the_order_of_their_numbers_and_nothing_else_is_taken() {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        for (name, bytes) in [("page-10.png", "ten"), ("page-2.png", "two"), ("notes.txt", "no"), ("page-1.png", "one")]
        {
            zip.start_file(name, options).unwrap();
            zip.write_all(bytes.as_bytes()).unwrap();
        }
        let archive = Bytes::from(zip.finish().unwrap().into_inner());
        let pictures = unpack(&archive);
        let said: Vec<_> = pictures.iter().map(|picture| picture.bytes.as_ref()).collect();
        assert_eq!(said, [b"one".as_slice(), b"two", b"ten"]);
        assert!(unpack(&Bytes::from_static(b"no zip")).is_empty());
    }

    #[test]
    fn a_picture_that_unpacks_to_more_than_the_bound_is_not_taken() {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("page-1.png", zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&vec![0; MOST_BYTES + 1]).unwrap();
        let archive = Bytes::from(zip.finish().unwrap().into_inner());
        assert!(archive.len() < MOST_BYTES / 10 && unpack(&archive).is_empty());
    }
}
