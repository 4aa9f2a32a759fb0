//! One watched folder, its engine behind a proxy of its own, and a studio.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use easel_tests::patience::wait_for;
use easel_tests::proxy::Proxy;
use easel_tests::samples::write_noise;
use easel_tests::studio::authority;
use easel_tests::synced::{Engine, Home, Setting};
use easel_tests::trees::{read_disk_below, read_drive_below};
use tempfile::TempDir;

use crate::rig::Rig;

/// How long both sides may take until they are equal, or the engine until it says what is the matter.
pub const LIMIT: Duration = Duration::from_secs(90);
/// The drive folder.
pub const DRIVE: &str = "Watched";

/// See the module.
pub struct Watched {
    pub rig: Arc<Rig>,
    /// Before the API; storage has the rig's.
    pub api: Proxy,
    pub root: PathBuf,
    pub home: Home,
    _place: TempDir,
}

impl Watched {
    /// An empty folder that nobody watches yet.
    pub async fn prepare() -> Self {
        let rig = Rig::start().await;
        let api = Proxy::start().await;
        api.forward_to(authority(&rig.studio.base_url));
        let place = TempDir::with_prefix("easel-watched-").unwrap();
        let root = place.path().join("folder");
        std::fs::create_dir(&root).unwrap();
        Self { rig, api, root, home: Home::new(), _place: place }
    }

    /// How the engine is started, upward only.
    pub fn setting(&self) -> Setting {
        Setting::new(&self.api.url(), &self.rig.key.key, &self.root, DRIVE)
    }

    /// The same, both ways, deletions included.
    pub fn both_ways(&self) -> Setting {
        self.setting().flag("--both-ways").with("--deletions", "delete")
    }

    /// Writes so many files of `size_bytes` bytes, in a few folders.
    pub fn write_files(&self, count: usize, size_bytes: u64) {
        for number in 0..count {
            let folder = self.root.join(["", "one", "one/two", "three"][number % 4]);
            std::fs::create_dir_all(&folder).unwrap();
            write_noise(&folder.join(format!("file {number:03}.bin")), size_bytes, number as u64 + 1);
        }
    }

    /// What differs between the disk and the drive, in words; `Ok` where nothing does.
    pub async fn compare(&self) -> Result<(), String> {
        let here = read_disk_below(&self.root);
        let there = read_drive_below(&self.rig.service(), DRIVE).await;
        if here == there {
            return Ok(());
        }
        let only_here: Vec<_> = here.iter().filter(|(path, item)| there.get(*path) != Some(item)).collect();
        let only_there: Vec<_> = there.iter().filter(|(path, item)| here.get(*path) != Some(item)).collect();
        Err(format!("only here: {only_here:?}; only there: {only_there:?}"))
    }

    /// Waits until both sides are equal and the engine says so.
    pub async fn until_equal(&self, engine: &Engine) {
        wait_for("both sides to be equal", LIMIT, async || {
            self.compare().await.map_err(|difference| format!("{difference}\n{}", engine.describe()))?;
            if state(engine) == "up_to_date" { Ok(()) } else { Err(engine.describe()) }
        })
        .await;
    }

    /// Waits until the engine says what is the matter: the code of what it waits for, or of what it needs.
    pub async fn until_told(&self, engine: &Engine, wanted: &str) {
        wait_for(&format!("the engine to say {wanted}"), LIMIT, async || {
            if told(engine).iter().any(|code| code == wanted) { Ok(()) } else { Err(engine.describe()) }
        })
        .await;
    }
}

/// The code of the engine's last state.
pub fn state(engine: &Engine) -> String {
    let lines = engine.lines();
    lines.iter().rev().find_map(|line| line["state"]["code"].as_str()).unwrap_or_default().to_owned()
}

/// The codes of everything that the engine waited for or needed so far.
fn told(engine: &Engine) -> Vec<String> {
    let code = |line: &serde_json::Value| {
        let state = &line["state"];
        [&state["cause"]["code"], &state["need"]["code"], &state["cause"]]
            .iter()
            .find_map(|code| code.as_str().map(str::to_owned))
    };
    engine.lines().iter().filter_map(code).collect()
}
