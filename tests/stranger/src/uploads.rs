//! Files come in: by one multipart request, or signed, put and registered.
//!
//! Always true here: what is refused stores nothing new, and a staged blob outlives a refused registration, so that a
//! retry can reuse its storage_key (specification, Behaviour rule 5).

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::call::{Blob, Call, Content, Form};
use crate::config::{ACCEPTED_MEDIA_TYPES, UNANNOUNCED_BYTES};
use crate::records::Staged;
use crate::reply::{Outcome, Refusal, Reply};
use crate::state::{File, State};
use crate::switch::Switch;

/// What the gateway lets through of one body, in bytes (specification, Limits).
pub(crate) const GATEWAY_BYTES: u64 = 32 * 1024 * 1024;
/// The ceiling of a multipart body with [`Switch::DirectCeilingSmall`].
const SMALL_CEILING_BYTES: u64 = 5 * 1024 * 1024;
/// The ceiling of a file with [`Switch::FileLimitSmall`].
const SMALL_FILE_BYTES: u64 = 100_000_000;

/// A file that is to be stored.
struct Incoming<'a> {
    name: &'a str,
    media_type: &'a str,
    blob: &'a Blob,
    folder: Option<String>,
}

impl State {
    /// Bytes that one multipart body may have.
    pub(crate) fn direct_ceiling(&self) -> u64 {
        if self.has(Switch::DirectCeilingSmall) { SMALL_CEILING_BYTES } else { GATEWAY_BYTES }
    }

    fn max_file_bytes(&self) -> u64 {
        let most = self.config.max_file_bytes;
        if self.has(Switch::FileLimitSmall) { most.min(SMALL_FILE_BYTES) } else { most }
    }

    pub(crate) fn read_limits(&self) -> Outcome {
        Ok(Reply::ok(json!({
            "max_direct_upload_bytes": self.direct_ceiling(),
            "max_file_bytes": self.max_file_bytes(),
            "max_file_bytes_is_plan_limit": self.max_file_bytes() < 250_000_000,
        })))
    }

    pub(crate) fn upload(&mut self, call: &Call<'_>) -> Outcome {
        let Content::Form(Form { file, texts }) = call.content else {
            return Err(Refusal::new(400, "invalid_request", "The body is no multipart form"));
        };
        let Some((name, media_type, blob)) = file else { return Err(Refusal::fields(&[("file", "required")])) };
        let known: &[&str] = if self.has(Switch::MultipartRefusesFolder) { &[] } else { &["folder_id"] };
        let unknown = texts
            .iter()
            .filter(|(field, _)| !known.contains(&field.as_str()))
            .map(|(field, _)| (field.as_str(), "unknown_field"))
            .collect::<Vec<_>>();
        if !unknown.is_empty() {
            return Err(Refusal::fields(&unknown));
        }
        self.check_media_type(Switch::MediaTypesRefusedByMultipart, media_type)?;
        let folder = match texts.iter().find(|(field, _)| field == "folder_id") {
            Some((_, folder)) if !self.has(Switch::MultipartIgnoresFolder) => {
                self.folder_in_body("folder_id", folder)?
            }
            _ => None,
        };
        let (id, was_there) = self.take(&Incoming { name, media_type, blob, folder }, call.now)?;
        *self.taken.entry(blob.sha256.clone()).or_default() += 1;
        Ok(self.created(self.upload_result(&id, was_there)))
    }

