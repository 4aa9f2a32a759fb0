//! What a queue tells about itself: why it waits, and which items it skipped after their caller had gone.

use std::sync::atomic::AtomicBool;

use super::*;

/// A journal that the system refuses to touch.
#[derive(Default)]
struct Refusing {
    is_on: AtomicBool,
}

impl Gate for Refusing {
    fn pass(&self, _access: Access) -> std::io::Result<()> {
        if self.is_on.load(Ordering::SeqCst) { Err(std::io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    }
}

#[tokio::test]
async fn a_journal_that_is_refused_is_no_full_disk_and_the_queue_goes_on_when_it_is_allowed_again() {
    let gate = Arc::new(Refusing::default());
    let bench = Bench::with(DIRECT_CEILING, quick(), Some(Arc::clone(&gate) as Arc<dyn Gate>)).await;
    let held = hold(&bench.stub, UPLOAD);
    let id = bench.enqueue(&[bench.file("a", b"a")]).await[0];
    gate.is_on.store(true, Ordering::SeqCst);
    held.add_permits(1_000);
    until("the queue says why", async || {
        matches!(&*crate::shared::mutex::lock(&bench.queue.shared.waiting), Some(Waiting::JournalUnusable { detail }) if !detail.is_empty())
    })
    .await;
    gate.is_on.store(false, Ordering::SeqCst);
    bench.until_state(id, State::Sent).await;
    bench.until_waiting(None).await;
    bench.stop().await;
}

#[tokio::test]
async fn what_a_resumed_walk_leaves_out_is_told_to_whoever_listens_then() {
    let mut bench = Bench::new(DIRECT_CEILING).await;
    bench.file("drop/a", b"a");
    std::os::unix::fs::symlink(bench.path("nowhere"), bench.path("drop/link")).unwrap();
    // A state as a crash leaves it: the drop is noted, and not walked.
    let shared = &bench.queue.shared;
    let paths = vec![bench.path("drop")];
    shared.journal.create_drop(&shared.connection_id, None, paths, uuid::Uuid::from_u128(1), 0).await.unwrap();
    bench.restart().await;
    bench.until_idle().await;
    let mut changes = bench.queue.changes();
    let told = tokio::time::timeout(Duration::from_secs(20), async {
        loop {
            let batch = changes.recv().await.unwrap();
            if !batch.skipped.is_empty() {
                return batch.skipped.clone();
            }
        }
    });
    let told = told.await.unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0].path, &told[0].reason), (&bench.path("drop/link"), &crate::SkipReason::SymbolicLink));
    bench.stop().await;
}
