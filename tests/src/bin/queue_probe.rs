//! Runs a queue until it is at rest, and nothing else, so that tests can kill it and look at its memory.
//!
//! `queue_probe JOURNAL BASE_URL [PATH…]`, the key in `EASEL_KEY`. It prints a line of JSON for each event: `started`,
//! `enqueued` with the skipped items, `sending` with the bytes that have gone, and `done` with every transfer.
#![expect(clippy::print_stdout, reason = "its lines on standard output are what it is for")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use easel_client::{Client, Connection};
use easel_sync::{Filter, Journal, Queue, Settings};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let journal = arguments.next().ok_or("a journal is needed")?;
    let base_url = arguments.next().ok_or("an address is needed")?;
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let base_url = base_url.to_str().ok_or("the address is no text")?;

    let client = Client::new(Connection::new(base_url, std::env::var("EASEL_KEY")?.into())?)?;
    let journal = Journal::open(Path::new(&journal)).await?;
    let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
    let settings = Settings {
        settle: Duration::from_millis(200),
        first_probe: Duration::from_millis(100),
        last_probe: Duration::from_secs(1),
        ..Settings::default()
    };
    let queue = Queue::start_with(journal.clone(), client, "probe", cancel.clone(), &tasks, settings).await?;
    let mut changes = queue.changes();
    println!("{}", json!({"event": "started"}));
    if !paths.is_empty() {
        let enqueued = queue.enqueue(paths, None).await?;
        println!("{}", json!({"event": "enqueued", "accepted": enqueued.accepted.len(), "skipped": enqueued.skipped}));
    }
    loop {
        match changes.recv().await {
            Ok(batch) => {
                let summary = &batch.summary;
                println!("{}", json!({"event": "sending", "sent_bytes": summary.bytes_sent}));
                let is_at_rest = summary.active == 0 && !summary.is_counting;
                if is_at_rest && queue.list(Filter::Unfinished, 0, 1).await?.is_empty() {
                    break;
                }
            }
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return Err("the queue ended by itself".into()),
        }
    }
    let mut transfers = Vec::new();
    loop {
        let page = queue.list(Filter::All, transfers.len() as u64, 1_000).await?;
        if page.is_empty() {
            break;
        }
        transfers.extend(page);
    }
    println!("{}", json!({"event": "done", "transfers": transfers}));
    cancel.cancel();
    tasks.close();
    tasks.wait().await;
    journal.close().await;
    Ok(())
}
