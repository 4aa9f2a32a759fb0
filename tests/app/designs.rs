//! Designs: described, found, renamed, remixed once whatever happens to the answer, and shown with their pictures.

use easel_app::designs::{DesignDraft, DesignSort, DesignView};
use easel_app::drive::{DriveItemKind, DriveSort, DriveSortColumn};
use easel_app::events::Event;
use easel_app::tasks::{TaskState, TaskView};
use easel_tests::patience::wait_for;
use easel_tests::proxy::{Fault, Proxy};
use easel_tests::studio::{Options, Studio, authority};

use crate::stage::{SOON, Stage, draft};

pub fn describe(prompt: &str) -> DesignDraft {
    DesignDraft {
        prompt: prompt.to_owned(),
        format: None,
        page_count: None,
        name: None,
        brand_kit_id: None,
        skip_brand_kit: false,
        attachment_ids: Vec::new(),
        reference_design_ids: Vec::new(),
        folder_id: None,
        callback_url: None,
    }
}

/// The task as the page hears of it last, once it is at an end.
pub async fn wait_for_end(stage: &Stage, id: &str) -> TaskView {
    wait_for("the task's end", SOON, async || {
        let mut seen = stage.page.events().into_iter().filter_map(|event| match event {
            Event::TasksChanged(news) => news.changed.into_iter().rfind(|task| task.id == id),
            _ => None,
        });
        let last = seen.next_back().ok_or("nothing was heard of it".to_owned())?;
        let is_over = !matches!(last.state, TaskState::Queued | TaskState::Running);
        if is_over { Ok(last) } else { Err(format!("{last:?}")) }
    })
    .await
}

/// Describes a design and waits until it is there.
pub async fn make(stage: &Stage, name: &str) -> DesignView {
    let begun = stage
        .app
        .generation()
        .describe_design(DesignDraft { name: Some(name.to_owned()), ..describe("A poster about tea") });
    let done = wait_for_end(stage, &begun.await.unwrap().id).await;
    assert_eq!(done.state, TaskState::Succeeded, "{done:?}");
    stage.app.designs().get_design(done.design_id.unwrap()).await.unwrap().design
}

async fn gallery(stage: &Stage) -> Vec<DesignView> {
    stage.app.designs().list_designs(String::new(), DesignSort::Newest, None, 100).await.unwrap().designs
}

