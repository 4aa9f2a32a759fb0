//! The connections to services: trying, saving, choosing and forgetting them.
//!
//! Always true: a connection is tried before it is saved, and every cause of failure has words of its own; a key is
//! stored before the connection that needs it is written down. Not here: a connection's file (`record`), its session
//! (`active_connection`) and keeping it up (`keeper`).

pub(crate) mod active_connection;
mod capabilities;
mod invited;
mod keeper;
pub(crate) mod observer;
pub(crate) mod record;
mod service;
pub(crate) mod views;

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use easel_client::{Capabilities, Client, Connection, Error as ClientError};
use easel_sync::Folders;
use easel_wire::account::Whoami;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{RwLockReadGuard, RwLockWriteGuard};

use self::active_connection::{ActiveConnection, ProbeReason};
pub use self::invited::{InvitationDraft, InvitationTarget};
use self::observer::ConnectionObserver;
use self::record::{ConnectionsFile, Record};
pub use self::service::{RefusedMediaType, ServiceFeature, ServiceLack, ServiceView};
pub use self::views::{
    AccountView, ConnectionDraft, ConnectionKind, ConnectionState, ConnectionTested, ConnectionView, KeyKept,
    LimitsView,
};
use crate::causes::{self, About};
use crate::core::Core;
use crate::keychain::{Keychain, signing_entry};
use crate::messages;
use crate::ports::LocalServiceError;
use crate::problem::Problem;

/// The connections to services. Clones are the same ones.
#[derive(Clone)]
pub struct Connections {
    core: Core,
    inner: Arc<Inner>,
}

/// All connections, and their keys.
struct Inner {
    file: ConnectionsFile,
    keychain: Keychain,
    connection: Mutex<Vec<Arc<ActiveConnection>>>,
    /// Held by whoever starts the studio or works on its data; by whoever puts other data in the place of these, alone.
    studio_data: tokio::sync::RwLock<()>,
    observer: OnceLock<Weak<dyn ConnectionObserver>>,
    redeemed: invited::RedeemedKeys,
}

impl Connections {
    pub(crate) fn new(core: Core) -> Self {
        let inner = Inner {
            file: ConnectionsFile::unread(core.data_dir()),
            keychain: Keychain::new(Arc::clone(&core.ports().keys)),
            connection: Mutex::default(),
            studio_data: tokio::sync::RwLock::default(),
            observer: OnceLock::new(),
            redeemed: invited::RedeemedKeys::default(),
        };
        Self { core, inner: Arc::new(inner) }
    }

    /// From now on `observer` hears of connections that come and go; there is one.
    pub(crate) fn observe(&self, observer: Weak<dyn ConnectionObserver>) {
        let is_first = self.inner.observer.set(observer).is_ok();
        debug_assert!(is_first, "connections have one observer");
    }

    fn tell(&self, what: impl FnOnce(&dyn ConnectionObserver)) {
        if let Some(observer) = self.inner.observer.get().and_then(Weak::upgrade) {
            what(observer.as_ref());
        }
    }

    /// Reads what the last run left.
    pub(crate) fn read_from_disk(&self) -> std::io::Result<()> {
        self.inner.file.read_from_disk()
    }

    /// Begins to keep up every connection of the file.
    pub(crate) fn begin(&self) {
        for record in self.inner.file.list() {
            self.begin_connection(record.id, record.kind);
        }
    }

    pub(crate) fn file(&self) -> &ConnectionsFile {
        &self.inner.file
    }

    pub(crate) fn keychain(&self) -> &Keychain {
        &self.inner.keychain
    }

