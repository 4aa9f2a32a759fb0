//! `POST /v1/uploads`: one multipart request with the file in the field `file` and, where it goes, in `folder_id`.
//!
//! The file goes to the disk as it comes, hashed on the way. Only when the whole body has been read and is in order
//! does it become a file: a request cut off half-way stores nothing. What stands before a part's bytes is held whole,
//! so it is bounded.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::BodyDataStream;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::header;
use multer::{Field, Multipart};
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};

use super::commit::store;
use super::fields::{UNKNOWN_MIME, read_filename, read_folder_id};
use super::signed::answered;
use crate::blobs::{ContentHash, Writing};
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::studio::SharedStudio;
use crate::studio::commits::{Arrival, Received};
use crate::studio::unused::remove_unused;
use crate::wire::FolderId;
use crate::wire::account::Plan;

/// The longest `folder_id` that is read.
const MAX_FIELD_BYTES: usize = 1024;
/// The longest head of a part, and what may stand before the first of them, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// So many bytes of a file are looked at to tell its type.
const SNIFFED_BYTES: usize = 512;

/// Stores a file, or finds the one with the same content.
pub async fn create(State(studio): State<SharedStudio>, caller: Caller, request: Request) -> Result<Response, Error> {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let boundary = content_type
        .and_then(|value| multer::parse_boundary(value).ok())
        .ok_or_else(|| Error::invalid_request("the body must be multipart/form-data with a boundary"))?;
    let left = Arc::new(AtomicUsize::new(0));
    let stream = Bounded { stream: request.into_body().into_data_stream(), left: Arc::clone(&left), rests: false };
    let mut form = Multipart::new(stream, boundary);
    let (mut file, mut folder_id) = (None, None);
    loop {
        left.store(MAX_HEAD_BYTES, Ordering::Relaxed);
        let Some(field) = form.next_field().await.map_err(|error| unreadable(&error))? else { break };
        left.store(usize::MAX, Ordering::Relaxed);
        match field.name() {
            Some("file") if file.is_none() => file = Some(receive(&studio, caller.plan, field).await?),
            Some("folder_id") if folder_id.is_none() => folder_id = Some(read_text(field).await?),
            Some(name @ ("file" | "folder_id")) => return Err(Error::validation(name, "duplicate")),
            Some(name) => return Err(Error::validation(name, "unknown_field")),
            None => return Err(Error::invalid_request("a part of the form has no name")),
        }
    }
    let file = file.ok_or_else(|| Error::validation("file", "required"))?;
    let folder_id: Option<FolderId> = read_folder_id(folder_id.as_deref().unwrap_or_default())?;
    to_the_end(async move { finish(&studio, &caller, file, folder_id).await }).await.map(|result| answered(&result))
}

/// Bounds a body for its reader, which would take all bytes that there are, and look for the end of a head for as long
/// as it takes.
struct Bounded {
    stream: BodyDataStream,
    /// How many bytes may still be taken before there is a part, whose bytes are not held.
    left: Arc<AtomicUsize>,
    /// After each piece there is nothing for a moment, so that the reader works on what it has.
    rests: bool,
}

impl Stream for Bounded {
    type Item = Result<Bytes, axum::BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.rests) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let left = self.left.load(Ordering::Relaxed);
        if left == 0 {
            return Poll::Ready(Some(Err("the head of a part is too long".into())));
        }
        let piece = std::task::ready!(self.stream.poll_next_unpin(cx));
        if let Some(Ok(piece)) = &piece {
            self.rests = true;
            if left < usize::MAX {
                self.left.store(left.saturating_sub(piece.len()), Ordering::Relaxed);
            }
        }
        Poll::Ready(piece.map(|piece| piece.map_err(Into::into)))
    }
}

async fn finish(
    studio: &SharedStudio,
    caller: &Caller,
    file: Arrived,
    folder_id: Option<FolderId>,
) -> Result<crate::wire::uploads::UploadResult, Error> {
    let size_bytes = file.writing.size_bytes();
    // Many small uploads come at once: whatever waits for the disk does so before the write lock is asked for.
    let offered = match file.writing.offer(file.hash).await {
        Ok(offered) => offered,
        Err(error) => {
            remove_unused(&studio.db, &studio.blobs, &[file.hash]).await;
            return Err(error);
        }
    };
    let content = Received {
        arrival: Arrival::Sent(offered),
        hash: file.hash,
        size_bytes,
        name: file.name,
        mime_type: file.mime_type,
        folder_id,
    };
    store(studio, caller, content).await
}

/// A file whose bytes have all come.
struct Arrived {
    writing: Writing,
    hash: ContentHash,
    name: Name,
    mime_type: String,
}

