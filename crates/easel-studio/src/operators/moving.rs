//! `easel-studio move`: brings a stopped studio to another place: other rows, other contents, another data folder, in any combination.
//!
//! Always true: nobody writes to the studio from the first row that is read to the end; each content is verified on its way, and at the end
//! every table and every content is counted and summed up on both sides, and compared; where it comes from, all stays as it was, and
//! is closed to whoever would serve it in the same commit that ends the move. What was broken off goes on when it is run again. Not here: what
//! was set aside, which stays behind, and how a new place comes about ([`super::new_place`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use futures_util::{StreamExt as _, stream};
use sha2::{Digest as _, Sha256};
use sqlx::Connection as _;

use super::backup::{Progress, Tell};
use super::new_place::{Making, NewPlace};
use super::{AT_ONCE, written};
use crate::blobs::{Blobs, BlobsAt, ContentHash, Fault, Opening, copy_file, named_bucket};
use crate::core::error::Error;
use crate::data_folder::{DataFolder, KEY_FILE, agree_with_server};
use crate::db::copies::{self, StagedRow};
use crate::db::place::{self, DATABASE, DatabaseAt};
use crate::db::transfer::{TableSum, sum_all};
use crate::db::{DbConnection, filling, shared_settings};

/// What was brought from one place to another, the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Where it is now, in words.
    pub to: String,
    /// Every table.
    pub tables: Vec<TableSum>,
    /// Contents that rows name.
    pub contents: BytesSum,
    /// What was PUT and waits to be registered.
    pub staged: BytesSum,
    /// Contents and staged uploads that were missing or damaged before, by what they are called.
    pub faults: Vec<(String, Fault)>,
}

/// So many contents, and what they come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BytesSum {
    /// How many.
    pub count: u64,
    /// Of how many bytes.
    pub bytes: u64,
    /// The SHA-256 of their names, hashes and sizes, in order.
    pub sha256: [u8; 32],
}

/// Contents and what is staged, by name, with the hash and the size that each was found to have.
type Found = BTreeMap<String, (ContentHash, u64)>;

impl BytesSum {
    fn of(found: &Found) -> Self {
        let mut hasher = Sha256::new();
        for (name, (hash, size)) in found {
            hasher.update(format!("{name} {} {size}\n", HEXLOWER.encode(hash)));
        }
        let bytes = found.values().map(|(_, size)| size).sum();
        Self { count: found.len() as u64, bytes, sha256: hasher.finalize().into() }
    }
}

/// Brings the studio of the data folder `data` to a new place.
///
/// # Errors
/// [`Error::DataFolderHeld`], [`Error::DatabaseHeld`] where a process serves either; [`Error::Usage`] where the studio was moved before, its
/// schema is older than this program's, or the new place holds something; [`Error::KeyFileLost`], [`Error::Io`], [`Error::Database`],
/// [`Error::StorageFull`], [`Error::ContentsUnavailable`].
pub async fn move_studio(
    (data, at): (&Path, &BlobsAt),
    (to, to_blobs): (NewPlace, &BlobsAt),
    tell: Tell<'_>,
) -> Result<Moved, Error> {
    let database = place::of_folder(data)?;
    check_apart(data, &database, &to)?;
    let _held = DataFolder::hold_whole(data).await?;
    let mut source = open(data, &database).await?;
    let key_file = data.join(KEY_FILE);
    if !key_file.is_file() {
        return Err(Error::KeyFileLost(data.to_owned()));
    }
    let whereto = describe(&to, to_blobs)?;
    // From here on nobody writes to it, also no command.
    let mut leaving = filling::begin(&mut source).await?;
    filling::check_schema(&mut leaving).await?;
    match shared_settings::find_closed(&mut leaving).await? {
        None => {}
        Some(reason) if reason == moved_to(&whereto) && to.is_begun("move") => {
            leaving.rollback().await?;
            return end(data, source, to.begin("move").await?, to_blobs, whereto).await;
        }
        Some(reason) => return Err(Error::Usage(format!("{} may not be moved: {reason}", data.display()))),
    }
    let making = to.begin("move").await?;
    if copy_file(&key_file, &making.data().join(KEY_FILE), None)?.is_err() {
        return Err(Error::KeyFileLost(data.to_owned()));
    }
    let mut carrying = Carrying {
        from: Blobs::open_at(data, at, Opening::AsTheyAre).await?,
        to: Blobs::open_at(making.data(), to_blobs, Opening::MovedFrom(data)).await?,
        is_one_place: matches!(to_blobs, BlobsAt::Bucket(url) if named_bucket(data)? == Some(url.to_string())),
        faults: Vec::new(),
    };
    let (contents, staged) = carrying.everything(&mut leaving, tell).await?;
    let rows = &mut |done, total| tell(Progress { stage: "tables", done, total, bytes: 0 });
    let tables = making.fill(&mut leaving, rows).await?;
    shared_settings::set_closed(&mut leaving, Some(&moved_to(&whereto))).await?;
    leaving.commit().await?;
    source.close().await?;
    carrying.to.take_over(making.data()).await?;
    making.finish().await?;
    Ok(Moved { to: whereto, tables, contents, staged, faults: carrying.faults })
}

