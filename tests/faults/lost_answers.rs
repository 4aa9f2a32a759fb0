//! The service acts and its answer is lost: a hundred times at every step. Afterwards there is exactly one item each, and
//! no byte of a file that was registered has travelled again.

use std::collections::HashSet;
use std::sync::Arc;

use easel_client::Error;
use easel_tests::proxy::Fault;
use easel_wire::{FileId, FolderId, ItemRef};

use crate::rig::{Lane, Rig, TIMES, in_lanes, name_of, open};

/// Larger than what a socket takes in at once, small enough for a hundred.
const SIZE: usize = 30_000;

#[tokio::test]
async fn multipart_a_hundred_times() {
    let rig = Rig::start().await;
    in_lanes(&rig, |rig, lane, number| async move {
        let (source, target) = open(&rig, number, SIZE).await;
        lane.api.break_next("POST", "/uploads", Fault::DropAnswer);
        let sent = lane.client.send_direct(&source, &target, &|_| ()).await.unwrap();
        assert!(sent.settled_after_lost_answer && !sent.was_already_there(), "{number}: {sent:?}");
        assert_eq!(sent.result.filename.as_deref(), Some(name_of(number).as_str()));
        assert_eq!(sent.bytes_on_the_wire, SIZE as u64, "{number}");
        let posts = lane.take("POST", "/uploads");
        assert_eq!(posts.len(), 1, "{number}: the file was sent again");
        assert!((posts[0].body_bytes as usize) < SIZE + 1_000, "{number}: {} bytes", posts[0].body_bytes);
        assert_eq!(posts[0].status, Some(201), "{number}: the service had not acted");
    })
    .await;
    rig.assert_files((0..TIMES).map(name_of)).await;
}

#[tokio::test]
async fn multipart_a_hundred_times_with_the_look_in_the_drive_lost_too() {
    let rig = Rig::start().await;
    in_lanes(&rig, |rig, lane, number| async move {
        let (source, target) = open(&rig, number, SIZE).await;
        let mut looks = 0;
        lane.api.break_by(move |request| {
            if request.is("POST", "/uploads") {
                return Fault::DropAnswer;
            }
            looks += usize::from(request.is("GET", "/drive/files"));
            if looks == 1 && request.is("GET", "/drive/files") { Fault::DropAnswer } else { Fault::Pass }
        });
        let sent = lane.client.send_direct(&source, &target, &|_| ()).await.unwrap();
        assert!(!sent.was_already_there(), "{number}: {sent:?}");
        assert_eq!(lane.take("POST", "/uploads").len(), 1, "{number}: the file was sent again");
    })
    .await;
    rig.assert_files((0..TIMES).map(name_of)).await;
}

#[tokio::test]
async fn sign_a_hundred_times() {
    let rig = Rig::start().await;
    in_lanes(&rig, |rig, lane, number| async move {
        let (source, target) = open(&rig, number, SIZE).await;
        lane.api.break_next("POST", "/uploads/url", Fault::DropAnswer);
        let signed = lane.client.sign_upload(&target).await.unwrap();
        lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap();
        let result = lane.client.register_upload(&signed.storage_key, &target).await.unwrap();
        assert!(!result.was_duplicate, "{number}");
        assert_eq!(lane.take("POST", "/uploads/url").len(), 2, "{number}: lost once, asked for once more");
    })
    .await;
    assert_stored_once(&rig).await;
}

#[tokio::test]
async fn put_a_hundred_times() {
    let rig = Rig::start().await;
    lose_every_first_put(&rig);
    in_lanes(&rig, |rig, lane, number| async move {
        let (source, target) = open(&rig, number, SIZE).await;
        let signed = lane.client.sign_upload(&target).await.unwrap();
        let lost = lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap_err();
        assert!(matches!(lost, Error::AnswerLost { .. }), "{number}: {lost}");
        let result = lane.client.register_upload(&signed.storage_key, &target).await.unwrap();
        assert!(!result.was_duplicate, "{number}");
    })
    .await;
    assert_stored_once(&rig).await;
}

#[tokio::test]
async fn register_a_hundred_times() {
    let rig = Rig::start().await;
    in_lanes(&rig, |rig, lane, number| async move {
        let (source, target) = open(&rig, number, SIZE).await;
        let signed = lane.client.sign_upload(&target).await.unwrap();
        lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap();
        lane.api.break_next("POST", "/uploads/register", Fault::DropAnswer);
        let result = lane.client.register_upload(&signed.storage_key, &target).await.unwrap();
        assert!(!result.was_duplicate, "{number}: the original was_duplicate is repeated");
        assert_eq!(lane.take("POST", "/uploads/register").len(), 2, "{number}");
    })
    .await;
    assert_stored_once(&rig).await;
}

