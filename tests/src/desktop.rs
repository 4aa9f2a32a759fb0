//! A desktop that no person sees: a virtual display with a window manager, a session bus and a keychain of its own.
//!
//! Always true: nothing of the machine's own session is used, neither its bus nor its keychain nor a person's folders;
//! two desktops never share anything; all of it ends with its value. A program that is missing fails the test and is
//! named. Deliberately not here: the app and its driver (`window`), another program's drag (`drop_source`).

use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use tempfile::TempDir;

use crate::process::Program;

/// The size of the display: the app's window at 1440 × 900 and room beside it for a drag to come from.
pub const DISPLAY_SIZE: (u32, u32) = (1720, 980);

const PATIENCE: Duration = Duration::from_secs(30);

/// The keychain that programs on the desktop find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keychain {
    /// Running and open, as after signing in.
    Unlocked,
    /// Running and locked by a password; its prompt is on the screen and nobody answers.
    Locked,
    /// None is installed.
    Missing,
}

/// A running desktop.
pub struct Desktop {
    display: String,
    bus_address: String,
    home: TempDir,
    // In the order in which they end: the bus and its programs before the display.
    keychain: Vec<Program>,
    _bus: Program,
    _window_manager: Program,
    _display_server: Program,
}

impl Desktop {
    /// Starts a desktop.
    ///
    /// # Panics
    /// Where one of its programs is missing or does not start.
    #[must_use]
    pub fn start(keychain: Keychain) -> Self {
        let home = TempDir::with_prefix("easel-desktop-").expect("a home folder");
        for folder in ["run", "data", ".config", "cache", "Downloads"] {
            fs::create_dir(home.path().join(folder)).expect("a folder");
        }
        fs::write(home.path().join(".config/user-dirs.dirs"), "XDG_DOWNLOAD_DIR=\"$HOME/Downloads\"\n")
            .expect("a setting");
        fs::set_permissions(home.path().join("run"), fs::Permissions::from_mode(0o700)).expect("a private folder");
        let (display_server, display) = start_display(home.path());
        let mut window_manager = Program::start(
            base("openbox", home.path())
                .arg("--sm-disable")
                .env("DISPLAY", &display)
                .stderr(log_file(home.path(), "openbox")),
            "openbox",
        );
        let (bus, bus_address) = start_bus(home.path(), &display);
        let keychain = start_keychain(keychain, home.path(), &bus_address);
        window_manager.assert_running();
        Self {
            display,
            bus_address,
            home,
            keychain,
            _bus: bus,
            _window_manager: window_manager,
            _display_server: display_server,
        }
    }

    /// A program that will run on this desktop.
    #[must_use]
    pub fn command(&self, program: &str) -> Command {
        let mut command = base(program, self.home.path());
        command.env("DISPLAY", &self.display).env("DBUS_SESSION_BUS_ADDRESS", &self.bus_address);
        command
    }

    /// The home folder of this desktop's user.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Where downloads go.
    #[must_use]
    pub fn downloads(&self) -> PathBuf {
        self.home.path().join("Downloads")
    }

    /// A file below the home folder that takes a program's standard error.
    #[must_use]
    pub fn log_file(&self, name: &str) -> Stdio {
        log_file(self.home.path(), name)
    }

