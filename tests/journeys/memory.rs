//! What sending a large file costs in memory, read from the system.

use easel_tests::process::{forget_peak, read_peak_bytes, read_resident_bytes};
use easel_tests::samples::write_noise;
use easel_tests::studio::{Options, Studio};
use tempfile::TempDir;

use crate::probe::Probe;
use crate::sending::age;

/// The largest file that the service takes.
const LARGEST_BYTES: u64 = 250_000_000;
/// By so much may the resident memory of the sending process grow.
const GROWTH_BYTES: u64 = 24 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn sending_250_mb_grows_memory_by_at_most_24_mb() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let place = TempDir::with_prefix("easel-files-").expect("a folder");
    let (film, journal) = (place.path().join("film.mp4"), place.path().join("journal.db"));
    write_noise(&film, LARGEST_BYTES, 5);
    age(&film);
    let mut probe = Probe::start(&journal, &studio, &key, std::slice::from_ref(&film));
    probe.wait_for("started");
    let pid = probe.pid();
    let before = read_resident_bytes(pid);
    forget_peak(pid);
    let mut peak = before;
    loop {
        let line = probe.next().expect("the probe's next line");
        if line["event"] == "done" {
            assert_eq!(line["transfers"][0]["state"], "sent");
            break;
        }
        if line["event"] == "sending" {
            // The peak stands in the system's account as long as the process does.
            peak = peak.max(read_peak_bytes(pid));
        }
    }
    println!("resident before {before}, at most {peak} bytes: {} more", peak - before);
    assert!(peak - before <= GROWTH_BYTES, "{} bytes more than before", peak - before);
}
