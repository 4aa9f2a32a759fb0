//! Answers lookups from the tables of agreed records and of drive files.
//!
//! Always true: a lookup of any length is a few statements. A size or an identity is looked for in all rows: that takes
//! about a second for a million, is rare, and needs no index that each written row would pay for.

use std::collections::BTreeMap;

use data_encoding::HEXUPPER;
use easel_wire::FileId;
use futures_util::TryStreamExt as _;
use sqlx::{QueryBuilder, Sqlite, SqlitePool};

use super::agreed::read_record;
use super::columns::{record_columns, to_json};
use super::drive::read_file;
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, to_sql};
use crate::sync::pointers::Pointer;
use crate::sync::tree::{Record, RemoteFile};
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
/// The records of files, from all rows. The parameter follows: the watched folder.
const RECORD: &str = concat!("SELECT ", record_columns!(), " FROM agreed WHERE kind <> 0 AND watch_id = ");
/// The same by the index of drive ids, which SQLite would not choose: it does not know that a folder has many rows.
const RECORD_BY_ID: &str =
    concat!("SELECT ", record_columns!(), " FROM agreed INDEXED BY agreed_drive_id WHERE kind <> 0 AND watch_id = ");
/// The same by the index of contents.
const RECORD_BY_HASH: &str =
    concat!("SELECT ", record_columns!(), " FROM agreed INDEXED BY agreed_hash WHERE kind <> 0 AND watch_id = ");
/// The same of those that have replaced a drive file.
const RECORD_REPLACING: &str = concat!(
    "SELECT ",
    record_columns!(),
    " FROM agreed INDEXED BY agreed_replacing WHERE replaces IS NOT NULL AND kind <> 0 AND watch_id = "
);
/// The one of some drive files, a list in JSON that follows, that a record has replaced.
const ONE_REPLACED: &str = " AND EXISTS (SELECT 1 FROM json_each(replaces) AS old
    WHERE old.value ->> '$.file' IN (SELECT value FROM json_each(";
const HASH: &str = "hash";
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
        let add = async |select: &'static str, column: &'static str, values: Option<String>, found: &mut _| {
            let Some(values) = values else { return Ok(()) };
            let mut sql = begin(select, watch.0);
            push_among(&mut sql, column, values);
            add_records(found, sql, self.read()?).await
        };
        let Values { ids, contents, sizes, identities } = Values::of(lookup)?;
        if let Some(ids) = &ids {
            let mut sql = begin(RECORD_REPLACING, watch.0);
            sql.push(ONE_REPLACED).push_bind(ids.clone()).push(")))");
            add_records(&mut found, sql, self.read()?).await?;
        }
        add(RECORD_BY_ID, "drive_id", ids, &mut found).await?;
        add(RECORD_BY_HASH, HASH, contents, &mut found).await?;
        add(RECORD, "size_bytes", sizes, &mut found).await?;
        add(RECORD, "identity", identities, &mut found).await?;
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
        let Values { ids, contents, sizes, .. } = Values::of(lookup)?;
        let asked = [("id", ids), (HASH, contents), ("size_bytes", sizes)];
        let asked = asked.into_iter().filter_map(|(column, values)| Some((column, values?)));
        for (column, values) in asked.chain(within) {
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
        Ok(Self {
            ids: (!ids.is_empty()).then(|| to_json(&ids)).transpose()?,
            contents: (!contents.is_empty()).then(|| to_json(&contents)).transpose()?,
            sizes: (!lookup.sizes.is_empty()).then(|| to_json(&lookup.sizes)).transpose()?,
            identities: (!identities.is_empty()).then(|| to_json(&identities)).transpose()?,
        })
    }
}
