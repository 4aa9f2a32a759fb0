//! A new database filled with all rows of another, whichever engines the two are.
//!
//! As a restore by the engines' own programs does it, what is kept by triggers comes with the other rows and references are checked all
//! at once: triggers and references are taken off before and put on again after, in the transaction that fills, so a database is full or
//! empty and never half full. Always true: nothing is written to a database that holds anything of a studio; each table was read back
//! and compared with what was written to it. Both have the same schema. Not here: what says where a studio is ([`super::shared_settings`]),
//! and the contents that rows name.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Transaction};

use super::copies::list_tables;
use super::migrations::{bring_in_schema, bring_server_up_to_date, find_schema, newest_schema};
use super::place::ServerUrl;
use super::tables::{Table, list_of_schema};
use super::transfer::{TableSum, TellTables, copy, sum, tables_of};
use super::{DbConnection, Engine, shared_settings, turns};
use crate::core::error::Error;
use crate::core::private_files::{private_file, remove_if_there};

/// Why a database that was filled is closed until everything else has come too.
pub const UNFINISHED: &str = "what is brought here has not all come yet; run the restore or the move again";

/// A new file of SQLite's with the schema of this number, or this program's, and no row, to be filled. It is a draft: what writes it is not brought to the disk,
/// and where the filling is broken off it is good for nothing.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn begin_file(path: &Path, schema: Option<i64>) -> Result<DbConnection, Error> {
    remove_if_there(path)?;
    private_file().write(true).create_new(true).open(path)?;
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(false);
    let options = options.journal_mode(SqliteJournalMode::Memory).synchronous(SqliteSynchronous::Off);
    let mut conn = options.connect().await?;
    bring_in_schema(&mut conn, schema.unwrap_or_else(newest_schema)).await?;
    Ok(conn.into())
}

/// Brings this program's schema into a database of a server, to be filled.
///
/// # Errors
/// [`Error::Database`], [`Error::Migration`], [`Error::Usage`].
pub async fn bring_in_schema_of_server(url: &ServerUrl) -> Result<(), Error> {
    bring_server_up_to_date(&url.options()?).await
}

/// Refuses a database that has not the schema of this program, for what changes no schema by itself.
///
/// # Errors
/// [`Error::Usage`]; [`Error::Database`].
pub async fn check_schema(conn: &mut DbConnection) -> Result<(), Error> {
    match find_schema(conn).await? {
        Some(number) if number == newest_schema() => Ok(()),
        Some(_) => Err(Error::Usage(
            "the database is of an older easel-studio than this one: start the studio once with this one, and stop it"
                .to_owned(),
        )),
        None => Err(Error::Usage("there is no studio in the database".to_owned())),
    }
}

/// What is in a database that is to be filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Nothing of a studio.
    Nothing,
    /// What was brought to it, and was to be brought with more that has not come: nobody has served it.
    Unfinished,
    /// Something of a studio.
    Something,
}

/// Looks what is in a database that is to be filled.
///
/// # Errors
/// [`Error::Database`], [`Error::Usage`] for one of a newer program.
pub async fn look_into(conn: &mut DbConnection) -> Result<Holds, Error> {
    if is_empty(conn).await? {
        return Ok(Holds::Nothing);
    }
    // A database of an older program is not closed to anybody.
    let may_be_closed = find_schema(conn).await? == Some(newest_schema());
    let closed = if may_be_closed { shared_settings::find_closed(conn).await? } else { None };
    Ok(if closed.as_deref() == Some(UNFINISHED) { Holds::Unfinished } else { Holds::Something })
}

/// Empties a database of a server that was filled and not finished, in a transaction of [`begin`].
///
/// # Errors
/// [`Error::Database`], [`Error::Usage`].
pub async fn empty_unfinished(conn: &mut DbConnection) -> Result<(), Error> {
    let tables: Vec<String> = tables_of(conn).await?.into_iter().map(|table| table.name).collect();
    sqlx::query(AssertSqlSafe(format!("TRUNCATE {}", tables.join(", ")))).execute(conn).await?;
    Ok(())
}

/// Whether a database has none of a studio's tables, or no row in any.
async fn is_empty(conn: &mut DbConnection) -> Result<bool, Error> {
    let Some(number) = find_schema(conn).await? else {
        // Tables that were made by nobody's migrations, and are called as a studio's are.
        let there = list_tables(conn).await?;
        return Ok(list_of_schema(newest_schema()).await?.iter().all(|table| !there.contains(&table.name)));
    };
    for table in list_of_schema(number).await? {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {})", table.name);
        if sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *conn).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Begins the transaction that fills a database: nobody else writes to it meanwhile.
///
/// # Errors
/// [`Error::Database`].
pub async fn begin(conn: &mut DbConnection) -> Result<Transaction<'_, Engine>, Error> {
    if !conn.is_postgres() {
        return Ok(conn.begin_with("BEGIN IMMEDIATE").await?);
    }
    let mut tx = conn.begin().await?;
    turns::take_all(&mut tx).await?;
    Ok(tx)
}

