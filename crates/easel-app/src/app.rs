//! The program itself: what it holds, how it starts and how it closes.
//!
//! Always true: there is one [`App`] a process and a data folder; every background task belongs to its supervisor;
//! closing it ends all of them within two seconds and loses nothing, because intent is on disk before its effect. What
//! it can do is in the files of its nouns, each as methods of [`App`].

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use easel_sync::Journal;
use secrecy::SecretString;
use tokio::sync::OnceCell;

use crate::causes;
use crate::connections::Connections;
use crate::connections::record::ConnectionsFile;
use crate::data_dir::DataDir;
use crate::deliveries::Deliveries;
use crate::designs::{Attachments, Designs, MarksFile, Remixes};
use crate::drive::deletions::Deletions;
use crate::drive::downloads::Downloads;
use crate::events::{CloseRequested, Event, PlaceRequested};
use crate::exports::Exports;
use crate::exports::batch::Batches;
use crate::exports::history::ExportsFile;
use crate::glance::Glances;
use crate::keychain::Keychain;
use crate::links::Links;
use crate::media::Media;
use crate::ports::{Notice, NoticeKind, Ports};
use crate::problem::Problem;
use crate::receiver::Receiver;
use crate::settings::{Settings, SettingsFile};
use crate::supervisor::{CLOSING_LIMIT, Supervisor};
use crate::synced::SyncedSources;
use crate::tasks::Tasks;
use crate::tasks::work::WorkFile;
use crate::uploads::Uploads;
use crate::words;
use crate::writing::Writing;

/// Who asks again so soon means it, or has a page that does not answer.
const SAME_WISH: Duration = Duration::from_secs(5);

/// How long a secret that was copied stays in the clipboard.
pub const SECRET_IN_CLIPBOARD: Duration = Duration::from_secs(60);

/// What becomes of a wish to close the window.
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
    ports: Ports,
    data_dir: DataDir,
    supervisor: Supervisor,
    connections: Connections,
    settings: SettingsFile,
    uploads: Uploads,
    deletions: Deletions,
    downloads: Downloads,
    synced_sources: SyncedSources,
    glances: Glances,
    designs: Designs,
    attachments: Attachments,
    remixes: Remixes,
    marks: MarksFile,
    tasks: Tasks,
    exports: Exports,
    deliveries: Deliveries,
    receiver: Receiver,
    media: Media,
    links: Links,
    writing: Writing,
    journal: OnceCell<Journal>,
    /// Why the data folder could not be opened, as long as it could not.
    unopened: Mutex<Option<io::Error>>,
    asked_to_close_at: Mutex<Option<Instant>>,
}

impl std::fmt::Debug for App {
    /// Leaves everything out that could hold a key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("data_dir", &self.inner.data_dir.root()).finish_non_exhaustive()
    }
}

impl App {
    /// Starts the program on its data folder and takes up what the last run left. Where the folder cannot be opened, the
    /// first question of the page ([`App::get_overview`]) says so, and tries again. Must be called within a tokio runtime.
    #[must_use]
    pub fn start(ports: Ports, data_dir: PathBuf) -> Self {
        let data_dir = DataDir::at(data_dir);
        let keychain = Keychain::new(Arc::clone(&ports.keys));
        let inner = Inner {
            settings: SettingsFile::default(),
            connections: Connections::new(ConnectionsFile::unread(&data_dir), keychain),
            supervisor: Supervisor::default(),
            uploads: Uploads::default(),
            deletions: Deletions::default(),
            downloads: Downloads::default(),
            synced_sources: SyncedSources::default(),
            glances: Glances::default(),
            designs: Designs::default(),
            attachments: Attachments::default(),
            remixes: Remixes::default(),
            marks: MarksFile::unread(data_dir.marks()),
            tasks: Tasks::new(WorkFile::unread(data_dir.work())),
            exports: Exports::new(ExportsFile::unread(data_dir.exports()), Batches::new(data_dir.export_presets())),
            deliveries: Deliveries::default(),
            receiver: Receiver::default(),
            media: Media::new(data_dir.media()),
            links: Links::default(),
            writing: Writing::default(),
            journal: OnceCell::new(),
            unopened: Mutex::new(None),
            asked_to_close_at: Mutex::new(None),
            ports,
            data_dir,
        };
        let app = Self { inner: Arc::new(inner) };
        app.keep_awake();
        let opened = app.open_data();
        *app.inner.unopened.lock().unwrap_or_else(PoisonError::into_inner) = opened.err();
        app
    }

