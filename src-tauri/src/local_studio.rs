//! The built-in studio: this same executable as a supervised child process, `easel studio serve`.
//!
//! Always true: one child at a time; it is started again when it ends by itself, each time a little later; it ends when
//! its standard input closes, so that it never outlives Easel, however Easel ends; it listens on loopback only. The
//! writer, with its key, is told through that input alone (`writer`). API keys are made beside it, on its data, with
//! effect at once. Not here: which key Easel itself uses, and the words for people (easel-app).

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use easel_app::ports::{
    CommandEnded, Later, ListedKey, LocalKey, LocalService, LocalServiceError, LocalState, LocalWriter, StudioFault,
};
use easel_studio::keys;
use secrecy::SecretString;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

mod command;
mod writer;

/// How long a start may take until the ready line.
const START_LIMIT: Duration = Duration::from_secs(30);
/// How long it may take to stop before it is killed.
const STOP_LIMIT: Duration = Duration::from_millis(1_500);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A studio that ran so long was well: the next start comes at once again.
const RAN_WELL: Duration = Duration::from_secs(60);
/// The studio's exit code where another process serves its data (easel-studio, `cli`).
const DATA_IN_USE: i32 = 3;

/// The line that a studio prints when it is ready.
#[derive(Deserialize)]
struct Ready {
    base_url: String,
}

/// The built-in studio.
pub(crate) struct LocalStudio {
    shared: Arc<Shared>,
}

struct Shared {
    data_dir: PathBuf,
    state: watch::Sender<LocalState>,
    /// The writer of its designs' words.
    writer: watch::Sender<Option<LocalWriter>>,
    /// Fires when someone wants the studio now instead of after the pause.
    wanted: Notify,
    /// The supervised child, once the studio was asked for.
    running: Mutex<Option<Supervision>>,
}

struct Supervision {
    stop: CancellationToken,
    stopped: CancellationToken,
}

impl LocalStudio {
    /// The studio on `data_dir`; nothing is started yet.
    pub(crate) fn new(data_dir: PathBuf) -> Self {
        let shared = Shared {
            data_dir,
            state: watch::Sender::new(LocalState::Stopped),
            writer: watch::Sender::new(None),
            wanted: Notify::new(),
            running: Mutex::new(None),
        };
        Self { shared: Arc::new(shared) }
    }

    async fn start_and_wait(&self) -> Result<String, LocalServiceError> {
        let mut state = self.shared.state.subscribe();
        self.supervise();
        if matches!(*state.borrow(), LocalState::Failing(_)) {
            self.shared.wanted.notify_one();
            // Without a supervisor the state never changes; then the time limit below ends the wait.
            let left = state.wait_for(|state| !matches!(state, LocalState::Failing(_)));
            let _ = timeout(START_LIMIT, left).await;
        }
        let settled = state.wait_for(|state| matches!(state, LocalState::Running { .. } | LocalState::Failing(_)));
        let state = match timeout(START_LIMIT, settled).await {
            Ok(Ok(state)) => state.clone(),
            _ => return Err(LocalServiceError::NotStarted(StudioFault::TooSlow)),
        };
        match state {
            LocalState::Running { base_url } => Ok(base_url),
            LocalState::Failing(fault) => Err(LocalServiceError::NotStarted(fault)),
            LocalState::Stopped | LocalState::Starting => Err(LocalServiceError::NotStarted(StudioFault::TooSlow)),
        }
    }

    /// Keeps the studio running from now on, unless it is supervised already.
    fn supervise(&self) {
        let mut running = self.shared.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_some() {
            return;
        }
        let supervision = Supervision { stop: CancellationToken::new(), stopped: CancellationToken::new() };
        let (stop, stopped) = (supervision.stop.clone(), supervision.stopped.clone());
        *running = Some(supervision);
        self.shared.state.send_replace(LocalState::Starting);
        let shared = Arc::clone(&self.shared);
        tauri::async_runtime::spawn(async move {
            shared.keep_running(&stop).await;
            shared.state.send_replace(LocalState::Stopped);
            stopped.cancel();
        });
    }

    async fn stop_and_wait(&self) {
        let supervision = self.shared.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(supervision) = supervision {
            supervision.stop.cancel();
            supervision.stopped.cancelled().await;
        }
    }
}

