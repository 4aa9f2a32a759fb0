//! Colors of a design chosen in their place: what is drawn has them, what it was is a version, of two people one is told, and a service
//! that has none of it says so once.

use easel_app::designs::{DesignColorChange, DesignColorRole, DesignColors};
use easel_app::events::Event;
use easel_stranger::{Config, Stranger, Switches};
use easel_tests::studio::{Options, Studio};

use crate::designs::make;
use crate::stage::{Stage, draft};

fn accent(color: Option<&str>) -> Vec<DesignColorChange> {
    vec![DesignColorChange { role: DesignColorRole::Accent, color: color.map(str::to_owned) }]
}

/// What is drawn and what was chosen.
fn accent_of(colors: &DesignColors) -> (String, Option<String>) {
    let found = colors.colors.iter().find(|color| color.role == DesignColorRole::Accent).expect("an accent");
    (found.color.clone(), found.chosen.clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_color_is_chosen_and_taken_back_and_of_two_people_the_second_is_told() {
    let studio = Studio::start(Options::new());
    let (ada, ben) = (Stage::connected_to(&studio).await, Stage::connected_to(&studio).await);
    let design = make(&ada, "Tea").await;
    let before = ada.app.designs().list_design_colors(design.id.clone()).await.unwrap();
    assert_eq!((before.colors.len(), accent_of(&before).1), (3, None));
    let change = |stage: &Stage, revision: &str, color: Option<&str>| {
        let (app, id, revision, changes) = (stage.app.clone(), design.id.clone(), revision.to_owned(), accent(color));
        async move { app.designs().change_design_colors(id, revision, changes).await }
    };
    let changed = change(&ada, &before.revision, Some("#0b6e4f")).await.unwrap();
    assert_eq!(accent_of(&changed), ("#0b6e4f".to_owned(), Some("#0b6e4f".to_owned())));
    let told = ada.page.wait_for("news of the design", |event| match event {
        Event::DesignsChanged(changed) if changed.design_ids == [design.id.clone()] => Some(()),
        _ => None,
    });
    told.await;
    let late = change(&ben, &before.revision, Some("#aa0000")).await.unwrap_err();
    assert_eq!(late.code, "canvas_changed");
    let back = change(&ben, &changed.revision, None).await.unwrap();
    assert_eq!(accent_of(&back), accent_of(&before));
    assert_eq!(ada.app.designs().list_design_versions(design.id.clone()).await.unwrap().versions.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_colors_says_so() {
    let stranger = Stranger::with(Config::new(Switches::none())).await.unwrap();
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(stranger.base_url(), stranger.key())).await.unwrap();
    let refused =
        stage.app.designs().list_design_colors("cvs_00000000000000000000000001".to_owned()).await.unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.title.as_str()),
        ("not_offered", "Colors cannot be changed with a click here")
    );
}