    /// Opens the data folder where that has failed so far.
    ///
    /// # Errors
    /// `data_unreadable`, `disk_full`.
    pub(crate) fn ensure_open(&self) -> Result<(), Problem> {
        let mut unopened = self.inner.unopened.lock().unwrap_or_else(PoisonError::into_inner);
        if unopened.is_some() {
            *unopened = self.open_data().err();
        }
        match &*unopened {
            Some(error) => Err(causes::of_start(error, self.inner.data_dir.root())),
            None => Ok(()),
        }
    }

    fn open_data(&self) -> io::Result<()> {
        let data_dir = &self.inner.data_dir;
        let opened = data_dir.make().and_then(|()| self.connections().file.read_from_disk());
        opened.inspect_err(|error| tracing::error!(%error, "the data folder cannot be opened"))?;
        self.inner.settings.read_from_disk(data_dir);
        self.writing().read_from_disk(data_dir);
        self.begin_writing();
        self.tasks().file.read_from_disk()?;
        self.exports().file.read_from_disk()?;
        self.exports().batches.read_from_disk()?;
        self.marks().read_from_disk()?;
        for record in self.connections().file.list() {
            self.begin_connection(record.id, record.kind);
        }
        self.tidy_opened();
        Ok(())
    }

    /// Ends every background task and the built-in studio, within two seconds. Deletions that wait are dropped; transfers
    /// go on at the next start.
    pub async fn close(&self) {
        let tasks = async {
            self.inner.supervisor.close().await;
            if let Some(journal) = self.inner.journal.get() {
                journal.close().await;
            }
        };
        let ended = async { tokio::join!(tasks, self.ports().studio.stop()) };
        if tokio::time::timeout(CLOSING_LIMIT, ended).await.is_err() {
            tracing::warn!("not everything ended in time; the rest ends with the process");
        }
    }

    /// The person wants to close the window. Where something goes on and a tray shows that it does, the window alone goes,
    /// unless the settings say otherwise. Else the page is asked to ask; who asks twice within five seconds is not asked back.
    pub async fn request_close(&self) -> Closing {
        let before =
            self.inner.asked_to_close_at.lock().unwrap_or_else(PoisonError::into_inner).replace(Instant::now());
        let is_meant = before.is_some_and(|moment| moment.elapsed() < SAME_WISH);
        let settings = self.settings().get();
        let has_work = self.watch_glance().borrow().has_work;
        if settings.keeps_running && has_work && self.ports().desktop.has_tray() {
            self.say_once_that_it_goes_on(settings).await;
            return Closing::WindowOnly;
        }
        let unfinished = self.count_unfinished().await;
        if unfinished == 0 || is_meant {
            return Closing::Program;
        }
        self.emit(Event::CloseRequested(CloseRequested { unfinished: unfinished.into() }));
        Closing::Asked
    }

    async fn say_once_that_it_goes_on(&self, settings: Settings) {
        if settings.told_keeps_running {
            return;
        }
        let (title, body) = words::goes_on();
        let connection_id = self.connections().file.selected().unwrap_or_default();
        let notice = Notice { kind: NoticeKind::GoesOn, title, body, connection_id };
        self.ports().notifier.notify(&notice);
        if let Err(problem) = self.set_settings(Settings { told_keeps_running: true, ..settings }).await {
            tracing::warn!(code = problem.code, "that Easel goes on may be said again");
        }
    }

    /// Says something outside the window, unless the person looks at the window anyway or wants none of its kind.
    pub(crate) fn tell_outside(&self, notice: &Notice) {
        let wanted = self.settings().get().notifications;
        let is_wanted = match notice.kind {
            NoticeKind::FolderNeedsYou => wanted.folder_needs_you,
            NoticeKind::TransfersFinished | NoticeKind::TaskEnded => wanted.finished,
            NoticeKind::TransfersFailed => wanted.failed,
            NoticeKind::GoesOn => true,
        };
        if is_wanted && !self.ports().desktop.is_in_front() {
            self.ports().notifier.notify(notice);
        }
    }

    /// The person clicked on a message: the page shows what it is about.
    pub fn follow_notice(&self, notice: &Notice) {
        let Notice { kind, connection_id, .. } = notice;
        self.emit(Event::PlaceRequested(PlaceRequested { connection_id: connection_id.clone(), kind: *kind }));
    }

