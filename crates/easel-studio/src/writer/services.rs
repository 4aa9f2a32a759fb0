//! Asks a model by each protocol: the requests are those of `rig-core`, the way out is the studio's own.
//!
//! Always true: every byte goes through [`ServiceWay`]; the key is put on a request here, in a header, and `rig-core`
//! never has it, so that no address, error or log of it can show one. Answers are whole and bounded, never streamed.
//! Not here: what is asked.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use rig_core::client::CompletionClient;
use rig_core::completion::{AssistantContent, CompletionError, CompletionModel};
use rig_core::http_client::{self, HttpClientExt, LazyBody, MultipartForm, StreamingResponse};
use rig_core::providers::{anthropic, gemini, ollama, openai};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use url::Url;

use super::WriterError;
use super::settings::{Protocol, Settings};
use crate::core::error::Error;
use crate::outbound::{Names, NoAnswer, Script, ServiceAnswer, ServiceWay, Unanswered};

/// The longest answer that is read, in bytes: an outline, and what stands around it.
const MAX_ANSWER_BYTES: usize = 2_000_000;

/// The longest list of models that is read, in bytes.
const MAX_LIST_BYTES: usize = 2_000_000;

/// How long a list of models may take.
const LIST_LIMIT: std::time::Duration = std::time::Duration::from_secs(10);

/// The most models that are listed.
const MAX_MODELS: usize = 200;

/// What stands where `rig-core` wants a key.
const NO_KEY: &str = "none";

/// Tokens of an answer, where a protocol wants a number.
const ANTHROPIC_TOKENS: u64 = 8_000;

/// The tokens of a conversation for Ollama; its own default is too small for a brief with files.
const OLLAMA_CONTEXT_TOKENS: u64 = 16_384;

/// A question to a model.
pub struct Question {
    /// The instructions for the model.
    pub orders: String,
    /// The text that the model works from.
    pub material: String,
    /// The form of the answer, as a JSON Schema, where the service is to enforce it.
    pub schema: Option<Value>,
}

/// Why there is no text.
#[derive(Debug)]
pub struct Failed {
    /// The reason, in words for a person.
    pub why: WriterError,
    /// When to ask again, in seconds, where the service says so.
    pub retry_after_seconds: Option<u64>,
}

impl From<WriterError> for Failed {
    fn from(why: WriterError) -> Self {
        Self { why, retry_after_seconds: None }
    }
}

/// A model at its service.
#[derive(Debug, Clone)]
pub struct Service {
    transport: Transport,
    protocol: Protocol,
    base_url: String,
    model: String,
}

impl Service {
    /// The model that the settings name; no request is made yet.
    ///
    /// # Errors
    /// [`Error::Usage`] for an address that is not allowed or a key that is valid in no header.
    pub fn new(settings: &Settings, scripts: Vec<Script>) -> Result<Self, Error> {
        let protocol = settings.protocol();
        let way = ServiceWay::to(&settings.address, Names::scripted(scripts))?;
        let key = settings.key.as_ref().map(|key| header_of_key(protocol, key)).transpose()?;
        Ok(Self {
            transport: Transport { way: Some(Arc::new(way)), key },
            protocol,
            base_url: base_url(protocol, &settings.address),
            model: settings.model.clone(),
        })
    }

    /// Whether the service shows its model the schema by itself.
    #[must_use]
    pub fn shows_schema(&self) -> bool {
        self.protocol != Protocol::Ollama
    }

    /// Asks, once.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn ask(&self, question: &Question) -> Result<String, Failed> {
        let (url, http) = (&self.base_url, self.transport.clone());
        macro_rules! ask {
            ($client:ty) => {{
                let client = <$client>::builder().api_key(NO_KEY).base_url(url).http_client(http).build();
                let model = client.map_err(|_| WriterError::Broken)?.completion_model(&self.model);
                ask_model(model, self.protocol, question).await
            }};
        }
        match self.protocol {
            Protocol::OpenAi => ask!(openai::CompletionsClient),
            Protocol::Anthropic => ask!(anthropic::Client),
            Protocol::Gemini => ask!(gemini::Client),
            Protocol::Ollama => ask!(ollama::Client),
        }
    }
}

