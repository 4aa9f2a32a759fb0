//! Backups of the built-in studio: taken into a folder that a person chooses, and restored from there.
//!
//! Always true: the studio's own command line does the work (`backup`, `restore`, `verify`), one command at a time,
//! while the studio runs; a restore makes a folder beside the studio's, which is verified whole before it takes its
//! place; the folder of before is kept under a name of its own, and a failure leaves everything as it was
//! (`replacing`). Not here: the layout of a backup (easel-studio), and what synced folders ask when the drive went back
//! (easel-sync).

mod commands;
mod figures;
mod replacing;
pub(crate) mod views;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use easel_client::{Client, Error as ClientError, PageRequest, Place};
use serde::{Deserialize, Serialize};

use self::commands::Outcome;
use self::figures::{BackupFolder, Listed};
pub use self::views::{
    BackupPlace, BackupProgress, BackupStage, BackupView, BackupsView, StudioFigures, StudioRestored,
};
use crate::causes;
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::data_dir::{read_json, write_json};
use crate::drive::news::tell_drive;
use crate::events::{BackupMoved, DesignsChanged, Event, TasksChanged};
use crate::messages;
use crate::problem::Problem;
use crate::synced::show_path;

/// A folder that does not answer for so long is taken for out of reach.
const LISTING_LIMIT: Duration = Duration::from_secs(5);

/// Designs in one request.
const PAGE: u16 = 200;

/// What the file has.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredSettings {
    folder: Option<PathBuf>,
}

/// Backups of the built-in studio. Clones are the same ones.
#[derive(Clone)]
pub struct Backups {
    core: Core,
    connections: Connections,
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    kept: Mutex<StoredSettings>,
    under_way: Mutex<Option<BackupProgress>>,
    /// Held while a backup is taken or restored.
    alone: tokio::sync::Mutex<()>,
}

