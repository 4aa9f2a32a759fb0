//! Pictures of a design exchanged for one of this computer: it goes into the drive, the design shows it, what the design was is a version,
//! and what cannot be used is said and changes nothing.

use easel_app::designs::{AttachmentState, DesignDraft, DesignPicture, DesignTexts, DesignView};
use easel_tests::samples::write_picture;
use easel_tests::studio::{Options, Studio};

use crate::designs::{describe, wait_for_end};
use crate::stage::Stage;

/// A design with a picture of the drive.
async fn make(stage: &Stage) -> DesignView {
    let path = stage.folder.path().join("oven.png");
    write_picture(&path);
    *stage.person.chooses.lock().unwrap() = vec![path];
    let attached = stage.app.attachments().choose_attachments().await.unwrap();
    let attachment_ids = attached.into_iter().map(|attachment| attachment.id).collect();
    let draft = DesignDraft { attachment_ids, ..describe("A poster about tea") };
    let begun = stage.app.generation().describe_design(draft).await.unwrap();
    let done = wait_for_end(stage, &begun.id).await;
    stage.app.designs().get_design(done.design_id.unwrap()).await.unwrap().design
}

fn only(texts: &DesignTexts) -> DesignPicture {
    let all: Vec<&DesignPicture> = texts.pages.iter().flat_map(|page| &page.pictures).collect();
    assert_eq!(all.len(), 1, "{texts:?}");
    all[0].clone()
}

/// Chooses a file and puts it in the place of the design's picture.
async fn exchange(
    stage: &Stage,
    design: &DesignView,
    seen: &DesignTexts,
) -> Result<DesignTexts, easel_app::problem::Problem> {
    let chosen = stage.app.attachments().choose_picture().await?.expect("a picture");
    let file = stage.app.attachments().wait_for_attachment(&chosen.id).await?;
    let (id, reference) = (design.id.clone(), only(seen).reference);
    stage.app.designs().change_design_picture(id, seen.revision.clone(), reference, file).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_this_computer_takes_the_place_of_one_and_the_way_back_is_a_version() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let design = make(&stage).await;
    let before = stage.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    stage.person.chooses.lock().unwrap().clear();
    assert_eq!(stage.app.attachments().choose_picture().await.unwrap(), None, "the person thought better of it");

    let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="8" height="6" fill="#1840c0"/></svg>"##;
    *stage.person.chooses.lock().unwrap() = vec![stage.write("harvest.svg", svg), stage.write("other.svg", svg)];
    let after = exchange(&stage, &design, &before).await.unwrap();
    assert_eq!((only(&after).frame, only(&after).description.as_str()), (only(&before).frame, "Harvest"));
    let names: Vec<String> = stage.list(None).await.items.into_iter().map(|item| item.name).collect();
    assert!(names.contains(&"harvest.svg".to_owned()) && !names.contains(&"other.svg".to_owned()), "{names:?}");

    let versions = stage.app.designs().list_design_versions(design.id.clone()).await.unwrap().versions;
    stage.app.designs().restore_design_version(design.id.clone(), versions[0].id.clone()).await.unwrap();
    let back = stage.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    assert_eq!(only(&back), only(&before));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_picture_is_said_and_the_design_stays() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let design = make(&stage).await;
    let before = stage.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    *stage.person.chooses.lock().unwrap() = vec![stage.write("letter.png", b"Dear all")];
    let chosen = stage.app.attachments().choose_picture().await.unwrap().unwrap();
    assert_ne!(chosen.state, AttachmentState::Failed);
    let refused = exchange(&stage, &design, &before).await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.title.as_str()), ("picture_unreadable", "This picture cannot be used"));
    let after = stage.app.designs().list_design_texts(design.id.clone()).await.unwrap();
    assert_eq!(after.revision, before.revision);

    *stage.person.chooses.lock().unwrap() = vec![stage.folder.path().join("gone.png")];
    let refused = stage.app.attachments().choose_picture().await.unwrap_err();
    assert_eq!(refused.code, "picture_not_taken");
}
