//! The page's addresses of pictures.
//!
//! Always true: an address names a picture as it was at one moment, so that what is kept under it stays right; none is
//! signed, none leads out of Easel. Not here: answering them (`media`).

use easel_wire::drive::{File, FileVersion};
use easel_wire::{CanvasId, FileId, TaskId, Timestamp, VersionId};

use crate::id_paths::in_a_path;

/// The name of the app's own protocol.
pub const SCHEME: &str = "easel-media";

/// How the page's engine spells an address of that protocol.
pub const ORIGIN: &str =
    if cfg!(any(windows, target_os = "android")) { "http://easel-media.localhost" } else { "easel-media://localhost" };

/// Begins the path of an address that stands for a file of this computer, which is read each time and kept nowhere.
pub(super) const CONFLICT: &str = "/conflict/";

/// The largest picture that is kept: a thumbnail is some kilobytes, a photograph some megabytes.
pub(super) const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Types of pictures that every engine shows.
const SHOWN: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];

/// Types of files of which a picture can be drawn here, or that carry one of themselves.
const DRAWN: [&str; 13] = [
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.graphics",
    "application/vnd.apple.keynote",
    "application/vnd.apple.pages",
    "application/vnd.apple.numbers",
    "application/postscript",
    "image/vnd.adobe.photoshop",
];
/// The same by the endings of their names: many services do not know their types.
const DRAWN_ENDINGS: [&str; 20] = [
    "ai", "docx", "fig", "key", "kra", "numbers", "odg", "odp", "ods", "odt", "ora", "pages", "pdf", "potx", "ppsx",
    "pptx", "psb", "psd", "sketch", "xlsx",
];

/// The page's address of a design's thumbnail. It changes with the design, so that nothing outdated is shown.
pub(crate) fn of_design(connection_id: &str, canvas: CanvasId, changed: Option<Timestamp>) -> String {
    let version = version_of(changed);
    format!("{ORIGIN}/design/{connection_id}/{}/{version}", in_a_path(&canvas.text()))
}

/// The page's address of a picture of one page of a design, from 1. It changes with the design.
pub(crate) fn of_page(connection_id: &str, canvas: CanvasId, changed: Option<Timestamp>, page: u32) -> String {
    let version = version_of(changed);
    format!("{ORIGIN}/page/{connection_id}/{}/{version}/{page}", in_a_path(&canvas.text()))
}

/// The page's address of a picture of one page of a design that is being made, from 1. It changes with the picture.
pub(crate) fn of_draft(connection_id: &str, task: TaskId, revision: u64, page: u32) -> String {
    format!("{ORIGIN}/draft/{connection_id}/{}/{revision}/{page}", in_a_path(&task.text()))
}

/// The page's address of a picture in the drive. It changes with the file, which may get new content under its id.
pub(crate) fn of_file(connection_id: &str, file: FileId, changed: Option<Timestamp>) -> String {
    of_content("file", connection_id, file, version_of(changed))
}

/// The page's address of a file's content, shown as `kind` says. It changes with `version`.
fn of_content(kind: &str, connection_id: &str, file: FileId, version: impl std::fmt::Display) -> String {
    format!("{ORIGIN}/{kind}/{connection_id}/{}/{version}", in_a_path(&file.text()))
}

/// What tells a moment's state of an item from others, in an address.
fn version_of(changed: Option<Timestamp>) -> i64 {
    changed.map_or(0, Timestamp::as_micros)
}

/// The address of another page, from 2, of the document that `address` shows the first page of.
pub(super) fn of_document_page(address: &str, page: u32) -> String {
    format!("{address}/{page}")
}

/// The page's address of what a file of the drive looks like; `None` where it is neither a picture that every engine shows
/// nor of a kind of which one can be drawn, or is too large. Of some files of such a kind there is none all the same.
pub(crate) fn preview_of_file(connection_id: &str, file: &File) -> Option<String> {
    let kind = kind_of(&file.name, file.mime_type.as_deref(), file.size_bytes)?;
    Some(of_content(kind, connection_id, file.id, version_of(file.updated_at)))
}

/// The page's address of what a file of the drive looks like, where only its name, its size in bytes and the SHA-256 of its content
/// are known; `None` as with [`preview_of_file`]. It changes with the content.
pub(crate) fn preview_by_name(
    connection_id: &str,
    (file, name): (FileId, &str),
    size_bytes: u64,
    sha256: &[u8; 32],
) -> Option<String> {
    let kind = kind_of(name, type_by_name(name, size_bytes), Some(size_bytes))?;
    let version = sha256.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
    Some(of_content(kind, connection_id, file, version))
}

/// How a content of this name, type and size, in bytes, is shown: as it is, by a picture that is drawn of it, or not at all.
fn kind_of(name: &str, mime_type: Option<&str>, size_bytes: Option<u64>) -> Option<&'static str> {
    if is_shown(mime_type, size_bytes) {
        Some("file")
    } else if is_drawn(name, mime_type, size_bytes) {
        Some("document")
    } else {
        None
    }
}

