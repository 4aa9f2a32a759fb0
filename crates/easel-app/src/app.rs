//! The program itself: puts its nouns together, starts and closes.
//!
//! Always true: there is one [`App`] a process and a data folder; every background task belongs to its supervisor;
//! closing ends all of them within two seconds and loses nothing, because intent is on disk before its effect; this is
//! the only place that knows every noun, each of which knows those below it. Not here: what a noun can do, which is in
//! its own file.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use secrecy::SecretString;

use crate::backups::Backups;
use crate::brand_kits::BrandKits;
use crate::causes;
use crate::connections::Connections;
use crate::connections::active_connection::{ActiveConnection, Session};
use crate::connections::observer::ConnectionObserver;
use crate::core::Core;
use crate::deliveries::Deliveries;
use crate::designs::Designs;
use crate::designs::attachments::Attachments;
use crate::designs::generation::Generation;
use crate::designs::marks::Marks;
use crate::diagnostics::{self, Diagnostics};
use crate::doctor::Doctor;
use crate::drive::Drive;
use crate::drive::deletions::Deletions;
use crate::drive::downloads::Downloads;
use crate::events::{CloseRequested, Event, PlaceRequested};
use crate::exports::Exports;
use crate::history::History;
use crate::keys::Keys;
use crate::links::Links;
use crate::media::Media;
use crate::media::thumbnails::Thumbnails;
use crate::messages;
use crate::migration::Migration;
use crate::notices::{Notice, NoticeKind};
use crate::organizations::Organizations;
use crate::overview::Overview;
use crate::ports::Ports;
use crate::preferences::Preferences;
use crate::problem::Problem;
use crate::receiver::Receiver;
use crate::settings::Settings;
use crate::status_summary::StatusSummaries;
use crate::supervisor::CLOSING_LIMIT;
use crate::synced::SyncedFolders;
use crate::tasks::Tasks;
use crate::team::Team;
use crate::uploads::Uploads;
use crate::writing::Writing;

/// A second request to close within this time is meant, or comes because the page does not answer.
const SAME_REQUEST: Duration = Duration::from_secs(5);

/// How long a secret that was copied stays in the clipboard.
pub const SECRET_IN_CLIPBOARD: Duration = Duration::from_secs(60);

/// What becomes of a request to close the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// The program ends.
    Program,
    /// The window goes, and the rest goes on.
    WindowOnly,
    /// Nothing yet: the page asks.
    Asked,
}

/// The program. Clones are the same program.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    core: Core,
    connections: Connections,
    status_summaries: StatusSummaries,
    preferences: Preferences,
    links: Links,
    keys: Keys,
    team: Team,
    writing: Writing,
    backups: Backups,
    migration: Migration,
    organizations: Organizations,
    doctor: Doctor,
    deliveries: Deliveries,
    receiver: Receiver,
    deletions: Deletions,
    downloads: Downloads,
    designs: Designs,
    marks: Marks,
    attachments: Attachments,
    drive: Drive,
    tasks: Tasks,
    generation: Generation,
    exports: Exports,
    synced: SyncedFolders,
    history: History,
    uploads: Uploads,
    brand_kits: BrandKits,
    media: Media,
    /// Why the data folder could not be opened, as long as it could not.
    unopened: Mutex<Option<io::Error>>,
    asked_to_close_at: Mutex<Option<Instant>>,
}