    pub(crate) fn all(&self) -> Vec<Arc<ActiveConnection>> {
        self.inner.connection.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The built-in studio.
    ///
    /// # Errors
    /// `local_studio_missing`.
    pub(crate) fn local(&self) -> Result<Arc<ActiveConnection>, Problem> {
        let local = self.all().into_iter().find(|connection| connection.kind == ConnectionKind::Local);
        local.ok_or_else(|| messages::problem("local_studio_missing", &[]))
    }

    pub(crate) fn find(&self, id: &str) -> Option<Arc<ActiveConnection>> {
        self.all().into_iter().find(|connection| connection.id == id)
    }

    /// The connection in view.
    pub(crate) fn selected(&self) -> Result<Arc<ActiveConnection>, Problem> {
        let selected = self.file().selected().and_then(|id| self.find(&id));
        selected.ok_or_else(|| messages::problem("no_connection", &[]))
    }

    /// The connection in view, and its synced folders.
    pub(crate) async fn synced_in_view(&self) -> Result<(Arc<ActiveConnection>, Folders), Problem> {
        let connection = self.selected()?;
        let folders = connection.ready().await?.synced;
        Ok((connection, folders))
    }

    /// Whether a connection is the one in view.
    pub(crate) fn is_selected(&self, connection: &ActiveConnection) -> bool {
        self.file().selected().as_deref() == Some(&connection.id)
    }

    /// As long as the answer lives, the studio's data stay where they are. Not to be asked for by who has it already.
    pub(crate) async fn hold_studio_in_place(&self) -> RwLockReadGuard<'_, ()> {
        self.inner.studio_data.read().await
    }

    /// As long as the answer lives, nobody else starts the studio or works on its data.
    pub(crate) async fn hold_studio_at_rest(&self) -> RwLockWriteGuard<'_, ()> {
        self.inner.studio_data.write().await
    }

    async fn start_studio(&self) -> Result<String, LocalServiceError> {
        let _in_place = self.hold_studio_in_place().await;
        self.core.ports().studio.start().await
    }

    /// Opens the session of a connection anew, as another key may be needed than before.
    pub(crate) async fn reopen(&self, connection: &Arc<ActiveConnection>) {
        connection.outdate_session();
        self.look_at(connection, ProbeReason::Asked).await;
    }

    fn add(&self, connection: Arc<ActiveConnection>) {
        self.inner.connection.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }

    fn take(&self, id: &str) -> Option<Arc<ActiveConnection>> {
        let mut all = self.inner.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(|connection| connection.id == id)?;
        Some(all.remove(place))
    }
}

/// A draft that was tried and worked.
struct Tried {
    connection: Connection,
    whoami: Whoami,
}

/// How long a service has to answer while a person waits at the form; the client's own patience, with its repeats, is
/// for work that nobody watches.
const TRY_LIMIT: Duration = Duration::from_secs(20);

/// Speaks to a service with a draft, and says by its cause why that did not work.
async fn try_draft(draft: &ConnectionDraft) -> Result<Tried, Problem> {
    let to_problem = |host: &str, error: &ClientError| causes::of_client(error, About::host(host));
    let mut connection = Connection::new(&draft.address, SecretString::from(draft.key.as_str()))
        .map_err(|error| to_problem("", &error))?;
    if let Some(name) = draft.version_header.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        connection = connection.with_version_header(name).map_err(|error| to_problem("", &error))?;
    }
    if draft.confirm_plain_http {
        connection = connection.confirm_plain_http();
    }
    let host = active_connection::host_of(connection.base_url().as_str());
    let client = Client::new(connection.clone()).map_err(|error| to_problem(&host, &error))?;
    let answer = tokio::time::timeout(TRY_LIMIT, client.identify()).await.unwrap_or(Err(ClientError::TimedOut));
    let whoami = answer.map_err(|error| to_problem(&host, &error))?;
    Ok(Tried { connection, whoami })
}

impl Connections {
    /// Tries an address and a key without saving anything.
    ///
    /// # Errors
    /// One problem a cause: no address, unreachable, wrong key, version not supported, not the service, plain http,
    /// redirect, TLS.
    pub async fn test_connection(&self, draft: ConnectionDraft) -> Result<ConnectionTested, Problem> {
        let tried = try_draft(&draft).await?;
        Ok(ConnectionTested {
            address: tried.connection.base_url().as_str().trim_end_matches('/').to_owned(),
            account: AccountView::of(&tried.whoami),
        })
    }

