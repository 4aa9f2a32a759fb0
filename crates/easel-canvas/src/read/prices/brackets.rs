//! Prices that stand in brackets behind their things: “5 km at 9:45 (€12), 10 km at 10:45 (€18)”.
//!
//! What holds: brackets are opened only where nothing but a price stands in them, and only of several things. Deliberately not
//! here: what brackets say otherwise, which is a note of its thing.

use super::odd;
use crate::read::amounts::amounts;

/// Fewer prices in brackets are what is said beside a thing.
const LEAST: usize = 2;

/// A list without the brackets around its prices; `None` where it has fewer than two such, or prices outside of them.
pub fn opened(text: &str) -> Option<String> {
    let mut open = String::with_capacity(text.len());
    let mut outside = String::with_capacity(text.len());
    let mut count = 0;
    let mut rest = text;
    while let Some((before, inner, behind)) = divide(rest) {
        outside.push_str(before);
        open.push_str(before);
        if is_price(inner) {
            count += 1;
            open.push_str(inner);
        } else {
            open.push_str(&format!("({inner})"));
        }
        rest = behind;
    }
    outside.push_str(rest);
    open.push_str(rest);
    let is_priced_outside = amounts(&outside).iter().any(|amount| amount.is_price(&outside));
    (count >= LEAST && !is_priced_outside).then_some(open)
}

/// What stands before the first brackets, in them and behind them.
fn divide(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('(')?;
    let (inner, behind) = rest.split_once(')')?;
    Some((before, inner, behind))
}

/// Whether words are a price and nothing else, or say that a thing costs nothing.
fn is_price(words: &str) -> bool {
    let words = words.trim();
    let found = amounts(words);
    let is_amount =
        matches!(found.as_slice(), [amount] if amount.is_price(words) && amount.written(words).trim() == words);
    is_amount || odd::is_free(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_in_brackets_are_opened_where_several_things_have_one() {
        for (text, open) in [
            ("Paddling at ten (free), kayak at noon (£15)", Some("Paddling at ten free, kayak at noon £15")),
            ("Töpfern (25 €), Weben (30 €), Filzen (kostenlos)", Some("Töpfern 25 €, Weben 30 €, Filzen kostenlos")),
            ("visite guidée (8 €), atelier (12 €)", Some("visite guidée 8 €, atelier 12 €")),
            ("Small bike £45 (new cables included), big bike £95", None),
            ("Jeans £15 (lined £18), coat £30 (wool £40)", None),
            ("The bus (€4) leaves at nine", None),
            ("Wine (red), beer (dark)", None),
        ] {
            assert_eq!(opened(text).as_deref(), open, "{text}");
        }
    }
}
