//! Copies of the studio as the page sees them: plain data.

use serde::{Deserialize, Serialize};

use crate::number::WholeNumber;
use crate::problem::Problem;

/// What a copy of the studio to another connection would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MigrationPreview {
    /// The other connection.
    pub connection_id: String,
    /// The folder at its top that everything goes into.
    pub folder_name: String,
    /// The studio's files.
    pub files: WholeNumber,
    /// Their size, as far as it is known.
    pub bytes: WholeNumber,
    /// The studio's designs, each of which goes as a presentation.
    pub designs: WholeNumber,
    /// The studio's brand kits.
    pub kits: WholeNumber,
    /// Files and designs that the folder has already.
    pub there: WholeNumber,
}

/// How a copy of the studio is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MigrationState {
    /// It goes on.
    Copying,
    /// A person stopped it; the next one goes on from there.
    Stopped,
    /// It broke off.
    Failed,
    /// Everything was tried.
    Done,
}

/// A copy of the studio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MigrationView {
    /// The other connection.
    pub connection_id: String,
    /// The folder at its top that everything goes into.
    pub folder_name: String,
    /// How it is.
    pub state: MigrationState,
    /// Files and designs that are there.
    pub done: WholeNumber,
    /// Of how many; none where that is not known yet.
    pub total: WholeNumber,
    /// Bytes that were sent.
    pub bytes: WholeNumber,
    /// Files that did not get there, each of which the uploads name with its reason.
    pub failed: WholeNumber,
    /// The names of designs that could not be exported, and of brand kits and their pictures that were not taken.
    pub left: Vec<String>,
    /// Why it broke off.
    pub problem: Option<Problem>,
}

impl MigrationView {
    /// A copy that has just begun.
    pub(super) fn begun(connection_id: String, folder_name: String) -> Self {
        Self {
            connection_id,
            folder_name,
            state: MigrationState::Copying,
            done: WholeNumber::default(),
            total: WholeNumber::default(),
            bytes: WholeNumber::default(),
            failed: WholeNumber::default(),
            left: Vec::new(),
            problem: None,
        }
    }
}
