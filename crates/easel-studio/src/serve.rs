//! `easel-studio serve`: three listeners, the API, storage and the operator's, on one data folder until told to stop.
//!
//! The one line of JSON on standard output says that it is ready; nothing else is ever written there. A signal to stop
//! lets requests under way end, within a bound; whatever does not is as if the client had gone away.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use easel_wire::Version;
use http::HeaderName;
use hyper_util::rt::TokioTimer;
use serde_json::json;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::background::{audit_log, certificates, keeper, last_uses, reaper, rounds, upkeep};
use crate::blobs::{Blobs, Location};
use crate::core::error::Error;
#[cfg(unix)]
use crate::core::private_files::make_private;
use crate::core::rate::RequestRate;
use crate::core::room::Room;
use crate::core::turns::Turns;
use crate::data_folder::DataFolder;
use crate::db::{accounts, uploads};
use crate::drawers::{Drawers, Start};
use crate::outbound::{Names, Outbound, Script};
use crate::routes;
use crate::routes::Hosts;
use crate::studio::callers::Callers;
use crate::studio::commits::Commits;
use crate::studio::config::Config;
use crate::studio::documents::Documents;
use crate::studio::exports::Exports;
use crate::studio::last_uses::LastUses;
use crate::studio::leases::{LEASE, Leases};
use crate::studio::live::Live;
use crate::studio::metrics::Metrics;
use crate::studio::readiness::Readiness;
use crate::studio::refusals::Refusals;
use crate::studio::{App, Studio, answers};
use crate::web::crowd::{Bounds, Crowd};
use crate::web::door::{Door, HEAD_BYTES};
use crate::web::list::Cursors;
use crate::web::signed_urls::SignedUrls;
use crate::wire::account::Plan;
use crate::worker::{self, Injection};
use crate::writer::{self, Desk, Writer};
use crate::{canvases, exports, webhooks};

/// How long requests under way may take after a signal to stop.
const GRACE: Duration = Duration::from_secs(8);
/// The same after the starting process has closed standard input: it is going away and waits for nobody.
const GRACE_WHEN_ABANDONED: Duration = Duration::from_secs(1);
/// How long a task under way may take after the last request.
const GRACE_OF_WORKERS: Duration = Duration::from_millis(500);
/// A connection that sends no whole request head for so long is closed.
const HEAD_LIMIT: Duration = Duration::from_secs(30);
/// The most header fields of a request.
const HEAD_FIELDS: usize = 1024;
/// Connections beyond the bounds, on which only health and operators are answered.
const NARROW_CONNECTIONS: usize = 64;
/// Of those, from one address.
const NARROW_CONNECTIONS_PER_ADDRESS: usize = 8;
/// Connections to the operator's own listener.
const OPERATOR_CONNECTIONS: usize = 16;
/// Descriptors that are kept for other things than connections: the database, processes that draw, what goes out.
const OTHER_DESCRIPTORS: usize = 256;
/// Descriptors that a connection takes: its own, and the file that is read or written over it.
const DESCRIPTORS_OF_ONE: usize = 2;
/// Connections that one address has at least, where there are so many.
const LEAST_OF_ONE_ADDRESS: usize = 16;

