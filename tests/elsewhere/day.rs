//! A day's work at a stranger, and what must be so at its end.
//!
//! Always true here: the client, the queue and `easel-sync` are the real ones; what the day expects follows from the
//! switches alone. What a service cannot do, its person does not miss twice: the day goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use easel_client::{Client, Connection, Error, ExportRequest, PageRequest, Place, RemixClick, Remixed, TaskFilter};
use easel_stranger::{Config, Entry, Stranger, Switch, Switches, UNANNOUNCED_BYTES};
use easel_sync::{Clock, Filter, Journal, Queue, Settings, State, Transfer};
use easel_tests::hurry::Hurry;
use easel_tests::patience::wait_for;
use easel_tests::samples::hash_bytes;
use easel_tests::trees::{Item, Tree, read_disk_below};
use easel_wire::canvases::{ExportFormat, ExportStatus};
use easel_wire::tasks::{Remix, StartTask, Task};
use easel_wire::{CanvasId, FolderId, Timestamp};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::computer::Computer;

/// How long a part of the day may take.
const PATIENCE: Duration = Duration::from_secs(150);
/// How long is waited between two questions how far something is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);
/// Above what any multipart body holds.
const LARGE_BYTES: usize = 33_700_000;
/// The folder that is open in the window.
const OPEN: &str = "Drops";
/// The folder that is kept in step.
const KEPT: &str = "Brand";
/// Rounds after which two computers have seen what the other did.
const MOST_ROUNDS: usize = 6;

/// A stranger for a day, whose time is hurried where it is to be.
pub async fn open(switches: Switches, hurry: Option<&Hurry>) -> Stranger {
    // Several programs work there at once, which is not what the day is about.
    let mut config = Config { requests_per_minute: None, ..Config::new(switches) };
    if let Some(hurry) = hurry.cloned() {
        let now = move || jiff::Timestamp::from_microsecond(hurry.wall_us()).expect("a time");
        config.clock = easel_stranger::Clock::of(now);
    }
    Stranger::with(config).await.expect("a port")
}

/// Does a day's work there: with programs of its own, or within this process where time is hurried.
pub async fn work(stranger: &Stranger, hurry: Option<&Hurry>) {
    let client = connect(stranger).await;
    let given = TempDir::with_prefix("easel-day-").expect("a folder");
    drop_files(stranger, &client, given.path(), hurry).await;
    keep_in_step(stranger, given.path(), hurry).await;
    make_designs(stranger, &client, given.path(), hurry).await;
    look_around(stranger, &client).await;
    judge_requests(stranger);
}

async fn connect(stranger: &Stranger) -> Client {
    let connection = Connection::new(stranger.base_url(), stranger.key().into()).expect("an address and a key");
    let client = Client::new(connection).expect("a client");
    let whoami = client.identify().await.expect("a service of this kind");
    assert_eq!(whoami.says_anything(), !stranger.switches().has(Switch::WhoamiMissing), "{whoami:?}");
    client
}

