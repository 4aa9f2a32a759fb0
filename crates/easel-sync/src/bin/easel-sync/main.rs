//! `easel-sync`: keeps one folder in step with a folder of the drive, without a window, for servers and tests.
//!
//! It is the engine of the app, in a process of its own. Always true: the key comes from the environment or from a file
//! that only its owner can read, and is never written anywhere; what is told goes to standard output, one object a line
//! with `--json`; the log goes to standard error; it ends within two seconds of being asked to. Not here: any decision
//! about files (`easel_sync::folders`).

mod code;
mod drive;
mod learned;
mod options;
mod report;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use easel_client::{Client, Connection};
use easel_sync::folders::{Choices, Draft, Folder, Need, Note, State, WatchId, Why};
use easel_sync::{Error, FolderSettings, Folders, Journal, TransferSlots, Waiting};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing_subscriber::EnvFilter;

use code::Code;
use learned::Learned;
use options::{AfterRestore, ExitError, Options};
use report::Report;

/// Lines of the history in one request.
const LINES: u64 = 100;
/// Notes in one request.
const NOTES: u64 = 1_000;
/// If there are more notes than this, only the first are told.
const MOST_TOLD: u64 = 10_000;
/// The first wait before a service is asked again that could not be; it doubles up to the last.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LAST_WAIT_BETWEEN: Duration = Duration::from_secs(30);
/// Work under way gets so long to end.
const LAST_WAIT: Duration = Duration::from_millis(1_500);

fn main() -> ExitCode {
    easel_sync::memory::keep_little();
    let options = Options::parse();
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_from_env("EASEL_LOG").unwrap_or_else(|_| EnvFilter::new("warn")))
        .with_writer(io::stderr)
        .init();
    let report = Report::new(options.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return report.end(Code::Usage, &format!("this computer cannot run it: {error}")),
    };
    let code = match runtime.block_on(run(&options, &report)) {
        Ok(code) => report.end(code, ""),
        Err(ExitError { code, words, .. }) => report.end(code, &words),
    };
    // A thread that still blocks, for instance on a disk that does not answer, is not waited for.
    runtime.shutdown_background();
    code
}

async fn run(options: &Options, report: &Report) -> Result<Code, ExitError> {
    let key = options::read_key(options)?;
    let folder = options::find_folder(&options.folder)?;
    let state = options::make_state(options, &folder)?;
    let learned = Learned::beside(&state, &options.base_url, &key);
    let setup = |error: easel_client::Error| ExitError::new(Code::Usage, error.to_string());
    let mut connection = Connection::new(&options.base_url, key).map_err(setup)?;
    if let Some(name) = &options.version_header {
        connection = connection.with_version_header(name).map_err(setup)?;
    }
    if options.plain_http {
        connection = connection.confirm_plain_http();
    }
    let client = Client::new(connection).map_err(setup)?;
    easel_client::limit_bandwidth(options.limit_bytes_per_second);
    let journal = Journal::open(&state).await?;
    if options.forget_learned {
        learned.forget().map_err(|error| ExitError::new(Code::JournalUnusable, error.to_string()))?;
    }
    learned.restore(&client);

    let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
    let settings = FolderSettings {
        slots: TransferSlots::new(options.at_once),
        pause_on_metered: options.pause_on_metered,
        ..FolderSettings::default()
    };
    let ended = {
        let connection_id = client.connection().base_url().to_string();
        let started = Folders::start(journal.clone(), client.clone(), &connection_id, settings, cancel.clone(), &tasks);
        let folders = started.await?;
        let mut asked_to_end = std::pin::pin!(until_asked_to_end()?);
        tokio::select! {
            biased;
            () = &mut asked_to_end => Ok(Code::Equal),
            () = learned.keep(&client, report) => Ok(Code::Equal),
            ended = sync(options, report, &client, &folders, folder) => ended,
        }
    };
    learned.tell(&client, report);
    learned.write(&client);
    cancel.cancel();
    tasks.close();
    if timeout(LAST_WAIT, tasks.wait()).await.is_ok() {
        journal.close().await;
    }
    ended
}

