//! Specification, "Identifiers", "Scopes" and "Differences between versions" (lists); contract, "Canvases and export", "Drive"
//! and "Ids", what they say of canvases.

use std::collections::BTreeSet;

use easel_tests::http::Http;
use serde_json::{Value, json};

use crate::service::{Service, all_folders, create_folder, list, names, text, unused_id, upload, uuid_of};
use crate::tasks::{finish, start};

/// A new design of two pages, by its id.
pub async fn canvas(http: &Http, name: &str) -> String {
    let body = json!({"prompt": "A deck about bread", "canvas_name": name, "number_of_slides": 2});
    text(&finish(http, &start(http, &body).await).await["result"]["canvas_id"])
}

/// A copy of a canvas, by its id.
pub async fn copy(http: &Http, canvas: &str, name: &str) -> String {
    let task = http.post("/v1/remix", &json!({"canvas_id": canvas, "new_name": name})).await.expect(201);
    text(&task["result"]["canvas_id"])
}

async fn get(http: &Http, canvas: &str) -> Value {
    http.get(&format!("/v1/canvases/{canvas}")).await.expect(200)
}

fn fields(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The names of a legacy page.
#[track_caller]
fn legacy_names(page: &Value) -> Vec<String> {
    page["canvases"].as_array().expect("canvases").iter().map(|canvas| text(&canvas["name"])).collect()
}

#[tokio::test]
async fn a_canvas_has_every_field_of_its_record_in_both_versions() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread").await;
    let record = get(http, &id).await;
    let expected = "id name url category visibility folder_id source_canvas_id page_count width height thumbnail_url \
                    created_at updated_at";
    assert_eq!(fields(&record), expected.split_whitespace().collect());
    assert!(id.starts_with("cvs_"));
    assert_eq!((&record["id"], &record["name"]), (&json!(id), &json!("Bread")));
    assert_eq!((&record["category"], &record["visibility"]), (&json!("slides"), &json!("team")));
    assert_eq!((&record["folder_id"], &record["source_canvas_id"]), (&Value::Null, &Value::Null));
    assert_eq!(record["page_count"], 2);
    assert!(record["width"].as_u64() > Some(0) && record["height"].as_u64() > Some(0), "{record}");
    for moment in ["created_at", "updated_at"] {
        assert!(text(&record[moment]).ends_with("+00:00"), "{record}");
    }
    assert_eq!(service.legacy().get(&format!("/v1/canvases/{id}")).await.expect(200), record);
    assert_eq!(list(&http.get("/v1/canvases").await), [record]);
    let copied = copy(http, &id, "Copy").await;
    assert_eq!(get(http, &copied).await["source_canvas_id"], json!(id));
}

#[tokio::test]
async fn differences_between_versions_a_list_is_by_creation_or_by_change() {
    let service = Service::start();
    let (http, legacy) = (&service.http, service.legacy());
    let first = canvas(http, "One").await;
    for name in ["Two", "Three", "Four"] {
        copy(http, &first, name).await;
    }
    http.patch(&format!("/v1/canvases/{first}"), &json!({"name": "First"})).await.is(200);
    assert_eq!(names(&http.get("/v1/canvases").await), ["Four", "Three", "Two", "First"]);
    let page = legacy.get("/v1/canvases").await.expect(200);
    assert_eq!(legacy_names(&page), ["First", "Four", "Three", "Two"]);
    assert_eq!(names(&http.get("/v1/canvases/search?query=o").await), ["Four", "Two"]);
    http.patch(&format!("/v1/canvases/{first}"), &json!({"name": "The old one"})).await.is(200);
    let page = legacy.get("/v1/canvases/search?query=o").await.expect(200);
    assert_eq!(legacy_names(&page), ["The old one", "Four", "Two"]);
}

