//! The index of a drive, over a service that answers lists as the studio does, or differently in one way or several.

mod service;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;

use easel_client::{Client, Error as ClientError, Feature};
use easel_wire::FolderId;
use easel_wire::drive::File;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::shared::clock::Clock;
use crate::shared::error::Error;
use crate::shared::journal::Journal;
use crate::shared::mutex::lock;
use crate::sync::ports::{Freshness, RemoteSeen};
use crate::sync::tree::{RemoteFile, RemoteFolder};
use service::{Item, Otherwise, Paging, Service, Since, file, folder, number_of};

async fn open(at: &TempDir) -> DriveIndex {
    let journal = Journal::open(&at.path().join("journal.db")).await.unwrap();
    DriveIndex::new(journal, "here", Clock::default())
}

/// All items of the index: places and names.
async fn read(
    index: &DriveIndex,
    client: &Client,
) -> (BTreeMap<u128, (Option<u128>, String)>, BTreeMap<u128, (Option<u128>, String)>) {
    let seen = index.list(client, None, Freshness::Known, usize::MAX).await.unwrap();
    let RemoteSeen::Whole { folders, files } = seen.remote else { panic!("a list without a cursor is whole") };
    let number = |id: FolderId| number_of(&id.text());
    let folders = folders.into_iter().map(|(id, seen)| (number(id), (seen.parent.map(number), seen.name))).collect();
    let files =
        files.into_iter().map(|(id, seen)| (number_of(&id.text()), (seen.folder.map(number), seen.name))).collect();
    (folders, files)
}

