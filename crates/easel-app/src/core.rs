//! The core below every noun of the program: the ports of the desktop, the data folder, the settings, the journal, and
//! the supervisor of background tasks.
//!
//! Always true: the core knows no noun; a clone is the same core. Not here: how the program is put together
//! ([`crate::app`]).

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use easel_sync::Journal;
use easel_wire::Timestamp;
use tokio::sync::OnceCell;

use crate::causes;
use crate::data_dir::DataDir;
use crate::events::Event;
use crate::messages;
use crate::notices::{Notice, NoticeKind};
use crate::ports::Ports;
use crate::problem::Problem;
use crate::settings::SettingsFile;
use crate::supervisor::Supervisor;

/// What every noun stands on. Clones are the same core.
#[derive(Clone)]
pub(crate) struct Core {
    inner: Arc<Inner>,
}

struct Inner {
    ports: Ports,
    data_dir: DataDir,
    supervisor: Supervisor,
    settings: SettingsFile,
    journal: OnceCell<Journal>,
}

impl Core {
    /// Opens nothing yet.
    pub(crate) fn new(ports: Ports, data_dir: PathBuf) -> Self {
        let inner = Inner {
            ports,
            data_dir: DataDir::at(data_dir),
            supervisor: Supervisor::default(),
            settings: SettingsFile::default(),
            journal: OnceCell::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn ports(&self) -> &Ports {
        &self.inner.ports
    }

    pub(crate) fn data_dir(&self) -> &DataDir {
        &self.inner.data_dir
    }

    pub(crate) fn supervisor(&self) -> &Supervisor {
        &self.inner.supervisor
    }

    pub(crate) fn settings(&self) -> &SettingsFile {
        &self.inner.settings
    }

    pub(crate) fn emit(&self, event: Event) {
        self.inner.ports.events.emit(event);
    }

    /// The moment now, on this machine's clock.
    pub(crate) fn now() -> Timestamp {
        jiff::Timestamp::now().into()
    }

    /// Easel's own files cannot be written.
    pub(crate) fn unwritable(&self, error: &io::Error) -> Problem {
        causes::of_data(error, self.inner.data_dir.root())
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

    pub(crate) async fn drag_out(&self, paths: Vec<PathBuf>) -> Result<(), Problem> {
        self.ports().desktop.drag_out(paths).await.map_err(|error| {
            tracing::info!(%error, "files could not be dragged out");
            messages::problem("drag_out_not_begun", &[])
        })
    }

    /// Ends every background task, then the journal.
    pub(crate) async fn close(&self) {
        self.inner.supervisor.close().await;
        if let Some(journal) = self.inner.journal.get() {
            journal.close().await;
        }
    }
}