/// Three files are dropped on an open folder, one of them large, and a fourth of a type that not every service takes.
async fn drop_files(stranger: &Stranger, client: &Client, given: &Path, hurry: Option<&Hurry>) {
    let switches = stranger.switches();
    let open: FolderId = stranger.make_folder(None, OPEN).parse().expect("an id");
    let contents: [(&str, Vec<u8>); 4] = [
        ("logo.png", content(1, 900)),
        ("deck.pdf", content(2, 40_000)),
        ("film.png", content(3, large_bytes(&switches))),
        ("notes.txt", content(4, 300)),
    ];
    let paths: Vec<PathBuf> = contents
        .iter()
        .map(|(name, content)| {
            let path = given.join(name);
            write_earlier(&path, content);
            path
        })
        .collect();
    let journal = Journal::open(&given.join("journal.db")).await.expect("a journal");
    let (cancel, tasks) = (CancellationToken::new(), TaskTracker::new());
    let clock = hurry.cloned().map_or_else(Clock::default, |hurry| Clock::new(move || hurry.wall_us()));
    let settings = Settings { clock, ..Settings::default() };
    let queue = Queue::start_with(journal.clone(), client.clone(), "day", cancel.clone(), &tasks, settings);
    let queue = queue.await.expect("a queue");
    queue.enqueue(paths, Some(open)).await.expect("a drop");
    let transfers = wait_for("the dropped files", PATIENCE, async || {
        let listed = queue.list(Filter::All, 0, 10).await.expect("a list");
        let is_over = |transfer: &Transfer| transfer.state.is_finished() || transfer.state == State::Failed;
        let is_done = listed.len() == contents.len() && listed.iter().all(is_over);
        if is_done { Ok(listed) } else { Err(format!("{:?} {listed:#?}", queue.summary().await)) }
    })
    .await;
    cancel.cancel();
    tasks.close();
    tasks.wait().await;
    journal.close().await;

    let drive = stranger.drive();
    for (name, content) in &contents {
        let transfer = transfers.iter().find(|transfer| transfer.name == *name).expect("its transfer");
        let is_refused = is_refused(&switches, name, content.len());
        assert_eq!(transfer.state == State::Failed, is_refused, "{name}: {transfer:#?}");
        let at: Vec<_> =
            drive.files.values().filter(|file| file.sha256 == hash_bytes(content)).map(|file| &file.path).collect();
        let expected = if is_refused { Vec::new() } else { vec![format!("{OPEN}/{name}")] };
        assert_eq!(at, expected.iter().collect::<Vec<_>>(), "{name}");
    }
    for (sha256, times) in stranger.taken() {
        assert_eq!(times, 1, "the bytes of {sha256} were taken {times} times");
    }
}

/// A file that goes by storage; where sizes are refused that no limit names, one of those.
fn large_bytes(switches: &Switches) -> usize {
    let unannounced = usize::try_from(UNANNOUNCED_BYTES + 1).expect("a size");
    if switches.has(Switch::SizesRefusedUnannounced) { unannounced } else { LARGE_BYTES }
}

/// What this service takes no file of.
fn is_refused(switches: &Switches, name: &str, size: usize) -> bool {
    let is_of_other_type = Path::new(name).extension().is_some_and(|extension| extension == "txt");
    is_of_other_type && switches.has(Switch::MediaTypesRefusedByMultipart)
        || switches.has(Switch::SizesRefusedUnannounced) && size as u64 > UNANNOUNCED_BYTES
}

