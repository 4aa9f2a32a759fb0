//! Conditions of a course: “if …, …, otherwise …”, with a comma, a word or nothing between the condition and what follows.
//!
//! Deliberately not here: where in a course a condition is asked (`flow`), and questions with their answers (`answers`).

use super::steps::strip_then;
use crate::read::text;

/// Words that begin a condition.
const IF: &[&str] = &["if ", "when ", "in case ", "wenn ", "falls ", "sofern ", "ist ", "bei ", "si ", "se ", "once "];

/// Words that begin what happens otherwise.
#[rustfmt::skip]
const ELSE: &[&str] = &[
    "otherwise", "else", "if not", "if no", "if it isn't", "if it is not", "sonst", "andernfalls", "wenn nicht", "falls nicht", "ansonsten",
    "wenn nein", "falls nein", "sinon", "si no", "se no", "altrimenti", "de lo contrario",
];

/// “If it is clear, wash it; if it is turbid, throw it away”: conditions beside each other.
pub(super) fn divide_conditions(sentence: &str) -> Vec<String> {
    let mut pieces = text::by_semicolon(sentence);
    // “if ok refund it, if damaged we contact the customer”, “se approva va alla cassa, se rifiuta torna al cliente”.
    let lower = sentence.to_lowercase();
    let again = ["if ", "wenn ", "falls ", "si ", "se "].iter().find_map(|lead| {
        let at = lower.find(&format!(", {lead}")).filter(|at| *at > 0)?;
        (*lead == "if " || lower.starts_with(lead)).then_some((at, lead.len()))
    });
    if let ([whole], Some((at, lead))) = (pieces.as_slice(), again)
        && lower.len() == sentence.len()
        && whole
            .get(lead..at)
            .is_some_and(|body| split_bare_condition(body).is_some() || split_unmarked(body).is_some())
    {
        pieces = vec![sentence[..at].to_owned(), sentence[at + 2..].to_owned()];
    }
    let are_all = pieces.len() > 1
        && pieces.iter().all(|piece| {
            let piece = strip_then(piece);
            condition_of(&piece).is_some() || is_else(&piece)
        });
    if are_all { pieces } else { Vec::new() }
}

pub(super) fn is_else(text: &str) -> bool {
    ELSE.iter().any(|word| text::strip_start(text, word).is_some())
}

/// The word of what happens otherwise, and what does.
pub(super) fn split_else(text: &str) -> (String, String) {
    let text = text.trim().trim_matches([',', ';', ' ']);
    let longest = ELSE.iter().filter(|word| text::strip_start(text, word).is_some()).max_by_key(|word| word.len());
    match longest {
        Some(word) => {
            let rest = text[word.len()..].trim_start();
            // “if not approved, …” says more than “if not”.
            match rest.split_once([',', ':']).filter(|(more, action)| {
                word.starts_with("if") && more.split_whitespace().count() <= 4 && !more.is_empty() && !action.is_empty()
            }) {
                Some((more, action)) => (format!("{} {}", &text[..word.len()], more.trim()), action.trim().to_owned()),
                None => (text[..word.len()].to_owned(), rest.trim_start_matches([',', ':', ' ']).to_owned()),
            }
        }
        None => (String::new(), text.to_owned()),
    }
}

/// Where a condition begins within a sentence.
pub(super) fn find_if(text: &str) -> Option<usize> {
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    [
        ", if ",
        "; if ",
        ": if ",
        " → if ",
        "– if ",
        ", when ",
        ", wenn ",
        "; wenn ",
        ": wenn ",
        ", falls ",
        "; falls ",
        " → wenn ",
        ", si ",
        ", se ",
    ]
    .iter()
    .filter_map(|sign| lower.find(sign).map(|at| at + sign.find(|letter: char| letter.is_alphabetic()).unwrap_or(0)))
    .min()
}

/// “If in stock, ship it; otherwise reorder”: the condition, what follows, and what happens otherwise.
pub(super) fn condition_of(text: &str) -> Option<(String, String, Option<String>)> {
    let text = text.trim();
    let lower = text.to_lowercase();
    if is_else(text) || lower.len() != text.len() {
        return None;
    }
    let lead = IF
        .iter()
        .find(|lead| lower.starts_with(**lead) && !matches!(**lead, "ist " | "bei " | "when " | "once "))
        .or_else(|| IF.iter().find(|lead| matches!(**lead, "when ") && lower.starts_with(**lead)))?;
    // What happens otherwise may hold a “then” of its own.
    let (told, otherwise) = split_otherwise(&text[lead.len()..]);
    let (condition, action) =
        split_bare_condition(&told).or_else(|| split_condition(&told)).or_else(|| split_unmarked(&told))?;
    Some((condition.trim().to_owned(), action.trim().to_owned(), otherwise))
}