/// What `serve` was asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// Where the API listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where storage listens; the API's host and a free port where absent.
    pub upload_listen: Option<SocketAddr>,
    /// Where counters are read without a key.
    pub operator_listen: SocketAddr,
    /// Where the API is reached from outside.
    pub public_url: Option<Url>,
    /// Where storage is reached from outside.
    pub public_upload_url: Option<Url>,
    /// Certificate chain and key, PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The name of the version header.
    pub version_header: HeaderName,
    /// The oldest version that is not retired.
    pub oldest_version: Version,
    /// Replaces the plan of every organization.
    pub plan: Option<Plan>,
    /// Replaces the plan's ceiling for a file, in bytes.
    pub max_file_bytes: Option<u64>,
    /// Zero for no limit.
    pub requests_per_minute: u32,
    /// Zero for no limit.
    pub exports_per_minute: u32,
    /// Replaces the plan's cap; zero for no limit.
    pub concurrent_tasks: Option<u32>,
    /// Words before a subcommand with which this executable becomes the studio.
    pub words_before: Vec<OsString>,
    /// Tasks worked on at once; zero queues them without working.
    pub workers: u32,
    /// How long a task may be queued before it expires.
    pub expire_tasks_after: Duration,
    /// What goes wrong with every task, for tests.
    pub injection: Injection,
    /// Serves beside other processes, which all have leases of this length, for tests; alone where absent.
    pub beside_others: Option<Duration>,
    /// Whether a callback may go to this machine by plain http.
    pub allow_local_callbacks: bool,
    /// Names that resolve as a test says.
    pub scripted_names: Vec<Script>,
    /// Connections in all, to the API and to storage.
    pub connections: usize,
    /// Connections from one address, or requests of one client behind a trusted proxy.
    pub connections_per_address: usize,
    /// Proxies whose word is taken for the address of a client.
    pub trusted_proxies: Vec<IpAddr>,
    /// Whether the end of standard input is a signal to stop.
    pub exit_on_stdin_close: bool,
    /// The model that writes what designs say.
    pub writer: Option<writer::Settings>,
    /// The file of its key.
    pub writer_key_file: Option<PathBuf>,
    /// Whether the lines of standard input set the writer; only with `exit_on_stdin_close`.
    pub writer_by_stdin: bool,
}

/// Serves until told to stop.
///
/// # Errors
/// [`Error::DataFolderHeld`] where another process serves the folder; [`Error::Io`] where an address is taken or a
/// certificate cannot be read; whatever keeps the data folder from being opened.
pub async fn serve(options: Options) -> Result<(), Error> {
    let connections = make_room(options.connections);
    let desk = seat_writer(&options)?;
    let held = match options.beside_others {
        Some(_) => DataFolder::hold_beside_others(&options.data)?,
        None => DataFolder::hold(&options.data)?,
    };
    #[cfg(unix)]
    make_data_private(&options.data).await?;
    let folder = DataFolder::open(&options.data).await?;
    settle_plan(&folder, options.plan).await?;
    let blobs = Blobs::open(&folder.path.join("blobs"))?;
    clear_leftovers(&folder, &blobs).await?;

    let tls = match &options.tls {
        Some((chain, key)) => Some(certificates::read(chain, key).await?),
        None => None,
    };
    let api = bind(options.listen)?;
    let store = bind(options.upload_listen.unwrap_or(SocketAddr::new(options.listen.ip(), 0)))?;
    let operator = bind(options.operator_listen)?;
    let operator_url = reached_at(None, operator.local_addr()?, false);
    let operator_hosts = Hosts::of_listener(operator.local_addr()?.ip(), &operator_url);
    let (api_at, store_at) = (api.local_addr()?, store.local_addr()?);
    let config = Config {
        base_url: reached_at(options.public_url.as_ref(), api_at, tls.is_some()),
        upload_url: reached_at(options.public_upload_url.as_ref(), store_at, tls.is_some()),
        version_header: options.version_header.clone(),
        oldest_version: options.oldest_version,
        max_file_bytes: options.max_file_bytes,
        requests_per_minute: options.requests_per_minute,
        exports_per_minute: options.exports_per_minute,
        concurrent_tasks: options.concurrent_tasks,
        expire_tasks_after: options.expire_tasks_after,
    };
    let ready = json!({
        "base_url": config.base_url, "upload_url": config.upload_url, "operator_url": operator_url,
    });
    let api_hosts = Hosts::of_listener(api_at.ip(), &config.base_url);
    let store_hosts = Hosts::of_listener(store_at.ip(), &config.upload_url);
    let db = folder.db.clone();
    let studio = put_together(&options, folder, blobs, config, desk);
    studio.room.keep().await;
    if options.beside_others.is_none() {
        reaper::end_those_before(&studio, &held).await?;
    }
    exports::begin_waiting(&studio).await?;
    tracing::info!(
        data = %options.data.display(), base_url = studio.config.base_url, upload_url = studio.config.upload_url,
        workers = options.workers, local_callbacks = options.allow_local_callbacks, "serving"
    );

    let handle = Handle::new();
    let (door, operator_door) = open_doors(&options, connections);
    let abandoned =
        options.exit_on_stdin_close.then(|| watch_stdin(options.writer_by_stdin.then(|| Arc::clone(&studio.desk))));
    let stopping = tokio::spawn(stop_when_told(handle.clone(), studio.live.stopping.clone(), abandoned)?);
    if options.workers > 0 {
        studio.drawers.get_ready();
    }
    let mut workers = worker::start(&studio, options.workers, &options.injection);
    workers.spawn(keeper::keep(studio.clone()));
    workers.spawn(exports::expire(studio.clone()));
    workers.spawn(webhooks::deliver(studio.clone()));
    workers.spawn(webhooks::forget_old(studio.clone()));
    workers.spawn(last_uses::keep(studio.clone()));
    workers.spawn(upkeep::forget_aside(studio.clone()));
    workers.spawn(upkeep::remove_what_waited(studio.clone()));
    workers.spawn(rounds::go_round(studio.clone()));
    workers.spawn(audit_log::keep_refusals(studio.clone()));
    if let (Some(tls), Some((chain, key))) = (&tls, &options.tls) {
        workers.spawn(certificates::keep_fresh(studio.clone(), tls.clone(), chain.clone(), key.clone()));
    }
    announce(&ready)?;
    let served = tokio::try_join!(
        run(api, (&door, HEAD_LIMIT), tls.clone(), routes::router(&studio, api_hosts), handle.clone()),
        run(store, (&door, HEAD_LIMIT), tls, routes::storage_router(&studio, store_hosts), handle.clone()),
        run(operator, (&operator_door, HEAD_LIMIT), None, routes::operator_router(&studio, operator_hosts), handle),
    );
    stopping.abort();
    // What is not done by then is taken up at the next start.
    studio.live.stopping.cancel();
    let _ = tokio::time::timeout(GRACE_OF_WORKERS, async { while workers.join_next().await.is_some() {} }).await;
    if let Err(error) = audit_log::write_refusals(&studio).await {
        tracing::error!(%error, "refused keys cannot be written to the audit log");
    }
    if let Err(error) = last_uses::write(&studio).await {
        tracing::error!(%error, "the last use of keys cannot be written");
    }
    db.close().await;
    drop(held);
    tracing::info!("stopped");
    served.map(|_| ()).map_err(Error::from)
}