async fn receive(studio: &SharedStudio, plan: Plan, mut field: Field<'_>) -> Result<Arrived, Error> {
    let filename = filename_of(&field).ok_or_else(|| Error::validation("file", "not_a_file"))?;
    let name = read_filename("file", &filename)?;
    let declared = field.content_type().map(|mime| mime.essence_str().to_owned());
    let (max_file_bytes, is_plan_limit) = studio.config.max_file_bytes(plan);
    let mut writing = studio.blobs.begin(studio.ids.next());
    let (mut hasher, mut start) = (Sha256::new(), Vec::new());
    while let Some(piece) = field.chunk().await.map_err(|error| unreadable(&error))? {
        if writing.size_bytes() + piece.len() as u64 > max_file_bytes {
            return Err(Error::FileTooLarge { max_file_bytes, is_plan_limit });
        }
        sniff(&mut start, &piece);
        hasher.update(&piece);
        writing.write(&piece).await?;
    }
    let mime_type = tell_mime_type(declared, name.as_str(), &start);
    Ok(Arrived { writing, hash: hasher.finalize().into(), name, mime_type })
}

fn sniff(start: &mut Vec<u8>, piece: &Bytes) {
    let wanted = SNIFFED_BYTES.saturating_sub(start.len()).min(piece.len());
    start.extend_from_slice(&piece[..wanted]);
}

/// The declared type, unless it says nothing; else the name's, else the one that the bytes show.
fn tell_mime_type(declared: Option<String>, name: &str, start: &[u8]) -> String {
    declared
        .filter(|mime| {
            mime != UNKNOWN_MIME && !mime.contains('*') && mime.len() <= crate::wire::uploads::MAX_MIME_BYTES
        })
        .or_else(|| mime_guess::from_path(name).first().map(|mime| mime.essence_str().to_owned()))
        .or_else(|| infer::get(start).map(|kind| kind.mime_type().to_owned()))
        .unwrap_or_else(|| UNKNOWN_MIME.to_owned())
}

/// The name in `filename*` (RFC 8187, as HTTP clients write names beyond ASCII) or in `filename`.
fn filename_of(field: &Field<'_>) -> Option<String> {
    let disposition = field.headers().get(header::CONTENT_DISPOSITION)?;
    extended_filename(disposition.as_bytes()).or_else(|| field.file_name().map(str::to_owned))
}

fn extended_filename(disposition: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(disposition).ok()?;
    // Outside of quoted strings only: a quoted name may hold the same text.
    let mut quoted = false;
    let mut start = 0;
    let mut parameters = Vec::new();
    let mut escaped = false;
    for (place, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                parameters.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parameters.push(&text[start..]);
    parameters.into_iter().find_map(|parameter| {
        let (name, value) = parameter.trim().split_once('=')?;
        if !name.trim().eq_ignore_ascii_case("filename*") {
            return None;
        }
        let mut parts = value.trim().splitn(3, '\'');
        let (charset, _language, encoded) = (parts.next()?, parts.next()?, parts.next()?);
        if !charset.eq_ignore_ascii_case("utf-8") {
            return None;
        }
        percent_decode_str(encoded).decode_utf8().ok().map(std::borrow::Cow::into_owned)
    })
}

async fn read_text(mut field: Field<'_>) -> Result<String, Error> {
    let name = field.name().unwrap_or_default().to_owned();
    let mut bytes = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(|error| unreadable(&error))? {
        if bytes.len() + piece.len() > MAX_FIELD_BYTES {
            return Err(Error::validation(name, "too_long"));
        }
        bytes.extend_from_slice(&piece);
    }
    String::from_utf8(bytes).map_err(|_| Error::validation(name, "wrong_type"))
}

fn unreadable(error: &multer::Error) -> Error {
    Error::invalid_request(format!("the form cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_ascii_are_read_from_the_extended_parameter() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(extended_filename(text.as_bytes()).as_deref(), expected, "{text}");
        };
        check("form-data; name=\"file\"; filename*=utf-8''caf%C3%A9%20%26.png", Some("café &.png"));
        check("form-data; name=\"file\"; filename=\"a;b.png\"; filename*=UTF-8'de'%C3%A4;x=y", Some("ä"));
        check("form-data; name=\"file\"; filename=\"; filename*=utf-8''x\"", None);
        check("form-data; name=\"file\"; filename=\"\\\"; filename*=utf-8''x\"", None);
        check("form-data; name=\"file\"; filename=\"a.png\"", None);
        check("form-data; filename*=latin-1''x", None);
        check("form-data; filename*=utf-8''%FF", None);
    }

    #[test]
    fn a_type_is_told_by_what_is_known() {
        let check = |declared: Option<&str>, name: &str, start: &[u8], expected: &str| {
            assert_eq!(tell_mime_type(declared.map(str::to_owned), name, start), expected);
        };
        check(Some("text/x-mine"), "a.png", b"", "text/x-mine");
        check(Some("application/octet-stream"), "a.png", b"", "image/png");
        check(None, "picture", b"\x89PNG\r\n\x1a\n", "image/png");
        check(None, "thing", b"?", "application/octet-stream");
    }
}
