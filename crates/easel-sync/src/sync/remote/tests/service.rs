//! A drive that only answers lists and single files, with a switch for each way in which other services decide
//! otherwise.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use easel_client::{Client, Connection};
use easel_wire::{FileId, FolderId, Id, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::shared::mutex::lock;

#[derive(Debug, Clone)]
pub struct Item {
    pub parent: Option<u128>,
    pub name: String,
    pub made_us: i64,
    pub updated_us: i64,
}

/// What the service does with `updated_since`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Since {
    #[default]
    Kept,
    /// It answers with all items.
    Ignored,
    /// It answers 422.
    Refused,
    /// It answers with no items.
    Denied,
    /// It answers with newly made items only, and not with changed ones.
    OfMade,
}

/// How a list goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paging {
    #[default]
    Cursor,
    /// By offset, and `has_more` says so.
    Offset,
    /// There is no way: the first page is all that can be had.
    Unsaid,
    /// Not at all: the first page is all that can be had.
    None,
}

/// In which ways the service differs from the studio.
#[derive(Debug, Clone, Copy, Default)]
pub struct Otherwise {
    pub since: Since,
    pub paging: Paging,
    /// The most items a page, whatever is asked for; 0: as many as asked.
    pub longest: usize,
    /// A folder's time does not change when an item in it does.
    pub has_still_folders: bool,
    /// A file's time does not change when it is renamed or moved.
    pub has_still_files: bool,
    pub is_without_totals: bool,
    pub is_without_counts: bool,
    /// After the first page, one page of this many is refused; 0: none.
    pub expires_every: usize,
    /// The list of all files does not say where a file lies.
    pub is_without_places: bool,
    /// An item of each list cannot be read.
    pub has_unreadable: bool,
    /// Files with an odd number have no name.
    pub has_nameless: bool,
    /// The filters by place are ignored.
    pub is_without_filters: bool,
}

#[derive(Default)]
pub struct Service {
    pub folders: Mutex<BTreeMap<u128, Item>>,
    pub files: Mutex<BTreeMap<u128, Item>>,
    pub otherwise: Mutex<Otherwise>,
    /// Files that are listed, but answered with "not found" when asked for.
    pub denied: Mutex<Vec<u128>>,
    /// Files that are deleted once the first page of a list was answered.
    pub deleted_midway: Mutex<Vec<u128>>,
    requests: Mutex<Vec<String>>,
    later_pages: Mutex<usize>,
    clock_us: Mutex<i64>,
    /// By so many seconds the service's clock is set back.
    behind_s: Mutex<i64>,
}

type Asked = Query<BTreeMap<String, String>>;

impl Service {
    pub async fn start(otherwise: Otherwise) -> (Arc<Self>, Client) {
        let service = Arc::new(Self { otherwise: otherwise.into(), ..Self::default() });
        *lock(&service.clock_us) = jiff::Timestamp::now().as_microsecond() - 3_600_000_000;
        let router = Router::new()
            .route("/v1/whoami", get(whoami))
            .route("/v1/drive/folders", get(list_folders))
            .route("/v1/drive/files", get(list_files))
            .route("/v1/drive/files/{id}", get(get_file))
            .layer(axum::middleware::map_response_with_state(Arc::clone(&service), date))
            .with_state(Arc::clone(&service));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let key = format!("svc_live_{}", Uuid::new_v4().simple());
        let client = Client::new(Connection::new(&format!("http://{address}"), key.into()).unwrap()).unwrap();
        client.whoami().await.unwrap();
        (service, client)
    }

    pub fn switch(&self, change: impl FnOnce(&mut Otherwise)) {
        change(&mut lock(&self.otherwise));
    }

    fn otherwise(&self) -> Otherwise {
        *lock(&self.otherwise)
    }

    /// A moment of the service, always a new one.
    fn now_us(&self) -> i64 {
        let behind_us = *lock(&self.behind_s) * 1_000_000;
        if behind_us > 0 {
            return jiff::Timestamp::now().as_microsecond() - behind_us;
        }
        let mut clock = lock(&self.clock_us);
        *clock = (*clock + 1).max(jiff::Timestamp::now().as_microsecond());
        *clock
    }

    /// Makes all items a minute older, and the files of different ages.
    pub fn age(&self) {
        for (place, item) in lock(&self.files).values_mut().rev().enumerate() {
            item.updated_us -= 60_000_000 + 3_000_000 * i64::try_from(place).unwrap();
            item.made_us = item.updated_us;
        }
        for item in lock(&self.folders).values_mut() {
            item.updated_us -= 60_000_000;
            item.made_us = item.updated_us - 60_000_000;
        }
    }

    fn touch(&self, folder: Option<u128>) {
        if self.otherwise().has_still_folders {
            return;
        }
        let now = self.now_us();
        let mut folders = lock(&self.folders);
        if let Some(item) = folder.and_then(|id| folders.get_mut(&id)) {
            item.updated_us = now;
        }
    }

