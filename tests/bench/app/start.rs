//! From the start of the process to the first screen: the first start, and one that comes to a drive in use.

use easel_tests::desktop::Keychain;
use easel_tests::figures::{self, Target};
use easel_tests::journey::Journey;

use crate::account;

const RUNS: usize = 5;
/// The most that a start may take, in milliseconds.
const LIMIT_MS: f64 = 1_000.0;

/// Prints both.
pub async fn measure() {
    let mut first = Vec::new();
    for _ in 0..RUNS {
        let journey = Journey::begin(Keychain::Unlocked).await;
        journey.window.find("welcome-start").await;
        first.push(read_milliseconds(&journey).await);
    }
    figures::write(
        "process start to the first screen, first start",
        figures::median(first),
        "ms",
        Target::AtMost(LIMIT_MS),
    );

    let mut journey = Journey::begin(Keychain::Unlocked).await;
    journey.start_on_this_computer().await;
    journey.window.find("design-card").await;
    let mut later = Vec::new();
    for _ in 0..RUNS {
        journey.window.kill();
        journey.start_again().await;
        journey.window.find("home-dropzone").await;
        later.push(read_milliseconds(&journey).await);
    }
    figures::write("process start to Home, later starts", figures::median(later), "ms", Target::AtMost(LIMIT_MS));
}

/// From the start of the process, as the system has it, to the first thing that the page drew, as the page has it. Nothing is drawn
/// before the program has answered what the first screen shows, and from then on it answers clicks.
async fn read_milliseconds(journey: &Journey) -> f64 {
    let script = "const paint = performance.getEntriesByType('paint').find(each => each.name === 'first-contentful-paint'); \
                  return paint ? performance.timeOrigin + paint.startTime : null";
    let drawn = easel_tests::patience::wait_for("the first paint", easel_tests::window::PATIENCE, async || {
        journey.window.look(script).await.as_f64().ok_or("not told yet")
    })
    .await;
    drawn - account::read_start(journey.window.pid()).as_secs_f64() * 1_000.0
}
