//! A studio, and computers that each keep a folder in step with one drive folder of it.
//!
//! Always true: every computer's engine is a real process with a state, a trash and a folder of its own; the studio stands
//! behind a proxy. Not here: what people do there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use easel_sync::pointers::Pointer;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::proxy::{Fault, Proxy};
use easel_tests::studio::{Key, Options, Studio, authority};
use easel_tests::synced::{Engine, Home, Setting};
use easel_tests::trees::{Tree, read_disk_below, read_drive_below};
use serde_json::Value;
use tempfile::TempDir;

/// How long both sides may take until they are equal, or an engine until it says something.
pub const LIMIT: Duration = Duration::from_secs(45);
/// The drive folder.
pub const DRIVE: &str = "Team/Brand";

/// A studio with a key, and the way to it.
pub struct Site {
    pub studio: Studio,
    pub key: Key,
    pub proxy: Proxy,
}

impl Site {
    pub async fn open() -> Self {
        let studio = Studio::start(Options::new());
        let key = studio.create_key("computers");
        let proxy = Proxy::start().await;
        proxy.forward_to(authority(&studio.base_url));
        Self { studio, key, proxy }
    }

    /// From now on the service keeps no versions, as far as computers can tell: each edit is a drive file of its own.
    pub fn keep_no_versions(&self) {
        self.proxy.break_by(|seen| {
            let is_about_a_file = seen.path.contains("/drive/files/");
            let is_content = seen.method == "POST" && seen.path.ends_with("/content");
            if is_about_a_file && (is_content || seen.path.ends_with("/versions")) {
                Fault::answer(404, &[], "")
            } else {
                Fault::Pass
            }
        });
    }

    /// The service, asked past the proxy.
    pub fn service(&self) -> Http {
        Http::new(&self.studio.base_url).with_key(&self.key.key).with_version(CANONICAL)
    }

    /// What the drive folder holds.
    pub async fn drive(&self) -> Tree {
        read_drive_below(&self.service(), DRIVE).await
    }

    /// A computer with an empty folder.
    pub fn computer(&self) -> Computer {
        let place = TempDir::with_prefix("easel-computer-").unwrap();
        let root = place.path().join("folder");
        std::fs::create_dir(&root).unwrap();
        Computer { root, home: Home::new(), url: self.proxy.url(), key: self.key.key.clone(), _place: place }
    }

    /// A person deletes all pointers in the drive. How many there were.
    pub async fn delete_pointers(&self) -> usize {
        let files = self.service().get("/v1/drive/files?limit=200").await.expect(200);
        let is_pointer = |file: &&Value| file["name"].as_str().is_some_and(|name| Pointer::read(name).is_some());
        let pointers: Vec<&str> = files["data"]
            .as_array()
            .unwrap()
            .iter()
            .filter(is_pointer)
            .filter_map(|file| file["id"].as_str())
            .collect();
        for pointer in &pointers {
            self.service().delete(&format!("/v1/drive/items/{pointer}")).await;
        }
        pointers.len()
    }

    /// Waits until a folder and the drive are equal, and the engine says so.
    pub async fn until_equal(&self, computer: &Computer, engine: &Engine) {
        wait_for("both sides to be equal", LIMIT, async || {
            let (here, there) = (read_disk_below(&computer.root), self.drive().await);
            if here != there {
                return Err(format!("here: {here:#?}\nthere: {there:#?}\n{}", engine.describe()));
            }
            if state(engine) == "up_to_date" { Ok(()) } else { Err(engine.describe()) }
        })
        .await;
    }
}

/// A folder, and what its engine keeps.
pub struct Computer {
    pub root: PathBuf,
    pub home: Home,
    url: String,
    key: String,
    _place: TempDir,
}

impl Computer {
    /// Upward only.
    pub fn setting(&self) -> Setting {
        Setting::new(&self.url, &self.key, &self.root, DRIVE)
    }

    /// Both ways, deletions included.
    pub fn both_ways(&self) -> Setting {
        self.setting().flag("--both-ways").with("--deletions", "delete")
    }

    /// An engine at work.
    pub fn start(&self, setting: &Setting) -> Engine {
        Engine::start(&self.home, setting)
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, below: &str, content: impl AsRef<[u8]>) {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// The files and what they hold, hidden ones left out.
    pub fn files(&self) -> Vec<(String, String)> {
        let tree = read_disk_below(&self.root);
        tree.keys().filter_map(|path| Some((path.clone(), self.read(path)?))).collect()
    }

    pub fn read(&self, below: &str) -> Option<String> {
        std::fs::read_to_string(self.path(below)).ok()
    }

    /// So many files in each of these folders.
    pub fn write_files(&self, folders: &[&str], each: usize) {
        for folder in folders {
            for number in 0..each {
                self.write(&format!("{folder}/file {number}.txt"), format!("{folder} holds {number}"));
            }
        }
    }
}

/// The code of the engine's last state.
pub fn state(engine: &Engine) -> String {
    last_state(&engine.lines())["code"].as_str().unwrap_or_default().to_owned()
}

/// The last state that is among an engine's lines.
pub fn last_state(lines: &[Value]) -> Value {
    lines.iter().rev().find(|line| line["event"] == "state").map(|line| line["state"].clone()).unwrap_or_default()
}

/// Codes of all that the engine asked a person.
pub fn asked(engine: &Engine) -> Vec<String> {
    let needs = engine.lines().into_iter().filter_map(|line| line["state"]["need"]["code"].as_str().map(str::to_owned));
    needs.collect()
}

/// Waits until the engine says something of itself.
pub async fn until(what: &str, engine: &Engine, is_so: impl Fn(&Engine) -> bool) {
    wait_for(what, LIMIT, async || if is_so(engine) { Ok(()) } else { Err(engine.describe()) }).await;
}

/// Waits until a file has this content.
pub async fn until_it_reads(computer: &Computer, engine: &Engine, path: &str, content: &str) {
    until_it_reads_within(computer, engine, path, content, LIMIT).await;
}

/// Waits so long at most until a file has this content.
pub async fn until_it_reads_within(computer: &Computer, engine: &Engine, path: &str, content: &str, limit: Duration) {
    wait_for(&format!("{path} to hold {content}"), limit, async || {
        if computer.read(path).as_deref() == Some(content) { Ok(()) } else { Err(engine.describe()) }
    })
    .await;
}
