//! Where the key is kept when the system's keychain cannot have it.

use easel_tests::desktop::Keychain;
use easel_tests::journey::Journey;
use easel_tests::studio::{Options, Studio};

#[tokio::test]
async fn without_a_keychain_it_says_so_and_offers_to_keep_the_key_for_this_session() {
    offers_to_keep_the_key_for_this_session(Keychain::Missing, "This computer has no keychain running").await;
}

#[tokio::test]
async fn with_a_locked_keychain_it_says_so_and_offers_to_keep_the_key_for_this_session() {
    offers_to_keep_the_key_for_this_session(Keychain::Locked, "The keychain is locked").await;
}

async fn offers_to_keep_the_key_for_this_session(keychain: Keychain, words: &str) {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("the window");
    let mut journey = Journey::begin(keychain).await;
    journey.submit_connection(&studio.base_url, &key.key).await;
    journey.window.wait_for_words("problem", words).await;
    journey.window.click("problem-action").await;
    journey.window.find("home-dropzone").await;
    journey.wait_for_drive(&[]).await;

    // For this session only: the next start asks for it again.
    journey.window.kill();
    journey.start_again().await;
    journey.window.wait_for_page_words("The key of this connection is not on this computer").await;
}