impl Inner {
    /// Puts the nouns together, each from those below it. Opens nothing yet.
    fn new(core: Core) -> Self {
        let thumbnails = Arc::new(Thumbnails::default());
        let connections = Connections::new(core.clone());
        let status_summaries = StatusSummaries::new(core.clone(), connections.clone());
        let preferences = Preferences::new(core.clone(), connections.clone(), status_summaries.clone());
        let links = Links::new(core.clone(), connections.clone());
        let keys = Keys::new(core.clone(), connections.clone());
        let team = Team::new(core.clone(), connections.clone());
        let writing = Writing::new(core.clone(), connections.clone());
        let backups = Backups::new(core.clone(), connections.clone());
        let migration = Migration::new(core.clone(), connections.clone());
        let organizations = Organizations::new(connections.clone());
        let doctor = Doctor::new(connections.clone());
        let deliveries = Deliveries::new(core.clone(), connections.clone());
        let receiver = Receiver::new(core.clone(), connections.clone());
        let deletions = Deletions::new(core.clone(), connections.clone());
        let downloads = Downloads::new(core.clone(), connections.clone());
        let designs = Designs::new(core.clone(), connections.clone(), deletions.clone(), Arc::clone(&thumbnails));
        let marks = Marks::new(core.clone(), connections.clone(), designs.clone());
        let attachments = Attachments::new(core.clone(), connections.clone());
        let drive =
            Drive::new(core.clone(), connections.clone(), designs.clone(), deletions.clone(), downloads.clone());
        let tasks =
            Tasks::new(core.clone(), connections.clone(), designs.clone(), attachments.clone(), deliveries.clone());
        let generation =
            Generation::new(core.clone(), connections.clone(), designs.clone(), tasks.clone(), receiver.clone());
        let exports = Exports::new(core.clone(), connections.clone(), designs.clone());
        let synced = SyncedFolders::new(core.clone(), connections.clone(), status_summaries.clone());
        let history = History::new(core.clone(), connections.clone());
        let brand_kits = BrandKits::new(core.clone(), connections.clone(), attachments.clone());
        let uploads = Uploads::new(
            core.clone(),
            connections.clone(),
            status_summaries.clone(),
            attachments.clone(),
            synced.clone(),
            brand_kits.clone(),
        );
        let media = Media::new(&core, connections.clone(), thumbnails, exports.clone(), tasks.clone(), synced.clone());
        Self {
            core,
            connections,
            status_summaries,
            preferences,
            links,
            keys,
            team,
            writing,
            backups,
            migration,
            organizations,
            doctor,
            deliveries,
            receiver,
            deletions,
            downloads,
            designs,
            marks,
            attachments,
            drive,
            tasks,
            generation,
            exports,
            synced,
            history,
            uploads,
            brand_kits,
            media,
            unopened: Mutex::new(None),
            asked_to_close_at: Mutex::new(None),
        }
    }
}

/// The consequences of connections that come and go, in the order in which they happen.
impl ConnectionObserver for Inner {
    fn begun(&self, connection: &Arc<ActiveConnection>) {
        self.tasks.resume_work(connection);
        self.generation.resume_copies(connection);
        self.exports.resume_exports(connection);
    }

    fn opened(&self, connection: &Arc<ActiveConnection>, session: &Session) {
        self.uploads.follow_queue(connection, &session.queue);
        self.synced.follow_synced(connection, &session.synced);
    }

    fn removed(&self, connection_id: &str) {
        self.status_summaries.forget(connection_id);
        self.tasks.forget_work_of(connection_id);
        self.exports.forget_exports_of(connection_id);
        self.marks.forget_marks_of(connection_id);
    }

    fn service_chosen(&self) {
        self.uploads.forget_awaiting_drop();
    }

    fn studio_set_up(&self, connection_id: &str) {
        self.generation.make_samples(connection_id);
    }
}

impl std::fmt::Debug for App {
    /// Leaves out every field that could hold a key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("data_dir", &self.inner.core.data_dir().root()).finish_non_exhaustive()
    }
}

impl App {
    /// Starts the program on its data folder and takes up what the last run left. Where the folder cannot be opened,
    /// the first question of the page ([`App::get_overview`]) says so, and tries again. Must be called within a tokio
    /// runtime.
    #[must_use]
    pub fn start(ports: Ports, data_dir: PathBuf) -> Self {
        let inner = Arc::new(Inner::new(Core::new(ports, data_dir)));
        let observer: Weak<Inner> = Arc::downgrade(&inner);
        inner.connections.observe(observer);
        let app = Self { inner };
        app.inner.status_summaries.keep_awake();
        let opened = app.open_data();
        *app.inner.unopened.lock().unwrap_or_else(PoisonError::into_inner) = opened.err();
        app
    }

    /// Opens the data folder where that has failed so far.
    fn ensure_open(&self) -> Result<(), Problem> {
        let mut unopened = self.inner.unopened.lock().unwrap_or_else(PoisonError::into_inner);
        if unopened.is_some() {
            *unopened = self.open_data().err();
        }
        match &*unopened {
            Some(error) => Err(causes::of_start(error, self.inner.core.data_dir().root())),
            None => Ok(()),
        }
    }

    fn open_data(&self) -> io::Result<()> {
        let Inner { core, connections, writing, backups, tasks, exports, marks, downloads, .. } = &*self.inner;
        let opened = core.data_dir().make().and_then(|()| connections.read_from_disk());
        opened.inspect_err(|error| tracing::error!(%error, "the data folder cannot be opened"))?;
        core.settings().read_from_disk(core.data_dir());
        writing.begin_writing();
        backups.begin_backups()?;
        tasks.file().read_from_disk()?;
        exports.read_from_disk()?;
        marks.read_from_disk()?;
        connections.begin();
        downloads.tidy_opened();
        Ok(())
    }