/// The app, connected to a studio through a proxy.
async fn behind_a_proxy(options: Options) -> (Studio, Proxy, Stage) {
    let proxy = Proxy::start().await;
    let studio = Studio::start(options);
    proxy.forward_to(authority(&studio.base_url));
    let stage = Stage::open();
    let key = studio.create_key("Easel");
    stage.app.connections().connect_service(draft(&proxy.url(), &key.key)).await.unwrap();
    (studio, proxy, stage)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_described_design_is_answered_at_once_and_then_made_where_it_was_wanted() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = stage.app.drive().create_folder(None, "Posters".to_owned()).await.unwrap();
    let file = stage.put("facts.md", b"# Tea\n\nIt is grown in the hills.", None).await;
    *stage.person.chooses.lock().unwrap() = vec![stage.write("more.md", b"# More\n\nAnd drunk in the valley.")];
    let attached = stage.app.attachments().choose_attachments().await.unwrap();
    assert_eq!((attached.len(), attached[0].name.as_str()), (1, "more.md"));

    let begun = stage.app.generation().describe_design(DesignDraft {
        name: Some("Tea".to_owned()),
        folder_id: Some(folder.id.clone()),
        attachment_ids: vec![file.id, attached[0].id.clone()],
        ..describe("A poster about tea")
    });
    let begun = begun.await.unwrap();
    assert_eq!((begun.state, begun.title.as_str(), begun.task_id), (TaskState::Queued, "A poster about tea", None));
    let done = wait_for_end(&stage, &begun.id).await;
    assert_eq!((done.state, done.design_name.as_deref()), (TaskState::Succeeded, Some("Tea")), "{done:?}");
    let task_id = done.task_id.unwrap();
    assert!(task_id.starts_with("task_"));

    // Listed under the id that the page knows it by, and with both files.
    let listed = stage.app.tasks().list_tasks(easel_app::tasks::TaskFilter::Finished, None, 50).await.unwrap().tasks;
    assert_eq!((listed.len(), listed[0].id.as_str()), (1, begun.id.as_str()));
    let design = stage.app.designs().get_design(done.design_id.unwrap()).await.unwrap().design;
    assert_eq!((design.name.as_str(), design.folder_id.as_deref()), ("Tea", Some(folder.id.as_str())));
    let by_name = DriveSort { by: DriveSortColumn::Name, descending: false };
    let in_folder = stage.app.drive().list_drive(Some(folder.id), 0, 10, by_name).await.unwrap().items;
    assert_eq!((in_folder[0].kind, in_folder[0].id.as_str()), (DriveItemKind::Design, design.id.as_str()));

    // Its picture comes through the app's own address, which holds no secret, and is kept.
    let address = design.thumbnail.unwrap();
    assert!(!address.contains("signature") && !address.contains("http://127"), "{address}");
    let path = address.split_once("://localhost").unwrap().1.to_owned();
    let picture = stage.app.media().get_media(&path).await.expect("a picture");
    assert!(picture.mime_type.starts_with("image/") && !picture.bytes.is_empty());
    drop(studio);
    assert_eq!(stage.app.media().get_media(&path).await, Some(picture), "kept, without the service");
    assert_eq!(stage.app.media().get_media("/design/x/../../etc/passwd").await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_makes_one_task_and_one_copy() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let design = make(&stage, "Tea").await;
    let remix = || stage.app.generation().remix_design(design.id.clone(), None);
    let (one, other) = tokio::join!(remix(), remix());
    let one = one.unwrap().design.unwrap();
    assert_eq!(one, other.unwrap().design.unwrap());
    assert_eq!((one.source_id.as_deref(), one.source_name.as_deref()), (Some(design.id.as_str()), Some("Tea")));
    assert_eq!(gallery(&stage).await.len(), 2);

    let again = || stage.app.generation().describe_design(describe("A banner about coffee"));
    let (one, other) = tokio::join!(again(), again());
    assert_eq!(one.as_ref().unwrap().id, other.unwrap().id);
    wait_for_end(&stage, &one.unwrap().id).await;
    assert_eq!(gallery(&stage).await.len(), 3);
    // Later the same click is another request.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    remix().await.unwrap();
    let details = stage.app.designs().get_design(design.id.clone()).await.unwrap();
    assert_eq!((details.remixes.len(), details.siblings.len(), details.source), (2, 0, None));
    let details = stage.app.designs().get_design(details.remixes[0].id.clone()).await.unwrap();
    assert_eq!((details.source.unwrap().name.as_str(), details.siblings.len()), ("Tea", 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remix_whose_answer_is_lost_makes_one_copy() {
    let (_studio, proxy, stage) = behind_a_proxy(Options::new()).await;
    let design = make(&stage, "Tea").await;
    proxy.forget_seen();
    proxy.break_next("POST", "/remix", Fault::DropAnswer);
    let copy = stage.app.generation().remix_design(design.id.clone(), None).await.unwrap().design.unwrap();
    assert_eq!(copy.source_id.as_deref(), Some(design.id.as_str()));
    assert_eq!(proxy.seen().iter().filter(|seen| seen.is("POST", "/remix")).count(), 1, "it was asked for once");
    assert_eq!(gallery(&stage).await.len(), 2);

    // With words it is the task that is found again.
    proxy.break_next("POST", "/remix", Fault::DropAnswer);
    let task =
        stage.app.generation().remix_design(design.id.clone(), Some("darker".to_owned())).await.unwrap().task.unwrap();
    let done = wait_for_end(&stage, &task.id).await;
    assert_eq!((done.state, done.source_id.as_deref()), (TaskState::Succeeded, Some(design.id.as_str())), "{done:?}");
    assert_eq!(gallery(&stage).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remix_of_which_nothing_is_known_is_looked_for_by_the_next_click() {
    let (_studio, proxy, stage) = behind_a_proxy(Options::new()).await;
    let design = make(&stage, "Tea").await;
    // The copy is made, its answer is lost, and so is every look.
    let mut acted = false;
    proxy.break_by(move |request| {
        acted |= request.is("POST", "/remix");
        if acted { Fault::DropAnswer } else { Fault::Pass }
    });
    let problem = stage.app.generation().remix_design(design.id.clone(), None).await.unwrap_err();
    assert_eq!(problem.code, "remix_unsettled");
    proxy.pass_all();
    proxy.forget_seen();
    stage.wait_for_state(easel_app::connections::ConnectionState::Ready).await;
    let copy = stage.app.generation().remix_design(design.id.clone(), None).await.unwrap().design.unwrap();
    assert_eq!(copy.source_id.as_deref(), Some(design.id.as_str()));
    assert!(!proxy.seen().iter().any(|seen| seen.is("POST", "/remix")), "it was looked for, not asked for");
    assert_eq!(gallery(&stage).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gallery_is_searched_sorted_and_read_by_parts() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let tea = make(&stage, "Tea").await;
    for _ in 0..4 {
        stage.app.generation().remix_design(tea.id.clone(), None).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(1_010)).await;
    }
    let renamed = stage.app.designs().rename_design(tea.id.clone(), " Autumn ".to_owned()).await.unwrap();
    assert_eq!(renamed.name, "Autumn");
    assert_eq!(
        stage.app.designs().rename_design(tea.id.clone(), "Tea (2)".to_owned()).await.unwrap_err().code,
        "canvas_name_conflict"
    );

    for sort in [DesignSort::Newest, DesignSort::Name, DesignSort::Changed] {
        let mut names = Vec::new();
        let mut cursor = None;
        loop {
            let part = stage.app.designs().list_designs(String::new(), sort, cursor, 2).await.unwrap();
            names.extend(part.designs.into_iter().map(|design| design.name));
            cursor = part.next;
            if cursor.is_none() {
                break;
            }
        }
        let expected = match sort {
            DesignSort::Newest => ["Tea (5)", "Tea (4)", "Tea (3)", "Tea (2)", "Autumn"],
            DesignSort::Name => ["Autumn", "Tea (2)", "Tea (3)", "Tea (4)", "Tea (5)"],
            DesignSort::Changed => ["Autumn", "Tea (5)", "Tea (4)", "Tea (3)", "Tea (2)"],
        };
        assert_eq!(names, expected, "{sort:?}");
    }
    let found = stage.app.designs().list_designs(" tea ".to_owned(), DesignSort::Newest, None, 50).await.unwrap();
    assert_eq!((found.designs.len(), found.total.map(|total| total.get())), (4, Some(4)));
    let pages = stage.app.designs().list_design_pages(tea.id.clone()).await.unwrap();
    assert!(pages[0].number == 1 && pages[0].width.is_some() && pages[0].picture.is_some());

    // What was deleted is gone from the screen at once.
    stage.app.deletions().delete_items(vec![tea.id.clone()]).await.unwrap();
    assert!(gallery(&stage).await.iter().all(|design| design.id != tea.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_start_on_this_computer_makes_three_samples_and_no_later_one_does() {
    let stage = Stage::open();
    stage.app.connections().start_local_studio(true).await.unwrap();
    let names = async |stage: &Stage| {
        let mut names: Vec<String> = gallery(stage).await.into_iter().map(|design| design.name).collect();
        names.sort();
        names
    };
    wait_for("three samples", SOON, async || {
        let found = names(&stage).await;
        if found.len() == 3 { Ok(()) } else { Err(format!("{found:?}")) }
    })
    .await;
    stage.app.connections().start_local_studio(true).await.unwrap();
    let tasks = stage.app.tasks().list_tasks(easel_app::tasks::TaskFilter::All, None, 50).await.unwrap().tasks;
    assert_eq!((tasks.len(), names(&stage).await.len()), (3, 3));
    assert!(tasks.iter().all(|task| task.state == TaskState::Succeeded), "{tasks:?}");
    assert!(stage.person.messages.lock().unwrap().is_empty(), "nobody asked for them in so many words");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_a_design_has_a_picture_from_one_export() {
    let studio = Studio::start(Options::new());
    let proxy = Proxy::start().await;
    proxy.forward_to(studio.base_url.trim_start_matches("http://"));
    let stage = Stage::open();
    let key = studio.create_key("Easel");
    stage.app.connections().connect_service(draft(&proxy.url(), &key.key)).await.unwrap();
    let request = DesignDraft { name: Some("Deck".to_owned()), page_count: Some(3), ..describe("A deck about tea") };
    let begun = stage.app.generation().describe_design(request).await.unwrap();
    let id = wait_for_end(&stage, &begun.id).await.design_id.unwrap();
    let pages = stage.app.designs().list_design_pages(id).await.unwrap();
    let paths: Vec<String> = pages
        .iter()
        .map(|page| page.picture.as_ref().unwrap().trim_start_matches("easel-media://localhost").to_owned())
        .collect();
    assert_eq!(paths.len(), 3);
    let pictures = futures_util::future::join_all(paths.iter().map(|path| stage.app.media().get_media(path))).await;
    let mut seen = std::collections::HashSet::new();
    for (path, picture) in paths.iter().zip(pictures) {
        let picture = picture.unwrap_or_else(|| panic!("no picture at {path}"));
        assert_eq!(picture.mime_type, "image/png");
        assert!(picture.bytes.starts_with(b"\x89PNG"), "{path}");
        assert!(seen.insert(picture.bytes), "{path} shows another page");
    }
    let exports = proxy.seen().into_iter().filter(|seen| seen.is("POST", "/export")).count();
    assert_eq!(exports, 1, "one export for all pages");
    assert!(stage.app.exports().list_exports().await.unwrap().exports.is_empty(), "it is none of the person's");
    assert!(stage.app.media().get_media(&paths[2].replace("/3", "/9")).await.is_none(), "there is no such page");
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_variations_are_eight_tasks_whose_designs_look_different_and_a_double_click_makes_no_more() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let design = make(&stage, "Tea").await;
    let (begun, again) = tokio::join!(
        stage.app.generation().vary_design(design.id.clone(), 8),
        stage.app.generation().vary_design(design.id.clone(), 8)
    );
    let (begun, again) = (begun.unwrap(), again.unwrap());
    let ids = |tasks: &[TaskView]| tasks.iter().map(|task| task.id.clone()).collect::<Vec<_>>();
    assert_eq!((begun.len(), ids(&begun)), (8, ids(&again)));
    let mut looks = std::collections::HashSet::new();
    for task in &begun {
        let done = wait_for_end(&stage, &task.id).await;
        assert_eq!(done.state, TaskState::Succeeded, "{done:?}");
        let made = stage.app.designs().get_design(done.design_id.unwrap()).await.unwrap();
        assert_eq!(made.source.map(|source| source.id), Some(design.id.clone()));
        let address = made.design.thumbnail.unwrap();
        let picture = stage.app.media().get_media(address.trim_start_matches("easel-media://localhost")).await.unwrap();
        looks.insert(picture.bytes);
    }
    assert_eq!(looks.len(), 8, "each has a look of its own");
}
