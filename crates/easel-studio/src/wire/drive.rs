//! The drive: folders, files, the tree and the changes to them (specification, "Endpoints"; contract, "Drive").

use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};

use super::closed_enum::closed_enum;
use crate::wire::{FileId, FolderId, ItemRef, UserId, VersionId};

/// How many levels where a request names none.
pub const DEFAULT_DEPTH: u64 = 3;
/// The most levels.
pub const MAX_DEPTH: u64 = 10;

closed_enum! {
    /// Who may see an item.
    Visibility {
        /// Everyone in the team.
        Team = "team",
        /// Only the person who made it.
        Private = "private",
    }
}

/// A folder of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Folder {
    /// The folder's id.
    pub id: FolderId,
    /// 1 to 255 characters, unique among its siblings.
    pub name: String,
    /// Its place from the top, such as `/Brand/Photos`.
    pub path: Option<String>,
    /// The folder above; `None` at the top of the drive.
    pub parent_folder_id: Option<FolderId>,
    /// Canvases directly in it.
    pub canvas_count: u64,
    /// Files directly in it.
    pub file_count: u64,
    /// Folders directly in it.
    pub subfolder_count: u64,
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// Moves with every change to a direct child.
    pub updated_at: Option<Timestamp>,
}

/// A file of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct File {
    /// The file's id.
    pub id: FileId,
    /// 1 to 255 characters, unique among the files of its folder.
    pub name: String,
    /// The folder that it lies in; `None` at the top of the drive.
    pub folder_id: Option<FolderId>,
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// Whether the visibility comes from a folder above.
    pub visibility_inherited: Option<bool>,
    /// The file's type.
    pub mime_type: Option<String>,
    /// The file's size in bytes.
    pub size_bytes: Option<u64>,
    /// `sha256:` and 64 hex digits; a service may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The file's content address, for key holders.
    pub url: Option<String>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When it or its place last changed.
    pub updated_at: Option<Timestamp>,
    /// Who put it there.
    pub created_by: Option<CreatedBy>,
}

/// Who put an item in the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct CreatedBy {
    /// The user's id.
    pub id: UserId,
    /// The user's name.
    pub name: Option<String>,
    /// The user's address.
    pub email: Option<String>,
}

/// `POST /v1/drive/folders`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateFolder {
    /// The folder's name.
    pub name: String,
    /// The folder above; the top of the drive where absent.
    pub parent_folder_id: Option<FolderId>,
    /// Makes a repeat within 24 hours harmless.
    pub idempotency_key: Option<String>,
}

/// The answer of `POST /v1/drive/folders`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FolderAnswer {
    /// The folder.
    pub folder: Folder,
}

/// The answer of `GET /v1/drive/files/{file_id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct FileAnswer {
    /// The file.
    pub file: File,
}

/// The answer of `GET /v1/drive/tree`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Tree {
    /// The folders at the top.
    pub tree: Vec<TreeNode>,
    /// How many levels were asked for.
    pub depth: u32,
    /// Whether some folder's children were left out.
    pub truncated: bool,
}

/// A folder with the folders below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TreeNode {
    /// The folder itself.
    #[serde(flatten)]
    pub folder: Folder,
    /// The folders directly below, as far as they were asked for.
    #[schema(no_recursion)]
    pub children: Vec<TreeNode>,
    /// Whether there are folders below that were left out.
    pub children_truncated: bool,
}

/// The answer of `GET /v1/drive/files/{file_id}/download`. Its URL is a capability.
#[derive(Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Download {
    /// A signed URL that serves the bytes, with Range, without a key.
    pub download_url: String,
    /// The file's name.
    pub filename: Option<String>,
    /// The file's type.
    pub mime_type: Option<String>,
    /// The file's size in bytes.
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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveItem {
    /// The folder that the item goes to.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true)]
    pub folder_id: Option<FolderId>,
}

/// `PATCH /v1/drive/items/{ref}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeItem {
    /// The new name.
    pub name: Option<String>,
    /// Who may see it from now on.
    pub visibility: Option<Visibility>,
}

/// The answer of move, change and delete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct ItemChanged {
    /// `move`, `rename`, `visibility`, `delete` or `restore`.
    pub operation: Option<String>,
    /// Always true: what was asked has happened.
    pub committed: Option<bool>,
    /// The item as it is now, or as it was before it was deleted.
    pub item: ChangedItem,
}

/// The item of an [`ItemChanged`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct ChangedItem {
    /// The item's id.
    pub id: ItemRef,
    /// `folder`, `canvas` or `file`.
    pub kind: Option<String>,
    /// The item's name.
    pub name: Option<String>,
    /// The folder that it lies in; `None` at the top of the drive.
    pub folder_id: Option<FolderId>,
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
}

/// An item in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TrashedItem {
    /// The item's id; it comes back with it.
    pub id: ItemRef,
    /// `folder`, `canvas` or `file`.
    pub kind: String,
    /// The item's name.
    pub name: String,
    /// The folder that it lay in, which may be gone; `None` at the top of the drive.
    pub folder_id: Option<FolderId>,
    /// Who could see it.
    pub visibility: Visibility,
    /// When it was deleted.
    pub deleted_at: Timestamp,
    /// Who deleted it.
    pub deleted_by: CreatedBy,
    /// When it goes for good.
    pub expires_at: Timestamp,
    /// Folders that come back with it, itself included.
    pub folder_count: u64,
    /// Canvases that come back with it, itself included.
    pub canvas_count: u64,
    /// Files that come back with it, itself included.
    pub file_count: u64,
    /// Bytes of those files.
    pub size_bytes: u64,
}

/// `POST /v1/drive/files/{file_id}/content`: makes a staged blob the content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceContent {
    /// From the signed upload record.
    pub storage_key: String,
    /// Replaces the type given when signing.
    pub mime_type: Option<String>,
    /// `sha256:` and 64 hex digits: what the file has to have still, or nothing changes; whatever it has where absent.
    pub expected_content_hash: Option<String>,
}

/// An earlier content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct FileVersion {
    /// The version's id.
    pub id: VersionId,
    /// Its type.
    pub mime_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// `sha256:` and 64 hex digits.
    pub content_hash: String,
    /// When it became the file's content.
    pub created_at: Timestamp,
    /// Who gave the file this content.
    pub created_by: CreatedBy,
    /// When other content took its place.
    pub replaced_at: Timestamp,
}

/// The answer of `GET /v1/drive/files/{file_id}/versions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct FileVersions {
    /// All of them, the newest first.
    pub versions: Vec<FileVersion>,
    /// How many a file keeps; beyond them the oldest go.
    pub most_versions: u32,
}

/// What was removed from the trash for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TrashEmptied {
    /// `empty` or `purge`.
    pub operation: String,
    /// Always true: what was asked has happened.
    pub committed: bool,
    /// How many items of the trash that were.
    pub removed: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_must_say_where_to() {
        assert_eq!(serde_json::from_str::<MoveItem>(r#"{"folder_id":null}"#).unwrap().folder_id, None);
        assert!(serde_json::from_str::<MoveItem>("{}").is_err());
        assert!(serde_json::from_str::<MoveItem>(r#"{"folder_id":null,"x":1}"#).is_err());
    }

    #[test]
    fn a_signed_url_never_reaches_a_log() {
        let download = Download {
            download_url: "http://s/secret".to_owned(),
            filename: Some("a".to_owned()),
            mime_type: None,
            size_bytes: Some(1),
        };
        assert!(!format!("{download:?}").contains("secret"));
    }
}
