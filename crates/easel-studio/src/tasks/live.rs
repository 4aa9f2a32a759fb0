//! What is known of tasks only while the process lives: how far a running one is, whether it shall stop, and who waits.
//!
//! Always true: whoever waits for a task's end or for work is woken by the transition itself and never asks the database
//! again and again. Progress stands here and not in the database, because it moves several times a second and is worth
//! nothing after a restart. Not here: the states; those are rows.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::{Notify, broadcast};
use tokio_util::sync::CancellationToken;

use crate::db::tasks::ProgressRow;
use crate::wire::TaskId;

/// Ends that a slow listener may be behind; one further behind looks at its task again.
const ENDS_KEPT: usize = 256;

/// The tasks that this process works on, and everyone who waits.
#[derive(Debug)]
pub struct Live {
    running: Mutex<HashMap<TaskId, Running>>,
    ended: broadcast::Sender<TaskId>,
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
}

impl Live {
    /// Nothing running, nobody waiting.
    #[must_use]
    pub fn new() -> Self {
        Self {
            running: Mutex::default(),
            ended: broadcast::Sender::new(ENDS_KEPT),
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
        let running = Running { progress: ProgressRow::default(), cancel: cancel.clone() };
        self.lock().insert(id, running);
        cancel
    }

    /// Notes how far a running task is.
    pub fn report(&self, id: TaskId, progress: ProgressRow) {
        if let Some(running) = self.lock().get_mut(&id) {
            running.progress = progress;
        }
    }

    /// How far a task is, where it runs.
    #[must_use]
    pub fn progress(&self, id: TaskId) -> Option<ProgressRow> {
        self.lock().get(&id).map(|running| running.progress.clone())
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

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TaskId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
