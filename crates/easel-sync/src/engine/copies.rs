//! The lists of copies in the drive: found among its files, read once each, joined, and written anew.
//!
//! Always true: a list is deleted only after all that it says stands in another; what cannot be read is left where it is;
//! while one says that a newer Easel wrote it, none is used. A list that was just sent and one that others sent meanwhile
//! stand beside each other until the next one is written. Not here: what is said (`plan::copies`).

use std::collections::{BTreeMap, BTreeSet};

use easel_wire::{FileId, FolderId, ItemRef};

use super::{Engine, Trouble};
use crate::causes::{Cause, Failure};
use crate::copies::{self, Copies, Unread};
use crate::plan::Op;
use crate::ports::{Clock, Destination, Disk, Drive, DriveError, KeptList, Settlement, Store};
use crate::tree::{LocalItem, RemoteFile};

use super::news::{Deed, What};

/// The lists, and what is known of them.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Whether those that were kept are among the known.
    is_loaded: bool,
    known: BTreeMap<FileId, List>,
    /// Those that the drive did not show when it was last listed.
    missing: BTreeSet<FileId>,
    /// Those that have another name now.
    renamed: BTreeSet<FileId>,
    /// Why the service takes none. It is asked again when the program is started again.
    refused: Option<Failure>,
}

#[derive(Debug)]
struct List {
    seen: RemoteFile,
    /// `None` before it was read.
    says: Option<Result<Says, Unread>>,
}

#[derive(Debug)]
struct Says {
    is_own: bool,
    copies: Copies,
}

impl Says {
    fn read(body: &[u8], root: FolderId) -> Result<Self, Unread> {
        Copies::read(body).map(|(of, copies)| Self { is_own: of == root, copies })
    }
}

impl Lists {
    /// All of them are to be shown again, or are missing.
    pub(super) fn expect_all(&mut self) {
        self.missing = self.known.keys().copied().collect();
    }

    /// One of the drive's files is gone.
    pub(super) fn expect(&mut self, file: FileId) {
        if self.known.contains_key(&file) {
            self.missing.insert(file);
        }
    }
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Takes the lists out of what the drive shows: they are nobody's files.
    pub(super) fn sort_out_lists(&mut self) {
        let Self { remote, lists, .. } = self;
        let found: Vec<FileId> =
            remote.files.iter().filter(|(_, file)| copies::is_list(&file.name)).map(|(id, _)| *id).collect();
        // Renamed to something else, it is a file like any other.
        let renamed = lists.known.keys().filter(|id| !found.contains(id) && remote.files.contains_key(id));
        lists.renamed.extend(renamed.copied());
        for id in found {
            let Some(seen) = remote.files.remove(&id) else { continue };
            lists.missing.remove(&id);
            match lists.known.get_mut(&id) {
                Some(list) => list.seen = seen,
                None => drop(lists.known.insert(id, List { seen, says: None })),
            }
        }
    }

    /// Reads what is new, and joins all. Lists above, below and at the top of the drive count too: other computers may keep
    /// a folder above or below in step.
    pub(super) async fn read_lists(&mut self) -> Result<(), Trouble> {
        self.load_lists().await?;
        while let Some(id) = self.lists.missing.first().copied() {
            // A list of the drive may have missed it on its way.
            let there = self.ports.drive.get_file(id).await?.filter(|there| copies::is_list(&there.name));
            match (there, self.lists.known.get_mut(&id)) {
                (Some(there), Some(list)) => list.seen = there,
                _ => self.forget_list(id).await?,
            }
            self.lists.missing.remove(&id);
        }
        while let Some(id) = self.lists.renamed.first().copied() {
            self.forget_list(id).await?;
            self.lists.renamed.remove(&id);
        }
        let root = self.remote.root;
        let is_near = |file: &RemoteFile| {
            let folder = file.folder;
            folder.is_none_or(|folder| self.remote.is_within(folder, root) || self.remote.is_within(root, folder))
        };
        let unread = self.lists.known.iter().filter(|(_, list)| list.says.is_none() && is_near(&list.seen));
        let unread: Vec<FileId> = unread.map(|(id, _)| *id).collect();
        for id in unread {
            let says = match self.ports.drive.fetch_list(id, copies::MAX_BYTES).await {
                Ok(body) => {
                    let says = Says::read(&body, root);
                    let folder = self.lists.known.get(&id).and_then(|list| list.seen.folder);
                    self.ports.store.keep_list(&KeptList { file: id, folder, body }).await?;
                    says
                }
                Err(DriveError::NotFound) => {
                    self.forget_list(id).await?;
                    continue;
                }
                Err(error @ (DriveError::Lost(_) | DriveError::Held(_))) => return Err(error.into()),
                Err(error) => {
                    tracing::warn!(%error, "a list of copies cannot be read");
                    Err(Unread::Damaged)
                }
            };
            if let Some(list) = self.lists.known.get_mut(&id) {
                list.says = Some(says);
            }
        }
        self.remote.copies = self.join_lists();
        Ok(())
    }

