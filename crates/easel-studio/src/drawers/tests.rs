//! The way to a process that draws and back, with a thread in its place; and what an end means. Real processes are
//! asked over HTTP (`tests/conformance`).

use std::os::unix::net::UnixStream;

use sha2::{Digest, Sha256};

use super::child::{Line, answer};
use super::*;
use crate::drawing::Attachment;
use crate::wire::canvases::ExportFormat;
use crate::wire::tasks::{AttachmentRole, Format};

/// A process as a thread of this one and without its cage; it ends without an answer at a message for which `breaks`
/// holds.
pub fn start_on_thread(breaks: fn(&RendererRequest<'_>) -> bool) -> std::io::Result<Drawer> {
    let (here, there) = UnixStream::pair()?;
    here.set_nonblocking(true)?;
    let (out, end) = (there.try_clone()?, there.try_clone()?);
    std::thread::spawn(move || {
        let line = Line::open(there, out, || {});
        if let Some(told) = line.hear().filter(|told| !breaks(&told.words)) {
            // The other side hears of an end by the end of the line.
            let _ = answer(&line, told, |_| Ok(()));
        }
        // The thread that hears has the line open too.
        let _ = end.shutdown(std::net::Shutdown::Both);
    });
    let (said, told) = tokio::net::UnixStream::from_std(here)?.into_split();
    Ok(Drawer { told: Box::new(told), said: Box::new(BufReader::new(said)), process: None })
}

fn order(prompt: &str) -> Order {
    Order {
        prompt: prompt.to_owned(),
        format: Format::default(),
        page_count: Some(2),
        name: None,
        brand: None,
        attachments: Vec::new(),
        seed: 7,
        turn: 0,
        base: None,
        outline: None,
    }
}

/// A content of these bytes.
async fn content(blobs: &Blobs, bytes: &[u8]) -> (ContentHash, u64) {
    let mut writing = blobs.begin(uuid::Uuid::now_v7());
    writing.write(bytes).await.unwrap();
    let hash = ContentHash::from(Sha256::digest(bytes));
    writing.offer(hash).await.unwrap();
    (hash, bytes.len() as u64)
}

fn source((hash, size_bytes): (ContentHash, u64)) -> Source {
    Source::Content { hash, size_bytes }
}

/// A drawing without its files, which are compared by themselves.
fn without_files(mut drawing: Drawing) -> (Drawing, Vec<Vec<u8>>) {
    let files = std::iter::once(std::mem::take(&mut drawing.document)).chain(drawing.thumbnail.take()).collect();
    (drawing, files)
}

#[tokio::test]
async fn what_is_drawn_elsewhere_is_what_would_be_drawn_here() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(folder.path()).unwrap();
    let drawers = Drawers::new(Start::OnThread, blobs.clone());
    let mut wished = order("Launch deck for a bakery");
    wished.attachments = vec![
        Attachment {
            role: AttachmentRole::Source,
            name: "notes.md".to_owned(),
            mime_type: "text/markdown".to_owned(),
            bytes: b"# Bread\n\nWe bake at night.".to_vec(),
        },
        Attachment {
            role: AttachmentRole::Asset,
            name: "mark.svg".to_owned(),
            mime_type: "image/svg+xml".to_owned(),
            bytes:
                br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>"#
                    .to_vec(),
        },
    ];
    // One file lies among the contents, the other has no name.
    let notes = source(content(&blobs, &wished.attachments[0].bytes).await);
    let mut unnamed = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut unnamed, &wished.attachments[1].bytes).unwrap();
    let mut files = Files { attached: vec![notes, Source::Unnamed(Arc::new(unnamed))], ..Files::default() };
    let (mut steps, mut made) = (Vec::new(), Vec::new());
    let drawn = drawers.draw(&wished, &mut files, &mut made, &mut |step| steps.push(step)).await.unwrap();
    let (here, made_here) = without_files(drawing::draw(wished, &mut |_| {}).unwrap());
    assert!(drawn == here && made == made_here, "{} and {}", drawn.message, here.message);
    assert!(steps.iter().filter(|progress| matches!(progress, DrawingProgress::Step(_))).count() > 3);
    // The pages come before the drawing is done, in their order, each with its picture.
    let outline = steps
        .iter()
        .rev()
        .find_map(|progress| if let DrawingProgress::Outline(pages) = progress { Some(pages) } else { None });
    let names: Vec<&str> = outline.expect("an outline").iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, drawn.pages.iter().map(|page| page.name.as_str()).collect::<Vec<_>>());
    let pictures =
        steps.iter().filter_map(|progress| if let DrawingProgress::Page(page) = progress { Some(page) } else { None });
    let pictures: Vec<&PagePicture> = pictures.collect();
    assert_eq!(pictures.iter().map(|page| page.at).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(pictures[0].png, made[1], "the first is its thumbnail");
    // A design that is there already is the base of the next.
    let document = source(content(&blobs, &made[0]).await);
    let mut changed = order("darker");
    let mut files = Files { base: Some(document.clone()), ..Files::default() };
    let mut again = Vec::new();
    let drawn = drawers.draw(&changed, &mut files, &mut again, &mut |_| {}).await.unwrap();
    changed.base = Some(made[0].clone());
    assert!((drawn, again) == without_files(drawing::draw(changed, &mut |_| {}).unwrap()));
    let asked = Rendering { format: ExportFormat::Svg, page_number: Some(1), pixel_ratio: 1, flatten: true };
    let mut file = Vec::new();
    let rendered = drawers.render(&document, &asked, &mut file).await.unwrap();
    assert_eq!((rendered.mime_type, rendered.extension), ("image/svg+xml", "svg"));
    assert_eq!(file, [drawing::render(&made[0], &asked).unwrap().bytes]);
    let missing = Rendering { page_number: Some(99), ..asked };
    let refused = drawers.render(&document, &missing, &mut file).await.map(|file| file.extension);
    assert!(matches!(refused, Err(RenderError::Undrawable(_))), "{refused:?}");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_no_fault_of_who_draws() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(folder.path()).unwrap();
    let drawers = Drawers::new(Start::OnThread, blobs.clone());
    let (hash, size_bytes) = content(&blobs, b"# Bread").await;
    std::fs::write(crate::blobs::path_of_content(folder.path(), &hash), b"# bread").unwrap();
    let mut wished = order("A card");
    let bytes = Vec::new();
    let (name, mime_type) = ("notes.md".to_owned(), "text/markdown".to_owned());
    wished.attachments.push(Attachment { role: AttachmentRole::Source, name, mime_type, bytes });
    let mut files = Files { attached: vec![source((hash, size_bytes))], ..Files::default() };
    let undone = drawers.draw(&wished, &mut files, &mut Vec::new(), &mut |_| {}).await.map(|drawn| drawn.name);
    assert!(matches!(undone, Err(RenderError::Here(Error::Blobs(_)))), "{undone:?}");
}

