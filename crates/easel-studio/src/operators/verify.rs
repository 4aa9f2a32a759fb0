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
use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;
use easel_wire::Timestamp;
use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

use super::backup::{BLOBS, Progress, Tell, copy_file};
use crate::blobs::{
    Blobs, ContentHash, Fault, PENDING, hash_file, list_contents, look_at, path_of_content, sync_folder_of,
};
use crate::core::clock::{Clock, SystemClock};
use crate::core::error::Error;
use crate::core::private_files::create_private_folder;
use crate::core::secrets::MasterKey;
use crate::data_folder::{DataFolder, KEY_FILE};
use crate::db::copies;
use crate::wire::{CanvasId, FileId, TaskId, VersionId};

/// Where damaged contents go.
const DAMAGED: &str = "damaged";
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
pub async fn verify(data: &Path, repair: bool, backup: Option<&Path>, tell: Tell<'_>) -> Result<Verified, Error> {
    let database = data.join("studio.db");
    if !database.is_file() {
        return Err(Error::Usage(format!("there is no database {}", database.display())));
    }
    let held = repair.then(|| DataFolder::hold(data)).transpose()?;
    let blobs = Blobs::beside(&data.join(BLOBS))?;
    let mut conn = copies::open_as_it_is(&database).await?;
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

    async fn database(&mut self, conn: &mut SqliteConnection, data: &Path) -> Result<(), Error> {
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

    async fn contents(&mut self, conn: &mut SqliteConnection, tell: Tell<'_>) -> Result<(), Error> {
        // The contents first, and then the rows that need them: a content that comes in between has its row by then.
        let there: BTreeSet<ContentHash> = list_contents(self.blobs.root())?.into_iter().collect();
        let named = copies::list_named_contents(conn).await?;
        self.found.contents = named.len() as u64;
        let mut faulty = BTreeMap::new();
        for (done, hash) in named.keys().enumerate() {
            tell(Progress { stage: "contents", done: done as u64, total: named.len() as u64, bytes: self.found.bytes });
            match look_at(&path_of_content(self.blobs.root(), hash), hash) {
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
            let mended = self.repairs && self.mend(&hash, fault)?;
            let needed_by = rows.into_iter().map(|(table, id)| name_row(&table, id)).collect();
            self.note(fault.as_str(), written(&hash), needed_by, mended);
        }
        let mut unnamed = Vec::new();
        for hash in there.into_iter().filter(|hash| !named.contains_key(hash)) {
            let place = path_of_content(self.blobs.root(), &hash);
            let is_young = || {
                let modified = std::fs::metadata(&place).and_then(|found| found.modified());
                modified.is_ok_and(|at| SystemTime::now().duration_since(at).unwrap_or_default() < ON_ITS_WAY)
            };
            let is_needed = !copies::list_naming_rows(conn, &hash, 1).await?.is_empty();
            if !is_needed && place.exists() && (self.repairs || !is_young()) {
                unnamed.push(hash);
            }
        }
        for hash in unnamed {
            if self.repairs {
                self.set_aside(&path_of_content(self.blobs.root(), &hash), &hash)?;
            }
            self.note("unnamed", written(&hash), Vec::new(), self.repairs);
        }
        Ok(())
    }

    async fn staged(&mut self, conn: &mut SqliteConnection) -> Result<(), Error> {
        let folder = self.blobs.root().join(PENDING);
        let mut there = BTreeSet::new();
        for entry in folder.is_dir().then(|| std::fs::read_dir(&folder)).transpose()?.into_iter().flatten() {
            there.insert(format!("{PENDING}/{}", entry?.file_name().to_string_lossy()));
        }
        let rows = copies::list_staged(conn).await?;
        for row in rows.iter().filter(|row| row.waits) {
            let found = std::fs::metadata(self.blobs.root().join(&row.storage_key)).ok();
            if found.is_none_or(|found| row.size_bytes.is_some_and(|size| size != found.len())) {
                let again = copies::list_staged(conn).await?;
                if again.iter().any(|later| later.storage_key == row.storage_key && later.waits) {
                    self.note("staged_missing", row.storage_key.clone(), Vec::new(), false);
                }
            }
        }
        let known: BTreeSet<&str> = rows.iter().map(|row| row.storage_key.as_str()).collect();
        for storage_key in there.into_iter().filter(|key| !known.contains(key.as_str())) {
            let place = self.blobs.root().join(&storage_key);
            if self.repairs {
                let hash = hash_file(&place)?.0;
                self.set_aside(&place, &hash)?;
            }
            self.note("staged_unnamed", storage_key, Vec::new(), self.repairs);
        }
        Ok(())
    }

    /// Puts the right bytes where a content should be, from what was set aside or from the backup; whether there were
    /// any.
    fn mend(&self, hash: &ContentHash, fault: Fault) -> Result<bool, Error> {
        let place = path_of_content(self.blobs.root(), hash);
        if fault == Fault::Damaged {
            let folder = self.blobs.root().join(DAMAGED).join(self.now.as_micros().to_string());
            create_private_folder(&folder)?;
            let kept = folder.join(HEXLOWER.encode(hash));
            std::fs::rename(&place, &kept)?;
            sync_folder_of(&kept)?;
        }
        place.parent().map_or(Ok(()), create_private_folder)?;
        let of_the_backup = self.backup.iter().map(|backup| path_of_content(backup, hash));
        for source in self.blobs.copies_aside(hash)?.into_iter().chain(of_the_backup) {
            if copy_file(&source, &place, Some(hash))?.is_ok() {
                sync_folder_of(&place)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn set_aside(&self, place: &Path, hash: &ContentHash) -> Result<(), Error> {
        let aside = self.blobs.place_aside(hash, self.now)?;
        std::fs::rename(place, &aside)?;
        sync_folder_of(&aside)?;
        sync_folder_of(place)?;
        Ok(())
    }
}

fn written(hash: &ContentHash) -> String {
    format!("sha256:{}", HEXLOWER.encode(hash))
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