#[tokio::test]
async fn differences_between_versions_a_list_has_cursors_or_offsets() {
    let service = Service::start();
    let (http, legacy) = (&service.http, service.legacy());
    let first = canvas(http, "1").await;
    for number in 2..=5 {
        copy(http, &first, &number.to_string()).await;
    }
    for path in ["/v1/canvases?limit=2", "/v1/canvases/search?query=1&limit=2"] {
        let page = http.get(path).await.expect(200);
        assert_eq!(fields(&page), ["data", "next_cursor", "has_more"].into(), "{path}");
        let page = legacy.get(path).await.expect(200);
        assert_eq!(fields(&page), ["canvases", "total", "limit", "offset", "has_more"].into(), "{path}");
    }
    let mut seen = Vec::new();
    let mut path = "/v1/canvases?limit=2".to_owned();
    loop {
        let page = http.get(&path).await.expect(200);
        assert_eq!(page["has_more"], !page["next_cursor"].is_null());
        seen.extend(page["data"].as_array().unwrap().iter().map(|canvas| text(&canvas["name"])));
        // What comes while the list is walked moves nothing.
        copy(http, &first, "new").await;
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/v1/canvases?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(seen, ["5", "4", "3", "2", "1"]);
    let page = legacy.get("/v1/canvases?limit=2&offset=7").await.expect(200);
    assert_eq!((&page["total"], &page["limit"], &page["offset"]), (&json!(8), &json!(2), &json!(7)));
    assert_eq!((legacy_names(&page).len(), &page["has_more"]), (1, &json!(false)));
}

#[tokio::test]
async fn a_list_takes_20_by_default_and_at_most_100_and_its_cursor_is_its_own() {
    let service = Service::start();
    let http = &service.http;
    let first = canvas(http, "first").await;
    for _ in 0..20 {
        copy(http, &first, "copy").await;
    }
    let page = http.get("/v1/canvases").await.expect(200);
    assert_eq!(page["data"].as_array().map(Vec::len), Some(20));
    assert_eq!(list(&http.get("/v1/canvases?limit=100").await).len(), 21);
    for wrong in ["limit=0", "limit=101", "limit=x"] {
        assert_eq!(http.get(&format!("/v1/canvases?{wrong}")).await.invalid_fields(), ["limit"], "{wrong}");
    }
    assert_eq!(service.legacy().get("/v1/canvases?offset=-1").await.invalid_fields(), ["offset"]);
    let cursor = text(&page["next_cursor"]);
    for elsewhere in [
        format!("/v1/canvases?folder_id=root&cursor={cursor}"),
        format!("/v1/canvases/search?query=copy&cursor={cursor}"),
        format!("/v1/tasks?cursor={cursor}"),
        format!("/v1/canvases?cursor={cursor}A"),
        format!("/v1/canvases?cursor=A{cursor}"),
    ] {
        http.get(&elsewhere).await.error(400, "invalid_request", "invalid_request");
    }
    assert_eq!(names(&http.get(&format!("/v1/canvases?cursor={cursor}")).await), ["first"]);
}

#[tokio::test]
async fn the_folder_filter_takes_an_id_in_either_form() {
    let service = Service::start();
    let http = &service.http;
    let (folder, empty) = (create_folder(http, "Bakery", None).await, create_folder(http, "Empty", None).await);
    let inside = canvas(http, "Inside").await;
    copy(http, &inside, "Outside").await;
    http.post(&format!("/v1/drive/items/{inside}/move"), &json!({"folder_id": folder})).await.is(200);
    let check = async |filter: &str, expected: &[&str]| {
        let found = names(&http.get(&format!("/v1/canvases?folder_id={filter}")).await);
        assert_eq!(found, expected, "{filter}");
        let page = service.legacy().get(&format!("/v1/canvases?folder_id={filter}")).await.expect(200);
        assert_eq!(page["total"], expected.len(), "{filter}");
    };
    check(&folder, &["Inside"]).await;
    check(&uuid_of(&folder).to_string(), &["Inside"]).await;
    check("root", &["Outside"]).await;
    check(&empty, &[]).await;
    let missing = http.get(&format!("/v1/canvases?folder_id={}", unused_id("fld"))).await;
    missing.error(404, "not_found", "folder_not_found");
    for wrong in [inside.as_str(), "nonsense", ""] {
        let answer = http.get(&format!("/v1/canvases?folder_id={wrong}")).await;
        assert_eq!(answer.invalid_fields(), ["folder_id"], "{wrong}");
    }
}

#[tokio::test]
async fn a_search_finds_names_that_hold_every_word_without_regard_to_case() {
    let service = Service::start();
    let http = &service.http;
    let first = canvas(http, "Brot und Käse").await;
    for name in ["KÄSE 100%", "Ka\u{308}sebrot", "Butter_milch"] {
        copy(http, &first, name).await;
    }
    let check = async |query: &str, expected: &[&str]| {
        assert_eq!(names(&http.get(&format!("/v1/canvases/search?query={query}")).await), expected, "{query}");
    };
    check("k%C3%A4se", &["Ka\u{308}sebrot", "KÄSE 100%", "Brot und Käse"]).await;
    check("k%C3%84SE%20brot", &["Ka\u{308}sebrot", "Brot und Käse"]).await;
    check("%25", &["KÄSE 100%"]).await;
    check("_", &["Butter_milch"]).await;
    check("wurst", &[]).await;
    check("'%20OR%20''='", &[]).await;
    for wrong in ["", "?query=", "?query=%20", &format!("?query={}", "x".repeat(256))] {
        assert_eq!(http.get(&format!("/v1/canvases/search{wrong}")).await.invalid_fields(), ["query"], "{wrong}");
    }
}

#[tokio::test]
async fn a_search_takes_its_words_as_query_or_as_q_and_never_two_of_them() {
    let service = Service::start();
    let http = &service.http;
    canvas(http, "Brot und Käse").await;
    let search = async |query: &str| http.get(&format!("/v1/canvases/search?{query}")).await;
    for query in ["query=brot", "q=brot", "q=brot&query=brot", "query=brot&q=brot"] {
        assert_eq!(names(&search(query).await), ["Brot und Käse"], "{query}");
    }
    for query in ["q=", "q=%20", "q=wurst&query=brot", "query=brot&q="] {
        assert_eq!(search(query).await.invalid_fields(), ["q"], "{query}");
    }
}

#[tokio::test]
async fn identifiers_a_canvas_is_named_by_either_form_and_by_no_other() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread").await;
    let file = text(&upload(http, "a", b"a").await["file_id"]);
    for form in [id.clone(), id.to_lowercase(), uuid_of(&id).to_string()] {
        assert_eq!(get(http, &form).await["id"], json!(id), "{form}");
    }
    for other in [unused_id("cvs"), file, "nonsense".to_owned(), uuid_of(&unused_id("cvs")).to_string()] {
        for path in ["", "/pages"] {
            let answer = http.get(&format!("/v1/canvases/{other}{path}")).await;
            answer.error(404, "not_found", "canvas_not_found");
        }
        let answer = http.patch(&format!("/v1/canvases/{other}"), &json!({"name": "x"})).await;
        answer.error(404, "not_found", "canvas_not_found");
    }
}

