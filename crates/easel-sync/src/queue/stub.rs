//! A small drive for the tests of this crate: the routes that they need, with answers held back or refused at will. The
//! journeys run against the real studio; the stub exists for moments at which a real one cannot be stopped.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Multipart, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use easel_client::{Client, Connection};
use easel_wire::Timestamp;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::shared::mutex::lock;

/// The stub's reaction to a request.
#[derive(Clone)]
pub(crate) enum Meet {
    /// An answer as the service gives it.
    Service,
    /// A refusal with this status and code.
    Refusal(u16, &'static str),
    /// An answer as the service gives it, once the semaphore has a permit.
    Hold(Arc<Semaphore>),
}

type Rule = Box<dyn Fn(&str) -> Meet + Send>;

/// A file of the stub's drive.
#[derive(Debug, Clone)]
pub(crate) struct StubFile {
    pub id: String,
    pub name: String,
    pub folder: Option<String>,
    pub content: Bytes,
    created_at: Timestamp,
}

#[derive(Default)]
struct Drive {
    files: Vec<StubFile>,
    folders: Vec<(String, String, Option<String>)>,
    keys: HashMap<String, String>,
    staged: HashMap<String, Option<Bytes>>,
    registered: HashMap<String, Value>,
    requests: Vec<String>,
}

/// The stub.
pub(crate) struct Stub {
    address: SocketAddr,
    inner: Arc<Inner>,
}

struct Inner {
    drive: Mutex<Drive>,
    rule: Mutex<Rule>,
    direct_ceiling: u64,
    max_file_bytes: u64,
    address: Mutex<Option<SocketAddr>>,
}

impl Stub {
    /// Starts a stub whose multipart bodies may have `direct_ceiling` bytes.
    pub(crate) async fn start(direct_ceiling: u64) -> Self {
        let inner = Arc::new(Inner {
            drive: Mutex::default(),
            rule: Mutex::new(Box::new(|_| Meet::Service)),
            direct_ceiling,
            max_file_bytes: 50_000_000,
            address: Mutex::default(),
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        *lock(&inner.address) = Some(address);
        let router = Router::new()
            .route("/v1/whoami", get(whoami))
            .route("/v1/uploads/limits", get(limits))
            .route("/v1/uploads", post(upload))
            .route("/v1/uploads/url", post(sign))
            .route("/v1/uploads/register", post(register))
            .route("/v1/drive/folders", post(create_folder))
            .route("/v1/drive/files", get(list_files))
            .route("/storage/{key}", put(store))
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, inner }
    }

    pub(crate) fn client(&self) -> Client {
        let key = format!("svc_live_{}", "0".repeat(40));
        Client::new(Connection::new(&format!("http://{}", self.address), key.into()).unwrap()).unwrap()
    }

    /// Sets the reactions to requests from now on, by method and route such as `POST /v1/uploads`.
    pub(crate) fn meet(&self, rule: impl Fn(&str) -> Meet + Send + 'static) {
        *lock(&self.inner.rule) = Box::new(rule);
    }

    /// The files, by name.
    pub(crate) fn files(&self) -> Vec<StubFile> {
        let mut files = lock(&self.inner.drive).files.clone();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }

    /// The names of the files, in the order in which they came.
    pub(crate) fn names_as_they_came(&self) -> Vec<String> {
        lock(&self.inner.drive).files.iter().map(|file| file.name.clone()).collect()
    }

    /// Every folder as a path from the top, sorted.
    pub(crate) fn folder_paths(&self) -> Vec<String> {
        let folders = lock(&self.inner.drive).folders.clone();
        let mut paths: Vec<_> = folders.iter().map(|(id, ..)| path_of(&folders, id)).collect();
        paths.sort();
        paths
    }

    /// A file's path from the top.
    pub(crate) fn path_of(&self, file: &StubFile) -> String {
        let folders = lock(&self.inner.drive).folders.clone();
        file.folder.as_ref().map_or(file.name.clone(), |folder| format!("{}/{}", path_of(&folders, folder), file.name))
    }

    /// How many requests there were to a method and route.
    pub(crate) fn count(&self, route: &str) -> usize {
        lock(&self.inner.drive).requests.iter().filter(|request| *request == route).count()
    }
}

fn path_of(folders: &[(String, String, Option<String>)], id: &str) -> String {
    let Some((_, name, parent)) = folders.iter().find(|(known, ..)| known == id) else { return String::new() };
    parent.as_ref().map_or(name.clone(), |parent| format!("{}/{name}", path_of(folders, parent)))
}

type Shared = State<Arc<Inner>>;

/// Notes a request, and waits or refuses as its reaction says.
async fn meet(inner: &Inner, route: &str) -> Result<(), Response> {
    lock(&inner.drive).requests.push(route.to_owned());
    let meet = (lock(&inner.rule))(route);
    match meet {
        Meet::Service => Ok(()),
        Meet::Refusal(status, code) => Err(refuse(status, code, &Value::Null)),
        Meet::Hold(gate) => {
            gate.acquire().await.map_err(|_| refuse(500, "internal_error", &Value::Null))?.forget();
            Ok(())
        }
    }
}

fn refuse(status: u16, code: &str, details: &Value) -> Response {
    let error_type = match status {
        401 => "authentication",
        403 => "permission",
        404 => "not_found",
        409 => "conflict",
        422 => "unprocessable",
        429 => "rate_limited",
        503 => "upstream_error",
        _ => "internal_error",
    };
    let body = json!({"error": {"type": error_type, "code": code, "message": code, "details": details}});
    (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response()
}

fn new_id(prefix: &str) -> String {
    match prefix {
        "fld" => format!("fld_{}", Uuid::now_v7().simple()),
        _ => format!("file_{}", Uuid::now_v7().simple()),
    }
}

async fn whoami(State(inner): Shared) -> Response {
    if let Err(refusal) = meet(&inner, "GET /v1/whoami").await {
        return refusal;
    }
    let id = |prefix: &str| format!("{prefix}_{}", "0".repeat(26));
    axum::Json(json!({
        "user": {"id": id("user")}, "team": {"id": id("team")}, "organization": {"id": id("org")},
        "role": "owner", "plan": "free", "scopes": ["uploads:write"], "entitlements": {"requests_per_minute": 0}
    }))
    .into_response()
}

async fn limits(State(inner): Shared) -> Response {
    if let Err(refusal) = meet(&inner, "GET /v1/uploads/limits").await {
        return refusal;
    }
    axum::Json(json!({
        "max_direct_upload_bytes": inner.direct_ceiling, "max_file_bytes": inner.max_file_bytes,
        "max_file_bytes_is_plan_limit": true
    }))
    .into_response()
}

/// Stores content in the drive as the contract says: one file for a content, and a number where the name is taken.
fn keep(inner: &Inner, name: &str, folder: Option<String>, content: Bytes) -> Value {
    let mut drive = lock(&inner.drive);
    let known = drive.files.iter().find(|file| file.content == content).cloned();
    let was_duplicate = known.is_some();
    let file = known.unwrap_or_else(|| {
        let is_taken = |name: &str| drive.files.iter().any(|file| file.folder == folder && file.name == name);
        let mut free = name.to_owned();
        for number in 2.. {
            if !is_taken(&free) {
                break;
            }
            free = format!("{name} ({number})");
        }
        let created_at = Timestamp::from_micros(crate::shared::clock::to_micros(std::time::SystemTime::now()));
        let file = StubFile { id: new_id("file"), name: free, folder, content, created_at };
        drive.files.push(file.clone());
        file
    });
    json!({
        "file_id": file.id, "id": file.id, "was_duplicate": was_duplicate, "filename": file.name,
        "folder_id": file.folder, "size_bytes": file.content.len()
    })
}

async fn upload(State(inner): Shared, mut form: Multipart) -> Response {
    let (mut name, mut content, mut folder) = (String::new(), None, None);
    loop {
        let field = match form.next_field().await {
            Ok(Some(field)) => field,
            Ok(None) => break,
            Err(_) => return refuse(400, "invalid_request", &Value::Null),
        };
        if field.name() == Some("folder_id") {
            folder = field.text().await.ok();
        } else {
            name = field.file_name().unwrap_or_default().to_owned();
            content = match field.bytes().await {
                Ok(content) => Some(content),
                Err(_) => return refuse(400, "invalid_request", &Value::Null),
            };
        }
    }
    if let Err(refusal) = meet(&inner, "POST /v1/uploads").await {
        return refusal;
    }
    let Some(content) = content else { return refuse(422, "validation_failed", &Value::Null) };
    (StatusCode::CREATED, axum::Json(keep(&inner, &name, folder, content))).into_response()
}

/// The fields of a signing request that the stub reads.
#[derive(serde::Deserialize)]
struct SignUpload {
    mime_type: String,
}

#[derive(serde::Deserialize)]
struct RegisterUpload {
    storage_key: String,
    filename: Option<String>,
    folder_id: Option<String>,
}

#[derive(serde::Deserialize)]
struct CreateFolder {
    name: String,
    parent_folder_id: Option<String>,
    idempotency_key: Option<String>,
}

async fn sign(State(inner): Shared, axum::Json(request): axum::Json<SignUpload>) -> Response {
    if let Err(refusal) = meet(&inner, "POST /v1/uploads/url").await {
        return refusal;
    }
    let key = Uuid::new_v4().simple().to_string();
    lock(&inner.drive).staged.insert(key.clone(), None);
    let address = lock(&inner.address).unwrap();
    axum::Json(json!({
        "upload_url": format!("http://{address}/storage/{key}"), "expires_in_seconds": 600, "storage_key": key,
        "mime_type": request.mime_type
    }))
    .into_response()
}

async fn store(State(inner): Shared, Path(key): Path<String>, content: Bytes) -> Response {
    if let Err(refusal) = meet(&inner, "PUT /storage").await {
        return refusal;
    }
    lock(&inner.drive).staged.insert(key, Some(content));
    StatusCode::OK.into_response()
}

async fn register(State(inner): Shared, axum::Json(request): axum::Json<RegisterUpload>) -> Response {
    if let Err(refusal) = meet(&inner, "POST /v1/uploads/register").await {
        return refusal;
    }
    let known = lock(&inner.drive).registered.get(&request.storage_key).cloned();
    if let Some(result) = known {
        return axum::Json(result).into_response();
    }
    let staged = lock(&inner.drive).staged.remove(&request.storage_key).flatten();
    let Some(content) = staged else { return refuse(404, "upload_not_found", &Value::Null) };
    let folder = request.folder_id;
    let result = keep(&inner, &request.filename.unwrap_or_default(), folder, content);
    lock(&inner.drive).registered.insert(request.storage_key, result.clone());
    (StatusCode::CREATED, axum::Json(result)).into_response()
}

async fn create_folder(State(inner): Shared, axum::Json(request): axum::Json<CreateFolder>) -> Response {
    if let Err(refusal) = meet(&inner, "POST /v1/drive/folders").await {
        return refusal;
    }
    let mut drive = lock(&inner.drive);
    let parent = request.parent_folder_id;
    let key = request.idempotency_key.unwrap_or_default();
    let made = drive.keys.get(&key).cloned();
    let taken = drive.folders.iter().find(|(_, name, above)| *name == request.name && *above == parent).cloned();
    let id = match (made, taken) {
        (Some(id), _) => id,
        (None, Some((id, ..))) => return refuse(409, "folder_name_conflict", &json!({"existing_id": id})),
        (None, None) => {
            let id = new_id("fld");
            drive.folders.push((id.clone(), request.name.clone(), parent.clone()));
            drive.keys.insert(key, id.clone());
            id
        }
    };
    let folder = json!({"id": id, "name": request.name, "parent_folder_id": parent});
    (StatusCode::CREATED, axum::Json(json!({"folder": folder}))).into_response()
}

async fn list_files(State(inner): Shared, Query(query): Query<HashMap<String, String>>) -> Response {
    if let Err(refusal) = meet(&inner, "GET /v1/drive/files").await {
        return refusal;
    }
    let wanted = query.get("folder_id").filter(|folder| *folder != "root").cloned();
    let files = lock(&inner.drive).files.clone();
    let data: Vec<_> = files
        .iter()
        .rev()
        .filter(|file| file.folder == wanted)
        .map(|file| {
            json!({
                "id": file.id, "name": file.name, "folder_id": file.folder, "size_bytes": file.content.len(),
                "content_hash": format!("sha256:{}", hash(&file.content)), "created_at": file.created_at
            })
        })
        .collect();
    let total = data.len();
    axum::Json(json!({"data": data, "next_cursor": null, "has_more": false, "total": total})).into_response()
}

fn hash(content: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}
