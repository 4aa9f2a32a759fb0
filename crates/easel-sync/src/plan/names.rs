//! Names: which are the same to the drive, which a side cannot hold, and which are made when two want one place.

use unicode_normalization::UnicodeNormalization as _;

use crate::tree;

/// The longest name that the drive takes, in characters (contract, "Drive").
const LONGEST_IN_DRIVE: usize = 255;
/// The longest name that file systems take, in bytes.
const LONGEST_HERE_BYTES: usize = 255;

/// What the drive compares: two names with one key cannot stand beside each other (contract, "Drive").
#[must_use]
pub fn key(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// Begins what is added to the path of something kept. No text has it: Unicode leaves it to programs.
const KEPT: char = '\u{fdd0}';

/// The path in what is agreed of a drive item that is kept there although its own path here is something else's now.
#[must_use]
pub fn kept(path: &str, id: impl std::fmt::Display) -> String {
    format!("{path}{KEPT}{id}")
}

/// Whether a path is one of [`kept`], or below one.
#[must_use]
pub fn is_kept(path: &str) -> bool {
    path.contains(KEPT)
}

/// The path that a person knows a path by: what [`kept`] adds is taken away.
#[must_use]
pub fn shown(path: &str) -> String {
    let parts = path.split('/').map(|name| name.split(KEPT).next().unwrap_or_default());
    parts.collect::<Vec<_>>().join("/")
}

/// Whether the drive takes the name.
#[must_use]
pub fn fits_the_drive(name: &str) -> bool {
    !name.contains(KEPT) && (1..=LONGEST_IN_DRIVE).contains(&name.chars().count())
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

/// Whether `name` is `wanted`, or `wanted (2)` and so on, as the drive names what finds its place taken.
#[must_use]
pub fn is_numbered(name: &str, wanted: &str) -> bool {
    if key(name) == key(wanted) {
        return true;
    }
    let (stem, extension) = split(wanted);
    let Some(middle) = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(extension)) else { return false };
    middle
        .strip_prefix(" (")
        .and_then(|rest| rest.strip_suffix(')'))
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// The name that the drive gives a file that is sent as `wanted`: that one, or the first of `stem (2).ext` and so on
/// that is not taken (contract, "Uploads").
#[must_use]
pub fn numbered(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let (stem, extension) = split(wanted);
    let names = (2_u32..).map(|count| format!("{stem} ({count}){extension}"));
    std::iter::once(wanted.to_owned()).chain(names).find(|name| !is_taken(name)).unwrap_or_default()
}

/// The first of `path`, `stem (2).ext`, `stem (3).ext` … with `words` in it that is not taken. `words` is such as
/// `conflict, studio-laptop, 2026-11-20`.
#[must_use]
pub fn beside(path: &str, words: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let (stem, extension) = split(tree::name(path));
    (1_u32..)
        .map(|count| {
            let number = if count == 1 { String::new() } else { format!(", {count}") };
            let addition = format!(" ({words}{number})");
            let mut stem = stem;
            while stem.len() + addition.len() + extension.len() > LONGEST_HERE_BYTES && !stem.is_empty() {
                stem = &stem[..stem.char_indices().next_back().map_or(0, |(at, _)| at)];
            }
            tree::join(tree::parent(path), &format!("{stem}{addition}{extension}"))
        })
        .find(|path| !is_taken(path))
        .unwrap_or_default()
}

/// The word in the names that items have on the way to a place that another has to leave first.
pub const ASIDE: &str = "moving";

/// Whether a name is one on the way.
#[must_use]
pub fn is_aside(name: &str) -> bool {
    name.contains(&format!(" ({ASIDE}"))
}

/// The name without its extension, and the extension with its dot.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 => name.split_at(at),
        _ => (name, ""),
    }
}
