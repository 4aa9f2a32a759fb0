//! `POST /v1/tasks`.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use sha2::{Digest, Sha256};

use super::brand::settle_brand;
use super::ends::read_wait;
use super::new_task::{NewTask, answer_start, check_prompt, is_private, queue_task};
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::db::canvases::get_visible_canvas;
use crate::db::drive::get_visible_file;
use crate::db::idempotency::{self, Use};
use crate::db::{DbConnection, Viewer};
use crate::drawing::check_size;
use crate::studio::SharedStudio;
use crate::web::extract::{Json, Shape, read_name};
use crate::wire::TaskId;
use crate::wire::tasks::{
    Format, MAX_ATTACHMENTS, MAX_LABEL_CHARS, MAX_REFERENCES, PAGES, StartTask, TaskAttachment, TaskKind,
};

/// What idempotency keys of [`start_task`] are kept under.
const ENDPOINT: &str = "POST /v1/tasks";
/// The most bytes of all attachments of one task: they are held in memory while it is drawn.
pub const MAX_ATTACHED_BYTES: u64 = 100_000_000;
/// Starts a design. With an `idempotency_key` that was used within a day with the same body, answers with the same
/// task; with another body, 409 `idempotency_conflict`.
pub async fn start_task(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    headers: HeaderMap,
    Json(mut body): Json<StartTask>,
) -> Result<Response, Error> {
    let wait = read_wait(&headers)?;
    check_body(&body)?;
    if let Some(url) = &mut body.callback_url {
        *url = studio.outbound.check("callback_url", url).await?.into();
    }
    for (place, attachment) in body.attachments.iter_mut().flatten().enumerate() {
        if let Some(url) = &mut attachment.url {
            let field = format!("attachments[{place}].url");
            *url = match studio.outbound.check(&field, url).await {
                Ok(url) => url.into(),
                Err(Error::CallbackUrlNotAllowed) => return Err(Error::validation(field, "not_allowed")),
                Err(error) => return Err(error),
            };
        }
    }
    let viewer = Viewer::from(&caller);
    let started = {
        let studio = studio.clone();
        // To its end also where the client goes away, so that a worker hears of every task.
        to_the_end(async move { start(&studio, &caller, body).await }).await?
    };
    answer_start(&studio, viewer, started, wait, version).await
}

async fn start(studio: &SharedStudio, caller: &Caller, mut body: StartTask) -> Result<TaskId, Error> {
    let key = body.idempotency_key.take();
    let used = match &key {
        Some(key) => {
            // Of what was meant, so that an id in its other form or a blank more is the same body.
            let meant = serde_json::to_vec(&body).map_err(|_| Error::Corrupt("a body that cannot be written"))?;
            Some(Use { endpoint: ENDPOINT, key, body_hash: Sha256::digest(meant).into() })
        }
        None => None,
    };
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let now = studio.clock.now();
    if let Some(used) = &used
        && let Some(answer) = idempotency::recall(&mut tx, caller.api_key_id, used, now).await?
    {
        return answer.parse().map_err(|_| Error::Corrupt("a kept answer"));
    }
    let task = settle(&mut tx, caller, body).await?.into_row(studio, caller);
    queue_task(studio, &mut tx, &task).await?;
    if let Some(used) = &used {
        idempotency::remember(&mut tx, caller.api_key_id, used, &task.id.to_string(), now).await?;
    }
    tx.commit().await?;
    studio.active_tasks.notify_queued();
    Ok(task.id)
}

/// Looks up what the request refers to.
async fn settle(conn: &mut DbConnection, caller: &Caller, mut body: StartTask) -> Result<NewTask, Error> {
    let viewer = Viewer::from(caller);
    let mut private = false;
    for id in body
        .canvas_id
        .into_iter()
        .chain(body.template_canvas_id)
        .chain(body.reference_canvas_ids.iter().flatten().copied())
    {
        private |= is_private(get_visible_canvas(conn, viewer, id).await?.visibility);
    }
    let mut attached_bytes = 0;
    for (place, attachment) in body.attachments.iter().flatten().enumerate() {
        if let Some(id) = attachment.file_id {
            let file = get_visible_file(conn, viewer, id).await?;
            private |= is_private(file.visibility);
            attached_bytes += file.size_bytes;
            if attached_bytes > MAX_ATTACHED_BYTES {
                return Err(Error::validation(format!("attachments[{place}].file_id"), "too_large"));
            }
        }
    }
    let skip = body.skip_brand_kit.unwrap_or_default();
    Ok(NewTask {
        kind: TaskKind::Design,
        canvas_id: body.canvas_id,
        source_canvas_id: body.template_canvas_id,
        brand_kit_id: settle_brand(conn, viewer, body.brand_kit_id, skip).await?,
        conversation_id: body.conversation_id,
        callback_url: body.callback_url.take(),
        private,
        input: serde_json::to_string(&body).map_err(|_| Error::Corrupt("a body that cannot be written"))?,
    })
}

