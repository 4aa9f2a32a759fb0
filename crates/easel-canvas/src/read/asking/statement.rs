//! Whether a sentence beside the one that asks says something of the thing and not of its making: “The trip goes to Wales”.
//!
//! It is told by its subject, which is of the world and not of a page or an order, and by its verb, which is no wish. What
//! holds: where one of both is missing it is taken as said to whoever makes the thing. Deliberately not here: facts that
//! are told by their form alone, such as prices (`instructions`).

use crate::read::instructions::{self, Clause};
use crate::read::maker::{self, apart};
use crate::read::page_talk::phrases::{Word, word_at, words_of};
use crate::read::page_talk::readers::is_foreign;
use crate::read::style::AUDIENCES;
use crate::read::text;
use crate::read::vocabulary::{MODAL, is_determiner};

/// What belongs to an order and to the talk about it: who gives it, by when, what is handed over.
#[rustfmt::skip]
const OF_ORDERS: &[&str] = &[
    "client", "boss", "printer", "deadline", "budget", "brief", "order", "idea", "plan", "point", "goal", "aim", "problem", "thing", "rest", "old", "last", "previous", "other", "whole", "file", "files", "attachment", "document", "data", "details",
    "info", "information", "content", "material", "version", "draft", "example", "sample", "reader", "reason", "main", "important", "only", "kunde", "chef", "chefin", "druckerei", "druckschluss", "auftrag", "idee", "plan", "ziel", "problem",
    "ganze", "rest", "alte", "letzte", "datei", "dateien", "anhang", "dokument", "daten", "infos", "inhalt", "inhalte", "material", "entwurf", "beispiel", "leser", "grund", "wichtigste",
];

/// Verbs beside the modal ones by which a sentence is a wish.
#[rustfmt::skip]
const WISHING: &[&str] = &[
    "wish", "wishes", "like", "likes", "love", "loves", "prefer", "prefers", "think", "thinks", "braucht", "brauchen", "mag", "mögen", "wollen", "findet",
    "finden", "hätte", "hätten", "wäre", "wären",
];

/// Finite verbs that carry no ending by which they are told.
#[rustfmt::skip]
const FINITE: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "do", "does", "go", "come", "run", "ist", "sind", "war", "waren", "hat", "haben", "wird", "werden", "kommen", "gehen",
];

/// Pronouns of the one who writes and of the one who makes.
#[rustfmt::skip]
const OF_TALK: &[&str] =
    &["i", "i'm", "i've", "i'll", "me", "my", "ich", "mir", "mich", "mein", "meine", "you", "your", "du", "dir", "dein", "deine"];

/// Whether a sentence states something of the world.
pub fn states(sentence: &str) -> bool {
    let all = words_of(sentence);
    let is_told = (4..=24).contains(&all.len())
        && !sentence.trim_end().ends_with(['?', ':'])
        && !all.iter().any(|word| OF_TALK.contains(&word.lower.as_str()))
        && !all.iter().take(8).any(|word| is_wish(&word.lower))
        && text::label(sentence).is_none()
        && matches!(instructions::judge_spoken(sentence), Clause::Content(_))
        && !maker::speaks(sentence)
        && !apart::speaks_apart(sentence);
    is_told && has_subject(&all, sentence)
}

fn is_wish(word: &str) -> bool {
    MODAL.contains(&word) || WISHING.contains(&word)
}

/// “The trip goes”, “Die Fahrt geht”: an article, a noun of the world, at most two words, and a verb.
fn has_subject(words: &[Word], sentence: &str) -> bool {
    let is_of_world = |word: &str| is_foreign(word) && !OF_ORDERS.contains(&word) && !AUDIENCES.contains(&word);
    is_determiner(word_at(words, 0))
        && is_of_world(word_at(words, 1))
        && (2..=4).any(|at| is_verb(words, at, sentence) && (2..at).all(|between| is_of_world(word_at(words, between))))
}

/// Whether a word may be a finite verb behind its subject.
fn is_verb(words: &[Word], at: usize, sentence: &str) -> bool {
    let Some(word) = words.get(at) else { return false };
    let is_small = sentence[word.start..].starts_with(char::is_lowercase);
    let ends = ["s", "ed", "t", "en", "te"].iter().any(|ending| word.lower.ends_with(ending));
    FINITE.contains(&word.lower.as_str())
        || is_small
            && words[at - 1].mark.is_none()
            && word.lower.chars().count() >= 3
            && ends
            && is_foreign(&word.lower)
}

#[cfg(test)]
mod tests {
    use super::states;

    #[test]
    fn a_statement_is_told_from_talk() {
        for sentence in [
            "The trip goes to Wales.",
            "Our coach leaves from the church.",
            "The winners get a week by the sea.",
            "Die Fahrt geht ins Allgäu.",
            "Unsere Gruppe schläft in Zelten.",
        ] {
            assert!(states(sentence), "{sentence}");
        }
        for sentence in [
            "The text is below.",
            "The audience is older people.",
            "The old one was far too dark.",
            "The board wants it serious.",
            "My boss likes it plain.",
            "The photos come later.",
            "The whole thing should feel like a letter.",
            "Der Chef mag es schlicht.",
            "Das Logo kommt unten rechts hin.",
            "We need it by Friday.",
        ] {
            assert!(!states(sentence), "{sentence}");
        }
    }
}
