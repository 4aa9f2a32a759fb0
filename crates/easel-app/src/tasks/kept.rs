//! Reads requests back from JSON: from the file of requests, and from the input that the service tells of a task.
//!
//! Always true: a written request reads back as the same request; a field of another type is an error and not left out,
//! because another design would be asked for then. Not here: sending one.

use easel_wire::tasks::{Format, Remix, StartTask, TaskAttachment};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Error, Value};

/// Reads the request for a design, for serde.
pub(super) fn start_task<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<StartTask>, D::Error> {
    let read = read_start_task(&Value::deserialize(deserializer)?);
    read.map(Box::new).map_err(serde::de::Error::custom)
}

/// Reads the request for a remix, for serde.
pub(super) fn remix<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Remix, D::Error> {
    read_remix(&Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// Reads the request for a design.
pub(super) fn read_start_task(from: &Value) -> Result<StartTask, Error> {
    let attachments = field::<Vec<Value>>(from, "attachments")?;
    Ok(StartTask {
        prompt: needed(from, "prompt")?,
        format: field::<Value>(from, "format")?.as_ref().map(read_format).transpose()?,
        canvas_id: field(from, "canvas_id")?,
        template_canvas_id: field(from, "template_canvas_id")?,
        canvas_name: field(from, "canvas_name")?,
        brand_kit_id: field(from, "brand_kit_id")?,
        skip_brand_kit: field(from, "skip_brand_kit")?,
        number_of_slides: field(from, "number_of_slides")?,
        attachments: attachments.map(|all| all.iter().map(read_attachment).collect()).transpose()?,
        reference_canvas_ids: field(from, "reference_canvas_ids")?,
        conversation_id: field(from, "conversation_id")?,
        callback_url: field(from, "callback_url")?,
        idempotency_key: field(from, "idempotency_key")?,
    })
}

/// Reads the request for a remix.
pub(super) fn read_remix(from: &Value) -> Result<Remix, Error> {
    Ok(Remix {
        canvas_id: needed(from, "canvas_id")?,
        prompt: field(from, "prompt")?,
        new_name: field(from, "new_name")?,
        brand_kit_id: field(from, "brand_kit_id")?,
        skip_brand_kit: field(from, "skip_brand_kit")?,
    })
}

fn read_format(from: &Value) -> Result<Format, Error> {
    Ok(Format {
        category: field(from, "category")?,
        width: field(from, "width")?,
        height: field(from, "height")?,
        label: field(from, "label")?,
        page_count: field(from, "page_count")?,
    })
}

fn read_attachment(from: &Value) -> Result<TaskAttachment, Error> {
    Ok(TaskAttachment {
        file_id: field(from, "file_id")?,
        url: field(from, "url")?,
        role: field(from, "role")?,
        label: field(from, "label")?,
    })
}

/// A field; `None` where it is missing or null.
fn field<T: DeserializeOwned>(from: &Value, name: &str) -> Result<Option<T>, Error> {
    from.get(name).map_or(Ok(None), Option::<T>::deserialize)
}

fn needed<T: DeserializeOwned>(from: &Value, name: &'static str) -> Result<T, Error> {
    field(from, name)?.ok_or_else(|| Error::missing_field(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use easel_wire::tasks::{AttachmentRole, Category};
    use serde_json::json;

    #[test]
    fn what_a_request_is_written_as_reads_back_as_the_same_request() {
        let whole = StartTask {
            prompt: "A lighthouse".to_owned(),
            format: Some(Format {
                category: Some(Category::Slides),
                width: Some(1920),
                height: Some(1080),
                label: Some("Deck".to_owned()),
                page_count: Some(3),
            }),
            canvas_id: "cvs_a-B".parse().ok(),
            template_canvas_id: "17".parse().ok(),
            canvas_name: Some("Lights".to_owned()),
            brand_kit_id: "kit/1".parse().ok(),
            skip_brand_kit: Some(false),
            number_of_slides: Some(3),
            attachments: Some(vec![TaskAttachment {
                file_id: "asset_7".parse().ok(),
                url: None,
                role: Some(AttachmentRole::Source),
                label: Some("a".to_owned()),
            }]),
            reference_canvas_ids: Some(vec!["cvs_b".parse().unwrap()]),
            conversation_id: "conv_1".parse().ok(),
            callback_url: Some("https://a.example/hook".to_owned()),
            idempotency_key: Some("k".to_owned()),
        };
        for request in [whole, StartTask { prompt: "Tea".to_owned(), ..StartTask::default() }] {
            assert_eq!(read_start_task(&serde_json::to_value(&request).unwrap()).unwrap(), request);
        }
        let remix = Remix {
            canvas_id: "cvs_a-B".parse().unwrap(),
            prompt: Some("bluer".to_owned()),
            new_name: Some("Blue".to_owned()),
            brand_kit_id: "bk_1".parse().ok(),
            skip_brand_kit: Some(true),
        };
        assert_eq!(read_remix(&serde_json::to_value(&remix).unwrap()).unwrap(), remix);
    }

    #[test]
    fn a_field_of_another_type_is_an_error() {
        assert!(read_start_task(&json!({"prompt": "a", "attachments": "b"})).is_err());
        assert!(read_start_task(&json!({"prompt": null})).is_err());
        assert!(read_remix(&json!({"prompt": "a"})).is_err());
    }
}
