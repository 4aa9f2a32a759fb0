//! Webhooks as a developer looks at them: received on this computer, and examined by the signature doctor.

use easel_tests::axe;
use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, SENDING};
use easel_tests::patience::wait_for;
use serde_json::Value;

#[tokio::test]
async fn the_end_of_a_task_is_received_here_verified_and_its_signature_examined() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    journey.show_developer().await;
    window.click("rail-developer").await;
    window.click("developer-listen").await;
    axe::check(window, "listening, off").await;
    window.click("listen-start").await;
    axe::check(window, "listening, nothing yet").await;
    assert!(window.text_of("listen-address").await.starts_with("http://127.0.0.1:"));

    // A design that is asked for in this window reports here, verified without a word.
    window.click("rail-home").await;
    window.fill("describe-prompt", "A lighthouse at dusk").await;
    window.click("describe-make").await;
    window.click("rail-developer").await;
    window.click("developer-listen").await;
    wait_for("the webhook", SENDING, async || {
        match window
            .look("return document.querySelector('[data-testid=\"received-state\"]')?.dataset.state ?? ''")
            .await
        {
            Value::String(state) if state == "verified" => Ok(()),
            state => Err(state.to_string()),
        }
    })
    .await;
    window.click("received-open").await;
    window.find("received-body").await;
    axe::check(window, "what was received").await;

    // The log has the delivery too; the doctor takes it from there, and blames the one thing that is wrong.
    window.click("developer-webhooks").await;
    window.click("delivery-open").await;
    axe::check(window, "a delivery").await;
    window.click("delivery-doctor").await;
    window.fill("doctor-secret", &format!("whsec_{}", "0".repeat(64))).await;
    window.click("doctor-examine").await;
    window.wait_for_words("doctor-verdict", "It is the secret of another key").await;
    axe::check(window, "the signature doctor's verdict").await;
    window.click("doctor-close").await;
}
