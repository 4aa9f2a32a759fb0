//! The drive's files: their lists, their records, and the way to their bytes.

use bytes::Bytes;
use serde_json::{Value, json};

use crate::call::Call;
use crate::faults::Contradiction;
use crate::folders::Within;
use crate::lists::Listing;
use crate::records::Row;
use crate::reply::{Body, Outcome, Refusal, Reply};
use crate::state::{File, State, time};
use crate::switch::Switch;

/// How long the address of a file's bytes is good for.
const DOWNLOAD_SECONDS: i64 = 900;

impl State {
    /// A file by its name in a folder.
    pub(crate) fn file_named(&self, folder: Option<&str>, name: &str) -> Option<String> {
        let key = self.name_key(name);
        let is_it = |file: &File| file.folder.as_deref() == folder && self.name_key(&file.name) == key;
        self.files.iter().find(|(_, file)| is_it(file)).map(|(id, _)| id.clone())
    }

    pub(crate) fn file_record(&self, id: &str) -> Value {
        let Some(file) = self.files.get(id) else { return Value::Null };
        let hash = &file.blob.sha256;
        let size = file.blob.size();
        let mut record = json!({
            "id": id,
            "name": file.name,
            "folder_id": file.folder,
            "visibility": file.visibility,
            "visibility_inherited": true,
            "mime_type": file.media_type,
            "size_bytes": if self.has(Switch::SizesAsText) { json!(size.to_string()) } else { json!(size) },
            "content_hash":
                if self.has(Switch::ContentHashOfAnotherKind) { hash[..32].to_owned() } else { format!("sha256:{hash}") },
            "url": format!("{}/v1/drive/files/{id}/download", self.origin),
            "created_at": time(file.created_at),
            "updated_at": time(file.updated_at),
            "created_by": self.maker(),
        });
        if let Some(fields) = record.as_object_mut() {
            if self.has(Switch::ContentHashMissing) {
                fields.remove("content_hash");
            }
            if self.has(Switch::MediaTypesMissing) {
                fields.remove("mime_type");
            }
        }
        record
    }

    pub(crate) fn list_files(&mut self, call: &Call<'_>) -> Outcome {
        let within = self.within(call, "folder_id")?;
        let is_empty = self.faults.holds(&Contradiction::FilesListedEmpty);
        let rows = self
            .files
            .iter()
            .filter(|_| !is_empty)
            .filter(|(_, file)| match &within {
                Within::Everywhere => true,
                Within::Top => file.folder.is_none(),
                Within::Folder(folder) => file.folder.as_ref() == Some(folder),
            })
            .map(|(id, file)| Row {
                id: id.clone(),
                name: file.name.clone(),
                created_at: file.created_at,
                updated_at: file.updated_at,
                size: file.blob.size(),
                json: self.file_record(id),
            })
            .collect();
        self.page(call, Listing::of_drive("files", rows))
    }

    /// The file that a path names: by its id or its UUID.
    fn file_in_path(&self, call: &Call<'_>) -> Result<(String, File), Refusal> {
        let id = self.ids.read(&call.place);
        let is_gone = self.faults.holds(&Contradiction::ListedIsGone(id.clone()));
        let file = self.files.get(&id).filter(|_| !is_gone).cloned();
        file.map(|file| (id, file)).ok_or_else(|| Refusal::missing("file"))
    }

    pub(crate) fn read_file(&self, call: &Call<'_>) -> Outcome {
        let (id, _) = self.file_in_path(call)?;
        Ok(Reply::ok(self.wrapped("file", self.file_record(&id))))
    }

    pub(crate) fn download_file(&mut self, call: &Call<'_>) -> Outcome {
        let (id, file) = self.file_in_path(call)?;
        let mut bytes = file.blob.bytes.clone();
        if self.faults.holds(&Contradiction::OtherBytes(id)) {
            bytes = Bytes::from(bytes.iter().rev().chain(b"!").copied().collect::<Vec<_>>());
        }
        if self.has(Switch::DownloadIsTheBytes) {
            return Ok(Reply::new(200, Body::Bytes(bytes, file.media_type)));
        }
        let url = self.sign_object(bytes, &file.media_type, DOWNLOAD_SECONDS, call.now);
        if self.has(Switch::DownloadRedirects) {
            return Ok(Reply::new(302, Body::Empty).with("Location", url));
        }
        let name = if self.has(Switch::DownloadNamesUrl) { "url" } else { "download_url" };
        let mut answer = json!({
            "filename": file.name, "mime_type": file.media_type, "size_bytes": file.blob.size(),
        });
        if self.has(Switch::DownloadNamesUrl) {
            answer = json!({});
        }
        answer[name] = url.into();
        Ok(Reply::ok(answer))
    }
}
