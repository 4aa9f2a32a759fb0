//! Connections: tried before they are saved, each cause of failure in its own words, and back by themselves.

use std::time::Duration;

use easel_app::connections::{ConnectionDraft, ConnectionState, KeyKept};
use easel_app::events::Event;
use easel_app::ports::KeyStoreError;
use easel_app::problem::ActionKind;
use easel_tests::studio::{Options, Studio};

use crate::stage::{Stage, answer_always, draft};

#[tokio::test(flavor = "multi_thread")]
async fn each_cause_has_its_own_words_and_nothing_is_saved() {
    let stage = Stage::open();
    let studio = Studio::start(Options::new());
    let key = studio.create_key("Easel").key;
    let html = answer_always(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 20\r\nconnection: close\r\n\r\n<!doctype html><p>Hi").await;
    let missing =
        answer_always(b"HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\nconnection: close\r\n\r\nnot here!").await;
    let away = answer_always(b"HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/v1/whoami\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
    let version = answer_always(b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 83\r\nconnection: close\r\n\r\n{\"error\":{\"type\":\"invalid_request\",\"code\":\"unsupported_version\",\"message\":\"no\"}}   ").await;
    let encrypted = studio.base_url.replace("http://", "https://");
    let table = [
        ("", key.as_str(), "address_not_a_url", ActionKind::EditAddress),
        ("ftp://example.com", &key, "address_scheme", ActionKind::EditAddress),
        ("http://127.0.0.1:9", &key, "unreachable", ActionKind::TryAgain),
        (&studio.base_url, "svc_live_wrong", "authentication", ActionKind::EnterKey),
        (&studio.base_url, "", "key_not_usable", ActionKind::EnterKey),
        ("http://studio.example.com", &key, "plain_http_refused", ActionKind::ConfirmPlainHttp),
        (&encrypted, &key, "tls_failed", ActionKind::EditAddress),
        (&html, &key, "not_the_service", ActionKind::EditAddress),
        (&missing, &key, "not_the_service", ActionKind::EditAddress),
        (&away, &key, "redirect_refused", ActionKind::EditAddress),
        (&version, &key, "unsupported_version", ActionKind::EditVersionHeader),
    ];
    for (address, key, code, action) in table {
        let tested = stage.app.connections().test_connection(draft(address, key)).await.unwrap_err();
        assert_eq!((tested.code.as_str(), tested.action.kind), (code, action), "{address}: {tested:?}");
        let refused = stage.app.connections().connect_service(draft(address, key)).await.unwrap_err();
        assert_eq!(refused.code, code, "{address}");
    }
    let named = ConnectionDraft { version_header: Some("a b".to_owned()), ..draft(&studio.base_url, &key) };
    assert_eq!(stage.app.connections().test_connection(named).await.unwrap_err().code, "version_header_not_usable");
    assert!(stage.app.connections().list_connections().await.unwrap().is_empty());
    assert!(stage.keychain.keys.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_never_answers_does_not_hold_the_form_for_as_long_as_repeats_would() {
    let stage = Stage::open();
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let asking = stage.app.connections().test_connection(draft(&address, "svc_live_0"));
    let tested = tokio::time::timeout(Duration::from_secs(60), asking).await.expect("an end while a person waits");
    assert_eq!(tested.unwrap_err().code, "timed_out");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_there_again_at_the_next_start_and_its_key_in_no_file() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("Easel").key;
    let stage = Stage::open();
    let tested = stage.app.connections().test_connection(draft(&studio.base_url, &key)).await.unwrap();
    assert_eq!(tested.address, studio.base_url);
    assert!(stage.app.connections().list_connections().await.unwrap().is_empty(), "a test saves nothing");

    let view = stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
    assert_eq!((view.state, view.key_kept), (ConnectionState::Ready, KeyKept::Keychain));
    assert_eq!(view.account.as_ref().unwrap().role.as_deref(), Some("owner"));
    assert!(view.limits.is_some());
    let again = stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap();
    assert_eq!(again.id, view.id, "the same service for the same person is one connection");

    let stage = stage.start_again().await;
    let back = stage.wait_for_state(ConnectionState::Ready).await;
    assert_eq!((back.id.as_str(), back.key_kept), (view.id.as_str(), KeyKept::Keychain));
    let written = stage.everything_written();
    assert!(!written.is_empty());
    assert!(!written.windows(key.len()).any(|window| window == key.as_bytes()), "the key is in a file");

    stage.app.connections().remove_connection(view.id).await.unwrap();
    assert!(stage.app.connections().list_connections().await.unwrap().is_empty());
    assert!(stage.keychain.keys.lock().unwrap().is_empty());
    assert_eq!(stage.app.get_overview().await.unwrap().selected_connection_id, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_header_of_another_name_is_spoken_and_kept() {
    let studio = Studio::start(Options::new().with("--version-header", "Acme-Version"));
    let key = studio.create_key("Easel").key;
    let stage = Stage::open();
    let named = ConnectionDraft { version_header: Some("Acme-Version".to_owned()), ..draft(&studio.base_url, &key) };
    stage.app.connections().connect_service(named).await.unwrap();
    let stage = stage.start_again().await;
    let back = stage.wait_for_state(ConnectionState::Ready).await;
    assert!(back.version_header.unwrap().eq_ignore_ascii_case("acme-version"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_is_absent_locked_or_refusing_is_said_and_the_session_offered() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("Easel").key;
    let stage = Stage::open();
    let table = [
        (KeyStoreError::Absent, "key_store_absent"),
        (KeyStoreError::Locked, "key_store_locked"),
        (KeyStoreError::Refused { reason: "no".to_owned() }, "key_store_refused"),
    ];
    let mut titles = std::collections::HashSet::new();
    for (error, code) in table {
        stage.keychain.fails_with(Some(error));
        let problem = stage.app.connections().connect_service(draft(&studio.base_url, &key)).await.unwrap_err();
        assert_eq!((problem.code.as_str(), problem.action.kind), (code, ActionKind::KeepForSession));
        let local = stage.app.connections().start_local_studio(false).await.unwrap_err();
        assert_eq!((local.code.as_str(), local.action.kind), (code, ActionKind::KeepForSession));
        assert!(titles.insert(problem.title));
    }
    assert!(stage.app.connections().list_connections().await.unwrap().is_empty());

    let kept = ConnectionDraft { keep_for_session: true, ..draft(&studio.base_url, &key) };
    let view = stage.app.connections().connect_service(kept).await.unwrap();
    assert_eq!((view.state, view.key_kept), (ConnectionState::Ready, KeyKept::Session));

    // At the next start the key is gone; entering it again helps.
    stage.keychain.fails_with(None);
    let stage = stage.start_again().await;
    let back = stage.wait_for_state(ConnectionState::NeedsAttention).await;
    assert_eq!(back.problem.unwrap().code, "key_missing");
    let cured = stage.app.connections().replace_key(back.id, key, false).await.unwrap();
    assert_eq!((cured.state, cured.key_kept), (ConnectionState::Ready, KeyKept::Keychain));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_is_locked_at_the_start_is_said_and_looked_at_again_when_asked() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    stage.keychain.fails_with(Some(KeyStoreError::Locked));
    let stage = stage.start_again().await;
    let view = stage.wait_for_state(ConnectionState::NeedsAttention).await;
    assert_eq!(view.problem.unwrap().code, "key_locked_away");
    stage.page.wait_for("the event", |event| matches!(event, Event::KeyStoreUnavailable(_)).then_some(())).await;
    let waiting = stage.app.drive().list_drive(None, 0, 10, crate::stage::BY_NAME).await.unwrap_err();
    assert_eq!(waiting.code, "key_locked_away", "a command says what is the matter");
    stage.keychain.fails_with(None);
    let back = stage.app.connections().retry_connection(view.id).await.unwrap();
    assert_eq!((back.state, back.problem), (ConnectionState::Ready, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_studio_goes_on_without_a_keychain_that_is_gone_at_the_next_start() {
    let stage = Stage::open();
    stage.app.connections().start_local_studio(false).await.unwrap();
    stage.keychain.fails_with(Some(KeyStoreError::Absent));
    let stage = stage.start_again().await;
    let view = stage.wait_for_state(ConnectionState::NeedsAttention).await;
    assert_eq!(view.problem.unwrap().code, "key_out_of_reach");
    let back = stage.app.connections().start_local_studio(true).await.unwrap();
    assert_eq!((back.state, back.key_kept), (ConnectionState::Ready, KeyKept::Session));
    stage.list(None).await;

    stage.keychain.fails_with(None);
    let stage = stage.start_again().await;
    stage.wait_for_state(ConnectionState::Ready).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_goes_away_is_said_and_comes_back_by_itself() {
    let mut studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    studio.kill();
    let problem = stage.app.drive().list_folder_tree().await.unwrap_err();
    assert!(matches!(problem.code.as_str(), "unreachable" | "connection_broken"), "{problem:?}");
    let view = stage.wait_for_state(ConnectionState::Offline).await;
    assert!(view.problem.is_some() && view.account.is_some());
    studio.restart();
    let back = stage.wait_for_state(ConnectionState::Ready).await;
    assert_eq!(back.problem, None);
    stage.list(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_key_asks_for_another_which_cures_it() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("Easel");
    let stage = Stage::open();
    let view = stage.app.connections().connect_service(draft(&studio.base_url, &key.key)).await.unwrap();
    studio.delete_key(&key.id);
    let problem = stage.app.drive().list_folder_tree().await.unwrap_err();
    assert_eq!((problem.code.as_str(), problem.action.kind), ("authentication", ActionKind::EnterKey));
    stage.wait_for_state(ConnectionState::NeedsAttention).await;
    let wrong = stage.app.connections().replace_key(view.id.clone(), "svc_live_0".to_owned(), false).await.unwrap_err();
    assert_eq!(wrong.code, "authentication");
    let fresh = studio.create_key("Easel, again").key;
    let cured = stage.app.connections().replace_key(view.id, fresh, false).await.unwrap();
    assert_eq!(cured.state, ConnectionState::Ready);
    stage.list(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_studio_is_one_connection_and_may_move() {
    let stage = Stage::open();
    let view = stage.app.connections().start_local_studio(false).await.unwrap();
    assert_eq!(view.state, ConnectionState::Ready);
    assert!(view.address.as_deref().is_some_and(|address| address.starts_with("http://127.0.0.1:")));
    let again = stage.app.connections().start_local_studio(false).await.unwrap();
    assert_eq!(again.id, view.id);
    assert_eq!(stage.app.keys().list_api_keys().await.unwrap().len(), 1);
    stage.put("before.txt", b"before", None).await;
    stage.built_in.crash_and_restart();
    easel_tests::patience::wait_for("the drive at its new address", crate::stage::SOON, async || {
        stage.app.drive().list_drive(None, 0, 10, crate::stage::BY_NAME).await.map_err(|problem| problem.code)
    })
    .await;
    stage.wait_for_state(ConnectionState::Ready).await;
    stage.put("after.txt", b"after", None).await;

    let stage = stage.start_again().await;
    stage.wait_for_state(ConnectionState::Ready).await;
    // Beside them lie the samples, as far as they are drawn.
    let items = stage.list(None).await.items;
    let files = items.iter().filter(|item| item.name.ends_with(".txt")).count();
    assert_eq!(files, 2, "{items:?}");
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrected_address_corrects_the_connection_and_leaves_no_other_behind() {
    let (mut old, new) = (Studio::start(Options::new()), Studio::start(Options::new()));
    let key = new.create_key("Easel").key;
    let stage = Stage::connected_to(&old).await;
    let before = stage.wait_for_state(ConnectionState::Ready).await;
    old.kill();
    // What waits goes where the person says that the service is.
    *stage.person.chooses.lock().unwrap() = vec![stage.write("late.txt", b"late")];
    stage.app.uploads().choose_files(None).await.unwrap();

    let correction = ConnectionDraft { corrects: Some(before.id.clone()), ..draft(&new.base_url, &key) };
    let after = stage.app.connections().connect_service(correction).await.unwrap();
    assert_eq!((after.id.as_str(), after.state), (before.id.as_str(), ConnectionState::Ready));
    assert_eq!(after.address.as_deref(), Some(new.base_url.as_str()));
    assert_eq!(stage.app.connections().list_connections().await.unwrap().len(), 1);
    easel_tests::patience::wait_for("the file at the right place", crate::stage::SOON, async || {
        let items = stage.list(None).await.items;
        if items.iter().any(|item| item.name == "late.txt") { Ok(()) } else { Err(format!("{items:?}")) }
    })
    .await;

    // Corrected to one that is there already, only that one stays.
    let other = Studio::start(Options::new());
    let key = other.create_key("Easel").key;
    let known = stage.app.connections().connect_service(draft(&other.base_url, &key)).await.unwrap();
    let correction = ConnectionDraft { corrects: Some(after.id), ..draft(&other.base_url, &key) };
    assert_eq!(stage.app.connections().connect_service(correction).await.unwrap().id, known.id);
    let left = stage.app.connections().list_connections().await.unwrap();
    assert_eq!(left.iter().map(|each| &each.id).collect::<Vec<_>>(), [&known.id]);
    assert_eq!(stage.keychain.keys.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_built_in_studio_takes_the_key_along_that_easel_used() {
    let stage = Stage::open();
    let first = stage.app.connections().start_local_studio(false).await.unwrap();
    let own = stage.app.keys().list_api_keys().await.unwrap().remove(0);
    assert!(own.used_by_easel);
    stage.app.connections().remove_connection(first.id).await.unwrap();
    stage.app.connections().start_local_studio(false).await.unwrap();
    let keys = stage.app.keys().list_api_keys().await.unwrap();
    assert_eq!(keys.len(), 1, "{keys:?}");
    assert_ne!(keys[0].id, own.id);
}
