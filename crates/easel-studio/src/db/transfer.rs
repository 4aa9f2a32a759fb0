//! Rows of whole tables, read from one database and written to another, whichever engines the two are; and sums by which tables are compared.
//!
//! Always true: rows go by in the order of their key, a batch of them in memory at a time; a sum is of every value of every row, and the
//! same in both engines. A text with a NUL in it counts as PostgreSQL keeps it, which has none. Not here: which database is fit to be
//! written to ([`super::filling`]).

use std::fmt::Write as _;

use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, Row as _};

use super::engine::{Arguments, Bound, Kind};
use super::migrations::find_schema;
use super::tables::{Table, list_of_schema};
use super::{DbConnection, DbRow};
use crate::core::error::Error;

/// Rows, values and bytes that are written with one statement at most. SQLite takes 32,766 values.
const ROWS_AT_ONCE: usize = 250;
const VALUES_AT_ONCE: usize = 8_000;
const BYTES_AT_ONCE: usize = 4 * 1024 * 1024;

/// What a table holds, to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSum {
    /// Its name.
    pub table: String,
    /// How many rows it has.
    pub rows: u64,
    /// The SHA-256 of all of them.
    pub sha256: [u8; 32],
}

/// Is told how many tables are done, and of how many.
pub type TellTables<'a> = &'a mut dyn FnMut(u64, u64);

/// The sums of all tables of a studio.
///
/// # Errors
/// [`Error::Database`]; [`Error::Usage`] where there is no schema, or one of a newer program.
pub async fn sum_all(conn: &mut DbConnection) -> Result<Vec<TableSum>, Error> {
    let mut sums = Vec::new();
    for table in tables_of(conn).await? {
        sums.push(sum(conn, &table).await?);
    }
    Ok(sums)
}

/// The tables of a studio that this database has by its schema.
///
/// # Errors
/// [`Error::Database`]; [`Error::Usage`] where there is no schema, or one of a newer program.
pub(super) async fn tables_of(conn: &mut DbConnection) -> Result<Vec<Table>, Error> {
    let number =
        find_schema(conn).await?.ok_or_else(|| Error::Usage("there is no studio in the database".to_owned()))?;
    list_of_schema(number).await
}

/// The sum of one table.
pub(super) async fn sum(conn: &mut DbConnection, table: &Table) -> Result<TableSum, Error> {
    let mut sum = Sum::of(table);
    let mut rows = sqlx::query(AssertSqlSafe(selection(table))).fetch(conn);
    while let Some(row) = rows.try_next().await? {
        sum.add(&read(table, &row)?);
    }
    Ok(sum.end())
}

/// Copies all rows of one table, and says what they were.
pub(super) async fn copy(from: &mut DbConnection, to: &mut DbConnection, table: &Table) -> Result<TableSum, Error> {
    let most = ROWS_AT_ONCE.min(VALUES_AT_ONCE / table.columns.len()).max(1);
    let (mut sum, mut batch) = (Sum::of(table), Batch::default());
    let mut rows = sqlx::query(AssertSqlSafe(selection(table))).fetch(from);
    while let Some(row) = rows.try_next().await? {
        let values = read(table, &row)?;
        sum.add(&values);
        batch.add(values);
        if batch.rows >= most || batch.bytes >= BYTES_AT_ONCE {
            std::mem::take(&mut batch).write(to, table).await?;
        }
    }
    batch.write(to, table).await?;
    Ok(sum.end())
}

/// All rows, in the order of their key, which both engines have by its bytes.
fn selection(table: &Table) -> String {
    format!("SELECT {} FROM {} ORDER BY {}", table.list_columns(), table.name, table.key.join(", "))
}

fn read(table: &Table, row: &DbRow) -> Result<Vec<Bound>, Error> {
    let value = |(number, kind): (usize, Kind)| {
        let value = match kind {
            Kind::Integer => row.try_get::<Option<i64>, _>(number)?.map(Bound::Integer),
            Kind::Text => row.try_get::<Option<String>, _>(number)?.map(Bound::Text),
            Kind::Bytes => row.try_get::<Option<Vec<u8>>, _>(number)?.map(Bound::Bytes),
        };
        Ok(value.unwrap_or(Bound::Null(kind)))
    };
    table.columns.iter().map(|column| column.kind).enumerate().map(value).collect()
}

/// Rows that wait to be written.
#[derive(Default)]
struct Batch {
    values: Vec<Bound>,
    rows: usize,
    bytes: usize,
}

impl Batch {
    fn add(&mut self, row: Vec<Bound>) {
        self.rows += 1;
        self.bytes += row.iter().map(size_of_value).sum::<usize>();
        self.values.extend(row);
    }

    async fn write(self, to: &mut DbConnection, table: &Table) -> Result<(), Error> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut text = format!("INSERT INTO {} ({}) VALUES ", table.name, table.list_columns());
        for row in 0..self.rows {
            text.push_str(if row == 0 { "(" } else { ", (" });
            for column in 0..table.columns.len() {
                let place = row * table.columns.len() + column + 1;
                // A string takes whatever is written to it.
                let _ = write!(text, "{}${place}", if column == 0 { "" } else { ", " });
            }
            text.push(')');
        }
        sqlx::query_with(AssertSqlSafe(text), Arguments::from(self.values)).execute(to).await?;
        Ok(())
    }
}

fn size_of_value(value: &Bound) -> usize {
    match value {
        Bound::Null(_) | Bound::Integer(_) => 8,
        Bound::Text(text) => text.len(),
        Bound::Bytes(bytes) => bytes.len(),
    }
}

/// The sum of a table whose rows go by.
struct Sum {
    table: String,
    rows: u64,
    hasher: Sha256,
}

impl Sum {
    fn of(table: &Table) -> Self {
        Self { table: table.name.clone(), rows: 0, hasher: Sha256::new() }
    }

    /// Each value with its kind and its length before it, so that no two rows come to the same bytes.
    fn add(&mut self, row: &[Bound]) {
        self.rows += 1;
        for value in row {
            match value {
                Bound::Null(_) => self.hasher.update([0]),
                Bound::Integer(number) => self.add_value(1, &number.to_be_bytes()),
                Bound::Text(text) if text.contains('\0') => {
                    self.add_value(2, text.replace('\0', "\u{FFFD}").as_bytes());
                }
                Bound::Text(text) => self.add_value(2, text.as_bytes()),
                Bound::Bytes(bytes) => self.add_value(3, bytes),
            }
        }
    }

    fn add_value(&mut self, kind: u8, bytes: &[u8]) {
        self.hasher.update([kind]);
        self.hasher.update((bytes.len() as u64).to_be_bytes());
        self.hasher.update(bytes);
    }

    fn end(self) -> TableSum {
        TableSum { table: self.table, rows: self.rows, sha256: self.hasher.finalize().into() }
    }
}
