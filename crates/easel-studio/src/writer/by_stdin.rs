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
pub fn listen(input: impl BufRead, writer_slot: &Arc<WriterSlot>) {
    let mut input = input;
    loop {
        let mut line = String::new();
        match input.by_ref().take(MAX_LINE_BYTES).read_line(&mut line) {
            Ok(read) if read > 0 => seat(line.trim(), writer_slot),
            _ => return,
        }
    }
}

fn seat(line: &str, writer_slot: &WriterSlot) {
    if line == "null" {
        writer_slot.seat(None);
        tracing::info!("nobody writes but the built-in reading");
        return;
    }
    match line.parse().and_then(|settings| Model::new(&settings, Vec::new())) {
        Ok(model) => {
            tracing::info!(writer = super::Writer::name(&model), "a model writes");
            writer_slot.seat(Some(Arc::new(model)));
        }
        Err(error) => {
            writer_slot.seat(None);
            tracing::error!(%error, "a writer that cannot be used");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_seats_another_writer_and_none_is_shown_with_its_key() {
        let writer_slot = Arc::new(WriterSlot::default());
        let line = r#"{"address": "http://127.0.0.1:11434", "model": "small", "key": "sk-secret"}"#;
        listen(format!("{line}\n").as_bytes(), &writer_slot);
        let writer = writer_slot.writer().unwrap();
        assert_eq!(writer.name(), "small");
        assert!(!format!("{writer:?}").contains("sk-secret"), "{writer:?}");
        listen("null\n".as_bytes(), &writer_slot);
        assert!(writer_slot.writer().is_none());
        // A line that cannot be read is named without its text.
        listen(format!("{line}\n{{\"key\": \"sk-secret\"\n").as_bytes(), &writer_slot);
        assert!(writer_slot.writer().is_none());
    }
}
