//! Pictures for the page: thumbnails of designs and previews of files, fetched and kept here, shown through the app's own
//! protocol, because the page itself loads nothing from outside.
//!
//! Always true: the page has an address without a secret in it; the signed address that it stands for lives in memory only;
//! what was fetched is kept in Easel's own folder, within a bound, and is fetched again when it is gone. Not here: drawing,
//! and the protocol itself (the shell).

mod cache;
mod pages;
mod versions;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Lane, PageRequest, Picture, Place};
use easel_wire::canvases::Canvas;
use easel_wire::drive::File;
use easel_wire::{CanvasId, FileId, TaskId, Timestamp, VersionId};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use self::cache::Cache;
use self::pages::Pages;
pub(crate) use self::versions::{address_of_design_version, preview_of_version};
use crate::app::App;
use crate::connections::live::Live;
use crate::links;

/// The name of the app's own protocol.
pub const SCHEME: &str = "easel-media";
/// How the page's engine spells an address of that protocol.
const ORIGIN: &str =
    if cfg!(any(windows, target_os = "android")) { "http://easel-media.localhost" } else { "easel-media://localhost" };

/// Begins the path of an address that stands for a file of this computer, which is read each time and kept nowhere.
const CONFLICT: &str = "/conflict/";

/// The largest picture that is kept: a thumbnail is some kilobytes, a photograph some megabytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Types of pictures that every engine shows.
const SHOWN: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];
/// Pictures that are fetched at the same time.
const AT_ONCE: usize = 6;
/// Signed addresses that are remembered.
const MOST_ADDRESSES: usize = 5_000;
/// How often the newest designs are asked for their addresses, at most.
const BETWEEN_LISTS: Duration = Duration::from_secs(10);

/// The page's address of a design's thumbnail. It changes with the design, so that nothing outdated is shown.
pub(crate) fn address_of_design(connection_id: &str, canvas: CanvasId, changed: Option<Timestamp>) -> String {
    let version = changed.map_or(0, Timestamp::as_micros);
    format!("{ORIGIN}/design/{connection_id}/{}/{version}", links::in_a_path(&canvas.text()))
}

/// The page's address of a picture of one page of a design, from 1. It changes with the design.
pub(crate) fn address_of_page(connection_id: &str, canvas: CanvasId, changed: Option<Timestamp>, page: u32) -> String {
    let version = changed.map_or(0, Timestamp::as_micros);
    format!("{ORIGIN}/page/{connection_id}/{}/{version}/{page}", links::in_a_path(&canvas.text()))
}

/// The page's address of a picture of one page of a design that is being made, from 1. It changes with the picture.
pub(crate) fn address_of_draft(connection_id: &str, task: TaskId, revision: u64, page: u32) -> String {
    format!("{ORIGIN}/draft/{connection_id}/{}/{revision}/{page}", links::in_a_path(&task.text()))
}

/// The page's address of a picture in the drive. It changes with the file, which may get new content under its id.
pub(crate) fn address_of_file(connection_id: &str, file: FileId, changed: Option<Timestamp>) -> String {
    let version = changed.map_or(0, Timestamp::as_micros);
    format!("{ORIGIN}/file/{connection_id}/{}/{version}", links::in_a_path(&file.text()))
}

/// The page's address of what a file of the drive looks like; `None` where it is no picture that every engine shows, or is
/// too large for one.
pub(crate) fn preview_of_file(connection_id: &str, file: &File) -> Option<String> {
    let has_preview = is_shown(file.mime_type.as_deref(), file.size_bytes);
    has_preview.then(|| address_of_file(connection_id, file.id, file.updated_at))
}

/// Whether a content of this type and size, in bytes, is a picture that every engine shows, and no larger than is kept.
fn is_shown(mime_type: Option<&str>, size_bytes: Option<u64>) -> bool {
    mime_type.is_some_and(|mime| SHOWN.contains(&mime)) && size_bytes.is_some_and(|size| size <= MOST_BYTES as u64)
}

/// The page's address of a version of a file on this computer, by what names it. It changes with the file.
pub(crate) fn address_of_conflict(names: &str) -> String {
    format!("{ORIGIN}{CONFLICT}{names}")
}

