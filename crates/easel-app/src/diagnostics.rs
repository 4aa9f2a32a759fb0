//! Diagnostics that a person can hand to whoever helps, and the one place that takes secrets out of a text.
//!
//! Always true: what leaves here was redacted: API keys, signing secrets, everything after the path of an address, and
//! the person's home folder. That is the second line of defence: no code writes a secret into a log in the first place.
//! Hosts and the names of files are not among what is told. Not here: where logs go (the shell).

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::connections::views::ConnectionView;
use crate::settings::Settings;
use crate::status_summary::StatusSummary;
use crate::uploads::views::TransfersSummary;

/// The most lines of the log that are kept.
const MOST_LINES: usize = 300;
/// Longer lines are cut off, in bytes.
const LONGEST_LINE_BYTES: usize = 1_000;
/// How keys and secrets begin (contract, "Keys").
const SECRET_STARTS: [&str; 3] = ["svc_live_", "svc_test_", "whsec_"];
const HIDDEN: &str = "[hidden]";

/// The last lines of this run's log.
pub static RECENT_LOG: RecentLog = RecentLog { lines: Mutex::new(VecDeque::new()) };

/// The last lines of a log, redacted.
#[derive(Debug)]
pub struct RecentLog {
    lines: Mutex<VecDeque<String>>,
}

impl RecentLog {
    /// Remembers what was logged, which is redacted here, and returns it as it may be written elsewhere.
    pub fn note(&self, text: &str) -> String {
        let redacted = redact(text);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for line in redacted.lines() {
            if lines.len() >= MOST_LINES {
                lines.pop_front();
            }
            lines.push_back(line[..line.floor_char_boundary(LONGEST_LINE_BYTES)].to_owned());
        }
        redacted
    }

    fn read(&self) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// What helps to find a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Diagnostics {
    /// Plain text, redacted.
    pub text: String,
}

impl Diagnostics {
    /// Versions, how each connection is, what is waiting, the last lines of the log. Without keys, secrets, signed
    /// addresses, hosts and the names of files.
    pub(crate) fn of(
        settings: &Settings,
        status_now: &StatusSummary,
        connections: &[ConnectionView],
        transfers: Option<&TransfersSummary>,
    ) -> Self {
        let settings = serde_json::to_string(settings).unwrap_or_default();
        let mut text = format!(
            "Easel {} on {} {}\nAt {}\nSign: {:?}, moving: {}\nSettings: {settings}\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            jiff::Timestamp::now(),
            status_now.sign,
            status_now.is_moving,
        );
        for (index, view) in connections.iter().enumerate() {
            let problem = view.problem.as_ref().map_or("none", |problem| problem.code.as_str());
            text += &format!(
                "Connection {}: {:?}, {:?}, key in {:?}, problem: {problem}\n",
                index + 1,
                view.kind,
                view.state,
                view.key_kept,
            );
        }
        if let Some(transfers) = transfers {
            let figures = serde_json::json!({
                "total": transfers.total,
                "finished": transfers.finished,
                "active": transfers.active,
                "failed": transfers.failed,
                "paused": transfers.paused,
            });
            text += &format!("Transfers: {figures}\n");
        }
        text += "\nThe last lines of the log:\n";
        text += &RECENT_LOG.read();
        Self { text: redact(&text) }
    }
}

/// The longest text about one fault of the page, in bytes.
const LONGEST_FAULT_BYTES: usize = 2_000;

/// Logs a fault of the page's own code, cut to 2,000 bytes: nobody has its console open.
pub(crate) fn log_page_fault(words: &str) {
    let fault = &words[..words.floor_char_boundary(LONGEST_FAULT_BYTES)];
    tracing::error!(?fault, "the page is at fault");
}

/// A text without what nobody else may read.
#[must_use]
pub fn redact(text: &str) -> String {
    let mut redacted = hide_secrets(text);
    if let Some(home) = std::env::home_dir().and_then(|home| home.to_str().map(str::to_owned))
        && home.len() > 1
    {
        redacted = redacted.replace(&home, "~");
    }
    hide_queries(&redacted)
}