async fn check(index: &DriveIndex, service: &Service, client: &Client) {
    let there = |items: &Mutex<BTreeMap<u128, Item>>| {
        lock(items).iter().map(|(id, item)| (*id, (item.parent, item.name.clone()))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(read(index, client).await, (there(&service.folders), there(&service.files)));
}

#[tokio::test]
async fn a_look_at_a_drive_in_which_nothing_happens_takes_three_requests() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(Otherwise::default()).await;
    service.put_folder(1, None, "Brand");
    (10..1_000).for_each(|id| service.put_file(id, Some(1), &format!("f{id}")));
    // Changes of the last seconds are asked for once more.
    service.age();
    let index = open(&at).await;
    check(&index, &service, &client).await;
    service.take_requests();
    index.refresh(&client, false).await.unwrap();
    assert_eq!(service.take_requests().len(), 3);
    let cursor = index.cursor();
    service.put_file(10, Some(1), "renamed");
    service.delete_file(11);
    index.refresh(&client, false).await.unwrap();
    let seen = index.list(&client, Some(cursor), Freshness::Known, usize::MAX).await.unwrap();
    let RemoteSeen::Changes { files, .. } = seen.remote else { panic!("only what changed is told") };
    let told: Vec<_> = files.iter().map(|(id, seen)| (*id, seen.as_ref().map(|seen| seen.name.as_str()))).collect();
    assert_eq!(told, [(file(10), Some("renamed")), (file(11), None)]);
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_start_goes_on_from_what_was_seen() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(Otherwise::default()).await;
    service.put_folder(1, None, "Brand");
    service.put_file(10, Some(1), "a");
    service.put_file(12, Some(1), "c");
    service.age();
    {
        let index = open(&at).await;
        index.refresh(&client, false).await.unwrap();
        index.journal.close().await;
    }
    service.take_requests();
    service.delete_folder(1);
    service.put_file(11, None, "b");
    let index = open(&at).await;
    index.refresh(&client, true).await.unwrap();
    let requests = service.take_requests();
    assert!(requests.iter().any(|request| request.contains("updated_since")), "{requests:?}");
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_clock_of_the_service_that_is_set_back_hides_nothing() {
    for seconds in [3_600, 20] {
        let at = TempDir::new().unwrap();
        let (service, client) = Service::start(Otherwise::default()).await;
        service.put_folder(1, None, "Brand");
        (10..30).for_each(|id| service.put_file(id, Some(1), &format!("f{id}")));
        service.age();
        let index = open(&at).await;
        index.refresh(&client, false).await.unwrap();
        index.refresh(&client, false).await.unwrap();
        service.set_clock_back(seconds);
        service.put_file(40, Some(1), "written since");
        index.refresh(&client, false).await.unwrap();
        // If the clock is behind by little, the next question reaches back far enough.
        index.refresh(&client, false).await.unwrap();
        check(&index, &service, &client).await;
        service.put_file(41, Some(1), "and later");
        index.refresh(&client, false).await.unwrap();
        check(&index, &service, &client).await;
    }
}

#[tokio::test]
async fn a_clock_of_the_service_that_is_set_back_and_on_again_is_no_drive_that_went_back() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(Otherwise::default()).await;
    for id in [1, 2] {
        service.put_folder(id, None, &format!("Brand {id}"));
    }
    service.put_file(10, Some(1), "a");
    let index = open(&at).await;
    let choices = crate::sync::folders::Choices::default();
    index.journal.create_watch("here", at.path(), folder(1), "/Brand 1", &choices, 0).await.unwrap();
    index.refresh(&client, true).await.unwrap();
    service.set_clock_back(3_600);
    service.put_file(11, Some(2), "written meanwhile");
    index.refresh(&client, true).await.unwrap();
    // No look happens between this and the correction of the clock.
    service.put_file(12, Some(1), "written unseen");
    service.set_clock_back(0);
    index.refresh(&client, true).await.unwrap();
    index.want_whole();
    index.refresh(&client, true).await.unwrap();
    check(&index, &service, &client).await;
    assert!(!index.has_gone_back(folder(1)));
    // A drive that really went back is still noticed.
    lock(&service.folders).get_mut(&1).unwrap().updated_us -= 86_400_000_000;
    index.want_whole();
    index.refresh(&client, true).await.unwrap();
    assert!(index.has_gone_back(folder(1)));
}

#[tokio::test]
async fn a_clock_of_this_computer_that_is_set_back_does_not_put_the_whole_reading_off() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(Otherwise::default()).await;
    service.put_folder(1, None, "Brand");
    (10..13).for_each(|id| service.put_file(id, Some(1), &format!("f{id}")));
    service.age();
    let ahead_us = Arc::new(std::sync::atomic::AtomicI64::new(10 * 24 * 3_600 * 1_000_000));
    let clock = {
        let ahead_us = Arc::clone(&ahead_us);
        let now_us = || jiff::Timestamp::now().as_microsecond();
        Clock::new(move || now_us() + ahead_us.load(std::sync::atomic::Ordering::Relaxed))
    };
    let journal = Journal::open(&at.path().join("journal.db")).await.unwrap();
    let index = DriveIndex::new(journal, "here", clock);
    index.refresh(&client, false).await.unwrap();
    ahead_us.store(0, std::sync::atomic::Ordering::Relaxed);
    // Only a complete reading of the lists can find this.
    let hidden = Item { parent: Some(1), name: "came unheard".to_owned(), made_us: 1_000_000, updated_us: 1_000_000 };
    lock(&service.files).insert(9, hidden);
    index.refresh(&client, false).await.unwrap();
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_service_that_tells_of_no_changes_is_read_from_end_to_end() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(Otherwise { since: Since::Ignored, ..Otherwise::default() }).await;
    service.put_folder(1, None, "Brand");
    service.put_file(10, Some(1), "a");
    let index = open(&at).await;
    check(&index, &service, &client).await;
    service.put_file(10, None, "moved");
    service.put_file(11, Some(1), "new");
    index.refresh(&client, false).await.unwrap();
    check(&index, &service, &client).await;
    service.delete_file(10);
    index.refresh(&client, false).await.unwrap();
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn those_who_ask_at_the_same_time_share_an_answer() {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(Otherwise::default()).await;
    service.put_folder(1, None, "Brand");
    let index = Arc::new(open(&at).await);
    index.refresh(&client, false).await.unwrap();
    service.take_requests();
    let asks = (0..10).map(|_| {
        let (index, client) = (Arc::clone(&index), client.clone());
        tokio::spawn(async move { index.refresh(&client, false).await.unwrap() })
    });
    for ask in asks.collect::<Vec<_>>() {
        ask.await.unwrap();
    }
    // One refresh was under way when the others came, and one began after they had come.
    assert!(service.take_requests().len() <= 2 * 4);
}

/// Makes a file as this program would, so that the index knows it.
fn put_own_file(index: &DriveIndex, service: &Service, id: u128, parent: Option<u128>, name: &str) {
    service.put_file(id, parent, name);
    let seen = RemoteFile { folder: parent.map(folder), name: name.to_owned(), size_bytes: 1, hash: None };
    index.note_file(file(id), seen);
}

fn put_own_folder(index: &DriveIndex, service: &Service, id: u128, parent: Option<u128>, name: &str) {
    service.put_folder(id, parent, name);
    index.note_folder(folder(id), RemoteFolder { parent: parent.map(folder), name: name.to_owned() });
}

/// A drive of two folders and some files, all older than a minute, which the index knows.
async fn look_first(otherwise: Otherwise, files: u128) -> (TempDir, Arc<Service>, Client, DriveIndex) {
    let at = TempDir::new().unwrap();
    let (service, client) = Service::start(otherwise).await;
    service.put_folder(1, None, "Brand");
    service.put_folder(2, None, "Other");
    (10..10 + files).for_each(|id| service.put_file(id, Some(1), &format!("f{id}")));
    service.age();
    let index = open(&at).await;
    index.refresh(&client, false).await.unwrap();
    check(&index, &service, &client).await;
    service.take_requests();
    (at, service, client, index)
}

fn assert_contradiction(outcome: &Result<(), Error>) {
    let is_one = matches!(outcome, Err(Error::Service(error)) if matches!(**error, ClientError::Contradiction { .. }));
    assert!(is_one, "{outcome:?}");
}

#[tokio::test]
async fn own_changes_show_that_a_service_tells_of_changes() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 300).await;
    assert_eq!(client.offers(Feature::UpdatedSince), None);
    put_own_folder(&index, &service, 3, Some(1), "made here");
    put_own_file(&index, &service, 400, Some(2), "sent");
    put_own_file(&index, &service, 11, Some(1), "renamed");
    index.refresh(&client, false).await.unwrap();
    for feature in [Feature::UpdatedSince, Feature::FolderTimes, Feature::Totals] {
        assert_eq!(client.offers(feature), Some(true), "{feature:?}");
    }
    assert_eq!(service.take_requests().len(), 3);
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_service_that_does_not_tell_of_an_own_change_is_read_whole_from_then_on() {
    let of_files = Otherwise { has_still_files: true, ..Otherwise::default() };
    let of_folders = Otherwise { has_still_folders: true, ..Otherwise::default() };
    for (otherwise, lacking) in [(of_files, Feature::UpdatedSince), (of_folders, Feature::FolderTimes)] {
        let (_at, service, client, index) = look_first(Otherwise::default(), 30).await;
        service.switch(|now| *now = otherwise);
        put_own_file(&index, &service, 11, Some(1), "renamed");
        index.refresh(&client, false).await.unwrap();
        assert_eq!(client.offers(lacking), Some(false), "{lacking:?}");
        service.put_file(12, Some(2), "moved by someone else");
        service.delete_file(13);
        service.take_requests();
        index.refresh(&client, false).await.unwrap();
        let requests = service.take_requests();
        assert!(!requests.iter().any(|request| request.contains("updated_since")), "{requests:?}");
        check(&index, &service, &client).await;
        // The following delay is derived from this.
        assert_eq!(index.picture().requests, requests.len() as u64);
    }
}