/// “ok refund within 5 days”, “damaged we contact the customer”: a condition of one word before what is done, no comma between.
fn split_bare_condition(body: &str) -> Option<(&str, &str)> {
    #[rustfmt::skip]
    const STATES: &[&str] = &[
        "ok", "yes", "no", "full", "empty", "new", "late", "broken", "missing", "valid", "invalid", "correct", "wrong", "true", "false", "good", "bad", "fine",
        "unknown", "complete", "incomplete", "urgent", "ready", "ja", "nein", "defekt", "oui", "non", "sí", "sì",
    ];
    const DOERS: &[&str] =
        &["we", "they", "he", "she", "it", "you", "i", "wir", "sie", "er", "on", "nous", "il", "elle"];
    let (first, rest) = body.trim().split_once(' ')?;
    let lower = first.to_lowercase();
    let second = rest.split_whitespace().next().unwrap_or_default();
    let is_state = STATES.contains(&lower.as_str()) || lower.len() > 4 && lower.ends_with("ed");
    let is_told = second.chars().next().is_some_and(char::is_alphabetic)
        && !matches!(
            second,
            "and" | "or" | "und" | "oder" | "then" | "dann" | "by" | "in" | "on" | "at" | "for" | "the" | "a" | "an"
        );
    // “approved, publish” and “paid by card, ship” have their comma.
    let has_mark = rest.split_once([',', ':', '→']).is_some_and(|(head, _)| head.split_whitespace().count() <= 2);
    let is_doer = DOERS.contains(&second.to_lowercase().as_str());
    (is_state && is_told && (is_doer || !has_mark)).then(|| (first, rest.trim()))
}

/// “it's a bug goes to engineering”, “the review fails back to draft”: a condition and what follows, no mark between them.
fn split_unmarked(body: &str) -> Option<(&str, &str)> {
    const STATING: &[&str] = &["it's", "it’s", "its", "it is", "they are", "that is", "that's", "es ist", "c'est"];
    const TURNS: &[&str] = &[
        " back to ",
        " goes back ",
        " goes to ",
        " go to ",
        " go back ",
        " we ",
        " return to ",
        " zurück ",
        " geht an ",
        " retour ",
        " va a ",
        " va al",
        " va en ",
        " pasa a ",
        " pasa al",
        " vuelve a",
        " torna a",
        " passa a",
    ];
    if body.contains([',', ':', '→']) {
        return None;
    }
    let lower = body.to_lowercase();
    if lower.len() != body.len() {
        return None;
    }
    // “under 50€ support refunds right away”: the amount ends the condition.
    const LIMITS: &[&str] = &[
        "under ",
        "over ",
        "above ",
        "below ",
        "more than ",
        "less than ",
        "at least ",
        "unter ",
        "über ",
        "mehr als ",
        "weniger als ",
    ];
    let limit = crate::read::amounts::next_amount(body, 0).filter(|amount| {
        LIMITS.iter().any(|lead| lower.trim_start().starts_with(lead))
            && body[..amount.start].split_whitespace().count() <= 3
            && body[amount.end..].split_whitespace().count() >= 2
    });
    if let Some(amount) = limit {
        return Some((body[..amount.end].trim(), body[amount.end..].trim()));
    }
    if let Some(at) =
        TURNS.iter().filter_map(|turn| lower.find(turn)).min().filter(|at| body[..*at].split_whitespace().count() <= 6)
    {
        return Some((body[..at].trim(), body[at..].trim()));
    }
    let stated =
        STATING.iter().filter_map(|lead| text::strip_start(body.trim(), lead)).min_by_key(|rest| rest.len())?;
    let mut words = stated.split_whitespace();
    let mut word = words.next()?;
    if matches!(word, "a" | "an" | "the" | "not" | "ein" | "eine" | "un" | "une") {
        word = words.next()?;
    }
    let at = stated.find(word)? + word.len();
    let action = stated[at..].trim();
    let condition = &body.trim()[..body.trim().len() - stated.len() + at];
    (!action.is_empty()).then_some((condition, action))
}

fn split_condition(body: &str) -> Option<(&str, &str)> {
    for sign in [" → ", "→", ", then ", " then ", ", dann ", ": ", ", ", " – "] {
        if let Some((condition, rest)) =
            body.split_once(sign).filter(|(condition, rest)| !condition.trim().is_empty() && !rest.trim().is_empty())
        {
            return Some((condition, rest));
        }
    }
    None
}

fn split_otherwise(rest: &str) -> (String, Option<String>) {
    let lower = rest.to_lowercase();
    if lower.len() != rest.len() {
        return (rest.to_owned(), None);
    }
    let at = ELSE
        .iter()
        .flat_map(|word| {
            [format!(", {word}"), format!("; {word}"), format!(" {word} "), format!(" {word}, "), format!(" – {word}")]
                .into_iter()
                .filter_map(|sign| {
                    lower.find(&sign).map(|at| (at, at + sign.find(|letter: char| letter.is_alphabetic()).unwrap_or(0)))
                })
                .collect::<Vec<_>>()
        })
        .min();
    match at {
        Some((end, start)) => (rest[..end].trim().to_owned(), Some(rest[start..].trim().to_owned())),
        None => (rest.to_owned(), None),
    }
}
