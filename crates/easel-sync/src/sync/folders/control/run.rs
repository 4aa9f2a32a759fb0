//! One run of a folder's engine: refreshes the index of the drive, builds the engine or takes the last one, and hears
//! commands meanwhile.
//!
//! Always true: a command that changes what may be done drops the run, which is as good as a crash and loses nothing. Not
//! here: when a run begins, and what follows from its end.

use std::sync::Arc;

use super::super::command::{Command, FolderCommand};
use super::{Control, Ended, FIRST_WAIT, FolderEngine, LAST_WAIT};
use crate::sync::disk::Dirty;
use crate::sync::engine::{Engine, StopReason};
use crate::sync::folders::folder::State;
use crate::sync::plan;
use crate::sync::remote::drive::ServiceDrive;

/// How a run of the engine ended.
enum Run {
    Stopped(StopReason),
    /// A command stopped it.
    Commanded(Command),
    /// All senders of commands are gone, or nothing may be moved now.
    Over,
}

impl Control {
    /// One run of the engine, from a fresh look at the drive to its rest.
    pub(super) async fn run_engine(&mut self) -> Ended {
        if !self.refresh_drive().await {
            return Ended::Interrupted;
        }
        self.note_drive_path().await;
        let settings = self.engine_settings().await;
        self.build_flat_engine().await;
        let mut engine = match self.engine.take() {
            Some(mut engine) => {
                engine.change(settings);
                engine
            }
            None => match self.build_engine(settings) {
                Some(engine) => engine,
                None => return Ended::Interrupted,
            },
        };
        match self.run_until_command(&mut engine).await {
            Run::Over => Ended::Interrupted,
            Run::Stopped(rest) => {
                self.engine = Some(engine);
                Ended::Stopped(rest)
            }
            Run::Commanded(command) => {
                self.engine = Some(engine);
                self.handle(command).await;
                Ended::Interrupted
            }
        }
    }

    /// Makes the picture of the drive fresh enough for a run. Returns whether it is: a command may have come first.
    async fn refresh_drive(&mut self) -> bool {
        loop {
            // The figures of the last run are cleared while the drive is looked at. An open question stays shown.
            if self.asked.is_none() {
                self.watched.show_state(State::Looking);
            }
            let client = self.shared.client();
            let cursor = self.shared.index.cursor();
            let rate = self.shared.requests_per_minute();
            // A local change does not wait for a poll that comes every so often anyway.
            let age_ms = self.shared.index.looks_every_ms(rate).saturating_mul(2);
            if !self.shared.index.is_older_than(age_ms) {
                self.cursor = cursor;
                return true;
            }
            let refreshed = {
                let shared = Arc::clone(&self.shared);
                let (index, orders) = (Arc::clone(&self.shared.index), &mut self.orders);
                tokio::select! {
                    biased;
                    command = orders.recv() => Err(command),
                    refreshed = async {
                        shared.learn_rate().await;
                        index.refresh(&client, false).await
                    } => Ok(refreshed),
                }
            };
            match refreshed {
                Err(Some(command)) => {
                    self.handle(command).await;
                    return false;
                }
                Err(None) => return false,
                Ok(Ok(())) => {
                    self.cursor = cursor;
                    self.wait = FIRST_WAIT;
                    return true;
                }
                Ok(Err(error)) => {
                    let cause = super::super::poll::cause_of(&error);
                    self.watched.show_state(State::Waiting { cause });
                    let wait = self.wait;
                    self.wait = (wait * 2).min(LAST_WAIT);
                    if self.handle_within(wait).await {
                        return false;
                    }
                }
            }
        }
    }

    /// Notes the present path of the drive folder.
    async fn note_drive_path(&mut self) {
        let Some(path) = self.shared.index.path_of(self.watch.drive_folder) else { return };
        if path == self.watch.drive_path {
            return;
        }
        self.watch.drive_path.clone_from(&path);
        self.watched.show(|folder| folder.drive_path.clone_from(&path));
        if let Err(error) = self.shared.journal.record_drive_path(self.watch.id, &path).await {
            tracing::warn!(%error, "where the drive folder is now could not be written down yet");
        }
    }

    /// Runs the engine until it rests, or until a command comes that stops it.
    async fn run_until_command(&mut self, engine: &mut FolderEngine) -> Run {
        let mut run = Box::pin(engine.run());
        loop {
            tokio::select! {
                biased;
                command = self.orders.recv() => match command {
                    // A command that only asks to hurry need not stop the run.
                    Some(Command { command: command @ (FolderCommand::LookAgain | FolderCommand::Resume | FolderCommand::Consent), reply })
                        if self.asked.is_none() || !matches!(command, FolderCommand::Consent) =>
                    {
                        self.is_due = true;
                        if matches!(command, FolderCommand::LookAgain) && let Some(ground) = &self.ground {
                            ground.disk.mark(Dirty::Everything);
                        }
                        if matches!(command, FolderCommand::LookAgain) {
                            self.shared.index.want_whole();
                        }
                        self.watched.clock.nudge();
                        let _ = reply.send(Ok(()));
                    }
                    Some(command) => return Run::Commanded(command),
                    None => return Run::Over,
                },
                _ = self.metered.changed() => {
                    if *self.metered.borrow() {
                        return Run::Over;
                    }
                }
                rest = &mut run => return Run::Stopped(rest),
            }
        }
    }

    pub(super) fn build_engine(&self, settings: plan::Settings) -> Option<FolderEngine> {
        let ground = self.ground.as_ref()?;
        let shared = &self.shared;
        let drive = ServiceDrive::new(
            &shared.client(),
            Arc::clone(&shared.index),
            ground.disk.clone(),
            shared.settings.slots.clone(),
            Arc::clone(&self.watched.flow),
        );
        let (disk, state_store, clock) = (ground.disk.clone(), self.state_store.clone(), self.watched.clock.clone());
        let mut engine = Engine::new(disk, drive, state_store, clock, self.watch.drive_folder, settings);
        let watched = Arc::clone(&self.watched);
        engine.listen(move |status| watched.hear(&status));
        engine.keep(self.shared.settings.kept_items);
        Some(engine)
    }
}