    async fn forget_list(&mut self, list: FileId) -> Result<(), Trouble> {
        self.ports.store.forget_list(list).await?;
        self.lists.known.remove(&list);
        Ok(())
    }

    /// Takes up what was known before the program was started.
    async fn load_lists(&mut self) -> Result<(), Trouble> {
        if self.lists.is_loaded {
            return Ok(());
        }
        for KeptList { file, folder, body } in self.ports.store.lists().await? {
            let says = Says::read(&body, self.remote.root);
            if let Some(list) = self.lists.known.get_mut(&file) {
                list.says = Some(says);
                continue;
            }
            if self.remote.files.contains_key(&file) {
                self.lists.renamed.insert(file);
                continue;
            }
            let seen = RemoteFile { folder, name: copies::NAME.to_owned(), size_bytes: body.len() as u64, hash: None };
            self.lists.known.insert(file, List { seen, says: Some(says) });
            self.lists.missing.insert(file);
        }
        self.lists.is_loaded = true;
        Ok(())
    }

    /// Deletes the lists in a folder that is to go, once all that they say stands in one that stays.
    pub(super) async fn take_lists_out(&mut self, folder: FolderId) -> Result<(), Trouble> {
        let inside: Vec<FileId> =
            self.lists.known.iter().filter(|(_, list)| list.seen.folder == Some(folder)).map(|(id, _)| *id).collect();
        if inside.is_empty() {
            return Ok(());
        }
        let Some(all) = self.remote.copies.clone() else { return Ok(()) };
        if self.send_list(all).await? {
            self.delete_lists(inside).await?;
        }
        Ok(())
    }

    fn join_lists(&self) -> Option<Copies> {
        let mut all = Copies::default();
        for list in self.lists.known.values() {
            match &list.says {
                Some(Ok(says)) => all.join(&says.copies),
                Some(Err(Unread::Newer)) => return None,
                Some(Err(Unread::Damaged)) | None => {}
            }
        }
        self.lists.refused.is_none().then_some(all)
    }

    /// Says what is to be said, in one list that holds all that the others say, and agrees on it. Whether it was said.
    pub(super) async fn share(&mut self, ops: Vec<Op>) -> Result<bool, Trouble> {
        let Some(mut next) = self.remote.copies.clone() else { return Ok(false) };
        let (mut before, mut after) = (Settlement::default(), Settlement::default());
        let mut is_any = false;
        for op in ops {
            let Op::Share { path, words, changes, is_deletion } = op else { continue };
            if is_deletion && matches!(self.ports.disk.look(&path).await?, Some(LocalItem::File(_))) {
                self.unresolved.insert(path, Cause::Changed.into());
                continue;
            }
            is_any = true;
            // What is agreed and was not said is said by the next look. What is gone is forgotten only once that is said.
            let is_said_first = words.iter().any(|said| said.says.held().is_none());
            for said in words {
                next.say(said.place.folder, said.word(&self.settings.today));
            }
            if is_deletion && !changes.is_empty() {
                after.deeds.push(Deed { path, what: What::DeletedInDrive });
            }
            if is_said_first { &mut after } else { &mut before }.changes.extend(changes);
        }
        if !is_any {
            return Ok(false);
        }
        self.write(before).await?;
        let said = self.send_list(next).await?;
        if said {
            self.write(after).await?;
            self.delete_old_lists().await?;
        }
        Ok(said)
    }

