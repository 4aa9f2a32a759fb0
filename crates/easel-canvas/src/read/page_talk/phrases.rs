//! Words in their order: where on a page something shall stand, and how large, as one says it in passing: “at the very
//! bottom”, “in smaller letters”, “auf die erste Folie”.
//!
//! Each function is told where to look and returns how many words belong to the phrase; zero is never returned. Deliberately
//! not here: what stands behind such a phrase (`directions::dictated`).

use super::vocabulary::{
    is_adverb, is_beside, is_grade, is_of_look, is_piece, is_place, is_pointing, is_preposition, is_sheet, stands_for,
};
use crate::read::{colors, narrated};

/// A word of a sentence and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// Where it begins.
    pub start: usize,
    /// Where it ends, without the mark behind it.
    pub end: usize,
    /// It, in small letters.
    pub lower: String,
    /// Whether a mark stands before it that opens a quotation.
    pub is_quoted: bool,
    /// The mark behind it.
    pub mark: Option<char>,
}

/// The words of a text; none where its small letters stand at other places.
pub fn words_of(text: &str) -> Vec<Word> {
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return Vec::new();
    }
    let mut words = Vec::new();
    let mut at = 0;
    for raw in lower.split(char::is_whitespace) {
        let bare = raw.trim_start_matches(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '@' | '#'));
        let start = at + raw.len() - bare.len();
        let word = bare.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        if !word.is_empty() {
            words.push(Word {
                start,
                end: start + word.len(),
                lower: word.to_owned(),
                is_quoted: raw.starts_with(['"', '“', '„', '«', '»', '「']),
                mark: bare[word.len()..].chars().next(),
            });
        }
        at += raw.len() + 1;
    }
    // Other blanks than one byte would set every later place off.
    let are_true = words.iter().all(|word| lower.get(word.start..word.end) == Some(word.lower.as_str()));
    if are_true { words } else { Vec::new() }
}

/// The word at a place, or nothing.
pub fn word_at(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.lower.as_str())
}

fn count_while(words: &[Word], from: usize, holds: impl Fn(&str) -> bool) -> usize {
    words[from.min(words.len())..].iter().take_while(|word| holds(&word.lower)).count()
}

/// Words that make a place more exact: “right at the top”, “ganz unten”.
fn is_exact(word: &str) -> bool {
    matches!(
        word,
        "right"
            | "just"
            | "directly"
            | "very"
            | "all"
            | "way"
            | "ganz"
            | "direkt"
            | "gleich"
            | "tout"
            | "juste"
            | "justo"
            | "proprio"
            | "weiter"
            | "upper"
            | "lower"
            | "far"
            | "obere"
            | "oberen"
            | "untere"
            | "unteren"
            | "linke"
            | "linken"
            | "rechte"
            | "rechten"
    )
}

fn is_article(word: &str) -> bool {
    is_pointing(word) || matches!(word, "a" | "an" | "ein" | "eine" | "einer" | "einem" | "un" | "une" | "una")
}

/// How many words name a place on the page.
pub fn place_at(words: &[Word], at: usize) -> Option<usize> {
    let begin = at + count_while(words, at, is_exact);
    let length = beside_at(words, begin)
        .or_else(|| adverb_at(words, begin))
        .or_else(|| page_at(words, begin))
        .or_else(|| within_at(words, begin))?;
    // “at the bottom of the page”, “unten rechts”, “unten auf dem Plakat”.
    let mut end = begin + length;
    let more = count_while(words, end, |word| is_place(word) && !matches!(word, "end" | "fin"));
    end += more;
    if matches!(word_at(words, end), "of" | "del" | "de" | "du" | "vom" | "von" | "della" | "auf" | "on") {
        let behind = end + 1 + count_while(words, end + 1, is_article);
        if is_sheet(word_at(words, behind)) {
            end = behind + 1;
        } else if matches!(word_at(words, behind), "it" | "todo" | "that")
            || behind > end + 1 && word_at(words, behind - 1) == "it"
        {
            end = behind.max(end + 2);
        }
    } else if word_at(words, end) == "all" {
        end += 1;
    }
    Some(end - at)
}

/// “underneath”, “ganz unten links”; a word that also begins a phrase of the world needs a mark or a verb behind it.
fn adverb_at(words: &[Word], at: usize) -> Option<usize> {
    is_adverb(word_at(words, at))
        .then(|| 1 + count_while(words, at + 1, |word| is_adverb(word) || matches!(word, "that" | "this" | "davon")))
}

