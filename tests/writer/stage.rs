//! A studio with a model server behind it, and the few calls that these tests make.

use std::io::Read;
use std::time::Duration;

use easel_tests::http::{CANONICAL, Http};
use easel_tests::model_server::{Manner, ModelServer};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

pub const PATIENCE: Duration = Duration::from_secs(60);

/// The key that nobody must see.
pub const KEY: &str = "sk-planted-0123456789";

/// What the tests' briefs say.
pub const BRIEF: &str = "Pitch deck for Kornwerk. Problem: bread is stale by noon. Market: €4.2bn, growing 14 % a year. Founded by Ada Byron.";

/// An outline that says what the brief says, in other words.
pub fn good() -> Value {
    json!({"title": "Kornwerk", "language": "en", "passages": [
        {"title": "Kornwerk", "matter": {"kind": "cover", "subtitle": "Bread that stays fresh", "details": ["Ada Byron"]}},
        {"title": "By noon, bread is stale", "matter": {"kind": "statement", "support": "That is the problem"}},
        {"title": "A market that grows", "matter": {"kind": "figures", "figures": [
            {"value": "€4.2bn", "label": "market"}, {"value": "14 %", "label": "growth a year"}]}},
    ]})
}

/// The same with what is nowhere in the brief.
pub fn lying() -> Value {
    let mut outline = good();
    outline["passages"][1]["matter"]["support"] = json!("€9m came from Sequoia on 3 June 2026, says Marie Curie");
    outline
}

pub struct Stage {
    pub studio: Studio,
    pub http: Http,
    pub server: ModelServer,
    _folder: tempfile::TempDir,
}

impl Stage {
    /// A studio whose writer speaks `protocol` with a server that answers so; it has the key, and ten seconds for a task.
    pub async fn set(protocol: &str, manners: Vec<Manner>) -> Self {
        Self::set_for(protocol, manners, "10").await
    }

    pub async fn set_for(protocol: &str, manners: Vec<Manner>, seconds: &str) -> Self {
        let server = ModelServer::start(manners).await;
        let folder = tempfile::tempdir().expect("a folder");
        let key = folder.path().join("key");
        std::fs::write(&key, format!("{KEY}\n")).expect("a key");
        let options = Options::new()
            .with("--writer", &server.url())
            .with("--writer-model", "small")
            .with("--writer-protocol", protocol)
            .with("--writer-key-file", key.to_str().expect("a path"))
            .with("--writer-seconds", seconds);
        let studio = Studio::start(options);
        let key = studio.create_key("writer");
        let http = Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
        Self { studio, http, server, _folder: folder }
    }

    pub async fn start(&self, body: &Value) -> Value {
        self.http.post("/v1/tasks", body).await.expect(202)
    }

    pub async fn finish(&self, task: &Value) -> Value {
        let path = format!("/v1/tasks/{}", task["id"].as_str().expect("an id"));
        wait_for("the end of the task", PATIENCE, async || {
            let task = self.http.get(&path).await.expect(200);
            if matches!(task["status"].as_str(), Some("queued" | "running")) { Err(task.to_string()) } else { Ok(task) }
        })
        .await
    }

    /// A design of the tests' brief, which must succeed.
    pub async fn design(&self) -> Value {
        self.design_of(&json!({"prompt": BRIEF})).await
    }

    pub async fn design_of(&self, body: &Value) -> Value {
        let done = self.finish(&self.start(body).await).await;
        assert_eq!(done["status"], "succeeded", "{done}");
        done
    }

    /// The words on the pages of what a task made, as its PPTX has them.
    pub async fn words(&self, task: &Value) -> String {
        let canvas = task["result"]["canvas_id"].as_str().expect("a canvas");
        let export = format!("/v1/canvases/{canvas}/export?format=pptx");
        let export = self.http.json(http::Method::POST, &export, "").await.success();
        let url = export["url"].as_str().unwrap_or_else(|| panic!("no file yet: {export}"));
        let file = self.http.get_url(url, &[]).await;
        let mut package = zip::ZipArchive::new(std::io::Cursor::new(file.body.to_vec())).expect("a package");
        let mut words = String::new();
        for at in 0..package.len() {
            let mut part = package.by_index(at).expect("a part");
            if part.name().starts_with("ppt/slides/slide") {
                let mut xml = String::new();
                part.read_to_string(&mut xml).expect("text");
                words.push_str(&words_of(&xml));
            }
        }
        words
    }
}

/// What stands between tags.
fn words_of(xml: &str) -> String {
    let pieces = xml.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    let words: Vec<&str> = pieces.filter(|text| !text.trim().is_empty()).collect();
    words.join(" ").replace("&amp;", "&")
}

/// What a task's message says.
pub fn message(task: &Value) -> String {
    task["progress"]["message"].as_str().unwrap_or_else(|| panic!("{task}")).to_owned()
}
