//! Intents: what is about to be done, where a crash or a lost answer could leave the result unknown. One a path at a
//! time.

use easel_wire::{FileId, FolderId};
use serde::{Deserialize, Serialize};

use crate::shared::causes::Failure;
use crate::shared::upload::Checkpoint;
use crate::sync::pointers::Heir;
use crate::sync::tree::{Change, ChangedUs, ContentHash, Place, Replacing, Stamp};
use crate::sync::unloaded::Lookup;

/// A file that is being sent, or that the service did not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct OpenUpload {
    /// The file.
    pub path: String,
    /// The file's stamp when the upload began.
    pub stamp: Stamp,
    /// When anything about the file had last changed then; `None` also where an older build wrote the upload down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_us: ChangedUs,
    /// How far its upload is.
    pub at: Checkpoint,
    /// The drive file that gets its content; `None` where it is to be a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacing: Option<Replacing>,
    /// Why the service refuses the file as it is. The file is left alone until it changes, or a person asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Failure>,
}

/// The upload as it is written down, by this build or by older ones, which had no checkpoints.
#[derive(Deserialize)]
struct Written {
    path: String,
    stamp: Stamp,
    #[serde(default)]
    changed_us: ChangedUs,
    at: Option<Checkpoint>,
    replacing: Option<Replacing>,
    refused: Option<Failure>,
    /// The file's content, once it was known.
    hash: Option<ContentHash>,
    /// The key in storage, once there was one.
    key: Option<String>,
}

