//! `easel-studio backup`: copies a whole studio to a folder, beside the processes that serve it.
//!
//! A backup is a folder: `databases/<moment>.db`, one for each time it was taken; `blobs`, laid out as in a data folder
//! and shared by all databases; and the key file. It is the same whichever engine the rows lie in, a file of SQLite's, and wherever the
//! contents do, so that it can be restored to any of them. Always true: everything that was acknowledged before a backup began
//! is in it; a database gets its name when everything that it names is there, so that a backup that was broken off
//! leaves the earlier ones as they were; a content that comes into it was read and has the right hash, be it linked or
//! copied; a content that is there already is not copied again, unless its source was replaced since, as a healed one
//! is. A backup is as secret as the data folder. Not here: the way back ([`crate::operators::restore`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use futures_util::{StreamExt as _, stream};
use sqlx::Connection as _;

use super::{AT_ONCE, written};
use crate::blobs::{
    Blobs, BlobsAt, ContentHash, Fault, Opening, copy_file, copy_note, hash_file, list_contents, path_of_content,
};
use crate::core::error::Error;
use crate::core::private_files::{create_private_folder, remove_if_there, sync_folder, sync_folder_of};
use crate::data_folder::{KEY_FILE, agree_with_server, lock_folder};
use crate::db::copies::{self, StagedRow};
use crate::db::place::{self, DATABASE, DatabaseAt};
use crate::db::server_snapshot::ServerSnapshot;

/// The databases of a backup.
pub const DATABASES: &str = "databases";
/// The blobs of a backup and of a data folder.
pub const BLOBS: &str = "blobs";
/// A database whose contents are still being copied.
const UNFINISHED: &str = "unfinished.db";

/// How a backup is taken.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether the key file is copied too; without it, a restored folder wants it put back by hand.
    pub with_key_file: bool,
    /// Whether contents are copied where they could be linked.
    pub always_copy: bool,
    /// How many databases are kept, the newest; what only older ones name goes with them. `None` for all.
    pub keep: Option<usize>,
}

/// How far something has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The stage of the backup: a word of this program.
    pub stage: &'static str,
    /// How many are done.
    pub done: u64,
    /// Of how many.
    pub total: u64,
    /// Bytes so far.
    pub bytes: u64,
}

/// Is told how far the backup has come.
pub type Tell<'a> = &'a mut dyn FnMut(Progress);

/// What was copied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copied {
    /// The name of the database.
    pub database: String,
    /// Contents that the database names.
    pub contents: u64,
    /// Of these, those that were not there yet.
    pub new_contents: u64,
    /// Bytes of those.
    pub new_bytes: u64,
    /// Staged uploads.
    pub staged: u64,
    /// Whether the key file is there.
    pub key_file: bool,
    /// Contents and staged uploads that could not be copied, by what they are called.
    pub faults: Vec<(String, Fault)>,
}

impl Copied {
    /// Counts a content that came, with its bytes, or names what is wrong with it.
    pub(super) fn note(&mut self, hash: &ContentHash, came: Result<u64, Fault>) {
        match came {
            Ok(bytes) => {
                self.new_contents += 1;
                self.new_bytes += bytes;
            }
            Err(fault) => self.faults.push((written(hash), fault)),
        }
    }
}

