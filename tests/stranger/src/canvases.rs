//! Canvases: what tasks and remixes make, and what is read of them.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::call::Call;
use crate::folders::Within;
use crate::ids::is_uuid;
use crate::lists::Listing;
use crate::records::{Canvas, Row, Task, Work};
use crate::reply::{Outcome, Refusal, Reply};
use crate::samples;
use crate::state::{State, time};
use crate::switch::Switch;

/// How long the address of a thumbnail is good for: a week.
const THUMBNAIL_SECONDS: i64 = 7 * 24 * 3600;

impl State {
    /// Makes what a task was to make; the id of the canvas.
    pub(crate) fn carry_out(&mut self, task: &Task, now: Timestamp) -> String {
        match &task.work {
            Work::Edit(id) => {
                if let Some(canvas) = self.canvases.get_mut(id) {
                    canvas.updated_at = now;
                }
                id.clone()
            }
            Work::New(name) => self.make_canvas(name, None, None, task.pages, now),
            Work::Copy(source, name) => {
                let (folder, pages) =
                    self.canvases.get(source).map_or((None, 1), |canvas| (canvas.folder.clone(), canvas.pages));
                self.make_canvas(name, folder, Some(source.clone()), pages, now)
            }
        }
    }

    /// Makes a canvas; where its name is taken it gets a number.
    pub(crate) fn make_canvas(
        &mut self,
        name: &str,
        folder: Option<String>,
        source: Option<String>,
        pages: u64,
        now: Timestamp,
    ) -> String {
        let name = std::iter::once(name.to_owned())
            .chain((2_u32..).map(|number| format!("{name} ({number})")))
            .find(|name| self.canvas_named(folder.as_deref(), name).is_none())
            .unwrap_or_default();
        let thumbnail = self.sign_object(samples::png(), "image/png", THUMBNAIL_SECONDS, now);
        let id = self.make_id("cvs", now);
        self.touch(folder.as_deref(), now);
        let visibility = "team".to_owned();
        let canvas = Canvas { name, folder, visibility, source, pages, thumbnail, created_at: now, updated_at: now };
        self.canvases.insert(id.clone(), canvas);
        id
    }

    pub(crate) fn canvas_named(&self, folder: Option<&str>, name: &str) -> Option<String> {
        let key = self.name_key(name);
        let is_it = |canvas: &Canvas| canvas.folder.as_deref() == folder && self.name_key(&canvas.name) == key;
        self.canvases.iter().find(|(_, canvas)| is_it(canvas)).map(|(id, _)| id.clone())
    }

    pub(crate) fn canvas_url(&self, id: &str) -> String {
        format!("{}/c/{id}", self.origin)
    }

    /// A canvas that a body names.
    pub(crate) fn canvas_in_body(&self, field: &str, text: &str) -> Result<String, Refusal> {
        let id = self.ids.read(text);
        if self.canvases.contains_key(&id) {
            return Ok(id);
        }
        if id.starts_with("cvs_") || is_uuid(text) {
            return Err(Refusal::missing("canvas"));
        }
        Err(Refusal::fields(&[(field, "not_a_canvas_id")]))
    }

    /// A canvas that a path names.
    pub(crate) fn canvas_in_path(&self, call: &Call<'_>) -> Result<(String, Canvas), Refusal> {
        let id = self.ids.read(&call.place);
        let canvas = self.canvases.get(&id).cloned();
        canvas.map(|canvas| (id, canvas)).ok_or_else(|| Refusal::missing("canvas"))
    }

    pub(crate) fn canvas_record(&self, id: &str) -> Value {
        let Some(canvas) = self.canvases.get(id) else { return Value::Null };
        json!({
            "id": id,
            "name": canvas.name,
            "url": self.canvas_url(id),
            "category": "slides",
            "visibility": canvas.visibility,
            "folder_id": canvas.folder,
            "source_canvas_id": canvas.source,
            "page_count": canvas.pages,
            "width": 1920,
            "height": 1080,
            "thumbnail_url": canvas.thumbnail,
            "created_at": time(canvas.created_at),
            "updated_at": time(canvas.updated_at),
        })
    }

    pub(crate) fn list_canvases(&mut self, call: &Call<'_>) -> Outcome {
        self.canvases_of(call, None)
    }

    pub(crate) fn search_canvases(&mut self, call: &Call<'_>) -> Outcome {
        let query =
            if self.has(Switch::SearchTakesQ) { call.query("q") } else { call.query("query").or(call.query("q")) };
        let name = if self.has(Switch::SearchTakesQ) { "q" } else { "query" };
        let words = query.ok_or_else(|| Refusal::fields(&[(name, "required")]))?.to_lowercase();
        self.canvases_of(call, Some(&words))
    }

    fn canvases_of(&mut self, call: &Call<'_>, words: Option<&str>) -> Outcome {
        let within = self.within_for_canvases(call)?;
        let rows = self
            .canvases
            .iter()
            .filter(|(_, canvas)| match &within {
                Within::Everywhere => true,
                Within::Top => canvas.folder.is_none(),
                Within::Folder(folder) => canvas.folder.as_ref() == Some(folder),
            })
            .filter(|(_, canvas)| words.is_none_or(|words| canvas.name.to_lowercase().contains(words)))
            .map(|(id, canvas)| Row {
                id: id.clone(),
                name: canvas.name.clone(),
                created_at: canvas.created_at,
                updated_at: canvas.updated_at,
                size: 0,
                json: self.canvas_record(id),
            })
            .collect();
        self.page(call, Listing::new("canvases", rows))
    }

    /// Unlike the drive's lists, this one takes a bare UUID (specification, Identifiers 1).
    fn within_for_canvases(&self, call: &Call<'_>) -> Result<Within, Refusal> {
        match call.query("folder_id") {
            Some(text) if is_uuid(text) => {
                Ok(self.folder_in_body("folder_id", text)?.map_or(Within::Top, Within::Folder))
            }
            _ => self.within(call, "folder_id"),
        }
    }

    pub(crate) fn read_canvas(&self, call: &Call<'_>) -> Outcome {
        let (id, _) = self.canvas_in_path(call)?;
        Ok(Reply::ok(self.canvas_record(&id)))
    }

    pub(crate) fn rename_canvas(&mut self, call: &Call<'_>) -> Outcome {
        let (id, _) = self.canvas_in_path(call)?;
        let name = call.fields(&["name"])?.some_text("name")?.to_owned();
        self.check_name(&name)?;
        let folder = self.canvases.get(&id).and_then(|canvas| canvas.folder.clone());
        let other = self.canvas_named(folder.as_deref(), &name).filter(|other| *other != id);
        if let Some(other) = other.filter(|_| !self.has(Switch::NamesNotUnique)) {
            return Err(self.name_conflict("canvas", &other));
        }
        if let Some(canvas) = self.canvases.get_mut(&id) {
            (canvas.name, canvas.updated_at) = (name, call.now);
        }
        Ok(Reply::ok(self.canvas_record(&id)))
    }

    pub(crate) fn read_pages(&self, call: &Call<'_>) -> Outcome {
        let (_, canvas) = self.canvas_in_path(call)?;
        let pages = (1..=canvas.pages)
            .map(|number| {
                json!({
                    "page_number": number, "name": format!("Page {number}"), "width": 1920, "height": 1080,
                    "node_count": 12,
                })
            })
            .collect::<Vec<_>>();
        Ok(Reply::ok(json!({"canvas_name": canvas.name, "total_pages": canvas.pages, "pages": pages})))
    }
}