#[tokio::test]
async fn what_someone_else_did_to_an_own_change_is_not_held_against_the_service() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 30).await;
    put_own_file(&index, &service, 11, Some(1), "renamed");
    put_own_file(&index, &service, 12, Some(1), "sent");
    service.delete_file(11);
    service.put_file(12, Some(2), "taken elsewhere");
    // File 13 is noted as it was known already, which is no change that the service would have to tell of.
    let known = index.file(file(13)).await.unwrap().unwrap();
    index.note_file(file(13), known);
    index.refresh(&client, false).await.unwrap();
    assert_ne!(client.offers(Feature::UpdatedSince), Some(false));
    index.refresh(&client, true).await.unwrap();
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn an_answer_that_cannot_be_true_is_found_out_without_own_changes() {
    for since in [Since::Ignored, Since::Refused, Since::Denied] {
        let (_at, service, client, index) = look_first(Otherwise { since, ..Otherwise::default() }, 30).await;
        assert_eq!(client.offers(Feature::UpdatedSince), Some(false), "{since:?}");
        service.put_file(11, Some(2), "moved");
        service.delete_file(12);
        index.refresh(&client, false).await.unwrap();
        let requests = service.take_requests();
        assert!(!requests.iter().any(|request| request.contains("updated_since")), "{requests:?}");
        check(&index, &service, &client).await;
    }
}

