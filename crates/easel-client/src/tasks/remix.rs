//! Remixes: an exact copy at once, or a changed one as a task (specification, "Remix rules"; contract, "Errors", retry
//! rules).
//!
//! Always true: a remix has no key that would make a repeat harmless, so after a lost answer its copy, or its task, is
//! looked for before it is asked for again; the result of an earlier click is never taken for it. Not here: telling two
//! clicks apart.

use easel_wire::tasks::{Remix, Task, TaskKind, read_task};
use easel_wire::{CanvasId, Scope, TaskId, Timestamp};
use http::Method;
use jiff::SignedDuration;
use serde_json::Value;

use super::{TaskFilter, read_answer};
use crate::capabilities::Feature;
use crate::client::{Answer, Client};
use crate::drive::Place;
use crate::error::Error;
use crate::paging::PageRequest;
use crate::settle::is_older_from_here_on;

/// So many pages of 100 are read at most in one look.
const MOST_PAGES: u32 = 5;
/// How much earlier than its click a copy may be dated: the service's clock is known to a second.
const SLACK: SignedDuration = SignedDuration::from_secs(2);

/// One click for a remix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemixClick {
    /// The request.
    pub remix: Remix,
    /// When it was first made, on this computer's clock.
    pub since: Timestamp,
    /// Copies that belong to other clicks.
    pub not_canvases: Vec<CanvasId>,
    /// Tasks that belong to other clicks.
    pub not_tasks: Vec<TaskId>,
}

/// The result of a remix.
#[derive(Debug, Clone, PartialEq)]
pub enum Remixed {
    /// The copy is there (promptless).
    Copied {
        /// The copy; `None` where the service does not tell which canvas it is, and no list shows it.
        canvas_id: Option<CanvasId>,
        /// The copy's name, where the service told it.
        name: Option<String>,
    },
    /// A task makes it (with a prompt).
    Started(Box<Task>),
}

impl Client {
    /// Remixes a canvas, once.
    ///
    /// # Errors
    /// `canvas_not_found`, `concurrent_task_limit`; [`Error::AnswerLost`] where the result could not be found out: look
    /// with [`Client::find_remixed`] before asking again; else what the service answers.
    pub async fn remix(&self, click: &RemixClick) -> Result<Remixed, Error> {
        let call = self
            .call(Method::POST, &["remix"])
            .of(Feature::Remix)
            .needs(Scope::TasksWrite)
            .capped()
            .json(&click.remix)?;
        let read = |answer: &Answer| {
            if click.remix.prompt.is_none() {
                return read_copy(answer);
            }
            read_answer(answer).map(|task| Remixed::Started(Box::new(task)))
        };
        match self.send_settled(&call, read, || self.find_remixed(click)).await? {
            unnamed @ Remixed::Copied { canvas_id: None, .. } => {
                Ok(self.find_copied(click).await.ok().flatten().unwrap_or(unnamed))
            }
            remixed => Ok(remixed),
        }
    }

