//! Designs that a person has starred or rejected: kept over a restart, for each connection, and found again.

use easel_app::designs::{DesignMark, DesignSort};
use easel_tests::studio::{Options, Studio};

use crate::designs::make;
use crate::stage::{Stage, draft};

async fn starred(stage: &Stage) -> Vec<String> {
    let list = stage.app.marks().list_starred_designs(String::new(), DesignSort::Name).await.unwrap();
    assert_eq!(list.total.map(|total| total.get()), Some(list.designs.len() as u64));
    list.designs.into_iter().map(|design| design.name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn starred_designs_are_found_again_after_a_restart_and_belong_to_their_connection() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let (tea, milk, bread) = (make(&stage, "Tea").await, make(&stage, "Milk").await, make(&stage, "Bread").await);
    assert_eq!(starred(&stage).await, Vec::<String>::new());
    let both = vec![tea.id.clone(), bread.id.clone()];
    let marks = stage.app.marks().mark_designs(both.clone(), Some(DesignMark::Starred)).await.unwrap();
    assert_eq!((marks.starred, marks.rejected.len()), (both, 0));
    let marks = stage.app.marks().mark_designs(vec![milk.id.clone()], Some(DesignMark::Rejected)).await.unwrap();
    assert_eq!(marks.rejected, std::slice::from_ref(&milk.id));
    assert_eq!(starred(&stage).await, ["Bread", "Tea"]);
    let found = stage.app.marks().list_starred_designs(" TE ".to_owned(), DesignSort::Newest).await.unwrap().designs;
    assert_eq!(found.iter().map(|design| design.name.as_str()).collect::<Vec<_>>(), ["Tea"]);
    let refused = stage.app.marks().mark_designs(vec![String::new()], Some(DesignMark::Starred)).await.unwrap_err();
    assert_eq!(refused.code, "canvas_not_found");

    let stage = stage.start_again().await;
    stage.wait_for_state(easel_app::connections::ConnectionState::Ready).await;
    assert_eq!(starred(&stage).await, ["Bread", "Tea"]);
    // One that is deleted is left out, and its star is still there when it comes back.
    let deletion = stage.app.deletions().delete_items(vec![tea.id.clone()]).await.unwrap();
    assert_eq!(starred(&stage).await, ["Bread"]);
    stage.app.deletions().undo_deletion(deletion.deletion_id).await.unwrap();
    assert_eq!(starred(&stage).await, ["Bread", "Tea"]);
    stage.app.marks().mark_designs(vec![bread.id], None).await.unwrap();
    assert_eq!(starred(&stage).await, ["Tea"]);

    let other = Studio::start(Options::new());
    let key = other.create_key("Easel").key;
    stage.app.connections().connect_service(draft(&other.base_url, &key)).await.unwrap();
    assert_eq!(stage.app.marks().list_design_marks().await.unwrap().starred, Vec::<String>::new());
}
