//! One try at a task: gathers its material, has it drawn, and stores the result.

use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::failure::Failure;
use super::injection::Injection;
use super::words;
use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::core::names::{MAX_CHARS, Name};
use crate::db::canvases::{CanvasRow, Drawn, NewCanvas, get_visible_canvas, insert_canvas, update_canvas};
use crate::db::drive::{FileRow, get_visible_file, get_visible_folder};
use crate::db::tasks::{self, End, ProgressRow, TaskRow, Try};
use crate::db::{DbConnection, Tx};
use crate::drawers::{Files, RenderError, Source};
use crate::drawing::{Attachment, Drawing, DrawingProgress, Order};
use crate::drawn::{Arriving, Written};
use crate::studio::SharedStudio;
use crate::studio::unused::remove_unused;
use crate::tasks::{MAX_ATTACHED_BYTES, end_task, load_brand, visibility_of_copy};
use crate::wire::CanvasId;
use crate::wire::drive::Visibility;
use crate::wire::tasks::{AttachmentRole, Format, Remix, StartTask, TaskAttachment, TaskKind, TaskResult, TaskStatus};

/// How long gathering and drawing may take. A page takes milliseconds; what takes longer than this is stuck. Drawing
/// has a limit of its own within it ([`crate::drawers`]).
pub const LIMIT: Duration = Duration::from_secs(300);

/// A drawing with the values that decide where it is put.
pub struct Draft {
    drawing: Drawing,
    arrived: Arriving,
    /// The canvas that was remixed, in its state when its document was read.
    source: Option<CanvasRow>,
    /// The name that someone gave it.
    name: Option<String>,
}

/// Gathers and draws. Dropped before it is done, it ends the drawing at once.
pub async fn draw(studio: &SharedStudio, injection: &Injection, task: &TaskRow) -> Result<Draft, Failure> {
    // A request to stop that came just before this try could be followed is heard now.
    look_again(studio.db.read().acquire().await.map_err(Error::from)?.as_mut(), task).await?;
    studio.active_tasks.report(task.last_try(), step(2, "reading", "Reading what it works from"));
    injection.inject(task.attempt).await?;
    let (mut order, mut files, source) = gather(studio, task).await?;
    let mut arrived = Arriving::new(studio);
    let drawing = draw_apart(studio, task.last_try(), &mut order, &mut files, &mut arrived).await?;
    Ok(Draft { drawing, arrived, source, name: order.name })
}

async fn draw_apart(
    studio: &SharedStudio,
    of: Try,
    order: &mut Order,
    files: &mut Files,
    arriving: &mut Arriving,
) -> Result<Drawing, Failure> {
    let mut said = words::write(studio, of, order, files).await?;
    let mut report = |progress: DrawingProgress| match progress {
        DrawingProgress::Step(progress) => {
            // Reading came before, storing follows.
            let percent = 5 + progress.percent.min(100) / 10 * 9;
            studio.active_tasks.report(of, ProgressRow { percent, ..progress });
        }
        DrawingProgress::Outline(pages) => studio.active_tasks.set_pages(of, pages),
        DrawingProgress::Page(page) => studio.active_tasks.set_page_picture(of, page),
    };
    let mut drawn = studio.drawers.draw(order, files, arriving, &mut report).await;
    // A model's outline may be one that no rule can draw.
    if matches!(drawn, Err(RenderError::Undrawable(_) | RenderError::Deadly(_))) && order.outline.take().is_some() {
        said = Some(words::say_undrawable());
        drawn = studio.drawers.draw(order, files, arriving, &mut report).await;
    }
    let mut drawn = drawn?;
    if let Some(said) = said {
        drawn.message = format!("{} {said}", drawn.message);
    }
    Ok(drawn)
}

