//! A start beside a database that is not the one that the contents belong to: blank, new or older. Nothing is lost by it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use easel_tests::drive::{upload, upload_into};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::studio::{Options, Studio, binary, command};
use serde_json::Value;
use tempfile::TempDir;

use crate::service::{all_files, create_folder, download, text};

/// The database with what lies beside it.
const DATABASE: [&str; 3] = ["studio.db", "studio.db-wal", "studio.db-shm"];

fn content(number: usize) -> Vec<u8> {
    format!("content {number}").into_bytes()
}

async fn upload_some(http: &Http, numbers: std::ops::Range<usize>) {
    for number in numbers {
        upload(http, &format!("file {number}.txt"), &content(number)).await;
    }
}

/// Copies the database of a studio that does not run, and removes it where it was if `taken`.
fn carry_database(from: &Path, to: &Path, taken: bool) {
    std::fs::create_dir_all(to).unwrap();
    for name in DATABASE {
        let _ = std::fs::remove_file(to.join(name));
        if from.join(name).exists() {
            std::fs::copy(from.join(name), to.join(name)).unwrap();
            if taken {
                std::fs::remove_file(from.join(name)).unwrap();
            }
        }
    }
}

/// A start that is expected to end by itself.
fn try_serve(data: &Path) -> Output {
    let arguments = ["10", binary().to_str().unwrap(), "serve", "--listen", "127.0.0.1:0", "--data"].map(str::to_owned);
    Command::new("timeout").args(arguments).arg(data).stdin(Stdio::null()).output().unwrap()
}

