//! What the program tells: lines for people, or one JSON object a line.
//!
//! `--json`: every object has an `event`: `preview`, `state`, `deed`, `skipped`, `left_out`, `lacking`, `ended`. Fields
//! may be added.

use std::io::{self, Write as _};
use std::process::ExitCode;

use easel_client::Feature;
use easel_sync::Waiting;
use easel_sync::folders::{Folder, HistoryEntry, Note, Preview, State, Why};
use serde_json::{Value, json};

use crate::code::Code;

/// See the module.
pub(crate) struct Report {
    is_json: bool,
}

impl Report {
    pub(crate) const fn new(is_json: bool) -> Self {
        Self { is_json }
    }

    /// Tells one event; a reader that is gone misses it.
    fn say(&self, words: impl FnOnce() -> String, object: impl FnOnce() -> Value) {
        let line = if self.is_json { object().to_string() } else { words() };
        if !line.is_empty() {
            let mut output = io::stdout().lock();
            let _ = writeln!(output, "{line}").and_then(|()| output.flush());
        }
    }

    /// What a first run will do.
    pub(crate) fn preview(&self, preview: &Preview) {
        let words = || {
            format!(
                "{} files up ({} bytes), {} down ({} bytes), {} the same already, {} conflicts, {} left out; nothing is deleted",
                preview.up_files,
                preview.up_bytes,
                preview.down_files,
                preview.down_bytes,
                preview.already_same,
                preview.conflicts,
                preview.skipped_count,
            )
        };
        let object = || {
            json!({
                "event": "preview", "up_files": preview.up_files, "up_bytes": preview.up_bytes,
                "folders_there": preview.folders_there, "down_files": preview.down_files,
                "down_bytes": preview.down_bytes, "folders_here": preview.folders_here,
                "already_same": preview.already_same, "conflicts": preview.conflicts,
                "deletions_there": preview.deletions_there, "deletions_here": preview.deletions_here,
                "skipped": preview.skipped, "skipped_count": preview.skipped_count, "time_ms": preview.time_ms,
                "limited_by": preview.limited_by,
            })
        };
        self.say(words, object);
    }

    /// How the folder stands.
    pub(crate) fn state(&self, folder: &Folder) {
        let words = || match &folder.state {
            State::Starting => String::new(),
            State::Looking => "looking at both sides".to_owned(),
            State::UpToDate => {
                format!(
                    "up to date: {} files, {} bytes, {} differences",
                    folder.files, folder.bytes, folder.skipped_count
                )
            }
            State::Settling => "waiting for files that are still being written".to_owned(),
            State::Working { done, total, bytes_done, bytes_total, bytes_per_second, time_left_ms, .. } => {
                let left = time_left_ms.map(|left| format!(", {} s left", left.div_ceil(1_000))).unwrap_or_default();
                format!("{done} of {total} · {bytes_done} of {bytes_total} bytes · {bytes_per_second} bytes/s{left}")
            }
            State::Waiting { cause } => format!("waiting: {}", code_of(cause)),
            State::Paused => "paused".to_owned(),
            State::NeedsYou { need } => format!("needs you: {}", code_of(need)),
            other => code_of(other),
        };
        let object = || {
            json!({
                "event": "state", "state": folder.state, "files": folder.files, "bytes": folder.bytes,
                "skipped": folder.skipped_count, "copies_here_alone": folder.copies_here_alone, "conflicts": folder.conflicts,
                "drive_folder_id": folder.drive_folder_id,
                "drive_path": folder.drive_path, "looks_every_ms": folder.looks_every_ms, "seen_by": folder.seen_by,
            })
        };
        self.say(words, object);
    }

    /// The cause that has to pass before anything can begin.
    pub(crate) fn waiting(&self, cause: &Waiting) {
        let state = State::Waiting { cause: cause.clone() };
        let words = || format!("waiting: {}", code_of(cause));
        self.say(words, || json!({"event": "state", "state": state, "files": 0, "bytes": 0, "skipped": 0}));
    }

    /// A change that was applied.
    pub(crate) fn change(&self, line: &HistoryEntry) {
        let words = || format!("{}: {}", code_of(&line.what), line.path);
        let object =
            || json!({"event": "deed", "path": line.path, "what": line.what, "bytes": line.bytes, "at": line.at});
        self.say(words, object);
    }

    /// A note.
    pub(crate) fn note(&self, note: &Note) {
        let (event, what) = if note.why == Why::LeftOut { ("left_out", "left out") } else { ("skipped", "different") };
        let words = || format!("{what}: {} ({})", note.path, code_of(&note.why));
        self.say(words, || json!({"event": event, "path": note.path, "why": note.why}));
    }

    /// What the service does not have, and what that means.
    pub(crate) fn lacking(&self, feature: Feature, words: &str) {
        self.say(
            || format!("this service: {words}"),
            || json!({"event": "lacking", "feature": feature, "words": words}),
        );
    }

    /// That is all.
    pub(crate) fn end(&self, code: Code, words: &str) -> ExitCode {
        if !words.is_empty() {
            let _ = writeln!(io::stderr(), "easel-sync: {words}");
        }
        if self.is_json {
            self.say(String::new, || json!({"event": "ended", "code": code as u8, "message": words}));
        }
        ExitCode::from(code as u8)
    }
}

/// The code of a value, with its fields.
fn code_of(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::Object(mut fields)) => {
            let code = fields.remove("code").and_then(|code| code.as_str().map(|code| code.replace('_', " ")));
            let rest: Vec<String> =
                fields.values().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
            let code = code.unwrap_or_default();
            if rest.is_empty() { code } else { format!("{code} ({})", rest.join(", ")) }
        }
        _ => String::new(),
    }
}
