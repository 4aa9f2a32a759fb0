//! The words that a reading says and those that are obeyed, as they are looked up.

use std::collections::HashSet;

use crate::content::{Matter, Passage, words_of};
use crate::read::parts::Part;
use crate::read::reading::Reading;

/// The words that are accounted for.
pub struct Told {
    read: Words,
    obeyed: Words,
    has_chart: bool,
}

/// Words, and all their letters in a row, in which words that were joined are found, and those of scripts without blanks.
struct Words {
    all: HashSet<String>,
    letters: String,
}

impl Words {
    fn of(text: &str) -> Self {
        let all: HashSet<String> = tokens(text).map(|(_, word)| word).collect();
        Self { all, letters: tokens(text).map(|(_, word)| word).collect() }
    }

    fn has(&self, word: &str) -> bool {
        let may_be_joined = word.chars().count() > 3 && !word.bytes().all(|letter| letter.is_ascii_digit());
        self.all.contains(word) || may_be_joined && self.letters.contains(word)
    }
}

impl Told {
    /// What a reading says, and what of the brief is obeyed.
    pub fn of(reading: &Reading, obeyed: &str) -> Self {
        let mut said = head_of(reading);
        for part in &reading.parts {
            said.push('\n');
            said.push_str(&words_of_part(part));
        }
        let mut matters = reading.parts.iter().flat_map(|part| &part.matters);
        let has_chart = matters.any(|matter| matches!(matter, Matter::Chart { .. }));
        Self { read: Words::of(&said), obeyed: Words::of(&format!("{} {obeyed}", reading.mood)), has_chart }
    }

    /// Whether a word, in small letters, stands in the reading.
    pub fn stands(&self, word: &str) -> bool {
        // What a chart draws is written in a way of its own.
        self.read.has(word) || self.has_chart && word.starts_with(|first: char| first.is_ascii_digit())
    }

    /// Whether a word, in small letters, stands in the reading or is obeyed.
    pub fn has(&self, word: &str) -> bool {
        self.stands(word) || self.obeyed.has(word)
    }
}

/// What stands at the head of a reading.
pub fn head_of(reading: &Reading) -> String {
    format!("{}\n{}\n{}\n{}", reading.kicker, reading.title, reading.subtitle, reading.details.join("\n"))
}

/// The words of a part.
pub fn words_of_part(part: &Part) -> String {
    let mut words = part.title.clone();
    for matter in &part.matters {
        words.push('\n');
        words.push_str(&words_of(&Passage::new("", matter.clone())));
    }
    words
}

/// The words of a text in small letters, each with the place at which it begins.
pub fn tokens(text: &str) -> impl Iterator<Item = (usize, String)> {
    let is_of_word = |letter: char| letter.is_alphanumeric() || is_of_script(letter);
    let mut letters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while letters.peek().is_some_and(|(_, letter)| !is_of_word(*letter)) {
            letters.next();
        }
        let (begin, _) = *letters.peek()?;
        let mut word = String::new();
        while let Some((_, letter)) = letters.next_if(|(_, letter)| is_of_word(*letter)) {
            word.extend(letter.to_lowercase());
        }
        Some((begin, word))
    })
}

/// Marks of vowels and tones that are part of a word.
fn is_of_script(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{97f}' | '\u{e00}'..='\u{e7f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_head_and_parts() {
        let mut part = Part::named("Gates");
        part.take_text("They are old. Doors 19:30.", false);
        let reading = Reading { title: "Weir".to_owned(), parts: vec![part], ..Reading::default() };
        let told = Told::of(&reading, "dark blue");
        for word in ["weir", "gates", "old", "19", "30", "blue"] {
            assert!(told.has(word), "{word}");
        }
        assert!(!told.has("18") && !told.has("hinge"));
        assert!(told.has("dark") && !told.stands("dark"));
    }

    #[test]
    fn words_begin_where_they_stand() {
        assert_eq!(tokens("“Ab”, 3").collect::<Vec<_>>(), [(3, "ab".to_owned()), (10, "3".to_owned())]);
    }
}
