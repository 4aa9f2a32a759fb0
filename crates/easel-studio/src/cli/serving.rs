//! The flags of `serve`.
//!
//! Always true: a flag that tests alone use is not in a program that is delivered. Not here: what serving does ([`crate::serve`]).

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use easel_wire::{DEFAULT_VERSION_HEADER, Version};
use http::HeaderName;
use url::Url;

use super::arguments::{BlobsPlace, Data, PlanName};
use super::writing::WriterChoice;
use crate::core::error::Error;
#[cfg(feature = "test-switches")]
use crate::outbound::Script;
use crate::serve;
use crate::wire::account::Plan;
use crate::wire::uploads::STORAGE_CEILING_BYTES;
#[cfg(feature = "test-switches")]
use crate::worker::Injection;

#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    blobs: BlobsPlace,
    /// Downloads are served by the bucket itself, at addresses signed for it, which clients have to reach
    #[arg(long, requires = "blobs")]
    direct_downloads: bool,
    /// What this process does; several can share a database on a server and a bucket, and no disk
    #[arg(long, value_enum, default_value_t = RoleName::All)]
    role: RoleName,
    /// Where the API listens; port 0 takes a free one. A worker does without
    #[arg(long, value_name = "ADDR", required_unless_present = "role")]
    listen: Option<SocketAddr>,
    /// Where storage listens [default: a free port beside the API]
    #[arg(long, value_name = "ADDR")]
    upload_listen: Option<SocketAddr>,
    /// Where counters are read without a key; whoever reaches it may
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    operator_listen: SocketAddr,
    /// Where clients reach the API, if not at the address it listens on
    #[arg(long, value_name = "URL", value_parser = read_public_url)]
    public_url: Option<Url>,
    /// Where clients reach storage, if not at the address it listens on
    #[arg(long, value_name = "URL", value_parser = read_public_url)]
    public_upload_url: Option<Url>,
    /// Certificate chain in PEM; serves https
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The certificate's key in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// The name of the version header
    #[arg(long, value_name = "NAME", default_value = DEFAULT_VERSION_HEADER, value_parser = read_header_name)]
    version_header: HeaderName,
    /// A version whose sunset has come: naming it is refused, and the default is the next one
    #[arg(long, value_name = "VERSION", value_parser = read_retired)]
    retire: Option<Version>,
    /// The plan of every organization [default: as it was, at first paid]
    #[arg(long, value_enum)]
    plan: Option<PlanName>,
    /// The largest file in bytes [default: the plan's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=STORAGE_CEILING_BYTES))]
    max_file_bytes: Option<u64>,
    /// Requests a minute and key; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 120)]
    requests_per_minute: u32,
    /// Exports a minute; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 25)]
    exports_per_minute: u32,
    /// Design tasks queued or running at once; 0 for no limit [default: the plan's]
    #[arg(long, value_name = "N")]
    concurrent_tasks: Option<u32>,
    /// Design tasks worked on at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    workers: u32,
    /// How long a design task may be queued before it expires
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    expire_tasks_after: u64,
    /// What goes wrong with every task, for tests; a program that is delivered has no such switch
    #[cfg(feature = "test-switches")]
    #[arg(long, value_name = "FAILURES", hide = true, default_value = "pause=0")]
    inject: Injection,
    /// A name that resolves as a test says, one address a lookup; a program that is delivered has no such switch
    #[cfg(feature = "test-switches")]
    #[arg(long, value_name = "NAME=ADDRESSES", hide = true)]
    resolve: Vec<Script>,
    /// Serve beside other processes, whose leases are so long; a program that is delivered has no such switch
    #[cfg(feature = "test-switches")]
    #[arg(long, value_name = "SECONDS", hide = true, value_parser = clap::value_parser!(u64).range(1..))]
    beside_others: Option<u64>,
    /// How the log is written
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// Let callbacks go to this machine by plain http
    #[arg(long)]
    allow_local_callbacks: bool,
    /// Connections in all; beyond it those that wait or have shown no key make room, and else only health and operators are answered
    #[arg(long, value_name = "N", default_value_t = 768, value_parser = clap::value_parser!(u32).range(1..))]
    connections: u32,
    /// Connections from one address, or requests at once of one client behind a trusted proxy
    #[arg(long, value_name = "N", default_value_t = 384, value_parser = clap::value_parser!(u32).range(1..))]
    connections_per_address: u32,
    /// A proxy that names its clients in X-Forwarded-For, by its address; may be given several times
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,
    /// After a signal to stop, /readyz says so and requests are taken for so long, in which a proxy sends them elsewhere
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=15))]
    linger: u64,
    /// Stop when standard input ends
    #[arg(long)]
    exit_on_stdin_close: bool,
    #[command(flatten)]
    writer: WriterChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RoleName {
    /// Answers requests
    Api,
    /// Draws, exports, delivers webhooks, looks after contents
    Worker,
    /// Both
    All,
}