#[tokio::test]
async fn a_service_that_tells_only_of_what_was_made_is_found_out_by_the_newest_folder() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 30).await;
    service.switch(|now| now.since = Since::OfMade);
    // The new items are told; the deletion, which only the folder's time would show, is not.
    service.put_file(400, Some(2), "made by someone else");
    index.refresh(&client, false).await.unwrap();
    service.put_file(401, Some(2), "made by someone else, too");
    service.delete_file(12);
    index.refresh(&client, false).await.unwrap();
    assert_eq!(client.offers(Feature::UpdatedSince), Some(false));
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_newest_folder_that_is_gone_is_not_held_against_the_service() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 30).await;
    service.put_folder(5, Some(1), "made last");
    index.refresh(&client, false).await.unwrap();
    service.delete_folder(5);
    service.put_file(400, Some(2), "made by someone else");
    index.refresh(&client, false).await.unwrap();
    assert_ne!(client.offers(Feature::UpdatedSince), Some(false));
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_list_that_moves_on_while_it_is_read_loses_nothing() {
    let by_offset = Otherwise { paging: Paging::Offset, since: Since::Ignored, longest: 50, ..Otherwise::default() };
    for otherwise in [by_offset, Otherwise { is_without_totals: true, paging: Paging::Unsaid, ..by_offset }] {
        let (_at, service, client, index) = look_first(otherwise, 180).await;
        // The items of the first page are deleted, so that later ones move up over the ends of the pages.
        lock(&service.deleted_midway).extend(170..190);
        index.refresh(&client, false).await.unwrap();
        let (_, files) = read(&index, &client).await;
        let there: Vec<u128> = lock(&service.files).keys().copied().collect();
        assert!(there.iter().all(|id| files.contains_key(id)), "{} of {}", files.len(), there.len());
        // More than are asked about one by one, and really gone.
        (20..80).for_each(|id| service.delete_file(id));
        index.refresh(&client, true).await.unwrap();
        check(&index, &service, &client).await;
    }
}

#[tokio::test]
async fn a_list_of_which_the_rest_cannot_be_had_makes_nothing_gone() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 120).await;
    for longest in [50, 20, 25] {
        service.switch(|now| *now = Otherwise { paging: Paging::None, longest, ..Otherwise::default() });
        client.learn(Feature::UpdatedSince, false);
        index.refresh(&client, true).await.unwrap();
        check(&index, &service, &client).await;
    }
    service.delete_file(12);
    // They are asked about one by one, some at each look.
    for _ in 0..4 {
        index.refresh(&client, true).await.unwrap();
    }
    let (_, files) = read(&index, &client).await;
    assert_eq!((files.len(), files.get(&12)), (119, None));
}

