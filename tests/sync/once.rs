//! What a person types by hand: `easel-sync --once`, and what it answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::process::find_program;
use easel_tests::proxy::Proxy;
use easel_tests::studio::{Key, Options, Studio, authority};
use easel_tests::synced::{Engine, Finished, Home, Setting};
use easel_tests::trees::{read_disk_below, read_drive_below};
use serde_json::Value;
use tempfile::TempDir;

/// A studio, a proxy before it that counts, and a folder.
struct Stage {
    studio: Studio,
    key: Key,
    proxy: Proxy,
    home: Home,
    root: PathBuf,
    _place: TempDir,
}

impl Stage {
    async fn prepare() -> Self {
        let studio = Studio::start(Options::new());
        let key = studio.create_key("once");
        let proxy = Proxy::start().await;
        proxy.forward_to(authority(&studio.base_url));
        let place = TempDir::with_prefix("easel-once-").unwrap();
        let root = place.path().join("folder");
        fs::create_dir(&root).unwrap();
        Self { studio, key, proxy, home: Home::new(), root, _place: place }
    }

    fn setting(&self) -> Setting {
        Setting::new(&self.proxy.url(), &self.key.key, &self.root, "Brand/Photos")
    }

    fn service(&self) -> Http {
        Http::new(&self.studio.base_url).with_key(&self.key.key).with_version(CANONICAL)
    }

    /// Fifty files in subfolders.
    fn write_files(&self) {
        for number in 0..50 {
            let folder = self.root.join(["", "one", "one/two", "three"][number % 4]);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(format!("file {number}.txt")), format!("content {number}")).unwrap();
        }
    }

    /// Requests that change the drive, since they were last forgotten.
    fn count_changes(&self) -> usize {
        self.proxy.take_seen().iter().filter(|seen| seen.method != "GET").count()
    }

    async fn compare(&self) {
        let there = read_drive_below(&self.service(), "Brand/Photos").await;
        assert_eq!(read_disk_below(&self.root), there);
    }
}

