//! The status summary: what all connections are doing, as one sign and a few words, which the tray shows.
//!
//! Always true: it covers all connections, not only the one in view; a watcher is woken only when it would show
//! something else. Not here: how it is shown (the shell).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use easel_sync::Summary;
use easel_sync::awake::Awake;
use easel_sync::folders::{Folder, State};
use tokio::sync::watch;

use crate::connections::Connections;
use crate::core::Core;
use crate::messages;

/// What stands in the tray's menu to open the window, and to end the program.
#[must_use]
pub fn open_and_quit() -> (&'static str, &'static str) {
    (messages::open_easel(), messages::quit_easel())
}

/// What stands in the tray's menu to pause everything, or to go on with it.
#[must_use]
pub fn pause_or_resume(now: &StatusSummary) -> &'static str {
    messages::pause_or_resume(now.can_pause)
}

/// What stands at the pointer when it rests on the tray's sign.
#[must_use]
pub fn tooltip(now: &StatusSummary) -> String {
    format!("Easel: {}", now.words)
}

/// How Easel is, as one sign.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatusSign {
    /// Nothing is going on.
    #[default]
    Idle,
    /// A person stopped what would go on.
    Paused,
    /// Files are on their way, or wait for something to pass.
    Busy,
    /// Something cannot go on without the person.
    NeedsYou,
}

/// How Easel is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusSummary {
    /// As one sign.
    pub sign: StatusSign,
    /// In words.
    pub words: String,
    /// Whether anything could be paused: else what the menu offers is to go on.
    pub can_pause: bool,
    /// Whether bytes are on their way, so that the computer should stay awake.
    pub is_moving: bool,
    /// Whether anything goes on, or would at the next change: what closing the window would end.
    pub has_work: bool,
}

/// The work of one connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ConnectionSummary {
    sending: u64,
    paused_transfers: u64,
    failed: u64,
    waits: bool,
    working_folders: u64,
    live_folders: u64,
    paused_folders: u64,
    waiting_folders: u64,
    needing_folders: u64,
}

/// The status summary of all connections. Clones are the same summary.
#[derive(Clone)]
pub struct StatusSummaries {
    core: Core,
    connections: Connections,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    parts: Mutex<HashMap<String, ConnectionSummary>>,
    now: watch::Sender<StatusSummary>,
}

impl StatusSummaries {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        let inner = Inner { parts: Mutex::default(), now: watch::Sender::new(summarize(&[])) };
        Self { core, connections, inner: Arc::new(inner) }
    }

    /// Takes note of a queue.
    pub(crate) fn note_queue(&self, connection_id: &str, summary: &Summary) {
        self.change(connection_id, |part| {
            part.sending = summary.total.saturating_sub(summary.finished + summary.failed + summary.paused);
            part.paused_transfers = summary.paused;
            part.failed = summary.failed;
            part.waits = summary.waiting.is_some();
        });
    }

    /// Takes note of the folders of a connection, all of them.
    pub(crate) fn note_folders(&self, connection_id: &str, folders: &[Folder]) {
        let count = |is: fn(&State) -> bool| folders.iter().filter(|folder| is(&folder.state)).count() as u64;
        let working = count(|state| matches!(state, State::Working { .. }));
        let paused = count(|state| matches!(state, State::Paused));
        let waiting = count(|state| matches!(state, State::Waiting { .. }));
        let needing = count(|state| matches!(state, State::NeedsYou { .. }));
        self.change(connection_id, |part| {
            part.working_folders = working;
            part.paused_folders = paused;
            part.waiting_folders = waiting;
            part.needing_folders = needing;
            part.live_folders = folders.len() as u64 - paused;
        });
    }

    /// A connection is gone.
    pub(crate) fn forget(&self, connection_id: &str) {
        let mut parts = self.lock();
        parts.remove(connection_id);
        self.tell(&parts);
    }

    /// Says anew how Easel is, as after the language has changed.
    pub(crate) fn say_again(&self) {
        self.tell(&self.lock());
    }

    fn change(&self, connection_id: &str, change: impl FnOnce(&mut ConnectionSummary)) {
        let mut parts = self.lock();
        change(parts.entry(connection_id.to_owned()).or_default());
        self.tell(&parts);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, ConnectionSummary>> {
        self.inner.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, parts: &HashMap<String, ConnectionSummary>) {
        let now = summarize(&parts.values().copied().collect::<Vec<_>>());
        self.inner.now.send_if_modified(|before| {
            let is_news = *before != now;
            *before = now;
            is_news
        });
    }
}

