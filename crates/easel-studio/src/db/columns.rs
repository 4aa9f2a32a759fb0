//! Values of columns that are none of SQLite's own types.
//!
//! Always true: a value that is none of its kind is an error and never guessed.

use std::str::FromStr;

use easel_wire::Timestamp;
use sqlx::Row;

use crate::db::DbRow;
use crate::wire::UnknownValue;

/// The value of a closed list that a column holds as text.
pub(in crate::db) fn read_value<T: FromStr<Err = UnknownValue>>(row: &DbRow, column: &str) -> Result<T, sqlx::Error> {
    let text: String = row.try_get(column)?;
    text.parse()
        .map_err(|error: UnknownValue| sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(error) })
}

/// The moment that a column holds as microseconds since the Unix epoch.
pub(in crate::db) fn moment(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}
