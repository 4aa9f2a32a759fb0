//! Checks that a service keeps the meaning of `updated_since` and of a folder's `updated_at`: by Easel's own changes,
//! and by the newest items of a complete reading.
//!
//! Pure. Always true: each own change is judged once, by the first answer to a question that was asked after it; a
//! change that someone else may have made meanwhile is never held against the service. Not here: asking, and what
//! follows.

use std::collections::{BTreeMap, BTreeSet};

use easel_wire::{FileId, FolderId, Timestamp};

use super::lists::Found;
use crate::sync::journal::FolderSeen;
use crate::sync::tree::{RemoteFile, RemoteFolder};

/// Of more own changes than this, the others are not judged.
const MOST_JUDGED: usize = 256;
/// So many of the newest items of a list are kept.
const NEWEST: usize = 3;
const A_SECOND_US: i64 = 1_000_000;

/// The items of a list that changed last.
#[derive(Debug, Clone)]
pub(super) struct Newest<K> {
    /// The newest first.
    items: Vec<(Timestamp, K)>,
    oldest: Option<Timestamp>,
}

impl<K: Copy + Ord> Newest<K> {
    pub(super) const fn new() -> Self {
        Self { items: Vec::new(), oldest: None }
    }

    pub(super) fn see(&mut self, id: K, updated_at: Option<Timestamp>) {
        let Some(at) = updated_at else { return };
        self.oldest = Some(self.oldest.map_or(at, |oldest| oldest.min(at)));
        if self.items.len() < NEWEST || self.items.last().is_some_and(|last| last.0 < at) {
            self.items.retain(|(_, known)| *known != id);
            self.items.push((at, id));
            self.items.sort_unstable_by(|one, other| other.cmp(one));
            self.items.truncate(NEWEST);
        }
    }

    pub(super) fn at(&self) -> Option<Timestamp> {
        self.items.first().map(|(at, _)| *at)
    }

    /// The latest time before that of the newest item, as far as items are kept.
    fn earlier(&self) -> Option<Timestamp> {
        self.items.last().map(|(at, _)| *at).filter(|at| Some(*at) < self.at())
    }

    /// Whether there are older items, which an answer about the changes since a moment has to leave out.
    pub(super) fn has_older(&self, since: Timestamp) -> bool {
        self.oldest.is_some_and(|oldest| oldest < since)
    }

    /// A moment for a test question: the service has to tell of the newest items, and to leave out older ones.
    pub(super) fn just_before(&self) -> Option<Timestamp> {
        let newest = self.at()?.as_micros();
        let before = self.earlier().map_or(newest.saturating_sub(A_SECOND_US), |earlier| earlier.as_micros() + 1);
        Some(Timestamp::from_micros(before))
    }

    /// Whether the answer to the test question tells of the newest items. `None` where it does not and there is only
    /// one: someone may have deleted that.
    pub(super) fn is_told(&self, has: impl Fn(&K) -> bool) -> Option<bool> {
        let mut newest = self.items.iter().filter(|(at, _)| self.earlier().is_none_or(|earlier| *at > earlier));
        if self.items.is_empty() || newest.clone().any(|(_, id)| has(id)) {
            return Some(true);
        }
        newest.nth(1).map(|_| false)
    }
}

/// A change of this program that the service has to tell of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own<P> {
    /// The item as this program made it.
    pub now: P,
    /// The number of the last refresh that had begun.
    begun: u64,
    /// Whether the item was known before, at another place; `None` where that was not looked up yet.
    pub was_known: Option<bool>,
}

/// Changes of this program that were not judged yet.
#[derive(Debug, Default)]
pub(super) struct Untold {
    files: BTreeMap<FileId, Own<RemoteFile>>,
    folders: BTreeMap<FolderId, Own<RemoteFolder>>,
}

/// What an answer showed about own changes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Judged {
    /// Own changes of files that the answer does not have.
    pub files: Vec<(FileId, Own<RemoteFile>)>,
    /// Own changes of folders that the answer does not have.
    pub folders: Vec<(FolderId, RemoteFolder)>,
    /// Whether the answer has any own change.
    pub is_any_told: bool,
    /// Whether the folders of those changes have changed with them; `None` where nothing shows it.
    pub do_folders_follow: Option<bool>,
}

impl Untold {
    pub(super) fn note_file(&mut self, id: FileId, file: &RemoteFile, begun: u64) {
        if self.files.len() < MOST_JUDGED {
            self.files.insert(id, Own { now: file.clone(), begun, was_known: None });
        }
    }

    pub(super) fn note_folder(&mut self, id: FolderId, folder: &RemoteFolder, begun: u64) {
        if self.folders.len() < MOST_JUDGED {
            self.folders.insert(id, Own { now: folder.clone(), begun, was_known: None });
        }
    }

    pub(super) fn forget_file(&mut self, id: FileId) {
        self.files.remove(&id);
    }

    pub(super) fn forget_folder(&mut self, id: FolderId) {
        self.folders.remove(&id);
    }

    /// The files for which it has yet to be looked up what was known before.
    pub(super) fn list_unsorted(&self) -> Vec<FileId> {
        self.files.iter().filter(|(_, own)| own.was_known.is_none()).map(|(id, _)| *id).collect()
    }

    /// Drops changes after which the item is as it was known before: those are none.
    pub(super) fn sort(&mut self, ids: &[FileId], known: &BTreeMap<FileId, RemoteFile>) {
        for id in ids {
            let Some(own) = self.files.get_mut(id) else { continue };
            own.was_known = Some(known.contains_key(id));
            if known.get(id).is_some_and(|known| known.folder == own.now.folder && known.name == own.now.name) {
                self.files.remove(id);
            }
        }
    }

