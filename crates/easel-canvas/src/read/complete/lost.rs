//! The pieces of a brief, and what of each of them is lost.
//!
//! What holds: a number, an address or a whole phrase can be lost; a small word alone cannot, because the reading turns phrases
//! round. Deliberately not here: where it goes (`place`).

use super::told::{Told, tokens};
use crate::read::instructions::{self, Clause};
use crate::read::lines::Line;
use crate::read::maker::{self, apart};
use crate::read::{amounts, asides, greeting, mail, naming, parts, request, text};

/// A clause, an item or a cell of a brief.
pub struct Piece {
    /// Its words.
    pub words: String,
    /// The number of its sentence among those of the brief.
    pub sentence: usize,
    /// Whether it is a thing of a list.
    pub is_item: bool,
    /// Whether its sentence may speak to whoever makes the thing.
    is_spoken: bool,
}

/// A word of fewer letters may be lost where a phrase is turned round.
const LEAST_LETTERS: usize = 4;

/// So many words of weight are a phrase: one of a list, and one of a sentence.
const LEAST_WORDS: (usize, usize) = (2, 3);

/// The pieces that lines say, in their order; to whom a sentence speaks is asked only where not all of it was read.
pub fn pieces_of(lines: &[Line], told: &Told) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut sentence = 0;
    for line in lines {
        let (words, is_item) = match line {
            Line::Item(_, words) | Line::Nested(_, words) => (words, true),
            Line::Heading(words) | Line::Text(words) => (words, false),
            Line::Marked(row) => {
                let cells = row.split('|').map(str::trim).filter(|cell| cell.chars().any(char::is_alphanumeric));
                pieces.extend(cells.map(|cell| {
                    sentence += 1;
                    Piece { words: cell.to_owned(), sentence, is_item: true, is_spoken: false }
                }));
                continue;
            }
            Line::Drawn(_) | Line::Blank => continue,
        };
        for said in text::sentences(words) {
            sentence += 1;
            let is_read = tokens(&said).all(|(_, word)| told.stands(&word));
            // Behind the colon of a sentence that asks stands what the thing says.
            let labelled = || text::label(&said).filter(|(_, body)| !body.is_empty() && request::is_request(&said));
            let (head, body) = match if is_read { None } else { labelled() } {
                Some((head, body)) => (head, body),
                None if !is_read && speaks(&said) => (said.as_str(), ""),
                None => ("", said.as_str()),
            };
            for (words, is_spoken) in [(head, true), (body, false)] {
                let clauses = text::clauses(words).into_iter().filter(|clause| !clause.is_empty());
                pieces.extend(clauses.map(|words| Piece { words, sentence, is_item, is_spoken }));
            }
        }
    }
    pieces
}

/// Whether a sentence speaks to whoever makes the thing, greets, thanks or only leads to what follows.
fn speaks(sentence: &str) -> bool {
    let first = text::words(sentence).into_iter().next().unwrap_or_default();
    request::is_request(sentence)
        || asides::is_lead(sentence)
        || maker::speaks(sentence)
        || apart::speaks_apart(sentence)
        || mail::is_farewell(sentence.trim_end_matches(['.', '!']))
        || greeting::is_greeting(&first)
        || sentence.trim_end().ends_with([':', '：'])
}

/// What of a piece is lost; `None` where nothing is.
pub fn lost_of(piece: &Piece, told: &Told) -> Option<String> {
    let words = piece.words.as_str();
    let is_obeyed = |words: &str| matches!(instructions::judge(words), Clause::Instruction);
    // A label only names what stands behind it.
    let body = match text::label(words).filter(|(_, body)| !body.is_empty()) {
        Some((label, _)) if instructions::is_label(label) => return None,
        Some((_, body)) => body,
        None => words,
    };
    if tokens(body).all(|(_, word)| told.stands(&word)) {
        return None;
    }
    let is_sure = surely_of_thing(piece);
    let all: Vec<(usize, String, bool)> = tokens(body)
        .map(|(at, word)| {
            let is_there = if is_sure { told.stands(&word) } else { told.has(&word) };
            (at, word, is_there)
        })
        .collect();
    let is_weighty = |word: &str| word.chars().count() >= LEAST_LETTERS || has_digit(word) || !word.is_ascii();
    let weighty = all.iter().filter(|(_, word, _)| is_weighty(word)).count();
    let missing = all.iter().filter(|(_, word, is_there)| !is_there && is_weighty(word)).count();
    let first = all.iter().position(|(_, _, is_there)| !is_there)?;
    let last = all.iter().rposition(|(_, _, is_there)| !is_there)?;
    let lacks_number = all.iter().any(|(_, word, is_there)| !is_there && has_digit(word));
    // “Card 2”: the place of a part is no fact of it.
    let is_hard = is_sure && (lacks_number || missing > 0 && body.contains('@'))
        || lacks_number && !piece.is_spoken && all.len() > 2 && !parts::is_place(words) && !speaks_of_making(words);
    let least = if piece.is_item { LEAST_WORDS.0 } else { LEAST_WORDS.1 };
    let is_whole = missing == weighty && missing >= least && !piece.is_spoken;
    if !is_hard && !is_whole || is_obeyed(words) {
        return None;
    }
    if is_whole || missing * 2 > weighty {
        return Some(words.trim().trim_end_matches(['.', ';', ',']).to_owned());
    }
    Some(span(body, all[first].0, all[last].0 + all[last].1.len())).filter(|words| !words.is_empty())
}