async fn ask_model(
    model: impl CompletionModel + Clone,
    protocol: Protocol,
    question: &Question,
) -> Result<String, Failed> {
    let mut request = model.completion_request(question.material.as_str()).preamble(question.orders.clone());
    if let Some(schema) = question.schema.clone().and_then(|schema| schemars::Schema::try_from(schema).ok()) {
        request = request.output_schema(schema);
    }
    request = match protocol {
        Protocol::Anthropic => request.max_tokens(ANTHROPIC_TOKENS),
        Protocol::Ollama => request.additional_params(json!({"num_ctx": OLLAMA_CONTEXT_TOKENS})),
        Protocol::OpenAi | Protocol::Gemini => request,
    };
    let answer = request.send().await.map_err(read_failure)?;
    let texts = answer.choice.iter().filter_map(|piece| match piece {
        AssistantContent::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    Ok(texts.collect())
}

fn read_failure(error: CompletionError) -> Failed {
    if let CompletionError::HttpError(http_client::Error::Instance(cause)) = error {
        return match cause.downcast::<Stopped>() {
            Ok(stopped) => stopped.0,
            Err(_) => WriterError::Broken.into(),
        };
    }
    // The service's own words may be anything, and belong into no log.
    WriterError::UnexpectedBody("it is not in the form of its protocol".to_owned()).into()
}

/// Where the requests of a protocol begin.
fn base_url(protocol: Protocol, address: &Url) -> String {
    let address = address.as_str().trim_end_matches('/');
    let without = |version: &str| address.strip_suffix(version).unwrap_or(address).to_owned();
    match protocol {
        Protocol::OpenAi if Url::parse(address).is_ok_and(|url| url.path() == "/") => format!("{address}/v1"),
        Protocol::OpenAi => address.to_owned(),
        Protocol::Anthropic => without("/v1"),
        Protocol::Gemini => without("/v1beta"),
        Protocol::Ollama => without("/v1"),
    }
}

fn header_of_key(protocol: Protocol, key: &SecretString) -> Result<(HeaderName, HeaderValue), Error> {
    let key = key.expose_secret();
    let (name, value) = match protocol {
        Protocol::OpenAi | Protocol::Ollama => (header::AUTHORIZATION, format!("Bearer {key}")),
        Protocol::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
        Protocol::Gemini => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
    };
    let mut value =
        HeaderValue::try_from(value).map_err(|_| Error::Usage("the writer's key fits in no header".to_owned()))?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// The models of a service, by name, in its order.
///
/// # Errors
/// [`Error::Usage`] for an address that is not allowed; [`WriterError`] in words where no list came.
pub async fn list_models(settings: &Settings) -> Result<Vec<String>, Error> {
    let service = Service::new(settings, Vec::new())?;
    let base = &service.base_url;
    let (path, list, name) = match service.protocol {
        Protocol::OpenAi => ("/models", "data", "id"),
        Protocol::Anthropic => ("/v1/models", "data", "id"),
        Protocol::Gemini => ("/v1beta/models", "models", "name"),
        Protocol::Ollama => ("/api/tags", "models", "name"),
    };
    let unusable = |why: WriterError| Error::Usage(why.to_string());
    let url = Url::parse(&format!("{base}{path}")).map_err(|_| unusable(WriterError::Broken))?;
    let mut headers = HeaderMap::new();
    if service.protocol == Protocol::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    let asked = service.transport.ask(Method::GET, &url, headers, Bytes::new(), MAX_LIST_BYTES);
    let answer = tokio::time::timeout(LIST_LIMIT, asked).await.map_err(|_| unusable(WriterError::Slow(LIST_LIMIT)))?;
    let answer = answer.map_err(|failed| unusable(failed.why))?;
    let listed: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let listed = listed[list].as_array().ok_or_else(|| unusable(WriterError::UnexpectedBody(String::new())))?;
    let names = listed.iter().filter_map(|model| model[name].as_str()).take(MAX_MODELS);
    Ok(names.map(|name| name.strip_prefix("models/").unwrap_or(name).to_owned()).collect())
}

/// What carries the requests of `rig-core`.
#[derive(Debug, Clone, Default)]
struct Transport {
    way: Option<Arc<ServiceWay>>,
    key: Option<(HeaderName, HeaderValue)>,
}

/// A failure on its way through `rig-core`.
#[derive(Debug, thiserror::Error)]
#[error("no answer")]
struct Stopped(Failed);

impl Transport {
    async fn ask(
        &self,
        method: Method,
        url: &Url,
        mut headers: HeaderMap,
        body: Bytes,
        max_bytes: usize,
    ) -> Result<ServiceAnswer, Failed> {
        let way = self.way.as_ref().ok_or(WriterError::Broken)?;
        headers.remove(header::AUTHORIZATION);
        if let Some((name, value)) = &self.key {
            headers.insert(name, value.clone());
        }
        let answer = way.ask((method, url), headers, body, max_bytes).await.map_err(|no_answer| match no_answer {
            NoAnswer::TooLong(_) => WriterError::TooLong,
            NoAnswer::Unanswered(Unanswered::Broken | Unanswered::TimedOut) => WriterError::Broken,
            NoAnswer::Unanswered(unanswered) => WriterError::Away(unanswered.to_string()),
        })?;
        if answer.status.is_success() {
            return Ok(answer);
        }
        let status = StatusCode::from_u16(answer.status.as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
        Err(Failed { why: WriterError::Refused(status), retry_after_seconds: answer.retry_after_seconds })
    }

    /// Sends a request of `rig-core`, without what it has in place of a key.
    async fn carry(self, parts: http::request::Parts, body: Bytes) -> Result<Bytes, Failed> {
        let mut url = Url::parse(&parts.uri.to_string()).map_err(|_| WriterError::Broken)?;
        url.set_query(None);
        let mut headers = parts.headers;
        headers.remove("x-api-key");
        let answer = self.ask(parts.method, &url, headers, body, MAX_ANSWER_BYTES).await?;
        if answer.mime_type.starts_with("text/event-stream") || answer.mime_type.contains("ndjson") {
            return Err(WriterError::UnexpectedBody("it is a stream, which was not asked for".to_owned()).into());
        }
        Ok(answer.body.into())
    }
}

fn stopped(failed: Failed) -> http_client::Error {
    http_client::Error::Instance(Box::new(Stopped(failed)))
}

impl HttpClientExt for Transport {
    fn send<T, U>(
        &self,
        request: Request<T>,
    ) -> impl Future<Output = http_client::Result<Response<LazyBody<U>>>> + Send + 'static
    where
        T: Into<Bytes> + Send,
        U: From<Bytes> + Send + 'static,
    {
        let (parts, body) = request.into_parts();
        let (transport, body): (Self, Bytes) = (self.clone(), body.into());
        async move {
            let body = transport.carry(parts, body).await.map_err(stopped)?;
            let whole: LazyBody<U> = Box::pin(std::future::ready(Ok(U::from(body))));
            Ok(Response::new(whole))
        }
    }

    fn send_multipart<U>(
        &self,
        _: Request<MultipartForm>,
    ) -> impl Future<Output = http_client::Result<Response<LazyBody<U>>>> + Send + 'static
    where
        U: From<Bytes> + Send + 'static,
    {
        std::future::ready(Err(stopped(WriterError::Broken.into())))
    }

    fn send_streaming<T>(&self, _: Request<T>) -> impl Future<Output = http_client::Result<StreamingResponse>> + Send
    where
        T: Into<Bytes> + Send,
    {
        std::future::ready(Err(stopped(WriterError::Broken.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_begin_where_each_protocol_has_them() {
        let check = |protocol: Protocol, address: &str, expected: &str| {
            assert_eq!(base_url(protocol, &Url::parse(address).unwrap()), expected, "{address}");
        };
        check(Protocol::OpenAi, "https://api.example", "https://api.example/v1");
        check(Protocol::OpenAi, "https://api.example/v1/", "https://api.example/v1");
        check(Protocol::OpenAi, "https://api.example/openai/v1", "https://api.example/openai/v1");
        check(Protocol::Anthropic, "https://api.anthropic.com/v1", "https://api.anthropic.com");
        check(Protocol::Gemini, "https://g.example/v1beta", "https://g.example");
        check(Protocol::Ollama, "http://127.0.0.1:11434/", "http://127.0.0.1:11434");
        check(Protocol::Ollama, "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434");
    }
}
