//! Reads and writes the columns of these tables, and says how many rows go in one statement.

use easel_wire::Id;
use easel_wire::id::Kind;

use crate::shared::error::Error;

/// So many rows go in one statement.
const ROWS_AT_ONCE: usize = 128;

/// The columns of an agreed record, the path first, in the order in which it is read.
macro_rules! record_columns {
    () => {
        "path, kind, standing, drive_id, identity, size_bytes, modified_us, hash, place_folder, place_name, replaces, changed_us"
    };
}
pub(super) use record_columns;

/// An id as the service wrote it.
pub(super) fn id<K: Kind>(text: &str) -> Result<Id<K>, Error> {
    Id::new(text).map_err(|_| damaged("an id that is none"))
}

pub(super) fn damaged(detail: &str) -> Error {
    Error::JournalDamaged { detail: detail.to_owned() }
}

pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::JournalUnavailable { detail: error.to_string() })
}

pub(super) fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| damaged(&error.to_string()))
}

/// Splits rows into groups of two lengths only, so that few statements have to be prepared.
pub(super) fn in_few_lengths<T>(rows: &[T]) -> impl Iterator<Item = &[T]> {
    let whole = rows.len() / ROWS_AT_ONCE * ROWS_AT_ONCE;
    rows[..whole].chunks(ROWS_AT_ONCE).chain(rows[whole..].chunks(1))
}
