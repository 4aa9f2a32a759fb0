//! A PostgreSQL server of the tests' own: from the system's packages, in a folder of its own, on a port of its own.
//!
//! `EASEL_TESTS_DATABASE` says which database a studio gets that is given none: `postgres` one of a server that the
//! test's process starts, the address of a server one of that server, as `with_postgres` gives it to a whole run; without
//! it a studio has its own, SQLite. Always true: each studio has a database of its own, made from a template with the
//! studio's schema, which is gone with the studio; nothing of the system's own service is touched. PostgreSQL refuses to
//! run as root: then it runs as the user `postgres`, whom the package made. What is written there is not brought to the
//! disk: the server lives no longer than its tests. Not here: what is wrong with a database.

use std::ffi::OsStr;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, User};
use tempfile::TempDir;
use uuid::Uuid;

use crate::port::HeldPort;
use crate::process::find_program;

/// Which database a studio gets that is given none.
pub const DATABASE: &str = "EASEL_TESTS_DATABASE";

/// The user of the server that every test is.
const USER: &str = "studio";

/// The database that the others are copies of.
const TEMPLATE: &str = "template_of_a_studio";

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, which ends with its value.
pub struct Server {
    /// `None` only within a restart.
    process: Option<Child>,
    /// Where it is: `postgres://studio@127.0.0.1:PORT`.
    pub url: String,
    port: HeldPort,
    folder: TempDir,
}

impl Server {
    /// Starts a server with nothing in it but the template.
    ///
    /// # Panics
    /// Where PostgreSQL is not installed, or does not start.
    #[must_use]
    pub fn start() -> Self {
        let folder = TempDir::with_prefix("easel-postgres-").expect("a folder");
        if let Some(owner) = owner() {
            chown(folder.path(), Some(owner.uid.as_raw()), Some(owner.gid.as_raw())).expect("a folder of the server's");
        }
        let mut made = program("initdb", folder.path());
        made.args(["--auth", "trust", "--username", USER, "--encoding", "UTF8", "--locale", "C", "--no-sync"]);
        let made = made.arg("--pgdata").arg(folder.path().join("data")).output().expect("initdb can be run");
        assert!(made.status.success(), "initdb failed: {}", String::from_utf8_lossy(&made.stderr));
        let port = HeldPort::any();
        let mut server = Self { process: None, url: format!("postgres://{USER}@{port}"), port, folder };
        server.run();
        make_template(&server.url);
        server
    }

