//! The store in a folder: offers, removals in between, and what is set aside.

use super::*;

struct Store {
    blobs: Blobs,
    root: tempfile::TempDir,
}

impl Store {
    fn open() -> Self {
        let root = tempfile::tempdir().unwrap();
        Self { blobs: Blobs::open(root.path()).unwrap(), root }
    }

    async fn offer(&self, text: &str) -> Offered {
        let mut writing = self.blobs.begin(Uuid::now_v7());
        writing.write(text.as_bytes()).await.unwrap();
        writing.offer(hash_of(text)).await.unwrap()
    }

    async fn read(&self, text: &str) -> Option<Vec<u8>> {
        self.blobs.read_whole(&hash_of(text)).await.ok()
    }

    fn count_incoming(&self) -> usize {
        std::fs::read_dir(self.root.path().join(INCOMING)).unwrap().count()
    }
}

fn hash_of(text: &str) -> ContentHash {
    Sha256::digest(text).into()
}

#[tokio::test]
async fn what_is_removed_between_its_offer_and_its_row_comes_back() {
    let store = Store::open();
    let offered = store.offer("wanted").await;
    for remover in [store.blobs.clone(), Blobs::beside(store.root.path()).unwrap()] {
        remover.remove(&hash_of("wanted")).await;
        assert_eq!(store.read("wanted").await, None);
        store.blobs.keep(&offered).await.unwrap();
        assert_eq!(store.read("wanted").await.as_deref(), Some(b"wanted".as_slice()), "whichever process removed it");
    }
    store.blobs.discard(offered.location()).await;
    assert_eq!(store.count_incoming(), 0);
}

#[tokio::test]
async fn two_offers_share_one_content() {
    let store = Store::open();
    let (first, second) = (store.offer("same").await, store.offer("same").await);
    for offered in [&first, &second] {
        store.blobs.keep(offered).await.unwrap();
        store.blobs.discard(offered.location()).await;
        assert_eq!(store.read("same").await.as_deref(), Some(b"same".as_slice()));
    }
    assert_eq!(store.count_incoming(), 0);
}

#[tokio::test]
async fn what_cannot_be_brought_back_is_said() {
    let store = Store::open();
    let offered = store.offer("lost").await;
    store.blobs.discard(offered.location()).await;
    store.blobs.keep(&offered).await.unwrap();
    store.blobs.remove(&hash_of("lost")).await;
    assert!(matches!(store.blobs.keep(&offered).await, Err(Error::Io(_))));
}

#[tokio::test]
async fn the_next_start_removes_what_was_being_written() {
    let store = Store::open();
    let mut writing = store.blobs.begin(Uuid::now_v7());
    writing.write(&vec![1; WRITE_BYTES]).await.unwrap();
    let offered = store.offer("half-way").await;
    assert!(store.count_incoming() >= 2);
    std::mem::forget(writing);
    let again = Blobs::open(store.root.path()).unwrap();
    assert_eq!(store.count_incoming(), 0);
    assert!(store.read("half-way").await.is_some());
    drop((again, offered));
}

#[tokio::test]
async fn what_is_set_aside_comes_back_and_is_forgotten_after_its_time_alone() {
    let store = Store::open();
    for text in ["one", "two", "three"] {
        store.offer(text).await;
    }
    let at = easel_wire::Timestamp::from_micros;
    let moved = store.blobs.set_aside([hash_of("one")].into(), at(1_000)).await.unwrap();
    assert_eq!((moved, store.read("one").await.is_some(), store.read("two").await), (2, true, None));
    // Uploaded and lost once more: it is listed once, since it was last set aside.
    store.offer("two").await;
    assert_eq!(store.blobs.set_aside([hash_of("one")].into(), at(2_000)).await.unwrap(), 1);
    let listed = store.blobs.list_aside().await.unwrap();
    let mut since: Vec<_> = listed.iter().map(|one| (one.size_bytes, one.since)).collect();
    since.sort();
    assert_eq!(since, [(3, at(2_000)), (5, at(1_000))]);
    assert_eq!(store.blobs.restore_referred([hash_of("one"), hash_of("two")].into()).await.unwrap(), 1);
    assert_eq!(store.read("two").await.as_deref(), Some(b"two".as_slice()));
    assert_eq!(store.blobs.list_aside().await.unwrap().len(), 1, "no second copy is left");
    let later = |micros: i64| at(30 * 24 * 60 * 60 * 1_000_000 + micros);
    assert_eq!(store.blobs.forget_aside(later(1_001)).await.unwrap(), 0, "no day was counted");
    for _ in 0..30 {
        assert_eq!(store.blobs.forget_aside(later(1_001)).await.unwrap(), 0);
        store.blobs.count_day_aside().await.unwrap();
    }
    assert_eq!(store.blobs.forget_aside(later(1_000)).await.unwrap(), 0, "the clock does not say so yet");
    store.blobs.bring_back(hash_of("three")).await.unwrap();
    assert!(matches!(store.blobs.bring_back(hash_of("four")).await, Err(Error::Io(_))));
    store.blobs.set_aside([].into(), at(3_000)).await.unwrap();
    assert_eq!(store.blobs.forget_aside(later(3_001)).await.unwrap(), 0, "what came later waits for its own days");
    for _ in 0..30 {
        store.blobs.count_day_aside().await.unwrap();
    }
    assert_eq!(store.blobs.forget_aside(later(3_001)).await.unwrap(), 3);
    assert_eq!(store.blobs.list_aside().await.unwrap(), []);
}
