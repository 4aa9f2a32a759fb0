//! What the program tells the page without being asked.
//!
//! Always true: names are in the past tense; an event carries no path, no key and no signed URL; events of transfers
//! come at most ten times a second for all transfers together. Not here: how an event reaches the page (the shell's
//! [`EventSink`]).

use serde::{Deserialize, Serialize};

use crate::connections::ConnectionView;
use crate::drive::DownloadView;
use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::uploads::{FilesTaken, TransferView, TransfersSummary};

/// Where events go; the shell passes them to the page.
pub trait EventSink: Send + Sync + 'static {
    /// Passes an event on. Must not block; a page that is gone is no error.
    fn emit(&self, event: Event);
}

/// Everything that the program tells the page.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each variant carries the type of its own name, which says what it means")]
pub enum Event {
    TransfersChanged(TransfersChanged),
    DriveChanged(DriveChanged),
    ConnectionChanged(ConnectionChanged),
    KeyStoreUnavailable(KeyStoreUnavailable),
    DropEntered(DropEntered),
    DropLeft(DropLeft),
    FilesDropped(FilesDropped),
    DeletionSettled(DeletionSettled),
    DownloadChanged(DownloadChanged),
    CloseRequested(CloseRequested),
}

/// Transfers of the connection in view moved on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TransfersChanged {
    /// The connection that they belong to.
    pub connection_id: String,
    /// The whole queue in figures.
    pub summary: TransfersSummary,
    /// The transfers that changed since the last event.
    pub changed: Vec<TransferView>,
    /// More changed than an event carries, or transfers are gone: list again.
    pub list_again: bool,
}

/// What a folder holds is no longer what it was: list it again if it is on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DriveChanged {
    /// The connection.
    pub connection_id: String,
    /// The folders that changed; `null` is the top of the drive.
    pub folder_ids: Vec<Option<String>>,
}

/// A connection's state, account or problem changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ConnectionChanged {
    /// The connection as it is now.
    pub connection: ConnectionView,
}

/// The system's keychain did not give or take a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct KeyStoreUnavailable {
    /// The connection whose key it is about.
    pub connection_id: Option<String>,
    /// Which of the three it is: absent, locked or refusing.
    pub problem: Problem,
}

/// Files are being dragged over the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DropEntered {
    /// How many files and folders.
    pub count: WholeNumber,
    /// Where they would land, in a person's words; `null` where this screen takes no files.
    pub target_label: Option<String>,
}

/// The dragged files left the window again, or were dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DropLeft {}

/// Files were dropped on the window and have been taken or refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct FilesDropped {
    /// What was taken and what was skipped; `null` where nothing could be taken at all.
    pub taken: Option<FilesTaken>,
    /// Why nothing could be taken.
    pub problem: Option<Problem>,
}

/// A deletion that could be undone for a while has been sent, or could not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DeletionSettled {
    /// From `delete_items`.
    pub deletion_id: String,
    /// How many items are gone.
    pub deleted: WholeNumber,
    /// Why the rest is still there.
    pub problem: Option<Problem>,
}

/// A download started, moved on or ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DownloadChanged {
    /// The download as it is now.
    pub download: DownloadView,
}

/// The person wants to close the window while something is being sent: ask, then call `confirm_close`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CloseRequested {
    /// How many transfers are not finished. They go on at the next start.
    pub unfinished: WholeNumber,
}
