//! Canvases over HTTP, on a real data folder, with a clock that moves only when told to.

use std::time::Duration;

use easel_wire::Scope;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Value, json};

use crate::core::names::Name;
use crate::db::Viewer;
use crate::db::canvases::{Drawn, NewCanvas, PageRow, insert_canvas};
use crate::fixture::{Answer, Fixture, VERSION_HEADER};
use crate::studio::callers::AsOf;
use crate::wire::drive::Visibility;
use crate::wire::tasks::Category;

const CANONICAL: (&str, &str) = (VERSION_HEADER, "2026-05-01");
const LEGACY: (&str, &str) = (VERSION_HEADER, "2026-04-12");

struct Service {
    fixture: Fixture,
    _folder: tempfile::TempDir,
}

impl Service {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        fixture.add_key("owner", Scope::KNOWN).await;
        Self { fixture, _folder: folder }
    }

    async fn ask(&self, version: (&str, &str), method: Method, path: &str, body: Value) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.fixture.ask(&method, path, &[("authorization", "Bearer owner"), version], body).await
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.ask(CANONICAL, Method::GET, path, Value::Null).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    async fn names(&self, version: (&str, &str), path: &str) -> Vec<String> {
        let body = self.ask(version, Method::GET, path, Value::Null).await.json();
        let items = body.get("data").or_else(|| body.get("canvases")).and_then(Value::as_array).unwrap().clone();
        items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    }

    /// A canvas of the owner at the top, a second after the one before.
    async fn canvas(&self, name: &str, visibility: Visibility) -> String {
        let studio = &self.fixture.studio;
        self.fixture.clock.advance(Duration::from_secs(1));
        let owner = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static("Bearer owner"))]);
        let viewer = Viewer::from(
            &studio.callers.authenticate(&owner, AsOf::now(&studio.db), studio.clock.now()).await.unwrap().0,
        );
        let mut tx = studio.db.begin().await.unwrap();
        let pages = ["Cover", "Numbers"].map(|name| PageRow {
            name: name.to_owned(),
            width: 1920,
            height: 1080,
            node_count: 3,
        });
        let drawn = Drawn {
            category: Category::Slides,
            document_hash: [1; 32],
            thumbnail_hash: Some([2; 32]),
            pages: pages.to_vec(),
        };
        let canvas = NewCanvas {
            id: studio.new_id(),
            name: Name::parse(name).unwrap(),
            folder_id: None,
            visibility,
            source_canvas_id: None,
            conversation_id: studio.new_id(),
            drawn,
        };
        let canvas = insert_canvas(&mut tx, viewer, canvas, studio.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        canvas.id.to_string()
    }
}

#[tokio::test]
async fn each_version_has_its_own_order() {
    let service = Service::new().await;
    let mut ids = Vec::new();
    for name in ["One", "Two", "Three"] {
        ids.push(service.canvas(name, Visibility::Team).await);
    }
    service.fixture.clock.advance(Duration::from_secs(1));
    let path = format!("/v1/canvases/{}", ids[0]);
    assert_eq!(service.ask(CANONICAL, Method::PATCH, &path, json!({"name": "First"})).await.status, 200);
    assert_eq!(service.names(CANONICAL, "/v1/canvases").await, ["Three", "Two", "First"]);
    assert_eq!(service.names(LEGACY, "/v1/canvases").await, ["First", "Three", "Two"]);
    assert_eq!(service.names(LEGACY, "/v1/canvases?limit=1&offset=1").await, ["Three"]);
    let legacy = service.ask(LEGACY, Method::GET, "/v1/canvases?limit=2", Value::Null).await.json();
    assert_eq!((&legacy["total"], &legacy["has_more"], &legacy["offset"]), (&json!(3), &json!(true), &json!(0)));
    let first = service.get("/v1/canvases?limit=2").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    assert_eq!(service.names(CANONICAL, &format!("/v1/canvases?limit=2&cursor={cursor}")).await, ["First"]);
}

#[tokio::test]
async fn a_search_finds_every_word_and_no_pattern() {
    let service = Service::new().await;
    for name in ["Big bread", "Bread 100%", "under_score", "wow!"] {
        service.canvas(name, Visibility::Team).await;
    }
    let check = async |query: &str, expected: &[&str]| {
        let path = format!("/v1/canvases/search?query={query}");
        assert_eq!(service.names(CANONICAL, &path).await, expected, "{query}");
        let legacy = service.ask(LEGACY, Method::GET, &path, Value::Null).await.json();
        assert_eq!(legacy["total"], expected.len(), "{query}");
    };
    check("BREAD", &["Bread 100%", "Big bread"]).await;
    check("ead%20big", &["Big bread"]).await;
    check("%25", &["Bread 100%"]).await;
    check("_", &["under_score"]).await;
    check("!", &["wow!"]).await;
    check("butter", &[]).await;
}

#[tokio::test]
async fn the_page_of_a_canvas_names_it_to_everyone_unless_it_is_private() {
    let service = Service::new().await;
    let id = service.canvas("Deck <1>", Visibility::Team).await;
    let hidden = service.canvas("Secret", Visibility::Private).await;
    let url = service.get(&format!("/v1/canvases/{id}")).await["url"].as_str().unwrap().to_owned();
    let path = url.strip_prefix("http://127.0.0.1:1").unwrap();
    let page = service.fixture.ask(&Method::GET, path, &[], String::new()).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("Deck &lt;1&gt;") && page.text().contains(&format!("easel://canvas/{id}")));
    assert!(!page.text().contains("Cover") && !page.text().contains("signature"), "no content");
    let page = service.fixture.ask(&Method::GET, &format!("/open/{hidden}"), &[], String::new()).await;
    assert!(page.status == 200 && !page.text().contains("Secret"));
    let gone = service.fixture.ask(&Method::GET, "/open/cvs_00000000000000000000000000", &[], String::new()).await;
    assert_eq!((gone.status.as_u16(), &gone.json()["error"]["code"]), (404, &json!("canvas_not_found")));
}

#[tokio::test]
async fn a_thumbnail_url_lasts_an_hour_and_belongs_to_one_picture() {
    let service = Service::new().await;
    let id = service.canvas("Deck", Visibility::Team).await;
    let url = service.get(&format!("/v1/canvases/{id}")).await["thumbnail_url"].as_str().unwrap().to_owned();
    let get = async |url: &str| {
        let answer = service.fixture.ask_storage(&Method::GET, url, &[], String::new()).await;
        (answer.status.as_u16(), answer.text())
    };
    // The row names a picture that was never stored here: the signature was right, and there is nothing.
    assert!(get(&url).await.1.contains("NoSuchKey"));
    let other = url.replace("0202", "0303");
    assert!(get(&other).await.1.contains("SignatureDoesNotMatch"));
    service.fixture.clock.advance(Duration::from_secs(3_600));
    assert!(get(&url).await.1.contains("NoSuchKey"));
    service.fixture.clock.advance(Duration::from_secs(3_601));
    assert!(get(&url).await.1.contains("ExpiredUrl"));
}
