//! Sets the writer from standard input: each line replaces it.
//!
//! Always true: a line is bounded, and no line is shown with its key. Not here: what a line may set
//! ([`super::settings`]).

use std::io::{BufRead, Read};
use std::sync::Arc;

use super::{Model, WriterSlot};

/// The longest line that sets a writer, in bytes.
const MAX_LINE_BYTES: u64 = 32 * 1024;

/// Reads standard input to its end: each line of JSON sets a writer, `null` none.
pub fn listen(input: impl BufRead, desk: &Arc<WriterSlot>) {
    let mut input = input;
    loop {
        let mut line = String::new();
        match input.by_ref().take(MAX_LINE_BYTES).read_line(&mut line) {
            Ok(read) if read > 0 => seat(line.trim(), desk),
            _ => return,
        }
    }
}

fn seat(line: &str, desk: &WriterSlot) {
    if line == "null" {
        desk.seat(None);
        tracing::info!("nobody writes but the built-in reading");
        return;
    }
    match line.parse().and_then(|settings| Model::new(&settings, Vec::new())) {
        Ok(model) => {
            tracing::info!(writer = super::Writer::name(&model), "a model writes");
            desk.seat(Some(Arc::new(model)));
        }
        Err(error) => {
            desk.seat(None);
            tracing::error!(%error, "a writer that cannot be used");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_seats_another_writer_and_none_is_shown_with_its_key() {
        let desk = Arc::new(WriterSlot::default());
        let line = r#"{"address": "http://127.0.0.1:11434", "model": "small", "key": "sk-secret"}"#;
        listen(format!("{line}\n").as_bytes(), &desk);
        let writer = desk.writer().unwrap();
        assert_eq!(writer.name(), "small");
        assert!(!format!("{writer:?}").contains("sk-secret"), "{writer:?}");
        listen("null\n".as_bytes(), &desk);
        assert!(desk.writer().is_none());
        // A line that cannot be read is named without its text.
        listen(format!("{line}\n{{\"key\": \"sk-secret\"\n").as_bytes(), &desk);
        assert!(desk.writer().is_none());
    }
}
