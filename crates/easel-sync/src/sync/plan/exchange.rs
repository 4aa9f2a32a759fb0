//! The result of comparing contents so far: changes of records, and the steps to plan if there are no changes.
//!
//! Always true: once there is a change, no step is planned; no more is held than a plan has room for.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use easel_wire::FileId;

use super::deletions::Needs;
use super::difference::{Difference, Note};
use super::step::{Left, MOST_STEPS, Op};
use super::view::{Occupant, View};
use crate::shared::names;
use crate::sync::tree::{self, Change, ContentHash, LocalFile, Place, Record, Replacing, Role};

/// See the module.
#[derive(Default)]
pub struct Exchange {
    /// Each group is written down in one transaction.
    pub changes: Vec<Vec<Change>>,
    /// Paths with a change. A second change of a path has to wait, because it would come from a record that is out of
    /// date.
    pub changed: BTreeSet<String>,
    pub ops: Vec<Op>,
    /// The steps that the plan had no room for.
    pub left: Left,
    pub notes: Vec<Note>,
    /// Paths that steps of this plan make.
    pub reserved: BTreeSet<String>,
    /// Drive files that a path becomes the home of. A second path with the file becomes a link.
    pub homes: HashSet<FileId>,
    /// Contents that this plan sends. A second file with such a content waits, and finds it in the drive.
    pub sending: HashSet<ContentHash>,
    /// Sizes of the files that this plan sends without knowing their content.
    pub sending_bytes: HashSet<u64>,
    /// The drive files that local files need although their present state is not agreed on.
    pub needs: OnceCell<Needs>,
}

impl Exchange {
    /// Adds a step about so many bytes, as long as there is room in the plan.
    pub fn add(&mut self, op: Op, bytes: u64) {
        // Changes of records come first; then a new plan is made.
        if !self.changes.is_empty() {
            return;
        }
        if self.ops.len() < MOST_STEPS {
            self.ops.push(op);
        } else {
            self.left.add(bytes);
        }
    }

    /// Whether there are as many changes as a plan holds.
    pub fn is_full(&self) -> bool {
        self.changes.len() >= MOST_STEPS
    }

    pub fn put(&mut self, path: &str, record: Record) {
        self.changed.insert(path.to_owned());
        self.changes.push(vec![Change::Put(path.to_owned(), record)]);
    }

    pub fn note(&mut self, path: &str, difference: Difference) {
        self.notes.push(Note { path: names::shown(path), difference });
    }

    /// Gives the file that the drive keeps of a path a path of its own, so that the path is free for the local file.
    pub fn keep_apart(&mut self, path: &str, file: FileId) {
        let to = names::drive_only_path(path, file);
        self.changed.insert(path.to_owned());
        self.changes.push(vec![Change::Rename { from: path.to_owned(), to }]);
    }

    pub fn rename_to_conflict_copy(&mut self, view: &View<'_>, path: &str) {
        let to = view.conflict_path(path, &self.reserved);
        self.reserved.insert(to.clone());
        // A file whose drive file was taken out of the folder stays out: that it makes way is no move of a person's.
        let link = view.file_record(path).filter(|(_, file)| file.role == Role::Link);
        let place = link.map(|(record, _)| Place { folder: record.place.folder, name: tree::name(&to).to_owned() });
        self.add(Op::MoveLocal { from: path.to_owned(), to, place, is_conflict: true }, 0);
    }

    /// Plans a pointer for a path to a content that the drive holds elsewhere.
    pub fn point(&mut self, view: &View<'_>, path: &str, hash: ContentHash) {
        let Some(wanted) = view.wanted(path) else { return };
        let there = view.file_id_at(wanted.folder, &wanted.name).and_then(|file| view.remote_file(file));
        if there.is_some_and(|there| there.hash == Some(hash)) {
            // A pointer to a file at the path's own place would be over as soon as it is made, and be made again
            // without end.
            return self.note(path, Difference::Link);
        }
        let is_free = matches!(view.file_at(&wanted), Occupant::Free);
        self.add(Op::Point { path: path.to_owned(), hash, is_free }, 0);
    }

    pub fn send(&mut self, view: &View<'_>, path: &str, local: &LocalFile) {
        self.send_to(view, path, local, None);
    }

    /// Sends a file's content, to a drive file that is there or as a new one.
    pub fn send_to(&mut self, view: &View<'_>, path: &str, local: &LocalFile, replacing: Option<Replacing>) {
        if local.stamp.size_bytes > view.input.settings.max_file_bytes {
            return self.note(path, Difference::TooLarge);
        }
        let is_first = match local.hash {
            Some(hash) => self.sending.insert(hash),
            None => self.sending_bytes.insert(local.stamp.size_bytes),
        };
        if is_first {
            self.add(Op::Upload { path: path.to_owned(), hash: local.hash, replacing }, local.stamp.size_bytes);
        }
    }
}
