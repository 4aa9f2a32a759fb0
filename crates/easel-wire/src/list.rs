//! Lists in both versions (specification, "Differences between versions"; contract, "Versions").
//!
//! `2026-05-01`: `{data, next_cursor, has_more}`; `2026-04-12`: `{<resource>: [...], total, limit, offset, has_more}`.
//! Reading takes any of them, or a bare array (contract, "What the client tolerates").

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A page of a list, as a client reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The items, in the service's order.
    pub items: Vec<T>,
    /// Ask with it for the next page; `None` on the last page or where the service counts by offset.
    pub next_cursor: Option<String>,
    /// Whether more follow, where the service says.
    pub has_more: Option<bool>,
    /// How many there are in all, where the service says.
    pub total: Option<u64>,
}

/// The body is no list in any known form.
#[derive(Debug, thiserror::Error)]
#[error("no list of {resource} in the answer")]
pub struct NotAList {
    /// The resource's name.
    pub resource: &'static str,
    /// Why an item could not be read, where that was it.
    #[source]
    pub source: Option<serde_json::Error>,
}

impl<T: DeserializeOwned> Page<T> {
    /// Reads a list whose legacy name is `resource`.
    ///
    /// # Errors
    /// [`NotAList`] where there is no array under `data` or `resource` and the body is none, or an item is not a `T`.
    pub fn from_json(body: Value, resource: &'static str) -> Result<Self, NotAList> {
        let no_list = |source| NotAList { resource, source };
        let (items, envelope) = match body {
            Value::Array(items) => (items, serde_json::Map::new()),
            Value::Object(mut object) => {
                let items = object.remove("data").or_else(|| object.remove(resource));
                match items {
                    Some(Value::Array(items)) => (items, object),
                    _ => return Err(no_list(None)),
                }
            }
            _ => return Err(no_list(None)),
        };
        Ok(Self {
            items: items
                .into_iter()
                .map(serde_json::from_value)
                .collect::<Result<_, _>>()
                .map_err(|source| no_list(Some(source)))?,
            next_cursor: envelope.get("next_cursor").and_then(Value::as_str).map(str::to_owned),
            has_more: envelope.get("has_more").and_then(Value::as_bool),
            total: envelope.get("total").and_then(Value::as_u64),
        })
    }
}

/// A page as `2026-05-01` writes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CursorPage<T> {
    /// The items.
    pub data: Vec<T>,
    /// `null` on the last page.
    pub next_cursor: Option<String>,
    /// Whether more follow.
    pub has_more: bool,
    /// How many there are in all; only the drive lists say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_form_of_a_list_is_understood() {
        let check = |body: Value, cursor: Option<&str>, total: Option<u64>| {
            let page = Page::<u32>::from_json(body, "files").unwrap();
            assert_eq!(page.items, [1, 2]);
            assert_eq!(page.next_cursor.as_deref(), cursor);
            assert_eq!(page.total, total);
        };
        check(json!({"data": [1, 2], "next_cursor": "c", "has_more": true}), Some("c"), None);
        check(json!({"data": [1, 2], "next_cursor": null, "has_more": false, "total": 2}), None, Some(2));
        check(json!({"files": [1, 2], "total": 9, "limit": 2, "offset": 0, "has_more": true}), None, Some(9));
        check(json!([1, 2]), None, None);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for body in [json!({}), json!("x"), json!({"data": {}}), json!({"data": ["x"]})] {
            assert!(Page::<u32>::from_json(body, "files").is_err());
        }
    }
}
