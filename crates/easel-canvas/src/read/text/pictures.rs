//! Pictures between words, as one types them on a telephone: “Car wash 🚗 Saturday at ten”.
//!
//! Deliberately not here: pictures at the beginning of a line, which mark it as an item does (`lines`).

/// “Car wash 🚗 Saturday at ten”: a picture between words divides them as a comma does; a heart stands for a word.
pub(super) fn divides(text: &str, at: usize, letter: char) -> bool {
    let is_picture = matches!(letter, '\u{1F300}'..='\u{1FAFF}' | '\u{23E9}'..='\u{23FA}' | '\u{2600}'..='\u{26FF}' | '\u{2705}'..='\u{275F}');
    let is_heart = matches!(letter, '\u{1F493}'..='\u{1F49F}' | '\u{1F9E1}' | '\u{1F5A4}' | '\u{1F90D}'..='\u{1F90E}' | '\u{2665}');
    is_picture
        && !is_heart
        && text[..at].trim_end().ends_with(|before: char| before.is_alphanumeric() || before == '!')
        && text[..at].ends_with(' ')
        && text[at + letter.len_utf8()..].starts_with(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_divides_words_and_a_heart_is_one() {
        let divides_somewhere = |text: &str| text.char_indices().any(|(at, letter)| divides(text, at, letter));
        for text in ["Car wash 🚗 Saturday at ten", "Noch 2 Tage ⏰ alles muss raus"] {
            assert!(divides_somewhere(text), "{text}");
        }
        for whole in ["We 💜 cake", "🎉 Party time", "Party time 🎉", "Fête 🎉🎉 ce soir"] {
            assert!(!divides_somewhere(whole), "{whole}");
        }
    }
}