#[tokio::test]
async fn the_pages_of_a_canvas_are_numbered_from_1() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread").await;
    let record = get(http, &id).await;
    let pages = http.get(&format!("/v1/canvases/{id}/pages")).await.expect(200);
    assert_eq!(fields(&pages), ["canvas_name", "total_pages", "pages"].into());
    assert_eq!((&pages["canvas_name"], &pages["total_pages"]), (&json!("Bread"), &json!(2)));
    let all = pages["pages"].as_array().unwrap();
    assert_eq!(all.len(), 2);
    for (number, page) in (1..).zip(all) {
        assert_eq!(fields(page), ["page_number", "name", "width", "height", "node_count"].into());
        assert_eq!(page["page_number"], number);
        assert!(page["node_count"].as_u64() > Some(0) && page["name"].is_string(), "{page}");
        assert_eq!((&page["width"], &page["height"]), (&record["width"], &record["height"]));
    }
    assert_eq!(service.legacy().get(&format!("/v1/canvases/{id}/pages")).await.expect(200), pages);
}

#[tokio::test]
async fn a_rename_answers_the_record_and_refuses_what_is_no_name_or_is_taken() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Bakery", None).await;
    let id = canvas(http, "Bread").await;
    let other = copy(http, &id, "Rolls").await;
    let before = get(http, &id).await;
    let path = format!("/v1/canvases/{id}");
    let renamed = http.patch(&path, &json!({"name": "Loaf"})).await.expect(200);
    assert_eq!(renamed["name"], "Loaf");
    assert!(text(&renamed["updated_at"]) > text(&before["updated_at"]));
    assert_eq!(renamed["created_at"], before["created_at"]);
    assert_eq!(get(http, &id).await, renamed);
    for own in ["Loaf", "LOAF"] {
        http.patch(&path, &json!({"name": own})).await.is(200);
    }
    let taken = http.patch(&path, &json!({"name": "rolls"})).await;
    assert_eq!(taken.error(409, "conflict", "canvas_name_conflict")["details"]["existing_id"], json!(other));
    http.patch(&path, &json!({"name": "Bakery"})).await.is(200);
    for body in
        [json!({"name": ""}), json!({"name": "a/b"}), json!({"name": "x".repeat(256)}), json!({}), json!({"name": 7})]
    {
        assert_eq!(http.patch(&path, &body).await.invalid_fields(), ["name"], "{body}");
    }
    assert_eq!(http.patch(&path, &json!({"name": "a", "folder_id": folder})).await.invalid_fields(), ["folder_id"]);
    http.json(http::Method::PATCH, &path, "{").await.error(400, "invalid_request", "invalid_request");
    assert_eq!(get(http, &id).await["name"], "Bakery");
}