impl Shared {
    async fn keep_running(&self, stop: &CancellationToken) {
        let mut pause = FIRST_PAUSE;
        loop {
            self.state.send_replace(LocalState::Starting);
            let begun = Instant::now();
            let fault = match self.run_once(stop).await {
                Ok(None) => return,
                Ok(Some(fault)) => fault,
                Err(error) => StudioFault::System { said: error.to_string() },
            };
            tracing::warn!(%fault, "the built-in studio ended");
            if begun.elapsed() >= RAN_WELL {
                pause = FIRST_PAUSE;
            }
            self.state.send_replace(LocalState::Failing(fault));
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.wanted.notified() => {}
                () = sleep(pause) => {}
            }
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    /// Runs the studio until it ends or is stopped. Returns why it ended; `None` if it was stopped.
    async fn run_once(&self, stop: &CancellationToken) -> io::Result<Option<StudioFault>> {
        let mut child = self.spawn()?;
        // Held open for as long as the child has to run.
        let mut stdin = child.stdin.take();
        let mut writer = self.writer.subscribe();
        writer::tell(&mut stdin, &mut writer).await;
        let last_words = listen(&mut child);
        let Some(stdout) = child.stdout.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let mut lines = BufReader::new(stdout).lines();
        let ready = tokio::select! {
            () = stop.cancelled() => {
                end(child, stdin).await;
                return Ok(None);
            }
            ready = timeout(START_LIMIT, lines.next_line()) => ready,
        };
        let ready = match ready {
            Ok(line) => line?.and_then(|line| serde_json::from_str::<Ready>(&line).ok()),
            Err(_) => {
                end(child, stdin).await;
                return Ok(Some(StudioFault::TooSlow));
            }
        };
        if let Some(ready) = ready {
            tracing::info!(base_url = ready.base_url, "the built-in studio is ready");
            self.state.send_replace(LocalState::Running { base_url: ready.base_url });
        }
        loop {
            tokio::select! {
                () = stop.cancelled() => {
                    end(child, stdin).await;
                    return Ok(None);
                }
                status = child.wait() => return Ok(Some(why_it_ended(status?, &last_words))),
                Ok(()) = writer.changed() => writer::tell(&mut stdin, &mut writer).await,
            }
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        let mut command = this_executable()?;
        command
            .arg("studio")
            .arg("serve")
            .arg("--data")
            .arg(&self.data_dir)
            .args(["--listen", "127.0.0.1:0", "--upload-listen", "127.0.0.1:0"])
            .args(["--allow-local-callbacks", "--exit-on-stdin-close", "--writer-by-stdin"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
    }
}

/// This executable, even if an update has put another one in its place meanwhile.
#[cfg(target_os = "linux")]
pub(crate) fn this_executable() -> io::Result<Command> {
    let mut command = Command::new("/proc/self/exe");
    command.arg0("easel");
    Ok(command)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn this_executable() -> io::Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}

/// Lets the child end by itself; after a time limit, kills it.
async fn end(mut child: Child, stdin: Option<ChildStdin>) {
    drop(stdin);
    if timeout(STOP_LIMIT, child.wait()).await.is_err() {
        tracing::warn!("the built-in studio did not end by itself");
        if let Err(error) = child.kill().await {
            tracing::warn!(%error, "the built-in studio could not be ended");
        }
    }
}

/// The beginning of the line in which the studio's command line says why it gave up.
const LAST_WORDS: &str = "easel-studio: ";

/// Passes the child's log on to Easel's own, and remembers its last words, if there are any.
fn listen(child: &mut Child) -> Arc<Mutex<String>> {
    let last = Arc::new(Mutex::new(String::new()));
    if let Some(stderr) = child.stderr.take() {
        let last = Arc::clone(&last);
        tauri::async_runtime::spawn(async move {
            let mut lines = BufReader::new(stderr).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                tracing::debug!(target: "easel_studio", "{line}");
                if let Some(words) = line.strip_prefix(LAST_WORDS) {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = words.to_owned();
                }
            }
        });
    }
    last
}

fn why_it_ended(status: ExitStatus, last_words: &Mutex<String>) -> StudioFault {
    if status.code() == Some(DATA_IN_USE) {
        return StudioFault::InUse;
    }
    let words = last_words.lock().unwrap_or_else(PoisonError::into_inner).trim().to_owned();
    if words.is_empty() { StudioFault::Ended } else { StudioFault::GaveUp { words } }
}

impl LocalService for LocalStudio {
    fn start(&self) -> Later<'_, Result<String, LocalServiceError>> {
        Box::pin(self.start_and_wait())
    }

    fn watch_state(&self) -> watch::Receiver<LocalState> {
        self.shared.state.subscribe()
    }

    fn create_key(&self, name: &str) -> Later<'_, Result<LocalKey, LocalServiceError>> {
        let (data_dir, name) = (self.shared.data_dir.clone(), name.to_owned());
        Box::pin(async move {
            let made = ask_database(async move || keys::create(&data_dir, &name, None).await).await;
            let made = made.map_err(|error| cause(&error))?;
            Ok(LocalKey {
                id: made.id.to_string(),
                key: SecretString::from(made.key),
                signing_secret: SecretString::from(made.signing_secret),
            })
        })
    }

    fn list_keys(&self) -> Later<'_, Result<Vec<ListedKey>, LocalServiceError>> {
        let data_dir = self.shared.data_dir.clone();
        Box::pin(async move {
            let listed = ask_database(async move || keys::list(&data_dir).await).await;
            let listed = listed.map_err(|error| cause(&error))?;
            let view = |key: keys::ListedKey| ListedKey {
                id: key.id.to_string(),
                name: key.name,
                created_at: Some(key.created_at.to_string()),
                last_used_at: key.last_used_at.map(|at| at.to_string()),
            };
            Ok(listed.into_iter().map(view).collect())
        })
    }

