//! The picture of a drive over a service that answers lists, one that tells of changes and one that does not.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use easel_client::Connection;
use easel_wire::Id;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;

#[derive(Debug, Clone)]
struct Item {
    parent: Option<u128>,
    name: String,
    updated_us: i64,
}

/// A drive that only answers lists.
#[derive(Default)]
struct Service {
    folders: Mutex<BTreeMap<u128, Item>>,
    files: Mutex<BTreeMap<u128, Item>>,
    is_silent: AtomicBool,
    requests: Mutex<Vec<String>>,
    clock_us: Mutex<i64>,
}

type Asked = Query<BTreeMap<String, String>>;

impl Service {
    async fn start(is_silent: bool) -> (Arc<Self>, Client) {
        let service = Arc::new(Self { is_silent: is_silent.into(), ..Self::default() });
        *lock(&service.clock_us) = jiff::Timestamp::now().as_microsecond() - 3_600_000_000;
        let router = Router::new()
            .route("/v1/whoami", get(whoami))
            .route("/v1/drive/folders", get(list_folders))
            .route("/v1/drive/files", get(list_files))
            .with_state(Arc::clone(&service));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let key = format!("svc_live_{}", Uuid::new_v4().simple());
        let client = Client::new(Connection::new(&format!("http://{address}"), key.into()).unwrap()).unwrap();
        client.whoami().await.unwrap();
        (service, client)
    }

    /// A moment of the service, always a new one.
    fn now_us(&self) -> i64 {
        let mut clock = lock(&self.clock_us);
        *clock = (*clock + 1).max(jiff::Timestamp::now().as_microsecond());
        *clock
    }

    fn touch(&self, folder: Option<u128>) {
        let now = self.now_us();
        let mut folders = lock(&self.folders);
        if let Some(item) = folder.and_then(|id| folders.get_mut(&id)) {
            item.updated_us = now;
        }
    }

    fn put_folder(&self, id: u128, parent: Option<u128>, name: &str) {
        let item = Item { parent, name: name.to_owned(), updated_us: self.now_us() };
        let before = lock(&self.folders).insert(id, item);
        self.touch(parent);
        self.touch(before.and_then(|before| before.parent));
    }

    fn put_file(&self, id: u128, folder: Option<u128>, name: &str) {
        let item = Item { parent: folder, name: name.to_owned(), updated_us: self.now_us() };
        let before = lock(&self.files).insert(id, item);
        self.touch(folder);
        self.touch(before.and_then(|before| before.parent));
    }

    fn delete_file(&self, id: u128) {
        let before = lock(&self.files).remove(&id);
        self.touch(before.and_then(|before| before.parent));
    }

    fn delete_folder(&self, id: u128) {
        let inside: Vec<u128> =
            lock(&self.folders).iter().filter(|(_, item)| item.parent == Some(id)).map(|(id, _)| *id).collect();
        inside.into_iter().for_each(|inside| self.delete_folder(inside));
        lock(&self.files).retain(|_, item| item.parent != Some(id));
        let before = lock(&self.folders).remove(&id);
        self.touch(before.and_then(|before| before.parent));
    }

    fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.requests))
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
        let since = asked.get("updated_since").filter(|_| !self.is_silent.load(Ordering::Relaxed));
        let since = since.map(|text| text.parse::<Timestamp>().unwrap().as_micros());
        let place = asked.get(filter).map(|text| match text.as_str() {
            "root" => None,
            id => Some(id.parse::<FolderId>().unwrap().uuid().as_u128()),
        });
        if let Some(Some(folder)) = place
            && !lock(&self.folders).contains_key(&folder)
        {
            let error = json!({"error": {"type": "not_found", "code": "folder_not_found", "message": ""}});
            return (axum::http::StatusCode::NOT_FOUND, Json(error)).into_response();
        }
        let items = lock(items);
        let listed: Vec<Value> = items
            .iter()
            .rev()
            .filter(|(_, item)| place.is_none_or(|place| item.parent == place))
            .filter(|(_, item)| since.is_none_or(|since| item.updated_us >= since))
            .map(|(id, item)| write(*id, item))
            .collect();
        let number = |name: &str| asked.get(name).and_then(|text| text.parse::<usize>().ok());
        let (limit, from) = (number("limit").unwrap_or(20), number("cursor").unwrap_or_default());
        let total = listed.len();
        let page: Vec<Value> = listed.into_iter().skip(from).take(limit).collect();
        let next = (from + page.len() < total).then(|| (from + page.len()).to_string());
        Json(json!({"data": page, "has_more": next.is_some(), "next_cursor": next, "total": total})).into_response()
    }
}

