//! Brings files of the drive to this computer: downloaded to stay, or opened.
//!
//! Always true: no existing file is overwritten; a file appears under its name only when it is whole and checked (the
//! client sees to both); a name from the drive never leads out of the folder, and has no letters that turn others
//! round; a file that was only opened is read-only and lies in Easel's own folder; a file that could run a program is
//! never opened ([`super::programs`]). Paths stay in Rust: the page has a download's id.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use easel_client::Error as ClientError;
use easel_wire::drive::{File, FileVersion};
use easel_wire::{FileId, VersionId};
use tokio_util::sync::CancellationToken;

use super::copies;
use super::programs::{begins_as_program, could_run};
use super::reading::read_file;
use super::views::{DownloadPlace, DownloadState, DownloadView, OpenedFile};
use crate::causes;
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::data_dir::make_private_folder;
use crate::events::{DownloadChanged, Event};
use crate::messages::letters::turns_others;
use crate::messages::{self, Nameless};
use crate::problem::Problem;

/// The least time between two events of one download.
const BETWEEN_EVENTS: Duration = Duration::from_millis(200);
/// How long opened files are kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3_600);
/// The longest name, in bytes: what file systems take, with room for ` (2)`.
const MOST_NAME_BYTES: usize = 240;

#[derive(Debug)]
struct Download {
    view: DownloadView,
    path: Option<PathBuf>,
    cancel: CancellationToken,
}

/// Downloads of files. Clones are the same downloads.
#[derive(Clone)]
pub struct Downloads {
    core: Core,
    connections: Connections,
    /// The downloads since the program started.
    all: Arc<Mutex<HashMap<String, Download>>>,
    /// What was opened, by file and content, so that it is fetched once.
    opened: Arc<Mutex<HashMap<String, PathBuf>>>,
}

