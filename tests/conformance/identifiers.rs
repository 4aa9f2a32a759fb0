//! Specification, "Identifiers"; contract, "Ids".

use http::Method;
use serde_json::{Value, json};

use crate::service::{Service, create_folder, stage, text, unused_id, upload, uuid_of};

/// Texts that are no id of any kind.
const NO_IDS: &[&str] = &[
    "banana",
    "file_",
    "_01KAAAAAAA7AAAAAAAAAAAAAAA",
    "file_01KAAAAAAA7AAAAAAAAAAAAAA",
    "file_01KAAAAAAA7AAAAAAAAAAAAAAAA",
    "file_81KAAAAAAA7AAAAAAAAAAAAAAA",
    "file_0IKAAAAAAA7AAAAAAAAAAAAAAA",
    "file_0LKAAAAAAA7AAAAAAAAAAAAAAA",
    "file_0OKAAAAAAA7AAAAAAAAAAAAAAA",
    "file_0UKAAAAAAA7AAAAAAAAAAAAAAA",
    "wat_01KAAAAAAA7AAAAAAAAAAAAAAA",
    "file-01KAAAAAAA7AAAAAAAAAAAAAAA",
    "01KAAAAAAA7AAAAAAAAAAAAAAA",
    "0195f3c2-8a7e-7b10-9c4d-12345678",
    "%F0%9F%8E%A8",
];

#[tokio::test]
async fn rule_1_a_path_takes_the_prefixed_form_in_either_case_or_a_bare_uuid() {
    let service = Service::start();
    let id = text(&upload(&service.http, "a.txt", b"a").await["file_id"]);
    for form in [id.clone(), id.to_lowercase(), id.to_uppercase(), uuid_of(&id).to_string()] {
        let file = service.http.get(&format!("/v1/drive/files/{form}")).await.expect(200);
        assert_eq!(file["file"]["id"], id, "{form}");
        service.http.get(&format!("/v1/drive/files/{form}/download")).await.is(200);
    }
}

#[tokio::test]
async fn rule_1_a_body_takes_the_prefixed_form_in_either_case_or_a_bare_uuid() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    for (number, form) in [folder.clone(), folder.to_lowercase(), uuid_of(&folder).to_string()].iter().enumerate() {
        let body = json!({"name": format!("Sub {number}"), "parent_folder_id": form});
        let answer = http.post("/v1/drive/folders", &body).await.expect(201);
        assert_eq!(answer["folder"]["parent_folder_id"], folder, "{form}");

        let storage_key = stage(http, &format!("{number}.txt"), form.as_bytes()).await;
        let body = json!({"storage_key": storage_key, "folder_id": form});
        let result = http.post("/v1/uploads/register", &body).await.success();
        assert_eq!(result["folder_id"], folder, "{form}");

        let upload_form = easel_tests::http::Form::new().text("folder_id", form).file(
            "file",
            "m.txt",
            "text/plain",
            format!("multipart {form}").as_bytes(),
        );
        let file = http.post_form("/v1/uploads", &upload_form).await.expect(201);
        assert_eq!(file["folder_id"], folder, "{form}");

        let free =
            text(&upload(http, &format!("free {number}.txt"), format!("free {form}").as_bytes()).await["file_id"]);
        let moved = http.post(&format!("/v1/drive/items/{free}/move"), &json!({"folder_id": form})).await.expect(200);
        assert_eq!(moved["item"]["folder_id"], folder, "{form}");
    }
}

