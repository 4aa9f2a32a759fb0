//! Specification, "Differences between versions"; contract, "Versions" (lists) and "Drive" (the two lists).

use easel_tests::http::Http;
use serde_json::{Value, json};

use crate::service::{Service, create_folder, list, names, text, upload, upload_into};

#[tokio::test]
async fn a_list_takes_20_by_default_and_up_to_200() {
    let service = Service::start();
    for number in 0..25 {
        upload(&service.http, &format!("{number}"), format!("{number}").as_bytes()).await;
    }
    assert_eq!(list(&service.http.get("/v1/drive/files").await).len(), 20);
    assert_eq!(list(&service.http.get("/v1/drive/files?limit=200").await).len(), 25);
    let legacy = service.legacy().get("/v1/drive/files").await.expect(200);
    assert_eq!(legacy["files"].as_array().map(Vec::len), Some(20));
    assert_eq!((&legacy["limit"], &legacy["offset"], &legacy["total"]), (&20.into(), &0.into(), &25.into()));
    assert_eq!(legacy["has_more"], true);
}

#[tokio::test]
async fn an_empty_drive_is_an_empty_list() {
    let service = Service::start();
    for resource in ["folders", "files"] {
        let page = service.http.get(&format!("/v1/drive/{resource}")).await.expect(200);
        assert_eq!(page, json!({"data": [], "next_cursor": null, "has_more": false, "total": 0}));
        let page = service.legacy().get(&format!("/v1/drive/{resource}")).await.expect(200);
        assert_eq!(page[resource], json!([]));
        assert_eq!((&page["total"], &page["limit"], &page["offset"]), (&0.into(), &20.into(), &0.into()));
        assert_eq!(page["has_more"], false);
    }
}

/// Every page from the first, or from this cursor, to where the next cursor is null.
async fn walk(http: &Http, path: &str, from: Option<String>) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor = from;
    for _ in 0..100 {
        let next = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let page = http.get(&format!("{path}{next}")).await.expect(200);
        ids.extend(page["data"].as_array().unwrap().iter().map(|item| text(&item["id"])));
        assert_eq!(page["has_more"], !page["next_cursor"].is_null());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return ids,
        }
    }
    panic!("the list has no end");
}

#[tokio::test]
async fn the_cursor_walks_the_whole_list_whatever_the_order_and_the_size_of_a_page() {
    let service = Service::start();
    let http = &service.http;
    let mut expected = Vec::new();
    for number in 0..11 {
        // Names, sizes and times that are partly equal, so that only the id tells items apart.
        let content = [number; 40];
        let size = usize::from(number % 3) + 1;
        let unique = [content[..size].to_vec(), format!("{number}").into_bytes()].concat();
        expected.push(text(&upload(http, &format!("name {}", number % 4), &unique).await["file_id"]));
    }
    expected.sort();
    for sort in ["", "&sort=name", "&sort=-name", "&sort=updated_at", "&sort=-updated_at", "&sort=size", "&sort=-size"]
    {
        for limit in [1, 2, 5, 10, 11, 12] {
            let mut ids = walk(http, &format!("/v1/drive/files?limit={limit}{sort}"), None).await;
            ids.sort();
            assert_eq!(ids, expected, "{sort} {limit}");
        }
    }
}

#[tokio::test]
async fn a_list_that_changes_while_it_is_walked_shows_nothing_twice_and_loses_nothing() {
    let service = Service::start();
    let http = &service.http;
    let mut ids = Vec::new();
    for number in 0..10_u8 {
        ids.push(text(&upload(http, &format!("{number}"), &[number]).await["file_id"]));
    }
    let first = http.get("/v1/drive/files?limit=4").await.expect(200);
    upload(http, "new", b"new").await;
    http.delete(&format!("/v1/drive/items/{}", ids[8])).await.is(200);
    let rest = walk(http, "/v1/drive/files?limit=4", Some(text(&first["next_cursor"]))).await;
    let expected: Vec<String> = ids[..6].iter().rev().cloned().collect();
    assert_eq!(rest, expected, "what came before the cursor moves nothing behind it");
}

