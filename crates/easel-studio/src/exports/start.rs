//! `POST /v1/canvases/{canvas_id}/export`: everything that it is told stands in the query.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use tokio::sync::broadcast;

use super::record::describe_started;
use super::work;
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::{CanvasRow, get_visible_canvas};
use crate::db::exports::{ExportRow, get_export, insert_export};
use crate::db::tasks::has_active_task;
use crate::drawing;
use crate::studio::SharedStudio;
use crate::web::extract::{PathId, Query};
use crate::wire::canvases::{Export, ExportFormat, ExportStatus, PIXEL_RATIOS};
use crate::wire::id::kind;
use crate::wire::{CanvasId, TaskId};

/// How long the request is held for the result.
const WAIT: Duration = Duration::from_secs(20);

/// Starts an export, and waits for it unless told not to.
pub async fn start_export(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(canvas): PathId<kind::Canvas>,
    query: Query,
) -> Result<Json<Export>, Error> {
    let asked = ExportQuery::read(&query)?;
    let wait = if asked.wait { WAIT } else { Duration::ZERO };
    // Before the export can end, so that the end is not missed.
    let ends = studio.active_tasks.ends();
    let starting = studio.clone();
    let id = to_the_end(async move { start(&starting, &caller, canvas, asked).await }).await?;
    let export = wait_for_end(&studio, canvas, id, wait, ends).await?;
    Ok(Json(describe_started(&studio, export).await?))
}

/// What the query says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ExportQuery {
    format: ExportFormat,
    page_number: Option<u32>,
    pixel_ratio: u32,
    flatten: bool,
    wait: bool,
}

impl ExportQuery {
    fn read(query: &Query) -> Result<Self, Error> {
        let format = query.choice("format")?.unwrap_or(ExportFormat::Png);
        if format == ExportFormat::Zip {
            return Err(Error::validation("format", "unknown_value"));
        }
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let ratios = u64::from(*PIXEL_RATIOS.start())..=u64::from(*PIXEL_RATIOS.end());
        Ok(Self {
            format,
            page_number: query.number("page_number", 1..=u64::from(u32::MAX))?.map(small),
            pixel_ratio: query.number("pixel_ratio", ratios)?.map_or(1, small),
            flatten: query.boolean("flatten")?.unwrap_or(true),
            wait: query.boolean("wait")?.unwrap_or(true),
        })
    }

    /// Refuses a format or page that this canvas does not have.
    fn check(&self, canvas: &CanvasRow) -> Result<(), Error> {
        let pages = &canvas.drawn.pages;
        let drawn = match self.page_number {
            None => pages.as_slice(),
            Some(number) => {
                let at = usize::try_from(number - 1).unwrap_or(usize::MAX);
                std::slice::from_ref(pages.get(at).ok_or_else(|| Error::validation("page_number", "out_of_range"))?)
            }
        };
        let is_picture = matches!(self.format, ExportFormat::Png | ExportFormat::Jpeg);
        if is_picture && drawn.iter().any(|page| !drawing::is_drawable(page, self.pixel_ratio)) {
            return Err(Error::validation("pixel_ratio", "out_of_range"));
        }
        Ok(())
    }
}

async fn start(studio: &SharedStudio, caller: &Caller, canvas: CanvasId, asked: ExportQuery) -> Result<TaskId, Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let canvas = get_visible_canvas(&mut tx, Viewer::from(caller), canvas).await?;
    asked.check(&canvas)?;
    if has_active_task(&mut tx, canvas.id).await? {
        return Err(Error::CanvasActiveJob);
    }
    let export = into_row(studio, caller, canvas, asked);
    let moment = studio.clock.elapsed();
    let exports = &studio.exports;
    let cap = studio.config.limits(caller.plan, &caller.overrides).exports_per_minute;
    let taken = match exports.rate.take_within(&mut tx, caller.organization_id, cap, moment).await {
        Err(Error::RateLimited { .. }) => return Err(Error::ExportRateLimited { cap }),
        taken => taken?,
    };
    let written = async {
        insert_export(&mut tx, &export).await?;
        Ok::<_, Error>(tx.commit().await?)
    };
    if let Err(error) = written.await {
        exports.rate.give_back(taken).await;
        return Err(error);
    }
    work::begin(studio, export.team_id, export.id);
    Ok(export.id)
}

