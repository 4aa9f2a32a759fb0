//! The command line: `easel-studio help` lists the commands.
//!
//! What a command answers goes to standard output as one line of JSON each, everything else to standard error. Exit
//! codes: 0 done, 1 failed, 2 wrong use, 3 the data folder or its database is served by another process, 4 done or looked at, but not
//! everything is as it should be.

mod arguments;
mod moving;
mod output;
mod people;
mod serving;
mod upkeep;
mod writing;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::core::error::Error;
use crate::{drawers, file_reader, serve};
use moving::Move;
use people::{Invitations, Invite, Keys, Limits, Organizations, Quotas, Uploads, Users};
use serving::{LogFormat, Serve};
use upkeep::{Audit, Backup, Contents, Restore, Verify};

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
    /// Invite a person into a team by a code, which is printed once, also beside a running serve
    Invite(Invite),
    /// List open invitations and take them back, also beside a running serve
    #[command(subcommand)]
    Invitations(Invitations),
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
    /// Make a new data folder from a backup, with its database and its contents wherever they are to be
    Restore(Restore),
    /// Bring a stopped studio to a new data folder, another database, another place of its contents, and compare all of it
    Move(Move),
    /// Look whether every row has its content and every content its row, also beside a running serve
    Verify(Verify),
    /// Print the audit log, the oldest entry first, also beside a running serve
    Audit(Audit),
    /// Draw one order from standard input; serve starts such processes by itself
    #[command(hide = true)]
    Draw,
    /// Find the brand that a file from standard input shows; Easel starts such processes by itself
    #[command(hide = true, name = file_reader::FIND_BRAND)]
    FindBrand {
        /// What the file is called
        #[arg(long, allow_hyphen_values = true)]
        name: OsString,
    },
    /// Draw the preview of a file from standard input; Easel starts such processes by itself
    #[command(hide = true, name = file_reader::DRAW_PREVIEW)]
    DrawPreview {
        /// Which page, from 1
        #[arg(long, default_value_t = 1)]
        page: u32,
    },
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
    match &cli.command {
        Command::Draw => return drawers::run_child(),
        Command::FindBrand { name } => return file_reader::run_find_brand(name),
        Command::DrawPreview { page } => return file_reader::run_draw_preview(*page),
        _ => {}
    }
    // Every file that is made in a data folder is its user's alone.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let filter = EnvFilter::try_from_env("EASEL_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    // A second start within one process keeps the first one's log.
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // The reader of the log may be gone, as the app is after a crash. To complain about that would be to write there too,
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
            serve::serve(serve::Options { words_before, ..(*options).try_into()? }).await
        }
        // Done before there is a runtime.
        Command::Draw | Command::FindBrand { .. } | Command::DrawPreview { .. } => Ok(()),
        Command::Keys(command) => people::keys(command).await,
        Command::Users(command) => people::users(command).await,
        Command::Invite(command) => people::invite(command).await,
        Command::Invitations(command) => people::invitations(command).await,
        Command::Organizations(command) => people::organizations(command).await,
        Command::Limits(command) => people::limits(command).await,
        Command::Quotas(command) => people::quotas(command).await,
        Command::Uploads(command) => people::uploads(command).await,
        Command::Contents(command) => upkeep::contents(command).await,
        Command::Backup(command) => upkeep::backup(command).await,
        Command::Restore(command) => upkeep::restore(command).await,
        Command::Move(command) => moving::move_studio(command).await,
        Command::Verify(command) => upkeep::verify(command).await,
        Command::Audit(command) => upkeep::audit(command).await,
    }
}

fn fail(error: &Error) -> ExitCode {
    // Standard error may be closed; the exit code says it too.
    let _ = writeln!(std::io::stderr(), "easel-studio: {error}");
    ExitCode::from(match error {
        Error::Usage(_) => 2,
        Error::DataFolderHeld(_) | Error::DatabaseHeld => 3,
        Error::Found(_) => 4,
        _ => 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::account::Plan;
    use clap::CommandFactory;
    use easel_wire::Version;

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
    fn a_worker_does_without_an_address_of_its_own_and_is_told_where_clients_go() {
        let read = |flags: &str| {
            let folder = tempfile::tempdir().unwrap();
            let line = format!("easel-studio serve --data {} {flags}", folder.path().display());
            let Command::Serve(options) = Cli::try_parse_from(line.split_whitespace()).unwrap().command else {
                panic!("not serve")
            };
            serve::Options::try_from(*options).map(|options| (options.role, options.listen.is_some()))
        };
        let public = "--public-url https://a.b --public-upload-url https://c.d";
        assert_eq!(read(&format!("--role worker {public}")).unwrap(), (serve::Role::Worker, false));
        assert_eq!(read("--role api --listen 127.0.0.1:0").unwrap(), (serve::Role::Api, true));
        for wrong in ["--role worker", "--role api", "--role all", "--role worker --public-url https://a.b"] {
            assert!(matches!(read(wrong), Err(Error::Usage(_))), "{wrong}");
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
        let options = serve::Options::try_from(*options).unwrap();
        assert_eq!(options.version_header, "acme-version");
        assert_eq!(options.plan, Some(Plan::Ultra));
        assert_eq!(options.oldest_version, Version::Canonical);
        assert_eq!(options.max_file_bytes, Some(5));
        assert!(options.allow_local_callbacks && options.exit_on_stdin_close && options.tls.is_some());
        assert_eq!(options.connections_per_address * 2, options.connections, "one address does not fill it");
        for wrong in [
            "serve --data d",
            "serve --data d --listen x",
            "serve --data d --listen 127.0.0.1:0 --role king",
            "serve --data d --listen 127.0.0.1:0 --linger 16",
            "serve --data d --listen 127.0.0.1:0 --retire 2026-05-01",
            "serve --data d --listen 127.0.0.1:0 --retire 2020-01-01",
            "serve --data d --listen 127.0.0.1:0 --writer http://127.0.0.1:9",
            "serve --data d --listen 127.0.0.1:0 --writer-key-file k",
            "serve --data d --listen 127.0.0.1:0 --writer-by-stdin",
            "move --data d",
            "move --data d --to-database sqlite:",
            "move --data d --to-data e --undo",
            "move --data d --to-data e --to-database mysql://h/x",
            "keys create",
            "keys create x --admin --scopes files:read --data d",
            "invite a@b.example --data d",
            "invite a@b.example --role king --address http://a --data d",
            "keys delete x --data d",
            "limits set --data d --requests-per-minute many",
            "limits set --data d --organization team_00000000000000000000000000",
        ] {
            let line = std::iter::once("easel-studio").chain(wrong.split_whitespace());
            assert_eq!(Cli::try_parse_from(line).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
