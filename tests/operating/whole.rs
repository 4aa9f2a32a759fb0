//! A studio with something of everything in it, and all of it as clients and the operator see it, to be compared.
//!
//! Always true: what is listed is listed to its end, and every byte that can be downloaded is. What depends on the moment or on the address
//! is left out: addresses, and when a key was last used. Not here: where a studio is moved.

use std::collections::BTreeMap;
use std::time::Duration;

use easel_tests::drive::{create_folder, replace_content, upload, upload_into};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::samples::hash_bytes;
use easel_tests::soak;
use easel_tests::studio::{Key, Studio};
use futures_util::StreamExt as _;
use futures_util::stream;
use serde_json::{Value, json};

use crate::buckets::noise;
use crate::several::text;

/// How much of everything there is.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Files, at least 100.
    pub files: usize,
    /// Designs.
    pub designs: usize,
}

impl Size {
    /// Enough for every test; `EASEL_SOAK_FILES` says how many files where there are to be more, with a design for each hundred.
    pub fn chosen() -> Self {
        soak::number("EASEL_SOAK_FILES").map_or(Self { files: 240, designs: 12 }, |files| {
            let files = usize::try_from(files).expect("a number of files");
            Self { files, designs: files / 100 }
        })
    }

    /// How long all designs may take on a full machine.
    fn patience(self) -> Duration {
        Duration::from_secs(240 + 2 * self.designs as u64)
    }
}

/// Requests at once, where many are asked.
const AT_ONCE: usize = 8;

/// Everything that was seen, by what it is.
pub type Seen = BTreeMap<String, Value>;

/// The keys of a studio that was filled.
pub struct Keys {
    /// The owner's, which may manage the team.
    pub owner: Key,
    /// A member's.
    pub member: Key,
}

fn client(studio: &Studio, key: &Key) -> Http {
    Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL)
}

/// Puts something of everything into a studio, whose callbacks may go to this machine.
pub async fn fill(studio: &Studio, size: Size) -> Keys {
    studio.add_user("ann@example.test", "member");
    studio.add_organization("Second", "eve@second.test");
    let made = studio.command(&["keys", "create", "team", "--user", "owner@localhost", "--admin"]);
    let made: Value = serde_json::from_slice(&made.stdout).expect("a key");
    let owner = Key { id: text(&made["id"]), key: text(&made["key"]), signing_secret: text(&made["signing_secret"]) };
    let keys = Keys { owner, member: studio.create_key_for("ann's", "ann@example.test") };
    studio.delete_key(&studio.create_key("gone").id);
    let invited = ["invite", "ben@example.test", "--role", "member", "--address", "https://studio.example.org"];
    assert!(studio.command(&invited).status.success());
    assert!(studio.command(&["quotas", "set", "--files", "10000000"]).status.success());
    assert!(studio.command(&["limits", "set", "--concurrent-tasks", "0"]).status.success());

    let (http, ann) = (client(studio, &keys.owner), client(studio, &keys.member));
    let mut folders = Vec::new();
    for number in 0..6_usize {
        // Each in the one before it, so that the first have to come first.
        let parent: Option<String> = folders.last().cloned();
        folders.push(create_folder(&http, &format!("Folder {number} \u{e4}"), parent.as_deref()).await);
    }
    let uploads = (0..size.files).map(|number| {
        let (http, folder) = (if number % 5 == 0 { ann.clone() } else { http.clone() }, folders[number % 6].clone());
        async move {
            let content = noise(500 + 37 * (number % 1_000), 10_000 + number as u64);
            text(&upload_into(&http, &folder, &format!("{number:03}.bin"), &content).await["file_id"])
        }
    });
    let files: Vec<String> = stream::iter(uploads).buffered(AT_ONCE).collect().await;
    for number in 0..8 {
        // Two files each have one content.
        replace_content(&http, &files[number * 7 + 1], "text/plain", format!("version {}", number / 2).as_bytes())
            .await;
    }
    let large = upload(&http, "large.bin", &noise(9_000_000, 77)).await;
    http.delete(&format!("/v1/drive/items/{}?recursive=true", folders[5])).await.is(200);
    http.delete(&format!("/v1/drive/items/{}", text(&large["file_id"]))).await.is(200);
    let asked = json!({"filename": "waits.bin", "mime_type": "application/octet-stream"});
    let signed = http.post("/v1/uploads/url", &asked).await.success();
    http.put_bytes(&text(&signed["upload_url"]), "application/octet-stream", noise(4_000, 78)).await.is(200);
    let kit = json!({"title": "Kit", "colors": [{"color": "#112233", "label": "Ink"}]});
    let _ = http.post("/v1/brand-kits", &kit).await.success();
    draw(&http, size).await;
    keys
}