impl Backups {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, inner: Arc::default() }
    }

    /// Reads the files of the last run, and finishes or undoes a restore that it left half done. Called before the
    /// studio is started.
    pub(crate) fn begin_backups(&self) -> std::io::Result<()> {
        let data_dir = self.core.data_dir();
        match read_json::<StoredSettings>(&data_dir.backups()) {
            Ok(Some(kept)) => *self.inner.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept,
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "where backups go cannot be read"),
        }
        replacing::settle_interrupted(data_dir.root(), &data_dir.studio())
    }

    fn folder(&self) -> Option<BackupFolder> {
        let kept = self.inner.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.folder.clone().map(BackupFolder::at)
    }

    /// Everything about backups of the built-in studio.
    ///
    /// # Errors
    /// `local_studio_missing`.
    pub async fn get_backups(&self) -> Result<BackupsView, Problem> {
        self.connections.local()?;
        let place = match self.folder() {
            Some(folder) => Some(view_place(folder).await),
            None => None,
        };
        let under_way = *self.inner.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(BackupsView { now: self.count().await, place, under_way })
    }

    /// Asks for the folder that backups go to, or that has some; `false` where the person thought better of it.
    ///
    /// # Errors
    /// `backup_folder_inside` where it lies in Easel's own; `data_unwritable`.
    pub async fn choose_backup_folder(&self) -> Result<bool, Problem> {
        let Some(chosen) = self.core.ports().desktop.choose_place().await else { return Ok(false) };
        let folder = BackupFolder::in_chosen(chosen.canonicalize().unwrap_or_else(|_| chosen.clone()));
        let own = self.core.data_dir().root().canonicalize();
        if own.is_ok_and(|own| folder.path().starts_with(&own) || own.starts_with(folder.path())) {
            return Err(messages::problem("backup_folder_inside", &[("place", show_path(&chosen).as_str())]));
        }
        let kept = StoredSettings { folder: Some(folder.path().to_owned()) };
        write_json(&self.core.data_dir().backups(), &kept).map_err(|error| self.core.unwritable(&error))?;
        *self.inner.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(true)
    }

    /// Copies everything of the built-in studio into the chosen folder. What is there from the last time is not copied
    /// again.
    ///
    /// # Errors
    /// `backup_under_way`, `backup_folder_missing`, `local_studio_missing`; `backup_failed`; `backup_incomplete` where
    /// some contents are damaged here: then there is a backup without them.
    pub async fn back_up_studio(&self) -> Result<(), Problem> {
        let _alone = self.inner.alone.try_lock().map_err(|_| messages::problem("backup_under_way", &[]))?;
        let _ends = Ends(self);
        self.connections.local()?;
        let folder = self.folder().ok_or_else(|| messages::problem("backup_folder_missing", &[]))?;
        let figures = self.count().await;
        let outcome = {
            let _in_place = self.connections.hold_studio_in_place().await;
            let arguments = ["backup".into(), folder.path().into(), "--copy".into(), "--json".into()];
            self.run(BackupStage::BackingUp, &self.core.data_dir().studio(), arguments.into()).await?
        };
        let faults = outcome.faults();
        let Outcome::Done { database, .. } = outcome else {
            return Err(failed("backup_failed", outcome.reason()));
        };
        if let Some(figures) = figures
            && let Err(error) = folder.note_figures(&database, figures)
        {
            tracing::warn!(%error, "what is in a backup could not be noted");
        }
        match faults {
            0 => Ok(()),
            count => Err(messages::problem("backup_incomplete", &[("count", messages::items(count).as_str())])),
        }
    }

    /// Brings the built-in studio back to a backup. What is there now is kept beside it. `with_gaps` goes on where
    /// contents of the backup are missing or damaged.
    ///
    /// # Errors
    /// `backup_under_way`, `backup_folder_missing`, `local_studio_missing`; `backup_has_gaps`, `backup_not_usable`,
    /// `restore_failed`. After each of these everything is as it was.
    pub async fn restore_studio(&self, backup_id: String, with_gaps: bool) -> Result<StudioRestored, Problem> {
        let _alone = self.inner.alone.try_lock().map_err(|_| messages::problem("backup_under_way", &[]))?;
        let _ends = Ends(self);
        let connection = self.connections.local()?;
        let folder = self.folder().ok_or_else(|| messages::problem("backup_folder_missing", &[]))?;
        let data_dir = self.core.data_dir();
        let ways = replacing::Ways::new(data_dir.root(), data_dir.studio());
        let copied = self.copy_back(&folder, &backup_id, &ways.coming, with_gaps).await;
        let replaced = match copied {
            Ok(()) => self.replace(&ways).await,
            Err(problem) => Err(problem),
        };
        if let Err(problem) = replaced {
            replacing::discard(&ways.coming).await;
            return Err(problem);
        }
        self.connections.reopen(&connection).await;
        self.tell_everything_changed(&connection).await;
        Ok(StudioRestored { kept_at: show_path(&ways.aside) })
    }

    /// Makes `coming` of a backup, and looks at all of it.
    async fn copy_back(
        &self,
        folder: &BackupFolder,
        backup_id: &str,
        coming: &Path,
        with_gaps: bool,
    ) -> Result<(), Problem> {
        let arguments =
            ["restore".into(), folder.path().into(), "--at".into(), backup_id.into(), "--json".into()].into();
        let restored = self.run(BackupStage::Restoring, coming, arguments).await?;
        if !matches!(restored, Outcome::Done { .. }) {
            return Err(failed("restore_failed", restored.reason()));
        }
        let looked = self.run(BackupStage::Verifying, coming, ["verify".into(), "--json".into()].into()).await?;
        match &looked {
            Outcome::Done { .. } if looked.is_unusable() => Err(messages::problem("backup_not_usable", &[])),
            Outcome::Done { .. } => match looked.faults() {
                count if count > 0 && !with_gaps => {
                    Err(messages::problem("backup_has_gaps", &[("count", messages::items(count).as_str())]))
                }
                _ => Ok(()),
            },
            Outcome::Failed { .. } => Err(failed("restore_failed", looked.reason())),
        }
    }

    /// Starts the studio with the restored folder, or with the one of before if it does not start with that.
    async fn replace(&self, ways: &replacing::Ways) -> Result<(), Problem> {
        let _at_rest = self.connections.hold_studio_at_rest().await;
        let studio = &self.core.ports().studio;
        studio.stop().await;
        let reason = match ways.bring_in() {
            Ok(()) => match studio.start().await {
                Ok(_) => return Ok(()),
                Err(error) => {
                    studio.stop().await;
                    if let Err(error) = ways.bring_back() {
                        tracing::error!(%error, "what the studio had could not be put back");
                    }
                    causes::of_local(&error).detail
                }
            },
            Err(error) => causes::io_reason(&error),
        };
        if let Err(error) = studio.start().await {
            tracing::warn!(%error, "the studio does not start again after a restore that failed");
        }
        Err(failed("restore_failed", &reason))
    }

    /// Every list that the page has is another one now.
    async fn tell_everything_changed(&self, connection: &ActiveConnection) {
        if let Some(session) = connection.session()
            && let Err(error) = connection.folders.load(&session.client).await
        {
            tracing::debug!(%error, "the folders of the restored drive are not known yet");
        }
        tell_drive(&self.core, connection, [None]);
        let connection_id = connection.id.clone();
        self.core
            .emit(Event::DesignsChanged(DesignsChanged { connection_id: connection_id.clone(), design_ids: vec![] }));
        self.core.emit(Event::TasksChanged(TasksChanged { connection_id, changed: vec![], list_again: true }));
    }

    /// What the studio has now.
    async fn count(&self) -> Option<StudioFigures> {
        let session = self.connections.local().ok()?.session()?;
        let one = PageRequest { limit: Some(1), ..PageRequest::default() };
        let files = session.client.list_files(&Place::Everywhere, &one).await.ok()?.total?;
        let designs = count_designs(&session.client).await.ok()?;
        let bytes = {
            let _in_place = self.connections.hold_studio_in_place().await;
            commands::count_bytes(self.core.ports().studio.as_ref(), &self.core.data_dir().studio()).await?
        };
        Some(StudioFigures { files: files.into(), designs: designs.into(), bytes: bytes.into() })
    }

    async fn run(
        &self,
        stage: BackupStage,
        data: &Path,
        arguments: Vec<std::ffi::OsString>,
    ) -> Result<Outcome, Problem> {
        let mut told = |done: u64, total: u64, bytes: u64| {
            self.tell(Some(BackupProgress { stage, done: done.into(), total: total.into(), bytes: bytes.into() }));
        };
        told(0, 0, 0);
        let ended = commands::run(self.core.ports().studio.as_ref(), data, arguments, &mut told).await;
        ended.map_err(|error| causes::of_local(&error))
    }

    fn tell(&self, under_way: Option<BackupProgress>) {
        *self.inner.under_way.lock().unwrap_or_else(PoisonError::into_inner) = under_way;
        self.core.emit(Event::BackupMoved(BackupMoved { under_way }));
    }
}

