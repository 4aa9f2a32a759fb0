//! Downloads that the bucket serves itself: what a client is sent there with opens one file, as its name and type, for a while, and
//! nothing else.

use easel_tests::bucket::Bucket;
use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

use crate::several::{PATIENCE, text};

/// What an address that a browser follows answers: nothing but it is sent.
async fn follow(url: &str, range: Option<&str>) -> reqwest::Response {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let range = range.map(|range| ("range", range));
    let asked = range.into_iter().fold(client.get(url), |asked, (name, value)| asked.header(name, value));
    asked.send().await.expect("an answer")
}

fn header<'a>(answer: &'a reqwest::Response, name: &str) -> &'a str {
    answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_else(|| panic!("no {name}"))
}

#[tokio::test]
async fn files_and_exports_are_fetched_from_the_bucket_and_from_nobody_else() {
    let bucket = Bucket::start();
    let studio = Studio::start(Options::new().bucket(&bucket).flag("--direct-downloads"));
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let file = text(&upload(&http, "Müller & Söhne, 100 %.txt", b"what was agreed").await["file_id"]);
    let download = http.get(&format!("/v1/drive/files/{file}/download")).await.expect(200);
    let url = text(&download["download_url"]);
    assert!(url.starts_with(&format!("http://{}/", bucket.authority())), "{url}");
    let answer = follow(&url, None).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "content-type"), "text/plain");
    let name = "filename*=UTF-8''M%C3%BCller%20%26%20S%C3%B6hne%2C%20100%20%25.txt";
    let disposition = header(&answer, "content-disposition").to_owned();
    assert!(disposition.starts_with("attachment; ") && disposition.contains(name), "{disposition}");
    assert_eq!(answer.bytes().await.expect("the bytes"), "what was agreed");
    let part = follow(&url, Some("bytes=5-7")).await;
    assert_eq!((part.status().as_u16(), part.text().await.expect("the part").as_str()), (206, "was"));
    // Another name, another object, nobody's signature.
    let other = text(&upload(&http, "other.txt", b"not yours").await["file_id"]);
    let other = text(&http.get(&format!("/v1/drive/files/{other}/download")).await.expect(200)["download_url"]);
    let (path, _) = other.split_once('?').expect("a query");
    let (own_path, query) = url.split_once('?').expect("a query");
    for wrong in [format!("{path}?{query}"), url.replace("attachment", "inline"), own_path.to_owned()] {
        assert_eq!(follow(&wrong, None).await.status(), 403, "{wrong}");
    }
    // With a key, the studio serves as ever.
    assert_eq!(http.get(&format!("/v1/drive/files/{file}/content")).await.body, "what was agreed");

    let task = http.post("/v1/tasks", &json!({"prompt": "A card for Ada"})).await.expect(202);
    let task = wait_for("the design", PATIENCE, async || {
        let task = http.get(&format!("/v1/tasks/{}", text(&task["id"]))).await.expect(200);
        if task["status"] == "succeeded" { Ok(task) } else { Err(task) }
    });
    let canvas = text(&task.await["result"]["canvas_id"]);
    let export = http.post(&format!("/v1/canvases/{canvas}/export?format=pdf"), &Value::Null).await.expect(200);
    assert_eq!(export["status"], "completed", "{export}");
    let answer = follow(&text(&export["url"]), None).await;
    assert_eq!(header(&answer, "content-type"), "application/pdf");
    assert!(answer.url().as_str().contains(&bucket.authority()), "{}", answer.url());
    assert!(answer.bytes().await.expect("the bytes").starts_with(b"%PDF-"));

    // A file that is gone for good opens nothing, though its address has not ended.
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    http.delete(&format!("/v1/drive/trash/{file}")).await.is(200);
    let gone = wait_for("its end", PATIENCE, async || {
        let status = follow(&url, None).await.status();
        if status == 404 { Ok(()) } else { Err(status) }
    });
    gone.await;
    assert!(!studio.log().contains("X-Amz-Signature"), "an address is in the log");
}

#[test]
fn a_folder_serves_no_downloads_itself() {
    let place = tempfile::TempDir::new().unwrap();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--direct-downloads"];
    let refused = easel_tests::studio::command(&place.path().join("data"), &arguments);
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--blobs"));
}
