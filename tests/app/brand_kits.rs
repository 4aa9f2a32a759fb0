//! Brand kits: made, changed, given a logo and deleted; and the organizations whose they are.

use easel_app::brand_kits::{BrandColorView, BrandFontView, BrandImagePurpose, BrandKitDraft};
use easel_app::events::Event;
use easel_app::uploads::{DropArea, DropOver, DropTarget};
use easel_tests::samples;
use easel_tests::studio::{Options, Studio};

use crate::stage::Stage;

pub fn draft(title: &str) -> BrandKitDraft {
    BrandKitDraft {
        title: title.to_owned(),
        is_default: false,
        company_name: Some("Harbour Tea".to_owned()),
        tagline: None,
        colors: vec![BrandColorView { color: "#224466".to_owned(), label: Some("primary".to_owned()) }],
        fonts: vec![BrandFontView { family: "Inter".to_owned(), label: None, weight: Some(600) }],
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kit_is_made_changed_given_a_logo_and_deleted() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let app = &stage.app;
    let first = app.brand_kits().create_brand_kit(draft("Harbour")).await.unwrap();
    let other = app.brand_kits().create_brand_kit(draft("Winter")).await.unwrap();
    assert!(first.is_default && !other.is_default, "the first kit of a team is its default");
    let listed: Vec<String> =
        app.brand_kits().list_brand_kits().await.unwrap().into_iter().map(|kit| kit.title).collect();
    assert_eq!(listed, ["Harbour", "Winter"], "the default first");

    let change = BrandKitDraft { company_name: None, colors: Vec::new(), is_default: true, ..draft("Winter tea") };
    let changed = app.brand_kits().change_brand_kit(other.id.clone(), change).await.unwrap();
    assert_eq!((changed.title.as_str(), changed.colors.len(), changed.is_default), ("Winter tea", 0, true));
    assert_eq!(changed.company_name.unwrap_or_default(), "", "what was emptied is empty");
    assert_eq!(app.brand_kits().create_brand_kit(draft("")).await.unwrap_err().code, "validation_failed");

    stage.person.chooses.lock().unwrap().clear();
    assert_eq!(app.brand_kits().choose_brand_file().await.unwrap(), None, "the person thought better of it");
    let logo = stage.write("Harbour logo.png", b"");
    samples::write_picture(&logo);
    *stage.person.chooses.lock().unwrap() = vec![logo.clone()];
    let found = app.brand_kits().choose_brand_file().await.unwrap().unwrap();
    assert_eq!((found.file_name.as_str(), found.title.as_str()), ("Harbour logo.png", "Harbour"));
    assert!(!found.colors.is_empty(), "{found:?}");
    let found = found.logo.unwrap();
    assert!(found.preview.starts_with("data:image/png;base64,"));
    let kit = app.brand_kits().add_found_logo(other.id.clone(), found.id.clone()).await.unwrap();
    assert_eq!((kit.logos.len(), kit.logos[0].group.as_str()), (1, "logo"));
    let later = app.brand_kits().choose_brand_file().await.unwrap().unwrap().logo.unwrap();
    let stale = app.brand_kits().add_found_logo(other.id.clone(), found.id).await;
    assert_eq!(stale.unwrap_err().code, "attachment_unknown", "only the one that was found last is kept");
    assert_ne!(later.preview, "");
    let address = kit.logos[0].thumbnail.clone().unwrap();
    let picture = app.media().get_media(address.split_once("://localhost").unwrap().1).await.unwrap();
    assert_eq!((picture.mime_type, picture.bytes.to_vec()), ("image/png".to_owned(), std::fs::read(&logo).unwrap()));
    let file = kit.logos[0].file_id.clone().unwrap();
    let label = Some("On dark".to_owned());
    let kit =
        app.brand_kits().add_brand_kit_image(other.id.clone(), file, BrandImagePurpose::Asset, label).await.unwrap();
    assert!(kit.logos.iter().any(|image| image.group == "asset" && image.name.as_deref() == Some("On dark")));

    app.brand_kits().delete_brand_kit(other.id.clone()).await.unwrap();
    assert_eq!(app.brand_kits().get_brand_kit(other.id.clone()).await.unwrap_err().code, "brand_kit_not_found");
    assert_eq!(app.brand_kits().delete_brand_kit(other.id).await.unwrap_err().code, "brand_kit_not_found");
    assert_eq!(app.brand_kits().get_brand_kit(first.id).await.unwrap().title, "Harbour");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_file_begins_a_kit_and_one_that_shows_no_brand_says_so() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let uploads = stage.app.uploads();
    let target = DropTarget { folder_id: None, label: "the drive".to_owned() };
    uploads.set_drop_target(Some(target)).await.unwrap();
    let area = DropArea { left: 0.0, top: 0.0, right: 900.0, bottom: 700.0 };
    uploads.set_drop_area(DropOver::BrandKit, Some(area));
    let drawing = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40">
        <circle cx="20" cy="20" r="18" fill="#c8102e"/><rect x="44" y="10" width="36" height="20" fill="#0c2340"/></svg>"##;
    let drawn = stage.write("Harbour logo.svg", drawing);
    uploads.take_drop(vec![drawn], (100.0, 100.0)).await;
    let found = stage.page.wait_for("what the file shows", |event| match event {
        Event::BrandFileDropped(dropped) => dropped.found.clone(),
        _ => None,
    });
    let found = found.await;
    let colors: Vec<&str> = found.colors.iter().map(|color| color.color.as_str()).collect();
    assert_eq!((found.title.as_str(), colors), ("Harbour", vec!["#c8102e", "#0c2340"]));
    assert!(stage.list(None).await.items.is_empty(), "nothing is sent before the person saves");

    for (name, bytes) in [
        ("notes.txt", b"some words".as_slice()),
        ("broken.png", b"\x89PNG\r\n\x1a\nbroken"),
        ("zip.pptx", b"PK\x03\x04"),
    ] {
        let file = stage.write(name, bytes);
        uploads.take_drop(vec![file], (100.0, 100.0)).await;
        stage
            .page
            .wait_for(name, |event| match event {
                Event::BrandFileDropped(dropped) => {
                    dropped.problem.as_ref().filter(|problem| problem.title.contains(name)).map(|problem| {
                        assert_eq!(problem.code, "brand_file_unreadable");
                    })
                }
                _ => None,
            })
            .await;
    }
    uploads.set_drop_area(DropOver::BrandKit, None);
    uploads.take_drop(vec![stage.write("into the drive.txt", b"words")], (100.0, 100.0)).await;
    stage.page.wait_for("the drop", |event| matches!(event, Event::FilesDropped(_)).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_organizations_of_the_key_are_listed() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let account = stage.app.connections().list_connections().await.unwrap()[0].account.clone().unwrap();
    let organizations = stage.app.organizations().list_organizations().await.unwrap();
    assert_eq!(organizations.len(), 1);
    assert_eq!(organizations[0].name, account.organization_name);
    assert_eq!(organizations[0].plan, account.plan);
    assert_eq!(organizations[0].teams, [account.team_name.unwrap()]);
}
