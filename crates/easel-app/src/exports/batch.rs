//! Exports several designs by one plan, which can be kept under a name for the next time.
//!
//! Always true: a folder that a person chose stays in Rust, the page has its id and its name; each file is named by the
//! pattern, and if two get the same name, both are kept under different ones. Not here: their turns (`running`,
//! `rate`), which they take with every other export.

use std::path::PathBuf;

use easel_wire::canvases::PIXEL_RATIOS;

use super::Exports;
use super::presets::{ExportFolder, ExportPages, ExportPlan, ExportPreset};
use super::views::{ExportChoice, ExportView};
use crate::drive::downloads::safe_name;
use crate::messages;
use crate::problem::Problem;

/// Of a preset's name, in characters.
const LONGEST_NAME: usize = 60;
/// Of a pattern, in characters.
const LONGEST_PATTERN: usize = 200;

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

impl Exports {
    /// Exports several designs into one folder, by one plan. How it goes is told by `exports_changed`; no more are
    /// started a minute than the service takes.
    ///
    /// # Errors
    /// `export_folder_unknown`, `canvas_not_found`, `data_unwritable`, what the connection's state says, or what the
    /// service answers.
    pub async fn export_designs(&self, design_ids: Vec<String>, plan: ExportPlan) -> Result<Vec<ExportView>, Problem> {
        let plan = within_bounds(plan);
        let key = format!("{design_ids:?} {plan:?}");
        let begin = async {
            let connection = self.connections.selected()?;
            let Some(folder) = self.folder_of_plan(&plan).await? else { return Ok(Vec::new()) };
            let designs = self.read_designs_to_export(&connection, &design_ids).await?;
            let page = (plan.pages == ExportPages::First).then_some(1);
            let choice = ExportChoice { format: plan.format, page, scale: plan.scale, flatten: plan.flatten };
            let (count, today) = (designs.len(), jiff::Zoned::now().date());
            let mut views = Vec::with_capacity(count);
            for (number, (id, name)) in (1..).zip(designs) {
                let stem = name_by(&plan.name_pattern, &name, number, count, today);
                views.push(self.begin_export(&connection, (id, name), choice, folder.clone(), stem)?);
            }
            Ok(views)
        };
        self.inner.coalescer.once(key, begin).await
    }

    /// The folder for a plan's files. Asks where there is no Downloads folder; `None` where the person cancelled.
    async fn folder_of_plan(&self, plan: &ExportPlan) -> Result<Option<PathBuf>, Problem> {
        let desktop = &self.core.ports().desktop;
        match &plan.folder_id {
            Some(id) => {
                let known = self.inner.batches.folder(id).filter(|path| path.is_dir());
                known.map(Some).ok_or_else(|| messages::problem("export_folder_unknown", &[]))
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
        let chosen = self.core.ports().desktop.choose_place().await;
        Ok(chosen.map(|path| self.inner.batches.choose(path)))
    }

    /// The plans that the person keeps, in the order in which they were kept.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn list_export_presets(&self) -> Result<Vec<ExportPreset>, Problem> {
        Ok(self.inner.batches.list())
    }

    /// Keeps a plan under a name, in place of the one that has the name; says all that there are.
    ///
    /// # Errors
    /// `name_not_usable`, `export_folder_unknown`, `data_unwritable`.
    pub async fn save_export_preset(&self, name: String, plan: ExportPlan) -> Result<Vec<ExportPreset>, Problem> {
        let name = name.trim().to_owned();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(messages::problem("name_not_usable", &[]));
        }
        let batches = &self.inner.batches;
        let plan = within_bounds(plan);
        let folder = match &plan.folder_id {
            Some(id) => Some(batches.folder(id).ok_or_else(|| messages::problem("export_folder_unknown", &[]))?),
            None => None,
        };
        batches.put(name, plan, folder).map_err(|error| self.core.unwritable(&error))?;
        Ok(batches.list())
    }

    /// Forgets a plan; one that is not there is no error. Says all that are left.
    ///
    /// # Errors
    /// `data_unwritable`.
    pub async fn delete_export_preset(&self, preset_id: String) -> Result<Vec<ExportPreset>, Problem> {
        let batches = &self.inner.batches;
        batches.remove(&preset_id).map_err(|error| self.core.unwritable(&error))?;
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
