//! How the slot of a drive file is named on the disk: after the file's id, which may be any text.
//!
//! Always true: two ids never have one name, not even where the disk takes no notice of letter case; a name is valid on
//! any system, together with the endings that are put after it. The ids of a studio stand as they are. Any other id
//! follows a `=`: small letters, digits, `_` and `-` stay, and every other byte becomes `%` and two digits. An id that
//! is too long for a name is replaced by its SHA-256 after a `+`, with a file beside it that holds the id.

use data_encoding::HEXLOWER;
use easel_wire::FileId;
use sha2::{Digest as _, Sha256};

/// The longest name of a slot in bytes: file systems hold 255, and five are put after it.
const LONGEST: usize = 250;
/// The ending of the file that holds the id of a slot.
pub(super) const ID: &str = ".id";

/// The digits of a studio's ids.
fn is_base32(byte: u8) -> bool {
    byte.is_ascii_digit() || (byte.is_ascii_uppercase() && !b"ILOU".contains(&byte))
}

fn is_of_a_studio(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, digits)| {
        let is_prefix = !prefix.is_empty() && prefix.len() <= 8 && prefix.bytes().all(|byte| byte.is_ascii_lowercase());
        is_prefix && digits.len() == 26 && digits.bytes().all(is_base32)
    })
}

/// The name of a drive file's slot.
pub(super) fn name_of(file: FileId) -> String {
    let text = file.text();
    if is_of_a_studio(&text) {
        return text.to_string();
    }
    let mut name = "=".to_owned();
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'_' | b'-' => name.push(char::from(byte)),
            other => name.push_str(&format!("%{other:02x}")),
        }
    }
    if name.len() <= LONGEST { name } else { format!("+{}", hex(&text)) }
}

/// Whether the name is a hash, so that only the file beside it tells the id.
pub(super) fn is_short_for_its_id(name: &str) -> bool {
    name.starts_with('+')
}

/// The drive file whose slot has this name. `id`: the text of the file beside the slot, where the name is a hash.
pub(super) fn file_of(name: &str, id: impl FnOnce() -> Option<String>) -> Option<FileId> {
    let text = match name.strip_prefix('=') {
        Some(encoded) => decode(encoded)?,
        None if is_short_for_its_id(name) => id()?,
        None => name.to_owned(),
    };
    // A name that no id has is nobody's slot.
    text.parse().ok().filter(|file| name_of(*file) == name)
}

fn decode(encoded: &str) -> Option<String> {
    String::from_utf8(percent_encoding::percent_decode_str(encoded).collect()).ok()
}

fn hex(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn id(text: &str) -> FileId {
        text.parse().unwrap()
    }

    fn read_back(file: FileId) -> Option<FileId> {
        file_of(&name_of(file), || Some(file.to_string()))
    }

    #[test]
    fn the_names_of_a_studios_ids_are_those_they_always_had() {
        let text = "file_01M827JAC5EB8TWTXWXNYZ91W5";
        assert_eq!(name_of(id(text)), text);
        assert_eq!(file_of(text, || None), Some(id(text)));
    }

    #[test]
    fn what_no_disk_holds_is_spelled_out() {
        for (text, name) in [
            ("a/b", "=a%2fb"),
            ("%", "=%25"),
            ("...", "=%2e%2e%2e"),
            ("con", "=con"),
            ("file_Ab", "=file_%41b"),
            ("file_é", "=file_%c3%a9"),
            ("file_01m827jac5eb8twtxwxnyz91w5", "=file_01m827jac5eb8twtxwxnyz91w5"),
            ("=a", "=%3da"),
        ] {
            assert_eq!(name_of(id(text)), name);
            assert_eq!(file_of(name, || None), Some(id(text)));
        }
    }

    #[test]
    fn what_is_nobodys_slot_is_nobodys() {
        for name in ["readme", "=A", "=%2F", "=%zz", "=", "=a.part", "+00", "file_1", ".."] {
            assert_eq!(file_of(name, || Some("file_1".to_owned())), None, "{name}");
        }
    }

    #[test]
    fn the_longest_ids_fit_and_stay_apart() {
        let long = |last: &str| id(&format!("{}{last}", "é".repeat(254)));
        assert_ne!(name_of(long("a")), name_of(long("b")));
        assert!(is_short_for_its_id(&name_of(long("a"))));
        assert_eq!(read_back(long("a")), Some(long("a")));
        assert_eq!(file_of(&name_of(long("a")), || Some(long("b").to_string())), None);
        assert_eq!(file_of(&name_of(long("a")), || None), None);
    }

    proptest! {
        #[test]
        fn every_id_has_a_name_of_its_own_that_is_good_everywhere_and_is_read_back(
            texts in proptest::collection::vec("[ -~é]{1,255}|[A-Ca-c/.]{1,4}", 1..20),
        ) {
            let ids: HashSet<FileId> = texts.iter().filter_map(|text| text.parse().ok()).collect();
            let names: HashSet<String> = ids.iter().map(|id| name_of(*id).to_lowercase()).collect();
            prop_assert_eq!(names.len(), ids.len());
            for id in ids {
                let name = name_of(id);
                prop_assert!(name.len() + ".part".len() <= 255);
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-=%+".contains(&byte)));
                prop_assert_eq!(read_back(id), Some(id));
            }
        }
    }
}