/// “below that”, “under the title”, “unter den Namen”.
fn beside_at(words: &[Word], at: usize) -> Option<usize> {
    if !(is_beside(word_at(words, at)) || word_at(words, at) == "next" && word_at(words, at + 1) == "to") {
        return None;
    }
    let next = at + 1 + usize::from(word_at(words, at) == "next");
    if stands_for(word_at(words, next)) && !is_piece(word_at(words, next + 1)) {
        return Some(next + 1 - at);
    }
    let noun = next + count_while(words, next, is_article);
    (noun > next && is_piece(word_at(words, noun))).then_some(noun + 1 - at)
}

/// “at the very bottom”, “in der Mitte”, “en haut”.
fn within_at(words: &[Word], at: usize) -> Option<usize> {
    if !is_preposition(word_at(words, at)) {
        return None;
    }
    let noun = at
        + 1
        + count_while(words, at + 1, |word| is_article(word) || is_exact(word) || word == "bottom" || word == "top");
    let last = if is_place(word_at(words, noun)) { noun } else { noun - 1 };
    (last > at && is_place(word_at(words, last))).then_some(last + 1 - at)
}

/// “on the last card”, “on slide 3”, “auf die erste Folie”, “on the first one”, “auf der Karte”.
pub fn page_at(words: &[Word], at: usize) -> Option<usize> {
    let from = at + usize::from(is_preposition(word_at(words, at)));
    let noun = from + count_while(words, from, is_article);
    let ordinals = count_while(words, noun, narrated::is_ordinal);
    let page = noun + ordinals;
    if ordinals > 0 && (is_sheet(word_at(words, page)) || word_at(words, page) == "one") {
        return Some(page + 1 - at);
    }
    // “on the first it says”.
    if ordinals > 0 && from > at && noun > from {
        return Some(page - at);
    }
    if from == at || !is_sheet(word_at(words, page)) {
        return None;
    }
    let is_number = word_at(words, page + 1).chars().all(|letter| letter.is_ascii_digit());
    Some(page + 1 + usize::from(is_number && page + 1 < words.len()) - at)
}

/// How many words say how large or in what hand: “in smaller letters”, “en très grand”, “ganz klein”, “in something curly”.
pub fn manner_at(words: &[Word], at: usize) -> Option<usize> {
    let lead = count_while(words, at, |word| {
        matches!(
            word,
            "really"
                | "very"
                | "quite"
                | "nice"
                | "and"
                | "schön"
                | "ganz"
                | "sehr"
                | "bien"
                | "muy"
                | "molto"
                | "bitte"
                | "so"
                | "a"
                | "bit"
        )
    });
    if is_grade(word_at(words, at + lead)) {
        return Some(
            lead + count_while(words, at + lead, |word| {
                is_grade(word) || matches!(word, "and" | "und" | "als" | "than")
            }),
        );
    }
    if !matches!(word_at(words, at), "in" | "with" | "mit" | "en" | "con" | "as") {
        return None;
    }
    (1..=4)
        .find(|count| {
            let word = word_at(words, at + count);
            // “in the blue bin”: a colour before its thing is none of a page.
            let is_colored = colors::names_color(word)
                && words.get(at + count).is_some_and(|color| {
                    color.mark.is_some()
                        || at + count + 1 == words.len()
                        || matches!(
                            word_at(words, at + count + 1),
                            "and" | "und" | "et" | "y" | "e" | "on" | "please" | "bitte"
                        )
                });
            (is_manner(word) || is_colored) && (1..*count).all(|between| is_between(word_at(words, at + between)))
        })
        .map(|count| count + 1)
}

fn is_manner(word: &str) -> bool {
    matches!(
        word,
        "letters"
            | "type"
            | "print"
            | "font"
            | "caps"
            | "capitals"
            | "italics"
            | "bold"
            | "handwriting"
            | "script"
            | "curly"
            | "schrift"
            | "buchstaben"
            | "lettres"
            | "caractères"
            | "letras"
            | "lettere"
            | "caratteri"
            | "cursive"
            | "kursiv"
            | "fett"
            | "groß"
            | "klein"
            | "grand"
            | "gros"
            | "petit"
            | "grande"
            | "piccolo"
            | "pequeño"
    )
}

fn is_between(word: &str) -> bool {
    is_article(word)
        || is_grade(word)
        || is_of_look(word)
        || matches!(
            word,
            "something"
                | "etwas"
                | "very"
                | "really"
                | "très"
                | "muy"
                | "molto"
                | "ganz"
                | "big"
                | "kleinerer"
                | "großer"
                | "kleiner"
        )
}

/// Where words name a piece of information that is pointed at, or with which the words begin: “the date”, “Phone number”.
pub fn piece_in(words: &[Word]) -> Option<usize> {
    (0..words.len()).find(|at| {
        let word = word_at(words, *at);
        is_piece(word)
            && !words[*at].is_quoted
            && (*at <= 1
                || super::vocabulary::has_article(word)
                || (1..=3).any(|back| at.checked_sub(back).is_some_and(|before| is_pointing(word_at(words, before)))))
    })
}
