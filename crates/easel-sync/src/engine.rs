//! One watched folder's control task: look at both sides, plan, carry out step by step, until there is nothing to do.
//!
//! Sequential on purpose: what happens is determined by what the ports answer. Always true: an intent is in the store
//! before its effect, and its result after it; what a crash or a lost answer leaves open is settled by asking the drive
//! and the disk before anything else; each step is checked against the disk once more before it is done. Not here: what
//! to do (`plan`), and any real disk, service or store (`ports`).

mod carry;
mod send;
mod settle;

use std::collections::{BTreeSet, HashMap};

use easel_wire::{FileId, FolderId};

use crate::plan::{self, Difference, Guard, Input, Mutant, Note, Op, Settings};
use crate::ports::{Clock, Disk, DiskError, Drive, DriveError, Store};
use crate::tree::{Agreed, Agreement, Change, ContentHash, Local, LocalItem, Place, Record, Remote, Stamp, Standing};

/// A file stands still when it has not changed for this long, in milliseconds.
const SETTLE_MS: u64 = 2_000;
/// The first wait after an answer was lost, in milliseconds; it doubles up to [`LONGEST_WAIT_MS`].
const FIRST_WAIT_MS: u64 = 1_000;
const LONGEST_WAIT_MS: u64 = 60_000;
/// After this many looks in a row that could only repeat what fails for good, the engine rests with notes.
const FRUITLESS_LOOKS: u32 = 3;

/// What is about to be done and could be left half known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// A drive folder is made.
    MakeFolder {
        /// The local folder.
        path: String,
        /// Its identity.
        identity: u64,
        /// The place in the drive that it gets.
        place: Place,
    },
    /// A local folder is made.
    MakeLocalFolder {
        /// Where.
        path: String,
        /// The drive folder.
        folder: FolderId,
        /// Where the drive has it.
        place: Place,
    },
    /// A drive item is moved or renamed.
    Place {
        /// Whose record it is.
        path: String,
        /// Where it goes.
        to: Place,
    },
    /// A local item is moved or renamed.
    MoveLocal {
        /// Where it was.
        from: String,
        /// Where it goes.
        to: String,
        /// Its identity.
        identity: u64,
        /// What is to be agreed when it is there.
        changes: Vec<Change>,
    },
    /// A file is sent.
    Upload {
        /// The file.
        path: String,
        /// As it was.
        stamp: Stamp,
        /// Its content, once it is known.
        hash: Option<ContentHash>,
        /// The key in storage, once there is one.
        key: Option<String>,
    },
    /// A fetched file is put in its place.
    Fetched {
        /// Where.
        path: String,
        /// The drive file.
        file: FileId,
        /// Where the drive has it.
        place: Place,
        /// The fetched file.
        stamp: Stamp,
        /// Its content.
        hash: ContentHash,
    },
    /// A drive file is deleted.
    Delete {
        /// Whose record it is in.
        path: String,
        /// The drive file.
        file: FileId,
    },
}

/// Why the engine rests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rest {
    /// Both sides agree, but for these differences.
    Done(Vec<Note>),
    /// The person has to be asked. Nothing is done until [`Engine::consent`].
    Asking(Guard),
    /// The watched folder is not there.
    RootMissing,
}

/// Why a step did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
    /// With this path alone, until the next look.
    Path,
    /// Look again after waiting: something is open, or the service is not there.
    Look { wait_ms: Option<u64> },
    /// The watched folder is not there any more.
    Root,
}

impl From<DriveError> for Trouble {
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Lost => Self::Look { wait_ms: None },
            DriveError::RateLimited { retry_after_ms } => Self::Look { wait_ms: Some(retry_after_ms) },
            _ => Self::Path,
        }
    }
}

impl From<DiskError> for Trouble {
    fn from(error: DiskError) -> Self {
        match error {
            DiskError::RootMissing => Self::Root,
            _ => Self::Path,
        }
    }
}

