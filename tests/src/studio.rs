//! The real `easel-studio`, run as a process of its own.
//!
//! Always true here: a studio gets a data folder that nobody else uses and ports that it has for itself, also while it
//! does not run; it is ended when its value is dropped; a studio that panicked fails the test that ran it. Keys are
//! made by the real command line. Deliberately not here: building the binary (a test that builds hides what it tested),
//! and any knowledge of what is inside the data folder.

mod options;

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::bucket::Bucket;
use crate::port::HeldPort;
use crate::postgres::Database;
use crate::process;
use crate::several::{self, Front};

pub use options::Options;

/// How long a start or a stop may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// The message of a test that needs more of a service elsewhere than its address and a key.
pub const ONLY_THE_OPERATOR: &str = "only who operates the service can set this up";

/// Where this says `bucket`, a studio that is given no place for its contents has a bucket of its own.
const BLOBS: &str = "EASEL_TESTS_BLOBS";

/// So many processes serve a studio that is given neither database nor bucket nor data folder and says nothing of where clients reach it:
/// then it has both of its own.
const PROCESSES: &str = "EASEL_TESTS_PROCESSES";

/// An API key as the command line printed it.
#[derive(Clone)]
pub struct Key {
    /// `ak_…`
    pub id: String,
    /// `svc_live_…`
    pub key: String,
    /// `whsec_…`
    pub signing_secret: String,
}

impl fmt::Debug for Key {
    /// Leaves the key and its secret out: a failing test prints what it compares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A running (or killed, and to be restarted) studio.
pub struct Studio {
    /// Where the API is, without a slash at the end.
    pub base_url: String,
    /// Where storage is, without a slash at the end.
    pub upload_url: String,
    /// Where counters are read without a key, without a slash at the end.
    pub operator_url: String,
    /// The data folder.
    pub data_dir: PathBuf,
    options: Options,
    process: Option<Process>,
    log: Transcript,
    output: Transcript,
    ports: Option<[HeldPort; 2]>,
    /// Further processes of the same studio, and what is in front of them all.
    followers: Vec<Self>,
    front: Option<Front>,
    _fresh_dir: Option<TempDir>,
    _own_bucket: Option<Bucket>,
    _own_database: Option<Database>,
}

type Transcript = Arc<Mutex<String>>;

struct Process {
    child: Child,
    readers: Vec<std::thread::JoinHandle<()>>,
}

impl Studio {
    /// Starts a studio and waits for its ready line.
    ///
    /// # Panics
    /// Where the binary was not built, or does not get ready.
    #[must_use]
    pub fn start(options: Options) -> Self {
        let processes = std::env::var(PROCESSES).ok().and_then(|count| count.parse::<usize>().ok());
        match processes.filter(|_| options.leaves_open_where_it_is()) {
            Some(count) if count > 1 => Self::start_several(options, count),
            _ => Self::start_one(options),
        }
    }

    /// Starts several processes, and what takes turns in front of them.
    fn start_several(options: Options, count: usize) -> Self {
        let (front, bucket) = (Front::start(), Bucket::start());
        let database = Database::of_the_environment().expect("EASEL_TESTS_DATABASE names a server too");
        let options = options.bucket(&bucket).database(&database);
        let mut studios = several::start(&front, &options, count);
        let mut first = studios.remove(0);
        (first.followers, first.front) = (studios, Some(front));
        (first._own_bucket, first._own_database) = (Some(bucket), Some(database));
        first
    }

    fn start_one(mut options: Options) -> Self {
        let wants_bucket = std::env::var(BLOBS).is_ok_and(|blobs| blobs == "bucket");
        let own_bucket = (wants_bucket && options.blobs.is_none() && options.data_dir.is_none()).then(Bucket::start);
        if let Some(bucket) = &own_bucket {
            options = options.bucket(bucket);
        }
        let wants_database = options.database.is_none() && options.data_dir.is_none();
        let own_database = wants_database.then(Database::of_the_environment).flatten();
        if let Some(database) = &own_database {
            options = options.database(database);
        }
        let fresh = options.data_dir.is_none().then(|| TempDir::with_prefix("easel-studio-").expect("a data folder"));
        let data_dir = match (&options.data_dir, &fresh) {
            (Some(folder), _) => folder.clone(),
            (None, Some(fresh)) => fresh.path().join("data"),
            (None, None) => unreachable!("a fresh folder is made where none is named"),
        };
        let ports = [HeldPort::any(), HeldPort::any()];
        let mut studio = Self {
            base_url: format!("http://{}", ports[0]),
            upload_url: format!("http://{}", ports[1]),
            operator_url: String::new(),
            data_dir,
            options,
            process: None,
            log: Transcript::default(),
            output: Transcript::default(),
            ports: Some(ports),
            followers: Vec::new(),
            front: None,
            _fresh_dir: fresh,
            _own_bucket: own_bucket,
            _own_database: own_database,
        };
        studio.run();
        studio
    }

