//! Several designs exported alike: what is chosen once for all of them, and kept under a name for the next time.
//!
//! Always true: a folder that a person chose stays in Rust, the page has its id and its name; each file is named by the pattern,
//! and two that come out alike stand beside each other. Not here: their turns (`running`, `pace`), which are those of every
//! export.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use easel_wire::canvases::PIXEL_RATIOS;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{ExportChoice, ExportFormat, ExportView};
use crate::app::App;
use crate::drive::safe_name;
use crate::kept_list::KeptList;
use crate::problem::Problem;
use crate::words;

/// Presets that are kept.
const MOST_PRESETS: usize = 50;
/// Of a preset's name, in characters.
const LONGEST_NAME: usize = 60;
/// Of a pattern, in characters.
const LONGEST_PATTERN: usize = 200;

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
struct Kept {
    id: String,
    name: String,
    plan: ExportPlan,
    folder: Option<PathBuf>,
}

/// What is known of batches.
#[derive(Debug)]
pub(crate) struct Batches {
    presets: KeptList<Kept>,
    /// Folders that were chosen in this run.
    chosen: Mutex<HashMap<String, PathBuf>>,
}

impl Batches {
    pub(crate) fn new(presets: PathBuf) -> Self {
        Self { presets: KeptList::unread(presets), chosen: Mutex::default() }
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        self.presets.read_from_disk()
    }

    fn choose(&self, path: PathBuf) -> ExportFolder {
        let folder = view_folder(&path);
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.id.clone(), path);
        folder
    }

    fn folder(&self, id: &str) -> Option<PathBuf> {
        let chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        chosen.or_else(|| {
            self.presets.read(|all| {
                all.iter().filter_map(|kept| kept.folder.as_ref()).find(|path| view_folder(path).id == id).cloned()
            })
        })
    }

    fn list(&self) -> Vec<ExportPreset> {
        self.presets.read(|all| {
            let view = |kept: &Kept| ExportPreset {
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

/// The name of a file without its extension. `number` is its place, from 1, among `count`.
fn name_by(pattern: &str, name: &str, number: usize, count: usize, today: jiff::civil::Date) -> String {
    let pattern = if pattern.trim().is_empty() { "{name}" } else { pattern };
    let digits = count.to_string().len();
    let filled = pattern
        .replace("{number}", &format!("{number:0digits$}"))
        .replace("{date}", &today.to_string())
        // Last, so that a design whose name looks like a pattern keeps it.
        .replace("{name}", name);
    safe_name(&filled)
}

fn within_bounds(plan: ExportPlan) -> ExportPlan {
    ExportPlan {
        scale: plan.scale.filter(|scale| PIXEL_RATIOS.contains(scale)),
        name_pattern: plan.name_pattern.trim().chars().take(LONGEST_PATTERN).collect(),
        ..plan
    }
}

impl App {
    /// Exports several designs into one folder, by one plan. How it goes is told by `exports_changed`; no more are started a
    /// minute than the service takes.
    ///
    /// # Errors
    /// `export_folder_unknown`, `canvas_not_found`, `data_unwritable`, what the connection's state says, or what the service
    /// answers.
    pub async fn export_designs(&self, design_ids: Vec<String>, plan: ExportPlan) -> Result<Vec<ExportView>, Problem> {
        let plan = within_bounds(plan);
        let wish = format!("{design_ids:?} {plan:?}");
        let begin = async {
            let live = self.connections().selected()?;
            let Some(folder) = self.folder_of_plan(&plan).await? else { return Ok(Vec::new()) };
            let designs = self.read_designs_to_export(&live, &design_ids).await?;
            let page = (plan.pages == ExportPages::First).then_some(1);
            let choice = ExportChoice { format: plan.format, page, scale: plan.scale, flatten: plan.flatten };
            let (count, today) = (designs.len(), jiff::Zoned::now().date());
            let mut views = Vec::with_capacity(count);
            for (number, (id, name)) in (1..).zip(designs) {
                let stem = name_by(&plan.name_pattern, &name, number, count, today);
                views.push(self.begin_export(&live, (id, name), choice, folder.clone(), stem)?);
            }
            Ok(views)
        };
        self.exports().clicks.once(wish, begin).await
    }

    /// Where a plan puts its files. Asks where there is no Downloads folder; nothing where the person thought better of it.
    async fn folder_of_plan(&self, plan: &ExportPlan) -> Result<Option<PathBuf>, Problem> {
        let desktop = &self.ports().desktop;
        match &plan.folder_id {
            Some(id) => {
                let known = self.exports().batches.folder(id).filter(|path| path.is_dir());
                known.map(Some).ok_or_else(|| words::problem("export_folder_unknown", &[]))
            }
            None => match desktop.downloads_dir() {
                Some(folder) => Ok(Some(folder)),
                None => Ok(desktop.choose_place().await),
            },
        }
    }

    /// Asks for a folder that exports go to; nothing where the person thought better of it.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn choose_export_folder(&self) -> Result<Option<ExportFolder>, Problem> {
        let chosen = self.ports().desktop.choose_place().await;
        Ok(chosen.map(|path| self.exports().batches.choose(path)))
    }

    /// The plans that the person keeps, in the order in which they were kept.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn list_export_presets(&self) -> Result<Vec<ExportPreset>, Problem> {
        Ok(self.exports().batches.list())
    }

    /// Keeps a plan under a name, in place of the one that has the name; says all that there are.
    ///
    /// # Errors
    /// `name_not_usable`, `export_folder_unknown`, `data_unwritable`.
    pub async fn save_export_preset(&self, name: String, plan: ExportPlan) -> Result<Vec<ExportPreset>, Problem> {
        let name = name.trim().to_owned();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(words::problem("name_not_usable", &[]));
        }
        let batches = &self.exports().batches;
        let plan = within_bounds(plan);
        let folder = match &plan.folder_id {
            Some(id) => Some(batches.folder(id).ok_or_else(|| words::problem("export_folder_unknown", &[]))?),
            None => None,
        };
        let kept = batches.presets.change(|all| {
            match all.iter_mut().find(|known| known.name == name) {
                Some(known) => (known.plan, known.folder) = (plan, folder),
                None => all.push(Kept { id: uuid::Uuid::new_v4().to_string(), name, plan, folder }),
            }
            let too_many = all.len().saturating_sub(MOST_PRESETS);
            all.drain(..too_many);
        });
        kept.map_err(|error| self.unwritable(&error))?;
        Ok(batches.list())
    }

    /// Forgets a plan; one that is not there is no error. Says all that are left.
    ///
    /// # Errors
    /// `data_unwritable`.
    pub async fn delete_export_preset(&self, preset_id: String) -> Result<Vec<ExportPreset>, Problem> {
        let batches = &self.exports().batches;
        let changed = batches.presets.change(|all| all.retain(|kept| kept.id != preset_id));
        changed.map_err(|error| self.unwritable(&error))?;
        Ok(batches.list())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_the_pattern() {
        let today = jiff::civil::date(2026, 11, 20);
        let check = |pattern: &str, name: &str, expected: &str| {
            assert_eq!(name_by(pattern, name, 7, 12, today), expected, "{pattern}");
        };
        check("", "Tea", "Tea");
        check("  ", "Tea", "Tea");
        check("{number} {name}", "Tea", "07 Tea");
        check("{date} {name}", "Tea: a poster", "2026-11-20 Tea_ a poster");
        check("{name}", "{number}", "{number}");
        check("{other}/..", "Tea", "{other}_");
    }
}
