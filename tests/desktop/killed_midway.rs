//! The main job, with the app killed in the middle of the large file.

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, read_drive};
use easel_tests::patience::wait_for;
use easel_tests::process;
use easel_tests::samples::{self, DECK_BYTES, write_samples};
use easel_tests::window::PATIENCE;

const PICTURE: &str = "Harbour at dawn.png";
const DECK: &str = "Autumn launch.pptx";

#[tokio::test]
async fn killed_in_the_middle_of_the_large_file_it_goes_on_and_each_content_is_there_once() {
    let mut journey = Journey::begin(Keychain::Unlocked).await;
    let samples = write_samples(&journey.files());
    journey.start_on_this_computer().await;
    let studio = journey.wait_for_studio().await;

    // The middle is made certain: as soon as a part of the deck has arrived, the studio is held still.
    let arrived = journey.hold_studio_once(studio, DECK_BYTES / 20);
    let dropped = [samples.picture.clone(), samples.deck.clone(), samples.same_picture];
    journey.drop_files("home-dropzone", &dropped).await;
    let arrived = arrived.join().unwrap();
    assert!(arrived < DECK_BYTES, "the deck was there whole before the studio could be held");
    println!("killed when {arrived} of {DECK_BYTES} bytes of the deck had arrived");
    wait_for("the deck on its way", PATIENCE, async || {
        journey.open_shelf().await;
        let rows = journey.window.transfer_rows().await;
        let is_sending = rows.iter().any(|row| row.name == DECK && row.state == "sending");
        if is_sending { Ok(()) } else { Err(format!("{rows:?}")) }
    })
    .await;
    journey.window.kill();

    // The studio ends with the app, by itself.
    process::let_go(studio);
    process::wait_for_end(studio, PATIENCE);

    journey.start_again().await;
    journey.window.find("home-dropzone").await;
    assert_ne!(journey.wait_for_studio().await, studio);
    let rows = journey.wait_for_transfers(&[DECK]).await;
    assert_eq!(rows[DECK].state, "sent", "{rows:?}");

    let service = journey.built_in_service().await;
    // The third file may be the one that was first, had the kill come between the two; its content counts once.
    let files = read_drive(&service).await;
    let mut contents = files.values().map(|file| file.sha256.as_str()).collect::<Vec<_>>();
    contents.sort_unstable();
    let (picture, deck) = (samples::hash_file(&samples.picture), samples::hash_file(&samples.deck));
    let mut expected = [picture.as_str(), deck.as_str()];
    expected.sort_unstable();
    assert_eq!(contents, expected, "exactly the two contents, once each: {files:?}");
    assert_eq!(files[DECK].size_bytes, DECK_BYTES);
    journey.wait_for_drive(&[(PICTURE, "file"), (DECK, "file")]).await;
}