/// Takes a backup of the data folder `data` into `to`, which is made where it is missing.
///
/// # Errors
/// [`Error::Usage`] where one folder lies in the other, there is no database or another backup goes to the same place;
/// [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn take((data, at): (&Path, &BlobsAt), to: &Path, how: &Options, tell: Tell<'_>) -> Result<Copied, Error> {
    let database = find_database(data)?;
    create_private_folder(&to.join(DATABASES))?;
    let (from_real, to_real) = (data.canonicalize()?, to.canonicalize()?);
    if to_real.starts_with(&from_real) || from_real.starts_with(&to_real) {
        return Err(Error::Usage("a backup and its data folder cannot lie in one another".to_owned()));
    }
    let Some(_alone) = lock_folder(to, "backup.lock")? else {
        return Err(Error::Usage(format!("another backup goes to {} now", to.display())));
    };
    let mut source = Source::open(data, database).await?;
    let blobs = Blobs::open_at(data, at, Opening::AsTheyAre).await?;
    let held = blobs.hold()?;
    let unfinished = to.join(DATABASES).join(UNFINISHED);
    remove_if_there(&unfinished)?;
    source.copy_to(&unfinished, tell).await?;
    copies::open_again(&unfinished).await?;
    let name = format!("{}.db", jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%S%.6fZ"));
    let (named, staged) = read_names(&unfinished).await?;

    let mut copied = Copied { database: name.clone(), ..Copied::default() };
    let mut copying = Copying { from: &blobs, to: to.join(BLOBS), link: !how.always_copy, touched: BTreeSet::new() };
    let copying_all = async {
        copying.contents(&named, &mut copied, tell).await?;
        copying.staged(&staged, &mut copied).await?;
        copying.bring_names_to_the_disk()
    };
    source.keep_while(copying_all).await?;
    drop((held, source));
    copy_note(data, to)?;

    let key = data.join(KEY_FILE);
    if how.with_key_file && key.is_file() {
        copied.key_file = copy_file(&key, &to.join(KEY_FILE), None)?.is_ok();
    }
    let place = to.join(DATABASES).join(&name);
    std::fs::rename(&unfinished, &place)?;
    sync_folder_of(&place)?;
    if let Some(keep) = how.keep {
        forget_older(to, keep.max(1)).await?;
    }
    Ok(copied)
}

/// Where the rows of a data folder are; refused where there are none.
fn find_database(data: &Path) -> Result<DatabaseAt, Error> {
    let database = place::of_folder(data)?;
    match data.join(DATABASE) {
        file if database == DatabaseAt::Folder && !file.is_file() => {
            Err(Error::Usage(format!("there is no database {}", file.display())))
        }
        _ => Ok(database),
    }
}

/// The rows that are copied.
enum Source {
    /// In a file of SQLite's.
    File(PathBuf),
    /// On a server, where all processes are kept from removing contents; one on a data folder is kept from it there.
    Server(ServerSnapshot),
}

impl Source {
    async fn open(data: &Path, database: DatabaseAt) -> Result<Self, Error> {
        let DatabaseAt::Server(url) = database else { return Ok(Self::File(data.join(DATABASE))) };
        let mut conn = copies::connect_as_it_is(&url).await?;
        let agreed = agree_with_server(data, &mut conn).await;
        conn.close().await?;
        agreed?;
        Ok(Self::Server(ServerSnapshot::hold(&url).await?))
    }

    async fn copy_to(&mut self, place: &Path, tell: Tell<'_>) -> Result<(), Error> {
        match self {
            Self::File(database) => copies::copy_database(database, place).await,
            Self::Server(snapshot) => {
                let tell = &mut |done, total| tell(Progress { stage: "tables", done, total, bytes: 0 });
                snapshot.copy_to(place, tell).await
            }
        }
    }

    /// Copies contents, which stay where they are meanwhile.
    async fn keep_while(&mut self, copying: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
        match self {
            Self::File(_) => copying.await,
            Self::Server(snapshot) => snapshot.keep_while(copying).await,
        }
    }
}

/// The contents and the staged uploads that a database names.
///
/// # Errors
/// [`Error::Database`].
pub async fn read_names(database: &Path) -> Result<(BTreeMap<ContentHash, Option<u64>>, Vec<StagedRow>), Error> {
    let mut conn = copies::open_as_it_is(database).await?;
    let named = copies::list_named_contents(&mut conn).await?;
    let mut staged = copies::list_staged(&mut conn).await?;
    staged.retain(|row| row.waits);
    conn.close().await?;
    Ok((named, staged))
}

/// The databases of a backup, the oldest first.
///
/// # Errors
/// [`Error::Io`].
pub fn list_databases(backup: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut databases = Vec::new();
    for entry in std::fs::read_dir(backup.join(DATABASES))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "db") && !path.ends_with(UNFINISHED) {
            databases.push(path);
        }
    }
    databases.sort();
    Ok(databases)
}

