//! A drive of 100,000 files: opened, and scrolled from end to end beside a page of the same size that does nothing.
//!
//! Both are scrolled in the same web view by the same steps, one a frame, so that their ratio says what the list itself costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use easel_tests::desktop::Keychain;
use easel_tests::figures::{self, Target};
use easel_tests::http::{CANONICAL, Form, Http};
use easel_tests::journey::Journey;
use easel_tests::studio::{Options, Studio};
use tokio::task::JoinSet;

/// How many files, unless `EASEL_BENCH_FILES` says so: fewer are enough to try the bench itself.
const FILES: usize = 100_000;
const AT_ONCE: usize = 16;
const OPENINGS: usize = 7;
const OPENING_MS: f64 = 300.0;
/// Frames from one end to the other.
const FRAMES: usize = 900;
const RATIO: f64 = 2.0;

/// Prints both.
pub async fn measure() {
    let files = std::env::var("EASEL_BENCH_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(FILES);
    let studio = Studio::start(Options::new());
    let key = studio.create_key("bench");
    fill(&Http::new(&studio.base_url).with_version(CANONICAL).with_key(&key.key), files).await;
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.submit_connection(&studio.base_url, &key.key).await;
    window.find("home-dropzone").await;

    let mut openings_ms = Vec::new();
    for _ in 0..OPENINGS {
        window.click("rail-home").await;
        window.find("home-dropzone").await;
        let opened = "const done = arguments[arguments.length - 1]; \
             const began = performance.now(); \
             const look = () => document.querySelector('[data-testid=drive-row][data-name]') \
                 ? requestAnimationFrame(() => done(performance.now() - began)) : requestAnimationFrame(look); \
             document.querySelector('[data-testid=rail-drive]').click(); look()";
        openings_ms.push(window.ask(opened).await.as_f64().expect("a time"));
    }
    let name = format!("a drive list of {files} files opened");
    figures::write(&name, figures::median(openings_ms), "ms", Target::AtMost(OPENING_MS));

    let list = scroll(&journey, FIND_LIST).await;
    let bare = scroll(&journey, MAKE_BARE).await;
    for (name, of) in [("median", figures::median as fn(Vec<f64>) -> f64), ("99th of 100", figures::percentile_99)] {
        let (list, bare) = (of(list.clone()), of(bare.clone()));
        figures::write_plain(&format!("frame while the list scrolls, {name}"), list, "ms");
        figures::write_plain(&format!("frame while a static page scrolls, {name}"), bare, "ms");
        figures::write(&format!("list to static page, {name}"), list / bare, "×", Target::AtMost(RATIO));
    }
}

/// The element that the list scrolls in.
const FIND_LIST: &str = "let scroller = document.querySelector('[data-testid=drive-row]'); \
     while (scroller.scrollHeight <= scroller.clientHeight || getComputedStyle(scroller).overflowY === 'visible') \
         scroller = scroller.parentElement;";

/// A page of the same height over it, with a line of the same words for each row and nothing that moves or listens.
const MAKE_BARE: &str = "let list = document.querySelector('[data-testid=drive-row]'); \
     const words = list.innerText, height = list.getBoundingClientRect().height; \
     while (list.scrollHeight <= list.clientHeight || getComputedStyle(list).overflowY === 'visible') list = list.parentElement; \
     const scroller = document.createElement('div'); \
     scroller.style.cssText = 'position:fixed;inset:0;overflow:auto;background:white;z-index:1000'; \
     const rows = document.createDocumentFragment(); \
     for (let index = Math.round(list.scrollHeight / height); index > 0; index -= 1) { \
         const row = document.createElement('div'); row.style.height = `${height}px`; row.textContent = words; rows.append(row); } \
     scroller.append(rows); document.body.append(scroller); scroller.scrollTop = 1; scroller.scrollTop = 0;";

/// The times between frames while what `find` names is scrolled from end to end, in milliseconds.
async fn scroll(journey: &Journey, find: &str) -> Vec<f64> {
    let script = format!(
        "const done = arguments[arguments.length - 1]; \
         {find} \
         scroller.scrollTop = 0; \
         const step = (scroller.scrollHeight - scroller.clientHeight) / {FRAMES}; \
         const times = []; let last = null; \
         const frame = (now) => {{ \
             if (last !== null) times.push(now - last); \
             last = now; \
             if (times.length >= {FRAMES}) return done(times); \
             scroller.scrollTop = Math.ceil(step * (times.length + 1)); \
             requestAnimationFrame(frame); \
         }}; \
         requestAnimationFrame(() => requestAnimationFrame(frame))"
    );
    let times = journey.window.ask(&script).await;
    serde_json::from_value(times).expect("times of frames")
}

/// Puts files at the top of the drive, as everybody does: over HTTP.
async fn fill(service: &Http, files: usize) {
    let next = Arc::new(AtomicUsize::new(0));
    let mut senders = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (service, next) = (service.clone(), Arc::clone(&next));
        senders.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= files {
                    return;
                }
                let name = format!("Notes of the meeting {number:06}.txt");
                let form = Form::of_file(&name, format!("What was said in meeting {number}").as_bytes());
                let answer = service.post_form("/v1/uploads", &form).await;
                assert!(answer.status.is_success(), "{name}: {}", answer.status);
            }
        });
    }
    while let Some(ended) = senders.join_next().await {
        ended.expect("files that were sent");
    }
}
