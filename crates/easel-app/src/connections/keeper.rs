//! Keeps a connection up: opens its session, checks that the service answers and takes the key, and checks again.
//!
//! Always true: one check at a time; an error that only a person can end, such as a refused key or a locked keychain,
//! is not tried again and again; the built-in studio's address is asked for at every check, because it changes when the
//! studio starts again. Not here: transfers, which wait and go on by themselves.

use std::sync::Arc;
use std::time::Duration;

use easel_client::{Client, Connection, Error as ClientError, Feature, Lane};
use easel_sync::{FolderSettings, Folders, Queue};
use secrecy::SecretString;
use tokio_util::task::TaskTracker;

use super::Connections;
use super::active_connection::{ActiveConnection, ProbeReason, Session};
use super::record::Record;
use super::views::{AccountView, ConnectionKind, ConnectionState, KeyKept, LimitsView};
use crate::causes;
use crate::events::{ConnectionChanged, Event, KeyStoreUnavailable};
use crate::messages;
use crate::number::WholeNumber;
use crate::ports::{KeyStoreError, LocalState};
use crate::problem::Problem;
use crate::settings::TransferSettings;

/// The first pause before looking again; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause while a service does not answer.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The pause where something else answers, which rarely mends itself.
const RARE_PAUSE: Duration = Duration::from_secs(60);
/// How often a keychain that is locked or not there is looked at, while a key is missed.
const KEYCHAIN_PAUSE: Duration = Duration::from_secs(3);
/// The problems that mean that the keychain has the key and does not give it.
const LOCKED_AWAY: [&str; 3] = ["key_locked_away", "key_out_of_reach", "key_withheld"];

/// Why a connection does not work.
struct SessionError {
    state: ConnectionState,
    problem: Problem,
    looks_again: bool,
}

impl SessionError {
    const fn needs_a_person(problem: Problem) -> Self {
        Self { state: ConnectionState::NeedsAttention, problem, looks_again: false }
    }

    const fn passes_by_itself(problem: Problem) -> Self {
        Self { state: ConnectionState::Offline, problem, looks_again: true }
    }

    fn of(error: &ClientError, connection: &ActiveConnection) -> Self {
        let problem = connection.problem_of(error, "", None);
        match error {
            error if error.is_offline() => Self::passes_by_itself(problem),
            // The service is there and may soon be well again.
            ClientError::Api { status, .. } if *status == 429 || *status >= 500 => Self::passes_by_itself(problem),
            ClientError::Tls { .. } | ClientError::NotTheService { .. } | ClientError::RedirectRefused { .. } => {
                Self { state: ConnectionState::NeedsAttention, problem, looks_again: true }
            }
            _ => Self::needs_a_person(problem),
        }
    }
}

