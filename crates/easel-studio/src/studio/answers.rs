//! Frequent answers, kept as long as nothing in the database has changed.
//!
//! Always true: the number of answers that are kept is bounded. Not here: when the database has changed
//! ([`crate::db::changes`]), and who may see an answer; that is part of the question, or checked on the kept answer.

use bytes::Bytes;
use easel_wire::Version;

use crate::db::Viewer;
use crate::db::drive::ListQuery;
use crate::db::remembered::Remembered;
use crate::db::tasks::TaskRow;
use crate::wire::TaskId;

/// Pages of the drive as they were sent, by viewer, version, list and query.
pub type Pages = Remembered<(Viewer, Version, &'static str, ListQuery), Bytes>;

/// The most pages that are kept: eight megabytes where each is as long as can be.
const MOST_PAGES: usize = 64;

/// No page is kept yet.
#[must_use]
pub fn new_pages() -> Pages {
    Pages::at_most(MOST_PAGES)
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
