//! Which error is worded how: every error of the crates below, by its cause, as a [`Problem`].
//!
//! Always true: an error of the service is judged by its code, then its type; every variant is named here, so that a new
//! one does not compile without words. Not here: the words themselves ([`crate::messages`]).

mod folders;
mod keys;
mod refusals;

use std::io;
use std::path::Path;

use easel_client::{AddressProblem, Error as ClientError, Feature, UnexpectedBody};
use easel_sync::{Cause, Error as SyncError, Failure, SkipReason, Waiting};

pub(crate) use self::folders::{of_difference, of_need};
pub(crate) use self::keys::{of_key_not_given, of_key_not_kept};
pub(crate) use self::refusals::of_id;
use self::refusals::{of_api, of_media_type, of_missing_scope, of_name, of_refusal, of_size, of_too_large};
use crate::messages;
use crate::ports::LocalServiceError;
use crate::problem::Problem;

/// What stands where a reason would, if one had been given.
const WITHOUT_A_REASON: &str = "no reason was given";

/// What an error is about, for its words.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct About<'a> {
    /// The host that was spoken to.
    pub(crate) host: &'a str,
    /// The file or item.
    pub(crate) name: &'a str,
    /// What the service was asked for, where it may not have that.
    pub(crate) feature: Option<Feature>,
}

impl<'a> About<'a> {
    pub(crate) const fn host(host: &'a str) -> Self {
        Self { host, name: "", feature: None }
    }

    /// The name, or words for a file without one.
    const fn name_or_this(self) -> &'a str {
        if self.name.is_empty() { "This file" } else { self.name }
    }

    const fn host_or_service(self) -> &'a str {
        if self.host.is_empty() { "The service" } else { self.host }
    }
}

/// An error of the client.
pub(crate) fn of_client(error: &ClientError, about: About<'_>) -> Problem {
    let host = ("host", about.host_or_service());
    let name = ("name", about.name_or_this());
    let mut problem = match error {
        ClientError::InvalidAddress { problem } => messages::problem(of_address(*problem), &[]),
        ClientError::InvalidKey => messages::problem("key_not_usable", &[]),
        ClientError::InvalidVersionHeader { name } => {
            messages::problem("version_header_not_usable", &[("name", name.as_str())])
        }
        ClientError::PlainHttpRefused { host } => messages::problem("plain_http_refused", &[("host", host.as_str())]),
        ClientError::Setup { reason } => messages::problem("connection_setup_failed", &[("reason", reason.as_str())]),
        ClientError::Unreachable { .. } => messages::problem("unreachable", &[host]),
        ClientError::Tls { reason } => messages::problem("tls_failed", &[host, ("reason", reason.as_str())]),
        ClientError::ConnectionBroken { .. } => messages::problem("connection_broken", &[host]),
        ClientError::TimedOut => messages::problem("timed_out", &[host]),
        ClientError::RedirectRefused { to_host } => {
            let to = if to_host.is_empty() { "another host" } else { to_host.as_str() };
            messages::problem("redirect_refused", &[("host", to)])
        }
        ClientError::NotTheService { found, .. } => {
            messages::problem("not_the_service", &[host, ("found", of_unexpected_body(*found))])
        }
        ClientError::RouteMissing => messages::not_offered(about.feature),
        ClientError::TooLargeForGateway => messages::problem("too_large_for_gateway", &[name]),
        ClientError::Api { status, error: body, .. } => match error.missing_scope() {
            Some(scope) => of_missing_scope(Some(&scope)),
            None => of_api(*status, body, about),
        },
        // Only where the service refuses every version that is spoken here.
        ClientError::OtherVersion => messages::problem("unsupported_version", &[]),
        ClientError::MediaTypeRefused { mime_type, message } => of_media_type(about.name_or_this(), mime_type, message),
        ClientError::Id(error) => of_id(error),
        ClientError::Contradiction { .. } => messages::problem("answers_contradict", &[]),
        ClientError::Storage { code, .. } => {
            messages::problem("storage_refused", &[("reason", code.as_deref().unwrap_or(WITHOUT_A_REASON))])
        }
        ClientError::UrlExpired => messages::problem("url_expired", &[]),
        ClientError::FileTooLarge { size_bytes, max_file_bytes, is_plan_limit } => {
            of_too_large(about.name_or_this(), Some(*size_bytes), *max_file_bytes, *is_plan_limit)
        }
        ClientError::SourceChanged => messages::problem("file_changed", &[name]),
        ClientError::SourceUnreadable { io } if io.kind() == io::ErrorKind::NotFound => {
            messages::problem("file_vanished", &[name])
        }
        ClientError::SourceUnreadable { io } => {
            messages::problem("file_unreadable", &[name, ("reason", io_reason(io).as_str())])
        }
        ClientError::SourceNotAFile => messages::problem("not_a_file", &[name]),
        ClientError::DestinationUnwritable { io } if is_disk_full(io) => messages::problem("disk_full", &[]),
        ClientError::DestinationUnwritable { io } => {
            messages::problem("destination_unwritable", &[name, ("reason", io_reason(io).as_str())])
        }
        ClientError::ContentMismatch => messages::problem("download_damaged", &[name]),
        ClientError::AnswerLost { .. } => messages::problem("answer_lost", &[name]),
    };
    problem.action.target = error.existing_id().map(str::to_owned);
    problem.request_id = error.request_id().map(str::to_owned);
    problem
}