/// The running studio on this data, with nothing going on yet.
fn put_together(options: &Options, folder: DataFolder, blobs: Blobs, config: Config, desk: Arc<Desk>) -> App {
    Arc::new(Studio {
        rate: RequestRate::new(),
        last_uses: LastUses::default(),
        refusals: Refusals::default(),
        readiness: Readiness::default(),
        metrics: Metrics::new(),
        documents: Documents::made_by(routes::describe),
        signed_urls: SignedUrls::new(folder.master_key.derive("sign storage URLs"), &config.upload_url),
        puts: Arc::default(),
        commits: Commits::default(),
        cursors: Cursors::new(folder.master_key.derive("sign cursors")),
        config,
        callers: Callers::of(&folder.db),
        pages: answers::new_pages(),
        tasks_asked_for: answers::new_tasks_asked_for(),
        db: folder.db,
        drawers: Drawers::new(Start::Again(options.words_before.clone()), blobs.clone()),
        blobs,
        room: Room::of(&folder.path),
        clock: folder.clock,
        leases: Leases::new(folder.ids.next(), options.beside_others.unwrap_or(LEASE)),
        ids: folder.ids,
        live: Live::new(),
        exports: Exports::new(options.workers),
        text_turns: Turns::new(canvases::TEXTS_AT_ONCE, canvases::TEXTS_AT_ONCE),
        desk,
        master_key: folder.master_key,
        outbound: Outbound::new(options.allow_local_callbacks, Names::scripted(options.scripted_names.clone())),
    })
}

/// The desk with the writer that was asked for. What is wrong with it is said before anything is opened.
fn seat_writer(options: &Options) -> Result<Arc<Desk>, Error> {
    let desk = Arc::new(Desk::default());
    let Some(mut settings) = options.writer.clone() else { return Ok(desk) };
    if let Some(file) = &options.writer_key_file {
        settings.key = Some(writer::settings::read_key(file)?);
    }
    let model = writer::Model::new(&settings, options.scripted_names.clone())?;
    tracing::info!(model = model.name(), address = settings.address.as_str(), "a model writes what designs say");
    desk.seat(Some(Arc::new(model)));
    Ok(desk)
}

