//! Random requests to every endpoint: whatever is asked, the answer is no server error, every error is an envelope, and
//! the service stands (contract, "Requests and responses" and "Errors").

use bytes::Bytes;
use easel_tests::http::{Answer, Form};
use easel_tests::studio::Options;
use http::Method;
use serde_json::{Map, Value, json};

use crate::service::{Service, create_folder, stage, text, unused_id, upload, uuid_of};

/// How many requests are asked.
const REQUESTS: u32 = 5_000;

/// Numbers that look random and are the same in every run (xorshift64*).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.roll() >> 33).unwrap_or_default() % count
    }

    fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A text that a request could hold, from the plain to the absurd.
    fn text(&mut self, known: &[String]) -> String {
        const ODD: &[&str] = &[
            "",
            " ",
            "a",
            "root",
            "null",
            "..",
            ".",
            "/",
            "a/b",
            "\u{0}",
            "\u{7f}",
            "\u{202e}gnp.exe",
            "ü",
            "日本",
            "🎨",
            "a\r\nX: y",
            "%00",
            "%2e%2e",
            "'; DROP TABLE files;--",
            "{{7*7}}",
            "-1",
            "1e309",
            "true",
            "NaN",
            "text/plain",
            "image/png; charset=utf-8",
            "2026-05-01T12:00:00Z",
            "9999-12-31T23:59:60Z",
            "+10000-01-01T00:00:00Z",
            "name",
            "-updated_at",
            "team",
            "private",
            "svc_live_",
            "fld_",
            "file_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        ];
        match self.below(10) {
            0..=3 => self.one_of(known).clone(),
            4..=7 => (*self.one_of(ODD)).to_owned(),
            8 => self.one_of(ODD).repeat(1 + self.below(400)),
            _ => (0..self.below(40)).filter_map(|_| char::from_u32((self.roll() % 0x11_0000) as u32)).collect(),
        }
    }

    fn value(&mut self, known: &[String], depth: u32) -> Value {
        match self.below(if depth == 0 { 6 } else { 8 }) {
            0..=2 => Value::String(self.text(known)),
            3 => Value::Null,
            4 => json!(self.below(2) == 0),
            5 => [json!(0), json!(-1), json!(600), json!(1.5), json!(u64::MAX), json!(i64::MIN), json!(1e308)]
                [self.below(7)]
            .clone(),
            6 => (0..self.below(4)).map(|_| self.value(known, depth - 1)).collect(),
            _ => Value::Object(self.fields(known, depth - 1)),
        }
    }

    fn fields(&mut self, known: &[String], depth: u32) -> Map<String, Value> {
        const FIELDS: &[&str] = &[
            "name",
            "parent_folder_id",
            "idempotency_key",
            "filename",
            "mime_type",
            "expires_in_seconds",
            "storage_key",
            "folder_id",
            "visibility",
            "colour",
            "prompt",
            "format",
            "canvas_id",
            "attachments",
            "callback_url",
            "title",
            "company_url",
            "colors",
            "fonts",
            "logos",
            "file_id",
            "role",
        ];
        (0..self.below(5)).map(|_| ((*self.one_of(FIELDS)).to_owned(), self.value(known, depth))).collect()
    }

    fn query(&mut self, known: &[String]) -> String {
        const PARAMETERS: &[&str] = &[
            "limit",
            "offset",
            "cursor",
            "sort",
            "updated_since",
            "folder_id",
            "parent_id",
            "depth",
            "recursive",
            "status",
            "event_type",
            "api_key_id",
            "from",
            "to",
            "query",
            "format",
            "page_number",
            "task_id",
            "x",
        ];
        let parameters: Vec<String> =
            (0..self.below(4)).map(|_| format!("{}={}", self.one_of(PARAMETERS), encode(&self.text(known)))).collect();
        if parameters.is_empty() { String::new() } else { format!("?{}", parameters.join("&")) }
    }
}

/// Percent-encodes whatever may not stand in a path or a query.
fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[track_caller]
fn check(number: u32, what: &str, answer: &Answer) {
    let status = answer.status.as_u16();
    assert!(status < 500, "request {number}, {what}: {answer:?}");
    let what: String = what.chars().take(300).collect();
    for name in ["service-version", "x-request-id"] {
        assert!(answer.headers.contains_key(name), "request {number}, {what}: no {name}: {answer:?}");
    }
    if status >= 400 {
        let error = answer.value()["error"].clone();
        assert!(error["type"].is_string() && error["code"].is_string(), "request {number}, {what}: {answer:?}");
    }
}

