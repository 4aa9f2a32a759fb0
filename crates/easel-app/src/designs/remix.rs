//! Remixes a design: an exact copy in one click, or a changed one in words.
//!
//! Always true: a double click makes one copy; a copy is asked for again only after it was looked for, also when Easel
//! was closed or cut off in between; the result of one click is never taken for another's. Not here: the task that
//! makes a changed copy (`tasks`).

use std::sync::Arc;

use easel_client::{Client, Error as ClientError, Feature, RemixClick, Remixed};
use easel_wire::CanvasId;
use easel_wire::tasks::Remix;

use super::describe::read_prompt;
use super::generation::Generation;
use super::read_design;
use super::views::{DesignView, RemixOutcome};
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::drive::news::tell_drive;
use crate::messages;
use crate::problem::Problem;
use crate::tasks::views::TaskView;
use crate::tasks::work::{Along, DesignRequest, Work};

/// A click that comes so much later than one whose copy is not settled wants another copy.
const SAME_CLICK: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);
/// What variations are asked for with, the first ones of them. In English, which every service takes; each names a look
/// and none the content, and none has the words of another, so that each is a request of its own.
const VARIATIONS: [&str; 12] = [
    "A variation with a warm, editorial look, the same content",
    "A variation with a bold, high contrast look, the same content",
    "A variation with a dark look, the same content",
    "A variation with a playful, colourful look, the same content",
    "A variation with a calm, minimal look, the same content",
    "A variation with an elegant, classic look, the same content",
    "A variation with a technical, precise look, the same content",
    "A variation with a fresh, light look, the same content",
    "A variation with an earthy, natural look, the same content",
    "A variation with a poster-like, striking look, the same content",
    "A variation with a quiet, monochrome look, the same content",
    "A variation with a lively, modern look, the same content",
];

const fn plain(canvas_id: CanvasId) -> Remix {
    Remix { canvas_id, prompt: None, new_name: None, brand_kit_id: None, skip_brand_kit: None }
}

impl Generation {
    /// Remixes a design: without words, the answer is the copy; with words, it is the task that makes one, at once.
    ///
    /// # Errors
    /// `canvas_not_found`, `prompt_not_usable`; `remix_unsettled` where it is not known whether the copy was made, in
    /// which case the next click looks for it first; `copy_not_named` where it was, and no answer says which design it
    /// is; what the connection's state says, or what the service answers.
    pub async fn remix_design(&self, design_id: String, prompt: Option<String>) -> Result<RemixOutcome, Problem> {
        let id = read_design(&design_id)?;
        if let Some(prompt) = prompt.filter(|prompt| !prompt.trim().is_empty()) {
            return Ok(RemixOutcome { design: None, task: Some(self.begin_remix(id, &prompt, None).await?) });
        }
        let connection = self.connections.selected()?;
        let key = format!("{} remix {id}", connection.id);
        let design = self.inner.copies.once(key, self.copy_design(&connection, id)).await?;
        Ok(RemixOutcome { design: Some(design), task: None })
    }

    /// Begins the task that makes a changed copy, called `new_name` or as the service says. A double click begins one.
    ///
    /// # Errors
    /// As [`Self::remix_design`].
    pub(super) async fn begin_remix(
        &self,
        id: CanvasId,
        prompt: &str,
        new_name: Option<&str>,
    ) -> Result<TaskView, Problem> {
        let connection = self.connections.selected()?;
        let key = format!("{} remix {id} {prompt:?} {new_name:?}", connection.id);
        let new_name = new_name.map(str::to_owned);
        let remix = Remix { prompt: Some(read_prompt(prompt)?), new_name, ..plain(id) };
        let begin = async { self.tasks.begin_work(&connection, DesignRequest::Remix(remix), Along::default()) };
        self.inner.coalescer.once(key, begin).await
    }

    /// Asks for `count` variations of a design, 1 to 12, each of another look and with the same content: so many tasks,
    /// at once. A double click asks for no more.
    ///
    /// # Errors
    /// As [`Self::remix_design`].
    pub async fn vary_design(&self, design_id: String, count: u32) -> Result<Vec<TaskView>, Problem> {
        let count = usize::try_from(count).unwrap_or(usize::MAX).clamp(1, VARIATIONS.len());
        let id = read_design(&design_id)?;
        let mut tasks = Vec::with_capacity(count);
        for prompt in &VARIATIONS[..count] {
            tasks.push(self.begin_remix(id, prompt, None).await?);
        }
        Ok(tasks)
    }

