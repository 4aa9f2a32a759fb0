//! Contract, "Brand kits"; specification, "Other records" and "Differences between versions".

use easel_tests::http::{Form, Http};
use easel_tests::studio::Options;
use serde_json::{Value, json};

use crate::service::{Service, list, text, unused_id, upload, uuid_of};

/// The smallest picture that is one: a PNG of a single pixel.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0,
    0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0, 5,
    0, 1, 0xff, 0x89, 0x99, 0x3d, 0x1d, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

async fn create(http: &Http, title: &str) -> Value {
    http.post("/v1/brand-kits", &json!({"title": title})).await.expect(201)
}

async fn upload_picture(http: &Http, name: &str) -> String {
    let form = Form::new().file("file", name, "image/png", PIXEL);
    text(&http.post_form("/v1/uploads", &form).await.success()["file_id"])
}

#[tokio::test]
async fn a_kit_is_created_read_changed_and_deleted() {
    let service = Service::start();
    let http = &service.http;
    let body = json!({
        "title": "Acme", "company_name": "Acme Ltd", "company_url": "https://acme.example/", "tagline": "We do.",
        "colors": [{"color": "#FF0000", "label": "primary"}, {"color": "#000000"}],
        "fonts": [{"family": "Inter", "label": "heading", "weight": 700}],
    });
    let kit = http.post("/v1/brand-kits", &body).await.expect(201);
    let id = text(&kit["id"]);
    assert!(id.starts_with("bk_"), "{id}");
    let mut fields: Vec<&str> = kit.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let expected = [
        "colors",
        "company_name",
        "company_url",
        "created_at",
        "fonts",
        "id",
        "is_default",
        "logos",
        "tagline",
        "title",
        "updated_at",
    ];
    assert_eq!(fields, expected);
    assert_eq!(kit["colors"], json!([{"color": "#ff0000", "label": "primary"}, {"color": "#000000", "label": null}]));
    assert_eq!(kit["fonts"], json!([{"family": "Inter", "label": "heading", "weight": 700}]));
    assert_eq!((&kit["title"], &kit["company_name"], &kit["logos"]), (&json!("Acme"), &json!("Acme Ltd"), &json!([])));
    let path = format!("/v1/brand-kits/{id}");
    assert_eq!(http.get(&path).await.expect(200), kit);
    assert_eq!(http.get(&format!("/v1/brand-kits/{}", uuid_of(&id))).await.expect(200), kit);

    let changed = http.patch(&path, &json!({"title": "Acme 2", "tagline": "", "company_name": null})).await.expect(200);
    assert_eq!((&changed["title"], &changed["tagline"]), (&json!("Acme 2"), &json!(null)));
    assert_eq!(changed["company_name"], "Acme Ltd", "null means absent");
    assert_eq!(changed["created_at"], kit["created_at"]);
    assert!(text(&changed["updated_at"]) > text(&kit["updated_at"]));

    assert_eq!(http.delete(&path).await.expect(200)["id"], id.as_str());
    for gone in [http.get(&path).await, http.delete(&path).await, http.patch(&path, &json!({})).await] {
        gone.error(404, "not_found", "brand_kit_not_found");
    }
}

#[tokio::test]
async fn a_patch_replaces_an_array_whole() {
    let service = Service::start();
    let body =
        json!({"title": "A", "colors": [{"color": "#111111"}, {"color": "#222222"}], "fonts": [{"family": "F"}]});
    let kit = service.http.post("/v1/brand-kits", &body).await.expect(201);
    let path = format!("/v1/brand-kits/{}", text(&kit["id"]));
    let changed = service.http.patch(&path, &json!({"colors": [{"color": "#333333"}]})).await.expect(200);
    assert_eq!(changed["colors"], json!([{"color": "#333333", "label": null}]));
    assert_eq!(changed["fonts"], kit["fonts"]);
    assert_eq!(service.http.patch(&path, &json!({"colors": []})).await.expect(200)["colors"], json!([]));
}

#[tokio::test]
async fn team_id_is_in_the_old_version_and_not_in_the_new_one() {
    let service = Service::start();
    let team = service.http.get("/v1/whoami").await.expect(200)["team"]["id"].clone();
    let kit = create(&service.http, "A").await;
    assert!(kit.get("team_id").is_none());
    let path = format!("/v1/brand-kits/{}", text(&kit["id"]));
    assert_eq!(service.legacy().get(&path).await.expect(200)["team_id"], team);
    let page = service.legacy().get("/v1/brand-kits").await.expect(200);
    assert_eq!((&page["brand_kits"][0]["team_id"], &page["total"]), (&team, &json!(1)));
    assert!(list(&service.http.get("/v1/brand-kits").await)[0].get("team_id").is_none());
}

