//! A connection at work: its client, its queue, and its present state.
//!
//! Always true: one queue a connection, which gets another client when the address or the key changes; a watch channel
//! tells of new states. Not here: when a session is opened (`keeper`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Feature, Lane};
use easel_sync::{Error as SyncError, Folders, Queue};
use easel_wire::FolderId;
use easel_wire::drive::CreatedBy;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::record::Record;
use super::views::{AccountView, ConnectionKind, ConnectionState, KeyKept, LimitsView};
use crate::causes::{self, About};
use crate::drive::copies::SeenCopies;
use crate::drive::heads::Heads;
use crate::drive::names::SeenNames;
use crate::drive::shelved::Shelved;
use crate::folders::FolderIndex;
use crate::messages;
use crate::problem::Problem;
use crate::supervisor::{CLOSING_LIMIT, Supervisor};

/// How long a command waits for a connection that is being opened.
const OPENING_LIMIT: Duration = Duration::from_secs(20);

/// How a connection is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Status {
    pub(crate) state: ConnectionState,
    pub(crate) problem: Option<Problem>,
    pub(crate) key_kept: KeyKept,
    pub(crate) account: Option<AccountView>,
    pub(crate) limits: Option<LimitsView>,
    /// Whether looking again by itself may help.
    pub(crate) looks_again: bool,
}

/// What speaks to the service while the address and the key stay the same.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) base_url: String,
    pub(crate) client: Client,
    pub(crate) queue: Queue,
    pub(crate) synced: Folders,
    /// The queue's own tasks.
    pub(super) tasks: TaskTracker,
}

/// Why a connection is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProbeReason {
    /// A person asked, and waits.
    Asked,
    /// The program has just started; a person who asked meanwhile has been served already.
    First,
    /// The connection did not work before, or the studio moved.
    Again,
}

/// A connection at work.
pub(crate) struct ActiveConnection {
    pub(crate) id: String,
    pub(crate) kind: ConnectionKind,
    pub(crate) folders: FolderIndex,
    pub(crate) names: SeenNames,
    /// The pointers of the drive, as lists had them last.
    pub(crate) copies: SeenCopies,
    pub(crate) heads: Heads,
    pub(crate) shelved: Shelved,
    /// Held by whoever opens or closes the session.
    pub(super) opening: tokio::sync::Mutex<()>,
    pub(super) wake: Notify,
    pub(crate) cancel: CancellationToken,
    status: watch::Sender<Status>,
    session: Mutex<Option<Session>>,
    /// Ends what keeps the findings of the session's client.
    learning: Mutex<CancellationToken>,
    is_outdated: AtomicBool,
}

impl ActiveConnection {
    pub(super) fn new(id: String, kind: ConnectionKind, record: Option<&Record>, supervisor: &Supervisor) -> Self {
        let status = Status {
            state: ConnectionState::Connecting,
            problem: None,
            key_kept: record.map_or(KeyKept::Missing, |record| record.key_kept),
            account: record.and_then(|record| record.account.clone()),
            limits: None,
            looks_again: true,
        };
        Self {
            id,
            kind,
            folders: FolderIndex::default(),
            names: SeenNames::default(),
            copies: SeenCopies::default(),
            heads: Heads::default(),
            shelved: Shelved::default(),
            opening: tokio::sync::Mutex::new(()),
            wake: Notify::new(),
            cancel: supervisor.cancellation().child_token(),
            status: watch::Sender::new(status),
            session: Mutex::new(None),
            learning: Mutex::default(),
            is_outdated: AtomicBool::new(false),
        }
    }

    pub(crate) fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// Changes the status and says whether it is another one now.
    pub(super) fn set_status(&self, change: impl FnOnce(&mut Status)) -> bool {
        self.status.send_if_modified(|status| {
            let before = status.clone();
            change(status);
            *status != before
        })
    }

    pub(crate) fn session(&self) -> Option<Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_session(&self, session: Session) {
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
    }

    /// The session, waiting a little for one that is being opened.
    pub(crate) async fn ready(&self) -> Result<Session, Problem> {
        if let Some(session) = self.session() {
            return Ok(session);
        }
        let mut status = self.status.subscribe();
        let opened = status.wait_for(|status| status.state != ConnectionState::Connecting);
        // Whichever way the waiting ends, the session below says what came of it.
        let _ = tokio::time::timeout(OPENING_LIMIT, opened).await;
        self.session()
            .ok_or_else(|| self.status().problem.unwrap_or_else(|| messages::problem("connection_not_ready", &[])))
    }

