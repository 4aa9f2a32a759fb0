//! Brings the schema of a database up to date, after copying the database.
//!
//! Always true: a database that is not empty is copied before its schema changes, into `before-migration` beside it,
//! and if the copy fails the schema stays as it was. Copies are never removed here: they are few, one for each new
//! schema, and the way back to an older program. The schemas of both engines are numbered by SQLite's migrations, so that a database of the
//! one is known to have the tables of the other. Not here: the migrations themselves.

use std::path::Path;

use sqlx::migrate::{Migrate, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions as _, Connection as _};

use super::DbConnection;
use super::copies::{copy_into, list_tables};
use crate::core::error::Error;

/// The folder of the copies, beside the database.
pub const COPIES: &str = "before-migration";

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

static POSTGRES_MIGRATIONS: Migrator = sqlx::migrate!("./migrations-postgres");

/// Schemas with the same tables and columns: the newest migration of PostgreSQL's, and that of SQLite's.
const ALIKE: [(i64, i64); 5] = [(1, 23), (2, 24), (3, 25), (4, 26), (5, 27)];

/// Runs the missing migrations, on a connection of its own: one that serves afterwards would keep what they read and
/// prepared in memory.
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

/// Runs the missing migrations of a PostgreSQL database, under the lock that the engine has for it. Nothing is copied
/// before: a server has backups of its own.
///
/// # Errors
/// [`Error::Database`], [`Error::Migration`] also for a database that is newer than this build.
pub async fn bring_server_up_to_date(options: &PgConnectOptions) -> Result<(), Error> {
    let mut conn = options.connect().await?;
    #[cfg(feature = "test-switches")]
    let ended = later::of_postgres().run(&mut conn).await;
    #[cfg(not(feature = "test-switches"))]
    let ended = POSTGRES_MIGRATIONS.run(&mut conn).await;
    conn.close().await?;
    Ok(ended?)
}

/// A program of a later version, for tests: one that brings in a migration more. A program that is delivered has no such switch.
#[cfg(feature = "test-switches")]
mod later {
    use sqlx::AssertSqlSafe;
    use sqlx::SqlSafeStr as _;
    use sqlx::migrate::{Migration, MigrationType, Migrator};

    use super::POSTGRES_MIGRATIONS;

    /// The file of that migration, in the environment.
    const ONE_MORE: &str = "EASEL_STUDIO_TESTS_MIGRATION";

    /// PostgreSQL's migrations, and the one more where there is one.
    pub(super) fn of_postgres() -> Migrator {
        let mut known: Vec<Migration> = POSTGRES_MIGRATIONS.iter().cloned().collect();
        if let Some(file) = std::env::var_os(ONE_MORE) {
            let sql = std::fs::read_to_string(file).expect("the file of the migration");
            let is_by_itself = sql.starts_with("-- no-transaction");
            let sql = AssertSqlSafe(sql).into_sql_str();
            known.push(Migration::new(1_000_000, "of the tests".into(), MigrationType::Simple, sql, is_by_itself));
        }
        Migrator::with_migrations(known)
    }
}

/// The number of this program's schema: SQLite's newest migration.
#[must_use]
pub fn newest_schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// The number of the schema that a database has, whichever engine it is; `None` where it has none.
///
/// # Errors
/// [`Error::Usage`] for one that is newer than this build; [`Error::Database`].
pub async fn find_schema(conn: &mut DbConnection) -> Result<Option<i64>, Error> {
    if !list_tables(conn).await?.iter().any(|table| table == "_sqlx_migrations") {
        return Ok(None);
    }
    let newest = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations");
    let Some(newest) = newest.fetch_one(&mut *conn).await? else { return Ok(None) };
    let known = match conn.is_postgres() {
        true => ALIKE.iter().find(|(of_postgres, _)| *of_postgres == newest).map(|(_, number)| *number),
        false => MIGRATIONS.version_exists(newest).then_some(newest),
    };
    let newer = || Error::Usage("the database is of a newer easel-studio than this one: use that one".to_owned());
    known.map(Some).ok_or_else(newer)
}

