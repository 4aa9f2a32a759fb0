//! Ids: a prefix, an underscore, and a suffix of this service's own kind.
//!
//! Always true here: every id stands for one UUID, which a request may give instead; an id is compared as it came,
//! except that the suffixes without a switch are read in either case, as the contract has them. Not here: any way to
//! get the UUID out of an id.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::switch::Switch;
use crate::switches::Switches;

/// The longest id there is, in letters.
const LONGEST: usize = 255;
/// Crockford's base32.
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LETTERS: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The ids that were given out.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    made: u64,
    /// UUID, lower case with hyphens, to id.
    of_uuid: HashMap<String, String>,
    /// Id to UUID.
    uuid_of: HashMap<String, String>,
}

impl Ids {
    /// A new id.
    pub(crate) fn make(&mut self, prefix: &str, now: Timestamp, switches: &Switches) -> String {
        let number = self.made;
        self.made += 1;
        let prefix = match prefix {
            "file" if switches.has(Switch::FileIdsOfAnotherPrefix) => "asset",
            prefix => prefix,
        };
        let bits = uuid_bits(now, number);
        let uuid = hyphenated(bits);
        let suffix = if switches.has(Switch::IdSuffixMixedCase) {
            mixed_case(number)
        } else if switches.has(Switch::IdSuffixLong) {
            let rest = LONGEST - prefix.len() - 1;
            let unique = base32(bits);
            format!("{unique}{}", "z".repeat(rest - unique.len()))
        } else if switches.has(Switch::IdSuffixHyphenated) {
            uuid.clone()
        } else if switches.has(Switch::IdSuffixDigits) {
            (7_000_000_000 + number).to_string()
        } else {
            base32(bits)
        };
        let id = format!("{prefix}_{suffix}");
        self.of_uuid.insert(uuid.clone(), id.clone());
        self.uuid_of.insert(id.clone(), uuid);
        id
    }

    /// The UUID of an id.
    pub(crate) fn uuid(&self, id: &str) -> String {
        self.uuid_of.get(id).cloned().unwrap_or_default()
    }

    /// The id that a request means: the id itself, or its UUID.
    pub(crate) fn read(&self, text: &str) -> String {
        if is_uuid(text) {
            return self.of_uuid.get(&text.to_lowercase()).cloned().unwrap_or_default();
        }
        if self.uuid_of.contains_key(text) {
            return text.to_owned();
        }
        let upper = text.split_once('_').map(|(prefix, suffix)| format!("{prefix}_{}", suffix.to_uppercase()));
        upper.filter(|upper| self.uuid_of.contains_key(upper)).unwrap_or_else(|| text.to_owned())
    }
}

/// Whether this is a bare UUID.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.char_indices().all(|(at, letter)| match at {
            8 | 13 | 18 | 23 => letter == '-',
            _ => letter.is_ascii_hexdigit(),
        })
}

/// A UUID of version 7: the time first, so that later ones sort later.
fn uuid_bits(now: Timestamp, number: u64) -> u128 {
    let millis = u128::try_from(now.as_millisecond()).unwrap_or(0) & 0xFFFF_FFFF_FFFF;
    let number = u128::from(number);
    millis << 80 | 7 << 76 | (number >> 50 & 0xFFF) << 64 | 2 << 62 | (number & 0x3_FFFF_FFFF_FFFF) << 12 | 0x5EA
}

fn hyphenated(bits: u128) -> String {
    let hex = format!("{bits:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

fn base32(bits: u128) -> String {
    (0..26).rev().map(|digit| char::from(CROCKFORD[(bits >> (digit * 5) & 31) as usize])).collect()
}

/// Twenty-two letters; two neighbours differ in the case of all of them and in nothing else.
fn mixed_case(number: u64) -> String {
    let mut rest = (number / 2 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let text = (0..22).map(|_| {
        let letter = LETTERS[(rest % 52) as usize];
        rest = rest.rotate_right(7).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ (number / 2);
        letter
    });
    text.map(|letter| char::from(if number.is_multiple_of(2) { letter } else { letter ^ 0x20 })).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_their_own_whatever_their_form() {
        let forms = [
            Switches::none(),
            Switches::of(&[Switch::IdSuffixMixedCase]),
            Switches::of(&[Switch::IdSuffixLong]),
            Switches::of(&[Switch::IdSuffixHyphenated, Switch::FileIdsOfAnotherPrefix]),
            Switches::of(&[Switch::IdSuffixDigits]),
        ];
        for switches in forms {
            let mut ids = Ids::default();
            let made = (0..2000).map(|_| ids.make("file", Timestamp::UNIX_EPOCH, &switches)).collect::<Vec<_>>();
            assert_eq!(made.iter().collect::<HashSet<_>>().len(), made.len(), "{switches}");
            for id in &made {
                assert!(id.len() <= LONGEST, "{id}");
                let uuid = ids.uuid(id);
                assert!(is_uuid(&uuid), "{uuid}");
                assert_eq!((&ids.read(id), &ids.read(&uuid.to_uppercase())), (id, id));
            }
        }
    }

    #[test]
    fn two_ids_of_mixed_case_differ_in_their_case_alone() {
        let mut ids = Ids::default();
        let switches = Switches::of(&[Switch::IdSuffixMixedCase]);
        let [one, other] = [(), ()].map(|()| ids.make("fld", Timestamp::UNIX_EPOCH, &switches));
        assert_ne!(one, other);
        assert_eq!(one.to_lowercase(), other.to_lowercase());
    }
}