    /// Waits until the service answers and takes the key, however long that takes; also where it does already.
    pub(crate) async fn wait_until_ready(&self) {
        let mut status = self.status.subscribe();
        // The sender lives as long as this connection does.
        let _ = status.wait_for(|status| status.state == ConnectionState::Ready).await;
    }

    /// Waits until there is a queue, whether or not the service answers.
    pub(crate) async fn wait_until_open(&self) {
        let mut status = self.status.subscribe();
        // A session is opened before its state is told.
        let _ = status.wait_for(|_| self.session().is_some()).await;
    }

    /// Ends what kept the findings of the client before, and says when the next one's end.
    pub(super) fn begin_learning(&self) -> CancellationToken {
        let next = self.cancel.child_token();
        let mut learning = self.learning.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *learning, next.clone()).cancel();
        next
    }

    /// Makes the next look open the session anew, because the key is another one.
    pub(super) fn outdate_session(&self) {
        self.is_outdated.store(true, Ordering::Release);
    }

    /// Whether the session is for another key than the one that is kept; says so once.
    pub(super) fn take_outdated(&self) -> bool {
        self.is_outdated.swap(false, Ordering::AcqRel)
    }

    /// Ends everything that belongs to this connection.
    pub(super) async fn end(&self) {
        self.cancel.cancel();
        let _alone = self.opening.lock().await;
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(session) = session else { return };
        if tokio::time::timeout(CLOSING_LIMIT, session.tasks.wait()).await.is_err() {
            tracing::warn!("a queue did not end in time");
        }
    }

    /// What the service is called in an error.
    pub(crate) fn host(&self) -> String {
        match self.kind {
            ConnectionKind::Local => "The studio on this computer".to_owned(),
            ConnectionKind::Service => self.session().map(|session| host_of(&session.base_url)).unwrap_or_default(),
        }
    }

    /// An error of the client in words, about what `name` and `feature` say.
    pub(crate) fn problem_of(&self, error: &ClientError, name: &str, feature: Option<Feature>) -> Problem {
        let is_away = matches!(error, ClientError::Unreachable { .. } | ClientError::ConnectionBroken { .. });
        if self.kind == ConnectionKind::Local && is_away {
            // A stopped studio has no address to check, and the network does not matter for it.
            return messages::problem("local_studio_stopped", &[]);
        }
        causes::of_client(error, About { host: &self.host(), name, feature })
    }

    /// The service's or the journal's error about a watched folder, in words.
    pub(crate) fn problem_of_sync(&self, error: &SyncError) -> Problem {
        match error {
            SyncError::Service(error) => self.problem_of(error, "", None),
            error => causes::of_sync(error),
        }
    }

    /// The name of a person as it is shown, and whether it is the one at this computer.
    pub(crate) fn view_person(&self, by: Option<&CreatedBy>) -> (Option<String>, bool) {
        let you = self.status().account.and_then(|account| account.user_id);
        let name = by.and_then(|by| by.name.clone().or_else(|| by.email.clone()));
        (name, by.and_then(|by| by.id).is_some_and(|by| you.as_deref() == Some(&*by.text())))
    }

    /// Learns the folders of the drive where `wanted` are not known, without making anybody wait.
    pub(crate) async fn learn_folders(&self, wanted: &[Option<FolderId>]) -> bool {
        if wanted.iter().all(|folder| self.folders.place_of(*folder).is_some()) {
            return false;
        }
        let Some(session) = self.session() else { return false };
        let client = session.client.in_lane(Lane::Poll);
        match self.folders.load(&client).await {
            Ok(_) => true,
            Err(error) => {
                tracing::debug!(%error, "where some files lie is not known");
                false
            }
        }
    }
}

/// The host and, where it is not the usual one, the port of an address.
pub(crate) fn host_of(base_url: &str) -> String {
    let Ok(url) = url::Url::parse(base_url) else { return base_url.to_owned() };
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Keeps the session out of `Debug` output: it holds a client.
impl std::fmt::Debug for ActiveConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nobody_is_sent_to_look_at_the_address_of_the_built_in_studio() {
        let check = |kind: ConnectionKind, expected: &str| {
            let connection = ActiveConnection::new("a".to_owned(), kind, None, &Supervisor::default());
            let away = ClientError::Unreachable { reason: "connection refused".to_owned() };
            assert_eq!(connection.problem_of(&away, "", None).code, expected);
        };
        check(ConnectionKind::Local, "local_studio_stopped");
        check(ConnectionKind::Service, "unreachable");
    }
}
