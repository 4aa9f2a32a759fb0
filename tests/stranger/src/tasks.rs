//! Design tasks: a tiny state machine that goes on with each look and with time, and the two shapes of its record.
//!
//! Always true here: a task moves one step a look or every two seconds, whichever comes first, so that no client waits
//! for a clock; one that ended stays as it is.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::call::{Call, Fields};
use crate::lists::Listing;
use crate::records::{Ending, Row, Status, Task, Work};
use crate::reply::{Outcome, Refusal, Reply};
use crate::state::{State, time};
use crate::switch::Switch;

/// Seconds after which a task moves by itself.
const STEP_SECONDS: i64 = 2;

/// What `POST /v1/tasks` takes (contract, Tasks and remix).
const FIELDS: [&str; 13] = [
    "prompt",
    "format",
    "canvas_id",
    "template_canvas_id",
    "canvas_name",
    "brand_kit_id",
    "skip_brand_kit",
    "number_of_slides",
    "attachments",
    "reference_canvas_ids",
    "conversation_id",
    "callback_url",
    "idempotency_key",
];

impl State {
    pub(crate) fn create_task(&mut self, call: &Call<'_>) -> Outcome {
        let fields = call.fields(&FIELDS)?;
        if let Some(id) = self.repeated(call, fields)? {
            return Ok(self.started(self.task_record(&id, call.is_older)));
        }
        let prompt = fields.some_text("prompt")?;
        if prompt.chars().count() > 20_000 {
            return Err(Refusal::fields(&[("prompt", "too_long")]));
        }
        let work = self.read_work(fields, prompt)?;
        self.check_attachments(fields)?;
        let callback_url = self.read_callback(fields)?;
        if let Some(kit) = fields.text("brand_kit_id")? {
            self.kit_in_body(kit)?;
        }
        let pages = match fields.get("number_of_slides").map(Value::as_u64) {
            None => 1,
            Some(Some(pages @ 1..=60)) => pages,
            Some(_) => return Err(Refusal::fields(&[("number_of_slides", "out_of_range")])),
        };
        self.check_cap(call.now)?;
        let mut task = Task::new("design", prompt, work, call);
        task.input = Value::Object(fields.0.clone());
        task.pages = pages;
        task.callback_url = callback_url;
        let id = self.start_task(task, call.now);
        self.remember_answer(call, fields, &id);
        Ok(self.started(self.task_record(&id, call.is_older)))
    }

    fn read_work(&self, fields: Fields<'_>, prompt: &str) -> Result<Work, Refusal> {
        let name = fields.text("canvas_name")?.map_or_else(|| title(prompt), str::to_owned);
        match (fields.text("canvas_id")?, fields.text("template_canvas_id")?) {
            (Some(_), Some(_)) => Err(Refusal::fields(&[("template_canvas_id", "not_with_canvas_id")])),
            (Some(canvas), None) => Ok(Work::Edit(self.canvas_in_body("canvas_id", canvas)?)),
            (None, Some(canvas)) => Ok(Work::Copy(self.canvas_in_body("template_canvas_id", canvas)?, name)),
            (None, None) => Ok(Work::New(name)),
        }
    }

    fn check_attachments(&self, fields: Fields<'_>) -> Result<(), Refusal> {
        let Some(attachments) = fields.get("attachments") else { return Ok(()) };
        let wrong = || Refusal::fields(&[("attachments", "not_attachments")]);
        for attachment in attachments.as_array().ok_or_else(wrong)? {
            let file = attachment.get("file_id").filter(|file| !file.is_null());
            match (file.map(Value::as_str), attachment.get("url").and_then(Value::as_str)) {
                (Some(Some(file)), _) if self.files.contains_key(&self.ids.read(file)) => {}
                (Some(Some(_)), _) => return Err(Refusal::missing("file")),
                (None, Some(_)) => {}
                _ => return Err(wrong()),
            }
        }
        Ok(())
    }

    fn read_callback(&self, fields: Fields<'_>) -> Result<Option<String>, Refusal> {
        let Some(text) = fields.text("callback_url")? else { return Ok(None) };
        let schemes: &[&str] = if self.has(Switch::CallbacksOverHttpsAlone) { &["https"] } else { &["https", "http"] };
        let is_good = url::Url::parse(text).is_ok_and(|url| schemes.contains(&url.scheme()) && url.has_host());
        if is_good {
            return Ok(Some(text.to_owned()));
        }
        Err(Refusal::new(422, "callback_url_not_allowed", "This callback_url is not allowed"))
    }

