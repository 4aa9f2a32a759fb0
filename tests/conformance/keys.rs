//! Contract, "Keys": the command line that stands for Settings > Developer > REST API.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use easel_tests::studio::{Options, Studio, command};
use serde_json::Value;

use crate::service::{Service, text, upload};

#[test]
fn keys_are_created_beside_a_running_service_and_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let before = command(&data, &["keys", "create", "before"]);
    assert!(before.status.success(), "{}", String::from_utf8_lossy(&before.stderr));
    let before: Value = serde_json::from_slice(&before.stdout).unwrap();
    let studio = Studio::start(Options::new().data_dir(&data));
    let during = studio.create_key("during");
    assert_ne!(text(&before["key"]), during.key);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for key in [text(&before["key"]), during.key.clone()] {
            easel_tests::http::Http::new(&studio.base_url).with_key(&key).get("/v1/whoami").await.is(200);
        }
    });
}

#[tokio::test]
async fn keys_create_prints_one_line_with_id_key_and_secret() {
    let service = Service::start();
    let output = service.studio.command(&["keys", "create", "a name with \"quotes\" and ü"]);
    assert!(output.status.success());
    let line = String::from_utf8(output.stdout).unwrap();
    assert_eq!(line.lines().count(), 1);
    let value: Value = serde_json::from_str(&line).unwrap();
    let mut fields: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["id", "key", "signing_secret"]);
    assert!(text(&value["id"]).starts_with("ak_"));
}

#[tokio::test]
async fn what_the_command_line_cannot_do_it_says_and_fails() {
    let service = Service::start();
    let cases: &[&[&str]] = &[
        &["keys", "create", ""],
        &["keys", "create", "a", "--user", "nobody@example.test"],
        &["keys", "delete", "ak_01KAAAAAAA7AAAAAAAAAAAAAAA"],
        &["keys", "delete", "banana"],
        &["users", "add", "no address", "--role", "member"],
        &["users", "add", "a@example.test", "--role", "emperor"],
        &["keys", "list", "--nonsense"],
    ];
    for arguments in cases {
        let output = service.studio.command(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{arguments:?}");
    }
    service.studio.add_user("a@example.test", "member");
    assert!(!service.studio.command(&["users", "add", "A@example.test", "--role", "member"]).status.success(), "twice");
    let doomed = service.studio.create_key("doomed");
    service.studio.delete_key(&doomed.id);
    assert!(!service.studio.command(&["keys", "delete", &doomed.id]).status.success(), "deleted twice");
}

#[tokio::test]
async fn a_key_may_be_named_by_any_form_of_its_id_when_it_is_deleted() {
    let service = Service::start();
    let key = service.studio.create_key("doomed");
    service.studio.delete_key(&key.id.to_lowercase());
    service.anonymous().with_key(&key.key).get("/v1/whoami").await.is(401);
}

#[tokio::test]
async fn a_key_works_for_the_user_it_was_made_for() {
    let service = Service::start();
    service.studio.add_user("ada@example.test", "member");
    let key = service.studio.create_key_for("ada's", "ada@example.test");
    let http = service.anonymous().with_key(&key.key);
    let me = http.get("/v1/whoami").await.expect(200);
    assert_eq!(
        (&me["user"]["email"], &me["role"], &me["api_key_id"]),
        (&"ada@example.test".into(), &"member".into(), &key.id.into())
    );
    let id = text(&upload(&http, "a", b"a").await["file_id"]);
    let file = service.http.get(&format!("/v1/drive/files/{id}")).await.expect(200);
    assert_eq!(file["file"]["created_by"]["email"], "ada@example.test");
    let team = service.http.get("/v1/whoami").await.expect(200)["team"].clone();
    assert_eq!(me["team"], team);
}

#[tokio::test]
async fn neither_keys_nor_signing_secrets_can_be_read_from_the_data_folder_or_the_log() {
    let mut service = Service::start();
    let doomed = service.studio.create_key("doomed");
    service.http.get("/v1/whoami").await.is(200);
    service.anonymous().with_key(&doomed.key).get("/v1/whoami").await.is(200);
    service.studio.delete_key(&doomed.id);
    service.anonymous().with_key(&doomed.key).get("/v1/whoami").await.is(401);
    let signed = crate::service::sign(&service.http, "a").await;
    crate::service::put(&service.http, &signed, b"a").await.is(200);
    crate::service::put(&service.http, &signed, b"a").await.is(403);
    let signature = text(&signed["upload_url"]).split_once('?').map(|(_, query)| query.to_owned());
    service.studio.stop();

    let mut hidden = vec![
        service.key.key.clone(),
        service.key.signing_secret.clone(),
        doomed.key.clone(),
        doomed.signing_secret.clone(),
    ];
    let digits: Vec<String> = hidden.iter().filter_map(|text| Some(text.rsplit_once('_')?.1.to_owned())).collect();
    hidden.extend(digits);
    hidden.extend(signature);
    for (name, content) in [("log", service.studio.log()), ("output", service.studio.output())] {
        assert!(hidden.iter().all(|secret| !content.contains(secret.as_str())), "a secret in the {name}");
    }
    let mut files = 0;
    search(&service.studio.data_dir, &hidden, &mut files);
    assert!(files > 1, "the data folder is elsewhere");
}

fn search(folder: &Path, hidden: &[String], files: &mut usize) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            search(&path, hidden, files);
            continue;
        }
        let content = std::fs::read(&path).unwrap();
        for secret in hidden {
            let found = content.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "a key or a secret stands in {}", path.display());
        }
        *files += 1;
    }
}

#[tokio::test]
async fn what_only_the_service_may_read_is_mode_0600() {
    let service = Service::start();
    let mut checked = 0;
    let mut folders = vec![service.studio.data_dir.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
                continue;
            }
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            if name.contains("key") || name.contains("secret") {
                assert_eq!(mode, 0o600, "{name}");
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "there is no key file in the data folder");
}

#[tokio::test]
async fn the_list_says_when_a_key_was_last_used() {
    let mut service = Service::start();
    let unused = service.studio.create_key("never used");
    let before = jiff::Timestamp::now();
    service.http.get("/v1/whoami").await.is(200);
    assert_eq!(service.studio.stop().code(), Some(0));
    let list = service.studio.command(&["keys", "list"]);
    let mut seen = 0;
    for line in String::from_utf8(list.stdout).unwrap().lines() {
        let key: Value = serde_json::from_str(line).unwrap();
        if key["id"] == unused.id.as_str() {
            assert!(key["last_used_at"].is_null(), "{key}");
        } else {
            let at: jiff::Timestamp = text(&key["last_used_at"]).parse().unwrap();
            assert!(at.duration_since(before).abs().as_secs() < 60, "{key}");
        }
        seen += 1;
    }
    assert_eq!(seen, 2);
}
