//! Events: what the program tells the page without being asked.
//!
//! Always true: names are in the past tense; an event has no path of a given file, no key and no signed URL; events of
//! transfers come at most ten times a second for all transfers together. Not here: how an event reaches the page
//! ([`crate::ports::EventSink`]).

use serde::{Deserialize, Serialize};

use crate::backups::views::BackupProgress;
use crate::brand_kits::views::FoundBrandView;
use crate::connections::views::ConnectionView;
use crate::designs::views::DesignAttachment;
use crate::drive::views::DownloadView;
use crate::exports::views::ExportList;
use crate::migration::views::MigrationView;
use crate::notices::NoticeKind;
use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::synced::views::{SyncedFolderView, SyncedSource};
use crate::tasks::views::TaskView;
use crate::uploads::views::{DropOver, FilesTaken, TransferView, TransfersSummary};

/// Everything that the program tells the page.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each variant carries the type of its own name, which says what it means")]
pub enum Event {
    TransfersChanged(TransfersChanged),
    DriveChanged(DriveChanged),
    ConnectionChanged(ConnectionChanged),
    KeyStoreUnavailable(KeyStoreUnavailable),
    DropEntered(DropEntered),
    DropMoved(DropMoved),
    DropLeft(DropLeft),
    DropAwaitsStudio(DropAwaitsStudio),
    FilesDropped(FilesDropped),
    DeletionSettled(DeletionSettled),
    DownloadChanged(DownloadChanged),
    CloseRequested(CloseRequested),
    SyncedFoldersChanged(SyncedFoldersChanged),
    SyncedSourceDropped(SyncedSourceDropped),
    BrandFileDropped(BrandFileDropped),
    PlaceRequested(PlaceRequested),
    DesignsChanged(DesignsChanged),
    TasksChanged(TasksChanged),
    AttachmentsChanged(AttachmentsChanged),
    ExportsChanged(ExportsChanged),
    DeliveriesChanged(DeliveriesChanged),
    WebhooksReceived(WebhooksReceived),
    LinkOpened(LinkOpened),
    BackupMoved(BackupMoved),
    MigrationMoved(MigrationMoved),
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
    pub connection: Box<ConnectionView>,
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

/// The dragged files are over another of the screen's places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DropMoved {
    /// That place.
    pub over: DropOver,
}

/// The dragged files left the window again, or were dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DropLeft {}

/// Files were dropped before there was a service: they wait for the studio of this computer, and for `take_awaiting_drop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DropAwaitsStudio {
    /// How many files and folders wait by now.
    pub count: WholeNumber,
}

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

/// Designs were made or changed: list them again if they are on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignsChanged {
    /// The connection.
    pub connection_id: String,
    /// Those that were made or changed.
    pub design_ids: Vec<String>,
}

/// Tasks were asked for, moved on or ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TasksChanged {
    /// The connection.
    pub connection_id: String,
    /// The tasks as they are now.
    pub changed: Vec<TaskView>,
    /// Some are gone: list again.
    pub list_again: bool,
}

/// Files for a design were taken, moved on, arrived, or were not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AttachmentsChanged {
    /// The attachments as they are now.
    pub attachments: Vec<DesignAttachment>,
}

/// Exports moved on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ExportsChanged {
    /// The connection.
    pub connection_id: String,
    /// All of its exports as they are now.
    pub list: ExportList,
}

/// Deliveries were made or moved on: list them again if they are on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DeliveriesChanged {
    /// The connection.
    pub connection_id: String,
}

/// Synced folders of the connection in view moved on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedFoldersChanged {
    /// The connection that they belong to.
    pub connection_id: String,
    /// The folders that changed, as they are now.
    pub changed: Vec<SyncedFolderView>,
    /// Those that are no longer kept in step.
    pub removed: Vec<String>,
    /// Whether something happened that the history has: list it again if it is on the screen.
    pub has_history: bool,
}

/// A folder was dropped to be kept in step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedSourceDropped {
    /// The folder; `null` where what was dropped is none.
    pub source: Option<SyncedSource>,
    /// Why not.
    pub problem: Option<Problem>,
}

/// A file was dropped to begin a brand kit with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BrandFileDropped {
    /// What it shows of a brand.
    pub found: Option<FoundBrandView>,
    /// Why nothing.
    pub problem: Option<Problem>,
}

/// The person clicked on a message outside the window: show what it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PlaceRequested {
    /// The connection that it is about.
    pub connection_id: String,
    /// What kind of message it was.
    pub kind: NoticeKind,
}

/// The receiver on this computer has got something: look at it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct WebhooksReceived {}

/// A link was opened: ask for it with `take_link`, and show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LinkOpened {}

/// A backup of the built-in studio or a restore of it began, moved on or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupMoved {
    /// What is being done now; `null` at the end.
    pub under_way: Option<BackupProgress>,
}

/// A copy of the built-in studio to another connection began, moved on or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MigrationMoved {
    /// How it is now.
    pub view: Option<MigrationView>,
}
