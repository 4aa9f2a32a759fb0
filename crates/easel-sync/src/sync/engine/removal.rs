//! How a drive file goes, and what pointers say of it.
//!
//! Data only. Not here: the requests for it (`pointing`).

use easel_wire::{FileId, FolderId};

use super::intent::Intent;
use crate::sync::pointers::{Heir, Pointer, Seen, State};
use crate::sync::tree::ContentHash;

/// A pointer and the name that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Renaming {
    pub pointer: FileId,
    pub file_name: String,
}

impl Renaming {
    pub(super) fn new(pointer: FileId, seen: &Seen, state: State) -> Self {
        let said = Pointer { state, ..seen.pointer.clone() };
        Self { pointer, file_name: said.file_name(pointer) }
    }
}

impl Renaming {
    /// What is written down of it before another content comes to its place, which is that of a path.
    pub(super) fn intent(&self, of: &str) -> Intent {
        Intent::Announce { path: self.file_name.clone(), pointer: self.pointer, of: of.to_owned() }
    }
}

/// Where a drive file is on its way to a copy's place: in a folder, or at the top of the drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stop {
    pub folder: Option<FolderId>,
    pub name: String,
}

/// How a drive file of a record goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Removal {
    /// It is deleted, while it has this content.
    Delete(Option<ContentHash>),
    /// It is a pointer: it says that it stands for nothing, and so do those that say the same of its place.
    Retire(Vec<Renaming>),
    /// A pointer stands for its content: it goes to the place of that one, step by step.
    ///
    /// First the pointer says that the file takes its place, and at last that it is gone: whoever sees the file in its place
    /// knows by that that it was handed over, and its own path deleted.
    HandOver { announcement: Option<Renaming>, steps: Vec<Stop>, heir: Heir, renamed: Option<Renaming> },
}

impl Removal {
    pub(super) const fn heir(&self) -> Option<&Heir> {
        match self {
            Self::HandOver { heir, .. } => Some(heir),
            _ => None,
        }
    }
}
