//! What the sentence that asks lets the thing say: “a sign that says please close the gate and that the dog bites”, “a post
//! with a quote: “…””.
//!
//! Deliberately not here: sentences of their own that dictate (`directions::dictated`), and a few words that are only the
//! name of the thing (“saying Open studio”).

use crate::read::instructions::{self, Clause};
use crate::read::{quotes, text};

/// Words that lead from the thing to what it says.
#[rustfmt::skip]
const SAYING: &[&str] = &[
    " that says", " which says", " that reads", " which reads", " that tells people", " telling people", " telling everyone", " telling everybody", " reminding people", " saying", " auf dem steht", " auf der steht", " wo draufsteht",
    " wo drauf steht", " mit dem hinweis", " mit dem text", " das sagt", " qui dit", " que diga", " che dica",
];

/// Words that begin a clause which is said.
const THAT: &[&str] = &["that", "dass", "daß", "que", "che"];

/// Words that join a second clause which is said to the first.
#[rustfmt::skip]
const AND_THAT: &[&str] = &[
    " and that ", " and below that ", " and below it ", " and underneath ", " and under that ", " und dass ", " und daß ", " und darunter ", " et que ", " y que ", " e che ",
];

/// Words for what somebody said.
const QUOTATIONS: &[&str] =
    &["quote", "quotation", "testimonial", "zitat", "kundenzitat", "spruch", "citation", "cita", "citazione"];

/// A request, divided into what asks and what shall be said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// What asks.
    pub head: String,
    /// What shall be said, each clause a sentence.
    pub words: String,
    /// Wishes behind it.
    pub wishes: String,
}

/// What a request dictates in clauses; `None` where it names no more than a few words, or quotes them.
pub(super) fn said_within(head: &str) -> Option<Said> {
    let lower = head.to_lowercase();
    if lower.len() != head.len() {
        return None;
    }
    let (at, lead) = SAYING.iter().filter_map(|lead| lower.find(lead).map(|at| (at, *lead))).min()?;
    let behind = head[at + lead.len()..].trim_start_matches([',', ' ']);
    let first = text::words(behind).into_iter().next().unwrap_or_default();
    let is_clause = THAT.contains(&first.as_str())
        || matches!(first.as_str(), "please" | "bitte" | "to" | "not" | "don't" | "do")
        || AND_THAT.iter().any(|and| lower[at..].contains(and));
    if !is_clause || text::quoted(behind).is_some() || behind.split_whitespace().count() < 4 {
        return None;
    }
    let mut clauses = text::clauses(behind);
    let mut wishes = Vec::new();
    while clauses.len() > 1
        && clauses.last().is_some_and(|last| matches!(instructions::judge_spoken(last), Clause::Instruction))
    {
        wishes.extend(clauses.pop());
    }
    wishes.reverse();
    let said = divide(&clauses.join(", "));
    (!said.is_empty()).then(|| Said { head: head[..at].to_owned(), words: said.join(" "), wishes: wishes.join(", ") })
}

/// The clauses that are said, each as a sentence without the word that only joins it.
fn divide(said: &str) -> Vec<String> {
    let mut rest = said;
    let mut sentences = Vec::new();
    loop {
        let lower = rest.to_lowercase();
        let next = AND_THAT.iter().filter_map(|and| lower.find(and).map(|at| (at, and.len()))).min();
        let (own, behind) = match next {
            Some((at, length)) => (&rest[..at], &rest[at + length..]),
            None => (rest, ""),
        };
        let own = own.trim().trim_end_matches([',', '.']);
        let own = THAT.iter().find_map(|that| text::strip_start(own, that)).unwrap_or(own).trim();
        if !own.is_empty() {
            sentences.push(format!("{}.", text::capitalize(own)));
        }
        if behind.is_empty() {
            return sentences;
        }
        rest = behind;
    }
}

/// What stands before a colon, without the words that lead to somebody's words behind it, and these with their label.
pub(super) fn quote_led(head: &str, body: &str) -> Option<(String, String)> {
    let lower = head.to_lowercase();
    if lower.len() != head.len() {
        return None;
    }
    let begins = [", ", " with ", " mit ", " avec ", " con "];
    let at = begins.iter().filter_map(|begin| lower.rfind(begin)).max()?;
    let label = head[at..].trim_start_matches([',', ' ']);
    let words = text::words(label);
    let names_quote = words.len() <= 6 && words.iter().any(|word| QUOTATIONS.contains(&word.as_str()));
    let content = format!("{label}: {body}");
    let first = text::sentences(&content).into_iter().next().unwrap_or_default();
    (names_quote && quotes::quote_of(&first).is_some())
        .then(|| (head[..at].trim_end_matches([',', ' ']).to_owned(), content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dictated_while_asking_is_said() {
        let said = said_within(
            "can you make a sign for the kitchen that says please put your cups away and that the fridge is emptied on \
             Fridays, friendly, A4",
        )
        .expect("something that is said");
        assert_eq!(said.head, "can you make a sign for the kitchen");
        assert_eq!(said.words, "Please put your cups away. The fridge is emptied on Fridays.");
        assert_eq!(said.wishes, "friendly, A4");
        let said = said_within("Schild für die Tür, auf dem steht, dass die Klingel kaputt ist").expect("a clause");
        assert_eq!(said.words, "Die Klingel kaputt ist.");
        assert_eq!(said_within("poster saying Open studio, Saturday"), None);
        assert_eq!(said_within("poster that says \"please come\", dark"), None);
    }

    #[test]
    fn words_that_lead_to_a_quotation_are_its_label() {
        let (head, content) =
            quote_led("post for the club, calm, with a quote", "“We row because we can not swim” – Ada")
                .expect("a quote");
        assert_eq!(head, "post for the club, calm");
        assert_eq!(content, "with a quote: “We row because we can not swim” – Ada");
        assert!(quote_led("Beitrag mit einem Zitat", "„Wir rudern, weil wir nicht schwimmen können“ – Ada").is_some());
        assert_eq!(quote_led("post with a quote", "4,000 € for the roof"), None);
    }
}
