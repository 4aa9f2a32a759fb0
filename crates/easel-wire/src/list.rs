//! Lists in both versions (specification, "Differences between versions"; contract, "Versions").
//!
//! `2026-05-01`: `{data, next_cursor, has_more}`; `2026-04-12`: `{<resource>: [...], total, limit, offset, has_more}`.
//! Reading takes any of them, or a bare array, whichever version was asked for.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::lenient::Lenient;

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The items, in the service's order.
    pub items: Vec<T>,
    /// How many items could not be read, mostly because they have no id. If there are any, a missing item is no proof
    /// that it is gone.
    pub unreadable: usize,
    /// The cursor for the next page; `None` on the last page or where the service counts by offset.
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
}

impl<T: DeserializeOwned> Page<T> {
    /// Reads a list whose legacy name is `resource`, with its items under `data`, under `resource`, or bare.
    ///
    /// # Errors
    /// [`NotAList`] where there is no array, or one of which no item can be read.
    pub fn from_json(body: Value, resource: &'static str) -> Result<Self, NotAList> {
        Self::read_with(body, resource, |item| serde_json::from_value(item).ok())
    }
}

impl<T> Page<T> {
    /// As [`Page::from_json`], with another reading of the items.
    ///
    /// # Errors
    /// As [`Page::from_json`].
    pub fn read_with(body: Value, resource: &'static str, read: impl Fn(Value) -> Option<T>) -> Result<Self, NotAList> {
        let (items, envelope) = match body {
            Value::Array(items) => (items, serde_json::Map::new()),
            Value::Object(mut object) => {
                let is_list = |name: &&str| object.get(*name).is_some_and(Value::is_array);
                let name = ["data", resource].into_iter().find(is_list).ok_or(NotAList { resource })?;
                match object.remove(name) {
                    Some(Value::Array(items)) => (items, object),
                    _ => return Err(NotAList { resource }),
                }
            }
            _ => return Err(NotAList { resource }),
        };
        let told = items.len();
        let items: Vec<T> = items.into_iter().filter_map(read).collect();
        let unreadable = told - items.len();
        if items.is_empty() && unreadable > 0 {
            return Err(NotAList { resource });
        }
        let field = |name: &str| envelope.get(name).cloned().unwrap_or_default();
        Ok(Self {
            items,
            unreadable,
            next_cursor: String::read(field("next_cursor")).filter(|cursor| !cursor.is_empty()),
            has_more: bool::read(field("has_more")),
            total: u64::read(field("total")),
        })
    }
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
        check(json!({"data": null, "files": [1, 2], "next_cursor": 7, "total": "2"}), Some("7"), Some(2));
        check(json!([1, 2]), None, None);
    }

    #[test]
    fn what_cannot_be_read_is_counted_and_the_rest_stays() {
        let page = Page::<u32>::from_json(json!({"data": [1, "x", null, 2]}), "files").unwrap();
        assert_eq!((page.items, page.unreadable), (vec![1, 2], 2));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for body in [json!({}), json!("x"), json!({"data": {}}), json!({"data": ["x"]})] {
            assert!(Page::<u32>::from_json(body, "files").is_err());
        }
    }
}
