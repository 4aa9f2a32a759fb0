//! Marks of designs: a person stars a design to find it again, or rejects it. The service has no such thing, so marks
//! are kept here.
//!
//! Always true: marks are kept for each connection, on disk before they are shown; a design has one mark at most; the
//! mark of a deleted design stays, because the design may come back out of the trash. Not here: how marked designs look
//! (the page).

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use easel_client::{Client, Error as ClientError};
use easel_wire::CanvasId;
use easel_wire::canvases::Canvas;
use serde::{Deserialize, Serialize};

use super::gallery::{sort_designs, walk_designs};
use super::views::{DesignList, DesignSort};
use super::{Designs, read_design};
use crate::connections::Connections;
use crate::core::Core;
use crate::json_store::JsonStore;
use crate::problem::Problem;

/// The most marks of all connections together; beyond that the oldest go, those of rejected designs first.
const MOST_MARKS: usize = 10_000;
/// Starred designs that are asked for one by one, where the lists have too many others before them.
const MOST_ALONE: usize = 50;

/// What a person thinks of a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DesignMark {
    /// To be found again.
    Starred,
    /// Not wanted.
    Rejected,
}

/// The designs of a connection that are marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignMarks {
    /// The connection.
    pub connection_id: String,
    /// Ids of designs, in the order in which they were starred.
    pub starred: Vec<String>,
    /// Ids of designs, in the order in which they were rejected.
    pub rejected: Vec<String>,
}

/// The mark of one design, on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct MarkRecord {
    connection_id: String,
    design_id: CanvasId,
    mark: DesignMark,
}

/// All marks, and their file.
#[derive(Debug)]
struct MarksFile(JsonStore<MarkRecord>);

impl MarksFile {
    const fn unread(path: PathBuf) -> Self {
        Self(JsonStore::unread(path))
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        self.0.read_from_disk()
    }

    fn of_connection(&self, connection_id: &str, mark: DesignMark) -> Vec<CanvasId> {
        let is_meant = |record: &&MarkRecord| record.connection_id == connection_id && record.mark == mark;
        self.0.read(|all| all.iter().filter(is_meant).map(|record| record.design_id).collect())
    }

    /// Gives designs a mark in place of what they had, or takes it away.
    fn set(&self, connection_id: &str, designs: &[CanvasId], mark: Option<DesignMark>) -> io::Result<()> {
        let changed: HashSet<CanvasId> = designs.iter().copied().collect();
        self.0.change(|all| {
            // A design that has the mark already keeps its place in the order.
            let has_it: HashSet<CanvasId> = all
                .iter()
                .filter(|record| record.connection_id == connection_id && Some(record.mark) == mark)
                .map(|record| record.design_id)
                .collect();
            all.retain(|record| {
                record.connection_id != connection_id
                    || !changed.contains(&record.design_id)
                    || has_it.contains(&record.design_id)
            });
            if let Some(mark) = mark {
                let mut seen = has_it;
                let fresh = designs.iter().filter(|design| seen.insert(**design));
                all.extend(fresh.map(|design| MarkRecord {
                    connection_id: connection_id.to_owned(),
                    design_id: *design,
                    mark,
                }));
            }
            shorten(all);
        })
    }

    fn forget_connection(&self, connection_id: &str) -> io::Result<()> {
        self.0.change(|all| all.retain(|record| record.connection_id != connection_id))
    }
}

/// Brings the marks down to [`MOST_MARKS`].
fn shorten(all: &mut Vec<MarkRecord>) {
    for goes in [DesignMark::Rejected, DesignMark::Starred] {
        let mut too_many = all.len().saturating_sub(MOST_MARKS);
        all.retain(|record| {
            let is_over = too_many > 0 && record.mark == goes;
            too_many -= usize::from(is_over);
            !is_over
        });
    }
}

/// What a person has starred and rejected. Clones are the same marks.
#[derive(Clone)]
pub struct Marks {
    core: Core,
    connections: Connections,
    designs: Designs,
    file: Arc<MarksFile>,
}

impl Marks {
    pub(crate) fn new(core: Core, connections: Connections, designs: Designs) -> Self {
        let file = Arc::new(MarksFile::unread(core.data_dir().marks()));
        Self { core, connections, designs, file }
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        self.file.read_from_disk()
    }
}

impl Marks {
    /// The marked designs of the connection in view.
    ///
    /// # Errors
    /// `no_connection`.
    pub async fn list_design_marks(&self) -> Result<DesignMarks, Problem> {
        Ok(self.view_marks(&self.connections.selected()?.id))
    }

    /// Stars designs or rejects them, in place of what they were marked as before; without a mark, they have none any more.
    ///
    /// # Errors
    /// `no_connection`, `canvas_not_found` for what is no id of a design, `data_unwritable`.
    pub async fn mark_designs(
        &self,
        design_ids: Vec<String>,
        mark: Option<DesignMark>,
    ) -> Result<DesignMarks, Problem> {
        let designs = design_ids.iter().map(|id| read_design(id)).collect::<Result<Vec<_>, _>>()?;
        let connection = self.connections.selected()?;
        self.file.set(&connection.id, &designs, mark).map_err(|error| self.core.unwritable(&error))?;
        Ok(self.view_marks(&connection.id))
    }

