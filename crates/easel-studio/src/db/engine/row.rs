//! Rows and what a statement did.

use sqlx::postgres::{PgQueryResult, PgRow};
use sqlx::query::{Query, QueryAs, QueryScalar};
use sqlx::sqlite::{SqliteQueryResult, SqliteRow};
use sqlx::{ColumnIndex, Either, Error, FromRow, IntoArguments, SqlStr};

use super::{Arguments, Engine, TypeInfo, ValueRef};

/// A row.
pub enum DbRow {
    /// Of SQLite's.
    Sqlite(SqliteRow),
    /// Of PostgreSQL's.
    Postgres(PgRow),
}

impl sqlx::Row for DbRow {
    type Database = Engine;

    fn len(&self) -> usize {
        match self {
            Self::Sqlite(row) => row.len(),
            Self::Postgres(row) => row.len(),
        }
    }

    /// Nothing: a column is found in the engine's own row, by its name or number, and never listed.
    fn columns(&self) -> &[Column] {
        &[]
    }

    fn try_get_raw<I: ColumnIndex<Self>>(&self, index: I) -> Result<ValueRef<'_>, Error> {
        let index = index.index(self)?;
        Ok(match self {
            Self::Sqlite(row) => ValueRef::Sqlite(row.try_get_raw(index)?),
            Self::Postgres(row) => ValueRef::Postgres(row.try_get_raw(index)?),
        })
    }
}

impl ColumnIndex<DbRow> for usize {
    fn index(&self, row: &DbRow) -> Result<usize, Error> {
        match row {
            DbRow::Sqlite(row) => ColumnIndex::index(self, row),
            DbRow::Postgres(row) => ColumnIndex::index(self, row),
        }
    }
}

impl ColumnIndex<DbRow> for &str {
    fn index(&self, row: &DbRow) -> Result<usize, Error> {
        match row {
            DbRow::Sqlite(row) => ColumnIndex::index(self, row),
            DbRow::Postgres(row) => ColumnIndex::index(self, row),
        }
    }
}

/// What a statement did.
#[derive(Debug, Default, Clone, Copy)]
pub struct QueryResult {
    rows_affected: u64,
}

impl QueryResult {
    /// How many rows it wrote or deleted.
    #[must_use]
    pub fn rows_affected(&self) -> u64 {
        self.rows_affected
    }
}

impl From<SqliteQueryResult> for QueryResult {
    fn from(done: SqliteQueryResult) -> Self {
        Self { rows_affected: done.rows_affected() }
    }
}

impl From<PgQueryResult> for QueryResult {
    fn from(done: PgQueryResult) -> Self {
        Self { rows_affected: done.rows_affected() }
    }
}

impl Extend<Self> for QueryResult {
    fn extend<T: IntoIterator<Item = Self>>(&mut self, more: T) {
        self.rows_affected += more.into_iter().map(|done| done.rows_affected).sum::<u64>();
    }
}

/// A column, of which there is no list.
#[derive(Debug)]
pub enum Column {}

impl sqlx::Column for Column {
    type Database = Engine;

    fn ordinal(&self) -> usize {
        match *self {}
    }

    fn name(&self) -> &str {
        match *self {}
    }

    fn type_info(&self) -> &TypeInfo {
        match *self {}
    }
}

/// A statement that was prepared by hand, which nothing here does: each engine prepares what it runs, and keeps it.
#[derive(Clone)]
pub enum Statement {}

impl sqlx::Statement for Statement {
    type Database = Engine;

    fn into_sql(self) -> SqlStr {
        match self {}
    }

    fn sql(&self) -> &SqlStr {
        match *self {}
    }

    fn parameters(&self) -> Option<Either<&[TypeInfo], usize>> {
        match *self {}
    }

    fn columns(&self) -> &[Column] {
        match *self {}
    }

    fn query(&self) -> Query<'_, Engine, Arguments> {
        match *self {}
    }

    fn query_with<A: IntoArguments<Engine>>(&self, _: A) -> Query<'_, Engine, A> {
        match *self {}
    }

    fn query_as<O: for<'r> FromRow<'r, DbRow>>(&self) -> QueryAs<'_, Engine, O, Arguments> {
        match *self {}
    }

    fn query_as_with<'s, O, A>(&'s self, _: A) -> QueryAs<'s, Engine, O, A>
    where
        O: for<'r> FromRow<'r, DbRow>,
        A: IntoArguments<Engine>,
    {
        match *self {}
    }

    fn query_scalar<O>(&self) -> QueryScalar<'_, Engine, O, Arguments>
    where
        (O,): for<'r> FromRow<'r, DbRow>,
    {
        match *self {}
    }

    fn query_scalar_with<'s, O, A>(&'s self, _: A) -> QueryScalar<'s, Engine, O, A>
    where
        (O,): for<'r> FromRow<'r, DbRow>,
        A: IntoArguments<Engine>,
    {
        match *self {}
    }
}
