//! Watching designs while they are made: their pages first, then a picture of each as it is drawn.
//!
//! Always true: a service that was seen not to show them is not asked; a few tasks are watched at a time, the rest are followed all the
//! same; what came is kept in memory, within a bound, and forgotten with the end of the task. The answer that tells of the end has the
//! task looked at at once. Nothing here fails a task. Not here: how far a task is (`following`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64;
use easel_client::{Feature, Lane, Picture};
use easel_wire::TaskId;
use easel_wire::tasks::{TaskKind, TaskPreview};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::TaskPage;
use crate::app::App;
use crate::connections::live::Live;
use crate::media;

/// Tasks that are watched at the same time.
const AT_ONCE: usize = 3;
/// How long the service may hold its answer until there is something to see.
const HELD: Duration = Duration::from_secs(20);
/// Between two answers: pages are drawn faster than anybody looks at them.
const BETWEEN: Duration = Duration::from_millis(400);
/// Requests of a task that do not wait for their turn among the polls: its pages, and the first that are drawn.
const HURRIED: u32 = 3;
/// Pages of a design that are kept.
const MOST_PAGES: usize = 200;
/// Bytes of pictures of one design that are kept.
const MOST_BYTES: usize = 24_000_000;

/// A page of a design that is being made.
#[derive(Debug, Clone)]
struct Draft {
    name: String,
    width: Option<u32>,
    height: Option<u32>,
    picture: Option<(u64, Bytes)>,
}

/// What is seen of the designs that are being made.
#[derive(Debug)]
pub(super) struct Watching {
    places: Arc<Semaphore>,
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
                .map(|(revision, _)| media::address_of_draft(connection_id, task, *revision, number)),
        });
        shown.collect()
    }

    fn picture(&self, task: TaskId, revision: u64, page: u32) -> Option<Picture> {
        let at = usize::try_from(page.checked_sub(1)?).ok()?;
        let drafts = self.drafts();
        let (at_revision, bytes) = drafts.get(&task)?.get(at)?.picture.as_ref()?;
        (*at_revision == revision).then(|| Picture { mime_type: "image/png".to_owned(), bytes: bytes.clone() })
    }

    /// Takes in what an answer shows. What it does not send again stays, as long as it still says that the page is drawn.
    fn take_in(&self, task: TaskId, seen: &TaskPreview) {
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

    fn forget(&self, task: TaskId) {
        self.drafts().remove(&task);
    }
}

impl App {
    /// The picture of a page of a design that is being made.
    pub(crate) fn get_draft(&self, task: TaskId, revision: u64, page: u32) -> Option<Picture> {
        self.tasks().watching.picture(task, revision, page)
    }

    /// Watches a task that is followed, until it is no longer.
    pub(super) fn watch_task(&self, live: &Arc<Live>, task: TaskId, kind: Option<&TaskKind>) {
        if !matches!(kind, None | Some(TaskKind::Design | TaskKind::Remix)) {
            return;
        }
        let (app, live) = (self.clone(), Arc::clone(live));
        self.supervisor().spawn(async move {
            let places = Arc::clone(&app.tasks().watching.places);
            live.cancel
                .run_until_cancelled(async {
                    let Ok(_place) = places.acquire().await else { return };
                    app.watch(&live, task).await;
                })
                .await;
            app.tasks().watching.forget(task);
        });
    }

    async fn watch(&self, live: &Arc<Live>, task: TaskId) {
        let Some(session) = live.session() else { return };
        let client = session.client.in_lane(Lane::Poll).hurrying(HURRIED);
        let mut after = None;
        while self.is_followed(live, task) && client.offers(Feature::TaskPreview) != Some(false) {
            let asked_at = Instant::now();
            let seen = match client.get_task_preview(task, after, HELD).await {
                Ok(seen) => seen,
                // Whatever it is, following the task finds out; this only shows more of it.
                Err(error) => return tracing::debug!(%error, "a design cannot be watched"),
            };
            if seen.status.is_terminal() {
                return self.look_now(live, task);
            }
            // Nothing new, and not held: a service that would be asked again and again. Following it costs less.
            if after == Some(seen.revision) && asked_at.elapsed() < HELD / 2 {
                return;
            }
            after = Some(seen.revision);
            self.tasks().watching.take_in(task, &seen);
            self.note_seen(live, task, seen);
            tokio::time::sleep(BETWEEN).await;
        }
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
