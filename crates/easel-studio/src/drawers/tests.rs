//! The way to a process that draws and back, with a thread in its place; and what an end means. Real processes are asked over
//! HTTP (`tests/conformance`).

use std::os::unix::net::UnixStream;

use super::child::{Line, answer};
use super::*;
use crate::drawing::Attachment;
use crate::wire::canvases::ExportFormat;
use crate::wire::tasks::{AttachmentRole, Format};

/// What a process does, on a thread of this one and without its cage.
pub fn start_on_thread() -> std::io::Result<Drawer> {
    let (here, there) = UnixStream::pair()?;
    here.set_nonblocking(true)?;
    let out = there.try_clone()?;
    std::thread::spawn(move || {
        let line = Line::open(there, out, || {});
        if let Some(told) = line.hear() {
            // Whoever waits hears of an end by the end of the line.
            let _ = answer(&line, told, |_| Ok(()));
        }
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
    }
}

#[tokio::test]
async fn what_is_drawn_elsewhere_is_what_would_be_drawn_here() {
    let drawers = Drawers::new(Start::OnThread);
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
    let mut steps = Vec::new();
    let drawn = drawers.draw(&mut wished.clone(), &mut |step| steps.push(step)).await.unwrap();
    let here = drawing::draw(wished, &mut |_| {}).unwrap();
    assert!(drawn == here, "{} and {}", drawn.message, here.message);
    assert!(steps.len() > 3, "{steps:?}");
    // A design that is there already is the base of the next.
    let mut changed = order("darker");
    changed.base = Some(drawn.document.clone());
    let again = drawers.draw(&mut changed.clone(), &mut |_| {}).await.unwrap();
    assert!(again == drawing::draw(changed, &mut |_| {}).unwrap());
    let asked = Rendering { format: ExportFormat::Svg, page_number: Some(1), pixel_ratio: 1, flatten: true };
    let file = drawers.render(&drawn.document, &asked).await.unwrap();
    assert_eq!((file.mime_type, file.extension), ("image/svg+xml", "svg"));
    assert_eq!(file.bytes, drawing::render(&drawn.document, &asked).unwrap().bytes);
    let missing = Rendering { page_number: Some(99), ..asked };
    let refused = drawers.render(&drawn.document, &missing).await.map(|file| file.extension);
    assert!(matches!(refused, Err(Undone::Undrawable(_))), "{refused:?}");
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
    let check = |signal: i32, words: &str, expected: Undone| {
        let status = std::process::ExitStatus::from_raw(signal);
        assert_eq!(tell_end(Some(status), words), expected, "{signal} {words}");
    };
    check(15, "", Undone::Interrupted);
    check(2, "", Undone::Interrupted);
    check(24, "", Undone::Deadly(Deadly::Time));
    check(6, "memory allocation of 9000 bytes failed", Undone::Deadly(Deadly::Memory));
    check(6, "thread 'main' has overflowed its stack", Undone::Deadly(Deadly::Breakdown));
    check(9, "", Undone::Deadly(Deadly::Breakdown));
    assert_eq!(plain(b"one\n\x1b[31mtwo\xff"), "one  [31mtwo");
}
