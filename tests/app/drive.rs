//! The drive: listed in every order, by parts, and changed.

use easel_app::drive::{DriveItemKind, DriveSort, DriveSortColumn};
use easel_app::events::Event;
use easel_app::problem::ActionKind;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::studio::{Options, Studio};

use crate::stage::{BY_NAME, Stage, answer_json, draft};

#[tokio::test(flavor = "multi_thread")]
async fn folders_come_first_and_every_part_of_every_order_fits_the_whole() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    for name in ["beta", "Alpha", "gamma"] {
        stage.app.drive().create_folder(None, name.to_owned()).await.unwrap();
    }
    for (name, size) in [("one.txt", 30), ("Two.txt", 10), ("three.txt", 20), ("Äther.txt", 5)] {
        stage.put(name, &vec![b'x'; size], None).await;
    }
    let names =
        |items: &[easel_app::drive::DriveItem]| -> Vec<String> { items.iter().map(|item| item.name.clone()).collect() };
    let listing = stage.list(None).await;
    assert_eq!(listing.total.get(), 7);
    assert_eq!(names(&listing.items[..3]), ["Alpha", "beta", "gamma"]);
    assert_eq!(names(&listing.items[3..]), ["one.txt", "three.txt", "Two.txt", "Äther.txt"]);
    assert!(listing.items[3].created_by_you && listing.items[3].content_hash.is_some());

    for by in [DriveSortColumn::Name, DriveSortColumn::UpdatedAt, DriveSortColumn::Size] {
        for descending in [false, true] {
            let sort = DriveSort { by, descending };
            let whole = stage.app.drive().list_drive(None, 0, 100, sort).await.unwrap();
            assert!(whole.items[..3].iter().all(|item| item.kind == DriveItemKind::Folder));
            for limit in [1, 2, 3, 5] {
                let mut parts = Vec::new();
                while parts.len() < 7 {
                    let offset = u32::try_from(parts.len()).unwrap();
                    let part = stage.app.drive().list_drive(None, offset, limit, sort).await.unwrap();
                    assert_eq!(part.total.get(), 7);
                    assert!(!part.items.is_empty(), "{sort:?} from {offset}");
                    parts.extend(part.items);
                }
                assert_eq!(names(&parts), names(&whole.items), "{sort:?} by {limit}");
            }
        }
    }
    let sizes: Vec<_> = stage
        .app
        .drive()
        .list_drive(None, 0, 100, DriveSort { by: DriveSortColumn::Size, descending: true })
        .await
        .unwrap()
        .items
        .iter()
        .filter_map(|item| item.size_bytes.map(|size| size.get()))
        .collect();
    assert_eq!(sizes, [30, 20, 10, 5]);
    assert_eq!(stage.app.drive().list_recent_files(2).await.unwrap()[0].name, "Äther.txt");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_drive_is_searched_by_name() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let brand = stage.app.drive().create_folder(None, "Brand".to_owned()).await.unwrap();
    let logos = stage.app.drive().create_folder(Some(brand.id.clone()), "Logos".to_owned()).await.unwrap();
    stage.put("Logo, dark.svg", b"dark", Some(&logos.id)).await;
    stage.put("Logo, light.svg", b"light", Some(&logos.id)).await;
    stage.put("notes.txt", b"notes", None).await;
    let drawn = br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>"#;
    stage.put("drawn.svg", drawn, None).await;

    let check = async |query: &str, limit: u32, expected: &[(&str, &str)], total: u64| {
        let found = stage.app.drive().search_drive(query.to_owned(), limit).await.unwrap();
        assert!(found.is_complete);
        let items: Vec<_> = found.items.iter().map(|item| (item.name.as_str(), item.place.as_str())).collect();
        assert_eq!((items.as_slice(), found.total.get()), (expected, total), "{query}");
    };
    let dark = ("Logo, dark.svg", "Brand / Logos");
    check("logo", 50, &[("Logos", "Brand"), dark, ("Logo, light.svg", "Brand / Logos")], 3).await;
    check("LOGO dark", 50, &[dark], 1).await;
    check("logo", 1, &[("Logos", "Brand")], 3).await;
    check("note", 50, &[("notes.txt", "")], 1).await;
    check("nothing of the kind", 50, &[], 0).await;
    check("  ", 50, &[], 0).await;

    // What is found has its picture, which is told by its name and its content.
    let found = stage.app.drive().search_drive("drawn".to_owned(), 50).await.unwrap();
    let address = found.items[0].thumbnail.clone().unwrap();
    let picture = stage.app.media().get_media(address.split_once("://localhost").unwrap().1).await.unwrap();
    assert_eq!((picture.mime_type.as_str(), picture.bytes.as_ref()), ("image/svg+xml", &drawn[..]));
    let notes = stage.app.drive().search_drive("notes".to_owned(), 50).await.unwrap();
    assert_eq!(notes.items[0].thumbnail, None, "a text has none");

    // What is deleted is gone at once, though it is sent later.
    let found = stage.app.drive().search_drive("dark".to_owned(), 50).await.unwrap();
    stage.app.deletions().delete_items(vec![found.items[0].id.clone()]).await.unwrap();
    check("dark", 50, &[], 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn breadcrumbs_lead_to_a_folder_that_was_never_listed_on_the_way() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let mut parent = None;
    for name in ["Clients", "Rye & Co.", "2026"] {
        parent = Some(stage.app.drive().create_folder(parent, name.to_owned()).await.unwrap().id);
    }
    let deepest = parent.unwrap();
    let stage = stage.start_again().await;
    let listing = stage.list(Some(&deepest)).await;
    let names: Vec<_> = listing.breadcrumbs.iter().map(|crumb| crumb.name.as_str()).collect();
    assert_eq!(names, ["Clients", "Rye & Co.", "2026"]);
    assert_eq!(listing.breadcrumbs[2].id, deepest);
    let tree = stage.app.drive().list_folder_tree().await.unwrap();
    assert_eq!(tree.folders[0].children[0].children[0].name, "2026");
    for wrong in ["fld_00000000000000000000000000", "file_00000000000000000000000000", "x"] {
        let problem = stage.app.drive().list_drive(Some(wrong.to_owned()), 0, 10, BY_NAME).await.unwrap_err();
        assert_eq!((problem.code.as_str(), problem.action.kind), ("folder_not_found", ActionKind::Refresh), "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn items_are_renamed_moved_and_counted_and_the_page_is_told() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let brand = stage.app.drive().create_folder(None, "Brand".to_owned()).await.unwrap();
    let taken = stage.app.drive().create_folder(None, "BRAND".to_owned()).await.unwrap_err();
    assert_eq!(taken.code, "folder_name_conflict");
    assert_eq!(taken.action.target.as_deref(), Some(brand.id.as_str()));
    for name in ["", "a/b", ".."] {
        assert_eq!(stage.app.drive().create_folder(None, name.to_owned()).await.unwrap_err().code, "name_not_usable");
    }
    let file = stage.put("draft.txt", b"draft", None).await;
    let renamed = stage.app.drive().rename_item(file.id.clone(), "final.txt".to_owned()).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.id.as_str()), ("final.txt", file.id.as_str()));
    let folder = stage.app.drive().rename_item(brand.id.clone(), "Brand 2026".to_owned()).await.unwrap();
    assert_eq!((folder.kind, folder.name.as_str()), (DriveItemKind::Folder, "Brand 2026"));

    let ids = vec![file.id.clone(), "file_00000000000000000000000000".to_owned(), "nonsense".to_owned()];
    let moved = stage.app.drive().move_items(ids, Some(brand.id.clone())).await.unwrap();
    assert_eq!(moved.moved.get(), 1);
    let codes: Vec<_> = moved.failed.iter().map(|failed| failed.problem.code.as_str()).collect();
    assert_eq!(codes, ["file_not_found", "id_without_prefix"]);
    let inside = stage.list(Some(&brand.id)).await;
    assert_eq!(inside.items[0].name, "final.txt");
    assert_eq!(inside.breadcrumbs[0].name, "Brand 2026");
    let circle = stage.app.drive().move_items(vec![brand.id.clone()], Some(brand.id.clone())).await.unwrap();
    assert_eq!(circle.failed[0].problem.code, "folder_circular_reference");

    let counts = stage.app.drive().count_items(vec![brand.id.clone()]).await.unwrap();
    assert_eq!((counts.folders.get(), counts.files.get(), counts.bytes.get()), (1, 1, 5));
    assert!(!counts.at_least);
    let told = stage.page.events().into_iter().filter(|event| matches!(event, Event::DriveChanged(_))).count();
    assert!(told >= 4);
}

