//! Models that are away, slow, refuse, stream, break, flood or talk nonsense: the built-in reading draws, and the message says so.

use std::time::{Duration, Instant};

use easel_tests::model_server::Manner;
use easel_tests::patience::wait_for;
use easel_tests::port::HeldPort;
use easel_tests::studio::{Options, Studio, command};
use serde_json::{Value, json};

use crate::stage::{BRIEF, PATIENCE, Stage, good, message};

/// The design was made by the built-in reading, as the message says with these words; so many requests were made for it.
async fn check(manner: Manner, expected: &str, requests: usize) {
    let stage = Stage::set_for("openai", vec![manner.clone()], "4").await;
    let begun = Instant::now();
    let done = stage.design().await;
    let said = message(&done);
    assert!(said.contains("The model that writes (small)") && said.contains(expected), "{manner:.60?}: {said}");
    assert!(said.ends_with("so the built-in reading wrote this."), "{said}");
    assert_eq!(stage.server.asked().len(), requests, "{manner:.60?}");
    assert!(begun.elapsed() < Duration::from_secs(40), "{manner:.60?}: {:?}", begun.elapsed());
    let words = stage.words(&done).await;
    assert!(words.contains("4.2bn") && words.contains("Ada Byron"), "{words}");
    assert_eq!((&done["attempt"], &done["error"]), (&json!(1), &Value::Null), "{done}");
}

#[tokio::test]
async fn one_that_refuses_is_asked_no_more_than_makes_sense() {
    check(Manner::Refuse(401), "refused the key it was given (status 401)", 1).await;
    check(Manner::Refuse(403), "refused the key it was given (status 403)", 1).await;
    check(Manner::Refuse(404), "is not known at its address (status 404)", 1).await;
    check(Manner::Refuse(307), "refused the request (status 307)", 1).await;
    check(Manner::Refuse(400), "refused the request (status 400)", 2).await;
    check(Manner::Refuse(429), "takes no more requests at the moment (status 429)", 3).await;
    check(Manner::Refuse(500), "had a fault of its own (status 500)", 3).await;
}

#[tokio::test]
async fn one_that_is_slow_is_waited_for_no_longer_than_it_may_take() {
    check(Manner::Stall, "did not answer within 4 s", 1).await;
    check(Manner::StallMidway, "did not answer within 4 s", 1).await;
}

#[tokio::test]
async fn one_that_breaks_streams_or_talks_nonsense_is_not_believed() {
    check(Manner::Break, "broke off in the middle of its answer", 3).await;
    check(Manner::Stream(good().to_string()), "something that is no outline", 3).await;
    check(Manner::Say("I am sorry, I cannot help with that.".to_owned()), "something that is no outline", 3).await;
    check(Manner::Say("{\"title\": \"x\", \"passages\": [{}]}".to_owned()), "something that is no outline", 3).await;
    check(Manner::Say("[".repeat(200_000)), "something that is no outline", 3).await;
    check(Manner::Raw("<html>Welcome</html>".to_owned()), "something that is no outline", 3).await;
    check(Manner::Raw("{\"choices\": []}".to_owned()), "something that is no outline", 3).await;
}

#[tokio::test]
async fn one_that_sends_a_hundred_megabytes_is_read_no_further_than_it_may_be_long() {
    let stage = Stage::set("openai", vec![Manner::Flood(100_000_000)]).await;
    let before = resident_bytes(stage.studio.pid());
    let designed = stage.design();
    tokio::pin!(designed);
    let mut most = before;
    let done = loop {
        tokio::select! {
            done = &mut designed => break done,
            () = tokio::time::sleep(Duration::from_millis(5)) => most = most.max(resident_bytes(stage.studio.pid())),
        }
    };
    assert!(message(&done).contains("answered more than can be read"), "{}", message(&done));
    assert!(most - before < 60_000_000, "the studio took {} more bytes", most - before);
}

/// The memory of a process.
fn resident_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1_024
}

#[tokio::test]
async fn one_that_is_away_fails_nothing() {
    let nobody = HeldPort::any();
    let options = Options::new().with("--writer", &format!("http://{nobody}")).with("--writer-model", "small");
    let studio = Studio::start(options);
    let key = studio.create_key("writer");
    let http =
        easel_tests::http::Http::new(&studio.base_url).with_key(&key.key).with_version(easel_tests::http::CANONICAL);
    let task = http.post("/v1/tasks", &json!({"prompt": BRIEF})).await.expect(202);
    let path = format!("/v1/tasks/{}", task["id"].as_str().expect("an id"));
    let done = wait_for("the end of the task", PATIENCE, async || {
        let task = http.get(&path).await.expect(200);
        if task["status"] == "succeeded" { Ok(task) } else { Err(task.to_string()) }
    })
    .await;
    assert!(message(&done).contains("could not be reached"), "{}", message(&done));
}

#[tokio::test]
async fn canceling_a_task_ends_its_request() {
    let stage = Stage::set_for("openai", vec![Manner::Stall], "100").await;
    let task = stage.start(&json!({"prompt": BRIEF})).await;
    stage.server.wait_for(1, PATIENCE).await;
    let path = format!("/v1/tasks/{}/cancel", task["id"].as_str().expect("an id"));
    stage.http.json(http::Method::POST, &path, "").await.is(200);
    let ended = stage.finish(&task).await;
    assert_eq!(ended["status"], "canceled", "{ended}");
    wait_for("the end of the request", Duration::from_secs(5), async || {
        if stage.server.given_up() == 1 { Ok(()) } else { Err("it goes on".to_owned()) }
    })
    .await;
}

#[tokio::test]
async fn stopping_the_studio_waits_for_no_model() {
    let mut stage = Stage::set_for("openai", vec![Manner::Stall], "100").await;
    stage.start(&json!({"prompt": BRIEF})).await;
    stage.server.wait_for(1, PATIENCE).await;
    let begun = Instant::now();
    assert!(stage.studio.stop().success());
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn what_is_wrong_with_a_writer_is_said_at_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("empty");
    std::fs::write(&empty, "\n").expect("a file");
    let empty = empty.to_str().expect("a path");
    let check = |arguments: &[&str], expected: &str| {
        let mut all = vec!["serve", "--listen", "127.0.0.1:0"];
        all.extend(arguments);
        let output = command(&folder.path().join("data"), &all);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(expected), "{arguments:?}: {said}");
    };
    let local = "http://127.0.0.1:9";
    check(&["--writer", local], "--writer-model");
    check(&["--writer-model", "small"], "--writer");
    check(&["--writer", "http://8.8.8.8", "--writer-model", "small"], "https");
    check(&["--writer", "https://a:secret@a.example", "--writer-model", "small"], "without a name");
    check(&["--writer", local, "--writer-model", " "], "name of its model");
    check(&["--writer", local, "--writer-model", "small", "--writer-key-file", empty], "no key stands");
    check(&["--writer", local, "--writer-model", "small", "--writer-key-file", "/nowhere"], "/nowhere");
    check(&["--writer", local, "--writer-model", "small", "--writer-seconds", "1000"], "1000");
    check(&["--writer-by-stdin"], "--exit-on-stdin-close");
}
