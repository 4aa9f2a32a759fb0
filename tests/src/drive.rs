//! Folders and files in a service's drive, made over plain HTTP as any client would.

use http::Method;
use serde_json::{Value, json};

use crate::http::{Answer, Form, Http};

/// Makes a folder and returns its id.
///
/// # Panics
/// Where the service does not make it.
pub async fn create_folder(http: &Http, name: &str, parent: Option<&str>) -> String {
    let answer = http.post("/v1/drive/folders", &json!({"name": name, "parent_folder_id": parent})).await;
    answer.expect(201)["folder"]["id"].as_str().unwrap_or_else(|| panic!("no id: {answer:?}")).to_owned()
}

/// Uploads in one request and returns the upload result record.
///
/// # Panics
/// Where the service does not take it.
pub async fn upload(http: &Http, filename: &str, content: &[u8]) -> Value {
    http.post_form("/v1/uploads", &Form::of_file(filename, content)).await.success()
}

/// Uploads in one request into a folder and returns the upload result record.
///
/// # Panics
/// Where the service does not take it, or no answer comes.
pub async fn upload_into(http: &Http, folder_id: &str, filename: &str, content: &[u8]) -> Value {
    try_upload_into(http, folder_id, filename, content).await.expect("an answer").success()
}

/// Uploads in one request into a folder, where the connection may break.
///
/// # Errors
/// Where no answer comes.
pub async fn try_upload_into(http: &Http, folder_id: &str, filename: &str, content: &[u8]) -> reqwest::Result<Answer> {
    let form = Form::new().text("folder_id", folder_id).file("file", filename, "text/plain", content);
    http.try_request(Method::POST, "/v1/uploads", Some(&form.content_type()), form.body()).await
}

/// Gives a file of the drive new content under its id, as another program would.
///
/// # Panics
/// Where the service or its storage does not take it.
pub async fn replace_content(http: &Http, file_id: &str, mime_type: &str, content: &[u8]) {
    let asked = json!({"filename": "new", "mime_type": mime_type});
    let signed = http.post("/v1/uploads/url", &asked).await.success();
    let url = signed["upload_url"].as_str().unwrap_or_else(|| panic!("no address: {signed}"));
    let put = reqwest::Client::new().put(url).header("content-type", mime_type).body(content.to_vec());
    let status = put.send().await.expect("an answer of storage").status();
    assert!(status.is_success(), "{status}");
    let path = format!("/v1/drive/files/{file_id}/content");
    http.post(&path, &json!({"storage_key": signed["storage_key"]})).await.is(200);
}
