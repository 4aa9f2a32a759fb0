//! Whether words tell a fact, so that they are about the thing and no talk to its designer.
//!
//! What holds: a price, an address or words in quotation marks are always one. Deliberately not here: reading what the fact
//! says (`amounts`, `dates`).

use super::{amounts, text};

/// Whether words have something that only a thing says: a price, an address, words in quotation marks.
pub fn has_fact(sentence: &str) -> bool {
    let found = amounts::amounts(sentence);
    let is_called = found.windows(2).any(|pair| sentence[pair[0].end..pair[1].start].trim().is_empty());
    found.iter().any(|amount| amount.is_price(sentence) && (!amount.prefix.is_empty() || !amount.suffix.is_empty()))
        || is_called
        || sentence.split_whitespace().any(is_address)
        || text::quoted(sentence).is_some()
}

/// Whether a word is an address: with an @, or with a full stop between two names.
fn is_address(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let host = word.split('/').next().unwrap_or_default();
    let is_host = host.rsplit_once('.').is_some_and(|(name, end)| {
        name.chars().count() >= 3
            && end.chars().count() >= 2
            && host.chars().all(|letter| letter.is_alphanumeric() || ".-".contains(letter))
            && end.chars().all(char::is_alphabetic)
    });
    word.contains('@') || is_host
}
