//! A brand kit from a file: a logo is dropped on the page of the kits, looked at, and saved with what it shows.

use easel_tests::desktop::Keychain;
use easel_tests::journey::Journey;
use easel_tests::patience::wait_for;
use easel_tests::window::PATIENCE;
use serde_json::{Value, json};

/// A red disc beside a navy bar.
const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><circle cx="20" cy="20" r="18" fill="#c8102e"/><rect x="46" y="10" width="70" height="20" fill="#0c2340"/></svg>"##;

#[tokio::test]
async fn a_dropped_logo_makes_a_brand_kit_in_its_colours() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    window.click("rail-designs").await;
    window.click("designs-kits").await;
    window.find("kit-create").await;

    let logo = journey.files().join("Harbor logo.svg");
    std::fs::write(&logo, LOGO).expect("a logo");
    journey.drop_files("kits", &[logo]).await;
    window.find("kit-logo-picture").await;
    let filled = window
        .look("return [...document.querySelectorAll('[data-testid=kit-name], [data-testid=kit-color]')].map((field) => field.value)")
        .await;
    assert_eq!(filled, json!(["Harbor", "#c8102e", "#0c2340"]));
    window.wait_for_words("kit-source", "Harbor logo.svg").await;

    // A typeface is chosen from a list in which each is set in itself.
    window.click("kit-headings-list").await;
    window.find("font-list").await;
    window.click_by("[data-testid=font-list] [data-value=\"Playfair Display\"]").await;
    wait_for("the typeface of the sample", PATIENCE, async || {
        let is_set = "return document.fonts.check('700 20px \"Easel Playfair Display\"') && \
                      document.querySelector('[data-testid=kit-sample] .heading').style.fontFamily";
        match window.look(is_set).await {
            Value::String(family) if family.contains("Playfair Display") => Ok(()),
            other => Err(other.to_string()),
        }
    })
    .await;
    window.click("kit-save").await;
    window.find_by("[data-testid=kit][data-name=Harbor]").await;

    // The logo follows the kit, and then the dialog is gone.
    wait_for("the end of the dialog", PATIENCE, async || match window.has("kit-dialog").await {
        true => Err("it is there"),
        false => Ok(()),
    })
    .await;
    let kits = journey.built_in_service().await.get("/v1/brand-kits").await;
    let kits: Value = serde_json::from_slice(&kits.body).expect("JSON");
    let kit = &kits["data"][0];
    assert_eq!(kit["title"], "Harbor", "{kits}");
    assert_eq!(kit["fonts"][0]["family"], "Playfair Display", "{kit}");
    assert_eq!(kit["logos"][0]["group_name"], "logo", "{kit}");
}
