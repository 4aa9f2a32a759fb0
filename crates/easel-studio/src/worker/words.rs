//! The words of a task, where a writer is set: its material is read in a process of its own, the writer is asked, and
//! the outline goes into the order.
//!
//! Always true: without a writer a task is worked on as if this did not exist; no failure of a writer fails a task, and
//! the message of the task says who wrote. Not here: the writers ([`crate::writer`]).

use std::sync::Arc;

use easel_canvas::Material;

use super::failure::Failure;
use crate::db::tasks::{ProgressRow, Try};
use crate::drawers::Files;
use crate::drawing::Order;
use crate::studio::SharedStudio;
use crate::writer::{Assignment, Writer, WriterError, Written};

/// Has the words of an order written, where somebody writes and something is asked for. Says what the task's message
/// says of it.
pub async fn write(
    studio: &SharedStudio,
    of: Try,
    order: &mut Order,
    files: &Files,
) -> Result<Option<String>, Failure> {
    let Some(writer) = studio.writer_slot.writer() else { return Ok(None) };
    if files.base.is_some() && order.prompt.trim().is_empty() {
        return Ok(None);
    }
    let material = studio.drawers.read(order, files).await?;
    let message = format!("{} writes what the pages say", writer.name());
    studio
        .active_tasks
        .report(of, ProgressRow { percent: 4, step: Some("writing".to_owned()), message: Some(message) });
    let assignment = assign(order, files.base.is_some(), material);
    let written = writer.write(&assignment).await;
    let said = say(&writer, &written);
    match written {
        Ok(written) => {
            tracing::info!(task = %of.id, added = written.added.len(), "a model wrote");
            order.outline = Some(written.outline);
        }
        Err(why) => tracing::warn!(task = %of.id, ?why, "a model did not write"),
    }
    Ok(Some(said))
}

fn assign(order: &Order, is_change: bool, material: Material) -> Assignment {
    let Material { draft, words, pictures, page_count } = material;
    Assignment {
        prompt: order.prompt.clone(),
        words,
        draft,
        is_change,
        pictures,
        page_count: order.page_count.or(page_count),
        name: order.name.clone(),
        brand: order.brand.as_ref().map(|brand| brand.name.clone()).filter(|name| !name.is_empty()),
        kind: order.kind(),
    }
}

/// What the message of a task says of its writer.
fn say(writer: &Arc<dyn Writer>, written: &Result<Written, WriterError>) -> String {
    let name = writer.name();
    match written {
        Ok(written) if written.added.is_empty() => format!("Written by {name}."),
        Ok(written) => {
            let named: Vec<String> = written.added.iter().map(|fact| format!("“{fact}”")).collect();
            format!(
                "Written by {name}. Neither the brief nor its files say {}: check that before you use it.",
                named.join(", ")
            )
        }
        Err(why) => format!("The model that writes ({name}) {why}, so the built-in reading wrote this."),
    }
}

/// The message if an outline cannot be drawn.
pub fn say_undrawable() -> String {
    "What the model wrote could not be drawn, so the built-in reading wrote this.".to_owned()
}
