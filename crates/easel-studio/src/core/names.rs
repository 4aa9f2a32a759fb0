//! Names of drive items (contract, "Drive" and "Uploads").
//!
//! Always true of a [`Name`]: it has 1 to [`MAX_CHARS`] characters, no control character and no separator of a path,
//! and is neither `.` nor `..`, so that it never leaves its folder on any disk. It is kept as it came; two names are
//! the same where their keys are, which ignore case and the way an accent is written. Not here: which names are taken.

use unicode_normalization::UnicodeNormalization as _;

/// The longest name, in characters (Unicode scalar values).
pub const MAX_CHARS: usize = 255;

/// The longest extension that a numbered or shortened name keeps, in characters, without its dot. What is longer, or
/// holds white space, is the end of a sentence and not an extension.
const MAX_EXTENSION_CHARS: usize = 32;

/// Why a text is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No characters at all.
    #[error("a name needs at least one character")]
    Empty,
    /// More than [`MAX_CHARS`] characters.
    #[error("a name has at most {MAX_CHARS} characters")]
    TooLong,
    /// A control character, NUL among them.
    #[error("a name holds no control characters")]
    ControlCharacter,
    /// `/` or `\`.
    #[error("a name holds neither / nor \\")]
    Separator,
    /// `.` or `..`.
    #[error("a name is neither . nor ..")]
    DotDirectory,
}

impl NameError {
    /// The `code` of a `details.fields` entry.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Empty => "required",
            Self::TooLong => "too_long",
            Self::ControlCharacter | Self::Separator => "invalid_character",
            Self::DotDirectory => "reserved_name",
        }
    }
}

/// The name of a folder, a file or a canvas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    text: String,
    key: String,
}

impl Name {
    /// Reads a name that a request gives.
    ///
    /// # Errors
    /// A [`NameError`] that says what is wrong with it; nothing is mended silently.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        if text.is_empty() {
            return Err(NameError::Empty);
        }
        if text.chars().count() > MAX_CHARS {
            return Err(NameError::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(NameError::ControlCharacter);
        }
        if text.contains(['/', '\\']) {
            return Err(NameError::Separator);
        }
        if text == "." || text == ".." {
            return Err(NameError::DotDirectory);
        }
        Ok(Self::of_valid(text.to_owned()))
    }

    /// Reads the file name of an upload: only its base name counts, shortened to [`MAX_CHARS`] with its extension kept
    /// (contract, "Uploads").
    ///
    /// # Errors
    /// A [`NameError`] where the base name is none; never [`NameError::TooLong`] or [`NameError::Separator`].
    pub fn of_upload(filename: &str) -> Result<Self, NameError> {
        let base = filename.rsplit(['/', '\\']).next().unwrap_or_default();
        if base.chars().count() <= MAX_CHARS {
            return Self::parse(base);
        }
        let (stem, extension) = split_extension(base);
        Self::parse(&fit(stem, "", extension))
    }

    /// The name as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What names are compared and sorted by: case-folded, in NFC.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The same name with a number, `name (2).ext`, the stem shortened where it would grow beyond [`MAX_CHARS`]. Two
    /// numbers never give names with the same key.
    #[must_use]
    pub fn numbered(&self, number: u64) -> Self {
        let (stem, extension) = split_extension(&self.text);
        Self::of_valid(fit(stem, &format!(" ({number})"), extension))
    }

    fn of_valid(text: String) -> Self {
        let key = key_of(&text);
        Self { text, key }
    }
}

/// Looks for the number that [`Name::numbered`] gets where the name itself is taken: the first free one from 2 on, by
/// as few questions as can be. Beyond [`NUMBERS_IN_ORDER`] it doubles its steps and does not look for gaps, so that
/// among ten thousand taken names some thirty questions find one.
#[derive(Debug)]
pub struct NumberSearch {
    taken: u64,
    free: Option<u64>,
}

/// Numbers up to this one are tried in order.
const NUMBERS_IN_ORDER: u64 = 16;

