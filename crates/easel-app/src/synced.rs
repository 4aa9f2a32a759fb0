//! Synced folders: folders of this computer that are kept in step with a folder of the drive.
//!
//! Always true: nothing is watched before the person has seen what will happen; a path is known here and shown to the
//! page as people write it; removing a folder touches no file. What is done to files, and when, is easel-sync's. Not
//! here: the folders of the drive ([`crate::folders`]), and files that are sent once ([`crate::uploads`]).

mod conflicts;
mod differences;
mod following;
mod left_out;
mod subfolders;
mod to_views;
pub(crate) mod views;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use easel_sync::Folders;
use easel_sync::folders::{Choices, Draft, Folder, Target, WatchId};

pub use self::conflicts::{
    ConflictAuthor, ConflictChoice, ConflictComparison, ConflictKeep, ConflictVersion, SyncedConflict,
};
pub use self::differences::{DifferenceLine, DifferenceRow, TextDifferences};
pub use self::subfolders::{Subfolder, Subfolders, SubfoldersOf};
pub use self::views::{
    SyncDeletions, SyncMode, SyncedChoices, SyncedDraft, SyncedFolderView, SyncedNeed, SyncedPreview, SyncedQuestion,
    SyncedSkip, SyncedSource, SyncedState, SyncedUndoing,
};

pub(crate) use self::conflicts::ConflictPicture;
pub(crate) use self::to_views::{name_of, show_path, shown};
use self::to_views::{view_folder, view_preview, view_skip};
use crate::causes;
use crate::connections::Connections;
use crate::core::Core;
use crate::drive::news::tell_drive;
use crate::drive::reading::{read_folder, read_name};
use crate::messages;
use crate::problem::Problem;
use crate::status_summary::StatusSummaries;

/// The most rows of one list.
const MOST_LISTED: u32 = 1_000;

/// Folders that a person chose or dropped in this run, by the id that the page has for each.
#[derive(Debug, Default)]
struct SyncedSources {
    paths: Mutex<HashMap<String, PathBuf>>,
}

impl SyncedSources {
    fn add(&self, path: PathBuf) -> SyncedSource {
        let source_id = uuid::Uuid::new_v4().to_string();
        let source = SyncedSource { name: name_of(&path), path: show_path(&path), source_id: source_id.clone() };
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).insert(source_id, path);
        source
    }

    fn get(&self, source_id: &str) -> Option<PathBuf> {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).get(source_id).cloned()
    }
}

/// The path of a difference that is shown as `shown`. Only where a letter was replaced for the page do the two differ.
async fn path_of_skip(folders: &Folders, id: WatchId, shown: String) -> Result<String, easel_sync::Error> {
    if !shown.contains(messages::SIGN) {
        return Ok(shown);
    }
    let mut offset = 0;
    loop {
        let notes = folders.list_skipped(id, offset, MOST_LISTED.into()).await?;
        if notes.is_empty() {
            return Ok(shown);
        }
        offset += notes.len() as u64;
        if let Some(note) = notes.into_iter().find(|note| messages::in_order(&note.path) == shown) {
            return Ok(note.path);
        }
    }
}

pub(crate) fn read_id(id: &str) -> Result<WatchId, Problem> {
    id.parse().map(WatchId).map_err(|_| messages::problem("synced_folder_unknown", &[]))
}

/// The folders of this computer that are kept in step. Clones are the same folders.
#[derive(Clone)]
pub struct SyncedFolders {
    core: Core,
    connections: Connections,
    status_summaries: StatusSummaries,
    sources: Arc<SyncedSources>,
}

impl SyncedFolders {
    pub(crate) fn new(core: Core, connections: Connections, status_summaries: StatusSummaries) -> Self {
        Self { core, connections, status_summaries, sources: Arc::default() }
    }
}

impl SyncedFolders {
    pub(crate) fn find_synced(folders: &Folders, id: WatchId) -> Result<Folder, Problem> {
        let found = folders.list().into_iter().find(|folder| folder.id == id);
        found.ok_or_else(|| messages::problem("synced_folder_unknown", &[]))
    }

