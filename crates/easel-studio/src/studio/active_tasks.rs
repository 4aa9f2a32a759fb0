//! The state of tasks that lives as long as the process: the progress of running ones and the parts that can be seen
//! already, whether they have to stop, and who waits for them.
//!
//! Always true: whoever waits for a task's end, for its pages or for work is woken by the transition itself if this
//! process makes it, and else by the next look at the database, which is one for all who wait
//! ([`crate::studio::leases`]). Progress is kept here first, because it moves several times a second, and is written
//! down for other processes about once a second. News of an earlier try is never taken for a later one's. News from a
//! process that draws is bounded here. Not here: the states; those are rows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, broadcast, watch};
use tokio_util::sync::CancellationToken;

use crate::db::tasks::{ProgressRow, Try};
use crate::drawing::{PageAhead, PagePicture};
use crate::wire::TaskId;

/// Ends that a slow listener may be behind; one further behind looks at its task again.
const ENDS_KEPT: usize = 256;
/// Pages of a task that are shown while it is made.
const MOST_PAGES: usize = 200;
/// The most letters of a page's name that are shown.
const MOST_NAME_CHARS: usize = 120;
/// The most bytes of a task's pictures that are kept; further ones are seen when the task is done.
const MOST_PICTURE_BYTES: usize = 16_000_000;

/// The tasks that this process works on, and those who wait for them.
#[derive(Debug)]
pub struct ActiveTasks {
    running: Mutex<HashMap<TaskId, Running>>,
    ended: broadcast::Sender<TaskId>,
    /// Moves with everything that can be seen of any task; a revision is never given twice.
    revision: watch::Sender<u64>,
    /// Changes when the database was found changed, whichever process did it.
    news: watch::Sender<()>,
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
    attempt: u32,
    progress: ProgressRow,
    /// Whether the progress differs from the one that was last written down.
    is_unwritten: bool,
    cancel: CancellationToken,
    preview: Preview,
}

/// A design while it is made, as far as it can be seen.
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

impl ActiveTasks {
    /// Nothing running, nobody waiting.
    #[must_use]
    pub fn new() -> Self {
        Self {
            running: Mutex::default(),
            ended: broadcast::Sender::new(ENDS_KEPT),
            revision: watch::Sender::new(0),
            news: watch::Sender::new(()),
            work: Notify::new(),
            waiting: Notify::new(),
            delivering: Notify::new(),
            stopping: CancellationToken::new(),
        }
    }

    /// Says that a task was queued.
    pub fn notify_queued(&self) {
        self.work.notify_one();
        self.waiting.notify_one();
    }

    /// Begins to follow a try at a task. The token is cancelled when the try shall stop. An earlier try has lost the task,
    /// so its token is cancelled now.
    pub fn begin(&self, of: Try) -> CancellationToken {
        let cancel = CancellationToken::new();
        let preview = Preview { revision: self.next_revision(), pages: Vec::new() };
        let (attempt, progress) = (of.attempt, ProgressRow::default());
        let running = Running { attempt, progress, is_unwritten: false, cancel: cancel.clone(), preview };
        if let Some(earlier) = self.lock().insert(of.id, running) {
            earlier.cancel.cancel();
        }
        self.tell_seen();
        cancel
    }

    /// Notes how far a try is.
    pub fn report(&self, of: Try, progress: ProgressRow) {
        if let Some(running) = follow(&mut self.lock(), of) {
            running.is_unwritten |= running.progress != progress;
            running.progress = progress;
        }
    }

    /// Progress that was reported since the last call, to be written down. If that write fails, the next report makes
    /// up for it.
    #[must_use]
    pub fn take_unwritten(&self) -> Vec<(Try, ProgressRow)> {
        let mut running = self.lock();
        let unwritten = running.iter_mut().filter_map(|(id, running)| {
            let is_unwritten = std::mem::take(&mut running.is_unwritten);
            is_unwritten.then(|| (Try { id: *id, attempt: running.attempt }, running.progress.clone()))
        });
        unwritten.collect()
    }