    pub(crate) fn sign_upload(&mut self, call: &Call<'_>) -> Outcome {
        let known: &[&str] = if self.has(Switch::SignTakesTwoFields) {
            &["filename", "mime_type"]
        } else {
            &["filename", "mime_type", "expires_in_seconds"]
        };
        let fields = call.fields(known)?;
        let (filename, media_type) = (fields.some_text("filename")?, fields.some_text("mime_type")?);
        let lives_seconds = match fields.get("expires_in_seconds").map(Value::as_i64) {
            None => 600,
            Some(Some(seconds @ 60..=3600)) => seconds,
            Some(_) => return Err(Refusal::fields(&[("expires_in_seconds", "out_of_range")])),
        };
        self.check_media_type(Switch::MediaTypesRefusedBySign, media_type)?;
        let token = self.token("staged");
        let signature = Self::signature(&token);
        let staged = Staged {
            filename: filename.to_owned(),
            media_type: media_type.to_owned(),
            signature: signature.clone(),
            expires_at: call.now + SignedDuration::from_secs(lives_seconds),
            blob: None,
            is_written: false,
            registered: None,
        };
        self.staged.insert(token.clone(), staged);
        let upload_url = format!("{}/storage/uploads/{token}?signature={signature}", self.storage_origin);
        Ok(self.created(json!({
            "upload_url": upload_url,
            "expires_in_seconds": lives_seconds,
            "storage_key": format!("pending/{token}"),
            "mime_type": media_type,
            "instructions": "PUT the bytes to upload_url, then register storage_key",
        })))
    }

    pub(crate) fn register_upload(&mut self, call: &Call<'_>) -> Outcome {
        let known: &[&str] = match () {
            () if self.has(Switch::RegisterTakesKeyAlone) => &["storage_key"],
            () if self.has(Switch::RegisterRefusesOtherFields) => &["storage_key", "filename", "mime_type"],
            () => &["storage_key", "filename", "mime_type", "folder_id"],
        };
        let fields = call.fields(known)?;
        let key = fields.some_text("storage_key")?;
        let token = key.strip_prefix("pending/").unwrap_or_default().to_owned();
        let unknown = || Refusal::new(404, "upload_not_found", "Nothing was put at this storage_key");
        let staged = self.staged.get(&token).cloned().ok_or_else(unknown)?;
        if let Some((id, was_there)) = &staged.registered {
            if self.has(Switch::RegisterForgets) || !self.files.contains_key(id) {
                return Err(unknown());
            }
            return Ok(self.created(self.upload_result(id, *was_there)));
        }
        let blob = staged.blob.as_ref().ok_or_else(unknown)?;
        let media_type = fields.text("mime_type")?.unwrap_or(&staged.media_type);
        self.check_media_type(Switch::MediaTypesRefusedByRegister, media_type)?;
        let folder = match fields.text("folder_id")? {
            Some(folder) if !self.has(Switch::RegisterIgnoresFolder) => self.folder_in_body("folder_id", folder)?,
            _ => None,
        };
        let name = fields.text("filename")?.unwrap_or(&staged.filename);
        let (id, was_there) = self.take(&Incoming { name, media_type, blob, folder }, call.now)?;
        if let Some(staged) = self.staged.get_mut(&token) {
            staged.blob = None;
            staged.registered = Some((id.clone(), was_there));
        }
        Ok(self.created(self.upload_result(&id, was_there)))
    }

    fn check_media_type(&self, switch: Switch, media_type: &str) -> Result<(), Refusal> {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_lowercase();
        if !self.has(switch) || ACCEPTED_MEDIA_TYPES.contains(&essence.as_str()) {
            return Ok(());
        }
        let message = format!("{essence} is not supported. Upload PNG, JPEG, WebP, PDF or PPTX.");
        Err(Refusal::new(422, "unsupported_media_type", message).detailing(
            json!({"fields": [{"field": "mime_type", "code": "unsupported"}], "accepted": ACCEPTED_MEDIA_TYPES}),
        ))
    }

    fn check_size(&self, blob: &Blob) -> Result<(), Refusal> {
        let most = self.max_file_bytes();
        let status = if self.has(Switch::TooLargeIs413) { 413 } else { 422 };
        if blob.size() > most {
            let details = json!({"max_file_bytes": most, "is_plan_limit": most < 250_000_000});
            return Err(Refusal::new(status, "file_too_large", "This file is too large").detailing(details));
        }
        if self.has(Switch::SizesRefusedUnannounced) && blob.size() > UNANNOUNCED_BYTES {
            return Err(Refusal::new(status, "file_too_large", "This file is too large to be processed"));
        }
        Ok(())
    }

