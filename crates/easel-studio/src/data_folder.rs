//! The data folder: database, blobs and key file, and who may use them at the same time.
//!
//! Any number of processes may have it open; one may serve it. Where several serve one studio, each has a folder of its own, with
//! the same key file. Opening is done one process at a time, so that the
//! schema is brought up to date once and the first user made once (contract, "Keys"): organization, team and owner
//! exist from then on. Files and folders in it are its user's alone, whatever they were before. A lock ends with its
//! process, however that ends. A database that is missing or empty beside contents is refused before anything is made:
//! it is not theirs, and in the place of theirs it would take them for left over.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::blobs::{count_contents, named_bucket, note_bucket};
use crate::core::clock::{Clock, IdSource, SystemClock, TimeOrderedIds};
use crate::core::error::Error;
use crate::core::private_files::{create_private_folder, private_file};
use crate::core::secrets::{MasterKey, SharedKey};
use crate::db::accounts::{self, UserRow};
use crate::db::place::{self, DATABASE, DatabaseAt, ServerUrl};
use crate::db::presence::Presence;
use crate::db::shared_settings::{self, ContentsAt};
use crate::db::{Db, DbConnection};
use crate::wire::account::{Plan, Role};
use crate::wire::{OrganizationId, TeamId, UserId};

/// The name of the key file.
pub const KEY_FILE: &str = "studio.key";

/// The lock of whoever serves the folder.
const SERVE_LOCK: &str = "serve.lock";

/// What a key file is told by in a database, without giving it away.
pub const TELL_KEY: &str = "tell this key";

/// The first user's address, until someone gives another.
pub const OWNER_EMAIL: &str = "owner@localhost";

/// An open data folder.
pub struct DataFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Its database.
    pub db: Db,
    /// Its key file.
    pub master_key: MasterKey,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids.
    pub ids: Arc<dyn IdSource>,
}

impl DataFolder {
    /// Opens the folder at `path`, and makes what is missing.
    ///
    /// # Errors
    /// [`Error::DataFolderUnusable`], [`Error::DatabaseLost`], [`Error::DatabaseOfBucketLost`],
    /// [`Error::KeyFileLost`], [`Error::Io`], [`Error::Database`], [`Error::Migration`],
    /// [`Error::Unsealable`], [`Error::StorageFull`].
    pub async fn open(path: &Path) -> Result<Self, Error> {
        create_private_folder(path).map_err(|cause| Error::DataFolderUnusable { path: path.to_owned(), cause })?;
        let setup = open_lock_file(path, "setup.lock")?;
        let setup =
            tokio::task::spawn_blocking(move || setup.lock().map(|()| setup)).await.map_err(|_| Error::Panicked)??;
        let (master_key, db) = match place::of_folder(path)? {
            DatabaseAt::Folder => Self::open_own(path).await?,
            DatabaseAt::Server(url) => Self::open_server(path, &url).await?,
        };
        let folder = Self {
            master_key,
            db,
            path: path.to_owned(),
            clock: Arc::new(SystemClock::new()),
            ids: Arc::new(TimeOrderedIds),
        };
        if let Some(reason) = shared_settings::find_closed(&mut *folder.db.reader().await?).await? {
            return Err(Error::Usage(format!("this studio may not be served: {reason}")));
        }
        folder.create_first_user().await?;
        drop(setup);
        Ok(folder)
    }

    /// The key file and the database in the folder; both are made in one that is new, the key file first.
    async fn open_own(path: &Path) -> Result<(MasterKey, Db), Error> {
        let database = path.join(DATABASE);
        if std::fs::metadata(&database).map_or(0, |file| file.len()) == 0 {
            refuse_contents(path)?;
            // SQLite makes what lies beside it with the same mode.
            private_file().write(true).create(true).truncate(false).open(&database)?;
        } else if !path.join(KEY_FILE).try_exists()? {
            return Err(Error::KeyFileLost(path.to_owned()));
        }
        let key = MasterKey::load_or_create(&path.join(KEY_FILE))?;
        Ok((key, Db::open(&database).await?))
    }

    /// The key file and the database on a server; a key file is made for a database that knows nobody.
    async fn open_server(path: &Path, url: &ServerUrl) -> Result<(MasterKey, Db), Error> {
        let db = Db::connect(&url.options()?).await?;
        let key_file = path.join(KEY_FILE);
        if !key_file.try_exists()? && accounts::find_team(&mut *db.reader().await?).await?.is_some() {
            return Err(Error::KeyFileLost(path.to_owned()));
        }
        let key = MasterKey::load_or_create(&key_file)?;
        let mut tx = db.begin().await?;
        let is_its_own = shared_settings::settle_key(&mut tx, &key.derive(TELL_KEY)).await?;
        let bucket = shared_settings::find_bucket(&mut tx).await?;
        tx.commit().await?;
        if !is_its_own {
            return Err(Error::KeyFileOfAnother(path.to_owned()));
        }
        // A process on a machine of its own: what its folder cannot know, the database does.
        if let Some(ContentsAt { bucket, studio }) = bucket {
            note_bucket(path, &bucket, studio)?;
        }
        Ok((key, db))
    }

    /// Takes the folder for serving; it is held as long as the answer lives.
    ///
    /// # Errors
    /// [`Error::DataFolderHeld`] where another process serves it, [`Error::DataFolderUnusable`].
    pub fn hold(path: &Path) -> Result<File, Error> {
        lock_folder(path, SERVE_LOCK)?.ok_or_else(|| Error::DataFolderHeld(path.to_owned()))
    }

