//! The limit that small files are measured against: a loop that reads a file, posts it, and a service that writes and
//! syncs the file and its row, and nothing else.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as Name, State};
use axum::http::StatusCode;
use axum::routing::post;
use easel_tests::process::Program;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use tokio::io::AsyncWriteExt as _;

struct Service {
    folder: PathBuf,
    rows: SqlitePool,
}

/// Serves until it is killed; the first line on standard output is the address.
pub async fn serve(folder: &Path) {
    let options = SqliteConnectOptions::new()
        .filename(folder.join("rows.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let rows = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("a database");
    sqlx::query("CREATE TABLE files (name TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL)")
        .execute(&rows)
        .await
        .expect("a table");
    let service = Arc::new(Service { folder: folder.to_owned(), rows });
    let router = Router::new().route("/{name}", post(keep)).with_state(service);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    axum::serve(listener, router).await.expect("it serves until it is killed");
}

async fn keep(State(service): State<Arc<Service>>, Name(name): Name<String>, content: Bytes) -> StatusCode {
    let mut file = tokio::fs::File::create(service.folder.join(&name)).await.expect("a file");
    file.write_all(&content).await.expect("bytes");
    file.sync_all().await.expect("synced");
    let size_bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
    let row = sqlx::query("INSERT INTO files VALUES ($1, $2)").bind(&name).bind(size_bytes);
    row.execute(&service.rows).await.expect("a row");
    StatusCode::CREATED
}

/// Posts every file, `at_once` at a time, and says how long that took.
pub async fn send(paths: &[PathBuf], folder: &Path, at_once: usize) -> Duration {
    let program = std::env::current_exe().expect("this program's path");
    let mut command = Command::new(program);
    let mut service = Program::start(
        command.arg("bare-service").arg(folder).stdin(Stdio::null()).stdout(Stdio::piped()),
        "easel-tests",
    );
    let mut address = String::new();
    let output = service.child().stdout.take().expect("a pipe");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut address).expect("an address");
    let address = Arc::new(format!("http://{}", address.trim()));

    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let paths: Arc<[PathBuf]> = paths.into();
    let began = Instant::now();
    let mut lanes = tokio::task::JoinSet::new();
    for lane in 0..at_once {
        let (client, paths, address) = (client.clone(), Arc::clone(&paths), Arc::clone(&address));
        lanes.spawn(async move {
            for (number, path) in paths.iter().enumerate().skip(lane).step_by(at_once) {
                let content = tokio::fs::read(path).await.expect("a file");
                let answer = client.post(format!("{address}/{number}")).body(content).send().await.expect("an answer");
                assert_eq!(answer.status(), 201);
            }
        });
    }
    while let Some(lane) = lanes.join_next().await {
        lane.expect("a lane that ends");
    }
    began.elapsed()
}
