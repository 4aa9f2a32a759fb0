//! Words around a thing and its price: what joins the two, what leads to the price, and notes.
//!
//! What holds: no word is lost but those that only join. Deliberately not here: what a price is (`prices`).

use crate::content::Priced;
use crate::read::text;

/// Words before the least of several prices: “from £12”.
pub const FROM: &[&str] = &["from", "ab", "à partir de", "dès", "desde", "a partir de", "da"];

/// The price behind “from”, or the whole text where there is no such word.
pub fn behind_from(text: &str) -> &str {
    FROM.iter().find_map(|lead| text::strip_start(text, lead)).map_or(text, str::trim_start)
}

/// Verbs that join a thing to its price: behind one the words before it are surely what has the price.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "is", "are", "costs", "cost", "pay", "pays", "it's", "kostet", "kosten", "est", "sont", "coûte", "coûtent", "cuesta", "cuestan", "costa", "costano", "è", "sono", "custa", "custam", "kost",
];

/// Articles before a thing.
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "a", "an", "der", "die", "das", "ein", "eine", "einen", "den", "le", "la", "les", "un", "une", "el", "los", "las", "una", "il", "lo", "i", "gli", "o", "os", "as", "de", "het", "een",
];

/// Has words stand behind a thing.
pub fn add_note(item: &mut Priced, words: &str) {
    item.note = if item.note.is_empty() { words.to_owned() } else { format!("{}, {words}", item.note) };
}

/// A name without an article before it.
pub fn without_article(name: &str) -> &str {
    name.split_once(' ')
        .filter(|(first, _)| ARTICLES.contains(&first.to_lowercase().as_str()))
        .map_or(name, |(_, rest)| rest.trim_start())
}

/// Whether a verb joins what stands before the price of a text to it: “a haircut costs £18”.
pub fn is_joined(text: &str) -> bool {
    text::words(text).iter().skip(1).any(|word| VERBS.contains(&word.as_str()))
}

/// “One walk is”, “a haircut costs”: the thing, where a verb joins it to the price behind it.
pub fn joined(name: &str) -> &str {
    let Some((head, last)) = name.rsplit_once(' ') else { return name };
    if !VERBS.contains(&last.to_lowercase().as_str()) || head.split_whitespace().count() > 6 {
        return name;
    }
    let bare = without_article(head.trim());
    if bare.is_empty() { name } else { bare }
}
