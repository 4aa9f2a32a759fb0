//! Pictures for the page: thumbnails of designs and previews of files, fetched and cached here, and shown through the
//! app's own protocol, because the page itself loads nothing from outside.
//!
//! Always true: the page has an address without a secret in it; the signed address behind it is in memory only; fetched
//! pictures are kept in Easel's own folder, within a bound, and are fetched again when they are gone. Not here:
//! drawing, and the protocol itself (the shell).

pub(crate) mod addresses;
mod cache;
mod documents;
mod pages;
pub(crate) mod thumbnails;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use easel_client::{Client, Error as ClientError, ExportRequest, Lane, PageRequest, Picture, Place};
use easel_wire::canvases::ExportFormat;
use easel_wire::{CanvasId, FileId, TaskId, VersionId};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use self::addresses::{CONFLICT, MOST_BYTES};
pub use self::addresses::{ORIGIN, SCHEME};
use self::cache::Cache;
use self::documents::Documents;
use self::pages::{MOST_ARCHIVE_BYTES, PATIENCE, Pages, unpack, wait_for_result};
pub(crate) use self::thumbnails::Thumbnails;
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::exports::Exports;
use crate::id_paths::id_in_a_path;
use crate::problem::Problem;
use crate::synced::{ConflictPicture, SyncedFolders};
use crate::tasks::Tasks;

/// The most pictures that are fetched at the same time.
const AT_ONCE: usize = 6;
/// How often the newest designs are asked for their addresses, at most.
const BETWEEN_LISTS: Duration = Duration::from_secs(10);

/// What an address of the page stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted<'a> {
    Design {
        connection_id: &'a str,
        canvas: CanvasId,
        version: &'a str,
    },
    Page {
        connection_id: &'a str,
        canvas: CanvasId,
        version: &'a str,
        page: u32,
    },
    File {
        connection_id: &'a str,
        file: FileId,
        version: &'a str,
    },
    /// A page, drawn here, of a file that is no picture.
    Document {
        connection_id: &'a str,
        file: FileId,
        version: &'a str,
        page: u32,
    },
    /// An earlier content of a file, which never changes.
    FileVersion {
        connection_id: &'a str,
        file: FileId,
        id: VersionId,
    },
    /// A page, drawn here, of an earlier content that is no picture.
    DocumentVersion {
        connection_id: &'a str,
        file: FileId,
        id: VersionId,
        page: u32,
    },
    /// An earlier drawing of a design, which never changes.
    DesignVersion {
        connection_id: &'a str,
        canvas: CanvasId,
        id: VersionId,
    },
    /// In memory alone, as long as the design is made.
    Draft {
        connection_id: &'a str,
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
            ["design", connection_id, canvas, version] if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(Self::Design { connection_id, canvas: id_in_a_path(canvas)?, version })
            }
            ["page", connection_id, canvas, version, page] if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                let page = page.parse().ok().filter(|page| (1..=pages::MOST_PAGES).contains(page))?;
                Some(Self::Page { connection_id, canvas: id_in_a_path(canvas)?, version, page })
            }
            ["file", connection_id, file, version] if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(Self::File { connection_id, file: id_in_a_path(file)?, version })
            }
            ["document", connection_id, file, version, page @ ..]
                if version.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                let page = document_page(page)?;
                Some(Self::Document { connection_id, file: id_in_a_path(file)?, version, page })
            }
            ["file-version", connection_id, file, id] => {
                Some(Self::FileVersion { connection_id, file: id_in_a_path(file)?, id: id_in_a_path(id)? })
            }
            ["document-version", connection_id, file, id, page @ ..] => {
                let page = document_page(page)?;
                Some(Self::DocumentVersion { connection_id, file: id_in_a_path(file)?, id: id_in_a_path(id)?, page })
            }
            ["design-version", connection_id, canvas, id] => {
                Some(Self::DesignVersion { connection_id, canvas: id_in_a_path(canvas)?, id: id_in_a_path(id)? })
            }
            ["draft", connection_id, task, revision, page] => Some(Self::Draft {
                connection_id,
                task: id_in_a_path(task)?,
                revision: revision.parse().ok()?,
                page: page.parse().ok()?,
            }),
            _ => None,
        }
    }

    /// The name of the picture's file: of letters that every file system takes.
    fn key(&self) -> String {
        match self {
            Self::Design { connection_id, canvas, version } => format!("{connection_id}_{canvas}_{version}"),
            Self::Page { connection_id, canvas, version, page } => format!("{connection_id}_{canvas}_{version}_{page}"),
            Self::File { connection_id, file, version } => format!("{connection_id}_{file}_{version}"),
            Self::Document { connection_id, file, version, page } => {
                format!("{connection_id}_{file}_{version}_drawn{}", PageKey(*page))
            }
            Self::FileVersion { connection_id, file, id } => format!("{connection_id}_{file}_{id}"),
            Self::DocumentVersion { connection_id, file, id, page } => {
                format!("{connection_id}_{file}_{id}_drawn{}", PageKey(*page))
            }
            Self::DesignVersion { connection_id, canvas, id } => format!("{connection_id}_{canvas}_{id}"),
            Self::Draft { connection_id, task, revision, page } => format!("{connection_id}_{task}_{revision}_{page}"),
        }
    }

    /// The document, by its first page, and which of its pages this is; `None` for what is no document.
    fn document(self) -> Option<(Self, u32)> {
        match self {
            Self::Document { connection_id, file, version, page } => {
                Some((Self::Document { connection_id, file, version, page: 1 }, page))
            }
            Self::DocumentVersion { connection_id, file, id, page } => {
                Some((Self::DocumentVersion { connection_id, file, id, page: 1 }, page))
            }
            _ => None,
        }
    }

    const fn connection_id(&self) -> &'a str {
        match self {
            Self::Design { connection_id, .. }
            | Self::Page { connection_id, .. }
            | Self::File { connection_id, .. }
            | Self::Document { connection_id, .. }
            | Self::FileVersion { connection_id, .. }
            | Self::DocumentVersion { connection_id, .. }
            | Self::DesignVersion { connection_id, .. }
            | Self::Draft { connection_id, .. } => connection_id,
        }
    }
}

