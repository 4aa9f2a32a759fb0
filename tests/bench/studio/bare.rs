//! The peer: a handler that answers each path with bytes that it was given before, and does nothing else.

use std::collections::HashMap;
use std::io::BufRead as _;
use std::path::Path;
use std::process::{Command, Stdio};

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use easel_tests::process::Program;

/// Serves what is in the folder, each file under its name, until it is killed; the first line on standard output is the
/// address.
pub async fn serve(folder: &Path) {
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, Bytes::from(std::fs::read(path).expect("a file")))
    });
    let files: HashMap<String, Bytes> = files.collect();
    let mut router = Router::new();
    for (name, content) in files {
        let answer = move || async move { ([(CONTENT_TYPE, "application/json")], content) };
        router = router.route(&format!("/{name}"), get(answer));
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream: &mut tokio::net::TcpStream| {
        stream.set_nodelay(true).expect("a socket");
    });
    axum::serve(listener, router).await.expect("it serves until it is killed");
}

/// The running peer.
pub struct Bare {
    /// Its host and port.
    pub authority: String,
    _service: Program,
}

impl Bare {
    /// Starts it with these answers, by name.
    pub fn start(folder: &Path, answers: &[(&str, &[u8])]) -> Self {
        for (name, content) in answers {
            std::fs::write(folder.join(name), content).expect("a file");
        }
        let program = std::env::current_exe().expect("this program's path");
        let mut command = Command::new(program);
        let mut service = Program::start(
            command.arg("bare-service").arg(folder).stdin(Stdio::null()).stdout(Stdio::piped()),
            "easel-tests",
        );
        let mut authority = String::new();
        let output = service.child().stdout.take().expect("a pipe");
        std::io::BufReader::new(output).read_line(&mut authority).expect("an address");
        Self { authority: authority.trim().to_owned(), _service: service }
    }
}
