//! What a design takes through the service, which has it drawn by a process of its own, beyond drawing the same brief here.
//!
//! The difference holds all that is not drawing: the request, the queue, the process, its answer, the disk and the database. So it is
//! more than what the process alone costs, and is measured against that process's bound. The two take turns.

use std::time::Instant;

use easel_canvas::{Brief, Category, Format, compose, proof};
use easel_tests::bench::fresh_folder;
use easel_tests::figures::{Target, median, seconds, write, write_plain};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::studio::{Options, Studio};
use serde_json::json;

/// Designs of each; the first ones warm both up and do not count.
const DESIGNS: usize = 24;
const WARMING: usize = 4;

/// Pixels of the longer side of the picture that the service makes of a design.
const PICTURE_PX: u32 = 640;

/// How much longer a design may take than its drawing, in milliseconds.
const LONGER_MS: f64 = 30.0;

pub async fn measure() {
    let place = fresh_folder("designs");
    let options = Options::new().data_dir(&place.path().join("studio")).with("--concurrent-tasks", "0");
    let studio = Studio::start(options.requests_per_minute(0));
    let http = Http::new(&studio.base_url)
        .with_key(&studio.create_key("bench").key)
        .with_version(CANONICAL)
        .with_header("prefer", "wait=30");
    let (mut through, mut here) = (Vec::new(), Vec::new());
    for number in 0..DESIGNS {
        let prompt = format!("A poster for the opening of bakery {number}, on Saturday at nine, Mill Lane {number}");
        let body = json!({"prompt": prompt, "format": {"category": "social"}});
        let began = Instant::now();
        let task = http.post("/v1/tasks", &body).await.success();
        let took = began.elapsed();
        assert_eq!(task["status"], "succeeded", "{task}");
        let began = Instant::now();
        draw_here(prompt);
        if number >= WARMING {
            through.push(seconds(took) * 1000.0);
            here.push(seconds(began.elapsed()) * 1000.0);
        }
    }
    let (through, here) = (median(through), median(here));
    write_plain("a design through the service", through, "ms");
    write_plain("the same brief drawn here", here, "ms");
    write("a design through the service, beyond drawing it", through - here, "ms", Target::AtMost(LONGER_MS));
}

/// What the process that draws does with such a brief.
fn draw_here(prompt: String) {
    let brief = Brief {
        prompt,
        format: Format::of(Category::Social),
        page_count: None,
        name: None,
        brand: None,
        attachments: Vec::new(),
        seed: 7,
    };
    let composed = compose(&brief, &mut |_| {}).expect("a design");
    let picture = proof(&composed.document, PICTURE_PX, &mut |_| {}).expect("a picture");
    let document = composed.document.to_json().expect("a document");
    assert!(!picture.is_empty() && !document.is_empty());
}
