//! Directions that stand among what a thing says: sentences that dictate (“below that put …”) become what they dictate, and
//! sentences that speak of the page (“make the date really big”) are taken out, to be obeyed.
//!
//! What holds: the sentence that asks for the thing stays, and no word that is said is lost. Deliberately not here: what stands
//! around a letter (`mail`), notes at the end and in brackets (`asides`), clauses made of words of looks (`style`).

mod dictated;

use super::lines::Line;
use super::maker::taken_back;
use super::{maker, naming, narrated, parts, request, text};
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
    let headline = headline_call(lines);
    for (at, line) in lines.drain(..).enumerate() {
        match line {
            line if asking == Some(at) => kept.push(line),
            Line::Text(words) | Line::Heading(words) if headline == Some(at) => {
                kept.push(Line::Text(format!("Title: {words}")));
            }
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

/// “Make it loud”, over the lines of a poster: a call that has the form of a wish, in the place of the title.
fn headline_call(lines: &[Line]) -> Option<usize> {
    let begin = lines.iter().position(|line| !matches!(line, Line::Blank))?;
    let end = begin + lines[begin..].iter().position(|line| matches!(line, Line::Blank))?;
    let at = end + lines[end..].iter().position(|line| !matches!(line, Line::Blank))?;
    let (Line::Text(words) | Line::Heading(words), Some(Line::Text(next))) = (&lines[at], lines.get(at + 1)) else {
        return None;
    };
    let called = text::words(words);
    let is_call =
        matches!(called.first().map(String::as_str), Some("make" | "keep" | "mach" | "macht" | "haltet" | "halt"))
            && matches!(called.get(1).map(String::as_str), Some("it" | "this" | "es"));
    let is_headline = (3..=5).contains(&called.len())
        && words.starts_with(char::is_uppercase)
        && !words.contains([',', '.', ':'])
        && !called.iter().any(|word| matches!(word.as_str(), "please" | "pls" | "bitte" | "not" | "nicht"));
    (is_call && is_headline && !maker::speaks(next)).then_some(at)
}

/// Labels that the reader knows by themselves.
fn is_known(label: &str) -> bool {
    naming::is_title_label(label) || naming::is_under_label(label) || parts::is_place(label)
}

/// The words of a line without its directions; `None` where nothing else stands there.
fn strip_words(words: &str, obeyed: &mut Vec<String>) -> Option<String> {
    let mut heard: Vec<Heard> = Vec::new();
    let mut sentences = text::sentences(words);
    let taken_back = taken_back::strip(&mut sentences, request::is_request);
    for sentence in &sentences {
        hear(sentence, &mut heard);
    }
    // Beside the sentence that asks, wishes are read with it.
    let asks = sentences.iter().any(|sentence| request::is_request(sentence));
    let is_changed = |heard: &Heard| match heard {
        Heard::Kept(_) => false,
        Heard::Said(_) => true,
        Heard::Obeyed(_) => !asks,
    };
    if taken_back.is_empty() && !heard.iter().any(is_changed) {
        return Some(words.to_owned());
    }
    obeyed.extend(taken_back);
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
    if let Some((lead, words)) = text::label(sentence)
        .filter(|(lead, words)| naming::only_leads(lead) && !words.is_empty() && narrated::in_turn(words).is_empty())
    {
        heard.push(Heard::Said(Dictated {
            words: words.to_owned(),
            direction: lead.to_owned(),
            ..Dictated::default()
        }));
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

#[cfg(test)]
mod tests {
    use super::strip;
    use crate::read::lines::{self, Line};

    #[test]
    fn a_call_over_the_lines_of_a_poster_is_marked_as_its_title() {
        for call in ["Make it loud", "Mach es laut"] {
            let mut lines = lines::read(&format!("Poster A2, black\n\n{call}\nThe Tin Roofs\nFriday 9 October"));
            let read = lines.clone();
            strip(&mut lines);
            assert!(lines.contains(&Line::Text(format!("Title: {call}"))), "{read:?} became {lines:?}");
        }
        let mut lines = lines::read("Poster A2\n\nSummer fair\nMake it loud\nFriday 9 October");
        assert!(strip(&mut lines).contains("Make it loud"));
    }
}
