//! Uploads, step by step, so that a caller with a journal can write between the steps (specification, "Uploads" and the
//! two-step signed-URL flow; contract, "Uploads").
//!
//! Always true: a file above the service's ceiling is refused before a byte is sent; which way a file goes is decided
//! by the exact length of its multipart body; a multipart upload whose answer was lost is looked for in the drive
//! before it is sent again. Not here: the order of the steps, and surviving a crash, for which the caller has its
//! journal.

use easel_wire::error::code;
use easel_wire::uploads::{SignUpload, SignedUpload, UploadResult};
use easel_wire::{FolderId, Scope};
use futures_util::stream::{self, StreamExt};
use http::Method;
use reqwest::Body;

use crate::capabilities::Feature;
use crate::client::Client;
use crate::error::Error;
use crate::multipart::{Framing, direct_body_bytes, is_carried_exactly};
use crate::retry::{Next, Repeat, Tries};
use crate::settle::{Fingerprint, is_numbered_form_of, result_of_file};
use crate::source::{Progress, Source};
use crate::storage::watch_attempt;

/// The name, type and folder that a file is to have in the drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The file's name, without any folder.
    pub filename: String,
    /// The file's type.
    pub mime_type: String,
    /// The destination folder; `None` for the top of the drive.
    pub folder_id: Option<FolderId>,
}

impl Target {
    /// A target whose type is guessed from the name; of a path, only the last part counts.
    #[must_use]
    pub fn new(filename: &str, folder_id: Option<FolderId>) -> Self {
        let base = filename.rsplit('/').next().unwrap_or(filename);
        let mime_type = mime_guess::from_path(base).first_or_octet_stream().essence_str().to_owned();
        Self { filename: base.to_owned(), mime_type, folder_id }
    }
}

/// Which way a file goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// One multipart request: [`Client::send_direct`].
    Direct,
    /// Sign, PUT, register: [`Client::sign_upload`], [`Client::put_signed`], [`Client::register_upload`].
    Signed,
}

/// The result of a direct upload.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// The service's record of the file.
    pub result: UploadResult,
    /// The SHA-256 of the bytes that were sent.
    pub sha256: [u8; 32],
    /// Bytes of the file handed to connections, over all attempts.
    pub bytes_on_the_wire: u64,
    /// Whether an earlier attempt of this call had stored the file and its answer was lost. Then `result.was_duplicate`
    /// does not mean that the file was there before (contract, "Uploads").
    pub settled_after_lost_answer: bool,
}

impl Sent {
    /// Whether the drive had the content before this call.
    #[must_use]
    pub const fn was_already_there(&self) -> bool {
        self.result.was_duplicate && !self.settled_after_lost_answer
    }
}

impl Client {
    /// Which way a file of `size_bytes` goes to `target`: in one request where its multipart body fits under the direct
    /// ceiling and can carry its name as it is, else by a signed URL.
    ///
    /// # Errors
    /// [`Error::FileTooLarge`] where the service takes no file of this size, [`Error::MediaTypeRefused`] where it was
    /// seen to take none of this type; what [`Client::upload_limits`] answers.
    pub async fn route_upload(&self, size_bytes: u64, target: &Target) -> Result<Route, Error> {
        self.check_media_type(&target.mime_type)?;
        let limits = self.upload_limits().await?;
        if let Some(refused) = self.shared.key.learned.read(|known| known.refused_size_bytes)
            && size_bytes >= refused
        {
            return Err(Error::FileTooLarge {
                size_bytes,
                max_file_bytes: refused.saturating_sub(1),
                is_plan_limit: false,
            });
        }
        if size_bytes > limits.max_file_bytes {
            return Err(Error::FileTooLarge {
                size_bytes,
                max_file_bytes: limits.max_file_bytes,
                is_plan_limit: limits.max_file_bytes_is_plan_limit,
            });
        }
        let fits = direct_body_bytes(size_bytes, target) <= limits.max_direct_upload_bytes
            && is_carried_exactly(&target.filename);
        Ok(if fits { Route::Direct } else { Route::Signed })
    }

