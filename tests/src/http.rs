//! A plain HTTP client for tests that look at the service from outside, without easel-client.
//!
//! Always true here: no proxy, no redirect followed, no retry, and of headers only the key, the version and those that
//! a test asks for. [`exchange`] writes and reads bytes on a socket of its own, for requests that an HTTP client would
//! repair.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The name of the version header: `EASEL_VERSION_HEADER` for a service elsewhere that brands it.
#[must_use]
pub fn version_header() -> String {
    std::env::var("EASEL_VERSION_HEADER").unwrap_or_else(|_| "Service-Version".to_owned())
}

/// The legacy version, the default where no header is sent.
pub const LEGACY: &str = "2026-04-12";
/// The canonical version.
pub const CANONICAL: &str = "2026-05-01";

/// A client of one service.
#[derive(Clone)]
pub struct Http {
    client: reqwest::Client,
    base_url: String,
    headers: HeaderMap,
}

impl Http {
    /// A client without a key that names no version.
    ///
    /// # Panics
    /// Where no client can be made at all.
    #[must_use]
    pub fn new(base_url: &str) -> Self {
        Self::of(base_url, reqwest::Client::builder())
    }

    /// A client that trusts this certificate, PEM, and no other.
    ///
    /// # Panics
    /// Where it is no certificate.
    #[must_use]
    pub fn trusting(base_url: &str, certificate: &[u8]) -> Self {
        let certificate = reqwest::Certificate::from_pem(certificate).expect("a certificate");
        Self::of(base_url, reqwest::Client::builder().tls_certs_only([certificate]))
    }

    fn of(base_url: &str, builder: reqwest::ClientBuilder) -> Self {
        let client = builder
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            // A studio that was restarted does not know its old connections.
            .pool_max_idle_per_host(0)
            .timeout(Duration::from_secs(120))
            .build()
            .expect("an HTTP client");
        Self { client, base_url: base_url.to_owned(), headers: HeaderMap::new() }
    }

    /// The same client with `Authorization: Bearer <key>`.
    #[must_use]
    pub fn with_key(&self, key: &str) -> Self {
        self.with_header("authorization", &format!("Bearer {key}"))
    }

    /// The same client with this version on every request.
    #[must_use]
    pub fn with_version(&self, version: &str) -> Self {
        self.with_header(&version_header(), version)
    }

    /// The same client with this header on every request, in place of one of the same name.
    ///
    /// # Panics
    /// Where the header cannot be sent.
    #[must_use]
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut other = self.clone();
        let name: HeaderName = name.parse().expect("a header name");
        other.headers.insert(name, HeaderValue::from_bytes(value.as_bytes()).expect("a header value"));
        other
    }

    /// The same client without this header.
    #[must_use]
    pub fn without_header(&self, name: &str) -> Self {
        let mut other = self.clone();
        other.headers.remove(name);
        other
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path, None, Bytes::new()).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Answer {
        self.request(Method::DELETE, path, None, Bytes::new()).await
    }

    /// `POST` of a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.json(Method::POST, path, body.to_string()).await
    }

    /// `PATCH` with a JSON body.
    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.json(Method::PATCH, path, body.to_string()).await
    }

    /// Any method with a body that says that it is JSON, whether it is or not.
    pub async fn json(&self, method: Method, path: &str, body: impl Into<Bytes>) -> Answer {
        self.request(method, path, Some("application/json"), body.into()).await
    }

    /// `POST` of a form.
    pub async fn post_form(&self, path: &str, form: &Form) -> Answer {
        self.request(Method::POST, path, Some(&form.content_type()), form.body()).await
    }

    /// `PUT` to a whole URL, as to storage: neither key nor version.
    pub async fn put_bytes(&self, url: &str, content_type: &str, body: impl Into<Bytes>) -> Answer {
        let request = self.client.put(url).header(header::CONTENT_TYPE, content_type).body(body.into());
        read(request.send().await.expect("an answer from storage")).await
    }

    /// `GET` of a whole URL without key or version, with these headers.
    pub async fn get_url(&self, url: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.client.get(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.send().await.expect("an answer")).await
    }

    /// Any request to a path of the service.
    ///
    /// # Panics
    /// Where no answer comes.
    pub async fn request(&self, method: Method, path: &str, content_type: Option<&str>, body: Bytes) -> Answer {
        self.try_request(method.clone(), path, content_type, body)
            .await
            .unwrap_or_else(|error| panic!("no answer to {method} {path}: {error:?}"))
    }

    /// Any request to a path of the service, where the connection may break.
    ///
    /// # Errors
    /// Where no answer comes.
    pub async fn try_request(
        &self,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: Bytes,
    ) -> reqwest::Result<Answer> {
        let mut request = self.client.request(method, format!("{}{path}", self.base_url)).headers(self.headers.clone());
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        if !body.is_empty() {
            request = request.body(body);
        }
        try_read(request.send().await?).await
    }
}

