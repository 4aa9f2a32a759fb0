//! Backups as the page sees them: plain data.

use serde::{Deserialize, Serialize};

use crate::number::WholeNumber;

/// How much a studio has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct StudioFigures {
    /// Files in the drive.
    pub files: WholeNumber,
    /// Designs.
    pub designs: WholeNumber,
    /// The size of all files, with what is in the trash and with earlier versions.
    pub bytes: WholeNumber,
}

/// What is done with a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum BackupStage {
    /// The studio is copied into a backup.
    BackingUp,
    /// A backup is copied to where the studio can use it.
    Restoring,
    /// What was copied is read and compared with what it should be.
    Verifying,
}

/// How far a backup or a restore has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupProgress {
    /// What is done.
    pub stage: BackupStage,
    /// Contents that are done.
    pub done: WholeNumber,
    /// Of how many; none where that is not known yet.
    pub total: WholeNumber,
    /// Bytes that were copied or read so far.
    pub bytes: WholeNumber,
}

/// A moment that the studio can be brought back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupView {
    /// Names it within its folder.
    pub id: String,
    /// When it was taken, RFC 3339.
    pub made_at: String,
    /// What is in it; `null` where whoever took it did not write that down.
    pub figures: Option<StudioFigures>,
}

/// The folder that backups go to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupPlace {
    /// Where it is, as people write it.
    pub path: String,
    /// It could be looked into; a disk may not be connected.
    pub is_reachable: bool,
    /// What is in it, the newest first.
    pub backups: Vec<BackupView>,
}

/// Everything about backups of the built-in studio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupsView {
    /// What the studio has now; `null` where it cannot be asked.
    pub now: Option<StudioFigures>,
    /// Where backups go; `null` until the person has chosen.
    pub place: Option<BackupPlace>,
    /// What is being done.
    pub under_way: Option<BackupProgress>,
}

/// What became of a restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct StudioRestored {
    /// Where what was there before is kept, as people write it.
    pub kept_at: String,
}
