//! What Easel takes while nothing happens, and after very many progress events.
//!
//! The events are those of a real transfer, caught in the page on their way and given to it again, each with another count of bytes:
//! ten a second is the most that the app sends, and 360,000 of them would be ten hours. The page does with each all that it does
//! with any other, drawing included.

use std::time::Duration;

use easel_tests::desktop::Keychain;
use easel_tests::figures::{self, Target};
use easel_tests::journey::Journey;
use easel_tests::samples;

use crate::account;

/// How long nothing is done before anything is measured: what a start leaves behind is finished by then.
const SETTLING: Duration = Duration::from_secs(20);
const MINUTE: Duration = Duration::from_secs(60);
/// The share of a core that is allowed while nothing happens, in percent.
const IDLE_PERCENT: f64 = 0.5;
const EVENTS: u64 = 360_000;
/// Events of one round, after which the page draws and the driver hears of it.
const ROUND: u64 = 6_000;
const GROWTH_BYTES: f64 = 30e6;

async fn begin() -> Journey {
    let journey = Journey::begin(Keychain::Unlocked).await;
    journey.start_on_this_computer().await;
    journey.window.find("design-card").await;
    journey
}

/// Prints memory and processor time of a window that nobody touches.
pub async fn measure_idle() {
    let journey = begin().await;
    tokio::time::sleep(SETTLING).await;
    let app = journey.window.pid();
    figures::write_plain("resident memory, idle", account::read_resident_bytes(app) as f64 / 1e6, "MB");
    figures::write_plain("… the app alone", easel_tests::process::read_resident_bytes(app) as f64 / 1e6, "MB");
    let before = account::read_processor_time(app);
    tokio::time::sleep(MINUTE).await;
    let used = account::read_processor_time(app) - before;
    let percent = used.as_secs_f64() / MINUTE.as_secs_f64() * 100.0;
    figures::write("processor time over an idle minute", percent, "% of a core", Target::AtMost(IDLE_PERCENT));
}

/// Prints by how much everything has grown after many events.
pub async fn measure_events() {
    let journey = begin().await;
    let window = &journey.window;
    catch_events(&journey).await;
    let film = journey.files().join("Film.mov");
    samples::write_noise(&film, 200_000_000, 5);
    journey.drop_files("home-dropzone", &[film]).await;
    journey.wait_for_transfers(&["Film.mov"]).await;
    let caught = window.look("return window.caught.length").await.as_u64().unwrap_or(0);
    assert!(caught > 0, "no event of the transfer was caught");

    // Once through, so that what is loaded once and kept is not counted.
    give_events(&journey, ROUND).await;
    tokio::time::sleep(SETTLING).await;
    let before = account::read_resident_bytes(window.pid());
    let mut given = 0;
    while given < EVENTS {
        give_events(&journey, ROUND).await;
        given += ROUND;
    }
    tokio::time::sleep(SETTLING).await;
    let after = account::read_resident_bytes(window.pid());
    let name = format!("growth after {given} progress events");
    figures::write(&name, (after as f64 - before as f64) / 1e6, "MB", Target::AtMost(GROWTH_BYTES / 1e6));
}

/// From now on the page keeps a copy of each progress event. The shell keeps who listens to what
/// under a name of its own.
async fn catch_events(journey: &Journey) {
    let script = "window.caught = []; \
         const list = Object.getOwnPropertyNames(window).find(each => window[each]?.transfers_changed); \
         if (!list) return 'nobody listens'; \
         const ears = window[list].transfers_changed; \
         const ids = Object.getOwnPropertyNames(ears).map(each => ears[each].handlerId); \
         const { callbacks } = window.__TAURI_INTERNALS__; \
         window.hear = payload => ids.forEach(id => callbacks.get(id)({ event: 'transfers_changed', id: 0, payload })); \
         const [first] = ids, hear = callbacks.get(first); \
         if (!hear) return 'no callback'; \
         callbacks.set(first, event => { \
             if (event.payload.changed.some(each => each.state === 'sending') && window.caught.length < 1000) \
                 window.caught.push(structuredClone(event.payload)); \
             return hear(event); }); \
         return true";
    let caught = journey.window.look(script).await;
    assert_eq!(caught, true, "the page's events cannot be followed");
}

/// Gives the page so many of the caught events, each with another count of bytes; it draws between any fifty of them.
async fn give_events(journey: &Journey, count: u64) {
    let script = format!(
        "const done = arguments[arguments.length - 1]; \
         (async () => {{ \
             for (let index = 0; index < {count}; index += 1) {{ \
                 const payload = structuredClone(window.caught[index % window.caught.length]); \
                 for (const each of payload.changed) each.sent_bytes = (index * 7919) % each.size_bytes; \
                 window.hear(payload); \
                 await Promise.resolve(); \
                 if (index % 50 === 49) await new Promise(resolve => requestAnimationFrame(resolve)); \
             }} \
             return true; \
         }})().then(done, error => done(String(error)))"
    );
    assert_eq!(journey.window.ask(&script).await, true, "the events were not taken");
}
