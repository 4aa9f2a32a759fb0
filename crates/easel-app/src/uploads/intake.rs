//! The ways by which files come in: chosen, pasted, and what they have in common with those that are dropped
//! (`dropped`).
//!
//! Always true: paths stay in Rust; what is skipped is named with its reason, and the rest is taken.

use std::path::PathBuf;

use super::Uploads;
use super::skipping::{leave_out_refused, name_skipped};
use super::views::FilesTaken;
use crate::causes;
use crate::drive::reading::read_folder;
use crate::kept_files::keep_picture;
use crate::messages;
use crate::ports::Pasted;
use crate::problem::Problem;

impl Uploads {
    /// Asks for files and puts them in the drive; nothing where the person thought better of it.
    ///
    /// # Errors
    /// What the connection's state says, or what is the matter with the journal.
    pub async fn choose_files(&self, folder_id: Option<String>) -> Result<Option<FilesTaken>, Problem> {
        match self.core.ports().desktop.choose_files().await {
            Some(paths) => self.take_files(paths, folder_id.as_deref()).await.map(Some),
            None => Ok(None),
        }
    }

    /// Asks for a folder and puts it in the drive, whole.
    ///
    /// # Errors
    /// What the connection's state says, or what is the matter with the journal.
    pub async fn choose_folder(&self, folder_id: Option<String>) -> Result<Option<FilesTaken>, Problem> {
        match self.core.ports().desktop.choose_folder().await {
            Some(path) => self.take_files(vec![path], folder_id.as_deref()).await.map(Some),
            None => Ok(None),
        }
    }

    /// Puts the files or the picture in the clipboard in the drive; nothing where it holds neither.
    ///
    /// # Errors
    /// `clipboard_unavailable`, `data_unwritable`, what the connection's state says, or what is the matter with the
    /// journal.
    pub async fn paste_files(&self, folder_id: Option<String>) -> Result<Option<FilesTaken>, Problem> {
        let pasted = self.core.ports().desktop.paste().await.map_err(|error| {
            tracing::warn!(%error, "the clipboard cannot be read");
            messages::problem("clipboard_unavailable", &[])
        })?;
        let paths = match pasted {
            Pasted::Files(paths) => paths,
            Pasted::Picture(png) => {
                let now = jiff::Zoned::now().strftime("%Y-%m-%d %H.%M.%S").to_string();
                let name = format!("Pasted picture {now}.png");
                let kept = keep_picture(&self.core.data_dir().pasted(), &name, png).await;
                vec![kept.map_err(|error| self.core.unwritable(&error))?]
            }
            Pasted::Nothing => return Ok(None),
        };
        self.take_files(paths, folder_id.as_deref()).await.map(Some)
    }

    /// Takes files and folders into the queue of the connection in view.
    pub(super) async fn take_files(&self, paths: Vec<PathBuf>, folder_id: Option<&str>) -> Result<FilesTaken, Problem> {
        let folder = read_folder(folder_id)?;
        let session = self.connections.selected()?.ready().await?;
        let (paths, mut skipped) = leave_out_refused(&session.client, paths).await;
        if paths.is_empty() {
            return Ok(FilesTaken { accepted: 0_u64.into(), skipped });
        }
        let taken = session.queue.enqueue(paths, folder).await.map_err(|error| causes::of_sync(&error))?;
        skipped.extend(name_skipped(&taken.skipped));
        Ok(FilesTaken { accepted: taken.accepted.len().into(), skipped })
    }
}
