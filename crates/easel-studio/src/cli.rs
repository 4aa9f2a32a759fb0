//! The command line: `easel-studio help` lists the commands.
//!
//! What a command answers goes to standard output as one line of JSON each, everything else to standard error. Exit
//! codes: 0 done, 1 failed, 2 wrong use, 3 the data folder is served by another process, 4 done or looked at, but not
//! everything is as it should be.

mod people;
mod upkeep;
mod writing;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use easel_wire::{DEFAULT_VERSION_HEADER, Version};
use http::HeaderName;
use serde_json::Value;
use tracing_subscriber::EnvFilter;
use url::Url;

use crate::error::Error;
#[cfg(feature = "test-switches")]
use crate::outbound::Script;
use crate::wire::account::Plan;
use crate::wire::uploads::STORAGE_CEILING_BYTES;
#[cfg(feature = "test-switches")]
use crate::worker::Injection;
use crate::{drawers, serve};
use people::{Keys, Limits, Organizations, Quotas, Uploads, Users};
use upkeep::{Audit, Backup, Contents, Restore, Verify};
use writing::WriterChoice;

/// Blocking work that is still under way at the end is waited for so long.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// A design-generation service with a drive, on one data folder.
#[derive(Debug, Parser)]
#[command(name = "easel-studio", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and storage until told to stop
    Serve(Box<Serve>),
    /// Create, list, rotate and delete API keys, also beside a running serve
    #[command(subcommand)]
    Keys(Keys),
    /// Add, list, change and remove users, also beside a running serve
    #[command(subcommand)]
    Users(Users),
    /// Create and list organizations, also beside a running serve
    #[command(subcommand)]
    Organizations(Organizations),
    /// Set an organization's own limits, also beside a running serve
    #[command(subcommand)]
    Limits(Limits),
    /// Set what an organization may keep, also beside a running serve
    #[command(subcommand)]
    Quotas(Quotas),
    /// What was PUT and waits to be registered, also beside a running serve
    #[command(subcommand)]
    Uploads(Uploads),
    /// What the database did not name at a start, kept for 30 days
    #[command(subcommand)]
    Contents(Contents),
    /// Copy everything into another folder, also beside a running serve. It is as secret as the data folder
    Backup(Backup),
    /// Make a new data folder from a backup
    Restore(Restore),
    /// Look whether every row has its content and every content its row, also beside a running serve
    Verify(Verify),
    /// Print the audit log, the oldest entry first, also beside a running serve
    Audit(Audit),
    /// Draw one order from standard input; serve starts such processes by itself
    #[command(hide = true)]
    Draw,
}

#[derive(Debug, Args)]
struct Data {
    /// The data folder; made where it is missing
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

#[derive(Debug, Args)]
struct Serve {
    #[command(flatten)]
    data: Data,
    /// Where the API listens; port 0 takes a free one
    #[arg(long, value_name = "ADDR")]
    listen: SocketAddr,
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
    log_format: LogFormat,
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
    /// Stop when standard input ends
    #[arg(long)]
    exit_on_stdin_close: bool,
    #[command(flatten)]
    writer: WriterChoice,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PlanName {
    Free,
    Paid,
    Ultra,
}

/// One line an event, either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// For people.
    Text,
    /// A JSON object.
    Json,
}

impl From<PlanName> for Plan {
    fn from(name: PlanName) -> Self {
        match name {
            PlanName::Free => Self::Free,
            PlanName::Paid => Self::Paid,
            PlanName::Ultra => Self::Ultra,
        }
    }
}

impl From<Serve> for serve::Options {
    fn from(serve: Serve) -> Self {
        Self {
            data: serve.data.data,
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
        }
    }
}

/// Runs the command line `args`, the program's name first, to its end. `words_before` stand before a subcommand where this
/// executable is more than the studio: with them it starts itself to draw.
pub fn run(args: impl Iterator<Item = OsString>, words_before: &[&str]) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be done where even that cannot be said.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    // Before anything is opened: it closes a cage around itself.
    if matches!(cli.command, Command::Draw) {
        return drawers::run_child();
    }
    // What is made in a data folder is its user's alone.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let filter = EnvFilter::try_from_env("EASEL_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    // A second start within one process keeps the first one's log.
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Whoever reads the log may be gone, as the app is after a crash. To complain about that would be to write there too,
    // which panics, and the studio would not stop.
    let log = log.log_internal_errors(false);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    let _ = match &cli.command {
        Command::Serve(serve) if serve.log_format == LogFormat::Json => log.json().try_init(),
        _ => log.try_init(),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&Error::Io(error)),
    };
    let outcome = runtime.block_on(async { Box::pin(execute(cli.command, words_before)).await });
    runtime.shutdown_timeout(LAST_WAIT);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