impl Downloads {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, all: Arc::default(), opened: Arc::default() }
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<String, Download>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, HashMap<String, PathBuf>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Downloads {
    /// Starts a download. How it goes is told by `download_changed`. Nothing where the person chose no place.
    ///
    /// # Errors
    /// `file_not_found`, what the connection's state says, or what the service answers.
    pub async fn download_file(&self, file_id: String, place: DownloadPlace) -> Result<Option<DownloadView>, Problem> {
        let id = read_file(&file_id)?;
        let desktop = &self.core.ports().desktop;
        let downloads = if place == DownloadPlace::Downloads { desktop.downloads_dir() } else { None };
        let folder = match downloads {
            Some(folder) => folder,
            None => match desktop.choose_place().await {
                Some(folder) => folder,
                None => return Ok(None),
            },
        };
        let connection = self.connections.selected()?;
        let file = self.describe_file(&connection, id).await?;
        let (view, cancel) = self.note_download(&file, &folder, None);
        let (downloads, started) = (self.clone(), view.clone());
        self.core.supervisor().spawn(async move {
            let outcome = downloads.fetch(&connection, &file, None, &folder, started, cancel).await;
            tracing::debug!(is_there = matches!(outcome, Ok(Some(_))), "a download ended");
        });
        Ok(Some(view))
    }

    /// Stops a download; what came so far is removed.
    ///
    /// # Errors
    /// `download_unknown`.
    pub async fn cancel_download(&self, download_id: String) -> Result<(), Problem> {
        let all = self.all();
        let download = all.get(&download_id).ok_or_else(unknown)?;
        download.cancel.cancel();
        Ok(())
    }

    /// Shows a downloaded file in its folder.
    ///
    /// # Errors
    /// `download_unknown` where it is not there (yet), or `place_not_shown` with what the system says.
    pub async fn reveal_download(&self, download_id: String) -> Result<(), Problem> {
        let path = self.all().get(&download_id).and_then(|download| download.path.clone());
        let path = path.filter(|path| path.exists()).ok_or_else(unknown)?;
        self.core
            .ports()
            .desktop
            .reveal(&path)
            .map_err(|error| messages::problem("place_not_shown", &[("reason", causes::io_reason(&error).as_str())]))
    }

    /// Lets files of the drive be dragged out of the window, which are on this computer because this run of Easel
    /// fetched them.
    ///
    /// # Errors
    /// `not_on_this_computer` where one of them is not, or `drag_out_not_begun`.
    pub async fn drag_files(&self, file_ids: Vec<String>) -> Result<(), Problem> {
        let find = |file_id: &String| {
            let all = self.all();
            // What a file held before is not the file.
            let paths = all.values().filter(|each| each.view.file_id == *file_id && each.view.version_id.is_none());
            paths.filter_map(|download| download.path.clone()).find(|path| path.exists())
        };
        let paths: Option<Vec<PathBuf>> = file_ids.iter().map(find).collect();
        let paths = paths.filter(|paths| !paths.is_empty());
        self.core.drag_out(paths.ok_or_else(|| messages::problem("not_on_this_computer", &[]))?).await
    }

    /// Opens a file of the drive with its program on this computer: fetches it into Easel's own folder first. Where the
    /// person stops that, nothing is opened, and where it could run a program, neither: the page asks what to do
    /// instead.
    ///
    /// # Errors
    /// `file_not_openable`, `data_unwritable`, what the connection's state says, or what the service answers.
    pub async fn open_file(&self, file_id: String) -> Result<OpenedFile, Problem> {
        let id = read_file(&file_id)?;
        let connection = self.connections.selected()?;
        let file = self.describe_file(&connection, id).await?;
        let not_opened = || OpenedFile::CouldRun { name: messages::named(&file.name, Nameless::File) };
        // Judged by the file's name here, and by the service's: nobody knows what a system makes of an odd name.
        let said = file.mime_type.as_deref();
        if could_run(&file.name, said) || could_run(&safe_name(&file.name), said) {
            return Ok(not_opened());
        }
        let changed = file.updated_at.map(|moment| moment.to_string());
        let content = file.content_hash.clone().or(changed).unwrap_or_default();
        let known = format!("{id} {content} {}", file.name);
        let before = self.opened().get(&known).cloned();
        let path = match before.filter(|path| path.exists()) {
            Some(path) => path,
            None => {
                let folder = self.core.data_dir().cache().join(uuid::Uuid::now_v7().to_string());
                make_private_folder(&folder).map_err(|error| self.core.unwritable(&error))?;
                let (view, cancel) = self.note_download(&file, &folder, None);
                let Some(path) = self.fetch(&connection, &file, None, &folder, view, cancel).await? else {
                    return Ok(OpenedFile::Stopped);
                };
                if begins_as_program(&path) {
                    // A file that stays in Easel's own folder is read-only, and is removed with the rest of it.
                    let _ = std::fs::remove_dir_all(&folder);
                    return Ok(not_opened());
                }
                make_read_only(&path);
                self.opened().insert(known, path.clone());
                path
            }
        };
        self.core.ports().desktop.open(&path).map_err(|error| {
            tracing::info!(%error, "a file could not be opened");
            messages::problem("file_not_openable", &[("name", file.name.as_str())])
        })?;
        Ok(OpenedFile::Opened)
    }

    /// The file that has the bytes of a file of the drive.
    pub(super) async fn describe_file(&self, connection: &ActiveConnection, id: FileId) -> Result<File, Problem> {
        let client = connection.ready().await?.client;
        let note = |error| self.connections.note_error(connection, &error, "");
        let file = client.get_file(id).await.map_err(note)?;
        let found = copies::with_content(&client, file).await.map_err(note)?;
        found.ok_or_else(|| messages::problem("copy_without_content", &[]))
    }

    pub(super) fn note_download(
        &self,
        file: &File,
        folder: &Path,
        version: Option<VersionId>,
    ) -> (DownloadView, CancellationToken) {
        let view = DownloadView {
            download_id: uuid::Uuid::new_v4().to_string(),
            file_id: file.id.to_string(),
            version_id: version.map(|id| id.to_string()),
            name: messages::named(&file.name, Nameless::File),
            place: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            state: DownloadState::Running,
            received_bytes: 0_u64.into(),
            size_bytes: file.size_bytes.map(Into::into),
            problem: None,
        };
        let cancel = CancellationToken::new();
        let download = Download { view: view.clone(), path: None, cancel: cancel.clone() };
        self.all().insert(view.download_id.clone(), download);
        self.tell_download(view.clone(), None);
        (view, cancel)
    }

    /// Fetches what a file holds, or held as a version, into a folder, telling the page how it goes. Nothing where the
    /// person stopped it.
    pub(super) async fn fetch(
        &self,
        connection: &ActiveConnection,
        file: &File,
        version: Option<&FileVersion>,
        folder: &Path,
        mut view: DownloadView,
        cancel: CancellationToken,
    ) -> Result<Option<PathBuf>, Problem> {
        let received = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&received);
        let destination = folder.join(safe_name(&file.name));
        let fetching = async {
            let client = connection.ready().await?.client;
            let progress = move |bytes| counted.store(bytes, Ordering::Relaxed);
            let fetched = match version {
                Some(version) => client.download_version(file.id, version, &destination, &progress).await,
                None => client.download_file(file.id, &destination, &progress).await,
            };
            fetched.map_err(|error: ClientError| self.connections.note_error(connection, &error, &file.name))
        };
        tokio::pin!(fetching);
        let mut ticks = tokio::time::interval(BETWEEN_EVENTS);
        let outcome = loop {
            tokio::select! {
                outcome = &mut fetching => break Some(outcome),
                () = cancel.cancelled() => break None,
                _ = ticks.tick() => {
                    let bytes = received.load(Ordering::Relaxed).into();
                    if view.received_bytes != bytes {
                        view.received_bytes = bytes;
                        self.tell_download(view.clone(), None);
                    }
                }
            }
        };
        match outcome {
            Some(Ok(downloaded)) => {
                view.state = DownloadState::Finished;
                view.received_bytes = downloaded.size_bytes.into();
                if let Some(name) = downloaded.path.file_name() {
                    view.name = name.to_string_lossy().into_owned();
                }
                self.tell_download(view, Some(downloaded.path.clone()));
                Ok(Some(downloaded.path))
            }
            Some(Err(problem)) => {
                view.state = DownloadState::Failed;
                view.problem = Some(problem.clone());
                self.tell_download(view, None);
                Err(problem)
            }
            None => {
                view.state = DownloadState::Canceled;
                self.tell_download(view, None);
                Ok(None)
            }
        }
    }

    fn tell_download(&self, view: DownloadView, path: Option<PathBuf>) {
        if let Some(download) = self.all().get_mut(&view.download_id) {
            download.view = view.clone();
            download.path = path;
        }
        self.core.emit(Event::DownloadChanged(DownloadChanged { download: view }));
    }

    /// Removes what was opened long ago.
    pub(crate) fn tidy_opened(&self) {
        let Ok(entries) = std::fs::read_dir(self.core.data_dir().cache()) else { return };
        for entry in entries.flatten() {
            let age = entry.metadata().and_then(|metadata| metadata.modified()).ok();
            if age.and_then(|moment| moment.elapsed().ok()).is_some_and(|age| age > KEPT) {
                // A file that is still open in a program may not be removable; the next start tries again.
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }
}

fn unknown() -> Problem {
    messages::problem("download_unknown", &[])
}

/// Makes a file read-only, so that a program says so instead of saving where nobody looks for it.
fn make_read_only(path: &Path) {
    let made = std::fs::metadata(path).map(|metadata| metadata.permissions()).and_then(|mut permissions| {
        permissions.set_readonly(true);
        std::fs::set_permissions(path, permissions)
    });
    if let Err(error) = made {
        tracing::debug!(%error, "an opened file stays writable");
    }
}

/// A name of the drive as the name of a file here: no way out of the folder, nothing that some system cannot hold.
pub(crate) fn safe_name(name: &str) -> String {
    const RESERVED: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
    let replaced: String =
        name.chars()
            .map(|letter| {
                if letter.is_control() || turns_others(letter) || r#"/\<>:"|?*"#.contains(letter) {
                    '_'
                } else {
                    letter
                }
            })
            .collect();
    let trimmed = replaced.trim_end_matches([' ', '.']).trim_start();
    let stem = trimmed.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let is_port = stem.len() == 4
        && (stem.starts_with("COM") || stem.starts_with("LPT"))
        && stem.ends_with(|last: char| last.is_ascii_digit());
    let kept = match trimmed {
        "" => "file".to_owned(),
        name if is_port || RESERVED.contains(&stem.as_str()) => format!("_{name}"),
        name => name.to_owned(),
    };
    shorten(&kept)
}

