//! Which error is worded how: every error of the crates below, by its cause, as a [`Problem`].
//!
//! Always true: an error of the service is judged by its code, then its type; every variant is named here, so that a
//! new one does not compile without words. Not here: the words themselves ([`crate::messages`]).

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
use crate::ports::{LocalServiceError, StudioFault};
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

/// The code of the reason why a dropped item is skipped.
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
        LocalServiceError::NotStarted(fault) => of_studio(fault),
        LocalServiceError::Data { reason } => {
            messages::problem("local_studio_data_unusable", &[("reason", reason.as_str())])
        }
        LocalServiceError::UnknownKey => messages::problem("api_key_not_found", &[]),
        LocalServiceError::InvalidName => messages::problem("key_name_not_usable", &[]),
        LocalServiceError::WriterNotReached { reason } => {
            messages::problem("writer_not_reached", &[("reason", reason.as_str())])
        }
    }
}

/// The built-in studio does not run.
fn of_studio(fault: &StudioFault) -> Problem {
    match fault {
        StudioFault::TooSlow => messages::problem("local_studio_slow", &[]),
        StudioFault::InUse => messages::problem("local_studio_in_use", &[]),
        StudioFault::Ended => messages::problem("local_studio_ended", &[]),
        StudioFault::System { said } => messages::problem("local_studio_not_started", &[("reason", said.as_str())]),
        StudioFault::GaveUp { words } => {
            messages::problem("local_studio_failed", &[("reason", words.trim_end_matches('.'))])
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
mod tests;
