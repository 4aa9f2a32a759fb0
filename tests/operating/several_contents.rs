//! Contents of a bucket that several processes share: what one removes while another brings it is not lost, whatever is killed or away.

use std::time::Duration;

use easel_tests::drive::upload;
use easel_tests::http::Http;
use easel_tests::patience::wait_for;
use easel_tests::proxy::{Fault, Seen};
use easel_tests::samples::Noise;
use easel_tests::several::{self, Front, Rig, client_of};
use easel_tests::studio::{Options, Studio};
use futures_util::future::join;
use serde_json::Value;

use crate::backups::result;
use crate::buckets::{key_of, noise};
use crate::several::{PATIENCE, text};

/// By so much what one process removes arrives late at the bucket.
const LATE: Duration = Duration::from_millis(400);

/// Two processes, the first of which asks for its bucket by a way on which removals are late.
fn start_with_a_slow_way() -> (Rig, Front) {
    let mut rig = Rig::start(Options::new(), 1);
    let way = Front::start();
    way.api.forward_to(&rig.bucket.authority());
    let options = Options::new().database(&rig.database);
    let options = options.bucket_behind(&rig.bucket, &way.api.url());
    let slow = several::start_beside(&rig.front, &options, &rig.studios[0]);
    rig.studios.insert(0, slow);
    (rig, way)
}

/// Whether a request to the bucket removes contents: one, or those that are listed in it.
fn is_removal(request: &Seen) -> bool {
    request.method == "DELETE" || request.is("POST", "/contents")
}

/// From now on removals on this way are late. The way stands still meanwhile, for its one process.
fn be_late(way: &Front) {
    way.api.break_by(|request| {
        if is_removal(request) {
            std::thread::sleep(LATE);
        }
        Fault::Pass
    });
}

async fn delete_for_good(http: &Http, file: &str) {
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    http.delete(&format!("/v1/drive/trash/{file}")).await.is(200);
}

async fn check_content(http: &Http, file: &str, content: &[u8]) {
    let answer = http.get(&format!("/v1/drive/files/{file}/content")).await;
    assert!(answer.status == 200 && answer.body == content, "{file} was acknowledged: {:?}", answer.status);
}

