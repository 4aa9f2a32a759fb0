//! The words of every error: one catalogue, one entry a cause, one button each.
//!
//! Always true: an entry says what happened and what to do in a person's terms; a status code never stands alone;
//! values stand in braces and are filled in whole (`{name}`), so that a sentence is never glued from pieces. Codes of
//! the service keep their names; the app's own stand beside them. Not here: which error has which code
//! ([`crate::causes`]), and every other word of the window (the page's own catalogue).

use easel_wire::ErrorType;
use easel_wire::tasks::TaskStatus;

use crate::problem::{Action, ActionKind, Problem};

/// One entry of the catalogue.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) code: &'static str,
    pub(crate) action: ActionKind,
    pub(crate) title: &'static str,
    pub(crate) detail: &'static str,
}

macro_rules! catalogue {
    ($($code:literal $action:ident $title:literal $detail:literal)+) => {
        /// Every entry, by code.
        pub(crate) const CATALOGUE: &[Entry] = &[
            $(Entry { code: $code, action: ActionKind::$action, title: $title, detail: $detail }),+
        ];
    };
}

catalogue! {
    // What keeps a connection from working.
    "address_not_a_url" EditAddress "This is no address"
        "Write it as it stands in a browser, such as https://studio.example.com."
    "address_scheme" EditAddress "This kind of address does not work here"
        "Easel speaks to addresses that begin with https:// (or http:// on this computer)."
    "address_credentials" EditAddress "The address holds a name or a password"
        "Take out what stands before the @ sign. The key goes into its own field."
    "address_query" EditAddress "The address holds more than an address"
        "Take out everything from the ? or # sign on."
    "key_not_usable" EnterKey "This is no key"
        "A key is one word of letters, digits and underscores, such as svc_live_…. Copy it again, whole."
    "version_header_not_usable" EditVersionHeader "The header name cannot be used"
        "“{name}” is no header name, or one that already means something else. Most services use Service-Version."
    "plain_http_refused" ConfirmPlainHttp "{host} would be spoken to without encryption"
        "Anyone on the way could read the key and the files. Use the address with https://, or go on only if you trust this network."
    "connection_setup_failed" TryAgain "This computer could not prepare the request"
        "Nothing was sent. What it stumbled over: {reason}. Try again; if it stays, close Easel and open it again."
    "unreachable" TryAgain "{host} cannot be reached"
        "Nothing answers there. Check the address and whether this computer is online. Easel tries again by itself once connected."
    "connection_broken" TryAgain "The connection to {host} broke"
        "It was cut while something was on the way. Easel looks at what arrived before it sends anything again."
    "timed_out" TryAgain "{host} does not answer"
        "It was reached, but nothing came back in time. It may be busy; try again in a moment."
    "tls_failed" EditAddress "{host} could not prove who it is"
        "Its certificate is not trusted on this computer, or the address does not speak https: {reason}. No key was sent."
    "redirect_refused" EditAddress "This address points on to {host}"
        "Easel does not carry the key to another host. If {host} is right, enter it as the address."
    "not_the_service" EditAddress "There is no design service at {host}"
        "Something answers there, but with {found}. Check the address; it may need a path or another port."
    "route_missing" Dismiss "This service cannot do that"
        "It does not have this function. Everything else goes on working."
    "unsupported_version" EditVersionHeader "This service speaks another version"
        "It does not know the version that Easel asks for. A newer Easel may help; if the service uses a header name of its own, enter that."
    "authentication" EnterKey "The key is not accepted"
        "It is wrong, or it was deleted in Settings, Developer, REST API. Enter another one."
    "missing_scope" EnterKey "This key may not do that"
        "It lacks the permission that this needs{required}. Use a key that has it."
    "permission" Dismiss "You may not do that"
        "The service does not allow it for this key. Ask an owner of the team."

    // Where the key is kept.
    "key_store_absent" KeepForSession "This computer has no keychain running"
        "Easel keeps keys in the system's keychain and nowhere else. Start one (such as GNOME Keyring or KWallet), or keep the key only until Easel closes."
    "key_store_locked" KeepForSession "The keychain is locked"
        "Unlock it (the system may be asking for its password right now) and try again, or keep the key only until Easel closes."
    "key_store_refused" KeepForSession "The keychain refused"
        "It answered: {reason}. Allow Easel to use it and try again, or keep the key only until Easel closes."
    "key_locked_away" Refresh "The keychain is locked"
        "The key of this connection is in there. Unlock the keychain, then look again."
    "key_out_of_reach" Refresh "The keychain is not running"
        "The key of this connection is in there. Start the keychain, then look again."
    "key_withheld" Refresh "The keychain does not give the key"
        "It answered: {reason}. Allow Easel to read it, then look again."
    "key_missing" EnterKey "The key of this connection is not on this computer"
        "It was kept only until Easel closed, or it was taken out of the keychain. Enter it again."

    // The built-in studio.
    "local_studio_failed" StartLocalStudio "The studio on this computer does not start"
        "{reason}"
    "local_studio_stopped" StartLocalStudio "The studio on this computer stopped"
        "Easel starts it again by itself. Nothing that was in the drive is lost."
    "local_studio_missing" OpenConnections "No studio runs on this computer"
        "API keys can be made here for the built-in studio only. A service's own keys are made in that service, under Settings, Developer, REST API."
    "key_name_not_usable" EditName "This name cannot be used"
        "A key's name has 1 to 255 characters."
    "api_key_not_found" Refresh "This key is gone"
        "It was deleted before. Look again to see the keys that there are."

    // Requests that the service refuses.
    "invalid_request" TryAgain "The service did not understand the request"
        "Trying again may help. If it does not, the service may be newer than this Easel."
    "validation_failed" EditName "The service does not take this"
        "It refuses what was entered{fields}. Change it and try again."
    "rate_limited" TryAgain "The service takes no more requests for a moment"
        "Something else uses the same key. Easel slows down and goes on by itself."
    "export_rate_limited" TryAgain "Too many exports in a minute"
        "The service takes a limited number a minute. Easel goes on by itself."
    "concurrent_task_limit" TryAgain "Enough designs are being made at once"
        "The workspace makes only so many at the same time. Wait until one is finished, then try again."
    "canvas_active_job" TryAgain "This design is being worked on"
        "Wait until its task is finished, then try again."
    "idempotency_conflict" TryAgain "The same request was sent before with other content"
        "Nothing was done twice. Try again to send it as a new one."
    "file_too_large" ChooseAgain "{name} is too large"
        "This file is {size}. Your workspace takes files up to {limit}."
    "file_too_large_for_plan" ChooseAgain "{name} is too large"
        "This file is {size}. Your workspace takes files up to {limit}. A larger plan raises this."
    "file_too_large_unmeasured" ChooseAgain "{name} is too large"
        "This service takes no files of this size."
    "file_not_found" Refresh "{name} is no longer in the drive"
        "Someone deleted it, or it is private. Look again to see what is there."
    "canvas_not_found" Refresh "This design is no longer there"
        "Someone deleted it, or it is private. Look again to see what is there."
    "task_not_found" Refresh "This task is no longer known"
        "Look again to see the tasks that there are."
    "folder_not_found" Refresh "{folder} is no longer in the drive"
        "Someone deleted it, or it is private. Look again to see what is there."
    "brand_kit_not_found" Refresh "This brand kit is no longer there"
        "Look again to see the kits that there are."
    "delivery_not_found" Refresh "This delivery is no longer kept"
        "Deliveries are kept for 90 days. Look again to see what is there."
    "upload_not_found" TryAgain "The service no longer has what was sent"
        "Its waiting area was cleared. Try again to send the file anew."
    "folder_name_conflict" EditName "There is a folder of that name already"
        "Names are compared without regard to capital letters. Choose another one."
    "file_name_conflict" EditName "There is a file of that name already"
        "Names are compared without regard to capital letters. Choose another one."
    "canvas_name_conflict" EditName "There is a design of that name already"
        "Names are compared without regard to capital letters. Choose another one."
    "folder_circular_reference" ChooseAgain "{folder} cannot go into itself"
        "The folder that you chose lies inside the one that you are moving. Choose another place."
    "folder_not_empty" Refresh "{folder} is not empty"
        "Someone put something in it meanwhile. Look again before you delete it."
    "replay_not_permitted" Dismiss "You may not send this delivery again"
        "Only the person who made the key that sent it, an admin or an owner may."
    "callback_url_not_allowed" EditAddress "The service does not send to this address"
        "Callbacks go to public https addresses only."
    "storage_full" TryAgain "The service has no room left"
        "It cannot store more files until someone frees space there. Easel goes on by itself when there is room."
    "not_found" Refresh "This is no longer there"
        "Look again to see what is there now."
    "internal_error" TryAgain "The service failed"
        "The fault is on its side. Try again in a moment; if it stays, tell whoever runs it, with the request number below."
    "conflict" Refresh "Someone else changed this meanwhile"
        "Look again, then decide anew."
    "unprocessable" ChooseAgain "The service does not take this"
        "It understood the request and refuses it. Choose something else, or ask whoever runs the service."
    "upstream_error" TryAgain "The service is not available at the moment"
        "It answers, but cannot work right now. Easel tries again by itself."

    // Designs.
    "task_failed" TryAgain "It did not work this time"
        "{reason}. Trying again can help."
    "task_failed_for_good" Dismiss "This cannot be made"
        "{reason}. Trying the same again will not help; change what was asked for."
    "task_expired" TryAgain "It waited too long"
        "The service did not come to it in time. Try again to ask for it anew."
    "task_not_repeatable" Dismiss "This cannot be tried again from here"
        "The service does not say what it was given. Ask for it anew."
    "too_much_begun" Refresh "Too much has been begun at once"
        "Wait until some of it is finished, then try again."
    "prompt_not_usable" EditName "This cannot be made from these words"
        "Say in 1 to 20,000 characters what to make."
    "page_count_not_usable" EditName "This is no number of pages"
        "A design has 1 to 60 pages."
    "attachment_unknown" ChooseAgain "A file is no longer there"
        "Take it off and choose it again."
    "remix_unsettled" TryAgain "Whether the copy was made is not known"
        "The connection broke at the last moment. Try again: Easel looks for it first, so that there is only one."
    "export_failed" TryAgain "{name} could not be exported"
        "{reason}."
    "export_unknown" Refresh "This export is no longer on the list"
        "Look again to see the exports that there are."

    // Sending and fetching files.
    "too_large_for_gateway" TryAgain "{name} was too large for one piece"
        "The service's entrance turned it away. Try again: it then goes the way for large files."
    "storage_refused" TryAgain "The service's storage refused the file"
        "It answered: {reason}. Try again to ask for a new place there."
    "url_expired" TryAgain "The permission to send ran out"
        "It took longer than the service allows. Try again to get a new one."
    "file_changed" TryAgain "{name} changed while it was sent"
        "Nothing of it was put in the drive. Try again when the program that writes it is done."
    "file_keeps_changing" TryAgain "{name} keeps changing"
        "A program writes it again and again. Nothing of it was put in the drive. Try again when that program is done."
    "file_vanished" Remove "{name} is no longer there"
        "It was moved or deleted on this computer before it was sent."
    "file_unreadable" TryAgain "{name} cannot be read"
        "The system answered: {reason}. Allow reading it, then try again."
    "not_a_file" Remove "{name} is not a file"
        "Pipes, sockets and devices cannot be put in the drive."
    "folder_gone" Remove "The folder for {name} is gone"
        "It was deleted in the drive before the file was sent. Drop the file again, where it should go."
    "folder_refused" TryAgain "The folder {folder} could not be made"
        "The service refused it, so {name} has nowhere to go. Rename the folder on this computer and drop it again, or try again."
    "file_refused" Remove "The service does not take {name}"
        "It refuses this file: {reason}."
    "file_not_encrypted" TryAgain "{name} was not sent without encryption"
        "The service wants it sent to {host} in a way that anyone between here and there can read. Whoever runs the service can change that; then try again."
    "service_failed_on_file" TryAgain "The service failed on {name}"
        "The fault is on its side, and other files may get through. Try again in a moment."
    "file_cut_off" TryAgain "{name} did not get through"
        "The connection broke again and again on this file. Try again on a steadier connection."
    "failed_before" TryAgain "{name} was not sent"
        "Another version of Easel wrote down why. Try again to find out."
    "answer_lost" TryAgain "Whether {name} arrived is not known"
        "The connection broke at the last moment. Try again: Easel looks in the drive first, so that nothing is sent twice."
    "download_damaged" TryAgain "{name} arrived damaged"
        "The bytes are not those of the file in the drive, so nothing was kept. Try again."
    "destination_unwritable" ChooseAgain "{name} cannot be written there"
        "The system answered: {reason}. Choose another place."
    "download_unknown" Dismiss "This download is no longer known"
        "It was made before Easel started, or it was moved. Look for it in your Downloads folder."

    // What the whole queue waits for.
    "waiting_offline" Refresh "Waiting for the connection"
        "The service cannot be reached. Sending goes on by itself when it can."
    "waiting_not_trusted" EditAddress "Waiting: the service could not prove who it is"
        "Its certificate is not trusted on this computer. Nothing is sent until it is."
    "waiting_key_refused" EnterKey "Waiting for a key that works"
        "The key is no longer accepted. Enter another one; sending goes on by itself then."
    "waiting_not_permitted" EnterKey "Waiting: this key may not upload"
        "Use a key with the permission uploads:write; sending goes on by itself then."
    "waiting_disk_full" TryAgain "Waiting for room on this computer"
        "The disk is full, so Easel cannot note what it sends. Free some space; sending goes on by itself."
    "waiting_journal_unusable" TryAgain "Waiting: Easel cannot use its list of transfers"
        "The system answered: {reason}. Nothing is sent before it is noted there. Sending goes on by itself when it can."
    "waiting_setup_failed" TryAgain "Waiting: this computer cannot prepare requests"
        "What it stumbled over: {reason}. Sending goes on by itself when it can."
    "waiting_metered" Refresh "Waiting for a network that is not metered"
        "This one counts what is sent, and Settings, Transfers says to wait then. Sending goes on by itself on another one."
    "waiting_not_the_service" EditAddress "Waiting: what answers is not the service as Easel knows it"
        "A sign-in page of the network may stand in its place, or the service speaks another version now. Sending goes on by itself when it is back."

    // Synced folders.
    "synced_folder_unknown" Refresh "This folder is no longer kept in step"
        "It was removed. Look again to see the folders that there are."
    "sync_source_unknown" ChooseAgain "This folder has to be chosen again"
        "Easel was closed since it was chosen. Nothing was changed."
    "sync_one_folder" ChooseAgain "One folder at a time"
        "Drop a single folder to keep it in step. Files and several folders at once can be put in the drive instead."
    "sync_not_a_folder" ChooseAgain "{path} is not a folder"
        "Only a folder can be kept in step. Choose one, or put the file in the drive instead."
    "sync_folder_unreadable" ChooseAgain "{path} cannot be read"
        "The system does not let Easel look into it. Allow reading it, or choose another folder."
    "sync_inside_another" ChooseAgain "{path} is kept in step already"
        "A folder can be kept in step once only, not again through a folder in it or around it. Choose another one."
    "sync_held_elsewhere" TryAgain "Another program keeps this folder in step"
        "It calls itself {holder}. Stop it there, then try again."
    "sync_drive_folder_taken" ChooseAgain "This drive folder has its folder already"
        "It is kept in step with {path}, itself or through a folder in it or around it. Choose another one in the drive."
    "sync_drive_folder_gone" ChooseAgain "The drive folder is no longer there"
        "Someone deleted it, or it is private. Choose another one."
    "sync_pattern_refused" EditName "Line {line} is no pattern"
        "{reason}. Change the line, or take it out."
    "need_folder_missing" Refresh "{name} cannot be found"
        "Nothing was deleted in the drive. Connect the disk that it is on, or put the folder back where it was; Easel goes on by itself."
    "need_folder_empty" Refresh "{name} is suddenly empty"
        "Nothing was deleted in the drive. If a disk is missing, connect it and look again. If you emptied the folder, say so."
    "need_drive_folder_empty" Refresh "The drive folder of {name} is suddenly empty"
        "Nothing was deleted on this computer. If someone emptied it on purpose, say so; else find out first, then look again."
    "need_drive_folder_gone" Refresh "The drive folder of {name} is gone"
        "Someone deleted it. Nothing was deleted on this computer. Remove the folder here and add it again to send it anew."
    "need_many_deletions_there" Refresh "{count} would be deleted in the drive"
        "They are no longer in {name} on this computer. Nothing is deleted before you say so."
    "need_many_deletions_here" Refresh "{count} would be deleted on this computer"
        "They are no longer in the drive folder of {name}. They would go to this computer’s trash. Nothing is deleted before you say so."
    "need_held_elsewhere" Refresh "Another program keeps {name} in step"
        "It calls itself {holder}. Stop it there, then look again."
    "need_folder_unreadable" Refresh "{name} cannot be read"
        "The system does not let Easel look into it. Allow reading it, then look again."
    "need_other" Refresh "{name} needs you"
        "A newer Easel wrote down why. Look again to find out."

    // This computer.
    "disk_full" TryAgain "The disk of this computer is full"
        "Free some space, then try again. Nothing was lost."
    "journal_in_use" TryAgain "Another Easel works on this queue"
        "Close the other one, then try again."
    "journal_damaged" Refresh "The list of transfers is damaged"
        "Easel cannot read what it noted about earlier transfers ({reason}). What is in the drive is safe. Look again to begin a new list; drop what was not sent yet once more."
    "journal_too_new" Dismiss "A newer Easel wrote the list of transfers"
        "Update Easel to go on with them. What is in the drive is safe."
    "data_unwritable" TryAgain "Easel cannot write its own files"
        "The system answered: {reason}. Check the permissions and the space of {place}, then try again."
    "data_unreadable" TryAgain "Easel cannot open its own folder"
        "The system answered: {reason}. Allow Easel to read and write {place}, then try again. Nothing in it was touched."
    "transfer_unknown" Refresh "This transfer is no longer on the list"
        "Look again to see the transfers that there are."
    "file_not_openable" Dismiss "No program opens {name}"
        "This computer has none for this kind of file. Download it instead."
    "place_not_shown" Dismiss "The folder cannot be shown"
        "The system answered: {reason}."
    "clipboard_unavailable" TryAgain "The clipboard cannot be read"
        "The system does not give it to Easel at the moment. Use Choose files instead, or try again."
    "closing" Dismiss "Easel is closing"
        "What was begun goes on at the next start."
    "no_connection" OpenConnections "Easel is not connected"
        "Start the studio on this computer, or connect to a service."
    "connection_unknown" OpenConnections "This connection no longer exists"
        "Choose another one under Settings, Connections."
    "connection_not_ready" Refresh "Still connecting"
        "The connection is not ready yet. Look again in a moment."
    "undo_too_late" Refresh "Too late to undo"
        "The deletion has been sent already."
    "item_id_not_usable" Refresh "This item cannot be found"
        "What the window knows about it is out of date. Look again."
    "name_not_usable" EditName "This name cannot be used"
        "A name has 1 to 255 characters, and no line breaks or slashes."
}

