//! Undoing changes of a watched folder: which acts bring it back to what it was before them. Pure.
//!
//! Changes are undone one by one, the last first, on a picture of the folder as it is ([`Undoing`]); what comes of that are acts
//! on this computer and in the drive, the contents that have to be found, and what cannot be undone ([`Left`]). Where contents
//! are is found out by others and handed in ([`Sources`]). Always true: no act overwrites a file that was edited since the
//! undone change: the earlier content comes beside it, under another name. An item that has changed since is reported and left
//! alone. Not here: any disk or drive (`folders/revert`).

mod acts;
mod landing;
mod planning;
mod recorder;
mod undoing;

pub use acts::{Act, Figures, Plan, Source, Sources, TrashedPlace, Wanted};
pub use recorder::{Known, RecordedChange, Recorder, Run, Unsaved};
pub use undoing::Undoing;

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use easel_wire::{FileId, FolderId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::sync::tree::{ContentHash, Stamp};

/// What stood at a path when a change came to it, or after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Held {
    /// Nothing.
    Nothing,
    /// A folder.
    Folder {
        /// What stood for it in the drive.
        folder: FolderId,
    },
    /// A file.
    File(Content),
}

/// What a file held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// What stood for it in the drive.
    pub file: FileId,
    /// The SHA-256 of its content.
    #[serde(serialize_with = "write_hash", deserialize_with = "read_hash")]
    pub hash: ContentHash,
    /// Its size in bytes.
    pub bytes: u64,
}

fn write_hash<S: Serializer>(hash: &ContentHash, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&HEXLOWER.encode(hash))
}

fn read_hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ContentHash, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = HEXLOWER.decode(text.as_bytes()).map_err(serde::de::Error::custom)?;
    bytes.try_into().map_err(|_| serde::de::Error::custom("a hash that is not 32 bytes long"))
}

/// What a change did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The path has other content, or something came to it or went.
    Content {
        /// What was there; `None` where nobody wrote that down.
        before: Option<Held>,
        /// What was there afterwards.
        after: Option<Held>,
    },
    /// The item came from another path.
    Moved {
        /// What it held, where that was written down.
        item: Option<Held>,
        /// The path that it had; `None` where nobody wrote that down.
        from: Option<String>,
        /// Whether the moves of its run were seen all at once, so that both paths are as all of them left them.
        is_together: bool,
        /// What the path had held before, and that went by the move.
        over: Option<Content>,
    },
    /// Nothing of the folder was changed: what a change left over was tidied up.
    Nothing,
}

/// Where the paths of a change lay before folders above them moved here that the drive had not followed yet. The moves of these
/// folders are told of later, so they are undone before the change is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lay {
    /// Where the path lay; `None` where no folder above it had moved.
    pub path: Option<String>,
    /// The same of the path that the item had.
    pub from: Option<String>,
}

/// A change that the folder made or received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastChange {
    /// Names its line of the history; later changes have larger numbers.
    pub id: i64,
    /// Which run it came in; `None` where nobody wrote that down.
    pub run: Option<i64>,
    /// The path that it was about, as the change left it.
    pub path: String,
    /// Where its paths lay.
    pub lay: Lay,
    /// What it did.
    pub kind: Kind,
}

/// What is at a path now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A folder.
    Folder {
        /// Which one.
        identity: u64,
    },
    /// A file.
    File {
        /// Which one.
        stamp: Stamp,
        /// What it holds, where that is known without reading it.
        hash: Option<ContentHash>,
    },
}

/// The folder as it is, by relative path.
pub type Items = BTreeMap<String, Item>;

/// Why a change is not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// What it did was not written down in a way that can be undone.
    NotRecorded,
    /// What it was about is no longer at its path.
    Gone,
    /// What it was about has been changed since, and stays as it is.
    ChangedSince,
    /// Something else has the path by now.
    PathTaken,
    /// It has to do with a folder that cannot be read now.
    Unreadable,
}

/// A change that is not undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The path.
    pub path: String,
    /// Why.
    pub why: Why,
}

#[cfg(test)]
mod tests;
