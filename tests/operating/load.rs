//! Clients who upload, stage, register, replace, delete, bring back and have designs drawn without pause, and remember what was
//! acknowledged.
//!
//! Always true: a client changes only files that it made itself, one thing after the other, so that it knows what each may hold.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use easel_tests::http::{Answer, Form, Http};
use easel_tests::patience::wait_for;
use easel_tests::samples::{Noise, hash_bytes};
use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// A client deletes none of its files where it has no more than these.
const LEAST_LIVING: usize = 8;

/// A design is drawn within 120 s; on a full machine several wait for one another.
const LONGEST_DRAWING: Duration = Duration::from_mins(10);

/// What is known of a file.
#[derive(Debug, Clone)]
pub struct Known {
    /// The hash of every content that somebody has begun to give it, the first one first.
    contents: Vec<String>,
    /// Which of them was acknowledged last.
    acknowledged: usize,
    /// How often somebody has begun to delete it.
    deletions: usize,
    /// From the beginning of its deletion until it is known to be back.
    is_doomed: bool,
    /// Its deletion was acknowledged.
    is_in_trash: bool,
    /// The number of the client that made it.
    client: u64,
}

impl Known {
    /// Whether a look at a moment after `self` was known may show this hash, where `now` is known after the look: the content that was
    /// acknowledged last, or one that somebody began to give it since.
    pub fn may_be(&self, now: &Self, hash: &str) -> bool {
        now.contents[self.acknowledged..].iter().any(|content| content == hash)
    }
}

/// What was acknowledged.
#[derive(Debug, Default, Clone)]
pub struct Acknowledged {
    /// By their ids.
    pub files: BTreeMap<String, Known>,
    /// The ids of tasks.
    pub tasks: Vec<String>,
}

impl Acknowledged {
    /// The files that have to be in a copy of the drive that was made between `self` and `now`, each with what is known of it now:
    /// nobody had begun to delete them, and nobody did meanwhile.
    pub fn living_until<'a>(&'a self, now: &'a Self) -> impl Iterator<Item = (&'a str, &'a Known, &'a Known)> {
        let living = self.files.iter().filter(|(_, known)| !known.is_doomed);
        living.filter_map(|(id, known)| {
            let now = &now.files[id];
            (now.deletions == known.deletions).then_some((id.as_str(), known, now))
        })
    }
}

/// Who works, and beside what.
#[derive(Debug, Clone, Default)]
pub struct Habits {
    /// So many clients.
    pub clients: u64,
    /// What they do is drawn from it.
    pub seed: u64,
    /// Where ends of tasks are told.
    pub callback_url: Option<String>,
    /// The database or the bucket may be away: an answer that the service failed is borne like none.
    pub bears_failures: bool,
}

/// Clients at work.
pub struct Load {
    acknowledged: Arc<Mutex<Acknowledged>>,
    is_over: Arc<AtomicBool>,
    clients: JoinSet<()>,
}

impl Load {
    /// So many clients, with this key.
    pub fn start(http: &Http, clients: u64, seed: u64) -> Self {
        Self::start_with(http, &Habits { clients, seed, ..Habits::default() })
    }

    /// Clients with these habits and this key.
    pub fn start_with(http: &Http, habits: &Habits) -> Self {
        let (acknowledged, is_over) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut tasks = JoinSet::new();
        for number in 0..habits.clients {
            let client = Client {
                http: http.clone(),
                random: Noise::new(habits.seed.wrapping_mul(31).wrapping_add(number)),
                habits: habits.clone(),
                acknowledged: Arc::clone(&acknowledged),
                number,
                made: 0,
            };
            tasks.spawn(client.work(Arc::clone(&is_over)));
        }
        Self { acknowledged, is_over, clients: tasks }
    }

