//! One field of an endpoint's answers, made other than it should be.

use std::fmt;

use serde_json::{Value, json};

use crate::route::Route;

/// What is done to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// It is not there.
    LeaveOut,
    /// It is null.
    Null,
    /// A number for a text, a text for a number or a truth, a number for an array or an object.
    OtherType,
    /// A text or a number that nobody has seen there.
    UnknownValue,
    /// An object gets a field more, of a name and form that nobody has seen.
    ExtraField,
    /// An array has no elements.
    Emptied,
}

/// A field and what is done to it in every answer of its endpoint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mangle {
    /// The endpoint.
    pub route: Route,
    /// A JSON pointer, in which `*` stands for every element of an array; empty for the whole answer.
    pub pointer: String,
    /// What is done.
    pub how: How,
}

impl fmt::Display for Mangle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {:?}", self.route, self.pointer, self.how)
    }
}

impl Mangle {
    /// Mangles an answer; whether the field was in it.
    pub(crate) fn apply(&self, answer: &mut Value) -> bool {
        let parts = self.pointer.split('/').skip(1).collect::<Vec<_>>();
        self.apply_below(answer, &parts)
    }

    fn apply_below(&self, value: &mut Value, parts: &[&str]) -> bool {
        let Some((part, rest)) = parts.split_first() else {
            self.change(value);
            return true;
        };
        match value {
            Value::Array(elements) if *part == "*" => {
                if rest.is_empty() && self.how == How::LeaveOut {
                    return !std::mem::take(elements).is_empty();
                }
                elements.iter_mut().fold(false, |was, element| self.apply_below(element, rest) | was)
            }
            Value::Object(fields) => {
                let name = part.replace("~1", "/").replace("~0", "~");
                if rest.is_empty() && self.how == How::LeaveOut {
                    return fields.remove(&name).is_some();
                }
                fields.get_mut(&name).is_some_and(|field| self.apply_below(field, rest))
            }
            _ => false,
        }
    }

    fn change(&self, value: &mut Value) {
        match (self.how, &mut *value) {
            (How::LeaveOut | How::Null, _) => *value = Value::Null,
            (How::OtherType, Value::String(_) | Value::Array(_) | Value::Object(_)) => *value = json!(17),
            (How::OtherType, Value::Number(number)) => *value = json!(number.to_string()),
            (How::OtherType, Value::Bool(_) | Value::Null) => *value = json!("yes, in a way"),
            (How::UnknownValue, Value::Number(_)) => *value = json!(-987_654_321),
            (How::UnknownValue, _) => *value = json!("never-seen ☂"),
            (How::ExtraField, Value::Object(fields)) => {
                fields.insert("never_seen".to_owned(), json!([{"of": null}, 1.5, "text"]));
            }
            (How::Emptied, Value::Array(elements)) => elements.clear(),
            (How::ExtraField | How::Emptied, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_mangled_in_every_element() {
        for (pointer, how, after) in [
            ("/data/*/name", How::LeaveOut, json!({"data": [{"n": 1}, {"n": 2}]})),
            ("/data/*/n", How::OtherType, json!({"data": [{"name": "a", "n": "1"}, {"name": "b", "n": "2"}]})),
            ("/data/*", How::LeaveOut, json!({"data": []})),
            ("/data", How::Null, json!({"data": null})),
            ("", How::OtherType, json!(17)),
        ] {
            let mut answer = json!({"data": [{"name": "a", "n": 1}, {"name": "b", "n": 2}]});
            let mangle = Mangle { route: Route::ListFiles, pointer: pointer.to_owned(), how };
            assert!(mangle.apply(&mut answer), "{mangle}");
            assert_eq!(answer, after, "{mangle}");
        }
    }

    #[test]
    fn a_field_that_is_not_there_is_not_mangled() {
        let mangle = Mangle { route: Route::ListFiles, pointer: "/data/*/size".to_owned(), how: How::Null };
        assert!(!mangle.apply(&mut json!({"data": [{"name": "a"}]})));
    }
}