fn end_and_verify(mut rig: Rig) {
    rig.front.take_turns(&[]);
    for studio in &mut rig.studios {
        assert!(studio.stop().success());
    }
    let found = result(&rig.studios[0].command(&["verify", "--json"]), 0);
    assert_eq!(found["findings"], 0, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_content_removed_at_one_process_while_it_is_uploaded_at_another_is_never_lost() {
    let (rig, way) = start_with_a_slow_way();
    be_late(&way);
    let key = rig.studios[0].create_key("k").key;
    let (one, other) = (client_of(&rig.studios[0], &key), client_of(&rig.studios[1], &key));
    let mut random = Noise::new(18);
    let mut kept = Vec::new();
    for round in 0..24_u64 {
        let content = noise(3_000, 700 + round);
        let first = text(&upload(&one, &format!("{round}.bin"), &content).await["file_id"]);
        let moment = Duration::from_millis(random.draw() % 700);
        let again = async {
            tokio::time::sleep(moment).await;
            upload(&other, &format!("{round} again.bin"), &content).await
        };
        let (again, ()) = join(again, delete_for_good(&one, &first)).await;
        let file = text(&again["file_id"]);
        // Where it came before the first was gone, it is the first.
        if file != first {
            check_content(&one, &file, &content).await;
            kept.push((file, content));
        }
    }
    // Whatever is late has arrived.
    tokio::time::sleep(LATE * 3).await;
    assert!(kept.len() > 8, "{} came beside a removal", kept.len());
    for (file, content) in &kept {
        check_content(&other, file, content).await;
    }
    println!("{} contents came again while they were removed", kept.len());
    end_and_verify(rig);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_process_was_removing_is_refused_until_that_is_over_and_kept_from_then_on() {
    let (mut rig, way) = start_with_a_slow_way();
    let key = rig.studios[0].create_key("k").key;
    let (one, other) = (client_of(&rig.studios[0], &key), client_of(&rig.studios[1], &key));
    let content = noise(3_000, 900);
    let file = text(&upload(&one, "a.bin", &content).await["file_id"]);
    // The removal never gets through, and nobody answers it.
    way.api.break_by(|request| if is_removal(request) { Fault::Silence } else { Fault::Pass });
    delete_for_good(&one, &file).await;
    let sent = wait_for("the removal", PATIENCE, async || {
        if way.api.seen().iter().any(is_removal) { Ok(()) } else { Err("no removal") }
    });
    sent.await;
    rig.studios[0].kill();
    let form = easel_tests::http::Form::of_file("b.bin", &content);
    let at_once = other.post_form("/v1/uploads", &form).await;
    at_once.is(503);
    assert_eq!(at_once.value()["error"]["code"], "storage_unavailable", "{at_once:?}");
    let came = wait_for("the end of the removal", PATIENCE, async || {
        let answer = other.post_form("/v1/uploads", &form).await;
        if answer.status == 201 { Ok(answer.value()) } else { Err(answer.status) }
    });
    check_content(&other, &text(&came.await["file_id"]), &content).await;
    rig.studios.remove(0);
    end_and_verify(rig);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_takes_nothing_from_those_who_are_at_work_and_a_lone_one_sets_aside_what_is_left() {
    let mut rig = Rig::start(Options::new(), 1);
    let http = client_of(&rig.studios[0], &rig.studios[0].create_key("k").key);
    let content = noise(3_000, 950);
    let file = text(&upload(&http, "a.bin", &content).await["file_id"]);
    // A content without a row, as another process has it that has just brought one.
    let brought = rig.bucket.place_of(&key_of(b"just brought"));
    std::fs::create_dir_all(brought.parent().unwrap()).unwrap();
    std::fs::write(&brought, b"just brought").unwrap();
    for _ in 0..2 {
        let beside = several::start_beside(&rig.front, &rig.options, &rig.studios[0]);
        rig.studios.push(beside);
    }
    assert!(brought.is_file(), "a start beside others leaves it alone");
    rig.studios.iter_mut().for_each(Studio::kill);
    rig.studios.truncate(1);
    rig.studios[0].restart();
    let aside = wait_for("what is left to be set aside", PATIENCE, async || {
        let keys = rig.bucket.keys("aside/");
        if keys.len() == 1 && !brought.is_file() { Ok(keys) } else { Err(format!("{keys:?}")) }
    });
    println!("{:?}", aside.await);
    check_content(&http, &file, &content).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_go_on_when_their_database_was_away_and_nobody_has_taken_it_meanwhile() {
    let mut rig = Rig::start(Options::new(), 2);
    let key = rig.studios[0].create_key("k").key;
    let each = rig.each(&key);
    let content = noise(3_000, 960);
    upload(&each[0], "a.bin", &content).await;
    rig.server.restart();
    for (number, http) in each.iter().enumerate() {
        let there = wait_for("the database", PATIENCE, async || {
            let answer = http.get("/v1/drive/files").await;
            if answer.status == 200 { Ok(answer.value()) } else { Err(answer.status) }
        });
        assert_eq!(there.await["data"].as_array().map(Vec::len), Some(1));
        let said = wait_for("the process to say that it serves", PATIENCE, async || {
            let log = rig.studios[number].log();
            if log.contains("the database was away") { Ok(()) } else { Err("nothing") }
        });
        said.await;
    }
    let alone = rig.studios[0].command(&["verify", "--repair"]);
    assert_eq!(alone.status.code(), Some(3), "{}", String::from_utf8_lossy(&alone.stderr));
    for (number, http) in each.iter().enumerate() {
        let file: Value = upload(http, "b.bin", &noise(3_000, 970 + number as u64)).await;
        check_content(&each[1 - number], &text(&file["file_id"]), &noise(3_000, 970 + number as u64)).await;
    }
    end_and_verify(rig);
}
