//! What `serve` was asked for.
//!
//! Not here: how it is written at the command line ([`crate::cli`]).

use std::ffi::OsString;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use super::sharing::Role;
use easel_wire::Version;
use http::HeaderName;
use url::Url;

use crate::blobs::BlobsAt;
use crate::outbound::Script;
use crate::wire::account::Plan;
use crate::worker::Injection;
use crate::writer;

/// The flags of `serve`, read and checked.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// Where contents lie.
    pub blobs: BlobsAt,
    /// Whether the bucket serves downloads itself.
    pub direct_downloads: bool,
    /// What this process does.
    pub role: Role,
    /// Where the API listens; port 0 takes a free one. Only a worker has none.
    pub listen: Option<SocketAddr>,
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
    /// How long requests are taken after a signal to stop.
    pub linger: Duration,
    /// Whether the end of standard input is a signal to stop.
    pub exit_on_stdin_close: bool,
    /// The model that writes what designs say.
    pub writer: Option<writer::Settings>,
    /// The file of its key.
    pub writer_key_file: Option<PathBuf>,
    /// Whether the lines of standard input set the writer; only with `exit_on_stdin_close`.
    pub writer_by_stdin: bool,
}
