//! Brand kits: made, changed, given a logo and deleted; and the organizations whose they are.

use easel_app::brand_kits::{BrandColorView, BrandFontView, BrandImagePurpose, BrandKitDraft};
use easel_tests::samples;
use easel_tests::studio::{Options, Studio};

use crate::stage::Stage;

fn draft(title: &str) -> BrandKitDraft {
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
    assert_eq!(
        app.brand_kits().add_brand_kit_logo(other.id.clone()).await.unwrap(),
        None,
        "the person thought better of it"
    );
    let logo = stage.write("logo.png", b"");
    samples::write_picture(&logo);
    *stage.person.chooses.lock().unwrap() = vec![logo.clone()];
    let kit = app.brand_kits().add_brand_kit_logo(other.id.clone()).await.unwrap().unwrap();
    assert_eq!((kit.logos.len(), kit.logos[0].group.as_str()), (1, "logo"));
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
