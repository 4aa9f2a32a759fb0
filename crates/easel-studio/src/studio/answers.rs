//! Frequent answers, kept as long as nothing that they say has changed.
//!
//! Always true: the number of answers that are kept is bounded. Not here: when the database has changed
//! ([`crate::db::changes`]), and who may see an answer; that is part of the question, or checked on the kept answer.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use easel_wire::Version;

use crate::db::Viewer;
use crate::db::drive::ListQuery;
use crate::db::remembered::Remembered;
use crate::db::tasks::TaskRow;
use crate::wire::TaskId;

/// Viewer, version, list and query of a page.
type PageKey = (Viewer, Version, &'static str, ListQuery);

/// Pages of the drive as they were sent.
pub type Pages = Remembered<PageKey, Bytes>;

/// The most pages that are kept: eight megabytes where each is as long as can be.
const MOST_PAGES: usize = 64;

/// The most pages that are kept for all the teams of a server: 64 megabytes where each is as long as can be.
const MOST_COUNTED_PAGES: usize = 512;

/// No page is kept yet.
#[must_use]
pub fn new_pages() -> Pages {
    Pages::at_most(MOST_PAGES)
}

/// Pages of the drive as they were sent, each with the number of the change of its team's drive that it is of ([`crate::studio::callers::AsOf`]).
///
/// Always true: a page is of its change or of a later one, because it was read after the number.
#[derive(Debug, Default)]
pub struct CountedPages(Mutex<HashMap<PageKey, (i64, Bytes)>>);

impl CountedPages {
    /// The page as of this change: the one that is kept, else what `read` says, which begins after the number was seen.
    ///
    /// # Errors
    /// Those of `read`; they are not kept.
    pub async fn get<E, F: Future<Output = Result<Bytes, E>>>(
        &self,
        change: i64,
        key: PageKey,
        read: impl FnOnce() -> F,
    ) -> Result<Bytes, E> {
        let kept = self.lock().get(&key).filter(|(of, _)| *of == change).map(|(_, page)| page.clone());
        if let Some(page) = kept {
            return Ok(page);
        }
        let page = Box::pin(read()).await?;
        let mut kept = self.lock();
        if kept.len() >= MOST_COUNTED_PAGES {
            kept.clear();
        }
        kept.insert(key, (change, page.clone()));
        Ok(page)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PageKey, (i64, Bytes)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tasks that were read by their ids.
pub type TasksAskedFor = Remembered<TaskId, TaskRow>;

/// The most tasks that are kept: each has its request in it, mostly of a few words and never of more than 20,000
/// characters.
const MOST_TASKS: usize = 256;

/// No task is kept yet.
#[must_use]
pub fn new_tasks_asked_for() -> TasksAskedFor {
    TasksAskedFor::at_most(MOST_TASKS)
}
