//! A server of S3 with one bucket: `s3s-fs`, which keeps its objects as files of a folder, on a port of its own.
//!
//! Always true here: it is asked with signed requests, as any other server of S3 would be, and refuses those that are not; it runs in
//! threads of its own, so that a test may wait for a studio that waits for it. It can stop and come back on the same port, with what it had.
//! Not here: what is wrong with a bucket; a proxy in front of it breaks that.

use std::path::PathBuf;
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt as _;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::sync::oneshot;

use crate::port::HeldPort;

/// The bucket that every server has.
const BUCKET: &str = "contents";
/// What its requests are signed with.
const KEY_ID: &str = "AKIDTESTSOFEASEL";
/// The secret of it, which must stand in no file and no log.
pub const SECRET: &str = "tests-of-easel-secret-of-the-bucket";

/// A running (or stopped) server.
pub struct Bucket {
    port: HeldPort,
    folder: TempDir,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Bucket {
    /// Starts a server with an empty bucket.
    ///
    /// # Panics
    /// Where it cannot start.
    #[must_use]
    pub fn start() -> Self {
        let folder = TempDir::with_prefix("easel-bucket-").expect("a folder");
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let mut bucket = Self { port: HeldPort::any(), folder, running: None };
        bucket.restart();
        bucket
    }

    /// Starts it again after [`Self::stop`], on the same port with what it had.
    ///
    /// # Panics
    /// Where it runs, or cannot start.
    pub fn restart(&mut self) {
        assert!(self.running.is_none(), "the server is still running");
        let mut service = S3ServiceBuilder::new(FileSystem::new(self.folder.path()).expect("a store"));
        service.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
        let (service, address) = (service.build(), self.authority());
        let (stop, stopped) = oneshot::channel();
        let (started, starting) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let socket = TcpSocket::new_v4().expect("a socket");
                socket.set_reuseaddr(true).expect("an address that is used again");
                socket.bind(address.parse().expect("an address")).expect("the port");
                let listener = socket.listen(1024).expect("a listener");
                // An answer goes in two pieces, and the second would wait for the first to be acknowledged.
                let listener = listener.tap_io(|stream| stream.set_nodelay(true).expect("a socket"));
                started.send(()).expect("a test that waits");
                let router = Router::new().fallback(move |request| answer(service.clone(), request));
                tokio::select! {
                    served = axum::serve(listener, router).into_future() => served.expect("a server"),
                    _ = stopped => {}
                }
            });
            // Connections end with it, wherever they are.
            runtime.shutdown_background();
        });
        starting.recv().expect("a server that starts");
        self.running = Some((stop, thread));
    }

    /// Stops it: every connection ends, and the next is refused.
    ///
    /// # Panics
    /// Where it does not run.
    pub fn stop(&mut self) {
        let (stop, thread) = self.running.take().expect("the server is running");
        drop(stop);
        thread.join().expect("the server's end");
    }

    /// Where it listens: `127.0.0.1:port`.
    #[must_use]
    pub fn authority(&self) -> String {
        self.port.to_string()
    }

    /// What a studio is told: a prefix in the bucket.
    #[must_use]
    pub fn url(&self) -> String {
        format!("s3://{BUCKET}/studio")
    }

    /// What the environment of a studio says, which asks here or where else.
    #[must_use]
    pub fn environment(&self, endpoint: &str) -> Vec<(String, String)> {
        let all = [
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", KEY_ID),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
        ];
        all.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    }

    /// Where the server keeps an object of the studio, by its key.
    #[must_use]
    pub fn place_of(&self, key: &str) -> PathBuf {
        self.folder.path().join(BUCKET).join("studio").join(key)
    }

    /// Keys of all objects of the studio that begin like this, sorted.
    #[must_use]
    pub fn keys(&self, beginning: &str) -> Vec<String> {
        let root = self.place_of("");
        let mut keys = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(key) = path.strip_prefix(&root) {
                    keys.push(key.to_string_lossy().into_owned());
                }
            }
        }
        keys.retain(|key| key.starts_with(beginning));
        keys.sort();
        keys
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if self.running.is_some() {
            self.stop();
        }
    }
}

async fn answer(mut service: S3Service, request: Request) -> Response {
    match tower::Service::call(&mut service, request).await {
        Ok(answer) => answer.map(axum::body::Body::new).into_response(),
        Err(_) => http::StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
