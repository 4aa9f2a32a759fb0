//! A studio with 100,000 files and 10,000 tasks, which came there as everybody's do: over HTTP.

use std::time::Instant;

use bytes::Bytes;
use easel_tests::bench::fresh_folder;
use easel_tests::http::Form;
use easel_tests::studio::{Key, Options, Studio, authority};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::load;

pub const FILES: usize = 100_000;
pub const TASKS: usize = 10_000;
/// Files of a folder.
const FOLDER: usize = 1_000;

/// The studio and what is in it.
pub struct Stock {
    pub studio: Studio,
    pub key: Key,
    /// Every task's id.
    pub tasks: Vec<String>,
    _place: TempDir,
}

impl Stock {
    /// Fills a studio and starts it anew, so that nothing is left in its memory of how it was filled.
    pub async fn fill() -> Self {
        let place = fresh_folder("stock");
        // Nothing is drawn and nothing expires meanwhile: tasks are read here and not worked on.
        let options = Options::new()
            .data_dir(&place.path().join("studio"))
            .with("--workers", "0")
            .with("--concurrent-tasks", "0")
            .with("--expire-tasks-after", "1000000");
        let mut studio = Studio::start(options);
        let key = studio.create_key("bench");
        let folders = create(&studio, &key, FILES / FOLDER, "/v1/drive/folders", "application/json", |number| {
            Bytes::from(json!({"name": format!("Folder {number:03}")}).to_string())
        })
        .await;
        let folders: Vec<String> = folders.iter().map(|answer| text(&answer["folder"]["id"])).collect();
        let form = Form::new();
        create(&studio, &key, FILES, "/v1/uploads", &form.content_type(), move |number| {
            let name = format!("Notes of the meeting {number:06}.txt");
            let content = format!("What was said in meeting {number}");
            Form::new()
                .text("folder_id", &folders[number / FOLDER])
                .file("file", &name, "text/plain", content.as_bytes())
                .body()
        })
        .await;
        let tasks = create(&studio, &key, TASKS, "/v1/tasks", "application/json", |number| {
            Bytes::from(json!({"prompt": format!("A poster for meeting {number}, in two colours")}).to_string())
        })
        .await;
        let tasks = tasks.iter().map(|answer| text(&answer["id"])).collect();
        assert!(studio.stop().success());
        studio.restart();
        Self { studio, key, tasks, _place: place }
    }

    /// The host and port of the API.
    pub fn authority(&self) -> &str {
        authority(&self.studio.base_url)
    }
}

/// Posts bodies by their numbers and returns every answer, in the order of the numbers.
async fn create(
    studio: &Studio,
    key: &Key,
    count: usize,
    path: &'static str,
    content_type: &str,
    body: impl Fn(usize) -> Bytes + Send + Sync + 'static,
) -> Vec<Value> {
    let began = Instant::now();
    let (key, content_type) = (key.key.clone(), content_type.to_owned());
    let all = [studio.api_authority()];
    let answers = load::collect(&all, count, move |number| load::post(path, &key, &content_type, &body(number))).await;
    eprintln!("{count} × POST {path}: {:.0} s", began.elapsed().as_secs_f64());
    answers
}

/// A text that must be there.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}
