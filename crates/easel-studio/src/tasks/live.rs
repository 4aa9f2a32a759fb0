//! What is known of tasks only while the process lives: how far a running one is and what can be seen of it already, whether it
//! shall stop, and who waits.
//!
//! Always true: whoever waits for a task's end, for its pages or for work is woken by the transition itself and never asks the
//! database again and again. Progress stands here and not in the database, because it moves several times a second and is worth
//! nothing after a restart. What comes from a process that draws is bounded here. Not here: the states; those are rows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, broadcast, watch};
use tokio_util::sync::CancellationToken;

use crate::db::tasks::ProgressRow;
use crate::drawing::{PageAhead, PagePicture};
use crate::wire::TaskId;

/// Ends that a slow listener may be behind; one further behind looks at its task again.
const ENDS_KEPT: usize = 256;
/// Pages of a task that are shown while it is made.
const MOST_PAGES: usize = 200;
/// Letters of a page's name that are shown.
const MOST_NAME_CHARS: usize = 120;
/// Bytes of a task's pictures that are kept; what is beyond is seen when it is done.
const MOST_PICTURE_BYTES: usize = 16_000_000;

/// The tasks that this process works on, and everyone who waits.
#[derive(Debug)]
pub struct Live {
    running: Mutex<HashMap<TaskId, Running>>,
    ended: broadcast::Sender<TaskId>,
    /// Moves with everything that can be seen of any task; a revision is never given twice.
    revision: watch::Sender<u64>,
    /// Wakes a worker.
    pub work: Notify,
    /// Wakes who lets tasks expire.
    pub waiting: Notify,
    /// Wakes who delivers webhooks.
    pub delivering: Notify,
    /// Cancelled once the process is told to stop: no new work is begun, nobody waits any longer.
    pub stopping: CancellationToken,
}

#[derive(Debug)]
struct Running {
    progress: ProgressRow,
    cancel: CancellationToken,
    preview: Preview,
}

/// What can be seen of a design while it is made.
#[derive(Debug, Clone, Default)]
pub struct Preview {
    /// When it last changed.
    pub revision: u64,
    /// Its pages, as far as they are known.
    pub pages: Vec<PreviewPage>,
}

/// A page of a design while it is made.
#[derive(Debug, Clone)]
pub struct PreviewPage {
    /// What it is called and how large it is.
    pub ahead: PageAhead,
    /// A small PNG of it, once it is drawn, with the revision that brought it.
    pub picture: Option<(u64, Arc<[u8]>)>,
}

impl Live {
    /// Nothing running, nobody waiting.
    #[must_use]
    pub fn new() -> Self {
        Self {
            running: Mutex::default(),
            ended: broadcast::Sender::new(ENDS_KEPT),
            revision: watch::Sender::new(0),
            work: Notify::new(),
            waiting: Notify::new(),
            delivering: Notify::new(),
            stopping: CancellationToken::new(),
        }
    }

    /// Says that a task was queued.
    pub fn queued(&self) {
        self.work.notify_one();
        self.waiting.notify_one();
    }

    /// Begins to follow a task that runs; the answer is cancelled when it shall stop.
    pub fn begin(&self, id: TaskId) -> CancellationToken {
        let cancel = CancellationToken::new();
        let preview = Preview { revision: self.next_revision(), pages: Vec::new() };
        let running = Running { progress: ProgressRow::default(), cancel: cancel.clone(), preview };
        self.lock().insert(id, running);
        self.tell_seen();
        cancel
    }

    /// Notes how far a running task is.
    pub fn report(&self, id: TaskId, progress: ProgressRow) {
        if let Some(running) = self.lock().get_mut(&id) {
            running.progress = progress;
        }
    }

    /// Notes which pages a running task will have. What was drawn before was of another try.
    pub fn outline(&self, id: TaskId, mut pages: Vec<PageAhead>) {
        pages.truncate(MOST_PAGES);
        for page in &mut pages {
            page.name = page.name.chars().take(MOST_NAME_CHARS).collect();
        }
        let pages = pages.into_iter().map(|ahead| PreviewPage { ahead, picture: None }).collect();
        let revision = self.next_revision();
        if let Some(running) = self.lock().get_mut(&id) {
            running.preview = Preview { revision, pages };
        }
        self.tell_seen();
    }

    /// Notes that a page of a running task is drawn; nothing where it is none of its pages, or no picture.
    pub fn draw(&self, id: TaskId, page: PagePicture) {
        let PagePicture { at, png } = page;
        if !png.starts_with(b"\x89PNG\r\n\x1a\n") {
            return;
        }
        let revision = self.next_revision();
        if let Some(Running { preview, .. }) = self.lock().get_mut(&id) {
            let kept = |page: &PreviewPage| page.picture.as_ref().map_or(0, |(_, png)| png.len());
            let room = MOST_PICTURE_BYTES.saturating_sub(preview.pages.iter().map(kept).sum());
            if let Some(page) = preview.pages.get_mut(at).filter(|_| png.len() <= room) {
                page.picture = Some((revision, png.into()));
                preview.revision = revision;
            }
        }
        self.tell_seen();
    }

