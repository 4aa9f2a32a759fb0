//! Versions of a file, which are its earlier contents: listed, looked at, saved beside it, and restored.
//!
//! Always true: whether a service keeps versions is known from its answers; restoring a version takes nothing away,
//! because the content of before becomes a version, which is named in the answer so that the restoring can be undone; a
//! changed file is told by event. Not here: giving a file new content (easel-sync), and versions of a design
//! (`designs/versions`).

use std::path::PathBuf;
use std::sync::Arc;

use easel_client::{Error as ClientError, Feature};
use easel_wire::drive::{File, FileVersion};
use easel_wire::{FileId, Timestamp, VersionId};
use serde::{Deserialize, Serialize};

use super::Drive;
use super::downloads::safe_name;
use super::looks::{FileText, MOST_TEXT_BYTES, is_text};
use super::news::tell_drive;
use super::reading::{newcomer, read_file, read_version};
use super::views::{DownloadView, DriveItem};
use crate::connections::active_connection::ActiveConnection;
use crate::media::addresses;
use crate::messages;
use crate::number::WholeNumber;
use crate::problem::Problem;

/// The earlier contents of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileVersionList {
    /// The connection that was asked.
    pub connection_id: String,
    /// The file.
    pub file_id: String,
    /// All that the service keeps, the newest first.
    pub versions: Vec<FileVersionView>,
}

/// An earlier content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileVersionView {
    /// Its id.
    pub id: String,
    /// Its size.
    pub size_bytes: Option<WholeNumber>,
    /// Its type.
    pub mime_type: Option<String>,
    /// `sha256:` and 64 hex digits, where the service says.
    pub content_hash: Option<String>,
    /// When it became the file's content, RFC 3339.
    pub created_at: Option<String>,
    /// Who gave the file this content, by name.
    pub created_by: Option<String>,
    /// Whether that is the person at this computer.
    pub created_by_you: bool,
    /// When other content took its place, RFC 3339.
    pub replaced_at: Option<String>,
    /// What it looks like, where it is a picture: an address of the app's own protocol.
    pub picture: Option<String>,
    /// It is a text, as far as name and type say, and can be asked for with `get_version_text`.
    pub is_text: bool,
}

/// What came of restoring a version of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileVersionRestored {
    /// The file as it is now.
    pub item: DriveItem,
    /// The version that the file's content of before has become; `null` where it was the same content, or the service does not
    /// tell.
    pub undo_version_id: Option<String>,
    /// The earlier contents that there are now, the newest first.
    pub versions: Vec<FileVersionView>,
}

impl Drive {
    /// The earlier contents of a file, the newest first.
    ///
    /// # Errors
    /// `not_offered` where the service keeps none, `file_not_found`, what the connection's state says, or what the service
    /// answers.
    pub async fn list_file_versions(&self, file_id: String) -> Result<FileVersionList, Problem> {
        let id = read_file(&file_id)?;
        let connection = self.connections.selected()?;
        let (file, versions) = self.read_versions(&connection, id).await?;
        self.connections.note_answer(&connection);
        let versions = view_all(&connection, &file, &versions);
        Ok(FileVersionList { connection_id: connection.id.clone(), file_id: id.to_string(), versions })
    }

    /// What an earlier content says, to a bound; nothing where it is no text.
    ///
    /// # Errors
    /// As [`Self::list_file_versions`], and `version_not_found`.
    pub async fn get_version_text(&self, file_id: String, version_id: String) -> Result<Option<FileText>, Problem> {
        let (id, version) = (read_file(&file_id)?, read_version(&version_id)?);
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let fetched = client.fetch_beginning_of_version(id, version, MOST_TEXT_BYTES).await;
        let (bytes, is_whole) = fetched.map_err(|error| self.note_versions_error(&connection, &error))?;
        Ok(FileText::read(&bytes, is_whole))
    }

