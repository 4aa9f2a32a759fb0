//! The large letter that a text begins with.

/// Whether a word is the name of a place on the web: “shop.northfell.example”.
fn is_domain(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    let is_name = |part: &&str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
    };
    parts.len() >= 2
        && parts.iter().all(is_name)
        && parts[parts.len() - 1].len() >= 2
        && parts[0].len() >= 2
        && parts[parts.len() - 1].chars().all(|letter| letter.is_ascii_lowercase())
}

/// The text with its first letter large, unless it is an address.
pub fn capitalize(text: &str) -> String {
    let text = text.trim();
    // An address stays as it is written.
    let is_address = |word: &str| {
        let bare = word.trim_end_matches(['.', ',', ';', '!', '?', ')']);
        word.contains(['@', '/', '_']) || word.starts_with("www.") || is_domain(bare)
    };
    if text.split_whitespace().next().is_some_and(is_address) {
        return text.to_owned();
    }
    // So does a name that has its large letter further on: iPhone, eBay.
    let first_word = text.split_whitespace().next().unwrap_or_default();
    if first_word.chars().skip(1).any(char::is_uppercase) && first_word.chars().next().is_some_and(char::is_lowercase) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
