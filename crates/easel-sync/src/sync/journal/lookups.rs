//! Answers lookups from the tables of agreed records and of drive files.
//!
//! Always true: a lookup of any length is a few statements. A content or a size is looked for in all rows: that takes
//! less than a second for a million, is rare, and needs no index that each written row would pay for.

use std::collections::BTreeMap;

use data_encoding::HEXUPPER;
use easel_wire::FileId;
use futures_util::TryStreamExt as _;
use sqlx::{QueryBuilder, Sqlite, SqlitePool};

use super::agreed::read_record;
use super::columns::to_json;
use super::drive::read_file;
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, to_sql};
use crate::sync::pointers::Pointer;
use crate::sync::tree::{Record, RemoteFile};
use crate::sync::unloaded::Lookup;

const RECORD: &str = "SELECT path, kind, standing, drive_id, identity, size_bytes, modified_us, hash, place_folder,
    place_name, replaces, changed_us FROM agreed WHERE kind <> 0 AND watch_id = ";
/// The records of the files directly in a folder: what lies in folders below it is stepped over, and not read, because a
/// small folder may have a million files below it. The parameters: the watched folder, where the folder's paths begin and
/// end, and from which character on they have their names.
const FILES_IN: &str = "WITH RECURSIVE steps (path) AS (
    SELECT (SELECT path FROM agreed WHERE watch_id = $1 AND path > $2 AND path < coalesce($3, x'')
            ORDER BY path LIMIT 1)
    UNION ALL
    SELECT (SELECT own.path FROM agreed AS own
            WHERE own.watch_id = $1 AND own.path < coalesce($3, x'') AND own.path >= CASE
              instr(substr(steps.path, $4), '/') WHEN 0 THEN steps.path || char(1)
              ELSE substr(steps.path, 1, $4 - 2 + instr(substr(steps.path, $4), '/')) || '0' END
            ORDER BY own.path LIMIT 1)
    FROM steps WHERE steps.path IS NOT NULL)
  SELECT own.path, kind, standing, drive_id, identity, size_bytes, modified_us, hash, place_folder, place_name,
    replaces, changed_us
  FROM steps CROSS JOIN agreed AS own ON own.watch_id = $1 AND own.path = steps.path
  WHERE kind <> 0 AND instr(substr(own.path, $4), '/') = 0";
/// Of the records that have replaced drive files, those that have replaced one of some.
const HAVE_REPLACED: &str = " AND replaces IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(replaces) AS old
    WHERE old.value ->> '$.file' IN (SELECT value FROM json_each(";
const FILE: &str = "SELECT id, folder, name, size_bytes, hash FROM drive_files WHERE connection_id = ";

impl Journal {
    /// The records of files that a lookup asks for.
    pub(crate) async fn find_agreed(&self, watch: WatchId, lookup: &Lookup) -> Result<BTreeMap<String, Record>, Error> {
        let mut found = BTreeMap::new();
        for folder in &lookup.folders {
            // The paths below a folder stand between `folder/` and `folder0`; a blob comes after every text.
            let (begin, end) = match folder.as_str() {
                "" => (String::new(), None),
                folder => (format!("{folder}/"), Some(format!("{folder}0"))),
            };
            let names_begin = to_sql(begin.chars().count() as u64 + 1);
            let sql = sqlx::query(FILES_IN).bind(watch.0).bind(begin).bind(end).bind(names_begin);
            let mut rows = sql.fetch(self.read()?);
            while let Some(row) = rows.try_next().await? {
                found.extend([read_record(&row)?]);
            }
        }
        let ids = list_ids(lookup)?;
        if let Some(ids) = &ids {
            let mut sql = begin(RECORD, watch.0);
            sql.push(HAVE_REPLACED).push_bind(ids.clone()).push(")))");
            add_records(&mut found, sql, self.read()?).await?;
        }
        let identities: Vec<i64> = lookup.identities.iter().map(|identity| identity.cast_signed()).collect();
        let identities = (!identities.is_empty()).then(|| to_json(&identities)).transpose()?;
        let identities = identities.map(|values| ("identity", values));
        let ids = ids.map(|ids| ("drive_id", ids));
        for (column, values) in values(lookup)?.into_iter().chain(ids).chain(identities) {
            let mut sql = begin(RECORD, watch.0);
            push_among(&mut sql, column, values);
            add_records(&mut found, sql, self.read()?).await?;
        }
        Ok(found)
    }

    /// The drive files that are pointers, by their names.
    pub(crate) async fn find_pointer_files(&self, connection_id: &str) -> Result<Vec<(FileId, RemoteFile)>, Error> {
        let mut sql = begin(FILE, connection_id.to_owned());
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
        let within = (!folders.is_empty()).then(|| to_json(&folders)).transpose()?.map(|folders| ("folder", folders));
        let ids = list_ids(lookup)?.map(|ids| ("id", ids));
        for (column, values) in values(lookup)?.into_iter().chain(ids).chain(within) {
            let mut sql = begin(FILE, connection_id.to_owned());
            push_among(&mut sql, column, values);
            let mut rows = sql.build().fetch(self.read()?);
            while let Some(row) = rows.try_next().await? {
                found.extend([read_file(&row)?]);
            }
        }
        Ok(found)
    }
}

fn begin<'a, T>(select: &'static str, of: T) -> QueryBuilder<Sqlite>
where
    T: sqlx::Encode<'a, Sqlite> + sqlx::Type<Sqlite> + Send + 'static,
{
    let mut sql = QueryBuilder::new(select);
    sql.push_bind(of);
    sql
}

/// Adds the records that a statement finds.
async fn add_records(
    found: &mut BTreeMap<String, Record>,
    mut sql: QueryBuilder<Sqlite>,
    pool: &SqlitePool,
) -> Result<(), Error> {
    let mut rows = sql.build().fetch(pool);
    while let Some(row) = rows.try_next().await? {
        found.extend([read_record(&row)?]);
    }
    Ok(())
}

/// Asks for rows in which a column has one of the values of a list in JSON.
fn push_among(sql: &mut QueryBuilder<Sqlite>, column: &'static str, values: String) {
    sql.push(" AND ").push(column).push(" IN (SELECT value FROM json_each(").push_bind(values).push("))");
}

/// The ids of drive files that a lookup asks about, as a list in JSON; `None` where there are none.
fn list_ids(lookup: &Lookup) -> Result<Option<String>, Error> {
    let ids: Vec<String> = lookup.files.iter().map(ToString::to_string).collect();
    (!ids.is_empty()).then(|| to_json(&ids)).transpose()
}

/// The contents and sizes of a lookup, each as a column and a list in JSON; those without values are left out.
fn values(lookup: &Lookup) -> Result<Vec<(&'static str, String)>, Error> {
    let mut all = Vec::new();
    if !lookup.contents.is_empty() {
        let contents: Vec<String> = lookup.contents.iter().map(|hash| HEXUPPER.encode(hash)).collect();
        all.push(("hex(hash)", to_json(&contents)?));
    }
    if !lookup.sizes.is_empty() {
        all.push(("size_bytes", to_json(&lookup.sizes)?));
    }
    Ok(all)
}
