//! What commands answer: lines of JSON on standard output.
//!
//! Not here: progress and words for people, which go to standard error.

use std::io::Write;

use serde_json::Value;

use crate::core::error::Error;

/// Writes a line of JSON to standard output.
///
/// # Errors
/// [`Error::Io`].
pub(super) fn print(line: &Value) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
