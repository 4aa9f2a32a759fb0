//! What can go wrong, and the envelope it becomes on the wire (specification, "Errors"; contract, "Errors").
//!
//! A handler returns an [`Error`]; [`IntoResponse`] only marks the response with what failed, and the outermost layer
//! ([`crate::routes::gateway`]) writes the envelope, because it alone knows the request id. What is nobody's business
//! outside (a database error, a path) goes to the log and never into the envelope.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use easel_wire::error::{FieldError, code};
use easel_wire::{ErrorBody, ErrorType, Scope, Version};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::wire::IdError;

/// What errors of a bucket are called by the library that asks it.
const BUCKET: &str = "S3";

/// Everything that can go wrong in the studio, named by cause.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the request cannot be understood at all.
    #[error("{message}")]
    InvalidRequest {
        /// The fault of the request, in words.
        message: String,
    },
    /// 400: the version header names a version that is not supported now.
    #[error("the version in the version header is not supported")]
    UnsupportedVersion {
        /// What the header said.
        requested: String,
        /// The oldest version that is supported.
        oldest: Version,
    },
    /// 401: no key, or none that is valid.
    #[error("a valid API key is needed: Authorization: Bearer <key>")]
    Unauthenticated,
    /// 403: the key lacks a scope.
    #[error("this API key lacks the scope {0}")]
    MissingScope(Scope),
    /// 403: the user's part in the team, or in the item, does not allow it.
    #[error("{0}")]
    NotPermitted(&'static str),
    /// 403: fewer people would see an item, and the caller neither made it nor is an admin or owner.
    #[error("who sees an item may be narrowed only by the member who made it, an admin or an owner")]
    VisibilityChangeDenied,
    /// 403: this delivery is not for this caller to replay.
    #[error("only the user who made the API key that sent this, an admin or an owner may replay it")]
    ReplayNotPermitted,
    /// 403: a code of an invitation that is not good, whichever way: who guesses learns nothing.
    #[error("this invitation is unknown, used, taken back or past its end; ask for a new one")]
    InvitationRefused,
    /// 403: a Host header that names another machine, as a page under DNS rebinding sends it.
    #[error("the Host header does not name this service")]
    HostNotAllowed,
    /// 404.
    #[error("{message}")]
    NotFound {
        /// One of the codes that end in `_not_found`.
        code: &'static str,
        /// What was not found.
        message: String,
    },
    /// 405, in an envelope like every error.
    #[error("this endpoint does not answer that method")]
    MethodNotAllowed,
    /// 409.
    #[error("{message}")]
    Conflict {
        /// Such as `folder_name_conflict`.
        code: &'static str,
        /// The item in the way, where there is one.
        existing_id: Option<String>,
        /// What it conflicts with.
        message: String,
    },
    /// 409: an idempotency key used again with another body.
    #[error("this idempotency key was used with another body")]
    IdempotencyConflict,
    /// 422: understood, but wrong.
    #[error("{message}")]
    Validation {
        /// Each field that is wrong.
        fields: Vec<FieldError>,
        /// The first of them in words.
        message: String,
    },
    /// 422: over the workspace's limit.
    #[error("the file is larger than this workspace allows ({max_file_bytes} bytes)")]
    FileTooLarge {
        /// The limit in bytes.
        max_file_bytes: u64,
        /// Whether a larger plan raises it.
        is_plan_limit: bool,
    },
    /// 422: beyond what the organization may keep; who operates the service can raise it.
    #[error(
        "this organization may keep {} bytes in {} files, and keeps {used_bytes} in {used_files}",
        most(*max_bytes), most(*max_files)
    )]
    QuotaExceeded {
        /// The most bytes.
        max_bytes: Option<u64>,
        /// Bytes kept now.
        used_bytes: u64,
        /// The most files.
        max_files: Option<u64>,
        /// Files kept now.
        used_files: u64,
    },
    /// 422: a callback must not go there.
    #[error("a callback goes to an https address that everyone can reach, and to no other")]
    CallbackUrlNotAllowed,
    /// 429: the key's request rate.
    #[error("too many requests with this API key; try again in {} s", retry_after.as_secs())]
    RateLimited {
        /// Until the key's next request would pass; whole seconds.
        retry_after: Duration,
    },
    /// 429: the organization is at its cap on tasks queued or running.
    #[error("this organization has as many design tasks queued or running as it may have at once ({cap})")]
    ConcurrentTaskLimit {
        /// The cap.
        cap: u32,
    },
    /// 429: the organization's export rate.
    #[error("this organization may start {cap} exports a minute, and has started as many in the last one")]
    ExportRateLimited {
        /// The cap.
        cap: u32,
    },
    /// 409: a task changes the canvas now, or is about to.
    #[error("a task is working on this canvas; export it when the task is done")]
    CanvasActiveJob,
    /// 422: words that do not fit the place of a text.
    #[error("the words are too long for their place: {} of their {letters} letters fit, as far as “{fitting}”", fitting.chars().count())]
    TextTooLong {
        /// The page, from 1.
        page_number: u32,
        /// The reference of the text on the page.
        reference: String,
        /// How many letters the words have.
        letters: usize,
        /// The longest beginning of them that fits.
        fitting: String,
    },
    /// 422: a file that is no picture, or none that can be opened; in words for the person who chose it.
    #[error("{0}")]
    PictureUnreadable(String),
    /// 422: letters that no typeface of this service has; the words name the package that has them.
    #[error("{0}")]
    TypefaceMissing(String),
    /// 503: as many are served at once as can be.
    #[error("as many connections are served at once as can be; try again in a moment")]
    Crowded,
    /// 503: the disk below the data folder is full.
    #[error("the storage of this service is full")]
    StorageFull,
    /// 503: the bucket is away, slow, or refuses.
    #[error("the bucket cannot be used: {0}")]
    ContentsUnavailable(#[source] object_store::Error),
    /// 500: the database.
    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
    /// 500: the database's schema.
    #[error("the database cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// 500: the blobs.
    #[error("the blob store failed: {0}")]
    Blobs(#[source] object_store::Error),
    /// 500: a file or a socket.
    #[error("input or output failed: {0}")]
    Io(#[source] io::Error),
    /// 500: a secret that was sealed under another key file, or was changed.
    #[error("a sealed secret cannot be opened with this key file")]
    Unsealable,
    /// 500: a handler panicked.
    #[error("the request could not be finished")]
    Panicked,
    /// 500: a row that cannot be: a hash of the wrong length, an unknown role.
    #[error("the database holds what it never should: {0}")]
    Corrupt(&'static str),
    /// At start: the data folder cannot be made or opened.
    #[error("the data folder {} cannot be used: {cause}", path.display())]
    DataFolderUnusable {
        /// Where it should be.
        path: PathBuf,
        /// Why not.
        #[source]
        cause: io::Error,
    },
    /// At start: the database is missing or empty, but contents are there.
    #[error(
        "the database {} is missing or empty, but {contents} contents lie beside it, which it would have to name; put the \
         database back that belongs to them, or start anew and keep them for 30 days: easel-studio contents set-aside --data {}",
        path.join("studio.db").display(), path.display()
    )]
    DatabaseLost {
        /// The data folder.
        path: PathBuf,
        /// How many contents there are.
        contents: usize,
    },
    /// At start: the database is missing or empty, but its contents lie in a bucket.
    #[error(
        "the database {} is missing or empty, but its contents lie in {bucket}, which it would have to name; put the database \
         back that belongs to them, or start anew and keep them for 30 days: easel-studio contents set-aside --data {} --blobs {bucket}",
        path.join("studio.db").display(), path.display()
    )]
    DatabaseOfBucketLost {
        /// The data folder.
        path: PathBuf,
        /// Where the contents lie.
        bucket: String,
    },
    /// At start: the database is there, but not the key file that its secrets are sealed with.
    #[error(
        "the key file {} is missing, and what signs webhooks cannot be read without it; put it back, or make a new one and \
         then new API keys for whoever receives webhooks: easel-studio keys replace-file --data {}",
        .0.join("studio.key").display(), .0.display()
    )]
    KeyFileLost(PathBuf),
    /// At start: another `serve` holds the data folder.
    #[error("the data folder {} is in use by another easel-studio serve", .0.display())]
    DataFolderHeld(PathBuf),
    /// At start: the key file is another than the one that the database is used with.
    #[error(
        "{} is not the key file of this studio's database: all of its processes share one, by --key-file or EASEL_STUDIO_KEY",
        .0.join("studio.key").display()
    )]
    KeyFileOfAnother(PathBuf),
    /// At start: another process serves the database, and one of both wants it for itself.
    #[error(
        "another process serves this database; several may where each has its contents in the same bucket (--blobs s3://…), \
         and a command that has to be alone waits for none"
    )]
    DatabaseHeld,
    /// At the command line: the command was carried out, but found faults, which it has printed.
    #[error("{0}")]
    Found(String),
    /// At the command line: an argument that cannot be used.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// 400 with code `invalid_request`.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::InvalidRequest { message: message.into() }
    }

    /// 404 with one of the codes that end in `_not_found`.
    #[must_use]
    pub fn not_found(code: &'static str) -> Self {
        Self::NotFound { code, message: code.replace('_', " ") }
    }

    /// 422 for one field; `code` such as `required`, `unknown_field`, `wrong_type`, `out_of_range`, `too_long`.
    pub fn validation(field: impl Into<String>, code: impl Into<String>) -> Self {
        let (field, code) = (field.into(), code.into());
        let message = format!("{field}: {}", code.replace('_', " "));
        Self::Validation { fields: vec![FieldError { field, code }], message }
    }

    /// 422 for a field that should hold an id; the message names both kinds (contract, "Ids").
    pub fn invalid_id(field: impl Into<String>, error: &IdError) -> Self {
        let field = field.into();
        let message = format!("{field}: {error}");
        Self::Validation { fields: vec![FieldError { field, code: "invalid_id".to_owned() }], message }
    }

    /// 503: what the bucket did not answer, in words for the log.
    pub fn contents_unavailable(message: &'static str) -> Self {
        Self::ContentsUnavailable(object_store::Error::Generic { store: BUCKET, source: message.into() })
    }

    /// 409; `existing_id` is the item in the way.
    pub fn conflict(code: &'static str, existing_id: impl Into<Option<String>>) -> Self {
        Self::Conflict { code, existing_id: existing_id.into(), message: code.replace('_', " ") }
    }

    /// The status it is answered with.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::InvalidRequest { .. } | Self::UnsupportedVersion { .. } => StatusCode::BAD_REQUEST,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::MissingScope(_)
            | Self::NotPermitted(_)
            | Self::VisibilityChangeDenied
            | Self::ReplayNotPermitted
            | Self::InvitationRefused
            | Self::HostNotAllowed => StatusCode::FORBIDDEN,
            Self::NotFound { .. } => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict { .. } | Self::IdempotencyConflict | Self::CanvasActiveJob => StatusCode::CONFLICT,
            Self::Validation { .. }
            | Self::FileTooLarge { .. }
            | Self::QuotaExceeded { .. }
            | Self::TextTooLong { .. }
            | Self::PictureUnreadable(_)
            | Self::TypefaceMissing(_)
            | Self::CallbackUrlNotAllowed => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited { .. } | Self::ConcurrentTaskLimit { .. } | Self::ExportRateLimited { .. } => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::Crowded | Self::StorageFull | Self::ContentsUnavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Database(_)
            | Self::Migration(_)
            | Self::Blobs(_)
            | Self::Io(_)
            | Self::Unsealable
            | Self::Panicked
            | Self::Corrupt(_)
            | Self::DataFolderUnusable { .. }
            | Self::DatabaseLost { .. }
            | Self::DatabaseOfBucketLost { .. }
            | Self::KeyFileLost(_)
            | Self::KeyFileOfAnother(_)
            | Self::DatabaseHeld
            | Self::DataFolderHeld(_)
            | Self::Found(_)
            | Self::Usage(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// How long a client should wait before it tries again.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } => Some(*retry_after),
            Self::ConcurrentTaskLimit { .. } => Some(Duration::from_secs(30)),
            Self::StorageFull | Self::ExportRateLimited { .. } => Some(Duration::from_secs(60)),
            Self::CanvasActiveJob | Self::ContentsUnavailable(_) => Some(Duration::from_secs(10)),
            Self::Crowded => Some(Duration::from_secs(5)),
            _ => None,
        }
    }

    /// The `error` object of the envelope.
    #[must_use]
    pub fn body(&self, request_id: &str) -> ErrorBody {
        let (error_type, code, details) = self.classify();
        // The cause is for the log.
        let message = match self {
            Self::ContentsUnavailable(_) => {
                "the storage of this service cannot be reached; try again in a moment".to_owned()
            }
            _ if self.status() == StatusCode::INTERNAL_SERVER_ERROR => "something went wrong in the service".to_owned(),
            _ => self.to_string(),
        };
        ErrorBody {
            error_type,
            code: code.to_owned(),
            message,
            // Names the error without claiming that a site describes it; the contract wants a text here.
            doc_url: Some(format!("urn:easel:error:{code}")),
            request_id: Some(request_id.to_owned()),
            details,
            retry_after_ms: self.retry_after().map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
            causes: None,
        }
    }

    fn classify(&self) -> (ErrorType, &'static str, Option<Value>) {
        match self {
            Self::InvalidRequest { .. } => (ErrorType::InvalidRequest, code::INVALID_REQUEST, None),
            Self::UnsupportedVersion { requested, oldest } => {
                let supported = Version::ALL.into_iter().filter(|version| version >= oldest);
                let supported: Vec<&str> = supported.map(Version::as_str).collect();
                let details = json!({ "requested": requested, "supported": supported });
                (ErrorType::InvalidRequest, code::UNSUPPORTED_VERSION, Some(details))
            }
            Self::Unauthenticated => (ErrorType::Authentication, code::AUTHENTICATION, None),
            Self::MissingScope(scope) => {
                (ErrorType::Permission, code::MISSING_SCOPE, Some(json!({ "required": scope })))
            }
            Self::NotPermitted(_) | Self::HostNotAllowed => (ErrorType::Permission, code::PERMISSION, None),
            Self::VisibilityChangeDenied => (ErrorType::Permission, code::VISIBILITY_CHANGE_DENIED, None),
            Self::InvitationRefused => (ErrorType::Permission, code::INVITATION_REFUSED, None),
            Self::ReplayNotPermitted => (ErrorType::Permission, code::REPLAY_NOT_PERMITTED, None),
            Self::NotFound { code, .. } => (ErrorType::NotFound, code, None),
            Self::MethodNotAllowed => (ErrorType::InvalidRequest, "method_not_allowed", None),
            Self::Conflict { code, existing_id, .. } => {
                (ErrorType::Conflict, code, existing_id.as_ref().map(|id| json!({ "existing_id": id })))
            }
            Self::IdempotencyConflict => (ErrorType::IdempotencyConflict, code::IDEMPOTENCY_CONFLICT, None),
            Self::Validation { fields, .. } => {
                (ErrorType::Unprocessable, code::VALIDATION_FAILED, Some(json!({ "fields": fields })))
            }
            Self::FileTooLarge { max_file_bytes, is_plan_limit } => {
                let details = json!({ "max_file_bytes": max_file_bytes, "is_plan_limit": is_plan_limit });
                (ErrorType::Unprocessable, code::FILE_TOO_LARGE, Some(details))
            }
            Self::QuotaExceeded { max_bytes, used_bytes, max_files, used_files } => {
                let details = json!({
                    "max_bytes": max_bytes, "used_bytes": used_bytes, "max_files": max_files, "used_files": used_files,
                });
                (ErrorType::Unprocessable, code::QUOTA_EXCEEDED, Some(details))
            }
            Self::CallbackUrlNotAllowed => (ErrorType::Unprocessable, code::CALLBACK_URL_NOT_ALLOWED, None),
            Self::RateLimited { .. } => (ErrorType::RateLimited, code::RATE_LIMITED, None),
            Self::ConcurrentTaskLimit { .. } => (ErrorType::RateLimited, code::CONCURRENT_TASK_LIMIT, None),
            Self::ExportRateLimited { .. } => (ErrorType::RateLimited, code::EXPORT_RATE_LIMITED, None),
            Self::CanvasActiveJob => (ErrorType::Conflict, code::CANVAS_ACTIVE_JOB, None),
            Self::TextTooLong { page_number, reference, letters, fitting } => {
                let details = json!({
                    "page_number": page_number, "ref": reference, "letters": letters, "fitting": fitting,
                    "fitting_letters": fitting.chars().count(),
                });
                (ErrorType::Unprocessable, code::TEXT_TOO_LONG, Some(details))
            }
            Self::PictureUnreadable(_) => (ErrorType::Unprocessable, code::PICTURE_UNREADABLE, None),
            Self::TypefaceMissing(_) => (ErrorType::Unprocessable, code::TYPEFACE_MISSING, None),
            Self::Crowded => (ErrorType::UpstreamError, "crowded", None),
            Self::StorageFull => (ErrorType::UpstreamError, code::STORAGE_FULL, None),
            Self::ContentsUnavailable(_) => (ErrorType::UpstreamError, "storage_unavailable", None),
            Self::Database(_)
            | Self::Migration(_)
            | Self::Blobs(_)
            | Self::Io(_)
            | Self::Unsealable
            | Self::Panicked
            | Self::Corrupt(_)
            | Self::DataFolderUnusable { .. }
            | Self::DatabaseLost { .. }
            | Self::DatabaseOfBucketLost { .. }
            | Self::KeyFileLost(_)
            | Self::KeyFileOfAnother(_)
            | Self::DatabaseHeld
            | Self::DataFolderHeld(_)
            | Self::Found(_)
            | Self::Usage(_) => (ErrorType::InternalError, code::INTERNAL_ERROR, None),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        // SQLITE_FULL, and the two ways in which a full disk shows at the write-ahead log and its index; PostgreSQL's
        // disk_full.
        const FULL: [&str; 4] = ["13", "778", "4874", "53100"];
        let full = error.as_database_error().and_then(|cause| cause.code()).is_some_and(|code| FULL.contains(&&*code));
        if full { Self::StorageFull } else { Self::Database(error) }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        if is_full(&error) { Self::StorageFull } else { Self::Io(error) }
    }
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
        while let Some(current) = cause {
            if current.downcast_ref::<io::Error>().is_some_and(is_full) {
                return Self::StorageFull;
            }
            cause = current.source();
        }
        // A folder is never heard of by these.
        let is_of_a_bucket = match &error {
            object_store::Error::Generic { store, .. } => *store == BUCKET,
            object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => true,
            _ => false,
        };
        match is_of_a_bucket {
            true if is_bucket_full(&error) => Self::StorageFull,
            true => Self::ContentsUnavailable(error),
            false => Self::Blobs(error),
        }
    }
}

/// Whether a bucket has no room, or may take no more: its answer is known by its words alone.
fn is_bucket_full(error: &object_store::Error) -> bool {
    const FULL: [&str; 5] =
        ["507 Insufficient Storage", "StorageFull", "QuotaExceeded", "InsufficientStorage", "InsufficientCapacity"];
    let words = error.to_string();
    FULL.iter().any(|word| words.contains(word))
}

fn most(bound: Option<u64>) -> String {
    bound.map_or_else(|| "any number of".to_owned(), |most| most.to_string())
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// What failed, carried by a response to the layer that writes the envelope.
#[derive(Debug, Clone)]
pub struct Failure(pub std::sync::Arc<Error>);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        let headers = response.headers_mut();
        if matches!(self, Self::Unauthenticated) {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
        }
        response.extensions_mut().insert(Failure(std::sync::Arc::new(self)));
        response
    }
}
