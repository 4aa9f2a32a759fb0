//! Transactions: each engine's own.

use sqlx::postgres::PgTransactionManager;
use sqlx::sqlite::SqliteTransactionManager;
use sqlx::{Error, SqlStr};
use sqlx_core::transaction::TransactionManager as Manager;

use super::Engine;
use super::connection::{DbConnection, Inner};

/// Begins and ends transactions.
pub struct TransactionManager;

impl Manager for TransactionManager {
    type Database = Engine;

    async fn begin(conn: &mut DbConnection, statement: Option<SqlStr>) -> Result<(), Error> {
        match &mut conn.inner {
            Inner::Sqlite(conn) => SqliteTransactionManager::begin(conn, statement).await,
            Inner::Postgres(conn) => PgTransactionManager::begin(conn, statement).await,
        }
    }

    async fn commit(conn: &mut DbConnection) -> Result<(), Error> {
        match &mut conn.inner {
            Inner::Sqlite(conn) => SqliteTransactionManager::commit(conn).await,
            Inner::Postgres(conn) => PgTransactionManager::commit(conn).await,
        }
    }

    async fn rollback(conn: &mut DbConnection) -> Result<(), Error> {
        match &mut conn.inner {
            Inner::Sqlite(conn) => SqliteTransactionManager::rollback(conn).await,
            Inner::Postgres(conn) => PgTransactionManager::rollback(conn).await,
        }
    }

    fn start_rollback(conn: &mut DbConnection) {
        match &mut conn.inner {
            Inner::Sqlite(conn) => SqliteTransactionManager::start_rollback(conn),
            Inner::Postgres(conn) => PgTransactionManager::start_rollback(conn),
        }
    }

    fn get_transaction_depth(conn: &DbConnection) -> usize {
        match &conn.inner {
            Inner::Sqlite(conn) => SqliteTransactionManager::get_transaction_depth(conn),
            Inner::Postgres(conn) => PgTransactionManager::get_transaction_depth(conn),
        }
    }
}
