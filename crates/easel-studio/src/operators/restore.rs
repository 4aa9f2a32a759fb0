//! `easel-studio restore`: makes a new data folder from a backup, with its database and its contents wherever they are to be.
//!
//! Always true: nothing that is there is replaced; every content is verified while it is copied; the database comes
//! last, so that a start refuses a restore that was broken off, which goes on when it is run again. Not here: the
//! layout of a backup ([`crate::operators::backup`]), and how a new place comes about ([`super::new_place`]).

use std::path::{Path, PathBuf};

use futures_util::{StreamExt as _, stream};
use sqlx::Connection;

use super::AT_ONCE;
use super::backup::{BLOBS, Copied, DATABASES, Progress, Tell, list_databases, read_names};
use super::new_place::{Making, NewPlace};
use crate::blobs::{Blobs, BlobsAt, Opening, copy_file, path_of_content};
use crate::core::error::Error;
use crate::core::private_files::remove_if_there;
use crate::core::secrets::SharedKey;
use crate::data_folder::{KEY_FILE, settle_key};
use crate::db::copies;
use crate::db::place::DatabaseAt;

/// A copy of the backup's database, on its way to a server.
const BETWEEN: &str = "restore.db";

/// Makes a new data folder, with its database, from the newest database of a backup, or from the one that is named.
///
/// # Errors
/// [`Error::Usage`] where the folder or the database on a server holds something, or there is no such database of the backup or it is damaged;
/// [`Error::DataFolderHeld`], [`Error::DatabaseHeld`], [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn restore(
    backup: &Path,
    (place, key, blobs_at): (NewPlace, Option<&SharedKey>, &BlobsAt),
    at: Option<&str>,
    tell: Tell<'_>,
) -> Result<Copied, Error> {
    let database = find_database(backup, at)?;
    check_whole(&database).await?;
    let making = place.begin("restore").await?;
    restore_key(backup, making.data(), key)?;

    let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut restored = Copied { database: name, ..Copied::default() };
    let (named, staged) = read_names(&database).await?;
    let from = backup.join(BLOBS);
    let to = Blobs::open_at(making.data(), blobs_at, Opening::Restored(backup)).await?;
    restored.contents = named.len() as u64;
    let coming = named.keys().map(async |hash| (hash, to.bring_in(&path_of_content(&from, hash), hash).await));
    let mut coming = Box::pin(stream::iter(coming).buffered(AT_ONCE).enumerate());
    while let Some((done, (hash, came))) = coming.next().await {
        tell(Progress { stage: "contents", done: done as u64, total: named.len() as u64, bytes: restored.new_bytes });
        match came? {
            Ok(None) => {}
            Ok(Some(bytes)) => restored.note(hash, Ok(bytes)),
            Err(fault) => restored.note(hash, Err(fault)),
        }
    }
    restored.staged = staged.len() as u64;
    for row in &staged {
        if let Err(fault) = to.bring_in_staged(&from.join(&row.storage_key), &row.storage_key).await? {
            restored.faults.push((row.storage_key.clone(), fault));
        }
    }
    restored.key_file = making.data().join(KEY_FILE).is_file();
    restore_rows(&making, &database, tell).await?;
    making.finish().await?;
    Ok(restored)
}

/// Puts the key file of the backup into the folder, or the one that was handed over.
fn restore_key(backup: &Path, data: &Path, key: Option<&SharedKey>) -> Result<(), Error> {
    let (of_the_backup, place) = (backup.join(KEY_FILE), data.join(KEY_FILE));
    if of_the_backup.is_file() {
        let _ = copy_file(&of_the_backup, &place, None)?;
    }
    match key {
        Some(key) => settle_key(data, key),
        None => Ok(()),
    }
}

/// Brings in the database: as it is where it stays a file, row by row where it goes to a server.
async fn restore_rows(making: &Making, database: &Path, tell: Tell<'_>) -> Result<(), Error> {
    if *making.database() == DatabaseAt::Folder {
        return making.take_file(database);
    }
    let between = making.data().join(BETWEEN);
    if copy_file(database, &between, None)?.is_err() {
        return Err(Error::Usage(format!("{} is gone", database.display())));
    }
    let mut conn = copies::open_up_to_date(&between).await?;
    let filled =
        making.fill(&mut conn, &mut |done, total| tell(Progress { stage: "tables", done, total, bytes: 0 })).await;
    conn.close().await?;
    filled?;
    Ok(remove_if_there(&between)?)
}

fn find_database(backup: &Path, at: Option<&str>) -> Result<PathBuf, Error> {
    let databases = match list_databases(backup) {
        Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        listed => listed?,
    };
    let found = match at {
        None => databases.last(),
        Some(name) => databases.iter().find(|path| path.file_name().is_some_and(|there| there == name)),
    };
    found.cloned().ok_or_else(|| {
        let which = at.map_or_else(String::new, |name| format!(" {name}"));
        Error::Usage(format!("there is no database{which} in {}", backup.join(DATABASES).display()))
    })
}

async fn check_whole(database: &Path) -> Result<(), Error> {
    let mut conn = copies::open_as_it_is(database).await?;
    let found = copies::check_integrity(&mut conn).await;
    conn.close().await?;
    match found?.first() {
        None => Ok(()),
        Some(first) => Err(Error::Usage(format!(
            "{} is damaged ({first}); take an earlier one of the backup: --at NAME",
            database.display()
        ))),
    }
}
