//! "Listen here": a receiver of webhooks on this computer, which shows events as they come, each verified.
//!
//! Always true: it listens on loopback alone, under a path that nobody can guess, and answers only requests that name
//! loopback as their host, so that no page of a browser reaches it by another name; the requests that it keeps are in
//! memory, bounded ([`inbox`]), and end with the app; secrets are in memory, and Easel's own in the keychain. It
//! answers 204 to every request that it takes, verified or not: a developer wants to see the bad ones too. Offered
//! where the connection in view is the built-in studio, which may send to loopback; the contract gives other services
//! no way of saying that they may. Not here: finding what is wrong with a signature (`doctor`).

mod inbox;

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::inbox::{Inbox, Incoming, MOST_BODY_BYTES};
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::connections::views::ConnectionKind;
use crate::core::Core;
use crate::deliveries::HeaderView;
use crate::doctor::{SignatureDiagnosis, now_in_seconds};
use crate::events::{Event, WebhooksReceived};
use crate::keychain::signing_entry;
use crate::messages;
use crate::problem::Problem;

/// How long a sender may take for a body; a service waits as long for an answer.
const BODY_LIMIT: Duration = Duration::from_secs(30);
/// The most requests that are read at the same time.
const AT_ONCE: usize = 16;
/// How long an answer that is under way may take once listening ends.
const LAST_ANSWERS: Duration = Duration::from_millis(500);
/// The page hears of news at most this often.
const BETWEEN_NEWS: Duration = Duration::from_millis(100);

/// Whether a receiver on this computer is of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ReceiverOffer {
    /// The service runs on this computer and sends to it.
    Offered,
    /// The service does not say that it may send to this computer.
    OutOfReach,
}

/// Whether what came is signed with a secret that is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ReceivedState {
    /// It is, and in time.
    Verified,
    /// It is not.
    NotVerified,
    /// No secret is known here.
    NotChecked,
}

/// A request that came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ReceivedView {
    /// Counts from 1 while it listens.
    pub number: u32,
    /// When it came, RFC 3339.
    pub received_at: String,
    /// Whether it is to be believed.
    pub state: ReceivedState,
    /// The event that it carries.
    pub event_id: Option<String>,
    /// What the event tells, such as `task.succeeded`; empty where it carries none.
    pub event_type: String,
    /// The same event came before: a retry or a replay.
    pub is_repeat: bool,
}

/// A request with everything that came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ReceivedDetails {
    /// The request.
    pub received: ReceivedView,
    /// Its headers, in their order.
    pub headers: Vec<HeaderView>,
    /// Its body; what is no text is shown as far as it is.
    pub body: String,
    /// Why it is not verified, under the secret that comes closest; `null` where no secret is known.
    pub diagnosis: Option<SignatureDiagnosis>,
}

/// The receiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ReceiverView {
    /// Whether it is of use for the connection in view.
    pub offer: ReceiverOffer,
    /// Where it listens; `null` while it does not.
    pub address: Option<String>,
    /// A developer has given it a secret.
    pub has_secret: bool,
    /// Designs that are asked for in this window report here.
    pub takes_own_tasks: bool,
    /// What came, newest first.
    pub received: Vec<ReceivedView>,
    /// How many more came before these and are no longer kept.
    pub dropped: u32,
}

/// The receiver on this computer. Clones are the same receiver.
#[derive(Clone)]
pub struct Receiver {
    core: Core,
    connections: Connections,
    listening: Arc<Mutex<Option<Listening>>>,
    /// Held while it starts, so that there is one start at a time.
    starting: Arc<tokio::sync::Mutex<()>>,
}

impl Receiver {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, listening: Arc::default(), starting: Arc::default() }
    }
}

struct Listening {
    address: String,
    takes_own_tasks: bool,
    inbox: Arc<Inbox>,
    cancel: CancellationToken,
}

