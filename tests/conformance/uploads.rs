//! Specification, "Upload limits record", "Upload result record" and "Behaviour rules"; contract, "Uploads": what is
//! the same for both ways of uploading, and the way in one request.

use std::path::Path;

use easel_tests::http::Form;
use easel_tests::studio::Options;
use serde_json::{Value, json};

use crate::service::{
    Service, all_files, content_hash, create_folder, download, put, register, sign, stage, text, upload, upload_into,
};

#[tokio::test]
async fn limits_are_those_of_the_plan() {
    let cases = [
        (Options::new(), 250_000_000, false),
        (Options::new().with("--plan", "paid"), 250_000_000, false),
        (Options::new().with("--plan", "ultra"), 250_000_000, false),
        (Options::new().with("--plan", "free"), 50_000_000, true),
        (Options::new().with("--max-file-bytes", "12345"), 12_345, true),
        (Options::new().with("--plan", "free").with("--max-file-bytes", "777"), 777, true),
    ];
    for (options, max_file_bytes, is_plan_limit) in cases {
        let service = Service::start_with(options.clone());
        let limits = service.http.get("/v1/uploads/limits").await.expect(200);
        let expected = json!({
            "max_direct_upload_bytes": 33_554_432,
            "max_file_bytes": max_file_bytes,
            "max_file_bytes_is_plan_limit": is_plan_limit,
        });
        assert_eq!(limits, expected, "{options:?}");
    }
}

#[tokio::test]
async fn the_result_record_has_its_fields_whichever_way_the_file_came() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let form = Form::new().text("folder_id", &folder).file("file", "a.png", "image/png", b"direct");
    let direct = http.post_form("/v1/uploads", &form).await.expect(201);
    let body = json!({"filename": "b.png", "mime_type": "image/png"});
    let signed = http.post("/v1/uploads/url", &body).await.success();
    put(http, &signed, b"staged").await.is(200);
    let body = json!({"storage_key": signed["storage_key"], "folder_id": folder});
    let staged = http.post("/v1/uploads/register", &body).await.expect(201);
    for (result, name) in [(direct, "a.png"), (staged, "b.png")] {
        assert!(text(&result["file_id"]).starts_with("file_"));
        assert_eq!(result["id"], result["file_id"]);
        assert_eq!(result["was_duplicate"], false);
        assert_eq!((&result["filename"], &result["mime_type"]), (&name.into(), &"image/png".into()));
        assert_eq!((&result["size_bytes"], &result["folder_id"]), (&6.into(), &folder.clone().into()));
        assert!(text(&result["url"]).starts_with(&service.studio.base_url), "{result}");
    }
}

#[tokio::test]
async fn the_folder_may_stand_before_or_after_the_file() {
    let service = Service::start();
    let folder = create_folder(&service.http, "Folder", None).await;
    let before = Form::new().text("folder_id", &folder).file("file", "before", "text/plain", b"1");
    let after = Form::new().file("file", "after", "text/plain", b"2").text("folder_id", &folder);
    for form in [before, after] {
        assert_eq!(service.http.post_form("/v1/uploads", &form).await.expect(201)["folder_id"], folder);
    }
}

#[tokio::test]
async fn behaviour_rule_1_identical_bytes_return_the_existing_file_by_either_way() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let first = upload_into(http, &folder, "first.txt", b"the same bytes").await;
    assert_eq!(first["was_duplicate"], false);

    let again = http.post_form("/v1/uploads", &Form::of_file("second.bin", b"the same bytes")).await.success();
    let storage_key = stage(http, "third.bin", b"the same bytes").await;
    let registered = register(http, &storage_key).await.success();
    for duplicate in [again, registered] {
        assert_eq!(duplicate["was_duplicate"], true);
        for field in ["file_id", "id", "url", "filename", "mime_type", "size_bytes", "folder_id"] {
            assert_eq!(duplicate[field], first[field], "a duplicate answers with the existing file's own {field}");
        }
    }
    assert_eq!(all_files(http).await.len(), 1);
}

#[tokio::test]
async fn behaviour_rule_1_a_file_that_register_made_is_found_by_an_upload_in_one_request() {
    let service = Service::start();
    let storage_key = stage(&service.http, "a", b"bytes").await;
    let first = register(&service.http, &storage_key).await.expect(201);
    let again = upload(&service.http, "b", b"bytes").await;
    assert_eq!((&again["was_duplicate"], &again["file_id"]), (&true.into(), &first["file_id"]));
}