/// The type of a picture that every engine shows, by its name, as long as it is no larger than one may be.
pub(crate) fn type_by_name(name: &str, size_bytes: u64) -> Option<&'static str> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let mime_type = match ending.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    is_shown(Some(mime_type), Some(size_bytes)).then_some(mime_type)
}

/// What an address of the page stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted<'a> {
    Design {
        connection: &'a str,
        canvas: CanvasId,
        version: &'a str,
    },
    Page {
        connection: &'a str,
        canvas: CanvasId,
        version: &'a str,
        page: u32,
    },
    File {
        connection: &'a str,
        file: FileId,
        version: &'a str,
    },
    /// An earlier content of a file, which never changes.
    FileVersion {
        connection: &'a str,
        file: FileId,
        id: VersionId,
    },
    /// An earlier drawing of a design, which never changes.
    DesignVersion {
        connection: &'a str,
        canvas: CanvasId,
        id: VersionId,
    },
    /// In memory alone, as long as the design is made.
    Draft {
        connection: &'a str,
        task: TaskId,
        revision: u64,
        page: u32,
    },
}

impl<'a> Wanted<'a> {
    /// Reads the path of an address; `None` for one that was never given out.
    fn read(path: &'a str) -> Option<Self> {
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match parts.as_slice() {
            ["design", connection, canvas, version] if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(Self::Design { connection, canvas: links::id_in_a_path(canvas)?, version })
            }
            ["page", connection, canvas, version, page] if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                let page = page.parse().ok().filter(|page| (1..=pages::MOST_PAGES).contains(page))?;
                Some(Self::Page { connection, canvas: links::id_in_a_path(canvas)?, version, page })
            }
            ["file", connection, file, version] if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(Self::File { connection, file: links::id_in_a_path(file)?, version })
            }
            ["file-version", connection, file, id] => {
                Some(Self::FileVersion { connection, file: links::id_in_a_path(file)?, id: links::id_in_a_path(id)? })
            }
            ["design-version", connection, canvas, id] => Some(Self::DesignVersion {
                connection,
                canvas: links::id_in_a_path(canvas)?,
                id: links::id_in_a_path(id)?,
            }),
            ["draft", connection, task, revision, page] => Some(Self::Draft {
                connection,
                task: links::id_in_a_path(task)?,
                revision: revision.parse().ok()?,
                page: page.parse().ok()?,
            }),
            _ => None,
        }
    }

    /// The name that the picture is kept under: of letters that every file system takes.
    fn key(&self) -> String {
        match self {
            Self::Design { connection, canvas, version } => format!("{connection}_{canvas}_{version}"),
            Self::Page { connection, canvas, version, page } => format!("{connection}_{canvas}_{version}_{page}"),
            Self::File { connection, file, version } => format!("{connection}_{file}_{version}"),
            Self::FileVersion { connection, file, id } => format!("{connection}_{file}_{id}"),
            Self::DesignVersion { connection, canvas, id } => format!("{connection}_{canvas}_{id}"),
            Self::Draft { connection, task, revision, page } => format!("{connection}_{task}_{revision}_{page}"),
        }
    }

    const fn connection(&self) -> &'a str {
        match self {
            Self::Design { connection, .. }
            | Self::Page { connection, .. }
            | Self::File { connection, .. }
            | Self::FileVersion { connection, .. }
            | Self::DesignVersion { connection, .. }
            | Self::Draft { connection, .. } => connection,
        }
    }
}

/// What is known of pictures.
#[derive(Debug)]
pub(crate) struct Media {
    cache: Cache,
    /// Of thumbnails.
    addresses: Addresses<CanvasId>,
    /// Of the thumbnails of earlier drawings.
    version_addresses: Addresses<VersionId>,
    listed_at: Mutex<HashMap<String, Instant>>,
    places: Semaphore,
    pages: Pages,
}

/// Signed addresses, newest knowledge; no more than [`MOST_ADDRESSES`] and one list.
#[derive(Debug)]
struct Addresses<I>(Mutex<HashMap<I, String>>);

impl<I> Default for Addresses<I> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<I: Eq + Hash> Addresses<I> {
    /// Takes note of what was told: an address, or that there is none.
    fn note<'a>(&self, told: impl Iterator<Item = (I, Option<&'a String>)>) {
        let mut addresses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if addresses.len() > MOST_ADDRESSES {
            addresses.clear();
        }
        for (id, url) in told {
            match url {
                Some(url) => addresses.insert(id, url.clone()),
                None => addresses.remove(&id),
            };
        }
    }

    fn known(&self, id: &I) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }
}

