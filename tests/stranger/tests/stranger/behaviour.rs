//! What a stranger does where a test needs to rely on it: versions, rates, keys, lists that change, faults, mangling.

use std::time::Duration;

use crate::plain::Plain;
use easel_stranger::{
    Clock, Config, Contradiction, Fault, How, Mangle, Route, Stranger, Switch, Switches, every_field,
};
use reqwest::Method;
use serde_json::{Value, json};

async fn start(switches: &[Switch]) -> (Stranger, Plain) {
    let mut config = Config::new(Switches::of(switches));
    config.requests_per_minute = None;
    let stranger = Stranger::with(config).await.unwrap();
    let plain = Plain::new(&stranger);
    (stranger, plain)
}

#[tokio::test]
async fn each_set_of_versions_answers_a_pin_as_it_should() {
    // The switches, what is pinned, the status, what the header says, what the details say.
    for (switches, pinned, status, header, supported) in [
        (&[][..], "2026-05-01", 200, "2026-05-01", Value::Null),
        (&[], "2026-04-12", 200, "2026-04-12", Value::Null),
        (&[], "2027-01-01", 400, "2026-04-12", json!(["2026-04-12", "2026-05-01"])),
        (&[Switch::NewerVersionRefused], "2026-05-01", 400, "2026-04-12", json!(["2026-04-12"])),
        (
            &[Switch::NewerVersionRefused, Switch::UnsupportedWithoutDetails],
            "2026-05-01",
            400,
            "2026-04-12",
            Value::Null,
        ),
        (&[Switch::OlderVersionRetired], "2026-04-12", 400, "2026-05-01", json!(["2026-05-01"])),
        (&[Switch::FurtherVersionKnown], "2026-08-01", 200, "2026-08-01", Value::Null),
    ] {
        let (_stranger, mut plain) = start(switches).await;
        pinned.clone_into(&mut plain.version);
        let answer = plain.get("/v1/drive/files").await;
        assert_eq!((answer.status, answer.version()), (status, Some(header)), "{switches:?} {pinned}");
        assert_eq!(answer.json["error"]["details"]["supported"], supported, "{switches:?} {pinned}");
    }
}

#[tokio::test]
async fn lists_have_the_form_of_their_version() {
    for (switches, version, expected) in [
        (&[][..], "2026-05-01", json!({"data": [], "next_cursor": null, "has_more": false, "total": 0})),
        (&[], "2026-04-12", json!({"files": [], "total": 0, "limit": 20, "offset": 0, "has_more": false})),
        (
            &[Switch::OlderShapeAnyway],
            "2026-05-01",
            json!({"files": [], "total": 0, "limit": 20, "offset": 0, "has_more": false}),
        ),
        (&[Switch::ListsBare], "2026-05-01", json!([])),
        (&[Switch::PagesOfEverything, Switch::TotalMissing, Switch::HasMoreMissing], "2026-05-01", json!({"data": []})),
    ] {
        let (_stranger, mut plain) = start(switches).await;
        version.clone_into(&mut plain.version);
        assert_eq!(plain.get("/v1/drive/files").await.json, expected, "{switches:?} {version}");
    }
}

#[tokio::test]
async fn no_key_or_a_deleted_one_is_401_with_the_header() {
    let (stranger, mut plain) = start(&[]).await;
    let second = stranger.add_key();
    for key in ["svc_live_none", &second, stranger.key()] {
        key.clone_into(&mut plain.key);
        stranger.delete_key(key);
        let answer = plain.get("/v1/whoami").await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")), "{answer:?}");
    }
}

#[tokio::test]
async fn a_key_has_its_requests_a_minute_and_then_waits() {
    let (clock, hand) = Clock::standing();
    let mut config = Config::new(Switches::none());
    (config.clock, config.requests_per_minute) = (clock, Some(3));
    let stranger = Stranger::with(config).await.unwrap();
    let plain = Plain::new(&stranger);
    for _ in 0..3 {
        assert!(plain.get("/v1/whoami").await.is_ok());
    }
    hand.advance(Duration::from_secs(20));
    let refused = plain.get("/v1/whoami").await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("41")), "{refused:?}");
    assert_eq!(refused.json["error"]["code"], "rate_limited");
    hand.advance(Duration::from_secs(41));
    assert!(plain.get("/v1/whoami").await.is_ok());
}

#[tokio::test]
async fn a_signed_address_expires_by_the_clock_that_was_given() {
    let (clock, hand) = Clock::standing();
    let mut config = Config::new(Switches::none());
    config.clock = clock;
    let stranger = Stranger::with(config).await.unwrap();
    let plain = Plain::new(&stranger);
    let signed = plain.post("/v1/uploads/url", json!({"filename": "a.txt", "mime_type": "text/plain"})).await;
    let url = signed.json["upload_url"].as_str().unwrap();
    hand.advance(Duration::from_secs(600));
    assert_eq!(plain.put(url, "text/plain", b"late".to_vec()).await, 403);
    let register = plain.post("/v1/uploads/register", json!({"storage_key": signed.json["storage_key"]})).await;
    assert_eq!((register.status, &register.json["error"]["code"]), (404, &json!("upload_not_found")));
    assert!(stranger.taken().is_empty());
}