    /// Takes the folder and its database, so that no process serves either, as long as the answer lives.
    ///
    /// # Errors
    /// [`Error::DataFolderHeld`], [`Error::DatabaseHeld`] where one does; [`Error::DataFolderUnusable`], [`Error::Database`].
    pub async fn hold_whole(path: &Path) -> Result<(File, Presence), Error> {
        let folder = Self::hold(path)?;
        let presence = match place::of_folder(path)? {
            DatabaseAt::Folder => Presence::of_one(),
            DatabaseAt::Server(url) => Presence::alone_on(url.options()?).await?.ok_or(Error::DatabaseHeld)?,
        };
        Ok((folder, presence))
    }

    /// Locks the folder for serving beside other processes that lock it in this way, and against any that locks it
    /// alone; it stays locked as long as the answer lives.
    ///
    /// # Errors
    /// [`Error::DataFolderHeld`] where another process has it alone, [`Error::DataFolderUnusable`].
    pub fn hold_beside_others(path: &Path) -> Result<File, Error> {
        let file = open_lock_file(path, SERVE_LOCK)?;
        match file.try_lock_shared() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(Error::DataFolderHeld(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    async fn create_first_user(&self) -> Result<(), Error> {
        let mut tx = self.db.begin().await?;
        if accounts::find_team(&mut tx).await?.is_none() {
            refuse_contents(&self.path)?;
            let now = self.clock.now();
            let team = TeamId::from_uuid(self.ids.next());
            let organization = (OrganizationId::from_uuid(self.ids.next()), "My organization", Plan::Paid);
            accounts::insert_team(&mut tx, organization, (team, "My team"), now).await?;
            let owner = UserRow {
                id: UserId::from_uuid(self.ids.next()),
                email: OWNER_EMAIL.to_owned(),
                name: "Owner".to_owned(),
                role: Role::Owner,
            };
            accounts::insert_user(&mut tx, team, &owner, now).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

/// Brings a data folder together with the database on a server that it names, for a command that changes nothing there: the key file has to be
/// the database's, and where the contents lie the database knows.
///
/// # Errors
/// [`Error::KeyFileOfAnother`], [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn agree_with_server(path: &Path, conn: &mut DbConnection) -> Result<(), Error> {
    let key_file = path.join(KEY_FILE);
    if key_file.try_exists()? {
        let key = MasterKey::load_or_create(&key_file)?;
        if !shared_settings::is_key(conn, &key.derive(TELL_KEY)).await? {
            return Err(Error::KeyFileOfAnother(path.to_owned()));
        }
    }
    match shared_settings::find_bucket(conn).await? {
        Some(ContentsAt { bucket, studio }) => note_bucket(path, &bucket, studio),
        None => Ok(()),
    }
}

/// Puts the key that all processes of a studio share into the key file of a data folder, where it has none.
///
/// # Errors
/// [`Error::Usage`] where it has another; [`Error::DataFolderUnusable`], [`Error::Io`], [`Error::StorageFull`].
pub fn settle_key(folder: &Path, key: &SharedKey) -> Result<(), Error> {
    create_private_folder(folder).map_err(|cause| Error::DataFolderUnusable { path: folder.to_owned(), cause })?;
    let file = folder.join(KEY_FILE);
    if key.settle(&file)? { Ok(()) } else { Err(Error::Usage(format!("{} is another key", file.display()))) }
}

/// Refuses a data folder whose database knows nobody where contents lie in it.
fn refuse_contents(folder: &Path) -> Result<(), Error> {
    if let Some(bucket) = named_bucket(folder)? {
        return Err(Error::DatabaseOfBucketLost { path: folder.to_owned(), bucket });
    }
    match count_contents(&folder.join("blobs"))? {
        0 => Ok(()),
        contents => Err(Error::DatabaseLost { path: folder.to_owned(), contents }),
    }
}

/// A lock file in the folder, which is made where it is missing.
fn open_lock_file(folder: &Path, name: &str) -> Result<File, Error> {
    let unusable = |cause| Error::DataFolderUnusable { path: folder.to_owned(), cause };
    create_private_folder(folder).map_err(unusable)?;
    private_file().read(true).write(true).create(true).truncate(false).open(folder.join(name)).map_err(unusable)
}

/// Takes a lock in a folder; `None` where another process has it.
///
/// # Errors
/// [`Error::DataFolderUnusable`], [`Error::Io`].
pub fn lock_folder(folder: &Path, name: &str) -> Result<Option<File>, Error> {
    let file = open_lock_file(folder, name)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_user_is_made_once_and_owns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (one, two) = tokio::join!(DataFolder::open(&path), DataFolder::open(&path));
        let mut tx = one.unwrap().db.begin().await.unwrap();
        let owner = accounts::find_user(&mut tx, None).await.unwrap().unwrap();
        assert_eq!((owner.role, owner.email.as_str()), (Role::Owner, OWNER_EMAIL));
        tx.rollback().await.unwrap();
        drop(two.unwrap());
    }

    #[test]
    fn one_process_serves_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let held = DataFolder::hold(folder.path()).unwrap();
        assert!(matches!(DataFolder::hold(folder.path()), Err(Error::DataFolderHeld(_))));
        assert!(matches!(DataFolder::hold_beside_others(folder.path()), Err(Error::DataFolderHeld(_))));
        drop(held);
        let beside = [DataFolder::hold_beside_others(folder.path()), DataFolder::hold_beside_others(folder.path())];
        assert!(beside.iter().all(Result::is_ok));
        assert!(matches!(DataFolder::hold(folder.path()), Err(Error::DataFolderHeld(_))));
        drop(beside);
        assert!(DataFolder::hold(folder.path()).is_ok());
    }
}