/// A name of at most [`MOST_NAME_BYTES`], with its extension.
fn shorten(name: &str) -> String {
    if name.len() <= MOST_NAME_BYTES {
        return name.to_owned();
    }
    let extension = name.rfind('.').map(|dot| &name[dot..]).filter(|extension| extension.len() <= 20);
    let extension = extension.unwrap_or_default();
    let mut end = MOST_NAME_BYTES - extension.len();
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{extension}", &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_the_drive_stays_in_its_folder() {
        let check = |name: &str, expected: &str| assert_eq!(safe_name(name), expected, "{name:?}");
        check("deck.pptx", "deck.pptx");
        check("../../etc/passwd", ".._.._etc_passwd");
        check("..", "file");
        check("", "file");
        check("C:\\evil.exe", "C__evil.exe");
        check("con.txt", "_con.txt");
        check("com1", "_com1");
        check("command.txt", "command.txt");
        check("a\nb\0c", "a_b_c");
        check("photo\u{202E}gpj.exe", "photo_gpj.exe");
        check("trailing. .", "trailing");
        check(".hidden", ".hidden");
        check("Ünï🎨.png", "Ünï🎨.png");
        for name in ["../x", "/x", "..", "a/../../b", "x".repeat(300).as_str()] {
            let joined = Path::new("/folder").join(safe_name(name));
            assert_eq!(joined.parent(), Some(Path::new("/folder")), "{name}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_extension() {
        let shortened = safe_name(&format!("{}.jpeg", "ü".repeat(200)));
        assert!(shortened.len() <= MOST_NAME_BYTES && shortened.ends_with("ü.jpeg"), "{shortened}");
    }
}