/// No limit on requests.
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
        json!({
            "id": folder(id), "name": item.name, "parent_folder_id": item.parent.map(folder),
            "file_count": files.get(&Some(id)).unwrap_or(&0), "subfolder_count": folders.get(&Some(id)).unwrap_or(&0),
            "updated_at": Timestamp::from_micros(item.updated_us),
        })
    })
}

async fn list_files(State(service): State<Arc<Service>>, asked: Asked) -> Response {
    service.answer("files", "folder_id", &service.files, &asked, |id, item| {
        json!({
            "id": file(id), "name": item.name, "folder_id": item.parent.map(folder), "size_bytes": 1,
            "updated_at": Timestamp::from_micros(item.updated_us),
        })
    })
}

fn folder(id: u128) -> FolderId {
    Id::from_uuid(Uuid::from_u128(id))
}

fn file(id: u128) -> FileId {
    Id::from_uuid(Uuid::from_u128(id))
}

async fn open(at: &TempDir) -> DriveIndex {
    let journal = Journal::open(&at.path().join("journal.db")).await.unwrap();
    DriveIndex::new(journal, "here", Clock::default())
}

/// Everything that the picture shows: places and names.
async fn read(
    index: &DriveIndex,
    client: &Client,
) -> (BTreeMap<u128, (Option<u128>, String)>, BTreeMap<u128, (Option<u128>, String)>) {
    let seen = index.list(client, None, Freshness::Known).await.unwrap();
    let RemoteSeen::Whole { folders, files } = seen.remote else { panic!("a list without a cursor is whole") };
    let number = |id: FolderId| id.uuid().as_u128();
    let folders = folders.into_iter().map(|(id, seen)| (number(id), (seen.parent.map(number), seen.name))).collect();
    let files =
        files.into_iter().map(|(id, seen)| (id.uuid().as_u128(), (seen.folder.map(number), seen.name))).collect();
    (folders, files)
}