/// Gathers everything that the drawing needs, and the canvas that is remixed or copied.
async fn gather(studio: &SharedStudio, task: &TaskRow) -> Result<(Order, Files, Option<CanvasRow>), Failure> {
    let viewer = task.viewer();
    // The last bytes of a UUIDv7 are random: the same for every try at this task, and for no other.
    let [.., a, b, c, d, e, f, g, h] = *task.id.uuid().as_bytes();
    let (brand, logo) = load_brand(studio, viewer, task.brand_kit_id, task.private_to.is_some()).await?;
    let mut order = Order {
        prompt: String::new(),
        format: Format::default(),
        page_count: None,
        name: None,
        brand,
        attachments: Vec::new(),
        seed: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
        turn: 0,
        base: None,
        outline: None,
    };
    let mut conn = studio.db.read().acquire().await.map_err(Error::from)?;
    let (mut attached, mut files, mut looks) = (Vec::new(), Vec::new(), Vec::new());
    if task.kind == TaskKind::Remix {
        let input: Remix = read_input(&task.input)?;
        order.prompt = input.prompt.unwrap_or_default();
        order.name = input.new_name;
        if let Some(source) = task.source_canvas_id {
            order.turn = tasks::count_remixes_before(&mut conn, source, task.id).await?;
        }
    } else {
        let input: StartTask = read_input(&task.input)?;
        let format = input.format.unwrap_or_default();
        order.prompt = input.prompt;
        order.name = input.canvas_name;
        order.page_count = format.page_count.or(input.number_of_slides);
        order.format = format;
        attached = input.attachments.unwrap_or_default();
        for id in attached.iter().filter_map(|attachment| attachment.file_id) {
            files.push(get_visible_file(&mut conn, viewer, id).await?);
        }
        for id in input.reference_canvas_ids.unwrap_or_default() {
            looks.push(get_visible_canvas(&mut conn, viewer, id).await?);
        }
    }
    let base = match task.canvas_id.or(task.source_canvas_id) {
        Some(id) => Some(get_visible_canvas(&mut conn, viewer, id).await?),
        None => None,
    };
    drop(conn);
    let mut lying = Files { logo, ..Files::default() };
    find_attachments(studio, attached, files, &mut order, &mut lying).await?;
    for look in looks {
        // A reference canvas is followed by its look: the picture of its first page.
        if let Some(hash) = look.drawn.thumbnail_hash {
            let (role, mime_type) = (AttachmentRole::Reference, "image/png".to_owned());
            order.attachments.push(Attachment { role, name: look.name, mime_type, bytes: Vec::new() });
            lying.attached.push(Source::of_content(&studio.blobs, hash).await?);
        }
    }
    if let Some(base) = &base {
        lying.base = Some(Source::of_content(&studio.blobs, base.drawn.document_hash).await?);
    }
    Ok((order, lying, base))
}

/// The attached files, in the order of the request: from the drive, and from where their addresses lead.
async fn find_attachments(
    studio: &SharedStudio,
    attached: Vec<TaskAttachment>,
    files: Vec<FileRow>,
    order: &mut Order,
    lying: &mut Files,
) -> Result<(), Failure> {
    let (mut files, mut left) = (files.into_iter(), MAX_ATTACHED_BYTES);
    for attachment in attached {
        let role = attachment.role.unwrap_or(AttachmentRole::Source);
        let (name, mime_type, source, size_bytes) = match (&attachment.url, attachment.file_id) {
            (Some(url), _) => {
                let name = attachment.label.unwrap_or_else(|| name_of_address(url));
                let fetched = studio.outbound.fetch(url, left).await.map_err(|error| {
                    let message = format!("The attachment “{name}” could not be fetched: {error}.");
                    if error.passes() { Failure::Passing(message) } else { Failure::Final(message) }
                })?;
                (name, fetched.mime_type, Source::Unnamed(Arc::new(fetched.file)), fetched.size_bytes)
            }
            (None, Some(_)) => {
                let file = files.next().ok_or(Error::Corrupt("a task's input"))?;
                let source = Source::Content { hash: file.content_hash, size_bytes: file.size_bytes };
                (file.name, file.mime_type, source, file.size_bytes)
            }
            (None, None) => continue,
        };
        left = left.saturating_sub(size_bytes);
        order.attachments.push(Attachment { role, name, mime_type, bytes: Vec::new() });
        lying.attached.push(source);
    }
    Ok(())
}

/// What a file is called that came from this address: never its query, which may be a capability.
fn name_of_address(text: &str) -> String {
    let url = Url::parse(text).ok();
    let last = url.as_ref().and_then(|url| url.path_segments()?.rfind(|segment| !segment.is_empty()));
    let host = url.as_ref().and_then(Url::host_str);
    last.or(host)
        .map_or_else(String::new, |name| percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned())
}

fn read_input<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|_| Error::Corrupt("a task's input"))
}

/// Refuses to go on with a try that shall stop, or whose lease was ended.
async fn look_again(conn: &mut DbConnection, task: &TaskRow) -> Result<(), Failure> {
    match tasks::find_task(conn, task.id).await? {
        Some(now) if !task.is_held(&now) => Err(Failure::LeaseLost),
        Some(now) if now.cancel_requested => Err(Failure::Canceled),
        Some(_) => Ok(()),
        None => Err(Failure::LeaseLost),
    }
}

/// Makes a draft the task's result, and ends the task with it: both or neither. In the same transaction it is asked
/// whether the task is still held, so that what comes too late leaves neither a canvas nor a version nor a delivery.
pub async fn store(studio: &SharedStudio, task: &TaskRow, draft: Draft) -> Result<(), Failure> {
    studio.active_tasks.report(task.last_try(), step(97, "saving", "Saving the design"));
    let mut written = Written::default();
    let stored = store_blobs(studio, task, draft, &mut written).await;
    written.settle(studio, stored.is_ok()).await;
    let dropped = stored?;
    studio.active_tasks.finish(task.id);
    remove_unused(&studio.db, &studio.blobs, &dropped).await;
    Ok(())
}

