//! From three trees to the next operations: the local folder as seen, the drive as seen, and what both last agreed on.
//!
//! Pure. A plan is made in stages (what moved, what must be read, folders, places of files, contents, deletions), and the
//! first stage that has something to do is the plan: it is carried out, and planned again. So deletions come only when
//! nothing else is left to do, and any prefix of a plan is safe. Always true: an edited file's old version is deleted
//! after its new one has arrived; what a person wrote is never overwritten: of two contents for one place one gets
//! another name; a drive file goes only when no other local path needs its content. Not here: carrying out (`engine`).

pub(crate) mod agreeing;
mod contents;
mod copies;
mod deletions;
mod exchange;
mod folders;
mod id_map;
mod index;
mod moves;
pub mod names;
mod part;
mod places;
pub mod preview;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeMap;

use easel_wire::{FileId, FolderId};

use crate::causes::Failure;
use crate::planted::{Mutant, Planted};
use crate::tree::{Agreed, Change, ContentHash, Local, Place, Remote, Replacing, Skipped, Stamp};
use part::Part;
use view::View;

/// A plan holds about so many steps. The next one has those that are left.
const MOST_STEPS: usize = 8_192;

/// Which way changes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// From here to the drive; nothing here is ever touched.
    UploadOnly,
    /// Both ways.
    BothWays,
}

/// What a local deletion does in the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletionRule {
    /// Nothing: the drive keeps the file.
    Keep,
    /// It deletes there too.
    Delete,
}

/// What the person chose, and what is known about the two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Which way changes go.
    pub mode: Mode,
    /// What a local deletion does in the drive.
    pub deletions: DeletionRule,
    /// Stands in the names of conflicting files.
    pub host_name: String,
    /// Stands there too, such as `2026-11-20`. The engine asks its clock at each look.
    pub today: String,
    /// Files up to this size, in bytes, are sent in one request, and read beforehand so that a lost answer can be settled.
    pub direct_max_bytes: u64,
    /// Files above this size, in bytes, are not taken (contract, "Uploads").
    pub max_file_bytes: u64,
    /// So many steps of one kind are carried out at the same time; at least one.
    pub at_once: usize,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

/// What a plan is made from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The folder as seen.
    pub local: &'a Local,
    /// The drive as seen.
    pub remote: &'a Remote,
    /// What both last agreed on.
    pub agreed: &'a Agreed,
    /// What the person chose.
    pub settings: &'a Settings,
    /// Paths with which an operation failed: they are left alone, until the next look or until someone asks.
    pub unresolved: &'a BTreeMap<String, Failure>,
    /// What the person leaves out.
    pub ignores: Ignores<'a>,
    /// What the person has let pass.
    pub consent: &'a [Guard],
}

/// Says of a path, and whether it is a folder, if it is left out, itself or by a folder above it.
#[derive(Clone, Copy)]
pub struct Ignores<'a>(pub &'a dyn Fn(&str, bool) -> bool);

impl std::fmt::Debug for Ignores<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Ignores")
    }
}

/// One step. Each is safe by itself, and is checked against both sides once more before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Writes down what both sides already agree on. Nothing is touched.
    Record(Vec<Change>),
    /// Reads a local file to know its content.
    Hash {
        /// The file.
        path: String,
    },
    /// Makes the drive folder of a local one.
    MakeFolder {
        /// The local folder.
        path: String,
    },
    /// Makes the local folder of a drive folder.
    MakeLocalFolder {
        /// Where.
        path: String,
        /// The drive folder.
        folder: FolderId,
    },
    /// Moves or renames in the drive; never both in one.
    Place {
        /// Whose record it is.
        path: String,
        /// The place in the drive that it gets.
        to: Place,
    },
    /// Moves or renames here, never over anything.
    MoveLocal {
        /// What.
        from: String,
        /// Where to.
        to: String,
        /// What is agreed about its place in the drive afterwards; `None` leaves that as it is.
        place: Option<Place>,
        /// Whether it makes room for another content of the same name.
        is_conflict: bool,
    },
    /// Sends a file's content. Where the path has a drive file already, that one gets it, or is replaced afterwards.
    Upload {
        /// The file.
        path: String,
        /// Its content, where it was read.
        hash: Option<ContentHash>,
        /// The drive file that gets it, where the service can do that and nothing else needs what that file has.
        replacing: Option<Replacing>,
    },
    /// Makes a pointer: the content is in the drive already, under another path.
    Point {
        /// The file.
        path: String,
        /// Its content.
        hash: ContentHash,
        /// Whether nothing is at its place in the drive.
        is_free: bool,
    },
    /// Lets a pointer say that it stands for nothing any more.
    Retire {
        /// Where it lies.
        path: String,
        /// The pointer.
        pointer: FileId,
    },
    /// Deletes a pointer that has said for long enough that it stands for nothing.
    DiscardPointer {
        /// Where it lies.
        path: String,
        /// The pointer.
        pointer: FileId,
    },
    /// Fetches a file.
    Download {
        /// Where to.
        path: String,
        /// The drive file.
        file: FileId,
        /// The local file that goes to the trash for it, if it is still this one.
        replacing: Option<Stamp>,
    },
    /// Deletes a drive file that was replaced.
    DeleteReplaced {
        /// By which path.
        path: String,
        /// The drive file.
        file: FileId,
    },
    /// Deletes the drive file of a path that was deleted here.
    DeleteFile {
        /// The path it had.
        path: String,
        /// The drive file.
        file: FileId,
    },
    /// Deletes an empty drive folder whose local one was deleted.
    DeleteFolder {
        /// The path it had.
        path: String,
        /// The drive folder.
        folder: FolderId,
    },
    /// Puts a file in the system's trash that was deleted in the drive.
    TrashLocal {
        /// The file.
        path: String,
    },
    /// Removes an empty folder that was deleted in the drive.
    RemoveLocalFolder {
        /// The folder.
        path: String,
    },
}