impl Receiver {
    /// The address that a task of this connection reports to.
    pub(crate) fn address_for(&self, connection: &ActiveConnection) -> Option<String> {
        let listening = self.listening();
        let is_wanted = connection.kind == ConnectionKind::Local;
        listening.as_ref().filter(|listening| listening.takes_own_tasks && is_wanted).map(|it| it.address.clone())
    }

    fn listening(&self) -> std::sync::MutexGuard<'_, Option<Listening>> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn inbox(&self) -> Option<Arc<Inbox>> {
        self.listening().as_ref().map(|listening| Arc::clone(&listening.inbox))
    }
}

impl Receiver {
    /// The receiver as it is.
    ///
    /// # Errors
    /// `no_connection`.
    pub async fn get_receiver(&self) -> Result<ReceiverView, Problem> {
        let connection = self.connections.selected()?;
        Ok(self.view_receiver(&connection))
    }

    fn view_receiver(&self, connection: &ActiveConnection) -> ReceiverView {
        let listening = self.listening();
        let inbox = listening.as_ref().map(|listening| &listening.inbox);
        let (received, dropped) = inbox.map(|inbox| inbox.list()).unwrap_or_default();
        ReceiverView {
            offer: match connection.kind {
                ConnectionKind::Local => ReceiverOffer::Offered,
                ConnectionKind::Service => ReceiverOffer::OutOfReach,
            },
            address: listening.as_ref().map(|listening| listening.address.clone()),
            has_secret: inbox.is_some_and(|inbox| inbox.has_secret()),
            takes_own_tasks: listening.as_ref().is_some_and(|listening| listening.takes_own_tasks),
            received,
            dropped,
        }
    }

    /// Begins to listen; where it does already, it goes on.
    ///
    /// # Errors
    /// `receiver_out_of_reach`, `receiver_not_started`, `no_connection`.
    pub async fn start_receiver(&self) -> Result<ReceiverView, Problem> {
        let connection = self.connections.selected()?;
        if connection.kind != ConnectionKind::Local {
            return Err(messages::problem("receiver_out_of_reach", &[]));
        }
        let _alone = self.starting.lock().await;
        if self.inbox().is_none() {
            let own = self.connections.keychain().get(&signing_entry(&connection.id)).await;
            let own = own.inspect_err(|error| tracing::info!(%error, "Easel's own events cannot be verified")).ok();
            self.listen(own.flatten()).await.map_err(|error| {
                tracing::warn!(%error, "the receiver cannot listen");
                messages::problem("receiver_not_started", &[])
            })?;
        }
        Ok(self.view_receiver(&connection))
    }