    /// Drops changes from before the refresh `begun`: it read everything, and the next question need not go back so
    /// far.
    pub(super) fn drop_before(&mut self, begun: u64) {
        self.files.retain(|_, own| own.begun >= begun);
        self.folders.retain(|_, own| own.begun >= begun);
    }

    /// Judges own changes by an answer of the refresh `begun`. `before`: the folders as known before it.
    pub(super) fn judge(&mut self, found: &Found, begun: u64, before: &BTreeMap<FolderId, FolderSeen>) -> Judged {
        let mut judged = Judged::default();
        let mut parents = BTreeSet::new();
        self.files.retain(|id, own| {
            let is_due = own.begun < begun;
            match found.files.get(id) {
                Some(seen) => {
                    judged.is_any_told |= is_due;
                    if is_due && (seen.folder, &seen.name) == (own.now.folder, &own.now.name) {
                        parents.extend(seen.folder);
                    }
                    false
                }
                None if is_due => {
                    judged.files.push((*id, own.clone()));
                    false
                }
                None => true,
            }
        });
        self.folders.retain(|id, own| {
            let is_due = own.begun < begun;
            match found.folders.get(id) {
                Some(seen) => {
                    judged.is_any_told |= is_due;
                    if is_due && seen.folder == own.now {
                        parents.extend(seen.folder.parent);
                    }
                    false
                }
                None if is_due => {
                    judged.folders.push((*id, own.now.clone()));
                    false
                }
                None => true,
            }
        });
        for parent in parents {
            let was = before.get(&parent).map(|seen| seen.updated_at);
            let is = found.folders.get(&parent).map(|seen| seen.updated_at);
            match (was, is) {
                // The list may lack a folder that this key may not see.
                (None, None) => {}
                (_, None) => {
                    judged.do_folders_follow = Some(false);
                    break;
                }
                (Some(Some(was)), Some(Some(is))) if is > was => judged.do_folders_follow = Some(true),
                _ => {}
            }
        }
        judged
    }
}

#[cfg(test)]
mod tests {
    use easel_wire::Id;

    use super::*;

    fn at(us: i64) -> Option<Timestamp> {
        Some(Timestamp::from_micros(us))
    }

    fn named(name: &str, folder: u128) -> RemoteFile {
        RemoteFile { folder: Some(Id::imagined(folder)), name: name.to_owned(), size_bytes: 1, hash: None }
    }

    fn folder_at(us: i64) -> FolderSeen {
        FolderSeen { folder: RemoteFolder { parent: None, name: String::new() }, updated_at: at(us) }
    }

    #[test]
    fn a_service_has_to_tell_of_the_newest_of_what_it_lists() {
        let mut newest = Newest::new();
        assert_eq!((newest.just_before(), newest.is_told(|_| false)), (None, Some(true)));
        newest.see(1, at(5_000_000));
        assert_eq!(newest.just_before(), at(4_000_000));
        assert_eq!((newest.is_told(|_| false), newest.is_told(|_| true)), (None, Some(true)));
        assert!(!newest.has_older(newest.just_before().unwrap()));
        for (id, us) in [(2, 5_000_000), (3, 4_500_000), (4, 1), (5, 2)] {
            newest.see(id, at(us));
        }
        assert_eq!((newest.at(), newest.just_before()), (at(5_000_000), at(4_500_001)));
        assert!(newest.has_older(newest.just_before().unwrap()));
        assert_eq!((newest.is_told(|id| *id == 3), newest.is_told(|id| *id == 1)), (Some(false), Some(true)));
    }

    #[test]
    fn an_own_change_is_judged_once_by_the_first_question_after_it() {
        let (file, folder) = (Id::imagined(1), Id::imagined(9));
        let mut untold = Untold::default();
        untold.note_file(file, &named("a", 9), 3);
        untold.sort(&[file], &BTreeMap::from([(file, named("b", 9))]));
        let before = BTreeMap::from([(folder, folder_at(1))]);
        assert_eq!(untold.judge(&Found::default(), 3, &before), Judged::default());
        let judged = untold.judge(&Found::default(), 4, &before);
        assert_eq!(judged.files.iter().map(|(id, own)| (*id, own.was_known)).collect::<Vec<_>>(), [(file, Some(true))]);
        assert_eq!(untold.judge(&Found::default(), 5, &before), Judged::default());

        let mut check = |found: Found, expected: Option<bool>| {
            untold.note_file(file, &named("a", 9), 3);
            let judged = untold.judge(&found, 4, &before);
            assert_eq!((judged.is_any_told, judged.do_folders_follow), (true, expected));
        };
        let told = Found { files: BTreeMap::from([(file, named("a", 9))]), ..Found::default() };
        check(told.clone(), Some(false));
        check(Found { folders: BTreeMap::from([(folder, folder_at(1))]), ..told.clone() }, None);
        check(Found { folders: BTreeMap::from([(folder, folder_at(2))]), ..told }, Some(true));
    }

    #[test]
    fn what_was_known_just_so_is_no_change() {
        let file = Id::imagined(1);
        let mut untold = Untold::default();
        untold.note_file(file, &named("a", 9), 3);
        assert_eq!(untold.list_unsorted(), [file]);
        untold.sort(&[file], &BTreeMap::from([(file, named("a", 9))]));
        assert_eq!(untold.judge(&Found::default(), 4, &BTreeMap::new()), Judged::default());
    }
}
