//! Sending a large file does not hold it in memory.

use easel_tests::desktop::Keychain;
use easel_tests::journey::Journey;
use easel_tests::{process, samples};

/// The most by which the app may grow (25,165,824 bytes).
const GROWTH_BYTES: u64 = 24 * 1024 * 1024;

/// The most that a workspace takes in one file.
const FILE_BYTES: u64 = 250_000_000;

#[tokio::test]
async fn sending_250_mb_grows_the_app_by_at_most_24_mb() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let (small, large) = (journey.files().join("Small.bin"), journey.files().join("Film.mov"));
    samples::write_noise(&small, 1_000_000, 3);
    samples::write_noise(&large, FILE_BYTES, 4);
    journey.start_on_this_computer().await;
    // One small file first, so that what is loaded once and kept is not counted.
    journey.drop_files("home-dropzone", &[small]).await;
    journey.wait_for_transfers(&["Small.bin"]).await;

    let app = journey.window.pid();
    let before = process::read_resident_bytes(app);
    process::forget_peak(app);
    journey.drop_files("home-dropzone", std::slice::from_ref(&large)).await;
    let rows = journey.wait_for_transfers(&["Film.mov"]).await;
    assert_eq!(rows["Film.mov"].state, "sent", "{rows:?}");

    let growth = process::read_peak_bytes(app).saturating_sub(before);
    println!("sending {FILE_BYTES} bytes: {before} bytes resident before, grown by at most {growth} bytes");
    assert!(growth <= GROWTH_BYTES, "grown by {growth} bytes, {GROWTH_BYTES} are allowed");
}
