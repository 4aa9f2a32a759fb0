//! The real `easel-sync`, run as a process of its own on a real folder, and its output.
//!
//! Always true here: an engine has a state folder, a trash and a settings folder of its own, so that nothing of the
//! machine's user is touched and every replaced file can be found again; it is ended when its value is dropped.
//! Deliberately not here: building the binary, and any knowledge of its state folder's files.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::process::{self, Program};
use crate::trees::{Item, read_disk_below};

/// How long an end may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// The arguments of an engine.
#[derive(Debug, Clone)]
pub struct Setting {
    base_url: String,
    key: String,
    folder: PathBuf,
    drive: String,
    arguments: Vec<String>,
}

impl Setting {
    /// Keeps `folder` in step with the drive folder at the path `drive`, upward only.
    #[must_use]
    pub fn new(base_url: &str, key: &str, folder: &Path, drive: &str) -> Self {
        let (base_url, key, drive) = (base_url.to_owned(), key.to_owned(), drive.to_owned());
        Self { base_url, key, folder: folder.to_owned(), drive, arguments: Vec::new() }
    }

    /// One more option with its value.
    #[must_use]
    pub fn with(mut self, option: &str, value: &str) -> Self {
        self.arguments.extend([option.to_owned(), value.to_owned()]);
        self
    }

    /// One more option that takes no value.
    #[must_use]
    pub fn flag(mut self, option: &str) -> Self {
        self.arguments.push(option.to_owned());
        self
    }
}

/// Folders for an engine's files: its state, its trash, its settings. Outlives the engine's process.
#[derive(Debug)]
pub struct Home(TempDir);

