//! The transport: the one place where requests are built, sent and answers read.
//!
//! Always true: a request goes to the connection's own origin, with the key and the pinned version; it takes a permit
//! of the key's budget first; no redirect is followed; an answer is read to a bound. The system's proxy settings and
//! certificate store are honoured; a service on loopback is spoken to directly. Not here: the resources.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use easel_wire::error::code;
use easel_wire::tasks::MAX_WAIT_SECONDS;
use easel_wire::{Scope, Version};
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use reqwest::Body;
use reqwest::redirect::Policy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{sleep, timeout};
use url::Url;

use crate::budget::{Lane, RatePermit};
use crate::capabilities::Feature;
use crate::connection::{Connection, is_loopback};
use crate::error::{Error, UnexpectedBody, unexpected_body};
use crate::limits::KeyState;
use crate::patience::Patience;
use crate::reach::Guard;
use crate::retry::{Jitter, Next, Repeat, Tries, parse_retry_after};

/// Larger answers are refused; a page of a list is some hundred KiB.
const LARGEST_ANSWER_BYTES: usize = 32 * 1024 * 1024;
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const PREFER: HeaderName = HeaderName::from_static("prefer");
const USER_AGENT: &str = concat!("easel/", env!("CARGO_PKG_VERSION"));

/// A client of one service with one key. Cheap to clone; every clone, and every client made for the same service and
/// key, shares one request budget.
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
    lane: Lane,
    /// How many further requests go in the lane of people.
    hurry: Option<Arc<AtomicU32>>,
    tells_waits: bool,
}

pub(crate) struct Shared {
    pub(crate) connection: Connection,
    pub(crate) patience: Patience,
    pub(crate) jitter: Jitter,
    pub(crate) key: Arc<KeyState>,
    authorization: HeaderValue,
    service: reqwest::Client,
    storage_direct: OnceLock<reqwest::Client>,
    storage_proxied: OnceLock<reqwest::Client>,
    pub(crate) picture_guard: Arc<Guard>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("connection", &self.shared.connection).field("lane", &self.lane).finish()
    }
}

/// One request, which may have to be sent several times.
#[derive(Clone)]
pub(crate) struct Call {
    method: Method,
    url: Url,
    body: Option<Bytes>,
    wait: Option<Duration>,
    repeat: Repeat,
    patience: Duration,
    feature: Option<Feature>,
    scope: Option<Scope>,
    /// Whether a 429 may come for a cap other than the request rate.
    is_capped: bool,
    /// Whether the answer may be, or lead to, a file's bytes instead of a record.
    is_for_bytes: bool,
}

impl Call {
    /// Marks a route that not every service has. If this one was seen not to have it, the request is not made.
    pub(crate) const fn of(mut self, feature: Feature) -> Self {
        self.feature = Some(feature);
        self
    }

    /// The scope that the route demands (contract, "Keys"), for errors whose answer does not name it.
    pub(crate) fn needs(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Marks a request with a cap of its own: starts of tasks and of exports (specification, "Limits").
    pub(crate) const fn capped(mut self) -> Self {
        self.is_capped = true;
        self
    }

    pub(crate) const fn url(&self) -> &Url {
        &self.url
    }

    /// Marks a request that may be answered with bytes or a redirect to them ([`Answer::bytes_at`]).
    pub(crate) const fn for_bytes(mut self) -> Self {
        self.is_for_bytes = true;
        self
    }

    /// Says whether the request may be repeated after a lost answer. Reads may from the start.
    pub(crate) const fn repeat(mut self, repeat: Repeat) -> Self {
        self.repeat = repeat;
        self
    }

    pub(crate) const fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Asks the service to hold its answer for so long (whole seconds), or until the task has ended.
    pub(crate) fn prefer_wait(mut self, wait: Duration) -> Self {
        let wait = Duration::from_secs(wait.as_secs().min(MAX_WAIT_SECONDS));
        self.wait = (!wait.is_zero()).then_some(wait);
        self.patience += wait;
        self
    }

    /// Adds a query parameter where there is a value.
    pub(crate) fn query(mut self, name: &str, value: Option<&str>) -> Self {
        if let Some(value) = value {
            self.url.query_pairs_mut().append_pair(name, value);
        }
        self
    }

    pub(crate) fn json(mut self, body: &impl Serialize) -> Result<Self, Error> {
        let body = serde_json::to_vec(body).map_err(|error| Error::Setup { reason: error.to_string() })?;
        self.body = Some(body.into());
        Ok(self)
    }
}

/// A successful answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    /// Where the requested bytes are, if the answer is not a record that tells it.
    pub(crate) bytes_at: Option<BytesAt>,
}

