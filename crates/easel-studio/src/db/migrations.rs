//! Brings the schema of a database up to date, after a copy of what it was.
//!
//! Always true: a database that holds something is copied before its schema changes, into `before-migration` beside it, and a
//! copy that fails leaves the schema as it was. Copies are never removed here: they are few, one for each new schema, and the
//! way back to an older program. Not here: the migrations themselves.

use std::path::Path;

use sqlx::migrate::{Migrate, Migrator};
use sqlx::sqlite::SqlitePool;

use super::copies::copy_into;
use crate::error::Error;

/// The folder of the copies, beside the database.
pub const COPIES: &str = "before-migration";

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Runs what was not run yet.
///
/// # Errors
/// [`Error::Database`], [`Error::Migration`] also for a database that is newer than this build, [`Error::Io`],
/// [`Error::StorageFull`].
pub async fn bring_up_to_date(pool: &SqlitePool, database: &Path) -> Result<(), Error> {
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
