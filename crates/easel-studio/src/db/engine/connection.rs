//! A connection, and how a statement gets to the engine behind it.

use std::fmt;

use futures_util::future::{self, BoxFuture};
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt as _, StreamExt as _, TryFutureExt as _, TryStreamExt as _};
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::sqlite::{SqliteArguments, SqliteConnection};
use sqlx::{Acquire, Connection, Describe, Either, Error, Execute, Executor, SqlSafeStr, SqlStr, Transaction};

use super::postgres_text::for_postgres;
use super::{ConnectOptions, DbRow, Engine, QueryResult, Statement, TypeInfo};

/// A connection to the studio's database.
pub struct DbConnection {
    pub(super) inner: Inner,
}

pub(super) enum Inner {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl DbConnection {
    /// Whether PostgreSQL is behind it.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        matches!(self.inner, Inner::Postgres(_))
    }
}

impl fmt::Debug for DbConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_postgres() { "a connection to PostgreSQL" } else { "a connection to SQLite" })
    }
}

impl From<SqliteConnection> for DbConnection {
    fn from(inner: SqliteConnection) -> Self {
        Self { inner: Inner::Sqlite(inner) }
    }
}

impl From<PgConnection> for DbConnection {
    fn from(inner: PgConnection) -> Self {
        Self { inner: Inner::Postgres(inner) }
    }
}

impl Connection for DbConnection {
    type Database = Engine;
    type Options = ConnectOptions;

    async fn close(self) -> Result<(), Error> {
        match self.inner {
            Inner::Sqlite(conn) => conn.close().await,
            Inner::Postgres(conn) => conn.close().await,
        }
    }

    async fn close_hard(self) -> Result<(), Error> {
        match self.inner {
            Inner::Sqlite(conn) => conn.close_hard().await,
            Inner::Postgres(conn) => conn.close_hard().await,
        }
    }

    async fn ping(&mut self) -> Result<(), Error> {
        match &mut self.inner {
            Inner::Sqlite(conn) => conn.ping().await,
            Inner::Postgres(conn) => conn.ping().await,
        }
    }

    async fn begin(&mut self) -> Result<Transaction<'_, Engine>, Error> {
        Transaction::begin(self, None).await
    }

    fn begin_with(
        &mut self,
        statement: impl SqlSafeStr,
    ) -> impl Future<Output = Result<Transaction<'_, Engine>, Error>> + Send + '_ {
        Transaction::begin(self, Some(statement.into_sql_str()))
    }

    fn shrink_buffers(&mut self) {
        match &mut self.inner {
            Inner::Sqlite(conn) => conn.shrink_buffers(),
            Inner::Postgres(conn) => conn.shrink_buffers(),
        }
    }

    async fn flush(&mut self) -> Result<(), Error> {
        match &mut self.inner {
            Inner::Sqlite(conn) => conn.flush().await,
            Inner::Postgres(conn) => conn.flush().await,
        }
    }

    fn should_flush(&self) -> bool {
        match &self.inner {
            Inner::Sqlite(conn) => conn.should_flush(),
            Inner::Postgres(conn) => conn.should_flush(),
        }
    }
}

impl<'c> Acquire<'c> for &'c mut DbConnection {
    type Database = Engine;
    type Connection = Self;

    fn acquire(self) -> BoxFuture<'c, Result<Self, Error>> {
        future::ready(Ok(self)).boxed()
    }

    fn begin(self) -> BoxFuture<'c, Result<Transaction<'c, Engine>, Error>> {
        Transaction::begin(self, None).boxed()
    }
}

/// A statement with its values, for the engine that runs it.
enum Asked<'e> {
    Sqlite(&'e mut SqliteConnection, (SqlStr, Option<SqliteArguments>)),
    Postgres(&'e mut PgConnection, (SqlStr, Option<PgArguments>)),
}

impl DbConnection {
    fn ask<'e, 'q, E: Execute<'q, Engine>>(&'e mut self, mut query: E) -> Result<Asked<'e>, Error> {
        let arguments = query.take_arguments().map_err(Error::Encode)?;
        let sql = query.sql();
        Ok(match &mut self.inner {
            Inner::Sqlite(conn) => {
                let arguments = arguments.map(super::Arguments::for_sqlite).transpose().map_err(Error::Encode)?;
                Asked::Sqlite(conn, (sql, arguments))
            }
            Inner::Postgres(conn) => {
                let arguments = arguments.map(super::Arguments::for_postgres).transpose().map_err(Error::Encode)?;
                Asked::Postgres(conn, (for_postgres(sql), arguments))
            }
        })
    }
}

impl<'c> Executor<'c> for &'c mut DbConnection {
    type Database = Engine;

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<QueryResult, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Engine>,
    {
        match self.ask(query) {
            Ok(Asked::Sqlite(conn, asked)) => conn.execute(asked).map_ok(QueryResult::from).boxed(),
            Ok(Asked::Postgres(conn, asked)) => conn.execute(asked).map_ok(QueryResult::from).boxed(),
            Err(error) => future::ready(Err(error)).boxed(),
        }
    }

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Either<QueryResult, DbRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Engine>,
    {
        match self.ask(query) {
            Ok(Asked::Sqlite(conn, asked)) => {
                conn.fetch_many(asked).map_ok(|step| step.map_either(QueryResult::from, DbRow::Sqlite)).boxed()
            }
            Ok(Asked::Postgres(conn, asked)) => {
                conn.fetch_many(asked).map_ok(|step| step.map_either(QueryResult::from, DbRow::Postgres)).boxed()
            }
            Err(error) => stream::once(future::ready(Err(error))).boxed(),
        }
    }

    fn fetch_all<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Vec<DbRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Engine>,
    {
        match self.ask(query) {
            Ok(Asked::Sqlite(conn, asked)) => conn.fetch(asked).map_ok(DbRow::Sqlite).try_collect().boxed(),
            Ok(Asked::Postgres(conn, asked)) => conn.fetch(asked).map_ok(DbRow::Postgres).try_collect().boxed(),
            Err(error) => future::ready(Err(error)).boxed(),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<DbRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Engine>,
    {
        match self.ask(query) {
            Ok(Asked::Sqlite(conn, asked)) => conn.fetch_optional(asked).map_ok(|row| row.map(DbRow::Sqlite)).boxed(),
            Ok(Asked::Postgres(conn, asked)) => {
                conn.fetch_optional(asked).map_ok(|row| row.map(DbRow::Postgres)).boxed()
            }
            Err(error) => future::ready(Err(error)).boxed(),
        }
    }

    fn prepare_with<'e>(self, _: SqlStr, _: &'e [TypeInfo]) -> BoxFuture<'e, Result<Statement, Error>>
    where
        'c: 'e,
    {
        future::ready(Err(Error::Configuration("statements are prepared by the engines".into()))).boxed()
    }

    fn describe<'e>(self, _: SqlStr) -> BoxFuture<'e, Result<Describe<Engine>, Error>>
    where
        'c: 'e,
    {
        future::ready(Err(Error::Configuration("statements are described by the engines".into()))).boxed()
    }
}
