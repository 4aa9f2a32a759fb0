//! Settings › Developer › REST API: keys for other programs.

use easel_tests::desktop::Keychain;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::journey::Journey;

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_refused_as_soon_as_it_is_deleted() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    journey.wait_for_studio().await;
    window.click("rail-settings").await;
    window.click("settings-developer").await;
    let address = window.text_of("rest-address").await;

    window.click("key-create").await;
    window.fill("key-name", "Build server").await;
    window.click("key-create-confirm").await;
    let key = window.text_of("key-value").await;
    let secret = window.text_of("key-secret").await;
    assert!(key.strip_prefix("svc_live_").is_some_and(|hex| hex.len() == 40), "{} characters", key.len());
    assert!(secret.starts_with("whsec_"), "{} characters", secret.len());

    // Shown once: afterwards the page has neither.
    window.click("key-stored").await;
    let row = "[data-testid=\"key-row\"][data-name=\"Build server\"]";
    window.find_by(row).await;
    let page = window.look("return document.documentElement.outerHTML").await.to_string();
    assert!(!page.contains(&key) && !page.contains(&secret), "the page still holds the key or its secret");

    let service = Http::new(address.trim_end_matches('/')).with_version(CANONICAL).with_key(&key);
    let account = service.get("/v1/whoami").await.expect(200);
    assert_eq!(account["role"], "owner");

    window.click_by(&format!("{row} [data-testid=\"key-delete\"]")).await;
    window.click("key-delete-confirm").await;
    window.wait_for_page_words("no longer works").await;
    let refused = service.get("/v1/whoami").await;
    refused.is(401);
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
}