#[tokio::test]
async fn a_canvas_is_moved_renamed_hidden_counted_and_deleted_like_every_drive_item() {
    let service = Service::start();
    let (http, member) = (&service.http, service.member("one@example.test"));
    let folder = create_folder(http, "Bakery", None).await;
    let id = canvas(http, "Bread").await;
    let (item, updated_at) = (format!("/v1/drive/items/{id}"), text(&all_folders(http).await[0]["updated_at"]));
    let counts = async |http: &Http| all_folders(http).await[0]["canvas_count"].clone();
    assert_eq!(counts(http).await, 0);
    let moved = http.post(&format!("{item}/move"), &json!({"folder_id": folder})).await.expect(200);
    assert_eq!((&moved["operation"], &moved["committed"]), (&json!("move"), &json!(true)));
    assert_eq!((&moved["item"]["id"], &moved["item"]["kind"]), (&json!(id), &json!("canvas")));
    assert_eq!(moved["item"]["folder_id"], json!(folder));
    assert_eq!((counts(http).await, counts(&member).await), (json!(1), json!(1)));
    assert!(text(&all_folders(http).await[0]["updated_at"]) > updated_at, "it moves with every change to a child");
    http.delete(&format!("/v1/drive/items/{folder}")).await.error(409, "conflict", "folder_not_empty");

    let renamed = http.patch(&item, &json!({"name": "Loaf"})).await.expect(200);
    assert_eq!((&renamed["operation"], &renamed["item"]["name"]), (&json!("rename"), &json!("Loaf")));
    let other = copy(http, &id, "Rolls").await;
    let taken = http.patch(&format!("/v1/drive/items/{other}"), &json!({"name": "LOAF"})).await;
    assert_eq!(taken.error(409, "conflict", "canvas_name_conflict")["details"]["existing_id"], json!(id));
    http.delete(&format!("/v1/drive/items/{other}")).await.is(200);

    http.patch(&item, &json!({"visibility": "private"})).await.is(200);
    assert_eq!((counts(http).await, counts(&member).await), (json!(1), json!(0)));
    for path in ["", "/pages"] {
        member.get(&format!("/v1/canvases/{id}{path}")).await.error(404, "not_found", "canvas_not_found");
    }
    member.patch(&format!("/v1/canvases/{id}"), &json!({"name": "x"})).await.error(
        404,
        "not_found",
        "canvas_not_found",
    );
    assert!(list(&member.get("/v1/canvases").await).is_empty());
    assert!(list(&member.get("/v1/canvases/search?query=loaf").await).is_empty());
    member.post("/v1/remix", &json!({"canvas_id": id})).await.error(404, "not_found", "canvas_not_found");
    assert_eq!(get(http, &id).await["visibility"], "private");

    let deleted = http.delete(&item).await.expect(200);
    assert_eq!((&deleted["operation"], &deleted["item"]["id"]), (&json!("delete"), &json!(id)));
    http.get(&format!("/v1/canvases/{id}")).await.error(404, "not_found", "canvas_not_found");
    http.delete(&item).await.error(404, "not_found", "canvas_not_found");
    assert_eq!(counts(http).await, 0);
    http.delete(&format!("/v1/drive/items/{folder}")).await.is(200);
}

