//! Designs for the page.
//!
//! Always true: ids go to the page as text and are read back with their kind; a picture is an address of the app's own
//! protocol; a deleted design is gone from the screen at once, though the deletion is sent ten seconds later. Moving
//! and deleting belong to the drive, because a design lies in its folders like a file. Not here: what can be done with
//! designs, which is in the files below.

pub(crate) mod attachments;
mod colors;
mod describe;
mod gallery;
pub(crate) mod generation;
mod lineage;
pub(crate) mod marks;
mod pictures;
mod remix;
mod resize;
mod samples;
mod texts;
mod versions;
pub(crate) mod views;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use easel_wire::CanvasId;
use easel_wire::canvases::Canvas;

pub use self::attachments::Attachments;
pub use self::colors::{DesignColor, DesignColorChange, DesignColorRole, DesignColors};
pub use self::generation::Generation;
pub use self::marks::{DesignMark, DesignMarks, Marks};
pub use self::resize::{DesignResize, DesignSize};
pub use self::texts::{
    DesignPicture, DesignText, DesignTextAlign, DesignTextAnchor, DesignTextChange, DesignTextFrame, DesignTextPage,
    DesignTexts,
};
pub use self::versions::{DesignVersionList, DesignVersionRestored, DesignVersionView};
pub use self::views::{
    AttachmentState, DesignAttachment, DesignDetails, DesignDraft, DesignFormat, DesignList, DesignPage, DesignRef,
    DesignSort, DesignView, RemixOutcome,
};
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::drive::deletions::Deletions;
use crate::drive::news::tell_drive;
use crate::drive::reading::read_name;
use crate::events::{DesignsChanged, Event};
use crate::media::addresses;
use crate::media::thumbnails::Thumbnails;
use crate::messages::{self, Nameless};
use crate::problem::Problem;

/// The most names that are remembered, to say what a design was remixed from.
const MOST_NAMES: usize = 20_000;

/// The designs of the connection in view. Clones are the same designs.
#[derive(Clone)]
pub struct Designs {
    core: Core,
    connections: Connections,
    deletions: Deletions,
    thumbnails: Arc<Thumbnails>,
    inner: Arc<Inner>,
}

/// Names of designs.
#[derive(Debug, Default)]
struct Inner {
    /// The names of designs, so that a remix can say what it was made from.
    names: Mutex<HashMap<CanvasId, String>>,
    sorted: Mutex<Option<Sorted>>,
}

/// The list that was read and sorted last, so that its parts fit together.
#[derive(Debug, Clone)]
struct Sorted {
    connection_id: String,
    query: String,
    sort: DesignSort,
    designs: Vec<DesignView>,
}

impl Designs {
    pub(crate) fn new(core: Core, connections: Connections, deletions: Deletions, thumbnails: Arc<Thumbnails>) -> Self {
        Self { core, connections, deletions, thumbnails, inner: Arc::default() }
    }

    pub(crate) fn name_of(&self, canvas: CanvasId) -> Option<String> {
        self.inner.names.lock().unwrap_or_else(PoisonError::into_inner).get(&canvas).cloned()
    }

    fn note_names(&self, canvases: &[Canvas]) {
        let mut names = self.inner.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() > MOST_NAMES {
            names.clear();
        }
        let name = |canvas: &Canvas| messages::named(&canvas.name, Nameless::Design);
        names.extend(canvases.iter().map(|canvas| (canvas.id, name(canvas))));
    }
}

/// Reads a design's id from the page.
pub(crate) fn read_design(id: &str) -> Result<CanvasId, Problem> {
    CanvasId::new(id).map_err(|_| messages::problem("canvas_not_found", &[]))
}

impl Designs {
    /// Designs for the page; their names and pictures are remembered.
    pub(crate) fn view_designs(&self, connection: &ActiveConnection, canvases: &[Canvas]) -> Vec<DesignView> {
        self.thumbnails.note(canvases);
        self.note_names(canvases);
        let view = |canvas: &Canvas| DesignView {
            id: canvas.id.to_string(),
            name: messages::named(&canvas.name, Nameless::Design),
            category: canvas.category.as_ref().map(ToString::to_string),
            page_count: canvas.page_count,
            width: canvas.width,
            height: canvas.height,
            folder_id: canvas.folder_id.map(|id| id.to_string()),
            visibility: canvas.visibility.as_ref().map(ToString::to_string),
            source_id: canvas.source_canvas_id.map(|id| id.to_string()),
            source_name: canvas.source_canvas_id.and_then(|id| self.name_of(id)),
            thumbnail: Some(addresses::of_design(&connection.id, canvas.id, canvas.updated_at)),
            created_at: canvas.created_at.map(|moment| moment.to_string()),
            updated_at: canvas.updated_at.map(|moment| moment.to_string()),
        };
        canvases.iter().map(view).collect()
    }

    pub(crate) fn view_design(&self, connection: &ActiveConnection, canvas: Canvas) -> DesignView {
        let id = canvas.id.to_string();
        let name = canvas.name.clone();
        let viewed = self.view_designs(connection, &[canvas]).pop();
        viewed.unwrap_or_else(|| DesignView::bare(id, name))
    }

    /// Tells the page that designs were made or changed.
    pub(crate) fn tell_designs(&self, connection: &ActiveConnection, designs: impl IntoIterator<Item = CanvasId>) {
        let design_ids = designs.into_iter().map(|id| id.to_string()).collect();
        self.inner.sorted.lock().unwrap_or_else(PoisonError::into_inner).take();
        connection.shelved.forget();
        self.core.emit(Event::DesignsChanged(DesignsChanged { connection_id: connection.id.clone(), design_ids }));
    }

    /// Gives a design another name.
    ///
    /// # Errors
    /// `name_not_usable`, `canvas_name_conflict` with the design that has the name, what the connection's state says,
    /// or what the service answers.
    pub async fn rename_design(&self, design_id: String, name: String) -> Result<DesignView, Problem> {
        let id = read_design(&design_id)?;
        let name = read_name(&name)?;
        let connection = self.connections.selected()?;
        let renamed = connection.ready().await?.client.rename_canvas(id, name).await;
        let canvas = renamed.map_err(|error| self.connections.note_error(&connection, &error, name))?;
        tell_drive(&self.core, &connection, [canvas.folder_id]);
        self.tell_designs(&connection, [id]);
        Ok(self.view_design(&connection, canvas))
    }
}
