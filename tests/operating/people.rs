//! Users, organizations and keys at the command line, and the audit log of what was done.

use std::process::Output;

use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

fn lines(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn one(output: &Output) -> Value {
    lines(output).pop().expect("a line")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

#[tokio::test]
async fn a_role_changes_and_a_removed_user_is_out_at_once() {
    let studio = Studio::start(Options::new());
    studio.add_user("ann@example.test", "member");
    let http = Http::new(&studio.base_url).with_key(&studio.create_key_for("ann's", "ann@example.test").key);
    assert_eq!(http.get("/v1/whoami").await.expect(200)["role"], "member");
    let changed = studio.command(&["users", "role", "ann@example.test", "admin"]);
    assert_eq!(one(&changed)["before"], "member");
    let said = String::from_utf8_lossy(&changed.stderr);
    assert_eq!(said.lines().filter(|line| line.contains("INFO") && line.contains("role changed")).count(), 1, "{said}");
    assert_eq!(http.get("/v1/whoami").await.expect(200)["role"], "admin");
    let id = text(&upload(&http.with_version(CANONICAL), "a.txt", b"a").await["file_id"]).to_owned();
    let listed = lines(&studio.command(&["users", "list"]));
    assert_eq!(
        listed.iter().map(|user| text(&user["email"])).collect::<Vec<_>>(),
        ["owner@localhost", "ann@example.test"]
    );
    assert_eq!((&listed[1]["role"], &listed[1]["keys"]), (&json!("admin"), &json!(1)));

    assert_eq!(one(&studio.command(&["users", "remove", "ann@example.test"]))["removed"], true);
    http.get("/v1/whoami").await.is(401);
    assert_eq!(lines(&studio.command(&["users", "list"])).len(), 1);
    let owner = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let file = owner.get(&format!("/v1/drive/files/{id}")).await.expect(200);
    assert_eq!(file["file"]["created_by"]["email"], "ann@example.test", "what she made stays");
    for wrong in [["users", "remove", "owner@localhost"], ["users", "remove", "ann@example.test"]] {
        assert_eq!(studio.command(&wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[tokio::test]
async fn organizations_do_not_see_each_other_and_have_their_own_plan() {
    let studio = Studio::start(Options::new());
    let made = studio.command(&["organizations", "create", "Second", "--owner", "eve@second.test", "--plan", "free"]);
    let made = one(&made);
    let second = Http::new(&studio.base_url).with_key(&studio.create_key_for("eve's", "eve@second.test").key);
    let second = second.with_version(CANONICAL);
    let first = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let who = second.get("/v1/whoami").await.expect(200);
    assert_eq!(
        (&who["organization"]["id"], &who["plan"], &who["role"]),
        (&made["id"], &json!("free"), &json!("owner"))
    );
    assert_eq!(who["entitlements"]["concurrency_cap"], 3);
    assert_eq!(second.get("/v1/uploads/limits").await.expect(200)["max_file_bytes"], 50_000_000);
    assert_eq!(first.get("/v1/uploads/limits").await.expect(200)["max_file_bytes"], 250_000_000);
    let id = text(&upload(&first, "a.txt", b"a").await["file_id"]).to_owned();
    second.get(&format!("/v1/drive/files/{id}")).await.is(404);
    assert_eq!(upload(&second, "a.txt", b"a").await["was_duplicate"], false);
    assert_eq!(second.get("/v1/drive/files").await.expect(200)["total"], 1);
    let listed = lines(&studio.command(&["organizations", "list"]));
    let told: Vec<_> = listed.iter().map(|one| (text(&one["name"]), one["used_files"].as_u64())).collect();
    assert_eq!(told, [("My organization", Some(1)), ("Second", Some(1))]);
    let added = ["users", "add", "bob@second.test", "--role", "member", "--organization", text(&made["id"])];
    assert!(studio.command(&added).status.success());
    let bob = Http::new(&studio.base_url).with_key(&studio.create_key_for("bob's", "bob@second.test").key);
    assert_eq!(bob.with_version(CANONICAL).get("/v1/drive/files").await.expect(200)["total"], 1);
}

#[tokio::test]
async fn a_key_has_the_scopes_and_the_end_that_it_was_made_with() {
    let studio = Studio::start(Options::new());
    let create = ["keys", "create", "reader", "--scopes", "canvases:read,files:read", "--expires-in-days", "30"];
    let made = one(&studio.command(&create));
    let http = Http::new(&studio.base_url).with_key(text(&made["key"])).with_version(CANONICAL);
    assert_eq!(http.get("/v1/whoami").await.expect(200)["scopes"], json!(["canvases:read", "files:read"]));
    http.get("/v1/drive/files").await.is(200);
    http.post("/v1/uploads/url", &json!({"filename": "a", "mime_type": "a/b"})).await.error(
        403,
        "permission",
        "missing_scope",
    );
    let listed = one(&studio.command(&["keys", "list"]));
    let end: jiff::Timestamp = text(&listed["expires_at"]).parse().unwrap();
    let days = end.duration_since(jiff::Timestamp::now()).as_secs() / 3600;
    assert!((30 * 24 - 2..=30 * 24).contains(&days), "{listed}");
    assert_eq!(studio.command(&["keys", "create", "x", "--scopes", "moon:walk"]).status.code(), Some(2));
}

#[tokio::test]
async fn after_a_rotation_both_keys_are_good_for_a_day() {
    let studio = Studio::start(Options::new());
    let old = studio.create_key("build server");
    let new = one(&studio.command(&["keys", "rotate", &old.id]));
    assert_eq!(new["replaces"], old.id.as_str());
    let end: jiff::Timestamp = text(&new["replaced_until"]).parse().unwrap();
    let left = end.duration_since(jiff::Timestamp::now()).as_secs();
    assert!((24 * 3600 - 120..=24 * 3600).contains(&left), "{left}");
    for key in [old.key.as_str(), text(&new["key"])] {
        Http::new(&studio.base_url).with_key(key).get("/v1/whoami").await.is(200);
    }
    let again = one(&studio.command(&["keys", "rotate", text(&new["id"])]));
    assert_ne!(again["key"], new["key"]);
    studio.delete_key(&old.id);
    Http::new(&studio.base_url).with_key(&old.key).get("/v1/whoami").await.is(401);
    assert_eq!(studio.command(&["keys", "rotate", &old.id]).status.code(), Some(2), "it is deleted");
}

#[tokio::test]
async fn the_audit_log_says_who_did_what_from_where_and_when() {
    let studio = Studio::start(Options::new().with("--trusted-proxy", "127.0.0.1"));
    let key = studio.create_key("k");
    let http = Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
    let id = text(&upload(&http, "secret plans.txt", b"a").await["file_id"]).to_owned();
    http.with_header("x-forwarded-for", "203.0.113.9").delete(&format!("/v1/drive/items/{id}")).await.is(200);
    let kit = http.post("/v1/brand-kits", &json!({"title": "Kit"})).await.expect(201);
    http.delete(&format!("/v1/brand-kits/{}", text(&kit["id"]))).await.is(200);
    let stranger = Http::new(&studio.base_url).with_header("x-forwarded-for", "198.51.100.7").with_key("svc_live_0");
    for _ in 0..3 {
        stranger.get("/v1/drive/files").await.is(401);
    }
    studio.add_user("ann@example.test", "member");
    assert!(studio.command(&["users", "role", "ann@example.test", "admin"]).status.success());
    assert!(studio.command(&["quotas", "set", "--bytes", "5000"]).status.success());
    studio.delete_key(&studio.create_key("doomed").id);
    let refused = wait_for("the refused key", std::time::Duration::from_secs(20), async || {
        let found = lines(&studio.command(&["audit", "--action", "key_refused"]));
        if found.is_empty() { Err("none") } else { Ok(found) }
    })
    .await;
    assert_eq!((&refused[0]["address"], &refused[0]["subject"]), (&json!("198.51.100.7"), &json!("/v1/drive/files")));

    let entries = lines(&studio.command(&["audit"]));
    let of = |action: &str| {
        let found = entries.iter().find(|entry| entry["action"] == action);
        found.unwrap_or_else(|| panic!("no {action}: {entries:?}"))
    };
    let deleted = of("item_deleted");
    assert_eq!(
        (
            &deleted["actor"],
            &deleted["api_key_id"],
            &deleted["address"],
            &deleted["subject"],
            &deleted["details"]["name"]
        ),
        (&json!("owner@localhost"), &json!(key.id), &json!("203.0.113.9"), &json!(id), &json!("secret plans.txt"))
    );
    assert!(text(&deleted["at"]).parse::<jiff::Timestamp>().is_ok());
    assert_eq!(of("brand_kit_deleted")["details"]["title"], "Kit");
    assert_eq!(of("role_changed")["details"], json!({"from": "member", "to": "admin"}));
    assert_eq!(of("quota_changed")["details"]["to"]["max_bytes"], 5000);
    for action in ["user_added", "key_created", "key_deleted"] {
        let entry = of(action);
        assert_eq!(entry["actor"], "operator");
        assert!(text(&entry["address"]).starts_with("command line"), "{entry}");
    }
    let since = text(&of("quota_changed")["at"]);
    let later = lines(&studio.command(&["audit", "--since", since]));
    assert!(later.len() < entries.len() && later[0]["action"] == "quota_changed", "{later:?}");
    let whole = serde_json::to_string(&entries).unwrap();
    assert!(!whole.contains(&key.key) && !whole.contains("svc_live_"), "no key is in it");
}