/// A part of a text with the signs that belong to the numbers at its ends.
fn span(text: &str, begin: usize, end: usize) -> String {
    // A small letter may be longer than the large one that was written.
    let end = (end.min(text.len())..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
    let begin = text[..begin].rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
    let behind = text[end..].split_whitespace().next().filter(|_| !text[end..].starts_with(char::is_whitespace));
    let signs = behind.map_or(0, str::len);
    text[begin..end + signs].trim().trim_end_matches(['.', ',', ';']).to_owned()
}

/// A price with its currency, an address or an hour in a clause that speaks to nobody: that is of the thing wherever it stands,
/// even where the reading took its sentence for an instruction.
fn surely_of_thing(piece: &Piece) -> bool {
    let words = piece.words.as_str();
    let is_priced = amounts::amounts(words).iter().any(|amount| amount.is_price(words) && !amount.prefix.is_empty());
    let is_address = words.split_whitespace().any(|word| word.contains('@') && word.contains('.'));
    let tells = is_priced || is_address || has_hour(words);
    // Of a sentence that asks, a clause of a few words that asks for nothing itself is a fact: “doors 19:30”.
    let is_spoken = piece.is_spoken && (words.split_whitespace().count() > 4 || request::is_request(words));
    tells && !is_spoken && !maker::speaks(words) && !apart::speaks_apart(words)
}

/// “19:30”, “13 Uhr”, “7 pm”, “20h30”.
fn has_hour(words: &str) -> bool {
    let lower = words.to_lowercase();
    let all: Vec<&str> = lower.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', '.', ';'])).collect();
    let is_number = |word: &str| {
        !word.is_empty()
            && word.len() <= 5
            && word.bytes().all(|letter| letter.is_ascii_digit() || matches!(letter, b':' | b'.'))
    };
    let is_clock = |word: &str| {
        word.split_once(':')
            .is_some_and(|(hour, minute)| minute.len() == 2 && is_number(word) && (1..=2).contains(&hour.len()))
    };
    all.iter().any(|word| is_clock(word))
        || all.windows(2).any(|pair| is_number(pair[0]) && matches!(pair[1], "uhr" | "pm" | "am" | "p.m" | "a.m"))
}

/// Whether a piece that is obeyed is a name and no wish: a few words with a large letter that are all of their sentence.
pub fn is_name(piece: &Piece, next: Option<&Piece>, told: &Told) -> bool {
    let words = piece.words.trim().trim_end_matches(['.', '!']);
    let count = words.split_whitespace().count();
    (1..=6).contains(&count)
        && !piece.is_spoken
        && !piece.is_item
        && next.is_none_or(|next| next.sentence != piece.sentence)
        && words.starts_with(|first: char| first.is_alphabetic() && !first.is_lowercase())
        && tokens(words).all(|(_, word)| !told.stands(&word))
        && naming::is_title(words)
        && !speaks_of_making(words)
        && matches!(instructions::judge_spoken(words), Clause::Content(_))
        && text::words(words).iter().all(|word| !instructions::is_style(word) && !instructions::is_sheet(word))
}

fn has_digit(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

/// Whether a number is one of pages, sizes or of what is handed over.
fn speaks_of_making(words: &str) -> bool {
    let lower = words.to_lowercase();
    instructions::page_count(&lower).is_some()
        || crate::brief::size_of_label(&lower).is_some()
        || matches!(instructions::judge(words), Clause::Instruction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::lines;
    use crate::read::reading::Reading;

    fn lost(prompt: &str, said: &str) -> Vec<String> {
        let told = Told::of(&Reading { title: said.to_owned(), ..Reading::default() }, "");
        pieces_of(&lines::read(prompt), &told).iter().filter_map(|piece| lost_of(piece, &told)).collect()
    }

    #[test]
    fn numbers_addresses_and_whole_phrases_are_lost() {
        assert_eq!(
            lost("The weir opens at 9:15, bring sturdy boots", "The weir opens at"),
            ["9:15", "bring sturdy boots"]
        );
        assert_eq!(lost("Mail ada@weir.example for keys", "for keys"), ["Mail ada@weir.example for keys"]);
        assert_eq!(lost("The weir opens at 9:15 for you.", "The weir opens at for you"), ["9:15"]);
        assert_eq!(lost("| Tea | £2 |\n|---|---|\n| Cake | £3 |", "Tea 2 Cake"), ["£3"]);
    }

    #[test]
    fn a_price_that_was_obeyed_is_lost_and_a_size_is_not() {
        let told = Told::of(&Reading::default(), "Deposit £40, about 30 copies, by Friday at 5 pm please");
        let lost = |prompt: &str| {
            pieces_of(&lines::read(prompt), &told).iter().filter_map(|piece| lost_of(piece, &told)).collect::<Vec<_>>()
        };
        assert_eq!(lost("Deposit £40"), ["Deposit £40"]);
        assert!(lost("about 30 copies").is_empty());
    }

    #[test]
    fn labels_and_small_words_are_not() {
        assert!(lost("Date: 3 May\nWhere: at the weir", "3 May, the weir").is_empty());
        assert!(lost("Please make 6 slides on A4.", "").is_empty());
        assert!(lost("Card 1: tea", "tea").is_empty());
    }
}
