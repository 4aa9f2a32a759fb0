//! Copies what the built-in studio holds to another connection: for who began on this computer, and goes on with a team.
//!
//! Always true: nothing changes in the studio; there, everything goes into one folder of its own, and nothing is changed
//! or deleted; what that folder has already is not sent again, so that a copy which was stopped goes on where it was;
//! files go through the upload queue like all others, a few at a time, so that little of them lies twice on this disk.
//! Not here: earlier versions, the trash and the keys of the studio, which no service takes; a backup has them
//! (`backups`).

mod designs;
mod destination;
mod kits;
mod staging;
mod survey;
pub(crate) mod views;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use easel_client::{Client, Error as ClientError};
use easel_wire::FolderId;
use tokio_util::sync::CancellationToken;

use self::destination::Destination;
use self::kits::Kits;
use self::staging::Staging;
use self::survey::Survey;
pub use self::views::{MigrationPreview, MigrationState, MigrationView};
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::connections::views::ConnectionKind;
use crate::core::Core;
use crate::drive::downloads::safe_name;
use crate::events::{Event, MigrationMoved};
use crate::messages;
use crate::problem::Problem;

/// The folder of the exported designs.
const DESIGNS: &str = "Designs";
/// The least time between two events of one copy.
const BETWEEN_EVENTS: Duration = Duration::from_millis(200);

/// Copies of the built-in studio to other connections, one at a time. Clones are the same ones.
#[derive(Clone)]
pub struct Migration {
    core: Core,
    connections: Connections,
    current: Arc<Mutex<Current>>,
}

/// The copy that is under way, or how the last one ended.
#[derive(Debug, Default)]
struct Current {
    view: Option<MigrationView>,
    /// `None` while none is under way.
    cancel: Option<CancellationToken>,
}

/// The two sides of a copy.
struct Route {
    local: Arc<ActiveConnection>,
    other: Arc<ActiveConnection>,
    cancel: CancellationToken,
}

