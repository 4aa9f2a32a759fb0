//! Exports: a file of the right kind where the person wants it, paced, resumed and never over another.

use easel_app::designs::DesignDraft;
use easel_app::events::Event;
use easel_app::exports::{
    ExportChoice, ExportFormat, ExportPages, ExportPlace, ExportPlan, ExportState, ExportView, ExportWait,
};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};

use crate::designs::{describe, make};
use crate::stage::{SOON, Stage};

const PDF: ExportChoice = ExportChoice { format: ExportFormat::Pdf, page: None, scale: None, flatten: true };

fn plan() -> ExportPlan {
    ExportPlan {
        format: ExportFormat::Pdf,
        pages: ExportPages::All,
        scale: None,
        flatten: true,
        name_pattern: String::new(),
        folder_id: None,
    }
}

async fn export(stage: &Stage, id: &str) -> ExportView {
    let list = stage.app.exports().list_exports().await.unwrap().exports;
    list.into_iter().find(|export| export.id == id).expect("it is listed")
}

async fn wait_for_end(stage: &Stage, id: &str) -> ExportView {
    wait_for("the export's end", SOON, async || {
        let export = export(stage, id).await;
        let is_over = matches!(export.state, ExportState::Finished | ExportState::Failed | ExportState::Canceled);
        if is_over { Ok(export) } else { Err(format!("{export:?}")) }
    })
    .await
}

