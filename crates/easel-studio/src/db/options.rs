//! What holds of every connection to a database of the studio, also to a copy or a backup.
//!
//! Always true: nothing is made by opening, and foreign keys are enforced. Not here: what only the studio's own
//! database has ([`super::database`]).

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;

/// How long one process waits for another's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How the database at `path` is opened: nothing is made, and a reference to a row that is not there is refused.
pub(super) fn options_of(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(BUSY_TIMEOUT)
}