    /// The synced folders of the connection in view, the oldest first.
    ///
    /// # Errors
    /// What the connection's state says.
    pub async fn list_synced_folders(&self) -> Result<Vec<SyncedFolderView>, Problem> {
        let (connection, folders) = self.connections.synced_in_view().await?;
        Ok(folders.list().iter().map(|folder| view_folder(folder, &connection.host())).collect())
    }

    /// Asks for a folder to be kept in step; nothing where the person thought better of it.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn choose_synced_source(&self) -> Result<Option<SyncedSource>, Problem> {
        Ok(self.core.ports().desktop.choose_folder().await.map(|path| self.sources.add(path)))
    }

    /// Takes one dropped folder as what is to be kept in step.
    pub(crate) fn take_synced_source(&self, paths: &[PathBuf]) -> Result<SyncedSource, Problem> {
        match paths {
            [path] if path.is_dir() => Ok(self.sources.add(path.clone())),
            [path] => Err(messages::problem("sync_not_a_folder", &[("path", name_of(path).as_str())])),
            _ => Err(messages::problem("sync_one_folder", &[])),
        }
    }

    fn read_draft(&self, draft: &SyncedDraft) -> Result<Draft, Problem> {
        let path = self.sources.get(&draft.source_id);
        let path = path.ok_or_else(|| messages::problem("sync_source_unknown", &[]))?;
        let drive = match read_folder(draft.drive_folder_id.as_deref())? {
            Some(folder) => Target::Existing(folder),
            None => Target::New {
                parent: read_folder(draft.new_in.as_deref())?,
                name: read_name(&draft.new_name)?.to_owned(),
            },
        };
        Ok(Draft { path, drive, choices: Choices::from(&draft.choices) })
    }

    /// Says what the first run of a folder would do. Both sides are looked at, and neither is changed.
    ///
    /// # Errors
    /// As [`Self::add_synced_folder`].
    pub async fn preview_synced_folder(&self, draft: SyncedDraft) -> Result<SyncedPreview, Problem> {
        let draft = self.read_draft(&draft)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        let preview = folders.preview(&draft).await.map_err(|error| connection.problem_of_sync(&error))?;
        Ok(view_preview(&preview))
    }

    /// Begins to keep a folder in step.
    ///
    /// # Errors
    /// `sync_*` by what is wrong with the folder, `name_not_usable`, `folder_not_found`, what the connection's state
    /// says, or what the service answers.
    pub async fn add_synced_folder(&self, draft: SyncedDraft) -> Result<SyncedFolderView, Problem> {
        let draft = self.read_draft(&draft)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        let id = folders.add(&draft).await.map_err(|error| connection.problem_of_sync(&error))?;
        if let Target::New { parent, .. } = draft.drive {
            tell_drive(&self.core, &connection, [parent]);
        }
        Ok(view_folder(&Self::find_synced(&folders, id)?, &connection.host()))
    }

    /// Answers what a folder asks before many deletions: to go on with them, or to keep what they would delete.
    ///
    /// # Errors
    /// As [`Self::pause_synced_folder`].
    pub async fn answer_synced_folder(&self, folder_id: String, goes_on: bool) -> Result<(), Problem> {
        let id = read_id(&folder_id)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        let answered = if goes_on { folders.consent(id).await } else { folders.decline(id).await };
        answered.map_err(|error| connection.problem_of_sync(&error))
    }

    /// Changes what was chosen for a folder. Nothing is sent or deleted by the change itself.
    ///
    /// # Errors
    /// As [`Self::pause_synced_folder`], and `sync_pattern_refused`.
    pub async fn change_synced_folder(&self, folder_id: String, choices: SyncedChoices) -> Result<(), Problem> {
        let id = read_id(&folder_id)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        folders.change(id, Choices::from(&choices)).await.map_err(|error| connection.problem_of_sync(&error))
    }

    /// Asks where a folder is that cannot be found, and goes on with it there; `false` where the person thought better
    /// of it.
    ///
    /// # Errors
    /// As [`Self::pause_synced_folder`], and `sync_*` by what is wrong with what was chosen: then nothing has changed.
    pub async fn relocate_synced_folder(&self, folder_id: String) -> Result<bool, Problem> {
        let id = read_id(&folder_id)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        Self::find_synced(&folders, id)?;
        let Some(path) = self.core.ports().desktop.choose_folder().await else { return Ok(false) };
        folders.relocate(id, path).await.map_err(|error| connection.problem_of_sync(&error))?;
        Ok(true)
    }

    /// Opens a synced folder on this computer.
    ///
    /// # Errors
    /// `synced_folder_unknown`, or `place_not_shown` with what the system says.
    pub async fn open_synced_folder(&self, folder_id: String) -> Result<(), Problem> {
        let (_, folders) = self.connections.synced_in_view().await?;
        let folder = Self::find_synced(&folders, read_id(&folder_id)?)?;
        self.show_place(&folder.path)
    }

    fn show_place(&self, path: &Path) -> Result<(), Problem> {
        let shown = self.core.ports().desktop.open(path);
        shown.map_err(|error| messages::problem("place_not_shown", &[("reason", causes::io_reason(&error).as_str())]))
    }

    /// Sends a file again that was deleted in the drive and kept here.
    ///
    /// # Errors
    /// As [`Self::pause_synced_folder`].
    pub async fn send_synced_file_again(&self, folder_id: String, path: String) -> Result<(), Problem> {
        let id = read_id(&folder_id)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        let path = path_of_skip(&folders, id, path).await.map_err(|error| connection.problem_of_sync(&error))?;
        folders.send_again(id, &path).await.map_err(|error| connection.problem_of_sync(&error))
    }

    /// A part of what is not the same on both sides, in the order of the paths.
    ///
    /// # Errors
    /// As [`Self::pause_synced_folder`].
    pub async fn list_synced_skips(
        &self,
        folder_id: String,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<SyncedSkip>, Problem> {
        let id = read_id(&folder_id)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        let limit = limit.min(MOST_LISTED);
        let notes = folders.list_skipped(id, offset.into(), limit.into()).await;
        Ok(notes.map_err(|error| connection.problem_of_sync(&error))?.iter().map(view_skip).collect())
    }
}

