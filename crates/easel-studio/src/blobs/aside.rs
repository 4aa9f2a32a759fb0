//! Contents that no row refers to, out of the way: `aside/<moment>/<hex>`, the moment in microseconds since the Unix
//! epoch.
//!
//! A crash leaves few of them, a database that is not the one they belong to leaves many. Always true: setting aside and taking
//! back are renames within the store (in a bucket copies, [`super::bucket_aside`]), so that a content lies in one of the two places whatever happens in between; what was
//! set aside goes only by [`Blobs::forget_aside`], when the clock says that its time is over and as many days were counted since, in a
//! note beside the batches: the moment in a name is only what the clock said. Not here: which contents are referred to, and when
//! a day is counted.

use std::collections::{BTreeMap, HashSet};
use std::path::Path as FilePath;

use data_encoding::HEXLOWER;
use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};

use super::place::{CONTENTS, ContentHash, blocking, place_of};
use super::store::Blobs;
use crate::core::clock::DAY_US;
use crate::core::error::Error;
use crate::core::private_files::{remove_if_there, sync_folder, sync_folder_of, write_note};

pub(super) const ASIDE: &str = "aside";

/// The note of the days for which batches are there, beside them.
pub(super) const NOTE: &str = "days.json";

/// How many days a content that was set aside is kept.
const KEPT_ASIDE_DAYS: u32 = 30;

/// A content that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The content.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// Since when it is set aside, by the clock of then.
    pub since: Timestamp,
    /// For how many days that were counted it is.
    days: u32,
}

impl SetAside {
    pub(super) fn new(hash: ContentHash, size_bytes: u64, since: Timestamp, days: u32) -> Self {
        Self { hash, size_bytes, since, days }
    }

    /// Until when it is kept at least.
    #[must_use]
    pub fn kept_until(&self, now: Timestamp) -> Timestamp {
        let later = |from: Timestamp, days: u32| from.as_micros().saturating_add(i64::from(days) * DAY_US);
        let left = KEPT_ASIDE_DAYS.saturating_sub(self.days);
        Timestamp::from_micros(later(self.since, KEPT_ASIDE_DAYS).max(later(now, left)))
    }
}

/// For how many counted days each batch is there, by its name. One that is not named is new.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Days(pub(super) BTreeMap<String, u32>);

/// Whether the time of a batch is over: 30 days have been counted, and the batch is older than that by the clock, or
/// from the future, because the clock was ahead when it was made.
pub(super) fn is_over(since: Timestamp, days: u32, now: Timestamp) -> bool {
    let before = now.as_micros().saturating_sub(i64::from(KEPT_ASIDE_DAYS) * DAY_US);
    (since.as_micros() < before || since > now) && days >= KEPT_ASIDE_DAYS
}

impl Days {
    /// Reads the note. If it is lost, every batch counts as new, and is kept for longer.
    fn read(root: &FilePath) -> Self {
        std::fs::read(root.join(ASIDE).join(NOTE))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// For how many days the batch of this name is there.
    pub(super) fn of(&self, batch: &str) -> u32 {
        self.0.get(batch).copied().unwrap_or_default()
    }

    fn of_folder(&self, batch: &FilePath) -> u32 {
        self.of(&batch.file_name().unwrap_or_default().to_string_lossy())
    }
}

/// How many contents lie below `root`, whether or not a store is open there.
///
/// # Errors
/// Where a folder that is there cannot be read.
pub fn count_contents(root: &FilePath) -> std::io::Result<usize> {
    Ok(list_contents(root)?.len())
}

impl Blobs {
    /// Sets aside every content that is not among `referred`, and says how many. Only while nobody uploads.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`].
    pub async fn set_aside(&self, referred: HashSet<ContentHash>, now: Timestamp) -> Result<usize, Error> {
        if let Some(bucket) = &self.bucket {
            return bucket.set_aside(&referred, now).await;
        }
        let root = self.root.clone();
        blocking(move || {
            let mut contents = list_contents(&root)?;
            contents.retain(|hash| !referred.contains(hash));
            if contents.is_empty() {
                return Ok(0);
            }
            let aside = root.join(ASIDE);
            let batch = aside.join(now.as_micros().to_string());
            std::fs::create_dir_all(&batch)?;
            let mut emptied = HashSet::new();
            for hash in &contents {
                let place = root.join(place_of(hash).as_ref());
                std::fs::rename(&place, batch.join(HEXLOWER.encode(hash)))?;
                emptied.extend(place.parent().map(FilePath::to_owned));
            }
            sync_folder(&batch)?;
            sync_folder(&aside)?;
            sync_folder(&root)?;
            emptied.iter().try_for_each(|folder| sync_folder(folder))?;
            Ok(contents.len())
        })
        .await
    }

    /// Takes back what was set aside of `referred` and is not in its place, and says how many.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub async fn restore_referred(&self, referred: HashSet<ContentHash>) -> Result<usize, Error> {
        if let Some(bucket) = &self.bucket {
            return bucket.restore_referred(&referred).await;
        }
        let root = self.root.clone();
        blocking(move || {
            let there: HashSet<ContentHash> = list_contents(&root)?.into_iter().collect();
            if referred.is_subset(&there) {
                return Ok(0);
            }
            let aside = list_aside(&root)?;
            let wanted: Vec<_> =
                aside.keys().filter(|hash| referred.contains(*hash) && !there.contains(*hash)).collect();
            wanted.iter().try_for_each(|hash| bring_back(&root, hash))?;
            Ok(wanted.len())
        })
        .await
    }

