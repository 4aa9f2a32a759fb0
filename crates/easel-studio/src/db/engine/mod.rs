//! The two engines behind one vocabulary: SQLite, and PostgreSQL 15 or newer.
//!
//! A driver of sqlx's own kind that has no protocol: each of its types is one of SQLite's or one of PostgreSQL's, so
//! that every statement is written once, with sqlx's own `query`, `bind` and `try_get`, and which engine runs it is
//! settled where a connection is opened. Always true: a value crosses without a copy where the engine gives it without
//! one, and SQLite gets each text letter for letter; what PostgreSQL writes otherwise is changed on the way to it
//! ([`postgres_text`]). The kinds of values are those that the studio's columns have ([`values`]), and no others.
//!
//! Not here: which connections there are ([`super::database`]), and statements.

mod arguments;
mod connection;
mod options;
mod postgres_text;
mod row;
mod transaction;
mod values;

pub use arguments::{Arguments, Bound};
pub use connection::DbConnection;
pub use options::ConnectOptions;
pub use row::{Column, DbRow, QueryResult, Statement};
pub use transaction::TransactionManager;
pub use values::{Kind, TypeInfo, Value, ValueRef};

/// The studio's database, whichever engine it is.
#[derive(Debug)]
pub struct Engine;

impl sqlx::Database for Engine {
    type Connection = DbConnection;
    type TransactionManager = TransactionManager;
    type Row = DbRow;
    type QueryResult = QueryResult;
    type Column = Column;
    type TypeInfo = TypeInfo;
    type Value = Value;
    type ValueRef<'r> = ValueRef<'r>;
    type Arguments = Arguments;
    type ArgumentBuffer = Vec<Bound>;
    type Statement = Statement;

    const NAME: &'static str = "SQLite or PostgreSQL";
    const URL_SCHEMES: &'static [&'static str] = &[];
}
