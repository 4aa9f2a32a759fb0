//! The trash over HTTP, on a clock that only the tests move.

use std::time::Duration;

use axum::body::Body;
use easel_wire::Scope;
use http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::background::upkeep::{DayCounter, forget_old};
use crate::core::names::Name;
use crate::db::Viewer;
use crate::db::drive::{NewFile, insert_file};
use crate::db::quotas::get_usage;
use crate::fixture::{Fixture, VERSION_HEADER, count_files};
use crate::operators::{keys, users};
use crate::wire::account::Role;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

struct Bench {
    fixture: Fixture,
    folder: TempDir,
}

impl Bench {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        let scopes: Vec<Scope> = Scope::of_new_key().collect();
        fixture.add_key("owner", &scopes).await;
        Self { fixture, folder }
    }

    /// A key of a new user.
    async fn key_of(&self, email: &str, role: Role) -> String {
        users::add(self.folder.path(), email, role, None).await.unwrap();
        keys::create(self.folder.path(), "k", Some(email)).await.unwrap().key
    }

    async fn ask(&self, key: &str, method: &Method, path: &str, body: &Value) -> (u16, Value) {
        self.fixture.clock.advance(Duration::from_millis(1));
        let bearer = format!("Bearer {key}");
        let headers =
            [("authorization", bearer.as_str()), (VERSION_HEADER, "2026-05-01"), ("content-type", "application/json")];
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let answer = self.fixture.ask(method, path, &headers, body).await;
        (answer.status.as_u16(), answer.json())
    }

    async fn ok(&self, key: &str, method: &Method, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(key, method, path, body).await;
        assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
        answer
    }

    async fn get(&self, key: &str, path: &str) -> Value {
        self.ok(key, &Method::GET, path, &Value::Null).await
    }

    async fn delete(&self, key: &str, path: &str) -> Value {
        self.ok(key, &Method::DELETE, path, &Value::Null).await
    }

    async fn restore(&self, key: &str, id: &str) -> Value {
        self.ok(key, &Method::POST, &format!("/v1/drive/trash/{id}/restore"), &Value::Null).await["item"].clone()
    }

    async fn make_folder(&self, key: &str, name: &str, parent: Option<&str>) -> String {
        let body = json!({"name": name, "parent_folder_id": parent});
        text(&self.ok(key, &Method::POST, "/v1/drive/folders", &body).await["folder"]["id"])
    }

    async fn upload(&self, key: &str, folder: Option<&str>, name: &str, content: &str) -> String {
        let place = folder.map_or_else(String::new, |folder| {
            format!("--x\r\nContent-Disposition: form-data; name=\"folder_id\"\r\n\r\n{folder}\r\n")
        });
        let body = format!(
            "{place}--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: text/plain\r\n\r\n{content}\r\n--x--\r\n"
        );
        let bearer = format!("Bearer {key}");
        let length = body.len().to_string();
        let headers = [
            ("authorization", bearer.as_str()),
            (VERSION_HEADER, "2026-05-01"),
            ("content-type", "multipart/form-data; boundary=x"),
            ("content-length", length.as_str()),
        ];
        let answer = self.fixture.ask(&Method::POST, "/v1/uploads", &headers, Body::from(body)).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        text(&answer.json()["file_id"])
    }

    /// Days on which the studio is served.
    async fn pass_days(&self, days: u32) {
        for _ in 0..days {
            self.fixture.clock.advance(DAY);
            forget_old(&self.fixture.studio, &mut DayCounter::default()).await;
        }
    }

    async fn hide(&self, key: &str, id: &str) {
        self.ok(key, &Method::PATCH, &format!("/v1/drive/items/{id}"), &json!({"visibility": "private"})).await;
    }

    async fn trash(&self, key: &str, query: &str) -> Vec<String> {
        let page = self.get(key, &format!("/v1/drive/trash{query}")).await;
        page["data"].as_array().unwrap().iter().map(|item| text(&item["name"])).collect()
    }

    fn contents(&self) -> usize {
        count_files(&self.folder.path().join("blobs/sha256"))
    }

    async fn used(&self) -> (u64, u64) {
        let mut tx = self.fixture.studio.db.begin().await.unwrap();
        let organization = crate::db::accounts::find_organization(&mut tx, None).await.unwrap().unwrap();
        let used = get_usage(&mut tx, organization).await.unwrap();
        tx.rollback().await.unwrap();
        (used.files, used.bytes)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

#[tokio::test]
async fn a_folder_of_a_thousand_files_is_gone_and_comes_back_whole() {
    let bench = Bench::new().await;
    let outer = bench.make_folder("owner", "outer", None).await;
    let folder = bench.make_folder("owner", "folder", Some(&outer)).await;
    let inner = bench.make_folder("owner", "inner", Some(&folder)).await;
    let caller = bench.get("owner", "/v1/whoami").await;
    let viewer = Viewer {
        team: text(&caller["team"]["id"]).parse().unwrap(),
        user: text(&caller["user"]["id"]).parse().unwrap(),
        oversees: true,
    };
    let studio = &bench.fixture.studio;
    let mut tx = studio.db.begin().await.unwrap();
    for number in 0..1_000_u16 {
        let place = if number % 2 == 0 { &folder } else { &inner };
        let mut content_hash = [0; 32];
        content_hash[..2].copy_from_slice(&number.to_be_bytes());
        let file = NewFile {
            id: studio.new_id(),
            name: Name::parse(&format!("{number}.txt")).unwrap(),
            folder_id: Some(place.parse().unwrap()),
            mime_type: "text/plain".to_owned(),
            size_bytes: 3,
            content_hash,
        };
        insert_file(&mut tx, viewer, file, studio.clock.now()).await.unwrap();
    }
    tx.commit().await.unwrap();
    let list = async |place: &str| {
        let page = bench.get("owner", &format!("/v1/drive/files?folder_id={place}&sort=name&limit=200")).await;
        let files = page["data"].as_array().unwrap().clone();
        let kept =
            |file: &Value| [&file["id"], &file["name"], &file["content_hash"], &file["created_at"]].map(Value::clone);
        (page["total"].clone(), files.iter().map(kept).collect::<Vec<_>>())
    };
    let (before, deep_before) = (list(&folder).await, list(&inner).await);
    assert_eq!((&before.0, bench.used().await), (&json!(500), (1_000, 3_000)));

    let refused = bench.ask("owner", &Method::DELETE, &format!("/v1/drive/items/{folder}"), &Value::Null).await;
    assert_eq!(refused.0, 409);
    assert!(bench.trash("owner", "").await.is_empty(), "a refused deletion puts nothing there");
    bench.delete("owner", &format!("/v1/drive/items/{folder}?recursive=true")).await;
    for gone in [format!("/v1/drive/files/{}", text(&before.1[0][0])), format!("/v1/drive/files?folder_id={inner}")] {
        assert_eq!(bench.ask("owner", &Method::GET, &gone, &Value::Null).await.0, 404, "{gone}");
    }
    assert_eq!(bench.get("owner", "/v1/drive/files").await["total"], 0);
    assert_eq!(bench.used().await, (1_000, 3_000), "it counts as long as it is kept");
    let entry = bench.get("owner", "/v1/drive/trash").await["data"][0].clone();
    let told = ["id", "kind", "name", "folder_id", "folder_count", "file_count", "canvas_count", "size_bytes"];
    let expected = json!([folder, "folder", "folder", outer, 2, 1000, 0, 3000]);
    assert_eq!(Value::from(told.map(|field| entry[field].clone()).to_vec()), expected);
    assert_eq!(entry["deleted_by"]["email"], "owner@localhost");

    let since = text(&entry["deleted_at"]).replace('+', "%2B");
    bench.fixture.clock.advance(Duration::from_secs(1));
    let back = bench.restore("owner", &folder).await;
    assert_eq!((&back["name"], &back["folder_id"]), (&json!("folder"), &json!(outer)));
    assert_eq!((list(&folder).await, list(&inner).await), (before, deep_before));
    let changed = bench.get("owner", &format!("/v1/drive/files?updated_since={since}")).await;
    assert_eq!(changed["total"], 1_000, "who asks for what changed learns of it");
    assert_eq!(bench.get("owner", "/v1/drive/trash").await["total"], 0);
    let again = format!("/v1/drive/trash/{folder}/restore");
    assert_eq!(bench.ask("owner", &Method::POST, &again, &Value::Null).await.0, 404, "it is not there any more");
    let counts = bench.get("owner", &format!("/v1/drive/folders?parent_id={outer}")).await["data"][0].clone();
    assert_eq!((&counts["file_count"], &counts["subfolder_count"]), (&json!(500), &json!(1)));
}

#[tokio::test]
async fn what_comes_back_gives_way_to_a_name_that_is_taken_and_finds_the_top_where_its_place_is_gone() {
    let bench = Bench::new().await;
    let folder = bench.make_folder("owner", "folder", None).await;
    let file = bench.upload("owner", Some(&folder), "a.txt", "old").await;
    bench.delete("owner", &format!("/v1/drive/items/{file}")).await;
    let newer = bench.upload("owner", Some(&folder), "A.TXT", "new").await;
    let back = bench.restore("owner", &file).await;
    assert_eq!((&back["name"], &back["folder_id"]), (&json!("a (2).txt"), &json!(folder)));
    assert_eq!(bench.get("owner", &format!("/v1/drive/files/{newer}")).await["file"]["name"], "A.TXT");

    bench.delete("owner", &format!("/v1/drive/items/{file}")).await;
    bench.delete("owner", &format!("/v1/drive/items/{folder}?recursive=true")).await;
    assert_eq!(bench.trash("owner", "").await, ["folder", "a (2).txt"], "the newest first");
    let inside = format!("/v1/drive/trash/{newer}/restore");
    assert_eq!(bench.ask("owner", &Method::POST, &inside, &Value::Null).await.0, 404, "it went with its folder");
    let back = bench.restore("owner", &file).await;
    assert_eq!((&back["name"], &back["folder_id"]), (&json!("a (2).txt"), &Value::Null));
    bench.restore("owner", &folder).await;
    assert_eq!(bench.get("owner", &format!("/v1/drive/files/{newer}")).await["file"]["folder_id"], json!(folder));
    // The same bytes as something in the trash are no duplicate: that is not in the drive.
    bench.delete("owner", &format!("/v1/drive/items/{newer}")).await;
    assert_ne!(bench.upload("owner", None, "again.txt", "new").await, newer);
}

#[tokio::test]
async fn the_trash_shows_to_each_what_they_saw_and_lets_nobody_destroy_what_others_made() {
    let bench = Bench::new().await;
    let (ann, ben) =
        (bench.key_of("ann@example.org", Role::Member).await, bench.key_of("ben@example.org", Role::Member).await);
    let admin = bench.key_of("admin@example.org", Role::Admin).await;
    let team = bench.upload(&ann, None, "team.txt", "team").await;
    let secret = bench.upload(&ann, None, "secret.txt", "secret").await;
    bench.hide(&ann, &secret).await;
    bench.delete(&ben, &format!("/v1/drive/items/{team}")).await;
    bench.delete(&ann, &format!("/v1/drive/items/{secret}")).await;
    assert_eq!(bench.trash(&ann, "").await, ["secret.txt", "team.txt"]);
    assert_eq!(bench.trash(&ben, "").await, ["team.txt"]);
    assert_eq!(bench.trash(&admin, "").await, ["team.txt"]);
    assert_eq!(bench.trash(&admin, "?hidden=true").await, ["secret.txt"]);
    assert_eq!(bench.ask(&ben, &Method::GET, "/v1/drive/trash?hidden=true", &Value::Null).await.0, 403);
    for (method, path) in [(Method::POST, format!("{secret}/restore")), (Method::DELETE, secret.clone())] {
        let path = format!("/v1/drive/trash/{path}");
        assert_eq!(bench.ask(&ben, &method, &path, &Value::Null).await.0, 404, "{method} {path}");
    }
    let path = format!("/v1/drive/trash/{team}");
    assert_eq!(bench.ask(&ben, &Method::DELETE, &path, &Value::Null).await.0, 403, "Ann made it");
    assert_eq!(bench.delete(&ben, "/v1/drive/trash").await["removed"], 0);
    assert_eq!(bench.trash(&ann, "").await.len(), 2);
    bench.restore(&ben, &team).await;
    let back = bench.restore(&admin, &secret).await;
    assert_eq!(back["visibility"], "private", "it is hers alone, whoever brings it back");
    assert_eq!(bench.ask(&ben, &Method::GET, &format!("/v1/drive/files/{secret}"), &Value::Null).await.0, 404);
    bench.get(&ann, &format!("/v1/drive/files/{secret}")).await;

    // Hers by a private folder, which is gone when it comes back.
    let private = bench.make_folder(&ann, "private", None).await;
    bench.hide(&ann, &private).await;
    let diary = bench.upload(&ann, Some(&private), "diary.txt", "dear diary").await;
    bench.delete(&ann, &format!("/v1/drive/items/{diary}")).await;
    bench.delete(&ann, &format!("/v1/drive/items/{private}")).await;
    let back = bench.restore(&ann, &diary).await;
    assert_eq!((&back["folder_id"], &back["visibility"]), (&Value::Null, &json!("private")));
    assert_eq!(bench.ask(&ben, &Method::GET, &format!("/v1/drive/files/{diary}"), &Value::Null).await.0, 404);

    // Ben's place has become his alone: what Ann made comes back where she sees it.
    let place = bench.make_folder(&ben, "place", None).await;
    let note = bench.upload(&ann, Some(&place), "note.txt", "note").await;
    bench.delete(&ann, &format!("/v1/drive/items/{note}")).await;
    bench.hide(&ben, &place).await;
    let back = bench.restore(&ben, &note).await;
    assert_eq!((&back["folder_id"], &back["visibility"]), (&Value::Null, &json!("team")));
    bench.get(&ann, &format!("/v1/drive/files/{note}")).await;
    // Its only maker, or an admin or owner, removes it for good.
    bench.delete(&ann, &format!("/v1/drive/items/{note}")).await;
    bench.delete(&ann, &format!("/v1/drive/items/{team}")).await;
    assert_eq!(bench.delete(&ann, &format!("/v1/drive/trash/{note}")).await["removed"], 1);
    assert_eq!(bench.delete(&admin, "/v1/drive/trash").await["removed"], 1);
}

#[tokio::test]
async fn what_is_deleted_is_kept_for_thirty_days_and_then_gone_with_its_contents() {
    let bench = Bench::new().await;
    let folder = bench.make_folder("owner", "folder", None).await;
    let one = bench.upload("owner", Some(&folder), "one.txt", "one").await;
    let two = bench.upload("owner", None, "two.txt", "two").await;
    bench.upload("owner", None, "kept.txt", "kept").await;
    bench.delete("owner", &format!("/v1/drive/items/{folder}?recursive=true")).await;
    bench.pass_days(1).await;
    bench.delete("owner", &format!("/v1/drive/items/{two}")).await;
    bench.pass_days(28).await;
    assert_eq!((bench.contents(), bench.used().await), (3, (3, 10)));
    bench.pass_days(1).await;
    assert_eq!(bench.trash("owner", "").await, ["two.txt"]);
    assert_eq!((bench.contents(), bench.used().await), (2, (2, 7)));
    let gone = format!("/v1/drive/trash/{folder}/restore");
    assert_eq!(bench.ask("owner", &Method::POST, &gone, &Value::Null).await.0, 404);
    assert_eq!(bench.ask("owner", &Method::GET, &format!("/v1/drive/files/{one}"), &Value::Null).await.0, 404);
    bench.restore("owner", &two).await;
    bench.pass_days(60).await;
    // What came back stays.
    assert_eq!((bench.contents(), bench.used().await), (2, (2, 7)));
    bench.delete("owner", &format!("/v1/drive/items/{two}")).await;
    assert_eq!(bench.delete("owner", "/v1/drive/trash").await["removed"], 1);
    assert_eq!((bench.contents(), bench.used().await), (1, (1, 4)));
}

#[tokio::test]
async fn after_the_newest_is_gone_for_good_a_clock_that_goes_back_still_hides_nothing() {
    let bench = Bench::new().await;
    let newest = bench.upload("owner", None, "newest.txt", "newest").await;
    let seen = bench.get("owner", &format!("/v1/drive/files/{newest}")).await["file"]["updated_at"].clone();
    bench.delete("owner", &format!("/v1/drive/items/{newest}")).await;
    bench.delete("owner", "/v1/drive/trash").await;
    bench.fixture.clock.jump(-60 * 60 * 1_000_000);
    bench.upload("owner", None, "next.txt", "next").await;
    let since = text(&seen).replace('+', "%2B");
    let changed = bench.get("owner", &format!("/v1/drive/files?updated_since={since}")).await;
    assert_eq!(changed["data"][0]["name"], "next.txt", "{changed}");
}

#[tokio::test]
async fn what_an_entry_comes_to_tells_nobody_of_what_they_did_not_see() {
    let bench = Bench::new().await;
    let ann = bench.key_of("ann@example.org", Role::Member).await;
    let admin = bench.key_of("admin@example.org", Role::Admin).await;
    let folder = bench.make_folder(&ann, "folder", None).await;
    bench.upload(&ann, Some(&folder), "team.txt", "team").await;
    let secret = bench.upload(&ann, Some(&folder), "secret.txt", "a secret").await;
    bench.hide(&ann, &secret).await;
    let inner = bench.make_folder(&ann, "inner", Some(&folder)).await;
    bench.hide(&ann, &inner).await;
    bench.upload(&ann, Some(&inner), "diary.txt", "dear diary").await;
    bench.delete(&ann, &format!("/v1/drive/items/{folder}?recursive=true")).await;
    let told = async |key: &str, query: &str| {
        let entry = bench.get(key, &format!("/v1/drive/trash{query}")).await["data"][0].clone();
        ["folder_count", "file_count", "size_bytes"].map(|field| entry[field].as_u64().unwrap())
    };
    assert_eq!(told(&ann, "").await, [2, 3, 22]);
    assert_eq!(told("owner", "").await, [1, 1, 4]);
    assert_eq!(told(&admin, "").await, [1, 1, 4]);
    bench.restore(&ann, &folder).await;
    bench.hide(&ann, &folder).await;
    bench.delete(&ann, &format!("/v1/drive/items/{folder}?recursive=true")).await;
    assert_eq!(told(&ann, "").await, [2, 3, 22]);
    assert_eq!(told(&admin, "?hidden=true").await, [2, 3, 22]);
}
