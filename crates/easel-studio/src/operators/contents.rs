//! `easel-studio contents`: what is set aside, and its way back into the drive.
//!
//! A start sets aside what the database does not name ([`crate::background::upkeep`]). Always true: nothing here
//! deletes a content; one that is brought back lies in the drive as a file before it is gone from where it was. Its
//! name and place are not known any more: they were in the database. Not here: the start itself, which takes back by
//! itself what its database names.

use std::collections::HashSet;
use std::path::Path;

use data_encoding::HEXLOWER;
use easel_wire::Timestamp;
use futures_util::StreamExt;

use super::written;
use crate::blobs::{Blobs, BlobsAt, Opening, SetAside};
use crate::core::clock::{Clock, SystemClock};
use crate::core::error::Error;
use crate::core::names::Name;
use crate::data_folder::DataFolder;
use crate::db::drive::{NewFile, folders, insert_file, is_content_used};
use crate::db::{Viewer, accounts};
use crate::wire::{FileId, FolderId};

/// Contents that are brought back in one write transaction, so that a running service gets its turn in between.
const CONTENTS_A_TURN: usize = 64;
/// The first bytes of a content, from which its type is told.
const START_BYTES: u64 = 8 * 1024;
/// The number of hex digits of its hash that name a file whose own name is lost.
const DIGITS_OF_A_NAME: usize = 16;

/// A content that is or was set aside, for a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedContent {
    /// `sha256:` and hex.
    pub content_hash: String,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// Since when it is set aside.
    pub set_aside_at: Timestamp,
    /// Until when it is kept at least.
    pub kept_until: Timestamp,
}

/// A content that was brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroughtBack {
    /// `sha256:` and hex.
    pub content_hash: String,
    /// The new file; `None` where a row named the content anyway.
    pub file: Option<(FileId, String)>,
}

impl ListedContent {
    fn of(one: &SetAside, now: Timestamp) -> Self {
        Self {
            content_hash: written(&one.hash),
            size_bytes: one.size_bytes,
            set_aside_at: one.since,
            kept_until: one.kept_until(now),
        }
    }
}

/// The contents that are set aside.
///
/// # Errors
/// [`Error::Io`].
pub async fn list(data_dir: &Path, at: &BlobsAt) -> Result<Vec<ListedContent>, Error> {
    let aside = Blobs::open_at(data_dir, at, Opening::AsTheyAre).await?.list_aside().await?;
    let now = SystemClock::new().now();
    Ok(aside.iter().map(|one| ListedContent::of(one, now)).collect())
}

/// Sets aside all contents of a data folder, whose database is lost, so that it starts anew; says how many.
///
/// # Errors
/// [`Error::DataFolderHeld`] beside a running service; [`Error::Io`].
pub async fn set_aside(data_dir: &Path, at: &BlobsAt) -> Result<usize, Error> {
    let _held = DataFolder::hold_whole(data_dir).await?;
    let blobs = Blobs::open_at(data_dir, at, Opening::AsTheyAre).await?;
    let count = blobs.set_aside(HashSet::new(), SystemClock::new().now()).await?;
    blobs.give_up(data_dir).await?;
    Ok(count)
}

/// Brings back what is set aside, or those of it whose hashes are `named`: as files of the owner, in a private folder
/// of their own at the top of the drive. What a row names is only brought to its place.
///
/// # Errors
/// [`Error::Usage`] for a hash that nothing set aside has; with a bucket [`Error::DataFolderHeld`] beside a running service;
/// [`Error::Io`], [`Error::Database`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
pub async fn bring_back(data_dir: &Path, at: &BlobsAt, named: &[String]) -> Result<Vec<BroughtBack>, Error> {
    // What goes from a bucket goes after the write lock is free, which another process does not see.
    let _held = match at {
        BlobsAt::Folder => None,
        BlobsAt::Bucket(_) => Some(DataFolder::hold_whole(data_dir).await?),
    };
    let folder = DataFolder::open(data_dir).await?;
    let blobs = Blobs::open_at(&folder.path, at, Opening::AsTheyAre).await?;
    let mut aside = blobs.list_aside().await?;
    let known: HashSet<String> = aside.iter().map(|one| written(&one.hash)).collect();
    if let Some(unknown) = named.iter().find(|name| !known.contains(*name)) {
        return Err(Error::Usage(format!("no content {unknown} is set aside")));
    }
    aside.retain(|one| named.is_empty() || named.contains(&written(&one.hash)));
    let mut place = None;
    let mut brought_back = Vec::new();
    for turn in aside.chunks(CONTENTS_A_TURN) {
        brought_back.extend(bring_back_turn(&folder, &blobs, turn, &mut place).await?);
    }
    folder.db.close().await;
    Ok(brought_back)
}

async fn bring_back_turn(
    folder: &DataFolder,
    blobs: &Blobs,
    turn: &[SetAside],
    place: &mut Option<FolderId>,
) -> Result<Vec<BroughtBack>, Error> {
    let mut tx = folder.db.begin().await?;
    let now = folder.clock.now();
    let team = accounts::find_team(&mut tx).await?.ok_or(Error::Corrupt("no team"))?;
    let owner = accounts::find_user(&mut tx, None).await?.ok_or(Error::Corrupt("no owner"))?;
    let viewer = Viewer { team, user: owner.id, oversees: true };
    let mut brought_back = Vec::new();
    for one in turn {
        blobs.bring_back(one.hash).await?;
        let content_hash = written(&one.hash);
        if is_content_used(&mut tx, &one.hash).await? {
            brought_back.push(BroughtBack { content_hash, file: None });
            continue;
        }
        let folder_id = match *place {
            Some(folder_id) => folder_id,
            None => {
                let date = now.to_string();
                let name = format!("Brought back {}", date.split('T').next().unwrap_or_default());
                let name = Name::parse(&name).map_err(|_| Error::Corrupt("a date that is no name"))?;
                let id = FolderId::from_uuid(folder.ids.next());
                *place.insert(folders::insert_private_folder(&mut tx, viewer, id, name, now).await?)
            }
        };
        let (extension, mime_type) = look_at(blobs, one).await?;
        let name = format!("{}{extension}", &HEXLOWER.encode(&one.hash)[..DIGITS_OF_A_NAME]);
        let file = NewFile {
            id: FileId::from_uuid(folder.ids.next()),
            name: Name::parse(&name).map_err(|_| Error::Corrupt("a hash that is no name"))?,
            folder_id: Some(folder_id),
            mime_type,
            size_bytes: one.size_bytes,
            content_hash: one.hash,
        };
        let file = insert_file(&mut tx, viewer, file, now).await?;
        brought_back.push(BroughtBack { content_hash, file: Some((file.id, file.name)) });
    }
    tx.commit().await?;
    Ok(brought_back)
}

/// The extension, with its dot or empty, and the media type of a content, by how it begins.
async fn look_at(blobs: &Blobs, one: &SetAside) -> Result<(String, String), Error> {
    let mut start = Vec::new();
    let mut pieces = std::pin::pin!(blobs.read(&one.hash, 0..one.size_bytes.min(START_BYTES)));
    while let Some(piece) = pieces.next().await {
        start.extend_from_slice(&piece?);
    }
    Ok(match infer::get(&start) {
        Some(kind) => (format!(".{}", kind.extension()), kind.mime_type().to_owned()),
        None if start.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() <= 1 && !start.contains(&0) => {
            (".txt".to_owned(), "text/plain".to_owned())
        }
        None => (String::new(), "application/octet-stream".to_owned()),
    })
}
