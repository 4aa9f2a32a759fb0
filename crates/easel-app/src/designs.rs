//! Designs as the page shows them.
//!
//! Always true: ids go to the page as text and are read back with their kind; a picture is an address of the app's own
//! protocol; what a person has deleted is gone from the screen at once, though it is sent ten seconds later. Moving and
//! deleting are the drive's, because a design lies in its folders like a file. What happens is in the files below.

mod attachments;
mod describe;
mod gallery;
mod lineage;
mod marks;
mod remix;
mod samples;
mod texts;
mod versions;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use easel_wire::CanvasId;
use easel_wire::canvases::Canvas;
use serde::{Deserialize, Serialize};

pub(crate) use self::attachments::Attachments;
use self::gallery::Sorted;
pub(crate) use self::marks::MarksFile;
pub use self::marks::{DesignMark, DesignMarks};
pub(crate) use self::remix::Remixes;
pub use self::texts::{
    DesignText, DesignTextAlign, DesignTextAnchor, DesignTextChange, DesignTextFrame, DesignTextPage, DesignTexts,
};
pub use self::versions::{DesignVersionList, DesignVersionRestored, DesignVersionView};
use crate::app::App;
use crate::connections::live::Live;
use crate::events::{DesignsChanged, Event};
use crate::media;
use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::tasks::TaskView;
use crate::words::{self, Nameless};

/// Names that are remembered, for what is remixed from what.
const MOST_NAMES: usize = 20_000;

/// A design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignView {
    /// Its id, prefixed.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// `slides`, `social`, `carousel`, `pdf`, `diagram`, `ui`, `other`, or what else the service says.
    pub category: Option<String>,
    /// How many pages it has.
    pub page_count: Option<u32>,
    /// Of the first page, in pixels.
    pub width: Option<u32>,
    /// Of the first page, in pixels.
    pub height: Option<u32>,
    /// The folder that it lies in; `null` at the top of the drive.
    pub folder_id: Option<String>,
    /// `team`, `private`, or what else the service says.
    pub visibility: Option<String>,
    /// The design that it was remixed from, which may be gone.
    pub source_id: Option<String>,
    /// What that one is called, where Easel has seen it.
    pub source_name: Option<String>,
    /// An address of the app's own protocol.
    pub thumbnail: Option<String>,
    /// When it was made, RFC 3339.
    pub created_at: Option<String>,
    /// When it or its place last changed, RFC 3339.
    pub updated_at: Option<String>,
}

/// How designs are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DesignSort {
    /// Those made last first: the service's own order.
    Newest,
    /// Those changed last first.
    Changed,
    /// From A to Z.
    Name,
}

/// A part of the gallery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignList {
    /// The connection that was asked.
    pub connection_id: String,
    /// The designs.
    pub designs: Vec<DesignView>,
    /// How many there are in all, where that is known.
    pub total: Option<WholeNumber>,
    /// Asks for the part after this one; `null` on the last.
    pub next: Option<String>,
}

/// A design by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignRef {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// A design with what it came from and what else came from there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignDetails {
    /// The design.
    pub design: DesignView,
    /// What it was remixed from; `null` where it was not, or where that is gone.
    pub source: Option<DesignRef>,
    /// Others remixed from the same design, as far as the newest of the service tell.
    pub siblings: Vec<DesignView>,
    /// What was remixed from this one, likewise.
    pub remixes: Vec<DesignView>,
}

/// A page of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignPage {
    /// Its place, from 1.
    pub number: u32,
    /// What it is called.
    pub name: Option<String>,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// An address of the app's own protocol, where there is a picture of it.
    pub picture: Option<String>,
}

/// What came of a remix: the copy, or the task that makes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct RemixOutcome {
    /// The copy (without words).
    pub design: Option<DesignView>,
    /// The task (with words).
    pub task: Option<TaskView>,
}

/// A file to work from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignAttachment {
    /// A file of the drive (`file_…`), or one that is on its way there.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its size; `null` where it is not known.
    pub size_bytes: Option<WholeNumber>,
    /// How far it is.
    pub state: AttachmentState,
    /// How much of it is there.
    pub sent_bytes: WholeNumber,
    /// Why it was not sent.
    pub problem: Option<Problem>,
}

/// How far an attachment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AttachmentState {
    /// Its turn has not come.
    Waiting,
    /// It is being sent.
    Sending,
    /// It lies in the drive.
    Ready,
    /// It was not sent; `problem` says why.
    Failed,
}

/// The form of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignFormat {
    /// `slides`, `social`, `carousel`, `pdf`, `diagram`, `ui` or `other`.
    pub category: String,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// What the format is called, for people.
    pub label: Option<String>,
}

