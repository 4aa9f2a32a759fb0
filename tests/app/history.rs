//! The history of a synced folder as a way back, on a real disk and a real drive: one change, a run, a moment; shown in numbers
//! first, made from trash and versions, and undone in turn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use easel_app::history::{HistoryPreview, HistoryReverted, HistoryScope, SyncedChange, SyncedEvent};
use easel_app::synced::{SyncDeletions, SyncMode, SyncedChoices, SyncedDraft, SyncedFolderView, SyncedState};
use easel_tests::drive::{replace_content, upload_into};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};
use serde_json::json;

use crate::stage::{SOON, Stage, clear_trash, draft};

/// A folder that is synced, and another program that works in the drive.
struct Scene {
    stage: Stage,
    service: Http,
    folder: PathBuf,
    added: SyncedFolderView,
}

impl Scene {
    async fn open(studio: &Studio, mode: SyncMode, files: &[(&str, &str)]) -> Self {
        let key = studio.create_key("Easel").key;
        let stage = Stage::open();
        stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
        let folder = stage.folder.path().join("given/Brand");
        std::fs::create_dir_all(&folder).unwrap();
        for (name, content) in files {
            stage.write(&format!("Brand/{name}"), content.as_bytes());
        }
        *stage.person.chooses.lock().unwrap() = vec![folder.clone()];
        let source = stage.app.synced().choose_synced_source().await.unwrap().unwrap();
        let choices =
            SyncedChoices { mode, deletions: SyncDeletions::Delete, ignore: String::new(), left_out: Vec::new() };
        let draft = SyncedDraft {
            source_id: source.source_id,
            drive_folder_id: None,
            new_in: None,
            new_name: "Brand".to_owned(),
            choices,
        };
        let added = stage.app.synced().add_synced_folder(draft).await.unwrap();
        let service = Http::new(&studio.base_url).with_key(&key).with_version(CANONICAL);
        let scene = Self { stage, service, folder, added };
        let count = files.len() as u64;
        scene.until("the first run", |folder| is_at_rest(folder) && folder.files.get() == count).await;
        scene
    }

    async fn until(&self, what: &str, is_so: impl Fn(&SyncedFolderView) -> bool) {
        wait_for(what, SOON * 6, async || {
            let folder = self.stage.app.synced().list_synced_folders().await.unwrap().remove(0);
            if is_so(&folder) { Ok(()) } else { Err(format!("{folder:?}")) }
        })
        .await;
    }

    /// The lines of the history, the last first.
    async fn history(&self) -> Vec<SyncedEvent> {
        self.stage.app.history().list_synced_history(None, String::new(), 0, 1_000).await.unwrap()
    }

    /// Waits until the newest lines of the history are so many more, each a change of these, and everything is at rest.
    async fn until_told(&self, before: &[SyncedEvent], what: &str, is_so: impl Fn(&[SyncedEvent]) -> bool) {
        let known = before.first().map_or(0, |event| event.id.get());
        wait_for(what, SOON * 6, async || {
            let all = self.history().await;
            let new: Vec<SyncedEvent> = all.into_iter().filter(|event| event.id.get() > known).collect();
            if is_so(&new) { Ok(()) } else { Err(format!("{} lines: {:?}", new.len(), new.first())) }
        })
        .await;
        self.until(what, is_at_rest).await;
    }

    async fn line(&self, path: &str, change: &SyncedChange) -> SyncedEvent {
        let history = self.history().await;
        let found = history.iter().find(|event| event.path == path && event.change == *change);
        found.unwrap_or_else(|| panic!("{path} {change:?} is not in {history:?}")).clone()
    }

    async fn preview(&self, scope: &HistoryScope) -> HistoryPreview {
        let history = self.stage.app.history();
        history.preview_history_revert(self.added.id.clone(), scope.clone()).await.unwrap()
    }

    async fn revert(&self, scope: &HistoryScope, preview: &HistoryPreview) -> HistoryReverted {
        let history = self.stage.app.history();
        let reverted =
            history.revert_history(self.added.id.clone(), scope.clone(), preview.seen.clone()).await.unwrap();
        assert_eq!(reverted.refused, []);
        reverted
    }

    /// What the folder holds, by path.
    fn files(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        gather(&self.folder, &self.folder, &mut found);
        found
    }

    /// The files at the top of the drive folder, with their ids.
    async fn drive(&self) -> BTreeMap<String, String> {
        let items = self.stage.list(Some(&self.added.drive_folder_id)).await.items;
        items.into_iter().map(|item| (item.name, item.id)).collect()
    }

