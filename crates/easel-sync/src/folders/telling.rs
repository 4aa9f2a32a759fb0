//! From the engine's words to those of the window: states, differences, lines of history. Pure.

use super::folder::{Need, Note, What, Why};
use crate::engine::{self, Deed};
use crate::journal::Line;
use crate::plan::{self, Difference, Failure, Guard};
use crate::ports::StoreError;
use crate::transfer::Waiting;
use crate::tree::{self, Skipped};

/// What the engine asks about.
pub(super) fn need_of(guard: Guard) -> Need {
    let count = |items: usize| items as u64;
    match guard {
        Guard::LocalEmpty => Need::FolderEmpty,
        Guard::RemoteEmpty => Need::DriveFolderEmpty,
        Guard::RemoteGone => Need::DriveFolderGone,
        Guard::ManyRemoteDeletions(items) => Need::ManyDeletionsThere { count: count(items) },
        Guard::ManyLocalDeletions(items) => Need::ManyDeletionsHere { count: count(items) },
    }
}

/// What the engine waits for. `told` is what the service was last heard to say, which is closer.
pub(super) fn waiting_of(cause: engine::Waiting, told: Option<Waiting>) -> Waiting {
    match cause {
        engine::Waiting::Offline | engine::Waiting::Silent | engine::Waiting::Moving => {
            told.unwrap_or(Waiting::Offline)
        }
        engine::Waiting::Limited => Waiting::RateLimited,
        engine::Waiting::KeyRefused => Waiting::KeyRefused,
        engine::Waiting::Forbidden => Waiting::NotPermitted,
        engine::Waiting::StorageFull => Waiting::StorageFull,
        engine::Waiting::DiskFull => Waiting::DiskFull,
    }
}

/// What has to pass before anything can be written down again.
pub(super) fn waiting_for_store(error: StoreError) -> Waiting {
    match error {
        StoreError::DiskFull => Waiting::DiskFull,
        StoreError::Damaged { detail } | StoreError::Unavailable { detail } => Waiting::JournalUnusable { detail },
    }
}

/// A difference that stays.
pub(super) fn note_of(note: plan::Note) -> Note {
    let why = match note.difference {
        Difference::Settling => Why::Settling,
        Difference::TooLarge => Why::TooLarge,
        Difference::NameNotAllowed => Why::NameNotAllowed,
        Difference::Clash { with } => Why::Clash { with },
        Difference::Link => Why::Link,
        Difference::OnlyInDrive => Why::OnlyInDrive,
        Difference::OnlyHere => Why::OnlyHere,
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

const fn why_of(failure: Failure) -> Why {
    match failure {
        Failure::Changed => Why::Unresolved,
        Failure::Taken => Why::NameTaken,
        Failure::Denied => Why::Unreadable,
        Failure::NameNotAllowed => Why::NameNotAllowed,
        Failure::TooLarge => Why::TooLarge,
        Failure::StorageFull => Why::StorageFull,
        Failure::DiskFull => Why::DiskFull,
        Failure::Forbidden => Why::NotPermitted,
        Failure::Corrupt => Why::Corrupt,
        Failure::Refused => Why::Refused,
    }
}

/// A line of the history. `place_of` says where in the drive something was, for people.
pub(super) fn line_of(deed: &Deed, place_of: impl Fn(&tree::Place) -> String) -> Line {
    let path = deed.path.clone();
    let (path, what, bytes) = match &deed.what {
        engine::What::Sent { bytes, was_edit } => {
            (path, if *was_edit { What::Replaced } else { What::Sent }, Some(*bytes))
        }
        engine::What::Fetched { bytes, .. } => (path, What::Fetched, Some(*bytes)),
        engine::What::FolderMade => (path, What::FolderMadeThere, None),
        engine::What::FolderMadeHere => (path, What::FolderMadeHere, None),
        engine::What::MovedInDrive { from, .. } => (path, What::MovedThere { from: place_of(from) }, None),
        engine::What::MovedHere { from } => (path, What::MovedHere { from: from.clone() }, None),
        engine::What::ConflictKept { from } => (from.clone(), What::Conflict { kept_as: path }, None),
        engine::What::Trashed | engine::What::FolderRemoved => (path, What::Trashed, None),
        engine::What::DeletedInDrive | engine::What::FolderDeletedInDrive => (path, What::DeletedThere, None),
        engine::What::ReplacedDeleted => (path, What::OldVersionDeleted, None),
    };
    Line { path, what, bytes }
}
