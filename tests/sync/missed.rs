//! Changes in the drive that are made while it is looked at.

use std::time::Duration;

use easel_tests::drive::{create_folder, upload_into};
use easel_tests::patience::wait_for;
use easel_tests::process::{hold_still, let_go};
use easel_tests::proxy::Fault;
use easel_tests::synced::Engine;

use crate::computers::{Computer, LIMIT, Site, until_it_reads, until_it_reads_within};

/// As long as an answer may take that is no failure yet.
const LATE: Duration = Duration::from_secs(16);

/// A computer that is in step with the drive, and the id of the drive folder "brief".
async fn computer_with_a_brief(site: &Site) -> (Computer, Engine, String) {
    let ada = site.computer();
    ada.write_files(&["brief"], 3);
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    let folders = site.service().get("/v1/drive/folders?limit=200").await.expect(200);
    let folders = folders["data"].as_array().unwrap();
    let brief = folders.iter().find(|folder| folder["name"] == "brief").unwrap();
    let brief = brief["id"].as_str().unwrap().to_owned();
    (ada, engine, brief)
}

/// Waits until the service was asked for its list of files.
async fn until_files_are_asked_for(site: &Site) {
    wait_for("a list of files to be asked for", LIMIT, async || {
        let is_asked = site.proxy.seen().iter().any(|seen| seen.is("GET", "/drive/files"));
        if is_asked { Ok(()) } else { Err("none yet") }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_into_the_drive_while_the_list_of_files_is_on_its_way_arrives_all_the_same() {
    let site = Site::open().await;
    let (ada, engine, brief) = computer_with_a_brief(&site).await;
    // The folders are told at once, the files late: what comes between the two is in neither answer.
    site.proxy.break_next("GET", "/drive/files", Fault::Delay(LATE));
    site.proxy.forget_seen();
    until_files_are_asked_for(&site).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    upload_into(&site.service(), &brief, "meanwhile.txt", b"written while Easel looked").await;
    until_it_reads_within(&ada, &engine, "brief/meanwhile.txt", "written while Easel looked", LATE + LIMIT).await;
    site.until_equal(&ada, &engine).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_into_the_drive_while_a_computer_sleeps_in_the_middle_of_a_look_arrives_all_the_same() {
    let site = Site::open().await;
    let (ada, engine, brief) = computer_with_a_brief(&site).await;
    // The computer falls asleep between the list of folders and the list of files, whose answer waits for it.
    site.proxy.break_next("GET", "/drive/files", Fault::Delay(LATE));
    site.proxy.forget_seen();
    until_files_are_asked_for(&site).await;
    hold_still(engine.pid());
    let service = site.service();
    upload_into(&service, &brief, "asleep.txt", b"written while the computer slept").await;
    let new = create_folder(&service, "New", Some(&brief)).await;
    upload_into(&service, &new, "in-a-new-folder.txt", b"in a folder of that time").await;
    tokio::time::sleep(LATE + Duration::from_secs(4)).await;
    let_go(engine.pid());
    until_it_reads(&ada, &engine, "brief/asleep.txt", "written while the computer slept").await;
    until_it_reads(&ada, &engine, "brief/New/in-a-new-folder.txt", "in a folder of that time").await;
    site.until_equal(&ada, &engine).await;
}
