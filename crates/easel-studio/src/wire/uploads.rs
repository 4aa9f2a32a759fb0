//! Uploads: multipart up to the direct ceiling, signed URLs above it (specification, "Upload limits record", "Signed
//! upload record", "Upload result record", "Endpoints"; contract, "Uploads").

use serde::{Deserialize, Serialize};

use crate::wire::{FileId, FolderId};

/// Bounds of `filename` in characters, before it is shortened.
pub const FILENAME_CHARS: std::ops::RangeInclusive<usize> = 1..=512;
/// The longest `mime_type`, in bytes.
pub const MAX_MIME_BYTES: usize = 255;

/// The gateway's ceiling for a request body, framing included: 32 MiB.
pub const DIRECT_CEILING_BYTES: u64 = 33_554_432;
/// The largest blob that storage takes in one PUT, on any plan.
pub const STORAGE_CEILING_BYTES: u64 = 250_000_000;
/// Bounds of `expires_in_seconds`.
pub const EXPIRES_IN_SECONDS: std::ops::RangeInclusive<u64> = 60..=3600;
/// `expires_in_seconds` where a request names none.
pub const DEFAULT_EXPIRES_IN_SECONDS: u64 = 600;

/// `GET /v1/uploads/limits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct UploadLimits {
    /// Ceiling of a multipart body in bytes, framing included.
    pub max_direct_upload_bytes: u64,
    /// Largest file of the workspace, in bytes.
    pub max_file_bytes: u64,
    /// Whether a larger plan raises it.
    pub max_file_bytes_is_plan_limit: bool,
}

/// `POST /v1/uploads/url`: asks for a signed PUT URL.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignUpload {
    /// 1 to 512 characters; only the base name counts.
    pub filename: String,
    /// The Content-Type that the PUT will carry.
    pub mime_type: String,
    /// Validity in seconds, within [`EXPIRES_IN_SECONDS`].
    pub expires_in_seconds: Option<u64>,
}

/// The signed upload record. Its URL is a capability: whoever holds it may PUT.
#[derive(Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct SignedUpload {
    /// Takes a single PUT of the file's bytes, without an Authorization header.
    pub upload_url: String,
    /// Validity in seconds from the answer.
    pub expires_in_seconds: u64,
    /// Passed back when registering.
    pub storage_key: String,
    /// The Content-Type that the PUT must carry.
    pub mime_type: Option<String>,
    /// For a person who tries it by hand.
    pub instructions: Option<String>,
}

impl std::fmt::Debug for SignedUpload {
    /// Leaves the URL out: it is a capability and must not reach a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignedUpload")
            .field("upload_url", &"<signed>")
            .field("expires_in_seconds", &self.expires_in_seconds)
            .field("storage_key", &self.storage_key)
            .field("mime_type", &self.mime_type)
            .finish_non_exhaustive()
    }
}

/// `POST /v1/uploads/register`: makes a file of a staged blob.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterUpload {
    /// From the signed upload record.
    pub storage_key: String,
    /// Replaces the name given when signing.
    pub filename: Option<String>,
    /// Replaces the type given when signing.
    pub mime_type: Option<String>,
    /// Where the file goes; the top of the drive where absent.
    pub folder_id: Option<FolderId>,
}

/// The upload result record, of `POST /v1/uploads` and of register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct UploadResult {
    /// The file.
    pub file_id: FileId,
    /// The same value.
    pub id: FileId,
    /// Whether the bytes matched a file that was there before.
    pub was_duplicate: bool,
    /// The file's content address.
    pub url: Option<String>,
    /// The name that it was stored under; a duplicate's own name.
    pub filename: Option<String>,
    /// The file's type.
    pub mime_type: Option<String>,
    /// The file's size in bytes.
    pub size_bytes: Option<u64>,
    /// The folder that it lies in; a duplicate's own folder; `None` for the top of the drive.
    pub folder_id: Option<FolderId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_url_never_reaches_a_log() {
        let signed = SignedUpload {
            upload_url: "http://s/secret".to_owned(),
            expires_in_seconds: 600,
            storage_key: "k".to_owned(),
            mime_type: None,
            instructions: None,
        };
        assert!(!format!("{signed:?}").contains("secret"));
    }
}
