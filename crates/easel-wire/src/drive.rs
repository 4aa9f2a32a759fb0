//! The drive: folders, files, the tree and the changes to them (specification, "Endpoints"; contract, "Drive").

use serde::{Deserialize, Serialize};

use crate::open_enum::open_enum;
use crate::{FileId, FolderId, ItemRef, Timestamp, UserId};

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Folder {
    /// The folder's id.
    pub id: FolderId,
    /// 1 to 255 characters, unique among its siblings.
    pub name: String,
    /// Its place from the top, such as `/Brand/Photos`.
    #[serde(default)]
    pub path: Option<String>,
    /// The folder above; `None` at the top of the drive.
    #[serde(default)]
    pub parent_folder_id: Option<FolderId>,
    /// Canvases directly in it.
    #[serde(default)]
    pub canvas_count: u64,
    /// Files directly in it.
    #[serde(default)]
    pub file_count: u64,
    /// Folders directly in it.
    #[serde(default)]
    pub subfolder_count: u64,
    /// Who may see it.
    #[serde(default)]
    pub visibility: Option<Visibility>,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// Moves with every change to a direct child.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
}

/// A file of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct File {
    /// The file's id.
    pub id: FileId,
    /// 1 to 255 characters, unique among the files of its folder.
    pub name: String,
    /// The folder that it lies in; `None` at the top of the drive.
    #[serde(default)]
    pub folder_id: Option<FolderId>,
    /// Who may see it.
    #[serde(default)]
    pub visibility: Option<Visibility>,
    /// Whether the visibility comes from a folder above.
    #[serde(default)]
    pub visibility_inherited: Option<bool>,
    /// The file's type.
    #[serde(default)]
    pub mime_type: Option<String>,
    /// The file's size in bytes.
    #[serde(default)]
    pub size_bytes: Option<u64>,
    /// `sha256:` and 64 hex digits; a service may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The file's content address, for key holders.
    #[serde(default)]
    pub url: Option<String>,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// When it or its place last changed.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
    /// Who put it there.
    #[serde(default)]
    pub created_by: Option<CreatedBy>,
}

/// Who put an item in the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CreatedBy {
    /// The user's id.
    pub id: UserId,
    /// The user's name.
    #[serde(default)]
    pub name: Option<String>,
    /// The user's address.
    #[serde(default)]
    pub email: Option<String>,
}

/// `POST /v1/drive/folders`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateFolder {
    /// The folder's name.
    pub name: String,
    /// The folder above; the top of the drive where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_folder_id: Option<FolderId>,
    /// Makes a repeat within 24 hours harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// The answer of `POST /v1/drive/folders`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FolderAnswer {
    /// The folder.
    pub folder: Folder,
}

/// The answer of `GET /v1/drive/files/{file_id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FileAnswer {
    /// The file.
    pub file: File,
}

/// The answer of `GET /v1/drive/tree`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Tree {
    /// The folders at the top.
    pub tree: Vec<TreeNode>,
    /// How many levels were asked for.
    #[serde(default)]
    pub depth: u32,
    /// Whether some folder's children were left out.
    #[serde(default)]
    pub truncated: bool,
}

/// A folder with the folders below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TreeNode {
    /// The folder itself.
    #[serde(flatten)]
    pub folder: Folder,
    /// The folders directly below, as far as they were asked for.
    #[serde(default)]
    #[schema(no_recursion)]
    pub children: Vec<TreeNode>,
    /// Whether there are folders below that were left out.
    #[serde(default)]
    pub children_truncated: bool,
}

/// The answer of `GET /v1/drive/files/{file_id}/download`. Its URL is a capability.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Download {
    /// A signed URL that serves the bytes, with Range, without a key.
    pub download_url: String,
    /// The file's name.
    #[serde(default)]
    pub filename: Option<String>,
    /// The file's type.
    #[serde(default)]
    pub mime_type: Option<String>,
    /// The file's size in bytes.
    #[serde(default)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveItem {
    /// The folder that the item goes to.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true)]
    pub folder_id: Option<FolderId>,
}

/// `PATCH /v1/drive/items/{ref}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeItem {
    /// The new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who may see it from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
}

/// The answer of move, change and delete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ItemChanged {
    /// `move`, `rename`, `visibility` or `delete`.
    #[serde(default)]
    pub operation: Option<String>,
    /// Always true: what was asked has happened.
    #[serde(default)]
    pub committed: Option<bool>,
    /// The item as it is now, or as it was before it was deleted.
    pub item: ChangedItem,
}

/// The item of an [`ItemChanged`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ChangedItem {
    /// The item's id.
    pub id: ItemRef,
    /// `folder`, `canvas` or `file`.
    #[serde(default)]
    pub kind: Option<String>,
    /// The item's name.
    #[serde(default)]
    pub name: Option<String>,
    /// The folder that it lies in; `None` at the top of the drive.
    #[serde(default)]
    pub folder_id: Option<FolderId>,
    /// Who may see it.
    #[serde(default)]
    pub visibility: Option<Visibility>,
    /// When it last changed.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
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
    fn a_file_with_only_an_id_and_a_name_is_understood() {
        let text = r#"{"id":"file_00000000000000000000000000","name":"a","visibility":"galactic","content_hash":null}"#;
        let file: File = serde_json::from_str(text).unwrap();
        assert_eq!(file.visibility, Some(Visibility::Other("galactic".into())));
    }
}