/// A whole answer.
#[derive(Clone)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.body[..self.body.len().min(600)]);
        write!(f, "{} {text}", self.status)
    }
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    #[must_use]
    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("no JSON ({error}): {self:?}"))
    }

    /// The body as JSON of an answer that must have this status.
    #[track_caller]
    #[must_use]
    pub fn expect(&self, status: u16) -> Value {
        self.is(status);
        self.value()
    }

    /// The body as JSON of an answer that must have succeeded.
    #[track_caller]
    #[must_use]
    pub fn success(&self) -> Value {
        assert!(self.status.is_success(), "{self:?}");
        self.value()
    }

    /// Fails where the status is another.
    #[track_caller]
    pub fn is(&self, status: u16) {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
    }

    /// The `error` of an answer that must be a whole envelope with this status, type and code.
    #[track_caller]
    pub fn error(&self, status: u16, kind: &str, code: &str) -> Value {
        let error = self.envelope();
        assert_eq!(
            (self.status.as_u16(), error["type"].as_str(), error["code"].as_str()),
            (status, Some(kind), Some(code)),
            "{self:?}"
        );
        error
    }

    /// The `error` of an answer that must be a whole envelope of any kind.
    #[track_caller]
    #[must_use]
    pub fn envelope(&self) -> Value {
        let content_type = self.header("content-type").unwrap_or_default();
        assert!(content_type.starts_with("application/json"), "{content_type}: {self:?}");
        let body = self.value();
        let error = body["error"].as_object().unwrap_or_else(|| panic!("no envelope: {self:?}"));
        assert_eq!(body.as_object().map(serde_json::Map::len), Some(1), "beside the error: {self:?}");
        for field in ["type", "code", "message", "doc_url", "request_id"] {
            assert!(error.get(field).is_some_and(Value::is_string), "{field}: {self:?}");
        }
        for field in ["details", "retry_after_ms", "causes"] {
            assert!(error.contains_key(field), "{field}: {self:?}");
        }
        let request_id = self.header("x-request-id");
        assert_eq!(error["request_id"].as_str(), request_id, "{self:?}");
        let statuses: &[u16] = match error["type"].as_str() {
            Some("invalid_request") => &[400],
            Some("authentication") => &[401],
            Some("permission") => &[403],
            Some("not_found") => &[404],
            Some("conflict" | "idempotency_conflict") => &[409],
            Some("unprocessable") => &[422],
            Some("rate_limited") => &[429],
            Some("upstream_error") => &[502, 503, 504],
            Some("internal_error") => &[500],
            _ => &[],
        };
        assert!(statuses.contains(&self.status.as_u16()), "the type and the status differ: {self:?}");
        Value::Object(error.clone())
    }

    /// The fields that a `validation_failed` names.
    #[track_caller]
    #[must_use]
    pub fn invalid_fields(&self) -> Vec<String> {
        let error = self.error(422, "unprocessable", "validation_failed");
        let fields = error["details"]["fields"].as_array().unwrap_or_else(|| panic!("no fields: {self:?}")).clone();
        assert!(!fields.is_empty(), "no field named: {self:?}");
        for field in &fields {
            assert!(field["field"].is_string() && field["code"].is_string(), "{self:?}");
        }
        fields.iter().filter_map(|field| field["field"].as_str().map(str::to_owned)).collect()
    }

    /// The `Code` of a small XML error, as storage answers.
    #[track_caller]
    #[must_use]
    pub fn storage_code(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let between = |start: &str, end: &str| Some(text.split_once(start)?.1.split_once(end)?.0.to_owned());
        let code = between("<Code>", "</Code>");
        assert!(text.contains("<Error>") && text.contains("</Error>"), "no XML error: {self:?}");
        assert!(between("<Message>", "</Message>").is_some_and(|message| !message.is_empty()), "no message: {self:?}");
        code.unwrap_or_else(|| panic!("no code: {self:?}"))
    }

    /// A header as text, where it is there and is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// A multipart form, laid out byte for byte by the test.
#[derive(Debug, Clone, Default)]
pub struct Form {
    parts: Vec<u8>,
}