#[tokio::test]
async fn an_answer_is_lost_though_what_it_says_was_done() {
    let (stranger, plain) = start(&[]).await;
    stranger.lose_answer(Route::CreateFolder, 2);
    stranger.fail(Route::CreateFolder, 3, Fault::RequestLost);
    let lost = [("one", false), ("two", true), ("three", true), ("four", false)];
    for (name, is_lost) in lost {
        let is_cut = plain.is_cut(Method::POST, "/v1/drive/folders", &json!({"name": name})).await;
        assert_eq!(is_cut, is_lost, "{name}");
    }
    let drive = stranger.drive();
    let mut names = drive.folders.values().map(String::as_str).collect::<Vec<_>>();
    names.sort_unstable();
    assert_eq!(names, ["four", "one", "two"]);
    let log = stranger.log().iter().map(|entry| (entry.status, entry.is_lost)).collect::<Vec<_>>();
    assert_eq!(log, [(201, false), (201, true), (0, true), (201, false)]);
}

#[tokio::test]
async fn nobody_answers_when_it_is_over() {
    let (stranger, plain) = start(&[]).await;
    assert!(plain.get("/v1/whoami").await.is_ok());
    drop(stranger);
    assert!(plain.is_cut(Method::GET, "/v1/whoami", &Value::Null).await);
}

#[tokio::test]
async fn a_gateway_refuses_out_of_turn() {
    let (stranger, plain) = start(&[]).await;
    stranger.fail(Route::Whoami, 1, Fault::Refused { status: 503, retry_after: Some(7) });
    let refused = plain.get("/v1/whoami").await;
    assert_eq!((refused.status, refused.header("retry-after"), &refused.json), (503, Some("7"), &Value::Null));
    assert!(plain.get("/v1/whoami").await.is_ok());
}

#[tokio::test]
async fn answers_contradict_each_other_as_asked() {
    let (stranger, plain) = start(&[]).await;
    let folder = stranger.make_folder(None, "Kept");
    let file = stranger.put_file(Some(&folder), "a.txt", "words");
    stranger.contradict(Contradiction::ListedIsGone(file.clone()));
    assert_eq!(plain.list("/v1/drive/files", "files").await.len(), 1);
    assert_eq!(plain.get(&format!("/v1/drive/files/{file}")).await.status, 404);
    stranger.contradict(Contradiction::FolderUnlisted(folder.clone()));
    assert!(plain.list("/v1/drive/folders", "folders").await.is_empty());
    stranger.contradict(Contradiction::CursorGoesRound(Route::ListFiles));
    let first = plain.get("/v1/drive/files").await.json;
    let cursor = first["next_cursor"].as_str().unwrap();
    assert_eq!(plain.get(&format!("/v1/drive/files?cursor={cursor}")).await.json["data"], first["data"]);
    stranger.contradict(Contradiction::DeletionsWithoutEffect);
    stranger.agree();
    stranger.contradict(Contradiction::DeletionsWithoutEffect);
    let deleted = plain.send(Method::DELETE, &format!("/v1/drive/items/{file}"), Value::Null).await;
    assert!(deleted.is_ok() && stranger.drive().files.contains_key(&file), "{deleted:?}");
    stranger.contradict(Contradiction::OtherBytes(file.clone()));
    assert_eq!(plain.download(&file).await, b"sdrow!");
    stranger.contradict(Contradiction::FilesListedEmpty);
    assert!(plain.list("/v1/drive/files", "files").await.is_empty());
}