/// See the module.
pub struct Engine<D, R, S, C> {
    disk: D,
    drive: R,
    store: S,
    clock: C,
    root: FolderId,
    settings: Settings,
    consent: Vec<Guard>,
    agreed: Agreed,
    local: Local,
    remote: Remote,
    /// What each file was when it was first seen so, and when that was, in milliseconds.
    steady: HashMap<String, (Stamp, u64)>,
    /// Contents that were read, by path, good for one stamp.
    read: HashMap<String, (Stamp, ContentHash)>,
    unresolved: BTreeSet<String>,
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// An engine for one watched folder, whose drive folder is `root`.
    pub fn new(disk: D, drive: R, store: S, clock: C, root: FolderId, settings: Settings) -> Self {
        Self {
            disk,
            drive,
            store,
            clock,
            root,
            settings,
            consent: Vec::new(),
            agreed: Agreed::default(),
            local: Local::default(),
            remote: Remote::new(root),
            steady: HashMap::new(),
            read: HashMap::new(),
            unresolved: BTreeSet::new(),
        }
    }

    /// The person says that this may happen. Good until the engine rests with nothing left to do.
    pub fn consent(&mut self, guard: Guard) {
        self.consent.push(guard);
    }

    /// Works until there is nothing left to do, or the person has to be asked.
    pub async fn run(&mut self) -> Rest {
        let mut wait = FIRST_WAIT_MS;
        let mut fruitless = 0;
        loop {
            match self.look_and_act().await {
                Ok(Look::Rest(rest)) => {
                    if matches!(rest, Rest::Done(_)) {
                        self.consent.clear();
                    }
                    return rest;
                }
                Ok(Look::Again { was_fruitful }) => {
                    wait = FIRST_WAIT_MS;
                    fruitless = if was_fruitful { 0 } else { fruitless + 1 };
                    if fruitless >= FRUITLESS_LOOKS {
                        let notes = self.unresolved.iter();
                        let unresolved =
                            notes.map(|path| Note { path: path.clone(), difference: Difference::Unresolved });
                        return Rest::Done(unresolved.collect());
                    }
                }
                Ok(Look::Settling) => self.clock.wait_ms(SETTLE_MS).await,
                Err(Trouble::Look { wait_ms: Some(exactly) }) => {
                    let exactly = if self.settings.mutant == Some(Mutant::Impatient) { exactly / 2 } else { exactly };
                    self.clock.wait_ms(exactly).await;
                }
                Err(Trouble::Root) => return Rest::RootMissing,
                Err(_) => {
                    self.clock.wait_ms(wait).await;
                    wait = (wait * 2).min(LONGEST_WAIT_MS);
                }
            }
        }
    }

    /// One look at both sides, and all that follows from it.
    async fn look_and_act(&mut self) -> Result<Look, Trouble> {
        let (agreed, intent) = self.store.load().await;
        self.agreed = agreed;
        self.unresolved.clear();
        self.look_at_drive(intent.as_ref()).await?;
        self.look_at_disk().await?;
        if let Some(intent) = intent {
            self.settle(intent).await?;
        } else {
            self.disk.discard_fetched().await?;
        }
        let mut was_fruitful = false;
        for round in 0_u32.. {
            if round > 0 {
                self.look_at_disk().await?;
            }
            let plan = plan::plan(&Input {
                local: &self.local,
                remote: &self.remote,
                agreed: &self.agreed,
                settings: &self.settings,
                unresolved: &self.unresolved,
                consent: &self.consent,
            });
            if let Some(guard) = plan.guard {
                return Ok(Look::Rest(Rest::Asking(guard)));
            }
            if plan.ops.is_empty() {
                let is_settling = self.local.items.values().any(|item| match item {
                    LocalItem::File(file) => !file.is_settled,
                    LocalItem::Folder(_) => false,
                });
                return Ok(match (round, is_settling, self.unresolved.is_empty()) {
                    (_, true, _) => Look::Settling,
                    (0, false, true) => Look::Rest(Rest::Done(plan.notes)),
                    _ => Look::Again { was_fruitful },
                });
            }
            for op in plan.ops {
                let path = op.path().to_owned();
                let is_about_both_sides = !matches!(op, Op::Record(_) | Op::Hash { .. });
                match self.carry_out(op).await {
                    Ok(()) => was_fruitful |= is_about_both_sides,
                    Err(Trouble::Path) => {
                        self.store.settle(&[]).await;
                        self.unresolved.insert(path);
                    }
                    Err(look) => return Err(look),
                }
            }
        }
        Ok(Look::Again { was_fruitful })
    }

