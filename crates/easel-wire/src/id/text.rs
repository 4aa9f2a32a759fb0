//! The text of an id, and the interned texts of ids that are no UUID.
//!
//! Always true: an interned text is kept once, for as long as the program runs, and always has the same number. Not
//! here: which texts are interned (`id`).

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::io::Write as _;
use std::ops::Deref;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// Crockford's base32 (contract, "Ids"), in the order of the values that the digits have.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// The value of each byte as a digit.
const VALUES: [Option<u8>; 256] = values();
/// Digits of a UUID.
const LENGTH: usize = 26;
/// What stands between the prefix and the number of an id that no service made.
const IMAGINED: &str = "imagined-";
/// The longest text that is written out, in bytes: a prefix of up to nine bytes with an imagined number.
const ROOM: usize = 58;

const fn values() -> [Option<u8>; 256] {
    let mut values = [None; 256];
    let mut value = 0;
    while value < 32 {
        values[DIGITS[value as usize] as usize] = Some(value);
        value += 1;
    }
    values
}

/// The UUID of 26 digits; `None` for any other text.
pub(super) fn read_digits(digits: &str) -> Option<Uuid> {
    let digits = digits.as_bytes();
    // Of the 130 bits the first two must be nought.
    if digits.len() != LENGTH || !(b'0'..=b'7').contains(&digits[0]) {
        return None;
    }
    let number =
        digits.iter().try_fold(0_u128, |number, digit| Some((number << 5) | u128::from(VALUES[usize::from(*digit)]?)));
    number.map(Uuid::from_u128)
}

/// The UUID of its usual form in small letters; `None` for any other text.
pub(super) fn read_bare(text: &str) -> Option<Uuid> {
    let is_plain = text.len() == Hyphenated::LENGTH && !text.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_plain { Uuid::try_parse(text).ok() } else { None }
}

/// The number of an imagined id, from its text behind the prefix; `None` for any other text.
pub(super) fn read_imagined(rest: &str) -> Option<Uuid> {
    let digits = rest.strip_prefix(IMAGINED)?;
    // Each number is written in one way alone.
    let is_canonical = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if is_canonical { digits.parse().ok().map(Uuid::from_u128) } else { None }
}

/// The text of an id, which is freed with its owner.
#[derive(Clone, Copy)]
pub struct IdText(Text);

#[derive(Clone, Copy)]
enum Text {
    Written { bytes: [u8; ROOM], length: usize },
    Interned(&'static str),
}

impl IdText {
    /// A UUID's digits behind a prefix and an underscore.
    pub(super) fn prefixed(prefix: &str, uuid: Uuid) -> Self {
        let mut bytes = [0; ROOM];
        bytes[..prefix.len()].copy_from_slice(prefix.as_bytes());
        bytes[prefix.len()] = b'_';
        let length = prefix.len() + 1 + LENGTH;
        let mut number = uuid.as_u128();
        for byte in bytes[prefix.len() + 1..length].iter_mut().rev() {
            *byte = DIGITS[(number & 31) as usize];
            number >>= 5;
        }
        Self(Text::Written { bytes, length })
    }

    /// A UUID in its usual form.
    pub(super) fn bare(uuid: Uuid) -> Self {
        let mut bytes = [0; ROOM];
        let length = uuid.hyphenated().encode_lower(&mut bytes).len();
        Self(Text::Written { bytes, length })
    }

    /// A number behind a prefix and the word that says that no service made it.
    pub(super) fn imagined(prefix: &str, number: Uuid) -> Self {
        let mut bytes = [0; ROOM];
        let mut rest = &mut bytes[..];
        // The room is that of the longest prefix and the largest number.
        let _ = write!(rest, "{prefix}_{IMAGINED}{}", number.as_u128());
        let length = ROOM - rest.len();
        Self(Text::Written { bytes, length })
    }

    /// The interned text of a number.
    pub(super) fn kept(number: Number) -> Self {
        Self(Text::Interned(number.text()))
    }
}

impl Deref for IdText {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Text::Written { bytes, length } => {
                let written = bytes.get(..*length).unwrap_or_default();
                std::str::from_utf8(written).unwrap_or_default()
            }
            Text::Interned(text) => text,
        }
    }
}

impl AsRef<str> for IdText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Display for IdText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for IdText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl PartialEq for IdText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
impl Eq for IdText {}

impl PartialEq<str> for IdText {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for IdText {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

/// The number of an interned text. Four bytes, so that an id has no padding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Number([u8; 4]);

/// An interned text, with its hash.
#[derive(Clone, Copy)]
struct Interned {
    text: &'static str,
    hash: u64,
}

/// The texts by their numbers, in pieces of which each is twice as long as the one before: an interned text never
/// moves, so that it is found without a lock.
static PIECES: [OnceLock<Box<[OnceLock<Interned>]>>; 32] = [const { OnceLock::new() }; 32];
/// The numbers by their texts.
static NUMBERS: LazyLock<RwLock<HashMap<&'static str, Number>>> = LazyLock::new(RwLock::default);

impl Number {
    /// Interns a text; `None` where there are no numbers left.
    pub(super) fn of(text: &str) -> Option<Self> {
        if let Some(number) = NUMBERS.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Some(*number);
        }
        let mut numbers = NUMBERS.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(text) {
            return Some(*number);
        }
        let number = Self(u32::try_from(numbers.len()).ok().filter(|next| *next < u32::MAX)?.to_le_bytes());
        let text: &'static str = Box::leak(text.into());
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
        number.slot()?.set(Interned { text, hash }).ok()?;
        numbers.insert(text, number);
        Some(number)
    }

    /// The slot of this number's text.
    fn slot(self) -> Option<&'static OnceLock<Interned>> {
        let place = u32::from_le_bytes(self.0) + 1;
        let piece = place.ilog2();
        let first = 1_u32 << piece;
        let texts = PIECES.get(piece as usize)?.get_or_init(|| (0..first).map(|_| OnceLock::new()).collect());
        texts.get((place - first) as usize)
    }

    fn kept(self) -> Option<Interned> {
        self.slot()?.get().copied()
    }

    /// How many texts are interned.
    #[cfg(test)]
    pub(super) fn count() -> usize {
        NUMBERS.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub(super) fn text(self) -> &'static str {
        self.kept().map_or("", |kept| kept.text)
    }

    /// The text's hash, the same in every run of the program.
    pub(super) fn hash(self) -> u64 {
        self.kept().map_or(0, |kept| kept.hash)
    }
}