    /// What is known now.
    pub fn acknowledged(&self) -> Acknowledged {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until so many files and a task were acknowledged: on a slow machine the clients have hardly begun by then.
    pub async fn wait_for_work(&self, files: usize) {
        wait_for("acknowledged work", LONGEST_DRAWING, async || {
            let known = self.acknowledged();
            let counts = (known.living_until(&known).count(), known.tasks.len());
            if counts.0 >= files && counts.1 > 0 { Ok(()) } else { Err(format!("{counts:?}")) }
        })
        .await;
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
    habits: Habits,
    random: Noise,
    acknowledged: Arc<Mutex<Acknowledged>>,
    number: u64,
    made: u64,
}

impl Client {
    async fn work(mut self, is_over: Arc<AtomicBool>) {
        while !is_over.load(Ordering::Relaxed) {
            let answered = match self.random.draw() % 16 {
                0..6 => self.upload().await,
                6..9 => self.stage_and_register().await,
                9 => self.stage().await.is_some(),
                10 | 11 => self.replace().await,
                12 | 13 => self.delete().await,
                14 => self.bring_back().await,
                _ => self.have_drawn().await,
            };
            if !answered {
                // The studio is down; a moment later it is not.
                tokio::time::sleep(Duration::from_millis(20)).await;
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
        self.bears(path, &answer);
        answer.status.is_success().then(|| answer.value())
    }

    /// Whether the service worked; where it did not, this client has to bear it.
    fn bears(&self, path: &str, answer: &Answer) -> bool {
        let has_failed = answer.status.is_server_error();
        assert!(!has_failed || self.habits.bears_failures, "{path}: {answer:?}");
        !has_failed
    }

    fn lock(&self) -> MutexGuard<'_, Acknowledged> {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, id: &str, what: impl FnOnce(&mut Known)) {
        what(self.lock().files.get_mut(id).expect("a file that is known"));
    }

    fn remember(&self, result: &Value, content: &[u8]) {
        let id = result["file_id"].as_str().expect("an id").to_owned();
        let contents = vec![hash_of(content)];
        let client = self.number;
        let known = Known { contents, acknowledged: 0, deletions: 0, is_doomed: false, is_in_trash: false, client };
        self.lock().files.insert(id, known);
    }

    /// One of this client's own files that are as wanted, where there are at least so many of them.
    fn choose(&mut self, least: usize, is_wanted: impl Fn(&Known) -> bool) -> Option<String> {
        let draw = usize::try_from(self.random.draw()).expect("64 bits");
        let acknowledged = self.lock();
        let mine = acknowledged.files.iter().filter(|(_, known)| known.client == self.number && is_wanted(known));
        let mine: Vec<_> = mine.map(|(id, _)| id).collect();
        if mine.len() < least {
            return None;
        }
        mine.get(draw.checked_rem(mine.len())?).map(|id| (*id).clone())
    }

    async fn upload(&mut self) -> bool {
        let content = self.content();
        let form = Form::of_file(&format!("{}-{}.bin", self.number, self.made), &content);
        let kind = form.content_type();
        let Ok(answer) = self.http.try_request(Method::POST, "/v1/uploads", Some(&kind), form.body()).await else {
            return false;
        };
        if !self.bears("/v1/uploads", &answer) {
            return false;
        }
        self.remember(&answer.success(), &content);
        true
    }

    async fn stage(&mut self) -> Option<(String, Vec<u8>)> {
        let content = self.content();
        let body = json!({"filename": format!("{}-{}.bin", self.number, self.made), "mime_type": "application/x-a"});
        let signed = self.ask(Method::POST, "/v1/uploads/url", &body).await?;
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

    /// Gives a file new content under its id.
    async fn replace(&mut self) -> bool {
        let Some(id) = self.choose(1, |known| !known.is_doomed) else { return true };
        let Some((key, content)) = self.stage().await else { return false };
        self.note(&id, |known| known.contents.push(hash_of(&content)));
        let path = format!("/v1/drive/files/{id}/content");
        let answer = self.ask(Method::POST, &path, &json!({"storage_key": key})).await;
        if answer.is_some() {
            self.note(&id, |known| known.acknowledged = known.contents.len() - 1);
        }
        answer.is_some()
    }

    async fn delete(&mut self) -> bool {
        // While the studio is down nothing new is made, and whatever somebody began to delete meanwhile shows nothing any more.
        let Some(id) = self.choose(LEAST_LIVING + 1, |known| !known.is_doomed) else { return true };
        self.note(&id, |known| {
            known.is_doomed = true;
            known.deletions += 1;
        });
        let answer = self.ask(Method::DELETE, &format!("/v1/drive/items/{id}"), &Value::Null).await;
        self.note(&id, |known| known.is_in_trash = answer.is_some());
        answer.is_some()
    }

    /// Takes a file out of the trash.
    async fn bring_back(&mut self) -> bool {
        let Some(id) = self.choose(1, |known| known.is_in_trash) else { return true };
        let answer = self.ask(Method::POST, &format!("/v1/drive/trash/{id}/restore"), &Value::Null).await;
        // Where no answer came it may be in either place from now on.
        self.note(&id, |known| {
            known.is_in_trash = false;
            known.is_doomed = answer.is_none();
        });
        answer.is_some()
    }

    async fn have_drawn(&mut self) -> bool {
        let mut body = json!({"prompt": format!("A poster: {} of {}", self.made, self.number)});
        if let Some(callback_url) = &self.habits.callback_url {
            body["callback_url"] = json!(callback_url);
        }
        let Some(task) = self.ask(Method::POST, "/v1/tasks", &body).await else { return false };
        self.lock().tasks.push(task["id"].as_str().expect("an id").to_owned());
        true
    }
}

fn hash_of(content: &[u8]) -> String {
    format!("sha256:{}", hash_bytes(content))
}

/// Sees that a copy of the drive, made between `known` and `now`, has each file that has to be in it, with a content that it may have;
/// returns how many they are.
pub fn see_acknowledged(known: &Acknowledged, now: &Acknowledged, there: &BTreeMap<String, String>) -> usize {
    let living = known.living_until(now);
    let seen = living.map(|(id, known, now)| {
        let found = there.get(id).unwrap_or_else(|| panic!("{id} was acknowledged"));
        assert!(known.may_be(now, found), "{id} is {found}: {known:?}, {now:?}");
    });
    seen.count()
}

/// Waits until each of these tasks has ended, and sees that each design that is said to be drawn is there; returns how many are.
pub async fn see_tasks_end(http: &Http, tasks: &[String]) -> usize {
    let mut drawn = 0;
    for id in tasks {
        let task = wait_for("the end of a task", LONGEST_DRAWING, async || {
            let task = http.get(&format!("/v1/tasks/{id}")).await.expect(200);
            let is_open = ["queued", "running"].contains(&task["status"].as_str().expect("a status"));
            if is_open { Err(task) } else { Ok(task) }
        });
        let task = task.await;
        if task["status"] == "succeeded" {
            let canvas = task["result"]["canvas_id"].as_str().unwrap_or_else(|| panic!("a canvas: {task}"));
            http.get(&format!("/v1/canvases/{canvas}/pages")).await.is(200);
            drawn += 1;
        }
    }
    drawn
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
