//! Where in a brief it is asked for the thing: the sentence is taken out, and where its paragraph stands apart, what else
//! stands there is instructions unless it is surely a fact.

use super::instructions::{self, Clause};
use super::lines::Line;
use super::naming;
use super::request::{self, Request};
use super::text;

/// The sentence that asks for the thing, taken out of the lines, and whether its paragraph stands apart from what the
/// thing shall say. Where it does, what else stands in that paragraph is instructions unless it is surely a fact.
pub fn take_request(lines: &mut [Line]) -> (Request, bool) {
    let texts: Vec<usize> =
        (0..lines.len()).filter(|at| matches!(lines[*at], Line::Text(_) | Line::Heading(_))).collect();
    // At the beginning, where people ask, else at the end.
    let candidates: Vec<usize> = texts.iter().take(3).chain(texts.last()).copied().collect();
    for at in candidates {
        let (Line::Text(words) | Line::Heading(words)) = &lines[at] else { continue };
        let mut sentences = text::sentences(words);
        let Some(place) = sentences.iter().take(6).position(|sentence| request::is_request(sentence)) else { continue };
        let sentence = sentences.remove(place);
        let is_apart = stands_apart(lines, at);
        let mut read = request::read(&sentence, is_apart);
        lines[at] = Line::Blank;
        if is_apart {
            let (from, to) = paragraph_around(lines, at);
            for line in &mut lines[from..to] {
                if let Line::Text(words) | Line::Heading(words) = line {
                    sentences.extend(text::sentences(words));
                    *line = Line::Blank;
                }
            }
            let mut kept = Vec::new();
            for sentence in sentences {
                if is_lead(&sentence) {
                    continue;
                }
                let is_list = text::label(&sentence)
                    .is_some_and(|(label, body)| text::items(body).len() >= 3 && !instructions::is_label(label));
                match instructions::judge_of_request(&sentence) {
                    Clause::Content(content) => kept.push(content),
                    Clause::Instruction if is_list || naming::named_by(&sentence).is_some() => kept.push(sentence),
                    Clause::Instruction => {
                        read.instructions.push_str(", ");
                        read.instructions.push_str(&sentence);
                    }
                }
            }
            if !kept.is_empty() {
                lines[at] = Line::Text(kept.join(". "));
            }
        } else {
            let rest = sentences.join(" ");
            if !rest.is_empty() {
                lines[at] = Line::Text(rest);
            }
        }
        return (read, is_apart);
    }
    (Request::default(), false)
}

/// “Text:”, “see below:” lead to what follows and say nothing.
fn is_lead(sentence: &str) -> bool {
    sentence.trim_end().ends_with(':') && sentence.split_whitespace().count() <= 3
}

/// Where the paragraph of a line begins and ends.
fn paragraph_around(lines: &[Line], at: usize) -> (usize, usize) {
    let is_part = |line: &Line| matches!(line, Line::Text(_) | Line::Heading(_));
    let mut from = at;
    while from > 0 && is_part(&lines[from - 1]) {
        from -= 1;
    }
    let mut to = at + 1;
    while to < lines.len() && is_part(&lines[to]) {
        to += 1;
    }
    (from, to)
}

/// Whether a paragraph of its own asks, and others say what the thing shall say.
fn stands_apart(lines: &[Line], at: usize) -> bool {
    let (from, to) = paragraph_around(lines, at);
    let is_brief = to - from <= 3;
    let is_bounded = matches!(lines.get(to), Some(Line::Blank | Line::Item(..) | Line::Marked(_)))
        || to == lines.len() && from > 0 && matches!(lines[from - 1], Line::Blank);
    let others = lines
        .iter()
        .enumerate()
        .filter(|(place, line)| (*place < from || *place >= to) && !matches!(line, Line::Blank))
        .count();
    let words: usize = lines
        .iter()
        .enumerate()
        .filter(|(place, _)| *place < from || *place >= to)
        .map(|(_, line)| match line {
            Line::Text(words) | Line::Heading(words) | Line::Item(_, words) | Line::Marked(words) => {
                words.split_whitespace().count()
            }
            Line::Blank => 0,
        })
        .sum();
    is_brief && is_bounded && (others >= 2 || words >= 8)
}

/// What stands below a request has its own title where the request names none by a name of its own.
pub fn settle_title(request: &mut Request, lines: &[Line]) {
    let is_strong = request.is_named;
    let first = lines.iter().enumerate().find(|(_, line)| !matches!(line, Line::Blank));
    let Some((at, Line::Text(words) | Line::Heading(words))) = first else { return };
    let is_short = words.chars().count() <= 70 && text::sentences(words).len() <= 2;
    let is_plain = text::label(words).is_none() || matches!(lines[at], Line::Heading(_));
    let titled = text::label(words).is_some_and(|(label, _)| {
        matches!(
            label.to_lowercase().as_str(),
            "title" | "titel" | "cover" | "headline" | "titre" | "título" | "titolo"
        )
    });
    if !is_strong && ((is_short && is_plain) || titled) {
        let subject = std::mem::take(&mut request.title);
        request.instructions.push_str(", ");
        request.instructions.push_str(&subject);
        request.subtitle.clear();
    }
}
