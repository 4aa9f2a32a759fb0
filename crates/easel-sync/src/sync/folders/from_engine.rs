//! Translates the engine's states, differences and applied changes into the window's. Pure.

use super::folder::{HistoryEvent, Need, Note, Why};
use crate::shared::causes::{Cause, Failure, Waiting};
use crate::sync::engine::{self, AppliedChange};
use crate::sync::journal::{self, Line};
use crate::sync::plan::{self, Difference, Guard};
use crate::sync::ports::StoreError;
use crate::sync::revert::{PastChange, RecordedChange};
use crate::sync::tree::{self, Skipped};

/// The need that a guard's question becomes.
pub(super) fn need_of(guard: Guard) -> Need {
    let count = |items: usize| items as u64;
    match guard {
        Guard::LocalEmpty => Need::FolderEmpty,
        Guard::RemoteEmpty => Need::DriveFolderEmpty,
        Guard::RemoteGone => Need::DriveFolderGone,
        Guard::RemoteWentBack(items) => Need::DriveWentBack { count: count(items) },
        Guard::ManyRemoteDeletions(items) => Need::ManyDeletionsThere { count: count(items) },
        Guard::ManyLocalDeletions(items) => Need::ManyDeletionsHere { count: count(items) },
    }
}

/// The cause that has to pass before the journal can be written again.
pub(super) fn waiting_for_store(error: StoreError) -> Waiting {
    match error {
        StoreError::DiskFull => Waiting::DiskFull,
        StoreError::Damaged { detail } | StoreError::Unavailable { detail } => Waiting::JournalUnusable { detail },
    }
}

/// A difference that stays, as the window sees it.
pub(super) fn note_of(note: plan::Note) -> Note {
    let why = match note.difference {
        Difference::Settling => Why::Settling,
        Difference::TooLarge => Why::TooLarge,
        Difference::NameNotAllowed => Why::NameNotAllowed,
        Difference::Clash { with } => Why::Clash { with },
        Difference::Link => Why::Link,
        Difference::OnlyInDrive => Why::OnlyInDrive,
        Difference::ContentMissing => Why::ContentMissing,
        Difference::OnlyHere => Why::OnlyHere,
        Difference::NewerInDrive => Why::NewerInDrive,
        Difference::MovedInDrive => Why::MovedInDrive,
        Difference::NameTaken => Why::NameTaken,
        Difference::FolderMissing => Why::FolderMissing,
        Difference::Ignored => Why::Ignored,
        Difference::Skipped(Skipped::SymbolicLink) => Why::SymbolicLink,
        Difference::Skipped(Skipped::Special) => Why::NotAFile,
        Difference::Skipped(Skipped::NameNotText) => Why::NameNotAllowed,
        Difference::Unresolved(failure) => why_of(failure),
    };
    Note { path: note.path, why }
}

/// Failures that folders have a word of their own for get that; for all others the cause stands.
fn why_of(failure: Failure) -> Why {
    match failure.cause {
        Cause::Changed => Why::Unresolved,
        Cause::NameTaken => Why::NameTaken,
        Cause::Unreadable { .. } => Why::Unreadable,
        Cause::NotAFile => Why::NotAFile,
        Cause::TooLarge { .. } => Why::TooLarge,
        Cause::NameNotAllowed { .. } => Why::NameNotAllowed,
        Cause::FolderGone => Why::FolderMissing,
        cause => Why::Failed { cause },
    }
}

/// A change that an engine applied, as undoing takes it, the last first: a test undoes what a simulated engine did.
#[doc(hidden)]
#[must_use]
pub fn past_changes(id: i64, applied: &AppliedChange, recorded: RecordedChange) -> Vec<PastChange> {
    let Line { path, what, .. } = line_of(applied, |place| place.name.clone());
    journal::past_changes(id, path, what, recorded)
}

/// A line of the history. `place_of` gives a place in the drive as a path for people.
pub(super) fn line_of(applied: &AppliedChange, place_of: impl Fn(&tree::Place) -> String) -> Line {
    let path = applied.path.clone();
    let (path, what, bytes) = match &applied.what {
        engine::ChangeKind::Sent { bytes, was_edit } => {
            (path, if *was_edit { HistoryEvent::Replaced } else { HistoryEvent::Sent }, Some(*bytes))
        }
        engine::ChangeKind::Fetched { bytes, .. } => (path, HistoryEvent::Fetched, Some(*bytes)),
        engine::ChangeKind::FolderMade => (path, HistoryEvent::FolderMadeThere, None),
        engine::ChangeKind::FolderMadeHere => (path, HistoryEvent::FolderMadeHere, None),
        engine::ChangeKind::MovedInDrive { from, .. } => {
            (path, HistoryEvent::MovedThere { from: place_of(from) }, None)
        }
        engine::ChangeKind::MovedHere { from } => (path, HistoryEvent::MovedHere { from: from.clone() }, None),
        engine::ChangeKind::ConflictKept { from } => (from.clone(), HistoryEvent::Conflict { kept_as: path }, None),
        engine::ChangeKind::Trashed | engine::ChangeKind::FolderRemoved => (path, HistoryEvent::Trashed, None),
        engine::ChangeKind::DeletedInDrive | engine::ChangeKind::FolderDeletedInDrive => {
            (path, HistoryEvent::DeletedThere, None)
        }
        engine::ChangeKind::ReplacedDeleted => (path, HistoryEvent::OldVersionDeleted, None),
    };
    Line { path, what, bytes }
}
