//! Answers lookups from the tables of agreed records and of drive files.
//!
//! Always true: a lookup of any length is a few statements. A size or an identity is looked for in all rows: that takes
//! about a second for a million, is rare, and needs no index that each written row would pay for.

use std::collections::BTreeMap;

use data_encoding::HEXUPPER;
use easel_wire::FileId;
use futures_util::{Stream, TryStreamExt as _};
use serde::Serialize;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::agreed::read_record;
use super::columns::{record_columns, to_json};
use super::drive::read_file;
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, to_sql};
use crate::sync::pointers::Pointer;
use crate::sync::tree::{Record, RemoteFile, bounds_below};
use crate::sync::unloaded::Lookup;

/// The records of the files directly in a folder: what lies in folders below it is stepped over, and not read, because a
/// small folder may have a million files below it. The parameters: the watched folder, where the folder's paths begin and
/// end, and from which character on they have their names.
const FILES_IN: &str = concat!(
    "WITH RECURSIVE steps (path) AS (
    SELECT (SELECT path FROM agreed WHERE watch_id = $1 AND path > $2 AND path < coalesce($3, x'')
            ORDER BY path LIMIT 1)
    UNION ALL
    SELECT (SELECT own.path FROM agreed AS own
            WHERE own.watch_id = $1 AND own.path < coalesce($3, x'') AND own.path >= CASE
              instr(substr(steps.path, $4), '/') WHEN 0 THEN steps.path || char(1)
              ELSE substr(steps.path, 1, $4 - 2 + instr(substr(steps.path, $4), '/')) || '0' END
            ORDER BY own.path LIMIT 1)
    FROM steps WHERE steps.path IS NOT NULL)
  SELECT own.",
    record_columns!(),
    "
  FROM steps CROSS JOIN agreed AS own ON own.watch_id = $1 AND own.path = steps.path
  WHERE kind <> 0 AND instr(substr(own.path, $4), '/') = 0"
);
/// Of the records that have replaced drive files, those that have replaced one of some: a list of ids in JSON follows.
const HAVE_REPLACED: &str = " AND replaces IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(replaces) AS old
    WHERE old.value ->> '$.file' IN (SELECT value FROM json_each(";
const HASH: &str = "hash";
const FILE: &str = "SELECT id, folder, name, size_bytes, hash FROM drive_files WHERE connection_id = ";

impl Journal {
    /// The records of files that a lookup asks for.
    pub(crate) async fn find_agreed(&self, watch: WatchId, lookup: &Lookup) -> Result<BTreeMap<String, Record>, Error> {
        let mut found = BTreeMap::new();
        for folder in &lookup.folders {
            // Without an end, the statement goes on to a blob, which comes after every text.
            let (begin, end) = bounds_below(folder).unzip();
            let begin = begin.unwrap_or_default();
            let names_begin = to_sql(begin.chars().count() as u64 + 1);
            let sql = sqlx::query(FILES_IN).bind(watch.0).bind(begin).bind(end).bind(names_begin);
            gather(sql.fetch(self.read()?), read_record, &mut found).await?;
        }
        let Values { ids, contents, sizes, identities } = Values::of(lookup)?;
        if let Some(ids) = &ids {
            let mut sql = select_records(watch, Some("agreed_replacing"));
            sql.push(HAVE_REPLACED).push_bind(ids.clone()).push(")))");
            gather(sql.build().fetch(self.read()?), read_record, &mut found).await?;
        }
        let asked = [
            (Some("agreed_drive_id"), "drive_id", ids),
            (Some("agreed_hash"), HASH, contents),
            (None, "size_bytes", sizes),
            (None, "identity", identities),
        ];
        for (index, column, values) in asked {
            let Some(values) = values else { continue };
            let mut sql = select_records(watch, index);
            push_among(&mut sql, column, values);
            gather(sql.build().fetch(self.read()?), read_record, &mut found).await?;
        }
        Ok(found)
    }

    /// The drive files that are pointers, by their names.
    pub(crate) async fn find_pointer_files(&self, connection_id: &str) -> Result<Vec<(FileId, RemoteFile)>, Error> {
        let mut sql = select_files(connection_id);
        // All pointers begin with a dot, and few other files do.
        sql.push(" AND name >= '.' AND name < '/'");
        let mut rows = sql.build().fetch(self.read()?);
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            let (id, file) = read_file(&row)?;
            if Pointer::read(&file.name).is_some() {
                found.push((id, file));
            }
        }
        Ok(found)
    }

    /// The drive files that a lookup asks for.
    pub(crate) async fn find_drive_files(
        &self,
        connection_id: &str,
        lookup: &Lookup,
    ) -> Result<BTreeMap<FileId, RemoteFile>, Error> {
        let mut found = BTreeMap::new();
        let folders: Vec<String> = lookup.drive_folders.iter().map(ToString::to_string).collect();
        let Values { ids, contents, sizes, .. } = Values::of(lookup)?;
        let asked = [("id", ids), (HASH, contents), ("size_bytes", sizes), ("folder", list(&folders)?)];
        for (column, values) in asked {
            let Some(values) = values else { continue };
            let mut sql = select_files(connection_id);
            push_among(&mut sql, column, values);
            gather(sql.build().fetch(self.read()?), read_file, &mut found).await?;
        }
        Ok(found)
    }
}

/// The records of files of a watched folder; a condition may follow. SQLite would not choose an index that only this
/// folder's rows make worth while, because it does not know how many there are: so it is named.
fn select_records(watch: WatchId, index: Option<&'static str>) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new(concat!("SELECT ", record_columns!(), " FROM agreed"));
    if let Some(index) = index {
        sql.push(" INDEXED BY ").push(index);
    }
    sql.push(" WHERE kind <> 0 AND watch_id = ").push_bind(watch.0);
    sql
}

/// The files of a drive; a condition may follow.
fn select_files(connection_id: &str) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new(FILE);
    sql.push_bind(connection_id.to_owned());
    sql
}

