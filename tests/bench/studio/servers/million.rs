//! Answers in a second with a million files in a PostgreSQL database, beside a handler that asks that server for one row over a pool of
//! as many connections and returns the same bytes; and what a page costs at the end of the million.

use easel_tests::bench::fresh_folder;
use easel_tests::figures::write_plain;
use easel_tests::postgres::Database;
use easel_tests::process::read_resident_bytes;
use easel_tests::several::{self, Rig};
use easel_tests::studio::Options;

use crate::bare::Bare;
use crate::load::{self, Lane};
use crate::requests::{MIB, Question, beside_bare, compare_pages, walk};

/// Files in the database, a thousand in each folder.
const FILES: usize = 1_000_000;

/// The least share of the handler's answers that the studio gives.
const SHARE: f64 = 0.3;

/// More requests than can be asked in a minute, so that each is counted and none refused.
const COUNTED: u32 = 100_000_000;

/// The rows of folders and files, as they would be after all of them had been sent. Triggers that count are left out while they are
/// written, and what they would have counted is written at once. Nobody asks for contents here: there are none.
const ROWS: [&str; 5] = [
    "INSERT INTO folders (id, team_id, name, name_key, visibility, private_to, created_by, created_at, updated_at)
     SELECT uuid_send(gen_random_uuid()), users.team_id, 'Folder ' || folder, 'folder ' || folder, 'team', '', users.id, at, at
       FROM users, generate_series(1, 1000) AS folder, LATERAL (SELECT 1700000000000000 + folder AS at) AS moment",
    "INSERT INTO files (id, team_id, folder_id, name, name_key, visibility, private_to, mime_type, size_bytes, content_hash, created_by,
       created_at, updated_at)
     SELECT uuid_send(gen_random_uuid()), folders.team_id, folders.id, file.name, lower(file.name), 'team', '', 'text/plain', 40,
       sha256(file.name::bytea), folders.created_by, at, at
       FROM folders, generate_series(1, 1000) AS number,
         LATERAL (SELECT 'Notes of the meeting ' || folders.name || ', ' || number || '.txt' AS name,
           folders.created_at + number * 1000000 AS at) AS file",
    "INSERT INTO drive_counts (team_id, place, private_to, files)
     SELECT team_id, folder_id, '', COUNT(*) FROM files GROUP BY team_id, folder_id",
    "INSERT INTO drive_counts (team_id, place, private_to, folders, files)
     SELECT team_id, '\\x2a'::bytea, ''::bytea, (SELECT COUNT(*) FROM folders), COUNT(*) FROM files GROUP BY team_id
     UNION ALL SELECT team_id, ''::bytea, ''::bytea, COUNT(*), 0 FROM folders GROUP BY team_id",
    "INSERT INTO team_usage (team_id, bytes, files) SELECT team_id, SUM(size_bytes), COUNT(*) FROM files GROUP BY team_id",
];

pub async fn measure() {
    let mut rig = Rig::start(Options::new(), 1);
    let key = rig.studios[0].create_key("bench").key;
    fill(&rig.database);
    restart(&mut rig, Options::new());
    let authority = rig.studios[1].api_authority();
    let memory = |rig: &Rig| read_resident_bytes(rig.studios.last().expect("it runs").pid()) as f64 / MIB;
    write_plain("on a server: memory after the start", memory(&rig), "MiB");
    let lists = walk(&authority, &key, FILES).await;
    let whoami = load::get("/v1/whoami", &key);
    let place = fresh_folder("bare");
    let mut lane = Lane::open(&authority).await;
    let mut bodies = Vec::new();
    for request in [&whoami, &lists[0]] {
        bodies.push(lane.ask(request).await.body.to_vec());
    }
    let answers = [("whoami", bodies[0].as_slice()), ("files", bodies[1].as_slice())];
    let bare = Bare::start_asking(place.path(), &answers, &rig.database.url());

    let named = "on a server: whoami";
    beside_bare(&authority, &bare, Question::new("whoami", named, vec![whoami.clone()], Some(SHARE))).await;
    let page = "on a server: a list of 100 among a million files";
    beside_bare(&authority, &bare, Question::new("files", page, lists[..1].to_vec(), Some(SHARE))).await;
    let pages = "on a server: each of its pages in turn";
    beside_bare(&authority, &bare, Question::new("files", pages, lists.clone(), None)).await;
    compare_pages(&authority, &lists, "a million files on a server", 1.3).await;
    write_plain("on a server: memory after all this", memory(&rig), "MiB");

    restart(&mut rig, Options::new().requests_per_minute(COUNTED));
    let authority = rig.studios[2].api_authority();
    let counted = "on a server: whoami, counted for all processes together";
    beside_bare(&authority, &bare, Question::new("whoami", counted, vec![whoami], None)).await;
}

/// Writes the rows, and has the server look at them as it does by itself within minutes.
fn fill(database: &Database) {
    let rows = ROWS.join(";\n");
    database.execute(&format!("BEGIN; SET LOCAL session_replication_role = replica; {rows}; COMMIT"));
    database.execute("VACUUM ANALYZE");
}

/// Ends the last process and starts another with these options, so that nothing is left in its memory of what was asked before.
fn restart(rig: &mut Rig, options: Options) {
    assert!(rig.studios.last_mut().expect("one that runs").stop().success());
    let options = options.database(&rig.database).bucket(&rig.bucket);
    rig.studios.push(several::start_beside(&rig.front, &options, &rig.studios[0]));
}
