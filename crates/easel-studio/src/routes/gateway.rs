//! The outermost layer of the API, with the rules for every request and every response.
//!
//! Every response has the version header and `X-Request-ID`, also a 404, a 413 and one after a panic; every error but
//! the bare 413 is an envelope (specification, "Errors" and "Versioning"). The 413 comes before anything else, takes
//! nothing from any rate, is decided without keeping a byte of a caller without a valid key, and stays readable to a
//! client that is still sending (contract, "Requests and responses"). On loopback the Host header must name this
//! machine, so that no web page reaches the studio under another name.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use easel_wire::{Envelope, Version};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};

use crate::core::error::{Error, Failure};
use crate::studio::SharedStudio;
use crate::studio::callers::AsOf;
use crate::studio::metrics::UNMATCHED;
use crate::web::acceptor::{Entrance, has_long_head, hold, refuse_long_head};
use crate::web::extract::Shape;
use crate::web::spool::{Incoming, Spooled, spool};
use crate::wire::uploads::DIRECT_CEILING_BYTES;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What the version header said, where that is no supported version; refused once the caller is known.
#[derive(Debug, Clone)]
pub struct UnsupportedVersion(pub String);

/// The row of the table that answered, which the response carries to where requests are counted.
#[derive(Debug, Clone, Copy)]
pub struct Matched(pub &'static str);

/// Which Host headers are accepted; on other addresses than loopback every one is.
#[derive(Debug, Clone)]
pub struct Hosts {
    /// The names besides those of loopback; `None` accepts all.
    accepted: Option<Vec<String>>,
}

impl Hosts {
    /// For a listener on `address` that is reached from outside at `public_url`.
    #[must_use]
    pub fn of_listener(address: IpAddr, public_url: &str) -> Self {
        let public = url::Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_ascii_lowercase));
        Self { accepted: address.is_loopback().then(|| public.into_iter().collect()) }
    }

    /// Accepts a request whose Host names this machine.
    ///
    /// # Errors
    /// [`Error::HostNotAllowed`].
    pub fn check(&self, headers: &HeaderMap, target: &Uri) -> Result<(), Error> {
        let Some(accepted) = &self.accepted else { return Ok(()) };
        let is_here =
            |host: &str| names_loopback(host) || accepted.iter().any(|name| name.eq_ignore_ascii_case(name_of(host)));
        let mut hosts = headers.get_all(header::HOST).iter();
        match (hosts.next().and_then(|value| value.to_str().ok()), hosts.next()) {
            (Some(host), None) if is_here(host) && target.host().is_none_or(is_here) => Ok(()),
            _ => Err(Error::HostNotAllowed),
        }
    }
}

/// The host without its port.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(name, _)| name),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    }
}