impl Op {
    /// The path that it is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Record(changes) => match changes.first() {
                Some(Change::Put(path, _) | Change::Forget(path) | Change::Rename { to: path, .. }) => path,
                None => "",
            },
            Self::MoveLocal { from: path, .. }
            | Self::Hash { path }
            | Self::MakeFolder { path }
            | Self::MakeLocalFolder { path, .. }
            | Self::Place { path, .. }
            | Self::Upload { path, .. }
            | Self::Point { path, .. }
            | Self::Retire { path, .. }
            | Self::DiscardPointer { path, .. }
            | Self::Download { path, .. }
            | Self::DeleteReplaced { path, .. }
            | Self::DeleteFile { path, .. }
            | Self::DeleteFolder { path, .. }
            | Self::TrashLocal { path }
            | Self::RemoveLocalFolder { path } => path,
        }
    }
}

/// Why a path is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// It is still being written.
    Settling,
    /// It is larger than the workspace takes.
    TooLarge,
    /// The other side cannot hold the name.
    NameNotAllowed,
    /// The other path has a name that is the same to the drive, or to the disk.
    Clash {
        /// The path.
        with: String,
    },
    /// Its content is in the drive as another file, whose home is elsewhere.
    Link,
    /// A copy, whose content the drive does not hold any more.
    ContentMissing,
    /// Deleted here, kept in the drive.
    OnlyInDrive,
    /// Deleted in the drive, kept here.
    OnlyHere,
    /// Changed in the drive by someone else, and only uploads are wanted.
    NewerInDrive,
    /// Someone moved it in the drive.
    MovedInDrive,
    /// Its name is taken in the drive by another file.
    NameTaken,
    /// The folder that it lies in is not in the drive, which has its own note.
    FolderMissing,
    /// An operation failed with it.
    Unresolved(Failure),
    /// It is in the drive, or was agreed on, and matches what the person leaves out by now.
    Ignored,
    /// It is neither file nor folder, or cannot be named: it is not synced.
    Skipped(Skipped),
}

/// A difference that stays, and is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The path, or the path that a drive item would have.
    pub path: String,
    /// Why.
    pub difference: Difference,
}

/// Why nothing more is done until the person has been asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The watched folder is suddenly empty.
    LocalEmpty,
    /// The drive folder is suddenly empty.
    RemoteEmpty,
    /// The drive folder that stands for the watched one is gone. No consent helps: there is nothing to sync with.
    RemoteGone,
    /// The drive is as it was at an earlier time, and this many files here are newer, or elsewhere. Consent lets the drive's
    /// state be taken over.
    RemoteWentBack(usize),
    /// This many items would be deleted in the drive.
    ManyRemoteDeletions(usize),
    /// This many items would be deleted here.
    ManyLocalDeletions(usize),
}

impl Guard {
    /// Whether it comes of what is missing here, and not in the drive.
    #[must_use]
    pub const fn is_of_disk(self) -> bool {
        matches!(self, Self::LocalEmpty | Self::ManyRemoteDeletions(_))
    }
}

/// What to do next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// In this order. Afterwards it is planned again.
    pub ops: Vec<Op>,
    /// What stays different, as far as the stages got; whole when there is nothing to do.
    pub notes: Vec<Note>,
    /// Set when the person has to be asked first; then there are no operations.
    pub guard: Option<Guard>,
    /// What the next plans will have of the same kind, as far as that is known.
    pub left: Left,
}

impl Plan {
    /// Adds a step about so many bytes, as long as there is room.
    fn add(&mut self, op: Op, bytes: u64) {
        if self.ops.len() < MOST_STEPS {
            self.ops.push(op);
        } else {
            self.left.add(bytes);
        }
    }
}

/// Steps that a plan had no room for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    /// How many.
    pub steps: u64,
    /// The bytes that they read, send or fetch.
    pub bytes: u64,
}

impl Left {
    const fn add(&mut self, bytes: u64) {
        self.steps += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// Plans the next operations.
#[must_use]
pub fn plan(input: &Input<'_>) -> Plan {
    plan_part(input, Part::choose(input))
}

/// The same plan, found by going through everything that is the same as well: what [`plan`] is held against.
#[cfg(any(test, feature = "planted-bugs"))]
#[must_use]
pub fn plan_whole(input: &Input<'_>) -> Plan {
    plan_part(input, Part::whole(input))
}

fn plan_part<'a>(input: &Input<'a>, part: Part<'a>) -> Plan {
    let view = View::new(*input, part);
    if let Some(guard) = deletions::check_roots(&view).or_else(|| deletions::check_time(&view)) {
        return Plan { guard: Some(guard), ..Plan::default() };
    }
    let skipped = input.local.skipped.iter();
    let notes = skipped.map(|(path, why)| Note { path: path.clone(), difference: Difference::Skipped(*why) }).collect();
    let mut plan = Plan { notes, ..Plan::default() };
    let stages =
        [moves::follow, moves::read, copies::retire_replaced, folders::arrange, places::arrange, contents::exchange];
    for stage in stages {
        stage(&view, &mut plan);
        if !plan.ops.is_empty() {
            return plan;
        }
    }
    deletions::delete(&view, &mut plan);
    if plan.ops.is_empty() && plan.guard.is_none() {
        contents::send_waiting(&view, &mut plan);
    }
    if plan.ops.is_empty() && plan.guard.is_none() {
        places::name_left_aside(&view, &mut plan);
    }
    plan
}
