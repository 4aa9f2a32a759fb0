//! The peer: a handler that answers each path with bytes that it was given before, and does nothing else; or that asks a PostgreSQL
//! server for one row before each answer.

use std::collections::HashMap;
use std::io::BufRead as _;
use std::path::Path;
use std::process::{Command, Stdio};

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use easel_tests::process::Program;
use sqlx::postgres::{PgPool, PgPoolOptions};

/// As many connections as a studio reads with.
const CONNECTIONS: u32 = 12;

/// One row by its key, out of a table of a few rows.
const ONE_ROW: &str = "SELECT name FROM users WHERE id = $1";

/// Serves what is in the folder, each file under its name, until it is killed; the first line on standard output is the
/// address. With a database, each answer is given after one row of it was asked for.
pub async fn serve(folder: &Path, database: Option<&str>) {
    let row = match database {
        Some(database) => Some(OneRow::prepare(database).await),
        None => None,
    };
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, Bytes::from(std::fs::read(path).expect("a file")))
    });
    let files: HashMap<String, Bytes> = files.collect();
    let mut router = Router::new();
    for (name, content) in files {
        let row = row.clone();
        let answer = async move || {
            if let Some(row) = row {
                row.ask().await;
            }
            ([(CONTENT_TYPE, "application/json")], content)
        };
        router = router.route(&format!("/{name}"), get(answer));
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream: &mut tokio::net::TcpStream| {
        stream.set_nodelay(true).expect("a socket");
    });
    axum::serve(listener, router).await.expect("it serves until it is killed");
}

/// What is asked of a server.
#[derive(Clone)]
struct OneRow {
    pool: PgPool,
    id: Vec<u8>,
}

impl OneRow {
    async fn prepare(database: &str) -> Self {
        let pool = PgPoolOptions::new().min_connections(CONNECTIONS).max_connections(CONNECTIONS);
        let pool = pool.connect(database).await.expect("a server");
        let id = sqlx::query_scalar("SELECT id FROM users LIMIT 1").fetch_one(&pool).await.expect("a row");
        Self { pool, id }
    }

    async fn ask(&self) {
        let _: String = sqlx::query_scalar(ONE_ROW).bind(&self.id).fetch_one(&self.pool).await.expect("the row");
    }
}

/// The running peer.
pub struct Bare {
    /// Its host and port.
    pub authority: String,
    /// What it is called in the table.
    pub words: &'static str,
    _service: Program,
}

impl Bare {
    /// Starts one with these answers, by name.
    pub fn start(folder: &Path, answers: &[(&str, &[u8])]) -> Self {
        Self::run(folder, answers, None)
    }

    /// Starts one that asks for one row of this database before each answer.
    pub fn start_asking(folder: &Path, answers: &[(&str, &[u8])], database: &str) -> Self {
        Self::run(folder, answers, Some(database))
    }

    fn run(folder: &Path, answers: &[(&str, &[u8])], database: Option<&str>) -> Self {
        for (name, content) in answers {
            std::fs::write(folder.join(name), content).expect("a file");
        }
        let program = std::env::current_exe().expect("this program's path");
        let mut command = Command::new(program);
        let mut service = Program::start(
            command.arg("bare-service").arg(folder).args(database).stdin(Stdio::null()).stdout(Stdio::piped()),
            "easel-tests",
        );
        let mut authority = String::new();
        let output = service.child().stdout.take().expect("a pipe");
        std::io::BufReader::new(output).read_line(&mut authority).expect("an address");
        let words = if database.is_some() { "a handler that asks for one row" } else { "a bare handler" };
        Self { authority: authority.trim().to_owned(), words, _service: service }
    }
}