    fn write(&self, path: &str, content: &str) {
        std::fs::write(self.folder.join(path), content).unwrap();
    }

    async fn edit(&self, path: &str, content: &str) {
        let before = self.history().await;
        self.write(path, content);
        self.until_told(&before, "the edit", |new| new.iter().any(|event| event.path == path)).await;
    }
}

fn gather(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') {
            gather(root, &path, found);
        } else if path.is_file() {
            found.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
}

fn is_at_rest(folder: &SyncedFolderView) -> bool {
    folder.state == SyncedState::UpToDate && folder.last_looked_at.is_some()
}

fn one(event: &SyncedEvent) -> HistoryScope {
    HistoryScope::One { id: event.id }
}

fn all(given: &[(&str, &str)]) -> BTreeMap<String, String> {
    given.iter().map(|(path, content)| ((*path).to_owned(), (*content).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_of_three_hundred_files_is_undone_with_all_of_its_run_and_can_be_undone_in_turn() {
    let studio = Studio::start(Options::new());
    let named: Vec<(String, String)> =
        (0..300).map(|number| (format!("Photos/{number:03}.txt"), format!("picture {number}"))).collect();
    let mut files: Vec<(&str, &str)> = named.iter().map(|(path, content)| (path.as_str(), content.as_str())).collect();
    files.push(("stays.txt", "it stays"));
    let scene = Scene::open(&studio, SyncMode::BothWays, &files).await;
    let before = scene.history().await;
    assert!(before.iter().all(|event| !event.can_undo), "what the first run sent was there before it");
    let photos = scene.drive().await["Photos"].clone();

    std::fs::remove_dir_all(scene.folder.join("Photos")).unwrap();
    scene.until("the question", |folder| matches!(folder.state, SyncedState::NeedsYou { .. })).await;
    scene.stage.app.synced().answer_synced_folder(scene.added.id.clone(), true).await.unwrap();
    scene.until_told(&before, "300 deletions", |new| new.len() == 301).await;
    let deleted = scene.line("Photos/007.txt", &SyncedChange::DeletedThere).await;
    assert!(deleted.is_from_here && deleted.can_undo, "{deleted:?}");

    let run = HistoryScope::Run { run: deleted.run.unwrap() };
    let preview = scene.preview(&run).await;
    assert_eq!(
        (preview.changes.get(), preview.back_files.get(), preview.back_folders.get()),
        (301, 300, 1),
        "{preview:?}"
    );
    assert_eq!((preview.lost_files.get(), preview.left_count.get(), preview.trashed_files.get()), (0, 0, 0));
    assert_eq!(scene.files(), all(&[("stays.txt", "it stays")]), "a preview does nothing");
    let told = scene.history().await;
    scene.revert(&run, &preview).await;
    scene.until_told(&told, "300 files to come back", |new| new.len() >= 300).await;
    assert_eq!(scene.files(), all(&files));
    assert_eq!(scene.drive().await["Photos"], photos, "the drive has them back under their ids");

    let again = scene.preview(&run).await;
    assert_eq!((again.back_files.get(), again.lost_files.get()), (0, 0), "it is as it was: {again:?}");
    let came = scene.line("Photos/007.txt", &SyncedChange::Fetched).await;
    let preview = scene.preview(&HistoryScope::Run { run: came.run.unwrap() }).await;
    assert_eq!((preview.trashed_files.get(), preview.back_files.get()), (300, 0), "{preview:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_is_undone_from_a_version_and_that_is_undone_too() {
    let studio = Studio::start(Options::new());
    let name = format!("{}.txt", uuid::Uuid::new_v4().simple());
    for mode in [SyncMode::BothWays, SyncMode::UploadOnly] {
        let scene = Scene::open(&studio, mode, &[(&name, "the first words")]).await;
        let id = scene.drive().await[&name].clone();
        scene.edit(&name, "other words").await;
        let edit = scene.line(&name, &SyncedChange::Replaced).await;
        let preview = scene.preview(&one(&edit)).await;
        assert_eq!(
            (preview.earlier_files.get(), preview.bytes.get(), preview.lost_files.get()),
            (1, 15, 0),
            "{preview:?}"
        );
        let told = scene.history().await;
        scene.revert(&one(&edit), &preview).await;
        assert_eq!(scene.files(), all(&[(&name, "the first words")]));
        scene.until_told(&told, "the undone edit", |new| new.len() == 1).await;
        assert_eq!(scene.drive().await[&name], id);

        let undone = scene.history().await.remove(0);
        assert_eq!((undone.change.clone(), undone.can_undo), (SyncedChange::Replaced, true));
        let preview = scene.preview(&one(&undone)).await;
        assert_eq!((preview.earlier_files.get(), preview.lost_files.get()), (1, 0), "{preview:?}");
        scene.revert(&one(&undone), &preview).await;
        assert_eq!(scene.files(), all(&[(&name, "other words")]));
        scene.stage.app.synced().remove_synced_folder(scene.added.id.clone()).await.unwrap();
        scene.service.delete(&format!("/v1/drive/items/{}?recursive=true", scene.added.drive_folder_id)).await.is(200);
    }
    clear_trash(name.trim_end_matches(".txt"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rename_is_undone_on_both_sides() {
    let studio = Studio::start(Options::new());
    let files = [("Old/a.txt", "a"), ("Old/in/b.txt", "b"), ("c.txt", "c")];
    let scene = Scene::open(&studio, SyncMode::BothWays, &files).await;
    let before = scene.history().await;
    std::fs::rename(scene.folder.join("Old"), scene.folder.join("New")).unwrap();
    std::fs::rename(scene.folder.join("New/a.txt"), scene.folder.join("New/z.txt")).unwrap();
    scene.until_told(&before, "two moves", |new| new.len() == 2).await;
    let moved = scene.history().await.remove(0);
    let run = HistoryScope::Run { run: moved.run.unwrap() };
    let preview = scene.preview(&run).await;
    assert_eq!((preview.moved_items.get(), preview.left_count.get()), (2, 0), "{preview:?}");
    let told = scene.history().await;
    scene.revert(&run, &preview).await;
    assert_eq!(scene.files(), all(&files));
    scene.until_told(&told, "two moves back", |new| new.len() == 2).await;
    let drive = scene.drive().await;
    assert!(drive.contains_key("Old") && !drive.contains_key("New"), "{drive:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_files_that_swapped_names_get_their_names_back_whichever_side_swapped_them() {
    let studio = Studio::start(Options::new());
    let files = [("a.txt", "the first"), ("b.txt", "and the second")];
    for is_swapped_here in [true, false] {
        let scene = Scene::open(&studio, SyncMode::BothWays, &files).await;
        let (before, drive) = (scene.history().await, scene.drive().await);
        if is_swapped_here {
            let at = |name: &str| scene.folder.join(name);
            for (from, to) in [("a.txt", "c.txt"), ("b.txt", "a.txt"), ("c.txt", "b.txt")] {
                std::fs::rename(at(from), at(to)).unwrap();
            }
        } else {
            for (id, name) in [("a.txt", "c.txt"), ("b.txt", "a.txt"), ("a.txt", "b.txt")] {
                let renamed = json!({ "name": name });
                scene.service.patch(&format!("/v1/drive/items/{}", drive[id]), &renamed).await.is(200);
            }
            scene.stage.app.synced().look_again_at_synced_folder(scene.added.id.clone()).await.unwrap();
        }
        scene.until_told(&before, "the swap", |new| new.len() >= 2).await;
        let swapped = all(&[("a.txt", "and the second"), ("b.txt", "the first")]);
        assert_eq!(scene.files(), swapped);
        let told = scene.history().await;
        let run = HistoryScope::Run { run: told[0].run.unwrap() };
        let preview = scene.preview(&run).await;
        assert_eq!(
            (preview.moved_items.get(), preview.left_count.get()),
            (2, 0),
            "{is_swapped_here} {preview:?} {told:?}"
        );
        scene.revert(&run, &preview).await;
        assert_eq!(scene.files(), all(&files));
        scene.until_told(&told, "the names to be swapped back", |new| new.len() >= 2).await;
        assert_eq!((scene.files(), scene.drive().await), (all(&files), drive));

        let told = scene.history().await;
        let run = HistoryScope::Run { run: told[0].run.unwrap() };
        let preview = scene.preview(&run).await;
        scene.revert(&run, &preview).await;
        assert_eq!(scene.files(), swapped, "undoing it is undone as well");
        scene.stage.app.synced().remove_synced_folder(scene.added.id.clone()).await.unwrap();
        scene.service.delete(&format!("/v1/drive/items/{}?recursive=true", scene.added.drive_folder_id)).await.is(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn undoing_that_is_cut_off_is_carried_on_by_the_next_start() {
    let studio = Studio::start(Options::new());
    let named: Vec<(String, String)> =
        (0..300).map(|number| (format!("Photos/{number:03}.txt"), format!("picture {number}"))).collect();
    let files: Vec<(&str, &str)> = named.iter().map(|(path, content)| (path.as_str(), content.as_str())).collect();
    let scene = Scene::open(&studio, SyncMode::BothWays, &files).await;
    let before = scene.history().await;
    std::fs::remove_dir_all(scene.folder.join("Photos")).unwrap();
    scene.until("the question", |folder| matches!(folder.state, SyncedState::NeedsYou { .. })).await;
    scene.stage.app.synced().answer_synced_folder(scene.added.id.clone(), true).await.unwrap();
    scene.until_told(&before, "300 deletions", |new| new.len() == 301).await;
    let deleted = scene.line("Photos/007.txt", &SyncedChange::DeletedThere).await;
    let run = HistoryScope::Run { run: deleted.run.unwrap() };
    let preview = scene.preview(&run).await;

    let history = scene.stage.app.history().clone();
    let id = scene.added.id.clone();
    let undoing = tokio::spawn(async move { history.revert_history(id, run, preview.seen).await });
    scene
        .until("some of it to be undone", |folder| {
            folder.undoing.is_some_and(|undoing| undoing.done.get() > 2 && undoing.total.get() == 301)
        })
        .await;
    let Scene { stage, folder, .. } = scene;
    let stage = stage.start_again().await;
    undoing.await.unwrap().expect_err("it was over before it could be cut off");
    wait_for("the rest to be undone", SOON * 6, async || {
        let synced = stage.app.synced().list_synced_folders().await.map_err(|problem| problem.title)?;
        let mut found = BTreeMap::new();
        gather(&folder, &folder, &mut found);
        let is_over = synced.iter().all(|folder| folder.undoing.is_none());
        if is_over && found == all(&files) { Ok(()) } else { Err(format!("{} files, {synced:?}", found.len())) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_contents_are_is_looked_up_once_and_what_is_gone_since_is_refused_by_itself() {
    let studio = Studio::start(Options::new());
    let scene = Scene::open(&studio, SyncMode::BothWays, &[("a.txt", "a"), ("b.txt", "b")]).await;
    let before = scene.history().await;
    std::fs::remove_file(scene.folder.join("a.txt")).unwrap();
    scene.write("b.txt", "b, edited");
    scene.until_told(&before, "a deletion and an edit", |new| new.len() == 2).await;
    let run = HistoryScope::Run { run: scene.history().await[0].run.unwrap() };
    let preview = scene.preview(&run).await;
    assert_eq!((preview.back_files.get(), preview.earlier_files.get()), (1, 1), "{preview:?}");
    scene.stage.app.drive().empty_trash().await.unwrap();
    let history = scene.stage.app.history();
    let reverted = history.revert_history(scene.added.id.clone(), run, preview.seen).await.unwrap();
    let refused: Vec<&str> = reverted.refused.iter().map(|refused| refused.path.as_str()).collect();
    assert_eq!((reverted.done.get(), refused), (1, vec!["a.txt"]));
    assert_eq!(scene.files(), all(&[("b.txt", "b")]));
    scene.until("nothing to be told any more", |folder| folder.undoing.is_none()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nothing_holds_any_more_is_counted_before_anyone_agrees() {
    let studio = Studio::start(Options::new());
    let scene = Scene::open(&studio, SyncMode::BothWays, &[("a.txt", "a"), ("b.txt", "b"), ("c.txt", "c")]).await;
    let before = scene.history().await;
    for name in ["a.txt", "b.txt"] {
        std::fs::remove_file(scene.folder.join(name)).unwrap();
    }
    scene.until_told(&before, "two deletions", |new| new.len() == 2).await;
    let run = HistoryScope::Run { run: scene.history().await[0].run.unwrap() };
    assert_eq!(scene.preview(&run).await.back_files.get(), 2);
    scene.stage.app.drive().empty_trash().await.unwrap();
    let preview = scene.preview(&run).await;
    assert_eq!((preview.lost_files.get(), preview.back_files.get()), (2, 0), "{preview:?}");
    assert_eq!(preview.lost, ["a.txt", "b.txt"]);
    // A copy of one is in the folder by now.
    scene.edit("copy of a.txt", "a").await;
    let preview = scene.preview(&run).await;
    assert_eq!((preview.lost.as_slice(), preview.back_files.get()), (&["b.txt".to_owned()][..], 1));
    scene.revert(&run, &preview).await;
    assert_eq!(scene.files(), all(&[("a.txt", "a"), ("c.txt", "c"), ("copy of a.txt", "a")]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_changed_since_is_never_overwritten() {
    let studio = Studio::start(Options::new());
    let scene = Scene::open(&studio, SyncMode::BothWays, &[("plan.txt", "one")]).await;
    scene.edit("plan.txt", "two").await;
    let edit = one(&scene.line("plan.txt", &SyncedChange::Replaced).await);
    let shown = scene.preview(&edit).await;
    assert_eq!((shown.earlier_files.get(), shown.beside_files.get()), (1, 0));
    // Nothing of this is sent meanwhile.
    scene.stage.app.synced().pause_synced_folder(scene.added.id.clone()).await.unwrap();
    scene.until("the pause", |folder| folder.state == SyncedState::Paused).await;
    scene.write("plan.txt", "three, by hand");
    let history = scene.stage.app.history();
    let refused = history.revert_history(scene.added.id.clone(), edit.clone(), shown.seen).await.unwrap_err();
    assert_eq!(refused.code, "history_changed");
    assert_eq!(scene.files(), all(&[("plan.txt", "three, by hand")]), "nothing was done");

    let preview = scene.preview(&edit).await;
    assert_eq!(
        (preview.earlier_files.get(), preview.back_files.get(), preview.beside_files.get()),
        (0, 1, 1),
        "{preview:?}"
    );
    scene.revert(&edit, &preview).await;
    let files = scene.files();
    assert_eq!(files["plan.txt"], "three, by hand");
    let (beside, content) = files.iter().find(|(name, _)| name.starts_with("plan (")).unwrap();
    assert_eq!((files.len(), content.as_str()), (2, "one"), "{beside}");
    scene.stage.app.synced().resume_synced_folder(scene.added.id.clone()).await.unwrap();
    scene.until("both to be in the drive", |folder| is_at_rest(folder) && folder.files.get() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_goes_back_to_a_moment_whoever_made_the_changes() {
    let studio = Studio::start(Options::new());
    let mark = uuid::Uuid::new_v4().simple().to_string();
    let (gone, edited) = (format!("{mark}-gone.txt"), format!("{mark}-edited.txt"));
    let files = [(edited.as_str(), "as it was"), (gone.as_str(), "it goes"), ("renamed.txt", "same")];
    let scene = Scene::open(&studio, SyncMode::BothWays, &files).await;
    let reach = scene.stage.app.history().get_history_reach(scene.added.id.clone()).await.unwrap().unwrap();
    // Two clocks, one of which is a file system's, tell for sure only what is more than a second apart.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let moment = jiff::Timestamp::now().to_string();
    assert!(reach.parse::<jiff::Timestamp>().unwrap() < jiff::Timestamp::now());
    let before = scene.history().await;

    // Somebody in the drive deletes, edits and adds; the person here renames, adds and edits.
    let drive = scene.drive().await;
    scene.service.delete(&format!("/v1/drive/items/{}", drive[&gone])).await.is(200);
    replace_content(&scene.service, &drive[&edited], "text/plain", b"as they would have it").await;
    upload_into(&scene.service, &scene.added.drive_folder_id, "theirs.txt", b"theirs").await;
    scene.stage.app.synced().look_again_at_synced_folder(scene.added.id.clone()).await.unwrap();
    scene.until_told(&before, "what they did", |new| new.len() == 3).await;
    let trashed = scene.line(&gone, &SyncedChange::Trashed).await;
    assert!(!trashed.is_from_here);
    wait_for("who deleted it", SOON, async || {
        let line = scene.line(&gone, &SyncedChange::Trashed).await;
        if line.by.is_some() { Ok(()) } else { Err(format!("{line:?}")) }
    })
    .await;
    let told = scene.history().await;
    std::fs::rename(scene.folder.join("renamed.txt"), scene.folder.join("other.txt")).unwrap();
    scene.write("mine.txt", "mine");
    scene.until_told(&told, "what I did", |new| new.len() == 2).await;
    scene.edit(&edited, "as I would have it").await;

    let scope = HistoryScope::Since { at: moment };
    let preview = scene.preview(&scope).await;
    assert_eq!((preview.changes.get(), preview.left_count.get(), preview.lost_files.get()), (6, 0, 0), "{preview:?}");
    assert_eq!((preview.back_files.get(), preview.earlier_files.get()), (1, 1), "{preview:?}");
    assert_eq!((preview.trashed_files.get(), preview.moved_items.get()), (2, 1), "{preview:?}");
    let told = scene.history().await;
    scene.revert(&scope, &preview).await;
    scene.until_told(&told, "the way back", |new| new.len() == 5).await;
    assert_eq!(scene.files(), all(&files));
    let names: Vec<String> = scene.drive().await.into_keys().collect();
    assert_eq!(names, [edited.as_str(), gone.as_str(), "renamed.txt"]);
    for name in [mark.as_str(), "theirs.txt", "mine.txt"] {
        clear_trash(name);
    }
}
