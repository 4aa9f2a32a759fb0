//! Words in a form in which what was written and what was drawn can be compared.

use std::collections::HashMap;

/// The words of a text in a form in which they can be compared: small letters, one kind of dash and quotation mark, numbers
/// without marks between thousands, units and currencies at their numbers.
pub fn tokens(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let letters: Vec<char> = text.to_lowercase().chars().filter(|letter| !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{ad}' | '\u{fe0f}')).collect();
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    for (at, letter) in letters.iter().enumerate() {
        let before = at > 0 && digit(at - 1);
        match letter {
            ',' | '.' | '\'' | '’' if before && digit(at + 1) => {
                // Between thousands a mark says nothing.
                let is_thousands = digit(at + 2) && digit(at + 3) && !digit(at + 4);
                if !is_thousands {
                    plain.push('.');
                }
            }
            '%' | '€' | '$' | '£' => plain.push_str(&format!(" {letter} ")),
            letter if letter.is_alphanumeric() || matches!(letter, '@') => {
                // Between a letter of a script without blanks and a digit a word ends.
                let other = plain.chars().next_back();
                if other.is_some_and(|other| {
                    is_of_blankless(other) != is_of_blankless(*letter)
                        && (other.is_ascii_digit() || letter.is_ascii_digit())
                }) {
                    plain.push(' ');
                }
                plain.push(*letter);
            }
            '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{900}'..='\u{97f}' | '\u{e00}'..='\u{e7f}' => {
                plain.push(*letter);
            }
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

/// The words of a text that have a hyphen within them, by what is left of them without it.
pub fn compounds(text: &str) -> HashMap<String, Vec<String>> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '-'));
    let whole = words.filter(|word| word.trim_matches('-').contains('-')).map(tokens);
    whole.filter(|pieces| pieces.len() > 1).map(|pieces| (pieces.concat(), pieces)).collect()
}

/// The tokens of a page with its compounds apart: a reader of PDFs takes the hyphen of a compound at the end of a line for
/// one of syllables, and joins the two halves.
pub fn part_compounds(page: Vec<String>, compounds: &HashMap<String, Vec<String>>) -> Vec<String> {
    page.into_iter().flat_map(|word| compounds.get(&word).cloned().unwrap_or_else(|| vec![word])).collect()
}

/// Whether a letter is of a script that sets no blanks between words.
fn is_of_blankless(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}')
}

/// Whether words stand on a page one after another.
pub fn contains(page: &[String], wanted: &[String]) -> bool {
    !wanted.is_empty() && page.windows(wanted.len()).any(|window| window == wanted)
}

/// Scripts without blanks between words are compared letter by letter.
pub fn squeezed(tokens: &[String]) -> String {
    tokens.concat()
}

/// Whether a text is of a script that is compared letter by letter.
pub fn is_spaceless(text: &str) -> bool {
    text.chars().any(|letter| matches!(letter, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{590}'..='\u{6ff}' | '\u{900}'..='\u{97f}'))
}
