//! The studio's command line as it is asked to back up, restore and verify, and what it answers.
//!
//! Always true: an answer is told by the exit code and by the lines of JSON, never by words for people; those are only
//! passed on as the reason of a failure.

use std::ffi::OsString;
use std::path::Path;

use serde::Deserialize;

use crate::ports::{LocalService, LocalServiceError};

/// Done, but not everything is as it should be (easel-studio, `cli`).
const WITH_FINDINGS: i32 = 4;

/// Findings without which the studio would not start, or not with everything.
const FATAL: &[&str] = &["database", "key_file"];

/// The reason where the studio gave none.
const NO_REASON: &str = "The studio ended without a word.";

/// A line of a command that was told `--json`.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line {
    Progress {
        done: u64,
        total: u64,
        bytes: u64,
    },
    Finding {
        kind: String,
    },
    Done {
        #[serde(default)]
        database: String,
    },
}

/// A line of `organizations list`.
#[derive(Debug, Deserialize)]
struct Organization {
    used_bytes: u64,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The command succeeded.
    Done {
        /// The database that was written or read, by its name; empty where none was.
        database: String,
        /// The kinds of faults that were found.
        findings: Vec<String>,
    },
    /// The command failed.
    Failed {
        /// Its error text; may be empty.
        reason: String,
    },
}

impl Outcome {
    fn of(code: Option<i32>, last_words: String, lines: Vec<Line>) -> Self {
        let mut findings = Vec::new();
        let mut database = None;
        for line in lines {
            match line {
                Line::Finding { kind } => findings.push(kind),
                Line::Done { database: name } => database = Some(name),
                Line::Progress { .. } => {}
            }
        }
        match database {
            Some(database) if matches!(code, Some(0 | WITH_FINDINGS)) => Self::Done { database, findings },
            _ => Self::Failed { reason: last_words },
        }
    }

    /// How many contents are missing or damaged.
    pub(super) fn faults(&self) -> u64 {
        let is_fault = |kind: &&String| matches!(kind.as_str(), "missing" | "damaged" | "staged_missing");
        match self {
            Self::Done { findings, .. } => findings.iter().filter(is_fault).count() as u64,
            Self::Failed { .. } => 0,
        }
    }

    /// Whether a studio could not work on what was looked at.
    pub(super) fn is_unusable(&self) -> bool {
        matches!(self, Self::Done { findings, .. } if findings.iter().any(|kind| FATAL.contains(&kind.as_str())))
    }

    /// The reason of the failure, in the studio's words.
    pub(super) fn reason(&self) -> &str {
        match self {
            Self::Failed { reason } if !reason.is_empty() => reason,
            _ => NO_REASON,
        }
    }
}

/// Runs a command on the data folder `data` to its end; `told` hears how far it has come: contents that are done, of
/// how many, bytes.
pub(super) async fn run(
    studio: &dyn LocalService,
    data: &Path,
    arguments: Vec<OsString>,
    told: &mut (dyn FnMut(u64, u64, u64) + Send),
) -> Result<Outcome, LocalServiceError> {
    let mut lines = Vec::new();
    let mut read = |line: &str| match serde_json::from_str(line) {
        Ok(Line::Progress { done, total, bytes }) => told(done, total, bytes),
        Ok(line) => lines.push(line),
        Err(error) => tracing::debug!(%error, "a line of the studio that says nothing here"),
    };
    let ended = studio.run_command(data, arguments, &mut read).await?;
    Ok(Outcome::of(ended.code, ended.last_words, lines))
}

/// The bytes of all files, with what is in the trash and with earlier versions; `None` where the studio does not say.
pub(super) async fn count_bytes(studio: &dyn LocalService, data: &Path) -> Option<u64> {
    let mut bytes = None;
    let mut read = |line: &str| {
        if let Ok(Organization { used_bytes }) = serde_json::from_str(line) {
            *bytes.get_or_insert(0) += used_bytes;
        }
    };
    let ended = studio.run_command(data, ["organizations".into(), "list".into()].into(), &mut read).await;
    ended.ok().filter(|ended| ended.code == Some(0)).and(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_did_is_told_by_its_code_and_its_lines() {
        let read = |text: &str| -> Vec<Line> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
        let done = r#"{"event": "done", "database": "a.db", "contents": 2, "findings": 0}"#;
        let finding =
            |kind: &str| format!(r#"{{"event": "finding", "kind": "{kind}", "subject": "s", "needed_by": []}}"#);
        let check = |code: Option<i32>, lines: &str, is_done: bool, faults: u64, is_unusable: bool| {
            let outcome = Outcome::of(code, "the disk is full".to_owned(), read(lines));
            assert_eq!(matches!(outcome, Outcome::Done { .. }), is_done, "{code:?} {lines}");
            assert_eq!((outcome.faults(), outcome.is_unusable()), (faults, is_unusable), "{code:?} {lines}");
            assert_eq!(outcome.reason() == "the disk is full", !is_done);
        };
        check(Some(0), done, true, 0, false);
        check(Some(0), r#"{"event": "done", "contents": 1, "bytes": 2, "findings": 0, "left": 0}"#, true, 0, false);
        check(Some(4), &format!("{}\n{}\n{done}", finding("missing"), finding("damaged")), true, 2, false);
        check(Some(4), &format!("{}\n{done}", finding("unnamed")), true, 0, false);
        check(Some(4), &format!("{}\n{done}", finding("key_file")), true, 0, true);
        // The command wrote its result and was ended then, or ended well and wrote none: so nobody can tell what it
        // did.
        check(None, done, false, 0, false);
        check(Some(1), done, false, 0, false);
        check(Some(0), "", false, 0, false);
        check(Some(2), "", false, 0, false);
    }
}