const fn of_address(problem: AddressProblem) -> &'static str {
    match problem {
        AddressProblem::NotAUrl => "address_not_a_url",
        AddressProblem::Scheme => "address_scheme",
        AddressProblem::Credentials => "address_credentials",
        AddressProblem::Query => "address_query",
    }
}

fn of_unexpected_body(found: UnexpectedBody) -> &'static str {
    messages::found(match found {
        UnexpectedBody::Html => "html",
        UnexpectedBody::NotJson => "not_json",
        UnexpectedBody::OtherShape => "other_shape",
        UnexpectedBody::Endless => "endless",
        UnexpectedBody::UnusableUrl => "unusable_url",
    })
}

/// An error of the journal or the queue.
pub(crate) fn of_sync(error: &SyncError) -> Problem {
    match error {
        SyncError::JournalInUse => messages::problem("journal_in_use", &[]),
        SyncError::DiskFull => messages::problem("disk_full", &[]),
        SyncError::JournalDamaged { detail } => messages::problem("journal_damaged", &[("reason", detail.as_str())]),
        SyncError::JournalTooNew => messages::problem("journal_too_new", &[]),
        SyncError::JournalUnavailable { detail } => {
            messages::problem("data_unwritable", &[("reason", detail.as_str()), ("place", "Easel's data folder")])
        }
        SyncError::UnknownTransfer(_) => messages::problem("transfer_unknown", &[]),
        SyncError::UnknownFolder(_) => messages::problem("synced_folder_unknown", &[]),
        SyncError::NotAFolder { path } => messages::problem("sync_not_a_folder", &[("path", shown(path).as_str())]),
        SyncError::FolderUnreadable { path, .. } => {
            messages::problem("sync_folder_unreadable", &[("path", shown(path).as_str())])
        }
        SyncError::InsideAnother { path } => {
            messages::problem("sync_inside_another", &[("path", shown(path).as_str())])
        }
        SyncError::AnotherFolder { path } => {
            messages::problem("sync_another_folder", &[("path", shown(path).as_str())])
        }
        SyncError::HeldElsewhere { holder } => messages::problem("sync_held_elsewhere", &[("holder", holder.as_str())]),
        SyncError::DriveFolderTaken { path } => {
            messages::problem("sync_drive_folder_taken", &[("path", shown(path).as_str())])
        }
        SyncError::DriveFolderGone => messages::problem("sync_drive_folder_gone", &[]),
        SyncError::PatternRefused { line, detail } => messages::problem(
            "sync_pattern_refused",
            &[("line", line.to_string().as_str()), ("reason", detail.trim_end_matches('.'))],
        ),
        SyncError::Service(error) => of_client(error, About::default()),
        SyncError::Stopped => messages::problem("closing", &[]),
        // The enum is open; what a newer build adds is a fault of this computer until it has words of its own.
        other => messages::problem(
            "data_unwritable",
            &[("reason", other.to_string().as_str()), ("place", "Easel's data folder")],
        ),
    }
}