/// Refuses what is wrong by itself, whatever the database holds.
fn check_body(body: &StartTask) -> Result<(), Error> {
    check_prompt(&body.prompt)?;
    if let Some(format) = &body.format {
        check_format(format)?;
    }
    check_pages("number_of_slides", body.number_of_slides)?;
    let pages = body.format.as_ref().and_then(|format| format.page_count);
    if body.number_of_slides.zip(pages).is_some_and(|(slides, pages)| slides != pages) {
        return Err(Error::validation("number_of_slides", "not_with_another_page_count"));
    }
    if body.canvas_id.is_some() && body.template_canvas_id.is_some() {
        return Err(Error::validation("template_canvas_id", "not_with_canvas_id"));
    }
    if let Some(name) = &body.canvas_name {
        read_name("canvas_name", name)?;
    }
    if body.brand_kit_id.is_some() && body.skip_brand_kit == Some(true) {
        return Err(Error::validation("brand_kit_id", "not_with_skip_brand_kit"));
    }
    let attachments = body.attachments.as_deref().unwrap_or_default();
    if attachments.len() > MAX_ATTACHMENTS {
        return Err(Error::validation("attachments", "too_many"));
    }
    for (place, attachment) in attachments.iter().enumerate() {
        check_attachment(&format!("attachments[{place}]"), attachment)?;
    }
    if body.reference_canvas_ids.as_ref().is_some_and(|ids| ids.len() > MAX_REFERENCES) {
        return Err(Error::validation("reference_canvas_ids", "too_many"));
    }
    if let Some(key) = &body.idempotency_key {
        idempotency::check_key("idempotency_key", key)?;
    }
    Ok(())
}

fn check_format(format: &Format) -> Result<(), Error> {
    check_label("format.label", format.label.as_deref())?;
    check_pages("format.page_count", format.page_count)?;
    check_size(format).map_err(|_| {
        let field = if format.width.is_some() { "format.width" } else { "format.height" };
        Error::validation(field, "out_of_range")
    })
}

fn check_pages(field: &str, pages: Option<u32>) -> Result<(), Error> {
    match pages {
        Some(pages) if !PAGES.contains(&pages) => Err(Error::validation(field, "out_of_range")),
        _ => Ok(()),
    }
}

fn check_label(field: &str, label: Option<&str>) -> Result<(), Error> {
    match label {
        Some(label) if label.chars().count() > MAX_LABEL_CHARS => Err(Error::validation(field, "too_long")),
        _ => Ok(()),
    }
}

fn check_attachment(field: &str, attachment: &TaskAttachment) -> Result<(), Error> {
    match (&attachment.file_id, &attachment.url) {
        (None, None) => return Err(Error::validation(format!("{field}.file_id"), "required")),
        (Some(_), Some(_)) => return Err(Error::validation(format!("{field}.url"), "not_with_file_id")),
        (Some(_), None) | (None, Some(_)) => {}
    }
    check_label(&format!("{field}.label"), attachment.label.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::extract::parse_json;
    use serde_json::{Value, json};

    #[test]
    fn what_is_wrong_with_a_start_is_named_by_its_field() {
        let file = "file_00000000000000000000000000";
        let check = |change: Value, field: &str, code: &str| {
            let mut body = json!({"prompt": "A deck"});
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            match parse_json(body.to_string().as_bytes()).and_then(|body: StartTask| check_body(&body)) {
                Ok(()) => assert_eq!(("", ""), (field, code), "{change}"),
                Err(Error::Validation { fields, .. }) => {
                    assert_eq!((fields[0].field.as_str(), fields[0].code.as_str()), (field, code), "{change}");
                }
                Err(other) => panic!("{change}: {other}"),
            }
        };
        check(json!({}), "", "");
        check(json!({"prompt": ""}), "prompt", "required");
        check(json!({"prompt": "ä".repeat(20_000)}), "", "");
        check(json!({"prompt": "ä".repeat(20_001)}), "prompt", "too_long");
        check(json!({"number_of_slides": 60}), "", "");
        check(json!({"number_of_slides": 0}), "number_of_slides", "out_of_range");
        check(json!({"number_of_slides": 61}), "number_of_slides", "out_of_range");
        check(json!({"format": {"page_count": 61}}), "format.page_count", "out_of_range");
        check(json!({"format": {"page_count": 3}, "number_of_slides": 3}), "", "");
        check(
            json!({"format": {"page_count": 3}, "number_of_slides": 4}),
            "number_of_slides",
            "not_with_another_page_count",
        );
        check(json!({"format": {"category": "poster"}}), "format.category", "unknown_value");
        check(json!({"format": {"category": "other"}}), "", "");
        check(json!({"format": {"width": 1080, "height": 1350}}), "", "");
        check(json!({"format": {"width": 1080}}), "", "");
        check(json!({"format": {"width": 0, "height": 100}}), "format.width", "out_of_range");
        check(json!({"format": {"width": 100, "height": 1_000_000}}), "format.width", "out_of_range");
        check(json!({"format": {"width": 8_000, "height": 8_000}}), "", "");
        check(json!({"format": {"width": 8_001, "height": 8_000}}), "format.width", "out_of_range");
        check(json!({"format": {"label": "x".repeat(256)}}), "format.label", "too_long");
        let canvas = "cvs_00000000000000000000000000";
        check(json!({"canvas_id": canvas, "template_canvas_id": canvas}), "template_canvas_id", "not_with_canvas_id");
        check(json!({"canvas_name": "a/b"}), "canvas_name", "invalid_character");
        check(json!({"canvas_name": ""}), "canvas_name", "required");
        check(json!({"idempotency_key": ""}), "idempotency_key", "required");
        check(
            json!({"brand_kit_id": "bk_00000000000000000000000000", "skip_brand_kit": true}),
            "brand_kit_id",
            "not_with_skip_brand_kit",
        );
        check(json!({"attachments": [{"file_id": file}, {}]}), "attachments[1].file_id", "required");
        check(
            json!({"attachments": [{"file_id": file, "url": "https://a.example/b"}]}),
            "attachments[0].url",
            "not_with_file_id",
        );
        check(json!({"attachments": [{"file_id": file, "role": "muse"}]}), "attachments[0].role", "unknown_value");
        check(json!({"attachments": vec![json!({"file_id": file}); 21]}), "attachments", "too_many");
        check(json!({"reference_canvas_ids": vec![canvas; 11]}), "reference_canvas_ids", "too_many");
    }
}