    /// The result of a remix whose answer was lost; `None` where there is none.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn find_remixed(&self, click: &RemixClick) -> Result<Option<Remixed>, Error> {
        if click.remix.prompt.is_some() { self.find_started(click).await } else { self.find_copied(click).await }
    }

    async fn find_copied(&self, click: &RemixClick) -> Result<Option<Remixed>, Error> {
        let mut request = PageRequest { limit: Some(100), ..PageRequest::default() };
        for _ in 0..MOST_PAGES {
            let page = self.list_canvases(&Place::Everywhere, &request).await?;
            let since = self.since(click);
            let found = page.items.iter().find(|canvas| {
                canvas.source_canvas_id == Some(click.remix.canvas_id)
                    && canvas.created_at.is_some_and(|at| at >= since)
                    && !click.not_canvases.contains(&canvas.id)
            });
            if let Some(canvas) = found {
                return Ok(Some(Remixed::Copied { canvas_id: Some(canvas.id), name: Some(canvas.name.clone()) }));
            }
            let reached_old = is_older_from_here_on(page.items.iter().map(|canvas| canvas.created_at), since);
            match request.after(&page) {
                Some(next) if !reached_old => request = next,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    async fn find_started(&self, click: &RemixClick) -> Result<Option<Remixed>, Error> {
        let filter = TaskFilter { kind: Some(TaskKind::Remix), ..TaskFilter::default() };
        let mut request = PageRequest { limit: Some(100), ..PageRequest::default() };
        for _ in 0..MOST_PAGES {
            let page = self.list_tasks(&filter, &request).await?;
            let since = self.since(click);
            let found = page.items.iter().find(|task| {
                is_of(task, &click.remix)
                    && task.created_at.is_some_and(|at| at >= since)
                    && !click.not_tasks.contains(&task.id)
            });
            if let Some(task) = found {
                return Ok(Some(Remixed::Started(Box::new(task.clone()))));
            }
            let reached_old = is_older_from_here_on(page.items.iter().map(|task| task.created_at), since);
            match request.after(&page) {
                Some(next) if !reached_old => request = next,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The time of the click on the service's clock, which an answer has told by now.
    fn since(&self, click: &RemixClick) -> Timestamp {
        let since = self.shared.key.on_their_clock(click.since.into());
        Timestamp::from(since.checked_sub(SLACK).unwrap_or(since))
    }
}

/// Reads the answer to a promptless remix: a task that is done, the canvas itself, only its id, or not even that. A
/// successful answer shows that the copy is there (specification, "Remix rules", rule 3), so that it is never asked for
/// again.
fn read_copy(answer: &Answer) -> Result<Remixed, Error> {
    let body: Value = answer.json()?;
    if let Some(result) = read_task(body.clone()).ok().and_then(|task| task.result)
        && let Some(canvas_id) = result.canvas_id
    {
        return Ok(Remixed::Copied { canvas_id: Some(canvas_id), name: result.canvas_name });
    }
    let text = |place: &str| body.pointer(place).and_then(Value::as_str);
    let id = ["/result/canvas_id", "/canvas_id", "/canvas/id", "/result/canvas/id", "/id"].into_iter().find_map(text);
    let name = ["/canvas_name", "/canvas/name", "/result/canvas/name", "/name"].into_iter().find_map(text);
    // The id of a task cannot be a canvas's: then the canvas is not told.
    let canvas_id = id.filter(|id| TaskId::of_its_prefix(id).is_none()).and_then(|id| id.parse().ok());
    Ok(Remixed::Copied { canvas_id, name: name.map(str::to_owned) })
}

/// Whether a task can be this remix's: of the same canvas, with the same prompt.
fn is_of(task: &Task, remix: &Remix) -> bool {
    let said = |name: &str| task.input.as_ref().and_then(|input| input.get(name)).and_then(Value::as_str);
    let is_same_canvas = said("canvas_id") == Some(&*remix.canvas_id.text());
    let is_same_prompt = said("prompt") == remix.prompt.as_deref();
    is_same_canvas && is_same_prompt
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_task_is_taken_for_a_remix_only_with_its_canvas_and_its_words() {
        let canvas = "cvs_00000000000000000000000001";
        let remix = Remix {
            canvas_id: canvas.parse().unwrap(),
            prompt: Some("bluer".to_owned()),
            new_name: None,
            brand_kit_id: None,
            skip_brand_kit: None,
        };
        let check = |input: Value, expected: bool| {
            let task = json!({"id": "task_00000000000000000000000000", "status": "queued", "input": input});
            assert_eq!(is_of(&serde_json::from_value(task).unwrap(), &remix), expected, "{input}");
        };
        check(json!({"canvas_id": canvas, "prompt": "bluer"}), true);
        check(json!({"canvas_id": canvas, "prompt": "bluer", "x": 1}), true);
        check(json!({"canvas_id": canvas, "prompt": "redder"}), false);
        check(json!({"canvas_id": "cvs_00000000000000000000000002", "prompt": "bluer"}), false);
        check(json!({"prompt": "bluer"}), false);
        check(json!(null), false);
    }
}