#[tokio::test]
async fn a_cursor_that_was_changed_anywhere_is_400() {
    let service = Service::start();
    let http = &service.http;
    for number in 0..3_u8 {
        upload(http, &format!("{number}"), &[number]).await;
    }
    let cursor = text(&http.get("/v1/drive/files?limit=1").await.expect(200)["next_cursor"]);
    let mut forged = vec!["nonsense".to_owned(), "AAAA".to_owned(), format!("{cursor}A"), format!("A{cursor}")];
    forged.push(cursor[..cursor.len() - 1].to_owned());
    for at in 0..cursor.len() {
        let old = &cursor[at..=at];
        let new = if old == "A" { "B" } else { "A" };
        forged.push(format!("{}{new}{}", &cursor[..at], &cursor[at + 1..]));
    }
    for (number, forged) in forged.iter().enumerate() {
        let answer = http.get(&format!("/v1/drive/files?limit=1&cursor={forged}")).await;
        assert_eq!(answer.status, 400, "forgery {number}: {answer:?}");
        answer.error(400, "invalid_request", "invalid_request");
    }
    http.get(&format!("/v1/drive/files?limit=1&cursor={cursor}")).await.is(200);
    http.get(&format!("/v1/drive/files?limit=2&cursor={cursor}")).await.is(200);
}

#[tokio::test]
async fn a_cursor_is_bound_to_its_endpoint_and_filters() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "a", None).await;
    create_folder(http, "b", None).await;
    for number in 0..3_u8 {
        upload_into(http, &folder, &format!("{number}"), &[number]).await;
    }
    let path = format!("/v1/drive/files?limit=1&folder_id={folder}");
    let cursor = text(&http.get(&path).await.expect(200)["next_cursor"]);
    http.get(&format!("{path}&cursor={cursor}")).await.is(200);
    for other in [
        "/v1/drive/folders?limit=1",
        "/v1/drive/files?limit=1",
        "/v1/drive/files?limit=1&folder_id=root",
        &format!("{path}&sort=name"),
        &format!("{path}&updated_since=2026-01-01T00:00:00Z"),
    ] {
        let answer = http.get(&format!("{other}&cursor={cursor}")).await;
        assert_eq!(answer.status, 400, "{other}: {answer:?}");
        answer.error(400, "invalid_request", "invalid_request");
    }
}

#[tokio::test]
async fn a_cursor_of_another_studio_is_400() {
    let (one, other) = (Service::start(), Service::start());
    let mut cursors = Vec::new();
    for service in [&one, &other] {
        for number in 0..2_u8 {
            upload(&service.http, &format!("{number}"), &[number]).await;
        }
        cursors.push(text(&service.http.get("/v1/drive/files?limit=1").await.expect(200)["next_cursor"]));
    }
    let answer = one.http.get(&format!("/v1/drive/files?limit=1&cursor={}", cursors[1])).await;
    answer.error(400, "invalid_request", "invalid_request");
}

#[tokio::test]
async fn a_cursor_still_holds_after_a_restart() {
    let mut service = Service::start();
    for number in 0..2_u8 {
        upload(&service.http, &format!("{number}"), &[number]).await;
    }
    let cursor = text(&service.http.get("/v1/drive/files?limit=1").await.expect(200)["next_cursor"]);
    service.studio.stop();
    service.studio.restart();
    let page = service.http.get(&format!("/v1/drive/files?limit=1&cursor={cursor}")).await.expect(200);
    assert_eq!(page["data"][0]["name"], "0");
}

#[tokio::test]
async fn an_offset_is_taken_in_both_versions() {
    let service = Service::start();
    for number in 0..5_u8 {
        upload(&service.http, &format!("{number}"), &[number]).await;
        create_folder(&service.http, &format!("{number}"), None).await;
    }
    for resource in ["files", "folders"] {
        let names_of = |items: &Value| -> Vec<String> {
            items.as_array().unwrap().iter().map(|item| text(&item["name"])).collect()
        };
        let path = format!("/v1/drive/{resource}?limit=2&offset=3");
        let page = service.http.get(&path).await.expect(200);
        assert_eq!(
            (names_of(&page["data"]), &page["total"], &page["has_more"]),
            (vec!["1".into(), "0".into()], &5.into(), &false.into())
        );
        let page = service.legacy().get(&path).await.expect(200);
        assert_eq!((names_of(&page[resource]), &page["total"]), (vec!["1".into(), "0".into()], &5.into()));
        let past = format!("/v1/drive/{resource}?offset=1000000");
        assert_eq!(service.http.get(&past).await.expect(200)["data"], json!([]));
        assert_eq!(service.legacy().get(&past).await.expect(200)[resource], json!([]));
    }
}

