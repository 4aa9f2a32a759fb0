//! Processes that draw: strangers' files are read by processes of their own, which can take nothing else down.
//!
//! Always true: a process draws one order and ends; it is this same executable with a subcommand, in a cage that it
//! closes around itself before it reads a byte (`cage`); it is ended when it takes too long, when nobody waits for it
//! any more, and when the service ends, however that ends. A few wait ready, so that nobody waits for their start. Its
//! answer is not trusted: it is bounded, and a file that it made has to be of the kind that was asked for. Files go
//! there and come from there piece by piece, so that however large they are, the service stays small. The process may
//! not open the fonts of the system, so they are handed over to it. Not here: what is drawn ([`crate::drawing`]).

pub mod cage;
mod child;
mod colors;
mod files;
mod parcel;
mod pictures;
#[cfg(test)]
mod tests;
mod texts;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use easel_canvas::Material;
use easel_canvas::fonts::Wanted;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, BufReader};
use tokio::process::{Child, Command};

use crate::blobs::{Blobs, ContentHash};
use crate::core::error::Error;
use crate::drawing::{self, Drawing, DrawingProgress, Order, PagePicture, Rendering, Undrawable};
use crate::wire::canvases::ExportWarning;
use parcel::{Announced, Broken, NoFiles, Outgoing, RendererMessage, RendererRequest, TypefaceWords};

pub use child::run as run_child;
pub use colors::Recolored;
pub use files::{Files, Source};
pub use parcel::Sink;
pub use texts::Reworded;

/// The subcommand of such a process.
pub const SUBCOMMAND: &str = "draw";

/// Processes that wait ready.
const READY: usize = 2;

/// How long a design may take. A page takes milliseconds; the processor time of its process ends long before (`child`),
/// except on a machine with much other work.
const DRAWING_LIMIT: Duration = Duration::from_secs(110);

/// How long an export may take; sixty pages at four times their size take about a minute.
const RENDERING_LIMIT: Duration = Duration::from_secs(300);

/// How long a process that has stopped speaking may take to end.
const END_LIMIT: Duration = Duration::from_secs(2);

/// The most fonts of the system that one order gets, and the most letters that it asks about.
const MAX_TYPEFACES: usize = 40;
const MAX_LETTERS: usize = 5_000;

/// Logos that are remembered because a drawing ended by them, and for how long.
const MAX_SHUNNED: usize = 1_000;
const SHUNNED_FOR: Duration = Duration::from_secs(60 * 60);

/// Last words of a process that are looked at, in bytes.
const MAX_LAST_WORDS: u64 = 400;

/// Why there is no drawing.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The order can never be drawn, for a reason in words for the person who asked for it.
    #[error("{0}")]
    Undrawable(String),
    /// The order can be drawn as soon as someone has installed a typeface, which the words name for the person who
    /// asked for it.
    #[error("{0}")]
    TypefaceMissing(String),
    /// The order ended the process that drew it, and would do so again.
    #[error("{0}")]
    Deadly(Deadly),
    /// The process ended for a reason that the order has no part in; it may be tried again.
    #[error("drawing was interrupted")]
    Interrupted,
    /// A file could not be read, or what was made not be kept.
    #[error(transparent)]
    Here(Error),
}

/// How an order ended the process that drew it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Deadly {
    /// At the limit of time.
    #[error("Drawing this takes longer than a design may take. Try it with fewer or simpler files.")]
    Time,
    /// At the limit of memory.
    #[error("Drawing this takes more memory than a design may take. Try it with fewer or simpler files.")]
    Memory,
    /// In any other way.
    #[error("Drawing this broke down. Try it with other files, or without them.")]
    Breakdown,
}

impl From<Undrawable> for RenderError {
    fn from(undrawable: Undrawable) -> Self {
        match undrawable {
            Undrawable::ForGood(reason) => Self::Undrawable(reason),
            Undrawable::TypefaceMissing(reason) => Self::TypefaceMissing(reason),
        }
    }
}