impl Media {
    pub(crate) fn new(folder: std::path::PathBuf) -> Self {
        Self {
            cache: Cache::new(folder),
            addresses: Addresses::default(),
            version_addresses: Addresses::default(),
            listed_at: Mutex::default(),
            places: Semaphore::new(AT_ONCE),
            pages: Pages::default(),
        }
    }

    /// Takes note of the thumbnails' addresses, as lists and single reads bring them.
    pub(crate) fn note(&self, canvases: &[Canvas]) {
        self.addresses.note(canvases.iter().map(|canvas| (canvas.id, canvas.thumbnail_url.as_ref())));
    }

    /// Whether the newest designs may be listed now for their addresses; says so once in a while.
    fn may_list(&self, connection_id: &str) -> bool {
        let mut listed_at = self.listed_at.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let is_due = listed_at.get(connection_id).is_none_or(|at| now.duration_since(*at) >= BETWEEN_LISTS);
        if is_due {
            listed_at.insert(connection_id.to_owned(), now);
        }
        is_due
    }
}

impl App {
    /// The picture at an address of the page, by its path; `None` where there is none (any more).
    pub async fn get_media(&self, path: &str) -> Option<Picture> {
        if let Some(names) = path.strip_prefix(CONFLICT) {
            return self.get_conflict_picture(names).await;
        }
        let wanted = Wanted::read(path)?;
        if let Wanted::Draft { task, revision, page, .. } = wanted {
            return self.get_draft(task, revision, page);
        }
        let media = self.media();
        let key = wanted.key();
        if let Some(picture) = media.cache.get(&key).await {
            return Some(picture);
        }
        let live = self.connections().find(wanted.connection())?;
        if let Wanted::Page { connection, canvas, version, page } = wanted {
            return self
                .get_page(&live, canvas, page, |page| Wanted::Page { connection, canvas, version, page }.key())
                .await;
        }
        let _place = media.places.acquire().await.ok()?;
        // Someone else may have fetched it while this one waited.
        if let Some(picture) = media.cache.get(&key).await {
            return Some(picture);
        }
        let client = live.ready().await.ok()?.client.in_lane(Lane::Poll);
        let fetched = match wanted {
            Wanted::Design { canvas, .. } => self.fetch_thumbnail(&live, &client, canvas).await,
            Wanted::File { file, .. } => fetch_preview(&client, file).await,
            Wanted::FileVersion { file, id, .. } => client.fetch_picture_of_version(file, id, MOST_BYTES).await,
            Wanted::DesignVersion { canvas, id, .. } => self.fetch_version_thumbnail(&client, canvas, id).await,
            Wanted::Page { .. } | Wanted::Draft { .. } => Ok(None),
        };
        let picture = fetched.inspect_err(|error| tracing::debug!(%error, "a picture could not be fetched")).ok()??;
        media.cache.put(&key, &picture).await;
        Some(picture)
    }

    async fn fetch_thumbnail(
        &self,
        live: &Live,
        client: &Client,
        canvas: CanvasId,
    ) -> Result<Option<Picture>, ClientError> {
        let media = self.media();
        if media.addresses.known(&canvas).is_none() && media.may_list(&live.id) {
            // One request for the newest hundred instead of one for each.
            let newest = PageRequest { limit: Some(100), ..PageRequest::default() };
            media.note(&client.list_canvases(&Place::Everywhere, &newest).await?.items);
        }
        if let Some(url) = media.addresses.known(&canvas) {
            match client.fetch_picture(&url, MOST_BYTES).await {
                Err(ClientError::UrlExpired | ClientError::Storage { status: 403 | 404, .. }) => {}
                outcome => return outcome.map(Some),
            }
        }
        let canvas = client.get_canvas(canvas).await?;
        media.note(std::slice::from_ref(&canvas));
        match &canvas.thumbnail_url {
            Some(url) => client.fetch_picture(url, MOST_BYTES).await.map(Some),
            None => Ok(None),
        }
    }
}

