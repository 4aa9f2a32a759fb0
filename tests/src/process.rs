//! Programs that a test starts, and the system's figures about a process.
//!
//! Always true: a started program ends with the test, also if the test panics, is aborted or is killed. Each program
//! gets a process group of its own; a small watcher, which notices the test's end by its own standard input, ends the
//! groups that are left. Deliberately not here: the app (`window`), the studio (`studio`).

use std::fs;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// A program in a process group of its own, ended with everything it started when this value is dropped.
pub struct Program {
    name: String,
    child: Child,
}

impl Program {
    /// Starts a program.
    ///
    /// # Panics
    /// Where it cannot be started; the message names it and the package it comes from.
    #[must_use]
    pub fn start(command: &mut Command, package: &str) -> Self {
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.process_group(0).spawn().unwrap_or_else(|error| {
            panic!("{name} could not be started ({error}); it comes with the package {package}");
        });
        tell_watcher('+', child.id());
        Self { name, child }
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The process itself, for its standard streams.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Panics where the program has ended by itself.
    pub fn assert_running(&mut self) {
        if let Some(status) = self.child.try_wait().expect("the status of a child") {
            panic!("{} ended by itself ({status})", self.name);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = killpg(pid_of(self.child.id()), Signal::SIGKILL);
        let _ = self.child.wait();
        tell_watcher('-', self.child.id());
    }
}

/// Reads `+GROUP` when a group starts and `-GROUP` when it ended in order; ends the others when nobody writes any more.
const WATCHER: &str = r#"groups=" "
while read -r line; do
  group="${line#?}"
  case "$line" in
    +*) groups="$groups-$group " ;;
    -*) case "$groups" in *" -$group "*) groups="${groups%% -"$group" *} ${groups#* -"$group" }" ;; esac ;;
  esac
done
[ -z "${groups// /}" ] || kill -s KILL -- $groups"#;

/// Tells the watcher of a process group.
fn tell_watcher(sign: char, group: u32) {
    static INPUT: OnceLock<Mutex<ChildStdin>> = OnceLock::new();
    let mut input = INPUT.get_or_init(|| Mutex::new(start_watcher())).lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(input, "{sign}{group}");
}

#[expect(clippy::zombie_processes, reason = "it ends after this process, which therefore cannot wait for it")]
fn start_watcher() -> ChildStdin {
    let mut watcher = Command::new("bash")
        .args(["-c", WATCHER])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("a shell");
    watcher.stdin.take().expect("a pipe")
}

/// A program of this workspace, as it was built beside the test's own executable.
///
/// # Panics
/// Where it was not built; the message says how to. A test that builds would hide what it tested.
#[must_use]
pub fn find_program(name: &str, package: &str) -> PathBuf {
    let own = std::env::current_exe().expect("the test's own path");
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    // A test's executable is in `deps/`, and the programs are beside that folder; a program's own is among them.
    let found = own.ancestors().skip(1).take(2).map(|folder| folder.join(&file)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{file} is missing: run `cargo build --package {package} --bin {name}`"))
}

/// The direct children of a process, as the system lists them.
#[must_use]
pub fn list_children(parent: u32) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter(|&pid| read_parent(pid) == Some(parent))
        .collect()
}

fn read_parent(pid: u32) -> Option<u32> {
    read_status(pid, "PPid:")
}

/// The words a process was started with; empty for one that is gone or a zombie.
#[must_use]
pub fn read_arguments(pid: u32) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    bytes
        .split(|&byte| byte == 0)
        .filter(|word| !word.is_empty())
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect()
}

/// Whether a process is there and not just a zombie: until the last of its threads is gone, it may still hold files and
/// connections.
#[must_use]
pub fn is_running(pid: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    threads > 1 || read_status::<char>(pid, "State:").is_some_and(|state| state != 'Z')
}

/// The resident memory of a process now, in bytes.
///
/// # Panics
/// Where there is no such process.
#[must_use]
pub fn read_resident_bytes(pid: u32) -> u64 {
    read_status::<u64>(pid, "VmRSS:").unwrap_or_else(|| panic!("process {pid} has no memory")) * 1024
}

/// The most resident memory that a process had since [`forget_peak`], in bytes, as the system kept it.
///
/// # Panics
/// Where there is no such process.
#[must_use]
pub fn read_peak_bytes(pid: u32) -> u64 {
    read_status::<u64>(pid, "VmHWM:").unwrap_or_else(|| panic!("process {pid} has no memory")) * 1024
}

/// What a process has computed so far, on all processors together, to a hundredth of a second.
///
/// # Panics
/// Where there is no such process.
#[must_use]
pub fn read_computed(pid: u32) -> Duration {
    /// The unit of processor time, on every Linux.
    const TICKS_A_SECOND: u64 = 100;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_else(|_| panic!("no process {pid}"));
    // The program's name stands in parentheses and may contain anything.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(ticks * 1000 / TICKS_A_SECOND)
}

/// Has the system count the peak of a process's memory from now on.
///
/// # Panics
/// Where the system does not let it.
pub fn forget_peak(pid: u32) {
    fs::write(format!("/proc/{pid}/clear_refs"), "5").expect("the peak can be forgotten");
}

/// The ports on which a process listens, of IPv4.
#[must_use]
pub fn list_listening_ports(pid: u32) -> Vec<u16> {
    let sockets: Vec<String> = fs::read_dir(format!("/proc/{pid}/fd"))
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let target = fs::read_link(entry.ok()?.path()).ok()?;
            Some(target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())
        })
        .collect();
    let table = fs::read_to_string(format!("/proc/{pid}/net/tcp")).unwrap_or_default();
    table
        .lines()
        .filter_map(|line| {
            let fields = line.split_whitespace().collect::<Vec<_>>();
            let is_listening =
                fields.get(3) == Some(&"0A") && sockets.iter().any(|socket| fields.get(9) == Some(&socket.as_str()));
            let port = fields.get(1)?.rsplit(':').next()?;
            is_listening.then(|| u16::from_str_radix(port, 16).ok()).flatten()
        })
        .collect()
}

fn read_status<T: std::str::FromStr>(pid: u32, field: &str) -> Option<T> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Ends a process at once, as a crash would.
///
/// # Panics
/// Where there is no such process.
pub fn kill_at_once(pid: u32) {
    kill(pid_of(pid), Signal::SIGKILL).expect("the process is there");
}

/// Holds a process still, so that it neither reads nor writes, until it is ended or let go.
///
/// # Panics
/// Where there is no such process.
pub fn hold_still(pid: u32) {
    kill(pid_of(pid), Signal::SIGSTOP).expect("the process is there");
}

/// Lets go of a process that was held still.
///
/// # Panics
/// Where there is no such process.
pub fn let_go(pid: u32) {
    kill(pid_of(pid), Signal::SIGCONT).expect("the process is there");
}

/// Waits until a process is gone.
///
/// # Panics
/// Where it is still there after `limit`.
pub fn wait_for_end(pid: u32, limit: Duration) {
    let deadline = Instant::now() + limit;
    while is_running(pid) {
        assert!(Instant::now() < deadline, "process {pid} ({:?}) is still there", read_arguments(pid));
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn pid_of(pid: u32) -> Pid {
    Pid::from_raw(i32::try_from(pid).expect("a process id"))
}