    /// 429 where as many tasks are under way as may be.
    pub(crate) fn check_cap(&mut self, now: Timestamp) -> Result<(), Refusal> {
        let ids = self.tasks.of_id.keys().cloned().collect::<Vec<_>>();
        for id in &ids {
            self.pass_time(id, now);
        }
        let tasks = self.tasks.of_id.values().filter(|task| !task.status.is_terminal()).count();
        let exports = if self.has(Switch::CapCountsEverything) {
            self.exports.values().filter(|export| export.is_running()).count()
        } else {
            0
        };
        if tasks + exports < self.task_cap() {
            return Ok(());
        }
        Err(Refusal::new(429, "concurrent_task_limit", "As many tasks as may be are under way").after(30))
    }

    /// Begins a task and gives its id.
    pub(crate) fn start_task(&mut self, mut task: Task, now: Timestamp) -> String {
        let id = self.make_id("task", now);
        task.conversation = self.make_id("conv", now);
        if let Some(ending) = self.tasks.endings.pop_front() {
            task.ending = ending;
        }
        self.tasks.of_id.insert(id.clone(), task);
        while self.has(Switch::TasksDoneAtOnce) && self.is_under_way(&id) {
            self.step(&id, now);
        }
        id
    }

    fn is_under_way(&self, id: &str) -> bool {
        self.tasks.of_id.get(id).is_some_and(|task| !task.status.is_terminal())
    }

    /// What the time since the last step makes of a task.
    fn pass_time(&mut self, id: &str, now: Timestamp) {
        while let Some(task) = self.tasks.of_id.get(id) {
            let next = task.moved_at + jiff::SignedDuration::from_secs(STEP_SECONDS);
            if task.status.is_terminal() || next > now {
                return;
            }
            self.step(id, next);
        }
    }

    /// A look at a task, which moves it.
    fn look(&mut self, id: &str, now: Timestamp) {
        self.pass_time(id, now);
        if self.is_under_way(id) {
            self.step(id, now);
        }
    }

    /// Moves a task by one step.
    fn step(&mut self, id: &str, now: Timestamp) {
        let goes_back = self.has(Switch::TasksGoBack);
        let Some(task) = self.tasks.of_id.get_mut(id) else { return };
        task.moved_at = now;
        match task.status {
            Status::Queued if task.ending == Ending::Expires => self.end(id, Status::Expired, now),
            Status::Queued => {
                task.status = Status::Running;
                task.started_at = Some(now);
            }
            Status::Running if goes_back && !task.went_back => {
                task.went_back = true;
                task.status = Status::Queued;
            }
            Status::Running if task.ending == Ending::Succeeds => {
                let task = task.clone();
                let canvas = self.carry_out(&task, now);
                if let Some(task) = self.tasks.of_id.get_mut(id) {
                    task.canvas = Some(canvas);
                }
                self.end(id, Status::Succeeded, now);
            }
            Status::Running => self.end(id, Status::Failed, now),
            _ => {}
        }
    }

    fn end(&mut self, id: &str, status: Status, now: Timestamp) {
        let Some(task) = self.tasks.of_id.get_mut(id) else { return };
        task.status = status;
        task.completed_at = Some(now);
        let has_callback = task.callback_url.is_some();
        if has_callback && status != Status::Expired {
            self.deliver(id, now);
        }
    }

    pub(crate) fn read_task(&mut self, call: &Call<'_>) -> Outcome {
        let id = self.ids.read(&call.place);
        if self.tasks.synthetic.contains(&id) && self.has(Switch::SyntheticTasksUnprocessable) {
            return Err(Refusal::new(422, "synthetic_task", "This task was never queued and cannot be asked for"));
        }
        if !self.tasks.of_id.contains_key(&id) {
            return Err(Refusal::missing("task"));
        }
        self.look(&id, call.now);
        Ok(Reply::ok(self.task_record(&id, call.is_older)))
    }