/// The bytes of a picture in the drive; nothing for a file that is no picture.
async fn fetch_preview(client: &Client, file: FileId) -> Result<Option<Picture>, ClientError> {
    client.fetch_picture_of(file, MOST_BYTES).await
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANVAS: &str = "cvs_00000000000000000000000001";

    #[test]
    fn a_preview_is_offered_of_pictures_that_can_be_shown() {
        let check = |mime: Option<&str>, size: u64, expected: bool| {
            let id = "file_00000000000000000000000001";
            let file = serde_json::json!({"id": id, "name": "a", "mime_type": mime, "size_bytes": size});
            let address = preview_of_file("c-1", &serde_json::from_value(file).unwrap());
            assert_eq!(address, expected.then(|| format!("{ORIGIN}/file/c-1/{id}/0")), "{mime:?} {size}");
        };
        check(Some("image/png"), 1, true);
        check(Some("image/svg+xml"), 1, true);
        check(Some("image/png"), MOST_BYTES as u64 + 1, false);
        check(Some("image/tiff"), 1, false);
        check(Some("text/html"), 1, false);
        check(None, 1, false);
    }

    #[test]
    fn a_picture_is_told_by_its_name_and_its_size() {
        assert_eq!(type_by_name("Photos/a.JPG", 1), Some("image/jpeg"));
        assert_eq!(type_by_name("a.svg", MOST_BYTES as u64), Some("image/svg+xml"));
        for (name, size_bytes) in [("a.png", MOST_BYTES as u64 + 1), ("a.tif", 1), ("png", 1), ("a.png.txt", 1)] {
            assert_eq!(type_by_name(name, size_bytes), None, "{name}");
        }
    }

    #[test]
    fn an_address_of_the_page_is_read_back_and_nothing_else_is() {
        let canvas: CanvasId = CANVAS.parse().unwrap();
        let address = address_of_design("c-1", canvas, Some(Timestamp::from_micros(7)));
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::Design { connection: "c-1", canvas, version: "7" }));
        let file: FileId = "file_00000000000000000000000001".parse().unwrap();
        let address = address_of_file("c-1", file, Some(Timestamp::from_micros(7)));
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::File { connection: "c-1", file, version: "7" }));
        let address = address_of_page("c-1", canvas, None, 12);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::Page { connection: "c-1", canvas, version: "0", page: 12 }));
        let task: TaskId = "task_00000000000000000000000001".parse().unwrap();
        let address = address_of_draft("c-1", task, 7, 2);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::Draft { connection: "c-1", task, revision: 7, page: 2 }));
        let id: VersionId = "ver_00000000000000000000000001".parse().unwrap();
        let path = format!("/file-version/c-1/{file}/{id}");
        assert_eq!(Wanted::read(&path), Some(Wanted::FileVersion { connection: "c-1", file, id }));
        let address = address_of_design_version("c-1", canvas, id);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::DesignVersion { connection: "c-1", canvas, id }));
        let strange: FileId = "a b/c?d#e%20ü".parse().unwrap();
        let address = address_of_file("c-1", strange, None);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert!(path.bytes().all(|byte| byte.is_ascii_graphic()) && !path.contains(['?', '#']), "{path}");
        assert_eq!(Wanted::read(path), Some(Wanted::File { connection: "c-1", file: strange, version: "0" }));
        for path in [
            &format!("/page/c-1/{CANVAS}/0/0"),
            &format!("/page/c-1/{CANVAS}/0/1000"),
            &format!("/page/c-1/{CANVAS}/0/x"),
            &format!("/page/c-1/{CANVAS}/0"),
            "",
            "/",
            "/design/c-1",
            &format!("/design/c-1/{CANVAS}"),
            &format!("/design/c-1/{CANVAS}/../x"),
            &format!("/design/c-1/{CANVAS}/x"),
            "/file/c-1/a",
            "/file-version/c-1/a",
            "/file-version/c-1/a/..",
            "/design-version/c-1/a/%2E%2E",
            "/file/c-1/a/x",
            "/draft/c-1/task_00000000000000000000000001/7/x",
            "/draft/c-1/task_00000000000000000000000001/-7/1",
            "/file/c-1/../../etc/passwd",
            "/file/c-1/../0",
            "/file/c-1/%2E%2E/0",
            "/file/c-1/%FF/0",
        ] {
            assert_eq!(Wanted::read(path), None, "{path}");
        }
    }
}
