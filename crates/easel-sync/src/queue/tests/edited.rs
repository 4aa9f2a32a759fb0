//! Uploads that were begun before a crash, of files that were edited since.

use super::*;

#[tokio::test]
async fn what_was_staged_before_a_crash_is_not_registered_where_the_file_changed_since() {
    let check = async |is_fresh: bool| {
        let mut bench = Bench::new(TINY_CEILING).await;
        let gate = hold(&bench.stub, "PUT /storage");
        let path = bench.file("deck", &[1; 5_000]);
        let id = bench.enqueue(std::slice::from_ref(&path)).await[0];
        until("it is being put", async || bench.stub.count("PUT /storage") == 1).await;
        bench.cancel.cancel();
        std::fs::write(&path, [2; 6_000]).unwrap();
        if !is_fresh {
            age(&path);
        }
        gate.add_permits(100);
        bench.restart().await;
        bench.until_state(id, State::Sent).await;
        let contents: Vec<_> = bench.stub.files().iter().map(|file| file.content.to_vec()).collect();
        assert_eq!(contents, [vec![2; 6_000]], "{is_fresh}");
        bench.stop().await;
    };
    check(true).await;
    check(false).await;
}

#[tokio::test]
async fn what_was_taken_before_a_crash_is_not_registered_where_the_file_was_edited_since() {
    let mut bench = Bench::new(TINY_CEILING).await;
    refuse(&bench.stub, REGISTER, 503, "storage_full");
    let path = bench.file("deck", &[1; 5_000]);
    let id = bench.enqueue(std::slice::from_ref(&path)).await[0];
    until("its bytes are taken", async || bench.stub.count(REGISTER) > 0).await;
    bench.cancel.cancel();
    std::fs::write(&path, [2; 6_000]).unwrap();
    bench.stub.meet(|_| Meet::Service);
    bench.restart().await;
    bench.until_state(id, State::Sent).await;
    let contents: Vec<_> = bench.stub.files().iter().map(|file| file.content.to_vec()).collect();
    assert_eq!(contents, [vec![2; 6_000]]);
    bench.stop().await;
}

#[tokio::test]
async fn what_was_taken_before_a_crash_is_registered_where_the_file_is_gone() {
    let mut bench = Bench::new(TINY_CEILING).await;
    refuse(&bench.stub, REGISTER, 503, "storage_full");
    let path = bench.file("deck", &[1; 5_000]);
    let id = bench.enqueue(std::slice::from_ref(&path)).await[0];
    until("its bytes are taken", async || bench.stub.count(REGISTER) > 0).await;
    bench.cancel.cancel();
    std::fs::remove_file(&path).unwrap();
    bench.stub.meet(|_| Meet::Service);
    bench.restart().await;
    bench.until_state(id, State::Sent).await;
    assert_eq!(bench.stub.count("PUT /storage"), 1);
    bench.stop().await;
}
