//! Exports as the page asks for them and sees them.
//!
//! Not here: exports of many designs at once (`batch`).

use easel_wire::canvases::ExportFormat as WireFormat;
use serde::{Deserialize, Serialize};

use crate::number::WholeNumber;
use crate::problem::Problem;

/// What a design is exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// For reading and printing.
    Pdf,
    /// To be worked on in a presentation program.
    Pptx,
    /// A picture without loss; several pages come as one zip.
    Png,
    /// A picture for the web; several pages come as one zip.
    Jpeg,
    /// A drawing that scales; several pages come as one zip.
    Svg,
}

impl From<ExportFormat> for WireFormat {
    fn from(format: ExportFormat) -> Self {
        match format {
            ExportFormat::Pdf => Self::Pdf,
            ExportFormat::Pptx => Self::Pptx,
            ExportFormat::Png => Self::Png,
            ExportFormat::Jpeg => Self::Jpeg,
            ExportFormat::Svg => Self::Svg,
        }
    }
}

impl ExportFormat {
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Pptx => "pptx",
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Svg => "svg",
        }
    }
}

/// How a design is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ExportChoice {
    /// As what.
    pub format: ExportFormat,
    /// One page, from 1; all of them where absent.
    pub page: Option<u32>,
    /// Pixels for each pixel of the page, 1 to 4; 1 where absent.
    pub scale: Option<u32>,
    /// Whether a PDF is made of pictures only.
    pub flatten: bool,
}

/// Where an export goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ExportPlace {
    /// The person's Downloads folder.
    Downloads,
    /// A place that the person is asked for.
    Ask,
}

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ExportState {
    /// Its turn has not come.
    Queued,
    /// It waits; `waits_for` says for what.
    Waiting,
    /// The service makes the file.
    Preparing,
    /// Its bytes are coming.
    Downloading,
    /// The file is there.
    Finished,
    /// It is not; `problem` says why.
    Failed,
    /// The person stopped it.
    Canceled,
}

/// What an export waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ExportWait {
    /// The service takes no more exports this minute.
    Rate,
    /// A task works on the design.
    Task,
    /// The service cannot be reached, or the key is not accepted.
    Connection,
}

/// An export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ExportView {
    /// For `cancel_export`, `reveal_export` and `open_export`.
    pub id: String,
    /// The design.
    pub design_id: String,
    /// What it was called when the export was asked for.
    pub design_name: String,
    /// `pdf`, `pptx`, `png`, `jpeg`, `svg`, or what came of it: `zip` for several pages.
    pub format: String,
    /// How far it is.
    pub state: ExportState,
    /// What it waits for.
    pub waits_for: Option<ExportWait>,
    /// The file's name on this computer, once it has one.
    pub file_name: Option<String>,
    /// The name of the folder that it goes to.
    pub place: Option<String>,
    /// Bytes so far.
    pub received_bytes: WholeNumber,
    /// Bytes in all, where the service says.
    pub size_bytes: Option<WholeNumber>,
    /// How long it still takes, where that can be told.
    pub time_left_ms: Option<WholeNumber>,
    /// What came out otherwise than asked, in the service's words.
    pub warnings: Vec<String>,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// When it was asked for, RFC 3339.
    pub created_at: String,
    /// When it ended, RFC 3339.
    pub finished_at: Option<String>,
}

/// All exports of a connection, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ExportList {
    /// The exports.
    pub exports: Vec<ExportView>,
    /// How many wait for their turn.
    pub waiting: WholeNumber,
    /// How many the service takes a minute; `null` where there is no limit.
    pub per_minute: Option<u32>,
    /// How long those that wait still take, where that can be told.
    pub time_left_ms: Option<WholeNumber>,
}
