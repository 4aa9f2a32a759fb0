//! `GET /v1/tasks/{task_id}/preview`: the parts of a design that can be seen while it is made: its pages, and the
//! picture of each that is drawn. An addition to the specification's routes; a service without it answers 404
//! (contract, "Tasks and remix").
//!
//! Always true: a preview is seen by those who see the task elsewhere; a picture is sent once to a client that tells
//! the revision it has; an answer holds some megabytes at most, and its revision tells where the next one begins. Pages
//! are shown by the process that makes them; others show the progress alone. Not here: where pages come from
//! ([`crate::studio::active_tasks::ActiveTasks`]).

use axum::Json;
use axum::extract::State;
use data_encoding::BASE64;
use http::HeaderMap;
use tokio::time::Instant;

use super::ends::read_wait;
use super::read::find_task;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::studio::SharedStudio;
use crate::studio::active_tasks::{Preview, PreviewPage};
use crate::web::extract::{PathId, Query};
use crate::wire::id::kind;
use crate::wire::tasks::{MOST_REVISION, TaskPreview, TaskPreviewPage, TaskProgress, TaskStatus};

/// The most bytes of pictures in one answer; at least one picture is sent, however large.
const MOST_BYTES: usize = 3_000_000;

/// What can be seen of a task that was not seen at the revision `after`; with `Prefer: wait=N`, as soon as there is
/// something.
pub async fn get_preview(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Task>,
    query: Query,
    headers: HeaderMap,
) -> Result<Json<TaskPreview>, Error> {
    let after = query.number("after", 0..=MOST_REVISION)?;
    let deadline = Instant::now() + read_wait(&headers)?;
    let mut news = studio.active_tasks.news();
    loop {
        let preview = studio.active_tasks.preview(id);
        // The task is read after the preview: if the preview is gone because the task has ended, its status says so.
        let task = find_task(&studio, &caller, studio.db.look().as_ref(), id).await?;
        let status = task.status;
        let seen = preview.as_ref().map(|preview| preview.revision);
        let is_news = after.is_none() || seen.is_some_and(|seen| Some(seen) != after);
        if is_news || status.is_terminal() || Instant::now() >= deadline || studio.active_tasks.stopping.is_cancelled()
        {
            let progress = studio.active_tasks.progress(task.last_try());
            let written = (status == TaskStatus::Running).then_some(task.progress);
            let progress = progress.or(written).map(TaskProgress::from);
            let answer = on_wire(status, preview.unwrap_or_default(), after.unwrap_or_default());
            return Ok(Json(TaskPreview { progress, ..answer }));
        }
        tokio::select! {
            () = studio.active_tasks.seen_other_than(id, seen) => {}
            _ = news.changed() => {}
            () = tokio::time::sleep_until(deadline) => {}
            () = studio.active_tasks.stopping.cancelled() => {}
        }
    }
}

fn on_wire(status: TaskStatus, preview: Preview, after: u64) -> TaskPreview {
    // A revision from before a restart says nothing of this process.
    let after = if after > preview.revision { 0 } else { after };
    let mut news: Vec<(u64, usize)> =
        preview.pages.iter().filter_map(revision_of).filter(|(at, _)| *at > after).collect();
    news.sort_unstable();
    let (mut bytes, mut until) = (0, preview.revision);
    for (at, (revision, length)) in news.iter().enumerate() {
        bytes += length;
        if at > 0 && bytes > MOST_BYTES {
            until = news[at - 1].0;
            break;
        }
        until = if at + 1 == news.len() { preview.revision } else { *revision };
    }
    let pages = preview.pages.into_iter().enumerate().map(|(at, page)| TaskPreviewPage {
        page_number: u32::try_from(at + 1).unwrap_or(u32::MAX),
        name: page.ahead.name,
        width: page.ahead.width,
        height: page.ahead.height,
        is_drawn: page.picture.as_ref().is_some_and(|(revision, _)| *revision <= until),
        picture: page
            .picture
            .filter(|(revision, _)| (after + 1..=until).contains(revision))
            .map(|(_, png)| BASE64.encode(&png)),
    });
    TaskPreview { status, progress: None, revision: until, pages: pages.collect() }
}

fn revision_of(page: &PreviewPage) -> Option<(u64, usize)> {
    page.picture.as_ref().map(|(revision, png)| (*revision, png.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::PageAhead;

    fn preview(pictures: &[Option<(u64, usize)>], revision: u64) -> Preview {
        let pages = pictures.iter().map(|picture| PreviewPage {
            ahead: PageAhead { name: "A".to_owned(), width: 4, height: 3 },
            picture: picture.map(|(revision, length)| (revision, vec![7; length].into())),
        });
        Preview { revision, pages: pages.collect() }
    }

    #[test]
    fn each_picture_is_sent_once_in_answers_of_some_megabytes() {
        let check = |pictures: &[Option<(u64, usize)>], revision, after, sent: &[u32], until: u64| {
            let answer = on_wire(TaskStatus::Running, preview(pictures, revision), after);
            let with_picture = answer.pages.iter().filter(|page| page.picture.is_some()).map(|page| page.page_number);
            assert_eq!((with_picture.collect::<Vec<_>>().as_slice(), answer.revision), (sent, until), "{after}");
            answer.pages.iter().filter(|page| page.is_drawn).count()
        };
        let small = [Some((4, 10)), Some((6, 10)), None];
        assert_eq!(check(&small, 6, 0, &[1, 2], 6), 2);
        assert_eq!(check(&small, 6, 4, &[2], 6), 2);
        check(&small, 6, 6, &[], 6);
        // From before a restart.
        check(&small, 6, 900, &[1, 2], 6);
        let large = [Some((5, MOST_BYTES)), Some((4, MOST_BYTES)), Some((6, MOST_BYTES + 1))];
        assert_eq!(check(&large, 7, 0, &[2], 4), 1);
        assert_eq!(check(&large, 7, 4, &[1], 5), 2);
        assert_eq!(check(&large, 7, 5, &[3], 7), 3);
        check(&[], 3, 0, &[], 3);
    }
}
