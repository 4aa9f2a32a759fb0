//! What is told and taken back in one breath: “the lucky man – don't write that!”, “(two candidates, don't put that bit in)”.
//!
//! What holds: the sentence that asks for the thing is never taken away. Deliberately not here: refusals that name what shall not
//! stand on the page (`page_talk`).

use crate::read::page_talk::phrases::{Word, words_of};
use crate::read::page_talk::vocabulary::{is_joining, is_mentioning, is_opening, is_piece, is_writing, stands_for};
use crate::read::text;
use crate::read::vocabulary::REFUSING;

/// Marks between what is told and the words that take it back.
const MARKS: &[&str] = &[" – ", " — ", " - ", "; ", ", "];

/// Words that say what was told is for the ears of the maker alone.
#[rustfmt::skip]
const BETWEEN_US: &[&str] = &[
    "between us", "between you and me", "just between us", "off the record", "not for print", "not to be printed", "nicht abdrucken", "nicht zum abdrucken", "unter uns", "unter uns gesagt", "nicht weitersagen",
    "entre nous", "entre nosotros", "tra noi",
];

/// Small words behind a verb of writing, beside what points at something told before.
fn is_small(word: &str) -> bool {
    is_joining(word)
        || is_opening(word)
        || is_piece(word)
        || matches!(word, "part" | "teil" | "down" | "rein" | "out" | "off" | "weg" | "raus" | "though" | "aber" | "do")
}

/// Whether words take back what stands before them: “don't write that”, “das bitte nicht drucken”, “lass das weg”.
pub fn takes_back(clause: &str) -> bool {
    let bare = clause.trim().trim_end_matches(['.', '!', ')', ' ']);
    if BETWEEN_US.contains(&bare.to_lowercase().as_str()) {
        return true;
    }
    // “no → is there a name on it?” goes on with a course.
    if bare.contains(['?', '→']) || bare.contains("->") {
        return false;
    }
    let words = words_of(bare);
    let has = |is: &dyn Fn(&str) -> bool| words.iter().any(|word| is(&word.lower));
    let is_refusing = |word: &str| {
        REFUSING.contains(&word) && !matches!(word, "no" | "nothing" | "without" | "ohne" | "kein" | "keine")
    };
    let writes = |word: &str| is_writing(word) || is_mentioning(word) || matches!(word, "drucken" | "use");
    let leaves = |word: &str| matches!(word, "leave" | "keep" | "lass" | "lasst");
    let is_left_out = has(&leaves) && has(&|word| matches!(word, "out" | "off" | "weg" | "raus"));
    let is_refused = has(&is_refusing) && has(&writes);
    let points =
        |word: &Word| matches!(word.lower.as_str(), "that" | "this" | "das" | "dies") || stands_for(&word.lower);
    // “Don't mention it” is polite.
    let is_polite = words.last().is_some_and(|word| word.lower == "it") && has(&|word| word == "mention");
    (2..=9).contains(&words.len())
        && (is_left_out || is_refused)
        && !is_polite
        && words.iter().any(points)
        && words.iter().all(|word| {
            let lower = word.lower.as_str();
            points(word) || is_refusing(lower) || writes(lower) || leaves(lower) || is_small(lower)
        })
}

/// Whether the last words of a text take back what stands before them in it.
pub fn is_taken_back(told: &str) -> bool {
    divide(told).is_some()
}

/// A text before the words at its end that take it back, and these.
fn divide(told: &str) -> Option<(&str, &str)> {
    let (at, mark) = MARKS.iter().filter_map(|mark| told.rfind(mark).map(|at| (at, *mark))).max()?;
    let (before, behind) = (&told[..at], &told[at + mark.len()..]);
    // What stands in brackets takes back no more than they hold.
    let is_within = before.matches('(').count() > before.matches(')').count();
    (!before.trim().is_empty() && !is_within && takes_back(behind)).then_some((before, behind))
}

/// Takes out of sentences what is taken back in them, with the words that do so; what was taken out, to be obeyed.
pub fn strip(sentences: &mut Vec<String>, asks: impl Fn(&str) -> bool) -> Vec<String> {
    let mut said = Vec::new();
    let mut kept: Vec<String> = Vec::with_capacity(sentences.len());
    for sentence in sentences.drain(..) {
        if takes_back(&sentence) {
            said.extend(kept.pop_if(|last| !asks(last)));
            said.push(sentence);
        } else if let Some((before, _)) = divide(&sentence).filter(|_| !asks(&sentence)) {
            // “Omar works nights, poor man – don't write that”: the clause before the mark is meant.
            let clauses = text::clauses(before);
            let rest = &clauses[..clauses.len().saturating_sub(1)];
            if !rest.is_empty() {
                kept.push(format!("{}.", rest.join(", ")));
            }
            said.push(sentence);
        } else {
            kept.push(sentence);
        }
    }
    *sentences = kept;
    said
}

#[cfg(test)]
mod tests {
    use super::{strip, takes_back};

    #[test]
    fn words_that_take_back_are_told_from_others() {
        for clause in [
            "don't write that!",
            "don't put that bit in",
            "but please don't print this",
            "leave that out",
            "das bitte nicht schreiben",
            "aber schreib das nicht drauf",
            "unter uns",
        ] {
            assert!(takes_back(clause), "{clause}");
        }
        for clause in [
            "Do not write on the walls",
            "Don't mention it",
            "don't put that in the oven",
            "bitte nicht klingeln",
            "Leave the gate",
            "no → is there a name on it?",
            "Not this Sunday",
        ] {
            assert!(!takes_back(clause), "{clause}");
        }
    }

    #[test]
    fn what_is_taken_back_goes_with_the_words_that_do_so() {
        let stripped = |told: &[&str]| {
            let mut sentences: Vec<String> = told.iter().map(|&sentence| sentence.to_owned()).collect();
            strip(&mut sentences, |sentence| sentence.starts_with("Poster"));
            sentences
        };
        assert_eq!(stripped(&["Omar works nights, poor man – don't write that!"]), ["Omar works nights."]);
        assert_eq!(stripped(&["We open at 8.", "Bo is always late.", "Don't print that."]), ["We open at 8."]);
        let bracketed = "Piano: vacant (two candidates, don't put that bit in)";
        assert_eq!(stripped(&[bracketed]), [bracketed]);
        assert_eq!(stripped(&["Poster for Bo.", "Don't print that."]), ["Poster for Bo."]);
    }
}
