//! A studio whose database is on a PostgreSQL server: the schema, whose database it is, what verify finds, and a
//! server that is away.

use std::collections::BTreeMap;
use std::time::Duration;

use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::postgres::{Database, Server};
use easel_tests::studio::{Options, Studio};
use serde_json::json;
use sqlx::{Connection as _, SqliteConnection};
use tempfile::TempDir;

fn client(studio: &Studio) -> Http {
    Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL)
}

/// Tables with their columns; each column with whether it may be nothing.
type Schema = BTreeMap<String, BTreeMap<String, bool>>;

async fn schema_of_sqlite() -> Schema {
    let mut options = Options::new();
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    options = options.data_dir(&data);
    assert!(options.command(&data, &["users", "list"]).status.success());
    let mut conn = SqliteConnection::connect(&format!("sqlite:{}", data.join("studio.db").display())).await.unwrap();
    let columns: Vec<(String, String, bool)> = sqlx::query_as(
        "SELECT tables.name, columns.name, columns.\"notnull\" = 0 AND columns.pk = 0
         FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap();
    conn.close().await.unwrap();
    into_schema(columns)
}

fn schema_of_postgres(database: &Database) -> Schema {
    let columns = database.query(
        "SELECT table_name, column_name, is_nullable FROM information_schema.columns WHERE table_schema = 'public'",
    );
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('|').collect();
        (fields[0].to_owned(), fields[1].to_owned(), fields[2] == "YES")
    };
    into_schema(columns.lines().map(read).collect())
}

fn into_schema(columns: Vec<(String, String, bool)>) -> Schema {
    let mut schema = Schema::new();
    for (table, column, may_be_nothing) in columns {
        schema.entry(table).or_default().insert(column, may_be_nothing);
    }
    schema.remove("_sqlx_migrations");
    schema
}

#[tokio::test]
async fn both_engines_have_the_same_tables_and_columns() {
    let server = Server::start();
    let (ours, theirs) = (schema_of_sqlite().await, schema_of_postgres(&server.make_database()));
    assert!(ours.len() > 20, "{ours:?}");
    assert_eq!(theirs, ours);
}

#[tokio::test]
async fn a_folder_and_its_database_belong_together_and_one_process_serves_them() {
    let server = Server::start();
    let (first, second) = (server.make_database(), server.make_database());
    let mut studio = Studio::start(Options::new().database(&first));
    let http = client(&studio);
    upload(&http, "a.txt", b"some bytes").await;
    let data = studio.data_dir.clone();
    assert!(!data.join("studio.db").exists());
    let by_the_note = Options::new().command(&data, &["users", "list"]);
    assert!(by_the_note.status.success(), "{}", String::from_utf8_lossy(&by_the_note.stderr));

    // A folder that is new, with the database that another folder has: it has no key file for it.
    let other = TempDir::new().unwrap();
    let stranger = Options::new().database(&first).command(&other.path().join("data"), &["users", "list"]);
    assert_eq!(stranger.status.code(), Some(1), "{}", String::from_utf8_lossy(&stranger.stderr));
    // With it, a second process is refused as long as the first serves.
    std::fs::copy(data.join("studio.key"), other.path().join("data").join("studio.key")).unwrap();
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let beside = Options::new().database(&first).command(&other.path().join("data"), &serve);
    assert_eq!(beside.status.code(), Some(3), "{}", String::from_utf8_lossy(&beside.stderr));

    for database in [second.url(), "sqlite:".to_owned()] {
        let elsewhere = Options::new().command(&data, &["users", "list", "--database", &database]);
        let said = String::from_utf8_lossy(&elsewhere.stderr).into_owned();
        assert_eq!(elsewhere.status.code(), Some(2), "{said}");
        assert!(said.contains("the database of"), "{said}");
    }
    assert!(studio.stop().success());
    studio.restart();
    let files = http.get("/v1/drive/files").await.expect(200);
    assert_eq!(files["data"][0]["name"], json!("a.txt"), "{files}");
}

#[tokio::test]
async fn verify_looks_at_a_folder_of_contents_and_the_rows_on_a_server() {
    let server = Server::start();
    let database = server.make_database();
    let studio = Studio::start(Options::new().database(&database));
    upload(&client(&studio), "a.txt", b"some bytes").await;
    let verified = studio.command(&["verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    let content = easel_tests::samples::hash_bytes(b"some bytes");
    std::fs::remove_file(studio.data_dir.join("blobs/sha256").join(&content[..2]).join(&content)).unwrap();
    let verified = studio.command(&["verify"]);
    assert_eq!(verified.status.code(), Some(4), "{}", String::from_utf8_lossy(&verified.stderr));
}

#[tokio::test]
async fn after_the_server_was_away_the_studio_goes_on() {
    let mut server = Server::start();
    let database = server.make_database();
    let studio = Studio::start(Options::new().database(&database));
    let http = client(&studio);
    upload(&http, "a.txt", b"some bytes").await;
    server.restart();
    wait_for("the studio", Duration::from_secs(30), async || {
        let found = http.get("/v1/drive/files").await;
        if found.status.as_u16() == 200 { Ok(()) } else { Err(found.status.to_string()) }
    })
    .await;
    wait_for("a write", Duration::from_secs(30), async || {
        let found = http.post("/v1/drive/folders", &json!({"name": "after"})).await;
        if found.status.as_u16() == 201 { Ok(()) } else { Err(found.status.to_string()) }
    })
    .await;
}