impl ActionKind {
    /// What stands on the button.
    const fn label(self) -> &'static str {
        match self {
            Self::TryAgain => "Try again",
            Self::Refresh => "Look again",
            Self::EditAddress => "Change the address",
            Self::EnterKey => "Enter a key",
            Self::EditVersionHeader => "Change the header name",
            Self::ConfirmPlainHttp => "Connect without encryption",
            Self::KeepForSession => "Keep until Easel closes",
            Self::StartLocalStudio => "Start it again",
            Self::OpenConnections => "Open connections",
            Self::EditName => "Choose another name",
            Self::ChooseAgain => "Choose again",
            Self::ShowItem => "Show it",
            Self::Remove => "Remove from the list",
            Self::Dismiss => "OK",
        }
    }

    fn button(self) -> Box<Action> {
        Box::new(Action { kind: self, label: self.label().to_owned(), target: None })
    }
}

/// The entry of a code, if there is one.
pub(crate) fn entry(code: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.code == code)
}

/// The code under which an error is worded whose own code is not in the catalogue.
pub(crate) fn code_of_type(error_type: &ErrorType) -> &'static str {
    match error_type {
        ErrorType::InvalidRequest => "invalid_request",
        ErrorType::Authentication => "authentication",
        ErrorType::Permission => "permission",
        ErrorType::NotFound => "not_found",
        ErrorType::Conflict => "conflict",
        ErrorType::IdempotencyConflict => "idempotency_conflict",
        ErrorType::Unprocessable => "unprocessable",
        ErrorType::RateLimited => "rate_limited",
        ErrorType::UpstreamError => "upstream_error",
        _ => "internal_error",
    }
}

