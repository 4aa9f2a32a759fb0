//! A connection that is cut while bytes of a file travel, in either direction.

use easel_client::{Error, Patience};
use easel_tests::proxy::{Fault, Seen};
use sha2::{Digest, Sha256};

use crate::rig::{Rig, name_of, open};

const SIZE: usize = 3_000_000;

/// Where connections are cut, in bytes of the body: before the first, at 1 %, 50 % and 99 %.
const CUTS: [u64; 4] = [0, 30_000, 1_500_000, 2_970_000];

fn bodies(seen: &[Seen]) -> Vec<u64> {
    seen.iter().map(|request| request.body_bytes).collect()
}

#[tokio::test]
async fn a_multipart_upload_that_is_cut_is_sent_again_and_is_there_once() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    for (number, cut) in CUTS.into_iter().enumerate() {
        let (source, target) = open(&rig, number, SIZE).await;
        lane.api.break_next("POST", "/uploads", Fault::CutRequestAfter(cut));
        let sent = lane.client.send_direct(&source, &target, &|_| ()).await.unwrap();
        assert!(!sent.was_already_there(), "cut at {cut}: {sent:?}");
        let posts = lane.take("POST", "/uploads");
        assert_eq!(posts.len(), 2, "cut at {cut}: {:?}", bodies(&posts));
        assert_eq!(posts.iter().filter(|post| post.status == Some(201)).count(), 1, "cut at {cut}");
    }
    rig.assert_files((0..CUTS.len()).map(name_of)).await;
}

#[tokio::test]
async fn a_put_that_is_cut_is_sent_again_and_is_there_once() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    for (number, cut) in CUTS.into_iter().enumerate() {
        let (source, target) = open(&rig, number, SIZE).await;
        let signed = lane.client.sign_upload(&target).await.unwrap();
        rig.storage.break_next("PUT", "", Fault::CutRequestAfter(cut));
        let first = lane.client.put_signed(&signed, &source, &|_| ()).await;
        if let Err(error) = first {
            // The last bytes had left this machine when the connection was cut, so the service is asked.
            assert!(matches!(error, Error::AnswerLost { .. }), "cut at {cut}: {error:?}");
            let error = lane.client.register_upload(&signed.storage_key, &target).await.unwrap_err();
            assert_eq!(error.code(), Some("upload_not_found"), "cut at {cut}: a part was stored");
            lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap();
        }
        let puts = rig.storage.take_seen();
        assert_eq!(puts.len(), 2, "cut at {cut}: {:?}", bodies(&puts));
        assert_eq!((puts[1].body_bytes, puts[1].status), (SIZE as u64, Some(200)), "cut at {cut}");
        lane.client.register_upload(&signed.storage_key, &target).await.unwrap();
    }
    rig.assert_files((0..CUTS.len()).map(name_of)).await;
}

#[tokio::test]
async fn a_download_that_is_cut_goes_on_where_it_was() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    let (source, target) = open(&rig, 1, SIZE).await;
    let file = lane.client.send_direct(&source, &target, &|_| ()).await.unwrap().result.file_id;
    let content = std::fs::read(source.path()).unwrap();
    for (number, cut) in CUTS.into_iter().enumerate() {
        // The head of the answer is some hundred bytes.
        let cut_at = usize::try_from(cut).unwrap() + 1_000;
        rig.storage.forget_seen();
        rig.storage.break_next("GET", "", Fault::CutAnswerAfter(cut_at));
        let destination = rig.folder().join(format!("down {number}"));
        let downloaded = lane.client.download_file(file, &destination, &|_| ()).await.unwrap();
        assert_eq!(downloaded.sha256, *Sha256::digest(&content), "cut at {cut}");
        assert_eq!(std::fs::read(&downloaded.path).unwrap(), content, "cut at {cut}");
        let gets = rig.storage.take_seen();
        assert_eq!(gets.len(), 2, "cut at {cut}");
        assert_eq!((gets[0].headers.get("range"), gets[1].status), (None, Some(206)), "cut at {cut}");
    }
    let left: Vec<_> = std::fs::read_dir(rig.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), CUTS.len() + 1, "a part was left behind: {left:?}");
}

#[tokio::test]
async fn an_answer_that_never_comes_after_the_last_byte_is_settled_in_the_drive() {
    let rig = Rig::start().await;
    let patience = Patience {
        answer: std::time::Duration::from_secs(5),
        last_byte: std::time::Duration::from_millis(500),
        ..Patience::default()
    };
    let lane = rig.lane_with(patience).await;
    let (source, target) = open(&rig, 1, SIZE).await;
    lane.api.break_next("POST", "/uploads", Fault::HoldAnswer);
    let sent = lane.client.send_direct(&source, &target, &|_| ()).await.unwrap();
    assert!(sent.settled_after_lost_answer, "{sent:?}");
    assert_eq!(lane.take("POST", "/uploads").len(), 1);
    rig.assert_files([name_of(1)]).await;
}

#[tokio::test]
async fn a_slow_answer_is_waited_for() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    let (source, target) = open(&rig, 1, 1_000).await;
    lane.api.break_by(|_| Fault::Delay(std::time::Duration::from_millis(300)));
    let sent = lane.client.send_direct(&source, &target, &|_| ()).await.unwrap();
    assert!(!sent.settled_after_lost_answer);
    assert_eq!(lane.take("POST", "/uploads").len(), 1);
}
