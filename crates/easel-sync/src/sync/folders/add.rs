//! Begins to watch a folder, after a check of what speaks against it.
//!
//! Always true: two watched folders never overlap, neither here nor in the drive. Not here: what a first run would do
//! (`preview`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use easel_client::Lane;
use easel_wire::FolderId;
use easel_wire::error::code;
use uuid::Uuid;

use super::folder::{Draft, Need, Target};
use super::locked_folder::LockedFolder;
use super::state::Shared;
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::mutex::lock;
use crate::shared::names;
use crate::sync::ignored;
use crate::sync::journal::{Sums, Watch};
use crate::sync::lock::overlap;
use crate::sync::tree::RemoteFolder;

/// Refuses patterns that cannot be parsed.
pub(super) fn check_patterns(text: &str) -> Result<(), Error> {
    match ignored::check(text).into_iter().next() {
        Some(bad) => Err(Error::PatternRefused { line: bad.line, detail: bad.detail }),
        None => Ok(()),
    }
}

/// The error for a folder at `path` that cannot be taken.
pub(super) fn error_of(need: Need, path: &Path) -> Error {
    let path = path.to_owned();
    match need {
        Need::HeldElsewhere { holder } => Error::HeldElsewhere { holder },
        Need::FolderUnreadable => Error::FolderUnreadable { path },
        _ => Error::NotAFolder { path },
    }
}

/// A draft that passed all checks.
pub(super) struct Checked {
    /// The folder's path, without links in it.
    pub path: PathBuf,
    pub ground: LockedFolder,
    pub drive: Checkable,
}

/// The drive folder that was found, or the place that a new one gets.
pub(super) enum Checkable {
    Found(FolderId),
    New { parent: Option<FolderId>, name: String },
}

pub(super) async fn check(shared: &Shared, draft: &Draft) -> Result<Checked, Error> {
    check_patterns(&draft.choices.ignore)?;
    let not_a_folder = || Error::NotAFolder { path: draft.path.clone() };
    let path = tokio::fs::canonicalize(&draft.path).await.map_err(|_| not_a_folder())?;
    if !tokio::fs::metadata(&path).await.is_ok_and(|metadata| metadata.is_dir()) {
        return Err(not_a_folder());
    }
    if let Some(other) = shared.journal.list_watched_paths().await?.into_iter().find(|other| overlap(other, &path)) {
        return Err(Error::InsideAnother { path: other });
    }
    let index = &shared.index;
    shared.learn_rate().await;
    index.refresh(&shared.client().in_lane(Lane::Person), false).await?;
    let drive = match &draft.drive {
        Target::Existing(folder) => {
            index.folder(*folder).ok_or(Error::DriveFolderGone)?;
            Checkable::Found(*folder)
        }
        Target::New { parent, name } => {
            if let Some(parent) = parent {
                index.folder(*parent).ok_or(Error::DriveFolderGone)?;
            }
            match index.find_folder(*parent, |found| names::key(found) == names::key(name)) {
                Some(folder) => Checkable::Found(folder),
                None => Checkable::New { parent: *parent, name: name.clone() },
            }
        }
    };
    let taken = lock(&shared.watched).values().map(|watched| watched.snapshot(None)).find(|watched| match &drive {
        Checkable::Found(folder) => index.do_overlap(*folder, watched.drive_folder_id),
        Checkable::New { parent, .. } => parent.is_some_and(|parent| index.is_within(parent, watched.drive_folder_id)),
    });
    if let Some(taken) = taken {
        return Err(Error::DriveFolderTaken { path: taken.path });
    }
    let ground = LockedFolder::take(&path, &draft.choices, None, &shared.settings)
        .await
        .map_err(|need| error_of(need, &draft.path))?;
    Ok(Checked { path, ground, drive })
}

/// Begins to watch a folder.
pub(super) async fn add(shared: &Arc<Shared>, draft: &Draft) -> Result<WatchId, Error> {
    let _one_at_a_time = shared.adding.lock().await;
    let Checked { path, ground, drive } = check(shared, draft).await?;
    let drive_folder = match drive {
        Checkable::Found(folder) => folder,
        Checkable::New { parent, name } => make_folder(shared, parent, &name).await?,
    };
    let drive_path = shared.index.path_of(drive_folder).unwrap_or_default();
    let now = shared.settings.clock.now();
    let journal = &shared.journal;
    let id = journal.create_watch(&shared.connection_id, &path, drive_folder, &drive_path, &draft.choices, now).await?;
    let choices = draft.choices.clone();
    let sums = Sums::default();
    let promised = lock(&shared.promised).remove(&path);
    let (is_paused, root_identity, conflicts) = (false, None, 0);
    let watch = Watch { id, path, drive_folder, drive_path, choices, is_paused, root_identity, sums, conflicts };
    super::control::begin(shared, watch, Some(ground), promised);
    Ok(id)
}

async fn make_folder(shared: &Shared, parent: Option<FolderId>, name: &str) -> Result<FolderId, Error> {
    let key = Uuid::new_v4().to_string();
    let made = match shared.client().in_lane(Lane::Person).create_folder(name, parent, &key).await {
        Ok(made) => made.id,
        // A folder of that name is what the person wants, whoever made it.
        Err(error) if error.code() == Some(code::FOLDER_NAME_CONFLICT) => {
            let existing = error.existing_id().and_then(|id| id.parse().ok());
            existing.ok_or(error)?
        }
        Err(error) if error.code() == Some(code::FOLDER_NOT_FOUND) => return Err(Error::DriveFolderGone),
        Err(error) => return Err(error.into()),
    };
    shared.index.note_folder(made, RemoteFolder { parent, name: name.to_owned() });
    Ok(made)
}
