//! Exports of canvases: done at once, or under way and asked for by status.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::call::Call;
use crate::records::Export;
use crate::reply::{Outcome, Refusal, Reply};
use crate::samples;
use crate::state::State;
use crate::switch::Switch;

/// How long an export's address is good for: seven days (contract, Canvases and export).
const EXPORT_SECONDS: i64 = 7 * 24 * 3600;

impl Export {
    pub(crate) fn is_running(&self) -> bool {
        self.url.is_none()
    }
}

impl State {
    pub(crate) fn export_canvas(&mut self, call: &Call<'_>) -> Outcome {
        let (canvas, record) = self.canvas_in_path(call)?;
        let format = call.query("format").unwrap_or("png");
        if !["png", "jpeg", "pdf", "pptx", "svg"].contains(&format) {
            return Err(Refusal::fields(&[("format", "unknown_value")]));
        }
        let pages = match call.number("page_number")? {
            None => record.pages,
            Some(page) if (1..=record.pages).contains(&page) => 1,
            Some(_) => return Err(Refusal::fields(&[("page_number", "out_of_range")])),
        };
        if call.number("pixel_ratio")?.is_some_and(|ratio| !(1..=4).contains(&ratio)) {
            return Err(Refusal::fields(&[("pixel_ratio", "out_of_range")]));
        }
        if self.has(Switch::ExportsBusyFirst) && !self.exports.values().any(|export| export.canvas == canvas) {
            let busy = Export::new(&canvas, format, pages, record.pages);
            self.exports.insert(format!("busy {canvas}"), Export { url: Some(String::new()), ..busy });
            return Err(Refusal::new(409, "canvas_active_job", "This canvas is being worked on").after(10));
        }
        self.check_export_rate(call.now)?;
        if self.has(Switch::CapCountsEverything) {
            self.check_cap(call.now)?;
        }
        let id = self.make_id("task", call.now);
        self.exports.insert(id.clone(), Export::new(&canvas, format, pages, record.pages));
        let is_held = call.query("wait") != Some("false") && format != "pptx";
        let is_short = self.has(Switch::ExportsOfUrlAndFormat);
        if is_short || is_held && !self.has(Switch::ExportsInProgressUntimed) {
            self.finish_export(&id, call.now);
        }
        let mut answer = self.export_record(&id, "in_progress");
        if let (true, Some(fields)) = (is_short, answer.as_object_mut()) {
            fields.retain(|name, _| ["url", "format"].contains(&name.as_str()));
        }
        Ok(Reply::ok(answer))
    }

    fn check_export_rate(&mut self, now: Timestamp) -> Result<(), Refusal> {
        let minute = SignedDuration::from_secs(60);
        self.exported.retain(|at| *at + minute > now);
        let most = self.exports_per_minute();
        if self.exported.len() >= most {
            let message = format!("At most {most} exports a minute");
            return Err(Refusal::new(429, "export_rate_limited", message).after(60));
        }
        self.exported.push_back(now);
        Ok(())
    }

    fn finish_export(&mut self, id: &str, now: Timestamp) {
        let Some(export) = self.exports.get(id).cloned().filter(Export::is_running) else { return };
        let (bytes, format, media_type) = samples::export(&export.format, export.pages);
        let url = self.sign_object(bytes, media_type, EXPORT_SECONDS, now);
        if let Some(export) = self.exports.get_mut(id) {
            export.url = Some(url);
            export.format = format;
        }
    }

    pub(crate) fn read_export(&mut self, call: &Call<'_>) -> Outcome {
        let (canvas, _) = self.canvas_in_path(call)?;
        let asked = call.query("task_id").ok_or_else(|| Refusal::fields(&[("task_id", "required")]))?;
        let id = self.ids.read(asked);
        let Some(export) = self.exports.get_mut(&id).filter(|export| export.canvas == canvas) else {
            return Err(Refusal::missing("task"));
        };
        export.looks += 1;
        let is_due = export.looks >= 2;
        if is_due {
            self.finish_export(&id, call.now);
        }
        let running = if self.has(Switch::ExportStatesUnknown) { "rendering" } else { "running" };
        let mut record = self.export_record(&id, running);
        record["is_terminal"] = is_due.into();
        record["error"] = Value::Null;
        Ok(Reply::ok(record))
    }

    fn export_record(&self, id: &str, running: &str) -> Value {
        let Some(export) = self.exports.get(id) else { return Value::Null };
        let done = if self.has(Switch::ExportStatesUnknown) { "ready" } else { "completed" };
        let is_timed = export.is_running() && !self.has(Switch::ExportsInProgressUntimed);
        json!({
            "canvas_id": export.canvas,
            "canvas_url": self.canvas_url(&export.canvas),
            "format": export.format,
            "status": if export.is_running() { running } else { done },
            "url": export.url,
            "task_id": id,
            "retry_after_seconds": is_timed.then_some(1),
            "total_pages": export.total_pages,
            "warnings": [{"code": "font_replaced", "message": "A font was replaced", "severity": "info"}],
        })
    }
}

impl Export {
    fn new(canvas: &str, format: &str, pages: u64, total_pages: u64) -> Self {
        Self { canvas: canvas.to_owned(), format: format.to_owned(), pages, total_pages, url: None, looks: 0 }
    }
}