impl NumberSearch {
    /// The search, where the name without a number is taken.
    #[must_use]
    pub fn new() -> Self {
        Self { taken: 1, free: None }
    }

    /// The number to ask about next.
    #[must_use]
    pub fn candidate(&self) -> u64 {
        match self.free {
            None if self.taken < NUMBERS_IN_ORDER => self.taken + 1,
            None => self.taken.saturating_mul(2),
            Some(free) => self.taken + (free - self.taken) / 2,
        }
    }

    /// Takes in whether [`Self::candidate`] is taken; gives the number once it is found.
    pub fn learn(&mut self, is_taken: bool) -> Option<u64> {
        if is_taken {
            self.taken = self.candidate();
        } else {
            self.free = Some(self.candidate());
        }
        self.free.filter(|free| *free == self.taken + 1)
    }
}

/// What a text is compared by where names are: case-folded, in NFC.
///
/// Decomposed before folding, because folding alone misses what decomposes to a cased letter with marks.
#[must_use]
pub fn key_of(text: &str) -> String {
    let decomposed: String = text.nfd().collect();
    unicase::UniCase::unicode(decomposed.as_str()).to_folded_case().nfc().collect()
}

/// The stem and the extension with its dot; a leading dot begins no extension.
fn split_extension(text: &str) -> (&str, &str) {
    match text.rfind('.') {
        Some(dot) if dot > 0 => {
            let extension = &text[dot + 1..];
            let chars = extension.chars().count();
            if chars == 0 || chars > MAX_EXTENSION_CHARS || extension.contains(char::is_whitespace) {
                (text, "")
            } else {
                text.split_at(dot)
            }
        }
        _ => (text, ""),
    }
}