    /// Notes which pages a running task will have. What was drawn before was of another try.
    pub fn set_pages(&self, of: Try, mut pages: Vec<PageAhead>) {
        pages.truncate(MOST_PAGES);
        for page in &mut pages {
            page.name = page.name.chars().take(MOST_NAME_CHARS).collect();
        }
        let pages = pages.into_iter().map(|ahead| PreviewPage { ahead, picture: None }).collect();
        let revision = self.next_revision();
        if let Some(running) = follow(&mut self.lock(), of) {
            running.preview = Preview { revision, pages };
        }
        self.tell_seen();
    }

    /// Notes that a page of a running task is drawn; nothing where it is none of its pages, or no picture.
    pub fn set_page_picture(&self, of: Try, page: PagePicture) {
        let PagePicture { at, png } = page;
        if !png.starts_with(b"\x89PNG\r\n\x1a\n") {
            return;
        }
        let revision = self.next_revision();
        if let Some(Running { preview, .. }) = follow(&mut self.lock(), of) {
            let kept = |page: &PreviewPage| page.picture.as_ref().map_or(0, |(_, png)| png.len());
            let room = MOST_PICTURE_BYTES.saturating_sub(preview.pages.iter().map(kept).sum());
            if let Some(page) = preview.pages.get_mut(at).filter(|_| png.len() <= room) {
                page.picture = Some((revision, png.into()));
                preview.revision = revision;
            }
        }
        self.tell_seen();
    }

    /// How far a try is, where it runs here.
    #[must_use]
    pub fn progress(&self, of: Try) -> Option<ProgressRow> {
        follow(&mut self.lock(), of).map(|running| running.progress.clone())
    }

    /// What can be seen of a task, where it runs here.
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

    /// Follows a try no longer: its task waits again, has ended, or is another's.
    pub fn stop_following(&self, of: Try) {
        let mut running = self.lock();
        if follow(&mut running, of).is_some() {
            running.remove(&of.id);
        }
        drop(running);
        self.tell_seen();
    }

    /// Says that a task has reached its end, once that is in the database.
    pub fn finish(&self, id: TaskId) {
        self.lock().remove(&id);
        self.tell_seen();
        // The webhook of a task was stored with its end.
        self.delivering.notify_one();
        // Nobody may be listening.
        let _ = self.ended.send(id);
    }

    /// Hears of every end from now on.
    #[must_use]
    pub fn ends(&self) -> broadcast::Receiver<TaskId> {
        self.ended.subscribe()
    }

    /// Notes that the database was found changed.
    pub fn tell_news(&self) {
        self.news.send_replace(());
    }

