//! A first start that connects to a service elsewhere.

use easel_tests::desktop::Keychain;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::journey::{Journey, read_drive};
use easel_tests::samples;
use easel_tests::studio::{Options, Studio};

#[tokio::test]
async fn connects_by_address_and_key_after_a_wrong_key_was_explained() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("the window");
    let mut journey = Journey::begin(Keychain::Unlocked).await;

    let wrong = format!("svc_live_{}", "0".repeat(40));
    journey.submit_connection(&studio.base_url, &wrong).await;
    journey.window.wait_for_words("problem", "The key is not accepted").await;
    journey.window.fill("connect-key", &key.key).await;
    journey.window.click("connect-submit").await;
    journey.window.find("home-dropzone").await;
    assert_eq!(journey.window.studio_pid(), None, "no studio of its own is started beside the service");

    let picture = journey.files().join("Logo.png");
    samples::write_picture(&picture);
    journey.drop_files("home-dropzone", std::slice::from_ref(&picture)).await;
    let rows = journey.wait_for_transfers(&["Logo.png"]).await;
    assert_eq!(rows["Logo.png"].state, "sent", "{rows:?}");
    journey.wait_for_drive(&[("Logo.png", "file")]).await;
    let service = Http::new(&studio.base_url).with_version(CANONICAL).with_key(&key.key);
    assert_eq!(read_drive(&service).await["Logo.png"].sha256, samples::hash_file(&picture));

    // The key comes back from the keychain, and is in no file.
    journey.window.kill();
    journey.start_again().await;
    journey.wait_for_drive(&[("Logo.png", "file")]).await;
    assert_key_is_in_no_file(journey.data_dir(), &key.key);
    assert_key_is_in_no_file(journey.desktop.home(), &key.key);
}

#[tokio::test]
async fn an_invited_person_is_in_by_one_paste_and_sees_who_manages_the_team() {
    let studio = Studio::start(Options::new());
    let output = studio.command(&["invite", "ben@example.org", "--role", "member", "--address", &studio.base_url]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let made: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let code = made["code"].as_str().unwrap();
    let mut journey = Journey::begin(Keychain::Unlocked).await;

    journey.window.click("welcome-invited").await;
    journey.window.fill("invited-code", &code[..code.len() - 3]).await;
    journey.window.click("invited-submit").await;
    journey.window.wait_for_words("problem", "not a whole invitation").await;
    journey.window.fill("invited-code", &format!("Your invitation: {code}")).await;
    journey.window.click("invited-submit").await;
    journey.window.find("home-dropzone").await;
    assert_eq!(journey.window.studio_pid(), None, "no studio of its own is started beside the service");

    // What was redeemed is a key in the keychain, which is there at the next start; the code is nowhere.
    journey.window.kill();
    journey.start_again().await;
    journey.window.find("home-dropzone").await;
    assert_key_is_in_no_file(journey.data_dir(), code);
    journey.window.click("rail-settings").await;
    journey.window.click("settings-team").await;
    journey.window.wait_for_words("problem", "Admins and owners manage the team").await;
}

#[tokio::test]
async fn a_service_that_is_not_there_is_named() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    journey.submit_connection(&address, &format!("svc_live_{}", "1".repeat(40))).await;
    journey.window.wait_for_words("problem", "cannot be reached").await;
}

fn assert_key_is_in_no_file(folder: &std::path::Path, key: &str) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            assert_key_is_in_no_file(&path, key);
        } else if path.is_file() {
            let bytes = std::fs::read(&path).unwrap_or_default();
            let is_there = bytes.windows(key.len()).any(|window| window == key.as_bytes());
            assert!(!is_there, "the key is in {}", path.display());
        }
    }
}
