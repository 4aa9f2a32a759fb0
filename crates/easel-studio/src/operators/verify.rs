//! `easel-studio verify`: checks that every row has its content with the right bytes, and every content its row; and
//! what `--repair` can mend.
//!
//! Looking works beside a running service and changes nothing; a row or content that comes or goes meanwhile is checked
//! once more before it is told. Repairing wants the service stopped. Always true: nothing is deleted; a damaged content
//! is moved to `blobs/damaged`, a content that no row names is set aside as a start would, and a row whose content is
//! lost stays, so that an upload of the same bytes or a backup can heal it. Not here: the weekly look of the service at
//! its own contents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use easel_wire::Timestamp;
use sqlx::Connection;

use super::backup::{BLOBS, Progress, Tell};
use super::written;
use crate::blobs::{Blobs, BlobsAt, ContentHash, Opening};
use crate::core::clock::{Clock, SystemClock};
use crate::core::error::Error;
use crate::core::secrets::MasterKey;
use crate::data_folder::{DataFolder, KEY_FILE, agree_with_server};
use crate::db::place::{self, DATABASE, DatabaseAt};
use crate::db::{DbConnection, copies};
use crate::wire::{CanvasId, FileId, TaskId, VersionId};

/// A content without a row that is younger may be on its way into a running service.
const ON_ITS_WAY: Duration = Duration::from_secs(10 * 60);
/// The most rows that are told for one content.
const ROWS_TOLD: u32 = 10;

/// A fault that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind of fault: `missing`, `damaged`, `unnamed`, `staged_missing`, `staged_unnamed`, `database`, `key_file`.
    pub kind: &'static str,
    /// The content, storage key or part of the database at fault.
    pub subject: String,
    /// The files, canvases and exports that need it, at most ten.
    pub needed_by: Vec<String>,
    /// Whether the fault is mended by now.
    pub mended: bool,
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Contents that rows name.
    pub contents: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// The faults.
    pub findings: Vec<Finding>,
}

/// Looks at everything; with `repair` mends what can be, with contents of a backup where one is named.
///
/// # Errors
/// [`Error::DataFolderHeld`] for a repair beside a running service, [`Error::Usage`] where there is no database;
/// [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn verify(
    data: &Path,
    at: &BlobsAt,
    repair: bool,
    backup: Option<&Path>,
    tell: Tell<'_>,
) -> Result<Verified, Error> {
    let server = match place::of_folder(data)? {
        DatabaseAt::Server(url) => Some(url),
        DatabaseAt::Folder if data.join(DATABASE).is_file() => None,
        DatabaseAt::Folder => {
            return Err(Error::Usage(format!("there is no database {}", data.join(DATABASE).display())));
        }
    };
    let held = if repair { Some(DataFolder::hold_whole(data).await?) } else { None };
    let mut conn = match &server {
        Some(url) => copies::connect_as_it_is(url).await?,
        None => copies::open_as_it_is(&data.join(DATABASE)).await?,
    };
    if server.is_some() {
        agree_with_server(data, &mut conn).await?;
    }
    let blobs = Blobs::open_at(data, at, Opening::AsTheyAre).await?;
    let mut looking = Looking {
        blobs,
        backup: backup.map(|backup| backup.join(BLOBS)),
        repairs: held.is_some(),
        now: SystemClock::new().now(),
        found: Verified::default(),
    };
    looking.database(&mut conn, data).await?;
    looking.contents(&mut conn, tell).await?;
    looking.staged(&mut conn).await?;
    conn.close().await?;
    Ok(looking.found)
}

struct Looking {
    blobs: Blobs,
    backup: Option<PathBuf>,
    repairs: bool,
    now: Timestamp,
    found: Verified,
}

impl Looking {
    fn note(&mut self, kind: &'static str, subject: String, needed_by: Vec<String>, mended: bool) {
        self.found.findings.push(Finding { kind, subject, needed_by, mended });
    }

