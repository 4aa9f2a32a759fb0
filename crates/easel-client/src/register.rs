//! Makes a file of bytes that were put in storage (specification, signed-URL flow, step 3, whose request fields are
//! "not shown").
//!
//! Always true: bytes that storage has taken are never sent again because register refuses a field: the request is
//! repeated without that field, and the refusal is remembered for the service. Not here: when register is asked again.

use easel_wire::error::code;
use easel_wire::uploads::{RegisterUpload, UploadResult};
use easel_wire::{ErrorType, Scope};
use http::Method;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::retry::Repeat;
use crate::uploads::Target;

/// The fields that register can do without, the most dispensable first.
const DISPENSABLE: [&str; 3] = ["folder_id", "mime_type", "filename"];
/// How services say that they do not know a field.
const UNKNOWN_FIELD: [&str; 7] =
    ["unknown", "unexpected", "unrecogni", "extra", "not_allowed", "additional", "forbidden"];

impl Client {
    /// Makes a file of the bytes that were PUT. The service remembers a storage key and repeats its result, so after a
    /// lost answer the request is simply repeated, by this call itself or by another after a crash. Fields that the
    /// service refuses are left out.
    ///
    /// # Errors
    /// `upload_not_found` where nothing was PUT under the key, or more than 24 hours ago; [`Error::FileTooLarge`];
    /// [`Error::MediaTypeRefused`]; else what the service answers, or why it did not.
    pub async fn register_upload(&self, storage_key: &str, target: &Target) -> Result<UploadResult, Error> {
        let mut left_out = self.shared.key.learned.read(|known| known.refused_register_fields.clone());
        let mut newly_left_out: Vec<&'static str> = Vec::new();
        loop {
            let is_sent = |name: &str| !left_out.contains(name);
            let request = RegisterUpload {
                storage_key: storage_key.to_owned(),
                filename: is_sent("filename").then(|| target.filename.clone()),
                mime_type: is_sent("mime_type").then(|| target.mime_type.clone()),
                folder_id: target.folder_id.filter(|_| is_sent("folder_id")),
            };
            let call = self
                .call(Method::POST, &["uploads", "register"])
                .needs(Scope::UploadsWrite)
                .json(&request)?
                .repeat(Repeat::Harmless)
                .patience(self.shared.patience.register);
            let error = match self.get_json::<UploadResult>(&call).await {
                Ok(result) => {
                    self.keep_refused_fields(&newly_left_out);
                    self.note_place(Feature::FolderInRegister, &result, request.folder_id);
                    return Ok(result);
                }
                // No gateway refuses so short a request: so it is the file that is too large.
                Err(Error::TooLargeForGateway) => Error::bare(413, ErrorType::Unprocessable, code::FILE_TOO_LARGE),
                Err(error) => error,
            };
            match field_to_leave_out(&error, &request) {
                Some(field) => {
                    left_out.insert(field.to_owned());
                    newly_left_out.push(field);
                }
                None => {
                    // A service checks for a name conflict only after it has taken the fields.
                    if error.is_name_conflict() {
                        self.keep_refused_fields(&newly_left_out);
                    }
                    return Err(self.note_refusal(error, target, None));
                }
            }
        }
    }

    /// Notes the fields without which a register succeeded: they are not sent again.
    fn keep_refused_fields(&self, fields: &[&'static str]) {
        if fields.is_empty() {
            return;
        }
        self.shared.key.learned.change(|known| {
            known.refused_register_fields.extend(fields.iter().map(|field| (*field).to_owned()));
        });
        if fields.contains(&"folder_id") {
            self.learn(Feature::FolderInRegister, false);
        }
    }

    /// Learns whether the service puts a file into the folder that an upload named.
    pub(crate) fn note_place(&self, feature: Feature, result: &UploadResult, wanted: Option<easel_wire::FolderId>) {
        if let (Some(wanted), Some(told), false) = (wanted, result.folder_id, result.was_duplicate) {
            self.learn(feature, told == Some(wanted));
        }
    }
}

/// The field that a refusal is about, if register can do without it. If the service does not tell the field, the most
/// dispensable one that is still sent: a repeat costs no bytes of the file.
fn field_to_leave_out(error: &Error, request: &RegisterUpload) -> Option<&'static str> {
    let Error::Api { status: 400 | 422, error: body, .. } = error else { return None };
    let is_about_fields = matches!(body.error_type, ErrorType::Unprocessable | ErrorType::InvalidRequest);
    let means_something_else = matches!(
        body.code.as_str(),
        code::FILE_TOO_LARGE | code::UPLOAD_NOT_FOUND | code::FOLDER_NOT_FOUND | code::UNSUPPORTED_VERSION
    );
    if !is_about_fields || means_something_else {
        return None;
    }
    let is_sent = |name: &str| match name {
        "folder_id" => request.folder_id.is_some(),
        "mime_type" => request.mime_type.is_some(),
        _ => request.filename.is_some(),
    };
    let named = error.refused_fields();
    if named.is_empty() {
        // A refusal because of the type says so in its code.
        let is_of_type = crate::uploads::is_media_type_refusal(error);
        return DISPENSABLE.into_iter().find(|name| is_sent(name) && !is_of_type);
    }
    DISPENSABLE.into_iter().find(|name| {
        // A wrong name or type stays wrong however often it is sent; a folder can be moved into afterwards.
        let is_unknown = |wrong: &str| *name == "folder_id" || UNKNOWN_FIELD.iter().any(|said| wrong.contains(said));
        is_sent(name) && named.iter().any(|(field, wrong)| field.trim_start_matches('/') == *name && is_unknown(wrong))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn only_a_field_that_the_service_does_not_know_is_left_out() {
        let request = RegisterUpload {
            storage_key: "k".to_owned(),
            filename: Some("a.png".to_owned()),
            mime_type: Some("image/png".to_owned()),
            folder_id: Some("fld_1".parse().unwrap()),
        };
        let check = |status: u16, code: &str, details: Value, expected: Option<&str>| {
            let body = json!({"error": {"type": "unprocessable", "code": code, "details": details}}).to_string();
            let error = Error::of_answer(status, body.as_bytes(), None, None);
            assert_eq!(field_to_leave_out(&error, &request), expected, "{body}");
        };
        check(
            422,
            "validation_failed",
            json!({"fields": [{"field": "folder_id", "code": "unknown_field"}]}),
            Some("folder_id"),
        );
        check(422, "validation_failed", json!({"fields": ["folder_id"]}), Some("folder_id"));
        check(422, "validation_failed", json!({"fields": {"mime_type": "unexpected"}}), Some("mime_type"));
        check(422, "weather", json!(null), Some("folder_id"));
        check(422, "validation_failed", json!({"fields": [{"field": "filename", "code": "too_long"}]}), None);
        check(422, "validation_failed", json!({"fields": [{"field": "mime_type", "code": "not_supported"}]}), None);
        check(422, "validation_failed", json!({"fields": [{"field": "storage_key", "code": "unknown_field"}]}), None);
        check(422, "file_too_large", json!(null), None);
        check(404, "upload_not_found", json!(null), None);
        let without = RegisterUpload { folder_id: None, mime_type: None, filename: None, ..request.clone() };
        let bare = Error::of_answer(422, br#"{"error":{"type":"unprocessable","code":"weather"}}"#, None, None);
        assert_eq!(field_to_leave_out(&bare, &without), None, "nothing is left that may be the reason");
    }
}
