//! Two versions of one file of a synced folder, as the page is shown them: told of, looked into, settled, and taken back.

use std::path::PathBuf;
use std::time::Duration;

use easel_app::synced::{
    ConflictChoice, ConflictKeep, DifferenceLine, SyncDeletions, SyncMode, SyncedChoices, SyncedConflict, SyncedDraft,
    SyncedFolderView, SyncedState,
};
use easel_tests::drive::{replace_content, upload_into};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::samples;
use easel_tests::studio::{Options, Studio};

use crate::stage::{SOON, Stage, clear_trash, draft};

/// A folder that is synced both ways, and another program that works in the drive.
struct Scene {
    stage: Stage,
    service: Http,
    folder: PathBuf,
    added: SyncedFolderView,
}

impl Scene {
    async fn open(studio: &Studio, files: &[(&str, &[u8])]) -> Self {
        let key = studio.create_key("Easel").key;
        let stage = Stage::open();
        stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
        for (name, content) in files {
            stage.write(&format!("Brand/{name}"), content);
        }
        let folder = stage.folder.path().join("given/Brand");
        *stage.person.chooses.lock().unwrap() = vec![folder.clone()];
        let source = stage.app.synced().choose_synced_source().await.unwrap().unwrap();
        let choices = SyncedChoices {
            mode: SyncMode::BothWays,
            deletions: SyncDeletions::Delete,
            ignore: String::new(),
            left_out: Vec::new(),
        };
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
        scene.until_up_to_date(0).await;
        scene
    }

    async fn until(&self, what: &str, is_so: impl Fn(&SyncedFolderView) -> bool) {
        wait_for(what, SOON * 3, async || {
            let folder = self.stage.app.synced().list_synced_folders().await.unwrap().remove(0);
            if is_so(&folder) { Ok(()) } else { Err(format!("{folder:?}")) }
        })
        .await;
    }

    async fn until_up_to_date(&self, conflicts: u64) {
        let is_so = |folder: &SyncedFolderView| {
            folder.state == SyncedState::UpToDate
                && folder.conflicts.get() == conflicts
                && folder.last_looked_at.is_some()
        };
        self.until(&format!("{conflicts} conflicts"), is_so).await;
    }

    /// Edits files on both sides at once.
    async fn edit(&self, edits: &[(&str, &str, &[u8], &[u8])]) {
        self.stage.app.synced().pause_synced_folder(self.added.id.clone()).await.unwrap();
        self.until("the pause", |folder| folder.state == SyncedState::Paused).await;
        for (name, mime_type, here, there) in edits {
            let items = self.stage.list(Some(&self.added.drive_folder_id)).await.items;
            let file = items.iter().find(|item| item.name == *name).unwrap();
            replace_content(&self.service, &file.id, mime_type, there).await;
            // Two clocks, one of which is a file system's, tell for sure only what is more than a second apart.
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            std::fs::write(self.folder.join(name), here).unwrap();
        }
        self.stage.app.synced().resume_synced_folder(self.added.id.clone()).await.unwrap();
        self.until_up_to_date(edits.len() as u64).await;
    }

    async fn conflict(&self, path: &str) -> SyncedConflict {
        let listed = self.stage.app.synced().list_synced_conflicts(None).await.unwrap();
        listed.into_iter().find(|conflict| conflict.path == path).unwrap()
    }
}

fn choice(conflict: &SyncedConflict, keep: ConflictKeep) -> ConflictChoice {
    ConflictChoice {
        folder_id: conflict.folder_id.clone(),
        conflict_id: conflict.id.clone(),
        keep,
        original_seen: conflict.original.seen.clone(),
        copy_seen: conflict.copy.seen.clone(),
    }
}

