//! What stands in brackets: a wish to whoever makes the thing, or words of the thing.
//!
//! What holds: where it may be either, the words stay. Deliberately not here: sentences without brackets (`maker`).

use super::colors;
use super::instructions::{self, Clause};
use super::maker::apart::speaks_apart;
use super::maker::{self, BEGGING, MAKE, first_of, is_of_look, taken_back};
use super::style::STYLE;
use super::text;
use super::vocabulary::REFUSING;

/// Whether words in brackets surely speak to whoever makes the thing: “keep it simple”, “no pictures of shoes please”. A word
/// of looks alone is none: “(large)” behind a dish is what one gets.
pub fn speaks(inner: &str) -> bool {
    let lower = inner.trim().to_lowercase();
    let words = text::words(&lower);
    if taken_back::is_taken_back(inner) || promises(&lower) {
        return true;
    }
    // “Ana (design)”: a word or two name what somebody does.
    if words.len() >= 3 && maker::speaks(inner) {
        return true;
    }
    // “(3 slides, calm green, same font everywhere)”: how many pages it shall have, and wishes.
    let clauses = text::clauses(inner);
    let are_wishes = clauses.len() >= 2
        && (instructions::page_count(&lower).is_some()
            || text::words(&clauses[0].to_lowercase()).iter().any(|word| instructions::is_sheet(word)))
        && clauses[1..].iter().any(|clause| matches!(instructions::judge_spoken(clause), Clause::Instruction));
    if are_wishes {
        return true;
    }
    // “(columns = departments)”: what a piece of the drawing stands for.
    let is_legend = inner.split_once(" = ").is_some_and(|(piece, _)| {
        matches!(
            piece.trim().to_lowercase().as_str(),
            "columns"
                | "rows"
                | "colours"
                | "colors"
                | "arrows"
                | "lanes"
                | "spalten"
                | "zeilen"
                | "farben"
                | "pfeile"
                | "bahnen"
        )
    });
    if is_legend {
        return true;
    }
    let is_chart = (1..=3).contains(&words.len()) && words.iter().any(|word| names_chart(word));
    if is_chart {
        return true;
    }
    let begs = words.iter().any(|word| BEGGING.contains(&word.as_str()));
    let makes = words.len() >= 3 && MAKE.contains(&first_of(&lower));
    // “(bitte keine Fotos)” may as well be said to visitors.
    let is_told = makes || begs && words.len() >= 4 && words.iter().any(|word| is_of_look(word));
    let is_manner = begs
        && !matches!(words.first().map(String::as_str), Some("no" | "not" | "keine" | "kein"))
        && words.iter().any(|word| STYLE.contains(&word.as_str()) || colors::names_color(word))
        && matches!(instructions::judge_spoken(inner), Clause::Instruction);
    // “Menu for the wedding (no prices)”.
    let is_left_out = (2..=3).contains(&words.len())
        && words.first().is_some_and(|first| REFUSING.contains(&first.as_str()))
        && words.last().is_some_and(|last| {
            matches!(last.as_str(), "price" | "prices" | "preis" | "preise" | "logo" | "icons" | "emojis" | "clipart")
        });
    is_left_out || is_manner || is_told && speaks_apart(inner)
}

/// Whether a word names a way to draw numbers: “(bar chart)”, “(grafico a barre)”.
fn names_chart(word: &str) -> bool {
    matches!(
        word,
        "chart"
            | "barchart"
            | "linechart"
            | "piechart"
            | "balkendiagramm"
            | "liniendiagramm"
            | "kreisdiagramm"
            | "säulendiagramm"
            | "graphique"
            | "gráfico"
            | "grafico"
    )
}

/// “I'll attach them myself”, “schicke ich noch”: what the one who writes will do about the thing.
fn promises(lower: &str) -> bool {
    #[rustfmt::skip]
    const PROMISES: &[&str] = &[
        "i'll attach", "i'll send", "i'll add", "i'll bring", "i'll supply", "i'll forward", "i will attach", "i will send", "i will add", "i will supply",
        "we'll send", "we'll add", "we'll attach", "we'll supply", "schick ich", "schicke ich", "schicken wir", "häng ich an", "hänge ich an", "reiche ich nach",
        "liefere ich", "bringe ich mit", "je l'envoie", "je les envoie", "te lo mando", "lo mando io",
    ];
    PROMISES.iter().any(|promise| lower.starts_with(promise) || lower.ends_with(promise))
}

#[cfg(test)]
mod tests {
    use super::speaks;

    #[test]
    fn in_brackets_a_word_of_looks_alone_is_none_to_a_maker() {
        for inner in [
            "bitte bunt gestalten",
            "keep it simple",
            "no pictures of shoes please",
            "mach das bitte groß",
            "in blue please",
            "I'll attach them myself",
            "the old one leaves in May, don't put that in",
            "Fotos schicke ich",
            "bar chart",
        ] {
            assert!(speaks(inner), "{inner}");
        }
        for inner in
            ["design", "large", "dry, white", "no dogs please", "bitte keine Fotos", "bring boots", "please knock"]
        {
            assert!(!speaks(inner), "{inner}");
        }
    }
}