/// A design as a person describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignDraft {
    /// What to make.
    pub prompt: String,
    /// In which form; the service chooses where absent.
    pub format: Option<DesignFormat>,
    /// How many pages, 1 to 60.
    pub page_count: Option<u32>,
    /// What it is called; the service chooses where absent.
    #[serde(default)]
    pub name: Option<String>,
    /// The brand kit to follow; the team's default where absent.
    pub brand_kit_id: Option<String>,
    /// Follow no brand kit at all.
    pub skip_brand_kit: bool,
    /// Files to work from: ids of files of the drive, or of attachments on their way there.
    pub attachment_ids: Vec<String>,
    /// Designs whose look to follow.
    pub reference_design_ids: Vec<String>,
    /// The folder that it goes into once it is made; `null` for the top of the drive.
    #[serde(default)]
    pub folder_id: Option<String>,
    /// For developers: where the end of the task is told.
    #[serde(default)]
    pub callback_url: Option<String>,
}

/// What is known of designs.
#[derive(Debug, Default)]
pub(crate) struct Designs {
    /// What designs are called, so that a remix can say what it was made from.
    names: Mutex<HashMap<CanvasId, String>>,
    sorted: Mutex<Option<Sorted>>,
}

impl Designs {
    pub(crate) fn name_of(&self, canvas: CanvasId) -> Option<String> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).get(&canvas).cloned()
    }

    fn note(&self, canvases: &[Canvas]) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() > MOST_NAMES {
            names.clear();
        }
        let name = |canvas: &Canvas| words::named(&canvas.name, Nameless::Design);
        names.extend(canvases.iter().map(|canvas| (canvas.id, name(canvas))));
    }
}

/// A design's id as the page has it.
pub(crate) fn read_design(id: &str) -> Result<CanvasId, Problem> {
    CanvasId::new(id).map_err(|_| words::problem("canvas_not_found", &[]))
}

impl App {
    /// Designs for the page; their names and pictures are remembered.
    pub(crate) fn view_designs(&self, live: &Live, canvases: &[Canvas]) -> Vec<DesignView> {
        self.media().note(canvases);
        self.designs().note(canvases);
        let view = |canvas: &Canvas| DesignView {
            id: canvas.id.to_string(),
            name: words::named(&canvas.name, Nameless::Design),
            category: canvas.category.as_ref().map(ToString::to_string),
            page_count: canvas.page_count,
            width: canvas.width,
            height: canvas.height,
            folder_id: canvas.folder_id.map(|id| id.to_string()),
            visibility: canvas.visibility.as_ref().map(ToString::to_string),
            source_id: canvas.source_canvas_id.map(|id| id.to_string()),
            source_name: canvas.source_canvas_id.and_then(|id| self.designs().name_of(id)),
            thumbnail: Some(media::address_of_design(&live.id, canvas.id, canvas.updated_at)),
            created_at: canvas.created_at.map(|moment| moment.to_string()),
            updated_at: canvas.updated_at.map(|moment| moment.to_string()),
        };
        canvases.iter().map(view).collect()
    }

    pub(crate) fn view_design(&self, live: &Live, canvas: Canvas) -> DesignView {
        let id = canvas.id.to_string();
        let name = canvas.name.clone();
        let viewed = self.view_designs(live, &[canvas]).pop();
        viewed.unwrap_or_else(|| DesignView::bare(id, name))
    }

    /// Tells the page that designs were made or changed.
    pub(crate) fn tell_designs(&self, live: &Live, designs: impl IntoIterator<Item = CanvasId>) {
        let design_ids = designs.into_iter().map(|id| id.to_string()).collect();
        self.designs().sorted.lock().unwrap_or_else(PoisonError::into_inner).take();
        live.shelved.forget();
        self.emit(Event::DesignsChanged(DesignsChanged { connection_id: live.id.clone(), design_ids }));
    }

    /// Gives a design another name.
    ///
    /// # Errors
    /// `name_not_usable`, `canvas_name_conflict` with the design that has the name, what the connection's state says, or
    /// what the service answers.
    pub async fn rename_design(&self, design_id: String, name: String) -> Result<DesignView, Problem> {
        let id = read_design(&design_id)?;
        let name = crate::drive::read_name(&name)?;
        let live = self.connections().selected()?;
        let renamed = live.ready().await?.client.rename_canvas(id, name).await;
        let canvas = renamed.map_err(|error| self.note_error(&live, &error, name))?;
        self.tell_drive(&live, [canvas.folder_id]);
        self.tell_designs(&live, [id]);
        Ok(self.view_design(&live, canvas))
    }
}

impl DesignView {
    /// A design of which only id and name are known.
    pub(crate) const fn bare(id: String, name: String) -> Self {
        Self {
            id,
            name,
            category: None,
            page_count: None,
            width: None,
            height: None,
            folder_id: None,
            visibility: None,
            source_id: None,
            source_name: None,
            thumbnail: None,
            created_at: None,
            updated_at: None,
        }
    }
}