/// Removes the databases before the newest `keep`, and the contents and staged uploads that none of the newest names.
async fn forget_older(backup: &Path, keep: usize) -> Result<(), Error> {
    let databases = list_databases(backup)?;
    let (older, kept) = databases.split_at(databases.len().saturating_sub(keep));
    if older.is_empty() {
        return Ok(());
    }
    let (mut named, mut staged) = (BTreeSet::new(), BTreeSet::new());
    for database in kept {
        let (contents, uploads) = read_names(database).await?;
        named.extend(contents.into_keys());
        staged.extend(uploads.into_iter().map(|row| row.storage_key));
    }
    for database in older {
        std::fs::remove_file(database)?;
    }
    let blobs = backup.join(BLOBS);
    for hash in list_contents(&blobs)?.into_iter().filter(|hash| !named.contains(hash)) {
        std::fs::remove_file(path_of_content(&blobs, &hash))?;
    }
    let pending = blobs.join(crate::blobs::PENDING);
    for entry in pending.is_dir().then(|| std::fs::read_dir(&pending)).transpose()?.into_iter().flatten() {
        let entry = entry?;
        let key = format!("{}/{}", crate::blobs::PENDING, entry.file_name().to_string_lossy());
        if !staged.contains(&key) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The contents on their way into a backup.
struct Copying<'a> {
    from: &'a Blobs,
    to: PathBuf,
    link: bool,
    /// The folders that something was put into.
    touched: BTreeSet<PathBuf>,
}

impl Copying<'_> {
    async fn contents(
        &mut self,
        named: &BTreeMap<ContentHash, Option<u64>>,
        copied: &mut Copied,
        tell: Tell<'_>,
    ) -> Result<(), Error> {
        copied.contents = named.len() as u64;
        if !self.from.is_folder() {
            return self.fetch_contents(named, copied, tell).await;
        }
        for (done, (hash, size)) in named.iter().enumerate() {
            tell(Progress { stage: "contents", done: done as u64, total: named.len() as u64, bytes: copied.new_bytes });
            let place = path_of_content(&self.to, hash);
            // A start of the service in the meantime sets aside what its database has ceased to name.
            let sources = self.from.files_of(hash)?;
            if self.may_stay(&place, sources.first(), Some(hash), *size) {
                continue;
            }
            // What is whole in the backup, but shared with something else, is copied from there where it is so nowhere else.
            let itself = (!self.link).then(|| place.clone());
            copied.note(hash, self.bring(sources.into_iter().chain(itself), &place, Some(hash), *size)?);
        }
        Ok(())
    }

    /// The contents of a bucket, of which several are on their way at once.
    async fn fetch_contents(
        &mut self,
        named: &BTreeMap<ContentHash, Option<u64>>,
        copied: &mut Copied,
        tell: Tell<'_>,
    ) -> Result<(), Error> {
        let mut missing = Vec::new();
        for (hash, size) in named {
            let place = path_of_content(&self.to, hash);
            if !self.may_stay(&place, None, Some(hash), *size) {
                self.make_folder_of(&place)?;
                missing.push((hash, place));
            }
        }
        let (from, total) = (self.from, named.len() as u64);
        let stayed = total - missing.len() as u64;
        let fetched = missing.iter().map(async |(hash, place)| (hash, from.fetch(hash, place).await));
        let mut fetched = Box::pin(stream::iter(fetched).buffered(AT_ONCE).enumerate());
        while let Some((done, (hash, came))) = fetched.next().await {
            tell(Progress { stage: "contents", done: stayed + done as u64, total, bytes: copied.new_bytes });
            copied.note(hash, came?);
        }
        Ok(())
    }

    async fn staged(&mut self, staged: &[StagedRow], copied: &mut Copied) -> Result<(), Error> {
        copied.staged = staged.len() as u64;
        for row in staged {
            let place = self.to.join(&row.storage_key);
            let source = self.from.root().join(&row.storage_key);
            let source = self.from.is_folder().then_some(source);
            if self.may_stay(&place, source.as_ref(), None, row.size_bytes) {
                continue;
            }
            let brought = match source {
                Some(source) => self.bring(std::iter::once(source), &place, None, row.size_bytes)?,
                None => {
                    self.make_folder_of(&place)?;
                    self.from.fetch_staged(&row.storage_key, &place).await?
                }
            };
            match brought {
                Ok(bytes) => copied.new_bytes += bytes,
                Err(fault) => copied.faults.push((row.storage_key.clone(), fault)),
            }
        }
        Ok(())
    }

    /// Whether what lies at `place` is what belongs there, and may stay as it is. It came there whole; only where its source was
    /// replaced since is it read again, because that may have healed what both were then.
    fn may_stay(&self, place: &Path, source: Option<&PathBuf>, hash: Option<&ContentHash>, size: Option<u64>) -> bool {
        let Ok(there) = std::fs::metadata(place) else { return false };
        if size.is_some_and(|size| size != there.len()) {
            return false;
        }
        // What came out of a bucket shares nothing with it.
        let Some(Ok(source)) = source.map(std::fs::metadata) else { return true };
        if !self.link && has_another_name(&there, &source) {
            return false;
        }
        let is_older = match (there.modified(), source.modified()) {
            (Ok(there), Ok(source)) => there < source,
            _ => true,
        };
        !is_older || hash.is_some_and(|hash| hash_file(place).is_ok_and(|(found, _)| found == *hash))
    }

    /// Brings the first whole one of `sources` to `place`, and says how many bytes it has.
    fn bring(
        &mut self,
        sources: impl Iterator<Item = PathBuf>,
        place: &Path,
        hash: Option<&ContentHash>,
        size: Option<u64>,
    ) -> Result<Result<u64, Fault>, Error> {
        let mut fault = Fault::Missing;
        for source in sources {
            let Ok(there) = std::fs::metadata(&source) else { continue };
            if size.is_some_and(|size| size != there.len()) {
                fault = Fault::Damaged;
                continue;
            }
            self.make_folder_of(place)?;
            if self.link {
                // A link is never read by whoever makes it, and damage would come along.
                if hash.is_some_and(|hash| !hash_file(&source).is_ok_and(|(found, _)| found == *hash)) {
                    fault = Fault::Damaged;
                    continue;
                }
                if link(&source, place)? {
                    return Ok(Ok(there.len()));
                }
            }
            match copy_file(&source, place, hash)? {
                Ok(bytes) => return Ok(Ok(bytes)),
                Err(found) => fault = found,
            }
        }
        Ok(Err(fault))
    }

    fn make_folder_of(&mut self, place: &Path) -> Result<(), Error> {
        if let Some(folder) = place.parent().filter(|folder| !self.touched.contains(*folder)) {
            create_private_folder(folder)?;
            self.touched.insert(folder.to_owned());
        }
        Ok(())
    }

    fn bring_names_to_the_disk(&self) -> Result<(), Error> {
        for folder in &self.touched {
            sync_folder(folder)?;
            sync_folder_of(folder)?;
        }
        Ok(())
    }
}

/// Whether damage to what lies `there` would be damage to something else too: the file has more than one name.
#[cfg(unix)]
fn has_another_name(there: &Metadata, _source: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(there) > 1
}

/// Where names cannot be counted, a link is told by its moment: a copy is younger than its source.
#[cfg(not(unix))]
fn has_another_name(there: &Metadata, source: &Metadata) -> bool {
    matches!((there.modified(), source.modified()), (Ok(there), Ok(source)) if there == source)
}

/// Makes `place` a hard link to `source`, in place of a file that is there, which stays until then; false where this
/// file system has no hard links.
fn link(source: &Path, place: &Path) -> Result<bool, Error> {
    let draft = place.with_extension("part");
    remove_if_there(&draft)?;
    match std::fs::hard_link(source, &draft) {
        Ok(()) => {
            std::fs::rename(&draft, place)?;
            // If both were names of one file, a rename does nothing.
            remove_if_there(&draft)?;
            Ok(true)
        }
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::CrossesDevices
                    | ErrorKind::Unsupported
                    | ErrorKind::PermissionDenied
                    | ErrorKind::TooManyLinks
            ) =>
        {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