/// The problem of a code, with its values filled in. A code without an entry is worded as a failure of the service.
pub(crate) fn problem(code: &str, values: &[(&str, &str)]) -> Problem {
    let words = entry(code).or_else(|| entry("internal_error"));
    let (action, title, detail) = match words {
        Some(words) => (words.action.button(), fill(words.title, values), fill(words.detail, values)),
        None => (ActionKind::Dismiss.button(), code.to_owned(), String::new()),
    };
    Problem { code: code.to_owned(), title, detail, action, request_id: None }
}

/// Why something that was dropped is not taken, in half a sentence behind its name.
pub(crate) fn skip_reason(code: &str) -> &'static str {
    match code {
        "vanished" => "It is no longer there.",
        "symbolic_link" => "It is a link to another place, and links are not followed.",
        "socket" | "fifo" | "device" => "It is not a file but a way for programs to talk to each other.",
        "folder_loop" => "This folder contains itself.",
        "name_not_possible" => "The drive cannot hold this name.",
        _ => "It cannot be read. Allow reading it, then drop it again.",
    }
}

/// Why a file of a synced folder is not the same on both sides.
pub(crate) fn difference(code: &str, with: &str) -> String {
    let text = match code {
        "settling" => "It is still being written. It goes when it stands still.",
        "too_large" => "It is larger than your workspace takes.",
        "name_not_allowed" => "The other side cannot hold this name.",
        "clash" => "Its name is the same as that of {with}, but for capital letters or accents.",
        "symbolic_link" => "It is a link to another place, and links are not followed.",
        "not_a_file" => "It is not a file but a way for programs to talk to each other.",
        "unreadable" => "It cannot be read. Allow reading it; Easel looks again by itself.",
        "link" => "The drive has the same content as another file, so it was not sent twice.",
        "only_in_drive" => "It was deleted here and kept in the drive.",
        "only_here" => "It was deleted in the drive. It is kept here, and not sent again unless it changes.",
        "moved_in_drive" => "Someone moved it in the drive. It is left where they put it.",
        "name_taken" => "Another file in the drive has this name.",
        "folder_missing" => "The folder that it lies in is not in the drive.",
        "unresolved" => "It did not work just now. Easel tries again by itself.",
        _ => "A newer Easel wrote down why.",
    };
    fill(text, &[("with", with)])
}

