//! One client at work: what it does, and what it may expect to find afterwards.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use easel_tests::drive::try_upload_into;
use easel_tests::http::{Answer, Http};
use easel_tests::samples::{Noise, hash_bytes};
use http::Method;
use serde_json::{Value, json};

/// A file that the service has acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcknowledgedFile {
    pub name: String,
    pub folder: String,
    pub hash: String,
}

/// See the module.
pub struct Worker {
    pub number: usize,
    http: Http,
    folders: Vec<String>,
    random: Noise,
    made: u64,
    /// What is there for certain, by id; `None` for what is certainly gone.
    pub files: BTreeMap<String, Option<AcknowledgedFile>>,
    /// Tasks that were accepted.
    pub tasks: Vec<String>,
    pub answered: u64,
    pub unanswered: u64,
}

impl Worker {
    /// `folders` are shared with others, so that names collide.
    pub fn new(number: usize, http: Http, folders: Vec<String>, seed: u64) -> Self {
        let random = Noise::new(seed.wrapping_add(number as u64));
        let (files, tasks) = (BTreeMap::new(), Vec::new());
        Self { number, http, folders, random, made: 0, files, tasks, answered: 0, unanswered: 0 }
    }

    /// Works until the time is over.
    pub async fn work(mut self, end: Instant) -> Self {
        while Instant::now() < end {
            match self.choose(12) {
                0..=3 => self.upload().await,
                4..=5 => self.rename().await,
                6..=7 => self.move_file().await,
                8 => self.delete().await,
                9 => self.start_task().await,
                _ => self.list().await,
            }
        }
        self
    }

    fn choose(&mut self, count: usize) -> usize {
        usize::try_from(self.random.draw() >> 33).expect("31 bits") % count
    }

    fn folder(&mut self) -> String {
        let index = self.choose(self.folders.len());
        self.folders[index].clone()
    }

    /// A name that others use too.
    fn name(&mut self) -> String {
        format!("shared {}.txt", self.choose(6))
    }

    fn own_file(&mut self) -> Option<(String, AcknowledgedFile)> {
        let there: Vec<_> = self.files.iter().filter_map(|(id, kept)| Some((id.clone(), kept.clone()?))).collect();
        if there.is_empty() {
            return None;
        }
        let index = self.choose(there.len());
        Some(there[index].clone())
    }

    /// The answer, or nothing where the studio was killed.
    async fn ask(&mut self, method: Method, path: &str, content_type: Option<&str>, body: Bytes) -> Option<Answer> {
        let answer = self.http.try_request(method, path, content_type, body).await;
        self.count(answer, path).await
    }

    /// Counts an answer, which must be none of a broken service.
    async fn count(&mut self, answer: reqwest::Result<Answer>, path: &str) -> Option<Answer> {
        match answer {
            Ok(answer) => {
                assert!(answer.status.as_u16() < 500, "{path}: {answer:?}");
                self.answered += 1;
                Some(answer)
            }
            Err(_) => {
                self.unanswered += 1;
                tokio::time::sleep(Duration::from_millis(50)).await;
                None
            }
        }
    }

    async fn ask_json(&mut self, method: Method, path: &str, body: &Value) -> Option<Answer> {
        self.ask(method, path, Some("application/json"), body.to_string().into()).await
    }

    async fn upload(&mut self) {
        self.made += 1;
        let content = format!("client {} file {}", self.number, self.made);
        let (name, folder) = (self.name(), self.folder());
        let answer = try_upload_into(&self.http, &folder, &name, content.as_bytes()).await;
        let Some(answer) = self.count(answer, "/v1/uploads").await else { return };
        let result = answer.expect(201);
        let id = result["file_id"].as_str().expect("an id").to_owned();
        let name = result["filename"].as_str().expect("a name").to_owned();
        self.files.insert(id, Some(AcknowledgedFile { name, folder, hash: hash_bytes(content.as_bytes()) }));
    }

    async fn rename(&mut self) {
        let Some((id, kept)) = self.own_file() else { return };
        let name = self.name();
        let answer = self.ask_json(Method::PATCH, &format!("/v1/drive/items/{id}"), &json!({"name": name})).await;
        match answer {
            Some(answer) if answer.status == 200 => {
                self.files.insert(id, Some(AcknowledgedFile { name, ..kept }));
            }
            Some(answer) => assert_eq!(answer.status, 409, "{answer:?}"),
            None => self.look(&id, kept).await,
        }
    }

    async fn move_file(&mut self) {
        let Some((id, kept)) = self.own_file() else { return };
        let folder = self.folder();
        let answer =
            self.ask_json(Method::POST, &format!("/v1/drive/items/{id}/move"), &json!({"folder_id": folder})).await;
        match answer {
            Some(answer) if answer.status == 200 => {
                self.files.insert(id, Some(AcknowledgedFile { folder, ..kept }));
            }
            Some(answer) => assert_eq!(answer.status, 409, "{answer:?}"),
            None => self.look(&id, kept).await,
        }
    }

    async fn delete(&mut self) {
        let Some((id, kept)) = self.own_file() else { return };
        match self.ask(Method::DELETE, &format!("/v1/drive/items/{id}"), None, Bytes::new()).await {
            Some(answer) => {
                assert!(answer.status.is_success(), "{answer:?}");
                self.files.insert(id, None);
            }
            None => self.look(&id, kept).await,
        }
    }

    /// What became of a file whose change was not answered: either is right, but from now on it is the one.
    async fn look(&mut self, id: &str, kept: AcknowledgedFile) {
        let deadline = Instant::now() + Duration::from_secs(30);
        let answer = loop {
            if let Some(answer) = self.ask(Method::GET, &format!("/v1/drive/files/{id}"), None, Bytes::new()).await {
                break answer;
            }
            assert!(Instant::now() < deadline, "the studio does not come back");
        };
        let found = (answer.status == 200).then(|| {
            let file = answer.value()["file"].clone();
            let text = |field: &str| file[field].as_str().unwrap_or_default().to_owned();
            AcknowledgedFile { name: text("name"), folder: text("folder_id"), hash: kept.hash }
        });
        self.files.insert(id.to_owned(), found);
    }

    async fn start_task(&mut self) {
        let body = json!({"prompt": format!("A card for client {}", self.number), "idempotency_key": format!("{} {}", self.number, self.made)});
        self.made += 1;
        let Some(answer) = self.ask_json(Method::POST, "/v1/tasks", &body).await else { return };
        // The cap on tasks at once is not what is asked here.
        if answer.status == 429 {
            return;
        }
        self.tasks.push(answer.success()["id"].as_str().expect("an id").to_owned());
    }

    async fn list(&mut self) {
        let folder = self.folder();
        let path = format!("/v1/drive/files?folder_id={folder}&limit=200");
        let Some(answer) = self.ask(Method::GET, &path, None, Bytes::new()).await else { return };
        let page = answer.expect(200);
        let names: Vec<&str> =
            page["data"].as_array().expect("a list").iter().filter_map(|file| file["name"].as_str()).collect();
        let distinct: std::collections::BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(distinct.len(), names.len(), "a name stands twice in a folder: {names:?}");
    }
}
