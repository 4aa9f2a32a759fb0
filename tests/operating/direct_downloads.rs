//! Downloads that the bucket serves itself: what a client is sent there with opens one file, as its name and type, for a while, and
//! nothing else.

use easel_tests::bucket::Bucket;
use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

use crate::several::{PATIENCE, text};

#[tokio::test]
async fn files_and_exports_are_fetched_from_the_bucket_and_from_nobody_else() {
    let bucket = Bucket::start();
    let studio = Studio::start(Options::new().bucket(&bucket).flag("--direct-downloads"));
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let file = text(&upload(&http, "Müller & Söhne, 100 %.txt", b"what was agreed").await["file_id"]);
    let download = http.get(&format!("/v1/drive/files/{file}/download")).await.expect(200);
    let url = text(&download["download_url"]);
    assert!(url.starts_with(&format!("http://{}/", bucket.authority())), "{url}");
    // Without a key, as a browser follows it.
    let answer = http.get_url(&url, &[]).await;
    answer.is(200);
    assert_eq!(answer.header("content-type"), Some("text/plain"));
    let name = "filename*=UTF-8''M%C3%BCller%20%26%20S%C3%B6hne%2C%20100%20%25.txt";
    let disposition = answer.header("content-disposition").expect("a name");
    assert!(disposition.starts_with("attachment; ") && disposition.contains(name), "{disposition}");
    assert_eq!(answer.body, "what was agreed");
    let part = http.get_url(&url, &[("range", "bytes=5-7")]).await;
    assert_eq!((part.status.as_u16(), &part.body[..]), (206, &b"was"[..]));
    // Another name, another object, nobody's signature.
    let other = text(&upload(&http, "other.txt", b"not yours").await["file_id"]);
    let other = text(&http.get(&format!("/v1/drive/files/{other}/download")).await.expect(200)["download_url"]);
    let (path, _) = other.split_once('?').expect("a query");
    let (own_path, query) = url.split_once('?').expect("a query");
    for wrong in [format!("{path}?{query}"), url.replace("attachment", "inline"), own_path.to_owned()] {
        assert_eq!(http.get_url(&wrong, &[]).await.status, 403, "{wrong}");
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
    let url_of_export = text(&export["url"]);
    assert!(url_of_export.contains(&bucket.authority()), "{url_of_export}");
    let answer = http.get_url(&url_of_export, &[]).await;
    assert_eq!(answer.header("content-type"), Some("application/pdf"));
    assert!(answer.body.starts_with(b"%PDF-"));

    // A file that is gone for good opens nothing, though its address has not ended.
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    http.delete(&format!("/v1/drive/trash/{file}")).await.is(200);
    let gone = wait_for("its end", PATIENCE, async || {
        let status = http.get_url(&url, &[]).await.status;
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