/// So many items, as the subject of a sentence.
pub(crate) fn items(count: u64) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{count} items") }
}

/// What stands on the button that lets deletions happen, and on the one that does not.
pub(crate) fn answers_to_deletions(count: u64, is_there: bool) -> (String, String) {
    let items = items(count);
    if is_there {
        (format!("Delete {items} in the drive"), "Keep them in the drive".to_owned())
    } else {
        (format!("Move {items} to the trash"), "Keep them here".to_owned())
    }
}

/// What stands on the button that says that a folder is empty on purpose.
pub(crate) const EMPTY_ON_PURPOSE: &str = "It is meant to be empty";

/// What is said outside the window when folders begin to need the person.
pub(crate) fn folders_need_you(first: &Problem, more: usize) -> (String, String) {
    match more {
        0 => (first.title.clone(), first.detail.clone()),
        1 => ("2 folders need you".to_owned(), format!("{}. Easel says what about the other one.", first.title)),
        more => {
            (format!("{} folders need you", more + 1), format!("{}. Easel says what about the others.", first.title))
        }
    }
}

/// What is said once, when the window closes and Easel goes on.
pub(crate) const GOES_ON: (&str, &str) = (
    "Easel goes on in the background",
    "Files are still sent and folders kept in step. The sign in the tray opens the window; Settings, Background changes this.",
);