    /// Tries an address and a key, puts the key away, saves the connection and puts it in view. A service that is
    /// connected already for the same person gets the new key instead of a second entry.
    ///
    /// # Errors
    /// As [`Connections::test_connection`]; `key_store_*` where the key cannot be put away; `data_unwritable`.
    pub async fn connect_service(&self, draft: ConnectionDraft) -> Result<ConnectionView, Problem> {
        let tried = try_draft(&draft).await?;
        let base_url = tried.connection.base_url().to_string();
        let account = AccountView::of(&tried.whoami);
        let known = self.file().list();
        let same = self.find_same(&known, &base_url, &account, &draft.key).await;
        let corrected = draft
            .corrects
            .as_deref()
            .and_then(|id| known.iter().find(|record| record.id == id && record.kind == ConnectionKind::Service));
        // If the corrected address leads to a connection that is there already, that one stays, and the other is of no
        // use any more.
        let superfluous = corrected.filter(|before| same.is_some_and(|same| same.id != before.id));
        let superfluous = superfluous.map(|before| before.id.clone());
        let usual = tried.connection.version_header().eq_ignore_ascii_case(easel_wire::DEFAULT_VERSION_HEADER);
        let record = Record {
            id: same.or(corrected).map_or_else(|| uuid::Uuid::now_v7().to_string(), |record| record.id.clone()),
            kind: ConnectionKind::Service,
            base_url: Some(base_url),
            version_header: (!usual).then(|| tried.connection.version_header().to_owned()),
            plain_http_confirmed: draft.confirm_plain_http,
            key_kept: if draft.keep_for_session { KeyKept::Session } else { KeyKept::Keychain },
            local_key_id: None,
            account: Some(account),
            // Another key, or another service: what was found out before says nothing of it.
            capabilities: Capabilities::default(),
        };
        self.put_key_away(&record.id, SecretString::from(draft.key.trim()), draft.keep_for_session).await?;
        self.tell(|observer| observer.service_chosen());
        let view = self.save_connection(record).await?;
        if let Some(id) = superfluous {
            self.remove_connection(id).await?;
        }
        Ok(view)
    }

    /// Gives a connection another key, after trying it.
    ///
    /// # Errors
    /// As [`Connections::connect_service`]; `connection_unknown`.
    pub async fn replace_key(
        &self,
        connection_id: String,
        key: String,
        keep_for_session: bool,
    ) -> Result<ConnectionView, Problem> {
        let record = self.file().get(&connection_id).ok_or_else(unknown)?;
        let Some(address) = record.base_url.clone() else {
            return self.start_local_studio(keep_for_session).await;
        };
        let draft = ConnectionDraft {
            address,
            key,
            version_header: record.version_header.clone(),
            confirm_plain_http: record.plain_http_confirmed,
            keep_for_session,
            corrects: None,
        };
        let tried = try_draft(&draft).await?;
        self.put_key_away(&record.id, SecretString::from(draft.key.trim()), keep_for_session).await?;
        let key_kept = if keep_for_session { KeyKept::Session } else { KeyKept::Keychain };
        let selected = self.file().selected();
        let (account, capabilities) = (Some(AccountView::of(&tried.whoami)), Capabilities::default());
        let view = self.save_connection(Record { key_kept, account, capabilities, ..record }).await?;
        // Another key changes nothing about which connection is in view.
        if let Some(selected) = selected {
            self.file().select(&selected).map_err(|error| self.core.unwritable(&error))?;
        }
        Ok(view)
    }

