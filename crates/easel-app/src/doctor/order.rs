//! The order of an event's keys when it is sent, for bodies that a program wrote again in another order.
//!
//! Always true: only the order of a body changes; keys that this build does not know come last. Not here: objects that
//! the service itself keeps in no order, such as a task's input.

use serde_json::Value;

/// The parts of an event, each with its keys in order (contract, "Webhooks" and "Versions").
const PARTS: [(&str, &[&str]); 6] = [
    ("event", &["id", "type", "created", "api_version", "data"]),
    (
        "data",
        &[
            "id",
            "kind",
            "status",
            "created_at",
            "started_at",
            "completed_at",
            "progress",
            "attempt",
            "max_attempts",
            "input",
            "result",
            "error",
            "credits",
            "links",
            "retry_after_ms",
        ],
    ),
    ("progress", &["percent", "step", "message"]),
    ("result", &["canvas_id", "canvas_url", "canvas_name", "conversation_id", "source_canvas_id"]),
    ("error", &["message", "retryable"]),
    ("links", &["self", "events", "cancel", "canvas"]),
];

/// An event with its keys as a service orders them.
pub(super) fn in_order(event: &Value) -> String {
    write(event, "event")
}

/// Writes a value under the key `name`.
fn write(value: &Value, name: &str) -> String {
    let Value::Object(fields) = value else { return value.to_string() };
    let Some((_, keys)) = PARTS.iter().find(|(part, _)| *part == name) else { return value.to_string() };
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    let last = keys.len();
    fields.sort_by_key(|(key, _)| keys.iter().position(|known| known == key).unwrap_or(last));
    let written = fields.into_iter().map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), write(value, key)));
    format!("{{{}}}", written.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_the_order_in_which_they_are_sent_and_others_stay() {
        let sorted = r#"{"created":"x","data":{"error":{"message":"a","retryable":true},"id":"task_1","input":{"links":{"b":1,"a":2}},"moon":[1,{"b":1}],"status":"failed"},"id":"evt_1","type":"task.failed"}"#;
        let sent = r#"{"id":"evt_1","type":"task.failed","created":"x","data":{"id":"task_1","status":"failed","input":{"links":{"a":2,"b":1}},"error":{"message":"a","retryable":true},"moon":[1,{"b":1}]}}"#;
        assert_eq!(in_order(&serde_json::from_str(sorted).unwrap()), sent);
    }
}