/// The names of all pages of two, while a file is put in front of them after the first.
async fn names_while_one_is_added(switches: &[Switch]) -> Vec<String> {
    let (stranger, plain) = start(switches).await;
    for name in ["a", "b", "c", "d"] {
        stranger.put_file(None, name, name);
    }
    let first = plain.get("/v1/drive/files?limit=2&sort=name").await.json;
    stranger.put_file(None, "0", "0");
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = plain.get(&format!("/v1/drive/files?limit=2&sort=name&cursor={cursor}")).await.json;
    let items = [first["data"].clone(), second["data"].clone()];
    items
        .iter()
        .flat_map(|page| page.as_array().unwrap())
        .map(|item| item["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_list_that_changes_repeats_items_only_where_its_cursors_are_offsets() {
    assert_eq!(names_while_one_is_added(&[]).await, ["a", "b", "c", "d"]);
    assert_eq!(names_while_one_is_added(&[Switch::ListsShift]).await, ["a", "b", "b", "c"]);
}

#[tokio::test]
async fn a_cursor_expires_at_one_reading_in_four() {
    let (stranger, plain) = start(&[Switch::CursorsExpireAs410]).await;
    for name in ["a", "b", "c"] {
        stranger.put_file(None, name, name);
    }
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let cursor = plain.get("/v1/drive/files?limit=2").await.json["next_cursor"].as_str().unwrap().to_owned();
        statuses.push(plain.get(&format!("/v1/drive/files?limit=2&cursor={cursor}")).await.status);
    }
    assert_eq!(statuses, [410, 200, 200, 200, 410]);
}

#[tokio::test]
async fn one_field_is_mangled_in_every_answer_of_its_endpoint() {
    let (stranger, plain) = start(&[]).await;
    stranger.put_file(None, "a.txt", "words");
    let mangle = |pointer: &str, how| Mangle { route: Route::ListFiles, pointer: pointer.to_owned(), how };
    stranger.mangle(Some(mangle("/data/*/size_bytes", How::OtherType)));
    assert_eq!(plain.get("/v1/drive/files").await.json["data"][0]["size_bytes"], "5");
    stranger.mangle(Some(mangle("/data/*/name", How::LeaveOut)));
    let answer = plain.get("/v1/drive/files").await.json;
    assert!(answer["data"][0].get("name").is_none() && answer["data"][0].get("id").is_some());
    stranger.mangle(None);
    assert_eq!(plain.get("/v1/drive/files").await.json["data"][0]["name"], "a.txt");
    assert!(stranger.fields().iter().any(|field| field.pointer == "/data/*/size_bytes"));
}

#[test]
fn every_field_can_be_mangled_in_some_way() {
    let fields = every_field(&Switches::none());
    let count = fields.iter().flat_map(easel_stranger::Field::manglings).count();
    println!("{} fields, {count} manglings", fields.len());
    assert!(fields.len() > 300 && count > fields.len() * 3, "{} {count}", fields.len());
}

#[tokio::test]
async fn a_file_comes_in_ranges_and_storage_takes_no_key() {
    let (stranger, plain) = start(&[Switch::StorageElsewhere]).await;
    let file = stranger.put_file(None, "a.txt", "0123456789");
    let answer = plain.get(&format!("/v1/drive/files/{file}/download")).await.json;
    let url = answer["download_url"].as_str().unwrap();
    assert!(!url.starts_with(stranger.base_url()), "{url}");
    assert_eq!(plain.fetch(url, Some("bytes=4-6")).await, (206, b"456".to_vec()));
    assert_eq!(plain.fetch(url, None).await, (200, b"0123456789".to_vec()));
    assert_eq!(plain.fetch(&url.replace("signature=", "signature=x"), None).await.0, 403);
    let path = url.split_once("/storage/").unwrap().1;
    assert_eq!(plain.get(&format!("/storage/{path}")).await.status, 400, "with a key");
}

#[tokio::test]
async fn ids_are_taken_as_uuids_where_the_specification_says_so_and_nowhere_else() {
    let (stranger, plain) = start(&[Switch::IdSuffixHyphenated]).await;
    let folder = stranger.make_folder(None, "Kept");
    let file = stranger.put_file(Some(&folder), "a.txt", "words");
    let bare = |id: &str| id.split_once('_').unwrap().1.to_owned();
    assert!(plain.get(&format!("/v1/drive/files/{}", bare(&file))).await.is_ok());
    let made = plain.post("/v1/drive/folders", json!({"name": "Within", "parent_folder_id": bare(&folder)})).await;
    assert!(made.is_ok(), "{made:?}");
    for (method, path, status) in [
        (Method::GET, format!("/v1/drive/files?folder_id={}", bare(&folder)), 422),
        (Method::GET, format!("/v1/drive/folders?parent_id={}", bare(&folder)), 422),
        (Method::DELETE, format!("/v1/drive/items/{}", bare(&file)), 422),
        (Method::POST, format!("/v1/webhook_deliveries/{}/redeliver", bare(&file)), 404),
    ] {
        assert_eq!(plain.send(method, &path, Value::Null).await.status, status, "{path}");
    }
}

#[test]
fn the_program_says_where_it_is_and_with_which_switches() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_stranger"))
        .args(["--all-against", "--switch", "whoami-missing=off", "--switch", "lists-bare"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    assert!(ready["base_url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{line}");
    assert!(ready["key"].as_str().unwrap().starts_with("svc_live_"), "{line}");
    let switches = ready["switches"].as_array().unwrap();
    assert!(switches.len() > 100, "{line}");
    for (name, is_on) in [("whoami-missing", false), ("lists-bare", true), ("lists-under-resource-name", false)] {
        assert_eq!(switches.contains(&json!(name)), is_on, "{name}: {line}");
    }
}
