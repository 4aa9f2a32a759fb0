//! What Easel asks of a service that has it all: what it learns of services costs no request there.

use std::collections::BTreeMap;
use std::path::Path;

use easel_client::{Client, Connection, Source, Target};
use easel_stranger::{Config, Stranger, Switches};
use easel_tests::synced::{Engine, Home, Setting};
use tempfile::TempDir;

use crate::day::{content, write_earlier};

/// The requests since `from`, counted, and how many there were in all.
fn count(stranger: &Stranger, from: usize) -> (BTreeMap<String, usize>, usize) {
    let log = stranger.log();
    let mut counted = BTreeMap::new();
    for entry in log.iter().skip(from) {
        let route =
            entry.route.map_or_else(|| entry.path.clone(), |route| format!("{} {}", route.method(), route.path()));
        *counted.entry(route).or_default() += 1;
    }
    (counted, log.len())
}

fn expect(counted: &BTreeMap<String, usize>, what: &str, expected: &[(&str, usize)]) {
    let expected = expected.iter().map(|(route, times)| ((*route).to_owned(), *times)).collect();
    assert_eq!(*counted, expected, "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_has_it_all_is_asked_no_more_than_the_work_needs() {
    let config = Config { requests_per_minute: None, ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.expect("a port");
    let given = TempDir::with_prefix("easel-requests-").expect("a folder");
    let folder = stranger.make_folder(None, "Drops").parse().expect("an id");
    let connection = Connection::new(stranger.base_url(), stranger.key().into()).expect("an address and a key");
    let client = Client::new(connection).expect("a client");

    client.identify().await.expect("a service of this kind");
    let (asked, so_far) = count(&stranger, 0);
    expect(&asked, "connecting", &[("GET /whoami", 1)]);

    for (number, size) in [(1, 900), (2, 700)] {
        send(&client, given.path(), number, size, folder).await;
    }
    let (asked, so_far) = count(&stranger, so_far);
    expect(&asked, "two small files", &[("GET /uploads/limits", 1), ("POST /uploads", 2)]);

    send(&client, given.path(), 3, 33_700_000, folder).await;
    let (asked, so_far) = count(&stranger, so_far);
    let large = [("POST /uploads/url", 1), ("PUT /storage/uploads/{}", 1), ("POST /uploads/register", 1)];
    expect(&asked, "a large file", &large);

    // A folder of three files in a subfolder; then a run in which nothing is to be done.
    let (home, root) = (Home::new(), given.path().join("Brand"));
    std::fs::create_dir_all(root.join("Photos")).expect("folders");
    (10..13).for_each(|number| write_earlier(&root.join(format!("Photos/{number}.png")), &content(number, 800)));
    run_once(&stranger, &home, &root).await;
    let (asked, so_far) = count(&stranger, so_far);
    let first = [
        ("GET /whoami", 1),
        ("GET /uploads/limits", 1),
        ("GET /drive/folders", 2),
        // The whole list, and once what changed since its newest: whether the service tells is to be seen.
        ("GET /drive/files", 2),
        ("POST /drive/folders", 2),
        ("POST /uploads", 3),
    ];
    expect(&asked, "the first run of a folder", &first);
    run_once(&stranger, &home, &root).await;
    let (asked, _) = count(&stranger, so_far);
    let next = [("GET /whoami", 1), ("GET /uploads/limits", 1), ("GET /drive/folders", 1), ("GET /drive/files", 1)];
    expect(&asked, "a run with nothing to do", &next);
}

async fn send(client: &Client, given: &Path, number: u64, size: usize, folder: easel_wire::FolderId) {
    let name = format!("{number}.png");
    let path = given.join(&name);
    write_earlier(&path, &content(number, size));
    let source = Source::open(&path).await.expect("the file");
    let target = Target::new(&name, Some(folder));
    match client.route_upload(source.size_bytes(), &target).await.expect("a way") {
        easel_client::Route::Direct => drop(client.send_direct(&source, &target, &|_| {}).await.expect("it is sent")),
        easel_client::Route::Signed => {
            let signed = client.sign_upload(&target).await.expect("an address");
            client.put_signed(&signed, &source, &|_| {}).await.expect("it is put");
            client.register_upload(&signed.storage_key, &target).await.expect("it is registered");
        }
    }
}

async fn run_once(stranger: &Stranger, home: &Home, root: &Path) {
    let setting = Setting::new(stranger.base_url(), stranger.key(), root, "Brand").flag("--both-ways").flag("--once");
    let engine = Engine::start(home, &setting);
    let patience = std::time::Duration::from_secs(60);
    let ended = tokio::task::spawn_blocking(move || engine.finish(patience)).await.expect("its end");
    assert_eq!(ended.status.code(), Some(0), "{:#?}\n{}", ended.lines, ended.log);
}