    /// How far a task is, where it runs.
    #[must_use]
    pub fn progress(&self, id: TaskId) -> Option<ProgressRow> {
        self.lock().get(&id).map(|running| running.progress.clone())
    }

    /// What can be seen of a task, where it runs.
    #[must_use]
    pub fn preview(&self, id: TaskId) -> Option<Preview> {
        self.lock().get(&id).map(|running| running.preview.clone())
    }

    /// Waits until something else can be seen of a task than at this revision; `None` stands for one that does not run.
    pub async fn seen_other_than(&self, id: TaskId, seen: Option<u64>) {
        let mut revision = self.revision.subscribe();
        let now = || self.lock().get(&id).map(|running| running.preview.revision);
        while now() == seen && revision.changed().await.is_ok() {}
    }

    /// Stops a running task; nothing where it does not run here.
    pub fn cancel(&self, id: TaskId) {
        if let Some(running) = self.lock().get(&id) {
            running.cancel.cancel();
        }
    }

    /// Follows a task no longer: it waits again, or has ended.
    pub fn leave(&self, id: TaskId) {
        self.lock().remove(&id);
        self.tell_seen();
    }

    /// Says that a task has reached its end, once that is in the database.
    pub fn ended(&self, id: TaskId) {
        self.leave(id);
        // Its webhook was stored with its end.
        self.delivering.notify_one();
        // Nobody may be listening.
        let _ = self.ended.send(id);
    }

    /// Hears of every end from now on.
    #[must_use]
    pub fn ends(&self) -> broadcast::Receiver<TaskId> {
        self.ended.subscribe()
    }

    /// A revision that was not given before; whoever waits is not woken yet, since what it stands for is still to come.
    fn next_revision(&self) -> u64 {
        let mut next = 0;
        self.revision.send_if_modified(|revision| {
            *revision += 1;
            next = *revision;
            false
        });
        next
    }

    /// Wakes whoever waits for what can be seen.
    fn tell_seen(&self) {
        self.revision.send_modify(|_| {});
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TaskId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

    fn pages(count: usize) -> Vec<PageAhead> {
        (0..count).map(|at| PageAhead { name: format!("{at}"), width: 4, height: 3 }).collect()
    }

    fn drawn(live: &Live, id: TaskId) -> Vec<usize> {
        let pages = live.preview(id).expect("a task that runs").pages;
        pages.iter().enumerate().filter(|(_, page)| page.picture.is_some()).map(|(at, _)| at).collect()
    }

    #[test]
    fn what_a_process_that_draws_says_is_bounded_and_no_picture_is_taken_for_another_page() {
        let (live, id) = (Live::new(), TaskId::from_uuid(uuid::Uuid::now_v7()));
        let picture = |at: usize, rest: usize| PagePicture { at, png: [PNG, &vec![0; rest]].concat() };
        // Nothing runs yet.
        live.outline(id, pages(2));
        assert!(live.preview(id).is_none());
        live.begin(id);
        let long = PageAhead { name: "ä".repeat(500), width: 1, height: 1 };
        live.outline(id, std::iter::once(long).chain(pages(900)).collect());
        let seen = live.preview(id).expect("a task that runs").pages;
        assert_eq!((seen.len(), seen[0].ahead.name.chars().count()), (MOST_PAGES, MOST_NAME_CHARS));
        live.draw(id, picture(1, 5));
        live.draw(id, picture(MOST_PAGES, 5));
        live.draw(id, PagePicture { at: 2, png: b"GIF89a".to_vec() });
        live.draw(id, picture(3, MOST_PICTURE_BYTES - 40));
        live.draw(id, picture(4, 5));
        live.draw(id, picture(5, 40));
        assert_eq!(drawn(&live, id), [1, 3, 4]);
        // Another try begins with its own pages.
        live.outline(id, pages(3));
        assert_eq!(drawn(&live, id), [] as [usize; 0]);
        live.leave(id);
        assert!(live.preview(id).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_to_see_more_is_woken_by_it_and_by_nothing_else() {
        let (live, id) = (Live::new(), TaskId::from_uuid(uuid::Uuid::now_v7()));
        let other = TaskId::from_uuid(uuid::Uuid::now_v7());
        live.begin(id);
        live.begin(other);
        let seen = live.preview(id).map(|preview| preview.revision);
        let is_woken = async |seen| {
            let limit = std::time::Duration::from_secs(60);
            tokio::time::timeout(limit, live.seen_other_than(id, seen)).await.is_ok()
        };
        live.outline(other, pages(1));
        live.report(id, ProgressRow::default());
        assert!(!is_woken(seen).await);
        live.outline(id, pages(1));
        assert!(is_woken(seen).await);
        let seen = live.preview(id).map(|preview| preview.revision);
        let (woken, ()) =
            tokio::join!(is_woken(seen), async { live.draw(id, PagePicture { at: 0, png: PNG.to_vec() }) });
        assert!(woken);
        let seen = live.preview(id).map(|preview| preview.revision);
        let (woken, ()) = tokio::join!(is_woken(seen), async { live.leave(id) });
        assert!(woken && !is_woken(None).await);
    }
}