/// Which page of a document the rest of a path names: the first one by nothing.
fn document_page(rest: &[&str]) -> Option<u32> {
    match rest {
        [] => Some(1),
        [page] => page.parse().ok().filter(|page| (2..=documents::MOST_PAGES).contains(page)),
        _ => None,
    }
}

/// Ends the key of a page of a document; that of the first one has no such end.
struct PageKey(u32);

impl std::fmt::Display for PageKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 > 1 { write!(f, "_{}", self.0) } else { Ok(()) }
    }
}

/// Pictures for the page. Clones are the same media.
#[derive(Clone)]
pub struct Media {
    connections: Connections,
    thumbnails: Arc<Thumbnails>,
    exports: Exports,
    tasks: Tasks,
    synced: SyncedFolders,
    inner: Arc<Inner>,
}

/// Signed addresses and cached pictures.
#[derive(Debug)]
struct Inner {
    cache: Cache,
    listed_at: Mutex<HashMap<String, Instant>>,
    places: Semaphore,
    pages: Pages,
    documents: Documents,
}

impl Media {
    pub(crate) fn new(
        core: &Core,
        connections: Connections,
        thumbnails: Arc<Thumbnails>,
        exports: Exports,
        tasks: Tasks,
        synced: SyncedFolders,
    ) -> Self {
        let inner = Inner {
            cache: Cache::new(core.data_dir().media()),
            listed_at: Mutex::default(),
            places: Semaphore::new(AT_ONCE),
            pages: Pages::default(),
            documents: Documents::new(Arc::clone(&core.ports().reader)),
        };
        Self { connections, thumbnails, exports, tasks, synced, inner: Arc::new(inner) }
    }

    /// Whether the newest designs may be listed now for their addresses; says so once in a while.
    fn may_list(&self, connection_id: &str) -> bool {
        let mut listed_at = self.inner.listed_at.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let is_due = listed_at.get(connection_id).is_none_or(|at| now.duration_since(*at) >= BETWEEN_LISTS);
        if is_due {
            listed_at.insert(connection_id.to_owned(), now);
        }
        is_due
    }
}

