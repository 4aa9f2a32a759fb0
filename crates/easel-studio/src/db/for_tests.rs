//! The databases of this crate's tests: SQLite's, or with `EASEL_TESTS_DATABASE` those of that PostgreSQL server, which
//! `with_postgres` of the tests' crate starts.
//!
//! Always true: a folder has one database, also where it is opened several times.

use std::path::Path;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _};

use super::Db;
use super::place::{self, DATABASE, DatabaseAt};

/// Gives the folder, which is new or was given one, the database that tests have now.
pub async fn settle(folder: &Path) {
    let Ok(server) = std::env::var("EASEL_TESTS_DATABASE") else { return };
    let name = format!("folder_{}", &HEXLOWER.encode(&Sha256::digest(folder.as_os_str().as_encoded_bytes()))[..32]);
    let url = format!("{server}/{name}");
    if place::of_folder(folder).unwrap() == DatabaseAt::Folder {
        let mut conn = PgConnection::connect(&format!("{server}/postgres")).await.unwrap();
        let made = format!("CREATE DATABASE {name} TEMPLATE template_of_a_studio");
        sqlx::raw_sql(AssertSqlSafe(made)).execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        place::settle(folder, &url.parse().unwrap()).unwrap();
    }
}

/// A database in a new folder, with nobody in it.
pub async fn open(folder: &Path) -> Db {
    settle(folder).await;
    match place::of_folder(folder).unwrap() {
        DatabaseAt::Folder => Db::open(&folder.join(DATABASE)).await.unwrap(),
        DatabaseAt::Server(url) => Db::connect(&url.options().unwrap()).await.unwrap(),
    }
}