    pub fn put_folder(&self, id: u128, parent: Option<u128>, name: &str) {
        let now_us = self.now_us();
        let made_us = lock(&self.folders).get(&id).map_or(now_us, |item| item.made_us);
        let item = Item { parent, name: name.to_owned(), made_us, updated_us: now_us };
        let before = lock(&self.folders).insert(id, item);
        self.touch(parent);
        self.touch(before.and_then(|before| before.parent));
    }

    pub fn put_file(&self, id: u128, folder: Option<u128>, name: &str) {
        let known = lock(&self.files).get(&id).map(|item| (item.made_us, item.updated_us));
        let now_us = self.now_us();
        let updated_us =
            known.filter(|_| self.otherwise().has_still_files).map_or(now_us, |(_, updated_us)| updated_us);
        let made_us = known.map_or(now_us, |(made_us, _)| made_us);
        let item = Item { parent: folder, name: name.to_owned(), made_us, updated_us };
        let before = lock(&self.files).insert(id, item);
        self.touch(folder);
        self.touch(before.and_then(|before| before.parent));
    }

    /// Sets the service's clock back.
    pub fn set_clock_back(&self, seconds: i64) {
        *lock(&self.behind_s) = seconds;
    }

    pub fn delete_file(&self, id: u128) {
        let before = lock(&self.files).remove(&id);
        self.touch(before.and_then(|before| before.parent));
    }

    pub fn delete_folder(&self, id: u128) {
        let inside: Vec<u128> =
            lock(&self.folders).iter().filter(|(_, item)| item.parent == Some(id)).map(|(id, _)| *id).collect();
        inside.into_iter().for_each(|inside| self.delete_folder(inside));
        lock(&self.files).retain(|_, item| item.parent != Some(id));
        let before = lock(&self.folders).remove(&id);
        self.touch(before.and_then(|before| before.parent));
    }

    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.requests))
    }

    fn refuse(status: u16, code: &str) -> Response {
        let error_type = if status == 404 { "not_found" } else { "invalid_request" };
        let error = json!({"error": {"type": error_type, "code": code, "message": ""}});
        (StatusCode::from_u16(status).unwrap(), Json(error)).into_response()
    }

    fn answer(
        &self,
        what: &str,
        filter: &str,
        items: &Mutex<BTreeMap<u128, Item>>,
        asked: &Asked,
        write: impl Fn(u128, &Item) -> Value,
    ) -> Response {
        lock(&self.requests).push(format!("{what} {:?}", asked.0));
        let otherwise = self.otherwise();
        let since = asked.get("updated_since").map(|text| text.parse::<Timestamp>().unwrap().as_micros());
        if since.is_some() && otherwise.since == Since::Refused {
            let error = json!({"error": {"type": "unprocessable", "code": "validation_failed", "message": "",
                "details": {"fields": [{"field": "updated_since", "code": "unknown"}]}}});
            return (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response();
        }
        let is_kept = |item: &Item| match (since, otherwise.since) {
            (Some(_), Since::Denied) => false,
            (Some(since), Since::Kept) => item.updated_us >= since,
            (Some(since), Since::OfMade) => item.made_us >= since,
            _ => true,
        };
        let place = asked.get(filter).filter(|_| !otherwise.is_without_filters).map(|text| match text.as_str() {
            "root" => None,
            id => Some(number_of(id)),
        });
        if let Some(Some(folder)) = place
            && !lock(&self.folders).contains_key(&folder)
        {
            return Self::refuse(404, "folder_not_found");
        }
        let number = |name: &str| asked.get(name).and_then(|text| text.parse::<usize>().ok());
        let from = match otherwise.paging {
            Paging::Cursor => None,
            Paging::Offset | Paging::Unsaid => Some(number("offset").unwrap_or_default()),
            Paging::None => Some(0),
        };
        let after = asked.get("cursor").map(|cursor| cursor.parse::<u128>().unwrap());
        if from.is_some_and(|from| from > 0) || after.is_some() {
            let mut later = lock(&self.later_pages);
            *later += 1;
            if otherwise.expires_every > 0 && later.is_multiple_of(otherwise.expires_every) {
                return Self::refuse([400, 404, 410, 422][*later / otherwise.expires_every % 4], "invalid_request");
            }
        }
        // Newest first, as ids go: a cursor names the last item of the page before.
        let listed: Vec<(u128, Item)> = {
            let items = lock(items);
            let in_place = |item: &Item| place.is_none_or(|place| item.parent == place);
            let kept = items.iter().rev().filter(|(_, item)| in_place(item) && is_kept(item));
            kept.map(|(id, item)| (*id, item.clone())).collect()
        };
        let asked_for = number("limit").unwrap_or(20);
        let limit = if otherwise.longest > 0 { asked_for.min(otherwise.longest) } else { asked_for };
        let total = listed.len();
        let rest = listed
            .iter()
            .enumerate()
            .filter(|(at, (id, _))| from.is_none_or(|from| *at >= from) && after.is_none_or(|after| *id < after));
        let page: Vec<_> = rest.map(|(_, item)| item).take(limit).collect();
        let last = page.last().map(|(id, _)| *id);
        let has_more = last != listed.last().map(|(id, _)| *id) && last.is_some();
        let mut data: Vec<Value> = page.iter().map(|(id, item)| write(*id, item)).collect();
        if otherwise.has_unreadable && !has_more && !data.is_empty() {
            data.push(json!({"name": "it has no id"}));
        }
        let mut body = json!({"data": data});
        match otherwise.paging {
            Paging::Cursor => {
                body["next_cursor"] = json!(last.filter(|_| has_more).map(|last| last.to_string()));
                body["has_more"] = json!(has_more);
            }
            Paging::Offset => body["has_more"] = json!(has_more),
            Paging::Unsaid | Paging::None => {}
        }
        if !otherwise.is_without_totals && otherwise.paging != Paging::None && otherwise.paging != Paging::Unsaid {
            body["total"] = json!(total);
        }
        if has_more {
            let deleted = std::mem::take(&mut *lock(&self.deleted_midway));
            deleted.into_iter().for_each(|id| self.delete_file(id));
        }
        Json(body).into_response()
    }

    fn write_file(&self, id: u128, item: &Item, is_placed: bool) -> Value {
        let mut body = json!({
            "id": file(id), "name": item.name, "folder_id": item.parent.map(folder), "size_bytes": 1,
            "updated_at": Timestamp::from_micros(item.updated_us),
        });
        if self.otherwise().has_nameless && id % 2 == 1 {
            body["name"] = json!(null);
        }
        if !is_placed {
            body.as_object_mut().unwrap().remove("folder_id");
        }
        body
    }
}

