//! The words of every error, in English and German: one catalogue, one entry a cause, one button each.
//!
//! Always true: an entry says what happened and what to do in a person's terms; a status code never stands alone;
//! values stand in braces and are filled in whole (`{name}`), so that a sentence is never glued from pieces. Codes of
//! the service keep their names; the app's own stand beside them. Not here: which error has which code
//! ([`crate::causes`]), and every other word of the window (the page's own catalogue, `ui/src/text`).
//!
//! The whole program has one language at a time, the one of the settings (`speak` chooses it). Words that were said
//! before it changed stay as they were said.

mod english;
mod features;
mod german;
pub(crate) mod letters;
mod phrases;

use std::sync::atomic::{AtomicBool, Ordering};

use easel_wire::ErrorType;
use serde::{Deserialize, Serialize};

pub(crate) use self::english::CATALOGUE;
pub(crate) use self::features::*;
pub(crate) use self::letters::{SIGN, in_order};
pub(crate) use self::phrases::*;
use crate::problem::{Action, ActionKind, Problem};

/// The language of all words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// That of the system, where Easel speaks it; else English.
    #[default]
    System,
    /// English.
    En,
    /// German.
    De,
}

/// Whether words are German, else English.
static IS_GERMAN: AtomicBool = AtomicBool::new(false);

/// Chooses the language of all words from now on.
pub(crate) fn speak(language: Language) {
    let is_german = match language {
        Language::En => false,
        Language::De => true,
        Language::System => system_language() == Language::De,
    };
    IS_GERMAN.store(is_german, Ordering::Relaxed);
}

/// The system's language: the first of those that the person prefers which Easel speaks, else English. Never [`Language::System`].
pub(crate) fn system_language() -> Language {
    first_spoken(sys_locale::get_locales())
}

fn first_spoken(mut locales: impl Iterator<Item = String>) -> Language {
    let spoken = |locale: String| match locale.split(['-', '_']).next() {
        Some("de") => Some(Language::De),
        Some("en") => Some(Language::En),
        _ => None,
    };
    locales.find_map(spoken).unwrap_or(Language::En)
}

/// The text in the chosen language.
fn either<'a>(english: &'a str, german: &'a str) -> &'a str {
    if IS_GERMAN.load(Ordering::Relaxed) { german } else { english }
}

/// One entry of the catalogue.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) code: &'static str,
    pub(crate) action: ActionKind,
    pub(crate) title: &'static str,
    pub(crate) detail: &'static str,
}

impl Entry {
    /// Title and detail in the language that is spoken.
    fn spoken(&self) -> (&'static str, &'static str) {
        let german = || german::GERMAN.iter().find(|(code, ..)| *code == self.code);
        match IS_GERMAN.load(Ordering::Relaxed).then(german).flatten() {
            Some((_, title, detail)) => (title, detail),
            None => (self.title, self.detail),
        }
    }
}

impl ActionKind {
    /// What stands on the button.
    fn label(self) -> &'static str {
        match self {
            Self::TryAgain => either("Try again", "Noch einmal versuchen"),
            Self::Refresh => either("Look again", "Noch einmal nachsehen"),
            Self::EditAddress => either("Change the address", "Die Adresse ändern"),
            Self::EnterKey => either("Enter a key", "Schlüssel eingeben"),
            Self::EditVersionHeader => either("Change the header name", "Namen der Kopfzeile ändern"),
            Self::ConfirmPlainHttp => either("Connect without encryption", "Unverschlüsselt verbinden"),
            Self::KeepForSession => either("Keep until Easel closes", "Behalten, bis Easel schließt"),
            Self::StartLocalStudio => either("Start it again", "Wieder starten"),
            Self::OpenConnections => either("Open connections", "Verbindungen öffnen"),
            Self::EditName => either("Choose another name", "Anderen Namen wählen"),
            Self::ChooseAgain => either("Choose again", "Noch einmal wählen"),
            Self::ShowItem => either("Show it", "Zeigen"),
            Self::Remove => either("Remove from the list", "Von der Liste nehmen"),
            Self::FindFolder => either("Find the folder…", "Den Ordner suchen…"),
            Self::Dismiss => "OK",
        }
    }

    fn button(self) -> Box<Action> {
        Box::new(Action { kind: self, label: self.label().to_owned(), target: None })
    }
}

/// The entry of a code, if there is one.
pub(crate) fn entry(code: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.code == code)
}

