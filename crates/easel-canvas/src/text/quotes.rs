//! Quotation marks as a language writes them, where a brief has those of a typewriter.
//!
//! Always true: marks that a person set as they should be stay as they are, and so does code. Deliberately not here: which words
//! are a quotation (`read`).

use std::borrow::Cow;

/// Opening and closing, then those of a quotation within one.
type Marks = [&'static str; 4];

fn marks(language: &str) -> Marks {
    match language {
        "de" | "cs" | "sk" | "bg" => ["„", "“", "‚", "‘"],
        "fr" => ["«\u{a0}", "\u{a0}»", "“", "”"],
        "es" | "it" | "pt" | "el" | "ru" | "uk" => ["«", "»", "“", "”"],
        "pl" => ["„", "”", "‚", "’"],
        "ar" => ["«", "»", "“", "”"],
        "ja" => ["「", "」", "『", "』"],
        _ => ["“", "”", "‘", "’"],
    }
}

/// A text with the quotation marks of its language.
pub fn dress<'t>(text: &'t str, language: &str) -> Cow<'t, str> {
    if !text.contains(['"', '\'']) || is_code(text) {
        return Cow::Borrowed(text);
    }
    let marks = marks(language);
    let mut out = String::with_capacity(text.len() + 8);
    let (mut before, mut is_open, mut is_inner_open) = (' ', false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let opens =
            before.is_whitespace() || matches!(before, '(' | '[' | '–' | '—' | '“' | '„' | '«' | '「' | '"' | '/');
        let next = letters.peek().copied().unwrap_or(' ');
        match letter {
            // Inches.
            '"' if before.is_ascii_digit() && !is_open => out.push('″'),
            '"' if opens && !is_open && !next.is_whitespace() => {
                out.push_str(marks[0]);
                is_open = true;
            }
            '"' => {
                out.push_str(marks[1]);
                is_open = false;
            }
            '\'' if opens && !next.is_whitespace() && !next.is_ascii_digit() && closes_later(letters.clone()) => {
                out.push_str(marks[2]);
                is_inner_open = true;
            }
            '\'' if is_inner_open && !next.is_alphanumeric() => {
                out.push_str(marks[3]);
                is_inner_open = false;
            }
            '\'' => out.push('’'),
            other => out.push(other),
        }
        before = letter;
    }
    Cow::Owned(out)
}

/// Whether a single mark closes what one opens here, so that it is no apostrophe.
fn closes_later(letters: std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let rest: Vec<char> = letters.collect();
    rest.iter().enumerate().any(|(at, letter)| {
        *letter == '\''
            && at > 0
            && !rest[at - 1].is_whitespace()
            && !rest.get(at + 1).is_some_and(|next| next.is_alphanumeric())
    })
}

/// Whether a text is written for a machine, to which a mark is not what it looks like.
fn is_code(text: &str) -> bool {
    text.contains(['{', '}', '=', '<', '>', '`', '\\', ';', '|', '$'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_quotation_marks_as_the_language_does() {
        for (language, text, expected) in [
            ("en", "She said \"yes\" twice.", "She said “yes” twice."),
            ("en", "It's the '90s, don't ask", "It’s the ’90s, don’t ask"),
            ("en", "the word 'maybe' is out", "the word ‘maybe’ is out"),
            ("de", "Motto: \"Alles neu\"", "Motto: „Alles neu“"),
            ("fr", "le \"grand\" bal", "le «\u{a0}grand\u{a0}» bal"),
            ("it", "la \"Sala Blu\"", "la «Sala Blu»"),
            ("ja", "\"夏祭り\"です", "「夏祭り」です"),
            ("en", "a 27\" screen", "a 27″ screen"),
            ("en", "“as it was”", "“as it was”"),
            ("en", "print(\"hi\");", "print(\"hi\");"),
        ] {
            assert_eq!(dress(text, language), expected, "{language}");
        }
    }
}