    /// Makes a version the content of its file again. What the file held until then becomes a version.
    ///
    /// # Errors
    /// As [`Self::list_file_versions`], and `version_not_found` where there is no such version (any more).
    pub async fn restore_file_version(
        &self,
        file_id: String,
        version_id: String,
    ) -> Result<FileVersionRestored, Problem> {
        let (id, version) = (read_file(&file_id)?, read_version(&version_id)?);
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let note = |error| self.note_versions_error(&connection, &error);
        let before = client.list_versions(id).await.map_err(note)?;
        let version = find(&before, version)?;
        let file = client.restore_version(id, version).await.map_err(note)?;
        tell_drive(&self.core, &connection, [file.folder_id.flatten()]);
        // The version is restored, whether the present list can be read or not.
        let after = client.list_versions(id).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "the versions of a file cannot be told after one was restored");
            Vec::new()
        });
        Ok(FileVersionRestored {
            undo_version_id: newcomer(before.iter().map(|old| old.id), after.iter().map(|new| new.id)),
            versions: view_all(&connection, &file, &after),
            item: DriveItem::of_file(&connection, &file, None),
        })
    }

    /// Saves a version where the person says, under a name that nothing has. How it goes is told by `download_changed`. Nothing
    /// where the person chose no place.
    ///
    /// # Errors
    /// As [`Self::restore_file_version`].
    pub async fn save_file_version(
        &self,
        file_id: String,
        version_id: String,
    ) -> Result<Option<DownloadView>, Problem> {
        let (id, version) = (read_file(&file_id)?, read_version(&version_id)?);
        let connection = self.connections.selected()?;
        let (file, versions) = self.read_versions(&connection, id).await?;
        let version = find(&versions, version)?.clone();
        let suggested = name_of_copy(&safe_name(&file.name), version.created_at, &jiff::tz::TimeZone::system());
        let chosen = self.core.ports().desktop.choose_file_to_save(&suggested).await;
        let place = chosen.and_then(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((path.parent()?.to_owned(), name))
        });
        let Some((folder, name)) = place else { return Ok(None) };
        Ok(Some(self.begin_saving(connection, File { name, size_bytes: version.size_bytes, ..file }, version, folder)))
    }

    /// A file and its versions, the newest first. Read one after the other: if the service keeps none, the file need
    /// not be read.
    async fn read_versions(
        &self,
        connection: &ActiveConnection,
        id: FileId,
    ) -> Result<(File, Vec<FileVersion>), Problem> {
        let client = connection.ready().await?.client;
        let note = |error| self.note_versions_error(connection, &error);
        let versions = client.list_versions(id).await.map_err(note)?;
        Ok((client.get_file(id).await.map_err(note)?, versions))
    }

    fn begin_saving(
        &self,
        connection: Arc<ActiveConnection>,
        file: File,
        version: FileVersion,
        folder: PathBuf,
    ) -> DownloadView {
        let (view, cancel) = self.downloads.note_download(&file, &folder, Some(version.id));
        let (drive, started) = (self.clone(), view.clone());
        self.core.supervisor().spawn(async move {
            let outcome = drive.downloads.fetch(&connection, &file, Some(&version), &folder, started, cancel).await;
            tracing::debug!(is_there = matches!(outcome, Ok(Some(_))), "a version was saved");
        });
        view
    }

    fn note_versions_error(&self, connection: &ActiveConnection, error: &ClientError) -> Problem {
        self.connections.note_error_of(connection, error, Some(Feature::FileVersions))
    }
}

fn find(versions: &[FileVersion], id: VersionId) -> Result<&FileVersion, Problem> {
    versions.iter().find(|each| each.id == id).ok_or_else(|| messages::problem("version_not_found", &[]))
}

fn view_all(connection: &ActiveConnection, file: &File, versions: &[FileVersion]) -> Vec<FileVersionView> {
    versions.iter().map(|version| FileVersionView::of(connection, file, version)).collect()
}

impl FileVersionView {
    fn of(connection: &ActiveConnection, file: &File, version: &FileVersion) -> Self {
        let (created_by, created_by_you) = connection.view_person(version.created_by.as_ref());
        Self {
            id: version.id.to_string(),
            size_bytes: version.size_bytes.map(Into::into),
            mime_type: version.mime_type.clone(),
            content_hash: version.content_hash.clone(),
            created_at: version.created_at.map(|moment| moment.to_string()),
            created_by,
            created_by_you,
            replaced_at: version.replaced_at.map(|moment| moment.to_string()),
            picture: addresses::preview_of_version(&connection.id, file, version),
            is_text: is_text(&file.name, version.mime_type.as_deref()),
        }
    }
}

/// The suggested name of a saved version: its file's, and the moment since which it was the content.
fn name_of_copy(name: &str, since: Option<Timestamp>, zone: &jiff::tz::TimeZone) -> String {
    let Some(since) = since else { return name.to_owned() };
    let since = jiff::Timestamp::from(since).to_zoned(zone.clone()).strftime("%Y-%m-%d %H-%M").to_string();
    let dot = name.rfind('.').filter(|dot| *dot > 0).unwrap_or(name.len());
    format!("{} ({since}){}", &name[..dot], &name[dot..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_version_is_named_after_its_file_and_its_moment() {
        let since: Timestamp = "2026-11-20T13:05:09+00:00".parse().unwrap();
        let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(1));
        let check = |name: &str, expected: &str| assert_eq!(name_of_copy(name, Some(since), &zone), expected);
        check("plan.txt", "plan (2026-11-20 14-05).txt");
        check("archive.tar.gz", "archive.tar (2026-11-20 14-05).gz");
        check("notes", "notes (2026-11-20 14-05)");
        check(".hidden", ".hidden (2026-11-20 14-05)");
        assert_eq!(name_of_copy("plan.txt", None, &zone), "plan.txt");
    }
}
