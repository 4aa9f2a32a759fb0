//! `easel-studio restore`: makes a new data folder from a backup.
//!
//! Always true: no existing file is replaced; every content is verified while it is copied; the database gets its name
//! last, so that a start refuses a restore that was broken off, which goes on when it is run again. Not here: the
//! layout of a backup ([`crate::operators::backup`]).

use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sqlx::Connection;

use super::backup::{BLOBS, Copied, DATABASES, Progress, Tell, list_databases, read_names};
use crate::blobs::{Blobs, BlobsAt, Opening, copy_file, path_of_content};
use crate::core::error::Error;
use crate::core::private_files::{private_file, sync_folder_of};
use crate::data_folder::{DataFolder, KEY_FILE};
use crate::db::copies;

/// Says of a folder that a restore into it was not finished.
const UNFINISHED: &str = "restore.unfinished";

/// Makes the data folder `data` from the newest database of a backup, or from the one that is named.
///
/// # Errors
/// [`Error::Usage`] where `data` holds something, or there is no such database or it is damaged; [`Error::DataFolderHeld`],
/// [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn restore(
    backup: &Path,
    (data, place): (&Path, &BlobsAt),
    at: Option<&str>,
    tell: Tell<'_>,
) -> Result<Copied, Error> {
    let database = find_database(backup, at)?;
    let marker = data.join(UNFINISHED);
    if !marker.exists() && data.exists() && std::fs::read_dir(data)?.next().is_some() {
        return Err(Error::Usage(format!("{} is not empty: a restore makes a new data folder", data.display())));
    }
    check_whole(&database).await?;
    let _held = DataFolder::hold(data)?;
    private_file().write(true).create(true).truncate(true).open(&marker)?.sync_all()?;

    let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut restored = Copied { database: name, ..Copied::default() };
    let (named, staged) = read_names(&database).await?;
    let from = backup.join(BLOBS);
    let to = Blobs::open_at(data, place, Opening::Restored(backup)).await?;
    restored.contents = named.len() as u64;
    for (done, hash) in named.keys().enumerate() {
        tell(Progress { stage: "contents", done: done as u64, total: named.len() as u64, bytes: restored.new_bytes });
        match to.bring_in(&path_of_content(&from, hash), hash).await? {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                restored.new_contents += 1;
                restored.new_bytes += bytes;
            }
            Err(fault) => restored.faults.push((format!("sha256:{}", HEXLOWER.encode(hash)), fault)),
        }
    }
    restored.staged = staged.len() as u64;
    for row in &staged {
        if let Err(fault) = to.bring_in_staged(&from.join(&row.storage_key), &row.storage_key).await? {
            restored.faults.push((row.storage_key.clone(), fault));
        }
    }
    let key = backup.join(KEY_FILE);
    restored.key_file = key.is_file() && copy_file(&key, &data.join(KEY_FILE), None)?.is_ok();
    let copied = copy_file(&database, &data.join("studio.db"), None)?;
    if copied.is_err() {
        return Err(Error::Usage(format!("{} is gone", database.display())));
    }
    std::fs::remove_file(&marker)?;
    sync_folder_of(&marker)?;
    Ok(restored)
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