    /// Sends `source` in one multipart request. After a lost answer it looks for the content in the drive before it
    /// sends again.
    ///
    /// # Errors
    /// [`Error::AnswerLost`] where even that did not settle it: call [`Client::find_uploaded`] before another attempt.
    /// [`Error::TooLargeForGateway`]: route again, it will be [`Route::Signed`]. [`Error::SourceChanged`]: nothing was
    /// stored. Else what the service answers, or why it did not.
    pub async fn send_direct(&self, source: &Source, target: &Target, progress: &Progress<'_>) -> Result<Sent, Error> {
        let since = jiff::Timestamp::now();
        let mut tries = Tries::new(self.shared.jitter.clone());
        let mut bytes_on_the_wire = 0;
        let mut lost_before = false;
        let mut folder = target.folder_id.filter(|_| self.offers(Feature::FolderInMultipart) != Some(false));
        loop {
            let tried = self.try_direct(source, target, folder, progress).await;
            bytes_on_the_wire += tried.handed_bytes;
            let error = match (tried.outcome, tried.sha256) {
                (Ok(result), Some(sha256)) => {
                    if target.folder_id.is_some() && folder.is_none() {
                        self.learn(Feature::FolderInMultipart, false);
                    }
                    self.note_place(Feature::FolderInMultipart, &result, folder);
                    let settled_after_lost_answer = lost_before && is_own(&result, target);
                    return Ok(Sent { result, sha256, bytes_on_the_wire, settled_after_lost_answer });
                }
                // A service that answers before it has read everything has not stored everything.
                (Ok(_), None) => Error::ConnectionBroken { reason: "answered too early".to_owned() },
                (Err(error), _) => error,
            };
            // Without the folder in the request; the file is moved there afterwards.
            if folder.is_some() && may_be_for_the_folder(&error) {
                folder = None;
                continue;
            }
            let Some(sha256) = tried.sha256.filter(|_| error.is_answer_lost()) else {
                let next = tries.next(&error, Repeat::Harmless);
                let error = if lost_before && error.is_offline() { lost(error) } else { error };
                self.pause(next, error).await?;
                continue;
            };
            lost_before = true;
            let next = tries.back_off();
            if let Next::After(wait) = next {
                tokio::time::sleep(wait).await;
            }
            let fingerprint = Fingerprint {
                size_bytes: source.size_bytes(),
                sha256,
                filename: target.filename.clone(),
                since: since.into(),
            };
            match self.find_uploaded(&fingerprint, target.folder_id).await {
                Ok(Some(file)) => {
                    let result = result_of_file(file);
                    return Ok(Sent { result, sha256, bytes_on_the_wire, settled_after_lost_answer: true });
                }
                Ok(None) if next != Next::GiveUp => {}
                Ok(None) | Err(_) => return Err(lost(error)),
            }
        }
    }

