//! Carries out an undoing that was written down: at once, or after the program that began it has ended.
//!
//! Always true: what is open in the journal is done until it is over or a person has given it up; while nothing can be done, because
//! the service or the folder is away, it waits, and goes on by itself. How far it has come is shown all the while. Not here: one
//! act (`doing`), and which acts (`sync/revert`).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;

use super::doing::Doing;
use super::{FOLLOWED_WITHIN, OneRun, Reverted};
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::sync::folders::Folders;
use crate::sync::folders::conflicts::take_turn;
use crate::sync::folders::folder::UndoingProgress;
use crate::sync::folders::watched::Watched;
use crate::sync::journal::ActCounts;

/// The first wait while nothing can be done; it doubles up to the last.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LAST_WAIT: Duration = Duration::from_secs(60);

/// How a part of it ended.
enum Ended {
    /// Nothing is open any more.
    Over,
    /// Something has to pass first.
    Waits,
}

impl Folders {
    /// Takes up what was being undone when the program ended, in every folder.
    pub(in crate::sync::folders) async fn carry_on_undoing(&self) -> Result<(), Error> {
        for watched in self.shared.list_watched() {
            let counts = self.shared.journal.count_acts(watched.id).await?;
            if counts.open() > 0 {
                let (folders, one_run) = (self.clone(), OneRun::begin(&watched.is_one_run));
                show(&watched, counts);
                self.shared.tasks.spawn(async move {
                    let undone = folders.undo(&watched, None, one_run, true).await;
                    if let Err(error) = undone {
                        tracing::warn!(%error, "what was being undone could not be carried on");
                    }
                });
            } else if counts.total > 0 {
                show(&watched, counts);
            }
        }
        Ok(())
    }

    /// Does what is open. `turn` is held already, or taken.
    pub(super) async fn undo(
        &self,
        watched: &Arc<Watched>,
        turn: Option<OwnedMutexGuard<()>>,
        one_run: OneRun,
        is_carried_on: bool,
    ) -> Result<Reverted, Error> {
        let cancel = watched.cancel.clone();
        let undone = cancel.run_until_cancelled(self.undo_all(watched, turn, is_carried_on)).await;
        self.shared.hurry.notify_one();
        let cancel = self.shared.cancel.clone();
        self.shared.tasks.spawn(async move {
            let _ended = cancel.run_until_cancelled(tokio::time::sleep(FOLLOWED_WITHIN)).await;
            drop(one_run);
        });
        undone.unwrap_or(Err(Error::Stopped))
    }

    async fn undo_all(
        &self,
        watched: &Arc<Watched>,
        mut turn: Option<OwnedMutexGuard<()>>,
        is_carried_on: bool,
    ) -> Result<Reverted, Error> {
        let (journal, id) = (&self.shared.journal, watched.id);
        let mut reverted = Reverted { done: 0, refused: Vec::new() };
        let mut wait = FIRST_WAIT;
        loop {
            let held = match turn.take() {
                Some(turn) => turn,
                None => take_turn(id).await,
            };
            let done_before = reverted.done;
            match self.undo_some(watched, &mut reverted).await {
                Ok(Ended::Over) => {
                    // A person who asked for it is told how it ended; of one that was carried on they have yet to learn.
                    let counts = journal.count_acts(id).await?;
                    let is_told = !is_carried_on || counts.refused == 0;
                    if is_told {
                        journal.forget_revert(id).await?;
                    }
                    show(watched, if is_told { ActCounts::default() } else { counts });
                    return Ok(reverted);
                }
                Ok(Ended::Waits) => {}
                // The folder is away.
                Err(Error::Disk { path, .. }) if path.is_empty() => {}
                Err(error) => return Err(error),
            }
            // Conflicts are judged and settled meanwhile.
            drop(held);
            wait = if reverted.done > done_before { FIRST_WAIT } else { (wait * 2).min(LAST_WAIT) };
            let mut service = self.shared.service.subscribe();
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = service.changed() => {}
                () = watched.undoing_given_up.notified() => {}
            }
        }
    }

    /// Does what is open, until something has to pass first.
    async fn undo_some(&self, watched: &Arc<Watched>, reverted: &mut Reverted) -> Result<Ended, Error> {
        let journal = &self.shared.journal;
        let acts = journal.list_open_acts(watched.id).await?;
        let counts = journal.count_acts(watched.id).await?;
        show(watched, counts);
        if acts.is_empty() {
            return Ok(Ended::Over);
        }
        let disk = self.open_disk(watched.id).await?;
        let doing = Doing { disk: &disk, client: &self.shared.client(), journal, watch: watched.id };
        let follow = |done, refused| {
            show(watched, ActCounts { done: counts.done + done, refused: counts.refused + refused, ..counts });
            !watched.is_undoing_given_up.load(Ordering::Relaxed)
        };
        let is_whole = doing.carry_out(acts, reverted, follow).await?;
        Ok(if is_whole { Ended::Over } else { Ended::Waits })
    }

    /// Gives up what is being undone in a folder: what was done stays done, and the rest stays as it is. Where it is over already,
    /// how it ended is no longer shown.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], and what the journal fails with.
    pub async fn give_up_undoing(&self, id: WatchId) -> Result<(), Error> {
        let watched = self.find(id)?;
        watched.is_undoing_given_up.store(true, Ordering::Relaxed);
        watched.undoing_given_up.notify_one();
        let _turn = take_turn(id).await;
        watched.is_undoing_given_up.store(false, Ordering::Relaxed);
        self.shared.journal.forget_revert(id).await?;
        show(&watched, ActCounts::default());
        Ok(())
    }
}

fn show(watched: &Watched, counts: ActCounts) {
    let ActCounts { done, refused, total } = counts;
    watched.show(|folder| folder.undoing = (total > 0).then_some(UndoingProgress { done, refused, total }));
}