    async fn listen(&self, own_secret: Option<SecretString>) -> std::io::Result<()> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let path = format!("/{}", uuid::Uuid::new_v4().simple());
        let address = format!("http://127.0.0.1:{port}{path}");
        let cancel = self.core.supervisor().cancellation().child_token();
        let inbox = Arc::new(Inbox::new(own_secret));
        let desk = Endpoint {
            path,
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            inbox: Arc::clone(&inbox),
            places: tokio::sync::Semaphore::new(AT_ONCE),
            cancel: cancel.clone(),
        };
        let router = axum::Router::new().fallback(take).with_state(Arc::new(desk));
        let served = axum::serve(listener, router).with_graceful_shutdown(cancel.clone().cancelled_owned());
        let ended = cancel.clone();
        self.core.supervisor().tasks().spawn(async move {
            tokio::select! {
                outcome = served => if let Err(error) = outcome { tracing::warn!(%error, "the receiver ended") },
                () = async { ended.cancelled().await; tokio::time::sleep(LAST_ANSWERS).await } => {}
            }
        });
        let (receiver, news, ended) = (self.clone(), Arc::clone(&inbox), cancel.clone());
        self.core.supervisor().spawn(async move {
            let tell = async {
                loop {
                    news.wait_for_news().await;
                    receiver.core.emit(Event::WebhooksReceived(WebhooksReceived {}));
                    tokio::time::sleep(BETWEEN_NEWS).await;
                }
            };
            ended.run_until_cancelled(tell).await;
        });
        *self.listening() = Some(Listening { address, takes_own_tasks: true, inbox, cancel });
        Ok(())
    }

    /// Ends listening; what came is forgotten.
    ///
    /// # Errors
    /// `no_connection`.
    pub async fn stop_receiver(&self) -> Result<ReceiverView, Problem> {
        let stopped = self.listening().take();
        if let Some(listening) = stopped {
            listening.cancel.cancel();
        }
        self.get_receiver().await
    }

    /// Takes a secret to verify with, in place of the one before; what came already is looked at again. Empty for none.
    ///
    /// # Errors
    /// `no_connection`.
    pub async fn set_receiver_secret(&self, secret: String) -> Result<ReceiverView, Problem> {
        let secret = Some(SecretString::from(secret.trim())).filter(|_| !secret.trim().is_empty());
        if let Some(inbox) = self.inbox() {
            inbox.set_secret(secret);
        }
        self.get_receiver().await
    }

    /// Whether designs that are asked for in this window report here.
    ///
    /// # Errors
    /// `no_connection`.
    pub async fn set_receiver_takes_own_tasks(&self, takes: bool) -> Result<ReceiverView, Problem> {
        if let Some(listening) = self.listening().as_mut() {
            listening.takes_own_tasks = takes;
        }
        self.get_receiver().await
    }

    /// Forgets what came so far.
    ///
    /// # Errors
    /// `no_connection`.
    pub async fn clear_receiver(&self) -> Result<ReceiverView, Problem> {
        if let Some(inbox) = self.inbox() {
            inbox.clear();
        }
        self.get_receiver().await
    }

    /// One request with everything that came.
    ///
    /// # Errors
    /// `received_not_found`: it was forgotten.
    pub async fn get_received(&self, number: u32) -> Result<ReceivedDetails, Problem> {
        let found = self.inbox().and_then(|inbox| inbox.get(number));
        found.ok_or_else(|| messages::problem("received_not_found", &[]))
    }
}

/// Where requests are taken.
struct Endpoint {
    path: String,
    hosts: [String; 2],
    inbox: Arc<Inbox>,
    places: tokio::sync::Semaphore,
    cancel: CancellationToken,
}

impl Endpoint {
    /// Why a request is turned away before its body is read.
    fn turn_away(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<StatusCode> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if !self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host)) {
            Some(StatusCode::MISDIRECTED_REQUEST)
        } else if path != self.path {
            Some(StatusCode::NOT_FOUND)
        } else if *method != Method::POST {
            Some(StatusCode::METHOD_NOT_ALLOWED)
        } else {
            None
        }
    }
}

async fn take(State(desk): State<Arc<Endpoint>>, request: Request) -> StatusCode {
    if let Some(refusal) = desk.turn_away(request.method(), request.uri().path(), request.headers()) {
        return refusal;
    }
    let Ok(_place) = desk.places.try_acquire() else { return StatusCode::SERVICE_UNAVAILABLE };
    let (parts, body) = request.into_parts();
    let body = tokio::select! {
        body = tokio::time::timeout(BODY_LIMIT, axum::body::to_bytes(body, MOST_BODY_BYTES)) => body,
        () = desk.cancel.cancelled() => return StatusCode::SERVICE_UNAVAILABLE,
    };
    match body {
        Ok(Ok(body)) => {
            let shown = |(name, value): (&header::HeaderName, &header::HeaderValue)| HeaderView {
                name: name.to_string(),
                value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
            };
            let headers = parts.headers.iter().map(shown).collect();
            desk.inbox.take(Incoming { headers, body, at: jiff::Timestamp::now(), now: now_in_seconds() });
            StatusCode::NO_CONTENT
        }
        // Too long, or cut on the way: whom the second happens to waits for no answer.
        Ok(Err(_)) => StatusCode::PAYLOAD_TOO_LARGE,
        Err(_) => StatusCode::REQUEST_TIMEOUT,
    }
}

#[cfg(test)]
mod tests;
