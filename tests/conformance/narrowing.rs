//! Contract, "Drive": who sees an item may be narrowed only by who made it, or by an admin or owner, whichever route does it;
//! and what was hidden can be found and brought back by those who run the team.

use std::collections::BTreeSet;

use easel_tests::http::{Answer, CANONICAL, Http};
use serde_json::json;

use crate::canvases::canvas;
use crate::service::{Service, create_folder, download, list, stage, text, upload, upload_into};

/// Two members, an admin and the owner of one team.
struct Team {
    service: Service,
    ada: Http,
    ben: Http,
    admin: Http,
    owner: Http,
}

impl Team {
    fn start() -> Self {
        let service = Service::start();
        let (ada, ben) = (service.member("ada@example.test"), service.member("ben@example.test"));
        service.studio.add_user("adam@example.test", "admin");
        let key = service.studio.create_key_for("the admin's", "adam@example.test");
        let admin = service.anonymous().with_key(&key.key).with_version(CANONICAL);
        let owner = service.http.clone();
        Self { service, ada, ben, admin, owner }
    }
}

async fn private_folder(http: &Http, name: &str) -> String {
    let folder = create_folder(http, name, None).await;
    set_visibility(http, &folder, "private").await.is(200);
    folder
}

async fn set_visibility(http: &Http, item: &str, visibility: &str) -> Answer {
    http.patch(&format!("/v1/drive/items/{item}"), &json!({"visibility": visibility})).await
}

async fn go(http: &Http, item: &str, folder: Option<&str>) -> Answer {
    http.post(&format!("/v1/drive/items/{item}/move"), &json!({"folder_id": folder})).await
}

#[track_caller]
fn denied(answer: &Answer) {
    answer.error(403, "permission", "visibility_change_denied");
}

/// The ids of everything in the drive that this caller sees, or that is hidden from them.
async fn ids(http: &Http, hidden: bool) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for path in ["/v1/drive/files?limit=200", "/v1/drive/folders?limit=200", "/v1/canvases?limit=100"] {
        let path = format!("{path}{}", if hidden { "&hidden=true" } else { "" });
        ids.extend(list(&http.get(&path).await).iter().map(|item| text(&item["id"])));
    }
    ids
}

#[tokio::test]
async fn nobody_takes_what_another_member_made_out_of_sight_by_any_route() {
    let team = Team::start();
    let (ada, ben) = (&team.ada, &team.ben);
    let shared = create_folder(ben, "shared", None).await;
    let file = text(&upload_into(ada, &shared, "adas.txt", b"ada's").await["file_id"]);
    let deck = canvas(ada, "Ada's deck").await;
    let adas = create_folder(ada, "ada's", None).await;
    let inner = text(&upload_into(ada, &adas, "inner.txt", b"inner").await["file_id"]);
    let bens = private_folder(ben, "ben's own").await;
    let everything = ids(ada, false).await;

    for item in [&file, &deck, &adas, &inner] {
        denied(&go(ben, item, Some(&bens)).await);
        denied(&set_visibility(ben, item, "private").await);
    }
    // Her file lies within his folder: by making it private, by moving it with all that is in it.
    denied(&set_visibility(ben, &shared, "private").await);
    denied(&go(ben, &shared, Some(&bens)).await);
    let outer = create_folder(ben, "outer", None).await;
    go(ben, &shared, Some(&outer)).await.is(200);
    denied(&set_visibility(ben, &outer, "private").await);
    denied(&go(ben, &outer, Some(&bens)).await);
    // A folder of hers in his.
    let empty = create_folder(ada, "empty", Some(&outer)).await;
    go(ben, &shared, None).await.is(200);
    denied(&set_visibility(ben, &outer, "private").await);
    // A design of hers in his.
    go(ada, &empty, None).await.is(200);
    go(ada, &deck, Some(&outer)).await.is(200);
    denied(&set_visibility(ben, &outer, "private").await);

    let seen = ids(ada, false).await;
    assert!(seen.is_superset(&everything), "out of sight: {:?}", everything.difference(&seen));
    assert_eq!(ids(&team.owner, true).await, BTreeSet::from([bens]), "nothing was hidden but his own folder");
    assert_eq!(download(ada, &file).await, b"ada's".as_slice());
}