/// How such a process is started.
#[derive(Debug, Clone)]
pub enum Start {
    /// This executable, with these arguments before the subcommand.
    Again(Vec<OsString>),
    /// On a thread of this process, for tests that have no executable.
    #[cfg(test)]
    OnThread,
    /// The same, but the process breaks down at what it is told where this function says so.
    #[cfg(test)]
    Breaking(fn(&RendererRequest<'_>) -> bool),
}

/// What a document was rendered to; the file itself went to a [`Sink`].
#[derive(Debug)]
pub struct Rendered {
    /// The file's media type.
    pub mime_type: &'static str,
    /// The ending of the file's name, without the dot.
    pub extension: &'static str,
    /// The points at which the file differs from the request.
    pub warnings: Vec<ExportWarning>,
}

/// Everyone who draws.
#[derive(Debug)]
pub struct Drawers {
    start: Start,
    blobs: Blobs,
    ready: Arc<Ready>,
    /// Logos that end a drawing by themselves, and until when they are not tried again.
    shunned: Mutex<HashMap<ContentHash, Instant>>,
}

/// The processes that wait ready.
#[derive(Debug, Default)]
struct Ready {
    waiting: Mutex<Vec<Drawer>>,
    /// Held while one is started, so that no more than wanted wait.
    starting: Mutex<()>,
}

impl Ready {
    fn waiting(&self) -> MutexGuard<'_, Vec<Drawer>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One process, before or at its work; dropping this ends it.
struct Drawer {
    told: Box<dyn AsyncWrite + Send + Sync + Unpin>,
    said: Box<dyn AsyncRead + Send + Sync + Unpin>,
    process: Option<Child>,
}

impl std::fmt::Debug for Drawer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Drawer").field("process", &self.process).finish_non_exhaustive()
    }
}

impl Drawers {
    /// No process waits ready yet. Files of orders are read from `blobs`.
    #[must_use]
    pub fn new(start: Start, blobs: Blobs) -> Self {
        Self { start, blobs, ready: Arc::default(), shunned: Mutex::default() }
    }

    /// Starts as many as shall wait ready, within tokio's runtime. In the background: who starts a process waits until
    /// it runs, and on a busy machine that takes longer than anybody's request may be held up.
    pub fn get_ready(&self) {
        let (ready, start) = (Arc::clone(&self.ready), self.start.clone());
        tokio::task::spawn_blocking(move || {
            let _turn = ready.starting.lock().unwrap_or_else(PoisonError::into_inner);
            while ready.waiting().len() < READY {
                match Drawer::start(&start) {
                    Ok(drawer) => ready.waiting().push(drawer),
                    Err(error) => {
                        tracing::error!(%error, "a process that draws cannot be started");
                        return;
                    }
                }
            }
        });
    }

    /// Draws an order with these files; `sink` takes the document and its picture, in this order. If the drawing ends
    /// its process and there is a logo, the order is drawn without it, with a word about that: the maker of a brand kit
    /// must not be able to stop others' designs with it. A logo that ends a drawing by itself is left out from then on;
    /// one that was only beside other files, or in a process that somebody ended, is not. `tell` hears of each step, of
    /// the pages, and of each page that is drawn.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn draw(
        &self,
        order: &Order,
        files: &mut Files,
        sink: &mut impl Sink,
        tell: &mut (dyn FnMut(DrawingProgress) + Send),
    ) -> Result<Drawing, RenderError> {
        let mut why = " The logo of the brand kit was left out: it cannot be drawn.";
        let mut has_ended_one = false;
        if let Some(logo) = files.logo
            && !self.is_shunned(&logo.0)
        {
            match self.draw_once(self.take().await?, order, files, sink, tell).await {
                Err(RenderError::Deadly(_)) => {}
                ended => return ended,
            }
            has_ended_one = true;
            if self.is_deadly(logo).await {
                self.shun(logo.0);
            } else {
                why = " The logo of the brand kit was left out: with it, drawing this broke down.";
            }
        }
        let logo = files.logo.take();
        // The order that ended one process may end those that wait ready as well.
        let drawer = if has_ended_one { self.start_one().await? } else { self.take().await? };
        let mut drawn = self.draw_once(drawer, order, files, sink, tell).await?;
        if logo.is_some() {
            drawn.message.push_str(why);
        }
        Ok(drawn)
    }