/// The source of a file's bytes.
#[derive(Clone)]
pub(crate) enum BytesAt {
    /// This address, for anyone who has it: it is a capability.
    Signed(Url),
    /// The service itself, at this address, with the key.
    Service(Url),
}

impl fmt::Debug for BytesAt {
    /// Leaves the address out: it may be a capability.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signed(_) => "Signed",
            Self::Service(_) => "Service",
        })
    }
}

impl Answer {
    /// Reads the body, which must be an object, as a `T`. The check is needed because a record without required fields
    /// could be read from an array too.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let is_object = self.body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        serde_json::from_slice(&self.body).ok().filter(|_| is_object).ok_or_else(|| self.misread())
    }

    /// Reads the body as any JSON value.
    pub(crate) fn value(&self) -> Result<serde_json::Value, Error> {
        serde_json::from_slice(&self.body).map_err(|_| self.misread())
    }

    /// The error for a body that could not be read.
    pub(crate) fn misread(&self) -> Error {
        Error::NotTheService { status: self.status, found: unexpected_body(&self.body) }
    }

    pub(crate) const fn other_shape(&self) -> Error {
        Error::NotTheService { status: self.status, found: UnexpectedBody::OtherShape }
    }
}

impl Client {
    /// A client for `connection`, in the lane of people.
    ///
    /// # Errors
    /// [`Error::PlainHttpRefused`] for plain http to another host that nobody confirmed; [`Error::Setup`] where this
    /// computer's certificate store or proxy settings cannot be read.
    pub fn new(connection: Connection) -> Result<Self, Error> {
        Self::with_patience(connection, Patience::default())
    }

    /// The same with other time limits.
    ///
    /// # Errors
    /// As [`Client::new`].
    pub fn with_patience(connection: Connection, patience: Patience) -> Result<Self, Error> {
        connection.check_encryption(connection.base_url())?;
        let authorization = connection.authorization()?;
        let service = build(patience, is_loopback(connection.base_url()))?;
        let key = KeyState::of(&connection);
        let shared = Shared {
            picture_guard: Guard::new(connection.base_url()),
            connection,
            patience,
            jitter: Jitter::random(),
            key,
            authorization,
            service,
            storage_direct: OnceLock::new(),
            storage_proxied: OnceLock::new(),
        };
        Ok(Self { shared: Arc::new(shared), lane: Lane::Person, hurry: None, tells_waits: false })
    }

    /// The same client in another lane of the budget.
    #[must_use]
    pub fn in_lane(&self, lane: Lane) -> Self {
        Self { lane, ..self.clone() }
    }

    /// The same client, whose first `requests` requests go in the lane of people: for work that someone waits for while
    /// it is short, and that takes its turn once it turns out to be long.
    #[must_use]
    pub fn hurrying(&self, requests: u32) -> Self {
        Self { hurry: Some(Arc::new(AtomicU32::new(requests))), ..self.clone() }
    }

    /// The same client, which does not wait after a refusal that passes only when something else is done
    /// ([`Error::is_for_later`]), for a caller that shows what it waits for.
    #[must_use]
    pub fn telling_waits(&self) -> Self {
        Self { tells_waits: true, ..self.clone() }
    }