#[tokio::test]
async fn who_made_it_and_who_runs_the_team_narrow_who_sees_it() {
    let team = Team::start();
    for (number, runner) in [&team.admin, &team.owner].into_iter().enumerate() {
        let folder = create_folder(&team.ben, &format!("folder {number}"), None).await;
        let file = text(&upload_into(&team.ada, &folder, "a", format!("bytes {number}").as_bytes()).await["file_id"]);
        set_visibility(&team.ada, &file, "private").await.is(200);
        set_visibility(&team.ada, &file, "team").await.is(200);
        // It becomes its maker's own, not that of who says so.
        set_visibility(runner, &file, "private").await.is(200);
        assert!(ids(&team.ada, false).await.contains(&file));
        assert!(!ids(runner, false).await.contains(&file));
        assert!(ids(runner, true).await.contains(&file));
        set_visibility(runner, &file, "team").await.is(200);
        assert!(ids(&team.ben, false).await.contains(&file));

        let own = private_folder(runner, &format!("own {number}")).await;
        go(runner, &file, Some(&own)).await.is(200);
        assert!(!ids(&team.ada, false).await.contains(&file));
        let other = [&team.owner, &team.admin][number];
        assert!(ids(other, true).await.contains(&file));
        go(other, &file, None).await.is(200);
        assert!(ids(&team.ada, false).await.contains(&file), "brought back");
        go(&team.ada, &file, Some(&folder)).await.is(200);
        set_visibility(runner, &folder, "private").await.is(200);
        assert!(!ids(&team.ada, false).await.contains(&file));
        set_visibility(runner, &folder, "team").await.is(200);
        assert!(ids(&team.ada, false).await.contains(&file));
    }
}

#[tokio::test]
async fn what_is_hidden_is_listed_for_who_runs_the_team_and_for_nobody_else() {
    let team = Team::start();
    let hidden = private_folder(&team.ben, "ben's own").await;
    let within = text(&upload_into(&team.ben, &hidden, "within.txt", b"within").await["file_id"]);
    let deck = canvas(&team.ben, "Ben's deck").await;
    set_visibility(&team.ben, &deck, "private").await.is(200);
    let all = BTreeSet::from([hidden.clone(), within.clone(), deck.clone()]);
    for runner in [&team.admin, &team.owner] {
        assert_eq!(ids(runner, true).await, all);
        assert!(ids(runner, false).await.is_empty());
        let listed = list(&runner.get(&format!("/v1/drive/files?hidden=true&folder_id={hidden}")).await);
        assert_eq!((listed.len(), &listed[0]["created_by"]["email"]), (1, &"ben@example.test".into()));
        let page = runner.get("/v1/drive/files?hidden=true").await.expect(200);
        assert_eq!(page["total"], 1);
        let decks = list(&runner.get("/v1/canvases?hidden=true").await);
        assert!(decks[0]["thumbnail_url"].is_null(), "{decks:?}");
        // That it is there is known; what is in it stays its maker's, and so does its name, and its end.
        runner.get(&format!("/v1/drive/files/{within}/download")).await.error(404, "not_found", "file_not_found");
        runner.get(&format!("/v1/canvases/{deck}/pages")).await.error(404, "not_found", "canvas_not_found");
        let item = format!("/v1/drive/items/{within}");
        runner.patch(&item, &json!({"name": "other", "visibility": "team"})).await.is(404);
        runner.delete(&item).await.is(404);
    }
    for path in ["/v1/drive/files", "/v1/drive/folders", "/v1/canvases"] {
        team.ada.get(&format!("{path}?hidden=true")).await.error(403, "permission", "permission");
        assert_eq!(list(&team.ada.get(&format!("{path}?hidden=false")).await).len(), 0);
        team.owner.get(&format!("{path}?hidden=maybe")).await.is(422);
    }
    go(&team.admin, &within, None).await.is(200);
    set_visibility(&team.admin, &deck, "team").await.is(200);
    let seen = ids(&team.ada, false).await;
    assert!(seen.contains(&within) && seen.contains(&deck) && !seen.contains(&hidden), "{seen:?}");
}

