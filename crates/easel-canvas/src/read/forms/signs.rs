//! Signs that nobody sees: the ends of lines of other systems, blanks that do not break, marks of the order of bytes.
//!
//! What holds: every letter that can be seen stays.

/// A text with one sign for the end of a line and one for a blank.
pub fn unify(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}'], "\n");
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        match letter {
            '\u{feff}' | '\u{2060}' => {}
            // A sign for the end of a word without width begins no line.
            '\u{200b}' if plain.is_empty() || plain.ends_with('\n') => {}
            // Between digits it divides thousands.
            '\u{a0}' if !(is_digit(plain.chars().next_back()) && is_digit(letters.peek().copied())) => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::unify;

    #[test]
    fn signs_that_nobody_sees_are_one() {
        assert_eq!(unify("\u{feff}a\r\nb\rc\u{a0}d\n\u{200b}e 1\u{a0}200"), "a\nb\nc d\ne 1\u{a0}200");
    }
}