impl Migration {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, current: Arc::default() }
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The copy that is under way, or the last one of this run of Easel.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn get_migration(&self) -> Result<Option<MigrationView>, Problem> {
        Ok(self.current().view.clone())
    }

    /// What a copy to a connection would do, in numbers. Changes nothing.
    ///
    /// # Errors
    /// `local_studio_missing`, `connection_unknown`, what the connections' states say, or what the services answer.
    pub async fn preview_migration(&self, connection_id: String) -> Result<MigrationPreview, Problem> {
        let route = self.route(&connection_id)?;
        let source = route.local.ready().await?.client;
        let survey = Survey::of(&source).await.map_err(|error| route.local.problem_of(&error, "", None))?;
        let client = route.other.ready().await?.client;
        let folder_name = self.folder_name();
        let counted = Self::count_there(&survey, &client, &folder_name).await;
        let (files_there, designs_there) = counted.map_err(|error| route.other.problem_of(&error, "", None))?;
        let (files, bytes) = survey.sum();
        Ok(MigrationPreview {
            connection_id,
            folder_name,
            files: files.into(),
            bytes: bytes.into(),
            designs: survey.designs.len().into(),
            kits: survey.kits.len().into(),
            there: (files_there + designs_there).into(),
        })
    }

    /// Begins a copy. How it goes is told by `migration_moved`.
    ///
    /// # Errors
    /// `migration_under_way`, `local_studio_missing`, `connection_unknown`, or what the connections' states say.
    pub async fn start_migration(&self, connection_id: String) -> Result<(), Problem> {
        let route = self.route(&connection_id)?;
        route.local.ready().await?;
        route.other.ready().await?;
        {
            let mut current = self.current();
            if current.cancel.is_some() {
                return Err(messages::problem("migration_under_way", &[]));
            }
            current.cancel = Some(route.cancel.clone());
            current.view = Some(MigrationView::begun(connection_id, self.folder_name()));
        }
        self.tell();
        let migration = self.clone();
        self.core.supervisor().spawn(async move {
            let ended = tokio::select! {
                ended = migration.carry(&route) => match ended {
                    Ok(()) => (MigrationState::Done, None),
                    Err(side) => (MigrationState::Failed, Some(side.problem(&route))),
                },
                () = route.cancel.cancelled() => (MigrationState::Stopped, None),
            };
            migration.current().cancel = None;
            migration.change(|view| (view.state, view.problem) = ended);
        });
        Ok(())
    }

    /// Stops the copy that is under way. What is in the upload queue by then is still sent, and what is there stays.
    ///
    /// # Errors
    /// None; there may be nothing to stop.
    pub async fn stop_migration(&self) -> Result<(), Problem> {
        if let Some(cancel) = &self.current().cancel {
            cancel.cancel();
        }
        Ok(())
    }

    fn route(&self, connection_id: &str) -> Result<Route, Problem> {
        let local = self.connections.local()?;
        let other = self.connections.find(connection_id).filter(|other| other.kind != ConnectionKind::Local);
        let other = other.ok_or_else(|| messages::problem("connection_unknown", &[]))?;
        let cancel = other.cancel.child_token();
        Ok(Route { local, other, cancel })
    }

    /// The folder that everything goes into: several computers may copy into one drive.
    fn folder_name(&self) -> String {
        let computer = self.core.ports().desktop.computer_name();
        let computer = computer.map(|name| safe_name(&name));
        computer.map_or_else(|| "Easel".to_owned(), |computer| format!("Easel – {computer}"))
    }

    /// How many files and designs a folder of that name has already.
    async fn count_there(survey: &Survey, client: &Client, folder_name: &str) -> Result<(usize, usize), ClientError> {
        let mut to = Destination::new(client.clone());
        let Some(top) = to.find(None, folder_name).await? else { return Ok((0, 0)) };
        let (mut files, mut designs) = (0, 0);
        let mut folders = HashMap::new();
        for folder in survey.folders() {
            let parent = folder.parent.map_or(Some(top), |parent| folders.get(&parent).copied());
            let Some(parent) = parent else { continue };
            if let Some(found) = to.find(Some(parent), &folder.name).await? {
                folders.insert(folder.id, found);
            }
        }
        for file in &survey.files {
            let folder = survey.folder_of(file).map_or(Some(top), |folder| folders.get(&folder).copied());
            if let Some(folder) = folder
                && to.copy_of(folder, file).await?.is_some()
            {
                files += 1;
            }
        }
        if let Some(folder) = to.find(Some(top), DESIGNS).await? {
            for (_, name) in survey.design_files() {
                designs += usize::from(to.has_named(folder, &name).await?);
            }
        }
        Ok((files, designs))
    }

    async fn carry(&self, route: &Route) -> Result<(), Side> {
        let source = route.local.ready().await.map_err(Side::Known)?.client;
        let session = route.other.ready().await.map_err(Side::Known)?;
        let survey = Survey::of(&source).await.map_err(Side::Here)?;
        self.change(|view| view.total = (survey.files.len() + survey.designs.len()).into());
        let mut to = Destination::new(session.client.clone());
        let top = to.find_or_make(None, &self.folder_name()).await.map_err(Side::There)?;
        let mut staging = Staging::new(self.core.clone(), session.queue.clone());
        let migration = self.clone();
        let mut kits = Kits::new(session.client.clone(), Box::new(move |name| migration.leave(name)));
        self.copy_files(&source, &survey, (&mut to, top), &mut staging).await?;
        self.copy_designs(&source, &survey, (&mut to, top), &mut staging).await?;
        kits.make(&survey.kits).await.map_err(Side::There)?;
        while staging.is_busy().await {
            self.show(&staging);
            tokio::time::sleep(BETWEEN_EVENTS).await;
        }
        self.show(&staging);
        kits.add_pictures(staging.copies()).await.map_err(Side::There)
    }

    async fn copy_files(
        &self,
        source: &Client,
        survey: &Survey,
        (to, top): (&mut Destination, FolderId),
        staging: &mut Staging,
    ) -> Result<(), Side> {
        let mut folders = HashMap::new();
        for folder in survey.folders() {
            let parent = folder.parent.and_then(|parent| folders.get(&parent).copied()).unwrap_or(top);
            folders.insert(folder.id, to.find_or_make(Some(parent), &folder.name).await.map_err(Side::There)?);
        }
        for file in &survey.files {
            let folder = survey.folder_of(file).and_then(|folder| folders.get(&folder).copied()).unwrap_or(top);
            if let Some(copy) = to.copy_of(folder, file).await.map_err(Side::There)? {
                staging.note_copy(file.id, copy);
                continue;
            }
            self.wait_for_room(staging).await;
            let fetched = staging.fetch(source, file.id, &file.name).await?;
            staging.send(fetched, folder).await?;
        }
        Ok(())
    }

    /// Services take no designs, so each goes as a presentation, which other programs and people can go on with.
    async fn copy_designs(
        &self,
        source: &Client,
        survey: &Survey,
        (to, top): (&mut Destination, FolderId),
        staging: &mut Staging,
    ) -> Result<(), Side> {
        if survey.designs.is_empty() {
            return Ok(());
        }
        let folder = to.find_or_make(Some(top), DESIGNS).await.map_err(Side::There)?;
        for (design, name) in survey.design_files() {
            if to.has_named(folder, &name).await.map_err(Side::There)? {
                staging.note_there();
                continue;
            }
            self.wait_for_room(staging).await;
            match designs::export(source, design).await {
                Ok(export) => {
                    let fetched = staging.fetch_export(source, &export, &name).await?;
                    staging.send(fetched, folder).await?;
                }
                Err(Side::Here(error)) if !error.is_offline() => {
                    tracing::warn!(%error, "a design could not be exported for a copy of the studio");
                    self.leave(name);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits until few enough files lie on this disk for the queue to send.
    async fn wait_for_room(&self, staging: &mut Staging) {
        while !staging.has_room().await {
            self.show(staging);
            tokio::time::sleep(BETWEEN_EVENTS).await;
        }
        self.show(staging);
    }

    fn show(&self, staging: &Staging) {
        let counts = staging.counts();
        self.change(|view| {
            view.done = counts.done.into();
            view.failed = counts.failed.into();
            view.bytes = counts.bytes.into();
        });
    }

    /// What could not be copied is named to the person.
    fn leave(&self, name: String) {
        self.change(|view| view.left.push(name));
    }

    fn change(&self, change: impl FnOnce(&mut MigrationView)) {
        let is_other = {
            let mut current = self.current();
            let before = current.view.clone();
            current.view.as_mut().map(change);
            current.view != before
        };
        if is_other {
            self.tell();
        }
    }

    fn tell(&self) {
        let view = self.current().view.clone();
        self.core.emit(Event::MigrationMoved(MigrationMoved { view }));
    }
}

/// What failed, on which side.
enum Side {
    Here(ClientError),
    There(ClientError),
    /// The disk, the queue's journal, or a connection that does not work.
    Known(Problem),
}

impl Side {
    fn problem(self, route: &Route) -> Problem {
        match self {
            Self::Here(error) => route.local.problem_of(&error, "", None),
            Self::There(error) => route.other.problem_of(&error, "", None),
            Self::Known(problem) => problem,
        }
    }
}