    /// A list is read in pages, and what moves between two of them while they are read can stand in neither: what is
    /// missed is looked for in a second list before it is taken for gone.
    async fn look_at_drive(&mut self, intent: Option<&Intent>) -> Result<(), Trouble> {
        let folders = self.drive.list_folders().await?;
        let files = self.drive.list_files().await?;
        let mut remote =
            Remote { root: self.root, folders: folders.into_iter().collect(), files: files.into_iter().collect() };
        let is_missed = |record: &Record| match &record.agreement {
            Agreement::Folder { folder, .. } => !remote.folders.contains_key(folder),
            Agreement::File(file) => {
                let replaced = file.replaces.iter().map(|old| old.file);
                replaced.chain([file.file]).any(|id| !remote.files.contains_key(&id))
            }
        };
        let mut expected = self.agreed.records.values().filter(|record| record.standing != Standing::OnlyHere);
        let was_sent = match intent {
            Some(Intent::Upload { hash, .. }) => *hash,
            _ => None,
        };
        let is_sent_missed = was_sent.is_some() && !remote.files.values().any(|file| file.hash == was_sent);
        let is_made_missed = match intent {
            Some(Intent::MakeFolder { place, .. }) => settle::folder_at(&remote, place).is_none(),
            _ => false,
        };
        if (is_sent_missed || is_made_missed || expected.any(is_missed))
            && self.settings.mutant != Some(Mutant::BelievesLists)
        {
            for (id, folder) in self.drive.list_folders().await? {
                remote.folders.entry(id).or_insert(folder);
            }
            for (id, file) in self.drive.list_files().await? {
                remote.files.entry(id).or_insert(file);
            }
        }
        self.remote = remote;
        Ok(())
    }

    async fn look_at_disk(&mut self) -> Result<(), DiskError> {
        let mut local = self.disk.scan().await?;
        let now = self.clock.now_ms();
        self.steady.retain(|path, _| local.items.contains_key(path));
        self.read.retain(|path, _| local.items.contains_key(path));
        for (path, item) in &mut local.items {
            let LocalItem::File(file) = item else { continue };
            let is_agreed = self
                .agreed
                .records
                .get(path)
                .and_then(|record| record.as_file())
                .is_some_and(|record| record.stamp == file.stamp);
            let (stamp, since) = self.steady.entry(path.clone()).or_insert((file.stamp, now));
            if *stamp != file.stamp {
                (*stamp, *since) = (file.stamp, now);
            }
            file.is_settled = is_agreed || now - *since >= SETTLE_MS;
            file.hash = self.read.get(path).filter(|(stamp, _)| *stamp == file.stamp).map(|(_, hash)| *hash);
        }
        self.local = local;
        Ok(())
    }

    /// Writes down what is about to be done.
    async fn intend(&self, intent: Intent) {
        if self.settings.mutant != Some(Mutant::ForgetsIntents) {
            self.store.intend(&intent).await;
        }
    }

    /// Writes down what came of it.
    async fn agree(&mut self, changes: Vec<Change>) {
        self.store.settle(&changes).await;
        for change in &changes {
            self.agreed.apply(change);
        }
    }
}

/// What a look came to.
enum Look {
    Rest(Rest),
    /// Something was done, or failed: look once more.
    Again {
        was_fruitful: bool,
    },
    /// A file is still being written.
    Settling,
}
