//! The studio's command line as it is asked about its team.
//!
//! Always true: an answer is told by the exit code and by the lines of JSON; the words for people are passed on as the
//! reason of a failure and nothing more.

use std::ffi::OsString;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::ports::{LocalService, LocalServiceError, StudioFault};

/// Runs a command on the data folder `data` to its end, and gives the lines that it prints. A line that cannot be read is
/// one of a newer studio, and left out.
///
/// # Errors
/// [`LocalServiceError::NotStarted`] also where the command failed, with its own words.
pub(super) async fn run<T: DeserializeOwned + Send>(
    studio: &dyn LocalService,
    data: &Path,
    arguments: &[&str],
) -> Result<Vec<T>, LocalServiceError> {
    let arguments = arguments.iter().map(OsString::from).collect();
    let mut lines = Vec::new();
    let mut read = |line: &str| match serde_json::from_str(line) {
        Ok(line) => lines.push(line),
        Err(error) => tracing::debug!(%error, "a line of the studio that says nothing here"),
    };
    let ended = studio.run_command(data, arguments, &mut read).await?;
    if ended.code == Some(0) {
        return Ok(lines);
    }
    if ended.last_words.is_empty() {
        return Err(without_a_word());
    }
    Err(LocalServiceError::NotStarted(StudioFault::GaveUp { words: ended.last_words }))
}

/// The studio did not say what it should have.
pub(super) fn without_a_word() -> LocalServiceError {
    LocalServiceError::NotStarted(StudioFault::Ended)
}