impl From<Written> for OpenUpload {
    fn from(written: Written) -> Self {
        let Written { path, stamp, changed_us, at, replacing, refused, hash, key } = written;
        let since_us = 0;
        let at = at.unwrap_or(match (key, hash) {
            (None, hash) => Checkpoint::Sent { since_us, hash },
            (Some(key), None) => Checkpoint::Signed { key, since_us },
            (Some(key), hash) => Checkpoint::Staged { key, since_us, hash },
        });
        Self { path, stamp, changed_us, at, replacing, refused }
    }
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Intent {
    /// A drive folder is made.
    MakeFolder {
        /// The local folder.
        path: String,
        /// The local folder's identity.
        identity: u64,
        /// The folder's new place in the drive.
        place: Place,
    },
    /// A local folder is made.
    MakeLocalFolder {
        /// The folder's path.
        path: String,
        /// The drive folder.
        folder: FolderId,
        /// The drive folder's place.
        place: Place,
    },
    /// A drive item is moved or renamed.
    Place {
        /// The path whose record the item belongs to.
        path: String,
        /// The item's new place.
        to: Place,
    },
    /// A local item is moved or renamed.
    MoveLocal {
        /// The item's path before.
        from: String,
        /// The item's path afterwards.
        to: String,
        /// The item's identity.
        identity: u64,
        /// The changes to the agreement once the item is there.
        changes: Vec<Change>,
        /// Whether the item makes way for another content of the same name; older builds did not say.
        #[serde(default)]
        is_conflict: bool,
    },
    /// A file is sent.
    Upload(OpenUpload),
    /// A pointer is made for a file.
    Point {
        /// The file.
        path: String,
        /// The file's stamp.
        stamp: Stamp,
        /// The pointer's place in the drive.
        place: Place,
        /// The file's content.
        hash: ContentHash,
    },
    /// A fetched file is put in its place.
    Fetched {
        /// The path that the file gets.
        path: String,
        /// The drive file.
        file: FileId,
        /// The drive file's place.
        place: Place,
        /// The fetched file.
        stamp: Stamp,
        /// The file's content.
        hash: ContentHash,
        /// Whether the drive file is a pointer: once it is gone, nobody else can tell.
        #[serde(default)]
        is_pointer: bool,
    },
    /// A drive file is deleted, or given to a copy that stays.
    Delete {
        /// The path whose record names the drive file.
        path: String,
        /// The drive file.
        file: FileId,
        /// The copy that gets the drive file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heir: Option<Heir>,
    },
    /// A file that was deleted in the drive is put in the trash.
    Trash {
        /// The file.
        path: String,
        /// The drive file that it had.
        file: FileId,
        /// The local file's identity.
        identity: u64,
    },
    /// A pointer announces that another content comes to its place; the pointer takes that back if nothing comes.
    Announce {
        /// The pointer's path meanwhile.
        path: String,
        /// The pointer.
        pointer: FileId,
        /// The path whose content is to come.
        of: String,
    },
    /// An empty drive folder is deleted.
    DeleteFolder {
        /// The path whose record names the folder.
        path: String,
        /// The drive folder.
        folder: FolderId,
    },
    /// A local folder that was deleted in the drive is removed, where it is empty.
    RemoveLocalFolder {
        /// The folder.
        path: String,
        /// The folder's identity.
        identity: u64,
    },
}

impl Intent {
    /// The path that the intent is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::MakeFolder { path, .. }
            | Self::MakeLocalFolder { path, .. }
            | Self::Place { path, .. }
            | Self::MoveLocal { from: path, .. }
            | Self::Upload(OpenUpload { path, .. })
            | Self::Point { path, .. }
            | Self::Fetched { path, .. }
            | Self::Delete { path, .. }
            | Self::Trash { path, .. }
            | Self::Announce { path, .. }
            | Self::DeleteFolder { path, .. }
            | Self::RemoveLocalFolder { path, .. } => path,
        }
    }

    /// The local paths whose state the intent leaves open.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let to = match self {
            Self::MoveLocal { to, .. } => Some(to.as_str()),
            _ => None,
        };
        std::iter::once(self.path()).chain(to)
    }

    /// Notes the drive folders, files, contents and sizes that the intent has to do with.
    pub(super) fn note_references(&self, lookup: &mut Lookup) {
        match self {
            Self::MakeFolder { place, .. } | Self::Place { to: place, .. } => {
                lookup.drive_folders.insert(place.folder);
            }
            Self::MakeLocalFolder { folder, place, .. } => lookup.drive_folders.extend([*folder, place.folder]),
            Self::Upload(OpenUpload { stamp, at, replacing, .. }) => {
                lookup.sizes.insert(stamp.size_bytes);
                lookup.contents.extend(at.hash());
                lookup.files.extend(replacing.map(|replacing| replacing.file));
                if let Checkpoint::Landed { file, .. } = at {
                    lookup.files.insert(*file);
                }
            }
            Self::Point { place, hash, .. } => {
                lookup.drive_folders.insert(place.folder);
                lookup.contents.insert(*hash);
            }
            Self::Fetched { file, place, hash, .. } => {
                lookup.drive_folders.insert(place.folder);
                lookup.files.insert(*file);
                lookup.contents.insert(*hash);
            }
            Self::Delete { file, heir, .. } => {
                lookup.files.insert(*file);
                lookup.drive_folders.extend(heir.iter().map(|heir| heir.place.folder));
                lookup.files.extend(heir.iter().map(|heir| heir.pointer));
            }
            Self::Trash { file, .. } | Self::Announce { pointer: file, .. } => {
                lookup.files.insert(*file);
            }
            Self::DeleteFolder { folder, .. } => {
                lookup.drive_folders.insert(*folder);
            }
            Self::MoveLocal { .. } | Self::RemoveLocalFolder { .. } => {}
        }
    }

    /// The drive file that an upload made, where the service has said so.
    pub(super) const fn landed(&self) -> Option<FileId> {
        match self {
            Self::Upload(OpenUpload { at: Checkpoint::Landed { file, was_duplicate: false, .. }, .. }) => Some(*file),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_that_an_older_build_wrote_down_is_read() {
        let stamp = Stamp { size_bytes: 3, modified_us: 4, identity: 5 };
        let hash: ContentHash = [7; 32];
        let sevens = vec!["7"; 32].join(",");
        let check = |rest: &str, at: Checkpoint| {
            let text = format!(
                r#"{{"Upload":{{"path":"a/b","stamp":{{"size_bytes":3,"modified_us":4,"identity":5}},{rest}}}}}"#
            );
            let read: Intent = serde_json::from_str(&text).unwrap();
            let (path, changed_us) = ("a/b".to_owned(), None);
            let expected = OpenUpload { path, stamp, changed_us, at, replacing: None, refused: None };
            assert_eq!(read, Intent::Upload(expected), "{text}");
            let again: Intent = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
            assert_eq!(again, read);
        };
        let (since_us, key) = (0, || "pending/1".to_owned());
        let known = format!(r#""hash":[{sevens}],"key":null"#);
        check(&known, Checkpoint::Sent { since_us, hash: Some(hash) });
        check(r#""hash":null,"key":"pending/1""#, Checkpoint::Signed { key: key(), since_us });
        let staged = format!(r#""hash":[{sevens}],"key":"pending/1""#);
        check(&staged, Checkpoint::Staged { key: key(), since_us, hash: Some(hash) });
    }

    #[test]
    fn a_deletion_that_an_older_build_wrote_down_is_read() {
        let (file, pointer) = (FileId::imagined(1), FileId::imagined(2));
        let place = Place { folder: FolderId::imagined(3), name: "b".to_owned() };
        let heir = Some(Heir { pointer, place, has_arrived: false });
        let intent = Intent::Delete { path: "a".to_owned(), file, heir };
        let written = serde_json::to_string(&intent).unwrap();
        let older = written.replace(r#","has_arrived":false"#, "");
        assert_ne!(older, written);
        assert_eq!(serde_json::from_str::<Intent>(&older).unwrap(), intent);
    }
}