impl Connections {
    /// Keeps a connection up until it is removed or the program closes.
    pub(super) async fn keep_connected(&self, connection: Arc<ActiveConnection>) {
        let mut studio = (connection.kind == ConnectionKind::Local).then(|| self.core.ports().studio.watch_state());
        let mut pause = FIRST_PAUSE;
        let mut look = ProbeReason::First;
        loop {
            self.look_at(&connection, look).await;
            look = ProbeReason::Again;
            let status = connection.status();
            let wait = match status.state {
                ConnectionState::Ready => {
                    pause = FIRST_PAUSE;
                    None
                }
                _ if !status.looks_again => None,
                ConnectionState::NeedsAttention => Some(RARE_PAUSE),
                ConnectionState::Offline | ConnectionState::Connecting => Some(pause),
            };
            let looks_soon = async {
                match wait {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            let studio_moved = async {
                match &mut studio {
                    Some(studio) => self.follow_studio(&connection, studio).await,
                    None => std::future::pending().await,
                }
            };
            let misses_key = status.problem.is_some_and(|problem| LOCKED_AWAY.contains(&&*problem.code));
            let keychain_opened = async {
                if misses_key { self.follow_keychain(&connection).await } else { std::future::pending().await }
            };
            tokio::select! {
                () = connection.cancel.cancelled() => return,
                () = connection.wake.notified() => pause = FIRST_PAUSE,
                () = looks_soon => pause = LONGEST_PAUSE.min(pause * 2),
                () = studio_moved => pause = FIRST_PAUSE,
                () = keychain_opened => pause = FIRST_PAUSE,
            }
        }
    }

    /// Returns when the keychain, which was locked or not there, gives the key without asking anybody.
    async fn follow_keychain(&self, connection: &ActiveConnection) {
        loop {
            tokio::time::sleep(KEYCHAIN_PAUSE).await;
            if self.keychain().is_open(&connection.id).await {
                return;
            }
        }
    }

    /// Returns when the built-in studio answers at another address than the session's.
    async fn follow_studio(
        &self,
        connection: &ActiveConnection,
        studio: &mut tokio::sync::watch::Receiver<LocalState>,
    ) {
        loop {
            if studio.changed().await.is_err() {
                return std::future::pending().await;
            }
            let state = studio.borrow_and_update().clone();
            match state {
                LocalState::Running { base_url } => {
                    let is_same = connection.session().is_some_and(|session| session.base_url == base_url);
                    if !is_same || connection.status().state != ConnectionState::Ready {
                        return;
                    }
                }
                LocalState::Failing(_) => {
                    self.tell_of(
                        connection,
                        SessionError::passes_by_itself(messages::problem("local_studio_stopped", &[])),
                    );
                }
                LocalState::Stopped | LocalState::Starting => {}
            }
        }
    }

    /// Opens the session where there is none, asks the service whom the key belongs to, and tells the page.
    pub(super) async fn look_at(&self, connection: &Arc<ActiveConnection>, look: ProbeReason) {
        let _alone = connection.opening.lock().await;
        let is_known = connection.status().state != ConnectionState::Connecting;
        if connection.cancel.is_cancelled() || (look == ProbeReason::First && is_known) {
            return;
        }
        let is_damaged = connection.status().problem.is_some_and(|problem| problem.code == "journal_damaged");
        if look == ProbeReason::Asked
            && is_damaged
            && let Err(error) = self.core.set_journal_aside()
        {
            tracing::warn!(%error, "the damaged list of transfers could not be put aside");
        }
        let lane = if look == ProbeReason::Again { Lane::Poll } else { Lane::Person };
        let mut renewed = false;
        let outcome = loop {
            let session = match self.open_session(connection).await {
                Ok(session) => session,
                Err(error) => break Err(error),
            };
            match ask_account(&session.client.in_lane(lane)).await {
                Ok(known) => break Ok(known),
                // Someone deleted the key that Easel itself uses for the built-in studio.
                Err(error) if error.is_key_refused() && connection.kind == ConnectionKind::Local && !renewed => {
                    renewed = true;
                    connection.outdate_session();
                    if let Err(error) = self.replace_refused_local_key(connection).await {
                        break Err(error);
                    }
                }
                Err(error) => break Err(SessionError::of(&error, connection)),
            }
        };
        match outcome {
            Ok((account, limits)) => self.tell_ready(connection, account, limits),
            Err(error) => self.tell_of(connection, error),
        }
    }

    async fn replace_refused_local_key(&self, connection: &ActiveConnection) -> Result<(), SessionError> {
        let record = self.record_of(connection)?;
        let for_session = self.keychain().is_for_session(&connection.id);
        self.renew_local_key(record, for_session).await.map_err(SessionError::needs_a_person)?;
        Ok(())
    }

    fn record_of(&self, connection: &ActiveConnection) -> Result<Record, SessionError> {
        let gone = || SessionError::needs_a_person(messages::problem("connection_unknown", &[]));
        self.file().get(&connection.id).ok_or_else(gone)
    }

    /// The session for the address that the service has now.
    async fn open_session(&self, connection: &Arc<ActiveConnection>) -> Result<Session, SessionError> {
        let record = self.record_of(connection)?;
        let base_url = match &record.base_url {
            Some(base_url) => base_url.clone(),
            None => {
                let started = self.start_studio().await;
                started.map_err(|error| SessionError::passes_by_itself(causes::of_local(&error)))?
            }
        };
        let before = connection.session();
        let is_outdated = connection.take_outdated();
        if let Some(session) = &before
            && session.base_url == base_url
            && !is_outdated
        {
            return Ok(session.clone());
        }
        let opened = self.make_session(connection, record, base_url, before).await;
        if opened.is_err() && is_outdated {
            connection.outdate_session();
        }
        opened
    }

    async fn make_session(
        &self,
        connection: &Arc<ActiveConnection>,
        record: Record,
        base_url: String,
        before: Option<Session>,
    ) -> Result<Session, SessionError> {
        let key = self.key_of(connection, record.clone()).await?;
        let client = make_client(&base_url, key, &record).map_err(|error| SessionError::of(&error, connection))?;
        if let Some(before) = before {
            before.queue.set_client(client.clone()).await;
            before.synced.set_client(client.clone()).await;
            let session = Session { base_url, client, ..before };
            self.follow_capabilities(connection, &session, &record);
            connection.set_session(session.clone());
            return Ok(session);
        }
        let journal = self.core.journal().await.map_err(SessionError::needs_a_person)?;
        // Restored first, before the queue sends anything.
        client.restore_capabilities(record.capabilities.clone());
        let cancel = connection.cancel.child_token();
        let tasks = TaskTracker::new();
        let to_session_error = |error: easel_sync::Error| SessionError::needs_a_person(causes::of_sync(&error));
        let queue = Queue::start(journal.clone(), client.clone(), &connection.id, cancel.clone(), &tasks).await;
        let queue = queue.map_err(to_session_error)?;
        let settings = self.folder_settings(&queue);
        let synced = Folders::start(journal, client.clone(), &connection.id, settings, cancel.clone(), &tasks).await;
        let synced = match synced {
            Ok(synced) => synced,
            Err(error) => {
                // A session needs its folders, so the queue ends too.
                cancel.cancel();
                return Err(to_session_error(error));
            }
        };
        let session = Session { base_url, client, queue, synced, tasks: tasks.clone() };
        self.follow_capabilities(connection, &session, &record);
        self.apply_settings(&session);
        connection.set_session(session.clone());
        // The queue's own tasks count among the program's, so that closing waits for them.
        self.core.supervisor().tasks().spawn(async move {
            cancel.cancelled().await;
            tasks.close();
            tasks.wait().await;
        });
        self.tell(|observer| observer.opened(connection, &session));
        Ok(session)
    }

    /// Makes a session keep what the person has set.
    pub(crate) fn apply_settings(&self, session: &Session) {
        let TransferSettings { bytes_per_second, at_once, pause_on_metered } = self.core.settings().get().transfers;
        session.queue.set_at_once(usize::from(at_once));
        session.synced.set_pause_on_metered(pause_on_metered);
        easel_client::limit_bandwidth(bytes_per_second.map_or(0, WholeNumber::get));
    }

    /// What holds for the synced folders of a session.
    fn folder_settings(&self, queue: &Queue) -> FolderSettings {
        let usual = FolderSettings::default();
        FolderSettings {
            slots: queue.slots(),
            host_name: self.core.ports().desktop.computer_name().unwrap_or_else(|| usual.host_name.clone()),
            pause_on_metered: self.core.settings().get().transfers.pause_on_metered,
            ..usual
        }
    }

    /// The key of a connection; the built-in studio makes a new one where there is none.
    async fn key_of(&self, connection: &ActiveConnection, record: Record) -> Result<SecretString, SessionError> {
        let keychain = self.keychain();
        let is_local = connection.kind == ConnectionKind::Local;
        let for_session = record.key_kept == KeyKept::Session;
        match keychain.get(&connection.id).await {
            Ok(Some(key)) => return Ok(key),
            Ok(None) if is_local => {
                self.renew_local_key(record, for_session).await.map_err(SessionError::needs_a_person)?;
            }
            Err(_) if is_local && for_session => {
                self.renew_local_key(record, true).await.map_err(SessionError::needs_a_person)?;
            }
            Ok(None) => return Err(SessionError::needs_a_person(messages::problem("key_missing", &[]))),
            // The key was never given to the keychain, so the keychain's answer does not matter.
            Err(_) if for_session => return Err(SessionError::needs_a_person(messages::problem("key_missing", &[]))),
            Err(error) => return Err(self.tell_key_store(connection, &error)),
        }
        match keychain.get(&connection.id).await {
            Ok(Some(key)) => Ok(key),
            Ok(None) => Err(SessionError::needs_a_person(messages::problem("key_missing", &[]))),
            Err(error) => Err(self.tell_key_store(connection, &error)),
        }
    }

    fn tell_key_store(&self, connection: &ActiveConnection, error: &KeyStoreError) -> SessionError {
        let problem = causes::of_key_not_given(error);
        let connection_id = Some(connection.id.clone());
        self.core.emit(Event::KeyStoreUnavailable(KeyStoreUnavailable { connection_id, problem: problem.clone() }));
        SessionError::needs_a_person(problem)
    }

    fn tell_ready(&self, connection: &ActiveConnection, account: AccountView, limits: Option<LimitsView>) {
        let for_session = self.keychain().is_for_session(&connection.id);
        let noted = self.file().update(&connection.id, |record| record.account = Some(account.clone()));
        if let Err(error) = noted {
            tracing::warn!(%error, "whom the key belongs to could not be noted");
        }
        let was_ready = connection.status().state == ConnectionState::Ready;
        self.tell_status(connection, |status| {
            status.state = ConnectionState::Ready;
            status.problem = None;
            status.key_kept = if for_session { KeyKept::Session } else { KeyKept::Keychain };
            status.account = Some(account);
            status.limits = limits;
            status.looks_again = true;
        });
        if let (false, Some(session)) = (was_ready, connection.session()) {
            // The queue would find out by itself, but later.
            self.core.supervisor().spawn(async move { session.queue.look_again().await });
        }
    }

    fn tell_of(&self, connection: &ActiveConnection, error: SessionError) {
        tracing::info!(connection = connection.id, code = error.problem.code, "a connection does not work");
        let is_missing = error.problem.code == "key_missing";
        self.tell_status(connection, |status| {
            status.state = error.state;
            status.problem = Some(error.problem);
            status.looks_again = error.looks_again;
            if is_missing {
                status.key_kept = KeyKept::Missing;
            }
        });
    }

    fn tell_status(&self, connection: &ActiveConnection, change: impl FnOnce(&mut super::active_connection::Status)) {
        if connection.set_status(change) {
            self.core.emit(Event::ConnectionChanged(ConnectionChanged {
                connection: Box::new(self.view_connection(connection)),
            }));
        }
    }

    /// Takes note of what a command's error says about the whole connection, and words it.
    pub(crate) fn note_error(&self, connection: &ActiveConnection, error: &ClientError, name: &str) -> Problem {
        self.note_error_in(connection, error);
        connection.problem_of(error, name, None)
    }

    /// Like `note_error`, about a feature: if the service lacks the feature, the problem says that.
    pub(crate) fn note_error_of(
        &self,
        connection: &ActiveConnection,
        error: &ClientError,
        feature: Option<Feature>,
    ) -> Problem {
        self.note_error_in(connection, error);
        connection.problem_of(error, "", feature)
    }

    fn note_error_in(&self, connection: &ActiveConnection, error: &ClientError) {
        let is_news = connection.status().state == ConnectionState::Ready;
        if is_news && (error.is_offline() || error.is_key_refused()) {
            self.tell_of(connection, SessionError::of(error, connection));
            connection.wake.notify_one();
        }
    }

    /// Takes note that the queue cannot reach the service, or that its key was refused.
    pub(crate) fn note_waiting(&self, connection: &ActiveConnection) {
        if connection.status().state == ConnectionState::Ready {
            connection.wake.notify_one();
        }
    }

    /// Notes that a service answered after all.
    pub(crate) fn note_answer(&self, connection: &ActiveConnection) {
        if connection.status().state == ConnectionState::Offline {
            connection.wake.notify_one();
        }
    }
}

fn make_client(base_url: &str, key: SecretString, record: &Record) -> Result<Client, ClientError> {
    let mut connection = Connection::new(base_url, key)?;
    if let Some(name) = &record.version_header {
        connection = connection.with_version_header(name)?;
    }
    if record.plain_http_confirmed {
        connection = connection.confirm_plain_http();
    }
    Client::new(connection)
}

/// Whom the key belongs to, and how large a file may be where the key may ask that.
async fn ask_account(client: &Client) -> Result<(AccountView, Option<LimitsView>), ClientError> {
    let whoami = client.identify().await?;
    let limits = match client.refresh_upload_limits().await {
        Ok(limits) => Some(LimitsView {
            max_file_bytes: limits.max_file_bytes.into(),
            is_plan_limit: limits.max_file_bytes_is_plan_limit,
        }),
        Err(error) => {
            tracing::debug!(%error, "the upload limits are not known");
            None
        }
    };
    Ok((AccountView::of(&whoami), limits))
}
