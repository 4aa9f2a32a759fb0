//! Asks the service what changed in the drive, for all watched folders of a connection at once.
//!
//! Always true: the service is asked only while a folder is at work or at rest, never while all are paused; only as
//! often as the share of the budget for looking allows, and more seldom while files are on their way; while the service
//! cannot be reached, ever more seldom, and the folders say so.

use std::sync::Arc;
use std::time::Duration;

use easel_wire::Timestamp;
use tokio::time::sleep;

use super::folder::State;
use super::state::{Shared, TRIMMED_ITEMS};
use crate::shared::causes::{Waiting, wait_after};
use crate::shared::error::Error;
use crate::shared::memory;

/// The first wait after a failure; it doubles up to the last.
const FIRST_WAIT: Duration = Duration::from_secs(2);
const LAST_WAIT: Duration = Duration::from_secs(60);
/// By this factor the drive is asked more seldom while files are on their way.
const SELDOMER_AT_WORK: u64 = 4;

/// Asks until the folders end.
pub(super) async fn poll(shared: Arc<Shared>) {
    let mut wait = FIRST_WAIT;
    loop {
        let every = Duration::from_millis(shared.index.looks_every_ms(shared.requests_per_minute()));
        let is_failing = shared.service.borrow().is_some();
        let pause = if is_failing { wait } else { every };
        tokio::select! {
            biased;
            () = shared.cancel.cancelled() => return,
            () = sleep(pause) => {}
            () = shared.hurry.notified() => {}
        }
        let is_wanted = shared
            .list_watched()
            .iter()
            .any(|watched| !matches!(watched.snapshot(None).state, State::Paused | State::Starting));
        if !is_wanted {
            continue;
        }
        // Requests are what limits files on their way: so meanwhile looking gets fewer of them.
        let is_working = shared.list_watched().iter().any(|watched| watched.is_working());
        let client = shared.client();
        let every_ms = shared.index.looks_every_ms_at_work(&client, shared.requests_per_minute());
        if is_working && !shared.index.is_older_than(every_ms.saturating_mul(SELDOMER_AT_WORK)) {
            continue;
        }
        let now = Timestamp::from_micros(shared.settings.clock.now());
        let refreshed = tokio::select! {
            biased;
            () = shared.cancel.cancelled() => return,
            refreshed = async {
                shared.learn_rate().await;
                shared.index.refresh(&client, false).await
            } => refreshed,
        };
        let every_ms = shared.index.looks_every_ms(shared.requests_per_minute());
        let cause = match refreshed {
            Ok(()) => {
                wait = FIRST_WAIT;
                None
            }
            Err(error) => {
                tracing::debug!(%error, "the drive cannot be looked at");
                wait = (wait * 2).min(LAST_WAIT);
                Some(cause_of(&error))
            }
        };
        let is_answered = cause.is_none();
        if shared.service.send_if_modified(|known| {
            let is_new = *known != cause;
            known.clone_from(&cause);
            is_new
        }) && is_answered
        {
            // The service answers again: folders that wait for it need not wait any longer.
            shared.nudge_all();
        }
        for watched in shared.list_watched() {
            watched.show(|folder| folder.looks_every_ms = Some(every_ms));
            if is_answered {
                watched.note_look(now);
            }
        }
        if !is_working && shared.index.count_folders() > TRIMMED_ITEMS {
            let _ = tokio::task::spawn_blocking(memory::give_back).await;
        }
    }
}

/// The cause that has to pass before the drive can be asked again.
pub(super) fn cause_of(error: &Error) -> Waiting {
    match error {
        Error::Service(error) => wait_after(error).unwrap_or(Waiting::NotTheService),
        other => other.waiting(),
    }
}
