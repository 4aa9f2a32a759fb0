//! JSON within a brief, as lines.
//!
//! What holds: what is no whole value of JSON stays as it is. Deliberately not here: how keys and values look as lines (`nodes`).

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::nodes::Node;

/// No more places of a brief are tried.
const MOST_TRIES: usize = 12;

/// The brief with its JSON as lines; `None` where it has none.
pub fn as_lines(text: &str) -> Option<String> {
    let mut plain = String::new();
    let (mut from, mut tries, mut is_found) = (0, 0, false);
    while let Some(at) = text[from..].find(['{', '[']).map(|at| from + at) {
        tries += 1;
        if tries > MOST_TRIES {
            break;
        }
        let (before, end) = match value_at(&text[at..]) {
            Some((node, length)) => {
                is_found = true;
                let before = text[from..at].trim_end_matches(['`', ' ']).trim_end_matches("```json").to_owned();
                (format!("{}\n\n{}\n\n", before.trim_end(), node.to_lines()), at + length)
            }
            None => (text[from..=at].to_owned(), at + 1),
        };
        plain.push_str(&before);
        from = end;
    }
    if !is_found {
        return None;
    }
    plain.push_str(&text[from..]);
    let lines = plain.lines().filter(|line| !line.trim().starts_with("```"));
    Some(lines.collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

/// The value that a whole text is.
pub fn whole(text: &str) -> Option<Node> {
    serde_json::from_str(text).ok()
}

/// The value that a text begins with, where it is a list of things or has keys, and how long it is.
fn value_at(text: &str) -> Option<(Node, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Node>();
    let node = values.next()?.ok()?;
    let is_data = match &node {
        Node::Map(fields) => !fields.is_empty(),
        // “[1]” is a mark in a text.
        Node::List(items) => items.len() > 1 && text.contains('"'),
        Node::Text(_) => false,
    };
    is_data.then(|| (node, values.byte_offset()))
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InOrder)
    }
}

/// Reads values with their keys in the order in which they were written.
struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_bool<E>(self, is_so: bool) -> Result<Node, E> {
        Ok(Node::Text(is_so.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Text(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Text(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Node, E> {
        Ok(Node::Text(number.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Text(String::new()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Node, A::Error> {
        let mut map = Vec::new();
        while let Some(field) = fields.next_entry()? {
            map.push(field);
        }
        Ok(Node::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::as_lines;

    #[test]
    fn values_stand_in_the_order_in_which_they_were_written() {
        let plain = as_lines("Slides of {\"b\": \"3 May\", \"a\": [\"boots\", \"rope\"]} please").unwrap();
        let told: Vec<&str> = plain.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(told, ["Slides of", "B: 3 May", "## A", "- boots", "- rope", " please"]);
    }

    #[test]
    fn braces_of_a_text_are_none() {
        assert_eq!(as_lines("see [1] and {this}, [x] done {"), None);
    }
}
