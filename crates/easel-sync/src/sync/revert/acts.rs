//! What undoing comes to once it is known where contents are: acts, in the order in which they are to be done, and figures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use easel_wire::{FileId, FolderId, VersionId};
use serde::{Deserialize, Serialize};

use super::undoing::is_made;
use super::{Content, Left, Undoing};
use crate::shared::names;
use crate::shared::planted::Mutant;
use crate::sync::tree::{self, ContentHash, Stamp};

/// A content that a file has to get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The path.
    pub path: String,
    /// The path at which it was last.
    pub was_at: String,
    /// What it has to hold.
    pub content: Content,
    /// The file that it takes the place of.
    pub replacing: Option<Stamp>,
    /// What it held when it was deleted, which is what the drive's trash has of it.
    pub deleted: Option<Content>,
}

/// Where a content is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// In a file of this computer, which is left as it is: in a trash, or elsewhere in the folder.
    Here(PathBuf),
    /// A version of a drive file.
    Version(FileId, VersionId),
    /// In the drive's trash.
    DriveTrash(FileId),
}

/// Where an item of the drive's trash lay, and goes back to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrashedPlace {
    /// Its name; empty where the service does not say.
    pub name: String,
    /// Its folder, `Some(None)` at the top of the drive; `None` where the service does not say.
    pub folder: Option<Option<FolderId>>,
}

/// What trash and versions hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Contents that can be had, the drive's trash aside.
    pub contents: BTreeMap<ContentHash, Source>,
    /// Files in the drive's trash.
    pub trashed_files: BTreeMap<FileId, TrashedPlace>,
    /// Folders in the drive's trash.
    pub trashed_folders: BTreeMap<FolderId, TrashedPlace>,
    /// The drive folder; `None` where that is not known.
    pub root: Option<FolderId>,
    /// What stands in the drive for folders that are here, by identity.
    pub drive_folders: BTreeMap<u64, FolderId>,
    /// Whether what comes back in the drive comes here by itself.
    pub is_both_ways: bool,
}

/// One act. The journal keeps it as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// A folder of the drive comes out of its trash.
    RestoreFolder {
        /// The path here.
        path: String,
        /// The folder.
        folder: FolderId,
    },
    /// A file of the drive comes out of its trash, and from there to its path here.
    RestoreFile {
        /// The path here.
        path: String,
        /// The file.
        file: FileId,
    },
    /// A file goes to the trash.
    Trash {
        /// The path.
        path: String,
        /// What it has to be still.
        stamp: Stamp,
    },
    /// An item gets another path.
    Move {
        /// The path that it has.
        from: String,
        /// The path that it gets.
        to: String,
        /// Which item it has to be still.
        identity: u64,
    },
    /// A folder is removed, if nothing is in it.
    RemoveFolder {
        /// The path.
        path: String,
    },
    /// A folder is made.
    MakeFolder {
        /// The path.
        path: String,
    },
    /// A file gets a content.
    Place {
        /// The path.
        path: String,
        /// What it has to hold.
        content: Content,
        /// Where that is.
        source: Source,
        /// The file that goes to the trash for it, and what it has to be still.
        replacing: Option<Stamp>,
    },
}

impl Act {
    /// The path that it is about; of a move the one that the item gets.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Move { to: path, .. }
            | Self::RestoreFolder { path, .. }
            | Self::RestoreFile { path, .. }
            | Self::Trash { path, .. }
            | Self::RemoveFolder { path }
            | Self::MakeFolder { path }
            | Self::Place { path, .. } => path,
        }
    }
}

/// What will be done, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Files that come back.
    pub back_files: u64,
    /// Files that get an earlier content.
    pub earlier_files: u64,
    /// Bytes of both.
    pub bytes: u64,
    /// Files among those that come back that come beside one that was changed since.
    pub beside_files: u64,
    /// Files among those that come back whose content is a later one, because nothing holds the earlier.
    pub later_files: u64,
    /// Files that go to the trash.
    pub trashed_files: u64,
    /// Items that get the path again that they had.
    pub moved_items: u64,
    /// Folders that come back.
    pub back_folders: u64,
    /// Folders that are removed.
    pub removed_folders: u64,
    /// Files whose content neither trash nor versions hold.
    pub lost_files: u64,
}

/// What undoing comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// What is to be done, in this order.
    pub acts: Vec<Act>,
    /// What cannot be undone, and why.
    pub left: Vec<Left>,
    /// Paths whose content nothing holds any more.
    pub lost: Vec<String>,
    /// All of it in numbers.
    pub figures: Figures,
}

