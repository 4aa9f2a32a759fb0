//! Pictures of files that are none themselves: the first page of a PDF, and the picture that a presentation, a document or
//! the file of a drawing program carries of itself.
//!
//! Always true: a stranger's file is read by a process of its own, behind the port [`FileReader`], and its bytes are in
//! memory only; a file of which there is no picture is not fetched again while this program runs. Not here: which files
//! have such a picture ([`super::addresses`]), and how it is drawn (easel-canvas).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use easel_client::Picture;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::ports::{FileReader, FileReaderError};

/// The most files that are read at the same time: each takes a processor.
const AT_ONCE: usize = 2;
/// The most files that are remembered to have no picture.
const MOST_REMEMBERED: usize = 10_000;

/// Draws pictures of files.
pub(super) struct Documents {
    reader: Arc<dyn FileReader>,
    places: Semaphore,
    /// The keys of files of which there is no picture.
    without: Mutex<HashSet<String>>,
}

impl std::fmt::Debug for Documents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Documents").field("without", &self.without).finish_non_exhaustive()
    }
}

impl Documents {
    pub(super) fn new(reader: Arc<dyn FileReader>) -> Self {
        Self { reader, places: Semaphore::new(AT_ONCE), without: Mutex::default() }
    }

    /// Whether there is no picture of the file with this key.
    pub(super) fn has_none(&self, key: &str) -> bool {
        self.without.lock().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    /// Waits until it is this file's turn: before its content is fetched, so that few of them are in memory.
    pub(super) async fn wait_for_turn(&self) -> Option<SemaphorePermit<'_>> {
        self.places.acquire().await.ok()
    }

    /// The picture of a file with this content; `None` where there is none.
    pub(super) async fn draw(&self, key: &str, content: Bytes) -> Option<Picture> {
        match self.reader.draw_preview(content).await {
            Ok(bytes) => Some(Picture { mime_type: "image/png".to_owned(), bytes }),
            Err(FileReaderError::Unreadable | FileReaderError::TooLarge) => {
                let mut without = self.without.lock().unwrap_or_else(PoisonError::into_inner);
                if without.len() >= MOST_REMEMBERED {
                    without.clear();
                }
                without.insert(key.to_owned());
                None
            }
            Err(FileReaderError::NotRead { said }) => {
                tracing::warn!(said, "a file cannot be read for its picture");
                None
            }
        }
    }
}