    /// Whether a logo ends the process that draws it, with nothing beside it.
    async fn is_deadly(&self, logo: (ContentHash, u64)) -> bool {
        let files = Files { logo: Some(logo), ..Files::default() };
        let Ok(drawer) = self.start_one().await else { return false };
        // The drawing is for nobody, and the trial ends with the first file of it.
        let drawn = self.draw_once(drawer, &Order::of_a_logo(), &files, &mut NoFiles, &mut |_| {}).await;
        matches!(drawn, Err(RenderError::Deadly(_)))
    }

    async fn draw_once(
        &self,
        drawer: Drawer,
        order: &Order,
        files: &Files,
        sink: &mut impl Sink,
        tell: &mut (dyn FnMut(DrawingProgress) + Send),
    ) -> Result<Drawing, RenderError> {
        let told = RendererRequest::Draw {
            order: Box::new(Cow::Borrowed(order)),
            has_base: files.base.is_some(),
            has_logo: files.logo.is_some(),
        };
        let outgoing = files.open(&self.blobs).map_err(RenderError::Here)?;
        match self.have_done(drawer, &told, outgoing, DRAWING_LIMIT, sink, tell).await? {
            (RendererMessage::Drawn(drawing), 1 | 2) if !drawing.pages.is_empty() => Ok(*drawing),
            _ => Err(RenderError::Deadly(Deadly::Breakdown)),
        }
    }

    /// Reads the material of an order with these files, for a writer.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn read(&self, order: &Order, files: &Files) -> Result<Material, RenderError> {
        let told = RendererRequest::Read {
            order: Box::new(Cow::Borrowed(order)),
            has_base: files.base.is_some(),
            has_logo: files.logo.is_some(),
        };
        let outgoing = files.open(&self.blobs).map_err(RenderError::Here)?;
        let drawer = self.take().await?;
        match self.have_done(drawer, &told, outgoing, DRAWING_LIMIT, &mut NoFiles, &mut |_| {}).await? {
            (RendererMessage::Read(material), 0) => Ok(*material),
            _ => Err(RenderError::Deadly(Deadly::Breakdown)),
        }
    }

    /// Renders a document, as JSON, to a file, which `sink` takes.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn render(
        &self,
        document: &Source,
        asked: &Rendering,
        sink: &mut impl Sink,
    ) -> Result<Rendered, RenderError> {
        let told = RendererRequest::Render(asked.clone());
        let outgoing = vec![document.open(&self.blobs).map_err(RenderError::Here)?];
        let drawer = self.take().await?;
        let done = self.have_done(drawer, &told, outgoing, RENDERING_LIMIT, sink, &mut |_| {}).await?;
        let (RendererMessage::Rendered { extension, warnings }, 1) = done else {
            return Err(RenderError::Deadly(Deadly::Breakdown));
        };
        let kind = drawing::kind_of_export(asked.format, &extension).ok_or(RenderError::Deadly(Deadly::Breakdown))?;
        Ok(Rendered { mime_type: kind.0, extension: kind.1, warnings })
    }

    /// Tells a process its order and waits for its end; returns its last message and how many files it made.
    async fn have_done(
        &self,
        mut drawer: Drawer,
        told: &RendererRequest<'_>,
        outgoing: Vec<Outgoing>,
        limit: Duration,
        sink: &mut impl Sink,
        tell: &mut (dyn FnMut(DrawingProgress) + Send),
    ) -> Result<(RendererMessage, usize), RenderError> {
        let work = async {
            let done = drawer.do_this(told, outgoing, tell).await?;
            let files = done.files_into(sink, &mut drawer.said).await?;
            Ok((done.words, files))
        };
        let done = match tokio::time::timeout(limit, work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(Broken::Here(error))) => Err(RenderError::Here(error)),
            Ok(Err(Broken::Line(error))) => Err(drawer.how_it_ended(&error).await),
            Err(_) => Err(RenderError::Deadly(Deadly::Time)),
        };
        drop(drawer);
        self.get_ready();
        let (words, files) = done?;
        Ok((words.unless_undone()?, files))
    }

    /// A process that waited ready, or a new one.
    async fn take(&self) -> Result<Drawer, RenderError> {
        loop {
            let next = self.ready.waiting().pop();
            let Some(mut drawer) = next else { break };
            // Someone may have ended the process while it waited.
            if drawer.is_there() {
                return Ok(drawer);
            }
        }
        self.start_one().await
    }

    /// A new process, however many wait ready.
    async fn start_one(&self) -> Result<Drawer, RenderError> {
        let start = self.start.clone();
        let started = tokio::task::spawn_blocking(move || Drawer::start(&start)).await;
        started.unwrap_or_else(|broken| Err(broken.into())).map_err(|error| {
            tracing::error!(%error, "a process that draws cannot be started");
            RenderError::Interrupted
        })
    }

    fn is_shunned(&self, logo: &ContentHash) -> bool {
        self.shunned().get(logo).is_some_and(|until| *until > Instant::now())
    }

    fn shun(&self, logo: ContentHash) {
        let now = Instant::now();
        let mut shunned = self.shunned();
        shunned.retain(|_, until| *until > now);
        if shunned.len() < MAX_SHUNNED {
            shunned.insert(logo, now + SHUNNED_FOR);
        }
        tracing::warn!(
            logo = HEXLOWER.encode(&logo),
            "a logo that ends the process that draws it is left out of designs for an hour"
        );
    }

    fn shunned(&self) -> MutexGuard<'_, HashMap<ContentHash, Instant>> {
        self.shunned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a document read or changed in its place; it is the first of the files.
    async fn have_changed(
        &self,
        files: &[&Source],
        told: &RendererRequest<'_>,
        sink: &mut impl Sink,
    ) -> Result<(RendererMessage, usize), RenderError> {
        let outgoing: Result<Vec<Outgoing>, Error> = files.iter().map(|file| file.open(&self.blobs)).collect();
        let outgoing = outgoing.map_err(RenderError::Here)?;
        let drawer = self.take().await?;
        self.have_done(drawer, told, outgoing, DRAWING_LIMIT, sink, &mut |_| {}).await
    }
}

