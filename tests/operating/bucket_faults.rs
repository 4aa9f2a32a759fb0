//! A bucket that is away, slow, full, read-only or breaks off, and a studio that is killed while it asks one.
//!
//! Always true: what was acknowledged is there, what was not is said in words that fit, and nothing is removed because of what was not seen.

use std::time::{Duration, Instant};

use easel_tests::bucket::Bucket;
use easel_tests::drive::upload;
use easel_tests::http::{Form, Http};
use easel_tests::patience::wait_for;
use easel_tests::proxy::{Fault, Proxy, Seen};
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

use crate::backups::result;
use crate::buckets::{client_of, key_of, noise, wait_for_keys};
use crate::load::list_files;

/// A studio whose bucket stands behind a proxy.
struct Stage {
    bucket: Bucket,
    proxy: Proxy,
    studio: Studio,
    http: Http,
}

impl Stage {
    async fn set() -> Self {
        let bucket = Bucket::start();
        let proxy = Proxy::start().await;
        proxy.forward_to(&bucket.authority());
        let options = Options::new().bucket_behind(&bucket, &proxy.url());
        let studio = tokio::task::spawn_blocking(|| Studio::start(options)).await.expect("a studio");
        let http = client_of(&studio);
        Self { bucket, proxy, studio, http }
    }

    async fn try_upload(&self, content: &[u8]) -> easel_tests::http::Answer {
        self.http.post_form("/v1/uploads", &Form::of_file("a.bin", content)).await
    }

    /// Restarts the studio, which the proxy has to have a thread for.
    async fn kill_and_restart(self) -> Self {
        let Self { bucket, proxy, mut studio, http } = self;
        let kill = move || {
            studio.kill();
            studio
        };
        let mut studio = tokio::task::spawn_blocking(kill).await.expect("the studio is gone");
        proxy.pass_all();
        let restart = move || {
            studio.restart();
            studio
        };
        let studio = tokio::task::spawn_blocking(restart).await.expect("the studio is back");
        Self { bucket, proxy, studio, http }
    }

    async fn verify(&self) -> Value {
        result(&self.studio.command(&["verify", "--json"]), 0)
    }
}

