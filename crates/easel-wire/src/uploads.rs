//! Uploads: multipart up to the direct ceiling, signed URLs above it (specification, "Upload limits record", "Signed
//! upload record", "Upload result record", "Endpoints"; contract, "Uploads").

use serde::{Deserialize, Deserializer, Serialize};

use crate::lenient;
use crate::{FileId, FolderId};

/// The gateway's ceiling for a request body, framing included: 32 MiB.
pub const DIRECT_CEILING_BYTES: u64 = 33_554_432;
/// The largest blob that storage takes in one PUT, on any plan.
pub const STORAGE_CEILING_BYTES: u64 = 250_000_000;
/// Bounds of `expires_in_seconds`.
pub const EXPIRES_IN_SECONDS: std::ops::RangeInclusive<u64> = 60..=3600;
/// `expires_in_seconds` where a request names none.
pub const DEFAULT_EXPIRES_IN_SECONDS: u64 = 600;

/// `GET /v1/uploads/limits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct UploadLimits {
    /// Ceiling of a multipart body in bytes, framing included.
    #[serde(default = "direct_ceiling", deserialize_with = "read_direct_ceiling")]
    pub max_direct_upload_bytes: u64,
    /// Largest file of the workspace, in bytes; storage's own ceiling where the service does not say.
    #[serde(default = "storage_ceiling", deserialize_with = "read_storage_ceiling")]
    pub max_file_bytes: u64,
    /// Whether a larger plan raises it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub max_file_bytes_is_plan_limit: bool,
}

const fn direct_ceiling() -> u64 {
    DIRECT_CEILING_BYTES
}

const fn storage_ceiling() -> u64 {
    STORAGE_CEILING_BYTES
}

fn read_direct_ceiling<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Ok(lenient::read::<D, Option<u64>>(deserializer)?.unwrap_or(DIRECT_CEILING_BYTES))
}

fn read_storage_ceiling<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Ok(lenient::read::<D, Option<u64>>(deserializer)?.unwrap_or(STORAGE_CEILING_BYTES))
}

fn read_expiry<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Ok(lenient::read::<D, Option<u64>>(deserializer)?.unwrap_or(DEFAULT_EXPIRES_IN_SECONDS))
}

/// `POST /v1/uploads/url`: asks for a signed PUT URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignUpload {
    /// 1 to 512 characters; only the base name counts.
    pub filename: String,
    /// The Content-Type that the PUT will carry.
    pub mime_type: String,
    /// Validity in seconds, within [`EXPIRES_IN_SECONDS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in_seconds: Option<u64>,
}

/// The signed upload record. Its URL is a capability: whoever holds it may PUT.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct SignedUpload {
    /// Takes a single PUT of the file's bytes, without an Authorization header.
    pub upload_url: String,
    /// Validity in seconds from the answer.
    #[serde(default = "default_expiry", deserialize_with = "read_expiry")]
    pub expires_in_seconds: u64,
    /// Passed back when registering.
    pub storage_key: String,
    /// The Content-Type that the PUT must carry.
    #[serde(default, deserialize_with = "lenient::read")]
    pub mime_type: Option<String>,
}

const fn default_expiry() -> u64 {
    DEFAULT_EXPIRES_IN_SECONDS
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RegisterUpload {
    /// From the signed upload record.
    pub storage_key: String,
    /// Replaces the name given when signing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// Replaces the type given when signing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Where the file goes; the top of the drive where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder_id: Option<FolderId>,
}

/// The upload result record, of `POST /v1/uploads` and of register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadResult {
    /// The file.
    pub file_id: FileId,
    /// Whether the bytes matched a file that was there before; false where the service does not tell.
    pub was_duplicate: bool,
    /// The name that it was stored under; a duplicate's own name.
    pub filename: Option<String>,
    /// The file's type.
    pub mime_type: Option<String>,
    /// The file's size in bytes.
    pub size_bytes: Option<u64>,
    /// The file's folder, for a duplicate its own: `None` where the service does not tell, `Some(None)` at the top.
    pub folder_id: Option<Option<FolderId>>,
}

impl<'de> Deserialize<'de> for UploadResult {
    /// Reads `file_id` or only `id`, at the top or under `file`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Loose {
            #[serde(default, deserialize_with = "lenient::read")]
            file: Option<crate::drive::File>,
            #[serde(default, deserialize_with = "lenient::read")]
            file_id: Option<FileId>,
            #[serde(default, deserialize_with = "lenient::read")]
            id: Option<FileId>,
            #[serde(default, deserialize_with = "lenient::read")]
            was_duplicate: bool,
            #[serde(default, deserialize_with = "lenient::read", alias = "name")]
            filename: Option<String>,
            #[serde(default, deserialize_with = "lenient::read")]
            mime_type: Option<String>,
            #[serde(default, deserialize_with = "lenient::read")]
            size_bytes: Option<u64>,
            #[serde(default, deserialize_with = "lenient::read_nullable")]
            folder_id: Option<Option<FolderId>>,
        }
        let loose = Loose::deserialize(deserializer)?;
        let inner = loose.file.as_ref();
        let file_id = loose.file_id.or(loose.id).or(inner.map(|file| file.id));
        let name = |file: &crate::drive::File| Some(file.name.clone()).filter(|name| !name.is_empty());
        Ok(Self {
            file_id: file_id.ok_or_else(|| serde::de::Error::missing_field("file_id"))?,
            was_duplicate: loose.was_duplicate,
            filename: loose.filename.or_else(|| inner.and_then(name)),
            mime_type: loose.mime_type.or_else(|| inner.and_then(|file| file.mime_type.clone())),
            size_bytes: loose.size_bytes.or_else(|| inner.and_then(|file| file.size_bytes)),
            folder_id: loose.folder_id.or_else(|| inner.and_then(|file| file.folder_id)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_result_with_only_an_id_is_understood() {
        for text in [
            r#"{"id":"asset_7","brand_new_field":{}}"#,
            r#"{"file_id":"asset_7","id":null,"was_duplicate":null}"#,
            r#"{"file":{"id":"asset_7"},"was_duplicate":[]}"#,
        ] {
            let result: UploadResult = serde_json::from_str(text).unwrap();
            assert_eq!(result.file_id.to_string(), "asset_7");
            assert!(!result.was_duplicate && result.folder_id.is_none(), "{text}");
        }
        assert!(serde_json::from_str::<UploadResult>(r#"{"was_duplicate":true}"#).is_err());
    }

    #[test]
    fn a_signed_url_never_reaches_a_log() {
        let text = r#"{"upload_url":"http://s/secret","expires_in_seconds":600,"storage_key":"k"}"#;
        let signed: SignedUpload = serde_json::from_str(text).unwrap();
        assert!(!format!("{signed:?}").contains("secret"));
    }
}