    /// The connection that this client speaks over.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.shared.connection
    }

    /// A request to `/v1/<segments>`; only a GET may be repeated.
    pub(crate) fn call(&self, method: Method, segments: &[&str]) -> Call {
        self.call_outside(method, &[&["v1"], segments].concat())
    }

    /// A request to `/<segments>`, outside `/v1`; only a GET may be repeated.
    pub(crate) fn call_outside(&self, method: Method, segments: &[&str]) -> Call {
        let mut url = self.shared.connection.base_url().clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        let repeat = if method == Method::GET { Repeat::Harmless } else { Repeat::Harmful };
        Call {
            method,
            url,
            body: None,
            wait: None,
            repeat,
            patience: self.shared.patience.answer,
            feature: None,
            scope: None,
            is_capped: false,
            is_for_bytes: false,
        }
    }

    /// Sends `call`, again where the rules of `retry` allow it, and returns the last answer.
    pub(crate) async fn send(&self, call: &Call) -> Result<Answer, Error> {
        if let Some(feature) = call.feature
            && self.offers(feature) == Some(false)
        {
            return Err(Error::RouteMissing);
        }
        let mut tries = Tries::new(self.shared.jitter.clone());
        loop {
            let error = match self.send_once(call).await {
                Ok(answer) => {
                    if let Some(feature) = call.feature {
                        self.learn(feature, true);
                    }
                    return Ok(answer);
                }
                Err(error) => error.asked_for(call.scope.as_ref(), call.is_capped),
            };
            if let (Some(feature), Error::RouteMissing) = (call.feature, &error)
                && self.shared.key.is_service_seen()
            {
                self.learn(feature, false);
            }
            if self.tells_waits && error.is_for_later() {
                return Err(error);
            }
            self.pause(tries.next(&error, call.repeat), error).await?;
        }
    }

    /// Waits as `next` says; returns `error` where it says to give up.
    pub(crate) async fn pause(&self, next: Next, error: Error) -> Result<(), Error> {
        match next {
            Next::After(wait) => sleep(wait).await,
            // The budget holds back all requests of this key, this call's too.
            Next::KeyAfter(wait) => self.shared.key.budget.refuse(wait),
            Next::GiveUp => return Err(error),
        }
        tracing::debug!(%error, "trying again");
        Ok(())
    }

    /// Sends `call` and reads its answer as a `T`.
    pub(crate) async fn get_json<T: DeserializeOwned>(&self, call: &Call) -> Result<T, Error> {
        self.send(call).await?.json()
    }

    /// Sends `call`, which asks for the record with this `id`, and reads it. The record may stand under its `noun`, and
    /// gets that id whatever its own; an object with none of the fields `marks` is no such record.
    pub(crate) async fn get_record<T: DeserializeOwned>(
        &self,
        call: &Call,
        id: &str,
        noun: &str,
        marks: &[&str],
    ) -> Result<T, Error> {
        let answer = self.send(call).await?;
        let mut fields: serde_json::Map<String, serde_json::Value> = answer.json()?;
        if let Some(serde_json::Value::Object(inner)) = fields.get_mut(noun) {
            fields = std::mem::take(inner);
        }
        if marks.iter().any(|mark| fields.contains_key(*mark)) {
            fields.insert("id".to_owned(), id.into());
        }
        serde_json::from_value(fields.into()).map_err(|_| answer.other_shape())
    }

    async fn send_once(&self, call: &Call) -> Result<Answer, Error> {
        let asked = self.shared.key.version();
        let mut request = self.request(call.method.clone(), call.url.clone(), asked);
        if let Some(body) = &call.body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body.clone());
        }
        if let Some(wait) = call.wait {
            request = request.header(PREFER, format!("wait={}", wait.as_secs()));
        }
        let permit = self.take_permit().await;
        let exchange = async {
            let response = request.send().await.map_err(Error::of_transport)?;
            drop(permit);
            // A redirect or a page that is not the service's own comes from a sign-in page, and is no file.
            let is_the_service = response.headers().contains_key(self.shared.connection.version_header_name());
            match bytes_at(&response).filter(|_| call.is_for_bytes && is_the_service) {
                Some(bytes_at) => {
                    let status = response.status().as_u16();
                    Ok(Answer { status, body: Bytes::new(), bytes_at: Some(bytes_at) })
                }
                None => self.read_answer(response, asked).await,
            }
        };
        timeout(call.patience, exchange).await.unwrap_or(Err(Error::TimedOut))
    }

    /// Waits for a permit of the budget. A request that is not sent by [`Client::send`] needs one first.
    pub(crate) async fn take_permit(&self) -> RatePermit {
        self.shared.key.budget.take(self.next_lane()).await
    }

    fn next_lane(&self) -> Lane {
        let hurries = |left: &Arc<AtomicU32>| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
        };
        if self.hurry.as_ref().is_some_and(hurries) { Lane::Person } else { self.lane }
    }

    /// Sends a stream of `body_bytes` bytes as a body, once, and reads the answer. The caller sets the time limit.
    pub(crate) async fn send_stream(
        &self,
        permit: RatePermit,
        segments: &[&str],
        content_type: &str,
        body: Body,
        body_bytes: u64,
    ) -> Result<Answer, Error> {
        let call = self.call(Method::POST, segments);
        let asked = self.shared.key.version();
        let request = self
            .request(call.method, call.url, asked)
            .header(header::CONTENT_TYPE, content_type)
            .header(header::CONTENT_LENGTH, body_bytes)
            .body(body);
        let response = request.send().await.map_err(Error::of_transport)?;
        drop(permit);
        self.read_answer(response, asked).await.map_err(|error| error.asked_for(Some(&Scope::UploadsWrite), false))
    }

    fn request(&self, method: Method, url: Url, version: Version) -> reqwest::RequestBuilder {
        self.shared
            .service
            .request(method, url)
            .header(header::AUTHORIZATION, self.shared.authorization.clone())
            .header(self.shared.connection.version_header_name().clone(), version.as_str())
            .header(header::ACCEPT, "application/json")
            .header(header::USER_AGENT, USER_AGENT)
    }

    /// Reads the answer to a request that was pinned to the version `asked`.
    async fn read_answer(&self, response: reqwest::Response, asked: Version) -> Result<Answer, Error> {
        let status = response.status();
        let now = jiff::Timestamp::now();
        self.shared.key.note_date(response.headers(), now);
        if status.is_redirection() {
            return Err(redirect_refused(&response));
        }
        let request_id = text_of(response.headers(), &REQUEST_ID);
        // A date in `Retry-After` is by the service's clock, which may be hours from this computer's.
        let their_now = self.shared.key.on_their_clock(now);
        let retry_after =
            text_of(response.headers(), &header::RETRY_AFTER).and_then(|value| parse_retry_after(&value, their_now));
        let resolved = text_of(response.headers(), self.shared.connection.version_header_name());
        let body = read_body(response, status).await?;
        tracing::debug!(status = status.as_u16(), request_id, "answered");
        if status.is_success() {
            if let Some(resolved) = &resolved {
                self.shared.key.note_service_seen();
                self.shared.key.note_version_served(asked);
                self.shared.key.learned.note_version(resolved);
            }
            return Ok(Answer { status: status.as_u16(), body, bytes_at: None });
        }
        let error = Error::of_answer(status.as_u16(), &body, request_id.as_deref(), retry_after);
        if resolved.is_some() {
            self.shared.key.note_service_seen();
        }
        let is_refused = error.code() == Some(code::UNSUPPORTED_VERSION);
        let named = || supported_versions(&error, resolved.as_deref());
        if is_refused && self.shared.key.note_version_refused(asked, &named()) {
            return Err(Error::OtherVersion);
        }
        Err(error)
    }

    /// A request for bytes.
    ///
    /// # Errors
    /// As [`Client::storage`].
    pub(crate) fn ask_for_bytes(&self, bytes_at: &BytesAt) -> Result<reqwest::RequestBuilder, Error> {
        match bytes_at {
            BytesAt::Signed(url) => Ok(self.storage(url)?.get(url.clone())),
            BytesAt::Service(url) => {
                let request = self.request(Method::GET, url.clone(), self.shared.key.version());
                Ok(request.header(header::ACCEPT, "*/*"))
            }
        }
    }

    /// The HTTP client for `url` of object storage: it sends no key, and none of the service's headers.
    ///
    /// # Errors
    /// [`Error::PlainHttpRefused`]: bytes of files are not sent unencrypted either.
    pub(crate) fn storage(&self, url: &Url) -> Result<&reqwest::Client, Error> {
        self.shared.connection.check_encryption(url)?;
        let direct = is_loopback(url);
        let cell = if direct { &self.shared.storage_direct } else { &self.shared.storage_proxied };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let client = build(self.shared.patience, direct)?;
        Ok(cell.get_or_init(|| client))
    }
}