fn refuse_all(_: &Seen) -> Fault {
    Fault::Refuse
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_bucket_that_is_away_is_said_to_be_and_comes_back() {
    let stage = Stage::set().await;
    let (kept, gone) = (noise(100_000, 1), noise(100_000, 2));
    let path = |result: &Value| format!("/v1/drive/files/{}/content", result["file_id"].as_str().unwrap());
    let file = upload(&stage.http, "kept.bin", &kept).await;
    let to_delete = upload(&stage.http, "gone.bin", &gone).await;
    let asked = json!({"filename": "s.bin", "mime_type": "text/plain"});
    let signed = stage.http.post("/v1/uploads/url", &asked).await.success();
    let put = async || stage.http.put_bytes(signed["upload_url"].as_str().unwrap(), "text/plain", "staged").await;

    stage.proxy.break_by(refuse_all);
    let refused = stage.try_upload(b"comes too early").await;
    refused.error(503, "upstream_error", "storage_unavailable");
    assert!(refused.header("retry-after").is_some());
    stage.http.get(&path(&file)).await.error(503, "upstream_error", "storage_unavailable");
    let refused = put().await;
    assert_eq!((refused.status.as_u16(), refused.storage_code().as_str()), (503, "ServiceUnavailable"));
    let ready = stage.http.get("/readyz").await.expect(503);
    assert_eq!((&ready["checks"]["contents"], &ready["checks"]["database"]), (&json!("failed"), &json!("ok")));
    stage.http.get("/healthz").await.is(200);
    // What needs no content goes on, and so does a deletion: the bucket hears of it when it is back.
    let folder = json!({"name": "a folder", "parent_folder_id": null});
    let _ = stage.http.post("/v1/drive/folders", &folder).await.success();
    stage.http.delete(&format!("/v1/drive/items/{}", to_delete["file_id"].as_str().unwrap())).await.is(200);
    stage.http.delete("/v1/drive/trash").await.is(200);
    assert_eq!(list_files(&stage.http).await.len(), 1, "nothing was acknowledged");
    let verify = stage.studio.command(&["verify", "--json"]);
    assert_eq!(verify.status.code(), Some(1), "what is not seen is not called missing: {verify:?}");
    let backup = tempfile::tempdir().unwrap();
    let taken = stage.studio.command(&["backup", backup.path().join("b").to_str().unwrap()]);
    assert_eq!(taken.status.code(), Some(1), "no backup without its contents");

    stage.proxy.pass_all();
    assert_eq!(stage.http.get(&path(&file)).await.body, kept);
    wait_for_keys(&stage.bucket, &[key_of(&kept)]).await;
    // What was in doubt may come again.
    upload(&stage.http, "gone.bin", &gone).await;
    put().await.is(200);
    let _ = stage.http.post("/v1/uploads/register", &json!({"storage_key": signed["storage_key"]})).await.success();
    let _ = stage.try_upload(b"comes too early").await.success();
    wait_for("readiness", Duration::from_secs(20), async || {
        let answer = stage.http.get("/readyz").await;
        if answer.status == 200 { Ok(()) } else { Err(format!("{answer:?}")) }
    })
    .await;
    assert_eq!(stage.verify().await["contents"], 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_bucket_that_is_away_keeps_a_studio_from_starting_and_nothing_is_set_aside() {
    let Stage { mut bucket, proxy, mut studio, http } = Stage::set().await;
    upload(&http, "a.bin", b"stays").await;
    studio.stop();
    bucket.stop();
    let url = bucket.url();
    let options = Options::new().bucket_behind(&bucket, &proxy.url());
    let data = studio.data_dir.clone();
    let refused = tokio::task::spawn_blocking(move || {
        options.command(&data, &["serve", "--listen", "127.0.0.1:0", "--blobs", &url])
    });
    let refused = refused.await.unwrap();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && told.contains("the bucket cannot be used"), "{told}");
    bucket.restart();
    // A list that breaks off in the middle is none.
    proxy.break_by(|request| {
        if request.method == "GET" && request.path.ends_with("contents") {
            Fault::CutAnswerAfter(300)
        } else {
            Fault::Pass
        }
    });
    let (url, data) = (bucket.url(), studio.data_dir.clone());
    let options = Options::new().bucket_behind(&bucket, &proxy.url());
    let refused = tokio::task::spawn_blocking(move || {
        options.command(&data, &["serve", "--listen", "127.0.0.1:0", "--blobs", &url])
    });
    let refused = refused.await.unwrap();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert_eq!((bucket.keys("sha256/"), bucket.keys("aside/").len()), (vec![key_of(b"stays")], 0));
    proxy.pass_all();
    let studio = tokio::task::spawn_blocking(move || {
        studio.restart();
        studio
    });
    assert_eq!(result(&studio.await.unwrap().command(&["verify", "--json"]), 0)["findings"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_full_bucket_and_one_that_takes_nothing_refuse_uploads_and_serve_what_they_have() {
    let stage = Stage::set().await;
    let file = upload(&stage.http, "a.bin", b"what is there").await;
    let answers = [
        (507, "<Error><Code>XMinioStorageFull</Code></Error>", "storage_full", "StorageFull"),
        (403, "<Error><Code>AccessDenied</Code></Error>", "storage_unavailable", "ServiceUnavailable"),
    ];
    for (number, (status, body, code, storage_code)) in answers.into_iter().enumerate() {
        stage.proxy.break_by(move |request| match request.method.as_str() {
            "PUT" | "POST" => Fault::answer(status, &[("content-type", "application/xml")], body),
            _ => Fault::Pass,
        });
        for content in [noise(1_000, 10), noise(20_000_000, 11)] {
            stage.try_upload(&content).await.error(503, "upstream_error", code);
        }
        let asked = json!({"filename": format!("{number}"), "mime_type": "text/plain"});
        let signed = stage.http.post("/v1/uploads/url", &asked).await.success();
        let refused = stage.http.put_bytes(signed["upload_url"].as_str().unwrap(), "text/plain", "x").await;
        assert_eq!((refused.status.as_u16(), refused.storage_code()), (503, storage_code.to_owned()));
        let path = format!("/v1/drive/files/{}/content", file["file_id"].as_str().unwrap());
        assert_eq!(stage.http.get(&path).await.body, b"what is there".as_slice());
    }
    stage.proxy.pass_all();
    assert_eq!(list_files(&stage.http).await.len(), 1);
    wait_for_keys(&stage.bucket, &[key_of(b"what is there")]).await;
    assert_eq!(std::fs::read_dir(stage.studio.data_dir.join("blobs/incoming")).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn an_answer_that_breaks_off_is_read_on_and_a_slow_bucket_holds_up_nobody_else() {
    let stage = Stage::set().await;
    let content = noise(3_000_000, 4);
    let file = upload(&stage.http, "a.bin", &content).await;
    let path = format!("/v1/drive/files/{}/content", file["file_id"].as_str().unwrap());
    let mut cuts = 0;
    stage.proxy.break_by(move |request| {
        cuts += 1;
        if request.method == "GET" && cuts <= 2 { Fault::CutAnswerAfter(700_000) } else { Fault::Pass }
    });
    assert_eq!(stage.http.get(&path).await.body, content, "two breaks, and all of it came");

    const SLOW: Duration = Duration::from_secs(3);
    stage.proxy.break_by(|_| Fault::Delay(SLOW));
    let began = Instant::now();
    let uploading = {
        let http = stage.http.clone();
        tokio::spawn(async move { upload(&http, "slow.bin", b"slowly").await })
    };
    for number in 0..10 {
        let folder = json!({"name": format!("folder {number}"), "parent_folder_id": null});
        let _ = stage.http.post("/v1/drive/folders", &folder).await.success();
    }
    assert!(began.elapsed() < SLOW, "writes wait for the bucket: {:?}", began.elapsed());
    uploading.await.expect("an answer");
    assert!(began.elapsed() >= SLOW);
    stage.proxy.pass_all();
    assert_eq!(stage.verify().await["contents"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_kill_in_the_middle_of_an_upload_leaves_nothing_half() {
    let mut stage = Stage::set().await;
    let kept = b"acknowledged".to_vec();
    upload(&stage.http, "kept.bin", &kept).await;
    let (large, small) = (noise(20_000_000, 5), noise(100_000, 6));
    // Before the bucket hears of it, within a part, before it answers to the beginning of a large one, and when it has everything and
    // the studio does not know.
    let cases = [
        (Fault::Silence, &large),
        (Fault::CutRequestAfter(1_000_000), &large),
        (Fault::HoldAnswer, &large),
        (Fault::HoldAnswer, &small),
    ];
    for (fault, content) in cases {
        let key = key_of(content);
        let of = key.clone();
        let given = fault.clone();
        stage.proxy.break_by(move |request| if request.path.ends_with(&of) { given.clone() } else { Fault::Pass });
        stage.proxy.forget_seen();
        let uploading = {
            let (http, body) = (stage.http.clone(), Form::of_file("large.bin", content));
            tokio::spawn(async move {
                http.try_request(http::Method::POST, "/v1/uploads", Some(&body.content_type()), body.body()).await
            })
        };
        wait_for("a request to the bucket", Duration::from_secs(20), async || {
            let seen = stage.proxy.seen().iter().any(|request| request.path.ends_with(&key));
            if seen { Ok(()) } else { Err("none") }
        })
        .await;
        stage = stage.kill_and_restart().await;
        assert!(uploading.await.unwrap().is_err(), "nobody was told that it is there");
        let found = stage.verify().await;
        assert_eq!((&found["findings"], &found["contents"]), (&json!(0), &json!(1)), "{fault:?}");
        assert_eq!(stage.bucket.keys("sha256/"), [key_of(&kept)], "{fault:?}");
        assert_eq!(std::fs::read_dir(stage.studio.data_dir.join("blobs/incoming")).unwrap().count(), 0);
    }
    assert_eq!(stage.bucket.keys("aside/").len(), 1, "the one that came whole is kept for its time");
    upload(&stage.http, "large.bin", &large).await;
    assert_eq!(stage.verify().await["contents"], 2);
}