    /// Ends every background task and the built-in studio, within two seconds. Deletions that wait are dropped;
    /// transfers go on at the next start.
    pub async fn close(&self) {
        let core = &self.inner.core;
        let ended = async { tokio::join!(core.close(), core.ports().studio.stop()) };
        if tokio::time::timeout(CLOSING_LIMIT, ended).await.is_err() {
            tracing::warn!("not everything ended in time; the rest ends with the process");
        }
    }

    /// The person wants to close the window. Where something goes on and a tray shows that it does, the window alone
    /// goes, unless the settings say otherwise. Else the page is asked to ask; who asks twice within five seconds is
    /// not asked back.
    pub async fn request_close(&self) -> Closing {
        let before =
            self.inner.asked_to_close_at.lock().unwrap_or_else(PoisonError::into_inner).replace(Instant::now());
        let is_meant = before.is_some_and(|moment| moment.elapsed() < SAME_REQUEST);
        let settings = self.inner.core.settings().get();
        let has_work = self.inner.status_summaries.watch().borrow().has_work;
        if settings.keeps_running && has_work && self.inner.core.ports().desktop.has_tray() {
            self.say_once_that_it_goes_on(settings).await;
            return Closing::WindowOnly;
        }
        let unfinished = self.inner.uploads.count_unfinished().await;
        if unfinished == 0 || is_meant {
            return Closing::Program;
        }
        self.inner.core.emit(Event::CloseRequested(CloseRequested { unfinished: unfinished.into() }));
        Closing::Asked
    }

    async fn say_once_that_it_goes_on(&self, settings: Settings) {
        if settings.told_keeps_running {
            return;
        }
        let (title, body) = messages::goes_on();
        let connection_id = self.inner.connections.file().selected().unwrap_or_default();
        let notice = Notice { kind: NoticeKind::GoesOn, title, body, connection_id };
        self.inner.core.ports().notifier.notify(&notice);
        if let Err(problem) =
            self.inner.preferences.set_settings(Settings { told_keeps_running: true, ..settings }).await
        {
            tracing::warn!(code = problem.code, "that Easel goes on may be said again");
        }
    }

    /// The person clicked on a message: the page shows what it is about.
    pub fn follow_notice(&self, notice: &Notice) {
        let Notice { kind, connection_id, .. } = notice;
        self.inner
            .core
            .emit(Event::PlaceRequested(PlaceRequested { connection_id: connection_id.clone(), kind: *kind }));
    }