impl Media {
    /// The picture at an address of the page, by its path; `None` where there is none (any more).
    pub async fn get_media(&self, path: &str) -> Option<Picture> {
        if let Some(names) = path.strip_prefix(CONFLICT) {
            return match self.synced.read_conflict_picture(names).await? {
                ConflictPicture::Picture(picture) => Some(picture),
                ConflictPicture::Document(content) => self.draw_version(path, content).await,
            };
        }
        let wanted = Wanted::read(path)?;
        if let Wanted::Draft { task, revision, page, .. } = wanted {
            return self.tasks.get_draft(task, revision, page);
        }
        let media = &self.inner;
        let key = wanted.key();
        if let Some(picture) = media.cache.get(&key).await {
            return Some(picture);
        }
        let document = wanted.document();
        if document.is_some_and(|(first, _)| media.documents.has_none(&first.key())) {
            return None;
        }
        let connection = self.connections.find(wanted.connection_id())?;
        if let Wanted::Page { connection_id, canvas, version, page } = wanted {
            return self
                .get_page(&connection, canvas, page, |page| Wanted::Page { connection_id, canvas, version, page }.key())
                .await;
        }
        let _turn = if document.is_some() { Some(media.documents.wait_for_turn().await?) } else { None };
        let _place = media.places.acquire().await.ok()?;
        // Someone else may have fetched it while this one waited.
        if let Some(picture) = media.cache.get(&key).await {
            return Some(picture);
        }
        let client = connection.ready().await.ok()?.client.in_lane(Lane::Poll);
        let fetched = match wanted {
            Wanted::Design { canvas, .. } => self.fetch_thumbnail(&connection, &client, canvas).await,
            Wanted::File { file, .. } => client.fetch_picture_of(file, MOST_BYTES).await,
            Wanted::Document { .. } | Wanted::DocumentVersion { .. } => self.draw_document(&client, wanted).await,
            Wanted::FileVersion { file, id, .. } => client.fetch_picture_of_version(file, id, MOST_BYTES).await,
            Wanted::DesignVersion { canvas, id, .. } => self.fetch_version_thumbnail(&client, canvas, id).await,
            Wanted::Page { .. } | Wanted::Draft { .. } => Ok(None),
        };
        let picture = fetched.inspect_err(|error| tracing::debug!(%error, "a picture could not be fetched")).ok()??;
        media.cache.put(&key, &picture).await;
        Some(picture)
    }

    /// The addresses of all pages of the document that `address` shows the first page of; none where it is no document, or
    /// there is no picture of it (any more).
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn list_document_pages(&self, address: &str) -> Result<Vec<String>, Problem> {
        let wanted = address.strip_prefix(ORIGIN).and_then(Wanted::read);
        let Some((first, 1)) = wanted.and_then(Wanted::document) else { return Ok(Vec::new()) };
        let count = self.count_pages(first).await.unwrap_or(0);
        let others = (2..=count).map(|page| addresses::of_document_page(address, page));
        Ok(std::iter::once(address.to_owned()).take(count as usize).chain(others).collect())
    }

    /// How many pages a document has, which is told by whoever draws one: its first page may have been drawn before this
    /// program was started.
    async fn count_pages(&self, first: Wanted<'_>) -> Option<u32> {
        let (media, key) = (&self.inner, first.key());
        let known = || media.documents.page_count(&key);
        if known().is_some() || media.documents.has_none(&key) {
            return known();
        }
        let client = self.connections.find(first.connection_id())?.ready().await.ok()?.client.in_lane(Lane::Poll);
        let _turn = media.documents.wait_for_turn().await?;
        let _place = media.places.acquire().await.ok()?;
        // Someone else may have drawn it while this one waited.
        if known().is_none()
            && let Ok(Some(picture)) = self.draw_document(&client, first).await
        {
            media.cache.put(&key, &picture).await;
        }
        known()
    }

