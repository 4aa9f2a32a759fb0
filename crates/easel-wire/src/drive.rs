//! The drive: folders, files, the tree and the changes to them (specification, "Endpoints"; contract, "Drive").

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lenient;
use crate::open_enum::open_enum;
use crate::{FileId, FolderId, ItemRef, Timestamp, UserId, VersionId};

open_enum! {
    /// Who may see an item.
    Visibility {
        /// Everyone in the team.
        Team = "team",
        /// Only the person who made it.
        Private = "private",
    }
}

/// A folder of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Folder {
    /// The folder's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: FolderId,
    /// 1 to 255 characters; empty where the service does not say.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: String,
    /// The folder's path from the top, such as `/Brand/Photos`.
    #[serde(default, deserialize_with = "lenient::read")]
    pub path: Option<String>,
    /// The folder above: `None` where the service does not say, `Some(None)` at the top of the drive.
    #[serde(default, deserialize_with = "lenient::read_nullable")]
    pub parent_folder_id: Option<Option<FolderId>>,
    /// Canvases directly in it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_count: u64,
    /// Files directly in it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub file_count: u64,
    /// Folders directly in it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub subfolder_count: u64,
    /// Who may see it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub visibility: Option<Visibility>,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// Changes with every change to a direct child.
    #[serde(default, deserialize_with = "lenient::read")]
    pub updated_at: Option<Timestamp>,
}

/// A file of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct File {
    /// The file's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: FileId,
    /// 1 to 255 characters; empty where the service does not say.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: String,
    /// The folder that it lies in: `None` where the service does not say, `Some(None)` at the top of the drive.
    #[serde(default, deserialize_with = "lenient::read_nullable")]
    pub folder_id: Option<Option<FolderId>>,
    /// Who may see it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub visibility: Option<Visibility>,
    /// Whether the visibility comes from a folder above.
    #[serde(default, deserialize_with = "lenient::read")]
    pub visibility_inherited: Option<bool>,
    /// The file's type.
    #[serde(default, deserialize_with = "lenient::read")]
    pub mime_type: Option<String>,
    /// The file's size in bytes.
    #[serde(default, deserialize_with = "lenient::read")]
    pub size_bytes: Option<u64>,
    /// `sha256:` and 64 hex digits; a service may leave it out.
    #[serde(default, deserialize_with = "lenient::read")]
    pub content_hash: Option<String>,
    /// The file's content address, for key holders.
    #[serde(default, deserialize_with = "lenient::read")]
    pub url: Option<String>,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// When it or its place last changed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub updated_at: Option<Timestamp>,
    /// Who put it there.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_by: Option<CreatedBy>,
}

/// `POST /v1/drive/files/{file_id}/content`, which few services have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplaceContent {
    /// From the signed upload record.
    pub storage_key: String,
    /// `sha256:` and 64 hex digits: the content that the file must still have, or nothing changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_content_hash: Option<String>,
}

/// An earlier content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FileVersion {
    /// The version's id.
    pub id: VersionId,
    /// Its type.
    #[serde(default, deserialize_with = "lenient::read")]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(default, deserialize_with = "lenient::read")]
    pub size_bytes: Option<u64>,
    /// `sha256:` and 64 hex digits.
    #[serde(default, deserialize_with = "lenient::read")]
    pub content_hash: Option<String>,
    /// When it became the file's content.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// Who gave the file this content.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_by: Option<CreatedBy>,
    /// When other content took its place.
    #[serde(default, deserialize_with = "lenient::read")]
    pub replaced_at: Option<Timestamp>,
}

/// The answer of `GET /v1/drive/files/{file_id}/versions`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FileVersions {
    /// All of them, the newest first.
    pub versions: Vec<FileVersion>,
}

/// Who put an item in the drive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CreatedBy {
    /// The user's id.
    #[serde(default, deserialize_with = "lenient::read")]
    pub id: Option<UserId>,
    /// The user's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
    /// The user's address.
    #[serde(default, deserialize_with = "lenient::read")]
    pub email: Option<String>,
}

/// `POST /v1/drive/folders`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CreateFolder {
    /// The folder's name.
    pub name: String,
    /// The folder above; the top of the drive where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_folder_id: Option<FolderId>,
    /// Makes a repeat within 24 hours harmless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// The answer of `GET /v1/drive/tree`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Tree {
    /// The folders at the top.
    #[serde(deserialize_with = "lenient::read")]
    pub tree: Vec<TreeNode>,
    /// How many levels were asked for.
    #[serde(default, deserialize_with = "lenient::read")]
    pub depth: u32,
    /// Whether some folder's children were left out.
    #[serde(default, deserialize_with = "lenient::read")]
    pub truncated: bool,
}

/// A folder with the folders below it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TreeNode {
    /// The folder itself.
    #[serde(flatten)]
    pub folder: Folder,
    /// The folders directly below, as far as they were asked for.
    #[serde(default, deserialize_with = "lenient::read")]
    pub children: Vec<TreeNode>,
    /// Whether there are folders below that were left out.
    #[serde(default, deserialize_with = "lenient::read")]
    pub children_truncated: bool,
}

/// The answer of `GET /v1/drive/files/{file_id}/download`. Its URL is a capability.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Download {
    /// A signed URL that serves the bytes without a key.
    #[serde(alias = "url")]
    pub download_url: String,
    /// The file's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub filename: Option<String>,
    /// The file's type.
    #[serde(default, deserialize_with = "lenient::read")]
    pub mime_type: Option<String>,
    /// The file's size in bytes.
    #[serde(default, deserialize_with = "lenient::read")]
    pub size_bytes: Option<u64>,
}

