//! Exports: from a design at the service to a file on this computer.
//!
//! Always true: a request is on disk before it is sent, and goes on after a restart; no more exports are started a
//! minute than the service takes; no existing file is overwritten; a path stays in Rust, the page has an export's id.
//! Not here: carrying exports out, which is in the files below.

mod batch;
pub(crate) mod history;
mod presets;
mod rate;
mod running;
pub(crate) mod views;

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use easel_client::Error as ClientError;
use easel_wire::CanvasId;
use easel_wire::canvases::{ExportFormat as WireFormat, PIXEL_RATIOS};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::history::{ExportRecord, ExportsFile};
use self::presets::Batches;
pub use self::presets::{ExportFolder, ExportPages, ExportPlan, ExportPreset};
use self::rate::ExportRate;
pub use self::views::{ExportChoice, ExportFormat, ExportList, ExportPlace, ExportState, ExportView, ExportWait};
use crate::causes;
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::designs::{Designs, read_design};
use crate::drive::programs::{begins_as_program, could_run};
use crate::events::{Event, ExportsChanged};
use crate::messages::{self, Nameless};
use crate::problem::Problem;
use crate::request_coalescer::RequestCoalescer;

/// Exports a minute, where the service does not say (specification, "Limits").
const USUAL_PER_MINUTE: u32 = 25;
/// The most designs of one command.
const MOST_AT_ONCE: usize = 200;
/// How long changes are gathered before the page is told: at most ten events a second.
const GATHERED: std::time::Duration = std::time::Duration::from_millis(150);

/// The state of an export under way.
#[derive(Debug, Clone)]
struct Running {
    state: ExportState,
    waits_for: Option<ExportWait>,
    received_bytes: u64,
    cancel: CancellationToken,
}

/// The exports of one connection that are under way.
#[derive(Debug, Default)]
struct Lane {
    rate: ExportRate,
    running: HashMap<String, Running>,
    is_telling: bool,
    /// Exports that have not begun, in the order in which they were asked for.
    queue: VecDeque<String>,
    /// Is notified when another one has become the first of them.
    moved: Arc<Notify>,
}

/// Exports. Clones are the same exports.
#[derive(Clone)]
pub struct Exports {
    core: Core,
    connections: Connections,
    designs: Designs,
    inner: Arc<Inner>,
}

impl Exports {
    pub(crate) fn new(core: Core, connections: Connections, designs: Designs) -> Self {
        let file = ExportsFile::unread(core.data_dir().exports());
        let batches = Batches::new(core.data_dir().export_presets());
        let inner = Inner { file, batches, lanes: Mutex::default(), coalescer: RequestCoalescer::default() };
        Self { core, connections, designs, inner: Arc::new(inner) }
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        self.inner.file.read_from_disk()?;
        self.inner.batches.read_from_disk()
    }
}

/// Exports under way.
#[derive(Debug)]
struct Inner {
    file: ExportsFile,
    batches: Batches,
    lanes: Mutex<HashMap<String, Lane>>,
    coalescer: RequestCoalescer<Vec<ExportView>>,
}

impl Inner {
    fn lanes(&self) -> MutexGuard<'_, HashMap<String, Lane>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn view(record: &ExportRecord, running: Option<&Running>) -> ExportView {
    let name = |path: &std::path::Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    ExportView {
        id: record.id.clone(),
        design_id: record.design_id.to_string(),
        design_name: record.design_name.clone(),
        format: record.format_of_result.clone(),
        state: record.ended.unwrap_or_else(|| running.map_or(ExportState::Queued, |running| running.state)),
        waits_for: running.and_then(|running| running.waits_for),
        file_name: record.path.as_deref().and_then(name),
        place: name(&record.folder),
        received_bytes: running.map_or(record.size_bytes.unwrap_or_default(), |running| running.received_bytes).into(),
        size_bytes: record.size_bytes.map(Into::into),
        time_left_ms: None,
        warnings: record.warnings.clone(),
        problem: record.problem.clone(),
        created_at: record.created_at.to_string(),
        finished_at: record.finished_at.map(|moment| moment.to_string()),
    }
}

fn unknown() -> Problem {
    messages::problem("export_unknown", &[])
}