#[tokio::test]
async fn random_requests_never_get_a_server_error() {
    // Nobody works on tasks, so that what is asked of them comes again and again.
    let service = Service::start_with(Options::new().with("--workers", "0").with("--concurrent-tasks", "0"));
    let http = &service.http;
    let kit = text(&http.post("/v1/brand-kits", &json!({"title": "Kit"})).await.expect(201)["id"]);
    let task = text(&http.post("/v1/tasks", &json!({"prompt": "A deck"})).await.expect(202)["id"]);
    let file = text(&upload(http, "a", b"a").await["file_id"]);
    let folder = create_folder(http, "Folder", None).await;
    let inner = create_folder(http, "Inner", Some(&folder)).await;
    let known = vec![
        uuid_of(&file).to_string(),
        file.to_lowercase(),
        file,
        folder,
        inner,
        stage(http, "b", b"b").await,
        unused_id("fld"),
        unused_id("file"),
        unused_id("cvs"),
        unused_id("task"),
        unused_id("whd"),
        kit,
        task,
        "logo".to_owned(),
        "#00aaff".to_owned(),
        "https://10.0.0.1/".to_owned(),
    ];
    let mut dice = Dice(0x0EA5_E100);
    for number in 0..REQUESTS {
        let (path_text, query) = (encode(&dice.text(&known)), dice.query(&known));
        let (method, path) = match dice.below(28) {
            0 => (Method::GET, format!("/v1/drive/files{query}")),
            1 => (Method::GET, format!("/v1/drive/folders{query}")),
            2 => (Method::GET, format!("/v1/drive/tree{query}")),
            3 => (Method::GET, format!("/v1/drive/files/{path_text}{query}")),
            4 => (Method::GET, format!("/v1/drive/files/{path_text}/download{query}")),
            5 => (Method::POST, format!("/v1/drive/folders{query}")),
            6 => (Method::POST, format!("/v1/drive/items/{path_text}/move{query}")),
            7 => (Method::PATCH, format!("/v1/drive/items/{path_text}{query}")),
            8 => (Method::DELETE, format!("/v1/drive/items/{path_text}{query}")),
            9 => (Method::POST, format!("/v1/uploads/url{query}")),
            10 => (Method::POST, format!("/v1/tasks{query}")),
            11 => (Method::GET, format!("/v1/tasks{query}")),
            12 => (Method::GET, format!("/v1/tasks/{path_text}{query}")),
            13 => (Method::POST, format!("/v1/tasks/{path_text}/cancel{query}")),
            14 => (Method::POST, format!("/v1/remix{query}")),
            15 => (Method::GET, format!("/v1/canvases{query}")),
            16 => (Method::GET, format!("/v1/canvases/search{query}")),
            17 => (Method::POST, format!("/v1/canvases/{path_text}/export{query}")),
            18 => (Method::GET, format!("/v1/canvases/{path_text}/export-status{query}")),
            19 => (Method::GET, format!("/v1/brand-kits{query}")),
            20 => (Method::POST, format!("/v1/brand-kits{query}")),
            21 => (Method::PATCH, format!("/v1/brand-kits/{path_text}{query}")),
            22 => (Method::POST, format!("/v1/brand-kits/{path_text}/images{query}")),
            23 => (Method::GET, format!("/v1/webhook_deliveries{query}")),
            24 => (Method::GET, format!("/v1/webhook_deliveries/{path_text}{query}")),
            25 => (Method::POST, format!("/v1/webhook_deliveries/{path_text}/redeliver{query}")),
            26 => (Method::GET, format!("/v1/organizations{query}")),
            _ => (Method::POST, format!("/v1/uploads/register{query}")),
        };
        let body = if method == Method::GET || method == Method::DELETE {
            Bytes::new()
        } else {
            Value::Object(dice.fields(&known, 3)).to_string().into()
        };
        let what = format!("{method} {path} {}", String::from_utf8_lossy(&body));
        let answer = http.json(method, &path, body).await;
        check(number, &what, &answer);
    }
    http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn random_forms_never_get_a_server_error() {
    let service = Service::start();
    let known = vec![create_folder(&service.http, "Folder", None).await, unused_id("fld"), "file".to_owned()];
    let mut dice = Dice(0x0EA5_E101);
    for number in 0..500 {
        let mut form = Form::new();
        for _ in 0..dice.below(4) {
            let line = |text: String| text.replace(['\r', '\n', '\0'], "_");
            let (name, value) = (line(dice.text(&known)), dice.text(&known));
            form = match dice.below(4) {
                0 => form.text("folder_id", &value),
                1 => form.text(&name, &value),
                2 => form.file("file", &name, "text/plain", value.as_bytes()),
                _ => form.file(&line(value), &name, &line(dice.text(&known)), b"content"),
            };
        }
        let mut body = form.body().to_vec();
        if dice.below(3) == 0 {
            let at = dice.below(body.len());
            body[at] = body[at].wrapping_add(1 + (dice.roll() % 255) as u8);
        }
        let content_type = form.content_type();
        let answer = service.http.request(Method::POST, "/v1/uploads", Some(&content_type), body.clone().into()).await;
        check(number, &String::from_utf8_lossy(&body), &answer);
    }
    service.http.get("/v1/whoami").await.is(200);
}