/// What is set aside, as the command lists it.
fn list_set_aside(data: &Path) -> Vec<Value> {
    let listed = command(data, &["contents", "list"]);
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    String::from_utf8(listed.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_new_or_empty_database_beside_contents_is_refused_and_nothing_is_lost() {
    let mut studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    upload_some(&http, 0..12).await;
    studio.stop();
    let safe = TempDir::new().unwrap();
    carry_database(&studio.data_dir, safe.path(), true);

    let database = studio.data_dir.join("studio.db");
    for blank in ["missing", "0 bytes", "without tables", "without a team"] {
        match blank {
            "0 bytes" => std::fs::write(&database, b"").unwrap(),
            "without tables" => std::fs::write(&database, empty_database().await).unwrap(),
            "without a team" => {
                carry_database(safe.path(), &studio.data_dir, false);
                forget_everyone(&database).await;
            }
            _ => {}
        }
        for refused in [try_serve(&studio.data_dir), command(&studio.data_dir, &["keys", "create", "other"])] {
            let said = String::from_utf8_lossy(&refused.stderr);
            assert_eq!(refused.status.code(), Some(1), "{blank}: {said}");
            assert!(refused.stdout.is_empty(), "{blank}");
            assert!(said.contains("12 contents") && said.contains("contents set-aside"), "{blank}: {said}");
        }
        assert_eq!(database.exists(), blank != "missing", "a refused start makes no database");
    }

    carry_database(safe.path(), &studio.data_dir, false);
    studio.restart();
    let files = all_files(&http).await;
    assert_eq!(files.len(), 12);
    for file in files {
        let number: usize = text(&file["name"])[5..].trim_end_matches(".txt").parse().unwrap();
        assert_eq!(download(&http, &text(&file["id"])).await, content(number));
    }
}

#[tokio::test]
async fn what_an_older_database_does_not_name_is_set_aside_listed_and_brought_back() {
    let mut studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    upload_some(&http, 0..5).await;
    studio.stop();
    let older = TempDir::new().unwrap();
    carry_database(&studio.data_dir, older.path(), false);
    studio.restart();
    upload_some(&http, 5..8).await;
    let folder = create_folder(&http, "later", None).await;
    upload_into(&http, &folder, "within.png", b"\x89PNG\r\n\x1a\nno picture, but so it begins").await;
    studio.stop();
    let newer = TempDir::new().unwrap();
    carry_database(&studio.data_dir, newer.path(), false);

    // An older one, twice: what is set aside stays so.
    carry_database(older.path(), &studio.data_dir, false);
    for _ in 0..2 {
        studio.restart();
        assert_eq!(all_files(&http).await.len(), 5);
        let listed = list_set_aside(&studio.data_dir);
        assert_eq!(listed.len(), 4, "{listed:?}");
        for one in &listed {
            assert!(text(&one["content_hash"]).starts_with("sha256:"), "{one}");
            assert!(one["size_bytes"].as_u64().unwrap() > 0 && one["set_aside_at"] != one["kept_until"], "{one}");
        }
        studio.stop();
    }

    // The newer one again: everything is where it was.
    carry_database(newer.path(), &studio.data_dir, false);
    studio.restart();
    let files = all_files(&http).await;
    assert_eq!(files.len(), 9);
    for file in &files {
        assert!(!download(&http, &text(&file["id"])).await.is_empty());
    }
    assert_eq!(list_set_aside(&studio.data_dir).len(), 0);
    studio.stop();

    // The older one for good, and one command beside the running service.
    carry_database(older.path(), &studio.data_dir, false);
    studio.restart();
    let brought = studio.command(&["contents", "bring-back"]);
    assert!(brought.status.success(), "{}", String::from_utf8_lossy(&brought.stderr));
    assert_eq!(String::from_utf8(brought.stdout).unwrap().lines().count(), 4);
    assert_eq!(list_set_aside(&studio.data_dir).len(), 0);
    let files = all_files(&http).await;
    assert_eq!(files.len(), 9);
    let mut found = Vec::new();
    for file in &files {
        found.push(download(&http, &text(&file["id"])).await.to_vec());
    }
    for number in 0..8 {
        assert!(found.contains(&content(number)), "content {number}");
    }
    assert!(files.iter().any(|file| file["mime_type"] == "image/png" && text(&file["name"]).ends_with(".png")));
    assert!(studio.command(&["contents", "bring-back"]).stdout.is_empty(), "once");
    studio.stop();
    studio.restart();
    assert_eq!(all_files(&http).await.len(), 9, "after another start too");
    assert_eq!(list_set_aside(&studio.data_dir).len(), 0);
}

#[tokio::test]
async fn the_way_out_of_a_lost_database_sets_everything_aside_and_starts_empty() {
    let mut studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    upload_some(&http, 0..6).await;
    let held = studio.command(&["contents", "set-aside"]);
    assert_eq!(held.status.code(), Some(3), "beside a running service: {}", String::from_utf8_lossy(&held.stderr));
    studio.stop();
    carry_database(&studio.data_dir, TempDir::new().unwrap().path(), true);
    assert!(studio.command(&["contents", "set-aside"]).status.success());
    studio.restart();
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    assert_eq!(all_files(&http).await.len(), 0);
    assert_eq!(list_set_aside(&studio.data_dir).len(), 6);
    let one = text(&list_set_aside(&studio.data_dir)[0]["content_hash"]);
    assert!(studio.command(&["contents", "bring-back", &one]).status.success());
    assert_eq!(
        (all_files(&http).await.len(), list_set_aside(&studio.data_dir).len()),
        (1, 5),
        "the one that was named"
    );
    assert!(studio.command(&["contents", "bring-back"]).status.success());
    let mut found = Vec::new();
    for file in all_files(&http).await {
        found.push(download(&http, &text(&file["id"])).await.to_vec());
    }
    found.sort();
    assert_eq!(found, (0..6).map(content).collect::<Vec<_>>());
}

/// A database that is one and holds nothing.
async fn empty_database() -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    change_database(&path, "PRAGMA user_version = 1").await;
    std::fs::read(path).unwrap()
}

async fn forget_everyone(database: &Path) {
    for table in ["files", "api_keys", "users", "teams", "organizations"] {
        change_database(database, &format!("DELETE FROM {table}")).await;
    }
}

async fn change_database(path: &Path, sql: &str) {
    use sqlx::Connection;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection = sqlx::sqlite::SqliteConnection::connect_with(&options.foreign_keys(false)).await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