#[tokio::test]
async fn what_its_maker_cannot_see_is_not_destroyed_by_a_member() {
    let team = Team::start();
    let folder = create_folder(&team.ben, "folder", None).await;
    let file = text(&upload_into(&team.ada, &folder, "adas.txt", b"ada's").await["file_id"]);
    let inner = create_folder(&team.ada, "inner", Some(&folder)).await;
    let deep = text(&upload_into(&team.ada, &inner, "deep.txt", b"deep").await["file_id"]);
    set_visibility(&team.admin, &folder, "private").await.is(200);
    assert!(!ids(&team.ada, false).await.contains(&file), "an admin may");
    for item in [&file, &deep, &inner] {
        denied(&team.ben.delete(&format!("/v1/drive/items/{item}?recursive=true")).await);
    }
    team.ben.delete(&format!("/v1/drive/items/{folder}?recursive=true")).await.is(200);
    let seen = ids(&team.ada, false).await;
    assert!(seen.contains(&file) && seen.contains(&deep), "they are hers again: {seen:?}");
    assert_eq!(download(&team.ada, &file).await, b"ada's".as_slice());
    assert_eq!(download(&team.ada, &deep).await, b"deep".as_slice());
    assert!(!ids(&team.ben, false).await.contains(&file));
}

#[tokio::test]
async fn who_uploaded_the_same_bytes_has_made_the_file_too() {
    let team = Team::start();
    let (ada, ben) = (&team.ada, &team.ben);
    let folder = create_folder(ben, "ben's", None).await;
    let file = text(&upload_into(ben, &folder, "bens.txt", b"the same").await["file_id"]);
    let own = private_folder(ben, "ben's own").await;
    // It is Ben's alone as yet: he may do with it as he likes.
    set_visibility(ben, &file, "private").await.is(200);
    set_visibility(ben, &file, "team").await.is(200);
    let adas = upload(ada, "adas.txt", b"the same").await;
    assert_eq!((&adas["was_duplicate"], &adas["file_id"]), (&json!(true), &json!(file)));
    denied(&set_visibility(ben, &file, "private").await);
    denied(&set_visibility(ben, &folder, "private").await);
    denied(&go(ben, &file, Some(&own)).await);
    denied(&go(ben, &folder, Some(&own)).await);
    for item in [&file, &folder] {
        ben.delete(&format!("/v1/drive/items/{item}?recursive=true")).await.is(200);
        ben.delete(&format!("/v1/drive/trash/{item}")).await.error(403, "permission", "permission");
        assert_eq!(ben.delete("/v1/drive/trash").await.expect(200)["removed"], 0);
        ada.post(&format!("/v1/drive/trash/{item}/restore"), &json!({})).await.is(200);
        assert_eq!(download(ada, &file).await, b"the same".as_slice());
    }
    // Nor is it pushed out of the file by other content.
    for turn in 0..25 {
        let key = stage(ben, "bens.txt", format!("turn {turn}").as_bytes()).await;
        let path = format!("/v1/drive/files/{file}/content");
        ben.post(&path, &json!({"storage_key": key})).await.is(200);
    }
    let versions = list(&ada.get(&format!("/v1/drive/files/{file}/versions")).await);
    assert!(versions.iter().any(|version| version["size_bytes"] == 8), "{versions:?}");
    set_visibility(&team.admin, &file, "private").await.is(200);
}