/// A folder on two computers, with changes on both, and a restart.
async fn keep_in_step(stranger: &Stranger, given: &Path, hurry: Option<&Hurry>) {
    let computers = ["here/Brand", "there/Brand"].map(|root| Computer::new(given.join(root), KEPT));
    let [here, there] = [&computers[0].root, &computers[1].root];
    write_earlier(&here.join("logo.png"), &content(11, 500));
    std::fs::create_dir(here.join("Photos")).expect("a folder");
    for number in 0..3 {
        write_earlier(&here.join(format!("Photos/{number}.png")), &content(20 + number, 700));
    }
    converge(stranger, &computers, hurry, "the first day").await;

    // People at work: a rename, a new folder, an edit, a deletion, on both computers and in the drive.
    std::fs::rename(here.join("Photos"), here.join("Pictures")).expect("a rename");
    write_earlier(&there.join("new.png"), &content(31, 800));
    converge(stranger, &computers, hurry, "a rename and a new file").await;
    write_earlier(&there.join("logo.png"), &content(32, 650));
    std::fs::remove_file(here.join("Pictures/1.png")).expect("a deletion");
    converge(stranger, &computers, hurry, "an edit and a deletion").await;
    let drive = stranger.drive();
    let folder = drive.folder(KEPT).expect("the kept folder").to_owned();
    stranger.put_file(Some(&folder), "theirs.png", content(41, 444));
    converge(stranger, &computers, hurry, "somebody else's file").await;

    let expected: BTreeSet<&str> =
        ["Pictures", "Pictures/0.png", "Pictures/2.png", "logo.png", "new.png", "theirs.png"].into();
    let files = read_disk_below(here);
    assert_eq!(files.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
}

/// Runs both computers until they and the drive show the same.
async fn converge(stranger: &Stranger, computers: &[Computer; 2], hurry: Option<&Hurry>, what: &str) {
    let mut last = String::new();
    for _ in 0..MOST_ROUNDS {
        for computer in computers {
            last = computer.run_once(stranger, hurry).await;
        }
        let [here, there] = [&computers[0], &computers[1]].map(|computer| read_disk_below(&computer.root));
        if here == there && here == read_kept(stranger) {
            return;
        }
    }
    let [here, there] = [&computers[0], &computers[1]].map(|computer| read_disk_below(&computer.root));
    panic!("{what}: still different\nhere {here:#?}\nthere {there:#?}\ndrive {:#?}\n{last}", read_kept(stranger));
}

/// What the stranger has in the folder that is kept in step, by its path from there.
pub fn read_kept(stranger: &Stranger) -> Tree {
    let drive = stranger.drive();
    let below = |path: &str| Some(path.strip_prefix(KEPT)?.strip_prefix('/')?.to_owned());
    let folders = drive.folders.values().filter_map(|path| Some((below(path)?, Item::Folder)));
    let mut tree: Tree = folders.collect();
    for file in drive.files.values() {
        if let Some(path) = below(&file.path) {
            assert_eq!(tree.insert(path.clone(), Item::File(file.sha256.clone())), None, "{path} is there twice");
        }
    }
    tree
}

/// A design is made, remixed and exported.
async fn make_designs(stranger: &Stranger, client: &Client, given: &Path, hurry: Option<&Hurry>) {
    let start = StartTask { prompt: "A poster for the summer fair".to_owned(), ..StartTask::default() };
    let asked_at = hurry.map_or_else(|| jiff::Timestamp::now().into(), |hurry| Timestamp::from_micros(hurry.wall_us()));
    let started = client.start_task(&start, Duration::ZERO).await;
    let task = match started {
        Err(error) if error.missing_scope().is_some() => return,
        started => started.expect("a task"),
    };
    let done = wait_for("the design", PATIENCE, async || {
        let now = client.get_task(task.id).await.map_err(|error| error.to_string())?;
        if now.status.is_terminal() {
            return Ok(now);
        }
        // The requests of a minute may be few.
        tokio::time::sleep(BETWEEN_LOOKS).await;
        Err(format!("{now:?}"))
    })
    .await;
    client.list_tasks(&TaskFilter::default(), &PageRequest::default()).await.expect("the list of tasks");
    let canvas = canvas_of(stranger, client, &done).await;
    let remix = Remix { canvas_id: canvas, prompt: None, new_name: None, brand_kit_id: None, skip_brand_kit: None };
    let click = RemixClick { remix, since: asked_at, not_canvases: Vec::new(), not_tasks: Vec::new() };
    let before = stranger.canvases();
    let Remixed::Copied { canvas_id: told, .. } = client.remix(&click).await.expect("a copy") else {
        panic!("a promptless remix is a copy")
    };
    let made: Vec<String> = stranger.canvases().into_keys().filter(|id| !before.contains_key(id)).collect();
    let [copy] = made.as_slice() else { panic!("one click made {} copies", made.len()) };
    // Where no answer says which it is, it is among the designs.
    assert!(told.is_none_or(|told| *told.text() == **copy), "{told:?}");
    export(client, copy.parse().expect("an id"), given).await;
}

/// The canvas of a task that is done; where the task does not tell, the newest canvas.
async fn canvas_of(stranger: &Stranger, client: &Client, done: &Task) -> CanvasId {
    if let Some(told) = done.result.as_ref().and_then(|result| result.canvas_id) {
        return told;
    }
    let page = client.list_canvases(&Place::Everywhere, &PageRequest::default()).await.expect("the canvases");
    let known: BTreeMap<String, String> = stranger.canvases();
    page.items.iter().map(|canvas| canvas.id).find(|id| known.contains_key(&*id.text())).expect("a canvas")
}

async fn export(client: &Client, canvas: CanvasId, given: &Path) {
    let request =
        ExportRequest { format: ExportFormat::Png, page_number: None, pixel_ratio: None, flatten: None, wait: true };
    let mut export = match client.start_export(canvas, &request).await {
        // After a wait for the rate, that it is being worked on is for whoever asked to wait out.
        Err(error @ Error::Api { status: 409, .. }) => {
            tokio::time::sleep(error.retry_after().unwrap_or(BETWEEN_LOOKS)).await;
            client.start_export(canvas, &request).await
        }
        started => started,
    }
    .expect("an export");
    while export.end() != Some(ExportStatus::Completed) {
        assert_eq!(export.end(), None, "{export:?}");
        tokio::time::sleep(BETWEEN_LOOKS).await;
        let task = export.task_id.expect("what to ask for");
        export = client.get_export_status(canvas, task).await.expect("how far it is");
    }
    let fetched = client.download_export(&export, &given.join("export.png"), &|_| {}).await.expect("the picture");
    assert!(fetched.size_bytes > 0);
}

/// What is only looked at: a service that lacks a part says so, and nothing else fails.
async fn look_around(stranger: &Stranger, client: &Client) {
    let switches = stranger.switches();
    let kits = client.list_brand_kits(&PageRequest::default()).await;
    expect_or_lacks(&switches, "brand kits", kits.map(drop));
    let deliveries = client.list_deliveries(&easel_client::DeliveryFilter::default(), &PageRequest::default()).await;
    expect_or_lacks(
        &switches,
        "deliveries",
        deliveries.map(|page| page.items.iter().for_each(|one| drop(one.outcome()))),
    );
    expect_or_lacks(&switches, "tree", client.get_tree(3).await.map(drop));
    expect_or_lacks(&switches, "organizations", client.list_organizations(&PageRequest::default()).await.map(drop));
}

/// Passes where it went well, where the service does not have it, or where the key may not.
fn expect_or_lacks(switches: &Switches, what: &str, came: Result<(), Error>) {
    match came {
        Ok(()) => {}
        Err(Error::RouteMissing) => {}
        Err(error) if error.missing_scope().is_some() => {}
        // A service that says it as it says everything else.
        Err(Error::Api { status: 404, .. }) if switches.has(Switch::MissingRoutesInEnvelopes) => {}
        Err(error) => panic!("{what}: {error:?}"),
    }
}

/// No request that was refused for good was made again as it was.
fn judge_requests(stranger: &Stranger) {
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for entry in stranger.log().iter().filter(|entry| is_refused_for_good(entry)) {
        let request = format!("{} {} {:?} {:?}", entry.method, entry.path, entry.query, entry.carried);
        *refused.entry(request).or_default() += 1;
    }
    let repeated: Vec<_> = refused.into_iter().filter(|(_, times)| *times > 1).collect();
    // A program that is started anew learns anew what it has not kept.
    assert!(repeated.iter().all(|(_, times)| *times <= 2), "{repeated:#?}");
}

fn is_refused_for_good(entry: &Entry) -> bool {
    entry.method != "GET" && matches!(entry.status, 400 | 403 | 413 | 415 | 422)
}

/// Writes a file as of a minute ago, so that nobody waits for it to stand still.
pub fn write_earlier(path: &Path, content: &[u8]) {
    std::fs::write(path, content).expect("a file");
    let file = std::fs::File::options().write(true).open(path).expect("the file");
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).expect("its time");
}

/// Some bytes of a kind.
pub fn content(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut bytes = Vec::with_capacity(size + 8);
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}
