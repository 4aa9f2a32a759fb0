//! The built-in studio, copied to another connection: a real studio beside it, which a team could run.

use std::time::Duration;

use easel_app::brand_kits::BrandImagePurpose;
use easel_app::designs::DesignSort;
use easel_app::drive::{DriveItem, DriveItemKind};
use easel_app::events::Event;
use easel_app::migration::{MigrationState, MigrationView};
use easel_stranger::{Config, Stranger, Switch, Switches};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};

use crate::brand_kits;
use crate::stage::{Stage, draft};

/// A studio on this computer with files in folders, and a team's studio that is connected as well. Returns the id of the
/// team's.
async fn stage_beside(team: &Studio) -> (Stage, String) {
    stage_with(&team.base_url, &team.create_key("ada").key).await
}

/// The same beside any service.
async fn stage_with(address: &str, key: &str) -> (Stage, String) {
    let stage = Stage::open();
    let other = stage.app.connections().connect_service(draft(address, key)).await.unwrap();
    stage.app.connections().start_local_studio(false).await.unwrap();
    stage.put("plan.txt", b"what we do first", None).await;
    let make = async |name: &str, above: Option<&str>| {
        stage.app.drive().create_folder(above.map(str::to_owned), name.to_owned()).await.unwrap().id
    };
    let brand = make("Brand", None).await;
    let photos = make("Photos", Some(&brand)).await;
    stage.put("logo.svg", b"<svg/>", Some(&brand)).await;
    stage.put("harbour.txt", b"a picture of the harbour", Some(&photos)).await;
    // A first start makes three designs by itself.
    wait_for("the samples", Duration::from_secs(60), async || {
        let made = stage.app.designs().list_designs(String::new(), DesignSort::Newest, None, 100).await;
        let made = made.unwrap().designs.len();
        if made == 3 { Ok(()) } else { Err(format!("{made} designs")) }
    })
    .await;
    (stage, other.id)
}