async fn sync(
    options: &Options,
    report: &Report,
    client: &Client,
    folders: &Folders,
    path: PathBuf,
) -> Result<Code, ExitError> {
    let mut changes = folders.changes();
    // The changes of earlier runs were told then.
    let before = folders.list_history(None, "", 0, 1).await?;
    let Some(id) = begin_patiently(options, report, client, folders, &path).await? else { return Ok(Code::Equal) };
    let last_line = before.first().map_or(0, |line| line.id);
    let mut following = Following { id, state: None, last_line, told: HashSet::new() };
    let mut give_up_at = None;
    let mut last_told = last_line;
    let mut has_history = true;
    loop {
        let folder = find(folders, id)?;
        let is_over = !matches!(folder.state, State::Working { .. } | State::Looking);
        if has_history || is_over {
            following.tell_changes(report, folders).await?;
        }
        let is_judged = matches!(
            folder.state,
            State::UpToDate | State::NeedsYou { .. } | State::Waiting { cause: Waiting::PartUnreadable { .. } }
        );
        if following.tell_state(report, &folder) && is_judged {
            following.tell_skipped(report, folders).await?;
        }
        if let Some(code) = judge(options, folders, &folder).await? {
            return Ok(code);
        }
        let has_moved = following.last_line != last_told;
        last_told = following.last_line;
        give_up_at = match &folder.state {
            _ if !options.once || has_moved => None,
            State::Waiting { .. } | State::Settling => {
                give_up_at.or_else(|| Some(Instant::now() + Duration::from_secs(options.give_up_after)))
            }
            // Between two waits both sides are looked at. That alone is not the end of a wait, and no reason to give
            // up.
            State::Looking => give_up_at,
            _ => None,
        };
        let is_looking = matches!(folder.state, State::Looking);
        let given_up = async {
            match give_up_at {
                Some(at) if !is_looking => sleep_until(at).await,
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            // A listener that is behind reads everything anew.
            batch = changes.recv() => has_history = batch.map_or(true, |batch| batch.has_history),
            () = given_up => {
                let folder = find(folders, id)?;
                following.tell_settling(report, &folder);
                return Ok(code_of_wait(&folder));
            }
        }
    }
}

/// Begins to sync the folder, or goes on with it, however long the service cannot be reached. `None` where only a
/// preview was wanted.
async fn begin_patiently(
    options: &Options,
    report: &Report,
    client: &Client,
    folders: &Folders,
    path: &Path,
) -> Result<Option<WatchId>, ExitError> {
    let began = Instant::now();
    let mut wait = FIRST_WAIT;
    loop {
        let error = match begin(options, report, client, folders, path).await {
            Ok(begun) => return Ok(begun),
            Err(error) => error,
        };
        let has_given_up = options.once && began.elapsed() >= Duration::from_secs(options.give_up_after);
        match &error.waiting {
            Some(Waiting::KeyRefused) if options.once => return Err(error),
            Some(cause) if !has_given_up => report.waiting(cause),
            _ => return Err(error),
        }
        sleep(wait).await;
        wait = (wait * 2).min(LAST_WAIT_BETWEEN);
    }
}

async fn begin(
    options: &Options,
    report: &Report,
    client: &Client,
    folders: &Folders,
    path: &Path,
) -> Result<Option<WatchId>, ExitError> {
    let choices = Choices { mode: options.mode(), deletions: options.deletions(), ignore: options.read_ignore()? };
    if let Some(known) = folders.list().into_iter().find(|folder| folder.path == path) {
        drive::check_same(client, options, &known).await?;
        if known.choices != choices {
            folders.change(known.id, choices).await?;
        }
        if known.state == State::Paused {
            folders.resume(known.id).await?;
        }
        return Ok(Some(known.id));
    }
    let drive = drive::find_target(client, &options.drive, !options.dry_run).await?;
    let draft = Draft { path: path.to_owned(), drive, choices };
    if options.dry_run || !options.no_preview {
        report.preview(&folders.preview(&draft).await?);
    }
    if options.dry_run {
        return Ok(None);
    }
    Ok(Some(folders.add(&draft).await?))
}

fn find(folders: &Folders, id: WatchId) -> Result<Folder, ExitError> {
    folders.list().into_iter().find(|folder| folder.id == id).ok_or_else(|| Error::UnknownFolder(id).into())
}

/// Whether the run is over, and with which code. Questions that the command line has allowed beforehand are consented
/// to here.
async fn judge(options: &Options, folders: &Folders, folder: &Folder) -> Result<Option<Code>, ExitError> {
    Ok(match &folder.state {
        State::UpToDate if options.once => {
            // Notes about ignored items and about the folder's own trash are told, but are no differences.
            let is_difference = |note: &Note| !matches!(note.why, Why::TrashHere | Why::LeftOut);
            let few = folders.list_skipped(folder.id, 0, NOTES).await?;
            Some(if few.iter().any(is_difference) { Code::Differs } else { Code::Equal })
        }
        State::NeedsYou { need: Need::HeldElsewhere { holder } } => {
            return Err(Error::HeldElsewhere { holder: holder.clone() }.into());
        }
        State::NeedsYou {
            need:
                Need::ManyDeletionsHere { .. }
                | Need::ManyDeletionsThere { .. }
                | Need::FolderEmpty
                | Need::DriveFolderEmpty,
        } if options.yes => {
            folders.consent(folder.id).await?;
            None
        }
        State::NeedsYou { need: Need::DriveWentBack { .. } } if options.after_restore.is_some() => {
            match options.after_restore {
                Some(AfterRestore::Take) => folders.decline(folder.id).await?,
                _ => folders.consent(folder.id).await?,
            }
            None
        }
        State::NeedsYou { .. } if options.once => Some(Code::NeedsAPerson),
        State::Waiting { cause: Waiting::KeyRefused } if options.once => Some(Code::KeyRefused),
        // Everything else is done, and no wait will make the folder readable.
        State::Waiting { cause: Waiting::PartUnreadable { .. } } if options.once => Some(Code::Differs),
        _ => None,
    })
}

/// The exit code after a wait that did not end.
fn code_of_wait(folder: &Folder) -> Code {
    match &folder.state {
        State::Waiting { cause: Waiting::StorageFull | Waiting::DiskFull } => Code::NoRoom,
        State::Waiting { cause: Waiting::KeyRefused | Waiting::NotPermitted } => Code::KeyRefused,
        State::Waiting { cause: Waiting::JournalUnusable { .. } } => Code::JournalUnusable,
        State::Settling => Code::Differs,
        _ => Code::Unreachable,
    }
}

/// What was told so far.
struct Following {
    id: WatchId,
    /// The state, with how many files both sides have and how many differences there are.
    state: Option<(State, u64, u64)>,
    last_line: i64,
    told: HashSet<String>,
}

impl Following {
    /// Tells the changes since the last call.
    async fn tell_changes(&mut self, report: &Report, folders: &Folders) -> Result<(), ExitError> {
        let mut lines = Vec::new();
        loop {
            let some = folders.list_history(Some(self.id), "", lines.len() as u64, LINES).await?;
            let are_all_new = some.iter().all(|line| line.id > self.last_line);
            let is_last = (some.len() as u64) < LINES;
            lines.extend(some.into_iter().take_while(|line| line.id > self.last_line));
            if is_last || !are_all_new {
                break;
            }
        }
        lines.iter().rev().for_each(|line| report.change(line));
        self.last_line = lines.first().map_or(self.last_line, |newest| newest.id);
        Ok(())
    }

    /// Tells the folder's state, where it is news. It is news, too, when both sides are the same again with more or
    /// fewer files: the look in between may have been too short to be heard of.
    fn tell_state(&mut self, report: &Report, folder: &Folder) -> bool {
        let told = (folder.state.clone(), folder.files, folder.skipped_count);
        let is_news = self.state.as_ref() != Some(&told);
        if is_news {
            report.state(folder);
            self.state = Some(told);
        }
        is_news
    }

    /// Names the files that never stood still.
    fn tell_settling(&mut self, report: &Report, folder: &Folder) {
        let settling = folder.settling.iter().filter(|_| folder.state == State::Settling);
        for path in settling {
            report.note(&Note { path: path.clone(), why: Why::Settling });
        }
    }

    /// Tells each note once.
    async fn tell_skipped(&mut self, report: &Report, folders: &Folders) -> Result<(), ExitError> {
        let mut offset = 0;
        while offset < MOST_TOLD {
            let notes = folders.list_skipped(self.id, offset, NOTES).await?;
            if notes.is_empty() {
                break;
            }
            offset += notes.len() as u64;
            for note in notes {
                if self.told.insert(format!("{}\0{:?}", note.path, note.why)) {
                    report.note(&note);
                }
            }
        }
        Ok(())
    }
}

/// Waits until the system, or a person at the keyboard, asks the program to end.
fn until_asked_to_end() -> Result<impl Future<Output = ()>, ExitError> {
    let listen = |kind| signal(kind).map_err(|error| ExitError::new(Code::Usage, error.to_string()));
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
