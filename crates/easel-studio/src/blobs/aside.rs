//! Contents that no row refers to, out of the way: `aside/<moment>/<hex>`, the moment in microseconds since the Unix epoch.
//!
//! A crash leaves few of them, a database that is not the one they belong to leaves many. Always true: setting aside and taking
//! back are renames within the store, so that a content lies in one of the two places whatever happens in between; what was
//! set aside goes only by [`Blobs::forget_aside`]. Not here: which contents are referred to, and when it is time to forget.

use std::collections::{BTreeMap, HashSet};
use std::path::Path as FilePath;

use data_encoding::HEXLOWER;
use easel_wire::Timestamp;

use super::{Blobs, CONTENTS, ContentHash, blocking, place_of, sync};
use crate::data_folder::remove_if_there;
use crate::error::Error;

const ASIDE: &str = "aside";

/// How long what was set aside is kept, in microseconds: 30 days.
pub const KEPT_ASIDE_US: i64 = 30 * 24 * 60 * 60 * 1_000_000;

/// A content that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// Which.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// Since when it is.
    pub since: Timestamp,
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
            sync(&batch)?;
            sync(&aside)?;
            sync(&root)?;
            emptied.iter().try_for_each(|folder| sync(folder))?;
            Ok(contents.len())
        })
        .await
    }

    /// Takes back what was set aside of `referred` and is not in its place, and says how many.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub async fn take_back(&self, referred: HashSet<ContentHash>) -> Result<usize, Error> {
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

    /// What is set aside, each content once, since when it last was.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub async fn list_aside(&self) -> Result<Vec<SetAside>, Error> {
        let root = self.root.clone();
        Ok(blocking(move || list_aside(&root)).await?.into_values().collect())
    }

    /// Brings a content that was set aside to its place, and the place to the disk; one that is there already is left alone.
    /// Under the database's write lock, before the row that refers to it is committed.
    ///
    /// # Errors
    /// [`Error::Io`] with `NotFound` where it is in neither place.
    pub async fn bring_back(&self, hash: ContentHash) -> Result<(), Error> {
        let root = self.root.clone();
        blocking(move || if root.join(place_of(&hash).as_ref()).exists() { Ok(()) } else { bring_back(&root, &hash) })
            .await
    }

    /// Where every copy of this content lies that was set aside, the newest first.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn copies_aside(&self, hash: &ContentHash) -> Result<Vec<std::path::PathBuf>, Error> {
        let name = HEXLOWER.encode(hash);
        let copies = list_batches(&self.root)?.into_values().rev().map(|batch| batch.join(&name));
        Ok(copies.filter(|copy| copy.is_file()).collect())
    }

    /// Where something that is set aside at this moment lies; its folder is made.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`].
    pub fn place_aside(&self, hash: &ContentHash, now: Timestamp) -> Result<std::path::PathBuf, Error> {
        let batch = self.root.join(ASIDE).join(now.as_micros().to_string());
        std::fs::create_dir_all(&batch)?;
        Ok(batch.join(HEXLOWER.encode(hash)))
    }

    /// Removes what was set aside before `moment`, and says how many contents that were.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub async fn forget_aside(&self, moment: Timestamp) -> Result<usize, Error> {
        let root = self.root.clone();
        blocking(move || {
            let mut forgotten = 0;
            for (since, batch) in list_batches(&root)? {
                if since < moment {
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
            place.parent().map_or(Ok(()), sync)?;
            sync(&batch)?;
            found = true;
        }
        // One that is not empty stays.
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

/// What was set aside at which moment, the oldest first.
fn list_batches(root: &FilePath) -> std::io::Result<BTreeMap<Timestamp, std::path::PathBuf>> {
    let batches = list_folder(&root.join(ASIDE))?.into_iter();
    let moment = |path: &FilePath| Some(Timestamp::from_micros(path.file_name()?.to_str()?.parse().ok()?));
    Ok(batches.filter_map(|path| Some((moment(&path)?, path))).collect())
}

fn list_aside(root: &FilePath) -> std::io::Result<BTreeMap<ContentHash, SetAside>> {
    let mut aside = BTreeMap::new();
    for (since, batch) in list_batches(root)? {
        for file in list_folder(&batch)? {
            if let Some(hash) = hash_of(&file) {
                let size_bytes = std::fs::metadata(&file)?.len();
                aside.insert(hash, SetAside { hash, size_bytes, since });
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
