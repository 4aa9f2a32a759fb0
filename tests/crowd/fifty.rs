//! See the program: fifty clients, three kills, and what is there at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use easel_tests::drive::{create_folder, try_upload_into};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::samples::Noise;
use easel_tests::soak;
use easel_tests::studio::{Options, Studio};
use easel_tests::trees::{Item, read_drive};

use crate::clients::{AcknowledgedFile, Worker};
use crate::storage;

const CLIENTS: usize = 50;
const KEYS: usize = 10;
const FOLDERS: usize = 12;
const KILLS: u32 = 3;
/// Files of the walked folder that nobody touches.
const STEADY: usize = 230;
/// Twenty seconds here; more where `EASEL_SOAK_SECONDS` says so.
const AT_WORK: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn fifty_clients_lose_nothing_when_the_studio_is_killed_three_times() {
    let seed = soak::seed();
    let at_work = soak::duration(AT_WORK);
    println!("at work for {at_work:?}");
    let studio = Studio::start(Options::new());
    let https: Vec<Http> = (0..KEYS)
        .map(|number| {
            let key = studio.create_key(&format!("crowd {number}"));
            Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL)
        })
        .collect();
    let mut folders = Vec::new();
    for number in 0..FOLDERS {
        folders.push(create_folder(&https[0], &format!("folder {number}"), None).await);
    }
    let walked = create_folder(&https[0], "walked", None).await;
    let mut steady = BTreeSet::new();
    for number in 0..STEADY {
        steady.insert(upload(&https[0], &walked, &format!("steady {number:03}.txt")).await.expect("an answer"));
    }

    let end = Instant::now() + at_work;
    let mut workers = tokio::task::JoinSet::new();
    for number in 0..CLIENTS - 2 {
        // Each client shares three folders with others.
        let shared = (0..3).map(|offset| folders[(number + offset) % FOLDERS].clone()).collect();
        let worker = Worker::new(number, https[number % KEYS].clone(), shared, seed);
        workers.spawn(worker.work(end));
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let disturber = tokio::spawn(disturb(https[1].clone(), walked.clone(), Arc::clone(&is_over)));
    let walker = tokio::spawn(walk(https[2].clone(), walked, steady, Arc::clone(&is_over)));

    let studio = Arc::new(Mutex::new(studio));
    let mut random = Noise::new(seed);
    for kill in 0..KILLS {
        let share = (f64::from(kill) + 0.4 + f64::from((random.draw() >> 40) as u32) / f64::from(1 << 24) * 0.5)
            / f64::from(KILLS);
        let moment = end - at_work + at_work.mul_f64(share);
        tokio::time::sleep(moment.saturating_duration_since(Instant::now())).await;
        let studio = Arc::clone(&studio);
        let again = move || {
            let mut studio = studio.lock().expect("no panic");
            studio.kill();
            studio.restart();
        };
        tokio::task::spawn_blocking(again).await.expect("the studio is back");
    }
    let mut done = Vec::new();
    while let Some(worker) = workers.join_next().await {
        done.push(worker.expect("a client that ends"));
    }
    is_over.store(true, Ordering::Relaxed);
    disturber.await.expect("no panic");
    let walks = walker.await.expect("no panic");

    let (answered, unanswered) =
        done.iter().fold((0, 0), |sum, worker| (sum.0 + worker.answered, sum.1 + worker.unanswered));
    println!("{answered} answers, {unanswered} requests lost to the kills, {walks} whole walks");
    assert!(unanswered > 0, "the kills hit nobody, so nothing was shown");
    assert!(walks > 0, "no list was walked to its end");
    check_service(&https[0], &done).await;
    let mut studio = Arc::into_inner(studio).expect("nobody else has it").into_inner().expect("no panic");
    check_data_folder(&mut studio).await;
}