/// However a backup or a restore ends, the page hears of it.
struct Ends<'a>(&'a Backups);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.tell(None);
    }
}

/// The problem of a failed command, with the reason as a part of a sentence.
fn failed(code: &str, reason: &str) -> Problem {
    messages::problem(code, &[("reason", reason.trim_end_matches('.'))])
}

/// Lists of designs do not say how long they are.
async fn count_designs(client: &Client) -> Result<u64, ClientError> {
    let mut designs = 0;
    let mut request = Some(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
    while let Some(asked) = request {
        let page = client.list_canvases(&Place::Everywhere, &asked).await?;
        request = asked.after(&page);
        designs += page.items.len() as u64;
    }
    Ok(designs)
}

async fn view_place(folder: BackupFolder) -> BackupPlace {
    let path = show_path(folder.path());
    let listed = tokio::task::spawn_blocking(move || folder.list());
    let listed = match tokio::time::timeout(LISTING_LIMIT, listed).await {
        Ok(Ok(Ok(listed))) => Some(listed),
        _ => None,
    };
    let view = |Listed { name, made_at, figures }| BackupView { id: name, made_at: made_at.to_string(), figures };
    BackupPlace {
        path,
        is_reachable: listed.is_some(),
        backups: listed.unwrap_or_default().into_iter().map(view).collect(),
    }
}