#[tokio::test]
async fn drive_items_need_the_prefixed_form_of_a_canvas() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread").await;
    let bare = format!("/v1/drive/items/{}", uuid_of(&id));
    let error = http.patch(&bare, &json!({"name": "x"})).await.error(422, "unprocessable", "validation_failed");
    assert!(text(&error["message"]).contains("cvs_"), "{error}");
    http.delete(&bare).await.error(422, "unprocessable", "validation_failed");
    assert_eq!(get(http, &id).await["name"], "Bread");
}

#[tokio::test]
async fn a_thumbnail_is_a_signed_picture_that_needs_no_key() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread").await;
    let url = text(&get(http, &id).await["thumbnail_url"]);
    let picture = http.get_url(&url, &[]).await;
    picture.is(200);
    assert_eq!(
        (picture.header("content-type"), &picture.body[..8]),
        (Some("image/png"), b"\x89PNG\r\n\x1a\n".as_slice())
    );
    assert!(url.starts_with(&service.studio.upload_url));
    let other = copy(http, &id, "Copy").await;
    let id_in_url = url.replace(&id, &other);
    let later = url.replace("expires=1", "expires=2");
    let unsigned = url.split('?').next().unwrap().to_owned();
    for forged in [id_in_url, later, unsigned] {
        let refused = http.get_url(&forged, &[]).await;
        assert_eq!(
            (refused.status.as_u16(), refused.storage_code().as_str()),
            (403, "SignatureDoesNotMatch"),
            "{forged}"
        );
    }
    http.delete(&format!("/v1/drive/items/{id}")).await.is(200);
    let gone = http.get_url(&url, &[]).await;
    assert_eq!((gone.status.as_u16(), gone.storage_code().as_str()), (404, "NoSuchKey"));
    let url = text(&get(http, &other).await["thumbnail_url"]);
    http.get_url(&url, &[]).await.is(200);
}

#[tokio::test]
async fn the_page_at_the_url_names_the_canvas_and_shows_no_content_without_a_key() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread & <b>butter<").await;
    let record = get(http, &id).await;
    let page = service.anonymous().get_url(&text(&record["url"]), &[]).await;
    page.is(200);
    let html = String::from_utf8(page.body.to_vec()).unwrap();
    assert!(page.header("content-type").is_some_and(|kind| kind.starts_with("text/html")), "{page:?}");
    assert!(html.contains("Bread &amp; &lt;b&gt;butter&lt;") && !html.contains("<b>"), "{html}");
    assert!(html.contains(&format!("easel://canvas/{id}")) && html.contains("Open in Easel"), "{html}");
    // Easel knows a service by its host and port, and takes nothing else for one (easel-app, `links`).
    let link = format!("easel://canvas/{id}?service=127%2E0%2E0%2E1%3A");
    assert!(html.contains(&link) && !html.contains("service=http"), "{html}");
    assert!(!html.contains("<img") && !html.contains("<script") && !html.contains("signature="), "{html}");
    http.patch(&format!("/v1/drive/items/{id}"), &json!({"visibility": "private"})).await.is(200);
    let hidden = service.anonymous().get_url(&text(&record["url"]), &[]).await;
    assert!(!String::from_utf8_lossy(&hidden.body).contains("Bread"), "{hidden:?}");
    let missing = service.anonymous().get(&format!("/open/{}", unused_id("cvs"))).await;
    missing.error(404, "not_found", "canvas_not_found");
}
