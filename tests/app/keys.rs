//! API keys of the built-in studio.

use easel_app::connections::ConnectionState;
use easel_tests::http::Http;

use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_key_works_when_it_is_made_and_no_longer_when_it_is_deleted() {
    let stage = Stage::open();
    assert_eq!(stage.app.keys().list_api_keys().await.unwrap_err().code, "local_studio_missing");
    assert_eq!(stage.app.keys().create_api_key("x".to_owned()).await.unwrap_err().code, "local_studio_missing");
    stage.app.connections().start_local_studio(false).await.unwrap();
    for name in ["", "  ", "a\nb"] {
        assert_eq!(stage.app.keys().create_api_key(name.to_owned()).await.unwrap_err().code, "key_name_not_usable");
    }
    let made = stage.app.keys().create_api_key(" Script ".to_owned()).await.unwrap();
    assert_eq!(made.name, "Script");
    assert!(!format!("{made:?}").contains(&made.key), "a key shows in no log");
    let base_url = easel_app::ports::LocalService::start(&*stage.built_in).await.unwrap();
    let service = Http::new(&base_url).with_key(&made.key);
    service.get("/v1/whoami").await.is(200);

    let listed = stage.app.keys().list_api_keys().await.unwrap();
    let own: Vec<_> = listed.iter().filter(|key| key.used_by_easel).collect();
    assert_eq!((listed.len(), own.len()), (2, 1));
    stage.app.keys().delete_api_key(made.id.clone()).await.unwrap();
    service.get("/v1/whoami").await.is(401);
    assert_eq!(stage.app.keys().delete_api_key(made.id).await.unwrap_err().code, "api_key_not_found");
    let written = stage.everything_written();
    assert!(!written.windows(made.key.len()).any(|window| window == made.key.as_bytes()));
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_easels_own_key_is_deleted_it_makes_itself_another() {
    let stage = Stage::open();
    stage.app.connections().start_local_studio(false).await.unwrap();
    let own = stage.app.keys().list_api_keys().await.unwrap().remove(0);
    assert!(own.used_by_easel);
    stage.app.keys().delete_api_key(own.id.clone()).await.unwrap();
    stage.wait_for_state(ConnectionState::Ready).await;
    let fresh = stage.app.keys().list_api_keys().await.unwrap().remove(0);
    assert!(fresh.used_by_easel && fresh.id != own.id);
    stage.list(None).await;
    stage.app.close().await;
}