#[tokio::test]
async fn lists_go_by_cursor_in_the_new_version_and_by_offset_in_the_old_one_the_newest_first() {
    let service = Service::start();
    for title in ["1", "2", "3", "4", "5"] {
        create(&service.http, title).await;
    }
    let titles =
        |items: &Value| -> Vec<String> { items.as_array().unwrap().iter().map(|item| text(&item["title"])).collect() };
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = service.http.get(&format!("/v1/brand-kits?limit=2{cursor}")).await.expect(200);
        seen.extend(titles(&page["data"]));
        assert_eq!(page["has_more"], json!(!page["next_cursor"].is_null()));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ["5", "4", "3", "2", "1"]);
    let page = service.legacy().get("/v1/brand-kits?limit=2&offset=3").await.expect(200);
    assert_eq!((titles(&page["brand_kits"]), &page["total"]), (vec!["2".to_owned(), "1".to_owned()], &json!(5)));
    service.http.get("/v1/brand-kits?cursor=forged").await.error(400, "invalid_request", "invalid_request");
}

#[tokio::test]
async fn the_first_kit_of_a_team_is_its_default_and_one_always_is() {
    let service = Service::start();
    let http = &service.http;
    let defaults = || async {
        let kits = list(&http.get("/v1/brand-kits").await);
        let found = kits.iter().filter(|kit| kit["is_default"] == true).map(|kit| text(&kit["title"]));
        found.collect::<Vec<_>>()
    };
    let first = create(http, "first").await;
    let second = create(http, "second").await;
    assert_eq!((&first["is_default"], &second["is_default"]), (&json!(true), &json!(false)));
    let path = |kit: &Value| format!("/v1/brand-kits/{}", text(&kit["id"]));
    http.patch(&path(&second), &json!({"is_default": true})).await.is(200);
    assert_eq!(defaults().await, ["second"]);
    let refused = http.patch(&path(&second), &json!({"is_default": false})).await;
    assert_eq!(refused.invalid_fields(), ["is_default"]);
    http.delete(&path(&second)).await.is(200);
    assert_eq!(defaults().await, ["first"]);
    http.delete(&path(&first)).await.is(200);
    assert_eq!(create(http, "later").await["is_default"], true);
}

#[tokio::test]
async fn a_kit_is_deleted_by_who_made_it_an_admin_or_the_owner_and_by_nobody_else() {
    let service = Service::start_with(Options::new());
    let (ada, ben) = (service.member("ada@example.test"), service.member("ben@example.test"));
    service.studio.add_user("adam@example.test", "admin");
    let admin = service.http.with_key(&service.studio.create_key_for("k", "adam@example.test").key);
    for deleter in [&ada, &admin, &service.http] {
        let kit = create(&ada, "Ada's").await;
        assert_eq!(kit["is_default"], true);
        let path = format!("/v1/brand-kits/{}", text(&kit["id"]));
        ben.patch(&path, &json!({"title": "Ours"})).await.is(200);
        ben.delete(&path).await.error(403, "permission", "permission");
        assert_eq!(ada.get(&path).await.expect(200)["title"], "Ours");
        deleter.delete(&path).await.is(200);
    }
}

#[tokio::test]
async fn a_task_that_names_no_kit_uses_the_default_and_a_kit_that_is_not_there_is_refused() {
    let service = Service::start();
    let http = &service.http;
    let pink = json!({"title": "Pink", "colors": [{"color": "#ff00aa", "label": "primary"}]});
    let kit = http.post("/v1/brand-kits", &pink).await.expect(201);
    let draw = |more: Value| async move {
        let mut body = json!({"prompt": "A poster about tea", "format": {"category": "social"}});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let task = http.with_header("prefer", "wait=30").post("/v1/tasks", &body).await.expect(202);
        assert_eq!(task["status"], "succeeded", "{task}");
        task
    };
    for body in [json!({}), json!({"brand_kit_id": kit["id"]}), json!({"skip_brand_kit": true})] {
        draw(body).await;
    }
    let unknown = json!({"prompt": "x", "brand_kit_id": unused_id("bk")});
    http.post("/v1/tasks", &unknown).await.error(404, "not_found", "brand_kit_not_found");
    let wrong = json!({"prompt": "x", "brand_kit_id": unused_id("cvs")});
    assert_eq!(http.post("/v1/tasks", &wrong).await.invalid_fields(), ["brand_kit_id"]);
    let both = json!({"prompt": "x", "brand_kit_id": kit["id"], "skip_brand_kit": true});
    assert_eq!(http.post("/v1/tasks", &both).await.invalid_fields(), ["brand_kit_id"]);
}