#[tokio::test]
async fn rule_2_every_id_in_an_answer_is_in_the_prefixed_form() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let inner = create_folder(http, "Inner", Some(&folder)).await;
    let storage_key = stage(http, "a.txt", b"staged").await;
    let body = json!({"storage_key": storage_key, "folder_id": inner});
    let registered = http.post("/v1/uploads/register", &body).await.success();
    let uploaded = upload(http, "b.txt", b"direct").await;
    let file = text(&uploaded["file_id"]);
    let mut answers = vec![registered, uploaded];
    for path in ["/v1/whoami", "/v1/drive/folders", "/v1/drive/files", "/v1/drive/tree"] {
        answers.push(http.get(path).await.expect(200));
        answers.push(service.legacy().get(path).await.expect(200));
    }
    answers.push(http.get(&format!("/v1/drive/files/{file}")).await.expect(200));
    answers.push(http.post(&format!("/v1/drive/items/{file}/move"), &json!({"folder_id": folder})).await.expect(200));
    answers.push(http.patch(&format!("/v1/drive/items/{file}"), &json!({"name": "c.txt"})).await.expect(200));
    answers.push(http.post("/v1/drive/folders", &json!({"name": "folder"})).await.value());
    answers.push(http.delete(&format!("/v1/drive/items/{file}")).await.expect(200));
    let mut found = 0;
    for answer in &answers {
        check_ids(answer, &mut found);
    }
    assert!(found > 40, "only {found} ids were looked at");
}

fn check_ids(value: &Value, found: &mut usize) {
    const PREFIXES: &[&str] =
        &["cvs", "task", "bk", "fld", "whd", "file", "ver", "conv", "evt", "org", "team", "user", "ak"];
    match value {
        Value::Array(items) => items.iter().for_each(|item| check_ids(item, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                if (name == "id" || name.ends_with("_id")) && name != "request_id" && !value.is_null() {
                    let id = text(value);
                    let (prefix, digits) = id.split_once('_').unwrap_or_else(|| panic!("{name}: {id}"));
                    assert!(PREFIXES.contains(&prefix), "{name}: {id}");
                    assert_eq!(digits.len(), 26, "{name}: {id}");
                    assert!(digits.starts_with(['0', '1', '2', '3', '4', '5', '6', '7']), "{name}: {id}");
                    assert_eq!(uuid_of(&id).get_version_num(), 7, "{name}: {id}");
                    *found += 1;
                }
                check_ids(value, found);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn rule_3_a_drive_item_is_named_by_its_prefixed_form_only() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "a.txt", b"a").await["file_id"]);
    let folder = create_folder(http, "Folder", None).await;
    for id in [file, folder] {
        let path = format!("/v1/drive/items/{}", uuid_of(&id));
        let answers = [
            http.post(&format!("{path}/move"), &json!({"folder_id": null})).await,
            http.patch(&path, &json!({"name": "b"})).await,
            http.delete(&path).await,
        ];
        for answer in answers {
            let error = answer.error(422, "unprocessable", "validation_failed").to_string();
            for form in ["fld_", "cvs_", "file_"] {
                assert!(error.contains(form), "{form} is not named: {error}");
            }
        }
        http.patch(&format!("/v1/drive/items/{}", id.to_lowercase()), &json!({"name": "b"})).await.is(200);
    }
}

#[tokio::test]
async fn rule_3_the_filters_of_the_drive_lists_take_the_prefixed_form_only() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    for list in ["/v1/drive/folders?parent_id=", "/v1/drive/files?folder_id="] {
        http.get(&format!("{list}{folder}")).await.is(200);
        http.get(&format!("{list}{}", folder.to_lowercase())).await.is(200);
        let answer = http.get(&format!("{list}{}", uuid_of(&folder))).await;
        let error = answer.error(422, "unprocessable", "validation_failed").to_string();
        assert!(error.contains("fld_"), "the form is not named: {error}");
    }
}

#[tokio::test]
async fn contract_new_ids_sort_by_the_time_they_were_made() {
    let service = Service::start();
    let mut ids = Vec::new();
    for number in 0..20 {
        ids.push(text(&upload(&service.http, "a.txt", format!("{number}").as_bytes()).await["file_id"]));
    }
    assert!(ids.is_sorted(), "{ids:?}");
    assert_eq!(ids[0], ids[0].to_uppercase().replacen("FILE_", "file_", 1), "written in upper case");
}

