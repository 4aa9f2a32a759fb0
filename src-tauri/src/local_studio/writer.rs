//! Tells the built-in studio its writer: a line of JSON through its standard input, with the key.
//!
//! Always true: the key is in this process, in the pipe and in the studio, and in no argument, environment or file.

use easel_app::ports::{LocalServiceError, LocalWriter, WriterProtocol};
use easel_studio::writer::{Protocol, Settings};
use secrecy::ExposeSecret;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::watch;

/// Tells the studio its present writer. If it cannot be told any more, it is about to end, and the next one is told at
/// its start.
pub(super) async fn tell(stdin: &mut Option<ChildStdin>, writer: &mut watch::Receiver<Option<LocalWriter>>) {
    let line = line_of(writer.borrow_and_update().as_ref());
    if let Some(stdin) = stdin
        && let Err(error) = stdin.write_all(line.as_bytes()).await
    {
        tracing::warn!(%error, "the built-in studio cannot be told who writes");
    }
}

fn line_of(writer: Option<&LocalWriter>) -> String {
    let line = writer.map(|LocalWriter { address, model, protocol, key }| {
        let key = key.as_ref().map(ExposeSecret::expose_secret);
        json!({"address": address, "model": model, "protocol": protocol, "key": key})
    });
    format!("{}\n", json!(line))
}

/// The writer's settings as easel-studio has them.
pub(super) fn settings(writer: &LocalWriter) -> Result<Settings, LocalServiceError> {
    let address = writer.address.parse().map_err(|_| not_reached("has no address that can be used"))?;
    let protocol = writer.protocol.map(|protocol| match protocol {
        WriterProtocol::OpenAi => Protocol::OpenAi,
        WriterProtocol::Anthropic => Protocol::Anthropic,
        WriterProtocol::Gemini => Protocol::Gemini,
        WriterProtocol::Ollama => Protocol::Ollama,
    });
    Ok(Settings { address, model: writer.model.clone(), protocol, key: writer.key.clone(), limit_seconds: None })
}

/// The models at an address.
pub(super) async fn list_models(settings: Settings) -> Result<Vec<String>, LocalServiceError> {
    easel_studio::writer::list_models(&settings).await.map_err(|error| not_reached(&error.to_string()))
}

fn not_reached(reason: &str) -> LocalServiceError {
    LocalServiceError::WriterNotReached { reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studio_understands_the_line_that_it_is_told() {
        assert_eq!(line_of(None), "null\n");
        let writer = LocalWriter {
            address: "http://127.0.0.1:11434".to_owned(),
            model: "small \"one\"\n".to_owned(),
            protocol: Some(WriterProtocol::OpenAi),
            key: Some("sk-secret".to_owned().into()),
        };
        let line = line_of(Some(&writer));
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        let read: Settings = line.trim_end().parse().unwrap();
        let told = settings(&writer).unwrap();
        assert_eq!((&read.address, &read.model, read.protocol), (&told.address, &writer.model, told.protocol));
        assert_eq!(read.key.unwrap().expose_secret(), "sk-secret");
    }
}