    /// A program's standard error.
    #[must_use]
    pub fn read_log(&self, name: &str) -> String {
        fs::read_to_string(self.home.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    /// Runs a program to its end and returns what it printed.
    ///
    /// # Panics
    /// Where it is missing or fails.
    pub fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let output = output.unwrap_or_else(|error| panic!("{program} could not be started: {error}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {} failed: {said}", arguments.join(" "));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The text on the clipboard, as another program gets it; nothing where there is none.
    ///
    /// # Panics
    /// Where the toolkit's Python is missing.
    #[must_use]
    pub fn read_clipboard(&self) -> String {
        let script = "import gi; gi.require_version('Gdk', '3.0'); gi.require_version('Gtk', '3.0'); \
                      from gi.repository import Gdk, Gtk; \
                      print(Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_text() or '', end='')";
        self.run("/usr/bin/python3", &["-c", script])
    }

    /// Starts the keychain of [`Keychain::Unlocked`] anew, locked or open.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn restart_keychain(&mut self, is_locked: bool) {
        self.keychain.clear();
        let password = (!is_locked).then_some("\n");
        self.keychain.push(start_secrets(self.home.path(), &self.bus_address, password));
    }

    /// Takes a picture of the whole display.
    ///
    /// # Panics
    /// Where it cannot be taken.
    pub fn take_picture(&self, path: &Path) {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("a folder for pictures");
        }
        self.run("import", &["-window", "root", &path.to_string_lossy()]);
    }
}

/// A command with the environment of this desktop's user, and of the test's own only the path.
fn base(program: &str, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    for name in ["PATH", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "EASEL_LOG", "RUST_BACKTRACE", "USER"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
        .current_dir(home)
        .env("HOME", home)
        .env("XDG_RUNTIME_DIR", home.join("run"))
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CONFIG_HOME", home.join(".config"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("LANG", "C.UTF-8")
        .env("GDK_BACKEND", "x11")
        .env("GTK_THEME", "Adwaita")
        .env("GSETTINGS_BACKEND", "memory")
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn log_file(home: &Path, name: &str) -> Stdio {
    let path = home.join(format!("{name}.log"));
    fs::OpenOptions::new().create(true).append(true).open(path).map_or_else(|_| Stdio::null(), Stdio::from)
}

fn start_display(home: &Path) -> (Program, String) {
    let (width, height) = DISPLAY_SIZE;
    let screen = format!("{width}x{height}x24");
    let mut command = base("Xvfb", home);
    // The server chooses a free number itself and says which.
    command.args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-noreset"]);
    let mut server = Program::start(command.stdout(Stdio::piped()).stderr(log_file(home, "xvfb")), "xvfb");
    let number = read_line(&mut server, "Xvfb");
    (server, format!(":{number}"))
}

fn start_bus(home: &Path, display: &str) -> (Program, String) {
    let services = home.join("services");
    fs::create_dir(&services).expect("a folder");
    // Of all services that the bus could start, only the accessibility service: a keychain is there when a test starts
    // one, and only then.
    let accessibility = Path::new("/usr/share/dbus-1/services/org.a11y.Bus.service");
    if accessibility.is_file() {
        fs::copy(accessibility, services.join("org.a11y.Bus.service")).expect("a copy");
    }
    let config = home.join("bus.conf");
    let text = format!(
        "<busconfig><type>session</type><listen>unix:path={0}/run/bus</listen><auth>EXTERNAL</auth>\
         <servicedir>{1}</servicedir><policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
         <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>",
        home.display(),
        services.display()
    );
    fs::write(&config, text).expect("the bus's settings");
    let mut command = base("dbus-daemon", home);
    command.arg("--config-file").arg(&config).args(["--nofork", "--print-address=1"]).env("DISPLAY", display);
    let mut bus = Program::start(command.stdout(Stdio::piped()).stderr(log_file(home, "bus")), "dbus");
    let address = read_line(&mut bus, "dbus-daemon");
    (bus, address)
}

fn start_keychain(keychain: Keychain, home: &Path, bus_address: &str) -> Vec<Program> {
    let start = |password| start_secrets(home, bus_address, password);
    match keychain {
        Keychain::Missing => Vec::new(),
        Keychain::Unlocked => vec![start(Some("\n"))],
        Keychain::Locked => {
            // The first start makes the keychain; the second one finds it and has no password.
            drop(start(Some("a password nobody types\n")));
            let keyrings = home.join("data/keyrings");
            assert!(keyrings.join("login.keyring").is_file(), "no keychain was made in {}", keyrings.display());
            let mut command = base("/usr/bin/python3", home);
            command.args(["-c", include_str!("prompter.py")]).env("DBUS_SESSION_BUS_ADDRESS", bus_address);
            let mut prompter =
                Program::start(command.stdout(Stdio::piped()).stderr(log_file(home, "prompter")), "python3-gi");
            assert_eq!(read_line(&mut prompter, "the keychain's question"), "ready");
            vec![start(None), prompter]
        }
    }
}

/// A keychain, opened where there is a password.
fn start_secrets(home: &Path, bus_address: &str, password: Option<&str>) -> Program {
    let mut command = base("gnome-keyring-daemon", home);
    command.args(["--foreground", "--components=secrets"]).env("DBUS_SESSION_BUS_ADDRESS", bus_address);
    if password.is_some() {
        command.arg("--unlock").stdin(Stdio::piped());
    }
    let mut daemon = Program::start(command.stderr(log_file(home, "keyring")), "gnome-keyring");
    if let (Some(password), Some(mut stdin)) = (password, daemon.child().stdin.take()) {
        stdin.write_all(password.as_bytes()).expect("the keychain takes a password");
    }
    wait_for_secrets(home, bus_address);
    daemon
}

/// Waits until the keychain answers on the bus.
fn wait_for_secrets(home: &Path, bus_address: &str) {
    let deadline = std::time::Instant::now() + PATIENCE;
    loop {
        let mut command = base("dbus-send", home);
        command.env("DBUS_SESSION_BUS_ADDRESS", bus_address).args([
            "--print-reply",
            "--dest=org.freedesktop.DBus",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus.NameHasOwner",
            "string:org.freedesktop.secrets",
        ]);
        let output = command.stdout(Stdio::piped()).output().expect("dbus-send, of the package dbus");
        if String::from_utf8_lossy(&output.stdout).contains("boolean true") {
            return;
        }
        assert!(std::time::Instant::now() < deadline, "the keychain is not on the bus after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The first line that a program prints; what it prints later is read and dropped.
fn read_line(program: &mut Program, name: &str) -> String {
    let stdout = program.child().stdout.take().expect("a pipe");
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        let mut line = String::new();
        let _ = stdout.read_line(&mut line);
        let _ = sender.send(line.trim().to_owned());
        let _ = stdout.read_to_end(&mut Vec::new());
    });
    match receiver.recv_timeout(PATIENCE) {
        Ok(line) if !line.is_empty() => line,
        _ => panic!("{name} did not start"),
    }
}