fn codes_of(finished: &Finished) -> BTreeSet<String> {
    let changes = finished.lines.iter().filter(|line| line["event"] == "deed");
    changes.filter_map(|line| line["what"]["code"].as_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_files_go_up_and_a_second_run_sends_nothing() {
    let stage = Stage::prepare().await;
    stage.write_files();
    let finished = Engine::run_once(&stage.home, &stage.setting());
    finished.expect(0);
    let preview = finished.lines.iter().find(|line| line["event"] == "preview").unwrap();
    assert_eq!((&preview["up_files"], &preview["deletions_there"]), (&50.into(), &0.into()));
    stage.compare().await;
    // Each file is one request, each folder one, and the two that were named one each.
    assert_eq!(stage.count_changes(), 50 + 3 + 2);
    Engine::run_once(&stage.home, &stage.setting()).expect(0);
    assert_eq!(stage.count_changes(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_folder_is_one_request_and_an_edit_sends_one_file() {
    let stage = Stage::prepare().await;
    stage.write_files();
    Engine::run_once(&stage.home, &stage.setting()).expect(0);
    stage.proxy.forget_seen();
    fs::rename(stage.root.join("one"), stage.root.join("renamed")).unwrap();
    let finished = Engine::run_once(&stage.home, &stage.setting());
    finished.expect(0);
    assert_eq!(codes_of(&finished), BTreeSet::from(["moved_there".to_owned()]));
    assert_eq!(stage.count_changes(), 1);
    stage.compare().await;
    fs::write(stage.root.join("file 0.txt"), "edited since").unwrap();
    Engine::run_once(&stage.home, &stage.setting()).expect(0);
    let seen = stage.proxy.take_seen();
    // Its content is given to the file that is there, which keeps its name and its place.
    let changes: Vec<&str> =
        seen.iter().filter(|seen| seen.method == "POST").filter_map(|seen| seen.path.rsplit('/').next()).collect();
    assert_eq!(changes, ["url", "content"]);
    stage.compare().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_does_in_the_drive_what_was_chosen() {
    let stage = Stage::prepare().await;
    stage.write_files();
    let deleting = || stage.setting().with("--deletions", "delete");
    Engine::run_once(&stage.home, &stage.setting()).expect(0);
    fs::remove_file(stage.root.join("file 0.txt")).unwrap();
    let kept = Engine::run_once(&stage.home, &stage.setting());
    kept.expect(1);
    let note = kept.lines.iter().find(|line| line["event"] == "skipped").unwrap();
    assert_eq!((&note["path"], &note["why"]["code"]), (&"file 0.txt".into(), &"only_in_drive".into()));
    fs::remove_file(stage.root.join("file 4.txt")).unwrap();
    Engine::run_once(&stage.home, &deleting()).expect(1);
    let names = |there: &easel_tests::trees::Tree| (there.contains_key("file 0.txt"), there.contains_key("file 4.txt"));
    assert_eq!(names(&read_drive_below(&stage.service(), "Brand/Photos").await), (true, false));
    // A quarter of the folder and more: a person is asked, and nothing is deleted until they say so.
    fs::remove_dir_all(stage.root.join("one")).unwrap();
    let asked = Engine::run_once(&stage.home, &deleting());
    asked.expect(3);
    let need = &asked.lines.iter().rev().find(|line| line["event"] == "state").unwrap()["state"]["need"];
    assert_eq!(need["code"], "many_deletions_there");
    assert_eq!(read_drive_below(&stage.service(), "Brand/Photos").await.len(), 49 + 3);
    Engine::run_once(&stage.home, &deleting().flag("--yes")).expect(1);
    let there = read_drive_below(&stage.service(), "Brand/Photos").await;
    assert!(!there.keys().any(|path| path.starts_with("one")), "{there:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn both_ways_bring_what_is_in_the_drive_and_take_its_deletions_to_the_trash() {
    let stage = Stage::prepare().await;
    stage.write_files();
    Engine::run_once(&stage.home, &stage.setting()).expect(0);
    let (other, home) = (TempDir::new().unwrap(), Home::new());
    let setting = Setting::new(&stage.proxy.url(), &stage.key.key, other.path(), "Brand/Photos").flag("--both-ways");
    let engine = Engine::start(&home, &setting);
    let is_there = async |root: &Path| {
        let (here, there) = (read_disk_below(root), read_drive_below(&stage.service(), "Brand/Photos").await);
        if here == there { Ok(()) } else { Err(engine.describe()) }
    };
    let patience = std::time::Duration::from_secs(60);
    wait_for("what is in the drive", patience, async || is_there(other.path()).await).await;
    let files = stage.service().get("/v1/drive/files?limit=200").await.success();
    let file = files["data"].as_array().unwrap().iter().find(|file| file["name"] == "file 0.txt").unwrap().clone();
    let _ = stage.service().delete(&format!("/v1/drive/items/{}", file["id"].as_str().unwrap())).await.success();
    wait_for("the deletion", patience, async || {
        if other.path().join("file 0.txt").exists() { Err(engine.describe()) } else { Ok(()) }
    })
    .await;
    let hash = |file: &Value| file["content_hash"].as_str().unwrap().trim_start_matches("sha256:").to_owned();
    assert!(home.read_trash().contains(&hash(&file)), "it is in the trash");
    engine.stop().expect(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_held_by_one_engine_which_is_named() {
    let stage = Stage::prepare().await;
    stage.write_files();
    let first = Engine::start(&stage.home, &stage.setting());
    wait_for("the first engine to be done", std::time::Duration::from_secs(60), async || {
        let is_done = first.lines().iter().any(|line| line["state"]["code"] == "up_to_date");
        if is_done { Ok(()) } else { Err(first.describe()) }
    })
    .await;
    let second = Engine::run_once(&Home::new(), &stage.setting());
    second.expect(7);
    assert!(second.log.contains(&format!("easel-sync (process {})", first.pid())), "{}", second.log);
    first.stop().expect(0);
    Engine::run_once(&Home::new(), &stage.setting()).expect(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_to_fail_has_its_exit_code() {
    let mut stage = Stage::prepare().await;
    fs::write(stage.root.join("a.txt"), "a").unwrap();
    let bare = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = Command::new(find_program("easel-sync", "easel-sync"));
        command.args(arguments).env_remove("EASEL_KEY").envs(environment.iter().copied());
        command.output().unwrap().status.code()
    };
    let (url, root, state) =
        (stage.proxy.url(), stage.root.display().to_string(), stage.home.path().display().to_string());
    let least = ["--base-url", &url, "--folder", &root, "--drive", "Other", "--state", &state, "--once"];
    assert_eq!(bare(&["--once"], &[]), Some(2), "what is needed is missing");
    assert_eq!(bare(&least, &[]), Some(2), "no key");
    let key_file = stage.home.path().join("key");
    fs::write(&key_file, &stage.key.key).unwrap();
    let named = [&least[..], &["--key-file", key_file.to_str().unwrap()]].concat();
    assert_eq!(bare(&named, &[]), Some(2), "others can read the key");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(&key_file, mode).unwrap();
    assert_eq!(bare(&named, &[]), Some(0));
    assert_eq!(bare(&least, &[("EASEL_KEY", "svc_live_0000")]), Some(4), "a wrong key");
    let gone = stage.root.join("gone").display().to_string();
    let nowhere = ["--base-url", &url, "--folder", &gone, "--drive", "Other", "--state", &state, "--once"];
    assert_eq!(bare(&nowhere, &[("EASEL_KEY", &stage.key.key)]), Some(2), "no such folder");
    stage.studio.kill();
    let hasty = [&named[..], &["--give-up-after", "1"]].concat();
    assert_eq!(bare(&hasty, &[]), Some(5), "no service");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_is_named_and_is_no_difference() {
    let stage = Stage::prepare().await;
    fs::create_dir(stage.root.join("one")).unwrap();
    for (path, content) in
        [("kept.txt", "kept"), (".env", "hidden"), ("one/draft.tmp", "draft"), ("one/half.download", "h")]
    {
        fs::write(stage.root.join(path), content).unwrap();
    }
    let finished = Engine::run_once(&stage.home, &stage.setting());
    finished.expect(0);
    let left_out = finished.lines.iter().filter(|line| line["event"] == "left_out");
    let named: Vec<(&str, &str)> =
        left_out.filter_map(|line| Some((line["path"].as_str()?, line["why"]["code"].as_str()?))).collect();
    assert_eq!(named, [(".env", "left_out"), ("one/draft.tmp", "left_out"), ("one/half.download", "left_out")]);
    let there = read_drive_below(&stage.service(), "Brand/Photos").await;
    assert_eq!(there.keys().collect::<Vec<_>>(), ["kept.txt", "one"]);
    let last = finished.lines.iter().rev().find(|line| line["event"] == "state").unwrap();
    assert_eq!((&last["state"]["code"], &last["skipped"]), (&"up_to_date".into(), &0.into()));
}
