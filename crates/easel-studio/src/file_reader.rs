//! Finds the brand that a stranger's file shows, in a process of its own: the file goes in, a line of JSON comes out.
//!
//! Always true: the process is this same executable with a subcommand, in the cage of those that draw (`drawers`) before
//! it reads a byte; it reads one file and ends, or is ended when it takes too long or nobody waits for it any more. Its
//! answer is bounded, and not believed: a colour is a colour, and a picture is shown as one and nothing else. Not here:
//! how a brand is found ([`easel_canvas::find_brand`]), and what becomes of it.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use easel_canvas::{Attachment, AttachmentRole, find_brand};
pub use easel_canvas::{FoundBrand, FoundLogo};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::drawers::{cage, shut_off};

/// The subcommand of such a process.
pub const SUBCOMMAND: &str = "find-brand";

/// A larger file is not read, in bytes.
pub const MOST_BYTES: u64 = 100_000_000;

/// The longest answer that is taken, in bytes: a logo of 20 MB, spelled in base 64, and its small picture.
const MOST_ANSWER: u64 = 32_000_000;

/// How long it may take, and how much processor time of it.
const LIMIT: Duration = Duration::from_secs(30);
const SECONDS: u64 = 20;

/// What the thread that reads may use of its stack.
const STACK_BYTES: usize = 16 << 20;

/// Why no brand was found.
#[derive(Debug, thiserror::Error)]
pub enum FinderError {
    /// The file cannot be read from the disk, or the process not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It has more bytes than are read.
    #[error("the file has more than {MOST_BYTES} bytes")]
    TooLarge,
    /// It is nothing that shows a brand, or broken, or more than can be read in time.
    #[error("the file cannot be read as a picture, presentation, document or PDF")]
    Unreadable,
}

/// Has a process find the brand of the file at `path`. `executable` is this same executable, with what goes before the
/// subcommand.
///
/// # Errors
/// [`FinderError`].
pub async fn find(mut executable: Command, path: &Path) -> Result<FoundBrand, FinderError> {
    let mut file = tokio::fs::File::open(path).await?;
    if file.metadata().await?.len() > MOST_BYTES {
        return Err(FinderError::TooLarge);
    }
    let name = path.file_name().unwrap_or_default();
    executable
        .arg(SUBCOMMAND)
        .arg("--name")
        .arg(name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
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
        return Err(FinderError::Unreadable);
    };
    let found: FoundBrand = serde_json::from_slice(&answer?).map_err(|_| FinderError::Unreadable)?;
    Ok(found)
}

/// Finds the brand of the file that comes by standard input, in a cage. `name` is what the file is called.
pub fn run(name: &OsString) -> ExitCode {
    cage::close_inherited();
    // Strangers' files break what reads them; what they broke is nobody else's.
    std::panic::set_hook(Box::new(|_| {}));
    if cage::close().is_err() || cage::allow_seconds(SECONDS).is_err() {
        return ExitCode::FAILURE;
    }
    let name = name.to_string_lossy().into_owned();
    let reading = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || answer(name));
    match reading.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn answer(name: String) -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().take(MOST_BYTES).read_to_end(&mut bytes)?;
    let file = Attachment { role: AttachmentRole::Source, name, mime: String::new(), bytes };
    let found = find_brand(&file).map_err(io::Error::other)?;
    let mut out = io::stdout();
    serde_json::to_writer(&mut out, &found)?;
    out.flush()
}