/// Has designs drawn and tells a receiver, remixes one in place and exports another.
async fn draw(http: &Http, size: Size) {
    let receiver = Receiver::start(vec![Reply::status(500), Reply::status(200)]).await;
    for number in 0..size.designs {
        let body =
            json!({"prompt": format!("A poster about tea, number {number}"), "callback_url": receiver.url("/told")});
        http.post("/v1/tasks", &body).await.is(202);
    }
    let canvases = wait_for("all designs", size.patience(), async || {
        let canvases = list(http, "/v1/canvases").await.as_array().cloned().unwrap_or_default();
        if canvases.len() == size.designs { Ok(canvases) } else { Err(canvases.len()) }
    })
    .await;
    let texts = format!("/v1/canvases/{}/texts", text(&canvases[0]["id"]));
    let there = http.get(&texts).await.expect(200);
    let first = &there["pages"][0]["texts"][0];
    let change = json!({"page_number": there["pages"][0]["page_number"], "ref": first["ref"], "text": "Tea"});
    let changed = json!({"revision": there["revision"], "changes": [change]});
    let answer = http.post(&texts, &changed).await;
    assert!(answer.status.is_success(), "{answer:?}");
    let export = format!("/v1/canvases/{}/export?format=png", text(&canvases[1]["id"]));
    assert_eq!(http.json(http::Method::POST, &export, "").await.expect(200)["status"], "completed");
    wait_for("every webhook to come to its end", size.patience(), async || {
        let found = list(http, "/v1/webhook_deliveries").await;
        let open = found.as_array().expect("a list").iter().filter(|one| one["status"] == "pending").count();
        if open == 0 { Ok(()) } else { Err(open) }
    })
    .await;
}

/// Everything of a studio, by every list of the HTTP API, and every byte of it, by these keys.
pub async fn look(studio: &Studio, keys: &Keys) -> Seen {
    let http = client(studio, &keys.owner);
    let mut seen = Seen::new();
    for (name, key) in [("owner", &keys.owner), ("member", &keys.member)] {
        let asker = client(studio, key);
        for path in ["/v1/drive/files", "/v1/drive/folders", "/v1/drive/trash", "/v1/canvases", "/v1/tasks"] {
            seen.insert(format!("{name} {path}"), list(&asker, path).await);
        }
        for path in ["/v1/whoami", "/v1/drive/tree"] {
            seen.insert(format!("{name} {path}"), settled(&asker.get(path).await.expect(200)));
        }
    }
    for path in ["/v1/webhook_deliveries", "/v1/brand-kits", "/team/audit"] {
        seen.insert(path.to_owned(), list(&http, path).await);
    }
    for path in ["/v1/organizations", "/team"] {
        seen.insert(path.to_owned(), settled(&http.get(path).await.expect(200)));
    }
    let files = ids(&seen["owner /v1/drive/files"]).into_iter().map(async |id| file(&http, &id).await);
    let canvases = ids(&seen["owner /v1/canvases"]).into_iter().map(async |id| canvas(&http, &id).await);
    let mut all: Vec<Seen> = stream::iter(files).buffer_unordered(AT_ONCE).collect().await;
    all.extend(stream::iter(canvases).buffer_unordered(AT_ONCE).collect::<Vec<Seen>>().await);
    seen.extend(all.into_iter().flatten());
    for id in ids(&seen["/v1/webhook_deliveries"]) {
        let path = format!("/v1/webhook_deliveries/{id}");
        seen.insert(path.clone(), settled(&http.get(&path).await.expect(200)));
    }
    for command in
        [&["users", "list"][..], &["keys", "list"], &["organizations", "list"], &["invitations", "list"], &["audit"]]
    {
        seen.insert(command.join(" "), lines(studio, command));
    }
    seen.insert("uploads list".to_owned(), lines(studio, &["uploads", "list"]));
    seen
}

