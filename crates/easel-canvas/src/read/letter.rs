//! A letter that is to be set: what stands at its head, what it is about, and the words from its greeting to its end.
//!
//! What holds: a letter is told by the greeting of its readers with whole sentences behind it, whatever gaps its lines
//! have. Deliberately not here: the letter in which somebody asks for the thing (`mail`), whose greeting stands first.

use super::lines::Line;
use super::{dates, request, text};

/// The head of a letter has no more lines.
const MOST_HEAD_LINES: usize = 12;

/// Behind the greeting of a letter stand no more headings.
const MOST_HEADINGS: usize = 2;

/// Words that lead to what a letter is about.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &["re", "subject", "regarding", "betreff", "betr", "betr.", "objet", "asunto", "oggetto", "concerne"];

/// Words that lead to whom a letter goes.
const RECIPIENTS: &[&str] = &["to", "an", "à", "a", "al", "para", "per", "für", "for", "attn", "z.hd.", "c/o"];

/// A letter among the lines of a brief.
#[derive(Debug, PartialEq, Eq)]
pub struct Letter {
    /// What stands above the greeting beside the subject.
    pub head: Vec<String>,
    /// What it is about; may be empty.
    pub subject: String,
    /// Where it greets.
    pub greeting: usize,
}

/// The letter that lines are; `None` where they are none.
pub fn of_lines(lines: &[Line]) -> Option<Letter> {
    let greeting = greeting_in(lines)?;
    // A book may greet its readers, too, before its chapters.
    let chapters = lines[greeting + 1..].iter().filter(|line| matches!(line, Line::Heading(_))).count();
    if chapters > MOST_HEADINGS {
        return None;
    }
    let mut head: Vec<String> = Vec::new();
    for line in &lines[..greeting] {
        match line {
            Line::Text(words) | Line::Heading(words) => head.push(words.trim().to_owned()),
            Line::Blank => {}
            _ => return None,
        }
    }
    let is_head = head.len() <= MOST_HEAD_LINES && head.iter().all(|line| line.split_whitespace().count() <= 14);
    is_head.then(|| {
        let subject = take_subject(&mut head);
        Letter { head, subject, greeting }
    })
}

/// Sets the line that asks for a letter apart from the letter, where nothing but a line break stands between them.
pub fn set_apart(lines: &mut Vec<Line>) {
    let Some(first) = lines.iter().position(|line| !matches!(line, Line::Blank)) else { return };
    let asks = matches!(&lines[first], Line::Text(words) | Line::Heading(words)
        if text::sentences(words).iter().any(|sentence| request::is_request(sentence)));
    let is_close = matches!(lines.get(first + 1), Some(Line::Text(_) | Line::Heading(_)));
    if asks && is_close && greeting_in(lines).is_some_and(|greeting| greeting > first) {
        lines.insert(first + 1, Line::Blank);
    }
}

/// Where lines greet their readers, with whole sentences behind.
fn greeting_in(lines: &[Line]) -> Option<usize> {
    let at = lines.iter().position(|line| match line {
        Line::Text(words) | Line::Heading(words) => greets(words),
        _ => false,
    })?;
    let tells = |line: &Line| matches!(line, Line::Text(words) if words.split_whitespace().count() >= 6 && words.contains(['.', '!', '?']));
    lines[at..].iter().any(tells).then_some(at)
}

/// Whether a line begins as letters do that are sent to those who read them: “Dear residents,”, “Liebe Eltern, am …”.
pub fn greets(words: &str) -> bool {
    #[rustfmt::skip]
    const SALUTES: &[&str] = &[
        "dear", "liebe", "lieber", "sehr", "werte", "werter", "cher", "chers", "chère", "chères", "estimado", "estimada", "estimados", "estimadas", "querido",
        "querida", "queridos", "queridas", "caro", "cara", "cari", "care", "gentile", "gentili", "egregio", "egregi", "spettabile", "beste", "geachte",
    ];
    const FAREWELLS: &[&str] = &["grüße", "grüsse", "gruß", "regards", "wishes"];
    let head = words.split([',', ':', '!', '.']).next().unwrap_or_default();
    let named = text::words(head);
    let is_addressed = named.first().is_some_and(|first| SALUTES.contains(&first.as_str()))
        && (2..=7).contains(&named.len())
        && !named.iter().any(|word| FAREWELLS.contains(&word.as_str()))
        && !head.chars().any(|letter| letter.is_ascii_digit());
    // Without a mark behind it a greeting is all of its line.
    is_addressed && (head.len() < words.len() || named.len() <= 5)
}

/// What a letter is about: behind a word that says so, else the last line of its head that is no day, no address and nobody's
/// name.
fn take_subject(head: &mut Vec<String>) -> String {
    let labelled = head.iter().position(|line| {
        text::label(line)
            .is_some_and(|(label, body)| SUBJECTS.contains(&label.to_lowercase().as_str()) && !body.is_empty())
    });
    if let Some(at) = labelled {
        let line = head.remove(at);
        return text::label(&line).map(|(_, body)| text::capitalize(body)).unwrap_or_default();
    }
    match head.last() {
        Some(last) if is_subject(last) => head.pop().unwrap_or_default(),
        _ => String::new(),
    }
}

fn is_subject(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default().to_lowercase();
    let has_day = || {
        text::clauses(line)
            .iter()
            .any(|clause| dates::begins_with_date(clause) && clause.split_whitespace().count() <= 5)
    };
    let is_address = || first.len() <= 6 && first.starts_with(|letter: char| letter.is_ascii_digit());
    !RECIPIENTS.contains(&first.trim_end_matches(':')) && !line.contains('@') && !has_day() && !is_address()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::lines;

    #[test]
    fn a_letter_is_told_by_its_greeting() {
        let lines = lines::read(
            "Quill Housing\n4 Mill Lane\n9 March 2026\nWater off on Tuesday\nDear tenants,\nthe water is turned off from nine to three.\nYours, Ada",
        );
        let letter = of_lines(&lines).expect("a letter");
        assert_eq!(letter.subject, "Water off on Tuesday");
        assert_eq!(letter.head, ["Quill Housing", "4 Mill Lane", "9 March 2026"]);
        for text in ["Dear Tom, happy birthday", "Liebe Grüße\nAna", "Summer fair\nDear to all of us\n3 May"] {
            assert_eq!(of_lines(&lines::read(text)), None, "{text}");
        }
    }

    #[test]
    fn what_it_is_about_may_stand_behind_a_word() {
        let lines = lines::read(
            "Ada Lund\nBetreff: Kündigung\nBonn, 3. Mai 2026\nSehr geehrte Frau Rose,\nhiermit kündige ich den Vertrag zum Ende des Jahres.",
        );
        let letter = of_lines(&lines).expect("a letter");
        assert_eq!((letter.subject.as_str(), letter.head.len()), ("Kündigung", 2));
    }
}