impl RendererMessage {
    /// The result, or why there is none.
    fn unless_undone(self) -> Result<Self, RenderError> {
        match self {
            Self::Undrawable(reason) => Err(RenderError::Undrawable(reason)),
            Self::TypefaceMissing(reason) => {
                // The reader of these words installs a typeface: the next try has to find it.
                easel_canvas::fonts::look_again();
                Err(RenderError::TypefaceMissing(reason))
            }
            Self::Broken(place) => {
                tracing::error!(place = plain(place.as_bytes()), "drawing broke down");
                Err(RenderError::Deadly(Deadly::Breakdown))
            }
            said => Ok(said),
        }
    }
}

/// Shuts the process of a command off from what this one is told: it keeps of the environment only where a bundle keeps its
/// libraries, a key that stops the service in a terminal is not for it, and it is ended when nobody waits for it any more.
pub fn shut_off(command: &mut Command) -> &mut Command {
    let kept = ["LD_LIBRARY_PATH", "SystemRoot"];
    command.env_clear().envs(kept.into_iter().filter_map(|kept| Some((kept, std::env::var_os(kept)?))));
    #[cfg(unix)]
    command.process_group(0).current_dir("/");
    command.kill_on_drop(true)
}

impl Drawer {
    fn start(start: &Start) -> std::io::Result<Self> {
        match start {
            Start::Again(before) => Self::start_process(before),
            #[cfg(test)]
            Start::OnThread => tests::start_on_thread(|_| false),
            #[cfg(test)]
            Start::Breaking(breaks) => tests::start_on_thread(*breaks),
        }
    }