    /// Subscribes to changes of the database: at most one a second.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// A new revision. Waiters are not woken yet, because its content is still to come.
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

/// The running try, if it is this one.
fn follow(running: &mut HashMap<TaskId, Running>, of: Try) -> Option<&mut Running> {
    running.get_mut(&of.id).filter(|running| running.attempt == of.attempt)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

    fn pages(count: usize) -> Vec<PageAhead> {
        (0..count).map(|at| PageAhead { name: format!("{at}"), width: 4, height: 3 }).collect()
    }

    fn drawn(tasks: &ActiveTasks, id: TaskId) -> Vec<usize> {
        let pages = tasks.preview(id).expect("a task that runs").pages;
        pages.iter().enumerate().filter(|(_, page)| page.picture.is_some()).map(|(at, _)| at).collect()
    }

    #[test]
    fn what_a_process_that_draws_says_is_bounded_and_no_picture_is_taken_for_another_page() {
        let (tasks, id) = (ActiveTasks::new(), TaskId::from_uuid(uuid::Uuid::now_v7()));
        let of = Try { id, attempt: 1 };
        let picture = |at: usize, rest: usize| PagePicture { at, png: [PNG, &vec![0; rest]].concat() };
        // Nothing runs yet.
        tasks.set_pages(of, pages(2));
        assert!(tasks.preview(id).is_none());
        tasks.begin(of);
        let long = PageAhead { name: "ä".repeat(500), width: 1, height: 1 };
        tasks.set_pages(of, std::iter::once(long).chain(pages(900)).collect());
        let seen = tasks.preview(id).expect("a task that runs").pages;
        assert_eq!((seen.len(), seen[0].ahead.name.chars().count()), (MOST_PAGES, MOST_NAME_CHARS));
        tasks.set_page_picture(of, picture(1, 5));
        tasks.set_page_picture(of, picture(MOST_PAGES, 5));
        tasks.set_page_picture(of, PagePicture { at: 2, png: b"GIF89a".to_vec() });
        tasks.set_page_picture(of, picture(3, MOST_PICTURE_BYTES - 40));
        tasks.set_page_picture(of, picture(4, 5));
        tasks.set_page_picture(of, picture(5, 40));
        assert_eq!(drawn(&tasks, id), [1, 3, 4]);
        // Another try begins with pages of its own.
        tasks.set_pages(of, pages(3));
        assert_eq!(drawn(&tasks, id), [] as [usize; 0]);
        tasks.stop_following(of);
        assert!(tasks.preview(id).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_to_see_more_is_woken_by_it_and_by_nothing_else() {
        let (tasks, id) = (ActiveTasks::new(), TaskId::from_uuid(uuid::Uuid::now_v7()));
        let of = Try { id, attempt: 1 };
        let other = Try { id: TaskId::from_uuid(uuid::Uuid::now_v7()), attempt: 1 };
        tasks.begin(of);
        tasks.begin(other);
        let seen = tasks.preview(id).map(|preview| preview.revision);
        let is_woken = async |seen| {
            let limit = std::time::Duration::from_secs(60);
            tokio::time::timeout(limit, tasks.seen_other_than(id, seen)).await.is_ok()
        };
        tasks.set_pages(other, pages(1));
        tasks.report(of, ProgressRow::default());
        assert!(!is_woken(seen).await);
        tasks.set_pages(of, pages(1));
        assert!(is_woken(seen).await);
        let seen = tasks.preview(id).map(|preview| preview.revision);
        let (woken, ()) = tokio::join!(is_woken(seen), async {
            tasks.set_page_picture(of, PagePicture { at: 0, png: PNG.to_vec() });
        });
        assert!(woken);
        let seen = tasks.preview(id).map(|preview| preview.revision);
        let (woken, ()) = tokio::join!(is_woken(seen), async { tasks.stop_following(of) });
        assert!(woken && !is_woken(None).await);
    }

    #[test]
    fn an_earlier_try_is_stopped_by_a_later_one_and_says_nothing_in_its_name() {
        let (tasks, id) = (ActiveTasks::new(), TaskId::from_uuid(uuid::Uuid::now_v7()));
        let [first, second] = [1, 2].map(|attempt| Try { id, attempt });
        let at = |percent| ProgressRow { percent, ..ProgressRow::default() };
        let stopped = tasks.begin(first);
        tasks.report(first, at(40));
        let running = tasks.begin(second);
        assert!(stopped.is_cancelled() && !running.is_cancelled());
        tasks.report(first, at(70));
        tasks.set_pages(first, pages(2));
        assert_eq!((tasks.progress(first), tasks.progress(second)), (None, Some(at(0))));
        assert!(tasks.preview(id).expect("a task that runs").pages.is_empty());
        tasks.report(second, at(10));
        assert_eq!(tasks.take_unwritten(), [(second, at(10))]);
        tasks.report(second, at(10));
        assert!(tasks.take_unwritten().is_empty(), "what stands written is not written again");
        tasks.stop_following(first);
        assert!(tasks.progress(second).is_some(), "the later one goes on");
    }
}