    async fn database(&mut self, conn: &mut DbConnection, data: &Path) -> Result<(), Error> {
        for line in copies::check_integrity(conn).await? {
            self.note("database", line, Vec::new(), false);
        }
        let key = data.join(KEY_FILE);
        if !key.is_file() {
            self.note("key_file", "missing".to_owned(), Vec::new(), false);
            return Ok(());
        }
        let key = MasterKey::load_or_create(&key)?;
        let sealed = copies::list_sealed_secrets(conn).await?;
        let shut = sealed.iter().filter(|(id, secret)| key.open(id.as_bytes(), secret).is_err()).count();
        if shut > 0 {
            self.note(
                "key_file",
                format!("does not open {shut} of {} signing secrets", sealed.len()),
                Vec::new(),
                false,
            );
        }
        Ok(())
    }

    async fn contents(&mut self, conn: &mut DbConnection, tell: Tell<'_>) -> Result<(), Error> {
        // The contents first, and then the rows that need them: a content that comes in between has its row by then.
        let there: BTreeSet<ContentHash> = self.blobs.list_contents().await?.into_iter().collect();
        let named = copies::list_named_contents(conn).await?;
        self.found.contents = named.len() as u64;
        let mut faulty = BTreeMap::new();
        for (done, hash) in named.keys().enumerate() {
            tell(Progress { stage: "contents", done: done as u64, total: named.len() as u64, bytes: self.found.bytes });
            match self.blobs.look_at(hash).await? {
                Ok(bytes) => self.found.bytes += bytes,
                Err(fault) => {
                    faulty.insert(*hash, fault);
                }
            }
        }
        for (hash, fault) in faulty {
            let rows = copies::list_naming_rows(conn, &hash, ROWS_TOLD).await?;
            if rows.is_empty() {
                // The last row of this content went while the others were read.
                continue;
            }
            let mended = self.repairs && self.blobs.mend(&hash, fault, self.backup.as_deref(), self.now).await?;
            let needed_by = rows.into_iter().map(|(table, id)| name_row(&table, id)).collect();
            self.note(fault.as_str(), written(&hash), needed_by, mended);
        }
        let mut unnamed = Vec::new();
        for hash in there.into_iter().filter(|hash| !named.contains_key(hash)) {
            let is_needed = !copies::list_naming_rows(conn, &hash, 1).await?.is_empty();
            let is_told = |age: Duration| self.repairs || age >= ON_ITS_WAY;
            if !is_needed && self.blobs.age_of(&hash).await?.is_some_and(is_told) {
                unnamed.push(hash);
            }
        }
        for hash in unnamed {
            if self.repairs {
                self.blobs.set_one_aside(&hash, self.now).await?;
            }
            self.note("unnamed", written(&hash), Vec::new(), self.repairs);
        }
        Ok(())
    }

    async fn staged(&mut self, conn: &mut DbConnection) -> Result<(), Error> {
        let there = self.blobs.list_staged().await?;
        let rows = copies::list_staged(conn).await?;
        for row in rows.iter().filter(|row| row.waits) {
            // One that has come since the list was made is looked for once more.
            let found = match there.get(&row.storage_key) {
                Some(size_bytes) => Some(*size_bytes),
                None => self.blobs.list_staged().await?.get(&row.storage_key).copied(),
            };
            if found.is_none_or(|found| row.size_bytes.is_some_and(|size| size != found)) {
                let again = copies::list_staged(conn).await?;
                if again.iter().any(|later| later.storage_key == row.storage_key && later.waits) {
                    self.note("staged_missing", row.storage_key.clone(), Vec::new(), false);
                }
            }
        }
        let known: BTreeSet<&str> = rows.iter().map(|row| row.storage_key.as_str()).collect();
        for storage_key in there.into_keys().filter(|key| !known.contains(key.as_str())) {
            if self.repairs {
                self.blobs.set_staged_aside(&storage_key, self.now).await?;
            }
            self.note("staged_unnamed", storage_key, Vec::new(), self.repairs);
        }
        Ok(())
    }
}

/// The id of a row as the wire has it.
fn name_row(table: &str, id: uuid::Uuid) -> String {
    match table {
        "files" | "trashed_files" => FileId::from_uuid(id).to_string(),
        "file_versions" | "canvas_versions" => VersionId::from_uuid(id).to_string(),
        "canvases" | "trashed_canvases" => CanvasId::from_uuid(id).to_string(),
        _ => TaskId::from_uuid(id).to_string(),
    }
}