#[tokio::test]
async fn the_filter_left_out_is_everything_root_is_the_top_and_an_id_is_a_folder() {
    let service = Service::start();
    let http = &service.http;
    let outer = create_folder(http, "outer", None).await;
    let inner = create_folder(http, "inner", Some(&outer)).await;
    upload(http, "top", b"1").await;
    upload_into(http, &outer, "in outer", b"2").await;
    upload_into(http, &inner, "in inner", b"3").await;
    let files = |filter: String| async move { names(&http.get(&format!("/v1/drive/files{filter}")).await) };
    assert_eq!(files(String::new()).await, ["in inner", "in outer", "top"]);
    assert_eq!(files("?folder_id=root".to_owned()).await, ["top"]);
    assert_eq!(files(format!("?folder_id={outer}")).await, ["in outer"]);
    let folders = |filter: String| async move { names(&http.get(&format!("/v1/drive/folders{filter}")).await) };
    assert_eq!(folders(String::new()).await, ["inner", "outer"]);
    assert_eq!(folders("?parent_id=root".to_owned()).await, ["outer"]);
    assert_eq!(folders(format!("?parent_id={outer}")).await, ["inner"]);
    assert_eq!(http.get(&format!("/v1/drive/files?folder_id={outer}")).await.expect(200)["total"], 1);
}

#[tokio::test]
async fn sort_orders_by_name_time_and_size_in_both_directions_and_both_versions() {
    let service = Service::start();
    let http = &service.http;
    let mut ids = Vec::new();
    for (name, size) in [("banana", 3), ("Apple", 1), ("cherry", 2)] {
        ids.push(text(&upload(http, name, &vec![7; size]).await["file_id"]));
    }
    // Touched last: banana, then Apple.
    for (id, name) in [(&ids[0], "banana!"), (&ids[1], "Apple!")] {
        http.patch(&format!("/v1/drive/items/{id}"), &json!({"name": name})).await.is(200);
    }
    let cases = [
        ("name", ["Apple!", "banana!", "cherry"]),
        ("-name", ["cherry", "banana!", "Apple!"]),
        ("size", ["Apple!", "cherry", "banana!"]),
        ("-size", ["banana!", "cherry", "Apple!"]),
        ("updated_at", ["cherry", "banana!", "Apple!"]),
        ("-updated_at", ["Apple!", "banana!", "cherry"]),
    ];
    for (sort, expected) in cases {
        assert_eq!(names(&http.get(&format!("/v1/drive/files?sort={sort}")).await), expected, "{sort}");
        let legacy = service.legacy().get(&format!("/v1/drive/files?sort={sort}")).await.expect(200);
        let legacy: Vec<String> = legacy["files"].as_array().unwrap().iter().map(|file| text(&file["name"])).collect();
        assert_eq!(legacy, expected, "{sort}, legacy");
    }
    for (name, parent) in [("b", None), ("A", None), ("c", None)] {
        create_folder(http, name, parent).await;
    }
    for (sort, expected) in [("name", ["A", "b", "c"]), ("-name", ["c", "b", "A"]), ("-updated_at", ["c", "A", "b"])] {
        assert_eq!(names(&http.get(&format!("/v1/drive/folders?sort={sort}")).await), expected, "{sort}");
    }
}

#[tokio::test]
async fn updated_since_leaves_out_what_did_not_change_since() {
    let service = Service::start();
    let http = &service.http;
    let old = text(&upload(http, "old", b"old").await["file_id"]);
    create_folder(http, "old", None).await;
    let changed = text(&upload(http, "to be changed", b"to be changed").await["file_id"]);
    let file = http.get(&format!("/v1/drive/files/{changed}")).await.expect(200);
    let instant: jiff::Timestamp = text(&file["file"]["updated_at"]).parse().unwrap();
    let since = instant + jiff::SignedDuration::from_micros(1);
    // Whatever comes now is at least a microsecond later.
    http.patch(&format!("/v1/drive/items/{changed}"), &json!({"name": "changed"})).await.is(200);
    upload(http, "new", b"new").await;
    create_folder(http, "new", None).await;
    for form in [since.to_string(), since.to_string().replace('Z', "%2B00:00")] {
        let answer = http.get(&format!("/v1/drive/files?updated_since={form}")).await;
        assert_eq!(names(&answer), ["new", "changed"], "{form}");
        assert_eq!(answer.value()["total"], 2);
    }
    let answer = http.get("/v1/drive/files?updated_since=2020-01-01T00:00:00Z").await;
    assert_eq!(list(&answer).len(), 3);
    assert_eq!(list(&http.get("/v1/drive/files?updated_since=2999-01-01T00:00:00Z").await).len(), 0);
    assert_eq!(names(&http.get(&format!("/v1/drive/folders?updated_since={since}")).await), ["new"]);
    assert!(!old.is_empty());
}