/// Takes back that a studio was moved: where it was, it may be served again.
///
/// # Errors
/// [`Error::DataFolderHeld`], [`Error::DatabaseHeld`] beside a process that serves it; [`Error::Usage`] where it was not moved, or the bucket
/// of its contents belongs to the one that it was moved to; [`Error::Database`], [`Error::ContentsUnavailable`].
pub async fn take_back(data: &Path, at: &BlobsAt) -> Result<(), Error> {
    let database = place::of_folder(data)?;
    let _held = DataFolder::hold_whole(data).await?;
    let mut source = open(data, &database).await?;
    Blobs::open_at(data, at, Opening::AsTheyAre).await?;
    let mut tx = filling::begin(&mut source).await?;
    filling::check_schema(&mut tx).await?;
    if shared_settings::find_closed(&mut tx).await?.is_none() {
        return Err(Error::Usage(format!("the studio of {} was not moved", data.display())));
    }
    shared_settings::set_closed(&mut tx, None).await?;
    tx.commit().await?;
    Ok(source.close().await?)
}

/// The last steps of a move that was broken off between the commit that closed the old place and its end: everything has come by then.
async fn end(
    data: &Path,
    mut source: DbConnection,
    making: Making,
    to_blobs: &BlobsAt,
    whereto: String,
) -> Result<Moved, Error> {
    let to = Blobs::open_at(making.data(), to_blobs, Opening::MovedFrom(data)).await?;
    to.take_over(making.data()).await?;
    let mut new = making.open().await?;
    let tables = sum_all(&mut source).await?;
    check_tables(&tables, &sum_all(&mut new).await?)?;
    // Nothing is carried any more: what has come is only counted.
    let mut there = Carrying { from: to.clone(), to, is_one_place: true, faults: Vec::new() };
    let (contents, staged) = there.everything(&mut new, &mut |_| {}).await?;
    new.close().await?;
    source.close().await?;
    making.finish().await?;
    Ok(Moved { to: whereto, tables, contents, staged, faults: there.faults })
}

fn check_tables(source: &[TableSum], new: &[TableSum]) -> Result<(), Error> {
    if source == new { Ok(()) } else { Err(Error::Corrupt("a table that was moved")) }
}

/// Refuses a new place that is, or lies in, the old one.
fn check_apart(data: &Path, database: &DatabaseAt, to: &NewPlace) -> Result<(), Error> {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    let (old, new) = (whole(data)?, whole(&to.data)?);
    if old.starts_with(&new) || new.starts_with(&old) {
        return Err(Error::Usage("a studio cannot be moved into its own data folder".to_owned()));
    }
    match (database, &to.database) {
        (DatabaseAt::Server(old), DatabaseAt::Server(new)) if old.is_same_place(new) => Err(Error::Usage(format!(
            "{new} is the studio's database now: rows are moved to another one, or to SQLite"
        ))),
        _ => Ok(()),
    }
}

/// Opens the database of a data folder without changing it.
async fn open(data: &Path, database: &DatabaseAt) -> Result<DbConnection, Error> {
    match database {
        DatabaseAt::Server(url) => {
            let mut conn = copies::connect_lastingly(url).await?;
            agree_with_server(data, &mut conn).await?;
            Ok(conn)
        }
        DatabaseAt::Folder => {
            let path = data.join(DATABASE);
            if !path.is_file() {
                return Err(Error::Usage(format!("there is no database {}", path.display())));
            }
            copies::open_as_it_is(&path).await
        }
    }
}