/// Brings the schema of this number into a database of SQLite's that is empty.
///
/// # Errors
/// [`Error::Migration`], [`Error::StorageFull`].
pub async fn bring_in_schema(conn: &mut SqliteConnection, number: i64) -> Result<(), Error> {
    let known = MIGRATIONS.iter().filter(|migration| migration.version <= number).cloned().collect();
    Ok(Migrator::with_migrations(known).run(conn).await?)
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
    use sqlx::migrate::Migration;

    use super::*;
    use crate::db::leases::{self, ExpiredLeases, Holder};
    use crate::db::options::options_of;
    use crate::db::{Db, exports, tasks, webhooks};

    /// Work that a program before leases left running or waiting.
    const UNDER_WAY: [&str; 4] = [
        "INSERT INTO tasks (id, organization_id, team_id, api_key_id, created_by, private_to, kind, status, input,
           conversation_id, attempt, created_at, queued_at)
         SELECT randomblob(16), randomblob(16), randomblob(16), randomblob(16), randomblob(16), x'', 'design', column1, column1,
           randomblob(16), 2, 5, 5 FROM (VALUES ('running'), ('queued'), ('succeeded'))",
        "INSERT INTO exports (id, team_id, canvas_id, created_by, document_hash, format, pixel_ratio, flatten, total_pages, basename,
           status, attempt, created_at)
         SELECT randomblob(16), randomblob(16), randomblob(16), randomblob(16), randomblob(32), 'png', 1, 1, 1, column1, column1, 2, 5
           FROM (VALUES ('running'), ('queued'))",
        "INSERT INTO webhook_deliveries (id, team_id, api_key_id, task_id, event_id, event_type, target_url, status, attempts, request_body,
           created_at, next_attempt_at)
         SELECT randomblob(16), randomblob(16), randomblob(16), randomblob(16), randomblob(16), 'task.failed', 'x', column1, 1, '', 5, column2
           FROM (VALUES ('pending', NULL), ('pending', 9), ('succeeded', NULL))",
        "INSERT INTO webhook_attempts (delivery_id, number, started_at) SELECT id, 1, 5 FROM webhook_deliveries",
    ];

    const ROW: &str = "SELECT COUNT(*) FROM readiness";

    #[test]
    fn each_schema_of_postgres_is_like_one_of_sqlite() {
        let newest = POSTGRES_MIGRATIONS.iter().map(|migration| migration.version).max();
        assert_eq!(ALIKE.last().copied(), newest.map(|newest| (newest, newest_schema())));
        let known: Vec<i64> = POSTGRES_MIGRATIONS.iter().map(|migration| migration.version).collect();
        assert_eq!(ALIKE.map(|(of_postgres, _)| of_postgres).to_vec(), known);
    }

    /// A database as a program left it that knew no more than these migrations.
    async fn open_older(path: &Path, known: Vec<Migration>) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(true).foreign_keys(false);
        let mut conn = SqliteConnection::connect_with(&options).await.unwrap();
        Migrator::with_migrations(known).run(&mut conn).await.unwrap();
        conn
    }

    /// A database as the program before this one left it, with a row; its newest version.
    async fn older(path: &Path) -> i64 {
        let all: Vec<_> = MIGRATIONS.iter().cloned().collect();
        let (_, before) = all.split_last().unwrap();
        let mut conn = open_older(path, before.to_vec()).await;
        sqlx::query("INSERT INTO readiness (id, checked_at) VALUES (1, 7)").execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        before.last().unwrap().version
    }

    /// The versions of a database, and whether its row is there.
    async fn look(path: &Path) -> (Option<i64>, i64) {
        let mut conn = options_of(path).connect().await.unwrap();
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
    async fn what_a_program_left_under_way_that_knew_no_leases_is_nobodys() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.db");
        let known = MIGRATIONS.iter().filter(|migration| migration.version < 21).cloned().collect();
        let mut conn = open_older(&path, known).await;
        for left in UNDER_WAY {
            sqlx::query(left).execute(&mut conn).await.unwrap();
        }
        conn.close().await.unwrap();
        let db = Db::open(&path).await.unwrap();
        let holder = Holder::new(uuid::Uuid::now_v7());
        let now = easel_wire::Timestamp::from_micros(7);
        for over in [
            ExpiredLeases::expired(holder, now, std::time::Duration::from_secs(30)),
            ExpiredLeases::of_all_others(holder),
        ] {
            let mut tx = db.begin().await.unwrap();
            assert!(leases::is_any_over(&mut tx, over).await.unwrap());
            let left = tasks::list_over(&mut tx, over).await.unwrap();
            let found: Vec<_> = left.iter().map(|task| (task.input.as_str(), task.attempt)).collect();
            assert_eq!(found, [("running", 2)]);
            assert!(tasks::requeue_task(&mut tx, &left[0], now).await.unwrap());
            let left = exports::list_over(&mut tx, over).await.unwrap();
            let found: Vec<_> = left.iter().map(|export| (export.basename.as_str(), export.attempt)).collect();
            assert_eq!(found, [("running", 2)]);
            assert!(exports::requeue_export(&mut tx, &left[0]).await.unwrap());
            assert_eq!(webhooks::take_back_attempts(&mut tx, over, now, "interrupted").await.unwrap(), 1);
            assert!(!leases::is_any_over(&mut tx, over).await.unwrap());
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
