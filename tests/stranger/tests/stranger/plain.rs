//! A client that only sends and reads, for the tests of the stranger itself.

use std::time::Duration;

use easel_stranger::Stranger;
use reqwest::header::HeaderMap;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method};
use serde_json::{Value, json};

/// What came back.
#[derive(Debug)]
pub struct Plainly {
    pub status: u16,
    headers: HeaderMap,
    /// Null where the body is no JSON.
    pub json: Value,
}

impl Plainly {
    pub fn is_ok(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub fn version(&self) -> Option<&str> {
        self.header("service-version")
    }
}

/// A client of one stranger.
pub struct Plain {
    client: Client,
    base_url: String,
    pub key: String,
    pub version: String,
}

impl Plain {
    pub fn new(stranger: &Stranger) -> Self {
        let client = Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(30))
            .build()
            .unwrap();
        let retired = stranger.switches().has(easel_stranger::Switch::NewerVersionRefused);
        Self {
            client,
            base_url: stranger.base_url().to_owned(),
            key: stranger.key().to_owned(),
            version: if retired { "2026-04-12" } else { "2026-05-01" }.to_owned(),
        }
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.base_url))
            .bearer_auth(&self.key)
            .header("Service-Version", &self.version)
    }

    pub async fn take(&self, request: reqwest::RequestBuilder) -> Plainly {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap();
        Plainly { status, headers, json: serde_json::from_slice(&bytes).unwrap_or_default() }
    }

    pub async fn get(&self, path: &str) -> Plainly {
        self.take(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Plainly {
        self.send(Method::POST, path, body).await
    }

    pub async fn send(&self, method: Method, path: &str, body: Value) -> Plainly {
        let request = self.request(method, path);
        self.take(if body.is_null() { request } else { request.json(&body) }).await
    }

    /// Whether the connection was cut instead of an answer.
    pub async fn is_cut(&self, method: Method, path: &str, body: &Value) -> bool {
        self.request(method, path).json(body).send().await.is_err()
    }

    pub async fn multipart(&self, name: &str, media_type: &str, bytes: Vec<u8>, folder: Option<&str>) -> Plainly {
        let part = Part::bytes(bytes).file_name(name.to_owned()).mime_str(media_type).unwrap();
        let form = folder.iter().fold(Form::new(), |form, folder| form.text("folder_id", (*folder).to_owned()));
        self.take(self.request(Method::POST, "/v1/uploads").multipart(form.part("file", part))).await
    }

    pub async fn put(&self, url: &str, media_type: &str, bytes: Vec<u8>) -> u16 {
        let request = self.client.put(url).header("Content-Type", media_type).body(bytes);
        self.take(request).await.status
    }

    /// Bytes from storage, and their status.
    pub async fn fetch(&self, url: &str, range: Option<&str>) -> (u16, Vec<u8>) {
        let request = self.client.get(url);
        let request = if let Some(range) = range { request.header("Range", range) } else { request };
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
    }

    /// The bytes of a file, whichever way this service has.
    pub async fn download(&self, file: &str) -> Vec<u8> {
        let response = self.request(Method::GET, &format!("/v1/drive/files/{file}/download")).send().await.unwrap();
        let location = response.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
        let is_json = response.headers().get("content-type").is_some_and(|kind| kind == "application/json");
        let bytes = response.bytes().await.unwrap().to_vec();
        let url = match (location, is_json) {
            (Some(location), _) => location,
            (None, true) => {
                let answer: Value = serde_json::from_slice(&bytes).unwrap();
                answer["download_url"].as_str().or(answer["url"].as_str()).unwrap().to_owned()
            }
            (None, false) => return bytes,
        };
        self.fetch(&url, None).await.1
    }

    /// A whole list, however it is cut and wrapped; one that expires is begun again.
    pub async fn list(&self, path: &str, resource: &str) -> Vec<Value> {
        let mark = if path.contains('?') { '&' } else { '?' };
        let (mut all, mut next) = (Vec::new(), String::new());
        for _ in 0..1000 {
            let answer = self.get(&format!("{path}{mark}limit=50{next}")).await;
            if !answer.is_ok() && !next.is_empty() {
                (all, next) = (Vec::new(), String::new());
                continue;
            }
            assert!(answer.is_ok(), "{path}: {answer:?}");
            let items = [&answer.json, &answer.json["data"], &answer.json[resource]];
            let items = items.into_iter().find_map(Value::as_array).unwrap_or_else(|| panic!("{answer:?}"));
            all.extend(items.iter().cloned());
            let is_by_offset = answer.json.is_array() || answer.json.get("offset").is_some();
            next = match answer.json["next_cursor"].as_str() {
                Some(cursor) => format!("&cursor={cursor}"),
                None if is_by_offset && items.len() == 50 => format!("&offset={}", all.len()),
                None => return all,
            };
        }
        panic!("{path} has no end")
    }

    /// Asks for a task until it has ended well.
    pub async fn follow(&self, id: &str) {
        for _ in 0..10 {
            let answer = self.get(&format!("/v1/tasks/{id}")).await;
            if [json!("succeeded"), json!("completed")].contains(&answer.json["status"]) {
                return;
            }
            assert!([json!("queued"), json!("running")].contains(&answer.json["status"]), "{answer:?}");
        }
        panic!("{id} does not end")
    }
}

/// The id of a record, under whichever name it has one.
pub fn id_of(record: &Value) -> String {
    let id = ["id", "file_id", "job_id"].iter().find_map(|name| record[name].as_str());
    id.unwrap_or_else(|| panic!("no id: {record}")).to_owned()
}