async fn ended(stage: &Stage, from: usize) -> MigrationView {
    let mut seen = from;
    loop {
        let events = stage.page.events();
        let ended = events.iter().skip(seen).find_map(|event| match event {
            Event::MigrationMoved(moved) => moved.view.clone().filter(|view| view.state != MigrationState::Copying),
            _ => None,
        });
        if let Some(ended) = ended {
            return ended;
        }
        seen = events.len();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What was sent does not stay on this disk twice: the uploads remove it when they hear of its end.
async fn until_nothing_lies_here(stage: &Stage) {
    wait_for("what was sent to go from this disk", Duration::from_secs(60), async || {
        let left = std::fs::read_dir(stage.data_dir().join("pasted")).map_or(0, Iterator::count);
        if left == 0 { Ok(()) } else { Err(format!("{left} left")) }
    })
    .await;
}

async fn named(stage: &Stage, folder: Option<&str>) -> Vec<DriveItem> {
    stage.list(folder).await.items
}

async fn folder(stage: &Stage, above: Option<&str>, name: &str) -> String {
    let items = named(stage, above).await;
    let found = items.iter().find(|item| item.name == name && item.kind == DriveItemKind::Folder);
    found.unwrap_or_else(|| panic!("no {name} in {items:?}")).id.clone()
}

fn names(items: &[DriveItem]) -> Vec<&str> {
    let mut names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
    names.sort_unstable();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_studio_is_copied_to_a_team_in_numbers_first_and_nothing_is_sent_twice() {
    let team = Studio::start(Options::new());
    let (stage, other) = stage_beside(&team).await;
    let brand = folder(&stage, None, "Brand").await;
    let logo = named(&stage, Some(&brand)).await.into_iter().find(|item| item.name == "logo.svg").unwrap();
    let kits = stage.app.brand_kits();
    let kit = kits.create_brand_kit(brand_kits::draft("Summer tea")).await.unwrap();
    let on_light = Some("On light".to_owned());
    kits.add_brand_kit_image(kit.id.clone(), logo.id, BrandImagePurpose::Logo, on_light.clone()).await.unwrap();
    // Of one content the team has a file elsewhere, and a service keeps one file for one content.
    let mark = stage.put("mark.svg", b"<svg id='mark'/>", Some(&brand)).await;
    let on_dark = Some("On dark".to_owned());
    kits.add_brand_kit_image(kit.id, mark.id, BrandImagePurpose::Logo, on_dark.clone()).await.unwrap();
    let here = stage.app.connections().list_connections().await.unwrap();
    let local = here.iter().find(|connection| connection.id != other).unwrap().id.clone();
    stage.app.connections().select_connection(other.clone()).await.unwrap();
    let theirs = stage.put("their mark.svg", b"<svg id='mark'/>", None).await;
    stage.app.connections().select_connection(local).await.unwrap();
    let migration = stage.app.migration();
    let before = migration.preview_migration(other.clone()).await.unwrap();
    assert_eq!((before.files.get(), before.designs.get(), before.there.get()), (4, 3, 0));
    assert!(before.folder_name.starts_with("Easel"), "{before:?}");
    let local: Vec<String> = named(&stage, None).await.into_iter().map(|item| item.name).collect();

    migration.start_migration(other.clone()).await.unwrap();
    let first = ended(&stage, 0).await;
    assert_eq!((first.state, first.failed.get()), (MigrationState::Done, 0), "{first:?}");
    assert_eq!((first.done.get(), first.total.get()), (7, 7));
    assert_eq!(first.left, [] as [&str; 0]);
    let now = migration.preview_migration(other.clone()).await.unwrap();
    assert_eq!(now.there.get(), 6, "everything is there");

    // What is there already is not sent again; what came since is.
    stage.put("later.txt", b"made after the copy", None).await;
    let seen = stage.page.events().len();
    migration.start_migration(other.clone()).await.unwrap();
    let second = ended(&stage, seen).await;
    assert_eq!(second.state, MigrationState::Done, "{second:?}");
    assert_eq!(second.bytes.get(), b"made after the copy".len() as u64, "only what is new was sent");
    let here: Vec<String> = named(&stage, None).await.into_iter().map(|item| item.name).collect();
    assert_eq!(here.iter().filter(|name| *name != "later.txt").collect::<Vec<_>>(), local.iter().collect::<Vec<_>>());

    stage.app.connections().select_connection(other).await.unwrap();
    let top = folder(&stage, None, &before.folder_name).await;
    let brand = folder(&stage, Some(&top), "Brand").await;
    let photos = folder(&stage, Some(&brand), "Photos").await;
    let at_top = named(&stage, Some(&top)).await;
    assert!(names(&at_top).contains(&"plan.txt") && names(&at_top).contains(&"later.txt"), "{:?}", names(&at_top));
    let in_brand = named(&stage, Some(&brand)).await;
    assert_eq!(names(&in_brand), ["Photos", "logo.svg"]);
    // A kit's picture is the copy of its file.
    let there = stage.app.brand_kits().list_brand_kits().await.unwrap();
    let logos: Vec<_> = there.iter().flat_map(|kit| &kit.logos).map(|logo| (&logo.name, &logo.file_id)).collect();
    let copy = in_brand.iter().find(|item| item.name == "logo.svg").map(|item| item.id.clone());
    assert_eq!(logos, [(&on_light, &copy), (&on_dark, &Some(theirs.id))], "{there:?}");
    assert_eq!(names(&named(&stage, Some(&photos)).await), ["harbour.txt"]);
    let designs = folder(&stage, Some(&top), "Designs").await;
    assert_eq!(
        names(&named(&stage, Some(&designs)).await),
        ["Harbour Lights.pptx", "How a remix comes about.pptx", "Welcome to Easel.pptx"]
    );
    until_nothing_lies_here(&stage).await;
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_stopped_leaves_nothing_here_and_the_next_one_goes_on() {
    let team = Studio::start(Options::new());
    let (stage, other) = stage_beside(&team).await;
    let migration = stage.app.migration();
    migration.start_migration(other.clone()).await.unwrap();
    assert_eq!(migration.start_migration(other.clone()).await.unwrap_err().code, "migration_under_way");
    migration.stop_migration().await.unwrap();
    assert_eq!(ended(&stage, 0).await.state, MigrationState::Stopped);
    until_nothing_lies_here(&stage).await;
    let seen = stage.page.events().len();
    migration.start_migration(other).await.unwrap();
    let second = ended(&stage, seen).await;
    assert_eq!((second.state, second.done.get(), second.failed.get()), (MigrationState::Done, 6, 0), "{second:?}");
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_others_wrote_gets_what_it_takes_and_the_rest_is_named() {
    // Of brand kits, the specification promises only that they are listed; one that is made of an address alone takes none of ours.
    for (switch, left) in [(None, vec![]), (Some(Switch::KitsFromUrlAlone), vec!["Summer tea"])] {
        let switches = switch.map_or_else(Switches::none, |switch| Switches::of(&[switch]));
        let stranger = Stranger::with(Config::new(switches)).await.unwrap();
        let (stage, other) = stage_with(stranger.base_url(), stranger.key()).await;
        stage.app.brand_kits().create_brand_kit(brand_kits::draft("Summer tea")).await.unwrap();
        stage.app.migration().start_migration(other.clone()).await.unwrap();
        let ended = ended(&stage, 0).await;
        assert_eq!((ended.state, ended.done.get(), ended.failed.get()), (MigrationState::Done, 6, 0), "{ended:?}");
        assert_eq!(ended.left, left, "{switch:?}");
        let now = stage.app.migration().preview_migration(other).await.unwrap();
        assert_eq!(now.there.get(), 6, "everything is there");
        stage.app.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_cannot_reach_the_other_side_says_so_and_goes_on_later() {
    let mut team = Studio::start(Options::new());
    let (stage, other) = stage_beside(&team).await;
    let migration = stage.app.migration();
    assert_eq!(migration.get_migration().await.unwrap(), None);
    team.stop();
    let refused = migration.preview_migration(other.clone()).await.unwrap_err();
    assert!(!refused.title.is_empty());
    migration.start_migration(other.clone()).await.ok();
    if migration.get_migration().await.unwrap().is_some() {
        let broken = ended(&stage, 0).await;
        assert_eq!(broken.state, MigrationState::Failed, "{broken:?}");
        assert!(broken.problem.is_some());
    }
    let unknown = migration.start_migration("nobody".to_owned()).await.unwrap_err();
    assert_eq!(unknown.code, "connection_unknown");
    stage.app.close().await;
}
