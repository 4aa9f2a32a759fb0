//! What is needed and what is to be done: a paragraph of things to do, behind the ingredients of a recipe or the material of an
//! instruction, is steps, one sentence each.
//!
//! Deliberately not here: numbered lists, which are steps by their numbers (`listed`).

use super::state::Reader;
use crate::content::{Matter, Point};
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::lines::Line;
use crate::read::parts::Part;
use crate::read::text;

/// Words before what is needed.
#[rustfmt::skip]
const NEEDS: &[&str] = &[
    "you need", "you'll need", "you’ll need", "you will need", "what you need", "needed", "ingredients", "materials", "tools", "supplies", "zutaten", "das braucht ihr",
    "das brauchst du", "du brauchst", "ihr braucht", "sie brauchen", "man braucht", "man nehme", "material", "materialien", "werkzeug", "ingrédients", "il faut",
    "il vous faut", "matériel", "ingredientes", "se necesita", "necesitas", "materiales", "ingredienti", "occorrente", "servono", "ingrediënten",
];

/// First words of a sentence that tells something and says nothing to do.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "it", "its", "it's", "they", "we", "i", "you", "he", "she", "my", "our", "your", "their", "there", "here",
    "der", "die", "das", "ein", "eine", "es", "sie", "wir", "ich", "er", "dies", "diese", "dieser", "unser", "unsere", "mein", "meine", "le", "la", "les", "un", "une",
    "il", "elle", "on", "nous", "ce", "cette", "el", "los", "las", "una", "esto", "este", "lo", "gli", "questo", "questa",
];

/// So many sentences at least are steps.
const LEAST_STEPS: usize = 3;

/// A step of more letters stands in reading type, and all of its kind do then.
const MOST_LETTERS_OF_A_HEAD: usize = 80;

/// What is said behind the steps has at most so many words.
const MOST_WORDS_BEHIND: usize = 24;

/// Whether a line says what is needed.
fn names_needs(line: &Line) -> bool {
    let is_lead = |words: &str| {
        let lower = words.trim().trim_end_matches(':').to_lowercase();
        NEEDS.iter().any(|lead| text::strip_start(&lower, lead).is_some()) && lower.split_whitespace().count() <= 7
    };
    match line {
        Line::Heading(words) => is_lead(words),
        Line::Text(words) => text::label(words).is_some_and(|(label, _)| is_lead(label)),
        _ => false,
    }
}

/// Whether a sentence says what to do: “Melt the butter.”, “Die Butter schmelzen.”
fn instructs(sentence: &str) -> bool {
    let words = text::words(sentence);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    // “Den Teig eine Stunde ruhen lassen” ends with what is done.
    let ends_with_verb = last.ends_with("en") || last.ends_with("eln") || last.ends_with("ern");
    let is_third_person = first.ends_with('s') && !first.ends_with("ss") && first.is_ascii() && words.len() > 1;
    ends_with_verb || !TELLING.contains(&first.as_str()) && !is_third_person
}

impl Reader {
    /// Takes a paragraph of things to do that stands behind what is needed, and what is said behind the last step; where it ends.
    pub(super) fn take_recipe(&mut self, lines: &[Line], from: usize) -> Option<usize> {
        let is_of_kind = matches!(self.kind, Kind::Document | Kind::OnePager | Kind::Poster | Kind::Infographic);
        if !is_of_kind || !lines[..from].iter().any(names_needs) {
            return None;
        }
        let paragraph: Vec<&str> = lines[from..]
            .iter()
            .map_while(|line| match line {
                Line::Text(words) if !names_needs(line) => Some(words.as_str()),
                _ => None,
            })
            .collect();
        let sentences: Vec<String> = paragraph.iter().flat_map(|words| text::sentences(words)).collect();
        let are_content = paragraph.iter().all(|words| matches!(instructions::judge(words), Clause::Content(_)));
        if sentences.is_empty() || !are_content {
            return None;
        }
        let count = sentences.iter().filter(|sentence| instructs(sentence)).count();
        if sentences.len() >= LEAST_STEPS && count * 3 >= sentences.len() * 2 {
            self.take_steps(&sentences);
        } else if !self.take_behind_steps(&paragraph) {
            return None;
        }
        Some(from + paragraph.len())
    }

    /// Adds steps to the part that is headed for them, else as a part of their own.
    fn take_steps(&mut self, sentences: &[String]) {
        self.note_content(&sentences.join(" "));
        let is_long = sentences.iter().any(|sentence| sentence.chars().count() > MOST_LETTERS_OF_A_HEAD);
        let step = |sentence: &String| {
            if is_long {
                Point::new("", text::capitalize(sentence))
            } else {
                Point::new(text::capitalize(sentence.trim_end_matches('.')), "")
            }
        };
        let steps = Matter::Steps { lead: String::new(), points: sentences.iter().map(step).collect() };
        let is_headed = self.is_within && self.parts.last().is_some_and(|part| part.matters.is_empty());
        if is_headed {
            self.part().add(steps);
        } else {
            self.parts.push(Part { title: String::new(), matters: vec![steps], is_named: false });
        }
        self.is_within = false;
    }

    /// “Goes with cream. Freezes badly.”: a few words behind the last step belong to the whole; says whether they were taken.
    fn take_behind_steps(&mut self, paragraph: &[&str]) -> bool {
        let follows = self.parts.last().is_some_and(|part| matches!(part.matters.as_slice(), [Matter::Steps { .. }]));
        let said = paragraph.join(" ");
        let is_said = follows
            && !self.is_within
            && text::label(&said).is_none()
            && said.split_whitespace().count() <= MOST_WORDS_BEHIND;
        if is_said {
            self.note_content(&said);
            self.details.push(text::capitalize(said.trim()));
        }
        is_said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_is_to_be_done() {
        for sentence in ["Melt the butter.", "Press the dough flat.", "Die Eier trennen.", "Mehl sieben", "Then wait."]
        {
            assert!(instructs(sentence), "{sentence}");
        }
        for sentence in ["Goes with cream.", "The cake freezes badly.", "It serves eight.", "Der Kuchen schmeckt kalt."]
        {
            assert!(!instructs(sentence), "{sentence}");
        }
    }
}
