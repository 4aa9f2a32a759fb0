//! Brings the schema of a database up to date, after a copy of what it was.
//!
//! Always true: a database that holds something is copied before its schema changes, into `before-migration` beside it, and a
//! copy that fails leaves the schema as it was. Copies are never removed here: they are few, one for each new schema, and the
//! way back to an older program. Not here: the migrations themselves.

use std::path::Path;

use sqlx::migrate::{Migrate, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

use super::copies::copy_into;
use crate::error::Error;

/// The folder of the copies, beside the database.
pub const COPIES: &str = "before-migration";

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Runs what was not run yet, on a connection of its own: what that has read and prepared would stay in memory with one that
/// serves.
///
/// # Errors
/// [`Error::Database`], [`Error::Migration`] also for a database that is newer than this build, [`Error::Io`],
/// [`Error::StorageFull`].
pub async fn bring_up_to_date(options: &SqliteConnectOptions, database: &Path) -> Result<(), Error> {
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
    let ended = migrate(&pool, database).await;
    pool.close().await;
    ended
}

async fn migrate(pool: &SqlitePool, database: &Path) -> Result<(), Error> {
    let mut conn = pool.acquire().await?;
    let known: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_sqlx_migrations')")
        .fetch_one(&mut *conn)
        .await?;
    if known {
        let applied: Vec<i64> = conn
            .list_applied_migrations(&MIGRATIONS.table_name)
            .await?
            .into_iter()
            .map(|migration| migration.version)
            .collect();
        let is_older = MIGRATIONS.iter().any(|migration| !applied.contains(&migration.version));
        if let Some(newest) = applied.iter().max().filter(|_| is_older) {
            let folder = database.parent().unwrap_or(Path::new(".")).join(COPIES);
            std::fs::create_dir_all(&folder)?;
            let moment = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%S");
            let copy = folder.join(format!("studio-{newest:04}-{moment}.db"));
            copy_into(&mut conn, &copy).await?;
            tracing::info!(copy = %copy.display(), "copied the database before its schema changes");
        }
    }
    drop(conn);
    Ok(MIGRATIONS.run(pool).await?)
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;
    use sqlx::sqlite::SqliteConnection;

    use super::*;
    use crate::db::Db;
    use crate::db::copies::open_as_it_is;

    const ROW: &str = "SELECT COUNT(*) FROM readiness";

    /// A database as the program before this one left it, with a row; its newest version.
    async fn older(path: &Path) -> i64 {
        let all: Vec<_> = MIGRATIONS.iter().cloned().collect();
        let (_, before) = all.split_last().unwrap();
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let mut conn = SqliteConnection::connect_with(&options).await.unwrap();
        Migrator::with_migrations(before.to_vec()).run(&mut conn).await.unwrap();
        sqlx::query("INSERT INTO readiness (id, checked_at) VALUES (1, 7)").execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        before.last().unwrap().version
    }

    /// The versions of a database, and whether its row is there.
    async fn look(path: &Path) -> (Option<i64>, i64) {
        let mut conn = open_as_it_is(path).await.unwrap();
        let versions = conn.list_applied_migrations(&MIGRATIONS.table_name).await.unwrap();
        let rows = sqlx::query_scalar(ROW).fetch_one(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        (versions.iter().map(|migration| migration.version).max(), rows)
    }

    #[tokio::test]
    async fn an_older_database_is_copied_as_it_was_before_its_schema_changes_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.db");
        let version = older(&path).await;
        let newest = MIGRATIONS.iter().map(|migration| migration.version).max();
        for _ in 0..2 {
            Db::open(&path).await.unwrap().close().await;
            assert_eq!(look(&path).await, (newest, 1));
            let copies: Vec<_> = std::fs::read_dir(folder.path().join(COPIES)).unwrap().map(Result::unwrap).collect();
            assert_eq!(copies.len(), 1, "a schema that is up to date needs no copy");
            let name = copies[0].file_name().into_string().unwrap();
            assert!(name.starts_with(&format!("studio-{version:04}-")), "{name}");
            assert_eq!(look(&copies[0].path()).await, (Some(version), 1));
        }
    }

    #[tokio::test]
    async fn a_copy_that_cannot_be_made_leaves_the_schema_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.db");
        let version = older(&path).await;
        std::fs::write(folder.path().join(COPIES), b"in the way").unwrap();
        assert!(matches!(Db::open(&path).await, Err(Error::Io(_))));
        assert_eq!(look(&path).await, (Some(version), 1));
    }

    #[tokio::test]
    async fn a_new_database_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        Db::open(&folder.path().join("studio.db")).await.unwrap().close().await;
        assert!(!folder.path().join(COPIES).exists());
    }
}