    /// The starred designs whose names have `query`, all of them. Those that are gone, or whose deletion waits to be sent, are left
    /// out.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_starred_designs(&self, query: String, sort: DesignSort) -> Result<DesignList, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let starred = self.file.of_connection(&connection.id, DesignMark::Starred);
        let found = read_starred(&client, &starred).await;
        let mut canvases = found.map_err(|error| self.connections.note_error(&connection, &error, ""))?;
        self.connections.note_answer(&connection);
        let wanted = query.trim().to_lowercase();
        canvases.retain(|canvas| canvas.name.to_lowercase().contains(&wanted));
        sort_designs(&mut canvases, sort);
        let designs = self.designs.view_designs(&connection, &canvases);
        let total = Some(designs.len().into());
        Ok(self.designs.without_deleted(DesignList {
            connection_id: connection.id.clone(),
            designs,
            total,
            next: None,
        }))
    }

    /// Forgets the marks of a connection that was removed.
    pub(crate) fn forget_marks_of(&self, connection_id: &str) {
        if let Err(error) = self.file.forget_connection(connection_id) {
            tracing::warn!(%error, "the starred designs of a removed connection are still noted");
        }
    }

    fn view_marks(&self, connection_id: &str) -> DesignMarks {
        let list = |mark| self.file.of_connection(connection_id, mark).iter().map(ToString::to_string).collect();
        DesignMarks {
            connection_id: connection_id.to_owned(),
            starred: list(DesignMark::Starred),
            rejected: list(DesignMark::Rejected),
        }
    }
}

/// The designs with these ids, if they are there. The service cannot be asked for several by id, so its list is read
/// until they are found, to a bound; a few that are left are asked for alone.
async fn read_starred(client: &Client, ids: &[CanvasId]) -> Result<Vec<Canvas>, ClientError> {
    let mut missing: HashMap<CanvasId, usize> = ids.iter().copied().zip(0..).collect();
    let mut found = Vec::with_capacity(ids.len());
    if missing.is_empty() {
        return Ok(found);
    }
    let saw_all = walk_designs(client, "", |page| {
        found.extend(page.into_iter().filter(|canvas| missing.remove(&canvas.id).is_some()));
        if missing.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .await?;
    if saw_all {
        return Ok(found);
    }
    let mut alone: Vec<(CanvasId, usize)> = missing.into_iter().collect();
    // The designs that were starred last are probably the wanted ones.
    alone.sort_by_key(|(_, place)| std::cmp::Reverse(*place));
    for (id, _) in alone.into_iter().take(MOST_ALONE) {
        match client.get_canvas(id).await {
            Ok(canvas) => found.push(canvas),
            Err(error) if error.code() == Some("canvas_not_found") => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> CanvasId {
        format!("cvs_{number:026}").parse().unwrap()
    }

    fn open(path: PathBuf) -> MarksFile {
        let file = MarksFile::unread(path);
        file.read_from_disk().unwrap();
        file
    }

    #[test]
    fn a_design_has_one_mark_at_most_and_keeps_it_over_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("marks.json");
        let file = open(path.clone());
        let starred = |file: &MarksFile, of: &str| file.of_connection(of, DesignMark::Starred);
        file.set("one", &[id(1), id(2), id(1)], Some(DesignMark::Starred)).unwrap();
        file.set("other", &[id(1)], Some(DesignMark::Starred)).unwrap();
        file.set("one", &[id(3), id(1)], Some(DesignMark::Starred)).unwrap();
        assert_eq!(starred(&file, "one"), [id(1), id(2), id(3)], "what is starred keeps its place");
        file.set("one", &[id(1)], Some(DesignMark::Rejected)).unwrap();
        file.set("one", &[id(3)], None).unwrap();
        let again = open(path);
        assert_eq!(starred(&again, "one"), [id(2)]);
        assert_eq!(again.of_connection("one", DesignMark::Rejected), [id(1)]);
        assert_eq!(starred(&again, "other"), [id(1)], "each connection has its own");
        again.forget_connection("one").unwrap();
        assert_eq!((starred(&again, "one"), starred(&again, "other")), (vec![], vec![id(1)]));
    }

    #[test]
    fn beyond_the_bound_rejected_designs_are_forgotten_before_starred_ones() {
        let record = |number: usize, mark| MarkRecord { connection_id: "one".to_owned(), design_id: id(number), mark };
        let mut all: Vec<MarkRecord> = (0..MOST_MARKS).map(|number| record(number, DesignMark::Starred)).collect();
        all.extend([record(MOST_MARKS, DesignMark::Rejected), record(MOST_MARKS + 1, DesignMark::Starred)]);
        shorten(&mut all);
        assert_eq!((all.len(), all[0].design_id), (MOST_MARKS, id(1)), "one rejected and the oldest starred are gone");
        assert!(all.iter().all(|record| record.mark == DesignMark::Starred));
    }

    #[test]
    fn a_mark_that_a_newer_easel_knows_stays_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("marks.json");
        let newer = format!(r#"[{{"connection_id": "one", "design_id": "{}", "mark": "favourite"}}]"#, id(1));
        std::fs::write(&path, newer).unwrap();
        let file = open(path.clone());
        file.set("one", &[id(2)], Some(DesignMark::Starred)).unwrap();
        let stored = std::fs::read_to_string(&path).unwrap();
        assert!(stored.contains("favourite") && stored.contains("starred"), "{stored}");
    }
}
