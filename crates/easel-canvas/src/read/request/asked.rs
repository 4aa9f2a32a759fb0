//! How somebody asks for a thing, beside what the thing says: “bro, here is last year's menu”, “zou jij de uitnodiging”, “new
//! price list”.
//!
//! Deliberately not here: sentences that ask (`is_request`), and wishes (`instructions`).

/// Words of a sentence that asks, which stand in no name.
#[rustfmt::skip]
const SPOKEN: &[&str] = &[
    "here", "is", "are", "bro", "mate", "dude", "guys", "need", "want", "year's", "please", "hier", "ist", "brauche", "bräuchte", "kannst", "könntest",
    "voici", "peux", "peut", "pourrais", "faut", "necesito", "quiero", "puedes", "podrías", "hazme", "vorrei", "puoi", "serve", "servirebbe", "preciso",
    "precisava", "queria", "podes", "zou", "jij", "kun", "kan", "graag", "poproszę", "proszę", "potrzebuję",
];

/// Words that say of a thing only that there is none yet.
#[rustfmt::skip]
const NEW: &[&str] = &["new", "neu", "neue", "neuen", "neuer", "neues", "nouveau", "nouvelle", "nuevo", "nueva", "nuovo", "nuova", "novo", "nova", "nieuw", "nieuwe", "nowe", "nowy", "nowa", "our", "unsere"];

fn bare_of(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).replace('’', "'").to_lowercase()
}

/// Whether words before the name of a kind only ask for it, and say nothing that the thing says.
pub(super) fn is_only_asked(words: &[&str]) -> bool {
    words.iter().any(|word| SPOKEN.contains(&bare_of(word).as_str()))
        || matches!(words, [only] if NEW.contains(&bare_of(only).as_str()))
}

#[cfg(test)]
mod tests {
    use super::is_only_asked;

    #[test]
    fn how_somebody_asks_is_no_occasion() {
        assert!(is_only_asked(&["here", "is", "last", "year's"]));
        assert!(is_only_asked(&["New"]) && is_only_asked(&["zou", "jij"]));
        assert!(!is_only_asked(&["coffee"]) && !is_only_asked(&["new", "year", "party"]));
    }
}
