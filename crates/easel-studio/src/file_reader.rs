//! Reads a stranger's file in a process of its own: the file goes in, what it shows comes out.
//!
//! Always true: the process is this same executable with a subcommand, in the cage of those that draw (`drawers`) before
//! it reads a byte; it reads one file and ends, or is ended when it takes too long or nobody waits for it any more. Its
//! answer is bounded, and not believed: a colour is a colour, and a picture is shown as one and nothing else. Not here:
//! how a brand is found ([`easel_canvas::find_brand`]) and a preview drawn ([`easel_canvas::preview`]), and what becomes
//! of them.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use easel_canvas::{Attachment, AttachmentRole, find_brand as find_brand_in, preview};
pub use easel_canvas::{FoundBrand, FoundLogo, Preview};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::drawers::{cage, shut_off};

/// The subcommand of a process that finds a brand.
pub const FIND_BRAND: &str = "find-brand";

/// The subcommand of a process that draws a preview.
pub const DRAW_PREVIEW: &str = "draw-preview";

/// A larger file is not read, in bytes.
pub const MOST_BYTES: u64 = 100_000_000;

/// The longest answer that is taken, in bytes: a logo of 20 MB, spelled in base 64, and its small picture.
const MOST_ANSWER: u64 = 32_000_000;

/// How long it may take, and how much processor time of it.
const LIMIT: Duration = Duration::from_secs(30);
const SECONDS: u64 = 20;

/// What the thread that reads may use of its stack.
const STACK_BYTES: usize = 16 << 20;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum FileReaderError {
    /// The file cannot be read from the disk, or the process not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It has more bytes than are read.
    #[error("the file has more than {MOST_BYTES} bytes")]
    TooLarge,
    /// It is of no kind that shows what was asked for, or broken, or more than can be read in time.
    #[error("the file is of no kind that is read, or broken")]
    Unreadable,
}

/// Has a process find the brand of the file at `path`. `executable` is this same executable, with what goes before the
/// subcommand.
///
/// # Errors
/// [`FileReaderError`].
pub async fn find_brand(mut executable: Command, path: &Path) -> Result<FoundBrand, FileReaderError> {
    let file = tokio::fs::File::open(path).await?;
    if file.metadata().await?.len() > MOST_BYTES {
        return Err(FileReaderError::TooLarge);
    }
    let name = path.file_name().unwrap_or_default();
    executable.arg(FIND_BRAND).arg("--name").arg(name);
    let answer = ask(executable, file).await?;
    serde_json::from_slice(&answer).map_err(|_| FileReaderError::Unreadable)
}

/// Has a process draw what the page `page`, from 1, of a file with this content looks like. `executable` is as above.
///
/// # Errors
/// [`FileReaderError`]; [`FileReaderError::Unreadable`] also where there is no such page.
pub async fn draw_preview(mut executable: Command, content: &[u8], page: u32) -> Result<Preview, FileReaderError> {
    executable.arg(DRAW_PREVIEW).arg("--page").arg(page.to_string());
    let answer = ask(executable, content).await?;
    read_preview(&answer).ok_or(FileReaderError::Unreadable)
}

/// The answer of a process that draws a preview: how many pages there are, an end of line, and the picture.
fn read_preview(answer: &[u8]) -> Option<Preview> {
    let end = answer.iter().take(12).position(|byte| *byte == b'\n')?;
    let page_count: u32 = std::str::from_utf8(&answer[..end]).ok()?.parse().ok()?;
    let png = &answer[end + 1..];
    let is_picture = page_count > 0 && png.starts_with(b"\x89PNG\r\n\x1a\n");
    is_picture.then(|| Preview { png: png.to_vec(), page_count })
}

/// What such a process says of a file.
async fn ask(mut executable: Command, mut file: impl AsyncRead + Unpin) -> Result<Vec<u8>, FileReaderError> {
    executable.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = shut_off(&mut executable).spawn()?;
    let (Some(mut told), Some(said)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
    };
    let tell = async move {
        // Whoever has read enough hears no more: then its answer counts.
        let _ = tokio::io::copy(&mut file, &mut told).await;
        let _ = told.shutdown().await;
    };
    let hear = async {
        let mut answer = Vec::new();
        said.take(MOST_ANSWER).read_to_end(&mut answer).await?;
        Ok::<_, io::Error>(answer)
    };
    let Ok(((), answer)) = tokio::time::timeout(LIMIT, async { tokio::join!(tell, hear) }).await else {
        return Err(FileReaderError::Unreadable);
    };
    Ok(answer?)
}

/// Finds the brand of the file that comes by standard input, in a cage. `name` is what the file is called.
pub fn run_find_brand(name: &OsString) -> ExitCode {
    let name = name.to_string_lossy().into_owned();
    run(|bytes| {
        let file = Attachment { role: AttachmentRole::Source, name, mime: String::new(), bytes };
        let found = find_brand_in(&file).map_err(io::Error::other)?;
        Ok(serde_json::to_vec(&found)?)
    })
}

/// Draws the page `page` of the file that comes by standard input, in a cage.
pub fn run_draw_preview(page: u32) -> ExitCode {
    run(move |bytes| {
        let drawn = preview(&bytes, page).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
        Ok([format!("{}\n", drawn.page_count).as_bytes(), &drawn.png].concat())
    })
}

/// Closes the cage around this process, and answers about the file that comes by standard input.
fn run(read: impl FnOnce(Vec<u8>) -> io::Result<Vec<u8>> + Send + 'static) -> ExitCode {
    cage::close_inherited();
    // Strangers' files break what reads them; what they broke is nobody else's.
    std::panic::set_hook(Box::new(|_| {}));
    if cage::close().is_err() || cage::allow_seconds(SECONDS).is_err() {
        return ExitCode::FAILURE;
    }
    let answer = move || {
        let mut bytes = Vec::new();
        io::stdin().take(MOST_BYTES).read_to_end(&mut bytes)?;
        let mut out = io::stdout();
        out.write_all(&read(bytes)?)?;
        out.flush()
    };
    let reading = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(answer);
    match reading.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