/// What a file holds and held.
async fn file(http: &Http, id: &str) -> Seen {
    let (mut seen, path) = (Seen::new(), format!("/v1/drive/files/{id}"));
    bytes(http, format!("{path}/content"), &mut seen).await;
    let versions = list(http, &format!("{path}/versions")).await;
    for version in ids(&versions) {
        bytes(http, format!("{path}/versions/{version}/content"), &mut seen).await;
    }
    seen.insert(format!("{path}/versions"), versions);
    seen
}

/// What a design shows and says.
async fn canvas(http: &Http, id: &str) -> Seen {
    let mut seen = Seen::new();
    for part in ["", "/pages", "/texts"] {
        let path = format!("/v1/canvases/{id}{part}");
        seen.insert(path.clone(), settled(&http.get(&path).await.expect(200)));
    }
    let versions = format!("/v1/canvases/{id}/versions");
    seen.insert(versions.clone(), list(http, &versions).await);
    for url in addresses(&http.get(&format!("/v1/canvases/{id}")).await.expect(200)) {
        let answer = http.get_url(&url, &[]).await;
        answer.is(200);
        // A page for people has addresses in it.
        if answer.header("content-type").is_some_and(|kind| kind.starts_with("image/")) {
            seen.insert(format!("picture of {id}"), json!([answer.body.len(), hash_bytes(&answer.body)]));
        }
    }
    seen
}

fn lines(studio: &Studio, command: &[&str]) -> Value {
    let output = studio.command(command);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    settled(&json!(lines))
}

/// A list to its end.
async fn list(http: &Http, path: &str) -> Value {
    let (mut all, mut query) = (Vec::new(), String::new());
    loop {
        let page = match path.ends_with("/versions") {
            true => http.get(path).await.expect(200),
            false => http.get(&format!("{path}?limit=50{query}")).await.expect(200),
        };
        // Each list has a name of its own.
        let found = page.as_object().and_then(|fields| fields.values().find_map(Value::as_array));
        all.extend(found.unwrap_or_else(|| panic!("{path}: {page}")).clone());
        match page["next_cursor"].as_str() {
            Some(cursor) => query = format!("&cursor={cursor}"),
            None => return settled(&json!(all)),
        }
    }
}

async fn bytes(http: &Http, path: String, seen: &mut Seen) {
    let answer = http.get(&path).await;
    answer.is(200);
    seen.insert(path, json!([answer.body.len(), hash_bytes(&answer.body)]));
}

fn ids(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|one| text(&one["id"])).collect()
}

/// Every address in an answer.
fn addresses(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if text.starts_with("http://127.0.0.1") => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(addresses).collect(),
        Value::Object(fields) => fields.values().flat_map(addresses).collect(),
        _ => Vec::new(),
    }
}

/// Without what depends on the moment or on the address.
fn settled(value: &Value) -> Value {
    match value {
        Value::String(text) if text.contains("127.0.0.1") => json!("an address"),
        Value::Array(all) => all.iter().map(settled).collect(),
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "last_used_at" | "age_seconds"));
            kept.map(|(name, value)| (name.clone(), settled(value))).collect()
        }
        other => other.clone(),
    }
}

/// Says of each thing that is not the same what it is, and what it was.
pub fn assert_same(before: &Seen, now: &Seen) {
    let names: Vec<&String> = before.keys().chain(now.keys()).collect();
    let other = names.into_iter().find(|name| before.get(*name) != now.get(*name));
    if let Some(name) = other {
        panic!("{name} is\n{:#}\nand was\n{:#}", json!(now.get(name)), json!(before.get(name)));
    }
}