    /// The picture of a page of a document; `None` where it is not read whole. From the second page on, the content is kept for
    /// the next one.
    async fn draw_document(&self, client: &Client, wanted: Wanted<'_>) -> Result<Option<Picture>, ClientError> {
        let Some((first, page)) = wanted.document() else { return Ok(None) };
        let (documents, key) = (&self.inner.documents, first.key());
        let (content, is_whole) = match (documents.content(&key), first) {
            (Some(content), _) => (content, true),
            (None, Wanted::Document { file, .. }) => client.fetch_beginning_of(file, MOST_BYTES).await?,
            (None, Wanted::DocumentVersion { file, id, .. }) => {
                client.fetch_beginning_of_version(file, id, MOST_BYTES).await?
            }
            (None, _) => return Ok(None),
        };
        if !is_whole {
            return Ok(None);
        }
        if page > 1 {
            documents.look_through(&key, &content);
        }
        Ok(documents.draw(&key, page, content).await)
    }

    /// The picture of a document of this computer, which is drawn each time and kept nowhere.
    async fn draw_version(&self, path: &str, content: Bytes) -> Option<Picture> {
        let documents = &self.inner.documents;
        if documents.has_none(path) {
            return None;
        }
        let _turn = documents.wait_for_turn().await?;
        documents.draw(path, 1, content).await
    }

    async fn fetch_thumbnail(
        &self,
        connection: &ActiveConnection,
        client: &Client,
        canvas: CanvasId,
    ) -> Result<Option<Picture>, ClientError> {
        if self.thumbnails.of_design(canvas).is_none() && self.may_list(&connection.id) {
            // One request for the newest hundred instead of one for each.
            let newest = PageRequest { limit: Some(100), ..PageRequest::default() };
            self.thumbnails.note(&client.list_canvases(&Place::Everywhere, &newest).await?.items);
        }
        if let Some(url) = self.thumbnails.of_design(canvas) {
            match client.fetch_picture(&url, MOST_BYTES).await {
                Err(ClientError::UrlExpired | ClientError::Storage { status: 403 | 404, .. }) => {}
                outcome => return outcome.map(Some),
            }
        }
        let canvas = client.get_canvas(canvas).await?;
        self.thumbnails.note(std::slice::from_ref(&canvas));
        match &canvas.thumbnail_url {
            Some(url) => client.fetch_picture(url, MOST_BYTES).await.map(Some),
            None => Ok(None),
        }
    }

    async fn fetch_version_thumbnail(
        &self,
        client: &Client,
        canvas: CanvasId,
        version: VersionId,
    ) -> Result<Option<Picture>, ClientError> {
        if let Some(url) = self.thumbnails.of_version(version) {
            match client.fetch_picture(&url, MOST_BYTES).await {
                Err(ClientError::UrlExpired | ClientError::Storage { status: 403 | 404, .. }) => {}
                outcome => return outcome.map(Some),
            }
        }
        self.thumbnails.note_versions(&client.list_canvas_versions(canvas).await?);
        match self.thumbnails.of_version(version) {
            Some(url) => client.fetch_picture(&url, MOST_BYTES).await.map(Some),
            None => Ok(None),
        }
    }

    /// The picture of a page. `key_of` names what it is kept under.
    async fn get_page(
        &self,
        connection: &ActiveConnection,
        canvas: CanvasId,
        page: u32,
        key_of: impl Fn(u32) -> String,
    ) -> Option<Picture> {
        let gate = self.inner.pages.gate(key_of(1));
        let fetching = async {
            let mut is_fetched = gate.lock().await;
            if !*is_fetched {
                // Another caller may have fetched the picture a moment ago.
                if let Some(picture) = self.inner.cache.get(&key_of(page)).await {
                    return Some(picture);
                }
                // Seldom, and much larger than all else here.
                let fetched = Box::pin(self.fetch_pages(connection, canvas)).await;
                let pictures =
                    fetched.inspect_err(|error| tracing::debug!(%error, "the pages of a design could not be fetched"));
                for (number, picture) in (1..).zip(pictures.ok()?) {
                    self.inner.cache.put(&key_of(number), &picture).await;
                }
                *is_fetched = true;
            }
            self.inner.cache.get(&key_of(page)).await
        };
        tokio::time::timeout(PATIENCE, fetching).await.ok()?
    }