impl Home {
    /// A fresh one.
    ///
    /// # Panics
    /// Where no folder can be made.
    #[must_use]
    pub fn new() -> Self {
        Self(TempDir::with_prefix("easel-home-").expect("a folder"))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The files in the trash, by content (SHA-256 in hex).
    #[must_use]
    pub fn read_trash(&self) -> BTreeSet<String> {
        let files = self.path().join("share/Trash/files");
        read_disk_below(&files).values().filter_map(Item::content).map(str::to_owned).collect()
    }
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

/// An engine at work.
pub struct Engine {
    program: Program,
    lines: Arc<Mutex<Vec<Value>>>,
    log: Arc<Mutex<String>>,
    readers: Vec<std::thread::JoinHandle<()>>,
}

impl Engine {
    /// Starts one, with `--json`.
    ///
    /// # Panics
    /// Where the binary was not built.
    #[must_use]
    pub fn start(home: &Home, setting: &Setting) -> Self {
        Self::start_by(Command::new(binary()), home, setting)
    }

    /// Starts one as the user nobody, for whom permissions hold. Takes root.
    #[must_use]
    pub fn start_as_nobody(home: &Home, setting: &Setting) -> Self {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--clear-groups"]).arg(binary());
        Self::start_by(command, home, setting)
    }

    /// Starts one in a user namespace of its own, whose limits are its own too: the system watches no more than
    /// `watches` folders for it.
    #[must_use]
    pub fn start_with_few_watches(home: &Home, setting: &Setting, watches: u32) -> Self {
        let mut command = Command::new("unshare");
        let limit = format!("echo {watches} > /proc/sys/user/max_inotify_watches && exec \"$@\"");
        command.args(["--user", "--map-root-user", "sh", "-c", &limit, "sh"]).arg(binary());
        Self::start_by(command, home, setting)
    }

    fn start_by(mut command: Command, home: &Home, setting: &Setting) -> Self {
        command
            .args(["--base-url", &setting.base_url])
            .arg("--folder")
            .arg(&setting.folder)
            .args(["--drive", &setting.drive])
            .arg("--state")
            .arg(home.path().join("state"))
            .arg("--json")
            .args(&setting.arguments)
            .env("EASEL_KEY", &setting.key)
            .env("HOME", home.path())
            .env("XDG_DATA_HOME", home.path().join("share"))
            .env("XDG_STATE_HOME", home.path().join("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut program = Program::start(&mut command, "easel-sync");
        let lines: Arc<Mutex<Vec<Value>>> = Arc::default();
        let log: Arc<Mutex<String>> = Arc::default();
        let output = program.child().stdout.take().expect("a pipe");
        let errors = program.child().stderr.take().expect("a pipe");
        let readers = vec![read_lines(output, &lines), read_log(errors, &log)];
        Self { program, lines, log, readers }
    }

    /// Runs one with `--once` until it ends by itself.
    ///
    /// # Panics
    /// Where it does not end.
    #[must_use]
    pub fn run_once(home: &Home, setting: &Setting) -> Finished {
        let engine = Self::start(home, &setting.clone().flag("--once"));
        engine.finish(PATIENCE)
    }

    /// Waits until it ends by itself.
    ///
    /// # Panics
    /// Where it does not within `limit`.
    #[must_use]
    pub fn finish(mut self, limit: Duration) -> Finished {
        let deadline = Instant::now() + limit;
        let status = loop {
            match self.program.child().try_wait().expect("the engine's status") {
                Some(status) => break status,
                None if Instant::now() > deadline => {
                    panic!("the engine did not end within {limit:?}; its last lines:\n{}", self.describe());
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        for reader in self.readers.drain(..) {
            reader.join().expect("the engine's output");
        }
        Finished { status, lines: self.lines(), log: self.log() }
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.program.pid()
    }

    /// Panics where it has ended, with its last output: whoever waits for it would wait in vain.
    pub fn assert_running(&self) {
        assert!(process::is_running(self.pid()), "the engine has ended:\n{}", self.describe());
    }

    /// Every line on standard output so far.
    #[must_use]
    pub fn lines(&self) -> Vec<Value> {
        self.lines_from(0)
    }

    /// The lines on standard output after the first `read` ones, for whoever reads often and much.
    #[must_use]
    pub fn lines_from(&self, read: usize) -> Vec<Value> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).get(read..).unwrap_or_default().to_vec()
    }

    /// Everything on standard error so far.
    #[must_use]
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its last output, for a test that fails.
    #[must_use]
    pub fn describe(&self) -> String {
        let lines = self.lines();
        let last: Vec<String> = lines[lines.len().saturating_sub(20)..].iter().map(Value::to_string).collect();
        format!("{}\n{}", last.join("\n"), self.log())
    }

    /// Ends it at once (SIGKILL).
    pub fn kill(self) {
        process::kill_at_once(self.pid());
        drop(self);
    }

    /// Asks it to end (SIGTERM), which takes two seconds at most.
    ///
    /// # Panics
    /// Where it takes longer.
    #[must_use]
    pub fn stop(self) -> Finished {
        kill(Pid::from_raw(i32::try_from(self.pid()).expect("a process id")), Signal::SIGTERM).expect("it is running");
        self.finish(Duration::from_secs(2))
    }
}

fn binary() -> PathBuf {
    process::find_program("easel-sync", "easel-sync")
}

/// How an engine ended.
#[derive(Debug)]
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// Its lines.
    pub lines: Vec<Value>,
    /// What it wrote on standard error.
    pub log: String,
}

impl Finished {
    /// Fails unless it ended with this code.
    ///
    /// # Panics
    /// Where it is another.
    #[track_caller]
    pub fn expect(&self, code: i32) -> &Self {
        assert_eq!(self.status.code(), Some(code), "{:#?}\n{}", self.lines, self.log);
        self
    }
}

fn read_lines(source: impl Read + Send + 'static, lines: &Arc<Mutex<Vec<Value>>>) -> std::thread::JoinHandle<()> {
    let lines = Arc::clone(lines);
    std::thread::spawn(move || {
        for line in BufReader::new(source).lines().map_while(Result::ok) {
            // A killed process may leave half a line.
            let Ok(value) = serde_json::from_str(&line) else { continue };
            lines.lock().unwrap_or_else(PoisonError::into_inner).push(value);
        }
    })
}

fn read_log(source: impl Read + Send + 'static, log: &Arc<Mutex<String>>) -> std::thread::JoinHandle<()> {
    let log = Arc::clone(log);
    std::thread::spawn(move || {
        for line in BufReader::new(source).lines().map_while(Result::ok) {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            log.push_str(&line);
            log.push('\n');
        }
    })
}
