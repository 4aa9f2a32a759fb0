//! The main job: files dropped on the window are in the drive.

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, read_drive};
use easel_tests::samples::{self, DECK_BYTES, write_samples};

const PICTURE: &str = "Harbour at dawn.png";
const DECK: &str = "Autumn launch.pptx";
const SAME_PICTURE: &str = "Harbour, final.png";

#[tokio::test]
async fn three_dropped_files_are_in_the_drive_and_the_third_was_there_already() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let samples = write_samples(&journey.files());
    journey.start_on_this_computer().await;

    journey.drop_files("home-dropzone", &[samples.picture.clone(), samples.deck.clone(), samples.same_picture]).await;
    let rows = journey.wait_for_transfers(&[PICTURE, DECK, SAME_PICTURE]).await;
    assert_eq!((&*rows[PICTURE].state, &*rows[DECK].state), ("sent", "sent"), "{rows:?}");
    assert_eq!(rows[SAME_PICTURE].state, "already_there", "{rows:?}");
    assert!(rows[SAME_PICTURE].text.contains("Already in the drive"), "{rows:?}");

    // The drive screen, the service's own answer and the bytes downloaded again agree.
    journey.wait_for_drive(&[(PICTURE, "file"), (DECK, "file")]).await;
    let files = read_drive(&journey.built_in_service().await).await;
    assert_eq!(files.keys().collect::<Vec<_>>(), [DECK, PICTURE]);
    assert_eq!(files[DECK].size_bytes, DECK_BYTES);
    assert_eq!(files[DECK].sha256, samples::hash_file(&samples.deck));
    assert_eq!(files[PICTURE].sha256, samples::hash_file(&samples.picture));
}

#[tokio::test]
async fn a_dropped_folder_is_taken_whole_and_what_cannot_be_sent_is_named() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let folder = journey.files().join("Campaign");
    std::fs::create_dir_all(folder.join("Deep/Deeper")).unwrap();
    std::fs::write(folder.join("Brief.txt"), "a brief").unwrap();
    std::fs::write(folder.join("Deep/Deeper/Empty.txt"), "").unwrap();
    journey.desktop.run("mkfifo", &[&folder.join("pipe").to_string_lossy()]);
    std::os::unix::fs::symlink(&folder, folder.join("Deep/loop")).unwrap();
    journey.start_on_this_computer().await;

    journey.drop_files("home-dropzone", std::slice::from_ref(&folder)).await;
    // Named first: the message stands for ten seconds only.
    journey.window.wait_for_page_words("pipe").await;
    let rows = journey.wait_for_transfers(&["Brief.txt", "Empty.txt"]).await;
    assert!(rows.values().all(|row| row.state == "sent"), "{rows:?}");

    journey.wait_for_drive(&[("Campaign", "folder")]).await;
    let service = journey.built_in_service().await;
    let files = read_drive(&service).await;
    assert_eq!(files["Empty.txt"].size_bytes, 0);
    assert_eq!(files["Brief.txt"].sha256, samples::hash_bytes(b"a brief"));
    let tree = service.get("/v1/drive/tree?depth=10").await.expect(200);
    assert_eq!(tree["tree"][0]["name"], "Campaign", "{tree}");
    assert_eq!(tree["tree"][0]["children"][0]["children"][0]["name"], "Deeper", "{tree}");
}