/// Puts the service's clock into every answer.
async fn date(State(service): State<Arc<Service>>, mut response: Response) -> Response {
    let now = jiff::Timestamp::now() - jiff::SignedDuration::from_secs(*lock(&service.behind_s));
    let text = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&now).unwrap();
    response.headers_mut().insert(axum::http::header::DATE, text.parse().unwrap());
    response
}

/// A key without a limit on requests.
async fn whoami() -> Json<Value> {
    let named = |name: &str| json!({"id": format!("{name}_00000000000000000000000000"), "name": name});
    Json(json!({
        "user": named("user"), "team": named("team"), "organization": named("org"), "role": "owner", "plan": "paid",
        "scopes": [], "api_key_id": "ak_00000000000000000000000000", "entitlements": {"requests_per_minute": 0},
    }))
}

async fn list_folders(State(service): State<Arc<Service>>, asked: Asked) -> Response {
    let inside = |items: &Mutex<BTreeMap<u128, Item>>| {
        let mut counts = BTreeMap::new();
        for item in lock(items).values() {
            *counts.entry(item.parent).or_insert(0) += 1;
        }
        counts
    };
    let (files, folders) = (inside(&service.files), inside(&service.folders));
    service.answer("folders", "parent_id", &service.folders, &asked, |id, item| {
        let mut body = json!({
            "id": folder(id), "name": item.name, "parent_folder_id": item.parent.map(folder),
            "updated_at": Timestamp::from_micros(item.updated_us),
        });
        if !service.otherwise().is_without_counts {
            body["file_count"] = json!(files.get(&Some(id)).unwrap_or(&0));
            body["subfolder_count"] = json!(folders.get(&Some(id)).unwrap_or(&0));
        }
        body
    })
}

async fn list_files(State(service): State<Arc<Service>>, asked: Asked) -> Response {
    let is_placed = !service.otherwise().is_without_places;
    service.answer("files", "folder_id", &service.files, &asked, |id, item| service.write_file(id, item, is_placed))
}

async fn get_file(State(service): State<Arc<Service>>, Path(id): Path<String>) -> Response {
    lock(&service.requests).push(format!("file {id}"));
    let id = number_of(&id);
    let item = lock(&service.files).get(&id).cloned();
    match item.filter(|_| !lock(&service.denied).contains(&id)) {
        Some(item) => Json(json!({"file": service.write_file(id, &item, true)})).into_response(),
        None => Service::refuse(404, "file_not_found"),
    }
}

/// The number that an id was made from.
pub fn number_of(id: &str) -> u128 {
    id.rsplit_once('-').and_then(|(_, number)| number.parse().ok()).unwrap()
}

pub fn folder(id: u128) -> FolderId {
    Id::imagined(id)
}

pub fn file(id: u128) -> FileId {
    Id::imagined(id)
}