    fn start_process(before: &[OsString]) -> std::io::Result<Self> {
        let mut command = this_executable()?;
        command.args(before).arg(SUBCOMMAND);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = shut_off(&mut command).spawn()?;
        let (Some(told), Some(said)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        Ok(Self { told: Box::new(told), said: Box::new(BufReader::new(said)), process: Some(process) })
    }

    fn is_there(&mut self) -> bool {
        self.process.as_mut().is_none_or(|process| matches!(process.try_wait(), Ok(None)))
    }

    /// Tells what to do and listens until it is done. The files that were made follow.
    async fn do_this(
        &mut self,
        told: &RendererRequest<'_>,
        outgoing: Vec<Outgoing>,
        tell: &mut (dyn FnMut(DrawingProgress) + Send),
    ) -> Result<Announced<RendererMessage>, Broken> {
        parcel::send(&mut self.told, told, outgoing).await?;
        let (mut letters, mut typefaces) = (0, 0);
        loop {
            let heard: Announced<RendererMessage> = parcel::receive(&mut self.said).await?;
            match heard.words {
                RendererMessage::Progress(step) => tell(DrawingProgress::Step(step)),
                RendererMessage::Outline(pages) => tell(DrawingProgress::Outline(pages)),
                RendererMessage::Page(at) => {
                    let png = heard.picture(&mut self.said).await?;
                    tell(DrawingProgress::Page(PagePicture { at, png }));
                }
                RendererMessage::Letter(wanted) => {
                    letters += 1;
                    let is_borne = letters <= MAX_LETTERS && typefaces < MAX_TYPEFACES;
                    let found = if is_borne { find_typeface(wanted).await } else { None };
                    typefaces += usize::from(found.is_some());
                    let (words, bytes) = found.unzip();
                    let file = bytes.map(Outgoing::from).into_iter().collect();
                    parcel::send(&mut self.told, &RendererRequest::Typeface(words), file).await?;
                }
                _ => return Ok(heard),
            }
        }
    }

    /// Why the process stopped speaking, which was noticed by `error`.
    async fn how_it_ended(&mut self, error: &std::io::Error) -> RenderError {
        let Some(process) = &mut self.process else { return RenderError::Deadly(Deadly::Breakdown) };
        let mut words = Vec::new();
        let ended = tokio::time::timeout(END_LIMIT, async {
            if let Some(stderr) = process.stderr.take() {
                let _ = stderr.take(MAX_LAST_WORDS).read_to_end(&mut words).await;
            }
            process.wait().await
        });
        let status = ended.await.ok().and_then(Result::ok);
        let words = plain(&words);
        let undone = tell_end(status, &words);
        tracing::warn!(?status, words, ?undone, %error, "a process that drew has ended");
        undone
    }
}

/// What an end means.
fn tell_end(status: Option<std::process::ExitStatus>, words: &str) -> RenderError {
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        use std::os::unix::process::ExitStatusExt;
        let signal = status.and_then(|status| status.signal());
        let is = |of: &[Signal]| signal.is_some_and(|signal| of.iter().any(|one| one.as_raw() == signal));
        // An operator who stops the service may stop all that belongs to it: no drawing is at fault then.
        if is(&[Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT]) {
            return RenderError::Interrupted;
        }
        if is(&[Signal::XCPU]) {
            return RenderError::Deadly(Deadly::Time);
        }
    }
    let is_memory = words.contains("memory allocation");
    RenderError::Deadly(if is_memory { Deadly::Memory } else { Deadly::Breakdown })
}

/// The words of an untrusted process, made fit for a log.
fn plain(words: &[u8]) -> String {
    let shown = words.iter().take(200).map(|byte| char::from(*byte));
    shown.map(|letter| if letter.is_ascii_graphic() { letter } else { ' ' }).collect::<String>().trim().to_owned()
}

async fn find_typeface(wanted: Wanted) -> Option<(TypefaceWords, Vec<u8>)> {
    let found = tokio::task::spawn_blocking(move || easel_canvas::fonts::find_typeface(wanted)).await.ok()??;
    let words = TypefaceWords { family: found.family, weight: found.weight, index: found.index };
    Some((words, found.bytes))
}

/// This executable, even if an update has put another one in its place meanwhile.
fn this_executable() -> std::io::Result<Command> {
    #[cfg(target_os = "linux")]
    if std::path::Path::new("/proc/self/exe").exists() {
        let mut command = Command::new("/proc/self/exe");
        command.arg0("easel-studio");
        return Ok(command);
    }
    Ok(Command::new(std::env::current_exe()?))
}