    /// Sends a list. `false` where the service takes none.
    async fn send_list(&mut self, mut next: Copies) -> Result<bool, Trouble> {
        let (root, folders) = (self.remote.root, &self.remote.folders);
        next.prune(&a_year_before(&self.settings.today), |folder| folder == root || folders.contains_key(&folder));
        let to = Destination { folder: Some(root), name: copies::NAME.to_owned() };
        let (bytes, sent) = loop {
            let bytes = next.write(root);
            let sent = match self.ports.drive.send_list(&to, bytes.clone()).await {
                Ok(sent) => sent,
                Err(DriveError::Refused(failure)) => {
                    self.lists.refused = Some(failure);
                    self.remote.copies = None;
                    return Ok(false);
                }
                Err(error) => return Err(error.into()),
            };
            // The same bytes may be there under a name that someone gave an older list: that one is a list no more.
            if !sent.was_duplicate || self.lists.known.contains_key(&sent.file) || self.is_list(sent.file).await? {
                break (bytes, sent);
            }
            next.skip();
        };
        let folder = match sent.folder {
            Some(folder) => folder,
            None => self.ports.drive.get_file(sent.file).await?.and_then(|seen| seen.folder),
        };
        if folder != Some(root) {
            // Where it cannot be moved it is read where it is.
            match self.ports.drive.move_item(ItemRef::File(sent.file), Some(root)).await {
                Err(error @ (DriveError::Lost(_) | DriveError::Held(_))) => return Err(error.into()),
                Ok(()) | Err(_) => {}
            }
        }
        let seen = RemoteFile {
            folder: Some(root),
            name: sent.name.unwrap_or(to.name),
            size_bytes: bytes.len() as u64,
            hash: sent.hash,
        };
        let says = Says::read(&bytes, root);
        self.lists.known.insert(sent.file, List { seen, says: Some(says) });
        self.ports.store.keep_list(&KeptList { file: sent.file, folder: Some(root), body: bytes }).await?;
        self.remote.copies = self.join_lists();
        Ok(true)
    }

    async fn is_list(&self, file: FileId) -> Result<bool, Trouble> {
        let seen = self.ports.drive.get_file(file).await?;
        Ok(seen.is_some_and(|seen| copies::is_list(&seen.name) && seen.folder == Some(self.remote.root)))
    }

    /// Deletes the lists of this folder that say nothing which another does not say.
    async fn delete_old_lists(&mut self) -> Result<(), Trouble> {
        let own = self.lists.known.iter().filter_map(|(id, list)| match &list.says {
            Some(Ok(says)) if says.is_own => Some((*id, &says.copies)),
            _ => None,
        });
        let own: Vec<(FileId, &Copies)> = own.collect();
        let Some((newest, all)) = own.iter().max_by_key(|(id, copies)| (copies.serial(), *id)) else { return Ok(()) };
        let is_held = |copies: &Copies| {
            let mut joined = (*all).clone();
            joined.join(copies);
            joined == **all
        };
        let old: Vec<FileId> =
            own.iter().filter(|(id, copies)| id != newest && is_held(copies)).map(|(id, _)| *id).collect();
        self.delete_lists(old).await
    }

    async fn delete_lists(&mut self, lists: Vec<FileId>) -> Result<(), Trouble> {
        for id in lists {
            match self.ports.drive.delete_item(ItemRef::File(id), false).await {
                Ok(()) | Err(DriveError::NotFound) => self.forget_list(id).await?,
                Err(error @ (DriveError::Lost(_) | DriveError::Held(_))) => return Err(error.into()),
                Err(error) => tracing::warn!(%error, "an old list of copies stays"),
            }
        }
        Ok(())
    }
}

/// The day a year before one such as `2026-11-20`, to be compared with others as text.
fn a_year_before(today: &str) -> String {
    let (year, rest) = today.split_once('-').unwrap_or((today, ""));
    let year = year.parse::<u32>().unwrap_or(0).saturating_sub(1);
    format!("{year:04}-{rest}")
}