impl Form {
    /// The boundary between the parts.
    pub const BOUNDARY: &'static str = "easel-conformance-2f8b1c";

    /// A form with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A form with only the file.
    #[must_use]
    pub fn of_file(filename: &str, content: &[u8]) -> Self {
        Self::new().file("file", filename, "application/octet-stream", content)
    }

    /// With a file.
    #[must_use]
    pub fn file(mut self, field: &str, filename: &str, mime_type: &str, content: &[u8]) -> Self {
        let filename = filename.replace('"', "\\\"");
        self.parts.extend_from_slice(format!("--{}\r\n", Self::BOUNDARY).as_bytes());
        self.parts.extend_from_slice(
            format!(
                "Content-Disposition: form-data; name=\"{field}\"; filename=\"{filename}\"\r\nContent-Type: {mime_type}\r\n\r\n"
            )
            .as_bytes(),
        );
        self.parts.extend_from_slice(content);
        self.parts.extend_from_slice(b"\r\n");
        self
    }

    /// With a field of text.
    #[must_use]
    pub fn text(mut self, field: &str, value: &str) -> Self {
        self.parts.extend_from_slice(
            format!("--{}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n", Self::BOUNDARY)
                .as_bytes(),
        );
        self
    }

    /// The header that goes with it.
    #[must_use]
    pub fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={}", Self::BOUNDARY)
    }

    /// The whole body.
    #[must_use]
    pub fn body(&self) -> Bytes {
        let mut body = self.parts.clone();
        body.extend_from_slice(format!("--{}--\r\n", Self::BOUNDARY).as_bytes());
        body.into()
    }
}

/// Writes these bytes to a socket of its own and reads the answer while it writes, to the end of the connection or of
/// the body that `Content-Length` or chunks announce.
///
/// # Errors
/// Where the connection breaks before a whole answer was read.
pub async fn exchange(authority: &str, request: &[u8]) -> std::io::Result<Answer> {
    let stream = TcpStream::connect(authority).await?;
    let (mut reader, mut writer) = stream.into_split();
    let mut received = Vec::new();
    let write = async {
        // A service that has answered may stop reading; its answer is what counts.
        let _ = writer.write_all(request).await;
        let _ = writer.flush().await;
        std::future::pending::<()>().await;
    };
    let read = async {
        let mut buffer = vec![0; 65_536];
        loop {
            if let Some(answer) = parse(&received, false) {
                return Ok(answer);
            }
            let count = reader.read(&mut buffer).await?;
            if count == 0 {
                let broken = || std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "no whole answer");
                return parse(&received, true).ok_or_else(broken);
            }
            received.extend_from_slice(&buffer[..count]);
        }
    };
    tokio::select! {
        answer = read => answer,
        () = write => unreachable!("the writer waits for the reader"),
        () = tokio::time::sleep(Duration::from_secs(60)) => Err(std::io::ErrorKind::TimedOut.into()),
    }
}

/// The first whole answer among these bytes; `ended` says that no more will come. Interim answers are skipped.
fn parse(received: &[u8], ended: bool) -> Option<Answer> {
    let end = received.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&received[..end]).ok()?;
    let rest = &received[end + 4..];
    let mut lines = head.split("\r\n");
    let status: u16 = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    if (100..200).contains(&status) {
        return parse(rest, ended);
    }
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':')?;
        headers.append(name.trim().parse::<HeaderName>().ok()?, value.trim().parse().ok()?);
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let body = match length {
        Some(length) if rest.len() >= length => rest[..length].to_vec(),
        Some(_) => return None,
        None if headers.contains_key(header::TRANSFER_ENCODING) => dechunk(rest)?,
        None if ended => rest.to_vec(),
        None => return None,
    };
    Some(Answer { status: StatusCode::from_u16(status).ok()?, headers, body: body.into() })
}

fn dechunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = rest.windows(2).position(|window| window == b"\r\n")?;
        let size =
            usize::from_str_radix(std::str::from_utf8(&rest[..line]).ok()?.split(';').next()?.trim(), 16).ok()?;
        rest = rest.get(line + 2..)?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(..size)?);
        rest = rest.get(size + 2..)?;
    }
}

async fn read(response: reqwest::Response) -> Answer {
    try_read(response).await.expect("a whole answer")
}

async fn try_read(response: reqwest::Response) -> reqwest::Result<Answer> {
    let (status, headers) = (response.status(), response.headers().clone());
    Ok(Answer { status, headers, body: response.bytes().await? })
}
