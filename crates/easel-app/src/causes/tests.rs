//! The words for each error, and the button beside them.

use super::*;
use crate::ports::{KeyStoreError, StudioFault};
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

/// Checks that a problem can be shown: it is in the catalogue, no value is missing, and it has a button.
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
        for about in
            [About { host: "studio.example.com", name: "deck.pptx", feature: Some(Feature::Remix) }, About::default()]
        {
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
        let problem = of_client(&ClientError::Api { status, error, retry_after: None, scope: None }, About::default());
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
        for details in [json!(null), json!({"fields": [{"field": "name", "code": "too_long"}], "required": ["a:b"]})] {
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
#[expect(clippy::too_many_lines, reason = "a table")]
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
        LocalServiceError::NotStarted(StudioFault::TooSlow),
        LocalServiceError::NotStarted(StudioFault::InUse),
        LocalServiceError::NotStarted(StudioFault::Ended),
        LocalServiceError::NotStarted(StudioFault::System { said: "permission denied".to_owned() }),
        LocalServiceError::NotStarted(StudioFault::GaveUp { words: "the disk is full".to_owned() }),
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