/// What the tray says while nothing is going on, while things are paused, and while they wait.
pub(crate) const AT_A_GLANCE_IDLE: &str = "Everything is up to date";
pub(crate) const AT_A_GLANCE_PAUSED: &str = "Paused";
pub(crate) const AT_A_GLANCE_WAITING: &str = "Waiting to go on";

/// What the tray says while things are going on.
pub(crate) fn busy_at_a_glance(files: u64, folders: u64) -> String {
    match (files, folders) {
        (0, 1) => "Keeping 1 folder in step".to_owned(),
        (0, folders) => format!("Keeping {folders} folders in step"),
        (1, _) => "Sending 1 file".to_owned(),
        (files, _) => format!("Sending {files} files"),
    }
}

/// What the tray says when folders need the person.
pub(crate) fn folders_need_you_at_a_glance(folders: u64) -> String {
    if folders == 1 { "1 folder needs you".to_owned() } else { format!("{folders} folders need you") }
}

/// What the tray says when files could not be sent.
pub(crate) fn files_failed_at_a_glance(files: u64) -> String {
    if files == 1 { "1 file could not be sent".to_owned() } else { format!("{files} files could not be sent") }
}

/// What is said outside the window when a queue came to rest.
pub(crate) fn came_to_rest(finished: u64, failed: u64) -> (String, String) {
    let title = match finished {
        0 => "Nothing could be sent".to_owned(),
        1 => "1 file is in the drive".to_owned(),
        more => format!("{more} files are in the drive"),
    };
    let body = match failed {
        0 => "Everything arrived.".to_owned(),
        1 => "1 file was not sent. Easel says why.".to_owned(),
        more => format!("{more} files were not sent. Easel says why."),
    };
    (title, body)
}