#[tokio::test]
async fn a_walk_whose_cursor_expires_begins_anew_and_does_not_for_ever() {
    let whole = Otherwise { since: Since::Ignored, longest: 50, ..Otherwise::default() };
    let (_at, service, client, index) = look_first(whole, 180).await;
    for _ in 0..4 {
        // Each time with another answer: 400, 404, 410, 422.
        service.switch(|now| now.expires_every = 5);
        index.refresh(&client, true).await.unwrap();
        check(&index, &service, &client).await;
    }
    service.switch(|now| now.expires_every = 1);
    service.take_requests();
    let refreshed = index.refresh(&client, true).await;
    assert_contradiction(&refreshed);
    assert!(service.take_requests().len() < 12);
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_file_whose_place_is_not_told_keeps_the_one_it_had_or_is_found_in_a_folder_that_is_kept() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 10).await;
    let choices = crate::sync::folders::Choices {
        mode: crate::sync::folders::Mode::BothWays,
        deletions: crate::sync::folders::DeletionRule::Keep,
        ignore: String::new(),
    };
    let path = std::path::Path::new("/brand");
    index.journal.create_watch("here", path, folder(1), "/Brand", &choices, 0).await.unwrap();
    service.switch(|now| now.is_without_places = true);
    service.put_folder(3, Some(1), "inner");
    service.put_file(100, Some(3), "in what is kept");
    service.put_file(101, Some(2), "elsewhere");
    service.put_file(11, Some(3), "moved within");
    index.refresh(&client, true).await.unwrap();
    let (_, files) = read(&index, &client).await;
    assert_eq!(files.get(&100), Some(&(Some(3), "in what is kept".to_owned())));
    assert_eq!(files.get(&101), None);
    assert_eq!(files.get(&11), Some(&(Some(3), "moved within".to_owned())));
    assert_eq!(files.get(&12), Some(&(Some(1), "f12".to_owned())));
    // A service that gives all items for every folder tells nothing by that.
    service.switch(|now| now.is_without_filters = true);
    service.put_file(102, Some(2), "elsewhere too");
    index.refresh(&client, true).await.unwrap();
    assert_eq!(read(&index, &client).await.1, files);
}

#[tokio::test]
async fn what_has_no_name_is_left_out_and_is_not_gone() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 10).await;
    service.switch(|now| now.has_nameless = true);
    service.put_file(101, Some(1), "never told");
    service.put_file(102, Some(1), "told");
    service.put_file(11, Some(2), "f11");
    index.refresh(&client, true).await.unwrap();
    let (_, files) = read(&index, &client).await;
    assert_eq!((files.len(), files.get(&101)), (11, None));
    assert_eq!(files.get(&11), Some(&(Some(2), "f11".to_owned())));
}

#[tokio::test]
async fn a_file_that_is_listed_and_is_not_there_is_told_and_stays() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 10).await;
    lock(&service.denied).push(11);
    let denied = index.deny_file(&client, file(11)).await;
    assert_contradiction(&denied);
    check(&index, &service, &client).await;
    service.delete_file(12);
    index.deny_file(&client, file(12)).await.unwrap();
    index.deny_file(&client, file(999)).await.unwrap();
    check(&index, &service, &client).await;
}

#[tokio::test]
async fn a_file_that_was_asked_for_is_shown_as_it_is_told_and_is_no_own_change() {
    let (_at, service, client, index) = look_first(Otherwise::default(), 10).await;
    service.put_file(11, Some(2), "moved");
    let told = client.get_file(file(11)).await.unwrap();
    let seen = index.show_file(File { folder_id: None, ..told.clone() }).await.unwrap().unwrap();
    assert_eq!((seen.folder, seen.name.as_str()), (Some(folder(1)), "moved"));
    index.show_file(told.clone()).await.unwrap();
    check(&index, &service, &client).await;
    let unknown = File { id: file(999), folder_id: None, ..told };
    assert_eq!(index.show_file(unknown).await.unwrap(), None);
    assert!(index.picture().untold.list_unsorted().is_empty());
}