/// A command that asks one thing of one folder.
macro_rules! commands_for_one {
    ($($(#[doc = $doc:literal])+ $command:ident => $method:ident;)+) => {
        impl SyncedFolders {
            $(
                $(#[doc = $doc])+
                ///
                /// # Errors
                /// `synced_folder_unknown`, what the connection's state says, or what is the matter with the journal.
                pub async fn $command(&self, folder_id: String) -> Result<(), Problem> {
                    let id = read_id(&folder_id)?;
                    let (connection, folders) = self.connections.synced_in_view().await?;
                    folders.$method(id).await.map_err(|error| connection.problem_of_sync(&error))
                }
            )+
        }
    };
}

commands_for_one! {
    /// Stops a folder for now.
    pause_synced_folder => pause;
    /// Lets a folder go on.
    resume_synced_folder => resume;
    /// Looks at both sides of a folder now.
    look_again_at_synced_folder => look_again;
    /// Stops keeping a folder in step. No file is touched on either side.
    remove_synced_folder => remove;
}

/// A command that asks one thing of all folders.
macro_rules! commands_for_all {
    ($($(#[doc = $doc:literal])+ $command:ident => $method:ident;)+) => {
        impl SyncedFolders {
            $(
                $(#[doc = $doc])+
                ///
                /// # Errors
                /// What the connection's state says, or what is the matter with the journal.
                pub async fn $command(&self) -> Result<(), Problem> {
                    let (connection, folders) = self.connections.synced_in_view().await?;
                    folders.$method().await.map_err(|error| connection.problem_of_sync(&error))
                }
            )+
        }
    };
}

commands_for_all! {
    /// Stops every folder for now.
    pause_all_synced_folders => pause_all;
    /// Lets every folder go on.
    resume_all_synced_folders => resume_all;
}