    /// Ends it at once, as when its machine is lost, and starts it again on the same port.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn restart(&mut self) {
        self.end(Signal::SIGQUIT);
        self.run();
    }

    /// Ends it as an operator does, who waits for nobody's connection, and starts it again on the same port.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn restart_in_order(&mut self) {
        self.end(Signal::SIGINT);
        self.run();
    }

    /// A database of its own for one studio.
    ///
    /// # Panics
    /// Where it cannot be made.
    #[must_use]
    pub fn make_database(&self) -> Database {
        Database::on(&self.url)
    }

    /// A database with nothing in it, not even a schema.
    ///
    /// # Panics
    /// Where it cannot be made.
    #[must_use]
    pub fn make_empty_database(&self) -> Database {
        Database::copy_of("template0", &self.url)
    }

    fn run(&mut self) {
        let mut server = program("postgres", self.folder.path());
        server.arg("-D").arg(self.folder.path().join("data"));
        server.args(["-h", "127.0.0.1", "-p", &self.port.number().to_string(), "-k", ""]);
        for setting in ["fsync=off", "full_page_writes=off", "max_connections=600", "shared_buffers=64MB"] {
            server.args(["-c", setting]);
        }
        self.process = Some(server.stderr(Stdio::null()).spawn().expect("postgres can be run"));
        let deadline = Instant::now() + PATIENCE;
        while !ask(&self.url, "postgres", "SELECT 1") {
            assert!(Instant::now() < deadline, "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Whoever is connected: SIGQUIT at once, SIGINT in order.
    fn end(&mut self, signal: Signal) {
        let Some(mut process) = self.process.take() else { return };
        if let Ok(pid) = i32::try_from(process.id()) {
            let _ = kill(Pid::from_raw(pid), signal);
        }
        let _ = process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end(Signal::SIGQUIT);
    }
}

/// Who runs the server in place of root.
fn owner() -> Option<User> {
    Uid::effective().is_root().then(|| {
        let found = User::from_name("postgres").expect("the system's users");
        found.expect("the user postgres, whom the package postgresql makes: PostgreSQL does not run as root")
    })
}

/// A program of the server's, run in its folder.
fn program(name: &str, folder: &Path) -> Command {
    let mut program = Command::new(find(name));
    program.stdin(Stdio::null()).stdout(Stdio::null()).env_remove("PGDATA").current_dir(folder);
    if let Some(owner) = owner() {
        program.uid(owner.uid.as_raw()).gid(owner.gid.as_raw());
    }
    program
}

/// A database that only one studio uses, gone with its value.
pub struct Database {
    server: String,
    name: String,
}

impl Database {
    /// A database of the server that the environment names; `None` where it names none.
    ///
    /// # Panics
    /// Where there is no such server.
    #[must_use]
    pub fn of_the_environment() -> Option<Self> {
        /// The one of this process, which ends with it.
        static OWN: OnceLock<Server> = OnceLock::new();
        match std::env::var(DATABASE).ok()?.as_str() {
            "postgres" => Some(Self::on(&OWN.get_or_init(Server::start).url)),
            server => Some(Self::on(server)),
        }
    }

    fn on(server: &str) -> Self {
        Self::copy_of(TEMPLATE, server)
    }

    fn copy_of(template: &str, server: &str) -> Self {
        let name = format!("studio_{}", Uuid::now_v7().simple());
        let made = ask(server, "postgres", &format!("CREATE DATABASE {name} TEMPLATE {template}"));
        assert!(made, "no database can be made at {server}");
        Self { server: server.to_owned(), name }
    }

    /// What a studio is told.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/{}", self.server, self.name)
    }

    /// Runs a statement, or several.
    ///
    /// # Panics
    /// Where the server refuses it.
    pub fn execute(&self, sql: &str) {
        let _ = self.query(sql);
    }

    /// What `psql` prints for a query, a row a line with `|` between columns.
    ///
    /// # Panics
    /// Where the server refuses it.
    #[must_use]
    pub fn query(&self, sql: &str) -> String {
        let answer = psql(&self.server, &self.name, sql).output().expect("psql can be run");
        assert!(answer.status.success(), "{sql}: {}", String::from_utf8_lossy(&answer.stderr));
        String::from_utf8(answer.stdout).expect("text")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        ask(&self.server, "postgres", &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

/// Lets the studio bring its schema into the template, and leaves nobody in there.
fn make_template(server: &str) {
    assert!(ask(server, "postgres", &format!("CREATE DATABASE {TEMPLATE}")), "no template can be made");
    let folder = TempDir::new().expect("a folder");
    let url = format!("{server}/{TEMPLATE}");
    let mut studio = Command::new(find_program("easel-studio", "easel-studio"));
    studio.args(["users", "list", "--database", &url, "--data"]).arg(folder.path().join("data"));
    let made = studio.stdin(Stdio::null()).output().expect("easel-studio can be run");
    assert!(made.status.success(), "no schema: {}", String::from_utf8_lossy(&made.stderr));
    let emptied = ask(server, TEMPLATE, "TRUNCATE organizations, shared_settings CASCADE");
    assert!(emptied, "the template cannot be emptied");
}

/// Whether a statement is answered.
fn ask(server: &str, database: &str, sql: &str) -> bool {
    psql(server, database, sql)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn psql(server: &str, database: &str, sql: &str) -> Command {
    let mut psql = Command::new(find("psql"));
    psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql]).arg(format!("{server}/{database}"));
    psql.stdin(Stdio::null());
    psql
}

/// A program of PostgreSQL's: the newest one that is installed, which Debian keeps out of the path.
fn find(program: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().filter_map(Result::ok);
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort_by_key(|folder| {
        let version = folder.parent().and_then(Path::file_name).and_then(OsStr::to_str);
        std::cmp::Reverse(version.and_then(|version| version.parse::<u32>().ok()))
    });
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = folders.into_iter().chain(std::env::split_paths(&path)).map(|folder| folder.join(program));
    let mut found = found.filter(|program| program.is_file());
    found.next().unwrap_or_else(|| panic!("{program} is missing: install PostgreSQL 15 or newer (package postgresql)"))
}
