//! The data folder: database, blobs and key file, and who may use them at the same time.
//!
//! Any number of processes may have it open; one may serve it. Opening is done one process at a time, so that the schema
//! is brought up to date once and the first user made once (contract, "Keys"): organization, team and owner exist from
//! then on. Files and folders in it are its user's alone, whatever they were before. A lock ends with its process, however that ends. A database that is missing or empty beside contents is refused
//! before anything is made: it is not theirs, and in the place of theirs it would take them for left over.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::blobs::count_contents;
use crate::clock::{Clock, IdSource, SystemClock, TimeOrderedIds};
use crate::db::Db;
use crate::db::accounts::{self, UserRow};
use crate::error::Error;
use crate::secrets::MasterKey;
use crate::wire::account::{Plan, Role};
use crate::wire::{OrganizationId, TeamId, UserId};

/// The name of the key file.
pub const KEY_FILE: &str = "studio.key";

/// The lock of whoever serves the folder.
const SERVE_LOCK: &str = "serve.lock";

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
    /// [`Error::DataFolderUnusable`], [`Error::DatabaseLost`], [`Error::KeyFileLost`], [`Error::Io`], [`Error::Database`], [`Error::Migration`],
    /// [`Error::Unsealable`], [`Error::StorageFull`].
    pub async fn open(path: &Path) -> Result<Self, Error> {
        create_private_folder(path).map_err(|cause| Error::DataFolderUnusable { path: path.to_owned(), cause })?;
        let setup = open_lock_file(path, "setup.lock")?;
        let setup =
            tokio::task::spawn_blocking(move || setup.lock().map(|()| setup)).await.map_err(|_| Error::Panicked)??;
        let database = path.join("studio.db");
        if std::fs::metadata(&database).map_or(0, |file| file.len()) == 0 {
            refuse_contents(path)?;
            // SQLite makes what lies beside it with the same mode.
            private_file().write(true).create(true).truncate(false).open(&database)?;
        } else if !path.join(KEY_FILE).try_exists()? {
            return Err(Error::KeyFileLost(path.to_owned()));
        }
        let folder = Self {
            master_key: MasterKey::load_or_create(&path.join(KEY_FILE))?,
            db: Db::open(&database).await?,
            path: path.to_owned(),
            clock: Arc::new(SystemClock::new()),
            ids: Arc::new(TimeOrderedIds),
        };
        folder.create_first_user().await?;
        drop(setup);
        Ok(folder)
    }

    /// Takes the folder for serving; it is held as long as the answer lives.
    ///
    /// # Errors
    /// [`Error::DataFolderHeld`] where another process serves it, [`Error::DataFolderUnusable`].
    pub fn hold(path: &Path) -> Result<File, Error> {
        lock_folder(path, SERVE_LOCK)?.ok_or_else(|| Error::DataFolderHeld(path.to_owned()))
    }

    /// Takes the folder for serving beside others that do it like this, and nobody who takes it alone; it is held as long as the answer
    /// lives.
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

/// Refuses a data folder whose database knows nobody where contents lie in it.
fn refuse_contents(folder: &Path) -> Result<(), Error> {
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

/// What opens a file that is its user's alone where it is made.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Puts a note in the place of the one that is there, whole or not at all. It need not be on the disk at once: whoever reads it does
/// without one that is lost.
///
/// # Errors
/// Where it cannot be written.
pub fn write_note(place: &Path, note: &impl Serialize) -> std::io::Result<()> {
    let draft = place.with_extension("part");
    let mut file = private_file().write(true).create(true).truncate(true).open(&draft)?;
    file.write_all(&serde_json::to_vec(note)?)?;
    std::fs::rename(&draft, place)
}

/// Takes from everything in the folder, itself included, what others may do with it: files become 0600, folders 0700. Links are
/// not followed.
///
/// # Errors
/// Where a folder cannot be read, or a mode not be set.
#[cfg(unix)]
pub fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = match std::fs::symlink_metadata(path) {
        // Gone since it was listed, as a file of the database may be.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    let mode = match (found.is_dir(), found.is_file()) {
        (true, _) => 0o700,
        (_, true) => 0o600,
        _ => return Ok(()),
    };
    if found.permissions().mode() & 0o7777 != mode {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    }
    if found.is_dir() {
        for entry in std::fs::read_dir(path)? {
            make_private(&entry?.path())?;
        }
    }
    Ok(())
}

/// Makes a folder that is its user's alone, and those above it.
///
/// # Errors
/// Where it cannot be made.
pub fn create_private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes a file, where there is one.
///
/// # Errors
/// Where it is there and cannot be removed.
pub fn remove_if_there(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
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