/// Why one transfer failed.
pub(crate) fn of_failure(failure: &Failure, name: &str) -> Problem {
    let named = ("name", name);
    let mut problem = match &failure.cause {
        Cause::Vanished => messages::problem("file_vanished", &[named]),
        Cause::NotAFile => messages::problem("not_a_file", &[named]),
        Cause::Unreadable { detail } => messages::problem("file_unreadable", &[named, ("reason", detail.as_str())]),
        Cause::TooLarge { size_bytes, max_file_bytes, is_plan_limit } => {
            of_too_large(name, Some(*size_bytes), *max_file_bytes, *is_plan_limit)
        }
        Cause::KeepsChanging => messages::problem("file_keeps_changing", &[named]),
        Cause::FolderGone => messages::problem("folder_gone", &[named]),
        Cause::FolderRefused { name: folder, .. } => {
            messages::problem("folder_refused", &[named, ("folder", folder.as_str())])
        }
        Cause::Refused { error_code, .. } if error_code == "id_without_prefix" => {
            messages::problem("id_without_prefix", &[])
        }
        Cause::Refused { error_code, message, .. } => of_refusal(&[message, error_code], name),
        Cause::SizeNotTaken { message } => of_size(name, message),
        Cause::MediaTypeNotTaken { mime_type, message } => of_media_type(name, mime_type, message),
        Cause::NameNotAllowed { message } => of_name(name, message),
        Cause::Changed => messages::problem("file_changed", &[named]),
        Cause::Corrupt => messages::problem("download_damaged", &[named]),
        Cause::Waits { waiting } => of_waiting(waiting, ""),
        Cause::NotEncrypted { host } => messages::problem("file_not_encrypted", &[named, ("host", host.as_str())]),
        Cause::ServiceFailed { .. } => messages::problem("service_failed_on_file", &[named]),
        Cause::ConnectionBroken => messages::problem("file_cut_off", &[named]),
        _ => messages::problem("failed_before", &[named]),
    };
    problem.request_id.clone_from(&failure.request_id);
    problem
}

/// What a whole queue waits for.
pub(crate) fn of_waiting(waiting: &Waiting, host: &str) -> Problem {
    let host = if host.is_empty() { "The service" } else { host };
    match waiting {
        Waiting::Offline => messages::problem("waiting_offline", &[]),
        Waiting::NotTrusted => messages::problem("waiting_not_trusted", &[]),
        Waiting::KeyRefused => messages::problem("waiting_key_refused", &[]),
        Waiting::NotPermitted => messages::problem("waiting_not_permitted", &[]),
        Waiting::StorageFull => messages::problem("storage_full", &[]),
        Waiting::DiskFull => messages::problem("waiting_disk_full", &[]),
        Waiting::JournalUnusable { detail } => {
            messages::problem("waiting_journal_unusable", &[("reason", detail.as_str())])
        }
        Waiting::SetupFailed { reason } => messages::problem("waiting_setup_failed", &[("reason", reason.as_str())]),
        Waiting::Metered => messages::problem("waiting_metered", &[]),
        Waiting::RateLimited => messages::problem("rate_limited", &[]),
        Waiting::ServiceFailing { .. } => messages::problem("upstream_error", &[]),
        Waiting::NotTheService => messages::problem("waiting_not_the_service", &[("host", host)]),
        Waiting::AnswersContradict => messages::problem("waiting_answers_contradict", &[]),
        Waiting::RedirectRefused { to_host } => messages::problem("redirect_refused", &[("host", to_host.as_str())]),
        Waiting::PartUnreadable { path } => messages::problem("waiting_part_unreadable", &[("path", path.as_str())]),
        _ => messages::problem("waiting_offline", &[]),
    }
}

