//! Runs a command of the studio's command line, beside the studio that serves.
//!
//! Always true: the command ends when nobody waits for it any more; its output is passed on line by line, and its words
//! about a failure are kept.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;

use easel_app::ports::CommandEnded;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::Command;

use super::LAST_WORDS;

/// Runs `executable studio` with the arguments on the data folder `data`.
pub(super) async fn run(
    executable: io::Result<Command>,
    data: &Path,
    arguments: Vec<OsString>,
    told: &mut (dyn FnMut(&str) + Send),
) -> io::Result<CommandEnded> {
    let mut child = executable?
        .arg("studio")
        .args(arguments)
        .arg("--data")
        .arg(data)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let mut last_words = String::new();
    let mut hear = |line: &str| {
        tracing::debug!(target: "easel_studio", "{line}");
        if let Some(words) = line.strip_prefix(LAST_WORDS) {
            words.trim().clone_into(&mut last_words);
        }
    };
    // Both at once: a full pipe that nobody reads would block it.
    let (printed, said, status) = tokio::join!(read_lines(stdout, told), read_lines(stderr, &mut hear), child.wait());
    printed?;
    said?;
    Ok(CommandEnded { code: status?.code(), last_words })
}

async fn read_lines(from: Option<impl AsyncRead + Unpin>, to: &mut (dyn FnMut(&str) + Send)) -> io::Result<()> {
    let Some(from) = from else { return Ok(()) };
    let mut lines = BufReader::new(from).lines();
    while let Some(line) = lines.next_line().await? {
        to(&line);
    }
    Ok(())
}