    /// Closes Easel although something is being sent.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn confirm_close(&self) -> Result<(), Problem> {
        self.inner.core.ports().desktop.close();
        Ok(())
    }

    /// Puts a text into the clipboard.
    ///
    /// # Errors
    /// `clipboard_unavailable`.
    pub async fn copy_text(&self, text: String) -> Result<(), Problem> {
        self.inner.core.ports().desktop.copy_text(text).await.map_err(|error| {
            tracing::warn!(%error, "the clipboard cannot be written");
            messages::problem("clipboard_unavailable", &[])
        })
    }

    /// Puts a key or a secret into the clipboard, and takes it out again after [`SECRET_IN_CLIPBOARD`], if it is still
    /// there.
    ///
    /// # Errors
    /// `clipboard_unavailable`.
    pub async fn copy_secret(&self, text: String) -> Result<(), Problem> {
        let secret = SecretString::from(text.as_str());
        self.copy_text(text).await?;
        let app = self.clone();
        self.inner.core.supervisor().spawn(async move {
            tokio::time::sleep(SECRET_IN_CLIPBOARD).await;
            if let Err(error) = app.inner.core.ports().desktop.take_back_text(secret).await {
                tracing::warn!(%error, "a secret may still be in the clipboard");
            }
        });
        Ok(())
    }

    /// Runs a task of the shell until it ends or the program closes; then it is dropped where it waits.
    pub fn run_on<F>(&self, runtime: &tokio::runtime::Handle, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.inner.core.supervisor().spawn_on(runtime, task);
    }

    /// What the first screen needs.
    ///
    /// # Errors
    /// `data_unreadable`, `disk_full` as long as Easel's own folder cannot be opened; it is tried again each time.
    pub async fn get_overview(&self) -> Result<Overview, Problem> {
        self.ensure_open()?;
        let Inner { core, connections, uploads, .. } = &*self.inner;
        Ok(Overview {
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
            connections: connections.view_connections(),
            selected_connection_id: connections.file().selected(),
            transfers: uploads.transfers_in_view().await,
            settings: core.settings().get(),
            system_language: messages::system_language(),
        })
    }

    /// What helps to find a fault. Without keys, secrets, signed addresses, hosts and the names of files.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn get_diagnostics(&self) -> Result<Diagnostics, Problem> {
        let Inner { core, connections, status_summaries, uploads, .. } = &*self.inner;
        let status_now = status_summaries.watch().borrow().clone();
        let transfers = uploads.transfers_in_view().await;
        Ok(Diagnostics::of(&core.settings().get(), &status_now, &connections.view_connections(), transfers.as_ref()))
    }

    /// Logs a fault of the page's own code, cut to 2,000 bytes: nobody has its console open.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn report_page_fault(&self, words: String) -> Result<(), Problem> {
        diagnostics::log_page_fault(&words);
        Ok(())
    }

    /// The services that Easel is connected to.
    #[must_use]
    pub fn connections(&self) -> &Connections {
        &self.inner.connections
    }

    /// What everything is doing, at a glance.
    #[must_use]
    pub fn status_summaries(&self) -> &StatusSummaries {
        &self.inner.status_summaries
    }

    /// What the person has set.
    #[must_use]
    pub fn preferences(&self) -> &Preferences {
        &self.inner.preferences
    }

    /// Links that were opened.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.inner.links
    }

    /// The API keys of the built-in studio.
    #[must_use]
    pub fn keys(&self) -> &Keys {
        &self.inner.keys
    }

    /// The team of the studio in view.
    #[must_use]
    pub fn team(&self) -> &Team {
        &self.inner.team
    }

    /// Who writes for the built-in studio.
    #[must_use]
    pub fn writing(&self) -> &Writing {
        &self.inner.writing
    }

    /// Backups of the built-in studio.
    #[must_use]
    pub fn backups(&self) -> &Backups {
        &self.inner.backups
    }

    /// Copies of the built-in studio to other connections.
    #[must_use]
    pub fn migration(&self) -> &Migration {
        &self.inner.migration
    }

    /// The organizations that a key can reach.
    #[must_use]
    pub fn organizations(&self) -> &Organizations {
        &self.inner.organizations
    }

    /// The doctor of signatures.
    #[must_use]
    pub fn doctor(&self) -> &Doctor {
        &self.inner.doctor
    }

    /// Deliveries of webhooks.
    #[must_use]
    pub fn deliveries(&self) -> &Deliveries {
        &self.inner.deliveries
    }

    /// The receiver of webhooks on this computer.
    #[must_use]
    pub fn receiver(&self) -> &Receiver {
        &self.inner.receiver
    }

    /// Deletions of items, which can be undone for a while.
    #[must_use]
    pub fn deletions(&self) -> &Deletions {
        &self.inner.deletions
    }

    /// Downloads of files, and files that are opened.
    #[must_use]
    pub fn downloads(&self) -> &Downloads {
        &self.inner.downloads
    }

    /// The designs of the connection in view.
    #[must_use]
    pub fn designs(&self) -> &Designs {
        &self.inner.designs
    }

    /// What a person has starred and rejected.
    #[must_use]
    pub fn marks(&self) -> &Marks {
        &self.inner.marks
    }

    /// Files that go with a design.
    #[must_use]
    pub fn attachments(&self) -> &Attachments {
        &self.inner.attachments
    }

    /// The drive of the connection in view.
    #[must_use]
    pub fn drive(&self) -> &Drive {
        &self.inner.drive
    }

    /// Tasks, and what was begun here.
    #[must_use]
    pub fn tasks(&self) -> &Tasks {
        &self.inner.tasks
    }

    /// Asking for designs.
    #[must_use]
    pub fn generation(&self) -> &Generation {
        &self.inner.generation
    }

    /// Exports.
    #[must_use]
    pub fn exports(&self) -> &Exports {
        &self.inner.exports
    }

    /// What happened in the folders that are kept in step, and the way back.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.inner.history
    }

    /// The folders of this computer that are kept in step.
    #[must_use]
    pub fn synced(&self) -> &SyncedFolders {
        &self.inner.synced
    }

    /// Files on their way into the drive.
    #[must_use]
    pub fn uploads(&self) -> &Uploads {
        &self.inner.uploads
    }

    /// The brand kits of the connection in view.
    #[must_use]
    pub fn brand_kits(&self) -> &BrandKits {
        &self.inner.brand_kits
    }

    /// Pictures for the page.
    #[must_use]
    pub fn media(&self) -> &Media {
        &self.inner.media
    }
}
