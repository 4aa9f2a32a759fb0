//! The PUT of a file's bytes to object storage (specification, signed-URL flow, step 2).
//!
//! Always true: no key and none of the service's headers go here; the Content-Type is exactly the signed one; a request
//! to storage takes nothing from the budget (contract, "Uploads"). Refusals are storage's small XML. Not here: signing.

use easel_wire::uploads::SignedUpload;
use http::header;
use reqwest::Body;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::client::{Client, read_body, redirect_refused};
use crate::error::{Error, UnexpectedBody};
use crate::patience::Patience;
use crate::retry::Tries;
use crate::source::{Attempt, Progress, Source};

/// The result of a PUT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Put {
    /// The SHA-256 of the bytes that were sent; `None` where storage had the blob already and did not read all of it
    /// again.
    pub sha256: Option<[u8; 32]>,
    /// Bytes of the file handed to connections, over all attempts.
    pub bytes_on_the_wire: u64,
    /// Whether storage said that an earlier PUT had succeeded (`AlreadyWritten`).
    pub was_already_written: bool,
}

impl Client {
    /// PUTs the bytes of `source` to a signed URL.
    ///
    /// A PUT that was cut off before its last byte left stores nothing, so it is repeated here.
    ///
    /// # Errors
    /// [`Error::UrlExpired`]: sign again, once. [`Error::AnswerLost`]: the last byte had left; register, and PUT again
    /// only where register says `upload_not_found`. [`Error::SourceChanged`], [`Error::SourceUnreadable`]: nothing was
    /// stored. [`Error::Storage`] for every other refusal.
    pub async fn put_signed(
        &self,
        signed: &SignedUpload,
        source: &Source,
        progress: &Progress<'_>,
    ) -> Result<Put, Error> {
        let unusable = || Error::NotTheService { status: 200, found: UnexpectedBody::UnusableUrl };
        let url = Url::parse(&signed.upload_url).map_err(|_| unusable())?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(unusable());
        }
        let content_type = signed.mime_type.as_deref().unwrap_or("application/octet-stream");
        let storage = self.storage(&url)?;
        let mut tries = Tries::new(self.shared.jitter.clone());
        let mut sent_before = 0;
        loop {
            let (content, attempt) = source.stream().await?;
            let request = storage
                .put(url.clone())
                .header(header::CONTENT_TYPE, content_type)
                .header(header::CONTENT_LENGTH, source.size_bytes())
                .body(Body::wrap_stream(content));
            let exchange = async {
                let response = request.send().await.map_err(Error::of_transport)?;
                read_put_answer(response).await
            };
            let outcome = watch_attempt(exchange, &attempt, progress, self.shared.patience, source.size_bytes()).await;
            let bytes_on_the_wire = sent_before + attempt.handed_bytes();
            let put = |was_already_written| Put { sha256: attempt.sha256(), bytes_on_the_wire, was_already_written };
            let error = match outcome {
                Ok(()) if attempt.sha256().is_some() => return Ok(put(false)),
                // Storage that answers before it has read everything has not stored everything.
                Ok(()) => Error::ConnectionBroken { reason: "answered too early".to_owned() },
                Err(Error::Storage { code: Some(code), .. }) if code == "AlreadyWritten" => return Ok(put(true)),
                Err(error) => attempt.take_failure().unwrap_or(error),
            };
            let unsure =
                attempt.sha256().is_some() && matches!(error, Error::ConnectionBroken { .. } | Error::TimedOut);
            if unsure {
                return Err(Error::AnswerLost { cause: Box::new(error) });
            }
            let may_repeat = error.is_answer_lost() || matches!(error, Error::Unreachable { .. });
            if !may_repeat {
                return Err(error);
            }
            self.pause(tries.back_off(), error).await?;
            sent_before = bytes_on_the_wire;
        }
    }
}

/// Waits for `exchange`, telling `progress`, for as long as bytes of the file of `size_bytes` move often enough.
pub(crate) async fn watch_attempt<T>(
    exchange: impl Future<Output = Result<T, Error>>,
    attempt: &Attempt,
    progress: &Progress<'_>,
    patience: Patience,
    size_bytes: u64,
) -> Result<T, Error> {
    let mut handed: watch::Receiver<u64> = attempt.handed_seen.clone();
    let mut quiet_at = Instant::now() + patience.silence;
    let mut exchange = std::pin::pin!(exchange);
    loop {
        tokio::select! {
            biased;
            outcome = &mut exchange => {
                progress(attempt.handed_bytes());
                return outcome;
            }
            Ok(()) = handed.changed() => {
                progress(*handed.borrow_and_update());
                let is_handed = attempt.sha256().is_some();
                quiet_at = Instant::now() + if is_handed { patience.after_last_byte(size_bytes) } else { patience.silence };
            }
            () = sleep_until(quiet_at) => return Err(Error::TimedOut),
        }
    }
}

async fn read_put_answer(response: reqwest::Response) -> Result<(), Error> {
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    if status.is_redirection() {
        return Err(redirect_refused(&response));
    }
    let body = read_body(response, status).await.unwrap_or_default();
    Err(storage_error(status.as_u16(), &String::from_utf8_lossy(&body)))
}

/// Reads storage's XML: only its first `<Code>` is looked for.
pub(crate) fn storage_error(status: u16, body: &str) -> Error {
    let code = body
        .split_once("<Code>")
        .and_then(|(_, rest)| rest.split_once("</Code>"))
        .map(|(code, _)| code.trim().chars().take(64).collect::<String>());
    match code.as_deref() {
        // S3 itself says AccessDenied with "Request has expired"; other stores say ExpiredToken.
        Some("ExpiredUrl") => Error::UrlExpired,
        _ => Error::Storage { status, code },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storages_refusals_are_told_apart_by_their_code() {
        let check = |status: u16, body: &str, expected_code: Option<&str>| match storage_error(status, body) {
            Error::Storage { status: found, code } => {
                assert_eq!((found, code.as_deref()), (status, expected_code), "{body}");
            }
            other => panic!("{body}: {other}"),
        };
        for code in ["SignatureDoesNotMatch", "ContentTypeMismatch", "AlreadyWritten", "EntityTooLarge"] {
            let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>m</Message></Error>");
            check(403, &body, Some(code));
        }
        check(403, "", None);
        check(502, "<html>bad gateway</html>", None);
        check(403, "<Code>never closed", None);
        let expired = storage_error(403, "<Error><Code>ExpiredUrl</Code><Message>m</Message></Error>");
        assert!(matches!(expired, Error::UrlExpired));
    }
}
