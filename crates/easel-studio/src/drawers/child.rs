//! The process that draws: one order in, one answer out, and it ends.
//!
//! Always true: it is in its cage before it reads a byte; it reads strangers' files and is trusted by nobody; it ends
//! as soon as the process that started it is gone, also in the middle of its work. A panic of its threads prints
//! nothing; its answer says where it happened. Not here: starting it, and what becomes of its answer ([`super`]).

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};

use easel_canvas::fonts::{self, Typeface, Wanted};

use super::cage;
use super::parcel::{self, Parcel, RendererMessage, RendererRequest};
use crate::drawing::colors;
use crate::drawing::pictures::{self, Exchange};
use crate::drawing::texts::{self, Change};
use crate::drawing::{self, Drawing, DrawingProgress, PagePicture, RenderedFile, Unchanged, Undrawable};

/// Processor time of a design: a hundred times what sixty full pages take.
const DRAWING_SECONDS: u64 = 45;

/// Processor time of an export: sixty pages at four times their size take about a minute.
const RENDERING_SECONDS: u64 = 300;

/// What the thread that draws may use of its stack.
const STACK_BYTES: usize = 16 << 20;

/// Draws what standard input says, in a cage; to standard output.
pub fn run() -> ExitCode {
    cage::close_inherited();
    if cage::close().is_err() {
        return ExitCode::FAILURE;
    }
    let broken = listen_to_panics();
    fonts::open_shipped();
    let line = Line::open(io::stdin(), io::stdout(), || std::process::exit(0));
    // Before an order comes there is time that nobody waits for.
    drawing::warm_up();
    let Some(order) = line.hear() else { return ExitCode::FAILURE };
    lend(&line);
    let drawing = {
        let line = Arc::clone(&line);
        std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || answer(&line, order, cage::allow_seconds))
    };
    let answered = match drawing.map(std::thread::JoinHandle::join) {
        Ok(Ok(answered)) => answered,
        _ => {
            let place = broken.lock().unwrap_or_else(PoisonError::into_inner).clone();
            line.say(&RendererMessage::Broken(place), &[])
        }
    };
    if answered.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Remembers where the last thread broke down, and says nothing: what it worked on is nobody else's.
fn listen_to_panics() -> Arc<Mutex<String>> {
    let place = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }));
    place
}

/// The line to the process that started this one.
pub struct Line {
    told: Mutex<Receiver<Parcel<RendererRequest<'static>>>>,
    out: Mutex<Box<dyn Write + Send>>,
}

impl Line {
    /// Hears what is told on a thread of its own, so that the end of it is heard at once, also in the middle of the
    /// work.
    pub fn open(
        mut input: impl Read + Send + 'static,
        out: impl Write + Send + 'static,
        ended: impl FnOnce() + Send + 'static,
    ) -> Arc<Self> {
        let (heard, told) = mpsc::channel();
        std::thread::spawn(move || {
            while let Ok(parcel) = parcel::read(&mut input) {
                if heard.send(parcel).is_err() {
                    break;
                }
            }
            ended();
        });
        Arc::new(Self { told: Mutex::new(told), out: Mutex::new(Box::new(out)) })
    }

    /// The next message; `None` where there is no more.
    pub fn hear(&self) -> Option<Parcel<RendererRequest<'static>>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
    }

    fn say(&self, said: &RendererMessage, pieces: &[&[u8]]) -> io::Result<()> {
        parcel::write(&mut *self.out.lock().unwrap_or_else(PoisonError::into_inner), said, pieces)
    }

    /// Asks for a font that has a letter, and waits for it.
    fn ask(&self, wanted: Wanted) -> Option<Typeface> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        self.say(&RendererMessage::Letter(wanted), &[]).ok()?;
        let Parcel { words: RendererRequest::Typeface(Some(words)), pieces } = told.recv().ok()? else { return None };
        let bytes = pieces.into_iter().next()?;
        Some(Typeface { family: words.family, weight: words.weight, index: words.index, bytes })
    }
}

/// Has the fonts of the system handed over by whoever may open them.
fn lend(line: &Arc<Line>) {
    let line = Arc::clone(line);
    fonts::borrow_from(move |wanted| line.ask(wanted));
}

