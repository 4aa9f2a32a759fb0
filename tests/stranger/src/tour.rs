//! Every endpoint asked once or more, without a network, to learn which fields its answers have.

use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::call::{Blob, Content, Form};
use crate::config::Config;
use crate::fields::Field;
use crate::records::{Delivered, Ending};
use crate::reply::{Body, Reply};
use crate::service::{Answer, Request};
use crate::state::State;
use crate::switch::Switch;
use crate::switches::Switches;

/// Every field, of every endpoint, that a service with these switches answers under 2026-05-01, refusals included.
#[must_use]
pub fn every_field(switches: &Switches) -> Vec<Field> {
    let mut config = Config::new(switches.clone());
    config.requests_per_minute = None;
    let mut tour = Tour::new(config);
    tour.go();
    tour.state.seen.fields()
}

struct Tour {
    state: State,
    headers: HeaderMap,
    /// Every request and its answer.
    transcript: Vec<String>,
}

impl Tour {
    fn new(config: Config) -> Self {
        let state = State::new(config, "http://service.example".to_owned(), "http://storage.example".to_owned());
        Self { state, headers: HeaderMap::new(), transcript: Vec::new() }
    }

    fn go(&mut self) {
        self.get("/v1/whoami");
        let key = self.state.account.keys.first().map(|key| format!("Bearer {}", key.text)).unwrap_or_default();
        self.header("authorization", &key);
        self.header("service-version", "2027-01-01");
        self.get("/v1/whoami");
        let newer = if self.state.has(Switch::NewerVersionRefused) { "2026-04-12" } else { "2026-05-01" };
        self.header("service-version", newer);
        for path in ["/v1/healthz", "/v1/whoami", "/v1/organizations", "/v1/uploads/limits"] {
            self.get(path);
        }
        self.drive();
        self.uploads();
        self.tasks();
        self.canvases();
        self.kits();
        self.deliveries();
        self.items();
        self.refusals();
    }

    fn header(&mut self, name: &'static str, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
    }

    fn ask(&mut self, method: &str, path: &str, content: Content) -> Value {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let answer = self.state.answer(&Request { method, path, query, headers: &self.headers, content });
        self.transcript.push(format!("{method} {path} {answer:?}"));
        match answer {
            Answer::Given(Reply { body: Body::Json(value), .. }) => value,
            _ => Value::Null,
        }
    }

    fn get(&mut self, path: &str) -> Value {
        self.ask("GET", path, Content::Nothing)
    }

    fn post(&mut self, path: &str, body: Value) -> Value {
        self.ask("POST", path, Content::Json(body))
    }

    /// The newest folder, file and canvas: in their maps the order is that of the ids.
    fn folder(&self) -> String {
        self.state.folders.keys().next_back().cloned().unwrap_or_default()
    }

    fn file(&self) -> String {
        self.state.files.keys().next_back().cloned().unwrap_or_default()
    }

    fn canvas(&self) -> String {
        self.state.canvases.keys().next_back().cloned().unwrap_or_default()
    }

    fn drive(&mut self) {
        self.post("/v1/drive/folders", json!({"name": "Kept"}));
        let folder = self.folder();
        self.post("/v1/drive/folders", json!({"name": "Within", "parent_folder_id": folder}));
        self.post("/v1/drive/folders", json!({"name": "Kept"}));
        self.get("/v1/drive/tree");
        self.get("/v1/drive/folders?limit=1");
    }

    fn uploads(&mut self) {
        let folder = self.state.folders.keys().next().cloned().unwrap_or_default();
        for (name, folder) in [("one.png", Some(folder)), ("two.png", None)] {
            let blob = Blob::new(name.as_bytes().to_vec().into());
            let file = Some((name.to_owned(), "image/png".to_owned(), blob));
            let texts = folder.into_iter().map(|folder| ("folder_id".to_owned(), folder)).collect();
            self.ask("POST", "/v1/uploads", Content::Form(Form { file, texts }));
        }
        let signed = self.post("/v1/uploads/url", json!({"filename": "three.png", "mime_type": "image/png"}));
        let path = signed["upload_url"].as_str().unwrap_or_default().replace("http://storage.example", "");
        let key = self.headers.remove("authorization");
        self.header("content-type", "image/png");
        self.ask("PUT", &path, Content::Blob(Blob::new("three".into())));
        if let Some(key) = key {
            self.headers.insert("authorization", key);
        }
        self.post("/v1/uploads/register", json!({"storage_key": signed["storage_key"]}));
        let file = self.file();
        for path in
            ["/v1/drive/files?limit=1", &format!("/v1/drive/files/{file}"), &format!("/v1/drive/files/{file}/download")]
        {
            self.get(path);
        }
    }