/// Hides every word that begins as a secret does, in upper or lower case.
fn hide_secrets(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut redacted = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(start) =
        SECRET_STARTS.iter().filter_map(|start| lower[at..].find(start)).min().map(|found| at + found)
    {
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let end = text[start..].find(|character| !is_part(character)).map_or(text.len(), |length| start + length);
        redacted.push_str(&text[at..start]);
        redacted.push_str(HIDDEN);
        at = end;
    }
    redacted + &text[at..]
}

/// Hides, in every address, the part after its path, and the user who signs in: a signature or a key stands there.
fn hide_queries(text: &str) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(found) = rest.find("://") {
        let (before, address) = rest.split_at(found + "://".len());
        redacted.push_str(before);
        let is_end =
            |character: char| character.is_whitespace() || matches!(character, '"' | '\'' | '<' | '>' | ')' | '`');
        let end = address.find(is_end).unwrap_or(address.len());
        let (address, after) = address.split_at(end);
        let path = address.find(['?', '#']).unwrap_or(address.len());
        let (address, secret) = address.split_at(path);
        let host = address.find('/').unwrap_or(address.len());
        match address[..host].rfind('@') {
            Some(sign) => redacted.push_str(&format!("{HIDDEN}{}", &address[sign..])),
            None => redacted.push_str(address),
        }
        if !secret.is_empty() {
            redacted.push('?');
            redacted.push_str(HIDDEN);
        }
        rest = after;
    }
    redacted + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_secrets_and_what_follows_a_path_are_taken_out() {
        let check = |text: &str, expected: &str| assert_eq!(redact(text), expected, "{text}");
        check("key svc_live_0a1b, \"whsec_9f\"", "key [hidden], \"[hidden]\"");
        check("SVC_LIVE_0A1B whsec_ whsec_1whsec_2 x", "[hidden] [hidden] [hidden] x");
        check("GET https://a.example/f/x?sig=1&exp=2 failed", "GET https://a.example/f/x?[hidden] failed");
        check("(https://me:word@a.example/x#t) http://b", "(https://[hidden]@a.example/x?[hidden]) http://b");
        check("http://a?x\nhttp://b?y", "http://a?[hidden]\nhttp://b?[hidden]");
        check("nothing: // here?", "nothing: // here?");
        check("", "");
    }

    #[test]
    fn the_home_folder_is_not_told() {
        let Some(home) = std::env::home_dir().filter(|home| home.as_os_str().len() > 1) else { return };
        assert_eq!(redact(&format!("{}/secret", home.display())), "~/secret");
    }

    #[test]
    fn the_log_is_bounded_and_redacted_before_it_is_kept() {
        let log = RecentLog { lines: Mutex::default() };
        for number in 0..MOST_LINES + 2 {
            assert_eq!(log.note(&format!("{number} svc_live_1\n")), format!("{number} [hidden]\n"));
        }
        log.note(&"ü".repeat(LONGEST_LINE_BYTES));
        let kept = log.read();
        assert_eq!(kept.lines().count(), MOST_LINES);
        assert!(kept.starts_with("3 [hidden]\n"), "{kept}");
        assert!(kept.lines().all(|line| line.len() <= LONGEST_LINE_BYTES));
    }
}

#[cfg(test)]
mod properties {
    use super::*;

    proptest::proptest! {
        /// Wherever a secret stands, nothing of it is left.
        #[test]
        fn no_secret_is_left(before in "\\PC{0,40}", after in "[^0-9a-zA-Z_]\\PC{0,40}", digits in "[0-9a-f]{6,64}") {
            for start in SECRET_STARTS {
                let secret = format!("{start}{digits}");
                let redacted = redact(&format!("{before}{secret}{after}"));
                proptest::prop_assert!(!redacted.contains(&secret));
            }
        }
    }
}
