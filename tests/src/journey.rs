//! The steps that journeys in the real window share, from a first start to files in the drive.
//!
//! Always true: a journey has a desktop, a data folder and a studio that no other journey sees; the drive's content is
//! asked of the service itself, with a key of its own and a plain client, and compared with the bytes on disk. When a
//! journey fails, a picture of the page is left in `target/desktop/`. Deliberately not here: what a journey expects.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::desktop::{Desktop, Keychain};
use crate::drop_source::DropSource;
use crate::http::{CANONICAL, Http};
use crate::patience::wait_for;
use crate::window::{Row, Window};
use crate::{process, samples, studio};

/// How long files may be on their way.
pub const SENDING: Duration = Duration::from_secs(120);

/// How the app's log begins a fault of the page's own code.
const PAGE_FAULT: &str = "the page is at fault";

/// One journey.
pub struct Journey {
    /// Easel's window, as it is now.
    pub window: Window,
    /// The desktop it is on.
    pub desktop: Desktop,
    data: TempDir,
    variables: Vec<(String, String)>,
}

/// A file as the service has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// `file_…`
    pub id: String,
    /// The folder it is in; nothing at the top.
    pub folder_id: Option<String>,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the bytes that were downloaded, in lower-case hex.
    pub sha256: String,
}

impl Journey {
    /// Starts Easel for the first time.
    pub async fn begin(keychain: Keychain) -> Self {
        let data = TempDir::with_prefix("easel-data-").expect("a data folder");
        Self::begin_in(Desktop::start(keychain), data, Vec::new()).await
    }

    /// Starts Easel for the first time, with its data in this folder and more in its environment.
    pub async fn begin_in(desktop: Desktop, data: TempDir, variables: Vec<(String, String)>) -> Self {
        let window = Window::open_with(&desktop, data.path(), &variables).await;
        Self { window, desktop, data, variables }
    }