fn summarize(parts: &[ConnectionSummary]) -> StatusSummary {
    let sum = |of: fn(&ConnectionSummary) -> u64| parts.iter().map(of).sum::<u64>();
    let (sending, needing, failed) =
        (sum(|part| part.sending), sum(|part| part.needing_folders), sum(|part| part.failed));
    let (working, connection) = (sum(|part| part.working_folders), sum(|part| part.live_folders));
    // What cannot be looked at is not up to date, whatever was seen of it before.
    let waiting = sum(|part| part.waiting_folders);
    let is_paused = sum(|part| part.paused_transfers) + sum(|part| part.paused_folders) > 0;
    let sign = if needing > 0 || failed > 0 {
        StatusSign::NeedsYou
    } else if sending > 0 || working > 0 || waiting > 0 {
        StatusSign::Busy
    } else if is_paused {
        StatusSign::Paused
    } else {
        StatusSign::Idle
    };
    let do_transfers_wait = sending > 0 && parts.iter().any(|part| part.waits);
    let waits = do_transfers_wait || (sending == 0 && working == 0 && waiting > 0);
    let words = match sign {
        StatusSign::NeedsYou if needing > 0 => messages::folders_need_you_summary(needing),
        StatusSign::NeedsYou => messages::files_failed_summary(failed),
        StatusSign::Busy if waits => messages::waiting_summary(),
        StatusSign::Busy => messages::busy_summary(sending, working),
        StatusSign::Paused => messages::paused_summary(),
        StatusSign::Idle => messages::idle_summary(),
    };
    let has_work = sending > 0 || connection > 0;
    StatusSummary {
        sign,
        words,
        can_pause: has_work,
        is_moving: working > 0 || (sending > 0 && !do_transfers_wait),
        has_work,
    }
}

impl StatusSummaries {
    /// Keeps the computer awake while bytes are on their way.
    pub(crate) fn keep_awake(&self) {
        let mut status_now = self.watch();
        self.core.supervisor().spawn(async move {
            let awake = Awake::new("Easel", "Files are being sent");
            loop {
                let is_moving = status_now.borrow_and_update().is_moving;
                awake.want(is_moving);
                if status_now.changed().await.is_err() {
                    return;
                }
            }
        });
    }

    /// How Easel is, now and from now on.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<StatusSummary> {
        self.inner.now.subscribe()
    }

    /// Pauses the transfers and the folders of every connection.
    pub async fn pause_everything(&self) {
        for session in self.connections.all().iter().filter_map(|connection| connection.session()) {
            if let Err(error) = session.queue.pause_all().await {
                tracing::warn!(%error, "a queue could not be paused");
            }
            if let Err(error) = session.synced.pause_all().await {
                tracing::warn!(%error, "the folders could not be paused");
            }
        }
    }

    /// Lets the transfers and the folders of every connection go on.
    pub async fn resume_everything(&self) {
        for session in self.connections.all().iter().filter_map(|connection| connection.session()) {
            if let Err(error) = session.queue.resume_all().await {
                tracing::warn!(%error, "a queue could not go on");
            }
            if let Err(error) = session.synced.resume_all().await {
                tracing::warn!(%error, "the folders could not go on");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_the_person_shows_before_what_is_busy_and_that_before_what_is_paused() {
        let check = |parts: &[ConnectionSummary], sign, said: &str| {
            let status_now = summarize(parts);
            assert_eq!((status_now.sign, status_now.words.as_str()), (sign, said), "{parts:?}");
        };
        let sending = ConnectionSummary { sending: 3, ..ConnectionSummary::default() };
        let paused = ConnectionSummary { paused_folders: 1, ..ConnectionSummary::default() };
        let needing = ConnectionSummary { needing_folders: 1, live_folders: 1, ..ConnectionSummary::default() };
        let working = ConnectionSummary { working_folders: 2, live_folders: 2, ..ConnectionSummary::default() };
        check(&[], StatusSign::Idle, "Everything is up to date");
        check(
            &[ConnectionSummary { live_folders: 1, ..ConnectionSummary::default() }],
            StatusSign::Idle,
            "Everything is up to date",
        );
        check(&[paused], StatusSign::Paused, "Paused");
        check(&[sending, paused], StatusSign::Busy, "Sending 3 files");
        let waiting = ConnectionSummary { waiting_folders: 1, live_folders: 2, ..ConnectionSummary::default() };
        check(&[working], StatusSign::Busy, "Syncing 2 folders");
        check(&[waiting], StatusSign::Busy, "Waiting to resume");
        check(&[waiting, paused], StatusSign::Busy, "Waiting to resume");
        check(&[waiting, working], StatusSign::Busy, "Syncing 2 folders");
        check(&[waiting, sending], StatusSign::Busy, "Sending 3 files");
        check(&[waiting, needing], StatusSign::NeedsYou, "1 folder needs you");
        assert!(!summarize(&[waiting]).is_moving);
        check(&[ConnectionSummary { waits: true, ..sending }], StatusSign::Busy, "Waiting to resume");
        check(&[sending, needing], StatusSign::NeedsYou, "1 folder needs you");
        check(&[ConnectionSummary { failed: 2, ..sending }], StatusSign::NeedsYou, "2 files could not be sent");
        assert!(!summarize(&[paused]).has_work && summarize(&[working]).has_work);
    }
}
