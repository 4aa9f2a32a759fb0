//! Clients who upload, stage, register and delete without pause, and remember what was acknowledged.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use easel_tests::http::{Form, Http};
use easel_tests::samples::{Noise, hash_bytes};
use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// What is known of a file: its hash, and whether someone has begun to delete it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub hash: String,
    pub doomed: bool,
}

type Ledger = Arc<Mutex<BTreeMap<String, Kept>>>;

/// Clients at work.
pub struct Load {
    ledger: Ledger,
    is_over: Arc<AtomicBool>,
    clients: JoinSet<()>,
}

impl Load {
    /// So many clients, with this key.
    pub fn start(http: &Http, clients: u64, seed: u64) -> Self {
        let (ledger, is_over) = (Ledger::default(), Arc::new(AtomicBool::new(false)));
        let mut tasks = JoinSet::new();
        for number in 0..clients {
            let client = Client {
                http: http.clone(),
                random: Noise::new(seed.wrapping_mul(31).wrapping_add(number)),
                ledger: Arc::clone(&ledger),
                number,
                made: 0,
            };
            tasks.spawn(client.work(Arc::clone(&is_over)));
        }
        Self { ledger, is_over, clients: tasks }
    }

    /// What is acknowledged by now and nobody has begun to delete.
    pub fn acknowledged(&self) -> BTreeMap<String, Kept> {
        let mut known = self.ledger.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known.retain(|_, kept| !kept.doomed);
        known
    }

    /// Whether someone has begun to delete this file.
    pub fn is_doomed(&self, id: &str) -> bool {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).get(id).is_some_and(|kept| kept.doomed)
    }

    /// Lets the clients end.
    pub async fn stop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        while let Some(client) = self.clients.join_next().await {
            client.expect("a client that ends");
        }
    }
}

struct Client {
    http: Http,
    random: Noise,
    ledger: Ledger,
    number: u64,
    made: u64,
}

impl Client {
    async fn work(mut self, is_over: Arc<AtomicBool>) {
        while !is_over.load(Ordering::Relaxed) {
            let answered = match self.random.draw() % 8 {
                0..4 => self.upload().await,
                4 | 5 => self.stage_and_register().await,
                6 => self.stage().await.is_some(),
                _ => self.delete().await,
            };
            if !answered {
                // The studio is down; a moment later it is not.
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
    }

    fn content(&mut self) -> Vec<u8> {
        self.made += 1;
        let length = usize::try_from(self.random.draw() % 60_000).expect("small");
        let mut content = format!("client {} content {} ", self.number, self.made).into_bytes();
        content.resize(content.len() + length, (self.made % 251) as u8);
        content
    }

    async fn ask(&self, method: Method, path: &str, body: &Value) -> Option<Value> {
        let (kind, body) = match body {
            Value::Null => (None, Bytes::new()),
            body => (Some("application/json"), Bytes::from(body.to_string())),
        };
        let answer = self.http.try_request(method, path, kind, body).await.ok()?;
        assert!(answer.status.as_u16() < 500, "{path}: {answer:?}");
        answer.status.is_success().then(|| answer.value())
    }

    fn remember(&self, result: &Value, content: &[u8]) {
        let id = result["file_id"].as_str().expect("an id").to_owned();
        let kept = Kept { hash: format!("sha256:{}", hash_bytes(content)), doomed: false };
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).insert(id, kept);
    }

    async fn upload(&mut self) -> bool {
        let content = self.content();
        let form = Form::of_file(&format!("{}-{}.bin", self.number, self.made), &content);
        let kind = form.content_type();
        let Ok(answer) = self.http.try_request(Method::POST, "/v1/uploads", Some(&kind), form.body()).await else {
            return false;
        };
        self.remember(&answer.success(), &content);
        true
    }

    async fn stage(&mut self) -> Option<(String, Vec<u8>)> {
        let content = self.content();
        let wish = json!({"filename": format!("{}-{}.bin", self.number, self.made), "mime_type": "application/x-a"});
        let signed = self.ask(Method::POST, "/v1/uploads/url", &wish).await?;
        let url = signed["upload_url"].as_str().expect("a URL").to_owned();
        // A plain client: `put_bytes` of the tests wants an answer, and here the studio may be gone.
        let put = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().expect("a client");
        let put = put.put(url).header("content-type", "application/x-a").body(content.clone()).send().await.ok()?;
        (put.status() == 200).then(|| (signed["storage_key"].as_str().expect("a key").to_owned(), content))
    }

    async fn stage_and_register(&mut self) -> bool {
        let Some((key, content)) = self.stage().await else { return false };
        let Some(result) = self.ask(Method::POST, "/v1/uploads/register", &json!({"storage_key": key})).await else {
            return false;
        };
        self.remember(&result, &content);
        true
    }

    async fn delete(&mut self) -> bool {
        let chosen = {
            let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
            let living: Vec<String> =
                ledger.iter().filter(|(_, kept)| !kept.doomed).map(|(id, _)| id.clone()).collect();
            if living.len() < 8 {
                return true;
            }
            let id = living[usize::try_from(self.random.draw()).expect("64 bits") % living.len()].clone();
            ledger.entry(id.clone()).and_modify(|kept| kept.doomed = true);
            id
        };
        self.ask(Method::DELETE, &format!("/v1/drive/items/{chosen}"), &Value::Null).await.is_some()
    }
}

/// Every file of the drive with its hash.
pub async fn list_files(http: &Http) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut query = String::new();
    loop {
        let page = http.get(&format!("/v1/drive/files?limit=200{query}")).await.expect(200);
        for file in page["data"].as_array().expect("a list") {
            let text = |field: &str| file[field].as_str().expect(field).to_owned();
            found.insert(text("id"), text("content_hash"));
        }
        match page["next_cursor"].as_str() {
            Some(cursor) => query = format!("&cursor={cursor}"),
            None => return found,
        }
    }
}
