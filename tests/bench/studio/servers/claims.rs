//! Ten thousand queued tasks, drawn by one worker process, by two and by four; each is drawn once.
//!
//! Workers draw on the processors that all of them share, so more of them are not faster on a machine that one keeps busy: what is shown
//! is that they take nothing from one another and cost one another nothing.

use std::time::{Duration, Instant};

use easel_tests::figures::{Target, write, write_plain};
use easel_tests::several::{self, Rig};
use easel_tests::studio::Options;
use serde_json::json;

use crate::load;

const TASKS: usize = 10_000;
/// How many worker processes there are, by turns.
const WORKERS: [usize; 3] = [1, 2, 4];

/// Tasks that have ended, those that ended well at their first attempt, and designs.
const ENDED: &str = "SELECT COUNT(*) FILTER (WHERE status NOT IN ('queued', 'running')), \
   COUNT(*) FILTER (WHERE status = 'succeeded' AND attempt = 1), (SELECT COUNT(*) FROM canvases) FROM tasks";

pub async fn measure() {
    let mut rates = Vec::new();
    for workers in WORKERS {
        let rate = draw_all(workers).await;
        write_plain(&format!("10,000 queued tasks drawn, worker processes: {workers}"), rate, "/s");
        rates.push(rate);
    }
    write("10,000 queued tasks: four worker processes beside one", rates[2] / rates[0], "×", Target::AtLeast(0.9));
}

/// Tasks drawn in a second by so many worker processes.
///
/// # Panics
/// Where a task did not end well at its first attempt, or there is not one design for each.
async fn draw_all(workers: usize) -> f64 {
    let options = Options::new().with("--concurrent-tasks", "0").with("--expire-tasks-after", "100000");
    let mut rig = Rig::start(options.clone().with("--role", "api"), 1);
    let (key, authority) = (rig.studios[0].create_key("bench").key, rig.studios[0].api_authority());
    let ask = move |number: usize| {
        let body = json!({"prompt": format!("Card {number}"), "format": {"category": "social"}}).to_string();
        load::post("/v1/tasks", &key, "application/json", body.as_bytes())
    };
    load::collect(&[authority], TASKS, ask).await;
    let began = Instant::now();
    for _ in 0..workers {
        let options = options.clone().database(&rig.database).bucket(&rig.bucket).worker();
        rig.studios.push(several::start_beside(&rig.front, &options, &rig.studios[0]));
    }
    loop {
        let counts = rig.database.query(ENDED);
        let counts: Vec<usize> = counts.trim().split('|').map(|count| count.parse().expect("a number")).collect();
        if counts[0] == TASKS {
            assert_eq!(counts, [TASKS; 3], "each is drawn once");
            return TASKS as f64 / began.elapsed().as_secs_f64();
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