    fn delete_key(&self, id: &str) -> Later<'_, Result<(), LocalServiceError>> {
        let (data_dir, id) = (self.shared.data_dir.clone(), id.to_owned());
        Box::pin(async move {
            let id = id.parse().map_err(|_| LocalServiceError::UnknownKey)?;
            ask_database(async move || keys::delete(&data_dir, id).await).await.map_err(|error| match error {
                easel_studio::Error::Usage(_) => LocalServiceError::UnknownKey,
                error => cause(&error),
            })
        })
    }

    fn set_writer(&self, writer: Option<LocalWriter>) {
        self.shared.writer.send_replace(writer);
    }

    fn list_models(&self, writer: &LocalWriter) -> Later<'_, Result<Vec<String>, LocalServiceError>> {
        let settings = writer::settings(writer);
        Box::pin(async move { writer::list_models(settings?).await })
    }

    fn run_command<'a>(
        &'a self,
        data: &'a Path,
        arguments: Vec<OsString>,
        told: &'a mut (dyn FnMut(&str) + Send),
    ) -> Later<'a, Result<CommandEnded, LocalServiceError>> {
        Box::pin(async move {
            let ran = command::run(this_executable(), data, arguments, told).await;
            ran.map_err(|error| LocalServiceError::NotStarted(StudioFault::System { said: error.to_string() }))
        })
    }

    fn stop(&self) -> Later<'_, ()> {
        Box::pin(self.stop_and_wait())
    }
}

fn cause(error: &easel_studio::Error) -> LocalServiceError {
    match error {
        easel_studio::Error::Usage(_) => LocalServiceError::InvalidName,
        error => LocalServiceError::Data { reason: error.to_string() },
    }
}

/// Asks the studio's database on a thread of its own: the compiler cannot tell that a future which borrows one of two
/// kinds of connections may go from thread to thread.
async fn ask_database<T: Send + 'static>(ask: impl AsyncFnOnce() -> T + Send + 'static) -> T {
    let runtime = tokio::runtime::Handle::current();
    match tokio::task::spawn_blocking(move || runtime.block_on(ask())).await {
        Ok(answer) => answer,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The program ends, and nobody waits for the answer.
            Err(_) => std::future::pending().await,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn an_end_is_told_by_its_exit_code_and_by_its_last_words() {
        use std::os::unix::process::ExitStatusExt;
        let check = |code: i32, last: &str, expected: StudioFault| {
            let told = why_it_ended(ExitStatus::from_raw(code << 8), &Mutex::new(last.to_owned()));
            assert_eq!(told, expected);
        };
        check(DATA_IN_USE, "", StudioFault::InUse);
        check(1, " the disk is full ", StudioFault::GaveUp { words: "the disk is full".to_owned() });
        check(1, "", StudioFault::Ended);
    }
}