/// A text and a drawing, each edited on both sides. The text's name is no other file's.
async fn with_two_conflicts(studio: &Studio) -> (Scene, SyncedConflict, SyncedConflict) {
    let name = format!("{}.txt", uuid::Uuid::new_v4().simple());
    let scene = Scene::open(studio, &[(&name, b"one\ntwo\nthree\n"), ("mark.svg", b"<svg/>")]).await;
    assert_eq!(scene.stage.app.synced().list_synced_conflicts(None).await.unwrap(), []);
    let text = (name.as_str(), "text/plain", &b"one\ntwo, here\nthree\n"[..], &b"one\ntwo, there\nthree\nfour\n"[..]);
    let drawing = ("mark.svg", "image/svg+xml", &b"<svg id='here'/>"[..], &b"<svg id='there'/>"[..]);
    scene.edit(&[text, drawing]).await;
    let (text, drawing) = (scene.conflict(&name).await, scene.conflict("mark.svg").await);
    (scene, text, drawing)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_versions_are_listed_with_what_is_known_and_looked_into() {
    let studio = Studio::start(Options::new());
    let (scene, text, drawing) = with_two_conflicts(&studio).await;
    let app = &scene.stage.app;
    assert_eq!((text.folder_name.as_str(), &text.original.name), ("Brand", &text.path));
    let stem = text.path.trim_end_matches(".txt");
    assert!(text.copy.name.starts_with(&format!("{stem} (conflict, laptop, ")), "{text:?}");
    assert_eq!((text.original.size_bytes.get(), text.copy.size_bytes.get()), (26, 20));
    assert!(!text.stays_in_drive);
    // It was written here after the other was put in the drive, and long before that was fetched.
    assert_eq!((text.newest, drawing.newest), (Some(ConflictKeep::Copy), Some(ConflictKeep::Copy)), "{text:?}");
    assert_eq!(text.original.picture, None);
    let compared = app.synced().compare_synced_conflict(text.folder_id.clone(), text.id.clone()).await.unwrap();
    let differences = compared.text.unwrap();
    assert_eq!((differences.original_lines.get(), differences.copy_lines.get(), differences.is_cut), (2, 1, false));
    let says = |line: &Option<DifferenceLine>| line.as_ref().map(|line| line.text.clone());
    let rows: Vec<_> = differences.rows.iter().map(|row| (row.is_same, says(&row.copy), says(&row.original))).collect();
    let line = |text: &str| Some(text.to_owned());
    let expected = [
        (true, line("one"), line("one")),
        (false, line("two, here"), line("two, there")),
        (true, line("three"), line("three")),
        (false, None, line("four")),
    ];
    assert_eq!(rows, expected);
    // The copy was put in the drive by this person; who changed the other there last, this service does not tell.
    assert!(compared.copy_by.is_some_and(|by| by.is_you));
    assert_eq!(compared.original_by, None);

    let compared = app.synced().compare_synced_conflict(drawing.folder_id.clone(), drawing.id.clone()).await.unwrap();
    assert_eq!(compared.text, None);
    for (version, expected) in [(&drawing.original, "<svg id='there'/>"), (&drawing.copy, "<svg id='here'/>")] {
        let path = version.picture.as_ref().unwrap().split_once("localhost").unwrap().1;
        let picture = app.media().get_media(path).await.unwrap();
        assert_eq!((picture.mime_type.as_str(), &picture.bytes[..]), ("image/svg+xml", expected.as_bytes()));
        let no_side = path.replace("/copy/", "/both/").replace("/original/", "/both/");
        for other in [format!("{path}/x"), format!("{path}0"), no_side] {
            assert!(app.media().get_media(&other).await.is_none(), "{other}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_versions_of_a_document_are_seen_by_their_first_pages() {
    let studio = Studio::start(Options::new());
    let page = |color: &str| samples::pdf("0 0 200 100", &format!("{color} rg 0 0 200 100 re f"));
    let scene = Scene::open(&studio, &[("Offer.pdf", &page("0 0 0"))]).await;
    scene.edit(&[("Offer.pdf", "application/pdf", &page("1 0 0"), &page("0 0 1"))]).await;
    let conflict = scene.conflict("Offer.pdf").await;
    let mut pictures = Vec::new();
    for version in [&conflict.copy, &conflict.original] {
        let path = version.picture.as_ref().unwrap().split_once("localhost").unwrap().1;
        let picture = scene.stage.app.media().get_media(path).await.unwrap();
        assert_eq!(picture.mime_type, "image/png");
        pictures.push(picture.bytes);
    }
    assert_ne!(pictures[0], pictures[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_are_settled_at_once_but_for_what_changed_since_and_both_can_be_taken_back() {
    let studio = Studio::start(Options::new());
    let (scene, text, drawing) = with_two_conflicts(&studio).await;
    let app = &scene.stage.app;
    std::fs::write(scene.folder.join(&drawing.copy.name), "<svg id='again'/>").unwrap();
    let choices = vec![choice(&drawing, ConflictKeep::Copy), choice(&text, ConflictKeep::Copy)];
    let outcomes = app.synced().settle_synced_conflicts(choices).await.unwrap();
    assert_eq!(outcomes[1], None);
    let refused = outcomes[0].clone().unwrap();
    assert_eq!(refused.code, "conflict_changed");
    assert!(refused.title.contains("mark (conflict, laptop"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(scene.folder.join(&text.path)).unwrap(), "one\ntwo, here\nthree\n");
    assert!(!scene.folder.join(&text.copy.name).exists());
    clear_trash(text.path.trim_end_matches(".txt"));

    let drawing = scene.conflict("mark.svg").await;
    assert_eq!(app.synced().settle_synced_conflicts(vec![choice(&drawing, ConflictKeep::Both)]).await.unwrap(), [None]);
    scene.until_up_to_date(0).await;
    assert_eq!(app.synced().list_synced_conflicts(Some(scene.added.id.clone())).await.unwrap(), []);
    let again = app.synced().settle_synced_conflicts(vec![choice(&drawing, ConflictKeep::Both)]).await.unwrap();
    assert_eq!(again[0].as_ref().unwrap().code, "conflict_over");
    app.synced().reopen_synced_conflict(drawing.folder_id.clone(), drawing.id.clone()).await.unwrap();
    scene.until_up_to_date(1).await;
    let strange = ConflictChoice { copy_seen: "1.2".to_owned(), ..choice(&drawing, ConflictKeep::Both) };
    assert_eq!(
        app.synced().settle_synced_conflicts(vec![strange]).await.unwrap()[0].as_ref().unwrap().code,
        "conflict_over"
    );
    let unknown = app.synced().compare_synced_conflict(drawing.folder_id.clone(), "99".to_owned()).await.unwrap_err();
    assert_eq!(unknown.code, "conflict_over");
    let elsewhere = app.synced().list_synced_conflicts(Some("99".to_owned())).await.unwrap_err();
    assert_eq!(elsewhere.code, "synced_folder_unknown");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_text_and_no_picture_is_shown_by_its_facts_and_a_long_text_by_its_beginning() {
    let studio = Studio::start(Options::new());
    let scene = Scene::open(&studio, &[("deck.pptx", b"PK\0one"), ("long.log", b"one")]).await;
    let added = &scene.added;
    let long = |word: &str| format!("{word}\n").repeat(300_000);
    let (here, there) = (long("here"), long("there"));
    scene
        .edit(&[
            ("deck.pptx", "application/octet-stream", b"PK\0two", b"PK\0three"),
            ("long.log", "text/plain", here.as_bytes(), there.as_bytes()),
        ])
        .await;
    let compare = async |path: &str| {
        let conflict = scene.conflict(path).await;
        scene.stage.app.synced().compare_synced_conflict(added.id.clone(), conflict.id).await.unwrap()
    };
    let deck = compare("deck.pptx").await;
    assert_eq!(deck.text, None);
    // Of a presentation there might have been one, but this one carries none.
    let address = deck.conflict.original.picture.unwrap();
    let path = address.split_once("localhost").unwrap().1;
    assert!(scene.stage.app.media().get_media(path).await.is_none());
    assert!(deck.conflict.newest.is_some());
    let log = compare("long.log").await.text.unwrap();
    assert!(log.is_cut);
    assert_eq!(log.rows.len(), 2_000);
    let _other = upload_into(&scene.service, &added.drive_folder_id, "other.txt", b"other").await;
    scene.until("the folder to go on", |folder| folder.files.get() == 5).await;
    assert_eq!(scene.stage.app.synced().list_synced_conflicts(None).await.unwrap().len(), 2);
}