    fn tasks(&mut self) {
        let endings = [Ending::Succeeds, Ending::FailsForNow, Ending::FailsForGood, Ending::Expires];
        self.state.tasks.endings.extend(endings);
        for ending in endings {
            let body = json!({"prompt": format!("{ending:?}"), "callback_url": "https://hooks.example/designs"});
            let task = self.post("/v1/tasks", body);
            let id = task["id"].as_str().or(task["job_id"].as_str()).unwrap_or_default().to_owned();
            for _ in 0..4 {
                self.get(&format!("/v1/tasks/{id}"));
            }
        }
        let task = self.post("/v1/tasks", json!({"prompt": "to be canceled"}));
        let id = task["id"].as_str().or(task["job_id"].as_str()).unwrap_or_default().to_owned();
        self.post(&format!("/v1/tasks/{id}/cancel"), json!({}));
        self.get("/v1/tasks");
        let canvas = self.canvas();
        self.post("/v1/remix", json!({"canvas_id": canvas}));
        self.post("/v1/remix", json!({"canvas_id": canvas, "prompt": "in green"}));
    }

    fn canvases(&mut self) {
        let canvas = self.canvas();
        for path in ["/v1/canvases", "/v1/canvases/search?query=s&q=s"] {
            self.get(path);
        }
        self.get(&format!("/v1/canvases/{canvas}"));
        self.get(&format!("/v1/canvases/{canvas}/pages"));
        self.ask("PATCH", &format!("/v1/canvases/{canvas}"), Content::Json(json!({"name": "Renamed"})));
        for how in ["format=png", "format=png", "format=pdf&wait=false"] {
            self.post(&format!("/v1/canvases/{canvas}/export?{how}"), json!({}));
        }
        let exports = self.state.exports.keys().cloned().collect::<Vec<_>>();
        for export in exports.iter().chain(&exports) {
            self.get(&format!("/v1/canvases/{canvas}/export-status?task_id={export}"));
        }
    }

    fn kits(&mut self) {
        let colors = json!([{"color": "#112233", "label": "Ink"}]);
        let fonts = json!([{"family": "Inter", "label": "Text", "weight": 400}]);
        self.post("/v1/brand-kits", json!({"title": "North", "colors": colors, "fonts": fonts, "tagline": "On"}));
        self.post("/v1/brand-kits", json!({"url": "https://north.example"}));
        let kit = self.state.kits.keys().next().cloned().unwrap_or_default();
        let file = self.file();
        self.post(&format!("/v1/brand-kits/{kit}/images"), json!({"file_id": file}));
        self.ask("PATCH", &format!("/v1/brand-kits/{kit}"), Content::Json(json!({"company_name": "North Ltd"})));
        self.get(&format!("/v1/brand-kits/{kit}"));
        self.get("/v1/brand-kits");
        self.ask("DELETE", &format!("/v1/brand-kits/{kit}"), Content::Nothing);
    }

    fn deliveries(&mut self) {
        let now = self.state.config.clock.now();
        for outcome in [Delivered::Yes, Delivered::NotYet, Delivered::Never] {
            let id = self.state.add_delivery("task_other", "failed", "https://hooks.example", "key", outcome, now);
            self.get(&format!("/v1/webhook_deliveries/{id}"));
            self.post(&format!("/v1/webhook_deliveries/{id}/redeliver"), json!({}));
        }
        self.get("/v1/webhook_deliveries");
    }

    fn items(&mut self) {
        let (folder, file) = (self.folder(), self.file());
        self.post(&format!("/v1/drive/items/{file}/move"), json!({"folder_id": folder}));
        for item in [&folder, &file, &self.canvas()] {
            let body = json!({"name": format!("{item} renamed")});
            self.ask("PATCH", &format!("/v1/drive/items/{item}"), Content::Json(body));
        }
        for item in [&file, &folder] {
            self.ask("DELETE", &format!("/v1/drive/items/{item}?recursive=true"), Content::Nothing);
        }
    }

    /// What is not there, and what is not valid.
    fn refusals(&mut self) {
        for (method, path) in [
            ("GET", "/v1/tasks/task_none"),
            ("POST", "/v1/tasks/task_none/cancel"),
            ("GET", "/v1/canvases/cvs_none"),
            ("PATCH", "/v1/canvases/cvs_none"),
            ("GET", "/v1/canvases/cvs_none/pages"),
            ("POST", "/v1/canvases/cvs_none/export"),
            ("GET", "/v1/canvases/cvs_none/export-status"),
            ("GET", "/v1/brand-kits/bk_none"),
            ("DELETE", "/v1/brand-kits/bk_none"),
            ("GET", "/v1/drive/files/file_none"),
            ("GET", "/v1/drive/files/file_none/download"),
            ("POST", "/v1/drive/items/file_none/move"),
            ("PATCH", "/v1/drive/items/file_none"),
            ("DELETE", "/v1/drive/items/file_none"),
            ("GET", "/v1/webhook_deliveries/whd_none"),
            ("POST", "/v1/webhook_deliveries/whd_none/redeliver"),
            ("POST", "/v1/uploads"),
            ("GET", "/v1/canvases/search"),
        ] {
            self.ask(method, path, Content::Nothing);
        }
        for path in
            ["/v1/tasks", "/v1/remix", "/v1/uploads/url", "/v1/uploads/register", "/v1/brand-kits", "/v1/drive/folders"]
        {
            self.post(path, json!({"never_heard_of": 1}));
        }
        for list in
            ["tasks", "canvases", "brand-kits", "organizations", "drive/folders", "drive/files", "webhook_deliveries"]
        {
            self.get(&format!("/v1/{list}?limit=100000&cursor=x"));
        }
    }
}

#[cfg(test)]
mod tests;