/// Fills an empty database with the rows of another, in a transaction of [`begin`], and says what they are.
///
/// # Errors
/// [`Error::Usage`] where there is something in it; [`Error::Corrupt`] where the two have not the same schema, or what was written is not what was
/// read; [`Error::Database`], [`Error::StorageFull`].
pub async fn fill(
    to: &mut DbConnection,
    from: &mut DbConnection,
    tell: TellTables<'_>,
) -> Result<Vec<TableSum>, Error> {
    if find_schema(to).await? != find_schema(from).await? {
        return Err(Error::Corrupt("two databases that should have one schema"));
    }
    if !is_empty(to).await? {
        return Err(Error::Usage("the database holds something: an empty one is needed".to_owned()));
    }
    let tables = tables_of(from).await?;
    let taken_off = take_off(to, &tables).await?;
    let mut sums = Vec::with_capacity(tables.len());
    for (done, table) in tables.iter().enumerate() {
        tell(done as u64, tables.len() as u64);
        sums.push(copy(from, to, table).await?);
        if table.is_counted {
            let last = last_number(from, table).await?;
            count_on_from(to, table, last).await?;
        }
    }
    for sql in taken_off {
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *to).await?;
    }
    if !to.is_postgres() {
        check_references(to).await?;
    }
    for (table, read) in tables.iter().zip(&sums) {
        if sum(to, table).await? != *read {
            tracing::error!(table = table.name, "what was written to a table is not what was read");
            return Err(Error::Corrupt("a row that was just written"));
        }
    }
    Ok(sums)
}

/// Takes off triggers and references, and says by which statements they are put on again.
async fn take_off(conn: &mut DbConnection, tables: &[Table]) -> Result<Vec<String>, Error> {
    let (mut off, mut on) = (Vec::new(), Vec::new());
    if conn.is_postgres() {
        let references: Vec<(String, String, String)> = sqlx::query_as(
            "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
             WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname",
        )
        .fetch_all(&mut *conn)
        .await?;
        for (table, name, definition) in references {
            // Of the tables of a studio alone: whatever else lies in the database is none of its business.
            if tables.iter().any(|known| known.name == table) {
                off.push(format!("ALTER TABLE {table} DROP CONSTRAINT {name}"));
                on.push(format!("ALTER TABLE {table} ADD CONSTRAINT {name} {definition}"));
            }
        }
        for Table { name, .. } in tables {
            off.push(format!("ALTER TABLE {name} DISABLE TRIGGER USER"));
            on.push(format!("ALTER TABLE {name} ENABLE TRIGGER USER"));
        }
    } else {
        let triggers: Vec<(String, String)> =
            sqlx::query_as("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
                .fetch_all(&mut *conn)
                .await?;
        for (name, definition) in triggers {
            off.push(format!("DROP TRIGGER {name}"));
            on.push(definition);
        }
    }
    for sql in off {
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *conn).await?;
    }
    Ok(on)
}

/// The last number that the engine gave to a row of this table.
async fn last_number(conn: &mut DbConnection, table: &Table) -> Result<i64, Error> {
    let last: Option<i64> = if conn.is_postgres() {
        let asked = sqlx::query_scalar("SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass)");
        asked.bind(&table.name).bind(&table.key[0]).fetch_one(conn).await?
    } else {
        let asked = sqlx::query_scalar("SELECT seq FROM sqlite_sequence WHERE name = $1");
        asked.bind(&table.name).fetch_optional(conn).await?
    };
    Ok(last.unwrap_or_default())
}

/// Lets the engine count on from this number, so that none is given to two rows, also where the first is gone.
async fn count_on_from(conn: &mut DbConnection, table: &Table, last: i64) -> Result<(), Error> {
    if last < 1 {
        return Ok(());
    }
    if conn.is_postgres() {
        let set = sqlx::query("SELECT setval(pg_get_serial_sequence($1, $2)::regclass, $3)");
        set.bind(&table.name).bind(&table.key[0]).bind(last).execute(conn).await?;
        return Ok(());
    }
    let known = sqlx::query("UPDATE sqlite_sequence SET seq = $2 WHERE name = $1");
    if known.bind(&table.name).bind(last).execute(&mut *conn).await?.rows_affected() == 0 {
        let new = sqlx::query("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)");
        new.bind(&table.name).bind(last).execute(conn).await?;
    }
    Ok(())
}

async fn check_references(conn: &mut DbConnection) -> Result<(), Error> {
    let astray: Vec<(String,)> =
        sqlx::query_as("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1").fetch_all(conn).await?;
    match astray.first() {
        None => Ok(()),
        Some((table,)) => {
            tracing::error!(table, "a row refers to one that is not there");
            Err(Error::Corrupt("a row that refers to one that is not there"))
        }
    }
}
