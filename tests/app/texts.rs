//! Texts of a design changed where they stand: what is exported says so, what it was is a version, of two people one is told, and a
//! service that has none of it says so once.

use std::process::Command;

use easel_app::designs::{DesignText, DesignTextChange, DesignTexts};
use easel_app::events::Event;
use easel_app::exports::{ExportChoice, ExportFormat, ExportPlace, ExportState};
use easel_stranger::{Config, Stranger, Switches};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};

use crate::designs::make;
use crate::stage::{SOON, Stage, draft};

/// The first text that has some letters, and the number of its page.
fn first(texts: &DesignTexts) -> (u32, DesignText) {
    let all = texts.pages.iter().flat_map(|page| page.texts.iter().map(move |text| (page.number, text.clone())));
    let mut titles = all.filter(|(_, text)| text.text.chars().filter(|letter| letter.is_alphabetic()).count() > 2);
    titles.next().unwrap_or_else(|| panic!("no text: {texts:?}"))
}

fn other_words(texts: &DesignTexts, words: &str) -> Vec<DesignTextChange> {
    let (page, text) = first(texts);
    vec![DesignTextChange { page, reference: text.reference, text: words.to_owned() }]
}

/// What the exported PDF says.
async fn words_of_pdf(stage: &Stage, design_id: &str) -> String {
    let choice = ExportChoice { format: ExportFormat::Pdf, page: None, scale: None, flatten: false };
    let begun =
        stage.app.exports().export_design(design_id.to_owned(), choice, ExportPlace::Downloads).await.unwrap().unwrap();
    let done = wait_for("the export's end", SOON, async || {
        let all = stage.app.exports().list_exports().await.unwrap().exports;
        let export = all.into_iter().find(|export| export.id == begun.id).expect("it is listed");
        let is_over = matches!(export.state, ExportState::Finished | ExportState::Failed | ExportState::Canceled);
        if is_over { Ok(export) } else { Err(format!("{export:?}")) }
    })
    .await;
    assert_eq!(done.state, ExportState::Finished, "{done:?}");
    let folder = stage.person.downloads.lock().unwrap().clone().unwrap();
    let read = Command::new("pdftotext").arg(folder.join(done.file_name.unwrap())).arg("-").output().unwrap();
    assert!(read.status.success(), "{read:?}");
    String::from_utf8_lossy(&read.stdout).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_changed_is_in_what_is_exported_and_what_was_there_is_a_version() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let downloads = stage.folder.path().join("Downloads");
    std::fs::create_dir_all(&downloads).unwrap();
    *stage.person.downloads.lock().unwrap() = Some(downloads);
    let design = make(&stage, "Tea").await;
    let before = stage.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    let (page, old) = first(&before);
    assert!(old.frame.width > 0 && old.size_hundredths.is_some() && old.color.is_some(), "{old:?}");

    let changed = stage.app.designs().change_design_texts(
        design.id.clone(),
        before.revision.clone(),
        other_words(&before, "Mornings"),
    );
    let changed = changed.await.unwrap();
    assert_eq!(changed.design.id, design.id);
    assert_ne!(changed.revision, before.revision);
    let picture = |texts: &DesignTexts| texts.pages.iter().find(|one| one.number == page).unwrap().picture.clone();
    assert_ne!(picture(&changed), picture(&before), "the page asks for another picture");
    let told = stage.page.wait_for("news of the design", |event| match event {
        Event::DesignsChanged(changed) if changed.design_ids == [design.id.clone()] => Some(()),
        _ => None,
    });
    told.await;
    let said = words_of_pdf(&stage, &design.id).await;
    assert!(said.to_lowercase().contains("mornings"), "{said}");

    let versions = stage.app.designs().list_design_versions(design.id.clone()).await.unwrap().versions;
    assert_eq!(versions.len(), 1);
    stage.app.designs().restore_design_version(design.id.clone(), versions[0].id.clone()).await.unwrap();
    let restored = stage.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    assert_eq!((restored.revision, restored.pages[0].texts.len()), (before.revision, before.pages[0].texts.len()));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_change_a_design_the_second_is_told_and_what_is_too_long_is_said_with_what_fits() {
    let studio = Studio::start(Options::new());
    let (ada, ben) = (Stage::connected_to(&studio).await, Stage::connected_to(&studio).await);
    let design = make(&ada, "Tea").await;
    let seen = ada.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    let change = |stage: &Stage, words: &str| {
        let changes = other_words(&seen, words);
        let (app, id, revision) = (stage.app.clone(), design.id.clone(), seen.revision.clone());
        async move { app.designs().change_design_texts(id, revision, changes).await }
    };
    let long = "Morning tea ".repeat(90);
    let check =
        ada.app.designs().check_design_texts(design.id.clone(), seen.revision.clone(), other_words(&seen, &long));
    let refused = check.await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.title.as_str()), ("text_too_long", "Too long for this place"));
    assert!(refused.detail.ends_with(&format!("of {} letters fit.", long.trim().len())), "{refused:?}");
    let tried =
        ada.app.designs().check_design_texts(design.id.clone(), seen.revision.clone(), other_words(&seen, "Evenings"));
    assert_eq!(tried.await.unwrap().revision, seen.revision, "it was only asked");

    change(&ada, "Mornings").await.unwrap();
    let late = change(&ben, "Evenings").await.unwrap_err();
    assert_eq!(late.code, "canvas_changed");
    let now = ben.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    assert_eq!(first(&now).1.text, "Mornings");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_texts_says_so() {
    let stranger = Stranger::with(Config::new(Switches::none())).await.unwrap();
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(stranger.base_url(), stranger.key())).await.unwrap();
    let refused = stage.app.designs().list_design_texts("cvs_00000000000000000000000001".to_owned()).await.unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.title.as_str()),
        ("not_offered", "Texts cannot be changed with a click here")
    );
}