/// Draws what was told, and answers with the result. `allow_seconds` bounds the processor time of the process.
///
/// # Errors
/// Where nobody hears the answer, or the message is no order.
pub fn answer(
    line: &Line,
    told: Parcel<RendererRequest<'static>>,
    allow_seconds: fn(u64) -> io::Result<()>,
) -> io::Result<()> {
    let Parcel { words, pieces } = told;
    match words {
        RendererRequest::Draw { order, has_base, has_logo } => {
            let mut order = order.into_owned();
            if !order.take(pieces, has_base, has_logo) {
                return Err(io::ErrorKind::InvalidData.into());
            }
            allow_seconds(DRAWING_SECONDS)?;
            let drawn = drawing::draw(order, &mut |progress| tell(line, progress));
            match drawn {
                Ok(mut drawn) => {
                    let Drawing { document, thumbnail, .. } = &mut drawn;
                    let (document, thumbnail) = (std::mem::take(document), thumbnail.take());
                    let pieces: Vec<&[u8]> = std::iter::once(&*document).chain(thumbnail.as_deref()).collect();
                    line.say(&RendererMessage::Drawn(Box::new(drawn)), &pieces)
                }
                Err(undrawable) => line.say(&said(undrawable), &[]),
            }
        }
        RendererRequest::Read { order, has_base, has_logo } => {
            let mut order = order.into_owned();
            if !order.take(pieces, has_base, has_logo) {
                return Err(io::ErrorKind::InvalidData.into());
            }
            allow_seconds(DRAWING_SECONDS)?;
            match drawing::read(order) {
                Ok(material) => line.say(&RendererMessage::Read(Box::new(material)), &[]),
                Err(undrawable) => line.say(&said(undrawable), &[]),
            }
        }
        RendererRequest::Render(asked) => {
            allow_seconds(RENDERING_SECONDS)?;
            let document = pieces.into_iter().next().unwrap_or_default();
            match drawing::render(&document, &asked) {
                Ok(RenderedFile { bytes, extension, warnings }) => {
                    line.say(&RendererMessage::Rendered { extension: extension.to_owned(), warnings }, &[&bytes])
                }
                Err(undrawable) => line.say(&said(undrawable), &[]),
            }
        }
        RendererRequest::ReadTexts => {
            allow_seconds(DRAWING_SECONDS)?;
            match texts::read(&pieces.into_iter().next().unwrap_or_default()) {
                Ok(pages) => line.say(&RendererMessage::Texts(pages), &[]),
                Err(undrawable) => line.say(&said(undrawable), &[]),
            }
        }
        RendererRequest::ChangeTexts { changes, draws } => {
            allow_seconds(DRAWING_SECONDS)?;
            change_texts(line, &pieces.into_iter().next().unwrap_or_default(), &changes, draws)
        }
        RendererRequest::ReadColors => {
            allow_seconds(DRAWING_SECONDS)?;
            match colors::read(&pieces.into_iter().next().unwrap_or_default()) {
                Ok(colors) => line.say(&RendererMessage::Colors(colors), &[]),
                Err(undrawable) => line.say(&said(undrawable), &[]),
            }
        }
        RendererRequest::ChangeColors(changes) => {
            allow_seconds(DRAWING_SECONDS)?;
            match colors::change(&pieces.into_iter().next().unwrap_or_default(), &changes) {
                Ok((drawing, colors)) => {
                    say_drawn(line, drawing, |drawing| RendererMessage::Recolored { drawing, colors })
                }
                Err(undrawable) => line.say(&said(undrawable), &[]),
            }
        }
        RendererRequest::ChangePicture(exchange) => {
            allow_seconds(DRAWING_SECONDS)?;
            change_picture(line, pieces, &exchange)
        }
        RendererRequest::Typeface(_) => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn change_texts(line: &Line, document: &[u8], changes: &[Change], draws: bool) -> io::Result<()> {
    match texts::change(document, changes, draws) {
        Ok((None, pages)) => line.say(&RendererMessage::Texts(pages), &[]),
        Ok((Some(drawing), pages)) => say_drawn(line, drawing, |drawing| RendererMessage::Reworded { drawing, pages }),
        Err(Unchanged::Refused(unfit)) => line.say(&RendererMessage::Unfit(unfit), &[]),
        Err(Unchanged::Undrawable(undrawable)) => line.say(&said(undrawable), &[]),
    }
}

fn change_picture(line: &Line, pieces: Vec<Vec<u8>>, exchange: &Exchange) -> io::Result<()> {
    let Ok([document, file]) = <[Vec<u8>; 2]>::try_from(pieces) else { return Err(io::ErrorKind::InvalidData.into()) };
    match pictures::change(&document, exchange, &file) {
        Ok((drawing, pages)) => say_drawn(line, drawing, |drawing| RendererMessage::Reworded { drawing, pages }),
        Err(Unchanged::Refused(why)) => line.say(&RendererMessage::Unexchanged(why), &[]),
        Err(Unchanged::Undrawable(undrawable)) => line.say(&said(undrawable), &[]),
    }
}

/// Says a drawing, with its document and its picture as bytes.
fn say_drawn(line: &Line, mut drawing: Drawing, say: impl FnOnce(Box<Drawing>) -> RendererMessage) -> io::Result<()> {
    let (document, thumbnail) = (std::mem::take(&mut drawing.document), drawing.thumbnail.take());
    let pieces: Vec<&[u8]> = std::iter::once(&*document).chain(thumbnail.as_deref()).collect();
    line.say(&say(Box::new(drawing)), &pieces)
}

/// What cannot be told any more is told to nobody.
fn tell(line: &Line, progress: DrawingProgress) {
    drop(match progress {
        DrawingProgress::Step(progress) => line.say(&RendererMessage::Progress(progress), &[]),
        DrawingProgress::Outline(pages) => line.say(&RendererMessage::Outline(pages), &[]),
        DrawingProgress::Page(PagePicture { at, png }) => line.say(&RendererMessage::Page(at), &[&png]),
    });
}

fn said(undrawable: Undrawable) -> RendererMessage {
    match undrawable {
        Undrawable::ForGood(reason) => RendererMessage::Undrawable(reason),
        Undrawable::TypefaceMissing(reason) => RendererMessage::TypefaceMissing(reason),
    }
}
