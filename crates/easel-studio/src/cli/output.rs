//! What commands answer.

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