    /// Easel's data folder.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        self.data.path()
    }

    /// A folder of this journey's own for files to drop.
    ///
    /// # Panics
    /// Where it cannot be made.
    #[must_use]
    pub fn files(&self) -> PathBuf {
        let folder = self.desktop.home().join("Files");
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// Starts Easel again after it ended.
    pub async fn start_again(&mut self) {
        self.window = Window::open_with(&self.desktop, self.data.path(), &self.variables).await;
    }

    /// On the welcome page: starts on this computer and waits for Home.
    pub async fn start_on_this_computer(&self) {
        self.window.click("welcome-start").await;
        self.window.find("home-dropzone").await;
    }

    /// Has the rail lead to the tools of a developer, which it does not at first.
    ///
    /// # Panics
    /// Where it leads there already.
    pub async fn show_developer(&self) {
        assert!(!self.window.has("rail-developer").await, "the rail leads to Developer already");
        self.window.click("rail-settings").await;
        self.window.click("settings-developer").await;
        self.window.click("developer-shown").await;
        self.window.find("rail-developer").await;
    }

    /// On the welcome page: enters an address and a key, and submits them.
    pub async fn submit_connection(&self, address: &str, key: &str) {
        if self.window.has("welcome-connect").await {
            self.window.click("welcome-connect").await;
        }
        self.window.fill("connect-address", address).await;
        self.window.fill("connect-key", key).await;
        self.window.click("connect-submit").await;
    }

    /// Shows another program that offers these files.
    #[must_use]
    pub fn take_files(&self, paths: &[PathBuf]) -> DropSource<'_> {
        DropSource::show(&self.desktop, paths)
    }

    /// Drags files from another program onto an element and lets them go there.
    pub async fn drop_files(&self, onto: &str, paths: &[PathBuf]) {
        let source = self.take_files(paths);
        let (x, y) = self.window.place_of(&self.desktop, onto).await;
        self.drag_over(&source, x, y).await;
        source.let_go();
    }

    /// Drags files to a place on the display, and waits until the window shows where they would go.
    pub async fn drag_over(&self, source: &DropSource<'_>, x: i32, y: i32) {
        source.drag_to(x, y);
        wait_for("the window to notice the drag", crate::window::PATIENCE, async || {
            // Home names two places; on other screens one sign covers the screen.
            if self.window.has("drop-overlay").await || self.window.has("drop-drive").await {
                return Ok(());
            }
            source.nudge(x, y);
            Err("nothing is said of it")
        })
        .await;
    }

    /// Drops a folder, on the screen of synced folders, on the place that keeps it in step: the left half.
    ///
    /// # Panics
    /// Where the drop is refused.
    pub async fn drop_to_keep_in_step(&self, folder: &Path) {
        let source = self.take_files(&[folder.to_owned()]);
        let (x, y) = self.window.place_of(&self.desktop, "synced").await;
        self.drag_over(&source, x - 220, y).await;
        // The overlay may have come under the pointer after its last motion.
        wait_for("the place that keeps it in step", crate::window::PATIENCE, async || {
            let over = "return document.querySelector('[data-testid=drop-step][data-over=true]') !== null";
            if self.window.look(over).await == true {
                return Ok(());
            }
            source.nudge(x - 220, y);
            Err("the pointer is not over it")
        })
        .await;
        source.let_go();
    }

    /// On the screen of synced folders: waits until one is in this state.
    pub async fn wait_for_synced_folder(&self, state: &str) {
        self.window.find_by(&format!("[data-testid=\"synced-folder\"][data-state=\"{state}\"]")).await;
    }

    /// Opens the transfers shelf where it shows one line only.
    pub async fn open_shelf(&self) {
        wait_for("the open shelf", crate::window::PATIENCE, async || {
            let script = "return document.querySelector('[data-testid=shelf]')?.dataset.open ?? 'no shelf'";
            match self.window.look(script).await.as_str() {
                Some("true") => Ok(()),
                Some("false") => {
                    self.window.click("shelf-toggle").await;
                    Err("closed".to_owned())
                }
                other => Err(other.unwrap_or_default().to_owned()),
            }
        })
        .await;
    }

    /// Waits until every one of these files is in one of the states that ends a transfer, and returns all rows.
    pub async fn wait_for_transfers(&self, names: &[&str]) -> BTreeMap<String, Row> {
        wait_for("the transfers to end", SENDING, async || {
            // The shelf may close by itself once everything is done.
            self.open_shelf().await;
            let rows = self.window.transfer_rows().await;
            let has_ended = |name: &&str| {
                rows.iter().any(|row| {
                    row.name == **name && ["sent", "already_there", "failed", "canceled"].contains(&&*row.state)
                })
            };
            if names.iter().all(has_ended) { Ok(rows) } else { Err(format!("{rows:?}")) }
        })
        .await
        .into_iter()
        .map(|row| (row.name.clone(), row))
        .collect()
    }

    /// Goes to the drive and waits until it shows exactly these items, in any order.
    pub async fn wait_for_drive(&self, expected: &[(&str, &str)]) {
        self.window.click("rail-drive").await;
        self.wait_for_rows(expected).await;
    }

    /// Waits until the drive, as it is open, shows exactly these items (name and kind), in any order.
    pub async fn wait_for_rows(&self, expected: &[(&str, &str)]) {
        let mut expected: Vec<_> = expected.iter().map(|&(name, kind)| (name.to_owned(), kind.to_owned())).collect();
        expected.sort();
        wait_for(&format!("the drive to show {expected:?}"), crate::window::PATIENCE, async || {
            let mut rows = self.window.drive_rows().await;
            rows.sort();
            if rows == expected { Ok(()) } else { Err(format!("{rows:?}")) }
        })
        .await;
    }

    /// The built-in studio, asked with a key that its command line made just now.
    ///
    /// # Panics
    /// Where none runs, or its command line makes no key.
    pub async fn built_in_service(&self) -> Http {
        let pid = self.wait_for_studio().await;
        let output = studio::command(&self.data_dir().join("studio"), &["keys", "create", "journey"]);
        assert!(output.status.success(), "keys create: {}", String::from_utf8_lossy(&output.stderr));
        let made: Value = serde_json::from_slice(&output.stdout).expect("the new key as JSON");
        let key = made["key"].as_str().expect("a key");
        for port in process::list_listening_ports(pid) {
            let service = Http::new(&format!("http://127.0.0.1:{port}")).with_version(CANONICAL).with_key(key);
            if service.get("/v1/whoami").await.status.is_success() {
                return service;
            }
        }
        panic!("the built-in studio (process {pid}) answers nowhere");
    }

    /// Waits until the built-in studio runs, and returns its process id.
    pub async fn wait_for_studio(&self) -> u32 {
        wait_for("the built-in studio", crate::window::PATIENCE, async || {
            let pid = self.window.studio_pid().ok_or("no such process")?;
            if process::list_listening_ports(pid).len() >= 2 { Ok(pid) } else { Err("it does not listen yet") }
        })
        .await
    }

    /// Holds the built-in studio still as soon as more than this many bytes of a file have arrived there; it neither
    /// reads nor writes until [`process::let_go`]. The thread then ends, and returns how many bytes had arrived.
    #[must_use]
    pub fn hold_studio_once(&self, studio: u32, more_than_bytes: u64) -> std::thread::JoinHandle<u64> {
        let data_dir = self.data_dir().join("studio");
        std::thread::spawn(move || {
            let deadline = Instant::now() + SENDING;
            while largest_below(&data_dir) <= more_than_bytes {
                assert!(Instant::now() < deadline, "not so much arrived within {SENDING:?}");
                std::thread::sleep(Duration::from_millis(1));
            }
            process::hold_still(studio);
            largest_below(&data_dir)
        })
    }
}