fn shown(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Why something that was dropped is not taken.
pub(crate) fn of_skip(reason: &SkipReason) -> &'static str {
    messages::skip_reason(match reason {
        SkipReason::Vanished => "vanished",
        SkipReason::SymbolicLink => "symbolic_link",
        SkipReason::Socket | SkipReason::Fifo | SkipReason::Device => "socket",
        SkipReason::FolderLoop => "folder_loop",
        SkipReason::NameNotPossible => "name_not_possible",
        _ => "unreadable",
    })
}

/// An error of the built-in studio.
pub(crate) fn of_local(error: &LocalServiceError) -> Problem {
    match error {
        LocalServiceError::NotStarted { reason } | LocalServiceError::Data { reason } => {
            messages::problem("local_studio_failed", &[("reason", reason.as_str())])
        }
        LocalServiceError::UnknownKey => messages::problem("api_key_not_found", &[]),
        LocalServiceError::InvalidName => messages::problem("key_name_not_usable", &[]),
        LocalServiceError::WriterNotReached { reason } => {
            messages::problem("writer_not_reached", &[("reason", reason.as_str())])
        }
    }
}

/// Easel's own folder cannot be opened at the start.
pub(crate) fn of_start(error: &io::Error, place: &Path) -> Problem {
    if is_disk_full(error) {
        return messages::problem("disk_full", &[]);
    }
    let place = place.display().to_string();
    messages::problem("data_unreadable", &[("reason", io_reason(error).as_str()), ("place", place.as_str())])
}

/// Easel's own files cannot be written.
pub(crate) fn of_data(error: &io::Error, place: &Path) -> Problem {
    if is_disk_full(error) {
        return messages::problem("disk_full", &[]);
    }
    let place = place.display().to_string();
    messages::problem("data_unwritable", &[("reason", io_reason(error).as_str()), ("place", place.as_str())])
}

