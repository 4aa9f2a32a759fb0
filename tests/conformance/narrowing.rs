//! Contract, "Drive": who sees an item may be narrowed only by who made it, or by an admin or owner, whichever route does it;
//! and what was hidden can be found and brought back by those who run the team.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use easel_tests::http::{Answer, CANONICAL, Form, Http};
use easel_tests::patience::wait_for;
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::studio::Options;
use serde_json::json;
use uuid::Uuid;

use crate::canvases::canvas;
use crate::service::{Service, create_folder, download, list, stage, text, upload, upload_into};
use crate::tasks::{finish, start};

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
        Self::start_with(Options::new())
    }

    fn start_with(options: Options) -> Self {
        let service = Service::start_with(options);
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
    let kept = ada.get(&format!("/v1/drive/files/{file}/versions")).await.expect(200);
    let versions = kept["versions"].as_array().expect("versions");
    assert!(versions.iter().any(|version| version["size_bytes"] == 8), "{versions:?}");
    set_visibility(&team.admin, &file, "private").await.is(200);
}

/// Every route that changes something, and the bodies that it is asked with. In paths and bodies, `{item}` stands for each item of Ada's
/// and other names for a thing of hers each; `{own}` is a private folder of who asks, `{secret}` a file in it, `{key}` a storage key
/// under which they have PUT something that nobody has, `{same}` one with bytes of Ada's.
const ROUTES: &[(&str, &str, &[&str])] = &[
    ("POST /uploads", "/uploads", &["{form}"]),
    ("POST /uploads/url", "/uploads/url", &[r#"{"filename":"a","mime_type":"text/plain"}"#]),
    (
        "POST /uploads/register",
        "/uploads/register",
        &[r#"{"storage_key":"{same}"}"#, r#"{"storage_key":"{same}","folder_id":"{own}"}"#],
    ),
    ("POST /drive/folders", "/drive/folders", &[r#"{"name":"n","parent_folder_id":"{own}"}"#]),
    ("POST /drive/files/{file_id}/content", "/drive/files/{file}/content", &[r#"{"storage_key":"{key}"}"#]),
    (
        "POST /drive/files/{file_id}/versions/{version_id}/restore",
        "/drive/files/{file}/versions/{file_version}/restore",
        &[""],
    ),
    ("POST /drive/items/{item_ref}/move", "/drive/items/{item}/move", &[r#"{"folder_id":"{own}"}"#]),
    (
        "PATCH /drive/items/{item_ref}",
        "/drive/items/{item}",
        &[r#"{"visibility":"private"}"#, r#"{"name":"x {item}","visibility":"private"}"#],
    ),
    // To delete what the team shares is a member's right, and hides nothing from one person alone.
    ("DELETE /drive/items/{item_ref}", "/drive/items/{item}?recursive=true", &[""]),
    ("POST /drive/trash/{item_ref}/restore", "/drive/trash/{thrown}/restore", &[""]),
    ("DELETE /drive/trash/{item_ref}", "/drive/trash/{thrown}", &[""]),
    ("DELETE /drive/trash", "/drive/trash", &[""]),
    ("PATCH /canvases/{canvas_id}", "/canvases/{canvas}", &[r#"{"name":"y"}"#]),
    (
        "POST /canvases/{canvas_id}/versions/{version_id}/restore",
        "/canvases/{canvas}/versions/{canvas_version}/restore",
        &[""],
    ),
    (
        "POST /canvases/{canvas_id}/texts",
        "/canvases/{canvas}/texts",
        &[r#"{"revision": "{revision}", "changes": [{"page_number": 1, "ref": "{text}", "text": "Tea"}]}"#],
    ),
    (
        "POST /canvases/{canvas_id}/colors",
        "/canvases/{canvas}/colors",
        &[r##"{"revision": "{revision}", "changes": [{"role": "accent", "color": "#2d6cc8"}]}"##],
    ),
    (
        "POST /canvases/{canvas_id}/pictures",
        "/canvases/{canvas}/pictures",
        &[r#"{"revision": "{revision}", "ref": "{picture}", "file_id": "{secret}"}"#],
    ),
    ("POST /canvases/{canvas_id}/export", "/canvases/{canvas}/export", &[""]),
    (
        "POST /tasks",
        "/tasks",
        &[
            r#"{"prompt":"again","canvas_id":"{canvas}","attachments":[{"file_id":"{secret}","role":"asset"}]}"#,
            r#"{"prompt":"again","template_canvas_id":"{canvas}"}"#,
        ],
    ),
    ("POST /tasks/{task_id}/cancel", "/tasks/{task}/cancel", &[""]),
    ("POST /remix", "/remix", &[r#"{"canvas_id":"{canvas}"}"#, r#"{"canvas_id":"{canvas}","prompt":"other"}"#]),
    ("POST /brand-kits", "/brand-kits", &[r#"{"title":"t"}"#]),
    ("PATCH /brand-kits/{brand_kit_id}", "/brand-kits/{kit}", &[r#"{"title":"u"}"#]),
    ("DELETE /brand-kits/{brand_kit_id}", "/brand-kits/{kit}", &[""]),
    (
        "POST /brand-kits/{brand_kit_id}/images",
        "/brand-kits/{kit}/images",
        &[r#"{"file_id":"{picture}","role":"logo"}"#],
    ),
    ("POST /webhook_deliveries/{delivery_id}/redeliver", "/webhook_deliveries/{delivery}/redeliver", &[""]),
];

/// Additions outside `/v1` that change who is in the team. They name no item, and what a removed user made stays.
const OUTSIDE: &[&str] = &[
    "DELETE /team/invitations/{invitation_id}",
    "DELETE /team/keys/{api_key_id}",
    "DELETE /team/people/{user_id}",
    "PATCH /team/people/{user_id}",
    "POST /invitations/redeem",
    "POST /team/invitations",
];

/// What an admin or the owner may do for good.
const OF_OVERSEERS: &[&str] =
    &["DELETE /drive/trash/{item_ref}", "DELETE /drive/trash", "DELETE /brand-kits/{brand_kit_id}"];

/// Bytes of a file of Ada's, now and before.
const ADAS: [&[u8]; 2] = [b"ada's first", b"ada's second"];

/// What Ada has made, one of each kind.
struct World {
    team: Team,
    /// The ids of her items.
    items: BTreeSet<String>,
    /// What each name in a route stands for.
    things: BTreeMap<&'static str, String>,
}

impl World {
    async fn start() -> Self {
        let receiver = Receiver::start(vec![Reply::status(200)]).await;
        let team = Team::start_with(Options::new().flag("--allow-local-callbacks"));
        let ada = &team.ada;
        let file = text(&upload(ada, "adas.txt", ADAS[0]).await["file_id"]);
        let content = json!({"storage_key": stage(ada, "adas.txt", ADAS[1]).await});
        ada.post(&format!("/v1/drive/files/{file}/content"), &content).await.is(200);
        let form =
            Form::new().file("file", "logo.svg", "image/svg+xml", br#"<svg xmlns="http://www.w3.org/2000/svg"/>"#);
        let picture = text(&ada.post_form("/v1/uploads", &form).await.success()["file_id"]);
        let thrown = text(&upload(ada, "thrown.txt", b"thrown away").await["file_id"]);
        let folder = create_folder(ada, "ada's folder", None).await;
        let inner = text(&upload_into(ada, &folder, "inner.txt", b"inner").await["file_id"]);
        let task = json!({"prompt": "A card about bread", "callback_url": receiver.url("/")});
        let task = finish(ada, &start(ada, &task).await).await;
        let canvas = text(&task["result"]["canvas_id"]);
        let change = json!({"prompt": "A card about cheese", "canvas_id": canvas});
        finish(ada, &start(ada, &change).await).await;
        let kit = text(&ada.post("/v1/brand-kits", &json!({"title": "kit"})).await.expect(201)["id"]);
        let delivery = wait_for("a delivery", Duration::from_secs(60), async || {
            list(&ada.get("/v1/webhook_deliveries").await).first().map(|sent| text(&sent["id"])).ok_or("none")
        })
        .await;
        let items = [&file, &picture, &thrown, &folder, &inner, &canvas].map(Clone::clone).into();
        let version = async |path: String| text(&ada.get(&path).await.expect(200)["versions"][0]["id"]);
        let things = BTreeMap::from([
            ("file_version", version(format!("/v1/drive/files/{file}/versions")).await),
            ("canvas_version", version(format!("/v1/canvases/{canvas}/versions")).await),
            ("file", file),
            ("picture", picture),
            ("thrown", thrown),
            ("canvas", canvas),
            ("task", text(&task["id"])),
            ("kit", kit),
            ("delivery", delivery),
        ]);
        Self { team, items, things }
    }

    /// Asks one route with one body; the answers.
    async fn ask(
        &mut self,
        who: &Http,
        own: &[(&'static str, String)],
        (route, path, body): (&str, &str, &str),
    ) -> Vec<Answer> {
        let ada = &self.team.ada;
        if path.contains("{thrown}") || path == "/drive/trash" {
            ada.delete(&format!("/v1/drive/items/{}", self.things["thrown"])).await.is(200);
        }
        if path.contains("{task}") {
            let task = start(ada, &json!({"prompt": "A deck about tea"})).await;
            self.things.insert("task", text(&task["id"]));
        }
        // Versions change their ids with every change.
        for (name, path) in [("file_version", "drive/files/{file}"), ("canvas_version", "canvases/{canvas}")] {
            let versions = ada.get(&format!("/v1/{}/versions", self.fill(path, own))).await.expect(200);
            self.things.insert(name, text(&versions["versions"][0]["id"]));
        }
        if path.ends_with("/texts") {
            let texts = ada.get(&format!("/v1{}", self.fill(path, own))).await.expect(200);
            self.things.insert("revision", text(&texts["revision"]));
            self.things.insert("text", text(&texts["pages"][0]["texts"][0]["ref"]));
        }
        if path.ends_with("/pictures") {
            let texts = ada.get(&format!("/v1{}", self.fill("/canvases/{canvas}/texts", own))).await.expect(200);
            let pictures = texts["pages"].as_array().expect("pages").iter().find_map(|page| page["pictures"].get(0));
            self.things.insert("picture", pictures.map_or_else(|| "none".to_owned(), |picture| text(&picture["ref"])));
            self.things.insert("revision", text(&texts["revision"]));
        }
        if path.ends_with("/colors") {
            let colors = ada.get(&format!("/v1{}", self.fill(path, own))).await.expect(200);
            self.things.insert("revision", text(&colors["revision"]));
        }
        let mut own = own.to_vec();
        for (name, content) in [("key", Uuid::new_v4().as_bytes().as_slice()), ("same", ADAS[1])] {
            if body.contains(&format!("{{{name}}}")) {
                own.push((name, stage(who, "mine.txt", content).await));
            }
        }
        let (method, _) = route.split_once(' ').expect("a method and a path");
        let each: Vec<&String> =
            if path.contains("{item}") { self.items.iter().collect() } else { vec![&self.things["file"]] };
        let mut answers = Vec::new();
        for item in each {
            let fill = |text: &str| self.fill(text, &own).replace("{item}", item);
            let path = format!("/v1{}", fill(path));
            answers.push(match body {
                "{form}" => {
                    who.post_form(&path, &Form::of_file("adas.txt", ADAS[1]).text("folder_id", &own[0].1)).await
                }
                body => who.json(method.parse().expect("a method"), &path, fill(body)).await,
            });
        }
        answers
    }

    fn fill(&self, text: &str, own: &[(&'static str, String)]) -> String {
        let all = self
            .things
            .iter()
            .map(|(name, value)| (*name, value))
            .chain(own.iter().map(|(name, value)| (*name, value)));
        all.fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    /// Everything of hers is where she sees it, or comes back there from the trash by herself; `by` brings back what they hid, where they
    /// may hide it.
    async fn check(&self, by: Option<&Http>, route: &str) {
        let ada = &self.team.ada;
        for who in by.into_iter().chain([ada]) {
            for hidden in ["", "&hidden=true"].iter().take(if by.is_some() && !std::ptr::eq(who, ada) { 2 } else { 1 })
            {
                for entry in list(&who.get(&format!("/v1/drive/trash?limit=100{hidden}")).await) {
                    let id = text(&entry["id"]);
                    if self.items.contains(&id) {
                        who.post(&format!("/v1/drive/trash/{id}/restore"), &json!({})).await.is(200);
                    }
                }
            }
        }
        if let Some(by) = by {
            for id in &self.items {
                go(by, id, None).await.is(200);
                set_visibility(by, id, "team").await.is(200);
            }
        }
        for who in [ada, &self.team.admin, &self.team.owner] {
            let seen = ids(who, false).await;
            assert!(seen.is_superset(&self.items), "{route}: {:?} went", self.items.difference(&seen));
        }
        let mut contents = vec![download(ada, &self.things["file"]).await.to_vec()];
        let path = format!("/v1/drive/files/{}/versions", self.things["file"]);
        for version in ada.get(&path).await.expect(200)["versions"].as_array().expect("versions") {
            let answer = ada.get(&format!("{path}/{}/content", text(&version["id"]))).await;
            contents.push(answer.body.to_vec());
        }
        assert!(ADAS.iter().all(|adas| contents.iter().any(|content| content == adas)), "{route}: a content went");
        ada.get(&format!("/v1/brand-kits/{}", self.things["kit"])).await.is(200);
        ada.get(&format!("/v1/webhook_deliveries/{}", self.things["delivery"])).await.is(200);
    }
}

/// Tasks go on after their answer.
async fn wait_for_tasks(http: &Http) {
    wait_for("the end of all tasks", Duration::from_secs(120), async || {
        let running = list(&http.get("/v1/tasks?status=running").await).len();
        let queued = list(&http.get("/v1/tasks?status=queued").await).len();
        if running + queued == 0 { Ok(()) } else { Err(running + queued) }
    })
    .await;
}

#[tokio::test]
async fn all_routes_that_change_something_leave_to_each_what_they_made() {
    let mut world = World::start().await;
    let document = world.team.service.anonymous().get("/v1/openapi.json").await.expect(200);
    let mut written: BTreeSet<String> = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for method in operations.as_object().expect("operations").keys() {
            let method = method.to_uppercase();
            if ["POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()) {
                written.insert(format!("{method} {}", path.trim_start_matches("/v1")));
            }
        }
    }
    let tried = ROUTES.iter().map(|(route, ..)| *route);
    let known: BTreeSet<String> = tried.chain(OUTSIDE.iter().copied()).map(str::to_owned).collect();
    assert_eq!(written, known, "a route that nobody thought about");
    let (ben, admin, owner) = (world.team.ben.clone(), world.team.admin.clone(), world.team.owner.clone());
    for (actor, oversees) in [(ben, false), (admin, true), (owner, true)] {
        let own = private_folder(&actor, &format!("own {}", Uuid::new_v4())).await;
        let content = Uuid::new_v4();
        let secret = text(&upload_into(&actor, &own, "secret.txt", content.as_bytes()).await["file_id"]);
        let own = [("own", own), ("secret", secret)];
        for (route, path, bodies) in ROUTES {
            if oversees && OF_OVERSEERS.contains(route) {
                continue;
            }
            for body in *bodies {
                let answers = world.ask(&actor, &own, (*route, *path, *body)).await;
                // What is true is found, or what was asked for says nothing.
                let (delivery, a_member) = (path.contains("{delivery}"), !oversees);
                let reached =
                    |answer: &Answer| answer.status != 404 && answer.status != 405 && !answer.status.is_server_error();
                assert!((delivery && a_member) || answers.iter().all(reached), "{route} {body}: {answers:?}");
                if path.contains("{task}") {
                    let task = world.team.ada.get(&format!("/v1/tasks/{}", world.things["task"])).await.expect(200);
                    let ended = finish(&world.team.ada, &task).await;
                    assert!(oversees || ended["status"] == "succeeded", "{route}: {ended}");
                }
                wait_for_tasks(&world.team.owner).await;
                world.check(oversees.then_some(&actor), &format!("{route} {body}")).await;
            }
        }
    }
}
