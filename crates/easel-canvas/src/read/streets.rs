//! Names of streets: by them a number is a house, and neither an amount nor an ordinal.

/// Words that stand apart in the name of a street, in small letters.
#[rustfmt::skip]
const APART: &[&str] = &[
    "street", "st", "road", "rd", "lane", "ln", "avenue", "ave", "parade", "square", "place", "way", "hill", "court", "close", "drive", "row",
    "terrace", "boulevard", "blvd", "quay", "rua", "praça", "travessa", "corso", "viale", "rue", "chemin", "allée", "cours", "via", "piazza", "calle", "plaza",
];

/// Ends of names that are one word, in small letters.
const ENDINGS: &[&str] = &["str", "straße", "strasse", "gasse", "allee", "weg", "platz"];

/// Whether a word in small letters stands for a street by itself: “street”, “rue”, “Platz”.
pub fn is_street(word: &str) -> bool {
    APART.contains(&word) || ENDINGS.contains(&word)
}

/// Whether a word in small letters is the whole name of a street: “Moselstraße”, “Hafenstr.”.
pub fn ends_as_street(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Whether a word with a large letter is a street, or the name of one: “Road”, “Hafenstraße”, “Kirkgate”.
pub fn names_street(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.starts_with(char::is_uppercase)
        && (is_street(&lower) || ends_as_street(&lower) || lower.len() > 6 && lower.ends_with("gate"))
}
