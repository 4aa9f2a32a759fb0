//! The tables of a studio: what columns they have, what kind of value is in each, and what tells their rows apart.
//!
//! Asked of an empty database that has the schema in question, so that a table or column that a migration adds is known here by itself. The
//! same for both engines, whose schemas are alike ([`super::migrations`]). Not here: rows.

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use super::engine::Kind;
use super::migrations::bring_in_schema;
use crate::core::error::Error;

/// Tables that say something of the place where a studio is served and of the last minutes there, and nothing of the studio: they stay
/// behind. Which contents are just being removed from a bucket, what was taken of a rate, and how often a list has changed, mean nothing
/// anywhere else.
const OF_THE_PLACE: [&str; 5] = ["content_removals", "drive_changes", "rates", "readiness", "shared_settings"];

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in an order that is the same in every database.
    pub columns: Vec<Column>,
    /// The columns that tell its rows apart, in the order of the key.
    pub key: Vec<String>,
    /// Whether its key is a number that the engine counts, and never gives again.
    pub is_counted: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub kind: Kind,
}

impl Table {
    /// Its columns, as a statement lists them.
    pub(super) fn list_columns(&self) -> String {
        self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// The tables that a studio's database has in the schema of this number, but those that say only where it is.
///
/// # Errors
/// [`Error::Database`], [`Error::Migration`]; [`Error::Corrupt`] for a table that cannot be copied row by row.
pub(super) async fn list_of_schema(number: i64) -> Result<Vec<Table>, Error> {
    let mut conn = SqliteConnectOptions::new().in_memory(true).connect().await?;
    bring_in_schema(&mut conn, number).await?;
    let tables = read(&mut conn).await;
    conn.close().await?;
    tables
}

async fn read(conn: &mut SqliteConnection) -> Result<Vec<Table>, Error> {
    let rows: Vec<(String, bool, String, String, i64)> = sqlx::query_as(
        "SELECT tables.name, tables.sql LIKE '%AUTOINCREMENT%', columns.name, columns.type, columns.pk
         FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name <> '_sqlx_migrations'
         ORDER BY tables.name, columns.name",
    )
    .fetch_all(conn)
    .await?;
    let (mut tables, mut places) = (Vec::<Table>::new(), Vec::<Vec<(i64, String)>>::new());
    for (table, is_counted, column, kind, place) in rows {
        if OF_THE_PLACE.contains(&table.as_str()) {
            continue;
        }
        let kind = match kind.as_str() {
            "INTEGER" | "BIGINT" => Kind::Integer,
            "TEXT" => Kind::Text,
            "BLOB" => Kind::Bytes,
            _ => return Err(Error::Corrupt("a column of a kind that is not copied")),
        };
        if tables.last().is_none_or(|last| last.name != table) {
            tables.push(Table { name: table, columns: Vec::new(), key: Vec::new(), is_counted });
            places.push(Vec::new());
        }
        if let (Some(last), Some(places)) = (tables.last_mut(), places.last_mut()) {
            if place > 0 {
                places.push((place, column.clone()));
            }
            last.columns.push(Column { name: column, kind });
        }
    }
    for (table, mut key) in tables.iter_mut().zip(places) {
        key.sort_unstable();
        table.key = key.into_iter().map(|(_, column)| column).collect();
        if table.key.is_empty() {
            return Err(Error::Corrupt("a table whose rows nothing tells apart"));
        }
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::migrations::newest_schema;

    #[tokio::test]
    async fn every_table_of_a_studio_is_known_with_its_columns_and_its_key() {
        let tables = list_of_schema(newest_schema()).await.unwrap();
        let find = |name: &str| tables.iter().find(|table| table.name == name).unwrap();
        assert!(tables.len() > 25, "{tables:?}");
        assert_eq!(find("brand_kit_images").key, ["brand_kit_id", "group_name", "file_id"]);
        let counted: Vec<_> = tables.iter().filter(|table| table.is_counted).map(|table| &*table.name).collect();
        assert_eq!(counted, ["audit_log", "served_days"]);
        let kinds: Vec<_> = find("trash_counts").columns.iter().map(|column| (&*column.name, column.kind)).collect();
        assert!(kinds.contains(&("bytes", Kind::Integer)) && kinds.contains(&("trash_id", Kind::Bytes)), "{kinds:?}");
        assert!(tables.iter().all(|table| !OF_THE_PLACE.contains(&&*table.name)));
    }
}
