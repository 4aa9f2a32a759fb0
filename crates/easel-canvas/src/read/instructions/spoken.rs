//! What a clause is where it is said to whoever makes a thing: there a few words about a look, or words that beg, are wishes, and
//! only what is surely a fact is content.
//!
//! Deliberately not here: what a clause is wherever it stands (`clause`).

use super::clause::{Clause, judge};
use super::look::{is_made_of_style, is_style};
use crate::read::page_talk::readers;
use crate::read::text::words;
use crate::read::vocabulary::TYPED_PLEASE;
use crate::read::{amounts, dates, text};

/// Tells whether a clause is content where it is spoken to whoever makes the thing: there a few words about a look, or words that
/// beg, are wishes.
pub fn judge_spoken(clause: &str) -> Clause {
    if is_wish(&clause.to_lowercase()) { Clause::Instruction } else { judge(clause) }
}

/// “one wine per card”, “first card just the title”.
fn speaks_of_pages(words: &[String]) -> bool {
    words.len() <= 8
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "card"
                    | "cards"
                    | "slide"
                    | "slides"
                    | "page"
                    | "pages"
                    | "panel"
                    | "folie"
                    | "folien"
                    | "seite"
                    | "seiten"
            )
        })
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "per" | "each" | "first" | "last" | "every" | "pro" | "je" | "erste" | "letzte" | "one" | "jede"
            )
        })
}

/// “dino theme”, “funny pls”, “like old paper”: a few words that end with a thing of looks, or beg for something.
fn is_wish(lower: &str) -> bool {
    let words = words(lower);
    let has_fact = amounts::next_amount(lower, 0)
        .is_some_and(|amount| !amount.prefix.is_empty() || !amount.suffix.is_empty() || amount.value > 20.0)
        || dates::has_moment(lower)
        || lower.contains(['@', '"', '“', ':']);
    if has_fact || words.is_empty() {
        return false;
    }
    if speaks_of_pages(&words) {
        return true;
    }
    // “friendly but firm”: what is contrasted with a look is one.
    if let [one, but, two] = words.as_slice()
        && matches!(but.as_str(), "but" | "aber" | "yet" | "mais" | "pero" | "ma")
        && (is_style(one) || is_style(two))
    {
        return true;
    }
    let begs = words.iter().any(|word| is_of_chat(word));
    let ends_with_look = words.len() <= 4
        && words.last().is_some_and(|last| {
            matches!(
                last.as_str(),
                "theme"
                    | "look"
                    | "vibe"
                    | "vibes"
                    | "feel"
                    | "feeling"
                    | "style"
                    | "aesthetic"
                    | "colours"
                    | "colors"
                    | "palette"
                    | "typeface"
                    | "font"
                    | "fonts"
                    | "tones"
                    | "lettering"
                    | "stil"
                    | "farben"
                    | "optik"
                    | "schrift"
                    | "töne"
                    | "paper"
                    | "design"
                    | "layout"
                    | "format"
                    | "ink"
                    | "white"
                    | "black"
                    | "type"
            )
        });
    // “Come by bike” likens nothing; “come la carta vecchia” does.
    let is_italian =
        words.get(1).is_none_or(|next| matches!(next.as_str(), "la" | "il" | "lo" | "un" | "una" | "le" | "gli" | "i"));
    let likens = |word: &str| {
        matches!(word, "like" | "wie" | "comme" | "como") || word == "come" && (is_italian || words[0] != "come")
    };
    // “red like our oven door”.
    let is_toned = words.len() > 2 && likens(&words[1]) && is_made_of_style(&words[0]);
    let is_likened = words.len() <= 6 && (likens(&words[0]) || is_toned);
    (begs && words.len() <= 14) || ends_with_look || is_likened
}

/// Whether a word is one by which people beg and laugh while they type.
fn is_of_chat(word: &str) -> bool {
    TYPED_PLEASE.contains(&word) || matches!(word, "pleaseee" | "lol" | "haha")
}

/// The same for a clause of the paragraph that asks for the thing, where what it shall say stands in paragraphs of its own:
/// there only what is surely a fact is content.
pub fn judge_of_request(clause: &str) -> Clause {
    let bare = clause.trim();
    let has_fact = amounts::amounts(bare).iter().any(|amount| amount.is_price(bare) || amount.suffix.starts_with('%'))
        || bare.contains('@')
        || text::quoted(bare).is_some()
        || readers::speaks_to_readers(bare)
        || (dates::has_moment(bare) && !is_deadline(&bare.to_lowercase()))
        || bare.split_whitespace().any(|word| word.starts_with("www.") || word.starts_with("http"));
    if has_fact { judge(clause) } else { Clause::Instruction }
}

/// “by Thursday”, “bis Freitag”, “for Monday”: until when it is needed.
fn is_deadline(lower: &str) -> bool {
    [
        "by ",
        "until ",
        "bis ",
        "for ",
        "need",
        "brauch",
        "print",
        "have them",
        "heute",
        "today",
        "tomorrow",
        "morgen",
        "pour ",
        "para ",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
        && amounts::next_amount(lower, 0).is_none()
}