/// The code under which an error is worded whose own code is not in the catalogue.
pub(crate) fn code_of_type(error_type: &ErrorType) -> &'static str {
    match error_type {
        ErrorType::InvalidRequest => "invalid_request",
        ErrorType::Authentication => "authentication",
        ErrorType::Permission => "permission",
        ErrorType::NotFound => "not_found",
        ErrorType::Conflict => "conflict",
        ErrorType::IdempotencyConflict => "idempotency_conflict",
        ErrorType::Unprocessable => "unprocessable",
        ErrorType::RateLimited => "rate_limited",
        ErrorType::UpstreamError => "upstream_error",
        _ => "internal_error",
    }
}

/// The problem of a code, with its values filled in. A code without an entry is worded as a failure of the service.
pub(crate) fn problem(code: &str, values: &[(&str, &str)]) -> Problem {
    let words = entry(code).or_else(|| entry("internal_error"));
    let (action, title, detail) = match words {
        Some(words) => {
            let (title, detail) = words.spoken();
            (words.action.button(), fill(title, values), fill(detail, values))
        }
        None => (ActionKind::Dismiss.button(), code.to_owned(), String::new()),
    };
    Problem { code: code.to_owned(), title, detail, action, request_id: None }
}

/// Puts the values into their braces.
fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = from.split_once('}') else {
            filled.push('{');
            rest = from;
            continue;
        };
        filled.push_str(&in_order(values.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_first_language_of_the_person_that_easel_speaks_is_spoken() {
        let check = |locales: &[&str], expected: Language| {
            assert_eq!(first_spoken(locales.iter().map(|&locale| locale.to_owned())), expected, "{locales:?}");
        };
        check(&["de-AT", "en"], Language::De);
        check(&["fr", "de"], Language::De);
        check(&["en-CA", "de"], Language::En);
        check(&["fr"], Language::En);
        check(&["C"], Language::En);
        check(&[], Language::En);
    }

    #[test]
    fn every_code_of_the_service_has_words_and_a_button() {
        for code in easel_wire::error::code::ALL {
            let words = entry(code).unwrap_or_else(|| panic!("{code} has no words"));
            assert!(!words.title.is_empty() && !words.detail.is_empty(), "{code}");
        }
        for error_type in ErrorType::KNOWN {
            assert!(entry(code_of_type(error_type)).is_some(), "{error_type}");
        }
    }

    #[test]
    fn every_entry_is_a_sentence_for_a_person() {
        let mut seen = HashSet::new();
        for words in CATALOGUE {
            let code = words.code;
            assert!(seen.insert(code), "{code} stands twice");
            assert!(!words.action.label().is_empty(), "{code}");
            assert!(!words.title.ends_with('.'), "{code}: a title is no sentence");
            assert!(words.detail.ends_with('.'), "{code}: the detail is no sentence");
            let text = format!("{} {}", words.title, words.detail);
            assert!(!text.contains("Something went wrong"), "{code}");
            for status in ["400", "401", "403", "404", "409", "413", "422", "429", "500", "502", "503", "HTTP "] {
                assert!(!text.contains(status), "{code} names a status: {text}");
            }
        }
    }

    #[test]
    fn every_entry_is_there_in_german_with_the_same_values() {
        let values = |text: &str| -> std::collections::BTreeSet<String> {
            text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect()
        };
        let codes: Vec<_> = CATALOGUE.iter().map(|words| words.code).collect();
        assert_eq!(german::GERMAN.iter().map(|(code, ..)| *code).collect::<HashSet<_>>(), codes.into_iter().collect());
        for words in CATALOGUE {
            let (code, title, detail) = german::GERMAN.iter().find(|(code, ..)| *code == words.code).unwrap();
            assert_eq!(values(title), values(words.title), "{code}");
            assert_eq!(values(detail), values(words.detail), "{code}");
            assert_ne!(*title, words.title, "{code} is in English");
            assert!(!title.ends_with('.') && detail.ends_with('.'), "{code}");
            assert_eq!(detail.contains("Tarif"), words.code == "file_too_large_for_plan", "{code}");
        }
    }

    #[test]
    fn only_a_plan_limit_speaks_of_plans() {
        for words in CATALOGUE {
            let speaks = words.detail.contains("plan raises");
            assert_eq!(speaks, words.code == "file_too_large_for_plan", "{}", words.code);
        }
    }

    #[test]
    fn values_are_filled_in_whole() {
        let filled = problem("file_too_large", &[("name", "{size}.key"), ("size", "312 MB"), ("limit", "250 MB")]);
        assert_eq!(filled.title, "{size}.key is too large");
        assert_eq!(filled.detail, "This file is 312 MB. Your workspace takes files up to 250 MB.");
    }
}