impl std::fmt::Debug for Download {
    /// Leaves the URL out: it is a capability and must not reach a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Download")
            .field("filename", &self.filename)
            .field("size_bytes", &self.size_bytes)
            .finish_non_exhaustive()
    }
}

/// `POST /v1/drive/items/{ref}/move`. `None` means the top of the drive; the field itself is required.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MoveItem {
    /// The folder that the item goes to.
    pub folder_id: Option<FolderId>,
}

/// `PATCH /v1/drive/items/{ref}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangeItem {
    /// The new name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who may see it from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
}

/// A deleted item that can come back, on services that keep such items (contract, "Drive": an addition).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TrashedItem {
    /// The item's id of before, which it has again once it is back.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: ItemRef,
    /// Its name; empty where the service does not say.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: String,
    /// The folder that it lay in, which may be gone: `None` where the service does not say, `Some(None)` at the top of
    /// the drive.
    #[serde(default, deserialize_with = "lenient::read_nullable")]
    pub folder_id: Option<Option<FolderId>>,
    /// Who could see it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub visibility: Option<Visibility>,
    /// When it was deleted.
    #[serde(default, deserialize_with = "lenient::read")]
    pub deleted_at: Option<Timestamp>,
    /// Who deleted it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub deleted_by: Option<CreatedBy>,
    /// When it is removed for good.
    #[serde(default, deserialize_with = "lenient::read")]
    pub expires_at: Option<Timestamp>,
    /// Folders that come back with it, itself included.
    #[serde(default, deserialize_with = "lenient::read")]
    pub folder_count: u64,
    /// Canvases that come back with it, itself included.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_count: u64,
    /// Files that come back with it, itself included.
    #[serde(default, deserialize_with = "lenient::read")]
    pub file_count: u64,
    /// Bytes of those files.
    #[serde(default, deserialize_with = "lenient::read")]
    pub size_bytes: Option<u64>,
}

/// The answer when items of the trash are removed for good.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TrashEmptied {
    /// How many items of the trash were removed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub removed: u64,
}

/// The item in the answer of move, change and delete: its present state, or its last one before it was deleted. A
/// successful answer shows that the change was made; every field may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ChangedItem {
    /// The item's id.
    #[serde(default, deserialize_with = "lenient::read")]
    pub id: Option<ItemRef>,
    /// The item's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
    /// The folder that it lies in: `None` where the service does not say, `Some(None)` at the top of the drive.
    #[serde(default, deserialize_with = "lenient::read_nullable")]
    pub folder_id: Option<Option<FolderId>>,
    /// Who may see it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub visibility: Option<Visibility>,
    /// When it last changed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub updated_at: Option<Timestamp>,
}

impl ChangedItem {
    /// Reads an answer that has the item under `item`, is the item itself, or has no fields. `None` for bodies that no
    /// service of this kind sends: anything but an object, null or no body at all.
    #[must_use]
    pub fn from_json(body: &[u8]) -> Option<Self> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Some(Self::default());
        }
        match serde_json::from_slice(body).ok()? {
            Value::Null => Some(Self::default()),
            body @ Value::Object(_) => Some(serde_json::from_value(unwrapped(body, "item")).unwrap_or_default()),
            _ => None,
        }
    }
}

/// Reads one folder, under `folder` or bare.
///
/// # Errors
/// Where it has no id.
pub fn read_folder(body: Value) -> Result<Folder, serde_json::Error> {
    serde_json::from_value(unwrapped(body, "folder"))
}

/// A record that may stand under its name.
fn unwrapped(mut body: Value, name: &str) -> Value {
    match body.get_mut(name) {
        Some(inner @ Value::Object(_)) => inner.take(),
        _ => body,
    }
}

lenient::records!(CreatedBy, File, TreeNode);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_move_says_where_to_even_where_that_is_the_top() {
        assert_eq!(serde_json::to_string(&MoveItem { folder_id: None }).unwrap(), r#"{"folder_id":null}"#);
    }

    #[test]
    fn a_file_with_only_an_id_is_understood() {
        let text = r#"{"id":"asset_7","visibility":"galactic","content_hash":null}"#;
        let file: File = serde_json::from_str(text).unwrap();
        assert_eq!(file.visibility, Some(Visibility::Other("galactic".into())));
        assert_eq!((file.name.as_str(), file.folder_id), ("", None));
    }

    #[test]
    fn the_top_of_the_drive_is_told_apart_from_a_place_that_is_not_told() {
        let folder_of = |body: Value| serde_json::from_value::<File>(body).unwrap().folder_id;
        assert_eq!(folder_of(json!({"id": "f_1", "folder_id": null})), Some(None));
        assert_eq!(folder_of(json!({"id": "f_1", "folder_id": "fld_1"})), Some(Some("fld_1".parse().unwrap())));
        assert_eq!(folder_of(json!({"id": "f_1", "folder_id": {}})), None);
    }

    #[test]
    fn what_a_change_answers_is_read_in_any_form() {
        let check = |body: &str, name: Option<&str>| {
            assert_eq!(ChangedItem::from_json(body.as_bytes()).unwrap().name.as_deref(), name);
        };
        check(r#"{"operation":"move","item":{"id":"file_1","name":"a"}}"#, Some("a"));
        check(r#"{"id":"file_1","name":"a"}"#, Some("a"));
        for nothing in ["", "{}", "null", r#"{"item":7}"#] {
            check(nothing, None);
        }
        for of_somebody_else in ["<html>", "ok", "[1, 2, 3]", "7"] {
            assert_eq!(ChangedItem::from_json(of_somebody_else.as_bytes()), None, "{of_somebody_else}");
        }
    }
}
