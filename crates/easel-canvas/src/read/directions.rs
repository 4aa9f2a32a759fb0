//! Directions that stand among what a thing says: sentences that dictate (“below that put …”) become what they dictate, and
//! sentences that speak of the page (“make the date really big”) are taken out, to be obeyed.
//!
//! What holds: the sentence that asks for the thing stays, and no word that is said is lost. Deliberately not here: what stands
//! around a letter (`mail`), notes at the end and in brackets (`asides`), clauses made of words of looks (`style`).

mod dictated;

use super::lines::Line;
use super::{maker, naming, parts, request, text};
use dictated::{Dictated, dictated, is_direction};

/// What a sentence comes to.
enum Heard {
    Kept(String),
    Said(Dictated),
    Obeyed(String),
}

/// Takes directions out of the lines; what they say, to be obeyed.
pub fn strip(lines: &mut Vec<Line>) -> String {
    let mut obeyed = Vec::new();
    let mut kept = Vec::with_capacity(lines.len());
    let asking = asking_line(lines);
    for (at, line) in lines.drain(..).enumerate() {
        match line {
            line if asking == Some(at) => kept.push(line),
            Line::Text(words) => {
                if let Some(words) = strip_words(&words, &mut obeyed) {
                    kept.push(Line::Text(words));
                }
            }
            Line::Item(is_numbered, words) => {
                if let Some(words) = strip_words(&words, &mut obeyed) {
                    kept.push(Line::Item(is_numbered, words));
                }
            }
            // Read as a heading because it ends with a colon: what follows says it.
            Line::Heading(words) if is_direction(&words) && !is_known(&words) => obeyed.push(words),
            other => kept.push(other),
        }
    }
    *lines = kept;
    obeyed.join(", ")
}

/// Where no line before it asks for a thing by its kind, the first question to whoever makes it asks for it.
fn asking_line(lines: &[Line]) -> Option<usize> {
    let asks = |line: &Line, is_asking: fn(&str) -> bool| match line {
        Line::Text(words) => text::sentences(words).iter().any(|sentence| is_asking(sentence)),
        _ => false,
    };
    let first = lines.iter().position(|line| asks(line, maker::asks))?;
    (!lines[..first].iter().any(|line| asks(line, request::is_request))).then_some(first)
}

/// Labels that the reader knows by themselves.
fn is_known(label: &str) -> bool {
    naming::is_title_label(label) || naming::is_under_label(label) || parts::is_place(label)
}

/// The words of a line without its directions; `None` where nothing else stands there.
fn strip_words(words: &str, obeyed: &mut Vec<String>) -> Option<String> {
    let mut heard: Vec<Heard> = Vec::new();
    for sentence in text::sentences(words) {
        hear(&sentence, &mut heard);
    }
    // Beside the sentence that asks, wishes are read with it.
    let asks = text::sentences(words).iter().any(|sentence| request::is_request(sentence));
    let is_changed = |heard: &Heard| match heard {
        Heard::Kept(_) => false,
        Heard::Said(_) => true,
        Heard::Obeyed(_) => !asks,
    };
    if !heard.iter().any(is_changed) {
        return Some(words.to_owned());
    }
    let mut said: Vec<String> = Vec::new();
    for one in heard {
        match one {
            Heard::Kept(sentence) => said.push(sentence),
            Heard::Obeyed(sentence) if asks => said.push(sentence),
            Heard::Obeyed(sentence) => obeyed.push(sentence),
            Heard::Said(told) => {
                obeyed.push(told.direction.clone());
                said.push(as_sentence(&told));
            }
        }
    }
    let last = said.len().saturating_sub(1);
    let text: Vec<String> = said
        .into_iter()
        .enumerate()
        .map(|(at, sentence)| {
            if at < last && !sentence.ends_with(['.', '!', '?', '…', ':']) {
                format!("{sentence}.")
            } else {
                sentence
            }
        })
        .collect();
    (!text.is_empty()).then(|| text.join(" "))
}

/// What is dictated in the form in which the reader knows its place.
fn as_sentence(told: &Dictated) -> String {
    let words = text::capitalize(told.words.trim().trim_end_matches(','));
    if told.is_title && words.split_whitespace().count() <= 12 {
        format!("Title: {words}")
    } else if told.page.is_empty() {
        words
    } else {
        format!("{}: {words}", text::capitalize(&told.page))
    }
}

/// Hears a sentence: what it dictates, what it asks, what it says.
fn hear(sentence: &str, heard: &mut Vec<Heard>) {
    // “Below it, small: …” has the form of a wish with its thing behind the colon.
    if let Some(told) = dictated::labelled(sentence) {
        heard.push(Heard::Said(told));
        return;
    }
    if request::is_request(sentence) {
        heard.push(Heard::Kept(sentence.to_owned()));
        return;
    }
    if let Some(told) = dictated(sentence) {
        heard.push(Heard::Said(told));
        return;
    }
    if maker::speaks(sentence) {
        heard.push(Heard::Obeyed(sentence.to_owned()));
        return;
    }
    heard.push(Heard::Kept(sentence.to_owned()));
}