    /// A service elsewhere, of which only the address is known: it is neither started nor stopped here, and nobody here
    /// operates it.
    #[must_use]
    pub fn elsewhere(base_url: &str) -> Self {
        Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            upload_url: String::new(),
            operator_url: String::new(),
            data_dir: PathBuf::new(),
            options: Options::new(),
            process: None,
            log: Transcript::default(),
            output: Transcript::default(),
            ports: None,
            followers: Vec::new(),
            front: None,
            _fresh_dir: None,
            _own_bucket: None,
            _own_database: None,
        }
    }

    /// Where the API of this process listens, whoever stands before it: `127.0.0.1:port`.
    ///
    /// # Panics
    /// Where it was not started here.
    #[must_use]
    pub fn api_authority(&self) -> String {
        let own = || self.ports.as_ref().map(|ports| ports[0].to_string());
        self.options.listen.clone().or_else(own).expect(ONLY_THE_OPERATOR)
    }

    /// Where storage of this process listens.
    ///
    /// # Panics
    /// Where it was not started here.
    #[must_use]
    pub fn storage_authority(&self) -> String {
        let own = || self.ports.as_ref().map(|ports| ports[1].to_string());
        self.options.upload_listen.clone().or_else(own).expect(ONLY_THE_OPERATOR)
    }

    /// Starts again after [`Self::stop`] or [`Self::kill`]: the same data, the same ports, all of its processes.
    pub fn restart(&mut self) {
        assert!(self.process.is_none(), "the studio is still running");
        self.run();
        self.followers.iter_mut().for_each(Self::restart);
    }

    /// Asks all of its processes to end (SIGTERM) and waits until they did; the first's end.
    pub fn stop(&mut self) -> ExitStatus {
        for process in self.followers.iter().chain([&*self]) {
            process.signal(Signal::SIGTERM);
        }
        self.followers.iter_mut().for_each(|process| assert!(process.wait().success()));
        self.wait()
    }

    /// Ends all of its processes at once (SIGKILL).
    pub fn kill(&mut self) {
        self.followers.iter_mut().for_each(Self::kill);
        self.signal(Signal::SIGKILL);
        self.wait();
    }

