//! What the page says of items, read: ids with their kind, names as a person typed them.
//!
//! Always true: an id of another kind is refused here, before any request. Not here: ids of designs
//! ([`crate::designs`]).

use std::collections::HashSet;

use easel_wire::{FileId, FolderId, ItemRef, VersionId};

use crate::causes;
use crate::messages;
use crate::problem::Problem;

/// The longest name, in characters (contract, "Drive").
const MOST_CHARACTERS: usize = 255;

/// Reads an item's id from the page.
pub(crate) fn read_item(id: &str) -> Result<ItemRef, Problem> {
    id.parse().map_err(|error| causes::of_id(&error))
}

/// Reads a file's id from the page.
pub(crate) fn read_file(id: &str) -> Result<FileId, Problem> {
    let is_other = matches!(id.parse(), Ok(ItemRef::Folder(_) | ItemRef::Canvas(_)));
    let file = if is_other { None } else { FileId::new(id).ok() };
    file.ok_or_else(|| messages::problem("item_id_not_usable", &[]))
}

/// Reads a folder's id from the page; none for the top of the drive.
pub(crate) fn read_folder(id: Option<&str>) -> Result<Option<FolderId>, Problem> {
    let read = |text| FolderId::of_its_prefix(text).ok_or_else(|| messages::problem("folder_not_found", &[]));
    id.map(read).transpose()
}

/// A typed name, without blanks around it.
pub(crate) fn read_name(typed: &str) -> Result<&str, Problem> {
    let name = typed.trim();
    let fits = (1..=MOST_CHARACTERS).contains(&name.chars().count());
    let is_plain = !name.chars().any(|letter| letter.is_control() || letter == '/') && name != "." && name != "..";
    if fits && is_plain { Ok(name) } else { Err(messages::problem("name_not_usable", &[])) }
}

/// Reads a version's id from the page.
pub(crate) fn read_version(id: &str) -> Result<VersionId, Problem> {
    VersionId::new(id).map_err(|_| messages::problem("version_not_found", &[]))
}

/// The newest version that was not there before, which is the content that the restored one replaced. Both lists begin
/// with the newest.
pub(crate) fn newcomer(
    before: impl Iterator<Item = VersionId>,
    after: impl IntoIterator<Item = VersionId>,
) -> Option<String> {
    let before: HashSet<VersionId> = before.collect();
    after.into_iter().find(|id| !before.contains(id)).map(|id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_as_people_type_it() {
        let check = |typed: &str, expected: Option<&str>| assert_eq!(read_name(typed).ok(), expected, "{typed:?}");
        check("  Brand ", Some("Brand"));
        check(".hidden", Some(".hidden"));
        check("Ünï — code 🎨", Some("Ünï — code 🎨"));
        check("a\\b", Some("a\\b"));
        for typed in ["", "   ", ".", "..", "a/b", "a\nb", &"x".repeat(256)] {
            check(typed, None);
        }
    }

    #[test]
    fn what_a_restored_version_took_the_place_of_is_the_newest_newcomer() {
        let ids = |numbers: &[u128]| numbers.iter().map(|number| VersionId::imagined(*number)).collect::<Vec<_>>();
        let check = |before: &[u128], after: &[u128], expected: Option<u128>| {
            let expected = expected.map(|number| VersionId::imagined(number).to_string());
            assert_eq!(newcomer(ids(before).into_iter(), ids(after)), expected, "{before:?} {after:?}");
        };
        check(&[2, 1], &[3, 2], Some(3));
        check(&[1], &[3, 2], Some(3));
        check(&[1], &[1], None);
        check(&[1], &[], None);
    }
}
