//! Pictures of files that are none themselves: the pages of a PDF, and the picture that a presentation, a document or
//! the file of a drawing program carries of itself.
//!
//! Always true: a stranger's file is read by a process of its own, behind the port [`FileReader`], and its bytes are in
//! memory only, those of one file at most between two pages; a file of which there is no picture is not fetched again while
//! this program runs; how many pages a file says that it has is believed up to [`MOST_PAGES`]. Not here: which files
//! have such a picture ([`super::addresses`]), and how it is drawn (easel-canvas).

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use easel_client::Picture;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::ports::{FileReader, FileReaderError};

/// The most files that are read at the same time: each takes a processor.
const AT_ONCE: usize = 2;
/// The most files that are remembered to have no picture, and the most whose number of pages is.
const MOST_REMEMBERED: usize = 10_000;
/// No more pages of a file can be looked at.
pub(super) const MOST_PAGES: u32 = 1_000;

/// Draws pictures of files.
pub(super) struct Documents {
    reader: Arc<dyn FileReader>,
    places: Semaphore,
    /// The keys of files of which there is no picture.
    without: Mutex<HashSet<String>>,
    /// How many pages the files with these keys have.
    page_counts: Mutex<HashMap<String, u32>>,
    /// The key and the content of the file whose pages are looked at.
    looked_through: Mutex<Option<(String, Bytes)>>,
}

impl std::fmt::Debug for Documents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Documents").field("without", &self.without).finish_non_exhaustive()
    }
}

impl Documents {
    pub(super) fn new(reader: Arc<dyn FileReader>) -> Self {
        Self {
            reader,
            places: Semaphore::new(AT_ONCE),
            without: Mutex::default(),
            page_counts: Mutex::default(),
            looked_through: Mutex::default(),
        }
    }

    /// Whether there is no picture of the file with this key.
    pub(super) fn has_none(&self, key: &str) -> bool {
        lock(&self.without).contains(key)
    }

    /// How many pages of the file with this key can be looked at, where one of them was drawn.
    pub(super) fn page_count(&self, key: &str) -> Option<u32> {
        lock(&self.page_counts).get(key).copied()
    }

    /// Keeps the content of a file in memory, in place of that of another one, while its pages are looked at.
    pub(super) fn look_through(&self, key: &str, content: &Bytes) {
        *lock(&self.looked_through) = Some((key.to_owned(), content.clone()));
    }

    /// The content of the file with this key, if its pages are looked at.
    pub(super) fn content(&self, key: &str) -> Option<Bytes> {
        lock(&self.looked_through).as_ref().filter(|(kept, _)| kept == key).map(|(_, content)| content.clone())
    }

    /// Waits until it is this file's turn: before its content is fetched, so that few of them are in memory.
    pub(super) async fn wait_for_turn(&self) -> Option<SemaphorePermit<'_>> {
        self.places.acquire().await.ok()
    }

    /// The picture of a page, from 1, of the file with this key and content; `None` where there is none.
    pub(super) async fn draw(&self, key: &str, page: u32, content: Bytes) -> Option<Picture> {
        match self.reader.draw_preview(content, page).await {
            Ok(drawn) => {
                let mut counts = lock(&self.page_counts);
                if counts.len() >= MOST_REMEMBERED {
                    counts.clear();
                }
                counts.insert(key.to_owned(), drawn.page_count.min(MOST_PAGES));
                Some(Picture { mime_type: "image/png".to_owned(), bytes: drawn.png })
            }
            // A file whose first page can be drawn has a picture, whatever its others are.
            Err(FileReaderError::Unreadable | FileReaderError::TooLarge) if page > 1 => None,
            Err(FileReaderError::Unreadable | FileReaderError::TooLarge) => {
                let mut without = lock(&self.without);
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
