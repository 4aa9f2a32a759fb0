//! Pictures of earlier contents of files, and of earlier drawings of designs.
//!
//! Always true: a version never changes, so that its address and what is kept under it never do either; the signed address of
//! an earlier drawing lives in memory only. Not here: listing versions (`drive/versions`, `designs/versions`).

use easel_client::{Client, Error as ClientError, Picture};
use easel_wire::canvases::CanvasVersion;
use easel_wire::drive::FileVersion;
use easel_wire::{CanvasId, FileId, VersionId};

use super::{MOST_BYTES, Media, ORIGIN, is_shown};
use crate::app::App;
use crate::links::in_a_path;

/// The page's address of what an earlier content looks like; `None` where it is no picture that every engine shows, or is too
/// large for one.
pub(crate) fn preview_of_version(connection_id: &str, file: FileId, version: &FileVersion) -> Option<String> {
    let address = || {
        format!("{ORIGIN}/file-version/{connection_id}/{}/{}", in_a_path(&file.text()), in_a_path(&version.id.text()),)
    };
    is_shown(version.mime_type.as_deref(), version.size_bytes).then(address)
}

/// The page's address of the thumbnail of an earlier drawing.
pub(crate) fn address_of_design_version(connection_id: &str, canvas: CanvasId, version: VersionId) -> String {
    format!("{ORIGIN}/design-version/{connection_id}/{}/{}", in_a_path(&canvas.text()), in_a_path(&version.text()))
}

impl Media {
    /// Takes note of the addresses of the thumbnails, as a list brings them.
    pub(crate) fn note_versions(&self, versions: &[CanvasVersion]) {
        self.version_addresses.note(versions.iter().map(|version| (version.id, version.thumbnail_url.as_ref())));
    }
}

impl App {
    pub(super) async fn fetch_version_thumbnail(
        &self,
        client: &Client,
        canvas: CanvasId,
        version: VersionId,
    ) -> Result<Option<Picture>, ClientError> {
        let media = self.media();
        if let Some(url) = media.version_addresses.known(&version) {
            match client.fetch_picture(&url, MOST_BYTES).await {
                Err(ClientError::UrlExpired | ClientError::Storage { status: 403 | 404, .. }) => {}
                outcome => return outcome.map(Some),
            }
        }
        media.note_versions(&client.list_canvas_versions(canvas).await?);
        match media.version_addresses.known(&version) {
            Some(url) => client.fetch_picture(&url, MOST_BYTES).await.map(Some),
            None => Ok(None),
        }
    }
}