    /// Closes Easel although something is being sent.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn confirm_close(&self) -> Result<(), Problem> {
        self.ports().desktop.close();
        Ok(())
    }

    /// Puts a text into the clipboard.
    ///
    /// # Errors
    /// `clipboard_unavailable`.
    pub async fn copy_text(&self, text: String) -> Result<(), Problem> {
        self.ports().desktop.copy_text(text).await.map_err(|error| {
            tracing::warn!(%error, "the clipboard cannot be written");
            words::problem("clipboard_unavailable", &[])
        })
    }

    /// Puts a key or a secret into the clipboard, and takes it out again after [`SECRET_IN_CLIPBOARD`], if it is still there.
    ///
    /// # Errors
    /// `clipboard_unavailable`.
    pub async fn copy_secret(&self, text: String) -> Result<(), Problem> {
        let secret = SecretString::from(text.as_str());
        self.copy_text(text).await?;
        let app = self.clone();
        self.supervisor().spawn(async move {
            tokio::time::sleep(SECRET_IN_CLIPBOARD).await;
            if let Err(error) = app.ports().desktop.take_back_text(secret).await {
                tracing::warn!(%error, "a secret may still be in the clipboard");
            }
        });
        Ok(())
    }

    /// The journal of all queues, opened when it is first needed. Where that fails, the next one tries again.
    pub(crate) async fn journal(&self) -> Result<Journal, Problem> {
        let path = self.inner.data_dir.journal();
        let opened = self.inner.journal.get_or_try_init(|| async { Journal::open(&path).await }).await;
        opened.cloned().map_err(|error| causes::of_sync(&error))
    }

    /// Puts a damaged journal aside, so that the next one to open it begins a new one. Its bytes are kept.
    pub(crate) fn set_journal_aside(&self) -> io::Result<()> {
        let path = self.inner.data_dir.journal();
        let now = jiff::Timestamp::now().as_second();
        for side in ["", "-wal", "-shm"] {
            let mut from = path.clone().into_os_string();
            from.push(side);
            let mut to = path.clone().into_os_string();
            to.push(format!(".damaged-{now}{side}"));
            match std::fs::rename(from, to) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        tracing::warn!("the damaged list of transfers was put aside");
        Ok(())
    }

    pub(crate) fn emit(&self, event: Event) {
        self.inner.ports.events.emit(event);
    }

    /// Easel's own files cannot be written.
    pub(crate) fn unwritable(&self, error: &io::Error) -> Problem {
        causes::of_data(error, self.inner.data_dir.root())
    }

    pub(crate) fn ports(&self) -> &Ports {
        &self.inner.ports
    }

    pub(crate) fn data_dir(&self) -> &DataDir {
        &self.inner.data_dir
    }

    /// Runs what the shell began until it ends or the program closes; then it is dropped where it waits.
    pub fn run_on<F>(&self, runtime: &tokio::runtime::Handle, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.supervisor().spawn_on(runtime, task);
    }

    pub(crate) fn supervisor(&self) -> &Supervisor {
        &self.inner.supervisor
    }

    pub(crate) fn connections(&self) -> &Connections {
        &self.inner.connections
    }

    pub(crate) fn settings(&self) -> &SettingsFile {
        &self.inner.settings
    }

    pub(crate) fn uploads(&self) -> &Uploads {
        &self.inner.uploads
    }

    pub(crate) fn deletions(&self) -> &Deletions {
        &self.inner.deletions
    }

    pub(crate) fn synced_sources(&self) -> &SyncedSources {
        &self.inner.synced_sources
    }

    pub(crate) fn glances(&self) -> &Glances {
        &self.inner.glances
    }

    pub(crate) fn downloads(&self) -> &Downloads {
        &self.inner.downloads
    }

    pub(crate) fn designs(&self) -> &Designs {
        &self.inner.designs
    }

    pub(crate) fn attachments(&self) -> &Attachments {
        &self.inner.attachments
    }

    pub(crate) fn remixes(&self) -> &Remixes {
        &self.inner.remixes
    }

    pub(crate) fn marks(&self) -> &MarksFile {
        &self.inner.marks
    }

    pub(crate) fn tasks(&self) -> &Tasks {
        &self.inner.tasks
    }

    pub(crate) fn exports(&self) -> &Exports {
        &self.inner.exports
    }

    pub(crate) fn deliveries(&self) -> &Deliveries {
        &self.inner.deliveries
    }

    pub(crate) fn receiver(&self) -> &Receiver {
        &self.inner.receiver
    }

    pub(crate) fn links(&self) -> &Links {
        &self.inner.links
    }

    pub(crate) fn writing(&self) -> &Writing {
        &self.inner.writing
    }

    pub(crate) fn media(&self) -> &Media {
        &self.inner.media
    }
}
