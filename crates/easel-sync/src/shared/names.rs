//! Names: which of them are the same to the drive, which a side cannot hold, and new names when two items want one.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::paths;

/// The longest name that the drive takes, in characters (contract, "Drive").
const LONGEST_IN_DRIVE: usize = 255;
/// The longest name that file systems take, in bytes.
const LONGEST_HERE_BYTES: usize = 255;

/// The longest extension that a name with a number keeps, in characters. A longer one, or one with white space, is the
/// end of a sentence and no extension.
const LONGEST_EXTENSION: usize = 32;

/// The key by which the drive compares names: two names with one key cannot stand beside each other (contract,
/// "Drive"). Case is folded, because lower case alone is not enough: `STRASSE` is `straße`. The name is decomposed
/// first, because folding misses letters that decompose to a letter with marks.
#[must_use]
pub fn key(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        let is_folded = !name.bytes().any(|byte| byte.is_ascii_uppercase());
        return if is_folded { Cow::Borrowed(name) } else { Cow::Owned(name.to_ascii_lowercase()) };
    }
    let decomposed: String = name.nfd().collect();
    Cow::Owned(unicase::UniCase::unicode(decomposed.as_str()).to_folded_case().nfc().collect())
}

/// Begins the suffix of a path that is kept in the drive alone. No text has this character: Unicode leaves it to
/// programs.
const KEPT: char = '\u{fdd0}';

/// The path of a record whose item is kept in the drive although another item has its own path here.
#[must_use]
pub fn drive_only_path(path: &str, id: impl std::fmt::Display) -> String {
    format!("{path}{KEPT}{id}")
}

/// Whether a path is one that [`kept`] made, or below one.
#[must_use]
pub fn is_kept(path: &str) -> bool {
    path.contains(KEPT)
}

/// The path for people: without the suffix of [`kept`].
#[must_use]
pub fn shown(path: &str) -> String {
    let parts = path.split('/').map(|name| name.split(KEPT).next().unwrap_or_default());
    parts.collect::<Vec<_>>().join("/")
}

/// Whether the drive takes the name as it is. Of a name that looks like a path, it would take the end alone (contract,
/// "Uploads"), and the file would have another name there.
#[must_use]
pub fn fits_the_drive(name: &str) -> bool {
    let is_whole = !name.contains([KEPT, '/', '\\']) && !name.chars().any(char::is_control);
    is_whole && (1..=LONGEST_IN_DRIVE).contains(&name.chars().count())
}

/// Whether a file system takes the name.
#[must_use]
pub fn fits_here(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(KEPT)
        && name.len() <= LONGEST_HERE_BYTES
        && name != "."
        && name != ".."
        && !name.contains(['/', '\0'])
}

/// Whether `name` is `wanted`, or `wanted (2)` and so on, as the drive numbers a name that is taken. A file that was
/// sent as `wanted (2)` when that was taken too has two numbers.
#[must_use]
pub fn is_numbered(name: &str, wanted: &str) -> bool {
    if key(name) == key(wanted) {
        return true;
    }
    let extension = split(wanted).1;
    let numbered = name.strip_suffix(extension).and_then(|stem| stem.strip_suffix(')')?.rsplit_once(" ("));
    let Some((stem, digits)) = numbered.filter(|(_, digits)| digits.bytes().all(|digit| digit.is_ascii_digit())) else {
        return false;
    };
    digits.parse().is_ok_and(|number| with_number(wanted, number) == name)
        || is_numbered(&format!("{stem}{extension}"), wanted)
}

/// The name that the drive gives a file that is sent as `wanted`: the same, or the first of `stem (2).ext` and so on
/// that is not taken (contract, "Uploads").
#[must_use]
pub fn numbered(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let names = (2_u64..).map(|number| with_number(wanted, number));
    std::iter::once(wanted.to_owned()).chain(names).find(|name| !is_taken(name)).unwrap_or_default()
}

/// `stem (2).ext`, with as much of the stem as fits.
pub(crate) fn with_number(name: &str, number: u64) -> String {
    let (stem, extension) = split(name);
    let end = format!(" ({number}){extension}");
    let room = LONGEST_IN_DRIVE.saturating_sub(end.chars().count());
    stem.chars().take(room).chain(end.chars()).collect()
}

/// The first of `path`, `stem (2).ext`, `stem (3).ext` … with `words` in it that is not taken. `words` is such as
/// `conflict, studio-laptop, 2026-11-20`.
#[must_use]
pub fn find_free(path: &str, words: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let (stem, extension) = split(paths::name(path));
    (1_u32..)
        .map(|count| {
            let number = if count == 1 { String::new() } else { format!(", {count}") };
            let addition = format!(" ({words}{number})");
            let mut stem = stem;
            while stem.len() + addition.len() + extension.len() > LONGEST_HERE_BYTES && !stem.is_empty() {
                stem = &stem[..stem.char_indices().next_back().map_or(0, |(at, _)| at)];
            }
            paths::join(paths::parent(path), &format!("{stem}{addition}{extension}"))
        })
        .find(|path| !is_taken(path))
        .unwrap_or_default()
}

/// The word in temporary names of items that wait for another item to leave their place.
pub const ASIDE: &str = "moving";

/// The path of an item that waits under such a temporary name, without what was added to it; a name that was cut for it stays cut.
#[must_use]
pub fn without_aside(path: &str) -> String {
    let name = paths::name(path);
    let Some(begin) = name.rfind(&format!(" ({ASIDE}")) else { return path.to_owned() };
    let end = name[begin..].find(')').map_or(name.len(), |end| begin + end + 1);
    paths::join(paths::parent(path), &format!("{}{}", &name[..begin], &name[end..]))
}

/// Whether a name is such a temporary one.
#[must_use]
pub fn is_aside(name: &str) -> bool {
    name.contains(&format!(" ({ASIDE}"))
}

/// The name without its extension, and the extension with its dot. A dot at the beginning does not begin an extension.
pub(crate) fn split(name: &str) -> (&str, &str) {
    let Some(at) = name.rfind('.').filter(|at| *at > 0) else { return (name, "") };
    let (stem, extension) = name.split_at(at);
    let is_extension = (2..=LONGEST_EXTENSION + 1).contains(&extension.chars().count());
    if is_extension && !extension.contains(char::is_whitespace) { (stem, extension) } else { (name, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_aside_is_called_again_as_it_was() {
        for path in ["a/b.txt", "c", "x (1)/report (2).tar", "\u{e9}.txt"] {
            let first = find_free(path, ASIDE, |_| false);
            let second = find_free(path, ASIDE, |taken| taken == first);
            assert!(is_aside(paths::name(&first)) && is_aside(paths::name(&second)) && first != second);
            assert_eq!((without_aside(&first), without_aside(&second)), (path.to_owned(), path.to_owned()));
            assert_eq!(without_aside(path), path);
        }
    }
}