/// Where an answer leads that is no record: a redirect to its target, and an answer that is no JSON to the same address
/// again.
fn bytes_at(response: &reqwest::Response) -> Option<BytesAt> {
    if response.status().is_redirection() {
        let location = text_of(response.headers(), &header::LOCATION)?;
        let to = response.url().join(&location).ok()?;
        return matches!(to.scheme(), "https" | "http").then_some(BytesAt::Signed(to));
    }
    let said = text_of(response.headers(), &header::CONTENT_TYPE)?;
    let is_page = said.starts_with("text/html");
    let is_record = said.split(';').next().is_some_and(|said| said.trim().ends_with("json"));
    (response.status().is_success() && !is_page && !is_record).then(|| BytesAt::Service(response.url().clone()))
}

/// The versions that a refusal names: `details.supported`, else the one in the header (specification, Versioning, rule
/// 4).
fn supported_versions(error: &Error, resolved: Option<&str>) -> Vec<Version> {
    let listed = error.details().and_then(|details| details.get("supported")).and_then(serde_json::Value::as_array);
    let texts = listed.into_iter().flatten().filter_map(serde_json::Value::as_str);
    let named: Vec<Version> = texts.filter_map(|text| text.parse().ok()).collect();
    if named.is_empty() { resolved.and_then(|text| text.parse().ok()).into_iter().collect() } else { named }
}