    /// The contents that are set aside, each once, with the time at which it last was.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub async fn list_aside(&self) -> Result<Vec<SetAside>, Error> {
        if let Some(bucket) = &self.bucket {
            return bucket.list_aside().await;
        }
        let root = self.root.clone();
        Ok(blocking(move || list_aside(&root)).await?.into_values().collect())
    }

    /// Brings a content that was set aside to its place, and the place to the disk; one that is there already is left
    /// alone. Under the database's write lock, before the row that refers to it is committed.
    ///
    /// # Errors
    /// [`Error::Io`] with `NotFound` where it is in neither place.
    pub async fn bring_back(&self, hash: ContentHash) -> Result<(), Error> {
        if let Some(bucket) = &self.bucket {
            return bucket.bring_back(&hash).await;
        }
        let root = self.root.clone();
        blocking(move || if root.join(place_of(&hash).as_ref()).exists() { Ok(()) } else { bring_back(&root, &hash) })
            .await
    }

    /// Where every copy of this content lies that was set aside in a folder, the newest first.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn copies_aside(&self, hash: &ContentHash) -> Result<Vec<std::path::PathBuf>, Error> {
        let name = HEXLOWER.encode(hash);
        let copies = list_batches(&self.root)?.into_values().rev().map(|batch| batch.join(&name));
        Ok(copies.filter(|copy| copy.is_file()).collect())
    }

    /// Where something that is set aside in a folder at this moment lies; its folder is made.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`].
    pub(super) fn place_aside(&self, hash: &ContentHash, now: Timestamp) -> Result<std::path::PathBuf, Error> {
        let batch = self.root.join(ASIDE).join(now.as_micros().to_string());
        std::fs::create_dir_all(&batch)?;
        Ok(batch.join(HEXLOWER.encode(hash)))
    }

    /// Counts one more day for everything that is set aside.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`].
    pub async fn count_day_aside(&self) -> Result<(), Error> {
        if let Some(bucket) = &self.bucket {
            return bucket.count_day_aside().await;
        }
        let root = self.root.clone();
        blocking(move || {
            let before = Days::read(&root);
            let counted = list_batches(&root)?.into_values().filter_map(|batch| {
                Some((batch.file_name()?.to_str()?.to_owned(), before.of_folder(&batch).saturating_add(1)))
            });
            let counted: BTreeMap<_, _> = counted.collect();
            if counted.is_empty() {
                return remove_if_there(&root.join(ASIDE).join(NOTE));
            }
            write_note(&root.join(ASIDE).join(NOTE), &Days(counted))
        })
        .await
    }

    /// Removes contents whose time set aside is over by the clock, or began at a moment that is yet to come, and for
    /// which as many days were counted; returns how many.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub async fn forget_aside(&self, now: Timestamp) -> Result<usize, Error> {
        if let Some(bucket) = &self.bucket {
            return bucket.forget_aside(now).await;
        }
        let root = self.root.clone();
        blocking(move || {
            let mut forgotten = 0;
            let days = Days::read(&root);
            for (since, batch) in list_batches(&root)? {
                if is_over(since, days.of_folder(&batch), now) {
                    forgotten += std::fs::read_dir(&batch)?.count();
                    std::fs::remove_dir_all(&batch)?;
                }
            }
            Ok(forgotten)
        })
        .await
    }
}

/// The newest copy of a content that was set aside goes to its place; others of it have nothing more to say.
fn bring_back(root: &FilePath, hash: &ContentHash) -> std::io::Result<()> {
    let (name, place) = (HEXLOWER.encode(hash), root.join(place_of(hash).as_ref()));
    let mut found = false;
    for (_, batch) in list_batches(root)?.into_iter().rev() {
        let copy = batch.join(&name);
        if found {
            remove_if_there(&copy)?;
        } else if copy.exists() {
            std::fs::rename(&copy, &place)?;
            sync_folder_of(&place)?;
            sync_folder(&batch)?;
            found = true;
        }
        // A batch that is not empty stays.
        let _ = std::fs::remove_dir(&batch);
    }
    if found { Ok(()) } else { Err(std::io::ErrorKind::NotFound.into()) }
}

/// Contents below `root`, by the names of their files; what has another name is none and is left alone.
///
/// # Errors
/// Where a folder that is there cannot be read.
pub fn list_contents(root: &FilePath) -> std::io::Result<Vec<ContentHash>> {
    let mut contents = Vec::new();
    for folder in list_folder(&root.join(CONTENTS))? {
        for file in list_folder(&folder)? {
            contents.extend(hash_of(&file));
        }
    }
    Ok(contents)
}

fn hash_of(path: &FilePath) -> Option<ContentHash> {
    HEXLOWER.decode(path.file_name()?.to_str()?.as_bytes()).ok()?.try_into().ok()
}

/// The folders of contents that were set aside, by the moment of that, the oldest first.
fn list_batches(root: &FilePath) -> std::io::Result<BTreeMap<Timestamp, std::path::PathBuf>> {
    let batches = list_folder(&root.join(ASIDE))?.into_iter();
    let moment = |path: &FilePath| Some(Timestamp::from_micros(path.file_name()?.to_str()?.parse().ok()?));
    Ok(batches.filter_map(|path| Some((moment(&path)?, path))).collect())
}

fn list_aside(root: &FilePath) -> std::io::Result<BTreeMap<ContentHash, SetAside>> {
    let mut aside = BTreeMap::new();
    let noted = Days::read(root);
    for (since, batch) in list_batches(root)? {
        let days = noted.of_folder(&batch);
        for file in list_folder(&batch)? {
            if let Some(hash) = hash_of(&file) {
                let size_bytes = std::fs::metadata(&file)?.len();
                aside.insert(hash, SetAside { hash, size_bytes, since, days });
            }
        }
    }
    Ok(aside)
}

/// What lies in a folder; nothing where there is none, or no folder.
fn list_folder(folder: &FilePath) -> std::io::Result<Vec<std::path::PathBuf>> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