    /// Sends a signal and does not wait.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.pid()).expect("a process id");
        kill(Pid::from_raw(pid), signal).expect("the studio is running");
    }

    /// Waits until the process ended by itself or by a signal sent before.
    pub fn wait(&mut self) -> ExitStatus {
        let mut process = self.process.take().expect("the studio is running");
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            match process.child.try_wait().expect("the studio's status") {
                Some(status) => break status,
                None if Instant::now() > deadline => {
                    process.child.kill().expect("the studio's end");
                    panic!("the studio did not end within {PATIENCE:?}; its log:\n{}", self.log());
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        for reader in process.readers {
            reader.join().expect("the studio's output");
        }
        status
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        assert!(!self.data_dir.as_os_str().is_empty(), "{ONLY_THE_OPERATOR}");
        self.process.as_ref().expect("the studio is running").child.id()
    }

    /// Everything on standard error so far, over all starts, of all of its processes.
    #[must_use]
    pub fn log(&self) -> String {
        let own = self.log.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.followers.iter().map(Self::log).fold(own, |all, one| all + &one)
    }

    /// Everything on standard output so far, over all starts.
    #[must_use]
    pub fn output(&self) -> String {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A new key of the first user, the owner.
    #[must_use]
    pub fn create_key(&self, name: &str) -> Key {
        read_key(&self.command_ok(&["keys", "create", name]))
    }

    /// A new key of the user with this address.
    #[must_use]
    pub fn create_key_for(&self, name: &str, email: &str) -> Key {
        read_key(&self.command_ok(&["keys", "create", name, "--user", email]))
    }

    /// Deletes a key.
    pub fn delete_key(&self, id: &str) {
        self.command_ok(&["keys", "delete", id]);
    }

    /// A new user of the team; `role` is `owner`, `admin` or `member`.
    pub fn add_user(&self, email: &str, role: &str) {
        self.command_ok(&["users", "add", email, "--role", role]);
    }

    /// A new organization with its team and its owner.
    pub fn add_organization(&self, name: &str, owner: &str) {
        self.command_ok(&["organizations", "create", name, "--owner", owner]);
    }

    /// Runs a subcommand on the studio's data, which works beside a running `serve`.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Output {
        assert!(!self.data_dir.as_os_str().is_empty(), "{ONLY_THE_OPERATOR}");
        self.options.command(&self.data_dir, arguments)
    }

    fn command_ok(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        assert!(
            output.status.success(),
            "easel-studio {} {} failed: {}",
            arguments[0],
            arguments[1],
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text on standard output")
    }

    fn run(&mut self) {
        let mut command = match self.options.descriptors {
            None => Command::new(binary()),
            Some(most) => {
                // The shell sets its own limit and becomes the studio.
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("ulimit -n {most} && exec \"$0\" \"$@\"")]).arg(binary());
                shell
            }
        };
        command.arg("serve").arg("--data").arg(&self.data_dir);
        if !self.options.is_worker {
            command.args(["--listen", &self.api_authority()]);
        }
        if !self.options.without_upload_listener && !self.options.is_worker {
            command.args(["--upload-listen", &self.storage_authority()]);
        }
        if !self.options.own_rate {
            let requests = self.options.requests_per_minute.unwrap_or(0).to_string();
            command.args(["--requests-per-minute", &requests]);
        }
        if let Some(database) = &self.options.database {
            command.args(["--database", database]);
        }
        if let Some(blobs) = &self.options.blobs {
            command.args(["--blobs", blobs]);
        }
        command.envs(self.options.environment.clone()).args(&self.options.arguments);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("easel-studio can be run");

        let (first_line, ready) = mpsc::channel();
        let stdout = child.stdout.take().expect("a pipe");
        let stderr = child.stderr.take().expect("a pipe");
        let readers = vec![record(stdout, &self.output, Some(first_line)), record(stderr, &self.log, None)];
        self.process = Some(Process { child, readers });

        let line = ready.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            panic!("easel-studio printed no ready line; its log:\n{}", self.log());
        });
        let addresses: Value = serde_json::from_str(&line).unwrap_or_else(|error| {
            panic!("the ready line is no JSON ({error}): {line}");
        });
        let address = |name: &str| addresses[name].as_str().expect(name).trim_end_matches('/').to_owned();
        self.base_url = address("base_url");
        self.upload_url = address("upload_url");
        self.operator_url = address("operator_url");
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // Nobody is sent any more to those that end.
        drop(self.front.take());
        self.followers.clear();
        if let Some(mut process) = self.process.take() {
            let _ = process.child.kill();
            let _ = process.child.wait();
            for reader in process.readers.drain(..) {
                let _ = reader.join();
            }
        }
        let log = self.log();
        if std::thread::panicking() {
            let lines: Vec<&str> = log.lines().collect();
            eprintln!("the studio's last words:\n{}", lines[lines.len().saturating_sub(30)..].join("\n"));
        } else {
            assert!(!log.contains("panicked at"), "the studio panicked:\n{log}");
        }
    }
}

/// Runs a subcommand on any data folder.
#[must_use]
pub fn command(data_dir: &Path, arguments: &[&str]) -> Output {
    Options::new().command(data_dir, arguments)
}

/// The binary beside the test's own executable.
///
/// # Panics
/// Where it was not built; the message says how to.
#[must_use]
pub fn binary() -> PathBuf {
    process::find_program("easel-studio", "easel-studio")
}

/// `127.0.0.1:80` of `http://127.0.0.1:80`.
#[must_use]
pub fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

fn read_key(line: &str) -> Key {
    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("keys create: no JSON ({error})"));
    let field = |name: &str| value[name].as_str().unwrap_or_else(|| panic!("keys create: no {name}")).to_owned();
    Key { id: field("id"), key: field("key"), signing_secret: field("signing_secret") }
}

fn record(
    source: impl Read + Send + 'static,
    transcript: &Transcript,
    first_line: Option<mpsc::Sender<String>>,
) -> std::thread::JoinHandle<()> {
    let transcript = Arc::clone(transcript);
    std::thread::spawn(move || {
        let mut source = BufReader::new(source);
        let mut line = Vec::new();
        let mut first_line = first_line;
        loop {
            line.clear();
            match source.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let text = String::from_utf8_lossy(&line);
            transcript.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
            if let Some(first_line) = first_line.take() {
                let _ = first_line.send(text.trim_end().to_owned());
            }
        }
    })
}