    /// Asks for a signed URL. The request stores nothing, so after a lost answer it is simply repeated. Sign late: the
    /// URL is valid for ten minutes.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn sign_upload(&self, target: &Target) -> Result<SignedUpload, Error> {
        let request = SignUpload {
            filename: target.filename.clone(),
            mime_type: target.mime_type.clone(),
            expires_in_seconds: None,
        };
        let call = self
            .call(Method::POST, &["uploads", "url"])
            .needs(Scope::UploadsWrite)
            .json(&request)?
            .repeat(Repeat::Harmless);
        let signed: SignedUpload =
            self.get_json(&call).await.map_err(|error| self.note_refusal(error, target, None))?;
        let mime_type = signed.mime_type.or_else(|| Some(target.mime_type.clone()));
        Ok(SignedUpload { mime_type, ..signed })
    }

    /// One multipart request, which names `folder` where there is one.
    async fn try_direct(
        &self,
        source: &Source,
        target: &Target,
        folder: Option<FolderId>,
        progress: &Progress<'_>,
    ) -> Tried {
        let framing = Framing::of(target, folder, random_bits());
        let body_bytes = framing.body_bytes(source.size_bytes());
        let content_type = framing.content_type();
        // Taken before the file is read: it may wait for long, and the file may change meanwhile.
        let permit = self.take_permit().await;
        let (content, attempt) = match source.stream().await {
            Ok(started) => started,
            Err(error) => return Tried { outcome: Err(error), sha256: None, handed_bytes: 0 },
        };
        let body = stream::once(async move { Ok(framing.head.into()) })
            .chain(content)
            .chain(stream::once(async move { Ok(framing.tail.into()) }));
        let exchange = self.send_stream(permit, &["uploads"], &content_type, Body::wrap_stream(body), body_bytes);
        let patience = self.shared.patience;
        let outcome = watch_attempt(exchange, &attempt, progress, patience, source.size_bytes())
            .await
            .and_then(|answer| answer.json::<UploadResult>())
            .map_err(|error| attempt.take_failure().unwrap_or(error))
            .map_err(|error| self.note_refusal(error, target, Some((body_bytes, source.size_bytes()))));
        Tried { outcome, sha256: attempt.sha256(), handed_bytes: attempt.handed_bytes() }
    }

    /// Learns from a refusal for the size or the type of a file, and returns the error for it. `sent` are the bytes of
    /// a multipart body and of the file in it.
    pub(crate) fn note_refusal(&self, error: Error, target: &Target, sent: Option<(u64, u64)>) -> Error {
        if let (Error::TooLargeForGateway, Some((body_bytes, _))) = (&error, sent) {
            self.shared.key.note_refused_body(body_bytes);
        }
        if is_media_type_refusal(&error) {
            let (mime_type, message) = (target.mime_type.clone(), error.message().to_owned());
            self.shared.key.learned.change(|known| {
                known.refused_media_types.insert(mime_type.clone(), message.clone());
            });
            return Error::MediaTypeRefused { mime_type, message };
        }
        if error.code() != Some(code::FILE_TOO_LARGE) {
            return error;
        }
        let detail = |name: &str| error.details().and_then(|details| details.get(name));
        let Some(max_file_bytes) = detail("max_file_bytes").and_then(serde_json::Value::as_u64) else {
            if let Some((_, size_bytes)) = sent {
                self.shared.key.learned.change(|known| {
                    let smallest = known.refused_size_bytes.map_or(size_bytes, |before| before.min(size_bytes));
                    known.refused_size_bytes = Some(smallest);
                });
            }
            return error;
        };
        let is_plan_limit = detail("is_plan_limit").and_then(serde_json::Value::as_bool).unwrap_or_default();
        self.shared.key.note_file_ceiling(max_file_bytes, is_plan_limit);
        match sent {
            Some((_, size_bytes)) => Error::FileTooLarge { size_bytes, max_file_bytes, is_plan_limit },
            None => error,
        }
    }
}

/// Whether a multipart upload may have been refused because it names a folder: the refusal names that field, or none.
fn may_be_for_the_folder(error: &Error) -> bool {
    let Error::Api { status: 400 | 422, error: body, .. } = error else { return false };
    let means_something_else = matches!(
        body.code.as_str(),
        code::FOLDER_NOT_FOUND | code::FILE_TOO_LARGE | code::UNSUPPORTED_VERSION | code::MISSING_SCOPE
    );
    let named = error.refused_fields();
    !means_something_else
        && !is_media_type_refusal(error)
        && (named.is_empty() || named.iter().any(|(field, _)| *field == "folder_id"))
}

/// Whether a refusal is about the type of the file: its status, its code or the field that it names says so.
pub(crate) fn is_media_type_refusal(error: &Error) -> bool {
    const SAID: [&str; 5] = ["media_type", "mime", "content_type", "file_type", "filetype"];
    let Error::Api { status, error: body, .. } = error else { return false };
    let says = |text: &str| SAID.iter().any(|said| text.to_ascii_lowercase().replace('-', "_").contains(said));
    match status {
        415 => true,
        400 | 422 => says(&body.code) || error.refused_fields().iter().any(|(field, _)| says(field)),
        _ => false,
    }
}

/// The result of one multipart request.
struct Tried {
    outcome: Result<UploadResult, Error>,
    /// The content's SHA-256, where the whole file was handed over.
    sha256: Option<[u8; 32]>,
    handed_bytes: u64,
}

fn lost(cause: Error) -> Error {
    Error::AnswerLost { cause: Box::new(cause) }
}

/// Whether a duplicate was stored by an earlier attempt of the same upload: it lies where that would have put it.
fn is_own(result: &UploadResult, target: &Target) -> bool {
    let same_name = result.filename.as_deref().is_none_or(|name| is_numbered_form_of(name, &target.filename));
    same_name && result.folder_id == Some(target.folder_id)
}

fn random_bits() -> u128 {
    let mut bits = [0; 16];
    // Without randomness the boundary is only guessable, not wrong: a file that contains it is refused for its length.
    let _ = getrandom::fill(&mut bits);
    u128::from_le_bytes(bits)
}