    /// All connections, in the order in which they were made.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn list_connections(&self) -> Result<Vec<ConnectionView>, Problem> {
        Ok(self.view_connections())
    }

    /// Puts a connection in view. The queues of the others go on.
    ///
    /// # Errors
    /// `connection_unknown`, `data_unwritable`.
    pub async fn select_connection(&self, connection_id: String) -> Result<ConnectionView, Problem> {
        let connection = self.find(&connection_id).ok_or_else(unknown)?;
        self.file().select(&connection_id).map_err(|error| self.core.unwritable(&error))?;
        Ok(self.view_connection(&connection))
    }

    /// Forgets a connection, its key and its transfers. What is in the drive stays there, and so does the built-in
    /// studio's data.
    ///
    /// # Errors
    /// `connection_unknown`, `data_unwritable`.
    pub async fn remove_connection(&self, connection_id: String) -> Result<(), Problem> {
        let connection = self.take(&connection_id).ok_or_else(unknown)?;
        let local_key_id = self.file().get(&connection_id).and_then(|record| record.local_key_id);
        self.file().remove(&connection_id).map_err(|error| self.core.unwritable(&error))?;
        if let Some(session) = connection.session()
            && let Err(error) = session.queue.cancel_all().await
        {
            tracing::warn!(%error, "the transfers of a removed connection could not be stopped first");
        }
        connection.end().await;
        self.tell(|observer| observer.removed(&connection_id));
        if let Ok(journal) = self.core.journal().await
            && let Err(error) = journal.forget_connection(&connection_id).await
        {
            tracing::warn!(%error, "the transfers of a removed connection are still noted");
        }
        if connection.kind == ConnectionKind::Local {
            if let Some(key_id) = local_key_id
                && let Err(error) = self.core.ports().studio.delete_key(&key_id).await
            {
                tracing::warn!(%error, "the key of a removed connection is still valid");
            }
            self.core.ports().studio.stop().await;
        }
        let keychain = self.keychain();
        let mut forgotten = keychain.forget(&connection_id).await;
        if connection.kind == ConnectionKind::Local {
            forgotten = forgotten.and(keychain.forget(&signing_entry(&connection_id)).await);
        }
        if let Err(error) = forgotten {
            tracing::warn!(%error, "the key of a removed connection is still in the keychain");
        }
        Ok(())
    }

    /// Looks at once whether a service answers again, and says how it is. Its queue looks too, if it waits for
    /// something.
    ///
    /// # Errors
    /// `connection_unknown`.
    pub async fn retry_connection(&self, connection_id: String) -> Result<ConnectionView, Problem> {
        let connection = self.find(&connection_id).ok_or_else(unknown)?;
        self.look_at(&connection, ProbeReason::Asked).await;
        if let Some(session) = connection.session() {
            // A full storage is the main case: it holds up the queue alone.
            session.queue.look_again().await;
        }
        Ok(self.view_connection(&connection))
    }

    /// Sets the built-in studio up, or starts it again, and puts it in view.
    ///
    /// # Errors
    /// `local_studio_failed`; `key_store_*` where its key cannot be put away; `data_unwritable`.
    pub async fn start_local_studio(&self, keep_for_session: bool) -> Result<ConnectionView, Problem> {
        let known = self.file().list().into_iter().find(|record| record.kind == ConnectionKind::Local);
        let is_first = known.is_none();
        self.start_studio().await.map_err(|error| causes::of_local(&error))?;
        let mut record = known.unwrap_or_else(|| Record {
            id: uuid::Uuid::now_v7().to_string(),
            kind: ConnectionKind::Local,
            base_url: None,
            version_header: None,
            plain_http_confirmed: false,
            key_kept: KeyKept::Missing,
            local_key_id: None,
            account: None,
            capabilities: Capabilities::default(),
        });
        let keychain = self.keychain();
        let has_key = match keychain.get(&record.id).await {
            Ok(key) => key.is_some(),
            Err(_) if keep_for_session => false,
            Err(error) => return Err(causes::of_key_not_kept(&error)),
        };
        if !has_key {
            record = self.renew_local_key(record, keep_for_session).await?;
        }
        let connected = self.save_connection(record).await?;
        if is_first {
            self.tell(|observer| observer.studio_set_up(&connected.id));
        }
        Ok(connected)
    }

    /// The existing connection to the service at `base_url` for the same person: by the person, where the service tells
    /// who it is, else by the key.
    async fn find_same<'a>(
        &self,
        known: &'a [Record],
        base_url: &str,
        account: &AccountView,
        key: &str,
    ) -> Option<&'a Record> {
        for record in known.iter().filter(|record| record.base_url.as_deref() == Some(base_url)) {
            let is_same_person = record.account.as_ref().is_some_and(|known| known.is_same_person(account));
            let kept = if is_same_person { None } else { self.keychain().get(&record.id).await.ok().flatten() };
            if is_same_person || kept.is_some_and(|kept| kept.expose_secret() == key.trim()) {
                return Some(record);
            }
        }
        None
    }

    /// Stores a key where the person wants it: in the keychain, or in memory for this session.
    async fn put_key_away(&self, id: &str, key: SecretString, for_session: bool) -> Result<(), Problem> {
        if for_session {
            self.keychain().keep_for_session(id, key);
            return Ok(());
        }
        self.keychain().keep(id, key).await.map_err(|error| causes::of_key_not_kept(&error))
    }

    /// Makes a key of the built-in studio for Easel itself, in place of the one before.
    pub(crate) async fn renew_local_key(&self, record: Record, for_session: bool) -> Result<Record, Problem> {
        const NAME: &str = "Easel on this computer";
        let _in_place = self.hold_studio_in_place().await;
        let studio = &self.core.ports().studio;
        let made = studio.create_key(NAME).await.map_err(|error| causes::of_local(&error))?;
        if let Err(problem) = self.put_key_away(&record.id, made.key, for_session).await {
            if let Err(error) = studio.delete_key(&made.id).await {
                tracing::warn!(%error, "a key that could not be put away is still valid");
            }
            return Err(problem);
        }
        // The signing secret is for the receiver on this computer, which asks for it where it is missing.
        let entry = signing_entry(&record.id);
        if let Err(problem) = self.put_key_away(&entry, made.signing_secret, for_session).await {
            tracing::debug!(code = problem.code, "the secret of Easel's own key was not kept");
        }
        if let Some(before) = &record.local_key_id
            && let Err(error) = studio.delete_key(before).await
        {
            tracing::debug!(%error, "the key before this one was gone already");
        }
        let key_kept = if for_session { KeyKept::Session } else { KeyKept::Keychain };
        let record = Record { key_kept, local_key_id: Some(made.id), capabilities: Capabilities::default(), ..record };
        self.file().put(record.clone()).map_err(|error| self.core.unwritable(&error))?;
        Ok(record)
    }

    /// Saves a connection, puts it in view and looks at it.
    async fn save_connection(&self, record: Record) -> Result<ConnectionView, Problem> {
        let id = record.id.clone();
        let kind = record.kind;
        let file = self.file();
        file.put(record).and_then(|()| file.select(&id)).map_err(|error| self.core.unwritable(&error))?;
        let connection = match self.find(&id) {
            Some(connection) => {
                connection.outdate_session();
                connection
            }
            None => self.begin_connection(id, kind),
        };
        self.look_at(&connection, ProbeReason::Asked).await;
        Ok(self.view_connection(&connection))
    }

    /// Takes a connection up and keeps it up in the background.
    fn begin_connection(&self, id: String, kind: ConnectionKind) -> Arc<ActiveConnection> {
        let record = self.file().get(&id);
        let connection = Arc::new(ActiveConnection::new(id, kind, record.as_ref(), self.core.supervisor()));
        self.add(Arc::clone(&connection));
        let (connections, kept) = (self.clone(), Arc::clone(&connection));
        self.core.supervisor().spawn(async move { connections.keep_connected(kept).await });
        self.tell(|observer| observer.begun(&connection));
        connection
    }

    pub(crate) fn view_connections(&self) -> Vec<ConnectionView> {
        self.all().iter().map(|connection| self.view_connection(connection)).collect()
    }

    pub(crate) fn view_connection(&self, connection: &ActiveConnection) -> ConnectionView {
        let record = self.file().get(&connection.id);
        let status = connection.status();
        let base_url = record.as_ref().and_then(|record| record.base_url.clone());
        let host = base_url.as_deref().map(active_connection::host_of).unwrap_or_default();
        // The built-in studio has another port at every start; programs that use it are told the one it has now.
        let base_url = base_url.or_else(|| connection.session().map(|session| session.base_url));
        ConnectionView {
            id: connection.id.clone(),
            kind: connection.kind,
            host,
            address: base_url.map(|url| url.trim_end_matches('/').to_owned()),
            service: record.as_ref().map(|record| ServiceView::of(&record.capabilities)).unwrap_or_default(),
            version_header: record.and_then(|record| record.version_header),
            state: status.state,
            problem: status.problem,
            key_kept: status.key_kept,
            account: status.account,
            limits: status.limits,
        }
    }
}

fn unknown() -> Problem {
    messages::problem("connection_unknown", &[])
}