/// Every route that changes something, and the bodies that it is asked with: `{id}` stands for a thing of another member's,
/// `{folder}` for a private folder of who asks.
const ROUTES: &[(&str, &[&str])] = &[
    ("POST /uploads", &[]),
    ("POST /uploads/url", &[r#"{"filename":"a","mime_type":"text/plain"}"#]),
    ("POST /uploads/register", &[r#"{"storage_key":"{key}"}"#, r#"{"storage_key":"{key}","folder_id":"{folder}"}"#]),
    ("POST /drive/folders", &[r#"{"name":"n","parent_folder_id":"{folder}"}"#]),
    ("POST /drive/files/{file_id}/content", &[r#"{"storage_key":"{key}"}"#]),
    ("POST /drive/files/{file_id}/versions/{version_id}/restore", &[""]),
    ("POST /drive/items/{item_ref}/move", &[r#"{"folder_id":"{folder}"}"#]),
    ("PATCH /drive/items/{item_ref}", &[r#"{"visibility":"private"}"#, r#"{"name":"x","visibility":"private"}"#]),
    // To delete what the team shares is a member's right, and hides nothing from one person alone.
    ("DELETE /drive/items/{item_ref}", &[]),
    ("POST /drive/trash/{item_ref}/restore", &[""]),
    ("DELETE /drive/trash/{item_ref}", &[""]),
    ("DELETE /drive/trash", &[""]),
    ("PATCH /canvases/{canvas_id}", &[r#"{"name":"y"}"#]),
    ("POST /canvases/{canvas_id}/versions/{version_id}/restore", &[""]),
    ("POST /canvases/{canvas_id}/export", &[""]),
    (
        "POST /tasks",
        &[
            r#"{"prompt":"again","canvas_id":"{canvas}","attachments":[{"file_id":"{private}","role":"asset"}]}"#,
            r#"{"prompt":"again","template_canvas_id":"{canvas}"}"#,
        ],
    ),
    ("POST /tasks/{task_id}/cancel", &[""]),
    ("POST /remix", &[r#"{"canvas_id":"{canvas}"}"#, r#"{"canvas_id":"{canvas}","prompt":"other"}"#]),
    ("POST /brand-kits", &[r#"{"title":"t"}"#]),
    ("PATCH /brand-kits/{brand_kit_id}", &[r#"{"title":"u"}"#]),
    ("DELETE /brand-kits/{brand_kit_id}", &[""]),
    ("POST /brand-kits/{brand_kit_id}/images", &[r#"{"file_id":"{id}","role":"logo"}"#]),
    ("POST /webhook_deliveries/{delivery_id}/redeliver", &[""]),
];

#[tokio::test]
async fn all_routes_that_change_something_leave_to_each_what_they_made() {
    let team = Team::start();
    let document = team.service.anonymous().get("/v1/openapi.json").await.expect(200);
    let mut written: BTreeSet<String> = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for method in operations.as_object().expect("operations").keys() {
            let method = method.to_uppercase();
            if ["POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()) {
                written.insert(format!("{method} {}", path.trim_start_matches("/v1")));
            }
        }
    }
    let tried: BTreeSet<String> = ROUTES.iter().map(|(route, _)| (*route).to_owned()).collect();
    assert_eq!(written, tried, "a route that nobody thought about");

    let file = text(&upload(&team.ada, "adas.txt", b"ada's").await["file_id"]);
    let deck = canvas(&team.ada, "Ada's deck").await;
    let folder = create_folder(&team.ada, "ada's folder", None).await;
    let inner = text(&upload_into(&team.ada, &folder, "inner.txt", b"inner").await["file_id"]);
    let kit = text(&team.ada.post("/v1/brand-kits", &json!({"title": "kit"})).await.expect(201)["id"]);
    let adas = BTreeSet::from([file.clone(), deck.clone(), folder.clone(), inner.clone()]);

    let key = stage(&team.ben, "bens.txt", b"ada's").await;
    let own = private_folder(&team.ben, "ben's own").await;
    let secret = text(&upload_into(&team.ben, &own, "secret.txt", b"secret").await["file_id"]);
    for (route, bodies) in ROUTES {
        let (method, path) = route.split_once(' ').expect("a method and a path");
        for body in *bodies {
            for id in &adas {
                let fill = |text: &str| {
                    let parts = [("{id}", id), ("{folder}", &own), ("{canvas}", &deck), ("{key}", &key)];
                    let text = parts
                        .iter()
                        .fold(text.replace("{private}", &secret), |text, (part, value)| text.replace(part, value));
                    let text = text
                        .replace("{file_id}", id)
                        .replace("{version_id}", id)
                        .replace("{item_ref}", id)
                        .replace("{canvas_id}", &deck);
                    text.replace("{brand_kit_id}", &kit).replace("{task_id}", id).replace("{delivery_id}", id)
                };
                let method = method.parse().expect("a method");
                team.ben.json(method, &format!("/v1{}", fill(path)), fill(body)).await;
            }
            // Tasks go on after their answer.
            while !list(&team.ben.get("/v1/tasks?status=running").await).is_empty()
                || !list(&team.ben.get("/v1/tasks?status=queued").await).is_empty()
            {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            for who in [&team.ada, &team.admin, &team.owner] {
                let seen = ids(who, false).await;
                assert!(seen.is_superset(&adas), "{route} {body}: {:?} went", adas.difference(&seen));
            }
        }
    }
    assert_eq!(download(&team.ada, &file).await, b"ada's".as_slice());
}
