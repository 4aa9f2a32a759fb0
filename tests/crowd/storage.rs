//! The data folder of a studio that has ended, looked at without the studio.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection as _, Row as _};

/// Opens the database of a data folder.
pub async fn open(data_dir: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(data_dir.join("studio.db"));
    SqliteConnection::connect_with(&options).await.expect("the studio's database")
}

/// What SQLite says of the database: `ok`.
pub async fn check_integrity(database: &mut SqliteConnection) -> String {
    sqlx::query("PRAGMA integrity_check").fetch_one(database).await.expect("a check").get(0)
}

/// Everything in any row of any table that could be the SHA-256 of a content, in hex.
pub async fn list_hashes(database: &mut SqliteConnection) -> BTreeSet<String> {
    let tables = sqlx::query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .fetch_all(&mut *database)
        .await
        .expect("tables");
    let mut hashes = BTreeSet::new();
    for table in tables {
        let table: String = table.get(0);
        let columns = query(database, format!("SELECT name FROM pragma_table_info('{table}')")).await;
        for column in columns {
            let wanted = format!(
                "SELECT DISTINCT lower(hex({column})) FROM {table} WHERE typeof({column}) = 'blob' AND length({column}) = 32"
            );
            hashes.extend(query(database, wanted).await);
        }
    }
    hashes
}

/// The first column of every row.
async fn query(database: &mut SqliteConnection, words: String) -> Vec<String> {
    // The names in it are the schema's own.
    let rows = sqlx::query(sqlx::AssertSqlSafe(words)).fetch_all(database).await.expect("rows");
    rows.iter().map(|row| row.get(0)).collect()
}

/// The names of all blobs on the disk, which are their SHA-256 in hex.
pub fn list_blobs(data_dir: &Path) -> BTreeSet<String> {
    let mut folders: Vec<PathBuf> = vec![data_dir.join("blobs/sha256")];
    let mut blobs = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of blobs").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                blobs.insert(entry.file_name().to_string_lossy().into_owned());
            }
        }
    }
    blobs
}
