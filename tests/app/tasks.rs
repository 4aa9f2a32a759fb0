//! Tasks: one request makes one task whatever breaks, requests survive a restart, and what waits says for what.

use std::time::Duration;

use easel_app::designs::DesignDraft;
use easel_app::events::Event;
use easel_app::tasks::{TaskFilter, TaskState, TaskView, TaskWait};
use easel_tests::patience::wait_for;
use easel_tests::proxy::{Fault, Proxy};
use easel_tests::studio::{Options, Studio, authority};

use crate::designs::{describe, make, wait_for_end};
use crate::stage::{SOON, Stage, draft};

async fn list(stage: &Stage, filter: TaskFilter) -> Vec<TaskView> {
    stage.app.tasks().list_tasks(filter, None, 100).await.unwrap().tasks
}

/// Waits until the task on the list is as `is_it` says.
async fn wait_for_task(stage: &Stage, id: &str, is_it: impl Fn(&TaskView) -> bool) -> TaskView {
    wait_for("the task", SOON, async || {
        let tasks = list(stage, TaskFilter::All).await;
        let task = tasks.into_iter().find(|task| task.id == id).ok_or("it is not listed".to_owned())?;
        if is_it(&task) { Ok(task) } else { Err(format!("{task:?}")) }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_whose_answer_is_lost_makes_one_task() {
    let proxy = Proxy::start().await;
    let studio = Studio::start(Options::new());
    proxy.forward_to(authority(&studio.base_url));
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(&proxy.url(), &studio.create_key("Easel").key)).await.unwrap();
    let mut lost = 0;
    proxy.break_by(move |request| {
        if request.is("POST", "/tasks") && lost < 2 {
            lost += 1;
            return Fault::DropAnswer;
        }
        Fault::Pass
    });
    let begun = stage.app.generation().describe_design(describe("A poster about tea")).await.unwrap();
    let done = wait_for_end(&stage, &begun.id).await;
    assert_eq!(done.state, TaskState::Succeeded);
    assert_eq!(list(&stage, TaskFilter::All).await.len(), 1, "its key settled it");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_for_while_offline_is_made_after_a_restart() {
    let proxy = Proxy::start().await;
    let studio = Studio::start(Options::new());
    proxy.forward_to(authority(&studio.base_url));
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(&proxy.url(), &studio.create_key("Easel").key)).await.unwrap();
    let design = make(&stage, "Tea").await;
    // From here on the service acts, and nobody hears of it.
    proxy.break_by(|request| if request.method == "POST" { Fault::DropAnswer } else { Fault::Refuse });
    stage.app.generation().describe_design(describe("A banner about coffee")).await.unwrap();
    stage.app.generation().remix_design(design.id.clone(), Some("darker".to_owned())).await.unwrap();
    wait_for("both requests", SOON, async || {
        let seen = proxy.seen();
        let both = ["/tasks", "/remix"]
            .iter()
            .all(|path| seen.iter().any(|seen| seen.is("POST", path) && seen.status.is_some()));
        if both { Ok(()) } else { Err(format!("{} requests", seen.len())) }
    })
    .await;
    let text = String::from_utf8_lossy(&stage.everything_written()).into_owned();
    assert!(text.contains("A banner about coffee"), "the request is on disk");
    let stage = stage.start_again().await;
    proxy.pass_all();
    wait_for("one of each, the first one included", SOON, async || {
        let listed = async |filter| match stage.app.tasks().list_tasks(filter, None, 50).await {
            Ok(list) => Ok(list.tasks.len()),
            Err(problem) => Err(problem.code),
        };
        let found = (listed(TaskFilter::Finished).await?, listed(TaskFilter::All).await?);
        if found == (3, 3) { Ok(()) } else { Err(format!("{found:?}")) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_organization_is_waited_for_and_a_waiting_wish_can_be_taken_back() {
    let studio = Studio::start(Options::new().with("--workers", "0").with("--concurrent-tasks", "1"));
    let stage = Stage::connected_to(&studio).await;
    let first = stage.app.generation().describe_design(describe("One")).await.unwrap();
    let first = wait_for_task(&stage, &first.id, |task| task.task_id.is_some()).await;
    let second = stage.app.generation().describe_design(describe("Two")).await.unwrap();
    let second = wait_for_task(&stage, &second.id, |task| task.waits_for == Some(TaskWait::Room)).await;
    assert_eq!(list(&stage, TaskFilter::Running).await.len(), 2);

    let canceled = stage.app.tasks().cancel_task(second.id.clone()).await.unwrap();
    assert!(canceled.canceling || canceled.state == TaskState::Canceled, "{canceled:?}");
    assert_eq!(wait_for_end(&stage, &second.id).await.state, TaskState::Canceled);
    let canceled = stage.app.tasks().cancel_task(first.id.clone()).await.unwrap();
    assert_eq!((canceled.state, canceled.id.as_str()), (TaskState::Canceled, first.id.as_str()));
    assert_eq!(stage.app.tasks().cancel_task(first.id).await.unwrap().state, TaskState::Canceled, "also again");
    assert_eq!(list(&stage, TaskFilter::Running).await, []);
    assert_eq!(
        stage.app.tasks().cancel_task("task_00000000000000000000000000".to_owned()).await.unwrap_err().code,
        "task_not_found"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_task_says_whether_trying_again_helps_and_is_tried_again_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = Studio::start(Options::new().data_dir(folder.path()).with("--inject", "storage-full"));
    let stage = Stage::connected_to(&studio).await;
    let begun = stage.app.generation().describe_design(describe("A poster about tea")).await.unwrap();
    let failed = wait_for_end(&stage, &begun.id).await;
    assert_eq!((failed.state, failed.retryable), (TaskState::Failed, Some(true)));
    assert_eq!(failed.problem.unwrap().code, "task_failed");
    assert_eq!(list(&stage, TaskFilter::Failed).await.len(), 1);
    let again = || stage.app.tasks().retry_task(begun.id.clone());
    let (one, other) = tokio::join!(again(), again());
    let retried = one.unwrap();
    assert_eq!(retried.id, other.unwrap().id);
    assert_eq!((retried.state, retried.title.as_str()), (TaskState::Queued, "A poster about tea"));
    assert_ne!(retried.id, begun.id);
    wait_for_end(&stage, &retried.id).await;
    assert_eq!(list(&stage, TaskFilter::All).await.len(), 2);
    studio.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_service_does_not_take_is_said_and_stays_until_it_is_tried_again() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let mut request = describe("A poster about tea");
    request.callback_url = Some("http://169.254.169.254/hook".to_owned());
    let begun = stage.app.generation().describe_design(request).await.unwrap();
    let refused = wait_for_end(&stage, &begun.id).await;
    assert_eq!((refused.state, refused.task_id), (TaskState::Failed, None));
    assert_eq!(refused.problem.unwrap().code, "callback_url_not_allowed");
    assert_eq!(list(&stage, TaskFilter::Failed).await.len(), 1);
    let stage = stage.start_again().await;
    assert_eq!(list(&stage, TaskFilter::All).await, [], "it was never a task, and is not taken up by itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_live_tasks_cost_one_request_a_look() {
    let proxy = Proxy::start().await;
    let studio = Studio::start(Options::new().with("--workers", "0").with("--concurrent-tasks", "0"));
    proxy.forward_to(authority(&studio.base_url));
    let stage = Stage::open();
    stage.app.connections().connect_service(draft(&proxy.url(), &studio.create_key("Easel").key)).await.unwrap();
    for number in 0..8 {
        stage.app.generation().describe_design(describe(&format!("Poster {number}"))).await.unwrap();
    }
    wait_for("eight tasks", SOON, async || {
        let tasks = list(&stage, TaskFilter::Running).await;
        let begun = tasks.iter().filter(|task| task.task_id.is_some()).count();
        if begun == 8 { Ok(()) } else { Err(format!("{begun}")) }
    })
    .await;
    proxy.forget_seen();
    tokio::time::sleep(Duration::from_secs(7)).await;
    let seen = proxy.seen().into_iter().map(|seen| format!("{} {}", seen.method, seen.path));
    // Three are watched while they are made, each by a request that the service holds: one may end and be asked again meanwhile.
    let (watches, looks): (Vec<String>, Vec<String>) = seen.partition(|request| request.ends_with("/preview"));
    assert!(watches.len() <= 6, "{watches:?}");
    assert!((1..=3).contains(&looks.len()), "{looks:?}");
    assert!(looks.iter().all(|look| look == "GET /v1/tasks"), "{looks:?}");
    assert!(stage.page.events().iter().any(|event| matches!(event, Event::TasksChanged(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_design_is_seen_while_it_is_made_and_stops_when_the_person_says_so() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let long = DesignDraft { page_count: Some(60), ..describe("A deck about bread: flour, water, time") };
    let begun = stage.app.generation().describe_design(long).await.unwrap();
    let changed = |event: &Event, is_it: &dyn Fn(&TaskView) -> bool| match event {
        Event::TasksChanged(news) => news.changed.iter().find(|task| task.id == begun.id && is_it(task)).cloned(),
        _ => None,
    };
    // Its pages are known before all of them are drawn.
    let seen = stage
        .page
        .wait_for("a page that is drawn", |event| {
            changed(event, &|task| task.pages.iter().any(|page| page.picture.is_some()))
        })
        .await;
    assert!(seen.pages.iter().all(|page| !page.name.is_empty() && page.width.is_some()), "{seen:?}");
    assert!(seen.pages.len() == 60 && seen.pages.iter().any(|page| page.picture.is_none()), "{seen:?}");
    let address = seen.pages.iter().find_map(|page| page.picture.clone()).unwrap();
    let path = address.split_once("localhost").unwrap().1;
    let picture = stage.app.media().get_media(path).await.expect("the picture of a page");
    assert!(picture.mime_type == "image/png" && picture.bytes.starts_with(b"\x89PNG"));

    stage.app.tasks().cancel_task(begun.id.clone()).await.unwrap();
    let ended = wait_for_end(&stage, &begun.id).await;
    assert_eq!((ended.state, ended.pages), (TaskState::Canceled, Vec::new()));
    wait_for("what was seen of it is forgotten", SOON, async || match stage.app.media().get_media(path).await {
        None => Ok(()),
        Some(picture) => Err(format!("a picture of {} bytes", picture.bytes.len())),
    })
    .await;
    assert_eq!(list(&stage, TaskFilter::Running).await, []);
}