/// `stem`, `insert` and `extension` in a row, with as much of the stem as [`MAX_CHARS`] leaves room for.
fn fit(stem: &str, insert: &str, extension: &str) -> String {
    let room = MAX_CHARS.saturating_sub(insert.chars().count() + extension.chars().count());
    let mut text: String = stem.chars().take(room).collect();
    text.push_str(insert);
    text.push_str(extension);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_name_is_refused_by_its_cause() {
        let check = |text: &str, expected: NameError| assert_eq!(Name::parse(text).unwrap_err(), expected, "{text:?}");
        check("", NameError::Empty);
        check(&"ä".repeat(256), NameError::TooLong);
        check("a\0b", NameError::ControlCharacter);
        check("a\nb", NameError::ControlCharacter);
        check("\u{7f}", NameError::ControlCharacter);
        check("a\u{85}b", NameError::ControlCharacter);
        check("a/b", NameError::Separator);
        check("..\\b", NameError::Separator);
        check(".", NameError::DotDirectory);
        check("..", NameError::DotDirectory);
    }

    #[test]
    fn what_other_systems_find_odd_is_a_name() {
        for text in ["...", ".bashrc", "CON", "nul.txt", " ", "a:b*?", "مرحبا", "👩‍👩‍👧.png", &"ä".repeat(255)]
        {
            assert_eq!(Name::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn names_are_the_same_without_regard_to_case_and_composition() {
        let check = |a: &str, b: &str, same: bool| {
            assert_eq!(Name::parse(a).unwrap().key() == Name::parse(b).unwrap().key(), same, "{a} {b}");
        };
        check("Photo.PNG", "photo.png", true);
        check("caf\u{e9}", "CAFE\u{301}", true);
        check("Straße", "STRASSE", true);
        check("STRAẞE", "straße", true);
        check("ΟΔΟΣ", "οδος", true);
        check("οδοσ", "οδος", true);
        check("\u{212b}", "\u{e5}", true);
        check("ı", "i", false);
        check("a", "a ", false);
        check("ﬁ", "fi", true);
    }

    #[test]
    fn a_number_goes_before_the_extension() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Name::parse(text).unwrap().numbered(2).as_str(), expected, "{text}");
        };
        check("photo.png", "photo (2).png");
        check("photo", "photo (2)");
        check(".bashrc", ".bashrc (2)");
        check("archive.tar.gz", "archive.tar (2).gz");
        check("a.", "a. (2)");
        check("Chapter 1. The beginning", "Chapter 1. The beginning (2)");
        check("photo (2).png", "photo (2) (2).png");
        check(&format!("{}.png", "x".repeat(251)), &format!("{} (2).png", "x".repeat(247)));
        check(&format!("a.{}", "e".repeat(253)), &format!("a.{} (2)", "e".repeat(249)));
    }

    #[test]
    fn only_the_base_name_of_an_upload_counts() {
        let check = |text: &str, expected: Result<&str, NameError>| {
            assert_eq!(Name::of_upload(text).as_ref().map(Name::as_str).map_err(|error| *error), expected, "{text}");
        };
        check("/etc/passwd", Ok("passwd"));
        check("..\\..\\windows\\a.txt", Ok("a.txt"));
        check("C:\\a/b.txt", Ok("b.txt"));
        check("../..", Err(NameError::DotDirectory));
        check("dir/", Err(NameError::Empty));
        check("a/b\0", Err(NameError::ControlCharacter));
        let long = Name::of_upload(&format!("d/{}.jpeg", "ü".repeat(400))).unwrap();
        assert_eq!(long.as_str(), format!("{}.jpeg", "ü".repeat(250)));
    }

    /// The number found, and after how many questions.
    fn search(is_taken: impl Fn(u64) -> bool) -> (u64, u32) {
        let (mut search, mut questions) = (NumberSearch::new(), 0);
        loop {
            questions += 1;
            let taken = is_taken(search.candidate());
            if let Some(number) = search.learn(taken) {
                return (number, questions);
            }
        }
    }

    #[test]
    fn a_free_number_is_found_by_few_questions() {
        assert_eq!(search(|_| false), (2, 1));
        assert_eq!(search(|number| number == 2 || number == 4), (3, 2), "a gap is filled");
        assert_eq!(search(|number| number <= 16).0, 17);
        assert_eq!(search(|number| number <= 17).0, 18);
        let (number, questions) = search(|number| number <= 10_000);
        assert_eq!(number, 10_001);
        assert!(questions <= 40, "{questions}");
    }

    proptest! {
        #[test]
        fn the_number_found_is_free_and_follows_a_taken_one(
            taken in prop::collection::hash_set(2_u64..200, 0..190),
        ) {
            let (number, _) = search(|number| taken.contains(&number));
            prop_assert!(!taken.contains(&number));
            prop_assert!(number == 2 || taken.contains(&(number - 1)));
        }

        #[test]
        fn every_numbered_name_is_a_name_with_the_extension_kept(
            text in "[^/\\\\\\pC]{0,260}(\\.[a-z]{1,40})?", number in 2_u64..1_000_000,
        ) {
            if let Ok(name) = Name::parse(&text) {
                let numbered = name.numbered(number);
                prop_assert_eq!(&Name::parse(numbered.as_str()).unwrap(), &numbered);
                let tail = format!(" ({number}){}", split_extension(name.as_str()).1);
                prop_assert!(numbered.as_str().ends_with(&tail));
                let next = name.numbered(number + 1);
                prop_assert_ne!(numbered.key(), next.key());
            }
        }

        #[test]
        fn a_key_does_not_depend_on_composition_and_is_its_own_key(text in "\\PC{1,40}") {
            let composed: String = text.nfc().collect();
            let decomposed: String = text.nfd().collect();
            prop_assert_eq!(key_of(&composed), key_of(&decomposed));
            prop_assert_eq!(key_of(&key_of(&text)), key_of(&text));
        }

        #[test]
        fn no_upload_name_leaves_its_folder(text in "\\PC{0,600}") {
            if let Ok(name) = Name::of_upload(&text) {
                prop_assert!(Name::parse(name.as_str()).is_ok());
            }
        }
    }
}