async fn check(index: &DriveIndex, service: &Service, client: &Client) {
    let there = |items: &Mutex<BTreeMap<u128, Item>>| {
        lock(items).iter().map(|(id, item)| (*id, (item.parent, item.name.clone()))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(read(index, client).await, (there(&service.folders), there(&service.files)));
}

#[tokio::test]
async fn a_look_at_a_drive_in_which_nothing_happens_takes_three_requests() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(false).await;
    service.put_folder(1, None, "Brand");
    (10..1_000).for_each(|id| service.put_file(id, Some(1), &format!("f{id}")));
    // What is written in the last seconds is asked for once more.
    lock(&service.files).values_mut().for_each(|item| item.updated_us -= 60_000_000);
    lock(&service.folders).values_mut().for_each(|item| item.updated_us -= 60_000_000);
    let index = open(&at).await;
    check(&index, &service, &client).await;
    service.take_requests();
    index.refresh(&client, false).await.unwrap();
    assert_eq!(service.take_requests().len(), 3);
    let cursor = index.cursor();
    service.put_file(10, Some(1), "renamed");
    service.delete_file(11);
    index.refresh(&client, false).await.unwrap();
    let seen = index.list(&client, Some(cursor), Freshness::Known).await.unwrap();
    let RemoteSeen::Changes { files, .. } = seen.remote else { panic!("only what changed is told") };
    let told: Vec<_> = files.iter().map(|(id, seen)| (*id, seen.as_ref().map(|seen| seen.name.as_str()))).collect();
    assert_eq!(told, [(file(10), Some("renamed")), (file(11), None)]);
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_start_goes_on_from_what_was_seen() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(false).await;
    service.put_folder(1, None, "Brand");
    service.put_file(10, Some(1), "a");
    {
        let index = open(&at).await;
        index.refresh(&client, false).await.unwrap();
        index.journal.close().await;
    }
    service.take_requests();
    service.delete_folder(1);
    service.put_file(11, None, "b");
    let index = open(&at).await;
    index.refresh(&client, true).await.unwrap();
    let requests = service.take_requests();
    assert!(requests.iter().any(|request| request.contains("updated_since")), "{requests:?}");
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_service_that_tells_of_no_changes_is_read_from_end_to_end() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(true).await;
    service.put_folder(1, None, "Brand");
    service.put_file(10, Some(1), "a");
    let index = open(&at).await;
    check(&index, &service, &client).await;
    service.put_file(10, None, "moved");
    service.put_file(11, Some(1), "new");
    index.refresh(&client, false).await.unwrap();
    check(&index, &service, &client).await;
    service.delete_file(10);
    index.refresh(&client, false).await.unwrap();
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn those_who_ask_at_the_same_time_share_an_answer() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(false).await;
    service.put_folder(1, None, "Brand");
    let index = Arc::new(open(&at).await);
    index.refresh(&client, false).await.unwrap();
    service.take_requests();
    let asks = (0..10).map(|_| {
        let (index, client) = (Arc::clone(&index), client.clone());
        tokio::spawn(async move { index.refresh(&client, false).await.unwrap() })
    });
    for ask in asks.collect::<Vec<_>>() {
        ask.await.unwrap();
    }
    // One that was under way when the others came, and one that was begun after they had come.
    assert!(service.take_requests().len() <= 2 * 4);
}

#[derive(Debug, Clone)]
enum Step {
    PutFolder(u128, Option<u128>),
    PutFile(u128, Option<u128>, u8),
    DeleteFile(u128),
    DeleteFolder(u128),
    Look,
}

fn place() -> impl Strategy<Value = Option<u128>> {
    prop_oneof![Just(None), (1_u128..6).prop_map(Some)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (1_u128..6, place()).prop_map(|(id, parent)| Step::PutFolder(id, parent)),
        4 => (10_u128..30, place(), 0_u8..5).prop_map(|(id, folder, name)| Step::PutFile(id, folder, name)),
        2 => (10_u128..30).prop_map(Step::DeleteFile),
        1 => (1_u128..6).prop_map(Step::DeleteFolder),
        2 => Just(Step::Look),
    ]
}

fn is_possible(service: &Service, step: &Step) -> bool {
    let folders = lock(&service.folders);
    let is_there = |folder: Option<u128>| folder.is_none_or(|folder| folders.contains_key(&folder));
    match step {
        Step::PutFolder(id, parent) => {
            // Not into itself.
            let mut at = *parent;
            while let Some(above) = at {
                if above == *id {
                    return false;
                }
                at = folders.get(&above).and_then(|item| item.parent);
            }
            is_there(*parent)
        }
        Step::PutFile(_, folder, _) => is_there(*folder),
        Step::DeleteFile(_) | Step::DeleteFolder(_) | Step::Look => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_happened_a_thorough_look_shows_it(steps in proptest::collection::vec(step(), 1..40), is_silent in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let at = TempDir::new().unwrap();
            let (service, client) = Service::start(is_silent).await;
            let index = open(&at).await;
            for step in steps {
                if !is_possible(&service, &step) {
                    continue;
                }
                match step {
                    Step::PutFolder(id, parent) => service.put_folder(id, parent, &format!("d{id}")),
                    Step::PutFile(id, folder, name) => service.put_file(id, folder, &format!("n{name}")),
                    Step::DeleteFile(id) => service.delete_file(id),
                    Step::DeleteFolder(id) => service.delete_folder(id),
                    Step::Look => index.refresh(&client, false).await.unwrap(),
                }
            }
            index.refresh(&client, true).await.unwrap();
            check(&index, &service, &client).await;
        });
    }
}
