//! Plans for exports that are kept under a name, and the folders that they go to.
//!
//! Always true: a folder that a person chose stays in Rust, the page has its id and its name. Not here: exporting by a
//! plan (`batch`).

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::views::ExportFormat;
use crate::json_store::JsonStore;

/// Presets that are kept.
const MOST_PRESETS: usize = 50;

/// Which pages of each design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ExportPages {
    /// All of them.
    All,
    /// The first one.
    First,
}

/// How several designs are exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ExportPlan {
    /// As what.
    pub format: ExportFormat,
    /// Which pages.
    pub pages: ExportPages,
    /// Pixels for each pixel of the page, 1 to 4; 1 where absent.
    pub scale: Option<u32>,
    /// Whether a PDF is made of pictures only.
    pub flatten: bool,
    /// What each file is called, without its extension: `{name}`, `{number}` and `{date}` stand for the design's name, its
    /// place among those exported and the day. Empty: the design's name.
    pub name_pattern: String,
    /// From `choose_export_folder`; the person's Downloads folder where absent.
    pub folder_id: Option<String>,
}

/// A folder of this computer that exports go to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ExportFolder {
    /// For [`ExportPlan::folder_id`].
    pub id: String,
    /// Its own name.
    pub name: String,
}

/// A plan under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ExportPreset {
    /// For `delete_export_preset`.
    pub id: String,
    /// What the person calls it.
    pub name: String,
    /// What it says.
    pub plan: ExportPlan,
    /// The folder of the plan, where it has one.
    pub folder: Option<ExportFolder>,
}

/// A preset on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StoredPreset {
    id: String,
    name: String,
    plan: ExportPlan,
    folder: Option<PathBuf>,
}

/// The kept plans, and the folders that were chosen in this run.
#[derive(Debug)]
pub(crate) struct Batches {
    presets: JsonStore<StoredPreset>,
    /// Folders that were chosen in this run, by id.
    chosen: Mutex<HashMap<String, PathBuf>>,
}

impl Batches {
    pub(crate) fn new(presets: PathBuf) -> Self {
        Self { presets: JsonStore::unread(presets), chosen: Mutex::default() }
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        self.presets.read_from_disk()
    }

    pub(super) fn choose(&self, path: PathBuf) -> ExportFolder {
        let folder = view_folder(&path);
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.id.clone(), path);
        folder
    }

    pub(super) fn folder(&self, id: &str) -> Option<PathBuf> {
        let chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        chosen.or_else(|| {
            self.presets.read(|all| {
                all.iter().filter_map(|kept| kept.folder.as_ref()).find(|path| view_folder(path).id == id).cloned()
            })
        })
    }

    /// Keeps a plan under a name, in place of the one that has the name. Beyond the bound, the oldest go.
    pub(super) fn put(&self, name: String, plan: ExportPlan, folder: Option<PathBuf>) -> io::Result<()> {
        self.presets.change(|all| {
            match all.iter_mut().find(|known| known.name == name) {
                Some(known) => (known.plan, known.folder) = (plan, folder),
                None => all.push(StoredPreset { id: uuid::Uuid::new_v4().to_string(), name, plan, folder }),
            }
            let too_many = all.len().saturating_sub(MOST_PRESETS);
            all.drain(..too_many);
        })
    }

    pub(super) fn remove(&self, id: &str) -> io::Result<()> {
        self.presets.change(|all| all.retain(|kept| kept.id != id))
    }

    pub(super) fn list(&self) -> Vec<ExportPreset> {
        self.presets.read(|all| {
            let view = |kept: &StoredPreset| ExportPreset {
                id: kept.id.clone(),
                name: kept.name.clone(),
                plan: kept.plan.clone(),
                folder: kept.folder.as_deref().map(view_folder),
            };
            all.iter().map(view).collect()
        })
    }
}

/// A folder for the page. Its id says nothing of where it lies.
fn view_folder(path: &Path) -> ExportFolder {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    ExportFolder {
        id: digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect(),
        name: path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned()),
    }
}