impl From<RoleName> for serve::Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Api => Self::Api,
            RoleName::Worker => Self::Worker,
            RoleName::All => Self::All,
        }
    }
}

/// One line an event, either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// For people.
    Text,
    /// A JSON object.
    Json,
}

impl TryFrom<Serve> for serve::Options {
    type Error = Error;

    fn try_from(serve: Serve) -> Result<Self, Error> {
        let missing = match serve.role {
            RoleName::Worker if serve.public_url.is_none() || serve.public_upload_url.is_none() => {
                Some("a worker is told where clients reach the API and storage: --public-url, --public-upload-url")
            }
            RoleName::Api | RoleName::All if serve.listen.is_none() => Some("--listen says where the API listens"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(Error::Usage(missing.to_owned()));
        }
        Ok(Self {
            role: serve.role.into(),
            linger: Duration::from_secs(serve.linger),
            data: serve.data.settle()?,
            blobs: serve.blobs.into(),
            direct_downloads: serve.direct_downloads,
            listen: serve.listen,
            upload_listen: serve.upload_listen,
            operator_listen: serve.operator_listen,
            public_url: serve.public_url,
            public_upload_url: serve.public_upload_url,
            tls: serve.tls_cert.zip(serve.tls_key),
            version_header: serve.version_header,
            oldest_version: match serve.retire {
                Some(_) => Version::Canonical,
                None => Version::Legacy,
            },
            plan: serve.plan.map(Plan::from),
            max_file_bytes: serve.max_file_bytes,
            requests_per_minute: serve.requests_per_minute,
            exports_per_minute: serve.exports_per_minute,
            concurrent_tasks: serve.concurrent_tasks,
            words_before: Vec::new(),
            workers: serve.workers,
            expire_tasks_after: Duration::from_secs(serve.expire_tasks_after),
            #[cfg(feature = "test-switches")]
            injection: serve.inject,
            #[cfg(not(feature = "test-switches"))]
            injection: crate::worker::Injection::default(),
            #[cfg(feature = "test-switches")]
            beside_others: serve.beside_others.map(Duration::from_secs),
            #[cfg(not(feature = "test-switches"))]
            beside_others: None,
            allow_local_callbacks: serve.allow_local_callbacks,
            #[cfg(feature = "test-switches")]
            scripted_names: serve.resolve,
            #[cfg(not(feature = "test-switches"))]
            scripted_names: Vec::new(),
            connections: usize::try_from(serve.connections).unwrap_or(usize::MAX),
            connections_per_address: usize::try_from(serve.connections_per_address).unwrap_or(usize::MAX),
            trusted_proxies: serve.trusted_proxy,
            exit_on_stdin_close: serve.exit_on_stdin_close,
            writer_by_stdin: serve.writer.writer_by_stdin,
            writer_key_file: serve.writer.writer_key_file.clone(),
            writer: serve.writer.into_settings(),
        })
    }
}

fn read_public_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    let plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    if matches!(url.scheme(), "http" | "https") && url.has_host() && plain {
        Ok(url)
    } else {
        Err("an http or https address without a query is needed".to_owned())
    }
}

/// Every version but the newest can be retired.
fn read_retired(text: &str) -> Result<Version, String> {
    match text.parse() {
        Ok(Version::Legacy) => Ok(Version::Legacy),
        Ok(Version::Canonical) => Err("the newest version cannot be retired".to_owned()),
        Err(unknown) => Err(format!("{unknown}")),
    }
}

fn read_header_name(text: &str) -> Result<HeaderName, String> {
    text.parse().map_err(|_| "not the name of a header".to_owned())
}