    /// Copies a design, once.
    async fn copy_design(&self, connection: &Arc<ActiveConnection>, source: CanvasId) -> Result<DesignView, Problem> {
        let client = connection.ready().await?.client;
        let held = self.inner.source(source);
        let _alone = held.lock().await;
        let request = DesignRequest::Remix(plain(source));
        // A click whose copy nobody knows of: this one asks for it again, so it looks first.
        let since = jiff::Timestamp::now() - SAME_CLICK;
        let before = self.tasks.file().find(|work| {
            let is_same = work.connection_id == connection.id && work.request == request;
            is_same && work.was_given_up && jiff::Timestamp::from(work.asked_at) > since
        });
        let (mut work, is_again) = match before {
            Some(work) => (work, true),
            None => (Work::new(&connection.id, request, Along::default(), Core::now()), false),
        };
        work.was_sent = true;
        work.was_given_up = false;
        self.tasks.file().put(work.clone()).map_err(|error| self.core.unwritable(&error))?;
        let copied = self.copy_once(&client, &work, is_again).await;
        self.settle_copy(connection, work, copied).await
    }

    /// Asks for the copy that `work` describes; if `is_again`, it is looked for first.
    async fn copy_once(
        &self,
        client: &Client,
        work: &Work,
        is_again: bool,
    ) -> Result<(Option<CanvasId>, Option<String>), ClientError> {
        let DesignRequest::Remix(remix) = &work.request else { return Err(ClientError::RouteMissing) };
        let click = RemixClick {
            remix: remix.clone(),
            since: work.asked_at,
            not_canvases: self.tasks.copies(),
            not_tasks: Vec::new(),
        };
        let found = if is_again { client.find_remixed(&click).await? } else { None };
        let remixed = match found {
            Some(found) => found,
            None => client.remix(&click).await?,
        };
        match remixed {
            Remixed::Copied { canvas_id, name } => Ok((canvas_id, name)),
            // A remix without words is answered with a copy, and only ever looked for as one.
            Remixed::Started(_) => Err(ClientError::RouteMissing),
        }
    }

    async fn settle_copy(
        &self,
        connection: &Arc<ActiveConnection>,
        mut work: Work,
        copied: Result<(Option<CanvasId>, Option<String>), ClientError>,
    ) -> Result<DesignView, Problem> {
        let (id, name) = match copied {
            Ok((Some(id), name)) => (id, name),
            Ok((None, _)) => {
                self.tasks.forget_work(&work.id);
                self.designs.tell_designs(connection, []);
                return Err(messages::problem("copy_not_named", &[]));
            }
            Err(error) if matches!(error, ClientError::AnswerLost { .. }) => {
                work.was_given_up = true;
                if let Err(error) = self.tasks.file().put(work) {
                    tracing::warn!(%error, "that a copy is not settled could not be noted");
                }
                self.connections.note_error(connection, &error, "");
                return Err(messages::problem("remix_unsettled", &[]));
            }
            Err(error) => {
                self.tasks.forget_work(&work.id);
                return Err(self.connections.note_error_of(connection, &error, Some(Feature::Remix)));
            }
        };
        self.tasks.note_copy(id);
        self.tasks.forget_work(&work.id);
        let session = connection.ready().await?;
        let view = match session.client.get_canvas(id).await {
            Ok(canvas) => {
                tell_drive(&self.core, connection, [canvas.folder_id]);
                self.designs.view_design(connection, canvas)
            }
            // The copy is there, even if its record cannot be read.
            Err(_) => DesignView::bare(id.to_string(), name.unwrap_or_default()),
        };
        self.designs.tell_designs(connection, [id]);
        Ok(view)
    }

    /// Goes on with the copies that the last run asked for.
    pub(crate) fn resume_copies(&self, connection: &Arc<ActiveConnection>) {
        for work in self.tasks.file().of_connection(&connection.id) {
            if work.request.is_copy() && work.task_id.is_none() {
                self.resume_copy(connection, work);
            }
        }
    }

    /// Goes on with a copy that the last run asked for: it is looked for, and asked for again where it is not there. If
    /// the person was told that its result is unknown, the next step is left to the person.
    fn resume_copy(&self, connection: &Arc<ActiveConnection>, work: Work) {
        if work.was_given_up {
            return self.tasks.forget_work(&work.id);
        }
        let (generation, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            if connection.cancel.run_until_cancelled(connection.wait_until_ready()).await.is_none() {
                return;
            }
            let Some(session) = connection.session() else { return };
            let copied = generation.copy_once(&session.client, &work, work.was_sent).await;
            if let Err(problem) = generation.settle_copy(&connection, work, copied).await {
                tracing::info!(code = problem.code, "a copy that was asked for before could not be made");
            }
        });
    }
}
