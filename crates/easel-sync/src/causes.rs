//! What a client's error means for a transfer and for the queue (contract, "Errors").
//!
//! Pure. Always true: an error is judged by its kind, its `type` and its `code`, never by a message; what would meet
//! every file is a reason for the whole queue to wait, what meets this file alone fails it by itself.

use std::io;

use easel_client::Error as ClientError;
use easel_wire::ErrorType;
use easel_wire::error::code;

use crate::error::Error;
use crate::transfer::{Cause, Failure, Waiting};

/// What to do about an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The whole queue waits, and the transfer keeps its place. `is_counted`: should it happen to this transfer again
    /// and again while others get through, it fails with the cause.
    Wait { waiting: Waiting, is_counted: bool, failure: Failure },
    /// The transfer fails.
    Fail(Failure),
    /// The file changed; send it again from the start once it stands still.
    Changed,
    /// The signed URL is no longer good; sign anew.
    SignAnew,
    /// The service knows no staged blob under the key.
    NotStaged,
    /// The direct way is closed to this file; route it again.
    RouteAgain,
}

/// Judges an error of the client.
pub(crate) fn judge(error: &ClientError) -> Remedy {
    let failure = |cause: Cause| Failure { cause, request_id: error.request_id().map(str::to_owned) };
    let wait =
        |waiting: Waiting| Remedy::Wait { failure: failure(Cause::ConnectionBroken), waiting, is_counted: false };
    let counted = |waiting: Waiting, cause: Cause| Remedy::Wait { waiting, is_counted: true, failure: failure(cause) };
    match error {
        ClientError::Unreachable { .. } => wait(Waiting::Offline),
        ClientError::ConnectionBroken { .. } | ClientError::TimedOut => {
            counted(Waiting::Offline, Cause::ConnectionBroken)
        }
        ClientError::AnswerLost { cause } => match judge(cause) {
            wait @ Remedy::Wait { .. } => wait,
            _ => counted(Waiting::Offline, Cause::ConnectionBroken),
        },
        ClientError::Tls { .. } => wait(Waiting::NotTrusted),
        ClientError::Setup { reason } => wait(Waiting::SetupFailed { reason: reason.clone() }),
        // Counted, because a probe may get through where the file's own way does not: that would never end.
        ClientError::RedirectRefused { to_host } => {
            counted(Waiting::RedirectRefused { to_host: to_host.clone() }, Cause::ServiceFailed { status: 0 })
        }
        ClientError::NotTheService { status, .. } => {
            counted(Waiting::NotTheService, Cause::ServiceFailed { status: *status })
        }
        ClientError::RouteMissing => counted(Waiting::NotTheService, Cause::ServiceFailed { status: 404 }),
        ClientError::InvalidAddress { .. } | ClientError::InvalidVersionHeader { .. } => wait(Waiting::NotTheService),
        // The connection's own host is judged when its client is made, so this is storage's.
        ClientError::PlainHttpRefused { host } => Remedy::Fail(failure(Cause::NotEncrypted { host: host.clone() })),
        ClientError::InvalidKey => wait(Waiting::KeyRefused),
        ClientError::TooLargeForGateway => Remedy::RouteAgain,
        ClientError::UrlExpired => Remedy::SignAnew,
        ClientError::FileTooLarge { size_bytes, max_file_bytes, is_plan_limit } => {
            Remedy::Fail(failure(Cause::TooLarge {
                size_bytes: *size_bytes,
                max_file_bytes: *max_file_bytes,
                is_plan_limit: *is_plan_limit,
            }))
        }
        ClientError::SourceChanged => Remedy::Changed,
        ClientError::SourceUnreadable { io } => Remedy::Fail(failure(of_io(io))),
        ClientError::SourceNotAFile => Remedy::Fail(failure(Cause::NotAFile)),
        ClientError::Storage { .. } if error.is_storage_full() => wait(Waiting::StorageFull),
        ClientError::Storage { status, .. } if matches!(status, 507 | 413) => wait_or_too_large(*status, failure),
        ClientError::Storage { status, .. } if *status >= 500 => {
            counted(Waiting::ServiceFailing { status: *status }, Cause::ServiceFailed { status: *status })
        }
        ClientError::Storage { status: 403, .. } => Remedy::SignAnew,
        ClientError::Storage { status, code } => Remedy::Fail(failure(Cause::Refused {
            status: *status,
            error_code: code.clone().unwrap_or_default(),
            message: String::new(),
        })),
        ClientError::Api { status, error: body, .. } => {
            let refused = || {
                Remedy::Fail(failure(Cause::Refused {
                    status: *status,
                    error_code: body.code.clone(),
                    message: body.message.clone(),
                }))
            };
            match (&body.error_type, body.code.as_str()) {
                (_, code::STORAGE_FULL) => wait(Waiting::StorageFull),
                (_, code::FOLDER_NOT_FOUND) => Remedy::Fail(failure(Cause::FolderGone)),
                (_, code::UPLOAD_NOT_FOUND) => Remedy::NotStaged,
                (_, code::UNSUPPORTED_VERSION) => wait(Waiting::NotTheService),
                (ErrorType::Authentication, _) => wait(Waiting::KeyRefused),
                (ErrorType::Permission, code::MISSING_SCOPE) => wait(Waiting::NotPermitted),
                (ErrorType::RateLimited, _) => wait(Waiting::RateLimited),
                (ErrorType::UpstreamError | ErrorType::InternalError, _) if *status == 507 => {
                    wait(Waiting::StorageFull)
                }
                (ErrorType::UpstreamError | ErrorType::InternalError, _) => {
                    counted(Waiting::ServiceFailing { status: *status }, Cause::ServiceFailed { status: *status })
                }
                _ => refused(),
            }
        }
        // Downloads are none of the queue's business.
        ClientError::DestinationUnwritable { .. } | ClientError::ContentMismatch => {
            counted(Waiting::Offline, Cause::ConnectionBroken)
        }
    }
}

fn wait_or_too_large(status: u16, failure: impl Fn(Cause) -> Failure) -> Remedy {
    if status == 507 {
        let failure = failure(Cause::ServiceFailed { status });
        return Remedy::Wait { waiting: Waiting::StorageFull, is_counted: false, failure };
    }
    Remedy::Fail(failure(Cause::Refused { status, error_code: "EntityTooLarge".to_owned(), message: String::new() }))
}

/// What everything waits for where the journal fails.
pub(crate) fn of_journal(error: &Error) -> Waiting {
    match error {
        Error::DiskFull => Waiting::DiskFull,
        other => Waiting::JournalUnusable { detail: other.to_string() },
    }
}

/// Why a file cannot be read.
pub(crate) fn of_io(error: &io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Cause::Vanished,
        _ => Cause::Unreadable { detail: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_probe_cannot_see_fails_the_file_in_the_end_instead_of_being_tried_for_ever() {
        let storage = || "storage.example.com".to_owned();
        let cause = Cause::NotEncrypted { host: storage() };
        let failed = Remedy::Fail(Failure { cause, request_id: None });
        assert_eq!(judge(&ClientError::PlainHttpRefused { host: storage() }), failed);
        for error in [
            ClientError::RedirectRefused { to_host: storage() },
            ClientError::NotTheService { status: 200, found: easel_client::Nonsense::UnusableUrl },
            ClientError::RouteMissing,
        ] {
            assert!(matches!(judge(&error), Remedy::Wait { is_counted: true, .. }), "{error}");
        }
    }
}