/// Adds what rows hold, read one by one.
async fn gather<K: Ord, V>(
    mut rows: impl Stream<Item = Result<SqliteRow, sqlx::Error>> + Unpin,
    read: impl Fn(&SqliteRow) -> Result<(K, V), Error>,
    found: &mut BTreeMap<K, V>,
) -> Result<(), Error> {
    while let Some(row) = rows.try_next().await? {
        found.extend([read(&row)?]);
    }
    Ok(())
}

/// Asks for rows in which a column has one of the values of a list in JSON. A hash stands in it in hexadecimal digits.
fn push_among(sql: &mut QueryBuilder<Sqlite>, column: &'static str, values: String) {
    let value = if column == HASH { "unhex(value)" } else { "value" };
    sql.push(" AND ").push(column).push(" IN (SELECT ").push(value);
    sql.push(" FROM json_each(").push_bind(values).push("))");
}

/// What a lookup asks for, each as a list in JSON; `None` where it asks for none.
struct Values {
    ids: Option<String>,
    /// In hexadecimal digits.
    contents: Option<String>,
    sizes: Option<String>,
    identities: Option<String>,
}

impl Values {
    fn of(lookup: &Lookup) -> Result<Self, Error> {
        let ids: Vec<String> = lookup.files.iter().map(ToString::to_string).collect();
        let contents: Vec<String> = lookup.contents.iter().map(|hash| HEXUPPER.encode(hash)).collect();
        let identities: Vec<i64> = lookup.identities.iter().map(|identity| identity.cast_signed()).collect();
        let sizes: Vec<u64> = lookup.sizes.iter().copied().collect();
        Ok(Self { ids: list(&ids)?, contents: list(&contents)?, sizes: list(&sizes)?, identities: list(&identities)? })
    }
}

/// A list in JSON; `None` where nothing is in it.
fn list(values: &[impl Serialize]) -> Result<Option<String>, Error> {
    (!values.is_empty()).then(|| to_json(&values)).transpose()
}