#[tokio::test]
async fn images_are_pictures_of_the_drive_in_the_group_of_their_role() {
    let service = Service::start();
    let http = &service.http;
    let id = text(&create(http, "A").await["id"]);
    let images = format!("/v1/brand-kits/{id}/images");
    let picture = upload_picture(http, "logo.png").await;
    let kit = http.post(&images, &json!({"file_id": picture, "role": "logo", "label": "Wide"})).await.expect(201);
    let image = &kit["logos"][0]["images"][0];
    assert_eq!((&kit["logos"][0]["group_name"], &image["name"]), (&json!("logo"), &json!("Wide")));
    assert_eq!(image["file_id"], picture.as_str());
    assert!(text(&image["url"]).starts_with(&service.studio.base_url));
    let kit = http.post(&images, &json!({"file_id": picture, "role": "asset"})).await.expect(201);
    assert_eq!(
        (&kit["logos"][1]["group_name"], &kit["logos"][1]["images"][0]["name"]),
        (&json!("asset"), &json!("logo.png"))
    );

    let words = text(&upload(http, "words.txt", b"only words").await["file_id"]);
    let refused = http.post(&images, &json!({"file_id": words, "role": "logo"})).await;
    assert_eq!(refused.invalid_fields(), ["file_id"]);
    let refused = http.post(&images, &json!({"file_id": picture, "role": "muse"})).await;
    assert_eq!(refused.invalid_fields(), ["role"]);
    let unknown = json!({"file_id": unused_id("file"), "role": "logo"});
    http.post(&images, &unknown).await.error(404, "not_found", "file_not_found");
    let nowhere = format!("/v1/brand-kits/{}/images", unused_id("bk"));
    let body = json!({"file_id": picture, "role": "logo"});
    http.post(&nowhere, &body).await.error(404, "not_found", "brand_kit_not_found");

    // What was read can be written back with one image less.
    let logos = json!([kit["logos"][1]]);
    let path = format!("/v1/brand-kits/{id}");
    assert_eq!(http.patch(&path, &json!({"logos": logos})).await.expect(200)["logos"], logos);
    // An image goes with its file.
    http.delete(&format!("/v1/drive/items/{picture}")).await.is(200);
    assert_eq!(http.get(&path).await.expect(200)["logos"], json!([]));
}

#[tokio::test]
async fn a_private_picture_is_seen_by_its_owner_alone() {
    let service = Service::start();
    let id = text(&create(&service.http, "A").await["id"]);
    let path = format!("/v1/brand-kits/{id}");
    let picture = upload_picture(&service.http, "logo.png").await;
    service.http.post(&format!("{path}/images"), &json!({"file_id": picture, "role": "logo"})).await.is(201);
    let item = format!("/v1/drive/items/{picture}");
    service.http.patch(&item, &json!({"visibility": "private"})).await.is(200);
    let member = service.member("ada@example.test");
    assert_eq!(member.get(&path).await.expect(200)["logos"], json!([]));
    assert_eq!(member.patch(&path, &json!({"logos": []})).await.expect(200)["logos"], json!([]));
    assert_eq!(service.http.get(&path).await.expect(200)["logos"][0]["images"][0]["file_id"], picture.as_str());
}

#[tokio::test]
async fn a_wrong_kit_is_refused_and_its_field_named() {
    let service = Service::start();
    let check = async |body: Value, field: &str| {
        let answer = service.http.post("/v1/brand-kits", &body).await;
        assert_eq!(answer.invalid_fields(), [field], "{body}");
    };
    check(json!({}), "title").await;
    check(json!({"title": ""}), "title").await;
    check(json!({"title": "x", "name": "y"}), "name").await;
    check(json!({"title": "x", "colors": [{"color": "red"}]}), "colors[0].color").await;
    check(json!({"title": "x", "fonts": [{"family": "A", "weight": 1001}]}), "fonts[0].weight").await;
    check(json!({"title": "x", "company_url": "acme"}), "company_url").await;
    for path in [unused_id("bk"), unused_id("cvs"), "nothing".to_owned()] {
        let answer = service.http.get(&format!("/v1/brand-kits/{path}")).await;
        answer.error(404, "not_found", "brand_kit_not_found");
    }
}
