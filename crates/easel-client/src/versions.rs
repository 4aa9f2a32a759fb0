//! Versions: new content for a file of the drive, its earlier contents, and earlier drawings of a canvas (contract,
//! "Drive" and "Canvases and export": additions, which few services have).
//!
//! Always true: whether a service has versions is learned from its answers ([`Feature::FileVersions`],
//! [`Feature::CanvasVersions`]), and if it was seen not to, it is not asked again. New content is given by a storage
//! key, which makes a repeat after a lost answer harmless. Not here: the signed upload that the key comes from
//! ([`crate::uploads`]), and when a caller wants new content rather than a new file.

use std::path::Path;

use bytes::Bytes;
use easel_wire::canvases::{Canvas, CanvasVersion, CanvasVersions};
use easel_wire::drive::{File, FileVersion, FileVersions, ReplaceContent};
use easel_wire::{CanvasId, FileId, Scope, VersionId};
use http::Method;

use crate::capabilities::Feature;
use crate::client::{BytesAt, Client};
use crate::download::{Downloaded, Expected};
use crate::error::Error;
use crate::media::Picture;
use crate::retry::Repeat;
use crate::settle::hash_text;
use crate::source::Progress;

impl Client {
    /// Gives a file the bytes that were PUT under `storage_key` as its content; the old content becomes a version. With
    /// `expected`, a SHA-256, this happens only if the file still has that content.
    ///
    /// # Errors
    /// `content_changed`, `upload_not_found`, `file_not_found`; [`Error::RouteMissing`] where the service does not have
    /// it; else what the service answers, or why it did not.
    pub async fn replace_content(
        &self,
        file: FileId,
        storage_key: &str,
        expected: Option<&[u8; 32]>,
    ) -> Result<File, Error> {
        let request =
            ReplaceContent { storage_key: storage_key.to_owned(), expected_content_hash: expected.map(hash_text) };
        let call = self
            .call(Method::POST, &["drive", "files", &file.text(), "content"])
            .of(Feature::FileVersions)
            .needs(Scope::CanvasesWrite)
            .patience(self.shared.patience.register)
            .repeat(Repeat::Harmless)
            .json(&request)?;
        self.get_record(&call, &file.text(), "file", &["name", "size_bytes", "content_hash"]).await
    }

    /// The earlier contents of a file, the newest first.
    ///
    /// # Errors
    /// `file_not_found`; [`Error::RouteMissing`] where the service does not have it; else what the service answers, or
    /// why it did not.
    pub async fn list_versions(&self, file: FileId) -> Result<Vec<FileVersion>, Error> {
        let call = self
            .call(Method::GET, &["drive", "files", &file.text(), "versions"])
            .of(Feature::FileVersions)
            .needs(Scope::CanvasesRead);
        Ok(self.get_json::<FileVersions>(&call).await?.versions)
    }

    /// Makes a version the content of its file again; the present content becomes a version. After a lost answer, the
    /// file's record tells whether it has that content.
    ///
    /// # Errors
    /// `file_not_found`, `version_not_found`; [`Error::RouteMissing`] where the service does not have it; else what the
    /// service answers, or why it did not.
    pub async fn restore_version(&self, file: FileId, version: &FileVersion) -> Result<File, Error> {
        let call = self
            .call(Method::POST, &["drive", "files", &file.text(), "versions", &version.id.text(), "restore"])
            .of(Feature::FileVersions)
            .needs(Scope::CanvasesWrite);
        match self.get_record(&call, &file.text(), "file", &["name", "size_bytes", "content_hash"]).await {
            Err(error) if error.is_answer_lost() && version.content_hash.is_some() => {
                let found = self.get_file(file).await.ok();
                found.filter(|file| file.content_hash == version.content_hash).ok_or(error)
            }
            outcome => outcome,
        }
    }

    /// The earlier drawings of a canvas, the newest first.
    ///
    /// # Errors
    /// `canvas_not_found`; [`Error::RouteMissing`] where the service does not have it; else what the service answers,
    /// or why it did not.
    pub async fn list_canvas_versions(&self, canvas: CanvasId) -> Result<Vec<CanvasVersion>, Error> {
        let call = self
            .call(Method::GET, &["canvases", &canvas.text(), "versions"])
            .of(Feature::CanvasVersions)
            .needs(Scope::CanvasesRead);
        Ok(self.get_json::<CanvasVersions>(&call).await?.versions)
    }

    /// Puts an earlier drawing on its canvas again; the present drawing becomes a version.
    ///
    /// # Errors
    /// `canvas_not_found`, `version_not_found`, the latter also where a repeat after a lost answer finds that it has
    /// happened; [`Error::RouteMissing`] where the service does not have it; else what the service answers, or why it
    /// did not.
    pub async fn restore_canvas_version(&self, canvas: CanvasId, version: VersionId) -> Result<Canvas, Error> {
        let call = self
            .call(Method::POST, &["canvases", &canvas.text(), "versions", &version.text(), "restore"])
            .of(Feature::CanvasVersions)
            .needs(Scope::CanvasesWrite);
        self.get_record(&call, &canvas.text(), "canvas", &["name", "page_count", "url", "canvas_url"]).await
    }

    /// Downloads a version to `destination`, or to `name (2).ext` beside it where that is taken.
    ///
    /// # Errors
    /// As [`Client::download_file`].
    pub async fn download_version(
        &self,
        file: FileId,
        version: &FileVersion,
        destination: &Path,
        progress: &Progress<'_>,
    ) -> Result<Downloaded, Error> {
        let expected = Expected { size_bytes: version.size_bytes, content_hash: version.content_hash.clone() };
        self.download_from(&self.bytes_of_version(file, version.id), &expected, destination, progress).await
    }

    /// Fetches a version that is a picture, `most_bytes` of it at most; `None` where the service says that it is no
    /// picture.
    ///
    /// # Errors
    /// `file_not_found`, `version_not_found`; [`Error::NotTheService`] where it is larger; else what the service
    /// answers, or why it did not.
    pub async fn fetch_picture_of_version(
        &self,
        file: FileId,
        version: VersionId,
        most_bytes: usize,
    ) -> Result<Option<Picture>, Error> {
        let fetched = self.fetch_bytes(&self.bytes_of_version(file, version), most_bytes).await?;
        Ok(fetched.mime_type.starts_with("image/").then_some(fetched))
    }

    /// Fetches the first `most_bytes` of a version. Returns whether that is all of it.
    ///
    /// # Errors
    /// `file_not_found`, `version_not_found`; else what the service answers, or why it did not.
    pub async fn fetch_beginning_of_version(
        &self,
        file: FileId,
        version: VersionId,
        most_bytes: usize,
    ) -> Result<(Bytes, bool), Error> {
        let (fetched, is_whole) = self.fetch_beginning(&self.bytes_of_version(file, version), most_bytes).await?;
        Ok((fetched.bytes, is_whole))
    }

    fn bytes_of_version(&self, file: FileId, version: VersionId) -> BytesAt {
        let segments = ["drive", "files", &file.text(), "versions", &version.text(), "content"];
        BytesAt::Service(self.call(Method::GET, &segments).url().clone())
    }
}