fn downloads(stage: &Stage) -> std::path::PathBuf {
    let folder = stage.folder.path().join("Downloads");
    std::fs::create_dir_all(&folder).unwrap();
    *stage.person.downloads.lock().unwrap() = Some(folder.clone());
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_a_file_in_downloads_and_never_over_another() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = downloads(&stage);
    let design = make(&stage, "Tea: a poster").await;
    std::fs::write(folder.join("Tea_ a poster.pdf"), "mine").unwrap();

    let begin = || stage.app.exports().export_design(design.id.clone(), PDF, ExportPlace::Downloads);
    let (begun, again) = tokio::join!(begin(), begin());
    let begun = begun.unwrap().unwrap();
    assert_eq!(begun.id, again.unwrap().unwrap().id, "a double click is one export");
    let done = wait_for_end(&stage, &begun.id).await;
    assert_eq!(
        (done.state, done.file_name.as_deref()),
        (ExportState::Finished, Some("Tea_ a poster (2).pdf")),
        "{done:?}"
    );
    assert_eq!((done.place.as_deref(), done.design_name.as_str()), (Some("Downloads"), "Tea: a poster"));
    assert_eq!(std::fs::read(folder.join("Tea_ a poster.pdf")).unwrap(), b"mine");
    assert!(std::fs::read(folder.join("Tea_ a poster (2).pdf")).unwrap().starts_with(b"%PDF-"));
    stage.app.exports().reveal_export(begun.id.clone()).await.unwrap();
    stage.app.exports().open_export(begun.id.clone()).await.unwrap();
    assert_eq!(stage.person.revealed.lock().unwrap()[0], folder.join("Tea_ a poster (2).pdf"));
    let told = stage.page.events().into_iter().filter(|event| matches!(event, Event::ExportsChanged(_))).count();
    assert!((1..20).contains(&told), "{told} events");

    // The history is kept, the address of the result is not.
    let written = String::from_utf8_lossy(&stage.everything_written()).into_owned();
    assert!(!written.contains("signature="), "a signed address is on disk");
    let stage = stage.start_again().await;
    assert_eq!(export(&stage, &begun.id).await.state, ExportState::Finished);
    stage.app.exports().cancel_export(begun.id.clone()).await.unwrap();
    assert_eq!(stage.app.exports().list_exports().await.unwrap().exports, []);
    assert_eq!(stage.app.exports().reveal_export(begun.id).await.unwrap_err().code, "export_unknown");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_pages_as_pictures_come_as_one_zip_where_the_person_said() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let request = DesignDraft { name: Some("Deck".to_owned()), page_count: Some(3), ..describe("A deck about tea") };
    let begun = stage.app.generation().describe_design(request).await.unwrap();
    let done = crate::designs::wait_for_end(&stage, &begun.id).await;
    let place = stage.folder.path().join("chosen");
    std::fs::create_dir(&place).unwrap();
    let choice = ExportChoice { format: ExportFormat::Png, scale: Some(1), ..PDF };
    let id = done.design_id.unwrap();
    assert_eq!(stage.app.exports().export_design(id.clone(), choice, ExportPlace::Ask).await.unwrap(), None);
    *stage.person.chooses.lock().unwrap() = vec![place.clone()];
    // The person thought better of it a moment ago, and clicks again when that is no double click any more.
    let begun = wait_for("an export", SOON, async || {
        stage.app.exports().export_design(id.clone(), choice, ExportPlace::Ask).await.unwrap().ok_or("none")
    })
    .await;
    let done = wait_for_end(&stage, &begun.id).await;
    assert_eq!((done.format.as_str(), done.file_name.as_deref()), ("zip", Some("Deck.zip")), "{done:?}");
    assert!(std::fs::read(place.join("Deck.zip")).unwrap().starts_with(b"PK"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_are_started_than_the_minute_holds_and_a_stopped_one_leaves_nothing() {
    let studio = Studio::start(Options::new().with("--exports-per-minute", "2"));
    let stage = Stage::connected_to(&studio).await;
    let folder = downloads(&stage);
    let mut ids = Vec::new();
    for name in ["One", "Two", "Three", "Four"] {
        ids.push(make(&stage, name).await.id);
    }
    let begun = stage.app.exports().export_designs(ids, plan()).await.unwrap();
    for export in &begun[..2] {
        assert_eq!(wait_for_end(&stage, &export.id).await.state, ExportState::Finished);
    }
    let list = wait_for("the two others to wait", SOON, async || {
        let list = stage.app.exports().list_exports().await.unwrap();
        let waits = list.exports.iter().any(|export| export.waits_for == Some(ExportWait::Rate));
        if waits { Ok(list) } else { Err(format!("{list:?}")) }
    })
    .await;
    assert_eq!((list.waiting.get(), list.per_minute), (2, Some(2)));
    let left = list.time_left_ms.unwrap().get();
    assert!((30_000..=60_000).contains(&left), "{left} ms");
    for export in &begun[2..] {
        stage.app.exports().cancel_export(export.id.clone()).await.unwrap();
        assert_eq!(wait_for_end(&stage, &export.id).await.state, ExportState::Canceled);
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_waits_for_the_task_that_works_on_its_design_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = Studio::start(Options::new().data_dir(folder.path()));
    let stage = Stage::connected_to(&studio).await;
    downloads(&stage);
    let design = make(&stage, "Tea").await;
    studio.stop();
    drop(studio);
    let address = stage.app.connections().list_connections().await.unwrap()[0].address.clone().unwrap();
    let listen = address.strip_prefix("http://").unwrap();
    let again = Options::new().data_dir(folder.path()).listen(listen, "127.0.0.1:0").with("--inject", "pause=60000");
    let _studio = Studio::start(again);
    stage
        .app
        .connections()
        .retry_connection(stage.app.connections().list_connections().await.unwrap()[0].id.clone())
        .await
        .unwrap();

    let task = stage.app.generation().edit_design(design.id.clone(), "darker".to_owned()).await.unwrap();
    wait_for("the task at the service", SOON, async || {
        let tasks = stage.app.tasks().list_tasks(easel_app::tasks::TaskFilter::Running, None, 10).await.unwrap().tasks;
        tasks.into_iter().find(|task| task.task_id.is_some() && task.edits).ok_or("not there")
    })
    .await;
    let begun = stage.app.exports().export_design(design.id, PDF, ExportPlace::Downloads).await.unwrap().unwrap();
    wait_for("it to say what it waits for", SOON, async || {
        let export = export(&stage, &begun.id).await;
        if export.waits_for == Some(ExportWait::Task) { Ok(()) } else { Err(format!("{export:?}")) }
    })
    .await;
    stage.app.tasks().cancel_task(task.id).await.unwrap();
    assert_eq!(wait_for_end(&stage, &begun.id).await.state, ExportState::Finished);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_goes_where_its_preset_says_and_is_named_by_the_pattern_also_after_a_restart() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let place = stage.folder.path().join("For the printer");
    std::fs::create_dir(&place).unwrap();
    *stage.person.chooses.lock().unwrap() = vec![place.clone()];
    let folder = stage.app.exports().choose_export_folder().await.unwrap().unwrap();
    assert_eq!(folder.name, "For the printer");
    let request = ExportPlan {
        format: ExportFormat::Png,
        pages: ExportPages::First,
        scale: Some(9),
        name_pattern: "{number} {name}".to_owned(),
        folder_id: Some(folder.id.clone()),
        ..plan()
    };
    let unknown = ExportPlan { folder_id: Some("elsewhere".to_owned()), ..plan() };
    let refused = stage.app.exports().save_export_preset("Print".to_owned(), unknown.clone()).await.unwrap_err();
    assert_eq!(refused.code, "export_folder_unknown");
    assert_eq!(
        stage.app.exports().save_export_preset(" ".to_owned(), plan()).await.unwrap_err().code,
        "name_not_usable"
    );
    stage.app.exports().save_export_preset("Print".to_owned(), plan()).await.unwrap();
    let kept = stage.app.exports().save_export_preset(" Print ".to_owned(), request).await.unwrap();
    assert_eq!((kept.len(), kept[0].plan.scale), (1, None), "one of a name, and within the bounds: {kept:?}");
    let ids = [make(&stage, "Tea").await.id, make(&stage, "Rye").await.id];

    let stage = stage.start_again().await;
    stage.wait_for_state(easel_app::connections::ConnectionState::Ready).await;
    let preset = stage.app.exports().list_export_presets().await.unwrap().pop().unwrap();
    assert_eq!(preset.folder, Some(folder));
    assert_eq!(
        stage.app.exports().export_designs(ids.to_vec(), unknown).await.unwrap_err().code,
        "export_folder_unknown"
    );
    let begun = stage.app.exports().export_designs(ids.to_vec(), preset.plan.clone()).await.unwrap();
    for export in &begun {
        assert_eq!(wait_for_end(&stage, &export.id).await.state, ExportState::Finished);
    }
    let mut names: Vec<_> =
        std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["1 Tea.png", "2 Rye.png"]);
    assert_eq!(stage.app.exports().delete_export_preset(preset.id).await.unwrap(), []);
}