    pub(crate) fn list_tasks(&mut self, call: &Call<'_>) -> Outcome {
        let ids = self.tasks.of_id.keys().cloned().collect::<Vec<_>>();
        for id in &ids {
            self.look(id, call.now);
        }
        let canvas = call.query("canvas_id").map(|canvas| self.ids.read(canvas));
        let rows = self
            .tasks
            .of_id
            .iter()
            .filter(|(_, task)| call.query("status").is_none_or(|status| status == task.status.word()))
            .filter(|(_, task)| call.query("kind").is_none_or(|kind| kind == task.kind))
            .filter(|(_, task)| canvas.is_none() || task.canvas == canvas)
            .map(|(id, task)| Row {
                id: id.clone(),
                name: title(&task.prompt),
                created_at: task.created_at,
                updated_at: task.moved_at,
                size: 0,
                json: self.task_record(id, call.is_older),
            })
            .collect();
        self.page(call, Listing::new("tasks", rows))
    }

    pub(crate) fn cancel_task(&mut self, call: &Call<'_>) -> Outcome {
        let id = self.ids.read(&call.place);
        if !self.tasks.of_id.contains_key(&id) {
            return Err(Refusal::missing("task"));
        }
        self.pass_time(&id, call.now);
        if !self.is_under_way(&id) {
            return Err(Refusal::new(409, "task_not_cancelable", "This task has ended"));
        }
        self.end(&id, Status::Canceled, call.now);
        Ok(Reply::ok(self.task_record(&id, call.is_older)))
    }

    /// Whether tasks have the flat form, whatever was pinned.
    pub(crate) fn is_flat(&self) -> bool {
        self.config.switches.any(&[
            Switch::TasksFlatAlways,
            Switch::FlatStatusesRetired,
            Switch::FlatJobIdAlone,
            Switch::FlatErrorText,
        ])
    }

    pub(crate) fn task_record(&self, id: &str, is_older: bool) -> Value {
        let Some(task) = self.tasks.of_id.get(id) else { return Value::Null };
        self.record_of(id, task, is_older)
    }

    /// The record of a task, in the form that the version and the switches ask for.
    pub(crate) fn record_of(&self, id: &str, task: &Task, is_older: bool) -> Value {
        let mut record =
            if is_older || self.is_flat() { self.flat_record(id, task) } else { self.canonical_record(id, task) };
        if self.has(Switch::TasksOfIdAndStatus)
            && let Some(fields) = record.as_object_mut()
        {
            fields.retain(|name, value| {
                matches!(name.as_str(), "id" | "job_id" | "status") || name == "error" && !value.is_null()
            });
            if let Some(error) = fields.get_mut("error").and_then(Value::as_object_mut) {
                error.retain(|name, _| name == "retryable");
            }
        }
        record
    }

    fn canonical_record(&self, id: &str, task: &Task) -> Value {
        let is_terminal = task.status.is_terminal();
        let progress = if self.has(Switch::TaskProgressNumber) {
            json!(task.percent())
        } else {
            json!({"percent": task.percent(), "step": task.status.word(), "message": "Drawing"})
        };
        let kind = if self.has(Switch::TaskKindsUnknown) { "generation" } else { task.kind };
        let canvas_link = task.canvas.as_ref().map(|canvas| format!("{}/v1/canvases/{canvas}", self.origin));
        json!({
            "id": id,
            "kind": kind,
            "status": task.status.word(),
            "created_at": time(task.created_at),
            "started_at": task.started_at.map(time),
            "completed_at": task.completed_at.map(time),
            "progress": progress,
            "attempt": 1,
            "max_attempts": 3,
            "input": task.input,
            "result": self.result_of(task),
            "error": task.error(),
            "credits": if is_terminal { json!(4) } else { Value::Null },
            "links": {
                "self": format!("{}/v1/tasks/{id}", self.origin),
                "events": null,
                "cancel": (!is_terminal).then(|| format!("{}/v1/tasks/{id}/cancel", self.origin)),
                "canvas": canvas_link,
            },
            "retry_after_ms": (!is_terminal).then_some(3000),
        })
    }

