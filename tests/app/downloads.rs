//! Files from the drive on this computer.

use easel_app::drive::{DownloadPlace, DownloadState, DownloadView, OpenedFile};
use easel_app::events::Event;
use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::studio::{Options, Studio};

use crate::stage::Stage;

async fn wait_for_end(stage: &Stage, id: &str) -> DownloadView {
    let ended = stage.page.wait_for("the download's end", |event| match event {
        Event::DownloadChanged(changed) if changed.download.download_id == id => {
            (changed.download.state != DownloadState::Running).then(|| changed.download.clone())
        }
        _ => None,
    });
    ended.await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_never_overwrites_and_can_be_shown() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let file = stage.put("report.txt", b"from the drive", None).await;
    let downloads = stage.folder.path().join("Downloads");
    std::fs::create_dir(&downloads).unwrap();
    std::fs::write(downloads.join("report.txt"), "mine").unwrap();
    *stage.person.downloads.lock().unwrap() = Some(downloads.clone());

    let begun = stage.app.downloads().download_file(file.id.clone(), DownloadPlace::Downloads).await.unwrap().unwrap();
    assert_eq!((begun.state, begun.place.as_str()), (DownloadState::Running, "Downloads"));
    let ended = wait_for_end(&stage, &begun.download_id).await;
    assert_eq!((ended.state, ended.name.as_str()), (DownloadState::Finished, "report (2).txt"));
    assert_eq!(ended.received_bytes.get(), 14);
    assert_eq!(std::fs::read(downloads.join("report.txt")).unwrap(), b"mine");
    assert_eq!(std::fs::read(downloads.join("report (2).txt")).unwrap(), b"from the drive");
    stage.app.downloads().reveal_download(begun.download_id).await.unwrap();
    assert_eq!(stage.person.revealed.lock().unwrap()[0], downloads.join("report (2).txt"));
    assert_eq!(stage.app.downloads().reveal_download("x".to_owned()).await.unwrap_err().code, "download_unknown");

    stage.person.chooses.lock().unwrap().clear();
    // Asked for a place, the person thought better of it; then chose one that cannot be written.
    assert_eq!(stage.app.downloads().download_file(file.id.clone(), DownloadPlace::Ask).await.unwrap(), None);
    *stage.person.chooses.lock().unwrap() = vec![stage.folder.path().join("nowhere")];
    let begun = stage.app.downloads().download_file(file.id, DownloadPlace::Ask).await.unwrap().unwrap();
    let ended = wait_for_end(&stage, &begun.download_id).await;
    assert_eq!(ended.state, DownloadState::Failed);
    assert_eq!(ended.problem.unwrap().code, "destination_unwritable");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opened_file_is_fetched_once_and_read_only() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let file = stage.put("deck.txt", b"deck", None).await;
    stage.app.downloads().open_file(file.id.clone()).await.unwrap();
    stage.app.downloads().open_file(file.id.clone()).await.unwrap();
    let opened = stage.person.opened.lock().unwrap().clone();
    assert_eq!(opened.len(), 2);
    assert_eq!(opened[0], opened[1], "the same content is fetched once");
    assert!(opened[0].starts_with(stage.data_dir()));
    assert_eq!(std::fs::read(&opened[0]).unwrap(), b"deck");
    assert!(std::fs::metadata(&opened[0]).unwrap().permissions().readonly());
    let gone = stage.app.downloads().open_file("file_00000000000000000000000000".to_owned()).await.unwrap_err();
    assert_eq!(gone.code, "file_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_could_run_a_program_is_never_opened_and_its_name_is_shown_safely() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let put = async |name: &str, content: &[u8]| {
        let uploaded = upload(&http, name, content).await;
        uploaded["file_id"].as_str().unwrap().to_owned()
    };
    for (name, content, shown) in [
        ("setup.exe", b"anything".as_slice(), "setup.exe"),
        ("photo\u{202E}gpj.desktop", b"an entry", "photo\u{FFFD}gpj.desktop"),
        ("notes", b"#!/bin/sh\n", "notes"),
        ("picture.png", b"\x7fELF\x02", "picture.png"),
    ] {
        let id = put(name, content).await;
        let opened = stage.app.downloads().open_file(id.clone()).await.unwrap();
        assert_eq!(opened, OpenedFile::CouldRun { name: shown.to_owned() });
        // Nor a second time, from what was fetched the first.
        assert_eq!(stage.app.downloads().open_file(id.clone()).await.unwrap(), opened);
        let listed = stage.app.drive().list_recent_files(10).await.unwrap();
        let name = listed.iter().find(|file| file.id == id).map(|file| file.name.as_str());
        assert_eq!(name, Some(shown));
    }
    assert!(stage.person.opened.lock().unwrap().is_empty());

    let id = put("photo\u{202E}gpj.sh", b"echo").await;
    *stage.person.chooses.lock().unwrap() = vec![stage.folder.path().to_owned()];
    let begun = stage.app.downloads().download_file(id, DownloadPlace::Ask).await.unwrap().unwrap();
    let ended = wait_for_end(&stage, &begun.download_id).await;
    assert_eq!((ended.state, ended.name.as_str()), (DownloadState::Finished, "photo_gpj.sh"));
    assert!(stage.folder.path().join("photo_gpj.sh").exists());
    let opened = stage.app.downloads().open_file(put("deck.txt", b"deck").await).await.unwrap();
    assert_eq!(opened, OpenedFile::Opened);
}