#[tokio::test]
async fn contract_the_wrong_kind_in_a_body_or_query_is_422_and_names_both_kinds() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "a.txt", b"a").await["file_id"]);
    let storage_key = stage(http, "b.txt", b"b").await;
    let form = easel_tests::http::Form::new().text("folder_id", &file).file("file", "c", "text/plain", b"c");
    let answers = [
        http.post("/v1/drive/folders", &json!({"name": "x", "parent_folder_id": file})).await,
        http.post(&format!("/v1/drive/items/{file}/move"), &json!({"folder_id": file})).await,
        http.post("/v1/uploads/register", &json!({"storage_key": storage_key, "folder_id": file})).await,
        http.post_form("/v1/uploads", &form).await,
        http.get(&format!("/v1/drive/files?folder_id={file}")).await,
        http.get(&format!("/v1/drive/folders?parent_id={file}")).await,
    ];
    for answer in answers {
        let error = answer.error(422, "unprocessable", "validation_failed").to_string().to_lowercase();
        assert!(error.contains("file") && (error.contains("folder") || error.contains("fld_")), "{error}");
    }
}

#[tokio::test]
async fn contract_the_wrong_kind_in_a_path_is_404_and_names_both_kinds() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let task = unused_id("task");
    let check = |error: Value, kinds: [&str; 2]| {
        let error = error.to_string().to_lowercase();
        assert!(kinds.iter().all(|kind| error.contains(kind)), "{kinds:?} are not named: {error}");
    };
    for path in [format!("/v1/drive/files/{folder}"), format!("/v1/drive/files/{folder}/download")] {
        let answer = http.get(&path).await;
        assert_eq!(answer.status, 404, "{answer:?}");
        check(answer.envelope(), ["file", "folder"]);
    }
    let path = format!("/v1/drive/items/{task}");
    let answers = [
        http.post(&format!("{path}/move"), &json!({"folder_id": null})).await,
        http.patch(&path, &json!({"name": "b"})).await,
        http.delete(&path).await,
    ];
    for answer in answers {
        assert_eq!(answer.status, 404, "{answer:?}");
        check(answer.envelope(), ["task", "folder"]);
    }
}

#[tokio::test]
async fn contract_what_is_no_id_is_404_in_a_path() {
    let service = Service::start();
    let http = &service.http;
    for no_id in NO_IDS {
        let item = format!("/v1/drive/items/{no_id}");
        let answers = [
            http.get(&format!("/v1/drive/files/{no_id}")).await,
            http.get(&format!("/v1/drive/files/{no_id}/download")).await,
            http.delete(&item).await,
            http.json(Method::PATCH, &item, r#"{"name":"b"}"#).await,
            http.json(Method::POST, &format!("{item}/move"), r#"{"folder_id":null}"#).await,
        ];
        for answer in answers {
            assert_eq!(answer.envelope()["type"], "not_found", "{no_id}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn contract_what_is_no_id_is_422_in_a_body_or_query() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "a.txt", b"a").await["file_id"]);
    let storage_key = stage(http, "b.txt", b"b").await;
    for no_id in NO_IDS {
        let answers = [
            http.post("/v1/drive/folders", &json!({"name": "x", "parent_folder_id": no_id})).await,
            http.post(&format!("/v1/drive/items/{file}/move"), &json!({"folder_id": no_id})).await,
            http.post("/v1/uploads/register", &json!({"storage_key": storage_key, "folder_id": no_id})).await,
            http.get(&format!("/v1/drive/files?folder_id={no_id}")).await,
            http.get(&format!("/v1/drive/folders?parent_id={no_id}")).await,
        ];
        for (answer, field) in
            answers.iter().zip(["parent_folder_id", "folder_id", "folder_id", "folder_id", "parent_id"])
        {
            assert_eq!(answer.invalid_fields(), [field], "{no_id}: {answer:?}");
        }
    }
}
