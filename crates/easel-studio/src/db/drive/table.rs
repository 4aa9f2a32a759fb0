//! The tables of drive items: the one place that knows the kinds.

use easel_wire::error::code;
use uuid::Uuid;

use crate::wire::ItemRef;

/// The tables of drive items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::db) enum Table {
    Folders,
    Canvases,
    Files,
}

impl Table {
    pub(in crate::db) const fn name(self) -> &'static str {
        match self {
            Self::Folders => "folders",
            Self::Canvases => "canvases",
            Self::Files => "files",
        }
    }

    pub(in crate::db) const fn parent_column(self) -> &'static str {
        match self {
            Self::Folders => "parent_id",
            Self::Canvases | Self::Files => "folder_id",
        }
    }
}

/// The table of an item, its id there, and the error that says it is not there.
pub(in crate::db) fn table_of(item: ItemRef) -> (Table, Uuid, &'static str) {
    match item {
        ItemRef::Folder(id) => (Table::Folders, id.uuid(), code::FOLDER_NOT_FOUND),
        ItemRef::Canvas(id) => (Table::Canvases, id.uuid(), code::CANVAS_NOT_FOUND),
        ItemRef::File(id) => (Table::Files, id.uuid(), code::FILE_NOT_FOUND),
    }
}