async fn execute(command: Command, words_before: &[&str]) -> Result<(), Error> {
    match command {
        Command::Serve(options) => {
            let words_before = words_before.iter().map(OsString::from).collect();
            serve::serve(serve::Options { words_before, ..(*options).into() }).await
        }
        // Done before there is a runtime.
        Command::Draw => Ok(()),
        Command::Keys(command) => people::keys(command).await,
        Command::Users(command) => people::users(command).await,
        Command::Organizations(command) => people::organizations(command).await,
        Command::Limits(command) => people::limits(command).await,
        Command::Quotas(command) => people::quotas(command).await,
        Command::Uploads(command) => people::uploads(command).await,
        Command::Contents(command) => upkeep::contents(command).await,
        Command::Backup(command) => upkeep::backup(command).await,
        Command::Restore(command) => upkeep::restore(command).await,
        Command::Verify(command) => upkeep::verify(command).await,
        Command::Audit(command) => upkeep::audit(command).await,
    }
}

fn print(line: &Value) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

fn fail(error: &Error) -> ExitCode {
    // Standard error may be closed; the exit code says it too.
    let _ = writeln!(std::io::stderr(), "easel-studio: {error}");
    ExitCode::from(match error {
        Error::Usage(_) => 2,
        Error::DataFolderHeld(_) => 3,
        Error::Found(_) => 4,
        _ => 1,
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_tests_make_go_wrong_is_a_switch_of_their_own_build() {
        for switch in ["--inject pause=5,final", "--resolve a.example=8.8.8.8", "--beside-others 4"] {
            let line = format!("easel-studio serve --data d --listen 127.0.0.1:0 {switch}");
            let read = Cli::try_parse_from(line.split_whitespace());
            assert_eq!(read.is_ok(), cfg!(feature = "test-switches"), "{switch}");
        }
    }

    #[test]
    fn every_flag_of_serve_is_read() {
        let line = "easel-studio serve --data d --listen 127.0.0.1:0 --upload-listen [::1]:0 --public-url https://a.b/ \
                    --public-upload-url https://c.d --tls-cert c --tls-key k --version-header Acme-Version --retire 2026-04-12 --plan ultra \
                    --max-file-bytes 5 --requests-per-minute 0 --exports-per-minute 0 --concurrent-tasks 0 --workers 0 \
                    --expire-tasks-after 5 --log-format json \
                    --allow-local-callbacks --exit-on-stdin-close";
        let Command::Serve(options) = Cli::try_parse_from(line.split_whitespace()).unwrap().command else {
            panic!("not serve")
        };
        let options = serve::Options::from(*options);
        assert_eq!(options.version_header, "acme-version");
        assert_eq!(options.plan, Some(Plan::Ultra));
        assert_eq!(options.oldest_version, Version::Canonical);
        assert_eq!(options.max_file_bytes, Some(5));
        assert!(options.allow_local_callbacks && options.exit_on_stdin_close && options.tls.is_some());
        assert_eq!(options.connections_per_address * 2, options.connections, "one address does not fill it");
        for wrong in [
            "serve --data d",
            "serve --data d --listen x",
            "serve --data d --listen 127.0.0.1:0 --retire 2026-05-01",
            "serve --data d --listen 127.0.0.1:0 --retire 2020-01-01",
            "serve --data d --listen 127.0.0.1:0 --writer http://127.0.0.1:9",
            "serve --data d --listen 127.0.0.1:0 --writer-key-file k",
            "serve --data d --listen 127.0.0.1:0 --writer-by-stdin",
            "keys create",
            "keys delete x --data d",
            "limits set --data d --requests-per-minute many",
            "limits set --data d --organization team_00000000000000000000000000",
        ] {
            let line = std::iter::once("easel-studio").chain(wrong.split_whitespace());
            assert_eq!(Cli::try_parse_from(line).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
