//! Letters that turn others round, in names that somebody else gave.
//!
//! With them `photo` + U+202E + `gpj.exe` is shown as `photoexe.jpg`. A name that is shown, or becomes the name of a
//! file here, has a visible sign in their place; the drive's name stays as it is. Deliberately not here: letters of
//! scripts that run from right to left by themselves, which are shown as their readers expect them.

use std::borrow::Cow;

/// Stands where such a letter was.
pub(crate) const SIGN: char = '\u{FFFD}';

/// Whether a letter says in which direction others run (Unicode, `Bidi_Control`).
pub(crate) const fn turns_others(letter: char) -> bool {
    matches!(letter, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A name as it can be shown: with its letters in their stored order.
pub(crate) fn in_order(name: &str) -> Cow<'_, str> {
    if name.contains(turns_others) { name.replace(turns_others, &SIGN.to_string()).into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_letters_round_is_seen() {
        let check = |name: &str, expected: &str| assert_eq!(in_order(name), expected, "{name:?}");
        check("photo\u{202E}gpj.exe", "photo\u{FFFD}gpj.exe");
        check("\u{2066}a\u{2069}\u{200F}b\u{061C}", "\u{FFFD}a\u{FFFD}\u{FFFD}b\u{FFFD}");
        check("שלום.pdf", "שלום.pdf");
        check("Ünï🎨.png", "Ünï🎨.png");
    }
}