#[tokio::test]
async fn behaviour_rule_1_identical_bytes_sent_at_once_make_one_file() {
    let service = Service::start();
    let mut sending = tokio::task::JoinSet::new();
    for number in 0..16 {
        let http = service.http.clone();
        sending.spawn(async move {
            if number % 2 == 0 {
                upload(&http, &format!("{number}"), b"the same").await
            } else {
                let storage_key = stage(&http, &format!("{number}"), b"the same").await;
                register(&http, &storage_key).await.success()
            }
        });
    }
    let results: Vec<Value> = sending.join_all().await;
    assert_eq!(all_files(&service.http).await.len(), 1);
    assert!(results.iter().all(|result| result["file_id"] == results[0]["file_id"]), "{results:?}");
    assert_eq!(results.iter().filter(|result| result["was_duplicate"] == false).count(), 1, "{results:?}");
}

#[tokio::test]
async fn behaviour_rule_1_content_that_was_deleted_is_new_again() {
    let service = Service::start();
    let first = text(&upload(&service.http, "a", b"bytes").await["file_id"]);
    service.http.delete(&format!("/v1/drive/items/{first}")).await.is(200);
    let again = upload(&service.http, "a", b"bytes").await;
    assert_eq!(again["was_duplicate"], false);
    assert_ne!(again["file_id"], first);
    assert_eq!(download(&service.http, &text(&again["file_id"])).await, b"bytes".as_slice());
}

#[tokio::test]
async fn behaviour_rule_2_the_pending_blob_is_deleted_once_registered() {
    let service = Service::start();
    let storage_key = stage(&service.http, "a", b"bytes").await;
    assert_eq!(pending(&service.studio.data_dir), 1, "the staged blob is not where this test looks for it");
    register(&service.http, &storage_key).await.is(201);
    assert_eq!(pending(&service.studio.data_dir), 0);
}

#[tokio::test]
async fn behaviour_rule_2_the_pending_blob_is_deleted_at_once_on_a_duplicate_hit() {
    let service = Service::start();
    upload(&service.http, "a", b"bytes").await;
    let storage_key = stage(&service.http, "b", b"bytes").await;
    assert_eq!(pending(&service.studio.data_dir), 1);
    assert_eq!(register(&service.http, &storage_key).await.success()["was_duplicate"], true);
    assert_eq!(pending(&service.studio.data_dir), 0);
}

/// Files below any folder of the data whose name says that it is the pending area.
fn pending(folder: &Path) -> usize {
    fn count(folder: &Path, below_pending: bool) -> usize {
        let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
        entries
            .map(|entry| {
                let below_pending = below_pending || entry.file_name() == "pending";
                if entry.file_type().unwrap().is_dir() {
                    count(&entry.path(), below_pending)
                } else {
                    usize::from(below_pending)
                }
            })
            .sum()
    }
    count(folder, false)
}

#[tokio::test]
async fn behaviour_rule_4_neither_signing_nor_register_takes_an_idempotency_key() {
    let service = Service::start();
    let http = &service.http;
    let body = json!({"filename": "a", "mime_type": "text/plain", "idempotency_key": "k"});
    assert_eq!(http.post("/v1/uploads/url", &body).await.invalid_fields(), ["idempotency_key"]);
    let storage_key = stage(http, "a", b"a").await;
    let body = json!({"storage_key": storage_key, "idempotency_key": "k"});
    assert_eq!(http.post("/v1/uploads/register", &body).await.invalid_fields(), ["idempotency_key"]);
}

#[tokio::test]
async fn behaviour_rule_5_a_signed_url_that_is_never_used_stores_nothing() {
    let service = Service::start();
    for _ in 0..5 {
        sign(&service.http, "a").await;
    }
    assert_eq!(pending(&service.studio.data_dir), 0);
    assert_eq!(all_files(&service.http).await.len(), 0);
}

#[tokio::test]
async fn behaviour_rule_5_a_blob_that_was_never_registered_stays_and_can_be_registered_later() {
    let mut service = Service::start();
    let storage_key = stage(&service.http, "a", b"bytes").await;
    service.studio.stop();
    service.studio.restart();
    assert_eq!(pending(&service.studio.data_dir), 1);
    let result = register(&service.http, &storage_key).await.expect(201);
    assert_eq!(download(&service.http, &text(&result["file_id"])).await, b"bytes".as_slice());
}