/// Reads a whole body, to a bound.
pub(crate) async fn read_body(mut response: reqwest::Response, status: StatusCode) -> Result<Bytes, Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Error::of_transport)? {
        if body.len() + chunk.len() > LARGEST_ANSWER_BYTES {
            return Err(Error::NotTheService { status: status.as_u16(), found: UnexpectedBody::Endless });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.into())
}

/// The error for a redirect, with the host name of its target and nothing more: the rest may be a capability.
pub(crate) fn redirect_refused(response: &reqwest::Response) -> Error {
    let to_host = text_of(response.headers(), &header::LOCATION)
        .and_then(|location| response.url().join(&location).ok())
        .and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_default();
    Error::RedirectRefused { to_host }
}

fn text_of(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

pub(crate) fn builder(patience: Patience) -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(patience.connect)
        .pool_idle_timeout(Duration::from_secs(30))
        .tcp_keepalive(Duration::from_secs(30))
}

fn build(patience: Patience, direct: bool) -> Result<reqwest::Client, Error> {
    let builder = builder(patience);
    let builder = if direct { builder.no_proxy() } else { builder };
    builder.build().map_err(Error::of_transport)
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    #[test]
    fn a_hurrying_client_goes_as_a_person_for_so_many_requests_and_then_in_its_lane() {
        let connection = Connection::new("http://127.0.0.1:9", SecretString::from("svc_live_00")).unwrap();
        let client = Client::new(connection).unwrap().in_lane(Lane::Transfer);
        let hurrying = client.hurrying(2);
        // A clone counts with the original.
        let lanes = [hurrying.next_lane(), hurrying.clone().next_lane(), hurrying.next_lane(), client.next_lane()];
        assert_eq!(lanes, [Lane::Person, Lane::Person, Lane::Transfer, Lane::Transfer]);
    }
}
