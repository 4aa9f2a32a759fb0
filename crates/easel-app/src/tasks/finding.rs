//! Finds the design that a task has made, where the service does not tell which.
//!
//! Always true: a design of another task or copy is never taken for it; a design that only might be it is shown and not
//! moved. Not here: the consequences of a task's end (`following`).

use easel_client::{Client, Error as ClientError, PageRequest, Place};
use easel_wire::canvases::Canvas;
use easel_wire::tasks::Task;
use easel_wire::{CanvasId, Timestamp};
use jiff::SignedDuration;

use super::work::{DesignRequest, Work};

/// The most designs that are looked through.
const LOOKED_THROUGH: u16 = 100;
/// How far back "since it was asked for" reaches: the service's clock is known to a second.
const SLACK: SignedDuration = SignedDuration::from_secs(2);
/// A shorter name is no evidence.
const SHORTEST_NAME: usize = 3;

/// A design that a task has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundDesign {
    pub(super) canvas: CanvasId,
    pub(super) name: Option<String>,
    /// Whether something speaks for it besides when it was made.
    pub(super) is_sure: bool,
}

impl FoundDesign {
    /// The design as the task itself tells it: by its id, or by an address that ends in one.
    pub(super) fn told_by(task: &Task) -> Option<Self> {
        let result = task.result.as_ref();
        let told = result.and_then(|result| result.canvas_id);
        let addresses = [
            result.and_then(|result| result.canvas_url.as_deref()),
            task.links.as_ref().and_then(|links| links.canvas.as_deref()),
        ];
        let canvas = told.or_else(|| addresses.into_iter().flatten().find_map(id_in))?;
        Some(Self { canvas, name: result.and_then(|result| result.canvas_name.clone()), is_sure: true })
    }
}

/// The design of an address that ends in a design's id.
fn id_in(address: &str) -> Option<CanvasId> {
    let path = address.split(['?', '#']).next()?;
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let prefix = last.split_once('_')?.0;
    prefix.eq_ignore_ascii_case(CanvasId::PREFIX).then(|| last.parse().ok())?
}

/// Looks for what came of `work` among the newest designs; `not` are those that came of something else.
pub(super) async fn look(client: &Client, work: &Work, not: &[CanvasId]) -> Result<Option<FoundDesign>, ClientError> {
    let newest = PageRequest { limit: Some(LOOKED_THROUGH), ..PageRequest::default() };
    let page = client.list_canvases(&Place::Everywhere, &newest).await?;
    let now = jiff::Timestamp::now();
    let ahead =
        client.service_time().map_or(SignedDuration::ZERO, |theirs| jiff::Timestamp::from(theirs).duration_since(now));
    let asked_at = jiff::Timestamp::from(work.asked_at);
    let since = asked_at.checked_add(ahead).and_then(|theirs| theirs.checked_sub(SLACK)).unwrap_or(asked_at);
    Ok(choose(page.items, &work.request, since.into(), not))
}

fn choose(canvases: Vec<Canvas>, request: &DesignRequest, since: Timestamp, not: &[CanvasId]) -> Option<FoundDesign> {
    let is_new = |canvas: &Canvas| canvas.created_at.is_some_and(|at| at >= since) && !not.contains(&canvas.id);
    let candidates: Vec<Canvas> = canvases.into_iter().filter(is_new).collect();
    let named = |canvas: &Canvas| Some(canvas.name.clone()).filter(|name| !name.is_empty());
    if let Some(canvas) = candidates.iter().find(|canvas| speaks_for(canvas, request)) {
        return Some(FoundDesign { canvas: canvas.id, name: named(canvas), is_sure: true });
    }
    let [canvas] = candidates.as_slice() else { return None };
    Some(FoundDesign { canvas: canvas.id, name: named(canvas), is_sure: false })
}