/// What is said outside the window when a design that was asked for here is there, or is not; nothing where a person stopped
/// it.
pub(crate) fn task_ended(status: &TaskStatus, name: Option<&str>, prompt: &str) -> Option<(String, String)> {
    let title = match status {
        TaskStatus::Succeeded => "Your design is ready",
        TaskStatus::Failed | TaskStatus::Expired => "A design could not be made",
        _ => return None,
    };
    let body = match name.filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None if prompt.chars().count() > 80 => format!("{}…", prompt.chars().take(79).collect::<String>()),
        None => prompt.to_owned(),
    };
    Some((title.to_owned(), body))
}

/// Puts the values into their braces.
fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = from.split_once('}') else {
            filled.push('{');
            rest = from;
            continue;
        };
        filled.push_str(values.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// A size as a person says it, in the decimal units that the service counts in.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let tenths = bytes / (unit / 10);
            return if tenths < 100 && !tenths.is_multiple_of(10) {
                format!("{}.{} {name}", tenths / 10, tenths % 10)
            } else {
                format!("{} {name}", tenths / 10)
            };
        }
    }
    format!("{bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_code_of_the_service_has_words_and_a_button() {
        for code in easel_wire::error::code::ALL {
            let words = entry(code).unwrap_or_else(|| panic!("{code} has no words"));
            assert!(!words.title.is_empty() && !words.detail.is_empty(), "{code}");
        }
        for error_type in ErrorType::KNOWN {
            assert!(entry(code_of_type(error_type)).is_some(), "{error_type}");
        }
    }

    #[test]
    fn every_entry_is_a_sentence_for_a_person() {
        let mut seen = HashSet::new();
        for words in CATALOGUE {
            let code = words.code;
            assert!(seen.insert(code), "{code} stands twice");
            assert!(!words.action.label().is_empty(), "{code}");
            assert!(!words.title.ends_with('.'), "{code}: a title is no sentence");
            assert!(words.detail.ends_with('.') || words.detail == "{reason}", "{code}: the detail is no sentence");
            let text = format!("{} {}", words.title, words.detail);
            assert!(!text.contains("Something went wrong"), "{code}");
            for status in ["400", "401", "403", "404", "409", "413", "422", "429", "500", "502", "503", "HTTP "] {
                assert!(!text.contains(status), "{code} names a status: {text}");
            }
        }
    }

    #[test]
    fn only_a_plan_limit_speaks_of_plans() {
        for words in CATALOGUE {
            let speaks = words.detail.contains("plan raises");
            assert_eq!(speaks, words.code == "file_too_large_for_plan", "{}", words.code);
        }
    }

    #[test]
    fn values_are_filled_in_whole() {
        let filled = problem("file_too_large", &[("name", "{size}.key"), ("size", "312 MB"), ("limit", "250 MB")]);
        assert_eq!(filled.title, "{size}.key is too large");
        assert_eq!(filled.detail, "This file is 312 MB. Your workspace takes files up to 250 MB.");
    }

    #[test]
    fn sizes_are_said_as_people_say_them() {
        let check = |bytes, said: &str| assert_eq!(size(bytes), said);
        check(0, "0 bytes");
        check(999, "999 bytes");
        check(20_480, "20 KB");
        check(1_500_000, "1.5 MB");
        check(50_000_000, "50 MB");
        check(312_400_000, "312 MB");
        check(2_000_000_000, "2 GB");
    }
}
