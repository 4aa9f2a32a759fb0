//! Pictures of the pages of designs while they are made, in memory.
//!
//! Always true: pictures are kept within a bound, and forgotten with the end of the task. Not here: asking for them
//! (`watching`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use data_encoding::BASE64;
use easel_client::Picture;
use easel_wire::TaskId;
use easel_wire::tasks::TaskPreview;
use tokio::sync::Semaphore;

use super::views::TaskPage;
use crate::media::addresses;

/// The most pages of a design that are kept.
const MOST_PAGES: usize = 200;

/// Bytes of pictures of one design that are kept.
const MOST_BYTES: usize = 24_000_000;

/// The most tasks that are watched at the same time.
const AT_ONCE: usize = 3;

/// A page of a design that is being made.
#[derive(Debug, Clone)]
struct Draft {
    name: String,
    width: Option<u32>,
    height: Option<u32>,
    picture: Option<(u64, Bytes)>,
}

/// The pictures of designs that are being made.
#[derive(Debug)]
pub(super) struct Watching {
    /// Permits of the tasks that are watched.
    pub(super) places: Arc<Semaphore>,
    drafts: Mutex<HashMap<TaskId, Vec<Draft>>>,
}

impl Default for Watching {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(AT_ONCE)), drafts: Mutex::default() }
    }
}

impl Watching {
    fn drafts(&self) -> MutexGuard<'_, HashMap<TaskId, Vec<Draft>>> {
        self.drafts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pages of a task as the page shows them.
    pub(super) fn pages(&self, connection_id: &str, task: TaskId) -> Vec<TaskPage> {
        let drafts = self.drafts();
        let pages = drafts.get(&task).into_iter().flatten().zip(1..);
        let shown = pages.map(|(draft, number)| TaskPage {
            name: draft.name.clone(),
            width: draft.width,
            height: draft.height,
            picture: draft
                .picture
                .as_ref()
                .map(|(revision, _)| addresses::of_draft(connection_id, task, *revision, number)),
        });
        shown.collect()
    }

    pub(super) fn picture(&self, task: TaskId, revision: u64, page: u32) -> Option<Picture> {
        let at = usize::try_from(page.checked_sub(1)?).ok()?;
        let drafts = self.drafts();
        let (at_revision, bytes) = drafts.get(&task)?.get(at)?.picture.as_ref()?;
        (*at_revision == revision).then(|| Picture { mime_type: "image/png".to_owned(), bytes: bytes.clone() })
    }

    /// Takes in what an answer shows. What it does not send again stays, as long as it still says that the page is
    /// drawn.
    pub(super) fn take_in(&self, task: TaskId, seen: &TaskPreview) {
        let mut drafts = self.drafts();
        let before = drafts.remove(&task).unwrap_or_default();
        let mut left = MOST_BYTES;
        let pages = seen.pages.iter().take(MOST_PAGES).enumerate().map(|(at, page)| {
            let sent = page.picture.as_ref().and_then(|text| BASE64.decode(text.as_bytes()).ok());
            let sent = sent.filter(|bytes| bytes.starts_with(b"\x89PNG")).map(|bytes| (seen.revision, bytes.into()));
            let had = before.get(at).and_then(|draft| draft.picture.clone()).filter(|_| page.is_drawn);
            let picture: Option<(u64, Bytes)> = sent.or(had).filter(|(_, bytes)| bytes.len() <= left);
            left -= picture.as_ref().map_or(0, |(_, bytes)| bytes.len());
            Draft { name: page.name.clone(), width: page.width, height: page.height, picture }
        });
        drafts.insert(task, pages.collect());
    }

    pub(super) fn forget(&self, task: TaskId) {
        self.drafts().remove(&task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const TASK: &str = "task_00000000000000000000000001";
    const PICTURE: &[u8] = b"\x89PNG and more";

    fn seen(revision: u64, pages: &Value) -> TaskPreview {
        serde_json::from_value(json!({"status": "running", "revision": revision, "pages": pages})).unwrap()
    }

    #[test]
    fn a_picture_that_came_once_stays_until_its_page_is_drawn_anew() {
        let (watching, task) = (Watching::default(), TASK.parse().unwrap());
        let shown = |watching: &Watching| -> Vec<bool> {
            watching.pages("c-1", task).iter().map(|page| page.picture.is_some()).collect()
        };
        let page = |number: u32, is_drawn: bool, picture: Option<&[u8]>| {
            json!({"page_number": number, "name": "A", "is_drawn": is_drawn,
                "picture": picture.map(|bytes| BASE64.encode(bytes))})
        };
        watching.take_in(task, &seen(1, &json!([page(1, false, None), page(2, false, None)])));
        assert_eq!(shown(&watching), [false, false]);
        watching.take_in(task, &seen(2, &json!([page(1, true, Some(PICTURE)), page(2, false, None)])));
        watching.take_in(task, &seen(3, &json!([page(1, true, None), page(2, true, Some(PICTURE))])));
        assert_eq!(shown(&watching), [true, true]);
        assert_eq!(watching.picture(task, 2, 1).unwrap().bytes, PICTURE);
        for (revision, number) in [(3, 1), (2, 0), (2, 9)] {
            assert!(watching.picture(task, revision, number).is_none(), "{revision} {number}");
        }
        // Another try begins, and what is no picture is none.
        watching.take_in(task, &seen(4, &json!([page(1, false, None), page(2, true, Some(b"<html>"))])));
        assert_eq!(shown(&watching), [false, true], "the second is still said to be drawn");
        watching.forget(task);
        assert!(shown(&watching).is_empty());
    }
}
