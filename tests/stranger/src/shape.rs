//! What switches do to every record alike: fields that are missing, null, of another type or unheard of, and times.
//!
//! Always true here: nothing that the specification names is touched, nor what a step cannot be done without.

use jiff::{Timestamp, tz};
use serde_json::{Map, Value, json};

use crate::switch::Switch;
use crate::switches::Switches;

/// Fields that no switch here touches: the specification's, those that hold others, and those without which what was
/// asked for is not answered. An error's details have switches of their own.
const KEPT: &[&str] = &[
    "agent_job_id",
    "attempts",
    "brand_kits",
    "canvas_id",
    "canvases",
    "children",
    "code",
    "data",
    "deliveries",
    "details",
    "download_url",
    "error",
    "expires_in_seconds",
    "file",
    "file_id",
    "files",
    "folder",
    "folder_id",
    "folders",
    "format",
    "id",
    "item",
    "job_id",
    "max_direct_upload_bytes",
    "max_file_bytes",
    "max_file_bytes_is_plan_limit",
    "message",
    "name",
    "next_cursor",
    "organizations",
    "page_number",
    "pages",
    "parent_folder_id",
    "replayed_from_id",
    "response_status_code",
    "result",
    "retryable",
    "status",
    "storage_key",
    "task_id",
    "tasks",
    "team",
    "title",
    "tree",
    "type",
    "upload_url",
    "url",
    "user",
    "was_duplicate",
];

/// Optional fields whose values are from a set that nobody closed.
const FROM_SETS: [&str; 4] = ["visibility", "category", "role", "plan"];

/// Gives an answer the shape that the switches ask for.
pub(crate) fn shape(value: &mut Value, switches: &Switches) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(|element| shape(element, switches)),
        Value::Object(fields) => shape_object(fields, switches),
        _ => {}
    }
}

fn shape_object(fields: &mut Map<String, Value>, switches: &Switches) {
    for (name, value) in fields.iter_mut() {
        if name == "details" {
            continue;
        }
        shape(value, switches);
        if let Some(time) = is_time(name).then(|| value.as_str()).flatten().and_then(|text| text.parse().ok()) {
            *value = write_time(time, switches);
        }
        if switches.has(Switch::OptionalValuesUnknown) && FROM_SETS.contains(&name.as_str()) && value.is_string() {
            *value = json!("of-a-later-release");
        }
        if KEPT.contains(&name.as_str()) {
            continue;
        }
        if switches.has(Switch::OptionalFieldsOfOtherTypes) && (value.is_number() || value.is_boolean()) {
            *value = json!(value.to_string());
        }
        if switches.has(Switch::OptionalFieldsNull) {
            *value = Value::Null;
        }
    }
    if switches.has(Switch::OptionalFieldsMissing) {
        fields.retain(|name, _| KEPT.contains(&name.as_str()));
    }
    if switches.has(Switch::UnknownFieldsEverywhere) {
        fields.insert("x_revision".to_owned(), json!({"number": 7, "of": ["a", null]}));
    }
}

fn is_time(name: &str) -> bool {
    name.ends_with("_at") || name == "created"
}

fn write_time(at: Timestamp, switches: &Switches) -> Value {
    let at =
        if switches.has(Switch::TimesWholeSeconds) { Timestamp::from_second(at.as_second()).unwrap_or(at) } else { at };
    match () {
        () if switches.has(Switch::TimesZulu) => json!(at.to_string()),
        () if switches.has(Switch::TimesUnix) => json!(at.as_second()),
        () if switches.has(Switch::TimesOffset) => {
            let there = at.to_zoned(tz::Offset::constant(5).to_time_zone());
            json!(there.strftime("%Y-%m-%dT%H:%M:%S%.9f+05:00").to_string())
        }
        () => json!(crate::state::time(at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_optional_changes_and_what_is_named_stays() {
        let whole =
            json!({"id": "file_1", "size_bytes": 5, "visibility": "team", "updated_at": "2026-05-01T12:00:00+00:00"});
        for (switch, after) in [
            (Switch::OptionalFieldsMissing, json!({"id": "file_1"})),
            (
                Switch::OptionalFieldsNull,
                json!({"id": "file_1", "size_bytes": null, "visibility": null, "updated_at": null}),
            ),
            (
                Switch::TimesUnix,
                json!({"id": "file_1", "size_bytes": 5, "visibility": "team", "updated_at": 1_777_636_800}),
            ),
            (
                Switch::TimesOffset,
                json!({
                    "id": "file_1", "size_bytes": 5, "visibility": "team",
                    "updated_at": "2026-05-01T17:00:00.000000000+05:00",
                }),
            ),
        ] {
            let mut value = whole.clone();
            shape(&mut value, &Switches::of(&[switch]));
            assert_eq!(value, after, "{switch}");
        }
    }
}
