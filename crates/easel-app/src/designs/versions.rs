//! Versions of a design, which are its drawings before it was changed in place: listed with their pictures, and
//! restored.
//!
//! Always true: whether a service keeps versions is known from its answers; restoring a version takes nothing away,
//! because the drawing of before becomes a version, which is named in the answer so that the restoring can be undone.
//! Not here: changing a design (`describe`), and versions of files (`drive/versions`).

use easel_client::{Error as ClientError, Feature};
use easel_wire::CanvasId;
use easel_wire::canvases::CanvasVersion;
use serde::{Deserialize, Serialize};

use super::views::DesignView;
use super::{Designs, read_design};
use crate::connections::active_connection::ActiveConnection;
use crate::drive::news::tell_drive;
use crate::drive::reading::{newcomer, read_version};
use crate::media::addresses;
use crate::problem::Problem;

/// The earlier drawings of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignVersionList {
    /// The connection that was asked.
    pub connection_id: String,
    /// The design.
    pub design_id: String,
    /// All that the service keeps, the newest first.
    pub versions: Vec<DesignVersionView>,
}

/// An earlier drawing of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignVersionView {
    /// Its id.
    pub id: String,
    /// How many pages it had.
    pub page_count: Option<u32>,
    /// Its first page, where the service has a picture of it: an address of the app's own protocol.
    pub thumbnail: Option<String>,
    /// When it was drawn, RFC 3339.
    pub created_at: Option<String>,
    /// Who had it drawn, by name.
    pub created_by: Option<String>,
    /// Whether that is the person at this computer.
    pub created_by_you: bool,
    /// When another drawing took its place, RFC 3339.
    pub replaced_at: Option<String>,
}

/// What came of restoring a version of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignVersionRestored {
    /// The design as it is now.
    pub design: DesignView,
    /// The version that what was drawn before has become; `null` where the service does not tell.
    pub undo_version_id: Option<String>,
    /// The earlier drawings that there are now, the newest first.
    pub versions: Vec<DesignVersionView>,
}

impl Designs {
    /// The earlier drawings of a design, the newest first.
    ///
    /// # Errors
    /// `not_offered` where the service keeps none, `canvas_not_found`, what the connection's state says, or what the service
    /// answers.
    pub async fn list_design_versions(&self, design_id: String) -> Result<DesignVersionList, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let versions = client.list_canvas_versions(id).await;
        let versions = versions.map_err(|error| self.note_design_versions_error(&connection, &error))?;
        self.connections.note_answer(&connection);
        let versions = self.view_versions(&connection, id, &versions);
        Ok(DesignVersionList { connection_id: connection.id.clone(), design_id: id.to_string(), versions })
    }

    /// Puts an earlier drawing on its design again. What is drawn there until then becomes a version.
    ///
    /// # Errors
    /// As [`Self::list_design_versions`], and `version_not_found` where there is no such version (any more).
    pub async fn restore_design_version(
        &self,
        design_id: String,
        version_id: String,
    ) -> Result<DesignVersionRestored, Problem> {
        let (id, version) = (read_design(&design_id)?, read_version(&version_id)?);
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let note = |error| self.note_design_versions_error(&connection, &error);
        let before = client.list_canvas_versions(id).await.map_err(note)?;
        let canvas = client.restore_canvas_version(id, version).await.map_err(note)?;
        tell_drive(&self.core, &connection, [canvas.folder_id]);
        self.tell_designs(&connection, [id]);
        // The version is restored, whether the present list can be read or not.
        let after = client.list_canvas_versions(id).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "the versions of a design cannot be told after one was restored");
            Vec::new()
        });
        Ok(DesignVersionRestored {
            undo_version_id: newcomer(before.iter().map(|old| old.id), after.iter().map(|new| new.id)),
            versions: self.view_versions(&connection, id, &after),
            design: self.view_design(&connection, canvas),
        })
    }

    fn note_design_versions_error(&self, connection: &ActiveConnection, error: &ClientError) -> Problem {
        self.connections.note_error_of(connection, error, Some(Feature::CanvasVersions))
    }

    fn view_versions(
        &self,
        connection: &ActiveConnection,
        canvas: CanvasId,
        versions: &[CanvasVersion],
    ) -> Vec<DesignVersionView> {
        self.thumbnails.note_versions(versions);
        let view = |version: &CanvasVersion| {
            let (created_by, created_by_you) = connection.view_person(version.created_by.as_ref());
            let has_picture = version.thumbnail_url.is_some();
            DesignVersionView {
                id: version.id.to_string(),
                page_count: version.page_count,
                thumbnail: has_picture.then(|| addresses::of_design_version(&connection.id, canvas, version.id)),
                created_at: version.created_at.map(|moment| moment.to_string()),
                created_by,
                created_by_you,
                replaced_at: version.replaced_at.map(|moment| moment.to_string()),
            }
        };
        versions.iter().map(view).collect()
    }
}