pub(crate) fn is_disk_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// What the system said, without its number.
pub(crate) fn io_reason(error: &io::Error) -> String {
    let said = error.to_string();
    said.split(" (os error").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::KeyStoreError;
    use crate::problem::ActionKind;
    use easel_sync::folders::{Need, Why};
    use easel_wire::error::code;
    use easel_wire::{ErrorType, IdError, Scope};
    use serde_json::json;

    fn api(error_type: &ErrorType, code: &str, details: &serde_json::Value) -> ClientError {
        let body = json!({
            "type": error_type, "code": code, "message": "internal words", "request_id": "req_1", "details": details,
        });
        ClientError::Api {
            status: 418,
            error: Box::new(serde_json::from_value(body).unwrap()),
            retry_after: None,
            scope: None,
        }
    }

    /// Words that a person can read: an entry of the catalogue, nothing left unfilled, a button.
    fn check(problem: &Problem) {
        let Problem { title, detail, .. } = problem;
        assert!(!title.is_empty() && !detail.is_empty() && !problem.action.label.is_empty(), "{problem:?}");
        let text = format!("{title} {detail}");
        assert!(!text.contains('{') && !text.contains('}'), "{problem:?}");
        assert!(!text.contains("  ") && !text.contains(" .") && !text.contains("“”"), "{problem:?}");
        assert!(!text.contains("internal words"), "a message of the service is no word of ours: {problem:?}");
    }

    #[test]
    fn every_error_of_the_client_has_words_and_a_button() {
        let io = || io::Error::from_raw_os_error(13);
        let reason = || "the certificate has expired".to_owned();
        let errors = [
            ClientError::InvalidAddress { problem: AddressProblem::NotAUrl },
            ClientError::InvalidAddress { problem: AddressProblem::Scheme },
            ClientError::InvalidAddress { problem: AddressProblem::Credentials },
            ClientError::InvalidAddress { problem: AddressProblem::Query },
            ClientError::InvalidKey,
            ClientError::InvalidVersionHeader { name: "a b".to_owned() },
            ClientError::PlainHttpRefused { host: "example.com".to_owned() },
            ClientError::Setup { reason: reason() },
            ClientError::Unreachable { reason: reason() },
            ClientError::Tls { reason: reason() },
            ClientError::ConnectionBroken { reason: reason() },
            ClientError::TimedOut,
            ClientError::RedirectRefused { to_host: String::new() },
            ClientError::NotTheService { status: 200, found: UnexpectedBody::Html },
            ClientError::NotTheService { status: 200, found: UnexpectedBody::NotJson },
            ClientError::NotTheService { status: 200, found: UnexpectedBody::OtherShape },
            ClientError::NotTheService { status: 200, found: UnexpectedBody::Endless },
            ClientError::NotTheService { status: 200, found: UnexpectedBody::UnusableUrl },
            ClientError::RouteMissing,
            ClientError::TooLargeForGateway,
            ClientError::Storage { status: 403, code: Some("SignatureDoesNotMatch".to_owned()) },
            ClientError::Storage { status: 500, code: None },
            ClientError::UrlExpired,
            ClientError::FileTooLarge { size_bytes: 2, max_file_bytes: 1, is_plan_limit: false },
            ClientError::SourceChanged,
            ClientError::SourceUnreadable { io: io() },
            ClientError::SourceUnreadable { io: io::ErrorKind::NotFound.into() },
            ClientError::SourceNotAFile,
            ClientError::DestinationUnwritable { io: io() },
            ClientError::DestinationUnwritable { io: io::ErrorKind::StorageFull.into() },
            ClientError::ContentMismatch,
            ClientError::AnswerLost { cause: Box::new(ClientError::TimedOut) },
            ClientError::OtherVersion,
            ClientError::MediaTypeRefused { mime_type: "image/tiff".to_owned(), message: "Only PNG.".to_owned() },
            ClientError::MediaTypeRefused { mime_type: "image/tiff".to_owned(), message: String::new() },
            ClientError::Id(IdError::NoPrefix { expected: "folder" }),
            ClientError::Id(IdError::NotAnId { expected: "folder" }),
            ClientError::Contradiction { what: "a list goes round" },
        ];
        for error in errors {
            for about in [
                About { host: "studio.example.com", name: "deck.pptx", feature: Some(Feature::Remix) },
                About::default(),
            ] {
                let problem = of_client(&error, about);
                check(&problem);
                assert!(messages::entry(&problem.code).is_some(), "{problem:?}");
            }
        }
    }

    #[test]
    fn a_scope_that_is_missing_is_named_with_what_it_is_for() {
        let says = |details: &serde_json::Value, scope: Option<Scope>, expected: &[&str]| {
            let mut error = api(&ErrorType::Permission, code::MISSING_SCOPE, details);
            if let ClientError::Api { status, scope: asked, .. } = &mut error {
                (*status, *asked) = (403, scope);
            }
            let problem = of_client(&error, About::default());
            assert_eq!((problem.code.as_str(), problem.action.kind), (code::MISSING_SCOPE, ActionKind::EnterKey));
            check(&problem);
            let said = expected.iter().all(|said| problem.detail.contains(said));
            assert!(said && problem.detail.contains("Settings, Developer, REST API"), "{problem:?}");
        };
        says(&json!({"required": ["webhooks:read"]}), None, &["webhooks:read", "seeing webhook deliveries"]);
        says(&json!({"required": "moon:walk"}), None, &["moon:walk"]);
        says(&json!(null), Some(Scope::TasksCancel), &["tasks:cancel", "canceling tasks"]);
        says(&json!(null), None, &["does not name"]);
    }

    #[test]
    fn a_refusal_that_this_easel_has_no_words_for_is_said_in_the_services_own() {
        let body = |message: &str| json!({"type": "payment_required", "code": "insufficient_credits", "message": message, "request_id": null});
        let check = |status: u16, message: &str, detail: &str| {
            let error = Box::new(serde_json::from_value(body(message)).unwrap());
            let problem =
                of_client(&ClientError::Api { status, error, retry_after: None, scope: None }, About::default());
            assert_eq!(problem.code, "insufficient_credits");
            assert!(problem.detail.contains(detail), "{problem:?}");
        };
        check(402, "You have 3 credits left.", "In its own words: You have 3 credits left.");
        check(402, "", "its side");
        check(500, "Traceback", "its side");
    }

    #[test]
    fn every_code_of_the_service_has_words_and_a_button() {
        for code in code::ALL {
            for details in
                [json!(null), json!({"fields": [{"field": "name", "code": "too_long"}], "required": ["a:b"]})]
            {
                let problem = of_client(&api(&ErrorType::Unprocessable, code, &details), About::host("example.com"));
                check(&problem);
                assert_eq!((problem.code.as_str(), problem.request_id.as_deref()), (*code, Some("req_1")));
            }
        }
    }

    #[test]
    fn an_unknown_code_is_worded_by_its_type() {
        for error_type in ErrorType::KNOWN {
            let problem = of_client(&api(error_type, "brand_new", &json!(null)), About::default());
            check(&problem);
            assert_eq!(problem.code, "brand_new");
            let expected = messages::entry(messages::code_of_type(error_type)).unwrap().title;
            assert_eq!(problem.title, expected.replace("{host}", "The service"));
        }
    }

    #[test]
    fn the_plan_is_spoken_of_only_where_it_is_the_limit() {
        let speaks = |error: &ClientError| of_client(error, About::default()).detail.contains("larger plan");
        let own = |is_plan_limit| ClientError::FileTooLarge { size_bytes: 2, max_file_bytes: 1, is_plan_limit };
        assert!(speaks(&own(true)) && !speaks(&own(false)));
        let theirs = |is_plan_limit: bool| {
            let details = json!({"max_file_bytes": 50_000_000, "is_plan_limit": is_plan_limit});
            api(&ErrorType::Unprocessable, code::FILE_TOO_LARGE, &details)
        };
        assert!(speaks(&theirs(true)) && !speaks(&theirs(false)));
    }

    #[test]
    fn a_taken_name_names_the_item_that_has_it() {
        let details = json!({"existing_id": "fld_00000000000000000000000000"});
        let problem = of_client(&api(&ErrorType::Conflict, code::FOLDER_NAME_CONFLICT, &details), About::default());
        assert_eq!(problem.action.target.as_deref(), Some("fld_00000000000000000000000000"));
    }

    #[test]
    fn every_error_of_the_queue_has_words_and_a_button() {
        let detail = || "permission denied".to_owned();
        for error in [
            SyncError::JournalInUse,
            SyncError::DiskFull,
            SyncError::JournalDamaged { detail: detail() },
            SyncError::JournalTooNew,
            SyncError::JournalUnavailable { detail: detail() },
            SyncError::UnknownTransfer(easel_sync::TransferId(1)),
            SyncError::Stopped,
            SyncError::UnknownFolder(easel_sync::folders::WatchId(1)),
            SyncError::NotAFolder { path: "/a/b".into() },
            SyncError::InsideAnother { path: "/a/b".into() },
            SyncError::AnotherFolder { path: "/a/b".into() },
            SyncError::HeldElsewhere { holder: "easel-sync".to_owned() },
            SyncError::DriveFolderTaken { path: "/a/b".into() },
            SyncError::DriveFolderGone,
            SyncError::PatternRefused { line: 3, detail: "The bracket is not closed.".to_owned() },
            SyncError::Service(Box::new(ClientError::TimedOut)),
        ] {
            check(&of_sync(&error));
        }
        for need in [
            Need::FolderMissing,
            Need::FolderEmpty,
            Need::DriveFolderEmpty,
            Need::DriveFolderGone,
            Need::DriveWentBack { count: 12 },
            Need::ManyDeletionsThere { count: 61 },
            Need::ManyDeletionsHere { count: 1 },
            Need::HeldElsewhere { holder: "easel-sync".to_owned() },
            Need::FolderUnreadable,
        ] {
            check(&of_need(&need, "Brand").problem);
        }
        for why in [
            Why::Settling,
            Why::TooLarge,
            Why::NameNotAllowed,
            Why::Clash { with: "A.txt".to_owned() },
            Why::SymbolicLink,
            Why::NotAFile,
            Why::Unreadable,
            Why::Link,
            Why::ContentMissing,
            Why::OnlyInDrive,
            Why::OnlyHere,
            Why::NewerInDrive,
            Why::LeftOut,
            Why::TrashHere,
            Why::MovedInDrive,
            Why::NameTaken,
            Why::FolderMissing,
            Why::Unresolved,
            Why::Failed { cause: Cause::MediaTypeNotTaken { mime_type: "image/tiff".to_owned(), message: detail() } },
        ] {
            let said = of_difference(&why);
            assert!(said.ends_with('.') && !said.contains('{') && !said.contains("newer Easel"), "{why:?}: {said}");
        }
        let refused = |error_code: &str, message: &str| Cause::Refused {
            status: 422,
            error_code: error_code.to_owned(),
            message: message.to_owned(),
        };
        for cause in [
            Cause::Vanished,
            Cause::NotAFile,
            Cause::Unreadable { detail: detail() },
            Cause::TooLarge { size_bytes: 3, max_file_bytes: 2, is_plan_limit: true },
            Cause::KeepsChanging,
            Cause::FolderGone,
            Cause::FolderRefused { name: "Brand".to_owned(), error_code: "validation_failed".to_owned() },
            refused("validation_failed", ""),
            refused("id_without_prefix", "no prefix"),
            Cause::SizeNotTaken { message: detail() },
            Cause::SizeNotTaken { message: String::new() },
            Cause::MediaTypeNotTaken { mime_type: "image/tiff".to_owned(), message: detail() },
            Cause::MediaTypeNotTaken { mime_type: "image/tiff".to_owned(), message: String::new() },
            Cause::NameNotAllowed { message: detail() },
            Cause::NameNotAllowed { message: String::new() },
            Cause::Changed,
            Cause::Corrupt,
            Cause::Waits { waiting: Waiting::StorageFull },
            Cause::NotEncrypted { host: "storage.example.com".to_owned() },
            Cause::ServiceFailed { status: 500 },
            Cause::ConnectionBroken,
            Cause::Unknown,
        ] {
            let failure = Failure { cause, request_id: Some("req_2".to_owned()) };
            let problem = of_failure(&failure, "deck.pptx");
            check(&problem);
            assert_eq!(problem.request_id.as_deref(), Some("req_2"));
        }
        for waiting in [
            Waiting::Offline,
            Waiting::NotTrusted,
            Waiting::KeyRefused,
            Waiting::NotPermitted,
            Waiting::StorageFull,
            Waiting::DiskFull,
            Waiting::JournalUnusable { detail: detail() },
            Waiting::SetupFailed { reason: detail() },
            Waiting::Metered,
            Waiting::RateLimited,
            Waiting::ServiceFailing { status: 502 },
            Waiting::NotTheService,
            Waiting::AnswersContradict,
            Waiting::RedirectRefused { to_host: "example.org".to_owned() },
            Waiting::PartUnreadable { path: detail() },
        ] {
            check(&of_waiting(&waiting, "example.com"));
        }
    }

    #[test]
    fn every_other_cause_has_words_and_a_button() {
        let reason = || "no".to_owned();
        for error in [KeyStoreError::Absent, KeyStoreError::Locked, KeyStoreError::Refused { reason: reason() }] {
            check(&of_key_not_kept(&error));
            check(&of_key_not_given(&error));
        }
        for error in [
            LocalServiceError::NotStarted { reason: "It did not start.".to_owned() },
            LocalServiceError::UnknownKey,
            LocalServiceError::InvalidName,
            LocalServiceError::Data { reason: "It is damaged.".to_owned() },
            LocalServiceError::WriterNotReached { reason: "is away".to_owned() },
        ] {
            check(&of_local(&error));
        }
        check(&of_data(&io::Error::from_raw_os_error(13), Path::new("/data")));
        check(&of_start(&io::Error::from_raw_os_error(13), Path::new("/data")));
        assert_eq!(of_data(&io::ErrorKind::StorageFull.into(), Path::new("/data")).code, "disk_full");
        assert_eq!(io_reason(&io::Error::from_raw_os_error(13)), "Permission denied");
        for reason in [
            SkipReason::Vanished,
            SkipReason::SymbolicLink,
            SkipReason::Socket,
            SkipReason::Fifo,
            SkipReason::Device,
            SkipReason::FolderLoop,
            SkipReason::Unreadable { detail: String::new() },
            SkipReason::NameNotPossible,
        ] {
            assert!(of_skip(&reason).ends_with('.'));
        }
    }
}