    fn result_of(&self, task: &Task) -> Value {
        let (Some(canvas), false) = (&task.canvas, self.has(Switch::TaskResultNull)) else { return Value::Null };
        if task.kind == "remix" && self.has(Switch::RemixOfCanvasAlone) {
            return json!({"canvas_id": canvas});
        }
        let mut result = json!({
            "canvas_id": canvas,
            "canvas_url": self.canvas_url(canvas),
            "canvas_name": self.canvases.get(canvas).map(|canvas| canvas.name.clone()),
            "conversation_id": task.conversation,
        });
        if let Work::Copy(source, _) = &task.work {
            result["source_canvas_id"] = json!(source);
        }
        result
    }

    fn flat_record(&self, id: &str, task: &Task) -> Value {
        let is_terminal = task.status.is_terminal();
        let status = match task.status {
            Status::Succeeded if self.has(Switch::FlatStatusesRetired) => "completed",
            Status::Canceled if self.has(Switch::FlatStatusesRetired) => "cancelled",
            status => status.word(),
        };
        let error = match task.error() {
            error if error.is_object() && self.has(Switch::FlatErrorText) => error["message"].clone(),
            error => error,
        };
        let canvas = task.canvas.clone().filter(|_| !self.has(Switch::TaskResultNull));
        let is_remix = task.kind == "remix" && self.has(Switch::RemixOfCanvasAlone);
        let mut record = json!({
            "id": id,
            "job_id": id,
            "status": status,
            "canvas_id": canvas,
            "canvas_url": canvas.as_ref().filter(|_| !is_remix).map(|canvas| self.canvas_url(canvas)),
            "conversation_id": task.conversation,
            "task": task.prompt,
            "progress_percent": task.percent(),
            "current_step": task.status.word(),
            "is_terminal": is_terminal,
            "can_export": task.status == Status::Succeeded,
            "error": error,
            "retry_after_seconds": (!is_terminal).then_some(3),
            "created_at": time(task.created_at),
            "completed_at": task.completed_at.map(time),
        });
        if let (true, Some(fields)) = (self.has(Switch::FlatJobIdAlone), record.as_object_mut()) {
            fields.remove("id");
        }
        record
    }

    /// What an idempotency key made before, if anything.
    pub(crate) fn repeated(&self, call: &Call<'_>, fields: Fields<'_>) -> Result<Option<String>, Refusal> {
        let Some(key) = fields.text("idempotency_key")? else { return Ok(None) };
        let slot = format!("{} {} {key}", call.key, call.route);
        match self.answered.get(&slot) {
            Some(_) if self.has(Switch::IdempotencyKeysIgnored) => Ok(None),
            Some((body, id)) if body.as_object() == Some(fields.0) => Ok(Some(id.clone())),
            Some(_) => {
                Err(Refusal::new(409, "idempotency_conflict", "This idempotency_key stands for another request"))
            }
            None => Ok(None),
        }
    }

    pub(crate) fn remember_answer(&mut self, call: &Call<'_>, fields: Fields<'_>, id: &str) {
        if let Some(key) = fields.get("idempotency_key").and_then(Value::as_str) {
            let slot = format!("{} {} {key}", call.key, call.route);
            self.answered.insert(slot, (Value::Object(fields.0.clone()), id.to_owned()));
        }
    }
}

impl Task {
    pub(crate) fn new(kind: &'static str, prompt: &str, work: Work, call: &Call<'_>) -> Self {
        Self {
            kind,
            status: Status::Queued,
            prompt: prompt.to_owned(),
            input: Value::Null,
            work,
            pages: 1,
            conversation: String::new(),
            callback_url: None,
            key: call.key.clone(),
            ending: Ending::Succeeds,
            canvas: None,
            went_back: false,
            created_at: call.now,
            moved_at: call.now,
            started_at: None,
            completed_at: None,
        }
    }

    fn percent(&self) -> u64 {
        match self.status {
            Status::Queued => 0,
            Status::Running => 40,
            _ => 100,
        }
    }

    fn error(&self) -> Value {
        match self.status {
            Status::Failed => json!({
                "message": "The design could not be drawn",
                "retryable": self.ending == Ending::FailsForNow,
            }),
            _ => Value::Null,
        }
    }
}

/// A name made of the first words of a prompt.
pub(crate) fn title(prompt: &str) -> String {
    let words = prompt.split_whitespace().take(5).collect::<Vec<_>>().join(" ");
    words.chars().take(60).collect::<String>().replace('/', "-")
}
