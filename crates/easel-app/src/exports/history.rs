//! The file of exports: those to come, and those that are over.
//!
//! Always true: the file is written whole or not at all; exports that are over are kept up to a bound, the others in
//! any case; it has no signed address. Not here: carrying an export out.

use std::io;
use std::path::PathBuf;

use easel_wire::{CanvasId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use super::views::{ExportChoice, ExportState};
use crate::drive::downloads::safe_name;
use crate::json_store::JsonStore;
use crate::problem::Problem;

/// The most exports that are over and still listed.
const MOST_OVER: usize = 200;

/// One export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportRecord {
    pub(super) id: String,
    pub(super) connection_id: String,
    pub(super) design_id: CanvasId,
    pub(super) design_name: String,
    pub(super) choice: ExportChoice,
    /// `zip` for several pages as pictures; else what was asked for.
    pub(super) format_of_result: String,
    pub(super) folder: PathBuf,
    /// The name of the file without its extension.
    pub(super) file_stem: String,
    /// The service has begun.
    pub(super) task_id: Option<TaskId>,
    /// The file, once it is there.
    pub(super) path: Option<PathBuf>,
    pub(super) size_bytes: Option<u64>,
    pub(super) warnings: Vec<String>,
    /// How the export ended.
    pub(super) ended: Option<ExportState>,
    pub(super) problem: Option<Problem>,
    pub(super) created_at: Timestamp,
    pub(super) finished_at: Option<Timestamp>,
}

/// The name of an export's file without its extension.
pub(super) fn file_stem(design_name: &str, page: Option<u32>) -> String {
    let stem = safe_name(design_name);
    page.map_or(stem.clone(), |page| format!("{stem} - page {page}"))
}

/// All exports, and their file.
#[derive(Debug)]
pub(crate) struct ExportsFile(JsonStore<ExportRecord>);

impl ExportsFile {
    pub(crate) const fn unread(path: PathBuf) -> Self {
        Self(JsonStore::unread(path))
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        self.0.read_from_disk()
    }

    pub(super) fn get(&self, id: &str) -> Option<ExportRecord> {
        self.0.read(|all| all.iter().find(|record| record.id == id).cloned())
    }

    pub(super) fn of_connection(&self, connection_id: &str) -> Vec<ExportRecord> {
        self.0.read(|all| all.iter().filter(|record| record.connection_id == connection_id).cloned().collect())
    }

    /// Writes an export, in place of its earlier entry. Beyond a bound, the oldest that are over are removed.
    pub(super) fn put(&self, record: ExportRecord) -> io::Result<()> {
        self.0.change(|all| {
            match all.iter_mut().find(|known| known.id == record.id) {
                Some(known) => *known = record,
                None => all.push(record),
            }
            let over = all.iter().filter(|record| record.ended.is_some()).count();
            let mut too_many = over.saturating_sub(MOST_OVER);
            all.retain(|record| {
                let goes = too_many > 0 && record.ended.is_some();
                too_many -= usize::from(goes);
                !goes
            });
        })
    }

    pub(super) fn forget(&self, forgotten: impl Fn(&ExportRecord) -> bool) -> io::Result<()> {
        self.0.change(|all| all.retain(|record| !forgotten(record)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exports::ExportFormat;

    fn record(id: usize, ended: Option<ExportState>) -> ExportRecord {
        ExportRecord {
            id: id.to_string(),
            connection_id: "one".to_owned(),
            design_id: "cvs_00000000000000000000000000".parse().unwrap(),
            design_name: "Deck".to_owned(),
            choice: ExportChoice { format: ExportFormat::Pdf, page: None, scale: None, flatten: true },
            format_of_result: "pdf".to_owned(),
            folder: PathBuf::from("/tmp"),
            file_stem: "Deck".to_owned(),
            task_id: None,
            path: None,
            size_bytes: None,
            warnings: Vec::new(),
            ended,
            problem: None,
            created_at: Timestamp::from_micros(1),
            finished_at: None,
        }
    }

    #[test]
    fn what_is_over_is_kept_up_to_a_bound_and_what_is_not_in_any_case() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("exports.json");
        let open = |path: PathBuf| {
            let file = ExportsFile::unread(path);
            file.read_from_disk().unwrap();
            file
        };
        let file = open(path.clone());
        file.put(record(0, None)).unwrap();
        for id in 1..=MOST_OVER + 2 {
            file.put(record(id, Some(ExportState::Finished))).unwrap();
        }
        let kept = open(path).of_connection("one");
        assert_eq!(kept.len(), MOST_OVER + 1);
        assert_eq!((kept[0].id.as_str(), kept[1].id.as_str()), ("0", "3"), "the oldest go first");
        file.forget(|record| record.ended.is_some()).unwrap();
        assert_eq!(file.of_connection("one"), [record(0, None)]);
    }

    #[test]
    fn what_an_older_easel_kept_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("exports.json");
        let older = r#"[{"id": "export_1", "connection_id": "one", "design_id": "cvs_01JQ9ZC2M8FBG9RX2MGJ4TPQKW",
            "design_name": "Deck", "choice": {"format": "pdf", "page": null, "scale": null, "flatten": true},
            "format_of_result": "pdf", "folder": "/tmp", "file_stem": "Deck",
            "task_id": "task_01JQ9ZC2M8FBG9RX2MGJ4TPQKX", "path": null, "size_bytes": null, "warnings": [],
            "ended": null, "problem": null, "created_at": "2026-05-01T12:00:00+00:00", "finished_at": null}]"#;
        std::fs::write(&path, older).unwrap();
        let file = ExportsFile::unread(path);
        file.read_from_disk().unwrap();
        let kept = file.get("export_1").unwrap();
        assert_eq!(kept.design_id.text(), "cvs_01JQ9ZC2M8FBG9RX2MGJ4TPQKW");
        assert_eq!(kept.task_id.unwrap().text(), "task_01JQ9ZC2M8FBG9RX2MGJ4TPQKX");
    }

    #[test]
    fn a_file_is_named_after_its_design() {
        assert_eq!(file_stem("Summer: sale", None), "Summer_ sale");
        assert_eq!(file_stem("Deck", Some(2)), "Deck - page 2");
    }
}
