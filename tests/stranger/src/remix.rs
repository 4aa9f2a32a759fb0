//! Remixes: prompted ones are tasks, promptless ones are done at once.

use serde_json::Value;

use crate::call::Call;
use crate::records::{Status, Task, Work};
use crate::reply::{Outcome, Refusal};
use crate::state::State;
use crate::switch::Switch;

impl State {
    pub(crate) fn remix(&mut self, call: &Call<'_>) -> Outcome {
        let fields = call.fields(&["canvas_id", "prompt", "new_name", "brand_kit_id", "skip_brand_kit"])?;
        let source = self.canvas_in_body("canvas_id", fields.some_text("canvas_id")?)?;
        if let Some(kit) = fields.text("brand_kit_id")? {
            self.kit_in_body(kit)?;
        }
        let of_source = self.canvases.get(&source).map(|canvas| format!("{} remix", canvas.name)).unwrap_or_default();
        let name = fields.text("new_name")?.map_or(of_source, str::to_owned);
        if name.chars().count() > 255 {
            return Err(Refusal::fields(&[("new_name", "too_long")]));
        }
        let prompt = fields.text("prompt")?.filter(|prompt| !prompt.trim().is_empty());
        if prompt.is_some() || self.has(Switch::CapCountsEverything) {
            self.check_cap(call.now)?;
        }
        let mut task = Task::new("remix", prompt.unwrap_or_default(), Work::Copy(source, name), call);
        task.input = Value::Object(fields.0.clone());
        if prompt.is_some() {
            let id = self.start_task(task, call.now);
            return Ok(self.started(self.task_record(&id, call.is_older)));
        }
        task.canvas = Some(self.carry_out(&task, call.now));
        task.status = Status::Succeeded;
        (task.started_at, task.completed_at) = (Some(call.now), Some(call.now));
        task.conversation = self.make_id("conv", call.now);
        let id = self.make_id("task", call.now);
        self.tasks.synthetic.insert(id.clone());
        Ok(self.created(self.record_of(&id, &task, call.is_older)))
    }
}
