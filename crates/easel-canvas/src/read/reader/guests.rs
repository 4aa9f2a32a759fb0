//! What stands beside the dishes of a menu and is not said to its guests: somebody speaks of themselves to whoever makes it.
//!
//! A house says “we” to its guests; who writes a brief says “I”. Deliberately not here: sentences that ask for something,
//! which are told anywhere (`instructions`, `maker`).

use super::state::Reader;
use crate::read::courses::is_course;
use crate::read::text;

/// Words by which one person speaks of themselves.
const SELF: &[&str] = &["i", "im", "i'm", "ive", "i've", "i'll", "i'd"];

/// Beginnings of what is asked of or left to one person.
#[rustfmt::skip]
const TO_ONE: &[&str] = &[
    "can u", "can you", "could you", "could it", "can it", "can we have it", "would you", "you decide", "u decide", "up to you", "u the best",
    "you the best", "you're the best", "or is that", "is that", "whatever you", "for the signmaker", "for the designer", "for the printer",
    "du entscheidest", "kannst du", "könntest du", "tu peux", "peux-tu", "puedes", "puoi", "podes", "kun je",
];

/// Words of those who make and print a thing.
#[rustfmt::skip]
const OF_MAKERS: &[&str] = &[
    "heading", "headline", "designer", "signmaker", "whiteboard", "clipart", "clip-art", "laminate", "laminated", "copier", "drukować", "drucken",
    "imprimer", "imprimir", "stampare",
];

impl Reader {
    /// Takes what is said to whoever makes a menu out of what stands beside its dishes.
    pub(super) fn set_apart_from_guests(&mut self) {
        if !self.is_menu() {
            return;
        }
        self.instructions.extend(self.details.extract_if(.., |words| is_said_to_maker(words)));
        self.call_by_shouted();
    }

    /// “THE PLOUGH AT NETHER WICK” on a line of its own is what a menu is called, more than a sentence before it.
    fn call_by_shouted(&mut self) {
        let is_shouted = |words: &str| {
            (2..=6).contains(&words.split_whitespace().count())
                && !words.contains(|letter: char| letter.is_lowercase() || letter.is_ascii_digit())
                && words.contains(char::is_alphabetic)
                && !is_course(words)
        };
        let is_sentence = self.title.split_whitespace().count() >= 3 && self.title.contains(char::is_lowercase);
        if !is_sentence {
            return;
        }
        if let Some(at) = self.details.iter().position(|words| is_shouted(words)) {
            let said = std::mem::replace(&mut self.title, self.details.remove(at));
            self.instructions.push(said);
            self.request.kicker.clear();
        }
    }
}

fn is_said_to_maker(words: &str) -> bool {
    let lower = words.trim().to_lowercase().replace('’', "'");
    let all = text::words(&lower);
    // “i primi” and “jajka i szynka” are no English.
    let is_english = all.iter().any(|word| {
        matches!(word.as_str(), "the" | "to" | "so" | "it" | "them" | "you" | "am" | "have" | "want" | "went")
    });
    let speaks = is_english
        && lower.split(|letter: char| !(letter.is_alphanumeric() || letter == '\'')).any(|word| SELF.contains(&word));
    let has_number = lower.contains(|letter: char| letter.is_ascii_digit());
    speaks
        || TO_ONE.iter().any(|lead| text::strip_start(&lower, lead).is_some())
        || !has_number && all.iter().any(|word| OF_MAKERS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::is_said_to_maker;

    #[test]
    fn a_house_says_we_and_who_writes_says_i() {
        for words in [
            "I am not sure about \"Gentlemen\", would \"Men\" be better?",
            "The flavours change so put them where i can wipe it, i have a whiteboard pen",
            "Could it be in a bone shape??",
            "You decide",
            "For the signmaker: 900 x 1200 mm",
        ] {
            assert!(is_said_to_maker(words), "{words}");
        }
        for words in [
            "Ask us what else is open tonight",
            "Deposit 40, you lose it if you dont show",
            "Contorni e primi, i dolci",
            "Printing from 15p a page",
            "Is it vegan? Ask at the bar",
        ] {
            assert!(!is_said_to_maker(words), "{words}");
        }
    }
}