/// Whether a content of this type and size, in bytes, is a picture that every engine shows, and no larger than is kept.
fn is_shown(mime_type: Option<&str>, size_bytes: Option<u64>) -> bool {
    mime_type.is_some_and(|mime| SHOWN.contains(&mime)) && size_bytes.is_some_and(|size| size <= MOST_BYTES as u64)
}

/// Whether a file of this name, type and size, in bytes, is of a kind of which a picture can be drawn, and no larger than is
/// fetched for one.
pub(crate) fn is_drawn(name: &str, mime_type: Option<&str>, size_bytes: Option<u64>) -> bool {
    let is_of_kind = mime_type.is_some_and(|mime| DRAWN.contains(&mime))
        || ending_of(name).is_some_and(|ending| DRAWN_ENDINGS.contains(&ending.as_str()));
    is_of_kind && size_bytes.is_some_and(|size| size <= MOST_BYTES as u64)
}

/// The ending of a name, in small letters.
pub(crate) fn ending_of(name: &str) -> Option<String> {
    name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}

/// The page's address of a version of a file on this computer, by what names it. It changes with the file.
pub(crate) fn of_conflict(names: &str) -> String {
    format!("{ORIGIN}{CONFLICT}{names}")
}

/// The type of a picture that every engine shows, by its name, as long as it is no larger than one may be.
pub(crate) fn type_by_name(name: &str, size_bytes: u64) -> Option<&'static str> {
    let mime_type = match ending_of(name)?.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    is_shown(Some(mime_type), Some(size_bytes)).then_some(mime_type)
}

/// The page's address of what an earlier content of a file looks like; `None` as with the file.
pub(crate) fn preview_of_version(connection_id: &str, file: &File, version: &FileVersion) -> Option<String> {
    let kind = kind_of(&file.name, version.mime_type.as_deref(), version.size_bytes)?;
    let (file, version) = (in_a_path(&file.id.text()), in_a_path(&version.id.text()));
    Some(format!("{ORIGIN}/{kind}-version/{connection_id}/{file}/{version}"))
}

/// The page's address of the thumbnail of an earlier drawing.
pub(crate) fn of_design_version(connection_id: &str, canvas: CanvasId, version: VersionId) -> String {
    format!("{ORIGIN}/design-version/{connection_id}/{}/{}", in_a_path(&canvas.text()), in_a_path(&version.text()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_offered_of_pictures_that_can_be_shown() {
        let check = |name: &str, mime: Option<&str>, size: u64, expected: Option<&str>| {
            let id = "file_00000000000000000000000001";
            let file = serde_json::json!({"id": id, "name": name, "mime_type": mime, "size_bytes": size});
            let address = preview_of_file("c-1", &serde_json::from_value(file).unwrap());
            let expected = expected.map(|kind| format!("{ORIGIN}/{kind}/c-1/{id}/0"));
            assert_eq!(address, expected, "{name} {mime:?} {size}");
        };
        check("a", Some("image/png"), 1, Some("file"));
        check("a", Some("image/svg+xml"), 1, Some("file"));
        check("a", Some("image/png"), MOST_BYTES as u64 + 1, None);
        check("a", Some("image/tiff"), 1, None);
        check("a", Some("text/html"), 1, None);
        check("a", None, 1, None);
        check("a", Some("application/pdf"), 1, Some("document"));
        check("A.PPTX", Some("application/zip"), 1, Some("document"));
        check("a.psd", None, 1, Some("document"));
        check("a.pdf", None, MOST_BYTES as u64 + 1, None);
        check("a.zip", Some("application/zip"), 1, None);
    }

    #[test]
    fn a_preview_is_offered_by_the_name_and_is_another_one_for_another_content() {
        let id = "file_00000000000000000000000001";
        let file: FileId = serde_json::from_value(serde_json::json!(id)).unwrap();
        let address = |name: &str, content: u8| preview_by_name("c-1", (file, name), 9, &[content; 32]);
        let expected = |kind: &str, version: u64| Some(format!("{ORIGIN}/{kind}/c-1/{id}/{version}"));
        assert_eq!(address("a.PNG", 1), expected("file", 0x0101_0101_0101_0101));
        assert_eq!(address("a.png", 2), expected("file", 0x0202_0202_0202_0202));
        assert_eq!(address("a.pdf", 1), expected("document", 0x0101_0101_0101_0101));
        assert_eq!(address("a.zip", 1), None);
    }

    #[test]
    fn a_picture_is_told_by_its_name_and_its_size() {
        assert_eq!(type_by_name("Photos/a.JPG", 1), Some("image/jpeg"));
        assert_eq!(type_by_name("a.svg", MOST_BYTES as u64), Some("image/svg+xml"));
        for (name, size_bytes) in [("a.png", MOST_BYTES as u64 + 1), ("a.tif", 1), ("png", 1), ("a.png.txt", 1)] {
            assert_eq!(type_by_name(name, size_bytes), None, "{name}");
        }
    }
}