fn into_row(studio: &SharedStudio, caller: &Caller, canvas: CanvasRow, asked: ExportQuery) -> ExportRow {
    let total_pages = u32::try_from(canvas.drawn.pages.len()).unwrap_or(u32::MAX);
    let basename = match asked.page_number {
        Some(number) if total_pages > 1 => format!("{} - page {number}", canvas.name),
        _ => canvas.name,
    };
    ExportRow {
        id: studio.new_id(),
        team_id: caller.team_id,
        canvas_id: canvas.id,
        created_by: caller.user_id,
        document_hash: canvas.drawn.document_hash,
        format: asked.format,
        page_number: asked.page_number,
        pixel_ratio: asked.pixel_ratio,
        flatten: asked.flatten,
        total_pages,
        basename,
        status: ExportStatus::Queued,
        attempt: 0,
        claimed_by: None,
        result: None,
        warnings: Vec::new(),
        error: None,
        created_at: studio.clock.now(),
        expires_at: None,
    }
}

/// Waits for the end of the export, or until the time is up; returns its state.
async fn wait_for_end(
    studio: &SharedStudio,
    canvas: CanvasId,
    id: TaskId,
    limit: Duration,
    mut ends: broadcast::Receiver<TaskId>,
) -> Result<ExportRow, Error> {
    let deadline = tokio::time::Instant::now() + limit;
    let mut is_over = limit.is_zero();
    // Another process may bring the export to its end, of which nobody tells.
    let mut news = studio.active_tasks.news();
    loop {
        let export = {
            let mut conn = studio.db.read().acquire().await?;
            get_export(&mut conn, canvas, id).await?
        };
        if is_over || export.status.is_terminal() {
            return Ok(export);
        }
        let ended = async {
            // A receiver that has fallen behind looks at its export again, as it does at its end.
            while ends.recv().await.is_ok_and(|other| other != id) {}
        };
        tokio::select! {
            () = ended => {}
            _ = news.changed() => {}
            () = tokio::time::sleep_until(deadline) => is_over = true,
            () = studio.active_tasks.stopping.cancelled() => is_over = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_query_is_named_and_nothing_is_clamped() {
        let check = |text: &str, expected: Result<(&str, Option<u32>, u32, bool, bool), &str>| {
            let read = ExportQuery::read(&Query::parse(text)).map_err(|error| match error {
                Error::Validation { fields, .. } => fields[0].field.clone(),
                other => panic!("{text}: {other}"),
            });
            let expected = expected.map(|(format, page_number, pixel_ratio, flatten, wait)| ExportQuery {
                format: format.parse().unwrap(),
                page_number,
                pixel_ratio,
                flatten,
                wait,
            });
            assert_eq!(read, expected.map_err(str::to_owned), "{text}");
        };
        check("", Ok(("png", None, 1, true, true)));
        check(
            "format=pdf&page_number=2&pixel_ratio=4&flatten=false&wait=false&other=1",
            Ok(("pdf", Some(2), 4, false, false)),
        );
        check("format=zip", Err("format"));
        check("format=jpg", Err("format"));
        check("format=PNG", Err("format"));
        check("format=", Err("format"));
        check("page_number=0", Err("page_number"));
        check("page_number=99999999999", Err("page_number"));
        check("pixel_ratio=0", Err("pixel_ratio"));
        check("pixel_ratio=5", Err("pixel_ratio"));
        check("pixel_ratio=1.5", Err("pixel_ratio"));
        check("flatten=maybe", Err("flatten"));
        check("wait=20", Err("wait"));
    }
}
