//! Settings › Writing: a model writes, with the key in the keychain and a server of the tests' own in the model's place.

use std::time::Duration;

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, SENDING, pictures};
use easel_tests::model_server::{MODELS, Manner, ModelServer, material};
use easel_tests::patience::wait_for;
use easel_tests::process;
use serde_json::{Value, json};

const KEY: &str = "sk-planted-0123456789";
const BRIEF: &str = "Launch deck for Kornwerk. Problem: bread is stale by noon. Market: €4.2bn";
const PATIENCE: Duration = Duration::from_secs(60);

fn outline() -> Value {
    json!({"title": "Kornwerk", "language": "en", "passages": [
        {"title": "Kornwerk", "matter": {"kind": "cover", "subtitle": "Bread that stays fresh"}},
        {"title": "By noon, bread is stale", "matter": {"kind": "statement", "support": "A market of €4.2bn"}},
    ]})
}

#[tokio::test]
async fn a_model_writes_after_it_was_said_what_leaves_and_its_key_is_in_no_argument() {
    let server = ModelServer::start(vec![Manner::say(&outline()), Manner::Stall]).await;
    let mut journey = Journey::begin(Keychain::Unlocked).await;
    journey.start_on_this_computer().await;
    let studio = journey.wait_for_studio().await;
    let window = &journey.window;
    window.click("rail-settings").await;
    window.click("settings-writing").await;
    window.wait_for_words("writing-leaves", "Nothing leaves this computer").await;
    picture(&journey, "built-in").await;

    // A model on this computer, chosen from those that are there.
    window.click("writing-on_this_computer").await;
    window.fill("writing-address", &server.url()).await;
    window.click("writing-look").await;
    window.wait_for_words("writing-found", "2 models").await;
    window.wait_for_words("writing-leaves", "nothing leaves this computer").await;
    picture(&journey, "model").await;

    // A service: what leaves is said for another host, and nothing was asked of anybody by then.
    window.click("writing-service").await;
    window.fill("writing-address", "https://models.example.org/v1").await;
    window.wait_for_words("writing-leaves", "What leaves this computer, to models.example.org").await;
    window.fill("writing-model", "large-writer").await;
    picture(&journey, "service").await;
    assert!(server.asked().is_empty());

    // The service of this test is on this computer.
    window.fill("writing-address", &server.url()).await;
    window.fill("writing-key", KEY).await;
    window.fill("writing-model", MODELS[1]).await;
    window.click("writing-use").await;
    window.wait_for_words("writing-now", MODELS[1]).await;
    let page = window.look("return document.documentElement.outerHTML").await.to_string();
    assert!(!page.contains(KEY), "the page still holds the key");

    // It writes, without the studio having started again, and the key came by the pipe.
    design(&journey, "By noon, bread is stale").await;
    let asked = server.asked();
    assert_eq!(asked[0].header("authorization"), format!("Bearer {KEY}"));
    assert!(
        material(&asked[0])["brief"].as_str().is_some_and(|brief| brief.contains("Kornwerk")),
        "{}",
        material(&asked[0])
    );
    assert_eq!(journey.wait_for_studio().await, studio);
    let arguments = process::read_arguments(studio).join(" ");
    let environment = std::fs::read(format!("/proc/{studio}/environ")).expect("an environment");
    assert!(!arguments.contains(KEY) && !String::from_utf8_lossy(&environment).contains(KEY), "{arguments}");

    // After a restart of everything it is still who writes; stopped, it takes nothing with it.
    journey.window.kill();
    process::wait_for_end(studio, PATIENCE);
    journey.start_again().await;
    journey.wait_for_studio().await;
    let window = &journey.window;
    window.click("rail-home").await;
    window.fill("describe-prompt", "A poster for Kornwerk").await;
    window.click("describe-make").await;
    let asked = server.wait_for(2, PATIENCE).await;
    assert_eq!(asked[1].header("authorization"), format!("Bearer {KEY}"));
    window.click("rail-activity").await;
    window.find_by("[data-testid=\"task-row\"][data-state=\"running\"]").await;
    window.click_by("[data-testid=\"task-row\"][data-state=\"running\"] [data-testid=\"task-cancel\"]").await;
    wait_for("the request to end", PATIENCE, async || if server.given_up() == 1 { Ok(()) } else { Err("it goes on") })
        .await;

    // Back to the studio's own reading.
    window.click("rail-settings").await;
    window.click("settings-writing").await;
    window.click("writing-built_in").await;
    window.click("writing-use").await;
    window.wait_for_page_words("The studio writes by itself from now on").await;
    assert_eq!(server.asked().len(), 2);
}

/// Describes a design and waits until a page of it says this.
async fn design(journey: &Journey, words: &str) {
    let window = &journey.window;
    window.click("rail-home").await;
    window.fill("describe-prompt", BRIEF).await;
    window.click("describe-format-slides").await;
    window.click("describe-make").await;
    let service = journey.built_in_service().await;
    wait_for(words, SENDING, async || {
        let tasks = service.get("/v1/tasks?limit=10").await.expect(200);
        let task = tasks["data"].as_array().and_then(|tasks| tasks.first().cloned()).unwrap_or_default();
        let message = task["progress"]["message"].as_str().unwrap_or_default().to_owned();
        if task["status"] == "succeeded" && message.contains("Written by") { Ok(()) } else { Err(task.to_string()) }
    })
    .await;
}

/// Leaves pictures of the window for whoever judges it: both themes, in both sizes.
async fn picture(journey: &Journey, name: &str) {
    let window = &journey.window;
    for theme in ["light", "dark"] {
        window.look(&format!("document.documentElement.dataset.theme = '{theme}'; return true")).await;
        for (width, height) in [(900, 600), (1440, 900)] {
            window.resize(width, height).await;
            window.rest().await;
            window.take_picture(&pictures().join(format!("writing-{name}-{theme}-{width}.png"))).await;
        }
    }
    window.look("document.documentElement.dataset.theme = 'light'; return true").await;
}
