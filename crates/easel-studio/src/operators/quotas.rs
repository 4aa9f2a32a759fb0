//! `easel-studio quotas` and `uploads`: how much an organization may keep, and its uploads that wait to be registered.
//!
//! Always true: a quota refuses new files and never touches those that are there; a staged upload is removed only by
//! the operator. Not here: where a quota is checked ([`crate::uploads`], [`crate::routes::storage`]).

use std::path::Path;
use std::time::Duration;

use easel_wire::Timestamp;
use serde_json::json;

use super::find_organization;
use super::limits::Change;
use crate::audit;
use crate::blobs::{Blobs, BlobsAt, Location, Opening};
use crate::core::error::Error;
use crate::core::limits::Overrides;
use crate::core::room::Room;
use crate::data_folder::DataFolder;
use crate::db::limits::{self as rows};
use crate::db::place::{self, DatabaseAt};
use crate::db::quotas::{self, StagedUpload, Usage};
use crate::db::server_snapshot::leave_to_remove;
use crate::wire::OrganizationId;

/// The changes to an organization's quotas; what is absent stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// The most bytes.
    pub bytes: Option<Change<u64>>,
    /// The most files.
    pub files: Option<Change<u64>>,
}

/// Changes the quotas of an organization, the first one where none is named; returns the quotas afterwards, and the
/// present use.
///
/// # Errors
/// [`Error::Usage`] where there is no such organization; [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn set(
    data_dir: &Path,
    organization: Option<OrganizationId>,
    changes: Changes,
) -> Result<(OrganizationId, Overrides, Usage), Error> {
    let folder = DataFolder::open(data_dir).await?;
    let mut tx = folder.db.begin().await?;
    let organization = find_organization(&mut tx, organization).await?;
    let before = rows::get_overrides(&mut tx, organization).await?;
    let now = Overrides {
        max_bytes: changes.bytes.map_or(before.max_bytes, Change::over),
        max_files: changes.files.map_or(before.max_files, Change::over),
        ..before
    };
    rows::put_overrides(&mut tx, organization, &now).await?;
    let details = json!({
        "from": { "max_bytes": before.max_bytes, "max_files": before.max_files },
        "to": { "max_bytes": now.max_bytes, "max_files": now.max_files },
    });
    let what = ("quota_changed", organization.to_string(), details);
    audit::note_operator(&mut tx, Some(organization), what, folder.clock.now()).await?;
    let usage = quotas::get_usage(&mut tx, organization).await?;
    tx.commit().await?;
    folder.db.close().await;
    Ok((organization, now, usage))
}

/// What was PUT and waits to be registered, the oldest first, and the moment of asking.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn list_staged(data_dir: &Path) -> Result<(Vec<StagedUpload>, Timestamp), Error> {
    let folder = DataFolder::open(data_dir).await?;
    let mut conn = folder.db.read().acquire().await?;
    let staged = quotas::list_staged_uploads(&mut conn).await?;
    drop(conn);
    let now = folder.clock.now();
    folder.db.close().await;
    Ok((staged, now))
}

/// Which staged uploads are to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// These, by their storage keys.
    Named(Vec<String>),
    /// Uploads that have waited for so long at least.
    WaitedFor(Duration),
}

/// Removes staged uploads, and says which. They cannot be registered any more.
///
/// # Errors
/// [`Error::Usage`] for a key that nothing is staged under, and while a backup is taken; [`Error::Io`], [`Error::Database`],
/// [`Error::StorageFull`].
pub async fn clear_staged(data_dir: &Path, at: &BlobsAt, which: &Which) -> Result<Vec<StagedUpload>, Error> {
    let room = Room::of(data_dir);
    let cleared = room.lend(|| clear_once(data_dir, at, which)).await?;
    // The disk may have as much room again by now.
    room.keep().await;
    Ok(cleared)
}

async fn clear_once(data_dir: &Path, at: &BlobsAt, which: &Which) -> Result<Vec<StagedUpload>, Error> {
    let folder = DataFolder::open(data_dir).await?;
    let blobs = Blobs::open_at(&folder.path, at, Opening::AsTheyAre).await?;
    let being_taken = || Error::Usage("a backup is being taken; try again when it is done".to_owned());
    let leave = blobs.leave_to_remove()?.ok_or_else(being_taken)?;
    // Of a backup that another machine takes, only the database knows.
    let leave_of_others = match place::of_folder(data_dir)? {
        DatabaseAt::Folder => None,
        DatabaseAt::Server(url) => Some(leave_to_remove(&url).await?.ok_or_else(being_taken)?),
    };
    let now = folder.clock.now();
    let mut tx = folder.db.begin().await?;
    let staged = quotas::list_staged_uploads(&mut tx).await?;
    if let Which::Named(keys) = which
        && let Some(unknown) = keys.iter().find(|key| !staged.iter().any(|upload| upload.storage_key == **key))
    {
        return Err(Error::Usage(format!("nothing is staged under {unknown}")));
    }
    let mut gone = Vec::new();
    for upload in staged {
        let chosen = match which {
            Which::Named(keys) => keys.contains(&upload.storage_key),
            Which::WaitedFor(age) => {
                let waited = now.as_micros().saturating_sub(upload.staged_at.as_micros());
                u128::try_from(waited).is_ok_and(|waited| waited >= age.as_micros())
            }
        };
        if chosen && quotas::delete_staged_upload(&mut tx, &upload.storage_key).await? {
            let details = json!({
                "user": upload.user_email, "filename": upload.filename, "size_bytes": upload.size_bytes,
                "staged_at": upload.staged_at,
            });
            audit::note_operator(&mut tx, None, ("upload_cleared", upload.storage_key.clone(), details), now).await?;
            gone.push(upload);
        }
    }
    tx.commit().await?;
    for upload in &gone {
        blobs.discard(&Location::staged(&upload.storage_key)).await;
    }
    drop((leave, leave_of_others));
    folder.db.close().await;
    Ok(gone)
}