impl Undoing<'_> {
    /// What is to be done, as far as trash and versions hold what has to come back.
    #[must_use]
    pub fn plan(self, sources: &Sources) -> Plan {
        let (wanted, folders) = (self.wanted(), self.folders());
        let landing = self.landing();
        let restores_others = self.is_planted(Mutant::RestoresOthers);
        let (changing, left, beside_files) = self.into_parts();
        let missing: BTreeSet<&str> = folders.iter().map(|(path, _)| path.as_str()).collect();
        let mut in_drive: BTreeMap<&str, FolderId> = BTreeMap::new();
        for (path, folder) in &folders {
            let trashed = folder.and_then(|folder| Some((folder, sources.trashed_folders.get(&folder)?)));
            let Some((folder, trashed)) = trashed.filter(|_| sources.is_both_ways) else { continue };
            // One whose own folder does not come back there would come to the top of the drive.
            let above = tree::parent(path);
            let is_reached = !missing.contains(above) || in_drive.contains_key(above);
            if is_reached && landing.is_at(path, trashed, sources) {
                in_drive.insert(path, folder);
            }
        }
        // Out of the drive's trash a file comes back only to a folder that is there.
        let has_place =
            |path: &str| tree::above(path).all(|above| !missing.contains(above) || in_drive.contains_key(above));
        let mut plan = Plan { left, figures: Figures { beside_files, ..Figures::default() }, ..Plan::default() };
        let (mut restoring, mut placing) = (Vec::new(), Vec::new());
        for Wanted { path, was_at, content, replacing, deleted } in wanted {
            let trashed = deleted.and_then(|deleted| Some((sources.trashed_files.get(&deleted.file)?, deleted)));
            let lands = trashed.as_ref().is_some_and(|(place, _)| landing.is_at(&path, place, sources));
            let trashed = trashed.map(|(_, deleted)| deleted);
            let comes_by_itself = sources.is_both_ways && path == was_at && has_place(&path) && lands;
            let is_it = trashed.as_ref().is_some_and(|trashed| trashed.hash == content.hash || restores_others);
            let found = sources.contents.get(&content.hash).cloned();
            let bytes = content.bytes;
            match (trashed, found) {
                (Some(trashed), _) if is_it && comes_by_itself => {
                    restoring.push(Act::RestoreFile { path, file: trashed.file });
                }
                (_, Some(source)) => placing.push(Act::Place { path, content, source, replacing }),
                (Some(trashed), None) if is_it => {
                    let source = Source::DriveTrash(trashed.file);
                    placing.push(Act::Place { path, content, source, replacing });
                }
                (Some(trashed), None) if comes_by_itself => {
                    restoring.push(Act::RestoreFile { path, file: trashed.file });
                    plan.figures.later_files += 1;
                }
                (Some(_) | None, None) => {
                    plan.lost.push(path);
                    continue;
                }
            }
            plan.figures.bytes += bytes;
            *if replacing.is_some() { &mut plan.figures.earlier_files } else { &mut plan.figures.back_files } += 1;
        }
        let mut making: BTreeSet<&str> = BTreeSet::new();
        for act in &placing {
            let Act::Place { path, .. } = act else { continue };
            making.extend(tree::above(path).filter(|above| missing.contains(above)));
        }
        let is_known = |path: &str| folders.iter().any(|(known, folder)| known == path && folder.is_some());
        making.extend(missing.iter().filter(|path| !in_drive.contains_key(**path) && is_known(path)));
        let making: Vec<Act> = making
            .into_iter()
            .filter(|path| !is_made(&changing, path))
            .map(|path| Act::MakeFolder { path: path.to_owned() })
            .collect();
        let folders_back =
            in_drive.iter().map(|(path, folder)| Act::RestoreFolder { path: (*path).to_owned(), folder: *folder });
        plan.acts = folders_back.chain(restoring).chain(changing).chain(making).chain(placing).collect();
        plan.count();
        plan
    }
}

impl Plan {
    fn count(&mut self) {
        let figures = &mut self.figures;
        for act in &self.acts {
            match act {
                Act::Trash { .. } => figures.trashed_files += 1,
                // Out of the way and to its place is one move of one item.
                Act::Move { to, .. } if names::is_aside(tree::name(to)) => {}
                Act::Move { .. } => figures.moved_items += 1,
                Act::RemoveFolder { .. } => figures.removed_folders += 1,
                Act::RestoreFolder { .. } | Act::MakeFolder { .. } | Act::RestoreFile { .. } | Act::Place { .. } => {}
            }
        }
        let coming = self.acts.iter().filter_map(|act| match act {
            Act::RestoreFolder { path, .. } | Act::MakeFolder { path } => Some(path),
            _ => None,
        });
        figures.back_folders = coming.collect::<BTreeSet<_>>().len() as u64;
        figures.lost_files = self.lost.len() as u64;
    }
}
