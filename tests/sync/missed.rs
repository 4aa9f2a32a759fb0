//! Changes in the drive that are made while it is looked at.

use std::time::Duration;

use easel_tests::drive::upload_into;
use easel_tests::patience::wait_for;
use easel_tests::proxy::Fault;

use crate::computers::{LIMIT, Site};

/// As long as an answer may take that is no failure yet.
const LATE: Duration = Duration::from_secs(16);

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_into_the_drive_while_the_list_of_files_is_on_its_way_arrives_all_the_same() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&["brief"], 3);
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    let http = site.service();
    let folders = http.get("/v1/drive/folders?limit=200").await.expect(200);
    let brief =
        folders["data"].as_array().unwrap().iter().find(|folder| folder["name"] == "brief").unwrap()["id"].clone();
    // The folders are told at once, the files late: what comes between the two is in neither answer.
    site.proxy.break_next("GET", "/drive/files", Fault::Delay(LATE));
    site.proxy.forget_seen();
    wait_for("a list of files to be asked for", LIMIT, async || {
        let is_asked = site.proxy.seen().iter().any(|seen| seen.is("GET", "/drive/files"));
        if is_asked { Ok(()) } else { Err("none yet") }
    })
    .await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    upload_into(&http, brief.as_str().unwrap(), "meanwhile.txt", b"written while Easel looked").await;
    wait_for("what was written meanwhile", LATE + LIMIT, async || {
        let read = ada.read("brief/meanwhile.txt");
        if read.as_deref() == Some("written while Easel looked") { Ok(()) } else { Err(engine.describe()) }
    })
    .await;
    site.until_equal(&ada, &engine).await;
}