fn names_loopback(host: &str) -> bool {
    let name = name_of(host);
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Lets a request through to the router, and finishes its response.
pub async fn pass(State((studio, hosts)): State<(SharedStudio, Hosts)>, mut request: Request, next: Next) -> Response {
    let request_id = format!("req_{}", studio.ids.next().simple());
    let default = studio.config.oldest_version;
    let version = negotiate(request.headers(), &studio.config.version_header, default);
    request.extensions_mut().insert(Shape(*version.as_ref().unwrap_or(&default)));
    if let Err(requested) = &version {
        request.extensions_mut().insert(UnsupportedVersion(requested.clone()));
    }
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let began = studio.clock.elapsed();
    let origin = Entrance::origin_of(&request);
    request.extensions_mut().insert(origin);
    let admitted = Entrance::admit(&request, is_essential(&path));
    let has_long_head = has_long_head(&request);
    let mut response = match admit_body(&studio, request).await {
        _ if has_long_head => refuse_long_head(),
        _ if admitted.is_err() => Error::Crowded.into_response(),
        Ok(request) => match hosts.check(request.headers(), request.uri()) {
            Ok(()) => match AssertUnwindSafe(next.run(request)).catch_unwind().await {
                Ok(response) => response,
                Err(_) => Error::Panicked.into_response(),
            },
            Err(error) => error.into_response(),
        },
        Err(response) => *response,
    };
    if admitted.is_err() {
        // A connection that came in by the narrow way makes room for the next.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let took = studio.clock.elapsed().saturating_sub(began);
    let failure = response.extensions_mut().remove::<Failure>();
    let route = response.extensions_mut().remove::<Matched>().map_or(UNMATCHED, |Matched(route)| route);
    let failed_with = failure.as_ref().map(|Failure(error)| &**error);
    studio.metrics.count_request(&method, route, response.status(), took, failed_with);
    if let Some(Failure(error)) = failure {
        if error.status().is_server_error() && !matches!(*error, Error::Crowded) {
            tracing::error!(request_id, %method, path, %error, "request failed");
        }
        write_envelope(&mut response, &error, &request_id);
    }
    tracing::debug!(request_id, %method, path, status = response.status().as_u16(), "answered");
    let headers = response.headers_mut();
    let version = version.unwrap_or(default);
    headers.insert(&studio.config.version_header, HeaderValue::from_static(version.as_str()));
    if let Ok(value) = HeaderValue::from_str(&request_id) {
        headers.insert(&REQUEST_ID, value);
    }
    hold(admitted.unwrap_or_default(), response)
}

/// Whether a path is answered however many connections there are: whether the service is up, and the operator's routes.
fn is_essential(path: &str) -> bool {
    matches!(path.strip_prefix("/v1").unwrap_or(path), "/healthz" | "/readyz" | "/metrics")
}

/// The version that the header names, or without a header the oldest one that is not retired (specification,
/// "Versioning", rule 3). An error gives the header's text.
fn negotiate(headers: &HeaderMap, name: &HeaderName, oldest: Version) -> Result<Version, String> {
    let mut values = headers.get_all(name).iter();
    let Some(first) = values.next() else { return Ok(oldest) };
    let text = String::from_utf8_lossy(first.as_bytes()).trim().to_owned();
    if values.any(|other| other != first) {
        return Err(text);
    }
    text.parse().ok().filter(|version| *version >= oldest).ok_or(text)
}

/// Judges the body against the ceiling before anything else looks at the request.
async fn admit_body(studio: &SharedStudio, request: Request) -> Result<Request, Box<Response>> {
    // Most requests have none, and are moved about without what judges one.
    if request.body().is_end_stream() { Ok(request) } else { Box::pin(judge_body(studio, request)).await }
}

async fn judge_body(studio: &SharedStudio, request: Request) -> Result<Request, Box<Response>> {
    let (parts, body) = request.into_parts();
    let expects_continue = parts.headers.contains_key(header::EXPECT);
    let length = body.size_hint().exact();
    let incoming = Incoming::new(body, expects_continue);
    let body = match length {
        Some(length) if length > DIRECT_CEILING_BYTES => return Err(Box::new(too_large())),
        Some(_) => Body::from_stream(incoming),
        // Of who is not known nothing is kept: the request goes on without its body, to be refused for want of a key.
        None if studio
            .callers
            .authenticate(&parts.headers, AsOf::now(&studio.db), studio.clock.now())
            .await
            .is_err() =>
        {
            match incoming.exceeds(DIRECT_CEILING_BYTES).await {
                true => return Err(Box::new(too_large())),
                false => Body::empty(),
            }
        }
        None => match spool(incoming, DIRECT_CEILING_BYTES).await {
            Ok(Spooled::Whole(body)) => body,
            Ok(Spooled::TooLarge) => return Err(Box::new(too_large())),
            Err(error) => return Err(Box::new(error.into_response())),
        },
    };
    Ok(Request::from_parts(parts, body))
}

/// The gateway's 413: bare, no envelope, no limit, no remedy (specification, "Errors").
fn too_large() -> Response {
    StatusCode::PAYLOAD_TOO_LARGE.into_response()
}

fn write_envelope(response: &mut Response, error: &Error, request_id: &str) {
    let envelope = Envelope { error: error.body(request_id) };
    let body = serde_json::to_vec(&envelope).unwrap_or_default();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    *response.body_mut() = Body::from(body);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_accepted_on_loopback() {
        let hosts = Hosts::of_listener(IpAddr::from([127, 0, 0, 1]), "https://Easel.example/x");
        let check = |values: &[&'static str], accepted: bool| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::HOST, HeaderValue::from_static(value));
            }
            let target = Uri::from_static("/v1/whoami");
            assert_eq!(hosts.check(&headers, &target).is_ok(), accepted, "{values:?}");
            let elsewhere = Uri::from_static("http://evil.example/v1/whoami");
            assert!(hosts.check(&headers, &elsewhere).is_err());
            let open = Hosts::of_listener(IpAddr::from([0, 0, 0, 0]), "http://x");
            assert!(open.check(&headers, &elsewhere).is_ok());
        };
        check(&["127.0.0.1:8000"], true);
        check(&["127.1.2.3"], true);
        check(&["localhost:1"], true);
        check(&["LOCALHOST"], true);
        check(&["[::1]:9"], true);
        check(&["easel.example"], true);
        check(&["evil.example:8000"], false);
        check(&["127.0.0.1.evil.example"], false);
        check(&["localhost", "evil.example"], false);
        check(&[""], false);
        check(&[], false);
    }

    #[test]
    fn the_version_is_negotiated_by_its_header() {
        let name = HeaderName::from_static("acme-version");
        let check = |oldest: Version, values: &[&'static str], expected: Result<Version, &str>| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(&name, HeaderValue::from_static(value));
            }
            let found = negotiate(&headers, &name, oldest);
            assert_eq!(found, expected.map_err(str::to_owned), "{values:?}, {oldest} and newer");
        };
        let retired = |values: &[&'static str], expected| check(Version::Canonical, values, expected);
        retired(&[], Ok(Version::Canonical));
        retired(&["2026-05-01"], Ok(Version::Canonical));
        retired(&["2026-04-12"], Err("2026-04-12"));
        let check = |values: &[&'static str], expected| check(Version::Legacy, values, expected);
        check(&[], Ok(Version::Legacy));
        check(&["2026-04-12"], Ok(Version::Legacy));
        check(&[" 2026-05-01 "], Ok(Version::Canonical));
        check(&["2026-05-01", "2026-05-01"], Ok(Version::Canonical));
        check(&["2026-05-01", "2026-04-12"], Err("2026-05-01"));
        check(&["latest"], Err("latest"));
        check(&[""], Err(""));
    }
}