/// Nothing acknowledged is lost; nothing deleted is back; no name is there twice, which [`read_drive`] asks too.
async fn check_service(http: &Http, workers: &[Worker]) {
    let drive = read_drive(http).await;
    let contents: BTreeMap<&str, usize> =
        drive.values().filter_map(Item::content).fold(BTreeMap::new(), |mut counts, hash| {
            *counts.entry(hash).or_default() += 1;
            counts
        });
    for worker in workers {
        for (id, kept) in &worker.files {
            let answer = http.get(&format!("/v1/drive/files/{id}")).await;
            match kept {
                None => answer.is(404),
                Some(AcknowledgedFile { name, folder, hash }) => {
                    let file = &answer.expect(200)["file"];
                    let found = (file["name"].as_str(), file["folder_id"].as_str(), file["content_hash"].as_str());
                    let wanted = format!("sha256:{hash}");
                    assert_eq!(found, (Some(name.as_str()), Some(folder.as_str()), Some(wanted.as_str())), "{id}");
                    assert_eq!(contents.get(hash.as_str()), Some(&1), "one file a content");
                }
            }
        }
        for task in &worker.tasks {
            http.get(&format!("/v1/tasks/{task}")).await.is(200);
        }
    }
}

/// The database is whole and no blob is without a row after the clean-up that each start does.
async fn check_data_folder(studio: &mut Studio) {
    studio.kill();
    studio.restart();
    assert!(studio.stop().success());
    let mut database = storage::open(&studio.data_dir).await;
    assert_eq!(storage::check_integrity(&mut database).await, "ok");
    let hashes = storage::list_hashes(&mut database).await;
    let orphans: Vec<String> =
        storage::list_blobs(&studio.data_dir).into_iter().filter(|blob| !hashes.contains(blob)).collect();
    assert!(orphans.is_empty(), "blobs without a row: {orphans:?}");
}

/// Puts files into the walked folder and takes them out again, before, among and behind the steady ones.
async fn disturb(http: Http, folder: String, is_over: Arc<AtomicBool>) {
    let mut there: Vec<String> = Vec::new();
    for number in 0_u64.. {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        match upload(&http, &folder, &format!("steady {:03} and {number}.txt", number * 7 % STEADY as u64)).await {
            Some(id) => there.push(id),
            None => tokio::time::sleep(Duration::from_millis(50)).await,
        }
        if there.len() > 20 {
            let id = there.swap_remove(usize::try_from(number).expect("small") % there.len());
            // Where the answer is lost, the file may stay: nobody counts these.
            let _ = http
                .try_request(http::Method::DELETE, &format!("/v1/drive/items/{id}"), None, bytes::Bytes::new())
                .await;
        }
    }
}

/// Walks the folder's list by cursor again and again; each whole walk shows each steady file once.
async fn walk(http: Http, folder: String, steady: BTreeSet<String>, is_over: Arc<AtomicBool>) -> u32 {
    let mut walks = 0;
    while !is_over.load(Ordering::Relaxed) {
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut query = String::new();
        loop {
            let path = format!("/v1/drive/files?folder_id={folder}&limit=20{query}");
            // A page that is lost to a kill is asked for once more: its cursor outlives the process.
            let Ok(answer) = http.try_request(http::Method::GET, &path, None, bytes::Bytes::new()).await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let page = answer.expect(200);
            for file in page["data"].as_array().expect("a list") {
                *seen.entry(file["id"].as_str().expect("an id").to_owned()).or_default() += 1;
            }
            match page["next_cursor"].as_str() {
                Some(cursor) => query = format!("&cursor={cursor}"),
                None => break,
            }
        }
        for id in &steady {
            assert_eq!(seen.get(id), Some(&1), "{id} was there throughout the walk");
        }
        walks += 1;
    }
    walks
}

/// Uploads a file whose content is its name; its id, or nothing where the studio was killed.
async fn upload(http: &Http, folder: &str, name: &str) -> Option<String> {
    let answer = try_upload_into(http, folder, name, name.as_bytes()).await.ok()?;
    Some(answer.success()["file_id"].as_str().expect("an id").to_owned())
}
