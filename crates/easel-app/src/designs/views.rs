//! Designs as the page shows them, and drafts of new ones.
//!
//! Not here: the views of texts, versions and marks, which stand beside what is done with them.

use serde::{Deserialize, Serialize};

use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::tasks::views::TaskView;

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