/// The doors for everybody, and the operator's, which is reached however many others are there.
fn open_doors(options: &Options, connections: usize) -> (Door, Door) {
    // Where there is room for fewer than were asked for, one address has as much less.
    let part = options.connections_per_address.saturating_mul(connections) / options.connections.max(1);
    let everybodys = Bounds {
        all: connections,
        one: part.max(LEAST_OF_ONE_ADDRESS.min(options.connections_per_address)),
        narrow: NARROW_CONNECTIONS,
        narrow_of_one: NARROW_CONNECTIONS_PER_ADDRESS,
        trusted_proxies: options.trusted_proxies.iter().map(IpAddr::to_canonical).collect(),
    };
    let operators = Bounds {
        all: OPERATOR_CONNECTIONS,
        one: OPERATOR_CONNECTIONS,
        narrow: 0,
        narrow_of_one: 0,
        trusted_proxies: Vec::new(),
    };
    (Door::to(&Crowd::new(everybodys)), Door::to(&Crowd::new(operators)))
}

#[cfg(unix)]
async fn make_data_private(path: &Path) -> Result<(), Error> {
    let whole = path.to_owned();
    let done = tokio::task::spawn_blocking(move || make_private(&whole)).await;
    done.map_err(|_| Error::Panicked)?.map_err(|cause| Error::DataFolderUnusable { path: path.to_owned(), cause })
}

async fn settle_plan(folder: &DataFolder, asked: Option<Plan>) -> Result<(), Error> {
    let Some(plan) = asked else { return Ok(()) };
    let mut tx = folder.db.begin().await?;
    accounts::update_plan(&mut tx, plan).await?;
    Ok(tx.commit().await?)
}

/// What the last run left: contents without rows, staged blobs that were registered, memories past their day.
async fn clear_leftovers(folder: &DataFolder, blobs: &Blobs) -> Result<(), Error> {
    upkeep::settle_contents(&folder.db, blobs, folder.clock.now()).await?;
    for storage_key in uploads::list_consumed(&folder.db).await? {
        blobs.discard(&Location::staged(&storage_key)).await;
    }
    let mut tx = folder.db.begin().await?;
    uploads::forget_old(&mut tx, folder.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

fn bind(address: SocketAddr) -> Result<TcpListener, Error> {
    let listener = TcpListener::bind(address).map_err(|error| {
        Error::Io(std::io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
    })?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Where a listener is reached from outside, without a slash at the end.
fn reached_at(public: Option<&Url>, mut address: SocketAddr, tls: bool) -> String {
    if let Some(url) = public {
        return url.as_str().trim_end_matches('/').to_owned();
    }
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        });
    }
    format!("{}://{address}", if tls { "https" } else { "http" })
}

/// Serves until told to stop. A connection that sends no whole head for `head_limit` is closed.
async fn run(
    listener: TcpListener,
    (door, head_limit): (&Door, Duration),
    tls: Option<RustlsConfig>,
    router: Router,
    handle: Handle<SocketAddr>,
) -> std::io::Result<()> {
    macro_rules! serve {
        ($server:expr) => {{
            let mut server = $server.handle(handle).http1_only();
            let mut http = server.http_builder().http1();
            http.timer(TokioTimer::new()).header_read_timeout(head_limit);
            // So much is also written ahead of a client that reads slowly.
            http.max_buf_size(HEAD_BYTES).max_headers(HEAD_FIELDS);
            server.serve(router.into_make_service_with_connect_info::<SocketAddr>()).await
        }};
    }
    match tls {
        Some(tls) => {
            serve!(axum_server::from_tcp(listener)?.acceptor(RustlsAcceptor::new(tls).acceptor(door.clone())))
        }
        None => serve!(axum_server::from_tcp(listener)?.acceptor(door.clone())),
    }
}

/// Raises the process's own bound on descriptors as far as it may, and says for how many connections that is room, at most
/// `wanted`.
fn make_room(wanted: usize) -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        let descriptors = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
        let descriptors = descriptors.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let left = descriptors.saturating_sub(OTHER_DESCRIPTORS + NARROW_CONNECTIONS).max(descriptors / 4);
        let room = left / DESCRIPTORS_OF_ONE;
        if room < wanted {
            tracing::warn!(
                wanted,
                room,
                descriptors,
                "fewer connections are let in than asked for, for want of descriptors"
            );
        }
        wanted.min(room)
    }
    #[cfg(not(unix))]
    wanted
}

