//! How a connection is opened.

use std::str::FromStr;
use std::time::Duration;

use log::LevelFilter;
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Error};
use url::Url;

use super::DbConnection;

/// The options of a connection to one engine.
#[derive(Debug, Clone)]
pub enum ConnectOptions {
    /// To a file of SQLite's.
    Sqlite(Box<SqliteConnectOptions>),
    /// To a PostgreSQL server.
    Postgres(Box<PgConnectOptions>),
}

impl FromStr for ConnectOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::from_url(&text.parse().map_err(|error: url::ParseError| Error::Configuration(error.into()))?)
    }
}

impl sqlx::ConnectOptions for ConnectOptions {
    type Connection = DbConnection;

    fn from_url(url: &Url) -> Result<Self, Error> {
        match url.scheme() {
            "postgres" | "postgresql" => Ok(Self::Postgres(Box::new(PgConnectOptions::from_url(url)?))),
            _ => Ok(Self::Sqlite(Box::new(SqliteConnectOptions::from_url(url)?))),
        }
    }

    async fn connect(&self) -> Result<DbConnection, Error> {
        Ok(match self {
            Self::Sqlite(options) => options.connect().await?.into(),
            Self::Postgres(options) => options.connect().await?.into(),
        })
    }

    fn log_statements(self, level: LevelFilter) -> Self {
        match self {
            Self::Sqlite(options) => Self::Sqlite(Box::new(options.log_statements(level))),
            Self::Postgres(options) => Self::Postgres(Box::new(options.log_statements(level))),
        }
    }

    fn log_slow_statements(self, level: LevelFilter, duration: Duration) -> Self {
        match self {
            Self::Sqlite(options) => Self::Sqlite(Box::new(options.log_slow_statements(level, duration))),
            Self::Postgres(options) => Self::Postgres(Box::new(options.log_slow_statements(level, duration))),
        }
    }
}
