//! The start: on a data folder that can be used, and on one that cannot.

use easel_app::connections::ConnectionState;
use easel_app::problem::ActionKind;
use easel_tests::studio::{Options, Studio};

use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_that_cannot_be_opened_is_said_and_tried_again_and_nothing_in_it_is_lost() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    stage.app.close().await;
    // As if the disk that it lies on were not there: something else stands in its place.
    let (place, aside) = (stage.data_dir(), stage.folder.path().join("aside"));
    std::fs::rename(&place, &aside).unwrap();
    std::fs::write(&place, "no folder").unwrap();

    let stage = stage.start_again().await;
    let problem = stage.app.get_overview().await.unwrap_err();
    assert_eq!((problem.code.as_str(), problem.action.kind), ("data_unreadable", ActionKind::TryAgain));
    assert!(problem.detail.contains(&place.display().to_string()), "{problem:?}");
    assert_eq!(stage.app.get_overview().await.unwrap_err().code, "data_unreadable", "it is still so");
    assert_eq!(stage.app.drive().list_folder_tree().await.unwrap_err().code, "no_connection");

    std::fs::remove_file(&place).unwrap();
    std::fs::rename(&aside, &place).unwrap();
    assert_eq!(stage.app.get_overview().await.unwrap().connections.len(), 1);
    stage.wait_for_state(ConnectionState::Ready).await;
    stage.list(None).await;
}