#[tokio::test]
async fn sign_put_and_register_a_hundred_times_all_three() {
    let rig = Rig::start().await;
    lose_every_first_put(&rig);
    in_lanes(&rig, |rig, lane, number| async move {
        let (source, target) = open(&rig, number, SIZE).await;
        let mut lost = HashSet::new();
        lane.api.break_by(
            move |request| {
                if lost.insert(request.path.clone()) { Fault::DropAnswer } else { Fault::Pass }
            },
        );
        let signed = lane.client.sign_upload(&target).await.unwrap();
        let put = lane.client.put_signed(&signed, &source, &|_| ()).await;
        assert!(matches!(put, Err(Error::AnswerLost { .. })), "{number}");
        let result = lane.client.register_upload(&signed.storage_key, &target).await.unwrap();
        assert!(!result.was_duplicate, "{number}");
    })
    .await;
    assert_stored_once(&rig).await;
}

fn lose_every_first_put(rig: &Rig) {
    let mut lost = HashSet::new();
    rig.storage.break_by(
        move |request| {
            if lost.insert(request.path.clone()) { Fault::DropAnswer } else { Fault::Pass }
        },
    );
}

/// Exactly one file each in the drive, and every byte went to storage once.
async fn assert_stored_once(rig: &Rig) {
    rig.assert_files((0..TIMES).map(name_of)).await;
    let puts = rig.storage.take_seen();
    assert_eq!(puts.len(), TIMES);
    assert!(puts.iter().all(|put| put.body_bytes == SIZE as u64 && put.status == Some(200)));
    let paths: HashSet<&str> = puts.iter().map(|put| put.path.as_str()).collect();
    assert_eq!(paths.len(), TIMES, "something was PUT twice");
}

#[tokio::test]
async fn move_a_hundred_times() {
    let rig = Rig::start().await;
    let target = make_folder(&rig, "the target").await;
    in_lanes(&rig, move |rig, lane, number| async move {
        let item = make_item(&rig, number).await;
        lane.api.break_next("POST", "/move", Fault::DropAnswer);
        let moved = lane.client.move_item(item, Some(target)).await.unwrap();
        assert_eq!(moved.folder_id, Some(Some(target)), "{number}");
        assert_eq!(lane.take("POST", "/move").len(), 1, "{number}: moved again instead of looked for");
    })
    .await;
    assert_items(&rig, |item, folder| item["name"] == "the target" || *folder == target.to_string(), name_of).await;
}

#[tokio::test]
async fn rename_a_hundred_times() {
    let rig = Rig::start().await;
    in_lanes(&rig, |rig, lane, number| async move {
        let item = make_item(&rig, number).await;
        let name = format!("renamed {number:03}");
        lane.api.break_next("PATCH", "", Fault::DropAnswer);
        let renamed = lane.client.rename_item(item, &name).await.unwrap();
        assert_eq!(renamed.name, Some(name), "{number}");
        assert_eq!(lane.take("PATCH", "").len(), 1, "{number}: renamed again instead of looked for");
    })
    .await;
    assert_items(&rig, |_, _| true, |number| format!("renamed {number:03}")).await;
}

#[tokio::test]
async fn delete_a_hundred_times() {
    let rig = Rig::start().await;
    let kept = make_item(&rig, 999).await;
    in_lanes(&rig, |rig, lane, number| async move {
        let item = make_item(&rig, number).await;
        lane.api.break_next("DELETE", "", Fault::DropAnswer);
        let deleted = lane.client.delete_item(item, true).await.unwrap();
        assert_eq!(deleted.id, Some(item), "{number}");
        assert!(lane.take("DELETE", "").len() <= 2, "{number}");
    })
    .await;
    assert_eq!((rig.files().await.len(), rig.folders().await.len()), (0, 1), "only {kept} is left");
}

#[tokio::test]
async fn create_folder_a_hundred_times() {
    let rig = Rig::start().await;
    in_lanes(&rig, |_, lane, number| async move {
        lane.api.break_next("POST", "/drive/folders", Fault::DropAnswer);
        let folder = lane.client.create_folder(&name_of(number), None, &format!("key {number}")).await.unwrap();
        assert_eq!(folder.name, name_of(number));
    })
    .await;
    rig.assert_folders((0..TIMES).map(name_of)).await;
}

/// A file for an even number, a folder for an odd one, made without the proxy.
async fn make_item(rig: &Arc<Rig>, number: usize) -> ItemRef {
    if number % 2 == 1 {
        return ItemRef::Folder(make_folder(rig, &name_of(number)).await);
    }
    let form = easel_tests::http::Form::of_file(&name_of(number), name_of(number).as_bytes());
    let result = rig.service().post_form("/v1/uploads", &form).await.expect(201);
    ItemRef::File(result["file_id"].as_str().unwrap().parse::<FileId>().unwrap())
}

