//! A person's commands about a watched folder, carried out.
//!
//! Always true: a command is durable before it is answered; no command sends, fetches or deletes anything by itself: the run
//! that follows does.

use super::super::command::FolderCommand;
use super::{Control, FIRST_WAIT, FolderEngine};
use crate::shared::error::Error;
use crate::sync::disk::Dirty;
use crate::sync::plan::Guard;
use crate::sync::ports::{Settlement, Store, StoreError};
use crate::sync::tree::{Agreement, Change};

impl Control {
    pub(super) async fn carry_out(&mut self, command: FolderCommand) -> Result<(), Error> {
        self.wait = FIRST_WAIT;
        match command {
            FolderCommand::Pause => {
                self.shared.journal.record_paused(self.watch.id, true).await?;
                self.watch.is_paused = true;
            }
            FolderCommand::Resume => {
                self.shared.journal.record_paused(self.watch.id, false).await?;
                self.watch.is_paused = false;
                self.is_due = true;
            }
            FolderCommand::LookAgain => {
                if let Some(ground) = &self.ground {
                    ground.disk.mark(Dirty::Everything);
                }
                self.shared.index.want_whole();
                self.is_due = true;
            }
            FolderCommand::Consent if matches!(self.asked, Some(Guard::RemoteWentBack(_))) => {
                self.keep_and_send_again().await?;
                self.is_due = true;
            }
            FolderCommand::Consent => {
                if let Some(guard) = self.asked.take()
                    && let Ok(engine) = self.engine_at_rest().await
                {
                    engine.consent(guard);
                }
                self.is_due = true;
            }
            FolderCommand::Decline => {
                self.decline().await?;
                self.is_due = true;
            }
            FolderCommand::Change(choices) => {
                self.shared.journal.record_choices(self.watch.id, &choices).await?;
                let are_patterns_new = choices.ignore != self.watch.choices.ignore;
                self.watch.choices = choices.clone();
                self.watched.show(|folder| folder.choices = choices);
                if are_patterns_new {
                    self.let_go();
                }
                self.is_due = true;
            }
            FolderCommand::SendAgain(path) => {
                self.engine_at_rest().await?.send_again(&path).await.map_err(|error| of_store(&error))?;
                self.is_due = true;
            }
            FolderCommand::TryRefused(path) => {
                self.engine_at_rest().await?.try_refused_again(&path).await.map_err(|error| of_store(&error))?;
                self.is_due = true;
            }
            FolderCommand::Relocate(path) => {
                // Whether the relocation succeeds or not, both sides are looked at anew, at the path that then holds.
                self.let_go();
                self.is_due = true;
                self.relocate(&path).await?;
            }
            FolderCommand::Remove => self.is_removed = true,
            FolderCommand::ClientChanged => {
                self.forget_engine();
                self.is_due = true;
            }
        }
        Ok(())
    }

    /// The engine, while it does not run.
    async fn engine_at_rest(&mut self) -> Result<&mut FolderEngine, Error> {
        self.build_flat_engine().await;
        if self.engine.is_none() {
            let settings = self.engine_settings().await;
            self.engine = self.build_engine(settings);
        }
        self.engine.as_mut().ok_or(Error::Stopped)
    }

    /// Declines the deletions that were asked about. Items that were deleted here stay in the drive, as if that were
    /// the rule; of items that were deleted in the drive the records are dropped, so that they are new here and are
    /// sent.
    async fn decline(&mut self) -> Result<(), Error> {
        match self.asked {
            Some(guard @ Guard::RemoteWentBack(_)) => {
                self.asked = None;
                self.engine_at_rest().await?.consent(guard);
            }
            Some(Guard::ManyRemoteDeletions(_) | Guard::LocalEmpty) => self.is_declined = true,
            Some(Guard::ManyLocalDeletions(_) | Guard::RemoteEmpty) => {
                self.asked = None;
                self.forget_engine();
                let (agreed, _) = self.state_store.load_all().await.map_err(|error| of_store(&error))?;
                let mut changes = Vec::new();
                for (path, record) in agreed.records {
                    let is_there = match &record.agreement {
                        Agreement::Folder { folder, .. } => self.shared.index.folder(*folder).is_some(),
                        Agreement::File(file) => self.shared.index.file(file.file).await?.is_some(),
                    };
                    if !is_there {
                        changes.push(Change::Forget(path));
                    }
                }
                self.state_store
                    .settle(&Settlement { changes, ..Settlement::default() })
                    .await
                    .map_err(|error| of_store(&error))?;
            }
            Some(Guard::RemoteGone) | None => {}
        }
        Ok(())
    }
}

pub(super) fn of_store(error: &StoreError) -> Error {
    Error::JournalUnavailable { detail: error.to_string() }
}
