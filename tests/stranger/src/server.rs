//! The listener: bodies are read here, and connections cut.
//!
//! Always true here: a body is read to its end before it is answered, so that a client that is still sending can read a
//! refusal; one that was cut off half-way is answered by nobody and changes nothing.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body as HttpBody, Bytes};
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequest, Multipart, State as Shared};
use axum::serve::{IncomingStream, Listener};
use futures_util::StreamExt;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Response, StatusCode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::call::{Blob, Content, Form};
use crate::reply::{Body, Reply};
use crate::route::{Found, Route};
use crate::service::{Answer, Request};
use crate::state::State;
use crate::storage::STORAGE_BYTES;
use crate::uploads::GATEWAY_BYTES;

/// The state, behind its one mutex.
#[derive(Debug, Clone)]
pub(crate) struct Core(Arc<Mutex<State>>);

impl Core {
    pub(crate) fn new(state: State) -> Self {
        Self(Arc::new(Mutex::new(state)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers what comes to a listener until the handle is aborted; connections that are open then end with `is_over`.
pub(crate) fn serve(listener: TcpListener, core: Core, is_over: Arc<AtomicBool>) -> JoinHandle<()> {
    let router = Router::new().fallback(handle).layer(DefaultBodyLimit::disable()).with_state(core);
    let service = router.into_make_service_with_connect_info::<Cutter>();
    tokio::spawn(async move {
        // It ends only when it is aborted.
        let _ = axum::serve(Connections { listener, is_over }, service).await;
    })
}

async fn handle(
    Shared(core): Shared<Core>,
    ConnectInfo(cutter): ConnectInfo<Cutter>,
    request: axum::extract::Request,
) -> Response<HttpBody> {
    let (parts, body) = request.into_parts();
    let Some(content) = read(&core, &parts, body).await else { return Response::default() };
    let query = url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    let path = parts.uri.path();
    let request = Request { method: parts.method.as_str(), path, query, headers: &parts.headers, content };
    let (mut reply, wait) = match core.lock().answer(&request) {
        Answer::Given(reply) => (reply, None),
        Answer::Late(reply, wait) => (reply, Some(wait)),
        Answer::Lost => {
            cutter.cut();
            return Response::default();
        }
    };
    if let Some(wait) = wait {
        tokio::time::sleep(wait).await;
        // An answer bears the time at which it leaves.
        reply = reply.dated(core.lock().config.clock.now());
    }
    response(reply, &core.lock().config.version_header)
}

/// Reads a body; nothing where it was cut off.
async fn read(core: &Core, parts: &Parts, body: HttpBody) -> Option<Content> {
    let found = Route::find(parts.method.as_str(), parts.uri.path());
    let route = match found {
        Found::Route(route, _) => Some(route),
        _ => None,
    };
    let most = match route {
        Some(Route::StorePut) => STORAGE_BYTES,
        Some(Route::Upload) => core.lock().direct_ceiling(),
        _ => GATEWAY_BYTES,
    };
    let bytes = match read_bytes(parts, body, most).await? {
        Ok(bytes) => bytes,
        Err(size) => return Some(Content::TooLarge(size)),
    };
    Some(match route {
        Some(Route::StorePut) => Content::Blob(Blob::new(bytes)),
        Some(Route::Upload) => read_form(parts, bytes).await.map_or(Content::Malformed, Content::Form),
        _ if bytes.is_empty() => Content::Nothing,
        _ => serde_json::from_slice(&bytes).map_or(Content::Malformed, Content::Json),
    })
}

/// A body's bytes, or how many there are where they are too many; nothing where it was cut off.
async fn read_bytes(parts: &Parts, body: HttpBody, most: u64) -> Option<Result<Bytes, u64>> {
    let announced = parts.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let mut bytes = Vec::with_capacity(usize::try_from(announced.unwrap_or(0).min(most)).unwrap_or(0));
    let mut size = 0;
    let mut body = body.into_data_stream();
    while let Some(chunk) = body.next().await {
        let chunk = chunk.ok()?;
        size += chunk.len() as u64;
        if size <= most && announced.is_none_or(|announced| announced <= most) {
            bytes.extend_from_slice(&chunk);
        }
    }
    Some(if size > most { Err(size) } else { Ok(bytes.into()) })
}

async fn read_form(parts: &Parts, bytes: Bytes) -> Option<Form> {
    let request = http::Request::from_parts(parts.clone(), HttpBody::from(bytes));
    let mut multipart = Multipart::from_request(request, &()).await.ok()?;
    let mut form = Form::default();
    while let Some(field) = multipart.next_field().await.ok()? {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "file" {
            let filename = field.file_name().unwrap_or_default().to_owned();
            let media_type = field.content_type().unwrap_or("application/octet-stream").to_owned();
            form.file = Some((filename, media_type, Blob::new(field.bytes().await.ok()?)));
        } else {
            form.texts.push((name, field.text().await.ok()?));
        }
    }
    Some(form)
}

fn response(reply: Reply, version_header: &str) -> Response<HttpBody> {
    let (body, media_type) = match reply.body {
        Body::Empty => (HttpBody::empty(), None),
        Body::Json(value) => (HttpBody::from(value.to_string()), Some("application/json".to_owned())),
        Body::Bytes(bytes, media_type) => (HttpBody::from(bytes), Some(media_type)),
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let media_type = media_type.map(|media_type| (CONTENT_TYPE.as_str(), media_type));
    for (name, value) in reply.headers.into_iter().chain(media_type) {
        // The version's header has the name that the service was given.
        let name = if name.is_empty() { version_header } else { name };
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(&value)) {
            response.headers_mut().append(name, value);
        }
    }
    response
}

/// Cuts one connection.
#[derive(Debug, Clone, Default)]
struct Cutter(Arc<AtomicBool>);

impl Cutter {
    fn cut(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A listener whose connections can be cut.
struct Connections {
    listener: TcpListener,
    is_over: Arc<AtomicBool>,
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Small answers leave at once; where that cannot be set they leave a little later.
        let _ = stream.set_nodelay(true);
        (Connection { stream, cutter: Cutter::default(), is_over: Arc::clone(&self.is_over) }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Connections>> for Cutter {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        stream.io().cutter.clone()
    }
}

/// A connection that fails at the next write once it is cut or everything is over, which closes it.
struct Connection {
    stream: TcpStream,
    cutter: Cutter,
    is_over: Arc<AtomicBool>,
}

impl Connection {
    fn check(&self) -> io::Result<()> {
        let is_cut = self.cutter.0.load(Ordering::Acquire) || self.is_over.load(Ordering::Acquire);
        if is_cut { Err(io::ErrorKind::ConnectionReset.into()) } else { Ok(()) }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