async fn make_folder(rig: &Rig, name: &str) -> FolderId {
    let answer = rig.service().post("/v1/drive/folders", &serde_json::json!({"name": name})).await.expect(201);
    answer["folder"]["id"].as_str().unwrap().parse().unwrap()
}

/// Exactly the items of [`make_item`], with these names, each lying where `lies_right` wants it.
async fn assert_items(
    rig: &Rig,
    lies_right: impl Fn(&serde_json::Value, &str) -> bool,
    name: impl Fn(usize) -> String,
) {
    let files = rig.files().await;
    let folders = rig.folders().await;
    for item in files.iter().chain(&folders) {
        let folder = item["folder_id"].as_str().or(item["parent_folder_id"].as_str()).unwrap_or_default();
        assert!(lies_right(item, folder), "{item}");
    }
    let named = |items: &[serde_json::Value]| -> HashSet<String> {
        let names: HashSet<String> = items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names.len(), items.len(), "an item twice");
        names
    };
    let (mut file_names, mut folder_names) = (named(&files), named(&folders));
    folder_names.remove("the target");
    for number in 0..TIMES {
        let names = if number % 2 == 0 { &mut file_names } else { &mut folder_names };
        assert!(names.remove(&name(number)), "{} is not there", name(number));
    }
    assert!(file_names.is_empty() && folder_names.is_empty(), "too many: {file_names:?} {folder_names:?}");
}

/// Answers that were lost in other ways than by a cut before their first byte.
fn other_losses() -> [Fault; 5] {
    let html = "<!doctype html><title>Bad gateway</title>";
    [
        Fault::CutAnswerAfter(9),
        Fault::CutAnswerAfter(120),
        Fault::replace_answer(502, &[("Content-Type", "text/html")], html),
        Fault::replace_answer(200, &[("Content-Type", "text/html")], html),
        Fault::replace_answer(200, &[("Content-Type", "application/json")], "{\"file_"),
    ]
}

/// Nonsense in place of an answer is told at once, since a sign-in page would stay; asking again is harmless here.
async fn again_after_nonsense<T, Answer>(ask: impl Fn() -> Answer) -> T
where
    Answer: Future<Output = Result<T, Error>>,
{
    match ask().await {
        Err(Error::NotTheService { .. }) => ask().await.unwrap(),
        outcome => outcome.unwrap(),
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_or_replaced_is_settled_like_one_that_never_came() {
    let rig = Rig::start().await;
    let lane: Lane = rig.lane().await;
    let (client, api) = (&lane.client, &lane.api);
    let target_folder = make_folder(&rig, "the target").await;
    let mut expected = Vec::new();
    for (number, fault) in other_losses().into_iter().enumerate() {
        let (source, target) = open(&rig, number, SIZE).await;
        api.break_next("POST", "/uploads", fault.clone());
        let sent = client.send_direct(&source, &target, &|_| ()).await.unwrap();
        assert!(!sent.was_already_there(), "{fault:?}");
        assert_eq!(lane.take("POST", "/uploads").len(), 1, "{fault:?}: sent again");

        let item = ItemRef::File(sent.result.file_id);
        api.break_next("POST", "/move", fault.clone());
        client.move_item(item, Some(target_folder)).await.unwrap();
        api.break_next("PATCH", "", fault.clone());
        client.rename_item(item, &format!("renamed {number}")).await.unwrap();
        expected.push(format!("renamed {number}"));

        let (source, target) = open(&rig, 50 + number, SIZE).await;
        api.break_next("POST", "/uploads/url", fault.clone());
        let signed = again_after_nonsense(|| client.sign_upload(&target)).await;
        rig.storage.break_next("PUT", "", fault.clone());
        match client.put_signed(&signed, &source, &|_| ()).await {
            // A page instead of storage's empty 200 is a 200 all the same.
            Ok(_) | Err(Error::AnswerLost { .. }) => {}
            Err(error) => panic!("{fault:?}: {error}"),
        }
        api.break_next("POST", "/uploads/register", fault.clone());
        let result = again_after_nonsense(|| client.register_upload(&signed.storage_key, &target)).await;
        assert!(!result.was_duplicate, "{fault:?}");
        expected.push(name_of(50 + number));

        let doomed = make_item(&rig, 100 + 2 * number).await;
        api.break_next("DELETE", "", fault.clone());
        client.delete_item(doomed, false).await.unwrap();
        api.break_next("POST", "/drive/folders", fault.clone());
        let (name, key) = (name_of(number), format!("{number}"));
        again_after_nonsense(|| client.create_folder(&name, None, &key)).await;
    }
    rig.assert_files(expected).await;
    let folders = (0..other_losses().len()).map(name_of).chain(["the target".to_owned()]);
    rig.assert_folders(folders).await;
    for put in rig.storage.take_seen() {
        assert_eq!(put.body_bytes, SIZE as u64, "a PUT that was not the first and whole one");
    }
}
