//! How the refusals of a service are worded: by their code, then their type.
//!
//! Always true: a refusal that this Easel has no words for is said in the service's own. Not here: the words themselves
//! ([`crate::messages`]).

use easel_wire::error::code;
use easel_wire::{ErrorBody, ErrorType, IdError, Scope};

use super::{About, WITHOUT_A_REASON};
use crate::messages;
use crate::problem::Problem;

/// The key lacks a scope; `None` where it is not known which.
pub(super) fn of_missing_scope(scope: Option<&Scope>) -> Problem {
    let (worded_as, purpose) = match scope.map(messages::purpose) {
        Some(Some(purpose)) => ("missing_scope", purpose),
        Some(None) => ("missing_scope_other", ""),
        None => ("missing_scope_unnamed", ""),
    };
    let scope = scope.map(Scope::as_str).unwrap_or_default();
    let worded = messages::problem(worded_as, &[("scope", scope), ("purpose", purpose)]);
    Problem { code: code::MISSING_SCOPE.to_owned(), ..worded }
}

/// The service takes no files of this type. `message` is the service's own, which may be empty.
pub(super) fn of_media_type(name: &str, mime_type: &str, message: &str) -> Problem {
    in_its_words("media_type_refused", "media_type_refused_unsaid", message, &[("name", name), ("type", mime_type)])
}

/// The service takes no file of this size, and names no limit. `message` as above.
pub(super) fn of_size(name: &str, message: &str) -> Problem {
    in_its_words("size_refused", "file_too_large_unmeasured", message, &[("name", name)])
}

/// The service, or a disk, takes no file of this name; `message` as above.
pub(super) fn of_name(name: &str, message: &str) -> Problem {
    in_its_words("name_refused", "name_refused_unsaid", message, &[("name", name)])
}

/// Worded as `said` with the service's own words, as `unsaid` where it has none; the page knows both by the code of the
/// first.
fn in_its_words(said: &str, unsaid: &str, message: &str, values: &[(&str, &str)]) -> Problem {
    let message = message.trim().trim_end_matches('.');
    let worded_as = if message.is_empty() { unsaid } else { said };
    let worded = messages::problem(worded_as, &[values, &[("reason", message)]].concat());
    Problem { code: said.to_owned(), ..worded }
}

/// The service refuses a file, in the first of these words that there are.
pub(super) fn of_refusal(said: &[&str], name: &str) -> Problem {
    let said = said.iter().find(|said| !said.is_empty());
    let reason = said.copied().unwrap_or(WITHOUT_A_REASON).trim_end_matches('.');
    messages::problem("file_refused", &[("name", name), ("reason", reason)])
}

/// A text that cannot be used as an id.
pub(crate) fn of_id(error: &IdError) -> Problem {
    messages::problem(
        if matches!(error, IdError::NoPrefix { .. }) { "id_without_prefix" } else { "item_id_not_usable" },
        &[],
    )
}

/// The envelope of a service, by its code, then its type.
pub(super) fn of_api(status: u16, error: &ErrorBody, about: About<'_>) -> Problem {
    let detail = |key: &str| error.details.as_ref().and_then(|details| details.get(key));
    if error.code == code::FILE_TOO_LARGE {
        let limit = detail("max_file_bytes").and_then(serde_json::Value::as_u64);
        let is_plan_limit = detail("is_plan_limit").and_then(serde_json::Value::as_bool).unwrap_or_default();
        if let Some(limit) = limit {
            return of_too_large(about.name_or_this(), None, limit, is_plan_limit);
        }
    }
    let message = error.message.trim().trim_end_matches('.');
    let count = |key: &str| detail(key).and_then(serde_json::Value::as_u64).map(|count| count.to_string());
    let (letters, fitting) = (count("letters").unwrap_or_default(), count("fitting_letters").unwrap_or_default());
    let known = match error.code.as_str() {
        code::MISSING_SCOPE => return of_missing_scope(None),
        code::FILE_TOO_LARGE => Some("file_too_large_unmeasured"),
        code::TEXT_TOO_LONG if !letters.is_empty() && !fitting.is_empty() => Some("text_too_long_by"),
        // A refusal that this Easel has no words for, such as one for want of credits.
        other if messages::entry(other).is_none() && is_unheard_of(status, error) && !message.is_empty() => {
            Some("refused_in_its_words")
        }
        other => messages::entry(other).map(|entry| entry.code),
    };
    let worded_as = known.unwrap_or_else(|| messages::code_of_type(&error.error_type));
    let fields = detail("fields").map(field_names).unwrap_or_default();
    let values = [
        ("host", about.host_or_service()),
        ("name", about.name_or_this()),
        ("folder", if about.name.is_empty() { "This folder" } else { about.name }),
        ("reason", message),
        ("fields", fields.as_str()),
        ("letters", letters.as_str()),
        ("fitting", fitting.as_str()),
    ];
    let mut problem = messages::problem(worded_as, &values);
    if !error.code.is_empty() {
        problem.code.clone_from(&error.code);
    }
    problem.request_id.clone_from(&error.request_id);
    problem
}

/// Whether a refusal is of no type that the contract has.
fn is_unheard_of(status: u16, error: &ErrorBody) -> bool {
    (400..500).contains(&status) && matches!(error.error_type, ErrorType::Other(_))
}

/// The names in `details.fields`, in brackets; empty where there are none.
fn field_names(fields: &serde_json::Value) -> String {
    let names: Vec<&str> =
        fields.as_array().into_iter().flatten().filter_map(|field| field.get("field")?.as_str()).collect();
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

/// A file above the largest size.
pub(super) fn of_too_large(name: &str, size_bytes: Option<u64>, max_file_bytes: u64, is_plan_limit: bool) -> Problem {
    let code = if is_plan_limit { "file_too_large_for_plan" } else { "file_too_large" };
    let size = size_bytes.map_or_else(|| "larger than allowed".to_owned(), messages::size);
    let limit = messages::size(max_file_bytes);
    messages::problem(code, &[("name", name), ("size", size.as_str()), ("limit", limit.as_str())])
}