/// A place in words, always the same ones.
fn describe(to: &NewPlace, blobs: &BlobsAt) -> Result<String, Error> {
    let data: PathBuf = std::path::absolute(&to.data)?;
    let contents = match blobs {
        BlobsAt::Folder => "contents in the folder".to_owned(),
        BlobsAt::Bucket(url) => format!("contents in {url}"),
    };
    Ok(format!("{} ({}, {contents})", data.display(), to.database))
}

/// Why the old place is closed.
fn moved_to(whereto: &str) -> String {
    format!("it was moved to {whereto}; to serve it here all the same: easel-studio move --undo")
}

async fn list_names(conn: &mut DbConnection) -> Result<(Vec<ContentHash>, Vec<StagedRow>), Error> {
    let named = copies::list_named_contents(conn).await?.into_keys().collect();
    let mut staged = copies::list_staged(conn).await?;
    staged.retain(|row| row.waits);
    Ok((named, staged))
}

/// Contents on their way.
struct Carrying {
    from: Blobs,
    to: Blobs,
    /// They stay in the bucket that they are in.
    is_one_place: bool,
    faults: Vec<(String, Fault)>,
}

impl Carrying {
    /// Brings everything that rows name to the new place, and sums it up on both sides.
    async fn everything(&mut self, conn: &mut DbConnection, tell: Tell<'_>) -> Result<(BytesSum, BytesSum), Error> {
        let (named, staged) = list_names(conn).await?;
        let total = named.len() as u64;
        let (mut contents, mut faults, mut bytes) = (BTreeMap::new(), Vec::new(), 0);
        let coming = stream::iter(named.iter().map(async |hash| (hash, self.content(hash).await)));
        let mut coming = Box::pin(coming.buffered(AT_ONCE).enumerate());
        while let Some((done, (hash, came))) = coming.next().await {
            tell(Progress { stage: "contents", done: done as u64, total, bytes });
            match came? {
                Ok(size) => {
                    bytes += size;
                    contents.insert(written(hash), (*hash, size));
                }
                Err(fault) => faults.push((written(hash), fault)),
            }
        }
        drop(coming);
        self.faults.extend(faults);
        let mut waiting = BTreeMap::new();
        for row in staged {
            match self.staged(&row.storage_key).await? {
                Some(found) => drop(waiting.insert(row.storage_key, found)),
                None => self.faults.push((row.storage_key, Fault::Missing)),
            }
        }
        self.compare(&contents, &waiting, tell).await?;
        Ok((BytesSum::of(&contents), BytesSum::of(&waiting)))
    }

    /// Brings one content, and says how many bytes it has where it comes from.
    async fn content(&self, hash: &ContentHash) -> Result<Result<u64, Fault>, Error> {
        if self.is_one_place {
            return self.from.look_at(hash).await;
        }
        match self.to.bring_from(&self.from, hash).await? {
            Ok(Some(bytes)) => Ok(Ok(bytes)),
            // It came the last time.
            Ok(None) => self.from.look_at(hash).await,
            Err(fault) => Ok(Err(fault)),
        }
    }

    async fn staged(&self, storage_key: &str) -> Result<Option<(ContentHash, u64)>, Error> {
        let found = self.from.hash_staged(storage_key).await?;
        if found.is_some() && !self.is_one_place {
            let _ = self.to.bring_staged_from(&self.from, storage_key).await?;
        }
        Ok(found)
    }

    /// Reads everything where it is now.
    async fn compare(&self, contents: &Found, staged: &Found, tell: Tell<'_>) -> Result<(), Error> {
        if self.is_one_place {
            return Ok(());
        }
        let total = contents.len() as u64;
        let mut bytes = 0;
        let looks = contents.iter().map(async |(name, (hash, size))| (name, size, self.to.look_at(hash).await));
        let mut looks = Box::pin(stream::iter(looks).buffered(AT_ONCE).enumerate());
        while let Some((done, (name, size, found))) = looks.next().await {
            tell(Progress { stage: "compared", done: done as u64, total, bytes });
            bytes += size;
            if found? != Ok(*size) {
                tracing::error!(content = name, "what came is not what was sent");
                return Err(Error::Corrupt("a content that was just written"));
            }
        }
        for (storage_key, found) in staged {
            if self.to.hash_staged(storage_key).await? != Some(*found) {
                tracing::error!(storage_key, "what came is not what was sent");
                return Err(Error::Corrupt("an upload that was just written"));
            }
        }
        Ok(())
    }
}
