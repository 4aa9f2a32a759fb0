//! “problem = one machine in three breaks down”: a label with an equals sign for its colon.
//!
//! What holds: only the sign is changed, and only behind one or two words at the beginning of a sentence that have no
//! number. Deliberately not here: sums and prices, which keep their sign.

use crate::read::amounts::MONEY;
use crate::read::prices;

/// The most words, and the fewest letters, of such a label.
const LABEL: (usize, usize) = (2, 4);

/// The text with colons behind its labels.
pub fn as_labels(text: &str) -> String {
    let mut unified = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(" = ") {
        unified.push_str(before);
        unified.push_str(if is_label(&unified) && !begins_with_price(behind) { ": " } else { " = " });
        rest = behind;
    }
    unified.push_str(rest);
    unified
}

/// “£5”, “from £20”, “5” alone; “1 in 3 machines” is none.
fn begins_with_price(behind: &str) -> bool {
    let price = prices::words::behind_from(behind);
    let rest = price.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ','));
    let is_number = rest.len() < price.len();
    price.starts_with(MONEY)
        || is_number && (rest.is_empty() || rest.trim_start_matches([' ', '\r']).starts_with(['\n', '€']))
}

/// Whether a text ends with a label: words of letters alone, and before them the end of a sentence.
fn is_label(before: &str) -> bool {
    let begin = before.rfind(['.', '!', '?', ';', ':', '\n']).map_or(0, |at| at + 1);
    let label = before[begin..].trim();
    (1..=LABEL.0).contains(&label.split_whitespace().count())
        && label.chars().count() >= LABEL.1
        && label.chars().all(|letter| letter.is_alphabetic() || letter == ' ')
}

#[cfg(test)]
mod tests {
    use super::as_labels;

    #[test]
    fn only_labels_have_colons() {
        assert_eq!(
            as_labels("A deck. problem = stale bread. why now = prices"),
            "A deck. problem: stale bread. why now: prices"
        );
        for text in ["5 at 85,00 € = 425,00 €", "x = y", "the sum of all of it = 4", "Boot zip = from £20"] {
            assert_eq!(as_labels(text), text);
        }
    }
}