impl Exports {
    /// Exports a design into a file on this computer; nothing where the person chose no place. How it goes is told by
    /// `exports_changed`.
    ///
    /// # Errors
    /// `canvas_not_found`, `data_unwritable`, what the connection's state says, or what the service answers.
    pub async fn export_design(
        &self,
        design_id: String,
        choice: ExportChoice,
        place: ExportPlace,
    ) -> Result<Option<ExportView>, Problem> {
        let key = format!("{design_id} {choice:?} {place:?}");
        let begin = async {
            let connection = self.connections.selected()?;
            let designs = self.read_designs_to_export(&connection, std::slice::from_ref(&design_id)).await?;
            let Some((id, name)) = designs.into_iter().next() else { return Ok(Vec::new()) };
            let Some((folder, stem)) = self.choose_export_place(place, &name, choice.format).await else {
                return Ok(Vec::new());
            };
            let stem = stem.unwrap_or_else(|| history::file_stem(&name, choice.page));
            Ok(vec![self.begin_export(&connection, (id, name), choice, folder, stem)?])
        };
        Ok(self.inner.coalescer.once(key, begin).await?.pop())
    }

    /// The designs of these ids, each once, and what they are called.
    async fn read_designs_to_export(
        &self,
        connection: &Arc<ActiveConnection>,
        design_ids: &[String],
    ) -> Result<Vec<(CanvasId, String)>, Problem> {
        let client = connection.ready().await?.client;
        let mut designs: Vec<(CanvasId, String)> = Vec::new();
        for id in design_ids.iter().take(MOST_AT_ONCE) {
            let id = read_design(id)?;
            if designs.iter().any(|(known, _)| *known == id) {
                continue;
            }
            let name = match self.designs.name_of(id) {
                Some(name) => name,
                None => match client.get_canvas(id).await {
                    // A service may export what it does not describe.
                    Err(ClientError::RouteMissing) => messages::named("", Nameless::Design),
                    canvas => {
                        let name = canvas.map_err(|error| self.connections.note_error(connection, &error, ""))?.name;
                        messages::named(&name, Nameless::Design)
                    }
                },
            };
            designs.push((id, name));
        }
        Ok(designs)
    }

    /// Writes an export down and begins to carry it out. `file_stem` is the file's name without its extension.
    fn begin_export(
        &self,
        connection: &Arc<ActiveConnection>,
        (design_id, design_name): (CanvasId, String),
        choice: ExportChoice,
        folder: PathBuf,
        file_stem: String,
    ) -> Result<ExportView, Problem> {
        let record = ExportRecord {
            id: format!("export_{}", uuid::Uuid::now_v7().simple()),
            connection_id: connection.id.clone(),
            file_stem,
            design_id,
            design_name,
            choice: ExportChoice { scale: choice.scale.filter(|scale| PIXEL_RATIOS.contains(scale)), ..choice },
            format_of_result: WireFormat::from(choice.format).to_string(),
            folder,
            task_id: None,
            path: None,
            size_bytes: None,
            warnings: Vec::new(),
            ended: None,
            problem: None,
            created_at: Core::now(),
            finished_at: None,
        };
        self.inner.file.put(record.clone()).map_err(|error| self.core.unwritable(&error))?;
        Ok(self.run_export(connection, record))
    }

    /// The folder, and the name without its extension where the person chose that too.
    async fn choose_export_place(
        &self,
        place: ExportPlace,
        name: &str,
        format: ExportFormat,
    ) -> Option<(PathBuf, Option<String>)> {
        let desktop = &self.core.ports().desktop;
        let downloads = if place == ExportPlace::Downloads { desktop.downloads_dir() } else { None };
        if let Some(folder) = downloads {
            return Some((folder, None));
        }
        let suggested = format!("{}.{}", history::file_stem(name, None), format.extension());
        let chosen = desktop.choose_file_to_save(&suggested).await?;
        let folder = chosen.parent()?.to_owned();
        let name = chosen.file_name()?.to_string_lossy().into_owned();
        let suffix = format!(".{}", format.extension());
        Some((folder, Some(name.strip_suffix(&suffix).unwrap_or(&name).to_owned())))
    }

    /// All exports of the connection in view, newest first.
    ///
    /// # Errors
    /// `no_connection`.
    pub async fn list_exports(&self) -> Result<ExportList, Problem> {
        Ok(self.view_exports(&*self.connections.selected()?))
    }

    /// Stops an export, or takes one that is over off the list.
    ///
    /// # Errors
    /// `export_unknown`, `data_unwritable`.
    pub async fn cancel_export(&self, export_id: String) -> Result<(), Problem> {
        let record = self.inner.file.get(&export_id).ok_or_else(unknown)?;
        if record.ended.is_some() {
            self.inner.file.forget(|other| other.id == export_id).map_err(|error| self.core.unwritable(&error))?;
            self.tell_exports(&record.connection_id);
            return Ok(());
        }
        let lanes = self.inner.lanes();
        if let Some(running) = lanes.get(&record.connection_id).and_then(|lane| lane.running.get(&export_id)) {
            running.cancel.cancel();
        }
        Ok(())
    }

