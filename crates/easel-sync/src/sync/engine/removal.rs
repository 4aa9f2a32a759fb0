//! The ways in which a drive file is removed, and what pointers then say.
//!
//! Data only. Not here: the requests for it (`pointing`).

use easel_wire::{FileId, FolderId};

use super::intent::Intent;
use crate::sync::pointers::{Heir, PlacedPointer, Pointer, State};
use crate::sync::tree::ContentHash;

/// A pointer and its new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Renaming {
    pub pointer: FileId,
    pub file_name: String,
}

impl Renaming {
    pub(super) fn new(pointer: FileId, seen: &PlacedPointer, state: State) -> Self {
        let said = Pointer { state, ..seen.pointer.clone() };
        Self { pointer, file_name: said.file_name(pointer) }
    }
}

impl Renaming {
    /// The intent to write down before another content comes to the pointer's place, which is that of the path `of`.
    pub(super) fn intent(&self, of: &str) -> Intent {
        Intent::Announce { path: self.file_name.clone(), pointer: self.pointer, of: of.to_owned() }
    }
}

/// A stop of a drive file on its way to a copy's place: in a folder, or at the top of the drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stop {
    pub folder: Option<FolderId>,
    pub name: String,
}

/// In which way the drive file of a record is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Removal {
    /// The file is deleted, if it still has this content.
    Delete(Option<ContentHash>),
    /// The file is a pointer: it is renamed to say that it stands for nothing, and so are the others that say the same
    /// of its place.
    Retire(Vec<Renaming>),
    /// A pointer stands for the file's content: the file moves to the place of the pointer's copy, step by step.
    ///
    /// First the pointer announces that the file takes its place, and at last says that it is gone. So whoever sees the
    /// file in the copy's place knows that it was handed over, and that its own path was deleted.
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
