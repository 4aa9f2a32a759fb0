//! Letters that no typeface here has, and the package that brings one.
//!
//! Always true: a letter of a script that some package of typefaces has is never left out in silence; whoever asks for it is told
//! the package (specification of a task's error, `retryable`). What no package has, a sign of private use above all, is no letter
//! and is left out with a word. Deliberately not here: where typefaces are looked for (`system`).

use super::{Han, beyond_shipped};

/// What is missing for a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// The script, as a person calls it.
    pub script: &'static str,
    /// The package of Debian and its kin that has it.
    pub package: &'static str,
    /// The letters, at most twelve of them.
    pub letters: String,
}

const HAN: (&str, &str) = ("Chinese, Japanese and Korean", "fonts-noto-cjk");
const CORE: &str = "fonts-noto-core";
const EMOJI: (&str, &str) = ("emoji", "fonts-noto-color-emoji");

/// First and last letter of a block, what it is called, and who has it.
#[rustfmt::skip]
const BLOCKS: &[(u32, u32, &str, &str)] = &[
    (0x0530, 0x058f, "Armenian", CORE),
    (0x0590, 0x05ff, "Hebrew", CORE),
    (0x0600, 0x06ff, "Arabic", CORE),
    (0x0700, 0x074f, "Syriac", CORE),
    (0x0750, 0x077f, "Arabic", CORE),
    (0x0780, 0x07bf, "Thaana", CORE),
    (0x0870, 0x08ff, "Arabic", CORE),
    (0x0900, 0x097f, "Devanagari", CORE),
    (0x0980, 0x09ff, "Bengali", CORE),
    (0x0a00, 0x0a7f, "Gurmukhi", CORE),
    (0x0a80, 0x0aff, "Gujarati", CORE),
    (0x0b00, 0x0b7f, "Oriya", CORE),
    (0x0b80, 0x0bff, "Tamil", CORE),
    (0x0c00, 0x0c7f, "Telugu", CORE),
    (0x0c80, 0x0cff, "Kannada", CORE),
    (0x0d00, 0x0d7f, "Malayalam", CORE),
    (0x0d80, 0x0dff, "Sinhala", CORE),
    (0x0e00, 0x0e7f, "Thai", CORE),
    (0x0e80, 0x0eff, "Lao", CORE),
    (0x0f00, 0x0fff, "Tibetan", CORE),
    (0x1000, 0x109f, "Burmese", CORE),
    (0x10a0, 0x10ff, "Georgian", CORE),
    (0x1100, 0x11ff, HAN.0, HAN.1),
    (0x1200, 0x139f, "Ethiopic", CORE),
    (0x1780, 0x17ff, "Khmer", CORE),
    (0x1800, 0x18af, "Mongolian", CORE),
    (0x2e80, 0x2fdf, HAN.0, HAN.1),
    (0x3000, 0x33ff, HAN.0, HAN.1),
    (0x3400, 0x4dbf, HAN.0, HAN.1),
    (0x4e00, 0x9fff, HAN.0, HAN.1),
    (0xa960, 0xa97f, HAN.0, HAN.1),
    (0xac00, 0xd7ff, HAN.0, HAN.1),
    (0xf900, 0xfaff, HAN.0, HAN.1),
    (0xfb50, 0xfdff, "Arabic", CORE),
    (0xfe30, 0xfe4f, HAN.0, HAN.1),
    (0xfe70, 0xfefe, "Arabic", CORE),
    (0xff00, 0xffef, HAN.0, HAN.1),
    (0x1f1e6, 0x1f1ff, EMOJI.0, EMOJI.1),
    (0x1f300, 0x1f6ff, EMOJI.0, EMOJI.1),
    (0x1f900, 0x1faff, EMOJI.0, EMOJI.1),
    (0x20000, 0x323af, HAN.0, HAN.1),
];

/// The script of a letter and the package that has it; `None` for what no package has.
fn script_of(letter: char) -> Option<(&'static str, &'static str)> {
    let code = letter as u32;
    let block = BLOCKS.iter().find(|(first, last, ..)| (*first..=*last).contains(&code));
    // Within a block stand places that no letter was ever given.
    let is_pictured = block.is_some_and(|(_, _, script, _)| *script == EMOJI.0);
    match block {
        Some((_, _, script, package)) if letter.is_alphanumeric() || is_pictured => Some((*script, *package)),
        None if letter.is_alphabetic() => Some(("rarer scripts", "fonts-noto-extra")),
        _ => None,
    }
}

/// What is missing for a text here, by the letter that was looked for first.
///
/// The second value are signs that no typeface and no package has.
pub fn find_lack(text: &str, han: Han) -> (Option<Lack>, String) {
    let (_, missing) = beyond_shipped(text, han);
    sort_out(&missing)
}

fn sort_out(missing: &[char]) -> (Option<Lack>, String) {
    let mut lack: Option<Lack> = None;
    let mut unknown = String::new();
    for letter in missing {
        match (script_of(*letter), &mut lack) {
            (None, _) => unknown.push(*letter),
            (Some((script, package)), None) => {
                lack = Some(Lack { script, package, letters: letter.to_string() });
            }
            (Some((script, _)), Some(lack)) if lack.script == script && lack.letters.chars().count() < 12 => {
                lack.letters.push(*letter);
            }
            _ => {}
        }
    }
    (lack, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_has_a_typeface_or_a_package_that_brings_one() {
        // Shipped: they are never missing, whatever the machine has.
        let shipped = ["Příliš", "Ελληνικά", "Привет", "שלום", "مرحبا", "नमस्ते दुनिया", "สวัสดีชาวโลก", "🎉🔥👩‍🚒🇩🇪"];
        for text in shipped {
            let missing: Vec<char> = text
                .chars()
                .filter(|letter| !super::super::is_neutral(*letter))
                .filter(|letter| !super::super::is_shipped(*letter))
                .collect();
            assert!(missing.is_empty(), "{text}: {missing:?}");
        }
        for (text, script, package) in [
            ("夏祭り", "Chinese, Japanese and Korean", "fonts-noto-cjk"),
            ("한국어", "Chinese, Japanese and Korean", "fonts-noto-cjk"),
            ("ポスター", "Chinese, Japanese and Korean", "fonts-noto-cjk"),
            ("茶館", "Chinese, Japanese and Korean", "fonts-noto-cjk"),
            ("বাংলা", "Bengali", "fonts-noto-core"),
            ("தமிழ்", "Tamil", "fonts-noto-core"),
            ("ქართული", "Georgian", "fonts-noto-core"),
            ("አማርኛ", "Ethiopic", "fonts-noto-core"),
        ] {
            let missing: Vec<char> = text.chars().collect();
            let (lack, _) = sort_out(&missing);
            let lack = lack.unwrap_or_else(|| panic!("{text}"));
            assert_eq!((lack.script, lack.package), (script, package), "{text}");
        }
    }

    #[test]
    fn a_sign_that_no_package_has_is_no_lack() {
        let (lack, unknown) = sort_out(&['\u{f0b7}', '\u{e000}', '\u{10fffd}']);
        assert_eq!((lack, unknown.chars().count()), (None, 3));
    }
}