    /// Tries a failed export again.
    ///
    /// # Errors
    /// `export_unknown`, `data_unwritable`.
    pub async fn retry_export(&self, export_id: String) -> Result<ExportView, Problem> {
        let record = self.inner.file.get(&export_id).ok_or_else(unknown)?;
        let connection = self.connections.find(&record.connection_id).ok_or_else(unknown)?;
        if record.ended.is_none() {
            return Ok(view(&record, None));
        }
        let record =
            ExportRecord { ended: None, problem: None, finished_at: None, task_id: None, size_bytes: None, ..record };
        self.inner.file.put(record.clone()).map_err(|error| self.core.unwritable(&error))?;
        Ok(self.run_export(&connection, record))
    }

    /// Takes everything that is over off the list. The files stay.
    ///
    /// # Errors
    /// `no_connection`, `data_unwritable`.
    pub async fn clear_exports(&self) -> Result<(), Problem> {
        let connection = self.connections.selected()?;
        let over = |record: &ExportRecord| record.connection_id == connection.id && record.ended.is_some();
        self.inner.file.forget(over).map_err(|error| self.core.unwritable(&error))?;
        self.tell_exports(&connection.id);
        Ok(())
    }

    /// Shows the file of an export in its folder.
    ///
    /// # Errors
    /// `export_unknown` where it is not there (yet), or `place_not_shown` with what the system says.
    pub async fn reveal_export(&self, export_id: String) -> Result<(), Problem> {
        let path = self.file_of_export(&export_id)?;
        let shown = self.core.ports().desktop.reveal(&path);
        shown.map_err(|error| messages::problem("place_not_shown", &[("reason", causes::io_reason(&error).as_str())]))
    }

    /// Opens the file of an export with its program. What could run one is not opened: the service decides what it
    /// sends as an export, and the person what it is called.
    ///
    /// # Errors
    /// `export_unknown` where it is not there (yet), `file_could_run`, or `file_not_openable`.
    pub async fn open_export(&self, export_id: String) -> Result<(), Problem> {
        let path = self.file_of_export(&export_id)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if could_run(&name, None) || begins_as_program(&path) {
            return Err(messages::problem("file_could_run", &[("name", name.as_str())]));
        }
        self.core.ports().desktop.open(&path).map_err(|error| {
            tracing::info!(%error, "an export could not be opened");
            messages::problem("file_not_openable", &[("name", name.as_str())])
        })
    }

    /// Lets the file of an export be dragged out of the window.
    ///
    /// # Errors
    /// `export_unknown` where it is not there (yet), or `drag_out_not_begun`.
    pub async fn drag_export(&self, export_id: String) -> Result<(), Problem> {
        let path = self.file_of_export(&export_id)?;
        self.core.drag_out(vec![path]).await
    }

    fn file_of_export(&self, id: &str) -> Result<PathBuf, Problem> {
        let path = self.inner.file.get(id).and_then(|record| record.path);
        path.filter(|path| path.exists()).ok_or_else(unknown)
    }

    fn view_exports(&self, connection: &ActiveConnection) -> ExportList {
        let cap = connection.session().and_then(|session| session.client.entitlements().exports_per_minute);
        let per_minute = Some(cap.unwrap_or(USUAL_PER_MINUTE)).filter(|cap| *cap > 0);
        let records = self.inner.file.of_connection(&connection.id);
        let lanes = self.inner.lanes();
        let lane = lanes.get(&connection.id);
        let exports: Vec<ExportView> = records
            .iter()
            .rev()
            .map(|record| view(record, lane.and_then(|lane| lane.running.get(&record.id))))
            .collect();
        let waits = |state: ExportState| matches!(state, ExportState::Queued | ExportState::Waiting);
        let waiting = exports.iter().filter(|export| waits(export.state)).count();
        let time_left = lane.and_then(|lane| lane.rate.time_left(waiting, per_minute, Instant::now()));
        ExportList {
            exports,
            waiting: waiting.into(),
            per_minute,
            time_left_ms: time_left.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX).into()),
        }
    }

    /// Tells the page of a connection's exports, soon.
    fn tell_exports(&self, connection_id: &str) {
        let mut lanes = self.inner.lanes();
        let lane = lanes.entry(connection_id.to_owned()).or_default();
        if std::mem::replace(&mut lane.is_telling, true) {
            return;
        }
        drop(lanes);
        let (exports, connection_id) = (self.clone(), connection_id.to_owned());
        self.core.supervisor().spawn(async move {
            tokio::time::sleep(GATHERED).await;
            if let Some(lane) = exports.inner.lanes().get_mut(&connection_id) {
                lane.is_telling = false;
            }
            let Some(connection) = exports.connections.find(&connection_id) else { return };
            let list = exports.view_exports(&connection);
            exports.core.emit(Event::ExportsChanged(ExportsChanged { connection_id, list }));
        });
    }
}