/// The size of the largest file below a folder, in bytes.
fn largest_below(folder: &Path) -> u64 {
    std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => largest_below(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .max()
        .unwrap_or(0)
}

impl Drop for Journey {
    /// Tells how the journey ended; after a failure it leaves a picture of the whole display and the app's last words.
    /// A fault of the page's own code counts as a failure, though everything else went well.
    fn drop(&mut self) {
        let thread = std::thread::current();
        let name = thread
            .name()
            .filter(|name| *name != "main")
            .unwrap_or("demonstration")
            .replace("::", " ")
            .replace('_', " ");
        let log = self.desktop.read_log("app");
        let faults: Vec<&str> = log.lines().filter(|line| line.contains(PAGE_FAULT)).collect();
        if !std::thread::panicking() {
            assert!(faults.is_empty(), "journey “{name}”: the page was at fault:\n{}", faults.join("\n"));
            eprintln!("journey “{name}”: passed");
            return;
        }
        let picture = pictures().join(format!("{name}.png"));
        let lines: Vec<&str> = log.lines().collect();
        eprintln!("the app's last words:\n{}", lines[lines.len().saturating_sub(40)..].join("\n"));
        eprintln!("journey “{name}”: FAILED; the display as it was: {}", picture.display());
        self.desktop.take_picture(&picture);
    }
}

/// Where pictures of failed journeys are left.
#[must_use]
pub fn pictures() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    let target = own.ancestors().find(|folder| folder.join("debug").is_dir() || folder.join("release").is_dir());
    target.unwrap_or_else(|| Path::new(".")).join("desktop")
}

/// Waits until the service has exactly these files; it is asked once a second, because its requests are counted.
pub async fn wait_for_files(service: &Http, names: &[&str]) -> BTreeMap<String, Stored> {
    wait_for(&format!("{names:?} at the service"), crate::window::PATIENCE, async || {
        let list = service.get("/v1/drive/files?limit=200").await.expect(200);
        let listed = list["data"].as_array().expect("a list of files").iter();
        let listed: BTreeSet<&str> = listed.filter_map(|file| file["name"].as_str()).collect();
        if listed.into_iter().eq(names.iter().copied()) {
            return Ok(read_drive(service).await);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        Err(list["data"].to_string())
    })
    .await
}

/// Every file of the drive, by name, its bytes downloaded and hashed, and compared with the service's own record.
///
/// # Panics
/// Where two files have the same name, or the service contradicts itself.
pub async fn read_drive(service: &Http) -> BTreeMap<String, Stored> {
    let list = service.get("/v1/drive/files?limit=200").await.expect(200);
    let mut files = BTreeMap::new();
    for file in list["data"].as_array().expect("a list of files") {
        let text = |field: &str| file[field].as_str().map(str::to_owned);
        let (id, name) = (text("id").expect("an id"), text("name").expect("a name"));
        let download = service.get(&format!("/v1/drive/files/{id}/download")).await.expect(200);
        let answer = service.get_url(download["download_url"].as_str().expect("an address"), &[]).await;
        answer.is(200);
        let stored = Stored {
            id,
            folder_id: text("folder_id"),
            size_bytes: file["size_bytes"].as_u64().expect("a size"),
            sha256: samples::hash_bytes(&answer.body),
        };
        assert_eq!(stored.size_bytes, answer.body.len() as u64, "the size of {name}");
        assert_eq!(text("content_hash"), Some(format!("sha256:{}", stored.sha256)), "the hash of {name}");
        assert!(files.insert(name.clone(), stored).is_none(), "{name} is there twice");
    }
    files
}