    async fn fetch_pages(&self, connection: &ActiveConnection, canvas: CanvasId) -> Result<Vec<Picture>, ClientError> {
        self.exports.wait_for_spare_export(connection).await;
        let Some(session) = connection.session() else { return Err(ClientError::TimedOut) };
        let client = session.client.in_lane(Lane::Poll);
        let request = ExportRequest {
            format: ExportFormat::Png,
            page_number: None,
            pixel_ratio: Some(1),
            flatten: None,
            wait: true,
        };
        let started = client.start_export(canvas, &request).await;
        if let Err(error) = &started {
            self.exports.note_export_refused(connection, error);
        }
        let export = wait_for_result(&client, canvas, started?).await?;
        let url = export.url.as_deref().unwrap_or_default();
        if export.format != Some(ExportFormat::Zip) {
            return Ok(vec![client.fetch_picture(url, MOST_BYTES).await?]);
        }
        let archive = client.fetch_archive(url, MOST_ARCHIVE_BYTES).await?;
        let unpacked = tokio::task::spawn_blocking(move || unpack(&archive)).await;
        Ok(unpacked.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use easel_wire::Timestamp;

    const CANVAS: &str = "cvs_00000000000000000000000001";

    #[test]
    fn an_address_of_the_page_is_read_back_and_nothing_else_is() {
        let canvas: CanvasId = CANVAS.parse().unwrap();
        let address = addresses::of_design("c-1", canvas, Some(Timestamp::from_micros(7)));
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::Design { connection_id: "c-1", canvas, version: "7" }));
        let file: FileId = "file_00000000000000000000000001".parse().unwrap();
        let address = addresses::of_file("c-1", file, Some(Timestamp::from_micros(7)));
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::File { connection_id: "c-1", file, version: "7" }));
        let address = addresses::of_page("c-1", canvas, None, 12);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::Page { connection_id: "c-1", canvas, version: "0", page: 12 }));
        let task: TaskId = "task_00000000000000000000000001".parse().unwrap();
        let address = addresses::of_draft("c-1", task, 7, 2);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::Draft { connection_id: "c-1", task, revision: 7, page: 2 }));
        let path = format!("/document/c-1/{file}/7");
        let document = |page| Wanted::Document { connection_id: "c-1", file, version: "7", page };
        assert_eq!(Wanted::read(&path), Some(document(1)));
        assert_eq!(Wanted::read(&addresses::of_document_page(&path, 12)), Some(document(12)));
        let [first, twelfth] = [document(1).key(), document(12).key()];
        assert_eq!((first, twelfth), (format!("c-1_{file}_7_drawn"), format!("c-1_{file}_7_drawn_12")));
        let id: VersionId = "ver_00000000000000000000000001".parse().unwrap();
        let path = format!("/document-version/c-1/{file}/{id}");
        assert_eq!(Wanted::read(&path), Some(Wanted::DocumentVersion { connection_id: "c-1", file, id, page: 1 }));
        let path = format!("/file-version/c-1/{file}/{id}");
        assert_eq!(Wanted::read(&path), Some(Wanted::FileVersion { connection_id: "c-1", file, id }));
        let address = addresses::of_design_version("c-1", canvas, id);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert_eq!(Wanted::read(path), Some(Wanted::DesignVersion { connection_id: "c-1", canvas, id }));
        let strange: FileId = "a b/c?d#e%20ü".parse().unwrap();
        let address = addresses::of_file("c-1", strange, None);
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert!(path.bytes().all(|byte| byte.is_ascii_graphic()) && !path.contains(['?', '#']), "{path}");
        assert_eq!(Wanted::read(path), Some(Wanted::File { connection_id: "c-1", file: strange, version: "0" }));
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
            "/document/c-1/../0",
            "/document/c-1/a/7/1",
            "/document/c-1/a/7/1001",
            "/document/c-1/a/7/2/3",
            "/document/c-1/a/7/x",
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
