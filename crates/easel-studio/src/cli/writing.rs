//! The flags of `serve` that choose the model that writes.

use std::path::PathBuf;

use clap::Args;
use url::Url;

use crate::writer::settings::{MAX_WRITING_SECONDS, Protocol, Settings};

/// Which model writes; without one the built-in reading does, and nothing of a brief leaves this computer.
#[derive(Debug, Args)]
pub struct WriterChoice {
    /// Where a language model is that writes what designs say. Briefs and what their files say are sent there
    #[arg(long, value_name = "ADDRESS", requires = "writer_model")]
    writer: Option<Url>,
    /// What the model is called there
    #[arg(long, value_name = "NAME", requires = "writer")]
    writer_model: Option<String>,
    /// What is spoken there [default: told by the address]
    #[arg(long, value_enum, requires = "writer")]
    writer_protocol: Option<Protocol>,
    /// A file with the key for it in its first line
    #[arg(long, value_name = "FILE", requires = "writer")]
    pub writer_key_file: Option<PathBuf>,
    /// How long the model may take for one task; then the built-in reading writes [default: 150]
    #[arg(long, value_name = "SECONDS", requires = "writer", value_parser = clap::value_parser!(u64).range(1..=MAX_WRITING_SECONDS))]
    writer_seconds: Option<u64>,
    /// Each line of standard input sets the writer, as JSON with its key
    #[arg(long, hide = true, requires = "exit_on_stdin_close", conflicts_with = "writer")]
    pub writer_by_stdin: bool,
}

impl WriterChoice {
    /// The model that was chosen, without its key.
    pub fn into_settings(self) -> Option<Settings> {
        let (address, model) = self.writer.zip(self.writer_model)?;
        Some(Settings { address, model, protocol: self.writer_protocol, key: None, limit_seconds: self.writer_seconds })
    }
}
