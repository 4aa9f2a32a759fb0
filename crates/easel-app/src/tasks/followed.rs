//! The tasks of a connection that may still change, and what the page has not been told of them.
//!
//! Always true: of a task that has ended, what is told is its end. Not here: looking at them (`following`).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use easel_wire::TaskId;
use easel_wire::tasks::{RETRY_AFTER_MS, Task};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::views::TaskView;

/// Bounds of the time between two looks, whatever a service asks for.
const PAUSES: std::ops::RangeInclusive<Duration> = Duration::from_millis(500)..=Duration::from_secs(60);

/// The tasks of one connection that may still change.
#[derive(Debug, Default)]
pub(super) struct Following {
    pub(super) tasks: HashMap<TaskId, Followed>,
    pub(super) is_running: bool,
    /// Wakes whoever looks: a task is due sooner than it was.
    pub(super) hurried: Arc<Notify>,
    /// What the page has not been told of.
    pub(super) untold: Vec<TaskUpdate>,
    pub(super) list_again: bool,
    pub(super) is_telling: bool,
}

/// What the page is to be told of.
#[derive(Debug)]
pub(super) enum TaskUpdate {
    /// A task of the service. Its id for the page is looked up when it is told, because the page may list a task before
    /// it is known that it was asked for here.
    Task(Box<Task>),
    /// Work that the service does not have, or not yet.
    Waiting(Box<TaskView>),
}

impl TaskUpdate {
    fn is_over(&self) -> bool {
        matches!(self, Self::Task(task) if task.status.is_terminal())
    }

    fn is_of_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Task(task), Self::Task(other)) => task.id == other.id,
            (Self::Waiting(view), Self::Waiting(other)) => view.id == other.id,
            _ => false,
        }
    }
}

impl Following {
    /// Gathers what the page is told next. Of each task it is the latest, and its end where that is known.
    pub(super) fn gather(&mut self, update: TaskUpdate) {
        let known = self.untold.iter().position(|other| other.is_of_same(&update));
        match known.map(|at| &mut self.untold[at]) {
            Some(known) if known.is_over() && !update.is_over() => {}
            Some(known) => *known = update,
            None => self.untold.push(update),
        }
    }
}

/// A task that may still change.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) last: Option<Task>,
    pub(super) looked_at: Instant,
    pub(super) due: Instant,
}

/// When to look again at a task that was just seen.
pub(super) fn pause_of(task: Option<&Task>) -> Duration {
    let asked = task.and_then(|task| task.retry_after_ms).unwrap_or(RETRY_AFTER_MS);
    Duration::from_millis(asked).clamp(*PAUSES.start(), *PAUSES.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn news_of_a_task_that_has_ended_is_its_end_whatever_is_heard_after_it() {
        let task = |id: &str, status: &str| -> TaskUpdate {
            TaskUpdate::Task(Box::new(serde_json::from_value(json!({"id": id, "status": status})).unwrap()))
        };
        let mut following = Following::default();
        for (id, status) in [
            ("task_1", "running"),
            ("task_2", "queued"),
            ("task_1", "succeeded"),
            ("task_1", "running"),
            ("task_2", "running"),
        ] {
            following.gather(task(id, status));
        }
        let told: Vec<_> = following
            .untold
            .iter()
            .filter_map(|update| match update {
                TaskUpdate::Task(task) => Some((task.id.to_string(), task.status.to_string())),
                TaskUpdate::Waiting(_) => None,
            })
            .collect();
        let expected = [("task_1", "succeeded"), ("task_2", "running")];
        assert_eq!(told, expected.map(|(id, status)| (id.to_owned(), status.to_owned())));
    }

    #[test]
    fn a_task_is_looked_at_again_when_the_service_asks_for_it() {
        let check = |retry_after_ms: Option<u64>, expected_ms: u64| {
            let task = json!({"id": "task_00000000000000000000000000", "status": "running",
                "retry_after_ms": retry_after_ms});
            let task: Task = serde_json::from_value(task).unwrap();
            assert_eq!(pause_of(Some(&task)), Duration::from_millis(expected_ms), "{retry_after_ms:?}");
        };
        check(None, 3_000);
        check(Some(5_000), 5_000);
        check(Some(0), 500);
        check(Some(90_000_000), 60_000);
        assert_eq!(pause_of(None), Duration::from_secs(3));
    }
}
