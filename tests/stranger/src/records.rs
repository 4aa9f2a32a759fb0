//! The items that the service keeps, one type for each noun of its interface.
//!
//! Data only. Not here: how they are asked for and changed (a file for each noun), and where they are kept (`state`).

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::call::Blob;
use crate::route::Route;

/// A canvas, as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Canvas {
    pub(crate) name: String,
    pub(crate) folder: Option<String>,
    pub(crate) visibility: String,
    pub(crate) source: Option<String>,
    pub(crate) pages: u64,
    pub(crate) thumbnail: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// How a task ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A canvas is made, or changed.
    Succeeds,
    /// It failed, and may work another time: `retryable` is true.
    FailsForNow,
    /// It failed for good: `retryable` is false.
    FailsForGood,
    /// It waited for too long.
    Expires,
}

/// The state of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Queued,
    Running,
    Succeeded,
    Failed,
    Canceled,
    Expired,
}

impl Status {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
        }
    }

    pub(crate) fn is_terminal(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// What a task is to make.
#[derive(Debug, Clone)]
pub(crate) enum Work {
    /// A new canvas of this name.
    New(String),
    /// A change to this canvas.
    Edit(String),
    /// A copy of this canvas, under this name.
    Copy(String, String),
}

/// A task, as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) kind: &'static str,
    pub(crate) status: Status,
    pub(crate) prompt: String,
    pub(crate) input: Value,
    pub(crate) work: Work,
    pub(crate) pages: u64,
    pub(crate) conversation: String,
    pub(crate) callback_url: Option<String>,
    pub(crate) key: String,
    pub(crate) ending: Ending,
    pub(crate) canvas: Option<String>,
    pub(crate) went_back: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) moved_at: Timestamp,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) completed_at: Option<Timestamp>,
}

/// Every task, and how the next ones end.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    pub(crate) of_id: BTreeMap<String, Task>,
    pub(crate) endings: VecDeque<Ending>,
    /// Ids of promptless remixes, which cannot be asked for.
    pub(crate) synthetic: BTreeSet<String>,
}

/// An export, as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Export {
    pub(crate) canvas: String,
    pub(crate) format: String,
    /// Pages in what is exported.
    pub(crate) pages: u64,
    pub(crate) total_pages: u64,
    pub(crate) url: Option<String>,
    pub(crate) looks: u32,
}

/// A brand kit, as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Kit {
    pub(crate) title: String,
    pub(crate) is_default: bool,
    /// Everything else, as it was given.
    pub(crate) fields: Map<String, Value>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// How a delivery went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivered {
    /// The receiver answered 200.
    Yes,
    /// The receiver answered 500 once, and attempts are left.
    NotYet,
    /// Three attempts were answered 500.
    Never,
}

impl Delivered {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Yes => "succeeded",
            Self::NotYet => "pending",
            Self::Never => "failed",
        }
    }
}

/// A delivery, as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    pub(crate) event_id: String,
    pub(crate) event_type: String,
    pub(crate) target_url: String,
    pub(crate) outcome: Delivered,
    pub(crate) attempts: u32,
    pub(crate) task: String,
    pub(crate) key_id: String,
    pub(crate) request_body: String,
    pub(crate) replayed_from: Option<String>,
    pub(crate) created_at: Timestamp,
}

/// A signed URL, and what was put there.
#[derive(Debug, Clone)]
pub(crate) struct Staged {
    pub(crate) filename: String,
    pub(crate) media_type: String,
    pub(crate) signature: String,
    pub(crate) expires_at: Timestamp,
    pub(crate) blob: Option<Blob>,
    /// Whether storage took the bytes, though they may be gone since.
    pub(crate) is_written: bool,
    /// The file it became, and whether that was there.
    pub(crate) registered: Option<(String, bool)>,
}

/// An item of a list, with what lists are ordered by.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) size: u64,
    pub(crate) json: Value,
}

/// Where a list goes on.
#[derive(Debug, Clone)]
pub(crate) struct Cursor {
    pub(crate) route: Route,
    pub(crate) filters: Vec<(String, String)>,
    pub(crate) place: Place,
    pub(crate) reading: Reading,
}

/// Where a page begins.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    After(Box<Row>),
    Offset(usize),
}

/// One reading of a list from its beginning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    /// Readings of this list before that had more than a page, by this key.
    pub(crate) before: u64,
    /// Pages of this reading before.
    pub(crate) pages: u64,
}

/// Whose key reads which list, with which filters.
pub(crate) type Reader = (String, Route, Vec<(String, String)>);

/// The cursors that were given out.
#[derive(Debug, Default)]
pub(crate) struct Cursors {
    pub(crate) of_token: HashMap<String, Cursor>,
    /// Readings of more than a page that were begun.
    pub(crate) begun: HashMap<Reader, u64>,
}