#[tokio::test]
async fn an_empty_file_is_a_file_by_either_way() {
    let service = Service::start();
    let direct = service.http.post_form("/v1/uploads", &Form::of_file("empty", b"")).await.expect(201);
    assert_eq!(direct["size_bytes"], 0);
    let storage_key = stage(&service.http, "also empty", b"").await;
    let staged = register(&service.http, &storage_key).await.success();
    assert_eq!((&staged["was_duplicate"], &staged["file_id"]), (&true.into(), &direct["file_id"]));
    assert_eq!(download(&service.http, &text(&direct["file_id"])).await.len(), 0);
}

#[tokio::test]
async fn a_file_above_max_file_bytes_is_422_by_either_way_and_one_at_it_passes() {
    let service = Service::start_with(Options::new().with("--max-file-bytes", "1000"));
    let http = &service.http;
    upload(http, "at the limit", &[1; 1000]).await;
    let storage_key = stage(http, "at the limit", &[2; 1000]).await;
    register(http, &storage_key).await.is(201);

    let direct = http.post_form("/v1/uploads", &Form::of_file("above", &[3; 1001])).await;
    let storage_key = stage(http, "above", &[4; 1001]).await;
    let registered = register(http, &storage_key).await;
    for answer in [direct, registered] {
        let error = answer.error(422, "unprocessable", "file_too_large");
        assert_eq!(error["details"]["max_file_bytes"], 1000, "{answer:?}");
        assert_eq!(error["details"]["is_plan_limit"], true, "{answer:?}");
    }
    assert_eq!(all_files(http).await.len(), 2);
}

#[tokio::test]
async fn a_taken_name_gets_a_number_and_nothing_is_overwritten() {
    let service = Service::start();
    let http = &service.http;
    let expected = ["photo.tar.gz", "photo.tar (2).gz", "photo.tar (3).gz"];
    for (number, name) in expected.iter().enumerate() {
        let result = upload(http, "photo.tar.gz", format!("direct {number}").as_bytes()).await;
        assert_eq!(result["filename"], *name);
    }
    let storage_key = stage(http, "PHOTO.TAR.GZ", b"staged").await;
    assert_eq!(register(http, &storage_key).await.success()["filename"], "PHOTO.TAR (4).GZ");
    for (name, second) in [("noextension", "noextension (2)"), (".hidden", ".hidden (2)"), ("ü.txt", "ü (2).txt")] {
        assert_eq!(upload(http, name, format!("1 {name}").as_bytes()).await["filename"], name);
        assert_eq!(upload(http, name, format!("2 {name}").as_bytes()).await["filename"], second);
    }
    let folder = create_folder(http, "Folder", None).await;
    let elsewhere = upload_into(http, &folder, "photo.tar.gz", b"elsewhere").await;
    assert_eq!(elsewhere["filename"], "photo.tar.gz", "names are unique within a folder only");
    let first =
        all_files(http).await.into_iter().find(|file| file["name"] == "photo.tar.gz" && file["folder_id"].is_null());
    let first = text(&first.expect("the first file")["id"]);
    assert_eq!(download(http, &first).await, b"direct 0".as_slice());
}

#[tokio::test]
async fn names_are_compared_without_regard_to_case_after_nfc() {
    let service = Service::start();
    let http = &service.http;
    upload(http, "Gr\u{00fc}n.txt", b"composed").await;
    assert_eq!(
        upload(http, "gru\u{0308}N.TXT", b"decomposed").await["filename"].as_str().map(|name| name.contains("(2)")),
        Some(true)
    );
}

#[tokio::test]
async fn many_files_of_one_name_sent_at_once_get_names_of_their_own() {
    let service = Service::start();
    let mut sending = tokio::task::JoinSet::new();
    for number in 0..12 {
        let http = service.http.clone();
        sending.spawn(async move { text(&upload(&http, "same.txt", &[number]).await["filename"]) });
    }
    let mut names = sending.join_all().await;
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 12, "{names:?}");
}

#[tokio::test]
async fn the_drive_says_the_sha_256_of_what_was_sent() {
    let service = Service::start();
    let content: Vec<u8> = (0..3_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let direct = upload(&service.http, "direct", &content).await;
    let other = &content[1..];
    let storage_key = stage(&service.http, "staged", other).await;
    let staged = register(&service.http, &storage_key).await.expect(201);
    for (result, content) in [(direct, content.as_slice()), (staged, other)] {
        let id = text(&result["file_id"]);
        let file = service.http.get(&format!("/v1/drive/files/{id}")).await.expect(200);
        assert_eq!(file["file"]["content_hash"], content_hash(content));
        assert_eq!(file["file"]["size_bytes"], content.len());
        assert_eq!(content_hash(&download(&service.http, &id).await), content_hash(content));
    }
}
