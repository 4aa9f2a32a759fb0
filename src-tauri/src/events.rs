//! The events of the page: easel-app's own types, wrapped so that the page's bindings are generated from them.
//!
//! Always true: an event's name is its type's in easel-app; nothing is added to it here.

use easel_app::events as app;
use easel_app::ports::EventSink;
use serde::{Deserialize, Serialize};
use tauri::AppHandle;
use tauri_specta::Event as _;

/// The page as the sink of events.
pub(crate) struct Page {
    handle: AppHandle,
}

impl Page {
    pub(crate) const fn new(handle: AppHandle) -> Self {
        Self { handle }
    }
}

impl EventSink for Page {
    fn emit(&self, event: app::Event) {
        emit(&self.handle, event);
    }
}

macro_rules! events {
    ($($wrapper:ident, $variant:ident, $name:literal;)+) => {
        $(
            #[doc = concat!("Carries a [`app::", stringify!($variant), "`].")]
            #[derive(Debug, Clone, Serialize, Deserialize, specta::Type, tauri_specta::Event)]
            #[tauri_specta(event_name = $name)]
            pub struct $wrapper(pub app::$variant);
        )+

        /// Every event, with the types that the page sees.
        pub(crate) fn collect() -> tauri_specta::Events {
            tauri_specta::collect_events![$($wrapper),+]
        }

        /// Passes an event to the page. If the page is gone, that is no error.
        fn emit(window: &AppHandle, event: app::Event) {
            let passed = match event {
                $(app::Event::$variant(body) => $wrapper(body).emit(window),)+
            };
            if let Err(error) = passed {
                tracing::debug!(%error, "an event found no page");
            }
        }
    };
}

events! {
    TransfersChangedEvent, TransfersChanged, "transfers_changed";
    DriveChangedEvent, DriveChanged, "drive_changed";
    ConnectionChangedEvent, ConnectionChanged, "connection_changed";
    KeyStoreUnavailableEvent, KeyStoreUnavailable, "key_store_unavailable";
    DropEnteredEvent, DropEntered, "drop_entered";
    DropMovedEvent, DropMoved, "drop_moved";
    DropLeftEvent, DropLeft, "drop_left";
    DropAwaitsStudioEvent, DropAwaitsStudio, "drop_awaits_studio";
    FilesDroppedEvent, FilesDropped, "files_dropped";
    DeletionSettledEvent, DeletionSettled, "deletion_settled";
    DownloadChangedEvent, DownloadChanged, "download_changed";
    CloseRequestedEvent, CloseRequested, "close_requested";
    SyncedFoldersChangedEvent, SyncedFoldersChanged, "synced_folders_changed";
    SyncedSourceDroppedEvent, SyncedSourceDropped, "synced_source_dropped";
    BrandFileDroppedEvent, BrandFileDropped, "brand_file_dropped";
    PlaceRequestedEvent, PlaceRequested, "place_requested";
    DesignsChangedEvent, DesignsChanged, "designs_changed";
    TasksChangedEvent, TasksChanged, "tasks_changed";
    AttachmentsChangedEvent, AttachmentsChanged, "attachments_changed";
    ExportsChangedEvent, ExportsChanged, "exports_changed";
    DeliveriesChangedEvent, DeliveriesChanged, "deliveries_changed";
    WebhooksReceivedEvent, WebhooksReceived, "webhooks_received";
    LinkOpenedEvent, LinkOpened, "link_opened";
    BackupMovedEvent, BackupMoved, "backup_moved";
    MigrationMovedEvent, MigrationMoved, "migration_moved";
}