/// Writes the ready line, the only thing that ever goes to standard output.
fn announce(ready: &serde_json::Value) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{ready}")?;
    Ok(out.flush()?)
}

/// Resolves once standard input has ended. On a thread of its own, because reading it cannot be cancelled. Until then its lines
/// seat writers, where there is a desk.
fn watch_stdin(desk: Option<Arc<Desk>>) -> oneshot::Receiver<()> {
    let (ended, wait) = oneshot::channel();
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        if let Some(desk) = &desk {
            writer::listen(&mut stdin, desk);
        }
        let mut buffer = [0_u8; 256];
        while stdin.read(&mut buffer).is_ok_and(|read| read > 0) {}
        let _ = ended.send(());
    });
    wait
}

/// Stops both listeners at a signal or when standard input has ended.
fn stop_when_told(
    handle: Handle<SocketAddr>,
    told: CancellationToken,
    abandoned: Option<oneshot::Receiver<()>>,
) -> Result<impl Future<Output = ()> + Send, Error> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(async move {
        #[cfg(unix)]
        let terminated = async { terminate.recv().await };
        #[cfg(not(unix))]
        let terminated = std::future::pending::<Option<()>>();
        let abandoned = async {
            match abandoned {
                Some(ended) => drop(ended.await),
                None => std::future::pending().await,
            }
        };
        let grace = tokio::select! {
            _ = terminated => GRACE,
            _ = tokio::signal::ctrl_c() => GRACE,
            () = abandoned => GRACE_WHEN_ABANDONED,
        };
        tracing::info!("stopping");
        told.cancel();
        handle.graceful_shutdown(Some(grace));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_head_that_does_not_come_is_waited_for_only_so_long() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let bounds = Bounds { all: 9, one: 9, narrow: 0, narrow_of_one: 0, trusted_proxies: Vec::new() };
        let door = Door::to(&Crowd::new(bounds));
        let limit = Duration::from_millis(300);
        let router = Router::new().route("/", axum::routing::get(async || "here"));
        let serving = tokio::spawn(async move { run(listener, (&door, limit), None, router, Handle::new()).await });
        // Nothing, a half one, one that comes byte by byte, and a half one after a whole.
        for head in ["", "GET / HTTP/1.1\r\nHost: x\r\n", "drips", "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET"] {
            let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
            let begin = std::time::Instant::now();
            if head == "drips" {
                for byte in b"GET / HTTP/1.1\r\nX-Long: ".iter().chain(&[b'x'; 500]) {
                    if stream.write_all(&[*byte]).await.is_err() {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            } else {
                stream.write_all(head.as_bytes()).await.unwrap();
            }
            let mut answered = Vec::new();
            let closed = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answered)).await;
            assert!(closed.is_ok() && begin.elapsed() >= limit, "{head:?}: {closed:?} after {:?}", begin.elapsed());
            let answered = String::from_utf8_lossy(&answered);
            assert_eq!(answered.contains("here"), head.ends_with("GET"), "{head:?}: {answered}");
        }
        serving.abort();
    }

    #[test]
    fn the_public_address_is_named_without_a_slash_at_the_end() {
        let check = |public: Option<&str>, address: &str, tls: bool, expected: &str| {
            let public = public.map(|url| Url::parse(url).unwrap());
            assert_eq!(reached_at(public.as_ref(), address.parse().unwrap(), tls), expected);
        };
        check(None, "127.0.0.1:80", false, "http://127.0.0.1:80");
        check(None, "0.0.0.0:81", true, "https://127.0.0.1:81");
        check(None, "[::]:81", false, "http://[::1]:81");
        check(Some("https://easel.example"), "0.0.0.0:81", false, "https://easel.example");
        check(Some("https://easel.example/api/"), "0.0.0.0:81", false, "https://easel.example/api");
    }
}