/// A service as bare as the contract tolerates: lists without totals, in no order, without content hashes.
fn bare_service(path: &str) -> serde_json::Value {
    let id = |prefix: &str, n: u32| format!("{prefix}_{n:026}");
    let whoami = serde_json::json!({
        "user": {"id": id("user", 1)}, "team": {"id": id("team", 1)}, "organization": {"id": id("org", 1)},
        "role": "wizard", "plan": "gold", "entitlements": {"requests_per_minute": 0},
    });
    match path.split('?').next().unwrap_or_default() {
        "/v1/whoami" => whoami,
        "/v1/drive/folders" => {
            serde_json::json!([{"id": id("fld", 2), "name": "zoo"}, {"id": id("fld", 1), "name": "Arc"}])
        }
        "/v1/drive/files" => serde_json::json!({"files": [
            {"id": id("file", 3), "name": "c", "size_bytes": 1, "visibility": "galactic"},
            {"id": id("file", 1), "name": "B", "size_bytes": 3},
            {"id": id("file", 2), "name": "a"},
        ]}),
        "/v1/canvases" => serde_json::json!([]),
        _ => serde_json::json!({}),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_neither_sorts_nor_counts_is_listed_all_the_same() {
    let address = answer_json(bare_service).await;
    let stage = Stage::open();
    let view = stage.app.connections().connect_service(draft(&address, "svc_live_1")).await.unwrap();
    let account = view.account.unwrap();
    assert_eq!((account.role.as_deref(), account.plan.as_deref()), (Some("wizard"), Some("gold")));
    let listing = stage.list(None).await;
    let names: Vec<_> = listing.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["Arc", "zoo", "a", "B", "c"]);
    assert_eq!(listing.total.get(), 5);
    let largest = DriveSort { by: DriveSortColumn::Size, descending: true };
    let part = stage.app.drive().list_drive(None, 2, 2, largest).await.unwrap();
    let names: Vec<_> = part.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!((names, part.total.get()), (vec!["B", "c"], 5));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_moved_or_deleted_is_named() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let brand = stage.app.drive().create_folder(None, "Brand".to_owned()).await.unwrap();
    let logo = stage.put("logo.svg", b"<svg/>", None).await;
    stage.list(None).await;
    let client = Http::new(&studio.base_url).with_version(CANONICAL).with_key(&studio.create_key("elsewhere").key);
    client.delete(&format!("/v1/drive/items/{}", logo.id)).await.is(200);
    let moved = stage.app.drive().move_items(vec![logo.id], Some(brand.id.clone())).await.unwrap();
    assert_eq!(moved.failed[0].problem.title, "logo.svg is no longer in the drive");
    let circle = stage.app.drive().move_items(vec![brand.id.clone()], Some(brand.id)).await.unwrap();
    assert_eq!(circle.failed[0].problem.title, "Brand cannot go into itself");
}