    /// Stores a file, or finds the one with the same bytes; its id, and whether it was there.
    fn take(&mut self, incoming: &Incoming<'_>, now: Timestamp) -> Result<(String, bool), Refusal> {
        self.check_size(incoming.blob)?;
        if !self.has(Switch::DeduplicationMissing) {
            let twin = self.files.iter().find(|(_, file)| file.blob.sha256 == incoming.blob.sha256);
            if let Some((id, _)) = twin {
                return Ok((id.clone(), true));
            }
        }
        let base = incoming.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let mut name = shortened(if base.is_empty() { "upload" } else { base });
        if self.has(Switch::UploadNamesSanitized) {
            name = sanitized(&name);
        }
        self.check_name(&name)?;
        let folder = incoming.folder.as_deref();
        if !self.config.switches.any(&[Switch::SecondNameAllowed, Switch::NamesNotUnique]) {
            if let Some(other) = self.file_named(folder, &name).filter(|_| self.has(Switch::SecondNameRefused)) {
                return Err(self.name_conflict("file", &other));
            }
            name = self.free_name(folder, &name);
        }
        let id = self.make_id("file", now);
        let file = File {
            name,
            folder: incoming.folder.clone(),
            blob: incoming.blob.clone(),
            media_type: incoming.media_type.to_owned(),
            visibility: "team".to_owned(),
            created_at: now,
            updated_at: now,
        };
        self.files.insert(id.clone(), file);
        self.touch(folder, now);
        Ok((id, false))
    }

    /// `name (2).ext` and so on, until it is free among the files of a folder.
    fn free_name(&self, folder: Option<&str>, name: &str) -> String {
        let (stem, extension) = split_name(name);
        std::iter::once(name.to_owned())
            .chain((2_u32..).map(|number| format!("{stem} ({number}){extension}")))
            .find(|name| self.file_named(folder, name).is_none())
            .unwrap_or_default()
    }

    fn upload_result(&self, id: &str, was_there: bool) -> Value {
        let Some(file) = self.files.get(id) else { return Value::Null };
        let was_duplicate = was_there && !self.has(Switch::DeduplicationMissing);
        let url = format!("{}/v1/drive/files/{id}/download", self.origin);
        let mut result = json!({
            "file_id": id, "id": id, "was_duplicate": was_duplicate, "url": url, "filename": file.name,
            "mime_type": file.media_type, "size_bytes": file.blob.size(), "folder_id": file.folder,
        });
        let Some(fields) = result.as_object_mut() else { return result };
        if self.has(Switch::ResultOfTwoFields) {
            fields.retain(|field, _| ["file_id", "was_duplicate"].contains(&field.as_str()));
        }
        if self.has(Switch::ResultOfSixFields) {
            fields.retain(|field, _| !["file_id", "folder_id"].contains(&field.as_str()));
        }
        if self.has(Switch::ResultWithoutFolder) {
            fields.remove("folder_id");
        }
        if self.has(Switch::WasDuplicateMissing) {
            fields.remove("was_duplicate");
        }
        result
    }

    /// The answer to what creates something.
    pub(crate) fn created(&self, record: Value) -> Reply {
        Reply::json(if self.has(Switch::CreatesAnswer200) { 200 } else { 201 }, record)
    }

    /// The answer to what starts something.
    pub(crate) fn started(&self, record: Value) -> Reply {
        Reply::json(if self.has(Switch::CreatesAnswer200) { 200 } else { 202 }, record)
    }
}

/// What stands before the last dot, and the rest with the dot.
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 => name.split_at(at),
        _ => (name, ""),
    }
}

/// At most 255 characters, the extension kept.
fn shortened(name: &str) -> String {
    if name.chars().count() <= 255 {
        return name.to_owned();
    }
    let (stem, extension) = split_name(name);
    let left = 255_usize.saturating_sub(extension.chars().count());
    stem.chars().take(left).chain(extension.chars()).take(255).collect()
}

/// A name of letters, digits, dots, hyphens and underscores alone.
pub(crate) fn sanitized(name: &str) -> String {
    let kept = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    name.chars().map(|letter| if kept(letter) { letter } else { '_' }).collect()
}
