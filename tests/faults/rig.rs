//! A studio, a proxy before its storage, and lanes: clients that each have a proxy of their own before the API.
//!
//! A lane makes its calls one after the other, so that a rule such as "the next request of this kind" means the call that
//! the test has in mind; the lanes run side by side, so that a hundred lost answers take seconds.

use std::path::PathBuf;
use std::sync::Arc;

use easel_client::{Client, Connection, Patience, Source, Target};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::port::HeldPort;
use easel_tests::proxy::{Proxy, Seen};
use easel_tests::studio::{Key, Options, Studio, authority};
use secrecy::SecretString;
use serde_json::Value;
use tempfile::TempDir;

/// How often each answer is lost.
pub const TIMES: usize = 100;
/// How many lanes share them.
const LANES: usize = 10;

pub struct Rig {
    pub studio: Studio,
    pub key: Key,
    /// Before storage; every signed URL leads here.
    pub storage: Proxy,
    files: TempDir,
    _ports: [HeldPort; 2],
}

pub struct Lane {
    /// Before the API.
    pub api: Proxy,
    pub client: Client,
}

impl Rig {
    /// Without a limit on requests or tasks.
    pub async fn start() -> Arc<Self> {
        let storage = Proxy::start().await;
        let (port, storage_port) = (HeldPort::any(), HeldPort::any());
        let storage_address = storage_port.to_string();
        let options = Options::new()
            .listen(&port.to_string(), &storage_address)
            .with("--public-upload-url", &storage.url())
            .with("--concurrent-tasks", "0");
        let studio = Studio::start(options);
        storage.forward_to(&storage_address);
        let key = studio.create_key("faults");
        Arc::new(Self { studio, key, storage, files: TempDir::new().unwrap(), _ports: [port, storage_port] })
    }

    /// A new client that speaks through a proxy of its own, with the limits of a service without limits.
    pub async fn lane(&self) -> Lane {
        self.lane_with(Patience::default()).await
    }

    pub async fn lane_with(&self, patience: Patience) -> Lane {
        let api = Proxy::start().await;
        api.forward_to(authority(&self.studio.base_url));
        let connection = Connection::new(&api.url(), SecretString::from(self.key.key.clone())).unwrap();
        let client = Client::with_patience(connection, patience).unwrap();
        client.whoami().await.unwrap();
        client.upload_limits().await.unwrap();
        api.forget_seen();
        Lane { api, client }
    }

    /// The service itself, without any proxy, by a plain client.
    pub fn service(&self) -> Http {
        Http::new(&self.studio.base_url).with_key(&self.key.key).with_version(CANONICAL)
    }

    /// A file on the disk whose content no other number has.
    pub fn write(&self, name: &str, number: usize, size: usize) -> PathBuf {
        let path = self.files.path().join(name);
        let mut content = vec![u8::try_from(number % 251).unwrap(); size];
        let mark = format!("{name} {number}");
        let length = mark.len().min(size);
        content[..length].copy_from_slice(&mark.as_bytes()[..length]);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A folder for downloads.
    pub fn folder(&self) -> &std::path::Path {
        self.files.path()
    }

    /// Every file of the drive, as the service says itself.
    pub async fn files(&self) -> Vec<Value> {
        self.list("/v1/drive/files?limit=200").await
    }

    /// Every folder of the drive, as the service says itself.
    pub async fn folders(&self) -> Vec<Value> {
        self.list("/v1/drive/folders?limit=200").await
    }

    async fn list(&self, path: &str) -> Vec<Value> {
        let page = self.service().get(path).await.expect(200);
        assert_eq!(page["has_more"], false, "more than a page");
        page["data"].as_array().unwrap().clone()
    }

    /// Fails unless the drive holds exactly these files, by name.
    pub async fn assert_files(&self, expected: impl IntoIterator<Item = String>) {
        assert_same(&self.files().await, expected);
    }

    /// Fails unless the drive holds exactly these folders, by name.
    pub async fn assert_folders(&self, expected: impl IntoIterator<Item = String>) {
        assert_same(&self.folders().await, expected);
    }
}

#[track_caller]
fn assert_same(items: &[Value], expected: impl IntoIterator<Item = String>) {
    let mut names: Vec<String> = items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    let mut expected: Vec<String> = expected.into_iter().collect();
    expected.sort();
    assert_eq!(names, expected);
}

impl Lane {
    /// The requests of this kind since the last time, and forgets all of them.
    pub fn take(&self, method: &str, path_end: &str) -> Vec<Seen> {
        self.api.take_seen().into_iter().filter(|request| request.is(method, path_end)).collect()
    }
}

/// Does something [`TIMES`] times, in lanes side by side.
pub async fn in_lanes<F, Work>(rig: &Arc<Rig>, work: F)
where
    F: Fn(Arc<Rig>, Arc<Lane>, usize) -> Work + Clone + Send + 'static,
    Work: Future<Output = ()> + Send,
{
    let mut lanes = tokio::task::JoinSet::new();
    for first in 0..LANES {
        let (rig, work) = (Arc::clone(rig), work.clone());
        let lane = Arc::new(rig.lane().await);
        lanes.spawn(async move {
            for number in (first..TIMES).step_by(LANES) {
                work(Arc::clone(&rig), Arc::clone(&lane), number).await;
            }
        });
    }
    while let Some(finished) = lanes.join_next().await {
        if let Err(error) = finished {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}

/// The name of the file or folder of this number.
pub fn name_of(number: usize) -> String {
    format!("item {number:03}.bin")
}

/// Everything that uploading a file takes.
pub async fn open(rig: &Rig, number: usize, size: usize) -> (Source, Target) {
    let name = name_of(number);
    let source = Source::open(rig.write(&name, number, size)).await.unwrap();
    (source, Target::new(&name, None))
}
