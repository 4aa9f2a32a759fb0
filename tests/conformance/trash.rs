//! Contract, "Drive": the trash, for what is more than a file or a folder: designs, and pictures that a brand kit shows.
//!
//! Not here: files and folders, whose trash is tested beside it on a clock that a test moves.

use easel_tests::http::{Form, Http};
use serde_json::{Value, json};

use crate::canvases::canvas;
use crate::service::{Service, list, text};

/// The smallest picture that is one: an SVG of nothing.
const PICTURE: &[u8] = br#"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#;

async fn throw_away(http: &Http, item: &str) {
    http.delete(&format!("/v1/drive/items/{item}")).await.is(200);
}

async fn restore(http: &Http, item: &str) -> Value {
    http.post(&format!("/v1/drive/trash/{item}/restore"), &Value::Null).await.expect(200)["item"].clone()
}

async fn picture(http: &Http, name: &str) -> String {
    let form = Form::new().file("file", name, "image/svg+xml", PICTURE);
    text(&http.post_form("/v1/uploads", &form).await.success()["file_id"])
}

#[tokio::test]
async fn a_design_comes_back_from_the_trash_with_its_pages_and_is_gone_for_good_only_when_asked() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread").await;
    let path = format!("/v1/canvases/{id}");
    let before = http.get(&path).await.expect(200);
    let pages = http.get(&format!("{path}/pages")).await.expect(200);
    throw_away(http, &id).await;
    http.get(&path).await.error(404, "not_found", "canvas_not_found");
    assert!(list(&http.get("/v1/canvases").await).is_empty());
    let entries = list(&http.get("/v1/drive/trash").await);
    let told = ["id", "kind", "name", "canvas_count"].map(|field| entries[0][field].clone());
    assert_eq!(told, [json!(id), json!("canvas"), json!("Bread"), json!(1)]);
    assert_eq!(entries.len(), 1);

    let back = restore(http, &id).await;
    assert_eq!((&back["id"], &back["name"]), (&json!(id), &json!("Bread")));
    let after = http.get(&path).await.expect(200);
    for field in ["id", "name", "category", "page_count", "width", "height", "created_at", "folder_id"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(http.get(&format!("{path}/pages")).await.expect(200), pages);
    let thumbnail = reqwest::get(text(&after["thumbnail_url"])).await.expect("its thumbnail");
    assert_eq!(thumbnail.status(), 200);

    // Another member sees it in the trash and does not destroy it: somebody else made it.
    throw_away(http, &id).await;
    let member = service.member("ada@example.test");
    let entry = format!("/v1/drive/trash/{id}");
    assert_eq!(list(&member.get("/v1/drive/trash").await).len(), 1);
    member.delete(&entry).await.is(403);
    http.delete(&entry).await.is(200);
    let again = http.post(&format!("{entry}/restore"), &Value::Null).await;
    again.error(404, "not_found", "canvas_not_found");
}

#[tokio::test]
async fn a_logo_that_comes_back_from_the_trash_is_in_its_kit_again() {
    let service = Service::start();
    let http = &service.http;
    let kit = text(&http.post("/v1/brand-kits", &json!({"title": "A"})).await.expect(201)["id"]);
    let path = format!("/v1/brand-kits/{kit}");
    let logo = picture(http, "logo.svg").await;
    let body = json!({"file_id": logo, "role": "logo", "label": "Wide"});
    let before = http.post(&format!("{path}/images"), &body).await.expect(201)["logos"].clone();
    assert_eq!(before[0]["images"][0]["file_id"], logo.as_str());

    throw_away(http, &logo).await;
    assert_eq!(http.get(&path).await.expect(200)["logos"], json!([]));
    restore(http, &logo).await;
    assert_eq!(http.get(&path).await.expect(200)["logos"], before);

    // With the folder that it lay in.
    let folder = http.post("/v1/drive/folders", &json!({"name": "Brand"})).await.success();
    let folder = text(&folder["folder"]["id"]);
    http.post(&format!("/v1/drive/items/{logo}/move"), &json!({"folder_id": folder})).await.is(200);
    http.delete(&format!("/v1/drive/items/{folder}?recursive=true")).await.is(200);
    restore(http, &folder).await;
    assert_eq!(http.get(&path).await.expect(200)["logos"], before);

    // Who settles the images of a kit meanwhile has the last word.
    throw_away(http, &logo).await;
    http.patch(&path, &json!({"logos": []})).await.is(200);
    restore(http, &logo).await;
    assert_eq!(http.get(&path).await.expect(200)["logos"], json!([]));

    // A kit that is gone by then is not asked for.
    http.post(&format!("{path}/images"), &body).await.is(201);
    throw_away(http, &logo).await;
    http.delete(&path).await;
    restore(http, &logo).await;
}