#[derive(Debug, Clone)]
enum Step {
    PutFolder(u128, Option<u128>, bool),
    PutFile(u128, Option<u128>, u8, bool),
    DeleteFile(u128),
    DeleteFolder(u128),
    Look,
}

fn place() -> impl Strategy<Value = Option<u128>> {
    prop_oneof![Just(None), (1_u128..6).prop_map(Some)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (1_u128..6, place(), any::<bool>()).prop_map(|(id, parent, is_own)| Step::PutFolder(id, parent, is_own)),
        4 => (10_u128..30, place(), 0_u8..5, any::<bool>())
            .prop_map(|(id, folder, name, is_own)| Step::PutFile(id, folder, name, is_own)),
        2 => (10_u128..30).prop_map(Step::DeleteFile),
        1 => (1_u128..6).prop_map(Step::DeleteFolder),
        2 => Just(Step::Look),
    ]
}

fn otherwise() -> impl Strategy<Value = Otherwise> {
    let since = prop_oneof![Just(Since::Kept), Just(Since::Ignored), Just(Since::Refused), Just(Since::Denied)];
    // Where a service does not say how a list goes on, the whole list stands on one page here.
    let paging = prop_oneof![
        (Just(Paging::Cursor), 0_usize..7),
        (Just(Paging::Offset), 0_usize..7),
        (Just(Paging::Unsaid), Just(0)),
        (Just(Paging::None), Just(0)),
    ];
    (since, paging, any::<[bool; 4]>(), prop_oneof![Just(0_usize), Just(7)]).prop_map(
        |(since, (paging, longest), [still, totals, counts, unreadable], expires_every)| Otherwise {
            since,
            paging,
            longest,
            has_still_folders: still,
            is_without_totals: totals,
            is_without_counts: counts,
            has_unreadable: unreadable,
            expires_every: if longest >= 5 { expires_every } else { 0 },
            ..Otherwise::default()
        },
    )
}

fn is_possible(service: &Service, step: &Step) -> bool {
    let folders = lock(&service.folders);
    let is_there = |folder: Option<u128>| folder.is_none_or(|folder| folders.contains_key(&folder));
    match step {
        Step::PutFolder(id, parent, _) => {
            // Not into itself.
            let mut at = *parent;
            while let Some(above) = at {
                if above == *id {
                    return false;
                }
                at = folders.get(&above).and_then(|item| item.parent);
            }
            is_there(*parent)
        }
        Step::PutFile(_, folder, ..) => is_there(*folder),
        Step::DeleteFile(_) | Step::DeleteFolder(_) | Step::Look => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn whatever_happened_a_thorough_look_shows_it(
        steps in proptest::collection::vec(step(), 1..40),
        otherwise in otherwise(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let at = TempDir::new().unwrap();
            let (service, client) = Service::start(otherwise).await;
            let index = open(&at).await;
            for step in steps {
                if !is_possible(&service, &step) {
                    continue;
                }
                match step {
                    Step::PutFolder(id, parent, true) => put_own_folder(&index, &service, id, parent, &format!("d{id}")),
                    Step::PutFolder(id, parent, false) => service.put_folder(id, parent, &format!("d{id}")),
                    Step::PutFile(id, folder, name, true) => {
                        put_own_file(&index, &service, id, folder, &format!("n{name}"));
                    }
                    Step::PutFile(id, folder, name, false) => service.put_file(id, folder, &format!("n{name}")),
                    Step::DeleteFile(id) => service.delete_file(id),
                    Step::DeleteFolder(id) => service.delete_folder(id),
                    Step::Look => index.refresh(&client, false).await.unwrap(),
                }
            }
            index.refresh(&client, true).await.unwrap();
            check(&index, &service, &client).await;
            if otherwise.since == Since::Kept {
                assert_ne!(client.offers(Feature::UpdatedSince), Some(false), "it told of everything");
            }
        });
    }
}