async fn store_blobs(
    studio: &SharedStudio,
    task: &TaskRow,
    draft: Draft,
    written: &mut Written,
) -> Result<Vec<ContentHash>, Failure> {
    let Draft { drawing, arrived, source, name: given } = draft;
    let (suggested, message, variation) = (drawing.name.clone(), drawing.message.clone(), drawing.variation.clone());
    let drawn = written.write(drawing, arrived).await?;
    let mut tx = studio.db.begin().await?;
    look_again(&mut tx, task).await?;
    written.keep(&mut tx, studio).await?;
    let remixed = source.as_ref().filter(|_| task.kind == TaskKind::Remix);
    let name = match (&given, task.canvas_id, remixed) {
        (Some(given), _, _) => Some(read_name(given)?),
        // Changed in place, it keeps its name.
        (None, Some(_), _) => None,
        (None, None, Some(source)) => {
            let name = variation.map_or_else(|| source.name.clone(), |variation| variation.name(&source.name));
            Some(read_name(&name)?)
        }
        (None, None, None) => Some(name_of_drawing(&suggested)?),
    };
    let (canvas, dropped) = place(studio, &mut tx, task, drawn, name, source.as_ref()).await?;
    let result = TaskResult {
        canvas_id: Some(canvas.id),
        canvas_url: None,
        canvas_name: Some(canvas.name),
        conversation_id: Some(task.conversation_id),
        source_canvas_id: task.source_canvas_id,
    };
    let result = serde_json::to_string(&result).map_err(|_| Error::Corrupt("a task's result"))?;
    let end = End {
        status: TaskStatus::Succeeded,
        progress: ProgressRow { percent: 100, step: Some("done".to_owned()), message: Some(message) },
        canvas_id: Some(canvas.id),
        result: Some(&result),
        error: None,
    };
    end_task(studio, &mut tx, task, &end).await?.ok_or(Failure::LeaseLost)?;
    tx.commit().await.map_err(Error::from)?;
    Ok(dropped)
}

/// Puts the drawing on its canvas, or on a new one. Returns the contents that went with earlier versions.
async fn place(
    studio: &SharedStudio,
    tx: &mut Tx,
    task: &TaskRow,
    drawn: Drawn,
    name: Option<Name>,
    source: Option<&CanvasRow>,
) -> Result<(CanvasRow, Vec<ContentHash>), Error> {
    let (viewer, now) = (task.viewer(), studio.clock.now());
    if let Some(id) = task.canvas_id {
        return update_canvas(tx, viewer, id, (&drawn, studio.new_id()), name, now).await;
    }
    let (mut folder_id, mut visibility) = (None, Visibility::Team);
    if task.private_to.is_some() {
        visibility = Visibility::Private;
    }
    if let Some(source) = source.filter(|_| task.kind == TaskKind::Remix) {
        // Beside its source, if that place is still there.
        if let Some(folder) = source.folder_id
            && get_visible_folder(tx, viewer, folder).await.is_ok()
        {
            folder_id = Some(folder);
            visibility = visibility_of_copy(source);
        }
    }
    let canvas = NewCanvas {
        id: studio.new_id(),
        name: name.ok_or(Error::Corrupt("a new canvas without a name"))?,
        folder_id,
        visibility,
        source_canvas_id: source.map(|source| -> CanvasId { source.id }),
        conversation_id: task.conversation_id,
        drawn,
    };
    Ok((insert_canvas(tx, viewer, canvas, now).await?, Vec::new()))
}

/// A name that someone gave and that was checked when it came.
fn read_name(text: &str) -> Result<Name, Error> {
    Name::parse(text).map_err(|_| Error::Corrupt("a stored name that is none"))
}

/// The name that a drawing suggests, changed so that the drive takes it.
fn name_of_drawing(text: &str) -> Result<Name, Error> {
    let blank = |letter: char| if letter.is_control() || matches!(letter, '/' | '\\') { ' ' } else { letter };
    let cleaned: String = text.chars().map(blank).collect();
    let words = cleaned.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = words.chars().take(MAX_CHARS).collect();
    Name::parse(&short).or_else(|_| read_name("Untitled"))
}

fn step(percent: u8, step: &str, message: &str) -> ProgressRow {
    ProgressRow { percent, step: Some(step.to_owned()), message: Some(message.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_from_an_address_is_called_by_its_path() {
        let check = |url: &str, expected: &str| assert_eq!(name_of_address(url), expected, "{url}");
        check("https://files.example/a/Sales%202026.csv?token=secret#x", "Sales 2026.csv");
        check("https://files.example/a/", "a");
        check("https://files.example?token=secret", "files.example");
    }

    #[test]
    fn whatever_a_drawing_is_called_the_drive_takes_it() {
        let check =
            |text: &str, expected: &str| assert_eq!(name_of_drawing(text).unwrap().as_str(), expected, "{text:?}");
        check("Bread", "Bread");
        check(" Bread /\n\twater ", "Bread water");
        check("", "Untitled");
        check(" \\ ", "Untitled");
        check("..", "Untitled");
        check(&"ä".repeat(300), &"ä".repeat(255));
    }
}
