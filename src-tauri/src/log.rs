//! The log: to standard error, with the last lines kept for the person's diagnostics.
//!
//! Always true: a line is redacted before it goes anywhere. Not here: what is logged.

use std::io::{self, IsTerminal, Write};

use easel_app::diagnostics::RECENT_LOG;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Begins to log what `EASEL_LOG` asks for.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_env("EASEL_LOG").unwrap_or_else(|_| EnvFilter::new("warn,easel=info"));
    // If nobody reads the log any more, it must not panic, which complaining on the same stream would do.
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Redacted)
        .with_ansi(io::stderr().is_terminal())
        .log_internal_errors(false)
        .init();
}

/// Takes whole events, as the subscriber writes them.
struct Redacted;

impl<'a> MakeWriter<'a> for Redacted {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        Self
    }
}

impl Write for Redacted {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let redacted = RECENT_LOG.note(&String::from_utf8_lossy(event));
        io::stderr().write_all(redacted.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