/// Draws by a process that breaks down as `breaks` says, first with a heavy file and then without; returns for each
/// whether it was drawn with the logo.
async fn draw_with_a_logo(breaks: fn(&RendererRequest<'_>) -> bool) -> [bool; 2] {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(folder.path()).unwrap();
    let drawers = Drawers::new(Start::Breaking(breaks), blobs.clone());
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>"#;
    let logo = content(&blobs, svg).await;
    let heavy = source(content(&blobs, b"# Bread").await);
    let mut drawn_with_it = [false; 2];
    for (is_heavy, drawn_with_it) in [true, false].into_iter().zip(&mut drawn_with_it) {
        let mut wished = Order { brand: Some(easel_canvas::Brand::default()), ..order("A card") };
        let mut files = Files { logo: Some(logo), ..Files::default() };
        if is_heavy {
            let (name, mime_type) = ("notes.md".to_owned(), "text/markdown".to_owned());
            wished.attachments.push(Attachment { role: AttachmentRole::Source, name, mime_type, bytes: Vec::new() });
            files.attached.push(heavy.clone());
        }
        let drawn = drawers.draw(&wished, &mut files, &mut Vec::new(), &mut |_| {}).await.unwrap();
        *drawn_with_it = files.logo.is_some();
        assert_eq!(drawn.message.contains("logo of the brand kit was left out"), !*drawn_with_it, "{}", drawn.message);
    }
    drawn_with_it
}

#[tokio::test]
async fn a_logo_is_left_out_for_others_only_where_it_ends_a_drawing_by_itself() {
    let by_itself = draw_with_a_logo(|told| matches!(told, RendererRequest::Draw { has_logo: true, .. })).await;
    assert_eq!(by_itself, [false, false]);
    let beside_a_file = draw_with_a_logo(
        |told| matches!(told, RendererRequest::Draw { order, has_logo: true, .. } if !order.attachments.is_empty()),
    );
    assert_eq!(beside_a_file.await, [false, true]);
}

#[tokio::test]
async fn a_logo_that_is_left_out_is_not_tried_again_with_every_design() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static DRAWN: AtomicUsize = AtomicUsize::new(0);
    draw_with_a_logo(|told| {
        DRAWN.fetch_add(1, Ordering::SeqCst);
        matches!(told, RendererRequest::Draw { has_logo: true, .. })
    })
    .await;
    // The drawing with the logo, the logo alone, and the drawing without it; the second time only without it.
    assert_eq!(DRAWN.load(Ordering::SeqCst), 4);
}

#[test]
fn a_file_is_of_the_kind_that_was_asked_for_whatever_its_maker_says() {
    let check = |format, extension: &str, expected: Option<&str>| {
        assert_eq!(drawing::kind_of_export(format, extension).map(|(mime, _)| mime), expected, "{extension}");
    };
    check(ExportFormat::Png, "png", Some("image/png"));
    check(ExportFormat::Jpeg, "zip", Some("application/zip"));
    check(ExportFormat::Pdf, "pdf", Some("application/pdf"));
    check(ExportFormat::Png, "svg", None);
    check(ExportFormat::Pdf, "html", None);
    check(ExportFormat::Pptx, "zip", None);
}

#[test]
fn an_end_from_outside_is_no_fault_of_what_was_drawn() {
    use std::os::unix::process::ExitStatusExt;
    let check = |signal: i32, words: &str, expected: RenderError| {
        let status = std::process::ExitStatus::from_raw(signal);
        assert_eq!(tell_end(Some(status), words).to_string(), expected.to_string(), "{signal} {words}");
    };
    check(15, "", RenderError::Interrupted);
    check(2, "", RenderError::Interrupted);
    check(6, "memory allocation of 9000 bytes failed", RenderError::Deadly(Deadly::Memory));
    check(6, "thread 'main' has overflowed its stack", RenderError::Deadly(Deadly::Breakdown));
    check(9, "", RenderError::Deadly(Deadly::Breakdown));
    assert_eq!(plain(b"one\n\x1b[31mtwo\xff"), "one  [31mtwo");
}