/// Whether a design was made from the same one, or is called by the name or by words of the request.
fn speaks_for(canvas: &Canvas, request: &DesignRequest) -> bool {
    if request.source().is_some_and(|source| canvas.source_canvas_id == Some(source)) {
        return true;
    }
    let name = canvas.name.trim().trim_end_matches('…').trim().to_lowercase();
    let wanted = match request {
        DesignRequest::Task(request) => request.canvas_name.as_deref(),
        DesignRequest::Remix(remix) => remix.new_name.as_deref(),
    };
    match wanted {
        // A name that is taken gets a number behind it.
        Some(wanted) => name.starts_with(&wanted.to_lowercase()),
        None => name.chars().count() >= SHORTEST_NAME && request.prompt().to_lowercase().contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use easel_wire::tasks::{Remix, StartTask, read_task};
    use serde_json::json;

    fn canvas(id: &str, name: &str, created_s: i64, source: Option<&str>) -> Canvas {
        let at = Timestamp::from_micros(created_s * 1_000_000);
        serde_json::from_value(json!({"id": id, "name": name, "created_at": at, "source_canvas_id": source})).unwrap()
    }

    fn request(prompt: &str, name: Option<&str>) -> DesignRequest {
        let canvas_name = name.map(str::to_owned);
        DesignRequest::Task(Box::new(StartTask { prompt: prompt.to_owned(), canvas_name, ..StartTask::default() }))
    }

    #[test]
    fn a_design_is_found_by_what_speaks_for_it() {
        let check = |canvases: &[Canvas], request: &DesignRequest, expected: Option<(&str, bool)>| {
            let found =
                choose(canvases.to_vec(), request, Timestamp::from_micros(10_000_000), &["cvs_taken".parse().unwrap()]);
            let found = found.map(|made| (made.canvas.text(), made.is_sure));
            assert_eq!(found.as_ref().map(|(canvas, is_sure)| (&**canvas, *is_sure)), expected, "{canvases:?}");
        };
        let (old, new, other) = (
            canvas("cvs_old", "Tea", 9, None),
            canvas("cvs_new", "Tea", 10, None),
            canvas("cvs_o", "Minutes", 11, None),
        );
        let tea = request("A poster about tea", None);
        check(&[other.clone(), new, old.clone()], &tea, Some(("cvs_new", true)));
        check(&[other.clone(), old.clone()], &tea, Some(("cvs_o", false)));
        check(&[old], &tea, None);
        check(&[other.clone(), canvas("cvs_b", "Lamps", 12, None)], &tea, None);
        check(&[canvas("cvs_taken", "Tea", 12, None)], &tea, None);
        check(
            &[other.clone(), canvas("cvs_c", "Autumn (2)", 12, None)],
            &request("x", Some("autumn")),
            Some(("cvs_c", true)),
        );
        check(&[canvas("cvs_short", "a", 12, None), other.clone()], &tea, None);
        let remix = DesignRequest::Remix(Remix {
            canvas_id: "cvs_s".parse().unwrap(),
            prompt: Some("bluer".to_owned()),
            new_name: None,
            brand_kit_id: None,
            skip_brand_kit: None,
        });
        check(&[other, canvas("cvs_copy", "Any", 12, Some("cvs_s"))], &remix, Some(("cvs_copy", true)));
    }

    #[test]
    fn a_task_tells_its_design_by_id_or_by_address() {
        let check = |task: serde_json::Value, expected: Option<&str>| {
            let told = FoundDesign::told_by(&read_task(task.clone()).unwrap());
            assert_eq!(told.map(|made| made.canvas.text()).as_deref(), expected, "{task}");
        };
        let task = |result: serde_json::Value| json!({"id": "task_1", "status": "succeeded", "result": result});
        check(task(json!({"canvas_id": "cvs_a"})), Some("cvs_a"));
        check(task(json!({"canvas_url": "https://a.example/c/cvs_a/?x=1"})), Some("cvs_a"));
        check(task(json!({"canvas_url": "https://a.example/designs/12"})), None);
        check(task(json!(null)), None);
        check(json!({"id": "task_1", "status": "succeeded", "links": {"canvas": "/c/CVS_b"}}), Some("CVS_b"));
    }
}
